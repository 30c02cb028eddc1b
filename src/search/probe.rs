//! What a node asks the tables: the transposition table for a score, a move and an evaluation, the endgame tables for a
//! result.

use super::game::{CompactMove, FIFTY_MOVE_LIMIT, PackedMove, Position, movegen};
use super::node_state::Node;
use super::node_type::NodeKind;
use super::report::Bound;
use super::tt::{Entry, Record};
use super::window::Window;
use super::worker::Worker;
use crate::score::{MAX_PLY, Score};

/// Near the fifty-move limit a table score may hide the draw: no cut-offs from here, in half-moves.
const TABLE_CLOCK_LIMIT: u32 = 90;

impl Worker<'_> {
    /// What the table knows of `position`. A mate that comes after the fifty-move limit is no mate: without this test
    /// such mates support each other and the engine never gets any nearer to one (idea: Stockfish).
    #[inline]
    pub fn probe_table(&self, position: &Position) -> Option<Entry> {
        let left = FIFTY_MOVE_LIMIT.saturating_sub(position.halfmoves());
        let entry = self.shared.probe(position)?;
        Some(entry.without_mate_beyond(left))
    }

    /// Transposition table cut-off: an earlier search of this position, at least as deep, found a score that is enough
    /// (<https://www.chessprogramming.org/Transposition_Table>). Never on a principal variation, whose line would be
    /// lost, nor in a singular search, which asks about the other moves.
    pub fn table_cutoff<K: NodeKind>(
        &mut self,
        position: &Position,
        entry: Option<Entry>,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Option<Score> {
        if K::PV || self.stack[ply].excluded.is_some() {
            return None;
        }
        let deep = |entry: &Entry| {
            entry.depth >= depth || entry.proves_mate(window.alpha, window.beta, ply)
        };
        let entry = entry.filter(deep)?;
        let score = score_if_enough(entry, position, window, ply)?;
        if score >= window.beta
            && let Some(m) = legal_table_move(position, entry.best)
        {
            let continuation = self.path_moves.before(ply);
            self.reward_table_cutoff(position, m, depth, &continuation);
        }
        Some(score)
    }

    /// Asks for what the table knows of the position after `m`, to have it by the time it is needed.
    #[inline]
    pub fn prefetch(&self, position: &Position, m: CompactMove) {
        self.shared.prefetch(position.key_after(m));
    }

    /// The same for a null move.
    #[inline]
    pub fn prefetch_null(&self, position: &Position) {
        self.shared.prefetch(position.key_after_null());
    }

    /// The result by the endgame tables, as a score. Not in a mate search, which wants the mate itself.
    #[inline(never)]
    pub fn tablebase_score(&self, position: &Position, depth: i32, ply: usize) -> Option<Score> {
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

    /// Stores the static evaluation of a node that is left early.
    pub fn store_evaluation(&self, position: &Position, node: &Node) {
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

/// The score of `entry`, if that is enough for the window and no draw by the fifty-move rule is near.
#[inline]
pub fn score_if_enough(
    entry: Entry,
    position: &Position,
    window: Window,
    ply: usize,
) -> Option<Score> {
    let enough = entry.cuts(window.alpha, window.beta, ply);
    (enough && position.halfmoves() < TABLE_CLOCK_LIMIT).then(|| entry.score(ply))
}

/// The table's move, if it is legal here: another position may have the same key.
pub fn legal_table_move(position: &Position, packed: Option<PackedMove>) -> Option<CompactMove> {
    movegen::legal_packed(position, packed?)
}

/// A table score is a better guess than the static evaluation when its bound points the right way.
pub fn refined_by_table(static_eval: Score, entry: Option<Entry>, ply: usize) -> Score {
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
