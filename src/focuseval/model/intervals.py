"""Arithmetic of intervals of text: new text, covered text, intersections.

Intervals are columns of a group, a start and an end. The group is a document, or any other number that separates texts.
The end is excluded. No function loops over intervals in Python.
"""

import numpy as np

from focuseval.model.arrays import Ints, ranges, sums_before


def _flat(group: Ints, *points: Ints) -> tuple[Ints, list[Ints]]:
    """Shift the offsets of groups so that groups do not overlap on one axis. Return the shifts and shifted offsets."""
    every = np.concatenate([[0], *points])
    length, low = int(every.max()) + 1, int(every.min())
    stride = length - low + 1
    base = group.astype(np.int64) * stride - low
    return base, [base + p for p in points]


def new_text(group: Ints, start: Ints, end: Ints) -> Ints:
    """Return the size of the part of each interval that no earlier interval of its group contains.

    For interval c_i, this is ``|c_i - (c_1 ∪ … ∪ c_(i-1))|``. The time is O(n log n) for n intervals.
    """
    size = np.maximum(end - start, 0)
    solid = np.flatnonzero(size)
    if len(solid) < 2:
        return size
    _, (low, high) = _flat(group[solid], start[solid], end[solid])
    order = np.argsort(low)
    if (low[order[1:]] >= high[order[:-1]]).all():  # in most lists, no intervals overlap
        return size
    cuts, owner = first_cover(low, high)
    length = np.diff(cuts, append=cuts[-1:])
    seen = owner < len(solid)
    size[solid] = np.bincount(owner[seen], weights=length[seen], minlength=len(solid))
    return size


def first_cover(low: Ints, high: Ints) -> tuple[Ints, Ints]:
    """Divide an axis at the bounds of n intervals ``[low, high)``. Find the first interval that covers each segment.

    Returns the sorted starts of the segments, and the number of the first interval that covers each. The number is n if
    no interval does. Each segment ends where the next one starts. The time is O(n log n).
    """
    count = len(low)
    cuts, place = np.unique(np.concatenate([low, high]), return_inverse=True)
    left, right = place[:count], place[count:]
    width = right - left
    solid = np.flatnonzero(width > 0)
    owner = np.full(len(cuts), count, dtype=np.int64)
    if len(solid) == 0:
        return cuts, owner
    level = np.frexp(width[solid].astype(float))[1] - 1  # exactly floor(log2(width))
    by_level = np.argsort(level, kind="stable")
    bounds = np.searchsorted(level[by_level], np.arange(int(level.max()) + 2))
    # This is a sparse table for range minima in reverse. Each interval is covered by two blocks of 2^k segments, which
    # may overlap, and is recorded in both. From the longest blocks on, each block passes its record to its two halves.
    for k in range(int(level.max()), -1, -1):
        block = 1 << k
        ranks = solid[by_level[bounds[k] : bounds[k + 1]]]
        np.minimum.at(owner, left[ranks], ranks)
        np.minimum.at(owner, right[ranks] - block, ranks)
        if k:
            half = block >> 1
            owner[half:] = np.minimum(owner[half:], owner[:-half])
    return cuts, owner


def new_pieces(group: Ints, start: Ints, end: Ints, rank: Ints) -> tuple[Ints, Ints, Ints]:
    """Divide the text that is new at each rank into pieces. Find the intervals of the rank that cover each piece.

    Text is new at a rank if no interval at an earlier rank contains it. Ranks must not decrease. Returns the number of
    a piece, the number of an interval that covers it, and the length of the piece. Rows are sorted by rank, piece and
    interval.
    """
    _, (low, high) = _flat(group, start, end)
    cuts, owner = first_cover(low, high)
    left = np.searchsorted(cuts, low)
    count = np.maximum(np.searchsorted(cuts, high) - left, 0)
    one, piece = np.repeat(np.arange(len(low)), count), ranges(count, left)
    new = rank[one] == rank[owner[piece]]
    one, piece = one[new], piece[new]
    order = np.lexsort((one, piece, rank[one]))
    return piece[order], one[order], np.diff(cuts, append=cuts[-1:])[piece[order]]


def covered_before(points: Ints, start: Ints, end: Ints) -> Ints:
    """Return how much text before each point the sorted, disjoint intervals ``[start, end)`` contain."""
    index = np.searchsorted(start, points, side="right")
    beyond = np.where(index > 0, np.maximum(end[np.maximum(index - 1, 0)] - points, 0), 0)
    return sums_before(end - start)[index] - beyond


