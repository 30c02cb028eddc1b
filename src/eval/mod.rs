//! What a position is worth: material and piece squares, tapered between middlegame and endgame.

pub mod psqt;
mod trace;
pub mod weights;

use shakmaty::{Board, Color};

use crate::position::{PieceSquareTable, Position};
use crate::score::{MAX_PHASE, Score};

pub use trace::Trace;
pub use weights::Weights;

/// The evaluation with its weights made ready.
#[derive(Clone, Debug)]
pub struct Evaluator {
    weights: Weights,
    table: PieceSquareTable,
}

impl Default for Evaluator {
    fn default() -> Evaluator {
        Evaluator::new()
    }
}

impl Evaluator {
    /// The evaluation with the default weights.
    pub fn new() -> Evaluator {
        let weights = weights::DEFAULT;
        let table = psqt::table(&weights);
        Evaluator { weights, table }
    }

    /// The piece-square table that positions must be made with.
    #[inline]
    pub fn table(&self) -> &PieceSquareTable {
        &self.table
    }

    /// The static value in centipawns from the side to move.
    #[inline]
    pub fn evaluate(&self, position: &Position) -> Score {
        let white = position.piece_square_sum().taper(phase(position.board()));
        Score::from_centipawns(position.turn().fold_wb(white, -white))
    }

    /// The same value with its parts, for a person.
    pub fn trace(&self, position: &Position) -> Trace {
        trace::trace(self, position)
    }
}

/// The game phase: [`MAX_PHASE`] with all pieces on the board, 0 with none but pawns and kings.
///
/// The weights 1, 1, 2, 4 are those of the Chess Programming Wiki's tapered evaluation.
#[inline]
pub fn phase(board: &Board) -> i32 {
    let minor = (board.knights() | board.bishops()).count();
    let phase = minor + 2 * board.rooks().count() + 4 * board.queens().count();
    (phase as i32).min(MAX_PHASE)
}

/// Whether a colour is White, as a factor: 1 or -1.
fn sign(color: Color) -> i32 {
    color.fold_wb(1, -1)
}
