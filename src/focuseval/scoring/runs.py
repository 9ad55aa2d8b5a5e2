"""Functions that read and score runs in several processes, and join the scores of all runs.

To save memory, a large run is read in blocks if the results of each topic are contiguous.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from focuseval.arguments import MEASURE_NAMES, read_argument
from focuseval.campaign import notices
from focuseval.campaign.assembly import SharedInputs, Task, read_judged
from focuseval.campaign.notices import of_problems
from focuseval.campaign.saved_scores import signature
from focuseval.campaign.settings import Inputs, Runs
from focuseval.chunks.frameworks import in_frames
from focuseval.errors import InputError, Problem, for_each
from focuseval.formats.parsed import NotInBlocks, RawRun, notes_on
from focuseval.formats.readers import distinct_names
from focuseval.measures import MEASURES, Spec, parse_specs
from focuseval.model.arrays import Ints, distinct
from focuseval.model.judgements import Topic
from focuseval.model.parallel import forks, in_forks, is_ours, processors
from focuseval.scoring.failures import kinds_of
from focuseval.scoring.one_run import Rules, RunScores, Scorer, standard_average
from focuseval.scoring.score import Scores, joined

T = TypeVar("T")

#: the minimum number of bytes of runs for which a further process is started, because starting takes time
_LEAST = 1 << 22

#: the approximate number of rows in a block of a large file
_BLOCK = 1 << 18

#: the maximum number of processes, because containers may report more cores than they can use
_PROCESSES = 8


class _RunRefusal(NamedTuple):
    """The problems because of which a run is not scored."""

    problems: list[Problem]
    misplaced: bool  #: whether the run was read, but does not fit the collection


def specs_of(measures: str | Sequence[str]) -> list[Spec[Any, Any]]:
    """Parse one or several names of measures. Repeated names are left out.

    Raises InputError with the problems of all invalid names, and if there is no name.
    """
    names = read_argument("measures", measures, MEASURE_NAMES)
    if not any(names):
        raise InputError.of("measures", f"the value is {measures!r}", f"expected {MEASURE_NAMES.expected}")
    return list(chain(*for_each(partial(parse_specs, measures=MEASURES), dict.fromkeys(names))))


def score_runs(
    measures: str | Sequence[str],
    runs: Runs,
    inputs: Inputs,
    *,
    average_over: str | None = None,
    task: str = "thorough",
    compared: bool = False,
) -> Scores:
    """Read and score runs, and join their scores and notices.

    If runs are ``compared``, gold passages are counted by outcome up to the first measure's cut-off. Notices then also
    report measures that read unequal amounts of text from different runs.

    Raises InputError with every problem of the inputs.
    """
    specs = specs_of(measures)
    rules = Rules(
        task,
        average_over or standard_average(inputs.rules),
        inputs.lenient,
        program=inputs.rules,
        options=inputs.for_some_measures,
        kinds_of=partial(kinds_of, spec=specs[0]) if compared else None,
    )
    if runs is None:
        raise InputError.of("runs", "None", 'give files, or runs in memory as {"name": frame}')
    judged = read_judged(inputs, in_frames(runs, inputs))
    tasks = judged.tasks()
    workers = _workers(tasks)
    words = None if judged.collection is None else judged.collection.words
    if words is not None and len(tasks) > 1 and any("texts" in spec.needs for spec in specs):
        # read the texts of the documents of all runs in one pass
        words.read(np.concatenate(_each(partial(_documents, judged), tasks, workers)))
    scorer_of = lru_cache(maxsize=1)(partial(Scorer, specs=specs, rules=rules, suggested=MEASURES))
    outcomes = list(_each(partial(_of_run, judged, scorer_of, _BLOCK), tasks, workers))
    refused = [one for one in outcomes if isinstance(one, _RunRefusal)]
    if unread := [problem for one in refused if not one.misplaced for problem in one.problems]:
        raise InputError(unread)
    conflicts = judged.contradictions([task[0] for task in tasks if not isinstance(task, Path)])
    if refused:
        raise InputError(list(dict.fromkeys([*conflicts, *(p for one in refused for p in one.problems)])))
    scored = [one for one in outcomes if isinstance(one, RunScores)]
    names = distinct_names([one.run for one in scored], [one.source for one in scored])
    for one, (name, own_name) in zip(scored, names, strict=True):
        if own_name:
            one.rename(name)
    scores = joined(scored, specs, rules)
    return replace(
        scores,
        notices=[*judged.notices, *of_problems(notices.ELSEWHERE, conflicts), *scores.notices],
        scale=judged.raw.scale,
        in_files=judged.placed.in_files or {one.source: one.run for one in scored},
        signature=signature(scores.specs.values(), inputs, average_over=scores.average_over, runs=runs),
    )


def _of_run(
    judged: SharedInputs, scorer_of: Callable[[tuple[Topic, ...]], Scorer], rows: int | None, task: Task
) -> RunScores | _RunRefusal:
    """Read, resolve and score a run in blocks of about ``rows`` rows, or completely if ``rows`` is None.

    A file in which the results of a topic are not contiguous is also read completely.
    """
    scores: RunScores | None = None
    misplaced: list[Problem] = []
    whole: RawRun | None = None
    try:
        for run, rejected in judged.blocks(task, rows):
            whole = run if whole is None else whole.with_block(run)
            try:
                campaign = judged.campaign_of([run], rejected)
                scorer = scorer_of(tuple(campaign.topics))
                scores = scorer.add(campaign.results, scores)
            except InputError as error:
                misplaced += error.problems
                continue
            scores.notices += [one for one in campaign.notices if one.kind != notices.NOTE_ON_RUN.name]
        if scores is not None:
            scorer.finish(scores)
    except NotInBlocks:
        return _of_run(judged, scorer_of, None, task)
    except InputError as error:
        return _RunRefusal(error.problems, misplaced=False)
    if misplaced:
        return _RunRefusal(misplaced, misplaced=True)
    assert scores is not None and whole is not None  # reading a run without results raises InputError
    scores.notices += of_problems(notices.NOTE_ON_RUN, notes_on(whole))
    return scores


def _workers(tasks: Sequence[Task]) -> int:
    """Return the number of processes in which to score runs: 1 if any run is in memory or from a stream.

    Threads of other programs could block forks. Therefore, only focuseval as the main program uses several processes.
    """
    files = [task for task in tasks if isinstance(task, Path) and task.is_file()]
    if not (is_ours() and forks()) or len(files) < len(tasks):
        return 1
    size = sum(file.stat().st_size for file in files)
    return max(1, min(processors(), _PROCESSES, len(files), size // _LEAST))


def _each(work: Callable[[Task], T], tasks: Sequence[Task], processes: int) -> Sequence[T]:
    """Apply ``work`` to every run, in child processes or, if these cannot be used, in this process."""
    if processes > 1:
        # if no child can be created, or a child is killed, this process scores all runs
        with suppress(OSError, NotImplementedError, RuntimeError):
            return list(in_forks(work, tasks, processes))
    return list(map(work, tasks))


def _documents(judged: SharedInputs, task: Task) -> Ints:
    """Return the distinct document indexes in a run, or no indexes if the run cannot be read."""
    try:
        [(run, rejected)] = judged.blocks(task, None)
        return distinct(judged.campaign_of([run], rejected).results.document)
    except InputError:  # scoring the run raises this error again
        return np.empty(0, dtype=np.int64)
