//! Which pieces a term of the evaluation comes from: what the term loses without each of them.

use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, Position as _, Role};

use super::blend::{Scale, taper};
use super::evaluator::Evaluator;
use super::phase::phase;
use super::worth::Worth;
use crate::chess::position::Position;
use crate::score::Tapered;

impl Evaluator {
    /// What each piece but the kings contributes to the term called `name`, in centipawns from White's view: the term with the
    /// piece on the board less the term without it, in the phase of `position`. `None` when there is no such term.
    pub(super) fn contributions(&self, position: &Position, name: &str) -> Option<Vec<Worth>> {
        let whole = self.term(position, name)?;
        let now = phase(position.board());
        let mut contributions = Vec::new();
        for (square, piece) in position.board().iter() {
            let mut setup = position.chess().to_setup(EnPassantMode::Legal);
            setup.board.discard_piece_at(square);
            setup.castling_rights.discard(square);
            setup.ep_square = None;
            // Without some pieces the side that is not to move is in check: then the other one is.
            let chess = [setup.turn, !setup.turn].into_iter().find_map(|turn| {
                setup.turn = turn;
                Chess::from_setup(setup.clone(), CastlingMode::Chess960).ok()
            });
            let Some(chess) = chess.filter(|_| piece.role != Role::King) else {
                continue;
            };
            let without = self.term(&Position::new(chess, self.table()), name)?;
            contributions.push(Worth {
                square,
                piece,
                centipawns: taper(whole - without, now, Scale::FULL),
            });
        }
        Some(contributions)
    }

    /// The total of a term, from White's view.
    fn term(&self, position: &Position, name: &str) -> Option<Tapered> {
        self.trace(position).term(name)
    }
}
