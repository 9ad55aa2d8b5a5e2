"""The same results in another order."""

from collections.abc import Sequence

import numpy as np

from focuseval.measures.declaration import Parameter
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.transformations.declaration import NOT_WORSE, REPORTED, SAME, Transformation
from focuseval.transformations.lists import alone, lengths, list_of, places, rank_of, reordered
from focuseval.transformations.relevance import Relevance
from focuseval.transformations.seeds import draws


def swapped(results: Results, topics: Sequence[Topic]) -> Results:
    """Of two results in a row the better one first: it brings relevant text, and the other holds none and more text.

    All such pairs of a list are swapped: no result is in two of them, and none shares its rank.
    """
    relevance = Relevance(topics)
    number, size, apart = list_of(results), results.end - results.start, alone(results)
    nothing, brings = relevance.in_results(results) == 0, relevance.new_in_results(results) > 0
    first = np.flatnonzero(
        (number[1:] == number[:-1])
        & nothing[:-1]
        & brings[1:]
        & (size[1:] <= size[:-1])
        & (results.start[:-1] >= 0)
        & apart[1:]
        & apart[:-1]
    )
    order = np.arange(len(results))
    order[first], order[first + 1] = first + 1, first
    return reordered(results, order)


def reversed_lists(results: Results, topics: Sequence[Topic]) -> Results:
    """Every list from its end to its beginning."""
    last = np.cumsum(lengths(results)) - 1
    return reordered(results, last[list_of(results)] - places(results))


def shuffled(results: Results, topics: Sequence[Topic], *, seed: float) -> Results:
    """Every list in an order that is drawn."""
    return reordered(results, np.lexsort((draws(results, int(seed)), list_of(results))))


def ties(results: Results, topics: Sequence[Topic]) -> Results:
    """Results that share a rank the other way about."""
    return reordered(results, np.lexsort((-np.arange(len(results)), rank_of(results))))


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
