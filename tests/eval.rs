//! The evaluation: the same for both colours, and the same however it is reached.

mod common;

use common::{evaluator, position};
use lanternfish::eval::blend::{DANGER_DIVISOR, DANGER_SQUARE_DIVISOR, FULL_SCALE, MAX_DANGER};
use lanternfish::movegen::legal_moves;
use lanternfish::position::Position;
use lanternfish::score::{MAX_PHASE, Tapered};
use lanternfish::{eval, fen};
use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, Position as _};

/// The position with colours exchanged and the board turned.
fn flipped(position: &Position) -> Position {
    let setup = position
        .chess()
        .to_setup(EnPassantMode::Legal)
        .into_mirrored();
    Position::new(
        Chess::from_setup(setup, CastlingMode::Chess960).unwrap(),
        evaluator().table(),
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_colour_flipped_position_has_exactly_the_same_value(
        choices in prop::collection::vec(any::<u16>(), 1..200)
    ) {
        let evaluator = evaluator();
        let mut position = Position::initial(evaluator.table());
        for choice in choices {
            let value = evaluator.evaluate(&position);
            prop_assert_eq!(value, evaluator.evaluate(&flipped(&position)));
            let fresh = Position::new(position.chess().clone(), evaluator.table());
            prop_assert_eq!(value, evaluator.evaluate(&fresh));
            prop_assert_eq!(value, evaluator.trace(&position).score());
            let moves = legal_moves(&position);
            let Some(&m) = moves.get(usize::from(choice) % moves.len().max(1)) else { break };
            position = position.child(m, evaluator.table());
        }
    }
}

#[test]
fn material_counts() {
    let value = |fen: &str| evaluator().evaluate(&position(fen)).raw();
    let start = value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(start, eval::DEFAULT.tempo.middlegame());
    assert!(value("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") > 700);
    assert!(value("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1") < -700);
    let rook_up = value("4k3/3ppp2/8/8/8/8/3PPP2/R3K3 w - - 0 1");
    let bishop_up = value("4k3/3ppp2/8/8/8/8/3PPP2/B3K3 w - - 0 1");
    let pawn_up = value("4k3/3ppp2/8/8/8/8/P2PPP2/4K3 w - - 0 1");
    assert!(rook_up > bishop_up && bishop_up > pawn_up && pawn_up > 0);
}

#[test]
fn the_trace_adds_up_and_names_its_parts() {
    let text = evaluator()
        .trace(&position("4k3/8/8/8/8/8/P7/4K3 b - - 0 1"))
        .to_string();
    for word in [
        "Material",
        "Position",
        "Total",
        "Phase: 0 of 24",
        "for White",
    ] {
        assert!(text.contains(word), "no {word} in\n{text}");
    }
}

/// The value from White's view, computed as the tuner does: from coefficients and weights.
fn from_coefficients(position: &Position) -> f64 {
    let flat = eval::DEFAULT.to_flat();
    let found = eval::coefficients(position);
    let sum = |counts: &[(u16, i16)], half: fn(Tapered) -> i32| -> f64 {
        let weigh = |&(index, count): &(u16, i16)| {
            f64::from(half(flat[usize::from(index)])) * f64::from(count)
        };
        counts.iter().map(weigh).sum()
    };
    let danger = |king: usize| {
        let middlegame = sum(&found.danger[king], Tapered::middlegame);
        let middlegame = middlegame.clamp(0.0, MAX_DANGER.into());
        let endgame = sum(&found.danger[king], Tapered::endgame).max(0.0);
        let squared = middlegame * middlegame / f64::from(DANGER_SQUARE_DIVISOR);
        (squared, endgame / f64::from(DANGER_DIVISOR))
    };
    let (white, black) = (danger(0), danger(1));
    let middlegame = sum(&found.linear, Tapered::middlegame) - white.0 + black.0;
    let endgame = sum(&found.linear, Tapered::endgame) - white.1 + black.1;
    let scale = f64::from(found.scale[usize::from(endgame < 0.0)]) / f64::from(FULL_SCALE);
    let phase = f64::from(found.phase);
    let full = f64::from(MAX_PHASE);
    (middlegame * phase + endgame * scale * (full - phase)) / full
}

#[test]
fn the_coefficients_give_the_same_value() {
    let evaluator = evaluator();
    let mut known = 0;
    for position in playouts(400) {
        if eval::coefficients(&position).known {
            known += 1;
            continue;
        }
        let white = evaluator.evaluate(&position).raw() * position.turn().fold_wb(1, -1);
        let expected = from_coefficients(&position);
        let difference = (f64::from(white) - expected).abs();
        assert!(
            difference < 3.0,
            "{white} {expected:.2} {}",
            fen::write(position.chess())
        );
    }
    assert!(known < 10_000);
}

/// Positions of games of random moves, always the same.
fn playouts(games: u64) -> impl Iterator<Item = Position> {
    const LONGEST: usize = 200;
    let evaluator = evaluator();
    (0..games).flat_map(move |game| {
        let mut random = game.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut position = Position::initial(evaluator.table());
        let mut seen = Vec::new();
        for _ in 0..LONGEST {
            seen.push(position.clone());
            let moves = legal_moves(&position);
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let Some(&m) = moves.get(random as usize % moves.len().max(1)) else {
                break;
            };
            position = position.child(m, evaluator.table());
        }
        seen
    })
}
