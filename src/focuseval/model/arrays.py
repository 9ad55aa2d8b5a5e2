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


def distinct(values: Ints) -> Ints:
    """The sorted, distinct values; by sorting, which is faster than NumPy's hashing."""
    ordered = np.sort(values)
    return ordered[np.append(True, ordered[1:] != ordered[:-1])] if len(ordered) else ordered


def is_among(values: Ints, known: Ints, order: Ints | None = None) -> tuple[Bools, Ints]:
    """Whether each value, -1 or more, is one of the sorted ``known`` ones, and its place there, any where it is not.

    ``order`` puts the values in order, where that is known.
    """
    if not len(known):
        return np.zeros(len(values), dtype=np.bool_), np.zeros(len(values), dtype=np.int64)
    behind = int(known[-1]) + 1
    if known[0] < 0 or behind > 16 * (len(values) + len(known)):
        order = np.argsort(values) if order is None else order  # in order they are found three times as fast
        place = np.empty(len(values), dtype=np.int64)
        place[order] = np.minimum(np.searchsorted(known, values[order]), len(known) - 1)
        return known[place] == values, place
    # Small numbers are looked up in a table of all up to the largest known one. Its last entry is all others': -1, too,
    # is the last as an index.
    places = np.full(behind + 1, -1)
    places[known[::-1]] = np.arange(len(known) - 1, -1, -1)  # the first place of a number that stands twice
    place = places[np.minimum(values, behind)]
    return place >= 0, place
