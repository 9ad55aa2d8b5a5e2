"""Runs against baselines, topic by topic: differences with intervals, effect sizes, tests, and what carries them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from focuseval.errors import InputError, check_flag, counted
from focuseval.model.arrays import Floats
from focuseval.statistics.score_table import ScoreTable
from focuseval.statistics.significance import EXACT_TOPICS, TESTS, TOLERANCE, Differences, holm

#: corrections for the number of comparisons
CORRECTIONS = ("holm", "none")

#: below this many topics, which systems differ changes with the topics (Buckley & Voorhees, SIGIR 2000)
FEW_TOPICS = 25

#: below this many topics a randomisation test rejects nothing at 0.05, so that there is no interval
INTERVAL_TOPICS = 6

#: the share of a difference that is left, at most, without a topic that carries it alone
CARRIED = 0.1

#: what is known of each comparison, in the order of `differences`
COLUMNS = (
    *("baseline", "run", "measure", "topics", "mean_baseline", "mean", "difference", "low", "high"),
    *("effect_size", "skewness", "p", "p_adjusted", "wins", "ties", "losses"),
    *("carried_by", "difference_without"),
)

#: scores by measure
Tables = Mapping[str, ScoreTable]


@dataclass(frozen=True)
class Method:
    """How differences are tested.

    ``test`` is one of `focuseval.statistics.significance.TESTS`, or None for no test (p is NaN); ``one_tailed``
    asks whether the run is better than its baseline, and not whether they differ; ``correction`` (one of
    `CORRECTIONS`) is over all comparisons of one table, those under other measures included; intervals have the
    level 1 - ``alpha``, and hold what the two-tailed test does not reject (`mean_intervals`).

    Raises InputError for values that make no sense.
    """

    test: str | None = "randomisation"
    one_tailed: bool = False
    correction: str = "holm"
    resamples: int = 10_000
    seed: int = 0
    alpha: float = 0.05

    def __post_init__(self) -> None:
        for name, value, known in (
            ("test", self.test, (*TESTS, None)),
            ("correction", self.correction, CORRECTIONS),
        ):
            if value not in known:
                raise InputError.of(name, repr(value), f"expected one of {', '.join(filter(None, known))}")
        check_flag("one_tailed", self.one_tailed)
        for name, number, least in (("resamples", self.resamples, 1), ("seed", self.seed, 0)):
            if not isinstance(number, Real) or not least <= number < math.inf or number % 1:
                raise InputError.of(name, repr(number), f"expected a whole number of {least} or more")
            object.__setattr__(self, name, int(number))  # 1e4 is one, too
        if not isinstance(self.alpha, Real) or not 0 < self.alpha < 1:
            raise InputError.of("alpha", repr(self.alpha), "expected a number between 0 and 1")

    def smallest(self, topics: int) -> float:
        """The smallest p-value that so many topics and resamples allow."""
        if self.test in (None, "t-test"):
            return 0.0
        tails = 1 if self.one_tailed else 2
        if self.test == "randomisation" and topics <= EXACT_TOPICS:
            return tails / 2**topics
        # random signs of both directions are counted together, resamples of the bootstrap by direction
        return (1 if self.test == "randomisation" else tails) / (1 + self.resamples)

    def adjusted(self, p_values: Floats) -> Floats:
        """P-values (m,) after the correction for m comparisons."""
        return holm(p_values) if self.correction == "holm" else p_values

    def __str__(self) -> str:
        tails = "one-tailed (is the run better?)" if self.one_tailed else "two-tailed"
        if self.test is None:
            return "not tested"
        name, drawn = {
            "randomisation": (
                "randomisation test",
                f", {self.resamples:,} resamples (all 2^n for up to {EXACT_TOPICS} topics), seed {self.seed}",
            ),
            "bootstrap": ("bootstrap test", f", {self.resamples:,} resamples, seed {self.seed}"),
            "t-test": ("t-test", ""),
        }[self.test]
        correction = "Holm's correction" if self.correction == "holm" else "not corrected"
        return f"paired {name}, {tails}{drawn}; {correction}; alpha {self.alpha:g}"


#: what is asked unless something else is
STANDARD = Method()


def pairs_of(runs: Sequence[str], baseline: str | None = None) -> list[tuple[str, str]]:
    """Baselines and runs: every other run against the baseline, or every run against those named before it."""
    if baseline is not None:
        return [(baseline, run) for run in runs if run != baseline]
    return [(first, second) for i, first in enumerate(runs) for second in runs[i + 1 :]]


def systems(tables: Tables, method: Method) -> pd.DataFrame:
    """The number of each run under each measure with its interval: columns measure, run, mean, low, high."""
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
    """Every run against its baseline (``pairs``, or else `pairs_of`) under every measure, a row each.

    The columns: baseline, run, measure, topics; mean_baseline, mean, and their difference (run less baseline)
    with the limits low and high of its interval (`mean_intervals`); effect_size; skewness; p and p_adjusted (after
    Holm over all rows, or the same without correction); wins, ties and losses, the topics on which the run is better,
    equal and worse; and carried_by, difference_without.

    ``effect_size`` is Cohen's d of paired values (d_z): the mean of the n differences over their standard
    deviation, ``d = mean / sqrt(sum (difference - mean)^2 / (n - 1))``, NaN where all are equal. Cohen,
    Statistical Power Analysis for the Behavioral Sciences (1988), 2.3.5; Sakai (SIGIR Forum 48(1), 2014).
    ``skewness`` is that of the n differences, ``m_3 / m_2^1.5`` of their central moments; NaN where all are equal.

    ``carried_by`` names a topic that carries the difference alone, "" if there is none: the one that adds most to it,
    where without this topic a tenth of the difference is left at most (difference_without), or it has the other sign.

    Where counts are added up over topics, mean and difference are of added counts, and so are intervals and tests;
    wins, ties and losses are of topics, and there is neither effect size nor skewness. Raises InputError for fewer than
    two runs or topics, and for a t-test of such a measure.
    """
    pooled = [name for name, table in tables.items() if table.counts is not None]
    if pooled and method.test == "t-test":
        found, expected = (
            f"a t-test of {', '.join(pooled)}",
            "it is one of means: take randomisation or bootstrap",
        )
        raise InputError.of("test", found, expected)
    parts = [_under(name, table, baseline, method, pairs) for name, table in tables.items()]
    rows = pd.concat(parts, ignore_index=True)
    return rows.assign(p_adjusted=method.adjusted(rows["p"].to_numpy()))[list(COLUMNS)]


def _under(
    measure: str,
    table: ScoreTable,
    baseline: str | None,
    method: Method,
    pairs: Sequence[tuple[str, str]] | None,
) -> pd.DataFrame:
    """The rows of `differences` under one measure, before any correction."""
    names, values = table.runs, table.values.to_numpy(dtype=float)
    if len(names) < 2:
        raise InputError.of(measure, counted(len(names), "run"), "expected two or more")
    if len(values) < 2 and method.test is not None:
        expected = "expected two or more, or no test: one topic tells nothing of others"
        raise InputError.of(measure, counted(len(values), "topic"), expected)
    pairs = pairs_of(names, baseline) if pairs is None else pairs
    first, second = (np.array([names.index(pair[side]) for pair in pairs]) for side in (0, 1))
    change = values[:, second] - values[:, first]
    found, mean = table.differences(first, second), table.numbers
    upwards, better = (found.turned(), -change) if table.lower else (found, change)
    low, high = found.interval(1 - method.alpha, method.resamples, method.seed, method.test)
    of_means = table.counts is None and len(values) > 1
    return pd.DataFrame(pairs, columns=["baseline", "run"]).assign(
        measure=measure,
        topics=len(values),
        mean_baseline=mean[first],
        mean=mean[second],
        difference=mean[second] - mean[first],
        low=low,
        high=high,
        effect_size=effect_size(change) if of_means else np.nan,
        skewness=skewness(change) if of_means else np.nan,
        p=upwards.p_values(method.test, method.resamples, method.seed, two_tailed=not method.one_tailed),
        wins=np.count_nonzero(better > TOLERANCE, axis=0),
        ties=np.count_nonzero(np.abs(better) <= TOLERANCE, axis=0),
        losses=np.count_nonzero(better < -TOLERANCE, axis=0),
        **_without_strongest(found, table.values.index),
    )


def effect_size(differences: Floats) -> Floats:
    """Cohen's d (P,) of paired differences (n topics, P pairs), as in `differences`; NaN where all are equal."""
    spread = differences.std(axis=0, ddof=1)
    spread[np.ptp(differences, axis=0) <= TOLERANCE] = np.nan
    return differences.mean(axis=0) / spread


