//! Lanternfish, a UCI chess engine.
//!
//! The floors of the house, from the ground up; a file imports only from the floors below it:
//!
//! 1. [`score`]: values.
//! 2. [`position`], [`movegen`], [`keys`], [`fen`]: the board, its moves, its history.
//! 3. [`eval`]: what a position is worth.
//! 4. [`search`]: which move is best. It returns data and prints nothing.

pub mod eval;
pub mod fen;
pub mod keys;
pub mod movegen;
pub mod position;
pub mod score;
pub mod search;
