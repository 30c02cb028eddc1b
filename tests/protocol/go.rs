//! The words after `go`.

use crate::game::NOTHING_LEFT;
use crate::harness::{A_MOMENT, AT_ONCE, Engine, with_engine, with_one_and_two_threads};
use crate::validator::Info;

/// fastchess with different time controls for the two sides.
#[test]
fn g1_own_clock_only() {
    with_one_and_two_threads(|engine| {
        let search = engine.search("wtime 100");
        assert!(search.elapsed < AT_ONCE, "{:?}", search.elapsed);
        engine.position("startpos moves e2e4");
        let search = engine.search("btime 100");
        assert!(search.elapsed < AT_ONCE, "{:?}", search.elapsed);
    });
}

/// Siblings: one increment, a clock with moves to go, the clock of the other side only.
#[test]
fn g1_other_clocks_with_a_missing_half() {
    with_one_and_two_threads(|engine| {
        engine.search("wtime 100 winc 100");
        engine.search("wtime 200 movestogo 10");
        engine.search("wtime 100 binc 1000");
        engine.search_then_stop("btime 100");
        engine.search_then_stop("winc 100");
        engine.search_then_stop("movestogo 10");
        engine.position("startpos moves e2e4");
        engine.search("btime 100 movestogo 1");
        engine.search_then_stop("wtime 100");
    });
}

/// fastchess writes the words in its own order.
#[test]
fn g2_any_order_of_words() {
    with_one_and_two_threads(|engine| {
        engine.search("btime 100 binc 100 wtime 100 winc 100");
    });
}

/// Siblings: clocks mixed with depth, nodes and a fixed time.
#[test]
fn g2_limits_of_different_kinds_together() {
    with_one_and_two_threads(|engine| {
        engine.search("movestogo 40 winc 0 binc 0 wtime 500 btime 500");
        let search = engine.search("depth 3 wtime 600000 btime 600000");
        assert!(search.elapsed < AT_ONCE, "{:?}", search.elapsed);
        assert!(search.result().depth <= Some(3));
        let search = engine.search("wtime 600000 btime 600000 depth 2");
        assert!(search.elapsed < AT_ONCE, "{:?}", search.elapsed);
        engine.search("nodes 500 movetime 600000");
        engine.search("movetime 50 nodes 1000000000");
        engine.search("movetime 50 depth 90");
        engine.search("movetime 50 wtime 600000 btime 600000");
    });
}

/// Analysis tools: a depth limit is a limit.
#[test]
fn g2_depth_is_not_exceeded() {
    with_one_and_two_threads(|engine| {
        for depth in 1..=4 {
            let search = engine.search(&format!("depth {depth}"));
            let deepest = search.infos.iter().filter_map(|info| info.depth).max();
            assert_eq!(deepest, Some(depth));
        }
    });
}

/// Data makers: a node limit is a limit, within a little.
#[test]
fn g2_nodes_are_not_exceeded_by_much() {
    with_one_and_two_threads(|engine| {
        for nodes in [1, 100, 5000] {
            let search = engine.search(&format!("nodes {nodes}"));
            let counted = search.infos.iter().filter_map(|info| info.nodes).max();
            let most = nodes + 20_000;
            assert!(counted < Some(most), "{counted:?} nodes for {nodes}");
        }
    });
}

/// Data makers with many processors: the more threads there are, the sooner each one looks at the limit. So they do at
/// the clock, but that cannot be counted.
#[test]
fn g2_nodes_are_not_exceeded_by_much_with_many_threads() {
    with_engine(|engine| {
        engine.send("setoption name Threads value 64");
        for nodes in [1, 100, 5000] {
            let search = engine.search(&format!("nodes {nodes}"));
            let counted = search.infos.iter().filter_map(|info| info.nodes).max();
            let counted = counted.expect("a line with nodes");
            assert!(counted < nodes + 10_000, "{counted} nodes for {nodes}");
        }
    });
}

/// picochess restricts the root.
#[test]
fn g3_searchmoves_before_and_after_other_words() {
    with_one_and_two_threads(|engine| {
        let search = engine.search("searchmoves a2a3 movetime 50");
        assert_eq!(search.best(), "a2a3");
        engine.go("infinite searchmoves e2e4 d2d4");
        engine.no_bestmove_for(A_MOMENT);
        let search = engine.stop();
        assert!(
            ["e2e4", "d2d4"].contains(&search.best()),
            "{}",
            search.best()
        );
    });
}

