"""Analysis: several lines, streaming and stopping, legal lines, mates, win-draw-loss figures."""

from __future__ import annotations

import time

import chess
import chess.engine
import pytest
from chess.engine import Limit, Mate

from conftest import HANG_SECONDS
from support import InfoChecker, board_after, is_exact, searched

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
TWO_MOVES = "k7/8/8/8/8/7P/r7/7K w - - 0 1"

POSITIONS = {
    "start": chess.Board(),
    "many captures": chess.Board(KIWIPETE),
    "promotions": chess.Board("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1"),
    "en passant": board_after("e2e4 a7a6 e4e5 d7d5"),
    "castled": board_after("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1"),
    "repeated once": board_after("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1"),
    "repeated in an ending": board_after(
        "h1h2 e5e4 h2h1 e4e5 h1h2 e5e4 h2h1", "8/8/8/4k3/8/8/4K1P1/7R w - - 10 60"
    ),
    "nearly fifty moves": chess.Board("8/8/8/4k3/8/8/4K2R/8 w - - 95 120"),
    "mate on the hundredth half-move": chess.Board("7k/8/6K1/8/8/8/8/R7 w - - 99 120"),
    "in check": chess.Board("rnbqk1nr/pppp1ppp/8/4p3/1bP5/3P4/PP2PPPP/RNBQKBNR w KQkq - 1 3"),
}

MATES = {
    "back rank": ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1),
    "by promotion": ("5k2/P7/5K2/8/8/8/8/8 w - - 0 1", 1),
    "smothered": ("6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1", 1),
    "rook sacrifice": ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
    "king hunt": ("r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", 3),
    "mated in one": ("6k1/8/8/8/8/1r6/r6P/7K w - - 0 1", -1),
}

UNEQUAL = {
    "a queen down": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1",
    "start": chess.STARTING_FEN,
    "a knight up": "r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "a queen up": "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
}


@pytest.mark.parametrize("board", POSITIONS.values(), ids=POSITIONS.keys())
def test_every_line_is_legal(engine: chess.engine.SimpleEngine, board: chess.Board) -> None:
    for limit in (Limit(depth=7), Limit(time=0.15)):
        infos, _ = searched(engine, board, limit)
        assert any("pv" in info for info in infos)
        assert all(isinstance(info.get("nps", 0), int) for info in infos)
    searched(engine, board, Limit(time=0.15), multipv=4)


