//! Quiescence: captures and promotions until the position is quiet, evasions in check
//! (<https://www.chessprogramming.org/Quiescence_Search>).

use super::game::{Bitboard, CompactMove, Position, Role, exchange_value};
use super::node::bound_of;
use super::node_type::{NodeKind, OffPv, OnPv};
use super::picker::{Context, KILLERS, Picked, Picker};
use super::probe::{legal_table_move, refined_by_table, score_if_enough};
use super::report::Bound;
use super::tt::{Entry, Record};
use super::window::Window;
use super::worker::{Aborted, Worker};
use crate::score::{MAX_PLY, Score};

impl<'a> Worker<'a> {
    /// The score of `position` once it is quiet.
    ///
    /// # Errors
    ///
    /// [`Aborted`] when the search has to end.
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
        self.enter_node::<K>(ply);
        if self.path.is_draw(position, ply) {
            return Ok(Score::DRAW);
        }
        if ply >= MAX_PLY {
            return Ok(self.score_at_last_ply(position));
        }
        self.raise_alpha_to_draw(position, &mut window, ply);
        if window.alpha >= window.beta {
            return Ok(window.alpha);
        }
        let entry = self.probe_table(position);
        if let Some(entry) = entry.filter(|_| !K::PV)
            && let Some(score) = score_if_enough(entry, position, window, ply)
        {
            return Ok(score);
        }

