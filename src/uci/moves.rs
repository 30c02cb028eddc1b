//! Moves in the notation of UCI.

use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, File, Move};

use crate::chess::movegen::legal_moves;
use crate::chess::position::Position;

/// The legal move that `text` names, or `None`.
///
/// Castling may be written as king takes rook (`e1h1`) or as the step of the king (`e1g1`). When a text can
/// mean a step of the king and castling (Chess960), it is the step.
pub fn parse(text: &str, position: &Position) -> Option<Move> {
    let wanted = UciMove::from_ascii(text.to_ascii_lowercase().as_bytes()).ok()?;
    let legal = legal_moves(position);
    let named = |mode: CastlingMode| {
        let mut moves = legal.iter();
        moves.find(|m| m.to_uci(mode) == wanted).copied()
    };
    named(CastlingMode::Chess960).or_else(|| named(CastlingMode::Standard))
}

/// The move as UCI writes it.
///
/// In [`CastlingMode::Standard`] castling is the step of the king, unless king or rook start from a square
/// where only Chess960 has them: then the step could be mistaken for another move.
pub fn write(m: Move, mode: CastlingMode) -> UciMove {
    match m {
        Move::Castle { king, rook }
            if king.file() != File::E || ![File::A, File::H].contains(&rook.file()) =>
        {
            m.to_uci(CastlingMode::Chess960)
        }
        _ => m.to_uci(mode),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::eval::Evaluator;
    use crate::chess::fen;

    fn position(text: &str) -> Position {
        Position::new(
            fen::parse(text).expect("a position"),
            Evaluator::new().table(),
        )
    }

    fn read(text: &str, position: &Position, mode: CastlingMode) -> Option<String> {
        parse(text, position).map(|m| write(m, mode).to_string())
    }

    #[test]
    fn castling_is_read_in_both_notations() {
        let standard = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        for text in ["e1g1", "e1h1", "E1G1"] {
            assert_eq!(
                read(text, &standard, CastlingMode::Standard).as_deref(),
                Some("e1g1")
            );
            assert_eq!(
                read(text, &standard, CastlingMode::Chess960).as_deref(),
                Some("e1h1")
            );
        }
        for text in ["e1c1", "e1a1"] {
            assert_eq!(
                read(text, &standard, CastlingMode::Standard).as_deref(),
                Some("e1c1")
            );
        }
    }

    #[test]
    fn a_step_of_the_king_comes_before_castling() {
        // f1g1 is a step; f1h1 is castling to g1.
        let position = position("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
        let step = parse("f1g1", &position).expect("a move");
        assert!(!step.is_castle());
        let castle = parse("f1h1", &position).expect("a move");
        assert!(castle.is_castle());
        assert_eq!(write(castle, CastlingMode::Standard).to_string(), "f1h1");
    }

    #[test]
    fn what_is_not_legal_is_no_move() {
        let position = position("8/4P2k/8/8/8/8/8/K7 w - - 0 1");
        for text in [
            "e7e8", "e7e9", "a1a1", "0000", "", "e7e8k", "h7h6", "ü7e8q", "Q@e4",
        ] {
            assert_eq!(parse(text, &position), None, "{text}");
        }
        assert_eq!(
            read("e7e8N", &position, CastlingMode::Standard).as_deref(),
            Some("e7e8n")
        );
    }
}
