"""How much text a reader of a list has read, and how much of it is relevant: in total, up to a rank, or on a budget.

Text is counted in the collection's unit, or in words. A word counts as read if at least one of its characters is read.
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
    """The relevant text of a topic, in the collection's unit or in words."""

    text: Highlights
    total: int
    words: Words | None  #: the words of the documents; None if their texts are unknown
    in_words: bool  #: whether text is counted in words instead of the collection's unit


def relevant_text(topic: Topic, in_words: bool = False) -> RelevantUnits:
    """Return the highlighted text of a topic, which may be empty."""
    text, words = topic.highlights, topic.collection.words
    assert text is not None  # Measures of text require highlights.
    if in_words:
        assert words is not None  # Measures that count words require texts.
        text = Highlights(*merge(text.document, *words.touched(text.document, text.start, text.end)))
    return RelevantUnits(text, int((text.end - text.start).sum()), words, in_words)


@dataclass(eq=False)
class TextRanking:
    """The results of a list, which a user reads from first to last, and the relevant text of the topic."""

    relevant: RelevantUnits
    results: ResultList
    #: how repeated text counts: "once", "summed" (each time), or "chroma" (found text once, retrieved text each time)
    counting: str = "once"

    @cached_property
    def _counted(self) -> ResultList:
        """The results, with positions in words if text is counted in words."""
        if not self.relevant.in_words:
            return self.results
        start, size = start_and_cost(self.results, WORDS, self.relevant.words)
        return replace(self.results, start=start, end=start + size)

    @cached_property
    def retrieved(self) -> Ints:
        """The amount of text in the results up to each rank."""
        return np.cumsum(
            self._counted.new_text if self.counting == "once" else self._counted.size, dtype=np.int64
        )

    @cached_property
    def found(self) -> Ints:
        """The amount of relevant text in the results up to each rank."""
        text, results = self.relevant.text, self._counted
        marked = text.document, text.start, text.end
        common = covered if self.counting == "summed" else new_common
        new = common(*marked, results.document, results.start, results.end)
        return np.cumsum(new, dtype=np.int64)

    @property
    def precision(self) -> Floats:
        """Precision at each rank r, ``P[r] = |rel ∩ (c_1 ∪ … ∪ c_r)| / |c_1 ∪ … ∪ c_r|``.

        rel is the relevant text, and c_i is result i. The formula is for the ``counting`` "once". Precision is 0 if all
        results are empty.
        """
        return self.found / np.maximum(self.retrieved, 1)

    @property
    def recall(self) -> Floats:
        """Recall at each rank r, ``R[r] = |rel ∩ (c_1 ∪ … ∪ c_r)| / |rel|``.

        rel is the relevant text, which is not empty, and c_i is result i. The formula is for the ``counting`` "once".
        """
        return self.found / self.relevant.total

    def first(self, count: int) -> "TextRanking":
        """Return the ranking of the first ``count`` results."""
        part = replace(self, results=self.results.first(count))
        part.retrieved, part.found = self.retrieved[:count], self.found[:count]
        return part

    def cut(self, budget: int, kind: CutoffKind) -> "TextRanking":
        """Return the results that a user reads on a budget, in the order of ranks; the last one is shortened to fit.

        Repeated text costs its length again. Each result is tokenised separately.
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
    """Return the four `COUNTS`, in units of text, of the whole list."""
    return counts_at_ranks(ranking, np.array([len(ranking.results)]))[0]


def counts_at_ranks(ranking: TextRanking, ranks: Ints) -> Floats:
    """Return the four `COUNTS` (columns), in units of text, of the results up to each rank (row).

    After the end of the list, the counts are constant.
    """
    found, retrieved = (at_ranks(column, ranks) for column in (ranking.found, ranking.retrieved))
    relevant = np.full(len(ranks), ranking.relevant.total)
    return np.stack([found, retrieved, found, relevant], axis=-1).astype(float)


def on_budgets(value: Callable[[TextRanking], Any]) -> tuple[Cutoff[TextRanking], ...]:
    """Return a cut-off for each kind of reading budget.

    The cut-off applies ``value`` to the part of a list that is read on the budget.
    """

    def at(ranking: TextRanking, budgets: Ints, kind: CutoffKind) -> Floats:
        return np.array([value(ranking.cut(int(budget), kind)) for budget in budgets])

    needs = {CHARACTERS: {"characters"}, WORDS: {"texts"}, LINES: {"lines"}, TOKENS: {"texts", "tokenizer"}}
    return tuple(
        Cutoff(kind, "reading budget", partial(at, kind=kind), needs=frozenset(needed))
        for kind, needed in needs.items()
    )


#: the cut-offs of measures with a ``pool``: ranks and reading budgets
CUTOFFS = (Cutoff(RANK, "result", counts_at_ranks), *on_budgets(counts))
