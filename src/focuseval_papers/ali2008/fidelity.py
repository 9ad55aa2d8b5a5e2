"""The study of fidelity: does SRP put perturbed runs in the expected order?

Its arrays have the six versions of L lists in the order that the paper expects (`EXPECTED`), best first.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np
import pandas as pd

from focuseval.model.arrays import Bools, Floats
from focuseval.statistics.correlations import Correlation, spearman
from focuseval.statistics.means import column_means
from focuseval.statistics.significance import mean_intervals
from focuseval.transformations.perturbations import EXPECTED, ORIGINAL
from focuseval_papers.ali2008.partly import Units, perturbed
from focuseval_papers.publication.frames import stacked

#: differences up to this are rounding
ROUNDING = 1e-12

#: the versions between the best and the worst one, which alone would make a correlation
MIDDLE = slice(1, -1)

#: what is expected to be no worse than what: neighbours in the expected order, and each version beside the original
PAIRS = tuple(
    dict.fromkeys(
        [
            *pairwise(EXPECTED),
            *((version, ORIGINAL) for version in EXPECTED[: EXPECTED.index(ORIGINAL)]),
            *((ORIGINAL, version) for version in EXPECTED[EXPECTED.index(ORIGINAL) + 1 :]),
        ]
    )
)

#: the frames of both studies, by task and cut-off
FRAMES = {
    "fidelity": ["level", "name", "coefficient", "p_value", "middle", "middle_p", "lists", "as_expected"],
    "steps": ["step", "mean_better", "mean_worse", "higher_%", "equal_%", "lower_%", "holds_%"],
    "by_topic": ["topic", *EXPECTED],
    "versions": list(EXPECTED),
    "by_draw": ["draw", "coefficient", "middle", "as_expected", *EXPECTED],
}


def version(name: str) -> str:
    """How a version is written: S0, (i)."""
    return name if name == ORIGINAL else f"({name})"


def observed_orders(values: Floats) -> Floats:
    """(L, V) ranks among the versions of each list, 1 for the highest value of SRP (L, V).

    Values that agree to twelve decimals are equal, and share their mean rank.
    """
    from scipy.stats import rankdata

    ranks: Floats = rankdata(-np.round(values, 12), axis=1)
    return ranks


def agreement(values: Floats) -> Correlation:
    """Spearman's rho of the expected and the observed ranks of all versions of all lists (L, V), pooled."""
    lists, versions = values.shape
    return spearman(np.tile(np.arange(versions), lists), observed_orders(values).ravel())


def as_expected(values: Floats) -> Bools:
    """(L,) whether SRP never rises along the expected order."""
    return np.asarray((np.diff(values, axis=1) <= ROUNDING).all(axis=1))


def fidelity(wide: pd.DataFrame) -> pd.DataFrame:
    """Does SRP put perturbed runs in the expected order? Figure 6 and Table 3, C.

    ``wide`` has an index of run and topic, and SRP of the versions (`EXPECTED`) as columns, at one cut-off. Spearman's
    rho between expected and observed ranks, pooled over all runs and topics, over the runs of each topic (Figure 6),
    and over the topics of each run. Returns level (overall, topic, run), name, coefficient, p_value (two-tailed),
    middle and middle_p (the same of the middle four versions alone), lists (pairs of run and topic), as_expected (the
    share of lists whose values never rise along the expected order).
    """
    groups = [("overall", "all", wide)]
    groups += [(of, str(name), part) for of in ("topic", "run") for name, part in wide.groupby(level=of)]
    rows = []
    for level, name, part in groups:
        values = part[list(EXPECTED)].to_numpy(float)
        whole, middle = agreement(values), agreement(values[:, MIDDLE])
        rhos = whole.coefficient, whole.p_value, middle.coefficient, middle.p_value
        rows.append((level, name, *rhos, len(values), float(as_expected(values).mean())))
    return pd.DataFrame(rows, columns=FRAMES["fidelity"])


