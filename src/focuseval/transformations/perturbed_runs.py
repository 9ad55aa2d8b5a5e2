"""Perturbed runs: the ideal run, with each element moved at random up or down its document's tree.

Piwowarski & Dupret (2006), Section 7. A direction, up or down, is drawn for each element of the ideal
list; then, as long as a draw of probability m says "move", the element is replaced by its parent, or by
one of its children.
"""

import zlib
from collections.abc import Sequence

import numpy as np
import pandas as pd

from focuseval.model.arrays import Ints
from focuseval.model.elements import Collection
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.recallbase import full, ideal

#: moving probabilities of Figure 4, with the ideal run itself
MOVING = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


def name_of(probability: float) -> str:
    """The name of the run of a moving probability, such as ``moved-0.3``; the ideal run is ``moved-0.0``."""
    return f"moved-{probability:g}" if probability else "moved-0.0"


def transform(results: Results, topics: Sequence[Topic], *, quantisation: str, seed: int) -> Results:
    """The runs of `perturbed_runs`, from the judgements alone."""
    return perturbed_runs(topics, quantisation, seed=seed)


def ideal_run(topic: Topic, quantisation: str = "gen", method: str = "paper") -> Ints:
    """Rows of a topic's ideal elements by decreasing score, equal scores in document order."""
    rows, score = full(topic, quantisation)
    chosen = ideal(topic.collection, rows, score, method)
    rows, score = rows[chosen], score[chosen]
    return rows[np.argsort(-score, kind="stable")]


def moved(collection: Collection, rows: Ints, probability: float, rng: np.random.Generator) -> Ints:
    """(n,) rows after a random walk from each of the given rows.

    Each walk goes up or down, with equal chances, and moves on with ``probability`` (below 1) before
    each step; the children of an element are equally likely. At a root or a leaf it ends.
    """
    rows = np.array(rows, dtype=np.int64)
    child = np.flatnonzero(collection.parent >= 0)
    child = child[np.argsort(collection.parent[child], kind="stable")]
    parents = collection.parent[child]
    up = rng.random(len(rows)) < 0.5
    walking = np.arange(len(rows))
    while len(walking):
        walking = walking[rng.random(len(walking)) < probability]
        at = rows[walking]
        low = np.searchsorted(parents, at, side="left")
        count = np.searchsorted(parents, at, side="right") - low
        down = low + (rng.random(len(walking)) * count).astype(np.int64)
        goes = np.where(up[walking], collection.parent[at] >= 0, count > 0)
        walking, at, down = walking[goes], at[goes], down[goes]
        below = child[np.minimum(down, len(child) - 1)] if len(child) else at
        rows[walking] = np.where(up[walking], collection.parent[at], below)
    return rows


def perturbed_runs(
    topics: Sequence[Topic],
    quantisation: str = "gen",
    method: str = "paper",
    moving: Sequence[float] = MOVING,
    seed: int = 0,
) -> Results:
    """One run for each moving probability, ``moved-0.0`` (the ideal run) to ``moved-0.9``.

    Each list has its own random numbers, drawn from the seed, the probability and the topic's name, so
    that a list does not depend on which others are made. An element may come up twice in a list.
    """
    names = [name_of(probability) for probability in moving]
    ideals = [ideal_run(topic, quantisation, method) for topic in topics]
    columns = []
    for run, probability in enumerate(moving):
        for number, (topic, rows) in enumerate(zip(topics, ideals, strict=True)):
            rng = np.random.default_rng([seed, round(probability * 10**6), zlib.crc32(topic.name.encode())])
            collection = topic.collection
            walked = moved(collection, rows, probability, rng)
            columns.append(
                pd.DataFrame(
                    {
                        "run": run,
                        "topic": number,
                        "rank": np.arange(1, len(walked) + 1),
                        "document": collection.document_of(walked),
                        "element": walked,
                        "start": collection.start[walked],
                        "end": collection.end[walked],
                        "score": -np.arange(1.0, len(walked) + 1),
                    }
                )
            )
    table = pd.concat(columns, ignore_index=True)
    return Results(
        pd.Index(names),
        pd.Index([t.name for t in topics]),
        *(table[name].to_numpy() for name in table.columns),
    )
