"""Best in Context: one entry point into every article (INEX 2006-2010)."""

from dataclasses import dataclass

import numpy as np

from focuseval.measures.declaration import Measure, Parameter
from focuseval.measures.generalised import ArticleRanking, average_precision, rank_articles
from focuseval.model.arrays import Ints, is_among
from focuseval.model.judgements import Topic
from focuseval.model.results import ResultList


@dataclass(frozen=True, eq=False)
class EntryPoints:
    """The best entry points of a topic: R articles, in units from the start of their text."""

    document: Ints  #: (R,) sorted
    point: Ints  #: (R,)


def prepare(topic: Topic) -> EntryPoints | None:
    """The articles that have a best entry point: those with relevant text."""
    if not topic.entry_point:
        return None
    document, point = zip(*sorted(topic.entry_point.items()), strict=True)
    return EntryPoints(np.array(document, dtype=np.int64), np.array(point, dtype=np.int64))


def trace(best: EntryPoints, results: ResultList, *, n: float) -> ArticleRanking:
    """The run's articles with ``max(0, (n - d) / n)``; d is the distance of the result's start to the best.

    In [0, 1], higher is better. The first result of an article counts; one that cannot be resolved scores 0.
    """
    document, first = rank_articles(results)
    relevant, place = is_among(document, best.document)
    distance = np.abs(best.point[place] - results.start[first])
    hit = relevant & results.resolved[first]
    return ArticleRanking(np.where(hit, np.maximum(n - distance, 0) / n, 0.0), relevant, len(best.document))


BEP = Measure(
    name="BEP",
    summary="average generalised precision of the distances to the best entry points",
    paper="INEX 2006-2010, Best in Context",
    prepare=prepare,
    trace=trace,
    value=average_precision,
    parameters=(Parameter("n", 500.0, "distance in units from which on a point is worth nothing", low=1),),
    needs=frozenset({"entry points"}),
    rule="best-in-context",
    claims=frozenset({"split", "tail"}),
)

MEASURES = (BEP,)
