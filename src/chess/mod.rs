//! The game of chess: everything that would be different for another game.
//!
//! The rules themselves (legal positions, attack tables, FEN) come from [`shakmaty`]. This folder adds what a search
//! needs at every node and a rules library does not keep: incremental keys and piece-square sums, moves generated in
//! stages, the static exchange, the evaluation.
//!
//! - [`compact`]: a move in one number. [`piece_square`]: the value of pieces on squares, summed move by move.
//! - [`position`]: the board with its keys, checkers and pins. [`movegen`]: its legal moves. [`fen`]: its text form.
//! - [`keys`]: the positions of the game so far, and the draws that follow from them.
//! - [`upcoming_repetition`]: repetitions that the next move can bring about. [`see`]: what a series of captures wins.
//! - [`eval`]: the static evaluation. [`tablebase`]: Syzygy endgame tables.

pub mod compact;
pub mod eval;
pub mod fen;
pub mod keys;
pub mod movegen;
pub mod piece_square;
pub mod position;
pub mod see;
pub mod tablebase;
pub mod upcoming_repetition;
