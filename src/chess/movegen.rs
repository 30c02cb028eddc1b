//! Staged generation of legal moves on shakmaty's bitboards and attack tables.
//!
//! The search asks for noisy moves (captures and promotions) and quiet moves apart, so that a cut-off by a
//! capture never pays for the quiet ones. Every move that comes out is legal: pins and checks are in
//! [`Position`] already. `shakmaty`'s own generator is the oracle in the tests.

use arrayvec::ArrayVec;
use shakmaty::uci::UciMove;
use shakmaty::{Bitboard, Board, CastlingSide, Color, Move, MoveList, Rank, Role, Square, attacks};

use crate::chess::compact::{CompactMove, LIST_CAPACITY, PackedMove};
use crate::chess::position::{PawnSide, PieceSquareTable, Position, pawn_origin, pawn_threats_to};

/// Whether piece moves go onto enemy pieces or onto empty squares, where there is nothing to look up.
trait Targets {
    /// The piece that is captured on `to`.
    fn capture(board: &Board, to: Square) -> Option<Role>;
}

/// Onto enemy pieces.
struct Enemies;
/// Onto empty squares.
struct EmptySquares;

impl Targets for Enemies {
    #[inline(always)]
    fn capture(board: &Board, to: Square) -> Option<Role> {
        board.role_at(to)
    }
}

impl Targets for EmptySquares {
    #[inline(always)]
    fn capture(_: &Board, _: Square) -> Option<Role> {
        None
    }
}

/// Promotion pieces, most useful first.
const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Knight, Role::Rook, Role::Bishop];

/// A list of moves.
pub type Moves = ArrayVec<CompactMove, LIST_CAPACITY>;

/// All legal moves. A list that is full (possible only with material no game can reach) keeps what it has.
pub fn all_moves(position: &Position) -> Moves {
    let mut moves = Moves::new();
    noisy_moves(position, |m| {
        let _ = moves.try_push(m);
    });
    quiet_moves(position, |m| {
        let _ = moves.try_push(m);
    });
    moves
}

/// All legal moves in shakmaty's form.
pub fn legal_moves(position: &Position) -> MoveList {
    all_moves(position).into_iter().map(Into::into).collect()
}

/// Calls `sink` with every legal capture and promotion.
pub fn noisy_moves(position: &Position, sink: impl FnMut(CompactMove)) {
    noisy_moves_against(position, Bitboard::FULL, sink);
}

/// Calls `sink` with every legal promotion, and every legal capture of one of `victims`.
#[inline]
pub fn noisy_moves_against(
    position: &Position,
    victims: Bitboard,
    mut sink: impl FnMut(CompactMove),
) {
    let generator = Generator::new(position);
    let board = position.board();
    let them = board.by_color(!generator.us);
    let victims = them & victims;
    generator.king_moves(victims, &mut sink);
    if generator.double_check() {
        return;
    }
    generator.piece_moves::<Enemies>(victims & generator.check_mask, &mut sink);
    generator.pawn_captures(them, victims, &mut sink);
    generator.promotion_pushes(&mut sink);
    if (victims & board.pawns()).any() {
        generator.en_passant(&mut sink);
    }
}

/// Calls `sink` with every legal move that is neither capture nor promotion.
pub fn quiet_moves(position: &Position, sink: impl FnMut(CompactMove)) {
    quiet_moves_under(position, position.threats(), sink);
}

/// The same for a caller that knows [`Position::threats`] already.
pub fn quiet_moves_under(
    position: &Position,
    threats: Bitboard,
    mut sink: impl FnMut(CompactMove),
) {
    let generator = Generator::new(position);
    let empty = !position.board().occupied();
    if position.in_check() {
        // The threats end at the king, but a checking slider reaches beyond it: test each square.
        generator.king_moves(empty, &mut sink);
        if generator.double_check() {
            return;
        }
    } else {
        generator.quiet_king_moves(empty & !threats, &mut sink);
        for side in CastlingSide::ALL {
            generator.castling(side, &mut sink);
        }
    }
    generator.piece_moves::<EmptySquares>(empty & generator.check_mask, &mut sink);
    generator.quiet_pushes(&mut sink);
}

