//! Progress bars for a person who waits at a terminal.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressStyle};

/// A bar that looks as `template` says (see [`ProgressStyle`]); a spinner when the `length` is not known. Where standard
/// output or standard error goes to a file or another program it is invisible.
pub fn bar(template: &str, length: Option<u64>) -> ProgressBar {
    if !(io::stdout().is_terminal() && io::stderr().is_terminal()) {
        return ProgressBar::hidden();
    }
    let bar = length.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    let style = ProgressStyle::with_template(template);
    style.map_or(bar.clone(), |style| bar.with_style(style))
}
