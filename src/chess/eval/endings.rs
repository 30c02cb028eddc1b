//! Endings that are known: dead draws, exact king and pawn endings, and won ones where the lone king must be driven to
//! the edge (<https://www.chessprogramming.org/Endgame>). Endings of one piece or pawn each are in `one_each`.

use shakmaty::{Bitboard, Board, Color, File, Role, Square, attacks};

use super::bits::{
    distance, on_both_colours, promotion_square, relative_rank, same_colour, with_knight_moves,
};
use super::ending::{DRAW, Ending, MOST_OUTSIDE, NEARLY_DRAWN, PAWN_STEP, outside};
use super::kpk::Bitbase;
use super::one_each;
use super::psqt::exchange_value;
use crate::chess::position::Position;

/// An ending that is won by force is worth so much more than its material.
const WON: i32 = 1000;
/// Pawns on different files against a lone king, when none would win alone.
const PAWNS_APART: i32 = 250;
/// For each pawn more than the one that wins.
const SECOND_PAWN: i32 = 100;
/// For each step the lone king is away from the centre.
const TO_THE_EDGE: i32 = 20;
/// For each step that the kings are nearer to each other.
const KINGS_TOGETHER: i32 = 10;
/// Bishop and knight: for each step the lone king is away from the diagonal between the wrong corners.
const TO_THE_CORNER: i32 = 16;
/// The same for the square of these steps, which makes the way out of the corner the steepest.
const NEAR_THE_CORNER: i32 = 15;
/// The same for that of the squares it can go to which is the nearest to the diagonal.
const HELD_NEAR_THE_CORNER: i32 = 66;
/// For each step that the squares it can go to are away from the centre.
const HELD_AT_THE_EDGE: i32 = 20;
/// For each step the other king is away from the centre.
const KING_OUTSIDE: i32 = 32;
/// For each king move between the kings.
const KINGS_APART: i32 = 22;
/// For each file and each rank between the kings.
const KINGS_LINES_APART: i32 = 10;
/// For each step the knight is away from the lone king.
const KNIGHT_FAR: i32 = 10;

/// The value of an ending that is known.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(super) struct Known {
    /// The name of the ending.
    pub name: &'static str,
    /// Centipawns from White's view.
    pub value: i32,
}

/// Whether a position may be an ending that is known: few pieces, or a lone king.
#[inline(always)]
pub fn may_be_known(board: &Board) -> bool {
    let (white, black) = (board.white().count(), board.black().count());
    white == 1 || black == 1 || white + black <= 4
}

/// What is known of `position`.
#[cold]
pub(super) fn known(position: &Position, bitbase: &Bitbase) -> Option<Known> {
    [Color::White, Color::Black].into_iter().find_map(|strong| {
        let ending = Ending::new(position, strong);
        let (name, value) = ending.known(bitbase)?;
        Some(Known {
            name,
            value: value * strong.fold_wb(1, -1),
        })
    })
}

/// Whether anything is known of `position`.
pub fn is_known(position: &Position) -> bool {
    // Which endings are known does not depend on the bitbase, only their value does.
    may_be_known(position.board()) && known(position, &Bitbase::empty()).is_some()
}

