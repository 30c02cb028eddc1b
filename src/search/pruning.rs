//! Forward pruning: whole nodes and single moves that are not searched, on evidence that is no proof
//! (<https://www.chessprogramming.org/Pruning>).
//!
//! The node calls these steps only where they are safe: see `node`. Those that search are kept out of line, so that
//! their own variables do not take stack space in every node.

use super::game::{Bitboard, CompactMove, Position, see_at_least};
use super::node_state::{Candidate, Node, Progress};
use super::node_type::{NodeKind, NodeType, OffPv};
use super::params::REDUCTION_ONE_PLY;
use super::picker::{Context, Picker, Rank};
use super::report::Bound;
use super::tt::Record;
use super::window::Window;
use super::worker::{Aborted, Worker};
use crate::score::Score;

/// What to do with a move before it is played.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Verdict {
    /// Search it.
    Search,
    /// Leave it out.
    Skip,
    /// Leave it out, and all quiet moves after it.
    SkipQuiets,
}

// Whole nodes.
impl Worker<'_> {
    /// Reverse futility pruning: the evaluation is above beta by more than a few plies can lose
    /// (<https://www.chessprogramming.org/Reverse_Futility_Pruning>). Not where a principal variation went: there a quiet
    /// move may be the point, such as a mate.
    pub fn reverse_futility(&self, position: &Position, node: &Node) -> Option<Score> {
        let params = self.shared.params();
        let worsening = i32::from(self.opponent_is_worsening(node));
        let margin = params.reverse_futility_margin(node.depth, node.improving)
            - worsening * params.worsening_margin;
        let margin = margin.max(0);
        let beta = node.window.beta;
        let prune = node.depth <= params.reverse_futility_depth
            && !node.was_pv
            && !node.eval.is_decisive()
            && node.eval - margin >= beta;
        prune.then(|| {
            self.store_evaluation(position, node);
            beta.between(node.eval)
        })
    }

    /// Whether the opponent's last move made its evaluation worse.
    fn opponent_is_worsening(&self, node: &Node) -> bool {
        let before = node
            .ply
            .checked_sub(1)
            .map(|ply| self.stack[ply].static_eval);
        before.is_some_and(|before| !before.is_none() && before.raw() + node.static_eval.raw() > 0)
    }

    /// Razoring: the evaluation is so far below alpha that only a capture can help; see whether one does
    /// (<https://www.chessprogramming.org/Razoring>).
    #[inline(never)]
    pub fn razor(&mut self, position: &Position, node: &Node) -> Result<Option<Score>, Aborted> {
        let params = self.shared.params();
        let alpha = node.window.alpha;
        let hopeless = node.depth <= params.razoring_depth
            && !alpha.is_decisive()
            && node.eval + params.razoring_margin * node.depth < alpha;
        if !hopeless {
            return Ok(None);
        }
        let score = self.quiescence::<OffPv>(position, Window::null(alpha), node.ply)?;
        Ok((score <= alpha).then_some(score))
    }

    /// Null move pruning: if passing the move still fails high, a real move will
    /// (<https://www.chessprogramming.org/Null_Move_Pruning>). Not without pieces, where passing may be the best
    /// move of all, and not twice running.
    #[inline(never)]
    pub fn null_move(
        &mut self,
        position: &Position,
        node: &Node,
    ) -> Result<Option<Score>, Aborted> {
        let params = self.shared.params();
        let Node { ply, depth, .. } = *node;
        let beta = node.window.beta;
        let after_null = ply > 0 && self.stack[ply - 1].current.is_none();
        if depth < params.null_move_depth
            || after_null
            || ply < self.null_move_ply
            || node.eval < beta
            || node.static_eval < beta + params.null_move_surplus(depth)
            || !position.has_pieces(position.turn())
        {
            return Ok(None);
        }
        self.prefetch_null(position);
        let Some(child) = position.null_child() else {
            return Ok(None);
        };
        let reduced = depth - params.null_move_reduction(depth, node.eval - beta);
        self.enter_move(position, ply, None);
        let window = Window::null(beta - 1).flipped();
        let score =
            -self.search::<OffPv>(&child, window, reduced, ply + 1, node.node_type.child())?;
        self.path.pop();
        if score < beta {
            return Ok(None);
        }
        // A mate found against a side that passed is no proof of a mate.
        let score = if score.is_decisive() { beta } else { score };
        if depth < params.null_move_verification_depth || self.null_move_ply > 0 {
            return Ok(Some(score));
        }
        self.verify_null_move(position, node, reduced, score)
    }

    /// Zugzwang insurance: at high depth a null move's success must be confirmed by a search without null moves
    /// (<https://www.chessprogramming.org/Null_Move_Pruning#Zugzwang>).
    #[inline(never)]
    fn verify_null_move(
        &mut self,
        position: &Position,
        node: &Node,
        depth: i32,
        score: Score,
    ) -> Result<Option<Score>, Aborted> {
        self.null_move_ply = node.ply + 3 * depth.max(1) as usize / 4;
        let window = Window::null(node.window.beta - 1);
        let verified =
            self.search::<OffPv>(position, window, depth.max(1), node.ply, NodeType::All);
        self.null_move_ply = 0;
        Ok((verified? >= node.window.beta).then_some(score))
    }

    /// ProbCut: a capture that beats beta by a margin in a shallow search will do so in a deep one
    /// (<https://www.chessprogramming.org/ProbCut>).
    #[inline(never)]
    pub fn probcut(&mut self, position: &Position, node: &Node) -> Result<Option<Score>, Aborted> {
        /// The shallow search is this many plies less deep.
        const REDUCTION: i32 = 4;
        let params = self.shared.params();
        let Node { ply, depth, .. } = *node;
        let target = node.window.beta + params.probcut_margin;
        let table_doubts = node.entry.is_some_and(|entry| {
            entry.bound.is_some() && entry.depth >= depth - 3 && entry.score(ply) < target
        });
        if depth < params.probcut_depth || table_doubts || target.is_decisive() {
            return Ok(None);
        }
        let required = target - node.static_eval;
        let wins = |&m: &CompactMove| !m.is_quiet() && see_at_least(position, m, required);
        let table_move = node.table_move.filter(wins);
        let mut picker = Picker::noisy(table_move, Bitboard::FULL, required);
        while let Some(picked) = picker.next(position, self.histories, &Context::NOISY) {
            let m = picked.m;
            self.prefetch(position, m);
            let mut child = position.clone();
            self.play(&mut child, position, m);
            self.enter_move(position, ply, Some(m));
            let window = Window::null(target - 1).flipped();
            let mut score = -self.quiescence::<OffPv>(&child, window, ply + 1)?;
            if score >= target && depth > REDUCTION {
                let node_type = node.node_type.child();
                score =
                    -self.search::<OffPv>(&child, window, depth - REDUCTION, ply + 1, node_type)?;
            }
            self.path.pop();
            if score >= target {
                let record = Record {
                    best: Some(m),
                    score,
                    eval: node.raw_eval,
                    depth: depth - REDUCTION + 1,
                    bound: Some(Bound::Lower),
                    is_pv: node.was_pv,
                };
                self.shared.store(position, ply, record);
                return Ok(Some(score));
            }
        }
        Ok(None)
    }
}

