//! Self-play: the engine plays itself and writes down quiet positions with score and result.
//!
//! Games are numbered. Each one depends on the seed and its number alone and is written in the order of the numbers, so
//! the file is the same with any number of threads, stopped and resumed or not.

mod file;
mod game;

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{RecvTimeoutError, Sender, bounded};
use shakmaty::Chess;

use super::sample::Sample;
use crate::search::Search;

pub use file::{Progress, Writer};
pub use game::{Adjudication, ImpossibleRules, Rules, play};

/// How often progress is reported when no game ends.
const TELL_INTERVAL: Duration = Duration::from_millis(500);

/// What to play, and how long.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How games are played.
    pub rules: Rules,
    /// Positions to start the random moves from; empty means the start position.
    pub book: Vec<Chess>,
    /// The seed of all random choices.
    pub seed: u64,
    /// Games played at the same time.
    pub threads: usize,
    /// Size of each game's transposition table in MiB.
    pub hash_mib: usize,
    /// When to stop; the first one reached does it. All `None`: only the stop flag.
    pub goal: Goal,
}

/// When to stop. What the file had before counts.
#[derive(Copy, Clone, Debug, Default)]
pub struct Goal {
    /// Number of games in the file.
    pub games: Option<u64>,
    /// Number of positions in the file.
    pub positions: Option<u64>,
    /// Time from the start of this run.
    pub time: Option<Duration>,
}

impl Goal {
    fn is_reached(&self, progress: Progress, start: Instant) -> bool {
        let reached = |goal: Option<u64>, count| goal.is_some_and(|goal| count >= goal);
        reached(self.games, progress.games)
            || reached(self.positions, progress.positions)
            || self.time.is_some_and(|time| start.elapsed() >= time)
    }
}

/// Plays until a goal is reached or `stop` is set, and appends to the file at `path`. Games that have begun are played
/// to their end. `tell` hears of the progress now and then. Returns what the file has in the end.
///
/// # Errors
///
/// When the file cannot be read or written, when it is no data file, when there is no memory for the tables, or when
/// no game keeps to the rules.
pub fn run(
    path: &Path,
    plan: &Plan,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(Progress),
) -> io::Result<Progress> {
    let mut writer = Writer::open(path)?;
    let first = writer.progress().games;
    let next = AtomicU64::new(first);
    let finished = AtomicBool::new(false);
    let mut searches = Vec::new();
    for _ in 0..plan.threads.max(1) {
        searches.push(Search::new(plan.hash_mib, 1).map_err(io::Error::other)?);
    }
    let (sender, games) = bounded(2 * searches.len());
    thread::scope(|scope| {
        // It goes before the threads are waited for: when writing fails, none of them waits to be heard.
        let games = games;
        for search in searches {
            let (sender, next, finished) = (sender.clone(), &next, &finished);
            scope.spawn(move || work(plan, search, next, finished, &sender));
        }
        drop(sender);
        let start = Instant::now();
        let mut waiting = BTreeMap::new();
        let mut is_time = |progress| {
            tell(progress);
            if plan.goal.is_reached(progress, start) || stop.load(Ordering::Relaxed) {
                finished.store(true, Ordering::Relaxed);
            }
        };
        is_time(writer.progress());
        loop {
            match games.recv_timeout(TELL_INTERVAL) {
                Ok((number, game)) => {
                    waiting.insert(number, game);
                    if let Err(error) = write_waiting(&mut writer, &mut waiting, &plan.goal) {
                        finished.store(true, Ordering::Relaxed);
                        return Err(error);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            is_time(writer.progress());
        }
        writer.finish()
    })
}

type Numbered = (u64, Result<Vec<Sample>, ImpossibleRules>);

/// One thread: plays the next game until it is enough.
fn work(
    plan: &Plan,
    mut search: Search,
    next: &AtomicU64,
    finished: &AtomicBool,
    sender: &Sender<Numbered>,
) {
    while !finished.load(Ordering::Relaxed) {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let game = play(&mut search, &plan.book, &plan.rules, plan.seed, number);
        if sender.send((number, game)).is_err() {
            return;
        }
    }
}

/// Writes the games whose turn it is. A game beyond the goal is left out, so that a goal always gives the same file.
fn write_waiting(
    writer: &mut Writer,
    waiting: &mut BTreeMap<u64, Result<Vec<Sample>, ImpossibleRules>>,
    goal: &Goal,
) -> io::Result<()> {
    let counts = Goal {
        time: None,
        ..*goal
    };
    while !counts.is_reached(writer.progress(), Instant::now())
        && let Some(game) = waiting.remove(&writer.progress().games)
    {
        writer.write_game(&game.map_err(io::Error::other)?)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::tune::sample::RECORD_SIZE;
    use crate::tune::scratch::Scratch;

    fn plan(threads: usize, games: u64) -> Plan {
        Plan {
            rules: Rules {
                nodes: 200,
                samples: 3,
                ..Rules::default()
            },
            book: Vec::new(),
            seed: 3,
            threads,
            hash_mib: 1,
            goal: Goal {
                games: Some(games),
                ..Goal::default()
            },
        }
    }

    fn generate(path: &Path, plan: &Plan) -> Progress {
        run(path, plan, &AtomicBool::new(false), &mut |_| ()).expect("a file")
    }

    #[test]
    fn the_file_is_the_same_in_one_go_in_pieces_and_with_threads() {
        let folder = Scratch::new("datagen");
        let [whole, pieces] = ["whole", "pieces"].map(|name| folder.path(name));
        let progress = generate(&whole, &plan(1, 6));
        assert_eq!(progress.games, 6);
        let expected = fs::read(&whole).expect("a file");
        assert_eq!(
            expected.len() as u64,
            progress.positions * RECORD_SIZE as u64
        );

        generate(&pieces, &plan(2, 2));
        // As after a crash in the middle of a game.
        let mut text = fs::read(&pieces).expect("a file");
        assert!(expected.starts_with(&text));
        text.extend_from_slice(&expected[text.len()..text.len() + RECORD_SIZE + 5]);
        fs::write(&pieces, &text).expect("a written file");
        assert_eq!(generate(&pieces, &plan(3, 6)), progress);
        assert_eq!(fs::read(&pieces).expect("a file"), expected);
    }

    #[test]
    fn positions_and_the_flag_stop_it_too() {
        let folder = Scratch::new("datagen-stop");
        let path = folder.path("data");
        let mut plan = plan(1, 100);
        plan.goal.positions = Some(5);
        let progress = generate(&path, &plan);
        assert!((5..8).contains(&progress.positions));
        let stopped = AtomicBool::new(true);
        let after = run(&path, &plan, &stopped, &mut |_| ()).expect("a file");
        assert_eq!(after, progress);
    }
}
