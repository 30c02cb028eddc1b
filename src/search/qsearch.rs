//! Quiescence: captures and promotions until the position is quiet, evasions in check
//! (<https://www.chessprogramming.org/Quiescence_Search>).

use super::history::Line;
use super::node::{NodeKind, OffPv, OnPv, Window, is_quiet, legal_table_move, refined_by_table};
use super::picker::{Context, KILLERS, Picked, Picker};
use super::report::Bound;
use super::see::see_at_least;
use super::tt::{Entry, Record};
use super::worker::{Aborted, Worker};
use crate::eval::psqt::exchange_value;
use crate::position::Position;
use crate::score::{MAX_PLY, Score};
use shakmaty::uci::UciMove;
use shakmaty::{Bitboard, Move};

impl Worker<'_> {
    /// The score of `position` once it is quiet.
    ///
    /// # Errors
    ///
    /// [`Aborted`] when the search was told to end.
    pub fn quiescence<K: NodeKind>(
        &mut self,
        position: &Position,
        window: Window,
        ply: usize,
    ) -> Result<Score, Aborted> {
        if K::PV {
            self.quiesce::<OnPv>(position, window, ply)
        } else {
            self.quiesce::<OffPv>(position, window, ply)
        }
    }

    fn quiesce<K: NodeKind>(
        &mut self,
        position: &Position,
        mut window: Window,
        ply: usize,
    ) -> Result<Score, Aborted> {
        self.count_node()?;
        if K::PV {
            self.stack[ply].pv.clear();
            self.selective_depth = self.selective_depth.max(ply + 1);
        }
        if self.path.is_draw(position, ply) {
            return Ok(Score::DRAW);
        }
        if ply >= MAX_PLY {
            return Ok(if position.in_check() {
                Score::DRAW
            } else {
                self.evaluate(position)
            });
        }
        let entry = self.probe_table(position);
        if let Some(entry) =
            entry.filter(|entry| !K::PV && entry.cuts(window.alpha, window.beta, ply))
        {
            return Ok(entry.score(ply));
        }

        let original_alpha = window.alpha;
        let raw_eval = self.raw_evaluation(position, entry);
        // In check nothing can be counted on: every evasion is searched.
        let stand_pat = if position.in_check() {
            -Score::INFINITE
        } else {
            refined_by_table(self.corrected(position, raw_eval, ply), entry, ply)
        };
        if stand_pat >= window.beta {
            if entry.is_none() {
                self.store_quiescence::<K>(position, ply, stand_pat, raw_eval, Bound::Lower, None);
            }
            return Ok(stand_pat);
        }
        window.alpha = window.alpha.max(stand_pat);
        let (best, best_move) = self.quiesce_moves::<K>(position, entry, window, stand_pat, ply)?;
        let bound = if best >= window.beta {
            Bound::Lower
        } else if best > original_alpha && K::PV {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.store_quiescence::<K>(position, ply, best, raw_eval, bound, best_move);
        Ok(best)
    }

    fn quiesce_moves<K: NodeKind>(
        &mut self,
        position: &Position,
        entry: Option<Entry>,
        mut window: Window,
        stand_pat: Score,
        ply: usize,
    ) -> Result<(Score, Option<Move>), Aborted> {
        let in_check = position.in_check();
        let table_move = entry.and_then(|entry| legal_table_move(position, entry.best));
        let mut picker = if in_check {
            Picker::all(table_move, [None; KILLERS])
        } else {
            Picker::noisy(table_move.filter(|&m| !is_quiet(m)), 0)
        };
        let context = self.quiescence_context(position, ply);
        let mut best = stand_pat;
        let mut best_move = None;
        let mut count = 0;
        while let Some(Picked { m, .. }) = picker.next(position, self.histories, &context) {
            count += 1;
            self.prefetch(position, m);
            if let Some(hope) = self.is_futile(position, m, window.alpha, stand_pat, best) {
                best = best.max(hope);
                continue;
            }
            let child = self.play(position, m);
            self.enter_move(position, ply, Some(m));
            let score = -self.quiesce::<K>(&child, window.flipped(), ply + 1)?;
            self.path.pop();
            if score > best {
                best = score;
                if score > window.alpha {
                    best_move = Some(m);
                    if K::PV {
                        self.update_pv(ply, m);
                    }
                    if score >= window.beta {
                        break;
                    }
                    window.alpha = score;
                }
            }
            // One evasion that does not lose is enough: the quiet ones that follow seldom change the result.
            if in_check && !best.is_loss() && !self.is_mate_search() {
                picker.skip_quiets();
            }
        }
        if in_check && count == 0 {
            best = Score::mated_in(ply);
        }
        Ok((best, best_move))
    }

    /// Only evasions include quiet moves, whose order needs to know more.
    fn quiescence_context(&self, position: &Position, ply: usize) -> Context {
        if position.in_check() {
            Context {
                threats: position.threats(),
                line: self.line_before(ply),
            }
        } else {
            Context {
                threats: Bitboard::EMPTY,
                line: Line::default(),
            }
        }
    }

    /// Delta pruning: even with the captured piece for nothing the score stays below alpha. Returns the score that
    /// could be hoped for (<https://www.chessprogramming.org/Delta_Pruning>).
    fn is_futile(
        &self,
        position: &Position,
        m: Move,
        alpha: Score,
        stand_pat: Score,
        best: Score,
    ) -> Option<Score> {
        if position.in_check() || best.is_loss() || m.is_promotion() || self.is_mate_search() {
            return None;
        }
        let hope = stand_pat + self.shared.params.quiescence_futility;
        if hope > alpha || see_at_least(position, m, 1) {
            let gain = m.capture().map_or(0, exchange_value);
            return (hope + gain <= alpha).then_some(hope + gain);
        }
        Some(hope)
    }

    fn store_quiescence<K: NodeKind>(
        &self,
        position: &Position,
        ply: usize,
        score: Score,
        eval: Score,
        bound: Bound,
        best: Option<Move>,
    ) {
        let record = Record {
            best: best.map(UciMove::from_chess960),
            score,
            eval,
            depth: 0,
            bound: Some(bound),
            is_pv: K::PV,
        };
        self.shared
            .table
            .store(self.table_key(position), ply, record);
    }
}
