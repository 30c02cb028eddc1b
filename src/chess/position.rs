//! A chess position with everything the search keeps up to date move by move.
//!
//! [`Position`] wraps [`shakmaty::Chess`] and adds Zobrist keys, the piece-square sum, the checking and the
//! pinned pieces. It is copied for every move ("copy-make"), so there is nothing to take back.

use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{
    Bitboard, Board, CastlingMode, CastlingSide, Chess, Color, EnPassantMode, FromSetup, Piece,
    Position as _, PositionError, Role, Setup, Square, attacks,
};

use crate::chess::compact::CompactMove;
use crate::chess::piece_square::PieceSquareSum;
pub use crate::chess::piece_square::PieceSquareTable;
use crate::score::Tapered;

/// Zobrist keys of a position and of parts of it.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct Keys {
    /// The whole position: the numbers and rules of [`shakmaty::zobrist`], en passant only when legal.
    pub full: u64,
    /// The pawns of both sides.
    pub pawn: u64,
    /// All pieces but the pawns, one key for each side.
    pub non_pawn: [u64; 2],
    /// Knights, bishops and kings of both sides.
    pub minor: u64,
    /// Rooks, queens and kings of both sides.
    pub major: u64,
}

impl Keys {
    /// The keys of `chess`, computed from nothing.
    pub fn fresh(chess: &Chess) -> Keys {
        let mut keys = Keys::default();
        for (square, piece) in chess.board().iter() {
            keys.toggle_piece(square, piece);
        }
        keys.full = chess.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0;
        keys
    }

    #[inline]
    fn toggle_piece(&mut self, square: Square, piece: Piece) {
        self.toggle(piece, Zobrist64::zobrist_for_piece(square, piece).0);
    }

    /// Takes `number`, which stands for squares of `piece`, into account or out of it.
    #[inline(always)]
    fn toggle(&mut self, piece: Piece, number: u64) {
        // Masks rather than branches: which piece moves is hard to foresee.
        let mask = &KEY_MASKS[piece.color as usize][piece.role as usize - 1];
        self.full ^= number & mask.full;
        self.pawn ^= number & mask.pawn;
        self.non_pawn[0] ^= number & mask.non_pawn[0];
        self.non_pawn[1] ^= number & mask.non_pawn[1];
        self.minor ^= number & mask.minor;
        self.major ^= number & mask.major;
    }

    #[inline]
    fn toggle_turn(&mut self) {
        self.full ^= Zobrist64::zobrist_for_white_turn().0;
    }

    #[inline]
    fn toggle_en_passant(&mut self, square: Option<Square>) {
        if let Some(square) = square {
            self.full ^= Zobrist64::zobrist_for_en_passant_file(square.file()).0;
        }
    }

    #[inline]
    fn toggle_castling(&mut self, chess: &Chess) {
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if chess.castles().has(color, side) {
                    self.full ^= Zobrist64::zobrist_for_castling_right(color, side).0;
                }
            }
        }
    }
}

/// For each colour and role: all bits where a piece counts for a key, none where it does not.
static KEY_MASKS: [[Keys; 6]; 2] = {
    let mut masks = [[key_mask(0, Role::Pawn); 6]; 2];
    let mut color = 0;
    while color < masks.len() {
        let mut index = 0;
        while index < Role::ALL.len() {
            masks[color][index] = key_mask(color, Role::ALL[index]);
            index += 1;
        }
        color += 1;
    }
    masks
};

const fn key_mask(color: usize, role: Role) -> Keys {
    const fn all_if(counts: bool) -> u64 {
        if counts { u64::MAX } else { 0 }
    }
    let pawn = matches!(role, Role::Pawn);
    let mut non_pawn = [0; 2];
    non_pawn[color] = all_if(!pawn);
    Keys {
        full: u64::MAX,
        pawn: all_if(pawn),
        non_pawn,
        minor: all_if(matches!(role, Role::Knight | Role::Bishop | Role::King)),
        major: all_if(matches!(role, Role::Rook | Role::Queen | Role::King)),
    }
}

