//! The search as a library: mates, draws, limits, and what it reports.

mod common;

use std::time::Instant;

use common::{playouts, position};
use lanternfish::chess::keys::KeyPath;
use lanternfish::chess::position::Position;
use lanternfish::score::Score;
use lanternfish::search::{
    Bound, Control, Job, Limits, Outcome, Report, Search, Settings, Variation,
};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Move};

struct Run {
    outcome: Outcome,
    variations: Vec<Variation>,
}

fn run_with(
    search: &mut Search,
    fen: &str,
    limits: Limits,
    settings: Settings,
    path: KeyPath,
) -> Run {
    let job = Job {
        root: position(fen),
        path,
        limits,
        settings,
        start: Instant::now(),
    };
    let mut variations = Vec::new();
    let outcome = search.run(&job, &Control::new(), &mut |report| {
        if let Report::Variation(variation) = report {
            variations.push(variation);
        }
    });
    Run {
        outcome,
        variations,
    }
}

fn run(fen: &str, limits: Limits) -> Run {
    let mut search = Search::new(8, 1).unwrap();
    run_with(
        &mut search,
        fen,
        limits,
        Settings::default(),
        KeyPath::default(),
    )
}

fn uci(m: Option<Move>) -> String {
    m.map_or("none".into(), |m| {
        UciMove::from_move(m, CastlingMode::Standard).to_string()
    })
}

#[test]
fn mates_in_one_to_four_are_found_with_their_whole_line() {
    let cases = [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 1),
        ("8/5R2/2K1P3/4k3/8/b1PPpp1B/5p2/8 w - - 0 1", 2),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
        ("7R/r1p1q1pp/3k4/1p1n1Q2/3N4/8/1PP2PPP/2B3K1 w - - 1 1", 4),
    ];
    for (fen, moves) in cases {
        let Run {
            outcome,
            variations,
        } = run(
            fen,
            Limits {
                mate: Some(moves),
                ..Limits::default()
            },
        );
        assert_eq!(outcome.score.mate_moves(), Some(moves as i32), "{fen}");
        let last = variations.last().unwrap();
        assert_eq!(
            (last.bound, last.moves.len()),
            (Bound::Exact, 2 * moves as usize - 1),
            "{fen}"
        );
        assert_eq!(last.moves.first().copied(), outcome.best);
    }
}

#[test]
fn short_mates_are_found_by_a_plain_search_too() {
    for (fen, moves) in [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 1),
        ("8/5R2/2K1P3/4k3/8/b1PPpp1B/5p2/8 w - - 0 1", 2),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
    ] {
        let outcome = run(fen, Limits::nodes(3_000_000)).outcome;
        assert_eq!(outcome.score.mate_moves(), Some(moves), "{fen}");
    }
}

#[test]
fn mates_that_begin_with_a_sacrifice_or_a_quiet_threat_are_found() {
    for (fen, moves) in [
        // The queen is given for two checks and a rook lift.
        (
            "r3r1k1/pp1q1pp1/4b1p1/3p2B1/3Q1R2/8/PPP3PP/4R1K1 w - - 0 1",
            4,
        ),
        // Checks alone, the king is drawn across the board.
        (
            "r6r/pp3ppp/3k1b2/2pb4/B4Pq1/2P1Q3/P5PP/1RBR2K1 w - - 0 1",
            4,
        ),
        // Three quiet moves, each of which threatens mate.
        (
            "1nbq1r1k/3rbp1p/p1p1pp1Q/1p6/P1pPN3/5NP1/1P2PPBP/R4RK1 w - - 0 1",
            4,
        ),
        // A rook and a knight are put where they can be taken.
        (
            "1rb1r1k1/p1p2ppp/5n2/2pP4/5P2/2QB4/qNP3PP/2KRB2R b - - 0 1",
            5,
        ),
    ] {
        let score = run(fen, Limits::nodes(2_000_000)).outcome.score;
        let found = score.mate_moves();
        assert!(
            found.is_some_and(|found| (1..=moves).contains(&found)),
            "{fen}: {score}"
        );
    }
}

#[test]
fn what_a_plain_search_calls_mate_is_mate() {
    let mut confirmed = 0;
    for root in playouts(20).step_by(17) {
        let fen = lanternfish::chess::fen::write(root.chess());
        let score = run(&fen, Limits::nodes(30_000)).outcome.score;
        let Some(moves @ 1..=3) = score.mate_moves() else {
            continue;
        };
        let limits = Limits {
            mate: Some(moves as u32),
            ..Limits::default()
        };
        let proof = run(&fen, limits).outcome.score;
        assert!(
            proof
                .mate_moves()
                .is_some_and(|proof| (1..=moves).contains(&proof)),
            "{fen}"
        );
        confirmed += 1;
    }
    assert!(confirmed > 10, "only {confirmed} mates");
}

