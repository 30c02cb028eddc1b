//! Commands outside the UCI specification, as Stockfish has them.

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, perft};

use crate::game::{DEAD_DRAW, KIWIPETE, MATED, STALEMATED};
use crate::harness::{Engine, with_engine};

/// Scripts read the FEN from `d`.
#[test]
fn d_shows_the_fen() {
    with_engine(|engine| {
        for position in [
            "startpos".to_string(),
            "startpos moves e2e4 e7e5 g1f3".to_string(),
            KIWIPETE.to_string(),
            "fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 12 34".to_string(),
            "fen rnbqkb1r/ppppp1pp/7n/4Pp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3".to_string(),
        ] {
            engine.position(&position);
            let fen = engine.game().fen();
            engine.send("d");
            let lines = engine.ready();
            assert!(
                lines.iter().any(|line| line.contains(&fen)),
                "{fen}: {lines:?}"
            );
        }
    });
}

/// People at a terminal: before any position, and on a finished game.
#[test]
fn d_and_eval_anywhere() {
    with_engine(|engine| {
        for position in [
            "startpos",
            MATED,
            STALEMATED,
            DEAD_DRAW,
            "startpos moves e2e4 d7d5 f1b5",
        ] {
            engine.position(position);
            for command in ["d", "eval"] {
                engine.send(command);
                assert!(!engine.ready().is_empty(), "{command} on {position}");
            }
        }
    });
}

/// Tuners read numbers from `eval`.
#[test]
fn eval_gives_a_number() {
    with_engine(|engine| {
        engine.position("startpos");
        engine.send("eval");
        let text = engine.ready().join("\n");
        assert!(text.contains(|c: char| c.is_ascii_digit()), "{text}");
    });
}

/// OpenBench reads the last line, and compares the nodes.
#[test]
fn bench_ends_with_nodes_and_nps() {
    with_engine(|engine| {
        engine.position("startpos moves e2e4");
        let mut counts = Vec::new();
        for _ in 0..2 {
            counts.push(bench(engine));
        }
        assert_eq!(counts[0], counts[1], "bench is not repeatable");
        // The game on the board is still there.
        engine.search("depth 2");
    });
}

/// OpenBench: neither settings nor what a search has learned carry over into a bench.
#[test]
fn bench_is_the_same_after_a_search() {
    with_engine(|engine| {
        let first = bench(engine);
        engine.send("setoption name Mobility value 0\nsetoption name MultiPV value 3");
        engine.send("setoption name Threads value 2\nsetoption name Hash value 1");
        engine.position("startpos moves e2e4 e7e5");
        engine.search("depth 4");
        assert_eq!(bench(engine), first);
    });
}

/// Runs a small bench. Nothing comes after its last line.
#[track_caller]
pub fn bench(engine: &mut Engine) -> u64 {
    engine.send("bench 2");
    let lines = engine.wait_for("end of bench", |line| line.ends_with(" nps"));
    engine.silent();
    bench_nodes(lines.last().expect("the line waited for"))
}

/// Runs perft. Nothing comes after its sum, and no bestmove.
#[track_caller]
fn go_perft(engine: &mut Engine, depth: u32) -> Vec<String> {
    engine.send(&format!("go perft {depth}"));
    let lines = engine.wait_for("sum", |line| line.starts_with("Nodes searched: "));
    engine.silent();
    lines
}

/// The nodes of a line like `123 nodes 456 nps`.
#[track_caller]
pub fn bench_nodes(line: &str) -> u64 {
    let words: Vec<&str> = line.split(' ').collect();
    let [nodes, "nodes", nps, "nps"] = words[..] else {
        panic!("not the form of OpenBench: {line}");
    };
    let nps: u64 = nps.parse().expect("a whole number of nps");
    assert!(nps > 0, "{line}");
    nodes.parse().expect("a whole number of nodes")
}

/// Move generator tests compare line by line with Stockfish.
#[test]
fn go_perft_prints_every_move_and_the_sum() {
    with_engine(|engine| {
        engine.position("startpos");
        let lines = go_perft(engine, 3);
        assert!(lines.contains(&"e2e4: 600".to_string()), "{lines:?}");
        assert!(
            lines.contains(&"Nodes searched: 8902".to_string()),
            "{lines:?}"
        );
        assert_eq!(divided(&lines), (20, 8902));
    });
}

/// Siblings: other depths, castling, en passant, promotions, a finished game.
#[test]
fn go_perft_agrees_with_shakmaty() {
    with_engine(|engine| {
        for (position, depth) in [
            (KIWIPETE, 2),
            (KIWIPETE, 1),
            ("fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 3),
            ("fen n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 2),
            (
                "fen rnbqkb1r/ppppp1pp/7n/4Pp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
                2,
            ),
            (STALEMATED, 2),
        ] {
            perft_agrees(engine, position, depth);
        }
        engine.chess960(true);
        let shuffled = "fen nn1rkq1b/ppp1p1rP/8/2Np4/3P4/2P5/bP3PPP/2BRKQRB b GDd - 1 8";
        perft_agrees(engine, shuffled, 2);
    });
}

#[track_caller]
fn perft_agrees(engine: &mut Engine, position: &str, depth: u32) {
    engine.position(position);
    let lines = go_perft(engine, depth);
    let sum = perft(engine.game().now(), depth);
    let moves = perft(engine.game().now(), 1);
    let total = format!("Nodes searched: {sum}");
    assert!(lines.contains(&total), "{position}: {lines:?}");
    assert_eq!(divided(&lines), (moves, sum), "{position}");
}

/// Number and sum of the lines that are a move and a count.
pub fn divided(lines: &[String]) -> (u64, u64) {
    lines
        .iter()
        .filter_map(|line| line.split_once(": "))
        .filter(|(word, _)| word.parse::<shakmaty::uci::UciMove>().is_ok())
        .filter_map(|(_, count)| count.parse::<u64>().ok())
        .fold((0, 0), |(moves, sum), count| (moves + 1, sum + count))
}

/// Evaluation tests turn the board round.
#[test]
fn flip_turns_the_board_round() {
    with_engine(|engine| {
        for position in [
            "startpos".to_string(),
            "startpos moves e2e4".to_string(),
            KIWIPETE.to_string(),
            "fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1".to_string(),
        ] {
            engine.position(&position);
            let fen = engine.game().fen();
            let setup = fen.parse::<Fen>().expect("a FEN").into_setup();
            let flipped = Chess::from_setup(setup.into_mirrored(), CastlingMode::Standard)
                .expect("a position");
            let flipped = Fen::from_position(&flipped, EnPassantMode::Legal).to_string();
            engine.send("flip");
            engine.assume_position(&format!("fen {flipped}"));
            engine.send("d");
            let lines = engine.ready();
            assert!(
                lines.iter().any(|line| line.contains(&flipped)),
                "{flipped}: {lines:?}"
            );
            engine.search("depth 2");
            engine.send("flip");
            engine.send("d");
            let lines = engine.ready();
            assert!(
                lines.iter().any(|line| line.contains(&fen)),
                "{fen}: {lines:?}"
            );
        }
    });
}
