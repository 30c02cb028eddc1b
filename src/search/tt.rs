//! The transposition table: shared by all threads, without locks.
//!
//! A bucket is one cache line of four entries. An entry is two words: the data, and the key XORed with the
//! data, so that two halves written by different threads do not fit together and are ignored
//! (Hyatt and Mann, "A lockless transposition table implementation for parallel search", 2002).
//!
//! ```text
//! data:  0      16      32      48     56  57    59       64
//!        | move | score | eval | depth | pv | bound | age |
//! ```

use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;

use super::game::{CompactMove, PackedMove};
use super::memory::{CacheLine, SharedMemory, prefetch};
use super::report::Bound;
use super::system_memory::{BYTES_PER_MIB, available_mib};
use crate::score::Score;

const ENTRIES_PER_BUCKET: usize = 4;
/// The age counts searches, modulo this.
const AGES: u8 = 32;
/// An entry of an older search is worth this many plies less when one has to go.
const AGE_PENALTY: i32 = 4;
/// The part of an entry's data that holds the move.
const MOVE_MASK: u64 = 0xffff;
/// Buckets looked at by [`Table::permille_full`].
const SAMPLE: usize = 250;

/// Largest table, in mebibytes, that the address space can hold.
pub const MAX_HASH_MIB: usize = if usize::BITS >= 64 { 1 << 25 } else { 2048 };

/// What the table knows about a position.
#[derive(Copy, Clone, Debug)]
pub struct Entry {
    /// The best move, or the one that caused a cut-off, in two bytes.
    pub best: Option<PackedMove>,
    /// The score, with decisive scores counted from this node.
    score: i16,
    /// The static evaluation; [`Score::NONE`] when none was made, as in check.
    pub eval: Score,
    /// The depth it was searched to, in plies.
    pub depth: i32,
    /// What the score means; `None` when only the evaluation was stored.
    pub bound: Option<Bound>,
    /// Whether the position was once on a principal variation.
    pub was_pv: bool,
}

impl Entry {
    /// The score as seen `ply` plies from the root.
    pub fn score(&self, ply: usize) -> Score {
        Score::from_table(self.score, ply)
    }

    /// The entry without its score when that is a mate more than `plies` away.
    pub fn without_mate_beyond(mut self, plies: u32) -> Entry {
        let mate = self.score(0).mate_plies();
        if mate.is_some_and(|distance| distance > plies as usize) {
            self.bound = None;
        }
        self
    }

    /// Whether a mate settles the window: one that was found once is there at any depth, for its own side.
    pub fn proves_mate(&self, alpha: Score, beta: Score, ply: usize) -> bool {
        let score = self.score(ply);
        let proves = match self.bound {
            Some(Bound::Lower) => score.is_win(),
            Some(Bound::Upper) => score.is_loss(),
            Some(Bound::Exact) => true,
            None => false,
        };
        let settles = if score.is_win() {
            score >= beta
        } else {
            score <= alpha
        };
        score.is_mate() && proves && settles
    }

    /// Whether the score settles the window (`alpha`, `beta`).
    pub fn cuts(&self, alpha: Score, beta: Score, ply: usize) -> bool {
        match self.bound {
            Some(Bound::Exact) => true,
            Some(Bound::Lower) => self.score(ply) >= beta,
            Some(Bound::Upper) => self.score(ply) <= alpha,
            None => false,
        }
    }
}

/// What a node asks the table to remember.
#[derive(Copy, Clone, Debug)]
pub struct Record {
    /// The best move, if one is known.
    pub best: Option<CompactMove>,
    /// The score as seen from this node's ply.
    pub score: Score,
    /// The static evaluation, or [`Score::NONE`].
    pub eval: Score,
    /// Depth in plies, 0 for quiescence.
    pub depth: i32,
    /// What the score means; `None` to keep only the evaluation.
    pub bound: Option<Bound>,
    /// Whether the position is on a principal variation.
    pub is_pv: bool,
}

