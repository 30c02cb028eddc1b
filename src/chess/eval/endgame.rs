//! Endgame scaling: how much an advantage in the endgame is worth when it will be hard to turn into a win
//! (<https://www.chessprogramming.org/Endgame#Scaling>). Endings that are known outright are in `endings`.

use shakmaty::{Bitboard, Board, Color};

use super::blend::FULL_SCALE;

/// Scale by the number of the strong side's pawns: a side that has none left seldom wins.
const BY_PAWNS: [i32; 9] = [46, 50, 54, 57, 60, 62, 64, 64, 64];
/// All pawns on one wing: the defender has less to guard.
const ONE_WING: i32 = 4;
/// Without pawns, and no more than a minor piece ahead: lone minors do not win at all.
const NO_MATING_MATERIAL: i32 = 0;
/// A rook against a minor piece and the like.
const ONE_PIECE_AHEAD: i32 = 6;
/// The same with more pieces on the board.
const ONE_PIECE_OF_SEVERAL: i32 = 14;
/// Bishops of opposite colours and nothing else: at the least, and for each pawn of the strong side.
const OPPOSITE_BISHOPS: (i32, i32) = (16, 5);
/// Bishops of opposite colours among other pieces.
const OPPOSITE_BISHOPS_AND_MORE: (i32, i32) = (36, 4);

/// Pieces in pawns, as books count them.
const MINOR: usize = 3;
const ROOK: usize = 5;
const QUEEN: usize = 9;

/// How much of an endgame advantage of `strong` counts, of [`FULL_SCALE`].
#[inline(always)]
pub(super) fn scale(board: &Board, strong: Color) -> i32 {
    let pawns = (board.pawns() & board.by_color(strong)).count().min(8);
    if pawns == 0
        && let Some(scale) = scale_without_pawns(board, strong)
    {
        return scale;
    }
    let scale = match opposite_bishops(board) {
        Some((least, per_pawn)) => least + per_pawn * pawns as i32,
        None if on_one_wing(board.pawns()) => BY_PAWNS[pawns] - ONE_WING,
        None => BY_PAWNS[pawns],
    };
    scale.min(FULL_SCALE)
}

/// Without pawns it takes more than a minor piece to win (<https://www.chessprogramming.org/Draw_Evaluation>).
#[cold]
fn scale_without_pawns(board: &Board, strong: Color) -> Option<i32> {
    let (ours, theirs) = (pieces(board, strong), pieces(board, !strong));
    if ours > theirs + MINOR {
        None
    } else if ours < ROOK {
        Some(NO_MATING_MATERIAL)
    } else if theirs <= MINOR {
        Some(ONE_PIECE_AHEAD)
    } else {
        Some(ONE_PIECE_OF_SEVERAL)
    }
}

fn pieces(board: &Board, color: Color) -> usize {
    let count = |pieces: Bitboard| (pieces & board.by_color(color)).count();
    MINOR * count(board.knights() | board.bishops())
        + ROOK * count(board.rooks())
        + QUEEN * count(board.queens())
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
