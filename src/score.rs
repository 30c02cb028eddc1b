//! Values: a search [`Score`] that knows mate, and the [`Tapered`] pair an evaluation is summed in.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// The deepest ply, counted from the root, that a search line may reach.
pub const MAX_PLY: usize = 246;

const MATE: i32 = 32_000;
const INFINITE: i32 = 32_001;
const NONE: i32 = 32_002;
const LOWEST_MATE: i32 = MATE - MAX_PLY as i32;
/// Scores from here up to the lowest mate are wins proved by an endgame table.
const TABLEBASE_WIN: i32 = LOWEST_MATE - 1;
const LOWEST_TABLEBASE_WIN: i32 = TABLEBASE_WIN - MAX_PLY as i32;

/// A search score in centipawns from the side to move, or a distance to mate.
///
/// Inside the tree a mate is counted in plies from the root, so that a nearer mate is the better score.
/// The transposition table counts from the node instead: see [`Score::to_table`].
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq, Ord, PartialOrd)]
pub struct Score(i32);

impl Score {
    /// The score of a drawn position.
    pub const DRAW: Score = Score(0);
    /// Better than every score a position can have.
    pub const INFINITE: Score = Score(INFINITE);
    /// Stands for "no score": a static evaluation that was not made.
    pub const NONE: Score = Score(NONE);
    /// The largest value that is an evaluation and no proven win.
    pub const MAX_EVAL: Score = Score(LOWEST_TABLEBASE_WIN - 1);

    /// The score of `centipawns`, clamped to the range of evaluations.
    pub const fn from_centipawns(centipawns: i32) -> Score {
        let limit = Score::MAX_EVAL.0;
        if centipawns > limit {
            Score(limit)
        } else if centipawns < -limit {
            Score(-limit)
        } else {
            Score(centipawns)
        }
    }

    /// The inverse of [`Score::raw`].
    pub const fn from_raw(raw: i32) -> Score {
        Score(raw)
    }

    /// The side to move is checkmated `ply` plies from the root.
    pub const fn mated_in(ply: usize) -> Score {
        Score(-MATE + ply as i32)
    }

    /// The side to move gives mate `ply` plies from the root.
    pub const fn mate_in(ply: usize) -> Score {
        Score(MATE - ply as i32)
    }

    /// The side to move wins by the endgame tables, reached `ply` plies from the root.
    pub const fn tablebase_win_in(ply: usize) -> Score {
        Score(TABLEBASE_WIN - ply as i32)
    }

    /// The raw number: centipawns for an evaluation.
    pub const fn raw(self) -> i32 {
        self.0
    }

    /// Whether this is a mate for either side.
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= LOWEST_MATE && self.0.abs() <= MATE
    }

    /// Whether the game is decided for either side: mate, or a win in an endgame table.
    pub const fn is_decisive(self) -> bool {
        self.0.abs() >= LOWEST_TABLEBASE_WIN && self.0.abs() <= MATE
    }

    /// Whether the side to move is proven to win.
    pub const fn is_win(self) -> bool {
        self.is_decisive() && self.0 > 0
    }

    /// Whether the side to move is proven to lose.
    pub const fn is_loss(self) -> bool {
        self.is_decisive() && self.0 < 0
    }

    /// Whether this is [`Score::NONE`].
    pub const fn is_none(self) -> bool {
        self.0 == NONE
    }

    /// Full moves to mate, positive when the side to move mates, negative (or zero) when it is mated.
    pub const fn mate_moves(self) -> Option<i32> {
        if !self.is_mate() {
            None
        } else if self.0 > 0 {
            Some((MATE - self.0 + 1) / 2)
        } else {
            Some(-(MATE + self.0) / 2)
        }
    }

    /// Plies to mate for a mate score, for either side.
    pub const fn mate_plies(self) -> Option<usize> {
        if self.is_mate() {
            Some((MATE - self.0.abs()) as usize)
        } else {
            None
        }
    }

    /// This score as the table keeps it: a decisive score counted from the node at `ply`.
    pub const fn to_table(self, ply: usize) -> i16 {
        self.moved_away(-(ply as i32)).0 as i16
    }

    /// The score a table entry stands for at `ply`; the inverse of [`Score::to_table`].
    pub const fn from_table(value: i16, ply: usize) -> Score {
        Score(value as i32).moved_away(ply as i32)
    }

    /// A decisive score with its end `plies` further away. It stays what it is, a mate or a win by the endgame tables:
    /// at the border of its range it is counted no further.
    const fn moved_away(self, plies: i32) -> Score {
        let size = self.0.abs();
        let (lowest, highest) = if self.is_mate() {
            (LOWEST_MATE, MATE)
        } else if self.is_decisive() {
            (LOWEST_TABLEBASE_WIN, TABLEBASE_WIN)
        } else {
            return self;
        };
        let moved = size - plies;
        let kept = if moved < lowest {
            lowest
        } else if moved > highest {
            highest
        } else {
            moved
        };
        Score(self.0.signum() * kept)
    }

    /// The midpoint between two scores, used to soften a bound.
    pub const fn between(self, other: Score) -> Score {
        Score((self.0 + other.0) / 2)
    }
}

