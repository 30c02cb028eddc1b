//! The options of the engine, in one table: the `option` lines and the reading of `setoption` come from it, and a test
//! compares the manual with it.

use shakmaty_uci::UciOptionConfig;

use super::text::quote;
use crate::chess::eval::{Part, Percent, percent};
use crate::search::{MAX_HASH_MIB, MAX_THREADS};

/// How a client says that a text is empty.
const EMPTY: &str = "<empty>";

/// The options.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Id {
    /// Size of the transposition table in MiB.
    Hash,
    /// Empties the transposition table.
    ClearHash,
    /// Number of search threads.
    Threads,
    /// Whether the client will let the engine ponder.
    Ponder,
    /// Number of lines to show.
    MultiPv,
    /// Time lost between engine and clock, in milliseconds.
    MoveOverhead,
    /// Whether castling is written as king takes rook.
    Chess960,
    /// Whether scores come with chances of win, draw and loss.
    ShowWdl,
    /// Folders with endgame tables.
    SyzygyPath,
    /// File that every line is copied to.
    DebugLogFile,
    /// Weight of a part of the evaluation in percent.
    Weight(Part),
}

/// What values an option takes.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Kind {
    /// A whole number.
    Spin {
        /// The value at the start.
        default: i64,
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
    },
    /// True or false.
    Check {
        /// The value at the start.
        default: bool,
    },
    /// Something to press; it has no value.
    Button,
    /// Any text.
    Text {
        /// The value at the start.
        default: &'static str,
    },
}

/// One row of the table.
#[derive(Copy, Clone, Debug)]
pub struct Entry {
    /// Which option it is.
    pub id: Id,
    /// The name under which clients know it.
    pub name: &'static str,
    /// What values it takes.
    pub kind: Kind,
}

/// All options, in the order in which they are listed.
pub const TABLE: [Entry; 16] = [
    Entry {
        id: Id::Hash,
        name: "Hash",
        kind: Kind::Spin {
            default: 16,
            min: 1,
            max: MAX_HASH_MIB as i64,
        },
    },
    Entry {
        id: Id::ClearHash,
        name: "Clear Hash",
        kind: Kind::Button,
    },
    Entry {
        id: Id::Threads,
        name: "Threads",
        kind: Kind::Spin {
            default: 1,
            min: 1,
            max: MAX_THREADS as i64,
        },
    },
    Entry {
        id: Id::Ponder,
        name: "Ponder",
        kind: Kind::Check { default: false },
    },
    Entry {
        id: Id::MultiPv,
        name: "MultiPV",
        kind: Kind::Spin {
            default: 1,
            min: 1,
            max: 256,
        },
    },
    Entry {
        id: Id::MoveOverhead,
        name: "Move Overhead",
        kind: Kind::Spin {
            default: 10,
            min: 0,
            max: 5000,
        },
    },
    Entry {
        id: Id::Chess960,
        name: "UCI_Chess960",
        kind: Kind::Check { default: false },
    },
    Entry {
        id: Id::ShowWdl,
        name: "UCI_ShowWDL",
        kind: Kind::Check { default: false },
    },
    Entry {
        id: Id::SyzygyPath,
        name: "SyzygyPath",
        kind: Kind::Text { default: "" },
    },
    Entry {
        id: Id::DebugLogFile,
        name: "Debug Log File",
        kind: Kind::Text { default: "" },
    },
    weight(Part::Material, "Material"),
    weight(Part::Position, "Position"),
    weight(Part::Mobility, "Mobility"),
    weight(Part::KingSafety, "King Safety"),
    weight(Part::PawnStructure, "Pawn Structure"),
    weight(Part::Endgame, "Endgame"),
];

const fn weight(part: Part, name: &'static str) -> Entry {
    Entry {
        id: Id::Weight(part),
        name,
        kind: Kind::Spin {
            default: percent::FULL as i64,
            min: 0,
            max: percent::MOST as i64,
        },
    }
}

/// A value that an option was given.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Value {
    /// Of a spin.
    Number(i64),
    /// Of a check.
    Switch(bool),
    /// Of a text.
    Text(String),
    /// Of a button.
    Pressed,
}

/// An option set to a value.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Setting {
    /// Which option.
    pub id: Id,
    /// The value, within the option's range.
    pub value: Value,
    /// Something the user should know: that the value was brought into range.
    pub note: Option<String>,
}

