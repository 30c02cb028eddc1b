//! Learning: the weights that make the squared error small on most games, watched on the games held out.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::adam::Adam;
use super::constraint::enforce;
use super::dataset::{Dataset, Row};
use super::model::{self, Pair};
use super::objective::{Target, expectation, fit_scale};
use super::random::{Random, mix};
use crate::score::MAX_PHASE;

/// The squared error of a game's result is about this, whatever the weights: it tells how much a wish for small
/// weights counts against the data.
const NOISE: f32 = 0.1;
/// No phase counts more than this many times the average when phases are balanced.
const MOST_BALANCE: f32 = 5.0;

/// How to learn.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How much the score of the search counts against the result, from 0 to 1.
    pub lambda: f32,
    /// The scale of the curve from centipawns to points; `None` fits it to the start weights.
    pub scale: Option<f32>,
    /// The seed of all random choices.
    pub seed: u64,
    /// Share of the games that is held out.
    pub held_out: f32,
    /// Share of the games that only judges the result: it neither teaches nor ends the learning.
    pub judged: f32,
    /// At most so many times through the data.
    pub epochs: u32,
    /// Positions for each step.
    pub batch: usize,
    /// Length of the first steps, in centipawns.
    pub rate: f32,
    /// Factor to that length after each epoch.
    pub decay: f32,
    /// Ends when the held-out loss has not become less for so many epochs.
    pub patience: u32,
    /// From 0, all positions count the same, to 1, all phases do.
    pub balance: f32,
    /// Threads that work together. The last digits of the result depend on their number.
    pub threads: usize,
    /// Whether weights keep to what is known of them: see `constraint`.
    pub constrained: bool,
    /// What is learned from which epoch on, and where it would stay without data.
    pub weights: Vec<WeightPlan>,
}

/// How one weight is treated.
#[derive(Copy, Clone, Debug)]
pub struct WeightPlan {
    /// The epoch, from 1, in which it begins to change; `None` for never.
    pub from_epoch: Option<u32>,
    /// The value it has without data, in centipawns.
    pub centre: Pair,
    /// How far from it one would expect it, in centipawns: a weight that occurs in few games stays nearer.
    pub spread: f32,
}

/// The mean squared errors after an epoch.
#[derive(Copy, Clone, Debug)]
pub struct Losses {
    /// The epoch, 0 for the start.
    pub epoch: u32,
    /// On the positions learned from, during the epoch.
    pub learned: f64,
    /// On the positions held out.
    pub held_out: f64,
    /// On the same, against results alone.
    pub results: f64,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The weights with the least held-out loss.
    pub weights: Vec<Pair>,
    /// All epochs.
    pub losses: Vec<Losses>,
    /// The losses of those weights.
    pub best: Losses,
}

/// News from learning.
#[derive(Copy, Clone, Debug)]
pub enum News {
    /// A step was made.
    Step,
    /// An epoch is over, or the losses of the start are known.
    Epoch(Losses),
}

/// A set made ready for learning.
#[derive(Debug)]
pub struct Trainer<'a> {
    set: &'a Dataset,
    settings: Settings,
    target: Target,
    scale: f32,
    learned_from: Vec<u32>,
    held_out: Vec<u32>,
    judged: Vec<u32>,
    /// Number of games learned from.
    games: usize,
    /// How much a position of each phase counts.
    phase_weights: Vec<f32>,
}

