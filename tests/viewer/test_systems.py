"""Facts about runs in the page are those of `focuseval compare`, for any baseline."""

import numpy as np
import pytest

import focuseval
from focuseval.viewer.systems import MOST_BASELINES

from .campaigns import random_campaign, view_of


@pytest.mark.parametrize("measures", [["AiP", "over_prediction"], ["char_recall(average=micro)", "IoU"]])
def test_every_baseline_is_compared_as_by_compare(measures):
    campaign = {**random_campaign(3), "measures": measures}
    core = view_of(campaign, resamples=500, seed=4).contents.core
    inputs = {key: campaign[key] for key in ("gold", "runs", "texts")}
    measure_names = [one["name"] for one in core["asked"]]
    rows = focuseval.compare(measures, **inputs, resamples=500, seed=4).to_frame()
    adjusted = {
        (row.measure, frozenset([row.run, row.baseline])): row.p_adjusted for row in rows.itertuples()
    }
    checked = 0
    for at, baseline in enumerate(core["runs"]):
        rows = focuseval.compare(measures, **inputs, baseline=baseline, resamples=500, seed=4).to_frame()
        for row in rows.itertuples():
            of, r = core["measures"][row.measure], core["runs"].index(row.run)
            pairs = {key: of["pairs"][key][at][r] for key in of["pairs"]}
            assert of["mean"][r] - of["mean"][at] == pytest.approx(row.difference, abs=2e-6)
            limits = np.array(
                [pairs["low"], pairs["high"]], dtype=float
            )  # None if runs are equal on all topics
            assert limits == pytest.approx(np.array([row.low, row.high]), abs=1e-6, nan_ok=True)
            assert pairs["p"] == pytest.approx(row.p, rel=1e-3)
            of_all = adjusted[row.measure, frozenset([row.run, row.baseline])]
            assert pairs["adjusted"] == pytest.approx(of_all, rel=1e-3)
            assert (pairs["wins"], pairs["losses"]) == (row.wins, row.losses)
            checked += 1
    assert checked == 2 * 3 * 2 and measure_names == [*core["measures"]]
    assert (
        core["tested"] == 3 and "Holm's correction for the 3 pairs of runs of each measure" in core["method"]
    )


def test_means_and_values_are_those_of_score():
    campaign = random_campaign(8)
    core = view_of(campaign, resamples=100).contents.core
    inputs = {key: campaign[key] for key in ("gold", "runs", "texts")}
    with pytest.warns(focuseval.InputWarning):
        scores = focuseval.score(campaign["measures"], **inputs, per_topic=True)
    for row in scores.itertuples():
        of, r = core["measures"][row.measure], core["runs"].index(row.run)
        topics = [topic["name"] for topic in core["topics"]]
        in_page = of["mean"][r] if row.topic == "all" else of["values"][r][topics.index(row.topic)]
        assert in_page == pytest.approx(row.value, abs=1e-6)


def test_few_topics_are_reported():
    few, enough = (view_of(random_campaign(1, topics), resamples=20).contents.core for topics in (24, 25))
    assert [line[:32] for line in few["measures"]["AiP"]["careful"]] == ["there are fewer than 25 topics ("]
    assert enough["measures"]["AiP"]["careful"] == []


def test_one_run_or_one_topic_is_compared_with_nothing():
    alone = view_of(random_campaign(1, runs=1)).contents.core
    assert alone["baselines"] == [] and "pairs" not in alone["measures"]["AiP"]
    one = view_of(random_campaign(1, topics=1)).contents.core
    assert one["baselines"] == [] and one["measures"]["AiP"]["low"] == [None] * 3


def test_of_very_many_runs_the_best_two_or_the_requested_one_are_baselines():
    campaign = random_campaign(2, topics=3, results=2, runs=MOST_BASELINES + 1)
    core = view_of({**campaign, "measures": ["AiP"]}, resamples=50).contents.core
    *_, second, best = np.argsort(core["measures"]["AiP"]["mean"], kind="stable").tolist()
    assert core["baseline"] == second and core["tested"] == 2 * MOST_BASELINES - 1
    assert core["baselines"] == sorted([best, second])
    requested = view_of({**campaign, "measures": ["AiP"]}, resamples=50, baseline="run 7").contents.core
    seventh = core["runs"].index("run 7")
    assert requested["baselines"] == sorted([best, seventh]) and requested["baseline"] == seventh
    assert requested["measures"]["AiP"]["pairs"]["p"][requested["baselines"].index(seventh)][seventh] is None
