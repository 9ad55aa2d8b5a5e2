"""Runs as columns: what each system returned for each topic."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from focuseval.arguments import one_of, optional, read_argument
from focuseval.model.arrays import Bools, Floats, Ints, changes, is_among, place_in_group
from focuseval.model.elements import Collection
from focuseval.model.intervals import new_text
from focuseval.model.judgements import Topic

#: columns of a result's place, and all columns of `Results`
PLACE = ("document", "element", "start", "end")
COLUMNS = ("run", "topic", "rank", *PLACE, "score")

#: orders that a user may choose
RANKED_BY = ("score", "order", "rank", TREC_EVAL := "trec_eval")

#: size in characters of a result that cannot be resolved, as INEX counted it
UNRESOLVED_SIZE = 18


@dataclass(frozen=True)
class Ranking:
    """The rule that orders the results of a topic, and which of them tie.

    ``by="score"`` sorts by falling score, equal scores by the order of the file; ``"order"`` is the order of
    the file; ``"rank"`` are the ranks as they are, equal ones tied; ``"trec_eval"`` is falling score in single
    precision, equal scores by falling name of the document. None is the format's own way.
    """

    by: str | None = None  #: one of `RANKED_BY`, or None
    equal_scores_tie: bool = False  #: whether neighbours that have the same score share a rank, too

    def __post_init__(self) -> None:
        read_argument("rank_by", self.by, optional(one_of(RANKED_BY)))


def place_in_list(run: Ints, topic: Ints) -> Ints:
    """Return (M,) the place of each result in its list, from 0; lists follow one another."""
    return place_in_group(run, topic)


def among_first(run: Ints, topic: Ints, size: int) -> Bools:
    """Return (M,) whether each result is one of the first ``size`` of its list; lists follow one another."""
    return place_in_list(run, topic) < size


@dataclass(frozen=True, eq=False)
class ResultList:
    """The results of one run for one topic, in rank order (K results).

    An element result has a row and its interval; a passage has an interval and the row -1. An
    unresolved result (``lenient`` only) has the document -1 or a known one, the row -1 and the
    interval ``[-18, 0)``, which meets no text.
    """

    run: str
    topic: str
    rank: Ints  #: (K,) non-decreasing; results of equal rank are tied
    document: Ints  #: (K,) index into ``Collection.names``, -1 if unknown
    element: Ints  #: (K,) row of the collection, -1 for passages and unresolved results
    start: Ints  #: (K,) in units
    end: Ints  #: (K,) in units
    line: Ints | None = None  #: (K,) line of the run's file, where there is one
    source: str = ""  #: the run's file, where there is one

    def __len__(self) -> int:
        return len(self.rank)

    @classmethod
    def empty(cls, run: str, topic: str) -> "ResultList":
        """The list of a run without results for a topic."""
        nothing = np.empty(0, dtype=np.int64)
        return cls(run, topic, nothing, nothing, nothing, nothing, nothing)

    def first(self, count: int) -> "ResultList":
        """The first results of the list."""
        if count >= len(self):
            return self
        columns = ("rank", *PLACE)
        line = None if self.line is None else self.line[:count]
        return replace(self, **{name: getattr(self, name)[:count] for name in columns}, line=line)

    @cached_property
    def last_of_rank(self) -> Ints:
        """(L,) the place of the last result of each rank; ties share one."""
        return np.flatnonzero(np.diff(self.rank, append=np.iinfo(np.int64).max))

    @cached_property
    def resolved(self) -> Bools:
        """(K,) whether the result is a known element or passage."""
        return (self.start >= 0) & (self.document >= 0)

    @cached_property
    def own_document(self) -> Ints:
        """(K,) the document of each result; what is not resolved lies in one of its own below 0."""
        return np.where(self.resolved, self.document, -1 - np.arange(len(self)))

    @cached_property
    def size(self) -> Ints:
        """(K,) size of each result in units."""
        return self.end - self.start

    @cached_property
    def repeats(self) -> Bools:
        """(K,) whether the same element (or the same passage) is earlier in the list."""
        if np.array_equal(self.element, self.document):  # documents alone
            return ~self.first_of_article & self.resolved
        if (self.element >= 0).all():  # rows identify elements
            return pd.Index(self.element).duplicated() & self.resolved
        place = [getattr(self, name) for name in PLACE]
        order = np.lexsort(place)  # stable: of equal results the first in the list stays first
        repeated = np.empty(len(self), dtype=bool)
        repeated[order] = ~changes(*(column[order] for column in place))
        return repeated & self.resolved

    def found_among(self, elements: Ints) -> tuple[Bools, Ints]:
        """(K,) whether each result is one of the sorted elements, and its place there, any where it is not."""
        return is_among(self.element, elements)

    @cached_property
    def new_text(self) -> Ints:
        """(K,) size of each result less the text of all results before it, in units."""
        document = self.own_document
        return new_text(document - document.min(initial=0), self.start, self.end)

    @cached_property
    def new_element_text(self) -> Ints:
        """(K,) the same among element results only, as if others had no text; 0 for those."""
        resolved = self.element >= 0
        start, end = np.where(resolved, self.start, 0), np.where(resolved, self.end, 0)
        return new_text(np.maximum(self.document, 0), start, end)

    @property
    def _own_article(self) -> Ints:
        """(K,) the document of each result, every unknown one by itself below 0."""
        return np.where(self.document < 0, -1 - np.arange(len(self)), self.document)

    @cached_property
    def article(self) -> Ints:
        """(K,) 0, 1, 2 … by the first result of each article; every unknown document is one of its own."""
        return pd.factorize(self._own_article)[0]

    @cached_property
    def first_of_article(self) -> Bools:
        """(K,) whether each result is the first of its article."""
        return ~pd.Index(self._own_article).duplicated()


@dataclass(frozen=True, eq=False)
class Results:
    """The results of one or more runs, sorted by run, topic and rank (M results in all).

    There may be many millions: whole numbers have 32 bits where they fit. Those of a `ResultList` have 64, so that
    measures may multiply them.
    """

    runs: pd.Index  #: run names
    topics: pd.Index  #: topic names
    run: Ints  #: (M,) index into ``runs``
    topic: Ints  #: (M,) index into ``topics``
    rank: Ints  #: (M,) non-decreasing within a list; equal ranks are ties
    document: Ints  #: (M,)
    element: Ints  #: (M,)
    start: Ints  #: (M,)
    end: Ints  #: (M,)
    score: Floats  #: (M,) the system's own score, NaN if it gave none
    line: Ints | None = None  #: (M,) line of the run's file, where there is one
    sources: Sequence[str] = ()  #: the file of each run, where they come from files

    def __len__(self) -> int:
        return len(self.run)

    def topics_with_rising_scores(self) -> dict[str, int]:
        """Count the topics of each run in which a score is above the one before it; runs without one are left out."""
        topics = {}
        begins = np.searchsorted(self.run, np.arange(len(self.runs) + 1, dtype=self.run.dtype))
        for name, begin, end in zip(self.runs, begins, begins[1:], strict=False):
            topic, score = self.topic[begin:end], self.score[begin:end]
            rising = (score[1:] > score[:-1]) & (topic[1:] == topic[:-1])
            if rising.any():
                topics[str(name)] = len(np.unique(topic[1:][rising]))
        return topics

    @cached_property
    def bounds(self) -> Ints:
        """(L + 1,) where each result list begins, and M."""
        return np.append(np.flatnonzero(changes(self.run, self.topic)), len(self))

    def each_run(self) -> Iterator["Results"]:
        """The results of every run by itself."""
        begins = np.searchsorted(self.run, np.arange(len(self.runs) + 1, dtype=self.run.dtype))
        for number, (begin, end) in enumerate(pairwise(begins.tolist())):
            columns: dict[str, Any] = {name: getattr(self, name)[begin:end] for name in COLUMNS[1:]}
            yield replace(
                self,
                runs=self.runs[number : number + 1],
                run=np.zeros(end - begin, dtype=np.int32),
                **columns,
                line=None if self.line is None else self.line[begin:end],
                sources=self.sources[number : number + 1],
            )

    def lists(self) -> Iterator[ResultList]:
        """Yield every result list, by run and topic, with 64-bit numbers."""
        runs, topics = list(map(str, self.runs)), list(map(str, self.topics))
        for begin, end in pairwise(self.bounds.tolist()):
            part, run = slice(begin, end), self.run[begin]
            columns = {name: getattr(self, name)[part] for name in ("rank", *PLACE)}
            yield ResultList(
                run=runs[run],
                topic=topics[self.topic[begin]],
                **{name: column.astype(np.int64, copy=False) for name, column in columns.items()},
                line=None if self.line is None else self.line[part],
                source=self.sources[run] if self.sources else "",
            )


def by_score(topic: Topic, row: Ints, score: Floats) -> pd.DataFrame:
    """Elements by falling score, equal ones in their order: columns topic, rank (from 1), document, node, score."""
    order = np.argsort(-score, kind="stable")
    document = topic.collection.document_of(row[order])
    columns = {
        "rank": np.arange(1, len(row) + 1),
        "document": document,
        "node": row[order],
        "score": score[order],
    }
    return pd.DataFrame({"topic": topic.name, **columns})


def as_results(runs: pd.DataFrame | Mapping[str, pd.DataFrame], collection: Collection) -> Results:
    """Results of made runs: a frame with the columns run, topic, rank, document, node (row) and score.

    Or frames without the column run, by the names of the runs. Lists stand in the order of the runs, then
    of the topics, as they appear; results of a list in the order of the frame, ranks non-decreasing.
    """
    if not isinstance(runs, pd.DataFrame):
        runs = pd.concat([frame.assign(run=name) for name, frame in runs.items()], ignore_index=True)
    run, names = pd.factorize(runs["run"])
    topic, topics = pd.factorize(runs["topic"])
    order = np.argsort(run * len(topics) + topic, kind="stable")
    row = runs["node"].to_numpy()[order]
    return Results(
        runs=pd.Index(names, dtype=object),
        topics=pd.Index(topics, dtype=object),
        run=run[order],
        topic=topic[order],
        rank=runs["rank"].to_numpy()[order],
        document=runs["document"].to_numpy()[order],
        element=row,
        start=collection.start[row],
        end=collection.end[row],
        score=runs["score"].to_numpy(float)[order],
    )
