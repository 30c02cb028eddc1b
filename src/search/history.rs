//! What a thread remembers of moves: which ones caused cut-offs, alone, as captures, and as replies
//! (<https://www.chessprogramming.org/History_Heuristic>).

use std::collections::TryReserveError;

use super::continuation::{CONTINUATION_PLIES, Continuation};
use super::correction::Corrections;
use super::game::{Bitboard, Color, CompactMove, EvalCache, PieceSquare};
use super::gravity::{update, zeroed};

/// History values stay within plus and minus this.
pub const HISTORY_LIMIT: i32 = 16_384;
/// A piece and the square it goes to.
const PIECE_SQUARES: usize = PieceSquare::COUNT;
/// Captured roles, and none, as a power of two.
const VICTIMS: usize = 8;
/// Quiet moves by from and to square, apart by whether those squares are attacked: leaving an attacked square and
/// going to one are different things (idea: Caissa, Stockfish).
type Butterfly = [[[[i16; 64]; 64]; 2]; 2];
/// Captures by moving piece, target square and captured piece.
type CaptureRow = [i16; VICTIMS];
/// Replies: what a move was worth after a certain other move.
type ReplyTable = [i16; PIECE_SQUARES];

/// Stands for the replies to a move that is not there.
static NO_REPLIES: ReplyTable = [0; PIECE_SQUARES];

/// The quiet histories as one node sees them.
pub struct QuietValues<'a> {
    turn: Color,
    threats: Bitboard,
    butterfly: &'a Butterfly,
    replies: [&'a ReplyTable; CONTINUATION_PLIES.len()],
}

impl QuietValues<'_> {
    /// How well `m` has done, on its own and after the moves that led here, in the scale of a few
    /// [`HISTORY_LIMIT`]s. The last two moves count full, those before half.
    #[inline(always)]
    pub fn of(&self, m: CompactMove) -> i32 {
        let (from, to) = squares(m);
        let [leaves, enters] = threatened(self.threats, from, to);
        let moved = m.piece_square(self.turn).index();
        let reply = |index: usize| i32::from(self.replies[index][moved]);
        let alone = i32::from(self.butterfly[leaves][enters][from][to]);
        alone + reply(0) + reply(1) + (reply(2) + reply(3)) / 2
    }
}

/// All histories of one thread. They live on between moves and are cleared by a new game.
#[derive(Clone, Debug)]
pub struct Histories {
    quiet: Vec<Butterfly>,
    capture: Vec<CaptureRow>,
    continuation: Vec<ReplyTable>,
    /// Corrections of the static evaluation.
    pub corrections: Corrections,
    /// What the evaluation remembers.
    pub evaluations: EvalCache,
}

impl Histories {
    /// Empty histories.
    ///
    /// # Errors
    ///
    /// When there is no memory for them.
    pub fn new() -> Result<Histories, TryReserveError> {
        Ok(Histories {
            quiet: zeroed([[[[0; 64]; 64]; 2]; 2], Color::ALL.len())?,
            capture: zeroed([0; VICTIMS], PIECE_SQUARES)?,
            continuation: zeroed([0; PIECE_SQUARES], PIECE_SQUARES)?,
            corrections: Corrections::new()?,
            evaluations: EvalCache::new()?,
        })
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.quiet.fill([[[[0; 64]; 64]; 2]; 2]);
        self.capture.fill([0; VICTIMS]);
        self.continuation.fill([0; PIECE_SQUARES]);
        self.corrections.clear();
        self.evaluations.clear();
    }

    /// The values of quiet moves for `turn`, when the opponent attacks `threats` and `continuation` led here.
    #[inline]
    pub fn quiet_values(
        &self,
        turn: Color,
        threats: Bitboard,
        continuation: &Continuation,
    ) -> QuietValues<'_> {
        QuietValues {
            turn,
            threats,
            butterfly: &self.quiet[turn as usize],
            replies: continuation.map(|before| match before {
                Some(before) => &self.continuation[before.index()],
                None => &NO_REPLIES,
            }),
        }
    }

    /// How well the capture or promotion `m` has done, within [`HISTORY_LIMIT`].
    #[inline]
    pub fn capture(&self, turn: Color, m: CompactMove) -> i32 {
        self.capture[m.piece_square(turn).index()][victim(m)].into()
    }

    /// Adds `bonus` (negative for a malus) to a quiet move.
    pub fn update_quiet(
        &mut self,
        turn: Color,
        threats: Bitboard,
        continuation: &Continuation,
        m: CompactMove,
        bonus: i32,
    ) {
        let (from, to) = squares(m);
        let [leaves, enters] = threatened(threats, from, to);
        update::<HISTORY_LIMIT>(
            &mut self.quiet[turn as usize][leaves][enters][from][to],
            bonus,
        );
        let moved = m.piece_square(turn);
        for before in continuation.iter().flatten() {
            update::<HISTORY_LIMIT>(&mut self.continuation[before.index()][moved.index()], bonus);
        }
    }

    /// Adds `bonus` (negative for a malus) to a capture or promotion.
    pub fn update_capture(&mut self, turn: Color, m: CompactMove, bonus: i32) {
        update::<HISTORY_LIMIT>(
            &mut self.capture[m.piece_square(turn).index()][victim(m)],
            bonus,
        );
    }
}

