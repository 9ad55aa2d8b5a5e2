"""Which systems differ: tests, their correction for many pairs, and confidence intervals.

Tests compare systems topic by topic. Everything that is drawn at random takes a seed, and all pairs of
systems share the same resamples, so that equal inputs give equal outputs in any order of the pairs.
Imported by analyses only: SciPy is slow to start, and scoring does without.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from focuseval.model.arrays import Bools, Floats, Ints
from focuseval.statistics.means import column_means

if TYPE_CHECKING:
    from focuseval.statistics.pooled import Pooled

#: means this close to each other (or to 0) are taken as equal: rounding is no evidence
TOLERANCE = 1e-12

#: numbers of resampled means in memory at a time
BLOCK = 1 << 21

#: topics up to which the randomisation test goes through all 2^n assignments of signs
EXACT_TOPICS = 16


def score_table(per_topic: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Topics × runs of one measure, from the tidy table of `focuseval.scoring.score.Scores`.

    Raises ValueError if a run lacks a topic: tests compare systems topic by topic.
    """
    part = per_topic[per_topic["name"] == measure].astype({"run": str, "topic": str})
    table = part.pivot(index="topic", columns="run", values="value")
    table = table.loc[part["topic"].unique(), part["run"].unique()]
    if table.isna().to_numpy().any():
        lacking = ", ".join(str(run) for run in table.columns[table.isna().any()])
        raise ValueError(f"{measure}: {lacking} lack topics that others have: average over assessed topics")
    return table


