"""The text and the relevant text that a reader of a list has read: in total, up to a rank, or on a budget.

Text is counted in the collection's unit, or in words with at least one character read.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from focuseval.measures.curves import at_ranks
from focuseval.measures.declaration import (
    CHARACTERS,
    LINES,
    RANK,
    TOKENS,
    WORDS,
    Cutoff,
    CutoffKind,
    start_and_cost,
)
from focuseval.model.arrays import Floats, Ints
from focuseval.model.elements import Words
from focuseval.model.intervals import covered, merge, new_common
from focuseval.model.judgements import Highlights, Topic
from focuseval.model.results import ResultList


@dataclass(frozen=True, eq=False)
class RelevantUnits:
    """The relevant text of a topic, in the counted units."""

    text: Highlights
    total: int
    words: Words | None  #: words of the documents, if texts are known
    in_words: bool  #: whether words are counted instead of the collection's unit


def relevant_text(topic: Topic, in_words: bool = False) -> RelevantUnits:
    """Return the highlighted text of a topic, possibly empty, in the collection's unit or in words."""
    text, words = topic.highlights, topic.collection.words
    assert text is not None  # Measures of text require highlights.
    if in_words:
        assert words is not None  # Measures of words require texts.
        text = Highlights(*merge(text.document, *words.touched(text.document, text.start, text.end)))
    return RelevantUnits(text, int((text.end - text.start).sum()), words, in_words)


@dataclass(eq=False)
class TextRanking:
    """A list that is read from its beginning (K results)."""

    relevant: RelevantUnits
    results: ResultList
    #: how text in several results counts: "once", "summed" (each time), or "chroma" (relevant text once)
    counting: str = "once"

    @cached_property
    def _counted(self) -> ResultList:
        """The results, converted to the counted units."""
        if not self.relevant.in_words:
            return self.results
        start, size = start_and_cost(self.results, WORDS, self.relevant.words)
        return replace(self.results, start=start, end=start + size)

    @cached_property
    def retrieved(self) -> Ints:
        """The size of the text retrieved up to each rank (K,)."""
        return np.cumsum(
            self._counted.new_text if self.counting == "once" else self._counted.size, dtype=np.int64
        )

    @cached_property
    def found(self) -> Ints:
        """The amount of relevant text in the results up to each rank (K,)."""
        text, results = self.relevant.text, self._counted
        marked = text.document, text.start, text.end
        common = covered if self.counting == "summed" else new_common
        new = common(*marked, results.document, results.start, results.end)
        return np.cumsum(new, dtype=np.int64)

    @property
    def precision(self) -> Floats:
        """``P[r] = |rel ∩ (c_1 ∪ … ∪ c_r)| / |c_1 ∪ … ∪ c_r|`` (K,), 0 for empty results."""
        return self.found / np.maximum(self.retrieved, 1)

    @property
    def recall(self) -> Floats:
        """``R[r] = |rel ∩ (c_1 ∪ … ∪ c_r)| / |rel|`` for topics with relevant text (K,)."""
        return self.found / self.relevant.total

    def first(self, count: int) -> "TextRanking":
        """Return the list up to the first ``count`` results, reusing the counts."""
        part = replace(self, results=self.results.first(count))
        part.retrieved, part.found = self.retrieved[:count], self.found[:count]
        return part

    def cut(self, budget: int, kind: CutoffKind) -> "TextRanking":
        """Return the part read on a budget: results in rank order, with the last result shortened to fit.

        Repeated text costs again. Tokens are counted in each result separately.
        """
        results, words = self.results, self.relevant.words
        low, sizes = start_and_cost(results, kind, words)
        cost = np.cumsum(sizes)
        # Reading stops at the result that exhausts the budget, even if later results cost nothing.
        fitting, full = (np.searchsorted(cost, budget, side=side) for side in ("right", "left"))
        whole = int(min(fitting, full + 1))
        if whole == len(results):
            return self
        rest = int(budget - (cost[whole - 1] if whole else 0))
        document, begin = int(results.document[whole]), int(results.start[whole])
        end = begin + rest
        if rest and results.resolved[whole] and words is not None:
            if kind is WORDS:
                end = words.end_of(document, int(low[whole]) + rest - 1)
            if kind is TOKENS:
                end = words.end_of_tokens(document, begin, int(results.end[whole]), rest)
        ends = np.append(results.end[:whole], end)
        elements = np.append(results.element[:whole], -1)
        return replace(self, results=replace(results.first(whole + 1), end=ends, element=elements))


def counts(ranking: TextRanking) -> Floats:
    """Return the counts of the whole list, an array of shape (4,) in the order of `COUNTS`."""
    return counts_at_ranks(ranking, np.array([len(ranking.results)]))[0]


def counts_at_ranks(ranking: TextRanking, ranks: Ints) -> Floats:
    """Return the `COUNTS` of the results up to each rank, of shape (P, 4). They are constant beyond the list's end."""
    found, retrieved = (at_ranks(column, ranks) for column in (ranking.found, ranking.retrieved))
    relevant = np.full(len(ranks), ranking.relevant.total)
    return np.stack([found, retrieved, found, relevant], axis=-1).astype(float)


def on_budgets(value: Callable[[TextRanking], Any]) -> tuple[Cutoff[TextRanking], ...]:
    """Return a cut-off for each kind of budget: the values (P, …) of the parts of a list read on P budgets."""

    def at(ranking: TextRanking, budgets: Ints, kind: CutoffKind) -> Floats:
        return np.array([value(ranking.cut(int(budget), kind)) for budget in budgets])

    needs = {CHARACTERS: {"characters"}, WORDS: {"texts"}, LINES: {"lines"}, TOKENS: {"texts", "tokenizer"}}
    return tuple(
        Cutoff(kind, "reading budget", partial(at, kind=kind), needs=frozenset(needed))
        for kind, needed in needs.items()
    )


#: cut-offs of measures with a ``pool``
CUTOFFS = (Cutoff(RANK, "result", counts_at_ranks), *on_budgets(counts))
