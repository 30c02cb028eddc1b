//! Threats: enemy pieces that stand attacked, and what can be attacked next
//! (the kinds of threats are those of Stockfish's and Ethereal's evaluations).

use shakmaty::{Bitboard, Color, Role, attacks};

use super::bits::{ahead, rank};
use super::context::{Context, Side};
use super::tracer::{Terms, Tracer, weigh};
use crate::chess::position::pawn_threats;
use crate::score::Tapered;

/// The roles that a threat is weighed by.
const VICTIMS: [Role; 5] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
];

/// What `us` threatens.
#[inline(always)]
pub(super) fn value<T: Tracer>(
    context: &Context<'_>,
    us: Color,
    terms: &mut Terms<'_, T>,
) -> Tapered {
    let (own, enemy) = (context.side(us), context.side(!us));
    let well_defended = enemy.by(Role::Pawn) | (enemy.twice() & !own.twice());
    let worthy = enemy.pieces & !enemy.pawns;
    let weak = enemy.pieces & !well_defended & own.attacked();
    let minors = own.by(Role::Knight) | own.by(Role::Bishop);

    let mut sum = Tapered::default();
    let by_pawn = worthy & own.by(Role::Pawn);
    if by_pawn.any() {
        for role in VICTIMS.into_iter().skip(1) {
            let count = (by_pawn & context.board.by_role(role)).count() as i32;
            sum += weigh!(terms, us, count, threat_by_pawn[role as usize - 1]);
        }
    }
    let by_minor = (worthy | weak) & minors;
    if by_minor.any() {
        for role in VICTIMS {
            let count = (by_minor & context.board.by_role(role)).count() as i32;
            sum += weigh!(terms, us, count, threat_by_minor[role as usize - 1]);
        }
    }
    let by_rook = weak & own.by(Role::Rook);
    if by_rook.any() {
        for role in VICTIMS {
            let count = (by_rook & context.board.by_role(role)).count() as i32;
            sum += weigh!(terms, us, count, threat_by_rook[role as usize - 1]);
        }
    }
    let by_king = i32::from((weak & own.by(Role::King)).any());
    sum += weigh!(terms, us, by_king, threat_by_king);
    let hanging = weak & (!enemy.attacked() | (worthy & own.twice()));
    sum += weigh!(terms, us, hanging.count() as i32, hanging);
    let contested = enemy.attacked() & !well_defended & own.attacked();
    sum += weigh!(terms, us, contested.count() as i32, restricted);
    sum + push_threats(context, us, worthy, terms) + on_queen(context, us, well_defended, terms)
}

/// Pawns that can step forward safely and then attack a piece.
#[inline(always)]
fn push_threats<T: Tracer>(
    context: &Context<'_>,
    us: Color,
    worthy: Bitboard,
    terms: &mut Terms<'_, T>,
) -> Tapered {
    let (own, enemy) = (context.side(us), context.side(!us));
    let empty = !context.occupied;
    let once = ahead(own.pawns, us) & empty;
    let twice = ahead(once & rank(3, us), us) & empty;
    let safe = !enemy.by(Role::Pawn) & (own.attacked() | !enemy.attacked());
    let victims = worthy & pawn_threats((once | twice) & safe, us);
    weigh!(terms, us, victims.count() as i32, push_threat)
}

/// Squares from which a knight or slider would attack the lone enemy queen.
#[inline(always)]
fn on_queen<T: Tracer>(
    context: &Context<'_>,
    us: Color,
    well_defended: Bitboard,
    terms: &mut Terms<'_, T>,
) -> Tapered {
    let Some(queen) = context.pieces(!us, Role::Queen).single_square() else {
        return Tapered::default();
    };
    let own: &Side = context.side(us);
    let safe = own.area & !well_defended;
    let knight = own.by(Role::Knight) & attacks::knight_attacks(queen) & safe;
    let diagonal = own.by(Role::Bishop) & attacks::bishop_attacks(queen, context.occupied);
    let straight = own.by(Role::Rook) & attacks::rook_attacks(queen, context.occupied);
    let slider = (diagonal | straight) & safe & own.twice();
    weigh!(terms, us, knight.count() as i32, knight_on_queen)
        + weigh!(terms, us, slider.count() as i32, slider_on_queen)
}
