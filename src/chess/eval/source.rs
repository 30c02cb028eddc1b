//! The weights as the text of `weights.rs`: how the tuner writes them.

use std::fmt::Write as _;

use super::layout::{Group, Weights};
use crate::score::Tapered;

/// Squares on a board: groups whose last dimension is this are printed as boards.
const SQUARES: usize = 64;
/// Weights in a row of a list.
const ROW: usize = 8;

const HEAD: &str = "\
//! The weights the engine plays with. The tuner wrote this file: change the numbers by tuning.
//!
//! A pair is (middlegame, endgame) in centipawns. Boards come in such pairs too, with the last rank on top.
@MADE@
use super::layout::Weights;
use crate::score::Tapered;

const fn t(middlegame: i32, endgame: i32) -> Tapered {
    Tapered::new(middlegame, endgame)
}

/// A board of pairs from two boards that are written as one sees them.
const fn board(middlegame: [[i16; 8]; 8], endgame: [[i16; 8]; 8]) -> [Tapered; 64] {
    let mut squares = [Tapered::new(0, 0); 64];
    let mut square = 0;
    while square < 64 {
        let (rank, file) = (7 - square / 8, square % 8);
        squares[square] = t(middlegame[rank][file] as i32, endgame[rank][file] as i32);
        square += 1;
    }
    squares
}

/// The values.
#[rustfmt::skip]
pub const DEFAULT: Weights = Weights {
";

/// Where the head tells how the weights were made.
const MADE: &str = "@MADE@\n";

/// The text of a `weights.rs` with these weights. `made` says how they were made, in lines.
pub fn write(weights: &Weights, made: &[String]) -> String {
    let flat = weights.to_flat();
    let mut text = HEAD.replacen(MADE, &story(made), 1);
    for group in Weights::GROUPS {
        let values = &flat[group.offset..group.offset + group.len()];
        // Writing to a String cannot fail.
        let _ = write!(text, "    {}: ", group.name);
        write_array(&mut text, group, group.shape, values, 1);
        text.push_str(",\n");
    }
    text.push_str("};\n");
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

fn write_array(
    text: &mut String,
    group: &Group,
    shape: &[usize],
    values: &[Tapered],
    level: usize,
) {
    let indent = "    ".repeat(level);
    match shape {
        [] => text.push_str(&pair(values[0])),
        [SQUARES] => write_boards(text, values, &indent),
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
                let _ = writeln!(text, "{indent}    // {} {number}", group.name);
                let _ = write!(text, "{indent}    ");
                write_array(text, group, rest, part, level + 1);
                text.push_str(",\n");
            }
            let _ = write!(text, "{indent}]");
        }
    }
}

fn pair(value: Tapered) -> String {
    format!("t({}, {})", value.middlegame(), value.endgame())
}

/// Two boards, middlegame and endgame, with the last rank on top.
fn write_boards(text: &mut String, values: &[Tapered], indent: &str) {
    text.push_str("board([\n");
    for (half, end) in [Tapered::middlegame, Tapered::endgame]
        .into_iter()
        .zip(["], [\n", "])"])
    {
        for rank in values.chunks(ROW).rev() {
            let row: Vec<String> = rank.iter().map(|&v| format!("{:>4}", half(v))).collect();
            let _ = writeln!(text, "{indent}    [{}],", row.join(", "));
        }
        let _ = write!(text, "{indent}{end}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::eval::DEFAULT;

    #[test]
    fn the_weights_are_written_as_this_writes_them() {
        let text = include_str!("weights.rs");
        let made: Vec<String> = text
            .lines()
            .skip_while(|line| *line != "//! ```text")
            .skip(1)
            .map_while(|line| line.strip_prefix("//! "))
            .take_while(|line| *line != "```")
            .map(String::from)
            .collect();
        assert_eq!(write(&DEFAULT, &made), text);
    }
}
