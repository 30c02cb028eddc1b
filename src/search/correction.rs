//! Correction history: how far the static evaluation was off in positions that share a feature with this one
//! (<https://www.chessprogramming.org/Static_Evaluation_Correction_History>; idea: Caissa, 2023).
//!
//! The weaker the evaluation, the more this gives: what the tables do not know of a pawn structure or a set of
//! pieces, the search finds out and remembers.

use std::collections::TryReserveError;

use super::continuation::Continuation;
use super::game::{Color, PieceSquare, Position};
use super::gravity::{update, zeroed};
use super::params::Params;

/// Entries for each side; keys are folded to this size.
const ENTRIES: usize = 1 << 14;
/// Corrections stay within plus and minus this.
const LIMIT: i32 = 1024;
/// No single result moves an entry by more than this.
const LARGEST_BONUS: i32 = LIMIT / 4;

/// Entries by the side to move. The length is part of the type, so that no look-up is checked against it.
type Table = Box<[[i16; ENTRIES]; Color::ALL.len()]>;

/// Corrections by pawn structure, by each side's pieces, by minor and major pieces, and by the last two moves.
#[derive(Clone, Debug)]
pub struct Corrections {
    pawn: Table,
    non_pawn: [Table; 2],
    minor: Table,
    major: Table,
    continuation: Vec<[i16; PieceSquare::COUNT]>,
}

/// The last move and the one before it.
pub type LastMoves = [Option<PieceSquare>; 2];

impl Corrections {
    /// No corrections.
    ///
    /// # Errors
    ///
    /// When there is no memory for them.
    pub fn new() -> Result<Corrections, TryReserveError> {
        Ok(Corrections {
            pawn: table()?,
            non_pawn: [table()?, table()?],
            minor: table()?,
            major: table()?,
            continuation: zeroed([0; PieceSquare::COUNT], PieceSquare::COUNT)?,
        })
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        let [white, black] = &mut self.non_pawn;
        for table in [
            &mut self.pawn,
            white,
            black,
            &mut self.minor,
            &mut self.major,
        ] {
            table.fill([0; ENTRIES]);
        }
        self.continuation.fill([0; PieceSquare::COUNT]);
    }

    /// What to add to the static evaluation, in centipawns from the side to move.
    #[inline]
    pub fn get(&self, params: &Params, position: &Position, last: LastMoves) -> i32 {
        let turn = position.turn() as usize;
        let keys = position.keys();
        let at = |table: &Table, key: u64| i32::from(table[turn][slot(key)]);
        let mut sum = params.correction_pawn * at(&self.pawn, keys.pawn);
        for color in Color::ALL {
            let key = keys.non_pawn[color as usize];
            sum += params.correction_non_pawn * at(&self.non_pawn[color as usize], key);
        }
        sum += params.correction_minor * at(&self.minor, keys.minor);
        sum += params.correction_major * at(&self.major, keys.major);
        if let [Some(last), Some(before)] = last {
            let value = i32::from(self.continuation[before.index()][last.index()]);
            sum += params.correction_continuation * value;
        }
        sum / LIMIT
    }

    /// Learns that a search of `depth` plies found a score that is better by `surprise` centipawns than the static
    /// evaluation, already corrected.
    pub fn learn(
        &mut self,
        params: &Params,
        position: &Position,
        last: LastMoves,
        depth: i32,
        surprise: i32,
    ) {
        let bonus = surprise * depth / params.correction_bonus_divisor;
        let bonus = bonus.clamp(-LARGEST_BONUS, LARGEST_BONUS);
        let turn = position.turn() as usize;
        let keys = position.keys();
        update::<LIMIT>(&mut self.pawn[turn][slot(keys.pawn)], bonus);
        for color in Color::ALL {
            let key = keys.non_pawn[color as usize];
            update::<LIMIT>(&mut self.non_pawn[color as usize][turn][slot(key)], bonus);
        }
        update::<LIMIT>(&mut self.minor[turn][slot(keys.minor)], bonus);
        update::<LIMIT>(&mut self.major[turn][slot(keys.major)], bonus);
        if let [Some(last), Some(before)] = last {
            update::<LIMIT>(&mut self.continuation[before.index()][last.index()], bonus);
        }
    }
}

/// The last two of the moves that led here.
#[inline(always)]
pub fn last_moves(continuation: &Continuation) -> LastMoves {
    [continuation[0], continuation[1]]
}

fn table() -> Result<Table, TryReserveError> {
    let table = zeroed([0; ENTRIES], Color::ALL.len())?.try_into();
    Ok(table.unwrap_or_else(|_| Box::new([[0; ENTRIES]; Color::ALL.len()])))
}

