//! From sums to centipawns: the danger to the kings, the endgame scale, the taper.

use crate::score::{MAX_PHASE, Tapered};

/// Middlegame danger is squared and divided by this: danger 1024 costs 256 centipawns.
pub const DANGER_SQUARE_DIVISOR: i32 = 4096;
/// Endgame danger is divided by this.
pub const DANGER_DIVISOR: i32 = 16;
/// The scale that changes nothing.
pub const FULL_SCALE: i32 = 64;
/// Danger is no greater than this: 2500 centipawns.
pub const MAX_DANGER: i32 = 3200;

/// How much the two halves of a sum count, of [`FULL_SCALE`].
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Scale {
    /// The middlegame half.
    pub middlegame: i32,
    /// The endgame half.
    pub endgame: i32,
}

impl Scale {
    /// Nothing is taken off.
    pub const FULL: Scale = Scale::endgame(FULL_SCALE);

    /// For the endgame half alone: with other pieces on the board there is more to play for.
    pub const fn endgame(endgame: i32) -> Scale {
        Scale {
            middlegame: FULL_SCALE,
            endgame,
        }
    }

    /// For the whole value: an ending that is drawn whatever pieces are left.
    pub const fn whole(scale: i32) -> Scale {
        Scale {
            middlegame: scale,
            endgame: scale,
        }
    }
}

/// What the terms add up to, from White's view.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Sums {
    /// Everything but danger.
    pub linear: Tapered,
    /// Danger to White's and to Black's king.
    pub danger: [Tapered; 2],
}

/// What danger to a king costs its side. It grows with the square, since attackers help each other
/// (<https://www.chessprogramming.org/King_Safety>).
#[inline]
pub fn penalty(danger: Tapered) -> Tapered {
    let middlegame = danger.middlegame().clamp(0, MAX_DANGER);
    let endgame = danger.endgame().max(0);
    Tapered::new(
        middlegame * middlegame / DANGER_SQUARE_DIVISOR,
        endgame / DANGER_DIVISOR,
    )
}

impl Sums {
    /// The sum with the danger in it.
    #[inline]
    pub fn total(&self) -> Tapered {
        self.linear - penalty(self.danger[0]) + penalty(self.danger[1])
    }
}

/// Centipawns from the sum, for `phase` of [`MAX_PHASE`].
#[inline]
pub fn taper(total: Tapered, phase: i32, scale: Scale) -> i32 {
    let middlegame = total.middlegame() * phase * scale.middlegame / FULL_SCALE;
    let endgame = total.endgame() * (MAX_PHASE - phase) * scale.endgame / FULL_SCALE;
    (middlegame + endgame) / MAX_PHASE
}