#[test]
fn a_mate_search_finds_a_mate_of_its_length_and_none_that_is_shorter() {
    for (fen, shortest) in [
        ("8/5R2/2K1P3/4k3/8/b1PPpp1B/5p2/8 w - - 0 1", 2),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
        ("4R3/1k6/bp6/1p1P4/1K6/8/1B6/3Q4 w - - 0 1", 3),
    ] {
        let found = |moves| {
            let limits = Limits {
                mate: Some(moves),
                ..Limits::default()
            };
            let outcome = run(fen, limits).outcome;
            assert!(outcome.best.is_some(), "{fen}");
            outcome.score.mate_moves()
        };
        let shorter = found(shortest - 1).filter(|&moves| moves > 0 && moves < shortest as i32);
        assert_eq!(shorter, None, "{fen}");
        assert_eq!(found(shortest), Some(shortest as i32), "{fen}");
    }
}

#[test]
fn being_mated_is_counted_in_the_other_direction() {
    let outcome = run("7k/8/5K2/6Q1/8/8/8/8 b - - 0 1", Limits::depth(8)).outcome;
    assert_eq!(outcome.score.mate_moves(), Some(-1));
}

#[test]
fn mated_and_stalemated_roots_have_no_move() {
    let mated = run("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Limits::depth(3)).outcome;
    assert_eq!((mated.best, mated.score), (None, Score::mated_in(0)));
    let stalemate = run("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Limits::depth(3)).outcome;
    assert_eq!((stalemate.best, stalemate.score), (None, Score::DRAW));
}

#[test]
fn stalemate_is_seen_as_a_draw() {
    // The extra pawn cannot win: the king stalemates or lets it go.
    let outcome = run("k7/P7/1K6/8/8/8/8/8 w - - 0 1", Limits::depth(8)).outcome;
    assert_eq!(outcome.score, Score::DRAW);
}

#[test]
fn a_side_that_is_lost_finds_the_perpetual_check() {
    let outcome = run("6k1/6p1/8/7Q/8/2q5/1r6/7K w - - 0 1", Limits::depth(10)).outcome;
    assert_eq!(outcome.score, Score::DRAW);
}

/// The start position after knights went out and back `times` times, with the keys before it.
fn shuffled(times: usize) -> (Position, KeyPath) {
    let evaluator = common::evaluator();
    let mut path = KeyPath::default();
    let mut game = Position::initial(evaluator.table());
    for text in ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(times) {
        path.push(game.key());
        let m = lanternfish::chess::movegen::legal_move(&game, text.parse().unwrap()).unwrap();
        game = game.child(m, evaluator.table());
    }
    (game, path)
}

#[test]
fn a_repetition_counts_twofold_in_the_tree_and_threefold_in_the_game() {
    let (once_back, path) = shuffled(1);
    assert!(
        !path.is_repetition(&once_back, 0),
        "twofold before the root is no draw"
    );
    assert!(
        !path.is_repetition(&once_back, 4),
        "the first occurrence was the root itself"
    );
    assert!(
        path.is_repetition(&once_back, 5),
        "twofold inside the tree is one"
    );
    let (twice_back, path) = shuffled(2);
    assert!(
        path.is_repetition(&twice_back, 0),
        "threefold in the game is one"
    );
}

/// White is a queen up, but the position with the king on g8 stood on the board twice before.
fn before_the_third_repetition(limits: Limits) -> Run {
    let evaluator = common::evaluator();
    let mut game = position("6k1/8/8/8/8/8/3Q4/6K1 w - - 0 1");
    let mut path = KeyPath::default();
    for text in ["d2e2", "g8h8", "e2d2", "h8g8"].repeat(2).iter().take(7) {
        path.push(game.key());
        let m = lanternfish::chess::movegen::legal_move(&game, text.parse().unwrap()).unwrap();
        game = game.child(m, evaluator.table());
    }
    let mut search = Search::new(8, 1).unwrap();
    let fen = lanternfish::chess::fen::write(game.chess());
    run_with(&mut search, &fen, limits, Settings::default(), path)
}

#[test]
fn the_losing_side_takes_the_third_repetition_of_the_game() {
    let outcome = before_the_third_repetition(Limits::depth(6)).outcome;
    assert_eq!(
        (outcome.score, uci(outcome.best).as_str()),
        (Score::DRAW, "h8g8")
    );
}

#[test]
fn a_best_line_that_ends_at_once_does_not_end_the_search() {
    // The first move is a draw, but another one may be a deep win.
    let outcome = before_the_third_repetition(Limits::nodes(100_000)).outcome;
    assert_eq!(outcome.figures.nodes, 100_000);
}

#[test]
fn mates_are_found_behind_a_draw_that_is_seen_at_once() {
    for (fen, moves, nodes) in [
        ("8/8/7N/8/5p2/5p2/p7/k1K5 w - - 0 1", 6, 500_000),
        (
            "n1N3br/2p1Bpkr/1pP2R1b/pP3Pp1/P5P1/1P1p4/p2P4/K7 w - - 0 1",
            2,
            500_000,
        ),
        ("3K4/pp3B2/qrk5/bp2B3/1p1P4/1P6/5P2/8 w - - 0 1", 3, 500_000),
    ] {
        let score = run(fen, Limits::nodes(nodes)).outcome.score;
        assert_eq!(score.mate_moves(), Some(moves), "{fen}");
    }
}

#[test]
fn a_mate_does_not_end_the_search_for_a_shorter_one() {
    for (fen, moves, nodes) in [
        ("4R3/1k6/bp6/1p1P4/1K6/8/1B6/3Q4 w - - 0 1", 3, 1_000_000),
        ("8/8/7p/5K1k/R7/8/8/8 w - - 0 1", 6, 4_000_000),
        ("8/1b6/5N2/3B4/4P2B/8/8/k1K5 w - - 0 1", 5, 4_000_000),
    ] {
        let score = run(fen, Limits::nodes(nodes)).outcome.score;
        assert_eq!(score.mate_moves(), Some(moves), "{fen}");
    }
}

#[test]
fn a_mate_in_one_move_ends_a_search_with_a_limit_of_nodes() {
    for fen in [
        "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1",
        // The king has one move, Kg1, and Ra1 mates.
        "8/8/8/8/8/6k1/r7/7K w - - 0 1",
    ] {
        let outcome = run(fen, Limits::nodes(1_000_000)).outcome;
        assert_eq!(outcome.score.mate_moves().map(i32::abs), Some(1), "{fen}");
        assert!(outcome.figures.nodes < 1_000_000, "{fen}");
    }
}

#[test]
fn a_depth_is_reached_though_the_result_is_known() {
    for (fen, depth) in [
        ("8/8/4k3/8/8/3K4/8/8 w - - 0 1", 40),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 30),
    ] {
        assert_eq!(run(fen, Limits::depth(depth)).outcome.depth, depth, "{fen}");
    }
}

#[test]
fn a_draw_at_hand_with_all_pieces_on_the_board_does_not_end_the_search() {
    // Black is a pawn down and can bring the start of the game about for the third time.
    let table = common::evaluator().table();
    let mut game = position("rnbqkbnr/pppp1ppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let mut path = KeyPath::default();
    for text in ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2).iter().take(7) {
        path.push(game.key());
        let m = lanternfish::chess::movegen::legal_move(&game, text.parse().unwrap()).unwrap();
        game = game.child(m, table);
    }
    let fen = lanternfish::chess::fen::write(game.chess());
    let mut search = Search::new(8, 1).unwrap();
    for _ in 0..2 {
        let path = path.clone();
        let limits = Limits::nodes(200_000);
        let outcome = run_with(&mut search, &fen, limits, Settings::default(), path).outcome;
        assert_eq!(outcome.figures.nodes, 200_000);
        assert_eq!(
            (outcome.score, uci(outcome.best).as_str()),
            (Score::DRAW, "f6g8")
        );
    }
}

/// Positions in which nothing can be won, or nothing can be lost.
const FORTRESSES: [&str; 12] = [
    "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
    "8/8/4k3/8/8/3KN3/8/8 w - - 0 1",
    "8/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/3K4/5k2 w - - 0 1",
    "7k/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/3K1B2/8 w - - 0 1",
    "6k1/6p1/5pPp/4pP1P/3pP3/2pP4/2P5/6K1 w - - 0 1",
    "8/4b1k1/8/5p1p/5P1P/4K1P1/3B4/8 w - - 0 1",
    "8/8/2b5/3k1p2/5P2/4K1P1/6B1/8 b - - 0 1",
    "k7/P7/1K6/8/8/8/8/8 b - - 0 1",
    "7k/7P/8/8/8/1B6/8/K7 w - - 0 1",
    "5rk1/5ppp/8/8/8/8/5PPP/5RK1 w - - 0 1",
    "8/5k2/4p1p1/3pP1Pp/2pP3P/2P5/4K3/8 w - - 0 1",
    "8/8/8/1k6/p1p5/P1P5/1K6/8 w - - 0 1",
];

/// A position that one side can leave and come back to, after both have done so `times` times, with the keys before it.
fn gone_back(start: &Position, times: usize) -> Option<(Position, KeyPath)> {
    use lanternfish::chess::movegen::{legal_move, legal_moves};
    let table = common::evaluator().table();
    let quiet = |position: &Position| {
        let key = position.key();
        legal_moves(position).into_iter().find_map(|there| {
            let child = position.child(there, table);
            let passed = child.null_child()?;
            let back = UciMove::Normal {
                from: there.to(),
                to: there.from()?,
                promotion: None,
            };
            let back = legal_move(&passed, back)?;
            let came_back = passed.child(back, table).null_child()?.key() == key;
            (came_back && !there.is_capture()).then_some((there, back))
        })
    };
    let mut path = KeyPath::default();
    let mut position = start.clone();
    for _ in 0..times {
        let (first, first_back) = quiet(&position)?;
        let mut next = position.child(first, table);
        let (second, second_back) = quiet(&next)?;
        path.push(position.key());
        for m in [second, first_back, second_back] {
            path.push(next.key());
            let uci = UciMove::from_chess960(m);
            next = next.child(legal_move(&next, uci)?, table);
        }
        if next.key() != position.key() {
            return None;
        }
        position = next;
    }
    Some((position, path))
}

#[test]
fn a_node_limit_is_used_up_in_repetitions_and_fortresses() {
    const NODES: u64 = 3_000;
    let fortresses = FORTRESSES.map(position).into_iter();
    let starts = playouts(60).step_by(7).chain(fortresses);
    let mut search = Search::new(4, 1).unwrap();
    let mut checked = 0;
    for (times, start) in (0..3).cycle().zip(starts) {
        let Some((root, path)) = gone_back(&start, times) else {
            continue;
        };
        if path.is_draw(&root, 0) {
            continue;
        }
        let fen = lanternfish::chess::fen::write(root.chess());
        let settings = Settings::default();
        let outcome = run_with(&mut search, &fen, Limits::nodes(NODES), settings, path).outcome;
        let proven = outcome.best.is_none() || outcome.score.mate_moves().map(i32::abs) == Some(1);
        assert!(
            proven || outcome.figures.nodes == NODES,
            "{fen}: {outcome:?}"
        );
        checked += usize::from(!proven);
    }
    assert!(checked >= 500, "only {checked} positions");
}

#[test]
fn the_fifty_move_rule_ends_the_game_inside_the_search() {
    // A rook up, but the clock runs out on the next move, whatever it is.
    let drawn = run("8/8/8/4k3/8/8/8/R3K3 w - - 99 80", Limits::depth(6)).outcome;
    assert_eq!(drawn.score, Score::DRAW);
    // Mate on the hundredth half-move comes before the draw.
    let mate = run("7k/8/6K1/8/8/8/8/R7 w - - 99 80", Limits::depth(4)).outcome;
    assert_eq!(mate.score.mate_moves(), Some(1));
    // A pawn move saves the win.
    let saved = run("8/8/8/4k3/8/8/P7/R3K3 w - - 99 80", Limits::depth(6)).outcome;
    assert_eq!(uci(saved.best).chars().next(), Some('a'));
    assert!(saved.score.raw() > 300);
}

#[test]
fn bare_kings_and_lone_minors_are_drawn() {
    for fen in [
        "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
        "8/8/4k3/8/8/3KN3/8/8 w - - 0 1",
    ] {
        assert_eq!(
            run(fen, Limits::depth(8)).outcome.score,
            Score::DRAW,
            "{fen}"
        );
    }
}

#[test]
fn a_node_limit_is_kept_and_the_result_does_not_change_from_run_to_run() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let first = run(fen, Limits::nodes(20_000)).outcome;
    let second = run(fen, Limits::nodes(20_000)).outcome;
    assert_eq!(first.figures.nodes, 20_000);
    assert_eq!((first.best, first.score), (second.best, second.score));
    let one = run(fen, Limits::nodes(1)).outcome;
    assert!(one.best.is_some() && one.figures.nodes <= 1);
}

