//! Pawn structure: everything that hangs on pawns and kings alone, so that it can be remembered in the pawn cache
//! (<https://www.chessprogramming.org/Pawn_Structure>).

use shakmaty::{Bitboard, Board, Color, Square, attacks};

use super::bits::{ahead, beside, distance, edge_distance, fill_ahead, path, relative_rank};
use super::shelter;
use super::tracer::{Terms, Tracer, weigh};
use crate::position::{Position, pawn_threats};
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
}

/// What the pawns and kings of `position` give.
pub(super) fn evaluate<T: Tracer>(position: &Position, terms: &mut Terms<'_, T>) -> Pawns {
    let board = position.board();
    let mut pawns = Pawns::default();
    for us in [Color::White, Color::Black] {
        let (structure, passed) = structure(position, us, terms);
        let (shelter, danger) = shelter::evaluate(position, us, terms);
        let value = structure + shelter + kings(position, us, passed, terms);
        pawns.value += value * us.fold_wb(1, -1);
        pawns.danger[us.fold_wb(0, 1)] = danger;
        pawns.passed |= passed;
    }
    debug_assert!((pawns.passed & !board.pawns()).is_empty());
    pawns
}

/// A pawn and its neighbourhood.
struct Pawn {
    square: Square,
    /// Own pawns on the neighbouring files.
    neighbours: Bitboard,
    /// Own pawns that defend it, and those beside it.
    supporters: Bitboard,
    phalanx: Bitboard,
    /// Enemy pawns ahead on its file and on the neighbouring ones.
    opposed: Bitboard,
    sentries: Bitboard,
    /// Own pawns ahead on its file.
    stuck_behind: Bitboard,
}

impl Pawn {
    fn new(board: &Board, us: Color, square: Square) -> Pawn {
        let own = board.pawns() & board.by_color(us);
        let enemy = board.pawns() & board.by_color(!us);
        let here = Bitboard::from_square(square);
        let beside_here = beside(here);
        let ahead_here = path(square, us);
        Pawn {
            square,
            neighbours: own & fill_ahead(fill_ahead(beside_here, us), !us),
            supporters: own & attacks::pawn_attacks(!us, square),
            phalanx: own & beside_here,
            opposed: enemy & ahead_here,
            sentries: enemy & beside(ahead_here),
            stuck_behind: own & ahead_here,
        }
    }

    fn is_passed(&self) -> bool {
        (self.opposed | self.sentries | self.stuck_behind).is_empty()
    }

    /// Neighbours that are beside it or behind, and can still come to its help.
    fn helpers(&self, us: Color) -> Bitboard {
        self.neighbours & fill_ahead(beside(Bitboard::from_square(self.square)), !us)
    }

    fn is_backward(&self, us: Color, enemy_attacks: Bitboard, enemy: Bitboard) -> bool {
        let next = ahead(Bitboard::from_square(self.square), us);
        self.helpers(us).is_empty() && (next & (enemy_attacks | enemy)).any()
    }
}

/// The value of the structure of `us`, and its passed pawns.
fn structure<T: Tracer>(
    position: &Position,
    us: Color,
    terms: &mut Terms<'_, T>,
) -> (Tapered, Bitboard) {
    let board = position.board();
    let own = board.pawns() & board.by_color(us);
    let enemy = board.pawns() & board.by_color(!us);
    let enemy_attacks = pawn_threats(enemy, !us);
    let mut sum = Tapered::default();
    let mut passed = Bitboard(0);
    for square in own {
        let pawn = Pawn::new(board, us, square);
        let rank = relative_rank(square, us);
        let isolated = pawn.neighbours.is_empty();
        let backward = !isolated && pawn.is_backward(us, enemy_attacks, enemy);
        if isolated {
            sum += weigh!(terms, us, 1, pawn_isolated[edge_distance(square.file())]);
        } else if backward {
            sum += weigh!(terms, us, 1, pawn_backward);
        }
        if (isolated || backward) && pawn.opposed.is_empty() {
            sum += weigh!(terms, us, 1, pawn_weak_open);
        }
        if pawn.stuck_behind.any() && pawn.supporters.is_empty() {
            sum += weigh!(terms, us, 1, pawn_doubled);
        }
        if pawn.phalanx.any() {
            sum += weigh!(terms, us, 1, pawn_phalanx[rank]);
        }
        if pawn.supporters.any() {
            sum += weigh!(terms, us, 1, pawn_defended[rank]);
        }
        if pawn.is_passed() {
            passed.add(square);
        } else if is_candidate(&pawn, us) {
            sum += weigh!(terms, us, 1, pawn_candidate[rank]);
        }
    }
    (sum + passed_structure(own, passed, us, terms), passed)
}

/// A candidate: its own file is free and its helpers are no fewer than the enemy pawns that guard its way
/// (<https://www.chessprogramming.org/Candidate_Passed_Pawn>).
fn is_candidate(pawn: &Pawn, us: Color) -> bool {
    (pawn.opposed | pawn.stuck_behind).is_empty()
        && pawn.helpers(us).count() >= pawn.sentries.count()
}

/// Passed pawns by rank, and those that are defended by a pawn or stand beside another passed pawn.
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
