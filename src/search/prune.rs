//! The ways to finish a node without searching all its moves, or to search it less deep. Nothing here is done in a
//! singular search or a mate search; a node is only left early when it is not in check, not on a principal
//! variation, and its window is not one of proven scores.
//!
//! Those that search are kept out of line: their own variables must not weigh on the stack of every node.

use shakmaty::Bitboard;

use super::node::{Expected, Node, NodeKind, OffPv, Window};
use super::picker::{Context, Picker};
use super::report::Bound;
use super::tt::Record;
use super::worker::{Aborted, Worker};
use crate::chess::position::Position;
use crate::score::Score;

impl Worker<'_> {
    /// Step 5: tries the cheap ways first. `node.depth` may change by a ply.
    pub(super) fn prune_whole_node<K: NodeKind>(
        &mut self,
        position: &Position,
        node: &mut Node,
    ) -> Result<Option<Score>, Aborted> {
        if self.is_mate_search() || node.excluded.is_some() {
            return Ok(None);
        }
        if !K::PV && !node.in_check {
            self.use_hindsight(node);
            if !node.window.beta.is_decisive() {
                if let Some(score) = self.reverse_futility(node) {
                    self.remember_evaluation(position, node);
                    return Ok(Some(score));
                }
                if let Some(score) = self.razor(position, node)? {
                    return Ok(Some(score));
                }
                if let Some(score) = self.null_move(position, node)? {
                    return Ok(Some(score));
                }
            }
        }
        self.reduce_without_table_move::<K>(node);
        if !K::PV && !node.in_check && !node.window.beta.is_decisive() {
            return self.probcut(position, node);
        }
        Ok(None)
    }

    /// Hindsight: the move before was reduced a lot. If the opponent's prospects then got better, it deserves a
    /// ply more; if they are clearly worse, one less (idea: Stockfish, 2024).
    fn use_hindsight(&self, node: &mut Node) {
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

    /// Reverse futility pruning: the evaluation is above beta by more than a few plies can lose
    /// (<https://www.chessprogramming.org/Reverse_Futility_Pruning>). Not where a principal variation went: there a quiet
    /// move may be the point, such as a mate.
    fn reverse_futility(&self, node: &Node) -> Option<Score> {
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
        prune.then(|| beta.between(node.eval))
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
    fn razor(&mut self, position: &Position, node: &Node) -> Result<Option<Score>, Aborted> {
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
    fn null_move(&mut self, position: &Position, node: &Node) -> Result<Option<Score>, Aborted> {
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
            -self.search::<OffPv>(&child, window, reduced, ply + 1, node.expected.child())?;
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
            self.search::<OffPv>(position, window, depth.max(1), node.ply, Expected::All);
        self.null_move_ply = 0;
        Ok((verified? >= node.window.beta).then_some(score))
    }

    /// Step 6: internal iterative reduction. Without a table move the order is poor: search less deep now, and
    /// the table will have a move next time (Ed Schröder, 2021).
    fn reduce_without_table_move<K: NodeKind>(&self, node: &mut Node) {
        let expensive = (K::PV && !K::ROOT) || node.expected == Expected::Cut;
        let deep = node.depth >= self.shared.params().internal_reduction_depth;
        if expensive && deep && node.table_move.is_none() {
            node.depth -= 1;
        }
    }

    /// ProbCut: a capture that beats beta by a margin in a shallow search will do so in a deep one
    /// (<https://www.chessprogramming.org/ProbCut>).
    #[inline(never)]
    fn probcut(&mut self, position: &Position, node: &Node) -> Result<Option<Score>, Aborted> {
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
        let table_move = node.table_move.filter(|&m| !m.is_quiet());
        let mut picker = Picker::noisy(table_move, Bitboard::FULL, target - node.static_eval);
        while let Some(picked) = picker.next(position, self.histories, &Context::NOISY) {
            let m = picked.m;
            self.prefetch(position, m, &picker);
            let mut child = position.clone();
            self.play(&mut child, position, m);
            self.enter_move(position, ply, Some(m));
            let window = Window::null(target - 1).flipped();
            let mut score = -self.quiescence::<OffPv>(&child, window, ply + 1)?;
            if score >= target && depth > REDUCTION {
                let expected = node.expected.child();
                score =
                    -self.search::<OffPv>(&child, window, depth - REDUCTION, ply + 1, expected)?;
            }
            self.path.pop();
            if score >= target {
                let record = Record {
                    best: Some(m.to_uci()),
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
