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
