"""Openings for a match: from a file, from the built-in list, or random Fischer random starts."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Callable, TypeVar

import chess

BUILT_IN = Path(__file__).resolve().with_name("openings.txt")

Source = TypeVar("Source")


def choose(book: Path | None, count: int, seed: int, chess960: bool) -> list[str]:
    """`count` opening positions as FENs, in an order that depends on the seed alone.

    The list is repeated, newly shuffled, when it is too short. Raises OSError for a file that
    cannot be read and ValueError, naming file and line, for a line that is no opening.
    """
    dice = random.Random(seed)
    if book is None and chess960:
        return shuffled(
            range(960), count, dice, lambda number: start_position(number).fen(shredder=True)
        )
    path = book or BUILT_IN
    lines = path.read_text(encoding="utf-8").splitlines()
    numbers = [n for n, line in enumerate(lines) if line.strip() and not line.startswith("#")]
    if not numbers:
        raise ValueError(f"{path}: no openings in this file")

    def fen_of_line(number: int) -> str:
        try:
            board = parse_position(lines[number], chess960) if book else after_moves(lines[number])
        except ValueError as error:
            raise ValueError(f"{path}, line {number + 1}: {error}") from error
        return board.fen(shredder=chess960)

    return shuffled(numbers, count, dice, fen_of_line)


def shuffled(
    sources: Sequence[Source], count: int, dice: random.Random, convert: Callable[[Source], str]
) -> list[str]:
    """`count` converted items in random order; every item once before any comes again."""
    chosen: list[str] = []
    while len(chosen) < count:
        order = list(sources)
        dice.shuffle(order)
        chosen += [convert(source) for source in order[: count - len(chosen)]]
    return chosen


def start_position(number: int) -> chess.Board:
    """The Fischer random start position with this number."""
    return chess.Board.from_chess960_pos(number)


def after_moves(line: str) -> chess.Board:
    """The position after a line of UCI moves from the start position."""
    board = chess.Board()
    for move in line.split():
        board.push_uci(move)
    return board


def parse_position(line: str, chess960: bool) -> chess.Board:
    """The position of one line of a book: a FEN, or an EPD with its operations."""
    fields = line.split(";")[0].split()
    if len(fields) >= 6 and fields[4].isdigit() and fields[5].isdigit():
        board = chess.Board(" ".join(fields[:6]), chess960=chess960)
    else:
        board = chess.Board.empty(chess960=chess960)
        board.set_epd(line)
    if not board.is_valid():
        raise ValueError("not a legal position" + ("" if chess960 else " without --chess960"))
    if not any(board.legal_moves):
        raise ValueError("the game is over in this position")
    return board
