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
