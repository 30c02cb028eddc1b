//! The binary with arguments.

use std::process::{Command, Output, Stdio};

use crate::commands::{bench, bench_nodes, divided};
use crate::game::KIWIPETE;
use crate::harness::{Engine, binary};

/// Runs the binary. Its input is empty, so it ends even if it takes the arguments for none.
fn run(arguments: &[&str]) -> Output {
    Command::new(binary())
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the engine runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn kiwipete() -> &'static str {
    KIWIPETE.trim_start_matches("fen ")
}

/// Lines of a run that must succeed.
#[track_caller]
fn lines(arguments: &[&str]) -> Vec<String> {
    let output = run(arguments);
    let stderr = text(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {}", output.status);
    assert!(stderr.is_empty(), "{arguments:?}: {stderr}");
    let stdout = text(&output.stdout);
    assert!(!stdout.contains('\r'));
    stdout.lines().map(str::to_string).collect()
}

/// Exit code 2, a message on stderr, nothing on stdout.
#[track_caller]
fn refused(arguments: &[&str]) -> String {
    let output = run(arguments);
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
    assert!(!stderr.trim().is_empty(), "{arguments:?}: no message");
    assert!(!stderr.contains("panicked"), "{arguments:?}: {stderr}");
    let stdout = text(&output.stdout);
    assert!(stdout.is_empty(), "{arguments:?}: {stdout}");
    stderr
}

/// OpenBench runs this on every build.
#[test]
fn bench_on_the_command_line() {
    let first = lines(&["bench", "2"]);
    let nodes = bench_nodes(first.last().expect("output"));
    assert!(nodes > 0);
    let second = lines(&["bench", "2"]);
    assert_eq!(bench_nodes(second.last().expect("output")), nodes);
    let mut engine = Engine::start();
    assert_eq!(bench(&mut engine), nodes);
    engine.alive();
}

/// Packagers and bug reports.
#[test]
fn version_is_printed() {
    let lines = lines(&["--version"]);
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].to_lowercase().contains("lanternfish"), "{lines:?}");
    assert!(lines[0].contains(env!("CARGO_PKG_VERSION")), "{lines:?}");
}

/// People at a terminal: the commands, and behind each its own options.
#[test]
fn help_names_every_command() {
    for (arguments, words) in [
        (
            &["--help"][..],
            &["bench", "perft", "eval", "analyse", "--version", "--help"][..],
        ),
        (&["perft", "--help"], &["--fen", "--divide"]),
        (&["eval", "--help"], &["--fen"]),
    ] {
        let help = lines(arguments).join("\n");
        for word in words {
            assert!(help.contains(word), "no {word} in:\n{help}");
        }
    }
}

/// People at a terminal: a message, not a silent engine.
#[test]
fn unknown_arguments_are_refused() {
    for (arguments, word) in [
        (&["--no-such-option"][..], "--no-such-option"),
        (&["nonsense"], "nonsense"),
        (&["bench", "2", "--no-such-option"], "--no-such-option"),
        (&["perft", "2", "--no-such-option"], "--no-such-option"),
    ] {
        let message = refused(arguments);
        assert!(message.contains(word), "{arguments:?}: {message}");
    }
}

/// Siblings: numbers that are none, and values that are missing.
#[test]
fn bad_values_are_refused() {
    for arguments in [
        &["bench", "x"][..],
        &["bench", "-1"],
        &["perft"],
        &["perft", "x"],
        &["perft", "-1"],
        &["perft", "99999999999999999999"],
        &["perft", "10000"],
        &["perft", "2", "--fen"],
        &["perft", "2", "3"],
        &["eval", "--fen"],
    ] {
        refused(arguments);
    }
}

/// Scripts with a damaged list of positions.
#[test]
fn bad_fens_are_refused() {
    for fen in [
        "blah",
        "",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "4k3/9/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
        "4k2P/8/8/8/8/8/8/4K3 w - - 0 1",
        "8/8/8/3kK3/8/8/8/8 w - - 0 1",
    ] {
        refused(&["perft", "2", "--fen", fen]);
        refused(&["eval", "--fen", fen]);
    }
}

/// Move generator tests.
#[test]
fn perft_counts_the_start_position() {
    let lines = lines(&["perft", "4"]);
    let counted = lines.iter().any(|line| {
        line.split(|c: char| !c.is_ascii_digit())
            .any(|number| number == "197281")
    });
    assert!(counted, "{lines:?}");
}

