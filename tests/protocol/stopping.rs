//! `stop`, `ponderhit`, `quit`, and what must not come before or after them.

use std::time::{Duration, Instant};

use crate::game::{DEAD_DRAW, FIFTY_MOVES, KIWIPETE, MATED, NOTHING_LEFT, STALEMATED, THREEFOLD};
use crate::harness::{A_MOMENT, AT_ONCE, Engine, with_engine, with_one_and_two_threads};
use crate::validator::Info;

#[track_caller]
fn waits_for_stop(engine: &mut Engine, position: &str, limits: &str) {
    engine.position(position);
    engine.go(limits);
    engine.no_bestmove_for(A_MOMENT);
    engine.stop();
}

/// Arena: the only good move leads to a dead draw.
#[test]
fn s1_no_bestmove_before_stop() {
    with_one_and_two_threads(|engine| {
        let position = "fen 8/5kR1/8/3K4/8/8/8/8 b - - 0 143";
        waits_for_stop(engine, position, "infinite");
    });
}

/// Siblings: no tree left at all, a fifty-move root, a repeated root.
#[test]
fn s1_no_bestmove_before_stop_in_other_finished_positions() {
    with_one_and_two_threads(|engine| {
        for position in [NOTHING_LEFT, DEAD_DRAW, FIFTY_MOVES, THREEFOLD] {
            waits_for_stop(engine, position, "infinite");
            waits_for_stop(engine, position, "ponder wtime 1000 btime 1000");
        }
    });
}

/// Arena: a search with nothing left to do must not burn a processor.
#[cfg(target_os = "linux")]
#[test]
fn s1_no_spinning_when_nothing_is_left_to_search() {
    with_one_and_two_threads(|engine| {
        engine.position(NOTHING_LEFT);
        engine.go("infinite");
        goes_idle(engine);
        engine.stop();
    });
}

/// GUIs: a mate that is found, or a single legal move, does not end the search.
#[test]
fn s2_no_bestmove_before_stop_with_a_mate_or_one_move() {
    with_one_and_two_threads(|engine| {
        for position in [
            "fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
            "fen kbK5/pp6/RP6/8/8/8/8/8 b - - 1 1",
            "fen 7k/8/8/8/8/8/1r6/K7 w - - 0 1",
            "fen 6rk/8/8/8/8/8/r7/7K w - - 0 1",
            "fen 1k6/1P6/1K6/8/8/8/8/R7 w - - 0 1",
        ] {
            waits_for_stop(engine, position, "infinite");
            waits_for_stop(engine, position, "ponder wtime 1000 btime 1000");
        }
    });
}

/// GUIs: other limits beside `infinite` do not end it.
#[test]
fn s2_infinite_is_stronger_than_other_limits() {
    with_one_and_two_threads(|engine| {
        waits_for_stop(engine, "startpos", "infinite wtime 10 btime 10");
        waits_for_stop(engine, "startpos", "wtime 10 btime 10 infinite");
    });
}

/// fastchess sends `stop` to an engine that has answered already.
#[test]
fn s4_stop_while_idle_and_quit() {
    let mut engine = Engine::start();
    engine.send("stop");
    let (status, lines) = engine.quit();
    assert!(status.success());
    assert!(lines.is_empty(), "{lines:?}");
}

/// Siblings: after a search, several times, with a stray ponderhit.
#[test]
fn s4_stop_after_a_search_says_nothing() {
    with_one_and_two_threads(|engine| {
        engine.search("depth 2");
        for line in ["stop", "stop\nstop\nstop", "ponderhit", "stop\nponderhit"] {
            engine.send(line);
            assert!(engine.comments().is_empty(), "{line}");
        }
        engine.go("infinite");
        engine.in_one_write(|engine| engine.send("stop\nstop\nstop"));
        engine.finish();
    });
}

/// Cute Chess pings during a search.
#[test]
fn s5_isready_during_a_search() {
    with_one_and_two_threads(|engine| {
        engine.go("infinite");
        for _ in 0..5 {
            engine.comments();
        }
        engine.no_bestmove_for(A_MOMENT);
        engine.stop();
        engine.go("ponder wtime 1000 btime 1000");
        engine.comments();
        engine.no_bestmove_for(A_MOMENT);
        engine.stop();
    });
}

