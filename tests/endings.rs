//! Endings of three and four men: sign and size of the static value against the endgame tables.

mod common;

use std::collections::BTreeMap;
use std::env;

use common::evaluator;
use lanternfish::chess::fen;
use lanternfish::chess::position::Position;
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Piece, Position as _,
    Role, Setup, Square,
};
use shakmaty_syzygy::{Tablebase, Wdl};

/// A drawn position is worth no more than this, and a won one no less, in centipawns.
const LIMIT: i32 = 100;
/// Of so many positions in a hundred the value has to be right.
const RIGHT_PERCENT: usize = 98;

/// A source of random numbers (Marsaglia, Xorshift RNGs, 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % bound
    }
}

/// The pieces beside the kings: all kinds of endings of three and four men, the stronger side first.
fn kinds() -> Vec<(Vec<Role>, Vec<Role>)> {
    const ROLES: [Role; 5] = [
        Role::Queen,
        Role::Rook,
        Role::Bishop,
        Role::Knight,
        Role::Pawn,
    ];
    let mut kinds = Vec::new();
    for (index, &first) in ROLES.iter().enumerate() {
        kinds.push((vec![first], vec![]));
        for &second in &ROLES[index..] {
            kinds.push((vec![first, second], vec![]));
            kinds.push((vec![first], vec![second]));
        }
    }
    kinds
}

fn name(kind: &(Vec<Role>, Vec<Role>)) -> String {
    let letters = |roles: &[Role]| {
        roles
            .iter()
            .map(|role| role.upper_char())
            .collect::<String>()
    };
    format!("K{}K{}", letters(&kind.0), letters(&kind.1))
}

/// A random position of this kind with the colours as they fall; `None` when it is not legal and quiet.
fn random_position(kind: &(Vec<Role>, Vec<Role>), random: &mut Random) -> Option<Chess> {
    let strong = Color::from_white(random.below(2) == 0);
    let pieces = |color, roles: &[Role]| {
        let king = Piece {
            color,
            role: Role::King,
        };
        let others = roles
            .iter()
            .map(|&role| Piece { color, role })
            .collect::<Vec<_>>();
        [vec![king], others].concat()
    };
    let mut board = Board::empty();
    for piece in [pieces(strong, &kind.0), pieces(!strong, &kind.1)].concat() {
        let square = Square::new(random.below(64) as u32);
        let on_edge = Bitboard::BACKRANKS.contains(square);
        if board.occupied().contains(square) || (piece.role == Role::Pawn && on_edge) {
            return None;
        }
        board.set_piece_at(square, piece);
    }
    let setup = Setup {
        board,
        turn: Color::from_white(random.below(2) == 0),
        ..Setup::empty()
    };
    let chess = Chess::from_setup(setup, CastlingMode::Standard).ok()?;
    let moves = chess.legal_moves();
    let quiet = !chess.is_check() && moves.iter().all(|m| !m.is_capture() && !m.is_promotion());
    (quiet && !moves.is_empty()).then_some(chess)
}

/// The value from the side to move, in centipawns.
fn value(chess: &Chess) -> i32 {
    let position = Position::new(chess.clone(), evaluator().table());
    evaluator().evaluate(&position).raw()
}

fn is_right(value: i32, wdl: Wdl) -> bool {
    match wdl {
        Wdl::Win | Wdl::CursedWin => value > LIMIT,
        Wdl::Draw => value.abs() <= LIMIT,
        Wdl::Loss | Wdl::BlessedLoss => value < -LIMIT,
    }
}

#[test]
fn a_sample_of_small_endings_is_valued_as_the_tables_say() {
    let lines = include_str!("data/endings.txt").lines();
    let rows: Vec<(&str, &str)> = lines.filter_map(|line| line.split_once(';')).collect();
    assert_eq!(rows.len(), 400);
    let is_wrong = |&&(text, result): &&(&str, &str)| {
        let wdl = match result {
            "win" => Wdl::Win,
            "draw" => Wdl::Draw,
            _ => Wdl::Loss,
        };
        !is_right(value(&fen::parse(text).unwrap()), wdl)
    };
    let wrong: Vec<&(&str, &str)> = rows.iter().filter(is_wrong).collect();
    assert!(
        wrong.len() * 100 <= rows.len() * (100 - RIGHT_PERCENT),
        "{wrong:?}"
    );
}

/// From White's view, in centipawns.
fn white(text: &str) -> i32 {
    let chess = fen::parse(text).unwrap();
    value(&chess) * chess.turn().fold_wb(1, -1)
}

#[test]
fn an_extra_pawn_does_not_spoil_a_won_ending() {
    for (with, without) in [
        (
            "8/8/4BK2/8/2N1k3/8/P7/8 w - - 0 1",
            "8/8/4BK2/8/2N1k3/8/8/8 w - - 0 1",
        ),
        (
            "8/8/4BK2/4B3/8/k7/P7/8 w - - 0 1",
            "8/8/4BK2/4B3/8/k7/8/8 w - - 0 1",
        ),
        (
            "8/8/3k4/8/1K6/P1P5/8/8 b - - 0 1",
            "8/8/3k4/8/1K6/2P5/8/8 b - - 0 1",
        ),
        (
            "8/8/3k4/8/8/P7/8/K6R w - - 0 1",
            "8/8/3k4/8/8/8/8/K6R w - - 0 1",
        ),
    ] {
        assert!(
            white(with) > white(without) && white(without) > 300,
            "{with}"
        );
    }
}

