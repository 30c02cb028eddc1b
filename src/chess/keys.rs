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

#[cfg(test)]
mod tests {
    use shakmaty::uci::UciMove;

    use super::*;
    use crate::chess::eval::Evaluator;
    use crate::chess::fen;

    fn position(text: &str) -> Position {
        let chess = fen::parse(text).expect("a position");
        Position::new(chess, Evaluator::new().table())
    }

    /// The position after `moves`, and the keys before it.
    fn after(text: &str, moves: &str) -> (Position, KeyPath) {
        let evaluator = Evaluator::new();
        let mut position = position(text);
        let mut path = KeyPath::default();
        for word in moves.split_whitespace() {
            let uci: UciMove = word.parse().expect("a move");
            let m = movegen::legal_move(&position, uci).expect("a legal move");
            path.push(position.key());
            position = position.child(m, evaluator.table());
        }
        (position, path)
    }

    #[test]
    fn keys_are_found_by_their_distance() {
        let mut path = KeyPath::default();
        assert!(path.is_empty());
        assert_eq!((path.len(), path.back(1)), (0, None));
        for key in [11, 12, 13] {
            path.push(key);
        }
        assert!(!path.is_empty());
        assert_eq!(path.len(), 3);
        assert_eq!(path.back(1), Some(13));
        assert_eq!(path.back(3), Some(11));
        assert_eq!((path.back(0), path.back(4)), (None, None));
        path.pop();
        assert_eq!((path.len(), path.back(1)), (2, Some(12)));
        path.clear();
        assert!(path.is_empty());
    }

    #[test]
    fn rooks_that_go_out_and_back_repeat_the_position() {
        const ROOKS: &str = "4k2r/8/8/8/8/8/8/4K2R w - - 0 1";
        let once = "h1g1 h8g8 g1h1 g8h8";
        let twice = "h1g1 h8g8 g1h1 g8h8 h1g1 h8g8 g1h1 g8h8";
        // The same by a detour: six plies.
        let round = "h1g1 h8g8 g1f1 g8f8 f1h1 f8h8";
        for (moves, ply, repeated) in [
            ("", 9, false),
            (once, 0, false),
            (once, 4, false),
            (once, 5, true),
            (round, 6, false),
            (round, 7, true),
            (twice, 0, true),
            (twice, 4, true),
            ("h1g1 h8g8 g1f1 g8h8", 9, false),
            ("h1g1 h8g8 g1h1", 9, false),
        ] {
            let (position, path) = after(ROOKS, moves);
            assert_eq!(
                path.is_repetition(&position, ply),
                repeated,
                "{moves} at {ply}"
            );
            assert_eq!(path.is_draw(&position, ply), repeated, "{moves} at {ply}");
        }
    }

    #[test]
    fn the_clock_of_the_position_bounds_the_look_back() {
        const CLOCK: &str = "4k2r/8/8/8/8/8/8/4K2R w - - 3 9";
        let (position, path) = after(CLOCK, "h1g1 h8g8 g1h1 g8h8");
        assert_eq!(position.reversible(), 7);
        assert!(path.is_repetition(&position, 5));
        // The same key further back than the last capture or pawn move does not count.
        let fresh = self::position(CLOCK);
        let mut path = KeyPath::default();
        for key in [fresh.key(), 1, 2, 3] {
            path.push(key);
        }
        assert!(!path.is_repetition(&fresh, 9));
        let later = self::position("4k2r/8/8/8/8/8/8/4K2R w - - 4 9");
        assert!(path.is_repetition(&later, 9));
    }

    #[test]
    fn the_fifty_move_rule_waits_for_mate() {
        for (text, drawn) in [
            ("4k3/8/8/8/8/8/8/4K2R w - - 99 80", false),
            ("4k3/8/8/8/8/8/8/4K2R w - - 100 80", true),
            ("4k3/8/8/8/8/8/8/4K2R w - - 101 80", true),
            // Check with a way out, and mate on the back rank.
            ("4k2R/8/8/8/8/8/8/4K3 b - - 100 80", true),
            ("4k2R/8/4K3/8/8/8/8/8 b - - 99 80", false),
            ("4k2R/8/4K3/8/8/8/8/8 b - - 100 80", false),
        ] {
            let path = KeyPath::default();
            assert_eq!(path.is_draw(&position(text), 0), drawn, "{text}");
        }
    }

    #[test]
    fn material_that_cannot_mate_is_a_draw() {
        for (text, drawn) in [
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", true),
            ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", true),
            ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", true),
            // Two bishops of one colour of squares, and of both.
            ("2b1k3/8/8/8/8/8/8/4KB2 w - - 0 1", true),
            ("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", false),
            ("4k3/8/8/8/8/8/8/4KBN1 w - - 0 1", false),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", false),
            ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", false),
            ("4k3/8/8/8/8/8/8/3QK3 w - - 0 1", false),
        ] {
            let path = KeyPath::default();
            assert_eq!(path.is_draw(&position(text), 0), drawn, "{text}");
        }
    }
}
