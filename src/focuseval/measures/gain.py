"""The core of the XCG measures: the gain of each result for a user who has already seen the earlier results."""

import numpy as np

from focuseval.errors import extra
from focuseval.model.arrays import Floats, Ints

with extra("full"):
    from numba import njit

#: a gain of at most this size is a rounding error and counts as 0
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
    """Return the XCG gain of each result, which is lower for text seen before: Kazai & Lalmas (2005), Eq. 7-9.

    Seven arrays describe each element of a tree, which contains the relevant elements and their ancestors:

    - ``row``: the row of the element in the collection, in preorder
    - ``last``: the first row after the element's descendants
    - ``parent``: the index of the element's parent in the tree, or -1 for a root
    - ``size``: the element's size
    - ``score``: the element's score
    - ``parts``: the sum of score times size over the element's parts
    - ``holder``: the index of the ideal element that equals or contains the element, or -1

    Three arrays describe the results:

    - ``element``: the row of the result, or -1 if it is not an element
    - ``place``: the index of the last element of the tree up to this row, or -1
    - ``new_text``: the number of units that no earlier result contains

    Elements outside the tree have no gain, but their text counts as seen. Gains are in [0, highest score].
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
