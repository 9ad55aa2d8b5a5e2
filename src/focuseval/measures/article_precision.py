"""Article-level average precision, as trec_eval defines it."""

import numpy as np

from focuseval.measures.declaration import RANK, Cutoff, Measure
from focuseval.measures.generalised import (
    ArticleRanking,
    average_precision,
    average_precision_at,
    rank_relevant,
)
from focuseval.model.arrays import Ints
from focuseval.model.judgements import Topic
from focuseval.model.results import ResultList


def prepare(topic: Topic) -> Ints | None:
    """(R,) sorted: articles with a grade above 0, with highlighted text or, without both, with a relevant element."""
    if topic.assessed is not None and topic.grade is not None:
        document = topic.assessed[topic.grade > 0]
    elif topic.highlights is not None:
        text = topic.highlights
        document = text.document[text.end > text.start]
    else:
        document = topic.collection.document_of(topic.element[topic.relevant])
    return np.unique(document) if len(document) else None


def trace(articles: Ints, results: ResultList) -> ArticleRanking:
    """The run's articles, by their first results, scored 1 if relevant."""
    return rank_relevant(results, articles)


MAP = Measure(
    name="MAP",
    summary="average precision of the articles, each at its first result; @k: of the first k (trec_eval's map_cut)",
    paper="trec_eval, map",
    prepare=prepare,
    trace=trace,
    value=average_precision,
    cutoffs=(Cutoff(RANK, "article", average_precision_at),),
    needs=frozenset({"articles"}),
    claims=frozenset({"split", "tail"}),
)

MEASURES = (MAP,)
