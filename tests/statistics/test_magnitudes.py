"""Tests, intervals, wins and topics that explain a difference, against exact fractions at any magnitude."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest

from focuseval.comparing.gate import judge
from focuseval.statistics.comparisons import CARRIED, Method, differences
from focuseval.statistics.correlations import orders_of
from focuseval.statistics.score_table import ScoreTable
from focuseval.statistics.significance import order_of, p_values

MAGNITUDES = [Fraction(10) ** power for power in (-10, -9, -6, -3, 0, 3, 6, 9)]


def exact_scores(seed, magnitude):
    """Draw scores of two runs on 5 to 8 topics with few distinct values, so that topics, sums and means often tie."""
    rng = np.random.default_rng(seed)
    topics, steps = rng.integers(5, 9), int(rng.choice([1, 3, 7, 10, 70]))
    level, spread = int(rng.choice([0, 1000])), int(rng.choice([3, 8, 1000]))
    drawn = level + rng.integers(0, spread, size=(topics, 2))
    return [(int(a) * magnitude / steps, int(b) * magnitude / steps) for a, b in drawn]


def p_of(change, *, one_tailed):
    """Return the share of assignments of signs whose sum reaches the observed sum."""
    sums = [
        sum(sign * d for sign, d in zip(signs, change, strict=True))
        for signs in product((1, -1), repeat=len(change))
    ]
    side = (lambda x: x) if one_tailed else abs
    return Fraction(sum(side(one) >= side(sum(change)) for one in sums), len(sums))


def limits_of(change):
    """Return the 95 % interval: the means of all subsets without the lowest and the highest 2.5 %."""
    n = len(change)
    means = sorted(sum(part) / size for size in range(1, n + 1) for part in combinations(change, size))
    place = 2**n // 40 - 1
    limits = [means[place], means[-1 - place]]
    return limits if place >= 0 and limits[0] != limits[1] else None


def carrier_of(change):
    """Return the first topic without which the difference falls most, if it falls far enough, else ""."""
    mean, side = sum(change) / len(change), 1 if sum(change) > 0 else -1
    left = [side * (sum(change) - one) / (len(change) - 1) for one in change]
    far = mean and min(left) <= Fraction(CARRIED) * abs(mean)
    return str(left.index(min(left))) if far else ""


@pytest.mark.parametrize("magnitude", MAGNITUDES, ids=lambda m: f"{float(m):g}")
def test_everything_is_as_with_exact_fractions(magnitude):
    tied = 0
    for seed in range(15):
        scores = exact_scores(seed, magnitude)
        change = [b - a for a, b in scores]
        table = ScoreTable(pd.DataFrame([(float(a), float(b)) for a, b in scores], columns=["a", "b"]))
        for one_tailed in (False, True):
            method = Method(one_tailed=one_tailed)
            [row] = differences({"M": table}, method=method).itertuples()
            p = p_of(change, one_tailed=one_tailed)
            assert row.p == p, (seed, one_tailed, float(p))
            of_changes = p_values(
                np.array([[float(d)] for d in change]), "randomisation", two_tailed=not one_tailed
            )
            assert of_changes == [p], (seed, one_tailed)
        assert (row.wins, row.losses) == (sum(d > 0 for d in change), sum(d < 0 for d in change))
        tied += row.ties
        limits = limits_of(change)
        interval = np.array([row.low, row.high])
        assert np.isnan(interval).all() == (limits is None)
        if limits is not None:
            assert interval == pytest.approx([float(limit) for limit in limits], rel=1e-9, abs=0)
            assert [x == 0 for x in interval] == [x == 0 for x in limits]
        assert str(row.carried_by) == carrier_of(change), seed
        assert np.isnan(row.effect_size) == (len(set(change)) == 1)
    assert tied > 5


def test_pairs_of_different_magnitudes_are_tested_as_each_alone():
    of = [exact_scores(seed, magnitude) for magnitude in MAGNITUDES for seed in range(12)]
    of = [scores for scores in of if len(scores) == 7]
    columns = [[float(b - a) for a, b in scores] for scores in of]
    together = p_values(np.array(columns).T, "randomisation", two_tailed=True)
    assert together.tolist() == [p_of([b - a for a, b in scores], one_tailed=False) for scores in of]


@pytest.mark.parametrize("magnitude", [float(m) for m in MAGNITUDES])
@pytest.mark.parametrize("test", ["bootstrap", "t-test"])
def test_p_values_do_not_depend_on_the_unit(magnitude, test):
    """Integer differences have many resamples with mean 0."""
    whole = np.random.default_rng(4).integers(-3, 4, size=(8, 30)).astype(float)
    expected = p_values(whole, test, 500, 1, two_tailed=True)
    assert p_values(whole * magnitude, test, 500, 1, two_tailed=True) == pytest.approx(
        expected, rel=1e-9, nan_ok=True
    )


@pytest.mark.parametrize("unit", [1e-10, 1e-3, 1e6])
def test_orders_ties_and_the_gate_do_not_depend_on_the_unit(unit):
    assert order_of(np.array([0.3, 2, 3]) * unit, np.array([0.1 + 0.2, 3, 2]) * unit).tolist() == [0, 1, -1]
    assert orders_of(np.array([0.1 + 0.2, 0.3, 0.4]) * unit).tolist() == [0, -1, -1]
    before = {str(topic): unit * (3 + topic % 2) for topic in range(6)}
    scores = pd.DataFrame(
        [("old", t, "EPRUM", x) for t, x in before.items()]
        + [("new", t, "EPRUM", x - (t == "4") * 0.6 * unit) for t, x in before.items()],
        columns=["run", "topic", "name", "value"],
    )
    for drop, verdict in ((0.09, "worse"), (0.1, "not worse"), (0.11, "not worse")):
        judged = judge(scores, "old", max_drop=drop * unit, method=Method(None))
        assert judged.found == {"EPRUM": verdict}
        assert judged.topics["EPRUM"]["topic"].tolist() == ["4"]
