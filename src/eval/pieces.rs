//! Knights, bishops, rooks and queens: one walk over them that gives mobility, places and attacks on the king.

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use super::bits::{behind, fill_ahead, fill_files, rank};
use super::context::Context;
use super::tracer::{Terms, Tracer, endanger, weigh};
use crate::position::pawn_threats;
use crate::score::Tapered;

/// What the pieces of one side give: their value, and the danger to the enemy king.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Pieces {
    pub value: Tapered,
    pub danger: Tapered,
}

/// Walks over the pieces of `us` and adds their attacks to the context.
#[inline(always)]
pub(super) fn walk<T: Tracer>(
    context: &mut Context<'_>,
    us: Color,
    terms: &mut Terms<'_, T>,
) -> Pieces {
    let mut sum = Pieces::default();
    let board = context.board;
    let ours = context.side(us).pieces;
    // A slider looks through own sliders that move the same way: they support each other.
    let through_queens = context.occupied ^ board.queens();
    let through_rooks = through_queens ^ (board.rooks() & ours);
    let outposts = outposts(context, us);
    for square in board.knights() & ours {
        let reach = attacks::knight_attacks(square);
        let safe = attack(context, us, KNIGHT, reach, &mut sum, terms);
        sum.value += weigh!(terms, us, 1, knight_mobility[safe.count().min(8)]);
        if outposts.contains(square) {
            sum.value += weigh!(terms, us, 1, knight_outpost);
        } else if (reach & outposts & !ours).any() {
            sum.value += weigh!(terms, us, 1, knight_near_outpost);
        }
    }
    for square in board.bishops() & ours {
        let reach = attacks::bishop_attacks(square, through_queens);
        let safe = attack(context, us, BISHOP, reach, &mut sum, terms);
        sum.value += weigh!(terms, us, 1, bishop_mobility[safe.count().min(13)]);
        sum.value += bishop(context, us, square, outposts, terms);
    }
    for square in board.rooks() & ours {
        let reach = attacks::rook_attacks(square, through_rooks);
        let safe = attack(context, us, ROOK, reach, &mut sum, terms);
        sum.value += weigh!(terms, us, 1, rook_mobility[safe.count().min(14)]);
    }
    for square in board.queens() & ours {
        let reach = attacks::queen_attacks(square, context.occupied);
        let safe = attack(context, us, QUEEN, reach, &mut sum, terms);
        sum.value += weigh!(terms, us, 1, queen_mobility[safe.count().min(27)]);
    }
    sum.value += rooks(context, us, terms) + behind_pawns(context, us, terms);
    sum
}

const KNIGHT: usize = 0;
const BISHOP: usize = 1;
const ROOK: usize = 2;
const QUEEN: usize = 3;
const ROLES: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// Notes the attacks of one piece, counts those on the enemy king's surroundings as danger, and returns the squares
/// the piece can go to.
#[inline(always)]
fn attack<T: Tracer>(
    context: &mut Context<'_>,
    us: Color,
    kind: usize,
    reach: Bitboard,
    sum: &mut Pieces,
    terms: &mut Terms<'_, T>,
) -> Bitboard {
    let own = context.side_mut(us);
    own.add_attacks(ROLES[kind], reach);
    let safe = reach & own.area;
    let ring = (reach & context.side(!us).ring).count() as i32;
    if ring > 0 {
        sum.danger += endanger!(terms, !us, 1, danger_attacker[kind]);
        sum.danger += endanger!(terms, !us, ring, danger_ring_attack[kind]);
    }
    safe
}

/// Outposts: squares on the fourth to sixth rank, defended by a pawn, that no enemy pawn can ever attack
/// (<https://www.chessprogramming.org/Outposts>).
#[inline(always)]
fn outposts(context: &Context<'_>, us: Color) -> Bitboard {
    let zone = rank(4, us) | rank(5, us) | rank(6, us);
    let enemy = fill_ahead(context.side(!us).pawns, !us);
    zone & context.side(us).by(Role::Pawn) & !pawn_threats(enemy, !us)
}

/// A bishop's outpost, and the pawns in its way (bad bishop, <https://www.chessprogramming.org/Bad_Bishop>).
#[inline(always)]
fn bishop<T: Tracer>(
    context: &Context<'_>,
    us: Color,
    square: Square,
    outposts: Bitboard,
    terms: &mut Terms<'_, T>,
) -> Tapered {
    let colour = if Bitboard::LIGHT_SQUARES.contains(square) {
        Bitboard::LIGHT_SQUARES
    } else {
        Bitboard::DARK_SQUARES
    };
    let pawns = (context.side(us).pawns & colour).count().min(8);
    let mut sum = weigh!(terms, us, 1, bishop_own_pawns[pawns]);
    if outposts.contains(square) {
        sum += weigh!(terms, us, 1, bishop_outpost);
    }
    sum
}

/// Rooks on open and half-open files and on the seventh rank
/// (<https://www.chessprogramming.org/Rook_on_Open_File>).
#[inline(always)]
fn rooks<T: Tracer>(context: &Context<'_>, us: Color, terms: &mut Terms<'_, T>) -> Tapered {
    let (own, enemy) = (context.side(us), context.side(!us));
    let rooks = context.pieces(us, Role::Rook);
    let half_open = rooks & !fill_files(own.pawns);
    let open = half_open & !fill_files(enemy.pawns);
    let closed_in = half_open ^ open;
    let mut sum = weigh!(terms, us, open.count() as i32, rook_open_file);
    sum += weigh!(terms, us, closed_in.count() as i32, rook_half_open_file);
    let seventh = rank(7, us);
    let worth = (enemy.pawns & seventh).any() || rank(8, us).contains(enemy.king);
    let on_seventh = (rooks & seventh).count() as i32;
    sum += weigh!(terms, us, on_seventh * i32::from(worth), rook_seventh);
    sum
}

/// Knights and bishops sheltered by a pawn right in front of them.
#[inline(always)]
fn behind_pawns<T: Tracer>(context: &Context<'_>, us: Color, terms: &mut Terms<'_, T>) -> Tapered {
    let minors = (context.board.knights() | context.board.bishops()) & context.side(us).pieces;
    let sheltered = minors & behind(context.board.pawns(), us);
    weigh!(terms, us, sheltered.count() as i32, minor_behind_pawn)
}
