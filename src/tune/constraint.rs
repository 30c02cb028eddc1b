//! What is known of a weight before any game is played: its sign, and that more of a good thing is not worse. Single games are
//! noise, and without this the tuner finds penalties for rooks on the seventh rank.

use super::model::Pair;
use crate::chess::eval::{Group, Weights};

/// What is known of the weights of a group.
#[derive(Copy, Clone, Debug, PartialEq)]
enum Known {
    /// They are between these, in centipawns.
    Within(f32, f32),
    /// They are good for their side and do not get less from one to the next.
    GoodAndRising,
    /// They do not get less from one to the next.
    Rising,
}

const GOOD: Known = Known::Within(0.0, f32::INFINITY);
const BAD: Known = Known::Within(f32::NEG_INFINITY, 0.0);
/// The side to move is ahead by less than a third of a pawn: more makes the start of the game look half won.
const TEMPO: Known = Known::Within(0.0, 28.0);

/// The groups of which something is known. Danger is good for the attacker.
const KNOWN: &[(&str, Known)] = &[
    ("tempo", TEMPO),
    ("bishop_pair", GOOD),
    ("knight_mobility", Known::Rising),
    ("bishop_mobility", Known::Rising),
    ("rook_mobility", Known::Rising),
    ("queen_mobility", Known::Rising),
    ("rook_open_file", GOOD),
    ("rook_half_open_file", GOOD),
    ("rook_seventh", GOOD),
    ("bishop_outpost", GOOD),
    ("knight_outpost", GOOD),
    ("knight_near_outpost", GOOD),
    ("minor_behind_pawn", GOOD),
    ("bishop_long_diagonal", GOOD),
    ("threat_by_pawn", GOOD),
    ("threat_by_minor", GOOD),
    ("threat_by_rook", GOOD),
    ("threat_by_king", GOOD),
    ("hanging", GOOD),
    ("push_threat", GOOD),
    ("knight_on_queen", GOOD),
    ("slider_on_queen", GOOD),
    ("restricted", GOOD),
    ("space", GOOD),
    ("pawn_isolated", BAD),
    ("pawn_doubled", BAD),
    ("pawn_backward", BAD),
    ("pawn_weak_open", BAD),
    ("pawn_phalanx", GOOD),
    ("pawn_defended", GOOD),
    ("pawn_candidate", GOOD),
    ("passed", Known::GoodAndRising),
    ("passed_connected", GOOD),
    ("passed_blocked", BAD),
    ("passed_free", GOOD),
    ("passed_safe", GOOD),
    ("passed_supported", GOOD),
    ("passed_own_rook", GOOD),
    ("passed_enemy_rook", BAD),
    ("passed_unstoppable", GOOD),
    ("pawnless_flank", BAD),
    ("danger_open_file", GOOD),
    ("danger_attacker", GOOD),
    ("danger_ring_attack", GOOD),
    ("danger_safe_check", GOOD),
    ("danger_unsafe_check", GOOD),
    ("danger_weak_ring", GOOD),
    ("danger_flank_attack", GOOD),
    ("danger_flank_double", GOOD),
    ("danger_flank_defence", BAD),
    ("danger_blocker", GOOD),
    ("danger_no_queen", BAD),
    ("danger_knight_defender", BAD),
];

/// The nearest weights that agree with what is known, in the groups that are `learned`.
pub fn enforce(weights: &mut [Pair], learned: impl Fn(&Group) -> bool) {
    for group in Weights::GROUPS.iter().filter(|group| learned(group)) {
        let known = KNOWN.iter().find(|(name, _)| *name == group.name);
        if let Some((_, known)) = known {
            enforce_group(weights, group, *known);
        }
    }
}

fn enforce_group(weights: &mut [Pair], group: &Group, known: Known) {
    let place = group.offset..group.offset + group.len();
    for half in 0..2 {
        let mut values: Vec<f32> = weights[place.clone()]
            .iter()
            .map(|pair| pair[half])
            .collect();
        let (least, most) = match known {
            Known::Within(least, most) => (least, most),
            Known::GoodAndRising => (0.0, f32::INFINITY),
            Known::Rising => (f32::NEG_INFINITY, f32::INFINITY),
        };
        if matches!(known, Known::Rising | Known::GoodAndRising) {
            make_rising(&mut values);
        }
        for (pair, value) in weights[place.clone()].iter_mut().zip(values) {
            pair[half] = value.clamp(least, most);
        }
    }
}

/// The nearest list in which no value is less than the one before: isotonic regression by pooling neighbours that violate
/// the order (<https://en.wikipedia.org/wiki/Isotonic_regression>).
fn make_rising(values: &mut [f32]) {
    let mut pools: Vec<(f32, usize)> = Vec::with_capacity(values.len());
    for &value in values.iter() {
        let mut pool = (value, 1);
        while let Some(&(mean, count)) = pools.last()
            && mean > pool.0
        {
            let total = count + pool.1;
            pool = (
                (mean * count as f32 + pool.0 * pool.1 as f32) / total as f32,
                total,
            );
            pools.pop();
        }
        pools.push(pool);
    }
    let levelled = pools
        .into_iter()
        .flat_map(|(mean, count)| std::iter::repeat_n(mean, count));
    for (value, level) in values.iter_mut().zip(levelled) {
        *value = level;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rising(mut values: Vec<f32>) -> Vec<f32> {
        make_rising(&mut values);
        values
    }

    #[test]
    fn neighbours_in_the_wrong_order_become_their_mean() {
        assert_eq!(rising(vec![1.0, 2.0, 3.0]), [1.0, 2.0, 3.0]);
        assert_eq!(rising(vec![1.0, 4.0, 2.0, 5.0]), [1.0, 3.0, 3.0, 5.0]);
        assert_eq!(rising(vec![6.0, 3.0, 0.0]), [3.0, 3.0, 3.0]);
        assert_eq!(rising(vec![0.0, 5.0, 4.0, 0.0]), [0.0, 3.0, 3.0, 3.0]);
    }

    #[test]
    fn every_name_is_that_of_a_group() {
        for (name, _) in KNOWN {
            assert!(
                Weights::GROUPS.iter().any(|group| group.name == *name),
                "{name}"
            );
        }
    }

    #[test]
    fn signs_and_order_are_kept() {
        let mut weights = vec![[-7.0, 90.0]; Weights::LEN];
        let place = |name: &str| {
            let group = Weights::GROUPS.iter().find(|group| group.name == name);
            group.map(|group| group.offset).expect(name)
        };
        weights[place("passed") + 3] = [40.0, 10.0];
        enforce(&mut weights, |group| group.name != "space");
        assert_eq!(weights[place("rook_seventh")], [0.0, 90.0]);
        assert_eq!(weights[place("passed_blocked")], [-7.0, 0.0]);
        assert_eq!(weights[place("tempo")], [0.0, 28.0]);
        assert_eq!(weights[place("material")], [-7.0, 90.0]);
        assert_eq!(weights[place("space")], [-7.0, 90.0]);
        let passed = &weights[place("passed")..place("passed") + 8];
        assert!(passed.is_sorted_by(|a, b| a[0] <= b[0] && a[1] <= b[1]));
    }
}
