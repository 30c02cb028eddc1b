"""Playing moves: limits, root moves, pondering, positions where the game is over."""

from __future__ import annotations

import time

import chess
import chess.engine
import pytest
from chess.engine import Limit, Mate

from support import board_after, exchanged, record_lines, searched

MIDDLEGAME = "r2qkb1r/pp2nppp/2n1p3/3pPb2/3P4/5N2/PP2BPPP/RNBQ1RK1 w kq - 3 9"
HOUR = 3600.0
SOON_SECONDS = 10.0
"""Far more than a move needs here, far less than the time the limit must not be taken for."""

HELPMATE = "8/8/2R5/8/6b1/3n1pR1/8/5K1k w - - 0 1"
"""After Rh3 the only legal reply, Bxh3, is mate: so that is what the engine must expect."""

GAME_OVER = {
    "mated White": "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    "mated Black": "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",
    "stalemate": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "stalemate with a pawn left": "8/8/8/8/8/1k6/p7/K7 w - - 0 1",
}
DRAWN_BUT_NOT_OVER = {
    "bare kings": chess.Board("8/5k2/8/3K4/8/8/8/8 b - - 0 143"),
    "fifty moves": chess.Board("8/8/8/4k3/8/8/4K2R/8 w - - 100 90"),
    "third repetition": board_after("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8"),
}


