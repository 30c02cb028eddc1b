"""Helpers of the client tests: checks on what the engine shows, and the raw lines exchanged."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any

import chess
import chess.engine
import pytest

from rules import LineChecker


class InfoChecker:
    """Checks every info of one search, and the best move against the last line shown."""

    def __init__(self, root: chess.Board) -> None:
        self._root = root.copy()
        self._lines = LineChecker(root)
        self._last_line: chess.engine.InfoDict | None = None

    def check(self, info: chess.engine.InfoDict) -> None:
        """A PV comes with a score, can be played, and ends in mate if the score says so."""
        if "wdl" in info:
            assert info["wdl"].relative.total() == 1000, info
        if "pv" not in info:
            return
        assert info["pv"], f"empty PV: {info}"
        assert "score" in info, f"a PV without a score: {info}"
        score = info["score"].relative
        mate = score.mate() if is_exact(info) else None
        fault = self._lines.fault([move.uci() for move in info["pv"]], mate)
        history = " ".join(move.uci() for move in self._root.move_stack)
        assert fault is None, f"{fault}\n{info}\nat {self._root.root().fen()} moves {history}"
        if info.get("multipv", 1) == 1:
            self._last_line = info

    def check_best(self, best: chess.engine.BestMove) -> None:
        """The best move opens the last line shown for it; the ponder move is its second."""
        if best.move is None:
            assert not any(self._root.legal_moves), "no best move, though there are legal moves"
            return
        assert best.move in self._root.legal_moves
        if self._last_line is None or not is_exact(self._last_line):
            return
        line = self._last_line["pv"]
        assert best.move == line[0], f"best move {best.move}, but the last line is {line}"
        if best.ponder is not None and len(line) > 1:
            assert best.ponder == line[1], f"ponder {best.ponder}, but the last line is {line}"


def is_exact(info: chess.engine.InfoDict) -> bool:
    """Whether the score of an info is no mere bound."""
    return not info.get("lowerbound") and not info.get("upperbound")


def searched(
    engine: chess.engine.SimpleEngine,
    board: chess.Board,
    limit: chess.engine.Limit,
    **options: Any,
) -> tuple[list[chess.engine.InfoDict], chess.engine.BestMove]:
    """All infos of a search and its best move, each checked."""
    with engine.analysis(board, limit, **options) as analysis:
        infos = list(analysis)
        best = analysis.wait()
    check_search(board, infos, best)
    return infos, best


def check_search(
    board: chess.Board, infos: Iterable[chess.engine.InfoDict], best: chess.engine.BestMove
) -> None:
    """Check all that one search of `board` has shown."""
    checker = InfoChecker(board)
    for info in infos:
        checker.check(info)
    checker.check_best(best)


def board_after(moves: str, fen: str = chess.STARTING_FEN) -> chess.Board:
    """The position after UCI moves, with its history."""
    board = chess.Board(fen)
    for move in moves.split():
        board.push_uci(move)
    return board


def exchanged(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str]]:
    """The raw lines of this test so far: ("<<", sent) and (">>", received).

    Needs python-chess's log at level DEBUG: see `record_lines`.
    """
    lines = []
    for record in caplog.records:
        if record.name == "chess.engine" and record.msg in ("%s: << %s", "%s: >> %s"):
            assert isinstance(record.args, tuple)
            lines.append((record.msg[4:6], str(record.args[1])))
    return lines


def record_lines(caplog: pytest.LogCaptureFixture) -> None:
    """Have the raw lines kept from now on, for `exchanged`."""
    caplog.set_level(logging.DEBUG, logger="chess.engine")
