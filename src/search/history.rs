//! What the search remembers of moves: which quiet moves caused cut-offs
//! (<https://www.chessprogramming.org/History_Heuristic>).

use shakmaty::{Color, Move, Square};

/// History values stay within plus and minus this.
pub const HISTORY_LIMIT: i32 = 16_384;

/// A value with gravity: a bonus counts the less, the nearer the value is to the limit it moves to.
#[inline]
fn update(value: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-HISTORY_LIMIT, HISTORY_LIMIT);
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
}

/// The bonus for a cut-off at `depth` plies; a move that failed to cut gets it as a malus.
#[inline]
pub fn bonus(depth: i32) -> i32 {
    (160 * depth - 80).clamp(0, 1600)
}

/// From and to square of a move; castling goes to the rook's square.
#[inline]
fn squares(m: Move) -> (usize, usize) {
    (m.from().unwrap_or(Square::A1).to_usize(), m.to().to_usize())
}

type Butterfly = [[i16; 64]; 64];

/// All histories of one thread. They live on between moves and are cleared by a new game.
#[derive(Clone, Debug)]
pub struct Histories {
    quiet: Vec<Butterfly>,
}

impl Default for Histories {
    fn default() -> Histories {
        Histories::new()
    }
}

impl Histories {
    /// Empty histories.
    pub fn new() -> Histories {
        Histories {
            quiet: vec![[[0; 64]; 64]; Color::ALL.len()],
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Histories::new();
    }

    /// How well the quiet move `m` of `turn` has done, within [`HISTORY_LIMIT`].
    #[inline]
    pub fn quiet(&self, turn: Color, m: Move) -> i32 {
        let (from, to) = squares(m);
        self.quiet[turn as usize][from][to].into()
    }

    /// Rewards `best` for a cut-off at `depth` and blames the quiet moves tried before it.
    pub fn reward_quiet(&mut self, turn: Color, best: Move, tried: &[Move], depth: i32) {
        let bonus = bonus(depth);
        self.update_quiet(turn, best, bonus);
        for &m in tried {
            self.update_quiet(turn, m, -bonus);
        }
    }

    fn update_quiet(&mut self, turn: Color, m: Move, bonus: i32) {
        let (from, to) = squares(m);
        update(&mut self.quiet[turn as usize][from][to], bonus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_never_leaves_its_range() {
        let mut value = 0;
        for _ in 0..10_000 {
            update(&mut value, 1600);
        }
        assert!(i32::from(value) <= HISTORY_LIMIT && i32::from(value) > HISTORY_LIMIT * 9 / 10);
        for _ in 0..10_000 {
            update(&mut value, -3 * HISTORY_LIMIT);
        }
        assert_eq!(i32::from(value), -HISTORY_LIMIT);
    }
}
