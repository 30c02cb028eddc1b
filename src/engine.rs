//! The search on a thread of its own: jobs go in, events come out.
//!
//! Jobs are done one after the other, in the order in which they were given. The owner of the [`Engine`] never
//! waits: a running search is reached through its [`Handle`], and all news comes as [`Event`]s.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, unbounded};
use shakmaty::Move;

use crate::chess::eval::Percent;
use crate::chess::movegen::legal_moves;
use crate::chess::tablebase::Tablebases;
use crate::score::Score;
use crate::search::{
    Bound, Control, Figures, Job, Line, Outcome, Report, Search, SetupError, Variation,
};

/// The number of a job; later jobs have greater numbers.
pub type JobId = u64;

/// News from the search thread. Each carries the number of the job it belongs to.
#[derive(Clone, Debug)]
pub enum Event {
    /// A running search tells something.
    Report(JobId, Box<Report>),
    /// A line of text from a task.
    Text(JobId, String),
    /// Something the user should know. The job goes on, or is given up if it failed.
    Problem(JobId, String),
    /// A search has ended, and this is its answer. Nothing more comes of this job.
    Finished(JobId, Outcome),
    /// A chore or a task is done. Nothing more comes of this job.
    Done(JobId),
}

/// A change to what the search keeps between moves.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Chore {
    /// Give the transposition table this size in MiB. When there is not enough memory, it keeps its size.
    Hash(usize),
    /// Search with this many threads.
    Threads(usize),
    /// Empty the transposition table.
    ClearHash,
    /// Use the endgame tables in these folders.
    Tablebases(String),
    /// Weigh the parts of the evaluation so, and forget everything found with other weights.
    Percent(Percent),
    /// Give a number of the search this value.
    #[cfg(feature = "tune")]
    Parameter(String, i32),
    /// Forget everything about the last game.
    NewGame,
}

/// Work of another kind for the search thread: it looks at the control and sends lines of text.
pub type Task = Box<dyn FnOnce(&Control, &mut dyn FnMut(String)) + Send>;

/// Why there is no engine.
#[derive(Debug)]
pub enum EngineError {
    /// No memory for the transposition table, or for what the threads learn.
    Setup(SetupError),
    /// No thread for the search or the input.
    Thread(std::io::Error),
}

impl std::fmt::Display for EngineError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            EngineError::Setup(error) => write!(f, "{error}"),
            EngineError::Thread(error) => write!(f, "no thread to work with: {error}"),
        }
    }
}

impl std::error::Error for EngineError {}

/// Reaches one search or task, before and while it runs.
#[derive(Clone, Debug)]
pub struct Handle {
    id: JobId,
    control: Arc<Control>,
    release: Sender<Release>,
}

impl Handle {
    /// The number of the job.
    pub fn id(&self) -> JobId {
        self.id
    }

    /// Asks the job to end at once, and to give its answer.
    pub fn stop(&self) {
        self.control.stop();
        // When the job is over, nobody listens.
        let _ = self.release.send(Release::Stop);
    }

    /// Whether it was asked to end.
    pub fn is_stopped(&self) -> bool {
        self.control.is_stopped()
    }

    /// The expected move was played: the pondering search goes on on the own clock.
    pub fn ponder_hit(&self) {
        self.control.ponder_hit();
        let _ = self.release.send(Release::PonderHit);
    }
}

#[derive(Copy, Clone, Debug, Eq, PartialEq)]
enum Release {
    Stop,
    PonderHit,
}

enum Work {
    Search(Box<Job>, Arc<Control>, Receiver<Release>),
    Chore(Chore),
    Task(Task, Arc<Control>),
}

/// The search thread.
#[derive(Debug)]
pub struct Engine {
    jobs: Sender<(JobId, Work)>,
    events: Receiver<Event>,
    thread: JoinHandle<()>,
    last_id: JobId,
}

impl Engine {
    /// Starts the thread with a table of `hash_mib` MiB and `threads` search threads.
    ///
    /// # Errors
    ///
    /// When there is no memory for the table or the threads' histories, or no thread.
    pub fn new(hash_mib: usize, threads: usize) -> Result<Engine, EngineError> {
        let (jobs, job_receiver) = unbounded();
        let (event_sender, events) = unbounded();
        let worker = Worker {
            search: Search::new(hash_mib, threads).map_err(EngineError::Setup)?,
            hash_mib,
            threads,
            tablebase_path: String::new(),
            damage_told: false,
            percent: Percent::default(),
            events: event_sender,
        };
        let thread = thread::Builder::new()
            .name("search".to_string())
            .spawn(move || worker.serve(&job_receiver))
            .map_err(EngineError::Thread)?;
        Ok(Engine {
            jobs,
            events,
            thread,
            last_id: 0,
        })
    }

