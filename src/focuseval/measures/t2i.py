"""Relevant in Context with tolerance to irrelevance: what a reader gets before giving an article up."""

from dataclasses import dataclass

import numpy as np

from focuseval.errors import GIVE_DOCUMENTS, InputError, Problem, Sentence
from focuseval.measures import relevant_in_context
from focuseval.measures.declaration import Measure, Parameter
from focuseval.measures.generalised import ArticleRanking, average_precision, rank_articles
from focuseval.measures.relevant_in_context import RelevantText
from focuseval.model.arrays import Floats, Ints, is_among
from focuseval.model.intervals import covered, merge
from focuseval.model.judgements import Topic
from focuseval.model.results import ResultList


@dataclass(frozen=True, eq=False)
class RelevantArticles:
    """The relevant articles of a topic (R), with the sizes of their whole texts."""

    text: RelevantText
    length: Ints  #: (R,) in units


def prepare(topic: Topic) -> RelevantArticles | None:
    """The relevant articles; raises InputError if the size of one of them is not known."""
    text = relevant_in_context.prepare(topic)
    if text is None:
        return None
    collection = topic.collection
    root = collection.root(text.document)
    known = root < collection.first[text.document + 1]
    length = np.full(len(root), -1, dtype=np.int64)
    length[known] = collection.end[root[known]]
    if (length < 0).any():
        raise InputError(
            [
                Problem(
                    f"topic {topic.name}",
                    f"document {collection.names[document]}",
                    "the size of the document is not known",
                    Sentence(
                        "it reads them to their end: ", GIVE_DOCUMENTS, ", or FOL qrels, which have sizes"
                    ),
                )
                for document in text.document[length < 0]
            ]
        )
    return RelevantArticles(text, length)


def read(articles: RelevantArticles, place: Ints, results: ResultList, tolerance: float) -> Floats:
    """(A',) what a reader gets from each of the given articles: ``relevant / (relevant + irrelevant)``.

    The reader reads the returned passages in document order, then the rest of the article in document
    order, and stops after ``tolerance`` irrelevant units. In [0, 1], higher is better.
    ``place`` (A',) are indices of relevant articles, all of them returned. Text is cut where a passage or a
    highlight begins or ends; no piece is read twice.
    """
    highlights = articles.text.highlights
    count = len(place)
    index = np.full(len(articles.length), -1, dtype=np.int64)
    index[place] = np.arange(count)

    def here(documents: Ints) -> Ints:
        """Index of each document among the given articles, -1 if it is none of them."""
        known, at = is_among(documents, articles.text.document)
        return np.where(known, index[at], -1)

    returned = np.where(results.resolved, here(results.document), -1)
    kept = returned >= 0
    held, held_start, held_end = merge(returned[kept], results.start[kept], results.end[kept])
    marked = here(highlights.document)
    marks, mark_start, mark_end = (c[marked >= 0] for c in (marked, highlights.start, highlights.end))

    everything = np.arange(count)
    nothing = np.zeros(count, dtype=np.int64)
    found = returned[kept]
    article = np.concatenate([everything, everything, found, found, marks, marks])
    passages = (
        results.start[kept],
        results.end[kept],
    )  # one without text cuts, too: the gap before it ends there
    cut = np.concatenate([nothing, articles.length[place], *passages, mark_start, mark_end])
    order = np.lexsort((cut, article))
    article, cut = article[order], cut[order]
    piece = np.flatnonzero((article[1:] == article[:-1]) & (cut[1:] > cut[:-1]))
    article, start, end = article[piece], cut[piece], cut[piece + 1]

    in_passage = covered(held, held_start, held_end, article, start, end) > 0
    is_relevant = covered(marks, mark_start, mark_end, article, start, end) > 0
    order = np.lexsort((start, ~in_passage, article))
    article, size, is_relevant = article[order], (end - start)[order], is_relevant[order]

    lost = np.where(results.resolved, 0, results.size)  # what is nowhere is read first, and in vain
    wasted = np.bincount(np.where(results.resolved, 0, here(results.document) + 1), lost, count + 1)[1:]
    irrelevant = np.where(is_relevant, 0, size)
    before = np.cumsum(irrelevant) - irrelevant
    first = np.searchsorted(article, everything)
    before = before - before[first][article] + wasted[article]
    gained = is_relevant & (before < tolerance)
    good = np.bincount(article[gained], weights=size[gained], minlength=count)
    bad = np.bincount(article, weights=irrelevant, minlength=count) + wasted
    return good / np.maximum(good + np.minimum(bad, tolerance), 1)


def trace(articles: RelevantArticles, results: ResultList, *, tolerance: float) -> ArticleRanking:
    """The run's articles with what a tolerant reader gets from each."""
    document, _ = rank_articles(results)
    relevant, place = is_among(document, articles.text.document)
    score = np.zeros(len(document))
    if relevant.any():
        score[relevant] = read(articles, place[relevant], results, tolerance)
    return ArticleRanking(score, relevant, len(articles.length))


T2I = Measure(
    name="T2I",
    summary="average generalised precision of what a reader gets from each article before giving it up",
    paper="INEX 2009-2010, Relevant in Context with tolerance to irrelevance",
    prepare=prepare,
    trace=trace,
    value=average_precision,
    parameters=(Parameter("tolerance", 300.0, "irrelevant units after which a reader stops", low=1),),
    needs=frozenset({"highlights"}),
    rule="relevant-in-context",
    claims=frozenset({"split", "tail"}),
)

MEASURES = (T2I,)
