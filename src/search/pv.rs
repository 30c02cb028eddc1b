//! The principal variations of the current path, one for each ply
//! (<https://www.chessprogramming.org/Triangular_PV-Table>).

use super::game::CompactMove;
use crate::score::MAX_PLY;

/// For each ply the best line found from there. A line takes no memory until there is one: most plies are never reached.
#[derive(Clone, Debug)]
pub struct PvTable(Vec<Vec<CompactMove>>);

impl PvTable {
    /// Empty lines.
    pub fn new() -> PvTable {
        PvTable(vec![Vec::new(); MAX_PLY + 2])
    }

    /// Forgets the line of `ply`.
    pub fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// Makes `m` the first move of the line of `ply`, followed by the line of the next ply.
    pub fn update(&mut self, ply: usize, m: CompactMove) {
        let (head, tail) = self.0.split_at_mut(ply + 1);
        let (Some(line), Some(child)) = (head.last_mut(), tail.first()) else {
            return;
        };
        line.clear();
        line.push(m);
        line.extend_from_slice(child);
    }

    /// The line of `ply`.
    pub fn line(&self, ply: usize) -> &[CompactMove] {
        &self.0[ply]
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Role, Square};

    use super::*;

    #[test]
    fn a_line_is_its_move_and_the_line_of_the_next_ply() {
        let knight = |from, to| CompactMove::normal(Role::Knight, from, to, None, None);
        let first = knight(Square::G1, Square::F3);
        let second = knight(Square::B8, Square::C6);
        let other = knight(Square::B1, Square::C3);
        let mut table = PvTable::new();
        table.update(1, second);
        table.update(0, first);
        assert_eq!(table.line(0), [first, second]);
        table.clear(1);
        assert_eq!(
            (table.line(0), table.line(1)),
            (&[first, second][..], &[][..])
        );
        table.update(0, other);
        assert_eq!(table.line(0), [other]);
    }
}
