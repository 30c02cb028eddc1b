//! The Universal Chess Interface: the loop that reads commands, and the only writer of standard output.
//!
//! The loop waits for two things, lines from the client and events from the search thread, and blocks on
//! nothing else. What it does when a client sends more than the protocol foresees:
//!
//! * `go` during a search stops that search first. Each `go` gets exactly one `bestmove`, in order.
//! * `position` during a search counts for the next `go`. So do the options.
//! * Options that touch the search, and `ucinewgame`, are done when the running search has ended. `isready`
//!   waits for those that are due, and for a `bench` or `go perft` before the next search, but never for a search that goes
//!   on.
//! * At the end of input a search is stopped and its `bestmove` is printed; `bench` and `go perft` are
//!   finished. `quit` stops everything.
//!
//! The protocol: <https://www.chessprogramming.org/UCI>.

pub mod command;
pub mod debug_log;
pub mod game;
pub mod go;
pub mod input;
pub mod moves;
pub mod options;
pub mod output;
pub mod perft;
pub mod report;
pub mod session;
pub mod text;
#[cfg(feature = "tune")]
pub mod tune;
pub mod wdl;

use std::time::{Duration, Instant};

use crossbeam_channel::{never, select};

use crate::engine::EngineError;
use input::Input;
use session::Session;

/// How long `quit` waits for the search thread.
const QUIT_PATIENCE: Duration = Duration::from_millis(500);

/// Speaks UCI on standard input and output until `quit` or the end of input.
///
/// # Errors
///
/// When the engine cannot be started.
pub fn run() -> Result<(), EngineError> {
    let mut session = Session::new()?;
    let input = input::spawn().map_err(EngineError::Thread)?;
    let events = session.events();
    let mut end_of_input = false;
    while !(session.is_over() || end_of_input && session.is_idle()) {
        // After the end, a channel that never speaks stands in for the input.
        let lines = if end_of_input { never() } else { input.clone() };
        select! {
            recv(lines) -> line => match line {
                Ok(Input::Line(line)) => session.obey(&line),
                Ok(Input::TooLong) => session.complain("a line was too long and is ignored"),
                Ok(Input::End) | Err(_) => {
                    end_of_input = true;
                    session.stop_searches();
                }
            },
            recv(events) -> event => match event {
                Ok(event) => session.tell(event),
                Err(_) => break,
            },
        }
    }
    finish(session);
    Ok(())
}

/// Stops what runs, prints its answer, and waits for the search thread, but not for long.
fn finish(mut session: Session) {
    session.stop_everything();
    let until = Instant::now() + QUIT_PATIENCE;
    while !session.is_idle() {
        match session.events().recv_deadline(until) {
            Ok(event) => session.tell(event),
            // Out of patience: the process ends without the thread.
            Err(_) => return,
        }
    }
    session.join();
}
