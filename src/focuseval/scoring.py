"""Scores: every run on every topic under every measure, as one tidy table."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from focuseval.errors import InputError, Problem
from focuseval.measures.declaration import Spec
from focuseval.model.arrays import Ints, is_among
from focuseval.model.judgements import ALL, Topic
from focuseval.model.results import ResultList, Results
from focuseval.rules import Breach, rule_violations

T = TypeVar("T")

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

    def left_out(self) -> dict[str, dict[str, list[str]] | dict[str, int]]:
        """What was left out or counted as nothing, by kind."""
        return {
            "irrelevant": self.irrelevant,
            "missing": self.missing,
            "unassessed": self.unassessed,
            "repeated": self.repeated,
            "outside": self.outside,
            "unruly": self.unruly,
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
        lines = [f"{m}: {remark}" for m, remark in self.incomplete.items()]
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
        return lines


def _listed(names: Sequence[str], most: int = 20) -> str:
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def _unmet(spec: Spec, topics: Sequence[Topic]) -> str:
    """What a measure needs and the topics do not have, or ``""``."""
    for topic in topics:
        if (
            "judgements" in spec.measure.needs
            and topic.scale == "highlights"
            and not topic.collection.complete
        ):
            return "judged elements: give --collection, so that highlights can be put on elements"
        if "highlights" in spec.measure.needs and topic.highlights is None:
            return "highlighted passages: give FOL qrels, or assessments with <passage> elements"
        if "entry points" in spec.measure.needs and topic.entry_point is None:
            return "best entry points: give FOL qrels"
        known = topic.collection.complete or not (topic.collection.end < 0).any()
        if "sizes" in spec.measure.needs and not known:
            return "the sizes of elements: give --collection"
    return ""


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
    progress: Callable[[Iterable[ResultList]], Iterable[ResultList]] = iter,
) -> Scores:
    """Score every run on every topic.

    ``average_over="assessed"`` gives 0 for an assessed topic that a run lacks; ``"run"`` leaves it
    out of that run's mean, as trec_eval does by default. Topics without relevant content under a
    measure's settings are left out and named. Raises InputError if a measure needs what the
    assessments or the collection do not have, and for every result that breaks the rules of the
    ``task`` or of a measure (`focuseval.rules`), unless ``lenient``: then it is scored and counted.
    """
    problems = [
        Problem(f"measure {spec.asked}", "", "not computable from these inputs", f"it needs {lack}")
        for spec in specs
        if (lack := _unmet(spec, topics))
    ]
    if any(topic.name == ALL for topic in topics):
        problems.append(
            Problem("topics", "", f"a topic named {ALL!r}", "rename it: means stand under this name")
        )
    unsized = np.count_nonzero(results.end < results.start)
    if unsized and any(spec.measure.needs & {"highlights", "sizes"} for spec in specs):
        told = f"{unsized} results are elements or documents of unknown size"
        problems.append(Problem("runs", "", told, "give --collection, or passages by offset and length"))
    if problems:
        raise InputError(problems)

    known: dict[Hashable, Any] = {}

    def once(key: Hashable, make: Callable[[], T]) -> T:
        if key not in known:
            known[key] = make()
        return known[key]

    by_name = {topic.name: topic for topic in topics}
    settings = [tuple(spec.parameters.items()) for spec in specs]

    def base_of(topic: Topic, spec: Spec, setting: Hashable) -> Any:
        prepare = spec.measure.prepare
        return once((prepare, topic.name, setting), lambda: prepare(topic, **spec.parameters))

    unruly: dict[str, int] = {}
    rules = sorted({task, *(spec.measure.rule for spec in specs if spec.measure.rule)})
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
    )
