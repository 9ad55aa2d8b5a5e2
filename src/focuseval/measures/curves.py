"""Curves along a list or over recall: the points they are read at, and how.

Levels of recall are exact hundredths, and a recall (or gain-recall) next below a level has reached it.
"""

import numpy as np

from focuseval.model.arrays import Floats, Ints

#: levels of recall above 0: 0.01, 0.02 … 1.00
RECALL_LEVELS = np.arange(1, 101) / 100

#: the same with 0 among them: 0.00, 0.01 … 1.00
RECALL_LEVELS_FROM_0 = np.arange(101) / 100

#: a value this close below a level has reached it
TOLERANCE = 1e-9


def at_ranks(curve: Floats | Ints, ranks: Ints) -> Floats:
    """(P,) a curve (K,) at ranks from 1; beyond its end it stays as it is. A curve of no rank is 0."""
    if len(curve) == 0:
        return np.zeros(len(ranks))
    return curve[np.minimum(ranks, len(curve)) - 1]


def at_end(curve: Floats | Ints) -> float:
    """The value of a curve (K,) at its end. A curve of no rank is 0."""
    return float(curve[-1]) if len(curve) else 0.0


def means_up_to(curve: Floats, ranks: Ints) -> Floats:
    """(P,) the mean of a curve over the ranks 1 … k, for each k of ``ranks``, up to the curve's length."""
    return np.array([curve[:rank].mean() for rank in ranks])


def interpolated(precision: Floats, recall: Floats, levels: Floats) -> Floats:
    """(…, P) the highest precision at a recall of at least each level, 0 where no recall is; of each of … curves.

    Shapes: precision and recall (…, K), recall non-decreasing; levels (P,), in [0, 1].
    """
    best = np.maximum.accumulate(precision[..., ::-1], axis=-1)[..., ::-1]
    best_from = np.concatenate([best, np.zeros((*best.shape[:-1], 1))], axis=-1)
    place = [curve.searchsorted(levels - TOLERANCE) for curve in np.atleast_2d(recall)]
    return np.take_along_axis(best_from, np.reshape(place, (*best.shape[:-1], len(levels))), axis=-1)