/// GUIs change options and positions in mid-search. The search may end of it or not: one answer comes.
#[test]
fn s5_options_and_positions_during_a_search() {
    for line in [
        "setoption name Hash value 8",
        "setoption name Threads value 2",
        "setoption name MultiPV value 2",
        "setoption name UCI_Chess960 value false",
        "setoption name Clear Hash",
        "ucinewgame",
        "position startpos moves e2e4",
        "position fen blah",
    ] {
        with_one_and_two_threads(|engine| {
            engine.position("startpos moves d2d4");
            engine.go("infinite");
            engine.send(line);
            std::thread::sleep(A_MOMENT / 3);
            engine.stop();
            engine.position("startpos moves e2e4");
            engine.search("depth 2");
        });
    }
}

/// People at a terminal: commands that have nothing to do with the search leave it alone.
#[test]
fn s5_harmless_commands_during_a_search() {
    with_one_and_two_threads(|engine| {
        for line in [
            "debug on",
            "debug off",
            "d",
            "eval",
            "uci",
            "foo",
            "ponderhit",
            "",
        ] {
            engine.position("startpos moves d2d4");
            engine.go("infinite");
            engine.send(line);
            engine.ready();
            engine.no_bestmove_for(A_MOMENT / 3);
            engine.stop();
        }
    });
}

/// GUIs with a fault: `go` during a search. Each gets its answer, in order.
#[test]
fn s5_go_during_a_search() {
    for second in ["infinite", "depth 1", "movetime 10", "ponder"] {
        let mut engine = Engine::start();
        engine.go("infinite");
        engine.position("startpos moves e2e4");
        engine.go(second);
        engine.send("stop");
        engine.finish();
        engine.finish();
        engine.position("startpos moves e2e4 e7e5");
        engine.search("depth 2");
        engine.alive();
    }
}

/// Siblings: what comes after a stop is done before `readyok`, also when the search has not ended yet.
#[test]
fn s5_readyok_waits_for_what_follows_a_stop() {
    let mut engine = Engine::start();
    engine.go("infinite");
    engine.lines_within(A_MOMENT / 2);
    engine.in_one_write(|engine| {
        engine.send("stop");
        engine.send("setoption name Hash value 64");
        engine.send("ucinewgame");
        engine.send("isready");
    });
    // A `readyok` before the bestmove would be a line out of place.
    engine.finish();
    engine.wait_for("the second readyok", |line| line == "readyok");
    engine.alive();
}

/// Siblings: a count that would take hours. `isready` waits for it, `stop` and `quit` end it.
#[test]
fn s5_stop_ends_a_count() {
    let mut engine = Engine::start();
    engine.send("go perft 12");
    engine.lines_within(A_MOMENT / 2);
    engine.send("isready");
    let early = engine.lines_within(A_MOMENT);
    assert!(!early.contains(&"readyok".to_string()), "{early:?}");
    engine.send("stop");
    let lines = engine.wait_for("readyok", |line| line == "readyok");
    assert!(
        lines.iter().any(|line| line.contains("stopped")),
        "{lines:?}"
    );
    engine.send("go perft 12");
    engine.lines_within(A_MOMENT / 2);
    ends_soon(engine);
}

/// Cute Chess and lichess-bot ponder on the expected move.
#[test]
fn s6_ponderhit_starts_the_clock() {
    with_one_and_two_threads(|engine| {
        engine.position("startpos moves e2e4 e7e5");
        engine.go("ponder wtime 1000 btime 1000");
        engine.no_bestmove_for(A_MOMENT);
        engine.send("ponderhit");
        let search = engine.finish();
        assert!(search.elapsed < AT_ONCE, "{:?}", search.elapsed);
    });
}

/// Siblings: limits that end the search before the ponderhit, which is then answered at once.
#[test]
fn s6_ponderhit_with_other_limits() {
    with_one_and_two_threads(|engine| {
        engine.send("setoption name Ponder value true");
        for position in ["startpos", NOTHING_LEFT] {
            for limits in [
                "ponder depth 1",
                "ponder nodes 100",
                "ponder movetime 10",
                "ponder mate 1 depth 3",
                "ponder wtime 1 btime 1",
                "ponder wtime 100 btime 100 movestogo 1",
                "wtime 100 btime 100 ponder winc 10 binc 10",
            ] {
                engine.position(position);
                engine.go(limits);
                engine.no_bestmove_for(A_MOMENT / 2);
                engine.send("ponderhit");
                engine.finish();
            }
        }
    });
}

