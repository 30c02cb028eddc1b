//! The subcommands of the command line that a build with the feature `tune` has more.

mod datagen;
mod first_weights;
mod stop;
mod story;
mod tune;
mod wdl_fit;

pub use datagen::{DatagenArguments, run as run_datagen};
pub use first_weights::{FirstWeightsArguments, run as run_first_weights};
pub use tune::{TuneArguments, run as run_tune};
pub use wdl_fit::{WdlFitArguments, run as run_wdl_fit};
