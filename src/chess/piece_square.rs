//! Piece-square values relative to both kings, and the sum of them that a position keeps.
//!
//! A side looks at the board from its own back rank. It mirrors the board when its king stands on the files e to h, so
//! that the king is always on the left; where the king stands then falls into one of a few buckets. The same is done
//! for the enemy king as the enemy sees it. The value of a piece depends on both. Idea: the king-relative tables of
//! akimbo and of NNUE's half-KP inputs (<https://www.chessprogramming.org/NNUE>).

use shakmaty::{Board, Color, Piece, Role, Square};

use crate::score::Tapered;

/// Number of groups of squares that a king may stand on.
pub const KING_BUCKETS: usize = 8;

/// Views of one king: the bucket, mirrored or not.
const VIEWS: usize = 2 * KING_BUCKETS;

/// The bucket of a king, from its own back rank and mirrored to the files a to d. Rank 8 is on top. Castled kings, the
/// home square and the way there are told apart; far from home the rank hardly matters.
#[rustfmt::skip]
const BUCKET_MAP: [[u8; 4]; 8] = [
    [7, 7, 7, 7],
    [7, 7, 7, 7],
    [7, 7, 7, 7],
    [7, 7, 7, 7],
    [5, 6, 6, 6],
    [5, 5, 6, 6],
    [3, 3, 4, 4],
    [0, 0, 1, 2],
];

/// Where a king stands as its own side sees it.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct KingView {
    /// The group of squares, below [`KING_BUCKETS`].
    pub bucket: usize,
    /// Whether the board is mirrored, because the king is on the files e to h.
    pub mirrored: bool,
}

impl KingView {
    /// The view of `color` with its king on `king`.
    pub fn new(color: Color, king: Square) -> KingView {
        let mirrored = king.file() as usize >= 4;
        let seen = turned(king, color, mirrored);
        let bucket = BUCKET_MAP[7 - seen.rank() as usize][seen.file() as usize];
        KingView {
            bucket: bucket.into(),
            mirrored,
        }
    }

    fn index(self) -> usize {
        2 * self.bucket + usize::from(self.mirrored)
    }

    fn from_index(index: usize) -> KingView {
        KingView {
            bucket: index / 2,
            mirrored: index % 2 == 1,
        }
    }
}

/// The squares of a bucket on the left half of the board, as a person writes them.
#[cfg(any(test, feature = "tune"))]
pub fn bucket_squares(bucket: usize) -> String {
    let is_here = |square: &Square| {
        let view = KingView::new(Color::White, *square);
        view.bucket == bucket && !view.mirrored
    };
    let names: Vec<String> = Square::ALL
        .into_iter()
        .filter(is_here)
        .map(|square| square.to_string())
        .collect();
    names.join(" ")
}

/// `square` as `color` sees it, mirrored if asked for.
#[inline(always)]
pub fn turned(square: Square, color: Color, mirrored: bool) -> Square {
    let vertical = color.fold_wb(0, 0b111_000);
    let horizontal = if mirrored { 0b111 } else { 0 };
    Square::new(square.to_u32() ^ vertical ^ horizontal)
}

type PieceSquares = [[Tapered; 64]; 6];

/// The own and the enemy king's view in one number, by colour.
type ViewPairs = [u8; 2];

/// What each piece is worth on each square for each placement of the kings; the values come from the evaluation.
#[derive(Clone, Debug)]
pub struct PieceSquareTable {
    /// By own and enemy view, then role and square. The square is seen from the own back rank, not mirrored.
    values: Box<[PieceSquares; VIEWS * VIEWS]>,
}

impl PieceSquareTable {
    /// Builds the table from a function of (role, square from the own back rank, own king, enemy king).
    pub fn new(value: impl Fn(Role, Square, KingView, KingView) -> Tapered) -> PieceSquareTable {
        let views = |pair| {
            let enemy = KingView::from_index(pair % VIEWS);
            (KingView::from_index(pair / VIEWS), enemy)
        };
        let mut values = Box::new([[[Tapered::default(); 64]; 6]; VIEWS * VIEWS]);
        for (pair, table) in values.iter_mut().enumerate() {
            let (own, enemy) = views(pair);
            for role in Role::ALL {
                for square in Square::ALL {
                    table[role as usize - 1][square.to_usize()] = value(role, square, own, enemy);
                }
            }
        }
        PieceSquareTable { values }
    }