    /// Where the news comes in.
    pub fn events(&self) -> &Receiver<Event> {
        &self.events
    }

    /// Searches, when all earlier jobs are done. Exactly one [`Event::Finished`] will come.
    ///
    /// The answer to an infinite search is held back until the stop, the answer to a pondering one until the
    /// stop or the ponder hit.
    pub fn go(&mut self, job: Job) -> Handle {
        self.start(|control, release| Work::Search(Box::new(job), control, release))
    }

    /// Runs a task, when all earlier jobs are done. Exactly one [`Event::Done`] will come.
    pub fn run(&mut self, task: Task) -> Handle {
        self.start(|control, _| Work::Task(task, control))
    }

    /// Does a chore, when all earlier jobs are done. Exactly one [`Event::Done`] will come.
    pub fn change(&mut self, chore: Chore) -> JobId {
        self.send(Work::Chore(chore))
    }

    /// Waits until the jobs given so far are done, then ends the thread.
    pub fn join(self) {
        drop(self.jobs);
        // Panics are caught inside the thread, and if one was not, there is nothing to do about it here.
        let _ = self.thread.join();
    }

    fn start(&mut self, work: impl FnOnce(Arc<Control>, Receiver<Release>) -> Work) -> Handle {
        let control = Arc::new(Control::new());
        let (release, receiver) = unbounded();
        let id = self.send(work(Arc::clone(&control), receiver));
        Handle {
            id,
            control,
            release,
        }
    }

    fn send(&mut self, work: Work) -> JobId {
        self.last_id += 1;
        // The thread ends only after this sender is gone.
        let _ = self.jobs.send((self.last_id, work));
        self.last_id
    }
}

/// Gives the search the endgame tables in `path` and returns what the user should know of them.
fn load_tablebases(search: &mut Search, path: &str) -> Vec<String> {
    let (tablebases, mut notes) = Tablebases::load(path);
    if tablebases.files() > 0 {
        let (files, pieces) = (tablebases.files(), tablebases.most_pieces());
        notes.push(format!(
            "{files} endgame table files, up to {pieces} pieces"
        ));
    }
    search.set_tablebases(tablebases);
    notes
}

/// What the search thread owns.
struct Worker {
    search: Search,
    hash_mib: usize,
    threads: usize,
    tablebase_path: String,
    damage_told: bool,
    percent: Percent,
    events: Sender<Event>,
}

impl Worker {
    fn serve(mut self, jobs: &Receiver<(JobId, Work)>) {
        for (id, work) in jobs {
            match work {
                Work::Search(job, control, release) => {
                    let outcome = self.search(id, *job, &control, &release);
                    self.tell(Event::Finished(id, outcome));
                }
                Work::Chore(chore) => {
                    self.change(id, chore);
                    self.tell(Event::Done(id));
                }
                Work::Task(task, control) => {
                    self.run(id, task, &control);
                    self.tell(Event::Done(id));
                }
            }
        }
    }

    /// Searches and holds the answer back as long as the limits ask for it. The wait is a blocking one.
    fn search(
        &mut self,
        id: JobId,
        job: Job,
        control: &Control,
        release: &Receiver<Release>,
    ) -> Outcome {
        let (infinite, ponder) = (job.limits.infinite, job.limits.ponder);
        let fallback = any_move(&job);
        let events = self.events.clone();
        let mut report = |report| {
            let _ = events.send(Event::Report(id, Box::new(report)));
        };
        let search = &mut self.search;
        let result = catch_unwind(AssertUnwindSafe(|| search.run(&job, control, &mut report)));
        let mut outcome = result.unwrap_or_else(|_| {
            self.recover(id, "the search failed and any legal move is played");
            Outcome {
                best: fallback,
                ponder: None,
                score: Score::DRAW,
                depth: 0,
                figures: Figures::default(),
            }
        });
        self.tell_damage(id);
        // A search that could not even begin has no move either, but the client needs one.
        outcome.best = outcome.best.or(fallback);
        if outcome.best.is_none() {
            self.tell(Event::Report(id, Box::new(no_moves(&outcome))));
        }
        let ends_wait = |news| news == Release::Stop || !infinite;
        if infinite || ponder {
            // An error means that nobody holds the handle any more.
            while release.recv().is_ok_and(|news| !ends_wait(news)) {}
        }
        outcome
    }

