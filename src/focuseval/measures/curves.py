"""Curves along a list or over levels of recall, and generalised precision and recall of articles.

Levels of recall are exact hundredths. A recall just below a level counts as reaching the level.

In generalised precision and recall, each article has a score in [0, 1]. Relevant in Context, T2I, Best in Context and
article-level average precision share this definition (Kamps et al., SIGIR 2007, Section 2.2, after Kekäläinen &
Järvelin 2002).
"""

from dataclasses import dataclass

import numpy as np

from focuseval.model.arrays import Bools, Floats, Ints, distinct, is_among
from focuseval.model.judgements import Topic
from focuseval.model.results import ResultList

#: the levels of recall without 0: 0.01, 0.02 … 1.00
RECALL_LEVELS = np.arange(1, 101) / 100

#: the levels of recall with 0: 0.00, 0.01 … 1.00
RECALL_LEVELS_FROM_0 = np.arange(101) / 100

#: a recall counts as reaching a level if it is at most this amount below the level
TOLERANCE = 1e-9


def at_ranks(curve: Floats | Ints, ranks: Ints) -> Floats:
    """Return the values of a curve at ``ranks`` (P,), which start at 1.

    After its last rank, a curve keeps its last value. An empty curve is 0 everywhere.
    """
    if len(curve) == 0:
        return np.zeros(len(ranks))
    return curve[np.minimum(ranks, len(curve)) - 1]


def at_end(curve: Floats | Ints) -> float:
    """Return the last value of a curve, or 0 if the curve is empty."""
    return float(curve[-1]) if len(curve) else 0.0


def means_up_to(curve: Floats, ranks: Ints) -> Floats:
    """Return, for each rank k (P,), the mean of a curve over the ranks 1 … k. All ranks must be within the curve."""
    return np.array([curve[:rank].mean() for rank in ranks])


def interpolated(precision: Floats, recall: Floats, levels: Floats) -> Floats:
    """Return, for each level (P,), the highest precision at a recall of at least this level, or 0 if there is none.

    ``precision`` and ``recall`` (…, K) have one or more curves. Recall must not decrease along a curve. Levels are in
    [0, 1]. The result has the shape (…, P).
    """
    best = np.maximum.accumulate(precision[..., ::-1], axis=-1)[..., ::-1]
    best_from = np.concatenate([best, np.zeros((*best.shape[:-1], 1))], axis=-1)
    place = [curve.searchsorted(levels - TOLERANCE) for curve in np.atleast_2d(recall)]
    return np.take_along_axis(best_from, np.reshape(place, (*best.shape[:-1], len(levels))), axis=-1)


@dataclass(frozen=True, eq=False)
class ArticleRanking:
    """The A articles of a result list, in the order of their first results."""

    score: Floats  #: (A,) score of each article, in [0, 1]
    relevant: Bools  #: (A,) whether the article has relevant text
    total: int  #: the number of articles with relevant text (Numrel in the paper)

    @property
    def precision(self) -> Floats:
        """Generalised precision gP at each rank (A,): the sum of the scores up to the rank, divided by the rank."""
        return np.cumsum(self.score) / np.arange(1, len(self.score) + 1)

    @property
    def recall(self) -> Floats:
        """Generalised recall gR at each rank (A,): the share of articles with relevant text found up to the rank."""
        return np.cumsum(self.relevant) / self.total


def precision_at(ranking: ArticleRanking, ranks: Ints) -> Floats:
    """Return generalised precision at ``ranks`` (P,). In [0, 1]; higher is better.

    If the list has fewer articles than a rank, missing articles score 0.
    """
    return np.array([ranking.score[:rank].sum() for rank in ranks]) / ranks


def recall_at(ranking: ArticleRanking, ranks: Ints) -> Floats:
    """Return generalised recall at ``ranks`` (P,). In [0, 1]; higher is better."""
    return at_ranks(np.cumsum(ranking.relevant, dtype=np.int64), ranks) / ranking.total


def average_precision(ranking: ArticleRanking) -> float:
    """Return AgP: the sum of gP at the ranks of relevant articles, divided by the number of all relevant articles.

    In [0, 1]; higher is better.
    """
    ranks = np.flatnonzero(ranking.relevant)
    return float((np.cumsum(ranking.score)[ranks] / (ranks + 1)).sum() / ranking.total)


def average_precision_at(ranking: ArticleRanking, ranks: Ints) -> Floats:
    """Return, for each rank k (P,), AgP with the sum taken only up to rank k. In [0, 1]; higher is better."""
    return at_ranks(np.cumsum(ranking.precision * ranking.relevant), ranks) / ranking.total


def rank_articles(results: ResultList) -> tuple[Ints, Ints]:
    """Return two arrays (A,): the documents in the order of their first results, and the indexes of these results."""
    first = np.flatnonzero(results.first_of_article)
    return results.document[first], first


def rank_relevant(documents: Ints, results: ResultList) -> ArticleRanking:
    """Return the ranking of the list's articles. Articles among the sorted ``documents`` score 1, others 0."""
    relevant, _ = is_among(rank_articles(results)[0], documents)
    return ArticleRanking(relevant.astype(float), relevant, len(documents))


def relevant_documents(topic: Topic) -> Ints | None:
    """Return the relevant documents in increasing order, or None if there are none.

    If documents have grades, those with a grade above 0 are relevant. If not, documents with highlighted text are
    relevant or, without any highlights in the gold, documents with a relevant element.
    """
    if topic.assessed is not None and topic.grade is not None:
        document = topic.assessed[topic.grade > 0]
    elif topic.highlights is not None:
        text = topic.highlights
        document = text.document[text.end > text.start]
    else:
        document = topic.collection.document_of(topic.element[topic.relevant])
    return distinct(document) if len(document) else None
