"""Plays a match with python-chess: slower than a match manager, but always there, with pondering.

An engine's clock runs from the moment its `go` (or `ponderhit`) is written to the moment its
`bestmove` is read. Scores and lines are looked at afterwards, while no clock runs.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import chess
import chess.engine
import chess.pgn

from results import Fault, FaultKind, Game, Listener
from rules import LineChecker, game_over
from settings import Engine, Limit, Match, RunnerError

STARTUP_SECONDS = 30.0
QUIT_SECONDS = 5.0
REST_SECONDS = 10.0
CLOCK_GRACE_SECONDS = 5.0
"""How long after its time is up an engine is waited for, before the game ends without its move."""
NODES_SECONDS = 300.0
"""How long an engine may need for a move when only nodes limit it."""

SECOND_LINE = re.compile(r" multipv (?!1 )\d+")
BOUND = re.compile(r" (lower|upper)bound ")


class TimedProtocol(chess.engine.UciProtocol):
    """The UCI protocol of python-chess that also times each search and keeps its info lines."""

    def __init__(self) -> None:
        super().__init__()
        self.elapsed = 0.0
        self.infos: list[str] = []
        self._started = 0.0
        self._lines: list[str] = []

    def send_line(self, line: str) -> None:
        super().send_line(line)
        if line == "ponderhit" or (line.startswith("go ") and not line.startswith("go ponder")):
            self._started = time.perf_counter()

    def line_received(self, line: str) -> None:
        if line.startswith("bestmove"):
            self.elapsed = time.perf_counter() - self._started
            self.infos, self._lines = self._lines, []
        elif line.startswith("info"):
            self._lines.append(line)


@dataclass(eq=False)
class Forfeit(Exception):
    """The side to move lost the game by a fault."""

    kind: FaultKind
    detail: str


class Player:
    """One engine process, started on demand and again after a fault."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._protocol: TimedProtocol | None = None
        self._transport: asyncio.SubprocessTransport | None = None

    async def start(self) -> None:
        """Start the process unless it runs.

        asyncio can hang when it is cancelled while a process starts: that waits until it has.
        """
        if self._protocol is not None:
            return
        starting = asyncio.ensure_future(self._start())
        try:
            await asyncio.shield(starting)
        except asyncio.CancelledError:
            await starting
            raise

    async def _start(self) -> None:
        try:
            # A process group of its own: Ctrl-C shall end this program, not its engines first.
            self._transport, self._protocol = await TimedProtocol.popen(
                self.engine.path, setpgrp=True
            )
            await asyncio.wait_for(self._protocol.initialize(), STARTUP_SECONDS)
            await self._protocol.configure(self.engine.options)
            await asyncio.wait_for(self._protocol.ping(), STARTUP_SECONDS)
        except (OSError, asyncio.TimeoutError, chess.engine.EngineError) as error:
            self.kill()
            raise RunnerError(f"{self.engine.name} did not start: {error!r}") from error

    async def move(
        self,
        board: chess.Board,
        limit: chess.engine.Limit,
        patience: float,
        game: object,
        ponder: bool,
    ) -> tuple[chess.Move, float, list[str]]:
        """The engine's move, the seconds it took and its info lines. Raises Forfeit."""
        assert self._protocol is not None, "start() comes first"
        try:
            played = await asyncio.wait_for(
                self._protocol.play(board, limit, game=game, ponder=ponder), patience
            )
        except asyncio.TimeoutError:
            kind = FaultKind.STALL if limit.nodes else FaultKind.TIME
            raise Forfeit(kind, "no move at all") from None
        except chess.engine.EngineTerminatedError as error:
            raise Forfeit(FaultKind.CRASH, str(error)) from error
        except chess.engine.EngineError as error:
            raise Forfeit(FaultKind.ILLEGAL_MOVE, str(error)) from error
        if played.move is None:
            raise Forfeit(FaultKind.ILLEGAL_MOVE, "no move, though there are legal ones")
        return played.move, self._protocol.elapsed, self._protocol.infos

    async def rest(self) -> None:
        """Stop pondering after a game and make sure that the engine answers. Raises Forfeit."""
        if self._protocol is None:
            return
        try:
            await asyncio.wait_for(self._protocol.ping(), REST_SECONDS)
        except asyncio.TimeoutError:
            raise Forfeit(FaultKind.STALL, "no answer after the game") from None
        except chess.engine.EngineError as error:
            raise Forfeit(FaultKind.CRASH, f"after the game: {error}") from error

    def kill(self) -> None:
        """End the process at once; the next start() begins anew."""
        if self._transport is not None:
            self._transport.close()
        self._protocol = self._transport = None

    async def quit(self) -> None:
        """Ask the process to end, and end it if it does not."""
        if self._protocol is not None:
            with contextlib.suppress(asyncio.TimeoutError, chess.engine.EngineError):
                await asyncio.wait_for(self._protocol.quit(), QUIT_SECONDS)
        self.kill()


