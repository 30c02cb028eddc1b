"""The statistics of a match: Elo, its error, likelihood of superiority, and the sequential test.

All figures come from *pairs* of games: one opening, both colours. The two games of a pair are not
independent, so the variance is taken over pairs, not over games. A pair scores 0, 0.5, 1, 1.5 or 2
points; the five counts are the pentanomial.

Sources of the formulas:

* [Stats] Chess Programming Wiki, "Match Statistics": Elo from a score, error bars, likelihood of
  superiority. https://www.chessprogramming.org/Match_Statistics
* [SPRT] Chess Programming Wiki, "Sequential Probability Ratio Test": the bounds of the test, the
  pentanomial. https://www.chessprogramming.org/Sequential_Probability_Ratio_Test
* [fastchess] fastchess documentation, option `-sprt`: its models "normalized" and "logistic" are
  the two models here. https://github.com/Disservin/fastchess/blob/master/man.md
* [GSPRT] M. Van den Bergh, "Comparing the approximations for the generalized log likelihood ratio
  of a multinomial distribution". https://www.cantate.be/Fishtest/comparing_approximations.pdf
* [nElo] M. Van den Bergh, "Comments on normalized Elo".
  https://www.cantate.be/Fishtest/normalized_elo_practical.pdf
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Callable

PAIR_SCORES: tuple[float, ...] = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Score of a pair as a share of its two points, for each of the five counts."""

Z_95 = 1.959963984540054
"""Half-width of the 95 % interval of a normal distribution, in standard deviations."""

NELO_SCALE = 800.0 / math.log(10.0)
"""Normalised Elo of one standard deviation of a single game's score [nElo]."""

EMPTY_CELL = 1e-3
"""What an empty count is worth in the likelihood ratio, as in fastchess: no logarithm of zero."""

LARGEST_BOUND = 100.0
"""Largest elo0 and elo1 of a test. Far beyond it the method need not converge, nor make sense."""

MODELS = ("normalized", "logistic")


def elo_to_score(elo: float) -> float:
    """Expected score of a player who is `elo` points stronger [Stats]."""
    return 1.0 / (1.0 + math.pow(10.0, -elo / 400.0))


def score_to_elo(score: float) -> float:
    """Elo difference that yields `score`; infinite at 0 and 1 [Stats]."""
    if score <= 0.0:
        return -math.inf
    if score >= 1.0:
        return math.inf
    return 400.0 * math.log10(score / (1.0 - score))


def mean_and_variance(values: Sequence[float], weights: Sequence[float]) -> tuple[float, float]:
    """Mean and variance of `values` that occur with probability `weights`."""
    mean = sum(w * v for v, w in zip(values, weights))
    variance = sum(w * (v - mean) ** 2 for v, w in zip(values, weights))
    return mean, variance


@dataclass(frozen=True)
class Estimate:
    """What a number of pairs says about the strength of the first engine."""

    pairs: int
    score: float
    elo: float
    elo_error: float
    nelo: float
    nelo_error: float
    los: float

    @classmethod
    def from_pairs(cls, counts: Sequence[int]) -> Estimate:
        """Estimate from the pentanomial counts. Needs at least one pair.

        The interval is symmetric in score; its ends are turned into Elo, and half their distance
        is the error. With no variance (every pair alike) nothing is known about the error: NaN.
        """
        pairs = sum(counts)
        if pairs == 0:
            raise ValueError("no finished pair of games yet")
        score, variance = mean_and_variance(PAIR_SCORES, [c / pairs for c in counts])
        deviation = math.sqrt(variance / pairs)
        elo = score_to_elo(score)
        if deviation == 0.0:
            nelo = 0.0 if score == 0.5 else math.copysign(math.inf, score - 0.5)
            los = 0.5 if score == 0.5 else float(score > 0.5)
            return cls(pairs, score, elo, math.nan, nelo, math.nan, los)
        high = score_to_elo(score + Z_95 * deviation)
        low = score_to_elo(score - Z_95 * deviation)
        # A pair's score is the mean of two games: its deviation is that of a game over sqrt(2).
        nelo_per_score = NELO_SCALE / math.sqrt(2.0 * variance)
        return cls(
            pairs=pairs,
            score=score,
            elo=elo,
            elo_error=(high - low) / 2.0,
            nelo=(score - 0.5) * nelo_per_score,
            nelo_error=Z_95 * deviation * nelo_per_score,
            los=(1.0 + math.erf((score - 0.5) / (math.sqrt(2.0) * deviation))) / 2.0,
        )


