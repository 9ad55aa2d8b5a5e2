"""How many of many independent events happen, exactly, while their probabilities change along a list.

The number of discovered ideal elements is a sum of independent 0/1 variables (Piwowarski & Dupret 2006,
Eq. 6-7). Its distribution is the product of one factor ``q + p z`` per element. A rank changes few of
the factors, and every quantity of the measure is a sum over ranks of such products. The sum is taken
over a binary tree of ranks: a factor that stays the same in a whole subtree is multiplied once, with
the sum of that subtree. Nothing is ever divided or subtracted, so each value keeps its relative
precision however near to 0 or 1 the probabilities are.

All functions are compiled; import this module where they are needed, not at the top.
"""

from math import erfc, sqrt

import numpy as np
from numba import njit

from focuseval.arrays import Floats, Ints

#: from this many uncertain elements on, the published program replaced the distribution by a normal law
NORMAL_FROM = 10


@njit(cache=True)
def discover(
    rank: Ints, element: Ints, probability: Floats, count: int
) -> tuple[Ints, Ints, Floats, Floats, Floats, Floats]:
    """Noisy-or along a list (Eq. 1): ``P(x in S_k) = 1 - prod_(j <= k) (1 - P(j ~> x))``.

    E links, sorted by rank and element: at ``rank`` the user reaches ``element`` (below ``count``)
    with ``probability``; links of one rank to one element are alternatives of the same kind. Returns
    the changes, one per rank and element whose probability of being seen it raises: rank, element,
    probability of being seen before it, rise, probability after it, and of not being seen after it.
    """
    seen = np.zeros(count)
    unseen = np.ones(count)
    at, which = np.empty(len(rank), np.int64), np.empty(len(rank), np.int64)
    before, rise = np.empty(len(rank)), np.empty(len(rank))
    after, rest = np.empty(len(rank)), np.empty(len(rank))
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
    return at[:n], which[:n], before[:n], rise[:n], after[:n], rest[:n]


@njit(cache=True)
def _multiply(value: Floats, spare: Floats, low: int, width: int, p: float, q: float) -> tuple[int, int]:
    """Multiply ``value`` (coefficients from degree ``low`` on) with ``q + p z``; its new low and width."""
    if q == 0.0:
        if p != 1.0:
            value[:width] *= p
        return low + 1, width
    if p == 0.0:
        if q != 1.0:
            value[:width] *= q
        return low, width
    spare[0] = q * value[0]
    for f in range(1, width):
        spare[f] = q * value[f] + p * value[f - 1]
    spare[width] = p * value[width - 1]
    value[: width + 1] = spare[: width + 1]
    return low, width + 1


@njit(cache=True)
def pmf(p: Floats, q: Floats) -> Floats:
    """(n + 1,) distribution of the number of events that happen (Eq. 7): coefficients of prod(q + p z).

    ``p`` and ``q = 1 - p`` are both given, so that neither loses digits. O(n^2).
    """
    value, spare = np.zeros(len(p) + 1), np.empty(len(p) + 1)
    value[0] = 1.0
    low, width = 0, 1
    for x in range(len(p)):
        low, width = _multiply(value, spare, low, width, p[x], q[x])
    result = np.zeros(len(p) + 1)
    result[low : low + width] = value[:width]
    return result


@njit(cache=True)
def _place(node: Ints, first: int, last: int, leaves: int, out: Ints) -> int:
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


