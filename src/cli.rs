//! The command line. Without arguments the engine speaks UCI.

mod analysis;

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Args, Parser, Subcommand};
use shakmaty::CastlingMode;

use crate::bench;
use crate::chess::eval::{Evaluator, Trace};
use crate::chess::fen;
use crate::chess::movegen::legal_moves;
use crate::chess::position::{Position, initial_chess};
use crate::progress;
use crate::score::MAX_PLY;
use crate::search::{Control, Limits, MAX_THREADS};
#[cfg(feature = "tune")]
use crate::tune::command;
use crate::uci::{self, moves, perft, report, wdl};

/// The exit code for an error, as clap uses it for a wrong argument.
const ERROR: u8 = 2;

/// The longest analysis, in seconds: a year.
const MAX_SECONDS: f64 = 366.0 * 24.0 * 3600.0;

/// What a progress bar shows.
const BAR: &str = "{bar:40} {pos}/{len} {elapsed}";

const EXAMPLES: &str = "\
Examples:
  lanternfish                                           speak UCI
  lanternfish bench 12 1 16                             depth, threads, hash in MiB
  lanternfish perft 5 --divide                          a count for each move
  lanternfish eval --fen \"4k3/8/8/8/8/8/4P3/4K3 w - -\"  explain an evaluation
  lanternfish eval --svg board.svg                      draw it
  lanternfish eval --svg board.svg --term threats       draw where one term comes from
  lanternfish analyse --time 10                         think for ten seconds";

/// A UCI chess engine. Without a command it speaks UCI on standard input and output.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Search a fixed set of positions; the last line is `<n> nodes <n> nps`
    Bench(BenchArguments),
    /// Count the positions that are a number of plies away
    Perft(PerftArguments),
    /// Explain the evaluation of a position
    Eval(EvalArguments),
    /// Analyse a position and show the lines for a person to read
    #[command(alias = "analyze")]
    Analyse(AnalyseArguments),
    /// List the numbers of the search for an SPSA tuner
    #[cfg(feature = "tune")]
    Spsa,
    #[cfg(feature = "tune")]
    Datagen(command::DatagenArguments),
    #[cfg(feature = "tune")]
    Tune(command::TuneArguments),
    #[cfg(feature = "tune")]
    FirstWeights(command::FirstWeightsArguments),
    #[cfg(feature = "tune")]
    WdlFit(command::WdlFitArguments),
}

#[derive(Args, Debug)]
struct BenchArguments {
    /// Depth of each search in plies
    #[arg(default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,
    /// Number of search threads
    #[arg(default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_THREADS)))]
    threads: u32,
    /// Size of the transposition table in MiB
    #[arg(default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
}

#[derive(Args, Debug)]
struct PositionArguments {
    /// The position, in quotes; the start position when it is left out
    #[arg(long)]
    fen: Option<String>,
    /// Read and write castling as Chess960 does
    #[arg(long)]
    chess960: bool,
}

#[derive(Args, Debug)]
struct EvalArguments {
    #[command(flatten)]
    position: PositionArguments,
    /// Write a picture of the board with each piece's worth to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Draw what each piece contributes to this term of the table instead, such as "king danger"
    #[arg(long, value_name = "NAME", requires = "svg")]
    term: Option<String>,
}

#[derive(Args, Debug)]
struct PerftArguments {
    /// Depth in plies
    #[arg(value_parser = clap::value_parser!(u32).range(..=MAX_PLY as i64))]
    depth: u32,
    #[command(flatten)]
    position: PositionArguments,
    /// Show the count for each move
    #[arg(long)]
    divide: bool,
}

#[derive(Args, Debug)]
struct AnalyseArguments {
    #[command(flatten)]
    position: PositionArguments,
    /// Time to think in seconds; 5 when no depth is given
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// Depth in plies
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
}

impl PositionArguments {
    fn castling(&self) -> CastlingMode {
        CastlingMode::from_chess960(self.chess960)
    }

    fn position(&self, evaluator: &Evaluator) -> io::Result<Position> {
        let chess = match &self.fen {
            Some(text) => fen::parse_as(text, self.castling())
                .map_err(|error| io::Error::other(format!("--fen '{text}': {error}")))?,
            None => initial_chess(),
        };
        Ok(Position::new(chess, evaluator.table()))
    }
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= MAX_SECONDS => {
            Ok(Duration::from_secs_f64(seconds))
        }
        _ => Err("a positive number of seconds is needed, of at most a year".to_string()),
    }
}

