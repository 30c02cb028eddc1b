//! Knights, bishops, rooks and queens: one walk over them that gives mobility, places and attacks on the king.

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use super::bits::{behind, fill_ahead, rank, same_colour};
use super::context::{Attacks, Context};
use super::pawns::Pawns;
use super::tracer::{Terms, Tracer, endanger, weigh};
use crate::chess::position::pawn_threats;
use crate::score::Tapered;

/// What the pieces of one side give: their value, the danger to the enemy king, and all attacks of the side.
#[derive(Copy, Clone, Debug)]
pub(super) struct Pieces {
    pub value: Tapered,
    pub danger: Tapered,
    pub attacks: Attacks,
}

/// Walks over the pieces of `us`. Their attacks join those of pawns and king that the context knows.
#[inline(always)]
pub(super) fn walk<T: Tracer>(
    context: &Context<'_>,
    us: Color,
    pawns: &Pawns,
    terms: &mut Terms<'_, T>,
) -> Pieces {
    let board = context.board;
    let own = context.side(us);
    let ours = own.pieces;
    let mut sum = Pieces {
        value: Tapered::default(),
        danger: Tapered::default(),
        attacks: own.attacks,
    };
    // A slider looks through queens, and a rook through own rooks: they support each other, or are hit from behind.
    let through_queens = context.occupied ^ board.queens();
    let through_rooks = through_queens ^ (board.rooks() & ours);
    let outposts = outposts(context, us);
    let mut ring = Ring::new(context, us);
    for square in board.knights() & ours {
        let reach = attacks::knight_attacks(square);
        sum.attacks.add(Role::Knight, reach);
        ring.count(reach);
        let safe = (reach & own.area).count();
        sum.value += weigh!(terms, us, 1, knight_mobility[safe.min(8)]);
        if outposts.contains(square) {
            sum.value += weigh!(terms, us, 1, knight_outpost);
        } else if (reach & outposts & !ours).any() {
            sum.value += weigh!(terms, us, 1, knight_near_outpost);
        }
    }
    sum.danger += ring.danger(KNIGHT, us, terms);
    for square in board.bishops() & ours {
        let reach = attacks::bishop_attacks(square, through_queens);
        sum.attacks.add(Role::Bishop, reach);
        ring.count(reach);
        let safe = (reach & own.area).count();
        sum.value += weigh!(terms, us, 1, bishop_mobility[safe.min(13)]);
        sum.value += bishop(context, us, square, outposts, terms);
    }
    sum.danger += ring.danger(BISHOP, us, terms);
    for square in board.rooks() & ours {
        let reach = attacks::rook_attacks(square, through_rooks);
        sum.attacks.add(Role::Rook, reach);
        ring.count(reach);
        let safe = (reach & own.area).count();
        sum.value += weigh!(terms, us, 1, rook_mobility[safe.min(14)]);
    }
    sum.danger += ring.danger(ROOK, us, terms);
    for square in board.queens() & ours {
        let reach = attacks::queen_attacks(square, context.occupied);
        sum.attacks.add(Role::Queen, reach);
        ring.count(reach);
        let safe = (reach & own.area).count();
        sum.value += weigh!(terms, us, 1, queen_mobility[safe.min(27)]);
    }
    sum.danger += ring.danger(QUEEN, us, terms);
    sum.value += rooks(context, us, pawns, terms) + behind_pawns(context, us, terms);
    sum
}

/// The four squares in the middle.
const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

const KNIGHT: usize = 0;
const BISHOP: usize = 1;
const ROOK: usize = 2;
const QUEEN: usize = 3;

/// Attacks on the squares round the enemy king, counted for one role at a time: one product then does for all pieces.
struct Ring {
    squares: Bitboard,
    attackers: i32,
    attacked: i32,
}

impl Ring {
    #[inline(always)]
    fn new(context: &Context<'_>, us: Color) -> Ring {
        Ring {
            squares: context.side(!us).ring,
            attackers: 0,
            attacked: 0,
        }
    }

    /// A piece attacks `reach`.
    #[inline(always)]
    fn count(&mut self, reach: Bitboard) {
        let attacked = reach & self.squares;
        self.attackers += i32::from(attacked.any());
        self.attacked += attacked.count() as i32;
    }

    /// The danger of what was counted, and from nothing again.
    #[inline(always)]
    fn danger<T: Tracer>(&mut self, kind: usize, us: Color, terms: &mut Terms<'_, T>) -> Tapered {
        let attackers = endanger!(terms, !us, self.attackers, danger_attacker[kind]);
        let attacked = endanger!(terms, !us, self.attacked, danger_ring_attack[kind]);
        (self.attackers, self.attacked) = (0, 0);
        attackers + attacked
    }
}

/// Outposts: squares on the fourth to sixth rank, defended by a pawn, that no enemy pawn can ever attack
/// (<https://www.chessprogramming.org/Outposts>).
#[inline(always)]
fn outposts(context: &Context<'_>, us: Color) -> Bitboard {
    let zone = rank(4, us) | rank(5, us) | rank(6, us);
    let enemy = fill_ahead(context.side(!us).pawns, !us);
    zone & context.side(us).by(Role::Pawn) & !pawn_threats(enemy, !us)
}

/// A bishop's outpost, the pawns in its way (bad bishop, <https://www.chessprogramming.org/Bad_Bishop>), those it can
/// aim at, and a long diagonal (the latter two: Stockfish's kinds).
#[inline(always)]
fn bishop<T: Tracer>(
    context: &Context<'_>,
    us: Color,
    square: Square,
    outposts: Bitboard,
    terms: &mut Terms<'_, T>,
) -> Tapered {
    let pawns = context.side(us).pawns & same_colour(square);
    let pawns = pawns.count().min(8);
    let mut sum = weigh!(terms, us, 1, bishop_own_pawns[pawns]);
    let aim = attacks::bishop_attacks(square, Bitboard::EMPTY) & context.side(!us).pawns;
    sum += weigh!(terms, us, aim.count() as i32, bishop_enemy_pawns);
    let past_pieces = attacks::bishop_attacks(square, context.board.pawns()).with(square);
    if (past_pieces & CENTRE).more_than_one() {
        sum += weigh!(terms, us, 1, bishop_long_diagonal);
    }
    if outposts.contains(square) {
        sum += weigh!(terms, us, 1, bishop_outpost);
    }
    sum
}

/// Rooks on open and half-open files and on the seventh rank
/// (<https://www.chessprogramming.org/Rook_on_Open_File>).
#[inline(always)]
fn rooks<T: Tracer>(
    context: &Context<'_>,
    us: Color,
    pawns: &Pawns,
    terms: &mut Terms<'_, T>,
) -> Tapered {
    let enemy = context.side(!us);
    let rooks = context.pieces(us, Role::Rook);
    let half_open = rooks & !pawns.files(us);
    let open = half_open & !pawns.files(!us);
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
