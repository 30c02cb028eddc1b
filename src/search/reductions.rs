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
        let deepest = depth + i32::from(K::PV);
        Some((depth - reduction / REDUCTION_ONE_PLY).clamp(1, deepest.max(1)))
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
