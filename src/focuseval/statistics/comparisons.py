"""Systems of a campaign compared: pair by pair under one measure, and all of them under its main measures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from focuseval.measures import ratios
from focuseval.model.arrays import Bools, Floats
from focuseval.statistics.means import column_means
from focuseval.statistics.paired import Method, cautions, differences, few_topics, systems
from focuseval.statistics.pooled import Pooled, of_runs, pooled_of, pooled_tables
from focuseval.statistics.significance import TESTS, Differences, holm, score_table

#: columns of each pair beside the p-values of every test
_OF_PAIRS = ("low", "high", "level", "effect_size", "wins", "ties", "losses", "carried_by")


#: how systems are compared unless something else is asked
ONE_TAILED = Method(one_tailed=True, correction="none", resamples=1000)


@dataclass(frozen=True, eq=False)
class Comparison:
    """S systems under one measure, compared pair by pair; systems stand in rank order."""

    labels: list[str]  #: (S,) how systems are called: their ranks, under this measure or another
    systems: pd.DataFrame  #: label, run, mean; low, high, level of the interval (`confidence_intervals`)
    topics: int
    #: by test, all of `focuseval.statistics.significance.TESTS`: p-values of the pairs, the higher ranked system
    #: first, in the order of `numpy.triu_indices`
    p_values: dict[str, Floats]
    adjusted: dict[
        str, Floats
    ]  #: the same after the correction for the number of pairs, if one was asked for
    alpha: float

    def significant(self, test: str) -> Bools:
        """Whether the higher ranked system of each pair improves significantly on the lower one."""
        return self.adjusted.get(test, self.p_values[test]) <= self.alpha

    def counts(self) -> pd.DataFrame:
        """Columns test, significant, pairs: how many of all pairs each test finds significant."""
        rows = [(test, int(self.significant(test).sum()), len(p)) for test, p in self.p_values.items()]
        return pd.DataFrame(rows, columns=["test", "significant", "pairs"])

    def pairs(self) -> pd.DataFrame:
        """A row for each pair, the higher ranked system first: labels, runs, difference of means, p-values.

        Columns higher, lower, higher_run, lower_run, difference, and by test p_TEST, and p_adjusted_TEST where p-values
        are adjusted for the number of pairs.
        """
        high, low = np.triu_indices(len(self.labels), k=1)
        mean, run = self.systems["mean"].to_numpy(), self.systems["run"].to_numpy()
        label = np.array(self.labels, dtype=object)
        columns = {"higher": label[high], "lower": label[low], "higher_run": run[high], "lower_run": run[low]}
        columns |= {"difference": mean[high] - mean[low]}
        columns |= {f"p_{test}": p for test, p in self.p_values.items()}
        return pd.DataFrame(columns | {f"p_adjusted_{test}": p for test, p in self.adjusted.items()})


def best_systems(
    scores: pd.DataFrame, top: int | None = None, pooled: Pooled | None = None, *, lower: bool = False
) -> list[str]:
    """The runs by decreasing mean, or the ``top`` first of them; equal means keep the order of the columns.

    By rising mean where a ``lower`` value is better. ``pooled`` has what was counted, where counts are added up over
    topics.
    """
    mean = column_means(scores.to_numpy(dtype=float)) if pooled is None else pooled.numbers
    return [str(scores.columns[i]) for i in np.argsort(mean if lower else -mean, kind="stable")[:top]]


def compare(
    scores: pd.DataFrame,
    ranking: Sequence[str] | None = None,
    *,
    method: Method = ONE_TAILED,
    pooled: Pooled | None = None,
    lower: bool = False,
) -> Comparison:
    """Compare systems under every test of `focuseval.statistics`.

    ``scores`` has a row per topic and a column per run. ``ranking`` names the runs to compare, the first is
    called 1; without it all runs are compared and called by their rank here. One-tailed tests ask whether the higher
    ranked system improves. Intervals of means hold what the ``method``'s own test does not reject
    (`confidence_intervals`). ``pooled`` has what was counted, in the same topics and runs, where counts are added up
    over topics: the t-test, which is one of means, then finds nothing. Where a ``lower`` value is better, the system
    with the lowest mean is ranked highest.

    A single run has no pair, and on a single topic nothing is significant: one tells nothing of others.
    """
    names = best_systems(scores, pooled=pooled, lower=lower) if ranking is None else list(ranking)
    number = {name: str(place) for place, name in enumerate(names, 1)}
    order = best_systems(scores[names], pooled=of_runs(pooled, scores, names), lower=lower)
    part, counted = scores[order], of_runs(pooled, scores, order)
    values = part.to_numpy(dtype=float)
    if np.isnan(values).any():
        raise ValueError("a system lacks a topic: tests compare systems topic by topic")
    high, low = np.triu_indices(len(order), k=1)
    more, less = (low, high) if lower else (high, low)
    pairs = (
        counted.differences(less, more)
        if counted
        else Differences.of_means(values[:, more] - values[:, less])
    )
    p_values = {
        test: pairs.p_values(
            test if len(values) > 1 else None, method.resamples, method.seed, two_tailed=not method.one_tailed
        )
        for test in TESTS
    }
    adjusted = {test: holm(p) for test, p in p_values.items()} if method.correction == "holm" else {}
    intervals = systems({"": part}, method, {"": counted} if counted else {})
    intervals = intervals.drop(columns="measure").assign(level=1 - method.alpha)
    labels = [number[name] for name in order]
    intervals.insert(0, "label", labels)
    return Comparison(labels, intervals, len(scores), p_values, adjusted, method.alpha)


def frames(compared: Comparison, test: str) -> dict[str, pd.DataFrame]:
    """A comparison as tables by name, decided by one test.

    systems: label, run, mean, low, high, level; counts: test, significant, pairs, topics; pairs as
    `Comparison.pairs`; matrix: a row for each system, with its rank and run, and a column, which is called by the rank:
    ``*`` where the row improves significantly on the column, ``-`` where it does not, and nothing on and below the
    diagonal.
    """
    labels = compared.labels
    cells = np.full((len(labels), len(labels)), "", dtype=object)
    cells[np.triu_indices(len(labels), k=1)] = np.where(compared.significant(test), "*", "-")
    matrix = pd.DataFrame(cells, columns=labels)
    matrix.insert(0, "rank", labels)
    matrix.insert(1, "run", compared.systems["run"])
    return {
        "systems": compared.systems,
        "counts": compared.counts().assign(topics=compared.topics),
        "pairs": compared.pairs(),
        "matrix": matrix,
    }


def compare_as_asked(
    scores: pd.DataFrame, asked: Mapping[str, Any], most: int = 10
) -> tuple[dict[str, pd.DataFrame], list[str]]:
    """The tables of `frames` for a comparison from its entry in a configuration, and what to be careful with.

    At most ``most`` differences that one topic carries are named; the others are counted.

    ``scores`` in the columns of `focuseval.scoring.score.Scores` and ``runs``; ``asked`` has runs, measure,
    ranked_by and settings (top, test, one_tailed, correction, alpha, resamples, seed), and ``pools``: the names of the
    ratios in `focuseval.measures.ratios` of those measures whose counts are added up over topics, by their names; and
    ``lower``: the measures of which a lower value is better.

    Of pairs the table has what `focuseval.statistics.paired.differences` says of the higher ranked system against the
    lower one, and the p-values of the other tests beside that of the chosen one (`Comparison.pairs`).

    Raises InputError for a t-test of such a measure.
    """
    pools = {name: getattr(ratios, pool) for name, pool in asked["pools"].items()}
    settings, measure, ranked_by = asked["settings"], asked["measure"], asked["ranked_by"]
    scores = scores[scores["runs"] == asked["runs"]]
    # topics are sorted, so that their order in a file does not change what is drawn
    ranking, table = (score_table(scores, name).sort_index() for name in (ranked_by, measure))
    counted = pooled_of(scores, ranking, ranked_by, pools)
    best = best_systems(ranking, settings["top"], counted, lower=ranked_by in asked["lower"])
    pooled = pooled_of(scores, table, measure, pools)
    names = ("test", "one_tailed", "correction", "resamples", "seed", "alpha")
    method = Method(**{name: settings[name] for name in names})
    compared = compare(table, best, method=method, pooled=pooled, lower=measure in asked["lower"])
    found = frames(compared, settings["test"])
    if len(best) < 2:
        return found, []
    upwards = [str(run) for run in reversed(compared.systems["run"])]
    counted = of_runs(pooled, table, upwards)
    rows = differences(
        {measure: table[upwards]},
        method=method if len(table) > 1 else replace(method, test=None),
        lower_is_better=asked["lower"],
        pooled={} if counted is None else {measure: counted},
    )
    keys = {"run": "higher_run", "baseline": "lower_run"}
    rows_of_pairs = rows.rename(columns=keys).assign(level=1 - method.alpha)
    shown = rows_of_pairs[[*keys.values(), *_OF_PAIRS]]
    found["pairs"] = found["pairs"].merge(shown, on=list(keys.values()), validate="one_to_one")
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
    scores = scores[scores["runs"] == comparison["runs"]]
    pools = {name: getattr(ratios, pool) for name, pool in comparison["pools"].items()}
    # topics are sorted, so that their order in a file does not change what is drawn
    tables = {name: score_table(scores, name).sort_index() for name in asked["measures"]}
    pooled = pooled_tables(scores, tables, pools)
    method = Method(resamples=settings["resamples"], seed=settings["seed"])
    lower = first in comparison["lower"]
    order = best_systems(tables[first], pooled=pooled.get(first), lower=lower)
    means = systems(tables, method, pooled)
    means.insert(0, "rank", means["run"].map({run: rank for rank, run in enumerate(order, 1)}))
    means = means.sort_values("rank", kind="stable", ignore_index=True)
    by_topic = tables[first][order]
    easiest = by_topic.mean(axis=1).sort_values(ascending=lower, kind="stable").index
    found = {
        "measures": means[["rank", "run", "measure", "mean", "low", "high"]],
        "topics": by_topic.loc[easiest].stack().rename("value").reset_index(),
    }
    if len(order) < 2:
        return found, few_topics(len(by_topic))
    if first not in pooled:
        found["best"] = how_often_best(by_topic, method, lower=lower)
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
