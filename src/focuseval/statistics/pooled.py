"""Numbers of counts that are added up over topics: intervals, and whether two systems differ.

Such a number (``average=micro``) has no value for a topic, so topics are drawn, or change sides, with their counts;
the number is computed of the sums. Drawing rows, spans or words would take those of one topic for independent.
"""

from collections.abc import Callable

import numpy as np

from focuseval.model.arrays import Floats
from focuseval.statistics.significance import BLOCK, TOLERANCE, times_drawn

#: (…) numbers of (…, C) counts
Number = Callable[[Floats], Floats]


def pooled_resamples(counts: Floats, number: Number, resamples: int = 1000, seed: int = 0) -> Floats:
    """The numbers (B, P) of B bootstrap resamples of the topics.

    Shapes: counts (n topics, P systems, C). Equal seeds and numbers of topics draw the same topics, so that numbers of
    several systems, and of several measures, may be subtracted.
    """
    topics, systems, kinds = counts.shape
    sums = times_drawn(topics, resamples, seed) @ counts.reshape(topics, -1)
    return number(sums.reshape(resamples, systems, kinds))


def limits(values: Floats, level: float = 0.95) -> tuple[Floats, Floats]:
    """The percentile interval (P,), (P,) of resampled values (B, P)."""
    tail = (1 - level) / 2
    low, high = np.quantile(values, [tail, 1 - tail], axis=0)
    return low, high


def pooled_randomisation(
    first: Floats, second: Floats, number: Number, resamples: int = 1000, seed: int = 0
) -> float:
    """The two-tailed p-value of two systems having the same number, by the paired randomisation test.

    Under the null hypothesis either system may have had either counts on each topic: they change sides at random, B
    times, and ``p = (1 + #{|difference| >= |observed|}) / (1 + B)``.

    Shapes: first and second (n topics, C). After Smucker, Allan & Carterette (CIKM 2007), with pooled counts in the
    place of means.
    """
    topics = len(first)
    both = first.sum(axis=0) + second.sum(axis=0)
    observed = abs(float(number(first.sum(axis=0)) - number(second.sum(axis=0)))) - TOLERANCE
    rng = np.random.default_rng(seed)
    reached = 0
    for begin in range(0, resamples, max(1, BLOCK // topics)):
        draws = min(resamples - begin, max(1, BLOCK // topics))
        sides = rng.integers(0, 2, size=(draws, topics)).astype(float)
        one = sides @ first + (1 - sides) @ second
        reached += int(np.count_nonzero(np.abs(number(one) - number(both - one)) >= observed))
    return (1 + reached) / (1 + resamples)
