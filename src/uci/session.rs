//! What the engine knows of its client: the game, the options, and the jobs that are not done yet.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use shakmaty::{CastlingMode, Move};

use super::command::{self, Command, Start};
use super::game::Game;
use super::go::Go;
use super::options::{self, Id, Setting, Value, Values};
use super::output::Output;
use super::report::{self, Style};
use super::wdl::Model;
use super::{moves, perft};
use crate::bench;
use crate::chess::eval::Evaluator;
use crate::engine::{Chore, Engine, EngineError, Event, Handle, JobId};
use crate::search::{Bound, Job, Outcome, Report, Settings, Variation};

/// Bounds are shown only in searches longer than this.
const TALKATIVE_AFTER: Duration = Duration::from_secs(3);

const AUTHOR: &str = "the Lanternfish authors";

const HELP: &str = "\
Lanternfish is a chess engine. It is meant to be used from a chess program that speaks UCI.
By hand, try these:
  position startpos moves e2e4    set up a position (or: position fen <FEN> moves ...)
  go movetime 1000                search for a second
  go depth 12                     search to a depth
  go infinite, stop               search until told to stop
  go perft 5                      count the positions five plies deep
  d                               show the position
  eval                            explain the evaluation
  flip                            exchange the colours
  bench [depth] [threads] [hash]  measure the speed
  uci                             list the options
  quit                            end";

/// A job that the search thread has not finished.
enum Pending {
    Chore(JobId),
    Task(Handle),
    Search(Box<RunningSearch>),
}

struct RunningSearch {
    handle: Handle,
    style: Style,
    start: Instant,
    ponder: bool,
    /// How the last best line that was printed begins.
    printed: Opening,
    /// A fail-high that was not printed because the search was young.
    held_back: Option<Variation>,
}

/// The first two moves of a line.
type Opening = (Option<Move>, Option<Move>);

fn opening(variation: &Variation) -> Opening {
    let mut moves = variation.moves.iter().copied();
    (moves.next(), moves.next())
}

impl Pending {
    fn id(&self) -> JobId {
        match self {
            Pending::Chore(id) => *id,
            Pending::Task(handle) => handle.id(),
            Pending::Search(search) => search.handle.id(),
        }
    }
}

/// The state of the conversation.
pub struct Session {
    engine: Engine,
    evaluator: Evaluator,
    output: Output,
    game: Game,
    values: Values,
    pending: VecDeque<Pending>,
    /// For each `isready` that is not answered: the chore or task it waits for.
    ready_after: VecDeque<JobId>,
    debug: bool,
    quitting: bool,
}

impl Session {
    /// A session at the start position, with the default options.
    ///
    /// # Errors
    ///
    /// When the engine cannot be started.
    pub fn new() -> Result<Session, EngineError> {
        let values = Values::new();
        let evaluator = Evaluator::new();
        Ok(Session {
            engine: Engine::new(values.hash_mib, values.threads)?,
            output: Output::default(),
            game: Game::new(evaluator.table()),
            evaluator,
            values,
            pending: VecDeque::new(),
            ready_after: VecDeque::new(),
            debug: false,
            quitting: false,
        })
    }

    /// Where the events come in that [`Session::tell`] is to be told.
    pub fn events(&self) -> Receiver<Event> {
        self.engine.events().clone()
    }

    /// Whether the client said `quit` or does not read any more.
    pub fn is_over(&self) -> bool {
        self.quitting || self.output.is_closed()
    }

    /// Whether all jobs are done.
    pub fn is_idle(&self) -> bool {
        self.pending.is_empty()
    }

    /// Ends the search thread when its jobs are done.
    pub fn join(self) {
        self.engine.join();
    }

    /// Reports a mistake to the client.
    pub fn complain(&mut self, text: &str) {
        self.output.info_string(text);
    }

    /// Stops all searches. Tasks go on.
    pub fn stop_searches(&self) {
        for pending in &self.pending {
            if let Pending::Search(search) = pending {
                search.handle.stop();
            }
        }
    }

    /// Stops all searches and tasks.
    pub fn stop_everything(&self) {
        self.stop_searches();
        for pending in &self.pending {
            if let Pending::Task(handle) = pending {
                handle.stop();
            }
        }
    }