/// Whether the side to move has any legal move.
pub fn has_legal_move(position: &Position) -> bool {
    let mut found = false;
    quiet_moves(position, |_| found = true);
    if !found {
        noisy_moves(position, |_| found = true);
    }
    found
}

/// The legal move that a player wrote, or `None`. Castling is written as king takes rook.
pub fn legal_move(position: &Position, uci: UciMove) -> Option<Move> {
    match uci {
        UciMove::Normal {
            from,
            to,
            promotion,
        } => legal_between(position, from, to, promotion).map(Into::into),
        _ => None,
    }
}

/// The legal move that the transposition table keeps, or `None`: another position may have had the same key.
pub fn legal_packed(position: &Position, packed: PackedMove) -> Option<CompactMove> {
    let (from, to, promotion) = packed.unpack();
    legal_between(position, from, to, promotion)
}

/// Whether a move from another position, such as a killer, is legal here.
pub fn is_legal(position: &Position, m: CompactMove) -> bool {
    legal_between(position, m.from(), m.to(), m.promotion()) == Some(m)
}

/// The legal move between two squares; castling goes from the king to the rook.
fn legal_between(
    position: &Position,
    from: Square,
    to: Square,
    promotion: Option<Role>,
) -> Option<CompactMove> {
    let generator = Generator::new(position);
    let board = position.board();
    if !generator.ours.contains(from) {
        return None;
    }
    let role = board.role_at(from)?;
    if role == Role::King && generator.ours.contains(to) {
        let mut found = None;
        if !position.in_check() && promotion.is_none() {
            let side = CastlingSide::from_queen_side(to < from);
            generator.castling(side, &mut |m| found = (m.to() == to).then_some(m));
        }
        return found;
    }
    if generator.ours.contains(to) {
        return None;
    }
    let promotes = role == Role::Pawn && Bitboard::BACKRANKS.contains(to);
    let fits = match promotion {
        Some(piece) => promotes && PROMOTIONS.contains(&piece),
        None => !promotes,
    };
    if !fits {
        return None;
    }
    let capture = board.role_at(to);
    if role == Role::Pawn && capture.is_none() && from.file() != to.file() {
        let wanted = CompactMove::en_passant(from, to);
        let mut found = false;
        generator.en_passant(&mut |m| found |= m == wanted);
        return found.then_some(wanted);
    }
    generator
        .is_legal_normal(from, to, role, capture.is_some())
        .then(|| CompactMove::normal(role, from, to, capture, promotion))
}

/// Counts the leaf positions `depth` plies below (<https://www.chessprogramming.org/Perft>).
pub fn perft(position: &Position, depth: u32, table: &PieceSquareTable) -> u64 {
    match depth {
        0 => 1,
        1 => all_moves(position).len() as u64,
        _ => all_moves(position)
            .into_iter()
            .map(|m| perft(&position.child(m, table), depth - 1, table))
            .sum(),
    }
}

/// What every kind of move needs to know of a position.
struct Generator<'a> {
    position: &'a Position,
    us: Color,
    ours: Bitboard,
    occupied: Bitboard,
    king: Square,
    /// Where a piece other than the king must go: anywhere, or between king and checker.
    check_mask: Bitboard,
}