def fidelity_steps(wide: pd.DataFrame) -> pd.DataFrame:
    """Each step of the expected order by itself: means of both sides, and in how many lists it holds, in per cent.

    ``wide`` as for `fidelity`. Columns step, mean_better, mean_worse (over runs and topics), and the shares of lists
    where the first side is higher, equal, lower, and where it holds (higher or equal).
    """
    rows = []
    for better, worse in pairwise(EXPECTED):
        gain = wide[better] - wide[worse]
        shares = (gain > ROUNDING).mean(), (gain.abs() <= ROUNDING).mean(), (gain < -ROUNDING).mean()
        step = f"{version(better)} ≥ {version(worse)}"
        in_percent = [100 * float(share) for share in (*shares, sum(shares[:2]))]
        rows.append((step, wide[better].mean(), wide[worse].mean(), *in_percent))
    return pd.DataFrame(rows, columns=FRAMES["steps"])


def gains(by_topic: pd.DataFrame, resamples: int, seed: int) -> pd.DataFrame:
    """Mean differences of versions (`PAIRS`) over topics, with their intervals.

    ``by_topic`` from both studies, with the column perturbed. Columns task, cutoff, perturbed, difference, mean, low,
    high: the 95 % interval over topics (`mean_intervals`).
    """
    keys = ["perturbed", "task", "cutoff"]
    tables = []
    for key, part in by_topic.groupby(keys, sort=False):
        better, worse = (part[list(side)].to_numpy(float) for side in zip(*PAIRS, strict=True))
        low, high = mean_intervals(better - worse, resamples=resamples, seed=seed)
        columns = {"mean": column_means(better - worse), "low": low, "high": high}
        names = [f"{version(better)} − {version(worse)}" for better, worse in PAIRS]
        tables.append(
            pd.DataFrame({"difference": names, **columns}).assign(**dict(zip(keys, key, strict=True)))
        )
    return stacked(tables, ["task", "cutoff", "perturbed", "difference", "mean", "low", "high"])


#: task, cut-off, and frames of `FRAMES` by name
Studied = tuple[str, int, Mapping[str, pd.DataFrame]]


def perturbed_in_full(task: str, scores: pd.DataFrame) -> Iterator[Studied]:
    """The study of runs perturbed in full, at every cut-off.

    ``scores`` has the columns cutoff, run, topic, version, value. The frames are those of `fidelity` and
    `fidelity_steps`, by_topic (a column for each version: mean SRP over runs), and versions.
    """
    for cutoff, part in scores.groupby("cutoff"):
        wide = part.pivot(index=["run", "topic"], columns="version", values="value")
        frames = {
            "fidelity": fidelity(wide),
            "steps": fidelity_steps(wide),
            "by_topic": wide.groupby(level="topic")[list(EXPECTED)].mean().reset_index(),
            "versions": wide.mean().to_frame().T,
        }
        yield task, cutoff, frames


def perturbed_in_part(
    task: str, units: Units, cutoffs: Sequence[int], *, share: float, draws: int, seed: int
) -> Iterator[Studied]:
    """The study of runs perturbed in part, in many draws, at every cut-off.

    The frames are by_draw (coefficient, middle, as_expected: of all lists, as in `fidelity`; mean SRP of each
    version), and by_topic (as in `perturbed_in_full`, means over runs and draws).
    """
    values = np.empty((draws, len(units.lists), len(EXPECTED), len(cutoffs)))
    for name, draw, reached in perturbed(units, cutoffs, share=share, draws=draws, seed=seed):
        values[slice(None) if draw == 0 else draw - 1, :, EXPECTED.index(name)] = reached
    topic = units.lists["topic"].to_numpy()
    for cutoff, at in zip(cutoffs, np.moveaxis(values, -1, 0), strict=True):
        rows = []
        for draw, one in enumerate(at):
            rhos = agreement(one).coefficient, agreement(one[:, MIDDLE]).coefficient
            rows.append((draw, *rhos, as_expected(one).mean(), *one.mean(axis=0)))
        of_lists = pd.DataFrame(at.mean(axis=0), columns=list(EXPECTED))
        by_topic = of_lists.groupby(topic).mean().rename_axis("topic").reset_index()
        yield task, cutoff, {"by_draw": pd.DataFrame(rows, columns=FRAMES["by_draw"]), "by_topic": by_topic}


def together(studied: Sequence[Studied], name: str) -> pd.DataFrame:
    """One of the frames of all tasks and cut-offs, with the columns task and cutoff."""
    tables = [frames[name].assign(task=task, cutoff=cutoff) for task, cutoff, frames in studied]
    return stacked(tables, ["task", "cutoff", *FRAMES[name]])
