//! The weights as the text of `weights.rs`: how the tuner writes them.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::layout::Weights;
use crate::chess::piece_square::bucket_squares;
use crate::score::Tapered;

/// Squares on a board: groups whose last dimension is this are printed as boards.
const SQUARES: usize = 64;
/// Weights in a row of a list.
const ROW: usize = 8;

const HEAD: &str = "\
//! The weights the engine plays with, but for the tables by the placement of a king, which are in `weights_by_king`. The
//! tuner wrote this file: change the numbers by tuning.
//!
//! A pair is (middlegame, endgame) in centipawns. On a board the last rank is on top, with the middlegame on the left and
//! the endgame on the right; the board is turned over where the own king stands on the files e to h.
@MADE@
use super::layout::{Weights, board, t};
use super::weights_by_king;

/// The values.
#[rustfmt::skip]
pub const DEFAULT: Weights = Weights {
";

const HEAD_BY_KING: &str = "\
//! What is different on the boards of [`square`](super::Weights::square) with a king in a certain place, in centipawns. The
//! tuner wrote this file: change the numbers by tuning.
//!
//! The last rank is on top, the middlegame on the left and the endgame on the right. The board is turned over where the
//! king in question stands on the files e to h, so that it is always found on the left half.

use super::layout::board;
use crate::score::Tapered;
";

/// The groups that have a file of their own: name, constant, and whose king it is.
const BY_KING: [(&str, &str, &str); 2] = [
    ("own_king", "OWN_KING", "own"),
    ("enemy_king", "ENEMY_KING", "enemy"),
];

const ROLES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];

/// Where the head tells how the weights were made.
const MADE: &str = "@MADE@\n";

/// The text of a `weights.rs` with these weights. `made` says how they were made, in lines.
pub fn write(weights: &Weights, made: &[String]) -> String {
    let flat = weights.to_flat();
    let mut text = HEAD.replacen(MADE, &story(made), 1);
    for group in Weights::GROUPS {
        let values = &flat[group.offset..group.offset + group.len()];
        let by_king = BY_KING.iter().find(|(name, ..)| *name == group.name);
        // Writing to a String cannot fail.
        let _ = write!(text, "    {}: ", group.name);
        match by_king {
            Some((_, constant, _)) => {
                let _ = write!(text, "weights_by_king::{constant}");
            }
            None => write_array(&mut text, group.name, group.shape, values, 1),
        }
        text.push_str(",\n");
    }
    text.push_str("};\n");
    text
}

/// Where the tables by the placement of a king belong when the other weights are written to `path`: beside them, with
/// `_by_king` after the name.
pub fn path_by_king(path: &Path) -> PathBuf {
    let part = |part: Option<&OsStr>| {
        part.map_or_else(String::new, |part| part.to_string_lossy().into_owned())
    };
    let (stem, extension) = (part(path.file_stem()), part(path.extension()));
    let name = if extension.is_empty() {
        format!("{stem}_by_king")
    } else {
        format!("{stem}_by_king.{extension}")
    };
    path.with_file_name(name)
}

/// Writes `weights` to `path` and to [`path_by_king`]. `made` says how they were made, in lines.
///
/// # Errors
///
/// When one of the files cannot be written.
pub fn write_files(path: &Path, weights: &Weights, made: &[String]) -> io::Result<()> {
    let about = |path: &Path, error: &io::Error| {
        io::Error::new(error.kind(), format!("{}: {error}", path.display()))
    };
    let by_king = path_by_king(path);
    fs::write(path, write(weights, made)).map_err(|error| about(path, &error))?;
    fs::write(&by_king, write_by_king(weights)).map_err(|error| about(&by_king, &error))
}

