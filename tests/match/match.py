"""Plays a match between two UCI engines and reports Elo, its error, and every fault.

The games are played by fastchess or cutechess-cli when one of them is in PATH, else by
python-chess. See README.md for how results are judged.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import chess.engine
from tqdm import tqdm

import runner_external
import runner_python
from elo import Sprt
from results import FAULTS_SHOWN, Fault, Game, Score
from settings import (
    RELEASE_BINARY,
    Engine,
    Match,
    RunnerError,
    UsageError,
    add_arguments,
    build_match,
    choose_runner,
    find_engine,
    option,
    options_for,
    positive,
)

PAIRS_BETWEEN_LINES = 10
STARTUP_SECONDS = 30.0
OPTIONAL = ("Hash", "Threads")
"""Options that an engine may lack: they are then left out. Any other must be there."""


class Progress:
    """Listens to a runner: keeps the score, shows it, ends the match when the test is decided."""

    def __init__(self, match: Match, sprt: Sprt | None = None) -> None:
        self.score = Score(match)
        self._sprt = sprt
        self._bar = tqdm(total=2 * len(match.openings), unit="game", disable=None)

    def game_over(self, game: Game) -> bool:
        """Count a game; False once the sequential test has reached a bound."""
        pair_done = self.score.add(game)
        self._bar.update()
        self._bar.set_postfix_str(self.score.brief())
        if not pair_done:
            return True
        decided = bool(self._sprt and self._sprt.verdict(self._sprt.llr(self.score.pairs)))
        if decided or sum(self.score.pairs) % PAIRS_BETWEEN_LINES == 0:
            self.note(self._line())
        return not decided

    def fault(self, fault: Fault) -> None:
        """Keep a fault; show the first ones at once."""
        self.score.faults.append(fault)
        if len(self.score.faults) <= FAULTS_SHOWN:
            self.note(f"fault: {fault.engine}: {fault.kind.value}: {fault.detail}")

    def note(self, text: str) -> None:
        """Print a line above the progress bar."""
        self._bar.write(text)
        sys.stdout.flush()

    def close(self) -> None:
        """Take the progress bar away."""
        self._bar.close()

    def _line(self) -> str:
        text = f"{self.score.games} games  {self.score.brief()}"
        if self._sprt:
            llr = self._sprt.llr(self.score.pairs)
            text += f"  LLR {llr:+.2f} ({self._sprt.lower:.2f}, {self._sprt.upper:.2f})"
        return text


def checked(engine: Engine, chess960: bool, ponder: bool) -> Engine:
    """The engine with its options as it spells them. Raises UsageError if it cannot play."""
    try:
        process = chess.engine.SimpleEngine.popen_uci(engine.path, timeout=STARTUP_SECONDS)
    except (OSError, asyncio.TimeoutError, chess.engine.EngineError) as error:
        raise UsageError(f"{engine.path} does not start as a UCI engine: {error!r}") from error
    with process:
        known = process.options
    for needed, wanted in (("UCI_Chess960", chess960), ("Ponder", ponder)):
        if wanted and needed not in known:
            raise UsageError(f"{engine.name} does not offer the option {needed}")
    options = {}
    for name, value in engine.options.items():
        if name not in known:
            if name in OPTIONAL:
                continue
            raise UsageError(f"{engine.name} has no option {name}")
        if known[name].is_managed():
            raise UsageError(f"{name} is set by the match itself")
        try:
            known[name].parse(value)
        except chess.engine.EngineError as error:
            raise UsageError(f"{engine.name}: {error}") from error
        options[known[name].name] = value
    return replace(engine, options=options)


def play(match: Match, runner: str, sprt: Sprt | None = None) -> Score:
    """Play the match and return its score, also when the user interrupts it."""
    print(f"runner {runner}, {match.concurrency} games at a time", flush=True)
    progress = Progress(match, sprt)
    try:
        if runner == "python":
            runner_python.run(match, progress)
        else:
            runner_external.run(runner, match, progress)
    except KeyboardInterrupt:
        progress.note("interrupted")
    finally:
        progress.close()
    return progress.score


def engine_names(paths: Sequence[str]) -> tuple[str, str]:
    """Two different names without spaces, made from the file names."""
    first, second = (re.sub(r"[^\w.-]", "_", Path(path).name) for path in paths)
    return first, second if second != first else f"{second}-2"


def parse_arguments(arguments: list[str] | None) -> argparse.Namespace:
    """Read the command line; argparse ends the program with code 2 at a bad one."""
    parser = argparse.ArgumentParser(description="Play a match between two UCI engines.")
    parser.add_argument(
        "--engine", default=str(RELEASE_BINARY), metavar="PATH", help="default: our release binary"
    )
    parser.add_argument("--opponent", required=True, metavar="PATH", help="path, or name in PATH")
    parser.add_argument(
        "--rounds", type=positive, default=50, metavar="N", help="pairs of games (%(default)s)"
    )
    parser.add_argument(
        "--option",
        type=option,
        action="append",
        metavar="NAME=VALUE",
        help="UCI option of the engine",
    )
    parser.add_argument(
        "--opponent-option",
        type=option,
        action="append",
        metavar="NAME=VALUE",
        help="UCI option of the opponent",
    )
    add_arguments(parser)
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    """Run the program; returns its exit code."""
    args = parse_arguments(arguments)
    try:
        runner = choose_runner(args.runner, args.ponder)
        paths = find_engine(args.engine), find_engine(args.opponent)
        names = engine_names(paths)
        first, second = (
            checked(Engine(name, path, options_for(args, own)), args.chess960, args.ponder)
            for name, path, own in zip(names, paths, (args.option, args.opponent_option))
        )
        score = play(build_match(args, (first, second), args.rounds), runner)
    except UsageError as error:
        print(f"match.py: error: {error}", file=sys.stderr)
        return 2
    except RunnerError as error:
        print(f"match.py: {error}", file=sys.stderr)
        return 1
    print(score.report())
    return 1 if args.strict and score.lost_by_fault else 0


if __name__ == "__main__":
    sys.exit(main())