/// People paste a FEN with quotation marks inside those of the shell. Kiwipete has 2039 positions after two plies.
#[test]
fn quoted_fens_are_read() {
    for mark in ['"', '\''] {
        let fen = format!("{mark}{}{mark}", kiwipete());
        let lines = lines(&["perft", "2", "--fen", &fen, "--divide"]);
        assert_eq!(divided(&lines), (48, 2039));
    }
}

/// Move generator tests: a position, and every move of it.
#[test]
fn perft_divides_a_position() {
    let lines = lines(&["perft", "3", "--fen", kiwipete(), "--divide"]);
    assert_eq!(divided(&lines), (48, 97862));
    let text = lines.join("\n");
    assert!(text.contains("97862"), "{text}");
}

/// Positions pasted from elsewhere: a right whose king is not at home is none, unless it is Chess960.
#[test]
fn castling_rights_are_those_of_the_variant() {
    let astray = "4k3/8/8/8/8/8/8/R4K2 w Q - 0 1";
    let count = |arguments: &[&str]| divided(&lines(arguments)).0;
    let standard = count(&["perft", "1", "--divide", "--fen", astray]);
    let chess960 = count(&["perft", "1", "--divide", "--chess960", "--fen", astray]);
    assert_eq!((standard, chess960), (16, 17));
    assert!(!lines(&["eval", "--chess960", "--fen", astray]).is_empty());
}

/// People at a terminal: an analysis to read.
#[test]
fn analyse_shows_depths_and_the_best_move() {
    let text = lines(&["analyse", "--depth", "3", "--fen", kiwipete()]).join("\n");
    for words in [kiwipete(), "Depth ", "\n 3/", "Best move: "] {
        assert!(text.contains(words), "no {words:?} in:\n{text}");
    }
    let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    let text = lines(&["analyse", "--fen", mated]).join("\n");
    assert!(text.contains("checkmated"), "{text}");
    refused(&["analyse", "--fen", "8/8"]);
    refused(&["analyse", "--time", "0"]);
}

/// Tuners.
#[test]
fn eval_of_a_position() {
    for fen in [kiwipete(), "4k3/8/8/8/8/8/8/4K2Q w - - 0 1"] {
        let text = lines(&["eval", "--fen", fen]).join("\n");
        assert!(text.contains(|c: char| c.is_ascii_digit()), "{text}");
    }
}

/// People: a picture of the board with what each piece is worth.
#[test]
fn eval_draws_a_picture() {
    let file = format!(
        "{}/picture-{}.svg",
        env!("CARGO_TARGET_TMPDIR"),
        std::process::id()
    );
    let told = lines(&["eval", "--fen", kiwipete(), "--svg", &file]).join("\n");
    let picture = std::fs::read_to_string(&file).expect("the picture");
    std::fs::remove_file(&file).expect("the picture can be removed");
    assert!(told.contains("Evaluation: "), "{told}");
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    let count = |letter| picture.matches(letter).count();
    assert_eq!((count('\u{265a}'), count('\u{265f}')), (2, 16));
    assert!(picture.contains(kiwipete()), "no FEN in the picture");
    assert_eq!(picture.matches("<rect ").count(), 65);
}

/// People: where a single term comes from.
#[test]
fn eval_draws_one_term() {
    let file = format!(
        "{}/term-{}.svg",
        env!("CARGO_TARGET_TMPDIR"),
        std::process::id()
    );
    // The rook attacks the bishop, which nothing defends; the pawns have no part in it.
    let fen = "4k3/7p/8/3b4/8/8/7P/3RK3 w - - 0 1";
    lines(&["eval", "--fen", fen, "--svg", &file, "--term", "threats"]);
    let picture = std::fs::read_to_string(&file).expect("the picture");
    std::fs::remove_file(&file).expect("the picture can be removed");
    // A colour for each of the four pieces that are no kings.
    assert_eq!(picture.matches("<rect ").count(), 65 + 4);
    assert_eq!(picture.matches(">0.00<").count(), 2, "{picture}");
    let message = refused(&["eval", "--svg", &file, "--term", "beauty"]);
    assert!(message.contains("King danger"), "{message}");
}

/// Scripts: a place where nothing can be written.
#[test]
fn a_picture_that_cannot_be_written_is_an_error() {
    let message = refused(&["eval", "--svg", "/nowhere/at/all.svg"]);
    assert!(message.contains("/nowhere/at/all.svg"), "{message}");
}

/// All of them: no arguments and no input is a short life, but a good one.
#[test]
fn h7_no_arguments_and_no_input() {
    let output = run(&[]);
    assert!(output.status.success(), "{}", output.status);
    assert!(output.stdout.is_empty(), "{}", text(&output.stdout));
}
