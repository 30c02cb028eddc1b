"""Plays a match with fastchess or cutechess-cli: composes the command line, reads the output."""

from __future__ import annotations

import re
import signal
import subprocess
import tempfile
from collections import deque
from collections.abc import Iterable
from pathlib import Path

from results import POINTS, Fault, FaultKind, Game, Listener
from settings import Limit, Match, RunnerError

STOP_SECONDS = 15.0
OUTPUT_KEPT = 15
"""Lines of output shown when the match manager fails."""

GAME = re.compile(r"Finished game (\d+) \((.+?) vs (.+)\): (\S+) \{(.*)\}")
FORFEITS = (
    (FaultKind.TIME, re.compile(r"(White|Black) loses on time")),
    (FaultKind.ILLEGAL_MOVE, re.compile(r"(White|Black) makes an illegal move")),
    (FaultKind.CRASH, re.compile(r"(White|Black) disconnects")),
    (FaultKind.STALL, re.compile(r"(White|Black)'s connection stalls")),
)
BAD_LINE = re.compile(
    r"Warning[;:] .*(?:\bPV\b|Bestmove does not match).* from (?P<engine>\S+)(?: \(\d+\))?$"
)
BAD_LINE_CONTEXT = ("Info; ", "Position; ", "Moves; ", "Warning: PV: ")
"""How the lines begin that say more about the bad line before them."""
REMARK = re.compile(r"(Warning|Fatal|Error|Critical)[;:]")


def limit_words(limit: Limit) -> list[str]:
    """The limit as both managers spell it."""
    if limit.base is not None:
        return [f"tc={limit.base:g}+{limit.increment:g}"]
    if limit.movetime is not None:
        return [f"st={limit.movetime:g}"]
    return ["tc=inf", f"nodes={limit.nodes}"]


def command_line(runner: str, match: Match, book: Path) -> list[str]:
    """The whole command for `runner`, which is "fastchess" or "cutechess"."""
    command = ["fastchess" if runner == "fastchess" else "cutechess-cli"]
    for engine in match.engines:
        command += ["-engine", f"cmd={engine.path}", f"name={engine.name}"]
        command += [f"option.{name}={value}" for name, value in engine.options.items()]
    command += ["-each", "proto=uci", f"timemargin={match.margin_ms}", *limit_words(match.limit)]
    if match.ponder:
        command.append("ponder")
    command += ["-openings", f"file={book}", "format=epd", "order=sequential"]
    command += ["-rounds", str(len(match.openings)), "-games", "2", "-repeat"]
    command += ["-concurrency", str(match.concurrency), "-recover", "-ratinginterval", "0"]
    if match.chess960:
        command += ["-variant", "fischerandom"]
    if runner == "fastchess":
        command += ["-autosaveinterval", "0"]
        if match.pgn:
            command += ["-pgnout", f"file={match.pgn}"]
    elif match.pgn:
        command += ["-pgnout", str(match.pgn)]
    return command


class OutputReader:
    """Turns the output of a match manager into games and faults."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._bad_line: Fault | None = None

    def read(self, lines: Iterable[str]) -> bool:
        """Read to the end. False if the listener had enough before."""
        for line in lines:
            if not self._read_line(line.rstrip()):
                return False
        self._report_bad_line()
        return True

    def _read_line(self, line: str) -> bool:
        if self._bad_line and line.startswith(BAD_LINE_CONTEXT):
            known = self._bad_line
            self._bad_line = Fault(known.kind, known.engine, f"{known.detail} | {line}")
            return True
        self._report_bad_line()
        game = GAME.search(line)
        if game:
            return self._game_over(int(game[1]), game[2], game[3], game[4], game[5])
        wrong = BAD_LINE.search(line)
        if wrong:
            self._bad_line = Fault(FaultKind.BAD_LINE, wrong["engine"], line)
        elif REMARK.match(line):
            self._listener.note(line)
        return True

    def _report_bad_line(self) -> None:
        """Hand on the bad line met before, now that all that belongs to it was read."""
        if self._bad_line:
            self._listener.fault(self._bad_line)
            self._bad_line = None

    def _game_over(self, number: int, white: str, black: str, result: str, reason: str) -> bool:
        if result not in POINTS:
            return True  # an interrupted game
        for kind, pattern in FORFEITS:
            loser = pattern.search(reason)
            if loser:
                engine = white if loser[1] == "White" else black
                self._listener.fault(Fault(kind, engine, f"game {number}: {reason}"))
        return self._listener.game_over(Game(number, white, result, reason))


def run(runner: str, match: Match, listener: Listener) -> None:
    """Play the match with "fastchess" or "cutechess". Raises RunnerError when that fails."""
    if match.pgn:
        match.pgn.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(prefix="lanternfish-match-") as folder:
        book = Path(folder, "openings.epd")
        book.write_text("".join(f"{fen}\n" for fen in match.openings), encoding="utf-8")
        manager = subprocess.Popen(
            command_line(runner, match, book),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        )
        assert manager.stdout is not None
        last_lines: deque[str] = deque(maxlen=OUTPUT_KEPT)

        def remembered(lines: Iterable[str]) -> Iterable[str]:
            for line in lines:
                last_lines.append(line)
                yield line

        played_out = False
        try:
            played_out = OutputReader(listener).read(remembered(manager.stdout))
        finally:
            end(manager, interrupt=not played_out)
        if played_out and manager.returncode != 0:
            raise RunnerError(
                f"{runner} ended with code {manager.returncode}:\n{''.join(last_lines)}"
            )


def end(manager: subprocess.Popen[str], interrupt: bool) -> None:
    """Wait for the match manager to end; interrupted, it ends its engines first."""
    if interrupt:
        manager.send_signal(signal.SIGINT)
    try:
        manager.communicate(timeout=STOP_SECONDS)
    except subprocess.TimeoutExpired:
        manager.kill()
        manager.communicate()