/// The squares that one side attacks, by the worth of the attackers: each set holds those before it.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct Threats {
    /// Attacked by pawns.
    pub by_pawns: Bitboard,
    /// By pawns, knights or bishops.
    pub by_minors: Bitboard,
    /// By anything but queen and king.
    pub by_rooks: Bitboard,
    /// By anything.
    pub all: Bitboard,
}

/// Sets of squares by role, which begins at one.
pub type ByRole = [Bitboard; 7];

impl Threats {
    /// Every square attacked by everything: where nobody has looked.
    pub const EVERYWHERE: Threats = Threats {
        by_pawns: Bitboard::FULL,
        by_minors: Bitboard::FULL,
        by_rooks: Bitboard::FULL,
        all: Bitboard::FULL,
    };
}

/// A position, its keys, its piece-square sum, its checkers and pins.
///
/// The order in memory is fixed: with the board at the beginning, a copy is written in the same 32-byte pieces that a
/// move reads next. Otherwise the processor would wait until the copy has left its store buffer.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct Position {
    chess: Chess,
    checkers: Bitboard,
    pinned: Bitboard,
    keys: Keys,
    sum: PieceSquareSum,
    reversible: u16,
    en_passant: Option<Square>,
}

impl Position {
    /// Wraps a legal position. The castling mode of `chess` is kept.
    pub fn new(chess: Chess, table: &PieceSquareTable) -> Position {
        let keys = Keys::fresh(&chess);
        let sum = PieceSquareSum::fresh(chess.board(), table);
        let reversible = chess.halfmoves().min(u16::MAX.into()) as u16;
        let en_passant = chess.legal_ep_square();
        let mut position = Position {
            chess,
            keys,
            sum,
            checkers: Bitboard(0),
            pinned: Bitboard(0),
            reversible,
            en_passant,
        };
        position.find_checkers_and_pins();
        position
    }

    /// The start position of chess.
    pub fn initial(table: &PieceSquareTable) -> Position {
        Position::new(initial_chess(), table)
    }

    /// The rules' view of the position.
    #[inline]
    pub fn chess(&self) -> &Chess {
        &self.chess
    }

    /// The pieces.
    #[inline]
    pub fn board(&self) -> &Board {
        self.chess.board()
    }

