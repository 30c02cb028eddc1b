//! `lanternfish wdl-fit`: the arguments and what is printed.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use super::super::read;
use super::super::wdl_fit::{Counts, Fit, STAGE_UNIT};
use crate::uci::wdl::Model;

/// About so many rows has the table.
const ROWS: u64 = 12;

/// Fit the win/draw/loss model to positions with score and result
///
/// The scores must be the engine's own: use files of `datagen`. What is printed replaces the numbers in
/// src/uci/wdl.rs.
#[derive(Args, Debug)]
pub struct WdlFitArguments {
    /// The positions, as for `tune`
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Leave out positions with a score beyond this, in centipawns
    #[arg(long, default_value_t = 1000, value_name = "CP")]
    score_limit: i32,
}

/// Reads, fits, prints.
///
/// # Errors
///
/// When a file cannot be read, or no position has a score.
pub fn run(arguments: &WdlFitArguments) -> io::Result<()> {
    let mut counts = Counts::new(arguments.score_limit);
    for path in &arguments.files {
        read::read(path, &mut |sample| {
            counts.add(&sample);
            Ok(())
        })
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
    }
    if counts.positions == 0 {
        return Err(io::Error::other("no position has a score within the limit"));
    }
    let fit = counts.fit();
    let mut out = io::stdout();
    writeln!(
        out,
        "{} positions, log loss {:.5}",
        counts.positions, fit.loss
    )?;
    tell_stages(&counts, &fit)?;
    let numbers = |numbers: &[f64]| {
        let numbers: Vec<String> = numbers
            .iter()
            .map(|number| format!("{number:.1}"))
            .collect();
        numbers.join(", ")
    };
    writeln!(
        out,
        "const EVEN_CHANCE: [f64; TERMS] = [{}];",
        numbers(&fit.even_chance)
    )?;
    writeln!(
        out,
        "const SPREAD: [f64; TERMS] = [{}];",
        numbers(&fit.spread)
    )
}

/// A table of stages: how many positions, and what the model says.
fn tell_stages(counts: &Counts, fit: &Fit) -> io::Result<()> {
    let mut out = io::stdout();
    writeln!(out, "stage  positions  even chance  win at 0")?;
    let mut positions = 0;
    for (stage, count) in counts.stages() {
        positions += count;
        if positions * ROWS >= counts.positions {
            let stage = stage as f64 / STAGE_UNIT;
            let model = Model::with_numbers(&fit.even_chance, &fit.spread, stage);
            let (even, level) = (model.even_chance(), model.win(0.0));
            writeln!(
                out,
                "{stage:>5.2}  {positions:>9}  {even:>11.1}  {level:>8.3}"
            )?;
            positions = 0;
        }
    }
    Ok(())
}
