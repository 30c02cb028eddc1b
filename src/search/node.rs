//! The alpha-beta node of the main search (<https://www.chessprogramming.org/Principal_Variation_Search>). It is
//! fail-soft: it returns the best score it has found, which may lie outside the window.
//!
//! Both functions are lists of steps, in the order in which they happen. Each step stands in the file that is named
//! after it: `probe` (what the tables know), `pruning` (nodes and moves that are not searched), `reductions` (how deep a
//! move is searched), `update` (what is learned from the result).

use super::game::{Bitboard, CompactMove, Position, Threats};
use super::node_state::{Candidate, Node, Progress};
use super::node_type::{NodeKind, NodeType, OffPv, OnPv};
use super::picker::{Context, KILLERS, Picked, Picker};
use super::probe::{legal_table_move, refined_by_table};
use super::pruning::Verdict;
use super::reductions::Singular;
use super::report::Bound;
use super::tt::{Entry, Record};
use super::window::Window;
use super::worker::{Aborted, Worker};
use crate::score::{MAX_PLY, Score};

impl Worker<'_> {
    /// The score of `position` within `window`, searched `depth` plies deep; quiescence when none is left.
    ///
    /// # Errors
    ///
    /// [`Aborted`] when the search has to end.
    pub fn search<K: NodeKind>(
        &mut self,
        position: &Position,
        mut window: Window,
        depth: i32,
        ply: usize,
        node_type: NodeType,
    ) -> Result<Score, Aborted> {
        // Step 1. Check extension.
        let depth = self.extended_in_check::<K>(position, depth, ply);
        // Step 2. Quiescence, when no depth is left.
        if depth <= 0 {
            return self.quiescence::<K>(position, window, ply);
        }
        // Step 3. Count the node; end the search when a limit is reached.
        self.count_node()?;
        self.enter_node::<K>(ply);
        if !K::ROOT {
            // Step 4. Draws, and mates too far away to matter.
            if let Some(score) = self.draw_or_distant_mate(position, &mut window, ply) {
                return Ok(score);
            }
        }
        // Step 5. Transposition table.
        let entry = self.probe_table(position);
        if let Some(score) = self.table_cutoff::<K>(position, entry, window, depth, ply) {
            return Ok(score);
        }
        // Step 6. Endgame tables.
        if !K::ROOT
            && self.shared.tablebases.most_pieces() > 0
            && let Some(score) = self.tablebase_score(position, depth, ply)
        {
            return Ok(score);
        }
        // Step 7. Static evaluation.
        let mut node = self.open_node::<K>(position, entry, window, depth, ply, node_type);
        // Steps 8 to 13 give up the node, or some of its depth, on evidence that is no proof. A mate search and a
        // singular search want proof.
        if !self.is_mate_search() && node.excluded.is_none() {
            let calm = !K::PV && !node.in_check;
            // Step 8. Hindsight.
            if calm {
                self.use_hindsight(&mut node);
            }
            let prunable = calm && !node.window.beta.is_decisive();
            if prunable {
                // Step 9. Reverse futility pruning.
                if let Some(score) = self.reverse_futility(position, &node) {
                    return Ok(score);
                }
                // Step 10. Razoring.
                if let Some(score) = self.razor(position, &node)? {
                    return Ok(score);
                }
                // Step 11. Null move pruning.
                if let Some(score) = self.null_move(position, &node)? {
                    return Ok(score);
                }
            }
            // Step 12. Internal iterative reduction.
            self.reduce_without_table_move::<K>(&mut node);
            // Step 13. ProbCut.
            if prunable && let Some(score) = self.probcut(position, &node)? {
                return Ok(score);
            }
        }
        self.search_moves::<K>(position, node)
    }

    /// The second half of a node: its moves, one by one.
    fn search_moves<K: NodeKind>(
        &mut self,
        position: &Position,
        mut node: Node,
    ) -> Result<Score, Aborted> {
        let original_alpha = node.window.alpha;
        // Step 14. Squares the opponent attacks, which the histories and the move order depend on.
        let threats = self.find_threats(position, &node);
        node.threats = threats.all;
        // Step 15. Move order.
        let mut picker = Picker::all(self.first_move::<K>(&node), self.stack[node.ply].killers);
        let context = Context {
            threats,
            continuation: node.continuation,
            params: self.shared.params(),
        };
        let mut progress = Progress::new();
        while let Some(picked) = picker.next(position, self.histories, &context) {
            // Step 16. Moves that this search leaves out.
            if self.is_left_out::<K>(&node, picked.m) {
                continue;
            }
            self.prefetch(position, picked.m);
            let candidate = self.candidate(position, &node, picked, progress.count + 1);
            // Step 17. Pruning of single moves.
            if !K::ROOT {
                match self.prune_move::<K>(position, &node, &candidate, &mut progress) {
                    Verdict::Search => {}
                    Verdict::Skip => continue,
                    Verdict::SkipQuiets => {
                        picker.skip_quiets();
                        continue;
                    }
                }
            }
            // Step 18. Singular extension.
            let extension = match self.singular_extension::<K>(position, &node, picked.m)? {
                Singular::Extend(plies) => plies,
                Singular::MultiCut(score) => return Ok(score),
            };
            // Step 19. Play the move and search it; see `search_move`.
            progress.count += 1;
            let nodes_before = self.nodes;
            if K::ROOT {
                self.report_current_move(picked.m, progress.count);
            }
            let score =
                self.search_move::<K>(position, &node, &candidate, extension, progress.best)?;
            if K::ROOT {
                self.record_root_move(&node, &candidate, score, nodes_before);
            }
            // Step 20. A new best move, and the cut-off.
            if self.fails_high::<K>(&mut node, &mut progress, picked.m, score) {
                self.reward_cutoff(position, &node, picked.m, &progress);
                break;
            }
        }
        // Step 21. Mate and stalemate.
        if progress.count == 0 {
            return Ok(self.score_without_moves(&node));
        }
        // Step 22. What is learned from the result.
        let bound = bound_of(progress.best, original_alpha, node.window.beta);
        self.learn_from_node::<K>(position, &node, &progress, bound);
        Ok(progress.best)
    }

    /// Step 19: plays a move and searches it.
    ///
    /// The first move gets the whole window. The others need only be shown to be no better: they get a null window, with
    /// less depth at first. One that turns out better is searched again with its full depth, and once more with the
    /// whole window where that is open.
    fn search_move<K: NodeKind>(
        &mut self,
        position: &Position,
        node: &Node,
        candidate: &Candidate,
        extension: i32,
        best: Score,
    ) -> Result<Score, Aborted> {
        let ply = node.ply;
        let window = node.window;
        let null_window = Window::null(window.alpha).flipped();
        let mut child = position.clone();
        self.play(&mut child, position, candidate.m);
        self.enter_move(position, ply, Some(candidate.m));

        let mut depth = node.depth - 1 + extension;
        let mut score = -Score::INFINITE;
        if let Some(reduced) = self.reduced_depth::<K>(node, candidate, &child, depth) {
            // Late move reduction.
            self.stack[ply].reduction = depth - reduced;
            score = -self.search::<OffPv>(&child, null_window, reduced, ply + 1, NodeType::Cut)?;
            self.stack[ply].reduction = 0;
            if score > window.alpha && reduced < depth {
                depth += self.deeper_or_shallower(score, best, depth);
                if reduced < depth {
                    let node_type = node.node_type.child();
                    score =
                        -self.search::<OffPv>(&child, null_window, depth, ply + 1, node_type)?;
                }
            }
        } else if !K::PV || candidate.count > 1 {
            let node_type = node.node_type.child();
            score = -self.search::<OffPv>(&child, null_window, depth, ply + 1, node_type)?;
        }
        if K::PV && (candidate.count == 1 || score > window.alpha) {
            score = -self.search::<OnPv>(&child, window.flipped(), depth, ply + 1, NodeType::Pv)?;
        }
        self.path.pop();
        Ok(score)
    }
}

