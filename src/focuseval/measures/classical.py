"""The classical measures of ranked lists, with the names of ir_measures and the values of trec_eval.

The parameter ``relevant`` chooses whether lists should find relevant documents or gold passages, and when a result
finds a passage. Values are in [0, 1] unless a parameter such as ``credit=every`` allows more. Higher is better.
Functions of several ranks return a value for each rank.

The module also contains bpref, the counts of trec_eval, and Judged@k, the share of judged documents.
"""

from dataclasses import dataclass, replace

import numpy as np

from focuseval.errors import InputError
from focuseval.measures.curves import TOLERANCE, at_end, at_ranks, rank_articles, relevant_documents
from focuseval.measures.declaration import CLAIMS, COUNTS, MICRO, RANK, Cutoff, Measure, Parameter
from focuseval.measures.text import RelevantUnits, TextRanking
from focuseval.model.arrays import Bools, Floats, Ints, is_among
from focuseval.model.intervals import meetings, new_text
from focuseval.model.judgements import Spans, Topic
from focuseval.model.results import ResultList


@dataclass(frozen=True, eq=False)
class Wanted:
    """The relevant documents of a topic, or its gold passages, that a list should find."""

    document: Ints  #: index of each relevant document, or of each passage's document, in increasing order
    gain: Floats
    passages: Spans | None  #: the passages; None if the list should find documents
    share: float  #: share of a passage that a result must contain to find it; 0 if any overlap suffices
    relevant: str = "document"  #: the parameter that states when a result finds a passage
    credit: str = "new"  #: the parameter that states which of several results for a passage are relevant


@dataclass(frozen=True, eq=False)
class ItemRanking:
    """The items of a list, with their relevance.

    Items are results, or documents in the order of their first results.
    """

    relevant: Bools  #: whether each item is relevant
    found: Ints  #: number of relevant documents or passages credited to each item
    gain: Floats
    ideal: Floats  #: gain of each relevant document or passage, in descending order
    text: TextRanking | None = None  #: the text of the items; None if precision counts items
    #: the number N of relevant documents or passages if the divisor of AP@k is min(k, N); None if the divisor is N
    most: int | None = None

    @classmethod
    def of(cls, gain: Floats, ideal: Floats) -> "ItemRanking":
        """Create a ranking from the gain of each item of the list and the gains of the ideal list.

        Each item with a positive gain counts as one relevant item.
        """
        relevant = gain > 0
        return cls(relevant, relevant.astype(np.int64), gain, ideal)

    @property
    def precision(self) -> Floats:
        """The precision up to each item: the share of relevant items or, if ``text`` is set, of gold in their text."""
        if self.text is not None:
            return self.text.precision
        return np.cumsum(self.relevant) / np.arange(1, len(self.relevant) + 1)

    @property
    def recall(self) -> Floats:
        """The share of the relevant documents or passages found up to each item."""
        return np.cumsum(self.found) / len(self.ideal)


def prepare_graded(topic: Topic, *, relevant: str, share: float, credit: str, gold: str) -> Wanted | None:
    """Return the relevant documents or passages of a topic with their grades as gains, or None if there are none.

    Without grades, all gains are 1, and a document is relevant if it has relevant content.
    """
    if relevant != "document":
        assert topic.spans is not None  # If the gold has passages, it has spans.
        items = topic.spans.joined() if gold == "joined" else topic.spans.without_repeats()
        if not len(items):
            return None
        held = share if relevant == "covers" else 0.0
        gain = np.ones(len(items)) if items.grade is None else items.grade.astype(float)
        return Wanted(items.document, gain, items, held, relevant, credit)
    if topic.assessed is not None and topic.grade is not None:
        graded = topic.grade > 0
        if not graded.any():
            return None
        return Wanted(topic.assessed[graded], topic.grade[graded].astype(float), None, 0.0)
    articles = relevant_documents(topic)
    return None if articles is None else Wanted(articles, np.ones(len(articles)), None, 0.0)