#[test]
fn a_stop_before_the_search_begins_still_yields_a_legal_move() {
    let mut search = Search::new(1, 2).unwrap();
    let control = Control::new();
    control.stop();
    let job = Job {
        root: position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
        path: KeyPath::default(),
        limits: Limits {
            infinite: true,
            ..Limits::default()
        },
        settings: Settings::default(),
        start: Instant::now(),
    };
    let outcome = search.run(&job, &control, &mut |_| ());
    let legal = lanternfish::chess::movegen::legal_moves(&job.root);
    assert!(outcome.best.is_some_and(|best| legal.contains(&best)));
}

#[test]
fn search_moves_are_the_only_ones_considered() {
    let root = position("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1");
    let only = lanternfish::chess::movegen::legal_moves(&root)
        .into_iter()
        .find(|&m| uci(Some(m)) == "e1d2");
    let limits = Limits {
        search_moves: only.into_iter().collect(),
        ..Limits::depth(6)
    };
    let outcome = run("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", limits).outcome;
    assert_eq!(outcome.best, only);
}

#[test]
fn several_lines_come_in_order_and_differ() {
    let settings = Settings {
        multi_pv: 4,
        ..Settings::default()
    };
    let mut search = Search::new(8, 1).unwrap();
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4";
    let Run {
        outcome,
        variations,
    } = run_with(
        &mut search,
        fen,
        Limits::depth(7),
        settings,
        KeyPath::default(),
    );
    let last: Vec<_> = variations.iter().filter(|line| line.depth == 7).collect();
    assert_eq!(
        last.iter().map(|line| line.multi_pv).collect::<Vec<_>>(),
        [1, 2, 3, 4]
    );
    assert!(last.windows(2).all(|pair| pair[0].score >= pair[1].score));
    assert_eq!(uci(outcome.best), "f3f7");
    let mut firsts: Vec<_> = last
        .iter()
        .map(|line| uci(line.moves.first().copied()))
        .collect();
    firsts.sort();
    firsts.dedup();
    assert_eq!(firsts.len(), 4);
}

