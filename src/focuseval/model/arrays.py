"""Names for the types of columns that the library computes with, and operations on columns."""

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

Ints = NDArray[np.integer]
Floats = NDArray[np.floating]
Bools = NDArray[np.bool_]


def release() -> None:
    """Return the unused memory of Arrow's pool to the system: it can be hundreds of megabytes."""
    pa.default_memory_pool().release_unused()


def narrow(values: Ints) -> Ints:
    """The numbers; 64-bit integers as 32-bit ones if all fit."""
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
    sums = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=sums[1:])
    return sums


def ranges(count: Ints, first: Ints | int = 0) -> Ints:
    """Concatenated ranges: ``count[i]`` integers from ``first[i]`` on for every i; of counts 2, 3: 0, 1, 0, 1, 2."""
    return np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count - first, count)


def place_in_group(*columns: Ints) -> Ints:
    """(n,) the place of each row, from 0, in its group of equal rows that follow each other (`changes`)."""
    row = np.arange(len(columns[0]))
    return row - np.maximum.accumulate(np.where(changes(*columns), row, 0))


def divided(part: Floats | Ints, whole: Floats | Ints) -> Floats:
    """(…) ``part / whole``, and 0 where the whole is not above 0."""
    return np.divide(part, whole, out=np.zeros(np.shape(part)), where=np.asarray(whole) > 0)


def distinct(values: Ints) -> Ints:
    """The sorted, distinct values; by sorting, which is faster than NumPy's hashing."""
    ordered = np.sort(values)
    return ordered[changes(ordered)]


def is_among(values: Ints, table: Ints) -> tuple[Bools, Ints]:
    """Return whether each value is in the sorted ``table``, and its place there, any where it is not."""
    if not len(table):
        return np.zeros(len(values), dtype=np.bool_), np.zeros(len(values), dtype=np.int64)
    place = np.minimum(np.searchsorted(table, values), len(table) - 1)
    return table[place] == values, place
