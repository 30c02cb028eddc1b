//! The evaluation: the same for both colours, the same however it is reached, and what it knows.

mod common;

use common::{evaluator, playout, playouts, position};
use lanternfish::chess::eval::blend::{
    DANGER_DIVISOR, DANGER_SQUARE_DIVISOR, FULL_SCALE, MAX_DANGER, Scale,
};
use lanternfish::chess::eval::{Coefficients, EvalCache, Evaluator, Part, Percent, Weights};
use lanternfish::chess::movegen::legal_moves;
use lanternfish::chess::position::Position;
use lanternfish::chess::{eval, fen};
use lanternfish::score::{MAX_PHASE, Tapered};
use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, Position as _, Square};

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
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

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
fn a_hundred_thousand_positions_have_the_value_of_their_mirror_image() {
    let mut seen = 0;
    for position in playouts(u64::MAX).take(100_000) {
        let value = evaluator().evaluate(&position);
        let fen = || fen::write(position.chess());
        assert_eq!(
            value,
            evaluator().evaluate(&flipped(&position)),
            "{}",
            fen()
        );
        seen += 1;
    }
    assert_eq!(seen, 100_000);
}

#[test]
fn the_sum_kept_move_by_move_is_the_fresh_one_in_a_thousand_games() {
    for position in playouts(1000) {
        let fresh = Position::new(position.chess().clone(), evaluator().table());
        assert_eq!(position.piece_square_sum(), fresh.piece_square_sum());
    }
}

#[test]
fn the_worth_of_all_pieces_is_the_sum_that_is_kept() {
    let table = evaluator().table();
    for position in playouts(20) {
        let worths = position
            .board()
            .iter()
            .map(|(square, piece)| position.worth(piece, square, table));
        let sum = worths.fold(Tapered::default(), |sum, worth| sum + worth);
        assert_eq!(sum, position.piece_square_sum());
    }
}

#[test]
fn the_caches_change_nothing() {
    let mut cache = EvalCache::new().unwrap();
    for _ in 0..2 {
        for position in playouts(200) {
            let value = evaluator().evaluate_with(&position, &mut cache);
            assert_eq!(value, evaluator().evaluate(&position));
        }
        cache.clear();
    }
}

/// The position with left and right exchanged; `None` when castling is still possible, which is not the same on both sides.
fn mirrored(position: &Position) -> Option<Position> {
    let mut setup = position.chess().to_setup(EnPassantMode::Legal);
    setup.board.flip_horizontal();
    setup.ep_square = setup.ep_square.map(Square::flip_horizontal);
    let mirrored = Chess::from_setup(setup.clone(), CastlingMode::Standard).ok()?;
    let castles = position.chess().castles().castling_rights().any();
    (!castles).then(|| Position::new(mirrored, evaluator().table()))
}

#[test]
fn left_and_right_are_the_same() {
    let mut seen = 0;
    for position in playouts(300) {
        if let Some(mirrored) = mirrored(&position) {
            let values = [&position, &mirrored].map(|position| evaluator().evaluate(position));
            assert_eq!(values[0], values[1], "{}", fen::write(position.chess()));
            seen += 1;
        }
    }
    assert!(seen > 10_000, "{seen}");
}

#[test]
fn the_cache_knows_what_depends_on_the_turn() {
    let races = [
        // The pawn runs if it is White's turn.
        "8/8/8/P3k3/8/8/7p/4K3 w - - 0 1",
        "8/6p1/8/P3k3/8/8/7p/4K3 w - - 0 1",
        "4k3/8/8/7p/P7/1n6/8/4K3 w - - 0 1",
    ];
    let mut cache = EvalCache::new().unwrap();
    let positions = races.iter().map(|fen| position(fen)).chain(playouts(100));
    for position in positions {
        let Some(passed) = position.null_child() else {
            continue;
        };
        for position in [&position, &passed, &position] {
            let value = evaluator().evaluate_with(position, &mut cache);
            assert_eq!(
                value,
                evaluator().evaluate(position),
                "{}",
                fen::write(position.chess())
            );
        }
    }
    // And it does depend on the turn: the same pieces are worth more than the tempo for the side to move.
    let race = position(races[1]);
    let passed = race.null_child().unwrap();
    let both = evaluator().evaluate(&race) + evaluator().evaluate(&passed).raw();
    assert!(both.raw() > 150, "{both:?}");
}

