"""Correlations and tests of significance against SciPy, exhaustive counts and worked examples."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from focuseval.statistics import correlations, significance
from focuseval.statistics.score_table import score_table


def random_scores(seed, topics=12, systems=5):
    rng = np.random.default_rng(seed)
    values = rng.random((topics, 1)) + rng.normal(0, 0.2, (topics, systems)) + np.linspace(0.2, 0, systems)
    return pd.DataFrame(values, columns=[f"s{i}" for i in range(systems)])


def test_correlations_are_scipy_s():
    rng = np.random.default_rng(1)
    x = rng.integers(0, 6, 20).astype(float)
    y = x + rng.integers(0, 4, 20)
    line = correlations.pearson(x, y)
    assert line.r == pytest.approx(np.corrcoef(x, y)[0, 1])
    assert [line.slope, line.intercept] == pytest.approx(np.polyfit(x, y, 1))
    assert line.p_value == pytest.approx(stats.pearsonr(x, y).pvalue)
    assert correlations.kendall(x, y).coefficient == pytest.approx(stats.kendalltau(x, y).statistic)
    rho = correlations.spearman(x, y)
    assert rho.coefficient == pytest.approx(np.corrcoef(stats.rankdata(x), stats.rankdata(y))[0, 1])


def test_kendall_of_kamps_orders():
    """The printed MAP order of systems labelled by MAgP rank gives the printed 0.674 (no ties)."""
    by_map = [5, 1, 2, 3, 6, 20, 4, 13, 8, 9, 7, 10, 11, 12, 14, 17, 16, 15, 19, 18]
    discordant = sum(a > b for a, b in itertools.combinations(by_map, 2))
    by_hand = 1 - 2 * discordant / 190
    tau = correlations.kendall(by_map, range(1, 21)).coefficient
    assert tau == pytest.approx(by_hand) and round(tau, 3) == 0.674


def test_constant_columns_have_no_correlation():
    flat, rising = [1.0, 1.0, 1.0], [1.0, 2.0, 3.0]
    assert np.isnan(correlations.pearson(flat, rising).r)
    assert np.isnan(correlations.pearson(rising, flat).r) and correlations.pearson(rising, flat).slope == 0
    assert np.isnan(correlations.kendall(flat, rising).coefficient)
    assert np.isnan(correlations.spearman(flat, rising).coefficient)
    with pytest.raises(ValueError):
        correlations.kendall([1.0, 2.0], [1.0, 2.0, 3.0])


def test_bootstrap_against_a_loop():
    differences = random_scores(3).to_numpy()[:, :2] - 0.9
    drawn = np.random.default_rng(7).integers(0, 12, size=(1000, 12))
    for column, p in enumerate(significance.p_values(differences, "bootstrap", 1000, seed=7)):
        vanished = sum(np.mean([differences[t, column] for t in topics]) <= 0 for topics in drawn)
        assert p == (1 + vanished) / 1001


@pytest.mark.parametrize("alternative", ["greater", "two-sided"])
def test_randomisation_and_t_test_agree_with_scipy_and_a_literal_count(alternative):
    differences = random_scores(5, topics=9).to_numpy() - 0.75
    differences[0] = 0
    tails = {"two_tailed": alternative == "two-sided"}
    side = abs if tails["two_tailed"] else float
    probabilities = significance.p_values(differences, "randomisation", **tails)
    for d, p in zip(differences.T, probabilities, strict=True):
        signs = itertools.product([1, -1], repeat=9)
        assert p == np.mean([side(np.dot(one, d)) >= side(d.sum()) - 1e-9 for one in signs])
        exact = stats.permutation_test(
            (d, np.zeros(9)),
            lambda x, y, axis: np.mean(x - y, axis=axis),
            permutation_type="samples",
            alternative=alternative,
            n_resamples=np.inf,
        )
        assert p == pytest.approx(exact.pvalue)
    expected = stats.ttest_1samp(differences, 0, alternative=alternative)
    assert significance.p_values(differences, "t-test", **tails) == pytest.approx(expected.pvalue)
    limits = significance.mean_intervals(differences, level=0.9, test="t-test")
    two_sided = stats.ttest_1samp(differences, 0).confidence_interval(0.9)
    assert np.ravel(limits) == pytest.approx(np.ravel(two_sided))
    constant = np.array([[0.0, 1.0, -1.0]] * 4)
    assert significance.p_values(constant, "t-test", **tails) == pytest.approx(
        [1, np.nan, np.nan], nan_ok=True
    )


def test_two_tailed_bootstrap_is_twice_the_smaller_share():
    rng = np.random.default_rng(21)
    differences = rng.normal(0.1, 1, (30, 300))
    one, other = (significance.p_values(side, "bootstrap", 2000, 3) for side in (differences, -differences))
    two = significance.p_values(differences, "bootstrap", 2000, 3, two_tailed=True)
    assert two == pytest.approx(np.minimum(2 * np.minimum(one, other), 1), abs=1e-15)


@pytest.mark.parametrize("test", [*significance.IN_TABLES, None])
@pytest.mark.parametrize("topics", [12, 30])
@pytest.mark.parametrize("level", [0.95, 0.8])
def test_intervals_exclude_0_if_p_is_at_most_alpha(test, topics, level):
    rng = np.random.default_rng(21)
    kind, size = rng.random((2, topics, 400))
    ties = np.select([kind < 0.35, kind < 0.45], [size, -size])
    gains = (kind < 0.2) * 0.1
    differences = np.hstack([rng.normal(0.4, 1, (topics, 400)), ties, gains, 1 - np.exp(kind)])
    low, high = significance.mean_intervals(differences, level=level, resamples=999, seed=3, test=test)
    p = significance.p_values(differences, test or "randomisation", 999, 3, two_tailed=True)
    varying = np.ptp(differences, axis=0) > 0
    outside = (low > 0) | (high < 0)
    assert (outside == (p <= 1 - level + 1e-9))[varying].all() and 200 < outside.sum() < 1500
    assert np.isnan([low, high])[:, ~varying].all() and not np.isnan([low, high])[:, varying].any()


def test_intervals_are_of_the_means_of_subsets():
    """All subsets of up to 16 topics; of more topics the test's random ones and their complements."""
    x = np.random.default_rng(2).exponential(size=(8, 1))
    kept = [s for size in range(1, 9) for s in itertools.combinations(range(8), size)]
    means = sorted(np.mean([x[t] for t in subset]) for subset in kept)
    place = math.floor(2**8 * 0.025) - 1  # the empty subset counts as the lowest
    low, high = significance.mean_intervals(x)
    assert (low[0], high[0]) == pytest.approx((means[place], means[-1 - place]))
    x = np.random.default_rng(3).exponential(size=(20, 1))
    flips, exact = significance.flips_of(20, 99, 5)
    assert not exact
    means = sorted([x.mean(), *(x[row == side].mean() for row in flips for side in (0, 1))])
    low, high = significance.mean_intervals(x, level=0.9, resamples=99, seed=5)
    assert (low[0], high[0]) == pytest.approx(
        (means[9], means[-10])
    )  # 200 subsets with the empty one: 10 below


