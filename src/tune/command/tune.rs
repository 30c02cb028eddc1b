//! `lanternfish tune`: the arguments, what is printed on the way, and the files that are written.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;

use super::super::dataset::Dataset;
use super::super::finish::{centre_tables, to_weights};
use super::super::model::{Pair, to_pairs};
use super::super::selection::{Selection, UnknownGroup, mask};
use super::super::start::from_nothing;
use super::super::train::{Learned, Losses, News, Settings, Trainer, WeightPlan};
use super::super::{read, report};
use super::stop::stop_flag;
use super::story::Story;
use crate::chess::eval::{DEFAULT, Weights, source};
use crate::progress;

/// The groups with tables of single king buckets.
const BY_KING: [&str; 2] = ["own_king", "enemy_king"];

/// How far their weights are expected from zero, in centipawns.
const BY_KING_SPREAD: f32 = 60.0;

/// Why learning cannot begin without any danger to kings.
const NO_DANGER: &str = "all danger to kings is zero: its penalty is a square, which has no slope there, so that it would \
    never be learned; leave some `danger_*` group out of --zero, or freeze them all";

/// Learn the weights of the evaluation from positions
///
/// Reads files of `datagen`, lines of `FEN;result;score`, and games in PGN with evaluations in their comments, each
/// also packed with gzip. Ctrl-C ends it early; what was learned by then is written.
#[derive(Args, Debug)]
pub struct TuneArguments {
    /// The positions
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where to write the weights, as the text of src/chess/eval/weights.rs; the tables by king go to a file beside it
    #[arg(long, default_value = "weights.rs", value_name = "FILE")]
    out: PathBuf,
    /// Write a plot of the losses and heat maps of the tables to this folder
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
    /// How much scores count against results, from 0 to 1
    #[arg(long, default_value_t = 0.8, value_parser = parse_share)]
    lambda: f32,
    /// The scale of the curve from centipawns to points [default: fitted to the weights at the start]
    #[arg(long, value_name = "CP", value_parser = parse_positive)]
    scale: Option<f32>,
    /// The seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Share of the games that is held out
    #[arg(long, default_value_t = 0.1, value_name = "SHARE", value_parser = parse_share)]
    held_out: f32,
    /// Share of the games that judges the result and is used for nothing else
    #[arg(long, default_value_t = 0.05, value_name = "SHARE", value_parser = parse_share)]
    judged: f32,
    /// At most so many times through the data
    #[arg(long, default_value_t = 60)]
    epochs: u32,
    /// Positions for each step
    #[arg(long, default_value_t = 16_384)]
    batch: usize,
    /// Length of the first steps, in centipawns
    #[arg(long, default_value_t = 2.0, value_parser = parse_positive)]
    rate: f32,
    /// Factor to that length after each epoch
    #[arg(long, default_value_t = 0.87, value_parser = parse_positive)]
    decay: f32,
    /// End when the held-out loss has not become less for so many epochs
    #[arg(long, default_value_t = 8)]
    patience: u32,
    /// 0: all positions count the same, 1: all phases of the game do
    #[arg(long, default_value_t = 0.5, value_parser = parse_share)]
    balance: f32,
    /// Threads that work together
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Let weights have signs and an order that no player would believe
    #[arg(long)]
    unconstrained: bool,
    /// Learn these groups only; a name of src/chess/eval/layout.rs, a beginning with `*`, a part, or `all`
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "all",
        value_name = "GROUPS"
    )]
    only: Vec<Selection>,
    /// Do not learn these groups
    #[arg(long, value_delimiter = ',', value_name = "GROUPS")]
    freeze: Vec<Selection>,
    /// Learn these groups only from a later epoch on
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "KingSafety",
        value_name = "GROUPS"
    )]
    late: Vec<Selection>,
    /// The epoch in which the late groups begin
    #[arg(long, default_value_t = 8, value_name = "EPOCH")]
    late_from: u32,
    /// Begin with the worth of the pieces alone, not with the weights of this build
    #[arg(long)]
    from_nothing: bool,
    /// Set these groups to zero at the start
    #[arg(long, value_delimiter = ',', value_name = "GROUPS")]
    zero: Vec<Selection>,
    /// How far weights are expected from where they start, in centipawns: a weight that occurs in few games stays nearer
    #[arg(long, default_value_t = 200.0, value_name = "CP", value_parser = parse_positive)]
    spread: f32,
    /// The same for some groups; tables of single king buckets are expected round zero, and within 60 centipawns
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "GROUPS=CP",
        value_parser = parse_spread
    )]
    spread_of: Vec<(Selection, f32)>,
}