#[test]
fn an_additional_piece_is_worth_something_and_a_better_one_more() {
    let worth = |role: &str| {
        let fen = format!("4k3/pppp1ppp/8/8/3{role}4/8/PPPP1PPP/4K3 w - - 0 1");
        white(&fen)
    };
    let none = white("4k3/pppp1ppp/8/8/8/8/PPPP1PPP/4K3 w - - 0 1");
    let values = ["N", "R", "Q"].map(worth);
    assert!(
        none < values[0] && values[0] < values[1] && values[1] < values[2],
        "{values:?}"
    );
    assert!(worth("B") > none + 150 && worth("B") < values[1]);
    // The same for Black.
    let black = ["n", "r", "q"].map(worth);
    assert!(
        none > black[0] && black[0] > black[1] && black[1] > black[2],
        "{black:?}"
    );
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

/// The rows of a printed table: their names and what they add to the score, in centipawns; and the line of the total.
fn table_of(text: &str) -> (Vec<(&str, i32)>, i32) {
    let cells = text.lines().filter_map(|line| {
        let (name, _) = line.split_once('|')?;
        let (_, score) = line.rsplit_once('|')?;
        let pawns: f64 = score.trim().parse().ok()?;
        Some((name.trim(), (100.0 * pawns).round() as i32))
    });
    let mut rows: Vec<(&str, i32)> = cells.filter(|(name, _)| !name.is_empty()).collect();
    let (name, total) = rows.pop().expect("a table");
    assert_eq!(name, "Total");
    (rows, total)
}

#[test]
fn the_rows_of_the_trace_add_up_to_the_score() {
    let endings = [
        "4k3/8/8/8/8/8/PP6/4K3 b - - 0 1",
        "8/8/3k4/8/8/3K4/3P4/8 w - - 0 1",
        "8/8/3k4/3q4/8/2N5/8/K6Q w - - 0 1",
        "8/8/4BK2/4B3/8/k7/P7/8 w - - 0 1",
        "4kb2/5ppp/8/8/8/8/P4PPP/4KB2 w - - 0 1",
    ];
    let games = playouts(15).filter(|position| position.halfmoves() == 3);
    let positions = endings
        .iter()
        .map(|fen| position(fen))
        .chain(games.take(60));
    let (mut seen, mut known) = (0, 0);
    for position in positions {
        let text = evaluator().trace(&position).to_string();
        let (rows, total) = table_of(&text);
        let sum: i32 = rows.iter().map(|(_, adds)| adds).sum();
        let white = evaluator().evaluate(&position).raw() * position.turn().fold_wb(1, -1);
        assert_eq!((sum, total), (white, white), "{text}");
        assert!(text.contains(&format!("({white} centipawns)")), "{text}");
        seen += 1;
        known += usize::from(text.contains("Known ending"));
    }
    assert!(seen >= 40 && known >= 3, "{seen} {known}");
}

#[test]
fn the_trace_names_its_parts() {
    let text = evaluator()
        .trace(&position("4k3/8/8/8/8/8/PP6/4K3 b - - 0 1"))
        .to_string();
    let expected = [
        "Material",
        "Imbalance",
        "Position",
        "Tempo",
        "Mobility",
        "Rooks",
        "Minor pieces",
        "Threats",
        "Space",
        "Pawns",
        "Passed pawns",
        "King shelter",
        "King danger",
        "Known ending",
    ];
    let (rows, _) = table_of(&text);
    let names: Vec<&str> = rows.into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, expected);
    assert!(
        text.contains("Phase 0 of 24: middlegame 0 %, endgame 100 %"),
        "{text}"
    );
    let full = evaluator().trace(&playout(1)[0]).to_string();
    assert!(
        full.contains("Phase 24 of 24: middlegame 100 %, endgame 0 %"),
        "{full}"
    );
}

