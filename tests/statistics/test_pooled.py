"""Intervals and tests of numbers of pooled counts: against literal resampling, and against means where these agree."""

from itertools import product

import numpy as np
import pytest

from focuseval.model.arrays import Floats
from focuseval.statistics.pooled import limits, pooled_randomisation, pooled_resamples
from focuseval.statistics.significance import mean_intervals


def ratio(counts: Floats) -> Floats:
    return counts[..., 0] / counts[..., 1]


def counts(seed: int = 3, topics: int = 9, systems: int = 3) -> Floats:
    rng = np.random.default_rng(seed)
    whole = rng.integers(1, 20, (topics, systems))
    return np.stack([rng.integers(0, whole + 1), whole], axis=-1).astype(float)


def test_with_equal_weights_it_is_the_interval_of_the_mean() -> None:
    values = np.random.default_rng(1).random((12, 4))
    equal = np.stack([values, np.ones_like(values)], axis=-1)
    found = limits(pooled_resamples(equal, ratio, 500, 7))
    np.testing.assert_allclose(found, mean_intervals(values, resamples=500, seed=7), atol=1e-12)


def test_topics_are_drawn_with_all_their_counts() -> None:
    """Every resample is the ratio of the sums of some draw of topics, the same for all systems."""
    table = counts(topics=3)
    possible = {
        tuple(np.round(ratio(table[list(draw)].sum(axis=0)), 12)) for draw in product(range(3), repeat=3)
    }
    drawn = pooled_resamples(table, ratio, 300, 0)
    assert {tuple(np.round(row, 12)) for row in drawn} == possible
    assert drawn.shape == (300, 3)


def test_differences_of_resamples_are_paired() -> None:
    table = counts()
    table[:, 1] = table[:, 0]
    drawn = pooled_resamples(table, ratio, 200, 0)
    assert (drawn[:, 0] == drawn[:, 1]).all() and np.ptp(drawn[:, 0] - drawn[:, 2]) > 0


@pytest.mark.parametrize("seed", range(4))
def test_the_p_value_is_near_that_of_all_changes_of_sides(seed: int) -> None:
    table = counts(seed)
    first, second = table[:, 0], table[:, 1]
    observed = abs(ratio(first.sum(axis=0)) - ratio(second.sum(axis=0)))
    reached = []
    for sides in product([True, False], repeat=len(first)):
        kept = np.array(sides)[:, None]
        one, other = np.where(kept, first, second).sum(axis=0), np.where(kept, second, first).sum(axis=0)
        reached.append(abs(ratio(one) - ratio(other)) >= observed - 1e-12)
    assert pooled_randomisation(first, second, ratio, 20_000, 5) == pytest.approx(np.mean(reached), abs=0.015)


def test_equal_systems_do_not_differ_and_seeds_decide() -> None:
    table = counts()
    assert pooled_randomisation(table[:, 0], table[:, 0], ratio, 50) == 1.0
    one, two, other = (pooled_randomisation(table[:, 0], table[:, 1], ratio, 99, seed) for seed in (1, 1, 2))
    assert one == two != other
    assert one >= 1 / 100
