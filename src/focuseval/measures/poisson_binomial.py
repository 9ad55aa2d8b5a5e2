"""How many of many independent events happen, exactly, while their probabilities change along a list.

The number of discovered ideal elements is a sum of independent 0/1 variables (Piwowarski & Dupret 2006,
Eq. 6-7). Its distribution is the product of one factor ``q + p z`` per element. A rank changes few of
the factors, and every quantity of the measure is a sum over ranks of such products. The sum is taken
over a binary tree of ranks: a factor that stays the same in a whole subtree is multiplied once, with
the sum of that subtree. Nothing is ever divided or subtracted, so each value keeps its relative
precision however near to 0 or 1 the probabilities are.

Loops are compiled; import this module where they are needed, not at the top. Sorting, searching and room for
the results are left to plain NumPy around them: compiled, they would take longer to build than all else.
"""

from math import erfc, sqrt

import numpy as np
from numba import njit

from focuseval.model.arrays import Floats, Ints

#: from this many uncertain elements on, the published program replaced the distribution by a normal law
NORMAL_FROM = 10

#: factors that are multiplied at a time, and the zeros kept on both sides of a polynomial's coefficients
PAD = 4


def discover(
    rank: Ints, element: Ints, probability: Floats, count: int
) -> tuple[Ints, Ints, Floats, Floats, Floats, Floats]:
    """Noisy-or along a list (Eq. 1): ``P(x in S_k) = 1 - prod_(j <= k) (1 - P(j ~> x))``.

    E links, sorted by rank and element: at ``rank`` the user reaches ``element`` (below ``count``)
    with ``probability``; links of one rank to one element are alternatives of the same kind. Returns
    the changes, one per rank and element whose probability of being seen it raises: rank, element,
    probability of being seen before it, rise, probability after it, and of not being seen after it.
    """
    at, which = np.empty((2, len(rank)), np.int64)
    before, rise, after, rest = np.empty((4, len(rank)))
    n = _discover(
        rank, element, probability, np.zeros(count), np.ones(count), at, which, before, rise, after, rest
    )
    return at[:n], which[:n], before[:n], rise[:n], after[:n], rest[:n]


@njit(cache=True)
def _discover(
    rank: Ints,
    element: Ints,
    probability: Floats,
    seen: Floats,
    unseen: Floats,
    at: Ints,
    which: Ints,
    before: Floats,
    rise: Floats,
    after: Floats,
    rest: Floats,
) -> int:
    """The changes of `discover` into its six columns; their number."""
    n = 0
    for e in range(len(rank)):
        x = element[e]
        gain = unseen[x] * probability[e]
        if gain == 0.0:
            continue
        if n == 0 or at[n - 1] != rank[e] or which[n - 1] != x:
            at[n], which[n], before[n], rise[n] = rank[e], x, seen[x], 0.0
            n += 1
        seen[x] += gain
        unseen[x] *= 1.0 - probability[e]
        if unseen[x] == 0.0:
            seen[x] = 1.0
        rise[n - 1] += gain
        after[n - 1], rest[n - 1] = seen[x], unseen[x]
    return n


@njit(cache=True)
def _multiply(
    value: Floats, spare: Floats, low: int, width: int, p: Floats, q: Floats, which: Ints
) -> tuple[int, int]:
    """Multiply a polynomial with the factors ``q[s] + p[s] z`` of all s in ``which``; its new low and width.

    ``value[PAD : PAD + width]`` holds its coefficients from degree ``low`` on. Factors that only shift or
    scale do just that; the others are multiplied four at a time.
    """
    c0, c1, c2, c3, c4 = 1.0, 0.0, 0.0, 0.0, 0.0
    gathered, left = 0, len(which)
    for s in which:
        left -= 1
        if q[s] == 0.0 or p[s] == 0.0:
            low += q[s] == 0.0
            scale = p[s] + q[s]
            if scale != 1.0:
                c0, c1, c2, c3, c4 = c0 * scale, c1 * scale, c2 * scale, c3 * scale, c4 * scale
        else:
            a, b = q[s], p[s]
            c4, c3, c2, c1, c0 = a * c4 + b * c3, a * c3 + b * c2, a * c2 + b * c1, a * c1 + b * c0, a * c0
            gathered += 1
        if gathered < PAD and (left or (gathered == 0 and c0 == 1.0)):
            continue
        for f in range(PAD):
            value[PAD + width + f] = 0.0
        n = width + gathered
        v0, v1, v2, v3, v4 = value[4:], value[3:], value[2:], value[1:], value
        for f in range(n):
            spare[f] = c0 * v0[f] + c1 * v1[f] + c2 * v2[f] + c3 * v3[f] + c4 * v4[f]
        width = n
        for f in range(width):
            v0[f] = spare[f]
        while width > 1 and value[PAD + width - 1] == 0.0:
            width -= 1  # too small for a floating-point number
        c0, c1, c2, c3, c4 = 1.0, 0.0, 0.0, 0.0, 0.0
        gathered = 0
    return low, width


