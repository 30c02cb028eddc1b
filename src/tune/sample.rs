//! A position with what came of it, and its form in a file: 32 bytes.
//!
//! | bytes | what |
//! |---|---|
//! | 0-7 | occupied squares, one bit each, a1 lowest |
//! | 8-23 | the pieces on them in the order of squares, four bits each, the lower half of a byte first |
//! | 24 | bits 0-6: square of a legal en passant capture, 64 when there is none; bit 7: Black moves |
//! | 25 | half-moves since the last capture or pawn move |
//! | 26-27 | number of the full move |
//! | 28-29 | score in centipawns, White's view, [`NO_SCORE`] when there is none |
//! | 30 | result: 0 Black won, 1 draw, 2 White won |
//! | 31 | bit 0: first position kept of its game; bit 1: last one |
//!
//! A piece is its role (pawn 0, knight 1, bishop 2, rook 3, queen 4, king 5, rook that may castle 6), plus 8 for Black.
//! Numbers are little-endian. There is no header, so that files can be joined. The layout is that of "marlinformat",
//! which other engines use too; the last byte, free there, marks games.

use std::fmt;
use std::num::NonZeroU32;

use shakmaty::{Bitboard, Board, Chess, Color, Piece, Position as _, Role, Setup, Square};

use crate::chess::fen;

/// Bytes of a position in a file.
pub const RECORD_SIZE: usize = 32;
/// Stands for "no score".
pub const NO_SCORE: i16 = i16::MIN;

const UNMOVED_ROOK: u8 = 6;
const BLACK: u8 = 8;
const NO_SQUARE: u8 = 64;
const BLACK_MOVES: u8 = 0x80;
const STARTS_GAME: u8 = 1;
const ENDS_GAME: u8 = 2;
/// No legal position has more pieces than that many nibbles hold.
const MAX_PIECES: usize = 32;

/// How a game ended.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum GameResult {
    /// Black won.
    BlackWins,
    /// Nobody won.
    Draw,
    /// White won.
    WhiteWins,
}

impl GameResult {
    /// White's points: 0, 0.5 or 1.
    pub fn points(self) -> f32 {
        match self {
            GameResult::BlackWins => 0.0,
            GameResult::Draw => 0.5,
            GameResult::WhiteWins => 1.0,
        }
    }

    /// The result with this many points for White, if there is one.
    pub fn from_points(points: f32) -> Option<GameResult> {
        [
            GameResult::BlackWins,
            GameResult::Draw,
            GameResult::WhiteWins,
        ]
        .into_iter()
        .find(|result| result.points() == points)
    }

    /// A win of `color`.
    pub fn win_of(color: Color) -> GameResult {
        color.fold_wb(GameResult::WhiteWins, GameResult::BlackWins)
    }
}

/// A position to learn from.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The position.
    pub chess: Chess,
    /// What a search said, in centipawns from White's view.
    pub score: Option<i16>,
    /// How the game ended.
    pub result: GameResult,
    /// Whether it is the first of its game in the file.
    pub starts_game: bool,
    /// Whether it is the last of its game in the file. Only binary files know.
    pub ends_game: bool,
}

/// Why 32 bytes are no position.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct RecordError(String);

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RecordError {}

impl Sample {
    /// The position as it is written to a file.
    pub fn to_record(&self) -> [u8; RECORD_SIZE] {
        let chess = &self.chess;
        let mut record = [0; RECORD_SIZE];
        record[..8].copy_from_slice(&chess.board().occupied().0.to_le_bytes());
        write_pieces(chess, &mut record[8..24]);
        record[24] = chess
            .legal_ep_square()
            .map_or(NO_SQUARE, |square| square as u8)
            | chess.turn().fold_wb(0, BLACK_MOVES);
        record[25] = chess.halfmoves().min(u8::MAX.into()) as u8;
        let fullmoves = chess.fullmoves().get().min(u16::MAX.into()) as u16;
        record[26..28].copy_from_slice(&fullmoves.to_le_bytes());
        record[28..30].copy_from_slice(&self.score.unwrap_or(NO_SCORE).to_le_bytes());
        record[30] = self.result as u8;
        record[31] = if self.starts_game { STARTS_GAME } else { 0 }
            | if self.ends_game { ENDS_GAME } else { 0 };
        record
    }

