//! Keys of the game and of the path: who has been here before, and the draws that follow from it.

use crate::chess::movegen;
use crate::chess::position::Position;

/// The half-move clock at which a game is drawn.
pub const FIFTY_MOVE_LIMIT: u32 = 100;

/// The keys of all positions before the current one: first those of the game, then those of the search path.
#[derive(Clone, Debug, Default)]
pub struct KeyPath {
    keys: Vec<u64>,
}

impl KeyPath {
    /// Adds the key of a position that is being left.
    #[inline]
    pub fn push(&mut self, key: u64) {
        self.keys.push(key);
    }

    /// Takes back the last [`KeyPath::push`].
    #[inline]
    pub fn pop(&mut self) {
        self.keys.pop();
    }

    /// Forgets everything: a new game.
    pub fn clear(&mut self) {
        self.keys.clear();
    }

    /// Number of positions before the current one.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// The key of the position `plies` before the current one.
    #[inline]
    pub fn back(&self, plies: usize) -> Option<u64> {
        let index = self.keys.len().checked_sub(plies)?;
        self.keys.get(index).copied()
    }

    /// Whether there is no position before the current one.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Whether `position`, `ply` plies from the root, counts as drawn by repetition.
    ///
    /// One earlier occurrence inside the tree is enough: what was possible once is possible again. Before the
    /// root it takes two, as the rules say (<https://www.chessprogramming.org/Repetitions>).
    pub fn is_repetition(&self, position: &Position, ply: usize) -> bool {
        let reach = position.reversible().min(self.keys.len());
        let mut before_root = 0;
        let mut distance = 4;
        while distance <= reach {
            if self.keys[self.keys.len() - distance] == position.key() {
                if distance < ply {
                    return true;
                }
                before_root += 1;
                if before_root == 2 {
                    return true;
                }
            }
            distance += 2;
        }
        false
    }

    /// Whether `position`, `ply` plies from the root, is drawn by repetition, the fifty-move rule or lack of
    /// material. A mate on the hundredth half-move comes before the draw.
    pub fn is_draw(&self, position: &Position, ply: usize) -> bool {
        is_fifty_move_draw(position)
            || is_material_draw(position)
            || self.is_repetition(position, ply)
    }
}

fn is_fifty_move_draw(position: &Position) -> bool {
    position.halfmoves() >= FIFTY_MOVE_LIMIT
        && (!position.in_check() || movegen::has_legal_move(position))
}

/// Neither side can mate by any series of moves.
#[inline]
fn is_material_draw(position: &Position) -> bool {
    use shakmaty::Position as _;
    let board = position.board();
    (board.pawns() | board.rooks_and_queens()).is_empty()
        && position.chess().is_insufficient_material()
}
