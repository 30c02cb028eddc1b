//! The game phase, and the sign of a colour.

use shakmaty::{Board, Color};

use crate::score::MAX_PHASE;

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
pub(super) fn sign(color: Color) -> i32 {
    color.fold_wb(1, -1)
}
