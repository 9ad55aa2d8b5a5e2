"""Measures of ranked articles: Relevant in Context, T2I and Best in Context (INEX 2006-2010), and average precision.

Relevant in Context scores the text that is returned from an article. T2I (tolerance to irrelevance) scores the text
that a reader reads before leaving the article. Best in Context scores one entry point. Article-level average precision,
as in trec_eval, depends only on which articles are relevant.
"""

from dataclasses import dataclass, replace

import numpy as np

from focuseval.errors import GIVE_DOCUMENTS, InputError, Problem, Sentence
from focuseval.measures.curves import (
    ArticleRanking,
    at_ranks,
    average_precision,
    average_precision_at,
    precision_at,
    rank_articles,
    rank_relevant,
    recall_at,
    relevant_documents,
)
from focuseval.measures.declaration import RANK, Cutoff, Measure, Parameter
from focuseval.model.arrays import Floats, Ints, is_among
from focuseval.model.intervals import covered, merge, new_common
from focuseval.model.judgements import Highlights, Topic
from focuseval.model.results import ResultList


@dataclass(frozen=True, eq=False)
class RelevantText:
    """The highlighted text of a topic, and its size in each relevant article."""

    highlights: Highlights
    document: Ints  #: sorted indexes of the relevant articles
    size: Ints  #: size of the highlighted text in each article, in units


def relevant_text(topic: Topic) -> RelevantText | None:
    """Return the highlighted text of a topic, or None if nothing is highlighted."""
    text = topic.highlights
    if text is None or not (text.end > text.start).any():
        return None
    document, place = np.unique(text.document, return_inverse=True)
    size = np.bincount(place, weights=text.end - text.start).astype(np.int64)
    return RelevantText(text, document[size > 0], size[size > 0])


def new_relevant_text(text: RelevantText, results: ResultList) -> Ints:
    """Return, for each result, the number of units of highlighted text that no earlier result contains."""
    marked = text.highlights
    return new_common(marked.document, marked.start, marked.end, results.document, results.start, results.end)


def f_score(found: Ints, retrieved: Ints, relevant: Ints, beta: float) -> Floats:
    """Return ``F = (1 + β²) P R / (β² P + R)`` with ``P = found / retrieved`` and ``R = found / relevant``.

    The arguments are sizes of text. F is in [0, 1], and 0 if nothing was found. Higher is better. Kamps et al. (2007),
    Section 2.1, use β = 1. From 2008 on, INEX used β = 0.25, which favours precision.
    """
    hit = found > 0
    precision, recall = found[hit] / retrieved[hit], found[hit] / relevant[hit]
    score = np.zeros(len(found))
    score[hit] = ((1 + beta * beta) * precision * recall) / (beta * beta * precision + recall)
    return score


def trace(text: RelevantText, results: ResultList, *, beta: float) -> ArticleRanking:
    """Return the ranking of the list's articles, scored by the F-score of the text returned from each (`f_score`)."""
    document, _ = rank_articles(results)
    count = len(document)
    retrieved = np.bincount(results.article, weights=results.new_text, minlength=count)
    found = np.bincount(results.article, weights=new_relevant_text(text, results), minlength=count)
    relevant, place = is_among(document, text.document)
    score = f_score(found, retrieved, text.size[place], beta)
    return ArticleRanking(score, relevant, len(text.document))


def found_articles(text: RelevantText, results: ResultList) -> ArticleRanking:
    """Return the ranking of the list's articles, in which relevant articles score 1 and other articles score 0."""
    return rank_relevant(text.document, results)


def mean_score(ranking: ArticleRanking) -> float:
    """Return the mean score of the relevant articles in the list, or 0 if there are none.

    It is in [0, 1], and higher is better.
    """
    return float(ranking.score[ranking.relevant].mean()) if ranking.relevant.any() else 0.0


def score_at(ranking: ArticleRanking, ranks: Ints) -> Floats:
    """Return the score of the article at each rank. It is in [0, 1], and higher is better.

    After the end of the list, the score is 0.
    """
    return np.where(ranks <= len(ranking.score), at_ranks(ranking.score, ranks), 0.0)