class Clocks:
    """The time of both sides under one limit."""

    def __init__(self, limit: Limit, margin_ms: int) -> None:
        self._limit = limit
        self._margin = margin_ms / 1000.0
        self._left = {chess.WHITE: limit.base or 0.0, chess.BLACK: limit.base or 0.0}

    def engine_limit(self) -> chess.engine.Limit:
        """The limit as the engine gets it."""
        if self._limit.base is None:
            return chess.engine.Limit(time=self._limit.movetime, nodes=self._limit.nodes)
        return chess.engine.Limit(
            white_clock=self._left[chess.WHITE],
            black_clock=self._left[chess.BLACK],
            white_inc=self._limit.increment,
            black_inc=self._limit.increment,
        )

    def patience(self, side: chess.Color) -> float:
        """Seconds to wait for a move before giving the engine up."""
        if self._limit.nodes is not None:
            return NODES_SECONDS
        allowed = self._limit.movetime or self._left[side]
        return allowed + self._margin + CLOCK_GRACE_SECONDS

    def press(self, side: chess.Color, elapsed: float) -> None:
        """Book the time of a move. Raises Forfeit if it was too long."""
        if self._limit.nodes is not None:
            return
        over = elapsed - (self._limit.movetime or self._left[side])
        if over > self._margin:
            raise Forfeit(FaultKind.TIME, f"{over * 1000:.0f} ms over")
        if self._limit.base is not None:
            self._left[side] = max(0.0, -over) + self._limit.increment


async def bad_lines(board: chess.Board, move: chess.Move, infos: list[str]) -> list[str]:
    """What is wrong with the lines of a search: they cannot be played, or the move is another."""
    checker = LineChecker(board)
    wrong = []
    for info in infos:
        await asyncio.sleep(0)  # let the other games' clocks stop in time
        fault = checker.fault(line_of(info))
        if fault:
            wrong.append(f"{fault} in `{info}`")
    main = [info for info in infos if line_of(info) and not SECOND_LINE.search(info)]
    if main and not BOUND.search(main[-1]):
        first = line_of(main[-1])[0]
        if not wrong and board.parse_uci(first) != move:
            wrong.append(f"best move {move.uci()} does not begin `{main[-1]}`")
    return [f"{fault} at {board.root().fen()} moves {uci_moves(board)}" for fault in wrong]


def line_of(info: str) -> list[str]:
    """The moves of the PV in an info line, if any."""
    return [] if info.startswith("info string") else info.partition(" pv ")[2].split()


def uci_moves(board: chess.Board) -> str:
    """The moves of the game so far."""
    return " ".join(move.uci() for move in board.move_stack)


def comment(infos: list[str], elapsed: float) -> str:
    """Score, depth and time of a move, in the usual form `+0.31/12 0.450s`."""
    for info in reversed(infos):
        score = re.search(r" score (cp|mate) (-?\d+)", info)
        depth = re.search(r" depth (\d+)", info)
        if score and depth:
            value = int(score[2])
            sign = "-" if value < 0 else "+"
            shown = f"{value / 100:+.2f}" if score[1] == "cp" else f"{sign}M{abs(value)}"
            return f"{shown}/{depth[1]} {elapsed:.3f}s"
    return f"{elapsed:.3f}s"


class CompactExporter(chess.pgn.StringExporter):
    """Writes comments without inner blanks, as match managers do."""

    def visit_comment(self, comment: str) -> None:
        self.write_token(f"{{{comment}}} ")


