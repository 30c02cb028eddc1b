//! Pawn structure: everything that depends on pawns and kings alone, so that it can be remembered in the pawn cache
//! (<https://www.chessprogramming.org/Pawn_Structure>).

use shakmaty::{Bitboard, Color, Square};

use super::bits::{
    ahead, behind, beside, distance, edge_distance, fill_ahead, fill_files, path, relative_rank,
};
use super::shelter;
use super::tracer::{Terms, Tracer, weigh};
use crate::chess::position::{Position, pawn_threats};
use crate::score::Tapered;

/// What pawns and kings give.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Pawns {
    /// Structure and shelter, from White's view.
    pub value: Tapered,
    /// Danger to White's and to Black's king from missing pawns.
    pub danger: [Tapered; 2],
    /// The passed pawns of both sides.
    pub passed: Bitboard,
    /// The files that have a pawn of White and of Black, from the lowest bit.
    files: [u8; 2],
}

impl Pawns {
    /// All squares on files that have a pawn of `color`.
    #[inline(always)]
    pub fn files(&self, color: Color) -> Bitboard {
        const EACH_RANK: u64 = 0x0101_0101_0101_0101;
        Bitboard(u64::from(self.files[color.fold_wb(0, 1)]) * EACH_RANK)
    }
}

/// What the pawns and kings of `position` give.
pub(super) fn evaluate<T: Tracer>(position: &Position, terms: &mut Terms<'_, T>) -> Pawns {
    let white = one_side(position, Color::White, terms);
    let black = one_side(position, Color::Black, terms);
    debug_assert!(((white.passed | black.passed) & !position.board().pawns()).is_empty());
    Pawns {
        value: white.value - black.value,
        danger: [white.danger, black.danger],
        passed: white.passed | black.passed,
        files: [white.files, black.files],
    }
}

/// What the pawns and the king of one side give.
struct OneSide {
    value: Tapered,
    danger: Tapered,
    passed: Bitboard,
    files: u8,
}

/// Made for each colour apart, so that no shift depends on the colour.
#[inline(always)]
fn one_side<T: Tracer>(position: &Position, us: Color, terms: &mut Terms<'_, T>) -> OneSide {
    let (structure, passed) = structure(position, us, terms);
    let (shelter, danger) = shelter::evaluate(position, us, terms);
    OneSide {
        value: structure + shelter + kings(position, us, passed, terms),
        danger,
        passed,
        files: fill_files(position.board().pawns() & position.board().by_color(us)).0 as u8,
    }
}

/// The pawns of one side, sorted into sets: a set is found for all of them at once.
struct Structure {
    /// Pawns without own pawns on the neighbouring files.
    isolated: Bitboard,
    /// Pawns whose neighbours have gone ahead and whose next square is attacked or taken by a pawn.
    backward: Bitboard,
    /// Pawns with an enemy pawn ahead on the file.
    opposed: Bitboard,
    /// Pawns with an own pawn ahead on the file and none to defend them.
    doubled: Bitboard,
    /// Pawns with an own pawn beside them.
    phalanx: Bitboard,
    /// Pawns that are defended by a pawn.
    defended: Bitboard,
    /// Pawns with no pawn ahead on the file, and no enemy pawn ahead on the neighbouring ones.
    passed: Bitboard,
    /// Pawns with no pawn ahead on the file, but enemy pawns on the neighbouring ones.
    hindered: Bitboard,
}

impl Structure {
    #[inline(always)]
    fn new(us: Color, own: Bitboard, enemy: Bitboard) -> Structure {
        let span_behind = |pawns| fill_ahead(ahead(pawns, !us), !us);
        let with_neighbours = beside(fill_files(own));
        let helped = beside(fill_ahead(own, us));
        let enemy_behind = span_behind(enemy);
        let defended = own & pawn_threats(own, us);
        let stuck_behind = own & span_behind(own);
        let held_back = behind(enemy | pawn_threats(enemy, !us), us);
        let opposed = own & enemy_behind;
        let free = own & !(opposed | stuck_behind);
        let guarded = beside(enemy_behind);
        Structure {
            isolated: own & !with_neighbours,
            backward: own & with_neighbours & !helped & held_back,
            opposed,
            doubled: stuck_behind & !defended,
            phalanx: own & beside(own),
            defended,
            passed: free & !guarded,
            hindered: free & guarded,
        }
    }
}

