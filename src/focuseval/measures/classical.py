"""The classical measures of ranked lists: the names are ir_measures', the numbers trec_eval's.

What is to be found is a topic's relevant documents, or its gold passages: the parameter ``relevant`` says which,
and when a result has found one. All values are in [0, 1], and higher is better. At ranks k from 1, (P,), there are (P,)
of them.
"""

from dataclasses import dataclass, replace

import numpy as np

from focuseval.errors import InputError
from focuseval.measures import article_precision
from focuseval.measures.curves import TOLERANCE, at_ranks
from focuseval.measures.declaration import RANK, Cutoff, Measure, Parameter
from focuseval.measures.generalised import rank_articles
from focuseval.model.arrays import Bools, Floats, Ints, is_among
from focuseval.model.intervals import meetings, new_text
from focuseval.model.judgements import Highlights, Topic
from focuseval.model.results import ResultList


@dataclass(frozen=True, eq=False)
class Wanted:
    """What is to be found for a topic: N documents, or N gold passages."""

    document: Ints  #: (N,) sorted
    gain: Floats  #: (N,) what each is worth
    passages: Highlights | None  #: (N,) the passages; None where documents are wanted
    share: float  #: of a passage that a result must hold; 0: a character
    adjoining: bool = False  #: whether a result that only touches a passage holds it
    credit: str = "new"  #: which results that hold a passage are relevant (`_CREDIT`)


@dataclass(frozen=True, eq=False)
class Ranking:
    """What a list finds, item by item: its documents at their first results, or its results (K items)."""

    relevant: Bools  #: (K,)
    found: Ints  #: (K,) how many of what is wanted each finds that none before it found
    gain: Floats  #: (K,) what that is worth
    ideal: Floats  #: (N,) the gains of the ideal list, falling

    @property
    def precision(self) -> Floats:
        """(K,) share of the items up to each that are relevant."""
        return np.cumsum(self.relevant) / np.arange(1, len(self.relevant) + 1)

    @property
    def recall(self) -> Floats:
        """(K,) share of what is wanted that was found up to each item."""
        return np.cumsum(self.found) / len(self.ideal)


def prepare_graded(topic: Topic, *, relevant: str, share: float, credit: str) -> Wanted | None:
    """What is to be found, with the grades of documents as gains; None if there is nothing.

    Documents without grades (all but those of TREC qrels) have the grade 1 if something in them is relevant.
    """
    if relevant != "document":
        text = topic.highlights
        if text is None or not len(text.start):
            return None
        held = share if relevant == "covers" else 0.0
        return Wanted(text.document, np.ones(len(text.start)), text, held, relevant == "adjoins", credit)
    if topic.assessed is not None and topic.grade is not None:
        graded = topic.grade > 0
        if not graded.any():
            return None
        return Wanted(topic.assessed[graded], topic.grade[graded].astype(float), None, 0.0)
    articles = article_precision.prepare(topic)
    return None if articles is None else Wanted(articles, np.ones(len(articles)), None, 0.0)


def prepare(topic: Topic, *, relevant: str, share: float, credit: str, rel: float) -> Wanted | None:
    """What is to be found, each worth the same: of documents, those of a grade of at least ``rel``.

    Raises InputError for a ``rel`` above 1 where there are no grades.
    """
    if rel > 1 and (relevant != "document" or topic.grade is None):
        found, expected = "there are no grades to compare with", "expected TREC qrels, and relevant=document"
        raise InputError.of(f"rel={rel:g}", found, expected)
    wanted = prepare_graded(topic, relevant=relevant, share=share, credit=credit)
    if wanted is None:
        return None
    kept = wanted.gain >= rel
    return (
        replace(wanted, document=wanted.document[kept], gain=np.ones(int(kept.sum()))) if kept.any() else None
    )


def trace(wanted: Wanted, results: ResultList) -> Ranking:
    """What the list finds."""
    ideal = np.sort(wanted.gain)[::-1]
    if wanted.passages is not None:
        relevant, found = _passages_found(wanted, wanted.passages, results)
        return Ranking(relevant, found, (found > 0).astype(float), ideal)
    relevant, place = is_among(rank_articles(results)[0], wanted.document)
    return Ranking(relevant, relevant.astype(np.int64), np.where(relevant, wanted.gain[place], 0.0), ideal)


def _passages_found(wanted: Wanted, gold: Highlights, results: ResultList) -> tuple[Bools, Ints]:
    """(K,) whether each result is relevant, and how many passages it finds."""
    more = int(wanted.adjoining)  # a unit more, and intervals that only touch share it
    place = gold.document, gold.start, gold.end + more
    result, passage, shared = meetings(*place, results.own_document, results.start, results.end + more)
    held = shared >= wanted.share * (gold.end - gold.start)[passage] - TOLERANCE
    if wanted.credit == "every":
        relevant = np.bincount(result[held], minlength=len(results)) > 0
        return relevant, relevant.astype(np.int64)
    first = np.unique(passage[held], return_index=True)[1]
    found = np.bincount(result[held][first], minlength=len(results))
    relevant = found > 0
    if wanted.credit == "new":
        low = np.maximum(results.start[result], gold.start[passage])
        relevant[result[held & (new_text(passage, low, low + shared) > 0)]] = True
    return relevant, found


def precision_at(ranking: Ranking, ranks: Ints) -> Floats:
    """``P@k``: relevant items among the first k, divided by k, however short the list: trec_eval's P."""
    return at_ranks(np.cumsum(ranking.relevant, dtype=np.int64), ranks) / ranks


def recall_at(ranking: Ranking, ranks: Ints) -> Floats:
    """``R@k``: share of what is wanted that the first k items find: trec_eval's recall."""
    return at_ranks(ranking.recall, ranks)


