//! A fixed piece of work: its node count is the fingerprint of the search, its speed that of the machine.

use std::fmt;
use std::time::{Duration, Instant};

use shakmaty::{CastlingMode, Move};

use crate::chess::eval::Evaluator;
use crate::chess::fen;
use crate::chess::keys::KeyPath;
use crate::chess::position::Position;
use crate::search::{Control, Figures, Job, Limits, Search, Settings, SetupError};

/// The positions that are searched.
pub const POSITIONS: [&str; COUNT] = [
    // The start position, and openings played out for ten moves or more.
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r2qr1k1/bpp2pp1/p1npbn1p/4p3/4P3/1BPP1N1P/PP3PP1/R1BQRNK1 w - - 4 12",
    "r1b2rk1/2q1bppp/2np1n2/pp2p3/3PP3/1N3N1P/PPB2PP1/R1BQR1K1 w - - 0 15",
    "r1b2rk1/5ppp/p1pb4/1p1n4/3P4/1BP3Pq/PP3P1P/RNBQR1K1 w - - 1 15",
    "r3k3/ppp1bpp1/2p1b2r/4PnNp/5B2/2N4P/PPP2PP1/3R1RK1 w - - 6 14",
    "r2qk2r/pQp2ppp/2n1b3/b2n4/2BP4/5N2/P4PPP/RNB2RK1 b kq - 0 11",
    "r2qnrk1/3nbppp/3pb3/p3p1P1/1p2PP2/1N2B3/PPPQN2P/2KR1B1R w - - 0 15",
    "3q1rk1/p2bppb1/3p1np1/1pr1n1Bp/3NP2P/1BN2P2/PPPQ2P1/1K1R3R w - - 0 15",
    "r2qkb1r/4np1p/p2p4/1p1Ppp2/8/N2B4/PPP2PPP/R2Q1RK1 w kq - 1 14",
    "r3k1r1/ppqbnp2/2n1p3/3pP3/5P2/P1pQ4/2P1N1PP/R1B1KB1R w KQq - 0 13",
    "r2qk2r/p2nbppb/Ppp1p2p/3pPn2/3P4/1N3N2/1PP1BPPP/R1BQ1RK1 w kq - 0 12",
    "rn2kb1r/pp3ppp/2p1pq2/8/2BP2b1/5N2/PPPBQPPP/R3K2R w KQkq - 2 11",
    "r2qk2r/pppbbppp/1n6/3PP3/1n1N4/2N1B3/PP4PP/R2QKB1R w KQkq - 3 13",
    "rn1qk2r/pp2p1bp/3pN1p1/1bp5/3P1Pn1/2N5/PPP3PP/R1BQK2R b KQkq - 0 10",
    "2rqrnk1/pp2bppp/2p1bn2/3p2B1/3P4/2NBPP2/PPQ1N1PP/3R1RK1 w - - 3 13",
    "r1bqkb1r/3n1p1p/4pp2/1p6/3p4/3B1N2/PP3PPP/R1BQK2R w KQkq - 0 13",
    "2kr1b1r/pb1n1p2/1q2pP2/2pP2B1/1pp5/2N3P1/PP3PBP/R2Q1RK1 w - - 0 16",
    "r2q1rk1/1bpnbppp/p3p3/1p1n4/3P4/2N1BNP1/PP2PPBP/R1Q2RK1 w - - 10 14",
    "r1b1r1k1/ppq2ppp/2n2n2/2p1p3/3P4/P1PBPN2/2Q2PPP/R1B2RK1 w - - 2 13",
    "r1bq1rk1/ppp3bp/3p1nn1/2PPp1p1/4Pp2/2NN1P2/PP1BB1PP/2RQ1RK1 w - - 2 15",
    "r2q1rk1/pp2ppbp/4b1p1/n7/3PP3/3BBP2/P3N1PP/R2Q1RK1 w - - 1 14",
    "r1bqr1k1/1p1n1pbp/p2p2p1/2pP4/Pn2PP2/2N2N2/1P4PP/R1BQRBK1 w - - 2 14",
    "r4rk1/3nppbp/3p1np1/q1pP4/P3P3/2N2NP1/1P3PKP/R1BQ3R w - - 1 13",
    "rn3rk1/pb2q1pp/1p1bpn2/3pNp2/3P4/NP4P1/PB2PPBP/R2Q1RK1 w - - 2 12",
    "r2q1rk1/1pp1b1pp/1n2bp2/pP2p3/3n4/P1NP1NP1/4PPBP/1RBQ1RK1 w - - 1 13",
    "r4rk1/1bq1bppp/pp1ppn2/2n5/2PQP3/BPN2NP1/P4PBP/R3R1K1 w - - 5 14",
    // Middlegames with something to find.
    "r1bq1rk1/pp1nbppp/2n1p3/2ppP3/3P4/2PB1N2/PP3PPP/RNBQ1RK1 w - - 0 9",
    "r4r1k/pp4pp/8/6N1/2Q5/8/PP3qPP/5R1K w - - 0 1",
    "2r3k1/5ppp/p7/1p6/8/1P3Q2/P4PPP/2q1R1K1 w - - 0 30",
    "8/5P1k/8/4B1K1/8/8/1r6/5q2 w - - 0 1",
    "r2q1rk1/ppp2ppp/2n1b3/3np1N1/2B5/3P4/PPP2PPP/R1BQ1RK1 w - - 0 11",
    "r1bqk2r/ppp2ppp/2n2n2/4p3/1bB1P3/5N2/PP3PPP/RNBQK2R w KQkq - 0 8",
    "2kr3r/ppq1bp2/2n1pn2/3p3p/3P1B2/2PB1Q2/PP3PPP/R4RK1 b - - 3 17",
    "5rk1/1p3p1p/p2pq1p1/4n3/8/1PQ4P/P1P2PB1/4R1K1 w - - 0 25",
    // Endgames.
    "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1",
    "4k3/R7/7r/3KP3/8/8/8/8 b - - 0 1",
    "5rk1/5p1p/6p1/8/8/4P1P1/R4P1P/6K1 w - - 4 40",
    "8/1p3k2/p1p1bp2/P1Pp1p1p/3P1P1P/1NP1K1P1/8/8 w - - 0 1",
    "5k2/5p2/4b1p1/p2p3p/P2B3P/4PKP1/5P2/8 w - - 6 45",
    "8/pp2kppp/2n1pn2/8/2B5/2B1P3/PP3PPP/6K1 w - - 0 22",
    "8/5kpp/5p2/p7/8/5PP1/P4K1P/8 w - - 0 36",
    "8/ppp5/8/PPP5/8/8/6k1/K7 w - - 0 1",
    "8/8/3k4/8/3K4/3P4/8/8 b - - 0 1",
    "8/8/8/4Q3/8/6K1/2pk4/8 w - - 0 1",
    "8/1p3p1k/p1q3p1/7p/P2Q3P/1P4P1/5P2/6K1 w - - 2 38",
    "8/8/8/4k3/8/2NBK3/8/8 w - - 12 60",
    "8/8/4k3/4p1p1/2b1P1Pp/5K1P/8/4R3 b - - 40 70",
    "8/3R4/5k2/8/3BK3/8/2r5/8 b - - 88 120",
    "8/1P4k1/6p1/1R6/8/6pK/r7/8 b - - 0 50",
    // Chess960.
    "nnbbqrkr/pppp1p1p/6p1/4p3/4P3/6P1/PPPP1P1P/NNBBQRKR w HFhf - 0 3",
    "nqbrkr1b/pp1ppp1p/5np1/8/3pP3/5NP1/PPP2P1P/NQBRKR1B w FDfd - 0 5",
    "rqkn1bbr/p2ppp1p/1p1n2p1/2p5/2P5/1P1N2P1/P2PPP1P/RQKN1BBR w HAha - 0 5",
    "rkqbbrnn/pppppppp/8/8/8/8/PPPPPPPP/RKQBBRNN w FAfa - 0 1",
];

