//! The window of alpha and beta (<https://www.chessprogramming.org/Window>).

use crate::score::Score;

/// The scores that matter at a node: the side to move has something worth `alpha` already, and the opponent will avoid
/// a node worth `beta` or more.
#[derive(Copy, Clone, Debug)]
pub struct Window {
    /// The score the side to move can already have.
    pub alpha: Score,
    /// The score from which the opponent avoids this node.
    pub beta: Score,
}

impl Window {
    /// Every score matters.
    pub const FULL: Window = Window {
        alpha: Score::from_raw(-Score::INFINITE.raw()),
        beta: Score::INFINITE,
    };

    /// The smallest window, just above `alpha`: it asks only whether the score is better than `alpha`.
    pub fn null(alpha: Score) -> Window {
        Window {
            alpha,
            beta: alpha + 1,
        }
    }

    /// The window from the opponent's side.
    pub fn flipped(self) -> Window {
        Window {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }

    /// Whether no score is left between alpha and beta.
    pub fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }

    /// The full window when `delta` has grown beyond `widest` centipawns, or else this one.
    pub fn opened_beyond(self, widest: i32, delta: i32) -> Window {
        if delta > widest { Window::FULL } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cp(centipawns: i32) -> Score {
        Score::from_centipawns(centipawns)
    }

    fn bounds(window: Window) -> (Score, Score) {
        (window.alpha, window.beta)
    }

    #[test]
    fn a_null_window_holds_no_score_and_is_turned_round_for_the_opponent() {
        let window = Window::null(cp(10));
        assert_eq!(bounds(window), (cp(10), cp(11)));
        assert_eq!(bounds(window.flipped()), (cp(-11), cp(-10)));
        assert_eq!(bounds(Window::FULL), (-Score::INFINITE, Score::INFINITE));
    }

    #[test]
    fn a_window_is_empty_when_alpha_reaches_beta() {
        let is_empty = |alpha: i32, beta: i32| {
            let (alpha, beta) = (cp(alpha), cp(beta));
            Window { alpha, beta }.is_empty()
        };
        assert!(!is_empty(10, 11) && is_empty(10, 10) && is_empty(11, 10));
    }

    #[test]
    fn a_window_that_has_grown_too_wide_is_opened() {
        let window = Window::null(cp(10));
        assert_eq!(bounds(window.opened_beyond(500, 500)), bounds(window));
        assert_eq!(bounds(window.opened_beyond(500, 501)), bounds(Window::FULL));
    }
}
