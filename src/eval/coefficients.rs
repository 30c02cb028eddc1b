//! The evaluation of one position as a sum over weights, for the tuner: the terms themselves are asked, so that the
//! tuner can never be about another evaluation.

use shakmaty::Color;

use super::tracer::Counts;
use super::{endgame, endings, phase, terms, weights};
use crate::position::Position;

/// How often each weight counts in a position. See [`crate::eval::blend`] for how they become centipawns.
#[derive(Clone, Debug)]
pub struct Coefficients {
    /// Index in the flat list of weights and count, White's minus Black's; zero counts are left out.
    pub linear: Vec<(u16, i16)>,
    /// The same for the danger to White's and to Black's king; linear inside.
    pub danger: [Vec<(u16, i16)>; 2],
    /// The phase, up to [`MAX_PHASE`](crate::score::MAX_PHASE).
    pub phase: i32,
    /// The endgame scale when White and when Black is ahead.
    pub scale: [i32; 2],
    /// Whether the value comes from knowledge of the ending and not from the weights.
    pub known: bool,
    /// The side to move.
    pub turn: Color,
}

/// The coefficients of `position`.
pub fn coefficients(position: &Position) -> Coefficients {
    let mut counts = Counts::default();
    terms::walk_all(position, &weights::DEFAULT, &mut counts);
    let board = position.board();
    Coefficients {
        linear: sparse(counts.linear.iter().map(|[white, black]| white - black)),
        danger: [0, 1].map(|king| sparse(counts.danger.iter().map(|counts| counts[king]))),
        phase: phase(board),
        scale: [Color::White, Color::Black].map(|strong| endgame::scale(board, strong)),
        known: endings::is_known(position),
        turn: position.turn(),
    }
}

/// No count is beyond a few hundred.
fn sparse(counts: impl Iterator<Item = i32>) -> Vec<(u16, i16)> {
    let numbered = (0..).zip(counts);
    numbered
        .filter(|&(_, count)| count != 0)
        .map(|(index, count): (u16, i32)| (index, count as i16))
        .collect()
}