fn parse_share(text: &str) -> Result<f32, String> {
    let share = text
        .parse()
        .ok()
        .filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "a number from 0 to 1 is needed".to_string())
}

fn parse_positive(text: &str) -> Result<f32, String> {
    let number = text.parse().ok();
    let number = number.filter(|&number: &f32| number.is_finite() && number > 0.0);
    number.ok_or_else(|| "a positive number is needed".to_string())
}

fn parse_spread(text: &str) -> Result<(Selection, f32), String> {
    let (groups, spread) = text.split_once('=').ok_or("GROUPS=CP is needed")?;
    let groups = groups
        .parse()
        .map_err(|error: UnknownGroup| error.to_string())?;
    Ok((groups, parse_positive(spread)?))
}

impl TuneArguments {
    fn settings(&self, start: &[Pair]) -> Settings {
        Settings {
            lambda: self.lambda,
            scale: self.scale,
            seed: self.seed,
            held_out: self.held_out,
            judged: self.judged,
            epochs: self.epochs,
            batch: self.batch,
            rate: self.rate,
            decay: self.decay,
            patience: self.patience,
            balance: self.balance,
            threads: self.threads.into(),
            constrained: !self.unconstrained,
            weights: self.weight_plans(start),
        }
    }

    fn weight_plans(&self, start: &[Pair]) -> Vec<WeightPlan> {
        let masks = [&self.only, &self.freeze, &self.late].map(|selections| mask(selections));
        let [only, freeze, late] = masks;
        let mut plans = Vec::with_capacity(start.len());
        for group in Weights::GROUPS {
            let by_king = BY_KING.contains(&group.name);
            let own = self
                .spread_of
                .iter()
                .rfind(|(groups, _)| groups.contains(group));
            let usual = if by_king { BY_KING_SPREAD } else { self.spread };
            for index in group.offset..group.offset + group.len() {
                let from_epoch = if late[index] { self.late_from } else { 1 };
                plans.push(WeightPlan {
                    from_epoch: (only[index] && !freeze[index]).then_some(from_epoch),
                    centre: if by_king { [0.0; 2] } else { start[index] },
                    spread: own.map_or(usual, |(_, spread)| *spread),
                });
            }
        }
        plans
    }

    /// The weights to begin with.
    fn start(&self) -> io::Result<Vec<Pair>> {
        let zero = mask(&self.zero);
        let first = if self.from_nothing {
            from_nothing()
        } else {
            DEFAULT
        };
        let pairs = to_pairs(&first).into_iter().zip(zero);
        let start: Vec<Pair> = pairs
            .map(|(pair, zero)| if zero { [0.0; 2] } else { pair })
            .collect();
        if self.danger_is_stuck(&start) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, NO_DANGER));
        }
        Ok(start)
    }

    /// Whether danger is to be learned from nothing, which cannot be done.
    fn danger_is_stuck(&self, start: &[Pair]) -> bool {
        let [only, freeze] = [&self.only, &self.freeze].map(|selections| mask(selections));
        let mut dangers = Weights::GROUPS
            .iter()
            .filter(|group| group.is_danger())
            .flat_map(|group| group.offset..group.offset + group.len());
        let learned = dangers.clone().any(|index| only[index] && !freeze[index]);
        learned && dangers.all(|index| start[index] == [0.0; 2])
    }
}

/// Learns and writes.
///
/// # Errors
///
/// When a file cannot be read or written, or when there is nothing to learn from.
pub fn run(arguments: &TuneArguments) -> io::Result<()> {
    let start = arguments.start()?;
    let settings = arguments.settings(&start);
    let set = load(&arguments.files, settings.threads)?;
    let stop = stop_flag()?;
    let trainer = Trainer::new(&set, settings, &start);
    let [learned_from, held_out, judged] = trainer.counts();
    if learned_from == 0 || held_out == 0 {
        return Err(io::Error::other(
            "there are too few games to learn from and hold out",
        ));
    }
    check_writable(&arguments.out)?;
    let mut out = io::stdout();
    writeln!(
        out,
        "{learned_from} positions to learn from, {held_out} held out, {judged} judge"
    )?;
    writeln!(
        out,
        "scale {:.1} centipawns, scores' scale {:.1}",
        trainer.scale(),
        trainer.score_scale()
    )?;
    // What was learned is written even when nobody reads on.
    let (learned, told) = learn(&trainer, &start, arguments.epochs, &stop);
    finish(arguments, &set, &trainer, &start, learned)?;
    told
}

