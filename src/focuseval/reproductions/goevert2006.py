"""Gövert, Fuhr, Lalmas & Kazai (2006): from scores to Tables 1-5, the graphs, and the paper's findings.

Everything here is a pure function from tidy tables to tidy tables. A *result set* is the runs of one
campaign cut at one size; the paper has three, and their names are kept: ``2003 runs (1500)``,
``2003 runs (100)`` and ``2002 runs (100)``.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from focuseval.figures import Scatter
from focuseval.judgements import Topic
from focuseval.quantisation import four_point
from focuseval.reproductions.findings import Comparison, Finding
from focuseval.results import Results
from focuseval.tables import beside

#: the paper's metrics as measures, up to the quantisation, by the paper's names
METRICS = {
    "INEX 2002": "precall(quantisation={})",
    "INEX 2003s": "inex2003(variant=s,quantisation={})",
    "INEX 2003o": "inex2003(variant=o,quantisation={})",
}

#: the simulated runs of Section 4.1
PERFECT, ANCESTORS = "perfect", "ancestors"

#: the paper's result sets: 56 runs of INEX 2003 at two sizes, 49 runs of INEX 2002
LONG, SHORT, EARLIER = "2003 runs (1500)", "2003 runs (100)", "2002 runs (100)"

ARTICLE, NON_ARTICLE = "article", "non-article"

#: the decimals that tables are shown with
DECIMALS = {
    "pearson_r": 5,
    "printed": 5,
    "difference": 5,
    "kendall_τ": 3,
    "spearman_ρ": 3,
    "average_precision": 4,
    "share_%": 1,
    "printed_%": 1,
    "difference_%": 1,
}


def measures(family: str, quantisations: Sequence[str], *, curve: bool = False) -> list[str]:
    """Names of the paper's measures of one family (``precall`` or ``inex2003``), with or without curves."""
    names = [
        measure.format(quantisation)
        for measure in METRICS.values()
        if measure.startswith(f"{family}(")
        for quantisation in quantisations
    ]
    return [name + behind for name in names for behind in (["", "@curve"] if curve else [""])]


def _names(quantisations: Sequence[str]) -> pd.DataFrame:
    """Columns measure, metric, quantisation."""
    rows = [(measure.format(q), metric, q) for metric, measure in METRICS.items() for q in quantisations]
    return pd.DataFrame(rows, columns=["measure", "metric", "quantisation"])


def average_precision(scores: pd.DataFrame, quantisations: Sequence[str]) -> pd.DataFrame:
    """Columns metric, quantisation, run, average_precision: means over topics of tidy scores.

    ``scores`` has the columns run, topic, measure, value; measures other than the paper's are left out.
    """
    mean = scores.groupby(["measure", "run"], sort=False, observed=True)["value"].mean().reset_index()
    table = _names(quantisations).merge(mean, on="measure")
    table = table.rename(columns={"value": "average_precision"})
    return table[["metric", "quantisation", "run", "average_precision"]]


def recall_precision_curves(scores: pd.DataFrame, quantisations: Sequence[str]) -> pd.DataFrame:
    """Columns metric, quantisation, run, recall, precision: means over topics of ``MEASURE@recall`` scores."""
    stem, _, level = scores["measure"].astype(str).str.rpartition("@").to_numpy().T
    points = pd.DataFrame({"measure": stem, "run": scores["run"].astype(str), "precision": scores["value"]})
    points = points[stem != ""]
    points["recall"] = level[stem != ""].astype(float)
    mean = points.groupby(["measure", "run", "recall"], sort=False)["precision"].mean().reset_index()
    table = _names(quantisations).merge(mean, on="measure").sort_values("recall", kind="stable")
    table = table.sort_values(["metric", "quantisation", "run"], kind="stable", ignore_index=True)
    return table[["metric", "quantisation", "run", "recall", "precision"]]


# ---------------------------------------------------------------------------------------------- tables


