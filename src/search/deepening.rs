//! Iterative deepening: the root is searched one ply deep, then two, and so on, until a limit ends the search
//! (<https://www.chessprogramming.org/Iterative_Deepening>).

use super::forced_mate::ForcedMates;
use super::game::CompactMove;
use super::node_state::{Candidate, Node};
use super::node_type::{NodeType, Root};
use super::report::{Bound, Report, Variation};
use super::root::{Recorded, RootMove};
use super::window::Window;
use super::worker::{Aborted, Worker};
use crate::score::{MAX_PLY, Score};

/// The deepest iteration.
const MAX_DEPTH: u32 = MAX_PLY as u32 - 1;
/// Aspiration windows begin at this depth.
const ASPIRATION_DEPTH: i32 = 4;
/// A window wider than this is opened altogether, in centipawns.
const WIDEST_WINDOW: i32 = 500;
/// On a clock, a mate is looked at for this many plies more before the search believes that there is no shorter one.
const MATE_CONFIRMATION: i32 = 8;
/// With one move to choose from a search on the clock ends at this depth: enough for a score and a ponder move.
const ONLY_MOVE_DEPTH: i32 = 8;
/// Every iteration is reported up to this depth.
const ALWAYS_REPORTED_DEPTH: i32 = 20;
/// Beyond it, one with fewer nodes is reported only when it changed a line: a small tree would flood the output.
const REPORTED_NODES: u64 = 10_000;
/// The root move being searched is reported after this time, in milliseconds.
const CURRENT_MOVE_AFTER: u128 = 3000;

