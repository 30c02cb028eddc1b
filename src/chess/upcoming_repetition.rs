//! Repetitions that the next move can bring about. A side that can go back to an earlier position has a draw in hand
//! before it plays it (Marcel van Kervinck's detection of upcoming repetitions, as Stockfish uses it).

use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{Bitboard, Color, Role, Square, attacks};

use crate::chess::keys::KeyPath;
use crate::chess::position::Position;

/// Slots of the table: more than twice the 3,668 moves that it holds.
const SLOTS: usize = 1 << 13;
/// Moves of pawns cannot be taken back.
const ROLES: [Role; 5] = [
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
    Role::King,
];

/// What a move changes in the key of a position, and the two squares it goes between.
#[derive(Copy, Clone, Debug)]
struct Slot {
    key: u64,
    squares: [Square; 2],
}

/// Every move that can be taken back, found by what it changes in the key.
#[derive(Debug)]
pub struct ReversibleMoves {
    slots: Box<[Option<Slot>]>,
}

impl Default for ReversibleMoves {
    fn default() -> ReversibleMoves {
        ReversibleMoves::new()
    }
}

impl ReversibleMoves {
    /// The table of all such moves.
    pub fn new() -> ReversibleMoves {
        let mut table = ReversibleMoves {
            slots: vec![None; SLOTS].into_boxed_slice(),
        };
        for piece in Color::ALL
            .iter()
            .flat_map(|&color| ROLES.map(|role| role.of(color)))
        {
            for from in Square::ALL {
                let reach = attacks::attacks(from, piece, Bitboard::EMPTY);
                for to in reach.into_iter().filter(|&to| to > from) {
                    let key = Zobrist64::zobrist_for_piece(from, piece).0
                        ^ Zobrist64::zobrist_for_piece(to, piece).0
                        ^ Zobrist64::zobrist_for_white_turn().0;
                    table.insert(Slot {
                        key,
                        squares: [from, to],
                    });
                }
            }
        }
        table
    }

    fn insert(&mut self, slot: Slot) {
        let free = probes(slot.key).find(|&index| self.slots[index].is_none());
        if let Some(index) = free {
            self.slots[index] = Some(slot);
        }
    }

    /// The squares of the move that changes the key by `key`.
    fn find(&self, key: u64) -> Option<[Square; 2]> {
        probes(key)
            .map_while(|index| self.slots[index])
            .find(|slot| slot.key == key)
            .map(|slot| slot.squares)
    }

    /// Whether the side to move can go back to a position between the root and `position`, which is `ply` plies from
    /// the root and has the positions of `path` before it.
    pub fn can_repeat(&self, path: &KeyPath, position: &Position, ply: usize) -> bool {
        let reach = position.reversible().min(ply.saturating_sub(1));
        let distances = (3..=reach).step_by(2);
        let mut changes = distances.filter_map(|distance| path.back(distance));
        changes.any(|before| {
            let squares = self.find(position.key() ^ before);
            squares.is_some_and(|squares| can_go_between(position, squares))
        })
    }
}

/// The places where a key may be: linear probing.
fn probes(key: u64) -> impl Iterator<Item = usize> {
    (0..SLOTS).map(move |step| (key as usize).wrapping_add(step) & (SLOTS - 1))
}

/// Whether a piece of the side to move stands on one of the squares and nothing between them.
fn can_go_between(position: &Position, [a, b]: [Square; 2]) -> bool {
    let board = position.board();
    let ends = Bitboard::from_square(a).with(b);
    (ends & board.by_color(position.turn())).any()
        && (attacks::between(a, b) & board.occupied()).is_empty()
}

#[cfg(test)]
mod tests {
    use shakmaty::uci::UciMove;

    use super::*;
    use crate::chess::eval::Evaluator;
    use crate::chess::movegen;

    /// Whether a repetition can be reached after `moves` from the start position, the root.
    fn after(moves: &str) -> bool {
        let table = ReversibleMoves::new();
        let evaluator = Evaluator::new();
        let mut position = Position::initial(evaluator.table());
        let mut path = KeyPath::default();
        let mut ply = 0;
        for word in moves.split(' ') {
            let uci: UciMove = word.parse().expect("a move");
            let m = movegen::legal_move(&position, uci).expect("a legal move");
            path.push(position.key());
            position = position.child(m, evaluator.table());
            ply += 1;
        }
        table.can_repeat(&path, &position, ply)
    }

    #[test]
    fn the_way_back_is_seen_one_move_ahead() {
        assert!(after("e2e4 e7e5 g1f3 g8f6 f3g1"));
        assert!(after("e2e4 e7e5 f1b5 b8c6 b5d3 c6b8 d3e2 b8c6"));
    }

    #[test]
    fn a_game_that_goes_on_has_none() {
        assert!(!after("e2e4 e7e5 g1f3 g8f6"));
        assert!(!after("e2e4 e7e5 g1f3 g8f6 d2d3"));
        assert!(!after("e2e4 e7e5 f1c4 g8f6 c4d3"));
    }

    #[test]
    fn a_blocked_way_is_none() {
        // With the queen on d1 instead of d3 it was there before, but a pawn stands between.
        let tour = "e2e4 e7e5 d1h5 b8c6 h5d1 c6b8 d1h5 b8a6 h5h3 a6b8 h3d3 b8c6";
        assert!(!after(tour));
        assert!(after("e2e4 e7e5 d1h5 b8c6 h5d1"));
    }

    #[test]
    fn the_opponents_way_back_is_none() {
        assert!(!after("e2e4 e7e5 d1h5 b8c6 h5h3 c6b8 h3d3"));
    }

    #[test]
    fn all_moves_are_in_the_table() {
        let table = ReversibleMoves::new();
        assert_eq!(table.slots.iter().flatten().count(), 3668);
    }
}
