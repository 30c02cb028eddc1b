//! The evaluation told to a person: each term for both sides.

use std::fmt;

use shakmaty::Color;

use super::layout::Weights;
use super::tracer::Counts;
use super::{Evaluator, phase, sign, terms};
use crate::position::Position;
use crate::score::{MAX_PHASE, Score, Tapered};

/// The parts of an evaluation. Its `Display` is the table that `eval` prints, without a final line end.
#[derive(Clone, Debug)]
pub struct Trace {
    rows: Vec<Row>,
    phase: i32,
    score: Score,
    turn: Color,
}

#[derive(Clone, Debug)]
struct Row {
    name: &'static str,
    white: Tapered,
    black: Tapered,
}

/// The rows of the table: what they are called and the groups of weights they show.
const ROWS: &[(&str, &[&str])] = &[
    ("Material", &["material"]),
    ("Imbalance", &["bishop_pair", "knight_pawns", "rook_pawns"]),
    ("Position", &["square", "own_king", "enemy_king"]),
    ("Tempo", &["tempo"]),
];

pub(super) fn trace(evaluator: &Evaluator, position: &Position) -> Trace {
    let mut counts = Counts::default();
    let weights = evaluator.weights.as_ref();
    terms::walk_all(position, weights, &mut counts);
    let rows = ROWS
        .iter()
        .map(|(name, groups)| row(name, groups, weights, &counts));
    Trace {
        rows: rows.collect(),
        phase: phase(position.board()),
        score: evaluator.evaluate(position),
        turn: position.turn(),
    }
}

fn row(name: &'static str, groups: &[&str], weights: &Weights, counts: &Counts) -> Row {
    let flat = weights.to_flat();
    let mut row = Row {
        name,
        white: Tapered::default(),
        black: Tapered::default(),
    };
    for group in Weights::GROUPS
        .iter()
        .filter(|group| groups.contains(&group.name))
    {
        for index in group.offset..group.offset + group.len() {
            let [white, black] = counts.linear[index];
            row.white += flat[index] * white;
            row.black += flat[index] * black;
        }
    }
    row
}

impl Row {
    fn total(&self) -> Tapered {
        self.white - self.black
    }
}

impl Trace {
    /// The score in centipawns from the side to move: what the search sees.
    pub fn score(&self) -> Score {
        self.score
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "Term         |    White        |    Black        |    Total"
        )?;
        writeln!(
            f,
            "             |    MG      EG   |    MG      EG   |    MG      EG"
        )?;
        writeln!(
            f,
            "-------------+-----------------+-----------------+-----------------"
        )?;
        let mut sum = Row {
            name: "Total",
            white: Tapered::default(),
            black: Tapered::default(),
        };
        for row in &self.rows {
            write_row(f, row)?;
            sum.white += row.white;
            sum.black += row.black;
        }
        writeln!(
            f,
            "-------------+-----------------+-----------------+-----------------"
        )?;
        write_row(f, &sum)?;
        writeln!(
            f,
            "Phase: {} of {MAX_PHASE} ({MAX_PHASE} = all pieces)",
            self.phase
        )?;
        let white = self.score.raw() * sign(self.turn);
        write!(
            f,
            "Evaluation: {:+.2} pawns for White ({white} centipawns)",
            pawns(white)
        )
    }
}

fn write_row(f: &mut fmt::Formatter<'_>, row: &Row) -> fmt::Result {
    let cell = |value: Tapered| {
        format!(
            "{:>7.2} {:>7.2} ",
            pawns(value.middlegame()),
            pawns(value.endgame())
        )
    };
    let total = cell(row.total());
    writeln!(
        f,
        "{:<12} | {}| {}| {}",
        row.name,
        cell(row.white),
        cell(row.black),
        total.trim_end()
    )
}

fn pawns(centipawns: i32) -> f64 {
    f64::from(centipawns) / 100.0
}
