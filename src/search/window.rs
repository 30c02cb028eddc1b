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
