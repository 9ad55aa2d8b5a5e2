"""What is wrong with assessments, runs and a collection together: all that scoring would say, and no scores."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

from focuseval.campaign import notices
from focuseval.campaign.assembly import (
    assemble,
    assemble_judged,
    assemble_results,
    assemble_topics,
    contradicted,
    placed_in_code,
    read_given,
    some,
    unresolved_results,
)
from focuseval.campaign.collection_read import collection_from_source
from focuseval.campaign.notices import Notice
from focuseval.campaign.settings import Inputs, Paths, Reading, Runs
from focuseval.errors import InputError, Problem, counted, listed
from focuseval.formats.code_files import holds_code
from focuseval.formats.documents import notes_on_ignored
from focuseval.measures import MEASURES, Spec, parse_specs
from focuseval.model.elements import Collection
from focuseval.scoring.score import Scores, score

T = TypeVar("T")


@dataclass(frozen=True)
class Examined:
    """Inputs as they were found."""

    found: list[str]  #: what there is, a line each; nothing where an input cannot be read at all
    problems: list[Problem]  #: what scoring would refuse, each once
    notes: list[str]  #: what scoring would tell besides, a line each


def _examined(found: list[str], problems: list[Problem], told: Sequence[Notice]) -> Examined:
    problems = list(dict.fromkeys([*problems, *notices.problems_in(told, notices.REJECTED)]))
    return Examined(found, problems, notices.lines(one for one in told if one.problem not in problems))


def _held(elements: Collection) -> str:
    return f"Collection: {counted(len(elements.names), 'document')}, {counted(len(elements), 'element')}"


def examine_part(
    collection: str | PathLike[str],
    *,
    assessments: Paths | None = None,
    runs: Paths | None = None,
    **reading: Any,
) -> Examined:
    """A collection, alone or with assessments or with runs; places in source code need both to be put on it."""
    found: list[str] = []
    problems: list[Problem] = []
    told: list[Notice] = []
    try:
        if assessments is not None and holds_code(Path(collection)):
            given = Inputs(collection=collection, assessments=assessments, lenient=True, **reading)
            campaign = assemble_judged(given)
            found.append(_held(campaign.topics[0].collection))
            found.append(f"Assessments: {some([topic.name for topic in campaign.topics], 'topic')}")
            return _examined(found, problems, campaign.notices)
        settings = Reading(
            **{key: value for key, value in reading.items() if key not in ("grain", "exclude")}, lenient=True
        )
        ignored = Counter[str]()
        elements = collection_from_source(Path(collection), settings.unit, rejected=problems, ignored=ignored)
        told += notices.notes(notes_on_ignored(Path(collection), ignored))
        found.append(_held(elements))
        judged = [] if assessments is None else [read_given(assessments, settings)]
        problems += contradicted([assessments, runs], elements, judged)
        if judged:
            topics, of_topics = assemble_topics(judged[0], elements, settings)
            told += of_topics
            found.append(f"Assessments: {some([topic.name for topic in topics], 'topic')}")
        if runs is not None:
            results, of_runs = assemble_results(runs, elements, settings)
            told += of_runs
            found.append(
                f"Runs: {counted(len(results), 'result')} of {some(list(map(str, results.runs)), 'run')}"
            )
            problems += unresolved_results(runs, elements, settings)
    except InputError as error:
        problems += error.problems
    return _examined(found, problems, told)


def examine(
    measures: Sequence[str],
    *,
    runs: Runs,
    collection: str | PathLike[str] | None = None,
    task: str = "thorough",
    **reading: Any,
) -> Examined:
    """All problems of inputs, by themselves and together, and all that `focuseval.score` would tell of them.

    The arguments are those of `focuseval.score`; without ``measures`` none is asked for what it needs.
    """
    problems: list[Problem] = []

    def tried(step: Callable[[], T]) -> T | None:
        """What a step gives; None, and its problems noted, if it cannot be taken."""
        try:
            return step()
        except InputError as error:
            problems.extend(error.problems)
            return None

    specs: list[Spec[Any, Any]] = []
    for name in measures:
        specs += tried(partial(parse_specs, name, MEASURES)) or []
    inputs = Inputs(collection=collection, lenient=True, **reading)
    if (placed := tried(partial(placed_in_code, inputs, runs))) is None:
        return _examined([], problems, [])
    inputs, runs = placed.inputs, placed.runs or runs
    if (campaign := tried(partial(assemble, inputs, runs))) is None:
        if collection is not None:  # which other problems may have hidden
            tried(partial(collection_from_source, Path(collection), rejected=problems))
        return _examined([], problems, [])
    topics, results = campaign.topics, campaign.results
    problems += [*campaign.rejected, *campaign.elsewhere]
    problems += unresolved_results(runs, topics[0].collection, inputs)
    for rule in dict.fromkeys([task, *(spec.measure.rule for spec in specs if spec.measure.rule)]):
        tried(partial(score, topics, results, [], task=rule))

    def scored(specs: Sequence[Spec[Any, Any]]) -> Scores | None:
        return tried(partial(score, topics, results, specs, lenient=True, skip_refused=True, known=MEASURES))

    told = [*placed.notices, *campaign.notices]
    if (found := scored(specs) or scored([])) is not None:
        problems += [problem for of_measure in found.refused.values() for problem in of_measure]
        told += [one for one in found.notices if one.kind != notices.UNRESOLVED.name]  # which are problems
    examined = _examined([], problems, told)
    empty = [topic.name for topic in topics if not len(topic.relevant_documents)]
    if empty and not measures:  # of which each would say what it makes of them
        examined.notes.append(f"no relevant content, left out of most measures' means: {listed(empty)}")
    as_found = notices.of_problems(notices.REJECTED, examined.problems)
    shown = replace(campaign, notices=[*notices.notes(examined.notes), *as_found])
    return replace(examined, found=str(shown).splitlines())
