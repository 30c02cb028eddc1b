//! The game so far: the position that a `go` searches, and the positions before it.

use std::fmt::Write as _;

use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, Rank, Square};

use super::command::Start;
use super::moves;
use super::text::quote;
use crate::chess::fen;
use crate::chess::keys::KeyPath;
use crate::chess::position::{PieceSquareTable, Position, initial_chess};

/// Fields of a FEN.
const FEN_FIELDS: usize = 6;

/// The root of the next search and how it came about.
#[derive(Clone, Debug)]
pub struct Game {
    position: Position,
    path: KeyPath,
}

impl Game {
    /// The start position of chess.
    pub fn new(table: &PieceSquareTable) -> Game {
        Game::starting_from(initial_chess(), table)
    }

    fn starting_from(chess: Chess, table: &PieceSquareTable) -> Game {
        Game {
            position: Position::new(chess, table),
            path: KeyPath::default(),
        }
    }

    /// The game of a `position` command, and a note when not all of its moves could be played.
    ///
    /// As in Stockfish, the first illegal move ends the list: the position before it stands.
    ///
    /// # Errors
    ///
    /// What is wrong with the FEN.
    pub fn parse(
        start: &Start,
        moves: &[String],
        mode: CastlingMode,
        table: &PieceSquareTable,
    ) -> Result<(Game, Option<String>), fen::FenError> {
        let chess = match start {
            Start::Initial => initial_chess(),
            Start::Fen(text) => fen::parse_as(text, mode)?,
        };
        let mut game = Game::starting_from(chess, table);
        for (index, text) in moves.iter().enumerate() {
            if !game.play(text, table) {
                let note = format!(
                    "{} is not legal as move {} of the list; the position before it stands",
                    quote(text),
                    index + 1
                );
                return Ok((game, Some(note)));
            }
        }
        Ok((game, surplus(start)))
    }

    /// Plays a move; false when it is not legal.
    fn play(&mut self, text: &str, table: &PieceSquareTable) -> bool {
        let Some(m) = moves::parse(text, &self.position) else {
            return false;
        };
        self.path.push(self.position.key());
        self.position = self.position.child(m, table);
        true
    }

    /// The root of the next search.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The keys of the positions before the root.
    pub fn path(&self) -> &KeyPath {
        &self.path
    }

    /// Sums the position anew with another table; the history stays.
    pub fn use_table(&mut self, table: &PieceSquareTable) {
        self.position = Position::new(self.position.chess().clone(), table);
    }

    /// The position with the colours exchanged and the board mirrored, without a history.
    ///
    /// # Errors
    ///
    /// None for a legal position, whose mirror image is legal.
    pub fn flipped(&self, table: &PieceSquareTable) -> Result<Game, fen::FenError> {
        let setup = self.position.chess().to_setup(EnPassantMode::Legal);
        let chess = fen::into_position(setup.into_mirrored())?;
        Ok(Game::starting_from(chess, table))
    }

    /// The board for a person, with FEN, key and checking pieces; several lines.
    pub fn diagram(&self) -> String {
        let position = &self.position;
        let mut text = board(position);
        let checkers: Vec<String> = position
            .checkers()
            .into_iter()
            .map(|square| square.to_string())
            .collect();
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            "\nFEN: {}\nKey: {:016X}\nCheckers: {}",
            fen::write(position.chess()),
            position.key(),
            checkers.join(" ")
        );
        text.truncate(text.trim_end().len());
        text
    }
}

fn board(position: &Position) -> String {
    const LINE: &str = " +---+---+---+---+---+---+---+---+\n";
    let mut text = String::from(LINE);
    for rank in Rank::ALL.into_iter().rev() {
        for square in Square::ALL.into_iter().filter(|s| s.rank() == rank) {
            let piece = position.board().piece_at(square);
            let letter = piece.map_or(' ', |piece| piece.char());
            let _ = write!(text, " | {letter}");
        }
        let _ = writeln!(text, " | {}", rank.char());
        text.push_str(LINE);
    }
    text.push_str("   a   b   c   d   e   f   g   h\n");
    text
}

