"""Recall-bases: the relevant elements of a topic, and the ideal answers among them.

The full recall-base of a topic contains every element with a positive quantised score. Its elements can nest: if a
paragraph is relevant, its section and its article usually are, too. The ideal recall-base contains the elements that an
ideal system would return, which do not overlap. To add a method that chooses them, enter it in `IDEAL_METHODS`.
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

#: maps a collection, the sorted rows of relevant elements and their scores to a mask of the ideal elements
IdealMethod = Callable[[Collection, Ints, Floats], Bools]


def nearest(parent: Ints, rows: Ints) -> Ints:
    """Return the nearest proper ancestor of each element in ``rows``, as an index into ``rows``, or -1.

    ``parent`` lists the row of each element's parent, or -1 for a root. ``rows`` are sorted and distinct.
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
    """Return the elements of a forest by depth: first the roots, then their children, and so on.

    ``up`` lists the parent of each element, or -1 for a root.
    """
    depth = depths(up)
    order = np.argsort(depth, kind="stable")
    return np.split(order, np.cumsum(np.bincount(depth))[:-1])


def outermost(chosen: Bools, up: Ints) -> Ints:
    """Return, for each element of a forest, the outermost chosen element that equals or contains it, or -1.

    ``chosen`` is a mask of elements. ``up`` lists the nearest ancestor of each element in the forest, or -1.
    """
    holder = np.full(len(up), -1, dtype=np.int64)
    for level in levels(up):
        above = np.where(up[level] >= 0, holder[up[level]], -1)
        holder[level] = np.where(above >= 0, above, np.where(chosen[level], level, -1))
    return holder


def without_overlap(up: Ints, preference: Floats | Ints) -> Bools:
    """Return a mask of the most preferred element on each relevant path, without overlap.

    A relevant path leads from the root to a relevant element without relevant descendants. If several elements on a
    path are equally preferred, the highest in the tree is chosen. If two chosen elements overlap, the outer one is
    kept. ``up`` lists the nearest relevant ancestor of each relevant element, or -1.
    """
    best = np.arange(len(up))
    for level in levels(up)[1:]:
        above = best[up[level]]
        # Without the tolerance, equal scores such as 2 * 9/10 and 3 * 9/15 would differ in their last binary digit.
        best[level] = np.where(preference[level] > preference[above] * (1 + TOLERANCE), level, above)
    ends_path = np.ones(len(up), dtype=bool)
    ends_path[up[up >= 0]] = False
    chosen = np.zeros(len(up), dtype=bool)
    chosen[best[ends_path]] = True
    return outermost(chosen, up) == np.arange(len(up))


def _preferring(preferred: Callable[[Collection, Ints, Floats], Floats | Ints]) -> IdealMethod:
    """Return a method that chooses the elements with the highest preference, without overlap."""

    def choose(collection: Collection, rows: Ints, scores: Floats) -> Bools:
        return without_overlap(nearest(collection.parent, rows), preferred(collection, rows, scores))

    return choose


def _density(collection: Collection, rows: Ints, scores: Floats) -> Floats:
    """Return the score of each element per unit of text, or 0 for an empty element."""
    size = collection.end[rows] - collection.start[rows]
    if (collection.end[rows] < 0).any():
        remedy = Sentence(GIVE_DOCUMENTS, ", or another value of ideal")
        raise InputError.of("ideal=density", "the sizes of elements are unknown", remedy)
    return divided(scores, size)


IDEAL_METHODS: dict[str, IdealMethod] = {
    # On each path, choose the element with the highest score (Kazai & Lalmas 2005, Section 2).
    "paper": _preferring(lambda collection, rows, scores: scores),
    # Choose the relevant elements that have no relevant descendants.
    "deepest": _preferring(lambda collection, rows, scores: collection.depth[rows]),
    # On each path, choose the element with the highest score per unit of text.
    "density": _preferring(_density),
    # Choose the article, or, if it has no score itself (as under strict quantisation), its topmost relevant elements.
    "article": _preferring(lambda collection, rows, scores: -collection.depth[rows]),
}


def ideal(collection: Collection, rows: Ints, scores: Floats, method: str = "paper") -> Bools:
    """Return a mask of the ideal elements among ``rows``. Ideal elements do not overlap.

    ``rows`` are sorted and distinct. Elements with the score 0 are never ideal. Every relevant element equals, contains
    or is inside an ideal element. The method "paper" is from Kazai & Lalmas (2005), Section 2; `IDEAL_METHODS` lists
    all methods. Raises InputError for "density" if sizes are unknown.
    """
    relevant = np.flatnonzero(scores > 0)
    flags = np.zeros(len(rows), dtype=bool)
    if len(relevant):
        flags[relevant] = IDEAL_METHODS[method](collection, rows[relevant], scores[relevant])
    return flags


def full(topic: Topic, quantisation: str) -> tuple[Ints, Floats]:
    """Return the full recall-base of a topic: the sorted rows of its relevant elements, and their positive scores."""
    if built := topic.recall_bases.get(quantisation):
        return built.element, built.score
    scores = quantised(topic, quantisation)
    return topic.element[scores > 0], scores[scores > 0]


def ideal_elements(topic: Topic, quantisation: str, method: str = "paper") -> Bools:
    """Return a mask of the ideal elements in a topic's full recall-base.

    The elements are in the order of `full`. If `Topic.recall_bases` contains the recall-base, it is used. Raises
    InputError for the method "density" if sizes are unknown.
    """
    built = topic.recall_bases.get(quantisation)
    if built and method in built.ideal:
        return built.ideal[method]
    return ideal(topic.collection, *full(topic, quantisation), method)


def build(topic: Topic, quantisation: str) -> RecallBase:
    """Build the recall-base of a topic, with the ideal elements of every method ("density" only if sizes are known)."""
    rows, scores = full(topic, quantisation)
    sized = not (topic.collection.end[rows] < 0).any()
    methods = (method for method in IDEAL_METHODS if sized or method != "density")
    return RecallBase(rows, scores, {name: ideal(topic.collection, rows, scores, name) for name in methods})


def recall_bases(
    topics: Iterable[Topic], quantisations: Iterable[str], methods: Iterable[str]
) -> pd.DataFrame:
    """Return a table of recall-bases with a row for each relevant element, quantisation and method.

    The columns are quantisation, method, topic, document (name), node (preorder number in the document, 0 for the
    root), score and ideal.
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
    """Return the roots of the documents with relevant content, and their scores.

    A root that has no score of its own gets the highest score inside it.
    """
    document, begin = np.unique(collection.document_of(element), return_index=True)
    root = collection.root(document)
    own = element[begin] == root
    return root, np.where(own, score[begin], np.maximum.reduceat(score, begin))