def prepare(
    topic: Topic, *, relevant: str, share: float, credit: str, gold: str, rel: float
) -> Wanted | None:
    """Return the relevant documents or passages of a topic, each with the gain 1, or None if there are none.

    Documents and passages with a grade below ``rel`` are not relevant. Raises InputError if ``rel`` is above 1 and
    documents have no grades.
    """
    graded = topic.grade if relevant == "document" else topic.spans
    if rel > 1 and graded is None:
        found, expected = "the gold has no grades", "give TREC qrels, or gold with grades"
        raise InputError.of(f"rel={rel:g}", found, expected)
    if rel > 1 and isinstance(graded, Spans):
        grade = np.ones(len(graded)) if graded.grade is None else graded.grade
        topic = replace(topic, spans=graded.among(grade >= rel))
    wanted = prepare_graded(topic, relevant=relevant, share=share, credit=credit, gold=gold)
    if wanted is None or not (kept := wanted.gain >= rel).any():
        return None
    return replace(wanted, document=wanted.document[kept], gain=np.ones(int(kept.sum())))


def trace(wanted: Wanted, results: ResultList) -> ItemRanking:
    """Return the ranking of a list's items, with the relevance and the gain of each item."""
    ideal = np.sort(wanted.gain)[::-1]
    if wanted.passages is not None:
        relevant, found, gain = _passages_found(wanted, wanted.passages, results)
        return ItemRanking(relevant, found, gain, ideal)
    relevant, place = is_among(rank_articles(results)[0], wanted.document)
    return ItemRanking.of(np.where(relevant, wanted.gain[place], 0.0), ideal)


def trace_success(wanted: Wanted, results: ResultList, *, of: str) -> ItemRanking:
    """Return the ranking of a list's items, with the relevance of each item.

    If ``of`` is "all", an item is relevant only if the items up to it find all gold.
    """
    if of == "any":
        return trace(wanted, results)
    ranking = trace(replace(wanted, credit="once"), results)
    return replace(ranking, relevant=ranking.recall >= 1 - TOLERANCE)


def trace_average(
    wanted: Wanted, results: ResultList, *, credit: str, precision: str, divisor: str
) -> ItemRanking:
    """Return the ranking of a list's items, from which average precision is computed.

    If ``precision`` is "text", precision counts the text of passages instead of items. If ``divisor`` is "at-most-k",
    average precision at k is divided by min(k, N) for N relevant documents or passages, else by N.
    """
    ranking, gold, text, most = trace(wanted, results), wanted.passages, None, None
    if precision == "text" and gold is not None:
        units = RelevantUnits(of := gold.text(), int((of.end - of.start).sum()), None, in_words=False)
        text = TextRanking(units, results, "summed" if credit == "every" else "once")
    if divisor == "at-most-k":
        most = len(ranking.ideal)
    return replace(ranking, text=text, most=most)


def _passages_found(wanted: Wanted, gold: Spans, results: ResultList) -> tuple[Bools, Ints, Floats]:
    """Return whether each result is relevant, how many passages it finds, and their largest gain."""
    start, end, low, high = gold.start, gold.end, results.start, results.end
    if wanted.relevant == "adjoins":  # One unit is added, so that touching intervals overlap.
        end, high = end + 1, high + 1
    elif wanted.relevant == "in-document":  # All intervals become [0, 1), so that only the document matters.
        start, end, low, high = 0 * start, 0 * end + 1, 0 * low, 0 * high + 1
    result, passage, shared = meetings(gold.document, start, end, results.own_document, low, high)
    holds = shared >= wanted.share * (gold.end - gold.start)[passage] - TOLERANCE
    if wanted.relevant == "exact":
        holds &= (low[result] == start[passage]) & (high[result] == end[passage])
    held = np.flatnonzero(holds)
    finding = held if wanted.credit == "every" else held[np.unique(passage[held], return_index=True)[1]]
    gain = np.zeros(len(results))
    np.maximum.at(gain, result[finding], wanted.gain[passage[finding]])
    relevant = gain > 0
    if wanted.credit == "every":
        return relevant, relevant.astype(np.int64), gain
    found = np.bincount(result[finding], minlength=len(results))
    if wanted.credit == "new":
        begin = np.maximum(low[result], start[passage])
        relevant[result[held[new_text(passage, begin, begin + shared)[held] > 0]]] = True
    return relevant, found, gain


