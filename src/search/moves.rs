//! The loop over the moves of a node: which are left out, how deep each is searched, and what is learned.

use arrayvec::ArrayVec;

use super::node::{Expected, Node, NodeKind, OffPv, OnPv, Window};
use super::params::PLY;
use super::picker::{Context, Picked, Picker, Rank};
use super::report::{Bound, Report};
use super::root::Recorded;
use super::see::see_at_least;
use super::tt::Record;
use super::worker::{Aborted, Worker};
use crate::compact::CompactMove;
use crate::position::Position;
use crate::score::Score;

/// Moves remembered for the blame when another one cuts off.
const MOVES_TRIED: usize = 64;
/// The root move being searched is told after this time, in milliseconds.
const CURRENT_MOVE_AFTER: u128 = 3000;

type Tried = ArrayVec<CompactMove, MOVES_TRIED>;

/// What a node has found so far.
struct Progress {
    best: Score,
    best_move: Option<CompactMove>,
    count: usize,
    quiets: Tried,
    noisy: Tried,
}

impl Progress {
    fn new() -> Progress {
        Progress {
            best: -Score::INFINITE,
            best_move: None,
            count: 0,
            quiets: Tried::new(),
            noisy: Tried::new(),
        }
    }

    /// Remembers a move that was searched and did not cut off.
    fn blame(&mut self, m: CompactMove) {
        let list = if m.is_quiet() {
            &mut self.quiets
        } else {
            &mut self.noisy
        };
        let _ = list.try_push(m);
    }
}

/// A move with what decides its depth.
struct Candidate {
    m: CompactMove,
    rank: Rank,
    quiet: bool,
    history: i32,
    count: usize,
}

/// What to do with a move before it is played.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
enum Verdict {
    Search,
    Skip,
    SkipAllQuiets,
}

/// What a singular search says of the table move.
enum Singular {
    /// Search it with so many plies more or less.
    Extend(i32),
    /// Several moves beat beta: the node fails high.
    MultiCut(Score),
}

