//! Space: room behind the own pawns in the centre (<https://www.chessprogramming.org/Space>).

use shakmaty::{Bitboard, Color, Role};

use super::bits::{behind, rank};
use super::context::Context;
use super::tracer::{Terms, Tracer, weigh};
use crate::score::Tapered;

const CENTRE_FILES: Bitboard = Bitboard(0x3c3c_3c3c_3c3c_3c3c);

/// Safe squares on the files c to f and ranks 2 to 4; those up to four ranks behind an own pawn and not attacked count
/// twice.
#[inline(always)]
pub(super) fn value<T: Tracer>(
    context: &Context<'_>,
    us: Color,
    terms: &mut Terms<'_, T>,
) -> Tapered {
    let (own, enemy) = (context.side(us), context.side(!us));
    let zone = CENTRE_FILES & (rank(2, us) | rank(3, us) | rank(4, us));
    let safe = zone & !own.pawns & !enemy.by(Role::Pawn);
    let mut sheltered = behind(own.pawns, us);
    sheltered |= behind(sheltered, us);
    sheltered |= behind(behind(sheltered, us), us);
    let count = safe.count() + (safe & sheltered & !enemy.attacked()).count();
    weigh!(terms, us, count as i32, space)
}
