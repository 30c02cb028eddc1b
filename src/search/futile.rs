//! Which moves of a node are not worth a search: pruning of single moves, near the leaves.

use super::depth::Candidate;
use super::moves::Progress;
use super::node::{Node, NodeKind};
use super::params::PLY;
use super::picker::Rank;
use super::see::see_at_least;
use super::worker::Worker;
use crate::chess::position::Position;

/// What to do with a move before it is played.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(super) enum Worth {
    Search,
    Skip,
    SkipAllQuiets,
}

impl Worker<'_> {
    /// Which moves are not worth a look, near the leaves. Nothing is left out before one move has been searched
    /// that does not lose, nor in endings of pawns alone. A winning capture has passed its exchange test already.
    pub(super) fn judge<K: NodeKind>(
        &self,
        position: &Position,
        node: &Node,
        candidate: &Candidate,
        progress: &mut Progress,
    ) -> Worth {
        let safe =
            progress.count > 0 && !progress.best.is_loss() && position.has_pieces(position.turn());
        if !safe || candidate.rank == Rank::Winning || self.is_mate_search() {
            return Worth::Search;
        }
        if candidate.quiet {
            self.judge_quiet::<K>(position, node, candidate, progress)
        } else {
            // Exchange pruning (https://www.chessprogramming.org/Static_Exchange_Evaluation).
            let margin = -self.shared.params().see_capture_margin * node.depth;
            let worth = see_at_least(position, candidate.m, margin - candidate.history / 64);
            if worth { Worth::Search } else { Worth::Skip }
        }
    }

    fn judge_quiet<K: NodeKind>(
        &self,
        position: &Position,
        node: &Node,
        candidate: &Candidate,
        progress: &mut Progress,
    ) -> Worth {
        let params = self.shared.params();
        // Late move pruning (https://www.chessprogramming.org/Futility_Pruning#Move_Count_Based_Pruning). On a
        // principal variation a late quiet move may be the point, such as a mate.
        let late = candidate.count as i32 > params.late_move_limit(node.depth, node.improving);
        if late && !K::PV {
            return Worth::SkipAllQuiets;
        }
        let reduction = self.reduction(node, candidate);
        let depth = (node.depth - 1 - reduction / PLY).max(0);
        // Futility pruning (https://www.chessprogramming.org/Futility_Pruning).
        if !node.in_check && depth <= params.futility_depth && !node.window.alpha.is_decisive() {
            let futility_value = node.eval + params.futility_margin(depth);
            if futility_value <= node.window.alpha {
                progress.best = progress.best.max(futility_value);
                return Worth::SkipAllQuiets;
            }
        }
        // History pruning: what never helped will not help now
        // (https://www.chessprogramming.org/History_Leaf_Pruning).
        if depth <= params.history_pruning_depth
            && candidate.history < -params.history_pruning_margin * node.depth
        {
            return Worth::Skip;
        }
        // Exchange pruning. On a square that is not attacked nothing is lost, but to a slider that the move itself lets
        // through, which is too rare to look for.
        let margin = -params.see_quiet_margin * depth * depth;
        if node.threats.contains(candidate.m.to()) && !see_at_least(position, candidate.m, margin) {
            return Worth::Skip;
        }
        Worth::Search
    }
}