BETA = Parameter("beta", 1.0, "weight of recall in F; INEX used 0.25 from 2008 on", low=0)

F = Measure(
    name="F",
    summary="mean F-score of the relevant articles that are returned; @rank: F-score of the article at this rank",
    paper="Kamps et al. 2007, Section 2.1",
    prepare=relevant_text,
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
    summary="generalised precision at an article rank: mean F-score of the articles up to this rank",
    paper="Kamps et al. 2007, Section 2.2",
    value=None,
    cutoffs=(Cutoff(RANK, "article rank", precision_at),),
)
GR = replace(
    GP,
    name="gR",
    summary="generalised recall at an article rank: share of the relevant articles found up to this rank",
    trace=found_articles,
    parameters=(),
    cutoffs=(Cutoff(RANK, "article rank", recall_at),),
)
AGP = replace(
    GP,
    name="AgP",
    summary="average generalised precision: mean of gP at the ranks of all relevant articles; 0 for missing articles",
    value=average_precision,
    cutoffs=(),
)
MAGP = replace(AGP, name="MAgP", summary="another name of AgP")


@dataclass(frozen=True, eq=False)
class RelevantArticles:
    """The relevant articles of a topic, with their sizes and highlighted text."""

    text: RelevantText
    length: Ints  #: size of each article, in units


def relevant_articles(topic: Topic) -> RelevantArticles | None:
    """Return the relevant articles of a topic, or None if there are none. Raises InputError if a size is unknown."""
    text = relevant_text(topic)
    if text is None:
        return None
    collection = topic.collection
    root = collection.root(text.document)
    in_collection = root < collection.first[text.document + 1]
    length = np.full(len(root), -1, dtype=np.int64)
    length[in_collection] = collection.end[root[in_collection]]
    found = "the size of the document is unknown, but the measure reads documents to their end"
    expected = Sentence(GIVE_DOCUMENTS, ", or FOL qrels, which have sizes")
    if problems := [
        Problem(f"topic {topic.name}", f"document {name}", found, expected)
        for name in collection.names[text.document[length < 0]]
    ]:
        raise InputError(problems)
    return RelevantArticles(text, length)


def read(articles: RelevantArticles, place: Ints, results: ResultList, tolerance: float) -> Floats:
    """Return, for each article, the relevant share of the text that a tolerant reader reads. It is in [0, 1].

    ``place`` lists the articles as indexes into the relevant articles. Each of them has results. The reader reads the
    returned passages of an article in document order, and then the rest of the article. The reader stops after
    ``tolerance`` irrelevant units, and reads no text twice. Higher is better.
    """
    highlights = articles.text.highlights
    count = len(place)
    index = np.full(len(articles.length), -1, dtype=np.int64)
    index[place] = np.arange(count)

    def index_of(documents: Ints) -> Ints:
        """Return the position of each document in ``place``, or -1 if it is not there."""
        is_relevant, at = is_among(documents, articles.text.document)
        return np.where(is_relevant, index[at], -1)

    returned = np.where(results.resolved, index_of(results.document), -1)
    inside = returned >= 0
    held, held_start, held_end = merge(returned[inside], results.start[inside], results.end[inside])
    marked = index_of(highlights.document)
    marks, mark_start, mark_end = (c[marked >= 0] for c in (marked, highlights.start, highlights.end))

    everything = np.arange(count)
    nothing = np.zeros(count, dtype=np.int64)
    found = returned[inside]
    article = np.concatenate([everything, everything, found, found, marks, marks])
    # All passages are included, even empty ones, because the text before and after any passage is read separately.
    passages = results.start[inside], results.end[inside]
    cut = np.concatenate([nothing, articles.length[place], *passages, mark_start, mark_end])
    order = np.lexsort((cut, article))
    article, cut = article[order], cut[order]
    piece = np.flatnonzero((article[1:] == article[:-1]) & (cut[1:] > cut[:-1]))
    article, start, end = article[piece], cut[piece], cut[piece + 1]

    in_passage = covered(held, held_start, held_end, article, start, end) > 0
    is_relevant = covered(marks, mark_start, mark_end, article, start, end) > 0
    order = np.lexsort((start, ~in_passage, article))
    article, size, is_relevant = article[order], (end - start)[order], is_relevant[order]

    # Unresolved results count as irrelevant text that is read before all other results of the article.
    lost = np.where(results.resolved, 0, results.size)
    wasted = np.bincount(np.where(results.resolved, 0, index_of(results.document) + 1), lost, count + 1)[1:]
    irrelevant = np.where(is_relevant, 0, size)
    before = np.cumsum(irrelevant) - irrelevant
    first = np.searchsorted(article, everything)
    before = before - before[first][article] + wasted[article]
    gained = is_relevant & (before < tolerance)
    good = np.bincount(article[gained], weights=size[gained], minlength=count)
    bad = np.bincount(article, weights=irrelevant, minlength=count) + wasted
    return good / np.maximum(good + np.minimum(bad, tolerance), 1)