    /// Reports once that an endgame table is damaged.
    fn tell_damage(&mut self, id: JobId) {
        if !self.damage_told
            && let Some(damage) = self.search.tablebase_damage()
        {
            self.tell(Event::Problem(id, damage.to_string()));
            self.damage_told = true;
        }
    }

    fn change(&mut self, id: JobId, chore: Chore) {
        let search = &mut self.search;
        let result = catch_unwind(AssertUnwindSafe(|| match &chore {
            Chore::Hash(mib) => search.set_hash(*mib).map(|()| Vec::new()),
            Chore::Threads(threads) => search.set_threads(*threads).map(|()| Vec::new()),
            Chore::Tablebases(path) => Ok(load_tablebases(search, path)),
            Chore::Percent(percent) => {
                search.set_percent(*percent);
                Ok(Vec::new())
            }
            #[cfg(feature = "tune")]
            Chore::Parameter(name, value) => {
                let known = search.set_parameter(name, *value).is_some();
                Ok(if known {
                    Vec::new()
                } else {
                    vec![format!("no parameter {name}")]
                })
            }
            Chore::ClearHash => {
                search.clear_hash();
                Ok(Vec::new())
            }
            Chore::NewGame => {
                search.new_game();
                Ok(Vec::new())
            }
        }));
        match (result, chore) {
            (Ok(Ok(notes)), chore) => {
                match chore {
                    Chore::Hash(mib) => self.hash_mib = mib,
                    Chore::Threads(threads) => self.threads = threads,
                    Chore::Tablebases(path) => {
                        self.tablebase_path = path;
                        self.damage_told = false;
                    }
                    Chore::Percent(percent) => self.percent = percent,
                    _ => {}
                }
                notes
                    .into_iter()
                    .for_each(|note| self.tell(Event::Problem(id, note)));
            }
            (Ok(Err(error)), _) => self.tell(Event::Problem(id, error.to_string())),
            (Err(_), _) => self.recover(id, "the setting could not be changed"),
        }
    }

    fn run(&mut self, id: JobId, task: Task, control: &Control) {
        let events = self.events.clone();
        let mut say = |text| {
            let _ = events.send(Event::Text(id, text));
        };
        if catch_unwind(AssertUnwindSafe(|| task(control, &mut say))).is_err() {
            self.tell(Event::Problem(id, "the task failed".to_string()));
        }
    }

    /// After a panic: a new search in place of one that may be broken.
    fn recover(&mut self, id: JobId, problem: &str) {
        let (percent, path) = (self.percent, &self.tablebase_path);
        let anew = |hash_mib, threads| {
            catch_unwind(AssertUnwindSafe(|| {
                let mut search = Search::new(hash_mib, threads).ok()?;
                search.set_percent(percent);
                search.set_tablebases(Tablebases::load(path).0);
                Some(search)
            }))
        };
        let fresh = anew(self.hash_mib, self.threads).ok().flatten();
        if let Some(search) = fresh.or_else(|| anew(1, 1).ok().flatten()) {
            self.search = search;
        }
        self.tell(Event::Problem(id, format!("internal error: {problem}")));
    }

    fn tell(&self, event: Event) {
        // When nobody listens, the sender of jobs is gone too and the thread is about to end.
        let _ = self.events.send(event);
    }
}

/// A root without a legal move is reported as well, as a variation without moves.
fn no_moves(outcome: &Outcome) -> Report {
    Report::Variation(Variation {
        depth: 0,
        selective_depth: 0,
        multi_pv: 1,
        score: outcome.score,
        bound: Bound::Exact,
        figures: outcome.figures,
        moves: Line::new(),
    })
}

