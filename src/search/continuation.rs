//! The moves that led to a node, as the continuation histories know them.

use super::game::PieceSquare;
use crate::score::MAX_PLY;

/// How many plies back the moves stand that a continuation history looks at. The nearest come first.
pub const CONTINUATION_PLIES: [usize; 4] = [1, 2, 4, 6];

/// The moves that led here, one for each of [`CONTINUATION_PLIES`]; `None` for a null move or before the root.
pub type Continuation = [Option<PieceSquare>; CONTINUATION_PLIES.len()];

/// How far back the furthest of these moves is.
const LOOK_BACK: usize = CONTINUATION_PLIES[CONTINUATION_PLIES.len() - 1];

/// The moves of the current path by ply. Before the first one stand [`LOOK_BACK`] absent ones, so that looking back
/// needs no test.
#[derive(Clone, Debug)]
pub struct PathMoves([Option<PieceSquare>; LOOK_BACK + MAX_PLY + 2]);

impl Default for PathMoves {
    fn default() -> PathMoves {
        PathMoves([None; LOOK_BACK + MAX_PLY + 2])
    }
}

impl PathMoves {
    /// Notes the move at `ply`; `None` is a null move.
    #[inline(always)]
    pub fn set(&mut self, ply: usize, moved: Option<PieceSquare>) {
        self.0[LOOK_BACK + ply] = moved;
    }

    /// The moves before `ply`.
    #[inline(always)]
    pub fn before(&self, ply: usize) -> Continuation {
        let before = self.0[ply..].first_chunk::<LOOK_BACK>();
        before.map_or([None; CONTINUATION_PLIES.len()], |before| {
            CONTINUATION_PLIES.map(|plies| before[LOOK_BACK - plies])
        })
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Color, Role, Square};

    use super::super::game::CompactMove;
    use super::*;

    #[test]
    fn a_node_sees_the_moves_one_two_four_and_six_plies_before_it() {
        let to = |square: Square| {
            let m = CompactMove::normal(Role::Knight, Square::G1, square, None, None);
            Some(m.piece_square(Color::White))
        };
        let mut path = PathMoves::default();
        assert_eq!(path.before(0), [None; 4]);
        for (ply, square) in Square::ALL.into_iter().enumerate().take(8) {
            path.set(ply, to(square));
        }
        assert_eq!(path.before(1), [to(Square::A1), None, None, None]);
        let [a2, a4, a6, a7] = [Square::B1, Square::D1, Square::F1, Square::G1].map(to);
        assert_eq!(path.before(7), [a7, a6, a4, a2]);
        path.set(6, None);
        assert_eq!(path.before(7), [None, a6, a4, a2]);
    }
}
