"""Runs made only from judgements: ideal runs, and ideal runs with each element moved at random.

Elements are moved as in Piwowarski & Dupret (2006), Section 7. Each element of the ideal list moves with probability m,
either up to its parent or down to one of its children. It moves on in this direction with probability m.
"""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import pandas as pd

from focuseval.errors import InputError
from focuseval.measures import recall_base as recallbase
from focuseval.measures.declaration import Parameter
from focuseval.measures.quantisation import ALL_QUANTISATIONS, QUANTISATIONS, on_four_points, quantised
from focuseval.measures.recall_base import full
from focuseval.model.alternatives import with_one_of_each
from focuseval.model.arrays import Floats, Ints, ranges
from focuseval.model.elements import Collection
from focuseval.model.judgements import Spans, Topic
from focuseval.model.results import Results, as_results, by_score
from focuseval.transformations.declaration import BEST, FALLS, JUDGEMENTS, MEANS, declared
from focuseval.transformations.lists import most_specific, relevant_text

#: the scales on which specificity ranges from 0 to 3
FOUR_POINTS = ("inex2002", "inex2003")

#: rules for choosing one of several alternatives: each rates an alternative's passages, and the highest rating wins
ALTERNATIVES: dict[str, Callable[[Spans], float]] = {
    "shortest": lambda spans: -float((spans.end - spans.start).sum()),
    "longest": lambda spans: float((spans.end - spans.start).sum()),
    "graded": lambda spans: float(len(spans) if spans.grade is None else spans.grade.sum()),
}
#: the kinds of answers that an ideal run may contain
KINDS = ("passages", "spans", "documents", "elements", "all-elements", "perfect", "specific")

_METHOD = Parameter(
    "method", "paper", "how ideal elements are chosen", choices=tuple(recallbase.IDEAL_METHODS)
)


@declared(
    summary="make the best possible run from the judgements",
    expected=BEST,
    why="no run can answer better than the judgements",
    trait="ideal-highest",
    source="Kazai & Lalmas 2005, Section 2; Gövert et al. 2006, Section 4.1",
    parameters=(
        Parameter(
            "kind",
            "elements",
            "passages: relevant text, each character once; spans: gold as marked, with overlap; documents: relevant "
            "documents; elements: the ideal recall-base; all-elements: the full recall-base; perfect: elements of "
            "specificity 3; specific: relevant elements without a relevant descendant",
            choices=KINDS,
        ),
        Parameter(
            "quantisation", "gen", "score of exhaustivity and specificity", choices=tuple(ALL_QUANTISATIONS)
        ),
        _METHOD,
        Parameter(
            "alternative",
            "shortest",
            "the alternative with the least text, the most text, or the highest sum of grades",
            choices=tuple(ALTERNATIVES),
        ),
    ),
    of=JUDGEMENTS,
)
def ideal(
    results: Results,
    topics: Sequence[Topic],
    *,
    kind: str,
    quantisation: str,
    method: str,
    alternative: str,
) -> Results:
    """Make a run named ``ideal`` from the best answers of one ``kind`` (`KINDS`). Topics without any have no list."""
    topics = [with_one_of_each(topic, ALTERNATIVES[alternative]) for topic in topics]
    if kind in ("passages", "spans"):
        return _of_passages(topics, kind)
    ranked = pd.concat([by_score(one, *_best_answers(one, kind, quantisation, method)) for one in topics])
    return as_results(ranked.assign(run="ideal"), topics[0].collection)


