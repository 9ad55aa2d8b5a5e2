"""Relevant in Context: a ranked list of articles, with the relevant text in each (INEX 2006-2010)."""

from dataclasses import dataclass, replace

import numpy as np

from focuseval.measures.curves import at_ranks
from focuseval.measures.declaration import RANK, Cutoff, Measure, Parameter
from focuseval.measures.generalised import (
    ArticleRanking,
    average_precision,
    precision_at,
    rank_articles,
    rank_relevant,
    recall_at,
)
from focuseval.model.arrays import Floats, Ints, is_among
from focuseval.model.intervals import new_common
from focuseval.model.judgements import Highlights, Topic
from focuseval.model.results import ResultList


@dataclass(frozen=True, eq=False)
class RelevantText:
    """The highlighted text of a topic, and how much of it each relevant article has (R articles)."""

    highlights: Highlights
    document: Ints  #: (R,) sorted
    size: Ints  #: (R,) highlighted size, in units


def prepare(topic: Topic) -> RelevantText | None:
    """The highlighted text by article, or None if nothing is highlighted."""
    text = topic.highlights
    if text is None or not (text.end > text.start).any():
        return None
    document, place = np.unique(text.document, return_inverse=True)
    size = np.bincount(place, weights=text.end - text.start).astype(np.int64)
    return RelevantText(text, document[size > 0], size[size > 0])


def new_relevant_text(text: RelevantText, results: ResultList) -> Ints:
    """(K,) highlighted size of each result less what the results before it hold of it, in units."""
    marked = text.highlights
    return new_common(marked.document, marked.start, marked.end, results.document, results.start, results.end)


def f_score(found: Ints, retrieved: Ints, relevant: Ints, beta: float) -> Floats:
    """``F = (1 + β²) P R / (β² P + R)`` with ``P = found / retrieved`` and ``R = found / relevant``.

    0 where nothing was found. Sizes in units; in [0, 1], higher is better. β = 1 is Kamps et al.
    (2007), Section 2.1; INEX used 0.25 from 2008 on: β < 1 favours precision.
    """
    hit = found > 0
    precision, recall = found[hit] / retrieved[hit], found[hit] / relevant[hit]
    score = np.zeros(len(found))
    score[hit] = ((1 + beta * beta) * precision * recall) / (beta * beta * precision + recall)
    return score


def trace(text: RelevantText, results: ResultList, *, beta: float) -> ArticleRanking:
    """The run's articles with the F-score of the text it returned from each."""
    document, _ = rank_articles(results)
    count = len(document)
    retrieved = np.bincount(results.article, weights=results.new_text, minlength=count)
    found = np.bincount(results.article, weights=new_relevant_text(text, results), minlength=count)
    relevant, place = is_among(document, text.document)
    return ArticleRanking(
        f_score(found, retrieved, text.size[place], beta),
        relevant,
        len(text.document),
    )


def found_articles(text: RelevantText, results: ResultList) -> ArticleRanking:
    """The run's articles, scored 1 if relevant."""
    return rank_relevant(results, text.document)


def mean_score(ranking: ArticleRanking) -> float:
    """The mean F over the relevant articles found, 0 for none. In [0, 1], higher is better."""
    return float(ranking.score[ranking.relevant].mean()) if ranking.relevant.any() else 0.0


def score_at(ranking: ArticleRanking, ranks: Ints) -> Floats:
    """(P,) F of the article at each rank, 0 beyond the run's end. In [0, 1], higher is better."""
    return np.where(ranks <= len(ranking.score), at_ranks(ranking.score, ranks), 0.0)


BETA = Parameter("beta", 1.0, "weight of recall in F; INEX used 0.25 from 2008 on", low=0)

F = Measure(
    name="F",
    summary="F-score of the text returned from an article, mean over relevant articles found; @r: at rank r",
    paper="Kamps et al. 2007, Section 2.1",
    prepare=prepare,
    trace=trace,
    value=mean_score,
    parameters=(BETA,),
    cutoffs=(Cutoff(RANK, "article rank", score_at),),
    needs=frozenset({"highlights"}),
    rule="relevant-in-context",
    claims=frozenset({"split", "tail"}),
)
GP = replace(
    F,
    name="gP",
    summary="generalised precision at an article rank: mean F-score of the articles up to it",
    paper="Kamps et al. 2007, Section 2.2",
    value=None,
    cutoffs=(Cutoff(RANK, "article rank", precision_at),),
)
GR = replace(
    GP,
    name="gR",
    summary="generalised recall at an article rank: share of the relevant articles found up to it",
    trace=found_articles,
    parameters=(),
    cutoffs=(Cutoff(RANK, "article rank", recall_at),),
)
AGP = replace(
    GP,
    name="AgP",
    summary="average generalised precision: gP at the ranks of relevant articles, over all relevant articles",
    value=average_precision,
    cutoffs=(),
)
MAGP = replace(AGP, name="MAgP", summary="AgP by the name of its mean over topics")

MEASURES = (F, GP, GR, AGP, MAGP)
