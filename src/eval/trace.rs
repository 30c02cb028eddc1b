//! The evaluation told to a person: each term for both sides.

use std::fmt;

use shakmaty::Color;

use super::{Evaluator, phase, psqt, sign};
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

pub(super) fn trace(evaluator: &Evaluator, position: &Position) -> Trace {
    let mut material = Row::new("Material");
    let mut place = Row::new("Position");
    for (square, piece) in position.board().iter() {
        let seen = piece.color.fold_wb(square, square.flip_vertical());
        material.add(piece.color, psqt::material(&evaluator.weights, piece.role));
        place.add(
            piece.color,
            psqt::place(&evaluator.weights, piece.role, seen),
        );
    }
    Trace {
        rows: vec![material, place],
        phase: phase(position.board()),
        score: evaluator.evaluate(position),
        turn: position.turn(),
    }
}

impl Row {
    fn new(name: &'static str) -> Row {
        Row {
            name,
            white: Tapered::default(),
            black: Tapered::default(),
        }
    }

    fn add(&mut self, color: Color, value: Tapered) {
        match color {
            Color::White => self.white += value,
            Color::Black => self.black += value,
        }
    }

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
        let mut sum = Row::new("Total");
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
