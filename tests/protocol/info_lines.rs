//! The `info` lines of searches. `validator` checks every line; these tests make it see many kinds.

use std::time::Duration;

use crate::game::{DEAD_DRAW, KIWIPETE, MATED, NOTHING_LEFT};
use crate::harness::{A_MOMENT, Engine, with_engine, with_one_and_two_threads};
use crate::validator::{Info, Score};

/// Middlegames, endgames, promotions, en passant, castling, a fifty-move edge and a repetition edge.
const POSITIONS: [&str; 12] = [
    "startpos",
    KIWIPETE,
    "fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "fen r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
    "fen n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "fen rnbqkb1r/ppppp1pp/7n/4Pp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "fen 8/8/8/4k3/8/8/3R4/4K3 w - - 97 120",
    "fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 95 80",
    "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1",
    "fen 6k1/6p1/8/8/8/8/1q3PP1/Q5K1 w - - 0 1",
    "fen 8/8/8/8/8/3k4/4p3/4K3 w - - 0 1",
    "fen r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1",
];

/// fastchess reads `score` before `pv`, and replays every pv with the game's history.
#[test]
fn i1_i5_every_line_of_many_searches() {
    with_one_and_two_threads(|engine| {
        for position in POSITIONS {
            engine.position(position);
            engine.search("nodes 6000").result();
            engine.search("depth 3").result();
        }
    });
}

/// Analysis tools: the same with several lines, and with a table that is filled already.
#[test]
fn i1_i5_every_line_of_many_multipv_searches() {
    with_one_and_two_threads(|engine| {
        engine.send("setoption name MultiPV value 3");
        engine.send("setoption name UCI_ShowWDL value true");
        for position in POSITIONS {
            engine.position(position);
            engine.search("depth 3").result();
            engine.search("nodes 4000").result();
        }
    });
}

/// fastchess shows depth, time and nodes of the last line.
#[test]
fn i1_a_result_has_all_its_figures() {
    with_one_and_two_threads(|engine| {
        for limits in [
            "depth 3",
            "nodes 3000",
            "movetime 50",
            "wtime 500 btime 500",
        ] {
            let search = engine.search(limits);
            let last = search.result();
            let figures = [last.depth, last.nodes, last.nps, last.time];
            assert!(figures.iter().all(Option::is_some), "{}", last.line);
            assert!(last.nodes > Some(0), "{}", last.line);
        }
    });
}

/// fastchess and python-chess: a search that takes no time divides by it.
#[test]
fn i2_depth_one_has_whole_numbers() {
    with_one_and_two_threads(|engine| {
        for position in POSITIONS {
            engine.position(position);
            let search = engine.search("depth 1");
            let last = search.result();
            assert!(last.nps.is_some(), "{}", last.line);
            assert!(last.time.is_some(), "{}", last.line);
            assert!(last.nps < Some(10_000_000_000), "{}", last.line);
        }
    });
}

/// Siblings: one node, one millisecond, one move.
#[test]
fn i2_other_searches_that_take_no_time() {
    with_one_and_two_threads(|engine| {
        engine.search("nodes 1");
        engine.search("movetime 1");
        engine.search("depth 1 searchmoves e2e4").result();
        engine.position(NOTHING_LEFT);
        engine.search("depth 1").result();
    });
}

/// python-chess reads the bound right behind the value.
#[test]
fn i3_bounds_stand_directly_after_the_value() {
    with_one_and_two_threads(|engine| {
        engine.send("setoption name UCI_ShowWDL value true");
        for position in POSITIONS {
            engine.position(position);
            engine.search("nodes 8000").result();
        }
    });
}

/// Siblings: long searches tell bounds and the move they are at.
#[test]
fn i3_bounds_and_current_moves_of_a_long_search() {
    with_engine(|engine| {
        engine.position(KIWIPETE);
        engine.go("infinite");
        engine.wait_for("current move", |line| line.contains(" currmove "));
        engine.wait_for("bound", |line| line.contains("bound "));
        engine.stop();
    });
}