def _best_answers(topic: Topic, kind: str, quantisation: str, method: str) -> tuple[Ints, Floats]:
    """Return the elements (rows) that are the best answers of one ``kind``, and the scores by which to rank them."""
    collection = topic.collection
    if kind == "documents":
        if topic.grade is not None:
            assert topic.assessed is not None  # topics with grades also list the assessed documents
            is_relevant = topic.grade > 0
            return collection.root(topic.assessed[is_relevant]), topic.grade[is_relevant].astype(float)
        text = relevant_text(topic)
        document, place = np.unique(text.document, return_inverse=True)
        return collection.root(document), np.bincount(place, text.end - text.start).astype(float)
    if kind == "perfect":
        return perfect_elements(on_four_points(topic))
    if kind == "specific":
        row = most_specific(topic)
        place = np.searchsorted(topic.element, row)
        return row, topic.exhaustivity[place] * topic.specificity[place]
    score = quantised(topic, quantisation, ALL_QUANTISATIONS)
    row, score = topic.element[score > 0], score[score > 0]
    if kind == "elements":
        is_ideal = recallbase.ideal(collection, row, score, method)
        row, score = row[is_ideal], score[is_ideal]
    return row, score


def perfect_elements(topic: Topic) -> tuple[Ints, Floats]:
    """Return the rows of relevant elements whose specificity is 3, and their exhaustivity.

    These are the perfect elements of Gövert et al. (2006), Section 4.1. Raises InputError for scales on which
    specificity does not range from 0 to 3.
    """
    if topic.scale not in FOUR_POINTS:
        found = f"the assessments are on the scale {topic.scale}"
        expected = (
            f"expected one of {', '.join(FOUR_POINTS)}, because simulated runs need specificity from 0 to 3"
        )
        raise InputError.of(f"topic {topic.name}", found, expected)
    best = (topic.specificity == 3) & (topic.exhaustivity > 0)
    return topic.element[best], topic.exhaustivity[best]


def _of_passages(topics: Sequence[Topic], kind: str) -> Results:
    """Make a run named ``ideal`` from the relevant passages of topics.

    For the kind ``spans``, a topic's spans are returned in file order. For topics without spans and for other kinds,
    relevant text is returned as disjoint passages in document order.
    """
    parts = []
    for number, topic in enumerate(topics):
        marked = topic.spans if kind == "spans" and topic.spans is not None else relevant_text(topic)
        document, start, end = marked.document, marked.start, marked.end
        parts.append(np.array([np.full(len(document), number), document, start, end]))
    topic_of, document, start, end = np.concatenate(parts, axis=1)
    return Results(
        runs=pd.Index(["ideal"], dtype=object),
        topics=pd.Index([topic.name for topic in topics], dtype=object),
        run=np.zeros(len(topic_of), dtype=np.int64),
        topic=topic_of,
        rank=ranges(np.bincount(topic_of, minlength=len(topics)), 1),
        document=document,
        element=np.full(len(topic_of), -1),
        start=start,
        end=end,
        score=np.full(len(topic_of), np.nan),
    )


#: the default probabilities of moving an element: 0, which gives the ideal run, and the values of the paper's Figure 4
MOVING = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)

#: the name of the ideal run, in which no element is moved
IDEAL = "ideal"


def name_of(probability: float, draw: int, stem: str = "moved") -> str:
    """Return the name of a run, such as ``moved-0.3.1`` (probability 0.3, draw 1), or `IDEAL` for the probability 0."""
    return f"{stem}-{probability:g}.{draw}" if probability else IDEAL


@dataclass(frozen=True, eq=False)
class ElementTree:
    """A collection with an index of the children of its elements.

    The children of the element in row r are ``child[begin[r] : begin[r + 1]]``.
    """

    collection: Collection
    child: Ints
    begin: Ints
    place: Ints  #: the index of each row in ``child``, or -1 for roots

    @classmethod
    def of(cls, collection: Collection) -> "ElementTree":
        """Build the index for a collection."""
        child = np.flatnonzero(collection.parent >= 0)
        child = child[np.argsort(collection.parent[child], kind="stable")]
        begin = np.searchsorted(collection.parent[child], np.arange(len(collection) + 1))
        place = np.full(len(collection), -1)
        place[child] = np.arange(len(child))
        return cls(collection, child, begin, place)


