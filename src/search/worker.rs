//! One thread's share of a search: its stack, its counters, and the iterative deepening that drives it.

use std::sync::atomic::Ordering;

use shakmaty::Bitboard;

use super::checkmate::Hunts;
use super::history::{Histories, Moved};
use super::node::{Expected, Root, Window};
use super::picker::KILLERS;
use super::report::{Bound, Line, Report, Variation};
use super::root::{RootMove, RootMoves};
use super::shared::Shared;
use crate::chess::compact::CompactMove;
use crate::chess::keys::KeyPath;
use crate::chess::position::Position;
use crate::score::{MAX_PLY, Score};

/// Nodes between two looks at the clock and the stop flag.
const CHECK_INTERVAL: u64 = 512;
/// Aspiration windows begin at this depth.
const ASPIRATION_DEPTH: i32 = 4;
/// A window wider than this is opened altogether, in centipawns.
const WIDEST_WINDOW: i32 = 500;
/// A proven mate is looked at for this many plies more before the search believes it cannot be shortened.
const MATE_CONFIRMATION: i32 = 8;
/// No tree is taken for a finished one up to this depth.
const SETTLED_DEPTH: i32 = 20;
/// With one move to choose from a search on the clock ends at this depth: enough for a score and a ponder move.
const ONLY_MOVE_DEPTH: i32 = 8;

/// The search was told to end, or a limit was reached.
#[derive(Copy, Clone, Debug)]
pub struct Aborted;

/// What is kept for each ply of the current line.
#[derive(Clone, Debug)]
pub struct Frame {
    pub pv: Line,
    pub killers: [Option<CompactMove>; KILLERS],
    pub static_eval: Score,
    /// Squares the opponent attacks, if moves were searched.
    pub threats: Bitboard,
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
            pv: Line::new(),
            killers: [None; KILLERS],
            static_eval: Score::NONE,
            threats: Bitboard::EMPTY,
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
    /// The moves of the current line, as histories remember them.
    pub moved: Moved,
    pub root_moves: RootMoves,
    pub selective_depth: usize,
    /// The deepest ply that any line of the present iteration has reached, on a principal variation or not.
    pub deepest: usize,
    pub nodes: u64,
    pub report: &'a mut (dyn FnMut(Report) + Send),
    /// The depth of the current iteration.
    pub root_depth: i32,
    /// No null move before this ply: set while one is verified.
    pub null_move_ply: usize,
    /// How far the search for forced mates has come.
    pub hunts: Hunts,
    next_check: u64,
    /// While pondering: the time thought would do for the move, so that a ponder hit ends the search.
    has_pondered_enough: bool,
    index: usize,
    completed_depth: i32,
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
            moved: Moved::default(),
            root_moves: RootMoves::new(shared.root, shared.root_moves),
            selective_depth: 0,
            deepest: 0,
            nodes: 0,
            report,
            root_depth: 0,
            null_move_ply: 0,
            hunts: Hunts::default(),
            next_check: 0,
            has_pondered_enough: false,
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

    /// Searches deeper and deeper until a limit ends it. The result is in `root_moves`.
    pub fn deepen(&mut self) {
        let lines = self.shared.multi_pv.min(self.root_moves.len());
        if lines == 0 {
            return;
        }
        for depth in 1..=self.depth_limit() {
            self.root_moves.begin_iteration(depth);
            self.selective_depth = 0;
            self.deepest = 0;
            self.root_depth = depth;
            for line in 0..lines {
                self.root_moves.begin_line(line);
                if self.aspirate(depth).is_err() {
                    self.root_moves.settle_aborted(lines);
                    return;
                }
            }
            self.completed_depth = depth;
            self.root_moves.complete_iteration(lines);
            self.report_iteration(depth);
            if self.is_settled(depth) || self.hunt_mate(depth).is_err() {
                return;
            }
        }
    }

    fn depth_limit(&self) -> i32 {
        let limits = self.shared.limits;
        let mut limit = MAX_PLY as u32 - 1;
        if let Some(depth) = limits.depth {
            limit = limit.min(depth.max(1));
        }
        if let Some(moves) = limits.mate {
            // A mate in n is 2n-1 plies deep, and one ply more sees it as mate: a full-width search finds or refutes it.
            limit = limit.min(moves.saturating_mul(2).max(1));
        }
        limit as i32
    }

