"""Functions that check inputs, one by one or together, and report everything that scoring would report."""

import html
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar, Unpack

import pandas as pd

from focuseval.arguments import MEASURE_NAMES, read_argument
from focuseval.campaign import notices
from focuseval.campaign.assembly import (
    IN_MEMORY,
    assemble_results,
    of_code,
    paths_of,
    read_collection,
    read_judged,
    runs_from,
    some,
    unresolved_results,
)
from focuseval.campaign.collection_read import contradictions
from focuseval.campaign.notices import Notice
from focuseval.campaign.settings import Inputs, InputSettings, Runs, check_names, in_fields
from focuseval.errors import (
    InputError,
    Option,
    Problem,
    Sentence,
    counted,
    gathered,
    is_given,
    listed,
    problem_lines,
    source_name,
)
from focuseval.formats.checking import as_warning, is_warning
from focuseval.formats.checking import check as check_file
from focuseval.formats.readers import files_of_runs
from focuseval.measures import MEASURES, Spec, parse_specs
from focuseval.model.elements import Collection
from focuseval.scoring.refusals import without_assessed_topics
from focuseval.scoring.score import Scores, score

T = TypeVar("T")

Files = str | PathLike[str] | Sequence[str | PathLike[str]]


@dataclass(frozen=True)
class Part:
    """The report of `check` on one file, or on gold, runs and documents together."""

    name: str  #: the words before the number of problems, such as ``together:``
    found: list[str]  #: descriptions of the inputs, one line each
    #: distinct problems that would stop scoring, and warnings about files
    problems: list[Problem]
    notes: list[str]  #: notices that scoring would give, one line each

    def lines(self) -> list[str]:
        """Return a summary in lines: the inputs, the number of problems, the first problems, and the notices."""
        warnings = sum(map(is_warning, self.problems))
        bad = len(self.problems) - warnings
        number = (counted(bad, "problem") if bad else "no problems") + (
            f", {counted(warnings, 'warning')}" if warnings else ""
        )
        below = [f"  {line}" for line in [*problem_lines(self.problems), *self.notes]]
        return [*self.found, f"{self.name} {number}", *below]


def _held(elements: Collection) -> str:
    return f"Collection: {counted(len(elements.names), 'document')}, {counted(len(elements), 'element')}"


@dataclass(frozen=True, repr=False)
class Checked:
    """The result of `check`: descriptions of the inputs, and their problems. ``print`` shows the first problems."""

    parts: list[Part]

    @property
    def problems(self) -> list[Problem]:
        """All problems, including warnings."""
        return [problem for part in self.parts for problem in part.problems]

    @property
    def ok(self) -> bool:
        """Whether there are no problems other than warnings."""
        return all(map(is_warning, self.problems))

    def to_frame(self) -> pd.DataFrame:
        """Return a table of all problems. The columns are source, where, found, expected and warning (a flag)."""
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
    """Find all problems of files, or of gold, runs and documents together, before scoring.

    ``files``
        files that are checked one by one.
    ``runs``, ``inputs``
        the arguments of `focuseval.score`. The check finds everything that scoring would refuse or report. Documents
        can be checked alone, with gold, or with runs. Without documents, gold without runs, and runs without gold, are
        checked like ``files``.
    ``measures``
        the names of measures. The check reports why any of them cannot be computed.
    ``task``
        the task whose rules runs must obey (``thorough`` by default).

    ``print`` shows the result. Its attribute ``ok`` is true if there are no problems other than warnings. ``problems``
    lists all problems, and ``to_frame()`` returns them as a table.

    Raises InputError for settings that have no effect, and if there is nothing to check.
    """
    check_names(check, inputs)
    options = {name: value for name, value in in_fields(inputs).items() if value is not None}
    judged = "assessments" in options or "gold" in options
    whole, documents = judged and runs is not None, "collection" in options or "texts" in options
    names = read_argument("measures", measures, MEASURE_NAMES)
    alone = (
        []
        if whole or documents
        else [*_files(options.get("assessments"), "assessments"), *_files(runs, "runs")]
    )
    files = _files(files, "files")
    if not whole:
        _refuse_unused({**options, **({"measures": names} if names else {}), "task": task}, judged, runs)
        if not (files or alone or documents):
            remedy = Sentence("give files, or ", Option("assessments"), " and ", Option("runs"))
            raise InputError.of("check", "there is nothing to check", remedy)
    parts = []
    for file in [*files, *alone]:
        description, problems = check_file(file)
        parts.append(Part(f"{source_name(file)}: {description},", [], problems, []))
    if whole or documents:
        read = Inputs(**(options | {"lenient": True}))
        name = "collection:" if runs is None else "together:"
        parts.append(
            _together(names, runs, task or "thorough", read)
            if judged
            else _without_gold(runs, read, name, _Problems())
        )
    return Checked(parts)


