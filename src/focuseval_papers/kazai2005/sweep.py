"""Sweeps of the XCG measures: their values, and how they rank runs, over alpha, cut-offs and ideal recall-bases."""

from itertools import pairwise, product
from typing import Any

import numpy as np
import pandas as pd

from focuseval.model.arrays import Floats
from focuseval.present.tables import MISSING
from focuseval.scoring import with_parameters
from focuseval.statistics.correlations import kendall
from focuseval.statistics.means import means_by
from focuseval_papers.kazai2005.settings import Sweep
from focuseval_papers.publication.frames import rows_of
from focuseval_papers.publication.paper import Context

#: measures at a rank, and those of the whole list; the first of each are swept over everything
AT_RANK, WHOLE = ("nxCG", "MAnxCG"), ("MAep", "iMAep", "Q", "R")

#: what tells one point of a sweep from another
POINT = ["ideal", "own_text", "alpha"]

#: differences of means up to this are none
_EQUAL = 1e-12


def reference(context: Context) -> tuple[str, str, float]:
    """The point of the sweep that all others are compared with: ideal, own_text, alpha."""
    sweep = context.settings.sweep
    return sweep.ideal[0], sweep.own_text[0], float(sweep.alphas[-1])


def cutoff(context: Context) -> int:
    """The cut-off of figures that show one: 25, or the configuration's first."""
    cutoffs = context.settings.sweep.cutoffs
    return 25 if 25 in cutoffs else cutoffs[0]


def sweep_measures(sweep: Sweep) -> tuple[str, ...]:
    """All measures at every alpha and cut-off, with overlap considered; nxCG and MAep for every ideal and own_text."""
    asked = []
    for ideal, own_text, alpha in product(sweep.ideal, sweep.own_text, sweep.alphas):
        setting = (
            f"quantisation={sweep.quantisation},overlap=on,ideal={ideal},own_text={own_text},alpha={alpha:g}"
        )
        everything = (ideal, own_text) == (sweep.ideal[0], sweep.own_text[0])
        at_rank, whole = (AT_RANK, WHOLE) if everything else (AT_RANK[:1], WHOLE[:1])
        asked += [f"{measure}({setting})" for measure in whole]
        asked += [f"{measure}({setting})@{rank}" for measure in at_rank for rank in sweep.cutoffs]
    return tuple(asked)


def swept_means(scores: pd.DataFrame) -> pd.DataFrame:
    """Every run at every point: columns ideal, own_text, alpha, measure, cutoff, run, value (mean over topics).

    Of a measure of the whole list the cut-off is missing.
    """
    found = with_parameters(scores, POINT)
    keys = [*POINT, "measure", "cutoff", "run"]
    found = found.assign(**{name: found[name].astype(str) for name in ("measure", "run")})
    mean = means_by(found, keys)
    return mean.astype({"cutoff": "Int64"})


def label(measure: str, rank: Any) -> str:
    """A measure with its cut-off, as in ``nxCG[25]``."""
    return measure if pd.isna(rank) else f"{measure}[{rank}]"


def named(swept: pd.DataFrame) -> pd.DataFrame:
    """A sweep with a column name: the measure with its cut-off."""
    names = [label(*key) for key in zip(swept["measure"], swept["cutoff"], strict=True)]
    return swept.assign(name=names)


def _columns(swept: pd.DataFrame) -> dict[tuple[Any, ...], "pd.Series[float]"]:
    """The values of the runs by point, measure and cut-off."""
    grouped = swept.groupby([*POINT, "measure", "cutoff"], sort=False, observed=True, dropna=False)
    return {key: part.set_index("run")["value"] for key, part in grouped}


def order_changed(a: Floats, b: Floats) -> int:
    """How many pairs of runs stand in another order under ``b`` than under ``a``, both (n,); ties are no order."""
    high, low = np.triu_indices(len(a), k=1)
    before, after = a[high] - a[low], b[high] - b[low]
    return int(((before * after < 0) & (np.minimum(np.abs(before), np.abs(after)) > _EQUAL)).sum())


def _tau(a: Floats, b: Floats) -> float:
    return kendall(a, b).coefficient if len(a) > 1 else float("nan")