@dataclass(frozen=True)
class Sprt:
    """A generalised sequential probability ratio test on pairs of games.

    H0 says the true difference is `elo0`, H1 says it is `elo1`. `alpha` is the chance to accept
    a change that is only worth `elo0`, `beta` the chance to reject one that is worth `elo1`.
    With model "normalized" both bounds are normalised Elo, with "logistic" they are ordinary Elo.
    """

    elo0: float = 0.0
    elo1: float = 5.0
    alpha: float = 0.05
    beta: float = 0.05
    model: str = "normalized"

    def __post_init__(self) -> None:
        if self.model not in MODELS:
            raise ValueError(f"unknown model {self.model!r}: use one of {', '.join(MODELS)}")
        if self.elo0 >= self.elo1:
            raise ValueError("elo0 must be below elo1")
        if max(abs(self.elo0), abs(self.elo1)) > LARGEST_BOUND:
            raise ValueError(f"elo0 and elo1 must lie within {LARGEST_BOUND:g} of zero")
        if not (0.0 < self.alpha < 1.0 and 0.0 < self.beta < 1.0 and self.alpha + self.beta < 1.0):
            raise ValueError("alpha and beta must lie between 0 and 1 and sum to less than 1")

    @property
    def lower(self) -> float:
        """At or below this log-likelihood ratio H0 is accepted [SPRT]."""
        return math.log(self.beta / (1.0 - self.alpha))

    @property
    def upper(self) -> float:
        """At or above this log-likelihood ratio H1 is accepted [SPRT]."""
        return math.log((1.0 - self.beta) / self.alpha)

    def llr(self, counts: Sequence[int]) -> float:
        """Log-likelihood ratio of H1 against H0 for the pentanomial counts; 0 without pairs."""
        if sum(counts) == 0:
            return 0.0
        cells = [float(c) if c else EMPTY_CELL for c in counts]
        total = sum(cells)
        seen = [c / total for c in cells]
        if self.model == "logistic":
            under_h0 = likeliest_with_mean(seen, elo_to_score(self.elo0))
            under_h1 = likeliest_with_mean(seen, elo_to_score(self.elo1))
        else:
            # Bounds per game become bounds per pair: sqrt(2) times as many deviations.
            under_h0 = likeliest_with_t(seen, math.sqrt(2.0) * self.elo0 / NELO_SCALE)
            under_h1 = likeliest_with_t(seen, math.sqrt(2.0) * self.elo1 / NELO_SCALE)
        return total * sum(s * math.log(h1 / h0) for s, h0, h1 in zip(seen, under_h0, under_h1))

    def verdict(self, llr: float) -> str:
        """The accepted hypothesis, "H1" or "H0", or an empty string while the test goes on."""
        if llr >= self.upper:
            return "H1"
        if llr <= self.lower:
            return "H0"
        return ""


def likeliest_with_mean(seen: Sequence[float], mean: float) -> list[float]:
    """The distribution with the given mean under which `seen` is most likely.

    Proposition 1.1 of [GSPRT]: each cell is p / (1 + theta * (a - mean)), theta being the root of
    a falling function.
    """
    return tilted(seen, [a - mean for a in PAIR_SCORES])


def likeliest_with_t(seen: Sequence[float], t: float) -> list[float]:
    """The distribution whose mean lies `t` standard deviations above one half, likewise.

    Section 4.1 of [nElo]: iterate from the uniform distribution. Each step is the problem of a
    given mean again, with the score of a cell corrected by the present mean and deviation.
    """
    cells = [1.0 / len(PAIR_SCORES)] * len(PAIR_SCORES)
    for _ in range(10):
        mean, variance = mean_and_variance(PAIR_SCORES, cells)
        sigma = math.sqrt(variance)
        offsets = [
            a - 0.5 - 0.5 * t * sigma * (1.0 + ((a - mean) / sigma) ** 2) for a in PAIR_SCORES
        ]
        previous, cells = cells, tilted(seen, offsets)
        if max(abs(new - old) for new, old in zip(cells, previous)) < 1e-9:
            break
    return cells


def tilted(seen: Sequence[float], offsets: Sequence[float]) -> list[float]:
    """`seen` reweighted by 1 / (1 + theta * offset) so that the mean offset becomes zero."""

    def mean_offset(theta: float) -> float:
        return sum(s * o / (1.0 + theta * o) for s, o in zip(seen, offsets))

    # Beyond these poles a weight would be negative. The root may lie very close to one of them.
    inside = 1.0 - 1e-12
    theta = root_of_falling(mean_offset, -inside / max(offsets), -inside / min(offsets))
    return [s / (1.0 + theta * o) for s, o in zip(seen, offsets)]


def root_of_falling(function: Callable[[float], float], low: float, high: float) -> float:
    """Root of a falling function by bisection; the nearer end if it lies outside."""
    for _ in range(100):
        middle = (low + high) / 2.0
        if middle in (low, high):
            break
        if function(middle) > 0.0:
            low = middle
        else:
            high = middle
    return (low + high) / 2.0
