//! Lanternfish, a UCI chess engine.
//!
//! The floors of the house, from the ground up; a file imports only from the floors below it:
//!
//! - [`progress`] — a bar for a person who waits.
//! - [`score`] — values.
//! - [`compact`] — moves in one number.
//! - [`piece_square`] — the worth of pieces on squares, summed move by move.
//! - [`position`], [`movegen`], [`keys`], [`fen`] — the board, its moves, its history.
//! - [`eval`] — what a position is worth.
//! - [`tablebase`] — endgames that are known.
//! - [`search`] — which move is best. It returns data and prints nothing.
//! - [`engine`] — the search on a thread of its own.
//! - [`uci`], [`mod@bench`], [`cli`] — the ways in and out. Between them, only with the cargo feature `tune`: `tune`, which
//!   learns the evaluation from games.

pub mod bench;
pub mod cli;
pub mod compact;
pub mod engine;
pub mod eval;
pub mod fen;
pub mod keys;
pub mod movegen;
pub mod piece_square;
pub mod position;
pub mod progress;
pub mod score;
pub mod search;
pub mod tablebase;
#[cfg(feature = "tune")]
pub mod tune;
pub mod uci;
