//! From a line of text to a [`Command`].
//!
//! `go` and `position` are read by a lenient pass of our own, `setoption` by splitting at its two keywords.
//! The commands without content are read by [`shakmaty_uci`].

use shakmaty_uci::UciMessage;

use super::go::Go;
use super::text::quote;
use crate::bench;
use crate::search::MAX_THREADS;

/// What a line asks for.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Command {
    /// `uci`
    Uci,
    /// `debug on` or `debug off`
    Debug(bool),
    /// `isready`
    IsReady,
    /// `setoption`
    SetOption {
        /// The name as sent.
        name: String,
        /// The value as sent; `None` when there is no word `value`.
        value: Option<String>,
    },
    /// `register`
    Register,
    /// `ucinewgame`
    NewGame,
    /// `position`
    Position {
        /// Where the moves start from.
        start: Start,
        /// The moves as sent.
        moves: Vec<String>,
    },
    /// `go`
    Go(Box<Go>),
    /// `stop`
    Stop,
    /// `ponderhit`
    PonderHit,
    /// `quit`
    Quit,
    /// `d`: show the position.
    Display,
    /// `eval`: explain the evaluation.
    Eval,
    /// `bench [depth] [threads] [hash]`
    Bench(bench::Config),
    /// `flip`: mirror the position, with the colours exchanged.
    Flip,
    /// `help`
    Help,
    /// A line that says nothing.
    Nothing,
    /// A line with a mistake: what is wrong with it.
    Wrong(String),
}

/// Where a `position` command starts.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Start {
    /// The start position of chess.
    Initial,
    /// A FEN as sent.
    Fen(String),
}

/// Reads one line. Also returns notes on words that were ignored.
///
/// Unknown words before a command of UCI are skipped, as UCI asks. The commands that are our own (`d`, `eval`,
/// `bench`, `flip`, `help`) count only at the start of a line.
pub fn parse(line: &str) -> (Command, Vec<String>) {
    let line = line.trim_start_matches('\u{feff}').trim();
    let words: Vec<&str> = line.split_whitespace().collect();
    let Some(&first) = words.first() else {
        return (Command::Nothing, Vec::new());
    };
    if let Some(command) = parse_own(&first.to_ascii_lowercase(), &words) {
        return (command, Vec::new());
    }
    match words.iter().position(|word| is_uci(word)) {
        Some(index) => parse_uci(line, &words[index..]),
        None => (
            Command::Wrong(format!("unknown command {}", quote(line))),
            Vec::new(),
        ),
    }
}

fn is_uci(word: &str) -> bool {
    const WORDS: [&str; 11] = [
        "uci",
        "debug",
        "isready",
        "setoption",
        "register",
        "ucinewgame",
        "position",
        "go",
        "stop",
        "ponderhit",
        "quit",
    ];
    WORDS.iter().any(|known| word.eq_ignore_ascii_case(known))
}

fn parse_own(first: &str, words: &[&str]) -> Option<Command> {
    Some(match first {
        "d" => Command::Display,
        "eval" => Command::Eval,
        "flip" => Command::Flip,
        "help" => Command::Help,
        "bench" => parse_bench(words),
        _ => return None,
    })
}

/// `words` starts with a word of [`is_uci`].
fn parse_uci(line: &str, words: &[&str]) -> (Command, Vec<String>) {
    let [command, rest @ ..] = words else {
        return (Command::Nothing, Vec::new());
    };
    let command = match command.to_ascii_lowercase().as_str() {
        "go" => {
            let (go, notes) = Go::parse(rest);
            return (Command::Go(Box::new(go)), notes);
        }
        "position" => return parse_position(rest),
        "setoption" => parse_set_option(line),
        "register" => Command::Register,
        "debug" => parse_message(&words[..words.len().min(2)].join(" ")),
        word => parse_message(word),
    };
    (command, Vec::new())
}