#: takes a tree, rows of elements, a probability and a random generator; returns the rows of the elements after moving
Perturb = Callable[[ElementTree, Ints, float, np.random.Generator], Ints]


def ideal_run(topic: Topic, quantisation: str = "gen", method: str = "paper") -> Ints:
    """Return the rows of a topic's ideal elements, highest score first. Elements with equal scores are in row order."""
    rows, score = full(topic, quantisation)
    is_ideal = recallbase.ideal_elements(topic, quantisation, method)
    rows, score = rows[is_ideal], score[is_ideal]
    return rows[np.argsort(-score, kind="stable")]


def moved(tree: ElementTree, rows: Ints, probability: float, rng: np.random.Generator) -> Ints:
    """Start a random walk at each of the ``rows`` of elements, and return the rows at which the walks end.

    A walk goes only up or only down, with equal probability. Each step, including the first, is made with the given
    ``probability``. All children of an element are equally likely. A walk also ends if it cannot go any further.
    """
    rows, parent = np.array(rows, dtype=np.int64), tree.collection.parent
    up = rng.random(len(rows)) < 0.5
    walking = np.arange(len(rows))
    while len(walking):
        walking = walking[rng.random(len(walking)) < probability]
        at = rows[walking]
        low, count = tree.begin[at], tree.begin[at + 1] - tree.begin[at]
        down = low + (rng.random(len(walking)) * count).astype(np.int64)
        can_move = np.where(up[walking], parent[at] >= 0, count > 0)
        walking, at, down = walking[can_move], at[can_move], down[can_move]
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
    """Make runs from the ideal run by moving its elements at random: one run for each probability and draw.

    ``moving`` has the probabilities of moving an element; 0 gives the ideal run itself, once. ``perturb`` moves or
    replaces the elements, so that an element may occur several times in a list. `name_of` names the runs.
    """
    tree = ElementTree.of(topics[0].collection)
    ideals = [ideal_run(topic, quantisation, method) for topic in topics]
    settings = [(m, draw) for m in moving for draw in range(1, draws + 1 if m else 2)]
    lists = []
    for (m, draw), (topic, rows) in product(settings, zip(topics, ideals, strict=True)):
        # the random numbers of a list do not depend on other lists
        seeds = [seed + draw - 1, round(m * 10**6), zlib.crc32(topic.name.encode())]
        lists.append(perturb(tree, rows, m, np.random.default_rng(seeds)))
    length = np.array([len(rows) for rows in lists])
    number = np.repeat(np.arange(len(lists)), length)
    element = np.concatenate(lists)
    rank = ranges(length, 1)
    collection = tree.collection
    return Results(
        pd.Index([name_of(m, draw, stem) for m, draw in settings]),
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
    summary="move each element of the ideal run at random in its document's tree, further at each step",
    expected=FALLS,
    why="results are worth less the further they are from ideal elements",
    trait="walk-sensitive",
    source="Piwowarski & Dupret 2006, Section 7, Figure 4",
    parameters=(
        Parameter("moving", 0.3, "probability of each further move", low=0, high=0.99),
        Parameter(
            "quantisation", "gen", "score of exhaustivity and specificity", choices=tuple(QUANTISATIONS)
        ),
        _METHOD,
        Parameter("seed", 2006.0, "seed of the random moves"),
    ),
    over=MEANS,
    of=JUDGEMENTS,
    steps=tuple({"moving": moving} for moving in MOVING[::3]),
)
def walks(
    results: Results, topics: Sequence[Topic], *, moving: float, quantisation: str, method: str, seed: float
) -> Results:
    """Make a run named ``walks`` from the ideal run by moving its elements up or down at random (`moved`)."""
    runs = perturbed_runs(topics, quantisation, method, (moving,), int(seed))
    return replace(runs, runs=pd.Index(["walks"], dtype=object))
