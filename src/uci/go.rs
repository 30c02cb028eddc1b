//! The words of a `go` command, in any order and combination.

use shakmaty::Color;
use std::time::Duration;

use super::moves;
use super::text::quote;
use crate::chess::position::Position;
use crate::score::MAX_PLY;
use crate::search::{Clock, Limits};

/// Times beyond a thousand years are cut down to it, in milliseconds.
const MAX_MILLISECONDS: i128 = 1000 * 366 * 24 * 3600 * 1000;
/// The largest `movestogo` and `mate`.
const MAX_MOVES: i128 = 10_000;
/// What a `go` gets when none of its limits could be read: the client waits for an answer.
const FALLBACK_MILLISECONDS: u64 = 1000;
/// A line full of mistakes gets no more notes than this.
const MAX_NOTES: usize = 8;

/// What a `go` command says, before it is applied to a position.
///
/// Numbers are as sent, so they may be negative or beyond all bounds; [`Go::limits`] brings them into range.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Go {
    white_time: Option<i128>,
    black_time: Option<i128>,
    white_increment: Option<i128>,
    black_increment: Option<i128>,
    moves_to_go: Option<i128>,
    depth: Option<i128>,
    nodes: Option<i128>,
    mate: Option<i128>,
    move_time: Option<i128>,
    perft: Option<i128>,
    search_moves: Vec<String>,
    infinite: bool,
    ponder: bool,
    unreadable: bool,
}

impl Go {
    /// Reads the words after `go`. Also returns a note on each word that was ignored.
    pub fn parse(words: &[&str]) -> (Go, Vec<String>) {
        let mut go = Go::default();
        let mut notes = Vec::new();
        let mut words = words.iter().copied().peekable();
        while let Some(word) = words.next() {
            let keyword = word.to_ascii_lowercase();
            match keyword.as_str() {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    while let Some(m) = words.next_if(|word| !is_keyword(word)) {
                        go.search_moves.push(m.to_string());
                    }
                }
                _ if go.number(&keyword).is_some() => {
                    let value = words.next_if(|word| !is_keyword(word));
                    go.set_number(&keyword, value, &mut notes);
                }
                _ => notes.push(format!("go: unknown word {}", quote(word))),
            }
        }
        notes.truncate(MAX_NOTES);
        (go, notes)
    }

    fn set_number(&mut self, keyword: &str, value: Option<&str>, notes: &mut Vec<String>) {
        let number = value.and_then(parse_number);
        match (number, self.number(keyword)) {
            (Some(number), Some(field)) => *field = Some(number),
            _ => {
                self.unreadable = true;
                if keyword == "perft" {
                    self.perft = Some(0);
                }
                let value = quote(value.unwrap_or_default());
                notes.push(format!("go: {keyword} needs a number, not {value}"));
            }
        }
    }

    /// The field that a keyword with a number sets.
    fn number(&mut self, keyword: &str) -> Option<&mut Option<i128>> {
        Some(match keyword {
            "wtime" => &mut self.white_time,
            "btime" => &mut self.black_time,
            "winc" => &mut self.white_increment,
            "binc" => &mut self.black_increment,
            "movestogo" => &mut self.moves_to_go,
            "depth" => &mut self.depth,
            "nodes" => &mut self.nodes,
            "mate" => &mut self.mate,
            "movetime" => &mut self.move_time,
            "perft" => &mut self.perft,
            _ => return None,
        })
    }

    /// The depth in plies when this is a `go perft`, which is no search; 0 when it cannot be read.
    pub fn perft(&self) -> Option<u32> {
        let depth = self.perft?.clamp(0, MAX_PLY as i128);
        Some(depth as u32)
    }

    /// The limits for the side to move in `position`, and a note on each root move that is not legal there.
    pub fn limits(&self, position: &Position) -> (Limits, Vec<String>) {
        let mut limits = Limits {
            depth: self.depth.map(|n| n.clamp(1, MAX_PLY as i128) as u32),
            nodes: self.nodes.map(|n| n.clamp(1, u64::MAX.into()) as u64),
            mate: self.mate.map(|n| n.clamp(1, MAX_MOVES) as u32),
            move_time: self.move_time.map(milliseconds),
            clock: self.clock(position.turn()),
            search_moves: Vec::new(),
            infinite: self.infinite,
            ponder: self.ponder,
        };
        let mut notes = Vec::new();
        if self.unreadable && is_endless(&limits) {
            limits.move_time = Some(Duration::from_millis(FALLBACK_MILLISECONDS));
            notes.push("go: without a limit that can be read, one second is taken".to_string());
        }
        for text in &self.search_moves {
            match moves::parse(text, position) {
                Some(m) if limits.search_moves.contains(&m) => {}
                Some(m) => limits.search_moves.push(m),
                None => notes.push(format!(
                    "searchmoves: {} is not legal and is left out",
                    quote(text)
                )),
            }
        }
        notes.truncate(MAX_NOTES);
        (limits, notes)
    }

    /// The clock of `turn`. Some tools send only the other side's: then it stands for both.
    fn clock(&self, turn: Color) -> Option<Clock> {
        let white = (self.white_time, self.white_increment);
        let black = (self.black_time, self.black_increment);
        let ((ours, increment), (theirs, _)) = turn.fold_wb((white, black), (black, white));
        let remaining = ours.or(theirs)?;
        let moves_to_go = self.moves_to_go.filter(|&moves| moves > 0);
        Some(Clock {
            remaining: remaining.clamp(-MAX_MILLISECONDS, MAX_MILLISECONDS) as i64,
            increment: increment.unwrap_or(0).clamp(0, MAX_MILLISECONDS) as i64,
            moves_to_go: moves_to_go.map(|moves| moves.min(MAX_MOVES) as u32),
        })
    }
}

