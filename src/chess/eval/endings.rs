//! Endings that are known: dead draws, exact king and pawn endings, and won ones where the lone king must be driven to
//! the edge (<https://www.chessprogramming.org/Endgame>).

use shakmaty::{Bitboard, Board, Color, File, Role, Square, attacks};

use super::bits::{distance, edge_distance, promotion_square, relative_rank, same_colour};
use super::kpk::{self, Bitbase};
use crate::chess::position::Position;

/// A drawn ending, in centipawns.
const DRAW: i32 = 0;
/// An ending that is drawn as far as counting moves can tell.
const NEARLY_DRAWN: i32 = 25;
/// An ending that is won by force is worth so much more than its material.
const WON: i32 = 1000;
/// King and pawn against king, won: less than any piece that the pawn may become.
const WON_PAWN: i32 = 450;
/// For each rank a won pawn has come forward.
const PAWN_STEP: i32 = 15;
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
/// How far a corner is from the middle.
const MOST_OUTSIDE: i32 = 6;
/// What pieces count here, by role without the king.
const VALUES: [i32; 5] = [100, 300, 320, 500, 900];

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

/// A position seen by the side that tries to win.
struct Ending<'a> {
    board: &'a Board,
    strong: Color,
    turn: Color,
    king: Square,
    weak_king: Square,
    own: Bitboard,
    enemy: Bitboard,
}

impl Ending<'_> {
    fn new(position: &Position, strong: Color) -> Ending<'_> {
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

    fn known(&self, bitbase: &Bitbase) -> Option<(&'static str, i32)> {
        if self.enemy.count() == 1 && self.own.count() > 1 {
            return self.against_lone_king(bitbase);
        }
        let only = |side: Bitboard, role: Role| {
            side.count() == 2 && (side & self.board.by_role(role)).any()
        };
        let against_minor = only(self.enemy, Role::Knight) || only(self.enemy, Role::Bishop);
        if only(self.own, Role::Rook) && against_minor {
            return Some(("rook against minor piece", self.rook_against_minor()));
        }
        let pawn = self.board.pawns().single_square()?;
        if only(self.own, Role::Rook) && only(self.enemy, Role::Pawn) {
            return self.rook_against_pawn(pawn);
        }
        if only(self.own, Role::Queen) && only(self.enemy, Role::Pawn) {
            return self.queen_against_pawn(pawn);
        }
        None
    }

    fn own(&self, role: Role) -> Bitboard {
        self.own & self.board.by_role(role)
    }

    fn against_lone_king(&self, bitbase: &Bitbase) -> Option<(&'static str, i32)> {
        let pawns = self.own(Role::Pawn);
        let bishops = self.own(Role::Bishop);
        let pieces = self.own & !pawns & !self.board.kings();
        let heavy = self.own(Role::Rook) | self.own(Role::Queen);
        if heavy.any() {
            return Some(("drive to the edge", self.driven_to_edge()));
        }
        if pieces.is_empty()
            && let Some(pawn) = pawns.single_square()
        {
            return Some(("king and pawn", self.king_and_pawn(bitbase, pawn)));
        }
        if pieces.is_subset(bishops)
            && let Some(value) = self.wrong_corner(pawns, bishops)
        {
            return Some(("wrong corner", value));
        }
        if pawns.any() {
            return None;
        }
        let knights = self.own(Role::Knight).count();
        let both_colours = [Bitboard::LIGHT_SQUARES, Bitboard::DARK_SQUARES]
            .into_iter()
            .all(|colour| (bishops & colour).any());
        if both_colours || knights >= 3 {
            Some(("drive to the edge", self.driven_to_edge()))
        } else if bishops.any() && knights > 0 {
            Some(("bishop and knight", self.driven_to_corner(bishops)))
        } else {
            Some(("no mating material", DRAW))
        }
    }

    fn king_and_pawn(&self, bitbase: &Bitbase, pawn: Square) -> i32 {
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

    fn material(&self) -> i32 {
        let roles = [
            Role::Pawn,
            Role::Knight,
            Role::Bishop,
            Role::Rook,
            Role::Queen,
        ];
        let worth = |(role, value): (Role, i32)| self.own(role).count() as i32 * value;
        roles.into_iter().zip(VALUES).map(worth).sum()
    }

    fn kings_together(&self) -> i32 {
        KINGS_TOGETHER * (7 - distance(self.king, self.weak_king) as i32)
    }

    /// Won: the lone king is driven to the edge, and the other king comes near.
    fn driven_to_edge(&self) -> i32 {
        let edge = TO_THE_EDGE * outside(self.weak_king);
        WON + self.material() + edge + self.kings_together()
    }

    /// Drawn as a rule; a king at the edge has to be careful.
    fn rook_against_minor(&self) -> i32 {
        NEARLY_DRAWN + 3 * outside(self.weak_king)
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
        WON + self.material() + king - helpers - self.kings_apart()
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

    /// Rook against pawn is drawn when the pawn is far advanced, its king is beside it and the strong king is too far
    /// away: a matter of counting moves (<https://www.chessprogramming.org/KRKP>).
    fn rook_against_pawn(&self, pawn: Square) -> Option<(&'static str, i32)> {
        /// Further back than so many steps from its goal, a pawn is stopped by the rook.
        const LONGEST_RUN: usize = 4;
        let weak = !self.strong;
        let goal = promotion_square(pawn.file(), weak);
        let steps = 7 - relative_rank(pawn, weak);
        let waits = usize::from(self.turn == self.strong);
        let escort = distance(self.weak_king, pawn);
        let detour = 2 * usize::from(escort > 2);
        let late = usize::from(steps == LONGEST_RUN);
        let needed = steps + 1 + waits + detour + late;
        let drawn =
            steps <= LONGEST_RUN && escort + waits <= 3 && distance(self.king, goal) >= needed;
        drawn.then_some(("rook against pawn", NEARLY_DRAWN))
    }

    /// Queen against a pawn on the seventh rank is drawn on the files a, c, f and h, when its king guards it, the queen
    /// does not stand in its way, and the strong king is far away: there is stalemate in the corner.
    fn queen_against_pawn(&self, pawn: Square) -> Option<(&'static str, i32)> {
        let weak = !self.strong;
        let goal = promotion_square(pawn.file(), weak);
        let drawish_file = matches!(pawn.file(), File::A | File::C | File::F | File::H);
        let guarded = attacks::king_attacks(self.weak_king).contains(pawn);
        let far = distance(self.king, goal) as i32 - i32::from(self.turn == self.strong) > 4;
        let free = !self.own(Role::Queen).contains(goal);
        let drawn = relative_rank(pawn, weak) == 6 && drawish_file && guarded && free && far;
        drawn.then_some(("queen against pawn", DRAW))
    }
}

/// How far a square is from the middle, from 0 to 6 in a corner.
fn outside(square: Square) -> i32 {
    let rank = square.rank() as usize;
    let inside = edge_distance(square.file()) + rank.min(7 - rank);
    MOST_OUTSIDE - inside as i32
}

/// How far a square is from the diagonal between the two corners that are not of the bishop's colour, from 0 to 7 in
/// one of its colour.
fn steps_to_corner(square: Square, dark: bool) -> i32 {
    let (file, rank) = (square.file() as i32, square.rank() as i32);
    let from_diagonal = if dark { file + rank - 7 } else { file - rank };
    from_diagonal.abs()
}
