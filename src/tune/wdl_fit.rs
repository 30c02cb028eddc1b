//! Fits the win/draw/loss model of [`crate::uci::wdl`] to positions with score and result, by maximum likelihood.

use std::collections::BTreeMap;

use shakmaty::{Color, Position as _};

use super::adam::Adam;
use super::model::Pair;
use super::sample::{GameResult, Sample};
use crate::uci::wdl::{LEAST, Model, TERMS, stage};

/// Scores are counted in steps of this many centipawns.
const STEP: i32 = 8;
/// Steps of the fit, and the length of the first one in centipawns.
const STEPS: i32 = 3000;
const RATE: f32 = 5.0;
/// The factor to that length after each step.
const DECAY: f32 = 0.998;
/// The model at the start: the same everywhere.
const START: [f32; 2] = [150.0, 100.0];
/// No chance is thought to be less than this.
const LEAST_CHANCE: f64 = 1e-9;

/// Positions counted by stage and score, each seen from the side to move.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    cells: BTreeMap<(i64, i32), [u32; 3]>,
    limit: i32,
    /// Positions counted.
    pub positions: u64,
}

/// The polynomials that were found.
#[derive(Clone, Debug)]
pub struct Fit {
    /// For the score that wins every second time.
    pub even_chance: [f64; TERMS],
    /// For the steepness.
    pub spread: [f64; TERMS],
    /// The mean logarithm of the chance given to what happened, with its sign changed.
    pub loss: f64,
}

impl Counts {
    /// Nothing is counted yet. Scores beyond `limit` centipawns will not be.
    pub fn new(limit: i32) -> Counts {
        Counts {
            limit,
            ..Counts::default()
        }
    }

    /// Counts a position, if it has a score.
    pub fn add(&mut self, sample: &Sample) {
        let Some(score) = sample
            .score
            .map(i32::from)
            .filter(|score| score.abs() <= self.limit)
        else {
            return;
        };
        let turn = sample.chess.turn();
        let own = score * turn.fold_wb(1, -1);
        let outcome = match sample.result {
            GameResult::Draw => 1,
            result if result == GameResult::win_of(Color::White) => turn.fold_wb(0, 2),
            _ => turn.fold_wb(2, 0),
        };
        let stage = (stage(sample.chess.board()) * STAGE_UNIT).round() as i64;
        let cell = self.cells.entry((stage, own.div_euclid(STEP))).or_default();
        cell[outcome] += 1;
        self.positions += 1;
    }

    /// The stages with their numbers of positions.
    pub fn stages(&self) -> BTreeMap<i64, u64> {
        let mut stages = BTreeMap::new();
        for (&(stage, _), cell) in &self.cells {
            *stages.entry(stage).or_default() +=
                cell.iter().map(|&count| u64::from(count)).sum::<u64>();
        }
        stages
    }

    /// Fits the polynomials.
    pub fn fit(&self) -> Fit {
        let mut numbers = vec![[0.0; 2]; TERMS];
        numbers[0] = START;
        let mut adam = Adam::new(TERMS);
        for step in 0..STEPS {
            let slopes = self.slopes(&numbers);
            for (index, slope) in slopes.into_iter().enumerate() {
                adam.step(index, &mut numbers[index], slope, RATE * DECAY.powi(step));
            }
        }
        let half = |half: usize| std::array::from_fn(|term| f64::from(numbers[term][half]));
        let (even_chance, spread) = (half(0), half(1));
        Fit {
            even_chance,
            spread,
            loss: self.loss(&even_chance, &spread),
        }
    }

    /// How the loss changes with the numbers of both polynomials.
    fn slopes(&self, numbers: &[Pair]) -> Vec<Pair> {
        let mut slopes = [[0.0; 2]; TERMS];
        for (&(stage, score), counts) in &self.cells {
            let x = stage as f64 / STAGE_UNIT;
            let [even, spread] = [0, 1].map(|half| value(numbers, half, x).max(LEAST));
            let slope = cell_slope(counts, centre(score), even, spread);
            let mut power = 1.0;
            for term in &mut slopes {
                *term = [term[0] + power * slope[0], term[1] + power * slope[1]];
                power *= x;
            }
        }
        let share = 1.0 / self.positions.max(1) as f64;
        slopes
            .map(|slope| slope.map(|half| (half * share) as f32))
            .to_vec()
    }

    /// The mean negative logarithm of the chances that a model gives to what happened.
    pub fn loss(&self, even_chance: &[f64; TERMS], spread: &[f64; TERMS]) -> f64 {
        let mut sum = 0.0;
        for (&(stage, score), counts) in &self.cells {
            let model = Model::with_numbers(even_chance, spread, stage as f64 / STAGE_UNIT);
            let centipawns = centre(score);
            let (win, loss) = (model.win(centipawns), model.win(-centipawns));
            let chances = [win, 1.0 - win - loss, loss];
            for (&count, chance) in counts.iter().zip(chances) {
                sum -= f64::from(count) * chance.max(LEAST_CHANCE).ln();
            }
        }
        sum / self.positions.max(1) as f64
    }
}

