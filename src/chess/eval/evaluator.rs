//! The static evaluation: all terms of a position, summed, scaled and tapered.

use std::sync::Arc;

use shakmaty::{Board, Color};

use super::blend::Scale;
use super::cache::EvalCache;
use super::endings::{self, Known};
use super::layout::Weights;
use super::percent::{self, Percent};
use super::phase::phase;
use super::weights::DEFAULT;
use super::{blend, endgame, kpk, psqt, terms};
use crate::chess::position::{PieceSquareTable, Position};
use crate::score::{Score, Tapered};

/// The evaluation with its weights made ready.
#[derive(Clone, Debug)]
pub struct Evaluator {
    pub(super) weights: Box<Weights>,
    table: PieceSquareTable,
    bitbase: Arc<kpk::Bitbase>,
    /// What the user wants the parts to count. All but the endgame's is in the weights already.
    pub(super) percent: Percent,
    /// Whether any weight but those of material and position counts. Without, most of the work is left out.
    has_extras: bool,
}

impl Default for Evaluator {
    fn default() -> Evaluator {
        Evaluator::new()
    }
}

impl Evaluator {
    /// The evaluation with the default weights.
    pub fn new() -> Evaluator {
        Evaluator::with_percent(Percent::default())
    }

    /// The evaluation with its parts weighed by the user.
    pub fn with_percent(percent: Percent) -> Evaluator {
        let mut evaluator = Evaluator::with_weights(&percent.apply(&DEFAULT));
        evaluator.percent = percent.clamped();
        evaluator
    }

    /// The evaluation with other weights.
    pub fn with_weights(weights: &Weights) -> Evaluator {
        Evaluator {
            table: psqt::table(weights),
            weights: Box::new(weights.clone()),
            bitbase: Arc::new(kpk::Bitbase::new()),
            percent: Percent::default(),
            has_extras: weights.have_extras(),
        }
    }

    /// The piece-square table that positions must be made with.
    #[inline]
    pub fn table(&self) -> &PieceSquareTable {
        &self.table
    }

    /// The static value in centipawns from the side to move.
    pub fn evaluate(&self, position: &Position) -> Score {
        self.evaluate_with(position, &mut EvalCache::default())
    }

    /// The same with the help of a cache, which must have been used with this evaluator only.
    #[inline]
    pub fn evaluate_with(&self, position: &Position, cache: &mut EvalCache) -> Score {
        let white = match self.known(position) {
            None => self.counted(position, cache),
            Some(known) if self.percent.endgame >= percent::FULL => known.value,
            Some(known) => {
                let counted = self.counted(position, cache);
                counted + (known.value - counted) * self.percent.endgame / percent::FULL
            }
        };
        Score::from_centipawns(position.turn().fold_wb(white, -white))
    }

    /// The value of a known ending, if knowledge counts.
    #[inline(always)]
    pub(super) fn known(&self, position: &Position) -> Option<Known> {
        if endings::may_be_known(position.board()) && self.percent.endgame > 0 {
            endings::known(position, &self.bitbase)
        } else {
            None
        }
    }

    /// Centipawns from White's view, from all terms.
    fn counted(&self, position: &Position, cache: &mut EvalCache) -> i32 {
        let total = self.total(position, cache);
        let scale = self.scale(position.board(), total);
        blend::taper(total, phase(position.board()), scale)
    }

    /// The sum of all terms.
    #[inline]
    fn total(&self, position: &Position, cache: &mut EvalCache) -> Tapered {
        let weights = &*self.weights;
        if !self.has_extras {
            return terms::core(position, weights);
        }
        let tempo = terms::tempo(position, weights);
        if let Some(total) = cache.total(position) {
            return total + tempo;
        }
        let pawns = cache.pawns(position, || terms::pawn_terms(position, weights));
        let total = terms::sums(position, &pawns, weights).total();
        // Against a lone king and its pawns the race to promote depends on the turn as well.
        if Color::ALL
            .into_iter()
            .all(|color| position.has_pieces(color))
        {
            cache.remember_total(position, total - tempo);
        }
        total
    }

    /// The endgame scale, weighed by the user.
    #[inline(always)]
    pub(super) fn scale(&self, board: &Board, total: Tapered) -> Scale {
        let strong = Color::from_white(total.endgame() > 0);
        let scale = endgame::scale(board, strong);
        let weighed = |half: i32| {
            let less = blend::FULL_SCALE - half;
            (blend::FULL_SCALE - less * self.percent.endgame / percent::FULL).max(0)
        };
        Scale {
            middlegame: weighed(scale.middlegame),
            endgame: weighed(scale.endgame),
        }
    }
}