/// Siblings: other orders, other limits, every line of MultiPV, promotions.
#[test]
fn g3_searchmoves_holds_for_every_line() {
    with_one_and_two_threads(|engine| {
        for limits in [
            "searchmoves a2a3 h2h3 depth 3",
            "depth 3 searchmoves a2a3 h2h3",
            "searchmoves a2a3 h2h3 wtime 300 btime 300",
            "wtime 300 searchmoves a2a3 h2h3 btime 300",
            "searchmoves h2h3 a2a3 a2a3 nodes 2000",
        ] {
            let search = engine.search(limits);
            only_these_first_moves(&search.infos, &["a2a3", "h2h3"]);
        }
        engine.send("setoption name MultiPV value 3");
        let search = engine.search("depth 3 searchmoves a2a3 h2h3");
        only_these_first_moves(&search.infos, &["a2a3", "h2h3"]);
        assert!(search.infos.iter().all(|info| info.rank() <= 2));
        engine.position("fen 7k/P7/8/8/8/8/8/7K w - - 0 1");
        let search = engine.search("depth 3 searchmoves a7a8n");
        assert_eq!(search.best(), "a7a8n");
        engine.go("searchmoves a7a8r infinite");
        engine.no_bestmove_for(A_MOMENT);
        assert_eq!(engine.stop().best(), "a7a8r");
    });
}

#[track_caller]
fn only_these_first_moves(infos: &[Info], allowed: &[&str]) {
    for info in infos.iter().filter(|info| !info.pv.is_empty()) {
        assert!(allowed.contains(&info.pv[0].as_str()), "{}", info.line);
    }
}

/// picochess: the restriction ends with its search.
#[test]
fn g3_searchmoves_is_forgotten() {
    with_one_and_two_threads(|engine| {
        engine.search("depth 2 searchmoves a2a3");
        engine.send("setoption name MultiPV value 20");
        let search = engine.search("depth 1");
        let ranks = search.infos.iter().map(|info| info.rank()).max();
        assert_eq!(ranks, Some(20));
    });
}

/// python-chess writes this when the caller gives no root moves.
#[test]
fn g4_searchmoves_with_a_null_move() {
    with_one_and_two_threads(|engine| {
        engine.search("depth 3 searchmoves 0000");
    });
}

/// Siblings: no moves at all, illegal ones, no moves but words.
#[test]
fn g4_searchmoves_without_a_legal_move() {
    with_one_and_two_threads(|engine| {
        engine.search("depth 2 searchmoves");
        engine.search("searchmoves depth 2");
        engine.search("depth 2 searchmoves e2e5");
        engine.search("depth 2 searchmoves e7e5");
        engine.search("searchmoves zzzz depth 2");
        let search = engine.search("depth 2 searchmoves e2e5 a2a3");
        assert_eq!(search.best(), "a2a3");
        engine.search_then_stop("searchmoves");
    });
}

/// Scripts try the edges.
#[test]
fn g6_extreme_limits() {
    with_one_and_two_threads(|engine| {
        engine.search_then_stop("depth 0");
        engine.search_then_stop("depth 999");
        engine.search_then_stop("nodes 18446744073709551615");
    });
}

/// Siblings: beyond every integer, zero, and below zero.
#[test]
fn g6_other_extreme_limits() {
    with_engine(|engine| {
        for limits in [
            "depth 128",
            "depth 256",
            "depth 65536",
            "depth 2147483648",
            "depth 99999999999999999999",
            "depth -1",
            "nodes 0",
            "nodes -1",
            "nodes 99999999999999999999",
            "mate 0",
            "mate 999",
            "mate -1",
            "mate 99999999999999999999",
            "movetime 18446744073709551615",
            "movetime 99999999999999999999",
            "wtime 1000 btime 1000 movestogo 0",
            "wtime 1000 btime 1000 movestogo -1",
            "wtime 1000 btime 1000 movestogo 99999999999999999999",
            "",
        ] {
            engine.search_then_stop(limits);
        }
    });
}

/// Scripts: a depth beyond the last, where the tree is small enough to get there.
#[test]
fn g6_greatest_depth_ends_by_itself() {
    with_one_and_two_threads(|engine| {
        engine.position(NOTHING_LEFT);
        engine.search("depth 999");
    });
}

/// Scripts.
#[test]
fn g7_no_time_at_all() {
    with_one_and_two_threads(|engine| {
        for limits in ["movetime 0", "movetime -1", "movetime -99999999999"] {
            let search = engine.search(limits);
            assert!(search.elapsed < AT_ONCE, "{limits}: {:?}", search.elapsed);
        }
    });
}

