//! Standard output, which nothing else in the process writes to while the engine speaks UCI.

use std::io::{self, Write};

use super::debug_log::{DebugLog, Direction};
use super::text;

/// Writes whole lines to standard output, and copies them to the log file when there is one.
#[derive(Debug, Default)]
pub struct Output {
    log: Option<DebugLog>,
    closed: bool,
}

impl Output {
    /// Writes a line and flushes it. When nobody reads any more, [`Output::is_closed`] becomes true.
    pub fn line(&mut self, line: &str) {
        let mut stdout = io::stdout().lock();
        let whole = format!("{line}\n");
        let written = stdout
            .write_all(whole.as_bytes())
            .and_then(|()| stdout.flush());
        drop(stdout);
        self.closed |= written.is_err();
        self.copy(Direction::Out, line);
    }

    /// Writes `text` as an `info string`.
    pub fn info_string(&mut self, text: &str) {
        self.line(&format!("info string {}", text::clean(text)));
    }

    /// Copies a line that came in to the log file.
    pub fn received(&mut self, line: &str) {
        self.copy(Direction::In, line);
    }

    /// Whether the reader of standard output is gone.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Starts to log to a file, or stops when the path is empty. On failure there is no log any more.
    pub fn set_log(&mut self, path: &str) {
        self.log = None;
        if path.is_empty() {
            return;
        }
        match DebugLog::open(path) {
            Ok(log) => self.log = Some(log),
            Err(error) => {
                self.info_string(&format!("cannot open the debug log file {path}: {error}"));
            }
        }
    }

    fn copy(&mut self, direction: Direction, line: &str) {
        let Some(log) = &mut self.log else {
            return;
        };
        if let Err(error) = log.write(direction, line) {
            self.log = None;
            self.info_string(&format!("the debug log file is given up: {error}"));
        }
    }
}
