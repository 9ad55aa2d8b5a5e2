"""How many of many independent events happen, while their probabilities change along a list.

The number of discovered ideal elements is a sum of independent 0/1 variables (Piwowarski & Dupret 2006,
Eq. 6-7). Its distribution is the product of one factor ``q + p z`` per element; sums of such products
over the ranks of a list are in `focuseval.measures.mixing`.

Loops are compiled: import this module where they are needed, not at the top, as Numba is slow to load.
"""

from math import erfc, sqrt

import numpy as np

from focuseval.errors import extra
from focuseval.model.arrays import Floats, Ints

with extra("full"):
    from numba import njit

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
    seen, unseen = np.zeros(count), np.ones(count)
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
def pmf(p: Floats, q: Floats) -> Floats:
    """(n + 1,) distribution of the number of events that happen (Eq. 7): coefficients of prod(q + p z).

    ``p`` and ``q = 1 - p`` are both given, so that neither loses digits: every probability keeps its
    relative precision, however small it is. O(n^2).
    """
    n = len(p)
    result = np.zeros(n + 1)
    result[0] = 1.0
    for x in range(n):
        for f in range(x + 1, 0, -1):
            result[f] = q[x] * result[f] + p[x] * result[f - 1]
        result[0] *= q[x]
    return result


@njit(cache=True)
def at_least(value: Floats, row: Ints, length: Ints) -> None:
    """Turn each row m_0, m_1, … into m_r + m_(r+1) + … at every r, the last first; rounding below 0 is cut.

    Sets with the same row, as `mix` has them, follow one another.
    """
    for i in range(len(row)):
        if i and row[i] == row[i - 1]:
            continue
        total = 0.0
        for f in range(length[i] - 1, -1, -1):
            total += value[row[i], f]
            value[row[i], f] = max(total, 0.0)


@njit(cache=True)
def below(value: Floats) -> None:
    """Turn each row m_0, m_1, … into m_0 + … + m_(r-1) at every r."""
    for i in range(len(value)):
        total = 0.0
        for f in range(value.shape[1]):
            value[i, f], total = total, total + value[i, f]


@njit(cache=True)
def times_ratio(value: Floats, over: Floats, under: Floats) -> None:
    """Multiply each row at every r with (over_0 + … + over_(r-1)) / (under_0 + … + under_(r-1)); 0 at r = 0."""
    for i in range(len(value)):
        above, below = 0.0, 0.0
        for f in range(value.shape[1]):
            value[i, f] *= above / below if below > 0.0 else 0.0
            above, below = above + over[i, f], below + under[i, f]


@njit(cache=True, fastmath={"reassoc"})
def dot(value: Floats, row: Ints, other: Floats, other_row: Ints, length: Ints) -> Floats:
    """(L,) the sum of products of the first numbers of two rows, for pairs of rows."""
    result = np.zeros(len(row))
    for i in range(len(row)):
        total = 0.0
        for f in range(length[i]):
            total += value[row[i], f] * other[other_row[i], f]
        result[i] = total
    return result


@njit(cache=True)
def normal_at_least(sizes: Ints, time: Ints, element: Ints, p: Floats, q: Floats, weight: Floats) -> Floats:
    """(L, T + 1) `at_least` of `mixing.mix`, with a normal law from `NORMAL_FROM` uncertain elements on.

    E changes, sorted by time: ``element`` has probability ``p`` (and ``q = 1 - p``) from ``time`` on.
    The number of events is the certain ones plus a normal variable of the uncertain ones' mean and
    variance, with the correction of 1/2 for continuity; below `NORMAL_FROM` it is exact.
    """
    result = np.zeros((len(sizes), sizes[-1] + 1))
    few_p, few_q = np.empty(NORMAL_FROM), np.empty(NORMAL_FROM)
    for i in range(len(sizes)):
        out = result[i]
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
    return result


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
