//! Moves as the search handles them: everything about a move in one number.
//!
//! A [`shakmaty::Move`] is an enum; comparing or taking it apart costs several branches. The search does both many times
//! for every node, so it works with this form and turns it back only to play a move.

use std::num::{NonZeroU16, NonZeroU32};

use shakmaty::uci::UciMove;
use shakmaty::{Color, Move, Role, Square};

/// How many moves a list of moves holds: more than any position a game can reach has.
pub const LIST_CAPACITY: usize = 256;

/// Width of a square, and of a role, in bits.
const SQUARE_BITS: u32 = 6;
const ROLE_BITS: u32 = 3;

// From the lowest bit up: target square, role, origin square, captured role, promotion role, two flags.
const ROLE_SHIFT: u32 = SQUARE_BITS;
const FROM_SHIFT: u32 = ROLE_SHIFT + ROLE_BITS;
const CAPTURE_SHIFT: u32 = FROM_SHIFT + SQUARE_BITS;
const PROMOTION_SHIFT: u32 = CAPTURE_SHIFT + ROLE_BITS;
const EN_PASSANT: u32 = 1 << (PROMOTION_SHIFT + ROLE_BITS);
const CASTLE: u32 = EN_PASSANT << 1;

const SQUARE_MASK: u32 = (1 << SQUARE_BITS) - 1;
const ROLE_MASK: u32 = (1 << ROLE_BITS) - 1;
/// Captured and promotion role: zero for a quiet move.
const NOISY_MASK: u32 = ROLE_MASK << CAPTURE_SHIFT | ROLE_MASK << PROMOTION_SHIFT;

/// Roles by their number; zero and seven stand for none.
const ROLES: [Option<Role>; 8] = [
    None,
    Some(Role::Pawn),
    Some(Role::Knight),
    Some(Role::Bishop),
    Some(Role::Rook),
    Some(Role::Queen),
    Some(Role::King),
    None,
];

/// A piece of one colour and the square it goes to: how histories know a move.
///
/// There are [`PieceSquare::COUNT`] of them.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct PieceSquare(u16);

impl PieceSquare {
    /// How many there are: six roles of two colours on 64 squares.
    pub const COUNT: usize = 2 * 6 * 64;

    /// A number below [`PieceSquare::COUNT`].
    #[inline(always)]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The part of a move that the transposition table keeps: origin, target and promotion, in two bytes. In the position it
/// belongs to, that is the whole move.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct PackedMove(NonZeroU16);

const PACKED_TO_SHIFT: u32 = SQUARE_BITS;
const PACKED_PROMOTION_SHIFT: u32 = 2 * SQUARE_BITS;

impl PackedMove {
    /// The move with these bits; `None` for zero, which no move has.
    #[inline]
    pub fn from_bits(bits: u16) -> Option<PackedMove> {
        NonZeroU16::new(bits).map(PackedMove)
    }

    /// The bits, never zero.
    #[inline]
    pub fn bits(self) -> u16 {
        self.0.get()
    }

    /// Origin, target, and the piece a pawn becomes; for castling the target is the rook's square.
    #[inline]
    pub fn unpack(self) -> (Square, Square, Option<Role>) {
        let bits = u32::from(self.0.get());
        let promotion = (bits >> PACKED_PROMOTION_SHIFT & ROLE_MASK) as usize;
        (
            Square::new(bits & SQUARE_MASK),
            Square::new(bits >> PACKED_TO_SHIFT & SQUARE_MASK),
            ROLES[promotion],
        )
    }
}

/// A move in four bytes; an `Option` of it needs no more.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct CompactMove(NonZeroU32);

impl CompactMove {
    /// The move of a piece to an empty square or onto an enemy piece. Not for castling and en passant.
    #[inline(always)]
    pub fn normal(
        role: Role,
        from: Square,
        to: Square,
        capture: Option<Role>,
        promotion: Option<Role>,
    ) -> CompactMove {
        let capture = capture.map_or(0, |role| role as u32);
        let promotion = promotion.map_or(0, |role| role as u32);
        let noisy = capture << CAPTURE_SHIFT | promotion << PROMOTION_SHIFT;
        CompactMove::from_parts(role, from, to, noisy)
    }

    /// The capture of a pawn by a pawn in passing.
    #[inline]
    pub fn en_passant(from: Square, to: Square) -> CompactMove {
        let capture = (Role::Pawn as u32) << CAPTURE_SHIFT;
        CompactMove::from_parts(Role::Pawn, from, to, capture | EN_PASSANT)
    }

    /// Castling, from the square of the king to that of the rook.
    #[inline]
    pub fn castle(king: Square, rook: Square) -> CompactMove {
        CompactMove::from_parts(Role::King, king, rook, CASTLE)
    }

    #[inline(always)]
    fn from_parts(role: Role, from: Square, to: Square, rest: u32) -> CompactMove {
        let bits = to.to_u32() | (role as u32) << ROLE_SHIFT | from.to_u32() << FROM_SHIFT | rest;
        debug_assert_ne!(bits, 0, "roles begin at one");
        CompactMove(NonZeroU32::new(bits).unwrap_or(NonZeroU32::MIN))
    }

    /// The two bytes that the transposition table keeps.
    #[inline]
    pub fn pack(self) -> PackedMove {
        let promotion = self.field(PROMOTION_SHIFT, ROLE_MASK) as u32;
        let bits = self.from().to_u32()
            | self.to().to_u32() << PACKED_TO_SHIFT
            | promotion << PACKED_PROMOTION_SHIFT;
        debug_assert_ne!(bits, 0, "no move ends where it begins");
        PackedMove(NonZeroU16::new(bits as u16).unwrap_or(NonZeroU16::MIN))
    }

