//! `lanternfish datagen`: the arguments, the book and the progress bar.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fmt, fs};

use clap::Args;
use indicatif::ProgressBar;
use shakmaty::Chess;

use super::super::datagen::{self, Adjudication, Goal, Plan, Progress, Rules};
use super::stop::stop_flag;
use crate::chess::fen;
use crate::progress;

/// Random plies after a line of a book, when nothing else is said.
const BOOK_RANDOM_PLIES: usize = 4;
/// Without a terminal, progress is printed in lines this far apart.
const LINE_INTERVAL: Duration = Duration::from_secs(60);

/// Play the engine against itself and write down positions to learn from
///
/// Without a goal it goes on until Ctrl-C. Started again with the same file it continues: the same seed and settings
/// give the same file as one long run.
#[derive(Args, Debug)]
pub struct DatagenArguments {
    /// The file to append to, 32 bytes a position
    file: PathBuf,
    /// The seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games played at the same time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Nodes for each move
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Stop when the file has this many games
    #[arg(long)]
    games: Option<u64>,
    /// Stop when the file has this many positions
    #[arg(long)]
    positions: Option<u64>,
    /// Stop after this many minutes
    #[arg(long)]
    minutes: Option<u64>,
    /// Openings to start from, FEN or EPD, one a line; without it games start from the start position
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Random plies before each game; every other game has one more [default: 8, after a book 4]
    #[arg(long)]
    random_plies: Option<usize>,
    /// Drop openings with a score beyond this, in centipawns
    #[arg(long, default_value_t = 300, value_name = "CP")]
    opening_limit: i32,
    /// Keep no positions with a score beyond this, in centipawns
    #[arg(long, default_value_t = 1500, value_name = "CP")]
    score_limit: i32,
    /// Keep at most this many positions of a game
    #[arg(long, default_value_t = 20, value_name = "N")]
    samples: usize,
    /// Nodes for the score of a position that is kept; 0 keeps the score of the move
    #[arg(long, default_value_t = 10_000, value_name = "NODES")]
    score_nodes: u64,
    /// Keep no position whose static value captures change by more than this, in centipawns
    #[arg(long, default_value_t = 60, value_name = "CP")]
    quiet_limit: i32,
    /// Size of each game's transposition table in MiB
    #[arg(long, default_value_t = 4, value_name = "MIB")]
    hash: usize,
    /// End games when both sides have agreed on more than this for four moves, in centipawns [default: never]
    #[arg(long, value_name = "CP")]
    adjudicate_win: Option<i32>,
    /// End games as drawn when both sides have agreed on no more than this for four moves, from ply 80 on, in
    /// centipawns [default: never]
    #[arg(long, value_name = "CP")]
    adjudicate_draw: Option<i32>,
}

impl DatagenArguments {
    fn plan(&self) -> io::Result<Plan> {
        let book = self.book.as_deref().map_or(Ok(Vec::new()), read_book)?;
        let usual = Rules::default().random_plies;
        let usual = if book.is_empty() {
            usual
        } else {
            BOOK_RANDOM_PLIES
        };
        let adjudicates = self.adjudicate_win.is_some() || self.adjudicate_draw.is_some();
        Ok(Plan {
            rules: Rules {
                nodes: self.nodes,
                random_plies: self.random_plies.unwrap_or(usual),
                opening_limit: self.opening_limit,
                score_limit: self.score_limit,
                samples: self.samples,
                score_nodes: self.score_nodes,
                quiet_limit: self.quiet_limit,
                adjudication: adjudicates.then_some(Adjudication {
                    win: self.adjudicate_win.unwrap_or(i32::MAX),
                    draw: self.adjudicate_draw.unwrap_or(-1),
                }),
            },
            book,
            seed: self.seed,
            threads: self.threads.into(),
            hash_mib: self.hash,
            goal: Goal {
                games: self.games,
                positions: self.positions,
                time: self
                    .minutes
                    .map(|minutes| Duration::from_secs(minutes.saturating_mul(60))),
            },
        })
    }
}

/// Plays until the goal is reached or somebody says stop.
///
/// # Errors
///
/// Those of [`datagen::run`], and when the book cannot be read.
pub fn run(arguments: &DatagenArguments) -> io::Result<()> {
    let plan = arguments.plan()?;
    let stop = stop_flag()?;
    let mut teller = Teller::new(&plan.goal);
    let progress = datagen::run(&arguments.file, &plan, &stop, &mut |progress| {
        teller.tell(progress);
    })?;
    teller.bar.finish_and_clear();
    let path = arguments.file.display();
    writeln!(
        io::stdout(),
        "{path}: {} ({})",
        Counts(progress),
        teller.speed(progress)
    )
}

/// The positions of a book.
fn read_book(path: &Path) -> io::Result<Vec<Chess>> {
    let text = fs::read_to_string(path)?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let book: Result<Vec<Chess>, _> = lines
        .map(|line| {
            fen::parse(line).map_err(|error| format!("{}: {line}: {error}", path.display()))
        })
        .collect();
    book.map_err(|text| io::Error::new(io::ErrorKind::InvalidData, text))
}

struct Counts(Progress);

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Progress { games, positions } = self.0;
        write!(f, "{games} games, {positions} positions")
    }
}

/// Shows the progress: a bar for a person at a terminal, a line a minute for a log.
struct Teller {
    bar: ProgressBar,
    by_games: bool,
    start: Instant,
    before: Option<Progress>,
    last_line: Instant,
}

impl Teller {
    fn new(goal: &Goal) -> Teller {
        const TEMPLATE: &str = "{bar:40} {pos}/{len} {msg} {elapsed}, {eta} to go";
        const ENDLESS: &str = "{spinner} {msg} {elapsed}";
        let by_games = goal.games.is_some();
        let length = goal.games.or(goal.positions);
        let template = if length.is_some() { TEMPLATE } else { ENDLESS };
        Teller {
            bar: progress::bar(template, length),
            by_games,
            start: Instant::now(),
            before: None,
            last_line: Instant::now(),
        }
    }

    fn tell(&mut self, progress: Progress) {
        if self.before.is_none() {
            self.before = Some(progress);
            self.bar.reset_eta();
        }
        let count = if self.by_games {
            progress.games
        } else {
            progress.positions
        };
        self.bar.set_position(count);
        self.bar
            .set_message(format!("{} ({})", Counts(progress), self.speed(progress)));
        if self.bar.is_hidden() && self.last_line.elapsed() >= LINE_INTERVAL {
            self.last_line = Instant::now();
            // A log that cannot be written is no reason to stop.
            let _ = writeln!(
                io::stderr(),
                "{} ({})",
                Counts(progress),
                self.speed(progress)
            );
        }
    }

    fn speed(&self, progress: Progress) -> String {
        let before = self.before.unwrap_or(progress);
        let hours = self.start.elapsed().as_secs_f64().max(1e-3) / 3600.0;
        let games = (progress.games - before.games) as f64 / hours;
        format!("{games:.0} games/hour")
    }
}
