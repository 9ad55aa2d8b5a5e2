"""The paper's findings as checks on a campaign's numbers, or on the printed ones."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from focuseval.model.arrays import Floats, Ints
from focuseval.statistics.estimates import Quantity, combined, ratio
from focuseval.statistics.findings import Comparison, Finding, given
from focuseval.statistics.means import column_means
from focuseval.statistics.weighted import kendall_of, pearson_of, share_of_pairs, spearman_of
from focuseval_papers.publication.paper import Draw

#: the paper's measures, that of the task first
MAGP, MAP = "MAgP", "MAP"

#: the coefficients of both means
COEFFICIENTS = {"Kendall's τ": kendall_of, "Spearman's ρ": spearman_of, "Pearson's r": pearson_of}

#: what the text and the tables print, by the names of `config/published/kamps2007.csv`
RUNS, TOPICS, PAIRS = "runs", "topics", "pairwise comparisons"
SIGNIFICANT = {MAGP: "significant pairs under MAgP", MAP: "significant pairs under MAP"}
TAU = "kendall_tau(MAP; MAgP)"
RESAMPLES, ALPHA = "bootstrap resamples", "significance level (one-tailed)"
ORDER = "MAP order of the systems labelled by MAgP rank"

#: not printed
EXCESS = "largest AgP less AP of a run on a topic"


#: why AgP cannot be above AP
_PARTIAL = (
    "Both average the precision at the same ranks, and where AP adds 1 for an article, AgP adds its F-score, which is "
    "at most 1."
)


@dataclass(frozen=True, eq=False)
class Evidence:
    """The numbers that findings are checked on, of a campaign or as printed."""

    numbers: Mapping[str, Quantity]  #: by quantity; what is unknown is missing
    systems: int  #: how many are compared
    first: Quantity  #: rank under MAgP of the first under MAP
    rise: Quantity  #: largest rise from the rank under MAgP to that under MAP
    last: Quantity  #: rank under MAP of the last under MAgP
    scores: int = 0  #: how many pairs of run and topic have a score


def printed_ranks(order: str) -> dict[int, int]:
    """Rank under MAP by rank under MAgP, from the printed order such as ``5 1 2 …``."""
    return {int(label): place for place, label in enumerate(order.split(), 1)}


def evidence(
    summary: pd.DataFrame,
    topics: pd.DataFrame,
    pairs: Mapping[str, pd.DataFrame],
    sample: Draw,
) -> Evidence:
    """The evidence of a campaign.

    ``summary`` from `focuseval_papers.kamps2007.paper`; ``topics`` has the columns topic, run, `MAGP` and `MAP`, the
    systems by their rank under MAgP; ``pairs`` has by measure the pairs that differ significantly (higher_run,
    lower_run). ``sample`` draws runs and topics. Correlations, and how many pairs differ significantly, are drawn over
    runs (the tests already look at topics); ranks over topics.
    """
    values = {measure: topics.pivot(index="topic", columns="run", values=measure) for measure in (MAGP, MAP)}
    runs = list(dict.fromkeys(topics["run"]))
    by = {measure: table[runs].to_numpy() for measure, table in values.items()}
    systems = sample("systems", runs, "runs")
    drawn = sample("topics", list(values[MAP].index), "topics")
    numbers: dict[str, Quantity] = dict(zip(summary["quantity"], summary["here"].astype(float), strict=True))
    numbers[TAU] = systems.estimate(kendall_of(column_means(by[MAP]), column_means(by[MAGP])))
    every = float(len(runs) * (len(runs) - 1) // 2)
    for measure, name in SIGNIFICANT.items():
        share = systems.estimate(share_of_pairs(_marked(pairs[measure], runs)))
        numbers[name] = combined(lambda found: every * found, share)
    ranks = (_first, _rise, _last)
    first, rise, last = (drawn.estimate(_of_means(by[MAGP], by[MAP], of)) for of in ranks)
    return Evidence(numbers, len(runs), first, rise, last, len(topics))


def _marked(significant: pd.DataFrame, runs: Sequence[str]) -> Floats:
    """1 for the pairs of runs, in the order of `numpy.triu_indices`, that differ significantly, else 0."""
    known = set(map(frozenset, significant[["higher_run", "lower_run"]].itertuples(index=False, name=None)))
    return np.array([frozenset(pair) in known for pair in combinations(runs, 2)], dtype=float)


def _of_means(
    magp: Floats, average_precision: Floats, of: Callable[[Ints, Ints], Floats]
) -> Callable[[Floats], Floats]:
    """A statistic of the ranks (R, S) of systems under both means, from values (T, S)."""

    def ranked(weights: Floats, values: Floats) -> Ints:
        order = np.argsort(-(weights @ values), axis=1, kind="stable")
        return np.argsort(order, axis=1) + 1

    return lambda weights: of(ranked(weights, magp), ranked(weights, average_precision))


def _first(magp: Ints, average_precision: Ints) -> Floats:
    return magp[average_precision == 1].astype(float)


def _rise(magp: Ints, average_precision: Ints) -> Floats:
    return (magp - average_precision).max(axis=1).astype(float)


def _last(magp: Ints, average_precision: Ints) -> Floats:
    return average_precision[magp == magp.shape[1]].astype(float)


def printed_evidence(printed: pd.DataFrame) -> Evidence:
    """The evidence as far as the paper prints it (the table as it stands in `config/published`)."""
    values = dict(zip(printed["quantity"], printed["value"], strict=True))
    ranks = printed_ranks(values.pop(ORDER, ""))
    numbers: dict[str, Quantity] = {name: float(value) for name, value in values.items()}
    if not ranks:
        return Evidence(numbers, 0, math.nan, math.nan, math.nan)
    magp, average_precision = (np.array([side]) for side in zip(*ranks.items(), strict=True))
    first, rise, last = (float(of(magp, average_precision)[0]) for of in (_first, _rise, _last))
    return Evidence(numbers, len(ranks), first, rise, last)


def findings(evidence: Evidence) -> list[Finding]:
    """The paper's findings as checks on one body of evidence; thresholds stand in their texts."""

    def number(name: str) -> Quantity:
        return evidence.numbers.get(name, math.nan)

    pairs, tau = number(PAIRS), number(TAU)
    share = {measure: ratio(number(SIGNIFICANT[measure]), pairs) for measure in (MAGP, MAP)}
    half = evidence.systems / 2 or math.nan

    return [
        Finding(
            "magp-distinguishes-systems",
            "3, Table 1",
            "MAgP is fairly effective at telling systems apart: 112 of 190 pairs differ significantly.",
            "At least half of all pairs of systems differ significantly under MAgP.",
            [Comparison("share of significant pairs", share[MAGP], "≥", 0.5)],
        ),
        Finding(
            "map-distinguishes-half",
            "3, Table 2",
            "No less than 95 of the 190 pairs differ significantly under MAP.",
            "At least half of all pairs of systems differ significantly under MAP.",
            [Comparison("share of significant pairs", share[MAP], "≥", 0.5)],
        ),
        Finding(
            "magp-distinguishes-more",
            "3, Tables 1 and 2",
            "MAgP distinguishes more systems than MAP, which abstracts from the text inside articles.",
            "More pairs of systems differ significantly under MAgP than under MAP.",
            [
                Comparison(
                    "significant pairs: MAgP | MAP", number(SIGNIFICANT[MAGP]), ">", number(SIGNIFICANT[MAP])
                )
            ],
        ),
        Finding(
            "orders-agree-in-part",
            "3",
            "The order of systems under MAP is correlated with that under MAgP (0.674).",
            "Kendall's tau is above 0: the 95 % interval over systems leaves 0 out.",
            [Comparison("Kendall's tau", tau, ">", 0.0)],
        ),
        Finding(
            "the-tasks-differ",
            "3",
            "There are important differences between retrieving documents and Relevant in Context.",
            "Kendall's tau between MAP and MAgP is below 0.9, above which orders are commonly taken as the same.",
            [Comparison("Kendall's tau", tau, "<", 0.9)],
        ),
        Finding(
            "best-for-articles-is-not-best-in-context",
            "3, Table 2",
            "The system that is first under MAP is not first under MAgP: it is 5th.",
            "The rank under MAgP of the system that is first under MAP is above 1.",
            [Comparison("rank under MAgP of the first under MAP", evidence.first, ">", 1.0)],
        ),
        Finding(
            "a-notable-upset",
            "3, Table 2",
            "Some system stands much higher under MAP: the 20th under MAgP is 6th.",
            "The largest rise from the rank under MAgP to that under MAP is at least half the number of systems.",
            [Comparison("largest rise | half the systems", evidence.rise, "≥", half)],
        ),
        Finding(
            "last-in-context-finds-articles",
            "3, Table 2",
            "The system that is last under MAgP is in the upper half under MAP.",
            "The rank under MAP of the system that is last under MAgP is at most half the number of systems.",
            [
                Comparison(
                    "rank under MAP of the last under MAgP | half the systems", evidence.last, "≤", half
                )
            ],
        ),
        Finding(
            "a-partial-score",
            "3",
            "An article adds a partial score to MAgP where it adds 1 to MAP; recall is the same in both.",
            "On no topic has a run a higher AgP than AP.",
            given(_PARTIAL, [Comparison("largest AgP less AP", number(EXCESS), "≤", 0.0, n=evidence.scores)]),
        ),
    ]