def trace_tolerant(articles: RelevantArticles, results: ResultList, *, tolerance: float) -> ArticleRanking:
    """Return the ranking of the list's articles for a tolerant reader.

    The score of an article is the relevant share of the text that the reader reads (`read`).
    """
    document, _ = rank_articles(results)
    relevant, place = is_among(document, articles.text.document)
    score = np.zeros(len(document))
    if relevant.any():
        score[relevant] = read(articles, place[relevant], results, tolerance)
    return ArticleRanking(score, relevant, len(articles.length))


T2I = Measure(
    name="T2I",
    summary="average generalised precision for readers who leave an article after too much irrelevant text",
    paper="INEX 2009-2010, Relevant in Context with tolerance to irrelevance",
    prepare=relevant_articles,
    trace=trace_tolerant,
    value=average_precision,
    parameters=(Parameter("tolerance", 300.0, "units of irrelevant text after which a reader stops", low=1),),
    needs=frozenset({"highlights"}),
    rule="relevant-in-context",
    claims=frozenset({"split", "tail"}),
)


@dataclass(frozen=True, eq=False)
class EntryPoints:
    """The best entry points for a topic: at most one in each article."""

    document: Ints  #: sorted indexes of the articles with a best entry point
    point: Ints  #: position of each best entry point in its article, in units


def entry_points(topic: Topic) -> EntryPoints | None:
    """Return the best entry points of a topic, or None if there are none."""
    if not topic.entry_point:
        return None
    document, point = zip(*sorted(topic.entry_point.items()), strict=True)
    return EntryPoints(np.array(document, dtype=np.int64), np.array(point, dtype=np.int64))


def trace_entries(best: EntryPoints, results: ResultList, *, n: float) -> ArticleRanking:
    """Return the ranking of the list's articles, scored by ``max(0, (n - d) / n)``. Higher is better.

    d is the distance from the start of the article's first result to the best entry point. The score is 0 if the
    article has no best entry point, or if its first result is unresolved.
    """
    document, first = rank_articles(results)
    relevant, place = is_among(document, best.document)
    distance = np.abs(best.point[place] - results.start[first])
    hit = relevant & results.resolved[first]
    return ArticleRanking(np.where(hit, np.maximum(n - distance, 0) / n, 0.0), relevant, len(best.document))


BEP = Measure(
    name="BEP",
    summary="average generalised precision; an article scores more if its result starts near the best entry point",
    paper="INEX 2006-2010, Best in Context",
    prepare=entry_points,
    trace=trace_entries,
    value=average_precision,
    parameters=(Parameter("n", 500.0, "distance in units at which the score reaches 0", low=1),),
    needs=frozenset({"entry points"}),
    rule="best-in-context",
    claims=frozenset({"split", "tail"}),
)
MAP = Measure(
    name="MAP",
    summary="average precision of articles, each ranked by its first result; @rank: over the first `rank` articles",
    paper="trec_eval, map",
    prepare=relevant_documents,
    trace=rank_relevant,
    value=average_precision,
    cutoffs=(Cutoff(RANK, "article", average_precision_at),),
    needs=frozenset({"articles"}),
    claims=frozenset({"split", "tail"}),
)

MEASURES = (F, GP, GR, AGP, MAGP, T2I, BEP, MAP)
