//! `lanternfish first-weights`: what learning from nothing begins with, as a file.

use std::path::PathBuf;
use std::{fs, io};

use clap::Args;

use super::super::start::from_nothing;
use crate::chess::eval::source;

/// Write the weights that learning from nothing begins with: the worth of the pieces
#[derive(Args, Debug)]
pub struct FirstWeightsArguments {
    /// Where to write them, as the text of src/chess/eval/weights.rs
    file: PathBuf,
}

/// Writes.
///
/// # Errors
///
/// When the file cannot be written.
pub fn run(arguments: &FirstWeightsArguments) -> io::Result<()> {
    let path = &arguments.file;
    fs::write(path, source::write(&from_nothing(), &[]))
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
}
