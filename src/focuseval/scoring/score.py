"""Scores: every run on every topic under every measure, as one tidy table."""

import json
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import numpy as np
import pandas as pd

from focuseval.errors import NAMED_ALIKE, InputError, Problem, counted, counted_of_runs, listed, of_runs
from focuseval.measures.declaration import COUNTS, LEFT_OUT, Call, Measure, Spec
from focuseval.measures.rules import violations
from focuseval.model.arrays import Bools, Floats, Ints, distinct, is_among
from focuseval.model.judgements import ALL, Topic
from focuseval.model.results import ResultList, Results
from focuseval.model.vocabulary import task_named
from focuseval.scoring.short_lists import Lengths, lengths_of
from focuseval.statistics.means import means_by

T = TypeVar("T")

#: the topics that a mean is over: all assessed ones, or those of the run
AVERAGES = ("assessed", "run")


#: what `Scores` tell of runs, by run
_BY_RUN = (
    *("missing", "unassessed", "returned", "repeated", "outside", "strange", "unruly", "unresolved", "empty"),
)


@dataclass(frozen=True)
class Scores:
    """Scores of runs, and what was left out of them."""

    #: one row per measure, run and assessed topic; columns run, topic, name (canonical, the shortest),
    #: measure (without parameters), parameters (all of them, as JSON with sorted keys), cutoff (NaN for
    #: none), value; text is categorical. If counts of any measure are added up over topics (``average=micro``), these,
    #: too, in the columns `focuseval.measures.declaration.COUNTS` (NaN for other measures)
    per_topic: pd.DataFrame
    #: what was asked for, by canonical names
    specs: Mapping[str, Spec] = field(default_factory=dict)
    #: canonical names, by measure as asked for
    asked: Mapping[str, str] = field(default_factory=dict)
    #: names of topics without relevant content, by measure as asked for
    irrelevant: dict[str, list[str]] = field(default_factory=dict)
    #: assessed topics with relevant content that a run lacks (they score 0), by run
    missing: dict[str, list[str]] = field(default_factory=dict)
    #: topics of a run that are not assessed (they are left out), by run
    unassessed: dict[str, list[str]] = field(default_factory=dict)
    #: results for assessed topics, by run
    returned: dict[str, int] = field(default_factory=dict)
    #: results that stand a second time in their list, by run
    repeated: dict[str, int] = field(default_factory=dict)
    #: results in documents that the assessments of their topic do not name, by run
    outside: dict[str, int] = field(default_factory=dict)
    #: all results, by run of which none is in a document that the assessments of its topic name
    strange: dict[str, int] = field(default_factory=dict)
    #: what measures say of a collection that is not known, by measure as asked for
    incomplete: dict[str, str] = field(default_factory=dict)
    #: results that break the rules of the task (scored with ``lenient`` only), by run
    unruly: dict[str, int] = field(default_factory=dict)
    #: results that are not in the collection (``lenient`` only), by run
    unresolved: dict[str, int] = field(default_factory=dict)
    #: passages without a character, by run
    empty: dict[str, int] = field(default_factory=dict)
    #: results behind the first of their document, by measure (as asked for) that counts whole documents, though gold is
    #: passages
    passed_over: dict[str, int] = field(default_factory=dict)
    #: how long lists are, by measure (as asked for) with a cut-off that they may end before
    lengths: dict[str, Lengths] = field(default_factory=dict)
    #: results of which it is not known what they cover: elements or documents of unknown size
    unsized: int = 0
    #: topics without gold that count all the same, by measure (as asked for) with ``without_gold``
    barren: dict[str, list[str]] = field(default_factory=dict)
    #: why measures were not scored (``skip_refused`` only), by measure as asked for
    refused: dict[str, list[Problem]] = field(default_factory=dict)

    @property
    def short(self) -> dict[str, str]:
        """What is told of lists that end before its cut-off, by measure as asked for."""
        told = {measure: lengths.told() for measure, lengths in self.lengths.items()}
        return {measure: remark for measure, remark in told.items() if remark}

    def left_out(self) -> dict[str, dict[str, list[str]] | dict[str, int]]:
        """What was left out or counted as nothing, by kind."""
        return {
            "irrelevant": self.irrelevant,
            "missing": self.missing,
            "unassessed": self.unassessed,
            "repeated": self.repeated,
            "outside": self.outside,
            "strange": self.strange,
            "unruly": self.unruly,
            "unresolved": self.unresolved,
            "empty": self.empty,
            "passed_over": self.passed_over,
            "barren": self.barren,
        }

    def renamed(self, names: Mapping[str, str]) -> "Scores":
        """The same of runs that have other names."""

        def named(of_runs: Mapping[str, T]) -> dict[str, T]:
            return {names[run]: found for run, found in of_runs.items()}

        by_run: dict[str, Any] = {kind: named(getattr(self, kind)) for kind in _BY_RUN}
        return replace(
            self,
            per_topic=self.per_topic.assign(run=self.per_topic["run"].cat.rename_categories(names)),
            lengths={measure: replace(of, short=named(of.short)) for measure, of in self.lengths.items()},
            **by_run,
        )

    def __add__(self, other: "Scores") -> "Scores":
        """With those of other runs, under the same measures, none of which was refused."""
        table = stacked([self.per_topic, other.per_topic])[list(self.per_topic)]
        order = np.argsort(table["name"].cat.codes, kind="stable")
        by_run: dict[str, Any] = {kind: getattr(self, kind) | getattr(other, kind) for kind in _BY_RUN}
        passed_over = self.passed_over | other.passed_over
        return replace(
            self,
            per_topic=table.take(order).reset_index(drop=True),
            passed_over={m: self.passed_over.get(m, 0) + other.passed_over.get(m, 0) for m in passed_over},
            lengths={measure: of + other.lengths[measure] for measure, of in self.lengths.items()},
            unsized=self.unsized + other.unsized,
            **by_run,
        )

    def means(self) -> pd.DataFrame:
        """The columns of ``per_topic``, with the topic ``all``: the mean over topics.

        Where a measure's counts are averaged (``average=micro``), it is the value of all topics' counts added up.
        """
        keys = ["run", "name"]
        mean = means_by(self.per_topic, keys)
        if set(COUNTS) <= set(self.per_topic):
            groups = self.per_topic.groupby(keys, sort=False, observed=True)
            added = groups[list(COUNTS)].sum(min_count=1).reset_index()
            mean[list(COUNTS)] = added[list(COUNTS)]
            for name in mean["name"].unique():
                if (spec := self.specs[name]).pooled:
                    rows = mean["name"] == name
                    mean.loc[rows, "value"] = spec.number_of(mean.loc[rows, list(COUNTS)].to_numpy())
        said = self.per_topic.drop_duplicates("name")[["name", "measure", "parameters", "cutoff"]]
        return mean.assign(topic=ALL).merge(said, how="left", on="name")[list(self.per_topic)]

    def as_asked(self, scores: pd.DataFrame | None = None) -> pd.DataFrame:
        """Columns run, topic, measure, value of scores (``per_topic``): measures as they were asked for."""
        shown = (self.per_topic if scores is None else scores)[["run", "topic", "name", "value"]]
        asked = pd.DataFrame({"measure": list(self.asked), "name": list(self.asked.values())}, dtype=str)
        return asked.merge(shown.astype({"name": str}), on="name")[["run", "topic", "measure", "value"]]

    def table(self, *, per_topic: bool = False) -> list[tuple[str, str, str, float]]:
        """Rows (run, topic, measure, value) for printing: the means, behind their topics if asked for."""
        parts = [self.as_asked(self.means())]
        if per_topic:
            parts = [self.as_asked(), *parts]
        rows = pd.concat([part.assign(mean=i) for i, part in enumerate(parts)], ignore_index=True)
        places = {run: i for i, run in enumerate(dict.fromkeys(rows["run"]))}
        rows = rows.assign(place=rows["run"].map(places)).sort_values(["place", "mean"], kind="stable")
        return list(zip(rows["run"], rows["topic"], rows["measure"], map(float, rows["value"]), strict=True))

    def notes(self) -> list[str]:
        """What was left out or counted as 0, a line each."""
        reasons: dict[str, list[str]] = {}
        for m, problems in self.refused.items():
            reasons.setdefault(str(problems[0]).removeprefix(f"measure {m}: "), []).append(m)
        lines = [f"not scored: {listed(measures)}: {reason}" for reason, measures in reasons.items()]
        lines += [f"{m}: {remark}" for m, remark in self.incomplete.items()]
        lines += [f"{m}: {remark}" for m, remark in self.short.items()]
        if self.passed_over:
            lines.append(
                f"{listed(list(self.passed_over))}: whole documents are counted, each at its first result "
                f"({counted(max(self.passed_over.values()), 'other')} passed over): relevant=touches counts results"
                + f" ({counted(self.unsized, 'result')} of unknown size: give --collection)"
                * bool(self.unsized)
                + ", relevant=document says that documents are meant"
            )
        if self.barren:
            [topics, *_] = self.barren.values()
            lines.append(
                f"{listed(list(self.barren))}: topics without gold count: {listed(topics)} (without_gold=left-out "
                "leaves them out)"
            )
        alike: dict[str, list[str]] = {}
        for m, topics in self.irrelevant.items():
            alike.setdefault(listed(topics), []).append(m)
        lines += [f"{listed(m)}: no relevant content, left out of the mean: {t}" for t, m in alike.items()]
        lines += of_runs(
            {r: f"{counted(len(t), 'assessed topic')} missing: {listed(t)}" for r, t in self.missing.items()}
        )
        lines += of_runs(
            {
                r: f"{counted(len(t), 'topic')} not assessed, left out: {listed(t)}"
                for r, t in self.unassessed.items()
            }
        )
        lines += counted_of_runs(self.repeated, "result", "returned a second time for the same topic")
        unjudged = "in documents without judgements for their topic"
        asked = f"{unjudged}: {NAMED_ALIKE}"
        lines += counted_of_runs(
            self.outside, "result", f"{unjudged}, counted as not relevant", self.returned
        )
        lines += counted_of_runs(self.strange, "result", asked, self.returned)
        lines += counted_of_runs(self.unruly, "result", "breaking the rules of the task, scored unchanged")
        lines += counted_of_runs(
            self.unresolved,
            "result",
            "not in the collection, counted as 18 characters without relevance",
        )
        lines += counted_of_runs(self.empty, "passage", "without a character, worth nothing")
        return lines


