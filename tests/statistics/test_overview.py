"""A campaign's own systems: means and intervals by hand, values by topic, few runs and few topics."""

import numpy as np
import pandas as pd
import pytest

from focuseval.statistics.comparisons import (
    Method,
    compare_as_asked,
    how_often_best,
    overview,
    scored,
    systems,
)
from focuseval.statistics.score_table import ScoreTable, score_table
from focuseval_papers.workflow.campaign_settings import ComparisonSettings
from tests.papers.materials import scores

FIRST, SECOND = "MAep", "nxCG@10"


def request(*measures, top=30, resamples=400, lower=()):
    entry = ComparisonSettings(name="systems", measure=measures[0], top=top, resamples=resamples)
    return {
        "measures": list(measures),
        "heading": "Mine",
        "comparison": {
            **{"name": "systems", "runs": "runs", "measure": measures[0], "ranked_by": measures[0]},
            **{"settings": entry.model_dump(mode="json"), "pools": {}, "lower": lower},
            **{"remarks": (), "size": None},
        },
    }


def table(runs, topics, seed=1):
    rng = np.random.default_rng(seed)
    return scores(
        (f"run{run}", f"t{topic}", measure, float(rng.beta(1 + run, 4)))
        for run in range(runs)
        for topic in range(topics)
        for measure in (FIRST, SECOND)
    )


@pytest.mark.parametrize("seed", range(3))
def test_means_are_those_of_a_loop_over_rows(seed):
    rows = table(5, 27, seed)
    frames, cautions = overview(rows, request(FIRST, SECOND))
    values = {}
    for row in rows.to_dict("records"):
        values.setdefault((row["run"], row["name"]), []).append(row["value"])
    means = frames["measures"]
    for row in means.to_dict("records"):
        assert row["mean"] == pytest.approx(sum(values[row["run"], row["measure"]]) / 27)
        assert row["low"] <= row["mean"] <= row["high"]
    assert len(means) == len(values) == 10
    of_first = means[means["measure"] == FIRST]
    assert of_first["rank"].tolist() == [1, 2, 3, 4, 5] and of_first["mean"].is_monotonic_decreasing
    assert (means.groupby("run")["rank"].nunique() == 1).all()  # the rank is the same under both measures
    alone = {SECOND: ScoreTable(score_table(rows, SECOND).sort_index())}
    intervals = systems(alone, Method(resamples=400)).set_index("run")
    of_second = means[means["measure"] == SECOND].set_index("run")
    pd.testing.assert_frame_equal(of_second[["low", "high"]], intervals.loc[of_second.index, ["low", "high"]])
    assert not any("topics:" in caution for caution in cautions)


def test_runs_without_a_value_under_the_first_measure_come_last():
    rows = table(4, 12)
    lost = (rows["run"] == "run3") & (rows["name"] == FIRST)
    frames, _ = overview(rows[~lost], request(FIRST, SECOND))
    last = frames["measures"].query("rank == 4")
    assert last[["run", "measure"]].to_numpy().tolist() == [["run3", SECOND]]
    assert len(frames["systems"]) == 3 and frames["measures"]["rank"].notna().all()


def test_topics_are_sorted_from_the_easiest_and_runs_keep_their_order():
    rows = table(3, 12)
    frames, _ = overview(rows, request(FIRST, SECOND))
    topics = frames["topics"]
    wide = topics.pivot(index="topic", columns="run", values="value").loc[topics["topic"].unique()]
    assert wide.mean(axis=1).is_monotonic_decreasing
    first = frames["measures"].query("measure == @FIRST")["run"].tolist()
    assert topics["run"].tolist() == first * 12
    values_of_first = rows[rows["name"] == "MAep"].set_index(["run", "topic"])["value"]
    for row in topics.to_dict("records"):
        assert row["value"] == values_of_first[row["run"], row["topic"]]


def test_the_best_of_many_are_compared():
    frames, _ = overview(table(6, 30), request(FIRST, SECOND, top=3))
    assert frames["measures"]["run"].nunique() == 6
    best = frames["measures"].query("measure == @FIRST")["run"].tolist()[:3]
    assert frames["systems"]["run"].tolist() == best and len(frames["pairs"]) == 3
    assert frames["systems"]["label"].tolist() == ["1", "2", "3"]


