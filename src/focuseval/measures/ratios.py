"""Ratios of counts, such as precision, recall and F1, for one topic or for sums over topics.

The last axis has `focuseval.measures.declaration.COUNTS`: right, returned, found, relevant. 0 / 0 is 0. Shapes: counts
(…, 4), result (…), from 0, at most 1 if no text is counted repeatedly.
"""

from focuseval.measures.declaration import COUNTED, LEFT_OUT, PERFECT, Parameter
from focuseval.model.arrays import Floats, divided

#: the parameter for topics without gold
WITHOUT_GOLD = Parameter(
    "without_gold",
    COUNTED,
    "how topics without gold are scored. counted: 0; perfect: 1 if nothing is returned, else 0; left-out: not at all. "
    "With average=micro, counted and perfect both count their results",
    (COUNTED, PERFECT, LEFT_OUT),
)

#: the parameter for measures where lower is better, because a topic without gold would have the best value, 0
OUT_OF_MEANS = Parameter(
    "without_gold",
    COUNTED,
    "whether average=micro counts the results of topics without gold. counted: yes; left-out: no",
    (COUNTED, LEFT_OUT),
    hint="1 for returning nothing would be a penalty, because lower is better",
)


def precision(counts: Floats) -> Floats:
    """Return ``right / returned``. Higher is better."""
    return divided(counts[..., 0], counts[..., 1])


def recall(counts: Floats) -> Floats:
    """Return ``found / relevant``. Higher is better."""
    return divided(counts[..., 2], counts[..., 3])


def f1(counts: Floats) -> Floats:
    """Return ``2 P R / (P + R)``, the harmonic mean of `precision` and `recall`. Higher is better."""
    p, r = precision(counts), recall(counts)
    return divided(2 * p * r, p + r)


def intersection_over_union(counts: Floats) -> Floats:
    """Return ``found / (returned + relevant - found)``. Higher is better."""
    return divided(counts[..., 2], counts[..., 1] + counts[..., 3] - counts[..., 2])


def returned_per_relevant(counts: Floats) -> Floats:
    """Return ``returned / relevant``, from 0; 1 if the two amounts are equal."""
    return divided(counts[..., 1], counts[..., 3])
