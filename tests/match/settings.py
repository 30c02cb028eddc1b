"""What a match is: two engines, a limit, openings. Shared by both programs and all runners."""

from __future__ import annotations

import argparse
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import openings

REPOSITORY = Path(__file__).resolve().parents[2]
RELEASE_BINARY = REPOSITORY / "target" / "release" / "lanternfish"
RUNNERS = ("fastchess", "cutechess", "python")


class UsageError(Exception):
    """The user asked for something impossible. The programs print it and exit with code 2."""


class RunnerError(Exception):
    """The match could not be played to its end."""


@dataclass(frozen=True)
class Engine:
    """One engine of the match, with the UCI options it gets."""

    name: str
    path: str
    options: Mapping[str, str]


@dataclass(frozen=True)
class Limit:
    """What an engine may spend: a clock, a time for each move, or nodes for each move."""

    base: float | None = None
    increment: float = 0.0
    movetime: float | None = None
    nodes: int | None = None

    def __str__(self) -> str:
        if self.base is not None:
            return f"{self.base:g}+{self.increment:g}"
        if self.movetime is not None:
            return f"{self.movetime * 1000:g} ms a move"
        return f"{self.nodes} nodes a move"


DEFAULT_LIMIT = Limit(base=1.0, increment=0.01)


@dataclass(frozen=True)
class Match:
    """Everything a runner needs. Each opening (a FEN) is played twice, with both colours."""

    engines: tuple[Engine, Engine]
    limit: Limit
    openings: Sequence[str]
    chess960: bool = False
    ponder: bool = False
    concurrency: int = 1
    margin_ms: int = 0
    pgn: Path | None = None


def positive(text: str) -> int:
    """Argument type: a whole number above zero."""
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"not a whole number above zero: {text}")
    return int(text)


def clock(text: str) -> Limit:
    """Argument type: BASE+INC in seconds, the increment being optional."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(?:\+(\d+(?:\.\d+)?))?", text)
    if not found or float(found[1]) == 0.0:
        raise argparse.ArgumentTypeError(
            f"expected BASE+INC in seconds, for example 3+0.03: {text}"
        )
    return Limit(base=float(found[1]), increment=float(found[2] or 0.0))


def movetime(text: str) -> Limit:
    """Argument type: milliseconds for each move."""
    return Limit(movetime=positive(text) / 1000.0)


def nodes(text: str) -> Limit:
    """Argument type: nodes for each move."""
    return Limit(nodes=positive(text))


def option(text: str) -> tuple[str, str]:
    """Argument type: NAME=VALUE."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"expected NAME=VALUE: {text}")
    return name, value


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that match.py and sprt.py have in common."""
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument(
        "--tc",
        dest="limit",
        type=clock,
        default=DEFAULT_LIMIT,
        metavar="BASE+INC",
        help="clock, in seconds (%(default)s)",
    )
    limit.add_argument(
        "--movetime", dest="limit", type=movetime, metavar="MS", help="milliseconds for each move"
    )
    limit.add_argument("--nodes", dest="limit", type=nodes, metavar="N", help="nodes for each move")
    parser.add_argument(
        "--book",
        type=Path,
        metavar="FILE",
        help="EPD or FEN file, one opening a line (default: a small built-in list)",
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="seed of the order of openings (%(default)s)"
    )
    parser.add_argument(
        "--hash", type=positive, default=16, metavar="MIB", help="MiB of table (%(default)s)"
    )
    parser.add_argument(
        "--threads",
        type=positive,
        default=1,
        metavar="N",
        help="threads of an engine (%(default)s)",
    )
    parser.add_argument(
        "--concurrency",
        type=positive,
        metavar="N",
        help="games at a time (default: one for each free core)",
    )
    parser.add_argument("--chess960", action="store_true", help="play Fischer random")
    parser.add_argument(
        "--ponder", action="store_true", help="engines think on the opponent's time"
    )
    parser.add_argument(
        "--margin",
        type=int,
        default=20,
        metavar="MS",
        help="milliseconds a clock may be overstepped (%(default)s)",
    )
    parser.add_argument(
        "--pgn", type=Path, metavar="OUT", help="write the games here; the file is replaced"
    )
    parser.add_argument(
        "--runner",
        choices=("auto", *RUNNERS),
        default="auto",
        help="who plays the games (default: what is in PATH)",
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="exit 1 at any crash, stall, illegal move or loss on time",
    )


def build_match(args: argparse.Namespace, engines: tuple[Engine, Engine], pairs: int) -> Match:
    """The match that the common options describe. Raises UsageError."""
    if args.margin < 0:
        raise UsageError("--margin must not be negative")
    if args.pgn and not args.pgn.resolve().parent.is_dir():
        raise UsageError(f"no such folder: {args.pgn.resolve().parent}")
    try:
        lines = openings.choose(args.book, pairs, args.seed, args.chess960)
    except (OSError, ValueError) as error:
        raise UsageError(str(error)) from error
    busy_cores = args.threads * (2 if args.ponder else 1)
    return Match(
        engines=engines,
        limit=args.limit,
        openings=lines,
        chess960=args.chess960,
        ponder=args.ponder,
        concurrency=args.concurrency or max(1, (os.cpu_count() or 1) // busy_cores),
        margin_ms=args.margin,
        pgn=args.pgn.resolve() if args.pgn else None,
    )


def find_engine(path: str) -> str:
    """Absolute path of an engine that is given as a path or as a name in PATH."""
    found = shutil.which(path)
    if found is None:
        raise UsageError(f"no such engine, or not executable: {path}")
    return str(Path(found).resolve())


def choose_runner(wanted: str, ponder: bool) -> str:
    """The runner to use. fastchess cannot ponder, so it is not used when that is asked for."""
    programs = {"fastchess": "fastchess", "cutechess": "cutechess-cli"}
    if wanted == "fastchess" and ponder:
        raise UsageError("fastchess cannot ponder: use --runner cutechess or --runner python")
    if wanted in programs and shutil.which(programs[wanted]) is None:
        raise UsageError(f"{programs[wanted]} is not in PATH")
    if wanted != "auto":
        return wanted
    for runner, program in programs.items():
        if shutil.which(program) and not (runner == "fastchess" and ponder):
            return runner
    return "python"


def options_for(args: argparse.Namespace, own: list[tuple[str, str]] | None) -> dict[str, str]:
    """UCI options of one engine: table and threads, then what the user gave for it."""
    options = {"Hash": str(args.hash), "Threads": str(args.threads)}
    for name, value in own or []:
        standard = next((known for known in options if known.lower() == name.lower()), name)
        options[standard] = value
    return options