const COUNT: usize = 53;

/// How the work is done.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Config {
    /// Depth of each search in plies.
    pub depth: u32,
    /// Number of search threads. With more than one the node count is not always the same.
    pub threads: u32,
    /// Size of the transposition table in MiB.
    pub hash_mib: u32,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            depth: 12,
            threads: 1,
            hash_mib: 16,
        }
    }
}

/// The result of one position. Its `Display` is a line for a person.
#[derive(Clone, Debug)]
pub struct Line {
    /// The position.
    pub fen: &'static str,
    /// Its number, from 1.
    pub number: usize,
    /// The move that was found.
    pub best: Option<Move>,
    /// What the search took.
    pub figures: Figures,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let best = self.best.map(|m| m.to_uci(CastlingMode::Chess960));
        let best = best.map_or("-".to_string(), |m| m.to_string());
        let nodes = self.figures.nodes;
        write!(
            f,
            "{:>2}/{COUNT} {nodes:>10} nodes  {best:<5}  {}",
            self.number, self.fen
        )
    }
}

/// The result of the whole work. Its `Display` is `<n> nodes <n> nps`, as OpenBench wants it.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct Total {
    /// Positions visited.
    pub nodes: u64,
    /// Time spent searching.
    pub elapsed: Duration,
}

impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let figures = Figures {
            nodes: self.nodes,
            elapsed: self.elapsed,
            ..Figures::default()
        };
        write!(f, "{} nodes {} nps", self.nodes, figures.nodes_per_second())
    }
}