#[test]
fn a_solved_root_does_not_flood() {
    for fen in [
        "8/8/8/8/8/2k5/8/K7 w - - 0 1",
        "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1",
    ] {
        let lines = run(
            fen,
            Limits {
                infinite: true,
                ..Limits::default()
            },
        )
        .variations
        .len();
        assert!(lines < 30, "{lines} lines in {fen}");
    }
}

#[test]
fn two_threads_search_together_and_find_the_mate() {
    let fen = "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1";
    let settings = Settings::default;
    let mut two = Search::new(8, 2).unwrap();
    let mate = run_with(
        &mut two,
        fen,
        Limits::depth(14),
        settings(),
        KeyPath::default(),
    );
    assert_eq!(mate.outcome.score.mate_moves(), Some(3));

    // One thread alone always reports the same figures. With a second one beside it, which counts nodes too and fills the
    // same table, they differ; the search is long enough for it to begin.
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let reports = |threads: usize| {
        let mut search = Search::new(8, threads).unwrap();
        let limits = Limits::nodes(1_000_000);
        let run = run_with(&mut search, fen, limits, settings(), KeyPath::default());
        let figures = |line: &Variation| (line.depth, line.figures.nodes);
        run.variations.iter().map(figures).collect::<Vec<_>>()
    };
    let alone = reports(1);
    assert_eq!(reports(1), alone);
    assert_ne!(reports(2), alone);
}

