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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::worker::testbed::{PARAMS, PLY, cp, legal, node, on};

    /// White has a capture, gxf3, and quiet moves.
    const FEN: &str = "4k3/4p3/8/8/8/5b2/4P1P1/4K1N1 w - - 0 1";
    const DEPTH: i32 = 4;

    /// The history of a quiet move of the side to move, or of the other side.
    fn quiet(worker: &Worker<'_>, position: &Position, m: CompactMove, opponent: bool) -> i32 {
        let turn = if opponent {
            !position.turn()
        } else {
            position.turn()
        };
        let node = node(position, DEPTH);
        let values = worker
            .histories
            .quiet_values(turn, node.threats, &[None; 4]);
        values.of(m)
    }

    #[test]
    fn a_quiet_cut_off_is_rewarded_and_what_came_before_it_punished() {
        on(FEN, |worker, position| {
            let move_of = |uci| legal(position, uci);
            let (best, quiet_tried, capture) = (move_of("g1h3"), move_of("e1f2"), move_of("g2f3"));
            let mut progress = Progress::new();
            progress.remember_tried(quiet_tried);
            progress.remember_tried(capture);
            let node = node(position, DEPTH);
            worker.reward_cutoff(position, &node, best, &progress);
            let bonus = 4 * PARAMS.history_bonus_slope - PARAMS.history_bonus_offset;
            let malus = 4 * PARAMS.history_malus_slope - PARAMS.history_malus_offset;
            assert_eq!(quiet(worker, position, best, false), bonus);
            assert_eq!(quiet(worker, position, quiet_tried, false), -malus);
            assert_eq!(worker.histories.capture(position.turn(), capture), -malus);
            assert_eq!(worker.stack[PLY].killers, [Some(best), None]);
            assert_eq!(worker.stack[PLY].cutoffs, 1);
            // Once more: no killer stands there twice.
            worker.reward_cutoff(position, &node, best, &Progress::new());
            assert_eq!(worker.stack[PLY].killers, [Some(best), None]);
            worker.reward_cutoff(position, &node, quiet_tried, &Progress::new());
            assert_eq!(worker.stack[PLY].killers, [Some(quiet_tried), Some(best)]);
        });
    }

    #[test]
    fn a_capture_that_cuts_off_says_nothing_against_quiet_moves() {
        on(FEN, |worker, position| {
            let (capture, tried) = (legal(position, "g2f3"), legal(position, "g1h3"));
            let mut progress = Progress::new();
            progress.remember_tried(tried);
            worker.reward_cutoff(position, &node(position, DEPTH), capture, &progress);
            assert!(worker.histories.capture(position.turn(), capture) > 0);
            assert_eq!(quiet(worker, position, tried, false), 0);
            assert_eq!(worker.stack[PLY].killers, [None, None]);
        });
    }

    #[test]
    fn a_table_cut_off_rewards_a_quiet_move_with_a_part_of_the_bonus() {
        on(FEN, |worker, position| {
            let (m, capture) = (legal(position, "g1h3"), legal(position, "g2f3"));
            worker.reward_table_cutoff(position, capture, DEPTH, &[None; 4]);
            assert_eq!(worker.histories.capture(position.turn(), capture), 0);
            worker.reward_table_cutoff(position, m, DEPTH, &[None; 4]);
            let bonus = PARAMS.history_bonus(DEPTH) * PARAMS.table_cutoff_bonus / 100;
            let threats = position.threats();
            let values = worker
                .histories
                .quiet_values(position.turn(), threats, &[None; 4]);
            assert_eq!(values.of(m), bonus);
        });
    }

    /// The move Black made before, Kf8-e8, as the node's history sees it; and the capture Bxf3.
    fn moves_before() -> (CompactMove, CompactMove) {
        let before = "5k2/4p3/8/8/4b3/5R2/4P1P1/4K1N1 b - - 0 1";
        on(before, |_, position| {
            (legal(position, "f8e8"), legal(position, "e4f3"))
        })
    }

    #[test]
    fn the_move_before_is_rewarded_when_nothing_helps_against_it() {
        let (quiet_before, capture_before) = moves_before();
        on(FEN, |worker, position| {
            worker.stack[PLY - 1].current = Some(quiet_before);
            worker.reward_move_before(position, &node(position, 2));
            let bonus = PARAMS.history_bonus(2) * PARAMS.prior_move_bonus / 100;
            assert_eq!(quiet(worker, position, quiet_before, true), bonus);
            worker.stack[PLY - 1].current = Some(capture_before);
            worker.reward_move_before(position, &node(position, 2));
            let turn = !position.turn();
            assert_eq!(worker.histories.capture(turn, capture_before), 0);
        });
    }

    #[test]
    fn a_move_is_judged_by_what_it_did_to_the_evaluation() {
        let (quiet_before, _) = moves_before();
        let learned = |before: Score, now: Score| {
            on(FEN, |worker, position| {
                worker.stack[PLY - 1].current = Some(quiet_before);
                worker.stack[PLY - 1].static_eval = before;
                worker.credit_evaluation_difference(position, now, PLY);
                quiet(worker, position, quiet_before, true)
            })
        };
        // The mover stood at 30 and stands at 70 now: a gain of 40.
        assert_eq!(learned(cp(30), cp(-70)), 40 * PARAMS.evaluation_bonus);
        assert_eq!(learned(cp(30), cp(10)), -40 * PARAMS.evaluation_bonus);
        assert_eq!(learned(cp(0), cp(-2000)), PARAMS.evaluation_bonus_max);
        assert_eq!(learned(cp(0), cp(2000)), -PARAMS.evaluation_bonus_max);
        assert_eq!(learned(Score::NONE, cp(-70)), 0);
        assert_eq!(learned(cp(30), Score::NONE), 0);
    }

    #[test]
    fn the_evaluation_comes_from_the_table_and_there_is_none_in_check() {
        on(FEN, |worker, position| {
            let own = worker.evaluate(position);
            assert_eq!(worker.raw_evaluation(position, None), own);
            let mut node = node(position, 1);
            node.raw_eval = own + 111;
            worker.store_evaluation(position, &node);
            let entry = worker.shared.probe(position);
            assert_eq!(worker.raw_evaluation(position, entry), own + 111);
            worker.shared.table.clear(1);
            node.raw_eval = Score::NONE;
            worker.store_evaluation(position, &node);
            let entry = worker.shared.probe(position);
            assert_eq!(worker.raw_evaluation(position, entry), own);
        });
        let in_check = "4k3/4p3/8/8/8/8/4r1P1/4K1N1 w - - 0 1";
        on(in_check, |worker, position| {
            assert_eq!(worker.raw_evaluation(position, None), Score::NONE);
        });
    }

    /// The correction after a search, ten plies deep, found `best`, with `uci` as best move.
    fn correction(fen: &str, uci: Option<&str>, best: Score, bound: Bound, in_check: bool) -> i32 {
        on(fen, |worker, position| {
            let mut node = node(position, 10);
            node.in_check = in_check;
            let best_move = uci.map(|uci| legal(position, uci));
            worker.learn_correction(position, &node, best, best_move, bound);
            worker.corrected(position, cp(0), &node.continuation).raw()
        })
    }

    #[test]
    fn a_score_that_contradicts_the_evaluation_corrects_it() {
        let learned = |uci, best: i32, bound| correction(FEN, uci, cp(best), bound, false);
        let quiet = Some("g1h3");
        assert!(learned(quiet, 90, Bound::Exact) > 0);
        assert!(learned(quiet, -90, Bound::Exact) < 0);
        assert!(learned(None, -90, Bound::Upper) < 0);
        assert_eq!(learned(None, 90, Bound::Upper), 0);
        assert!(learned(quiet, 90, Bound::Lower) > 0);
        assert_eq!(learned(quiet, -90, Bound::Lower), 0);
        assert_eq!(learned(Some("g2f3"), 90, Bound::Exact), 0);
        assert_eq!(correction(FEN, quiet, cp(90), Bound::Exact, true), 0);
        let mate = Score::mate_in(9);
        assert_eq!(correction(FEN, quiet, mate, Bound::Exact, false), 0);
        let known = "8/8/1k3B2/4N3/1K6/8/8/8 w - - 0 1";
        assert_eq!(
            correction(known, Some("b4c4"), cp(90), Bound::Exact, false),
            0
        );
    }

    #[test]
    fn nothing_is_corrected_in_check_and_in_known_endings() {
        on(FEN, |worker, position| {
            let corrected = worker.corrected(position, Score::NONE, &[None; 4]);
            assert_eq!(corrected, Score::NONE);
        });
    }
}
