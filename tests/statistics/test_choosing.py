"""Criteria for choosing measures, against literal second implementations and in known limits."""

import math
from itertools import combinations, pairwise, permutations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from focuseval.statistics.choosing import (
    _halves,
    achieved_levels,
    agreement,
    discriminative_power,
    sizes_of,
    stability,
    topics_needed,
)
from focuseval.statistics.correlations import kendall
from focuseval.statistics.significance import times_drawn


def table(rng, topics, runs, steps=6):
    """Return values with ties."""
    values = rng.integers(0, steps, (topics, runs)) / steps
    return pd.DataFrame(
        values, index=[f"t{i}" for i in range(topics)], columns=[f"r{i}" for i in range(runs)]
    )


# ------------------------------------------------------------------------------- discriminative power


def randomisation_literally(differences):
    """Return the share of all 2^n assignments of signs whose sum is at least as far from 0."""
    n, seen = len(differences), 0
    for number in range(2**n):
        total = sum(d if number >> i & 1 else -d for i, d in enumerate(differences))
        seen += abs(total) / n >= abs(sum(differences)) / n - 1e-12
    return seen / 2**n


def test_achieved_levels_are_those_of_every_pair_by_itself():
    values = table(np.random.default_rng(1), 7, 5)
    levels = achieved_levels({"m": values}, tests=["randomisation"])
    literally = {
        (a, b): randomisation_literally((values[a] - values[b]).tolist()) for a, b in combinations(values, 2)
    }
    assert dict(
        zip(zip(levels["run"], levels["other"], strict=True), levels["p"], strict=True)
    ) == pytest.approx(literally)
    assert levels["p"].is_monotonic_increasing and levels["place"].tolist() == list(range(1, 11))
    for alpha in (0.01, 0.05, 0.3):
        power = discriminative_power(levels, alpha)
        assert power["pairs"].tolist() == [10]
        assert power["told_apart"][0] == sum(p <= alpha for p in literally.values()) / 10


def test_equal_systems_never_differ_and_distant_ones_always_do():
    rng = np.random.default_rng(2)
    values = table(rng, 30, 1)
    same = pd.concat([values["r0"].rename(f"r{i}") for i in range(4)], axis=1)
    apart = pd.DataFrame({f"r{i}": values["r0"] + 10 * i for i in range(4)})
    power = discriminative_power(achieved_levels({"same": same, "apart": apart}, resamples=200))
    assert power.groupby("measure")["told_apart"].agg(list).to_dict() == {"same": [0, 0], "apart": [1, 1]}
    assert power["test"].tolist() == ["bootstrap", "randomisation"] * 2


# ------------------------------------------------------------------------------------------ stability


def test_stability_is_that_of_each_split_by_itself():
    values = table(np.random.default_rng(3), 13, 6)
    splits = stability({"m": values}, splits=20, seed=4)
    assert splits["topics"].tolist() == [5, 6]
    for row in splits.itertuples():
        swaps, taus = [], []
        for one, other in zip(*_halves(13, row.topics, 20, 4), strict=True):
            assert one.sum() == other.sum() == row.topics and not (one * other).any()
            a, b = (values[part.astype(bool)].mean().round(12) for part in (one, other))
            for first, second in combinations(values, 2):
                swaps.append((a[first] - a[second]) * (b[first] - b[second]) < 0)
            taus.append(kendall(a, b).coefficient)
        assert row.swap_rate == pytest.approx(np.mean(swaps))
        assert row.tau == pytest.approx(np.nanmean(taus))
        assert (row.low, row.high) == pytest.approx(tuple(np.nanquantile(taus, [0.025, 0.975])))


def test_the_same_differences_on_all_topics_are_stable_at_once_and_noise_never_is():
    rng = np.random.default_rng(5)
    steady = pd.DataFrame(np.tile(np.arange(6.0), (40, 1)), columns=[f"r{i}" for i in range(6)])
    noise = pd.DataFrame(rng.random((40, 6)), columns=steady.columns)
    splits = stability({"steady": steady, "noise": noise})
    needed = topics_needed(splits).set_index("measure")
    assert needed.loc["steady"].tolist() == [5, 5, 20]
    assert needed.loc["noise", ["by_swaps", "by_tau"]].isna().all()
    of_noise = splits[splits["measure"] == "noise"]
    assert of_noise["swap_rate"].min() > 0.4 and of_noise["tau"].max() < 0.2


