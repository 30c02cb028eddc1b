//! Passed pawns and what stands in their way (<https://www.chessprogramming.org/Passed_Pawn>). What depends on pawns
//! and kings alone is in `pawns`.

use shakmaty::{Bitboard, Color, Role, Square};

use super::bits::{ahead, distance, path, promotion_square, relative_rank};
use super::context::Context;
use super::tracer::{Terms, Tracer, weigh};
use crate::score::Tapered;

/// The value of the passed pawns of `us`, given those of both sides.
#[inline(always)]
pub(super) fn value<T: Tracer>(
    context: &Context<'_>,
    us: Color,
    passed: Bitboard,
    terms: &mut Terms<'_, T>,
) -> Tapered {
    let (own, enemy) = (context.side(us), context.side(!us));
    let mut sum = Tapered::default();
    for square in passed & own.pieces {
        let rank = relative_rank(square, us);
        let next = ahead(Bitboard::from_square(square), us);
        let way = path(square, us);
        if (next & enemy.pieces).any() {
            sum += weigh!(terms, us, 1, passed_blocked[rank]);
        }
        if (way & context.occupied).is_empty() {
            sum += weigh!(terms, us, 1, passed_free[rank]);
        }
        if (way & (enemy.attacked() | enemy.pieces)).is_empty() {
            sum += weigh!(terms, us, 1, passed_safe[rank]);
        }
        if (next & own.attacked()).any() {
            sum += weigh!(terms, us, 1, passed_supported[rank]);
        }
        sum += rooks_behind(context, us, square, terms);
    }
    sum + unstoppable(context, us, passed, terms)
}

/// Rooks belong behind passed pawns (<https://www.chessprogramming.org/Tarrasch_Rule>).
#[inline(always)]
fn rooks_behind<T: Tracer>(
    context: &Context<'_>,
    us: Color,
    square: Square,
    terms: &mut Terms<'_, T>,
) -> Tapered {
    let rank = relative_rank(square, us);
    let back = path(square, !us);
    let mut sum = Tapered::default();
    if (back & context.pieces(us, Role::Rook)).any() {
        sum += weigh!(terms, us, 1, passed_own_rook[rank]);
    }
    if (back & context.pieces(!us, Role::Rook)).any() {
        sum += weigh!(terms, us, 1, passed_enemy_rook[rank]);
    }
    sum
}

/// A passed pawn that a lone king cannot catch: it is outside the pawn's square
/// (<https://www.chessprogramming.org/Rule_of_the_Square>).
#[inline(always)]
fn unstoppable<T: Tracer>(
    context: &Context<'_>,
    us: Color,
    passed: Bitboard,
    terms: &mut Terms<'_, T>,
) -> Tapered {
    let (own, enemy) = (context.side(us), context.side(!us));
    let only_king = (enemy.pieces & !context.board.pawns()).is_subset(context.board.kings());
    if !only_king {
        return Tapered::default();
    }
    let behind_by = usize::from(context.turn != us);
    let runs = |square| {
        let goal = promotion_square(Square::file(square), us);
        // A pawn at home saves a move by its double step.
        let steps = (7 - relative_rank(square, us)).min(5);
        let free = (path(square, us) & context.occupied).is_empty();
        free && distance(enemy.king, goal) > steps + behind_by
    };
    let some = (passed & own.pieces).into_iter().any(runs);
    weigh!(terms, us, i32::from(some), passed_unstoppable)
}
