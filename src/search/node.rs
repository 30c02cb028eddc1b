//! The alpha-beta node of the main search, as a list of steps
//! (<https://www.chessprogramming.org/Principal_Variation_Search>). It is fail-soft.

use arrayvec::ArrayVec;
use shakmaty::Move;
use shakmaty::packed::PackedUciMove;
use shakmaty::uci::UciMove;

use super::picker::{KILLERS, Picker};
use super::report::{Bound, Report};
use super::root::Recorded;
use super::tt::{Entry, Record};
use super::worker::{Aborted, Worker};
use crate::movegen;
use crate::position::Position;
use crate::score::{MAX_PLY, Score};

/// Quiet moves remembered for the blame when another one cuts off.
const QUIETS_TRIED: usize = 64;
/// The root move being searched is told after this time, in milliseconds.
const CURRENT_MOVE_AFTER: u128 = 3000;
/// Near the fifty-move limit a table score may hide the draw: no cut-offs from here, in half-moves.
const TABLE_CLOCK_LIMIT: u32 = 90;

/// What kind of node is searched; a type rather than a flag, so that each kind is compiled for itself.
pub trait NodeKind {
    /// The root of the search.
    const ROOT: bool;
    /// On a principal variation: searched with an open window.
    const PV: bool;
}

/// The root.
pub struct Root;
/// A node on a principal variation.
pub struct OnPv;
/// A node searched with a null window.
pub struct OffPv;

impl NodeKind for Root {
    const ROOT: bool = true;
    const PV: bool = true;
}

impl NodeKind for OnPv {
    const ROOT: bool = false;
    const PV: bool = true;
}

impl NodeKind for OffPv {
    const ROOT: bool = false;
    const PV: bool = false;
}

/// The scores that matter: what is below `alpha` or above `beta` will not be played.
#[derive(Copy, Clone, Debug)]
pub struct Window {
    /// What the side to move already has.
    pub alpha: Score,
    /// What the opponent will not allow.
    pub beta: Score,
}

impl Window {
    /// Every score matters.
    pub const FULL: Window = Window {
        alpha: Score::from_raw(-Score::INFINITE.raw()),
        beta: Score::INFINITE,
    };

    /// The smallest window, just above `alpha`.
    pub fn null(alpha: Score) -> Window {
        Window {
            alpha,
            beta: alpha + 1,
        }
    }

    /// The window as the opponent sees it.
    pub fn flipped(self) -> Window {
        Window {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }

    /// Opened altogether when it has grown beyond `widest`.
    pub fn opened_beyond(self, widest: i32, delta: i32) -> Window {
        if delta > widest { Window::FULL } else { self }
    }
}

/// What a node knows before it searches a move.
struct Node {
    ply: usize,
    depth: i32,
    window: Window,
    in_check: bool,
    /// Static evaluation, corrected by what the table knows.
    eval: Score,
    /// Whether the static evaluation is better than two plies before.
    improving: bool,
    table_move: Option<Move>,
}

/// What a node has found so far.
struct Progress {
    best: Score,
    best_move: Option<Move>,
    count: usize,
    quiets: ArrayVec<Move, QUIETS_TRIED>,
}

impl Worker<'_> {
    /// The score of `position` within `window`, searched `depth` plies deep; quiescence when none is left.
    ///
    /// # Errors
    ///
    /// [`Aborted`] when the search was told to end.
    pub fn search<K: NodeKind>(
        &mut self,
        position: &Position,
        mut window: Window,
        depth: i32,
        ply: usize,
    ) -> Result<Score, Aborted> {
        if depth <= 0 {
            return self.quiescence::<K>(position, window, ply);
        }
        self.count_node()?;
        if K::PV {
            self.stack[ply].pv.clear();
            self.selective_depth = self.selective_depth.max(ply + 1);
        }
        if !K::ROOT {
            if let Some(score) = self.settled_without_search(position, &mut window, ply) {
                return Ok(score);
            }
        }

        let entry = self.shared.table.probe(self.table_key(position));
        if let Some(score) = self.table_cutoff::<K>(position, entry, window, depth, ply) {
            return Ok(score);
        }

        let mut node = self.open_node(position, entry, window, depth, ply);
        if !K::PV && !node.in_check && !self.is_mate_search() {
            if let Some(score) = self.prune_whole_node(position, &node)? {
                return Ok(score);
            }
        }
        self.reduce_without_table_move(&mut node);
        self.search_moves::<K>(position, node)
    }

