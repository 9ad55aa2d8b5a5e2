"""The kernel of the XCG measures: what each result is worth to a user who has seen those before it."""

import numpy as np

from focuseval.errors import extra
from focuseval.model.arrays import Floats, Ints

with extra("full"):
    from numba import njit

#: a gain up to this is rounding, and counts as none
NO_GAIN = 1e-9


@njit(cache=True)
def focussed_gains(  # noqa: C901 (one compiled loop: its state is in a dozen arrays)
    row: Ints,
    last: Ints,
    parent: Ints,
    size: Ints,
    score: Floats,
    parts: Floats,
    holder: Ints,
    element: Ints,
    place: Ints,
    new_text: Ints,
    alpha: float,
) -> Floats:
    """Gain of each result of a list, with overlap and near-misses: Kazai & Lalmas 2005, Eq. 7-9.

    The tree holds the relevant elements of a topic and all their ancestors, n of them: ``row`` and
    ``last`` (rows of the collection, in preorder), ``parent`` (index into the tree, -1 for roots),
    ``size``, ``score``, ``parts`` (the sum over an element's parts of score times size) and ``holder``
    (index of the ideal element that is or contains the element, or -1). A list has K results:
    ``element`` (a row, -1 for what is not an element), ``place`` (index of the last element of the tree
    up to it, or -1) and ``new_text`` (units not in any result before it). Elements outside the tree are
    worth nothing, but their text has been seen.

    Each element of the tree knows how much of its text was seen and what it would be worth now. A
    result changes that only on the path from itself to the root, so it costs its depth, whatever the
    length of the list. Returns (K,) gains in [0, highest score].
    """
    count = len(row)
    seen = np.zeros(count, dtype=np.int64)
    returned = np.zeros(count, dtype=np.bool_)
    credited = np.zeros(count)
    worth = score.copy()
    whole = parts.copy()
    gain = np.zeros(len(element))
    for i in range(len(element)):
        if element[i] < 0:
            continue
        at = place[i]
        while at >= 0 and last[at] <= element[i]:
            at = parent[at]
        if at < 0:
            continue
        if row[at] == element[i]:
            above = at
            while above >= 0 and not returned[above]:
                above = parent[above]
            now = (1 - alpha) * score[at] if above >= 0 else worth[at]
            ideal = holder[at]
            if ideal >= 0:
                now = min(now, score[ideal] - credited[ideal])
            if now > NO_GAIN:
                gain[i] = now
                if ideal >= 0:
                    credited[ideal] += now
            returned[at] = True
        if new_text[i] == 0:
            continue
        while at >= 0:
            seen[at] += new_text[i]
            now = (1 - alpha) * score[at]
            if seen[at] < size[at]:
                now += alpha * whole[at] / size[at]
            if parent[at] >= 0:
                whole[parent[at]] += (now - worth[at]) * size[at]
            worth[at] = now
            at = parent[at]
    return gain
