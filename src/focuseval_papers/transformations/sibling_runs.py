"""Runs of siblings: the ideal run, with each element replaced at random by one of its siblings, in many draws.

Piwowarski & Dupret (2006), Section 7, last paragraph: systems that return a nearby paragraph instead of the ideal one.
"""

from collections.abc import Sequence

import numpy as np

from focuseval.model.arrays import Ints
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.transformations.perturbed_runs import Tree, perturbed_runs


def transform(
    results: Results, topics: Sequence[Topic], *, quantisation: str, seed: int, draws: int
) -> Results:
    """The ideal run and runs such as ``sibling-0.3.1``, from the judgements alone."""
    return perturbed_runs(topics, quantisation, seed=seed, draws=draws, perturb=replaced, stem="sibling")


def replaced(tree: Tree, rows: Ints, probability: float, rng: np.random.Generator) -> Ints:
    """(n,) the rows, each with ``probability`` replaced by one of its siblings, all equally likely.

    Roots have none, and an only child has none either: they stay.
    """
    rows, parent = np.array(rows, dtype=np.int64), tree.collection.parent
    chosen = np.flatnonzero((rng.random(len(rows)) < probability) & (parent[rows] >= 0))
    above = parent[rows[chosen]]
    low, count = tree.begin[above], tree.begin[above + 1] - tree.begin[above]
    # one of the others: the place of the element itself is passed over
    itself = tree.place[rows[chosen]]
    place = low + (rng.random(len(chosen)) * (count - 1)).astype(np.int64)
    rows[chosen] = tree.child[np.where(count > 1, place + (place >= itself), itself)]
    return rows
