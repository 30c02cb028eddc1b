//! Every number of the evaluation, in one place.

use crate::score::Tapered;

/// A board of bonuses in centipawns, a1 first, White's view.
pub type SquareTable = [i16; 64];

/// The numbers of the evaluation. Roles are in the order pawn, knight, bishop, rook, queen, king.
#[derive(Clone, Debug)]
pub struct Weights {
    /// The worth of each piece.
    pub material: [Tapered; 6],
    /// What a square adds in the middlegame.
    pub middlegame: [SquareTable; 6],
    /// What a square adds in the endgame.
    pub endgame: [SquareTable; 6],
}

/// What a piece counts in an exchange, in centipawns.
pub const EXCHANGE_VALUES: [i32; 6] = [100, 320, 330, 500, 900, 0];

/// The weights the engine plays with.
pub const DEFAULT: Weights = Weights {
    material: [
        Tapered::new(100, 120),
        Tapered::new(320, 300),
        Tapered::new(330, 320),
        Tapered::new(500, 540),
        Tapered::new(900, 980),
        Tapered::new(0, 0),
    ],
    middlegame: [
        PAWN_MIDDLEGAME,
        KNIGHT,
        BISHOP,
        ROOK_MIDDLEGAME,
        QUEEN_MIDDLEGAME,
        KING_MIDDLEGAME,
    ],
    endgame: [
        PAWN_ENDGAME,
        KNIGHT,
        BISHOP,
        ROOK_ENDGAME,
        QUEEN_ENDGAME,
        KING_ENDGAME,
    ],
};

#[rustfmt::skip]
const PAWN_MIDDLEGAME: SquareTable = [
      0,   0,   0,   0,   0,   0,   0,   0,
      5,  10,  10, -20, -20,  10,  10,   5,
      5,  -5, -10,   0,   0, -10,  -5,   5,
      0,   0,   0,  20,  20,   0,   0,   0,
      5,   5,  10,  25,  25,  10,   5,   5,
     10,  10,  20,  30,  30,  20,  10,  10,
     50,  50,  50,  50,  50,  50,  50,  50,
      0,   0,   0,   0,   0,   0,   0,   0,
];

#[rustfmt::skip]
const PAWN_ENDGAME: SquareTable = [
      0,   0,   0,   0,   0,   0,   0,   0,
      0,   0,   0,   0,   0,   0,   0,   0,
      2,   2,   0,   0,   0,   0,   2,   2,
      8,   8,   6,   4,   4,   6,   8,   8,
     22,  20,  16,  14,  14,  16,  20,  22,
     55,  52,  46,  42,  42,  46,  52,  55,
    110, 105, 100,  95,  95, 100, 105, 110,
      0,   0,   0,   0,   0,   0,   0,   0,
];

#[rustfmt::skip]
const KNIGHT: SquareTable = [
    -50, -40, -30, -30, -30, -30, -40, -50,
    -40, -20,   0,   5,   5,   0, -20, -40,
    -30,   5,  10,  15,  15,  10,   5, -30,
    -30,   0,  15,  20,  20,  15,   0, -30,
    -30,   5,  15,  20,  20,  15,   5, -30,
    -30,   0,  10,  15,  15,  10,   0, -30,
    -40, -20,   0,   0,   0,   0, -20, -40,
    -50, -40, -30, -30, -30, -30, -40, -50,
];

#[rustfmt::skip]
const BISHOP: SquareTable = [
    -20, -10, -10, -10, -10, -10, -10, -20,
    -10,   5,   0,   0,   0,   0,   5, -10,
    -10,  10,  10,  10,  10,  10,  10, -10,
    -10,   0,  10,  10,  10,  10,   0, -10,
    -10,   5,   5,  10,  10,   5,   5, -10,
    -10,   0,   5,  10,  10,   5,   0, -10,
    -10,   0,   0,   0,   0,   0,   0, -10,
    -20, -10, -10, -10, -10, -10, -10, -20,
];

#[rustfmt::skip]
const ROOK_MIDDLEGAME: SquareTable = [
      0,   0,   0,   5,   5,   0,   0,   0,
     -5,   0,   0,   0,   0,   0,   0,  -5,
     -5,   0,   0,   0,   0,   0,   0,  -5,
     -5,   0,   0,   0,   0,   0,   0,  -5,
     -5,   0,   0,   0,   0,   0,   0,  -5,
     -5,   0,   0,   0,   0,   0,   0,  -5,
      5,  10,  10,  10,  10,  10,  10,   5,
      0,   0,   0,   0,   0,   0,   0,   0,
];

#[rustfmt::skip]
const ROOK_ENDGAME: SquareTable = [
     -5,   0,   0,   0,   0,   0,   0,  -5,
     -5,   0,   0,   0,   0,   0,   0,  -5,
      0,   0,   0,   0,   0,   0,   0,   0,
      2,   2,   2,   2,   2,   2,   2,   2,
      5,   5,   5,   5,   5,   5,   5,   5,
      8,   8,   8,   8,   8,   8,   8,   8,
     10,  10,  10,  10,  10,  10,  10,  10,
      8,   8,   8,   8,   8,   8,   8,   8,
];

#[rustfmt::skip]
const QUEEN_MIDDLEGAME: SquareTable = [
    -20, -10, -10,  -5,  -5, -10, -10, -20,
    -10,   0,   5,   0,   0,   0,   0, -10,
    -10,   5,   5,   5,   5,   5,   0, -10,
      0,   0,   5,   5,   5,   5,   0,  -5,
     -5,   0,   5,   5,   5,   5,   0,  -5,
    -10,   0,   5,   5,   5,   5,   0, -10,
    -10,   0,   0,   0,   0,   0,   0, -10,
    -20, -10, -10,  -5,  -5, -10, -10, -20,
];

#[rustfmt::skip]
const QUEEN_ENDGAME: SquareTable = [
    -30, -25, -20, -15, -15, -20, -25, -30,
    -25, -15, -10,  -5,  -5, -10, -15, -25,
    -20, -10,   0,   5,   5,   0, -10, -20,
    -15,  -5,  10,  20,  20,  10,  -5, -15,
    -10,   5,  15,  30,  30,  15,   5, -10,
    -10,   5,  15,  25,  25,  15,   5, -10,
    -10,   5,  10,  20,  20,  10,   5, -10,
    -10,   0,   5,  10,  10,   5,   0, -10,
];

#[rustfmt::skip]
const KING_MIDDLEGAME: SquareTable = [
     20,  30,  10,   0,   0,  10,  30,  20,
     20,  20,   0,   0,   0,   0,  20,  20,
    -10, -20, -20, -20, -20, -20, -20, -10,
    -20, -30, -30, -40, -40, -30, -30, -20,
    -30, -40, -40, -50, -50, -40, -40, -30,
    -30, -40, -40, -50, -50, -40, -40, -30,
    -30, -40, -40, -50, -50, -40, -40, -30,
    -30, -40, -40, -50, -50, -40, -40, -30,
];

#[rustfmt::skip]
const KING_ENDGAME: SquareTable = [
    -55, -40, -30, -28, -28, -30, -40, -55,
    -35, -18,  -8,  -2,  -2,  -8, -18, -35,
    -25,  -8,   6,  14,  14,   6,  -8, -25,
    -20,   0,  16,  24,  24,  16,   0, -20,
    -14,   8,  22,  28,  28,  22,   8, -14,
    -10,  12,  22,  26,  26,  22,  12, -10,
    -22,   4,  10,  12,  12,  10,   4, -22,
    -50, -28, -20, -18, -18, -20, -28, -50,
];