/// Lets the engine play both sides with a fixed number of nodes a move. Whether it ends in mate.
fn ends_in_mate(fen: &str, nodes: u64) -> bool {
    let mut search = Search::new(8, 1).unwrap();
    let mut path = KeyPath::default();
    let mut game = position(fen);
    loop {
        if lanternfish::chess::movegen::legal_moves(&game).is_empty() {
            return game.in_check();
        }
        if path.is_draw(&game, 0) {
            return false;
        }
        let job = Job {
            root: game.clone(),
            path: path.clone(),
            limits: Limits {
                nodes: Some(nodes),
                ..Limits::default()
            },
            settings: Settings::default(),
            start: Instant::now(),
        };
        let outcome = search.run(&job, &Control::new(), &mut |_| ());
        path.push(game.key());
        game = game.child(outcome.best.unwrap(), search.evaluator().table());
    }
}

#[test]
fn won_endings_are_won_before_the_fifty_move_rule() {
    for (fen, nodes) in [
        ("8/8/8/3k4/8/8/8/K6R w - - 0 1", 10_000),
        ("8/8/8/3k4/8/8/8/K6Q b - - 0 1", 10_000),
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", 10_000),
        ("8/8/8/3k4/8/8/8/KBB5 w - - 0 1", 10_000),
        ("8/8/8/3k4/8/8/8/K4NB1 w - - 0 1", 40_000),
        ("8/K2BN3/8/8/8/8/3k4/8 w - - 0 1", 40_000),
    ] {
        assert!(ends_in_mate(fen, nodes), "{fen}");
    }
}
