"""Precision and recall over highlighted text (INEX 2007-2010, Focused and Thorough), and what else is made of both.

What a reader has read of a list, of all of it, up to a rank or on a budget, is counted in the collection's unit, or in
words of which any character was read, as Recski et al. (2026, arXiv 2605.21102, acl-verbatim) count them: maximal runs
of non-space characters that a result touches. Measures of text read their numbers from these counts.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from focuseval.measures import curves
from focuseval.measures.curves import RECALL_LEVELS_FROM_0, at_ranks
from focuseval.measures.declaration import (
    CHARACTERS,
    LEFT_OUT,
    LEVEL,
    LINES,
    RANK,
    WORDS,
    Cutoff,
    Measure,
    Parameter,
)
from focuseval.measures.ratios import WITHOUT_GOLD, f1, intersection_over_union, precision, recall
from focuseval.model.arrays import Floats, Ints
from focuseval.model.elements import Words
from focuseval.model.intervals import covered, merge, new_common
from focuseval.model.judgements import Highlights, Topic
from focuseval.model.results import ResultList


@dataclass(frozen=True, eq=False)
class RelevantUnits:
    """The relevant text of a topic, in the units that are counted."""

    text: Highlights
    total: int
    words: Words | None  #: of the documents, where their texts are known
    in_words: bool  #: whether words are counted, and not the collection's unit

    def touched(self, results: ResultList) -> tuple[Ints, Ints]:
        """(K,) the words ``[low, high)`` that each result touches."""
        assert self.words is not None  # what counts words needs texts
        return self.words.touched(results.document, results.start, results.end)


def relevant_text(topic: Topic, in_words: bool = False) -> RelevantUnits:
    """The highlighted text of a topic that has highlights, though there may be none; in the unit, or in words."""
    text, words = topic.highlights, topic.collection.words
    assert text is not None  # measures of text need highlights
    if in_words:
        assert words is not None  # measures of words need texts
        text = Highlights(*merge(text.document, *words.touched(text.document, text.start, text.end)))
    return RelevantUnits(text, int((text.end - text.start).sum()), words, in_words)


@dataclass(frozen=True, eq=False)
class TextRanking:
    """A list that is read from its beginning (K results)."""

    relevant: RelevantUnits
    results: ResultList
    #: how text that several results hold counts: "once"; "summed", with every result; "chroma": relevant text once
    counting: str = "once"

    @cached_property
    def _counted(self) -> ResultList:
        """The results in the units that are counted."""
        if not self.relevant.in_words:
            return self.results
        start, end = self.relevant.touched(self.results)
        return replace(self.results, start=start, end=end)

    @cached_property
    def retrieved(self) -> Ints:
        """(K,) size of all results up to each."""
        return np.cumsum(
            self._counted.new_text if self.counting == "once" else self._counted.size, dtype=np.int64
        )

    @cached_property
    def found(self) -> Ints:
        """(K,) relevant text in all results up to each."""
        text, results = self.relevant.text, self._counted
        marked = text.document, text.start, text.end
        common = covered if self.counting == "summed" else new_common
        new = common(*marked, results.document, results.start, results.end)
        return np.cumsum(new, dtype=np.int64)

    @property
    def precision(self) -> Floats:
        """(K,) ``P[r] = |rel ∩ (c_1 ∪ … ∪ c_r)| / |c_1 ∪ … ∪ c_r|``, 0 before any text was returned."""
        return self.found / np.maximum(self.retrieved, 1)

    @property
    def recall(self) -> Floats:
        """(K,) ``R[r] = |rel ∩ (c_1 ∪ … ∪ c_r)| / |rel|``, where something is relevant."""
        return self.found / self.relevant.total

    def first(self, count: int) -> "TextRanking":
        """The list as if it ended after so many results; what was counted is not counted again."""
        part = replace(self, results=self.results.first(count))
        vars(part).update(retrieved=self.retrieved[:count], found=self.found[:count])
        return part

    def cut(self, budget: int, in_words: bool) -> "TextRanking":
        """What is read on a budget: results in rank order until so many units were read, the last cut there.

        Its first units count. Text that is read again costs again.
        """
        results = self.results
        low, high = results.start, results.end
        if in_words:
            low, high = self.relevant.touched(results)
        cost = np.cumsum(high - low)
        # The result that uses the budget up is the last, though what follows may cost nothing.
        fitting, full = (np.searchsorted(cost, budget, side=side) for side in ("right", "left"))
        whole = int(min(fitting, full + 1))
        if whole == len(results):
            return self
        rest = int(budget - (cost[whole - 1] if whole else 0))
        begin = int(results.start[whole])
        end = begin + rest
        if rest and in_words and results.resolved[whole]:
            assert self.relevant.words is not None
            end = self.relevant.words.end_of(int(results.document[whole]), int(low[whole]) + rest - 1)
        ends = np.append(results.end[:whole], end)
        elements = np.append(results.element[:whole], -1)
        return replace(self, results=replace(results.first(whole + 1), end=ends, element=elements))


def counts(ranking: TextRanking) -> Floats:
    """(4,) `COUNTS` of the whole list."""
    return counts_at_ranks(ranking, np.array([len(ranking.results)]))[0]


def counts_at_ranks(ranking: TextRanking, ranks: Ints) -> Floats:
    """(P, 4) `COUNTS` of the results up to each rank; beyond the list's end, of all of it."""
    found, retrieved = (at_ranks(column, ranks) for column in (ranking.found, ranking.retrieved))
    return np.stack([found, retrieved, found, np.full(len(ranks), ranking.relevant.total)], axis=-1).astype(
        float
    )


