//! Material and piece squares: the part that [`Position`](crate::chess::position::Position) sums move by move.
//!
//! A piece's worth is its material value, what its square adds whatever the kings do, and two corrections: one for
//! the bucket of the own king, one for the bucket of the enemy king (see [`crate::chess::piece_square`]). The corrections
//! keep rare buckets sane: without data they stay at zero.

use shakmaty::{Board, Color, Role, Square};

use super::layout::Weights;
use super::tracer::{Terms, Tracer, weigh};
use crate::chess::piece_square::{KingView, turned};
use crate::chess::position::PieceSquareTable;
use crate::score::Tapered;

/// What a piece counts in an exchange, in centipawns; the king counts as nothing.
const EXCHANGE_VALUES: [i32; 6] = [100, 320, 330, 500, 900, 0];

/// The worth of every piece on every square under `weights`.
pub fn table(weights: &Weights) -> PieceSquareTable {
    PieceSquareTable::new(|role, square, own, enemy| {
        let piece = role as usize - 1;
        let by_own = mirrored(square, own).to_usize();
        let by_enemy = mirrored(square, enemy).to_usize();
        // The board of the king itself says where it stands best.
        let own_king = weights.own_king[own.bucket].get(piece);
        material(weights, role)
            + weights.square[piece][by_own]
            + own_king.map_or(Tapered::default(), |board| board[by_own])
            + weights.enemy_king[enemy.bucket][piece][by_enemy]
    })
}

/// What a piece is worth wherever it stands.
pub fn material(weights: &Weights, role: Role) -> Tapered {
    let value = weights.material.get(role as usize - 1);
    value.copied().unwrap_or_default()
}

/// The worth of a piece for exchanges, in centipawns; the king counts as nothing.
#[inline]
pub fn exchange_value(role: Role) -> i32 {
    EXCHANGE_VALUES[role as usize - 1]
}

/// The square as seen with a king brought to the left.
fn mirrored(square: Square, view: KingView) -> Square {
    turned(square, Color::White, view.mirrored)
}

/// Reports all pieces to the tracer, and returns their sum for `us`: what the table would give, computed from nothing.
pub(super) fn walk<T: Tracer>(board: &Board, us: Color, terms: &mut Terms<'_, T>) -> Tapered {
    let view = |color| {
        let king = board.king_of(color).unwrap_or(Square::A1);
        KingView::new(color, king)
    };
    let (own, enemy) = (view(us), view(!us));
    let mut sum = Tapered::default();
    for (square, piece) in board.iter().filter(|(_, piece)| piece.color == us) {
        let role = piece.role as usize - 1;
        let seen = turned(square, us, false);
        let by_own = mirrored(seen, own).to_usize();
        let by_enemy = mirrored(seen, enemy).to_usize();
        if piece.role != Role::King {
            sum += weigh!(terms, us, 1, material[role]);
            sum += weigh!(terms, us, 1, own_king[own.bucket][role][by_own]);
        }
        sum += weigh!(terms, us, 1, square[role][by_own]);
        sum += weigh!(terms, us, 1, enemy_king[enemy.bucket][role][by_enemy]);
    }
    sum
}
