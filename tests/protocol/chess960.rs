//! Castling in both notations, and Fischer random chess.

use crate::harness::{Engine, with_one_and_two_threads};

/// Searches one move only, and expects it to be written like this.
#[track_caller]
fn plays(engine: &mut Engine, given: &str, written: &str) {
    let search = engine.search(&format!("depth 1 searchmoves {given}"));
    assert_eq!(search.best(), written);
}

/// PyChess: two squares for the king, but king takes rook is understood.
#[test]
fn c1_castling_in_standard_chess() {
    with_one_and_two_threads(|engine| {
        let board = "fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        engine.position(board);
        plays(engine, "e1g1", "e1g1");
        plays(engine, "e1h1", "e1g1");
        plays(engine, "e1c1", "e1c1");
        plays(engine, "e1a1", "e1c1");
        engine.position("fen r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1");
        plays(engine, "e8g8", "e8g8");
        plays(engine, "e8h8", "e8g8");
        plays(engine, "e8c8", "e8c8");
        plays(engine, "e8a8", "e8c8");
    });
}

/// Siblings: both notations in the move list, and in deeper searches.
#[test]
fn c1_castling_in_the_move_list() {
    with_one_and_two_threads(|engine| {
        for moves in ["e1g1", "e1h1", "e1c1", "e1a1", "e1g1 e8c8", "e1h1 e8a8"] {
            engine.position(&format!(
                "fen r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1 moves {moves}"
            ));
            engine.silent();
            engine.search("depth 3");
        }
    });
}

/// GUIs: a king that may not castle moves to the corner of its own rook in no notation.
#[test]
fn c1_no_castling_without_the_right() {
    with_one_and_two_threads(|engine| {
        for board in [
            "fen r3k2r/8/8/8/8/8/8/R3K2R w kq - 0 1",
            "fen 4k3/8/8/8/8/8/4r3/4K2R w K - 0 1",
            "fen 4k1r1/8/8/8/8/8/8/4K2R w K - 0 1",
            "fen 4kr2/8/8/8/8/8/8/4K2R w K - 0 1",
        ] {
            engine.position(board);
            for given in ["e1g1", "e1h1"] {
                let search = engine.search(&format!("depth 2 searchmoves {given}"));
                assert_ne!(search.best(), "e1g1", "{board}");
            }
        }
    });
}

/// Match managers and lichess: X-FEN and Shredder-FEN letters, even with no square between king and rook.
#[test]
fn c2_castling_letters_of_both_kinds() {
    with_one_and_two_threads(|engine| {
        engine.chess960(true);
        for rights in ["KQq", "GDd"] {
            engine.position(&format!(
                "fen nn1rkq1b/ppp1p1rP/8/2Np4/3P4/2P5/bP3PPP/2BRKQRB b {rights} - 1 8"
            ));
            plays(engine, "e8d8", "e8d8");
            engine.search("depth 3");
        }
    });
}

/// Siblings: kings on other files, rooks next to them, the inner of two rooks, both colours.
#[test]
fn c2_castling_from_other_files() {
    with_one_and_two_threads(|engine| {
        engine.chess960(true);
        for (fen, m) in [
            ("4k3/8/8/8/8/8/8/1R4KR w HB - 0 1", "g1h1"),
            ("4k3/8/8/8/8/8/8/1R4KR w HB - 0 1", "g1b1"),
            ("4k3/8/8/8/8/8/8/RKR5 w CA - 0 1", "b1c1"),
            ("7k/8/8/8/8/8/8/RK2R3 w KQ - 0 1", "b1a1"),
            ("4k3/8/8/8/8/8/8/R1R1K3 w C - 0 1", "e1c1"),
            ("4k3/8/8/8/8/8/8/4KR1R w F - 0 1", "e1f1"),
            ("1r4kr/8/8/8/8/8/8/4K3 b hb - 0 1", "g8h8"),
            ("r4k1r/8/8/8/8/8/8/4K3 b kq - 0 1", "f8a8"),
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1h1"),
            ("4k3/8/8/8/8/8/8/R3K2R w HA - 0 1", "e1a1"),
        ] {
            engine.position(&format!("fen {fen}"));
            assert!(engine.game().legal(m).is_ok(), "{m} in {fen}");
            plays(engine, m, m);
            engine.search("depth 3");
        }
    });
}

/// Match managers: a rook that hides a check from the king, so that castling is illegal.
#[test]
fn c2_castling_that_uncovers_a_check() {
    with_one_and_two_threads(|engine| {
        engine.chess960(true);
        engine.position("fen 4k3/8/8/8/8/8/8/qR1K4 w B - 0 1");
        assert!(engine.game().legal("d1b1").is_err());
        let search = engine.search("depth 2 searchmoves d1b1");
        assert_ne!(search.best(), "d1b1");
    });
}

/// fastchess and cutechess-cli: whole openings from shuffled back ranks.
#[test]
fn c2_short_games_from_shuffled_positions() {
    with_one_and_two_threads(|engine| {
        engine.chess960(true);
        for fen in [
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            "rkbbnqnr/pppppppp/8/8/8/8/PPPPPPPP/RKBBNQNR w HAha - 0 1",
            "nrkbqnbr/pppppppp/8/8/8/8/PPPPPPPP/RNKBBQNR w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
        ] {
            let mut line = format!("fen {fen} moves");
            for _ in 0..6 {
                engine.position(&line);
                engine.silent();
                let search = engine.search("nodes 1000");
                line = format!("{line} {}", search.best());
            }
        }
    });
}

/// GUIs switch the variant off again.
#[test]
fn c2_switched_off_again() {
    with_one_and_two_threads(|engine| {
        let board = "fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        engine.chess960(true);
        engine.position(board);
        plays(engine, "e1h1", "e1h1");
        engine.chess960(false);
        engine.position(board);
        plays(engine, "e1h1", "e1g1");
    });
}

/// GUIs with the option off and a shuffled position: castling is lost, the game goes on.
#[test]
fn c2_shuffled_position_with_the_option_off() {
    with_one_and_two_threads(|engine| {
        engine
            .send("position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9");
        engine.comments();
        engine.send("go depth 1");
        engine.wait_for("bestmove", |line| line.starts_with("bestmove"));
    });
}
