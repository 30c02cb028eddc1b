//! What all threads of a search share: the job, the tables, the counters.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::clock::TimeBudget;
use super::control::Control;
use super::game::{Evaluator, Group, KeyPath, Position, ReversibleMoves, Tablebases, is_known};
use super::limits::Limits;
use super::params::{Params, Reductions};
use super::report::{Figures, Variation};
use super::root::RootMove;
use super::tt::{Entry, Record, Table};

/// Counters of one thread, on a cache line of their own.
#[derive(Debug, Default)]
#[repr(align(128))]
pub struct Counters {
    pub nodes: AtomicU64,
    pub tablebase_hits: AtomicU64,
}

/// What all threads of a search share.
pub struct Shared<'a> {
    pub root: &'a Position,
    pub path: &'a KeyPath,
    pub limits: &'a Limits,
    pub multi_pv: usize,
    pub table: &'a Table,
    /// Keeps the entries of this search apart from those of others: see [`table_salt`].
    pub table_salt: u64,
    pub tablebases: &'a Tablebases,
    /// The root moves to search, in groups: those of a later group are worse. None at all means all in one.
    pub root_moves: &'a [Group],
    pub evaluator: &'a Evaluator,
    pub reversible_moves: &'a ReversibleMoves,
    pub reductions: &'a Reductions,
    #[cfg(feature = "tune")]
    pub params: &'a Params,
    pub control: &'a Control,
    pub budget: TimeBudget,
    pub counters: &'a [Counters],
    pub finished: AtomicBool,
}

/// What the keys of a search are changed by, so that it does not find what certain others have stored.
///
/// A mate search must not believe a search that prunes. And in an ending that is known, where all pieces may come back
/// to where they were, scores of earlier searches support each other though no progress is made: a search begins
/// without those from other half-move clocks (<https://www.chessprogramming.org/Graph_History_Interaction>).
pub fn table_salt(root: &Position, limits: &Limits) -> u64 {
    const MATE_SEARCH: u64 = 0x5bd1_e995_97f4_a7c5;
    const KNOWN_ENDING: u64 = 0x9e37_79b9_7f4a_7c15;
    let mate_search = u64::from(limits.mate.is_some()) * MATE_SEARCH;
    let moves = u64::from(is_known(root)) * (u64::from(root.halfmoves()) + 1);
    mate_search ^ KNOWN_ENDING.wrapping_mul(moves)
}

impl Shared<'_> {
    /// The numbers of the search. Those of a normal build are constants, so that the compiler puts them into the code.
    #[cfg(not(feature = "tune"))]
    #[inline(always)]
    pub fn params(&self) -> &Params {
        &Params::DEFAULT
    }

    /// The numbers of the search.
    #[cfg(feature = "tune")]
    #[inline(always)]
    pub fn params(&self) -> &Params {
        self.params
    }

    /// What the table knows of `position`.
    #[inline(always)]
    pub fn probe(&self, position: &Position) -> Option<Entry> {
        self.table.probe(self.salted(position.key()))
    }

    /// Lets the table keep what was found out about `position`, which stands at `ply`.
    #[inline(always)]
    pub fn store(&self, position: &Position, ply: usize, record: Record) {
        self.table.store(self.salted(position.key()), ply, record);
    }

    /// Asks for what the table knows of the position that has this key.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        self.table.prefetch(self.salted(key));
    }

    /// The key under which the table keeps a position.
    #[inline(always)]
    fn salted(&self, key: u64) -> u64 {
        key ^ self.table_salt
    }

    /// Nodes of all threads together, as last published by each.
    pub fn nodes(&self) -> u64 {
        let counters = self.counters.iter();
        counters
            .map(|counters| counters.nodes.load(Ordering::Relaxed))
            .sum()
    }

    /// Whether every thread has to end: the search was stopped, its first thread has ended, or the nodes are used up.
    pub fn is_stopped(&self) -> bool {
        let is_spent = |limit| self.nodes() >= limit;
        self.control.is_stopped()
            || self.finished.load(Ordering::Relaxed)
            || self.limits.nodes.is_some_and(is_spent)
    }

    /// Figures of all threads together.
    pub fn figures(&self) -> Figures {
        Figures {
            nodes: self.nodes(),
            tablebase_hits: self
                .counters
                .iter()
                .map(|counters| counters.tablebase_hits.load(Ordering::Relaxed))
                .sum(),
            hash_full: self.table.permille_full(),
            elapsed: self.budget.elapsed(),
        }
    }

    /// A line of the root with the figures of now.
    pub fn variation(&self, depth: i32, line: usize, root_move: &RootMove) -> Variation {
        Variation {
            depth: depth as u32,
            selective_depth: root_move.selective_depth.max(1),
            multi_pv: line + 1,
            score: root_move.reported_score(),
            bound: root_move.reported_bound(),
            figures: self.figures(),
            moves: root_move.pv.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::fen;
    use crate::search::worker::testbed::with_limits;

    fn salt(fen: &str, mate: Option<u32>) -> u64 {
        let evaluator = Evaluator::new();
        let root = Position::new(fen::parse(fen).unwrap(), evaluator.table());
        let limits = Limits {
            mate,
            ..Limits::default()
        };
        table_salt(&root, &limits)
    }

    #[test]
    fn only_a_mate_search_and_a_known_ending_keep_their_entries_to_themselves() {
        let middle = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 7 9";
        assert_eq!(salt(middle, None), 0);
        assert_ne!(salt(middle, Some(3)), 0);
        let first = salt("8/8/1k3B2/4N3/1K6/8/8/8 w - - 0 1", None);
        let later = salt("8/k7/5B2/4N3/2K5/8/8/8 w - - 2 2", None);
        assert_ne!(first, 0);
        assert_ne!(first, later);
    }

    #[test]
    fn figures_add_up_over_all_threads_and_every_stop_is_seen() {
        let stopped = |nodes: Option<u64>, change: fn(&Shared<'_>)| {
            let limits = Limits {
                nodes,
                ..Limits::default()
            };
            with_limits("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", limits, |worker, _| {
                for counters in worker.shared.counters {
                    counters.nodes.store(50, Ordering::Relaxed);
                    counters.tablebase_hits.store(3, Ordering::Relaxed);
                }
                let figures = worker.shared.figures();
                assert_eq!((figures.nodes, figures.tablebase_hits), (100, 6));
                change(worker.shared);
                worker.shared.is_stopped()
            })
        };
        assert!(!stopped(None, |_| ()));
        assert!(stopped(Some(100), |_| ()) && !stopped(Some(101), |_| ()));
        assert!(stopped(None, |shared| shared
            .finished
            .store(true, Ordering::Relaxed)));
        assert!(stopped(None, |shared| shared.control.stop()));
    }
}
