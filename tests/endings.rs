//! Endings of three and four men: sign and size of the static value against the endgame tables.

mod common;

use std::collections::BTreeMap;
use std::env;

use common::evaluator;
use lanternfish::chess::fen;
use lanternfish::chess::position::Position;
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, FromSetup, Piece, Position as _, Role, Setup,
    Square,
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
            if env::var_os("SHOW").is_some_and(|shown| *shown == *name(kind)) {
                println!("{value} {wdl:?} {}", fen::write(&chess));
            }
        }
    }
    let total: usize = wrong.values().map(|counts| counts[1]).sum();
    for (kind, [seen, wrong, draws, wins]) in &wrong {
        println!("{kind:6} {seen:5} {wrong:5} wrong, {draws} of them drawn, {wins} won");
    }
    println!("{total} of {seen} wrong");
    assert!(total * 100 <= seen * (100 - RIGHT_PERCENT));
}
