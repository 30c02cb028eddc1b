//! An ending as the side sees it that tries to win, and what the files of endings have in common.

use shakmaty::{Bitboard, Board, Color, Role, Square};

use super::bits::{edge_distance, relative_rank};
use super::kpk::{self, Bitbase};
use crate::chess::position::Position;

/// A drawn ending, in centipawns.
pub(super) const DRAW: i32 = 0;
/// An ending that is drawn as far as counting moves can tell.
pub(super) const NEARLY_DRAWN: i32 = 25;
/// King and pawn against king, won: less than any piece that the pawn may become.
const WON_PAWN: i32 = 450;
/// For each rank a won pawn has come forward.
pub(super) const PAWN_STEP: i32 = 15;
/// How far a corner is from the middle.
pub(super) const MOST_OUTSIDE: i32 = 6;

/// A position seen by the side that tries to win.
pub(super) struct Ending<'a> {
    pub board: &'a Board,
    pub strong: Color,
    pub turn: Color,
    pub king: Square,
    pub weak_king: Square,
    pub own: Bitboard,
    pub enemy: Bitboard,
}

impl Ending<'_> {
    /// `position` as `strong` sees it.
    pub fn new(position: &Position, strong: Color) -> Ending<'_> {
        let board = position.board();
        Ending {
            board,
            strong,
            turn: position.turn(),
            king: position.king(strong),
            weak_king: position.king(!strong),
            own: board.by_color(strong),
            enemy: board.by_color(!strong),
        }
    }

    /// The own pieces of a role.
    pub fn own(&self, role: Role) -> Bitboard {
        self.own & self.board.by_role(role)
    }

    /// The value of one of the own pawns, with nothing else on the board.
    pub fn king_and_pawn(&self, bitbase: &Bitbase, pawn: Square) -> i32 {
        let won = bitbase.is_won(kpk::Ending {
            strong: self.strong,
            king: self.king,
            pawn,
            lone: self.weak_king,
            turn: self.turn,
        });
        if won {
            WON_PAWN + PAWN_STEP * relative_rank(pawn, self.strong) as i32
        } else {
            DRAW
        }
    }
}

/// How far a square is from the middle, from 0 to 6 in a corner.
pub(super) fn outside(square: Square) -> i32 {
    let rank = square.rank() as usize;
    let inside = edge_distance(square.file()) + rank.min(7 - rank);
    MOST_OUTSIDE - inside as i32
}
