//! What a quiet move gains in the move order beside its history: it gives check, or saves a piece
//! (<https://www.chessprogramming.org/Move_Ordering>; both ideas: Stockfish).

use super::game::{ByRole, CompactMove, Position, Role, Threats};
use super::params::Params;

/// The squares from which each role gives check, and those where something of less worth would take it.
pub struct OrderBonus {
    checks: ByRole,
    unsafe_squares: ByRole,
    check_bonus: i32,
    escape_bonus: i32,
}

impl OrderBonus {
    /// For the side to move in `position`, where the opponent attacks `threats`.
    pub fn new(position: &Position, threats: &Threats, params: &Params) -> OrderBonus {
        let mut unsafe_squares = ByRole::default();
        unsafe_squares[Role::Knight as usize] = threats.by_pawns;
        unsafe_squares[Role::Bishop as usize] = threats.by_pawns;
        unsafe_squares[Role::Rook as usize] = threats.by_minors;
        unsafe_squares[Role::Queen as usize] = threats.by_rooks;
        OrderBonus {
            checks: position.checking_squares(),
            unsafe_squares,
            check_bonus: params.check_order,
            escape_bonus: params.escape_order,
        }
    }

    /// What to add to the history of `m`, in the same scale.
    #[inline(always)]
    pub fn of(&self, m: CompactMove) -> i32 {
        let role = m.role() as usize;
        let gives_check = i32::from(self.checks[role].contains(m.to()));
        let leaves_danger = i32::from(self.unsafe_squares[role].contains(m.from()));
        let enters_danger = i32::from(self.unsafe_squares[role].contains(m.to()));
        gives_check * self.check_bonus + (leaves_danger - enters_danger) * self.escape_bonus
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Square;

    use super::*;
    use crate::chess::eval::Evaluator;
    use crate::chess::{fen, movegen};

    /// The bonuses of all quiet moves of a piece on `from`, by target square.
    fn bonuses(fen: &str, from: Square) -> Vec<(Square, i32)> {
        let evaluator = Evaluator::new();
        let chess = fen::parse(fen).expect("a position");
        let position = Position::new(chess, evaluator.table());
        let params = Params {
            check_order: 100,
            escape_order: 7,
            ..Params::DEFAULT
        };
        let bonus = OrderBonus::new(&position, &position.threats_by_worth(), &params);
        let mut found: Vec<(Square, i32)> = Vec::new();
        movegen::quiet_moves(&position, |m| {
            if m.from() == from {
                found.push((m.to(), bonus.of(m)));
            }
        });
        found
    }

    fn of(found: &[(Square, i32)], to: Square) -> Option<i32> {
        found.iter().find(|(square, _)| *square == to).map(|f| f.1)
    }

    #[test]
    fn checks_come_first() {
        let rook = bonuses("7k/8/8/8/8/8/8/R3K3 w - - 0 1", Square::A1);
        assert_eq!(of(&rook, Square::A8), Some(100));
        assert_eq!(of(&rook, Square::A7), Some(0));
        let knight = bonuses("7k/8/8/8/3N4/8/8/4K3 w - - 0 1", Square::D4);
        assert!(knight.iter().all(|&(_, bonus)| bonus == 0));
    }

    #[test]
    fn a_piece_leaves_danger_and_does_not_enter_it() {
        // The pawn on c5 attacks d4 and b4.
        let rook = bonuses("7k/8/8/2p5/3R4/8/8/K7 w - - 0 1", Square::D4);
        assert_eq!(of(&rook, Square::D1), Some(7));
        assert_eq!(of(&rook, Square::B4), Some(0));
        assert_eq!(of(&rook, Square::D8), Some(107));
        let queen = bonuses("6k1/8/1r6/8/3Q4/8/8/K7 w - - 0 1", Square::D4);
        assert_eq!(of(&queen, Square::D6), Some(-7));
        assert_eq!(of(&queen, Square::D2), Some(0));
    }
}
