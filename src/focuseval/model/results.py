"""The results of runs for topics, as columns."""

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

#: the columns that give the location of a result (`PLACE`), and all columns of `Results` (`COLUMNS`)
PLACE = ("document", "element", "start", "end")
COLUMNS = ("run", "topic", "rank", *PLACE, "score")

#: the names of the rules by which users may order results
RANKED_BY = ("score", "order", "rank", TREC_EVAL := "trec_eval")

#: the size in characters that INEX gives to results that cannot be resolved
UNRESOLVED_SIZE = 18


@dataclass(frozen=True)
class Ranking:
    """The rule that orders the results for a topic and decides ties.

    ``by="score"`` sorts by descending score, and results with equal scores in file order. ``"order"`` keeps the file
    order. ``"rank"`` sorts by rank, and equal ranks tie. ``"trec_eval"`` sorts by descending score in single precision,
    and results with equal scores by descending document name. ``by=None`` stands for the default of the format.
    """

    by: str | None = None  #: one of `RANKED_BY`; None for the default of the file's format
    equal_scores_tie: bool = False  #: whether consecutive results with equal scores share a rank

    def __post_init__(self) -> None:
        read_argument("rank_by", self.by, optional(one_of(RANKED_BY)))


def among_first(run: Ints, topic: Ints, size: int) -> Bools:
    """Return whether each result is among the first ``size`` of its list. Each list must be contiguous."""
    return place_in_group(run, topic) < size


@dataclass(frozen=True, eq=False)
class ResultList:
    """The results of one run for one topic, in rank order.

    A result that is an element has the element's row and interval. A passage has its interval and the row -1. Results
    that could not be resolved occur only if reading was lenient. They have the row -1 and the interval ``[-18, 0)``,
    which contains no text.
    """

    run: str
    topic: str
    rank: Ints  #: rank of each result, in ascending order; tied results have equal ranks
    document: Ints  #: index of each result's document; -1 if it is unknown
    element: Ints  #: row of each result that is an element; -1 for all other results
    start: Ints  #: start of each result, in units
    end: Ints  #: end of each result, in units
    line: Ints | None = None  #: line of each result in the run's file
    source: str = ""  #: the run's file, if there is one

    def __len__(self) -> int:
        return len(self.rank)

    @classmethod
    def empty(cls, run: str, topic: str) -> "ResultList":
        """Return an empty list, for a run without results for a topic."""
        nothing = np.empty(0, dtype=np.int64)
        return cls(run, topic, nothing, nothing, nothing, nothing, nothing)

    def first(self, count: int) -> "ResultList":
        """Return the first ``count`` results of the list."""
        if count >= len(self):
            return self
        columns = ("rank", *PLACE)
        line = None if self.line is None else self.line[:count]
        return replace(self, **{name: getattr(self, name)[:count] for name in columns}, line=line)

    @cached_property
    def last_of_rank(self) -> Ints:
        """The index of the last result at each distinct rank."""
        return np.flatnonzero(np.diff(self.rank, append=np.iinfo(np.int64).max))

    @cached_property
    def resolved(self) -> Bools:
        """Whether each result is a known element or passage."""
        return (self.start >= 0) & (self.document >= 0)

    @cached_property
    def own_document(self) -> Ints:
        """The index of each result's document. Each unresolved result has a different negative number instead."""
        return np.where(self.resolved, self.document, -1 - np.arange(len(self)))

    @cached_property
    def size(self) -> Ints:
        """The size of each result, in units."""
        return self.end - self.start

    @cached_property
    def repeats(self) -> Bools:
        """Whether each result is the same element or passage as an earlier result."""
        if np.array_equal(self.element, self.document):  # all results are whole documents
            return ~self.first_of_article & self.resolved
        if (self.element >= 0).all():  # all results are elements, which are identified by their rows
            return pd.Index(self.element).duplicated() & self.resolved
        place = [getattr(self, name) for name in PLACE]
        order = np.lexsort(place)  # stable, so that the first of equal results stays first
        repeated = np.empty(len(self), dtype=bool)
        repeated[order] = ~changes(*(column[order] for column in place))
        return repeated & self.resolved

    def found_among(self, elements: Ints) -> tuple[Bools, Ints]:
        """Return whether each result is in the sorted ``elements``, and its index there (arbitrary if it is not)."""
        return is_among(self.element, elements)

    @cached_property
    def new_text(self) -> Ints:
        """The size of the part of each result that no earlier result contains, in units."""
        document = self.own_document
        return new_text(document - document.min(initial=0), self.start, self.end)

    @cached_property
    def new_element_text(self) -> Ints:
        """The size of the part of each element that no earlier element contains, in units; 0 for other results."""
        resolved = self.element >= 0
        start, end = np.where(resolved, self.start, 0), np.where(resolved, self.end, 0)
        return new_text(np.maximum(self.document, 0), start, end)

    @property
    def _own_article(self) -> Ints:
        """The index of each result's document. Each result without a known document has a different negative number."""
        return np.where(self.document < 0, -1 - np.arange(len(self)), self.document)

    @cached_property
    def article(self) -> Ints:
        """The number of each result's document, in order of appearance. Each unknown document has its own number."""
        return pd.factorize(self._own_article)[0]

    @cached_property
    def first_of_article(self) -> Bools:
        """Whether each result is the first from its document in the list."""
        return ~pd.Index(self._own_article).duplicated()