def unmet(needs: Set[str], topics: Sequence[Topic]) -> str:
    """What is needed and the topics do not have, or ``""``."""
    if "aspects" in needs and not any(
        topic.spans is not None and any(topic.spans.aspects) for topic in topics
    ):
        return "the aspects of gold passages: give TREC Genomics gold, or gold spans with them"
    for topic in topics:
        if "judgements" in needs and topic.scale == "grades":
            return "judged elements: TREC qrels judge whole documents"
        if "judgements" in needs and topic.scale == "highlights" and not topic.collection.complete:
            return "judged elements: give the documents (--collection), so that highlights can be put on elements"
        if needs & {"highlights", "spans"} and topic.highlights is None:
            return "highlighted passages: give FOL qrels, or assessments with <passage> elements"
        if "spans" in needs and topic.spans is None:
            return "the passages that were highlighted, unmerged: read the assessments again"
        if needs & {"texts", "characters"} and topic.collection.unit != "characters":
            return "offsets of characters: take these for the unit"
        if "texts" in needs and topic.collection.words is None:
            return "the texts of documents: give the documents (--collection)"
        if "entry points" in needs and topic.entry_point is None:
            return "best entry points: give FOL qrels, or assessments that have them and the documents (--collection)"
        if "sizes" in needs and not topic.collection.complete and (topic.collection.end < 0).any():
            return "the sizes of elements: give the documents (--collection)"
    return ""