@njit(cache=True)
def _sum(
    out: Floats, left: Floats, left_low: int, left_width: int, right: Floats, right_low: int, right_width: int
) -> tuple[int, int]:
    """The sum of two polynomials into ``out``; its low and width (0 for no polynomial)."""
    if left_width == 0:
        for f in range(PAD, PAD + right_width):
            out[f] = right[f]
        return right_low, right_width
    if right_width == 0:
        for f in range(PAD, PAD + left_width):
            out[f] = left[f]
        return left_low, left_width
    low = min(left_low, right_low)
    width = max(left_low + left_width, right_low + right_width) - low
    for f in range(PAD, PAD + width):
        out[f] = 0.0
    for f in range(left_width):
        out[PAD + left_low - low + f] = left[PAD + f]
    for f in range(right_width):
        out[PAD + right_low - low + f] += right[PAD + f]
    return low, width


@njit(cache=True)
def pmf(p: Floats, q: Floats) -> Floats:
    """(n + 1,) distribution of the number of events that happen (Eq. 7): coefficients of prod(q + p z).

    ``p`` and ``q = 1 - p`` are both given, so that neither loses digits. O(n^2).
    """
    n = len(p)
    value, spare = np.zeros(n + 1 + 2 * PAD), np.empty(n + 1 + 2 * PAD)
    value[PAD] = 1.0
    low, width = _multiply(value, spare, 0, 1, p, q, np.arange(n))
    result = np.zeros(n + 1)
    for f in range(width):
        result[low + f] = value[PAD + f]
    return result


@njit(cache=True)
def _place(first: int, last: int, leaves: int, out: Ints) -> int:
    """The nodes of a binary tree whose leaves are just ``[first, last)``, into ``out``; their number."""
    left, right, n = first + leaves, last + leaves, 0
    while left < right:
        if left & 1:
            out[n] = left
            n += 1
            left += 1
        if right & 1:
            right -= 1
            out[n] = right
            n += 1
        left >>= 1
        right >>= 1
    return n


def mixtures(
    sizes: Ints, element: Ints, first: Ints, last: Ints, p: Floats, q: Floats, weight: Floats
) -> tuple[Floats, Ints, Ints]:
    """For nested sets of elements: the sum over times of ``weight`` times the product of the set's factors.

    S factors: ``q[s] + p[s] z`` belongs to ``element[s]`` and holds from time ``first[s]`` to before
    ``last[s]``; at other times an element's factor is 1. ``weight`` (M,) has one entry per time. Set i
    holds the elements below ``sizes[i]`` (L,), increasing. Returns all sums (polynomials in z) one
    after the other, and the begin and length of each set's. Sets with the same factors share theirs.
    """
    order = np.argsort(element, kind="stable")
    length = np.searchsorted(np.unique(element), sizes) + 1
    end = np.cumsum(np.where(np.diff(length, prepend=0) > 0, length, 0))
    leaves = 1 << max(len(weight) - 1, 0).bit_length()
    until = np.where(last == len(weight), leaves, last)
    result, begin = np.zeros(end[-1]), end - length
    _mix(result, begin, length, sizes, order, element, first, until, p, q, weight, leaves)
    return result, begin, length