def sweep_table(swept: pd.DataFrame, reference: tuple[str, str, float]) -> pd.DataFrame:
    """Each point of a sweep beside the reference (ideal, own_text, alpha), for each measure and cut-off.

    Columns ideal, own_text, alpha, measure, cutoff (missing for a measure of the whole list), runs; mean, lowest and
    highest of the runs' values; τ, Kendall's with the ranking at the reference; pairs of runs, and changed: how many of
    these stand in another order than there.
    """
    known = _columns(swept)
    rows = []
    for key, values in known.items():
        there = known[*reference, *key[3:]].loc[values.index]
        a, b = there.to_numpy(), values.to_numpy()
        pairs = len(a) * (len(a) - 1) // 2
        rows.append((*key, len(b), b.mean(), b.min(), b.max(), _tau(a, b), pairs, order_changed(a, b)))
    names = ["measure", "cutoff", "runs", "mean", "lowest", "highest", "τ", "pairs", "changed"]
    return pd.DataFrame(rows, columns=[*POINT, *names]).astype({"cutoff": "Int64"})


def order_table(swept: pd.DataFrame, reference: tuple[str, str, float]) -> pd.DataFrame:
    """Where the order of runs changes: each step of alpha, and of the cut-off at the reference's alpha.

    At the reference's ideal and own_text. Columns measure, at (the cut-off, or alpha), step, τ, pairs, changed, best
    before and best after, and the run that moves most with its ranks.
    """
    ideal, own_text, alpha = reference
    known = {key[2:]: values for key, values in _columns(swept).items() if key[:2] == (ideal, own_text)}
    alphas = sorted({key[0] for key in known})
    steps = []
    for measure, rank in dict.fromkeys(key[1:] for key in known):
        at = MISSING if pd.isna(rank) else f"cut-off {rank}"
        for a, b in pairwise(alphas):
            steps.append(
                (measure, at, f"alpha {a:g} → {b:g}", known[a, measure, rank], known[b, measure, rank])
            )
    for measure in dict.fromkeys(key[1] for key in known if not pd.isna(key[2])):
        ranks = sorted(key[2] for key in known if key[:2] == (alpha, measure))
        for a, b in pairwise(ranks):
            step = f"cut-off {a} → {b}"
            values = (known[alpha, measure, rank] for rank in (a, b))
            steps.append((measure, f"alpha {alpha:g}", step, *values))
    return pd.DataFrame(
        [(measure, at, step, *_step(before, after)) for measure, at, step, before, after in steps],
        columns=["measure", "at", "step", "τ", "pairs", "changed", "best_before", "best_after", "moves_most"],
    )


def _step(before: "pd.Series[float]", after: "pd.Series[float]") -> tuple[Any, ...]:
    """What one step does to the order of runs."""
    after = after.loc[before.index]
    a, b = before.to_numpy(), after.to_numpy()
    ranks = pd.DataFrame({"a": before, "b": after}).rank(ascending=False, method="min").astype(int)
    moved = (ranks["b"] - ranks["a"]).abs()
    most = moved.idxmax()
    told = f"{most}: {ranks['a'][most]} → {ranks['b'][most]}" if moved[most] else MISSING
    pairs = len(a) * (len(a) - 1) // 2
    return _tau(a, b), pairs, order_changed(a, b), before.idxmax(), after.idxmax(), told


def values_at(swept: pd.DataFrame, context: Context) -> pd.DataFrame:
    """The values of all runs at the reference's ideal and own_text, as `swept_means` has them."""
    ideal, own_text, _ = reference(context)
    return rows_of(swept, ideal=ideal, own_text=own_text)


def grid(values: pd.DataFrame, index: list[str]) -> pd.DataFrame:
    """Means over runs with the columns ``index`` and alpha in rows, and a column for each cut-off (``@25``).

    A measure of the whole list has a column of its own name.
    """
    ends = zip(values["measure"], values["cutoff"], strict=True)
    named = values.assign(at=[measure if pd.isna(rank) else f"@{rank}" for measure, rank in ends])
    columns = list(dict.fromkeys(named["at"]))
    table = named.pivot_table(index=[*index, "alpha"], columns="at", values="value", sort=False)
    return table[columns].rename_axis(columns=None).reset_index()


def best_run(swept: pd.DataFrame, context: Context) -> str:
    """The best run by MAep at the first alpha, with the reference's ideal and own_text.

    One that text seen again may well help: the best at the last alpha seldom returns any.
    """
    alpha = float(context.settings.sweep.alphas[0])
    values = values_at(swept, context)
    part = rows_of(values, alpha=alpha, measure="MAep")
    return str(part.set_index("run")["value"].idxmax())
