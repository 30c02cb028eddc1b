//! What a search reports while it runs, and its result. Data only: printing is for `uci`, `bench` and `cli`.

use std::time::Duration;

use super::game::Move;
use arrayvec::ArrayVec;

use crate::score::{MAX_PLY, Score};

/// A principal variation.
pub type Line = ArrayVec<Move, { MAX_PLY + 1 }>;

/// Whether a score is exact or only a bound, when an aspiration window failed.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Bound {
    /// The score is exact.
    Exact,
    /// The true score is at least this one (fail-high).
    Lower,
    /// The true score is at most this one (fail-low).
    Upper,
}

/// News from a running search.
#[derive(Clone, Debug)]
// A search sends a few dozen of these, so the size of one does not matter.
#[allow(clippy::large_enum_variant)]
pub enum Report {
    /// One principal variation.
    Variation(Variation),
    /// The root move the search has begun to look at.
    CurrentMove {
        /// The iteration, in plies.
        depth: u32,
        /// The move.
        current: Move,
        /// Its number in the order of search, from 1.
        number: usize,
    },
}

/// One principal variation with its figures.
#[derive(Clone, Debug)]
pub struct Variation {
    /// The iteration, in plies.
    pub depth: u32,
    /// The deepest ply reached.
    pub selective_depth: usize,
    /// The rank of this line among those asked for, from 1.
    pub multi_pv: usize,
    /// The score from the side to move.
    pub score: Score,
    /// What the score means.
    pub bound: Bound,
    /// Figures of the whole search so far.
    pub figures: Figures,
    /// The moves; never empty unless the root has no legal move.
    pub moves: Line,
}

/// Counts of a search, summed over all threads.
#[derive(Copy, Clone, Debug, Default)]
pub struct Figures {
    /// Positions visited.
    pub nodes: u64,
    /// Endgame table hits.
    pub tablebase_hits: u64,
    /// How full the transposition table is, in permille.
    pub hash_full: u32,
    /// Time since the search began.
    pub elapsed: Duration,
}

impl Figures {
    /// Nodes per second; no time at all counts as one microsecond.
    pub fn nodes_per_second(&self) -> u64 {
        let micros = self.elapsed.as_micros().max(1);
        (u128::from(self.nodes) * 1_000_000 / micros) as u64
    }
}

impl Variation {
    /// Whether the score is more than a passing bound: it is exact, or a win by mate, which can only come sooner.
    pub fn stands(&self) -> bool {
        let wins_by_mate = self.score.is_mate() && self.score.is_win();
        self.bound == Bound::Exact || (self.bound == Bound::Lower && wins_by_mate)
    }
}

/// How a search ended.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The best move; `None` when the root has no legal move (or no root move was allowed and none exists).
    pub best: Option<Move>,
    /// The expected reply, legal after `best`.
    pub ponder: Option<Move>,
    /// The score of the best move from the side to move.
    pub score: Score,
    /// The last iteration that has something to say of the best move, in plies; 1 when there is a move but none has.
    pub depth: u32,
    /// Figures of the whole search.
    pub figures: Figures,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_per_second_are_counted_in_microseconds() {
        let speed = |nodes, micros| {
            let figures = Figures {
                nodes,
                elapsed: Duration::from_micros(micros),
                ..Figures::default()
            };
            figures.nodes_per_second()
        };
        assert_eq!((speed(500, 250_000), speed(7, 0)), (2000, 7_000_000));
        assert_eq!(speed(u64::MAX / 2, 1_000_000), u64::MAX / 2);
    }

    #[test]
    fn a_bound_stands_only_when_it_is_a_win_by_mate() {
        let stands = |score, bound| {
            let variation = Variation {
                depth: 1,
                selective_depth: 1,
                multi_pv: 1,
                score,
                bound,
                figures: Figures::default(),
                moves: Line::new(),
            };
            variation.stands()
        };
        let (mate, mated) = (Score::mate_in(5), Score::mated_in(4));
        assert!(stands(Score::DRAW, Bound::Exact) && stands(mated, Bound::Exact));
        assert!(stands(mate, Bound::Lower));
        assert!(!stands(mate, Bound::Upper) && !stands(mated, Bound::Lower));
        assert!(!stands(Score::DRAW, Bound::Lower));
    }
}
