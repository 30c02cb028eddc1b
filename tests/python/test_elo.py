"""The statistics of matches, against values worked out by hand or published elsewhere."""

from __future__ import annotations

import math

import pytest

from elo import Estimate, Sprt, elo_to_score, mean_and_variance, score_to_elo


@pytest.mark.parametrize(
    ("score", "elo"),
    [
        (0.5, 0.0),
        (10 / 11, 400.0),  # ten to one
        (0.75, 400 * math.log10(3)),  # three to one: 190.85
        (0.25, -400 * math.log10(3)),
        (1.0, math.inf),
        (0.0, -math.inf),
    ],
)
def test_elo_of_a_score(score: float, elo: float) -> None:
    assert score_to_elo(score) == pytest.approx(elo)
    assert elo_to_score(elo) == pytest.approx(score)


def test_mean_and_variance() -> None:
    # Mean 0.5; squares of the distances 0.25, 0, 0.25, each with its weight.
    assert mean_and_variance((0.0, 0.5, 1.0), (0.2, 0.6, 0.2)) == pytest.approx((0.5, 0.1))


def test_estimate_of_an_even_match() -> None:
    # 100 pairs: variance (2 * 10 * 0.25 + 2 * 20 * 0.0625) / 100 = 0.075, so the mean has a
    # deviation of sqrt(0.00075) = 0.0273861, and the 95 % interval is 0.5 +- 0.0536758.
    # Its upper end is 400 * log10(0.5536758 / 0.4463242) = 37.442 Elo.
    # nElo error: 0.0536758 / sqrt(0.15) * 800 / ln 10 = 48.151.
    estimate = Estimate.from_pairs((10, 20, 40, 20, 10))
    assert estimate.pairs == 100
    assert estimate.score == pytest.approx(0.5)
    assert estimate.elo == pytest.approx(0.0, abs=1e-9)
    assert estimate.elo_error == pytest.approx(37.442, abs=0.001)
    assert estimate.nelo == pytest.approx(0.0, abs=1e-9)
    assert estimate.nelo_error == pytest.approx(48.151, abs=0.001)
    assert estimate.los == pytest.approx(0.5)


def test_estimate_of_a_won_match() -> None:
    # Score (10 * 0.25 + 40 * 0.5 + 30 * 0.75 + 20) / 100 = 0.65, variance
    # (10 * 0.16 + 40 * 0.0225 + 30 * 0.01 + 20 * 0.1225) / 100 = 0.0525, deviation of the mean
    # 0.0229129. Elo 400 * log10(0.65 / 0.35) = 107.54; the score lies 6.5465 deviations above
    # one half. nElo 0.15 / sqrt(0.105) * 347.4356 = 160.831.
    estimate = Estimate.from_pairs((0, 10, 40, 30, 20))
    assert estimate.score == pytest.approx(0.65)
    assert estimate.elo == pytest.approx(107.54, abs=0.01)
    assert estimate.nelo == pytest.approx(160.831, abs=0.001)
    assert estimate.los == pytest.approx(1.0, abs=1e-9)
    high = score_to_elo(0.65 + 1.959964 * 0.0229129)
    low = score_to_elo(0.65 - 1.959964 * 0.0229129)
    assert estimate.elo_error == pytest.approx((high - low) / 2, abs=0.001)


def test_likelihood_of_superiority() -> None:
    # One deviation above one half: 84.13 % of a normal distribution lies below.
    # Half the pairs score 0.5, half 0.75: mean 0.625, deviation 0.125 / sqrt(n); n = 1 pair each
    # gives 0.125 / 0.0883883 = sqrt(2) deviations, which is 92.135 %.
    assert Estimate.from_pairs((0, 0, 1, 1, 0)).los == pytest.approx(0.92135, abs=1e-5)


def test_pairs_reduce_the_error_of_unbalanced_openings() -> None:
    # Every opening is won once by each side: the result is known to be even, though no game was
    # drawn. Counted by single games the error would be large.
    decided = Estimate.from_pairs((1, 0, 98, 0, 1))
    assert decided.elo_error < 10


