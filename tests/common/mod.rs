//! What several integration tests need.
#![allow(dead_code)]

use lanternfish::eval::Evaluator;
use lanternfish::fen;
use lanternfish::position::Position;

/// The evaluation with its default weights.
pub fn evaluator() -> Evaluator {
    Evaluator::new()
}

/// The position of a FEN.
pub fn position(text: &str) -> Position {
    Position::new(fen::parse(text).unwrap(), evaluator().table())
}

/// A known perft count.
pub struct PerftLine {
    pub fen: String,
    pub depth: u32,
    pub count: u64,
}

/// The counts in `tests/data/perft.txt`.
pub fn perft_lines() -> Vec<PerftLine> {
    include_str!("../data/perft.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let mut fields = line.split(';');
            let mut field = || fields.next().unwrap().trim().to_owned();
            PerftLine {
                fen: field(),
                depth: field().parse().unwrap(),
                count: field().parse().unwrap(),
            }
        })
        .collect()
}
