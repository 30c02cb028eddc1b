//! Clocks. Upper limits are generous: the inputs are such that a mistake costs half a minute.

use std::time::{Duration, Instant};

use crate::harness::{A_MOMENT, AT_ONCE, Engine, with_engine, with_one_and_two_threads};

#[track_caller]
fn answers_at_once(engine: &mut Engine, limits: &str) {
    let search = engine.search(limits);
    assert!(search.elapsed < AT_ONCE, "{limits}: {:?}", search.elapsed);
}

/// Cute Chess with a time margin lets clocks go below zero.
#[test]
fn t1_negative_clock() {
    with_one_and_two_threads(|engine| answers_at_once(engine, "wtime -50 btime 1000"));
}

/// Siblings: both clocks, increments, moves to go, the smallest integers.
#[test]
fn t1_other_negative_numbers() {
    with_one_and_two_threads(|engine| {
        for limits in [
            "wtime -50 btime -50",
            "wtime -50 btime 600000 winc 60000 binc 60000",
            "wtime -1 btime 600000 movestogo 1",
            "wtime 50 btime 50 winc -100 binc -100",
            "wtime -9223372036854775808 btime -9223372036854775808",
            "wtime -99999999999999999999 btime 600000",
        ] {
            answers_at_once(engine, limits);
        }
    });
}

/// python-chess: an increment comes after the move, not before.
#[test]
fn t2_increment_is_not_spent_before_it_is_earned() {
    with_one_and_two_threads(|engine| {
        answers_at_once(engine, "wtime 1 btime 1 winc 1000 binc 0");
    });
}

/// Siblings: an increment so large that spending a part of it would show.
#[test]
fn t2_a_large_increment_on_a_short_clock() {
    with_one_and_two_threads(|engine| {
        for limits in [
            "wtime 1 btime 1 winc 600000 binc 0",
            "wtime 100 btime 100 winc 600000 binc 600000",
            "wtime 100 btime 100 winc 600000 binc 600000 movestogo 1",
            "wtime 100 btime 100 winc 9223372036854775807 binc 9223372036854775807",
            "wtime 1 btime 1 movestogo 1",
            "wtime 100 btime 100 movestogo 1000",
        ] {
            answers_at_once(engine, limits);
        }
        engine.position("startpos moves e2e4");
        answers_at_once(engine, "wtime 600000 btime 1 winc 600000 binc 600000");
    });
}

/// Bots on slow lines: the overhead may be greater than the clock.
#[test]
fn t2_move_overhead_beyond_the_clock() {
    with_one_and_two_threads(|engine| {
        engine.send("setoption name Move Overhead value 1000");
        answers_at_once(engine, "wtime 500 btime 500");
        answers_at_once(engine, "wtime 500 btime 500 winc 600000 binc 600000");
        answers_at_once(engine, "movetime 100");
    });
}

/// Siblings: a clock of which the overhead leaves a millisecond. Without it the move would take seconds.
#[test]
fn t2_the_overhead_is_not_spent() {
    with_one_and_two_threads(|engine| {
        engine.send("setoption name Move Overhead value 5000");
        let limits = "wtime 5001 btime 5001 movestogo 1";
        let least = fastest(3, || engine.search(limits).elapsed);
        assert!(least < Duration::from_millis(1500), "{least:?}");
    });
}

/// All match managers: the clock must not run out, and does not before the ponderhit.
#[test]
fn t2_a_short_clock_is_kept() {
    with_one_and_two_threads(|engine| {
        let least = fastest(5, || engine.search("wtime 400 btime 400").elapsed);
        assert!(least < Duration::from_millis(400), "{least:?}");
        let least = fastest(5, || {
            engine.go("ponder wtime 400 btime 400");
            engine.no_bestmove_for(A_MOMENT);
            let start = Instant::now();
            engine.send("ponderhit");
            engine.finish();
            start.elapsed()
        });
        assert!(least < Duration::from_millis(400), "{least:?}");
    });
}

/// The least of several times: that is hardly disturbed by the machine.
fn fastest(times: usize, mut measure: impl FnMut() -> Duration) -> Duration {
    let measured = (0..times).map(|_| measure());
    measured.min().unwrap_or_default()
}

