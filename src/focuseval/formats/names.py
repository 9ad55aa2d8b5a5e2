"""Distinct names, numbered as they are read: no name is an object."""

from collections.abc import Iterable

import numpy as np
import pandas as pd
import pyarrow as pa

from focuseval.model.arrays import Ints
from focuseval.model.compiled import Kernel

#: bytes of the first arrays: for those that are as large NumPy asks for large pages, and looks into them cost half
_ROOM = 1 << 23

#: names that are numbered together: there is room for as many new ones, and it should not be much
_BLOCK = 1 << 14

#: of an entry of the table: what a name is hashed to, above its number
_NUMBER_BITS = 31
_NUMBERS = (1 << _NUMBER_BITS) - 1


def _is(text, begin, end, held, start, size):  # type: ignore[no-untyped-def]
    """Whether ``text[begin:end]`` is the name that is held there."""
    if end - begin != size:
        return False
    other = 0
    for k in range(size):
        other |= held[start + k] ^ text[begin + k]
    return other == 0


def _enter(text, begin, end, slots, entry, bounds, held, count):  # type: ignore[no-untyped-def]
    """Make ``text[begin:end]`` the name of the next number."""
    slots[entry[1]] = (entry[0] << _NUMBER_BITS) | count
    for k in range(end - begin):
        held[bounds[count] + k] = text[begin + k]
    bounds[count + 1] = bounds[count] + end - begin
    return count + 1


def number(
    text: Ints | bytes, begin: Ints, end: Ints, codes: Ints, slots: Ints, bounds: Ints, held: Ints, count: int
) -> int:
    """The number of each name ``text[begin:end]``, into ``codes``; returns how many distinct ones there are.

    Name ``k`` of ``count`` is ``held[bounds[k]:bounds[k + 1]]``. ``slots`` is a hash table with open addressing, -1
    where it is empty. All of these have room for names that are new.

    The steps are loops of their own, for then the processor need not wait for one look into memory before the next.
    """
    mask = len(slots) - 1
    hashed = np.empty(len(begin), dtype=np.int64)
    for row in range(len(begin)):
        code = 2166136261
        for at in range(begin[row], end[row]):
            code = ((code ^ text[at]) * 16777619) & 0xFFFFFFFF
        code = ((code ^ (code >> 15)) * 739982445) & 0xFFFFFFFF
        hashed[row] = code ^ (code >> 12)
    for row in range(len(begin)):  # the first name of the same hash; if there is none, it is a new one
        place = hashed[row] & mask
        while slots[place] >= 0 and slots[place] >> _NUMBER_BITS != hashed[row]:
            place = (place + 1) & mask
        if slots[place] < 0:
            count = _enter(text, begin[row], end[row], slots, (hashed[row], place), bounds, held, count)
        codes[row] = slots[place] & _NUMBERS
    start, size = np.empty(len(begin), dtype=np.int64), np.empty(len(begin), dtype=np.int64)
    for row in range(len(begin)):
        start[row] = bounds[codes[row]]
        size[row] = bounds[codes[row] + 1] - start[row]
    for row in range(len(begin)):
        if not _is(text, begin[row], end[row], held, start[row], size[row]):  # few have one hash
            place = hashed[row] & mask
            while slots[place] >= 0:
                known = slots[place] & _NUMBERS
                first = bounds[known]
                if _is(text, begin[row], end[row], held, first, bounds[known + 1] - first):
                    break
                place = (place + 1) & mask
            if slots[place] < 0:
                count = _enter(text, begin[row], end[row], slots, (hashed[row], place), bounds, held, count)
            codes[row] = slots[place] & _NUMBERS
    return count


def spread(entries: Ints, slots: Ints) -> None:
    """Put the entries of a table into the slots of a larger one."""
    mask = len(slots) - 1
    for entry in entries:
        place = (entry >> _NUMBER_BITS) & mask
        while slots[place] >= 0:
            place = (place + 1) & mask
        slots[place] = entry


_number, _spread = Kernel(number, _is, _enter), Kernel(spread)


class Names:
    """Names in the order of their first appearance: one text, where each stands in it, and a table to find them."""

    def __init__(self, first: Iterable[str] = ()) -> None:
        self.count = 0
        self._slots: Ints = np.full(1 << 10, -1, dtype=np.int64)
        self._bounds: Ints = np.empty(_ROOM // 8, dtype=np.int64)
        self._bounds[0] = 0
        self._held: Ints = np.empty(_ROOM, dtype=np.uint8)
        encoded = [name.encode() for name in first]
        bounds = np.cumsum([0, *map(len, encoded)])
        self.codes(b"".join(encoded), bounds[:-1], bounds[1:])

    def codes(self, text: bytes | Ints, begin: Ints, end: Ints) -> Ints:
        """(N,) int32 number of each name ``text[begin:end]``, in UTF-8."""
        begin, end = (
            np.ascontiguousarray(begin),
            np.ascontiguousarray(end),
        )  # what is compiled is so for these
        codes = np.empty(len(begin), dtype=np.int32)
        for at in range(0, len(begin), _BLOCK):
            block = slice(at, at + _BLOCK)
            first, last = begin[block], end[block]
            self._make_room(len(first), int((last - first).sum()))
            self.count = _number(
                text, first, last, codes[block], self._slots, self._bounds, self._held, self.count
            )
        return codes

    def codes_of(self, others: "Names") -> Ints:
        """(N,) int32 number of each of other names, in their order; those that are new are added."""
        bounds = others._bounds[: others.count + 1]
        return self.codes(others._held, bounds[:-1], bounds[1:])

    def _make_room(self, names: int, size: int) -> None:
        """Room for so many new names, of so many bytes in all."""
        self._bounds = _grown(self._bounds, self.count + names + 1)
        self._held = _grown(self._held, int(self._bounds[self.count]) + size)
        slots = len(self._slots)
        while slots < 2 * (self.count + names):
            slots *= 2
        if slots > len(self._slots):
            entries = self._slots[self._slots >= 0]
            self._slots = np.full(slots, -1, dtype=np.int64)
            _spread(entries, self._slots)

    def index(self) -> pd.Index:
        """The names by their numbers. Nothing is copied: it holds until there are new names."""
        bounds, held = self._bounds[: self.count + 1], self._held[: self._bounds[self.count]]
        names = pa.LargeStringArray.from_buffers(self.count, pa.py_buffer(bounds), pa.py_buffer(held))
        return pd.Index(names.to_pandas())


def _grown(array: Ints, size: int) -> Ints:
    """The array, or a longer one that begins like it."""
    if len(array) >= size:
        return array
    longer = np.empty(max(size, 2 * len(array)), dtype=array.dtype)
    longer[: len(array)] = array
    return longer


class CommonNames:
    """The names that several runs have in common: their documents and their paths."""

    def __init__(self, documents: Iterable[str] = ()) -> None:
        self.documents, self.paths = Names(documents), Names()

    def named(self, frames: Iterable[pd.DataFrame]) -> None:
        """Give documents and paths their names, in frames that have their numbers: categorical columns."""
        for column, names in (("document", self.documents), ("path", self.paths)):
            # the names are distinct: pandas would find it out once more
            dtype = pd.CategoricalDtype._from_fastpath(names.index())
            for frame in frames:
                if frame[column].dtype.kind == "i":
                    frame[column] = pd.Categorical.from_codes(frame[column], dtype=dtype, validate=False)
