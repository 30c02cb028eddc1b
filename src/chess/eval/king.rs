//! Danger to a king: attacks on the squares round it, checks, attacks on its wing. It becomes a penalty in `blend`.

use shakmaty::{Bitboard, Color, File, Role, attacks};

use super::bits::rank;
use super::context::Context;
use super::tracer::{Terms, Tracer, endanger};
use crate::score::Tapered;

/// Danger to the king of `us`, without what single pieces add (see `pieces`) and what missing pawns add (`shelter`).
#[inline(always)]
pub(super) fn danger<T: Tracer>(
    context: &Context<'_>,
    us: Color,
    terms: &mut Terms<'_, T>,
) -> Tapered {
    let (own, enemy) = (context.side(us), context.side(!us));
    let mut sum = endanger!(terms, us, 1, danger_base);
    if context.pieces(!us, Role::Queen).is_empty() {
        sum += endanger!(terms, us, 1, danger_no_queen);
    }
    let by_few = !own.attacked() | own.by(Role::King) | own.by(Role::Queen);
    let weak = enemy.attacked() & !own.twice() & by_few;
    let weak_ring = (weak & own.ring).count() as i32;
    sum += endanger!(terms, us, weak_ring, danger_weak_ring);
    if (own.by(Role::Knight) & own.by(Role::King)).any() {
        sum += endanger!(terms, us, 1, danger_knight_defender);
    }
    let blockers = blockers(context, us).count() as i32;
    sum += endanger!(terms, us, blockers, danger_blocker);
    sum + checks(context, us, weak, terms) + flank(context, us, terms)
}

/// Pieces of either side that alone stand between the king and an enemy slider: pinned, or about to uncover a check
/// (<https://www.chessprogramming.org/Pin>).
#[inline(always)]
fn blockers(context: &Context<'_>, us: Color) -> Bitboard {
    let king = context.side(us).king;
    let (board, enemy) = (context.board, context.side(!us).pieces);
    let straight = attacks::rook_attacks(king, Bitboard::EMPTY) & board.rooks_and_queens();
    let diagonal = attacks::bishop_attacks(king, Bitboard::EMPTY) & board.bishops_and_queens();
    let mut blockers = Bitboard::EMPTY;
    for sniper in (straight | diagonal) & enemy {
        let between = attacks::between(king, sniper) & context.occupied;
        if between.single_square().is_some() {
            blockers |= between;
        }
    }
    blockers
}

/// Checks that the enemy can give, on safe squares and on others.
#[inline(always)]
fn checks<T: Tracer>(
    context: &Context<'_>,
    us: Color,
    weak: Bitboard,
    terms: &mut Terms<'_, T>,
) -> Tapered {
    let (own, enemy) = (context.side(us), context.side(!us));
    let free = !enemy.pieces;
    let safe = free & (!own.attacked() | (weak & enemy.twice()));
    let through_queen = context.occupied ^ context.pieces(us, Role::Queen);
    let straight = attacks::rook_attacks(own.king, through_queen);
    let diagonal = attacks::bishop_attacks(own.king, through_queen);
    let from = [
        attacks::knight_attacks(own.king) & enemy.by(Role::Knight),
        diagonal & enemy.by(Role::Bishop),
        straight & enemy.by(Role::Rook),
        (straight | diagonal) & enemy.by(Role::Queen),
    ];
    let mut sum = Tapered::default();
    for (kind, squares) in from.into_iter().enumerate() {
        let good = (squares & safe).count() as i32;
        let bad = (squares & free & !safe).count() as i32;
        sum += endanger!(terms, us, good, danger_safe_check[kind]);
        sum += endanger!(terms, us, bad, danger_unsafe_check[kind]);
    }
    sum
}

/// Attack and defence on the king's wing and the own five ranks
/// (<https://www.chessprogramming.org/King_Safety>, Stockfish's king flank).
#[inline(always)]
fn flank<T: Tracer>(context: &Context<'_>, us: Color, terms: &mut Terms<'_, T>) -> Tapered {
    let (own, enemy) = (context.side(us), context.side(!us));
    let far = rank(6, us) | rank(7, us) | rank(8, us);
    let camp = wing(own.king.file()) & !far;
    let attacked = (enemy.attacked() & camp).count() as i32;
    let double = (enemy.twice() & camp).count() as i32;
    let defended = (own.attacked() & camp).count() as i32;
    endanger!(terms, us, attacked, danger_flank_attack)
        + endanger!(terms, us, double, danger_flank_double)
        + endanger!(terms, us, defended, danger_flank_defence)
}

/// The files of a king's wing: the half of the board it stands on, or the four in the middle.
#[inline(always)]
pub(super) fn wing(king: File) -> Bitboard {
    const QUEEN_SIDE: Bitboard = Bitboard(0x0f0f_0f0f_0f0f_0f0f);
    const MIDDLE: Bitboard = Bitboard(0x3c3c_3c3c_3c3c_3c3c);
    const KING_SIDE: Bitboard = Bitboard(0xf0f0_f0f0_f0f0_f0f0);
    match king {
        File::A | File::B | File::C => QUEEN_SIDE,
        File::D | File::E => MIDDLE,
        File::F | File::G | File::H => KING_SIDE,
    }
}
