//! The board against its oracles: perft counts, shakmaty's generator, keys and sums computed afresh.

mod common;

use common::{evaluator, position};
use lanternfish::chess::movegen::{legal_move, legal_moves, noisy_moves, perft, quiet_moves};
use lanternfish::chess::piece_square::PieceSquareSum;
use lanternfish::chess::position::{Keys, PieceSquareTable, Position};
use proptest::prelude::*;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move, Position as _, Square};

/// A move as a sortable number, to compare lists that come in any order.
fn rank(m: &Move) -> (bool, u32, u32, u32) {
    let from = m.from().unwrap_or(Square::A1);
    (
        m.is_castle(),
        from.into(),
        m.to().into(),
        m.promotion().map_or(0, u32::from),
    )
}

fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<Move> {
    let mut moves: Vec<Move> = moves.into_iter().collect();
    moves.sort_by_key(rank);
    moves
}

/// Every claim a position makes, checked against the slow way to get it.
fn check_against_oracle(position: &Position, table: &PieceSquareTable) {
    let chess = position.chess();
    let oracle = sorted(chess.legal_moves());
    assert_eq!(sorted(legal_moves(position)), oracle, "{chess:?}");
    let mut noisy = Vec::new();
    noisy_moves(position, |m| noisy.push(m));
    assert!(noisy.iter().all(|m| m.is_capture() || m.is_promotion()));
    let mut quiet = Vec::new();
    quiet_moves(position, |m| quiet.push(m));
    assert!(quiet.iter().all(|m| !m.is_capture() && !m.is_promotion()));
    for &m in &oracle {
        assert_eq!(legal_move(position, UciMove::from_chess960(m)), Some(m));
    }
    assert_eq!(*position.keys(), Keys::fresh(chess));
    let fresh = PieceSquareSum::fresh(chess.board(), table);
    assert_eq!(position.piece_square_sum(), fresh.value());
    assert_eq!(position.checkers(), chess.checkers());
}

/// Every pair of squares with every promotion: the legal ones are exactly the oracle's.
fn check_single_moves(position: &Position) {
    let oracle = position.chess().legal_moves();
    let promotions = [
        None,
        Some(shakmaty::Role::Queen),
        Some(shakmaty::Role::Knight),
    ];
    for from in Square::ALL {
        for to in Square::ALL {
            for promotion in promotions {
                let uci = UciMove::Normal {
                    from,
                    to,
                    promotion,
                };
                let found = legal_move(position, uci);
                let expected = oracle
                    .iter()
                    .copied()
                    .find(|&m| UciMove::from_chess960(m) == uci);
                assert_eq!(found, expected, "{uci} in {:?}", position.chess());
            }
        }
    }
}

fn random_game(start: Chess, choices: &[u16]) {
    let evaluator = evaluator();
    let table = evaluator.table();
    let mut position = Position::new(start, table);
    for &choice in choices {
        check_against_oracle(&position, table);
        if let Some(passed) = position.null_child() {
            assert_eq!(*passed.keys(), Keys::fresh(passed.chess()));
        }
        let moves = legal_moves(&position);
        let Some(&m) = moves.get(usize::from(choice) % moves.len().max(1)) else {
            return;
        };
        position = position.child(m, table);
    }
    check_single_moves(&position);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn generator_keys_and_sums_agree_with_the_oracle_in_random_games(
        choices in prop::collection::vec(any::<u16>(), 1..160)
    ) {
        random_game(Chess::new(), &choices);
    }

    #[test]
    fn the_same_in_chess960(
        line in 0..common::perft_lines().len(),
        choices in prop::collection::vec(any::<u16>(), 1..100)
    ) {
        random_game(position(&common::perft_lines()[line].fen).chess().clone(), &choices);
    }
}

#[test]
fn perft_counts_are_the_known_ones() {
    let evaluator = evaluator();
    for line in common::perft_lines() {
        let count = perft(&position(&line.fen), line.depth, evaluator.table());
        assert_eq!(count, line.count, "depth {} of {}", line.depth, line.fen);
    }
}

#[test]
fn en_passant_that_uncovers_the_king_is_illegal() {
    let pinned = position("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1");
    assert!(legal_moves(&pinned).iter().all(|m| !m.is_en_passant()));
    assert_eq!(pinned.en_passant(), None);
    let free = position("8/8/8/3pP2r/K7/8/8/4k3 w - d6 0 1");
    assert!(legal_moves(&free).iter().any(|m| m.is_en_passant()));
}

#[test]
fn an_en_passant_square_nobody_can_use_does_not_change_the_key() {
    let with = position("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1");
    let without = position("4k3/8/8/3p4/8/8/8/4K3 w - - 0 1");
    assert_eq!(with.key(), without.key());
}

/// The first rank of Fischer random start position number `number`, in the usual numbering
/// (<https://www.chessprogramming.org/Chess960>).
fn fischer_rank(mut number: usize) -> String {
    const KNIGHTS: [(usize, usize); 10] = [
        (0, 1),
        (0, 2),
        (0, 3),
        (0, 4),
        (1, 2),
        (1, 3),
        (1, 4),
        (2, 3),
        (2, 4),
        (3, 4),
    ];
    let mut next = |choices: usize| {
        let choice = number % choices;
        number /= choices;
        choice
    };
    let mut rank = [' '; 8];
    rank[2 * next(4) + 1] = 'b';
    rank[2 * next(4)] = 'b';
    let mut place = |free: usize, piece: char| {
        let square = (0..8)
            .filter(|&square| rank[square] == ' ')
            .nth(free)
            .unwrap();
        rank[square] = piece;
    };
    place(next(6), 'q');
    let (first, second) = KNIGHTS[next(10)];
    place(second, 'n');
    place(first, 'n');
    for piece in ['r', 'k', 'r'] {
        place(0, piece);
    }
    rank.iter().collect()
}

#[test]
fn all_fischer_random_starts_have_shakmatys_perft_to_three() {
    assert_eq!(fischer_rank(518), "rnbqkbnr");
    let evaluator = evaluator();
    for number in 0..960 {
        let rank = fischer_rank(number);
        let fen = format!(
            "{rank}/pppppppp/8/8/8/8/PPPPPPPP/{} w KQkq - 0 1",
            rank.to_uppercase()
        );
        let start = position(&fen);
        let expected = shakmaty::perft(start.chess(), 3);
        assert_eq!(perft(&start, 3, evaluator.table()), expected, "{fen}");
    }
}
