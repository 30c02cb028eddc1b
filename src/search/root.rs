//! The moves of the root: their scores, their lines, and what stands when the search is cut short.

use std::cmp::Reverse;

use super::game::{CompactMove, Group, Move, Position, Verdict, movegen};
use super::report::{Bound, Line};
use crate::score::Score;

/// Iterations over which the trend of the score is measured.
const TREND_SPAN: usize = 3;

/// A move of the root.
#[derive(Clone, Debug)]
pub struct RootMove {
    /// The move.
    pub m: Move,
    /// Its group: moves of a later one come after all of an earlier one, whatever their scores.
    pub group: usize,
    /// What the endgame tables say of it.
    pub verdict: Option<Verdict>,
    /// Whether the verdict is reported even when the search sees a mate. With several groups the reported scores must have
    /// the order of the groups; a mate score could break it.
    pub verdict_only: bool,
    /// Its score in the current iteration; minus infinite when it was only shown not to be the best.
    pub score: Score,
    /// Whether the score is exact; a lower bound after a fail-high, an upper one after a fail-low of the first move.
    pub bound: Bound,
    /// The iteration that the score comes from, in plies.
    pub depth: i32,
    /// Its score in the iteration before.
    pub previous_score: Score,
    /// The principal variation, which begins with the move.
    pub pv: Line,
    /// The deepest ply reached below it.
    pub selective_depth: usize,
    /// Nodes spent on it in the whole search.
    pub nodes: u64,
}

impl RootMove {
    /// A move of which the search knows nothing yet.
    pub fn new(m: Move) -> RootMove {
        RootMove {
            m,
            group: 0,
            verdict: None,
            verdict_only: false,
            score: -Score::INFINITE,
            bound: Bound::Exact,
            depth: 0,
            previous_score: -Score::INFINITE,
            pv: Line::from_iter([m]),
            selective_depth: 0,
            nodes: 0,
        }
    }

    /// The verdict, if it is reported in place of the search's own score. A mate score says more than a verdict.
    fn reported_verdict(&self) -> Option<Verdict> {
        let says_more = self.score.is_mate() && !self.verdict_only;
        self.verdict.filter(|_| !says_more)
    }

    /// The score to report, from the side to move: that of the endgame tables, or the search's own.
    pub fn reported_score(&self) -> Score {
        self.reported_verdict()
            .map_or(self.score, |verdict| verdict.score(1))
    }

    /// The bound to report with it.
    pub fn reported_bound(&self) -> Bound {
        self.reported_verdict().map_or(self.bound, |_| Bound::Exact)
    }
}

/// All moves of the root, best first once an iteration is complete.
#[derive(Clone, Debug)]
pub struct RootMoves {
    moves: Vec<RootMove>,
    /// The best lines of the last complete iteration.
    completed: Vec<RootMove>,
    /// The depth of the present iteration.
    depth: i32,
    /// The line that is being searched: the moves before it belong to better lines.
    line: usize,
    /// Where the moves of its group end.
    end: usize,
    /// The best move found so far in this iteration, when it is safe to play.
    found: Option<Move>,
    /// Whether only some of the legal moves are allowed, or some only after others.
    restricted: bool,
    /// Iterations in a row with the same best move.
    stable_iterations: usize,
    /// The best scores of the last complete iterations, the newest at the end.
    scores: Vec<Score>,
    /// Whether the last complete iteration changed a line or its score.
    changed: bool,
}