def success_at(ranking: Ranking, ranks: Ints) -> Floats:
    """1 if one of the first k items is relevant, else 0: trec_eval's success."""
    return (reciprocal_rank_at(ranking, ranks) > 0).astype(float)


def reciprocal_rank(ranking: Ranking) -> float:
    """``1 / rank`` of the first relevant item, 0 without one: trec_eval's recip_rank."""
    return float(1 / (np.argmax(ranking.relevant) + 1)) if ranking.relevant.any() else 0.0


def reciprocal_rank_at(ranking: Ranking, ranks: Ints) -> Floats:
    """The same over the first k items: 0 where the first relevant one stands behind them."""
    whole = reciprocal_rank(ranking)
    return np.where(whole * ranks >= 1 - TOLERANCE, whole, 0.0)


def _precision_collected(ranking: Ranking) -> Floats:
    """(K,) sum of ``P@r (R@r - R@(r-1))`` up to each item."""
    return np.cumsum(ranking.precision * ranking.found) / len(ranking.ideal)


def average_precision(ranking: Ranking) -> float:
    """``sum over r of P@r (R@r - R@(r-1))``: of documents, trec_eval's map."""
    return float(_precision_collected(ranking)[-1]) if len(ranking.found) else 0.0


def average_precision_at(ranking: Ranking, ranks: Ints) -> Floats:
    """The sum over the first k items, all that is wanted still in the denominator: trec_eval's map_cut."""
    return at_ranks(_precision_collected(ranking), ranks)


def _discounted(gain: Floats) -> Floats:
    """``sum_(i<=r) gain(i) / log2(i + 1)`` at every rank."""
    return np.cumsum(gain / np.log2(np.arange(2, len(gain) + 2)))


def ndcg(ranking: Ranking) -> float:
    """``sum of gain(i) / log2(i + 1)``, divided by that of the ideal list: trec_eval's ndcg.

    In [0, 1], higher is better. Järvelin & Kekäläinen (2002) divide the gain at rank i by log_b(i) from rank b on, and
    the earlier ones by nothing.
    """
    return float(_discounted(ranking.gain)[-1] / _discounted(ranking.ideal)[-1]) if len(ranking.gain) else 0.0


def ndcg_at(ranking: Ranking, ranks: Ints) -> Floats:
    """The same over the first k items and the first k of the ideal list: trec_eval's ndcg_cut."""
    return at_ranks(_discounted(ranking.gain), ranks) / at_ranks(_discounted(ranking.ideal), ranks)


_OF_TEXT = ("touches", "covers", "adjoins")
_RELEVANT = Parameter(
    "relevant",
    "document",
    "document: a document, at its first result; touches, covers: a result that holds gold text; adjoins: one that "
    "holds gold text or ends where it begins",
    choices=("document", *_OF_TEXT),
    document_choices=("document",),
    highlight_choices=_OF_TEXT,
)
_CREDIT = Parameter(
    "credit",
    "new",
    "results that hold a gold passage are relevant if they hold new text of it (new), are the first to hold it (once), "
    "or always (every), which counts it with each",
    choices=("new", "once", "every"),
)
#: the same where what is found is added up
_CREDIT_OF_SUMS = replace(
    _CREDIT, summary=f"{_CREDIT.summary}, so that values can exceed 1", unbounded_choices=("every",)
)
_SHARE = Parameter("share", 1.0, "of a gold passage that a result covers", high=1.0)
_REL = Parameter("rel", 1.0, "the lowest grade that is relevant (TREC qrels)", low=1.0)

NDCG = Measure(
    name="nDCG",
    summary="discounted cumulated gain relative to the ideal list's; gains are the grades of TREC qrels, else 1",
    paper="trec_eval, ndcg; after Järvelin & Kekäläinen 2002",
    prepare=prepare_graded,
    trace=trace,
    value=ndcg,
    parameters=(_RELEVANT, _SHARE, _CREDIT_OF_SUMS),
    cutoffs=(Cutoff(RANK, "rank", ndcg_at),),
    needs=frozenset({"articles"}),
    claims=frozenset({"tail"}),
)
AP = replace(
    NDCG,
    name="AP",
    summary="average precision; @k: over the first k",
    paper="trec_eval, map",
    prepare=prepare,
    value=average_precision,
    parameters=(_RELEVANT, _SHARE, _CREDIT_OF_SUMS, _REL),
    cutoffs=(Cutoff(RANK, "rank", average_precision_at),),
)
RR = replace(
    AP,
    name="RR",
    summary="reciprocal rank of the first that is relevant (its mean is MRR); @k: 0 behind rank k",
    parameters=(_RELEVANT, _SHARE, _CREDIT, _REL),
    paper="trec_eval, recip_rank",
    value=reciprocal_rank,
    cutoffs=(Cutoff(RANK, "rank", reciprocal_rank_at),),
)
P = replace(
    AP,
    name="P",
    summary="share of the first k that are relevant",
    paper="trec_eval, P",
    value=None,
    parameters=(_RELEVANT, _SHARE, _CREDIT, _REL),
    cutoffs=(Cutoff(RANK, "rank", precision_at),),
)
RECALL = replace(
    P,
    name="Recall",
    summary="share of what is relevant that the first k find (ir_measures' R@k)",
    paper="trec_eval, recall",
    parameters=AP.parameters,
    cutoffs=(Cutoff(RANK, "rank", recall_at),),
)
SUCCESS = replace(
    P,
    name="Success",
    summary="1 if one of the first k is relevant",
    paper="trec_eval, success",
    cutoffs=(Cutoff(RANK, "rank", success_at),),
)

MEASURES = (P, RECALL, SUCCESS, RR, AP, NDCG)
