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
mod ending;
mod endings;
mod evaluator;
mod heat;
mod imbalance;
mod king;
mod kpk;
mod layout;
mod one_each;
mod passed;
mod pawns;
pub mod percent;
mod phase;
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
mod weights_by_king;
mod worth;

pub use cache::EvalCache;
pub use coefficients::{Coefficients, coefficients, counts};
pub use endings::{is_known, may_be_known};
pub use evaluator::Evaluator;
pub use layout::{Group, Part, Weights};
pub use percent::Percent;
pub use phase::phase;
pub use trace::Trace;
pub use tracer::{Counts, NoTrace, Tracer};
pub use weights::DEFAULT;
