//! Quiescence: captures and promotions until the position is quiet, evasions in check
//! (<https://www.chessprogramming.org/Quiescence_Search>).

use super::node::{NodeKind, OffPv, OnPv, Window, is_quiet, legal_table_move};
use super::picker::{KILLERS, Picker};
use super::report::Bound;
use super::tt::{Entry, Record};
use super::worker::{Aborted, Worker};
use crate::position::Position;
use crate::score::{MAX_PLY, Score};
use shakmaty::Move;
use shakmaty::uci::UciMove;

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
        let entry = self.shared.table.probe(self.table_key(position));
        if let Some(entry) =
            entry.filter(|entry| !K::PV && entry.cuts(window.alpha, window.beta, ply))
        {
            return Ok(entry.score(ply));
        }

        let original_alpha = window.alpha;
        let (static_eval, stand_pat) = self.stand_pat(position, entry);
        if stand_pat >= window.beta {
            self.store_quiescence::<K>(position, ply, stand_pat, static_eval, Bound::Lower, None);
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
        self.store_quiescence::<K>(position, ply, best, static_eval, bound, best_move);
        Ok(best)
    }

    /// The static evaluation, and the score the side to move may count on without moving. In check there is
    /// none: every evasion is searched.
    fn stand_pat(&self, position: &Position, entry: Option<Entry>) -> (Score, Score) {
        if position.in_check() {
            return (Score::NONE, -Score::INFINITE);
        }
        let static_eval = match entry {
            Some(entry) if !entry.eval.is_none() => entry.eval,
            _ => self.evaluate(position),
        };
        (static_eval, static_eval)
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
            Picker::noisy(table_move.filter(|&m| !is_quiet(m)))
        };
        let mut best = stand_pat;
        let mut best_move = None;
        let mut count = 0;
        while let Some(m) = picker.next(position, self.histories) {
            count += 1;
            let child = position.child(m, self.shared.evaluator.table());
            self.shared.table.prefetch(self.table_key(&child));
            self.stack[ply].current = Some(m);
            self.path.push(position.key());
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
