//! Input that no tool should send, and pipes that break.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::game::MATED;
use crate::harness::{A_MOMENT, Engine, PATIENCE, binary, with_engine, with_one_and_two_threads};

/// fastchess closes the pipe.
#[test]
fn x1_end_of_file_while_idle() {
    for first in [
        "",
        "uci\nisready",
        "position startpos moves e2e4",
        "go depth 1",
    ] {
        let mut engine = Engine::start();
        if !first.is_empty() {
            engine.send(first);
            engine.lines_within(A_MOMENT);
        }
        engine.close_input();
        let (status, _) = engine.ends();
        assert!(status.success(), "{first}: {status}");
    }
}

/// Scripts: the last line has no line end, but it counts.
#[test]
fn x1_last_line_without_a_line_end() {
    let mut engine = Engine::start();
    engine.send_bytes(b"isready");
    engine.close_input();
    let (status, lines) = engine.ends();
    assert!(status.success(), "{status}");
    assert_eq!(lines, ["readyok"]);
}

/// All of them: a tool that has died leaves no engine behind.
#[test]
fn x2_end_of_file_during_a_search() {
    for threads in [1, 2] {
        for limits in [
            "infinite",
            "ponder wtime 1000 btime 1000",
            "wtime 600000",
            "depth 90",
        ] {
            let mut engine = Engine::start();
            engine.send(&format!("setoption name Threads value {threads}"));
            engine.go(limits);
            engine.lines_within(A_MOMENT / 2);
            engine.close_input();
            let (status, lines) = engine.ends();
            assert!(status.success(), "{limits}: {status}");
            let answers = lines.iter().filter(|line| line.starts_with("bestmove "));
            assert_eq!(answers.count(), 1, "{limits}: {lines:?}");
        }
    }
}

/// Scripts: `echo bench | lanternfish`. What is counted is counted to its end.
#[test]
fn x2_end_of_file_during_a_count() {
    for (command, last) in [
        ("bench 1", " nps"),
        ("go perft 4", "Nodes searched: 197281"),
    ] {
        let mut engine = Engine::start();
        engine.send(command);
        engine.close_input();
        let (status, lines) = engine.ends();
        assert!(status.success(), "{command}: {status}");
        let end = lines.last().map_or("", String::as_str);
        assert!(end.ends_with(last), "{command}: {lines:?}");
    }
}

/// Siblings: the end comes in the same write, or when nothing is left to search.
#[test]
fn x2_end_of_file_at_awkward_moments() {
    let mut engine = Engine::start();
    engine.go("infinite");
    engine.close_input();
    assert!(engine.ends().0.success());
    let mut engine = Engine::start();
    engine.position(MATED);
    engine.go("infinite");
    engine.no_bestmove_for(A_MOMENT);
    engine.close_input();
    assert!(engine.ends().0.success());
}

/// Windows GUIs.
#[test]
fn x3_carriage_returns_tabs_and_padding() {
    with_one_and_two_threads(|engine| {
        for line in [
            &b"uci\r\n"[..],
            b"\tuci\n",
            b"  uci  \n",
            b"uci\t\n",
            b"\r\nuci\r\r\n",
        ] {
            engine.send_bytes(line);
            engine.wait_for("uciok", |line| line == "uciok");
        }
        engine.send_bytes(b"setoption name MultiPV value 2\r\n");
        assert!(engine.comments().is_empty());
        engine.assume_position("startpos moves e2e4");
        engine.send_bytes(b"  position \t startpos\tmoves  e2e4 \r\n");
        engine.go_line("\tgo\tdepth  2\t\r");
        let search = engine.finish();
        assert!(search.infos.iter().any(|info| info.rank() == 2));
        engine.assume_position("fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1");
        engine.send_bytes(b"position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1\r\n");
        engine.go_line("go depth 2\r");
        engine.finish();
    });
}

