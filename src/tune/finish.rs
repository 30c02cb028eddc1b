//! From fractions to the whole centipawns of [`Weights`].

use super::dataset::Dataset;
use super::model::Pair;
use crate::chess::eval::{Group, Weights};
use crate::score::Tapered;

const SQUARES: usize = 64;

/// Moves what all squares of a piece have in common from the tables to the worth of the piece, so that a table tells
/// where a piece stands well and the material what it is worth where pieces stand in `set`. No evaluation changes.
pub fn centre_squares(weights: &mut [Pair], set: &Dataset) {
    let (Some(material), Some(square)) = (group("material"), group("square")) else {
        return;
    };
    let uses = uses(set, weights.len());
    for role in 0..square.len() / SQUARES {
        let first = square.offset + role * SQUARES;
        let places = first..first + SQUARES;
        let total: f32 = uses[places.clone()].iter().sum();
        if total == 0.0 {
            continue;
        }
        let share = places
            .clone()
            .map(|place| (weights[place], uses[place] / total));
        let mean = share.fold([0.0; 2], |sum, (weight, share)| {
            [sum[0] + share * weight[0], sum[1] + share * weight[1]]
        });
        for place in places.filter(|&place| uses[place] > 0.0) {
            weights[place] = [weights[place][0] - mean[0], weights[place][1] - mean[1]];
        }
        // Both sides have a king: what all its squares have in common counts for nothing.
        if role < material.len() {
            let worth = &mut weights[material.offset + role];
            *worth = [worth[0] + mean[0], worth[1] + mean[1]];
        }
    }
}

/// The weights as whole numbers; `None` when the list has another length.
pub fn to_weights(weights: &[Pair]) -> Option<Weights> {
    let whole = |value: f32| i32::from(value.round() as i16);
    let flat: Vec<Tapered> = weights
        .iter()
        .map(|pair| Tapered::new(whole(pair[0]), whole(pair[1])))
        .collect();
    Weights::from_flat(&flat)
}

fn group(name: &str) -> Option<&'static Group> {
    Weights::GROUPS.iter().find(|group| group.name == name)
}

/// How often each weight is used in the set, for one side or the other.
fn uses(set: &Dataset, len: usize) -> Vec<f32> {
    let mut uses = vec![0.0; len];
    for row in &set.rows {
        for &(index, count) in set.entries(row).linear {
            uses[usize::from(index)] += f32::from(count.unsigned_abs());
        }
    }
    uses
}

#[cfg(test)]
mod tests {
    use super::super::dataset::tests::random_samples;
    use super::super::model::{to_pairs, value};
    use super::*;
    use crate::chess::eval::DEFAULT;

    #[test]
    fn centring_changes_no_value_and_leaves_no_mean() {
        let mut set = Dataset::default();
        set.add(&random_samples(5, 90), 1).expect("not too many");
        let before = to_pairs(&DEFAULT);
        let mut after = before.clone();
        centre_squares(&mut after, &set);
        assert!(after != before);
        for row in &set.rows {
            let (a, b) = (value(&set, row, &before), value(&set, row, &after));
            assert!((a.centipawns - b.centipawns).abs() < 0.1);
        }
        let mut again = after.clone();
        centre_squares(&mut again, &set);
        assert!(
            again
                .iter()
                .zip(&after)
                .all(|(a, b)| (a[0] - b[0]).abs() < 0.01)
        );
    }

    #[test]
    fn whole_numbers_come_back() {
        assert!(to_weights(&to_pairs(&DEFAULT)) == Some(DEFAULT));
        assert!(to_weights(&[]).is_none());
    }
}