fn any_move(job: &Job) -> Option<Move> {
    let allowed = job.limits.search_moves.first().copied();
    allowed.or_else(|| legal_moves(&job.root).first().copied())
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::chess::eval::Evaluator;
    use crate::chess::keys::KeyPath;
    use crate::chess::position::Position;
    use crate::search::{Limits, Settings};

    const PATIENCE: Duration = Duration::from_secs(20);
    const A_MOMENT: Duration = Duration::from_millis(100);

    fn engine() -> Engine {
        Engine::new(1, 1).expect("an engine")
    }

    fn job(limits: Limits) -> Job {
        Job {
            root: Position::initial(Evaluator::new().table()),
            path: KeyPath::default(),
            limits,
            settings: Settings::default(),
            start: Instant::now(),
        }
    }

    /// The next event that ends a job.
    fn end_of_job(engine: &Engine, patience: Duration) -> Option<(JobId, Option<Outcome>)> {
        let until = Instant::now() + patience;
        while let Ok(event) = engine.events().recv_deadline(until) {
            match event {
                Event::Finished(id, outcome) => return Some((id, Some(outcome))),
                Event::Done(id) => return Some((id, None)),
                _ => {}
            }
        }
        None
    }

    #[test]
    fn jobs_are_done_in_order() {
        let mut engine = engine();
        let first = engine.go(job(Limits::depth(1))).id();
        let second = engine.change(Chore::NewGame);
        let third = engine.go(job(Limits::depth(1))).id();
        assert!(first < second && second < third);
        for id in [first, second, third] {
            let (ended, outcome) = end_of_job(&engine, PATIENCE).expect("an end");
            assert_eq!(ended, id);
            assert_eq!(outcome.is_some_and(|o| o.best.is_some()), id != second);
        }
        engine.join();
    }

    #[test]
    fn the_answer_of_an_infinite_search_waits_for_the_stop() {
        let mut engine = engine();
        let limits = Limits {
            infinite: true,
            depth: Some(1),
            ..Limits::default()
        };
        let handle = engine.go(job(limits));
        assert!(end_of_job(&engine, A_MOMENT).is_none());
        handle.ponder_hit();
        assert!(end_of_job(&engine, A_MOMENT).is_none());
        handle.stop();
        assert!(end_of_job(&engine, PATIENCE).is_some());
    }

    #[test]
    fn the_answer_of_a_pondering_search_waits_for_the_ponder_hit() {
        let mut engine = engine();
        let limits = Limits {
            ponder: true,
            depth: Some(1),
            ..Limits::default()
        };
        let handle = engine.go(job(limits));
        assert!(end_of_job(&engine, A_MOMENT).is_none());
        handle.ponder_hit();
        assert!(end_of_job(&engine, PATIENCE).is_some());
    }

    #[test]
    fn a_stop_before_the_search_begins_is_not_lost() {
        let mut engine = engine();
        let limits = Limits {
            infinite: true,
            ..Limits::default()
        };
        let first = engine.go(job(limits.clone()));
        let second = engine.go(job(limits));
        second.stop();
        first.stop();
        for handle in [first, second] {
            let (id, outcome) = end_of_job(&engine, PATIENCE).expect("an end");
            assert_eq!(id, handle.id());
            assert!(outcome.is_some_and(|outcome| outcome.best.is_some()));
        }
    }

    #[test]
    fn a_task_sends_lines_and_may_fail() {
        let mut engine = engine();
        engine.run(Box::new(|_, say| say("hello".to_string())));
        let events = engine.events().clone();
        assert!(
            matches!(events.recv_timeout(PATIENCE), Ok(Event::Text(1, text)) if text == "hello")
        );
        assert!(matches!(events.recv_timeout(PATIENCE), Ok(Event::Done(1))));
        engine.run(Box::new(|_, _| panic!("on purpose")));
        assert!(matches!(
            events.recv_timeout(PATIENCE),
            Ok(Event::Problem(2, _))
        ));
        assert!(matches!(events.recv_timeout(PATIENCE), Ok(Event::Done(2))));
        let handle = engine.go(job(Limits::depth(1)));
        assert_eq!(
            end_of_job(&engine, PATIENCE).map(|(id, _)| id),
            Some(handle.id())
        );
    }

    #[test]
    fn a_table_too_large_leaves_the_old_one() {
        let mut engine = engine();
        engine.change(Chore::Hash(crate::search::MAX_HASH_MIB));
        let event = engine.events().recv_timeout(PATIENCE);
        assert!(matches!(event, Ok(Event::Problem(1, _))), "{event:?}");
        engine.change(Chore::Threads(2));
        engine.go(job(Limits::depth(1)));
        engine.join();
    }
}
