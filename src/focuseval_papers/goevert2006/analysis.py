"""What is computed on a campaign: average precision, correlations, judgements and overlap."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from focuseval.model.results import Results
from focuseval.present.tables import beside
from focuseval.quantisation import four_point
from focuseval.scoring import with_parameters
from focuseval.statistics.estimates import Sample
from focuseval.statistics.means import means_by
from focuseval.statistics.weighted import pearson_of

#: the paper's metrics as measures, up to the quantisation, by the paper's names
METRICS = {
    "INEX 2002": "precall(quantisation={})",
    "INEX 2003s": "inex2003(variant=s,quantisation={})",
    "INEX 2003o": "inex2003(variant=o,quantisation={})",
}

ARTICLE, NON_ARTICLE = "article", "non-article"

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

#: draws the runs of a campaign: from its role ("campaign", "earlier") and their names
Draw = Callable[[str, Sequence[str]], Sample]


def _by_metric(scores: pd.DataFrame, quantisations: Sequence[str]) -> pd.DataFrame:
    """The scores under the paper's measures, with the columns metric and quantisation, in the paper's order."""
    found = with_parameters(scores, ["variant", "quantisation"])
    labels = {"precall": "INEX 2002", "s": "INEX 2003s", "o": "INEX 2003o"}
    metric = found["variant"].fillna(found["measure"].astype(str)).map(labels)
    found = found.assign(
        metric=pd.Categorical(metric, list(METRICS), ordered=True),
        quantisation=pd.Categorical(found["quantisation"], quantisations, ordered=True),
        run=found["run"].astype(str),
    )
    return found.dropna(subset=["metric", "quantisation"])


def average_precision(scores: pd.DataFrame, quantisations: Sequence[str]) -> pd.DataFrame:
    """Columns metric, quantisation, run, average_precision: means over topics of tidy scores.

    Metrics and quantisations stand in the paper's order, runs as they come; other measures, and precision at
    levels, are left out.
    """
    return means_by(by_topic(scores, quantisations), ["metric", "quantisation", "run"], "average_precision")


def by_topic(scores: pd.DataFrame, quantisations: Sequence[str]) -> pd.DataFrame:
    """Columns metric, quantisation, run, topic, average_precision, in the order of `average_precision`."""
    part = _by_metric(scores[scores["cutoff"].isna()], quantisations)
    table = part.sort_values(["metric", "quantisation"], kind="stable").rename(
        columns={"value": "average_precision"}
    )
    table = table.astype({"metric": str, "quantisation": str, "topic": str}).reset_index(drop=True)
    return table[["metric", "quantisation", "run", "topic", "average_precision"]]


def recall_precision_curves(scores: pd.DataFrame, quantisations: Sequence[str]) -> pd.DataFrame:
    """Columns metric, quantisation, run, recall, precision: means over topics of precision at recall levels."""
    part = _by_metric(scores[scores["cutoff"].notna()], quantisations).astype(
        {"metric": str, "quantisation": str}
    )
    keys = ["metric", "quantisation", "run", "cutoff"]
    mean = means_by(part, keys).sort_values(keys, ignore_index=True)
    return mean.rename(columns={"cutoff": "recall", "value": "precision"})


def judged(judgements: pd.DataFrame, scale: str) -> pd.DataFrame:
    """How many elements were judged (exh, spec), at article level (document roots) and below, by topic.

    ``judgements`` has the columns topic, node (0 for a document's root), and exhaustivity and specificity on
    ``scale``. Columns topic, level, exh, spec (0..3, see `focuseval.quantisation.four_point`), count; for each
    topic and level the ten pairs of Table 1 in its order.
    """
    e, s = four_point(judgements["exhaustivity"].to_numpy(), judgements["specificity"].to_numpy(), scale)
    level = np.where(judgements["node"] == 0, ARTICLE, NON_ARTICLE)
    found = pd.DataFrame({"topic": judgements["topic"].astype(str), "level": level, "exh": e, "spec": s})
    count = found.astype({"exh": int, "spec": int}).value_counts()
    pairs = [(e, s) for e in (3, 2, 1) for s in (3, 2, 1)] + [(0, 0)]
    rows = [
        (topic, name, *pair, int(count.get((topic, name, *pair), 0)))
        for topic in found["topic"].unique()
        for name in (ARTICLE, NON_ARTICLE)
        for pair in pairs
    ]
    return pd.DataFrame(rows, columns=["topic", "level", "exh", "spec", "count"])


def counted(judged: pd.DataFrame) -> pd.DataFrame:
    """The counts of `judged` in all topics: columns level, exh, spec, count."""
    return judged.groupby(["level", "exh", "spec"], sort=False)["count"].sum().reset_index()


def printed_judged(printed: pd.DataFrame) -> pd.DataFrame:
    """Table 1 as printed (columns exh, spec, article, non_article) in the form of `counted`."""
    table = printed.rename(columns={"non_article": NON_ARTICLE})
    table = table.melt(["exh", "spec"], [ARTICLE, NON_ARTICLE], var_name="level", value_name="count")
    return table[["level", "exh", "spec", "count"]]


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


def pairs_of_settings(
    quantisations: Sequence[str], result_sets: Mapping[str, str]
) -> Iterator[tuple[int, str, str, str, str, str, str]]:
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


def columns_of(average: pd.DataFrame, result_sets: Mapping[str, str]) -> dict[str, pd.DataFrame]:
    """The runs of each campaign ("campaign", "earlier") and their average precision under every setting.

    ``average`` has the columns of `average_precision` and result_set. The columns of a frame are metric,
    quantisation, result set; runs without a number under one of them are left out.
    """
    found = {}
    for of in dict.fromkeys(result_sets.values()):
        part = average[average["result_set"].map(result_sets) == of]
        keys = ["metric", "quantisation", "result_set"]
        columns = part.pivot_table(index="run", columns=keys, values="average_precision", sort=False)
        found[of] = columns.dropna()
    return found


def correlations(
    average: pd.DataFrame,
    quantisations: Sequence[str],
    result_sets: Mapping[str, str],
    printed: pd.DataFrame,
    draw: Draw,
) -> pd.DataFrame:
    """Tables 2-5: correlations between the average precision of all runs under two settings.

    ``average`` has the columns of `average_precision` and result_set. ``result_sets`` gives each result set's
    campaign, longest first; result sets of one campaign are compared with each other (Table 2). A result set without
    scores keeps its rows, with NaN. Columns: `KEYS` as in the printed table, runs, pearson_r, printed, difference,
    low, high (the 95 % interval), influential_run (without which r changes most), r_without_it, kendall_τ,
    spearman_ρ.
    """
    from focuseval.statistics.correlations import kendall, spearman

    columns = columns_of(average, result_sets)
    samples = {of: draw(of, list(frame.index)) for of, frame in columns.items()}
    rows: list[tuple[object, ...]] = []
    for key in pairs_of_settings(quantisations, result_sets):
        _, metric_a, metric_b, q_a, q_b, set_a, set_b = key
        of = result_sets[set_a]
        a, b = (metric_a, q_a, set_a), (metric_b, q_b, set_b)
        runs = len(columns[of]) if a in columns[of] and b in columns[of] else 0
        if runs < 2:
            rows.append((*key, runs, *[np.nan] * 3, "", *[np.nan] * 3))
            continue
        x, y = (columns[of][setting].to_numpy() for setting in (a, b))
        r = samples[of].estimate(pearson_of(x, y))
        others = kendall(x, y).coefficient, spearman(x, y).coefficient
        rows.append((*key, runs, r.value, *r.interval, *r.influential, *others))
    evidence = ["low", "high", "influential_run", "r_without_it"]
    names = [*KEYS, "runs", "pearson_r", *evidence, "kendall_τ", "spearman_ρ"]
    table = beside(pd.DataFrame(rows, columns=names), printed, KEYS, "pearson_r")
    shown = ["runs", "pearson_r", "printed", "difference", *evidence, "kendall_τ", "spearman_ρ"]
    return table[[*KEYS, *shown]]