/// Stages are counted in this many steps for each 1.
pub const STAGE_UNIT: f64 = 1000.0;

/// The middle of a step of scores, in centipawns.
fn centre(score: i32) -> f64 {
    f64::from(score * STEP) + f64::from(STEP) / 2.0
}

fn value(numbers: &[Pair], half: usize, x: f64) -> f64 {
    numbers
        .iter()
        .rev()
        .fold(0.0, |sum, pair| sum * x + f64::from(pair[half]))
}

/// How the loss of a cell changes with the even chance and the spread.
///
/// With w and l the chances of a win and a loss at centipawns s, w' = -w(1-w)/spread for the even chance, and the same
/// times (even - s)/spread the other way for the spread; likewise l at -s; a draw has what is left.
fn cell_slope(counts: &[u32; 3], s: f64, even: f64, spread: f64) -> [f64; 2] {
    let chance = |s: f64| 1.0 / (1.0 + ((even - s) / spread).exp());
    let slope = |s: f64, chance: f64| {
        let by_even = -chance * (1.0 - chance) / spread;
        [by_even, -by_even * (even - s) / spread]
    };
    let (win, loss) = (chance(s), chance(-s));
    let (win_slope, loss_slope) = (slope(s, win), slope(-s, loss));
    let draw = (1.0 - win - loss).max(LEAST_CHANCE);
    let [wins, draws, losses] = counts.map(f64::from);
    [0, 1].map(|half| {
        let draw_slope = -win_slope[half] - loss_slope[half];
        -(wins * win_slope[half] / win.max(LEAST_CHANCE)
            + draws * draw_slope / draw
            + losses * loss_slope[half] / loss.max(LEAST_CHANCE))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::fen;
    use crate::tune::random::Random;

    const BOARDS: [&str; 3] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r1bq1rk1/pp3ppp/2n2n2/8/8/2N2N2/PP3PPP/R1BQ1RK1 b - - 0 12",
        "4r1k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 30",
    ];

    #[test]
    fn the_model_behind_the_results_is_found() {
        let (even, spread) = ([180.0, 60.0, 0.0, 0.0], [90.0, 10.0, 0.0, 0.0]);
        let mut counts = Counts::new(700);
        let mut random = Random::new(1, 1);
        for board in BOARDS.map(|text| fen::parse(text).expect(text)) {
            let model = Model::with_numbers(&even, &spread, stage(board.board()));
            for _ in 0..30_000 {
                let score = random.below(1400) as i16 - 700;
                let chance = random.below(1_000_000) as f64 / 1e6;
                let (win, loss) = (model.win(score.into()), model.win((-score).into()));
                let result = if chance < win {
                    GameResult::WhiteWins
                } else if chance > 1.0 - loss {
                    GameResult::BlackWins
                } else {
                    GameResult::Draw
                };
                counts.add(&Sample {
                    chess: board.clone(),
                    score: Some(score),
                    result,
                    starts_game: true,
                    ends_game: true,
                });
            }
        }
        assert_eq!(counts.positions, 90_000);
        let fit = counts.fit();
        assert!(fit.loss <= counts.loss(&even, &spread) + 1e-4);
        for &stage in counts.stages().keys() {
            let stage = stage as f64 / STAGE_UNIT;
            let found = Model::with_numbers(&fit.even_chance, &fit.spread, stage);
            let meant = Model::with_numbers(&even, &spread, stage);
            for centipawns in [-200.0, 0.0, 150.0, 300.0] {
                let error = (found.win(centipawns) - meant.win(centipawns)).abs();
                assert!(error < 0.015, "{stage} {centipawns} {error}");
            }
        }
    }

    #[test]
    fn slopes_are_those_of_finite_differences() {
        let mut counts = Counts::new(1000);
        let sample = |score, result| Sample {
            chess: fen::parse(BOARDS[1]).expect("a position"),
            score: Some(score),
            result,
            starts_game: true,
            ends_game: true,
        };
        for (score, result) in [
            (50, GameResult::WhiteWins),
            (-120, GameResult::Draw),
            (300, GameResult::BlackWins),
            (1100, GameResult::Draw),
        ] {
            counts.add(&sample(score, result));
        }
        assert_eq!(counts.positions, 3);
        let numbers = [[160.0, 90.0], [20.0, 5.0], [-9.0, 3.0], [4.0, -2.0]];
        let slopes = counts.slopes(&numbers);
        for term in 0..TERMS {
            for half in [0, 1] {
                let at = |step: f64| {
                    let mut halves = [0, 1].map(|half| numbers.map(|pair| f64::from(pair[half])));
                    halves[half][term] += step;
                    counts.loss(&halves[0], &halves[1])
                };
                let difference = (at(0.01) - at(-0.01)) / 0.02;
                assert!((difference - f64::from(slopes[term][half])).abs() < 1e-5);
            }
        }
    }
}
