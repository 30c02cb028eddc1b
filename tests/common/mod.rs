//! What several integration tests need.
#![allow(dead_code)]

use std::sync::OnceLock;

use lanternfish::chess::eval::Evaluator;
use lanternfish::chess::fen;
use lanternfish::chess::movegen::legal_moves;
use lanternfish::chess::position::Position;

/// The evaluation with its default weights, made once.
pub fn evaluator() -> &'static Evaluator {
    static EVALUATOR: OnceLock<Evaluator> = OnceLock::new();
    EVALUATOR.get_or_init(Evaluator::new)
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

/// The positions of games of random moves, always the same.
pub fn playouts(games: u64) -> impl Iterator<Item = Position> {
    (0..games).flat_map(playout)
}

/// The positions of one game of random moves.
pub fn playout(game: u64) -> Vec<Position> {
    const LONGEST: usize = 200;
    let mut random = (game + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut position = Position::initial(evaluator().table());
    let mut seen = Vec::new();
    for _ in 0..LONGEST {
        seen.push(position.clone());
        let moves = legal_moves(&position);
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let Some(&m) = moves.get((random >> 33) as usize % moves.len().max(1)) else {
            break;
        };
        position = position.child(m, evaluator().table());
    }
    seen
}