    /// Searches one line of the root in windows round the last score
    /// (<https://www.chessprogramming.org/Aspiration_Windows>).
    fn aspirate(&mut self, depth: i32) -> Result<(), Aborted> {
        let params = self.shared.params();
        let guess = self.root_moves.expected_score();
        let mut delta = params.aspiration_window;
        let mut window = Window::FULL;
        if depth >= ASPIRATION_DEPTH && !guess.is_decisive() && guess > -Score::INFINITE {
            window = Window {
                alpha: guess - delta,
                beta: guess + delta,
            };
        }
        let mut reduction = 0;
        loop {
            let root = self.shared.root;
            let score =
                self.search::<Root>(root, window, (depth - reduction).max(1), 0, Expected::Pv)?;
            self.root_moves.sort_line();
            if score <= window.alpha {
                self.report_bound(depth, score, Bound::Upper);
                window.beta = window.alpha.between(window.beta);
                window.alpha = score - delta;
                reduction = 0;
            } else if score >= window.beta {
                self.report_bound(depth, score, Bound::Lower);
                window.beta = score + delta;
                if !score.is_decisive() && !self.is_mate_search() {
                    reduction += 1;
                }
            } else {
                return Ok(());
            }
            delta += delta * params.aspiration_growth / 100;
            window = window.opened_beyond(WIDEST_WINDOW, delta);
        }
    }

    fn report_bound(&mut self, depth: i32, score: Score, bound: Bound) {
        let known = self.root_moves.current().verdict.is_some();
        if self.is_main() && self.shared.multi_pv == 1 && !known {
            let mut variation = self.variation(depth, 0, self.root_moves.current());
            variation.score = score;
            variation.bound = bound;
            (self.report)(Report::Variation(variation));
        }
    }

    /// Tells the lines as they stand after an iteration of `depth` plies.
    pub(super) fn report_iteration(&mut self, depth: i32) {
        if self.is_main() {
            for (line, root_move) in self.root_moves.completed().iter().enumerate() {
                let variation = self.variation(depth, line, root_move);
                (self.report)(Report::Variation(variation));
            }
        }
    }

    fn variation(&self, depth: i32, line: usize, root_move: &RootMove) -> Variation {
        self.publish_nodes();
        self.shared.variation(depth, line, root_move)
    }

    /// The last iteration that was finished, in plies.
    pub fn completed_depth(&self) -> i32 {
        self.completed_depth
    }

    /// Whether a deeper iteration would be a waste.
    fn is_settled(&mut self, depth: i32) -> bool {
        if !self.is_main() {
            return false;
        }
        let best = self.root_moves.best();
        if let (Some(wanted), Some(moves)) = (self.shared.limits.mate, best.score.mate_moves())
            && moves > 0
            && moves as u32 <= wanted
        {
            return true;
        }
        // The tree has an end that the search has seen: every line of it is short, as in a dead draw. At low depth they
        // may be short because they were pruned.
        if depth > SETTLED_DEPTH.max(2 * self.deepest as i32) {
            return true;
        }
        let mate = self.root_moves.completed().iter().all(|root_move| {
            root_move.bound == Bound::Exact
                && root_move
                    .score
                    .mate_plies()
                    .is_some_and(|plies| depth >= plies as i32 + MATE_CONFIRMATION)
        });
        mate || self.is_time_spent(depth)
    }

    fn is_time_spent(&mut self, depth: i32) -> bool {
        let shared = self.shared;
        if !shared.budget.is_limited() || shared.limits.clock.is_none() {
            return false;
        }
        let difficulty = if self.root_moves.len() == 1 && depth >= ONLY_MOVE_DEPTH {
            0.0
        } else {
            self.root_moves.difficulty(self.nodes)
        };
        self.has_pondered_enough = shared.budget.would_be_enough(difficulty);
        shared.budget.is_enough(shared.control, difficulty)
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
        if shared.control.is_stopped() || shared.finished.load(Ordering::Relaxed) {
            return Err(Aborted);
        }
        // Each thread looks for itself: the first one may have to wait for a processor when there are many.
        let is_spent = |limit| shared.nodes() >= limit;
        if shared.limits.nodes.is_some_and(is_spent) {
            return Err(Aborted);
        }
        if !self.is_main() {
            let over = shared.budget.is_over(shared.control);
            return if over { Err(Aborted) } else { Ok(()) };
        }
        if self.has_pondered_enough && shared.budget.is_running(shared.control) {
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
        self.next_check = self.nodes + CHECK_INTERVAL;
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

    /// Makes `m` the head of this ply's principal variation, followed by the child's.
    pub fn update_pv(&mut self, ply: usize, m: CompactMove) {
        let (head, tail) = self.stack.split_at_mut(ply + 1);
        let (Some(frame), Some(child)) = (head.last_mut(), tail.first()) else {
            return;
        };
        frame.pv.clear();
        frame.pv.push(m.into());
        let room = frame.pv.remaining_capacity().min(child.pv.len());
        frame.pv.extend(child.pv[..room].iter().copied());
    }

    /// The static evaluation in centipawns from the side to move.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Score {
        let cache = &mut self.histories.evaluations;
        self.shared.evaluator.evaluate_with(position, cache)
    }
}
