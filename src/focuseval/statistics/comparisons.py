"""Which systems of a campaign differ: rank order, confidence intervals, and every pair under every test."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from focuseval.measures import ratios
from focuseval.model.arrays import Bools, Floats
from focuseval.statistics.means import column_means
from focuseval.statistics.paired import Method, cautions, differences
from focuseval.statistics.pooled import Pooled, pooled_of
from focuseval.statistics.significance import (
    TESTS,
    Differences,
    confidence_intervals,
    holm,
    score_table,
)

#: columns of each pair beside the p-values of every test
_OF_PAIRS = ("low", "high", "level", "effect_size", "wins", "ties", "losses", "carried_by")


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


def best_systems(scores: pd.DataFrame, top: int | None = None, pooled: Pooled | None = None) -> list[str]:
    """The runs by decreasing mean, or the ``top`` first of them; equal means keep the order of the columns.

    ``pooled`` has what was counted, where counts are added up over topics.
    """
    mean = column_means(scores.to_numpy(dtype=float)) if pooled is None else pooled.numbers
    return [str(scores.columns[i]) for i in np.argsort(-mean, kind="stable")[:top]]


def compare(
    scores: pd.DataFrame,
    ranking: Sequence[str] | None = None,
    *,
    alpha: float = 0.05,
    resamples: int = 1000,
    seed: int = 0,
    correct: bool = False,
    two_tailed: bool = False,
    intervals_of: str = "randomisation",
    pooled: Pooled | None = None,
) -> Comparison:
    """Compare systems under every test of `focuseval.statistics`.

    ``scores`` has a row per topic and a column per run. ``ranking`` names the runs to compare, the first is
    called 1; without it all runs are compared and called by their rank here. Tests are one-tailed (does the
    higher ranked system improve?) unless ``two_tailed``; ``correct`` adjusts for the number of pairs after Holm.
    Intervals of means hold what the test ``intervals_of`` does not reject (`confidence_intervals`).
    ``pooled`` has what was counted, in the same topics and runs, where counts are added up
    over topics: the t-test, which is one of means, then finds nothing.

    A single run has no pair, and on a single topic nothing is significant: one tells nothing of others.
    """
    names = best_systems(scores, pooled=pooled) if ranking is None else list(ranking)
    number = {name: str(place) for place, name in enumerate(names, 1)}
    order = best_systems(scores[names], pooled=_of_runs(pooled, scores, names))
    part, counted = scores[order], _of_runs(pooled, scores, order)
    values = part.to_numpy(dtype=float)
    if np.isnan(values).any():
        raise ValueError("a system lacks a topic: tests compare systems topic by topic")
    high, low = np.triu_indices(len(order), k=1)
    pairs = (
        counted.differences(low, high) if counted else Differences.of_means(values[:, high] - values[:, low])
    )
    p_values = {
        test: pairs.p_values(test if len(values) > 1 else None, resamples, seed, two_tailed=two_tailed)
        for test in TESTS
    }
    adjusted = {test: holm(p) for test, p in p_values.items()} if correct else {}
    level = 1 - alpha
    intervals = confidence_intervals(
        part, level=level, resamples=resamples, seed=seed, test=intervals_of, pooled=counted
    ).assign(level=level)
    labels = [number[name] for name in order]
    intervals.insert(0, "label", labels)
    return Comparison(labels, intervals, len(scores), p_values, adjusted, alpha)


def _of_runs(pooled: Pooled | None, scores: pd.DataFrame, runs: Sequence[str]) -> Pooled | None:
    """What was counted of some of the runs."""
    if pooled is None:
        return None
    return replace(pooled, counts=pooled.counts[:, scores.columns.get_indexer(pd.Index(runs))])


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
    ratios in `focuseval.measures.ratios` of those measures whose counts are added up over topics, by their names.

    Of pairs the table has what `focuseval.statistics.paired.differences` says of the higher ranked system against the
    lower one, and the p-values of the other tests beside that of the chosen one (`Comparison.pairs`).

    Raises InputError for a t-test of such a measure.
    """
    pools = {name: getattr(ratios, pool) for name, pool in asked["pools"].items()}
    settings, measure = asked["settings"], asked["measure"]
    scores = scores[scores["runs"] == asked["runs"]]
    # topics are sorted, so that their order in a file does not change what is drawn
    ranking, table = (score_table(scores, asked[name]).sort_index() for name in ("ranked_by", "measure"))
    best = best_systems(ranking, settings["top"], pooled_of(scores, ranking, asked["ranked_by"], pools))
    pooled = pooled_of(scores, table, measure, pools)
    names = ("test", "one_tailed", "correction", "resamples", "seed", "alpha")
    method = Method(**{name: settings[name] for name in names})
    compared = compare(
        table,
        best,
        alpha=method.alpha,
        resamples=method.resamples,
        seed=method.seed,
        correct=method.correction == "holm",
        two_tailed=not method.one_tailed,
        intervals_of=settings["test"],
        pooled=pooled,
    )
    found = frames(compared, settings["test"])
    if len(best) < 2:
        return found, []
    upwards = [str(run) for run in reversed(compared.systems["run"])]
    counted = _of_runs(pooled, table, upwards)
    rows = differences(
        {measure: table[upwards]},
        method=method if len(table) > 1 else replace(method, test=None),
        pooled={} if counted is None else {measure: counted},
    )
    keys = {"run": "higher_run", "baseline": "lower_run"}
    rows_of_pairs = rows.rename(columns=keys).assign(level=1 - method.alpha)
    shown = rows_of_pairs[[*keys.values(), *_OF_PAIRS]]
    found["pairs"] = found["pairs"].merge(shown, on=list(keys.values()), validate="one_to_one")
    return found, cautions(rows, method, most)
