//! Which move is best: iterative deepening alpha-beta on one or more threads over a shared table.
//!
//! The input is a [`Job`]; a callback receives [`Report`]s while the search runs; the result is an [`Outcome`]. The
//! search prints nothing and has no globals.
//!
//! `node` is the place to begin reading: it lists the steps of a node in order. `deepening` calls it for the root,
//! `threads` runs several of these side by side, `game` names everything that is used of the game of chess.

mod clock;
mod continuation;
mod control;
mod correction;
mod deepening;
mod forced_mate;
mod game;
mod gravity;
mod history;
mod limits;
mod memory;
mod node;
mod node_state;
mod node_type;
mod order_bonus;
mod params;
mod picker;
mod probe;
mod pruning;
mod pv;
mod qsearch;
mod reductions;
mod report;
mod root;
mod shared;
mod system_memory;
mod threads;
mod tt;
mod update;
mod window;
mod worker;

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use clock::TimeBudget;
use game::{Evaluator, Group, KeyPath, Percent, Position, ReversibleMoves, Tablebases};
use history::Histories;
#[cfg(not(feature = "tune"))]
use params::Params;
use params::Reductions;
use shared::{Counters, Shared, table_salt};
use tt::Table;
#[cfg(feature = "tune")]
use {crate::score::Score, node_type::OnPv, window::Window, worker::Worker};

pub use control::Control;
pub use limits::{Clock, Limits};
#[cfg(feature = "tune")]
pub use params::Params;
pub use report::{Bound, Figures, Line, Outcome, Report, Variation};
pub use tt::{MAX_HASH_MIB, TableError};

/// The most threads a search may have.
pub const MAX_THREADS: u32 = 1024;

/// What the histories of one thread take, in mebibytes, with something to spare.
const MIB_PER_THREAD: usize = 4;

/// Why a search could not be set up as asked.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum SetupError {
    /// No memory for the transposition table.
    Table(TableError),
    /// No memory for so many threads.
    Threads(usize),
}

impl From<TableError> for SetupError {
    fn from(error: TableError) -> SetupError {
        SetupError::Table(error)
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::Table(error) => error.fmt(f),
            SetupError::Threads(threads) => write!(f, "no memory for {threads} threads"),
        }
    }
}

impl std::error::Error for SetupError {}

/// What is set by options and holds for every search.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Number of principal variations to report.
    pub multi_pv: usize,
    /// Time kept back for the way between engine and opponent.
    pub move_overhead: Duration,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            multi_pv: 1,
            move_overhead: Duration::from_millis(10),
        }
    }
}

/// One search to be done.
#[derive(Clone, Debug)]
pub struct Job {
    /// The position to search, made with the evaluator's piece-square table.
    pub root: Position,
    /// The keys of the game before it.
    pub path: KeyPath,
    /// When to end.
    pub limits: Limits,
    /// Options.
    pub settings: Settings,
    /// When the command came: the clock runs from here.
    pub start: Instant,
}

/// The search with what it keeps from move to move: table and histories.
#[derive(Debug)]
pub struct Search {
    table: Table,
    tablebases: Tablebases,
    histories: Vec<Histories>,
    evaluator: Evaluator,
    reversible_moves: ReversibleMoves,
    #[cfg(feature = "tune")]
    params: Params,
    reductions: Reductions,
}

impl Search {
    /// A search with a table of `hash_mib` mebibytes and `threads` threads.
    ///
    /// # Errors
    ///
    /// When there is no memory for the table, or for what the threads learn.
    pub fn new(hash_mib: usize, threads: usize) -> Result<Search, SetupError> {
        let mut search = Search {
            table: Table::new(hash_mib)?,
            tablebases: Tablebases::default(),
            histories: Vec::new(),
            evaluator: Evaluator::new(),
            reversible_moves: ReversibleMoves::new(),
            reductions: Reductions::new(&Params::DEFAULT),
            #[cfg(feature = "tune")]
            params: Params::DEFAULT,
        };
        search.set_threads(threads)?;
        Ok(search)
    }

    /// Replaces the table by an empty one of `mib` mebibytes, unless it has that size already.
    ///
    /// # Errors
    ///
    /// When there is no memory for it; the table keeps its size, but may have lost its entries.
    pub fn set_hash(&mut self, mib: usize) -> Result<(), SetupError> {
        if mib != self.table.mib() {
            self.table.resize(mib)?;
        }
        Ok(())
    }

    /// Uses these endgame tables from now on.
    pub fn set_tablebases(&mut self, tablebases: Tablebases) {
        self.tablebases = tablebases;
    }

