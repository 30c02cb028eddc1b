//! The game as the tests know it: what a `position` command means, played with shakmaty.

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, Move, Position, PositionError};

/// A middlegame with every kind of move.
pub const KIWIPETE: &str =
    "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
pub const MATED: &str = "startpos moves f2f3 e7e5 g2g4 d8h4";
pub const STALEMATED: &str = "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
/// The only move takes the last piece: nothing is left to search after a few nodes.
pub const NOTHING_LEFT: &str = "fen k7/1R6/8/8/8/8/8/7K b - - 0 1";
/// Drawn by rule, but with legal moves.
pub const DEAD_DRAW: &str = "fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1";
pub const FIFTY_MOVES: &str = "fen 4k3/8/8/8/8/8/8/4K2R w - - 100 120";
pub const THREEFOLD: &str = "startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";

/// Every position of a game, from its start to the one on the board.
#[derive(Clone)]
pub struct Game {
    positions: Vec<Chess>,
    mode: CastlingMode,
}

impl Game {
    pub fn new(mode: CastlingMode) -> Game {
        Game {
            positions: vec![Chess::default()],
            mode,
        }
    }

    /// Reads what stands after the word `position`. Panics on a mistake: the tests only pass games they mean.
    pub fn parse(text: &str, mode: CastlingMode) -> Game {
        let mut words = text.split_whitespace();
        let start = match words.next() {
            Some("startpos") => Chess::default(),
            Some("fen") => {
                let fen: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
                set_up(&fen.join(" "), mode)
            }
            other => panic!("a test sets up the position {other:?}"),
        };
        let mut game = Game {
            positions: vec![start],
            mode,
        };
        for word in words.filter(|&word| word != "moves") {
            game.play(word);
        }
        game
    }

    pub fn play(&mut self, word: &str) {
        let uci: UciMove = word.parse().expect("a move in a test");
        let m = uci.to_move(self.now()).expect("a legal move in a test");
        self.positions.push(after(self.now(), m));
    }

    /// The position on the board.
    pub fn now(&self) -> &Chess {
        self.positions.last().expect("a game has a position")
    }

    pub fn fen(&self) -> String {
        Fen::from_position(self.now(), EnPassantMode::Legal).to_string()
    }

    pub fn is_over(&self) -> bool {
        self.now().legal_moves().is_empty()
    }

    /// The legal move that the engine wrote as `word`. The notation must be the canonical one.
    pub fn legal(&self, word: &str) -> Result<Move, String> {
        legal(self.now(), word, self.mode)
    }

    /// Plays a line of moves. Gives the last position, or says what is wrong with the line.
    pub fn replay(&self, line: &[String]) -> Result<Chess, String> {
        let mut path = self.positions.clone();
        for (ply, word) in line.iter().enumerate() {
            let now = path.last().expect("a game has a position");
            if ply > 0
                && let Some(end) = end_of_game(now, &path)
            {
                return Err(format!("the line goes on after {end}, with {word}"));
            }
            let m = legal(now, word, self.mode)?;
            let next = after(now, m);
            path.push(next);
        }
        Ok(path.pop().expect("a game has a position"))
    }
}

/// A position from a FEN, with castling rights and en-passant squares that cannot be dropped.
fn set_up(fen: &str, mode: CastlingMode) -> Chess {
    let fen = fen.replace(['"', '\''], "");
    let fen: Fen = fen.parse().expect("a FEN in a test");
    Chess::from_setup(fen.into_setup(), mode)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .expect("a position in a test")
}

fn legal(position: &Chess, word: &str, mode: CastlingMode) -> Result<Move, String> {
    let m = word
        .parse::<UciMove>()
        .map_err(|_| format!("`{word}` is not a move"))?
        .to_move(position)
        .map_err(|_| format!("{word} is not legal in {}", fen_of(position)))?;
    let canonical = m.to_uci(mode).to_string();
    if canonical == word {
        Ok(m)
    } else {
        Err(format!("{word} should be written {canonical}"))
    }
}

fn after(position: &Chess, m: Move) -> Chess {
    let mut next = position.clone();
    next.play_unchecked(m);
    next
}

fn fen_of(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// Why no move may follow, if so. `path` ends in the position itself.
fn end_of_game(position: &Chess, path: &[Chess]) -> Option<&'static str> {
    if position.legal_moves().is_empty() {
        return Some(if position.is_check() {
            "mate"
        } else {
            "stalemate"
        });
    }
    if position.halfmoves() >= 100 {
        return Some("fifty moves");
    }
    let times = path.iter().filter(|&earlier| earlier == position).count();
    (times >= 3).then_some("a threefold repetition")
}