fn is_keyword(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    matches!(word.as_str(), "infinite" | "ponder" | "searchmoves")
        || Go::default().number(&word).is_some()
}

fn is_endless(limits: &Limits) -> bool {
    let Limits {
        depth,
        nodes,
        mate,
        move_time,
        clock,
        ..
    } = limits;
    let limited = depth.is_some()
        || nodes.is_some()
        || mate.is_some()
        || move_time.is_some()
        || clock.is_some();
    !limited && !limits.waits_for_stop()
}

/// A whole number; one too large for `i128` becomes its largest or smallest, a fraction is cut off.
fn parse_number(word: &str) -> Option<i128> {
    if let Ok(number) = word.parse() {
        return Some(number);
    }
    let digits = word.trim_start_matches(['+', '-']);
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    word.parse::<f64>().ok().map(|number| number as i128)
}

fn milliseconds(number: i128) -> Duration {
    Duration::from_millis(number.clamp(0, MAX_MILLISECONDS) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::eval::Evaluator;
    use crate::chess::fen;

    fn position(fen: &str) -> Position {
        let chess = fen::parse(fen).expect("a position");
        Position::new(chess, Evaluator::new().table())
    }

    fn start(turn: &str) -> Position {
        position(&format!(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR {turn} KQkq - 0 1"
        ))
    }

    fn parse(text: &str) -> (Go, Vec<String>) {
        Go::parse(&text.split_whitespace().collect::<Vec<_>>())
    }

    fn limits(text: &str, turn: &str) -> Limits {
        let (go, notes) = parse(text);
        assert_eq!(notes, Vec::<String>::new(), "{text}");
        go.limits(&start(turn)).0
    }

    #[test]
    fn words_come_in_any_order() {
        let expected = Limits {
            depth: Some(9),
            nodes: Some(1000),
            mate: Some(3),
            move_time: Some(Duration::from_millis(50)),
            clock: Some(Clock {
                remaining: 300,
                increment: 7,
                moves_to_go: Some(12),
            }),
            search_moves: Vec::new(),
            infinite: true,
            ponder: true,
        };
        let there = "wtime 300 btime 400 winc 7 binc 8 movestogo 12 depth 9 nodes 1000 mate 3 movetime 50 \
                     infinite ponder";
        assert_eq!(limits(there, "w"), expected);
        let back = "ponder infinite movetime 50 mate 3 nodes 1000 depth 9 movestogo 12 binc 8 winc 7 \
                    btime 400 wtime 300";
        assert_eq!(limits(back, "w"), expected);
        let black = limits(there, "b").clock.expect("a clock");
        assert_eq!((black.remaining, black.increment), (400, 8));
    }

    #[test]
    fn ponder_keeps_the_clocks() {
        let limits = limits("ponder wtime 1000 btime 2000", "b");
        assert!(limits.ponder);
        assert_eq!(limits.clock.map(|clock| clock.remaining), Some(2000));
    }

    #[test]
    fn a_missing_clock_is_the_other_sides() {
        let clock = |text, turn| limits(text, turn).clock.map(|clock| clock.remaining);
        assert_eq!(clock("wtime 100", "w"), Some(100));
        assert_eq!(clock("btime 100", "w"), Some(100));
        assert_eq!(clock("winc 100", "w"), None);
        assert_eq!(clock("depth 3", "w"), None);
    }

    #[test]
    fn numbers_are_brought_into_range() {
        assert_eq!(limits("depth 0", "w").depth, Some(1));
        assert_eq!(limits("depth 999", "w").depth, Some(MAX_PLY as u32));
        assert_eq!(
            limits("nodes 18446744073709551615", "w").nodes,
            Some(u64::MAX)
        );
        assert_eq!(
            limits(&format!("nodes {}", "9".repeat(60)), "w").nodes,
            Some(u64::MAX)
        );
        assert_eq!(limits("movetime -1", "w").move_time, Some(Duration::ZERO));
        let clock = |text| limits(text, "w").clock.expect("a clock");
        assert_eq!(clock("wtime -50 btime 1000").remaining, -50);
        assert_eq!(
            clock("wtime 9223372036854775807").remaining,
            MAX_MILLISECONDS as i64
        );
        assert_eq!(clock("wtime 60000.75").remaining, 60_000);
        assert_eq!(clock("wtime 1 movestogo 0").moves_to_go, None);
    }

    #[test]
    fn bad_values_are_noted_and_ignored() {
        let (go, notes) = parse("wtime abc btime 100");
        assert_eq!(notes, ["go: wtime needs a number, not `abc`"]);
        let clock = go.limits(&start("b")).0.clock.expect("a clock");
        assert_eq!(clock.remaining, 100);

        let (go, notes) = parse("depth movetime 30 frobnicate");
        assert_eq!(
            notes,
            [
                "go: depth needs a number, not ``",
                "go: unknown word `frobnicate`"
            ]
        );
        let limits = go.limits(&start("w")).0;
        assert_eq!(
            (limits.depth, limits.move_time),
            (None, Some(Duration::from_millis(30)))
        );
        assert_eq!(parse(&"x ".repeat(1000)).1.len(), MAX_NOTES);
    }

    #[test]
    fn a_go_without_a_readable_limit_still_ends() {
        let (go, _) = parse("movetime abc");
        let (limits, notes) = go.limits(&start("w"));
        assert_eq!(limits.move_time, Some(Duration::from_secs(1)));
        assert_eq!(notes.len(), 1);
        let (go, _) = parse("infinite movetime abc");
        assert_eq!(go.limits(&start("w")).0.move_time, None);
    }

    #[test]
    fn root_moves_stand_before_or_after_other_words() {
        let root_moves = |text: &str| {
            let (go, notes) = parse(text);
            assert!(notes.is_empty());
            let (limits, notes) = go.limits(&start("w"));
            let moves = limits.search_moves.iter().map(ToString::to_string);
            (moves.collect::<Vec<_>>(), limits.infinite, notes.len())
        };
        let both = vec!["e2-e4".to_string(), "d2-d4".to_string()];
        for text in [
            "infinite searchmoves e2e4 d2d4",
            "searchmoves e2e4 d2d4 infinite",
        ] {
            assert_eq!(root_moves(text), (both.clone(), true, 0));
        }
        assert_eq!(
            root_moves("depth 3 searchmoves 0000"),
            (Vec::new(), false, 1)
        );
    }

    #[test]
    fn perft_takes_a_depth() {
        assert_eq!(parse("perft 5").0.perft(), Some(5));
        assert_eq!(parse("depth 5").0.perft(), None);
        assert_eq!(parse("perft").0.perft(), Some(0));
        assert_eq!(parse("perft -1").0.perft(), Some(0));
    }
}