def skewness(differences: Floats) -> Floats:
    """The skewness (P,) of paired differences (n topics, P pairs), as in `differences`; NaN where all are equal."""
    distance = differences - differences.mean(axis=0)
    spread = (distance**2).mean(axis=0) ** 1.5
    spread[np.ptp(differences, axis=0) <= TOLERANCE] = np.nan
    return (distance**3).mean(axis=0) / spread


def _without_strongest(pairs: Differences, names: pd.Index) -> dict[str, Any]:
    """Columns carried_by and difference_without of `differences`, a value for each pair."""
    difference = pairs.difference
    side = np.sign(difference)
    strongest = pairs.strongest(side)
    left = pairs.without(strongest).difference  # another topic is left out of each pair
    carried = (left * side <= CARRIED * np.abs(difference)) & (np.abs(difference) > TOLERANCE)
    return {
        "carried_by": np.where(carried, names.to_numpy(dtype=object)[strongest], ""),
        "difference_without": np.where(carried, left, np.nan),
    }


def few_topics(topics: int) -> list[str]:
    """What to be careful with where there are so many topics: a line, or none."""
    if topics >= FEW_TOPICS:
        return []
    line = f"{counted(topics, 'topic')}: with fewer than {FEW_TOPICS}, other topics may well say otherwise; "
    if topics < INTERVAL_TOPICS:
        return [f"{line}of fewer than {INTERVAL_TOPICS}, randomisation has no 95 % interval"]
    return [f"{line}95 % intervals of skewed values then hold the mean in fewer than 90 % of samples"]