def precision_at(ranking: ItemRanking, ranks: Ints) -> Floats:
    """Return the share of the first k items that are relevant, for each rank k (trec_eval's P).

    The divisor is k even if the list is shorter.
    """
    return at_ranks(np.cumsum(ranking.relevant, dtype=np.int64), ranks) / ranks


def recall_at(ranking: ItemRanking, ranks: Ints) -> Floats:
    """Return the share of the relevant documents or passages that the first k items find, for each rank k.

    This is trec_eval's recall.
    """
    return at_ranks(ranking.recall, ranks)


def success_at(ranking: ItemRanking, ranks: Ints) -> Floats:
    """Return, for each rank k, 1 if one of the first k items is relevant, else 0 (trec_eval's success)."""
    return (reciprocal_rank_at(ranking, ranks) > 0).astype(float)


def reciprocal_rank(ranking: ItemRanking) -> float:
    """Return ``1 / rank`` of the first relevant item, or 0 if no item is relevant (trec_eval's recip_rank)."""
    return float(1 / (np.argmax(ranking.relevant) + 1)) if ranking.relevant.any() else 0.0


def reciprocal_rank_at(ranking: ItemRanking, ranks: Ints) -> Floats:
    """Return, for each rank k, the `reciprocal_rank` of the first k items."""
    whole = reciprocal_rank(ranking)
    return np.where(whole * ranks >= 1 - TOLERANCE, whole, 0.0)


def _precision_collected(ranking: ItemRanking) -> Floats:
    """Return the running sum of precision, weighted by the number of documents or passages that each item finds."""
    return np.cumsum(ranking.precision * ranking.found)


def average_precision(ranking: ItemRanking) -> float:
    """Return average precision (trec_eval's map).

    Average precision is the sum of precision at the rank of each relevant document or passage that is found, divided by
    the number of relevant documents or passages.
    """
    wanted = ranking.most or len(ranking.ideal)
    return at_end(_precision_collected(ranking) / wanted)


def average_precision_at(ranking: ItemRanking, ranks: Ints) -> Floats:
    """Return the average precision of the first k items, for each rank k (trec_eval's map_cut).

    The divisor is N, the number of relevant documents or passages, or min(k, N) if ``divisor`` is "at-most-k".
    """
    wanted = np.minimum(ranks, ranking.most) if ranking.most else len(ranking.ideal)
    return at_ranks(_precision_collected(ranking), ranks) / wanted


def r_precision(ranking: ItemRanking) -> float:
    """Return ``P@N``, where N is the number of relevant documents or passages (trec_eval's Rprec)."""
    wanted = len(ranking.ideal)
    return float(np.count_nonzero(ranking.relevant[:wanted]) / wanted)


def prepare_err(
    topic: Topic, *, relevant: str, share: float, credit: str, gold: str, highest: float
) -> Wanted | None:
    """Return the relevant documents or passages of a topic with their grades as gains, or None if there are none.

    Raises InputError if a grade is above ``highest``.
    """
    wanted = prepare_graded(topic, relevant=relevant, share=share, credit=credit, gold=gold)
    if wanted is not None and (most := wanted.gain.max()) > highest:
        raise InputError.of(
            f"highest={highest:g}", f"the gold has a grade of {most:g}", f"expected highest={most:g} or more"
        )
    return wanted


def trace_err(wanted: Wanted, results: ResultList, *, highest: float) -> Floats:
    """Return ERR at each rank k, ``Σ_(r<=k) R(r)/r Π_(i<r) (1 - R(i))`` with ``R = (2^gain - 1) / 2^highest``.

    R(r) is the probability that a reader stops at item r. Source: Chapelle, Metzler, Zhang & Grinspan (2009), Eq. 4.
    """
    stops = np.expm1(np.log(2) * trace(wanted, results).gain) / 2**highest
    reached = np.cumprod(np.append(1.0, 1 - stops))[:-1]
    return np.cumsum(reached * stops / np.arange(1, len(stops) + 1))