def test_lower_is_better_mirrors_higher_is_better():
    rows = table(6, 30)
    name = "over_prediction"
    turned = scores((r.run, r.topic, name, 1 - r.value) for r in rows.itertuples() if r.name == FIRST)
    higher, cautions = overview(rows, request(FIRST, top=4))
    lower, same = overview(turned, request(name, top=4, lower=[name]))
    assert lower.keys() == higher.keys()
    for frame, column in (("measures", "run"), ("measures", "rank"), ("topics", "topic"), ("topics", "run")):
        assert lower[frame][column].tolist() == higher[frame][column].tolist()
    pd.testing.assert_frame_equal(lower["best"], higher["best"])
    assert lower["systems"]["mean"].is_monotonic_increasing
    for frame, measured in (("matrix", []), ("counts", []), ("systems", ["mean", "low", "high"])):
        pd.testing.assert_frame_equal(*(of[frame].drop(columns=measured) for of in (lower, higher)))
    measured = ["difference", "low", "high", "effect_size"]
    pd.testing.assert_frame_equal(*(of["pairs"].drop(columns=measured) for of in (lower, higher)))
    of_lower, of_higher = (of["pairs"][measured].to_numpy() for of in (lower, higher))
    np.testing.assert_allclose(of_lower, -of_higher[:, [0, 2, 1, 3]])
    assert [line.partition(", ")[0] for line in same] == [line.partition(", ")[0] for line in cautions]
    ranked = {**request(name, top=2, lower=[name])["comparison"], "ranked_by": name, "measure": FIRST}
    both = pd.concat([rows, turned])
    assert (
        compare_as_asked(both, ranked)[0]["systems"]["run"].tolist() == higher["systems"]["run"].tolist()[:2]
    )


def test_few_topics_and_single_runs_are_reported():
    frames, cautions = overview(table(1, 3), request(FIRST))
    assert set(frames) == {"measures", "topics"}
    (line,) = cautions
    assert line.startswith(
        "there are fewer than 25 topics (3), so other topics may change the result; with 3 topics, a randomisation"
    )
    assert frames["measures"][["low", "high"]].isna().all(axis=None)
    frames, cautions = overview(table(1, 25), request(FIRST))
    assert cautions == []
    frames, cautions = overview(table(2, 1), request(FIRST))
    assert frames["measures"][["low", "high"]].isna().all(axis=None)
    assert cautions[0].startswith("there are fewer than 25 topics (1), ")
    assert overview(table(3, 24), request(FIRST))[1][0].startswith("there are fewer than 25 topics (24), ")


def test_a_topic_that_explains_many_differences_is_reported_for_the_first_ones():
    rows = [
        (f"run{run}", f"t{topic}", FIRST, 0.1 * run if topic == 0 else 0.5)
        for run in range(5)
        for topic in range(30)
    ]
    frames, cautions = overview(scores(rows), request(FIRST))
    assert (frames["pairs"]["carried_by"] == "t0").all() and len(frames["pairs"]) == 10
    assert sum("topic t0 alone explains" in caution for caution in cautions) == 3
    assert cautions[-1] == "one topic alone explains each of 7 more differences"


def test_measures_that_were_not_scored_are_left_out():
    rows = table(2, 5)
    assert scored(request("precall", SECOND), rows)["measures"] == [SECOND]
    frames, _ = overview(rows, scored(request("precall", SECOND), rows))
    assert frames["measures"]["measure"].unique().tolist() == [SECOND]
    assert frames["pairs"]["p_randomisation"].notna().all()  # runs are compared under the next measure
    nothing, cautions = overview(rows, scored(request("precall"), rows))
    assert nothing == {} and cautions == ["no topic has relevant content under any measure"]


def test_how_often_a_run_is_best_is_counted_over_resamples_of_topics():
    method = Method(resamples=4000, seed=1)
    values = pd.DataFrame({"a": [1.0, 0.5, 0.75], "b": [0.5, 0.25, 0.5], "same": [1.0, 0.5, 0.75]})
    shares = how_often_best(values, method).set_index("run")["share"]
    assert shares.to_dict() == {"a": 0.5, "b": 0.0, "same": 0.5}
    one = pd.DataFrame({"a": [1.0, 0.0, 0.0], "b": [0.0, 0.25, 0.25]})
    shares = how_often_best(one, method).set_index("run")["share"]
    # b is best if the first topic is never drawn, with (2/3)^3; drawn once, it gives a 1, and b has at most 0.5
    assert shares["b"] == pytest.approx(8 / 27, abs=0.02) and shares.sum() == pytest.approx(1)