def _blocks(weights: Floats, values: Floats) -> Iterator[tuple[slice, Floats]]:
    """Weighted sums of the n rows of values (n, P) under weights (B, n), some columns at a time."""
    width = max(1, BLOCK // len(weights))
    for begin in range(0, values.shape[1], width):
        columns = slice(begin, begin + width)
        yield columns, weights @ values[:, columns]


def times_drawn(topics: int, resamples: int, seed: int | Sequence[int]) -> Floats:
    """(B, n) how often each of n topics is drawn in each of B resamples with replacement."""
    times = np.empty((resamples, topics))
    for part, drawn in _drawn(topics, topics, resamples, seed):
        drawn += topics * np.arange(len(drawn))[:, None]
        times[part] = np.bincount(drawn.ravel(), minlength=drawn.size).reshape(drawn.shape)
    return times


def _drawn(
    below: int, topics: int, resamples: int, seed: int | Sequence[int]
) -> Iterator[tuple[slice, Ints]]:
    """Numbers from 0 and ``below`` a limit, (B, n) of them, some rows at a time: with thousands of topics, all are
    gigabytes.
    """
    generator = np.random.default_rng(seed)
    rows = max(1, BLOCK // max(1, topics))
    for begin in range(0, resamples, rows):
        part = slice(begin, min(begin + rows, resamples))
        yield part, generator.integers(0, below, size=(part.stop - begin, topics))


def paired_bootstrap(
    differences: Floats, resamples: int = 1000, seed: int = 0, *, two_tailed: bool = False
) -> Floats:
    """P-values of mean differences above 0, or of any with ``two_tailed``, by the bootstrap.

    ``p = (1 + #{b: mean of resample b <= 0}) / (1 + B)``: topics are drawn with replacement, B times, and
    the p-value is the share of resamples in which the improvement vanishes (percentile method: p <= 0.05
    says that the lower limit of the one-sided 95 % interval of the mean difference is above 0). The
    two-tailed p-value is twice the smaller one of both directions, at most 1: p <= 0.05 says that 0 is not in the
    95 % interval. The differences are not shifted to a null hypothesis. No p-value is below 1 / (1 + B).

    Shapes: differences (n topics, P pairs); result (P,). Kamps et al. (SIGIR 2007), Section 3.
    """
    topics, pairs = differences.shape
    p_value = np.empty(pairs)
    for columns, total in _blocks(times_drawn(topics, resamples, seed), differences):
        p_value[columns] = bootstrap_p_values(total / topics, two_tailed=two_tailed)
    return p_value


def bootstrap_p_values(resampled: Floats, *, two_tailed: bool) -> Floats:
    """P-values (P,) of `paired_bootstrap` from the differences of B resamples (B, P)."""
    below = np.count_nonzero(resampled <= TOLERANCE, axis=0)
    if not two_tailed:
        return (1 + below) / (1 + len(resampled))
    above = np.count_nonzero(resampled >= -TOLERANCE, axis=0)
    return np.minimum(2 * (1 + np.minimum(below, above)) / (1 + len(resampled)), 1.0)


def paired_randomisation(
    differences: Floats, resamples: int = 1000, seed: int = 0, *, two_tailed: bool = False
) -> Floats:
    """P-values of mean differences above 0, or of any with ``two_tailed``, by the paired randomisation test.

    Under the null hypothesis either system may have had either score, so each difference has either sign.
    With up to 16 topics all 2^n signs are gone through: ``p = #{mean >= observed} / 2^n``; with more, B
    random ones: ``p = (1 + #{mean >= observed}) / (1 + B)``. Two-tailed, absolute means are compared.

    Shapes: differences (n topics, P pairs); result (P,). Smucker, Allan & Carterette (CIKM 2007).
    """
    topics, pairs = differences.shape
    flips, exact = flips_of(topics, resamples, seed)
    observed = differences.mean(axis=0)
    p_value = np.empty(pairs)
    for columns, total in _blocks(np.subtract(1, 2 * flips, dtype=float), differences):
        tails = {"exact": exact, "two_tailed": two_tailed}
        p_value[columns] = randomisation_p_values(total / topics, observed[columns], **tails)
    return p_value


def flips_of(topics: int, resamples: int, seed: int) -> tuple[Ints, bool]:
    """(B, n) 1 where systems change places on a topic, in each of B assignments; and whether these are all 2^n."""
    if topics <= EXACT_TOPICS:
        return np.arange(1 << topics)[:, None] >> np.arange(topics) & 1, True
    flips = np.empty((resamples, topics), dtype=np.int8)
    for part, drawn in _drawn(2, topics, resamples, seed):
        flips[part] = drawn
    return flips, False


def randomisation_p_values(changed: Floats, observed: Floats, *, exact: bool, two_tailed: bool) -> Floats:
    """P-values (P,) of `paired_randomisation` from the differences of B assignments (B, P) and those observed (P,)."""
    side = np.abs if two_tailed else np.positive
    reached = np.count_nonzero(side(changed) >= side(observed) - TOLERANCE, axis=0)
    return reached / len(changed) if exact else (1 + reached) / (1 + len(changed))


def paired_t(differences: Floats, *, two_tailed: bool = False) -> Floats:
    """P-values of mean differences above 0, or of any with ``two_tailed``, by the paired t-test.

    Where all differences are equal there is no spread to compare with: p is 1 for differences of 0, and NaN for
    others. Shapes: differences (n topics, P pairs); result (P,).
    """
    from scipy import stats

    p_value = np.where(np.abs(differences.mean(axis=0)) <= TOLERANCE, 1.0, np.nan)
    spread = np.ptp(differences, axis=0) > TOLERANCE
    if spread.any():
        alternative = "two-sided" if two_tailed else "greater"
        p_value[spread] = stats.ttest_1samp(differences[:, spread], 0, alternative=alternative).pvalue
    return p_value


def holm(p_values: Floats) -> Floats:
    """P-values adjusted for all comparisons made (Holm 1979): ``max_(k<=i) min(1, (m - k + 1) p_(k))``."""
    order = np.argsort(p_values, kind="stable")
    adjusted = np.empty(len(p_values))
    factors = np.arange(len(p_values), 0, -1)
    adjusted[order] = np.maximum.accumulate(np.minimum(factors * p_values[order], 1.0))
    return adjusted


#: tests of significance by name: (differences, resamples, seed, two_tailed=False) -> p-values
TESTS: dict[str, Callable[..., Floats]] = {
    "bootstrap": paired_bootstrap,
    "randomisation": paired_randomisation,
    "t-test": lambda differences, resamples, seed, **tails: paired_t(differences, **tails),
}


@dataclass(frozen=True, eq=False)
class Significance:
    """Which of S systems improve significantly on which; systems stand in rank order, the best first."""

    systems: list[str]
    mean: Floats  #: (S,) decreasing
    #: (S, S) p-value of "row improves on column" above the diagonal, NaN elsewhere (adjusted if corrected)
    p_value: Floats
    alpha: float
    test: str
    corrected: bool
    unadjusted: Floats  #: (S, S) as ``p_value``, before any correction

    @property
    def significant(self) -> Bools:
        """(S, S) whether the system of the row improves significantly on that of the column."""
        return self.p_value <= self.alpha

    @property
    def pairs(self) -> int:
        """The number of significant pairs, of S (S - 1) / 2."""
        return int(self.significant.sum())


def significance(
    scores: pd.DataFrame,
    test: str = "bootstrap",
    *,
    alpha: float = 0.05,
    resamples: int = 1000,
    seed: int = 0,
    correct: bool = False,
    two_tailed: bool = False,
    pooled: "Pooled | None" = None,
) -> Significance:
    """Whether each system improves significantly on each lower ranked one.

    ``scores`` has a row per topic and a column per system. Systems are ranked by their means (equal means
    keep the order of the columns), or by the numbers of counts that are added up over topics, where those are
    given. Significant for p <= alpha, one-tailed unless ``two_tailed``; ``correct`` adjusts for the
    S (S - 1) / 2 comparisons after Holm, which wants ``resamples`` well above their number / alpha. One topic
    tells nothing of others: all p-values are NaN then, and nothing is significant.

    Kamps et al. (SIGIR 2007), Tables 1 and 2.
    """
    values = scores.to_numpy(dtype=float)
    if np.isnan(values).any():
        raise ValueError("a system lacks a topic: tests compare systems topic by topic")
    mean = column_means(values) if pooled is None else pooled.numbers
    order = np.argsort(-mean, kind="stable")
    high, low = np.triu_indices(len(order), k=1)
    if len(values) < 2:
        p = np.full(len(high), np.nan)
    elif pooled is None:
        differences = values[:, order[high]] - values[:, order[low]]
        p = TESTS[test](differences, resamples, seed, two_tailed=two_tailed)
    else:
        p = pooled.differences(order[low], order[high]).p_values(test, resamples, seed, two_tailed=two_tailed)
    unadjusted = np.full((len(order), len(order)), np.nan)
    p_value = unadjusted.copy()
    unadjusted[high, low], p_value[high, low] = p, holm(p) if correct else p
    names = [str(scores.columns[i]) for i in order]
    return Significance(names, mean[order], p_value, alpha, test, correct, unadjusted)


def mean_intervals(
    values: Floats,
    *,
    level: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
    test: str | None = "randomisation",
) -> tuple[Floats, Floats]:
    """The intervals of the means of values (n topics, P): lower and upper limits (P,).

    They hold every mean that the two-tailed test (one of `TESTS`) does not reject at 1 - ``level``: that of a mean
    difference leaves 0 out where p <= 1 - ``level``, and only there.

    - ``randomisation``, also for None: from the m-th lowest to the m-th highest of the means of all 2^n - 1 subsets of
      the topics, m = floor(2^n (1 - level) / 2); of more than 16 topics, of the random subsets whose signs the test
      changes, and of the rest of each (Hartigan, JASA 64, 1969). They are never beyond the lowest and highest value;
    - ``t-test``: ``mean -+ t s / sqrt(n)``, t of n - 1 degrees of freedom;
    - ``bootstrap``: percentiles of the means of resamples, which are too narrow for few topics.

    NaN for a single topic, for equal values, which tell nothing of others, and where the test rejects nothing: on fewer
    than 6 topics at 0.95.
    """
    topics, columns = values.shape
    limits = np.full((2, columns), np.nan)
    if topics < 2:
        return limits[0], limits[1]
    if test == "t-test":
        from scipy import special

        half = special.stdtrit(topics - 1, (1 + level) / 2) * values.std(axis=0, ddof=1) / np.sqrt(topics)
        half[np.ptp(values, axis=0) <= TOLERANCE] = np.nan
        mean = values.mean(axis=0)
        return mean - half, mean + half
    if test == "bootstrap":
        for part, total in _blocks(times_drawn(topics, resamples, seed), values):
            limits[:, part] = limits_of(total / topics, 1 + resamples, level)
        return limits[0], limits[1]
    flips, exact = flips_of(topics, resamples, seed)
    for part, total in _blocks(flips.astype(float), values):
        sums, sizes, count = of_subsets(total, flips, values[:, part].sum(axis=0), exact=exact)
        limits[:, part] = limits_of(sums / sizes[:, None], count, level)
    return limits[0], limits[1]


def of_subsets(sums: Floats, flips: Ints, total: Floats, *, exact: bool) -> tuple[Floats, Ints, int]:
    """Sums over subsets of topics, their sizes, and how many subsets there are with the empty ones, which are left out.

    ``sums`` (B, …) are over the topics that ``flips`` (B, n) has as 1. Unless these are all subsets, the rest of each
    is added, and all topics and none of them, which the test counts as what was observed.
    """
    size = flips.sum(axis=1, dtype=int)
    if not exact:
        sums = np.concatenate([sums, total - sums, total[None]])
        size = np.concatenate([size, flips.shape[1] - size, [flips.shape[1]]])
    return sums[size > 0], size[size > 0], len(size) + (not exact)


def limits_of(drawn: Floats, count: int, level: float) -> Floats:
    """(2, P) what (1 - level) / 2 of ``count`` numbers are below and above, of those of them that are known (B, P).

    The others are below and above everything; NaN where they alone are as many, and where there is no spread.
    """
    place = int((1 - level) / 2 * count + 1e-9) - (count - len(drawn))
    if place < 0:
        return np.full((2, drawn.shape[1]), np.nan)
    in_order = np.array(drawn.T, order="C")
    in_order.sort()  # along memory: in less time than two places would be found
    limits: Floats = in_order.T[[place, -1 - place]]
    limits[np.abs(limits) <= TOLERANCE] = 0.0
    limits[:, limits[1] - limits[0] <= TOLERANCE] = np.nan
    return limits


def expanded(level: float, members: int) -> float:
    """The share of resamples below a percentile interval, and above it, that is as wide as one of the t distribution.

    ``Phi(-t sqrt(n / (n - 1)))``, t the quantile at (1 + level) / 2 of n - 1 degrees of freedom: resamples of n members
    vary by sqrt((n - 1) / n) as much as samples, and percentiles do not know of the t distribution (Hesterberg, The
    American Statistician 69, 2015, "expanded percentile interval").
    """
    from scipy import special

    t = special.stdtrit(members - 1, (1 + level) / 2)
    return float(special.ndtr(-t * np.sqrt(members / (members - 1))))


def confidence_intervals(
    scores: pd.DataFrame,
    *,
    level: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
    test: str | None = "randomisation",
    pooled: "Pooled | None" = None,
) -> pd.DataFrame:
    """The mean of every system with its interval over topics, as in `mean_intervals`.

    ``scores`` has a row per topic and a column per system; where counts are added up over topics, ``pooled`` has them.
    Columns of the result: run, mean, low, high.
    """
    if pooled is None:
        values = scores.to_numpy(dtype=float)
        mean = column_means(values)
        low, high = mean_intervals(values, level=level, resamples=resamples, seed=seed, test=test)
    else:
        mean = pooled.numbers
        low, high = pooled.interval(level, resamples, seed, test)
    runs = [str(run) for run in scores.columns]
    return pd.DataFrame({"run": runs, "mean": mean, "low": low, "high": high})