/// Cute Chess: the guess was right at once.
#[test]
fn s6_ponderhit_in_the_same_write() {
    with_one_and_two_threads(|engine| {
        engine.in_one_write(|engine| {
            engine.go("ponder wtime 500 btime 500");
            engine.send("ponderhit");
        });
        engine.finish();
    });
}

/// Siblings: what comes between does not hide the search that the ponderhit means.
#[test]
fn s6_ponderhit_after_options() {
    with_one_and_two_threads(|engine| {
        for between in [
            "setoption name Hash value 2",
            "setoption name Clear Hash",
            "setoption name Mobility value 90\nsetoption name Mobility value 100",
            "ucinewgame",
            "position startpos moves e2e4",
        ] {
            engine.position("startpos");
            engine.go("ponder wtime 500 btime 500");
            engine.send(between);
            engine.send("ponderhit");
            engine.finish();
        }
    });
}

/// lichess-bot: `ponderhit` on a search without a limit goes on until `stop`.
#[test]
fn s6_ponderhit_without_a_clock() {
    with_one_and_two_threads(|engine| {
        engine.go("ponder infinite");
        engine.no_bestmove_for(A_MOMENT);
        engine.send("ponderhit");
        engine.no_bestmove_for(A_MOMENT);
        engine.stop();
    });
}

/// Cute Chess: the guess was wrong at once.
#[test]
fn s7_ponder_then_stop() {
    with_one_and_two_threads(|engine| {
        engine.in_one_write(|engine| {
            engine.go("ponder wtime 1000 btime 1000");
            engine.send("stop");
        });
        engine.finish();
    });
}

/// Siblings: `stop` right after every kind of `go`, many times.
#[test]
fn s7_go_then_stop_in_one_write() {
    with_one_and_two_threads(|engine| {
        for limits in [
            "infinite",
            "movetime 1000",
            "depth 50",
            "wtime 1000",
            "depth 1",
        ] {
            for _ in 0..5 {
                engine.in_one_write(|engine| {
                    engine.go(limits);
                    engine.send("stop");
                });
                engine.finish();
            }
        }
    });
}

/// lichess-bot and python-chess ponder on a mated position.
#[test]
fn s8_ponder_on_a_mated_position() {
    with_one_and_two_threads(|engine| {
        engine.position(MATED);
        engine.go("ponder wtime 1000 btime 1000");
        engine.no_bestmove_for(A_MOMENT);
        assert_eq!(engine.stop().best, None);
        engine.in_one_write(|engine| {
            engine.go("ponder wtime 1000 btime 1000");
            engine.send("stop");
        });
        assert_eq!(engine.finish().best, None);
    });
}

/// Siblings: stalemate, and a ponderhit in place of the stop.
#[test]
fn s8_ponder_on_other_finished_games() {
    with_one_and_two_threads(|engine| {
        for position in [MATED, STALEMATED] {
            engine.position(position);
            engine.go("ponder wtime 1000 btime 1000");
            engine.no_bestmove_for(A_MOMENT);
            engine.send("ponderhit");
            assert_eq!(engine.finish().best, None);
            engine.go("infinite");
            engine.no_bestmove_for(A_MOMENT);
            assert_eq!(engine.stop().best, None);
        }
        engine.position("startpos");
        engine.search("depth 2");
    });
}

/// Cute Chess and python-chess ponder on the move that they are given.
#[test]
fn s9_ponder_move_is_the_second_of_the_pv() {
    with_one_and_two_threads(|engine| {
        engine.send("setoption name Ponder value true");
        for position in [
            "startpos",
            "startpos moves e2e4",
            KIWIPETE,
            "fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ] {
            engine.position(position);
            let search = engine.search("depth 4");
            let second = search.result().pv.get(1);
            assert_eq!(search.ponder.as_ref(), second, "{position}");
        }
    });
}

