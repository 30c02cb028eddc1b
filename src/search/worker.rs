//! One thread of a search: what it keeps for each ply, its counters, and when it has to end.

use std::sync::atomic::Ordering;

use super::continuation::PathMoves;
use super::game::{CompactMove, KeyPath, Position, Threats};
use super::history::Histories;
use super::picker::KILLERS;
use super::pv::PvTable;
use super::report::Report;
use super::root::RootMoves;
use super::shared::Shared;
use crate::score::{MAX_PLY, Score};

/// Nodes between two looks at the clock and the stop flag.
const CHECK_INTERVAL: u64 = 512;
/// The same for all threads together: many threads share few processors, and the search is over only when the last of
/// them has looked. So with more than 16 threads each looks more often.
const COMMON_CHECK_INTERVAL: u64 = 8192;
/// No thread looks more often than this, in nodes.
const SHORTEST_CHECK_INTERVAL: u64 = 16;

/// The search has to end, or a limit was reached.
#[derive(Copy, Clone, Debug)]
pub struct Aborted;

/// What is kept for each ply of the current line.
#[derive(Clone, Debug)]
pub struct Frame {
    pub killers: [Option<CompactMove>; KILLERS],
    pub static_eval: Score,
    /// Squares the opponent attacks, if moves were searched.
    pub threats: Threats,
    /// The move being searched; `None` for a null move.
    pub current: Option<CompactMove>,
    /// The move that a singular search leaves out.
    pub excluded: Option<CompactMove>,
    /// Plies by which the move being searched is reduced.
    pub reduction: i32,
    /// How often nodes at this ply have failed high since their grandparent was entered.
    pub cutoffs: u32,
}

impl Frame {
    fn new() -> Frame {
        Frame {
            killers: [None; KILLERS],
            static_eval: Score::NONE,
            threats: Threats::default(),
            current: None,
            excluded: None,
            reduction: 0,
            cutoffs: 0,
        }
    }
}

/// One thread of a search.
pub struct Worker<'a> {
    pub shared: &'a Shared<'a>,
    pub histories: &'a mut Histories,
    pub path: KeyPath,
    pub stack: Vec<Frame>,
    /// The principal variation from each ply.
    pub pv: PvTable,
    /// The moves of the current path.
    pub path_moves: PathMoves,
    pub root_moves: RootMoves,
    pub selective_depth: usize,
    pub nodes: u64,
    pub report: &'a mut (dyn FnMut(Report) + Send),
    /// The depth of the current iteration.
    pub root_depth: i32,
    /// No null move before this ply: set while one is verified.
    pub null_move_ply: usize,
    /// While pondering: the time spent is enough for the move, so that a ponder hit ends the search.
    pub ponder_time_is_enough: bool,
    /// The last iteration that was finished, in plies.
    pub completed_depth: i32,
    next_check: u64,
    index: usize,
}