const MATES: [(&str, i64, &str); 5] = [
    ("8/5R2/2K1P3/4k3/8/b1PPpp1B/5p2/8 w - -", 2, "c6d7"),
    ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1, "a1a8"),
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, "a1a6"),
    ("8/8/8/8/8/5K2/6R1/7k w - - 0 1", 3, ""),
    ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3, "f6a6"),
];

/// python-chess asks for mates; the key of the first one is a quiet king move.
#[test]
fn g8_go_mate_finds_the_shortest_mate() {
    with_one_and_two_threads(|engine| {
        for (fen, moves, key) in &MATES[..3] {
            finds_mate(engine, fen, *moves, Some(key));
        }
    });
}

/// Siblings: mate in three, several keys.
#[test]
fn g8_longer_mates() {
    with_one_and_two_threads(|engine| {
        finds_mate(engine, MATES[3].0, 3, None);
        finds_mate(engine, MATES[4].0, 3, Some(MATES[4].2));
    });
}

#[track_caller]
fn finds_mate(engine: &mut Engine, fen: &str, moves: i64, key: Option<&str>) {
    engine.send("ucinewgame");
    engine.position(&format!("fen {fen}"));
    let search = engine.search(&format!("mate {moves}"));
    assert_eq!(search.result().mate(), Some(moves), "{fen}");
    if let Some(key) = key {
        assert_eq!(search.best(), key, "{fen}");
    }
}

/// python-chess: asking for a mate that is not there, or for a longer one than there is.
#[test]
fn g8_go_mate_without_such_a_mate() {
    with_one_and_two_threads(|engine| {
        engine.search_then_stop("mate 1");
        engine.search_then_stop("mate 5");
        engine.position("fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
        assert_eq!(engine.search("mate 3").best(), "a1a8");
    });
}

/// Scripts with a hole in a variable.
#[test]
fn g9_bad_value_is_ignored() {
    with_one_and_two_threads(|engine| {
        engine.search_then_stop("wtime abc btime 100");
        engine.position("startpos moves e2e4");
        engine.search("wtime abc btime 100");
    });
}

/// Siblings: missing values, fractions, unknown words.
#[test]
fn g9_other_bad_values() {
    with_one_and_two_threads(|engine| {
        for limits in [
            "wtime 100 btime",
            "winc 3.5 wtime 100 btime 100",
            "wtime 100 btime 100 movestogo x",
            "depth 2 foo bar",
            "foo depth 2",
            "depth 2 depth",
            "depth 2 wtime",
        ] {
            engine.search(limits);
        }
        for limits in [
            "depth x",
            "depth",
            "nodes",
            "movetime",
            "mate",
            "depth 1e3",
            "depth 1.5",
            "foo",
            "wtime btime winc binc",
            "ponder ponder",
            "infinite infinite",
            "pv",
        ] {
            engine.search_then_stop(limits);
        }
    });
}

/// XBoard through polyglot writes `ponder` last.
#[test]
fn r1_ponder_as_the_last_word() {
    with_one_and_two_threads(|engine| {
        engine.go("wtime 0 btime 10 ponder");
        engine.no_bestmove_for(A_MOMENT);
        let search = engine.stop();
        assert!(search.elapsed < AT_ONCE, "{:?}", search.elapsed);
        engine.go("wtime 0 btime 10 ponder");
        engine.no_bestmove_for(A_MOMENT);
        engine.send("ponderhit");
        let search = engine.finish();
        assert!(search.elapsed < AT_ONCE, "{:?}", search.elapsed);
    });
}

/// Siblings: no time left, without pondering.
#[test]
fn r1_clocks_at_zero() {
    with_one_and_two_threads(|engine| {
        for limits in [
            "wtime 0 btime 0",
            "wtime 0 btime 0 winc 0 binc 0",
            "wtime 0 btime 60000",
            "movestogo 1 wtime 0 btime 0",
            "wtime 0 btime 0 winc 60000 binc 60000",
        ] {
            let search = engine.search(limits);
            assert!(search.elapsed < AT_ONCE, "{limits}: {:?}", search.elapsed);
        }
    });
}

/// XBoard: the word `infinite` last.
#[test]
fn r1_infinite_as_the_last_word() {
    with_one_and_two_threads(|engine| {
        engine.go("wtime 100 btime 100 infinite");
        engine.no_bestmove_for(3 * A_MOMENT);
        engine.stop();
    });
}