/// Scripts: the greatest integers.
#[test]
fn t4_huge_clocks() {
    with_one_and_two_threads(|engine| {
        engine.search_then_stop("wtime 9223372036854775807 btime 9223372036854775807");
    });
}

/// Siblings: beyond the greatest, huge increments, few and many moves to go.
#[test]
fn t4_other_huge_numbers() {
    with_one_and_two_threads(|engine| {
        for limits in [
            "wtime 18446744073709551615 btime 18446744073709551615",
            "wtime 99999999999999999999 btime 99999999999999999999",
            "wtime 1000000 btime 1000000 winc 9223372036854775807 binc 9223372036854775807",
            "wtime 9223372036854775807 btime 9223372036854775807 movestogo 1",
            "wtime 9223372036854775807 btime 9223372036854775807 movestogo 4294967296",
            "movetime 9223372036854775807",
        ] {
            engine.search_then_stop(limits);
        }
    });
}

/// Cute Chess with a fixed time per move. The fastest of twenty is hardly disturbed by the machine.
#[test]
fn t5_movetime_is_kept() {
    with_one_and_two_threads(|engine| {
        let times: Vec<Duration> = (0..20)
            .map(|_| engine.search("movetime 100").elapsed)
            .collect();
        let (least, most) = (times.iter().min(), times.iter().max());
        assert!(least < Some(&Duration::from_millis(200)), "{times:?}");
        assert!(least > Some(&Duration::from_millis(20)), "{times:?}");
        assert!(most < Some(&AT_ONCE), "{times:?}");
    });
}

/// Cute Chess starts the clock when `readyok` has come: a large table is cleared by then.
#[test]
fn t5_a_large_hash_is_cleared_before_readyok() {
    with_one_and_two_threads(|engine| {
        engine.send("setoption name Hash value 256");
        engine.comments();
        for _ in 0..3 {
            engine.send("ucinewgame");
            engine.comments();
            engine.position("startpos");
            answers_at_once(engine, "movetime 100");
            answers_at_once(engine, "wtime 100 btime 100");
        }
    });
}

/// Siblings: the clock runs from the `go`, whatever was sent just before it.
#[test]
fn t5_clearing_and_going_in_one_write() {
    with_one_and_two_threads(|engine| {
        engine.send("setoption name Hash value 64");
        engine.in_one_write(|engine| {
            engine.send("ucinewgame");
            engine.position("startpos");
            engine.go("movetime 20");
        });
        engine.finish();
        engine.in_one_write(|engine| {
            engine.send("setoption name Clear Hash");
            engine.go("movetime 20");
        });
        engine.finish();
    });
}

/// lichess-bot: ten seconds for the first move, then pondering, with the options it sets by default.
#[test]
fn r8_a_bots_first_moves() {
    let mut engine = Engine::start();
    engine.send("uci");
    engine.wait_for("uciok", |line| line == "uciok");
    for option in [
        "Move Overhead value 100",
        "Threads value 4",
        "Hash value 512",
        "SyzygyPath value ./syzygy/",
        "UCI_ShowWDL value true",
        "UCI_Chess960 value false",
    ] {
        engine.send(&format!("setoption name {option}"));
    }
    engine.comments();
    engine.send("ucinewgame");
    engine.comments();
    engine.position("startpos");
    let start = Instant::now();
    engine.go("movetime 10000");
    engine.no_bestmove_for(A_MOMENT);
    let first = engine.stop();
    assert!(start.elapsed() < AT_ONCE);
    engine.position(&format!("startpos moves {}", first.best()));
    let answer = engine.search("depth 2");
    engine.position(&format!(
        "startpos moves {} {}",
        first.best(),
        answer.best()
    ));
    engine.go("ponder wtime 60000 btime 60000 winc 1000 binc 1000");
    engine.no_bestmove_for(A_MOMENT);
    engine.stop();
    engine.go("ponder wtime 1000 btime 60000 winc 0 binc 0");
    engine.no_bestmove_for(A_MOMENT);
    engine.send("ponderhit");
    engine.finish();
    engine.alive();
}

/// lichess-bot: a fixed time is fully granted and then ends by itself.
#[test]
fn r8_first_move_ends_by_itself() {
    with_engine(|engine| {
        let search = engine.search("movetime 1000");
        assert!(search.elapsed > Duration::from_millis(900));
        assert!(search.elapsed < AT_ONCE);
    });
}