impl Ending<'_> {
    fn known(&self, bitbase: &Bitbase) -> Option<(&'static str, i32)> {
        if self.enemy.count() == 1 && self.own.count() > 1 {
            return self.against_lone_king(bitbase);
        }
        if self.own.count() == 2 && self.enemy.count() == 2 {
            return one_each::known(self, bitbase);
        }
        None
    }

    /// Mating material wins whatever pawns stand beside it, so it is looked for first.
    fn against_lone_king(&self, bitbase: &Bitbase) -> Option<(&'static str, i32)> {
        let pawns = self.own(Role::Pawn);
        let bishops = self.own(Role::Bishop);
        let knights = self.own(Role::Knight).count();
        let heavy = self.own(Role::Rook) | self.own(Role::Queen);
        if heavy.any() || on_both_colours(bishops) || knights >= 3 {
            return Some(("drive to the edge", self.driven_to_edge()));
        }
        if bishops.any() && knights > 0 {
            return Some(("bishop and knight", self.driven_to_corner(bishops)));
        }
        if pawns.is_empty() {
            return Some(("no mating material", DRAW));
        }
        let without_pieces = bishops.is_empty() && knights == 0;
        if without_pieces && let Some(pawn) = pawns.single_square() {
            return Some(("king and pawn", self.king_and_pawn(bitbase, pawn)));
        }
        if knights == 0
            && let Some(value) = self.wrong_corner(pawns, bishops)
        {
            return Some(("wrong corner", value));
        }
        if without_pieces {
            return Some(("king and pawns", self.pawns_alone(bitbase, pawns)));
        }
        let pawn = pawns.single_square().filter(|_| knights == 1)?;
        if self.is_guarded_in_the_corner(pawn) {
            Some(("knight and rook pawn", DRAW))
        } else if self.loses_pawn(pawn) {
            Some(("a pawn that falls", DRAW))
        } else {
            None
        }
    }

    /// Whether the lone king takes the only pawn before king or knight guards it: it comes from the side or from ahead, so
    /// that the pawn does not run away.
    fn loses_pawn(&self, pawn: Square) -> bool {
        /// From further away the chase is not so clear.
        const NEAR: usize = 2;
        let way = distance(self.weak_king, pawn);
        let ahead = relative_rank(self.weak_king, self.strong) >= relative_rank(pawn, self.strong);
        if way > NEAR || !ahead {
            return false;
        }
        let moves = way - usize::from(self.turn != self.strong);
        let king_comes = distance(self.king, pawn) <= moves + 1;
        !king_comes && !self.knight_guards(pawn, moves)
    }

    /// Whether a knight can guard `square` after at most `moves` moves.
    fn knight_guards(&self, square: Square, moves: usize) -> bool {
        let mut reached = self.own(Role::Knight);
        for _ in 0..moves {
            reached = with_knight_moves(reached);
        }
        (reached & attacks::knight_attacks(square)).any()
    }

    /// Several pawns without pieces: it is enough that one would win alone. Where none would, those on different files win
    /// as a rule, since the lone king cannot be everywhere.
    fn pawns_alone(&self, bitbase: &Bitbase, pawns: Bitboard) -> i32 {
        let values = pawns
            .into_iter()
            .map(|pawn| self.king_and_pawn(bitbase, pawn));
        let best = values.max().unwrap_or(DRAW);
        if best > DRAW {
            best + SECOND_PAWN * (pawns.count() as i32 - 1)
        } else if pawns
            .first()
            .is_some_and(|first| pawns.is_subset(Bitboard::from_file(first.file())))
        {
            NEARLY_DRAWN
        } else {
            PAWNS_APART + self.pawn_steps()
        }
    }

    /// A rook pawn on the seventh rank that only a knight guards: while the lone king stays beside the corner there is
    /// stalemate or the pawn is lost, and the strong king cannot come near
    /// (<https://www.chessprogramming.org/KNPK>).
    fn is_guarded_in_the_corner(&self, pawn: Square) -> bool {
        let corner = promotion_square(pawn.file(), self.strong);
        matches!(pawn.file(), File::A | File::H)
            && relative_rank(pawn, self.strong) == 6
            && distance(self.weak_king, corner) <= 1
    }

    /// What the own pieces and pawns count in an exchange.
    fn material(&self) -> i32 {
        let worth = |role| self.own(role).count() as i32 * exchange_value(role);
        Role::ALL.into_iter().map(worth).sum()
    }

    /// What the pawns have come forward in all.
    fn pawn_steps(&self) -> i32 {
        let pawns = self.own(Role::Pawn).into_iter();
        let steps = pawns.map(|pawn| PAWN_STEP * relative_rank(pawn, self.strong) as i32);
        steps.sum()
    }

    fn kings_together(&self) -> i32 {
        KINGS_TOGETHER * (7 - distance(self.king, self.weak_king) as i32)
    }

    /// Won: the lone king is driven to the edge, and the other king comes near.
    fn driven_to_edge(&self) -> i32 {
        let edge = TO_THE_EDGE * outside(self.weak_king);
        WON + self.material() + self.pawn_steps() + edge + self.kings_together()
    }

    /// Bishop and knight mate only in a corner of the bishop's colour
    /// (<https://www.chessprogramming.org/KBNK_Endgame>). The figures come from a least-squares fit to the length of the
    /// mate in won positions of this ending, at 20 centipawns a ply, but for the square of the steps, which play against
    /// a perfect defence asked for. Where the lone king can still go says more than where it stands; then the other king
    /// must be near, and rather in the middle.
    fn driven_to_corner(&self, bishops: Bitboard) -> i32 {
        let dark = (bishops & Bitboard::DARK_SQUARES).any();
        let free = self.free_squares();
        let stands = steps_to_corner(self.weak_king, dark);
        let reaches = free.into_iter().map(|to| steps_to_corner(to, dark)).min();
        let held = free.into_iter().map(outside).min();
        let king = TO_THE_CORNER * stands
            + NEAR_THE_CORNER * stands * stands
            + HELD_NEAR_THE_CORNER * reaches.unwrap_or(stands)
            + HELD_AT_THE_EDGE * held.unwrap_or(MOST_OUTSIDE);
        let helpers = KING_OUTSIDE * outside(self.king) + KNIGHT_FAR * self.knight_distance();
        WON + self.material() + self.pawn_steps() + king - helpers - self.kings_apart()
    }

    /// Squares that the weak king can go to, against king, bishops and knights.
    fn free_squares(&self) -> Bitboard {
        let occupied = self.board.occupied().without(self.weak_king);
        let mut attacked = attacks::king_attacks(self.king);
        for square in self.own(Role::Knight) {
            attacked |= attacks::knight_attacks(square);
        }
        for square in self.own(Role::Bishop) {
            attacked |= attacks::bishop_attacks(square, occupied);
        }
        attacks::king_attacks(self.weak_king) & !attacked
    }

    /// How far the kings are from each other: in king moves, and by file and rank together.
    fn kings_apart(&self) -> i32 {
        let (king, weak) = (self.king, self.weak_king);
        let lines = king.file().distance(weak.file()) + king.rank().distance(weak.rank());
        KINGS_APART * distance(king, weak) as i32 + KINGS_LINES_APART * lines as i32
    }

    /// How far the nearest knight is from the weak king.
    fn knight_distance(&self) -> i32 {
        let distances = self
            .own(Role::Knight)
            .into_iter()
            .map(|square| distance(square, self.weak_king));
        distances.min().unwrap_or(0) as i32
    }

    /// Pawns on one edge file, whose last square no bishop covers, do not win when the lone king reaches the corner
    /// (<https://www.chessprogramming.org/Wrong_Color_Bishop_and_Rook_Pawn>): it must be there before the other king
    /// and not later than the pawn.
    fn wrong_corner(&self, pawns: Bitboard, bishops: Bitboard) -> Option<i32> {
        let file = [File::A, File::H]
            .into_iter()
            .find(|&file| pawns.any() && pawns.is_subset(Bitboard::from_file(file)))?;
        let corner = promotion_square(file, self.strong);
        if (bishops & same_colour(corner)).any() {
            return None;
        }
        let way = distance(self.weak_king, corner);
        if way <= 1 {
            return Some(DRAW);
        }
        let first = self.strong.fold_wb(pawns.last(), pawns.first())?;
        // A pawn at home saves a move by its double step.
        let steps = (7 - relative_rank(first, self.strong)).min(5);
        let arrival = way + usize::from(self.turn == self.strong);
        let in_time = arrival <= steps + 1 && arrival <= distance(self.king, corner);
        in_time.then_some(NEARLY_DRAWN)
    }
}

/// How far a square is from the diagonal between the two corners that are not of the bishop's colour, from 0 to 7 in
/// one of its colour.
fn steps_to_corner(square: Square, dark: bool) -> i32 {
    let (file, rank) = (square.file() as i32, square.rank() as i32);
    let from_diagonal = if dark { file + rank - 7 } else { file - rank };
    from_diagonal.abs()
}
