//! The alpha-beta node of the main search, as a list of steps
//! (<https://www.chessprogramming.org/Principal_Variation_Search>). It is fail-soft.
//!
//! The steps that may end a node early are in `prune`, the loop over its moves in `moves`.

use shakmaty::Bitboard;
use shakmaty::packed::PackedUciMove;

use super::correction::last_moves;
use super::history::Line;
use super::picker::{KILLERS, Picker};
use super::report::Bound;
use super::tt::{Entry, Record};
use super::worker::{Aborted, Worker};
use crate::chess::compact::CompactMove;
use crate::chess::eval::may_be_known;
use crate::chess::keys::FIFTY_MOVE_LIMIT;
use crate::chess::movegen;
use crate::chess::position::Position;
use crate::score::{MAX_PLY, Score};

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

/// What a node is expected to be (<https://www.chessprogramming.org/Node_Types>).
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Expected {
    /// On the principal variation.
    Pv,
    /// Some move will fail high.
    Cut,
    /// No move will.
    All,
}

impl Expected {
    /// What the child of such a node, searched with a null window, is expected to be.
    pub fn child(self) -> Expected {
        if self == Expected::Cut {
            Expected::All
        } else {
            Expected::Cut
        }
    }
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
pub(super) struct Node {
    pub ply: usize,
    pub depth: i32,
    pub window: Window,
    pub expected: Expected,
    pub in_check: bool,
    /// The move that a singular search leaves out.
    pub excluded: Option<CompactMove>,
    pub entry: Option<Entry>,
    pub table_move: Option<CompactMove>,
    /// Whether the position is or once was on a principal variation.
    pub was_pv: bool,
    /// What the evaluation says, before corrections: the value the table keeps.
    pub raw_eval: Score,
    /// The evaluation corrected by what was learned.
    pub static_eval: Score,
    /// The same, refined by the table's score.
    pub eval: Score,
    /// Whether the static evaluation is better than two plies before.
    pub improving: bool,
    /// Squares the opponent attacks; found out when the moves are searched.
    pub threats: Bitboard,
    /// The moves that led here.
    pub line: Line,
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
        expected: Expected,
    ) -> Result<Score, Aborted> {
        let depth = self.extended_in_check::<K>(position, depth, ply);
        if depth <= 0 {
            return self.quiescence::<K>(position, window, ply);
        }
        self.count_node()?;
        if K::PV {
            self.stack[ply].pv.clear();
            self.selective_depth = self.selective_depth.max(ply + 1);
        }
        if !K::ROOT
            && let Some(score) = self.settled_without_search(position, &mut window, ply)
        {
            return Ok(score);
        }
        let entry = self.probe_table(position);
        if let Some(score) = self.table_cutoff::<K>(position, entry, window, depth, ply) {
            if score >= window.beta
                && let Some(m) = legal_table_move(position, entry.and_then(|entry| entry.best))
            {
                let line = self.moved.line_before(ply);
                self.reward_table_cutoff(position, m, depth, &line);
            }
            return Ok(score);
        }
        if !K::ROOT
            && self.shared.tablebases.most_pieces() > 0
            && let Some(score) = self.tablebase_score(position, depth, ply)
        {
            return Ok(score);
        }
        let mut node = self.open_node::<K>(position, entry, window, depth, ply, expected);
        if let Some(score) = self.prune_whole_node::<K>(position, &mut node)? {
            return Ok(score);
        }
        self.search_moves::<K>(position, node)
    }