    /// Step 1: draws, and mates that are too far away to matter (mate distance pruning,
    /// <https://www.chessprogramming.org/Mate_Distance_Pruning>).
    fn settled_without_search(
        &mut self,
        position: &Position,
        window: &mut Window,
        ply: usize,
    ) -> Option<Score> {
        if self.path.is_draw(position, ply) {
            return Some(Score::DRAW);
        }
        if ply >= MAX_PLY {
            return Some(if position.in_check() {
                Score::DRAW
            } else {
                self.evaluate(position)
            });
        }
        window.alpha = window.alpha.max(Score::mated_in(ply));
        window.beta = window.beta.min(Score::mate_in(ply + 1));
        (window.alpha >= window.beta).then_some(window.alpha)
    }

    /// Step 2: the table already knows enough. Never on a principal variation, whose line would be lost.
    fn table_cutoff<K: NodeKind>(
        &self,
        position: &Position,
        entry: Option<Entry>,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Option<Score> {
        let entry = entry.filter(|entry| !K::PV && entry.depth >= depth)?;
        let settled =
            entry.cuts(window.alpha, window.beta, ply) && position.halfmoves() < TABLE_CLOCK_LIMIT;
        settled.then(|| entry.score(ply))
    }

    /// A mate search must not believe what a search that prunes has stored.
    pub(super) fn table_key(&self, position: &Position) -> u64 {
        const MATE_SEARCH_SALT: u64 = 0x5bd1_e995_97f4_a7c5;
        if self.is_mate_search() {
            position.key() ^ MATE_SEARCH_SALT
        } else {
            position.key()
        }
    }

    /// Step 3: static evaluation, and what follows from it.
    fn open_node(
        &mut self,
        position: &Position,
        entry: Option<Entry>,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Node {
        let in_check = position.in_check();
        let static_eval = match entry {
            _ if in_check => Score::NONE,
            Some(entry) if !entry.eval.is_none() => entry.eval,
            _ => self.evaluate(position),
        };
        self.stack[ply].static_eval = static_eval;
        let before = if ply >= 2 {
            self.stack[ply - 2].static_eval
        } else {
            Score::NONE
        };
        if ply + 2 <= MAX_PLY {
            self.stack[ply + 2].killers = [None; KILLERS];
        }
        Node {
            ply,
            depth,
            window,
            in_check,
            eval: refined_by_table(static_eval, entry, ply),
            improving: !in_check && !before.is_none() && static_eval > before,
            table_move: entry.and_then(|entry| legal_table_move(position, entry.best)),
        }
    }

    /// Step 4: the node is so good that it need not be searched.
    fn prune_whole_node(
        &mut self,
        position: &Position,
        node: &Node,
    ) -> Result<Option<Score>, Aborted> {
        let beta = node.window.beta;
        if beta.is_decisive() {
            return Ok(None);
        }
        // Reverse futility pruning: the evaluation is above beta by more than a few plies can lose
        // (https://www.chessprogramming.org/Reverse_Futility_Pruning).
        let params = self.shared.params;
        let margin = params.reverse_futility_margin * (node.depth - i32::from(node.improving));
        if node.depth <= params.reverse_futility_depth
            && node.eval - margin >= beta
            && !node.eval.is_decisive()
        {
            return Ok(Some(node.eval));
        }
        self.null_move(position, node)
    }

    /// Null move pruning: if passing the move still fails high, a real move will
    /// (<https://www.chessprogramming.org/Null_Move_Pruning>). Not without pieces, where passing may be the best
    /// move of all, and not twice running.
    fn null_move(&mut self, position: &Position, node: &Node) -> Result<Option<Score>, Aborted> {
        let params = self.shared.params;
        let Node { ply, depth, .. } = *node;
        let beta = node.window.beta;
        let after_null = ply > 0 && self.stack[ply - 1].current.is_none();
        if depth < params.null_move_depth
            || after_null
            || node.eval < beta
            || !position.has_pieces(position.turn())
        {
            return Ok(None);
        }
        let Some(child) = position.null_child() else {
            return Ok(None);
        };
        let reduction = params.null_move_base + depth / params.null_move_divisor;
        self.shared.table.prefetch(self.table_key(&child));
        self.stack[ply].current = None;
        self.path.push(position.key());
        let window = Window::null(beta - 1).flipped();
        let score = -self.search::<OffPv>(&child, window, depth - reduction, ply + 1)?;
        self.path.pop();
        if score < beta {
            return Ok(None);
        }
        // A mate found against a side that passed is no proof of a mate.
        Ok(Some(if score.is_decisive() { beta } else { score }))
    }

    /// Step 5: internal iterative reduction. Without a table move the order is poor: search less deep now, and
    /// the table will have a move next time (Ed Schröder, 2021).
    fn reduce_without_table_move(&self, node: &mut Node) {
        let deep = node.depth >= self.shared.params.internal_reduction_depth;
        if node.table_move.is_none() && deep && !self.is_mate_search() {
            node.depth -= 1;
        }
    }

    /// Step 6: the moves, one by one.
    fn search_moves<K: NodeKind>(
        &mut self,
        position: &Position,
        mut node: Node,
    ) -> Result<Score, Aborted> {
        let ply = node.ply;
        let original_alpha = node.window.alpha;
        let table_move = if K::ROOT {
            Some(self.root_moves.current().m)
        } else {
            node.table_move
        };
        let mut picker = Picker::all(table_move, self.legal_killers(position, ply));
        let mut progress = Progress {
            best: -Score::INFINITE,
            best_move: None,
            count: 0,
            quiets: ArrayVec::new(),
        };

        while let Some(m) = picker.next(position, self.histories) {
            if K::ROOT && !self.root_moves.contains(m) {
                continue;
            }
            let quiet = is_quiet(m);
            if !K::ROOT
                && !self.is_mate_search()
                && self.skip_move(position, &node, &progress, quiet)
            {
                picker.skip_quiets();
                continue;
            }
            progress.count += 1;
            if K::ROOT {
                self.tell_current_move(&node, m, progress.count);
            }
            let nodes_before = self.nodes;
            let score = self.search_move::<K>(position, &node, m, progress.count)?;
            if K::ROOT {
                self.record_root_move(&node, m, score, progress.count, nodes_before);
            }
            if score > progress.best {
                progress.best = score;
                if score > node.window.alpha {
                    progress.best_move = Some(m);
                    if K::PV && !K::ROOT {
                        self.update_pv(ply, m);
                    }
                    if score >= node.window.beta {
                        self.reward_cutoff(position, &node, m, &progress.quiets);
                        break;
                    }
                    node.window.alpha = score;
                }
            }
            if quiet && progress.best_move != Some(m) {
                let _ = progress.quiets.try_push(m);
            }
        }

        if progress.count == 0 {
            return Ok(if node.in_check {
                Score::mated_in(ply)
            } else {
                Score::DRAW
            });
        }
        self.remember::<K>(position, &node, &progress, original_alpha);
        Ok(progress.best)
    }

    /// Late move pruning: near the leaves, quiet moves far down the order are not worth a look
    /// (<https://www.chessprogramming.org/Futility_Pruning#Move_Count_Based_Pruning>).
    fn skip_move(
        &self,
        position: &Position,
        node: &Node,
        progress: &Progress,
        quiet: bool,
    ) -> bool {
        if !quiet
            || progress.best.is_loss()
            || progress.count == 0
            || !position.has_pieces(position.turn())
        {
            return false;
        }
        let params = self.shared.params;
        let most = params.late_move_pruning_base
            + node.depth * node.depth / (2 - i32::from(node.improving));
        node.depth <= params.late_move_pruning_depth && progress.count as i32 > most
    }

    /// Plays `m` and searches it: the first move with the whole window, the others with a null window, reduced
    /// at first, and again without reduction or with the whole window when they turn out better than expected.
    fn search_move<K: NodeKind>(
        &mut self,
        position: &Position,
        node: &Node,
        m: Move,
        count: usize,
    ) -> Result<Score, Aborted> {
        let ply = node.ply;
        let child = position.child(m, self.shared.evaluator.table());
        self.shared.table.prefetch(self.table_key(&child));
        self.stack[ply].current = Some(m);
        self.path.push(position.key());

        // Check extension: a check leaves few replies, so it costs little to see where it leads.
        let extension = i32::from(child.in_check());
        let depth = node.depth - 1 + extension;
        let window = node.window;
        let mut score = -Score::INFINITE;
        if !K::PV || count > 1 {
            let null_window = Window::null(window.alpha).flipped();
            let reduction = self.late_move_reduction::<K>(node, m, count, &child);
            score = -self.search::<OffPv>(&child, null_window, depth - reduction, ply + 1)?;
            if score > window.alpha && reduction > 0 {
                score = -self.search::<OffPv>(&child, null_window, depth, ply + 1)?;
            }
        }
        if K::PV && (count == 1 || score > window.alpha) {
            score = -self.search::<OnPv>(&child, window.flipped(), depth, ply + 1)?;
        }
        self.path.pop();
        Ok(score)
    }

    /// Late move reduction: moves far down the order are searched less deep at first
    /// (<https://www.chessprogramming.org/Late_Move_Reductions>).
    fn late_move_reduction<K: NodeKind>(
        &self,
        node: &Node,
        m: Move,
        count: usize,
        child: &Position,
    ) -> i32 {
        let first_reduced = 2 + usize::from(K::PV);
        if node.depth < 3 || count < first_reduced || self.is_mate_search() || !is_quiet(m) {
            return 0;
        }
        let mut reduction = self.shared.reductions.get(node.depth, count);
        reduction -= i32::from(K::PV);
        reduction -= i32::from(node.in_check || child.in_check());
        reduction += i32::from(!node.improving);
        reduction.clamp(0, node.depth - 2)
    }

    fn legal_killers(&self, position: &Position, ply: usize) -> [Option<Move>; KILLERS] {
        self.stack[ply].killers.map(|killer| {
            let killer = killer?;
            let legal = movegen::legal_move(position, UciMove::from_chess960(killer))?;
            (legal == killer).then_some(killer)
        })
    }

    fn reward_cutoff(&mut self, position: &Position, node: &Node, m: Move, tried: &[Move]) {
        if !is_quiet(m) {
            return;
        }
        let killers = &mut self.stack[node.ply].killers;
        if killers[0] != Some(m) {
            killers[1] = killers[0];
            killers[0] = Some(m);
        }
        self.histories
            .reward_quiet(position.turn(), m, tried, node.depth);
    }

    /// Step 7: what was found goes to the table.
    fn remember<K: NodeKind>(
        &self,
        position: &Position,
        node: &Node,
        progress: &Progress,
        alpha: Score,
    ) {
        if K::ROOT && self.root_moves.is_partial() {
            return;
        }
        let bound = if progress.best >= node.window.beta {
            Bound::Lower
        } else if progress.best > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let record = Record {
            best: progress.best_move.map(UciMove::from_chess960),
            score: progress.best,
            eval: self.stack[node.ply].static_eval,
            depth: node.depth,
            bound: Some(bound),
            is_pv: K::PV,
        };
        self.shared
            .table
            .store(self.table_key(position), node.ply, record);
    }

    fn tell_current_move(&mut self, node: &Node, current: Move, number: usize) {
        if self.is_main() && self.shared.budget.elapsed().as_millis() >= CURRENT_MOVE_AFTER {
            (self.report)(Report::CurrentMove {
                depth: node.depth as u32,
                current,
                number,
            });
        }
    }

    fn record_root_move(
        &mut self,
        node: &Node,
        m: Move,
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
            m,
            score,
            outcome,
            nodes,
            &self.stack[0].pv,
            self.selective_depth,
        );
    }
}

/// Neither capture nor promotion.
#[inline]
pub fn is_quiet(m: Move) -> bool {
    !m.is_capture() && !m.is_promotion()
}

/// The table's move, if it is legal here: another position may have the same key.
pub fn legal_table_move(position: &Position, packed: Option<PackedUciMove>) -> Option<Move> {
    movegen::legal_move(position, packed?.unpack())
}

/// A table score is a better guess than the static evaluation when its bound points the right way.
fn refined_by_table(static_eval: Score, entry: Option<Entry>, ply: usize) -> Score {
    let Some(entry) = entry.filter(|_| !static_eval.is_none()) else {
        return static_eval;
    };
    let score = entry.score(ply);
    let better = match entry.bound {
        Some(Bound::Exact) => true,
        Some(Bound::Lower) => score > static_eval,
        Some(Bound::Upper) => score < static_eval,
        None => false,
    };
    if better && !score.is_decisive() {
        score
    } else {
        static_eval
    }
}