#[test]
fn endings_that_only_look_won_are_drawn() {
    for text in [
        // Pieces that do not win without pawns.
        "8/8/3k4/3q4/8/2N5/8/K6Q w - - 0 1",
        "3rr1k1/8/8/8/8/8/8/1NRRK3 w - - 0 1",
        "1n2k1n1/8/8/8/8/8/8/Q3K3 w - - 0 1",
        "4k2r/8/8/8/8/8/8/RB2K3 w - - 0 1",
        // Pieces that cannot mate, against pawns.
        "8/8/3k4/3p4/8/2NNK3/8/8 w - - 0 1",
        "8/3p4/3k4/8/8/3B1B2/8/K7 w - - 0 1",
        // Queen against a pawn on the seventh rank.
        "8/8/7K/8/8/4Q3/2p5/1k6 w - - 0 1",
        // The bishop of the wrong colour.
        "7k/8/6KP/p7/8/8/8/5B2 w - - 0 1",
        "8/8/8/4k3/p7/8/4b3/K7 b - - 0 1",
        "4k3/8/p3b3/8/8/8/8/K7 w - - 0 2",
        "7k/8/6K1/7P/8/5B2/8/8 w - - 0 1",
        // A knight that must guard a rook pawn on the seventh rank.
        "k7/P7/8/5N2/8/K7/8/8 w - - 0 1",
        // Rook and pawn against rook with the king in front of the pawn; the bishop cannot drive it away.
        "4k3/8/8/4P3/4K3/8/r7/7R w - - 0 1",
        "4k3/8/4P3/4K3/8/8/3B4/b7 w - - 0 1",
    ] {
        assert!(white(text).abs() <= LIMIT, "{} for {text}", white(text));
    }
}

#[test]
fn endings_that_only_look_drawn_are_won() {
    for text in [
        "4K3/8/8/8/8/3k4/2p5/Q7 w - - 0 1",
        // The strong king stands in front of the pawn.
        "7Q/8/8/8/8/k7/2p5/2K5 w - - 0 1",
        "8/8/1K6/7k/8/5p2/R7/8 w - - 0 1",
    ] {
        assert!(white(text) > LIMIT, "{} for {text}", white(text));
    }
    // A knight far from its king is lost, and one beside it is not.
    assert!(white("k7/8/2K5/8/8/1R6/8/7n w - - 0 1") > LIMIT);
    assert!(white("4k3/4n3/8/8/8/3K4/8/R7 w - - 0 1") <= LIMIT);
}

#[test]
fn every_small_ending_has_the_value_of_its_mirror_image() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let kinds = kinds();
    let mut seen = 0;
    while seen < 20_000 {
        let kind = &kinds[random.below(kinds.len())];
        if let Some(chess) = random_position(kind, &mut random) {
            let mirrored = chess.to_setup(EnPassantMode::Legal).into_mirrored();
            let mirrored = Chess::from_setup(mirrored, CastlingMode::Standard).unwrap();
            assert_eq!(value(&chess), value(&mirrored), "{}", fen::write(&chess));
            seen += 1;
        }
    }
}

/// Needs the Syzygy tables of three and four men in the folder that SYZYGY_PATH names.
#[test]
fn small_endings_are_valued_as_the_tables_say() {
    const POSITIONS: usize = 20_000;
    let Some(path) = env::var_os("SYZYGY_PATH") else {
        return;
    };
    let mut tables = Tablebase::new();
    tables.add_directory(path).unwrap();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let kinds = kinds();
    let mut wrong: BTreeMap<String, [usize; 4]> = BTreeMap::new();
    let mut seen = 0;
    while seen < POSITIONS {
        let kind = &kinds[random.below(kinds.len())];
        let Some(chess) = random_position(kind, &mut random) else {
            continue;
        };
        let wdl = tables.probe_wdl_after_zeroing(&chess).unwrap();
        seen += 1;
        let counts = wrong.entry(name(kind)).or_default();
        counts[0] += 1;
        let value = value(&chess);
        if !is_right(value, wdl) {
            counts[1] += 1;
            counts[if wdl == Wdl::Draw { 2 } else { 3 }] += 1;
        }
    }
    let total: usize = wrong.values().map(|counts| counts[1]).sum();
    for (kind, [seen, wrong, draws, wins]) in &wrong {
        println!("{kind:6} {seen:5} {wrong:5} wrong, {draws} of them drawn, {wins} won");
    }
    println!("{total} of {seen} wrong");
    assert!(total * 100 <= seen * (100 - RIGHT_PERCENT));
}
