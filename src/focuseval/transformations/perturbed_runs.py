"""Perturbed runs: the ideal run, with each element moved at random up or down its document's tree, in many draws.

Piwowarski & Dupret (2006), Section 7. A direction, up or down, is drawn for each element of the ideal
list; then, as long as a draw of probability m says "move", the element is replaced by its parent, or by
one of its children.
"""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from focuseval.measures.declaration import Parameter
from focuseval.measures.quantisation import QUANTISATIONS
from focuseval.measures.recall_base import full, ideal
from focuseval.model.arrays import Ints, ranges
from focuseval.model.elements import Collection
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.transformations.declaration import FALLS, JUDGEMENTS, MEANS, declared

#: moving probabilities of Figure 4, with the ideal run itself
MOVING = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)

#: the ideal run, of which there is one draw
IDEAL = "ideal"


def name_of(probability: float, draw: int, stem: str = "moved") -> str:
    """The name of a run by its moving probability and its draw (from 1), such as ``moved-0.3.1``."""
    return f"{stem}-{probability:g}.{draw}" if probability else IDEAL


@dataclass(frozen=True, eq=False)
class Tree:
    """A collection with the children of its elements.

    Those of row r are ``child[begin[r] : begin[r + 1]]``; row r itself stands at ``place[r]`` there.
    """

    collection: Collection
    child: Ints
    begin: Ints
    place: Ints  #: -1 for roots

    @classmethod
    def of(cls, collection: Collection) -> "Tree":
        """The tree of a collection."""
        child = np.flatnonzero(collection.parent >= 0)
        child = child[np.argsort(collection.parent[child], kind="stable")]
        begin = np.searchsorted(collection.parent[child], np.arange(len(collection) + 1))
        place = np.full(len(collection), -1)
        place[child] = np.arange(len(child))
        return cls(collection, child, begin, place)


#: rows after a perturbation of the given rows, with a probability
Perturb = Callable[[Tree, Ints, float, np.random.Generator], Ints]


def ideal_run(topic: Topic, quantisation: str = "gen", method: str = "paper") -> Ints:
    """Rows of a topic's ideal elements by decreasing score, equal scores in document order."""
    rows, score = full(topic, quantisation)
    chosen = ideal(topic.collection, rows, score, method)
    rows, score = rows[chosen], score[chosen]
    return rows[np.argsort(-score, kind="stable")]


def moved(tree: Tree, rows: Ints, probability: float, rng: np.random.Generator) -> Ints:
    """(n,) rows after a random walk from each of the given rows.

    Each walk goes up or down, with equal chances, and moves on with ``probability`` (below 1) before
    each step; the children of an element are equally likely. At a root or a leaf it ends.
    """
    rows, parent = np.array(rows, dtype=np.int64), tree.collection.parent
    up = rng.random(len(rows)) < 0.5
    walking = np.arange(len(rows))
    while len(walking):
        walking = walking[rng.random(len(walking)) < probability]
        at = rows[walking]
        low, count = tree.begin[at], tree.begin[at + 1] - tree.begin[at]
        down = low + (rng.random(len(walking)) * count).astype(np.int64)
        goes = np.where(up[walking], parent[at] >= 0, count > 0)
        walking, at, down = walking[goes], at[goes], down[goes]
        below = tree.child[np.minimum(down, len(tree.child) - 1)] if len(tree.child) else at
        rows[walking] = np.where(up[walking], parent[at], below)
    return rows


def perturbed_runs(
    topics: Sequence[Topic],
    quantisation: str = "gen",
    method: str = "paper",
    moving: Sequence[float] = MOVING,
    seed: int = 0,
    draws: int = 1,
    perturb: Perturb = moved,
    stem: str = "moved",
) -> Results:
    """The ideal run, for probability 0, and runs for each other moving probability, one for each draw.

    Each list has its own random numbers: those of draw d come from ``seed + d - 1``, the probability and the
    topic's name, so that a list does not depend on which others are made. An element may come up twice in a list.
    """
    tree = Tree.of(topics[0].collection)
    ideals = [ideal_run(topic, quantisation, method) for topic in topics]
    wanted = [(m, draw) for m in moving for draw in range(1, draws + 1 if m else 2)]
    lists = [
        perturb(
            tree,
            rows,
            m,
            np.random.default_rng([seed + draw - 1, round(m * 10**6), zlib.crc32(topic.name.encode())]),
        )
        for m, draw in wanted
        for topic, rows in zip(topics, ideals, strict=True)
    ]
    length = np.array([len(rows) for rows in lists])
    number = np.repeat(np.arange(len(lists)), length)
    element = np.concatenate(lists)
    rank = ranges(length, 1)
    collection = tree.collection
    return Results(
        pd.Index([name_of(m, draw, stem) for m, draw in wanted]),
        pd.Index([topic.name for topic in topics]),
        run=number // len(topics),
        topic=number % len(topics),
        rank=rank,
        document=collection.document_of(element),
        element=element,
        start=collection.start[element],
        end=collection.end[element],
        score=-rank.astype(float),
    )


@declared(
    summary="the ideal run, each element moved at random up or down its document's tree, further at each step",
    expected=FALLS,
    why="the further results are from what was asked for, the less they are worth",
    trait="walk-sensitive",
    source="Piwowarski & Dupret 2006, Section 7, Figure 4",
    parameters=(
        Parameter("moving", 0.3, "probability to move on before each move", low=0, high=0.99),
        Parameter("quantisation", "gen", "from (e, s) to a score", choices=tuple(QUANTISATIONS)),
        Parameter(
            "method",
            "paper",
            "how ideal elements are chosen",
            choices=("paper", "deepest", "density", "article"),
        ),
        Parameter("seed", 2006.0, "of what is drawn"),
    ),
    over=MEANS,
    of=JUDGEMENTS,
    steps=tuple({"moving": moving} for moving in MOVING[::3]),
)
def walks(
    results: Results, topics: Sequence[Topic], *, moving: float, quantisation: str, method: str, seed: float
) -> Results:
    """The ideal run, each element moved at random up or down its tree (`focuseval.transformations.perturbed_runs`)."""
    made = perturbed_runs(topics, quantisation, method, (moving,), int(seed))
    return replace(made, runs=pd.Index(["walks"], dtype=object))