impl Worker<'_> {
    /// Searches deeper and deeper until a limit ends it. The result is in `root_moves`.
    pub fn deepen(&mut self) {
        let lines = self.shared.multi_pv.min(self.root_moves.len());
        if lines == 0 {
            return;
        }
        let mut forced_mates = ForcedMates::default();
        let greatest = self.depth_limit();
        let mut depth = 0;
        while depth < greatest || self.repeats_greatest_depth() {
            depth = (depth + 1).min(greatest);
            let nodes_before = self.nodes;
            if self.iterate(depth, lines).is_err() {
                self.root_moves.settle_aborted(lines);
                return;
            }
            let worth_reporting = depth <= ALWAYS_REPORTED_DEPTH
                || self.nodes - nodes_before >= REPORTED_NODES
                || self.root_moves.has_changed();
            if worth_reporting {
                self.report_iteration(depth);
            }
            if self.is_finished(depth) || self.find_forced_mate(&mut forced_mates, depth).is_err() {
                return;
            }
        }
    }

    /// One iteration: every line of the root, `depth` plies deep.
    fn iterate(&mut self, depth: i32, lines: usize) -> Result<(), Aborted> {
        self.root_moves.begin_iteration(depth);
        self.selective_depth = 0;
        self.root_depth = depth;
        for line in 0..lines {
            self.root_moves.begin_line(line);
            self.aspirate(depth)?;
        }
        self.completed_depth = depth;
        self.root_moves.complete_iteration(lines);
        Ok(())
    }

    /// The depth of the last iteration, in plies.
    fn depth_limit(&self) -> i32 {
        let limits = self.shared.limits;
        let mut limit = MAX_DEPTH;
        if let Some(depth) = limits.depth {
            limit = limit.min(depth.max(1));
        }
        if let Some(moves) = limits.mate {
            // A mate in n is 2n-1 plies deep, and one ply more sees it as mate: a full-width search finds or refutes it.
            limit = limit.min(moves.saturating_mul(2).max(1));
        }
        limit as i32
    }

    /// Whether the greatest depth is searched again and again: nodes or a time were asked for, and a search uses what it
    /// was given. Histories and table change from one time to the next, so a better move may still be found.
    fn repeats_greatest_depth(&self) -> bool {
        let limits = self.shared.limits;
        let asked = limits.nodes.is_some() || limits.move_time.is_some();
        let ends_otherwise = limits.depth.is_some()
            || limits.mate.is_some()
            || limits.clock.is_some()
            || limits.waits_for_stop();
        self.is_main() && asked && !ends_otherwise
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
                self.search::<Root>(root, window, (depth - reduction).max(1), 0, NodeType::Pv)?;
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

    /// Reports the lines as they stand after an iteration of `depth` plies.
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

    /// Whether a deeper iteration cannot change the result, or is not worth its time on a clock.
    fn is_finished(&mut self, depth: i32) -> bool {
        self.is_main()
            && (self.is_asked_mate_found() || self.is_proven() || self.is_time_spent(depth))
    }

    /// Whether the mate that `go mate` asked for is found.
    fn is_asked_mate_found(&self) -> bool {
        let found = self.root_moves.best().score.mate_moves();
        match (self.shared.limits.mate, found) {
            (Some(asked), Some(moves)) => moves > 0 && moves as u32 <= asked,
            _ => false,
        }
    }

    /// Whether every line ends in a mate that cannot be shorter or be put off: a mate in one move. A depth that was asked
    /// for is searched all the same.
    fn is_proven(&self) -> bool {
        let in_one = |root_move: &RootMove| {
            let moves = root_move.score.mate_moves().map(i32::abs);
            root_move.bound == Bound::Exact && moves == Some(1)
        };
        self.shared.limits.depth.is_none() && self.root_moves.completed().iter().all(in_one)
    }

    /// On a clock: whether another iteration is not worth its time.
    fn is_time_spent(&mut self, depth: i32) -> bool {
        let shared = self.shared;
        if !shared.budget.is_limited() || shared.limits.clock.is_none() {
            return false;
        }
        let confirmed_mate = |root_move: &RootMove| {
            let plies = root_move.score.mate_plies();
            root_move.bound == Bound::Exact
                && plies.is_some_and(|plies| depth >= plies as i32 + MATE_CONFIRMATION)
        };
        let mate = self.root_moves.completed().iter().all(confirmed_mate);
        let only_move = self.root_moves.len() == 1 && depth >= ONLY_MOVE_DEPTH;
        let time_scale = if mate || only_move {
            0.0
        } else {
            self.root_moves.time_scale(self.nodes)
        };
        self.ponder_time_is_enough = shared.budget.would_be_enough(time_scale);
        shared.budget.is_enough(shared.control, time_scale)
    }

    /// Reports the root move that is searched now.
    #[inline(never)]
    pub fn report_current_move(&mut self, current: CompactMove, number: usize) {
        if self.is_main() && self.shared.budget.elapsed().as_millis() >= CURRENT_MOVE_AFTER {
            (self.report)(Report::CurrentMove {
                depth: self.root_depth as u32,
                current: current.into(),
                number,
            });
        }
    }

    /// Records the result of a root move.
    #[inline(never)]
    pub fn record_root_move(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        score: Score,
        nodes_before: u64,
    ) {
        let outcome = if score > node.window.alpha {
            self.pv.update(0, candidate.m);
            let fails_high = score >= node.window.beta;
            Recorded::RaisedAlpha(if fails_high {
                Bound::Lower
            } else {
                Bound::Exact
            })
        } else if candidate.count == 1 {
            Recorded::FirstFailedLow
        } else {
            Recorded::NotBest
        };
        let nodes = self.nodes - nodes_before;
        self.root_moves.record(
            candidate.m.into(),
            score,
            outcome,
            nodes,
            self.pv.line(0),
            self.selective_depth,
        );
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::search::limits::{Clock, Limits};
    use crate::search::worker::testbed::{candidate, cp, legal, node, with_limits, with_report};

    const FEN: &str = "4k3/4p3/8/8/8/5b2/4P1P1/4K1N1 w - - 0 1";

    fn with<R>(limits: Limits, test: impl FnOnce(&mut Worker<'_>) -> R) -> R {
        with_limits(FEN, limits, |worker, _| test(worker))
    }

    fn mate_in(moves: u32) -> Limits {
        Limits {
            mate: Some(moves),
            ..Limits::default()
        }
    }

    /// An hour for the rest of the game.
    fn clock() -> Limits {
        Limits {
            clock: Some(Clock {
                remaining: 3_600_000,
                ..Clock::default()
            }),
            ..Limits::default()
        }
    }

    /// Makes the first root move the result of an iteration of `depth` plies.
    fn complete(worker: &mut Worker<'_>, depth: i32, score: Score, bound: Bound) {
        worker.root_moves.begin_iteration(depth);
        worker.root_moves.begin_line(0);
        let m = worker.root_moves.current().m;
        let raised = Recorded::RaisedAlpha(bound);
        worker
            .root_moves
            .record(m, score, raised, 1, &[m.into()], 1);
        worker.root_moves.complete_iteration(1);
    }

    #[test]
    fn the_last_iteration_is_the_depth_asked_for_or_that_of_the_mate() {
        let limit = |limits| with(limits, |worker| worker.depth_limit());
        assert_eq!(limit(Limits::default()), 245);
        assert_eq!(limit(Limits::depth(7)), 7);
        assert_eq!(limit(Limits::depth(0)), 1);
        assert_eq!(limit(Limits::depth(9999)), 245);
        assert_eq!(limit(mate_in(3)), 6);
        assert_eq!(limit(mate_in(0)), 1);
        assert_eq!(limit(mate_in(u32::MAX)), 245);
        let both = Limits {
            depth: Some(4),
            ..mate_in(3)
        };
        assert_eq!(limit(both), 4);
    }

    #[test]
    fn the_greatest_depth_is_repeated_only_for_nodes_and_a_fixed_time() {
        let repeats = |limits| with(limits, |worker| worker.repeats_greatest_depth());
        assert!(repeats(Limits::nodes(5)) && repeats(Limits::move_time(5)));
        assert!(!repeats(Limits::default()) && !repeats(clock()));
        let and_nodes = |limits| Limits {
            nodes: Some(5),
            ..limits
        };
        assert!(!repeats(and_nodes(Limits::depth(3))));
        assert!(!repeats(and_nodes(mate_in(3))));
        assert!(!repeats(and_nodes(clock())));
        let infinite = Limits {
            infinite: true,
            ..Limits::default()
        };
        assert!(!repeats(and_nodes(infinite)));
    }

    #[test]
    fn a_mate_search_ends_with_a_mate_that_is_short_enough() {
        let found = |limits, score| {
            with(limits, |worker| {
                complete(worker, 5, score, Bound::Exact);
                worker.is_asked_mate_found()
            })
        };
        assert!(found(mate_in(3), Score::mate_in(5)));
        assert!(found(mate_in(3), Score::mate_in(3)));
        assert!(!found(mate_in(3), Score::mate_in(7)));
        assert!(!found(mate_in(3), Score::mated_in(4)));
        assert!(!found(mate_in(3), cp(900)));
        assert!(!found(Limits::default(), Score::mate_in(5)));
    }

    #[test]
    fn only_a_mate_in_one_move_proves_the_result() {
        let proven = |limits, score, bound| {
            with(limits, |worker| {
                complete(worker, 5, score, bound);
                assert_eq!(worker.is_finished(5), worker.is_proven());
                worker.is_proven()
            })
        };
        let exact = Bound::Exact;
        assert!(proven(Limits::default(), Score::mate_in(1), exact));
        assert!(proven(Limits::nodes(9), Score::mated_in(2), exact));
        assert!(!proven(Limits::default(), Score::mate_in(3), exact));
        assert!(!proven(Limits::default(), cp(0), exact));
        assert!(!proven(Limits::default(), Score::mate_in(1), Bound::Lower));
        assert!(!proven(Limits::depth(9), Score::mate_in(1), exact));
    }

    #[test]
    fn on_a_clock_a_mate_is_looked_at_for_some_plies_more() {
        let spent = |limits, depth: i32, score| {
            with(limits, |worker| {
                complete(worker, depth, score, Bound::Exact);
                worker.is_time_spent(depth)
            })
        };
        let mate = Score::mate_in(5);
        assert!(spent(clock(), 5 + MATE_CONFIRMATION, mate));
        assert!(!spent(clock(), 4 + MATE_CONFIRMATION, mate));
        assert!(!spent(clock(), 100, cp(900)));
        assert!(!spent(Limits::move_time(3_600_000), 100, mate));
        assert!(!spent(Limits::nodes(9), 100, mate));
    }

    #[test]
    fn on_a_clock_the_only_move_needs_little_thought() {
        // The king has one move.
        let only = "7k/8/8/8/8/1r6/r7/4K3 w - - 0 1";
        let spent = |fen: &str, depth: i32| {
            with_limits(fen, clock(), |worker, _| {
                complete(worker, depth, cp(-900), Bound::Exact);
                worker.is_time_spent(depth)
            })
        };
        let moves = |fen: &str| with_limits(fen, clock(), |worker, _| worker.root_moves.len());
        assert_eq!(moves(only), 2);
        let only = "7k/8/8/8/8/1r6/r7/7K w - - 0 1";
        assert_eq!(moves(only), 1);
        assert!(spent(only, ONLY_MOVE_DEPTH) && !spent(only, ONLY_MOVE_DEPTH - 1));
        assert!(!spent(FEN, 100));
    }

    #[test]
    fn while_pondering_it_is_noted_that_the_time_is_enough() {
        let limits = Limits {
            ponder: true,
            ..clock()
        };
        with(limits, |worker| {
            complete(worker, 90, Score::mate_in(5), Bound::Exact);
            assert!(!worker.is_time_spent(90));
            assert!(worker.ponder_time_is_enough);
        });
    }

    #[test]
    fn a_root_move_is_recorded_by_its_place_in_the_window() {
        let recorded = |count: usize, score: i32| {
            with_limits(FEN, Limits::default(), |worker, position| {
                worker.root_moves.begin_iteration(1);
                worker.root_moves.begin_line(0);
                let m = legal(position, "g1h3");
                let mut node = node(position, 1);
                node.window = Window {
                    alpha: cp(0),
                    beta: cp(10),
                };
                worker.nodes = 30;
                worker.record_root_move(&node, &candidate(m, count), cp(score), 12);
                worker.root_moves.sort_line();
                let best = worker.root_moves.current();
                let found = best.m == m.into();
                (found, best.score, best.bound, best.nodes)
            })
        };
        assert_eq!(recorded(2, 5), (true, cp(5), Bound::Exact, 18));
        assert_eq!(recorded(2, 10), (true, cp(10), Bound::Lower, 18));
        assert_eq!(recorded(1, 0), (true, cp(0), Bound::Upper, 18));
        assert!(!recorded(2, 0).0);
    }

    #[test]
    fn a_time_that_is_over_does_not_end_the_first_iteration() {
        let limits = Limits {
            move_time: Some(Duration::ZERO),
            ..Limits::default()
        };
        with(limits, |worker| {
            worker.deepen();
            // The clock is read only after some hundred nodes.
            assert!((1..20).contains(&worker.completed_depth));
        });
    }

    #[test]
    fn the_current_move_is_reported_after_three_seconds() {
        let reports = |seconds: u64| {
            let start = Instant::now().checked_sub(Duration::from_secs(seconds));
            let start = start.expect("a clock older than a minute");
            let mut reports = Vec::new();
            let mut report = |report| reports.push(report);
            with_report(
                FEN,
                Limits::default(),
                start,
                &mut report,
                |worker, position| {
                    worker.report_current_move(legal(position, "g1h3"), 4);
                },
            );
            reports
        };
        assert!(reports(0).is_empty());
        let reports = reports(60);
        assert!(matches!(
            reports[..],
            [Report::CurrentMove {
                depth: 10,
                number: 4,
                ..
            }]
        ));
    }

    #[test]
    fn windows_that_fail_are_reported_and_opened() {
        let mut bounds = Vec::new();
        let mut report = |report| {
            if let Report::Variation(variation) = report {
                bounds.push((variation.depth, variation.bound));
            }
        };
        let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let (limits, now) = (Limits::depth(9), Instant::now());
        with_report(kiwipete, limits, now, &mut report, |worker, _| {
            worker.deepen()
        });
        let failed = bounds.iter().filter(|(_, bound)| *bound != Bound::Exact);
        // The first iterations have nothing to put a window round.
        assert!(
            failed
                .clone()
                .all(|&(depth, _)| depth >= ASPIRATION_DEPTH as u32)
        );
        assert!(failed.count() > 0);
        let complete = bounds.iter().filter(|(_, bound)| *bound == Bound::Exact);
        let depths: Vec<u32> = complete.map(|&(depth, _)| depth).collect();
        assert_eq!(depths, (1..=9).collect::<Vec<_>>());
    }
}