/// Searches each of the [`POSITIONS`] from a fresh start and returns the sum. `each` hears of every position
/// when it is done. When `control` says stop, the rest is left out.
///
/// # Errors
///
/// When there is no memory for the table.
pub fn run(
    config: Config,
    control: &Control,
    each: &mut dyn FnMut(Line),
) -> Result<Total, SetupError> {
    let mut search = Search::new(config.hash_mib as usize, config.threads as usize)?;
    let evaluator = Evaluator::new();
    let mut total = Total::default();
    for (index, fen) in POSITIONS.into_iter().enumerate() {
        let Ok(chess) = fen::parse(fen) else {
            continue;
        };
        search.new_game();
        let job = Job {
            root: Position::new(chess, evaluator.table()),
            path: KeyPath::default(),
            limits: Limits::depth(config.depth),
            settings: Settings::default(),
            start: Instant::now(),
        };
        let outcome = search.run(&job, control, &mut |_| ());
        if control.is_stopped() {
            break;
        }
        total.nodes += outcome.figures.nodes;
        total.elapsed += outcome.figures.elapsed;
        each(Line {
            fen,
            number: index + 1,
            best: outcome.best,
            figures: outcome.figures,
        });
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::chess::movegen::legal_moves;

    #[test]
    fn all_positions_are_legal_different_and_not_over() {
        let evaluator = Evaluator::new();
        let mut seen = HashSet::new();
        for text in POSITIONS {
            let chess = fen::parse(text).expect(text);
            assert_eq!(fen::write(&chess), text);
            let position = Position::new(chess, evaluator.table());
            assert!(!legal_moves(&position).is_empty(), "{text}");
            assert!(seen.insert(position.key()), "{text}");
        }
    }

    #[test]
    fn the_node_count_is_always_the_same() {
        let config = Config {
            depth: 3,
            hash_mib: 1,
            ..Config::default()
        };
        let run = || {
            let mut numbers = Vec::new();
            let total = run(config, &Control::new(), &mut |line| {
                assert!(line.best.is_some());
                numbers.push(line.number);
            });
            (total.expect("a total").nodes, numbers)
        };
        let (nodes, numbers) = run();
        assert!(nodes > 0);
        assert_eq!(numbers, (1..=COUNT).collect::<Vec<_>>());
        assert_eq!(run(), (nodes, numbers));
    }

    #[test]
    fn a_stop_ends_it() {
        let control = Control::new();
        control.stop();
        let total = run(Config::default(), &control, &mut |_| panic!("no line"));
        assert_eq!(total.expect("a total"), Total::default());
    }

    #[test]
    fn the_total_has_the_form_of_openbench() {
        let total = Total {
            nodes: 5000,
            elapsed: Duration::from_millis(20),
        };
        assert_eq!(total.to_string(), "5000 nodes 250000 nps");
    }
}
