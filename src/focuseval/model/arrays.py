"""Names for the column types the library computes with, and what is asked of columns in several places."""

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer]
Floats = NDArray[np.floating]
Bools = NDArray[np.bool_]


def distinct(values: Ints) -> Ints:
    """The sorted, distinct values; by sorting, which is faster than NumPy's hashing."""
    ordered = np.sort(values)
    return ordered[np.append(True, ordered[1:] != ordered[:-1])] if len(ordered) else ordered


def is_among(values: Ints, known: Ints) -> tuple[Bools, Ints]:
    """Whether each value is one of the sorted ``known`` ones, and the place of it there."""
    if not len(known):
        return np.zeros(len(values), dtype=np.bool_), np.zeros(len(values), dtype=np.int64)
    place = np.minimum(np.searchsorted(known, values), len(known) - 1)
    return known[place] == values, place
