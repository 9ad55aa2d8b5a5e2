"""Words of documents: maximal runs of characters that are no white space, found when they are needed."""

from collections.abc import Callable, Iterable
from functools import cache

import numpy as np

from focuseval.model.arrays import Bools, Ints, distinct, is_among

#: characters of a text that are processed at a time
_BLOCK = 1 << 18


@cache
def _is_blank() -> Bools:
    """Whether each code point is white space; the last entry, U+3001, is for all higher ones: none is."""
    return np.array([chr(point).isspace() for point in range(0x3000 + 2)])


def words_in(text: str) -> tuple[Ints, Ints]:
    """(W,) where each word of a text begins and ends, in characters."""
    table = _is_blank()
    found = []
    before = True
    for at in range(0, len(text), _BLOCK):
        code = np.frombuffer(text[at : at + _BLOCK].encode("utf-32-le"), dtype=np.uint32)
        blank = table[np.minimum(code, len(table) - 1)]
        found.append((np.flatnonzero(np.diff(blank, prepend=before)) + at).astype(np.int32))
        before = bool(blank[-1])
    edges = np.concatenate([*found, np.array([] if before else [len(text)], dtype=np.int32)])
    return edges[::2], edges[1::2]


class Words:
    """The words of a collection's documents, each numbered from 0 in its document.

    ``texts`` gives the texts of documents by their indexes, as (index, text) pairs in any order. A text is read
    when one of its words is first needed; `read` reads many documents in one pass.
    """

    def __init__(self, texts: Callable[[Ints], Iterable[tuple[int, str]]]) -> None:
        self._texts = texts
        self._bounds: dict[int, tuple[Ints, Ints]] = {}  # of the words of each document that was read
        self._gather()

    def read(self, documents: Ints) -> None:
        """Read the texts of these documents, as far as they are not known; indexes below 0 are passed over."""
        asked = distinct(documents[documents >= 0])
        unread = asked[~is_among(asked, self._documents)[0]]
        if not len(unread):
            return
        for document, text in self._texts(unread):
            self._bounds[document] = words_in(text)
        self._gather()

    def texts(self, documents: Ints) -> dict[int, str]:
        """The texts of documents by their indexes."""
        return dict(self._texts(documents))

    def _gather(self) -> None:
        """All words as columns, on one axis on which the texts follow each other without touching."""
        self._documents = np.array(sorted(self._bounds), dtype=np.int64)
        bounds = [self._bounds[document] for document in self._documents.tolist()]
        sizes = np.array([len(start) for start, _ in bounds], dtype=np.int64)
        self._first = np.cumsum(sizes) - sizes
        self._stride = max((int(end[-1]) for _, end in bounds if len(end)), default=0) + 1
        base = np.repeat(np.arange(len(bounds)) * self._stride, sizes)
        self._start, self._end = (
            np.concatenate([column[side] for column in bounds] or [base]) + base for side in (0, 1)
        )

    def touched(self, document: Ints, start: Ints, end: Ints) -> tuple[Ints, Ints]:
        """The words ``[low, high)`` of which each interval ``[start, end)`` has a character.

        Intervals of no known text (an index or a start below 0) stay as they are.
        """
        self.read(document)
        known, place = is_among(document, self._documents)
        known &= start >= 0
        low, high = start.astype(np.int64), end.astype(np.int64)
        base, first = place[known] * self._stride, self._first[place[known]]
        begin, after = (np.minimum(point[known], self._stride - 1) + base for point in (low, high))
        low[known] = np.searchsorted(self._end, begin, side="right") - first
        high[known] = np.searchsorted(self._start, after, side="left") - first
        high[known] = np.where(after > begin, np.maximum(high[known], low[known]), low[known])
        return low, high

    def end_of(self, document: int, word: int) -> int:
        """Where a word of a document ends."""
        return int(self._bounds[document][1][word])