def on_budgets(value: Callable[[TextRanking], Any]) -> tuple[Cutoff[TextRanking], ...]:
    """Reading budgets of characters, words and lines: the value of what is read on each of P budgets, (P, …)."""

    def at(ranking: TextRanking, budgets: Ints, in_words: bool) -> Floats:
        return np.array([value(ranking.cut(int(budget), in_words)) for budget in budgets])

    return (
        Cutoff(CHARACTERS, "reading budget", partial(at, in_words=False), needs=frozenset({"characters"})),
        Cutoff(WORDS, "reading budget", partial(at, in_words=True), needs=frozenset({"texts"})),
        Cutoff(LINES, "reading budget", partial(at, in_words=False), needs=frozenset({"lines"})),
    )


#: cut-offs of measures that have a ``pool``
CUTOFFS = (Cutoff(RANK, "result", counts_at_ranks), *on_budgets(counts))


def prepare(topic: Topic) -> RelevantUnits | None:
    """The highlighted text, or None if nothing is highlighted."""
    found = relevant_text(topic)
    return found if found.total else None


def trace(text: RelevantUnits, results: ResultList) -> TextRanking:
    """Retrieved and found text, result by result, in the order of the list, each piece once."""
    return TextRanking(text, results)


def trace_again(text: RelevantUnits, results: ResultList, *, again: str) -> TextRanking:
    """The same; of text that is read again, nothing is found, and it is retrieved again if it is charged."""
    return TextRanking(text, results, "chroma" if again == "charged" else "once")


def trace_counted(text: RelevantUnits, results: ResultList, *, counting: str) -> TextRanking:
    """Retrieved and found text, result by result, in the order of the list, counted as asked."""
    return TextRanking(text, results, counting)


def interpolated(ranking: TextRanking, levels: Floats) -> Floats:
    """``iP[x] = max {P[r] : R[r] >= x}``, 0 where the run does not reach recall x.

    Shapes: levels (X,), in [0, 1]; result (X,), in [0, 1], higher is better. A recall within 1e-9 of a
    level has reached it. Kamps et al., INEX 2007 evaluation measures.
    """
    return curves.interpolated(ranking.precision, ranking.recall, levels)


def average(ranking: TextRanking) -> float:
    """AiP: the mean of iP over recall 0.00, 0.01 … 1.00. In [0, 1], higher is better."""
    return float(interpolated(ranking, RECALL_LEVELS_FROM_0).mean())


#: how text that several results hold is counted
COUNTING = Parameter(
    "counting", "once", "text in several results: once, or added result by result", ("once", "summed")
)
#: the same where it can make a value exceed 1
COUNTING_OF_RECALL = replace(
    COUNTING,
    summary="text in several results: once, or added result by result, which can exceed 1",
    unbounded_choices=("summed",),
)
COUNTING_OF_IOU = replace(
    COUNTING_OF_RECALL,
    summary="text in several results: once; added result by result, which can exceed 1; chroma: what is found "
    "once, what is returned added result by result",
    choices=("once", "summed", "chroma"),
)

AGAIN = Parameter(
    "again", "free", "text read again earns nothing, and costs nothing or its length", ("free", "charged")
)

IP = Measure(
    name="iP",
    summary="interpolated precision: the highest precision over text at recall x or above",
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
    summary="average interpolated precision: mean iP over recall 0.00, 0.01 … 1.00",
    value=average,
    cutoffs=on_budgets(average),
)
MAIP = replace(AIP, name="MAiP", summary="AiP by the name of its mean over topics")
CHAR_PRECISION = replace(
    IP,
    name="char_precision",
    summary="share of the text returned (up to a cut-off) that is highlighted, each piece counted once",
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
    summary="share of the highlighted text that was returned (up to a cut-off), each piece counted once",
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
    summary="intersection over union: what is both returned (up to a cut-off) and highlighted, over what is either",
    paper="Jaccard 1901; Smith & Troynikov 2024 (counting=chroma)",
    pool=intersection_over_union,
    parameters=(COUNTING_OF_IOU,),
)


def prepare_words(topic: Topic, *, without_gold: str) -> RelevantUnits | None:
    """The highlighted words; None if there are none and such topics are left out."""
    words = relevant_text(topic, in_words=True)
    return None if without_gold == LEFT_OUT and not words.total else words


WORD_PRECISION = Measure(
    name="word_precision",
    summary="share of the words returned (up to a cut-off) that gold touches, each word counted once",
    paper="Recski et al. 2026 (acl-verbatim)",
    prepare=prepare_words,
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

MEASURES = (IP, AIP, MAIP, CHAR_PRECISION, CHAR_RECALL, CHAR_F1, IOU, WORD_PRECISION, WORD_RECALL, WORD_F1)