def _files(paths: Any, name: str) -> list[Path]:
    """Return the paths of files as a list. Data in memory have no paths."""
    return (
        []
        if paths is None or isinstance(paths, Mapping)
        else paths_of(paths, name, IN_MEMORY if name == "runs" else "")
    )


def _refuse_unused(options: dict[str, Any], judged: bool, runs: Runs | None) -> None:
    """Raise InputError for settings that have no effect on the given inputs."""
    used = {"assessments", "gold", "collection", "texts"}
    if "collection" in options:
        used |= options.keys() - {"measures", "task"} if judged or runs is not None else {"unit"}
    lacking = [Option(name) for name, there in (("gold", judged), ("runs", runs)) if not there]
    both = Sentence(*[part for one in lacking for part in (" and ", one)][1:])
    expected = Sentence("give ", both, " as well, or leave it out")
    if unused := [name for name, value in options.items() if name not in used and is_given(value)]:
        raise InputError(
            [Problem(name, "", "the option has no effect on these inputs", expected) for name in unused]
        )


def _part(name: str, findings: list[str], problems: list[Problem], all_notices: Sequence[Notice]) -> Part:
    problems = list(dict.fromkeys([*problems, *notices.problems_in(all_notices, notices.REJECTED)]))
    return Part(
        name, findings, problems, notices.lines(one for one in all_notices if one.problem not in problems)
    )


class _Problems(list[Problem]):
    """The problems of all steps of a check."""

    def tried(self, step: Callable[[], T]) -> T | None:
        """Return the result of a step. If the step raises InputError, add its problems, and return None."""
        with gathered(self):
            return step()
        return None


def _usable(runs: Runs | None, inputs: Inputs, problems: _Problems) -> Runs | None:
    """Read every run, and add its problems to ``problems``. Return the runs that can be read, or None without any."""
    each: list[Any] = []
    if isinstance(runs, Mapping):
        each += [{name: run} for name, run in runs.items()]
    else:
        for path in problems.tried(partial(_files, runs, "runs")) or ():
            files, _ = problems.tried(partial(files_of_runs, path)) or ([], [])
            each += [[file] for file in files]
    usable = []
    for one in each:
        if (read := problems.tried(partial(runs_from, one, inputs))) is not None:
            problems += read[1]
            usable.append(one)
    if not isinstance(runs, Mapping):
        return list(chain(*usable)) or None
    return dict(chain.from_iterable(one.items() for one in usable)) or None


def _without_gold(runs: Runs | None, inputs: Inputs, name: str, problems: _Problems) -> Part:
    """Check documents and runs, or one of the two. Locations in source code are not resolved."""
    findings: list[str] = []
    all_notices: list[Notice] = []
    collection, of_documents = problems.tried(partial(read_collection, inputs)) or (None, [])
    all_notices += of_documents
    usable = _usable(runs, inputs, problems)
    if collection is not None:
        findings.append(_held(collection))
    if collection is not None and usable is not None:
        results, of_runs = assemble_results(usable, collection, inputs)
        all_notices += of_runs
        of = some(list(map(str, results.runs)), "run")
        findings.append(f"Runs: {counted(len(results), 'result')} of {of}")
        problems += contradictions(_files(usable, "runs"), collection)
        problems += unresolved_results(usable, collection, inputs)
    return _part(name, findings, problems, all_notices)


