//! Counting positions move by move (<https://www.chessprogramming.org/Perft>).

use shakmaty::Move;

use crate::movegen::{self, legal_moves};
use crate::position::{PieceSquareTable, Position};

/// Counts the leaf positions `depth` plies below each legal move, in the order of the moves' names, and returns
/// the sum. At depth 0 that is the position itself.
///
/// `each` hears of every move and says whether to go on.
pub fn divide(
    position: &Position,
    depth: u32,
    table: &PieceSquareTable,
    each: &mut dyn FnMut(Move, u64) -> bool,
) -> u64 {
    let Some(rest) = depth.checked_sub(1) else {
        return 1;
    };
    let mut moves = legal_moves(position);
    moves.sort_by_cached_key(ToString::to_string);
    let mut sum = 0;
    for m in moves {
        let count = movegen::perft(&position.child(m, table), rest, table);
        sum += count;
        if !each(m, count) {
            break;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluator;

    #[test]
    fn the_parts_add_up() {
        let evaluator = Evaluator::new();
        let position = Position::initial(evaluator.table());
        for (depth, expected) in [(0, 1), (1, 20), (2, 400), (3, 8902)] {
            let mut moves = Vec::new();
            let mut sum = 0;
            let total = divide(&position, depth, evaluator.table(), &mut |m, count| {
                moves.push(m.to_string());
                sum += count;
                true
            });
            assert_eq!(total, expected);
            if depth > 0 {
                assert_eq!((moves.len(), sum), (20, expected));
                assert!(moves.is_sorted());
            }
        }
    }

    #[test]
    fn it_can_be_ended() {
        let evaluator = Evaluator::new();
        let position = Position::initial(evaluator.table());
        assert_eq!(
            divide(&position, 2, evaluator.table(), &mut |_, _| false),
            20
        );
    }
}
