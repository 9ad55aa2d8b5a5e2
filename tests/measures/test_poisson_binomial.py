"""Exact distributions, and their changes along a list, against integers, fractions and enumeration."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuseval.measures import poisson_binomial as pb
from focuseval.measures.eprum import discover, inverse_length, search_length
from focuseval.measures.navigation import Links
from focuseval.measures.poisson_binomial import mix


def state_along(probability):
    ranks, count = probability.shape
    i, j = np.nonzero(probability)
    return discover(np.arange(1, ranks + 1), Links(i, j, probability[i, j]), ranks, count)


def extreme(rng, n):
    """Draw probabilities down to 1e-18 and up to 1 - 1e-18; both p and 1 - p have all digits."""
    small = np.where(rng.random(n) < 0.9, 10.0 ** rng.uniform(-18, -2, n), rng.random(n))
    swap = rng.random(n) < 0.5
    return np.where(swap, 1 - small, small), np.where(swap, small, 1 - small)


def test_two_thousand_elements_lose_no_digits():
    """Every probability, within 1e-12 of itself, against integers of 1,100 bits."""
    rng = np.random.default_rng(0)
    p, q = extreme(rng, 2000)
    law = np.array([1 << 1100], dtype=object)
    for a, b in zip(p, q, strict=True):
        unlikely = int(math.ldexp(min(a, b), 200))  # the smaller of two floats p and 1 - p is the exact one
        likely = (1 << 200) - unlikely
        grown = np.append(law * (unlikely if b < a else likely), 0)
        grown[1:] += law * (likely if b < a else unlikely)
        law = grown >> 200
    exact, mass = (law / (1 << 1100)).astype(float), pb.pmf(p, q)
    sure = exact > 1e-250
    assert sure.sum() > 100
    assert (np.abs(mass - exact)[sure] < 1e-12 * exact[sure]).all()
    assert abs(math.fsum(pb.pmf(p, q)) - 1) < 1e-12


def literal_sum(sizes, element, time, p, q, weights):
    """Return (W, L, T + 1) sums of products, each multiplied out separately."""
    count = int(sizes.max())
    result = np.zeros((len(weights), len(sizes), count + 1))
    now_p, now_q = np.zeros(count), np.ones(count)
    for at in range(weights.shape[1]):
        changed_now = np.flatnonzero(time == at)
        now_p[element[changed_now]], now_q[element[changed_now]] = p[changed_now], q[changed_now]
        for i, size in enumerate(sizes):
            some = now_p[:size] > 0
            law = pb.pmf(now_p[:size][some], now_q[:size][some]) * now_q[:size][~some].prod()
            result[:, i, : len(law)] += np.outer(weights[:, at], law)
    return result


def certain(rng, n):
    """Draw only 0, 1 and their close neighbours."""
    p = rng.choice([0.0, 1.0, 1e-16, 1 - 1e-16, 1e-300], n)
    return p, 1 - p


def missing(rng, n):
    """Draw factors p and q with a sum far below 1, even 0, so that small sets outweigh large ones."""
    p, q = rng.dirichlet([1, 1, 3], n)[:, :2].T * (rng.random(n) < 0.9)
    return p, q


DRAWS = {"extreme": extreme, "certain": certain, "missing": missing}


@pytest.mark.parametrize("draw", list(DRAWS))
@pytest.mark.parametrize(("count", "times"), [(2000, 15), (150, 200), (70, 3), (1, 1)])
def test_sums_over_times_are_right_to_twelve_digits(draw, count, times):
    """Compare every coefficient and every upper sum with a product for each time and set."""
    rng = np.random.default_rng([count, times])
    elements = np.flatnonzero(
        rng.random((times, count)) < 3 / times
    )  # the elements whose factors change, by time
    factors = elements % count, elements // count, *DRAWS[draw](rng, len(elements))
    sizes = np.unique(np.append(rng.integers(1, count + 1, 2 if count > 200 else 60), count))
    weights = np.array([rng.random(times), rng.normal(size=times), np.arange(times) == times - 1])
    weights[0] *= rng.random(times) < 0.7
    off = mix(sizes, *factors, weights) - literal_sum(sizes, *factors, weights)
    scale = np.maximum(1.0, np.abs(weights).sum(axis=1))[:, None, None]
    assert (np.abs(off) < 1e-14 * scale).all()
    assert all((np.abs(pb.at_least(of)) < 1e-13 * most).all() for of, most in zip(off, scale, strict=True))


@pytest.mark.parametrize(("n", "p"), [(2000, 0.5), (1999, 0.25), (2000, 1 / 1024), (2000, 1 - 1 / 1024)])
def test_many_equal_probabilities_against_fractions(n, p):
    """The binomial law in exact arithmetic, at one time and spread over 30."""
    exact, power = Fraction(p), Fraction(1)
    law = [Fraction(1 - exact) ** n]
    for f in range(n):
        power = law[-1] * (n - f) * exact / ((f + 1) * (1 - exact))
        law.append(power)
    expected = np.array([float(one) for one in law])
    zeros, ones = np.zeros(n, dtype=np.int64), np.ones(n)
    for times in (1, 30):
        weights = np.full((1, times), 1 / times)
        coefficients = mix(np.array([n]), np.arange(n), zeros, p * ones, (1 - p) * ones, weights)[0, 0]
        assert np.abs(coefficients - expected).max() < 1e-13


def test_the_order_of_factors_never_matters():
    rng = np.random.default_rng(2)
    for n in (1, 2, 7, 50, 400):
        p, q = extreme(rng, n)
        first = pb.pmf(p, q)
        order = rng.permutation(n)
        some = first > 1e-250
        np.testing.assert_allclose(pb.pmf(p[order], q[order])[some], first[some], rtol=1e-12)


@settings(max_examples=40)
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
def test_expectations_equal_enumeration(columns, smaller):
    """E[A / ML] of nested sets, and E[ML*] where it exists, from the subsets of Eq. 7."""
    probability = np.array(columns).T
    ranks, count = probability.shape
    sizes = np.unique([min(smaller, count), count])
    seen = 1 - np.cumprod(1 - probability, axis=0)
    state = state_along(probability)
    value = inverse_length(state, sizes)
    for level, size in enumerate(sizes):
        fewer = np.zeros((ranks + 1, size + 2))  # P(F_k < r)
        fewer[0, 1:] = 1
        for k in range(ranks):
            for subset in itertools.product([0, 1], repeat=int(size)):
                mass = math.prod(s if x else 1 - s for x, s in zip(subset, seen[k, :size], strict=True))
                fewer[k + 1, sum(subset) + 1 :] += mass
        for r in range(1, size + 1):
            expected = sum((fewer[k - 1, r] - fewer[k, r]) / k for k in range(1, ranks + 1))
            assert value[level, r] == pytest.approx(expected, abs=1e-12)
        if (state.unseen == 0).sum() == count:
            for r in range(1, size + 1):
                expected = 1 + fewer[1:, r].sum()
                assert search_length(state, sizes)[level, r] == pytest.approx(expected)


def test_an_ideal_list_that_is_too_short_is_refused():
    with pytest.raises(ValueError, match="probability below 1"):
        search_length(state_along(np.array([[1.0, 0.5]])), np.array([2]))


def test_a_tiny_chance_is_not_lost_in_the_noisy_or():
    state = state_along(np.full((3, 1), 1e-20))
    assert state.seen[-1] == pytest.approx(3e-20, rel=1e-12)
    state = state_along(np.full((3, 1), 1 - 2.0**-30))
    assert state.unseen[-1] == 2.0**-90


def test_the_normal_law_is_exact_below_ten_and_near_from_there():
    rng = np.random.default_rng(3)
    for n, off in ((3, 0), (9, 0), (10, 0.11), (200, 0.03)):
        p = rng.random(n)
        factors = np.arange(n), np.zeros(n, dtype=np.int64), p, 1 - p
        normal = pb.mix_normal(np.array([n]), *factors, np.ones((1, 1)))[0, 0]
        error = np.abs(pb.at_least(normal) - pb.at_least(pb.pmf(p, 1 - p))).max()
        assert error <= off + 1e-14
        assert (error > 1e-6) == (n >= pb.NORMAL_FROM)


def test_a_factor_that_changes_inside_a_block_against_fractions():
    """Every set of 130 elements, one of which changes at the second of three times."""
    half, count, weights = Fraction(1, 2), 130, [Fraction(1, 4), Fraction(1, 8), Fraction(1, 2)]
    expected = np.zeros((count, count + 1))
    laws = [[Fraction(1)] for _ in weights]
    for x in range(count):
        for time, law in enumerate(laws):
            p = half if x != 70 else Fraction(1 if time else 0)
            laws[time] = [
                (1 - p) * stays + p * comes for stays, comes in zip([*law, 0], [0, *law], strict=True)
            ]
        expected[x, : x + 2] = [
            float(sum(w * law[f] for w, law in zip(weights, laws, strict=True))) for f in range(x + 2)
        ]
    element = np.append(np.delete(np.arange(count), 70), 70)
    time, p = np.append(np.zeros(count - 1, dtype=np.int64), 1), np.append(np.full(count - 1, 0.5), 1.0)
    coefficients = mix(
        np.arange(1, count + 1), element, time, p, 1 - p, np.array([[float(w) for w in weights]])
    )[0]
    assert np.abs(coefficients - expected).max() < 1e-16
