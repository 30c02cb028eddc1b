"""Tests a change: builds a base revision and the working tree, and lets the two play.

By default a sequential test that stops as soon as the change is accepted or rejected; with
`--games` a fixed number of games, which measures how much the change is worth.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from elo import MODELS, Sprt
from match import checked, play
from results import Score
from settings import (
    REPOSITORY,
    Engine,
    RunnerError,
    UsageError,
    add_arguments,
    build_match,
    choose_runner,
    option,
    options_for,
    positive,
)

BUILD_FOLDER = REPOSITORY / "target" / "sprt"
BINARY = "lanternfish"
RUSTFLAGS = "-C target-cpu=native"
BENCH_SECONDS = 600
BENCH_LINE = re.compile(r"^(\d+) nodes (\d+) nps\s*$", re.MULTILINE)


def git(*arguments: str) -> str:
    """Output of a git command in the repository. Raises UsageError when it fails."""
    done = subprocess.run(
        ["git", "-C", str(REPOSITORY), *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise UsageError(f"git {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout.strip()


@contextlib.contextmanager
def worktree(revision: str, folder: Path) -> Iterator[Path]:
    """The sources of a revision, checked out in `folder` for as long as the context lasts."""
    git("worktree", "add", "--quiet", "--detach", str(folder), revision)
    try:
        yield folder
    finally:
        git("worktree", "remove", "--force", str(folder))


def build(sources: Path, target: Path, copy: Path) -> None:
    """Build the release binary with its own target folder and copy it away, safe from rebuilds."""
    environment = {**os.environ, "CARGO_TARGET_DIR": str(target), "RUSTFLAGS": RUSTFLAGS}
    command = ["cargo", "build", "--release", "--bin", BINARY]
    try:
        subprocess.run(command, cwd=sources, env=environment, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise RunnerError(f"cannot build {sources}: {error}") from error
    shutil.copy2(target / "release" / BINARY, copy)


def bench(binary: Path) -> int | None:
    """Node count of the engine's `bench`, or None if it has none."""
    try:
        done = subprocess.run(
            [str(binary), "bench"],
            capture_output=True,
            text=True,
            timeout=BENCH_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = BENCH_LINE.findall(done.stdout)
    return int(found[-1][0]) if found else None


def build_both(revision: str, folder: Path) -> list[Path]:
    """Binaries of the working tree and of the base revision, in this order."""
    new, base = folder / "new", folder / "base"
    print(f"building {revision[:10]}", flush=True)
    with worktree(revision, folder / "base-sources") as sources:
        build(sources, BUILD_FOLDER / "base", base)
    print("building the working tree", flush=True)
    build(REPOSITORY, BUILD_FOLDER / "new", new)
    benches = bench(new), bench(base)
    print(f"bench: new {benches[0] or 'unknown'}, base {benches[1] or 'unknown'}")
    if benches[0] is not None and benches[0] == benches[1]:
        print(
            "the benches are equal: the change does not alter the search, only its speed can differ"
        )
    return [new, base]


def verdict(score: Score, sprt: Sprt) -> str:
    """The outcome of the sequential test, in words."""
    llr = sprt.llr(score.pairs)
    decided = {
        "H1": "H1 accepted: the change passes",
        "H0": "H0 accepted: the change does not pass",
    }.get(sprt.verdict(llr), "undecided")
    return f"  SPRT    LLR {llr:+.2f}, bounds ({sprt.lower:.2f}, {sprt.upper:.2f}): {decided}"


def parse_arguments(arguments: list[str] | None) -> argparse.Namespace:
    """Read the command line; argparse ends the program with code 2 at a bad one."""
    parser = argparse.ArgumentParser(description="Test the working tree against a base revision.")
    parser.add_argument(
        "--base", required=True, metavar="REVISION", help="git revision to compare with"
    )
    parser.add_argument(
        "--games", type=positive, metavar="N", help="play exactly N games and measure, no test"
    )
    parser.add_argument(
        "--max-games",
        type=positive,
        default=40000,
        metavar="N",
        help="give up undecided after N games (%(default)s)",
    )
    parser.add_argument(
        "--elo0", type=float, default=0.0, help="H0: the change is worth this much (%(default)s)"
    )
    parser.add_argument(
        "--elo1", type=float, default=5.0, help="H1: the change is worth this much (%(default)s)"
    )
    parser.add_argument(
        "--alpha", type=float, default=0.05, help="chance to pass under H0 (%(default)s)"
    )
    parser.add_argument(
        "--beta", type=float, default=0.05, help="chance to fail under H1 (%(default)s)"
    )
    parser.add_argument(
        "--model",
        choices=MODELS,
        default=MODELS[0],
        help="kind of Elo of both bounds (%(default)s)",
    )
    parser.add_argument(
        "--option",
        type=option,
        action="append",
        metavar="NAME=VALUE",
        help="UCI option of the new engine",
    )
    parser.add_argument(
        "--base-option",
        type=option,
        action="append",
        metavar="NAME=VALUE",
        help="UCI option of the base engine",
    )
    add_arguments(parser)
    return parser.parse_args(arguments)


def compare(args: argparse.Namespace) -> Score:
    """Build both engines and play them, by the sequential test or for a fixed number of games."""
    try:
        sprt = Sprt(args.elo0, args.elo1, args.alpha, args.beta, args.model)
    except ValueError as error:
        raise UsageError(str(error)) from error
    games = args.games or args.max_games
    if games % 2:
        raise UsageError("the number of games must be even: openings are played with both colours")
    runner = choose_runner(args.runner, args.ponder)
    revision = git("rev-parse", "--verify", "--quiet", f"{args.base}^{{commit}}")
    with tempfile.TemporaryDirectory(prefix="lanternfish-sprt-") as folder:
        paths = build_both(revision, Path(folder))
        new, base = (
            checked(
                Engine(path.name, str(path), options_for(args, own)), args.chess960, args.ponder
            )
            for path, own in zip(paths, (args.option, args.base_option))
        )
        match = build_match(args, (new, base), games // 2)
        if args.games:
            score = play(match, runner)
            print(score.report())
        else:
            print(
                f"SPRT of {args.elo0:g} (H0) against {args.elo1:g} (H1) {args.model} Elo, "
                f"alpha {args.alpha:g}, beta {args.beta:g}"
            )
            score = play(match, runner, sprt)
            print(score.report())
            print(verdict(score, sprt))
    return score


def main(arguments: list[str] | None = None) -> int:
    """Run the program; returns its exit code."""
    args = parse_arguments(arguments)
    try:
        score = compare(args)
    except UsageError as error:
        print(f"sprt.py: error: {error}", file=sys.stderr)
        return 2
    except RunnerError as error:
        print(f"sprt.py: {error}", file=sys.stderr)
        return 1
    return 1 if args.strict and score.lost_by_fault else 0


if __name__ == "__main__":
    sys.exit(main())