/// Finds out before the long work whether its result can be written.
fn check_writable(path: &Path) -> io::Result<()> {
    let opened = fs::OpenOptions::new().create(true).append(true).open(path);
    opened.map(drop).map_err(|error| about(path, &error))
}

fn about(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Reads all files and tells what is in them.
fn load(files: &[PathBuf], threads: usize) -> io::Result<Dataset> {
    let mut set = Dataset::default();
    let start = Instant::now();
    let bar = progress::bar("{spinner} {msg} {elapsed}", None);
    for path in files {
        let told = path.display();
        let report = set.add_file(path, threads, &mut |count| {
            bar.set_message(format!("{told}: {count} positions"));
            bar.tick();
        });
        let report = report.map_err(|error| about(path, &error))?;
        bar.suspend(|| tell_file(path, &report))?;
    }
    bar.finish_and_clear();
    writeln!(
        io::stdout(),
        "{} positions of {} games ({} left out), {} MB, {:.1} s",
        set.rows.len(),
        set.games,
        set.left_out,
        set.bytes() / 1_000_000,
        start.elapsed().as_secs_f64()
    )?;
    Ok(set)
}

fn tell_file(path: &Path, report: &read::Report) -> io::Result<()> {
    let mut out = io::stdout();
    writeln!(out, "{}: {} positions", path.display(), report.positions)?;
    if let Some(fault) = &report.first_fault {
        writeln!(
            out,
            "  {} faults were left out; the first: {fault}",
            report.faults
        )?;
    }
    Ok(())
}

/// Learns, with a line for each epoch. Also returns whether these could be written.
fn learn(
    trainer: &Trainer<'_>,
    start: &[Pair],
    epochs: u32,
    stop: &std::sync::atomic::AtomicBool,
) -> (Learned, io::Result<()>) {
    const TEMPLATE: &str = "{bar:40} {pos}/{len} {elapsed}, {eta} to go at most";
    let mut written = writeln!(io::stdout(), "epoch  learned   held out  results   seconds");
    let bar = progress::bar(TEMPLATE, Some(u64::from(epochs) * trainer.steps() as u64));
    let mut clock = Instant::now();
    let learned = trainer.run(start, stop, &mut |news| match news {
        News::Step => bar.inc(1),
        News::Epoch(losses) => {
            let seconds = clock.elapsed().as_secs_f64();
            written = bar.suspend(|| writeln!(io::stdout(), "{}  {seconds:.2}", line(&losses)));
            clock = Instant::now();
        }
    });
    bar.finish_and_clear();
    (learned, written)
}

fn line(losses: &Losses) -> String {
    let Losses {
        epoch,
        learned,
        held_out,
        results,
    } = losses;
    format!("{epoch:>5}  {learned:.6}  {held_out:.6}  {results:.6}")
}

/// Rounds the best weights and writes all files.
fn finish(
    arguments: &TuneArguments,
    set: &Dataset,
    trainer: &Trainer<'_>,
    start: &[Pair],
    mut learned: Learned,
) -> io::Result<()> {
    centre_tables(&mut learned.weights, set);
    let weights = to_weights(&learned.weights)
        .ok_or_else(|| io::Error::other("the weights do not fit their layout"))?;
    let rounded = trainer.losses(learned.best.epoch, &to_pairs(&weights));
    let path = &arguments.out;
    let story = Story {
        files: &arguments.files,
        counts: trainer.counts(),
        losses: [learned.losses[0], rounded],
        judged: [start, &to_pairs(&weights)].map(|weights| trainer.judge(weights)),
    };
    let made = story.lines()?;
    source::write_files(path, &weights, &made)?;
    if let Some(folder) = &arguments.report {
        report::write(folder, &learned.losses, &weights)?;
    }
    let mut out = io::stdout();
    writeln!(out, "best   {}", line(&learned.best).trim_start())?;
    writeln!(out, "round  {}", line(&rounded).trim_start())?;
    let [before, after] = story.judged;
    writeln!(out, "judged {before:.6} before, {after:.6} after")?;
    writeln!(out, "weights written to {}", path.display())?;
    if let Some(folder) = &arguments.report {
        writeln!(out, "pictures written to {}", folder.display())?;
    }
    Ok(())
}
