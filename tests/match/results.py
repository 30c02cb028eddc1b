"""The score of a match as it goes: games, pairs and faults, and the report on them."""

from __future__ import annotations

import enum
import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Protocol

from elo import Estimate
from settings import Match

POINTS = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
"""Points of White for each result."""

FAULTS_SHOWN = 10


class FaultKind(enum.Enum):
    """What an engine can do wrong. The value is its name in the report."""

    CRASH = "crash"
    STALL = "stall"
    TIME = "loss on time"
    ILLEGAL_MOVE = "illegal move"
    BAD_LINE = "bad PV"

    @property
    def loses(self) -> bool:
        """Whether the fault costs the game.

        A bad PV does not: one that cannot be played, or that does not begin with the best move.
        """
        return self is not FaultKind.BAD_LINE


@dataclass(frozen=True)
class Fault:
    """One fault of one engine, in words that help to find it again."""

    kind: FaultKind
    engine: str
    detail: str


@dataclass(frozen=True)
class Game:
    """A finished game. Games are numbered from 1; 2n-1 and 2n share an opening."""

    number: int
    white: str
    result: str
    reason: str


class Listener(Protocol):
    """What a runner reports to while it plays."""

    def game_over(self, game: Game) -> bool:
        """Take a finished game. False ends the match."""

    def fault(self, fault: Fault) -> None:
        """Take a fault, whether it cost a game or not."""

    def note(self, text: str) -> None:
        """Take a remark of the match manager that is no fault."""


@dataclass
class Score:
    """Results from the first engine's view."""

    match: Match
    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    faults: list[Fault] = field(default_factory=list)
    _half_pairs: dict[int, float] = field(default_factory=dict)

    def add(self, game: Game) -> bool:
        """Count a game. True if it completed a pair."""
        white_points = POINTS[game.result]
        points = white_points if game.white == self.match.engines[0].name else 1.0 - white_points
        self.wins += points == 1.0
        self.draws += points == 0.5
        self.losses += points == 0.0
        pair = (game.number - 1) // 2
        if pair not in self._half_pairs:
            self._half_pairs[pair] = points
            return False
        self.pairs[round(2 * (self._half_pairs.pop(pair) + points))] += 1
        return True

    @property
    def games(self) -> int:
        """Games that ended."""
        return self.wins + self.draws + self.losses

    @property
    def lost_by_fault(self) -> bool:
        """Whether any engine crashed, stalled, moved illegally or lost on time."""
        return any(fault.kind.loses for fault in self.faults)

    def brief(self) -> str:
        """One line for a progress bar."""
        text = f"+{self.wins} ={self.draws} -{self.losses}"
        if sum(self.pairs):
            estimate = Estimate.from_pairs(self.pairs)
            text += f"  Elo {with_error(estimate.elo, estimate.elo_error)}"
        return text

    def report(self) -> str:
        """The whole result, for people."""
        first, second = (engine.name for engine in self.match.engines)
        lines = [f"{first} against {second}, {self.match.limit}, {self.games} games"]
        if self.games:
            score = (self.wins + self.draws / 2) / self.games
            lines.append(
                f"  W/D/L   {self.wins}/{self.draws}/{self.losses}"
                f"   score {score:.1%}   draws {self.draws / self.games:.1%}"
            )
        if sum(self.pairs):
            estimate = Estimate.from_pairs(self.pairs)
            lines += [
                (
                    f"  Elo     {with_error(estimate.elo, estimate.elo_error)} (95 %)"
                    f"   nElo {with_error(estimate.nelo, estimate.nelo_error)}"
                    f"   LOS {estimate.los:.1%}"
                ),
                (
                    f"  pairs   0: {self.pairs[0]}   0.5: {self.pairs[1]}   1: {self.pairs[2]}"
                    f"   1.5: {self.pairs[3]}   2: {self.pairs[4]}"
                ),
            ]
        return "\n".join(lines + self._fault_lines())

    def _fault_lines(self) -> list[str]:
        if not self.faults:
            return ["  faults  none"]
        counts = Counter((fault.engine, fault.kind.value) for fault in self.faults)
        summary = ", ".join(
            f"{engine}: {count} x {kind}" for (engine, kind), count in sorted(counts.items())
        )
        lines = [f"  faults  {summary}"]
        lines += [f"    {f.engine}: {f.kind.value}: {f.detail}" for f in self.faults[:FAULTS_SHOWN]]
        if len(self.faults) > FAULTS_SHOWN:
            lines.append(f"    and {len(self.faults) - FAULTS_SHOWN} more")
        return lines


def with_error(value: float, error: float) -> str:
    """A figure with its error; a figure that is not bounded has none."""
    if not math.isfinite(value) or not math.isfinite(error):
        return f"{value:+.1f} (error unknown)"
    return f"{value:+.1f} ± {error:.1f}"