def test_nothing_is_claimed_without_variance() -> None:
    even = Estimate.from_pairs((0, 0, 5, 0, 0))
    assert even.elo == 0.0
    assert even.los == 0.5
    assert math.isnan(even.elo_error)
    won = Estimate.from_pairs((0, 0, 0, 0, 5))
    assert won.elo == math.inf
    assert won.los == 1.0
    assert math.isnan(won.elo_error)


def test_an_estimate_needs_a_pair() -> None:
    with pytest.raises(ValueError, match="no finished pair"):
        Estimate.from_pairs((0, 0, 0, 0, 0))


def test_bounds_of_the_usual_test() -> None:
    sprt = Sprt()
    assert sprt.upper == pytest.approx(math.log(19))  # 2.94
    assert sprt.lower == pytest.approx(-math.log(19))
    assert sprt.verdict(2.95) == "H1"
    assert sprt.verdict(-2.95) == "H0"
    assert sprt.verdict(2.9) == ""


def test_likelihood_ratio_without_games() -> None:
    assert Sprt().llr((0, 0, 0, 0, 0)) == 0.0


@pytest.mark.parametrize("model", ["normalized", "logistic"])
def test_even_result_decides_nothing_between_equal_bounds(model: str) -> None:
    assert Sprt(-5, 5, model=model).llr((3, 20, 50, 20, 3)) == pytest.approx(0.0, abs=1e-9)


def test_likelihood_ratio_is_near_its_normal_approximation() -> None:
    # For many pairs LLR = (s1 - s0) * (2 * mean - s0 - s1) * n / (2 * variance), as the Chess
    # Programming Wiki gives it for the logistic model.
    counts = (100, 1000, 2000, 1200, 150)
    pairs = sum(counts)
    mean, variance = mean_and_variance((0, 0.25, 0.5, 0.75, 1), [c / pairs for c in counts])
    s0, s1 = elo_to_score(0), elo_to_score(5)
    expected = (s1 - s0) * (2 * mean - s0 - s1) * pairs / (2 * variance)
    assert Sprt(0, 5, model="logistic").llr(counts) == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize(
    ("model", "elo0", "elo1", "counts", "llr"),
    [
        ("normalized", 0, 2, (365, 16618, 36229, 16974, 390), 2.25),
        ("normalized", -1.75, 0.25, (127, 4883, 10712, 5150, 104), 3.01),
        ("logistic", 0.5, 2.5, (223, 9863, 21279, 10037, 246), -3.07),
        ("logistic", 0, 2, (871, 26175, 55983, 26678, 821), -4.98),
    ],
)
def test_likelihood_ratio_agrees_with_fastchess(
    model: str, elo0: float, elo1: float, counts: tuple[int, ...], llr: float
) -> None:
    """Results of real tests with the ratio that fastchess's own test suite states for them."""
    assert Sprt(elo0, elo1, model=model).llr(counts) == pytest.approx(llr, abs=0.01)


@pytest.mark.parametrize("model", ["normalized", "logistic"])
@pytest.mark.parametrize("bounds", [(0, 5), (-100, 100), (-2, 90)], ids=str)
def test_likelihood_ratio_of_lopsided_results(model: str, bounds: tuple[int, int]) -> None:
    """However few the pairs and however wide the bounds, there is a number and it has a sense."""
    sprt = Sprt(*bounds, model=model)
    results = [
        (1, 0, 0, 0, 0),
        (0, 0, 1, 0, 0),
        (0, 0, 0, 0, 1),
        (0, 0, 0, 0, 1000),
        (1, 0, 0, 0, 1),
    ]
    ratios = [sprt.llr(result) for result in results]
    assert all(math.isfinite(ratio) for ratio in ratios)
    assert ratios[0] < 0 < ratios[2] < ratios[3]


@pytest.mark.parametrize(
    "arguments",
    [
        {"elo0": 5, "elo1": 0},
        {"elo0": 0, "elo1": 101},
        {"alpha": 0.0},
        {"beta": 1.0},
        {"alpha": 0.6, "beta": 0.5},
        {"model": "bayesian"},
    ],
    ids=repr,
)
def test_senseless_tests_are_refused(arguments: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"elo0|alpha|model"):
        Sprt(**arguments)