def _discounted(gain: Floats) -> Floats:
    """Return the discounted cumulated gain ``Σ_(i<=r) gain(i) / log2(i + 1)`` at each rank r."""
    return np.cumsum(gain / np.log2(np.arange(2, len(gain) + 2)))


def ndcg(ranking: ItemRanking) -> float:
    """Return nDCG: the discounted cumulated gain ``Σ gain(i) / log2(i + 1)``, relative to the ideal list.

    This is trec_eval's ndcg. It is at least 0, and 1 for the ideal list. Higher is better. Järvelin & Kekäläinen (2002)
    divide gains by log_b(i) from rank b on, and do not discount earlier gains.
    """
    return at_end(_discounted(ranking.gain) / _discounted(ranking.ideal)[-1])


def ndcg_at(ranking: ItemRanking, ranks: Ints) -> Floats:
    """Return the nDCG of the first k items, for each rank k (trec_eval's ndcg_cut).

    The ideal list is also cut at rank k.
    """
    return at_ranks(_discounted(ranking.gain), ranks) / at_ranks(_discounted(ranking.ideal), ranks)


_OF_TEXT = ("touches", "covers", "exact", "adjoins", "in-document")
_RELEVANT = Parameter(
    "relevant",
    "document",
    "which items are relevant. document: relevant documents; touches, covers, exact, adjoins: results with this "
    "relation to a gold passage; in-document: results from a document with gold",
    choices=("document", *_OF_TEXT),
    document_choices=("document",),
    highlight_choices=_OF_TEXT,
)
_CREDIT = Parameter(
    "credit",
    "new",
    "which of several results for one gold passage are relevant. new: those with new text of the passage; once: the "
    "first; every: all",
    choices=("new", "once", "every"),
)
#: the parameter ``credit`` of measures that can exceed 1 with ``credit=every``
_CREDIT_OF_SUMS = replace(_CREDIT, unbounded_choices=("every",))
_PRECISION = Parameter(
    "precision",
    "results",
    "what precision at a rank measures. results: share of results that are relevant; text: share of the "
    "results' text that is gold (no effect with relevant=document)",
    choices=("results", "text"),
)
_DIVISOR = Parameter(
    "divisor",
    "all",
    "divisor in average precision. all: the number of relevant documents or passages; at-most-k: this number, "
    "but at most the cut-off",
    choices=("all", "at-most-k"),
    unbounded_choices=("at-most-k",),
)
_OF = Parameter(
    "of",
    "any",
    "what must be found. any: one relevant item; all: everything relevant",
    choices=("any", "all"),
)
_SHARE = Parameter(
    "share", 1.0, "share of a gold passage that a result must contain (relevant=covers)", high=1.0
)
#: the parameter that decides whether gold passages that touch or overlap are merged
GOLD = Parameter(
    "gold",
    "judged",
    "which gold passages count. judged: each; joined: passages that touch or overlap count as one",
    choices=("judged", "joined"),
)
_REL = Parameter("rel", 1.0, "lowest grade that counts as relevant", low=1.0)

