//! The list of terms.

use shakmaty::Color;

use super::blend::Sums;
use super::layout::Weights;
use super::tracer::{NoTrace, Terms, Tracer, weigh};
use super::{imbalance, psqt};
use crate::position::Position;
use crate::score::Tapered;

/// All terms of a position for play: what the position keeps is not computed again.
#[inline]
pub(super) fn sums(position: &Position, weights: &Weights) -> Sums {
    let terms = &mut Terms {
        weights,
        tracer: &mut NoTrace,
    };
    let mut sums = fresh_sums(position, terms);
    sums.linear += position.piece_square_sum();
    sums
}

/// All terms of a position, told to `tracer`.
pub(super) fn walk_all<T: Tracer>(position: &Position, weights: &Weights, tracer: &mut T) -> Sums {
    let terms = &mut Terms { weights, tracer };
    let mut sums = fresh_sums(position, terms);
    let board = position.board();
    sums.linear += psqt::walk(board, Color::White, terms) - psqt::walk(board, Color::Black, terms);
    sums
}

#[inline]
fn fresh_sums<T: Tracer>(position: &Position, terms: &mut Terms<'_, T>) -> Sums {
    let mut side = |us| one_side(position, us, terms);
    let (white, black) = (side(Color::White), side(Color::Black));
    Sums {
        linear: white - black,
        danger: [Tapered::default(); 2],
    }
}

#[inline]
fn one_side<T: Tracer>(position: &Position, us: Color, terms: &mut Terms<'_, T>) -> Tapered {
    let mut sum = imbalance::value(position.board(), us, terms);
    if position.turn() == us {
        sum += weigh!(terms, us, 1, tempo);
    }
    sum
}
