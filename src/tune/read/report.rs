//! Where positions go that are read from a file, and what is reported of the reading.

use std::io;

use super::super::sample::Sample;

/// What was read of a file.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Report {
    /// Positions handed on.
    pub positions: u64,
    /// Lines, records or games that could not be read.
    pub faults: u64,
    /// What was wrong with the first of them.
    pub first_fault: Option<String>,
}

impl Report {
    pub(super) fn fault(&mut self, text: impl FnOnce() -> String) {
        self.faults += 1;
        self.first_fault.get_or_insert_with(text);
    }
}

/// What takes the positions, in the order of the file. An error of its own ends the reading.
pub type Sink<'a> = dyn FnMut(Sample) -> io::Result<()> + 'a;
