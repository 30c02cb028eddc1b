//! How deep a move is searched: extensions and reductions
//! (<https://www.chessprogramming.org/Extensions>, <https://www.chessprogramming.org/Reductions>).

use super::game::{CompactMove, Position};
use super::node_state::{Candidate, Node};
use super::node_type::{NodeKind, NodeType, OffPv};
use super::params::REDUCTION_ONE_PLY;
use super::report::Bound;
use super::window::Window;
use super::worker::{Aborted, Worker};
use crate::score::Score;

/// What a singular search says of the table move.
pub enum Singular {
    /// Search it with so many plies more or less.
    Extend(i32),
    /// Several moves beat beta: the node fails high.
    MultiCut(Score),
}

/// Lines are extended up to this multiple of the depth of the iteration.
const LONGEST_LINE: usize = 2;

impl Worker<'_> {
    /// Whether the line that led to `ply` may still be extended. A bound keeps a chain of extensions from running away.
    #[inline(always)]
    pub fn may_extend(&self, ply: usize) -> bool {
        ply < LONGEST_LINE * self.root_depth as usize
    }

    /// Check extension: a check leaves few replies, so a ply more costs little and sees through forcing lines
    /// (<https://www.chessprogramming.org/Check_Extensions>).
    #[inline]
    pub fn extended_in_check<K: NodeKind>(
        &self,
        position: &Position,
        depth: i32,
        ply: usize,
    ) -> i32 {
        let params = self.shared.params();
        let extends = !K::ROOT
            && position.in_check()
            && depth <= params.check_extension_depth
            && self.may_extend(ply)
            && self.stack[ply].excluded.is_none();
        depth + i32::from(extends)
    }

    /// Hindsight: the move before was reduced a lot. If the opponent's prospects then got better, the node is
    /// searched a ply deeper; if they are clearly worse, a ply less deep (idea: Stockfish, 2024).
    pub fn use_hindsight(&self, node: &mut Node) {
        let Some(before) = node.ply.checked_sub(1).map(|ply| &self.stack[ply]) else {
            return;
        };
        if before.static_eval.is_none() || before.reduction == 0 {
            return;
        }
        let gain = node.static_eval.raw() + before.static_eval.raw();
        if before.reduction >= self.shared.params().hindsight_reduction && gain <= 0 {
            node.depth += 1;
        } else if node.depth >= 2 && gain > self.shared.params().hindsight_worse {
            node.depth -= 1;
        }
    }

    /// Internal iterative reduction. Without a table move the order is poor: search less deep now, and
    /// the table will have a move next time (Ed Schröder, 2021).
    pub fn reduce_without_table_move<K: NodeKind>(&self, node: &mut Node) {
        let expensive = (K::PV && !K::ROOT) || node.node_type == NodeType::Cut;
        let deep = node.depth >= self.shared.params().internal_reduction_depth;
        if expensive && deep && node.table_move.is_none() {
            node.depth -= 1;
        }
    }

    /// Singular extension: if all other moves stay below the table's score by a margin, the table move is the
    /// only one and is searched deeper; if another one beats beta too, the node fails high (multi-cut)
    /// (<https://www.chessprogramming.org/Singular_Extensions>, <https://www.chessprogramming.org/Multi-Cut>).
    #[inline(always)]
    pub fn singular_extension<K: NodeKind>(
        &mut self,
        position: &Position,
        node: &Node,
        m: CompactMove,
    ) -> Result<Singular, Aborted> {
        if node.table_move == Some(m) {
            self.search_others::<K>(position, node, m)
        } else {
            Ok(Singular::Extend(0))
        }
    }

    /// The singular search itself: all moves but the table move `m`, at half the depth.
    #[inline(never)]
    fn search_others<K: NodeKind>(
        &mut self,
        position: &Position,
        node: &Node,
        m: CompactMove,
    ) -> Result<Singular, Aborted> {
        let params = self.shared.params();
        let Some(entry) = node.entry else {
            return Ok(Singular::Extend(0));
        };
        let table_score = entry.score(node.ply);
        let trusted = matches!(entry.bound, Some(Bound::Lower | Bound::Exact))
            && entry.depth >= node.depth - 3
            && !table_score.is_decisive();
        let wanted = !K::ROOT
            && !self.is_mate_search()
            && node.excluded.is_none()
            && node.depth >= params.singular_depth
            && self.may_extend(node.ply);
        if !trusted || !wanted {
            return Ok(Singular::Extend(0));
        }
        let target = table_score - params.singular_margin(node.depth);
        self.stack[node.ply].excluded = Some(m);
        let window = Window::null(target - 1);
        let score = self.search::<OffPv>(
            position,
            window,
            (node.depth - 1) / 2,
            node.ply,
            node.node_type,
        );
        self.stack[node.ply].excluded = None;
        let score = score?;
        Ok(if score < target {
            let double = !K::PV && score < target - params.double_extension_margin;
            let triple = double && m.is_quiet() && score < target - params.triple_extension_margin;
            Singular::Extend(1 + i32::from(double) + i32::from(triple))
        } else if score >= node.window.beta && !score.is_decisive() {
            Singular::MultiCut(score)
        } else if table_score >= node.window.beta {
            Singular::Extend(-2)
        } else if node.node_type == NodeType::Cut {
            Singular::Extend(-1)
        } else {
            Singular::Extend(0)
        })
    }

    /// The part of a reduction that depends on depth, place in the order and history, in 1024ths of a ply.
    #[inline(always)]
    pub fn reduction(&self, node: &Node, candidate: &Candidate) -> i32 {
        let (params, reductions) = (self.shared.params(), self.shared.reductions);
        let (logarithmic, history) = if candidate.quiet {
            let quiet = reductions.quiet(node.depth, candidate.count);
            (quiet, params.reduction_quiet_history)
        } else {
            let noisy = reductions.noisy(node.depth, candidate.count);
            (noisy, params.reduction_noisy_history)
        };
        logarithmic - candidate.history * REDUCTION_ONE_PLY / history
    }

    /// Late move reduction: the further down the order, the less deep at first
    /// (<https://www.chessprogramming.org/Late_Move_Reductions>). `None` when the move is not reduced.
    pub fn reduced_depth<K: NodeKind>(
        &self,
        node: &Node,
        candidate: &Candidate,
        child: &Position,
        depth: i32,
    ) -> Option<i32> {
        let first_reduced = 2 + usize::from(K::ROOT);
        if node.depth < 2 || candidate.count < first_reduced || self.is_mate_search() {
            return None;
        }
        let reduction = self.late_move_reduction::<K>(node, candidate, child);
        let deepest = depth + i32::from(K::PV);
        Some((depth - reduction / REDUCTION_ONE_PLY).clamp(1, deepest.max(1)))
    }

    /// The whole reduction of a late move, in 1024ths of a ply: negative when it deserves more depth.
    #[inline(always)]
    fn late_move_reduction<K: NodeKind>(
        &self,
        node: &Node,
        candidate: &Candidate,
        child: &Position,
    ) -> i32 {
        let params = self.shared.params();
        let mut reduction = self.reduction(node, candidate);
        let add = |condition: bool, amount: i32| if condition { amount } else { 0 };
        reduction += add(node.node_type == NodeType::Cut, params.reduction_cut_node);
        reduction += add(!node.improving, params.reduction_not_improving);
        reduction += add(
            self.stack[node.ply + 1].cutoffs > params.cutoff_count as u32,
            params.reduction_child_cutoffs,
        );
        let table_capture = node.table_move.is_some_and(|m| m.is_capture());
        reduction += add(table_capture, params.reduction_table_capture);
        reduction -= add(K::ROOT, params.reduction_root);
        reduction -= add(K::PV, params.reduction_pv);
        reduction -= add(node.was_pv, params.reduction_was_pv);
        reduction -= add(child.in_check(), params.reduction_check);
        if !node.in_check {
            let corrected = (node.static_eval - node.raw_eval).abs();
            reduction -= corrected * params.reduction_correction;
        }
        reduction
    }

    /// After a reduced search that found a better move: its score says how deep the full search should be, in plies more
    /// or less than `depth` (idea: Stockfish, 2021).
    pub fn deeper_or_shallower(&self, score: Score, best: Score, depth: i32) -> i32 {
        let deeper = score > best + self.shared.params().deeper_margin;
        let depth = depth + i32::from(deeper);
        let shallower = score < best + depth;
        i32::from(deeper) - i32::from(shallower)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::limits::Limits;
    use crate::search::node_type::{OnPv, Root};
    use crate::search::tt::Entry;
    use crate::search::worker::testbed::{
        self, PARAMS, PLY, candidate, cp, legal, node, on, with_limits,
    };

    const QUIET: &str = "4k3/4p3/8/8/8/8/4P3/4K1N1 w - - 0 1";
    const IN_CHECK: &str = "4k3/4p3/8/8/8/8/4r3/4K1N1 w - - 0 1";
    /// Every search of this returns a draw at once.
    const DRAWN: &str = "4k3/8/8/8/8/8/3n4/4K3 w - - 0 1";

    #[test]
    fn a_check_is_extended_by_a_ply() {
        let depth = |fen: &str, depth: i32, ply: usize| {
            on(fen, |worker, position| {
                worker.extended_in_check::<OffPv>(position, depth, ply)
            })
        };
        assert_eq!(depth(IN_CHECK, 5, PLY), 6);
        assert_eq!(depth(IN_CHECK, 0, PLY), 1);
        assert_eq!(depth(QUIET, 5, PLY), 5);
        const DEEPEST: i32 = PARAMS.check_extension_depth;
        assert_eq!(depth(IN_CHECK, DEEPEST, PLY), DEEPEST + 1);
        assert_eq!(depth(IN_CHECK, DEEPEST + 1, PLY), DEEPEST + 1);
        // The iteration is ten plies deep: lines end after twenty.
        assert_eq!(depth(IN_CHECK, 5, 19), 6);
        assert_eq!(depth(IN_CHECK, 5, 20), 5);
        on(IN_CHECK, |worker, position| {
            assert_eq!(worker.extended_in_check::<Root>(position, 5, 0), 5);
            worker.stack[PLY].excluded = Some(legal(position, "e1e2"));
            assert_eq!(worker.extended_in_check::<OffPv>(position, 5, PLY), 5);
        });
    }

    #[test]
    fn hindsight_changes_the_depth_after_a_reduction() {
        let changed = |depth: i32, reduction: i32, before: Score, now: i32| {
            on(QUIET, |worker, position| {
                worker.stack[PLY - 1].reduction = reduction;
                worker.stack[PLY - 1].static_eval = before;
                let mut node = node(position, depth);
                node.static_eval = cp(now);
                worker.use_hindsight(&mut node);
                node.depth - depth
            })
        };
        const LARGE: i32 = PARAMS.hindsight_reduction;
        const WORSE: i32 = PARAMS.hindsight_worse;
        // The evaluations before and after add up to what the mover lost.
        assert_eq!(changed(5, LARGE, cp(30), -30), 1);
        assert_eq!(changed(5, LARGE, cp(30), -29), 0);
        assert_eq!(changed(5, LARGE - 1, cp(30), -30), 0);
        assert_eq!(changed(5, 1, cp(30), WORSE - 29), -1);
        assert_eq!(changed(5, LARGE, cp(30), WORSE - 29), -1);
        assert_eq!(changed(5, 1, cp(30), WORSE - 30), 0);
        assert_eq!(changed(2, 1, cp(30), WORSE - 29), -1);
        assert_eq!(changed(1, 1, cp(30), WORSE - 29), 0);
        assert_eq!(changed(5, 0, cp(30), WORSE - 29), 0);
        assert_eq!(changed(5, LARGE, Score::NONE, -30), 0);
    }

    #[test]
    fn a_node_without_a_table_move_is_searched_less_deep_where_that_saves_much() {
        fn depth<K: NodeKind>(depth: i32, node_type: NodeType, table_move: bool) -> i32 {
            on(QUIET, |worker, position| {
                let mut node = node(position, depth);
                node.node_type = node_type;
                node.table_move = table_move.then(|| legal(position, "g1f3"));
                worker.reduce_without_table_move::<K>(&mut node);
                node.depth
            })
        }
        const SHALLOWEST: i32 = PARAMS.internal_reduction_depth;
        let less = SHALLOWEST - 1;
        assert_eq!(depth::<OffPv>(SHALLOWEST, NodeType::Cut, false), less);
        assert_eq!(depth::<OnPv>(SHALLOWEST, NodeType::Pv, false), less);
        assert_eq!(depth::<OffPv>(less, NodeType::Cut, false), less);
        assert_eq!(depth::<OnPv>(less, NodeType::Pv, false), less);
        assert_eq!(depth::<OffPv>(SHALLOWEST, NodeType::All, false), SHALLOWEST);
        assert_eq!(depth::<Root>(SHALLOWEST, NodeType::Pv, false), SHALLOWEST);
        assert_eq!(depth::<OffPv>(SHALLOWEST, NodeType::Cut, true), SHALLOWEST);
        assert_eq!(depth::<OnPv>(SHALLOWEST, NodeType::Pv, true), SHALLOWEST);
    }

    const DEPTH: i32 = PARAMS.singular_depth;
    const MARGIN: i32 = PARAMS.singular_margin * DEPTH / 100;

    /// What the table knows of [`DRAWN`].
    fn entry(score: Score, depth: i32, bound: Option<Bound>) -> Entry {
        testbed::entry(DRAWN, None, depth, score, bound)
    }

    /// The result of a singular search of the quiet table move: all others score zero. Plies of the extension, or `None`
    /// for a multi-cut.
    fn singular<K: NodeKind>(
        entry: Entry,
        beta: i32,
        change: impl FnOnce(&mut Worker<'_>, &mut Node),
    ) -> Option<i32> {
        singular_move::<K>("e1e2", entry, beta, Limits::default(), change)
    }

    fn singular_move<K: NodeKind>(
        uci: &str,
        entry: Entry,
        beta: i32,
        limits: Limits,
        change: impl FnOnce(&mut Worker<'_>, &mut Node),
    ) -> Option<i32> {
        with_limits(DRAWN, limits, |worker, position| {
            let mut node = node(position, DEPTH);
            let m = legal(position, uci);
            (node.table_move, node.entry) = (Some(m), Some(entry));
            node.window = Window::null(cp(beta - 1));
            change(worker, &mut node);
            let result = worker.singular_extension::<K>(position, &node, m).unwrap();
            assert!(worker.stack[node.ply].excluded.is_none());
            match result {
                Singular::Extend(plies) => Some(plies),
                Singular::MultiCut(score) => {
                    assert_eq!(score, Score::DRAW);
                    None
                }
            }
        })
    }

    fn lower(score: i32) -> Entry {
        entry(cp(score), DEPTH - 3, Some(Bound::Lower))
    }

    #[test]
    fn a_move_that_is_better_than_all_others_is_extended() {
        const DOUBLE: i32 = MARGIN + PARAMS.double_extension_margin;
        const TRIPLE: i32 = MARGIN + PARAMS.triple_extension_margin;
        let quiet = |score: i32| singular::<OffPv>(lower(score), 9000, |_, _| ());
        assert_eq!(quiet(MARGIN + 1), Some(1));
        assert_eq!(quiet(DOUBLE), Some(1));
        assert_eq!(quiet(DOUBLE + 1), Some(2));
        assert_eq!(quiet(TRIPLE), Some(2));
        assert_eq!(quiet(TRIPLE + 1), Some(3));
        let all = |_: &mut Worker<'_>, node: &mut Node| node.node_type = NodeType::All;
        assert_eq!(singular::<OffPv>(lower(MARGIN), 9000, all), Some(0));
        let on_pv = |score: i32| singular::<OnPv>(lower(score), 9000, |_, _| ());
        assert_eq!(on_pv(TRIPLE + 1), Some(1));
        let limits = Limits::default();
        let capture = singular_move::<OffPv>("e1d2", lower(TRIPLE + 1), 9000, limits, |_, _| ());
        assert_eq!(capture, Some(2));
    }

    #[test]
    fn a_move_that_is_no_better_than_others_is_cut_or_searched_less_deep() {
        let with_beta = |beta: i32| singular::<OffPv>(lower(MARGIN), beta, |_, _| ());
        // Beta is at most the others' score, at most the table's, above both.
        assert_eq!(with_beta(0), None);
        assert_eq!(with_beta(1), Some(-2));
        assert_eq!(with_beta(MARGIN), Some(-2));
        assert_eq!(with_beta(MARGIN + 1), Some(-1));
        let all = |_: &mut Worker<'_>, node: &mut Node| node.node_type = NodeType::All;
        assert_eq!(singular::<OffPv>(lower(MARGIN), MARGIN + 1, all), Some(0));
    }

    #[test]
    fn a_singular_search_needs_a_trusted_table_score_and_depth() {
        const HIGH: i32 = MARGIN + 1;
        let with = |entry: Entry| singular::<OffPv>(entry, 9000, |_, _| ());
        assert_eq!(
            with(entry(cp(HIGH), DEPTH - 3, Some(Bound::Exact))),
            Some(1)
        );
        assert_eq!(
            with(entry(cp(HIGH), DEPTH - 3, Some(Bound::Upper))),
            Some(0)
        );
        assert_eq!(with(entry(cp(HIGH), DEPTH - 3, None)), Some(0));
        assert_eq!(
            with(entry(cp(HIGH), DEPTH - 4, Some(Bound::Lower))),
            Some(0)
        );
        assert_eq!(
            with(entry(Score::mate_in(20), DEPTH, Some(Bound::Lower))),
            Some(0)
        );
        let changed =
            |change: fn(&mut Worker<'_>, &mut Node)| singular::<OffPv>(lower(HIGH), 9000, change);
        assert_eq!(changed(|_, node| node.depth = DEPTH - 1), Some(0));
        assert_eq!(changed(|_, node| node.entry = None), Some(0));
        assert_eq!(changed(|_, node| node.excluded = node.table_move), Some(0));
        assert_eq!(changed(|_, node| node.ply = 20), Some(0));
        assert_eq!(changed(|_, node| node.table_move = None), Some(0));
        let root = |_: &mut Worker<'_>, node: &mut Node| node.ply = 0;
        assert_eq!(singular::<Root>(lower(HIGH), 9000, root), Some(0));
        let mate = Limits {
            mate: Some(3),
            ..Limits::default()
        };
        let nothing = |_: &mut Worker<'_>, _: &mut Node| ();
        let in_mate_search = singular_move::<OffPv>("e1e2", lower(HIGH), 9000, mate, nothing);
        assert_eq!(in_mate_search, Some(0));
    }

    #[test]
    fn history_makes_a_reduction_smaller_or_larger() {
        on(QUIET, |worker, position| {
            let node = node(position, 8);
            let mut quiet = candidate(legal(position, "g1f3"), 5);
            let plain = worker.reduction(&node, &quiet);
            quiet.history = 2 * PARAMS.reduction_quiet_history;
            assert_eq!(worker.reduction(&node, &quiet), plain - 2 * 1024);
            quiet.history = -PARAMS.reduction_quiet_history;
            assert_eq!(worker.reduction(&node, &quiet), plain + 1024);
        });
        on(DRAWN, |worker, position| {
            let node = node(position, 8);
            let mut capture = candidate(legal(position, "e1d2"), 5);
            let plain = worker.reduction(&node, &capture);
            capture.history = PARAMS.reduction_noisy_history;
            assert_eq!(worker.reduction(&node, &capture), plain - 1024);
            let quiet = candidate(legal(position, "e1e2"), 5);
            assert!(worker.reduction(&node, &quiet) > plain);
        });
    }

    /// What `change` adds to the reduction of a quiet move, in 1024ths of a ply. Without it the node is expected to fail
    /// low and improves.
    fn added<K: NodeKind>(fen: &str, change: impl FnOnce(&mut Worker<'_>, &mut Node)) -> i32 {
        on(fen, |worker, position| {
            let child = position.child(legal(position, "g1f3"), worker.shared.evaluator.table());
            let mut node = node(position, 8);
            (node.node_type, node.improving) = (NodeType::All, true);
            let candidate = candidate(legal(position, "g1f3"), 5);
            let plain = worker.late_move_reduction::<OffPv>(&node, &candidate, position);
            change(worker, &mut node);
            worker.late_move_reduction::<K>(&node, &candidate, &child) - plain
        })
    }

    #[test]
    fn each_ground_for_more_or_less_reduction_counts_once() {
        assert_eq!(added::<OffPv>(QUIET, |_, _| ()), 0);
        let cut = |_: &mut Worker<'_>, node: &mut Node| node.node_type = NodeType::Cut;
        assert_eq!(added::<OffPv>(QUIET, cut), PARAMS.reduction_cut_node);
        let not_improving = |_: &mut Worker<'_>, node: &mut Node| node.improving = false;
        assert_eq!(
            added::<OffPv>(QUIET, not_improving),
            PARAMS.reduction_not_improving
        );
        let cutoffs = |count: i32| {
            added::<OffPv>(QUIET, |worker, _| {
                worker.stack[PLY + 1].cutoffs = count as u32
            })
        };
        assert_eq!(cutoffs(PARAMS.cutoff_count), 0);
        assert_eq!(
            cutoffs(PARAMS.cutoff_count + 1),
            PARAMS.reduction_child_cutoffs
        );
        let capture = "4k3/8/8/8/8/5n2/4P3/4K1N1 w - - 0 1";
        let takes = on(capture, |_, position| legal(position, "e2f3"));
        let table = |_: &mut Worker<'_>, node: &mut Node| node.table_move = Some(takes);
        assert_eq!(added::<OffPv>(QUIET, table), PARAMS.reduction_table_capture);
        let pushes = on(QUIET, |_, position| legal(position, "e2e4"));
        let table = |_: &mut Worker<'_>, node: &mut Node| node.table_move = Some(pushes);
        assert_eq!(added::<OffPv>(QUIET, table), 0);
        assert_eq!(added::<OnPv>(QUIET, |_, _| ()), -PARAMS.reduction_pv);
        let root = -PARAMS.reduction_pv - PARAMS.reduction_root;
        assert_eq!(added::<Root>(QUIET, |_, _| ()), root);
        let was_pv = |_: &mut Worker<'_>, node: &mut Node| node.was_pv = true;
        assert_eq!(added::<OffPv>(QUIET, was_pv), -PARAMS.reduction_was_pv);
        let check = "8/8/8/6k1/8/8/4P3/4K1N1 w - - 0 1";
        assert_eq!(added::<OffPv>(check, |_, _| ()), -PARAMS.reduction_check);
        let correct = |node: &mut Node| (node.static_eval, node.raw_eval) = (cp(-20), cp(10));
        let less = -30 * PARAMS.reduction_correction;
        assert_eq!(added::<OffPv>(QUIET, |_, node| correct(node)), less);
        let in_check = |_: &mut Worker<'_>, node: &mut Node| {
            correct(node);
            node.in_check = true;
        };
        assert_eq!(added::<OffPv>(QUIET, in_check), 0);
    }

    #[test]
    fn late_moves_are_reduced_from_the_second_on_and_one_ply_is_left() {
        fn reduced<K: NodeKind>(depth: i32, count: usize, history: i32) -> Option<i32> {
            on(QUIET, |worker, position| {
                let m = legal(position, "g1f3");
                let child = position.child(m, worker.shared.evaluator.table());
                let node = node(position, depth);
                let mut candidate = candidate(m, count);
                candidate.history = history;
                worker.reduced_depth::<K>(&node, &candidate, &child, depth - 1)
            })
        }
        assert_eq!(reduced::<OffPv>(8, 1, 0), None);
        assert!(reduced::<OffPv>(8, 2, 0).is_some_and(|depth| depth < 7));
        assert_eq!(reduced::<Root>(8, 2, 0), None);
        assert!(reduced::<Root>(8, 3, 0).is_some());
        assert_eq!(reduced::<OffPv>(1, 5, 0), None);
        assert_eq!(reduced::<OffPv>(2, 5, 0), Some(1));
        let bad = -10 * PARAMS.reduction_quiet_history;
        assert_eq!(reduced::<OffPv>(8, 5, bad), Some(1));
        // A good history gives the whole depth, and a ply more on a principal variation.
        assert_eq!(reduced::<OffPv>(8, 5, -bad), Some(7));
        assert_eq!(reduced::<OnPv>(8, 5, -bad), Some(8));
        // Three plies in all: the table's part, less what is added and taken off, in whole plies.
        on(QUIET, |worker, position| {
            let m = legal(position, "g1f3");
            let child = position.child(m, worker.shared.evaluator.table());
            let mut candidate = candidate(m, 5);
            let node = node(position, 20);
            let plain = worker.late_move_reduction::<OffPv>(&node, &candidate, &child);
            // A little more than three plies: histories are coarser than the unit.
            candidate.history = (plain - 3 * 1024) * PARAMS.reduction_quiet_history / 1024 - 5;
            let reduced = worker.reduced_depth::<OffPv>(&node, &candidate, &child, 19);
            assert_eq!(reduced, Some(16));
        });
        let mate = Limits {
            mate: Some(3),
            ..Limits::default()
        };
        with_limits(QUIET, mate, |worker, position| {
            let m = legal(position, "g1f3");
            let child = position.child(m, worker.shared.evaluator.table());
            let reduced =
                worker.reduced_depth::<OffPv>(&node(position, 8), &candidate(m, 5), &child, 7);
            assert_eq!(reduced, None);
        });
    }

    #[test]
    fn the_score_after_a_reduction_says_how_deep_the_full_search_is() {
        on(QUIET, |worker, _| {
            let plies =
                |score: i32, depth: i32| worker.deeper_or_shallower(cp(score), cp(100), depth);
            const DEEPER: i32 = 100 + PARAMS.deeper_margin;
            assert_eq!(plies(DEEPER + 1, 10), 1);
            assert_eq!(plies(DEEPER, 10), 0);
            assert_eq!(plies(110, 10), 0);
            assert_eq!(plies(109, 10), -1);
            assert_eq!(plies(DEEPER + 1, PARAMS.deeper_margin), 1);
            assert_eq!(plies(DEEPER + 1, PARAMS.deeper_margin + 1), 0);
        });
    }
}
