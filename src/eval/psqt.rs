//! Material and piece-square terms, summed move by move in [`Position`](crate::position::Position).

use shakmaty::{Role, Square};

use super::weights::{self, Weights};
use crate::position::PieceSquareTable;
use crate::score::Tapered;

/// The worth of every piece on every square under `weights`.
pub fn table(weights: &Weights) -> PieceSquareTable {
    PieceSquareTable::from_white_view(|role, square| {
        material(weights, role) + place(weights, role, square)
    })
}

/// What a piece is worth wherever it stands.
pub fn material(weights: &Weights, role: Role) -> Tapered {
    weights.material[role as usize - 1]
}

/// What its square adds, as White sees it.
pub fn place(weights: &Weights, role: Role, square: Square) -> Tapered {
    let index = square.to_usize();
    let role = role as usize - 1;
    Tapered::new(
        weights.middlegame[role][index].into(),
        weights.endgame[role][index].into(),
    )
}

/// The worth of a piece for exchanges, in centipawns; the king counts as nothing.
pub fn exchange_value(role: Role) -> i32 {
    weights::EXCHANGE_VALUES[role as usize - 1]
}
