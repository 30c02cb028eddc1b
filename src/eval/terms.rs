//! The list of terms.

use shakmaty::Color;

use super::blend::Sums;
use super::context::Context;
use super::layout::Weights;
use super::pawns::{self, Pawns};
use super::tracer::{NoTrace, Terms, Tracer, weigh};
use super::{imbalance, king, passed, pieces, psqt, space, threats};
use crate::position::Position;
use crate::score::Tapered;

/// The terms that hang on pawns and kings alone, for the cache.
#[inline(never)]
pub(super) fn pawn_terms(position: &Position, weights: &Weights) -> Pawns {
    let terms = &mut Terms {
        weights,
        tracer: &mut NoTrace,
    };
    pawns::evaluate(position, terms)
}

/// All terms of a position for play. What the position keeps, and `pawns`, are not computed again.
pub(super) fn sums(position: &Position, pawns: &Pawns, weights: &Weights) -> Sums {
    let terms = &mut Terms {
        weights,
        tracer: &mut NoTrace,
    };
    let mut sums = board_terms(position, pawns, terms);
    sums.linear += position.piece_square_sum();
    sums
}

/// All terms of a position, told to `tracer`.
pub(super) fn walk_all<T: Tracer>(position: &Position, weights: &Weights, tracer: &mut T) -> Sums {
    let terms = &mut Terms { weights, tracer };
    let pawns = pawns::evaluate(position, terms);
    let mut sums = board_terms(position, &pawns, terms);
    let board = position.board();
    sums.linear += psqt::walk(board, Color::White, terms) - psqt::walk(board, Color::Black, terms);
    sums
}

#[inline(always)]
fn board_terms<T: Tracer>(position: &Position, pawns: &Pawns, terms: &mut Terms<'_, T>) -> Sums {
    use Color::{Black, White};
    let mut context = Context::new(position);
    let white = pieces::walk(&mut context, White, terms);
    let black = pieces::walk(&mut context, Black, terms);
    let linear = pawns.value + white.value - black.value + one_side(&context, White, pawns, terms)
        - one_side(&context, Black, pawns, terms);
    Sums {
        linear,
        danger: [
            pawns.danger[0] + black.danger + king::danger(&context, White, terms),
            pawns.danger[1] + white.danger + king::danger(&context, Black, terms),
        ],
    }
}

/// The terms that need to know the attacks of both sides, and those that need nothing.
#[inline(always)]
fn one_side<T: Tracer>(
    context: &Context<'_>,
    us: Color,
    pawns: &Pawns,
    terms: &mut Terms<'_, T>,
) -> Tapered {
    imbalance::value(context.board, us, terms)
        + passed::value(context, us, pawns.passed, terms)
        + threats::value(context, us, terms)
        + space::value(context, us, terms)
        + weigh!(terms, us, i32::from(context.turn == us), tempo)
}
