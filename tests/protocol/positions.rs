//! The `position` command.

use std::time::Duration;

use crate::harness::{A_MOMENT, Engine, with_engine, with_one_and_two_threads};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Sends each position, and lets the engine move there.
#[track_caller]
fn accepts(positions: &[&str]) {
    with_one_and_two_threads(|engine| {
        for position in positions {
            engine.position(position);
            engine.silent();
            engine.search("depth 1");
            engine.search("depth 3");
        }
    });
}

/// GUIs write the word even at the start of a game.
#[test]
fn p1_empty_move_list() {
    accepts(&["startpos moves"]);
}

/// Siblings: spaces at the end, doubled spaces, a FEN with an empty list.
#[test]
fn p1_empty_move_list_in_other_shapes() {
    accepts(&[
        "startpos",
        "startpos moves   ",
        "startpos   moves  e2e4   e7e5 ",
        &format!("fen {START} moves"),
        &format!("fen {START} moves "),
        &format!("fen   {START}  moves d2d4"),
    ]);
}

/// Shredder sends four fields.
#[test]
fn p2_fen_with_four_fields_and_an_empty_move_list() {
    accepts(&["fen 5rk1/2p4p/2p4r/3P4/4p1b1/1Q2NqPp/PP3P1K/R4R2 b - - moves"]);
}

/// Siblings: four and five fields, with and without moves.
#[test]
fn p2_fen_with_four_or_five_fields() {
    accepts(&[
        "fen 5rk1/2p4p/2p4r/3P4/4p1b1/1Q2NqPp/PP3P1K/R4R2 b - -",
        "fen 5rk1/2p4p/2p4r/3P4/4p1b1/1Q2NqPp/PP3P1K/R4R2 b - - 4",
        "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - moves e2e4 c7c5",
        "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 moves e2e4 c7c5",
        "fen rnbqkbnr/pppp1ppp/8/8/3Pp3/8/PPP1PPPP/RNBQKBNR b KQkq d3 moves e4d3",
    ]);
}

/// Scripts leave fields out.
#[test]
fn p3_missing_fields_take_their_defaults() {
    accepts(&["fen 4k3/8/8/8/8/8/8/4K3 w"]);
}

/// Siblings: one to three fields.
#[test]
fn p3_one_to_three_fields() {
    accepts(&[
        "fen 4k3/8/8/8/8/8/8/4K3",
        "fen 4k3/8/8/8/8/8/8/4K3 moves e1e2",
        "fen 4k3/8/8/8/8/8/8/4K3 b",
        "fen 4k3/8/8/8/8/8/8/4K3 b moves e8d8",
        "fen 4k3/8/8/8/8/8/8/4K2R w K",
        "fen 4k3/8/8/8/8/8/8/4K2R w K moves e1g1",
    ]);
}

/// Scripts: counters beyond any game.
#[test]
fn p3_odd_counters() {
    accepts(&[
        "fen 4k3/8/8/8/8/8/8/4K2R w K - 0 0",
        "fen 4k3/8/8/8/8/8/8/4K2R w K - 99 1",
        "fen 4k3/8/8/8/8/8/8/4K2R w K - 100 1",
        "fen 4k3/8/8/8/8/8/8/4K2R w K - 150 9999",
        "fen 4k3/8/8/8/8/8/8/4K2R b K - 65535 65535",
    ]);
}

/// People paste a FEN with the quotation marks round it.
#[test]
fn p3_quoted_fens() {
    accepts(&[
        "fen \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"",
        "fen '4k3/8/8/8/8/8/8/4K2R w K - 0 1' moves e1g1",
        "fen \"4k3/8/8/8/8/8/8/4K2R\" moves h1h8",
    ]);
}

/// lichess sends the square after any double step.
#[test]
fn p5_impossible_en_passant_square_is_dropped() {
    accepts(&["fen k7/8/8/3pP3/8/7n/5K2/8 w - d6 0 1"]);
}

