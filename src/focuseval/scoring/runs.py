"""Runs read, put on their collection and scored one by one, on as many cores as there are; their tables are joined.

Memory is that of the assessments, the collection and, for each process, one run, or a block of whole topics of a larger
one. A run whose topics have results in several places of a large file is read as a whole.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from focuseval.campaign import notices
from focuseval.campaign.assembly import (
    Judged,
    contradicted,
    placed_in_code,
    read_judged,
    run_files,
    runs_given,
)
from focuseval.campaign.notices import Notice, of_blocks, of_problems, renamed
from focuseval.campaign.settings import Inputs, Runs
from focuseval.chunks.frameworks import in_frames
from focuseval.errors import InputError, Problem
from focuseval.formats.parsed import NotInBlocks, RawRun, notes_on
from focuseval.formats.runs import different
from focuseval.measures import MEASURES, Spec, parse_specs
from focuseval.model.arrays import Ints, distinct
from focuseval.model.judgements import Topic
from focuseval.model.parallel import forks, in_forks, processors
from focuseval.model.process import is_ours
from focuseval.scoring.one_run import Rules, RunScores, Scorer
from focuseval.scoring.score import Scores, joined

T = TypeVar("T")

#: bytes of runs that are worth a process
_LEAST = 1 << 22

#: rows of a run that are read, scored and forgotten together, of larger files
_BLOCK = 1 << 18

#: processes at once; containers show more cores than they may use
_PROCESSES = 8


@dataclass(frozen=True)
class Scored:
    """Scores of runs, and what is to be known of them and of the inputs."""

    scores: Scores
    notices: list[Notice]
    scale: str  #: of the assessments
    average_over: str  #: the topics of means (`focuseval.scoring.one_run.AVERAGES`)
    in_files: Mapping[str, str]  #: the run that is in each file, by name


@dataclass
class _OfRun:
    """What comes of one run."""

    unread: list[Problem] = field(default_factory=list)  #: why it cannot be read
    misplaced: list[Problem] = field(default_factory=list)  #: what is not on the collection
    elsewhere: list[Problem] = field(default_factory=list)  #: texts in memory that the collection contradicts
    name: str = ""
    source: str = ""
    notices: list[Notice] = field(default_factory=list)
    scores: RunScores | None = None

    def called(self, name: str, own_name: str) -> "_OfRun":
        """The same of a run that has another name, because several have its own."""
        assert self.scores is not None
        if not own_name:
            return self
        scores = replace(self.scores, run=name, notices=renamed(self.scores.notices, name))
        own = Notice(notices.RENAMED.name, name, text=own_name)
        return replace(self, name=name, notices=[*renamed(self.notices, name), own], scores=scores)


def specs_of(measures: str | Sequence[str]) -> list[Spec[Any, Any]]:
    """The measures of a name, or of several, each once. Raises InputError for none, and for unknown ones."""
    names = [measures] if isinstance(measures, str) else measures
    if not measures or not isinstance(names, Iterable) or not all(isinstance(name, str) for name in names):
        raise InputError(Problem("measures", "", repr(measures), "expected names, such as ['MAP']"))
    return [spec for name in dict.fromkeys(names) for spec in parse_specs(name, MEASURES)]


def score_runs(
    measures: str | Sequence[str],
    runs: Runs,
    inputs: Inputs,
    *,
    average_over: str | None = None,
    task: str = "thorough",
) -> Scored:
    """The scores of runs, read and scored one by one, as `focuseval.score` gives them.

    A process of our own is forked; another one may have threads that forks would wait for. Raises InputError with all
    that is wrong with the inputs.
    """
    rules = Rules(task, average_over or "", inputs.lenient, program=inputs.rules)
    specs = specs_of(measures)
    placed = placed_in_code(inputs, in_frames(runs, inputs))
    if placed.runs is None:
        raise InputError(Problem("runs", "", "None", "give files, or runs in memory by their names"))
    inputs, runs = placed.inputs, placed.runs
    judged = read_judged(inputs, runs)
    tasks: list[_Task] = [] if isinstance(runs, Mapping) else [*run_files(runs)]
    if not tasks:
        read, rejected = runs_given(runs, judged.reading)
        tasks = [(run, [problem for problem in rejected if problem.source == run.source]) for run in read]
    workers = _workers(tasks)
    words = None if judged.collection is None else judged.collection.words
    if words is not None and len(tasks) > 1 and any("texts" in spec.needs for spec in specs):
        # in one pass, rather than in one for each run
        words.read(np.concatenate(_each(partial(_documents, judged), tasks, workers)))
    made = lru_cache(maxsize=1)(partial(Scorer, specs=specs, rules=rules, known=MEASURES))
    found = list(_each(partial(_of_run, judged, made, _BLOCK), tasks, workers))
    if unread := [problem for one in found for problem in one.unread]:
        raise InputError(unread)
    elsewhere = contradicted([inputs.assessments, runs], judged.collection, [judged.raw])
    elsewhere += [problem for one in found for problem in one.elsewhere]
    if misplaced := [problem for one in found for problem in one.misplaced]:
        raise InputError(list(dict.fromkeys([*elsewhere, *misplaced])))
    names = different([one.name for one in found], [one.source for one in found])
    found = [one.called(*name) for one, name in zip(found, names, strict=True)]
    scores = joined([one.scores for one in found if one.scores is not None], specs, rules)
    said = [*placed.notices, *judged.notices, *of_problems(notices.ELSEWHERE, elsewhere)]
    said += [notice for one in found for notice in one.notices]
    in_files = placed.in_files or {one.source: one.name for one in found}
    return Scored(scores, [*said, *scores.notices], judged.raw.scale, rules.average_over, in_files)


#: a file of runs, or one that is in memory and was read, with what was left out of it
_Task = Path | tuple[RawRun, list[Problem]]


def _of_run(
    judged: Judged, scorer_of: Callable[[tuple[Topic, ...]], Scorer], rows: int | None, task: _Task
) -> _OfRun:
    """Read a run, put it on the collection, score it, and add up what comes of its blocks of about so many rows.

    A file that is not of whole topics is read as one block.
    """
    found = _OfRun()
    whole: RawRun | None = None
    try:
        for run, rejected in judged.blocks(task, rows) if isinstance(task, Path) else [task]:
            whole = run if whole is None else whole.with_block(run)
            found.elsewhere += contradicted([], judged.collection, [run])
            try:
                campaign = judged.put([run], rejected)
                scorer = scorer_of(tuple(campaign.topics))
                found.scores = scorer.add(campaign.results, found.scores)
            except InputError as error:
                found.misplaced += error.problems
                continue
            found.notices += [one for one in campaign.notices if one.kind != notices.NOTE_ON_RUN.name]
        if found.scores is not None:
            scorer.finish(found.scores)
    except NotInBlocks:
        return _of_run(judged, scorer_of, None, task)
    except InputError as error:
        return _OfRun(unread=error.problems)
    assert whole is not None  # of a file without results none can be read
    notes = of_problems(notices.NOTE_ON_RUN, notes_on(whole))
    return replace(found, name=whole.name, source=whole.source, notices=[*of_blocks(found.notices), *notes])


def _workers(tasks: Sequence[_Task]) -> int:
    """How many processes are worth their while; one where a file is a stream, which can be read but once."""
    files = [task for task in tasks if isinstance(task, Path) and task.is_file()]
    if not (is_ours() and forks()) or len(files) < len(tasks):
        return 1
    size = sum(file.stat().st_size for file in files)
    return max(1, min(processors(), _PROCESSES, len(files), size // _LEAST))


def _each(work: Callable[[_Task], T], tasks: Sequence[_Task], processes: int) -> Sequence[T]:
    """What comes of each run; where processes fail, all is done by this one."""
    if processes > 1:
        # no more processes or threads, no semaphores, one was killed
        with suppress(OSError, NotImplementedError, RuntimeError):
            return list(in_forks(work, tasks, processes))
    return list(map(work, tasks))


def _documents(judged: Judged, task: _Task) -> Ints:
    """The documents that a run names, by their indexes."""
    try:
        [(run, rejected)] = judged.blocks(task, None) if isinstance(task, Path) else [task]
        return distinct(judged.put([run], rejected).results.document)
    except InputError:  # which is raised when it is scored
        return np.empty(0, dtype=np.int64)
