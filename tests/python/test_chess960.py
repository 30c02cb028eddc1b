"""Fischer random: castling as king takes own rook, games from many starts."""

from __future__ import annotations

import chess
import chess.engine
import pytest
from chess.engine import Limit

from support import searched

STARTS = [0, 7, 95, 177, 346, 518, 692, 959]
"""Numbers of start positions. In 7, 95 and 177 the first move may castle; 518 is usual chess."""

CASTLING = {
    "both sides, usual squares": "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "king b1, rook a1": "rk5r/8/8/8/8/8/8/RK5R w HAha - 0 1",
    "king g1, rook h1": "r5kr/8/8/8/8/8/8/R5KR w HAha - 0 1",
    "king f1, rook g1": "5kr1/8/8/8/8/8/8/1R3KR1 w GBg - 0 1",
    "king b1, rook c1": "8/8/4k3/8/8/8/8/1KR5 w C - 0 1",
    "two rooks on one side": "8/8/4k3/8/8/8/8/4K1RR w G - 0 1",
    "black, inner rook": "nn1rkq1b/ppp1p1rP/8/2Np4/3P4/2P5/bP3PPP/2BRKQRB b GDd - 1 8",
    "double Fischer random": "bbrqnkrn/pppppppp/8/8/8/8/PPPPPPPP/QRNBK1R1 w GBgc - 0 1",
}


def castling_moves(board: chess.Board) -> list[chess.Move]:
    """Legal castling moves of the side to move."""
    return [move for move in board.legal_moves if board.is_castling(move)]


@pytest.mark.parametrize("fen", CASTLING.values(), ids=CASTLING.keys())
def test_castles_when_told_to(engine: chess.engine.SimpleEngine, fen: str) -> None:
    board = chess.Board(fen, chess960=True)
    moves = castling_moves(board)
    assert moves
    for move in moves:
        _, best = searched(engine, board, Limit(depth=3), root_moves=[move])
        assert best.move == move
        after = board.copy()
        after.push(move)
        searched(engine, after, Limit(depth=4))


def test_usual_chess_castles_in_two_squares(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    for text in ("e1g1", "e1c1"):
        move = chess.Move.from_uci(text)
        assert engine.play(board, Limit(depth=2), root_moves=[move]).move == move


def test_switches_between_both_kinds_of_chess(engine: chess.engine.SimpleEngine) -> None:
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    for chess960 in (True, False, True):
        board = chess.Board(fen, chess960=chess960)
        for move in castling_moves(board):
            assert engine.play(board, Limit(depth=2), root_moves=[move]).move == move


@pytest.mark.parametrize("number", STARTS)
def test_plays_from_any_start(engine: chess.engine.SimpleEngine, number: int) -> None:
    """Castling is chosen as soon as it can be, so that later moves build on it."""
    board = chess.Board.from_chess960_pos(number)
    while board.ply() < 40 and not board.is_game_over():
        castling = castling_moves(board)
        _, best = searched(
            engine, board, Limit(nodes=400), game=number, root_moves=castling or None
        )
        assert best.move is not None
        board.push(best.move)
