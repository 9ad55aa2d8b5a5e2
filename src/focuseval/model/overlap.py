"""Compiled functions that remove overlap among the elements of a list. They are slow to import."""

import numpy as np

from focuseval.errors import extra
from focuseval.model.arrays import Bools, Ints

with extra("full"):
    from numba import njit


@njit(cache=True)
def overlapping(node: Ints, unit: Ints, up: Ints, spared: Bools) -> Bools:  # pragma: no cover (compiled)
    """Return whether each result must be dropped because it overlaps an earlier result that was kept.

    ``node`` gives the node of each result in a forest, or -1 if the result is not an element. ``up`` gives the parent
    of each node, or -1. Consecutive results with equal numbers in ``unit`` do not exclude each other. Results that
    ``spared`` marks are always kept.
    """
    dropped = np.zeros(len(node), dtype=np.bool_)
    chosen = np.zeros(len(up), dtype=np.bool_)
    above_kept = np.zeros(len(up), dtype=np.bool_)
    begin = 0
    while begin < len(node):
        end = begin
        while end < len(node) and unit[end] == unit[begin]:
            if node[end] >= 0 and not spared[end]:
                at = node[end]
                dropped[end] = above_kept[at]
                while at >= 0 and not dropped[end]:
                    dropped[end] = chosen[at]
                    at = up[at]
            end += 1
        for i in range(begin, end):
            if node[i] >= 0 and not dropped[i]:
                chosen[node[i]] = True
                at = up[node[i]]
                while at >= 0 and not above_kept[at]:
                    above_kept[at] = True
                    at = up[at]
        begin = end
    return dropped


@njit(cache=True, nogil=True)
def apart(row: Ints, last: Ints, size: int) -> Ints:  # pragma: no cover (compiled)
    """Choose at most ``size`` elements of a ranking, from the top, that do not overlap. Return their indexes.

    ``row`` gives the row of each element, and ``last`` gives the first row after its descendants.
    """
    chosen = np.empty(min(size, len(row)), dtype=np.int64)
    start, end = np.empty_like(chosen), np.empty_like(chosen)  # rows of the chosen subtrees
    count = 0
    for place in range(len(row)):
        if count == len(chosen):
            break
        at = np.searchsorted(start[:count], row[place])
        if (at > 0 and end[at - 1] > row[place]) or (at < count and start[at] < last[place]):
            continue
        for i in range(count, at, -1):
            start[i], end[i] = start[i - 1], end[i - 1]
        start[at], end[at] = row[place], last[place]
        chosen[count] = place
        count += 1
    return chosen[:count]
