"""Precision, recall and F1 over words: maximal runs of non-space characters that a result touches.

As Recski et al. (2026, arXiv 2605.21102, acl-verbatim) count them.
"""

from dataclasses import replace

from focuseval.measures.declaration import LEFT_OUT, Measure
from focuseval.measures.focused import trace
from focuseval.measures.ratios import WITHOUT_GOLD, f1, precision, recall
from focuseval.measures.text import CUTOFFS, RelevantUnits, counts, relevant_text
from focuseval.model.judgements import Topic


def prepare(topic: Topic, *, without_gold: str) -> RelevantUnits | None:
    """The highlighted words; None if there are none and such topics are left out."""
    words = relevant_text(topic, in_words=True)
    return None if without_gold == LEFT_OUT and not words.total else words


WORD_PRECISION = Measure(
    name="word_precision",
    summary="share of the words returned (up to a cut-off) that gold touches, each word counted once",
    paper="Recski et al. 2026 (acl-verbatim)",
    prepare=prepare,
    trace=trace,
    value=counts,
    pool=precision,
    parameters=(WITHOUT_GOLD,),
    cutoffs=CUTOFFS[:-1],  # words have no lines
    needs=frozenset({"highlights", "texts"}),
)
WORD_RECALL = replace(
    WORD_PRECISION,
    name="word_recall",
    summary="share of the words that gold touches which were returned (up to a cut-off), each word counted once",
    pool=recall,
    claims=frozenset({"tail"}),
)
WORD_F1 = replace(
    WORD_PRECISION, name="word_F1", summary="harmonic mean of word_precision and word_recall", pool=f1
)

MEASURES = (WORD_PRECISION, WORD_RECALL, WORD_F1)