/// All of them: no process is left behind.
#[test]
fn s10_quit_during_a_search() {
    for threads in [1, 2] {
        for limits in [
            "infinite",
            "ponder wtime 1000 btime 1000",
            "depth 90",
            "wtime 600000",
        ] {
            let mut engine = Engine::start();
            engine.send(&format!("setoption name Threads value {threads}"));
            engine.go(limits);
            engine.lines_within(A_MOMENT / 2);
            ends_soon(engine);
        }
    }
}

/// Siblings: `quit` in the same write, and on a search with nothing left to do.
#[test]
fn s10_quit_at_awkward_moments() {
    let mut engine = Engine::start();
    engine.in_one_write(|engine| {
        engine.go("infinite");
        engine.send("quit");
    });
    assert!(engine.ends().0.success());
    for position in [NOTHING_LEFT, MATED] {
        let mut engine = Engine::start();
        engine.position(position);
        engine.go("infinite");
        engine.no_bestmove_for(A_MOMENT);
        ends_soon(engine);
    }
}

#[track_caller]
fn ends_soon(engine: Engine) {
    let start = Instant::now();
    let (status, _) = engine.quit();
    assert!(status.success(), "{status}");
    assert!(start.elapsed() < AT_ONCE, "{:?}", start.elapsed());
}

/// Cute Chess takes later info lines for those of the next search.
#[test]
fn s12_no_info_after_bestmove() {
    with_one_and_two_threads(|engine| {
        for _ in 0..5 {
            engine.go("infinite");
            engine.no_bestmove_for(Duration::from_millis(20));
            engine.stop();
            let lines = engine.lines_within(Duration::from_millis(50));
            assert!(lines.is_empty(), "{lines:?}");
        }
        engine.search("depth 3");
        let lines = engine.lines_within(A_MOMENT);
        assert!(lines.is_empty(), "{lines:?}");
    });
}

/// PyChess and Cute Chess: a ponder miss arrives in one write.
#[test]
fn r2_ponder_miss() {
    with_one_and_two_threads(|engine| {
        for _ in 0..5 {
            engine.position("startpos moves e2e4 e7e5 g1f3");
            engine.go("ponder wtime 1000 btime 1000");
            engine.no_bestmove_for(Duration::from_millis(30));
            engine.in_one_write(|engine| {
                engine.send("stop");
                engine.position("startpos moves e2e4 c7c5");
                engine.go("wtime 300 btime 300");
            });
            engine.finish();
            engine.finish();
        }
    });
}

/// Siblings: the same with other searches, and with `isready` between.
#[test]
fn r2_stop_and_go_in_one_write() {
    with_one_and_two_threads(|engine| {
        for (first, second) in [
            ("infinite", "depth 2"),
            ("movetime 5000", "movetime 10"),
            ("ponder depth 1", "nodes 100"),
            ("infinite", "wtime 10 btime 10"),
        ] {
            engine.position("startpos moves e2e4");
            engine.in_one_write(|engine| {
                engine.go(first);
                engine.send("stop");
                engine.position("fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1");
                engine.go(second);
            });
            engine.finish();
            engine.finish();
        }
    });
}

/// PyChess: stray stops, and debug mode.
#[test]
fn r6_stray_commands_and_debug() {
    with_one_and_two_threads(|engine| {
        for line in [
            "stop",
            "debug on",
            "stop",
            "stop",
            "debug off",
            "debug",
            "debug maybe",
        ] {
            engine.send(line);
            engine.comments();
        }
        engine.send("debug on");
        engine.search("depth 3");
        engine.send("stop");
        engine.comments();
    });
}

/// PyChess ends engines with a signal.
#[cfg(unix)]
#[test]
fn r7_sigterm_in_place_of_quit() {
    for limits in ["", "infinite", "ponder wtime 1000 btime 1000"] {
        let mut engine = Engine::start();
        engine.comments();
        if !limits.is_empty() {
            engine.go(limits);
            engine.no_bestmove_for(A_MOMENT / 2);
        }
        let start = Instant::now();
        engine.terminate();
        engine.ends();
        assert!(start.elapsed() < AT_ONCE, "{:?}", start.elapsed());
    }
}

