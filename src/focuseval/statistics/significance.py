"""Which systems differ: tests, their correction for many pairs, and confidence intervals.

Tests compare systems topic by topic. Everything that is drawn at random takes a seed, and all pairs of
systems share the same resamples, so that equal inputs give equal outputs in any order of the pairs.
Imported by analyses only: SciPy is slow to start, and scoring does without.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from focuseval.model.arrays import Bools, Floats

#: means this close to each other (or to 0) are taken as equal: rounding is no evidence
TOLERANCE = 1e-12

#: topics up to which the randomisation test goes through all 2^n assignments of signs
EXACT_TOPICS = 16


def score_table(per_topic: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Topics × runs of one measure, from the tidy table of `focuseval.scoring.Scores`.

    Raises ValueError if a run lacks a topic: tests compare systems topic by topic.
    """
    part = per_topic[per_topic["measure"] == measure]
    table = part.pivot(index="topic", columns="run", values="value")
    table = table.loc[part["topic"].unique(), part["run"].unique()]
    if table.isna().to_numpy().any():
        lacking = ", ".join(str(run) for run in table.columns[table.isna().any()])
        raise ValueError(f"{measure}: {lacking} lack topics that others have: average over assessed topics")
    return table


def _resampled(values: Floats, resamples: int, seed: int) -> Floats:
    """(B, P) means of B resamples of the n rows of values (n, P), drawn with replacement."""
    topics = len(values)
    drawn = np.random.default_rng(seed).integers(0, topics, size=(resamples, topics))
    flat = (drawn + topics * np.arange(resamples)[:, None]).ravel()
    times = np.bincount(flat, minlength=resamples * topics).reshape(resamples, topics)
    return times.astype(float) @ values / topics


def paired_bootstrap(differences: Floats, resamples: int = 1000, seed: int = 0) -> Floats:
    """One-tailed p-values of mean differences above 0, by the bootstrap.

    ``p = (1 + #{b: mean of resample b <= 0}) / (1 + B)``: topics are drawn with replacement, B times, and
    the p-value is the share of resamples in which the improvement vanishes (percentile method: p <= 0.05
    says that the lower limit of the one-sided 95 % interval of the mean difference is above 0). The
    differences are not shifted to a null hypothesis. No p-value is below 1 / (1 + B).

    Shapes: differences (n topics, P pairs); result (P,). Kamps et al. (SIGIR 2007), Section 3.
    """
    return (1 + (_resampled(differences, resamples, seed) <= TOLERANCE).sum(axis=0)) / (1 + resamples)


def paired_randomisation(differences: Floats, resamples: int = 1000, seed: int = 0) -> Floats:
    """One-tailed p-values of mean differences above 0, by the paired randomisation (sign-flip) test.

    Under the null hypothesis either system may have had either score, so each difference has either sign.
    With up to 16 topics all 2^n signs are gone through: ``p = #{mean >= observed} / 2^n``; with more, B
    random ones: ``p = (1 + #{mean >= observed}) / (1 + B)``.

    Shapes: differences (n topics, P pairs); result (P,).
    """
    topics = len(differences)
    exact = topics <= EXACT_TOPICS
    draws = 1 << topics if exact else resamples
    rng = np.random.default_rng(seed)
    reached = np.zeros(differences.shape[1], dtype=np.int64)
    observed = differences.mean(axis=0) - TOLERANCE
    block = 4096
    for begin in range(0, draws, block):
        count = min(block, draws - begin)
        if exact:
            flips = np.arange(begin, begin + count)[:, None] >> np.arange(topics) & 1
        else:
            flips = rng.integers(0, 2, size=(count, topics))
        reached += ((1.0 - 2.0 * flips) @ differences / topics >= observed).sum(axis=0)
    return reached / draws if exact else (1 + reached) / (1 + draws)


def paired_t(differences: Floats) -> Floats:
    """One-tailed p-values of mean differences above 0, by the paired t-test; 1 where nothing differs.

    Shapes: differences (n topics, P pairs); result (P,).
    """
    from scipy import stats

    p_value = (differences.mean(axis=0) <= TOLERANCE).astype(float)  # where all differences are equal
    spread = np.ptp(differences, axis=0) > TOLERANCE
    if spread.any():
        p_value[spread] = stats.ttest_1samp(differences[:, spread], 0, alternative="greater").pvalue
    return p_value


def holm(p_values: Floats) -> Floats:
    """P-values adjusted for all comparisons made (Holm 1979): ``max_(k<=i) min(1, (m - k + 1) p_(k))``."""
    order = np.argsort(p_values, kind="stable")
    steps = len(p_values) - np.arange(len(p_values))
    adjusted = np.empty(len(p_values))
    adjusted[order] = np.maximum.accumulate(np.minimum(steps * p_values[order], 1.0))
    return adjusted


#: tests of significance by name: (differences, resamples, seed) -> p-values
TESTS: dict[str, Callable[[Floats, int, int], Floats]] = {
    "bootstrap": paired_bootstrap,
    "randomisation": paired_randomisation,
    "t-test": lambda differences, resamples, seed: paired_t(differences),
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
) -> Significance:
    """Whether each system improves significantly on each lower ranked one.

    ``scores`` has a row per topic and a column per system. Systems are ranked by their means (equal means
    keep the order of the columns). One-tailed tests, significant for p <= alpha; ``correct`` adjusts for the
    S (S - 1) / 2 comparisons after Holm, which wants ``resamples`` well above their number / alpha.

    Kamps et al. (SIGIR 2007), Tables 1 and 2.
    """
    values = scores.to_numpy(dtype=float)
    if np.isnan(values).any():
        raise ValueError("a system lacks a topic: tests compare systems topic by topic")
    mean = values.mean(axis=0)
    order = np.argsort(-mean, kind="stable")
    values = values[:, order]
    high, low = np.triu_indices(len(order), k=1)
    p = TESTS[test](values[:, high] - values[:, low], resamples, seed)
    p_value = np.full((len(order), len(order)), np.nan)
    p_value[high, low] = holm(p) if correct else p
    return Significance([str(scores.columns[i]) for i in order], mean[order], p_value, alpha, test, correct)


def confidence_intervals(
    scores: pd.DataFrame, *, level: float = 0.95, resamples: int = 1000, seed: int = 0
) -> pd.DataFrame:
    """The mean of every system with its bootstrap percentile interval over topics.

    ``scores`` has a row per topic and a column per system. Columns of the result: run, mean, low, high.
    """
    values = scores.to_numpy(dtype=float)
    tail = (1 - level) / 2
    low, high = np.quantile(_resampled(values, resamples, seed), [tail, 1 - tail], axis=0)
    runs = [str(run) for run in scores.columns]
    return pd.DataFrame({"run": runs, "mean": values.mean(axis=0), "low": low, "high": high})
