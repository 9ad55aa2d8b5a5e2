"""Exact distributions against mpmath and enumeration, and how they change along a list."""

import itertools
import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuseval.measures import poisson_binomial as pb
from focuseval.measures.eprum import Discovery, discover, inverse_length, search_length
from focuseval.measures.navigation import Links


def found_along(probability: np.ndarray) -> Discovery:
    ranks, count = probability.shape
    i, j = np.nonzero(probability)
    return discover(np.arange(1, ranks + 1), Links(i, j, probability[i, j]), ranks, count)


def extreme(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities of all sizes down to 1e-18, and as near to 1; both p and 1 - p have all digits."""
    small = np.where(rng.random(n) < 0.9, 10.0 ** rng.uniform(-18, -2, n), rng.random(n))
    swap = rng.random(n) < 0.5
    return np.where(swap, 1 - small, small), np.where(swap, small, 1 - small)


def test_two_thousand_elements_lose_no_digits() -> None:
    """Every probability of the distribution, to 1e-12 of itself, against 40-digit arithmetic."""
    rng = np.random.default_rng(0)
    p, q = extreme(rng, 2000)
    low, law = 0, np.array([mpmath.mpf(1)], dtype=object)
    with mpmath.workdps(40):
        for x, (a, b) in enumerate(zip(p, q, strict=True)):
            # the smaller of two floats p and 1 - p is the exact one
            unlikely = mpmath.mpf(min(a, b))
            b, a = (unlikely, 1 - unlikely) if b < a else (1 - unlikely, unlikely)
            grown = np.append(law * b, mpmath.mpf(0))
            grown[1:] += law * a
            law = grown
            if x % 100 == 99:  # what is far below the range of doubles need not be carried along
                kept = np.flatnonzero(law > mpmath.mpf("1e-300"))
                low, law = low + kept[0], law[kept[0] : kept[-1] + 1]
        found = pb.pmf(p, q)[low : low + len(law)]
        sure = law > mpmath.mpf("1e-250")
        assert sure.sum() > 100
        assert max(abs(found[sure] - law[sure]) / law[sure]) < 1e-12
    assert abs(math.fsum(pb.pmf(p, q)) - 1) < 1e-12


def test_changes_along_a_list_lose_no_digits() -> None:
    """2,000 elements that change at 40 ranks: the tree of ranks against a new product at each rank."""
    rng = np.random.default_rng(1)
    count, ranks = 2000, 40
    probability = np.zeros((ranks, count))
    for _ in range(3):
        probability[rng.integers(0, ranks, count), np.arange(count)] = extreme(rng, count)[0]
    found = found_along(probability)
    sizes = np.array([700, 2000])
    value = inverse_length(found, sizes)
    seen, unseen = np.zeros(count), np.ones(count)
    expected = [np.zeros(size + 1) for size in sizes]
    for k in range(ranks):
        seen, unseen = seen + unseen * probability[k], unseen * (1 - probability[k])
        weight = 1 / ((k + 1) * (k + 2)) if k + 1 < ranks else 1 / ranks
        for total, size in zip(expected, sizes, strict=True):
            law = pb.pmf(seen[:size], unseen[:size])
            total += weight * np.cumsum(law[::-1])[::-1]
    for level, total in enumerate(expected):
        got = value.of(level)
        assert (total[1:][got == 0] < 1e-250).all()
        some = (got > 1e-250) & (total[1:] > 1e-250)
        np.testing.assert_allclose(got[some], total[1:][some], rtol=1e-11)


def test_the_order_of_factors_never_matters() -> None:
    rng = np.random.default_rng(2)
    for n in (1, 2, 7, 50, 400):
        p, q = extreme(rng, n)
        first = pb.pmf(p, q)
        for _ in range(5):
            order = rng.permutation(n)
            again = pb.pmf(p[order], q[order])
            some = first > 1e-250
            np.testing.assert_allclose(again[some], first[some], rtol=1e-12)
    probability = np.where(rng.random((30, 60)) < 0.2, rng.random((30, 60)), 0.0)
    sizes = np.array([60])
    first = inverse_length(found_along(probability), sizes).of(0)
    for _ in range(5):
        again = inverse_length(found_along(probability[:, rng.permutation(60)]), sizes).of(0)
        np.testing.assert_allclose(again, first, rtol=1e-12)


@settings(max_examples=150, deadline=None)
@given(
    st.integers(1, 9).flatmap(
        lambda ranks: st.lists(
            st.lists(
                st.sampled_from([0.0, 0.0, 0.0, 1e-9, 0.3, 0.7, 1 - 1e-9, 1.0]),
                min_size=ranks,
                max_size=ranks,
            ),
            min_size=1,
            max_size=6,
        )
    ),
    st.integers(1, 6),
)
def test_expectations_equal_enumeration(columns: list[list[float]], smaller: int) -> None:
    """E[A / ML] of nested sets, and E[ML*] where it exists, from the subsets of Eq. 7."""
    probability = np.array(columns).T
    ranks, count = probability.shape
    sizes = np.unique([min(smaller, count), count])
    seen = 1 - np.cumprod(1 - probability, axis=0)
    found = found_along(probability)
    value = inverse_length(found, sizes)
    for level, size in enumerate(sizes):
        fewer = np.zeros((ranks + 1, size + 2))  # P(F_k < r)
        fewer[0, 1:] = 1
        for k in range(ranks):
            for subset in itertools.product([0, 1], repeat=int(size)):
                mass = math.prod(s if x else 1 - s for x, s in zip(subset, seen[k, :size], strict=True))
                fewer[k + 1, sum(subset) + 1 :] += mass
        for r in range(1, size + 1):
            expected = sum((fewer[k - 1, r] - fewer[k, r]) / k for k in range(1, ranks + 1))
            got = value.at(np.full(len(sizes), r))[level]
            assert got == pytest.approx(expected, abs=1e-12)
        if (found.unseen == 0).sum() == count:
            for r in range(1, size + 1):
                expected = 1 + fewer[1:, r].sum()
                assert search_length(found, sizes).at(np.full(len(sizes), r))[level] == pytest.approx(
                    expected
                )


def test_an_ideal_list_that_is_too_short_is_refused() -> None:
    with pytest.raises(ValueError, match="probability 1"):
        search_length(found_along(np.array([[1.0, 0.5]])), np.array([2]))


def test_a_tiny_chance_is_not_lost_in_the_noisy_or() -> None:
    found = found_along(np.full((3, 1), 1e-20))
    assert found.seen[-1] == pytest.approx(3e-20, rel=1e-12)
    found = found_along(np.full((3, 1), 1 - 2.0**-30))
    assert found.unseen[-1] == 2.0**-90


def test_the_normal_law_is_exact_below_ten_and_near_from_there() -> None:
    rng = np.random.default_rng(3)
    for n, off in ((3, 0), (9, 0), (10, 0.11), (200, 0.03)):
        p = rng.random(n)
        exact = np.cumsum(pb.pmf(p, 1 - p)[::-1])[::-1]
        zeros = np.zeros(n, dtype=np.int64)
        (normal,) = pb.normal_at_least(np.array([n]), zeros, np.arange(n), p, 1 - p, np.ones(1))
        error = np.abs(normal - exact).max()
        assert error <= off + 1e-14
        assert (error > 1e-6) == (n >= pb.NORMAL_FROM)