NDCG = Measure(
    name="nDCG",
    summary="discounted cumulated gain, divided by that of the ideal list; gains are grades, or 1 without grades",
    paper="trec_eval, ndcg; after Järvelin & Kekäläinen 2002",
    prepare=prepare_graded,
    trace=trace,
    value=ndcg,
    parameters=(_RELEVANT, _SHARE, _CREDIT_OF_SUMS, GOLD),
    cutoffs=(Cutoff(RANK, "rank", ndcg_at),),
    needs=frozenset({"articles"}),
    claims=frozenset({"tail"}),
)
AP = replace(
    NDCG,
    name="AP",
    summary="average precision; @rank: over the first `rank` items",
    paper="trec_eval, map",
    prepare=prepare,
    trace=trace_average,
    value=average_precision,
    parameters=(_RELEVANT, _SHARE, _CREDIT_OF_SUMS, GOLD, _REL, _PRECISION, _DIVISOR),
    cutoffs=(Cutoff(RANK, "rank", average_precision_at),),
)
RR = replace(
    AP,
    trace=trace,
    name="RR",
    summary="reciprocal rank of the first relevant item (its mean is MRR); @rank: 0 if there is none up to this rank",
    parameters=(_RELEVANT, _SHARE, _CREDIT, GOLD, _REL),
    paper="trec_eval, recip_rank",
    value=reciprocal_rank,
    cutoffs=(Cutoff(RANK, "rank", reciprocal_rank_at),),
)
P = replace(
    RR,
    name="P",
    summary="share of the first `rank` items that are relevant",
    paper="trec_eval, P",
    value=None,
    cutoffs=(Cutoff(RANK, "rank", precision_at),),
)
RECALL = replace(
    P,
    name="Recall",
    summary="share of the relevant documents or passages that the first `rank` items find",
    paper="trec_eval, recall",
    parameters=(_RELEVANT, _SHARE, _CREDIT_OF_SUMS, GOLD, _REL),
    cutoffs=(Cutoff(RANK, "rank", recall_at),),
)
SUCCESS = replace(
    P,
    name="Success",
    trace=trace_success,
    summary="1 if any of the first `rank` items is relevant, else 0; of=all: 1 if these items find everything relevant",
    paper="trec_eval, success",
    parameters=(*P.parameters, _OF),
    cutoffs=(Cutoff(RANK, "rank", success_at),),
)
RPREC = replace(
    RR,
    name="Rprec",
    summary="precision at rank N, where N is the number of relevant documents or passages",
    paper="trec_eval, Rprec",
    value=r_precision,
    cutoffs=(),
)
ERR = Measure(
    name="ERR",
    summary="expected reciprocal rank of the item at which a reader stops; higher grades stop more readers",
    paper="Chapelle, Metzler, Zhang & Grinspan 2009; gdeval, err",
    prepare=prepare_err,
    trace=trace_err,
    value=at_end,
    parameters=(
        _RELEVANT,
        _SHARE,
        _CREDIT,
        GOLD,
        Parameter("highest", 4.0, "highest possible grade", low=1.0, high=100.0),
    ),
    cutoffs=(Cutoff(RANK, "rank", at_ranks),),
    needs=NDCG.needs,
    claims=NDCG.claims,
)


@dataclass(frozen=True, eq=False)
class JudgedDocuments:
    """The judged documents of a topic, with their grades."""

    document: Ints  #: sorted indexes of the documents
    #: grade of each document, negative if it is listed as unjudged; without grades, 1 if relevant, else 0
    grade: Ints
    least: float  #: the lowest grade that counts as relevant

    @property
    def relevant(self) -> int:
        """The number of relevant documents."""
        return int(np.count_nonzero(self.grade >= self.least))

    @property
    def irrelevant(self) -> int:
        """The number of documents that were judged not relevant."""
        return int(np.count_nonzero(self.grade >= 0)) - self.relevant


def prepare_judged(topic: Topic, *, rel: float) -> JudgedDocuments:
    """Return the judged documents of a topic.

    Documents are relevant if their grade is at least ``rel``.
    """
    nothing = np.empty(0, dtype=np.int64)
    listed = nothing if topic.assessed is None else topic.assessed
    if topic.grade is not None:
        return JudgedDocuments(listed, topic.grade, rel)
    found = relevant_documents(topic)
    relevant = nothing if found is None else found
    document = np.union1d(listed, relevant)
    return JudgedDocuments(document, np.isin(document, relevant).astype(int), rel)


def prepare_all(topic: Topic) -> JudgedDocuments:
    """Return the judged documents of a topic, all of which count as relevant."""
    return prepare_judged(topic, rel=0)


def prepare_relevant(topic: Topic, *, rel: float) -> JudgedDocuments | None:
    """Return the judged documents of a topic, or None if none of them is relevant."""
    judged = prepare_judged(topic, rel=rel)
    return judged if judged.relevant else None


