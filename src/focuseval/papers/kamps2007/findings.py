"""The paper's findings as checks on a campaign's numbers, or on the printed ones."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from focuseval.findings import Comparison, Finding

#: the paper's measures, that of the task first
MAGP, MAP = "MAgP", "MAP"

#: what the text and the tables print, by the names of `config/published/kamps2007.csv`
RUNS, TOPICS, PAIRS = "runs", "topics", "pairwise comparisons"
SIGNIFICANT = {MAGP: "significant pairs under MAgP", MAP: "significant pairs under MAP"}
TAU = "kendall_tau(MAP; MAgP)"
RESAMPLES, ALPHA = "bootstrap resamples", "significance level (one-tailed)"
ORDER = "MAP order of the systems labelled by MAgP rank"

#: not printed
EXCESS = "largest AgP less AP of a run on a topic"


@dataclass(frozen=True, eq=False)
class Evidence:
    """The numbers that findings are checked on, of a campaign or as printed."""

    numbers: Mapping[str, float]  #: by quantity; what is unknown is missing
    map_rank: Mapping[int, int]  #: rank under MAP by rank under MAgP


def printed_ranks(order: str) -> dict[int, int]:
    """Rank under MAP by rank under MAgP, from the printed order such as ``5 1 2 …``."""
    return {int(label): place for place, label in enumerate(order.split(), 1)}


def evidence(summary: pd.DataFrame, orders: pd.DataFrame) -> Evidence:
    """The evidence of a campaign, from the tables of `focuseval.papers.kamps2007.paper`."""
    ranks = dict(zip(orders["MAgP_rank"].tolist(), orders["MAP_rank"].tolist(), strict=True))
    return Evidence(dict(zip(summary["quantity"], summary["here"], strict=True)), ranks)


def printed_evidence(printed: pd.DataFrame) -> Evidence:
    """The evidence as far as the paper prints it (the table as it stands in `config/published`)."""
    values = dict(zip(printed["quantity"], printed["value"], strict=True))
    order = values.pop(ORDER, "")
    return Evidence({name: float(value) for name, value in values.items()}, printed_ranks(order))


def findings(evidence: Evidence) -> list[Finding]:
    """The paper's findings as checks on one body of evidence; thresholds stand in their texts."""

    def number(name: str) -> float:
        return evidence.numbers.get(name, math.nan)

    pairs, tau = number(PAIRS), number(TAU)
    share = {measure: number(SIGNIFICANT[measure]) / pairs for measure in (MAGP, MAP)}
    ranks = evidence.map_rank
    first = next((float(rank) for rank, other in ranks.items() if other == 1), math.nan)
    rise = float(max((rank - other for rank, other in ranks.items()), default=math.nan))
    last = float(ranks[max(ranks)]) if ranks else math.nan
    systems = float(len(ranks)) or math.nan

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
            "More pairs of systems stand in the same order under both measures than in opposite orders: "
            "Kendall's tau is above 0.",
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
            [Comparison("rank under MAgP of the first under MAP", first, ">", 1.0)],
        ),
        Finding(
            "a-notable-upset",
            "3, Table 2",
            "Some system stands much higher under MAP: the 20th under MAgP is 6th.",
            "The largest rise from the rank under MAgP to that under MAP is at least half the number of systems.",
            [Comparison("largest rise | half the systems", rise, "≥", systems / 2)],
        ),
        Finding(
            "last-in-context-finds-articles",
            "3, Table 2",
            "The system that is last under MAgP is in the upper half under MAP.",
            "The rank under MAP of the system that is last under MAgP is at most half the number of systems.",
            [Comparison("rank under MAP of the last under MAgP | half the systems", last, "≤", systems / 2)],
        ),
        Finding(
            "a-partial-score",
            "3",
            "An article adds a partial score to MAgP where it adds 1 to MAP; recall is the same in both.",
            "On no topic has a run a higher AgP than AP.",
            [Comparison("largest AgP less AP", number(EXCESS), "≤", 0.0)],
        ),
    ]