def _assessed(topics: Sequence[Topic], results: Results) -> Bools:
    """Whether each topic of the results is assessed."""
    return np.asarray(results.topics.isin([topic.name for topic in topics]))


def _of_assessed_topics(topics: Sequence[Topic], results: Results) -> Bools:
    """(M,) whether each result is of an assessed topic."""
    assessed = _assessed(topics, results)
    return np.broadcast_to(True, len(results)) if assessed.all() else assessed[results.topic]


def _by_run(results: Results, counted: Bools) -> dict[str, int]:
    """How many results are counted, by run; runs without any are left out."""
    counts = np.bincount(results.run[counted], minlength=len(results.runs))
    return {str(run): int(count) for run, count in zip(results.runs, counts, strict=True) if count}


def without_assessed_topics(topics: Sequence[Topic], results: Results) -> list[Problem]:
    """The runs of which no topic is assessed: every score would be 0, whatever they returned."""
    run, topic = (column[results.bounds[:-1]] for column in (results.run, results.topic))
    strangers = np.setdiff1d(run, run[_assessed(topics, results)[topic]])
    expected = f"expected some of {listed([topic.name for topic in topics])}"
    problems = []
    for stranger in strangers:
        names = [str(name) for name in results.topics[distinct(topic[run == stranger])]]
        source = results.sources[stranger] if results.sources else f"run {results.runs[stranger]}"
        problems.append(Problem(source, "", f"none of its topics is assessed: {listed(names)}", expected))
    return problems