class GameMaster:
    """Plays single games and reports their faults."""

    def __init__(self, match: Match, listener: Listener) -> None:
        self._match = match
        self._listener = listener

    async def play(self, number: int, players: dict[chess.Color, Player]) -> Game:
        """One game, from its opening to its end."""
        board = chess.Board(self._match.openings[(number - 1) // 2], chess960=self._match.chess960)
        names = {side: player.engine.name for side, player in players.items()}
        record = chess.pgn.Game()
        record.setup(board)
        try:
            for player in players.values():
                await player.start()
            reason = await self._moves(number, board, players, record)
            if reason == "checkmate":
                result = "0-1" if board.turn == chess.WHITE else "1-0"
            else:
                result = "1/2-1/2"
        except Forfeit as forfeit:
            loser = board.turn
            self._blame(players[loser], forfeit, f"game {number}, move {board.fullmove_number}")
            result = "0-1" if loser == chess.WHITE else "1-0"
            reason = f"{forfeit.kind.value} of {names[loser]}"
        for player in players.values():
            try:
                await player.rest()
            except Forfeit as forfeit:
                self._blame(player, forfeit, f"game {number}")
        if self._match.pgn:
            self._save(self._match.pgn, record, number, names, result, reason)
        return Game(number, names[chess.WHITE], result, reason)

    def _blame(self, player: Player, forfeit: Forfeit, where: str) -> None:
        """Report a fault and end the process that made it."""
        self._listener.fault(Fault(forfeit.kind, player.engine.name, f"{where}: {forfeit.detail}"))
        player.kill()

    async def _moves(
        self,
        number: int,
        board: chess.Board,
        players: dict[chess.Color, Player],
        record: chess.pgn.Game,
    ) -> str:
        """Play moves on `board` until the rules end the game; say which rule. Raises Forfeit."""
        clocks = Clocks(self._match.limit, self._match.margin_ms)
        node: chess.pgn.GameNode = record
        token = object()
        while True:
            reason = game_over(board)
            if reason:
                return reason
            side = board.turn
            player = players[side]
            move, elapsed, infos = await player.move(
                board, clocks.engine_limit(), clocks.patience(side), token, self._match.ponder
            )
            for fault in await bad_lines(board, move, infos):
                self._listener.fault(
                    Fault(FaultKind.BAD_LINE, player.engine.name, f"game {number}: {fault}")
                )
            clocks.press(side, elapsed)
            board.push(move)
            node = node.add_main_variation(move, comment=comment(infos, elapsed))

    def _save(
        self,
        path: Path,
        record: chess.pgn.Game,
        number: int,
        names: dict[chess.Color, str],
        result: str,
        reason: str,
    ) -> None:
        """Append a finished game to the PGN file."""
        record.headers["Event"] = "Lanternfish match"
        record.headers["Date"] = date.today().strftime("%Y.%m.%d")
        record.headers["Round"] = str((number + 1) // 2)
        record.headers["White"] = names[chess.WHITE]
        record.headers["Black"] = names[chess.BLACK]
        record.headers["Result"] = result
        record.headers["TimeControl"] = str(self._match.limit)
        record.headers["Termination"] = reason
        with path.open("a", encoding="utf-8") as file:
            print(record.accept(CompactExporter(columns=100)), end="\n\n", file=file)


async def play_match(match: Match, listener: Listener) -> None:
    """Play all pairs, `concurrency` games at a time, until done or the listener has enough."""
    master = GameMaster(match, listener)
    pairs = iter(range(len(match.openings)))
    enough = False

    async def play_pairs() -> None:
        nonlocal enough
        first, second = (Player(engine) for engine in match.engines)
        seats = (
            {chess.WHITE: first, chess.BLACK: second},
            {chess.WHITE: second, chess.BLACK: first},
        )
        try:
            for pair in pairs:
                for number, players in enumerate(seats, start=2 * pair + 1):
                    game = await master.play(number, players)
                    enough = enough or not listener.game_over(game)
                    if enough:
                        return
        finally:
            await asyncio.gather(first.quit(), second.quit())

    workers = {asyncio.ensure_future(play_pairs()) for _ in range(match.concurrency)}
    playing = set(workers)
    try:
        while playing and not enough:
            done, playing = await asyncio.wait(playing, return_when=asyncio.FIRST_COMPLETED)
            for worker in done:
                worker.result()
    finally:
        for worker in playing:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)


def run(match: Match, listener: Listener) -> None:
    """Play the match. Raises RunnerError when an engine cannot be started."""
    if match.pgn:
        match.pgn.unlink(missing_ok=True)
    asyncio.run(play_match(match, listener))
