"""What is wrong with files, or with assessments, runs and documents together: all that scoring would say of them."""

import html
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar, Unpack

import pandas as pd

from focuseval.campaign import notices
from focuseval.campaign.assembly import (
    IN_MEMORY,
    assemble,
    assemble_results,
    assemble_topics,
    contradicted,
    paths_of,
    placed_in_code,
    read_given,
    some,
    unresolved_results,
)
from focuseval.campaign.collection_read import collection_from_source
from focuseval.campaign.notices import Notice
from focuseval.campaign.settings import Inputs, InputSettings, Reading, Runs, check_names
from focuseval.errors import InputError, Option, Problem, Sentence, counted, is_given, listed, shown, told
from focuseval.formats.checking import check as check_file
from focuseval.formats.checking import is_warning
from focuseval.formats.documents import holds_code, notes_on_ignored
from focuseval.measures import MEASURES, Spec, parse_specs
from focuseval.model.elements import Collection
from focuseval.scoring.score import Scores, score

T = TypeVar("T")

Files = str | PathLike[str] | Sequence[str | PathLike[str]]


@dataclass(frozen=True)
class Part:
    """A file by itself, or inputs together, as they were found."""

    name: str  #: ``gold.jsonl: gold spans; …,``, ``together:``
    found: list[str]  #: what there is, a line each; nothing where an input cannot be read at all
    problems: list[Problem]  #: what scoring would refuse, each once, and warnings of files (`is_warning`)
    notes: list[str]  #: what scoring would tell besides, a line each

    def lines(self) -> list[str]:
        """What there is, the number of problems, the first of them, and notes."""
        warnings = sum(map(is_warning, self.problems))
        bad = len(self.problems) - warnings
        number = (counted(bad, "problem") if bad else "no problems") + (
            f", {counted(warnings, 'warning')}" if warnings else ""
        )
        below = [f"  {line}" for line in [*told(self.problems), *self.notes]]
        return [*self.found, f"{self.name} {number}", *below]


def _held(elements: Collection) -> str:
    return f"Collection: {counted(len(elements.names), 'document')}, {counted(len(elements), 'element')}"


@dataclass(frozen=True, repr=False)
class Checked:
    """What inputs are, and everything that is wrong with them; ``print`` shows the first of it."""

    parts: list[Part]

    @property
    def problems(self) -> list[Problem]:
        """All of them, warnings too."""
        return [problem for part in self.parts for problem in part.problems]

    @property
    def ok(self) -> bool:
        """Whether there is none, warnings aside."""
        return all(map(is_warning, self.problems))

    def to_frame(self) -> pd.DataFrame:
        """A row for each problem: source, where, found, expected, and whether it is a warning."""
        rows = [
            (p.source, p.where, p.found, str(p.expected), is_warning(p)) for p in dict.fromkeys(self.problems)
        ]
        return pd.DataFrame(rows, columns=["source", "where", "found", "expected", "warning"])

    def __repr__(self) -> str:
        return "".join(f"{line}\n" for part in self.parts for line in part.lines())

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(repr(self))}</pre>\n"


def check(
    files: Files = (),
    *,
    measures: str | Sequence[str] = (),
    runs: Runs | None = None,
    task: str | None = None,
    **inputs: Unpack[InputSettings],
) -> Checked:
    """What files are and everything that is wrong with them, and with assessments, runs and documents together.

    ``files``
        are looked at one by one.
    ``runs``, ``inputs``
        as for `focuseval.score`: all that it would refuse or tell. A collection may be given alone, with assessments
        or with runs; without it, either alone is looked at as ``files`` are.
    ``measures``
        whether they can be computed.
    ``task``
        whose rules runs must keep (``thorough`` if not given).

    ``print`` shows the result; it has ``problems`` (``to_frame``), and is ``ok`` if there are none, warnings aside.
    Raises InputError for settings that nothing is read with, and if there is nothing to check.
    """
    check_names(check, inputs)
    given: dict[str, Any] = {name: value for name, value in inputs.items() if value is not None}
    judged = "assessments" in given or "gold" in given
    whole, documents = judged and runs is not None, "collection" in given or "texts" in given
    asked = [measures] if isinstance(measures, str) else list(measures)
    alone = (
        []
        if whole or documents
        else [*_files(given.get("assessments"), "assessments"), *_files(runs, "runs")]
    )
    files = _files(files, "files")
    if not whole:
        _refuse_unused({**given, **({"measures": asked} if asked else {}), "task": task}, judged, runs)
        if not (files or alone or documents):
            named = Sentence("give files, or ", Option("assessments"), " and ", Option("runs"))
            raise InputError.of("check", "nothing to check", named)
    parts = []
    for file in [*files, *alone]:
        description, problems = check_file(file)
        parts.append(Part(f"{shown(file)}: {description},", [], problems, []))
    if whole:
        assert runs is not None
        parts.append(_together(asked, runs, task or "thorough", given))
    elif documents:
        name = "together:" if judged or runs is not None else "collection:"
        parts.append(_on_collection(name, runs, **given))
    return Checked(parts)


def _files(given: Any, name: str) -> list[Path]:
    """Paths; none of runs that are in memory."""
    return (
        []
        if given is None or isinstance(given, Mapping)
        else paths_of(given, name, IN_MEMORY * (name == "runs"))
    )