fn parse_message(text: &str) -> Command {
    match text.parse() {
        Ok(UciMessage::Uci) => Command::Uci,
        Ok(UciMessage::Debug(on)) => Command::Debug(on),
        Ok(UciMessage::IsReady) => Command::IsReady,
        Ok(UciMessage::UciNewGame) => Command::NewGame,
        Ok(UciMessage::Stop) => Command::Stop,
        Ok(UciMessage::PonderHit) => Command::PonderHit,
        Ok(UciMessage::Quit) => Command::Quit,
        _ => Command::Wrong(format!("cannot read {}", quote(text))),
    }
}

fn parse_position(words: &[&str]) -> (Command, Vec<String>) {
    let is_moves = |word: &&str| word.eq_ignore_ascii_case("moves");
    let split = words.iter().position(is_moves).unwrap_or(words.len());
    let (place, moves) = words.split_at(split);
    let (start, surplus) = match place {
        [first, rest @ ..] if first.eq_ignore_ascii_case("startpos") => (Start::Initial, rest),
        [first, rest @ ..] if first.eq_ignore_ascii_case("fen") => {
            (Start::Fen(rest.join(" ")), &[][..])
        }
        [first, ..] if first.contains('/') => (Start::Fen(place.join(" ")), &[][..]),
        _ => {
            let problem = "position needs startpos or fen".to_string();
            return (Command::Wrong(problem), Vec::new());
        }
    };
    let notes = match surplus {
        [] => Vec::new(),
        _ => vec![format!("position: ignored {}", quote(&surplus.join(" ")))],
    };
    let moves = moves.iter().skip(1).map(ToString::to_string).collect();
    (Command::Position { start, moves }, notes)
}

/// The name is between `name` and `value`; the value is the rest of the line, spaces and all.
fn parse_set_option(line: &str) -> Command {
    let after = |word| split_at_word(line, word).map(|(_, rest)| rest);
    let Some(text) = after("setoption") else {
        return Command::Nothing;
    };
    let Some((_, text)) = split_at_word(text, "name") else {
        return Command::Wrong("setoption needs a name".to_string());
    };
    let (name, value) = match split_at_word(text, "value") {
        Some((name, value)) => (name, Some(value.trim().to_string())),
        None => (text, None),
    };
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    Command::SetOption { name, value }
}

/// The text before and after the first occurrence of a word, in any case.
fn split_at_word<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let mut rest = text;
    loop {
        let start = rest.trim_start();
        let length = start.find(char::is_whitespace).unwrap_or(start.len());
        let (candidate, after) = start.split_at(length);
        if candidate.eq_ignore_ascii_case(word) {
            let (before, _) = text.split_at(text.len() - start.len());
            return Some((before, after));
        }
        if candidate.is_empty() {
            return None;
        }
        rest = after;
    }
}