/// The value from White's view, computed as the tuner does: from coefficients and weights.
fn from_coefficients(found: &Coefficients, weights: &Weights) -> f64 {
    let flat = weights.to_flat();
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
    let scale = found.scale[usize::from(endgame < 0.0)];
    let share = |half: i32| f64::from(half) / f64::from(FULL_SCALE);
    let phase = f64::from(found.phase);
    let full = f64::from(MAX_PHASE);
    let middlegame = middlegame * phase * share(scale.middlegame);
    (middlegame + endgame * (full - phase) * share(scale.endgame)) / full
}

#[test]
fn the_coefficients_give_the_same_value() {
    let mut counted = 0;
    for position in playouts(300) {
        let found = eval::coefficients(&position);
        if found.known {
            continue;
        }
        let white = evaluator().evaluate(&position).raw() * position.turn().fold_wb(1, -1);
        let expected = from_coefficients(&found, &eval::DEFAULT);
        let difference = (f64::from(white) - expected).abs();
        assert!(
            difference < 3.0,
            "{white} {expected:.2} {}",
            fen::write(position.chess())
        );
        counted += 1;
    }
    assert!(counted > 30_000, "only {counted} positions");
}

#[test]
fn full_weights_are_no_weights() {
    let evaluator = Evaluator::with_percent(Percent::default());
    let plain = Evaluator::with_weights(&eval::DEFAULT);
    for position in playouts(50) {
        assert_eq!(evaluator.evaluate(&position), plain.evaluate(&position));
    }
}

/// Only the weights of what the pieces are and where they stand.
fn core_weights() -> Weights {
    let mut flat = eval::DEFAULT.to_flat();
    for group in Weights::GROUPS {
        if !matches!(group.part, Part::Material | Part::Position) {
            flat[group.offset..group.offset + group.len()].fill(Tapered::default());
        }
    }
    Weights::from_flat(&flat).unwrap()
}

#[test]
fn without_the_extras_only_the_core_is_left() {
    let evaluator = Evaluator::with_percent(Percent {
        mobility: 0,
        king_safety: 0,
        pawn_structure: 0,
        endgame: 0,
        ..Percent::default()
    });
    let core = core_weights();
    for position in playouts(100) {
        let mut found = eval::coefficients(&position);
        found.scale = [Scale::FULL; 2];
        let white = evaluator.evaluate(&position).raw() * position.turn().fold_wb(1, -1);
        let difference = (f64::from(white) - from_coefficients(&found, &core)).abs();
        assert!(difference < 2.0, "{}", fen::write(position.chess()));
    }
    let trace = evaluator.trace(&playout(1)[20]).to_string();
    assert!(trace.contains("Imbalance") && trace.contains("Tempo"));
    for word in [
        "Mobility",
        "Pawns",
        "King",
        "Threats",
        "Chances to win",
        "Known",
    ] {
        assert!(!trace.contains(word), "{word} in\n{trace}");
    }
}

#[test]
fn each_weight_changes_the_value() {
    let middlegame = "r1bq1rk1/pp2bppp/2n1p3/2ppP3/3P4/2PB1N2/PP3PPP/RNBQ1RK1 w - - 0 9";
    let endgame = "8/5k2/8/8/8/2B2K2/P7/8 w - - 0 1";
    for part in Part::ALL {
        let text = if part == Part::Endgame {
            endgame
        } else {
            middlegame
        };
        let value = |percent: i32| {
            let mut percents = Percent::default();
            percents.set(part, percent);
            let evaluator = Evaluator::with_percent(percents);
            let position = Position::new(fen::parse(text).unwrap(), evaluator.table());
            evaluator.evaluate(&position)
        };
        assert_eq!(value(100), evaluator().evaluate(&position(text)));
        assert_ne!(value(100), value(0), "{part:?}");
        assert_ne!(value(100), value(200), "{part:?}");
    }
}

/// Centipawns from White's view.
fn white(fen: &str) -> i32 {
    let position = position(fen);
    evaluator().evaluate(&position).raw() * position.turn().fold_wb(1, -1)
}

