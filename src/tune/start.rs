//! The weights that learning from nothing begins with: the values of the pieces that every beginner learns.

use crate::chess::eval::Weights;
use crate::score::Tapered;

/// Pawn, knight, bishop, rook and queen, in centipawns.
const WORTH: [i32; 5] = [100, 300, 300, 500, 900];
/// Danger of a piece that attacks the king's surroundings. The penalty for danger is a square, which has no slope at zero,
/// so that learning needs some danger to begin with.
const ATTACKER: i32 = 100;
/// Danger of a check on a safe square.
const SAFE_CHECK: i32 = 200;

/// The worth of the pieces, and some danger to a king that is attacked; all other weights are zero.
pub fn from_nothing() -> Weights {
    Weights {
        material: WORTH.map(|worth| Tapered::new(worth, worth)),
        danger_attacker: [Tapered::new(ATTACKER, 0); 4],
        danger_safe_check: [Tapered::new(SAFE_CHECK, 0); 4],
        ..Weights::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::eval::Evaluator;
    use crate::chess::fen;
    use crate::chess::position::Position;

    #[test]
    fn a_beginner_counts_pieces() {
        let evaluator = Evaluator::with_weights(&from_nothing());
        let value = |text: &str| {
            let chess = fen::parse(text).expect(text);
            evaluator
                .evaluate(&Position::new(chess, evaluator.table()))
                .raw()
        };
        // A knight and a pawn more, whatever else stands where.
        assert_eq!(value("4k3/pp3ppp/8/8/8/2N5/PPP2PPP/4K3 w - - 0 1"), 400);
        assert_eq!(value("4k3/pp3ppp/8/8/8/2N5/PPP2PPP/4K3 b - - 0 1"), -400);
    }
}
