"""The paper's findings as checks on a campaign's numbers, or on the printed ones."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from focuseval.findings import FEWEST_RUNS, Comparison, Finding, given
from focuseval.statistics.estimates import Quantity, difference, ratio
from focuseval_papers.goevert2006.analysis import ARTICLE, METRICS, NON_ARTICLE
from focuseval_papers.goevert2006.evidence import Evidence
from focuseval_papers.goevert2006.settings import EARLIER, LONG, SHORT

#: the simulated runs of Section 4.1
PERFECT, ANCESTORS = "perfect", "ancestors"

_FEW = f" Not testable with fewer than {FEWEST_RUNS} runs, or without result sets named {SHORT} and {LONG}."
_SAME = " Not testable where no run has more results than the smaller size."

#: why strict sees no ancestors under INEX 2002
_STRICT = (
    "Strict counts the elements of highest exhaustiveness and specificity alone, and these are the first rank of both "
    "simulated runs: both have the same average precision, whatever stands behind."
)


def findings(evidence: Evidence, sizes: Mapping[str, str]) -> list[Finding]:
    """The paper's findings as checks on one body of evidence.

    ``sizes`` says how long the lists of a result set are, as in "100 results". Thresholds stand in the text of each
    finding. Where the paper says "more", "less" or "stronger", the check is that the difference is above 0; where it
    says "similar", "by far" or "about", a margin had to be set.
    """
    both = ("strict", "generalised")
    sets_2003 = (LONG, SHORT)
    long, short = sizes[LONG], sizes[SHORT]
    between = f"between {short} and {long}"

    def by_size(comparisons: Iterable[Comparison]) -> list[Comparison]:
        """Comparisons between the two sizes, which have no numbers where both hold the same lists."""
        return [replace(c, left=np.nan, right=np.nan) if evidence.same_lists else c for c in comparisons]

    def gain(metric: str, q: str) -> Quantity:
        """What the ancestors add, relative to the perfect run."""
        perfect, ancestors = (
            evidence.simulated.get((metric, q, run), np.nan) for run in (PERFECT, ANCESTORS)
        )
        return ratio(difference(ancestors, perfect), perfect)

    def r(metrics: tuple[str, str], quantisations: tuple[str, str], of: tuple[str, str]) -> Quantity:
        return evidence.correlation.get((*metrics, *quantisations, *of), np.nan)

    def r_sizes(metric: str, q: str) -> Quantity:
        return r((metric, metric), (q, q), (SHORT, LONG))

    def r_quantisations(metric: str, of: str) -> Quantity:
        return r((metric, metric), both, (of, of))

    def r_metrics(a: str, b: str, q: str, of: str) -> Quantity:
        return r((a, b), (q, q), (of, of))

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
            given(
                _STRICT,
                [
                    Comparison(
                        "relative gain, INEX 2002: strict | a tenth of generalised",
                        gain("INEX 2002", "strict"),
                        "≤",
                        ratio(gain("INEX 2002", "generalised"), 10.0),
                    )
                ],
            ),
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
            given(
                evidence.set_shares,
                [Comparison("share of non-articles among specificity 3", evidence.below, "≥", 0.9)],
            ),
        ),
        Finding(
            "specific-below-article-2002",
            "5.3",
            "So they were in INEX 2002 (about 87 %).",
            "Of all elements with exact coverage in its place, at least 80 % are below article level.",
            given(
                evidence.set_shares,
                [
                    Comparison(
                        "share of non-articles among exact coverage, INEX 2002",
                        evidence.below_earlier,
                        "≥",
                        0.8,
                    )
                ],
            ),
        ),
        Finding(
            "articles-seldom-specific",
            "5.3, Table 1",
            "Sub-components are preferred to whole articles as units of retrieval.",
            "Among relevant elements, the share with specificity 3 is lower for articles than below them.",
            given(
                evidence.set_shares,
                [
                    Comparison(
                        "share of specificity 3: articles | others",
                        evidence.specific[ARTICLE],
                        "<",
                        evidence.specific[NON_ARTICLE],
                    )
                ],
            ),
        ),
        Finding(
            "size-of-result-sets",
            "6.1, Table 2",
            "INEX 2002 is less sensitive to the number of results than both variants of INEX 2003.",
            f"Pearson's r {between} is higher under INEX 2002, with both quantisations." + _FEW + _SAME,
            by_size(
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
            f"Pearson's r {between} is higher with strict, under every metric." + _FEW + _SAME,
            by_size(
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
            f"r(strict) less r(generalised), {between}, is largest under INEX 2003o." + _FEW + _SAME,
            by_size(
                [
                    Comparison(
                        f"INEX 2003o | {other}",
                        difference(*(r_sizes("INEX 2003o", q) for q in both)),
                        ">",
                        difference(*(r_sizes(other, q) for q in both)),
                    )
                    for other in ("INEX 2002", "INEX 2003s")
                ]
            ),
        ),
        Finding(
            "longer-lists-overlap-more",
            "6.1",
            "Larger result sets hold more overlapping components.",
            f"The share of results that repeat text of earlier ones is higher at {long} than at {short}."
            + _SAME,
            by_size(
                [
                    Comparison(
                        f"share of overlapping results: {long} | {short}",
                        evidence.overlapping.get(LONG, np.nan),
                        ">",
                        evidence.overlapping.get(SHORT, np.nan),
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
                    f"{sizes[of]}: INEX 2003o | {other}",
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
                    f"{sizes[of]}: INEX 2003s | {other}",
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
                Comparison(f"{q}, {sizes[of]}", r_metrics("INEX 2003s", "INEX 2003o", q, of), "<", 0.9)
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
                    f"{q}, {sizes[of]}: with 2003o | with 2003s",
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
                    f"{sizes[of]}: generalised | strict",
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
            "The differences between INEX 2002 and INEX 2003 are smaller for shorter runs.",
            f"Pearson's r of INEX 2002 with both variants is higher at {short} than at {long}."
            + _FEW
            + _SAME,
            by_size(
                [
                    Comparison(
                        f"with {other}, {q}: {short} | {long}",
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
            f"The best quarter of the runs under INEX 2002 (generalised, {short}) has a worse mean rank "
            "under INEX 2003o than under INEX 2003s, which considers size alone." + _FEW,
            [
                Comparison(
                    "mean rank under INEX 2003o | INEX 2003s",
                    evidence.rank.get("INEX 2003o", np.nan),
                    ">",
                    evidence.rank.get("INEX 2003s", np.nan),
                )
            ],
        ),
    ]