/// Why a table could not be made.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TableError {
    /// The size asked for, in mebibytes.
    pub requested_mib: usize,
    /// What can be had, in mebibytes, where the system tells.
    pub available_mib: Option<usize>,
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no memory for a table of {} MiB", self.requested_mib)?;
        match self.available_mib {
            Some(mib) => write!(f, " ({mib} MiB available)"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for TableError {}

/// The table.
#[derive(Debug)]
pub struct Table {
    memory: SharedMemory,
    age: AtomicU8,
}

impl Table {
    /// A table of `mib` mebibytes, any number from 1.
    ///
    /// # Errors
    ///
    /// When the memory cannot be had.
    pub fn new(mib: usize) -> Result<Table, TableError> {
        // Linux grants more memory than there is and ends the process later; so the available memory is checked first.
        Table::within(mib, available_mib())
    }

    /// Makes the table one of `mib` mebibytes, empty. It gives its own memory back first, so that it can become smaller
    /// when there is not much left.
    ///
    /// # Errors
    ///
    /// When the memory cannot be had; the table keeps its size, but may have lost its entries.
    pub fn resize(&mut self, mib: usize) -> Result<(), TableError> {
        let old = self.mib();
        let available = available_mib().map(|available| available.saturating_add(old));
        if let Some(refusal) = refusal(mib, available) {
            return Err(refusal);
        }
        *self = Table::within(1, None)?;
        let resized = Table::within(mib, available).map(|table| *self = table);
        if resized.is_err() {
            *self = Table::within(old, None)?;
        }
        resized
    }

    /// A table of `mib` mebibytes where `available` are to be had, if that is known.
    fn within(mib: usize, available: Option<usize>) -> Result<Table, TableError> {
        if let Some(refusal) = refusal(mib, available) {
            return Err(refusal);
        }
        let refused = || TableError {
            requested_mib: mib,
            available_mib: available,
        };
        let bytes = mib.max(1).checked_mul(BYTES_PER_MIB).ok_or_else(refused)?;
        let memory = SharedMemory::zeroed(bytes / size_of::<CacheLine>());
        let memory = memory.map_err(|_| refused())?;
        let table = Table {
            memory,
            age: AtomicU8::new(0),
        };
        // Touching every page now keeps the cost of getting it out of the first moves of the game.
        table.clear(thread::available_parallelism().map_or(1, usize::from));
        Ok(table)
    }

    /// The size in mebibytes.
    pub fn mib(&self) -> usize {
        size_of_val(self.memory.lines()) / BYTES_PER_MIB
    }

    /// Empties the table with `threads` threads.
    pub fn clear(&self, threads: usize) {
        let lines = self.memory.lines();
        let share = lines.len().div_ceil(threads.max(1));
        let empty = |part: &[CacheLine]| {
            for word in part.iter().flatten() {
                word.store(0, Ordering::Relaxed);
            }
        };
        thread::scope(|scope| {
            for part in lines.chunks(share) {
                let spawned = thread::Builder::new().spawn_scoped(scope, move || empty(part));
                // When the system will give no thread, this one does the work.
                if spawned.is_err() {
                    empty(part);
                }
            }
        });
        self.age.store(0, Ordering::Relaxed);
    }

    /// A new search begins: what is stored so far is one search older.
    pub fn next_search(&self) {
        let age = self.age.load(Ordering::Relaxed);
        self.age.store((age + 1) % AGES, Ordering::Relaxed);
    }

    /// The bucket of `key`: the high half of key times size spreads keys over any size, not only powers of two.
    #[inline]
    fn bucket(&self, key: u64) -> &CacheLine {
        let lines = self.memory.lines();
        let index = (u128::from(key) * lines.len() as u128) >> 64;
        &lines[index as usize]
    }

    /// Brings the bucket of `key` into the cache.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    /// What is known about the position with this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        let bucket = self.bucket(key);
        for slot in 0..ENTRIES_PER_BUCKET {
            let data = bucket[2 * slot + 1].load(Ordering::Relaxed);
            if bucket[2 * slot].load(Ordering::Relaxed) ^ data == key && data != 0 {
                return Some(unpack(data));
            }
        }
        None
    }

    /// Remembers `record`, seen `ply` plies from the root, in place of the least useful entry of its bucket.
    #[inline]
    pub fn store(&self, key: u64, ply: usize, record: Record) {
        let bucket = self.bucket(key);
        let age = self.age.load(Ordering::Relaxed);
        let mut victim = 0;
        let mut lowest = i32::MAX;
        let mut old_best = 0;
        for slot in 0..ENTRIES_PER_BUCKET {
            let data = bucket[2 * slot + 1].load(Ordering::Relaxed);
            if bucket[2 * slot].load(Ordering::Relaxed) ^ data == key || data == 0 {
                if data != 0 && !replaces(data, &record, age) {
                    // The old result stays, but the new move is the better guess.
                    if let Some(best) = record.best {
                        write(bucket, slot, key, data & !MOVE_MASK | pack_move(best));
                    }
                    return;
                }
                old_best = data & MOVE_MASK;
                victim = slot;
                break;
            }
            let worth = depth_of(data) - AGE_PENALTY * i32::from(age_difference(data, age));
            if worth < lowest {
                lowest = worth;
                victim = slot;
            }
        }
        let data = pack(&record, ply, age, old_best);
        write(bucket, victim, key, data);
    }

    /// How full the table is with entries of this search, in permille, from a sample of its buckets.
    pub fn permille_full(&self) -> u32 {
        let age = self.age.load(Ordering::Relaxed);
        let lines = self.memory.lines();
        let sample = &lines[..SAMPLE.min(lines.len())];
        let used = sample
            .iter()
            .flat_map(|bucket| bucket.iter().skip(1).step_by(2))
            .map(|word| word.load(Ordering::Relaxed))
            .filter(|&data| data != 0 && age_difference(data, age) == 0)
            .count();
        (used * 1000 / (sample.len() * ENTRIES_PER_BUCKET)) as u32
    }
}

fn refusal(mib: usize, available: Option<usize>) -> Option<TableError> {
    available
        .is_some_and(|available| mib > available)
        .then_some(TableError {
            requested_mib: mib,
            available_mib: available,
        })
}

/// Whether `record` may overwrite an entry of the same position: an exact score, a mate where there was none, a search
/// not much shallower, or anything newer.
fn replaces(data: u64, record: &Record, age: u8) -> bool {
    /// A new result may be this many plies shallower and still replace.
    const SHALLOWER: i32 = 4;
    let stored = Score::from_table((data >> 16) as i16, 0);
    record.bound == Some(Bound::Exact)
        || (record.bound.is_some() && record.score.is_mate() && !stored.is_mate())
        || record.depth + SHALLOWER > depth_of(data)
        || age_difference(data, age) != 0
}

fn depth_of(data: u64) -> i32 {
    i32::from((data >> 48) as u8)
}

fn age_difference(data: u64, age: u8) -> u8 {
    let stored = (data >> 59) as u8;
    (age + AGES - stored) % AGES
}

/// Writes both words of an entry.
#[inline]
fn write(bucket: &CacheLine, slot: usize, key: u64, data: u64) {
    bucket[2 * slot + 1].store(data, Ordering::Relaxed);
    bucket[2 * slot].store(key ^ data, Ordering::Relaxed);
}

fn pack_move(best: CompactMove) -> u64 {
    u64::from(best.pack().bits())
}

fn pack(record: &Record, ply: usize, age: u8, old_best: u64) -> u64 {
    let best = match record.best {
        Some(best) => pack_move(best),
        None => old_best,
    };
    let bound = match record.bound {
        None => 0,
        Some(Bound::Upper) => 1,
        Some(Bound::Lower) => 2,
        Some(Bound::Exact) => 3,
    };
    best | u64::from(record.score.to_table(ply) as u16) << 16
        | u64::from(record.eval.raw() as i16 as u16) << 32
        | (record.depth.clamp(0, 255) as u64) << 48
        | u64::from(record.is_pv) << 56
        | bound << 57
        | u64::from(age) << 59
}

fn unpack(data: u64) -> Entry {
    Entry {
        best: PackedMove::from_bits((data & MOVE_MASK) as u16),
        score: (data >> 16) as i16,
        eval: Score::from_raw(i32::from((data >> 32) as i16)),
        depth: depth_of(data),
        bound: match (data >> 57) & 3 {
            0 => None,
            1 => Some(Bound::Upper),
            2 => Some(Bound::Lower),
            _ => Some(Bound::Exact),
        },
        was_pv: (data >> 56) & 1 != 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Role, Square};

    fn record(depth: i32, score: Score, bound: Bound) -> Record {
        let (from, to) = (Square::B7, Square::A8);
        let promotion = Some(Role::Knight);
        let best = CompactMove::normal(Role::Pawn, from, to, Some(Role::Rook), promotion);
        Record {
            best: Some(best),
            score,
            eval: Score::from_centipawns(-77),
            depth,
            bound: Some(bound),
            is_pv: true,
        }
    }

    #[test]
    fn a_mate_that_comes_too_late_loses_its_bound() {
        let table = Table::new(1).unwrap();
        table.store(7, 3, record(5, Score::mate_in(23), Bound::Lower));
        let entry = table.probe(7).unwrap();
        assert_eq!(entry.without_mate_beyond(20).bound, Some(Bound::Lower));
        assert_eq!(entry.without_mate_beyond(19).bound, None);
        table.store(8, 3, record(5, Score::from_centipawns(900), Bound::Lower));
        let entry = table.probe(8).unwrap();
        assert_eq!(entry.without_mate_beyond(0).bound, Some(Bound::Lower));
    }

    #[test]
    fn what_is_stored_is_found_again() {
        let table = Table::new(1).unwrap();
        let key = 0x9d39_247e_3377_6d41;
        assert!(table.probe(key).is_none());
        let stored = record(13, Score::mate_in(9), Bound::Lower);
        table.store(key, 4, stored);
        let entry = table.probe(key).unwrap();
        assert_eq!(entry.best, stored.best.map(CompactMove::pack));
        assert_eq!(entry.score(4), Score::mate_in(9));
        assert_eq!(entry.score(6), Score::mate_in(11));
        assert_eq!(
            (entry.depth, entry.bound, entry.was_pv),
            (13, Some(Bound::Lower), true)
        );
        assert_eq!(entry.eval, stored.eval);
        assert!(table.probe(key ^ 1).is_none());
        table.clear(2);
        assert!(table.probe(key).is_none());
    }

    #[test]
    fn a_result_without_a_move_keeps_the_old_move() {
        let table = Table::new(1).unwrap();
        table.store(7, 0, record(5, Score::DRAW, Bound::Exact));
        table.store(
            7,
            0,
            Record {
                best: None,
                ..record(6, Score::DRAW, Bound::Upper)
            },
        );
        let entry = table.probe(7).unwrap();
        assert_eq!(entry.depth, 6);
        assert!(entry.best.is_some());
    }

    #[test]
    fn a_shallow_result_leaves_the_deep_one_but_gives_its_move() {
        let table = Table::new(1).unwrap();
        let deep = Record {
            best: None,
            ..record(12, Score::from_centipawns(31), Bound::Upper)
        };
        table.store(7, 0, deep);
        assert!(table.probe(7).unwrap().best.is_none());
        table.store(7, 0, record(2, Score::from_centipawns(-5), Bound::Lower));
        let entry = table.probe(7).unwrap();
        let facts = (entry.depth, entry.bound, entry.score(0));
        let stored = (12, Some(Bound::Upper), Score::from_centipawns(31));
        assert_eq!(facts, stored);
        assert_eq!(
            entry.best,
            record(2, Score::DRAW, Bound::Lower)
                .best
                .map(CompactMove::pack)
        );
    }

    #[test]
    fn a_full_bucket_gives_up_its_shallowest_entry() {
        let table = Table::new(1).unwrap();
        for (key, depth) in [(1, 9), (2, 3), (3, 8), (4, 7), (5, 6)] {
            table.store(key, 0, record(depth, Score::DRAW, Bound::Lower));
        }
        let found: Vec<bool> = (1..=5).map(|key| table.probe(key).is_some()).collect();
        assert_eq!(found, [true, false, true, true, true]);
    }

    #[test]
    fn old_entries_go_first_and_do_not_count_as_full() {
        let table = Table::new(1).unwrap();
        for key in 1..=4 {
            table.store(key, 0, record(6, Score::DRAW, Bound::Lower));
        }
        assert_eq!(table.permille_full(), 4);
        table.next_search();
        table.next_search();
        assert_eq!(table.permille_full(), 0);
        table.store(5, 0, record(1, Score::DRAW, Bound::Lower));
        assert!(table.probe(5).is_some());
    }

    #[test]
    fn a_size_beyond_the_machine_is_an_error() {
        let error = Table::new(MAX_HASH_MIB).unwrap_err();
        assert_eq!(error.requested_mib, MAX_HASH_MIB);
        assert!(error.to_string().contains("MiB"));
    }

    fn entry(score: Score, bound: Option<Bound>) -> Entry {
        let table = Table::new(1).unwrap();
        let record = Record {
            bound,
            ..record(5, score, Bound::Exact)
        };
        table.store(7, 0, record);
        table.probe(7).unwrap()
    }

    #[test]
    fn a_score_settles_a_window_on_its_side() {
        let (alpha, beta) = (Score::from_centipawns(0), Score::from_centipawns(10));
        let cuts = |score, bound| entry(Score::from_centipawns(score), bound).cuts(alpha, beta, 0);
        assert!(cuts(5, Some(Bound::Exact)));
        assert!(cuts(10, Some(Bound::Lower)) && !cuts(9, Some(Bound::Lower)));
        assert!(cuts(0, Some(Bound::Upper)) && !cuts(1, Some(Bound::Upper)));
        assert!(!cuts(10, None));
    }

    #[test]
    fn a_mate_settles_a_window_at_any_depth() {
        let wins = Score::mate_in(9);
        let loses = -wins;
        let proves =
            |score, bound, alpha, beta| entry(score, Some(bound)).proves_mate(alpha, beta, 0);
        let zero = Score::DRAW;
        assert!(proves(wins, Bound::Lower, zero, zero + 1));
        assert!(proves(wins, Bound::Exact, wins - 1, wins));
        assert!(!proves(wins, Bound::Exact, wins, wins + 1));
        assert!(!proves(wins, Bound::Upper, zero, zero + 1));
        assert!(proves(loses, Bound::Upper, zero, zero + 1));
        assert!(proves(loses, Bound::Exact, loses, loses + 1));
        assert!(!proves(loses, Bound::Exact, loses - 1, loses));
        assert!(!proves(loses, Bound::Lower, zero, zero + 1));
        assert!(!proves(
            Score::from_centipawns(900),
            Bound::Exact,
            zero,
            zero + 1
        ));
        assert!(!entry(wins, None).proves_mate(zero, zero + 1, 0));
    }

    #[test]
    fn an_entry_of_the_same_position_gives_way_to_a_better_or_newer_one() {
        let old = record(10, Score::DRAW, Bound::Upper);
        let replaced = |new: Record, searches_later: u32| {
            let table = Table::new(1).unwrap();
            table.store(7, 0, old);
            for _ in 0..searches_later {
                table.next_search();
            }
            table.store(7, 0, new);
            table.probe(7).unwrap().depth == new.depth
        };
        let lower = |depth| record(depth, Score::DRAW, Bound::Lower);
        assert!(replaced(lower(7), 0) && !replaced(lower(6), 0));
        assert!(replaced(lower(0), 1));
        assert!(replaced(record(0, Score::DRAW, Bound::Exact), 0));
        assert!(replaced(record(0, Score::mate_in(5), Bound::Lower), 0));
        let without_score = Record {
            bound: None,
            ..record(0, Score::mate_in(5), Bound::Lower)
        };
        assert!(!replaced(without_score, 0));
    }

    #[test]
    fn a_mate_gives_way_to_no_other_mate_that_is_much_shallower() {
        let table = Table::new(1).unwrap();
        table.store(7, 0, record(10, Score::mate_in(5), Bound::Lower));
        table.store(7, 0, record(0, Score::mate_in(3), Bound::Lower));
        assert_eq!(table.probe(7).unwrap().depth, 10);
    }

    #[test]
    fn ages_are_counted_in_a_circle() {
        let with_age = |age: u64| age << 59;
        assert_eq!(age_difference(with_age(3), 5), 2);
        assert_eq!(age_difference(with_age(31), 1), 2);
        assert_eq!(age_difference(with_age(5), 5), 0);
        let table = Table::new(1).unwrap();
        table.store(1, 0, record(6, Score::DRAW, Bound::Lower));
        for _ in 0..AGES {
            table.next_search();
        }
        // So many searches later the entry looks new again.
        assert_eq!(table.permille_full(), 1);
    }

    #[test]
    fn a_search_later_makes_an_entry_worth_four_plies_less() {
        let kept = |newer: i32| {
            let table = Table::new(1).unwrap();
            table.store(1, 0, record(9, Score::DRAW, Bound::Lower));
            table.next_search();
            for key in 2..=4 {
                table.store(key, 0, record(newer, Score::DRAW, Bound::Lower));
            }
            table.store(5, 0, record(9, Score::DRAW, Bound::Lower));
            table.probe(1).is_some()
        };
        assert!(kept(4) && !kept(6));
    }

    #[test]
    fn a_table_changes_its_size_and_loses_its_entries() {
        let mut table = Table::new(1).unwrap();
        assert_eq!(table.mib(), 1);
        table.store(7, 0, record(5, Score::DRAW, Bound::Exact));
        table.resize(3).unwrap();
        assert_eq!(table.mib(), 3);
        assert!(table.probe(7).is_none());
        assert!(table.resize(MAX_HASH_MIB).is_err());
        assert_eq!(table.mib(), 3);
    }

    #[test]
    fn a_table_is_refused_when_there_is_less_memory() {
        assert!(refusal(8, Some(8)).is_none() && refusal(8, None).is_none());
        let error = refusal(9, Some(8)).unwrap();
        assert_eq!((error.requested_mib, error.available_mib), (9, Some(8)));
        assert_eq!(
            error.to_string(),
            "no memory for a table of 9 MiB (8 MiB available)"
        );
    }

    #[test]
    fn keys_are_spread_over_the_whole_table() {
        let table = Table::new(1).unwrap();
        let lines = table.memory.lines();
        let index = |key: u64| {
            let bucket: *const CacheLine = table.bucket(key);
            lines.iter().position(|line| std::ptr::eq(line, bucket))
        };
        assert_eq!(index(0), Some(0));
        assert_eq!(index(1 << 63), Some(lines.len() / 2));
        assert_eq!(index(u64::MAX), Some(lines.len() - 1));
    }
}
