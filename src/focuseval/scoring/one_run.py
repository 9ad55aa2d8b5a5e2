"""Functions that score one run. Prepared topics are cached for later runs.

A spec is a measure with its parameters and its cut-off. If several specs have a step in common, with equal parameters,
it is computed once.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from focuseval.arguments import one_of, read_argument
from focuseval.campaign import notices
from focuseval.campaign.notices import Notice, of_blocks, renamed
from focuseval.errors import InputError, Problem
from focuseval.measures.declaration import (
    BUDGETS,
    CHARACTERS,
    COUNTS,
    LEFT_OUT,
    RANK,
    Call,
    CutoffKind,
    Drawn,
    Measure,
    Spec,
    start_and_cost,
    within_bounds,
)
from focuseval.measures.rules import violations
from focuseval.model.alternatives import best_values, groups_of_topic, too_many
from focuseval.model.arrays import Bools, Floats, Ints, is_among, place_in_group
from focuseval.model.judgements import ALL, Topic
from focuseval.model.results import ResultList, Results
from focuseval.model.vocabulary import task_named
from focuseval.scoring.refusals import (
    MeasureRefusal,
    of_assessed_topics,
    refusals,
    ruled_out,
    unsized_results,
    without_relevant_content,
)

#: the topics over which values can be averaged: all assessed topics, or only topics with results in the run
AVERAGES = ("assessed", "run")


class SpecGroup(NamedTuple):
    """Requested measures that one call computes, because only their cut-offs differ."""

    places: list[int]  #: indexes of the specs
    read: Callable[..., Any]
    #: further arguments of ``read``: an array of cut-offs, or nothing for specs without a cut-off
    cutoffs: tuple[Ints | Floats, ...]


#: specs grouped by the steps that they share: first the preparation of a topic, then the trace of a list
Plan = Mapping[Call, Mapping[Call, Sequence[SpecGroup]]]


def plan_of(specs: Mapping[int, Spec[Any, Any]]) -> Plan:
    """Plan how to score ``specs``, so that steps that several of them share are computed once."""
    alike: dict[tuple[Call, Call, Any, Any, bool], list[int]] = {}
    for place, spec in specs.items():
        measure = spec.measure
        prepare, trace = (Call.of(step, spec.parameters) for step in (measure.prepare, measure.trace))
        # without a cut-off, a spec has `measure.value`, because names that need a cut-off were refused
        read = Call.of(spec.declared_cutoff.at, spec.parameters) if spec.declared_cutoff else measure.value
        alike.setdefault((prepare, trace, spec.declared_cutoff, read, measure.pool is None), []).append(place)
    plan: dict[Call, dict[Call, list[SpecGroup]]] = {}
    for (prepare, trace, behind, read, _), places in alike.items():
        cutoffs = (np.array([specs[place].cutoff for place in places]),) if behind else ()
        reading = SpecGroup(places, read, cutoffs)
        plan.setdefault(prepare, {}).setdefault(trace, []).append(reading)
    return plan


@dataclass
class RunScores:
    """The scores of one run, filled block by block. In arrays, rows are assessed topics, and columns are measures."""

    run: str
    source: str  #: the run's file, or ``run NAME`` for a run in memory
    topics: Sequence[str]
    values: Floats  #: score of each topic under each measure
    counts: dict[int, Floats]  #: for each pooled measure (by column), the four `COUNTS` of each topic
    relevant: Bools  #: whether each topic has relevant content for each measure
    retrieved: Bools  #: for each topic, whether the run has results for it
    #: topics of the run (as keys) that were not assessed
    others: dict[str, None] = field(default_factory=dict)
    #: the number of results for assessed topics (``all``), and how many of them each kind of notice counts
    result_counts: Counter[str] = field(default_factory=Counter)
    #: if requested, the number of gold passages with each outcome, by its index into `failures.KINDS`
    failures: Counter[int] = field(default_factory=Counter)
    #: for each measure, a record for each list with a score that is a mean over random orders of ties
    drawn: dict[str, list[Drawn]] = field(default_factory=dict)
    #: topics (as keys) with too many combinations of alternatives to compare them all
    searched: dict[str, None] = field(default_factory=dict)
    notices: list[Notice] = field(default_factory=list)  #: notices about reading the run, and about measures
    #: for each measure that cannot be computed, the reasons by priority (`MeasureRefusal.order`)
    refusals: dict[str, dict[int, MeasureRefusal]] = field(default_factory=dict)
    unruly: list[Problem] = field(default_factory=list)  #: problems of results that break a rule

    @property
    def strange(self) -> bool:
        """Whether the run has results, but none for an assessed topic. Its scores would all be 0."""
        return bool(self.others) and not self.retrieved.any()

    def rename(self, name: str) -> None:
        """Rename the run, because another run has its name, and add a notice."""
        own = Notice(notices.RENAMED.name, name, text=self.run)
        self.run, self.notices = name, [*renamed(self.notices, name), own]

    def all_notices(self, specs: Sequence[Spec[Any, Any]]) -> list[Notice]:
        """Return all notices about the run and its measures."""
        run, counts = self.run, self.result_counts
        events = [
            Notice(kind.name, run, count=counts[kind.name])
            for kind in (notices.UNRESOLVED, notices.EMPTY, notices.REPEATED, notices.UNRULY)
            if counts[kind.name]
        ]
        if self.others:
            events.append(Notice(notices.UNASSESSED.name, run, topics=tuple(sorted(self.others))))
        if self.searched:
            events.append(Notice(notices.SEARCHED.name, topics=tuple(self.searched)))
        outside, among = counts[notices.OUTSIDE.name], counts["all"]
        if outside and outside == among:
            events.append(Notice(notices.STRANGE.name, run, count=outside, among=among))
        elif outside > counts["in no document"]:  # other notices report results that are in no document
            count = outside - counts["in no document"]
            events.append(Notice(notices.OUTSIDE.name, run, count=count, among=among))
        for spec in specs:
            if spec.counts_documents and counts["with passages"]:
                kind, among = notices.PASSED_OVER, counts["unsized"]
                events.append(Notice(kind.name, run, spec.asked, count=counts[kind.name], among=among))
            if drawn := self.drawn.get(spec.name):
                orders, error = (max(column) for column in zip(*drawn, strict=True))
                kind, among = notices.DRAWN, int(orders)
                count, text = len(drawn), repr(error)
                events.append(Notice(kind.name, run, spec.asked, count=count, among=among, text=text))
        return [*events, *of_blocks(self.notices)]


def standard_average(program: str | None) -> str:
    """Return the default of ``average_over``: ``run`` for trec_eval's rules, else ``assessed``."""
    return "assessed" if program is None else "run"


