"""How many of many independent events happen, while their probabilities change along a list.

The number of discovered ideal elements is a sum of independent 0/1 variables (Piwowarski & Dupret 2006,
Eq. 6-7): its law is the product of one factor ``q + p z`` per element, a polynomial in z. Sums of such
products over the ranks of a list are needed for many nested sets of elements. `mix` computes them by their values
at roots of unity, where a product takes one multiplication for each factor, and turns them into coefficients at the
end.

Loops are compiled: import this module where they are needed, not at the top, as Numba is slow to load.
"""

import math
from functools import lru_cache
from itertools import count

import numpy as np

from focuseval.errors import extra
from focuseval.model.arrays import Floats, Ints, sums_before

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


def at_least(value: Floats) -> Floats:
    """Of each row m_0, m_1, … the sum m_r + m_(r+1) + … at every r, the last first; rounding below 0 is cut."""
    return np.maximum(np.cumsum(value[:, ::-1], axis=1)[:, ::-1], 0.0)


def below(value: Floats) -> Floats:
    """Of each row m_0, m_1, … the sum m_0 + … + m_(r-1) at every r."""
    return np.cumsum(np.insert(value[:, :-1], 0, 0.0, axis=1), axis=1)


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
                scale = math.sqrt(2.0 * variance)
                for f in range(1, n + 1):
                    out[certain + f] += joined * 0.5 * math.erfc((f - 0.5 - mean) / scale)
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


#: what is below exp(-NEGLIGIBLE) = 1e-18 of the sum of all weights may be left out
NEGLIGIBLE = 41.5

#: of the exponential functions that bound what is negligible; one is near the best for variances of 5 to 500
SLOPES = np.array([0.5, 1.0, 2.0])

#: roots of unity at a time, and times in a tree: its nodes (512 KiB) stay in the processor's cache
POINTS, TIMES = 32, 256

#: negligible times and degrees are determined again after so many elements
STRIDE = 128