impl Neg for Score {
    type Output = Score;
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;
    fn add(self, margin: i32) -> Score {
        Score(self.0 + margin)
    }
}

impl Sub<i32> for Score {
    type Output = Score;
    fn sub(self, margin: i32) -> Score {
        Score(self.0 - margin)
    }
}

impl Sub for Score {
    type Output = i32;
    fn sub(self, other: Score) -> i32 {
        self.0 - other.0
    }
}

impl fmt::Display for Score {
    /// Writes the score as UCI wants it: `cp 35`, `mate 3`, `mate -2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_moves() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "cp {}", self.0),
        }
    }
}

/// A middlegame and an endgame value in one 32-bit number, added and scaled together.
///
/// The layout is the usual packed pair of two 16-bit halves
/// (<https://www.chessprogramming.org/Tapered_Eval>).
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct Tapered(i32);

/// The game phase of the start position: 4 for a queen, 2 for a rook, 1 for a minor piece.
pub const MAX_PHASE: i32 = 24;

impl Tapered {
    /// A pair of centipawn values.
    pub const fn new(middlegame: i32, endgame: i32) -> Tapered {
        Tapered((middlegame << 16) + endgame)
    }

    /// The middlegame half, in centipawns.
    pub const fn middlegame(self) -> i32 {
        ((self.0 + 0x8000) >> 16) as i16 as i32
    }

    /// The endgame half, in centipawns.
    pub const fn endgame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The value at `phase` (0 = bare kings and pawns, [`MAX_PHASE`] = all pieces), in centipawns.
    pub const fn taper(self, phase: i32) -> i32 {
        (self.middlegame() * phase + self.endgame() * (MAX_PHASE - phase)) / MAX_PHASE
    }
}

impl Add for Tapered {
    type Output = Tapered;
    fn add(self, other: Tapered) -> Tapered {
        Tapered(self.0 + other.0)
    }
}

impl AddAssign for Tapered {
    fn add_assign(&mut self, other: Tapered) {
        self.0 += other.0;
    }
}

impl Sub for Tapered {
    type Output = Tapered;
    fn sub(self, other: Tapered) -> Tapered {
        Tapered(self.0 - other.0)
    }
}

impl SubAssign for Tapered {
    fn sub_assign(&mut self, other: Tapered) {
        self.0 -= other.0;
    }
}

