"""The distribution of the number of independent events whose probabilities change along a list.

The number of discovered ideal elements is a sum of independent 0/1 variables (Piwowarski & Dupret 2006, Eq. 6-7). Its
distribution is a product of polynomials in z, with one factor ``q + p z`` for each element. `mix` computes sums of such
products over the ranks of a list, for nested sets of elements.

Import this module only where it is used, because its compiled loops need Numba, which is slow to load.
"""

import math

import numpy as np

from focuseval.errors import extra
from focuseval.model.arrays import Floats, Ints

with extra("full"):
    from numba import njit

#: minimum number of uncertain elements for a normal distribution, as in the published program
NORMAL_FROM = 10

#: number of elements whose factors are first multiplied with each other, and only then with a distribution
BLOCK = 32

#: a coefficient below this limit is dropped if it is at either end of a product
NEGLIGIBLE = 1e-20


@njit(cache=True)
def discover(
    rank: Ints, element: Ints, probability: Floats, count: int
) -> tuple[Ints, Ints, Floats, Floats, Floats, Floats]:
    """Compute the probability that a user has seen element x by rank k: ``1 - prod_(j <= k) (1 - P(j ~> x))`` (Eq. 1).

    P(j ~> x) is the probability that rank j leads to element x. Each link leads at its ``rank`` to its ``element``
    (below ``count``) with its ``probability``. Links are sorted by rank and element.

    Returns six arrays about the changes of the computed probability: rank, element, probability before, rise,
    probability after, and the complement of the probability after.
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
    """Return the probability of each number of events: the coefficients of ``prod(q + p z)`` (Eq. 7).

    ``q = 1 - p`` is an argument, so that even very small probabilities keep their relative precision.
    """
    n = len(p)
    result = np.zeros(n + 1)
    result[0] = 1.0
    for x in range(n):
        for f in range(x + 1, 0, -1):
            result[f] = q[x] * result[f] + p[x] * result[f - 1]
        result[0] *= q[x]
    return result


def at_least(value: Floats) -> Floats:
    """Replace each entry by the sum from this entry to the end of its row, and return the array."""
    _add_up_from_behind(np.atleast_2d(value))
    return value


@njit(cache=True)
def _add_up_from_behind(rows: Floats) -> None:
    for row in rows:
        total = 0.0
        for r in range(len(row) - 1, -1, -1):
            total += row[r]
            row[r] = total


def below(value: Floats) -> Floats:
    """Return, for each entry of a row, the sum of the entries before it."""
    return np.cumsum(np.insert(value[:, :-1], 0, 0.0, axis=1), axis=1)


@njit(cache=True)
def _add(into: Floats, at: int, some: Floats, low: int, high: int, factor: float) -> None:
    """Add ``factor`` times ``some[low:high]`` to ``into[at:]``."""
    # `max` tells the compiler that indexes are not negative, so that it can use vector instructions.
    at, low = max(at, 0), max(low, 0)
    for f in range(high - low):
        into[at + f] += factor * some[low + f]


@njit(cache=True)
def _convolve(into: Floats, law: Floats, low: int, high: int, block: Floats, few: int, many: int) -> None:
    """Add to ``into`` the product of the polynomials ``law[low:high]`` and ``block``.

    Only the terms ``few`` to ``many`` of the block are used.
    """
    n = high - low
    padded = np.zeros(n + 6)  # ``law[low:high]``, with three coefficients of 0 on each side
    _add(padded, 3, law, low, high, 1.0)
    degree = few
    # Four terms are added at a time, which reduces memory access. The order of the additions stays the same.
    while degree + 3 <= min(many, low):
        a, b, c, d = block[degree], block[degree + 1], block[degree + 2], block[degree + 3]
        at = max(low - degree - 3, 0)
        for f in range(n + 3):
            here = into[at + f] + a * padded[f] + b * padded[f + 1]
            into[at + f] = here + c * padded[f + 2] + d * padded[f + 3]
        degree += 4
    for rest in range(degree, many + 1):
        _add(into, low - rest, law, low, high, block[rest])


@njit(cache=True)
def _multiply(law: Floats, low: int, high: int, p: float, q: float) -> int:
    """Multiply the polynomial ``law[low:high]`` by q + p z in place, and return the new start of its coefficients."""
    if p == 0.0 and q == 1.0:
        return low
    at = max(low - 1, 0)
    law[at], law[high] = 0.0, 0.0
    for f in range(high - at):
        law[at + f] = q * law[at + f] + p * law[at + f + 1]
    return at


@njit(cache=True)
def _trim(law: Floats, low: int, high: int) -> tuple[int, int]:
    """Narrow the range from ``low`` to ``high`` so that it neither starts nor ends with negligible coefficients."""
    while low < high and law[low] < NEGLIGIBLE:
        low += 1
    while low < high and law[high - 1] < NEGLIGIBLE:
        high -= 1
    return low, high


@njit(cache=True)
def mix(sizes: Ints, element: Ints, time: Ints, p: Floats, q: Floats, weights: Floats) -> Floats:
    """Return weighted sums, over times, of the distribution of the number of events in each of several nested sets.

    The axes of the result are sum, set of elements, and number of events. At each time, the distribution of a set is
    the product of the factors of its elements. Changes are sorted by time: from ``time[s]`` on, the factor of
    ``element[s]`` is ``q[s] + p[s] z``. p and q are in [0, 1], and p + q <= 1. Before the first change of an element,
    its factor is 1.

    ``weights`` has a row for each sum and a column for each time. ``sizes`` increases: set i contains the elements
    below ``sizes[i]``. Negligible coefficients are dropped. For 2,000 elements, they are below 1e-16 of the sum of
    absolute weights.
    """
    wanted = np.flatnonzero(np.abs(weights).sum(axis=0))  # the times whose weight is not 0
    time, weights = np.searchsorted(wanted, time), weights[:, wanted]
    count, times, level = sizes[-1], len(wanted), 0
    result = np.zeros((len(weights), len(sizes), count + 1))
    # For each time, the product of the factors of all elements before the block.
    laws = np.empty((times, count + 1))
    laws[:, count] = 1.0
    # The range of the product's coefficients that are not negligible.
    low, high = np.full(times, count), np.full(times, count + 1)
    differs = np.arange(times) == 0  # marks times whose product differs from that of the previous time
    total = np.empty(count + 2)
    # As long as the factors of a block stay the same, the products before the block are summed over times, and the sum
    # is multiplied by these factors once. Polynomials begin with the highest degree.
    for begin in range(0, count, BLOCK):
        end = min(begin + BLOCK, count)
        changes = np.flatnonzero((element >= begin) & (element < end))
        now_p, now_q = np.zeros(end - begin), np.ones(end - begin)
        differs[time[changes][time[changes] < times]] = True
        next_level = np.searchsorted(sizes, end, side="right")
        since, done = 0, 0
        while since < times:
            while done < len(changes) and time[changes[done]] <= since:
                change = changes[done]
                now_p[element[change] - begin], now_q[element[change] - begin] = p[change], q[change]
                done += 1
            until = min(time[changes[done]], times) if done < len(changes) else times
            for w in range(len(weights) if level < next_level else 0):
                first, last = low[since:until].min(), high[since:until].max()
                total[first:last] = 0.0
                for t in range(since, until):
                    _add(total, low[t], laws[t], low[t], high[t], weights[w, t])
                x = 0
                for i in range(level, next_level):
                    while begin + x < sizes[i]:
                        first = _multiply(total, first, last, now_p[x], now_q[x])
                        x += 1
                    _add(result[w, i], first, total, first, last, 1.0)
            discovered = (now_p > 0.0) | (now_q < 1.0)  # mask of the block's elements whose factor is not 1
            block = pmf(now_p[discovered], now_q[discovered])
            degrees = np.flatnonzero(block)
            few, many = (degrees[0], degrees[-1]) if len(degrees) else (0, 0)
            for t in range(since, until):
                if differs[t]:
                    total[low[t] - many : high[t] - few] = 0.0
                    _convolve(total, laws[t], low[t], high[t], block, few, many)
                    low[t], high[t] = _trim(total, low[t] - many, high[t] - few)
                else:
                    low[t], high[t] = low[t - 1], high[t - 1]
                laws[t, low[t] : high[t]] = total[low[t] : high[t]]
            since = until
        level = next_level
    return result[:, :, ::-1]


@njit(cache=True)
def _normal(law: Floats, mean: float, variance: float) -> None:
    """Fill ``law`` with a discretised normal distribution, beginning with the largest number of events.

    The continuity correction is 1/2.
    """
    n, above = len(law) - 1, 0.0
    for f in range(n, -1, -1):
        upper = 0.5 * math.erfc((f - 0.5 - mean) / math.sqrt(2.0 * variance)) if f else 1.0
        law[n - f], above = upper - above, upper


@njit(cache=True)
def mix_normal(sizes: Ints, element: Ints, time: Ints, p: Floats, q: Floats, weights: Floats) -> Floats:
    """Return the sums of `mix`, approximated for sets of `NORMAL_FROM` or more uncertain elements (p, q > 0).

    For such a set, the number of events is the number of certain events plus a normal variable. The variable has the
    mean and the variance of the number of uncertain events.
    """
    count = sizes[-1]
    result = np.zeros((len(weights), len(sizes), count + 1))
    now_p, now_q = np.zeros(count), np.ones(count)
    law = np.zeros(count + 2)  # coefficients from degree ``count`` down to degree 0, and a final 0
    done = 0
    for t in range(weights.shape[1]):
        while done < len(time) and time[done] <= t:
            now_p[element[done]], now_q[element[done]] = p[done], q[done]
            done += 1
        low, high = count, count + 1  # the range of the coefficients that are not negligible
        law[count] = 1.0
        certain, uncertain, mean, variance = 0, 0, 0.0, 0.0
        for i in range(len(sizes)):
            for x in range(sizes[i - 1] if i else 0, sizes[i]):
                certain += now_q[x] == 0.0
                if now_p[x] > 0.0 and now_q[x] > 0.0:
                    uncertain += 1
                    mean, variance = mean + now_p[x], variance + now_p[x] * now_q[x]
                if uncertain < NORMAL_FROM:
                    low, high = _trim(law, _multiply(law, low, high, now_p[x], now_q[x]), high)
            if uncertain >= NORMAL_FROM:
                low, high = count - certain - uncertain, count - certain + 1
                _normal(law[low:high], mean, variance)
            for w in range(len(weights)):
                _add(result[w, i], low, law, low, high, weights[w, t])
    return result[:, :, ::-1]


@njit(cache=True)
def triangular_gain(
    levels: int, first_level: Ints, element: Ints, before: Floats, rise: Floats, weight: Floats
) -> Floats:
    """Return, for each of ``levels`` sets, the sum of ``weight`` times the rise of E[F (F + 1) / 2] over all changes.

    F is the number of events among the elements of a set. A change raises the probability of an element. Element x
    is in the sets from ``first_level[x]`` on.
    """
    total, mean = np.zeros(levels), np.zeros(levels)
    for e in range(len(element)):
        d, scaled, old = rise[e], rise[e] * weight[e], before[e]
        for i in range(first_level[element[e]], levels):
            # E[F (F + 1) / 2] is the sum of all probabilities and of the products of all pairs of probabilities.
            total[i] += scaled * (1.0 + (mean[i] - old))
            mean[i] += d
    return total
