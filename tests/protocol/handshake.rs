//! The first words between a tool and the engine.

use std::thread;

use crate::harness::{A_MOMENT, Engine, with_engine, with_one_and_two_threads};
use crate::validator::is_comment;

/// All of them: without this answer nothing starts.
#[test]
fn h1_uci_is_answered_with_name_author_options_and_uciok() {
    let mut engine = Engine::start();
    engine.send("uci");
    let lines = engine.wait_for("uciok", |line| line == "uciok");
    let count = |start: &str| lines.iter().filter(|line| line.starts_with(start)).count();
    assert_eq!(count("id name "), 1, "{lines:?}");
    assert_eq!(count("id author "), 1, "{lines:?}");
    assert!(count("option name ") >= 9, "{lines:?}");
    let known = count("id ") + count("option ") + count("uciok");
    assert_eq!(known, lines.len(), "nothing else belongs here: {lines:?}");
    engine.alive();
}

/// GUIs show name, version and author.
#[test]
fn h1_name_has_a_version_and_author_is_not_empty() {
    let mut engine = Engine::start();
    engine.send("uci");
    let lines = engine.wait_for("uciok", |line| line == "uciok");
    let after = |start: &str| lines.iter().find_map(|line| line.strip_prefix(start));
    let name = after("id name ").expect("a name");
    assert!(name.starts_with("Lanternfish"), "{name}");
    assert!(name.contains(env!("CARGO_PKG_VERSION")), "{name}");
    let author = after("id author ").expect("an author");
    assert!(!author.trim().is_empty());
    engine.alive();
}

/// GUIs that take the first line for an answer.
#[test]
fn h2_start_is_silent() {
    let mut engine = Engine::start();
    let lines = engine.lines_within(A_MOMENT);
    assert!(lines.is_empty(), "{lines:?}");
    let (status, lines) = engine.quit();
    assert!(status.success());
    assert!(lines.is_empty(), "{lines:?}");
}

/// Aquarium and Fritz take an early info line for a search.
#[test]
fn h3_no_info_before_the_first_go() {
    let mut engine = Engine::start();
    engine.send("uci");
    let lines = engine.wait_for("uciok", |line| line == "uciok");
    assert!(
        lines.iter().all(|line| !line.starts_with("info")),
        "{lines:?}"
    );
    engine.silent();
    for line in [
        "setoption name Hash value 8",
        "setoption name Threads value 2",
        "setoption name Ponder value true",
        "setoption name MultiPV value 2",
        "setoption name Move Overhead value 50",
        "setoption name UCI_ShowWDL value true",
        "setoption name UCI_Chess960 value false",
        "setoption name Clear Hash",
        "ucinewgame",
        "position startpos moves e2e4 e7e5",
        "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1",
    ] {
        engine.send(line);
        engine.silent();
    }
    engine.alive();
}

/// Cute Chess asks again when it restarts an engine's settings.
#[test]
fn h5_uci_twice_gives_two_uciok() {
    let mut engine = Engine::start();
    engine.send("uci\nuci\nisready");
    let first = engine.wait_for("uciok", |line| line == "uciok");
    let second = engine.wait_for("uciok", |line| line == "uciok");
    assert_eq!(first, second);
    engine.wait_for("readyok", |line| line == "readyok");
    engine.alive();
}

/// Tools that ask during a search: the answer must be whole, and the search goes on.
#[test]
fn h5_uci_during_a_search() {
    let mut engine = Engine::start();
    engine.go("infinite");
    engine.send("uci");
    let lines = engine.wait_for("uciok", |line| line == "uciok");
    assert!(lines.iter().any(|line| line.starts_with("id name ")));
    engine.no_bestmove_for(A_MOMENT);
    engine.stop();
    engine.alive();
}

/// The UCI specification: skip unknown words and read the rest of the line.
#[test]
fn h6_unknown_leading_words_are_skipped() {
    let mut engine = Engine::start();
    engine.send("foo\n\njoho isready");
    let lines = engine.wait_for("readyok", |line| line == "readyok");
    let others = &lines[..lines.len() - 1];
    assert!(others.iter().all(|line| is_comment(line)), "{others:?}");
    engine.alive();
}

/// The same for every other command, and for more than one unknown word.
#[test]
fn h6_unknown_words_before_any_command() {
    with_one_and_two_threads(|engine| {
        engine.send("blah uci");
        engine.wait_for("uciok", |line| line == "uciok");
        engine.send("one two three isready");
        engine.wait_for("readyok", |line| line == "readyok");
        engine.assume_position("startpos moves e2e4");
        engine.send("xyzzy position startpos moves e2e4");
        engine.go_line("please go depth 1");
        engine.finish();
        engine.go_line("joho go infinite");
        engine.no_bestmove_for(A_MOMENT);
        engine.send("joho stop");
        engine.finish();
    });
}

/// Fuzzers and people at a terminal: lines without any command.
#[test]
fn h6_lines_without_a_command() {
    with_engine(|engine| {
        for line in [
            "",
            "   ",
            "\t",
            "?",
            "-",
            "1",
            "uciok",
            "readyok",
            "bestmove e2e4",
            "info depth 1",
            "register later",
            "UCINEWGAMES",
            "isreadyy",
            "quitt",
            "é ß 棋",
        ] {
            engine.send(line);
            engine.comments();
        }
    });
}

/// All of them: an answer that waits in a buffer is no answer.
#[test]
fn h7_every_answer_is_flushed() {
    let mut engine = Engine::start();
    engine.send("uci");
    engine.wait_for("uciok", |line| line == "uciok");
    for _ in 0..20 {
        engine.silent();
    }
    engine.alive();
}

/// GUIs show the search while it runs.
#[test]
fn h7_info_lines_are_flushed_during_a_search() {
    with_one_and_two_threads(|engine| {
        engine.go("infinite");
        engine.wait_for("info line", |line| line.starts_with("info depth"));
        engine.stop();
    });
}

/// fastchess and python-chess read line by line.
#[test]
fn h8_lines_do_not_interleave() {
    with_one_and_two_threads(|engine| {
        engine.send("setoption name MultiPV value 4");
        engine.go("infinite");
        engine.in_one_write(|engine| {
            for _ in 0..200 {
                engine.send("isready");
            }
        });
        for _ in 0..200 {
            engine.wait_for("readyok", |line| line == "readyok");
        }
        engine.stop();
    });
}

/// fastchess, cutechess-cli: the order of commands of a match manager, for a whole short game.
#[test]
fn h8_a_short_game_under_a_match_manager() {
    let mut engine = Engine::start();
    engine.send("uci");
    engine.wait_for("uciok", |line| line == "uciok");
    engine.send("setoption name Hash value 8");
    engine.send("ucinewgame");
    engine.silent();
    let mut moves = String::new();
    for _ in 0..12 {
        let line = if moves.is_empty() {
            "startpos".to_string()
        } else {
            format!("startpos moves{moves}")
        };
        engine.silent();
        engine.position(&line);
        engine.silent();
        if engine.game().is_over() {
            break;
        }
        let search = engine.search("wtime 500 btime 500 winc 10 binc 10");
        search.result();
        moves = format!("{moves} {}", search.best());
    }
    engine.alive();
}

/// cutechess-cli starts many engines at once: `quit` right after the start, with nothing read.
#[test]
fn h7_commands_that_arrive_before_the_engine_is_up() {
    let mut engine = Engine::start();
    engine.send("uci\nisready\nquit");
    thread::sleep(A_MOMENT);
    let (status, lines) = engine.ends();
    assert!(status.success());
    assert_eq!(lines.last().map(String::as_str), Some("readyok"));
}
