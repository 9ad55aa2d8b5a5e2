"""What the paper says of its table, and what the table leaves open, as checks on numbers."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from focuseval.findings import Comparison, Finding

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


@dataclass(frozen=True, eq=False)
class Evidence:
    """The numbers that findings are checked on, computed here or as printed; frames are empty where unknown."""

    table: pd.DataFrame  #: systems × measures
    difference: float  #: the largest from a printed cell
    compared: pd.DataFrame  #: as `analysis.against_the_first` has it
    averages: pd.DataFrame  #: as `analysis.averages` has it


def of_campaign(extraction: pd.DataFrame, compared: pd.DataFrame, averages: pd.DataFrame) -> Evidence:
    """The evidence of what was computed here, from the tables of `focuseval.papers.recski2026.analysis`."""
    table = extraction.pivot(index="system", columns="measure", values="reproduced")
    largest = (extraction["reproduced"] - extraction["printed"]).abs().max(skipna=False)
    return Evidence(table, float(largest), compared, averages)


def printed_evidence(printed: pd.DataFrame) -> Evidence:
    """The evidence of the published table: columns system, measure, printed."""
    table = printed.pivot(index="system", columns="measure", values="printed")
    return Evidence(table, float("nan"), pd.DataFrame(), pd.DataFrame())


def findings(evidence: Evidence) -> list[Finding]:
    """The findings on one body of evidence."""

    def of(system: str, measure: str) -> float:
        known = system in evidence.table.index and measure in evidence.table
        return float(evidence.table.loc[system, measure]) if known else float("nan")

    def compared(system: str, column: str) -> float:
        found = evidence.compared
        rows = found[found["system"] == system] if len(found) else found
        return float(rows[column].iloc[0]) if len(rows) else float("nan")

    def rank(column: str) -> float:
        found = evidence.averages
        rows = found[found["system"] == CLASSIFIER] if len(found) else found
        return float(rows[column].iloc[0]) if len(rows) else float("nan")

    others = evidence.table["word_F1"].drop(CLASSIFIER, errors="ignore")
    following = evidence.compared.iloc[1 : 1 + NEXT] if len(evidence.compared) else evidence.compared
    least = following["p_adjusted"].min() if len(following) == NEXT else np.nan
    below = following["difference_low"].max() if len(following) == NEXT else np.nan
    return [
        Finding(
            "every-cell-is-reproduced",
            "Table of extraction",
            "Every cell of the published table follows from the published files.",
            "No cell differs by more than 1e-9.",
            [Comparison("largest difference", evidence.difference, "≤", DIGITS)],
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
                Comparison(
                    "classifier | best of the others", of(CLASSIFIER, "word_F1"), ">", float(others.max())
                ),
            ],
        ),
        Finding(
            "ahead-by-more-than-chance",
            "beyond the Abstract",
            "The classifier is ahead of the strongest large language model by more than the choice of "
            "queries explains.",
            "The 95 % interval of the difference, queries drawn in pairs, lies above 0.",
            [Comparison("lower limit of the difference", compared(STRONGEST, "difference_low"), ">", 0.0)],
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
            "Its rank under the mean of F1 over queries is 1, whether or not queries without gold count as "
            "0.",
            [
                Comparison("rank, all queries", rank("macro_rank"), "≤", 1.0),
                Comparison("rank, queries with gold", rank("macro_with_gold_rank"), "≤", 1.0),
            ],
        ),
        Finding(
            "first-in-relevant-chunks",
            "beyond the Abstract",
            "The classifier would be first on the chunks that hold gold spans alone.",
            "Its rank is 1 if what systems return in irrelevant chunks is left out.",
            [Comparison("rank", rank("where_relevant_rank"), "≤", 1.0)],
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