impl Entry {
    /// The line that offers the option to a client.
    pub fn line(&self) -> String {
        let name = self.name.to_string();
        let config = match self.kind {
            Kind::Spin { default, min, max } => UciOptionConfig::Spin {
                name,
                default: Some(default),
                min: Some(min),
                max: Some(max),
            },
            Kind::Check { default } => UciOptionConfig::Check {
                name,
                default: Some(default),
            },
            Kind::Button => UciOptionConfig::Button { name },
            Kind::Text { default } => UciOptionConfig::String {
                name,
                default: Some(if default.is_empty() { EMPTY } else { default }.to_string()),
            },
        };
        config.to_string()
    }

    fn parse(&self, value: Option<&str>) -> Result<Setting, String> {
        let mut note = None;
        let value = match self.kind {
            Kind::Button => Value::Pressed,
            Kind::Check { .. } => Value::Switch(parse_switch(self.name, value)?),
            Kind::Spin { min, max, .. } => {
                let number = parse_number(self.name, value)?;
                let inside = number.clamp(min, max);
                if inside != number {
                    let sent = quote(value.unwrap_or_default());
                    note = Some(format!(
                        "{}: {sent} is out of range, {inside} is taken",
                        self.name
                    ));
                }
                Value::Number(inside)
            }
            Kind::Text { .. } => {
                let text = value.unwrap_or_default();
                Value::Text(if text == EMPTY { "" } else { text }.to_string())
            }
        };
        Ok(Setting {
            id: self.id,
            value,
            note,
        })
    }
}

/// Reads the name and the value of a `setoption`. Names are the same in upper and lower case.
///
/// # Errors
///
/// The reason, for the user, when the option is unknown or the value makes no sense.
pub fn parse(name: &str, value: Option<&str>) -> Result<Setting, String> {
    let entry = TABLE
        .iter()
        .find(|entry| entry.name.eq_ignore_ascii_case(name));
    match entry {
        Some(entry) => entry.parse(value),
        None => Err(format!("unknown option {}", quote(name))),
    }
}

fn parse_switch(name: &str, value: Option<&str>) -> Result<bool, String> {
    let value = value.unwrap_or_default();
    if value.eq_ignore_ascii_case("true") {
        Ok(true)
    } else if value.eq_ignore_ascii_case("false") {
        Ok(false)
    } else {
        Err(format!("{name} needs true or false, not {}", quote(value)))
    }
}

/// A number too large for `i64` becomes its largest or smallest.
fn parse_number(name: &str, value: Option<&str>) -> Result<i64, String> {
    use std::num::IntErrorKind::{NegOverflow, PosOverflow};
    let value = value.unwrap_or_default();
    value.parse::<i64>().or_else(|error| match error.kind() {
        PosOverflow => Ok(i64::MAX),
        NegOverflow => Ok(i64::MIN),
        _ => Err(format!("{name} needs a whole number, not {}", quote(value))),
    })
}

/// The values that the loop itself needs. They start with the defaults of the [`TABLE`].
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Values {
    /// Size of the transposition table in MiB.
    pub hash_mib: usize,
    /// Number of search threads.
    pub threads: usize,
    /// Number of lines to show.
    pub multi_pv: usize,
    /// Reserve for each move in milliseconds.
    pub move_overhead: u64,
    /// Whether castling is written as king takes rook.
    pub chess960: bool,
    /// Whether scores come with their chances.
    pub show_wdl: bool,
    /// Weights of the parts of the evaluation.
    pub percent: Percent,
}

impl Values {
    /// The values at the start.
    pub fn new() -> Values {
        let mut values = Values::default();
        for entry in &TABLE {
            match entry.kind {
                Kind::Spin { default, .. } => values.set(entry.id, &Value::Number(default)),
                Kind::Check { default } => values.set(entry.id, &Value::Switch(default)),
                Kind::Button | Kind::Text { .. } => {}
            }
        }
        values
    }

    /// Notes a value; options that are none of the fields change nothing.
    pub fn set(&mut self, id: Id, value: &Value) {
        match (id, value) {
            (Id::Hash, Value::Number(mib)) => self.hash_mib = to_usize(*mib),
            (Id::Threads, Value::Number(threads)) => self.threads = to_usize(*threads),
            (Id::MultiPv, Value::Number(lines)) => self.multi_pv = to_usize(*lines),
            (Id::MoveOverhead, Value::Number(ms)) => self.move_overhead = ms.unsigned_abs(),
            (Id::Chess960, Value::Switch(on)) => self.chess960 = *on,
            (Id::ShowWdl, Value::Switch(on)) => self.show_wdl = *on,
            (Id::Weight(part), Value::Number(weight)) => {
                self.percent.set(part, to_usize(*weight) as i32);
            }
            _ => {}
        }
    }
}