    /// Check extension: a check leaves few replies, so a ply more costs little and sees through forcing lines
    /// (<https://www.chessprogramming.org/Check_Extensions>).
    #[inline]
    fn extended_in_check<K: NodeKind>(&self, position: &Position, depth: i32, ply: usize) -> i32 {
        let params = self.shared.params();
        let extends = !K::ROOT
            && position.in_check()
            && depth <= params.check_extension_depth
            && self.may_extend(ply)
            && self.stack[ply].excluded.is_none();
        depth + i32::from(extends)
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
            return Some(self.score_at_last_ply(position));
        }
        self.raise_alpha_to_draw(position, window, ply);
        window.alpha = window.alpha.max(Score::mated_in(ply));
        window.beta = window.beta.min(Score::mate_in(ply + 1));
        (window.alpha >= window.beta).then_some(window.alpha)
    }

    /// The score where no deeper ply is kept: the evaluation, or a draw in check, where there is none.
    pub(super) fn score_at_last_ply(&mut self, position: &Position) -> Score {
        if position.in_check() {
            Score::DRAW
        } else {
            self.evaluate(position)
        }
    }

    /// A draw that the next move can bring about is worth having when nothing better is.
    #[inline]
    pub(super) fn raise_alpha_to_draw(&self, position: &Position, window: &mut Window, ply: usize) {
        let moves = self.shared.reversible_moves;
        if window.alpha < Score::DRAW && moves.can_repeat(&self.path, position, ply) {
            window.alpha = Score::DRAW;
        }
    }

    /// Step 2: the table already knows enough. Never on a principal variation, whose line would be lost, nor in
    /// a singular search, which asks about the other moves.
    fn table_cutoff<K: NodeKind>(
        &self,
        position: &Position,
        entry: Option<Entry>,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Option<Score> {
        let usable = !K::PV && self.stack[ply].excluded.is_none();
        let deep = |entry: &Entry| {
            entry.depth >= depth || entry.proves_mate(window.alpha, window.beta, ply)
        };
        let entry = entry.filter(|entry| usable && deep(entry))?;
        Self::settled_by(entry, position, window, ply)
    }

    /// The score of `entry`, if that is enough for the window and no draw by the fifty-move rule is near.
    #[inline]
    pub(super) fn settled_by(
        entry: Entry,
        position: &Position,
        window: Window,
        ply: usize,
    ) -> Option<Score> {
        let settled = entry.cuts(window.alpha, window.beta, ply);
        (settled && position.halfmoves() < TABLE_CLOCK_LIMIT).then(|| entry.score(ply))
    }

    /// What the table knows of `position`. A mate that comes after the fifty-move limit is no mate: without this test
    /// such mates feed each other and the engine never gets any nearer to one (idea: Stockfish).
    #[inline]
    pub(super) fn probe_table(&self, position: &Position) -> Option<Entry> {
        let left = FIFTY_MOVE_LIMIT.saturating_sub(position.halfmoves());
        let entry = self.shared.probe(position)?;
        Some(entry.without_mate_beyond(left))
    }

    /// Asks for what the table knows of the position after `m`, to have it by the time it is needed, and of the one
    /// after the next move in the order: making a move takes less time than memory does, searching one takes more.
    #[inline]
    pub(super) fn prefetch(&self, position: &Position, m: CompactMove, picker: &Picker) {
        let shared = self.shared;
        shared.prefetch(position.key_after(m));
        if let Some(upcoming) = picker.upcoming() {
            shared.prefetch(position.key_after(upcoming));
        }
    }

    /// The same for a null move.
    #[inline]
    pub(super) fn prefetch_null(&self, position: &Position) {
        self.shared.prefetch(position.key_after_null());
    }

    /// Plays `m` on `child`, a copy of `position`.
    #[inline(always)]
    pub(super) fn play(&self, child: &mut Position, position: &Position, m: CompactMove) {
        child.play(position, m, self.shared.evaluator.table());
    }

    /// Step 3: the endgame tables know the result. Not in a mate search, which wants the mate itself.
    #[inline(never)]
    fn tablebase_score(&self, position: &Position, depth: i32, ply: usize) -> Option<Score> {
        /// A result that is certain is worth as much as so many plies more.
        const CERTAINTY: i32 = 6;
        let shared = self.shared;
        if self.is_mate_search() {
            return None;
        }
        let verdict = shared.tablebases.probe(position)?;
        self.count_tablebase_hit();
        let score = verdict.score(ply);
        let record = Record {
            best: None,
            score,
            eval: Score::NONE,
            depth: (depth + CERTAINTY).min(MAX_PLY as i32 - 1),
            bound: Some(Bound::Exact),
            is_pv: false,
        };
        shared.store(position, ply, record);
        Some(score)
    }

    /// Step 4: the static evaluation, and all else the node needs to know.
    fn open_node<K: NodeKind>(
        &mut self,
        position: &Position,
        entry: Option<Entry>,
        window: Window,
        depth: i32,
        ply: usize,
        expected: Expected,
    ) -> Node {
        let in_check = position.in_check();
        let excluded = self.stack[ply].excluded;
        let raw_eval = self.raw_evaluation(position, entry);
        let line = self.moved.line_before(ply);
        let static_eval = self.corrected(position, raw_eval, &line);
        let was_pv = K::PV || entry.is_some_and(|entry| entry.was_pv);
        self.stack[ply].static_eval = static_eval;
        if excluded.is_none() {
            self.judge_move_before(position, static_eval, ply);
        }
        if let Some(grandchild) = self.stack.get_mut(ply + 2) {
            grandchild.killers = [None; KILLERS];
            grandchild.cutoffs = 0;
        }
        Node {
            ply,
            depth,
            window,
            expected,
            in_check,
            excluded,
            entry,
            table_move: entry.and_then(|entry| legal_table_move(position, entry.best)),
            was_pv,
            raw_eval,
            static_eval,
            eval: refined_by_table(static_eval, entry, ply),
            improving: !in_check && self.is_improving(static_eval, ply),
            threats: Bitboard::EMPTY,
            line,
        }
    }

    /// The evaluation without corrections, from the table if it is there; [`Score::NONE`] in check.
    pub(super) fn raw_evaluation(&mut self, position: &Position, entry: Option<Entry>) -> Score {
        match entry {
            _ if position.in_check() => Score::NONE,
            Some(entry) if !entry.eval.is_none() => entry.eval,
            _ => self.evaluate(position),
        }
    }

    /// The evaluation with what was learned about positions like this. Known endings are left as they are: the way to
    /// the mate is told by small steps, which a correction would drown.
    pub(super) fn corrected(&self, position: &Position, raw: Score, line: &Line) -> Score {
        if raw.is_none() || may_be_known(position.board()) {
            return raw;
        }
        let corrections = &self.histories.corrections;
        let correction = corrections.get(self.shared.params(), position, last_moves(line));
        Score::from_centipawns(raw.raw() + correction)
    }

    /// Better than at our last move, or the one before when that was in check.
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

    /// A node that is left early has at least an evaluation worth keeping.
    pub(super) fn remember_evaluation(&self, position: &Position, node: &Node) {
        if node.entry.is_some() {
            return;
        }
        let record = Record {
            best: None,
            score: Score::DRAW,
            eval: node.raw_eval,
            depth: 0,
            bound: None,
            is_pv: node.was_pv,
        };
        self.shared.store(position, node.ply, record);
    }
}

/// The table's move, if it is legal here: another position may have the same key.
pub fn legal_table_move(position: &Position, packed: Option<PackedUciMove>) -> Option<CompactMove> {
    movegen::legal_move(position, packed?.unpack()).map(Into::into)
}

/// A table score is a better guess than the static evaluation when its bound points the right way.
pub(super) fn refined_by_table(static_eval: Score, entry: Option<Entry>, ply: usize) -> Score {
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
