"""Exact distributions against mpmath and enumeration, and how they change along a list."""

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuseval.measures import poisson_binomial as pb
from focuseval.measures.eprum import Discovery, discover, inverse_length, search_length
from focuseval.measures.navigation import Links
from focuseval.measures.poisson_binomial import mix


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


def literal_sum(sizes, element, first, last, p, q, weights) -> np.ndarray:
    """(W, L, T + 1) sums of products, each product multiplied out for itself."""
    count = int(sizes.max())
    result = np.zeros((len(weights), len(sizes), count + 1))
    for time in range(weights.shape[1]):
        now_p, now_q = np.zeros(count), np.ones(count)
        here = np.flatnonzero((first <= time) & (time < last) & (element < count))
        now_p[element[here]], now_q[element[here]] = p[here], q[here]
        for i, size in enumerate(sizes):
            some = now_p[:size] > 0
            law = pb.pmf(now_p[:size][some], now_q[:size][some]) * now_q[:size][~some].prod()
            result[:, i, : len(law)] += np.outer(weights[:, time], law)
    return result


def factors_along(rng: np.random.Generator, count: int, times: int, changes: int, draw) -> list[np.ndarray]:
    """Factors of elements that change at random times, with stretches without one, in no order."""
    columns = []
    for x in range(count):
        cuts = np.unique(rng.integers(0, times + 1, changes + 1))
        kept = rng.random(len(cuts) - 1) < 0.8
        p, q = draw(int(kept.sum()))
        columns.append((np.full(len(p), x), cuts[:-1][kept], cuts[1:][kept], p, q))
    order = rng.permutation(sum(len(column[0]) for column in columns))
    return [np.concatenate(column)[order] for column in zip(*columns, strict=True)]


def fair(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """p = 1/2 or 1/4: at some roots of unity products vanish."""
    p = rng.choice([0.5, 0.25], n)
    return p, 1 - p


def certain(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Only 0 and 1, and what is next to them."""
    p = rng.choice([0.0, 1.0, 1e-16, 1 - 1e-16, 1e-300], n)
    return p, 1 - p


def missing(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """p + q below 1, as where a part of what may happen is left out."""
    p, q = rng.dirichlet([1, 1, 0.2], n)[:, :2].T
    return p, q


def impossible(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Factors of which little is left, or nothing: small sets are worth more than the large ones around them."""
    p, q = rng.dirichlet([1, 1, 3], n)[:, :2].T * (rng.random(n) < 0.9)
    return p, q


DRAWS = {"extreme": extreme, "fair": fair, "certain": certain, "missing": missing, "impossible": impossible}


@pytest.mark.parametrize("draw", list(DRAWS))
@pytest.mark.parametrize(
    ("count", "times", "changes"), [(2000, 30, 3), (150, 300, 4), (150, 600, 5), (70, 3, 1), (1, 1, 1)]
)
def test_sums_over_times_are_right_to_twelve_digits(draw: str, count: int, times: int, changes: int) -> None:
    """Against a product for each time and set: every coefficient, and every sum of the highest ones."""
    rng = np.random.default_rng([count, times])
    factors = factors_along(rng, count, times, changes, lambda n: DRAWS[draw](rng, n))
    few = np.unique(np.append(rng.integers(1, count + 1, 2), count))
    sizes = few if count > 200 or times > 300 else np.setdiff1d(np.arange(1, count + 1), [7, 8, 20])
    weights = np.array([rng.random(times), rng.normal(size=times), np.arange(times) == times - 1])
    weights[0] *= rng.random(times) < 0.7
    got, row, length = mix(sizes, *factors, weights)
    assert (length <= got.shape[2]).all()
    expected = literal_sum(sizes, *factors, weights)
    for found, wanted, weight in zip(got, expected, weights, strict=True):
        scale = max(1.0, np.abs(weight).sum())
        for i, size in enumerate(sizes):
            off = np.zeros(count + 1)
            off[: length[i]] = found[row[i], : length[i]]
            assert (off[size + 1 :] == 0).all()
            off -= wanted[i]
            assert np.abs(off).max() < 1e-14 * scale
            assert np.abs(np.cumsum(off[::-1])).max() < 1e-13 * scale


@pytest.mark.parametrize("sizes", [np.arange(1, 201), np.array([200])])
def test_sums_of_which_nearly_nothing_is_left(sizes: np.ndarray) -> None:
    """Where p + q = 1/5 from the first time on, the sums of n elements are 1/5^n."""
    zeros, tenth = np.zeros(200, dtype=np.int64), np.full(200, 0.1)
    factors = np.arange(200), zeros, zeros + 3, tenth, tenth
    (got,), row, _ = mix(sizes, *factors, np.ones((1, 3)))
    (expected,) = literal_sum(sizes, *factors, np.ones((1, 3)))
    np.testing.assert_allclose(got[row], expected[:, : got.shape[1]], rtol=0, atol=1e-15)
    assert (expected[:, got.shape[1] :] < 1e-17).all()


@pytest.mark.parametrize(("n", "p"), [(2000, 0.5), (1999, 0.25), (2000, 1 / 1024), (2000, 1 - 1 / 1024)])
def test_many_equal_probabilities_against_fractions(n: int, p: float) -> None:
    """The binomial law in exact arithmetic, at one time and spread over 300."""
    exact, power = Fraction(p), Fraction(1)
    law = [Fraction(1 - exact) ** n]
    for f in range(n):
        power = law[-1] * (n - f) * exact / ((f + 1) * (1 - exact))
        law.append(power)
    wanted = np.array([float(one) for one in law])
    element, zeros, ones = np.arange(n), np.zeros(n, dtype=np.int64), np.ones(n)
    for times in (1, 300):
        weights = np.full((1, times), 1 / times)
        got, _, (length,) = mix(
            np.array([n]), element, zeros, zeros + times, p * ones, (1 - p) * ones, weights
        )
        assert np.abs(got[0, 0, :length] - wanted[:length]).max() < 1e-13
        assert wanted[length:].sum() < 1e-17


def test_changes_along_a_list_are_right_to_twelve_digits() -> None:
    """E[A / ML] of 2,000 elements that change at 40 ranks, against a new product at each rank."""
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
        assert (got >= 0).all()
        np.testing.assert_allclose(got, total[1 : len(got) + 1], rtol=0, atol=1e-14)
        assert (total[len(got) + 1 :] < 1e-17).all()


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
        np.testing.assert_allclose(again, first, rtol=0, atol=1e-14)


@settings(max_examples=60, deadline=None)
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
