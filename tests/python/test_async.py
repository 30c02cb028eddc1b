"""The asynchronous protocol: two engines at once, and an isready in the middle of a search."""

from __future__ import annotations

import asyncio

import chess
import chess.engine
from chess.engine import Limit, UciProtocol

from conftest import HANG_SECONDS
from support import check_search


async def quit_well(protocol: UciProtocol) -> None:
    """Quit and look at the exit code."""
    await protocol.quit()
    assert await protocol.returncode == 0


def test_two_engines_play_each_other(engine_path: str) -> None:
    async def game() -> None:
        _, first = await chess.engine.popen_uci(engine_path)
        _, second = await chess.engine.popen_uci(engine_path)
        board = chess.Board()
        while board.ply() < 20 and not board.is_game_over():
            mover = first if board.turn == chess.WHITE else second
            result = await mover.play(board, Limit(time=0.02), ponder=True, game="async")
            assert result.move in board.legal_moves
            board.push(result.move)
        await asyncio.gather(quit_well(first), quit_well(second))

    asyncio.run(asyncio.wait_for(game(), HANG_SECONDS))


def test_two_engines_analyse_at_once(engine_path: str) -> None:
    async def analyse(protocol: UciProtocol, board: chess.Board) -> None:
        with await protocol.analysis(board, Limit(time=0.3), multipv=2) as analysis:
            infos = [info async for info in analysis]
            best = await analysis.wait()
        assert infos
        check_search(board, infos, best)

    async def both() -> None:
        _, first = await chess.engine.popen_uci(engine_path)
        _, second = await chess.engine.popen_uci(engine_path)
        await asyncio.gather(
            analyse(first, chess.Board()),
            analyse(second, chess.Board.from_chess960_pos(345)),
        )
        await asyncio.gather(quit_well(first), quit_well(second))

    asyncio.run(asyncio.wait_for(both(), HANG_SECONDS))


class ReadyWatcher(UciProtocol):
    """Notes each readyok, also while a search runs."""

    def __init__(self) -> None:
        super().__init__()
        self.ready = asyncio.Event()

    def line_received(self, line: str) -> None:
        if line.strip() == "readyok":
            self.ready.set()


def test_isready_is_answered_while_searching(
    engine_path: str, expected_complaints: list[str]
) -> None:
    """python-chess itself never asks while it analyses, so it is surprised by the answer."""
    expected_complaints.append("Unexpected engine output: 'readyok'")

    async def ask() -> None:
        _, protocol = await ReadyWatcher.popen(engine_path)
        await protocol.initialize()
        analysis = await protocol.analysis(chess.Board())
        assert isinstance(protocol, ReadyWatcher)
        for _ in range(3):
            await analysis.get()
            protocol.ready.clear()
            protocol.send_line("isready")
            await protocol.ready.wait()
        while not analysis.empty():
            await analysis.get()
        assert analysis.would_block(), "isready ended the search"
        analysis.stop()
        assert (await analysis.wait()).move in chess.Board().legal_moves
        await quit_well(protocol)

    asyncio.run(asyncio.wait_for(ask(), HANG_SECONDS))


def test_a_cancelled_move_leaves_the_engine_usable(engine_path: str) -> None:
    async def cancel() -> None:
        _, protocol = await chess.engine.popen_uci(engine_path)
        for _ in range(5):
            thinking = asyncio.ensure_future(protocol.play(chess.Board(), Limit(time=3600)))
            await asyncio.sleep(0.02)
            thinking.cancel()
            result = await protocol.play(chess.Board(), Limit(depth=3))
            assert result.move in chess.Board().legal_moves
        await quit_well(protocol)

    asyncio.run(asyncio.wait_for(cancel(), HANG_SECONDS))