def test_plays_a_short_game(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board()
    for _ in range(12):
        result = engine.play(board, Limit(time=0.03), game="a short game")
        assert result.move in board.legal_moves
        board.push(result.move)


def test_search_stops_at_the_depth(engine: chess.engine.SimpleEngine) -> None:
    infos, _ = searched(engine, chess.Board(MIDDLEGAME), Limit(depth=5))
    assert max(info["depth"] for info in infos if "depth" in info) == 5


def test_search_stops_near_the_node_limit(engine: chess.engine.SimpleEngine) -> None:
    infos, _ = searched(engine, chess.Board(MIDDLEGAME), Limit(nodes=20_000))
    assert max(info["nodes"] for info in infos if "nodes" in info) <= 30_000


def test_mate_limit_finds_a_quiet_key(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board("8/5R2/2K1P3/4k3/8/b1PPpp1B/5p2/8 w - - 0 1")
    infos, best = searched(engine, board, Limit(mate=2))
    assert best.move == chess.Move.from_uci("c6d7")
    assert [info["score"] for info in infos if "score" in info][-1].relative == Mate(2)


@pytest.mark.parametrize(
    "limit",
    [
        Limit(time=0.1),
        Limit(time=0.001),
        Limit(depth=1),
        Limit(nodes=1),
        Limit(depth=60, time=0.1),
        Limit(white_clock=0.5, black_clock=0.5, white_inc=0.01, black_inc=0.01),
        Limit(white_clock=0.001, black_clock=0.001),
        Limit(white_clock=0.02, black_clock=5.0, white_inc=0.01, black_inc=0.01),
        Limit(white_clock=1.0, black_clock=1.0, remaining_moves=40),
        Limit(white_clock=0.3, black_clock=0.3, remaining_moves=1),
        Limit(white_clock=0.2),
    ],
    ids=repr,
)
@pytest.mark.parametrize("turn", [chess.WHITE, chess.BLACK], ids=["white", "black"])
def test_moves_under_any_limit(
    engine: chess.engine.SimpleEngine, limit: Limit, turn: chess.Color
) -> None:
    board = chess.Board(MIDDLEGAME)
    if turn == chess.BLACK:
        board = board.mirror()
        limit = Limit(
            time=limit.time,
            depth=limit.depth,
            nodes=limit.nodes,
            white_clock=limit.black_clock,
            black_clock=limit.white_clock,
            white_inc=limit.black_inc,
            black_inc=limit.white_inc,
            remaining_moves=limit.remaining_moves,
        )
    searched(engine, board, limit)


@pytest.mark.parametrize(
    "limit",
    [
        Limit(white_clock=0.001, black_clock=HOUR, white_inc=60.0, black_inc=60.0),
        Limit(white_clock=0.1, black_clock=HOUR, white_inc=0.0, black_inc=60.0),
        Limit(white_clock=0.1, black_clock=HOUR),
    ],
    ids=["increment not earned yet", "the opponent's increment", "the opponent's clock"],
)
def test_spends_its_own_time_only(engine: chess.engine.SimpleEngine, limit: Limit) -> None:
    start = time.monotonic()
    searched(engine, chess.Board(MIDDLEGAME), limit)
    assert time.monotonic() - start < SOON_SECONDS


def test_root_moves_are_kept_to(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board(MIDDLEGAME)
    for moves in (["a2a3"], ["h2h3", "b2b4"], ["f3h4"]):
        wanted = [chess.Move.from_uci(move) for move in moves]
        result = engine.play(board, Limit(depth=4), root_moves=wanted)
        assert result.move in wanted
        infos, best = searched(engine, board, Limit(depth=4), root_moves=wanted)
        assert best.move in wanted
        assert all(info["pv"][0] in wanted for info in infos if "pv" in info)


def test_empty_root_moves_still_give_a_legal_move(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board(MIDDLEGAME)
    result = engine.play(board, Limit(depth=3), root_moves=[])
    assert result.move in board.legal_moves
    assert engine.play(board, Limit(depth=3)).move in board.legal_moves


def ponder_answers(lines: list[tuple[str, str]]) -> list[str]:
    """What ended each `go ponder`: the line sent, or a best move that came too soon."""
    ends = []
    pondering = False
    for direction, line in lines:
        if direction == "<<" and line.startswith("go ponder"):
            pondering = True
        elif pondering and line.split()[0] in ("ponderhit", "stop", "quit", "bestmove"):
            ends.append(line)
            pondering = False
    return ends


@pytest.mark.parametrize(
    "limit",
    [
        Limit(time=0.03),
        Limit(white_clock=2.0, black_clock=2.0, white_inc=0.01, black_inc=0.01),
        Limit(depth=4),
        Limit(nodes=3000),
    ],
    ids=repr,
)
def test_ponders_through_hits_and_misses(
    engine: chess.engine.SimpleEngine, caplog: pytest.LogCaptureFixture, limit: Limit
) -> None:
    record_lines(caplog)
    board = chess.Board(MIDDLEGAME)
    wanted = []
    for turn in range(8):
        result = engine.play(board, limit, ponder=True, game="pondering")
        assert result.move in board.legal_moves
        board.push(result.move)
        expected = result.ponder
        other = [move for move in board.legal_moves if move != expected]
        if not other:
            break
        hit = expected is not None and turn % 2 == 0
        if expected is not None:
            assert expected in board.legal_moves
            wanted.append("ponderhit" if hit else "stop")
            time.sleep(0.06)  # longer than the limit: it must not move by itself
        board.push(expected if hit and expected else other[0])
        if board.is_game_over():
            break
    result = engine.play(board, limit)
    assert result.move in board.legal_moves or board.is_game_over()
    assert "ponderhit" in wanted
    assert "stop" in wanted
    # A ponder search left over when the loop broke off is stopped by the last play().
    assert ponder_answers(exchanged(caplog))[: len(wanted)] == wanted


def test_ponders_on_a_mated_position(
    engine: chess.engine.SimpleEngine, caplog: pytest.LogCaptureFixture
) -> None:
    record_lines(caplog)
    board = chess.Board(HELPMATE)
    blunder, mate = chess.Move.from_uci("g3h3"), chess.Move.from_uci("g4h3")
    result = engine.play(board, Limit(depth=4), ponder=True, game="mated", root_moves=[blunder])
    assert (result.move, result.ponder) == (blunder, mate)
    time.sleep(0.1)
    # The opponent resigns instead, and the next game begins.
    assert engine.play(chess.Board(), Limit(depth=4), game="next").move is not None
    assert ponder_answers(exchanged(caplog)) == ["stop"]


def test_quits_while_pondering(engine: chess.engine.SimpleEngine) -> None:
    result = engine.play(chess.Board(MIDDLEGAME), Limit(time=0.05), ponder=True, game="quit")
    assert result.ponder is not None
    # The fixture sends `quit` now and asks for exit code 0.


@pytest.mark.parametrize("fen", GAME_OVER.values(), ids=GAME_OVER.keys())
def test_game_over_gives_no_move(engine: chess.engine.SimpleEngine, fen: str) -> None:
    board = chess.Board(fen)
    clocks = Limit(white_clock=1.0, black_clock=1.0)
    for limit in (Limit(time=0.02), Limit(depth=3), Limit(nodes=100), Limit(mate=1), clocks):
        assert engine.play(board, limit).move is None
    assert engine.play(board, clocks, ponder=True).move is None
    info = engine.analyse(board, Limit(depth=3))
    assert info["depth"] == 0
    score = info["score"].relative
    assert score == Mate(0) if board.is_checkmate() else score.score() == 0
    assert "pv" not in info


@pytest.mark.parametrize("fen", GAME_OVER.values(), ids=GAME_OVER.keys())
def test_game_over_waits_for_stop(engine: chess.engine.SimpleEngine, fen: str) -> None:
    with engine.analysis(chess.Board(fen)) as analysis:
        time.sleep(0.1)
        while not analysis.empty():
            analysis.next()
        assert analysis.would_block(), "bestmove before stop"
        analysis.stop()
        assert analysis.wait().move is None


@pytest.mark.parametrize("board", DRAWN_BUT_NOT_OVER.values(), ids=DRAWN_BUT_NOT_OVER.keys())
def test_drawn_positions_still_get_a_move(
    engine: chess.engine.SimpleEngine, board: chess.Board
) -> None:
    for limit in (Limit(time=0.02), Limit(depth=5), Limit(nodes=1000)):
        assert engine.play(board, limit).move in board.legal_moves