def refusals(
    topics: Sequence[Topic], results: Results, specs: Sequence[Spec], known: Mapping[str, Measure]
) -> dict[str, list[Problem]]:
    """The measures that need what the inputs do not have, and why; ``known`` are those to name in their place.

    A passage that is no element has no judgement, and measures of elements would take it for not relevant.
    """
    unsized = _unsized(results)
    passage = (results.element < 0) & (results.start >= 0) & (results.document >= 0)
    passages = _by_run(results, passage & _of_assessed_topics(topics, results))
    refused = {}
    for spec in specs:
        if lack := unmet(spec.needs, topics):
            told = "not computable from these inputs", f"it needs {lack}"
        elif unsized and spec.needs & {"highlights", "sizes", "spans"}:
            told = (
                f"{counted(unsized, 'result')} whose element or document is of unknown size",
                "give the documents (--collection), or passages by offset and length",
            )
        elif passages and not spec.measure.takes_passages(spec.parameters):
            fitting = [n for n, m in known.items() if m.takes_passages({}) and not unmet(m.needs, topics)]
            told = (
                f"{counted(sum(passages.values()), 'result')} of {listed(list(passages))} whose passage is no element",
                f"ask for a measure that takes passages{': ' * bool(fitting)}{', '.join(fitting)}",
            )
        else:
            continue
        refused[spec.asked] = [Problem(f"measure {spec.asked}", "", *told)]
    return refused


def _unsized(results: Results) -> int:
    """How many results are elements or documents of unknown size."""
    return int(np.count_nonzero(results.end < results.start))


def _judged_documents(topic: Topic) -> Ints:
    """Documents that were assessed for a topic, as far as the assessments tell."""
    judged = [topic.collection.document_of(topic.element)]
    if topic.highlights is not None:
        judged.append(topic.highlights.document)
    if topic.assessed is not None:
        judged.append(topic.assessed)
    return np.unique(np.concatenate(judged))


def check_relevant(per_topic: pd.DataFrame) -> None:
    """Raise InputError where no topic has relevant content, so that there is no score (`Scores.per_topic`)."""
    if per_topic.empty:
        raise InputError(Problem("assessments", "", "no topic has relevant content", "give some"))


def _barren(topics: Sequence[Topic], specs: Sequence[Spec]) -> dict[str, list[str]]:
    """`Scores.barren`."""
    without = [t.name for t in topics if t.highlights is not None and not len(t.highlights.start)]
    counting = [spec.asked for spec in specs if spec.parameters.get("without_gold") not in (None, LEFT_OUT)]
    return {asked: without for asked in counting} if without else {}


def read_words(topics: Sequence[Topic], results: Results) -> None:
    """Read the texts of all documents that topics and results are of, in one pass."""
    marked = [topic.highlights.document for topic in topics if topic.highlights is not None]
    returned = results.document[_of_assessed_topics(topics, results) & (results.start >= 0)]
    words = topics[0].collection.words
    assert words is not None  # a measure that needs texts was refused
    words.read(np.concatenate([*marked, returned]))