impl<'a> Worker<'a> {
    /// The worker number `index`; number 0 watches the limits and reports.
    pub fn new(
        shared: &'a Shared<'a>,
        histories: &'a mut Histories,
        report: &'a mut (dyn FnMut(Report) + Send),
        index: usize,
    ) -> Worker<'a> {
        let mut worker = Worker {
            shared,
            histories,
            path: shared.path.clone(),
            stack: vec![Frame::new(); MAX_PLY + 2],
            pv: PvTable::new(),
            path_moves: PathMoves::default(),
            root_moves: RootMoves::new(shared.root, shared.root_moves),
            selective_depth: 0,
            nodes: 0,
            report,
            root_depth: 0,
            null_move_ply: 0,
            next_check: 0,
            ponder_time_is_enough: false,
            index,
            completed_depth: 0,
        };
        worker.schedule_check();
        worker
    }

    /// Whether this worker watches the limits and reports.
    pub fn is_main(&self) -> bool {
        self.index == 0
    }

    /// Whether a mate is looked for, with nothing pruned that could hide it.
    pub fn is_mate_search(&self) -> bool {
        self.shared.limits.mate.is_some()
    }

    /// Counts a node and ends the search when it is time.
    #[inline]
    pub fn count_node(&mut self) -> Result<(), Aborted> {
        self.nodes += 1;
        if self.nodes >= self.next_check {
            self.check_limits()
        } else {
            Ok(())
        }
    }

    #[cold]
    fn check_limits(&mut self) -> Result<(), Aborted> {
        self.publish_nodes();
        self.schedule_check();
        let shared = self.shared;
        // Each thread looks for itself: the first one may have to wait for a processor when there are many.
        if shared.is_stopped() {
            return Err(Aborted);
        }
        if !self.is_main() {
            let over = shared.budget.is_over(shared.control);
            return if over { Err(Aborted) } else { Ok(()) };
        }
        if self.ponder_time_is_enough && shared.budget.is_running(shared.control) {
            return Err(Aborted);
        }
        // The first line of the first iteration takes no time to speak of and makes sure that the move is not blind.
        let has_move = self.completed_depth > 0 || self.root_moves.is_past_first_line();
        if has_move && shared.budget.is_over(shared.control) {
            return Err(Aborted);
        }
        Ok(())
    }

    fn schedule_check(&mut self) {
        let share = COMMON_CHECK_INTERVAL / self.shared.counters.len() as u64;
        self.next_check = self.nodes + share.clamp(SHORTEST_CHECK_INTERVAL, CHECK_INTERVAL);
        if let (Some(limit), true) = (self.shared.limits.nodes, self.is_main()) {
            self.next_check = self.next_check.min(limit.max(self.nodes + 1));
        }
    }

    /// Counts a hit in the endgame tables.
    pub fn count_tablebase_hit(&self) {
        self.shared.counters[self.index]
            .tablebase_hits
            .fetch_add(1, Ordering::Relaxed);
    }

    /// Adds this thread's nodes to the shared figures.
    pub fn publish_nodes(&self) {
        self.shared.counters[self.index]
            .nodes
            .store(self.nodes, Ordering::Relaxed);
    }

    /// The static evaluation in centipawns from the side to move.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Score {
        let cache = &mut self.histories.evaluations;
        self.shared.evaluator.evaluate_with(position, cache)
    }
}

/// A worker on a position of the test's choice, so that single steps of the search can be called.
#[cfg(test)]
pub mod testbed {
    use std::sync::atomic::AtomicBool;
    use std::time::{Duration, Instant};

    use super::*;
    use crate::chess::{fen, movegen};
    use crate::search::clock::TimeBudget;
    use crate::search::continuation::CONTINUATION_PLIES;
    use crate::search::control::Control;
    use crate::search::game::{Bitboard, Evaluator, ReversibleMoves, Tablebases};
    use crate::search::limits::Limits;
    use crate::search::node_state::{Candidate, Node};
    use crate::search::node_type::NodeType;
    use crate::search::params::{Params, Reductions};
    use crate::search::picker::Rank;
    use crate::search::report::Bound;
    use crate::search::shared::{Counters, table_salt};
    use crate::search::tt::{Entry, Record, Table};
    use crate::search::window::Window;

    /// The numbers of the search.
    pub const PARAMS: Params = Params::DEFAULT;
    /// Where [`node`] stands: far enough from the root that moves came before it.
    pub const PLY: usize = 4;

