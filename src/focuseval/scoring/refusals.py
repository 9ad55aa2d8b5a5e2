"""Functions that find out which runs and measures cannot be scored, with reasons and remedies."""

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np

from focuseval.errors import (
    COLLECTION,
    GIVE_DOCUMENTS,
    LENIENT,
    Option,
    Problem,
    Sentence,
    counted,
    listed,
)
from focuseval.measures.declaration import Measure, Spec
from focuseval.measures.rules import violations
from focuseval.model.arrays import Bools, distinct
from focuseval.model.judgements import Topic
from focuseval.model.results import Results


@dataclass(frozen=True)
class MeasureRefusal:
    """A reason why a measure cannot be computed on a run."""

    measure: str  #: the name of the measure as the user wrote it
    order: int  #: priority; of the reasons for one measure, only those with the lowest number are reported
    #: the problems, in which ``{results}`` and ``{runs}`` stand for the number of results and the names of runs
    problems: Sequence[Problem]
    count: int = 0  #: the number of results that cause the refusal


def refused_measures(
    refusals: Iterable[tuple[str, MeasureRefusal]], measures: Sequence[str]
) -> dict[str, list[Problem]]:
    """Return the ``measures`` that are refused on at least one run, with the problems.

    ``refusals`` contains pairs of the name of a run and a refusal.
    """
    alike: dict[str, list[tuple[str, MeasureRefusal]]] = {}
    for run, one in refusals:
        of_measure = alike.setdefault(one.measure, [])
        if of_measure and one.order < of_measure[0][1].order:
            of_measure.clear()
        if not of_measure or one.order == of_measure[0][1].order:
            of_measure.append((run, one))
    refused = {}
    for measure in dict.fromkeys(name for name in measures if name in alike):
        names = [run for run, _ in alike[measure]]
        runs = f"run{'s' if len(names) > 1 else ''} {listed([*map(repr, names)], last=' and ')}"
        results = counted(sum(one.count for _, one in alike[measure]), "result")
        refused[measure] = [
            replace(p, found=p.found.replace("{results}", results).replace("{runs}", runs))
            for p in alike[measure][0][1].problems
        ]
    return refused


#: The data that measures may need, as a row for each need: its names, a test whether a topic lacks the data, a
#: description, and the remedy. Only the first missing data are reported.
_NEEDS: tuple[tuple[Set[str], Callable[[Topic], bool], str, str], ...] = (
    (
        {"judgements"},
        lambda topic: topic.scale == "grades",
        "judgements of elements",
        "give judgements of elements, because TREC qrels judge whole documents",
    ),
    (
        {"judgements"},
        lambda topic: topic.scale == "highlights" and not topic.collection.complete,
        "judgements of elements",
        Sentence(GIVE_DOCUMENTS, ", so that highlights can be mapped to elements"),
    ),
    (
        {"highlights", "spans"},
        lambda topic: topic.highlights is None,
        "highlighted passages",
        "give gold spans, FOL qrels, or assessments with <passage> elements",
    ),
    (
        {"spans"},
        lambda topic: topic.spans is None,
        "highlighted passages before they are merged",
        "read the assessments again",
    ),
    (
        {"texts", "characters"},
        lambda topic: topic.collection.unit != "characters",
        "offsets in characters",
        Sentence("use ", Option("unit", "characters")),
    ),
    (
        {"lines"},
        lambda topic: topic.collection.unit != "lines",
        "offsets in lines of source code",
        Sentence("use ", Option("unit", "lines")),
    ),
    ({"texts"}, lambda topic: topic.collection.words is None, "texts of documents", GIVE_DOCUMENTS),
    (
        {"tokenizer"},
        lambda topic: topic.collection.words is None or topic.collection.words.tokenizer is None,
        "tokenizer for counting tokens",
        Sentence("give its name or file (", Option("tokenizer"), ")"),
    ),
    (
        {"entry points"},
        lambda topic: topic.entry_point is None,
        "best entry points",
        Sentence("give FOL qrels, or assessments with entry points and their documents (", COLLECTION, ")"),
    ),
    (
        {"sizes"},
        lambda topic: not topic.collection.complete and bool((topic.collection.end < 0).any()),
        "element sizes",
        GIVE_DOCUMENTS,
    ),
)


def unmet(needs: Set[str], topics: Sequence[Topic]) -> tuple[str, str] | None:
    """Return the first missing data that a measure needs, and the remedy, or None if no data are missing."""
    if "aspects" in needs and not any(
        topic.spans is not None and any(topic.spans.aspects) for topic in topics
    ):
        return "gold passages with aspects", "give TREC Genomics gold, or gold spans with aspects"
    needed = [(lacks, what, remedy) for names, lacks, what, remedy in _NEEDS if needs & names]
    return next(((what, remedy) for topic in topics for lacks, what, remedy in needed if lacks(topic)), None)