def _of_results(all_notices: Sequence[Notice]) -> list[Problem]:
    """Return the problems of results in source code. They are warnings, unless no result of a run is in the code."""
    lost = Counter[str]()
    for one in all_notices:
        lost[one.run] += one.count if one.kind == notices.LOST.name else 0
    return [
        one.problem if lost[one.run] == one.among else as_warning(one.problem)
        for one in all_notices
        if one.kind in (notices.LOST.name, notices.CUT_SHORT.name) and one.problem
    ]


def _together(measures: Sequence[str], runs: Runs | None, task: str, inputs: Inputs) -> Part:
    """Check gold with runs or documents. Return the problems of each input and of all together, and the notices of
    scoring.

    Without ``measures``, the check does not look for data that measures need.
    """
    name = "together:"
    problems = _Problems()
    specs: list[Spec[Any, Any]] = []
    for one in measures:
        specs += problems.tried(partial(parse_specs, one, MEASURES)) or []
    judged = problems.tried(partial(read_judged, inputs, runs))
    campaign = None if judged is None else problems.tried(judged.campaign)
    if campaign is None and of_code(inputs):
        return _part(name, [], problems, [])
    if campaign is None:  # an unreadable run must not hide problems of the other inputs
        runs = _usable(runs, inputs, problems)
        judged = problems.tried(partial(read_judged, inputs, runs))
        campaign = None if judged is None else problems.tried(judged.campaign)
    if judged is None or campaign is None:
        return _without_gold(runs, inputs, name, problems)
    topics, results = campaign.topics, campaign.results
    problems += [*campaign.rejected, *campaign.contradictions]
    if runs is None:
        assessed = f"Assessments: {some([topic.name for topic in topics], 'topic')}"
        held = [] if judged.collection is None else [_held(judged.collection)]
        return _part(name, [*held, assessed], problems, campaign.notices)
    assert judged.placed.runs is not None
    problems += _of_results(campaign.notices)
    problems += unresolved_results(judged.placed.runs, topics[0].collection, judged.placed.inputs)
    strangers = without_assessed_topics(topics, results)
    problems += strangers.values()
    scorable = results.without([*strangers])
    rules = dict.fromkeys([task, *(spec.measure.rule for spec in specs if spec.measure.rule)])
    for rule in rules if len(scorable) else ():
        problems.tried(partial(score, topics, scorable, [], task=rule))

    def scored(specs: Sequence[Spec[Any, Any]]) -> Scores | None:
        lenient = partial(score, lenient=True, skip_refused=True, suggested=MEASURES)
        return problems.tried(partial(lenient, topics, scorable, specs, options=campaign.options))

    all_notices = list(campaign.notices)
    if len(scorable) and (scores := scored(specs) or scored([])) is not None:
        problems += [problem for of_measure in scores.refused.values() for problem in of_measure]
        all_notices += scores.notices
    # these notices would repeat the problems of results
    listed_kinds = [kind.name for kind in (notices.UNRESOLVED, notices.LOST, notices.CUT_SHORT)]
    others = [one for one in notices.without_lost(all_notices) if one.kind not in listed_kinds]
    examined = _part(name, [], problems, others)
    empty = [topic.name for topic in topics if not len(topic.relevant_documents)]
    if empty and not measures:  # if measures are requested, their scores come with notices about such topics
        examined.notes.append(f"most means leave out topics without relevant content ({listed(empty)})")
    as_found = notices.of_problems(notices.REJECTED, examined.problems)
    as_checked = replace(campaign, notices=[*notices.notes(examined.notes), *as_found])
    return replace(examined, found=str(as_checked).splitlines())
