//! Tools that learn the evaluation from games: self-play data, the tuner, the win/draw/loss fit. Only in builds with
//! the cargo feature `tune`. README.md in this folder tells how they are used and how the weights came about.
//!
//! - [`sample`] — a position with score and result, and its 32 bytes in a file.
//! - [`datagen`] — self-play.
//! - [`command`] — the command line.

pub mod command;
pub mod datagen;
pub mod random;
pub mod sample;
#[cfg(test)]
mod scratch;