    /// What is wrong with the endgame tables, once a search has found out.
    pub fn tablebase_damage(&self) -> Option<&str> {
        self.tablebases.damage()
    }

    /// Sets the number of threads, at least one.
    ///
    /// # Errors
    ///
    /// When there is no memory for their histories; the old number stays.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), SetupError> {
        let threads = threads.max(1);
        let old = self.histories.len();
        // A system may grant more memory than it has; so the available memory is checked first, as for the table.
        let more = threads.saturating_sub(old).saturating_mul(MIB_PER_THREAD);
        if system_memory::available_mib().is_some_and(|available| more > available) {
            return Err(SetupError::Threads(threads));
        }
        while self.histories.len() < threads {
            match Histories::new() {
                Ok(histories) => self.histories.push(histories),
                Err(_) => {
                    self.histories.truncate(old);
                    return Err(SetupError::Threads(threads));
                }
            }
        }
        self.histories.truncate(threads);
        self.histories.shrink_to_fit();
        Ok(())
    }

    /// Empties the table.
    pub fn clear_hash(&mut self) {
        self.table.clear(self.histories.len());
    }

    /// Forgets everything learned from the last game: table and histories.
    pub fn new_game(&mut self) {
        self.clear_hash();
        for histories in &mut self.histories {
            histories.clear();
        }
    }

    /// Sets a number of the search; `None` if there is none of that name.
    #[cfg(feature = "tune")]
    pub fn set_parameter(&mut self, name: &str, value: i32) -> Option<()> {
        self.params.set(name, value)?;
        self.reductions = Reductions::new(&self.params);
        Some(())
    }

    /// Weighs the parts of the evaluation anew, and forgets what was found with the old weights. Positions must be
    /// made with the new evaluator's table.
    pub fn set_percent(&mut self, percent: Percent) {
        self.evaluator = Evaluator::with_percent(percent);
        self.new_game();
    }

    /// The evaluation in use.
    pub fn evaluator(&self) -> &Evaluator {
        &self.evaluator
    }

    /// Searches until a limit is reached, `control` says stop, or nothing is left to search. The caller
    /// holds an answer back until `stop` or `ponderhit`.
    pub fn run(
        &mut self,
        job: &Job,
        control: &Control,
        report: &mut (dyn FnMut(Report) + Send),
    ) -> Outcome {
        self.table.next_search();
        self.with_shared(job, control, |shared, histories| {
            threads::run(shared, histories, report)
        })
    }

    /// The score of the job's position once it is quiet, in centipawns from the side to move.
    #[cfg(feature = "tune")]
    pub fn quiescence(&mut self, job: &Job) -> Score {
        self.with_shared(job, &Control::new(), |shared, histories| {
            let mut report = |_| ();
            let worker = histories.first_mut().map(|histories| {
                let mut worker = Worker::new(shared, histories, &mut report, 0);
                worker.quiescence::<OnPv>(shared.root, Window::FULL, 0)
            });
            // A job without limits is never aborted.
            let score = worker.and_then(Result::ok);
            score.unwrap_or_else(|| shared.evaluator.evaluate(shared.root))
        })
    }

    /// Lets `work` use what all threads of a search for `job` share, and their histories.
    fn with_shared<R>(
        &mut self,
        job: &Job,
        control: &Control,
        work: impl FnOnce(&Shared<'_>, &mut [Histories]) -> R,
    ) -> R {
        let counters: Vec<Counters> = self.histories.iter().map(|_| Counters::default()).collect();
        let root_moves = self.root_moves(job);
        let shared = Shared {
            root: &job.root,
            path: &job.path,
            limits: &job.limits,
            multi_pv: job.settings.multi_pv.max(1),
            table: &self.table,
            table_salt: table_salt(&job.root, &job.limits),
            tablebases: &self.tablebases,
            root_moves: &root_moves,
            evaluator: &self.evaluator,
            reversible_moves: &self.reversible_moves,
            reductions: &self.reductions,
            #[cfg(feature = "tune")]
            params: &self.params,
            control,
            budget: TimeBudget::new(&job.limits, job.settings.move_overhead, job.start),
            counters: &counters,
            finished: AtomicBool::new(false),
        };
        work(&shared, &mut self.histories)
    }
}

