"""Options: what is offered, that every one can be set, and that the engine plays on afterwards."""

from __future__ import annotations

import re

import chess
import chess.engine
import pytest
from chess.engine import EngineError, Limit, Option

from support import searched

NEEDED = {
    "Hash": "spin",
    "Threads": "spin",
    "MultiPV": "spin",
    "Ponder": "check",
    "Move Overhead": "spin",
    "SyzygyPath": "string",
    "UCI_Chess960": "check",
    "UCI_ShowWDL": "check",
}
LARGEST_HASH_TRIED = 64
LARGEST_THREADS_TRIED = 3


def values_to_try(option: Option) -> list[str | int | bool | None]:
    """Values a client may set, within what a test machine can bear."""
    if option.type == "check":
        return [True, False]
    if option.type == "combo":
        return list(option.var or [])
    if option.type == "button":
        return [None]
    if option.type == "spin":
        assert option.min is not None
        assert option.max is not None
        largest = {"hash": LARGEST_HASH_TRIED, "threads": LARGEST_THREADS_TRIED}
        top = min(option.max, largest.get(option.name.lower(), option.max))
        return sorted({option.min, (option.min + top) // 2, top})
    return ["<empty>", "/nowhere/at/all", "/with some/spaces;/and/two"]


def test_needed_options_are_offered(engine: chess.engine.SimpleEngine) -> None:
    options = engine.options
    for name, kind in NEEDED.items():
        assert name in options, f"no option {name}"
        assert options[name].name == name
        assert options[name].type == kind
    assert options["Hash"].max >= 512
    assert options["Threads"].max >= 4
    assert "UCI_AnalyseMode" not in options


def test_options_are_well_formed(engine: chess.engine.SimpleEngine) -> None:
    for name, option in engine.options.items():
        assert not {"min", "max", "default", "var"} & set(re.split(r"\s+", name.lower())), name
        assert option.type in ("check", "spin", "combo", "button", "string"), name
        if option.type == "spin":
            assert option.min <= option.default <= option.max, name
        if option.type == "combo":
            assert option.default in option.var, name
        if option.type == "string":
            assert option.default, f"{name}: an empty default is spelled <empty>"


def test_every_option_can_be_set(
    engine: chess.engine.SimpleEngine, expected_complaints: list[str]
) -> None:
    # The engine names a file it cannot open in an info string; python-chess is surprised by it.
    expected_complaints.append("Unexpected engine output: 'info string ")
    board = chess.Board()
    for name, option in engine.options.items():
        if option.is_managed():
            continue
        for value in values_to_try(option):
            engine.configure({name: value})
            engine.ping()
            move = engine.play(board, Limit(nodes=200)).move
            assert move in board.legal_moves, f"{name} = {value}"
        if option.type != "button":
            engine.configure({name: option.default})
    engine.ping()


def test_names_are_case_insensitive(engine: chess.engine.SimpleEngine) -> None:
    engine.configure({"hAsH": 8, "uci_showwdl": True, "MOVE OVERHEAD": 20})
    info = engine.analyse(chess.Board(), Limit(depth=3))
    assert "wdl" in info
    engine.configure({"UCI_SHOWWDL": False})
    assert "wdl" not in engine.analyse(chess.Board(), Limit(depth=3))


@pytest.mark.parametrize(
    "options",
    [
        {"No Such Option": 1},
        {"Hash": "many"},
        {"Threads": 0},
        {"Hash": 1 << 40},
        {"MultiPV": 2},
        {"UCI_Chess960": True},
    ],
    ids=repr,
)
def test_client_refuses_bad_options(
    engine: chess.engine.SimpleEngine, options: chess.engine.ConfigMapping
) -> None:
    with pytest.raises(EngineError):
        engine.configure(options)
    assert engine.play(chess.Board(), Limit(depth=2)).move is not None


def test_options_of_one_search_only(engine: chess.engine.SimpleEngine) -> None:
    """python-chess sets them for a search and puts the old values back at the next."""
    assert "wdl" in engine.analyse(chess.Board(), Limit(depth=3), options={"UCI_ShowWDL": True})
    assert "wdl" not in engine.analyse(chess.Board(), Limit(depth=3))


def test_hash_and_threads_change_between_moves(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board()
    for size, threads in ((1, 1), (20, 2), (64, 1), (3, 2)):
        engine.configure({"Hash": size, "Threads": threads})
        _, best = searched(engine, board, Limit(time=0.05), game="same")
        assert best.move is not None
        board.push(best.move)
