//! The order in which a node tries its moves, generated stage by stage:
//! table move, winning captures, killers, quiet moves by history, losing captures.

use super::continuation::{CONTINUATION_PLIES, Continuation};
use super::game::{
    Bitboard, CompactMove, Position, Role, Threats, exchange_value, movegen, see_at_least,
};
use super::history::{HISTORY_LIMIT, Histories};
use super::order_bonus::OrderBonus;
use super::params::Params;
use arrayvec::ArrayVec;

/// More moves than any position a game can reach has.
const CAPACITY: usize = 256;
/// Losing captures kept for the end; more than this are tried at once.
const LOSING_CAPACITY: usize = 32;
/// Killers kept for each ply.
pub const KILLERS: usize = 2;

/// Why a move comes at its place.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Rank {
    /// The table's move.
    Table,
    /// A capture or promotion that wins what it must.
    Winning,
    /// A killer.
    Killer,
    /// A quiet move, ordered by its history and what it does at once.
    Quiet,
    /// A capture that loses material.
    Losing,
}

/// A move and why it comes now.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Picked {
    /// The move.
    pub m: CompactMove,
    /// Its rank in the order.
    pub rank: Rank,
}

/// Moves with their order, in two lists side by side: a key holds the score above and the index below, so that
/// finding the best is one pass over plain numbers.
#[derive(Default)]
struct Ordered {
    moves: ArrayVec<CompactMove, CAPACITY>,
    keys: ArrayVec<i32, CAPACITY>,
}

impl Ordered {
    const INDEX_BITS: u32 = CAPACITY.trailing_zeros();
    /// The key of a move that was handed out.
    const GONE: i32 = i32::MIN;

    fn clear(&mut self) {
        self.moves.clear();
        self.keys.clear();
    }

    /// Adds a move; a list that is full, which no game can bring about, keeps what it has.
    #[inline(always)]
    fn push(&mut self, m: CompactMove) {
        let _ = self.moves.try_push(m);
    }

    /// Scores the moves that were added. Apart from adding them, so that both loops stay small.
    #[inline]
    fn score(&mut self, score: impl Fn(CompactMove) -> i32) {
        let keyed =
            |(index, &m): (usize, &CompactMove)| score(m) << Self::INDEX_BITS | index as i32;
        self.keys.extend(self.moves.iter().enumerate().map(keyed));
    }

    /// Takes out the best move with its score. Selection sort, one step: most nodes need only the first few.
    #[inline]
    fn take_best(&mut self) -> Option<(CompactMove, i32)> {
        let best = self.keys.iter().copied().max();
        let best = best.filter(|&key| key != Self::GONE)?;
        let index = best as usize & (CAPACITY - 1);
        self.keys[index] = Self::GONE;
        Some((self.moves[index], best >> Self::INDEX_BITS))
    }
}

#[derive(Copy, Clone, Debug, Eq, PartialEq, PartialOrd)]
enum Stage {
    TableMove,
    GenerateNoisy,
    WinningNoisy,
    Killers,
    GenerateQuiet,
    Quiet,
    LosingNoisy,
    Done,
}

/// What the order of moves depends on beside the position.
#[derive(Copy, Clone, Debug)]
pub struct Context<'a> {
    /// Squares the opponent attacks; all of them where that was not found out.
    pub threats: Threats,
    /// The moves that led here.
    pub continuation: Continuation,
    /// The numbers of the search.
    pub params: &'a Params,
}

impl Context<'_> {
    /// For a node that tries only captures.
    pub const NOISY: Context<'static> = Context {
        threats: Threats::EVERYWHERE,
        continuation: [None; CONTINUATION_PLIES.len()],
        params: &Params::DEFAULT,
    };
}

/// Hands out the moves of a node, best first.
pub struct Picker {
    stage: Stage,
    table_move: Option<CompactMove>,
    killers: [Option<CompactMove>; KILLERS],
    next_killer: usize,
    ordered: Ordered,
    /// Captures that lose material, in the order they were found out.
    losing: ArrayVec<CompactMove, LOSING_CAPACITY>,
    next_losing: usize,
    /// The enemy pieces to capture.
    victims: Bitboard,
    noisy_only: bool,
    /// Whether quiet moves are still worth trying.
    quiets_wanted: bool,
    /// What the exchange of a capture must win, in centipawns; by its history if nothing is required.
    required: Option<i32>,
}

impl Picker {
    /// All moves. `table_move` must be legal here; killers need not be.
    pub fn all(table_move: Option<CompactMove>, killers: [Option<CompactMove>; KILLERS]) -> Picker {
        Picker {
            stage: Stage::TableMove,
            table_move,
            killers,
            next_killer: 0,
            ordered: Ordered::default(),
            losing: ArrayVec::new(),
            next_losing: 0,
            victims: Bitboard::FULL,
            noisy_only: false,
            quiets_wanted: true,
            required: None,
        }
    }