#[test]
fn drawn_endings_are_drawn() {
    for fen in [
        // King and pawn: the opposition, the rook's pawn, stalemate.
        "8/4k3/8/4K3/4P3/8/8/8 w - - 0 1",
        "k7/8/1K6/P7/8/8/8/8 w - - 0 1",
        "4k3/4P3/4K3/8/8/8/8/8 b - - 0 1",
        "8/8/8/3k4/8/8/4P3/K7 b - - 0 1",
        // The bishop of the wrong colour.
        "k7/8/1K6/P7/8/8/3B4/8 w - - 0 1",
        "7k/8/6KP/7P/4B3/8/8/8 w - - 0 1",
        "8/k7/8/P1K5/8/8/3B4/8 b - - 0 1",
        // Rook against a far pawn with its king.
        "R7/6K1/8/8/8/4k3/4p3/8 w - - 0 1",
        "8/8/7K/8/6R1/8/1pk5/8 w - - 0 1",
        // Nothing to mate with.
        "8/8/3k4/8/8/2NNK3/8/8 w - - 0 1",
        "8/8/3k4/8/3n4/2RK4/8/8 w - - 0 1",
        "8/8/3k4/8/3b4/2RK4/8/8 w - - 0 1",
    ] {
        assert!(white(fen).abs() <= 50, "{} for {fen}", white(fen));
    }
}

#[test]
fn won_endings_are_won() {
    for fen in [
        "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1",
        "8/4k3/8/4K3/4P3/8/8/8 b - - 0 1",
        "8/8/8/8/8/8/3k4/K6R w - - 0 1",
        "8/8/8/8/8/8/3k4/K6Q w - - 0 1",
        "8/8/8/8/8/8/3k4/K5BN w - - 0 1",
        "8/8/8/8/8/8/3k4/K5BB w - - 0 1",
        "k7/8/1K6/P7/8/8/4B3/8 w - - 0 1",
    ] {
        assert!(white(fen) > 250, "{} for {fen}", white(fen));
    }
    assert!(white("8/8/8/8/8/8/3k4/K6Q w - - 0 1") > white("8/8/8/8/8/8/3k4/K6R w - - 0 1"));
}

#[test]
fn a_lone_king_is_driven_where_it_can_be_mated() {
    let better = |good: &str, bad: &str| assert!(white(good) > white(bad), "{good} over {bad}");
    // To the edge, and the other king near.
    better(
        "k7/8/2K5/8/8/8/8/7R w - - 0 1",
        "8/8/3k4/8/3K4/8/8/7R w - - 0 1",
    );
    better(
        "8/8/3k4/8/3K4/8/8/7R w - - 0 1",
        "8/8/3k4/8/8/8/3K4/7R w - - 0 1",
    );
    // A dark bishop mates in a dark corner.
    better(
        "7k/8/5K2/8/8/8/8/B6N w - - 0 1",
        "k7/8/2K5/8/8/8/8/B6N w - - 0 1",
    );
}

#[test]
fn with_more_pawns_more_of_an_endgame_advantage_counts() {
    // Rooks on both sides, and White's pawns from both wings on.
    let scale = |pawns: &str| {
        let fen = format!("1r2k3/p6p/8/8/8/8/{pawns}/R3K3 w - - 0 1");
        eval::coefficients(&position(&fen)).scale[0]
    };
    let scales = [
        "P6P", "PP5P", "PP4PP", "PPP3PP", "PPP2PPP", "PPPP1PPP", "PPPPPPPP",
    ]
    .map(scale);
    assert!(scales.is_sorted_by_key(|scale| scale.endgame));
    assert!(scales[0].endgame < scales[2].endgame && scales[2].endgame < FULL_SCALE);
    assert_eq!(scales[6], Scale::FULL);
    // On one wing there is less to play for.
    let one_wing = eval::coefficients(&position("1r2k3/5ppp/8/8/8/8/5PPP/R3K3 w - - 0 1"));
    let both = eval::coefficients(&position("1r2k3/p4ppp/8/8/8/8/P5PP/R3K3 w - - 0 1"));
    assert!(one_wing.scale[0].endgame < both.scale[0].endgame);
}

#[test]
fn opposite_bishops_count_for_less() {
    let opposite = white("4kb2/5ppp/8/8/8/8/P4PPP/4KB2 w - - 0 1");
    let same = white("2b1k3/5ppp/8/8/8/8/P4PPP/4KB2 w - - 0 1");
    assert!(opposite > 0 && same > opposite, "{same} {opposite}");
}