/// From and to square of a move; castling goes to the rook's square.
#[inline(always)]
fn squares(m: CompactMove) -> (usize, usize) {
    (m.from().to_usize(), m.to().to_usize())
}

#[inline(always)]
fn threatened(threats: Bitboard, from: usize, to: usize) -> [usize; 2] {
    let attacked = |square: usize| (threats.0 >> square) as usize & 1;
    [attacked(from), attacked(to)]
}

/// The captured piece as an index. A promotion without capture has the first, which no captured piece has.
#[inline]
fn victim(m: CompactMove) -> usize {
    m.capture_number() & (VICTIMS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Move, Role, Square};

    fn push(from: Square, to: Square) -> CompactMove {
        let m = Move::Normal {
            role: Role::Pawn,
            from,
            to,
            capture: None,
            promotion: None,
        };
        m.into()
    }

    fn value(
        histories: &Histories,
        turn: Color,
        threats: Bitboard,
        continuation: &Continuation,
        m: CompactMove,
    ) -> i32 {
        histories.quiet_values(turn, threats, continuation).of(m)
    }

    #[test]
    fn a_bonus_is_seen_where_it_was_earned_and_nowhere_else() {
        let mut histories = Histories::new().unwrap();
        let (good, other) = (push(Square::E2, Square::E4), push(Square::D2, Square::D4));
        let before = push(Square::C7, Square::C5).piece_square(Color::Black);
        let line = [Some(before), None, None, None];
        let calm = Bitboard::EMPTY;
        histories.update_quiet(Color::White, calm, &line, good, 1000);
        assert_eq!(value(&histories, Color::White, calm, &line, good), 2000);
        assert_eq!(
            value(&histories, Color::White, calm, &[None; 4], good),
            1000
        );
        let attacked = Bitboard::from_square(Square::E4);
        assert_eq!(
            value(&histories, Color::White, attacked, &[None; 4], good),
            0
        );
        assert_eq!(value(&histories, Color::White, calm, &line, other), 0);
        assert_eq!(value(&histories, Color::Black, calm, &[None; 4], good), 0);
    }

    #[test]
    fn the_last_two_moves_count_full_and_those_before_half() {
        let mut histories = Histories::new().unwrap();
        let good = push(Square::E2, Square::E4);
        let before = push(Square::C7, Square::C5).piece_square(Color::Black);
        let calm = Bitboard::EMPTY;
        histories.update_quiet(
            Color::White,
            calm,
            &[Some(before), None, None, None],
            good,
            1000,
        );
        for (index, share) in [1000, 1000, 500, 500].into_iter().enumerate() {
            let mut line = [None; 4];
            line[index] = Some(before);
            let found = value(&histories, Color::White, calm, &line, good);
            assert_eq!(found, 1000 + share, "move {index}");
        }
    }

    #[test]
    fn leaving_and_entering_an_attacked_square_are_different_things() {
        let mut histories = Histories::new().unwrap();
        let good = push(Square::E2, Square::E4);
        let of = |square| Bitboard::from_square(square);
        histories.update_quiet(Color::White, of(Square::E2), &[None; 4], good, 1000);
        let seen = |threats| value(&histories, Color::White, threats, &[None; 4], good);
        assert_eq!(seen(of(Square::E2)), 1000);
        assert_eq!(seen(of(Square::E4)), 0);
        assert_eq!(seen(of(Square::E2) | of(Square::E4)), 0);
    }

    #[test]
    fn captures_are_kept_by_piece_square_and_victim_and_all_is_forgotten() {
        let mut histories = Histories::new().unwrap();
        let takes = |to, victim| CompactMove::normal(Role::Knight, Square::G1, to, victim, None);
        let m = takes(Square::F3, Some(Role::Rook));
        let quiet = push(Square::E2, Square::E4);
        let before = Some(m.piece_square(Color::White));
        let calm = Bitboard::EMPTY;
        histories.update_capture(Color::White, m, 700);
        histories.update_quiet(Color::White, calm, &[before; 4], quiet, 700);
        assert_eq!(histories.capture(Color::White, m), 700);
        let others = [
            takes(Square::H3, Some(Role::Rook)),
            takes(Square::F3, Some(Role::Queen)),
        ];
        for other in others {
            assert_eq!(histories.capture(Color::White, other), 0);
        }
        assert_eq!(histories.capture(Color::Black, m), 0);
        histories.clear();
        assert_eq!(histories.capture(Color::White, m), 0);
        assert_eq!(
            value(&histories, Color::White, calm, &[before; 4], quiet),
            0
        );
    }
}