    /// The moving piece.
    #[inline(always)]
    pub fn role(self) -> Role {
        let role = ROLES[self.field(ROLE_SHIFT, ROLE_MASK)];
        debug_assert!(role.is_some(), "a move has a moving piece");
        role.unwrap_or(Role::Pawn)
    }

    /// The origin square.
    #[inline(always)]
    pub fn from(self) -> Square {
        Square::new(self.0.get() >> FROM_SHIFT & SQUARE_MASK)
    }

    /// The target square; for castling that of the rook.
    #[inline(always)]
    pub fn to(self) -> Square {
        Square::new(self.0.get() & SQUARE_MASK)
    }

    /// The captured piece, if any.
    #[inline(always)]
    pub fn capture(self) -> Option<Role> {
        ROLES[self.capture_number()]
    }

    /// The captured piece's role as a number, 0 when nothing is captured.
    #[inline(always)]
    pub fn capture_number(self) -> usize {
        self.field(CAPTURE_SHIFT, ROLE_MASK)
    }

    /// The piece a pawn becomes, if any.
    #[inline(always)]
    pub fn promotion(self) -> Option<Role> {
        ROLES[self.field(PROMOTION_SHIFT, ROLE_MASK)]
    }

    /// Whether it captures, en passant included.
    #[inline(always)]
    pub fn is_capture(self) -> bool {
        self.0.get() & ROLE_MASK << CAPTURE_SHIFT != 0
    }

    /// Whether a pawn becomes another piece.
    #[inline(always)]
    pub fn is_promotion(self) -> bool {
        self.0.get() & ROLE_MASK << PROMOTION_SHIFT != 0
    }

    /// Neither capture nor promotion.
    #[inline(always)]
    pub fn is_quiet(self) -> bool {
        self.0.get() & NOISY_MASK == 0
    }

    /// Whether it is castling.
    #[inline(always)]
    pub fn is_castle(self) -> bool {
        self.0.get() & CASTLE != 0
    }

    /// Whether it captures en passant.
    #[inline(always)]
    pub fn is_en_passant(self) -> bool {
        self.0.get() & EN_PASSANT != 0
    }

    /// The moving piece of `turn` and the target square.
    #[inline(always)]
    pub fn piece_square(self, turn: Color) -> PieceSquare {
        const COLOR_SIZE: u32 = 6 * 64;
        const FIRST_ROLE: u32 = (Role::Pawn as u32) << ROLE_SHIFT;
        let role_and_target = self.0.get() & (ROLE_MASK << ROLE_SHIFT | SQUARE_MASK);
        debug_assert!((FIRST_ROLE..FIRST_ROLE + COLOR_SIZE).contains(&role_and_target));
        let number = role_and_target
            .saturating_sub(FIRST_ROLE)
            .min(COLOR_SIZE - 1);
        PieceSquare((number + turn as u32 * COLOR_SIZE) as u16)
    }

    /// Origin and target in protocol form; castling is king takes rook.
    #[inline]
    pub fn to_uci(self) -> UciMove {
        UciMove::Normal {
            from: self.from(),
            to: self.to(),
            promotion: self.promotion(),
        }
    }

    #[inline(always)]
    fn field(self, shift: u32, mask: u32) -> usize {
        (self.0.get() >> shift & mask) as usize
    }
}

impl From<Move> for CompactMove {
    #[inline]
    fn from(m: Move) -> CompactMove {
        match m {
            Move::Normal {
                role,
                from,
                capture,
                to,
                promotion,
            } => CompactMove::normal(role, from, to, capture, promotion),
            Move::EnPassant { from, to } => CompactMove::en_passant(from, to),
            Move::Castle { king, rook } => CompactMove::castle(king, rook),
            Move::Put { role, to } => {
                debug_assert!(false, "no piece is put on the board in chess");
                CompactMove::normal(role, to, to, None, None)
            }
        }
    }
}

impl From<CompactMove> for Move {
    #[inline(always)]
    fn from(m: CompactMove) -> Move {
        let (from, to) = (m.from(), m.to());
        if m.is_castle() {
            Move::Castle {
                king: from,
                rook: to,
            }
        } else if m.is_en_passant() {
            Move::EnPassant { from, to }
        } else {
            Move::Normal {
                role: m.role(),
                from,
                capture: m.capture(),
                to,
                promotion: m.promotion(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{fen, movegen};

    #[test]
    fn every_move_comes_back_as_it_was() {
        let fens = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k3/1P6/8/3pP3/8/8/8/4K2R w K d6 0 1",
            "nnbbqrkr/pppp1p1p/6p1/4p3/4P3/6P1/PPPP1P1P/NNBBQRKR w HFhf - 0 3",
        ];
        for text in fens {
            let chess = fen::parse(text).unwrap();
            let position = crate::chess::position::Position::new(
                chess,
                crate::chess::eval::Evaluator::new().table(),
            );
            for m in movegen::legal_moves(&position) {
                let compact: CompactMove = m.into();
                assert_eq!(Into::<Move>::into(compact), m);
                assert_eq!(compact.to_uci(), UciMove::from_chess960(m));
                let packed = PackedMove::from_bits(compact.pack().bits()).unwrap();
                let parts = (compact.from(), compact.to(), m.promotion());
                assert_eq!(packed.unpack(), parts);
                assert_eq!(movegen::legal_packed(&position, packed), Some(compact));
                assert!(movegen::is_legal(&position, compact));
                assert_eq!(compact.is_quiet(), !m.is_capture() && !m.is_promotion());
                assert_eq!(compact.capture(), m.capture());
                let index = compact.piece_square(Color::Black).index();
                let piece = Color::Black as usize * 6 + m.role() as usize - 1;
                assert_eq!(index, piece * 64 + m.to().to_usize());
            }
        }
    }
}
