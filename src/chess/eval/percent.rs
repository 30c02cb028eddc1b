//! The user's weights: how much each part of the evaluation counts, in percent. Names as in Fruit and Toga.

use super::layout::{Group, Part, Weights};
use crate::score::Tapered;

/// What changes nothing.
pub const FULL: i32 = 100;
/// The largest weight.
pub const MOST: i32 = 200;

/// A weight for each part, from 0 to [`MOST`]; [`FULL`] is the engine as it was tuned.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Percent {
    /// What pieces are worth.
    pub material: i32,
    /// Where they stand.
    pub position: i32,
    /// What they can do.
    pub mobility: i32,
    /// Safety of the kings.
    pub king_safety: i32,
    /// Weak, strong and passed pawns.
    pub pawn_structure: i32,
    /// Knowledge of endgames.
    pub endgame: i32,
}

impl Default for Percent {
    fn default() -> Percent {
        Percent {
            material: FULL,
            position: FULL,
            mobility: FULL,
            king_safety: FULL,
            pawn_structure: FULL,
            endgame: FULL,
        }
    }
}

impl Percent {
    /// The weight of a part.
    pub fn of(&self, part: Part) -> i32 {
        let mut copy = *self;
        *copy.part_mut(part)
    }

    /// The same weights, none outside its range.
    pub fn clamped(mut self) -> Percent {
        for part in Part::ALL {
            let percent = self.part_mut(part);
            *percent = (*percent).clamp(0, MOST);
        }
        self
    }

    /// Gives a part another weight.
    pub fn set(&mut self, part: Part, percent: i32) {
        *self.part_mut(part) = percent;
    }

    fn part_mut(&mut self, part: Part) -> &mut i32 {
        match part {
            Part::Material => &mut self.material,
            Part::Position => &mut self.position,
            Part::Mobility => &mut self.mobility,
            Part::KingSafety => &mut self.king_safety,
            Part::PawnStructure => &mut self.pawn_structure,
            Part::Endgame => &mut self.endgame,
        }
    }

    /// The weights as the user wants them. It is done once, so that play does not pay for it.
    pub(super) fn apply(&self, weights: &Weights) -> Weights {
        let percents = self.clamped();
        let mut flat = weights.to_flat();
        for group in Weights::GROUPS {
            let percent = percents.of(group.part);
            for value in &mut flat[group.offset..group.offset + group.len()] {
                *value = scaled(*value, percent, group);
            }
        }
        Weights::from_flat(&flat).unwrap_or_else(|| weights.clone())
    }
}

/// Danger is squared in the middlegame, so that its weights take the root.
fn scaled(value: Tapered, percent: i32, group: &Group) -> Tapered {
    let share = f64::from(percent) / f64::from(FULL);
    let middlegame = if group.is_danger() {
        share.sqrt()
    } else {
        share
    };
    let part = |value: i32, share: f64| (f64::from(value) * share).round() as i32;
    Tapered::new(
        part(value.middlegame(), middlegame),
        part(value.endgame(), share),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::eval::DEFAULT;

    #[test]
    fn full_weights_change_nothing_and_none_leaves_nothing() {
        assert_eq!(Percent::default().apply(&DEFAULT), DEFAULT);
        let nothing = Percent {
            material: 0,
            position: 0,
            mobility: -5,
            king_safety: 0,
            pawn_structure: 0,
            endgame: 0,
        };
        assert_eq!(nothing.apply(&DEFAULT), Weights::ZERO);
    }

    #[test]
    fn each_part_is_scaled_alone() {
        let half = Percent {
            mobility: 50,
            king_safety: 400,
            ..Percent::default()
        };
        let weights = half.apply(&DEFAULT);
        assert_eq!(weights.material, DEFAULT.material);
        let halved = (f64::from(DEFAULT.hanging.endgame()) / 2.0).round() as i32;
        assert_eq!(weights.hanging.endgame(), halved);
        assert_eq!(
            weights.pawnless_flank.endgame(),
            2 * DEFAULT.pawnless_flank.endgame()
        );
        let root_of_two = f64::from(DEFAULT.danger_no_queen.middlegame()) * 2.0_f64.sqrt();
        assert_eq!(
            weights.danger_no_queen.middlegame(),
            root_of_two.round() as i32
        );
    }
}