@dataclass(frozen=True)
class Rules:
    """The settings of scoring, such as the task whose rules runs must obey."""

    task: str = "thorough"
    average_over: str = "assessed"  #: the topics over which values are averaged: one of `AVERAGES`
    lenient: bool = False  #: whether results that break a rule are scored
    skip_refused: bool = True  #: whether measures that cannot be computed are left out
    #: ``trec_eval`` to follow its rules: topics without relevant content score 0 and are not left out
    program: str | None = None
    allow_none: bool = False  #: whether scoring succeeds even if all measures are left out
    options: Sequence[str] = ()  #: options that the user has set and that some measures ignore
    #: if requested, returns the outcome of each gold passage of a topic in a list (`failures.kinds_of`)
    kinds_of: Callable[[Topic, ResultList], Ints] | None = None

    def __post_init__(self) -> None:
        read_argument("average_over", self.average_over, one_of(AVERAGES))
        task_named(self.task)


#: columns with counts, and columns with the fields of `Drawn`, in the result of `Scorer._read`
_COUNTED = slice(1, 1 + len(COUNTS))
_DRAWN = slice(1 + len(COUNTS), None)


class Scorer:
    """Scores any number of runs by the same measures on the same topics."""

    def __init__(
        self,
        topics: Sequence[Topic],
        specs: Sequence[Spec[Any, Any]],
        rules: Rules,
        suggested: Mapping[str, Measure] = MappingProxyType({}),
    ) -> None:
        """Prepare scoring. Refusals may recommend the measures ``suggested``."""
        if any(topic.name == ALL for topic in topics):
            expected = "rename the topic, because this name is reserved for means"
            raise InputError.of("topics", f"a topic is named {ALL!r}", expected)
        self.topics, self.specs, self.rules, self.suggested = topics, specs, rules, suggested
        self.places = {topic.name: place for place, topic in enumerate(topics)}
        self.distinct_specs = distinct_specs = list({spec.name: spec for spec in specs}.values())
        self.columns = {spec.name: column for column, spec in enumerate(self.distinct_specs)}
        #: alternatives are chosen by value, then by the four counts: 1 means that higher is better, -1 that lower is
        self.signs = np.array([[spec.sign, 1, 1, 1, -1] for spec in self.distinct_specs])
        bounds = [spec.measure.bounds_of(spec.parameters) for spec in self.distinct_specs]
        self.bounds = np.array(bounds, dtype=float).reshape(-1, 2).T
        # All runs share these caches. The cached functions must not refer to the scorer, because they would keep its
        # collection in memory.
        self._base_of = cache(lambda topic, prepare: prepare(topic))
        self._any_relevant = cache(partial(_any_relevant, topics, self._base_of))
        self._plan_of = cache(lambda columns: plan_of({i: distinct_specs[i] for i in columns}))
        self._problems_of = cache(partial(_problems_of_topics, topics, self._base_of))
        self._judged_documents = cache(lambda topic: topic.judged_documents)
        self._gold_is_passages = cache(_gold_is_passages)

    def add(self, run: Results, scores: RunScores | None = None) -> RunScores:
        """Score the results of a run, or of a block of whole topics. ``scores`` are the scores of earlier blocks."""
        if scores is None:
            shape = len(self.topics), len(self.distinct_specs)
            counting = [i for i, spec in enumerate(self.distinct_specs) if spec.measure.pool is not None]
            scores = RunScores(
                run=str(run.runs[0]),
                source=run.sources[0] if run.sources else f"run {run.runs[0]}",
                topics=[*self.places],
                values=np.zeros(shape),
                counts={i: np.zeros((len(self.topics), len(COUNTS))) for i in counting},
                relevant=np.zeros(shape, dtype=bool),
                retrieved=np.zeros(len(self.topics), dtype=bool),
            )
        scores.result_counts["unsized"] += unsized_results(run)
        appearing = dict.fromkeys(map(str, run.topics[run.topic[run.bounds[:-1]]]))
        scores.others |= {name: None for name in appearing if name not in self.places}
        for refusal in self._refusals(run):
            reasons = scores.refusals.setdefault(refusal.measure, {})
            before = reasons.get(refusal.order, replace(refusal, count=0))
            reasons[refusal.order] = replace(before, count=before.count + refusal.count)
        if appearing and scores.others.keys() >= appearing.keys():
            return scores
        specs = [spec for spec in self.specs if spec.asked not in scores.refusals]
        self._score_lists(run, specs, scores)
        self._note(run, specs, scores)
        return scores

    def finish(self, scores: RunScores) -> RunScores:
        """Complete the scores after the last block: score topics without results, and compute values from counts."""
        if scores.strange:
            return scores
        columns = self._columns_of(spec for spec in self.specs if spec.asked not in scores.refusals)
        pooled = self._plan_of(tuple(i for i in columns if self.distinct_specs[i].measure.pool is not None))
        lacking = ~scores.retrieved & (self.rules.average_over == "assessed")
        for place in np.flatnonzero(lacking).tolist():
            empty = ResultList.empty(scores.run, self.topics[place].name)
            self._score_list(scores, place, empty, pooled)
        scores.relevant |= self._relevant_to_topics(columns)
        counted = scores.retrieved | lacking
        for i, counts in scores.counts.items():
            rows = counted & scores.relevant[:, i]
            scores.values[rows, i] = self.distinct_specs[i].number_of(counts[rows])
        scores.values = within_bounds(scores.values, *self.bounds)
        return scores

    def _columns_of(self, specs: Iterable[Spec[Any, Any]]) -> tuple[int, ...]:
        """Return the columns of `RunScores` in which measures are stored, each once."""
        return tuple(dict.fromkeys(self.columns[spec.name] for spec in specs))

    def _relevant_to_topics(self, columns: tuple[int, ...]) -> Bools:
        """Return whether each topic (row) has relevant content for each measure (column)."""
        relevant = np.zeros((len(self.topics), len(self.distinct_specs)), dtype=bool)
        for row, topic in zip(relevant, self.topics, strict=True):
            for prepare, traces in self._plan_of(columns).items():
                has = self.rules.program is not None or self._base_of(topic, prepare) is not None
                for reading in chain.from_iterable(traces.values()):
                    row[reading.places] = has
        return relevant

    def _refusals(self, run: Results) -> list[MeasureRefusal]:
        """Return the reasons why measures cannot be computed on a run. Read the texts that the other measures need."""
        refusals_of_run = refusals(self.topics, run, self.specs, self.suggested)
        refused = {one.measure for one in refusals_of_run}
        computable = [spec for spec in self.specs if spec.asked not in refused]
        if any("texts" in spec.needs for spec in computable):
            read_words(self.topics, run)
        for spec in computable:
            prepare = Call.of(spec.measure.prepare, spec.parameters)
            problems = self._problems_of(prepare)
            if not problems and self.rules.program is None and not self._any_relevant(prepare):
                problems = [without_relevant_content(spec)]
            if problems:
                refusals_of_run.append(MeasureRefusal(spec.asked, 3, problems))
        if self.rules.skip_refused and not self.rules.lenient:
            refusals_of_run += ruled_out(computable, run, self.topics)
        return refusals_of_run

    def _score_lists(self, run: Results, specs: Sequence[Spec[Any, Any]], scores: RunScores) -> None:
        """Add the scores of every list of a run to ``scores``, and count the results that notices report."""
        own = {spec.measure.rule for spec in specs if spec.measure.rule}
        plan = self._plan_of(self._columns_of(specs))
        tasks = sorted({task_named(self.rules.task), *own})
        counts, by_document = scores.result_counts, any(spec.counts_documents for spec in self.specs)
        for ranked in run.lists():  # lists are scored one by one, so that the caches of each list are freed
            if (place := self.places.get(ranked.topic)) is None:
                continue
            scores.retrieved[place] = True
            if broken := violations(tasks, ranked):
                counts[notices.UNRULY.name] += len(broken)
                if not self.rules.lenient:
                    scores.unruly += broken
            if scores.unruly:
                continue
            topic = self.topics[place]
            judged = self._judged_documents(topic)
            counts["all"] += len(ranked)
            counts[notices.REPEATED.name] += int(ranked.repeats.sum())
            counts[notices.OUTSIDE.name] += int(np.count_nonzero(~is_among(ranked.document, judged)[0]))
            counts["in no document"] += int(np.count_nonzero(ranked.document < 0))
            if by_document and self._gold_is_passages(topic):
                counts["with passages"] += 1
                counts[notices.PASSED_OVER.name] += int(np.count_nonzero(~ranked.first_of_article))
            self._score_list(scores, place, ranked, plan)

    def _score_list(self, scores: RunScores, place: int, ranked: ResultList, plan: Plan) -> None:
        """Score a list, and store its values or counts in ``scores``, in the row ``place`` of its topic."""
        topic = self.topics[place]
        if too_many(groups_of_topic(topic)):
            scores.searched[topic.name] = None
        if self.rules.kinds_of is not None and topic.spans is not None:
            scores.failures.update(self.rules.kinds_of(topic, ranked).tolist())
        rows = best_values(topic, lambda chosen: self._read(chosen, ranked, plan), self.signs)
        has = ~np.isnan(rows[:, 0])
        scores.values[place, has] = rows[has, 0]
        for i, counts in scores.counts.items():
            if has[i]:
                counts[place] = rows[i, _COUNTED]
        for i in np.flatnonzero(~np.isnan(rows[:, -1])).tolist():
            orders, error = rows[i, _DRAWN].tolist()
            scores.drawn.setdefault(self.distinct_specs[i].name, []).append(Drawn(int(orders), error))

    def _read(self, topic: Topic, ranked: ResultList, plan: Plan) -> Floats:
        """Return a row for each measure on a list: the value, the four `COUNTS`, and the two fields of `Drawn`.

        Missing numbers are NaN. If ``topic`` is a copy with only some alternatives, its preparation is not cached.
        """
        rows = np.full((len(self.distinct_specs), 1 + len(COUNTS) + len(Drawn._fields)), np.nan)
        whole = topic is self.topics[self.places[topic.name]]
        for prepare, traces in plan.items():
            base = self._base_of(topic, prepare) if whole else prepare(topic)
            if base is None:
                continue
            for trace, readings in traces.items():
                traced = trace(base, ranked)
                for reading in readings:
                    places, numbers = reading.places, reading.read(traced, *reading.cutoffs)
                    measure = self.distinct_specs[places[0]].measure
                    if measure.drawn is not None and (of_list := measure.drawn(traced)) is not None:
                        rows[places, _DRAWN] = of_list
                    if measure.pool is None:
                        rows[places, 0] = numbers
                        continue
                    rows[places, 0], rows[places, _COUNTED] = 0.0, numbers
                    # a choice among alternatives compares values; for whole topics, `finish` computes them from counts
                    for i in () if whole else places:
                        rows[i, 0] = self.distinct_specs[i].number_of(rows[i, _COUNTED])
        return rows

    def _note(self, run: Results, specs: Sequence[Spec[Any, Any]], scores: RunScores) -> None:
        """Add notices about measures, and count results that have no text or are not in the collection."""
        assessed = of_assessed_topics(self.topics, run)
        unresolved = (run.start < 0) | (run.document < 0)
        empty = (run.element < 0) & (run.start == run.end)
        for kind, results in ((notices.UNRESOLVED, unresolved), (notices.EMPTY, empty)):
            scores.result_counts[kind.name] += int(np.count_nonzero(results & assessed))
        partly = any(not topic.collection.complete for topic in self.topics)
        without = [t.name for t in self.topics if t.highlights is not None and not len(t.highlights.start)]
        for spec in specs:
            if partly and (remark := spec.measure.without_collection):
                scores.notices.append(Notice(notices.INCOMPLETE.name, measure=spec.asked, text=remark))
            if without and spec.parameters.get("without_gold") not in (None, LEFT_OUT):
                scores.notices.append(Notice(notices.BARREN.name, measure=spec.asked, topics=tuple(without)))
        scores.notices += lengths_of(self.topics, run, specs)
        if self.rules.kinds_of is not None:
            scores.notices += amounts_of(run, assessed, specs, self.topics[0].collection.unit)