    /// Does what a line asks for.
    pub fn obey(&mut self, line: &str) {
        self.output.received(line);
        let (command, notes) = command::parse(line);
        for note in notes {
            self.complain(&note);
        }
        match command {
            Command::Uci => self.introduce(),
            Command::Debug(on) => self.debug = on,
            Command::IsReady => self.answer_is_ready(),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::Register | Command::Nothing => {}
            Command::NewGame => self.change(Chore::NewGame),
            Command::Position { start, moves } => self.set_position(&start, &moves),
            Command::Go(go) => self.go(&go),
            Command::Stop => self.stop_everything(),
            Command::PonderHit => self.ponder_hit(),
            Command::Quit => self.quitting = true,
            Command::Display => self.print(&self.game.diagram()),
            Command::Eval => {
                let trace = self.evaluator.trace(self.game.position());
                let model = Model::new(self.game.position().board());
                self.print(&report::evaluation(&trace, model));
            }
            Command::Bench(config) => self.bench(config),
            Command::Flip => self.flip(),
            Command::Help => self.print(HELP),
            Command::Wrong(problem) => self.complain(&problem),
        }
    }

    fn print(&mut self, text: &str) {
        for line in text.lines() {
            self.output.line(line);
        }
    }

    fn introduce(&mut self) {
        let version = env!("CARGO_PKG_VERSION");
        self.output.line(&format!("id name Lanternfish {version}"));
        self.output.line(&format!("id author {AUTHOR}"));
        for entry in &options::TABLE {
            self.output.line(&entry.line());
        }
        #[cfg(feature = "tune")]
        super::tune::option_lines().for_each(|line| self.output.line(&line));
        self.output.line("uciok");
    }

