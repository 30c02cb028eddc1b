//! What several terms need to know of a position, found out once: who attacks what.

use shakmaty::{Bitboard, Board, Color, Role, Square, attacks};

use super::bits::{behind, rank};
use crate::chess::position::{PawnSide, Position, pawn_threats, pawn_threats_to};

/// One side's view.
#[derive(Copy, Clone, Debug)]
pub(super) struct Side {
    /// All its pieces and pawns.
    pub pieces: Bitboard,
    pub pawns: Bitboard,
    pub king: Square,
    /// The squares round its king that matter to an attack.
    pub ring: Bitboard,
    /// The squares its pieces are free to go to.
    pub area: Bitboard,
    /// The squares it attacks.
    pub attacks: Attacks,
}

impl Side {
    /// The squares that pieces of `role` attack.
    #[inline(always)]
    pub fn by(&self, role: Role) -> Bitboard {
        self.attacks.by_role[role as usize - 1]
    }

    /// The squares attacked at all.
    #[inline(always)]
    pub fn attacked(&self) -> Bitboard {
        self.attacks.all
    }

    /// The squares attacked at least twice.
    #[inline(always)]
    pub fn twice(&self) -> Bitboard {
        self.attacks.twice
    }
}

/// The squares that one side attacks.
#[derive(Copy, Clone, Debug)]
pub(super) struct Attacks {
    by_role: [Bitboard; 6],
    all: Bitboard,
    twice: Bitboard,
}

impl Attacks {
    /// Notes that a piece of `role` attacks these squares.
    #[inline(always)]
    pub fn add(&mut self, role: Role, squares: Bitboard) {
        self.twice |= self.all & squares;
        self.all |= squares;
        self.by_role[role as usize - 1] |= squares;
    }
}

/// A position and both sides' attacks. The attacks of pieces are added by `pieces`.
pub(super) struct Context<'a> {
    pub board: &'a Board,
    pub turn: Color,
    pub occupied: Bitboard,
    sides: [Side; 2],
}

impl<'a> Context<'a> {
    /// Both sides with the attacks of pawns and kings.
    #[inline(always)]
    pub fn new(position: &'a Position) -> Context<'a> {
        let board = position.board();
        let mut white = side(position, Color::White);
        let mut black = side(position, Color::Black);
        white.area = mobility_area(board, Color::White, &white, &black);
        black.area = mobility_area(board, Color::Black, &black, &white);
        let mut sides = [white; 2];
        sides[Color::Black as usize] = black;
        Context {
            board,
            turn: position.turn(),
            occupied: board.occupied(),
            sides,
        }
    }

    #[inline(always)]
    pub fn side(&self, color: Color) -> &Side {
        &self.sides[color as usize]
    }

    #[inline(always)]
    pub fn side_mut(&mut self, color: Color) -> &mut Side {
        &mut self.sides[color as usize]
    }

    /// The pieces of one colour and role.
    #[inline(always)]
    pub fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.board.by_role(role) & self.side(color).pieces
    }
}

#[inline(always)]
fn side(position: &Position, us: Color) -> Side {
    let board = position.board();
    let pieces = board.by_color(us);
    let pawns = board.pawns() & pieces;
    let king = position.king(us);
    let (by_pawns, by_king) = (pawn_threats(pawns, us), attacks::king_attacks(king));
    let mut by_role = [Bitboard(0); 6];
    by_role[Role::Pawn as usize - 1] = by_pawns;
    by_role[Role::King as usize - 1] = by_king;
    Side {
        pieces,
        pawns,
        king,
        ring: KING_RINGS[king.to_usize()],
        area: Bitboard(0),
        attacks: Attacks {
            by_role,
            all: by_pawns | by_king,
            twice: by_pawns & by_king | twice_by_pawns(pawns, us),
        },
    }
}

/// The squares that two pawns attack.
#[inline(always)]
fn twice_by_pawns(pawns: Bitboard, us: Color) -> Bitboard {
    pawn_threats_to(PawnSide::East, pawns, us) & pawn_threats_to(PawnSide::West, pawns, us)
}

/// For each square of a king that square and those round it; at the edge, of the nearest square that is not.
static KING_RINGS: [Bitboard; 64] = {
    let mut rings = [Bitboard(0); 64];
    let mut king = 0;
    while king < 64 {
        let (file, rank) = (inside(king % 8), inside(king / 8));
        // Three squares in a row, and three such rows: the middle one is that of the centre.
        rings[king as usize] = Bitboard(0x07_0707 << (8 * (rank - 1) + file - 1));
        king += 1;
    }
    rings
};

/// A file or rank, or the next one when it is at the edge.
const fn inside(coordinate: u32) -> u32 {
    match coordinate {
        0 => 1,
        7 => 6,
        other => other,
    }
}

/// Squares that are worth going to: not where the own king or queen stands or where pawns are stuck or at home, and
/// not where an enemy pawn takes.
#[inline(always)]
fn mobility_area(board: &Board, us: Color, own: &Side, enemy: &Side) -> Bitboard {
    let stuck = own.pawns & (behind(board.occupied(), us) | rank(2, us) | rank(3, us));
    let heavy = own.pieces & (board.queens() | board.kings());
    !(stuck | heavy | enemy.by(Role::Pawn))
}
