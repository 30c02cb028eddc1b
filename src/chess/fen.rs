//! Positions as text. FEN and EPD are read leniently and written in the standard form.
//!
//! Graphical interfaces send castling rights without a rook, en passant squares without a pawn and lines with
//! missing fields. All of that is repaired. What would break a search is refused with the reason:
//! see [`FenError`].

use std::fmt;
use std::num::{IntErrorKind, NonZeroU32};

use shakmaty::fen::Fen;
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, File, Piece, Position as _,
    PositionError, PositionErrorKinds, Rank, Setup, Square,
};

use crate::chess::compact::LIST_CAPACITY;
use crate::chess::position::from_setup;

/// Larger move counters than this are cut down to it.
const MAX_COUNTER: u32 = 9_999;

/// Longest part of a wrong field that an error repeats, in characters.
const MAX_ECHO: usize = 20;

/// Why a text is not a position that can be played.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum FenError {
    /// There is no text.
    Empty,
    /// The board has this many ranks instead of eight.
    RankCount(usize),
    /// This rank (1 to 8) has another number of squares than eight.
    RankLength {
        /// The rank, from 1 to 8.
        rank: usize,
        /// How many squares it has.
        squares: usize,
    },
    /// A letter on this rank (1 to 8) stands for no piece.
    UnknownPiece {
        /// The rank, from 1 to 8.
        rank: usize,
        /// The letter.
        letter: char,
    },
    /// The second field is neither `w` nor `b`.
    UnknownSide(String),
    /// This side has no king.
    NoKing(Color),
    /// This side has several kings.
    ManyKings(Color),
    /// A pawn stands on the first or the eighth rank.
    PawnOnBackRank,
    /// This side is in check, but the other one is to move.
    WrongSideInCheck(Color),
    /// This side has so many pieces that it could have more moves than a move list holds.
    TooManyPieces(Color),
    /// Another fault, in the words of shakmaty.
    Illegal(String),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenError::Empty => write!(f, "no position given"),
            FenError::RankCount(1) => write!(f, "1 rank instead of 8"),
            FenError::RankCount(count) => write!(f, "{count} ranks instead of 8"),
            FenError::RankLength { rank, squares } => {
                write!(f, "rank {rank} has {squares} squares instead of 8")
            }
            FenError::UnknownPiece { rank, letter } => {
                write!(f, "unknown piece `{letter}` on rank {rank}")
            }
            FenError::UnknownSide(side) => {
                write!(f, "the side to move must be w or b, not `{side}`")
            }
            FenError::NoKing(color) => write!(f, "{} has no king", name(*color)),
            FenError::ManyKings(color) => write!(f, "{} has more than one king", name(*color)),
            FenError::PawnOnBackRank => write!(f, "a pawn stands on the first or the eighth rank"),
            FenError::WrongSideInCheck(color) => {
                let (checked, other) = (name(*color), name(!*color));
                write!(f, "{checked} is in check, but {other} is to move")
            }
            FenError::TooManyPieces(color) => write!(f, "{} has too many pieces", name(*color)),
            FenError::Illegal(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for FenError {}

fn name(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}

/// Reads a FEN of one to six fields, or an EPD.
///
/// Missing fields take their defaults: White to move, no castling, no en passant, counters 0 and 1. Castling
/// rights may be given as `KQkq` (the outermost rook) or as rook files (`HAha`). Rights and en passant
/// squares that are impossible are dropped. The position is in the castling mode of Chess960, which covers
/// standard chess.
///
/// # Errors
///
/// A [`FenError`] when the text is no position, or one that cannot be played.
pub fn parse(text: &str) -> Result<Chess, FenError> {
    parse_as(text, CastlingMode::Chess960)
}

/// Quotation marks of all kinds: people paste a FEN together with those that stood round it.
const QUOTATION_MARKS: [char; 7] = [
    '"', '\'', '`', '\u{201c}', '\u{201d}', '\u{2018}', '\u{2019}',
];

/// Reads a FEN as [`parse`] does. Outside Chess960 the letters `KQkq` stand for kings and rooks at home only; rights given
/// as rook files are kept in any case.
///
/// # Errors
///
/// Those of [`parse`].
pub fn parse_as(text: &str, mode: CastlingMode) -> Result<Chess, FenError> {
    let text = text.trim().trim_matches(QUOTATION_MARKS);
    let mut fields = text.split_whitespace();
    let board = parse_board(fields.next().ok_or(FenError::Empty)?)?;
    let turn = parse_side(fields.next().unwrap_or("w"))?;
    let castling_rights = parse_castling(fields.next().unwrap_or("-"), &board, mode);
    let ep_square = fields.next().and_then(|field| field.parse::<Square>().ok());
    let mut counter = |default| parse_counter(fields.next().unwrap_or_default(), default);
    let halfmoves = counter(0);
    let fullmoves = NonZeroU32::new(counter(1)).unwrap_or(NonZeroU32::MIN);
    into_position(Setup {
        board,
        turn,
        castling_rights,
        ep_square,
        halfmoves,
        fullmoves,
        ..Setup::empty()
    })
}

/// Makes a position of a setup, with the same leniency as [`parse`].
///
/// # Errors
///
/// A [`FenError`] when the position cannot be played.
pub fn into_position(setup: Setup) -> Result<Chess, FenError> {
    check_pieces(&setup.board)?;
    let turn = setup.turn;
    let result = match from_setup(setup.clone()) {
        // The en passant square says that a pawn made the last move, and a pawn cannot have given this check.
        Err(error)
            if setup.ep_square.is_some()
                && error.kinds().contains(PositionErrorKinds::IMPOSSIBLE_CHECK) =>
        {
            from_setup(Setup {
                ep_square: None,
                ..setup
            })
        }
        other => other,
    };
    result
        .map_err(|error| *error)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .map_err(|error| {
            if error.kinds().contains(PositionErrorKinds::OPPOSITE_CHECK) {
                FenError::WrongSideInCheck(!turn)
            } else {
                FenError::Illegal(error.to_string())
            }
        })
}

fn parse_board(field: &str) -> Result<Board, FenError> {
    let ranks = field.split('/').count();
    if ranks != 8 {
        return Err(FenError::RankCount(ranks));
    }
    let mut board = Board::empty();
    for (text, rank) in field.split('/').zip(Rank::ALL.into_iter().rev()) {
        parse_rank(text, rank, &mut board)?;
    }
    Ok(board)
}

fn parse_rank(text: &str, rank: Rank, board: &mut Board) -> Result<(), FenError> {
    let number = usize::from(rank) + 1;
    let mut squares = 0;
    for letter in text.chars().filter(|&letter| letter != '~') {
        if let Some(empty) = letter.to_digit(10) {
            squares += empty as usize;
            continue;
        }
        let piece = Piece::from_char(letter).ok_or(FenError::UnknownPiece {
            rank: number,
            letter,
        })?;
        if let Ok(file) = File::try_from(squares) {
            board.set_piece_at(Square::from_coords(file, rank), piece);
        }
        squares += 1;
    }
    match squares {
        8 => Ok(()),
        _ => Err(FenError::RankLength {
            rank: number,
            squares,
        }),
    }
}

fn parse_side(field: &str) -> Result<Color, FenError> {
    match field {
        "w" | "W" => Ok(Color::White),
        "b" | "B" => Ok(Color::Black),
        _ => Err(FenError::UnknownSide(
            field.chars().take(MAX_ECHO).collect(),
        )),
    }
}

/// A number of moves, cut down to [`MAX_COUNTER`]; `default` when it is none.
fn parse_counter(field: &str, default: u32) -> u32 {
    match field.parse::<u32>() {
        Ok(number) => number.min(MAX_COUNTER),
        Err(error) if *error.kind() == IntErrorKind::PosOverflow => MAX_COUNTER,
        Err(_) => default,
    }
}

/// The rooks that may castle. Letters that name no such rook are ignored.
fn parse_castling(field: &str, board: &Board, mode: CastlingMode) -> Bitboard {
    let at_home = |letter: char, rook| {
        let color = Color::from_white(letter.is_ascii_uppercase());
        let king = color.fold_wb(Square::E1, Square::E8);
        board.king_of(color) == Some(king) && Bitboard::CORNERS.contains(rook)
    };
    field
        .chars()
        .filter_map(|letter| {
            let rook = castling_rook(letter, board)?;
            let by_side = matches!(letter, 'K' | 'Q' | 'k' | 'q');
            let kept = mode.is_chess960() || !by_side || at_home(letter, rook);
            kept.then_some(rook)
        })
        .collect()
}

fn castling_rook(letter: char, board: &Board) -> Option<Square> {
    let color = Color::from_white(letter.is_ascii_uppercase());
    let back_rank = color.backrank();
    let king = board
        .king_of(color)
        .filter(|king| king.rank() == back_rank)?;
    let rooks = board.by_piece(color.rook()) & back_rank;
    match letter.to_ascii_lowercase() {
        'k' => rooks.last().filter(|&rook| rook > king),
        'q' => rooks.first().filter(|&rook| rook < king),
        file => {
            let square = Square::from_coords(File::from_char(file)?, back_rank);
            rooks.contains(square).then_some(square)
        }
    }
}

fn check_pieces(board: &Board) -> Result<(), FenError> {
    for color in Color::ALL {
        match board.by_piece(color.king()).count() {
            0 => return Err(FenError::NoKing(color)),
            1 => {}
            _ => return Err(FenError::ManyKings(color)),
        }
    }
    if (board.pawns() & Bitboard::BACKRANKS).any() {
        return Err(FenError::PawnOnBackRank);
    }
    match Color::ALL
        .into_iter()
        .find(|&color| !moves_fit(board, color))
    {
        Some(color) => Err(FenError::TooManyPieces(color)),
        None => Ok(()),
    }
}

/// Whether no position that `color` can reach has more moves than a list of moves holds ([`LIST_CAPACITY`]).
///
/// Sixteen pieces with no more than nine queens and pawns are what a game can lead to, and no such position
/// has more than 218 moves (<https://www.chessprogramming.org/Chess_Position>). Any other army is measured by
/// the most moves its pieces have on an empty board, with each pawn taken for a queen.
fn moves_fit(board: &Board, color: Color) -> bool {
    let count = |role: Bitboard| (role & board.by_color(color)).count();
    let queens = count(board.queens()) + count(board.pawns());
    if board.by_color(color).count() <= 16 && queens <= 9 {
        return true;
    }
    let most = 10
        + 27 * queens
        + 14 * count(board.rooks())
        + 13 * count(board.bishops())
        + 8 * count(board.knights());
    most <= LIST_CAPACITY
}

/// The FEN of a position, all six fields. The en passant square is written only when the capture is legal.
///
/// Castling rights are written as `KQkq`, or as rook files (Shredder-FEN) when a king or a rook is not where
/// it stands in standard chess.
pub fn write(chess: &Chess) -> String {
    let fen = Fen::from_position(chess, EnPassantMode::Legal).to_string();
    if has_standard_castling(chess) {
        return fen;
    }
    let letters = shredder_letters(chess);
    fen.split(' ')
        .enumerate()
        .map(|(index, field)| if index == 2 { &letters } else { field })
        .collect::<Vec<_>>()
        .join(" ")
}

fn has_standard_castling(chess: &Chess) -> bool {
    let rights = chess.castles().castling_rights();
    let kings_at_home = Color::ALL.into_iter().all(|color| {
        (rights & color.backrank()).is_empty()
            || chess.board().king_of(color) == Some(color.fold_wb(Square::E1, Square::E8))
    });
    kings_at_home && (rights & !Bitboard::CORNERS).is_empty()
}

fn shredder_letters(chess: &Chess) -> String {
    let rights = chess.castles().castling_rights();
    let mut letters = String::new();
    for color in Color::ALL {
        for rook in (rights & color.backrank()).into_iter().rev() {
            let letter = rook.file().char();
            letters.push(color.fold_wb(letter.to_ascii_uppercase(), letter));
        }
    }
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(text: &str) -> String {
        write(&parse(text).expect("a position"))
    }

    fn error(text: &str) -> String {
        parse(text).expect_err("no position").to_string()
    }

    #[test]
    fn a_full_fen_comes_back_unchanged() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 3 17",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "8/5kR1/8/3K4/8/8/8/8 b - - 99 143",
        ] {
            assert_eq!(round_trip(fen), fen);
        }
    }

    #[test]
    fn quotation_marks_round_a_fen_are_left_out() {
        let fen = "8/5kR1/8/3K4/8/8/8/8 b - - 99 143";
        for quoted in [
            format!("\"{fen}\""),
            format!(" '{fen}' "),
            format!("\u{201c}{fen}\u{201d}"),
            format!("\" {fen} \""),
        ] {
            assert_eq!(round_trip(&quoted), fen);
        }
        assert_eq!(error("\"\""), error(""));
    }

    #[test]
    fn missing_and_bad_fields_take_their_defaults() {
        let board = "4k3/8/8/8/8/8/8/4K3";
        let expected = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        for rest in [
            "",
            " w",
            " w -",
            " w - -",
            " w - - 0",
            " W - - x y",
            " w - - -1 -1",
            " w - - 0 0",
        ] {
            assert_eq!(round_trip(&format!("{board}{rest}")), expected, "{rest:?}");
        }
        assert_eq!(
            round_trip("4k3/8/8/8/8/8/8/4K3 b - - bm Kd7; id \"x\";"),
            "4k3/8/8/8/8/8/8/4K3 b - - 0 1"
        );
        assert_eq!(
            round_trip("4k3/8/8/8/8/8/8/4K3 w - - 4000000000 9999999999"),
            "4k3/8/8/8/8/8/8/4K3 w - - 9999 9999"
        );
    }

    #[test]
    fn impossible_rights_and_squares_are_dropped() {
        assert_eq!(
            round_trip("2k5/8/3K4/1p6/p7/P7/1B6/8 b KQkq - 0 1"),
            "2k5/8/3K4/1p6/p7/P7/1B6/8 b - - 0 1"
        );
        assert_eq!(
            round_trip("r3k2r/8/8/8/8/8/8/4K2R w KQkqXy e3 0 1"),
            "r3k2r/8/8/8/8/8/8/4K2R w Kkq - 0 1"
        );
        // Outside Chess960 a king that is not at home, or the rook, has no right to castle, unless its file is named.
        for (text, chess960, standard) in [
            ("4k2r/8/8/8/8/8/8/3K3R w Kk - 0 1", "Hh", "k"),
            ("4k3/8/8/8/8/8/8/R3K1R1 w KQ - 0 1", "GA", "Q"),
            ("4k3/8/8/8/8/8/8/R3K1R1 w GA - 0 1", "GA", "GA"),
        ] {
            let rights = |mode| {
                let fen = write(&parse_as(text, mode).expect("a position"));
                fen.split(' ').nth(2).map(str::to_string)
            };
            assert_eq!(
                rights(CastlingMode::Standard).as_deref(),
                Some(standard),
                "{text}"
            );
            assert_eq!(
                rights(CastlingMode::Chess960).as_deref(),
                Some(chess960),
                "{text}"
            );
        }
        let chess = parse("k7/8/8/3pP3/8/7n/5K2/8 w - d6 0 1").expect("a position");
        assert_eq!(chess.maybe_ep_square(), None);
        let chess = parse("4k3/8/8/8/8/8/8/4K3 w - e9 0 1").expect("a position");
        assert_eq!(chess.maybe_ep_square(), None);
    }

    #[test]
    fn strange_but_playable_positions_are_accepted() {
        // Three rooks check at once; five rooks with eight pawns.
        assert!(parse("4k3/8/8/8/3rKr2/8/4r3/8 w - - 0 1").is_ok());
        assert!(parse("4k3/pppppppp/8/8/8/8/PPPPPPPP/RRRRKR2 w - - 0 1").is_ok());
        // Seventeen knights a side are many, but have few moves.
        assert!(parse("nnnnnnnn/nnnnnnnn/1k5n/8/8/6K1/NNNNNNNN/NNNNNNNN w - - 0 1").is_ok());
    }

    // A move list holds 256 moves. A king has 8 and two ways to castle, a queen at most 27, a rook 14, a bishop 13, a knight 8.
    #[test]
    fn armies_are_measured_by_the_most_moves_they_can_have() {
        use shakmaty::Role;
        const ROLES: [Role; 5] = [
            Role::Queen,
            Role::Pawn,
            Role::Rook,
            Role::Bishop,
            Role::Knight,
        ];
        for (counts, fits) in [
            // Sixteen pieces that a game can lead to, and one of each kind too many.
            ([1, 8, 2, 2, 2], true),
            ([9, 0, 2, 2, 2], true),
            ([1, 8, 2, 2, 3], false),
            ([2, 8, 0, 0, 0], false),
            ([10, 0, 0, 0, 0], false),
            // 10 + 27 + 14 + 13 + 24 * 8 = 256, and a knight more.
            ([1, 0, 1, 1, 24], true),
            ([0, 1, 1, 1, 24], true),
            ([1, 0, 1, 1, 25], false),
            // 10 + 3 * 13 + 26 * 8 = 257, and 10 + 5 * 14 + 22 * 8 = 256.
            ([0, 0, 0, 3, 26], false),
            ([0, 0, 5, 0, 22], true),
            // Rooks: 10 + 17 * 14 = 248. Bishops: 10 + 18 * 13 = 244. Knights: 10 + 30 * 8 = 250.
            ([0, 0, 17, 0, 0], true),
            ([0, 0, 18, 0, 0], false),
            ([0, 0, 0, 18, 0], true),
            ([0, 0, 0, 19, 0], false),
            ([0, 0, 0, 0, 30], true),
            ([0, 0, 0, 0, 31], false),
        ] {
            for color in Color::ALL {
                let mut board = Board::empty();
                let mut squares = Square::ALL.into_iter();
                let mut place = |piece| board.set_piece_at(squares.next().expect("room"), piece);
                place(color.king());
                for (role, count) in ROLES.into_iter().zip(counts) {
                    (0..count).for_each(|_| place(role.of(color)));
                }
                // The other side does not count.
                for piece in [(!color).king(), (!color).rook(), (!color).knight()] {
                    place(piece);
                }
                assert_eq!(moves_fit(&board, color), fits, "{counts:?}");
                assert!(moves_fit(&board, !color));
            }
        }
    }

    #[test]
    fn faults_are_named() {
        assert_eq!(error("  "), "no position given");
        assert_eq!(error("blah"), "1 rank instead of 8");
        assert_eq!(
            error("4k3/8/8/8/9/8/8/4K3 w"),
            "rank 4 has 9 squares instead of 8"
        );
        assert_eq!(
            error("4k3/8/8/8/7/8/8/4K3 w"),
            "rank 4 has 7 squares instead of 8"
        );
        assert_eq!(
            error("4k3/pppppppppp/8/8/8/8/8/4K3 w"),
            "rank 7 has 10 squares instead of 8"
        );
        assert_eq!(
            error("4k3/8/8/8/8/8/8/4Z3 w"),
            "unknown piece `Z` on rank 1"
        );
        assert_eq!(
            error("4k3/8/8/8/8/8/8/4K3 x"),
            "the side to move must be w or b, not `x`"
        );
        assert_eq!(error("8/8/8/8/8/8/8/4K3 w"), "Black has no king");
        assert_eq!(
            error("4k3/8/8/8/8/8/8/3KK3 w"),
            "White has more than one king"
        );
        assert_eq!(
            error("P3k3/8/8/8/8/8/8/4K3 w"),
            "a pawn stands on the first or the eighth rank"
        );
        assert_eq!(
            error("4k3/8/8/8/8/8/8/4RK2 w"),
            "Black is in check, but White is to move"
        );
        let queens = "qqqqqqqq/qqqqqqqk/8/8/8/8/QQQQQQQK/QQQQQQQQ w - - 0 1";
        assert_eq!(error(queens), "White has too many pieces");
    }

    #[test]
    fn chess960_castling_is_read_in_both_ways_and_written_as_files() {
        let board = "nn1rkq1b/ppp1p1rP/8/2Np4/3P4/2P5/bP3PPP/2BRKQRB";
        let files = format!("{board} b GDd - 1 8");
        assert_eq!(round_trip(&files), files);
        assert_eq!(round_trip(&format!("{board} b KQq - 1 8")), files);
        // The inner of two rooks.
        let inner = "4k3/8/8/8/8/8/8/4KR1R w F - 0 1";
        assert_eq!(round_trip(inner), inner);
    }
}