/// Siblings: no pawn, wrong rank, wrong side, square taken, nobody there to capture.
#[test]
fn p5_other_impossible_en_passant_squares() {
    accepts(&[
        "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 1",
        "fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e4 0 1",
        "fen rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e3 0 2",
        "fen rnbqkbnr/pppp1ppp/4p3/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 2",
        "fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "fen 4k3/8/8/8/8/8/8/4K2R w K a1 0 1",
        "fen 4k3/8/8/8/8/8/8/4K2R b K h8 0 1",
    ]);
}

/// lichess: the capture would bare the own king on the rank.
#[test]
fn p5_pinned_en_passant_capture_is_not_played() {
    with_one_and_two_threads(|engine| {
        engine.position("fen 8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1");
        let search = engine.search("depth 2 searchmoves e5d6");
        assert_ne!(search.best(), "e5d6");
        engine.search("depth 4");
    });
}

/// GUIs leave the rights of the start position in edited boards.
#[test]
fn p6_impossible_castling_rights_are_dropped() {
    accepts(&["fen 2k5/8/3K4/1p6/p7/P7/1B6/8 b KQkq - 0 1"]);
}

/// Siblings: no rook, a rook of the wrong colour, a king away from home, rights of one side only.
#[test]
fn p6_other_impossible_castling_rights() {
    accepts(&[
        "fen 4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1",
        "fen r3k2r/8/8/8/8/8/8/r3K2r w KQkq - 0 1",
        "fen r2k3r/8/8/8/8/8/8/R2K3R w KQkq - 0 1",
        "fen 4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1",
        "fen 4k2r/8/8/8/8/8/8/4K3 b KQkq - 0 1",
        "fen r3k3/8/8/8/8/8/8/4K2R b Qk - 0 1",
    ]);
}

/// GUIs: a right that is real survives the dropping of its neighbours.
#[test]
fn p6_a_real_castling_right_is_kept() {
    with_one_and_two_threads(|engine| {
        engine.position("fen 4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1");
        let search = engine.search("depth 2 searchmoves e1g1");
        assert_eq!(search.best(), "e1g1");
        engine.position("fen 4k3/8/8/8/8/8/8/R3K3 w KQkq - 0 1");
        let search = engine.search("depth 2 searchmoves e1c1");
        assert_eq!(search.best(), "e1c1");
    });
}

/// Sends a wrong position. The engine must say so, in one of these words, and keep the board it had.
#[track_caller]
fn refuses(engine: &mut Engine, command: &str, words: &[&str]) {
    engine.position("startpos moves e2e4");
    engine.send(command);
    let text = engine.complains().join(" ").to_lowercase();
    let named = words.is_empty() || words.iter().any(|word| text.contains(word));
    assert!(named, "{command}: none of {words:?} in {text}");
    engine.search("depth 1");
}

/// GUIs: anything but a position.
#[test]
fn p8_nonsense_keeps_the_previous_position() {
    with_one_and_two_threads(|engine| {
        for command in [
            "position fen blah",
            "position fen",
            "position",
            "position blah",
            "position fen moves e2e4",
            "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
            "position fen / w - - 0 1",
            "position fen w KQkq - 0 1",
        ] {
            refuses(engine, command, &[]);
        }
    });
}

/// GUIs: boards edited by hand. The message names the fault.
#[test]
fn p8_a_faulty_board_is_named() {
    with_engine(|engine| {
        let board = ["board", "fen", "rank", "square", "file"];
        let king = ["king"];
        let pawn = ["pawn"];
        for (fen, words) in [
            ("8/8/8/8/8/8/8/4K3 w - - 0 1", &king[..]),
            ("4k3/8/8/8/8/8/8/8 w - - 0 1", &king),
            ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", &king),
            ("kk6/8/8/8/8/8/8/4K3 w - - 0 1", &king),
            ("4k3/9/8/8/8/8/8/4K3 w - - 0 1", &board),
            ("4k3/8/8/8/8/8/8/4K31 w - - 0 1", &board),
            ("4k3/8/8/8/8/8/4K3 w - - 0 1", &board),
            ("4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", &board),
            ("4k3/8/8/8/8/8/8/4K2X w - - 0 1", &board),
            ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", &pawn),
            ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", &pawn),
        ] {
            refuses(engine, &format!("position fen {fen}"), words);
        }
    });
}