    /// The worth of `piece` on `square`, positive for White, negative for Black.
    #[inline]
    fn value(&self, piece: Piece, square: Square, pairs: ViewPairs) -> Tapered {
        let worth = self.squares(piece, pairs)[turned(square, piece.color, false).to_usize()];
        piece.color.fold_wb(worth, -worth)
    }

    /// The worth of `piece` on each square, both seen from the own back rank.
    #[inline(always)]
    fn squares(&self, piece: Piece, pairs: ViewPairs) -> &[Tapered; 64] {
        &self.values[usize::from(pairs[piece.color as usize])][piece.role as usize - 1]
    }
}

/// The sum of all pieces' worth, kept up to date move by move.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct PieceSquareSum {
    sum: Tapered,
    /// For each colour: the own and the enemy king's view in one number.
    pairs: ViewPairs,
}

impl PieceSquareSum {
    /// The sum over `board`, from nothing.
    pub fn fresh(board: &Board, table: &PieceSquareTable) -> PieceSquareSum {
        let pairs = king_pairs(board);
        let mut sum = Tapered::default();
        for color in Color::ALL {
            let ours = board.by_color(color);
            let mut own = Tapered::default();
            for role in Role::ALL {
                let squares = table.squares(role.of(color), pairs);
                for square in board.by_role(role) & ours {
                    own += squares[turned(square, color, false).to_usize()];
                }
            }
            sum += color.fold_wb(own, -own);
        }
        PieceSquareSum { sum, pairs }
    }

    /// The sum from White's view.
    #[inline]
    pub fn value(self) -> Tapered {
        self.sum
    }

    /// What `piece` on `square` is worth with the kings where they are, positive for White.
    pub fn worth(self, piece: Piece, square: Square, table: &PieceSquareTable) -> Tapered {
        table.value(piece, square, self.pairs)
    }

    /// A piece appears.
    #[inline]
    pub fn add(&mut self, piece: Piece, square: Square, table: &PieceSquareTable) {
        self.sum += table.value(piece, square, self.pairs);
    }

    /// A piece disappears.
    #[inline]
    pub fn remove(&mut self, piece: Piece, square: Square, table: &PieceSquareTable) {
        self.sum -= table.value(piece, square, self.pairs);
    }

    /// A piece goes from one square to another.
    #[inline(always)]
    pub fn step(&mut self, piece: Piece, from: Square, to: Square, table: &PieceSquareTable) {
        let squares = table.squares(piece, self.pairs);
        let worth = |square| squares[turned(square, piece.color, false).to_usize()];
        let gain = worth(to) - worth(from);
        self.sum += piece.color.fold_wb(gain, -gain);
    }

    /// After a king's move: when the king is in another bucket now, or on the other side, every piece is seen anew.
    #[inline]
    pub fn follow_kings(&mut self, board: &Board, table: &PieceSquareTable) {
        if king_pairs(board) != self.pairs {
            *self = PieceSquareSum::fresh(board, table);
        }
    }
}

fn king_pairs(board: &Board) -> ViewPairs {
    let views = [Color::White, Color::Black].map(|color| {
        let king = (board.kings() & board.by_color(color)).first();
        debug_assert!(king.is_some(), "a legal position has both kings");
        KingView::new(color, king.unwrap_or(Square::A1)).index()
    });
    let mut pairs = [0; 2];
    // Views are below 16, so that a pair fits.
    pairs[Color::White as usize] = (views[0] * VIEWS + views[1]) as u8;
    pairs[Color::Black as usize] = (views[1] * VIEWS + views[0]) as u8;
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_is_the_same_for_both_colours_and_both_wings() {
        for king in Square::ALL {
            let view = KingView::new(Color::White, king);
            assert!(view.bucket < KING_BUCKETS);
            assert_eq!(KingView::from_index(view.index()), view);
            assert_eq!(KingView::new(Color::Black, king.flip_vertical()), view);
            let mirror = KingView::new(Color::White, king.flip_horizontal());
            assert_eq!(mirror.bucket, view.bucket);
            assert_ne!(mirror.mirrored, view.mirrored);
        }
    }

    #[test]
    fn home_and_castled_kings_are_told_apart() {
        let bucket = |king| KingView::new(Color::White, king).bucket;
        assert_eq!(bucket(Square::G1), bucket(Square::B1));
        assert_ne!(bucket(Square::E1), bucket(Square::G1));
        assert_ne!(bucket(Square::E4), bucket(Square::E1));
    }
}
