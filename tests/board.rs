//! The board against its oracles: perft counts, shakmaty's generator, keys and sums computed afresh.

mod common;

use common::{evaluator, position};
use lanternfish::chess::compact::{CompactMove, PackedMove};
use lanternfish::chess::movegen::{
    all_moves, has_legal_move, is_legal, legal_move, legal_moves, legal_packed, noisy_moves,
    noisy_moves_against, perft, quiet_moves,
};
use lanternfish::chess::piece_square::PieceSquareSum;
use lanternfish::chess::position::{Keys, PieceSquareTable, Position};
use proptest::prelude::*;
use shakmaty::uci::UciMove;
use shakmaty::{Bitboard, Chess, Color, Move, Position as _, Role, Square};

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
    let mut noisy: Vec<Move> = Vec::new();
    noisy_moves(position, |m| noisy.push(m.into()));
    assert!(noisy.iter().all(|m| m.is_capture() || m.is_promotion()));
    let mut quiet: Vec<Move> = Vec::new();
    quiet_moves(position, |m| quiet.push(m.into()));
    assert!(quiet.iter().all(|m| !m.is_capture() && !m.is_promotion()));
    for &m in &oracle {
        assert_eq!(legal_move(position, UciMove::from_chess960(m)), Some(m));
    }
    assert_eq!(*position.keys(), Keys::fresh(chess));
    let fresh = PieceSquareSum::fresh(chess.board(), table);
    assert_eq!(position.piece_square_sum(), fresh.value());
    assert_eq!(position.checkers(), chess.checkers());
}

/// The pieces that a slider of the other side would see the king through.
fn pinned(chess: &Chess) -> Bitboard {
    let (board, us) = (chess.board(), chess.turn());
    let king = board.king_of(us).unwrap();
    let attackers = |occupied| board.attacks_to(king, !us, occupied);
    let before = attackers(board.occupied());
    let opens_a_line = |&square: &Square| {
        let without = board.occupied().without(square);
        (attackers(without) & !before).any()
    };
    let own = board.by_color(us).without(king);
    own.into_iter().filter(opens_a_line).collect()
}

/// The squares that the pieces of these roles attack.
fn attacked_by(chess: &Chess, roles: &[Role]) -> Bitboard {
    let board = chess.board();
    let attackers = board.by_color(!chess.turn()).into_iter();
    let attackers = attackers.filter(|&square| roles.contains(&board.role_at(square).unwrap()));
    attackers.fold(Bitboard::EMPTY, |all, square| {
        all | board.attacks_from(square)
    })
}

/// Everything else that a position keeps beside the rules, against shakmaty's own functions.
fn check_derived_state(position: &Position) {
    let chess = position.chess();
    assert_eq!(position.checkers(), chess.checkers(), "{chess:?}");
    assert_eq!(position.pinned(), pinned(chess), "{chess:?}");
    assert_eq!(position.en_passant(), chess.legal_ep_square(), "{chess:?}");
    let threats = position.threats_by_worth();
    let minors = [Role::Pawn, Role::Knight, Role::Bishop];
    let rooks = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook];
    assert_eq!(threats.by_pawns, attacked_by(chess, &[Role::Pawn]));
    assert_eq!(threats.by_minors, attacked_by(chess, &minors));
    assert_eq!(threats.by_rooks, attacked_by(chess, &rooks));
    assert_eq!(threats.all, attacked_by(chess, &Role::ALL));
}

/// Captures of some pieces only: the promotions, and those of all noisy moves that capture one of them.
fn check_noisy_against(position: &Position) {
    let board = position.board();
    for role in Role::ALL {
        let victims = board.by_role(role);
        let mut found: Vec<Move> = Vec::new();
        noisy_moves_against(position, victims, |m| found.push(m.into()));
        let oracle = position.chess().legal_moves();
        let wanted = oracle
            .into_iter()
            .filter(|m| m.is_promotion() || m.capture() == Some(role));
        assert_eq!(sorted(found), sorted(wanted), "{role:?} in {board:?}");
    }
}

/// A piece gives check from the squares that are named for it and from no other, discovered check apart.
fn check_checking_squares(position: &Position) {
    let squares = position.checking_squares();
    for m in position.chess().legal_moves() {
        if m.is_castle() || m.is_promotion() {
            continue;
        }
        let mut child = position.chess().clone();
        child.play_unchecked(m);
        let checks = child.checkers().contains(m.to());
        let named = squares[m.role() as usize].contains(m.to());
        assert_eq!(named, checks, "{m:?} in {:?}", position.chess());
    }
}

/// What the position knows of the pieces, counted square by square.
fn check_pieces(position: &Position) {
    let chess = position.chess();
    let board = chess.board();
    for color in Color::ALL {
        let officers = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
        let has = |role: Role| board.iter().any(|(_, piece)| piece == role.of(color));
        assert_eq!(position.has_pieces(color), officers.into_iter().any(has));
        assert_eq!(Some(position.king(color)), board.king_of(color));
    }
    assert_eq!(position.key(), Keys::fresh(chess).full);
    assert_eq!(position.in_check(), chess.is_check());
    assert_eq!(has_legal_move(position), !chess.legal_moves().is_empty());
}

