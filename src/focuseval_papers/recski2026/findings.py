"""What the paper says of its table, and what the table leaves open, as checks on numbers."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from focuseval.findings import Comparison, Finding
from focuseval.measures.declaration import COUNTS, parse_specs
from focuseval.statistics.estimates import Quantity, highest
from focuseval.statistics.weighted import Statistic, mean_of
from focuseval_papers.publication.paper import Draw
from focuseval_papers.recski2026.analysis import KNOWN, PUBLISHED, RUNS

#: what every cell is reproduced to
DIGITS = 1e-9

#: the paper's own system, its strongest large language model, and how many systems behind the first are looked at
CLASSIFIER, STRONGEST = "ACL-Verbatim ModernBERT reranker", "GLM-5"
NEXT = 4

#: systems that paragraphs were asked of, and the same that spans were asked of
PARAGRAPHS = {
    "Mistral Small 2603 + paragraph": "Mistral Small 2603",
    "Nemotron-120B-A12B + paragraph": "Nemotron-120B-A12B",
    "Qwen 3.6 35B + paragraph": "Qwen 3.6 35B",
}


#: the averages of F1 over words, by what findings call them
POOLED, MACRO, MACRO_WITH_GOLD, WHERE_RELEVANT = "micro", "macro", "macro_with_gold", "where_relevant"


@dataclass(frozen=True, eq=False)
class Evidence:
    """The numbers that findings are checked on, computed here or as printed; empty where unknown."""

    table: Mapping[tuple[str, str], Quantity]  #: by system and measure
    difference: float  #: the largest from a printed cell
    compared: pd.DataFrame  #: as `analysis.against_the_first` has it
    averages: Mapping[str, Mapping[str, Quantity]]  #: F1 over words by average and system
    cells: int = 0  #: how many are beside a printed one


def of_campaign(
    extraction: pd.DataFrame, compared: pd.DataFrame, counts: pd.DataFrame, by_query: pd.DataFrame, draw: Draw
) -> Evidence:
    """The evidence of what was computed here, from frames of `focuseval_papers.recski2026.analysis`.

    Queries are drawn with all that was counted on them.
    """
    queries = draw("queries", sorted(counts["topic"].unique()), "queries")
    table: dict[tuple[str, str], Quantity] = {}
    averages: dict[str, dict[str, Quantity]] = {}
    for (of, measure, system), part in counts.groupby(["of", "measure", "system"], sort=False):
        found = queries.estimate(_pooled(part.set_index("topic").loc[list(queries.members)], str(measure)))
        if of == RUNS:
            table[str(system), str(measure)] = found
        if measure == "word_F1":
            averages.setdefault(POOLED if of == RUNS else WHERE_RELEVANT, {})[str(system)] = found
    for (average, system), part in by_query.groupby(["average", "system"], sort=False):
        values = part.set_index("topic")["value"].reindex(queries.members).to_numpy()
        averages.setdefault(str(average), {})[str(system)] = queries.estimate(mean_of(values))
    difference = (extraction["reproduced"] - extraction["printed"]).abs()
    return Evidence(table, float(difference.max(skipna=False)), compared, averages, len(difference))


def _pooled(counts: pd.DataFrame, measure: str) -> Statistic:
    """The number that counts make when they are added up over the queries that are drawn."""
    number = parse_specs(PUBLISHED[measure], KNOWN)[0].number_of
    return lambda weights: number(weights @ counts[list(COUNTS)].to_numpy())


def printed_evidence(printed: pd.DataFrame) -> Evidence:
    """The evidence of the published table: columns system, measure, printed."""
    table = {(system, measure): float(value) for system, measure, value in printed.values.tolist()}
    f1 = {system: value for (system, measure), value in table.items() if measure == "word_F1"}
    return Evidence(table, float("nan"), pd.DataFrame(), {POOLED: f1})


def findings(evidence: Evidence) -> list[Finding]:
    """The findings on one body of evidence."""

    def of(system: str, measure: str) -> Quantity:
        return evidence.table.get((system, measure), float("nan"))

    def ahead(average: str, of: str) -> Comparison:
        """The classifier beside the best of the others, under an average of F1."""
        known = evidence.averages.get(average, {})
        best = highest(value for system, value in known.items() if system != CLASSIFIER)
        return Comparison(f"classifier | best of the others{of}", known.get(CLASSIFIER, np.nan), ">", best)

    following = evidence.compared.iloc[1 : 1 + NEXT] if len(evidence.compared) else evidence.compared
    least = following["p_adjusted"].min() if len(following) == NEXT else np.nan
    below = following["difference_low"].max() if len(following) == NEXT else np.nan
    return [
        Finding(
            "every-cell-is-reproduced",
            "Table of extraction",
            "Every cell of the published table follows from the published files.",
            "No cell differs by more than 1e-9.",
            [Comparison("largest difference", evidence.difference, "≤", DIGITS, n=evidence.cells)],
        ),
        Finding(
            "the-classifier-is-first",
            "Abstract",
            "A small token classifier has the best F1 over words (53.6), ahead of the strongest large "
            "language model evaluated (48.7).",
            "The classifier's F1, counts of all queries added up, is above that of every other system.",
            [
                Comparison(
                    "classifier | strongest language model",
                    of(CLASSIFIER, "word_F1"),
                    ">",
                    of(STRONGEST, "word_F1"),
                ),
                ahead(POOLED, ""),
            ],
        ),
        Finding(
            "four-cannot-be-told-from-the-first",
            "not in the paper",
            "The four systems behind the first cannot be told from it by these queries.",
            "No p-value of the four, after Holm, is 0.05 or less, and 0 lies in the interval of every "
            "difference.",
            [
                Comparison("smallest adjusted p of the next four", float(least), ">", 0.05),
                Comparison("highest lower limit of a difference", float(below), "≤", 0.0),
            ],
        ),
        Finding(
            "first-under-the-mean-of-queries",
            "beyond the Abstract",
            "The classifier would be first if every query counted the same.",
            "Its mean of F1 over queries is above that of every other system, whether or not queries without gold "
            "count as 0.",
            [ahead(MACRO, ", all queries"), ahead(MACRO_WITH_GOLD, ", queries with gold")],
        ),
        Finding(
            "first-in-relevant-chunks",
            "beyond the Abstract",
            "The classifier would be first on the chunks that hold gold spans alone.",
            "Its F1 is above that of every other system if what systems return in irrelevant chunks is left out.",
            [ahead(WHERE_RELEVANT, "")],
        ),
        Finding(
            "paragraphs-give-recall-for-precision",
            "Table of extraction",
            "Language models that return paragraphs find more of the gold words and return more that are "
            "not.",
            "Each of the three has higher recall and lower precision over words than the same model asked "
            "for spans.",
            [
                comparison
                for long, short in PARAGRAPHS.items()
                for comparison in (
                    Comparison(
                        f"recall: {long} | spans", of(long, "word_recall"), ">", of(short, "word_recall")
                    ),
                    Comparison(
                        f"precision: {long} | spans",
                        of(long, "word_precision"),
                        "<",
                        of(short, "word_precision"),
                    ),
                )
            ],
        ),
    ]