def test_analyse_gives_three_lines_in_order(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board(KIWIPETE)
    lines = engine.analyse(board, Limit(depth=5), multipv=3)
    assert [line["multipv"] for line in lines] == [1, 2, 3]
    assert len({line["pv"][0] for line in lines}) == 3
    scores = [line["score"].relative for line in lines]
    assert scores == sorted(scores, reverse=True)
    searched(engine, board, Limit(depth=5), multipv=3)


def test_multipv_ends_with_the_legal_moves(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board(TWO_MOVES)
    count = board.legal_moves.count()
    assert 0 < count < 3
    assert len(engine.analyse(board, Limit(depth=4), multipv=5)) == count


def test_multipv_keeps_to_root_moves(engine: chess.engine.SimpleEngine) -> None:
    wanted = [chess.Move.from_uci(move) for move in ("a2a3", "e2a6")]
    lines = engine.analyse(chess.Board(KIWIPETE), Limit(depth=4), multipv=3, root_moves=wanted)
    assert {line["pv"][0] for line in lines} == set(wanted)


@pytest.mark.parametrize("multipv", [1, 3])
def test_streamed_analysis_runs_until_stopped(
    engine: chess.engine.SimpleEngine, multipv: int
) -> None:
    board = chess.Board(KIWIPETE)
    checker = InfoChecker(board)
    with engine.analysis(board, multipv=multipv) as analysis:
        for info in analysis:
            checker.check(info)
            if info.get("depth", 0) >= 4 and "pv" in info:
                break
        analysis.stop()
        for info in analysis:
            checker.check(info)
        checker.check_best(analysis.wait())
    engine.ping()


def test_leaving_the_context_stops(engine: chess.engine.SimpleEngine) -> None:
    for _ in range(5):
        with engine.analysis(chess.Board(KIWIPETE)) as analysis:
            assert analysis.next()
        assert engine.play(chess.Board(), Limit(depth=2)).move is not None


def test_stop_at_once(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board(KIWIPETE)
    for _ in range(20):
        with engine.analysis(board) as analysis:
            analysis.stop()
            assert analysis.wait().move in board.legal_moves


@pytest.mark.parametrize("fen", ["7k/8/8/8/8/8/1q6/K7 w - - 0 1", MATES["back rank"][0]])
def test_solved_roots_wait_for_stop(engine: chess.engine.SimpleEngine, fen: str) -> None:
    board = chess.Board(fen)
    checker = InfoChecker(board)
    count = 0
    with engine.analysis(board) as analysis:
        time.sleep(0.3)
        while not analysis.empty():
            checker.check(analysis.next() or {})
            count += 1
        assert analysis.would_block(), "bestmove before stop"
        analysis.stop()
        checker.check_best(analysis.wait())
    assert count < 1000, "a flood of lines"


def test_ping_during_analysis(engine: chess.engine.SimpleEngine) -> None:
    """In python-chess a ping ends the analysis: stop, best move, then isready."""
    board = chess.Board(KIWIPETE)
    for _ in range(3):
        analysis = engine.analysis(board)
        assert analysis.next()
        engine.ping()
        assert analysis.wait().move in board.legal_moves


@pytest.mark.parametrize(("fen", "mate"), MATES.values(), ids=MATES.keys())
def test_mate_is_found_and_shown(engine: chess.engine.SimpleEngine, fen: str, mate: int) -> None:
    board = chess.Board(fen)
    checker = InfoChecker(board)
    deadline = time.monotonic() + HANG_SECONDS
    found = None
    with engine.analysis(board) as analysis:
        for info in analysis:
            checker.check(info)
            shown = info["score"].relative if "score" in info and is_exact(info) else None
            if shown == Mate(mate) and "pv" in info:
                found = info
                break
            assert time.monotonic() < deadline, f"mate {mate} not found"
        analysis.stop()
        for info in analysis:
            checker.check(info)
        checker.check_best(analysis.wait())
    assert found is not None, "the analysis ended by itself"
    end = board.copy()
    for move in found["pv"]:
        end.push(move)
    assert end.is_checkmate()


@pytest.mark.parametrize(
    ("fen", "mate"),
    [case for case in MATES.values() if case[1] > 0],
    ids=[name for name, case in MATES.items() if case[1] > 0],
)
def test_mate_limit(engine: chess.engine.SimpleEngine, fen: str, mate: int) -> None:
    board = chess.Board(fen)
    infos, _ = searched(engine, board, Limit(mate=mate))
    last = [info for info in infos if "pv" in info and is_exact(info)][-1]
    assert last["score"].relative == Mate(mate)


def test_wdl_moves_with_the_score(engine: chess.engine.SimpleEngine) -> None:
    engine.configure({"UCI_ShowWDL": True})
    expectations = []
    for fen in UNEQUAL.values():
        infos, _ = searched(engine, chess.Board(fen), Limit(depth=6), multipv=4)
        scored = [info for info in infos if "score" in info]
        assert all("wdl" in info for info in scored)
        # Shown scores are rounded more than the chances: equal ones may differ in expectation.
        pairs = sorted((info["score"].relative, info["wdl"].relative.expectation()) for info in scored)
        ordered = [expectation for _, expectation in pairs]
        assert ordered == sorted(ordered), "a better score with a worse expectation"
        expectations.append(engine.analyse(chess.Board(fen), Limit(depth=10))["wdl"].relative)
    values = [wdl.expectation() for wdl in expectations]
    assert values == sorted(values)
    assert values[0] < 0.1
    assert 0.3 < values[1] < 0.7
    assert values[-1] > 0.9


def test_wdl_of_a_mate_is_certain(engine: chess.engine.SimpleEngine) -> None:
    engine.configure({"UCI_ShowWDL": True})
    won = engine.analyse(chess.Board(MATES["back rank"][0]), Limit(depth=4))
    assert tuple(won["wdl"].relative) == (1000, 0, 0)
    lost = engine.analyse(chess.Board(MATES["mated in one"][0]), Limit(depth=10))
    assert tuple(lost["wdl"].relative) == (0, 0, 1000)


def test_wdl_is_silent_when_off(engine: chess.engine.SimpleEngine) -> None:
    engine.configure({"UCI_ShowWDL": False})
    infos, _ = searched(engine, chess.Board(), Limit(depth=4))
    assert not any("wdl" in info for info in infos)
