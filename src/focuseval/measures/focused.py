"""Precision and recall over highlighted text (INEX 2007-2010, Focused and Thorough), and their combinations.

Text is counted in the collection's unit, or in words as in acl-verbatim (Recski et al. 2026, arXiv 2605.21102). A word
is a maximal sequence of non-space characters. It counts if a result contains any of its characters.
"""

from dataclasses import replace

from focuseval.measures import curves
from focuseval.measures.curves import RECALL_LEVELS_FROM_0
from focuseval.measures.declaration import LEFT_OUT, LEVEL, LINES, Cutoff, Measure, Parameter
from focuseval.measures.ratios import WITHOUT_GOLD, f1, intersection_over_union, precision, recall
from focuseval.measures.text import CUTOFFS, RelevantUnits, TextRanking, counts, on_budgets, relevant_text
from focuseval.model.arrays import Floats
from focuseval.model.judgements import Topic
from focuseval.model.results import ResultList


def prepare(topic: Topic) -> RelevantUnits | None:
    """Return the highlighted text of a topic, or None if nothing is highlighted."""
    relevant = relevant_text(topic)
    return relevant if relevant.total else None


def trace_again(text: RelevantUnits, results: ResultList, *, again: str) -> TextRanking:
    """Trace how much text a list has retrieved, and how much gold it has found, up to each rank.

    Found gold counts once. If ``again`` is "charged", repeated text counts as retrieved each time. If it is "free",
    repeated text counts once.
    """
    return TextRanking(text, results, "chroma" if again == "charged" else "once")


def trace_counted(text: RelevantUnits, results: ResultList, *, counting: str) -> TextRanking:
    """Trace how much text a list has retrieved, and how much gold it has found, up to each rank.

    ``counting`` states how often repeated text counts (see `TextRanking`).
    """
    return TextRanking(text, results, counting)


def interpolated(ranking: TextRanking, levels: Floats) -> Floats:
    """Return interpolated precision at each level of recall x, ``iP[x] = max {P[r] : R[r] >= x}``.

    P[r] and R[r] are precision and recall at rank r. A recall of at most 1e-9 below a level counts as reaching the
    level. iP[x] is in [0, 1], and 0 if the list does not reach recall x. Higher is better. Source: Kamps et al., INEX
    2007 evaluation measures.
    """
    return curves.interpolated(ranking.precision, ranking.recall, levels)


def average(ranking: TextRanking) -> float:
    """Return AiP, the mean of interpolated precision over the levels of recall 0.00, 0.01 … 1.00.

    AiP is in [0, 1], and higher is better.
    """
    return float(interpolated(ranking, RECALL_LEVELS_FROM_0).mean())


#: the parameter that decides whether text that occurs in several results counts more than once
COUNTING = Parameter(
    "counting",
    "once",
    "how often to count text that several results contain. once: once; summed: once per result",
    ("once", "summed"),
)
#: the parameter ``counting`` of measures that can exceed 1 with ``counting=summed``
COUNTING_OF_RECALL = replace(COUNTING, unbounded_choices=("summed",))
COUNTING_OF_IOU = replace(
    COUNTING_OF_RECALL,
    summary=f"{COUNTING.summary}; chroma: gold once, returned text once per result",
    choices=("once", "summed", "chroma"),
)

AGAIN = Parameter(
    "again",
    "free",
    "cost of reading text again. free: nothing; charged: its length",
    ("free", "charged"),
)

IP = Measure(
    name="iP",
    summary="interpolated precision: the highest precision at any recall of at least `level`",
    paper="INEX 2007-2010, Focused and Thorough",
    prepare=prepare,
    trace=trace_again,
    parameters=(AGAIN,),
    cutoffs=(Cutoff(LEVEL, "recall over text", interpolated, tuple(RECALL_LEVELS_FROM_0)),),
    needs=frozenset({"highlights"}),
    claims=frozenset({"tail"}),
)
AIP = replace(
    IP,
    name="AiP",
    summary="average interpolated precision: mean of iP@0.00, iP@0.01 … iP@1.00",
    value=average,
    cutoffs=on_budgets(average),
)
MAIP = replace(AIP, name="MAiP", summary="another name of AiP")
CHAR_PRECISION = replace(
    IP,
    name="char_precision",
    summary="share of the returned text that is gold; repeated text counts once",
    trace=trace_counted,
    value=counts,
    pool=precision,
    parameters=(COUNTING,),
    cutoffs=CUTOFFS,
    claims=frozenset(),
)
CHAR_RECALL = replace(
    CHAR_PRECISION,
    name="char_recall",
    summary="share of the gold that was returned; repeated text counts once",
    pool=recall,
    parameters=(COUNTING_OF_RECALL,),
    claims=frozenset({"tail"}),
)
CHAR_F1 = replace(
    CHAR_RECALL,
    name="char_F1",
    summary="harmonic mean of char_precision and char_recall",
    pool=f1,
    claims=frozenset(),
)
IOU = replace(
    CHAR_PRECISION,
    name="IoU",
    summary="intersection over union of the returned text and the gold",
    paper="Jaccard 1901; Smith & Troynikov 2024 (counting=chroma)",
    pool=intersection_over_union,
    parameters=(COUNTING_OF_IOU,),
)


def prepare_words(topic: Topic, *, without_gold: str) -> RelevantUnits | None:
    """Return the highlighted words of a topic, or None if there are none and ``without_gold`` is "left-out"."""
    words = relevant_text(topic, in_words=True)
    return None if without_gold == LEFT_OUT and not words.total else words


WORD_PRECISION = Measure(
    name="word_precision",
    summary="share of the returned words that are gold; each word counts once",
    paper="Recski et al. 2026 (acl-verbatim)",
    prepare=prepare_words,
    trace=TextRanking,
    value=counts,
    pool=precision,
    parameters=(WITHOUT_GOLD,),
    # Budgets in lines are left out, because they require text that is counted in lines.
    cutoffs=tuple(cutoff for cutoff in CUTOFFS if cutoff.kind is not LINES),
    needs=frozenset({"highlights", "texts"}),
)
WORD_RECALL = replace(
    WORD_PRECISION,
    name="word_recall",
    summary="share of the gold words that are returned; each word counts once",
    pool=recall,
    claims=frozenset({"tail"}),
)
WORD_F1 = replace(
    WORD_PRECISION, name="word_F1", summary="harmonic mean of word_precision and word_recall", pool=f1
)

MEASURES = (IP, AIP, MAIP, CHAR_PRECISION, CHAR_RECALL, CHAR_F1, IOU, WORD_PRECISION, WORD_RECALL, WORD_F1)