    /// The side to move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.chess.turn()
    }

    /// The Zobrist keys.
    #[inline]
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The key of the whole position.
    #[inline]
    pub fn key(&self) -> u64 {
        self.keys.full
    }

    /// The piece-square sum from White's view.
    #[inline]
    pub fn piece_square_sum(&self) -> Tapered {
        self.sum.value()
    }

    /// What `piece` on `square` adds to that sum, or would add.
    pub fn worth(&self, piece: Piece, square: Square, table: &PieceSquareTable) -> Tapered {
        self.sum.worth(piece, square, table)
    }

    /// The enemy pieces that give check.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// Pieces of the side to move that are pinned to their king.
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// All squares the opponent attacks.
    #[inline]
    pub fn threats(&self) -> Bitboard {
        self.threats_by_worth().all
    }

    /// The squares from which a piece of the side to move attacks the enemy king, by role; none for the king.
    pub fn checking_squares(&self) -> ByRole {
        let them = !self.turn();
        let king = self.king(them);
        let occupied = self.board().occupied();
        let straight = attacks::rook_attacks(king, occupied);
        let diagonal = attacks::bishop_attacks(king, occupied);
        let mut squares = [Bitboard::EMPTY; 7];
        squares[Role::Pawn as usize] = attacks::pawn_attacks(them, king);
        squares[Role::Knight as usize] = attacks::knight_attacks(king);
        squares[Role::Bishop as usize] = diagonal;
        squares[Role::Rook as usize] = straight;
        squares[Role::Queen as usize] = diagonal | straight;
        squares
    }

    /// All squares the opponent attacks, by what attacks them.
    pub fn threats_by_worth(&self) -> Threats {
        let board = self.board();
        let them = !self.turn();
        let theirs = board.by_color(them);
        let occupied = board.occupied();
        let by_pawns = pawn_threats(board.pawns() & theirs, them);
        let mut by_minors = by_pawns;
        for square in board.knights() & theirs {
            by_minors |= attacks::knight_attacks(square);
        }
        for square in board.bishops() & theirs {
            by_minors |= attacks::bishop_attacks(square, occupied);
        }
        let mut by_rooks = by_minors;
        for square in board.rooks() & theirs {
            by_rooks |= attacks::rook_attacks(square, occupied);
        }
        let mut all = by_rooks | attacks::king_attacks(self.king(them));
        for square in board.queens() & theirs {
            all |= attacks::queen_attacks(square, occupied);
        }
        Threats {
            by_pawns,
            by_minors,
            by_rooks,
            all,
        }
    }

    /// The square where an en passant capture is legal, if any.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Half-moves since the last capture or pawn move: the clock of the fifty-move rule.
    #[inline]
    pub fn halfmoves(&self) -> u32 {
        self.chess.halfmoves()
    }

    /// Half-moves that can be part of a repetition: since the last capture, pawn move or null move.
    #[inline]
    pub fn reversible(&self) -> usize {
        self.reversible.into()
    }

    /// The king of `color`.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        let king = (self.board().kings() & self.board().by_color(color)).first();
        debug_assert!(king.is_some(), "a legal position has both kings");
        king.unwrap_or(Square::A1)
    }

    /// Whether `color` has a piece other than pawns and king.
    #[inline]
    pub fn has_pieces(&self, color: Color) -> bool {
        let board = self.board();
        (board.by_color(color) & !(board.pawns() | board.kings())).any()
    }

    /// The key after `m`, as far as a glance tells: castling rights and en passant are left out. Good enough to have
    /// the right line of the transposition table fetched while the move is made.
    #[inline]
    pub fn key_after(&self, m: CompactMove) -> u64 {
        let (us, from, to) = (self.turn(), m.from(), m.to());
        let moved = m.promotion().unwrap_or(m.role());
        let mut key = self.keys.full
            ^ Zobrist64::zobrist_for_white_turn().0
            ^ Zobrist64::zobrist_for_piece(from, m.role().of(us)).0
            ^ Zobrist64::zobrist_for_piece(to, moved.of(us)).0;
        if let Some(captured) = m.capture() {
            key ^= Zobrist64::zobrist_for_piece(to, captured.of(!us)).0;
        }
        key
    }

    /// The key after a null move.
    #[inline]
    pub fn key_after_null(&self) -> u64 {
        let mut keys = self.keys;
        keys.toggle_en_passant(self.en_passant);
        keys.toggle_turn();
        keys.full
    }

    /// The position after the legal move `m`.
    #[inline(always)]
    pub fn child(&self, m: impl Into<CompactMove>, table: &PieceSquareTable) -> Position {
        let mut next = self.clone();
        next.play(self, m.into(), table);
        next
    }

    /// Plays the legal move `m` on a copy of `before`: the same as [`Position::child`] for a caller that copies itself,
    /// since what is returned from a function is copied once more.
    #[inline(never)]
    pub fn play(&mut self, before: &Position, m: CompactMove, table: &PieceSquareTable) {
        // The old keys, not the copy of them, which may still be on its way to memory.
        let mut keys = before.keys;
        keys.toggle_en_passant(before.en_passant);
        if m.is_castle() || m.is_en_passant() {
            self.toggle_special(&mut keys, m, table);
        } else {
            self.toggle_normal(&mut keys, m, table);
        }
        self.chess.play_unchecked(m.into());
        if m.role() == Role::King {
            self.sum.follow_kings(self.chess.board(), table);
        }
        if self.chess.castles().castling_rights() != before.chess.castles().castling_rights() {
            keys.toggle_castling(&before.chess);
            keys.toggle_castling(&self.chess);
        }
        self.en_passant = self.chess.legal_ep_square();
        keys.toggle_en_passant(self.en_passant);
        keys.toggle_turn();
        self.keys = keys;
        self.reversible = if m.role() == Role::Pawn || m.is_capture() {
            0
        } else {
            before.reversible.saturating_add(1)
        };
        self.find_checkers_and_pins();
        debug_assert_eq!(self.keys, Keys::fresh(&self.chess), "after {m:?}");
        debug_assert_eq!(
            self.sum,
            PieceSquareSum::fresh(self.board(), table),
            "after {m:?}"
        );
    }

    /// The position after passing the move ("null move"), or `None` when in check, and with more pieces than a game can
    /// have.
    pub fn null_child(&self) -> Option<Position> {
        let chess = self.chess.clone().swap_turn().ok()?;
        let mut next = Position {
            chess,
            reversible: 0,
            en_passant: None,
            ..self.clone()
        };
        next.keys.toggle_en_passant(self.en_passant);
        next.keys.toggle_turn();
        next.find_checkers_and_pins();
        debug_assert_eq!(next.keys, Keys::fresh(&next.chess));
        Some(next)
    }

    #[inline(always)]
    fn toggle_normal(&mut self, keys: &mut Keys, m: CompactMove, table: &PieceSquareTable) {
        let us = self.turn();
        let (from, to) = (m.from(), m.to());
        let piece = m.role().of(us);
        let sum = &mut self.sum;
        if let Some(promotion) = m.promotion() {
            remove(keys, sum, from, piece, table);
            add(keys, sum, to, promotion.of(us), table);
        } else {
            // The same piece twice: the keys need be touched only once.
            let number = |square| Zobrist64::zobrist_for_piece(square, piece).0;
            keys.toggle(piece, number(from) ^ number(to));
            sum.step(piece, from, to, table);
        }
        if let Some(captured) = m.capture() {
            remove(keys, sum, to, captured.of(!us), table);
        }
    }

    /// Castling and en passant.
    #[cold]
    fn toggle_special(&mut self, keys: &mut Keys, m: CompactMove, table: &PieceSquareTable) {
        let us = self.turn();
        let (from, to) = (m.from(), m.to());
        let sum = &mut self.sum;
        if m.is_castle() {
            let side = CastlingSide::from_queen_side(to < from);
            remove(keys, sum, from, us.king(), table);
            remove(keys, sum, to, us.rook(), table);
            add(keys, sum, side.king_to(us), us.king(), table);
            add(keys, sum, side.rook_to(us), us.rook(), table);
        } else {
            let captured = Square::from_coords(to.file(), from.rank());
            remove(keys, sum, captured, (!us).pawn(), table);
            remove(keys, sum, from, us.pawn(), table);
            add(keys, sum, to, us.pawn(), table);
        }
    }

    /// One look along the lines from the king gives both: a slider with nothing between is a checker, with one
    /// own piece between it pins that piece.
    fn find_checkers_and_pins(&mut self) {
        let us = self.turn();
        let king = self.king(us);
        let board = self.chess.board();
        let them = board.by_color(!us);
        let mut checkers = them
            & ((attacks::knight_attacks(king) & board.knights())
                | (attacks::pawn_attacks(us, king) & board.pawns()));
        let mut pinned = Bitboard(0);
        let snipers = (attacks::rook_attacks(king, them) & board.rooks_and_queens() & them)
            | (attacks::bishop_attacks(king, them) & board.bishops_and_queens() & them);
        for sniper in snipers {
            let blockers = attacks::between(king, sniper) & board.occupied();
            if blockers.is_empty() {
                checkers.add(sniper);
            } else if !blockers.more_than_one() {
                pinned |= blockers;
            }
        }
        self.checkers = checkers;
        self.pinned = pinned;
    }
}

