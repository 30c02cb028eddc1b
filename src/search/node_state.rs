//! What a node knows: of itself before a move is searched, of a move, and of the moves searched so far.

use arrayvec::ArrayVec;

use super::continuation::Continuation;
use super::game::{Bitboard, CompactMove};
use super::node_type::NodeType;
use super::picker::Rank;
use super::tt::Entry;
use super::window::Window;
use crate::score::Score;

/// What a node knows before it searches a move.
pub struct Node {
    /// Plies from the root.
    pub ply: usize,
    /// Plies left to search.
    pub depth: i32,
    /// Alpha and beta.
    pub window: Window,
    /// What it is expected to be.
    pub node_type: NodeType,
    /// Whether the side to move is in check.
    pub in_check: bool,
    /// The move that a singular search leaves out.
    pub excluded: Option<CompactMove>,
    /// What the table knows.
    pub entry: Option<Entry>,
    /// The table's move, if it is legal here.
    pub table_move: Option<CompactMove>,
    /// Whether the position is or once was on a principal variation.
    pub was_pv: bool,
    /// The static evaluation before corrections: the value the table keeps.
    pub raw_eval: Score,
    /// The static evaluation, corrected by what was learned.
    pub static_eval: Score,
    /// The same, or the table's score where that is a better estimate.
    pub eval: Score,
    /// Whether the static evaluation is better than at our last move.
    pub improving: bool,
    /// Squares the opponent attacks; found when the moves are searched.
    pub threats: Bitboard,
    /// The moves that led here.
    pub continuation: Continuation,
}

/// A move that may be searched, with what decides whether and how deep.
pub struct Candidate {
    /// The move.
    pub m: CompactMove,
    /// Its rank in the move order.
    pub rank: Rank,
    /// Neither capture nor promotion.
    pub quiet: bool,
    /// Its history value.
    pub history: i32,
    /// Its number among the moves that are searched, from 1.
    pub count: usize,
}

/// Moves remembered for the malus when another one cuts off.
const MOVES_TRIED: usize = 64;

type Tried = ArrayVec<CompactMove, MOVES_TRIED>;

/// What the moves searched so far have shown.
pub struct Progress {
    /// The best score.
    pub best: Score,
    /// The move that raised alpha last.
    pub best_move: Option<CompactMove>,
    /// Moves searched.
    pub count: usize,
    /// Quiet moves that were searched and did not raise alpha.
    pub quiets: Tried,
    /// Captures and promotions that were searched and did not raise alpha.
    pub noisy: Tried,
}

impl Progress {
    /// No move was searched yet.
    pub fn new() -> Progress {
        Progress {
            best: -Score::INFINITE,
            best_move: None,
            count: 0,
            quiets: Tried::new(),
            noisy: Tried::new(),
        }
    }

    /// Remembers a move that was searched and did not raise alpha; those beyond [`MOVES_TRIED`] get no malus.
    pub fn remember_tried(&mut self, m: CompactMove) {
        let list = if m.is_quiet() {
            &mut self.quiets
        } else {
            &mut self.noisy
        };
        let _ = list.try_push(m);
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Role, Square};

    use super::*;

    #[test]
    fn quiet_moves_and_captures_are_remembered_apart_and_no_more_than_there_is_room_for() {
        let knight =
            |capture| CompactMove::normal(Role::Knight, Square::G1, Square::F3, capture, None);
        let (quiet, capture) = (knight(None), knight(Some(Role::Rook)));
        let mut progress = Progress::new();
        progress.remember_tried(quiet);
        progress.remember_tried(capture);
        progress.remember_tried(capture);
        assert_eq!(progress.quiets[..], [quiet]);
        assert_eq!(progress.noisy[..], [capture, capture]);
        for _ in 0..2 * MOVES_TRIED {
            progress.remember_tried(quiet);
        }
        assert_eq!(progress.quiets.len(), MOVES_TRIED);
    }
}