impl<'a> Generator<'a> {
    #[inline]
    fn new(position: &'a Position) -> Generator<'a> {
        let us = position.turn();
        let board = position.board();
        let king = position.king(us);
        let checkers = position.checkers();
        let check_mask = match checkers.single_square() {
            Some(checker) => attacks::between(king, checker).with(checker),
            None => Bitboard::FULL,
        };
        Generator {
            position,
            us,
            ours: board.by_color(us),
            occupied: board.occupied(),
            king,
            check_mask,
        }
    }

    #[inline]
    fn double_check(&self) -> bool {
        self.position.checkers().more_than_one()
    }

    /// A pinned piece may only move along the line of its pin.
    #[inline]
    fn breaks_pin(&self, from: Square, to: Square) -> bool {
        self.position.pinned().contains(from) && !attacks::ray(self.king, from).contains(to)
    }

    #[inline]
    fn is_attacked(&self, square: Square, occupied: Bitboard) -> bool {
        self.position
            .board()
            .attacks_to(square, !self.us, occupied)
            .any()
    }

    fn is_legal_normal(&self, from: Square, to: Square, role: Role, is_capture: bool) -> bool {
        let reach = match role {
            Role::Pawn => {
                if is_capture {
                    attacks::pawn_attacks(self.us, from)
                } else {
                    self.pawn_push_targets(from)
                }
            }
            _ => attacks::attacks(from, role.of(self.us), self.occupied),
        };
        if !reach.contains(to) {
            return false;
        }
        if role == Role::King {
            return !self.is_attacked(to, self.occupied.without(from));
        }
        !self.double_check() && self.check_mask.contains(to) && !self.breaks_pin(from, to)
    }

    fn pawn_push_targets(&self, from: Square) -> Bitboard {
        let pawn = Bitboard::from_square(from);
        let single = self.push(pawn) & !self.occupied;
        let double = self.push(single & self.third_rank()) & !self.occupied;
        single | double
    }

    #[inline]
    fn push(&self, pawns: Bitboard) -> Bitboard {
        match self.us {
            Color::White => Bitboard(pawns.0 << 8),
            Color::Black => Bitboard(pawns.0 >> 8),
        }
    }

    #[inline]
    fn third_rank(&self) -> Bitboard {
        Bitboard::from_rank(self.us.relative_rank(Rank::Third))
    }

    #[inline]
    fn last_rank(&self) -> Bitboard {
        Bitboard::from_rank(self.us.relative_rank(Rank::Eighth))
    }

    #[inline]
    fn our(&self, role: Role) -> Bitboard {
        self.position.board().by_role(role) & self.ours
    }

    #[inline]
    fn king_moves(&self, targets: Bitboard, sink: &mut impl FnMut(CompactMove)) {
        let board = self.position.board();
        let without_king = self.occupied.without(self.king);
        for to in attacks::king_attacks(self.king) & targets {
            if !self.is_attacked(to, without_king) {
                let capture = board.role_at(to);
                sink(CompactMove::normal(
                    Role::King,
                    self.king,
                    to,
                    capture,
                    None,
                ));
            }
        }
    }

    /// King moves to squares that are known to be safe and empty.
    #[inline]
    fn quiet_king_moves(&self, safe: Bitboard, sink: &mut impl FnMut(CompactMove)) {
        for to in attacks::king_attacks(self.king) & safe {
            sink(CompactMove::normal(Role::King, self.king, to, None, None));
        }
    }

    #[inline]
    fn piece_moves<T: Targets>(&self, targets: Bitboard, sink: &mut impl FnMut(CompactMove)) {
        if targets.is_empty() {
            return;
        }
        let pinned = self.position.pinned();
        self.moves_of::<T>(
            Role::Knight,
            self.our(Role::Knight) & !pinned,
            targets,
            sink,
        );
        self.moves_of::<T>(Role::Bishop, self.our(Role::Bishop), targets, sink);
        self.moves_of::<T>(Role::Rook, self.our(Role::Rook), targets, sink);
        self.moves_of::<T>(Role::Queen, self.our(Role::Queen), targets, sink);
    }

    #[inline]
    fn moves_of<T: Targets>(
        &self,
        role: Role,
        pieces: Bitboard,
        targets: Bitboard,
        sink: &mut impl FnMut(CompactMove),
    ) {
        let board = self.position.board();
        for from in pieces {
            let mut reach = match role {
                Role::Knight => attacks::knight_attacks(from),
                Role::Bishop => attacks::bishop_attacks(from, self.occupied),
                Role::Rook => attacks::rook_attacks(from, self.occupied),
                _ => attacks::queen_attacks(from, self.occupied),
            } & targets;
            if self.position.pinned().contains(from) {
                reach &= attacks::ray(self.king, from);
            }
            for to in reach {
                let capture = T::capture(board, to);
                sink(CompactMove::normal(role, from, to, capture, None));
            }
        }
    }

    #[inline]
    fn pawn_captures(&self, them: Bitboard, victims: Bitboard, sink: &mut impl FnMut(CompactMove)) {
        let targets = (victims | them & self.last_rank()) & self.check_mask;
        let pawns = self.our(Role::Pawn);
        for side in [PawnSide::East, PawnSide::West] {
            for to in pawn_threats_to(side, pawns, self.us) & targets {
                self.pawn_capture(pawn_origin(side, to, self.us), to, sink);
            }
        }
    }

    #[inline]
    fn pawn_capture(&self, from: Square, to: Square, sink: &mut impl FnMut(CompactMove)) {
        if self.breaks_pin(from, to) {
            return;
        }
        let capture = self.position.board().role_at(to);
        let mut push = |promotion| {
            sink(CompactMove::normal(
                Role::Pawn,
                from,
                to,
                capture,
                promotion,
            ));
        };
        if self.last_rank().contains(to) {
            for promotion in PROMOTIONS {
                push(Some(promotion));
            }
        } else {
            push(None);
        }
    }

    #[inline]
    fn promotion_pushes(&self, sink: &mut impl FnMut(CompactMove)) {
        let targets =
            self.push(self.our(Role::Pawn)) & !self.occupied & self.last_rank() & self.check_mask;
        for to in targets {
            let from = self.behind(to, 1);
            if self.breaks_pin(from, to) {
                continue;
            }
            for promotion in PROMOTIONS {
                sink(CompactMove::normal(
                    Role::Pawn,
                    from,
                    to,
                    None,
                    Some(promotion),
                ));
            }
        }
    }

    #[inline]
    fn quiet_pushes(&self, sink: &mut impl FnMut(CompactMove)) {
        let single = self.push(self.our(Role::Pawn)) & !self.occupied & !self.last_rank();
        let double = self.push(single & self.third_rank()) & !self.occupied & self.check_mask;
        for (targets, steps) in [(single & self.check_mask, 1), (double, 2)] {
            for to in targets {
                let from = self.behind(to, steps);
                if !self.breaks_pin(from, to) {
                    sink(CompactMove::normal(Role::Pawn, from, to, None, None));
                }
            }
        }
    }

    /// The square `steps` ranks behind `to`, seen by the side to move.
    #[inline]
    fn behind(&self, to: Square, steps: u32) -> Square {
        let index = match self.us {
            Color::White => to.to_u32().wrapping_sub(8 * steps),
            Color::Black => to.to_u32() + 8 * steps,
        };
        Square::new(index & 63)
    }

    /// En passant takes two pawns off one rank, so legality is tested on the board after it.
    fn en_passant(&self, sink: &mut impl FnMut(CompactMove)) {
        let Some(to) = self.position.en_passant() else {
            return;
        };
        let captured = self.behind(to, 1);
        for from in attacks::pawn_attacks(!self.us, to) & self.our(Role::Pawn) {
            let after = self.occupied.without(from).without(captured).with(to);
            let attackers = self.position.board().attacks_to(self.king, !self.us, after);
            if attackers.without(captured).is_empty() {
                sink(CompactMove::en_passant(from, to));
            }
        }
    }

    /// Castling, Chess960 included: the way of king and rook is free, and the king crosses no attacked square.
    fn castling(&self, side: CastlingSide, sink: &mut impl FnMut(CompactMove)) {
        let castles = shakmaty::Position::castles(self.position.chess());
        let Some(rook) = castles.rook(self.us, side) else {
            return;
        };
        if (castles.path(self.us, side) & self.occupied).any() {
            return;
        }
        let king_to = side.king_to(self.us);
        let without_king = self.occupied.without(self.king);
        for square in attacks::between(self.king, king_to) {
            if self.is_attacked(square, without_king) {
                return;
            }
        }
        let after = without_king.without(rook).with(side.rook_to(self.us));
        if !self.is_attacked(king_to, after) {
            sink(CompactMove::castle(self.king, rook));
        }
    }
}
