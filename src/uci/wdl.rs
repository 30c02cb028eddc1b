//! How likely a win, a draw and a loss are, told from the score, and what a score is in the centipawns that programs
//! are shown.
//!
//! A score wins as often as a logistic curve says. Where the curve is even and how steep it is depend on how much is
//! still on the board. A hundred centipawns are shown for a score that wins every second time. Idea and form: the
//! win rate model of Stockfish. `lanternfish wdl-fit`, of a build with the feature `tune`, fits the numbers.
//!
//! The numbers were fitted by maximum likelihood to 19,814 positions of 1,500 games that the engine played against itself
//! from random openings at 4,000 nodes a move, with the weights in force.

use shakmaty::Board;

use crate::score::Score;

/// Numbers in each polynomial.
pub const TERMS: usize = 4;

/// The score at which a win is as likely as not, in centipawns of the evaluation: the numbers of a polynomial in the
/// material, that of the lowest power first.
const EVEN_CHANCE: [f64; TERMS] = [97.0, -53.0, 95.0, -76.0];
/// How many of those centipawns change the odds of a win by the factor e.
const SPREAD: [f64; TERMS] = [82.0, 38.0, 19.0, -28.0];

/// What all pieces and pawns of both sides are worth.
const FULL_MATERIAL: u32 = 78;
/// With less material than this the model is that for this much.
const LEAST_MATERIAL: u32 = 8;
/// Neither number of the model is below this, in centipawns.
pub const LEAST: f64 = 10.0;

/// The chances of the side to move, in permille. They sum to 1000.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Chances {
    /// To win.
    pub win: u32,
    /// To draw.
    pub draw: u32,
    /// To lose.
    pub loss: u32,
}

/// What scores mean at one stage of the game.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Model {
    even_chance: f64,
    spread: f64,
}

impl Model {
    /// The model for positions with this much on the board.
    pub fn new(board: &Board) -> Model {
        Model::with_numbers(&EVEN_CHANCE, &SPREAD, stage(board))
    }

    /// The model with other polynomials, at a stage of the game: see [`stage`].
    pub fn with_numbers(even_chance: &[f64; TERMS], spread: &[f64; TERMS], stage: f64) -> Model {
        Model {
            even_chance: polynomial(even_chance, stage).max(LEAST),
            spread: polynomial(spread, stage).max(LEAST),
        }
    }

    /// The chances that go with a score: a logistic curve for the win, its mirror image for the loss, and the draw as
    /// what is left. A proven win or loss is certain.
    pub fn chances(self, score: Score) -> Chances {
        let (win, loss) = if score.is_win() {
            (1000, 0)
        } else if score.is_loss() {
            (0, 1000)
        } else {
            let centipawns = f64::from(score.raw());
            let permille = |centipawns| (1000.0 * self.win(centipawns)).round() as u32;
            (permille(centipawns), permille(-centipawns))
        };
        // Rounding can make a permille too many of both together.
        let loss = loss.min(1000 - win);
        let draw = 1000 - win - loss;
        Chances { win, draw, loss }
    }

    /// The score that wins every second time, in centipawns of the evaluation.
    pub fn even_chance(self) -> f64 {
        self.even_chance
    }

    /// The chance to win with so many centipawns of the evaluation, from 0 to 1.
    pub fn win(self, centipawns: f64) -> f64 {
        1.0 / (1.0 + ((self.even_chance - centipawns) / self.spread).exp())
    }

    /// The score as it is shown: 100 centipawns win every second time. Proven wins and losses stay what they are.
    pub fn shown(self, score: Score) -> Score {
        if score.is_decisive() {
            return score;
        }
        let centipawns = 100.0 * f64::from(score.raw()) / self.even_chance;
        Score::from_centipawns(centipawns.round() as i32)
    }
}