def cautions(rows: pd.DataFrame, method: Method, most: int = 3) -> list[str]:
    """What to be careful with in the rows of `differences`, a line each."""
    fewest, most_topics = int(rows["topics"].min()), int(rows["topics"].max())
    smallest = method.smallest(most_topics) * (len(rows) if method.correction == "holm" else 1)
    lines = few_topics(fewest)
    if lines and method.test == "bootstrap":
        lines.append(
            "a bootstrap test on few topics sees more than there is: on 12, p <= 0.05 in 9 % of comparisons without a "
            "difference (5 % with randomisation)"
        )
    # Cochran, Sampling Techniques (1977), 2.15: so many topics make up for skewness
    skewed = (rows["topics"] >= FEW_TOPICS) & (25 * rows["skewness"] ** 2 > rows["topics"])
    if skewed.any():
        lines.append(
            f"skewed differences in {skewed.sum()} of {counted(len(rows), 'comparison')}: 95 % intervals then hold the "
            "mean in about 90 % of samples"
            + ", and p <= 0.05 in about 10 % without a difference"
            * bool(method.test)
        )
    if smallest > method.alpha:
        lines.append(
            f"nothing can be significant: with {counted(most_topics, 'topic')}, {method.resamples:,} resamples and "
            f"{counted(len(rows), 'comparison')}, the smallest p-value is {min(smallest, 1):.2g}"
        )
    carried = rows[rows["carried_by"] != ""]
    for row in carried.head(most).itertuples():
        lines.append(
            f"{row.run} against {row.baseline}, {row.measure}: topic {row.carried_by} alone carries the difference: "
            f"without it the difference is {row.difference_without:+.4f}, with it {row.difference:+.4f}"
        )
    if len(carried) > most:
        lines.append(f"{counted(len(carried) - most, 'more difference')} carried by one topic alone")
    return lines
