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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::node_type::{OffPv, OnPv};
    use crate::search::worker::testbed::{self, PLY, cp, legal, node, on};

    const FEN: &str = "4k3/4p3/8/8/8/8/4P3/4K1N1 w - - 89 80";

    /// An entry for [`FEN`] with the move Nf3.
    fn entry(depth: i32, score: Score, bound: Option<Bound>) -> Entry {
        testbed::entry(FEN, Some("g1f3"), depth, score, bound)
    }

    /// The table's cut-off, five plies deep with a window just below `beta`, and what Nf3 has learned from it.
    fn cutoff<K: NodeKind>(entry: Entry, beta: Score, excluded: bool) -> (Option<Score>, i32) {
        on(FEN, |worker, position| {
            let m = legal(position, "g1f3");
            worker.stack[PLY].excluded = excluded.then_some(m);
            let window = Window::null(beta - 1);
            let score = worker.table_cutoff::<K>(position, Some(entry), window, 5, PLY);
            let (turn, threats) = (position.turn(), position.threats());
            let values = worker.histories.quiet_values(turn, threats, &[None; 4]);
            (score, values.of(m))
        })
    }

    #[test]
    fn an_entry_that_is_deep_enough_and_settles_the_window_ends_the_node() {
        let lower = Some(Bound::Lower);
        let score = |depth, bound, beta: i32| {
            cutoff::<OffPv>(entry(depth, cp(30), bound), cp(beta), false).0
        };
        assert_eq!(score(5, lower, 30), Some(cp(30)));
        assert_eq!(score(4, lower, 30), None);
        assert_eq!(score(5, lower, 31), None);
        assert_eq!(score(5, Some(Bound::Upper), 31), Some(cp(30)));
        assert_eq!(score(5, Some(Bound::Upper), 30), None);
        assert_eq!(score(5, Some(Bound::Exact), 500), Some(cp(30)));
        assert_eq!(score(5, None, 30), None);
        let deep = entry(5, cp(30), lower);
        assert_eq!(cutoff::<OnPv>(deep, cp(30), false).0, None);
        assert_eq!(cutoff::<OffPv>(deep, cp(30), true).0, None);
        // A mate stays a mate at any depth.
        let mate = Score::mate_in(PLY + 5);
        assert_eq!(
            cutoff::<OffPv>(entry(1, mate, lower), mate, false).0,
            Some(mate)
        );
        assert_eq!(
            cutoff::<OffPv>(entry(1, mate, lower), mate + 1, false).0,
            None
        );
    }

    #[test]
    fn the_move_of_a_cut_off_that_fails_high_is_rewarded() {
        let learned = |bound, beta: i32| {
            let (score, value) = cutoff::<OffPv>(entry(5, cp(30), Some(bound)), cp(beta), false);
            assert_eq!(score, Some(cp(30)));
            value
        };
        assert!(learned(Bound::Lower, 30) > 0);
        assert!(learned(Bound::Exact, 30) > 0);
        assert_eq!(learned(Bound::Exact, 31), 0);
        assert_eq!(learned(Bound::Upper, 31), 0);
    }

    #[test]
    fn near_the_fifty_move_limit_the_table_does_not_decide() {
        let used = |fen: &str| {
            on(fen, |_, position| {
                let entry = entry(5, cp(30), Some(Bound::Exact));
                score_if_enough(entry, position, Window::FULL, PLY)
            })
        };
        assert_eq!(used(FEN), Some(cp(30)));
        assert_eq!(used("4k3/4p3/8/8/8/8/4P3/4K1N1 w - - 90 80"), None);
    }

    #[test]
    fn a_mate_after_the_fifty_move_limit_is_not_believed() {
        // Eleven half-moves are left.
        let bound = |plies| {
            on(FEN, |worker, position| {
                let record = Record {
                    best: None,
                    score: Score::mate_in(PLY + plies),
                    eval: cp(7),
                    depth: 5,
                    bound: Some(Bound::Lower),
                    is_pv: false,
                };
                worker.shared.store(position, PLY, record);
                worker.probe_table(position).unwrap().bound
            })
        };
        assert_eq!((bound(11), bound(13)), (Some(Bound::Lower), None));
    }

    #[test]
    fn the_table_refines_an_evaluation_in_the_direction_of_its_bound() {
        let refined = |eval: Score, score: Score, bound| {
            refined_by_table(eval, Some(entry(5, score, bound)), PLY)
        };
        let (low, middle, high) = (cp(-50), cp(0), cp(50));
        assert_eq!(refined_by_table(middle, None, PLY), middle);
        for (score, bound, expected) in [
            (high, Some(Bound::Exact), high),
            (high, Some(Bound::Lower), high),
            (high, Some(Bound::Upper), middle),
            (high, None, middle),
            (low, Some(Bound::Exact), low),
            (low, Some(Bound::Lower), middle),
            (low, Some(Bound::Upper), low),
            (Score::mate_in(20), Some(Bound::Exact), middle),
        ] {
            assert_eq!(
                refined(middle, score, bound),
                expected,
                "{score:?} {bound:?}"
            );
        }
        assert_eq!(refined(Score::NONE, high, Some(Bound::Exact)), Score::NONE);
    }

    #[test]
    fn an_evaluation_does_not_replace_what_the_table_knows() {
        on(FEN, |worker, position| {
            let mut node = node(position, 5);
            (node.raw_eval, node.was_pv) = (cp(12), true);
            worker.store_evaluation(position, &node);
            let stored = worker.shared.probe(position).unwrap();
            assert_eq!(
                (stored.eval, stored.bound, stored.was_pv),
                (cp(12), None, true)
            );
            (node.raw_eval, node.entry) = (cp(99), Some(stored));
            worker.store_evaluation(position, &node);
            assert_eq!(worker.shared.probe(position).unwrap().eval, cp(12));
        });
    }
}
