"""Runs under measures: means with intervals, and every run against every possible baseline."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from focuseval.measures.declaration import Spec
from focuseval.model.arrays import Floats
from focuseval.report.tables import short_names
from focuseval.statistics.comparisons import Method, differences, few_topics, systems
from focuseval.statistics.score_table import ScoreTable, score_tables
from focuseval.viewer.lists import rounded

#: with more runs than these, only one is a baseline: every pair of them would be tested
MOST_BASELINES = 40


def system_columns(
    per_topic: pd.DataFrame,
    specs: Sequence[Spec[Any, Any]],
    topics: Sequence[str],
    baseline: str | None,
    method: Method,
) -> dict[str, Any]:
    """Values, means and comparisons of runs as columns for a page, from `focuseval.scoring.score.Scores.per_topic`.

    ``specs`` are the measures, ``topics`` all that are assessed, in their order.

    ``measures`` has, for each measure by its canonical name: ``values`` (R runs × T topics, None where nothing is
    relevant), ``mean``, ``low`` and ``high`` (R,), ``careful``, what there is to say of few topics, and ``pairs``:
    ``low``, ``high`` (of the difference to the baseline), ``p`` (corrected over what one baseline is compared with
    under all measures, as `focuseval.compare` does), ``wins`` and ``losses`` by baseline and run. ``baselines`` are
    the runs that can be one; none where there is one run or one topic.
    """
    named = {spec.name: spec for spec in specs}
    pools = {name: spec.number_of for name, spec in named.items() if spec.pooled}
    lower = [name for name, spec in named.items() if not spec.measure.higher_is_better]
    tables = score_tables(per_topic, named, pools, lower)
    runs = [str(run) for run in per_topic["run"].unique()]
    means = systems(tables, method)
    comparable = len(runs) > 1 and all(len(table.values) > 1 for table in tables.values())
    baselines = _baselines(runs, means, specs[0], baseline) if comparable else []
    found: dict[str, Any] = {}
    for name, table in tables.items():
        of_name = means[means["measure"] == name].set_index("run").loc[runs]
        values = table.values.reindex(index=list(topics), columns=runs).to_numpy(dtype=float).T
        found[name] = {
            "values": [rounded(row) for row in values],
            **{column: rounded(of_name[column].to_numpy(dtype=float)) for column in ("mean", "low", "high")},
            "careful": few_topics(len(table.values)),
        }
    if baselines:
        pairs = _pairs(tables, runs, baselines, method)
        raw = np.stack([of["p"] for of in pairs.values()], axis=1)  # (B, measures, R)
        for at, baseline_run in enumerate(baselines):
            others = np.arange(len(runs)) != baseline_run
            raw[at][:, others] = method.adjusted(raw[at][:, others].ravel()).reshape(len(tables), -1)
        for place, name in enumerate(tables):
            found[name]["pairs"] = {key: [rounded(row) for row in c] for key, c in pairs[name].items()}
            found[name]["pairs"]["p"] = [[_short(p) for p in row] for row in raw[:, place].tolist()]
    # where the best alone can be compared with, it is
    first = runs.index(baseline) if baseline in runs else baselines[0] if len(baselines) == 1 else 0
    return {
        "runs": runs,
        "short": short_names(runs),
        "measures": found,
        "baselines": baselines,
        "baseline": first,
    }


def _short(p: float) -> float | None:
    """A p-value with four digits, of which none is lost near 0; None for the baseline itself."""
    return None if p != p else float(f"{p:.4g}")


def _baselines(
    runs: Sequence[str], means: pd.DataFrame, spec: Spec[Any, Any], baseline: str | None
) -> list[int]:
    """The places of the runs that can be baselines: all, or the one that is asked for, or else the best."""
    if len(runs) <= MOST_BASELINES:
        return list(range(len(runs)))
    first = means[means["measure"] == spec.name]
    best = first["mean"].idxmax() if spec.measure.higher_is_better else first["mean"].idxmin()
    return [runs.index(baseline or str(first.loc[best, "run"]))]


def _pairs(
    tables: Mapping[str, ScoreTable], runs: Sequence[str], baselines: Sequence[int], method: Method
) -> dict[str, dict[str, Floats]]:
    """What is known of every run against every baseline under each measure, (B, R) each: NaN of a baseline itself."""
    # of two runs one difference is drawn: turned around it is that of the other
    pairs = sorted({(min(b, r), max(b, r)) for b in baselines for r in range(len(runs)) if b != r})
    first, second = np.array(pairs).T
    named = [(runs[one], runs[other]) for one, other in pairs]
    rows = differences(tables, method=replace(method, one_tailed=False, correction="none"), pairs=named)
    found: dict[str, dict[str, Floats]] = {}
    for measure, of in rows.groupby("measure", sort=False):
        low, high, p, wins, losses = of[["low", "high", "p", "wins", "losses"]].to_numpy(dtype=float).T
        columns = {"low": (low, -high), "high": (high, -low)}
        columns |= {"wins": (wins, losses), "losses": (losses, wins), "p": (p, p)}
        for name, (onwards, turned) in columns.items():
            square = np.full((len(runs), len(runs)), np.nan)
            square[first, second], square[second, first] = onwards, turned
            found.setdefault(str(measure), {})[name] = square[list(baselines)]
    return found
