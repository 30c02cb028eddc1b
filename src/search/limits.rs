//! What a `go` command asked for.

use std::time::Duration;

use super::game::Move;

/// The bounds of one search. The first one reached ends it; with none set the search is endless.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Limits {
    /// Greatest depth in plies.
    pub depth: Option<u32>,
    /// Greatest number of nodes, over all threads.
    pub nodes: Option<u64>,
    /// Look for a mate in this many full moves and stop when one is found.
    pub mate: Option<u32>,
    /// Exact time for this move.
    pub move_time: Option<Duration>,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// Only these root moves; empty means all.
    pub search_moves: Vec<Move>,
    /// Search until told to stop.
    pub infinite: bool,
    /// The move is searched on the opponent's time: clock and move time count from the ponder hit.
    pub ponder: bool,
}

/// The clock of the side to move.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct Clock {
    /// Milliseconds left; a match manager with a time margin may send a negative number.
    pub remaining: i64,
    /// Milliseconds added after each move.
    pub increment: i64,
    /// Moves to the next time control; `None` means the rest of the game.
    pub moves_to_go: Option<u32>,
}

impl Limits {
    /// A search to a fixed depth, in plies.
    pub fn depth(depth: u32) -> Limits {
        Limits {
            depth: Some(depth),
            ..Limits::default()
        }
    }

    /// A search of a fixed number of nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits {
            nodes: Some(nodes),
            ..Limits::default()
        }
    }

    /// A search of a fixed time.
    pub fn move_time(milliseconds: u64) -> Limits {
        Limits {
            move_time: Some(Duration::from_millis(milliseconds)),
            ..Limits::default()
        }
    }

    /// Whether the answer must wait for `stop` (or `ponderhit`), even when nothing is left to search.
    pub fn waits_for_stop(&self) -> bool {
        self.infinite || self.ponder
    }
}
