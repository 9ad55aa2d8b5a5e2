"""What is wrong with assessments, runs and a collection together: all that scoring would say, and no scores."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar, Unpack

from focuseval.api import read_campaign
from focuseval.campaign.assembly import (
    Campaign,
    Paths,
    Reading,
    ReadingSettings,
    Told,
    assemble_results,
    assemble_topics,
    contradicted,
    read_judged,
    some,
    unresolved_results,
)
from focuseval.campaign.collection_read import collection_from_source
from focuseval.errors import InputError, Problem, counted, listed
from focuseval.formats.documents import notes_on_ignored
from focuseval.measures import MEASURES, Spec, parse_specs
from focuseval.scoring.score import refusals, score

T = TypeVar("T")


@dataclass(frozen=True)
class Examined:
    """Inputs as they were found."""

    campaign: Campaign | None  #: with these problems and notes; None where an input cannot be read at all
    problems: list[Problem]  #: what scoring would refuse, each once
    notes: list[str]  #: what scoring would tell besides, a line each


def examine_part(
    collection: str | PathLike[str],
    *,
    assessments: Paths | None = None,
    runs: Paths | None = None,
    **reading: Unpack[ReadingSettings],
) -> tuple[list[str], list[Problem], list[str]]:
    """A collection, alone or with assessments or with runs: what there is, a line each; all problems; what is told."""
    settings = Reading(**reading, lenient=True)
    found: list[str] = []
    problems: list[Problem] = []
    notes: list[str] = []
    try:
        ignored = Counter[str]()
        elements = collection_from_source(Path(collection), settings.unit, rejected=problems, ignored=ignored)
        notes += notes_on_ignored(Path(collection), ignored)
        found.append(
            f"Collection: {counted(len(elements.names), 'document')}, {counted(len(elements), 'element')}"
        )
        given = [paths for paths in (assessments, runs) if paths is not None]
        judged = [] if assessments is None else [read_judged(assessments, elements, settings).raw]
        problems += contradicted(given, elements, judged)
        told = Told()
        if judged:
            topics, told = assemble_topics(judged[0], elements, settings)
            found.append(f"Assessments: {some([topic.name for topic in topics], 'topic')}")
        if runs is not None:
            results, told = assemble_results(runs, elements, settings)
            found.append(
                f"Runs: {counted(len(results), 'result')} of {some(list(map(str, results.runs)), 'run')}"
            )
            problems += unresolved_results(runs, elements, settings)
        problems += told.rejected
        notes += [note for note in told.notes if note not in map(str, problems)]
    except InputError as error:
        problems += error.problems
    return found, list(dict.fromkeys(problems)), notes


def examine(
    measures: Sequence[str],
    *,
    assessments: Paths,
    runs: Paths,
    collection: str | PathLike[str] | None = None,
    task: str = "thorough",
    **reading: Unpack[ReadingSettings],
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
    try:
        campaign = read_campaign(
            assessments=assessments, runs=runs, collection=collection, lenient=True, **reading
        )
    except InputError as error:
        problems += error.problems
        if collection is not None:  # which other problems may have hidden
            tried(partial(collection_from_source, Path(collection), rejected=problems))
        return Examined(None, list(dict.fromkeys(problems)), [])
    topics, results = campaign.topics, campaign.results
    problems += campaign.rejected
    problems += campaign.elsewhere
    problems += unresolved_results(runs, topics[0].collection, Reading(**reading, lenient=True))
    for rule in dict.fromkeys([task, *(spec.measure.rule for spec in specs if spec.measure.rule)]):
        tried(partial(score, topics, results, [], task=rule))
    refused = refusals(topics, results, specs, MEASURES)
    problems += [problem for found in refused.values() for problem in found]
    allowed = []
    for spec in specs:
        before = len(problems)
        if spec.asked not in refused:
            for topic in topics:
                tried(partial(spec.prepare, topic))
            allowed += [spec] if len(problems) == before else []
    found = tried(partial(score, topics, results, allowed, lenient=True))
    notes = [note for note in campaign.notes if note not in map(str, problems)]
    if found is not None:
        notes += replace(found, unresolved={}).notes()  # these are problems here
    empty = [topic.name for topic in topics if not len(topic.relevant_documents)]
    if empty and not measures:  # of which each would say what it makes of them
        notes.append(f"no relevant content, left out of most measures' means: {listed(empty)}")
    problems = list(dict.fromkeys(problems))
    return Examined(replace(campaign, rejected=problems, notes=notes), problems, notes)