fn to_usize(number: i64) -> usize {
    usize::try_from(number).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(name: &str, text: &str) -> Value {
        parse(name, Some(text)).expect("a setting").value
    }

    #[test]
    fn lines_have_the_form_that_clients_read() {
        let lines: Vec<String> = TABLE.iter().map(Entry::line).collect();
        assert_eq!(
            lines[0],
            format!("option name Hash type spin default 16 min 1 max {MAX_HASH_MIB}")
        );
        assert_eq!(lines[1], "option name Clear Hash type button");
        assert_eq!(lines[3], "option name Ponder type check default false");
        assert_eq!(
            lines[9],
            "option name Debug Log File type string default <empty>"
        );
        const { assert!(MAX_HASH_MIB >= 512) };
    }

    #[test]
    fn no_name_contains_a_keyword_and_no_name_comes_twice() {
        for (index, entry) in TABLE.iter().enumerate() {
            for word in entry.name.split(' ') {
                assert!(!["name", "type", "value", "default", "min", "max", "var"].contains(&word));
            }
            let same = |other: &Entry| other.name.eq_ignore_ascii_case(entry.name);
            assert_eq!(TABLE.iter().position(same), Some(index));
            let (kind, default) = match entry.kind {
                Kind::Spin { default, .. } => ("spin", default.to_string()),
                Kind::Check { default } => ("check", default.to_string()),
                Kind::Button => ("button", String::new()),
                Kind::Text { .. } => ("string", "empty".to_string()),
            };
            let row = format!("| `{}` | {kind} | {default}", entry.name);
            assert!(include_str!("../../README.md").contains(&row), "{row}");
        }
    }

    #[test]
    fn defaults_lie_in_their_range() {
        for entry in &TABLE {
            if let Kind::Spin { default, min, max } = entry.kind {
                assert!((min..=max).contains(&default), "{}", entry.name);
            }
        }
        let values = Values::new();
        assert_eq!((values.hash_mib, values.threads), (16, 1));
        assert_eq!((values.multi_pv, values.move_overhead), (1, 10));
        assert!(!values.chess960 && !values.show_wdl);
    }

    #[test]
    fn names_are_the_same_in_any_case() {
        assert_eq!(value("hAsH", "8"), Value::Number(8));
        assert_eq!(value("HASH", "20"), Value::Number(20));
        assert_eq!(
            parse("clear hash", None).map(|s| s.value),
            Ok(Value::Pressed)
        );
        assert_eq!(value("uci_chess960", "TRUE"), Value::Switch(true));
    }

    #[test]
    fn values_out_of_range_are_clamped_with_a_note() {
        for (text, expected) in [
            ("-5", 1),
            ("0", 1),
            ("999999999999", 1024),
            ("99999999999999999999999", 1024),
            ("-99999999999999999999999", 1),
        ] {
            let setting = parse("Threads", Some(text)).expect("a setting");
            assert_eq!(setting.value, Value::Number(expected));
            assert!(setting.note.is_some_and(|note| note.contains(text)));
        }
        assert_eq!(parse("Threads", Some("4")).expect("a setting").note, None);
    }

    #[test]
    fn garbage_is_refused() {
        for (name, text) in [
            ("Threads", Some("abc")),
            ("Threads", Some("")),
            ("Threads", None),
            ("Threads", Some("1.5")),
            ("Ponder", Some("maybe")),
            ("Ponder", None),
            ("No Such Option", Some("1")),
            ("", None),
        ] {
            assert!(parse(name, text).is_err(), "{name} {text:?}");
        }
    }

    #[test]
    fn texts_may_be_empty_or_have_spaces() {
        assert_eq!(
            value("Debug Log File", "/a b"),
            Value::Text("/a b".to_string())
        );
        for empty in [Some("<empty>"), Some(""), None] {
            let setting = parse("debug log file", empty).expect("a setting");
            assert_eq!(setting.value, Value::Text(String::new()));
        }
    }
}
