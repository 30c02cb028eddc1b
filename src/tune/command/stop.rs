//! A run that is stopped by the keyboard ends in good order.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit code of a program that was stopped by the keyboard.
const INTERRUPTED: i32 = 130;

/// A flag that Ctrl-C and the signal to terminate set. The second time they end the program at once.
///
/// # Errors
///
/// When the system will not report signals.
pub fn stop_flag() -> io::Result<Arc<AtomicBool>> {
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