/// Fuzzers.
#[test]
fn x4_invalid_utf8_and_nul() {
    with_one_and_two_threads(|engine| {
        for bytes in [
            &b"\xff\xfe\xfd\n"[..],
            b"uc\xff\n",
            b"\0\n",
            b"\0uci\0\n",
            b"position startpos moves e2\xc3\x28\n",
            b"position fen \xf0\x9f\x99\x82 w - - 0 1\n",
            b"setoption name \xe2\x28\xa1 value \xff\n",
            b"setoption name Debug Log File\0 value \0\n",
            b"\x1b[31mgo\x1b[0m\n",
            b"\xef\xbb\xbf\n",
        ] {
            engine.send_bytes(bytes);
            engine.comments();
        }
        engine.search("depth 2");
    });
}

/// Fuzzers: a megabyte on one line, of every kind.
#[test]
fn x4_a_line_of_a_megabyte() {
    with_engine(|engine| {
        let million = 1 << 20;
        for line in [
            "x".repeat(million),
            " ".repeat(million),
            "x ".repeat(million / 2),
            format!("position fen {}", "8/".repeat(million / 2)),
            format!("position startpos moves {}", "a".repeat(million)),
            format!("setoption name {} value 1", "n".repeat(million)),
            format!("setoption name Hash value {}", "9".repeat(million)),
        ] {
            engine.send(&line);
            engine.comments();
        }
        engine.search(&format!("depth 2 {}", "y".repeat(million)));
        engine.search(&format!(
            "depth 2 searchmoves {}",
            "e2e4 ".repeat(million / 5)
        ));
    });
}

/// Fuzzers: bytes without any order, but no letters, so that no command comes up by chance.
#[test]
fn x4_noise() {
    with_engine(|engine| {
        let mut state: u64 = 0x9E37_79B9_7F4A_7C15;
        let noise: Vec<u8> = (0..200_000)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                let byte = (state >> 32) as u8;
                if byte.is_ascii_alphabetic() {
                    byte | 0x80
                } else {
                    byte
                }
            })
            .collect();
        engine.send_bytes(&noise);
        engine.send("");
        engine.comments();
        engine.send(&"\n".repeat(100_000));
        engine.comments();
        engine.search("depth 2");
    });
}

/// Fuzzers: every command with too few, too many and wrong words.
#[test]
fn x4_half_commands() {
    with_engine(|engine| {
        for line in [
            "position startpos startpos",
            "position startpos moves moves e2e4",
            "position moves",
            "position fen startpos",
            "ucinewgame now",
            "stop now",
            "ponderhit now",
            "debug",
            "register",
            "register name x code y",
            "perft",
            "perft x",
            "perft -1",
            "go perft",
            "go perft x",
            "go perft -1",
            "flip flop",
        ] {
            // What these print is not fixed; that the engine lives on is.
            engine.send(line);
            engine.send("stop");
            engine.ready_whatever_comes();
        }
        engine.position("startpos moves e2e4");
        engine.search("depth 2");
    });
}

/// lichess-bot: the reader of the output has gone. The engine ends, and writes no panic.
#[test]
fn x5_stdout_closed_by_the_reader() {
    for command in [
        "uci\nisready\n",
        "go infinite\n",
        "go depth 3\nd\nisready\n",
        "isready\n",
    ] {
        let mut process = Command::new(binary())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        drop(process.stdout.take());
        let mut stdin = process.stdin.take().expect("a pipe");
        let until = Instant::now() + PATIENCE;
        let status = loop {
            // One failed write is enough to know, but it takes output to have one.
            _ = stdin.write_all(command.as_bytes());
            std::thread::sleep(A_MOMENT / 10);
            if let Some(status) = process.try_wait().expect("a status") {
                break status;
            }
            if Instant::now() > until {
                _ = process.kill();
                panic!("{command}: the engine stays without a reader");
            }
        };
        let output = process.wait_with_output().expect("the end");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(!stderr.contains("panicked"), "{command}: {stderr}");
        assert_ne!(status.code(), Some(101), "{command}: {stderr}");
    }
}

/// Scripts that look at the first lines only, as in `lanternfish bench | head -1`.
#[test]
fn x5_stdout_closed_on_the_command_line() {
    for arguments in [&["perft", "3"][..], &["bench", "1"], &["--help"]] {
        let mut process = Command::new(binary())
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        drop(process.stdout.take());
        let output = process.wait_with_output().expect("the end");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(!stderr.contains("panicked"), "{arguments:?}: {stderr}");
    }
}