@njit(cache=True)
def mixture(times: int, weight: Floats, first: Ints, last: Ints, p: Floats, q: Floats, degree: int) -> Floats:
    """(degree + 1,) the sum over times of ``weight`` times the product of the factors that hold then.

    Factor s is ``q[s] + p[s] z`` from time ``first[s]`` to before ``last[s]``, and 1 at other times;
    ``degree`` is at least the number of factors of any time.
    """
    leaves = 1
    while leaves < times:
        leaves *= 2
    places = np.empty(128, np.int64)
    held = np.zeros(2 * leaves + 1, np.int64)
    for s in range(len(first)):
        end = leaves if last[s] == times else last[s]
        for i in range(_place(held, first[s], end, leaves, places)):
            held[places[i] + 1] += 1
    begin = np.cumsum(held)
    fill = begin.copy()
    factor = np.empty(begin[-1], np.int64)
    for s in range(len(first)):
        end = leaves if last[s] == times else last[s]
        for i in range(_place(held, first[s], end, leaves, places)):
            factor[fill[places[i]]] = s
            fill[places[i]] += 1
    depth = 2
    while (1 << depth) < 4 * leaves:
        depth += 1
    stack, spare = np.empty((depth + 1, degree + 2)), np.empty(degree + 2)
    low, width = np.zeros(depth + 1, np.int64), np.zeros(depth + 1, np.int64)
    top = -1
    for leaf in range(leaves):
        top += 1
        low[top], width[top] = 0, 0
        if leaf < times and weight[leaf] != 0.0:
            stack[top, 0] = weight[leaf]
            width[top] = 1
        node = leaves + leaf
        while True:
            if width[top]:
                for i in range(begin[node], begin[node + 1]):
                    s = factor[i]
                    low[top], width[top] = _multiply(stack[top], spare, low[top], width[top], p[s], q[s])
            if node == 1 or node % 2 == 0:
                break
            node //= 2  # a right child: its parent is the sum of both children
            top -= 1
            if width[top + 1] == 0:
                continue
            if width[top] == 0:
                low[top], width[top] = low[top + 1], width[top + 1]
                stack[top, : width[top]] = stack[top + 1, : width[top]]
                continue
            start = min(low[top], low[top + 1])
            stop = max(low[top] + width[top], low[top + 1] + width[top + 1])
            spare[: stop - start] = 0.0
            for side in (top, top + 1):
                for f in range(width[side]):
                    spare[low[side] - start + f] += stack[side, f]
            stack[top, : stop - start] = spare[: stop - start]
            low[top], width[top] = start, stop - start
    result = np.zeros(degree + 1)
    result[low[0] : low[0] + width[0]] = stack[0, : width[0]]
    return result


@njit(cache=True)
def mixtures(
    sizes: Ints, element: Ints, first: Ints, last: Ints, p: Floats, q: Floats, weight: Floats
) -> tuple[Floats, Ints, Ints]:
    """`mixture` for nested sets of elements: set i holds the elements below ``sizes[i]`` (increasing).

    S factors with their elements, as in `mixture`; M weights of times. Returns all sums one after the
    other, and the begin and length of each set's. Sets with the same factors share theirs.
    """
    times = len(weight)
    most = sizes[-1]
    present = np.zeros(most + 1, np.int64)
    for s in range(len(element)):
        if element[s] < most:
            present[element[s] + 1] = 1
    distinct = np.cumsum(present)
    begin, length = np.empty(len(sizes), np.int64), np.empty(len(sizes), np.int64)
    total = 0
    for i in range(len(sizes)):
        if i == 0 or distinct[sizes[i]] != distinct[sizes[i - 1]]:
            begin[i] = total
            total += distinct[sizes[i]] + 1
        else:
            begin[i] = begin[i - 1]
        length[i] = distinct[sizes[i]] + 1
    result = np.zeros(total)
    inside = np.empty(len(element), np.int64)
    for i in range(len(sizes)):
        if i and begin[i] == begin[i - 1]:
            continue
        # Only times at which a factor of this set begins matter: others join the time before them.
        used = np.zeros(times + 1, np.int64)
        n = 0
        for s in range(len(element)):
            if element[s] < sizes[i]:
                inside[n] = s
                n += 1
                used[first[s]] = 1
        number = np.empty(times + 1, np.int64)
        joined = np.zeros(times)
        count, early = 0, 0.0
        for k in range(times):
            number[k] = count
            count += used[k]
            if count:
                joined[count - 1] += weight[k]
            else:
                early += weight[k]
        number[times] = count
        mine = inside[:n]
        if n:
            result[begin[i] : begin[i] + length[i]] = mixture(
                count,
                joined[:count],
                number[first[mine]],
                number[last[mine]],
                p[mine],
                q[mine],
                length[i] - 1,
            )
        result[begin[i]] += early
    return result, begin, length


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