def _grades(judged: JudgedDocuments, results: ResultList) -> tuple[Bools, Ints]:
    """Return, for each document of the list, whether it is judged, and its grade (-1 if it is not judged)."""
    is_judged, place = is_among(rank_articles(results)[0], judged.document)
    return is_judged, np.where(is_judged, judged.grade[place] if len(judged.grade) else -1, -1)


def trace_judged(judged: JudgedDocuments, results: ResultList) -> Floats:
    """Return, for each rank k, the share of the first k documents that are judged, or listed as unjudged."""
    is_judged = _grades(judged, results)[0]
    return np.cumsum(is_judged) / np.arange(1, len(is_judged) + 1)


def trace_bpref(judged: JudgedDocuments, results: ResultList) -> float:
    """Return trec_eval's bpref, ``1/R Σ_d (1 - min(n(d), R) / min(N, R))``. It is in [0, 1], and higher is better.

    There are R relevant documents and N irrelevant ones. The sum is over the relevant documents d in the list. n(d)
    irrelevant documents are ranked above d. Unjudged documents are ignored. Source: Buckley & Voorhees, SIGIR 2004.
    """
    grade = _grades(judged, results)[1]
    relevant = grade >= judged.least
    before = np.cumsum((grade >= 0) & ~relevant)[relevant]
    R = judged.relevant
    return at_end(np.cumsum(1 - np.minimum(before, R) / max(min(judged.irrelevant, R), 1)) / R)


def trace_returned(judged: JudgedDocuments, results: ResultList) -> int:
    """Return the number of documents in the list that have at least the lowest relevant grade.

    If the lowest relevant grade is 0, all documents in the list count, including unjudged documents.
    """
    return int(np.count_nonzero((_grades(judged, results)[1] >= judged.least) | (judged.least <= 0)))


def trace_wanted(judged: JudgedDocuments, results: ResultList) -> int:
    """Return the number of relevant documents of a topic, which does not depend on the list."""
    return judged.relevant


BPREF = Measure(
    name="bpref",
    summary="higher if fewer judged irrelevant documents precede relevant ones; unjudged documents are ignored",
    paper="Buckley & Voorhees 2004; trec_eval, bpref",
    prepare=prepare_relevant,
    trace=trace_bpref,
    value=float,
    parameters=(_REL,),
    needs=P.needs,
    claims=frozenset({"split", "tail"}),
)
JUDGED = Measure(
    name="Judged",
    summary="share of the returned documents that were judged; @rank: of the first `rank` documents",
    paper="ir_measures, Judged",
    prepare=prepare_all,
    trace=trace_judged,
    value=at_end,
    cutoffs=(Cutoff(RANK, "rank", at_ranks),),
    needs=P.needs,
    claims=frozenset({"split"}),
)
NUM_RET = Measure(
    name="NumRet",
    summary="number of returned documents, added up over topics",
    paper="trec_eval, num_ret",
    prepare=prepare_judged,
    trace=trace_returned,
    value=lambda count: np.full(len(COUNTS), float(count)),
    parameters=(
        replace(
            _REL,
            default=0.0,
            low=0.0,
            summary="lowest grade of the counted documents; 0: all documents count",
        ),
    ),
    average=MICRO,
    pool=lambda counts: counts[..., 0],
    needs=P.needs,
    bounds=(0.0, float("inf")),
    claims=frozenset({"ties", "split"}),
)
NUM_REL_RET = replace(
    NUM_RET,
    name="NumRelRet",
    summary="number of relevant documents that are returned, added up over topics",
    paper="trec_eval, num_rel_ret",
    parameters=(_REL,),
    claims=frozenset(CLAIMS),
)
NUM_REL = replace(
    NUM_REL_RET,
    name="NumRel",
    summary="number of relevant documents, added up over topics",
    paper="trec_eval, num_rel",
    trace=trace_wanted,
)

MEASURES = (P, RECALL, SUCCESS, RR, AP, RPREC, NDCG, ERR, BPREF, JUDGED, NUM_RET, NUM_REL, NUM_REL_RET)