def judged(topics: Sequence[Topic]) -> pd.DataFrame:
    """How many elements were judged (exh, spec), at article level (document roots) and below.

    Columns exh, spec (0..3, see `focuseval.quantisation.four_point`), level, count; the ten pairs of
    Table 1 in its order, for each level.
    """
    frames = []
    for topic in topics:
        e, s = four_point(topic.exhaustivity, topic.specificity, topic.scale)
        level = np.where(topic.collection.parent[topic.element] < 0, ARTICLE, NON_ARTICLE)
        frames.append(pd.DataFrame({"exh": e.astype(int), "spec": s.astype(int), "level": level}))
    counts = pd.concat(frames).value_counts(["exh", "spec", "level"])
    pairs = [(e, s) for e in (3, 2, 1) for s in (3, 2, 1)] + [(0, 0)]
    index = pd.MultiIndex.from_tuples(
        [(e, s, level) for level in (ARTICLE, NON_ARTICLE) for e, s in pairs], names=["exh", "spec", "level"]
    )
    table = counts.reindex(index, fill_value=0).rename("count").reset_index()
    return table[["level", "exh", "spec", "count"]]


def printed_judged(printed: pd.DataFrame) -> pd.DataFrame:
    """Table 1 as printed (columns exh, spec, article, non_article) in the form of `judged`."""
    table = printed.rename(columns={"non_article": NON_ARTICLE})
    table = table.melt(["exh", "spec"], [ARTICLE, NON_ARTICLE], var_name="level", value_name="count")
    return table[["level", "exh", "spec", "count"]]


def _with_shares(counts: pd.DataFrame) -> pd.DataFrame:
    """Share (in per cent) of each relevant pair among the relevant elements of its level; NaN for (0, 0)."""
    relevant = counts["exh"] > 0
    sums = counts[relevant].groupby("level")["count"].sum()
    share = 100 * counts["count"] / counts["level"].map(sums)
    return counts.assign(share=share.where(relevant))