impl Search {
    /// The root moves to search: those that were asked for, or else those the endgame tables recommend, in as many
    /// groups as there are lines to fill. No group means all moves.
    fn root_moves(&self, job: &Job) -> Vec<Group> {
        let asked = &job.limits.search_moves;
        if !asked.is_empty() || job.limits.mate.is_some() {
            let moves = asked.clone();
            let verdict = None;
            return vec![Group { moves, verdict }];
        }
        let table = self.evaluator.table();
        let mut path = job.path.clone();
        path.push(job.root.key());
        let is_drawn = |m| path.is_draw(&job.root.child(m, table), 1);
        let groups = self.tablebases.ranked_moves(&job.root, is_drawn);
        let mut groups = groups.unwrap_or_default();
        let mut lines = job.settings.multi_pv.max(1);
        groups.retain(|group| {
            let wanted = lines > 0;
            lines = lines.saturating_sub(group.moves.len());
            wanted
        });
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::movegen;
    use crate::score::Score;

    fn job(limits: Limits, multi_pv: usize) -> Job {
        Job {
            root: Position::initial(Evaluator::new().table()),
            path: KeyPath::default(),
            limits,
            settings: Settings {
                multi_pv,
                ..Settings::default()
            },
            start: Instant::now(),
        }
    }

    fn nodes(search: &mut Search, depth: u32) -> u64 {
        let job = job(Limits::depth(depth), 1);
        let outcome = search.run(&job, &Control::new(), &mut |_| ());
        outcome.figures.nodes
    }

    #[test]
    fn a_new_game_searches_like_the_first_one() {
        let mut search = Search::new(1, 1).unwrap();
        let first = nodes(&mut search, 6);
        assert_ne!(nodes(&mut search, 6), first);
        search.new_game();
        assert_eq!(nodes(&mut search, 6), first);
        // The table alone is not all that is learned.
        search.clear_hash();
        assert_ne!(nodes(&mut search, 6), first);
    }

    #[test]
    fn a_table_of_the_same_size_keeps_its_entries() {
        let mut search = Search::new(1, 1).unwrap();
        nodes(&mut search, 4);
        let key = Position::initial(search.evaluator.table()).key();
        search.set_hash(1).unwrap();
        assert!(search.table.probe(key).is_some());
        search.set_hash(2).unwrap();
        assert_eq!(search.table.mib(), 2);
        assert!(search.table.probe(key).is_none());
    }

    #[test]
    fn threads_come_and_go_and_too_many_are_refused() {
        let mut search = Search::new(1, 1).unwrap();
        for (asked, given) in [(3, 3), (2, 2), (0, 1)] {
            search.set_threads(asked).unwrap();
            assert_eq!(search.histories.len(), given);
        }
        let error = search.set_threads(usize::MAX);
        // Where the system does not say how much memory there is, asking for that many would take it all.
        if system_memory::available_mib().is_some() {
            assert_eq!(error, Err(SetupError::Threads(usize::MAX)));
            assert_eq!(search.histories.len(), 1);
        }
    }

    #[test]
    fn other_weights_change_the_evaluation_and_forget_what_was_found() {
        let mut search = Search::new(1, 1).unwrap();
        nodes(&mut search, 4);
        let key = Position::initial(search.evaluator.table()).key();
        let percent = Percent {
            mobility: 0,
            ..Percent::default()
        };
        search.set_percent(percent);
        assert!(search.table.probe(key).is_none());
        let knight_out = "4k3/4p3/8/8/3N4/8/4P3/4K3 w - - 0 1";
        let value = |evaluator: &Evaluator| {
            let chess = crate::chess::fen::parse(knight_out).unwrap();
            evaluator.evaluate(&Position::new(chess, evaluator.table()))
        };
        assert_ne!(value(search.evaluator()), value(&Evaluator::new()));
    }

    #[test]
    fn the_moves_asked_for_make_one_group() {
        let search = Search::new(1, 1).unwrap();
        let root = Position::initial(search.evaluator.table());
        let asked = movegen::legal_moves(&root)[..2].to_vec();
        let limits = |search_moves: &[_], mate| Limits {
            search_moves: search_moves.to_vec(),
            mate,
            ..Limits::default()
        };
        let groups = search.root_moves(&job(limits(&asked, None), 1));
        assert_eq!(groups.len(), 1);
        assert_eq!(groups[0].moves, asked);
        assert_eq!(search.root_moves(&job(limits(&[], Some(2)), 1)).len(), 1);
        assert!(search.root_moves(&job(limits(&[], None), 1)).is_empty());
    }

    #[test]
    fn no_line_is_no_reason_to_search_none() {
        let mut search = Search::new(1, 1).unwrap();
        let job = job(Limits::depth(2), 0);
        let outcome = search.run(&job, &Control::new(), &mut |_| ());
        assert!(outcome.best.is_some() && outcome.score > -Score::INFINITE);
    }
}
