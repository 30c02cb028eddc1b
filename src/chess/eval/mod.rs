//! What a position is worth, in centipawns: terms that a person can read, summed and tapered.
//!
//! [`Weights`] holds every number that is learned. `terms` is the list of what is summed, `blend` makes centipawns of
//! the sum. A term reports its weights to a tracer, which is how the trace and the tuner look into it.

mod bits;
pub mod blend;
mod cache;
mod coefficients;
mod context;
mod endgame;
mod endings;
mod imbalance;
mod king;
mod kpk;
mod layout;
mod passed;
mod pawns;
pub mod percent;
mod picture;
mod pieces;
pub mod psqt;
mod shelter;
#[cfg(any(test, feature = "tune"))]
pub mod source;
mod space;
mod terms;
mod threats;
mod trace;
mod tracer;
mod weights;
mod worth;

use std::sync::Arc;

use shakmaty::{Board, Color};

use endings::Known;

use crate::chess::position::{PieceSquareTable, Position};
use crate::score::{MAX_PHASE, Score, Tapered};

pub use cache::EvalCache;
pub use coefficients::{Coefficients, coefficients};
pub use endings::{is_known, may_be_known};
pub use layout::{Group, Part, Weights};
pub use percent::Percent;
pub use trace::Trace;
pub use tracer::{Counts, NoTrace, Tracer};
pub use weights::DEFAULT;

/// The evaluation with its weights made ready.
#[derive(Clone, Debug)]
pub struct Evaluator {
    weights: Box<Weights>,
    table: PieceSquareTable,
    bitbase: Arc<kpk::Bitbase>,
    /// What the user wants the parts to count. All but the endgame's is in the weights already.
    percent: Percent,
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
    fn known(&self, position: &Position) -> Option<Known> {
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
        // Against a lone king and its pawns the race to promote hangs on the turn as well.
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
    fn scale(&self, board: &Board, total: Tapered) -> i32 {
        let strong = Color::from_white(total.endgame() > 0);
        let less = blend::FULL_SCALE - endgame::scale(board, strong);
        (blend::FULL_SCALE - less * self.percent.endgame / percent::FULL).max(0)
    }

    /// The same value with its parts, for a person.
    pub fn trace(&self, position: &Position) -> Trace {
        trace::trace(self, position)
    }
}

/// The game phase: [`MAX_PHASE`] with all pieces on the board, 0 with none but pawns and kings.
///
/// The weights 1, 1, 2, 4 are those of the Chess Programming Wiki's tapered evaluation.
#[inline]
pub fn phase(board: &Board) -> i32 {
    let minor = (board.knights() | board.bishops()).count();
    let phase = minor + 2 * board.rooks().count() + 4 * board.queens().count();
    (phase as i32).min(MAX_PHASE)
}

/// Whether a colour is White, as a factor: 1 or -1.
fn sign(color: Color) -> i32 {
    color.fold_wb(1, -1)
}
