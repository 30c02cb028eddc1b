//! King and pawn against king, exactly: a bitbase made by retrograde analysis
//! (<https://www.chessprogramming.org/KPK>).
//!
//! For each pawn, attacking king and side to move, one 64-bit set holds the defending kings that are lost, so that
//! one pass treats all of them at once. The whole takes 24 KiB and about a millisecond.

use std::fmt;

use shakmaty::{Bitboard, Color, File, Rank, Square, attacks};

use super::bits::{ahead, beside, relative};

/// Pawns on the files a to d and the ranks 2 to 7; the other files are mirror images.
const PAWNS: usize = 24;

/// Lost defending kings by pawn and attacking king.
type Sets = [[Bitboard; 64]; PAWNS];

/// Which positions the side with the pawn wins.
#[derive(Clone)]
pub(super) struct Bitbase {
    attacker_to_move: Sets,
    defender_to_move: Sets,
}

impl fmt::Debug for Bitbase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Bitbase")
    }
}

/// A position of the ending.
#[derive(Copy, Clone, Debug)]
pub(super) struct Ending {
    /// The side with the pawn.
    pub strong: Color,
    pub king: Square,
    pub pawn: Square,
    /// The lone king.
    pub lone: Square,
    pub turn: Color,
}

impl Bitbase {
    /// Makes the bitbase: from the promotions back, until nothing new is won.
    pub fn new() -> Bitbase {
        let mut base = Bitbase::empty();
        while base.improve() {}
        base
    }

    /// A bitbase that knows of no win.
    pub fn empty() -> Bitbase {
        let nothing = [[Bitboard(0); 64]; PAWNS];
        Bitbase {
            attacker_to_move: nothing,
            defender_to_move: nothing,
        }
    }

    /// Whether the side with the pawn wins.
    pub fn is_won(&self, ending: Ending) -> bool {
        let mirror = ending.pawn.file() >= File::E;
        let seen = |square| {
            let square = relative(square, ending.strong);
            if mirror {
                square.flip_horizontal()
            } else {
                square
            }
        };
        let sets = if ending.turn == ending.strong {
            &self.attacker_to_move
        } else {
            &self.defender_to_move
        };
        let by_king = sets.get(pawn_index(seen(ending.pawn)));
        by_king.is_some_and(|sets| sets[seen(ending.king).to_usize()].contains(seen(ending.lone)))
    }

    /// One pass; false when nothing was found.
    fn improve(&mut self) -> bool {
        let mut found = false;
        for index in (0..PAWNS).rev() {
            let pawn = pawn_square(index);
            for king in Square::ALL.into_iter().filter(|&king| king != pawn) {
                let lost = self.lost_defenders(index, pawn, king);
                let won = self.beaten_defenders(index, pawn, king);
                let old_lost = &mut self.defender_to_move[index][king.to_usize()];
                found |= lost != *old_lost;
                *old_lost = lost;
                let old_won = &mut self.attacker_to_move[index][king.to_usize()];
                found |= won != *old_won;
                *old_won = won;
            }
        }
        found
    }

    /// The defending kings that are lost although they are to move: all their moves lead to won positions, and there
    /// is a move, for else it is stalemate.
    fn lost_defenders(&self, index: usize, pawn: Square, king: Square) -> Bitboard {
        let guarded = attacks::king_attacks(king).with(king);
        let mut reachable = !(guarded | attacks::pawn_attacks(Color::White, pawn)).with(pawn);
        let mut escapes = reachable & !self.attacker_to_move[index][king.to_usize()];
        if !guarded.contains(pawn) {
            reachable.add(pawn);
            escapes.add(pawn);
        }
        !guarded.with(pawn) & neighbours(reachable) & !neighbours(escapes)
    }

    /// The defending kings that the side with the pawn, to move, beats.
    fn beaten_defenders(&self, index: usize, pawn: Square, king: Square) -> Bitboard {
        let guarded = attacks::king_attacks(king).with(king);
        let legal = !(guarded | attacks::pawn_attacks(Color::White, pawn)).with(pawn);
        let mut won = Bitboard(0);
        for to in attacks::king_attacks(king).without(pawn) {
            won |= self.defender_to_move[index][to.to_usize()];
        }
        legal & (won | self.beaten_by_push(index, pawn, king))
    }

    fn beaten_by_push(&self, index: usize, pawn: Square, king: Square) -> Bitboard {
        const FILES: usize = 4;
        let Some(next) = ahead(Bitboard::from_square(pawn), Color::White).first() else {
            return Bitboard(0);
        };
        if king == next {
            return Bitboard(0);
        }
        if next.rank() == Rank::Eighth {
            // A queen or a rook wins unless it is taken at once.
            let takers = if attacks::king_attacks(king).contains(next) {
                Bitboard(0)
            } else {
                attacks::king_attacks(next)
            };
            return !takers.with(next);
        }
        let mut won = self.defender_to_move[index + FILES][king.to_usize()];
        let two = Square::new(pawn.to_u32() + 16);
        if pawn.rank() == Rank::Second && king != two {
            let jump = self.defender_to_move[index + 2 * FILES][king.to_usize()];
            won |= jump.without(next);
        }
        won
    }
}

fn pawn_index(pawn: Square) -> usize {
    (pawn.rank() as usize).wrapping_sub(1) * 4 + pawn.file() as usize
}

fn pawn_square(index: usize) -> Square {
    let (rank, file) = (index / 4 + 1, index % 4);
    Square::new((8 * rank + file) as u32)
}

/// All squares a king's move away from one of the set.
fn neighbours(set: Bitboard) -> Bitboard {
    let row = set | beside(set);
    beside(set) | ahead(row, Color::White) | ahead(row, Color::Black)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_won(base: &Bitbase, king: Square, pawn: Square, lone: Square, turn: Color) -> bool {
        base.is_won(Ending {
            strong: Color::White,
            king,
            pawn,
            lone,
            turn,
        })
    }

    #[test]
    fn textbook_positions() {
        use Color::{Black, White};
        use Square::*;
        let base = Bitbase::new();
        // The king on the sixth rank before its pawn wins in any case.
        for turn in [White, Black] {
            assert!(is_won(&base, E6, E5, E8, turn));
        }
        // On the fifth, the side with the opposition.
        assert!(is_won(&base, E5, E4, E7, Black));
        assert!(!is_won(&base, E5, E4, E7, White));
        // A rook's pawn does not win against a king in the corner.
        assert!(!is_won(&base, B6, A6, A8, White));
        assert!(!is_won(&base, G6, H6, H8, Black));
        // The rule of the square.
        assert!(is_won(&base, A1, H5, B5, White));
        assert!(!is_won(&base, A1, H5, D6, Black));
        // Stalemate.
        assert!(!is_won(&base, E6, E7, E8, Black));
    }

    #[test]
    fn the_number_of_won_positions_is_the_known_one() {
        let base = Bitbase::new();
        let count = |sets: &Sets| -> usize {
            let all = sets.iter().flatten();
            all.map(|set| set.count()).sum()
        };
        let won = count(&base.attacker_to_move) + count(&base.defender_to_move);
        assert_eq!(won, 111_282);
    }
}
