"""Scores: every run on every topic under every measure, as one tidy table."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from focuseval.errors import InputError, Problem
from focuseval.measures.declaration import Measure, Spec
from focuseval.model.arrays import Bools, Ints, distinct, is_among
from focuseval.model.judgements import Topic
from focuseval.model.results import ResultList, Results
from focuseval.rules import Breach, rule_violations, task_named

T = TypeVar("T")

#: the topic name under which a mean stands
ALL = "all"

#: the topics that a mean is over: all assessed ones, or those of the run
AVERAGES = ("assessed", "run")


@dataclass(frozen=True)
class Scores:
    """Scores of runs, and what was left out of them."""

    #: columns run, topic, measure (as asked for), value; one row per run, assessed topic and measure
    per_topic: pd.DataFrame
    #: names of topics without relevant content, by measure as asked for
    irrelevant: dict[str, list[str]] = field(default_factory=dict)
    #: assessed topics with relevant content that a run lacks (they score 0), by run
    missing: dict[str, list[str]] = field(default_factory=dict)
    #: topics of a run that are not assessed (they are left out), by run
    unassessed: dict[str, list[str]] = field(default_factory=dict)
    #: results that stand a second time in their list, by run
    repeated: dict[str, int] = field(default_factory=dict)
    #: results in documents that the assessments of their topic do not name, by run
    outside: dict[str, int] = field(default_factory=dict)
    #: what measures say of a collection that is not known, by measure as asked for
    incomplete: dict[str, str] = field(default_factory=dict)
    #: results that break the rules of the task (scored with ``lenient`` only), by run
    unruly: dict[str, int] = field(default_factory=dict)
    #: results that are not in the collection (``lenient`` only), by run
    unresolved: dict[str, int] = field(default_factory=dict)
    #: passages without a character, by run
    empty: dict[str, int] = field(default_factory=dict)
    #: why measures were not scored (``skip_refused`` only), by measure as asked for
    refused: dict[str, list[Problem]] = field(default_factory=dict)

    def left_out(self) -> dict[str, dict[str, list[str]] | dict[str, int]]:
        """What was left out or counted as nothing, by kind."""
        return {
            "irrelevant": self.irrelevant,
            "missing": self.missing,
            "unassessed": self.unassessed,
            "repeated": self.repeated,
            "outside": self.outside,
            "unruly": self.unruly,
            "unresolved": self.unresolved,
            "empty": self.empty,
        }

    def means(self) -> pd.DataFrame:
        """Columns run, topic (``all``), measure, value: the mean over topics."""
        mean = (
            self.per_topic.groupby(["run", "measure"], sort=False, observed=True)["value"]
            .mean()
            .reset_index()
        )
        mean.insert(1, "topic", ALL)
        return mean

    def table(self, *, per_topic: bool = False) -> list[tuple[str, str, str, float]]:
        """Rows (run, topic, measure, value) for printing: the means, behind their topics if asked for."""
        parts = [self.per_topic, self.means()] if per_topic else [self.means()]
        rows = pd.concat([part.assign(mean=i) for i, part in enumerate(parts)], ignore_index=True)
        places = {run: i for i, run in enumerate(dict.fromkeys(rows["run"]))}
        rows = rows.assign(place=rows["run"].map(places)).sort_values(["place", "mean"], kind="stable")
        return list(zip(rows["run"], rows["topic"], rows["measure"], map(float, rows["value"]), strict=True))

    def notes(self) -> list[str]:
        """What was left out or counted as 0, a line each."""
        reasons: dict[str, list[str]] = {}
        for m, problems in self.refused.items():
            reasons.setdefault(str(problems[0]).removeprefix(f"measure {m}: "), []).append(m)
        lines = [f"not scored: {_listed(measures)}: {reason}" for reason, measures in reasons.items()]
        lines += [f"{m}: {remark}" for m, remark in self.incomplete.items()]
        lines += [
            f"{m}: no relevant content, left out of the mean: {_listed(t)}"
            for m, t in self.irrelevant.items()
        ]
        lines += [f"run {r}: {len(t)} assessed topics missing: {_listed(t)}" for r, t in self.missing.items()]
        lines += [
            f"run {r}: {len(t)} topics not assessed, left out: {_listed(t)}"
            for r, t in self.unassessed.items()
        ]
        lines += [
            f"run {r}: {n} results stand a second time in their topic" for r, n in self.repeated.items()
        ]
        lines += [
            f"run {r}: {n} results in documents without judgements for their topic"
            for r, n in self.outside.items()
        ]
        lines += [
            f"run {r}: {n} results break the rules of the task, and were scored as they are"
            for r, n in self.unruly.items()
        ]
        lines += [
            f"run {r}: {n} results are not in the collection, and count as 18 characters without relevance"
            for r, n in self.unresolved.items()
        ]
        lines += [
            f"run {r}: {n} passages have no character, and are worth nothing" for r, n in self.empty.items()
        ]
        return lines


def _listed(names: Sequence[str], most: int = 20) -> str:
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def _unmet(measure: Measure, topics: Sequence[Topic]) -> str:
    """What a measure needs and the topics do not have, or ``""``."""
    for topic in topics:
        if "judgements" in measure.needs and topic.scale == "highlights" and not topic.collection.complete:
            return "judged elements: give --collection, so that highlights can be put on elements"
        if "highlights" in measure.needs and topic.highlights is None:
            return "highlighted passages: give FOL qrels, or assessments with <passage> elements"
        if "entry points" in measure.needs and topic.entry_point is None:
            return "best entry points: give FOL qrels, or assessments that have them and --collection"
        known = topic.collection.complete or not (topic.collection.end < 0).any()
        if "sizes" in measure.needs and not known:
            return "the sizes of elements: give --collection"
    return ""


def _of_assessed_topics(topics: Sequence[Topic], results: Results) -> Bools:
    """(M,) whether each result is of an assessed topic."""
    assessed = np.asarray(results.topics.isin([topic.name for topic in topics]))
    return assessed[results.topic]


def _by_run(results: Results, counted: Bools) -> dict[str, int]:
    """How many results are counted, by run; runs without any are left out."""
    counts = np.bincount(results.run[counted], minlength=len(results.runs))
    return {str(run): int(count) for run, count in zip(results.runs, counts, strict=True) if count}


def without_assessed_topics(topics: Sequence[Topic], results: Results) -> list[Problem]:
    """The runs of which no topic is assessed: every score would be 0, whatever they returned."""
    strangers = distinct(results.run)
    strangers = strangers[~np.isin(strangers, results.run[_of_assessed_topics(topics, results)])]
    expected = f"expected some of {_listed([topic.name for topic in topics])}"
    problems = []
    for run in strangers:
        names = [str(name) for name in results.topics[distinct(results.topic[results.run == run])]]
        source = results.sources[run] if results.sources else f"run {results.runs[run]}"
        problems.append(Problem(source, "", f"none of its topics is assessed: {_listed(names)}", expected))
    return problems


def refusals(
    topics: Sequence[Topic], results: Results, specs: Sequence[Spec], known: Mapping[str, Measure]
) -> dict[str, list[Problem]]:
    """The measures that need what the inputs do not have, and why; ``known`` are those to name in their place.

    A passage that is no element has no judgement, and measures of elements would take it for not relevant.
    """
    unsized = np.count_nonzero(results.end < results.start)
    passage = (results.element < 0) & (results.start >= 0) & (results.document >= 0)
    passages = np.count_nonzero(passage & _of_assessed_topics(topics, results))
    fitting = [name for name, m in known.items() if m.takes_passages({}) and not _unmet(m, topics)]
    refused = {}
    for spec in specs:
        if lack := _unmet(spec.measure, topics):
            told = "not computable from these inputs", f"it needs {lack}"
        elif unsized and spec.measure.needs & {"highlights", "sizes"}:
            told = (
                f"{unsized} results are elements or documents of unknown size",
                "give --collection, or passages by offset and length",
            )
        elif passages and not spec.measure.takes_passages(spec.parameters):
            told = (
                f"{passages} results are passages that are no element",
                f"ask for a measure that takes passages{': ' * bool(fitting)}{', '.join(fitting)}",
            )
        else:
            continue
        refused[spec.asked] = [Problem(f"measure {spec.asked}", "", *told)]
    return refused


def _judged_documents(topic: Topic) -> Ints:
    """Documents that were assessed for a topic, as far as the assessments tell."""
    judged = [topic.collection.document_of(topic.element)]
    if topic.highlights is not None:
        judged.append(topic.highlights.document)
    if topic.assessed is not None:
        judged.append(topic.assessed)
    return np.unique(np.concatenate(judged))


def _violations(rules: Iterable[str], found: ResultList) -> list[Problem]:
    """What breaks the rules in a result list: every such result once."""
    broken: dict[int, Breach] = {}
    for rule in rules:
        for index, breach in zip(*rule_violations(rule, found), strict=True):
            broken.setdefault(int(index), breach)
    return [
        Problem(
            found.source or f"run {found.run}",
            f"topic {found.topic}, "
            + (f"result {index + 1}" if found.line is None else f"line {found.line[index]}"),
            breach.found,
            f"{breach.expected}: leave the result out, or use --lenient",
        )
        for index, breach in sorted(broken.items())
    ]


def score(
    topics: Sequence[Topic],
    results: Results,
    specs: Sequence[Spec],
    *,
    average_over: str = "assessed",
    task: str = "thorough",
    lenient: bool = False,
    skip_refused: bool = False,
    known: Mapping[str, Measure] = MappingProxyType({}),
    progress: Callable[[Iterable[ResultList]], Iterable[ResultList]] = iter,
) -> Scores:
    """Score every run on every topic.

    ``average_over="assessed"`` gives 0 for an assessed topic that a run lacks; ``"run"`` leaves it
    out of that run's mean, as trec_eval does by default. Topics without relevant content under a
    measure's settings are left out and named. Raises InputError for a run of which no topic is
    assessed; if a measure needs what the assessments, the collection or the runs do not have, unless
    ``skip_refused``: then the others are scored, if there are any (`Scores.refused`; ``known`` are measures
    to name in its place); and for every result that breaks the rules of the ``task`` or of a measure
    (`focuseval.rules`), unless ``lenient``: then it is scored and counted.
    """
    if strangers := without_assessed_topics(topics, results):
        raise InputError(strangers)
    made: dict[Hashable, Any] = {}

    def once(key: Hashable, make: Callable[[], T]) -> T:
        if key not in made:
            made[key] = make()
        return made[key]

    by_name = {topic.name: topic for topic in topics}

    def base_of(topic: Topic, spec: Spec, setting: Hashable) -> Any:
        prepare = spec.measure.prepare
        return once((prepare, topic.name, setting), lambda: prepare(topic, **spec.parameters))

    refused = refusals(topics, results, specs, known)
    for spec in specs:
        if spec.asked not in refused:
            try:
                for topic in topics:
                    base_of(topic, spec, tuple(spec.parameters.items()))
            except InputError as error:
                refused[spec.asked] = error.problems
    specs = [spec for spec in specs if spec.asked not in refused]
    if refused and not (skip_refused and specs):
        raise InputError(list(dict.fromkeys(problem for found in refused.values() for problem in found)))
    settings = [tuple(spec.parameters.items()) for spec in specs]

    problems: list[Problem] = []
    unruly: dict[str, int] = {}
    rules = sorted({task_named(task), *(spec.measure.rule for spec in specs if spec.measure.rule)})
    lists = list(results.lists())
    for found in lists:
        if found.topic in by_name and (violations := _violations(rules, found)):
            unruly[found.run] = unruly.get(found.run, 0) + len(violations)
            problems += violations
    if problems and not lenient:
        raise InputError(problems)

    values: dict[tuple[str, str, int], float] = {}
    repeated: dict[str, int] = {}
    outside: dict[str, int] = {}
    for found in progress(lists):
        if found.topic not in by_name:
            continue
        topic = by_name[found.topic]
        repeated[found.run] = repeated.get(found.run, 0) + int(found.repeats.sum())
        judged = once(("documents", topic.name), partial(_judged_documents, topic))
        known_documents, _ = is_among(found.document, judged)
        outside[found.run] = outside.get(found.run, 0) + int(np.count_nonzero(~known_documents))
        traces: dict[Hashable, Any] = {}
        for i, (spec, setting) in enumerate(zip(specs, settings, strict=True)):
            base = base_of(topic, spec, setting)
            if base is None:
                continue
            key = (spec.measure.trace, setting)
            if key not in traces:
                traces[key] = spec.measure.trace(base, found, **spec.parameters)
            values[found.run, found.topic, i] = spec.measure.value(traces[key], spec.cutoff)

    assessed = list(by_name)
    runs = [str(run) for run in results.runs]
    retrieved = {(run, topic) for run, topic, _ in values} | {(r.run, r.topic) for r in lists}
    rows: list[tuple[str, str, str, float]] = []
    irrelevant: dict[str, list[str]] = {}
    for i, (spec, setting) in enumerate(zip(specs, settings, strict=True)):
        relevant = [name for name in assessed if base_of(by_name[name], spec, setting) is not None]
        irrelevant[spec.asked] = [name for name in assessed if name not in set(relevant)]
        for run in runs:
            for name in relevant:
                if average_over == "run" and (run, name) not in retrieved:
                    continue
                rows.append((run, name, spec.asked, values.get((run, name, i), 0.0)))
    table = pd.DataFrame(rows, columns=["run", "topic", "measure", "value"])
    wanted = [t for t in assessed if any(t not in names for names in irrelevant.values())]
    missing = {run: [t for t in wanted if (run, t) not in retrieved] for run in runs}
    extra = {run: sorted({t for r, t in retrieved if r == run} - set(assessed)) for run in runs}
    counted = _of_assessed_topics(topics, results)
    lost = (results.start < 0) | (results.document < 0)
    empty = (results.element < 0) & (results.start == results.end)
    partly = any(not topic.collection.complete for topic in topics)
    return Scores(
        table,
        irrelevant={k: v for k, v in irrelevant.items() if v},
        missing={k: v for k, v in missing.items() if v},
        unassessed={k: v for k, v in extra.items() if v},
        repeated={k: v for k, v in repeated.items() if v},
        outside={k: v for k, v in outside.items() if v},
        incomplete={
            s.asked: s.measure.without_collection for s in specs if partly and s.measure.without_collection
        },
        unruly=unruly,
        unresolved=_by_run(results, lost & counted),
        empty=_by_run(results, empty & counted),
        refused=refused,
    )
