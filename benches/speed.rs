//! Speed of generation, evaluation and search: `make bench`. Compare ratios from one run, not single figures.

use std::hint::black_box;
use std::time::Instant;

use criterion::{Criterion, criterion_group, criterion_main};
use lanternfish::chess::eval::Evaluator;
use lanternfish::chess::fen;
use lanternfish::chess::keys::KeyPath;
use lanternfish::chess::movegen;
use lanternfish::chess::position::Position;
use lanternfish::search::{Control, Job, Limits, Search, Settings};
use shakmaty::Position as _;

const MIDDLEGAME: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn middlegame(evaluator: &Evaluator) -> Position {
    Position::new(
        fen::parse(MIDDLEGAME).expect("a legal position"),
        evaluator.table(),
    )
}

fn generation(c: &mut Criterion) {
    let evaluator = Evaluator::new();
    let position = middlegame(&evaluator);
    let mut group = c.benchmark_group("generation");
    group.bench_function("all moves", |b| {
        b.iter(|| movegen::legal_moves(black_box(&position)))
    });
    group.bench_function("all moves by shakmaty", |b| {
        b.iter(|| black_box(&position).chess().legal_moves())
    });
    group.bench_function("noisy moves", |b| {
        b.iter(|| {
            let mut count = 0;
            movegen::noisy_moves(black_box(&position), |_| count += 1);
            count
        })
    });
    group.bench_function("perft 3", |b| {
        b.iter(|| movegen::perft(&position, 3, evaluator.table()))
    });
    group.finish();
}

fn evaluation(c: &mut Criterion) {
    let evaluator = Evaluator::new();
    let position = middlegame(&evaluator);
    c.bench_function("evaluation", |b| {
        b.iter(|| evaluator.evaluate(black_box(&position)))
    });
}

fn search(c: &mut Criterion) {
    let mut search = Search::new(16, 1).expect("memory for the table");
    let root = middlegame(search.evaluator());
    let mut group = c.benchmark_group("search");
    group.sample_size(20);
    group.bench_function("depth 10", |b| {
        b.iter(|| {
            search.new_game();
            let job = Job {
                root: root.clone(),
                path: KeyPath::default(),
                limits: Limits::depth(10),
                settings: Settings::default(),
                start: Instant::now(),
            };
            search.run(&job, &Control::new(), &mut |_| ())
        })
    });
    group.finish();
}

criterion_group!(benches, generation, evaluation, search);
criterion_main!(benches);
