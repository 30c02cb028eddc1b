//! The evaluation of one position as a sum over weights, for the tuner: the terms themselves are asked, so that the
//! tuner can never be about another evaluation.

use shakmaty::Color;

use super::blend::Scale;
use super::phase::phase;
use super::tracer::{Counts, Tracer};
use super::{endgame, endings, terms, weights};
use crate::chess::position::Position;

/// How often each weight counts in a position. See [`crate::chess::eval::blend`] for how they become centipawns.
#[derive(Clone, Debug)]
pub struct Coefficients {
    /// Index in the flat list of weights and count, White's minus Black's; zero counts are left out.
    pub linear: Vec<(u16, i16)>,
    /// The same for the danger to White's and to Black's king; linear inside.
    pub danger: [Vec<(u16, i16)>; 2],
    /// The phase, up to [`MAX_PHASE`](crate::score::MAX_PHASE).
    pub phase: i32,
    /// The scale when White and when Black is ahead.
    pub scale: [Scale; 2],
    /// Whether the value comes from knowledge of the ending and not from the weights.
    pub known: bool,
    /// The side to move.
    pub turn: Color,
}

/// The coefficients of `position`.
pub fn coefficients(position: &Position) -> Coefficients {
    let mut uses = Uses::default();
    terms::walk_all(position, &weights::DEFAULT, &mut uses);
    let board = position.board();
    Coefficients {
        linear: summed(uses.linear),
        danger: uses.danger.map(summed),
        phase: phase(board),
        scale: [Color::White, Color::Black].map(|strong| endgame::scale(board, strong)),
        known: endings::is_known(position),
        turn: position.turn(),
    }
}

/// How often each weight counts for each side in `position`.
pub fn counts(position: &Position) -> Counts {
    let mut counts = Counts::default();
    terms::walk_all(position, &weights::DEFAULT, &mut counts);
    counts
}

/// Every single use. A position uses few of the weights, so that a list is sooner made than a table of all.
#[derive(Default)]
struct Uses {
    linear: Vec<(usize, i32)>,
    danger: [Vec<(usize, i32)>; 2],
}

impl Tracer for Uses {
    fn count(&mut self, index: usize, color: Color, times: i32) {
        self.linear.push((index, color.fold_wb(times, -times)));
    }

    fn danger(&mut self, index: usize, king: Color, times: i32) {
        self.danger[king.fold_wb(0, 1)].push((index, times));
    }
}

/// The sum for each weight, in their order. Indices and sums are small: see [`Coefficients`].
fn summed(mut uses: Vec<(usize, i32)>) -> Vec<(u16, i16)> {
    uses.sort_unstable_by_key(|&(index, _)| index);
    uses.chunk_by(|a, b| a.0 == b.0)
        .map(|same| (same[0].0, same.iter().map(|&(_, times)| times).sum()))
        .filter(|&(_, sum): &(usize, i32)| sum != 0)
        .map(|(index, sum)| (index as u16, sum as i16))
        .collect()
}
