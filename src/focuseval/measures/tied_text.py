"""Text that tied results share: it is new text of the one that comes first, and a tie does not say which that is."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations, product
from math import factorial, prod

import numpy as np

from focuseval.errors import extra
from focuseval.model.arrays import Floats, Ints, changes
from focuseval.model.intervals import new_pieces
from focuseval.model.results import ResultList

#: if tied results have no more orders than this, all of them are taken
ALL_ORDERS = 1000

#: how many random orders are drawn at once, half of them the reverse of the others
DRAWN_AT_ONCE = 64

_SEED = 2003


@dataclass(frozen=True, eq=False)
class TiedText:
    """Texts (S) that several results of a rank hold, each those same ones, and no result of a rank before it.

    Every result that holds a text makes a pair with it (P pairs, sorted by rank and text). The results (C) are
    sorted by rank and place in the collection: their order in the list does not matter.
    """

    result: Ints  #: (P,) which of the C results is in a pair
    text: Ints  #: (S,) the first pair of each text
    worths: Floats  #: (W, P) what the text adds to each of W sums if this result is the first that holds it
    upto: Ints  #: (L,) number of pairs up to the end of each rank of the list
    as_listed: Floats  #: (K,) how much of these texts each result of the list brings in the order of the list

    @cached_property
    def holders(self) -> Ints:
        """(S,) how many results hold each text."""
        return np.diff(self.text, append=len(self.result))

    @cached_property
    def results(self) -> int:
        """C."""
        return int(self.result.max()) + 1

    def sums(self, shares: Floats) -> Floats:
        """(W, N, L) what the texts add to each sum up to each rank; each pair has a share in its text (N, P)."""
        sums = np.cumsum(shares * self.worths[:, None], axis=2)
        return np.concatenate([np.zeros((*sums.shape[:2], 1)), sums], axis=2)[:, :, self.upto]

    def sums_by(self, keys: Floats) -> Floats:
        """(W, N, L) the sums in N orders of tied results: by rising keys (N, C)."""
        of_pair = keys[:, self.result]
        lowest = np.minimum.reduceat(of_pair, self.text, axis=1)
        return self.sums((of_pair == np.repeat(lowest, self.holders, axis=1)).astype(float))

    def expected_sums(self) -> Floats:
        """(W, L) the expectation of the sums: each of m results that hold a text is the first in 1/m of all orders."""
        return self.sums(np.repeat(1 / self.holders, self.holders)[None])[:, 0]

    @cached_property
    def all_orders(self) -> Floats | None:
        """(N, C) keys of all orders of results that share text; None where there are more than `ALL_ORDERS`."""
        with extra("full"):
            from scipy.sparse import coo_array
            from scipy.sparse.csgraph import connected_components

        first = np.repeat(self.result[self.text], self.holders)
        shared = coo_array((np.ones(len(first)), (self.result, first)), shape=(self.results, self.results))
        count, group = connected_components(shared, directed=False)  # the order of groups does not matter
        members = [np.flatnonzero(group == i) for i in range(count)]
        if prod(factorial(len(of_group)) for of_group in members) > ALL_ORDERS:
            return None
        orders = product(*map(permutations, members))
        return np.argsort([np.concatenate(order) for order in orders], axis=1).astype(float)

    def random_orders(self) -> Iterator[Floats]:
        """Without end the keys (`DRAWN_AT_ONCE`, C) of random orders, the same ones whenever it is called."""
        generator = np.random.default_rng(_SEED)
        while True:
            keys = generator.random((DRAWN_AT_ONCE // 2, self.results))
            yield np.concatenate([keys, 1.0 - keys])


def tied_text(results: ResultList, *worths: Floats) -> TiedText | None:
    """The text that tied results share, as far as their order matters; None if it does not.

    ``worths`` (K,) are what a unit of a result's text adds to each sum that is computed. The order does not matter
    where they are the same for all results that hold a piece.
    """
    ends = results.last_of_rank
    if len(ends) == len(results) or (results.new_text == results.size).all():
        return None
    piece, one, length = new_pieces(results.document, results.start, results.end, results.rank)
    begins = np.flatnonzero(changes(piece))
    of_pair = np.array(worths)[:, one]
    matters = np.maximum.reduceat(of_pair, begins, axis=1) > np.minimum.reduceat(of_pair, begins, axis=1)
    texts: dict[tuple[int, ...], int] = {}  # by the places of the results that hold them
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
