//! Endgame tables: three-piece ones come with the tests.

mod common;

use std::time::Instant;

use common::{evaluator, position};
use lanternfish::chess::eval::Percent;
use lanternfish::chess::keys::KeyPath;
use lanternfish::chess::movegen::legal_moves;
use lanternfish::chess::position::Position;
use lanternfish::chess::tablebase::{Tablebases, Verdict};
use lanternfish::score::Score;
use lanternfish::search::{Control, Job, Limits, Outcome, Report, Search, Settings};
use shakmaty::{CastlingMode, Position as _};

fn tables() -> Tablebases {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");
    let (tables, problems) = Tablebases::load(folder);
    assert_eq!(problems, Vec::<String>::new());
    assert_eq!((tables.files(), tables.most_pieces()), (10, 3));
    tables
}

fn job(root: Position, limits: Limits) -> Job {
    Job {
        root,
        path: KeyPath::default(),
        limits,
        settings: Settings::default(),
        start: Instant::now(),
    }
}

fn search(search: &mut Search, root: Position, path: KeyPath) -> Outcome {
    let job = Job {
        path,
        ..job(root, Limits::depth(4))
    };
    search.run(&job, &Control::new(), &mut |_| ())
}

#[test]
fn verdicts_are_the_known_ones() {
    for (fen, verdict) in [
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", Some(Verdict::Win)),
        ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", Some(Verdict::Loss)),
        ("4k3/8/8/4K3/4P3/8/8/8 b - - 0 1", Some(Verdict::Draw)),
        ("8/8/8/8/8/3k4/8/KQ6 b - - 0 1", Some(Verdict::Loss)),
        ("8/8/8/8/8/2k5/8/K1N5 w - - 0 1", Some(Verdict::Draw)),
        // Not right after a capture or pawn move, and too many pieces.
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 3 1", None),
        ("4k3/8/4K3/4P3/4P3/8/8/8 w - - 0 1", None),
    ] {
        assert_eq!(tables().probe(&position(fen)), verdict, "{fen}");
    }
}

#[test]
fn the_first_group_keeps_the_result() {
    let ranked = tables().ranked_moves(&position("8/4k3/8/3K4/4P3/8/8/8 b - - 0 1"), |_| false);
    let names: Vec<String> = ranked.unwrap()[0]
        .moves
        .iter()
        .map(|m| m.to_string())
        .collect();
    assert_eq!(names, ["Ke7-d7"], "the opposition is the only draw");
}

#[test]
fn a_mate_on_the_board_is_told_as_one() {
    let mut engine = Search::new(1, 1).unwrap();
    engine.set_tablebases(tables());
    // Three pieces are left after the mate, four before it; there are longer mates without a capture.
    let root = position("7k/6p1/5K2/6Q1/8/8/8/8 w - - 0 1");
    let outcome = search(&mut engine, root, KeyPath::default());
    assert_eq!(outcome.best.unwrap().to_string(), "Qg5xg7");
    assert_eq!(outcome.score.mate_moves(), Some(1));
}

#[test]
fn several_lines_come_in_the_order_of_the_tables() {
    let mut engine = Search::new(1, 1).unwrap();
    engine.set_tablebases(tables());
    let root = position("8/4k3/8/3K4/4P3/8/8/8 b - - 0 1");
    for lines in [1, 2, 3, 20] {
        let settings = Settings {
            multi_pv: lines,
            ..Settings::default()
        };
        let job = Job {
            settings,
            ..job(root.clone(), Limits::depth(6))
        };
        let mut told = Vec::new();
        engine.run(&job, &Control::new(), &mut |report| {
            if let Report::Variation(variation) = report {
                told.push((variation.depth, variation.multi_pv, variation.moves[0]));
            }
        });
        let last: Vec<_> = told.iter().filter(|line| line.0 == 6).collect();
        let legal = root.chess().legal_moves().len();
        assert_eq!(last.len(), lines.min(legal), "{lines} lines");
        assert_eq!(last[0].2.to_string(), "Ke7-d7", "{lines} lines");
        let groups = tables().ranked_moves(&root, |_| false).unwrap();
        let group = |m| groups.iter().position(|group| group.moves.contains(m));
        assert!(last.iter().is_sorted_by_key(|line| group(&line.2)));
    }
}

#[test]
fn a_won_pawn_ending_is_brought_home_within_the_fifty_move_rule() {
    let mut engine = Search::new(1, 1).unwrap();
    engine.set_tablebases(tables());
    let evaluator = evaluator();
    let mut game = position("4k3/8/4K3/8/4P3/8/8/8 w - - 0 1");
    assert_eq!(tables().probe(&game), Some(Verdict::Win));
    let mut path = KeyPath::default();
    for _ in 0..120 {
        if game.chess().is_checkmate() {
            return;
        }
        let best = search(&mut engine, game.clone(), path.clone())
            .best
            .unwrap();
        path.push(game.key());
        game = game.child(best, evaluator.table());
        assert!(game.halfmoves() < 100 && !game.chess().is_stalemate());
        assert!(
            game.board().occupied().count() == 3,
            "the pawn or queen was lost"
        );
    }
    panic!("no mate after sixty moves");
}

