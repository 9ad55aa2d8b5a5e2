"""Curves along a list or over levels of recall, and generalised precision and recall of articles.

A recall just below a level counts as reaching the level (`TOLERANCE`).

Generalised precision and recall use a score in [0, 1] for each article. Relevant in Context, T2I, Best in Context and
article-level average precision are based on them. Source: Kamps et al., SIGIR 2007, Section 2.2, after Kekäläinen &
Järvelin 2002.
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

#: how far a recall may be below a level and still reach it
TOLERANCE = 1e-9


def at_ranks(curve: Floats | Ints, ranks: Ints) -> Floats:
    """Return the values of a curve at ``ranks``, which start at 1.

    After its end, a curve keeps its last value. An empty curve is 0 everywhere.
    """
    if len(curve) == 0:
        return np.zeros(len(ranks))
    return curve[np.minimum(ranks, len(curve)) - 1]


def at_end(curve: Floats | Ints) -> float:
    """Return the last value of a curve, or 0 if the curve is empty."""
    return float(curve[-1]) if len(curve) else 0.0


def means_up_to(curve: Floats, ranks: Ints) -> Floats:
    """Return the mean of a curve over the ranks 1 … k, for each k in ``ranks``.

    No rank may be after the end of the curve.
    """
    return np.array([curve[:rank].mean() for rank in ranks])


def interpolated(precision: Floats, recall: Floats, levels: Floats) -> Floats:
    """Return, for each level, the highest precision at a recall of at least this level, or 0 if there is none.

    The last axis of ``precision`` and ``recall`` runs along a curve, on which recall must not decrease. The last axis
    of the result has an entry for each level. Levels are in [0, 1].
    """
    best = np.maximum.accumulate(precision[..., ::-1], axis=-1)[..., ::-1]
    best_from = np.concatenate([best, np.zeros((*best.shape[:-1], 1))], axis=-1)
    place = [curve.searchsorted(levels - TOLERANCE) for curve in np.atleast_2d(recall)]
    return np.take_along_axis(best_from, np.reshape(place, (*best.shape[:-1], len(levels))), axis=-1)


@dataclass(frozen=True, eq=False)
class ArticleRanking:
    """The articles of a result list, in the order of their first results."""

    score: Floats  #: score of each article, in [0, 1]
    relevant: Bools  #: whether each article is relevant
    total: int  #: the number of relevant articles of the topic (Numrel in the paper)

    @property
    def precision(self) -> Floats:
        """Generalised precision gP at each rank: the sum of the scores up to the rank, divided by the rank."""
        return np.cumsum(self.score) / np.arange(1, len(self.score) + 1)

    @property
    def recall(self) -> Floats:
        """Generalised recall gR at each rank: the share of the relevant articles found up to the rank."""
        return np.cumsum(self.relevant) / self.total


def precision_at(ranking: ArticleRanking, ranks: Ints) -> Floats:
    """Return generalised precision at each of the ``ranks``. It is in [0, 1], and higher is better.

    If the list is shorter than a rank, missing articles score 0.
    """
    return np.array([ranking.score[:rank].sum() for rank in ranks]) / ranks


def recall_at(ranking: ArticleRanking, ranks: Ints) -> Floats:
    """Return generalised recall at each of the ``ranks``. It is in [0, 1], and higher is better."""
    return at_ranks(np.cumsum(ranking.relevant, dtype=np.int64), ranks) / ranking.total


def average_precision(ranking: ArticleRanking) -> float:
    """Return average generalised precision (AgP). It is in [0, 1], and higher is better.

    AgP is the sum of generalised precision at the ranks of relevant articles, divided by the number of all relevant
    articles.
    """
    ranks = np.flatnonzero(ranking.relevant)
    return float((np.cumsum(ranking.score)[ranks] / (ranks + 1)).sum() / ranking.total)


def average_precision_at(ranking: ArticleRanking, ranks: Ints) -> Floats:
    """Return average generalised precision at each rank k. It is in [0, 1], and higher is better.

    Relevant articles after rank k add nothing to the sum, but count in the divisor.
    """
    return at_ranks(np.cumsum(ranking.precision * ranking.relevant), ranks) / ranking.total


def rank_articles(results: ResultList) -> tuple[Ints, Ints]:
    """Return the documents in the order of their first results, and the indexes of these results."""
    first = np.flatnonzero(results.first_of_article)
    return results.document[first], first


def rank_relevant(documents: Ints, results: ResultList) -> ArticleRanking:
    """Return the ranking of the list's articles, in which relevant articles score 1 and other articles score 0.

    ``documents`` lists the relevant articles in increasing order.
    """
    relevant, _ = is_among(rank_articles(results)[0], documents)
    return ArticleRanking(relevant.astype(float), relevant, len(documents))


def relevant_documents(topic: Topic) -> Ints | None:
    """Return the relevant documents in increasing order, or None if there are none.

    If documents have grades, a document is relevant if its grade is above 0. Without grades, a document is relevant if
    it contains highlighted text. Without grades and highlights, a document is relevant if it contains a relevant
    element.
    """
    if topic.assessed is not None and topic.grade is not None:
        document = topic.assessed[topic.grade > 0]
    elif topic.highlights is not None:
        text = topic.highlights
        document = text.document[text.end > text.start]
    else:
        document = topic.collection.document_of(topic.element[topic.relevant])
    return distinct(document) if len(document) else None
