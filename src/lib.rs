//! Lanternfish, a UCI chess engine.
//!
//! A chess engine has four parts. It knows the **rules**: which moves are legal in a position. It has an **evaluation**:
//! a function that estimates who stands better, in centipawns, without trying a single move. It has a **search**, which
//! tries moves, the opponent's answers, the answers to those and so on, evaluates the positions at the end of these
//! lines, and finds the line that is best for both sides. And it speaks a **protocol**, UCI, through which a graphical
//! program gives it positions and asks for moves.
//!
//! The modules, from the lowest to the highest. A file imports only from the modules above it in this list; a test
//! checks this:
//!
//! - [`score`]: centipawns, and distances to mate.
//! - [`chess`]: the rules on top of the library `shakmaty`, the evaluation, and endgame tables.
//! - [`search`]: which move is best. It returns data and prints nothing.
//! - [`engine`]: the search on a thread of its own: commands go in, reports come out.
//! - [`uci`]: the protocol. [`mod@bench`]: a fixed search whose node count identifies the engine's behaviour.
//! - `tune`, only with the cargo feature of that name: learns the evaluation from games.
//! - [`cli`]: the command line. It and `tune` show progress bars from [`progress`].

pub mod bench;
pub mod chess;
pub mod cli;
pub mod engine;
pub mod progress;
pub mod score;
pub mod search;
#[cfg(feature = "tune")]
pub mod tune;
pub mod uci;