// The small steps, in the order of their numbers.
impl Worker<'_> {
    /// Step 3: a node on a principal variation begins with an empty line.
    #[inline]
    pub fn enter_node<K: NodeKind>(&mut self, ply: usize) {
        if K::PV {
            self.pv.clear(ply);
            self.selective_depth = self.selective_depth.max(ply + 1);
        }
    }

    /// Step 4: draws by rule, draws that the next move can bring about, and mate distance pruning: a mate that is
    /// further away than one already found does not matter
    /// (<https://www.chessprogramming.org/Mate_Distance_Pruning>).
    fn draw_or_distant_mate(
        &mut self,
        position: &Position,
        window: &mut Window,
        ply: usize,
    ) -> Option<Score> {
        if self.path.is_draw(position, ply) {
            return Some(Score::DRAW);
        }
        if ply >= MAX_PLY {
            return Some(self.score_at_last_ply(position));
        }
        self.raise_alpha_to_draw(position, window, ply);
        window.alpha = window.alpha.max(Score::mated_in(ply));
        window.beta = window.beta.min(Score::mate_in(ply + 1));
        window.is_empty().then_some(window.alpha)
    }

    /// The score where no deeper ply is kept: the evaluation, or a draw in check, where there is none.
    pub fn score_at_last_ply(&mut self, position: &Position) -> Score {
        if position.in_check() {
            Score::DRAW
        } else {
            self.evaluate(position)
        }
    }

    /// Upcoming repetition: a side that can go back to an earlier position of the tree has a draw at least (Marcel van
    /// Kervinck, <https://www.chessprogramming.org/Repetitions>).
    #[inline]
    pub fn raise_alpha_to_draw(&self, position: &Position, window: &mut Window, ply: usize) {
        let moves = self.shared.reversible_moves;
        if window.alpha < Score::DRAW && moves.can_repeat(&self.path, position, ply) {
            window.alpha = Score::DRAW;
        }
    }

    /// Step 7: the static evaluation, and all else the node needs to know.
    fn open_node<K: NodeKind>(
        &mut self,
        position: &Position,
        entry: Option<Entry>,
        window: Window,
        depth: i32,
        ply: usize,
        node_type: NodeType,
    ) -> Node {
        let in_check = position.in_check();
        let excluded = self.stack[ply].excluded;
        let raw_eval = self.raw_evaluation(position, entry);
        let continuation = self.path_moves.before(ply);
        let static_eval = self.corrected(position, raw_eval, &continuation);
        self.stack[ply].static_eval = static_eval;
        if excluded.is_none() {
            self.credit_evaluation_difference(position, static_eval, ply);
        }
        if let Some(grandchild) = self.stack.get_mut(ply + 2) {
            grandchild.killers = [None; KILLERS];
            grandchild.cutoffs = 0;
        }
        Node {
            ply,
            depth,
            window,
            node_type,
            in_check,
            excluded,
            entry,
            table_move: entry.and_then(|entry| legal_table_move(position, entry.best)),
            was_pv: K::PV || entry.is_some_and(|entry| entry.was_pv),
            raw_eval,
            static_eval,
            eval: refined_by_table(static_eval, entry, ply),
            improving: !in_check && self.is_improving(static_eval, ply),
            threats: Bitboard::EMPTY,
            continuation,
        }
    }

    /// Improving (<https://www.chessprogramming.org/Improving>): the evaluation is better than at our last move, or the
    /// one before when that was in check.
    fn is_improving(&self, static_eval: Score, ply: usize) -> bool {
        let before = |plies: usize| {
            let frame = ply.checked_sub(plies).and_then(|ply| self.stack.get(ply));
            frame
                .map(|frame| frame.static_eval)
                .filter(|eval| !eval.is_none())
        };
        before(2)
            .or_else(|| before(4))
            .is_some_and(|before| static_eval > before)
    }

    /// Step 14: a singular search finds those of the node it belongs to.
    #[inline]
    fn find_threats(&mut self, position: &Position, node: &Node) -> Threats {
        let frame = &mut self.stack[node.ply];
        if node.excluded.is_none() {
            frame.threats = position.threats_by_worth();
        }
        frame.threats
    }

    /// Step 15: the move to try first.
    fn first_move<K: NodeKind>(&self, node: &Node) -> Option<CompactMove> {
        if K::ROOT {
            Some(self.root_moves.current().m.into())
        } else {
            node.table_move
        }
    }

    /// Step 16: the table move in a singular search; at the root those that belong to another line.
    fn is_left_out<K: NodeKind>(&self, node: &Node, m: CompactMove) -> bool {
        Some(m) == node.excluded || (K::ROOT && !self.root_moves.contains(m.into()))
    }

    /// Step 17: what decides whether and how deep a move is searched.
    fn candidate(
        &self,
        position: &Position,
        node: &Node,
        picked: Picked,
        count: usize,
    ) -> Candidate {
        let m = picked.m;
        let quiet = m.is_quiet();
        let turn = position.turn();
        let history = if quiet {
            let values = self
                .histories
                .quiet_values(turn, node.threats, &node.continuation);
            values.of(m)
        } else {
            self.histories.capture(turn, m)
        };
        Candidate {
            m,
            rank: picked.rank,
            quiet,
            history,
            count,
        }
    }

    /// Step 19: notes the move for the plies below; `None` is a null move. The caller takes the key off the path again.
    pub fn enter_move(&mut self, position: &Position, ply: usize, m: Option<CompactMove>) {
        let frame = &mut self.stack[ply];
        frame.current = m;
        frame.reduction = 0;
        let moved = m.map(|m| m.piece_square(position.turn()));
        self.path_moves.set(ply, moved);
        self.path.push(position.key());
    }

    /// Step 19: plays `m` on `child`, a copy of `position`.
    #[inline(always)]
    pub fn play(&self, child: &mut Position, position: &Position, m: CompactMove) {
        child.play(position, m, self.shared.evaluator.table());
    }

    /// Step 20: takes a score into account; true when it fails high.
    fn fails_high<K: NodeKind>(
        &mut self,
        node: &mut Node,
        progress: &mut Progress,
        m: CompactMove,
        score: Score,
    ) -> bool {
        progress.best = progress.best.max(score);
        if score <= node.window.alpha {
            progress.remember_tried(m);
            return false;
        }
        progress.best_move = Some(m);
        if K::PV && !K::ROOT {
            self.pv.update(node.ply, m);
        }
        if score >= node.window.beta {
            return true;
        }
        node.window.alpha = score;
        false
    }

    /// Step 21: no move was searched. In a singular search there is none but the table move; otherwise it is mate or
    /// stalemate.
    fn score_without_moves(&self, node: &Node) -> Score {
        match node.excluded {
            Some(_) => node.window.alpha,
            None if node.in_check => Score::mated_in(node.ply),
            None => Score::DRAW,
        }
    }

    /// Step 22: histories and corrections learn, and the table keeps the result.
    fn learn_from_node<K: NodeKind>(
        &mut self,
        position: &Position,
        node: &Node,
        progress: &Progress,
        bound: Bound,
    ) {
        if node.excluded.is_some() {
            return;
        }
        if bound == Bound::Upper {
            self.reward_move_before(position, node);
        }
        if K::ROOT && self.root_moves.is_partial() {
            return;
        }
        self.learn_correction(position, node, progress.best, progress.best_move, bound);
        let record = Record {
            best: progress.best_move,
            score: progress.best,
            eval: node.raw_eval,
            depth: node.depth,
            bound: Some(bound),
            is_pv: node.was_pv,
        };
        self.shared.store(position, node.ply, record);
    }
}