        let original_alpha = window.alpha;
        let raw_eval = self.raw_evaluation(position, entry);
        // In check nothing can be counted on: every evasion is searched.
        let stand_pat = if position.in_check() {
            -Score::INFINITE
        } else {
            let continuation = self.path_moves.before(ply);
            refined_by_table(
                self.corrected(position, raw_eval, &continuation),
                entry,
                ply,
            )
        };
        let record = Record {
            best: None,
            score: stand_pat,
            eval: raw_eval,
            depth: 0,
            bound: Some(Bound::Lower),
            is_pv: K::PV || entry.is_some_and(|entry| entry.was_pv),
        };
        if stand_pat >= window.beta {
            if entry.is_none() {
                self.shared.store(position, ply, record);
            }
            return Ok(stand_pat);
        }
        window.alpha = window.alpha.max(stand_pat);
        let (best, best_move) = self.quiesce_moves::<K>(position, entry, window, stand_pat, ply)?;
        let record = Record {
            best: best_move,
            score: best,
            bound: Some(bound_of(best, original_alpha, window.beta)),
            ..record
        };
        self.shared.store(position, ply, record);
        Ok(best)
    }

    fn quiesce_moves<K: NodeKind>(
        &mut self,
        position: &Position,
        entry: Option<Entry>,
        mut window: Window,
        stand_pat: Score,
        ply: usize,
    ) -> Result<(Score, Option<CompactMove>), Aborted> {
        let in_check = position.in_check();
        let table_move = entry.and_then(|entry| legal_table_move(position, entry.best));
        let futility_base = self.futility_base(position, stand_pat);
        let (victims, missed) = promising_victims(position, futility_base, window.alpha);
        let mut best = stand_pat.max(missed);
        let mut picker = if in_check {
            Picker::all(table_move, [None; KILLERS])
        } else {
            let required = i32::from(futility_base <= window.alpha);
            Picker::noisy(table_move.filter(|m| !m.is_quiet()), victims, required)
        };
        let context = self.quiescence_context(position, ply);
        let mut best_move = None;
        let mut count = 0;
        while let Some(Picked { m, .. }) = picker.next(position, self.histories, &context) {
            count += 1;
            let promised = futility_base + m.capture().map_or(0, exchange_value);
            if promised <= window.alpha && !m.is_promotion() {
                best = best.max(promised);
                continue;
            }
            self.prefetch(position, m);
            let mut child = position.clone();
            self.play(&mut child, position, m);
            self.enter_move(position, ply, Some(m));
            let score = -self.quiesce::<K>(&child, window.flipped(), ply + 1)?;
            self.path.pop();
            if score > best {
                best = score;
                if score > window.alpha {
                    best_move = Some(m);
                    if K::PV {
                        self.pv.update(ply, m);
                    }
                    if score >= window.beta {
                        break;
                    }
                    window.alpha = score;
                    if futility_base <= score {
                        picker.require(1);
                    }
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

    /// Delta pruning: even with the captured piece for nothing the score stays below alpha. What the stand-pat score and
    /// a margin come to without the piece; in check, and when a mate is looked for, everything
    /// (<https://www.chessprogramming.org/Delta_Pruning>).
    fn futility_base(&self, position: &Position, stand_pat: Score) -> Score {
        if position.in_check() || self.is_mate_search() {
            Score::INFINITE
        } else {
            stand_pat + self.shared.params().quiescence_futility
        }
    }

    /// Only evasions include quiet moves, whose order needs to know more.
    fn quiescence_context(&self, position: &Position, ply: usize) -> Context<'a> {
        if position.in_check() {
            Context {
                threats: position.threats_by_worth(),
                continuation: self.path_moves.before(ply),
                params: self.shared.params(),
            }
        } else {
            Context::NOISY
        }
    }
}

/// The enemy pieces whose capture may raise the score above alpha, and the best score that taking another one could
/// have brought: at most alpha, and minus infinite when there is no other one.
fn promising_victims(position: &Position, futility_base: Score, alpha: Score) -> (Bitboard, Score) {
    if futility_base > alpha {
        return (Bitboard::FULL, -Score::INFINITE);
    }
    let board = position.board();
    let them = board.by_color(!position.turn());
    let (mut victims, mut missed) = (them, -Score::INFINITE);
    for role in [
        Role::Pawn,
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
    ] {
        let (pieces, promised) = (
            board.by_role(role) & them,
            futility_base + exchange_value(role),
        );
        if promised <= alpha && pieces.any() {
            victims ^= pieces;
            missed = missed.max(promised);
        }
    }
    (victims, missed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::limits::Limits;
    use crate::search::worker::testbed::{PARAMS, PLY, cp, legal, on, with_limits};

    const QUIET: &str = "4k3/4p3/8/8/8/8/4P3/4K1N1 w - - 0 1";

    fn score(fen: &str, window: Window) -> Score {
        on(fen, |worker, position| {
            worker.quiescence::<OffPv>(position, window, PLY).unwrap()
        })
    }

    #[test]
    fn a_quiet_position_is_worth_its_evaluation() {
        let own = on(QUIET, |worker, position| worker.evaluate(position));
        assert_eq!(score(QUIET, Window::FULL), own);
        // Above beta at once, and what is found is kept.
        let kept = |beta: i32| {
            on(QUIET, |worker, position| {
                let window = Window::null(own + beta - 1);
                let score = worker.quiescence::<OffPv>(position, window, PLY).unwrap();
                assert_eq!(score, own);
                let entry = worker.shared.probe(position).unwrap();
                assert_eq!((entry.eval, entry.depth), (own, 0));
                entry.bound
            })
        };
        assert_eq!(kept(0), Some(Bound::Lower));
        assert_eq!(kept(1), Some(Bound::Upper));
    }

    #[test]
    fn a_hanging_piece_is_taken_and_a_defended_one_left_alone() {
        let hanging = "4k3/4p3/8/8/7q/5N2/4P3/4K3 w - - 0 1";
        let own = on(hanging, |worker, position| worker.evaluate(position));
        assert!(score(hanging, Window::FULL) > own + 500);
        // The queen would be lost for a pawn.
        let defended = "4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1";
        let own = on(defended, |worker, position| worker.evaluate(position));
        assert_eq!(score(defended, Window::FULL), own);
    }

    #[test]
    fn in_check_all_evasions_are_searched_and_without_one_it_is_mate() {
        let mated = "R3k3/8/4K3/8/8/8/8/8 b - - 0 1";
        assert_eq!(score(mated, Window::FULL), Score::mated_in(PLY));
        // The only way out is a quiet one.
        let check = "4k3/8/8/8/8/8/8/r3K3 w - - 0 1";
        let found = score(check, Window::FULL);
        assert!(found > -Score::INFINITE && !found.is_mate());
    }

    #[test]
    fn an_entry_of_the_table_settles_it_when_its_bound_points_the_right_way() {
        let found = |bound: Bound| {
            on(QUIET, |worker, position| {
                let record = Record {
                    best: None,
                    score: cp(444),
                    eval: cp(7),
                    depth: 0,
                    bound: Some(bound),
                    is_pv: false,
                };
                worker.shared.store(position, PLY, record);
                let window = Window::null(cp(100));
                worker.quiescence::<OffPv>(position, window, PLY).unwrap()
            })
        };
        assert_eq!(found(Bound::Lower), cp(444));
        assert_eq!(found(Bound::Upper), cp(7));
    }

    #[test]
    fn a_principal_variation_is_marked_in_the_table_and_the_mark_stays() {
        on(QUIET, |worker, position| {
            let mut marked = |pv: bool| {
                let window = Window::FULL;
                let _ = if pv {
                    worker.quiescence::<OnPv>(position, window, PLY)
                } else {
                    worker.quiescence::<OffPv>(position, window, PLY)
                };
                worker.shared.probe(position).unwrap().was_pv
            };
            assert!(!marked(false));
            assert!(marked(true));
            assert!(marked(false));
        });
    }

    #[test]
    fn the_best_capture_is_kept_and_stands_in_the_line() {
        on(
            "4k3/4p3/8/8/7q/5N2/4P3/4K3 w - - 0 1",
            |worker, position| {
                worker
                    .quiescence::<OnPv>(position, Window::FULL, PLY)
                    .unwrap();
                let takes = legal(position, "f3h4");
                let entry = worker.shared.probe(position).unwrap();
                assert_eq!(entry.best, Some(takes.pack()));
                assert_eq!(entry.bound, Some(Bound::Exact));
                assert_eq!(worker.pv.line(PLY).first(), Some(&takes));
            },
        );
    }

    #[test]
    fn victims_that_cannot_raise_alpha_are_left_out_and_the_best_of_them_counts() {
        // Black has a pawn, a knight and a queen.
        let fen = "4k3/4p3/8/8/7q/5N2/4P3/n3K3 w - - 0 1";
        let of = |base: i32, alpha: i32| {
            on(fen, |_, position| {
                let (victims, missed) = promising_victims(position, cp(base), cp(alpha));
                let has = |role| (victims & position.board().by_role(role)).any();
                (
                    [has(Role::Pawn), has(Role::Knight), has(Role::Queen)],
                    missed,
                )
            })
        };
        let [pawn, knight, queen] = [Role::Pawn, Role::Knight, Role::Queen].map(exchange_value);
        let nothing = -Score::INFINITE;
        assert_eq!(of(1, 0), ([true; 3], nothing));
        assert_eq!(of(0, 0), ([true; 3], nothing));
        assert_eq!(of(-pawn, 0), ([false, true, true], cp(0)));
        assert_eq!(of(1 - pawn, 0), ([true; 3], nothing));
        assert_eq!(of(-knight, 0), ([false, false, true], cp(0)));
        assert_eq!(of(-queen - 5, 0), ([false; 3], cp(-5)));
    }

    #[test]
    fn what_a_capture_may_promise() {
        let margin = PARAMS.quiescence_futility;
        let base = |fen: &str, limits: Limits| {
            with_limits(fen, limits, |worker, position| {
                worker.futility_base(position, cp(10))
            })
        };
        assert_eq!(base(QUIET, Limits::default()), cp(10 + margin));
        let check = "4k3/8/8/8/8/8/8/r3K3 w - - 0 1";
        assert_eq!(base(check, Limits::default()), Score::INFINITE);
        let mate = Limits {
            mate: Some(2),
            ..Limits::default()
        };
        assert_eq!(base(QUIET, mate), Score::INFINITE);
    }

    #[test]
    fn a_quiet_move_of_the_table_is_not_tried() {
        on(QUIET, |worker, position| {
            let record = Record {
                best: Some(legal(position, "g1f3")),
                score: cp(0),
                eval: cp(0),
                depth: 0,
                bound: None,
                is_pv: false,
            };
            worker.shared.store(position, PLY, record);
            worker
                .quiescence::<OffPv>(position, Window::FULL, PLY)
                .unwrap();
            assert_eq!(worker.nodes, 1);
        });
    }
}