@pytest.mark.parametrize("test", significance.TESTS)
def test_there_is_no_interval_without_spread_or_without_a_possible_rejection(test):
    values = np.array([[0.3, 0.0, 0.1 * t] for t in range(5)])
    assert np.isnan(significance.mean_intervals(values[:1], test=test)).all()
    assert np.isnan(significance.mean_intervals(values, test=test))[:, :2].all()
    missing = np.isnan(significance.mean_intervals(values, test=test))[:, 2]
    assert missing.all() == (test in ("randomisation", "wilcoxon")), "2 / 2^5 is above 0.05"
    assert not np.isnan(significance.mean_intervals(np.vstack([values, values[:1]]), test=test))[:, 2].any()


@pytest.mark.parametrize("test", ["randomisation", "t-test"])
def test_intervals_hold_the_mean_as_often_as_they_say(test):
    rng = np.random.default_rng(6)
    low, high = significance.mean_intervals(rng.normal(0.1, 0.3, (12, 4000)), test=test)
    assert np.mean((low <= 0.1) & (high >= 0.1)) == pytest.approx(0.95, abs=0.012)
    values = rng.beta(2, 0.2, (12, 500))
    low, high = significance.mean_intervals(values)
    assert (low >= values.min(axis=0)).all() and (high <= values.max(axis=0)).all()


@pytest.mark.parametrize("test", significance.TESTS)
def test_pairs_in_any_order_and_any_blocks_have_the_same_p_values(test, monkeypatch):
    differences = random_scores(14, topics=40, systems=30).to_numpy() - 0.75
    probabilities = significance.p_values(differences, test, 500, 2, two_tailed=True)
    back = significance.p_values(differences[:, ::-1], test, 500, 2, two_tailed=True)
    assert back[::-1] == pytest.approx(probabilities, rel=1e-12)
    monkeypatch.setattr(significance, "BLOCK", 1500)  # three pairs at a time
    assert (
        significance.p_values(differences, test, 500, 2, two_tailed=True).tolist() == probabilities.tolist()
    )


def test_randomisation_by_chance_approaches_the_exact_value(monkeypatch):
    differences = random_scores(6, topics=14).to_numpy()[:, :2] - 0.75
    exact = significance.p_values(differences, "randomisation")
    monkeypatch.setattr(significance, "EXACT_TOPICS", 3)
    drawn = significance.p_values(differences, "randomisation", 20000, seed=1)
    assert drawn == pytest.approx(exact, abs=0.015) and (drawn != exact).any()