    /// The position that a record stands for.
    ///
    /// # Errors
    ///
    /// A [`RecordError`] when the bytes are no legal position with a result.
    pub fn from_record(record: &[u8; RECORD_SIZE]) -> Result<Sample, RecordError> {
        let [
            o0,
            o1,
            o2,
            o3,
            o4,
            o5,
            o6,
            o7,
            pieces @ ..,
            square,
            halfmoves,
            m0,
            m1,
            s0,
            s1,
            result,
            flags,
        ] = record;
        let occupied = Bitboard(u64::from_le_bytes([*o0, *o1, *o2, *o3, *o4, *o5, *o6, *o7]));
        let (board, castling_rights) = read_pieces(occupied, pieces)?;
        let score = i16::from_le_bytes([*s0, *s1]);
        let setup = Setup {
            board,
            castling_rights,
            turn: Color::from_white(square & BLACK_MOVES == 0),
            ep_square: Square::try_from(square & !BLACK_MOVES).ok(),
            halfmoves: (*halfmoves).into(),
            fullmoves: NonZeroU32::new(u16::from_le_bytes([*m0, *m1]).into())
                .unwrap_or(NonZeroU32::MIN),
            ..Setup::empty()
        };
        Ok(Sample {
            chess: fen::into_position(setup).map_err(|error| RecordError(error.to_string()))?,
            score: (score != NO_SCORE).then_some(score),
            result: GameResult::from_points(f32::from(*result) / 2.0)
                .ok_or_else(|| RecordError(format!("no result has the number {result}")))?,
            starts_game: flags & STARTS_GAME != 0,
            ends_game: flags & ENDS_GAME != 0,
        })
    }
}

/// Whether a record is the first and whether it is the last of its game.
pub fn game_marks(record: &[u8; RECORD_SIZE]) -> (bool, bool) {
    let [.., flags] = record;
    (flags & STARTS_GAME != 0, flags & ENDS_GAME != 0)
}

fn write_pieces(chess: &Chess, nibbles: &mut [u8]) {
    let castling_rooks = chess.castles().castling_rights();
    for (index, (square, piece)) in chess.board().iter().take(MAX_PIECES).enumerate() {
        let mut code = piece.role as u8 - 1;
        if piece.role == Role::Rook && castling_rooks.contains(square) {
            code = UNMOVED_ROOK;
        }
        code |= piece.color.fold_wb(0, BLACK);
        nibbles[index / 2] |= code << (4 * (index % 2));
    }
}

fn read_pieces(occupied: Bitboard, nibbles: &[u8]) -> Result<(Board, Bitboard), RecordError> {
    if occupied.count() > MAX_PIECES {
        return Err(RecordError(format!("{} pieces", occupied.count())));
    }
    let codes = nibbles.iter().flat_map(|byte| [byte & 15, byte >> 4]);
    let mut board = Board::empty();
    let mut castling_rooks = Bitboard::EMPTY;
    for (square, code) in occupied.into_iter().zip(codes) {
        let role = match code & !BLACK {
            UNMOVED_ROOK => {
                castling_rooks.add(square);
                Role::Rook
            }
            number => *Role::ALL
                .get(usize::from(number))
                .ok_or_else(|| RecordError(format!("no piece has the number {code}")))?,
        };
        let color = Color::from_white(code & BLACK == 0);
        board.set_piece_at(square, Piece { color, role });
    }
    Ok((board, castling_rooks))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(text: &str, score: Option<i16>, result: GameResult) -> Sample {
        Sample {
            chess: fen::parse(text).expect(text),
            score,
            result,
            starts_game: true,
            ends_game: false,
        }
    }

    #[test]
    fn a_record_comes_back_as_it_was() {
        let cases = [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                Some(0),
                GameResult::Draw,
            ),
            (
                "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
                Some(-1500),
                GameResult::WhiteWins,
            ),
            (
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 3 17",
                None,
                GameResult::BlackWins,
            ),
            (
                "8/5kR1/8/3K4/8/8/8/8 b - - 99 143",
                Some(31_000),
                GameResult::WhiteWins,
            ),
            (
                "nnbbqrkr/pppp1p1p/6p1/4p3/4P3/6P1/PPPP1P1P/NNBBQRKR w HFhf - 0 3",
                Some(7),
                GameResult::Draw,
            ),
        ];
        for (text, score, result) in cases {
            let before = sample(text, score, result);
            let record = before.to_record();
            let after = Sample::from_record(&record).expect(text);
            assert_eq!(after, before);
            assert_eq!(fen::write(&after.chess), text);
            assert_eq!(game_marks(&record), (true, false));
        }
    }

    #[test]
    fn the_bytes_are_where_the_table_says() {
        let text = "4k2r/8/8/8/8/8/8/4K3 b k - 7 258";
        let record = sample(text, Some(-2), GameResult::BlackWins).to_record();
        let occupied = 1_u64 << 4 | 1 << 60 | 1 << 63;
        assert_eq!(record[..8], occupied.to_le_bytes());
        assert_eq!(record[8..11], [0x5 | 0xd0, 0xe, 0]);
        assert_eq!(record[24..], [64 | 0x80, 7, 2, 1, 0xfe, 0xff, 0, 1]);
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(Sample::from_record(&[0xff; RECORD_SIZE]).is_err());
        assert!(Sample::from_record(&[0; RECORD_SIZE]).is_err());
        let mut record =
            sample("4k3/8/8/8/8/8/8/4K3 w - - 0 1", None, GameResult::Draw).to_record();
        record[30] = 3;
        assert!(Sample::from_record(&record).is_err());
        record[30] = 1;
        record[8] |= 7;
        assert!(Sample::from_record(&record).is_err());
    }
}