    /// `readyok`, at once or after the chores and tasks that come before the next search. One that was stopped is
    /// over soon and not counted.
    fn answer_is_ready(&mut self) {
        let goes_on = |pending: &&Pending| match pending {
            Pending::Search(search) => !search.handle.is_stopped(),
            _ => false,
        };
        let due = self.pending.iter().take_while(|pending| !goes_on(pending));
        let due = due.filter(|pending| !matches!(pending, Pending::Search(_)));
        match due.last() {
            Some(job) => self.ready_after.push_back(job.id()),
            None => self.output.line("readyok"),
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        #[cfg(feature = "tune")]
        if let Some((name, value)) = super::tune::parse(name, value) {
            return self.change(Chore::Parameter(name, value));
        }
        let Setting { id, value, note } = match options::parse(name, value) {
            Ok(setting) => setting,
            Err(problem) => return self.complain(&problem),
        };
        if let Some(note) = note {
            self.complain(&note);
        }
        let old = self.values.percent;
        self.values.set(id, &value);
        match (id, value) {
            (Id::Hash, _) => self.change(Chore::Hash(self.values.hash_mib)),
            (Id::Threads, _) => self.change(Chore::Threads(self.values.threads)),
            (Id::ClearHash, _) => self.change(Chore::ClearHash),
            (Id::SyzygyPath, Value::Text(path)) => self.change(Chore::Tablebases(path)),
            (Id::DebugLogFile, Value::Text(path)) => self.output.set_log(&path),
            // Clients like to send all options: most of them say nothing new.
            (Id::Weight(_), _) if self.values.percent != old => self.weigh_evaluation(),
            _ => {}
        }
    }

    /// The next search and the next `eval` use the new weights. A position that is set up already is summed anew.
    fn weigh_evaluation(&mut self) {
        let percent = self.values.percent;
        self.evaluator = Evaluator::with_percent(percent);
        self.game.use_table(self.evaluator.table());
        self.change(Chore::Percent(percent));
    }

    fn change(&mut self, chore: Chore) {
        let text = format!("{chore:?}");
        let id = self.engine.change(chore);
        self.pending.push_back(Pending::Chore(id));
        if self.debug {
            self.complain(&format!("job {id}: {text}"));
        }
    }

    fn set_position(&mut self, start: &Start, moves: &[String]) {
        let mode = CastlingMode::from_chess960(self.values.chess960);
        match Game::parse(start, moves, mode, self.evaluator.table()) {
            Ok((game, note)) => {
                self.game = game;
                if let Some(note) = note {
                    self.complain(&note);
                }
            }
            Err(error) => {
                self.complain(&format!("{error}; the position before it stays"));
            }
        }
    }

    fn flip(&mut self) {
        match self.game.flipped(self.evaluator.table()) {
            Ok(game) => self.game = game,
            Err(error) => self.complain(&error.to_string()),
        }
    }

    fn go(&mut self, go: &Go) {
        let start = Instant::now();
        self.stop_everything();
        if let Some(depth) = go.perft() {
            return self.perft(depth);
        }
        let (limits, notes) = go.limits(self.game.position());
        for note in notes {
            self.complain(&note);
        }
        let ponder = limits.ponder;
        let handle = self.engine.go(Job {
            root: self.game.position().clone(),
            path: self.game.path().clone(),
            limits,
            settings: Settings {
                multi_pv: self.values.multi_pv,
                move_overhead: Duration::from_millis(self.values.move_overhead),
            },
            start,
        });
        if self.debug {
            self.complain(&format!("job {}: {go:?}", handle.id()));
        }
        self.pending
            .push_back(Pending::Search(Box::new(RunningSearch {
                handle,
                style: self.style(),
                start,
                ponder,
                printed: (None, None),
                held_back: None,
            })));
    }

    fn style(&self) -> Style {
        Style {
            castling: CastlingMode::from_chess960(self.values.chess960),
            show_wdl: self.values.show_wdl,
            model: Model::new(self.game.position().board()),
        }
    }

    fn perft(&mut self, depth: u32) {
        let position = self.game.position().clone();
        let (table, style) = (self.evaluator.table().clone(), self.style());
        let handle = self.engine.run(Box::new(move |control, say| {
            let stopped = || control.is_stopped();
            let counted = perft::divide(&position, depth, &table, &stopped, &mut |m, count| {
                say(format!("{}: {count}", moves::write(m, style.castling)));
                true
            });
            if counted.complete {
                say(format!("\nNodes searched: {}", counted.nodes));
            } else {
                say("info string perft was stopped before its end".to_string());
            }
        }));
        self.pending.push_back(Pending::Task(handle));
    }

    fn bench(&mut self, config: bench::Config) {
        self.stop_everything();
        let handle = self.engine.run(Box::new(move |control, say| {
            let result = bench::run(config, control, &mut |line| say(line.to_string()));
            match result {
                Ok(total) => say(total.to_string()),
                Err(error) => say(format!("info string {error}")),
            }
        }));
        self.pending.push_back(Pending::Task(handle));
    }

    /// Only the last search can be the one that the client means; options may have been set since.
    fn ponder_hit(&mut self) {
        let last = self.pending.iter().rev().find_map(|pending| match pending {
            Pending::Search(search) => Some(search),
            _ => None,
        });
        if let Some(search) = last.filter(|search| search.ponder) {
            search.handle.ponder_hit();
        }
    }

    /// Passes on what the search thread tells. Events of jobs that are over are dropped.
    pub fn tell(&mut self, event: Event) {
        match event {
            Event::Report(id, report) => {
                if let Some(Pending::Search(search)) = self.pending.front_mut()
                    && search.handle.id() == id
                {
                    search.report(*report, &mut self.output);
                }
            }
            Event::Text(_, text) => self.print(&text),
            Event::Problem(_, problem) => self.complain(&problem),
            Event::Finished(id, outcome) => {
                if let Some(Pending::Search(search)) = self.take_first(id) {
                    search.finish(&outcome, &mut self.output);
                }
            }
            Event::Done(id) => {
                self.take_first(id);
                while self.ready_after.front().is_some_and(|&after| after <= id) {
                    self.ready_after.pop_front();
                    self.output.line("readyok");
                }
            }
        }
    }

    /// The oldest job, if it has this number.
    fn take_first(&mut self, id: JobId) -> Option<Pending> {
        self.pending.pop_front_if(|pending| pending.id() == id)
    }
}

impl RunningSearch {
    fn report(&mut self, report: Report, output: &mut Output) {
        let talkative = self.start.elapsed() >= TALKATIVE_AFTER;
        match report {
            Report::CurrentMove {
                depth,
                current,
                number,
            } => output.line(&report::current_move(depth, current, number, self.style)),
            Report::Variation(variation) if variation.stands() || talkative => {
                self.print(&variation, output);
            }
            Report::Variation(variation) => {
                if variation.bound == Bound::Lower && variation.multi_pv == 1 {
                    self.held_back = Some(variation);
                }
            }
        }
    }

    fn print(&mut self, variation: &Variation, output: &mut Output) {
        if variation.multi_pv == 1 {
            self.held_back = None;
            if variation.bound != Bound::Upper {
                self.printed = opening(variation);
            }
        }
        output.line(&report::variation(variation, self.style));
    }

    /// Prints the answer. When the last line begins with other moves, the fail-high that brought these up is
    /// shown before, so that the client sees where they come from.
    fn finish(mut self, outcome: &Outcome, output: &mut Output) {
        let answer = (outcome.best, outcome.ponder);
        let missing = self
            .held_back
            .take()
            .filter(|variation| self.printed != answer && opening(variation) == answer);
        if let Some(variation) = missing {
            self.print(&variation, output);
        }
        output.line(&report::best_move(outcome, self.style));
    }
}