def test_the_needed_topics_are_the_first_number_after_which_all_suffice():
    splits = pd.DataFrame(
        {"measure": "m", "topics": [5, 10, 15], "swap_rate": [0.01, 0.06, 0.05], "tau": [0.1, 0.2, 0.89]}
    )
    assert topics_needed(splits).iloc[0, 1:].tolist() == pytest.approx([15, np.nan, 15], nan_ok=True)


def test_sizes_of_disjoint_sets():
    assert [sizes_of(n) for n in (0, 1, 3, 10, 24, 36)] == [[], [], [1], [5], [5, 10, 12], [5, 10, 15, 18]]


# ------------------------------------------------------------------------------------------ agreement


def literal_tau_ap(truth, estimate):
    """Return Eq. 2 of Yilmaz et al. (2008), averaged over the strict orders of the estimate; true ties count 1/2."""
    n, coefficients = len(truth), []
    for order in permutations(range(n)):
        if all(estimate[a] >= estimate[b] for a, b in pairwise(order)):
            right = [
                sum((truth[j] > truth[i]) + 0.5 * (truth[j] == truth[i]) for j in order[:rank]) / rank
                for rank, i in enumerate(order)
                if rank
            ]
            coefficients.append(2 * sum(right) / (n - 1) - 1)
    return float(np.mean(coefficients))


def test_tau_ap_worked_example():
    """Truth a b c d, estimate b a c d: C = 0, 2, 3 at ranks 2, 3, 4: 2/3 (0 + 1 + 1) - 1 = 1/3."""
    assert literal_tau_ap(np.array([4, 3, 2, 1]), np.array([3, 4, 2, 1])) == pytest.approx(1 / 3)


def test_agreement_is_that_of_each_resample_by_itself():
    rng = np.random.default_rng(7)
    tables = {name: table(rng, 6, 5) for name in "abc"}
    agreements = agreement(tables, resamples=20, seed=8).set_index(["measure", "other"])
    assert len(agreements) == 6
    weights = times_drawn(6, 20, 8) / 6
    for (one, other), row in agreements.iterrows():
        truth, estimate = (tables[name].to_numpy() for name in (one, other))
        means = [(truth.mean(axis=0), estimate.mean(axis=0)), *((w @ truth, w @ estimate) for w in weights)]
        pairs = [(a.round(12), b.round(12)) for a, b in means]
        for name, of in (("tau", lambda a, b: kendall(a, b).coefficient), ("tau_ap", literal_tau_ap)):
            drawn = [of(*pair) if np.ptp(pair[0]) and np.ptp(pair[1]) else np.nan for pair in pairs]
            assert row[name] == pytest.approx(drawn[0])
            tail = 100 * stats.norm.cdf(-stats.t.ppf(0.975, 5) * math.sqrt(6 / 5))
            limits = np.nanpercentile(drawn[1:], [tail, 100 - tail])
            assert row[[f"{name}_low", f"{name}_high"]].tolist() == pytest.approx(limits.tolist())


def test_a_measure_agrees_with_itself_and_disagrees_with_its_opposite():
    values = pd.DataFrame(np.random.default_rng(9).random((8, 7)))
    table = agreement({"m": values, "twice": 2 * values, "less": -values, "none": 0 * values}).set_index(
        ["measure", "other"]
    )
    assert table.loc[("m", "twice")].tolist() == pytest.approx([1] * 6)
    assert table.loc[("m", "less"), ["tau", "tau_ap"]].tolist() == pytest.approx([-1, -1])
    turned = agreement(
        {"m": values, "twice": 2 * values, "less": -values, "none": 0 * values}, lower=["less"]
    )
    assert turned.set_index(["measure", "other"]).loc[("m", "less")].tolist() == pytest.approx([1] * 6)
    assert table.loc[("m", "none")].isna().all() and table.loc[("none", "m")].isna().all()
    single = agreement({"m": values[:1], "less": -values[:1]}).set_index(["measure", "other"])
    assert single["tau"].tolist() == [-1, -1] and single.drop(columns=["tau", "tau_ap"]).isna().all(axis=None)
