//! The evaluation: the same for both colours, and the same however it is reached.

mod common;

use common::{evaluator, position};
use lanternfish::movegen::legal_moves;
use lanternfish::position::Position;
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
    assert_eq!(
        value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        0
    );
    assert!(value("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") > 700);
    assert!(value("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1") < -700);
    let rook_up = value("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    let bishop_up = value("4k3/8/8/8/8/8/8/B3K3 w - - 0 1");
    let pawn_up = value("4k3/8/8/8/8/8/P7/4K3 w - - 0 1");
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
