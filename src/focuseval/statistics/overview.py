"""A campaign's own systems under its main measures: means with intervals, topic by topic, and which of them differ."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from focuseval.measures import ratios
from focuseval.statistics.comparisons import best_systems, compare_as_asked
from focuseval.statistics.paired import Method, few_topics, systems
from focuseval.statistics.pooled import pooled_tables
from focuseval.statistics.significance import score_table

#: differences that one topic carries, as many as are named: the table of pairs has all
_MOST_CARRIED = 3


def scored(asked: Mapping[str, Any], scores: pd.DataFrame) -> dict[str, Any]:
    """What `overview` takes of what was asked: without the measures that could not be computed."""
    known = set(scores["name"].astype(str).unique())
    return {**asked, "measures": [measure for measure in asked["measures"] if measure in known]}


def overview(scores: pd.DataFrame, asked: Mapping[str, Any]) -> tuple[dict[str, pd.DataFrame], list[str]]:
    """The tables of a campaign's systems by name, and what to be careful with.

    ``scores`` in the columns of `focuseval.scoring.score.Scores` and ``runs``; ``asked`` has measures, those that were
    scored, and comparison, what `focuseval.statistics.comparisons.compare_as_asked` takes: the systems are compared
    and ranked under the first measure. The tables are those of that function, if there are two systems or more, and

    measures
        rank, run, measure, mean, low, high: a row for each system under each measure, with the limits of its 95 %
        interval (`mean_intervals`), in the order of the first measure;
    topics
        topic, run, value: every system in that order on every topic, under the first measure; the topic with the
        highest mean over systems stands first;
    best
        run, share: in how many bootstrap resamples of the topics each system has the highest mean under the first
        measure (`how_often_best`); none of measures whose counts are added up over topics.

    There are none where no measure was scored.
    """
    if not asked["measures"]:
        return {}, ["no topic has anything relevant under any of the measures"]
    first, *_ = asked["measures"]
    settings = asked["comparison"]["settings"]
    comparison = {**asked["comparison"], "measure": first, "ranked_by": first}
    scores = scores[scores["runs"] == comparison["runs"]]
    pools = {name: getattr(ratios, pool) for name, pool in comparison["pools"].items()}
    # topics are sorted, so that their order in a file does not change what is drawn
    tables = {name: score_table(scores, name).sort_index() for name in asked["measures"]}
    pooled = pooled_tables(scores, tables, pools)
    method = Method(resamples=settings["resamples"], seed=settings["seed"])
    order = best_systems(tables[first], pooled=pooled.get(first))
    means = systems(tables, method, pooled)
    means.insert(0, "rank", means["run"].map({run: rank for rank, run in enumerate(order, 1)}))
    means = means.sort_values("rank", kind="stable", ignore_index=True)
    by_topic = tables[first][order]
    easiest = by_topic.mean(axis=1).sort_values(ascending=False, kind="stable").index
    found = {
        "measures": means[["rank", "run", "measure", "mean", "low", "high"]],
        "topics": by_topic.loc[easiest].stack().rename("value").reset_index(),
    }
    if len(order) < 2:
        return found, few_topics(len(by_topic))
    if first not in pooled:
        found["best"] = how_often_best(by_topic, method)
    compared, cautions = compare_as_asked(scores, comparison, _MOST_CARRIED)
    return found | compared, cautions or few_topics(len(by_topic))


def how_often_best(values: pd.DataFrame, method: Method) -> pd.DataFrame:
    """In which share of the bootstrap resamples of topics each run has the highest mean; columns run and share.

    ``values`` has a row for each topic and a column for each run. Runs with the same highest mean share a resample, so
    that shares add up to 1.
    """
    topics = len(values)
    draws = np.random.default_rng(method.seed).multinomial(topics, [1 / topics] * topics, method.resamples)
    means = draws @ values.to_numpy(dtype=float)
    first = means == means.max(axis=1, keepdims=True)
    share = (first / first.sum(axis=1, keepdims=True)).mean(axis=0)
    return pd.DataFrame({"run": values.columns, "share": share})
