//! The list of terms.

use shakmaty::Color;

use super::blend::Sums;
use super::context::Context;
use super::layout::Weights;
use super::pawns::{self, Pawns};
use super::tracer::{NoTrace, Terms, Tracer, weigh};
use super::{imbalance, king, passed, pieces, psqt, space, threats};
use crate::chess::position::Position;
use crate::score::Tapered;

/// The terms that depend on pawns and kings alone, for the cache.
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

/// All terms of a position when only the core has weights: the same value as [`sums`] gives then, for much less work.
#[inline]
pub(super) fn core(position: &Position, weights: &Weights) -> Tapered {
    let terms = &mut Terms {
        weights,
        tracer: &mut NoTrace,
    };
    few_terms(position, terms) + position.piece_square_sum()
}

/// The part of the sum that depends on the turn, as long as both sides have pieces.
#[inline(always)]
pub(super) fn tempo(position: &Position, weights: &Weights) -> Tapered {
    let terms = &mut Terms {
        weights,
        tracer: &mut NoTrace,
    };
    tempo_of(position.turn(), terms)
}

/// All terms of a position, reported to `tracer`.
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
    let white = pieces::walk(&context, White, pawns, terms);
    let black = pieces::walk(&context, Black, pawns, terms);
    context.side_mut(White).attacks = white.attacks;
    context.side_mut(Black).attacks = black.attacks;
    let linear = pawns.value + white.value - black.value + one_side(&context, White, pawns, terms)
        - one_side(&context, Black, pawns, terms);
    Sums {
        linear: linear + few_terms(position, terms),
        danger: [
            pawns.danger[0] + black.danger + king::danger(&context, White, terms),
            pawns.danger[1] + white.danger + king::danger(&context, Black, terms),
        ],
    }
}

/// The terms that need to know the attacks of both sides.
#[inline(always)]
fn one_side<T: Tracer>(
    context: &Context<'_>,
    us: Color,
    pawns: &Pawns,
    terms: &mut Terms<'_, T>,
) -> Tapered {
    passed::value(context, us, pawns.passed, terms)
        + threats::value(context, us, terms)
        + space::value(context, us, terms)
}

/// The terms that need to know nothing but the pieces and the turn.
#[inline(always)]
fn few_terms<T: Tracer>(position: &Position, terms: &mut Terms<'_, T>) -> Tapered {
    let board = position.board();
    imbalance::value(board, Color::White, terms) - imbalance::value(board, Color::Black, terms)
        + tempo_of(position.turn(), terms)
}

/// Being the side to move, from White's view.
#[inline(always)]
fn tempo_of<T: Tracer>(turn: Color, terms: &mut Terms<'_, T>) -> Tapered {
    weigh!(terms, turn, 1, tempo) * turn.fold_wb(1, -1)
}