/// The value of the structure of `us`, and its passed pawns.
#[inline(always)]
fn structure<T: Tracer>(
    position: &Position,
    us: Color,
    terms: &mut Terms<'_, T>,
) -> (Tapered, Bitboard) {
    let board = position.board();
    let own = board.pawns() & board.by_color(us);
    let enemy = board.pawns() & board.by_color(!us);
    let pawns = Structure::new(us, own, enemy);
    let mut sum = Tapered::default();
    for square in pawns.isolated {
        sum += weigh!(terms, us, 1, pawn_isolated[edge_distance(square.file())]);
    }
    let weak_open = (pawns.isolated | pawns.backward) & !pawns.opposed;
    let number = |set: Bitboard| set.count() as i32;
    sum += weigh!(terms, us, number(pawns.backward), pawn_backward);
    sum += weigh!(terms, us, number(weak_open), pawn_weak_open);
    sum += weigh!(terms, us, number(pawns.doubled), pawn_doubled);
    for square in pawns.phalanx {
        sum += weigh!(terms, us, 1, pawn_phalanx[relative_rank(square, us)]);
    }
    for square in pawns.defended {
        sum += weigh!(terms, us, 1, pawn_defended[relative_rank(square, us)]);
    }
    for square in own & pawn_threats(enemy, !us) {
        sum += weigh!(terms, us, 1, pawn_lever[relative_rank(square, us)]);
    }
    for square in pawns.hindered {
        if is_candidate(square, us, own, enemy) {
            sum += weigh!(terms, us, 1, pawn_candidate[relative_rank(square, us)]);
        }
    }
    (
        sum + passed_structure(own, pawns.passed, us, terms),
        pawns.passed,
    )
}

/// A candidate, on a file that is free ahead: its helpers, the neighbours that are beside it or behind, are no fewer
/// than the enemy pawns that guard its way (<https://www.chessprogramming.org/Candidate_Passed_Pawn>).
#[inline(always)]
fn is_candidate(square: Square, us: Color, own: Bitboard, enemy: Bitboard) -> bool {
    let helpers = own & fill_ahead(beside(Bitboard::from_square(square)), !us);
    let guards = enemy & beside(path(square, us));
    helpers.count() >= guards.count()
}

/// Passed pawns by rank, and those that are defended by a pawn or stand beside another passed pawn.
#[inline(always)]
fn passed_structure<T: Tracer>(
    own: Bitboard,
    passed: Bitboard,
    us: Color,
    terms: &mut Terms<'_, T>,
) -> Tapered {
    let mut sum = Tapered::default();
    let connected = passed & (pawn_threats(own, us) | beside(passed));
    for square in passed {
        let rank = relative_rank(square, us);
        sum += weigh!(terms, us, 1, passed[rank]);
        if connected.contains(square) {
            sum += weigh!(terms, us, 1, passed_connected[rank]);
        }
    }
    sum
}

/// Distances of both kings from the squares in front of passed pawns.
#[inline(always)]
fn kings<T: Tracer>(
    position: &Position,
    us: Color,
    passed: Bitboard,
    terms: &mut Terms<'_, T>,
) -> Tapered {
    let (own, enemy) = (position.king(us), position.king(!us));
    let mut sum = Tapered::default();
    for square in passed {
        let rank = relative_rank(square, us);
        let next = ahead(Bitboard::from_square(square), us);
        let stop = next.first().unwrap_or(square);
        sum += weigh!(terms, us, 1, passed_own_king[rank][distance(own, stop)]);
        sum += weigh!(terms, us, 1, passed_enemy_king[rank][distance(enemy, stop)]);
    }
    sum
}
