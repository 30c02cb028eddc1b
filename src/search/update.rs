//! What a node teaches: which moves did well, and how far the evaluation was off.

use super::continuation::Continuation;
use super::correction::last_moves;
use super::game::{CompactMove, Position, may_be_known};
use super::node_state::{Node, Progress};
use super::report::Bound;
use super::tt::Entry;
use super::worker::Worker;
use crate::score::Score;

impl Worker<'_> {
    /// A cut-off: its move is rewarded, those tried before it get a malus.
    #[inline(never)]
    pub fn reward_cutoff(
        &mut self,
        position: &Position,
        node: &Node,
        m: CompactMove,
        progress: &Progress,
    ) {
        let turn = position.turn();
        let params = self.shared.params();
        let bonus = params.history_bonus(node.depth);
        let malus = params.history_malus(node.depth);
        self.stack[node.ply].cutoffs += 1;
        if m.is_quiet() {
            self.remember_killer(node.ply, m);
            let histories = &mut *self.histories;
            histories.update_quiet(turn, node.threats, &node.continuation, m, bonus);
            for &tried in &progress.quiets {
                histories.update_quiet(turn, node.threats, &node.continuation, tried, -malus);
            }
        } else {
            self.histories.update_capture(turn, m, bonus);
        }
        for &tried in &progress.noisy {
            self.histories.update_capture(turn, tried, -malus);
        }
    }

    /// Killers: quiet moves that cut off will do so in sister nodes
    /// (<https://www.chessprogramming.org/Killer_Heuristic>).
    fn remember_killer(&mut self, ply: usize, m: CompactMove) {
        let killers = &mut self.stack[ply].killers;
        if killers[0] != Some(m) {
            killers[1] = killers[0];
            killers[0] = Some(m);
        }
    }

    /// The table's move has cut off without a search: it did well once more (idea: Stockfish).
    #[inline(never)]
    pub fn reward_table_cutoff(
        &mut self,
        position: &Position,
        m: CompactMove,
        depth: i32,
        continuation: &Continuation,
    ) {
        let params = self.shared.params();
        let bonus = params.history_bonus(depth) * params.table_cutoff_bonus / 100;
        if m.is_quiet() {
            let (turn, threats) = (position.turn(), position.threats());
            self.histories
                .update_quiet(turn, threats, continuation, m, bonus);
        }
    }

    /// No move helps against the one before: it is rewarded (prior countermove bonus, idea: Stockfish).
    pub fn reward_move_before(&mut self, position: &Position, node: &Node) {
        let params = self.shared.params();
        let bonus = params.history_bonus(node.depth) * params.prior_move_bonus / 100;
        self.credit_move_before(position, node.ply, bonus);
    }

    /// What a move did to the evaluation says at once whether it was good, long before a cut-off does (history
    /// updates by evaluation difference, idea: Stockfish).
    pub fn credit_evaluation_difference(
        &mut self,
        position: &Position,
        static_eval: Score,
        ply: usize,
    ) {
        let before = ply.checked_sub(1).map(|ply| self.stack[ply].static_eval);
        let known = |eval: &Score| !eval.is_none();
        if let (Some(before), true) = (before.filter(known), known(&static_eval)) {
            // Both evaluations are those of the side to move: together they are what the mover lost.
            let lost = before.raw() + static_eval.raw();
            let params = self.shared.params();
            let most = params.evaluation_bonus_max;
            let bonus = (-lost * params.evaluation_bonus).clamp(-most, most);
            self.credit_move_before(position, ply, bonus);
        }
    }

    /// Adds `bonus` to the quiet move that led to `position`, which stands at `ply`.
    fn credit_move_before(&mut self, position: &Position, ply: usize, bonus: i32) {
        let Some(before) = ply.checked_sub(1) else {
            return;
        };
        let frame = &self.stack[before];
        if let Some(m) = frame.current.filter(|m| m.is_quiet()) {
            let threats = frame.threats.all;
            let continuation = self.path_moves.before(before);
            let mover = !position.turn();
            self.histories
                .update_quiet(mover, threats, &continuation, m, bonus);
        }
    }

    /// The evaluation without corrections, from the table if it is there; [`Score::NONE`] in check.
    pub fn raw_evaluation(&mut self, position: &Position, entry: Option<Entry>) -> Score {
        match entry {
            _ if position.in_check() => Score::NONE,
            Some(entry) if !entry.eval.is_none() => entry.eval,
            _ => self.evaluate(position),
        }
    }

    /// The evaluation with what was learned about positions like this. Known endings are left as they are: small steps
    /// of their evaluation lead to the mate, and a correction would hide them.
    pub fn corrected(&self, position: &Position, raw: Score, continuation: &Continuation) -> Score {
        if raw.is_none() || may_be_known(position.board()) {
            return raw;
        }
        let corrections = &self.histories.corrections;
        let last = last_moves(continuation);
        let correction = corrections.get(self.shared.params(), position, last);
        Score::from_centipawns(raw.raw() + correction)
    }

    /// The search knows better than the evaluation: remember by how much. Not in check, where there is none, nor
    /// when a capture decided, which no evaluation foresees, nor when the bound proves nothing.
    #[inline(never)]
    pub fn learn_correction(
        &mut self,
        position: &Position,
        node: &Node,
        best: Score,
        best_move: Option<CompactMove>,
        bound: Bound,
    ) {
        let proves = match bound {
            Bound::Exact => true,
            Bound::Lower => best > node.static_eval,
            Bound::Upper => best < node.static_eval,
        };
        let noisy = best_move.is_some_and(|m| !m.is_quiet());
        // Known endings are not corrected, so that there is nothing to learn from them.
        let known = may_be_known(position.board());
        if node.in_check || noisy || !proves || best.is_decisive() || known {
            return;
        }
        let last = last_moves(&node.continuation);
        let corrections = &mut self.histories.corrections;
        corrections.learn(
            self.shared.params(),
            position,
            last,
            node.depth,
            best - node.static_eval,
        );
    }
}
