"""Ratios of counts, such as precision, recall and F1, for one topic or for sums over topics.

The last axis of each argument contains the counts right, returned, found and relevant
(`focuseval.measures.declaration.COUNTS`). The result has the other axes. 0 / 0 counts as 0. Ratios are at least 0, and
at most 1 unless repeated text is counted each time.
"""

from focuseval.measures.declaration import COUNTED, LEFT_OUT, PERFECT, Parameter
from focuseval.model.arrays import Floats, divided

#: the parameter that decides how topics without gold are scored
WITHOUT_GOLD = Parameter(
    "without_gold",
    COUNTED,
    "how topics without gold are scored. counted: 0; perfect: 1 if nothing is returned, else 0; left-out: not at all. "
    "With average=micro, counted and perfect both count the results of these topics",
    (COUNTED, PERFECT, LEFT_OUT),
)

#: ``without_gold`` for measures where lower is better: topics without gold must not have the best value, 0
OUT_OF_MEANS = Parameter(
    "without_gold",
    COUNTED,
    "whether average=micro counts the results of topics without gold. counted: yes; left-out: no",
    (COUNTED, LEFT_OUT),
    hint="perfect would be the worst value, 1, because lower values are better",
)


def precision(counts: Floats) -> Floats:
    """Return ``right / returned``, the share of the returned items that are right. Higher is better."""
    return divided(counts[..., 0], counts[..., 1])


def recall(counts: Floats) -> Floats:
    """Return ``found / relevant``, the share of the gold that was found. Higher is better."""
    return divided(counts[..., 2], counts[..., 3])


def f1(counts: Floats) -> Floats:
    """Return ``2 P R / (P + R)``, the harmonic mean of `precision` P and `recall` R. Higher is better."""
    p, r = precision(counts), recall(counts)
    return divided(2 * p * r, p + r)


def intersection_over_union(counts: Floats) -> Floats:
    """Return ``found / (returned + relevant - found)``. Higher is better."""
    return divided(counts[..., 2], counts[..., 1] + counts[..., 3] - counts[..., 2])


def returned_per_relevant(counts: Floats) -> Floats:
    """Return ``returned / relevant``, which is above 1 if too much was returned."""
    return divided(counts[..., 1], counts[..., 3])