def of_assessed_topics(topics: Sequence[Topic], results: Results) -> Bools:
    """Return whether each result belongs to an assessed topic."""
    assessed = np.asarray(results.topics.isin([topic.name for topic in topics]))
    return np.broadcast_to(True, len(results)) if assessed.all() else assessed[results.topic]


def without_assessed_topics(topics: Sequence[Topic], results: Results) -> dict[int, Problem]:
    """Return, by index, a problem for each run without results for assessed topics: its scores would all be 0."""
    begins = results.bounds[:-1]
    run, topic = results.run[begins], results.topic[begins]
    strangers = np.setdiff1d(run, run[of_assessed_topics(topics, results)[begins]])
    problems = {}
    for stranger in strangers.tolist():
        names = [str(name) for name in results.topics[distinct(topic[run == stranger])]]
        source = results.sources[stranger] if results.sources else f"run {results.runs[stranger]}"
        problems[stranger] = none_assessed(source, names, [topic.name for topic in topics])
    return problems


def none_assessed(source: str, names: list[str], assessed: Sequence[str]) -> Problem:
    """Return the problem that none of a run's topics is assessed. ``names`` are the topics of the run."""
    expected = f"expected at least one of the assessed topics ({listed(list(assessed))})"
    return Problem(source, "", f"none of the run's topics ({listed(names)}) is assessed", expected)


def refusals(
    topics: Sequence[Topic], run: Results, specs: Sequence[Spec], suggested: Mapping[str, Measure]
) -> list[MeasureRefusal]:
    """Return refusals of measures that need missing data, and of measures that do not accept the results.

    Measures of elements do not accept passages, which have no judgement and would count as not relevant. Refusals may
    recommend the measures ``suggested``.
    """
    unsized = unsized_results(run)
    passage = (run.element < 0) & (run.start >= 0) & (run.document >= 0)
    passages = int(np.count_nonzero(passage & of_assessed_topics(topics, run)))
    unmet_of = cache(partial(unmet, topics=topics))
    rows = []

    def refuse(spec: Spec, order: int, count: int, found: str, expected: str) -> None:
        problem = Problem(f"measure {spec.asked}", "", found, expected)
        rows.append(MeasureRefusal(spec.asked, order, [problem], count))

    for spec in specs:
        if lack := unmet_of(spec.needs):
            refuse(spec, 0, 0, f"the inputs have no {lack[0]}", lack[1])
        elif unsized and spec.needs & {"highlights", "sizes", "spans"}:
            found = "the size of the element or document is unknown for {results}"
            refuse(spec, 1, unsized, found, Sentence(GIVE_DOCUMENTS, ", or results with offset and length"))
        elif passages and not spec.measure.takes_passages(spec.parameters):
            fitting = [n for n, m in suggested.items() if m.takes_passages({}) and not unmet_of(m.needs)]
            found = "{runs} returned passages that are not elements ({results})"
            expected = f"use a measure that accepts passages{', such as ' if fitting else ''}{', '.join(fitting[:8])}"
            refuse(spec, 2, passages, found, expected)
    return rows


def without_relevant_content(spec: Spec) -> Problem:
    """Return the problem that no topic has relevant content for a measure."""
    expected = "check the judgements and the measure's parameters, or leave the measure out"
    return Problem(f"measure {spec.asked}", "", "no topic has relevant content", expected)


def unsized_results(results: Results) -> int:
    """Count the results that are elements or documents of unknown size."""
    return int(np.count_nonzero(results.end < results.start))


def ruled_out(specs: Sequence[Spec], run: Results, topics: Sequence[Topic]) -> list[MeasureRefusal]:
    """Return refusals of measures with a rule that the results of a run break."""
    broken = {}
    names = {topic.name for topic in topics}
    for rule in {spec.measure.rule for spec in specs if spec.measure.rule}:
        lists = (violations([rule], ranked) for ranked in run.lists() if ranked.topic in names)
        broken[rule] = next(filter(None, lists), [])
    rows = []
    for spec in specs:
        if spec.measure.rule and (problems := broken[spec.measure.rule]):
            first = problems[0]
            where = ", ".join(filter(None, [first.source, first.where]))
            found = (
                f"results of {{runs}} break a rule of the measure (the first is in {where}: {first.found})"
            )
            expected = Sentence("remove these results, or read leniently (", LENIENT, ")")
            problem = Problem(f"measure {spec.asked}", "", found, expected)
            rows.append(MeasureRefusal(spec.asked, 4, [problem]))
    return rows
