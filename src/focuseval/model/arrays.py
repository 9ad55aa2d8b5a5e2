"""Names for the column types the library computes with, and what is asked of columns in several places."""

import ctypes
import sys

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

Ints = NDArray[np.integer]
Floats = NDArray[np.floating]
Bools = NDArray[np.bool_]


def release() -> None:
    """Give back the memory that Arrow took for what is no longer there; it would keep hundreds of megabytes."""
    pa.default_memory_pool().release_unused()


def release_all() -> None:
    """Give back what C's library keeps, too, where there is GNU's; what is taken next comes slower."""
    release()
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)):
        trim(0)


def narrow(values: Ints) -> Ints:
    """The numbers; whole ones of 64 bits in 32, where all fit into them."""
    if values.dtype != np.int64 or values.min(initial=0) < -(2**31) or values.max(initial=0) >= 2**31:
        return values
    return values.astype(np.int32)


def changes(*columns: Ints) -> Bools:
    """(n,) whether each row begins a group of equal rows: the first does, and each that differs from the one before."""
    begins = np.ones(len(columns[0]), dtype=np.bool_)
    begins[1:] = columns[0][1:] != columns[0][:-1]
    for column in columns[1:]:
        begins[1:] |= column[1:] != column[:-1]
    return begins


def sums_before(counts: Ints | Bools) -> Ints:
    """(n + 1,) the sum of the counts before each, and of all: where each group of so many rows begins and ends."""
    return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])


def ranges(count: Ints, first: Ints | int = 0) -> Ints:
    """So many whole numbers from each first one on, one range after another: of 2 and 3 from 0 on 0, 1, 0, 1, 2."""
    return np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count - first, count)


def place_in_group(*columns: Ints) -> Ints:
    """(n,) the place of each row, from 0, among the equal ones that it stands with (`changes`)."""
    return ranges(np.diff(np.flatnonzero(changes(*columns)), append=len(columns[0])))


def divided(part: Floats | Ints, whole: Floats | Ints) -> Floats:
    """(…) ``part / whole``, and 0 where the whole is not above 0."""
    return np.divide(part, whole, out=np.zeros(np.shape(part)), where=np.asarray(whole) > 0)


def distinct(values: Ints) -> Ints:
    """The sorted, distinct values; by sorting, which is faster than NumPy's hashing."""
    ordered = np.sort(values)
    return ordered[changes(ordered)]


def is_among(values: Ints, known: Ints, order: Ints | None = None) -> tuple[Bools, Ints]:
    """Whether each value, -1 or more, is one of the sorted ``known`` ones, and its place there, any where it is not.

    ``order`` puts the values in order, where that is known: so they are found three times as fast.
    """
    if not len(known):
        return np.zeros(len(values), dtype=np.bool_), np.zeros(len(values), dtype=np.int64)
    behind = int(known[-1]) + 1
    if known[0] < 0 or behind > 16 * (len(values) + len(known)):
        place = np.empty(len(values), dtype=np.int64)
        some = slice(None) if order is None else order
        place[some] = np.minimum(np.searchsorted(known, values[some]), len(known) - 1)
        return known[place] == values, place
    # Small numbers are looked up in a table of all up to the largest known one. Its last entry is all others': -1, too,
    # is the last as an index.
    places = np.full(behind + 1, -1)
    places[known[::-1]] = np.arange(len(known) - 1, -1, -1)  # the first place of a number that stands twice
    place = places[np.minimum(values, behind)]
    return place >= 0, place
