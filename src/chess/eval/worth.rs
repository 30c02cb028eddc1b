//! What each piece on the board is worth where it stands: material and piece squares, for the text and the picture.

use std::fmt::Write as _;

use shakmaty::{Piece, Rank, Square};

use super::evaluator::Evaluator;
use super::phase::{phase, sign};
use crate::chess::position::Position;

/// A piece and its worth.
#[derive(Copy, Clone, Debug)]
pub(super) struct Worth {
    pub square: Square,
    pub piece: Piece,
    /// Centipawns, positive for White's pieces that are worth something.
    pub centipawns: i32,
}

/// All pieces of `position`.
pub(super) fn worths(evaluator: &Evaluator, position: &Position) -> Vec<Worth> {
    let phase = phase(position.board());
    let pieces = position.board().iter();
    pieces
        .map(|(square, piece)| Worth {
            square,
            piece,
            centipawns: position
                .worth(piece, square, evaluator.table())
                .taper(phase),
        })
        .collect()
}

/// A board with each piece and, below it, its worth in pawns.
pub(super) fn board(worths: &[Worth]) -> String {
    const LINE: &str = " +-------+-------+-------+-------+-------+-------+-------+-------+\n";
    let find = |square| worths.iter().find(|worth| worth.square == square);
    let mut text = String::from(LINE);
    for rank in Rank::ALL.into_iter().rev() {
        let row = || Square::ALL.into_iter().filter(move |s| s.rank() == rank);
        for square in row() {
            let letter = find(square).map_or(' ', |worth| worth.piece.char());
            // Writing to a String cannot fail.
            let _ = write!(text, " |   {letter}  ");
        }
        let _ = writeln!(text, " | {}", rank.char());
        for square in row() {
            let worth = find(square).map_or(String::new(), pawns_of);
            let _ = write!(text, " |{worth:>6}");
        }
        text.push_str(" |\n");
        text.push_str(LINE);
    }
    text.push_str("     a       b       c       d       e       f       g       h\n");
    text
}

/// The worth in pawns for the piece's own side, with two decimals.
pub(super) fn pawns_of(worth: &Worth) -> String {
    let own = worth.centipawns * sign(worth.piece.color);
    format!("{:.2}", f64::from(own) / 100.0)
}
