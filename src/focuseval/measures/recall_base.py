"""Recall-bases: the relevant elements of a topic, and the ideal answers among them.

The full recall-base of a topic under a quantisation has every element with a positive score. Elements of a full
recall-base nest: if a paragraph is relevant, so are its section and its article. The ideal recall-base has elements
that do not overlap. A new method of choice is an entry in `IDEAL_METHODS`.
"""

from collections.abc import Callable, Iterable

import numpy as np
import pandas as pd

from focuseval.errors import GIVE_DOCUMENTS, InputError, Sentence
from focuseval.measures.quantisation import quantised
from focuseval.model.arrays import Bools, Floats, Ints, divided, is_among
from focuseval.model.elements import Collection, depths
from focuseval.model.judgements import RecallBase, Topic

#: two scores count as equal if their relative difference is at most this number
TOLERANCE = 1e-9

#: a function from a collection, the sorted rows of relevant elements and their scores to the mask of ideal elements
IdealMethod = Callable[[Collection, Ints, Floats], Bools]


def nearest(parent: Ints, rows: Ints) -> Ints:
    """Return, for each of the ``rows``, the index into ``rows`` of its nearest proper ancestor, or -1.

    Shapes: parent (N,), -1 for roots; rows (n,), sorted and distinct; result (n,).
    """
    nearest_rows = np.full(len(rows), -1, dtype=np.int64)
    at = parent[rows].astype(np.int64)
    climbing = np.flatnonzero(at >= 0)
    while len(climbing):
        met, place = is_among(at[climbing], rows)
        nearest_rows[climbing[met]] = place[met]
        climbing = climbing[~met]
        at[climbing] = parent[at[climbing]]
        climbing = climbing[at[climbing] >= 0]
    return nearest_rows


def levels(up: Ints) -> list[Ints]:
    """Return the elements of a forest by depth: first the roots (``up`` is -1), then their children, and so on."""
    depth = depths(up)
    order = np.argsort(depth, kind="stable")
    return np.split(order, np.cumsum(np.bincount(depth))[:-1])


def outermost(chosen: Bools, up: Ints) -> Ints:
    """Return, for each element of a forest, the outermost chosen element that equals or contains it, or -1.

    Shapes: chosen (n,) mask, up (n,) index of the nearest ancestor or -1; result (n,).
    """
    holder = np.full(len(up), -1, dtype=np.int64)
    for level in levels(up):
        above = np.where(up[level] >= 0, holder[up[level]], -1)
        holder[level] = np.where(above >= 0, above, np.where(chosen[level], level, -1))
    return holder


def without_overlap(up: Ints, preference: Floats | Ints) -> Bools:
    """Keep the most preferred element of every relevant path, then remove overlap.

    A relevant path leads from the root to a relevant element without relevant descendants. Of equally preferred
    elements on a path, the highest is kept. Of two kept elements that overlap, the outer is kept. ``up`` (n,) is the
    nearest relevant ancestor of each relevant element, -1 for none. ``preference`` and the result have the shape (n,).
    """
    best = np.arange(len(up))
    for level in levels(up)[1:]:
        above = best[up[level]]
        # Scores such as 2 * 9/10 and 3 * 9/15 are equal, but differ in their last binary digit.
        best[level] = np.where(preference[level] > preference[above] * (1 + TOLERANCE), level, above)
    ends_path = np.ones(len(up), dtype=bool)
    ends_path[up[up >= 0]] = False
    chosen = np.zeros(len(up), dtype=bool)
    chosen[best[ends_path]] = True
    return outermost(chosen, up) == np.arange(len(up))


def _preferring(preferred: Callable[[Collection, Ints, Floats], Floats | Ints]) -> IdealMethod:
    """Return the ideal method that keeps the elements with the highest preference."""

    def choose(collection: Collection, rows: Ints, scores: Floats) -> Bools:
        return without_overlap(nearest(collection.parent, rows), preferred(collection, rows, scores))

    return choose


def _density(collection: Collection, rows: Ints, scores: Floats) -> Floats:
    """Return the score per unit of text; 0 for an empty element, which is never preferred to an element with text."""
    size = collection.end[rows] - collection.start[rows]
    if (collection.end[rows] < 0).any():
        remedy = Sentence(GIVE_DOCUMENTS, ", or use another method")
        raise InputError.of("ideal=density", "the sizes of elements are unknown", remedy)
    return divided(scores, size)


