//! Imbalance: which pieces go well together (<https://www.chessprogramming.org/Material#Interaction>).

use shakmaty::{Bitboard, Board, Color};

use super::bits::on_both_colours;
use super::tracer::{Terms, Tracer, weigh};
use crate::score::Tapered;

/// A side has at most this many pawns.
const MOST_PAWNS: usize = 8;

/// Pieces by own pawns, pairs, and pieces against pieces: knights gain in closed positions, rooks in open ones, a second
/// piece of a kind adds less than the first (Larry Kaufman, The Evaluation of Material Imbalances, 1999). Which side
/// can still win depends on the number of pawns as well.
#[inline]
pub(super) fn value<T: Tracer>(board: &Board, us: Color, terms: &mut Terms<'_, T>) -> Tapered {
    let own = Army::new(board, us);
    let pawns = (board.pawns() & board.by_color(us)).count().min(MOST_PAWNS);
    let mut sum = weigh!(terms, us, own.knights, knight_pawns[pawns])
        + weigh!(terms, us, own.bishops, bishop_pawns[pawns])
        + weigh!(terms, us, own.rooks, rook_pawns[pawns])
        + weigh!(terms, us, own.queens, queen_pawns[pawns])
        + weigh!(terms, us, 1, pawn_count[pawns]);
    let bishops = board.bishops() & board.by_color(us);
    if on_both_colours(bishops) {
        sum += weigh!(terms, us, 1, bishop_pair);
    }
    let pairs = [
        own.knights >= 2,
        own.rooks >= 2,
        own.queens >= 1 && own.rooks >= 1,
    ];
    for (kind, pair) in pairs.into_iter().enumerate() {
        sum += weigh!(terms, us, i32::from(pair), pairs[kind]);
    }
    let enemy = Army::new(board, !us);
    let minors = enemy.knights + enemy.bishops;
    let against = [
        own.rooks * minors,
        own.queens * minors,
        own.queens * enemy.rooks,
    ];
    for (kind, count) in against.into_iter().enumerate() {
        sum += weigh!(terms, us, count, against[kind]);
    }
    sum
}

/// How many pieces of each kind a side has.
struct Army {
    knights: i32,
    bishops: i32,
    rooks: i32,
    queens: i32,
}

impl Army {
    #[inline(always)]
    fn new(board: &Board, color: Color) -> Army {
        let count = |pieces: Bitboard| (pieces & board.by_color(color)).count() as i32;
        Army {
            knights: count(board.knights()),
            bishops: count(board.bishops()),
            rooks: count(board.rooks()),
            queens: count(board.queens()),
        }
    }
}