/// GUIs: the other fields of a FEN.
#[test]
fn p8_a_faulty_field_is_named() {
    with_engine(|engine| {
        let side = ["side", "turn", "colo", "move"];
        refuses(engine, "position fen 4k3/8/8/8/8/8/8/4K3 x - - 0 1", &side);
        refuses(
            engine,
            "position fen 4k3/8/8/8/8/8/8/4K3 white - - 0 1",
            &side,
        );
        let check = ["check", "king"];
        refuses(
            engine,
            "position fen 4k3/8/8/8/8/8/8/K3R3 w - - 0 1",
            &check,
        );
        refuses(engine, "position fen 8/8/8/3kK3/8/8/8/8 w - - 0 1", &check);
    });
}

/// GUIs: a move that cannot be played. The board before it stands.
#[test]
fn p8_an_illegal_move_in_the_list() {
    with_one_and_two_threads(|engine| {
        for moves in [
            "e2e5",
            "e2e4 e7e4",
            "e2e4 e2e4",
            "e2e4 0000",
            "e2e4 zz",
            "e2e4 e7e5q",
            "e2e4 e1g1",
            "e2",
            "pv",
        ] {
            engine.position("startpos moves d2d4");
            engine.send(&format!("position startpos moves {moves}"));
            let text = engine.complains().join(" ");
            let faulty = moves.split(' ').next_back().unwrap_or(moves);
            if faulty != "pv" {
                assert!(text.contains(faulty), "{moves}: {text}");
            }
            let legal = moves.strip_suffix(faulty).unwrap_or_default();
            engine.assume_position(&format!("startpos moves {legal}"));
            let board = engine.game().fen();
            engine.send("d");
            let shown = engine.ready().join("\n");
            assert!(shown.contains(&board), "{moves}: {shown}");
            engine.search("depth 1");
        }
    });
}

/// fastchess sends the whole game on one line, however long.
#[test]
fn p10_twelve_hundred_reversible_plies() {
    with_one_and_two_threads(|engine| long_game(engine, 300));
}

/// Siblings: the longest game that the rules allow is far longer.
#[test]
fn p10_six_thousand_plies() {
    with_engine(|engine| long_game(engine, 1500));
}

#[track_caller]
fn long_game(engine: &mut Engine, rounds: usize) {
    let shuffle = " g1f3 g8f6 f3g1 f6g8".repeat(rounds);
    engine.position(&format!("startpos moves{shuffle}"));
    let search = engine.search("depth 2");
    assert!(
        search.elapsed < Duration::from_secs(10),
        "{:?}",
        search.elapsed
    );
    engine.position(&format!("startpos moves{shuffle} e2e4"));
    engine.search("depth 3");
}

/// GUIs send a longer list after every move.
#[test]
fn p10_a_list_that_grows() {
    with_engine(|engine| {
        let mut moves = String::new();
        for _ in 0..100 {
            moves.push_str(" b1c3 b8c6 c3b1 c6b8");
            engine.position(&format!("startpos moves{moves}"));
        }
        engine.search("depth 2");
    });
}

/// GUIs ask again for the same position.
#[test]
fn p11_two_searches_of_the_same_position() {
    with_one_and_two_threads(|engine| {
        engine.position("startpos moves e2e4");
        engine.search("depth 2");
        engine.search("depth 2");
        engine.go("infinite");
        engine.no_bestmove_for(A_MOMENT);
        engine.stop();
        engine.search("depth 2");
        engine.go("ponder wtime 1000 btime 1000");
        engine.stop();
        engine.search("depth 2");
    });
}

/// Scripts just say `go`.
#[test]
fn p12_go_before_any_position() {
    with_one_and_two_threads(|engine| {
        engine.search("depth 2");
        engine.send("ucinewgame");
        engine.search("depth 2");
    });
}

/// Scripts: a new game after another position, and a search without a new `position`.
#[test]
fn p12_position_after_ucinewgame() {
    with_one_and_two_threads(|engine| {
        engine.position("fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1");
        engine.search("depth 3");
        engine.send("ucinewgame");
        engine.position("startpos moves d2d4");
        engine.search("depth 3");
    });
}