/// PyChess: `quit`, and the signal right behind it.
#[cfg(unix)]
#[test]
fn r7_quit_followed_by_sigterm() {
    for limits in ["", "infinite"] {
        let mut engine = Engine::start();
        engine.comments();
        if !limits.is_empty() {
            engine.go(limits);
        }
        engine.send("quit");
        engine.terminate();
        engine.ends();
    }
}

/// python-chess asks about finished games.
#[test]
fn e1_mated_and_stalemated_roots() {
    with_one_and_two_threads(|engine| {
        for (position, score) in [
            (MATED, "score mate 0"),
            ("fen 8/8/8/8/8/5k2/6q1/6K1 w - - 0 1", "score mate 0"),
            (STALEMATED, "score cp 0"),
            ("fen 8/8/8/8/8/7k/7p/7K w - - 0 1", "score cp 0"),
        ] {
            for limits in [
                "depth 3",
                "movetime 10",
                "wtime 100 btime 100",
                "nodes 10",
                "mate 2",
            ] {
                engine.position(position);
                let search = engine.search(limits);
                assert_eq!(search.best, None);
                let told = |info: &Info| info.depth == Some(0) && info.line.contains(score);
                assert!(
                    search.infos.iter().any(told),
                    "{position}: no depth 0 {score}"
                );
            }
        }
    });
}

/// python-chess: a draw by rule still has moves.
#[test]
fn e1_drawn_roots_still_get_a_move() {
    with_one_and_two_threads(|engine| {
        for position in [DEAD_DRAW, FIFTY_MOVES, THREEFOLD] {
            engine.position(position);
            engine.search("depth 3").result();
            engine.search("wtime 100 btime 100");
        }
    });
}

/// Nibbler analyses finished games without an end.
#[test]
fn e4_infinite_on_a_mated_position() {
    with_one_and_two_threads(|engine| {
        engine.position(MATED);
        engine.go("infinite");
        engine.no_bestmove_for(A_MOMENT);
        assert_eq!(engine.stop().best, None);
    });
}

/// Nibbler: it must not burn a processor meanwhile. Nor may an engine that waits for its first command.
#[cfg(target_os = "linux")]
#[test]
fn e4_idle_processor_on_finished_games_and_between_searches() {
    with_one_and_two_threads(|engine| {
        goes_idle(engine);
        for position in [MATED, STALEMATED] {
            engine.position(position);
            engine.go("infinite");
            goes_idle(engine);
            engine.stop();
            engine.go("ponder wtime 1000 btime 1000");
            goes_idle(engine);
            engine.stop();
        }
        engine.position("startpos");
        engine.search("depth 3");
        goes_idle(engine);
    });
}

/// Waits until the process uses less than a quarter of a processor over a fifth of a second.
#[cfg(target_os = "linux")]
#[track_caller]
fn goes_idle(engine: &mut Engine) {
    let window = Duration::from_millis(200);
    let until = Instant::now() + crate::harness::PATIENCE;
    while Instant::now() < until {
        let before = processor_time(engine.pid());
        engine.no_bestmove_for(window);
        if processor_time(engine.pid()) - before < window / 4 {
            return;
        }
    }
    engine.fail("the processor is busy with nothing to do");
}

/// User and system time of a process, from the kernel's hundredths of a second.
#[cfg(target_os = "linux")]
fn processor_time(pid: u32) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).expect("the process is there");
    let (_, fields) = stat.rsplit_once(')').expect("a name in brackets");
    let ticks: u64 = fields
        .split_whitespace()
        .skip(11)
        .take(2)
        .map(|field| field.parse::<u64>().expect("ticks"))
        .sum();
    Duration::from_millis(10 * ticks)
}

/// GUIs that lose patience: a burst of short searches stays in step.
#[test]
fn s12_many_short_searches_in_a_row() {
    with_engine(|engine| {
        engine.in_one_write(|engine| {
            for _ in 0..30 {
                engine.go("nodes 50");
                engine.send("isready");
                engine.send("stop");
            }
        });
        // Each `stop` closes its own `go`, so thirty answers come, among the thirty of `isready`.
        for _ in 0..60 {
            engine.wait_for("answer", |line| {
                line == "readyok" || line.starts_with("bestmove")
            });
        }
        engine.forget_searches();
        engine.ready();
    });
}