def _problems_of_topics(
    topics: Sequence[Topic], base_of: Callable[[Topic, Call], Any], prepare: Call
) -> Sequence[Problem]:
    """Prepare all topics for a measure, and return the problems that prevent this."""
    try:
        for topic in topics:
            base_of(topic, prepare)
    except InputError as error:
        return error.problems
    return ()


def _any_relevant(topics: Sequence[Topic], base_of: Callable[[Topic, Call], Any], prepare: Call) -> bool:
    """Return whether any topic has relevant content for a measure."""
    return any(base_of(topic, prepare) is not None for topic in topics)


def _gold_is_passages(topic: Topic) -> bool:
    """Return whether some gold passage is only a part of its document."""
    if topic.highlights is None:
        return False
    size = topic.collection.size[topic.collection.root(topic.highlights.document)]
    return bool((topic.highlights.end - topic.highlights.start != size).any())


def read_words(topics: Sequence[Topic], results: Results) -> None:
    """Read the texts of all documents with highlights or with results for assessed topics, in one pass."""
    marked = [topic.highlights.document for topic in topics if topic.highlights is not None]
    returned = results.document[of_assessed_topics(topics, results) & (results.start >= 0)]
    words = topics[0].collection.words
    assert words is not None  # if there are no texts, measures that need them were refused earlier
    words.read(np.concatenate([*marked, returned]))