/// fastchess: the game's history counts. Here the third repetition is one move away.
#[test]
fn i5_pv_stops_at_a_threefold_repetition() {
    with_one_and_two_threads(|engine| {
        engine.position("startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
        let search = engine.search("depth 4 searchmoves f6g8");
        assert_eq!(search.result().pv, ["f6g8"]);
        engine.position("startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6");
        engine.search("depth 4");
        engine.search("depth 4 searchmoves f3g1");
    });
}

/// fastchess: the counter of the FEN counts as well.
#[test]
fn i5_pv_stops_at_fifty_moves() {
    with_one_and_two_threads(|engine| {
        for halfmoves in 94..=99 {
            engine.position(&format!("fen 4k3/8/8/8/8/8/8/R3K3 w Q - {halfmoves} 150"));
            engine.search("depth 4").result();
        }
        engine.position("fen 4k3/8/8/8/8/8/8/R3K3 w - - 99 150");
        let search = engine.search("depth 4 searchmoves a1a2");
        assert_eq!(search.result().pv, ["a1a2"]);
    });
}

/// fastchess: a mate on the hundredth ply is still a mate.
#[test]
fn i5_mate_goes_before_fifty_moves() {
    with_one_and_two_threads(|engine| {
        engine.position("fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 99 120");
        let search = engine.search("depth 3");
        assert_eq!(search.result().score, Some(Score::Mate(1)));
    });
}

/// Position, exact mate score.
const MATES: [(&str, i64); 7] = [
    ("fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1),
    ("startpos moves f2f3 e7e5 g2g4", 1),
    ("fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
    ("fen kbK5/pp6/RP6/8/8/8/8/8 b - - 1 1", -1),
    ("fen 8/5R2/2K1P3/4k3/8/b1PPpp1B/5p2/8 w - -", 2),
    ("fen r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
    ("fen r5rk/5p1p/R7/4B3/8/8/7P/7K b - - 1 1", -2),
];

/// fastchess counts the plies of a mate's pv, and plays its first move.
#[test]
fn i7_mate_scores_have_whole_lines() {
    with_one_and_two_threads(|engine| {
        for (position, moves) in MATES {
            engine.send("ucinewgame");
            engine.position(position);
            let limits = if moves > 1 {
                format!("mate {moves}")
            } else {
                "depth 7".to_string()
            };
            let search = engine.search(&limits);
            assert_eq!(search.result().mate(), Some(moves), "{position}");
        }
    });
}

/// Siblings: along the moves of a mate in three and back again, with a table that knows parts of it.
#[test]
fn i7_mate_lines_are_whole_with_a_warm_table() {
    with_one_and_two_threads(|engine| {
        let moves = ["f6a6", "f7f6", "e5f6", "g8g7"];
        for played in (0..=moves.len()).chain((0..moves.len()).rev()) {
            engine.position(&format!(
                "fen r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1 moves {}",
                moves[..played].join(" ")
            ));
            engine.search("depth 5").result();
            engine.search("depth 9").result();
        }
        engine.send("setoption name MultiPV value 4");
        for (position, _) in MATES {
            engine.position(position);
            engine.search("depth 4").result();
        }
    });
}

/// Siblings: longer mates in a simple ending, cut off at any node.
#[test]
fn i7_mates_in_searches_that_are_cut_off() {
    with_one_and_two_threads(|engine| {
        for position in [
            "fen 8/8/8/3k4/8/8/8/Q3K3 w - - 0 1",
            "fen 7k/8/5K2/8/8/8/8/Q7 w - - 0 1",
            "fen 7k/8/5K2/8/8/8/8/R7 b - - 0 1",
            "fen 4k3/8/4K3/8/8/8/8/R7 w - - 90 100",
        ] {
            engine.position(position);
            for nodes in [200, 1000, 5000] {
                engine.search(&format!("nodes {nodes}"));
            }
        }
    });
}

/// Analysis tools stop at any moment and want the best line of what is complete.
#[test]
fn i9_multipv_stopped_in_mid_iteration() {
    with_one_and_two_threads(|engine| {
        engine.send("setoption name MultiPV value 3");
        for (position, wait) in POSITIONS[..4].iter().zip([40, 70, 110, 160]) {
            engine.position(position);
            engine.go("infinite");
            engine.no_bestmove_for(Duration::from_millis(wait));
            let search = engine.stop();
            let Some(lines) = last_complete_iteration(&search.infos, 3) else {
                continue;
            };
            let newest = search.result();
            assert!(
                [&lines[0].pv[0], &newest.pv[0]].contains(&&search.best().to_string()),
                "{} is the best of no complete iteration",
                search.best()
            );
        }
    });
}

/// Analysis tools list the lines from best to worst, each with its own first move.
#[test]
fn i9_multipv_lines_are_ordered_and_distinct() {
    with_one_and_two_threads(|engine| {
        engine.send("setoption name MultiPV value 3");
        for position in &POSITIONS[..5] {
            engine.position(position);
            let search = engine.search("depth 4");
            let lines = last_complete_iteration(&search.infos, 3).expect("a complete iteration");
            assert_eq!(lines[0].depth, Some(4));
            assert_eq!(lines[0].pv[0], search.best());
            for (i, better) in lines.iter().enumerate() {
                for worse in &lines[i + 1..] {
                    assert_ne!(better.pv[0], worse.pv[0], "{position}");
                    assert!(value(better) >= value(worse), "{position}");
                }
            }
        }
    });
}

/// Siblings: a mate that is found beside the search changes the first line, which must not be left out.
#[test]
fn i9_multipv_lines_come_one_after_the_other() {
    with_engine(|engine| {
        engine.send("setoption name MultiPV value 3");
        for position in [
            "fen 2r1b3/1pp1qrk1/p1n1P1p1/7R/2B1p3/4Q1P1/PP3PP1/3R2K1 w - - 0 1",
            "fen 4R3/4q1kp/6p1/1Q3b2/1P1b1P2/6KP/8/8 b - - 0 1",
            "fen 2rr3k/1b2bppP/p2p1n2/R7/3P4/1qB2P2/1P4Q1/1K5R w - - 0 1",
        ] {
            engine.position(position);
            let search = engine.search("depth 8");
            let ranks = search.infos.iter().filter(|info| !info.pv.is_empty());
            let ranks: Vec<u64> = ranks.map(Info::rank).collect();
            let follows = |pair: &[u64]| pair[1] == 1 || pair[1] == pair[0] + 1;
            assert!(ranks.windows(2).all(follows), "{position}: {ranks:?}");
        }
    });
}

/// Siblings: more lines than there are moves.
#[test]
fn i9_multipv_beyond_the_number_of_moves() {
    with_one_and_two_threads(|engine| {
        engine.send("setoption name MultiPV value 256");
        let search = engine.search("depth 2");
        let ranks = search.infos.iter().map(Info::rank).max();
        assert_eq!(ranks, Some(20));
        engine.position(NOTHING_LEFT);
        let search = engine.search("depth 2");
        assert!(search.infos.iter().all(|info| info.rank() == 1));
    });
}

/// The newest exact lines of the deepest iteration that has all of them.
fn last_complete_iteration(infos: &[Info], lines: u64) -> Option<Vec<&Info>> {
    let deepest = infos.iter().filter_map(|info| info.depth).max()?;
    (1..=deepest).rev().find_map(|depth| {
        (1..=lines)
            .map(|rank| {
                infos.iter().rev().find(|info| {
                    info.depth == Some(depth) && info.rank() == rank && info.is_exact()
                })
            })
            .collect()
    })
}

/// One scale for centipawns and mates.
fn value(info: &Info) -> i64 {
    const MATE: i64 = 1_000_000;
    match info.score {
        Some(Score::Centipawns(value)) => value,
        Some(Score::Mate(moves)) if moves > 0 => MATE - moves,
        Some(Score::Mate(moves)) => -MATE - moves,
        None => panic!("no score: {}", info.line),
    }
}

/// Fritz chokes on thousands of lines per second.
#[test]
fn i10_no_flood_of_lines_from_a_solved_root() {
    with_one_and_two_threads(|engine| {
        for position in [
            NOTHING_LEFT,
            "fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
            DEAD_DRAW,
            MATED,
        ] {
            engine.position(position);
            engine.go("infinite");
            engine.no_bestmove_for(2 * A_MOMENT);
            let search = engine.stop();
            assert!(
                search.infos.len() <= 300,
                "{position}: {} lines",
                search.infos.len()
            );
        }
    });
}

/// PyChess's analyser takes any line with the word `pv` for a variation.
#[test]
fn r5_no_pv_in_info_strings() {
    with_engine(|engine| {
        for line in [
            "pv",
            "pv e2e4",
            "info string pv",
            "setoption name pv value 3",
            "setoption name Hash value pv",
            "setoption name UCI_Chess960 value pv",
            "setoption name Debug Log File value /nowhere/ pv /x",
            "position fen pv",
            "position pv",
            "position startpos moves pv",
            "position startpos moves e2e4 pv",
            "position fen 4k3/8/8/8/8/8/8/4K3 pv - - 0 1",
            "position fen 4k3/8/8/8/8/8/8/4K3 w pv - 0 1",
            "debug pv",
        ] {
            engine.send(line);
            engine.comments();
        }
        engine.position("startpos");
        engine.search_then_stop("pv");
        engine.search_then_stop("depth pv");
        engine.search("depth 2 searchmoves pv");
    });
}

/// Bots: win, draw and loss in per mille beside every score, when asked for.
#[test]
fn o3_wdl_is_shown_when_asked_for() {
    with_one_and_two_threads(|engine| {
        for position in POSITIONS {
            engine.position(position);
            engine.send("setoption name UCI_ShowWDL value true");
            let search = engine.search("depth 3");
            for info in search.infos.iter().filter(|info| info.score.is_some()) {
                assert!(info.wdl.is_some(), "{}", info.line);
            }
            engine.send("setoption name UCI_ShowWDL value false");
            let search = engine.search("depth 3");
            for info in &search.infos {
                assert!(info.wdl.is_none(), "{}", info.line);
            }
        }
    });
}

/// Bots: a mate is a certain win, a being mated a certain loss.
#[test]
fn o3_wdl_of_a_mate_is_certain() {
    with_one_and_two_threads(|engine: &mut Engine| {
        engine.send("setoption name UCI_ShowWDL value true");
        engine.position(MATES[0].0);
        assert_eq!(engine.search("depth 5").result().wdl, Some([1000, 0, 0]));
        engine.position(MATES[3].0);
        assert_eq!(engine.search("depth 5").result().wdl, Some([0, 0, 1000]));
    });
}
