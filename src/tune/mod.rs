//! Tools that learn the evaluation from games: self-play data, the tuner, the win/draw/loss fit. Only in builds with
//! the cargo feature `tune`. README.md in this folder tells how they are used and how the weights came about.
//!
//! - [`sample`] — a position with score and result, and its 32 bytes in a file.
//! - [`datagen`] — self-play.
//! - [`read`] — files of positions and games.
//! - [`dataset`], [`model`], [`objective`] — positions as counts of weights, their value, what is made small.
//! - [`start`], [`train`], [`adam`], [`constraint`], [`selection`], [`finish`] — where learning begins, its steps, what is
//!   known before, which weights, and the result.
//! - [`wdl_fit`] — the chances of win, draw and loss.
//! - [`report`] — pictures of the result.
//! - [`command`] — the command line.

pub mod adam;
pub mod command;
pub mod constraint;
pub mod datagen;
pub mod dataset;
pub mod finish;
pub mod model;
pub mod objective;
pub mod random;
pub mod read;
pub mod report;
pub mod sample;
#[cfg(test)]
mod scratch;
pub mod selection;
pub mod start;
pub mod train;
pub mod wdl_fit;
