//! An analysis for a person: a table of depths, scores and lines.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Instant;

use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, Color, Move, Position as _};

use crate::chess::fen;
use crate::chess::keys::KeyPath;
use crate::chess::position::Position;
use crate::score::Score;
use crate::search::{Control, Job, Limits, Outcome, Report, Search, Settings, Variation};
use crate::uci::moves;
use crate::uci::wdl::Model;

/// Longest line shown, in characters.
const LINE_WIDTH: usize = 64;
const HASH_MIB: usize = 64;

/// Analyses a position and prints the table and the best move, with castling as `mode` writes it.
///
/// # Errors
///
/// When there is no memory for the table, or standard output cannot be written to.
pub fn run(root: Position, limits: Limits, mode: CastlingMode) -> io::Result<()> {
    let mut search = Search::new(HASH_MIB, 1).map_err(io::Error::other)?;
    let chess = root.chess().clone();
    let job = Job {
        root,
        path: KeyPath::default(),
        limits,
        settings: Settings::default(),
        start: Instant::now(),
    };
    let mut stdout = io::stdout();
    writeln!(stdout, "{}\n", fen::write(&chess))?;
    writeln!(stdout, "{HEADER}")?;
    let control = Control::new();
    let mut written = Ok(());
    let outcome = search.run(&job, &control, &mut |report| {
        let Report::Variation(variation) = report else {
            return;
        };
        if variation.stands() && variation.multi_pv == 1 && written.is_ok() {
            written = writeln!(io::stdout(), "{}", row(&variation, &chess));
            if written.is_err() {
                control.stop();
            }
        }
    });
    written?;
    writeln!(stdout, "\n{}", summary(&outcome, &chess, mode))
}

const HEADER: &str = "Depth   Score    Nodes    Nodes/s   Time  Line";

fn row(variation: &Variation, root: &Chess) -> String {
    let figures = &variation.figures;
    format!(
        "{:>2}/{:<3} {:>6} {:>8} {:>10} {:>6.2}  {}",
        variation.depth,
        variation.selective_depth,
        shown_for_white(variation.score, root),
        short(figures.nodes),
        short(figures.nodes_per_second()),
        figures.elapsed.as_secs_f64(),
        san_line(&variation.moves, root)
    )
}

fn summary(outcome: &Outcome, root: &Chess, mode: CastlingMode) -> String {
    let Some(best) = outcome.best else {
        let how = if root.is_check() {
            "checkmated"
        } else {
            "stalemated"
        };
        return format!("The side to move is {how}.");
    };
    let san = SanPlus::from_move(root.clone(), best);
    let uci = moves::write(best, mode);
    let score = shown_for_white(outcome.score, root);
    format!("Best move: {san} ({uci}), {score}")
}

/// The score as programs are shown it, from White's view.
fn shown_for_white(score: Score, root: &Chess) -> String {
    score_for_white(Model::new(root.board()).shown(score), root.turn())
}

/// The score from White's view: `+0.35` in pawns, `#3` when White mates, `#-3` when Black does.
fn score_for_white(score: Score, turn: Color) -> String {
    let sign = turn.fold_wb(1, -1);
    match score.mate_moves() {
        Some(moves) => format!("#{}", sign * moves),
        None => format!("{:+.2}", f64::from(sign * score.raw()) / 100.0),
    }
}

/// Moves in standard algebraic notation with their numbers, cut when the line gets long.
fn san_line(line: &[Move], root: &Chess) -> String {
    let mut position = root.clone();
    let mut text = String::new();
    for &m in line {
        let mut word = String::new();
        // Writing to a String cannot fail.
        if position.turn() == Color::White {
            let _ = write!(word, "{}. ", position.fullmoves());
        } else if text.is_empty() {
            let _ = write!(word, "{}... ", position.fullmoves());
        }
        let san = SanPlus::from_move_and_play_unchecked(&mut position, m);
        let _ = write!(word, "{san}");
        if text.len() + word.len() >= LINE_WIDTH {
            text.push_str(" ...");
            break;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&word);
    }
    text
}

/// A number with three or four digits and a unit: `987`, `12.3k`, `4.56M`.
pub fn short(number: u64) -> String {
    const UNITS: [(f64, &str); 3] = [(1e9, "G"), (1e6, "M"), (1e3, "k")];
    let value = number as f64;
    for (size, unit) in UNITS {
        if value >= size {
            let scaled = value / size;
            let decimals = if scaled < 10.0 {
                2
            } else if scaled < 100.0 {
                1
            } else {
                0
            };
            return format!("{scaled:.decimals$}{unit}");
        }
    }
    number.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(short(0), "0");
        assert_eq!(short(999), "999");
        assert_eq!(short(1_000), "1.00k");
        assert_eq!(short(12_345), "12.3k");
        assert_eq!(short(123_456), "123k");
        assert_eq!(short(4_560_000), "4.56M");
        assert_eq!(short(7_000_000_000), "7.00G");
    }

    #[test]
    fn scores_are_whites() {
        let score = Score::from_centipawns(35);
        assert_eq!(score_for_white(score, Color::White), "+0.35");
        assert_eq!(score_for_white(score, Color::Black), "-0.35");
        assert_eq!(score_for_white(Score::mate_in(5), Color::White), "#3");
        assert_eq!(score_for_white(Score::mate_in(5), Color::Black), "#-3");
        assert_eq!(score_for_white(Score::mated_in(4), Color::White), "#-2");
    }

    #[test]
    fn lines_are_numbered_and_cut() {
        let root = fen::parse("4k3/8/8/8/8/8/8/R3K3 b Q - 0 7").expect("a position");
        let mut position = root.clone();
        let mut line = Vec::new();
        for san in ["Kd7", "O-O-O+", "Ke7"] {
            let san: SanPlus = san.parse().expect("a move");
            let m = san.san.to_move(&position).expect("a legal move");
            position.play_unchecked(m);
            line.push(m);
        }
        assert_eq!(san_line(&line, &root), "7... Kd7 8. O-O-O+ Ke7");
        assert_eq!(san_line(&[], &root), "");
        let dance = ["Nf3", "Nf6", "Ng1", "Ng8"].repeat(20);
        let mut position = crate::chess::position::initial_chess();
        let start = position.clone();
        let mut line = Vec::new();
        for san in dance {
            let san: SanPlus = san.parse().expect("a move");
            let m = san.san.to_move(&position).expect("a legal move");
            position.play_unchecked(m);
            line.push(m);
        }
        let text = san_line(&line, &start);
        assert!(text.len() <= LINE_WIDTH + 4 && text.ends_with(" ..."));
    }
}
