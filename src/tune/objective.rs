//! What is made small: the squared difference between the expected points of an evaluation and what came of the game
//! (<https://www.chessprogramming.org/Texel%27s_Tuning_Method>).

use super::dataset::Row;

/// The least and the greatest scale that is looked for, in centipawns.
const SCALES: (f64, f64) = (20.0, 2000.0);
/// Steps of the search for a scale: each makes the range smaller by the golden section.
const STEPS: u32 = 40;

/// The points White can expect, from 0 to 1, with `centipawns` on a curve of this scale.
#[inline]
pub fn expectation(centipawns: f32, scale: f32) -> f32 {
    1.0 / (1.0 + (-centipawns / scale).exp())
}

/// What an evaluation should say.
#[derive(Copy, Clone, Debug)]
pub struct Target {
    /// How much the score of the search counts against the result, from 0 to 1.
    pub lambda: f32,
    /// The scale of the curve from scores to points, in centipawns.
    pub score_scale: f32,
}

impl Target {
    /// The points a position is worth for White: result and score mixed, the result alone without a score.
    #[inline]
    pub fn points(&self, row: &Row) -> f32 {
        let result = row.result.points();
        match row.score {
            Some(score) => {
                let expected = expectation(score.into(), self.score_scale);
                self.lambda * expected + (1.0 - self.lambda) * result
            }
            None => result,
        }
    }
}

/// The scale with the least squared error between expectation and points, by the golden section. `pairs` are
/// centipawns and points.
pub fn fit_scale(pairs: &[(f32, f32)]) -> f32 {
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    let error = |logarithm: f64| mean_error(pairs, logarithm.exp() as f32);
    let (mut low, mut high) = (SCALES.0.ln(), SCALES.1.ln());
    let mut inner = [high - golden * (high - low), low + golden * (high - low)];
    let mut errors = inner.map(error);
    for _ in 0..STEPS {
        if errors[0] < errors[1] {
            high = inner[1];
            inner = [high - golden * (high - low), inner[0]];
            errors = [error(inner[0]), errors[0]];
        } else {
            low = inner[0];
            inner = [inner[1], low + golden * (high - low)];
            errors = [errors[1], error(inner[1])];
        }
    }
    ((low + high) / 2.0).exp() as f32
}

fn mean_error(pairs: &[(f32, f32)], scale: f32) -> f64 {
    let square = |&(centipawns, points): &(f32, f32)| {
        let difference = expectation(centipawns, scale) - points;
        f64::from(difference * difference)
    };
    pairs.iter().map(square).sum::<f64>() / pairs.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expectation_is_even_at_zero_and_symmetric() {
        assert_eq!(expectation(0.0, 100.0), 0.5);
        let sum = expectation(120.0, 150.0) + expectation(-120.0, 150.0);
        assert!((sum - 1.0).abs() < 1e-6);
        assert!(expectation(100.0, 100.0) > expectation(100.0, 200.0));
    }

    #[test]
    fn the_scale_behind_the_points_is_found() {
        for scale in [60.0, 175.0, 900.0] {
            let pair = |centipawns: i16| {
                let centipawns = f32::from(centipawns);
                (centipawns, expectation(centipawns, scale))
            };
            let pairs: Vec<_> = (-800..800).step_by(7).map(pair).collect();
            let found = fit_scale(&pairs);
            assert!((found / scale - 1.0).abs() < 0.01, "{found} {scale}");
        }
    }
}