#[test]
fn a_capture_is_worth_what_the_tables_say() {
    for (root, capture, verdict) in [
        ("7k/8/8/3n4/8/8/3Q4/K7 w - - 0 1", "d2d5", Verdict::Win),
        ("3q3k/8/8/8/8/8/1p6/K7 w - - 0 1", "a1b2", Verdict::Loss),
        ("8/8/8/3k4/8/1n6/K1P5/8 w - - 0 1", "c2b3", Verdict::Draw),
    ] {
        let mut engine = Search::new(1, 1).unwrap();
        engine.set_tablebases(tables());
        let root = position(root);
        let chosen = legal_moves(&root).into_iter();
        let chosen = chosen.filter(|m| m.to_uci(CastlingMode::Standard).to_string() == capture);
        let limits = Limits {
            search_moves: chosen.collect(),
            ..Limits::depth(2)
        };
        let outcome = engine.run(&job(root, limits), &Control::new(), &mut |_| ());
        let score = outcome.score;
        let found = match verdict {
            Verdict::Win => score.is_win(),
            Verdict::Draw => score == Score::DRAW,
            Verdict::Loss => score.is_loss(),
        };
        assert!(found && !score.is_mate(), "{capture}: {score:?}");
    }
}

/// Positions of king and pawn against king in which some moves keep the result and others do not.
fn pawn_endings_with_a_choice() -> Vec<Position> {
    let mut found = Vec::new();
    for king in ["4K3", "3K4", "2K5", "5K2"] {
        for pawn in ["4P3", "P7", "2P5", "5P2"] {
            for enemy in ["4k3", "2k5", "6k1", "k7"] {
                let fen = format!("8/{enemy}/8/{king}/{pawn}/8/8/8 w - - 0 1");
                let root = position(&fen);
                let groups = tables().ranked_moves(&root, |_| false).unwrap();
                if groups.len() > 1 {
                    found.push(root);
                }
            }
        }
    }
    found
}

#[test]
fn the_root_keeps_to_the_first_group() {
    let ignorant = Percent {
        endgame: 0,
        ..Percent::default()
    };
    // A search of one ply, by an evaluation that knows no ending.
    let outside_the_first_group = |with_tables: bool| {
        let mut engine = Search::new(1, 1).unwrap();
        engine.set_percent(ignorant);
        if with_tables {
            engine.set_tablebases(tables());
        }
        let strays = |root: &Position| {
            let job = job(root.clone(), Limits::depth(1));
            let best = engine.run(&job, &Control::new(), &mut |_| ()).best.unwrap();
            let groups = tables().ranked_moves(root, |_| false).unwrap();
            !groups[0].moves.contains(&best)
        };
        pawn_endings_with_a_choice()
            .iter()
            .map(strays)
            .filter(|&strays| strays)
            .count()
    };
    assert!(
        outside_the_first_group(false) > 0,
        "the positions are too easy"
    );
    assert_eq!(outside_the_first_group(true), 0);
}

#[test]
fn hits_are_counted() {
    let mut engine = Search::new(1, 1).unwrap();
    engine.set_tablebases(tables());
    // Taking the knight leads into a table.
    let root = position("8/8/8/3k4/8/1n6/K1P5/8 w - - 0 1");
    let outcome = search(&mut engine, root, KeyPath::default());
    assert!(outcome.figures.tablebase_hits > 0);
}

#[test]
fn a_table_that_is_damaged_inside_is_told_of_once_it_is_asked() {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");
    let folder = std::env::temp_dir().join(format!("lanternfish-tables-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for name in ["KQvK.rtbw", "KQvK.rtbz"] {
        let mut bytes = std::fs::read(format!("{source}/{name}")).unwrap();
        // The magic number stays, so that nothing is wrong at first sight.
        bytes[4..].fill(0);
        std::fs::write(folder.join(name), bytes).unwrap();
    }
    let (tables, problems) = Tablebases::load(folder.to_str().unwrap());
    assert_eq!((problems.len(), tables.damage()), (0, None));
    let mut engine = Search::new(1, 1).unwrap();
    engine.set_tablebases(tables);
    let root = position("8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
    let outcome = search(&mut engine, root, KeyPath::default());
    assert!(outcome.best.is_some());
    assert!(
        engine
            .tablebase_damage()
            .is_some_and(|text| text.contains("KQvK"))
    );
    let _ = std::fs::remove_dir_all(&folder);
}
