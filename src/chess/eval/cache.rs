//! What the evaluation remembers. Each search thread has a cache of its own.
//!
//! Pawns and kings move seldom, so that what they give is remembered
//! (<https://www.chessprogramming.org/Pawn_Hash_Table>). Whole sums are remembered by the pieces alone, whichever side's turn
//! it is: a null move and a detour that loses a tempo find theirs
//! (<https://www.chessprogramming.org/Evaluation_Hash_Table>).

use std::collections::TryReserveError;

use shakmaty::Color;

use super::pawns::Pawns;
use crate::chess::position::Position;
use crate::score::Tapered;

/// Number of pawn structures, a power of two: 256 KiB.
const PAWNS: usize = 8192;
/// Number of sums, a power of two: 64 KiB. Null moves, which gain the most, ask for the last sum but a few.
const TOTALS: usize = 4096;

/// Remembers the last evaluations. The default one remembers nothing.
#[derive(Clone, Debug, Default)]
pub struct EvalCache {
    pawns: Slots<Pawns, PAWNS>,
    totals: Slots<Tapered, TOTALS>,
}

impl EvalCache {
    /// An empty cache.
    ///
    /// # Errors
    ///
    /// When there is no memory for it.
    pub fn new() -> Result<EvalCache, TryReserveError> {
        Ok(EvalCache {
            pawns: Slots::new()?,
            totals: Slots::new()?,
        })
    }

    /// Forgets everything. Needed when the weights change.
    pub fn clear(&mut self) {
        self.pawns.clear();
        self.totals.clear();
    }

    /// What is remembered of this pawn structure with these kings, or what `compute` says.
    #[inline(always)]
    pub(super) fn pawns(&mut self, position: &Position, compute: impl FnOnce() -> Pawns) -> Pawns {
        self.pawns.get(pawn_key(position), compute)
    }

    /// The remembered sum of the terms that depend on the pieces alone, if there is one.
    #[inline(always)]
    pub(super) fn total(&self, position: &Position) -> Option<Tapered> {
        self.totals.find(piece_key(position))
    }

    /// Remembers that sum.
    #[inline(always)]
    pub(super) fn remember_total(&mut self, position: &Position, total: Tapered) {
        self.totals.put(piece_key(position), total);
    }
}

/// Pawns and kings. It is never zero, the key of an empty entry, but by chance: the kings are on different squares.
#[inline(always)]
fn pawn_key(position: &Position) -> u64 {
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    let king = |color| u64::from(position.king(color).to_u32());
    let kings = king(Color::White) << 6 | king(Color::Black);
    position.keys().pawn ^ kings.wrapping_mul(SPREAD)
}

/// All pieces and pawns, without turn, castling rights and en passant. Zero only by chance, too.
#[inline(always)]
fn piece_key(position: &Position) -> u64 {
    let keys = position.keys();
    keys.pawn ^ keys.non_pawn[0] ^ keys.non_pawn[1]
}

/// Values by key. A new one takes the place of the old one in its slot.
#[derive(Clone, Debug, Default)]
struct Slots<T, const SIZE: usize> {
    entries: Vec<(u64, T)>,
}

impl<T: Copy + Default, const SIZE: usize> Slots<T, SIZE> {
    fn new() -> Result<Slots<T, SIZE>, TryReserveError> {
        let mut entries = Vec::new();
        entries.try_reserve_exact(SIZE)?;
        entries.resize(SIZE, (0, T::default()));
        Ok(Slots { entries })
    }

    fn clear(&mut self) {
        self.entries.fill((0, T::default()));
    }

    #[inline(always)]
    fn get(&mut self, key: u64, compute: impl FnOnce() -> T) -> T {
        let value = self.find(key);
        value.unwrap_or_else(|| {
            let value = compute();
            self.put(key, value);
            value
        })
    }

    #[inline(always)]
    fn find(&self, key: u64) -> Option<T> {
        let entry = self.entries.get(key as usize % SIZE)?;
        (entry.0 == key).then_some(entry.1)
    }

    #[inline(always)]
    fn put(&mut self, key: u64, value: T) {
        if let Some(entry) = self.entries.get_mut(key as usize % SIZE) {
            *entry = (key, value);
        }
    }
}
