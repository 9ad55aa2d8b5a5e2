"""Runs made from the assessments themselves (Gövert et al., 2006, Section 4.1).

They show how a metric treats overlap: the second run adds to the first nothing but elements that
enclose what it holds already.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from focuseval.measures.quantisation import on_four_points
from focuseval.model.arrays import Floats, Ints
from focuseval.model.judgements import Topic
from focuseval.model.results import Results, as_results
from focuseval.transformations.ideal import perfect_elements


def transform(results: Results, topics: Sequence[Topic]) -> Results:
    """The runs ``perfect`` and ``ancestors``, from the judgements alone, on the scales of INEX 2003."""
    graded = [on_four_points(topic) for topic in topics]
    return as_results({"perfect": perfect(graded), "ancestors": ancestors(graded)}, topics[0].collection)


def perfect(topics: Sequence[Topic]) -> pd.DataFrame:
    """The elements of specificity 3, by decreasing exhaustiveness.

    Elements of equal exhaustiveness share a rank: 1 for the highest value that occurs in the topic,
    then 2 and 3. Returns columns topic, rank, document, node (row of the collection) and score (the
    exhaustiveness), sorted by topic as given, rank and node. A topic without such elements is absent.
    """
    return _frame(topics, [_perfect(topic) for topic in topics])


def ancestors(topics: Sequence[Topic]) -> pd.DataFrame:
    """The perfect run and, in a single rank behind it, all ancestors of its elements.

    Ancestors that are in the perfect run keep their place there. Columns as of ``perfect``; ancestors
    have the score 0.
    """
    parts = []
    for topic in topics:
        rank, element, score = _perfect(topic)
        above = np.setdiff1d(topic.collection.with_ancestors(element), element)
        parts.append(
            (
                np.concatenate([rank, np.full(len(above), rank.max(initial=0) + 1)]),
                np.concatenate([element, above]),
                np.concatenate([score, np.zeros(len(above))]),
            )
        )
    return _frame(topics, parts)


def _perfect(topic: Topic) -> tuple[Ints, Ints, Floats]:
    """Ranks, rows and exhaustiveness of a topic's perfect results."""
    element, score = perfect_elements(topic)
    order = np.lexsort((element, -score))
    element, score = element[order], score[order]
    rank = np.cumsum(np.diff(score, prepend=np.inf) != 0)
    return rank, element, score


def _frame(topics: Sequence[Topic], parts: list[tuple[Ints, Ints, Floats]]) -> pd.DataFrame:
    columns = ["topic", "rank", "document", "node", "score"]
    tables = [
        pd.DataFrame(columns=columns).astype({"rank": int, "document": int, "node": int, "score": float})
    ]
    tables += [
        pd.DataFrame(
            {
                "topic": topic.name,
                "rank": rank,
                "document": topic.collection.document_of(element),
                "node": element,
                "score": score.astype(float),
            }
        )
        for topic, (rank, element, score) in zip(topics, parts, strict=True)
    ]
    return pd.concat([table for table in tables if len(table)] or tables[:1], ignore_index=True)