/// The text of a `weights_by_king.rs` with these weights.
pub fn write_by_king(weights: &Weights) -> String {
    let flat = weights.to_flat();
    let mut text = HEAD_BY_KING.to_string();
    for (name, constant, who) in BY_KING {
        let Some(group) = Weights::GROUPS.iter().find(|group| group.name == name) else {
            continue;
        };
        let [buckets, roles, squares] = *group.shape else {
            continue;
        };
        let _ = writeln!(
            text,
            "\n/// By the place of the {who} king.\n#[rustfmt::skip]\n\
             pub const {constant}: [[[Tapered; {squares}]; {roles}]; {buckets}] = ["
        );
        let values = &flat[group.offset..group.offset + group.len()];
        for (bucket, boards) in values.chunks(roles * squares).enumerate() {
            text.push_str("    [\n");
            for (role, board) in ROLES.iter().zip(boards.chunks(squares)) {
                let place = bucket_squares(bucket);
                let _ = write!(text, "        // {who} king on {place}: {role}\n        ");
                write_board(&mut text, board, "        ");
                text.push_str(",\n");
            }
            text.push_str("    ],\n");
        }
        text.push_str("];\n");
    }
    text
}

/// The lines about how the weights were made, as a comment.
fn story(made: &[String]) -> String {
    if made.is_empty() {
        return "\n".to_string();
    }
    let lines = made
        .iter()
        .map(|line| format!("//! {line}").trim_end().to_string() + "\n");
    format!("//!\n//! ```text\n{}//! ```\n\n", lines.collect::<String>())
}

fn write_array(text: &mut String, name: &str, shape: &[usize], values: &[Tapered], level: usize) {
    let indent = "    ".repeat(level);
    match shape {
        [] => text.push_str(&pair(values[0])),
        [SQUARES] => write_board(text, values, &indent),
        [_] => {
            text.push_str("[\n");
            for row in values.chunks(ROW) {
                let pairs: Vec<String> = row.iter().copied().map(pair).collect();
                let _ = writeln!(text, "{indent}    {},", pairs.join(", "));
            }
            let _ = write!(text, "{indent}]");
        }
        [count, rest @ ..] => {
            text.push_str("[\n");
            for (number, part) in values.chunks(values.len() / count).enumerate() {
                let label = if *rest == [SQUARES] {
                    ROLES[number].to_string()
                } else {
                    format!("{name} {number}")
                };
                let _ = write!(text, "{indent}    // {label}\n{indent}    ");
                write_array(text, name, rest, part, level + 1);
                text.push_str(",\n");
            }
            let _ = write!(text, "{indent}]");
        }
    }
}

fn pair(value: Tapered) -> String {
    format!("t({}, {})", value.middlegame(), value.endgame())
}

/// A board, middlegame and endgame side by side, with the last rank on top.
fn write_board(text: &mut String, values: &[Tapered], indent: &str) {
    text.push_str("board([\n");
    for rank in values.chunks(ROW).rev() {
        let row = |half: fn(Tapered) -> i32| {
            let row: Vec<String> = rank
                .iter()
                .map(|&value| format!("{:>4}", half(value)))
                .collect();
            row.join(", ")
        };
        let (middlegame, endgame) = (row(Tapered::middlegame), row(Tapered::endgame));
        let _ = writeln!(text, "{indent}    ([{middlegame}], [{endgame}]),");
    }
    let _ = write!(text, "{indent}])");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::eval::DEFAULT;

    #[test]
    fn the_tables_by_king_stand_beside_the_other_weights() {
        for (path, beside) in [
            ("a/weights.rs", "a/weights_by_king.rs"),
            ("learned", "learned_by_king"),
        ] {
            assert_eq!(path_by_king(Path::new(path)), Path::new(beside));
        }
    }

    #[test]
    fn the_weights_are_written_as_this_writes_them() {
        let text = include_str!("weights.rs");
        let made: Vec<String> = text
            .lines()
            .skip_while(|line| *line != "//! ```text")
            .skip(1)
            .map_while(|line| line.strip_prefix("//!"))
            .take_while(|line| *line != " ```")
            .map(|line| line.strip_prefix(' ').unwrap_or(line).to_string())
            .collect();
        assert!(write(&DEFAULT, &made) == text);
        let by_king = include_str!("weights_by_king.rs");
        assert!(write_by_king(&DEFAULT) == by_king);
    }
}
