"""The chunks that hold most of the gold: of all selections of a given cost, the best one, exactly.

Chunks may nest and overlap; text that several of them hold counts once. Choosing sets that cover most is hard
in general, but chunks are intervals of one axis, on which a sweep decides it (`best_selection`).
"""

from bisect import bisect_right
from collections import defaultdict
from typing import NamedTuple

import numpy as np

from focuseval.model.arrays import Bools, Ints, distinct
from focuseval.model.intervals import covered_before

# A key is an integer: the characters that a selection covers (high 32 bits), and its number, negated (low 32 bits). Of
# selections that cover as much, the one that was found first has the largest key.
_CHARACTER = np.int64(1 << 32)
_NUMBER = np.int64((1 << 32) - 1)
_NEVER = np.int64(-(1 << 62))


class Selection(NamedTuple):
    """What is covered at best, and by which chunks."""

    covered: int  #: characters of gold
    chunks: list[int]  #: indexes, in the order of the axis; one that is cut comes last


class _Selections:
    """Selections, each a chunk added to an earlier selection; number 0 is the empty one."""

    def __init__(self) -> None:
        self.first = [1]  # number of the first selection of each batch
        self.batches: list[
            tuple[int, bool, Ints]
        ] = []  # chunk, whether it is cut, selections it was added to

    def improve(self, best: Ints, keys: Ints, chunk: int, cut: bool) -> None:
        """Put the keys that cover more than the best ones in their places, with the chunk added."""
        better: Bools = (keys >> 32) > (best >> 32)
        found = keys[better]
        if len(found):
            number = self.first[-1] + np.arange(len(found))
            self.batches.append((chunk, cut, _NUMBER - (found & _NUMBER)))
            self.first.append(self.first[-1] + len(found))
            best[better] = (found & ~_NUMBER) | (_NUMBER - number)

    def chunks(self, number: int) -> list[int]:
        """The chunks of a selection."""
        whole: list[int] = []
        last: list[int] = []
        while number:
            batch = bisect_right(self.first, number) - 1
            chunk, cut, before = self.batches[batch]
            (last if cut else whole).append(chunk)
            number = int(before[number - self.first[batch]])
        return whole[::-1] + last


def best_selection(
    start: Ints, end: Ints, gold_start: Ints, gold_end: Ints, limit: int, *, characters: bool
) -> Selection:
    """The selection of chunks that covers most of the gold within a limit.

    Parameters
    ----------
    start, end
        (chunks,) intervals on one axis, none empty.
    gold_start, gold_end
        sorted, disjoint intervals on the same axis, at least one.
    limit
        number of chunks; with ``characters`` the sum of their sizes, and one chunk, the last to be read, may be cut
        behind any of its characters.

    Returns
    -------
    `Selection`
        of those that are best, one that depends on the inputs alone.

    A sweep along the axis keeps ``best[c]``, the most gold before the point x that costs up to c. A reader who
    enters a chunk at x, all before being known, and leaves it at its end e has ``best_x[c] + gold(x, e)`` for the
    chunk's whole cost: no best selection needs more, as a chunk within the others can be left out. A cut chunk
    costs what is read of it; nothing is lost if it ends where the next one starts. O(points x open chunks x limit).
    """
    gold = covered_before(end, gold_start, gold_end) - covered_before(start, gold_start, gold_end)
    rows = np.flatnonzero(gold)
    if not len(rows):
        return Selection(0, [])
    cost = end - start if characters else np.ones(len(start), dtype=np.int64)
    limit = min(limit, int(cost[rows].sum()))
    points = distinct(np.concatenate([start[rows], end[rows], gold_start, gold_end]))
    before = covered_before(points, gold_start, gold_end)
    opening, closing = _by_point(start, rows), _by_point(end, rows)
    selections = _Selections()
    best = np.full((2 if characters else 1, limit + 1), _NUMBER)  # the second row: with at most one chunk cut
    inside: dict[int, Ints] = {}
    for i, point in enumerate(points.tolist()):
        known = before[i] * _CHARACTER
        for chunk in closing[point]:
            keys = inside.pop(chunk) + known
            if (paid := cost[chunk]) <= limit:
                selections.improve(best[:, paid:], keys[:, : limit + 1 - paid], chunk, cut=False)
        inside |= {chunk: np.full_like(best, _NEVER) for chunk in opening[point]}
        for keys in inside.values():
            np.maximum(keys, best - known, out=keys)
        if not characters or i + 1 == len(points) or before[i + 1] == before[i]:
            continue
        for chunk, keys in inside.items():
            paid = point - start[chunk]
            if paid < limit:
                cut = _taken(keys[0, : limit - paid], int(points[i + 1]) - point) + known
                selections.improve(best[1, paid + 1 :], cut, chunk, cut=True)
    key = best[-1, -1]
    return Selection(int(key >> 32), selections.chunks(int(_NUMBER - (key & _NUMBER))))


def _by_point(points: Ints, rows: Ints) -> dict[int, list[int]]:
    """Rows by point, in order."""
    by_point: dict[int, list[int]] = defaultdict(list)
    for row, point in zip(rows.tolist(), points[rows].tolist(), strict=True):
        by_point[point].append(row)
    return by_point


def _taken(keys: Ints, width: int) -> Ints:
    """The best keys for one more cost each, if up to ``width`` characters can be read, each of them gold.

    ``max(keys[c - u] + u characters for u in 1..width)`` for the costs c = 1..len(keys): a maximum over a
    window that slides along ``keys[c] - c characters``.
    """
    worth = np.arange(len(keys)) * _CHARACTER
    return _trailing_maximum(keys - worth, width) + worth + _CHARACTER


def _trailing_maximum(values: Ints, width: int) -> Ints:
    """The largest of each value and the ``width - 1`` before it; two passes, whatever the width."""
    count = len(values)
    width = min(width, count)
    size = -(-(count + width - 1) // width) * width
    padded = np.full(size, _NEVER)
    padded[width - 1 : width - 1 + count] = values
    blocks = padded.reshape(-1, width)
    forward = np.maximum.accumulate(blocks, axis=1).ravel()
    backward = np.maximum.accumulate(blocks[:, ::-1], axis=1)[:, ::-1].ravel()
    return np.maximum(backward[:count], forward[width - 1 : width - 1 + count])