def _ruled_out(specs: Sequence[Spec], lists: Iterable[ResultList]) -> dict[str, list[Problem]]:
    """The measures whose own rule some result breaks."""
    rules = {spec.measure.rule for spec in specs if spec.measure.rule}
    broken: dict[str, dict[str, list[Problem]]] = {rule: {} for rule in rules}
    for ranking in lists if rules else ():
        for rule in rules:
            if problems := violations([rule], ranking):
                broken[rule].setdefault(ranking.run, problems)
    found: dict[str, list[Problem]] = {}
    for rule, problems_of in broken.items():
        if problems_of:
            first = next(iter(problems_of.values()))[0]
            where = ", ".join(filter(None, [first.source, first.where]))
            told = f"results of {listed(list(problems_of))} break its rule, first {where}: {first.found}"
            expected = "leave these out, or be lenient (--lenient)"
            found |= {
                spec.asked: [Problem(f"measure {spec.asked}", "", told, expected)]
                for spec in specs
                if spec.measure.rule == rule
            }
    return found


class _Reading(NamedTuple):
    """Specs whose numbers are read from one trace in one call."""

    places: list[int]  #: of the specs
    read: Callable[..., Any]
    cutoffs: tuple[Ints | Floats, ...]  #: of the specs, or nothing where the whole list is read

    def numbers(self, trace: Any) -> Any:
        return self.read(trace, *self.cutoffs)


#: what is prepared for each topic, what is traced for each of that, and what is read from each trace
Plan = Mapping[Call, Mapping[Call, Sequence[_Reading]]]


def _plan(specs: Sequence[Spec[Any, Any]], of: Container[int] | None = None) -> Plan:
    """How to score under these specs, or under those of them whose places are given."""
    places: dict[tuple[Call, Call, Hashable, bool], list[int]] = {}
    for i, spec in enumerate(specs):
        if of is not None and i not in of:
            continue
        prepare, trace = (
            Call.of(step, spec.parameters) for step in (spec.measure.prepare, spec.measure.trace)
        )
        reads = spec.behind or spec.measure.value
        places.setdefault((prepare, trace, reads, spec.measure.pool is None), []).append(i)
    plan: dict[Call, dict[Call, list[_Reading]]] = {}
    for (prepare, trace, *_), those in places.items():
        first = specs[those[0]]
        if first.behind is not None:
            reading = _Reading(those, first.behind.at, (np.array([specs[i].cutoff for i in those]),))
        else:
            assert first.measure.value is not None  # a name without its cut-off was refused
            reading = _Reading(those, first.measure.value, ())
        plan.setdefault(prepare, {}).setdefault(trace, []).append(reading)
    return plan


def _tidy(
    specs: Sequence[Spec[Any, Any]],
    runs: Sequence[str],
    topics: Sequence[str],
    values: Floats,
    counted: Mapping[int, Floats],
    shown: Bools,
) -> pd.DataFrame:
    """The table of scores: values (R runs, T topics, S specs), of which (S, R, T) are shown.

    ``counted`` has the counts (R, T, 4) of the specs that have some, by their places.
    """
    spec, run, topic = np.nonzero(shown)

    def said(texts: Sequence[str], codes: Ints) -> pd.Categorical:
        place, distinct = pd.factorize(np.array(texts, dtype=object))
        return pd.Categorical.from_codes(place[codes], categories=distinct)

    cutoffs = np.array([np.nan if s.cutoff is None else s.cutoff for s in specs], dtype=float)
    counts = np.full((len(spec) if counted else 0, len(COUNTS)), np.nan)
    for place, found in counted.items():
        rows = spec == place
        counts[rows] = found[run[rows], topic[rows]]
    return pd.DataFrame(
        {
            "run": said(runs, run),
            "topic": said(topics, topic),
            "name": said([s.name for s in specs], spec),
            "measure": said([s.measure.name for s in specs], spec),
            "parameters": said([s.settings for s in specs], spec),
            "cutoff": cutoffs[spec],
            "value": values[run, topic, spec],
            **(dict(zip(COUNTS, counts.T, strict=True)) if counted else {}),
        }
    )