def test_holm_worked_example():
    """0.01, 0.02, 0.03, 0.04 of four: 0.04, max(0.04, 0.06), max(., 0.06), max(., 0.04)."""
    assert significance.holm(np.array([0.03, 0.01, 0.04, 0.02])) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert significance.holm(np.array([0.5, 0.9])) == pytest.approx([1.0, 1.0])
    untested = significance.holm(np.array([np.nan, 0.02]))  # a comparison without a p-value also counts
    assert untested == pytest.approx([np.nan, 0.04], nan_ok=True)


def test_score_table_pivots_and_refuses_gaps():
    rows = [("b", "2", "MAP", 0.1), ("b", "1", "MAP", 0.2), ("a", "2", "MAP", 0.3), ("a", "1", "MAP", 0.4)]
    per_topic = pd.DataFrame(rows, columns=["run", "topic", "name", "value"])
    table = score_table(per_topic, "MAP")
    assert table.columns.tolist() == ["b", "a"] and table.loc["1", "a"] == 0.4
    with pytest.raises(ValueError, match="MAP has no scores of a"):
        score_table(per_topic.iloc[:3], "MAP")


def test_limits_do_not_depend_on_the_order_in_which_topics_are_added():
    """Sums of values on a grid are exact, and the grid is far finer than the rounding of tables."""
    values = np.random.default_rng(1).random((100, 5)) - 0.3
    weights, order = significance.times_drawn(100, 500, 1), np.random.default_rng(2).permutation(100)
    on_grid = significance.on_grid(values)
    sums = np.tensordot(weights, on_grid, 1)
    assert (sums == np.tensordot(weights[:, order], on_grid[order], 1)).all()
    assert sums[3, 4] == math.fsum(weights[3] * on_grid[:, 4]) and np.abs(values - on_grid).max() < 1e-13
    assert (significance.on_grid(np.array([[3.0, 0.0], [1e6, 7.0]])) == [[3, 0], [1e6, 7]]).all()


def test_draws_in_parts_equal_draws_at_once(monkeypatch):
    monkeypatch.setattr(significance, "BLOCK", 100)
    drawn = np.random.default_rng(5).integers(0, 30, size=(50, 30))
    literal = [[np.count_nonzero(row == topic) for topic in range(30)] for row in drawn]
    assert significance.times_drawn(30, 50, 5).tolist() == literal
    flips, exact = significance.flips_of(30, 50, 5)
    assert flips.tolist() == np.random.default_rng(5).integers(0, 2, size=(50, 30)).tolist() and not exact


@pytest.mark.parametrize("two_tailed", [False, True])
def test_wilcoxon_against_all_signs_and_scipy(two_tailed):
    rng = np.random.default_rng(4)
    for topics in (1, 4, 9, 12):
        tied = rng.integers(-3, 4, (topics, 5)) / 4
        ranks = [stats.rankdata(np.abs(column[column != 0])) for column in tied.T]
        probabilities = significance.p_values(tied, "wilcoxon", two_tailed=two_tailed)
        for column, rank, p in zip(tied.T, ranks, probabilities, strict=True):
            observed = rank[column[column != 0] > 0].sum()
            sums = [
                sum(r for r, s in zip(rank, signs, strict=True) if s)
                for signs in itertools.product([0, 1], repeat=len(rank))
            ]
            above, below = (np.mean([np.sign(s - observed) != side for s in sums]) for side in (-1, 1))
            assert p == pytest.approx(min(1, 2 * min(above, below)) if two_tailed else above)
    smooth = rng.normal(0.3, 1, (40, 3))
    for column, p in zip(
        smooth.T, significance.p_values(smooth, "wilcoxon", two_tailed=two_tailed), strict=True
    ):
        alternative = "two-sided" if two_tailed else "greater"
        assert p == pytest.approx(stats.wilcoxon(column, alternative=alternative, method="exact").pvalue)


def test_the_interval_of_wilcoxon_contains_the_differences_that_its_test_keeps():
    rng = np.random.default_rng(5)
    for topics in (5, 6, 10, 30):
        values = rng.normal(0.2, 1, (topics, 4))
        low, high = significance.mean_intervals(values, test="wilcoxon")
        if topics == 5:
            assert np.isnan(low).all()  # no p is below 2 / 2^5
            continue
        for pair in range(4):
            for limit, side in ((low[pair], 1), (high[pair], -1)):
                inside, outside = (values[:, [pair]] - (limit + side * step) for step in (1e-6, -1e-6))
                assert significance.p_values(inside, "wilcoxon", two_tailed=True)[0] > 0.05
                assert significance.p_values(outside, "wilcoxon", two_tailed=True)[0] <= 0.05