def merge(group: Ints, start: Ints, end: Ints) -> tuple[Ints, Ints, Ints]:
    """Return the union of intervals, sorted by group and start. Its intervals are not empty, and do not touch."""
    solid = end > start
    group, start, end = group[solid], start[solid], end[solid]
    order = np.lexsort((end, start, group))
    group, start, end = group[order], start[order], end[order]
    if len(group) == 0:
        return group, start, end
    base, (low, high) = _flat(group, start, end)
    reach = np.maximum.accumulate(high)
    opens = np.concatenate([[True], low[1:] > reach[:-1]])
    begins = np.flatnonzero(opens)
    closes = np.append(begins[1:], len(group)) - 1
    return group[begins], start[begins], reach[closes] - base[closes]


def project(
    group: Ints, start: Ints, end: Ints, in_group: Ints, in_start: Ints, in_end: Ints
) -> tuple[Ints, Ints]:
    """Map intervals ``[in_start, in_end)`` to an axis that has only the text of disjoint intervals ``[start, end)``.

    Returns the starts and the ends on this axis, which contains all groups. Two mapped intervals share as much text as
    the original intervals share within the disjoint intervals.
    """
    if len(start) == 0:
        return np.zeros(len(in_start), dtype=np.int64), np.zeros(len(in_start), dtype=np.int64)
    count = len(start)
    both = np.concatenate([group, in_group]), np.concatenate([start, in_start]), np.concatenate([end, in_end])
    _, (lows, highs) = _flat(*both)
    low, high = lows[:count], highs[:count]
    order = np.argsort(low, kind="stable")
    low, high = low[order], high[order]
    before = covered_before(np.concatenate([lows[count:], highs[count:]]), low, high)
    return before[: len(in_start)], before[len(in_start) :]


def meetings(
    group: Ints, start: Ints, end: Ints, in_group: Ints, in_start: Ints, in_end: Ints
) -> tuple[Ints, Ints, Ints]:
    """Return all pairs of an interval ``[in_start, in_end)`` and an interval ``[start, end)`` that share text.

    Returns the numbers of the two intervals, in this order, and the size of their intersection. Pairs are sorted.
    """
    split = len(start)
    both = np.concatenate([group, in_group]), np.concatenate([start, in_start]), np.concatenate([end, in_end])
    _, (lows, highs) = _flat(*both)
    low, high, in_low, in_high = lows[:split], highs[:split], lows[split:], highs[split:]
    order = np.argsort(low, kind="stable")
    first = np.searchsorted(np.maximum.accumulate(high[order]), in_low, side="right")
    count = np.maximum(np.searchsorted(low[order], in_high) - first, 0)
    one = np.repeat(np.arange(len(in_low)), count)
    other = order[ranges(count, first)]
    shared = np.minimum(high[other], in_high[one]) - np.maximum(low[other], in_low[one])
    meet = np.flatnonzero(shared > 0)
    meet = meet[np.lexsort((other[meet], one[meet]))]
    return one[meet], other[meet], shared[meet]


def covered(group: Ints, start: Ints, end: Ints, in_group: Ints, in_start: Ints, in_end: Ints) -> Ints:
    """Return how much text each interval ``[in_start, in_end)`` shares with disjoint intervals ``[start, end)``."""
    low, high = project(group, start, end, in_group, in_start, in_end)
    return high - low


def new_common(group: Ints, start: Ints, end: Ints, in_group: Ints, in_start: Ints, in_end: Ints) -> Ints:
    """Return how much text of disjoint ``[start, end)`` is in each ``[in_start, in_end)`` but in no earlier one."""
    low, high = project(group, start, end, in_group, in_start, in_end)
    return new_text(np.zeros_like(low), low, high)


def new_stretches(
    group: Ints, start: Ints, end: Ints, in_group: Ints, in_start: Ints, in_end: Ints
) -> tuple[Ints, Ints, Ints]:
    """Divide disjoint intervals ``[start, end)`` into stretches by the first ``[in_start, in_end)`` that covers them.

    The disjoint intervals must be sorted by group and start. Text that no interval covers is left out. Returns three
    columns: the number of the covering interval, and the start and length of the stretch. Rows are sorted by interval
    and start.
    """
    low, high = project(group, start, end, in_group, in_start, in_end)
    holds = np.flatnonzero(high > low)
    ends = np.cumsum(end - start)
    begins = ends - (end - start)
    cuts, owner = first_cover(np.append(low[holds], begins), np.append(high[holds], ends))
    size = np.diff(cuts, append=cuts[-1:])
    new = np.flatnonzero((owner < len(holds)) & (size > 0))
    new = new[np.argsort(owner[new], kind="stable")]
    holder = np.searchsorted(begins, cuts[new], side="right") - 1
    return holds[owner[new]], start[holder] + cuts[new] - begins[holder], size[new]
