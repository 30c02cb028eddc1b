//! From the data of a search to the lines of UCI.

use std::fmt::Write as _;

use shakmaty::{CastlingMode, Move};
use shakmaty_uci::UciMessage;

use super::moves;
use super::wdl::Model;
use crate::chess::eval::Trace;
use crate::search::{Bound, Outcome, Variation};

/// How lines are written: what the options said when the search began.
#[derive(Copy, Clone, Debug)]
pub struct Style {
    /// The notation of castling.
    pub castling: CastlingMode,
    /// Whether scores come with the chances of win, draw and loss.
    pub show_wdl: bool,
    /// What scores mean at the root.
    pub model: Model,
}

/// The `info` line of a variation. The moves come last, after the score; without any (mated or stalemated root)
/// depth and score are all there is to tell.
pub fn variation(v: &Variation, style: Style) -> String {
    if v.moves.is_empty() {
        return format!("info depth 0 score {}", v.score);
    }
    let mut line = format!(
        "info depth {} seldepth {} multipv {} score {}",
        v.depth,
        v.selective_depth,
        v.multi_pv,
        style.model.shown(v.score)
    );
    line.push_str(match v.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    });
    if style.show_wdl {
        let chances = style.model.chances(v.score);
        // Writing to a String cannot fail.
        let _ = write!(
            line,
            " wdl {} {} {}",
            chances.win, chances.draw, chances.loss
        );
    }
    let _ = write!(
        line,
        " nodes {} nps {} hashfull {} tbhits {} time {} pv",
        v.figures.nodes,
        v.figures.nodes_per_second(),
        v.figures.hash_full.min(1000),
        v.figures.tablebase_hits,
        v.figures.elapsed.as_millis()
    );
    for &m in &v.moves {
        let _ = write!(line, " {}", moves::write(m, style.castling));
    }
    line
}

/// An evaluation, what programs are shown of it and the chances that go with it, for a person.
pub fn evaluation(trace: &Trace, model: Model) -> String {
    format!(
        "{trace}\n{}\n{}",
        shown(trace, model),
        white_chances(trace, model)
    )
}

/// White's score as programs are shown it.
fn shown(trace: &Trace, model: Model) -> String {
    let centipawns = model.shown(trace.white_score()).raw();
    let pawns = f64::from(centipawns) / 100.0;
    format!(
        "As programs show it: {pawns:+.2} for White, on the scale where +1.00 wins every second game"
    )
}

/// White's chances in percent.
pub fn white_chances(trace: &Trace, model: Model) -> String {
    let chances = model.chances(trace.white_score());
    let percent = |permille: u32| f64::from(permille) / 10.0;
    format!(
        "Chances for White: win {:.1} %, draw {:.1} %, loss {:.1} %",
        percent(chances.win),
        percent(chances.draw),
        percent(chances.loss)
    )
}

/// The `info` line that tells which root move is being searched.
pub fn current_move(depth: u32, current: Move, number: usize, style: Style) -> String {
    let text = moves::write(current, style.castling);
    format!("info depth {depth} currmove {text} currmovenumber {number}")
}

/// The `bestmove` line.
pub fn best_move(outcome: &Outcome, style: Style) -> String {
    let text = |m: Move| moves::write(m, style.castling);
    match outcome.best {
        Some(best) => UciMessage::BestMove {
            best_move: text(best),
            ponder: outcome.ponder.map(text),
        }
        .to_string(),
        None => "bestmove (none)".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use shakmaty::{Role, Square};

    use super::*;
    use crate::score::Score;
    use crate::search::{Figures, Line};

    fn plain() -> Style {
        Style {
            castling: CastlingMode::Standard,
            show_wdl: false,
            // A hundred centipawns are shown as a hundred.
            model: Model::with_numbers(&[100.0, 0.0, 0.0, 0.0], &[100.0, 0.0, 0.0, 0.0], 0.0),
        }
    }

    fn quiet(role: Role, from: Square, to: Square) -> Move {
        Move::Normal {
            role,
            from,
            capture: None,
            to,
            promotion: None,
        }
    }

    fn example() -> Variation {
        Variation {
            depth: 7,
            selective_depth: 11,
            multi_pv: 1,
            score: Score::from_centipawns(-12),
            bound: Bound::Exact,
            figures: Figures {
                nodes: 1500,
                tablebase_hits: 2,
                hash_full: 34,
                elapsed: Duration::from_millis(3),
            },
            moves: Line::from_iter([
                Move::Castle {
                    king: Square::E1,
                    rook: Square::H1,
                },
                quiet(Role::Knight, Square::G8, Square::F6),
            ]),
        }
    }

    fn outcome(best: Option<Move>, ponder: Option<Move>) -> Outcome {
        Outcome {
            best,
            ponder,
            score: Score::DRAW,
            depth: 1,
            figures: Figures::default(),
        }
    }

    #[test]
    fn a_variation_has_its_words_in_order() {
        assert_eq!(
            variation(&example(), plain()),
            "info depth 7 seldepth 11 multipv 1 score cp -12 nodes 1500 nps 500000 hashfull 34 \
             tbhits 2 time 3 pv e1g1 g8f6"
        );
    }

    #[test]
    fn centipawns_are_shown_as_the_model_says() {
        let style = Style {
            model: Model::with_numbers(&[400.0, 0.0, 0.0, 0.0], &[100.0, 0.0, 0.0, 0.0], 0.0),
            ..plain()
        };
        assert!(variation(&example(), style).contains(" score cp -3 nodes "));
    }

    #[test]
    fn castling_follows_the_mode() {
        let style = Style {
            castling: CastlingMode::Chess960,
            ..plain()
        };
        assert!(variation(&example(), style).ends_with(" pv e1h1 g8f6"));
    }

    #[test]
    fn bound_and_chances_follow_the_score() {
        let style = Style {
            show_wdl: true,
            ..plain()
        };
        let mut v = example();
        v.score = Score::mate_in(3);
        v.bound = Bound::Lower;
        assert!(variation(&v, style).contains(" score mate 2 lowerbound wdl 1000 0 0 nodes "));
        v.bound = Bound::Upper;
        assert!(variation(&v, plain()).contains(" score mate 2 upperbound nodes "));
    }

    #[test]
    fn no_time_is_no_division_by_zero() {
        let mut v = example();
        v.figures.elapsed = Duration::ZERO;
        assert!(variation(&v, plain()).contains(" nps 1500000000 "));
    }

    #[test]
    fn a_finished_game_has_no_moves() {
        let mut v = example();
        v.moves.clear();
        v.score = Score::mated_in(0);
        assert_eq!(variation(&v, plain()), "info depth 0 score mate 0");
        v.score = Score::DRAW;
        assert_eq!(variation(&v, plain()), "info depth 0 score cp 0");
        assert_eq!(best_move(&outcome(None, None), plain()), "bestmove (none)");
    }

    #[test]
    fn the_answer_names_move_and_reply() {
        let best = quiet(Role::Pawn, Square::E2, Square::E4);
        let reply = quiet(Role::Pawn, Square::E7, Square::E5);
        assert_eq!(
            best_move(&outcome(Some(best), Some(reply)), plain()),
            "bestmove e2e4 ponder e7e5"
        );
        assert_eq!(
            best_move(&outcome(Some(best), None), plain()),
            "bestmove e2e4"
        );
        assert_eq!(
            current_move(9, best, 3, plain()),
            "info depth 9 currmove e2e4 currmovenumber 3"
        );
    }
}
