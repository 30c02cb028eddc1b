//! Endgame scaling: how much an advantage is worth when it will be hard to turn into a win
//! (<https://www.chessprogramming.org/Endgame#Scaling>). Endings that are known outright are in `endings`.

use shakmaty::{Bitboard, Board, Color, File, Role, Square};

use super::bits::{
    distance, fill_ahead, on_both_colours, promotion_square, relative_rank, same_colour,
};
use super::blend::{FULL_SCALE, Scale};
use super::psqt::exchange_value;

/// Scale by the number of the strong side's pawns: a side that has none left seldom wins.
const BY_PAWNS: [i32; 9] = [46, 50, 54, 57, 60, 62, 64, 64, 64];
/// All pawns on one wing: the defender has less to guard.
const ONE_WING: i32 = 4;
/// No pawns, and pieces that cannot mate a lone king.
const NO_MATING_MATERIAL: i32 = 0;
/// A rook against a minor piece and the like.
const ONE_PIECE_AHEAD: i32 = 6;
/// The same with more pieces on the board.
const ONE_PIECE_OF_SEVERAL: i32 = 9;
/// Bishops of opposite colours and nothing else: at the least, and for each pawn of the strong side.
const OPPOSITE_BISHOPS: (i32, i32) = (16, 5);
/// Bishops of opposite colours among other pieces.
const OPPOSITE_BISHOPS_AND_MORE: (i32, i32) = (36, 4);
/// A rook pawn whose last square the only piece, a bishop, does not cover, with the other king in the corner.
const WRONG_CORNER: i32 = 4;
/// A king in front of the only pawn, on a square from which nothing can drive it.
const BLOCKADE: i32 = 6;
/// Rook and pawn against rook, or knight and pawn against bishop, with the king in front of the pawn.
const KING_IN_FRONT: i32 = 20;
/// Rook and rook pawn against rook, which leaves the strong king no shelter.
const ROOK_PAWN: i32 = 30;

/// How much an advantage of `strong` counts.
#[inline(always)]
pub(super) fn scale(board: &Board, strong: Color) -> Scale {
    let own = board.pawns() & board.by_color(strong);
    let pawns = own.count().min(8);
    if pawns <= 1
        && let Some(scale) = scale_of_few(board, strong, own)
    {
        return scale;
    }
    let scale = match opposite_bishops(board) {
        Some((least, per_pawn)) => least + per_pawn * pawns as i32,
        None if on_one_wing(board.pawns()) => BY_PAWNS[pawns] - ONE_WING,
        None => BY_PAWNS[pawns],
    };
    Scale::endgame(scale.min(FULL_SCALE))
}

/// With one pawn or none.
#[cold]
fn scale_of_few(board: &Board, strong: Color, pawns: Bitboard) -> Option<Scale> {
    match pawns.single_square() {
        Some(pawn) => scale_of_one_pawn(board, strong, pawn).map(Scale::whole),
        None => scale_without_pawns(board, strong).map(Scale::whole),
    }
}

/// Without pawns it takes more than a minor piece to win (<https://www.chessprogramming.org/Draw_Evaluation>).
fn scale_without_pawns(board: &Board, strong: Color) -> Option<i32> {
    let (ours, theirs) = (pieces(board, strong), pieces(board, !strong));
    let minor = exchange_value(Role::Bishop);
    if !can_mate(board, strong) {
        Some(NO_MATING_MATERIAL)
    } else if ours > theirs + minor {
        None
    } else if theirs <= minor {
        Some(ONE_PIECE_AHEAD)
    } else {
        Some(ONE_PIECE_OF_SEVERAL)
    }
}

/// Whether the pieces of a side alone can mate a lone king by force: not one minor piece, not two knights, and not bishops
/// of one colour.
fn can_mate(board: &Board, color: Color) -> bool {
    let own = board.by_color(color);
    let bishops = board.bishops() & own;
    let knights = (board.knights() & own).count();
    (board.rooks_and_queens() & own).any()
        || on_both_colours(bishops)
        || knights >= 3
        || (bishops.any() && knights > 0)
}

/// Endings with one pawn in which the other king holds.
fn scale_of_one_pawn(board: &Board, strong: Color, pawn: Square) -> Option<i32> {
    let own = board.by_color(strong) & !board.pawns() & !board.kings();
    let enemy = board.by_color(!strong) & !board.pawns() & !board.kings();
    let role = |side: Bitboard| side.single_square().and_then(|piece| board.role_at(piece));
    let (king, weak_king) = (board.king_of(strong)?, board.king_of(!strong)?);
    let corner = promotion_square(pawn.file(), strong);
    let in_front = fill_ahead(Bitboard::from_square(pawn), strong).contains(weak_king);
    let rook_pawn = matches!(pawn.file(), File::A | File::H);
    match (role(own), role(enemy)) {
        (Some(Role::Bishop), None) if enemy.is_empty() => {
            let wrong = rook_pawn && (own & same_colour(corner)).is_empty();
            let first = distance(weak_king, corner) <= 1;
            (wrong && first).then_some(WRONG_CORNER)
        }
        (Some(Role::Bishop), Some(Role::Bishop)) => {
            let safe = (own & same_colour(weak_king)).is_empty();
            (in_front && safe).then_some(BLOCKADE)
        }
        (Some(Role::Knight), Some(Role::Bishop)) => in_front.then_some(KING_IN_FRONT),
        (Some(Role::Rook), Some(Role::Rook)) => {
            let late = relative_rank(king, strong) > 5 && relative_rank(pawn, strong) > 5;
            if in_front && !late {
                Some(KING_IN_FRONT)
            } else {
                rook_pawn.then_some(ROOK_PAWN)
            }
        }
        _ => None,
    }
}

/// What the pieces of a side count in an exchange.
fn pieces(board: &Board, color: Color) -> i32 {
    let own = board.by_color(color) & !board.pawns();
    let worth = |role| (board.by_role(role) & own).count() as i32 * exchange_value(role);
    Role::ALL.into_iter().map(worth).sum()
}

/// Each side has one bishop, and they never meet: the defender's bishop stops pawns for good
/// (<https://www.chessprogramming.org/Bishops_of_Opposite_Colors>).
#[inline(always)]
fn opposite_bishops(board: &Board) -> Option<(i32, i32)> {
    let bishops = board.bishops();
    let one_each = (bishops & board.white()).single_square().is_some()
        && (bishops & board.black()).single_square().is_some();
    let opposite = (bishops & Bitboard::LIGHT_SQUARES)
        .single_square()
        .is_some();
    if !(one_each && opposite) {
        return None;
    }
    let others = board.knights() | board.rooks_and_queens();
    Some(if others.is_empty() {
        OPPOSITE_BISHOPS
    } else {
        OPPOSITE_BISHOPS_AND_MORE
    })
}

#[inline(always)]
fn on_one_wing(pawns: Bitboard) -> bool {
    const LEFT: Bitboard = Bitboard(0x0f0f_0f0f_0f0f_0f0f);
    (pawns & LEFT).is_empty() || (pawns & !LEFT).is_empty()
}
