"""Generalised precision and recall of a ranked list of articles.

Each article has a score in [0, 1]: what Relevant in Context, its variant with tolerance to irrelevance, Best in
Context and article-level average precision have in common. Kamps et al. (SIGIR 2007), Section 2.2, after Kekäläinen
& Järvelin (2002).
"""

from dataclasses import dataclass

import numpy as np

from focuseval.measures.curves import at_ranks
from focuseval.model.arrays import Bools, Floats, Ints, is_among
from focuseval.model.judgements import Topic
from focuseval.model.results import ResultList


@dataclass(frozen=True, eq=False)
class ArticleRanking:
    """The A articles of a result list in the order of their first results."""

    score: Floats  #: (A,) how good the answer from each article is, in [0, 1]
    relevant: Bools  #: (A,) whether the article holds relevant text
    total: int  #: Numrel, the number of articles with relevant text

    @property
    def precision(self) -> Floats:
        """(A,) generalised precision ``gP(r) = sum_(a<=r) score(a) / r`` at every rank."""
        return np.cumsum(self.score) / np.arange(1, len(self.score) + 1)

    @property
    def recall(self) -> Floats:
        """(A,) generalised recall ``gR(r) = sum_(a<=r) relart(a) / Numrel`` at every rank."""
        return np.cumsum(self.relevant) / self.total


def precision_at(ranking: ArticleRanking, ranks: Ints) -> Floats:
    """(P,) gP at ranks; those that the run does not fill score 0. In [0, 1], higher is better."""
    return np.array([ranking.score[:rank].sum() for rank in ranks]) / ranks


def recall_at(ranking: ArticleRanking, ranks: Ints) -> Floats:
    """(P,) gR at ranks. In [0, 1], higher is better."""
    return at_ranks(np.cumsum(ranking.relevant, dtype=np.int64), ranks) / ranking.total


def average_precision(ranking: ArticleRanking) -> float:
    """``AgP = sum_r relart(r) gP(r) / Numrel``: gP at the ranks of relevant articles. In [0, 1], higher is better."""
    found = np.flatnonzero(ranking.relevant)
    return float((np.cumsum(ranking.score)[found] / (found + 1)).sum() / ranking.total)


def average_precision_at(ranking: ArticleRanking, ranks: Ints) -> Floats:
    """(P,) the same sum over the first ranks only, Numrel still in the denominator. In [0, 1], higher is better."""
    return at_ranks(np.cumsum(ranking.precision * ranking.relevant), ranks) / ranking.total


def rank_articles(results: ResultList) -> tuple[Ints, Ints]:
    """Articles in the order of their first results: their documents (A,), and the position of that result."""
    first = np.flatnonzero(results.first_of_article)
    return results.document[first], first


def rank_relevant(documents: Ints, results: ResultList) -> ArticleRanking:
    """The run's articles, scored 1 if they are among the relevant ``documents``, sorted."""
    relevant, _ = is_among(rank_articles(results)[0], documents)
    return ArticleRanking(relevant.astype(float), relevant, len(documents))


def relevant_documents(topic: Topic) -> Ints | None:
    """(R,) sorted: articles with a grade above 0, with highlighted text or, without both, with a relevant element."""
    if topic.assessed is not None and topic.grade is not None:
        document = topic.assessed[topic.grade > 0]
    elif topic.highlights is not None:
        text = topic.highlights
        document = text.document[text.end > text.start]
    else:
        document = topic.collection.document_of(topic.element[topic.relevant])
    return np.unique(document) if len(document) else None
