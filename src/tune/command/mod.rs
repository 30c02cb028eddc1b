//! The subcommands of the command line that a build with the feature `tune` has more.

mod datagen;
mod tune;
mod wdl_fit;

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub use datagen::{DatagenArguments, run as run_datagen};
pub use tune::{TuneArguments, run as run_tune};
pub use wdl_fit::{WdlFitArguments, run as run_wdl_fit};

/// The exit code of a program that was stopped by the keyboard.
const INTERRUPTED: i32 = 130;

/// A flag that Ctrl-C and the signal to terminate set. The second time they end the program at once.
///
/// # Errors
///
/// When the system refuses to tell of signals.
fn stop_flag() -> io::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    ctrlc::set_handler(move || {
        if set.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
    })
    .map_err(io::Error::other)?;
    Ok(flag)
}
