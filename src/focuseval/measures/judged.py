"""Measures of what was judged at all, and how many documents there are: trec_eval's bpref and counts, Judged@k."""

from dataclasses import dataclass, replace

import numpy as np

from focuseval.measures import article_precision
from focuseval.measures.classical import P
from focuseval.measures.curves import at_end, at_ranks
from focuseval.measures.declaration import CLAIMS, COUNTS, MICRO, RANK, Cutoff, Measure
from focuseval.measures.generalised import rank_articles
from focuseval.model.arrays import Bools, Floats, Ints, is_among
from focuseval.model.judgements import Topic
from focuseval.model.results import ResultList


@dataclass(frozen=True, eq=False)
class Judged:
    """The documents that were judged for a topic."""

    document: Ints  #: (D,) sorted
    grade: (
        Ints  #: (D,) 1 where nothing is graded and something is relevant; below 0: in the pool and not judged
    )
    least: float  #: the lowest grade that is relevant

    @property
    def relevant(self) -> int:
        """How many are relevant."""
        return int(np.count_nonzero(self.grade >= self.least))

    @property
    def irrelevant(self) -> int:
        """How many were judged and are not relevant."""
        return int(np.count_nonzero(self.grade >= 0)) - self.relevant


def prepare(topic: Topic, *, rel: float) -> Judged:
    """The judged documents, whether or not any is relevant."""
    nothing = np.empty(0, dtype=np.int64)
    listed = nothing if topic.assessed is None else topic.assessed
    if topic.grade is not None:
        return Judged(listed, topic.grade, rel)
    relevant = article_precision.prepare(topic)
    document = np.union1d(listed, nothing if relevant is None else relevant)
    return Judged(document, np.isin(document, nothing if relevant is None else relevant).astype(int), rel)


def prepare_all(topic: Topic) -> Judged:
    """The same, whatever is relevant."""
    return prepare(topic, rel=0)


def prepare_relevant(topic: Topic, *, rel: float) -> Judged | None:
    """The same, None if none is relevant."""
    judged = prepare(topic, rel=rel)
    return judged if judged.relevant else None


def _grades(judged: Judged, results: ResultList) -> tuple[Bools, Ints]:
    """(K,) whether the list's documents are judged, each at its first result, and their grades, -1 if not."""
    known, place = is_among(rank_articles(results)[0], judged.document)
    return known, np.where(known, judged.grade[place] if len(judged.grade) else -1, -1)


def trace_judged(judged: Judged, results: ResultList) -> Floats:
    """(K,) ``judged documents among the first k / k`` at every rank k of the list."""
    known = _grades(judged, results)[0]
    return np.cumsum(known) / np.arange(1, len(known) + 1)


def trace_bpref(judged: Judged, results: ResultList) -> float:
    """``1/R Σ (1 - min(n(d), R) / min(N, R))`` over the R relevant documents d that are found.

    n(d) irrelevant ones of all N stand before d; what was not judged is passed over. trec_eval's bpref; Buckley &
    Voorhees (SIGIR 2004). In [0, 1], higher is better.
    """
    grade = _grades(judged, results)[1]
    relevant = grade >= judged.least
    before = np.cumsum((grade >= 0) & ~relevant)[relevant]
    R = judged.relevant
    return (
        float(np.cumsum(1 - np.minimum(before, R) / max(min(judged.irrelevant, R), 1))[-1] / R)
        if len(before)
        else 0.0
    )


def trace_returned(judged: Judged, results: ResultList) -> int:
    """How many documents the list has; of a ``rel`` above 0 those of that grade."""
    return int(np.count_nonzero((_grades(judged, results)[1] >= judged.least) | (judged.least <= 0)))


def trace_wanted(judged: Judged, results: ResultList) -> int:
    """How many documents are relevant."""
    return judged.relevant


_REL = next(parameter for parameter in P.parameters if parameter.name == "rel")

BPREF = Measure(
    name="bpref",
    summary="share of judged irrelevant documents that are not before relevant ones; others do not matter",
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
    summary="share of the list that was judged; @k: of the first k, or of all where there are fewer",
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
    summary="documents that are returned; added up over topics",
    paper="trec_eval, num_ret",
    prepare=prepare,
    trace=trace_returned,
    value=lambda count: np.full(len(COUNTS), float(count)),
    parameters=(
        replace(_REL, default=0.0, low=0.0, summary="counts those of this grade or a higher one; 0: all"),
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
    summary="relevant documents that are returned; added up over topics",
    paper="trec_eval, num_rel_ret",
    parameters=(_REL,),
    claims=frozenset(CLAIMS),
)
NUM_REL = replace(
    NUM_REL_RET,
    name="NumRel",
    summary="relevant documents; added up over topics",
    paper="trec_eval, num_rel",
    trace=trace_wanted,
)

MEASURES = (BPREF, JUDGED, NUM_RET, NUM_REL, NUM_REL_RET)