@njit(cache=True)
def _mix(
    result: Floats,
    begin: Ints,
    length: Ints,
    sizes: Ints,
    order: Ints,
    element: Ints,
    first: Ints,
    until: Ints,
    p: Floats,
    q: Floats,
    weight: Floats,
    leaves: int,
) -> None:
    """The sums of `mixtures` into ``result``; ``order`` sorts the factors by element.

    A node of the tree of times keeps (the sum of its two children) x (the factors that hold in all of
    its times, but not in all of its parent's). The next larger set adds factors to few nodes, and only
    the nodes above them are computed again.
    """
    times, nodes = len(weight), 2 * leaves
    places = np.zeros(128, np.int64)
    own, below = np.zeros(nodes, np.int64), np.zeros(nodes, np.int64)
    for s in order:
        for i in range(_place(first[s], until[s], leaves, places)):
            own[places[i]] += 1
    room, origin = np.zeros(nodes + 1, np.int64), np.zeros(nodes + 1, np.int64)
    for node in range(nodes - 1, 0, -1):
        below[node] += own[node]
        below[node // 2] += below[node]
    for node in range(1, nodes):
        room[node + 1] = room[node] + min(below[node], length[-1] - 1) + 1 + 2 * PAD
        origin[node + 1] = origin[node] + own[node]
    kept, spare = np.zeros(room[nodes]), np.zeros(length[-1] + 2 * PAD)
    low, width = np.zeros(nodes, np.int64), np.zeros(nodes, np.int64)
    factor, known, applied = np.zeros(origin[nodes], np.int64), origin[:nodes].copy(), origin[:nodes].copy()
    fresh = np.zeros(nodes, np.bool_)

    placed = 0
    for i in range(len(sizes)):
        if i and begin[i] == begin[i - 1]:
            continue
        while placed < len(order) and element[order[placed]] < sizes[i]:
            s = order[placed]
            placed += 1
            for j in range(_place(first[s], until[s], leaves, places)):
                node = places[j]
                factor[known[node]] = s
                known[node] += 1
                node //= 2
                while node and fresh[node]:
                    fresh[node] = False
                    node //= 2
        for node in range(nodes - 1, 0, -1):
            mine = kept[room[node] : room[node + 1]]
            if not fresh[node]:
                fresh[node] = True
                applied[node] = origin[node]
                if node >= leaves:
                    if node - leaves < times and weight[node - leaves] != 0.0:
                        mine[PAD] = weight[node - leaves]
                        width[node] = 1
                else:
                    a, b = 2 * node, 2 * node + 1
                    left, right = kept[room[a] : room[b]], kept[room[b] : room[b + 1]]
                    low[node], width[node] = _sum(mine, left, low[a], width[a], right, low[b], width[b])
            if applied[node] < known[node]:
                if width[node]:
                    new = factor[applied[node] : known[node]]
                    low[node], width[node] = _multiply(mine, spare, low[node], width[node], p, q, new)
                applied[node] = known[node]
        for f in range(width[1]):
            result[begin[i] + low[1] + f] = kept[room[1] + PAD + f]


@njit(cache=True)
def at_least(value: Floats, begin: Ints, length: Ints) -> Floats:
    """For each set's sum m_0, m_1, …: m_r + m_(r+1) + … at every r, smallest terms first."""
    result = value.copy()
    for i in range(len(begin)):
        if i and begin[i] == begin[i - 1]:
            continue
        for f in range(begin[i] + length[i] - 2, begin[i] - 1, -1):
            result[f] += result[f + 1]
    return result


@njit(cache=True)
def normal_at_least(
    sizes: Ints, time: Ints, element: Ints, p: Floats, q: Floats, weight: Floats
) -> tuple[Floats, Ints, Ints]:
    """`at_least` of `mixtures`, with a normal law from `NORMAL_FROM` uncertain elements on.

    E changes, sorted by time: ``element`` has probability ``p`` (and ``q = 1 - p``) from ``time`` on.
    The number of events is the certain ones plus a normal variable of the uncertain ones' mean and
    variance, with the correction of 1/2 for continuity; below `NORMAL_FROM` it is exact.
    """
    length = sizes + 1
    begin = np.cumsum(length) - length
    result = np.zeros(np.sum(length))
    few_p, few_q = np.empty(NORMAL_FROM), np.empty(NORMAL_FROM)
    for i in range(len(sizes)):
        out = result[begin[i] : begin[i] + length[i]]
        now_p, now_q = np.zeros(sizes[i]), np.ones(sizes[i])
        mine = np.flatnonzero(element < sizes[i])
        for c in range(len(mine)):
            now_p[element[mine[c]]], now_q[element[mine[c]]] = p[mine[c]], q[mine[c]]
            until = time[mine[c + 1]] if c + 1 < len(mine) else len(weight)
            if until == time[mine[c]]:
                continue
            joined = weight[time[mine[c]] : until].sum()
            n, certain, mean, variance = 0, 0, 0.0, 0.0
            for x in range(sizes[i]):
                if now_q[x] == 0.0:
                    certain += 1
                elif now_p[x] > 0.0:
                    if n < NORMAL_FROM:
                        few_p[n], few_q[n] = now_p[x], now_q[x]
                    n += 1
                    mean += now_p[x]
                    variance += now_p[x] * now_q[x]
            out[: certain + 1] += joined
            if n < NORMAL_FROM:
                law = pmf(few_p[:n], few_q[:n])
                above = 0.0
                for f in range(n, 0, -1):
                    above += law[f]
                    out[certain + f] += joined * above
            else:
                scale = sqrt(2.0 * variance)
                for f in range(1, n + 1):
                    out[certain + f] += joined * 0.5 * erfc((f - 0.5 - mean) / scale)
    return result, begin, length


@njit(cache=True)
def triangular_gain(
    levels: int, first_level: Ints, element: Ints, before: Floats, rise: Floats, weight: Floats
) -> Floats:
    """(levels,) for each set: the sum over changes of ``weight`` times the rise of E[F (F + 1) / 2].

    F is the number of events among the elements of the set; element x is in the sets from
    ``first_level[x]`` on. With independent events, E[F (F + 1) / 2] is the sum of the probabilities and
    of the products of all pairs of them: a rise d of one of them adds d (1 + the sum of all others).
    """
    total, mean = np.zeros(levels), np.zeros(levels)
    for e in range(len(element)):
        d, scaled, old = rise[e], rise[e] * weight[e], before[e]
        for i in range(first_level[element[e]], levels):
            total[i] += scaled * (1.0 + (mean[i] - old))
            mean[i] += d
    return total
