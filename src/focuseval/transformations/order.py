"""The same results in another order."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from focuseval.measures.declaration import Parameter
from focuseval.model.arrays import Ints
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.transformations.declaration import NOT_WORSE, REPORTED, SAME, Transformation
from focuseval.transformations.lists import lengths, list_of
from focuseval.transformations.relevance import Relevance
from focuseval.transformations.seeds import draws


def swapped(results: Results, topics: Sequence[Topic]) -> Results:
    """Of two results in a row the better one first: it brings relevant text, and the other holds none and more text.

    All such pairs of a list are swapped: no result is in two of them.
    """
    relevance = Relevance(topics)
    number, size = list_of(results), results.end - results.start
    nothing, brings = relevance.in_results(results) == 0, relevance.new_in_results(results) > 0
    first = np.flatnonzero(
        (number[1:] == number[:-1])
        & nothing[:-1]
        & brings[1:]
        & (size[1:] <= size[:-1])
        & (results.start[:-1] >= 0)
    )
    order = np.arange(len(results))
    order[first], order[first + 1] = first + 1, first
    return _moved(results, order)


def reversed_lists(results: Results, topics: Sequence[Topic]) -> Results:
    """Every list from its end to its beginning."""
    length = lengths(results)
    closes = np.repeat(np.cumsum(length) - 1, length)
    begins = closes - np.repeat(length, length) + 1
    return _moved(results, closes - (np.arange(len(results)) - begins))


def shuffled(results: Results, topics: Sequence[Topic], *, seed: float) -> Results:
    """Every list in an order that is drawn."""
    return _moved(results, np.lexsort((draws(results, int(seed)), list_of(results))))


def ties(results: Results, topics: Sequence[Topic]) -> Results:
    """Results that share a rank the other way about."""
    opens = (np.diff(list_of(results), prepend=-1) != 0) | (np.diff(results.rank, prepend=-1) != 0)
    group = np.cumsum(opens)
    return _moved(results, np.lexsort((-np.arange(len(results)), group)))


def _moved(results: Results, order: Ints) -> Results:
    """The results in another order; the ranks stay where they are, and ranks that are shared are shared."""
    moved = {name: getattr(results, name)[order] for name in ("document", "element", "start", "end")}
    return replace(results, **moved, score=np.full(len(results), np.nan), line=None)


SWAPPED = Transformation(
    name="swapped",
    summary="of two results in a row the better to the front: one brings relevant text, the other only more text",
    expected=NOT_WORSE,
    why="relevant text is found earlier, after less reading",
    trait="order-rewarding",
    source="Moffat 2013: seven numeric properties of effectiveness metrics",
    make=swapped,
)
REVERSED = Transformation(
    name="reversed",
    summary="every list from its end to its beginning",
    expected=REPORTED,
    why="how much the order counts",
    trait="order",
    source="Kazai & Lalmas 2005, Section 3: measures of ranks",
    make=reversed_lists,
)
SHUFFLED = Transformation(
    name="random",
    summary="every list in an order that is drawn",
    expected=REPORTED,
    why="how much the order counts",
    trait="order",
    source="a baseline without knowledge",
    make=shuffled,
    parameters=(Parameter("seed", 0.0, "of what is drawn"),),
)
TIES = Transformation(
    name="ties",
    summary="results that share a rank in another order",
    expected=SAME,
    why="a system that ties results says nothing of their order",
    trait="tie-invariant",
    source="Gövert et al. 2006, Eq. 6-9: weak orders",
    make=ties,
)

TRANSFORMATIONS = (SWAPPED, REVERSED, SHUFFLED, TIES)
