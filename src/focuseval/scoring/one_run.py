"""Scores of one run: the unit of all scoring. What is prepared for topics is kept for the runs that follow."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np

from focuseval.campaign import notices
from focuseval.campaign.notices import Notice, of_blocks
from focuseval.errors import InputError, Problem, check_known
from focuseval.measures.declaration import COUNTS, LEFT_OUT, Call, Drawn, Measure, Spec
from focuseval.measures.rules import violations
from focuseval.model.arrays import Bools, Floats, Ints, is_among
from focuseval.model.judgements import ALL, Topic
from focuseval.model.results import ResultList, Results
from focuseval.model.vocabulary import task_named
from focuseval.scoring.alternatives import answered_by
from focuseval.scoring.plan import Plan, plan_of
from focuseval.scoring.refusals import (
    Refusal,
    none_assessed,
    of_assessed_topics,
    refusals,
    ruled_out,
    unsized_results,
    without_assessed_topics,
)
from focuseval.scoring.short_lists import lengths_of

T = TypeVar("T")

#: the topics that a mean is over: all assessed ones, or those of the run
AVERAGES = ("assessed", "run")


@dataclass
class RunScores:
    """What comes of one run, under measures (S) on assessed topics (T)."""

    run: str
    topics: Sequence[str]
    values: Floats  #: (T, S)
    counts: dict[int, Floats]  #: (T, 4) of the measures that count, by their places
    relevant: Bools  #: (T, S) whether a measure finds anything relevant to the topic
    retrieved: Bools  #: (T,) whether the run has results for the topic
    source: str  #: its file, or what it is called
    others: list[str]  #: its topics that are not assessed, as they appear
    #: of the lists whose values are means over random orders of tied results, by measure
    drawn: dict[str, list[Drawn]] = field(default_factory=dict)
    notices: list[Notice] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    unruly: list[Problem] = field(default_factory=list)  #: results that break rules, which is refused
    strange: list[Problem] = field(default_factory=list)  #: no topic of the run is assessed
    results: int = 0  #: for assessed topics
    outside: int = 0  #: those of them that are in documents without a judgement for their topic
    passed_over: int = 0  #: those behind the first of their document
    unsized: int = 0  #: results of unknown size
    of_documents: list[str] = field(default_factory=list)  #: the measures that count whole documents

    def said(self) -> list[Notice]:
        """The notices, with those that depend on all results of the run."""
        found = list(self.notices)
        if self.outside:
            kind = notices.STRANGE if self.outside == self.results else notices.OUTSIDE
            found.append(Notice(kind.name, self.run, count=self.outside, among=self.results))
        for measure in self.of_documents if self.passed_over else ():
            kind, among = notices.PASSED_OVER, self.unsized
            found.append(Notice(kind.name, self.run, measure, count=self.passed_over, among=among))
        for measure, drawn in self.drawn.items():
            orders, error = (max(column) for column in zip(*drawn, strict=True))
            count, text = len(drawn), repr(error)
            kind = notices.DRAWN
            found.append(Notice(kind.name, self.run, measure, count=count, among=int(orders), text=text))
        return found

    def with_block(self, block: "RunScores") -> "RunScores":
        """These scores of some topics of the run, with those of a later block of others."""
        first, second = (block, self) if self.strange else (self, block)
        refusals: dict[tuple[str, int], Refusal] = {}
        for one in [*self.refusals, *block.refusals]:
            before = refusals.setdefault((one.measure, one.order), replace(one, count=0))
            refusals[one.measure, one.order] = replace(before, count=before.count + one.count)
        others = [*self.others, *block.others]
        drawn = {name: [*first.drawn.get(name, []), *of] for name, of in second.drawn.items()}
        theirs = second.retrieved[:, None]
        return replace(
            first,
            values=np.where(theirs, second.values, first.values),
            counts={i: np.where(theirs, second.counts[i], counts) for i, counts in first.counts.items()},
            relevant=first.relevant | second.relevant,
            retrieved=first.retrieved | second.retrieved,
            others=others,
            drawn=first.drawn | drawn,
            notices=of_blocks([*self.notices, *block.notices]),
            refusals=list(refusals.values()),
            unruly=[*self.unruly, *block.unruly],
            results=self.results + block.results,
            outside=self.outside + block.outside,
            passed_over=self.passed_over + block.passed_over,
            unsized=self.unsized + block.unsized,
            strange=[none_assessed(self.source, others, self.topics)] if first.strange else [],
        )


def averaged_over(rules: str | None, average_over: str | None) -> str:
    """Which topics means are over, under the rules of a program or ours, unless it is said."""
    return average_over or ("assessed" if rules is None else "run")


@dataclass(frozen=True)
class Rules:
    """What is asked of runs, what becomes of those that break it, and what means are over."""

    task: str = "thorough"
    average_over: str = "assessed"  #: one of `AVERAGES`
    lenient: bool = False  #: score the results that break a rule as they are
    zeros: bool = False  #: topics without anything relevant score 0, and are not left out
    skip_refused: bool = False  #: leave out a measure whose own rule a result breaks

    @classmethod
    def of(cls, rules: str | None, task: str, average_over: str | None, lenient: bool) -> "Rules":
        """Ours, or those of another program (trec_eval)."""
        over = averaged_over(rules, average_over)
        return cls(task, over, lenient, zeros=rules is not None, skip_refused=True)

    def __post_init__(self) -> None:
        check_known("average_over", self.average_over, AVERAGES)
        task_named(self.task)


class Scorer:
    """Topics under measures, for any number of runs."""

    def __init__(
        self,
        topics: Sequence[Topic],
        specs: Sequence[Spec[Any, Any]],
        rules: Rules,
        known: Mapping[str, Measure] = MappingProxyType({}),
    ) -> None:
        """``known`` are measures to name in the place of one that is refused."""
        if any(topic.name == ALL for topic in topics):
            expected = "rename it: means stand under this name"
            raise InputError(Problem("topics", "", f"a topic named {ALL!r}", expected))
        self.topics = topics
        self.specs = specs
        self.once_each = list({spec.name: spec for spec in specs}.values())
        self.rules = rules
        self.known = known
        self._made: dict[Hashable, Any] = {}

    def _once(self, key: Hashable, make: Callable[[], T]) -> T:
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]

    def _base_of(self, topic: Topic, prepare: Call) -> Any:
        return self._once((topic.name, prepare), lambda: prepare(topic))

    def of_run(self, run: Results) -> RunScores:
        """Score the results of one run."""
        shape = len(self.topics), len(self.once_each)
        assessed = {topic.name for topic in self.topics}
        appearing = run.topics[run.topic[run.bounds[:-1]]]
        counting = [i for i, spec in enumerate(self.once_each) if spec.measure.pool is not None]
        scores = RunScores(
            run=str(run.runs[0]),
            topics=[topic.name for topic in self.topics],
            values=np.zeros(shape),
            counts={i: np.zeros((len(self.topics), len(COUNTS))) for i in counting},
            relevant=np.zeros(shape, dtype=bool),
            retrieved=np.zeros(len(self.topics), dtype=bool),
            source=run.sources[0] if run.sources else f"run {run.runs[0]}",
            unsized=unsized_results(run),
            of_documents=[spec.asked for spec in self.specs if spec.counts_documents],
            others=[str(name) for name in dict.fromkeys(appearing) if name not in assessed],
        )
        if scores.others:
            scores.notices.append(
                Notice(notices.UNASSESSED.name, scores.run, topics=tuple(sorted(scores.others)))
            )
        if strange := without_assessed_topics(self.topics, run):
            scores.strange = strange
            return scores
        scores.refusals = self._refusals(run)
        refused = {one.measure for one in scores.refusals}
        specs = [spec for spec in self.specs if spec.asked not in refused]
        allowed = {spec.name for spec in specs}
        places = {i for i, spec in enumerate(self.once_each) if spec.name in allowed}
        plan = plan_of(self.once_each, places)
        own = {spec.measure.rule for spec in specs if spec.measure.rule}
        self._score_lists(run, plan, sorted({task_named(self.rules.task), *own}), scores)
        counted = plan_of(self.once_each, places.intersection(counting))
        lacking = ~scores.retrieved & (self.rules.average_over == "assessed")
        for place in np.flatnonzero(lacking).tolist():  # what is relevant to it counts
            topic = self.topics[place]
            self._note_numbers(scores, place, ResultList.empty(scores.run, topic.name), counted)
        for row, topic in zip(scores.relevant, self.topics, strict=True):
            for prepare, traces in plan.items():
                has = self.rules.zeros or self._base_of(topic, prepare) is not None
                for readings in traces.values():
                    for reading in readings:
                        row[reading.places] = has
        known = scores.retrieved | lacking
        for i, counts in scores.counts.items():
            rows = known & scores.relevant[:, i]
            scores.values[rows, i] = self.once_each[i].number_of(counts[rows])
        scores.notices += self._of_run(run, specs)
        scores.drawn = {spec.asked: scores.drawn[spec.name] for spec in specs if spec.name in scores.drawn}
        return scores

    def _refusals(self, run: Results) -> list[Refusal]:
        found = refusals(self.topics, run, self.specs, self.known)

        def left() -> list[Spec[Any, Any]]:
            refused = {one.measure for one in found}
            return [spec for spec in self.specs if spec.asked not in refused]

        if any("texts" in spec.needs for spec in left()):
            read_words(self.topics, run)
        for spec in left():
            if problems := self._once(("refused", spec.asked), lambda spec=spec: self._unprepared(spec)):  # type: ignore[misc]
                found.append(Refusal(spec.asked, 3, problems, str(run.runs[0])))
        if self.rules.skip_refused and not self.rules.lenient:
            found += ruled_out(left(), run, self.topics)
        return found

    def _unprepared(self, spec: Spec[Any, Any]) -> Sequence[Problem]:
        """Why a measure cannot be prepared for the topics; nothing if it can."""
        try:
            for topic in self.topics:
                self._base_of(topic, Call.of(spec.measure.prepare, spec.parameters))
        except InputError as error:
            return error.problems
        return ()

    def _score_lists(self, run: Results, plan: Plan, tasks: Sequence[str], scores: RunScores) -> None:
        """Score every list, and note what of it is worth nothing, or breaks the rules of these tasks."""
        results = repeated = outside = unruly = passed_over = 0
        places = {topic.name: place for place, topic in enumerate(self.topics)}
        for found in run.lists():  # one by one, as what is kept of a list goes with it
            if (place := places.get(found.topic)) is None:
                continue
            if broken := violations(tasks, found):
                unruly += len(broken)
                if not self.rules.lenient:
                    scores.unruly += broken
            if scores.unruly:
                continue
            topic = self.topics[place]
            judged = self._once(("documents", topic.name), lambda topic=topic: _judged_documents(topic))  # type: ignore[misc]
            results += len(found)
            repeated += int(found.repeats.sum())
            outside += int(np.count_nonzero(~is_among(found.document, judged)[0]))
            if scores.of_documents and topic.highlights is not None:
                passed_over += int(np.count_nonzero(~found.first_of_article))
            scores.retrieved[place] = True
            self._note_numbers(scores, place, found, plan)
        scores.results, scores.outside, scores.passed_over = results, outside, passed_over
        for kind, count in ((notices.REPEATED, repeated), (notices.UNRULY, unruly)):
            scores.notices += [Notice(kind.name, scores.run, count=count)] if count else []

    def _note_numbers(self, scores: RunScores, place: int, found: ResultList, plan: Plan) -> None:
        """Score a list on its topic, and put values, or the counts that they follow from, in their place."""
        topic = self.topics[place]
        of_found = answered_by(topic, found)
        for prepare, traces in plan.items():
            base = self._base_of(topic, prepare) if of_found is topic else prepare(of_found)
            if base is None:
                continue
            for trace, readings in traces.items():
                if len(found):
                    traced = trace(base, found)
                else:  # the same of every run
                    empty = ("empty", topic.name, prepare, trace)
                    traced = self._once(empty, lambda trace=trace, base=base: trace(base, found))  # type: ignore[misc]
                for reading in readings:
                    numbers = reading.read(traced, *reading.cutoffs)
                    drawn = self.once_each[reading.places[0]].measure.drawn
                    if drawn is not None and (of_list := drawn(traced)) is not None:
                        for i in reading.places:
                            scores.drawn.setdefault(self.once_each[i].name, []).append(of_list)
                    if reading.places[0] not in scores.counts:
                        scores.values[place, reading.places] = numbers
                        continue
                    of_each = np.broadcast_to(numbers, (len(reading.places), len(COUNTS)))
                    for i, counts in zip(reading.places, of_each, strict=True):
                        scores.counts[i][place] = counts

    def _of_run(self, run: Results, specs: Sequence[Spec[Any, Any]]) -> list[Notice]:
        """What the run has that is not scored, and what is to be known of measures on it."""
        name, found = str(run.runs[0]), []
        assessed = of_assessed_topics(self.topics, run)
        lost = (run.start < 0) | (run.document < 0)
        empty = (run.element < 0) & (run.start == run.end)
        for kind, results in ((notices.UNRESOLVED, lost), (notices.EMPTY, empty)):
            if count := int(np.count_nonzero(results & assessed)):
                found.append(Notice(kind.name, name, count=count))
        partly = any(not topic.collection.complete for topic in self.topics)
        without = [t.name for t in self.topics if t.highlights is not None and not len(t.highlights.start)]
        for spec in specs:
            if partly and (remark := spec.measure.without_collection):
                found.append(Notice(notices.INCOMPLETE.name, measure=spec.asked, text=remark))
            if without and spec.parameters.get("without_gold") not in (None, LEFT_OUT):
                found.append(Notice(notices.BARREN.name, measure=spec.asked, topics=tuple(without)))
        return [*found, *lengths_of(self.topics, run, specs)]


def _judged_documents(topic: Topic) -> Ints:
    """Documents that were assessed for a topic, as far as the assessments tell."""
    judged = [topic.collection.document_of(topic.element)]
    if topic.highlights is not None:
        judged.append(topic.highlights.document)
    if topic.assessed is not None:
        judged.append(topic.assessed)
    return np.unique(np.concatenate(judged))


def read_words(topics: Sequence[Topic], results: Results) -> None:
    """Read the texts of all documents that topics and results are of, in one pass."""
    marked = [topic.highlights.document for topic in topics if topic.highlights is not None]
    returned = results.document[of_assessed_topics(topics, results) & (results.start >= 0)]
    words = topics[0].collection.words
    assert words is not None  # a measure that needs texts was refused
    words.read(np.concatenate([*marked, returned]))