IDEAL_METHODS: dict[str, IdealMethod] = {
    # prefers the highest score on each path (Kazai & Lalmas 2005, Section 2)
    "paper": _preferring(lambda collection, rows, scores: scores),
    # prefers relevant elements without relevant descendants
    "deepest": _preferring(lambda collection, rows, scores: collection.depth[rows]),
    # prefers the highest score per unit of text on each path
    "density": _preferring(_density),
    # prefers the article, or the topmost relevant elements if the article itself has no score (strict)
    "article": _preferring(lambda collection, rows, scores: -collection.depth[rows]),
}


def ideal(collection: Collection, rows: Ints, scores: Floats, method: str = "paper") -> Bools:
    """Return the mask of ideal answers in a recall-base. Ideal answers do not overlap.

    Shapes: rows (n,), sorted and distinct; scores (n,), above 0 for relevant elements; result (n,), False where the
    score is 0. Every relevant element equals, is inside or contains an ideal element. Kazai & Lalmas 2005, Section 2
    (``method="paper"``). `IDEAL_METHODS` lists other methods. Raises InputError for ``density`` if sizes are unknown.
    """
    relevant = np.flatnonzero(scores > 0)
    flags = np.zeros(len(rows), dtype=bool)
    if len(relevant):
        flags[relevant] = IDEAL_METHODS[method](collection, rows[relevant], scores[relevant])
    return flags


def full(topic: Topic, quantisation: str) -> tuple[Ints, Floats]:
    """Return the full recall-base of a topic: sorted rows of its relevant elements, and their scores (> 0)."""
    if built := topic.recall_bases.get(quantisation):
        return built.element, built.score
    scores = quantised(topic, quantisation)
    return topic.element[scores > 0], scores[scores > 0]


def ideal_elements(topic: Topic, quantisation: str, method: str = "paper") -> Bools:
    """Return the mask (n,) of the ideal elements in a topic's full recall-base, in the order of `full`.

    A recall-base in `Topic.recall_bases` is used if available. Raises InputError like `ideal`.
    """
    built = topic.recall_bases.get(quantisation)
    if built and method in built.ideal:
        return built.ideal[method]
    return ideal(topic.collection, *full(topic, quantisation), method)


def build(topic: Topic, quantisation: str) -> RecallBase:
    """Build the recall-base of a topic with the ideal elements of every method that the collection allows."""
    rows, scores = full(topic, quantisation)
    sized = not (topic.collection.end[rows] < 0).any()
    methods = (method for method in IDEAL_METHODS if sized or method != "density")
    return RecallBase(rows, scores, {name: ideal(topic.collection, rows, scores, name) for name in methods})


def recall_bases(
    topics: Iterable[Topic], quantisations: Iterable[str], methods: Iterable[str]
) -> pd.DataFrame:
    """Return full and ideal recall-bases as one table.

    Columns: quantisation, method, topic, document (name), node (preorder number in its document, 0 for the root),
    score, ideal. There is one row per relevant element, quantisation and method.
    """
    tables = []
    for topic in topics:
        collection = topic.collection
        for quantisation in quantisations:
            rows, scores = full(topic, quantisation)
            document = collection.document_of(rows)
            for method in methods:
                table = {
                    "quantisation": quantisation,
                    "method": method,
                    "topic": topic.name,
                    "document": collection.names[document],
                    "node": rows - collection.first[document],
                    "score": scores,
                    "ideal": ideal(collection, rows, scores, method),
                }
                tables.append(pd.DataFrame(table))
    keys = ["quantisation", "method", "topic", "document", "node"]
    if not tables:
        return pd.DataFrame(columns=[*keys, "score", "ideal"])
    return pd.concat(tables, ignore_index=True).sort_values(keys, kind="stable", ignore_index=True)


def articles(collection: Collection, element: Ints, score: Floats) -> tuple[Ints, Floats]:
    """Return the roots of documents with relevant content, and their scores (the highest inside if a root has 0)."""
    document, begin = np.unique(collection.document_of(element), return_index=True)
    root = collection.root(document)
    own = element[begin] == root
    return root, np.where(own, score[begin], np.maximum.reduceat(score, begin))