// Single moves.
impl Worker<'_> {
    /// What to do with a move. None is left out before one has been searched that does not lose, nor when the side to
    /// move has only pawns, where zugzwang is common. A winning capture has passed its exchange test already.
    pub fn prune_move<K: NodeKind>(
        &self,
        position: &Position,
        node: &Node,
        candidate: &Candidate,
        progress: &mut Progress,
    ) -> Verdict {
        let safe =
            progress.count > 0 && !progress.best.is_loss() && position.has_pieces(position.turn());
        if !safe || candidate.rank == Rank::Winning || self.is_mate_search() {
            return Verdict::Search;
        }
        if candidate.quiet {
            self.prune_quiet::<K>(position, node, candidate, progress)
        } else {
            // Exchange pruning (https://www.chessprogramming.org/Static_Exchange_Evaluation).
            let margin = -self.shared.params().see_capture_margin * node.depth;
            let worth = see_at_least(position, candidate.m, margin - candidate.history / 64);
            if worth {
                Verdict::Search
            } else {
                Verdict::Skip
            }
        }
    }

    fn prune_quiet<K: NodeKind>(
        &self,
        position: &Position,
        node: &Node,
        candidate: &Candidate,
        progress: &mut Progress,
    ) -> Verdict {
        let params = self.shared.params();
        // Late move pruning (https://www.chessprogramming.org/Futility_Pruning#Move_Count_Based_Pruning). On a
        // principal variation a late quiet move may be the point, such as a mate.
        let late = candidate.count as i32 > params.late_move_limit(node.depth, node.improving);
        if late && !K::PV {
            return Verdict::SkipQuiets;
        }
        let reduction = self.reduction(node, candidate);
        let depth = (node.depth - 1 - reduction / REDUCTION_ONE_PLY).max(0);
        // Futility pruning (https://www.chessprogramming.org/Futility_Pruning).
        if !node.in_check && depth <= params.futility_depth && !node.window.alpha.is_decisive() {
            let futility_value = node.eval + params.futility_margin(depth);
            if futility_value <= node.window.alpha {
                progress.best = progress.best.max(futility_value);
                return Verdict::SkipQuiets;
            }
        }
        // History pruning: what never helped will not help now
        // (https://www.chessprogramming.org/History_Leaf_Pruning).
        if depth <= params.history_pruning_depth
            && candidate.history < -params.history_pruning_margin * node.depth
        {
            return Verdict::Skip;
        }
        // Exchange pruning. On a square that is not attacked nothing is lost, but to a slider that the move itself lets
        // through, which is too rare to look for.
        let margin = -params.see_quiet_margin * depth * depth;
        if node.threats.contains(candidate.m.to()) && !see_at_least(position, candidate.m, margin) {
            return Verdict::Skip;
        }
        Verdict::Search
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::limits::Limits;
    use crate::search::node_type::OnPv;
    use crate::search::worker::testbed::{
        PARAMS, PLY, candidate, cp, decide, entry, legal, node, on, with_limits,
    };

    /// Nothing can be captured, and White has a piece.
    const QUIET: &str = "4k3/4p3/8/8/8/8/4P3/4K1N1 w - - 0 1";
    /// Every search of this returns a draw at once.
    const DRAWN: &str = "4k3/8/8/8/8/8/8/4K1N1 w - - 0 1";

    /// What a test changes of a node.
    type Change = fn(&mut Worker<'_>, &mut Node);

    #[test]
    fn reverse_futility_needs_its_margin() {
        const DEPTH: i32 = 4;
        const MARGIN: i32 = DEPTH * PARAMS.reverse_futility_margin;
        const DEEPEST: i32 = PARAMS.reverse_futility_depth;
        let prunes = |change: Change| {
            on(QUIET, |worker, position| {
                let mut node = node(position, DEPTH);
                (node.eval, node.raw_eval) = (cp(MARGIN), cp(7));
                change(worker, &mut node);
                let score = worker.reverse_futility(position, &node);
                // Only a node that is left leaves its evaluation.
                assert_eq!(worker.probe_table(position).is_some(), score.is_some());
                score
            })
        };
        assert_eq!(prunes(|_, _| ()), Some(cp(MARGIN / 2)));
        assert_eq!(prunes(|_, node| node.eval = cp(MARGIN - 1)), None);
        assert_eq!(prunes(|_, node| node.was_pv = true), None);
        assert_eq!(prunes(|_, node| node.eval = Score::mate_in(9)), None);
        let deep = |depth: i32| {
            on(QUIET, |worker, position| {
                let mut node = node(position, depth);
                node.eval = cp(5000);
                worker.reverse_futility(position, &node).is_some()
            })
        };
        assert!(deep(DEEPEST) && !deep(DEEPEST + 1));
        // A position that improves needs a ply less.
        let improving = |short: i32| {
            on(QUIET, |worker, position| {
                let mut node = node(position, DEPTH);
                node.improving = true;
                node.eval = cp(MARGIN - PARAMS.reverse_futility_margin - short);
                worker.reverse_futility(position, &node).is_some()
            })
        };
        assert!(improving(0) && !improving(1));
    }

    #[test]
    fn reverse_futility_needs_less_when_the_opponent_has_worsened_its_position() {
        const LESS: i32 = PARAMS.reverse_futility_margin - PARAMS.worsening_margin;
        let prunes = |eval: i32, before: Score| {
            on(QUIET, |worker, position| {
                let mut node = node(position, 1);
                node.eval = cp(eval);
                worker.stack[PLY - 1].static_eval = before;
                worker.reverse_futility(position, &node).is_some()
            })
        };
        // The node's own evaluation is 0: before the move the opponent stood better, as good, worse.
        assert!(prunes(LESS, cp(1)) && !prunes(LESS - 1, cp(1)));
        assert!(!prunes(LESS, cp(0)));
        assert!(!prunes(LESS, cp(-1)));
        assert!(!prunes(LESS, Score::NONE));
    }

    #[test]
    fn razoring_is_for_nodes_far_below_alpha_where_no_capture_helps() {
        const DEEPEST: i32 = PARAMS.razoring_depth;
        let razors = |fen: &str, depth: i32, alpha: Score, eval: i32| {
            on(fen, |worker, position| {
                let mut node = node(position, depth);
                node.window = Window::null(alpha);
                node.eval = cp(eval);
                worker.razor(position, &node).unwrap()
            })
        };
        let alpha = cp(2000);
        let margin = |depth: i32| PARAMS.razoring_margin * depth;
        let pruned = razors(QUIET, 1, alpha, 2000 - margin(1) - 1).unwrap();
        assert!(pruned <= alpha);
        assert_eq!(razors(QUIET, 1, alpha, 2000 - margin(1)), None);
        assert_eq!(razors(QUIET, 2, alpha, 2000 - margin(2)), None);
        assert!(razors(QUIET, DEEPEST, alpha, 2000 - margin(DEEPEST) - 1).is_some());
        assert_eq!(razors(QUIET, DEEPEST + 1, alpha, -2000), None);
        assert_eq!(razors(QUIET, 1, Score::mate_in(20), 0), None);
        // The knight takes the queen.
        let hanging = "4k3/4p3/8/8/7q/5N2/4P3/4K3 w - - 0 1";
        assert_eq!(razors(hanging, 1, cp(-1000), -2000), None);
        assert!(razors(hanging, 1, alpha, -2000).is_some());
    }

    /// The score of null move pruning five plies deep, far above beta, after `change`.
    fn null_move(fen: &str, change: impl FnOnce(&mut Worker<'_>, &mut Node)) -> Option<Score> {
        on(fen, |worker, position| {
            let mut node = node(position, 5);
            (node.eval, node.static_eval) = (cp(500), cp(500));
            change(worker, &mut node);
            let score = worker.null_move(position, &node).unwrap();
            assert!(worker.path.is_empty());
            score
        })
    }

    #[test]
    fn a_null_move_that_fails_high_ends_the_node() {
        const SHALLOWEST: i32 = PARAMS.null_move_depth;
        let drawn = |change: Change| null_move(DRAWN, change);
        let draw = Some(Score::DRAW);
        assert_eq!(drawn(|_, _| ()), draw);
        assert_eq!(drawn(|_, node| node.depth = SHALLOWEST), draw);
        assert_eq!(drawn(|_, node| node.depth = SHALLOWEST - 1), None);
        // The draw is not enough.
        assert_eq!(drawn(|_, node| node.window = Window::null(cp(0))), None);
        // The evaluation is below beta; the static evaluation is not far enough above it.
        assert_eq!(drawn(|_, node| node.eval = cp(0)), draw);
        assert_eq!(drawn(|_, node| node.eval = cp(-1)), None);
        let surplus = PARAMS.null_move_surplus - 5 * PARAMS.null_move_surplus_slope;
        let with_surplus = |surplus| null_move(DRAWN, |_, node| node.static_eval = cp(surplus));
        assert_eq!(with_surplus(surplus), draw);
        assert_eq!(with_surplus(surplus - 1), None);
    }

    #[test]
    fn no_null_move_after_another_or_while_one_is_verified_or_without_pieces() {
        let drawn = |change: Change| null_move(DRAWN, change);
        let draw = Some(Score::DRAW);
        assert_eq!(
            drawn(|worker, _| worker.stack[PLY - 1].current = None),
            None
        );
        assert_eq!(drawn(|worker, _| worker.null_move_ply = PLY), draw);
        assert_eq!(drawn(|worker, _| worker.null_move_ply = PLY + 1), None);
        let low = |_: &mut Worker<'_>, node: &mut Node| node.window = Window::null(cp(-900));
        assert_eq!(null_move("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", low), None);
        assert!(null_move("4k3/8/8/8/8/8/4P3/4K1N1 w - - 0 1", low).is_some());
    }

    #[test]
    fn a_deep_null_move_counts_only_when_a_search_confirms_it() {
        let verified = |depth, score: Score| {
            on(QUIET, |worker, position| {
                decide(worker, &position.null_child().unwrap(), PLY + 1, cp(-30));
                decide(worker, position, PLY, score);
                let mut node = node(position, depth);
                (node.eval, node.static_eval) = (cp(500), cp(500));
                let score = worker.null_move(position, &node).unwrap();
                assert_eq!(worker.null_move_ply, 0);
                score
            })
        };
        const DEEP: i32 = PARAMS.null_move_verification_depth;
        assert_eq!(verified(DEEP, cp(0)), Some(cp(30)));
        assert_eq!(verified(DEEP, cp(-1)), None);
        assert_eq!(verified(DEEP - 1, cp(-1)), Some(cp(30)));
    }

    #[test]
    fn a_mate_after_a_null_move_proves_no_more_than_beta() {
        let score = null_move(QUIET, |worker, _| {
            let child = worker.shared.root.null_child().unwrap();
            decide(worker, &child, PLY + 1, Score::mated_in(PLY + 3));
        });
        assert_eq!(score, Some(cp(0)));
    }

    const MARGIN: i32 = PARAMS.probcut_margin;
    const SHALLOWEST: i32 = PARAMS.probcut_depth;

    /// The score of ProbCut where the knight takes a knight and draws, at the depth and with the beta given; the draw is
    /// just enough with a beta of minus [`MARGIN`].
    fn probcut(depth: i32, beta: i32, change: impl FnOnce(&mut Node)) -> Option<Score> {
        on("4k3/8/8/3n4/8/4N3/8/4K3 w - - 0 1", |worker, position| {
            let mut node = node(position, depth);
            node.window = Window::null(cp(beta - 1));
            change(&mut node);
            let score = worker.probcut(position, &node).unwrap();
            assert!(worker.path.is_empty());
            let entry = worker.probe_table(position);
            assert_eq!(entry.is_some(), score.is_some());
            if let Some(entry) = entry {
                let takes = legal(position, "e3d5").pack();
                assert_eq!((entry.best, entry.depth), (Some(takes), depth - 3));
                assert_eq!(entry.bound, Some(Bound::Lower));
            }
            score
        })
    }

    #[test]
    fn a_capture_that_beats_beta_by_a_margin_ends_the_node() {
        let draw = Some(Score::DRAW);
        assert_eq!(probcut(SHALLOWEST, -MARGIN, |_| ()), draw);
        assert_eq!(probcut(SHALLOWEST + 2, -MARGIN, |_| ()), draw);
        assert_eq!(probcut(SHALLOWEST - 1, -MARGIN, |_| ()), None);
        assert_eq!(probcut(SHALLOWEST, 1 - MARGIN, |_| ()), None);
        // The exchange would have to win more than there is.
        let lost = |node: &mut Node| node.static_eval = cp(-2000);
        assert_eq!(probcut(SHALLOWEST, -MARGIN, lost), None);
        // A quiet table move is not tried.
        let quiet = on("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", |worker, position| {
            let mut node = node(position, SHALLOWEST);
            node.window = Window::null(cp(-MARGIN - 1));
            node.table_move = Some(legal(position, "g1f3"));
            worker.probcut(position, &node).unwrap()
        });
        assert_eq!(quiet, None);
    }

    #[test]
    fn the_table_may_speak_against_probcut() {
        let draw = Some(Score::DRAW);
        let with = |depth, score, bound| {
            let entry = entry(DRAWN, None, depth, cp(score), bound);
            probcut(SHALLOWEST, -MARGIN, |node| node.entry = Some(entry))
        };
        let upper = Some(Bound::Upper);
        // `store_evaluation` and the record of ProbCut itself go by the worker's table, which has no entry here.
        assert_eq!(with(SHALLOWEST - 3, -1, upper), None);
        assert_eq!(with(SHALLOWEST - 3, 0, upper), draw);
        assert_eq!(with(SHALLOWEST - 4, -1, upper), draw);
        assert_eq!(with(SHALLOWEST - 3, -1, None), draw);
    }

    /// The queen takes a defended pawn.
    const LOSING: &str = "4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1";

    fn searched(best: Score) -> Progress {
        Progress {
            best,
            count: 1,
            ..Progress::new()
        }
    }

    /// What becomes of the capture on d5, `depth` plies deep.
    fn capture_verdict(
        fen: &str,
        depth: i32,
        limits: Limits,
        change: impl FnOnce(&mut Candidate, &mut Progress),
    ) -> Verdict {
        with_limits(fen, limits, |worker, position| {
            let mut candidate = candidate(legal(position, "d1d5"), 2);
            candidate.rank = Rank::Losing;
            let mut progress = searched(cp(0));
            change(&mut candidate, &mut progress);
            let node = node(position, depth);
            worker.prune_move::<OffPv>(position, &node, &candidate, &mut progress)
        })
    }

    #[test]
    fn a_losing_capture_is_left_out_where_that_is_safe() {
        let verdict = |depth, change: fn(&mut Candidate, &mut Progress)| {
            capture_verdict(LOSING, depth, Limits::default(), change)
        };
        assert_eq!(verdict(1, |_, _| ()), Verdict::Skip);
        assert_eq!(verdict(20, |_, _| ()), Verdict::Search);
        assert_eq!(
            verdict(1, |_, progress| progress.count = 0),
            Verdict::Search
        );
        let lost = |_: &mut Candidate, progress: &mut Progress| progress.best = Score::mated_in(9);
        assert_eq!(verdict(1, lost), Verdict::Search);
        let winning = |candidate: &mut Candidate, _: &mut Progress| candidate.rank = Rank::Winning;
        assert_eq!(verdict(1, winning), Verdict::Search);
        // A good history forgives the loss, a bad one does not.
        let praised = |candidate: &mut Candidate, _: &mut Progress| candidate.history = 16_384 * 4;
        assert_eq!(verdict(1, praised), Verdict::Search);
        let blamed = |candidate: &mut Candidate, _: &mut Progress| candidate.history = -16_384 * 4;
        assert_eq!(verdict(10, blamed), Verdict::Skip);
        let mate = Limits {
            mate: Some(3),
            ..Limits::default()
        };
        assert_eq!(capture_verdict(LOSING, 1, mate, |_, _| ()), Verdict::Search);
    }

    /// What becomes of the move `uci` as number `count`: its verdict, and the best score afterwards.
    fn quiet_verdict<K: NodeKind>(
        fen: &str,
        uci: &str,
        depth: i32,
        change: impl FnOnce(&mut Node, &mut Candidate),
    ) -> (Verdict, Score) {
        on(fen, |worker, position| {
            let mut node = node(position, depth);
            let mut candidate = candidate(legal(position, uci), 1);
            change(&mut node, &mut candidate);
            let mut progress = searched(cp(-900));
            let verdict = worker.prune_move::<K>(position, &node, &candidate, &mut progress);
            (verdict, progress.best)
        })
    }

    #[test]
    fn late_quiet_moves_are_left_out_but_not_on_a_principal_variation() {
        let limit = PARAMS.late_move_limit(3, false) as usize;
        let verdict = |count: usize| {
            let late = |_: &mut Node, candidate: &mut Candidate| candidate.count = count;
            quiet_verdict::<OffPv>(QUIET, "g1f3", 3, late).0
        };
        assert_eq!(verdict(limit), Verdict::Search);
        assert_eq!(verdict(limit + 1), Verdict::SkipQuiets);
        let late = |_: &mut Node, candidate: &mut Candidate| candidate.count = limit + 1;
        let on_pv = quiet_verdict::<OnPv>(QUIET, "g1f3", 3, late).0;
        assert_eq!(on_pv, Verdict::Search);
        // With pawns alone nothing is left out.
        let pawns = "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1";
        let late = |_: &mut Node, candidate: &mut Candidate| candidate.count = limit + 1;
        assert_eq!(
            quiet_verdict::<OffPv>(pawns, "e2e3", 3, late).0,
            Verdict::Search
        );
    }

    #[test]
    fn a_quiet_move_that_cannot_reach_alpha_is_left_out() {
        // The first move is reduced by the base of the table, which is one ply and a bit: one ply of three is left.
        assert_eq!(PARAMS.reduction_quiet_base / REDUCTION_ONE_PLY, 1);
        let hopeless = -1 - (PARAMS.futility_base + PARAMS.futility_margin);
        let verdict = |depth, change: &dyn Fn(&mut Node)| {
            let change = |node: &mut Node, _: &mut Candidate| {
                node.eval = cp(hopeless);
                change(node);
            };
            quiet_verdict::<OffPv>(QUIET, "g1f3", depth, change)
        };
        // The promise becomes the best score, so that the node does not claim less than it knows.
        assert_eq!(verdict(3, &|_| ()), (Verdict::SkipQuiets, cp(-1)));
        let better = |node: &mut Node| node.eval = cp(hopeless + 1);
        assert_eq!(verdict(3, &better), (Verdict::Search, cp(-900)));
        let in_check = |node: &mut Node| node.in_check = true;
        assert_eq!(verdict(3, &in_check).0, Verdict::Search);
        let mate = |node: &mut Node| node.window = Window::null(Score::mate_in(30));
        assert_eq!(verdict(3, &mate).0, Verdict::Search);
        let very_low = |node: &mut Node| node.eval = cp(-9000);
        assert_eq!(
            verdict(PARAMS.futility_depth + 2, &very_low).0,
            Verdict::SkipQuiets
        );
        assert_eq!(
            verdict(PARAMS.futility_depth + 3, &very_low).0,
            Verdict::Search
        );
    }

    #[test]
    fn a_quiet_move_that_never_helped_is_left_out_near_the_leaves() {
        let verdict = |depth, history: i32| {
            let change = |node: &mut Node, candidate: &mut Candidate| {
                node.eval = cp(1000);
                candidate.history = history;
            };
            quiet_verdict::<OffPv>(QUIET, "g1f3", depth, change).0
        };
        let limit = -3 * PARAMS.history_pruning_margin;
        assert_eq!(verdict(3, limit - 1), Verdict::Skip);
        assert_eq!(verdict(3, limit), Verdict::Search);
        assert_eq!(verdict(3, -limit), Verdict::Search);
        assert_eq!(
            verdict(20, -20 * PARAMS.history_pruning_margin - 1),
            Verdict::Search
        );
    }

    #[test]
    fn a_quiet_move_onto_an_attacked_square_must_not_lose_too_much() {
        // The pawn takes on f3 and not on h3.
        let fen = "4k3/8/8/8/6p1/8/8/4K1N1 w - - 0 1";
        let verdict = |depth, threats: bool| {
            let change = |node: &mut Node, _: &mut Candidate| {
                node.eval = cp(1000);
                if threats {
                    node.threats = Bitboard::FULL;
                }
            };
            quiet_verdict::<OffPv>(fen, "g1f3", depth, change).0
        };
        assert_eq!(verdict(3, true), Verdict::Skip);
        assert_eq!(verdict(12, true), Verdict::Search);
        assert_eq!(verdict(3, false), Verdict::Search);
    }

    #[test]
    fn a_null_move_inside_a_verification_is_not_verified_again() {
        on(QUIET, |worker, position| {
            decide(worker, &position.null_child().unwrap(), PLY + 1, cp(-30));
            decide(worker, position, PLY, cp(-1));
            worker.null_move_ply = PLY;
            let mut node = node(position, PARAMS.null_move_verification_depth);
            (node.eval, node.static_eval) = (cp(500), cp(500));
            let score = worker.null_move(position, &node).unwrap();
            assert_eq!((score, worker.null_move_ply), (Some(cp(30)), PLY));
        });
    }

    #[test]
    fn a_capture_that_quiescence_likes_must_stand_a_search() {
        // The bishop takes the knight, and no longer guards e1, where the rook mates.
        let score = |depth: i32| {
            on(
                "4r1k1/5ppp/3n4/8/1B6/8/5PPP/6K1 w - - 0 1",
                |worker, position| {
                    let mut node = node(position, depth);
                    node.window = Window::null(cp(-600 - MARGIN - 1));
                    node.static_eval = cp(-800);
                    worker.probcut(position, &node).unwrap()
                },
            )
        };
        assert_eq!(SHALLOWEST, 4);
        assert!(score(4).is_some_and(|score| score > cp(-600)));
        assert_eq!(score(9), None);
    }
}
