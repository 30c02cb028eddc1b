//! The pawn cache: pawns and kings move seldom, so what they give is remembered
//! (<https://www.chessprogramming.org/Pawn_Hash_Table>). Each search thread has its own.

use std::collections::TryReserveError;

use shakmaty::Color;

use super::pawns::Pawns;
use crate::position::Position;

/// Number of entries, a power of two: 256 KiB.
const SIZE: usize = 8192;

/// Remembers the last pawn structures seen. The default one remembers nothing.
#[derive(Clone, Debug, Default)]
pub struct PawnCache {
    entries: Vec<(u64, Pawns)>,
}

impl PawnCache {
    /// An empty cache.
    ///
    /// # Errors
    ///
    /// When there is no memory for it.
    pub fn new() -> Result<PawnCache, TryReserveError> {
        let mut entries = Vec::new();
        entries.try_reserve_exact(SIZE)?;
        entries.resize(SIZE, (0, Pawns::default()));
        Ok(PawnCache { entries })
    }

    /// Forgets everything. Needed when the weights change.
    pub fn clear(&mut self) {
        self.entries.fill((0, Pawns::default()));
    }

    /// What is remembered of this pawn structure with these kings, or what `compute` says.
    #[inline(always)]
    pub(super) fn get(&mut self, position: &Position, compute: impl FnOnce() -> Pawns) -> Pawns {
        let key = key(position);
        let Some(entry) = self.entries.get_mut(key as usize % SIZE) else {
            return compute();
        };
        if entry.0 != key {
            *entry = (key, compute());
        }
        entry.1
    }
}

/// Pawns and kings. It is never zero, the key of an empty entry, but by chance: the kings are on different squares.
#[inline(always)]
fn key(position: &Position) -> u64 {
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    let king = |color| u64::from(position.king(color).to_u32());
    let kings = king(Color::White) << 6 | king(Color::Black);
    position.keys().pawn ^ kings.wrapping_mul(SPREAD)
}