@dataclass(frozen=True, eq=False)
class Results:
    """The results of one or more runs, sorted by run, topic and rank.

    To save memory, integers have 32 bits if possible. In a `ResultList`, they have 64 bits, so that products do not
    overflow.
    """

    runs: pd.Index  #: the name of each run
    topics: pd.Index  #: the name of each topic
    run: Ints  #: run of each result, as an index into ``runs``
    topic: Ints  #: topic of each result, as an index into ``topics``
    rank: Ints  #: rank of each result, in ascending order in each list; tied results have equal ranks
    document: Ints  #: index of each result's document; -1 if it is unknown
    element: Ints  #: row of each result that is an element; -1 for all other results
    start: Ints  #: start of each result, in units
    end: Ints  #: end of each result, in units
    score: Floats  #: score that the system gave to each result; NaN if it gave none
    line: Ints | None = None  #: line of each result in the run's file
    sources: Sequence[str] = ()  #: file of each run; empty if there are no files

    def __len__(self) -> int:
        return len(self.run)

    def topics_with_rising_scores(self) -> dict[str, int]:
        """For each run, count the topics in which a result scores higher than the previous result. Omit counts of 0."""
        topics = {}
        for one in self.each_run():
            rising = (one.score[1:] > one.score[:-1]) & (one.topic[1:] == one.topic[:-1])
            if rising.any():
                topics[str(one.runs[0])] = len(np.unique(one.topic[1:][rising]))
        return topics

    @cached_property
    def bounds(self) -> Ints:
        """The index of the first result of each list, followed by the number of results."""
        return np.append(np.flatnonzero(changes(self.run, self.topic)), len(self))

    def each_run(self) -> Iterator["Results"]:
        """Yield the results of each run separately."""
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

    def without(self, runs: Sequence[int]) -> "Results":
        """Return the results of all runs except ``runs``, which are indexes."""
        kept = np.delete(np.arange(len(self.runs)), runs)
        rows = np.isin(self.run, kept)
        return replace(
            self,
            runs=self.runs[kept],
            run=np.searchsorted(kept, self.run[rows]),
            **{name: getattr(self, name)[rows] for name in COLUMNS[1:]},
            line=None if self.line is None else self.line[rows],
            sources=[source for run, source in enumerate(self.sources) if run in kept],
        )

    def lists(self) -> Iterator[ResultList]:
        """Yield every result list, sorted by run and topic."""
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
    """Rank the elements in ``row`` in descending order of score.

    The columns are topic, rank (from 1), document, node and score. A node is the row of an element.
    """
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
    """Convert a frame of results, or a frame for each run, to `Results`.

    The columns are run, topic, rank, document, node (a row of the collection) and score. Runs and topics are numbered
    in order of appearance. Results keep their order, and ranks must not decrease in a list.
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