/// What the best score means: alpha is that of the beginning.
pub fn bound_of(best: Score, alpha: Score, beta: Score) -> Bound {
    if best >= beta {
        Bound::Lower
    } else if best > alpha {
        Bound::Exact
    } else {
        Bound::Upper
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::movegen;
    use crate::search::node_type::Root;
    use crate::search::worker::testbed::{PLY, candidate, cp, decide, legal, node, on};

    const FEN: &str = "4k3/4p3/8/8/8/5b2/4P1P1/4K1N1 w - - 0 1";

    #[test]
    fn improving_compares_with_our_last_move_or_the_one_before() {
        let improving = |two: Score, four: Score, ply: usize| {
            on(FEN, |worker, _| {
                worker.stack[2].static_eval = two;
                worker.stack[0].static_eval = four;
                worker.is_improving(cp(50), ply)
            })
        };
        assert!(improving(cp(49), cp(90), 4));
        assert!(!improving(cp(50), cp(10), 4));
        assert!(improving(Score::NONE, cp(49), 4));
        assert!(!improving(Score::NONE, cp(50), 4));
        assert!(!improving(Score::NONE, Score::NONE, 4));
        assert!(!improving(cp(0), cp(0), 1));
    }

    #[test]
    fn a_mate_that_is_further_away_than_one_already_found_does_not_matter() {
        let at_ply = |alpha: Score, beta: Score| {
            on(FEN, |worker, position| {
                let mut window = Window { alpha, beta };
                let score = worker.draw_or_distant_mate(position, &mut window, PLY);
                (score, window.alpha, window.beta)
            })
        };
        // The side to move is mated here at the earliest, and mates with its next move at the earliest.
        let (mated, mates) = (Score::mated_in(PLY), Score::mate_in(PLY + 1));
        let (score, alpha, beta) = at_ply(-Score::INFINITE, Score::INFINITE);
        assert_eq!((score, alpha, beta), (None, mated, mates));
        assert_eq!(at_ply(mates, Score::INFINITE).0, Some(mates));
        assert_eq!(at_ply(mates - 1, Score::INFINITE).0, None);
        assert_eq!(at_ply(-Score::INFINITE, mated).0, Some(mated));
        assert_eq!(at_ply(-Score::INFINITE, mated + 1).0, None);
    }

    #[test]
    fn at_the_last_ply_the_evaluation_counts_and_in_check_a_draw() {
        on(FEN, |worker, position| {
            let own = worker.evaluate(position);
            let mut window = Window::FULL;
            let score = worker.draw_or_distant_mate(position, &mut window, MAX_PLY);
            assert_eq!(score, Some(own));
        });
        on(
            "4k3/4p3/8/8/8/8/4r1P1/4K1N1 w - - 0 1",
            |worker, position| {
                assert_eq!(worker.score_at_last_ply(position), Score::DRAW);
            },
        );
    }

    #[test]
    fn a_node_clears_what_is_kept_for_its_grandchildren() {
        on(FEN, |worker, position| {
            let m = legal(position, "g1h3");
            worker.stack[PLY + 2].killers = [Some(m); KILLERS];
            worker.stack[PLY + 2].cutoffs = 9;
            worker.stack[PLY + 1].cutoffs = 3;
            let window = Window::null(cp(0));
            let opened = worker.open_node::<OffPv>(position, None, window, 5, PLY, NodeType::Cut);
            assert_eq!(worker.stack[PLY + 2].killers, [None; KILLERS]);
            assert_eq!(
                (worker.stack[PLY + 2].cutoffs, worker.stack[PLY + 1].cutoffs),
                (0, 3)
            );
            assert_eq!(worker.stack[PLY].static_eval, opened.static_eval);
            assert_eq!(opened.raw_eval, worker.evaluate(position));
            assert!(!opened.was_pv && !opened.in_check && opened.table_move.is_none());
        });
    }

    #[test]
    fn a_node_remembers_that_it_was_on_a_principal_variation() {
        on(FEN, |worker, position| {
            let window = Window::null(cp(0));
            let mut was_pv = |entry: Option<Entry>, pv: bool| {
                let (depth, ply, cut) = (5, PLY, NodeType::Cut);
                if pv {
                    worker
                        .open_node::<OnPv>(position, entry, window, depth, ply, cut)
                        .was_pv
                } else {
                    worker
                        .open_node::<OffPv>(position, entry, window, depth, ply, cut)
                        .was_pv
                }
            };
            assert!(was_pv(None, true) && !was_pv(None, false));
            let record = Record {
                best: Some(legal(position, "g1h3")),
                score: cp(0),
                eval: cp(7),
                depth: 5,
                bound: Some(Bound::Lower),
                is_pv: true,
            };
            worker.shared.store(position, PLY, record);
            let entry = worker.shared.probe(position);
            let opened = worker.open_node::<OffPv>(position, entry, window, 5, PLY, NodeType::Cut);
            assert!(opened.was_pv);
            assert_eq!(opened.table_move, record.best);
            assert_eq!(opened.raw_eval, cp(7));
        });
    }

    #[test]
    fn a_node_in_check_has_no_evaluation_and_does_not_improve() {
        on(
            "4k3/4p3/8/8/8/8/4r1P1/4K1N1 w - - 0 1",
            |worker, position| {
                worker.stack[PLY - 2].static_eval = cp(-900);
                let window = Window::null(cp(0));
                let opened =
                    worker.open_node::<OffPv>(position, None, window, 5, PLY, NodeType::Cut);
                assert!(opened.in_check && !opened.improving && opened.static_eval.is_none());
            },
        );
    }

    /// What the history knows, after `act`, of the move that led to [`FEN`], Kf8-e8.
    fn learned_of_move_before(act: impl FnOnce(&mut Worker<'_>, &Position)) -> i32 {
        let earlier = "5k2/4p3/8/8/8/5b2/4P1P1/4K1N1 b - - 0 1";
        let before = on(earlier, |_, position| legal(position, "f8e8"));
        on(FEN, |worker, position| {
            worker.stack[PLY - 1].current = Some(before);
            act(worker, position);
            let turn = !position.turn();
            let values = worker
                .histories
                .quiet_values(turn, Bitboard::EMPTY, &[None; 4]);
            values.of(before)
        })
    }

    #[test]
    fn the_evaluation_judges_the_move_before_once_and_not_in_a_singular_search() {
        let learned = |singular: bool| {
            learned_of_move_before(|worker, position| {
                worker.stack[PLY - 1].static_eval = cp(900);
                worker.stack[PLY].excluded = singular.then(|| legal(position, "g1h3"));
                let window = Window::null(cp(0));
                worker.open_node::<OffPv>(position, None, window, 5, PLY, NodeType::Cut);
            })
        };
        assert_ne!(learned(false), 0);
        assert_eq!(learned(true), 0);
    }

    #[test]
    fn a_singular_search_uses_the_threats_of_its_node() {
        on(FEN, |worker, position| {
            let mut node = node(position, 5);
            node.excluded = Some(legal(position, "g1h3"));
            assert_eq!(
                worker.find_threats(position, &node).all,
                Threats::default().all
            );
            node.excluded = None;
            let found = worker.find_threats(position, &node);
            assert_eq!(found.all, position.threats());
            node.excluded = Some(legal(position, "g1h3"));
            assert_eq!(worker.find_threats(position, &node).all, found.all);
        });
    }

    #[test]
    fn a_singular_search_leaves_out_its_move_and_a_root_what_belongs_to_other_lines() {
        on(FEN, |worker, position| {
            let mut node = node(position, 5);
            let (m, other) = (legal(position, "g1h3"), legal(position, "e1f2"));
            node.excluded = Some(m);
            assert!(worker.is_left_out::<OffPv>(&node, m));
            assert!(!worker.is_left_out::<OffPv>(&node, other));
            node.excluded = None;
            assert!(!worker.is_left_out::<Root>(&node, m));
            worker.root_moves.begin_line(1);
            let first: CompactMove = movegen::legal_moves(position)[0].into();
            assert!(worker.is_left_out::<Root>(&node, first));
            assert!(!worker.is_left_out::<OffPv>(&node, first));
        });
    }

    #[test]
    fn a_candidate_has_the_history_of_its_kind() {
        on(FEN, |worker, position| {
            let (quiet, capture) = (legal(position, "g1h3"), legal(position, "g2f3"));
            let (turn, node) = (position.turn(), node(position, 5));
            let histories = &mut *worker.histories;
            histories.update_quiet(turn, node.threats, &node.continuation, quiet, 300);
            histories.update_capture(turn, capture, -200);
            let picked = |m| Picked {
                m,
                rank: crate::search::picker::Rank::Killer,
            };
            let found = worker.candidate(position, &node, picked(quiet), 3);
            assert_eq!((found.quiet, found.history, found.count), (true, 300, 3));
            let found = worker.candidate(position, &node, picked(capture), 4);
            assert_eq!((found.quiet, found.history), (false, -200));
        });
    }

    #[test]
    fn a_move_is_noted_for_the_plies_below() {
        on(FEN, |worker, position| {
            let m = legal(position, "g1h3");
            worker.stack[PLY].reduction = 5;
            worker.enter_move(position, PLY, Some(m));
            assert_eq!(
                (worker.stack[PLY].current, worker.stack[PLY].reduction),
                (Some(m), 0)
            );
            let moved = Some(m.piece_square(position.turn()));
            assert_eq!(worker.path_moves.before(PLY + 1)[0], moved);
            assert_eq!(worker.path.back(1), Some(position.key()));
            worker.enter_move(position, PLY, None);
            assert_eq!(worker.path_moves.before(PLY + 1)[0], None);
        });
    }

    /// What a score does in the window from 0 to 10: whether it fails high, then alpha, the best score, the best move and
    /// the number of moves that get a malus.
    fn after_score<K: NodeKind>(score: i32) -> (bool, Score, Score, Option<CompactMove>, usize) {
        on(FEN, |worker, position| {
            let mut node = node(position, 5);
            node.window = Window {
                alpha: cp(0),
                beta: cp(10),
            };
            let mut progress = Progress::new();
            let m = legal(position, "g1h3");
            worker.pv.clear(PLY);
            let fails_high = worker.fails_high::<K>(&mut node, &mut progress, m, cp(score));
            let on_line = worker.pv.line(PLY) == [m];
            assert_eq!(on_line, K::PV && !K::ROOT && score > 0);
            let tried = progress.quiets.len();
            (
                fails_high,
                node.window.alpha,
                progress.best,
                progress.best_move,
                tried,
            )
        })
    }

    #[test]
    fn a_score_raises_alpha_or_fails_high_or_is_not_enough() {
        let m = on(FEN, |_, position| legal(position, "g1h3"));
        assert_eq!(after_score::<OnPv>(0), (false, cp(0), cp(0), None, 1));
        assert_eq!(after_score::<OnPv>(1), (false, cp(1), cp(1), Some(m), 0));
        assert_eq!(after_score::<OffPv>(9), (false, cp(9), cp(9), Some(m), 0));
        assert_eq!(after_score::<OnPv>(10), (true, cp(0), cp(10), Some(m), 0));
        assert_eq!(after_score::<Root>(1), (false, cp(1), cp(1), Some(m), 0));
    }

    #[test]
    fn without_a_move_it_is_mate_stalemate_or_an_only_move() {
        on(FEN, |worker, position| {
            let mut node = node(position, 5);
            assert_eq!(worker.score_without_moves(&node), Score::DRAW);
            node.in_check = true;
            assert_eq!(worker.score_without_moves(&node), Score::mated_in(PLY));
            node.excluded = Some(legal(position, "g1h3"));
            assert_eq!(worker.score_without_moves(&node), node.window.alpha);
        });
    }

    #[test]
    fn a_result_is_kept_unless_moves_were_left_out() {
        fn stored<K: NodeKind>(change: impl FnOnce(&mut Worker<'_>, &mut Node)) -> Option<Entry> {
            on(FEN, |worker, position| {
                let mut node = node(position, 5);
                node.raw_eval = cp(7);
                change(worker, &mut node);
                let progress = Progress {
                    best: cp(33),
                    best_move: Some(legal(position, "g1h3")),
                    count: 1,
                    ..Progress::new()
                };
                worker.learn_from_node::<K>(position, &node, &progress, Bound::Lower);
                worker.shared.probe(position)
            })
        }
        let entry = stored::<OffPv>(|_, _| ()).unwrap();
        let m = on(FEN, |_, position| legal(position, "g1h3"));
        assert_eq!(
            (entry.score(PLY), entry.depth, entry.best),
            (cp(33), 5, Some(m.pack()))
        );
        assert_eq!((entry.eval, entry.bound), (cp(7), Some(Bound::Lower)));
        assert!(stored::<OffPv>(|_, node| node.excluded = Some(m)).is_none());
        assert!(stored::<Root>(|_, _| ()).is_some());
        let second_line = |worker: &mut Worker<'_>, _: &mut Node| worker.root_moves.begin_line(1);
        assert!(stored::<Root>(second_line).is_none());
        assert!(stored::<OffPv>(second_line).is_some());
    }

    #[test]
    fn only_a_node_that_fails_low_rewards_the_move_before() {
        let learned = |bound: Bound| {
            learned_of_move_before(|worker, position| {
                let node = node(position, 5);
                worker.learn_from_node::<OffPv>(position, &node, &Progress::new(), bound);
            })
        };
        assert!(learned(Bound::Upper) > 0);
        assert_eq!((learned(Bound::Exact), learned(Bound::Lower)), (0, 0));
    }

    #[test]
    fn the_bound_of_a_score_follows_from_its_place_in_the_window() {
        let bound = |score: i32| bound_of(cp(score), cp(0), cp(10));
        assert_eq!((bound(-1), bound(0)), (Bound::Upper, Bound::Upper));
        assert_eq!((bound(1), bound(9)), (Bound::Exact, Bound::Exact));
        assert_eq!((bound(10), bound(11)), (Bound::Lower, Bound::Lower));
    }

    /// The score of Nh3 as move number `count` of a node eight plies deep, and how often its position was searched, when
    /// every search of that position gives `score` from White's side.
    fn searched(count: usize, score: i32) -> (Score, u64) {
        on(FEN, |worker, position| {
            let m = legal(position, "g1h3");
            let child = position.child(m, worker.shared.evaluator.table());
            decide(worker, &child, PLY + 1, cp(-score));
            let node = node(position, 8);
            let found =
                worker.search_move::<OffPv>(position, &node, &candidate(m, count), 0, cp(-900));
            assert!(worker.path.is_empty());
            assert_eq!(worker.stack[PLY].reduction, 0);
            (found.unwrap(), worker.nodes)
        })
    }

    #[test]
    fn a_reduced_move_that_turns_out_better_is_searched_again() {
        // Alpha is -1.
        assert_eq!(searched(1, 30), (cp(30), 1));
        assert_eq!(searched(1, -30), (cp(-30), 1));
        assert_eq!(searched(9, -30), (cp(-30), 1));
        assert_eq!(searched(9, -1), (cp(-1), 1));
        assert_eq!(searched(9, 0), (cp(0), 2));
    }

    #[test]
    fn a_principal_variation_is_searched_with_the_whole_window_only_when_a_move_is_better() {
        let nodes = |count: usize, score: i32| {
            on(FEN, |worker, position| {
                let m = legal(position, "g1h3");
                let child = position.child(m, worker.shared.evaluator.table());
                decide(worker, &child, PLY + 1, cp(-score));
                let mut node = node(position, 2);
                node.window.beta = cp(500);
                worker.pv.update(PLY + 1, m);
                let candidate = candidate(m, count);
                let _ = worker.search_move::<OnPv>(position, &node, &candidate, 0, cp(-900));
                // A search with the whole window empties the line of its ply.
                (worker.pv.line(PLY + 1).first() != Some(&m), worker.nodes)
            })
        };
        assert_eq!(nodes(2, -30), (false, 1));
        let (whole, searches) = nodes(2, 30);
        assert!(whole && searches > 1);
        assert!(nodes(1, -30).0);
    }

    #[test]
    fn the_first_move_is_searched_once_one_ply_less_deep_and_extended() {
        fn child_after<K: NodeKind>(extension: i32) -> (u64, u64, i32) {
            on(FEN, |worker, position| {
                let m = legal(position, "g1h3");
                let child = position.child(m, worker.shared.evaluator.table());
                let mut node = node(position, 3);
                node.window.beta = cp(if K::PV { 500 } else { 0 });
                let window = node.window.flipped();
                let searched =
                    worker.search_move::<K>(position, &node, &candidate(m, 1), extension, cp(-900));
                assert!(searched.is_ok());
                let depth = worker.shared.probe(&child).map_or(-1, |entry| entry.depth);
                let nodes = worker.nodes;
                worker.shared.table.clear(1);
                worker.histories.clear();
                (worker.nodes, worker.path_moves) = (0, Default::default());
                worker.enter_move(position, PLY, Some(m));
                let (plies, ply) = (2 + extension, PLY + 1);
                let direct = if K::PV {
                    worker.search::<OnPv>(&child, window, plies, ply, NodeType::Pv)
                } else {
                    worker.search::<OffPv>(&child, window, plies, ply, NodeType::All)
                };
                assert_eq!(direct.unwrap(), -searched.unwrap());
                (nodes, worker.nodes, depth)
            })
        }
        for extension in [0, 1] {
            let (nodes, direct, depth) = child_after::<OffPv>(extension);
            assert_eq!((nodes, depth), (direct, 2 + extension));
            let (nodes, direct, depth) = child_after::<OnPv>(extension);
            assert_eq!((nodes, depth), (direct, 2 + extension));
        }
    }

    #[test]
    fn a_reduced_search_is_repeated_only_with_more_depth() {
        // Reduced by one ply; a score that is hardly better takes the same ply off again.
        let searches = |score: i32| {
            on(FEN, |worker, position| {
                let m = legal(position, "g1h3");
                let child = position.child(m, worker.shared.evaluator.table());
                decide(worker, &child, PLY + 1, cp(-score));
                let node = node(position, 8);
                let mut candidate = candidate(m, 9);
                let depth = |history: i32, candidate: &mut Candidate| {
                    candidate.history = history;
                    worker.reduced_depth::<OffPv>(&node, candidate, &child, 7)
                };
                let one_ply = (-40_000..40_000)
                    .step_by(500)
                    .find(|&history| depth(history, &mut candidate) == Some(6));
                candidate.history = one_ply.unwrap();
                let found = worker.search_move::<OffPv>(position, &node, &candidate, 0, cp(-1));
                assert_eq!(found.unwrap(), cp(score));
                worker.nodes
            })
        };
        assert_eq!(searches(0), 1);
        assert_eq!(searches(20), 2);
    }

    #[test]
    fn only_a_calm_node_off_the_principal_variation_is_given_up() {
        // White is a queen ahead, far above beta.
        let ahead = "4k3/4p3/8/8/8/8/4P3/3QK3 w - - 0 1";
        fn nodes<K: NodeKind>(fen: &str, excluded: bool) -> u64 {
            on(fen, |worker, position| {
                worker.stack[PLY].excluded = excluded.then(|| legal(position, "e1f2"));
                let window = Window::null(cp(-1));
                let score = worker.search::<K>(position, window, 1, PLY, NodeType::Cut);
                assert!(score.unwrap() >= cp(0));
                worker.nodes
            })
        }
        assert_eq!(nodes::<OffPv>(ahead, false), 1);
        assert!(nodes::<OnPv>(ahead, false) > 1);
        assert!(nodes::<OffPv>(ahead, true) > 1);
        let in_check = "4k3/4p3/8/8/1b6/8/4P3/3QK3 w - - 0 1";
        assert!(nodes::<OffPv>(in_check, false) > 1);
    }

    #[test]
    fn a_side_that_can_go_back_has_a_draw_at_least() {
        on(FEN, |worker, root| {
            let table = worker.shared.evaluator.table();
            let mut position = root.clone();
            let mut window = Window {
                alpha: cp(-50),
                beta: cp(50),
            };
            for uci in ["g1h3", "e8d8", "h3g1"] {
                worker.raise_alpha_to_draw(&position, &mut window, worker.path.len());
                assert_eq!(window.alpha, cp(-50), "before {uci}");
                worker.path.push(position.key());
                position = position.child(legal(&position, uci), table);
            }
            // Kd8-e8 brings the first position back. That counts where it is not the root itself.
            worker.raise_alpha_to_draw(&position, &mut window, 3);
            assert_eq!(window.alpha, cp(-50));
            worker.raise_alpha_to_draw(&position, &mut window, 4);
            assert_eq!((window.alpha, window.beta), (cp(0), cp(50)));
            window.alpha = cp(20);
            worker.raise_alpha_to_draw(&position, &mut window, 4);
            assert_eq!(window.alpha, cp(20));
        });
    }

    #[test]
    fn the_table_move_comes_first_and_at_the_root_that_of_the_line() {
        on(FEN, |worker, position| {
            let mut node = node(position, 5);
            assert_eq!(worker.first_move::<OffPv>(&node), None);
            node.table_move = Some(legal(position, "g1h3"));
            assert_eq!(worker.first_move::<OffPv>(&node), node.table_move);
            worker.root_moves.begin_line(3);
            let current: CompactMove = worker.root_moves.current().m.into();
            assert_eq!(worker.first_move::<Root>(&node), Some(current));
        });
    }
}
