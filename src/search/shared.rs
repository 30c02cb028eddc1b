//! What all threads of a search share: the job, the tables, the counters.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use shakmaty::Move;

use super::clock::TimeBudget;
use super::control::Control;
use super::cycle::ReversibleMoves;
use super::limits::Limits;
use super::params::{Params, Reductions};
use super::report::{Figures, Variation};
use super::root::RootMove;
use super::tt::Table;
use crate::eval::Evaluator;
use crate::keys::KeyPath;
use crate::position::Position;
use crate::tablebase::Tablebases;

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
    pub tablebases: &'a Tablebases,
    /// The root moves to search; empty means all.
    pub root_moves: &'a [Move],
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

    /// Figures of all threads together.
    pub fn figures(&self) -> Figures {
        Figures {
            nodes: self
                .counters
                .iter()
                .map(|counters| counters.nodes.load(Ordering::Relaxed))
                .sum(),
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
            score: root_move.score,
            bound: root_move.bound,
            figures: self.figures(),
            moves: root_move.pv.clone(),
        }
    }
}