/// A note when something follows a whole FEN. The operations of an EPD stand in place of its last fields and are none of
/// that.
fn surplus(start: &Start) -> Option<String> {
    let Start::Fen(text) = start else {
        return None;
    };
    let mut fields = text.split_whitespace().skip(FEN_FIELDS - 2);
    let counters = fields.by_ref().take(2);
    let whole = counters
        .filter(|field| field.parse::<u32>().is_ok())
        .count()
        == 2;
    let next = fields.next().filter(|_| whole)?;
    Some(format!(
        "{} after the FEN is ignored (moves follow the word `moves`)",
        quote(next)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::eval::Evaluator;

    fn game(start: Start, moves: &str) -> (Game, Option<String>) {
        let moves: Vec<String> = moves.split_whitespace().map(str::to_string).collect();
        Game::parse(
            &start,
            &moves,
            CastlingMode::Standard,
            Evaluator::new().table(),
        )
        .expect("a game")
    }

    #[test]
    fn moves_are_played_and_remembered() {
        let (game, note) = game(Start::Initial, "g1f3 g8f6 f3g1 f6g8");
        assert_eq!(note, None);
        assert_eq!(game.path().len(), 4);
        assert_eq!(game.position().halfmoves(), 4);
        let start = Game::new(Evaluator::new().table());
        assert_eq!(game.position().key(), start.position().key());
    }

    #[test]
    fn an_illegal_move_ends_the_list() {
        let (game, note) = game(Start::Initial, "e2e4 e7e5 e4e5 d2d4");
        assert_eq!(game.path().len(), 2);
        assert_eq!(
            note.as_deref(),
            Some("`e4e5` is not legal as move 3 of the list; the position before it stands")
        );
    }

    #[test]
    fn what_follows_a_whole_fen_is_told() {
        let note = |text: &str| game(Start::Fen(text.to_string()), "").1;
        let told = note("4k3/8/8/8/8/8/8/4K3 w - - 0 1 e1e2");
        assert!(told.is_some_and(|note| note.contains("`e1e2`")));
        assert_eq!(note("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), None);
        assert_eq!(
            note("4k3/8/8/8/8/8/8/4K3 w - - bm Ke2; id \"an EPD\";"),
            None
        );
    }

    #[test]
    fn twelve_hundred_plies() {
        let (game, note) = game(Start::Initial, &"g1f3 g8f6 f3g1 f6g8 ".repeat(300));
        assert_eq!((note, game.path().len()), (None, 1200));
    }

    #[test]
    fn a_diagram_shows_it_all() {
        let start = Start::Fen("4k3/8/8/8/8/8/8/4R1K1 b - - 0 1".to_string());
        let text = game(start, "").0.diagram();
        assert!(text.contains(" |   |   |   |   | R |   | K |   | 1\n"));
        assert!(text.contains("\nFEN: 4k3/8/8/8/8/8/8/4R1K1 b - - 0 1\nKey: "));
        assert!(text.ends_with("\nCheckers: e1"));
        assert!(
            game(Start::Initial, "")
                .0
                .diagram()
                .ends_with("\nCheckers:")
        );
    }

    #[test]
    fn flipping_twice_gives_the_same_position() {
        let table = Evaluator::new();
        let (game, _) = game(Start::Initial, "e2e4 c7c5 g1f3");
        let flipped = game.flipped(table.table()).expect("a position");
        assert_eq!(
            fen::write(flipped.position().chess()),
            "rnbqkb1r/pppp1ppp/5n2/4p3/2P5/8/PP1PPPPP/RNBQKBNR w KQkq - 1 2"
        );
        let back = flipped.flipped(table.table()).expect("a position");
        assert_eq!(back.position().key(), game.position().key());
    }
}