/// Moves of earlier positions are legal here when they are among the moves of this one.
fn check_moves_from_elsewhere(position: &Position, elsewhere: &[CompactMove]) {
    let moves = all_moves(position);
    for &m in elsewhere {
        assert_eq!(is_legal(position, m), moves.contains(&m), "{m:?}");
    }
}

/// All the bits that a table may hold, those of another position included: what comes out is the move they came from.
fn check_packed_moves(position: &Position) {
    assert_eq!(PackedMove::from_bits(0), None);
    // Bits 12 to 14 are the promotion: none, or one of six roles.
    for packed in (1..0x7000).filter_map(PackedMove::from_bits) {
        let mut moves = all_moves(position).into_iter();
        let wanted = moves.find(|m| m.pack() == packed);
        assert_eq!(legal_packed(position, packed), wanted, "{packed:?}");
    }
}

/// The key that is known before a move is made, where nothing but pieces changes.
fn check_keys_after(position: &Position, table: &PieceSquareTable) {
    let rights = |position: &Position| position.chess().castles().castling_rights();
    for m in all_moves(position) {
        let child = position.child(m, table);
        let special = m.is_castle() || m.is_en_passant();
        let en_passant = position.en_passant().or(child.en_passant());
        if !special && en_passant.is_none() && rights(position) == rights(&child) {
            assert_eq!(position.key_after(m), child.key(), "{m:?}");
        }
    }
}

/// A null move, against the same position set up with the other side to move.
fn check_null_move(position: &Position, table: &PieceSquareTable) {
    let Some(passed) = position.null_child() else {
        assert!(position.in_check() || position.chess().clone().swap_turn().is_err());
        return;
    };
    let expected = Position::new(position.chess().clone().swap_turn().unwrap(), table);
    assert_eq!(passed.turn(), !position.turn());
    assert_eq!(passed.keys(), expected.keys());
    assert_eq!(passed.key(), position.key_after_null());
    assert_eq!(passed.piece_square_sum(), expected.piece_square_sum());
    assert_eq!((passed.en_passant(), passed.reversible()), (None, 0));
    check_derived_state(&passed);
}

/// Every pair of squares with every promotion: the legal ones are exactly the oracle's.
fn check_single_moves(position: &Position) {
    let oracle = position.chess().legal_moves();
    let promotions = [None].into_iter().chain(Role::ALL.map(Some));
    for from in Square::ALL {
        for to in Square::ALL {
            for promotion in promotions.clone() {
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
    let mut elsewhere: Vec<CompactMove> = Vec::new();
    for &choice in choices {
        check_pieces(&position);
        check_noisy_against(&position);
        check_checking_squares(&position);
        check_moves_from_elsewhere(&position, &elsewhere);
        elsewhere = elsewhere.split_off(elsewhere.len().saturating_sub(80));
        elsewhere.extend(all_moves(&position));
        check_against_oracle(&position, table);
        check_derived_state(&position);
        check_keys_after(&position, table);
        check_null_move(&position, table);
        let halfmoves = position.chess().halfmoves() as usize;
        assert_eq!(position.reversible(), halfmoves);
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
fn a_pawn_becomes_each_of_four_pieces() {
    let table = evaluator().table();
    for (fen, ways) in [
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", 1),
        ("1n6/P6k/8/8/8/8/8/K7 w - - 0 1", 2),
    ] {
        let root = position(fen);
        for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
            let promotes = |m: &CompactMove| m.promotion() == Some(role);
            let moves: Vec<CompactMove> = all_moves(&root).into_iter().filter(promotes).collect();
            assert_eq!(moves.len(), ways, "{role:?} in {fen}");
            for m in moves {
                let child = root.child(m, table);
                assert_eq!(child.board().piece_at(m.to()), Some(role.of(Color::White)));
                check_against_oracle(&child, table);
            }
        }
    }
}

#[test]
fn bits_of_any_move_become_a_legal_move_or_none() {
    for fen in [
        "1n6/P6k/8/8/8/8/7p/K7 w - - 0 1",
        "1n6/P6k/8/8/8/8/7p/K7 b - - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "4k3/8/8/3pP2r/K7/8/8/8 w - d6 0 1",
    ] {
        check_packed_moves(&position(fen));
        check_single_moves(&position(fen));
    }
}

#[test]
fn a_move_of_another_piece_or_with_another_victim_is_not_legal() {
    let root = position("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1");
    let (from, to) = (Square::E4, Square::D5);
    for (role, capture, legal) in [
        (Role::Pawn, Some(Role::Pawn), true),
        (Role::Pawn, Some(Role::Knight), false),
        (Role::Pawn, None, false),
        (Role::Bishop, Some(Role::Pawn), false),
    ] {
        let m = CompactMove::normal(role, from, to, capture, None);
        assert_eq!(is_legal(&root, m), legal, "{role:?} takes {capture:?}");
    }
    assert!(!is_legal(&root, CompactMove::en_passant(from, to)));
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
