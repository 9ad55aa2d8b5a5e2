"""From scores, judgements and results to the numbers that tables, figures and findings show."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from focuseval.model.results import Results
from focuseval.papers.goevert2006.names import ARTICLE, METRICS, NON_ARTICLE
from focuseval.present.tables import beside
from focuseval.quantisation import four_point

#: what tells one correlation from another, as in the table of printed ones
KEYS = [
    "table",
    "metric_a",
    "metric_b",
    "quantisation_a",
    "quantisation_b",
    "result_set_a",
    "result_set_b",
]


def _names(quantisations: Sequence[str]) -> pd.DataFrame:
    """Columns measure, metric, quantisation."""
    rows = [(measure.format(q), metric, q) for metric, measure in METRICS.items() for q in quantisations]
    return pd.DataFrame(rows, columns=["measure", "metric", "quantisation"])


def average_precision(
    scores: pd.DataFrame, quantisations: Sequence[str], by: Sequence[str] = ()
) -> pd.DataFrame:
    """Columns metric, quantisation, ``by``, run, average_precision: means over topics of tidy scores.

    ``scores`` has the columns run, topic, measure, value and those of ``by``, which keep result sets
    apart; measures other than the paper's are left out.
    """
    keys = ["measure", *by, "run"]
    mean = scores.groupby(keys, sort=False, observed=True)["value"].mean().reset_index()
    table = _names(quantisations).merge(mean, on="measure")
    table = table.rename(columns={"value": "average_precision"})
    return table[["metric", "quantisation", *by, "run", "average_precision"]]


def recall_precision_curves(scores: pd.DataFrame, quantisations: Sequence[str]) -> pd.DataFrame:
    """Columns metric, quantisation, run, recall, precision: means over topics of ``MEASURE@recall``."""
    stem, _, level = scores["measure"].astype(str).str.rpartition("@").to_numpy().T
    points = pd.DataFrame({"measure": stem, "run": scores["run"].astype(str), "precision": scores["value"]})
    points = points[stem != ""]
    points["recall"] = level[stem != ""].astype(float)
    mean = points.groupby(["measure", "run", "recall"], sort=False)["precision"].mean().reset_index()
    table = _names(quantisations).merge(mean, on="measure").sort_values("recall", kind="stable")
    table = table.sort_values(["metric", "quantisation", "run"], kind="stable", ignore_index=True)
    return table[["metric", "quantisation", "run", "recall", "precision"]]


def judged(judgements: pd.DataFrame, scale: str) -> pd.DataFrame:
    """How many elements were judged (exh, spec), at article level (document roots) and below.

    ``judgements`` has a row per judged element: node (0 for document roots), exhaustivity, specificity
    on ``scale``. Columns level, exh, spec (0..3, see `focuseval.quantisation.four_point`), count; the ten
    pairs of Table 1 in its order, for each level.
    """
    e, s = four_point(judgements["exhaustivity"].to_numpy(), judgements["specificity"].to_numpy(), scale)
    level = np.where(judgements["node"].to_numpy() == 0, ARTICLE, NON_ARTICLE)
    pairs = [(e, s) for e in (3, 2, 1) for s in (3, 2, 1)] + [(0, 0)]
    rows = [
        (name, exh, spec, int(((level == name) & (e == exh) & (s == spec)).sum()))
        for name in (ARTICLE, NON_ARTICLE)
        for exh, spec in pairs
    ]
    return pd.DataFrame(rows, columns=["level", "exh", "spec", "count"])


def overlap(results: Results, size: int) -> pd.DataFrame:
    """How much the results of each run repeat text, when lists are cut at ``size`` results.

    Columns run, results (in all topics), overlapping (those whose text, or a part of it, stands in an
    earlier result of the same list).
    """
    totals = {str(run): [0, 0] for run in results.runs}
    for found in results.lists():
        totals[found.run][0] += min(len(found), size)
        totals[found.run][1] += int((found.new_text < found.size)[:size].sum())
    return pd.DataFrame([(run, *n) for run, n in totals.items()], columns=["run", "results", "overlapping"])


def _comparisons(
    quantisations: Sequence[str], result_sets: Mapping[str, str]
) -> Iterator[tuple[object, ...]]:
    """What Tables 2-5 correlate, in the order they print it, as rows of `KEYS`."""
    by_size = [(b, a) for a, b in combinations(result_sets, 2) if result_sets[a] == result_sets[b]]
    for metric in METRICS:
        for q in quantisations:
            yield from ((2, metric, metric, q, q, a, b) for a, b in by_size)
    for metric in METRICS:
        for p, q in combinations(quantisations, 2):
            yield from ((3, metric, metric, p, q, of, of) for of in result_sets)
    for q in quantisations:
        yield from ((4, "INEX 2003s", "INEX 2003o", q, q, of, of) for of in result_sets)
    for other in ("INEX 2003s", "INEX 2003o"):
        for q in quantisations:
            yield from ((5, "INEX 2002", other, q, q, of, of) for of in result_sets)


def correlations(
    average: pd.DataFrame, quantisations: Sequence[str], result_sets: Mapping[str, str], printed: pd.DataFrame
) -> pd.DataFrame:
    """Tables 2-5: correlations between the average precision of all runs under two settings.

    ``average`` has the columns of `average_precision` and result_set. ``result_sets`` gives each result
    set's campaign, longest first; result sets of one campaign are compared with each other (Table 2). A
    result set without scores keeps its rows, with NaN. Columns: `table`, `metric_a` … `result_set_b` as
    in the printed table, runs, pearson_r, printed, difference, kendall_τ, spearman_ρ.
    """
    from focuseval.statistics.correlations import kendall, pearson, spearman

    columns = average.pivot_table(
        index="run", columns=["metric", "quantisation", "result_set"], values="average_precision", sort=False
    )
    rows = []
    for table, metric_a, metric_b, q_a, q_b, set_a, set_b in _comparisons(quantisations, result_sets):
        a, b = (metric_a, q_a, set_a), (metric_b, q_b, set_b)
        runs, found = 0, (np.nan, np.nan, np.nan)
        if a in columns and b in columns:
            both = columns[[a, b]].dropna().to_numpy()
            runs = len(both)
            if runs >= 2:
                x, y = both.T
                found = pearson(x, y).r, kendall(x, y).coefficient, spearman(x, y).coefficient
        rows.append((table, metric_a, metric_b, q_a, q_b, set_a, set_b, runs, *found))
    names = [*KEYS, "runs", "pearson_r", "kendall_τ", "spearman_ρ"]
    table = beside(pd.DataFrame(rows, columns=names), printed, KEYS, "pearson_r")
    return table[[*KEYS, "runs", "pearson_r", "printed", "difference", "kendall_τ", "spearman_ρ"]]