impl RootMoves {
    /// The legal moves of `root`, or those of them that are in one of the groups `allowed`, if any is.
    pub fn new(root: &Position, allowed: &[Group]) -> RootMoves {
        let legal = movegen::legal_moves(root);
        let group_of = |m: &Move| allowed.iter().position(|group| group.moves.contains(m));
        let any_allowed = legal.iter().any(|m| group_of(m).is_some());
        let count = legal.len();
        let mut moves: Vec<RootMove> = legal
            .into_iter()
            .filter_map(|m| {
                let group = if any_allowed { group_of(&m)? } else { 0 };
                let verdict = allowed.get(group).and_then(|group| group.verdict);
                let wins_first = group == 0 && verdict == Some(Verdict::Win);
                Some(RootMove {
                    group,
                    verdict,
                    verdict_only: allowed.len() > 1 && !wins_first,
                    ..RootMove::new(m)
                })
            })
            .collect();
        moves.sort_by_key(|root_move| root_move.group);
        let grouped = moves.last().is_some_and(|root_move| root_move.group > 0);
        RootMoves {
            restricted: moves.len() < count || grouped,
            end: moves.len(),
            moves,
            completed: Vec::new(),
            depth: 0,
            line: 0,
            found: None,
            stable_iterations: 0,
            scores: Vec::new(),
            changed: false,
        }
    }

    /// Number of moves.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Remembers the scores before they are made anew, `depth` plies deep.
    pub fn begin_iteration(&mut self, depth: i32) {
        self.depth = depth;
        for root_move in &mut self.moves {
            root_move.previous_score = root_move.score;
        }
        self.found = None;
    }

    /// Begins line number `line` (from 0): the moves of the lines before are left out, and those of later groups.
    pub fn begin_line(&mut self, line: usize) {
        self.line = line;
        let group = self.moves[line].group;
        self.end = self
            .moves
            .partition_point(|root_move| root_move.group <= group);
    }

    /// The move to try first on the current line.
    pub fn current(&self) -> &RootMove {
        &self.moves[self.line]
    }

    /// Whether some root moves are left out: the root's score need not be the position's.
    pub fn is_partial(&self) -> bool {
        self.line > 0 || self.restricted
    }

    /// Whether only some of the legal moves may be played, or some only after others.
    pub fn is_restricted(&self) -> bool {
        self.restricted
    }

    /// The score this line had before.
    pub fn expected_score(&self) -> Score {
        self.moves[self.line].previous_score
    }

    /// Whether `m` belongs to the current line.
    pub fn contains(&self, m: Move) -> bool {
        self.moves[self.line..self.end]
            .iter()
            .any(|root_move| root_move.m == m)
    }

    /// Whether a better line is complete already, when several are asked for.
    pub fn is_past_first_line(&self) -> bool {
        self.line > 0
    }

    /// It is proven that the first move of `pv` scores at least `score`: it becomes the best of `lines` complete lines,
    /// and is searched before the others from now on.
    pub fn prove(&mut self, pv: Line, score: Score, lines: usize) {
        let first = pv.first().copied();
        let is_first = |root_move: &RootMove| Some(root_move.m) == first;
        let Some(index) = self.moves.iter().position(is_first) else {
            return;
        };
        self.moves[..=index].rotate_right(1);
        let best = &mut self.moves[0];
        best.score = score;
        best.bound = Bound::Lower;
        best.depth = self.depth;
        best.pv = pv;
        self.completed.retain(|root_move| !is_first(root_move));
        self.completed.insert(0, self.moves[0].clone());
        self.completed.truncate(lines);
    }

    /// Records the result of `m`: score and line when it raised alpha, nothing but "not best" else.
    pub fn record(
        &mut self,
        m: Move,
        score: Score,
        outcome: Recorded,
        nodes: u64,
        pv: &[CompactMove],
        deepest: usize,
    ) {
        let Some(root_move) = self.moves[self.line..self.end]
            .iter_mut()
            .find(|root_move| root_move.m == m)
        else {
            return;
        };
        root_move.nodes += nodes;
        match outcome {
            Recorded::RaisedAlpha(bound) => {
                root_move.score = score;
                root_move.bound = bound;
                root_move.depth = self.depth;
                root_move.pv.clear();
                let moves = pv.iter().take(root_move.pv.capacity());
                root_move.pv.extend(moves.map(|&m| m.into()));
                root_move.selective_depth = deepest;
                if self.line == 0 {
                    self.found = Some(m);
                }
            }
            Recorded::FirstFailedLow => {
                root_move.score = score;
                root_move.bound = Bound::Upper;
                root_move.depth = self.depth;
                root_move.selective_depth = deepest;
                // It had failed high before: that is not confirmed.
                if self.found == Some(m) {
                    self.found = None;
                }
            }
            Recorded::NotBest => root_move.score = -Score::INFINITE,
        }
    }

