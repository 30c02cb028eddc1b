//! Counting positions move by move (<https://www.chessprogramming.org/Perft>).

use shakmaty::Move;

use crate::chess::movegen::{self, legal_moves};
use crate::chess::position::{PieceSquareTable, Position};

/// Subtrees of this depth are counted without a look at the flag to stop: they take milliseconds.
const AT_ONE_GO: u32 = 3;

/// What was counted.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Counted {
    /// Leaf positions.
    pub nodes: u64,
    /// Whether these are all.
    pub complete: bool,
}

/// Counts the leaf positions `depth` plies below each legal move, in the order of the moves' names, and returns
/// the sum. At depth 0 that is the position itself.
///
/// `stopped` ends it at any time; `each` hears of every move and says whether to go on.
pub fn divide(
    position: &Position,
    depth: u32,
    table: &PieceSquareTable,
    stopped: &dyn Fn() -> bool,
    each: &mut dyn FnMut(Move, u64) -> bool,
) -> Counted {
    let mut counted = Counted {
        nodes: 0,
        complete: true,
    };
    let Some(rest) = depth.checked_sub(1) else {
        counted.nodes = 1;
        return counted;
    };
    let mut moves = legal_moves(position);
    moves.sort_by_cached_key(ToString::to_string);
    for m in moves {
        let Some(count) = count(&position.child(m, table), rest, table, stopped) else {
            counted.complete = false;
            break;
        };
        counted.nodes += count;
        if !each(m, count) {
            counted.complete = false;
            break;
        }
    }
    counted
}

/// Leaf positions `depth` plies below; `None` when it was stopped.
fn count(
    position: &Position,
    depth: u32,
    table: &PieceSquareTable,
    stopped: &dyn Fn() -> bool,
) -> Option<u64> {
    if depth <= AT_ONE_GO {
        return Some(movegen::perft(position, depth, table));
    }
    if stopped() {
        return None;
    }
    legal_moves(position)
        .into_iter()
        .map(|m| count(&position.child(m, table), depth - 1, table, stopped))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::eval::Evaluator;

    #[test]
    fn the_parts_add_up() {
        let evaluator = Evaluator::new();
        let position = Position::initial(evaluator.table());
        for (depth, expected) in [(0, 1), (1, 20), (2, 400), (3, 8902)] {
            let mut moves = Vec::new();
            let mut sum = 0;
            let total = divide(
                &position,
                depth,
                evaluator.table(),
                &|| false,
                &mut |m, count| {
                    moves.push(m.to_string());
                    sum += count;
                    true
                },
            );
            let nodes = expected;
            assert_eq!(
                total,
                Counted {
                    nodes,
                    complete: true
                }
            );
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
        let table = evaluator.table();
        let one = divide(&position, 2, table, &|| false, &mut |_, _| false);
        assert_eq!((one.nodes, one.complete), (20, false));
        let none = divide(&position, 20, table, &|| true, &mut |_, _| true);
        assert_eq!((none.nodes, none.complete), (0, false));
    }
}