/// The stage of the game as the polynomials take it: from -0.8 with bare kings to 1 with all pieces. Pawns count
/// 1, knights and bishops 3, rooks 5 and queens 9.
pub fn stage(board: &Board) -> f64 {
    let minor = board.knights() | board.bishops();
    let material = board.pawns().count()
        + 3 * minor.count()
        + 5 * board.rooks().count()
        + 9 * board.queens().count();
    let material = (material as u32).clamp(LEAST_MATERIAL, FULL_MATERIAL);
    2.0 * f64::from(material) / f64::from(FULL_MATERIAL) - 1.0
}

fn polynomial(numbers: &[f64; TERMS], x: f64) -> f64 {
    numbers
        .iter()
        .rev()
        .fold(0.0, |sum, number| sum * x + number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::fen;

    const BOARDS: [&str; 4] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r1bq1rk1/pp3ppp/2n2n2/8/8/2N2N2/PP3PPP/R1BQ1RK1 w - - 0 12",
        "4r1k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 30",
        "8/4k3/8/8/4P3/4K3/8/8 w - - 0 60",
    ];

    fn models() -> impl Iterator<Item = Model> {
        let board = |text| fen::parse(text).expect(text);
        BOARDS
            .map(|text| Model::new(shakmaty::Position::board(&board(text))))
            .into_iter()
    }

    #[test]
    fn chances_sum_to_a_thousand_and_are_symmetric() {
        for model in models() {
            for centipawns in -3000..=3000 {
                let ours = model.chances(Score::from_centipawns(centipawns));
                let theirs = model.chances(Score::from_centipawns(-centipawns));
                assert_eq!(ours.win + ours.draw + ours.loss, 1000, "{centipawns}");
                assert!(ours.win.abs_diff(theirs.loss) <= 1 && ours.loss.abs_diff(theirs.win) <= 1);
            }
        }
    }

    #[test]
    fn a_better_score_wins_more_often_and_shows_more() {
        for model in models() {
            let win = |centipawns| model.chances(Score::from_centipawns(centipawns)).win;
            assert!(win(-100) < win(0) && win(0) < win(100) && win(100) < win(300));
            let shown = |centipawns| model.shown(Score::from_centipawns(centipawns));
            assert!(shown(-100) < shown(0) && shown(0) < shown(100) && shown(100) < shown(300));
            assert_eq!(shown(-100), -shown(100));
        }
    }

    #[test]
    fn a_hundred_shown_centipawns_win_every_second_time() {
        for model in models() {
            let even = Score::from_centipawns(model.even_chance.round() as i32);
            assert!(model.shown(even).raw().abs_diff(100) <= 1);
            assert!(model.chances(even).win.abs_diff(500) <= 2);
        }
    }

    #[test]
    fn mate_is_certain_and_shown_as_mate() {
        for model in models() {
            let certain = |win, loss| Chances { win, draw: 0, loss };
            assert_eq!(model.chances(Score::mate_in(5)), certain(1000, 0));
            assert_eq!(model.chances(Score::mated_in(4)), certain(0, 1000));
            assert_eq!(model.shown(Score::mate_in(5)), Score::mate_in(5));
        }
    }

    #[test]
    fn polynomials_are_worked_out() {
        assert_eq!(polynomial(&[1.0, 2.0, 3.0, 4.0], 10.0), 4321.0);
        let model = Model::with_numbers(&[200.0, 50.0, 0.0, 0.0], &[80.0, -10.0, 0.0, 0.0], 1.0);
        assert_eq!((model.even_chance, model.spread), (250.0, 70.0));
        assert_eq!(model.win(250.0), 0.5);
    }

    #[test]
    fn the_stage_goes_from_full_to_bare() {
        let stages: Vec<f64> = BOARDS
            .iter()
            .map(|text| {
                stage(shakmaty::Position::board(
                    &fen::parse(text).expect("a position"),
                ))
            })
            .collect();
        assert_eq!(stages[0], 1.0);
        assert!(stages.is_sorted_by(|a, b| a > b) && stages[3] > -1.0);
    }
}