def lengths_of(topics: Sequence[Topic], run: Results, specs: Sequence[Spec]) -> list[Notice]:
    """Return notices that compare the lengths of lists for the topics in a mean with the cut-off of each measure.

    For a budget, the notice counts the lists that are shorter. For a rank, it counts the lists that reach the rank, and
    ``among`` is 0. If no list reaches the rank, the user may have meant a budget.
    """
    begins = run.bounds[:-1]
    with_gold = [topic for topic in topics if topic.highlights is None or len(topic.highlights.start)]
    assessed, in_mean = (
        run.topics.isin([topic.name for topic in some])[run.topic[begins]] for some in (topics, with_gold)
    )

    @cache
    def costs(kind: CutoffKind) -> Ints:
        """Return the total cost of each list, in the unit of a budget."""
        _, sizes = start_and_cost(run, kind, topics[0].collection.words)
        return np.add.reduceat(sizes, begins)

    short = []
    for spec in specs:
        if spec.cutoff is None or spec.declared_cutoff is None:
            continue
        kind, cutoff = spec.declared_cutoff.kind, int(spec.cutoff)
        lists = in_mean if spec.parameters.get("without_gold") in (None, LEFT_OUT) else assessed
        if not lists.any():
            continue
        if kind in BUDGETS:
            counted, among, text = costs(kind) < cutoff, int(lists.sum()), f"{cutoff:,} {kind.name}"
        elif kind is RANK and _accepts_budgets(spec):
            counted, among, text = np.diff(run.bounds) >= cutoff, 0, str(cutoff)
        else:
            continue
        count = int((counted & lists).sum())
        short.append(
            Notice(notices.SHORT.name, str(run.runs[0]), spec.asked, count=count, among=among, text=text)
        )
    return short


def amounts_of(run: Results, assessed: Bools, specs: Sequence[Spec], unit: str) -> list[Notice]:
    """Return notices that count how much text each measure without a budget reads from a run.

    ``assessed`` marks the results for assessed topics. If the size of a result is unknown, there are no notices.
    """
    sizes, place = run.end - run.start, place_in_group(run.run, run.topic)
    lists = int(np.count_nonzero(assessed & (place == 0)))
    if not lists or (sizes < 0).any():
        return []
    amounts = {
        spec.asked: int(sizes[assessed & (place < (spec.cutoff or np.inf))].sum())
        for spec in specs
        if _accepts_budgets(spec) and (spec.declared_cutoff is None or spec.declared_cutoff.kind is RANK)
    }
    return [
        Notice(notices.UNEQUAL.name, str(run.runs[0]), measure, count=amount, among=lists, text=unit)
        for measure, amount in amounts.items()
    ]


def _accepts_budgets(spec: Spec[Any, Any]) -> bool:
    return any(cutoff.kind is CHARACTERS for cutoff in spec.measure.cutoffs)
