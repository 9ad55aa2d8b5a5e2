"""inex2003: recall and precision that count the sizes of elements (``s``), or their sizes and overlap (``o``).

With ``o``, text that tied results share is new only in the first of them. Unless ``ties=order``, values are therefore
expectations over all orders of tied results. Expected recall has a closed form. Expected interpolated precision is a
mean over all orders or, if there are too many, over random orders.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, permutations, product
from math import factorial, prod

import numpy as np

from focuseval.errors import extra
from focuseval.measures.curves import RECALL_LEVELS, at_end, at_ranks, interpolated
from focuseval.measures.declaration import LEVEL, RANK, Cutoff, Drawn, Measure, Parameter
from focuseval.measures.quantisation import quantised_dimensions
from focuseval.model.arrays import Floats, Ints, changes, divided
from focuseval.model.elements import Collection
from focuseval.model.intervals import new_pieces
from focuseval.model.judgements import Topic
from focuseval.model.results import ResultList

#: maximum number of orders of tied results for which all orders are enumerated
ALL_ORDERS = 1000

#: number of orders drawn at once: half of them are random, and the other half are their reverses
DRAWN_AT_ONCE = 64

_SEED = 2003


@dataclass(frozen=True, eq=False)
class TiedText:
    """The texts that several results of one rank share, and that no earlier rank contains.

    The sums are the amounts that these texts add to the numerators of recall and precision. A text and a result that
    contains it form a pair. Pairs are sorted by rank and text. Results are sorted by rank and by their position in the
    collection, so that the order of the list does not matter.
    """

    result: Ints  #: index of each pair's result
    text: Ints  #: index of the first pair of each text
    worths: Floats  #: amount that each pair (column) adds to each sum (row) if its result is first
    upto: Ints  #: number of pairs up to each rank of the list
    as_listed: Floats  #: size of the shared text that is new in each result, in the order of the list

    @cached_property
    def holders(self) -> Ints:
        """The number of results that contain each text."""
        return np.diff(self.text, append=len(self.result))

    @cached_property
    def results(self) -> int:
        """The number of results that share text."""
        return int(self.result.max()) + 1

    def sums(self, shares: Floats) -> Floats:
        """Return the amounts that the texts add to the numerators of recall and precision, up to each rank.

        ``shares`` states how much of each pair (column) counts: 1 for all of it, 0 for nothing. The axes of the
        returned array are numerator, row of ``shares``, and rank.
        """
        sums = np.cumsum(shares * self.worths[:, None], axis=2)
        return np.concatenate([np.zeros((*sums.shape[:2], 1)), sums], axis=2)[:, :, self.upto]

    def sums_by(self, keys: Floats) -> Floats:
        """Return the `sums` for several orders of the tied results.

        Each row of ``keys`` sorts the results into one order. The axes of the array are numerator, order, and rank.
        """
        of_pair = keys[:, self.result]
        lowest = np.minimum.reduceat(of_pair, self.text, axis=1)
        return self.sums((of_pair == np.repeat(lowest, self.holders, axis=1)).astype(float))

    def expected_sums(self) -> Floats:
        """Return the expected amount that the texts add to each numerator (row) up to each rank (column).

        If m results contain a text, each of them is the first in 1/m of all orders.
        """
        return self.sums(np.repeat(1 / self.holders, self.holders)[None])[:, 0]

    @cached_property
    def all_orders(self) -> Floats | None:
        """The sort keys for all orders of the tied results (rows), or None if there are more than `ALL_ORDERS`.

        Only results that share text change places.
        """
        with extra("full"):
            from scipy.sparse import coo_array
            from scipy.sparse.csgraph import connected_components

        first = np.repeat(self.result[self.text], self.holders)
        shared = coo_array((np.ones(len(first)), (self.result, first)), shape=(self.results, self.results))
        count, group = connected_components(shared, directed=False)  # Different groups share no text.
        members = [np.flatnonzero(group == i) for i in range(count)]
        if prod(factorial(len(of_group)) for of_group in members) > ALL_ORDERS:
            return None
        orders = product(*map(permutations, members))
        return np.argsort([np.concatenate(order) for order in orders], axis=1).astype(float)

    def orders(self) -> Iterator[Floats]:
        """Yield sort keys for all orders of tied results (rows) or, if there are too many, for endless random orders.

        Random orders come in arrays of `DRAWN_AT_ONCE` rows. Every call yields the same random orders.
        """
        if self.all_orders is not None:
            yield self.all_orders
            return
        generator = np.random.default_rng(_SEED)
        while True:
            keys = generator.random((DRAWN_AT_ONCE // 2, self.results))
            yield np.concatenate([keys, 1.0 - keys])


def tied_text(results: ResultList, *worths: Floats) -> TiedText | None:
    """Return the text that tied results share, or None if the order of tied results has no effect.

    For each sum, ``worths`` is an array of the amounts that one unit of each result's text adds to this sum. The
    order has no effect if all results that share a text add equal amounts.
    """
    ends = results.last_of_rank
    if len(ends) == len(results) or (results.new_text == results.size).all():
        return None
    piece, one, length = new_pieces(results.document, results.start, results.end, results.rank)
    begins = np.flatnonzero(changes(piece))
    of_pair = np.array(worths)[:, one]
    matters = np.maximum.reduceat(of_pair, begins, axis=1) > np.minimum.reduceat(of_pair, begins, axis=1)
    texts: dict[tuple[int, ...], int] = {}  # for each set of results, the size of the text that they share
    for i in np.flatnonzero(matters.any(axis=0)).tolist():
        holders = tuple(one[begins[i] : begins[i + 1] if i + 1 < len(begins) else None].tolist())
        texts[holders] = texts.get(holders, 0) + int(length[begins[i]])
    if not texts:
        return None
    count = np.array([len(holders) for holders in texts])
    pair, size = np.concatenate(list(texts)), np.array(list(texts.values()))
    held = np.unique(pair)
    rank = np.searchsorted(ends, held)
    place = np.empty_like(held)
    place[np.lexsort((results.element[held], rank))] = np.arange(len(held))
    return TiedText(
        result=place[np.searchsorted(held, pair)],
        text=np.cumsum(count) - count,
        worths=np.array(worths)[:, pair] * np.repeat(size, count),
        upto=np.searchsorted(np.searchsorted(ends, pair), np.arange(len(ends)), side="right"),
        as_listed=np.bincount([first for first, *_ in texts], size.astype(float), len(results)).astype(float),
    )


#: orders are drawn until the standard error of the list's average precision is below this number
STANDARD_ERROR = 0.001


@dataclass(frozen=True, eq=False)
class Inex2003Base:
    """The judged elements of a topic with their scores, and the totals that recall and precision need."""

    element: Ints  #: sorted rows of the judged elements
    exh: Floats  #: exhaustivity score of each element
    spec: Floats  #: specificity score of each element
    recall: float  #: denominator of recall
    numerator: float  #: numerator of precision after the whole collection
    denominator: float | None  #: denominator of precision after the whole collection; None if unknown


@dataclass(frozen=True, eq=False)
class Ranks:
    """The numerators and denominators of recall and precision at the end of each rank of a list."""

    base: Inex2003Base
    sums: Floats  #: numerators of recall and precision (rows) at each rank, without the text in ``tied``
    read: Floats  #: denominator of precision at each rank
    distinct: float  #: size of the text read, where repeated text counts once
    tied: TiedText | None  #: text for which the order of tied results matters; None if there is none

    def curves(self, levels: Floats) -> Iterator[Floats]:
        """Yield interpolated precision at levels of recall (columns) for orders of tied results (rows).

        If there are too many orders, random orders are used without end (`TiedText.orders`).
        """
        if self.tied is None:
            yield interpolated_precision(self, self.sums[:, None], levels)
        else:
            for keys in self.tied.orders():
                yield interpolated_precision(self, self.sums[:, None] + self.tied.sums_by(keys), levels)

    @cached_property
    def expected_recall(self) -> Floats:
        """The expected recall after each rank."""
        returned = self.sums[0] if self.tied is None else self.sums[0] + self.tied.expected_sums()[0]
        return returned / self.base.recall

    @cached_property
    def average(self) -> tuple[float, Drawn | None]:
        """Average precision and, if it is a mean over random orders of tied results, its standard error, else None."""
        drawn = np.empty(0)
        for curves in self.curves(RECALL_LEVELS):
            values = curves.mean(axis=1)
            if self.tied is None or self.tied.all_orders is not None:
                break
            # An order and its reverse are not independent, so their mean counts as one draw.
            drawn = np.append(drawn, values.reshape(2, -1).mean(axis=0))
            error = float(drawn.std(ddof=1) / np.sqrt(len(drawn)))
            if error < STANDARD_ERROR:
                return float(drawn.mean()), Drawn(2 * len(drawn), error)
        return float(values.mean()), None


def retrievable(collection: Collection, rows: Ints, worth: Floats) -> float:
    """Return rel^U, which stands for the maximum total worth that a list can retrieve, although some lists exceed it.

    It is rel^U of a virtual root above all documents. rel^U of a leaf is its worth. rel^U of another element is the
    sum over its children of ``max(rel^U(child), worth |child| / |element|)``. An element's own text counts as one more
    leaf. Source: Gövert et al. (2006), Eq. 14-17.

    ``worth`` lists the worth of each element in the sorted ``rows``: exh in [0, 1], or spec times size. All other
    elements and empty elements have the worth 0.
    """
    if len(rows) == 0:
        return 0.0
    active = collection.with_ancestors(rows)
    size = collection.size[active].astype(float)
    best = np.zeros(len(active))
    best[np.searchsorted(active, rows)] = worth
    best[size == 0] = 0.0
    density = divided(best, size)
    # The children of an element, including its own text, have shares that add up to its worth. If rel of a child is
    # larger than its share, the difference is added.
    depth = collection.depth[active]
    parent = collection.parent[active]
    for level in range(int(depth.max()), 0, -1):
        child = np.flatnonzero(depth == level)
        above = np.searchsorted(active, parent[child])
        np.add.at(best, above, np.maximum(best[child] - density[above] * size[child], 0.0))
    return float(best[parent < 0].sum())


def prepare(topic: Topic, *, variant: str, quantisation: str) -> Inex2003Base | None:
    """Return the judged elements with the sums for recall and precision, or None if the divisor of recall is 0.

    Variant ``s`` sums over judged elements (Eq. 12) and over all elements of the collection. Variant ``o`` needs rel^U
    of the virtual root (Eq. 18) for exhaustivity and for specificity, and the size of the collection's text.
    """
    exh, spec = quantised_dimensions(topic, quantisation)
    if not (exh > 0).any():
        return None
    collection = topic.collection
    relevant_text = spec * collection.size[topic.element]
    if variant == "s":
        recall, numerator = float(exh.sum()), float(relevant_text.sum())
        denominator = float(collection.total_size)
    else:
        recall = retrievable(collection, topic.element, exh)
        numerator = retrievable(collection, topic.element, relevant_text)
        denominator = float(collection.text_size)
    if recall == 0:
        return None
    return Inex2003Base(
        topic.element, exh, spec, recall, numerator, denominator if collection.complete else None
    )


def trace(base: Inex2003Base, results: ResultList, *, variant: str, ties: str) -> Ranks:
    """Return the numerators and denominators of recall and precision after each rank.

    In variant ``s`` (Eq. 12, 13), recall is ``sum exh / sum exh of all``, and precision is
    ``sum spec size / sum size``. In variant ``o`` (Eq. 18, 19), recall is ``sum exh new/size / rel^U``, and precision
    is ``sum spec new / sum new``. Here, ``new`` is the size of a result's text that no earlier result contains.
    """
    judged, place = results.found_among(base.element)
    judged &= results.resolved
    exh = np.where(judged, base.exh[place], 0.0)
    spec = np.where(judged, base.spec[place], 0.0)
    size, ends, tied = results.size.astype(float), results.last_of_rank, None
    if variant == "s":
        read, own = size, size * ~results.repeats
    else:
        read = own = results.new_text.astype(float)
        if ties == "expected" and (tied := tied_text(results, divided(exh, size), spec)):
            own = read - tied.as_listed
    returned = exh * ~results.repeats if variant == "s" else exh * divided(own, size)
    sums = np.cumsum([returned, spec * own], axis=1)[:, ends]
    distinct = float(np.where(results.resolved & ~results.repeats, read, 0.0).sum())
    return Ranks(base, sums, np.cumsum(read)[ends], distinct, tied)


def interpolated_precision(ranks: Ranks, sums: Floats, levels: Floats) -> Floats:
    """Return interpolated precision for each order of tied results (row) and each level of recall (column).

    Interpolated precision is the highest precision at any recall of at least the level (Salton). ``sums`` contains the
    numerators of recall and precision: an array with the axes numerator, order, and rank. ``levels`` are in [0, 1].
    Precision is in [0, 1], and higher is better.

    After the last result, the user reads the rest of the collection, in which relevant text is evenly spread: recall
    grows to 1, and the sums grow to their values for the whole collection. The rest is the collection without the text
    that was read. Repeated and unresolved results are read, but do not reduce the rest. Without a collection, precision
    at recall levels that no result reaches is 0.
    """
    base, recall, collected = ranks.base, sums[0] / ranks.base.recall, sums[1]
    precision = interpolated(divided(collected, np.broadcast_to(ranks.read, collected.shape)), recall, levels)
    if base.denominator is None:
        return precision
    start = np.zeros((len(precision), 1))
    reached, collected = (np.hstack([start, numbers])[:, -1:] for numbers in (recall, collected))
    read = at_end(ranks.read)
    part = np.clip(divided(levels - reached, np.broadcast_to(1.0 - reached, precision.shape)), 0.0, 1.0)
    more = np.maximum(base.numerator - collected, 0.0)
    unread = max(base.denominator - ranks.distinct, 0.0)
    # While the rest of the collection is read, precision either rises or falls, so its maximum is at one of the ends.
    for phi in (part, np.ones_like(part)):
        precision = np.maximum(precision, divided(collected + phi * more, read + phi * unread))
    return precision


def precision_at(ranks: Ranks, recall: Floats) -> Floats:
    """Return interpolated precision at levels of recall, averaged over orders of tied results.

    The orders are those of `average_precision`. ``recall`` is in [0, 1]. Precision is in [0, 1], and higher is better.
    """
    _, drawn = ranks.average
    blocks = 1 if drawn is None else drawn.orders // DRAWN_AT_ONCE
    curves = islice(ranks.curves(recall), blocks)
    # The copy changes the memory order: rounding at one level then does not depend on which other levels are computed.
    return sum(curve.T.copy().mean(axis=1) for curve in curves) / blocks


def average_precision(ranks: Ranks) -> float:
    """Return the expected mean precision over the levels of recall 0.01, 0.02 … 1.00.

    It is in [0, 1], and higher is better.
    """
    return ranks.average[0]


def recall_at_ranks(ranks: Ranks, cutoffs: Ints) -> Floats:
    """Return the expected recall after each rank in ``cutoffs``: Eq. 12 (``s``) or Eq. 18 (``o``).

    Recall is at least 0, and higher is better.
    """
    return at_ranks(ranks.expected_recall, cutoffs)


def recall_of_all(ranks: Ranks) -> float:
    """Return the expected recall after the last rank, or 0 for an empty list.

    Recall is at least 0, and higher is better.
    """
    return at_end(ranks.expected_recall)


INEX2003 = Measure(
    name="inex2003",
    summary="mean precision over recall 0.01, 0.02 … 1.00 (INEX 2003 metric); @level: precision at this recall",
    paper="Gövert et al. 2006, Eq. 12-19",
    prepare=prepare,
    trace=trace,
    value=average_precision,
    parameters=(
        Parameter(
            "variant", "o", "what counts. s: sizes of elements; o: sizes and overlap", choices=("s", "o")
        ),
        Parameter(
            "quantisation",
            "strict",
            "how exhaustivity and specificity each become a score",
            choices=("strict", "generalised"),
        ),
        Parameter(
            "ties",
            "expected",
            "with variant=o, how tied results that share text are scored. expected: mean over all orders; order: in "
            "file order",
            choices=("expected", "order"),
        ),
    ),
    cutoffs=(Cutoff(LEVEL, "recall", precision_at, tuple(RECALL_LEVELS)),),
    needs=frozenset({"judgements", "elements", "tree", "sizes"}),
    reads_ties=True,
    drawn=lambda ranks: ranks.average[1],
)

RECALL = replace(
    INEX2003,
    name="inex2003.recall",
    summary="recall (INEX 2003 metric); @rank: after this rank; can exceed 1 with variant=o if elements nest",
    paper="Gövert et al. 2006, Eq. 12, 18",
    value=recall_of_all,
    cutoffs=(Cutoff(RANK, "rank", recall_at_ranks),),
    claims=frozenset({"tail"}),
    bounds=(0.0, float("inf")),
    drawn=None,
)

MEASURES = (INEX2003, RECALL)
