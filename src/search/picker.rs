//! The order in which a node tries its moves, generated stage by stage:
//! table move, winning captures, killers, quiet moves by history, losing captures.

use arrayvec::ArrayVec;
use shakmaty::{Move, Role};

use super::history::Histories;
use super::see::see_at_least;
use crate::eval::psqt::exchange_value;
use crate::movegen;
use crate::position::Position;

/// More moves than any position a game can reach has.
const CAPACITY: usize = 256;
/// Killers kept for each ply.
pub const KILLERS: usize = 2;

#[derive(Copy, Clone, Debug)]
struct ScoredMove {
    m: Move,
    score: i32,
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

/// Hands out the moves of a node, best first.
pub struct Picker {
    stage: Stage,
    table_move: Option<Move>,
    killers: [Option<Move>; KILLERS],
    next_killer: usize,
    /// Losing captures at the front, then what is still to be picked from `next`.
    moves: ArrayVec<ScoredMove, CAPACITY>,
    losing: usize,
    next: usize,
    noisy_only: bool,
}

impl Picker {
    /// All moves. `table_move` and `killers` must be legal here; killers must be quiet.
    pub fn all(table_move: Option<Move>, killers: [Option<Move>; KILLERS]) -> Picker {
        Picker::new(table_move, killers, false)
    }

    /// Captures and promotions that do not lose material.
    pub fn noisy(table_move: Option<Move>) -> Picker {
        Picker::new(table_move, [None; KILLERS], true)
    }

    fn new(table_move: Option<Move>, killers: [Option<Move>; KILLERS], noisy_only: bool) -> Picker {
        Picker {
            stage: Stage::TableMove,
            table_move,
            killers,
            next_killer: 0,
            moves: ArrayVec::new(),
            losing: 0,
            next: 0,
            noisy_only,
        }
    }

    /// No quiet move is worth trying any more.
    pub fn skip_quiets(&mut self) {
        if self.stage >= Stage::Killers && self.stage <= Stage::Quiet {
            self.begin_losing_noisy();
        }
    }

    /// Whether the moves that come now are the losing captures.
    pub fn is_losing_noisy(&self) -> bool {
        self.stage == Stage::LosingNoisy
    }

    /// The next move.
    pub fn next(&mut self, position: &Position, histories: &Histories) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Stage::GenerateNoisy;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::GenerateNoisy => {
                    self.generate_noisy(position);
                    self.stage = Stage::WinningNoisy;
                }
                Stage::WinningNoisy => match self.pick() {
                    Some(m) if see_at_least(position, m, 0) => return Some(m),
                    Some(_) => self.keep_as_losing(),
                    None if self.noisy_only => self.stage = Stage::Done,
                    None => self.stage = Stage::Killers,
                },
                Stage::Killers => match self.next_killer() {
                    Some(m) => return Some(m),
                    None => self.stage = Stage::GenerateQuiet,
                },
                Stage::GenerateQuiet => {
                    self.generate_quiet(position, histories);
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => match self.pick() {
                    Some(m) => return Some(m),
                    None => self.begin_losing_noisy(),
                },
                Stage::LosingNoisy => {
                    let scored = self.moves[..self.losing].get(self.next).copied();
                    self.next += 1;
                    match scored {
                        Some(scored) => return Some(scored.m),
                        None => self.stage = Stage::Done,
                    }
                }
                Stage::Done => return None,
            }
        }
    }

    fn begin_losing_noisy(&mut self) {
        self.stage = Stage::LosingNoisy;
        self.next = 0;
    }

    fn next_killer(&mut self) -> Option<Move> {
        while self.next_killer < KILLERS {
            let killer = self.killers[self.next_killer];
            self.next_killer += 1;
            if killer.is_some() && killer != self.table_move {
                return killer;
            }
        }
        None
    }

    /// Selection sort, one step: most nodes need only the first few moves.
    fn pick(&mut self) -> Option<Move> {
        let rest = &mut self.moves[self.next..];
        let (best, _) = rest
            .iter()
            .enumerate()
            .max_by_key(|(_, scored)| scored.score)?;
        rest.swap(0, best);
        let m = rest[0].m;
        self.next += 1;
        Some(m)
    }

    /// The move just picked loses material: it waits at the front of the list.
    fn keep_as_losing(&mut self) {
        self.moves.swap(self.losing, self.next - 1);
        self.losing += 1;
    }

    fn generate_noisy(&mut self, position: &Position) {
        let table_move = self.table_move;
        movegen::noisy_moves(position, |m| {
            if Some(m) != table_move {
                let _ = self.moves.try_push(ScoredMove {
                    m,
                    score: noisy_score(m),
                });
            }
        });
    }

    fn generate_quiet(&mut self, position: &Position, histories: &Histories) {
        let table_move = self.table_move;
        let killers = self.killers;
        let turn = position.turn();
        self.next = self.moves.len();
        movegen::quiet_moves(position, |m| {
            if Some(m) != table_move && !killers.contains(&Some(m)) {
                let _ = self.moves.try_push(ScoredMove {
                    m,
                    score: histories.quiet(turn, m),
                });
            }
        });
    }
}

/// Most valuable victim first, then least valuable attacker; an underpromotion comes last
/// (<https://www.chessprogramming.org/MVV-LVA>).
fn noisy_score(m: Move) -> i32 {
    let victim = m.capture().map_or(0, exchange_value);
    let promotion = match m.promotion() {
        Some(Role::Queen) => exchange_value(Role::Queen),
        Some(_) => -exchange_value(Role::Queen),
        None => 0,
    };
    16 * (victim + promotion) - m.role() as i32
}
