"""Types for columns of numbers, and functions on such columns."""

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

Ints = NDArray[np.integer]
Floats = NDArray[np.floating]
Bools = NDArray[np.bool_]


def release() -> None:
    """Return memory that Arrow no longer uses, perhaps hundreds of megabytes, to the operating system."""
    pa.default_memory_pool().release_unused()


def narrow(values: Ints) -> Ints:
    """Convert 64-bit integers to 32 bits if all of them fit. Return all other values unchanged."""
    if values.dtype != np.int64 or values.min(initial=0) < -(2**31) or values.max(initial=0) >= 2**31:
        return values
    return values.astype(np.int32)


def changes(*columns: Ints) -> Bools:
    """Return whether each row of the columns differs from the row before it. The first row counts as different."""
    begins = np.ones(len(columns[0]), dtype=np.bool_)
    begins[1:] = columns[0][1:] != columns[0][:-1]
    for column in columns[1:]:
        begins[1:] |= column[1:] != column[:-1]
    return begins


def sums_before(counts: Ints | Bools) -> Ints:
    """Return the bounds of consecutive groups with the sizes ``counts``. Sizes of 2 and 3 give bounds of 0, 2 and 5."""
    sums = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=sums[1:])
    return sums


def ranges(count: Ints, first: Ints | int = 0) -> Ints:
    """Concatenate ranges of ``count[i]`` integers from ``first[i]``. Counts of 2 and 3 from 0 give 0, 1, 0, 1, 2."""
    return np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count - first, count)


def place_in_group(*columns: Ints) -> Ints:
    """Return the index (from 0) of each row among the equal consecutive rows to which it belongs."""
    row = np.arange(len(columns[0]))
    return row - np.maximum.accumulate(np.where(changes(*columns), row, 0))


def divided(part: Floats | Ints, whole: Floats | Ints) -> Floats:
    """Return ``part / whole``, or 0 where ``whole`` is not positive."""
    return np.divide(part, whole, out=np.zeros(np.shape(part)), where=np.asarray(whole) > 0)


def distinct(values: Ints) -> Ints:
    """Return the sorted, distinct values. This is faster than `numpy.unique`, which hashes them."""
    ordered = np.sort(values)
    return ordered[changes(ordered)]


def matches(left: Ints, right: Ints) -> tuple[Ints, Ints]:
    """Return all pairs (i, j) with ``left[i] == right[j]``, sorted by i, then j."""
    order = np.argsort(right, kind="stable")
    ordered = right[order]
    low = np.searchsorted(ordered, left, side="left")
    count = np.searchsorted(ordered, left, side="right") - low
    i = np.repeat(np.arange(len(left)), count)
    return i, order[ranges(count, low)]


def is_among(values: Ints, table: Ints) -> tuple[Bools, Ints]:
    """Return whether each value is in the sorted ``table``, and its index there (arbitrary if it is missing)."""
    if not len(table):
        return np.zeros(len(values), dtype=np.bool_), np.zeros(len(values), dtype=np.int64)
    place = np.minimum(np.searchsorted(table, values), len(table) - 1)
    return table[place] == values, place
