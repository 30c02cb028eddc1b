//! Protocol tests: they start the built binary and talk to it as real tools do.
//!
//! A test name starts with the id of its row in the table of UCI cases (`p5_...`). The comment above a
//! test says who depends on it. Every search runs through `validator`, and most searches run twice,
//! with one search thread and with two.
//!
//! `LANTERNFISH_BIN=/usr/games/stockfish cargo test --test protocol` drives another engine instead.

mod chess960;
mod command_line;
mod commands;
mod game;
mod go;
mod handshake;
mod harness;
mod info_lines;
mod options;
mod positions;
mod robustness;
mod stopping;
mod time;
mod validator;
mod weights;
