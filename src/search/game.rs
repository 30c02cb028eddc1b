//! The door between the search and the game: all that the search uses of chess.
//!
//! Every other file of this folder takes these names from here. A second game would have to offer the same ones: a
//! position that moves can be played on, its moves, its keys, an evaluation, and an exchange test.

pub(super) use shakmaty::{Bitboard, Color, Move, Role};

pub(super) use crate::chess::compact::{CompactMove, PackedMove, PieceSquare};
pub(super) use crate::chess::eval::psqt::exchange_value;
pub(super) use crate::chess::eval::{EvalCache, Evaluator, Percent, is_known, may_be_known};
pub(super) use crate::chess::keys::{FIFTY_MOVE_LIMIT, KeyPath};
pub(super) use crate::chess::movegen;
pub(super) use crate::chess::position::{ByRole, Position, Threats};
pub(super) use crate::chess::see::see_at_least;
pub(super) use crate::chess::tablebase::{Group, Tablebases, Verdict};
pub(super) use crate::chess::upcoming_repetition::ReversibleMoves;