impl Neg for Tapered {
    type Output = Tapered;
    fn neg(self) -> Tapered {
        Tapered(-self.0)
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;
    fn mul(self, factor: i32) -> Tapered {
        Tapered(self.0 * factor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mate_counts_full_moves() {
        assert_eq!(Score::mate_in(1).mate_moves(), Some(1));
        assert_eq!(Score::mate_in(3).mate_moves(), Some(2));
        assert_eq!(Score::mated_in(0).mate_moves(), Some(0));
        assert_eq!(Score::mated_in(2).mate_moves(), Some(-1));
        assert_eq!(Score::mated_in(4).to_string(), "mate -2");
        assert_eq!(Score::from_centipawns(-35).to_string(), "cp -35");
        assert_eq!(Score::from_centipawns(99_999).mate_moves(), None);
    }

    #[test]
    fn a_table_score_stays_what_it_is_however_deep_it_is_used() {
        // A mate in 240 plies from its node, used 100 plies from the root, would lie beyond the last mate.
        let far = Score::from_table(Score::mate_in(240).to_table(0), 100);
        assert_eq!(far.mate_plies(), Some(MAX_PLY));
        let lost = Score::from_table(Score::mated_in(240).to_table(0), 100);
        assert!(lost.is_mate() && lost.is_loss());
        let won = Score::from_table(Score::tablebase_win_in(200).to_table(0), 100);
        assert!(won.is_win() && !won.is_mate());
        let given_up = Score::from_table((-Score::tablebase_win_in(200)).to_table(0), 100);
        assert!(given_up.is_loss() && !given_up.is_mate());
        // Stored from a deeper ply than its own end, a win by the tables does not become a mate.
        let near = Score::from_table(Score::tablebase_win_in(3).to_table(9), 0);
        assert!(near.is_win() && !near.is_mate());
    }

    #[test]
    fn table_scores_come_back_at_another_ply() {
        let mate = Score::mate_in(9);
        let stored = mate.to_table(4);
        assert_eq!(Score::from_table(stored, 4), mate);
        assert_eq!(Score::from_table(stored, 6), Score::mate_in(11));
        let lost = Score::mated_in(8);
        assert_eq!(Score::from_table(lost.to_table(3), 5), Score::mated_in(10));
        let plain = Score::from_centipawns(-120);
        assert_eq!(Score::from_table(plain.to_table(30), 2), plain);
    }

    // 32000 is mate at the root; the ranges below it are 247 wide, one for each ply from 0 to 246: mates from 31754, wins by
    // the endgame tables from 31507 to 31753, evaluations up to 31506.
    #[test]
    fn each_score_has_its_kind() {
        for (raw, mate, decisive) in [
            (0, false, false),
            (31_506, false, false),
            (31_507, false, true),
            (31_753, false, true),
            (31_754, true, true),
            (32_000, true, true),
            (32_001, false, false),
            (32_002, false, false),
        ] {
            for sign in [1, -1] {
                let score = Score::from_raw(sign * raw);
                assert_eq!(score.raw(), sign * raw);
                assert_eq!(score.is_mate(), mate, "{raw}");
                assert_eq!(score.is_decisive(), decisive, "{raw}");
                assert_eq!(score.is_win(), decisive && sign > 0, "{raw}");
                assert_eq!(score.is_loss(), decisive && sign < 0, "{raw}");
                assert_eq!(score.is_none(), sign * raw == 32_002, "{raw}");
            }
        }
        assert!(Score::NONE.is_none());
        assert_eq!(Score::INFINITE.raw(), 32_001);
        assert_eq!(Score::tablebase_win_in(0).raw(), 31_753);
        assert_eq!(Score::tablebase_win_in(246).raw(), 31_507);
        assert_eq!(Score::mated_in(3).raw(), -31_997);
    }

    #[test]
    fn evaluations_end_below_proven_wins() {
        for (centipawns, kept) in [
            (0, 0),
            (-7, -7),
            (31_505, 31_505),
            (31_506, 31_506),
            (31_507, 31_506),
            (-31_506, -31_506),
            (-31_507, -31_506),
        ] {
            assert_eq!(Score::from_centipawns(centipawns).raw(), kept);
        }
    }

    #[test]
    fn plies_to_mate_are_counted_for_both_sides() {
        assert_eq!(Score::mate_in(7).mate_plies(), Some(7));
        assert_eq!(Score::mated_in(8).mate_plies(), Some(8));
        assert_eq!(Score::mate_in(0).mate_plies(), Some(0));
        assert_eq!(Score::tablebase_win_in(0).mate_plies(), None);
        // Mated after an odd number of plies from the root: half of it, towards zero.
        assert_eq!(Score::mated_in(5).mate_moves(), Some(-2));
        assert_eq!(Score::mate_in(246).mate_moves(), Some(123));
    }

    #[test]
    fn scores_are_reckoned_with() {
        let score = Score::from_centipawns(100);
        assert_eq!((score + 7).raw(), 107);
        assert_eq!((score - 7).raw(), 93);
        assert_eq!(score - Score::from_centipawns(30), 70);
        assert_eq!((-score).raw(), -100);
        assert_eq!(score.between(Score::from_centipawns(50)).raw(), 75);
        assert_eq!(score.between(Score::from_centipawns(-300)).raw(), -100);
    }

    #[test]
    fn tapered_values_are_reckoned_with_half_by_half() {
        let halves = |pair: Tapered| (pair.middlegame(), pair.endgame());
        let (a, b) = (Tapered::new(30, -40), Tapered::new(-5, -9));
        assert_eq!(halves(a + b), (25, -49));
        assert_eq!(halves(a - b), (35, -31));
        assert_eq!(halves(-a), (-30, 40));
        assert_eq!(halves(a * -3), (-90, 120));
        let mut sum = a;
        sum += b;
        assert_eq!(halves(sum), (25, -49));
        sum -= a;
        assert_eq!(halves(sum), (-5, -9));
        // A quarter of the way from the endgame to the middlegame, and towards zero.
        assert_eq!(Tapered::new(100, -20).taper(6), 10);
        assert_eq!(Tapered::new(-100, 21).taper(12), -39);
    }

    #[test]
    fn tapered_halves_do_not_leak() {
        for (mg, eg) in [(5, -7), (-5, 7), (-300, -450), (1200, 900), (0, -1)] {
            let pair = Tapered::new(mg, eg);
            assert_eq!((pair.middlegame(), pair.endgame()), (mg, eg));
            assert_eq!(((-pair).middlegame(), (-pair).endgame()), (-mg, -eg));
            assert_eq!(
                ((pair * 3).middlegame(), (pair * 3).endgame()),
                (mg * 3, eg * 3)
            );
            assert_eq!(pair.taper(MAX_PHASE), mg);
            assert_eq!(pair.taper(0), eg);
        }
    }
}