def mix(
    sizes: Ints, element: Ints, first: Ints, last: Ints, p: Floats, q: Floats, weights: Floats
) -> tuple[Floats, Ints, Ints]:
    """For nested sets of elements: the sums over times of weights times the product of the set's factors.

    S factors: ``q[s] + p[s] z`` belongs to ``element[s]`` and holds from time ``first[s]`` to before
    ``last[s]``; at other times an element's factor is 1. p and q are in [0, 1], and p + q <= 1. ``weights``
    (W, M) has one entry per sum and time. Set i holds the elements below ``sizes[i]`` (L,), increasing.
    Returns the coefficients (W, R, C) of the sums, each set's row among them (L,), and how many coefficients
    each set has (L,); higher ones are 0. Sets with the same factors share a row. Coefficients, and sums of
    them, are right to 1e-13 of the sum of the weights' magnitudes, for 2,000 elements.

    Some times are added up together: their degrees lie in a window, and a polynomial is known by its values
    at as many roots of unity as the window is wide.
    """
    # counts below each element: searching for thousands of factors would take as long as a transform
    held = np.flatnonzero(element < sizes[-1])
    order = held[np.argsort(element[held] * (weights.shape[1] + 1) + first[held])]
    element, first, last, p, q = element[order], first[order], last[order], p[order], q[order]
    has_factors = np.zeros(sizes[-1], dtype=bool)
    has_factors[element] = True
    below = sums_before(has_factors)  # how many of those there are below each element
    rows, row = np.unique(below[sizes], return_inverse=True)
    set_of = np.searchsorted(rows, below[:-1], side="right")[element]
    stride = max(STRIDE * len(rows) // max(rows[-1], 1), 1)  # in sets
    low, high, decay = _spans(set_of, first, last, p, q, stride, len(rows), weights.shape[1])
    degree = np.minimum(high, rows[-1])
    columns = int(degree.max(initial=0)) + 1
    # one piece of memory, which is not freed and allocated again with every list
    space = np.empty((1 + len(weights), len(rows), _nice(columns) + 2 + 2 * POINTS))
    space[1:] = 0.0
    room = np.empty(2 * TIMES * 4 * POINTS + 8)
    aligned = -room.ctypes.data % 64 // 8  # nodes begin with a line of the cache: no vector lies across two
    state = room[aligned : aligned + 2 * TIMES * 4 * POINTS].reshape(2 * TIMES, 4 * POINTS)
    for result, weight in zip(space[1:], weights, strict=True):
        weighty = np.flatnonzero(weight)
        before = sums_before(weight != 0)  # how many of those there are before each time
        begin, end = before[first], before[last]
        done = 0
        for times in np.array_split(weighty, -(-len(weighty) // TIMES)) if len(weighty) else ():
            now = np.flatnonzero((begin < np.minimum(end, done + len(times))) & (end > done))
            holds = (begin[now] - done).clip(0), (end[now] - done).clip(None, len(times))
            done += len(times)
            factors = set_of[now], element[now], *holds, p[now], q[now]
            least = low[:, times].min(axis=1)
            around = _nice(int((degree[:, times].max(axis=1) - least).max()) + 1)
            cos, sin = _roots(around)
            until = _last_times(decay[:, times], 1 - cos[::POINTS])
            values = space[0].ravel()[: 2 * len(rows) * len(cos)].reshape(len(rows), -1)
            _values(values, state, *factors, weight[times], cos, sin, until, stride)
            values = values.view(np.complex128)[:, : around // 2 + 1]
            for i in range(0, len(rows), stride):
                some = slice(i, i + stride)
                coefficients = np.fft.irfft(values[some], around)
                _unroll(result[some], coefficients, least[i // stride], rows[some] + 1)
    return space[1:, :, :columns], row, np.minimum(rows[row] + 1, columns)


def _spans(
    set_of: Ints, first: Ints, last: Ints, p: Floats, q: Floats, stride: int, sets: int, times: int
) -> tuple[Ints, Ints, Floats]:
    """For the sets of each stride at each time, (G, M): least and highest degree that matter, and decay.

    The decay is the sum of p q up to the stride's first set. By Markov's inequality a product's coefficients
    from degree x on, with a slope s > 0, or up to x, with s < 0, add up to at most exp(-s x) times the product
    of all q + p exp(s). Where p + q < 1, factors of larger sets must not lower that for the smaller ones.
    """
    slopes = np.concatenate([-SLOPES, SLOPES])[:, np.newaxis]
    factor = np.log(np.maximum(q + p * np.exp(slopes), np.exp(slopes.clip(None, 0.0))))
    held = _held(-(-set_of // stride), first, last, np.vstack([factor, p * q]), 1 + -(-sets // stride), times)
    bound = (held[:-1] + NEGLIGIBLE) / slopes[:, np.newaxis]
    high = bound[len(SLOPES) :, 1:].min(axis=0)
    low = bound[: len(SLOPES), :-1].max(axis=0).clip(0.0, high)  # above it if nearly nothing is left
    return np.floor(low).astype(np.int64), np.ceil(high).astype(np.int64), held[-1, :-1]


@njit(cache=True)
def _held(group: Ints, first: Ints, last: Ints, by: Floats, groups: int, times: int) -> Floats:
    """(B, groups, times) sums over the factors of a group and of those before it that hold at a time."""
    result = np.zeros((len(by), groups, times + 1))
    for b in range(len(by)):
        for s in range(len(group)):
            result[b, group[s], first[s]] += by[b, s]
            result[b, group[s], last[s]] -= by[b, s]
        for g in range(groups):
            total = 0.0
            for k in range(times):
                total += result[b, g, k]
                result[b, g, k] = total + result[b, g - 1, k] if g else total
    return result[:, :, :times]


@lru_cache(maxsize=1 << 10)
def _roots(around: int) -> tuple[Floats, Floats]:
    """Real and imaginary parts of the roots of unity in the lower half plane, to a whole number of blocks.

    Not by NumPy, whose cosines have other last digits on other processors.
    """
    points = -(-(around // 2 + 1) // POINTS) * POINTS
    angles = [-2 * math.pi * k / around for k in range(points)]
    return np.array([math.cos(x) for x in angles]), np.array([math.sin(x) for x in angles])


def _nice(number: int) -> int:
    """The least even number not below that is a product of 2s, 3s and at most one 5: quick to transform."""
    return next(n for n in count(number + number % 2, 2) if 2**30 * 3**10 * 5 % n == 0)


def _last_times(decay: Floats, cosine: Floats) -> Ints:
    """(B, G) for each block of points and each stride: the time from which on all is negligible.

    ``|q + p z|^2 = (q + p)^2 - 2 p q (1 - cos) <= exp(-2 p q (1 - cos))``: a product is at most
    exp(-(sum of p q) (1 - cos)), with ``cosine`` (B,) = 1 - cos of the block's first point, and further
    factors make it no larger. ``decay`` (G, M) is the sum of p q up to each stride's first set.
    """
    least = np.minimum.accumulate(decay[:, ::-1], axis=1)[:, ::-1]
    with np.errstate(divide="ignore"):
        enough = NEGLIGIBLE / cosine
    return np.ascontiguousarray(np.array([np.searchsorted(one, enough) for one in least], dtype=np.int64).T)


@njit(cache=True)
def _unroll(result: Floats, part: Floats, low: int, length: Ints) -> None:
    """Add rows of coefficients that are known modulo their number, ``low`` being the least degree."""
    around = part.shape[1]
    turn = low - low % around
    for i in range(len(result)):
        columns = min(length[i], result.shape[1])
        for begin, end, shift in ((low, turn + around, turn), (turn + around, low + around, turn + around)):
            into, some = result[i, begin : min(end, columns)], part[i, begin - shift :]
            for f in range(len(into)):
                into[f] += some[f]


@njit(cache=True)
def _values(  # noqa: C901 (one compiled loop over blocks of points, with the state of a tree)
    values: Floats,
    state: Floats,
    set_of: Ints,
    element: Ints,
    first: Ints,
    last: Ints,
    p: Floats,
    q: Floats,
    weight: Floats,
    cos: Floats,
    sin: Floats,
    until: Ints,
    stride: int,
) -> None:
    """The sums of `mix` at all points, into ``values`` (R, 2 J), real and imaginary parts in turn.

    ``state`` has a row for each node and room for four numbers at each of some points.

    A node of a binary tree of times keeps the product of the factors that hold in all of its times, but
    not in all of its parent's (own), and the sum of its two children's own times sum (sum). A leaf's own
    has its weight, too, and its sum is 1. The factors of the next larger set change few nodes, and only
    the sums of the nodes above them are computed again.
    """
    leaves, depth = 1, 0
    while leaves < len(weight):
        leaves, depth = 2 * leaves, depth + 1
    node, left, right, end = _plan(len(values), set_of, element, first, last, depth, len(weight))
    start = np.zeros(2 * leaves, np.int64)
    for leaf in range(leaves):
        start[leaves + leaf] = leaf
    for inner in range(leaves - 1, 0, -1):
        start[inner] = start[2 * inner]
    root = np.empty(2 * POINTS)
    for block in range(len(cos) // POINTS):
        here = block * POINTS
        for f in range(POINTS):
            root[f], root[POINTS + f] = cos[here + f], sin[here + f]
        for n in range(2 * leaves - 1, 0, -1):
            own = 1.0 if n < leaves else weight[n - leaves] if n < leaves + len(weight) else 0.0
            for f in range(POINTS):
                state[n, f], state[n, POINTS + f] = own, 0.0
                state[n, 2 * POINTS + f], state[n, 3 * POINTS + f] = 1.0, 0.0
            if n < leaves:
                _add_up(state, n)
        done, limit = 0, len(weight)
        for i in range(len(values)):
            if until[block, i // stride] < limit:
                limit = until[block, i // stride]
                _forget(state, leaves + limit)
            for o in range(done, end[i] if limit else done):
                n = abs(node[o])
                if start[n] >= limit:
                    continue
                if left[o] >= 0:
                    _multiply(state, 2 * n, root, p[left[o]], q[left[o]])
                if right[o] >= 0:
                    _multiply(state, 2 * n + 1, root, p[right[o]], q[right[o]])
                if node[o] > 0:
                    _add_up(state, n)
            done = end[i]
            for f in range(POINTS):
                x, y = state[1, f], state[1, POINTS + f]
                u, v = state[1, 2 * POINTS + f], state[1, 3 * POINTS + f]
                values[i, 2 * (here + f)] = x * u - y * v
                values[i, 2 * (here + f) + 1] = x * v + y * u


@njit(cache=True)
def _multiply(state: Floats, n: int, root: Floats, p: float, q: float) -> None:
    """Multiply a node's own with q + p z at all points z."""
    for f in range(POINTS):
        x, y = q + p * root[f], p * root[POINTS + f]
        r, s = state[n, f], state[n, POINTS + f]
        state[n, f] = r * x - s * y
        state[n, POINTS + f] = r * y + s * x


@njit(cache=True)
def _add_up(state: Floats, n: int) -> None:
    """A node's sum from its children."""
    for f in range(POINTS):
        a, b = state[2 * n, f], state[2 * n, POINTS + f]
        c, d = state[2 * n, 2 * POINTS + f], state[2 * n, 3 * POINTS + f]
        r, s = state[2 * n + 1, f], state[2 * n + 1, POINTS + f]
        u, v = state[2 * n + 1, 2 * POINTS + f], state[2 * n + 1, 3 * POINTS + f]
        state[n, 2 * POINTS + f] = a * c - b * d + (r * u - s * v)
        state[n, 3 * POINTS + f] = a * d + b * c + (r * v + s * u)


@njit(cache=True)
def _forget(state: Floats, leaf: int) -> None:
    """Leave out the times of a leaf and of all after it."""
    node = leaf
    for f in range(2 * POINTS):
        state[node, f] = 0.0
    while node > 1:
        if node % 2 == 0:
            for f in range(2 * POINTS):
                state[node + 1, f] = 0.0
        node //= 2
        _add_up(state, node)


@njit(cache=True)
def _plan(  # noqa: C901 (one compiled loop that fills the columns of a plan)
    sets: int, set_of: Ints, element: Ints, first: Ints, last: Ints, depth: int, times: int
) -> tuple[Ints, Ints, Ints, Ints]:
    """What is to be done to the tree: nodes, factors of their left and right children (or -1), each set's end.

    Where an element's factor changes within a node's times, the node is to be added up again, the lowest
    such nodes first; before that, a child in whose times the factor stays the same is multiplied with it.
    Where a set has several new elements, nodes are added up once all children are multiplied (until then
    they stand there with a minus).
    """
    leaves = 1 << depth
    room = 4 * len(first) * (depth + 1)
    changed = np.zeros(leaves, np.bool_)
    node, left, right = np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, np.int64)
    end = np.zeros(sets, np.int64)
    cut, factor = np.zeros(2 * times + 2, np.int64), np.zeros(2 * times + 2, np.int64)
    n, s = 0, 0
    for i in range(sets):
        begin, elements = n, 0
        while s < len(first) and set_of[s] == i:
            elements += 1
            # the factor of the element is factor[k] from cut[k] to before cut[k + 1]
            x, until, m = element[s], 0, 0
            while s < len(first) and element[s] == x:
                if first[s] > until:
                    cut[m], factor[m] = until, -1
                    m += 1
                cut[m], factor[m] = first[s], s
                m += 1
                until = last[s]
                s += 1
            if until < times:
                cut[m], factor[m] = until, -1
                m += 1
            if m == 1:
                node[n], left[n], right[n] = 0, -1, factor[0]  # the root is the right child of none
                n += 1
            size = 2
            while size <= leaves and m > 1:
                k = 1
                while k < m:
                    low = cut[k] & -size
                    final = k
                    if cut[k] > low:
                        while final + 1 < m and cut[final + 1] < low + size:
                            final += 1
                        node[n] = (leaves + low) // size
                        middle = low + size // 2
                        left[n] = factor[k - 1] if cut[k] >= middle else -1
                        right[n] = factor[final] if cut[final] <= middle else -1
                        n += 1
                    k = final + 1
                size *= 2
        if elements > 1:
            for o in range(begin, n):
                changed[node[o]] = True
                node[o] = -node[o]
            for above in range(leaves - 1, 0, -1):
                if changed[above]:
                    node[n], left[n], right[n] = above, -1, -1
                    n += 1
            changed[:] = False
        end[i] = n
    return node, left, right, end
