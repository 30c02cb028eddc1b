//! Imbalance: which pieces go well together (<https://www.chessprogramming.org/Material#Interaction>).

use shakmaty::{Bitboard, Board, Color};

use super::tracer::{Terms, Tracer, weigh};
use crate::score::Tapered;

/// A side has at most this many pawns.
const MOST_PAWNS: usize = 8;

/// The bishop pair, and knights and rooks by own pawns: knights gain in closed positions, rooks in open ones
/// (Larry Kaufman, The Evaluation of Material Imbalances).
#[inline]
pub(super) fn value<T: Tracer>(board: &Board, us: Color, terms: &mut Terms<'_, T>) -> Tapered {
    let ours = board.by_color(us);
    let count = |pieces: Bitboard| (pieces & ours).count();
    let pawns = count(board.pawns()).min(MOST_PAWNS);
    let mut sum = weigh!(
        terms,
        us,
        count(board.knights()) as i32,
        knight_pawns[pawns]
    );
    sum += weigh!(terms, us, count(board.rooks()) as i32, rook_pawns[pawns]);
    let bishops = board.bishops() & ours;
    if (bishops & Bitboard::LIGHT_SQUARES).any() && (bishops & Bitboard::DARK_SQUARES).any() {
        sum += weigh!(terms, us, 1, bishop_pair);
    }
    sum
}
