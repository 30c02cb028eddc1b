//! What is known of endgames.

use shakmaty::{Board, Color};

use super::blend::FULL_SCALE;
use crate::position::Position;

/// How much of an endgame advantage of `strong` is worth anything, of [`FULL_SCALE`].
pub(super) fn scale(_board: &Board, _strong: Color) -> i32 {
    FULL_SCALE
}

/// Whether the value is known without the weights.
pub(super) fn is_known(_position: &Position) -> bool {
    false
}
