"""Systems of a campaign compared: pair by pair under one measure, and all of them under its main measures."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from focuseval.measures import ratios
from focuseval.statistics.paired import Method, cautions, differences, few_topics, systems
from focuseval.statistics.score_table import ScoreTable, score_tables
from focuseval.statistics.significance import TESTS, holm

#: how systems are compared unless something else is asked
ONE_TAILED = Method(one_tailed=True, correction="none", resamples=1000)

#: columns of each pair beside the p-values of every test
_OF_PAIRS = ["low", "high", "level", "effect_size", "wins", "ties", "losses", "carried_by"]


def compare(
    table: ScoreTable,
    ranking: Sequence[str] | None = None,
    *,
    method: Method = ONE_TAILED,
    test: str | None = None,
) -> dict[str, pd.DataFrame]:
    """Systems under one measure, compared pair by pair under every test of `focuseval.statistics`, as tables by name.

    ``ranking`` names the runs to compare, the first is called 1; without it all runs are compared and called by their
    rank here. Systems stand in rank order under this measure. One-tailed tests ask whether the higher ranked system
    improves.

    systems
        label (the rank), run, mean; low, high, level of the interval, which holds what the ``method``'s own test does
        not reject;
    counts
        test, significant, pairs, topics: how many of all pairs each test finds significant;
    pairs
        higher, lower, higher_run, lower_run, difference, and by test p_TEST, and p_adjusted_TEST where p-values are
        adjusted for the number of pairs: a row for each pair, the higher ranked system first, in the order of
        `numpy.triu_indices`;
    matrix
        a row for each system, with its rank and run, and a column, which is called by the rank: ``*`` where the row
        improves significantly on the column by ``test`` (that of the method if not given), ``-`` where it does not, and
        nothing on and below the diagonal.

    A single run has no pair, and on a single topic nothing is significant: one tells nothing of others. Where counts
    are added up over topics, the t-test, which is one of means, finds nothing.
    """
    names = table.ranked if ranking is None else list(ranking)
    number = {name: str(place) for place, name in enumerate(names, 1)}
    table = table.among(names)
    order = table.ranked
    table = table.among(order)
    if table.values.isna().to_numpy().any():
        raise ValueError("a system lacks a topic: tests compare systems topic by topic")
    high, low = np.triu_indices(len(order), k=1)
    pairs = table.differences(low, high)
    pairs = pairs.turned() if table.lower else pairs
    topics, tails = len(table.values), not method.one_tailed
    p_values = {
        name: pairs.p_values(name if topics > 1 else None, method.resamples, method.seed, two_tailed=tails)
        for name in TESTS
    }
    adjusted = {name: holm(p) for name, p in p_values.items()} if method.correction == "holm" else {}
    significant = {name: adjusted.get(name, p) <= method.alpha for name, p in p_values.items()}
    labels = np.array([number[name] for name in order], dtype=object)
    run, mean = np.array(order, dtype=object), table.numbers
    cells = np.full((len(order), len(order)), "", dtype=object)
    cells[high, low] = np.where(significant[test or str(method.test)], "*", "-")
    intervals = systems({"": table}, method).drop(columns="measure").assign(level=1 - method.alpha)
    intervals.insert(0, "label", labels)
    found = {"higher": labels[high], "lower": labels[low], "higher_run": run[high], "lower_run": run[low]}
    found |= {"difference": mean[high] - mean[low]}
    found |= {f"p_{name}": p for name, p in p_values.items()}
    return {
        "systems": intervals,
        "counts": pd.DataFrame(
            [(name, int(each.sum()), len(each), topics) for name, each in significant.items()],
            columns=["test", "significant", "pairs", "topics"],
        ),
        "pairs": pd.DataFrame(found | {f"p_adjusted_{name}": p for name, p in adjusted.items()}),
        "matrix": pd.DataFrame({"rank": labels, "run": run} | dict(zip(labels, cells.T, strict=True))),
    }


def _tables(
    scores: pd.DataFrame, comparison: Mapping[str, Any], names: Iterable[str]
) -> dict[str, ScoreTable]:
    """The scores of the runs of a comparison under measures by their names."""
    pools = {name: getattr(ratios, pool) for name, pool in comparison["pools"].items()}
    return score_tables(scores[scores["runs"] == comparison["runs"]], names, pools, comparison["lower"])


def compare_as_asked(
    scores: pd.DataFrame, asked: Mapping[str, Any], most: int = 10
) -> tuple[dict[str, pd.DataFrame], list[str]]:
    """The tables of `compare` for a comparison from its entry in a configuration, and what to be careful with.

    At most ``most`` differences that one topic carries are named; the others are counted.

    ``scores`` in the columns of `focuseval.scoring.score.Scores` and ``runs``; ``asked`` has runs, measure,
    ranked_by and settings (top, test, one_tailed, correction, alpha, resamples, seed), and ``pools``: the names of the
    ratios in `focuseval.measures.ratios` of those measures whose counts are added up over topics, by their names; and
    ``lower``: the measures of which a lower value is better.

    Of pairs the table has what `focuseval.statistics.paired.differences` says of the higher ranked system against the
    lower one, and the p-values of the other tests beside that of the chosen one.

    Raises InputError for a t-test of a measure whose counts are added up.
    """
    settings, measure = asked["settings"], asked["measure"]
    tables = _tables(scores, asked, {asked["ranked_by"], measure})
    names = ("test", "one_tailed", "correction", "resamples", "seed", "alpha")
    method = Method(**{name: settings[name] for name in names})
    best = tables[asked["ranked_by"]].ranked[: settings["top"]]
    found = compare(tables[measure], best, method=method)
    if len(best) < 2:
        return found, []
    table = tables[measure].among(found["systems"]["run"].tolist())
    rows = differences(
        {measure: table},
        method=method if len(table.values) > 1 else replace(method, test=None),
        pairs=list(zip(found["pairs"]["lower_run"], found["pairs"]["higher_run"], strict=True)),
    )
    found["pairs"] = pd.concat([found["pairs"], rows.assign(level=1 - method.alpha)[_OF_PAIRS]], axis=1)
    return found, cautions(rows, method, most)


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
        best mean over systems stands first;
    best
        run, share: in how many bootstrap resamples of the topics each system has the best mean under the first
        measure (`how_often_best`); none of measures whose counts are added up over topics.

    There are none where no measure was scored.
    """
    if not asked["measures"]:
        return {}, ["no topic has anything relevant under any of the measures"]
    first, *_ = asked["measures"]
    settings = asked["comparison"]["settings"]
    comparison = {**asked["comparison"], "measure": first, "ranked_by": first}
    tables = _tables(scores, comparison, asked["measures"])
    method = Method(resamples=settings["resamples"], seed=settings["seed"])
    table = tables[first].among(tables[first].ranked)
    means = systems(tables, method)
    means.insert(0, "rank", means["run"].map({run: rank for rank, run in enumerate(table.runs, 1)}))
    means = means.sort_values("rank", kind="stable", ignore_index=True)
    by_topic = table.values
    easiest = by_topic.mean(axis=1).sort_values(ascending=table.lower, kind="stable").index
    found = {
        "measures": means[["rank", "run", "measure", "mean", "low", "high"]],
        "topics": by_topic.loc[easiest].stack().rename("value").reset_index(),
    }
    if len(table.runs) < 2:
        return found, few_topics(len(by_topic))
    if table.counts is None:
        found["best"] = how_often_best(by_topic, method, lower=table.lower)
    compared, cautions = compare_as_asked(scores, comparison, _MOST_CARRIED)
    return found | compared, cautions or few_topics(len(by_topic))


def how_often_best(values: pd.DataFrame, method: Method, *, lower: bool = False) -> pd.DataFrame:
    """In which share of the bootstrap resamples of topics each run has the best mean; columns run and share.

    The best is the highest, or the lowest where a ``lower`` value is better. ``values`` has a row for each topic and a
    column for each run. Runs with the same best mean share a resample, so that shares add up to 1.
    """
    topics = len(values)
    draws = np.random.default_rng(method.seed).multinomial(topics, [1 / topics] * topics, method.resamples)
    means = draws @ values.to_numpy(dtype=float)
    best = means.min if lower else means.max
    first = means == best(axis=1, keepdims=True)
    share = (first / first.sum(axis=1, keepdims=True)).mean(axis=0)
    return pd.DataFrame({"run": values.columns, "share": share})