/// A piece appears.
#[inline(always)]
fn add(
    keys: &mut Keys,
    sum: &mut PieceSquareSum,
    square: Square,
    piece: Piece,
    table: &PieceSquareTable,
) {
    keys.toggle_piece(square, piece);
    sum.add(piece, square, table);
}

/// A piece disappears.
#[inline(always)]
fn remove(
    keys: &mut Keys,
    sum: &mut PieceSquareSum,
    square: Square,
    piece: Piece,
    table: &PieceSquareTable,
) {
    keys.toggle_piece(square, piece);
    sum.remove(piece, square, table);
}

/// The two ways a pawn captures: towards the h-file and towards the a-file.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum PawnSide {
    /// Towards the h-file.
    East,
    /// Towards the a-file.
    West,
}

/// The squares that `pawns` of `color` attack on one side.
#[inline]
pub fn pawn_threats_to(side: PawnSide, pawns: Bitboard, color: Color) -> Bitboard {
    const NOT_A_FILE: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H_FILE: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let Bitboard(pawns) = pawns;
    Bitboard(match (side, color) {
        (PawnSide::East, Color::White) => (pawns & NOT_H_FILE) << 9,
        (PawnSide::West, Color::White) => (pawns & NOT_A_FILE) << 7,
        (PawnSide::East, Color::Black) => (pawns & NOT_H_FILE) >> 7,
        (PawnSide::West, Color::Black) => (pawns & NOT_A_FILE) >> 9,
    })
}

