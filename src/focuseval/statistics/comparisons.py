"""Comparisons of runs or systems: differences with intervals, tests, and topics that explain differences."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from focuseval.arguments import FLAG, number_between, one_of, read_arguments, whole_number
from focuseval.errors import InputError, counted, listed, meant
from focuseval.measures import ratios
from focuseval.model.arrays import Floats
from focuseval.statistics.score_table import ScoreTable, score_tables
from focuseval.statistics.significance import IN_TABLES, TESTS, Differences, holm, order_of

#: corrections of p-values for multiple comparisons
CORRECTIONS = ("holm", "none")

#: the maximum number of resamples; more would need too much memory
MOST_RESAMPLES = 1_000_000

#: false alarms of the bootstrap test: for each number of topics, the percentage of comparisons of equal systems with
#: p <= 0.05, two-tailed and one-tailed, if differences are normally distributed (docs/comparing.md)
BOOTSTRAP_ALARMS = {
    2: (50, 26),
    3: (25, 19),
    4: (19, 12),
    5: (15, 10),
    7: (12, 9),
    9: (11, 8),
    12: (9, 8),
    16: (8, 7),
}

#: with fewer topics than this, other topics often show other significant differences (Buckley & Voorhees, SIGIR 2000)
FEW_TOPICS = 25


#: a topic explains a difference if at most this share of the difference remains without the topic
CARRIED = 0.1

#: the columns of `differences`, in order
COLUMNS = (
    "baseline", "run", "measure", "topics", "mean_baseline", "mean", "difference", "low", "high",
    "effect_size", "skewness", "p", "p_adjusted", "wins", "ties", "losses",
    "carried_by", "difference_without",
)  # fmt: skip

#: maps the name of each measure to the scores of all runs
Tables = Mapping[str, ScoreTable]


_ARGUMENTS = {
    "test": one_of((*TESTS, None)),
    "correction": one_of(CORRECTIONS),
    "one_tailed": FLAG,
    "resamples": whole_number(1),
    "seed": whole_number(0),
    "alpha": number_between(0, 1),
}


@dataclass(frozen=True)
class Method:
    """The settings of significance tests and confidence intervals for differences between runs.

    ``test`` is one of `focuseval.statistics.significance.TESTS`, or None for no test (p is NaN). A ``one_tailed`` test
    asks only whether the run is better than its baseline. ``correction`` is one of `CORRECTIONS`, and concerns all
    pairs of runs under one measure. Intervals have the level 1 - ``alpha``. They contain the differences that the
    two-tailed test does not reject (`focuseval.statistics.significance.mean_intervals`). Raises InputError for invalid
    values.
    """

    test: str | None = "randomisation"
    one_tailed: bool = False
    correction: str = "holm"
    resamples: int = 10_000
    seed: int = 0
    alpha: float = 0.05

    def __post_init__(self) -> None:
        read_arguments(self, _ARGUMENTS)
        if self.resamples > MOST_RESAMPLES:
            found = f"the value is {self.resamples:,}"
            raise InputError.of("resamples", found, f"expected at most {MOST_RESAMPLES:,}")

    def smallest(self, topics: int) -> float:
        """Return the smallest p-value that the test can give for a number of topics, or 0 if ``test`` is None."""
        tails = 1 if self.one_tailed else 2
        return TESTS[self.test].smallest(topics, self.resamples, tails) if self.test else 0.0

    def adjusted(self, p_values: Floats) -> Floats:
        """Correct p-values for multiple comparisons, unless ``correction`` is ``none``."""
        return holm(p_values) if self.correction == "holm" else p_values

    def __str__(self) -> str:
        return self.in_words("all pairs of runs of each measure")

    def in_words(self, family: str) -> str:
        """Describe the method for a report. ``family`` names the comparisons to which the correction applies."""
        tails = "one-tailed (is the run better?)" if self.one_tailed else "two-tailed"
        if self.test is None:
            return "not tested"
        test = TESTS[self.test]
        resampling = test.resampling.format(resamples=self.resamples, seed=self.seed)
        correction = f"Holm's correction for {family}" if self.correction == "holm" else "not corrected"
        return f"paired {test.title}, {tails}{resampling}; {correction}; significance level {self.alpha:g}"


STANDARD = Method()


def pairs_of(runs: Sequence[str], baseline: str | None = None) -> list[tuple[str, str]]:
    """Return the pairs to compare: ``baseline`` and every other run, or all pairs of runs if there is no baseline.

    The baseline or the earlier run comes first in each pair.
    """
    if baseline is not None:
        return [(baseline, run) for run in runs if run != baseline]
    return [(first, second) for i, first in enumerate(runs) for second in runs[i + 1 :]]


def systems(tables: Tables, method: Method) -> pd.DataFrame:
    """Compute the mean of each run under each measure, with its interval.

    The columns are measure, run, mean, low and high.
    """
    parts = []
    for measure, table in tables.items():
        low, high = table.intervals(1 - method.alpha, method.resamples, method.seed, method.test)
        columns = {"measure": measure, "run": table.runs, "mean": table.numbers, "low": low, "high": high}
        parts.append(pd.DataFrame(columns))
    return pd.concat(parts, ignore_index=True)


def differences(
    tables: Tables,
    baseline: str | None = None,
    method: Method = STANDARD,
    *,
    pairs: Sequence[tuple[str, str]] | None = None,
) -> pd.DataFrame:
    """Compare runs with their baselines under every measure. Return a frame with a row for each pair and measure.

    ``pairs`` are pairs of a baseline and a run, by default as in `pairs_of`. The columns are

    - baseline, run, measure, and topics (the number n of topics);
    - mean_baseline, mean, and difference (run minus baseline);
    - low and high: the limits of the difference's interval (`focuseval.statistics.significance.mean_intervals`);
    - effect_size: Cohen's d of the n differences on topics, ``mean / sqrt(sum (difference - mean)^2 / (n - 1))``
      (Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988, 2.3.5; Sakai, SIGIR Forum 48(1), 2014);
    - skewness of the n differences: ``m_3 / m_2^1.5``, where m_2 and m_3 are central moments;
    - p, and p_adjusted, which is corrected for all rows of the measure if the method has a correction;
    - wins, ties and losses: the numbers of topics on which the run is better, equal and worse;
    - carried_by: the topic that explains the difference, or "";
    - difference_without: the difference without this topic, or NaN if there is no such topic.

    Effect size and skewness are NaN if all differences are equal. The topic that adds most to a difference explains it
    if, without this topic, at most a tenth of the difference is left or the sign changes.

    For pooled measures, means, differences, intervals and tests are computed from counts that are summed over topics.
    Wins, ties and losses compare the values on each topic. Effect size and skewness are NaN.

    Raises InputError for fewer than two runs, for a test with fewer than two topics, and for a t-test or Wilcoxon test
    of a pooled measure.
    """
    pooled = [name for name, table in tables.items() if table.counts is not None]
    if pooled and method.test and TESTS[method.test].only_means:
        found = f"a {TESTS[method.test].title} compares means, not sums of counts as in {', '.join(pooled)}"
        raise InputError.of("test", found, "use randomisation or bootstrap")
    parts = [_rows_under(name, table, baseline, method, pairs) for name, table in tables.items()]
    return pd.concat(parts, ignore_index=True)[list(COLUMNS)]


def _rows_under(
    measure: str,
    table: ScoreTable,
    baseline: str | None,
    method: Method,
    pairs: Sequence[tuple[str, str]] | None,
) -> pd.DataFrame:
    """Return the rows of `differences` for ``measure``."""
    names, values = table.runs, table.values.to_numpy(dtype=float)
    if len(names) < 2:
        raise InputError.of(
            measure, f"{counted(len(names), 'run', '{has|have}')} scores", "expected two or more runs"
        )
    if len(values) < 2 and method.test is not None:
        expected = "expected two or more topics (focuseval score shows the scores on one topic)"
        raise InputError.of(measure, f"{counted(len(values), 'topic', '{has|have}')} scores", expected)
    pairs = pairs_of(names, baseline) if pairs is None else pairs
    first, second = (np.array([names.index(pair[side]) for pair in pairs]) for side in (0, 1))
    change = values[:, second] - values[:, first]
    between, mean = table.differences(first, second), table.numbers
    upwards = between.turned() if table.lower else between
    better = order_of(values[:, first], values[:, second]) * (-1 if table.lower else 1)
    low, high = between.interval(1 - method.alpha, method.resamples, method.seed, method.test)
    p = upwards.p_values(method.test, method.resamples, method.seed, two_tailed=not method.one_tailed)
    are_means = table.counts is None and len(values) > 1
    return pd.DataFrame(pairs, columns=["baseline", "run"]).assign(
        measure=measure,
        topics=len(values),
        mean_baseline=mean[first],
        mean=mean[second],
        difference=mean[second] - mean[first],
        low=low,
        high=high,
        effect_size=effect_size(change, between.rounding) if are_means else np.nan,
        skewness=skewness(change, between.rounding) if are_means else np.nan,
        p=p,
        p_adjusted=method.adjusted(p),
        wins=np.count_nonzero(better > 0, axis=0),
        ties=np.count_nonzero(better == 0, axis=0),
        losses=np.count_nonzero(better < 0, axis=0),
        **_without_strongest(between, table.values.index),
    )


def effect_size(differences: Floats, rounding: Floats) -> Floats:
    """Return Cohen's d of each column of differences, or NaN if all differences in the column are equal.

    Rows are topics. Differences are equal if they differ by at most the ``rounding`` error of their column.
    """
    spread = differences.std(axis=0, ddof=1)
    spread[np.ptp(differences, axis=0) <= rounding] = np.nan
    return differences.mean(axis=0) / spread


def skewness(differences: Floats, rounding: Floats) -> Floats:
    """Return the skewness of each column of differences, or NaN if all differences in the column are equal.

    Rows are topics. Differences are equal if they differ by at most the ``rounding`` error of their column.
    """
    distance = differences - differences.mean(axis=0)
    spread = (distance**2).mean(axis=0) ** 1.5
    spread[np.ptp(differences, axis=0) <= rounding] = np.nan
    return (distance**3).mean(axis=0) / spread


def _without_strongest(pairs: Differences, names: pd.Index) -> dict[str, Any]:
    """Return the columns carried_by and difference_without of `differences`. ``names`` are the names of the topics."""
    difference = pairs.difference
    side = np.sign(difference)
    strongest = pairs.strongest(side)
    rest = pairs.without(strongest).difference
    carried = (rest * side <= CARRIED * np.abs(difference)) & (np.abs(difference) > pairs.rounding)
    return {
        "carried_by": np.where(carried, names.to_numpy(dtype=object)[strongest], ""),
        "difference_without": np.where(carried, rest, np.nan),
    }


def few_topics(topics: int, method: Method) -> list[str]:
    """Return a warning if there are fewer than `FEW_TOPICS` topics, else an empty list."""
    if topics >= FEW_TOPICS:
        return []
    line = f"there are fewer than {FEW_TOPICS} topics ({topics}), so other topics may change the result; "
    test = TESTS[method.test or "randomisation"]
    if test.smallest(topics, method.resamples, 2) > method.alpha:
        return [
            f"{line}with {counted(topics, 'topic')}, a {test.title} gives no {100 * (1 - method.alpha):g} % interval"
        ]
    return [f"{line}if values are skewed, 95 % intervals contain the true mean in fewer than 90 % of cases"]


def cautions(rows: pd.DataFrame, method: Method, most: int = 3) -> list[str]:
    """Return warnings about the rows of `differences`, one line each.

    They concern few topics, skewed differences, tests that can find nothing significant, and differences that one topic
    explains. At most ``most`` differences that one topic explains are listed.
    """
    fewest, most_topics = int(rows["topics"].min()), int(rows["topics"].max())
    family = len(rows) // rows["measure"].nunique()
    smallest = method.smallest(most_topics) * (family if method.correction == "holm" else 1)
    lines = few_topics(fewest, method)
    if lines and method.test == "bootstrap":
        size = max(number for number in BOOTSTRAP_ALARMS if number <= max(fewest, 2))
        lines.append(
            f"a bootstrap test of {counted(fewest, 'topic')} finds too many differences: p <= 0.05 in about "
            f"{BOOTSTRAP_ALARMS[size][method.one_tailed]} % of comparisons without a difference; with "
            "randomisation, in at most 5 %"
        )
    # with fewer than 25 · skewness² topics, intervals for the mean of skewed values are unreliable (Cochran, Sampling
    # Techniques, 1977, 2.15)
    skewed = (rows["topics"] >= FEW_TOPICS) & (25 * rows["skewness"] ** 2 > rows["topics"])
    if skewed.any():
        lines.append(
            f"differences are skewed in {skewed.sum()} of {counted(len(rows), 'comparison')}; 95 % intervals contain "
            "the true mean in about 90 % of samples"
            + (", and p <= 0.05 in about 10 % without a difference" if method.test else "")
        )
    if smallest > method.alpha:
        lines.append(
            f"nothing can be significant: with {counted(most_topics, 'topic')}, {method.resamples:,} resamples and "
            f"{counted(family, 'comparison')}, the smallest p-value is {min(smallest, 1):.2g}"
        )
    carried = rows[rows["carried_by"] != ""]
    lines += [
        f"{row.run} against {row.baseline}, {row.measure}: topic {row.carried_by} alone explains the difference "
        f"of {row.difference:+.4f}; without this topic, the difference is {row.difference_without:+.4f}"
        for row in carried.head(most).itertuples()
    ]
    if len(carried) > most:
        lines.append(f"one topic alone explains each of {counted(len(carried) - most, 'more difference')}")
    return lines


ONE_TAILED = Method(one_tailed=True, correction="none", resamples=1000)

#: the columns that `compare_as_asked` adds to the table of pairs
_APPENDED = ["low", "high", "level", "effect_size", "wins", "ties", "losses", "carried_by"]


def compare(
    table: ScoreTable,
    ranking: Sequence[str] | None = None,
    *,
    method: Method = ONE_TAILED,
    test: str | None = None,
    top: int | None = None,
    baseline: str | None = None,
) -> dict[str, pd.DataFrame]:
    """Compare systems under one measure, pair by pair, with every test of `IN_TABLES` and the requested test.

    ``ranking`` names the runs to compare, best first, and gives their ranks. By default, these are all runs, ranked by
    this measure. ``top`` is the number of best runs to keep, besides the baseline. Tables list the kept runs by their
    means under this measure, and one-tailed tests ask whether the earlier run is better. With a ``baseline``, every
    other run is compared with the baseline, and one-tailed tests ask whether the other run is better.

    Returns four tables by name:

    systems
        a row for each system, with label (the rank), run, mean, and the limits (low and high) and level of the mean's
        interval by the ``method``'s test
    counts
        a row for each test, with test, significant (the number of significant pairs), pairs (the number of all pairs),
        and topics
    pairs
        a row for each pair of systems in the order of `numpy.triu_indices`, with higher and lower (their ranks),
        higher_run, lower_run, difference, p_TEST for each test, and p_adjusted_TEST if p-values are corrected
    matrix
        a row for each system, with rank, run, and a column for each rank. A cell is ``*`` if the row's system is
        significantly better by ``test`` (default: the method's), ``-`` if not, and empty if the pair is not compared

    A single run has no pairs. With a single topic, no pair is significant, nor is any pair under a pooled measure by a
    t-test or Wilcoxon test. Raises InputError for an unknown baseline, and ValueError for missing scores.
    """
    names = table.ranked if ranking is None else list(ranking)
    number = {name: str(place) for place, name in enumerate(names, 1)}
    if baseline is not None and baseline not in number:
        expected = f"{meant(baseline, names)}expected one of {listed(names)}"
        raise InputError.of("baseline", f"the value is {baseline!r}", expected)
    table = table.among([*names[:top], *(name for name in names[top:] if name == baseline)] if top else names)
    order = table.ranked
    table = table.among(order)
    if table.values.isna().to_numpy().any():
        raise ValueError("a system lacks a topic, but tests compare systems topic by topic")
    high, low = np.triu_indices(len(order), k=1)
    first, second = low, high
    if baseline is not None:
        fixed = order.index(baseline)
        high, low = (side[(high == fixed) | (low == fixed)] for side in (high, low))
        first, second = np.full(len(high), fixed), np.where(high == fixed, low, high)
    pairs = table.differences(first, second)
    pairs = pairs.turned() if table.lower else pairs
    topics, tails = len(table.values), not method.one_tailed
    p_values = {
        name: pairs.p_values(name if topics > 1 else None, method.resamples, method.seed, two_tailed=tails)
        for name in dict.fromkeys(filter(None, (*IN_TABLES, test or method.test)))
    }
    adjusted = {name: holm(p) for name, p in p_values.items()} if method.correction == "holm" else {}
    significant = {name: adjusted.get(name, p) <= method.alpha for name, p in p_values.items()}
    labels = np.array([number[name] for name in order], dtype=object)
    run, mean = np.array(order, dtype=object), table.numbers
    cells = np.full((len(order), len(order)), "", dtype=object)
    cells[high, low] = np.where(significant[test or str(method.test)], "*", "-")
    intervals = systems({"": table}, method).drop(columns="measure").assign(level=1 - method.alpha)
    intervals.insert(0, "label", labels)
    columns = {"higher": labels[high], "lower": labels[low], "higher_run": run[high], "lower_run": run[low]}
    columns |= {"difference": mean[high] - mean[low]}
    columns |= {f"p_{name}": p for name, p in p_values.items()}
    return {
        "systems": intervals,
        "counts": pd.DataFrame(
            [(name, int(each.sum()), len(each), topics) for name, each in significant.items()],
            columns=["test", "significant", "pairs", "topics"],
        ),
        "pairs": pd.DataFrame(columns | {f"p_adjusted_{name}": p for name, p in adjusted.items()}),
        "matrix": pd.DataFrame({"rank": labels, "run": run} | dict(zip(labels, cells.T, strict=True))),
    }


def _tables(
    scores: pd.DataFrame, comparison: Mapping[str, Any], names: Iterable[str]
) -> dict[str, ScoreTable]:
    """Return the scores of the runs that ``comparison`` requests, under the measures ``names``."""
    pools = {name: getattr(ratios, pool) for name, pool in comparison["pools"].items()}
    return score_tables(scores[scores["runs"] == comparison["runs"]], names, pools, comparison["lower"])


def compare_as_asked(
    scores: pd.DataFrame, request: Mapping[str, Any], most: int = 10
) -> tuple[dict[str, pd.DataFrame], list[str]]:
    """Compute a comparison that a campaign requests. Return the tables of `compare`, and warnings.

    ``scores`` has the columns of `focuseval.scoring.score.Scores` and a column ``runs``. ``request`` has the keys runs,
    measure, ranked_by, settings, lower and pools. ``lower`` lists the measures for which lower is better. ``pools``
    names a function in `focuseval.measures.ratios` for each pooled measure. Warnings list at most ``most`` differences
    that one topic explains.

    The table of pairs also has columns of `differences`, with ``lower_run`` of each pair as the baseline. Raises
    InputError for a t-test or Wilcoxon test of a pooled measure.
    """
    settings, measure = request["settings"], request["measure"]
    tables = _tables(scores, request, {request["ranked_by"], measure})
    names = ("test", "one_tailed", "correction", "resamples", "seed", "alpha")
    method = Method(**{name: settings[name] for name in names})
    ranking = tables[request["ranked_by"]].ranked
    of_pairs = {"top": settings["top"], "baseline": settings.get("baseline")}
    compared = compare(tables[measure], ranking, method=method, **of_pairs)
    if len(compared["pairs"]) < 1:
        return compared, []
    table = tables[measure].among(compared["systems"]["run"].tolist())
    rows = differences(
        {measure: table},
        method=method if len(table.values) > 1 else replace(method, test=None),
        pairs=list(zip(compared["pairs"]["lower_run"], compared["pairs"]["higher_run"], strict=True)),
    )
    compared["pairs"] = pd.concat([compared["pairs"], rows.assign(level=1 - method.alpha)[_APPENDED]], axis=1)
    return compared, cautions(rows, method, most)


#: `overview` warns of at most this number of differences that one topic explains
_MOST_CARRIED = 3


def scored(request: Mapping[str, Any], scores: pd.DataFrame) -> dict[str, Any]:
    """Return a copy of a request for `overview` without the measures that have no scores."""
    measures = set(scores["name"].astype(str).unique())
    return {**request, "measures": [measure for measure in request["measures"] if measure in measures]}


def overview(scores: pd.DataFrame, request: Mapping[str, Any]) -> tuple[dict[str, pd.DataFrame], list[str]]:
    """Compare the systems of a campaign. Return tables by name, and warnings.

    ``scores`` has the columns of `focuseval.scoring.score.Scores` and a column ``runs``. ``request`` has the scored
    measures, and a comparison for `compare_as_asked`. Systems are compared and ranked by the first measure. There are
    no tables if no measure was scored. Otherwise, the tables are

    measures
        a row for each system and measure, with rank, run, measure, mean, low and high (the limits of a 95 % interval),
        and topics (the number of topics in the mean). The best systems come first. Systems without a value under the
        first measure come last.
    topics
        a row for each topic and system, with topic, run and value (the score by the first measure). The topics with the
        best means come first.
    best
        a row for each system, with run and share (`how_often_best`) by the first measure. There is no such table if the
        measure is pooled.
    systems, counts, pairs, matrix
        the tables of `compare_as_asked`

    A single system has only the tables measures and topics.
    """
    if not request["measures"]:
        return {}, ["no topic has relevant content under any measure"]
    first, *_ = request["measures"]
    settings = request["comparison"]["settings"]
    comparison = {**request["comparison"], "measure": first, "ranked_by": first}
    tables = _tables(scores, comparison, request["measures"])
    method = Method(resamples=settings["resamples"], seed=settings["seed"])
    table = tables[first].among(tables[first].ranked)
    means = systems(tables, method)
    excluded = [run for run in dict.fromkeys(means["run"]) if run not in table.runs]
    means.insert(
        0, "rank", means["run"].map({run: rank for rank, run in enumerate([*table.runs, *excluded], 1)})
    )
    means = means.sort_values("rank", kind="stable", ignore_index=True)
    means["topics"] = means["measure"].map({name: len(one.values) for name, one in tables.items()})
    by_topic = table.values
    easiest = by_topic.mean(axis=1).sort_values(ascending=table.lower, kind="stable").index
    columns = {
        "measures": means[["rank", "run", "measure", "mean", "low", "high", "topics"]],
        "topics": by_topic.loc[easiest].stack().rename("value").reset_index(),
    }
    if len(table.runs) < 2:
        return columns, few_topics(len(by_topic), method)
    if table.counts is None:
        columns["best"] = how_often_best(by_topic, method, lower=table.lower)
    compared, cautions = compare_as_asked(scores, comparison, _MOST_CARRIED)
    return columns | compared, cautions or few_topics(len(by_topic), method)


def how_often_best(values: pd.DataFrame, method: Method, *, lower: bool = False) -> pd.DataFrame:
    """Return how often each run has the best mean in bootstrap resamples of the topics.

    The columns are run and share. ``values`` has a row for each topic and a column for each run. The best mean is the
    highest, or the lowest if ``lower``. If k runs have the best mean in a resample, the resample counts 1/k for each.
    """
    topics = len(values)
    draws = np.random.default_rng(method.seed).multinomial(topics, [1 / topics] * topics, method.resamples)
    means = draws @ values.to_numpy(dtype=float)
    best = means.min if lower else means.max
    first = means == best(axis=1, keepdims=True)
    share = (first / first.sum(axis=1, keepdims=True)).mean(axis=0)
    return pd.DataFrame({"run": values.columns, "share": share})
