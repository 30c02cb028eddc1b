//! The evaluation as a function of its weights: the value of a position, and how it changes with each weight.
//!
//! Linear terms are summed; danger to a king is summed, then squared in the middlegame and cut at zero, as
//! [`crate::chess::eval::blend`] does; then middlegame and endgame are blended.

use super::dataset::{Dataset, Entry, Row};
use crate::chess::eval::Weights;
use crate::chess::eval::blend::{DANGER_DIVISOR, DANGER_SQUARE_DIVISOR, FULL_SCALE, MAX_DANGER};
use crate::score::{MAX_PHASE, Tapered};

/// Middlegame and endgame.
pub type Pair = [f32; 2];

/// Weights as fractions of centipawns, in the order of the flat list.
pub fn to_pairs(weights: &Weights) -> Vec<Pair> {
    let pair = |weight: &Tapered| [weight.middlegame() as f32, weight.endgame() as f32];
    weights.to_flat().iter().map(pair).collect()
}

/// What a position is worth and how it came about.
#[derive(Copy, Clone, Debug)]
pub struct Value {
    /// Centipawns from White's view.
    pub centipawns: f32,
    /// How much a middlegame and an endgame centipawn of the sum count.
    share: Pair,
    /// How much a unit of danger to each king costs.
    danger_slope: [Pair; 2],
}

/// The value of a position under `weights`.
pub fn value(set: &Dataset, row: &Row, weights: &[Pair]) -> Value {
    let entries = set.entries(row);
    let mut sum = weigh(entries.linear, weights);
    let mut danger_slope = [[0.0; 2]; 2];
    for (king, sign) in [(0, -1.0), (1, 1.0)] {
        let danger = weigh(entries.danger[king], weights);
        let (penalty, slope) = penalty(danger);
        sum = [sum[0] + sign * penalty[0], sum[1] + sign * penalty[1]];
        danger_slope[king] = slope.map(|slope| sign * slope);
    }
    let phase = f32::from(row.phase) / MAX_PHASE as f32;
    let scale = row.scale[usize::from(sum[1] <= 0.0)];
    let [middlegame, endgame] = scale.map(|half| f32::from(half) / FULL_SCALE as f32);
    let share = [phase * middlegame, (1.0 - phase) * endgame];
    Value {
        centipawns: sum[0] * share[0] + sum[1] * share[1],
        share,
        danger_slope,
    }
}

/// Adds to `gradient` how the value changes with each weight, times `factor`.
pub fn add_gradient(set: &Dataset, row: &Row, value: &Value, factor: f32, gradient: &mut [Pair]) {
    let entries = set.entries(row);
    let share = value.share.map(|share| factor * share);
    spread(entries.linear, share, gradient);
    for (entries, slope) in entries.danger.into_iter().zip(value.danger_slope) {
        spread(
            entries,
            [share[0] * slope[0], share[1] * slope[1]],
            gradient,
        );
    }
}

/// What danger costs, and how fast that grows.
fn penalty(danger: Pair) -> (Pair, Pair) {
    let [middlegame, endgame] = danger;
    let square_divisor = DANGER_SQUARE_DIVISOR as f32;
    let limited = middlegame.clamp(0.0, MAX_DANGER as f32);
    let within = limited == middlegame;
    let cost = [
        limited * limited / square_divisor,
        endgame.max(0.0) / DANGER_DIVISOR as f32,
    ];
    let slope = [
        if within {
            2.0 * limited / square_divisor
        } else {
            0.0
        },
        if endgame > 0.0 {
            1.0 / DANGER_DIVISOR as f32
        } else {
            0.0
        },
    ];
    (cost, slope)
}

#[inline]
fn weigh(entries: &[Entry], weights: &[Pair]) -> Pair {
    let mut sum = [0.0; 2];
    for &(index, count) in entries {
        let weight = weights[usize::from(index)];
        let count = f32::from(count);
        sum = [sum[0] + weight[0] * count, sum[1] + weight[1] * count];
    }
    sum
}

#[inline]
fn spread(entries: &[Entry], slope: Pair, gradient: &mut [Pair]) {
    for &(index, count) in entries {
        let place = &mut gradient[usize::from(index)];
        let count = f32::from(count);
        place[0] += slope[0] * count;
        place[1] += slope[1] * count;
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Position as _;

    use super::super::dataset::tests::random_samples;
    use super::*;
    use crate::chess::eval::{DEFAULT, Evaluator};
    use crate::chess::position::Position;

    #[test]
    fn the_value_is_that_of_the_evaluation() {
        let samples = random_samples(10, 90);
        let mut set = Dataset::default();
        set.add(&samples, 1).expect("not too many");
        let weights = to_pairs(&DEFAULT);
        let evaluator = Evaluator::new();
        let quiet = samples.iter().filter(|sample| !sample.chess.is_check());
        for (row, sample) in set.rows.iter().zip(quiet) {
            let position = Position::new(sample.chess.clone(), evaluator.table());
            let score = evaluator.evaluate(&position).raw();
            let white = (score * position.turn().fold_wb(1, -1)) as f32;
            let centipawns = value(&set, row, &weights).centipawns;
            assert!((white - centipawns).abs() < 3.0, "{white} {centipawns}");
        }
    }

    /// The value is a polynomial of second degree in each weight, so that the central difference is exact but for
    /// rounding and where danger begins or ends to count.
    #[test]
    fn the_gradient_is_that_of_finite_differences() {
        const STEP: f32 = 0.05;
        let mut set = Dataset::default();
        set.add(&random_samples(3, 90), 1).expect("not too many");
        let weights = to_pairs(&DEFAULT);
        let (mut checked, mut dangers, mut kinks) = (0, 0, 0);
        for row in set.rows.iter().step_by(7) {
            let mut gradient = vec![[0.0; 2]; Weights::LEN];
            add_gradient(&set, row, &value(&set, row, &weights), 1.0, &mut gradient);
            let entries = set.entries(row);
            let all = [entries.linear, entries.danger[0], entries.danger[1]].concat();
            dangers += entries.danger[0].len();
            let here = value(&set, row, &weights).centipawns;
            for (index, half) in all.iter().flat_map(|&(index, _)| [(index, 0), (index, 1)]) {
                let slope_to = |step: f32| {
                    let mut weights = weights.clone();
                    weights[usize::from(index)][half] += step;
                    (value(&set, row, &weights).centipawns - here) / step
                };
                let (before, after) = (slope_to(-STEP), slope_to(STEP));
                let slope = gradient[usize::from(index)][half];
                let tolerance = 0.01 + 0.01 * slope.abs();
                if (before - after).abs() > tolerance {
                    kinks += 1;
                    continue;
                }
                let difference = (before + after) / 2.0;
                assert!(
                    (difference - slope).abs() < tolerance,
                    "{index} {half}: {difference} {slope}"
                );
                checked += 1;
            }
        }
        assert!(checked > 2000 && dangers > 100 && kinks < checked / 100);
    }
}
