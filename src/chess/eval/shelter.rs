//! Shelter and storm: the pawns of both sides in front of a king
//! (<https://www.chessprogramming.org/King_Safety#Pawn_Shield>).

use shakmaty::{Bitboard, Color, File, Square};

use super::bits::{edge_distance, fill_ahead, relative_rank};
use super::king::wing;
use super::tracer::{Terms, Tracer, endanger, weigh};
use crate::chess::position::Position;
use crate::score::Tapered;

/// The value of the pawns round the king of `us`, and the danger of files without own pawns.
#[inline(always)]
pub(super) fn evaluate<T: Tracer>(
    position: &Position,
    us: Color,
    terms: &mut Terms<'_, T>,
) -> (Tapered, Tapered) {
    let board = position.board();
    let king = position.king(us);
    let (mut sum, mut danger) = (Tapered::default(), Tapered::default());
    if (board.pawns() & wing(king.file())).is_empty() {
        sum += weigh!(terms, us, 1, pawnless_flank);
    }
    let not_behind = not_behind(king, us);
    let own = board.pawns() & board.by_color(us) & not_behind;
    let enemy = board.pawns() & board.by_color(!us) & not_behind;
    let centre = (king.file() as u32).clamp(1, 6);
    for file in (centre - 1..=centre + 1).map(File::new) {
        let shield = nearest_rank(own, file, us);
        let storm = nearest_rank(enemy, file, us);
        let edge = edge_distance(file);
        sum += weigh!(terms, us, 1, shelter[edge][shield]);
        if shield == 0 {
            danger += endanger!(terms, us, 1, danger_open_file);
        }
        if shield > 0 && shield + 1 == storm {
            sum += weigh!(terms, us, 1, storm_blocked[storm]);
        } else {
            sum += weigh!(terms, us, 1, storm[edge][storm]);
        }
    }
    (sum, danger)
}

/// The king's rank and all ranks ahead.
#[inline(always)]
fn not_behind(king: Square, us: Color) -> Bitboard {
    fill_ahead(Bitboard::from_rank(king.rank()), us)
}

/// The rank, seen by `us`, of the pawn on `file` that is nearest to the own back rank; 0 when there is none.
#[inline(always)]
fn nearest_rank(pawns: Bitboard, file: File, us: Color) -> usize {
    let on_file = pawns & Bitboard::from_file(file);
    let nearest = us.fold_wb(on_file.first(), on_file.last());
    nearest.map_or(0, |square| relative_rank(square, us))
}
