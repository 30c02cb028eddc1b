"""Whole games of the engine against itself: moves and lines are legal, the rules end the game."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import chess
from chess.engine import Limit

import openings
from conftest import EngineStarter
from rules import game_over
from support import searched

SECONDS_A_MOVE = 0.01
USUAL_GAMES = 4
FISCHER_RANDOM_GAMES = 2
GAMES_AT_A_TIME = 2


def play_to_the_end(start_engine: EngineStarter, board: chess.Board) -> None:
    """Play `board` on between two engine processes until the rules end the game."""
    with start_engine() as white, start_engine() as black:
        while not game_over(board):
            mover = white if board.turn == chess.WHITE else black
            _, best = searched(mover, board, Limit(time=SECONDS_A_MOVE), game="self")
            assert best.move is not None
            board.push(best.move)
    outcome = board.outcome(claim_draw=True)
    assert outcome is not None, f"{game_over(board)} is no end by the rules"


def test_games_end_by_the_rules(start_engine: EngineStarter) -> None:
    usual = openings.choose(None, USUAL_GAMES, seed=7, chess960=False)
    random = openings.choose(None, FISCHER_RANDOM_GAMES, seed=7, chess960=True)
    starts = [chess.Board(fen) for fen in usual]
    starts += [chess.Board(fen, chess960=True) for fen in random]
    with ThreadPoolExecutor(GAMES_AT_A_TIME) as pool:
        games = [pool.submit(play_to_the_end, start_engine, board) for board in starts]
    for game in games:
        game.result()
