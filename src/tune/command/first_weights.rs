//! `lanternfish first-weights`: what learning from nothing begins with, as a file.

use std::io;
use std::path::PathBuf;

use clap::Args;

use super::super::start::from_nothing;
use crate::chess::eval::source;

/// Write the weights that learning from nothing begins with: the worth of the pieces
#[derive(Args, Debug)]
pub struct FirstWeightsArguments {
    /// Where to write them, as the text of src/chess/eval/weights.rs; the tables by king go to a file beside it
    file: PathBuf,
}

/// Writes.
///
/// # Errors
///
/// When the file cannot be written.
pub fn run(arguments: &FirstWeightsArguments) -> io::Result<()> {
    source::write_files(&arguments.file, &from_nothing(), &[])
}
