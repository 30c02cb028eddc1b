//! From fractions to the whole centipawns of [`Weights`].

use super::dataset::Dataset;
use super::model::Pair;
use crate::chess::eval::{Group, Weights};
use crate::score::Tapered;

const SQUARES: usize = 64;
/// Roles with a worth of their own.
const ROLES: usize = 5;
const KNIGHT: usize = 1;
const BISHOP: usize = 2;
const ROOK: usize = 3;
const QUEEN: usize = 4;

/// Tables of which each piece of a role uses exactly one entry.
const ONE_ENTRY_EACH: [(&str, usize); 9] = [
    ("knight_pawns", KNIGHT),
    ("bishop_pawns", BISHOP),
    ("rook_pawns", ROOK),
    ("queen_pawns", QUEEN),
    ("knight_mobility", KNIGHT),
    ("bishop_mobility", BISHOP),
    ("rook_mobility", ROOK),
    ("queen_mobility", QUEEN),
    ("bishop_own_pawns", BISHOP),
];

/// Moves what belongs to a piece wherever it stands from the tables to its worth, so that the material says what a piece is
/// worth where pieces stand in `set`, and a table what is better and worse than that. No evaluation changes: each piece
/// uses one entry of such a table, and its worth changes by what is taken from all of them.
pub fn centre_tables(weights: &mut [Pair], set: &Dataset) {
    let uses = uses(set, weights.len());
    for (name, roles) in [
        ("square", ROLES + 1),
        ("own_king", ROLES),
        ("enemy_king", ROLES + 1),
    ] {
        let Some(tables) = group(name) else {
            continue;
        };
        // One table for each placement of a king; the same role in all of them together.
        let placements = tables.len() / roles / SQUARES;
        for role in 0..roles {
            let places = (0..placements).flat_map(|placement| {
                let first = tables.offset + (roles * placement + role) * SQUARES;
                first..first + SQUARES
            });
            move_mean(weights, &uses, &places.collect::<Vec<_>>(), role);
        }
    }
    for (name, role) in ONE_ENTRY_EACH {
        if let Some(group) = group(name) {
            let places: Vec<usize> = (group.offset..group.offset + group.len()).collect();
            move_mean(weights, &uses, &places, role);
        }
    }
    move_slope(weights, &uses);
}

/// Moves the mean of these entries to the worth of the role; that of the kings counts for nothing, since both sides have
/// one.
fn move_mean(weights: &mut [Pair], uses: &[f32], places: &[usize], role: usize) {
    let total: f32 = places.iter().map(|&place| uses[place]).sum();
    if total == 0.0 {
        return;
    }
    let mean = [0, 1].map(|half| {
        let sum: f32 = places
            .iter()
            .map(|&place| weights[place][half] * uses[place])
            .sum();
        (sum / total).round()
    });
    // What is never used stays zero.
    for &place in places.iter().filter(|&&place| uses[place] > 0.0) {
        weights[place] = [weights[place][0] - mean[0], weights[place][1] - mean[1]];
    }
    add_worth(weights, role, mean);
}

/// What a pawn more is worth on average in the table of pawns by their number goes to the worth of the pawn, and what a side
/// has without pawns, which both sides have, to nowhere.
fn move_slope(weights: &mut [Pair], uses: &[f32]) {
    let Some(group) = group("pawn_count") else {
        return;
    };
    let places = group.offset..group.offset + group.len();
    let table: Vec<(f32, Pair, f32)> = places
        .clone()
        .enumerate()
        .map(|(pawns, place)| (pawns as f32, weights[place], uses[place]))
        .collect();
    let total: f32 = table.iter().map(|entry| entry.2).sum();
    let mean = |value: &dyn Fn(&(f32, Pair, f32)) -> f32| -> f32 {
        let sum: f32 = table.iter().map(|entry| entry.2 * value(entry)).sum();
        sum / total.max(1.0)
    };
    let middle = mean(&|entry| entry.0);
    let spread = mean(&|entry| (entry.0 - middle).powi(2));
    if spread <= 0.0 {
        return;
    }
    let slope = [0, 1].map(|half| {
        let together = mean(&|entry| (entry.0 - middle) * entry.1[half]);
        (together / spread).round()
    });
    let centre = [0, 1].map(|half| (mean(&|entry| entry.1[half]) - slope[half] * middle).round());
    for (pawns, place) in places.enumerate() {
        for half in 0..2 {
            weights[place][half] -= slope[half] * pawns as f32 + centre[half];
        }
    }
    add_worth(weights, 0, slope);
}

fn add_worth(weights: &mut [Pair], role: usize, worth: Pair) {
    if let Some(material) = group("material").filter(|_| role < ROLES) {
        let place = &mut weights[material.offset + role];
        *place = [place[0] + worth[0], place[1] + worth[1]];
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
        centre_tables(&mut after, &set);
        assert!(after != before);
        for row in &set.rows {
            let (a, b) = (value(&set, row, &before), value(&set, row, &after));
            assert!((a.centipawns - b.centipawns).abs() < 0.1);
        }
        let mut again = after.clone();
        centre_tables(&mut again, &set);
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
