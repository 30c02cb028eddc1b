//! How likely a win, a draw and a loss are, in permille, told from the score.
//!
//! The two numbers were fitted by maximum likelihood to 40,000 positions of the engine's own games at 1+0.01 and
//! 4+0.04 seconds, with the engine's scores within 800 centipawns.

use crate::score::Score;

/// The score in centipawns at which a win is as likely as not.
const EVEN_CHANCE: f64 = 125.0;
/// How many centipawns change the odds of a win by the factor e.
const SPREAD: f64 = 115.0;

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

/// The chances that go with a score: a logistic curve for the win, its mirror image for the loss, and the
/// draw as what is left. A proven win or loss is certain.
pub fn chances(score: Score) -> Chances {
    let (win, loss) = if score.is_win() {
        (1000, 0)
    } else if score.is_loss() {
        (0, 1000)
    } else {
        let centipawns = f64::from(score.raw());
        (win_permille(centipawns), win_permille(-centipawns))
    };
    let draw = 1000_u32.saturating_sub(win + loss);
    Chances { win, draw, loss }
}

fn win_permille(centipawns: f64) -> u32 {
    let win = 1.0 / (1.0 + ((EVEN_CHANCE - centipawns) / SPREAD).exp());
    (1000.0 * win).round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_sum_to_a_thousand_and_are_symmetric() {
        for centipawns in -3000..=3000 {
            let ours = chances(Score::from_centipawns(centipawns));
            let theirs = chances(Score::from_centipawns(-centipawns));
            assert_eq!(ours.win + ours.draw + ours.loss, 1000, "{centipawns}");
            assert_eq!((ours.win, ours.loss), (theirs.loss, theirs.win));
        }
    }

    #[test]
    fn a_better_score_wins_more_often() {
        let win = |centipawns| chances(Score::from_centipawns(centipawns)).win;
        assert!(win(-100) < win(0) && win(0) < win(100) && win(100) < win(300));
        assert_eq!(win(EVEN_CHANCE as i32), 500);
    }

    #[test]
    fn mate_is_certain() {
        let certain = |win, loss| Chances { win, draw: 0, loss };
        assert_eq!(chances(Score::mate_in(5)), certain(1000, 0));
        assert_eq!(chances(Score::mated_in(4)), certain(0, 1000));
    }
}
