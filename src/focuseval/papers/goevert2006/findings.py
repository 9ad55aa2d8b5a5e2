"""The paper's findings as checks on a campaign's numbers, or on the printed ones."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from focuseval.findings import FEWEST_RUNS, Comparison, Finding

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

_FEW = f" Not testable with fewer than {FEWEST_RUNS} runs."
_SAME = " Not testable where no run has more results than the smaller size."


@dataclass(frozen=True, eq=False)
class Evidence:
    """The numbers that findings are checked on, of a campaign or as printed; empty frames where unknown."""

    simulated: pd.DataFrame  #: metric, quantisation, run, average_precision
    correlations: pd.DataFrame  #: `KEYS`, pearson_r
    judged: pd.DataFrame  #: level, exh, spec, count
    overlap: pd.DataFrame  #: result_set, run, results, overlapping
    average: pd.DataFrame  #: metric, quantisation, result_set, run, average_precision


def printed_judged(printed: pd.DataFrame) -> pd.DataFrame:
    """Table 1 as printed (columns exh, spec, article, non_article) in the form of `judged`."""
    table = printed.rename(columns={"non_article": NON_ARTICLE})
    table = table.melt(["exh", "spec"], [ARTICLE, NON_ARTICLE], var_name="level", value_name="count")
    return table[["level", "exh", "spec", "count"]]


def campaign_evidence(
    simulated: pd.DataFrame,
    correlations: pd.DataFrame,
    judged: pd.DataFrame,
    overlap: pd.DataFrame,
    average: pd.DataFrame,
) -> Evidence:
    """The evidence of a campaign, without what rests on fewer than `FEWEST_RUNS` runs.

    ``correlations`` as `paper.correlations` makes them, the others as in `Evidence`.
    """
    decisive = correlations["pearson_r"].where(correlations["runs"] >= FEWEST_RUNS)
    runs = average.groupby("result_set")["run"].transform("nunique")
    return Evidence(
        simulated,
        correlations.assign(pearson_r=decisive),
        judged,
        overlap,
        average[runs >= FEWEST_RUNS],
    )


def printed_evidence(simulated: pd.DataFrame, correlations: pd.DataFrame, judged: pd.DataFrame) -> Evidence:
    """The evidence as far as the paper prints it (the three tables as they stand in `config/published`)."""
    return Evidence(
        simulated,
        correlations,
        printed_judged(judged),
        pd.DataFrame(columns=["result_set", "run", "results", "overlapping"]),
        pd.DataFrame(columns=["metric", "quantisation", "result_set", "run", "average_precision"]),
    )


def _size(result_set: str) -> str:
    return "1500 results" if result_set == LONG else "100 results"


def _same_lists(overlap: pd.DataFrame) -> bool:
    """Whether both sizes of result sets hold the same lists, as far as it is known."""
    results = overlap.pivot(index="run", columns="result_set", values="results")
    return {LONG, SHORT} <= set(results.columns) and bool((results[LONG] == results[SHORT]).all())


def _one(values: pd.Series) -> float:
    return float(values.iloc[0]) if len(values) else float("nan")


def _cell(simulated: pd.DataFrame, metric: str, quantisation: str, run: str) -> float:
    rows = (simulated["metric"] == metric) & (simulated["quantisation"] == quantisation)
    return _one(simulated.loc[rows & (simulated["run"] == run), "average_precision"])


def _correlation(
    table: pd.DataFrame,
    metrics: tuple[str, str],
    quantisations: tuple[str, str],
    result_sets: tuple[str, str],
) -> float:
    wanted = dict(
        zip(KEYS[1:], [*metrics, *quantisations, *result_sets], strict=True),
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
    same = _same_lists(evidence.overlap)

    def sizes(comparisons: Iterable[Comparison]) -> list[Comparison]:
        """Comparisons between the two sizes, which have no numbers where both hold the same lists."""
        return [replace(c, left=np.nan, right=np.nan) if same else c for c in comparisons]

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
    share = {
        name: row["overlapping"] / row["results"] for name, row in overlapping.iterrows() if row["results"]
    }

    return [
        Finding(
            "ancestors-beat-perfect",
            "4.1, Figure 3",
            "Under INEX 2002 with generalised quantisation, adding all ancestors of the perfect elements "
            "behind them raises effectiveness by far.",
            "Average precision of the ancestors run is at least a quarter above that of the perfect run.",
            [
                Comparison(
                    "relative gain, INEX 2002, generalised", gain("INEX 2002", "generalised"), "≥", 0.25
                )
            ],
        ),
        Finding(
            "strict-hides-overlap",
            "4.1",
            "Strict quantisation largely removes this effect under INEX 2002.",
            "The relative gain of the ancestors run with strict is at most a tenth of that with generalised.",
            [
                Comparison(
                    "relative gain, INEX 2002: strict | a tenth of generalised",
                    gain("INEX 2002", "strict"),
                    "≤",
                    gain("INEX 2002", "generalised") / 10,
                )
            ],
        ),
        Finding(
            "overlap-gain-moderate",
            "4.2, Figure 6",
            "Under INEX 2003o the gain of the ancestors run is moderate, beside INEX 2002 and INEX 2003s.",
            "The relative gain under INEX 2003o is below that under INEX 2002 (generalised) and below that "
            "under INEX 2003s (both quantisations).",
            [
                Comparison(
                    "generalised: INEX 2003o | INEX 2002",
                    gain("INEX 2003o", "generalised"),
                    "<",
                    gain("INEX 2002", "generalised"),
                ),
                *(
                    Comparison(
                        f"{q}: INEX 2003o | INEX 2003s", gain("INEX 2003o", q), "<", gain("INEX 2003s", q)
                    )
                    for q in both
                ),
            ],
        ),
        Finding(
            "size-alone-not-enough",
            "4.2, Figure 5",
            "Considering size alone is not enough: under INEX 2003s the ancestors run still gains much.",
            "The relative gain under INEX 2003s is at least 0.1, with both quantisations.",
            [Comparison(f"relative gain, {q}", gain("INEX 2003s", q), "≥", 0.1) for q in both],
        ),
        Finding(
            "ancestors-still-gain",
            "4.2, Figure 6",
            "A gain remains under INEX 2003o, because ancestors bring further relevant material with them.",
            "The relative gain under INEX 2003o is above 0, with both quantisations.",
            [Comparison(f"relative gain, {q}", gain("INEX 2003o", q), ">", 0.0) for q in both],
        ),
        Finding(
            "specific-below-article",
            "5.3, Table 1",
            "Almost all highly specific components (about 96 %) are parts of articles, not whole articles.",
            "Of all elements with specificity 3, at least 90 % are below article level.",
            [
                Comparison(
                    "share of non-articles among specificity 3",
                    below / highly if highly else np.nan,
                    "≥",
                    0.9,
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
                    "share of specificity 3: articles | others",
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
            "Pearson's r between 100 and 1500 results is higher under INEX 2002, with both quantisations."
            + _FEW
            + _SAME,
            sizes(
                [
                    Comparison(f"{q}: INEX 2002 | {other}", r_sizes("INEX 2002", q), ">", r_sizes(other, q))
                    for other in ("INEX 2003s", "INEX 2003o")
                    for q in both
                ]
            ),
        ),
        Finding(
            "strict-less-sensitive-to-size",
            "6.1, Table 2",
            "Strict quantisation is less sensitive to the number of results than generalised.",
            "Pearson's r between 100 and 1500 results is higher with strict, under every metric."
            + _FEW
            + _SAME,
            sizes(
                [
                    Comparison(
                        f"{m}: strict | generalised", r_sizes(m, "strict"), ">", r_sizes(m, "generalised")
                    )
                    for m in METRICS
                ]
            ),
        ),
        Finding(
            "strict-less-sensitive-under-overlap",
            "6.1, Table 2",
            "That difference between strict and generalised is largest under INEX 2003o.",
            "r(strict) less r(generalised), between 100 and 1500 results, is largest under INEX 2003o."
            + _FEW
            + _SAME,
            sizes(
                [
                    Comparison(
                        f"INEX 2003o | {other}",
                        r_sizes("INEX 2003o", "strict") - r_sizes("INEX 2003o", "generalised"),
                        ">",
                        r_sizes(other, "strict") - r_sizes(other, "generalised"),
                    )
                    for other in ("INEX 2002", "INEX 2003s")
                ]
            ),
        ),
        Finding(
            "longer-lists-overlap-more",
            "6.1",
            "Larger result sets hold more overlapping components.",
            "The share of results that repeat text of earlier ones is higher at 1500 than at 100 results."
            + _SAME,
            sizes(
                [
                    Comparison(
                        "overlapping results: 1500 | 100",
                        share.get(LONG, np.nan),
                        ">",
                        share.get(SHORT, np.nan),
                    )
                ]
            ),
        ),
        Finding(
            "quantisation-matters-under-overlap",
            "6.2, Table 3",
            "The quantisation matters more under the metric that considers overlap (both 2003 result sets).",
            "Pearson's r between strict and generalised is lowest under INEX 2003o." + _FEW,
            [
                Comparison(
                    f"{_size(of)}: INEX 2003o | {other}",
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
            "Pearson's r between strict and generalised is highest under INEX 2003s." + _FEW,
            [
                Comparison(
                    f"{_size(of)}: INEX 2003s | {other}",
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
            "Pearson's r between strict and generalised is at least 0.9 under every metric." + _FEW,
            [Comparison(m, r_quantisations(m, EARLIER), "≥", 0.9) for m in METRICS],
        ),
        Finding(
            "overlap-makes-a-difference",
            "6.3, Table 4, Figure 10",
            "Considering overlap makes a real difference on the 2003 runs.",
            "Pearson's r between INEX 2003s and INEX 2003o is below 0.9, with both quantisations and sizes."
            + _FEW,
            [
                Comparison(f"{q}, {_size(of)}", r_metrics("INEX 2003s", "INEX 2003o", q, of), "<", 0.9)
                for of in sets_2003
                for q in both
            ],
        ),
        Finding(
            "overlap-matters-less-on-2002",
            "6.3, Table 4",
            "The 2002 runs are the exception: there, considering overlap makes little difference.",
            "Pearson's r between INEX 2003s and INEX 2003o is higher on the 2002 runs than on the 2003 runs "
            "of the same size." + _FEW,
            [
                Comparison(
                    f"{q}: 2002 runs | 2003 runs",
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
            "quantisations and sizes)." + _FEW,
            [
                Comparison(
                    f"{q}, {_size(of)}: with 2003o | with 2003s",
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
            "Pearson's r of INEX 2002 and INEX 2003o is lower with generalised than with strict (2003 runs)."
            + _FEW,
            [
                Comparison(
                    f"{_size(of)}: generalised | strict",
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
            "Pearson's r of INEX 2002 with both variants is higher at 100 than at 1500 results."
            + _FEW
            + _SAME,
            sizes(
                [
                    Comparison(
                        f"with {other}, {q}: 100 | 1500",
                        r_metrics("INEX 2002", other, q, SHORT),
                        ">",
                        r_metrics("INEX 2002", other, q, LONG),
                    )
                    for other in ("INEX 2003s", "INEX 2003o")
                    for q in both
                ]
            ),
        ),
        Finding(
            "best-systems-fall",
            "6.4, Figure 11",
            "Systems that do well under INEX 2002 do not do as well once overlap is considered.",
            "The best quarter of the runs under INEX 2002 (generalised, 100 results) has a worse mean rank "
            "under INEX 2003o than under INEX 2003s, which considers size alone." + _FEW,
            [
                Comparison(
                    "mean rank under INEX 2003o | INEX 2003s",
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