    /// Calls `test` with a worker whose root is `fen`, and with that position.
    pub fn with_limits<R>(
        fen: &str,
        limits: Limits,
        test: impl FnOnce(&mut Worker<'_>, &Position) -> R,
    ) -> R {
        with_report(fen, limits, Instant::now(), &mut |_| (), test)
    }

    /// The same for a search that began at `start`, with its reports.
    pub fn with_report<R>(
        fen: &str,
        limits: Limits,
        start: Instant,
        report: &mut (dyn FnMut(Report) + Send),
        test: impl FnOnce(&mut Worker<'_>, &Position) -> R,
    ) -> R {
        let evaluator = Evaluator::new();
        let root = Position::new(fen::parse(fen).unwrap(), evaluator.table());
        let shared = Shared {
            root: &root,
            path: &KeyPath::default(),
            limits: &limits,
            multi_pv: 1,
            table: &Table::new(1).unwrap(),
            table_salt: table_salt(&root, &limits),
            tablebases: &Tablebases::default(),
            root_moves: &[],
            evaluator: &evaluator,
            reversible_moves: &ReversibleMoves::new(),
            reductions: &Reductions::new(&PARAMS),
            #[cfg(feature = "tune")]
            params: &PARAMS,
            control: &Control::new(),
            budget: TimeBudget::new(&limits, Duration::ZERO, start),
            counters: &[Counters::default(), Counters::default()],
            finished: AtomicBool::new(false),
        };
        let mut histories = Histories::new().unwrap();
        let mut worker = Worker::new(&shared, &mut histories, report, 0);
        worker.root_depth = 10;
        // No null move came before the node.
        worker.stack[PLY - 1].current = legal_moves(&root).first().copied();
        test(&mut worker, &root)
    }

    /// The same without limits.
    pub fn on<R>(fen: &str, test: impl FnOnce(&mut Worker<'_>, &Position) -> R) -> R {
        with_limits(fen, Limits::default(), test)
    }

    /// A node on `position` at [`PLY`], `depth` plies deep: evaluations of zero, a null window below zero, nothing in the
    /// table.
    pub fn node(position: &Position, depth: i32) -> Node {
        Node {
            ply: PLY,
            depth,
            window: Window::null(Score::from_raw(-1)),
            node_type: NodeType::Cut,
            in_check: position.in_check(),
            excluded: None,
            entry: None,
            table_move: None,
            was_pv: false,
            raw_eval: Score::DRAW,
            static_eval: Score::DRAW,
            eval: Score::DRAW,
            improving: false,
            threats: Bitboard::EMPTY,
            continuation: [None; CONTINUATION_PLIES.len()],
        }
    }

    /// `m` as the move number `count`, without history.
    pub fn candidate(m: CompactMove, count: usize) -> Candidate {
        Candidate {
            m,
            rank: Rank::Quiet,
            quiet: m.is_quiet(),
            history: 0,
            count,
        }
    }

    /// What the table gives back of a result for `fen`, which stands at [`PLY`].
    pub fn entry(
        fen: &str,
        best: Option<&str>,
        depth: i32,
        score: Score,
        bound: Option<Bound>,
    ) -> Entry {
        on(fen, |worker, position| {
            let record = Record {
                best: best.map(|uci| legal(position, uci)),
                score,
                eval: cp(7),
                depth,
                bound,
                is_pv: false,
            };
            worker.shared.store(position, PLY, record);
            worker.shared.probe(position).unwrap()
        })
    }

    fn legal_moves(position: &Position) -> Vec<CompactMove> {
        let legal = movegen::legal_moves(position);
        legal.into_iter().map(Into::into).collect()
    }

    /// The legal move written `uci`.
    pub fn legal(position: &Position, uci: &str) -> CompactMove {
        let m = movegen::legal_move(position, uci.parse().unwrap());
        m.unwrap_or_else(|| panic!("{uci} is not legal")).into()
    }

    /// Makes every search of `position` at `ply` return `score` at once: the table has it from a very deep search.
    pub fn decide(worker: &Worker<'_>, position: &Position, ply: usize, score: Score) {
        let record = Record {
            best: None,
            score,
            eval: Score::DRAW,
            depth: MAX_PLY as i32,
            bound: Some(Bound::Exact),
            is_pv: false,
        };
        worker.shared.store(position, ply, record);
    }

    /// A score in centipawns.
    pub fn cp(centipawns: i32) -> Score {
        Score::from_centipawns(centipawns)
    }
}