def stacked(tables: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Tables of scores below each other; columns of names stay numbers with a list of names."""
    names = {
        name: pd.api.types.union_categoricals([table[name] for table in tables])
        for name, dtype in tables[0].dtypes.items()
        if isinstance(dtype, pd.CategoricalDtype)
    }
    others = [table.drop(columns=list(names)) for table in tables]
    return pd.concat(others, ignore_index=True).assign(**names)


def with_parameters(scores: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """The scores with a column for each of the named parameters; missing where a measure does not have it.

    Raises ValueError for a parameter that no measure of the scores has.
    """
    codes, texts = pd.factorize(scores["parameters"])
    settings = pd.DataFrame([json.loads(text) for text in texts])
    if len(texts) and (unknown := [name for name in names if name not in settings]):
        known = ", ".join(settings) or "no parameters"
        raise ValueError(f"no measure here has {', '.join(unknown)}: they have {known}")
    columns = settings.reindex(columns=list(names)).take(codes).set_axis(scores.index)
    return scores.assign(**{name: columns[name] for name in names})


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
) -> Scores:
    """Score every run on every topic.

    ``average_over="assessed"`` gives 0 for an assessed topic that a run lacks; ``"run"`` leaves it
    out of that run's mean, as trec_eval does by default. Topics without relevant content under a
    measure's settings are left out and named. Raises InputError for a run of which no topic is
    assessed; if a measure needs what the assessments, the collection or the runs do not have, unless
    ``skip_refused``: then the others are scored, if there are any (`Scores.refused`; ``known`` are measures
    to name in its place), also without those whose own rule a result breaks; and for every result that breaks
    the rules of the ``task`` or of a measure (`focuseval.measures.rules`), unless ``lenient``: then it is scored and
    counted.
    """
    if any(topic.name == ALL for topic in topics):
        expected = "rename it: means stand under this name"
        raise InputError(Problem("topics", "", f"a topic named {ALL!r}", expected))
    if strangers := without_assessed_topics(topics, results):
        raise InputError(strangers)
    made: dict[Hashable, Any] = {}

    def once(key: Hashable, make: Callable[[], T]) -> T:
        if key not in made:
            made[key] = make()
        return made[key]

    by_name = {topic.name: topic for topic in topics}

    def base_of(topic: Topic, prepare: Call) -> Any:
        return once((topic.name, prepare), lambda: prepare(topic))

    refused = refusals(topics, results, specs, known)
    if any("texts" in spec.needs for spec in specs if spec.asked not in refused):
        read_words(topics, results)
    for spec in specs:
        if spec.asked not in refused:
            try:
                for topic in topics:
                    base_of(topic, Call.of(spec.measure.prepare, spec.parameters))
            except InputError as error:
                refused[spec.asked] = error.problems

    def assessed_lists() -> Iterator[ResultList]:
        return (found for found in results.lists() if found.topic in by_name)

    if skip_refused and not lenient:
        refused |= _ruled_out([spec for spec in specs if spec.asked not in refused], assessed_lists())
    specs = [spec for spec in specs if spec.asked not in refused]
    if refused and not (skip_refused and specs):
        raise InputError(list(dict.fromkeys(problem for found in refused.values() for problem in found)))
    once_each = list({spec.name: spec for spec in specs}.values())
    plan = _plan(once_each)

    problems: list[Problem] = []
    unruly: dict[str, int] = {}
    rules = sorted({task_named(task), *(spec.measure.rule for spec in specs if spec.measure.rule)})
    places = {name: i for i, name in enumerate(by_name)}
    rows = {str(name): i for i, name in enumerate(results.runs)}
    runs, assessed = [str(run) for run in results.runs], list(by_name)
    values = np.zeros((len(runs), len(assessed), len(once_each)))
    counted = {
        i: np.zeros((len(runs), len(assessed), len(COUNTS)))
        for i, spec in enumerate(once_each)
        if spec.measure.pool is not None
    }

    def note_numbers(place: tuple[int, int], found: ResultList, plan: Plan) -> None:
        """Score a list on its topic, and put values and counts in their place."""
        for prepare, traces in plan.items():
            if (base := base_of(by_name[found.topic], prepare)) is not None:
                for trace, readings in traces.items():
                    traced = trace(base, found)
                    for reading in readings:
                        numbers = reading.numbers(traced)
                        if reading.places[0] not in counted:
                            values[place][reading.places] = numbers
                            continue
                        of_each = np.broadcast_to(numbers, (len(reading.places), len(COUNTS)))
                        for i, counts in zip(reading.places, of_each, strict=True):
                            counted[i][place] = counts
                            values[(*place, i)] = once_each[i].number_of(counts)

    retrieved = np.zeros((len(runs), len(assessed)), dtype=bool)
    results_of: dict[str, int] = {}
    repeated: dict[str, int] = {}
    outside: dict[str, int] = {}
    inside: set[str] = set()
    of_documents = [spec.asked for spec in specs if spec.counts_documents]
    passed_over = 0
    for found in assessed_lists():  # made one by one: what is kept of a list while it is scored goes with it
        if broken := violations(rules, found):
            unruly[found.run] = unruly.get(found.run, 0) + len(broken)
            problems += broken
        if problems and not lenient:
            continue
        topic = by_name[found.topic]
        results_of[found.run] = results_of.get(found.run, 0) + len(found.document)
        repeated[found.run] = repeated.get(found.run, 0) + int(found.repeats.sum())
        judged = once(("documents", topic.name), partial(_judged_documents, topic))
        known_documents, _ = is_among(found.document, judged)
        outside[found.run] = outside.get(found.run, 0) + int(np.count_nonzero(~known_documents))
        if known_documents.any():
            inside.add(found.run)
        if of_documents and topic.highlights is not None:
            passed_over += int(np.count_nonzero(~found.first_of_article))
        place = rows[found.run], places[found.topic]
        retrieved[place] = True
        note_numbers(place, found, plan)
    if problems and not lenient:
        raise InputError(problems)
    if counted and average_over == "assessed":  # what is relevant to a topic counts, though a run may lack it
        counting = _plan(once_each, counted)
        for place in zip(*np.nonzero(~retrieved), strict=True):
            note_numbers(place, ResultList.empty(runs[place[0]], assessed[place[1]]), counting)

    relevant = np.zeros((len(assessed), len(once_each)), dtype=bool)
    for i, name in enumerate(assessed):
        for prepare, traces in plan.items():
            for readings in traces.values():
                for reading in readings:
                    relevant[i, reading.places] = base_of(by_name[name], prepare) is not None
    taken = np.ones_like(retrieved) if average_over == "assessed" else retrieved
    added = {i: counts for i, counts in counted.items() if once_each[i].pooled}
    table = _tidy(once_each, runs, assessed, values, added, relevant.T[:, None, :] & taken)
    of_name = dict(zip((spec.name for spec in once_each), relevant.T, strict=True))
    irrelevant = {
        spec.asked: [name for name, has in zip(assessed, of_name[spec.name], strict=True) if not has]
        for spec in specs
    }
    wanted = [t for t in assessed if not specs or any(t not in names for names in irrelevant.values())]
    names = [str(topic) for topic in results.topics]
    returned: list[set[str]] = [set() for _ in runs]
    for begin in results.bounds[:-1]:
        returned[results.run[begin]].add(names[results.topic[begin]])
    missing = {run: [t for t in wanted if t not in found] for run, found in zip(runs, returned, strict=True)}
    extra = {run: sorted(found.difference(assessed)) for run, found in zip(runs, returned, strict=True)}
    of_assessed = _of_assessed_topics(topics, results)
    lost = (results.start < 0) | (results.document < 0)
    empty = (results.element < 0) & (results.start == results.end)
    partly = any(not topic.collection.complete for topic in topics)
    return Scores(
        table,
        specs={spec.name: spec for spec in once_each},
        asked={spec.asked: spec.name for spec in specs},
        irrelevant={k: v for k, v in irrelevant.items() if v},
        missing={k: v for k, v in missing.items() if v},
        unassessed={k: v for k, v in extra.items() if v},
        returned=results_of,
        repeated={k: v for k, v in repeated.items() if v},
        outside={k: v for k, v in outside.items() if v and k in inside},
        strange={k: v for k, v in outside.items() if k not in inside},
        incomplete={
            s.asked: s.measure.without_collection for s in specs if partly and s.measure.without_collection
        },
        lengths=lengths_of(topics, results, specs),
        barren=_barren(topics, specs),
        unruly=unruly,
        unresolved=_by_run(results, lost & of_assessed),
        empty=_by_run(results, empty & of_assessed),
        passed_over=dict.fromkeys(of_documents, passed_over) if passed_over else {},
        unsized=_unsized(results),
        refused=refused,
    )