impl<'a> Trainer<'a> {
    /// Holds games out and fits the scales: of the scores, and of the `start` weights.
    pub fn new(set: &'a Dataset, settings: Settings, start: &[Pair]) -> Trainer<'a> {
        let [learned_from, held_out, judged] = parts(set, &settings);
        let rows = || {
            learned_from
                .iter()
                .map(|&number| &set.rows[number as usize])
        };
        let scored = rows().filter_map(|row| Some((f32::from(row.score?), row.result.points())));
        let target = Target {
            lambda: settings.lambda,
            score_scale: fit_scale(&scored.collect::<Vec<_>>()),
        };
        let scale = settings.scale.unwrap_or_else(|| {
            let value = |row| model::value(set, row, start).centipawns;
            fit_scale(
                &rows()
                    .map(|row| (value(row), target.points(row)))
                    .collect::<Vec<_>>(),
            )
        });
        Trainer {
            phase_weights: balance(rows(), settings.balance),
            games: rows().map(|row| row.game).collect::<HashSet<_>>().len(),
            set,
            settings,
            target,
            scale,
            learned_from,
            held_out,
            judged,
        }
    }

    /// The scale of the curve from centipawns to points.
    pub fn scale(&self) -> f32 {
        self.scale
    }

    /// The scale of the same curve for the scores of the data.
    pub fn score_scale(&self) -> f32 {
        self.target.score_scale
    }

    /// Numbers of positions learned from, held out and kept to judge.
    pub fn counts(&self) -> [usize; 3] {
        [&self.learned_from, &self.held_out, &self.judged].map(Vec::len)
    }

    /// The mean squared error of these weights on the positions that judge.
    pub fn judge(&self, weights: &[Pair]) -> f64 {
        self.loss(&self.judged, weights, false)
    }

    /// Steps in an epoch.
    pub fn steps(&self) -> usize {
        self.learned_from.len().div_ceil(self.settings.batch.max(1))
    }

    /// Learns from `start` until the losses say that it is enough, or `stop` is set, which ends it after the step.
    pub fn run(&self, start: &[Pair], stop: &AtomicBool, tell: &mut dyn FnMut(News)) -> Learned {
        let mut weights = start.to_vec();
        let mut adam = Adam::new(start.len());
        let mut order = self.learned_from.clone();
        let mut random = Random::new(self.settings.seed, 0);
        let mut rate = self.settings.rate;
        let first = self.losses_of(0, self.loss(&order, &weights, true), &weights);
        tell(News::Epoch(first));
        let mut learned = Learned {
            weights: weights.clone(),
            losses: vec![first],
            best: first,
        };
        let first_stop = self.last_beginning();
        for epoch in 1..=self.settings.epochs {
            random.shuffle(&mut order);
            let Some(loss) = self.epoch(epoch, &order, &mut weights, &mut adam, rate, stop, tell)
            else {
                break;
            };
            let losses = self.losses_of(epoch, loss, &weights);
            tell(News::Epoch(losses));
            learned.losses.push(losses);
            if losses.held_out < learned.best.held_out {
                learned.best = losses;
                learned.weights.clone_from(&weights);
            }
            let since = learned.best.epoch.max(first_stop);
            if epoch >= since + self.settings.patience {
                break;
            }
            rate *= self.settings.decay;
        }
        learned
    }

    /// The epoch in which the last weights begin to change.
    fn last_beginning(&self) -> u32 {
        let beginnings = self
            .settings
            .weights
            .iter()
            .filter_map(|plan| plan.from_epoch);
        beginnings.max().unwrap_or(0)
    }

    /// One time through the data. Returns the mean loss on the way; `None` when stopped.
    #[allow(clippy::too_many_arguments)]
    fn epoch(
        &self,
        epoch: u32,
        order: &[u32],
        weights: &mut [Pair],
        adam: &mut Adam,
        rate: f32,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(News),
    ) -> Option<f64> {
        let mut sum = Sum::default();
        for batch in order.chunks(self.settings.batch.max(1)) {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let (gradient, loss) = self.gradient(batch, weights);
            self.step(epoch, weights, adam, &gradient, rate);
            sum.add(loss);
            tell(News::Step);
        }
        Some(sum.mean())
    }

    /// Moves every weight that is learned by now. The positions of a game say much the same, so that against the pull
    /// to the centre a game counts as one observation.
    fn step(
        &self,
        epoch: u32,
        weights: &mut [Pair],
        adam: &mut Adam,
        gradient: &[Pair],
        rate: f32,
    ) {
        let count = self.games.max(1) as f32;
        let places = weights.iter_mut().zip(gradient).zip(&self.settings.weights);
        for (index, ((weight, slope), plan)) in places.enumerate() {
            if plan.from_epoch.is_some_and(|from| epoch >= from) {
                let pull = 2.0 * NOISE / (plan.spread * plan.spread * count);
                let slope =
                    [0, 1].map(|half| slope[half] + pull * (weight[half] - plan.centre[half]));
                adam.step(index, weight, slope, rate);
            }
        }
        if self.settings.constrained {
            let plans = &self.settings.weights;
            enforce(weights, |group| plans[group.offset].from_epoch.is_some());
        }
    }

    /// The slope of the mean loss over a batch, and that loss.
    fn gradient(&self, batch: &[u32], weights: &[Pair]) -> (Vec<Pair>, Sum) {
        let parts = self.share_out(batch, |part| {
            let mut gradient = vec![[0.0; 2]; weights.len()];
            let mut sum = Sum::default();
            for row in part.iter().map(|&number| &self.set.rows[number as usize]) {
                let value = model::value(self.set, row, weights);
                let expected = expectation(value.centipawns, self.scale);
                let difference = expected - self.target.points(row);
                let weight = self.phase_weights[usize::from(row.phase)];
                sum.add_one(difference, weight);
                let slope = 2.0 * difference * expected * (1.0 - expected) / self.scale;
                model::add_gradient(self.set, row, &value, weight * slope, &mut gradient);
            }
            (gradient, sum)
        });
        let mut gradient = vec![[0.0; 2]; weights.len()];
        let mut sum = Sum::default();
        for (part, loss) in parts {
            sum.add(loss);
            for (total, part) in gradient.iter_mut().zip(part) {
                *total = [total[0] + part[0], total[1] + part[1]];
            }
        }
        let share = 1.0 / sum.weight.max(f64::MIN_POSITIVE) as f32;
        gradient
            .iter_mut()
            .for_each(|slope| *slope = slope.map(|half| half * share));
        (gradient, sum)
    }

    fn losses_of(&self, epoch: u32, learned: f64, weights: &[Pair]) -> Losses {
        let results = Target {
            lambda: 0.0,
            ..self.target
        };
        Losses {
            epoch,
            learned,
            held_out: self.loss_against(self.target, &self.held_out, weights, false),
            results: self.loss_against(results, &self.held_out, weights, false),
        }
    }

    fn loss(&self, numbers: &[u32], weights: &[Pair], balanced: bool) -> f64 {
        self.loss_against(self.target, numbers, weights, balanced)
    }

    /// The losses of these weights, as if they had been learned in `epoch`.
    pub fn losses(&self, epoch: u32, weights: &[Pair]) -> Losses {
        self.losses_of(epoch, self.loss(&self.learned_from, weights, true), weights)
    }

    fn loss_against(
        &self,
        target: Target,
        numbers: &[u32],
        weights: &[Pair],
        balanced: bool,
    ) -> f64 {
        let parts = self.share_out(numbers, |part| {
            let mut sum = Sum::default();
            for row in part.iter().map(|&number| &self.set.rows[number as usize]) {
                let value = model::value(self.set, row, weights).centipawns;
                let weight = if balanced {
                    self.phase_weights[usize::from(row.phase)]
                } else {
                    1.0
                };
                sum.add_one(expectation(value, self.scale) - target.points(row), weight);
            }
            sum
        });
        let mut sum = Sum::default();
        parts.into_iter().for_each(|part| sum.add(part));
        sum.mean()
    }

    /// Has the threads work on equal parts of `numbers` and returns what they found, in order.
    fn share_out<T: Send>(&self, numbers: &[u32], work: impl Fn(&[u32]) -> T + Sync) -> Vec<T> {
        let threads = self.settings.threads.max(1);
        if threads == 1 {
            return vec![work(numbers)];
        }
        let share = numbers.len().div_ceil(threads).max(1);
        thread::scope(|scope| {
            let work = &work;
            let parts = numbers.chunks(share);
            let workers: Vec<_> = parts.map(|part| scope.spawn(move || work(part))).collect();
            let joined = workers.into_iter().map(|worker| match worker.join() {
                Ok(found) => found,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            joined.collect()
        })
    }
}

/// The positions to learn from, those held out and those that judge, by their numbers. A game is in one of them.
fn parts(set: &Dataset, settings: &Settings) -> [Vec<u32>; 3] {
    let mut parts = [Vec::new(), Vec::new(), Vec::new()];
    for (number, row) in (0..).zip(&set.rows) {
        let chance = mix(settings.seed ^ mix(row.game.into())) as f64 / u64::MAX as f64;
        let held_out = f64::from(settings.held_out);
        let part = if chance < held_out {
            1
        } else if chance < held_out + f64::from(settings.judged) {
            2
        } else {
            0
        };
        parts[part].push(number);
    }
    parts
}

/// A weighted sum of squares.
#[derive(Copy, Clone, Debug, Default)]
struct Sum {
    squares: f64,
    weight: f64,
}

impl Sum {
    #[inline]
    fn add_one(&mut self, difference: f32, weight: f32) {
        self.squares += f64::from(weight * difference * difference);
        self.weight += f64::from(weight);
    }

    fn add(&mut self, other: Sum) {
        self.squares += other.squares;
        self.weight += other.weight;
    }

    fn mean(self) -> f64 {
        self.squares / self.weight.max(f64::MIN_POSITIVE)
    }
}

/// How much a position of each phase counts, on average 1.
fn balance<'a>(rows: impl Iterator<Item = &'a Row>, strength: f32) -> Vec<f32> {
    const PHASES: Range<usize> = 0..MAX_PHASE as usize + 1;
    let mut counts = vec![0_u32; PHASES.len()];
    rows.for_each(|row| counts[usize::from(row.phase)] += 1);
    let total: u32 = counts.iter().sum();
    let even = total as f32 / PHASES.len() as f32;
    let weight = |&count: &u32| {
        (even / count.max(1) as f32)
            .powf(strength)
            .min(MOST_BALANCE)
    };
    let mut weights: Vec<f32> = counts.iter().map(weight).collect();
    let sum: f32 = weights
        .iter()
        .zip(&counts)
        .map(|(weight, &count)| weight * count as f32)
        .sum();
    let mean = sum / total.max(1) as f32;
    if mean > 0.0 {
        weights.iter_mut().for_each(|weight| *weight /= mean);
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::super::dataset::tests::random_samples;
    use super::super::selection;
    use super::*;
    use crate::chess::eval::{DEFAULT, Weights};

    fn settings(trained: &[&str]) -> Settings {
        let selections: Vec<_> = trained
            .iter()
            .map(|name| name.parse().expect("a group"))
            .collect();
        let plan = |trained: bool| WeightPlan {
            from_epoch: trained.then_some(1),
            centre: [0.0; 2],
            spread: 1e6,
        };
        Settings {
            lambda: 1.0,
            scale: Some(200.0),
            seed: 1,
            held_out: 0.2,
            judged: 0.1,
            epochs: 60,
            batch: 200,
            rate: 20.0,
            decay: 0.93,
            patience: 60,
            balance: 0.0,
            threads: 1,
            constrained: false,
            weights: selection::mask(&selections).into_iter().map(plan).collect(),
        }
    }

    /// Positions whose scores are what the default weights say.
    fn taught_by_the_defaults(games: u64) -> Dataset {
        const PLIES: usize = 200;
        let mut set = Dataset::default();
        set.add(&random_samples(games, PLIES), 1)
            .expect("not too many");
        let weights = model::to_pairs(&DEFAULT);
        for number in 0..set.rows.len() {
            let value = model::value(&set, &set.rows[number], &weights).centipawns;
            set.rows[number].score = Some(value.round() as i16);
        }
        set
    }

    /// A trainer whose scores have the scale of its weights.
    fn trainer<'a>(set: &'a Dataset, settings: Settings, start: &[Pair]) -> Trainer<'a> {
        let mut trainer = Trainer::new(set, settings, start);
        trainer.target.score_scale = trainer.scale;
        trainer
    }

    fn learn(set: &Dataset, settings: Settings, start: &[Pair]) -> Learned {
        trainer(set, settings, start).run(start, &AtomicBool::new(false), &mut |_| ())
    }

    fn without_material() -> Vec<Pair> {
        let mut weights = DEFAULT;
        weights.material = Weights::ZERO.material;
        model::to_pairs(&weights)
    }

    #[test]
    fn piece_values_are_found_again() {
        let set = taught_by_the_defaults(60);
        // Long enough for the queen, of which random positions tell least.
        let settings = Settings {
            epochs: 150,
            decay: 0.97,
            patience: 150,
            ..settings(&["material"])
        };
        let learned = learn(&set, settings, &without_material());
        assert!(learned.best.held_out < learned.losses[0].held_out / 100.0);
        for (found, meant) in learned.weights.iter().zip(model::to_pairs(&DEFAULT)) {
            let error = (found[0] - meant[0]).abs().max((found[1] - meant[1]).abs());
            // Whatever the weights in force are: a few centipawns and a few in a hundred.
            let allowed = 5.0 + 0.02 * meant[0].abs().max(meant[1].abs());
            assert!(error < allowed, "{found:?} {meant:?}");
        }
    }

    #[test]
    fn a_seed_gives_the_same_weights() {
        let set = taught_by_the_defaults(20);
        let run = |seed| {
            let settings = Settings {
                seed,
                epochs: 3,
                rate: 2.0,
                ..settings(&["all"])
            };
            learn(&set, settings, &without_material()).weights
        };
        let first = run(1);
        assert!(first == run(1) && first != run(2));
    }

    #[test]
    fn games_are_held_out_whole_and_threads_agree() {
        let set = taught_by_the_defaults(20);
        let start = model::to_pairs(&Weights::ZERO);
        let one = Trainer::new(&set, settings(&[]), &start);
        let game = |number: &u32| set.rows[*number as usize].game;
        let held_out: Vec<u32> = one.held_out.iter().map(game).collect();
        assert!(!held_out.is_empty());
        assert!(
            one.learned_from
                .iter()
                .all(|number| !held_out.contains(&game(number)))
        );
        let three = Trainer::new(
            &set,
            Settings {
                threads: 3,
                ..settings(&[])
            },
            &start,
        );
        let weights = model::to_pairs(&DEFAULT);
        let (a, b) = (one.losses(0, &weights), three.losses(0, &weights));
        assert!((a.held_out - b.held_out).abs() < 1e-9 && (a.learned - b.learned).abs() < 1e-9);
        let batch = &one.learned_from[..50];
        let (a, b) = (
            one.gradient(batch, &weights).0,
            three.gradient(batch, &weights).0,
        );
        assert!(a.iter().zip(&b).all(|(a, b)| (a[0] - b[0]).abs() < 1e-6));
    }

    #[test]
    fn what_is_frozen_or_late_does_not_move() {
        let set = taught_by_the_defaults(20);
        let mut settings = settings(&["material", "square"]);
        (settings.epochs, settings.rate) = (2, 20.0);
        let late = selection::mask(&["square".parse().expect("a group")]);
        for (plan, late) in settings.weights.iter_mut().zip(&late) {
            plan.from_epoch = if *late { Some(3) } else { plan.from_epoch };
        }
        let start = without_material();
        let learned = learn(&set, settings, &start);
        assert_ne!(learned.weights[..5], start[..5]);
        assert!(learned.weights[5..] == start[5..]);
    }

    #[test]
    fn without_data_a_weight_goes_to_its_centre() {
        let set = taught_by_the_defaults(3);
        let mut settings = settings(&["all"]);
        settings
            .weights
            .iter_mut()
            .for_each(|plan| plan.spread = 1e-4);
        let start = model::to_pairs(&DEFAULT);
        let trainer = Trainer::new(
            &set,
            Settings {
                patience: 1000,
                ..settings
            },
            &start,
        );
        let mut weights = start.clone();
        let mut adam = Adam::new(start.len());
        for epoch in 1..=1000 {
            let none = vec![[0.0; 2]; start.len()];
            trainer.step(epoch, &mut weights, &mut adam, &none, 10.0);
        }
        assert!(
            weights
                .iter()
                .all(|weight| weight[0].abs() < 2.0 && weight[1].abs() < 2.0)
        );
    }

    #[test]
    fn rare_phases_count_more() {
        let set = taught_by_the_defaults(10);
        let even = balance(set.rows.iter(), 0.0);
        assert!(even.iter().all(|weight| (weight - 1.0).abs() < 1e-5));
        let full = balance(set.rows.iter(), 1.0);
        let count = |phase: usize| {
            set.rows
                .iter()
                .filter(|row| usize::from(row.phase) == phase)
                .count()
        };
        assert!(count(24) > count(12) && full[12] > full[24]);
    }
}
