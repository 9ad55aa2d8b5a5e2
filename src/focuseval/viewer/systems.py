"""Data for comparing runs: means with intervals, and comparisons of runs with possible baselines."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from focuseval.measures.declaration import Spec
from focuseval.model.arrays import Floats
from focuseval.report.tables import decimals_of, short_names
from focuseval.statistics.comparisons import Method, differences, few_topics, systems
from focuseval.statistics.score_table import ScoreTable, score_tables
from focuseval.viewer.lists import rounded

#: up to this number of runs, every run can be the baseline; with more, the tests would take too long
MOST_BASELINES = 40


def system_columns(
    per_topic: pd.DataFrame,
    specs: Sequence[Spec[Any, Any]],
    topics: Sequence[str],
    baseline: str | None,
    method: Method,
) -> dict[str, Any]:
    """Return the values, means and comparisons of runs as columns for a page.

    ``per_topic`` contains the scores (`focuseval.scoring.score.Scores`), and ``topics`` lists all assessed topics. In
    the result, ``measures`` contains these columns for each measure:

    - ``values``: for each of R runs, a list with a value or None for each topic;
    - ``mean``, ``low`` and ``high``: the mean of each run and the limits of its interval (R,);
    - ``digits``: the number of decimals to show;
    - ``careful``: a list of warnings, empty unless there are few topics;
    - ``pairs``: comparisons of each baseline with each run, corrected for all ``tested`` pairs.

    ``baseline`` is the page's first baseline, and ``chosen`` states whether it is the argument ``baseline``.
    ``baselines`` lists the possible baselines. The list is empty if there is only one run or one topic.
    """
    by_name = {spec.name: spec for spec in specs}
    pools = {name: spec.number_of for name, spec in by_name.items() if spec.pooled}
    lower = [name for name, spec in by_name.items() if not spec.measure.higher_is_better]
    tables = score_tables(per_topic, by_name, pools, lower)
    runs = [str(run) for run in per_topic["run"].unique()]
    means = systems(tables, method)
    comparable = len(runs) > 1 and all(len(table.values) > 1 for table in tables.values())
    baselines = _baselines(runs, means, specs, baseline) if comparable else []
    of_system: dict[str, Any] = {}
    columns = ["mean", "low", "high"]
    for name, table in tables.items():
        of_name = means[means["measure"] == name].set_index("run").loc[runs]
        values = table.values.reindex(index=list(topics), columns=runs).to_numpy(dtype=float).T
        of_system[name] = {
            "values": [rounded(row) for row in values],
            **{column: rounded(of_name[column].to_numpy(dtype=float)) for column in columns},
            "digits": _digits(of_name),
            "careful": few_topics(len(table.values), method),
        }
    # each pair is tested once; for the reversed pair, the sign of the difference changes
    tested = sorted({(min(b, r), max(b, r)) for b in baselines for r in range(len(runs)) if b != r})
    if baselines:
        for name, pairs in _pairs(tables, runs, baselines, tested, method).items():
            of_system[name]["pairs"] = {key: [rounded(row) for row in c] for key, c in pairs.items()}
            of_system[name]["pairs"] |= {
                key: [[_short(p) for p in row] for row in pairs[key].tolist()] for key in ("p", "adjusted")
            }
    first = runs.index(baseline) if baseline in runs else _best_two(means, specs[0])[-1]
    return {
        "runs": runs,
        "short": short_names(runs),
        "measures": of_system,
        "baselines": baselines,
        "baseline": first,
        "chosen": baseline in runs,
        "tested": len(tested),
    }


def _digits(means: pd.DataFrame) -> int:
    """Return the number of decimals for a measure: at least three, and more for narrow intervals."""
    widths = (means["high"] - means["low"]).to_numpy(dtype=float)
    return max(3, decimals_of(means["mean"].to_numpy(dtype=float), widths)) if (widths > 0).any() else 3


def _short(p: float) -> float | None:
    """Return a p-value with four significant digits, or None for NaN."""
    return None if p != p else float(f"{p:.4g}")


def _baselines(
    runs: Sequence[str], means: pd.DataFrame, specs: Sequence[Spec[Any, Any]], baseline: str | None
) -> list[int]:
    """Return the indexes of the runs that can be baselines.

    With more than `MOST_BASELINES` runs, these are the best run by each measure and the page's first baseline.
    """
    if len(runs) <= MOST_BASELINES:
        return list(range(len(runs)))
    first = runs.index(baseline) if baseline in runs else _best_two(means, specs[0])[-1]
    return sorted({first, *(_best_two(means, spec)[0] for spec in specs)})


def _best_two(means: pd.DataFrame, spec: Spec[Any, Any]) -> list[int]:
    """Return the indexes of the best run and the runner-up by rounded mean. Tied runs keep their order."""
    mean = np.array(rounded(means.loc[means["measure"] == spec.name, "mean"].to_numpy(dtype=float)))
    order = np.argsort(-mean if spec.measure.higher_is_better else mean, kind="stable")
    return [int(place) for place in order[:2]]


def _pairs(
    tables: Mapping[str, ScoreTable],
    runs: Sequence[str],
    baselines: Sequence[int],
    pairs: Sequence[tuple[int, int]],
    method: Method,
) -> dict[str, dict[str, Floats]]:
    """Compare each of B baselines with each of R runs. Return, by measure, columns of the comparisons (B, R).

    The comparison of a baseline with itself is NaN.
    """
    first, second = np.array(pairs).T
    run_pairs = [(runs[one], runs[other]) for one, other in pairs]
    rows = differences(tables, method=replace(method, one_tailed=False), pairs=run_pairs)
    by_measure = {}
    for measure, own in rows.groupby("measure", sort=False):
        names = ["low", "high", "p", "p_adjusted", "wins", "losses"]
        low, high, p, adjusted, wins, losses = own[names].to_numpy(dtype=float).T
        columns = {"low": (low, -high), "high": (high, -low), "p": (p, p), "adjusted": (adjusted, adjusted)}
        columns |= {"wins": (wins, losses), "losses": (losses, wins)}
        squares = {}
        for name, (onwards, turned) in columns.items():
            square = np.full((len(runs), len(runs)), np.nan)
            square[first, second], square[second, first] = onwards, turned
            squares[name] = square[list(baselines)]
        by_measure[str(measure)] = squares
    return by_measure
