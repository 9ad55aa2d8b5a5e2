"""Numbers of counts: precision, recall, F1 and the like, of one topic or of several added up.

Counts are `focuseval.measures.declaration.COUNTS` along the last axis: right, returned, found, relevant. A ratio of
nothing to nothing is 0. Shapes: counts (…, 4), result (…): from 0, and up to 1 where no text is counted more than once.
"""

from focuseval.measures.declaration import PERFECT, Parameter
from focuseval.model.arrays import Floats, divided

#: what a topic without gold is worth
WITHOUT_GOLD = Parameter(
    "without_gold",
    "counted",
    "a topic without gold: 0 in the mean and its results in the counts, the same but 1 if nothing was returned, "
    "or out of both",
    ("counted", PERFECT, "left-out"),
)


def precision(counts: Floats) -> Floats:
    """``right / returned``. Higher is better."""
    return divided(counts[..., 0], counts[..., 1])


def recall(counts: Floats) -> Floats:
    """``found / relevant``. Higher is better."""
    return divided(counts[..., 2], counts[..., 3])


def f1(counts: Floats) -> Floats:
    """``2 P R / (P + R)``, the harmonic mean of `precision` and `recall`. Higher is better."""
    p, r = precision(counts), recall(counts)
    return divided(2 * p * r, p + r)


def intersection_over_union(counts: Floats) -> Floats:
    """``found / (returned + relevant - found)``. Higher is better."""
    return divided(counts[..., 2], counts[..., 1] + counts[..., 3] - counts[..., 2])


def returned_per_relevant(counts: Floats) -> Floats:
    """``returned / relevant``, from 0: 1 is as much as there is to find."""
    return divided(counts[..., 1], counts[..., 3])