#[inline]
fn slot(key: u64) -> usize {
    key as usize & (ENTRIES - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::eval::Evaluator;

    #[test]
    fn repeated_surprises_move_the_correction_their_way_and_stay_bounded() {
        let evaluator = Evaluator::new();
        let position = Position::initial(evaluator.table());
        let params = Params::DEFAULT;
        let mut corrections = Corrections::new().unwrap();
        assert_eq!(corrections.get(&params, &position, [None; 2]), 0);
        for _ in 0..1000 {
            corrections.learn(&params, &position, [None; 2], 10, 300);
        }
        let most = params.correction_pawn
            + 2 * params.correction_non_pawn
            + params.correction_minor
            + params.correction_major;
        let learned = corrections.get(&params, &position, [None; 2]);
        assert!(learned > most / 2 && learned <= most, "{learned} of {most}");
        for _ in 0..1000 {
            corrections.learn(&params, &position, [None; 2], 10, -300);
        }
        assert!(corrections.get(&params, &position, [None; 2]) < -most / 2);
    }

    /// What a surprise in one position says of another.
    fn carried(from: &str, to: &str, last: [LastMoves; 2]) -> i32 {
        let evaluator = Evaluator::new();
        let position =
            |fen| Position::new(crate::chess::fen::parse(fen).unwrap(), evaluator.table());
        let mut corrections = Corrections::new().unwrap();
        let [learned, asked] = last;
        corrections.learn(&Params::DEFAULT, &position(from), learned, 10, 300);
        corrections.get(&Params::DEFAULT, &position(to), asked)
    }

    #[test]
    fn a_correction_holds_where_a_feature_is_the_same() {
        const P: Params = Params::DEFAULT;
        // A surprise of 300 at depth 10 is the largest step: a quarter of the limit, so a quarter of each strength.
        let quarter = |sum: i32| sum * LARGEST_BONUS / LIMIT;
        let from = "r3k3/p7/2n5/8/8/5N2/7P/4K2R w - - 0 1";
        let same = |to: &str| carried(from, to, [[None; 2]; 2]);
        let all =
            P.correction_pawn + 2 * P.correction_non_pawn + P.correction_minor + P.correction_major;
        assert_eq!(same(from), quarter(all));
        assert_eq!(same("r3k3/p7/2n5/8/8/5N2/7P/4K2R b - - 0 1"), 0);
        // Another pawn.
        let pieces = all - P.correction_pawn;
        assert_eq!(
            same("r3k3/1p6/2n5/8/8/5N2/7P/4K2R w - - 0 1"),
            quarter(pieces)
        );
        // White's knight elsewhere; Black's rook elsewhere.
        let rest = P.correction_pawn + P.correction_non_pawn + P.correction_major;
        assert_eq!(same("r3k3/p7/2n5/8/8/4N3/7P/4K2R w - - 0 1"), quarter(rest));
        let rest = P.correction_pawn + P.correction_non_pawn + P.correction_minor;
        assert_eq!(
            same("1r2k3/p7/2n5/8/8/5N2/7P/4K2R w - - 0 1"),
            quarter(rest)
        );
    }

    #[test]
    fn a_correction_holds_after_the_same_two_moves() {
        use crate::chess::compact::CompactMove;
        use shakmaty::{Role, Square};
        let knight = |to| {
            let m = CompactMove::normal(Role::Knight, Square::G1, to, None, None);
            Some(m.piece_square(Color::White))
        };
        let (f3, h3) = (knight(Square::F3), knight(Square::H3));
        let from = "r3k3/p7/2n5/8/8/5N2/7P/4K2R w - - 0 1";
        let elsewhere = "4k3/2p5/8/3b4/8/8/1P6/1K1Q4 w - - 0 1";
        let quarter = Params::DEFAULT.correction_continuation * LARGEST_BONUS / LIMIT;
        assert_eq!(carried(from, elsewhere, [[f3, h3], [f3, h3]]), quarter);
        assert_eq!(carried(from, elsewhere, [[f3, h3], [h3, f3]]), 0);
        assert_eq!(carried(from, elsewhere, [[f3, h3], [f3, None]]), 0);
        assert_eq!(carried(from, elsewhere, [[f3, None], [f3, h3]]), 0);
    }

    #[test]
    fn clearing_forgets_every_correction() {
        use crate::chess::compact::CompactMove;
        use shakmaty::{Role, Square};
        let m = CompactMove::normal(Role::Knight, Square::G1, Square::F3, None, None);
        let last = [Some(m.piece_square(Color::White)); 2];
        let evaluator = Evaluator::new();
        let position = Position::initial(evaluator.table());
        let params = Params::DEFAULT;
        let mut corrections = Corrections::new().unwrap();
        corrections.learn(&params, &position, last, 10, 300);
        assert!(corrections.get(&params, &position, last) > 0);
        corrections.clear();
        assert_eq!(corrections.get(&params, &position, last), 0);
    }
}
