//! The loop over the moves of a node: each is judged (see `futile`), searched as deep as it deserves (see `depth`), and
//! learned from.

use arrayvec::ArrayVec;

use super::depth::{Candidate, Singular};
use super::futile::Worth;
use super::node::{Expected, Node, NodeKind, OffPv, OnPv, Window};
use super::picker::{Context, Picked, Picker, Rank};
use super::report::{Bound, Report};
use super::root::Recorded;
use super::tt::Record;
use super::worker::{Aborted, Worker};
use crate::chess::compact::CompactMove;
use crate::chess::position::Position;
use crate::score::Score;

/// Moves remembered for the malus when another one cuts off.
const MOVES_TRIED: usize = 64;
/// The root move being searched is told after this time, in milliseconds.
const CURRENT_MOVE_AFTER: u128 = 3000;

type Tried = ArrayVec<CompactMove, MOVES_TRIED>;

/// What a node has found so far.
pub(super) struct Progress {
    pub best: Score,
    best_move: Option<CompactMove>,
    pub count: usize,
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
    fn remember_tried(&mut self, m: CompactMove) {
        let list = if m.is_quiet() {
            &mut self.quiets
        } else {
            &mut self.noisy
        };
        let _ = list.try_push(m);
    }
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
                    Worth::Search => {}
                    Worth::Skip => continue,
                    Worth::SkipAllQuiets => {
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
                progress.remember_tried(m);
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
            self.shared.store(position, node.ply, record);
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