def table1(counts: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """Table 1: judged elements by (exh, spec) and level, beside the printed counts and shares.

    Shares are per cent of the relevant elements of the level: how many non-relevant elements were
    judged depends on the pools. Columns level, exh, spec, count, printed, share_%, printed_%,
    difference_% (in percentage points).
    """
    here = _with_shares(counts)
    there = _with_shares(printed_judged(printed)).rename(columns={"count": "printed", "share": "printed_%"})
    table = here.merge(there, how="left", on=["level", "exh", "spec"]).rename(columns={"share": "share_%"})
    table["difference_%"] = table["share_%"] - table["printed_%"]
    return table[["level", "exh", "spec", "count", "printed", "share_%", "printed_%", "difference_%"]]


_KEYS = [
    "table",
    "metric_a",
    "metric_b",
    "quantisation_a",
    "quantisation_b",
    "result_set_a",
    "result_set_b",
]


def _comparisons(quantisations: Sequence[str], result_sets: Mapping[str, str]) -> Iterator[tuple[object, ...]]:
    """What Tables 2-5 correlate, in the order they print it, as rows of `_KEYS`."""
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
    from focuseval.statistics import kendall, pearson, spearman

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
    names = [*_KEYS, "runs", "pearson_r", "kendall_τ", "spearman_ρ"]
    table = beside(pd.DataFrame(rows, columns=names), printed, _KEYS, "pearson_r")
    return table[[*_KEYS, "runs", "pearson_r", "printed", "difference", "kendall_τ", "spearman_ρ"]]


def correlation_table(table: pd.DataFrame, number: int) -> pd.DataFrame:
    """One of Tables 2-5 as it is shown: the columns that tell its rows apart, then the numbers."""
    part = table[table["table"] == number]

    def either(a: str, b: str) -> pd.Series:
        return part[a].where(part[a] == part[b], part[a] + " – " + part[b])

    shown = pd.DataFrame(
        {
            "metric": either("metric_a", "metric_b"),
            "quantisation": either("quantisation_a", "quantisation_b"),
            "result_set": either("result_set_a", "result_set_b"),
        }
    )
    return pd.concat([shown, part.drop(columns=_KEYS)], axis=1).reset_index(drop=True)


def simulated_table(simulated: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """Average precision of the simulated runs, beside the numbers in the captions of Figures 3, 5 and 6."""
    return beside(simulated, printed, ["metric", "quantisation", "run"], "average_precision")


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


# --------------------------------------------------------------------------------------------- figures


def graph_panels(
    curves: pd.DataFrame, simulated: pd.DataFrame, metric: str, quantisations: Sequence[str]
) -> dict[str, dict[str, tuple[np.ndarray, np.ndarray]]]:
    """Recall/precision graphs of the simulated runs (Figures 3, 5, 6), one panel per quantisation."""
    panels = {}
    for q in quantisations:
        panels[f"{metric}, {q}"] = {
            f"{run} run, average {_cell(simulated, metric, q, run):.2f}": (
                part["recall"].to_numpy(),
                part["precision"].to_numpy(),
            )
            for run in (PERFECT, ANCESTORS)
            if len(
                part := curves[
                    (curves["metric"] == metric) & (curves["quantisation"] == q) & (curves["run"] == run)
                ]
            )
        }
    return panels


def scatter(
    average: pd.DataFrame, title: str, x: tuple[str, str, str], y: tuple[str, str, str], labels: tuple[str, str]
) -> Scatter | None:
    """Average precision of all runs under two settings (metric, quantisation, result set).

    None if the campaign has not both.
    """
    keys = ["metric", "quantisation", "result_set"]
    columns = average.pivot_table(index="run", columns=keys, values="average_precision", sort=False)
    if x not in columns or y not in columns:
        return None
    both = columns[[x, y]].dropna().to_numpy()
    return Scatter(title, labels[0], labels[1], both[:, 0], both[:, 1])


def scatter_panels(
    average: pd.DataFrame, figure: int, quantisations: Sequence[str] = ("strict", "generalised")
) -> list[Scatter]:
    """The panels of one of Figures 8-11; an empty list where the campaign lacks the result set."""
    label = "average precision, {}".format
    panels = {
        8: [
            (q, ("INEX 2003o", q, SHORT), ("INEX 2003o", q, LONG), (label("100 results"), label("1500 results")))
            for q in quantisations
        ],
        9: [
            (
                "2002 runs, INEX 2003o",
                ("INEX 2003o", "strict", EARLIER),
                ("INEX 2003o", "generalised", EARLIER),
                (label("strict"), label("generalised")),
            )
        ],
        10: [
            (
                q,
                ("INEX 2003s", q, SHORT),
                ("INEX 2003o", q, SHORT),
                (label("INEX 2003s"), label("INEX 2003o")),
            )
            for q in quantisations
        ],
        11: [
            (
                "generalised",
                ("INEX 2002", "generalised", SHORT),
                ("INEX 2003o", "generalised", SHORT),
                (label("INEX 2002"), label("INEX 2003o")),
            )
        ],
    }[figure]
    found = [scatter(average, *panel) for panel in panels]
    return [panel for panel in found if panel is not None]


# -------------------------------------------------------------------------------------------- findings


@dataclass(frozen=True, eq=False)
class Evidence:
    """The numbers that findings are checked on, of a campaign or as printed; empty frames where unknown."""

    simulated: pd.DataFrame  #: metric, quantisation, run, average_precision
    correlations: pd.DataFrame  #: `_KEYS`, pearson_r
    judged: pd.DataFrame  #: level, exh, spec, count
    overlap: pd.DataFrame  #: result_set, run, results, overlapping
    average: pd.DataFrame  #: metric, quantisation, result_set, run, average_precision


def printed_evidence(simulated: pd.DataFrame, correlations: pd.DataFrame, judged: pd.DataFrame) -> Evidence:
    """The evidence as far as the paper prints it (the three tables as they stand in `config/published`)."""
    return Evidence(
        simulated,
        correlations,
        printed_judged(judged),
        pd.DataFrame(columns=["result_set", "run", "results", "overlapping"]),
        pd.DataFrame(columns=["metric", "quantisation", "result_set", "run", "average_precision"]),
    )


def _one(values: pd.Series) -> float:
    return float(values.iloc[0]) if len(values) else float("nan")


def _cell(simulated: pd.DataFrame, metric: str, quantisation: str, run: str) -> float:
    rows = (simulated["metric"] == metric) & (simulated["quantisation"] == quantisation)
    return _one(simulated.loc[rows & (simulated["run"] == run), "average_precision"])


def _correlation(
    table: pd.DataFrame, metrics: tuple[str, str], quantisations: tuple[str, str], result_sets: tuple[str, str]
) -> float:
    wanted = dict(
        zip(_KEYS[1:], [*metrics, *quantisations, *result_sets], strict=True),
    )
    rows = np.logical_and.reduce([table[key] == value for key, value in wanted.items()])
    return _one(table.loc[rows, "pearson_r"])


def findings(evidence: Evidence) -> list[Finding]:
    """The paper's findings as checks on one body of evidence.

    Thresholds stand in the text of each finding. Where the paper says "more", "less" or "stronger", the
    check is the plain inequality; where it says "similar", "by far" or "about", a margin had to be set.
    """
    both = ("strict", "generalised")
    sets_2003 = (LONG, SHORT)

    def gain(metric: str, q: str) -> float:
        """What the ancestors add, relative to the perfect run."""
        perfect = _cell(evidence.simulated, metric, q, PERFECT)
        ancestors = _cell(evidence.simulated, metric, q, ANCESTORS)
        return (ancestors - perfect) / perfect if perfect else float("nan")

    def r_sizes(metric: str, q: str) -> float:
        return _correlation(evidence.correlations, (metric, metric), (q, q), (SHORT, LONG))

    def r_quantisations(metric: str, of: str) -> float:
        return _correlation(evidence.correlations, (metric, metric), both, (of, of))

    def r_metrics(a: str, b: str, q: str, of: str) -> float:
        return _correlation(evidence.correlations, (a, b), (q, q), (of, of))

    counts = evidence.judged
    specific = counts[counts["spec"] == 3]
    highly = float(specific["count"].sum())
    below = float(specific.loc[specific["level"] == NON_ARTICLE, "count"].sum())
    articles = counts[(counts["level"] == ARTICLE) & (counts["exh"] > 0)]
    specific_articles = float(articles.loc[articles["spec"] == 3, "count"].sum())

    overlapping = evidence.overlap.groupby("result_set", sort=False)[["results", "overlapping"]].sum()
    share = {name: row["overlapping"] / row["results"] for name, row in overlapping.iterrows() if row["results"]}

    return [
        Finding(
            "ancestors-beat-perfect",
            "4.1, Figure 3",
            "Under INEX 2002 with generalised quantisation, adding all ancestors of the perfect elements "
            "behind them raises effectiveness by far.",
            "Average precision of the ancestors run is at least a quarter above that of the perfect run.",
            [Comparison("relative gain, INEX 2002, generalised", gain("INEX 2002", "generalised"), "≥", 0.25)],
        ),
        Finding(
            "strict-hides-overlap",
            "4.1",
            "Strict quantisation largely removes this effect: under INEX 2002 the ancestors are worth nothing.",
            "The relative gain of the ancestors run under strict is at most a tenth of that under generalised.",
            [
                Comparison(
                    "relative gain, INEX 2002: strict, a tenth of generalised",
                    gain("INEX 2002", "strict"),
                    "≤",
                    gain("INEX 2002", "generalised") / 10,
                )
            ],
        ),
        Finding(
            "overlap-gain-moderate",
            "4.2, Figure 6",
            "Under INEX 2003o the gain of the ancestors run is moderate, compared with INEX 2002 and INEX 2003s.",
            "The relative gain under INEX 2003o is below that under INEX 2002 (generalised) and below that "
            "under INEX 2003s (both quantisations).",
            [
                Comparison(
                    "INEX 2003o, INEX 2002, generalised",
                    gain("INEX 2003o", "generalised"),
                    "<",
                    gain("INEX 2002", "generalised"),
                ),
                *(
                    Comparison(f"INEX 2003o, INEX 2003s, {q}", gain("INEX 2003o", q), "<", gain("INEX 2003s", q))
                    for q in both
                ),
            ],
        ),
        Finding(
            "size-alone-not-enough",
            "4.2, Figure 5",
            "Considering size alone is not enough: under INEX 2003s the ancestors run still gains much.",
            "The relative gain under INEX 2003s is at least 0.1, with both quantisations.",
            [Comparison(f"relative gain, INEX 2003s, {q}", gain("INEX 2003s", q), "≥", 0.1) for q in both],
        ),
        Finding(
            "ancestors-still-gain",
            "4.2, Figure 6",
            "A gain remains under INEX 2003o, because ancestors bring further relevant material with them.",
            "The relative gain under INEX 2003o is above 0, with both quantisations.",
            [Comparison(f"relative gain, INEX 2003o, {q}", gain("INEX 2003o", q), ">", 0.0) for q in both],
        ),
        Finding(
            "specific-below-article",
            "5.3, Table 1",
            "Almost all highly specific components (about 96 %) are parts of articles, not whole articles.",
            "Of all elements with specificity 3, at least 90 % are below article level.",
            [
                Comparison(
                    "share of non-articles among specificity 3", below / highly if highly else np.nan, "≥", 0.9
                )
            ],
        ),
        Finding(
            "articles-seldom-specific",
            "5.3, Table 1",
            "Sub-components are preferred to whole articles as units of retrieval.",
            "Among relevant elements, the share with specificity 3 is lower for articles than below them.",
            [
                Comparison(
                    "share of specificity 3: articles, non-articles",
                    specific_articles / n if (n := float(articles["count"].sum())) else np.nan,
                    "<",
                    below / n
                    if (
                        n := float(
                            counts.loc[(counts["level"] == NON_ARTICLE) & (counts["exh"] > 0), "count"].sum()
                        )
                    )
                    else np.nan,
                )
            ],
        ),
        Finding(
            "size-of-result-sets",
            "6.1, Table 2",
            "INEX 2002 is less sensitive to the number of results than both variants of INEX 2003.",
            "Pearson's r between 100 and 1500 results is higher under INEX 2002, with both quantisations.",
            [
                Comparison(f"INEX 2002, {other}, {q}", r_sizes("INEX 2002", q), ">", r_sizes(other, q))
                for other in ("INEX 2003s", "INEX 2003o")
                for q in both
            ],
        ),
        Finding(
            "strict-less-sensitive-to-size",
            "6.1, Table 2",
            "Strict quantisation is less sensitive to the number of results than generalised.",
            "Pearson's r between 100 and 1500 results is higher with strict, under every metric.",
            [
                Comparison(f"{m}: strict, generalised", r_sizes(m, "strict"), ">", r_sizes(m, "generalised"))
                for m in METRICS
            ],
        ),
        Finding(
            "strict-less-sensitive-under-overlap",
            "6.1, Table 2",
            "That difference between strict and generalised is largest under INEX 2003o.",
            "r(strict) less r(generalised), between 100 and 1500 results, is largest under INEX 2003o.",
            [
                Comparison(
                    f"INEX 2003o, {other}",
                    r_sizes("INEX 2003o", "strict") - r_sizes("INEX 2003o", "generalised"),
                    ">",
                    r_sizes(other, "strict") - r_sizes(other, "generalised"),
                )
                for other in ("INEX 2002", "INEX 2003s")
            ],
        ),
        Finding(
            "longer-lists-overlap-more",
            "6.1",
            "Larger result sets hold more overlapping components.",
            "The share of results that repeat text of earlier ones is higher at 1500 than at 100 results.",
            [
                Comparison(
                    "share of overlapping results: 1500, 100",
                    share.get(LONG, np.nan),
                    ">",
                    share.get(SHORT, np.nan),
                )
            ],
        ),
        Finding(
            "quantisation-matters-under-overlap",
            "6.2, Table 3",
            "The quantisation matters more under the metric that considers overlap (both 2003 result sets).",
            "Pearson's r between strict and generalised is lowest under INEX 2003o.",
            [
                Comparison(
                    f"INEX 2003o, {other}, {of}",
                    r_quantisations("INEX 2003o", of),
                    "<",
                    r_quantisations(other, of),
                )
                for of in sets_2003
                for other in ("INEX 2002", "INEX 2003s")
            ],
        ),
        Finding(
            "quantisation-matters-least-under-size",
            "6.2, Table 3",
            "INEX 2003s is affected least by the quantisation (both 2003 result sets).",
            "Pearson's r between strict and generalised is highest under INEX 2003s.",
            [
                Comparison(
                    f"INEX 2003s, {other}, {of}",
                    r_quantisations("INEX 2003s", of),
                    ">",
                    r_quantisations(other, of),
                )
                for of in sets_2003
                for other in ("INEX 2002", "INEX 2003o")
            ],
        ),
        Finding(
            "quantisations-agree-on-2002",
            "6.2, Table 3, Figure 9",
            "On the 2002 runs the two quantisations lead to very similar results.",
            "Pearson's r between strict and generalised is at least 0.9 under every metric.",
            [Comparison(m, r_quantisations(m, EARLIER), "≥", 0.9) for m in METRICS],
        ),
        Finding(
            "overlap-makes-a-difference",
            "6.3, Table 4, Figure 10",
            "Considering overlap makes a real difference on the 2003 runs.",
            "Pearson's r between INEX 2003s and INEX 2003o is below 0.9, with both quantisations and sizes.",
            [
                Comparison(f"{q}, {of}", r_metrics("INEX 2003s", "INEX 2003o", q, of), "<", 0.9)
                for of in sets_2003
                for q in both
            ],
        ),
        Finding(
            "overlap-matters-less-on-2002",
            "6.3, Table 4",
            "The 2002 runs are the exception: there, considering overlap makes little difference.",
            "Pearson's r between INEX 2003s and INEX 2003o is higher on the 2002 runs than on the 2003 runs "
            "of the same size.",
            [
                Comparison(
                    f"{EARLIER}, {SHORT}, {q}",
                    r_metrics("INEX 2003s", "INEX 2003o", q, EARLIER),
                    ">",
                    r_metrics("INEX 2003s", "INEX 2003o", q, SHORT),
                )
                for q in both
            ],
        ),
        Finding(
            "official-metric-differs-most-from-overlap",
            "6.4, Table 5",
            "INEX 2002 differs strongly from the metric that considers overlap.",
            "Pearson's r of INEX 2002 with INEX 2003o is below that with INEX 2003s (2003 runs, both "
            "quantisations and sizes).",
            [
                Comparison(
                    f"with 2003o, with 2003s, {q}, {of}",
                    r_metrics("INEX 2002", "INEX 2003o", q, of),
                    "<",
                    r_metrics("INEX 2002", "INEX 2003s", q, of),
                )
                for of in sets_2003
                for q in both
            ],
        ),
        Finding(
            "difference-stronger-generalised",
            "6.4, Table 5",
            "That difference is stronger with generalised quantisation.",
            "Pearson's r of INEX 2002 with INEX 2003o is lower with generalised than with strict (2003 runs).",
            [
                Comparison(
                    f"generalised, strict, {of}",
                    r_metrics("INEX 2002", "INEX 2003o", "generalised", of),
                    "<",
                    r_metrics("INEX 2002", "INEX 2003o", "strict", of),
                )
                for of in sets_2003
            ],
        ),
        Finding(
            "difference-smaller-on-short-runs",
            "6.4, Table 5",
            "The differences between INEX 2002 and INEX 2003 are smaller for runs of 100 results.",
            "Pearson's r of INEX 2002 with both variants is higher at 100 than at 1500 results.",
            [
                Comparison(
                    f"with {other}, {q}: 100, 1500",
                    r_metrics("INEX 2002", other, q, SHORT),
                    ">",
                    r_metrics("INEX 2002", other, q, LONG),
                )
                for other in ("INEX 2003s", "INEX 2003o")
                for q in both
            ],
        ),
        Finding(
            "best-systems-fall",
            "6.4, Figure 11",
            "Systems that do well under INEX 2002 do not do as well once overlap is considered.",
            "The best quarter of the runs under INEX 2002 (generalised, 100 results) has a worse mean rank "
            "under INEX 2003o than under INEX 2003s, which considers size alone.",
            [
                Comparison(
                    "mean rank under INEX 2003o, INEX 2003s",
                    _mean_rank(evidence.average, "INEX 2003o"),
                    ">",
                    _mean_rank(evidence.average, "INEX 2003s"),
                )
            ],
        ),
    ]


def _mean_rank(average: pd.DataFrame, metric: str) -> float:
    """Mean rank, under a metric, of the best quarter of the runs under INEX 2002."""
    part = average[(average["quantisation"] == "generalised") & (average["result_set"] == SHORT)]
    columns = part.pivot(index="run", columns="metric", values="average_precision")
    if "INEX 2002" not in columns or metric not in columns:
        return float("nan")
    best = columns["INEX 2002"].nlargest(max(1, len(columns) // 4)).index
    return float(columns[metric].rank(ascending=False).loc[best].mean())