def _refuse_unused(given: dict[str, Any], judged: bool, runs: Runs | None) -> None:
    """Raise InputError for settings that nothing is read with: a file by itself is read as it is.

    With documents, assessments or runs alone are read as the settings say.
    """
    used = {"assessments", "gold", "collection", "texts"}
    if "collection" in given:
        used |= given.keys() - {"measures", "task"} if judged or runs is not None else {"unit"}
    lacking = [Option(name) for name, there in (("assessments", judged), ("runs", runs)) if not there]
    both = Sentence(*[part for one in lacking for part in (" and ", one)][1:])
    expected = Sentence("give ", both, ", too, or leave it out")
    if unused := [name for name, value in given.items() if name not in used and is_given(value)]:
        raise InputError([Problem(name, "", "given, and nothing to use it on", expected) for name in unused])


def _part(name: str, found: list[str], problems: list[Problem], said: Sequence[Notice]) -> Part:
    problems = list(dict.fromkeys([*problems, *notices.problems_in(said, notices.REJECTED)]))
    return Part(name, found, problems, notices.lines(one for one in said if one.problem not in problems))


def _on_collection(
    name: str,
    runs: Runs | None,
    *,
    collection: str | PathLike[str],
    assessments: Any = None,
    **reading: Any,
) -> Part:
    """A collection, alone or with assessments or with runs; places in source code need both to be put on it."""
    found: list[str] = []
    problems: list[Problem] = []
    said: list[Notice] = []
    try:
        if assessments is not None and holds_code(Path(collection)):
            given = Inputs(collection=collection, assessments=assessments, lenient=True, **reading)
            campaign = assemble(given, None)
            found.append(_held(campaign.topics[0].collection))
            found.append(f"Assessments: {some([topic.name for topic in campaign.topics], 'topic')}")
            return _part(name, found, problems, campaign.notices)
        settings = Reading(
            **{key: reading[key] for key in reading if key not in ("grain", "exclude")}, lenient=True
        )
        ignored = Counter[str]()
        elements = collection_from_source(Path(collection), settings.unit, rejected=problems, ignored=ignored)
        said += notices.notes(notes_on_ignored(Path(collection), ignored))
        found.append(_held(elements))
        judged = [] if assessments is None else [read_given(assessments, settings)]
        problems += contradicted([assessments, runs], elements, judged)
        if judged:
            topics, of_topics = assemble_topics(judged[0], elements, settings)
            said += of_topics
            found.append(f"Assessments: {some([topic.name for topic in topics], 'topic')}")
        if runs is not None and not isinstance(runs, Mapping):
            results, of_runs = assemble_results(runs, elements, settings)
            said += of_runs
            found.append(
                f"Runs: {counted(len(results), 'result')} of {some(list(map(str, results.runs)), 'run')}"
            )
            problems += unresolved_results(runs, elements, settings)
    except InputError as error:
        problems += error.problems
    return _part(name, found, problems, said)


def _together(measures: Sequence[str], runs: Runs, task: str, given: dict[str, Any]) -> Part:
    """All problems of inputs, by themselves and together, and all that `focuseval.score` would tell of them.

    Without ``measures`` none is asked for what it needs.
    """
    problems: list[Problem] = []

    def tried(step: Callable[[], T]) -> T | None:
        """What a step gives; None, and its problems noted, if it cannot be taken."""
        try:
            return step()
        except InputError as error:
            problems.extend(error.problems)
            return None

    name = "together:"
    specs: list[Spec[Any, Any]] = []
    for one in measures:
        specs += tried(partial(parse_specs, one, MEASURES)) or []
    inputs = Inputs(**(given | {"lenient": True}))
    if (placed := tried(partial(placed_in_code, inputs, runs))) is None:
        return _part(name, [], problems, [])
    inputs, runs = placed.inputs, placed.runs or runs
    if (campaign := tried(partial(assemble, inputs, runs))) is None:
        if inputs.collection is not None:  # which other problems may have hidden
            tried(partial(collection_from_source, Path(str(inputs.collection)), rejected=problems))
        return _part(name, [], problems, [])
    topics, results = campaign.topics, campaign.results
    problems += [*campaign.rejected, *campaign.elsewhere]
    problems += unresolved_results(runs, topics[0].collection, inputs)
    for rule in dict.fromkeys([task, *(spec.measure.rule for spec in specs if spec.measure.rule)]):
        tried(partial(score, topics, results, [], task=rule))

    def scored(specs: Sequence[Spec[Any, Any]]) -> Scores | None:
        return tried(partial(score, topics, results, specs, lenient=True, skip_refused=True, known=MEASURES))

    said = [*placed.notices, *campaign.notices]
    if (found := scored(specs) or scored([])) is not None:
        problems += [problem for of_measure in found.refused.values() for problem in of_measure]
        said += [one for one in found.notices if one.kind != notices.UNRESOLVED.name]  # which are problems
    examined = _part(name, [], problems, said)
    empty = [topic.name for topic in topics if not len(topic.relevant_documents)]
    if empty and not measures:  # of which each would say what it makes of them
        examined.notes.append(f"no relevant content, left out of most measures' means: {listed(empty)}")
    as_found = notices.of_problems(notices.REJECTED, examined.problems)
    as_checked = replace(campaign, notices=[*notices.notes(examined.notes), *as_found])
    return replace(examined, found=str(as_checked).splitlines())