fn parse_bench(words: &[&str]) -> Command {
    const USAGE: &str = "usage: bench [depth] [threads] [hash]";
    let mut config = bench::Config::default();
    let numbers = words.iter().skip(1).map(|word| word.parse::<u32>());
    let fields = [&mut config.depth, &mut config.threads, &mut config.hash_mib];
    for (field, number) in fields.into_iter().zip(numbers) {
        match number {
            Ok(number) if number > 0 => *field = number,
            _ => return Command::Wrong(USAGE.to_string()),
        }
    }
    if words.len() > 4 {
        return Command::Wrong(USAGE.to_string());
    }
    config.threads = config.threads.min(MAX_THREADS);
    Command::Bench(config)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str) -> Command {
        let (command, notes) = parse(line);
        assert!(notes.is_empty(), "{line}: {notes:?}");
        command
    }

    fn set(name: &str, value: Option<&str>) -> Command {
        Command::SetOption {
            name: name.to_string(),
            value: value.map(str::to_string),
        }
    }

    fn moves_of(line: &str) -> (Start, Vec<String>) {
        match command(line) {
            Command::Position { start, moves } => (start, moves),
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn plain_commands() {
        assert_eq!(command("uci"), Command::Uci);
        assert_eq!(command(" \t isready \r\n"), Command::IsReady);
        assert_eq!(command("UciNewGame"), Command::NewGame);
        assert_eq!(command("stop now"), Command::Stop);
        assert_eq!(command("ponderhit"), Command::PonderHit);
        assert_eq!(command("quit"), Command::Quit);
        assert_eq!(command("debug on"), Command::Debug(true));
        assert_eq!(command("debug off please"), Command::Debug(false));
        assert_eq!(command("register later"), Command::Register);
        assert!(matches!(command("debug"), Command::Wrong(_)));
    }

    #[test]
    fn unknown_leading_words_are_skipped() {
        assert_eq!(command("joho isready"), Command::IsReady);
        assert_eq!(command("joho debug on"), Command::Debug(true));
        assert_eq!(command("\u{feff}uci"), Command::Uci);
        assert_eq!(
            command("joho d"),
            Command::Wrong("unknown command `joho d`".to_string())
        );
        assert_eq!(command(""), Command::Nothing);
        assert_eq!(command("  \r"), Command::Nothing);
        assert_eq!(
            command("is\0ready"),
            Command::Wrong("unknown command `is\0ready`".to_string())
        );
    }

    #[test]
    fn positions() {
        assert_eq!(moves_of("position startpos"), (Start::Initial, Vec::new()));
        assert_eq!(
            moves_of("position startpos moves"),
            (Start::Initial, Vec::new())
        );
        assert_eq!(
            moves_of("position  startpos\tmoves e2e4  e7e5"),
            (Start::Initial, vec!["e2e4".to_string(), "e7e5".to_string()])
        );
        let fen = "5rk1/2p4p/2p4r/3P4/4p1b1/1Q2NqPp/PP3P1K/R4R2 b - -";
        for line in [
            format!("position fen {fen} moves"),
            format!("position fen {fen}"),
            format!("position {fen}"),
        ] {
            assert_eq!(moves_of(&line), (Start::Fen(fen.to_string()), Vec::new()));
        }
        assert!(matches!(command("position"), Command::Wrong(_)));
        assert!(matches!(command("position moves e2e4"), Command::Wrong(_)));
        let (_, notes) = parse("position startpos e2e4");
        assert_eq!(notes, ["position: ignored `e2e4`"]);
    }

    #[test]
    fn options_keep_their_spaces() {
        assert_eq!(
            command("setoption name Hash value 32"),
            set("Hash", Some("32"))
        );
        assert_eq!(
            command("setoption name  Clear   Hash"),
            set("Clear Hash", None)
        );
        assert_eq!(
            command("setoption name Debug Log File value /tmp/a  b.log "),
            set("Debug Log File", Some("/tmp/a  b.log"))
        );
        assert_eq!(
            command("setoption NAME hAsH VALUE 8"),
            set("hAsH", Some("8"))
        );
        assert_eq!(command("setoption name X value"), set("X", Some("")));
        assert!(matches!(command("setoption"), Command::Wrong(_)));
        assert!(matches!(command("setoption Hash"), Command::Wrong(_)));
    }

    #[test]
    fn bench_takes_three_numbers() {
        assert_eq!(command("bench"), Command::Bench(bench::Config::default()));
        assert_eq!(
            command("bench 5 2 64"),
            Command::Bench(bench::Config {
                depth: 5,
                threads: 2,
                hash_mib: 64
            })
        );
        assert!(matches!(command("bench x"), Command::Wrong(_)));
        assert!(matches!(command("bench 0"), Command::Wrong(_)));
    }

    #[test]
    fn a_huge_line_is_read() {
        let line = "x".repeat(1_000_000);
        assert!(matches!(command(&line), Command::Wrong(text) if text.len() < 100));
        let line = format!("position startpos moves {}", "e2e4 ".repeat(200_000));
        assert_eq!(moves_of(&line).1.len(), 200_000);
    }
}