    /// Captures of one of `victims`, and promotions, whose exchange wins at least `required` centipawns.
    pub fn noisy(table_move: Option<CompactMove>, victims: Bitboard, required: i32) -> Picker {
        let picker = Picker::all(table_move, [None; KILLERS]);
        Picker {
            noisy_only: true,
            victims,
            required: Some(required),
            ..picker
        }
    }

    /// From now on an exchange must win at least `required` centipawns.
    pub fn require(&mut self, required: i32) {
        self.required = Some(required);
    }

    /// No quiet move is worth trying any more.
    pub fn skip_quiets(&mut self) {
        self.quiets_wanted = false;
        if self.stage >= Stage::Killers && self.stage <= Stage::Quiet {
            self.stage = Stage::LosingNoisy;
        }
    }

    /// The next move.
    pub fn next(
        &mut self,
        position: &Position,
        histories: &Histories,
        context: &Context<'_>,
    ) -> Option<Picked> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Stage::GenerateNoisy;
                    if let Some(m) = self.table_move {
                        let rank = Rank::Table;
                        return Some(Picked { m, rank });
                    }
                }
                Stage::GenerateNoisy => {
                    self.generate_noisy(position, histories);
                    self.stage = Stage::WinningNoisy;
                }
                Stage::WinningNoisy => match self.ordered.take_best() {
                    Some((m, _)) if Some(m) == self.table_move => {}
                    Some((m, score)) => {
                        if self.wins(position, context, m, score) || self.losing.is_full() {
                            let rank = Rank::Winning;
                            return Some(Picked { m, rank });
                        }
                        self.losing.push(m);
                    }
                    None if self.noisy_only => self.stage = Stage::Done,
                    None if !self.quiets_wanted => self.stage = Stage::LosingNoisy,
                    None => self.stage = Stage::Killers,
                },
                Stage::Killers => match self.next_killer(position) {
                    Some(m) => {
                        let rank = Rank::Killer;
                        return Some(Picked { m, rank });
                    }
                    None => self.stage = Stage::GenerateQuiet,
                },
                Stage::GenerateQuiet => {
                    self.generate_quiet(position, histories, context);
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => match self.ordered.take_best() {
                    Some((m, _)) if self.is_repeated(m) => {}
                    Some((m, _)) => {
                        let rank = Rank::Quiet;
                        return Some(Picked { m, rank });
                    }
                    None => self.stage = Stage::LosingNoisy,
                },
                Stage::LosingNoisy => match self.losing.get(self.next_losing) {
                    Some(&m) => {
                        self.next_losing += 1;
                        let rank = Rank::Losing;
                        return Some(Picked { m, rank });
                    }
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// The next killer that is a legal quiet move here. Killers come from other positions at the same ply; only
    /// when their turn comes is it worth finding out.
    #[inline(never)]
    fn next_killer(&mut self, position: &Position) -> Option<CompactMove> {
        while let Some(killer) = self.killers.get_mut(self.next_killer) {
            self.next_killer += 1;
            let m = killer.filter(|&m| Some(m) != self.table_move);
            let legal = m.filter(|&m| movegen::is_legal(position, m));
            if legal.is_some() {
                return legal;
            }
            // It will come with the other quiet moves, if it is one at all.
            *killer = None;
        }
        None
    }

    /// Whether a capture wins what it must. Where nothing can take back it wins all it takes.
    #[inline]
    fn wins(&self, position: &Position, context: &Context<'_>, m: CompactMove, score: i32) -> bool {
        let threshold = self.threshold(m, score);
        (threshold <= 0 && !context.threats.all.contains(m.to()))
            || see_at_least(position, m, threshold)
    }

    /// What a capture must win in the exchange to be tried early: less when its history is good.
    fn threshold(&self, m: CompactMove, score: i32) -> i32 {
        /// History at its limit is worth this many centipawns.
        const HISTORY_WORTH: i32 = 128;
        match self.required {
            Some(required) => required,
            None => (material(m) - score) * HISTORY_WORTH / HISTORY_LIMIT,
        }
    }

    // Kept out of `next`, which is called for every move and should stay light.
    #[inline(never)]
    fn generate_noisy(&mut self, position: &Position, histories: &Histories) {
        let turn = position.turn();
        movegen::noisy_moves_against(position, self.victims, |m| self.ordered.push(m));
        self.ordered
            .score(|m| material(m) + histories.capture(turn, m));
    }

    #[inline(never)]
    fn generate_quiet(
        &mut self,
        position: &Position,
        histories: &Histories,
        context: &Context<'_>,
    ) {
        let Context {
            threats,
            continuation,
            params,
        } = context;
        let values = histories.quiet_values(position.turn(), threats.all, continuation);
        let bonus = OrderBonus::new(position, threats, params);
        self.ordered.clear();
        movegen::quiet_moves_under(position, threats.all, |m| self.ordered.push(m));
        self.ordered.score(|m| values.of(m) + bonus.of(m));
    }

    /// Whether a move from the lists was handed out before them.
    #[inline]
    fn is_repeated(&self, m: CompactMove) -> bool {
        Some(m) == self.table_move || self.killers.contains(&Some(m))
    }
}

/// The material part of a capture's order, in the scale of histories: most valuable victim first, an
/// underpromotion last (<https://www.chessprogramming.org/MVV-LVA>).
fn material(m: CompactMove) -> i32 {
    const SCALE: i32 = 24;
    let victim = m.capture().map_or(0, exchange_value);
    let promotion = match m.promotion() {
        Some(Role::Queen) => exchange_value(Role::Queen),
        Some(_) => -exchange_value(Role::Queen),
        None => 0,
    };
    SCALE * (victim + promotion)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::worker::testbed::{PARAMS, legal, on};

    /// The pawn takes a rook or a defended pawn, the queen loses itself for that pawn.
    const FEN: &str = "4k3/8/2p5/3p1r2/4P3/8/8/3QK1N1 w - - 0 1";

    /// The moves that `picker` hands out, with their ranks.
    fn picks(
        fen: &str,
        teach: impl FnOnce(&mut Histories, &Position),
        picker: impl FnOnce(&Position) -> Picker,
        mut after: impl FnMut(&mut Picker, Picked),
    ) -> Vec<(String, Rank)> {
        on(fen, |worker, position| {
            teach(worker.histories, position);
            let mut picker = picker(position);
            let context = Context {
                threats: position.threats_by_worth(),
                continuation: [None; CONTINUATION_PLIES.len()],
                params: &PARAMS,
            };
            let mut found = Vec::new();
            while let Some(picked) = picker.next(position, worker.histories, &context) {
                found.push((picked.m.to_uci().to_string(), picked.rank));
                after(&mut picker, picked);
            }
            found
        })
    }

    fn all(
        table: Option<&str>,
        killers: [Option<&str>; KILLERS],
        after: impl FnMut(&mut Picker, Picked),
    ) -> Vec<(String, Rank)> {
        let picker = |position: &Position| {
            let known = |uci: Option<&str>| uci.map(|uci| legal(position, uci));
            Picker::all(known(table), killers.map(known))
        };
        picks(FEN, |_, _| (), picker, after)
    }

    fn ranks(found: &[(String, Rank)]) -> Vec<Rank> {
        let mut ranks: Vec<Rank> = found.iter().map(|(_, rank)| *rank).collect();
        ranks.dedup();
        ranks
    }

    fn names(found: &[(String, Rank)]) -> Vec<&str> {
        found.iter().map(|(name, _)| name.as_str()).collect()
    }

    #[test]
    fn moves_come_by_rank_and_each_legal_move_once() {
        let found = all(Some("g1f3"), [Some("d1a1"), Some("e1e2")], |_, _| ());
        let expected = [
            Rank::Table,
            Rank::Winning,
            Rank::Killer,
            Rank::Quiet,
            Rank::Losing,
        ];
        assert_eq!(ranks(&found), expected);
        let first = ["g1f3", "e4f5", "e4d5", "d1a1", "e1e2"];
        assert_eq!(names(&found)[..5], first);
        assert_eq!(names(&found).last(), Some(&"d1d5"));
        let mut sorted = names(&found);
        sorted.sort_unstable();
        let mut legal = on(FEN, |_, position| {
            let moves = movegen::legal_moves(position).into_iter();
            moves
                .map(|m| Into::<CompactMove>::into(m).to_uci().to_string())
                .collect::<Vec<_>>()
        });
        legal.sort_unstable();
        assert_eq!(sorted, legal);
    }

    #[test]
    fn a_move_that_came_already_does_not_come_again() {
        let found = all(Some("e4f5"), [Some("e1e2"), Some("e1e2")], |_, _| ());
        let count = |name: &str| names(&found).iter().filter(|&&found| found == name).count();
        assert_eq!((count("e4f5"), count("e4d5")), (1, 1));
        let found = all(Some("e1e2"), [Some("e1e2"), Some("g1h3")], |_, _| ());
        assert_eq!(names(&found)[..4], ["e1e2", "e4f5", "e4d5", "g1h3"]);
        let count = |name: &str| names(&found).iter().filter(|&&found| found == name).count();
        assert_eq!((count("e1e2"), count("g1h3")), (1, 1));
    }

    #[test]
    fn a_killer_of_another_position_is_ignored() {
        let elsewhere = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
        let rook_move = on(elsewhere, |_, position| legal(position, "a1a5"));
        let picker = |_: &Position| Picker::all(None, [Some(rook_move), None]);
        let found = picks(FEN, |_, _| (), picker, |_, _| ());
        assert!(!ranks(&found).contains(&Rank::Killer));
        assert!(!names(&found).contains(&"a1a5"));
    }

    #[test]
    fn quiet_moves_can_be_left_out_at_any_time() {
        let before = |wanted: &'static str| {
            move |picker: &mut Picker, picked: Picked| {
                if picked.m.to_uci().to_string() == wanted {
                    picker.skip_quiets();
                }
            }
        };
        let killers = [Some("d1a1"), Some("e1e2")];
        let at_once = all(Some("g1f3"), killers, before("g1f3"));
        assert_eq!(names(&at_once), ["g1f3", "e4f5", "e4d5", "d1d5"]);
        let at_killer = all(Some("g1f3"), killers, before("d1a1"));
        assert_eq!(names(&at_killer), ["g1f3", "e4f5", "e4d5", "d1a1", "d1d5"]);
        let mut quiets = 0;
        let after_one = all(None, [None; KILLERS], |picker, picked| {
            quiets += usize::from(picked.rank == Rank::Quiet);
            if quiets == 1 {
                picker.skip_quiets();
            }
        });
        assert_eq!(after_one.len(), 4);
        let at_losing = all(None, [None; KILLERS], before("d1d5"));
        assert_eq!(names(&at_losing).last(), Some(&"d1d5"));
    }

    #[test]
    fn a_capture_that_did_well_may_lose_something_and_one_that_did_badly_must_win() {
        let taught = |uci: &'static str, bonus: i32| {
            let teach = |histories: &mut Histories, position: &Position| {
                for _ in 0..100 {
                    histories.update_capture(position.turn(), legal(position, uci), bonus);
                }
            };
            let found = picks(
                FEN,
                teach,
                |_| Picker::all(None, [None; KILLERS]),
                |_, _| (),
            );
            found
                .into_iter()
                .find(|(name, _)| name == uci)
                .map(|(_, rank)| rank)
        };
        assert_eq!(taught("e4d5", 0), Some(Rank::Winning));
        assert_eq!(taught("e4d5", -HISTORY_LIMIT), Some(Rank::Losing));
        // A history is worth a pawn and a bit, not a queen.
        assert_eq!(taught("d1d5", HISTORY_LIMIT), Some(Rank::Losing));
    }

    #[test]
    fn quiet_moves_come_by_history() {
        let teach = |histories: &mut Histories, position: &Position| {
            let turn = position.turn();
            let threats = position.threats();
            histories.update_quiet(turn, threats, &[None; 4], legal(position, "e1e2"), 9000);
            histories.update_quiet(turn, threats, &[None; 4], legal(position, "g1f3"), -9000);
        };
        let found = picks(
            FEN,
            teach,
            |_| Picker::all(None, [None; KILLERS]),
            |_, _| (),
        );
        let quiet: Vec<&str> = names(&found)[2..found.len() - 1].to_vec();
        assert_eq!(quiet.first(), Some(&"e1e2"));
        assert_eq!(quiet.last(), Some(&"g1f3"));
    }

    #[test]
    fn captures_alone_come_when_they_win_what_they_must() {
        let rook = exchange_value(Role::Rook);
        let noisy = |required: i32, victims: Option<Role>| {
            let picker = |position: &Position| {
                let victims = victims.map_or(Bitboard::FULL, |role| position.board().by_role(role));
                Picker::noisy(None, victims, required)
            };
            let found = picks(FEN, |_, _| (), picker, |_, _| ());
            found.into_iter().map(|(name, _)| name).collect::<Vec<_>>()
        };
        assert_eq!(noisy(0, None), ["e4f5", "e4d5"]);
        assert_eq!(noisy(1, None), ["e4f5"]);
        assert_eq!(noisy(rook, None), ["e4f5"]);
        assert_eq!(noisy(rook + 1, None), [""; 0]);
        assert_eq!(noisy(0, Some(Role::Pawn)), ["e4d5"]);
        let raised = picks(
            FEN,
            |_, _| (),
            |_| Picker::noisy(None, Bitboard::FULL, 0),
            |picker, _| picker.require(1),
        );
        assert_eq!(names(&raised), ["e4f5"]);
    }

    #[test]
    fn a_queen_is_the_promotion_to_try_first_and_others_come_last() {
        let fen = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1";
        on(fen, |_, position| {
            let value = |uci: &str| material(legal(position, uci));
            let queen = exchange_value(Role::Queen);
            assert_eq!(value("a7a8q"), 24 * queen);
            for other in ["a7a8r", "a7a8b", "a7a8n"] {
                assert_eq!(value(other), -24 * queen);
            }
            assert_eq!(value("e1e2"), 0);
        });
    }
}