impl Worker<'_> {
    /// Step 7: the moves, one by one.
    pub(super) fn search_moves<K: NodeKind>(
        &mut self,
        position: &Position,
        mut node: Node,
    ) -> Result<Score, Aborted> {
        let ply = node.ply;
        let original_alpha = node.window.alpha;
        let first = if K::ROOT {
            Some(self.root_moves.current().m.into())
        } else {
            node.table_move
        };
        let threats = position.threats_by_worth();
        node.threats = threats.all;
        self.stack[ply].threats = threats.all;
        let mut picker = Picker::all(first, self.stack[ply].killers);
        let params = self.shared.params();
        let context = Context {
            threats,
            line: node.line,
            params,
        };
        let mut progress = Progress::new();

        while let Some(picked) = picker.next(position, self.histories, &context) {
            let m = picked.m;
            if Some(m) == node.excluded || (K::ROOT && !self.root_moves.contains(m.into())) {
                continue;
            }
            // Before it is certain that the move is searched: memory takes longer than all that comes in between.
            self.prefetch(position, m, &picker);
            let candidate = self.candidate(position, &node, picked, progress.count + 1);
            if !K::ROOT {
                match self.judge::<K>(position, &node, &candidate, &mut progress) {
                    Verdict::Search => {}
                    Verdict::Skip => continue,
                    Verdict::SkipAllQuiets => {
                        picker.skip_quiets();
                        continue;
                    }
                }
            }
            let mut extension = 0;
            if node.table_move == Some(m) {
                match self.singular_extension::<K>(position, &node, m)? {
                    Singular::Extend(plies) => extension = plies,
                    Singular::MultiCut(score) => return Ok(score),
                }
            }
            progress.count += 1;
            if K::ROOT {
                self.tell_current_move(m, progress.count);
            }
            let nodes_before = self.nodes;
            let score =
                self.search_move::<K>(position, &node, &candidate, extension, progress.best)?;
            if K::ROOT {
                self.record_root_move(&node, m, score, progress.count, nodes_before);
            }
            if self.improves::<K>(&mut node, &mut progress, m, score) {
                self.reward_cutoff(position, &node, m, &progress.quiets, &progress.noisy);
                break;
            }
            if progress.best_move != Some(m) {
                progress.blame(m);
            }
        }
        Ok(self.close_node::<K>(position, &node, &progress, original_alpha))
    }

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
        let history = match picked.rank {
            Rank::Quiet(history) => history,
            _ if quiet => self
                .histories
                .quiet_values(turn, node.threats, &node.line)
                .of(m),
            _ => self.histories.capture(turn, m),
        };
        Candidate {
            m,
            rank: picked.rank,
            quiet,
            history,
            count,
        }
    }

    /// Takes a score into account; true when it fails high.
    fn improves<K: NodeKind>(
        &mut self,
        node: &mut Node,
        progress: &mut Progress,
        m: CompactMove,
        score: Score,
    ) -> bool {
        if score > progress.best {
            progress.best = score;
            if score > node.window.alpha {
                progress.best_move = Some(m);
                if K::PV && !K::ROOT {
                    self.update_pv(node.ply, m);
                }
                if score >= node.window.beta {
                    return true;
                }
                node.window.alpha = score;
            }
        }
        false
    }

    /// Which moves are not worth a look, near the leaves. Nothing is left out before one move has been searched
    /// that does not lose, nor in endings of pawns alone. A winning capture has passed its exchange test already.
    fn judge<K: NodeKind>(
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
            self.judge_quiet::<K>(position, node, candidate, progress)
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

    fn judge_quiet<K: NodeKind>(
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
            return Verdict::SkipAllQuiets;
        }
        let reduction = self.reduction(node, candidate);
        let depth = (node.depth - 1 - reduction / PLY).max(0);
        // Futility pruning (https://www.chessprogramming.org/Futility_Pruning).
        if !node.in_check && depth <= params.futility_depth && !node.window.alpha.is_decisive() {
            let hope = node.eval + params.futility_margin(depth);
            if hope <= node.window.alpha {
                progress.best = progress.best.max(hope);
                return Verdict::SkipAllQuiets;
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

    /// Singular extension: if all other moves stay below the table's score by a margin, the table move is the
    /// only one and is searched deeper; if another one beats beta too, the node fails high (multi-cut)
    /// (<https://www.chessprogramming.org/Singular_Extensions>, <https://www.chessprogramming.org/Multi-Cut>).
    #[inline(never)]
    fn singular_extension<K: NodeKind>(
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
            && node.ply < 2 * self.root_depth as usize;
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
            node.expected,
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
        } else if node.expected == Expected::Cut {
            Singular::Extend(-1)
        } else {
            Singular::Extend(0)
        })
    }

    /// Plays a move and searches it: the first with the whole window, the others with a null window, reduced at
    /// first, and again without reduction or with the whole window when they turn out better than expected.
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
        let reduced_depth = self.reduced_depth::<K>(node, candidate, &child, depth);
        if let Some(reduced) = reduced_depth {
            self.stack[ply].reduction = depth - reduced;
            score = -self.search::<OffPv>(&child, null_window, reduced, ply + 1, Expected::Cut)?;
            self.stack[ply].reduction = 0;
            if score > window.alpha && reduced < depth {
                // Deeper or shallower: the result of the reduced search says how deep the full one should be (idea:
                // Stockfish, 2021).
                depth += i32::from(score > best + self.shared.params().deeper_margin);
                depth -= i32::from(score < best + depth);
                if reduced < depth {
                    let expected = node.expected.child();
                    score = -self.search::<OffPv>(&child, null_window, depth, ply + 1, expected)?;
                }
            }
        } else if !K::PV || candidate.count > 1 {
            let expected = node.expected.child();
            score = -self.search::<OffPv>(&child, null_window, depth, ply + 1, expected)?;
        }
        if K::PV && (candidate.count == 1 || score > window.alpha) {
            score = -self.search::<OnPv>(&child, window.flipped(), depth, ply + 1, Expected::Pv)?;
        }
        self.path.pop();
        Ok(score)
    }

    /// Notes the move for the plies below; `None` is a null move. The caller takes the key off the path again.
    pub(super) fn enter_move(&mut self, position: &Position, ply: usize, m: Option<CompactMove>) {
        let frame = &mut self.stack[ply];
        frame.current = m;
        frame.reduction = 0;
        let moved = m.map(|m| m.piece_square(position.turn()));
        self.moved.set(ply, moved);
        self.deepest = self.deepest.max(ply + 1);
        self.path.push(position.key());
    }

    /// The part of a reduction that depends on depth, place in the order and history, in 1024ths of a ply.
    #[inline(always)]
    fn reduction(&self, node: &Node, candidate: &Candidate) -> i32 {
        let (params, reductions) = (self.shared.params(), self.shared.reductions);
        let (logarithmic, history) = if candidate.quiet {
            let quiet = reductions.quiet(node.depth, candidate.count);
            (quiet, params.reduction_quiet_history)
        } else {
            let noisy = reductions.noisy(node.depth, candidate.count);
            (noisy, params.reduction_noisy_history)
        };
        logarithmic - candidate.history * PLY / history
    }

    /// Late move reduction: the further down the order, the less deep at first
    /// (<https://www.chessprogramming.org/Late_Move_Reductions>). `None` when the move is not reduced.
    fn reduced_depth<K: NodeKind>(
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
        reduction += add(node.expected == Expected::Cut, params.reduction_cut_node);
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
        Some((depth - reduction / PLY).clamp(1, deepest.max(1)))
    }

    /// Step 8: mate and stalemate, and what is remembered of the result.
    fn close_node<K: NodeKind>(
        &mut self,
        position: &Position,
        node: &Node,
        progress: &Progress,
        alpha: Score,
    ) -> Score {
        if progress.count == 0 {
            return match node.excluded {
                Some(_) => node.window.alpha,
                None if node.in_check => Score::mated_in(node.ply),
                None => Score::DRAW,
            };
        }
        let bound = if progress.best >= node.window.beta {
            Bound::Lower
        } else if progress.best > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        if bound == Bound::Upper && node.excluded.is_none() {
            self.reward_move_before(position, node);
        }
        let partial = node.excluded.is_some() || (K::ROOT && self.root_moves.is_partial());
        if !partial {
            self.learn_correction(position, node, progress.best, progress.best_move, bound);
            let record = Record {
                best: progress.best_move.map(CompactMove::to_uci),
                score: progress.best,
                eval: node.raw_eval,
                depth: node.depth,
                bound: Some(bound),
                is_pv: node.was_pv,
            };
            self.shared
                .table
                .store(self.table_key(position), node.ply, record);
        }
        progress.best
    }

    #[inline(never)]
    fn tell_current_move(&mut self, current: CompactMove, number: usize) {
        if self.is_main() && self.shared.budget.elapsed().as_millis() >= CURRENT_MOVE_AFTER {
            (self.report)(Report::CurrentMove {
                depth: self.root_depth as u32,
                current: current.into(),
                number,
            });
        }
    }

    #[inline(never)]
    fn record_root_move(
        &mut self,
        node: &Node,
        m: CompactMove,
        score: Score,
        count: usize,
        nodes_before: u64,
    ) {
        let outcome = if score > node.window.alpha {
            self.update_pv(0, m);
            let fails_high = score >= node.window.beta;
            Recorded::RaisedAlpha(if fails_high {
                Bound::Lower
            } else {
                Bound::Exact
            })
        } else if count == 1 {
            Recorded::FirstFailedLow
        } else {
            Recorded::NotBest
        };
        let nodes = self.nodes - nodes_before;
        self.root_moves.record(
            m.into(),
            score,
            outcome,
            nodes,
            &self.stack[0].pv,
            self.selective_depth,
        );
    }
}