/// Runs the program and returns its exit code: 0, or 2 after an error, which is reported on standard error.
pub fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        None => uci::run().map_err(io::Error::other),
        Some(Command::Bench(arguments)) => run_bench(&arguments),
        Some(Command::Perft(arguments)) => run_perft(&arguments),
        Some(Command::Eval(arguments)) => run_eval(&arguments),
        Some(Command::Analyse(arguments)) => run_analysis(&arguments),
        #[cfg(feature = "tune")]
        Some(Command::Spsa) => {
            uci::tune::spsa_lines().try_for_each(|line| writeln!(io::stdout(), "{line}"))
        }
        #[cfg(feature = "tune")]
        Some(Command::Datagen(arguments)) => command::run_datagen(&arguments),
        #[cfg(feature = "tune")]
        Some(Command::Tune(arguments)) => command::run_tune(&arguments),
        #[cfg(feature = "tune")]
        Some(Command::FirstWeights(arguments)) => command::run_first_weights(&arguments),
        #[cfg(feature = "tune")]
        Some(Command::WdlFit(arguments)) => command::run_wdl_fit(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the output has closed it.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // When even that cannot be written, the exit code has to do.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::from(ERROR)
        }
    }
}

fn run_bench(arguments: &BenchArguments) -> io::Result<()> {
    let config = bench::Config {
        depth: arguments.depth,
        threads: arguments.threads,
        hash_mib: arguments.hash,
    };
    let bar = progress::bar(BAR, Some(bench::POSITIONS.len() as u64));
    let control = Control::new();
    let mut written = Ok(());
    let total = bench::run(config, &control, &mut |line| {
        bar.inc(1);
        written = bar.suspend(|| writeln!(io::stdout(), "{line}"));
        if written.is_err() {
            control.stop();
        }
    });
    bar.finish_and_clear();
    written?;
    let total = total.map_err(io::Error::other)?;
    writeln!(io::stdout(), "{total}")
}

fn run_perft(arguments: &PerftArguments) -> io::Result<()> {
    let evaluator = Evaluator::new();
    let position = arguments.position.position(&evaluator)?;
    let castling = arguments.position.castling();
    let moves = legal_moves(&position).len() as u64;
    let bar = progress::bar(BAR, Some(moves));
    let mut written = Ok(());
    let start = Instant::now();
    let mut each = |m, count| {
        bar.inc(1);
        if arguments.divide {
            let text = moves::write(m, castling);
            written = bar.suspend(|| writeln!(io::stdout(), "{text}: {count}"));
        }
        written.is_ok()
    };
    let (depth, table) = (arguments.depth, evaluator.table());
    let nodes = perft::divide(&position, depth, table, &|| false, &mut each).nodes;
    bar.finish_and_clear();
    written?;
    let seconds = start.elapsed().as_secs_f64();
    let speed = (nodes as f64 / seconds.max(1e-6)) as u64;
    writeln!(
        io::stdout(),
        "{nodes} nodes in {seconds:.3} s, {} nodes/s",
        analysis::short(speed)
    )
}

fn run_eval(arguments: &EvalArguments) -> io::Result<()> {
    let evaluator = Evaluator::new();
    let position = arguments.position.position(&evaluator)?;
    let trace = evaluator.trace(&position);
    let model = wdl::Model::new(position.board());
    if let Some(path) = &arguments.svg {
        let notes = [
            trace.summary(),
            report::white_chances(&trace, model),
            fen::write(position.chess()),
        ];
        let picture = evaluator.picture(&position, arguments.term.as_deref(), &notes);
        let picture = picture.ok_or_else(|| {
            let names: Vec<&str> = Trace::names().collect();
            io::Error::other(format!(
                "there is no such term; the terms are: {}",
                names.join(", ")
            ))
        })?;
        fs::write(path, picture)
            .map_err(|error| io::Error::other(format!("{}: {error}", path.display())))?;
    }
    writeln!(io::stdout(), "{}", report::evaluation(&trace, model))
}

fn run_analysis(arguments: &AnalyseArguments) -> io::Result<()> {
    const DEFAULT: Duration = Duration::from_secs(5);
    let limits = Limits {
        depth: arguments.depth,
        move_time: arguments
            .time
            .or(arguments.depth.is_none().then_some(DEFAULT)),
        ..Limits::default()
    };
    let position = arguments.position.position(&Evaluator::new())?;
    analysis::run(position, limits, arguments.position.castling())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn parse(line: &str) -> Result<Option<Command>, clap::Error> {
        Arguments::try_parse_from(line.split(' ')).map(|arguments| arguments.command)
    }

    #[test]
    fn the_definition_is_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn bench_has_the_defaults_of_its_own() {
        let Ok(Some(Command::Bench(arguments))) = parse("lanternfish bench") else {
            panic!("bench expected");
        };
        let config = bench::Config::default();
        assert_eq!(
            (arguments.depth, arguments.threads, arguments.hash),
            (config.depth, config.threads, config.hash_mib)
        );
    }

    #[test]
    fn wrong_arguments_are_refused() {
        for line in [
            "lanternfish nonsense",
            "lanternfish bench x",
            "lanternfish bench 0",
            "lanternfish perft",
            "lanternfish perft -1",
            "lanternfish analyse --time -1",
            "lanternfish analyse --time inf",
            "lanternfish perft 10000",
        ] {
            assert_eq!(
                parse(line).map(|_| ()).map_err(|e| e.exit_code()),
                Err(2),
                "{line}"
            );
        }
        assert!(matches!(parse("lanternfish"), Ok(None)));
    }
}