/// Where the pawn of `color` stands that attacks `to` on this side.
#[inline]
pub fn pawn_origin(side: PawnSide, to: Square, color: Color) -> Square {
    let back = match (side, color) {
        (PawnSide::East, Color::White) => -9,
        (PawnSide::West, Color::White) => -7,
        (PawnSide::East, Color::Black) => 7,
        (PawnSide::West, Color::Black) => 9,
    };
    Square::new(to.to_u32().wrapping_add_signed(back) & 63)
}

/// The squares that `pawns` of `color` attack.
#[inline]
pub fn pawn_threats(pawns: Bitboard, color: Color) -> Bitboard {
    pawn_threats_to(PawnSide::East, pawns, color) | pawn_threats_to(PawnSide::West, pawns, color)
}

/// The start position, in the castling mode that covers standard chess and Chess960 alike.
pub fn initial_chess() -> Chess {
    let initial = from_setup(Setup::initial());
    debug_assert!(initial.is_ok(), "the start position is legal");
    initial.unwrap_or_default()
}

/// A position from a setup, in the castling mode that covers standard chess and Chess960 alike.
///
/// # Errors
///
/// Those of [`FromSetup::from_setup`].
#[allow(clippy::result_large_err)]
pub fn from_setup(setup: Setup) -> Result<Chess, Box<PositionError<Chess>>> {
    Chess::from_setup(setup, CastlingMode::Chess960).map_err(Box::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The keys by their definition: the numbers of all pieces that count for them.
    #[test]
    fn a_key_is_made_of_the_pieces_it_is_named_after() {
        let evaluator = crate::chess::eval::Evaluator::new();
        for text in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "4k1n1/8/8/8/8/8/8/4KB2 b - - 0 1",
        ] {
            let chess = crate::chess::fen::parse(text).expect(text);
            let position = Position::new(chess, evaluator.table());
            let key = |counts: &dyn Fn(Piece) -> bool| {
                let pieces = position.board().iter().filter(|&(_, piece)| counts(piece));
                pieces.fold(0, |key, (square, piece)| {
                    key ^ Zobrist64::zobrist_for_piece(square, piece).0
                })
            };
            let keys = position.keys();
            assert_eq!(keys.pawn, key(&|piece| piece.role == Role::Pawn));
            for color in Color::ALL {
                let expected = key(&|piece| piece.role != Role::Pawn && piece.color == color);
                assert_eq!(keys.non_pawn[color as usize], expected);
            }
            let minor = |role| matches!(role, Role::Knight | Role::Bishop | Role::King);
            assert_eq!(keys.minor, key(&|piece| minor(piece.role)));
            let major = |role| matches!(role, Role::Rook | Role::Queen | Role::King);
            assert_eq!(keys.major, key(&|piece| major(piece.role)));
        }
    }
}