    /// Sorts the current line's moves by score; equal ones keep their order.
    pub fn sort_line(&mut self) {
        self.moves[self.line..self.end].sort_by_key(|root_move| Reverse(root_move.score));
    }

    /// An iteration is complete: its first `lines` lines now stand.
    pub fn complete_iteration(&mut self, lines: usize) {
        let order = |root_move: &RootMove| (root_move.group, Reverse(root_move.score));
        self.moves[..lines].sort_by_key(order);
        let same = self
            .completed
            .first()
            .is_some_and(|best| best.m == self.moves[0].m);
        self.stable_iterations = if same { self.stable_iterations + 1 } else { 0 };
        let facts = |root_move: &RootMove| (root_move.score, root_move.bound, root_move.pv.clone());
        let (new, old) = (self.moves[..lines].iter(), self.completed.iter());
        self.changed = !new.map(facts).eq(old.map(facts));
        self.completed.clear();
        self.completed.extend_from_slice(&self.moves[..lines]);
        if self.scores.len() > TREND_SPAN {
            self.scores.remove(0);
        }
        self.scores.push(self.moves[0].score);
    }

    /// Whether the last complete iteration changed a line or its score.
    pub fn has_changed(&self) -> bool {
        self.changed
    }

    /// The search was cut short. What the broken iteration found stands when it is safe; with several lines only
    /// complete iterations count.
    pub fn settle_aborted(&mut self, lines: usize) {
        if lines > 1 && !self.completed.is_empty() {
            return;
        }
        let found = self
            .found
            .and_then(|m| self.moves.iter().find(|root_move| root_move.m == m));
        match (found, self.completed.first_mut()) {
            // The first move loses, but no other was searched: that says nothing of the position.
            (Some(found), Some(best)) if found.score.is_loss() && found.m == best.m => {}
            (Some(found), Some(best)) => best.clone_from(found),
            (Some(found), None) => self.completed.push(found.clone()),
            (None, _) => {}
        }
    }

    /// The lines of the last complete iteration, best first.
    pub fn completed(&self) -> &[RootMove] {
        &self.completed
    }

    /// The move to play. Before anything is searched it is the first legal move.
    pub fn best(&self) -> &RootMove {
        self.completed.first().unwrap_or(&self.moves[0])
    }

    /// The factor by which the planned time is stretched: less when the best move is stable and took most of
    /// the nodes, more when it changes, when the nodes went elsewhere, and when the score falls
    /// (<https://www.chessprogramming.org/Time_Management#Extra_Time>; the share of nodes: idea of Koivisto).
    pub fn time_scale(&self, total_nodes: u64) -> f64 {
        const STABILITY: [f64; 5] = [1.6, 1.2, 1.0, 0.9, 0.8];
        const NODE_BASE: f64 = 1.9;
        const NODE_SLOPE: f64 = 1.4;
        let stability = STABILITY[self.stable_iterations.min(STABILITY.len() - 1)];
        let share = self.best().nodes as f64 / total_nodes.max(1) as f64;
        stability * (NODE_BASE - NODE_SLOPE * share) * self.trend()
    }

    /// The part of the score's trend in [`RootMoves::time_scale`]: a score that falls asks for a better move, one that
    /// rises for none.
    fn trend(&self) -> f64 {
        /// A fall by half as many centipawns takes half as much time more, which is the most.
        const FALL: f64 = 120.0;
        let Some(&[before, .., now]) = self.scores.last_chunk::<{ TREND_SPAN + 1 }>() else {
            return 1.0;
        };
        (1.0 + f64::from(before - now) / FALL).clamp(0.85, 1.5)
    }
}

