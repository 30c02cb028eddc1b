//! Sets of squares that pawns and files give, for either colour.

use shakmaty::{Bitboard, Color, File, Rank, Square, attacks};

use crate::chess::piece_square::turned;

/// The square seen from the back rank of `color`.
#[inline(always)]
pub(super) fn relative(square: Square, color: Color) -> Square {
    turned(square, color, false)
}

/// The rank seen from the back rank of `color`, from 0.
#[inline(always)]
pub(super) fn relative_rank(square: Square, color: Color) -> usize {
    relative(square, color).rank() as usize
}

/// A rank, counted from 1 from the back rank of `color`.
#[inline(always)]
pub(super) const fn rank(number: u32, color: Color) -> Bitboard {
    let from_white = match color {
        Color::White => number - 1,
        Color::Black => 8 - number,
    };
    Bitboard(0xff << (8 * from_white))
}

/// The squares one step ahead.
#[inline(always)]
pub(super) const fn ahead(Bitboard(set): Bitboard, color: Color) -> Bitboard {
    Bitboard(match color {
        Color::White => set << 8,
        Color::Black => set >> 8,
    })
}

/// The squares one step back.
#[inline(always)]
pub(super) const fn behind(set: Bitboard, color: Color) -> Bitboard {
    match color {
        Color::White => ahead(set, Color::Black),
        Color::Black => ahead(set, Color::White),
    }
}

/// The set and everything ahead of it on its files.
#[inline(always)]
pub(super) const fn fill_ahead(Bitboard(mut set): Bitboard, color: Color) -> Bitboard {
    match color {
        Color::White => {
            set |= set << 8;
            set |= set << 16;
            set |= set << 32;
        }
        Color::Black => {
            set |= set >> 8;
            set |= set >> 16;
            set |= set >> 32;
        }
    }
    Bitboard(set)
}

/// The files that have a square of the set.
#[inline(always)]
pub(super) const fn fill_files(set: Bitboard) -> Bitboard {
    fill_ahead(fill_ahead(set, Color::White), Color::Black)
}

/// The neighbours to the left and right.
#[inline(always)]
pub(super) const fn beside(Bitboard(set): Bitboard) -> Bitboard {
    const NOT_A_FILE: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H_FILE: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    Bitboard((set & NOT_A_FILE) >> 1 | (set & NOT_H_FILE) << 1)
}

/// The squares ahead of `square` on its file.
#[inline(always)]
pub(super) const fn path(square: Square, color: Color) -> Bitboard {
    fill_ahead(ahead(Bitboard::from_square(square), color), color)
}

/// The squares of the colour of `square`.
#[inline(always)]
pub(super) fn same_colour(square: Square) -> Bitboard {
    if Bitboard::LIGHT_SQUARES.contains(square) {
        Bitboard::LIGHT_SQUARES
    } else {
        Bitboard::DARK_SQUARES
    }
}

/// Whether the set has squares of both colours.
#[inline(always)]
pub(super) fn on_both_colours(set: Bitboard) -> bool {
    (set & Bitboard::LIGHT_SQUARES).any() && (set & Bitboard::DARK_SQUARES).any()
}

/// The set and the squares that knights on it can go to.
pub(super) fn with_knight_moves(set: Bitboard) -> Bitboard {
    set.into_iter().fold(set, |reached, square| {
        reached | attacks::knight_attacks(square)
    })
}

/// The distance of a file from the edge of the board, from 0 to 3.
#[inline(always)]
pub(super) fn edge_distance(file: File) -> usize {
    let file = file as usize;
    file.min(7 - file)
}

/// King moves from one square to the other (<https://www.chessprogramming.org/Distance>).
#[inline(always)]
pub(super) fn distance(a: Square, b: Square) -> usize {
    a.distance(b) as usize
}

/// The square on `file` and the last rank of `color`.
#[inline(always)]
pub(super) fn promotion_square(file: File, color: Color) -> Square {
    Square::from_coords(file, color.fold_wb(Rank::Eighth, Rank::First))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_colours_look_ahead() {
        let path_of = |square, color| path(square, color).into_iter().collect::<Vec<_>>();
        assert_eq!(path_of(Square::E6, Color::White), [Square::E7, Square::E8]);
        assert_eq!(path_of(Square::E3, Color::Black), [Square::E1, Square::E2]);
        assert_eq!(rank(2, Color::Black), Bitboard::from_rank(Rank::Seventh));
        assert_eq!(relative_rank(Square::C7, Color::Black), 1);
    }

    #[test]
    fn neighbours_do_not_wrap_round_the_board() {
        let beside_of = |square| {
            beside(Bitboard::from_square(square))
                .into_iter()
                .collect::<Vec<_>>()
        };
        assert_eq!(beside_of(Square::A3), [Square::B3]);
        assert_eq!(beside_of(Square::H3), [Square::G3]);
        assert_eq!(beside_of(Square::D3), [Square::C3, Square::E3]);
    }
}
