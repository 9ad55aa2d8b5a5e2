"""Intervals of printed numbers are those of textbooks; verdicts follow the rule for reproduced numbers."""

import math

import numpy as np
import pytest
from scipy import stats

from focuseval_papers.publication.claims import HOLDS, UNDECIDED, Inequality
from focuseval_papers.publication.estimates import Estimate, difference
from focuseval_papers.publication.printed import InPrint, with_intervals


def interval(value, **how):
    return drawn({"x": value}, **how).interval


def drawn(quantities, **how):
    estimate = with_intervals(quantities, {"x": InPrint.model_validate(how)})["x"]
    return estimate


@pytest.mark.parametrize(("value", "n"), [(0.674, 20), (-0.2, 56), (0.98, 56)])
def test_correlations_have_fisher_s_interval(value, n):
    low, high = interval(value, kind="pearson", n=n)
    z, error = math.atanh(value), 1.959964 / math.sqrt(n - 3)
    assert (low, high) == pytest.approx((math.tanh(z - error), math.tanh(z + error)), abs=5e-4)
    # the interval of Spearman's rho is wider, that of Kendall's tau narrower
    assert interval(value, kind="spearman", n=n)[0] < low < interval(value, kind="kendall", n=n)[0]


def test_shares_have_jeffreys_interval_and_means_that_of_t():
    low, high = interval(0.25, kind="share", n=20)
    assert stats.beta(5.5, 15.5).cdf([low, high]) == pytest.approx([0.025, 0.975], abs=1e-3)
    mean = drawn({"x": 5.0, "sd": 2.0}, kind="mean", n=25, deviation="sd", over="queries")
    expected = stats.t.interval(0.95, 24, 5.0, 2.0 / 5)
    assert mean.interval == pytest.approx(expected, abs=5e-3) and (mean.n, mean.over) == (25, "queries")
    assert interval(474.0, kind="count") == (474, 474)


def test_significant_pairs_have_the_widest_interval_that_a_mean_over_pairs_can_have():
    pairs = drawn({"x": 112.0}, kind="pairs", n=20)
    low, high = pairs.interval
    assert (low / 190, high / 190) == pytest.approx(interval(112 / 190, kind="share", n=10))
    # if a pair differs exactly if one of its systems is strong, shares vary nearly as much
    rng = np.random.default_rng(1)
    shares = []
    for _ in range(4000):
        strong = rng.random(20) < 1 - math.sqrt(1 - 112 / 190)
        shares.append(np.mean([strong[i] or strong[j] for i in range(20) for j in range(i)]))
    assert 0.8 < np.std(shares) / np.std(pairs.drawn / 190) < 1


def test_names_and_patterns_say_which_numbers_have_an_interval():
    quantities = {"r[a, 1]": 0.9, "r[a, 2]": 0.9, "r[b, 2]": math.nan, "runs": 20.0}
    declared = {"r[*, 2]": {"kind": "pearson", "n": 20}, "r": {"kind": "pearson", "n": 80}}
    numbers = with_intervals(
        quantities, {name: InPrint.model_validate(how) for name, how in declared.items()}
    )
    assert numbers["runs"] == 20.0
    several, few, nothing = (numbers[name] for name in list(quantities)[:3])
    assert isinstance(several, Estimate) and isinstance(few, Estimate) and isinstance(nothing, Estimate)
    assert (several.n, few.n) == (80, 20) and np.isnan(nothing.interval).all()
    # both are drawn independently, and the draws are reproducible
    apart = difference(several, few)
    assert isinstance(apart, Estimate) and apart.interval[0] < 0 < apart.interval[1]
    again = with_intervals(quantities, {"r": InPrint.model_validate(declared["r"])})["r[a, 1]"]
    assert isinstance(again, Estimate) and (again.drawn == several.drawn).all()


def test_printed_numbers_are_judged_by_the_rule_of_reproduced_ones():
    quantities = {"x": 0.674}
    for n, state in ((20, HOLDS), (7, UNDECIDED)):
        assert Inequality("", drawn(quantities, kind="kendall", n=n), ">", 0.3, printed=True).state() == state