/// What became of a root move.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Recorded {
    /// It is the best so far; the score is exact, or a lower bound when it failed high.
    RaisedAlpha(Bound),
    /// It was the first and did not reach the window.
    FirstFailedLow,
    /// It is no better than another.
    NotBest,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::eval::Evaluator;

    fn record(root_moves: &mut RootMoves, m: Move, score: i32, outcome: Recorded) {
        let score = Score::from_centipawns(score);
        root_moves.record(m, score, outcome, 1, &[m.into()], 1);
        root_moves.sort_line();
    }

    #[test]
    fn a_fail_high_stands_until_the_next_search_of_the_move_refutes_it() {
        let evaluator = Evaluator::new();
        let mut root_moves = RootMoves::new(&Position::initial(evaluator.table()), &[]);
        let (first, second) = (root_moves.moves[0].m, root_moves.moves[1].m);
        root_moves.begin_iteration(1);
        root_moves.begin_line(0);
        let exact = Recorded::RaisedAlpha(Bound::Exact);
        record(&mut root_moves, first, 10, exact);
        root_moves.complete_iteration(1);

        root_moves.begin_iteration(2);
        root_moves.begin_line(0);
        let fails_high = Recorded::RaisedAlpha(Bound::Lower);
        record(&mut root_moves, second, 50, fails_high);
        let mut cut_short = root_moves.clone();
        cut_short.settle_aborted(1);
        let best = cut_short.best();
        assert_eq!((best.m, best.bound, best.depth), (second, Bound::Lower, 2));

        record(&mut root_moves, second, -50, Recorded::FirstFailedLow);
        root_moves.settle_aborted(1);
        let best = root_moves.best();
        assert_eq!((best.m, best.bound, best.depth), (first, Bound::Exact, 1));
    }

    #[test]
    fn the_loss_of_the_first_move_alone_does_not_stand() {
        let evaluator = Evaluator::new();
        let mut root_moves = RootMoves::new(&Position::initial(evaluator.table()), &[]);
        let (first, second) = (root_moves.moves[0].m, root_moves.moves[1].m);
        let exact = Recorded::RaisedAlpha(Bound::Exact);
        root_moves.begin_iteration(1);
        root_moves.begin_line(0);
        record(&mut root_moves, first, 10, exact);
        root_moves.complete_iteration(1);
        root_moves.begin_iteration(2);
        root_moves.begin_line(0);
        let mated = -Score::mate_in(7);
        let line = [first.into()];
        root_moves.record(first, mated, exact, 1, &line, 1);
        let mut cut_short = root_moves.clone();
        cut_short.settle_aborted(1);
        let best = cut_short.best();
        assert_eq!((best.m, best.score), (first, Score::from_centipawns(10)));
        // Another move that loses later is the better one.
        let line = [second.into()];
        root_moves.record(second, mated + 4, exact, 1, &line, 1);
        root_moves.settle_aborted(1);
        assert_eq!(root_moves.best().m, second);
    }

    #[test]
    fn of_several_lines_only_complete_iterations_count() {
        let evaluator = Evaluator::new();
        let mut root_moves = RootMoves::new(&Position::initial(evaluator.table()), &[]);
        let moves: Vec<Move> = root_moves.moves[..4].iter().map(|known| known.m).collect();
        let exact = Recorded::RaisedAlpha(Bound::Exact);
        root_moves.begin_iteration(1);
        for (line, &m) in moves[..3].iter().enumerate() {
            root_moves.begin_line(line);
            record(&mut root_moves, m, 30 - line as i32, exact);
        }
        root_moves.complete_iteration(3);
        root_moves.begin_iteration(2);
        root_moves.begin_line(0);
        record(&mut root_moves, moves[3], 90, exact);
        root_moves.settle_aborted(3);
        let lines: Vec<Move> = root_moves.completed().iter().map(|line| line.m).collect();
        assert_eq!(lines, moves[..3]);
    }

    #[test]
    fn a_line_stays_within_its_group() {
        let evaluator = Evaluator::new();
        let position = Position::initial(evaluator.table());
        let legal = movegen::legal_moves(&position);
        let (better, worse) = (vec![legal[5], legal[3]], vec![legal[0], legal[1], legal[2]]);
        let group = |moves: &Vec<Move>, verdict| Group {
            moves: moves.clone(),
            verdict: Some(verdict),
        };
        let groups = [group(&better, Verdict::Draw), group(&worse, Verdict::Loss)];
        let mut root_moves = RootMoves::new(&position, &groups);
        let current = root_moves.current();
        assert_eq!(
            (current.reported_score(), current.reported_bound()),
            (Score::DRAW, Bound::Exact)
        );
        assert!(root_moves.is_restricted());
        let searched = |root_moves: &RootMoves| {
            let of_line = legal.iter().filter(|&&m| root_moves.contains(m));
            of_line.copied().collect::<Vec<_>>()
        };
        root_moves.begin_line(0);
        assert_eq!(searched(&root_moves), [legal[3], legal[5]]);
        root_moves.begin_line(1);
        assert_eq!(searched(&root_moves), [root_moves.current().m]);
        root_moves.begin_line(2);
        assert_eq!(searched(&root_moves), worse);
    }

    /// An iteration in which the moves `order` score 0, -10, -20 and so on, each `nodes` nodes.
    fn iterate(root_moves: &mut RootMoves, depth: i32, order: &[(Move, i32)], lines: usize) {
        root_moves.begin_iteration(depth);
        for line in 0..lines {
            root_moves.begin_line(line);
            for (index, &(m, score)) in order.iter().enumerate().skip(line) {
                let raised = Recorded::RaisedAlpha(Bound::Exact);
                let outcome = if index == line {
                    raised
                } else {
                    Recorded::NotBest
                };
                root_moves.record(
                    m,
                    Score::from_centipawns(score),
                    outcome,
                    10,
                    &[m.into()],
                    1,
                );
            }
            root_moves.sort_line();
        }
        root_moves.complete_iteration(lines);
    }

    fn start() -> (RootMoves, Vec<Move>) {
        let evaluator = Evaluator::new();
        let root_moves = RootMoves::new(&Position::initial(evaluator.table()), &[]);
        let moves = root_moves.moves.iter().map(|known| known.m).collect();
        (root_moves, moves)
    }

    #[test]
    fn an_iteration_that_brings_nothing_new_is_no_change() {
        let (mut root_moves, moves) = start();
        iterate(&mut root_moves, 1, &[(moves[0], 10)], 1);
        assert!(root_moves.has_changed());
        iterate(&mut root_moves, 2, &[(moves[0], 10)], 1);
        assert!(!root_moves.has_changed());
        iterate(&mut root_moves, 3, &[(moves[0], 11)], 1);
        assert!(root_moves.has_changed());
        iterate(&mut root_moves, 4, &[(moves[1], 11), (moves[0], 0)], 1);
        assert!(root_moves.has_changed());
    }

    #[test]
    fn time_is_short_for_a_stable_move_that_takes_most_nodes_and_long_when_the_score_falls() {
        let scale = |scores: &[i32], best: &[usize], total: u64| {
            let (mut root_moves, moves) = start();
            for (index, (&score, &m)) in scores.iter().zip(best).enumerate() {
                iterate(&mut root_moves, index as i32 + 1, &[(moves[m], score)], 1);
            }
            root_moves.time_scale(total)
        };
        let (level, same) = ([10; 4], [0; 4]);
        // Four iterations with ten nodes each.
        let stable = scale(&level, &same, 40);
        assert!(stable < scale(&level, &[1, 1, 1, 0], 40));
        assert!(stable < scale(&level, &[1, 1, 0, 0], 40));
        assert!(stable < scale(&level, &same, 80));
        assert!(stable < scale(&[10, 10, 10, -20], &same, 40));
        assert!(stable > scale(&[10, 10, 10, 20], &same, 40));
        assert!(scale(&[10, 10, 10, -20], &same, 40) < scale(&[10, 10, 10, -50], &same, 40));
        // The score of four iterations ago no longer counts, that of three does.
        let fallen = [90, 10, 10, 10, 10];
        assert_eq!(scale(&fallen, &[0; 5], 50), scale(&[10; 5], &[0; 5], 50));
        let fallen = [90, 50, 10, 10];
        assert!(scale(&fallen, &same, 40) > scale(&[10, 50, 10, 10], &same, 40));
        // The first iterations have no trend.
        assert_eq!(scale(&[90, 10], &[0; 2], 20), scale(&[10, 10], &[0; 2], 20));
    }

    #[test]
    fn a_stretch_of_time_has_its_limits() {
        let trend = |fall: i32| {
            let (mut root_moves, moves) = start();
            for (depth, score) in [(1, 0), (2, 0), (3, 0), (4, -fall)] {
                iterate(&mut root_moves, depth, &[(moves[0], score)], 1);
            }
            root_moves.trend()
        };
        assert_eq!((trend(0), trend(60), trend(600)), (1.0, 1.5, 1.5));
        assert_eq!((trend(12), trend(-12), trend(-600)), (1.1, 0.9, 0.85));
    }

    #[test]
    fn the_lines_are_the_best_moves_in_order() {
        let (mut root_moves, moves) = start();
        let order = [(moves[3], 30), (moves[1], 20), (moves[2], 10)];
        iterate(&mut root_moves, 1, &order, 3);
        let lines: Vec<_> = root_moves.completed().iter().map(|line| line.m).collect();
        assert_eq!(lines, [moves[3], moves[1], moves[2]]);
        assert_eq!(root_moves.best().m, moves[3]);
        // The next iteration begins with them, and each is expected to score what it did.
        root_moves.begin_iteration(2);
        root_moves.begin_line(1);
        assert_eq!(root_moves.current().m, moves[1]);
        assert_eq!(root_moves.expected_score(), Score::from_centipawns(20));
        assert!(root_moves.is_past_first_line() && root_moves.is_partial());
        root_moves.begin_line(0);
        assert!(!root_moves.is_past_first_line() && !root_moves.is_partial());
        assert_eq!(root_moves.len(), 20);
    }

    #[test]
    fn a_root_with_some_of_its_moves_is_partial() {
        let evaluator = Evaluator::new();
        let position = Position::initial(evaluator.table());
        let moves = movegen::legal_moves(&position)[..2].to_vec();
        let group = Group {
            moves,
            verdict: None,
        };
        let root_moves = RootMoves::new(&position, &[group]);
        assert_eq!(root_moves.len(), 2);
        assert!(root_moves.is_restricted() && root_moves.is_partial());
        let (all, _) = start();
        assert!(!all.is_restricted());
    }

    #[test]
    fn a_proven_line_becomes_the_best() {
        let (mut root_moves, moves) = start();
        iterate(&mut root_moves, 5, &[(moves[0], 30), (moves[1], 20)], 2);
        let mate = Score::mate_in(5);
        root_moves.prove(Line::from_iter([moves[4], moves[1]]), mate, 2);
        let best = root_moves.best();
        assert_eq!(
            (best.m, best.score, best.bound, best.depth),
            (moves[4], mate, Bound::Lower, 5)
        );
        assert_eq!(best.pv.len(), 2);
        let lines: Vec<_> = root_moves.completed().iter().map(|line| line.m).collect();
        assert_eq!(lines, [moves[4], moves[0]]);
        root_moves.begin_line(0);
        assert_eq!(root_moves.current().m, moves[4]);
        root_moves.prove(Line::from_iter([moves[0]]), mate, 2);
        let lines: Vec<_> = root_moves.completed().iter().map(|line| line.m).collect();
        assert_eq!(lines, [moves[0], moves[4]]);
    }

    #[test]
    fn nodes_of_a_move_add_up_and_its_line_is_cut_to_the_longest() {
        let (mut root_moves, moves) = start();
        root_moves.begin_iteration(3);
        root_moves.begin_line(0);
        let raised = Recorded::RaisedAlpha(Bound::Exact);
        let line = vec![moves[0].into(); 1000];
        root_moves.record(moves[0], Score::DRAW, raised, 7, &line, 12);
        root_moves.record(moves[0], Score::DRAW, Recorded::NotBest, 5, &[], 20);
        let known = &root_moves.moves[0];
        assert_eq!((known.nodes, known.selective_depth), (12, 12));
        assert_eq!(known.score, -Score::INFINITE);
        assert_eq!(known.pv.len(), known.pv.capacity());
    }
}
