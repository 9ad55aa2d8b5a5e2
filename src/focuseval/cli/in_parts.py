"""Files of runs scored part by part, on as many cores as there are: with the same outcome as all of them at once.

Each part is read, put on the collection and scored by a process of its own, which is forked: it has the assessments and
the collection, and what comes back is the scores. That is for processes of our own: another one may have threads that
its forks would wait for.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial, reduce
from itertools import chain, groupby
from operator import add
from pathlib import Path
from typing import Any

import numpy as np

from focuseval.api import read_campaign, score_campaign, specs_of
from focuseval.campaign.assembly import (
    Account,
    Campaign,
    Judged,
    Reading,
    Told,
    assemble_part,
    can_be_parted,
    read_judged,
)
from focuseval.errors import InputError
from focuseval.formats.raw import files_of
from focuseval.formats.runs import different
from focuseval.measures import Spec
from focuseval.model.elements import Collection
from focuseval.model.parallel import forks, in_forks, processors
from focuseval.model.vocabulary import task_named
from focuseval.scoring.score import Scores

#: bytes of runs that are worth a process
_LEAST = 1 << 22
#: bytes of runs that a process has in memory at once
_MOST = 1 << 26

#: processes at once; containers show more cores than they may use
_PROCESSES = 8

#: what comes of a part: the scores, of runs that are named as their files, and what is told of the inputs
Part = tuple[Scores, Account]


@dataclass(frozen=True)
class Scored:
    """Scores of runs, and what is told of the files they were computed from."""

    scores: Scores
    told: Told
    scale: str  #: of the assessments
    in_files: Mapping[str, str]  #: the run that is in each file, by name


def score_files(
    measures: Sequence[str],
    runs: Sequence[str | Path],
    assessments: Sequence[Path],
    collection: Path | Collection | None = None,
    *,
    average_over: str = "assessed",
    task: str = "thorough",
    lenient: bool = False,
    **reading: Any,
) -> Scored:
    """Read a campaign and score it, as `focuseval.api.read_campaign` and `score_campaign` do.

    In parts, unless that is not worth it, or a part needs what the others tell. Where something is refused, all are
    scored at once, so that everything is told, and in one order.
    """
    specs = specs_of(measures)
    task_named(task)
    scores_of = partial(
        score_campaign, measures=measures, average_over=average_over, task=task, lenient=lenient
    )
    told_before = Told()
    processes = min(processors(), _PROCESSES) if forks() else 1
    parts = _parts(runs, processes) if processes > 1 else []
    if len(parts) > 1 and not any("texts" in spec.needs for spec in specs):
        settings = Reading(**reading, lenient=lenient)
        with suppress(InputError):
            judged = read_judged(assessments, collection, settings)
            score = partial(_score_part, judged, settings, scores_of)
            if can_be_parted(judged) and (scored := _score_parts(score, parts, processes)) is not None:
                return _joined(scored, specs, judged.raw.scale)
            collection, told_before = judged.collection, judged.told
    campaign = read_campaign(
        runs=runs, assessments=assessments, collection=collection, lenient=lenient, **reading
    )
    told = told_before + Told(campaign.rejected, campaign.notes)
    return Scored(scores_of(campaign), told, campaign.topics[0].scale, campaign.in_files)


def _score_part(
    judged: Judged, settings: Reading, scores_of: Callable[[Campaign], Scores], files: list[Path]
) -> Part | None:
    """What comes of some files; None if they cannot be scored alone."""
    try:
        if (assembled := assemble_part(judged, files, settings)) is None:
            return None
        campaign, account = assembled
        scores = scores_of(campaign)
    except InputError:
        return None
    return None if scores.refused else (replace(scores, specs={}), account)  # no function can be pickled


def _score_parts(
    score: Callable[[list[Path]], Part | None], parts: Sequence[list[Path]], processes: int
) -> list[Part] | None:
    """What comes of all parts; None if one of them cannot be scored alone, or processes cannot do it."""
    scored = []
    try:
        for part in in_forks(score, parts, min(processes, len(parts))):
            if part is None:
                return None
            scored.append(part)
    except (
        OSError,
        NotImplementedError,
        RuntimeError,
    ):  # no more processes or threads, no semaphores, one was killed
        return None
    return scored


def _parts(runs: Sequence[str | Path], processes: int) -> list[list[Path]]:
    """The files in parts of about as many bytes, as many for each process; one, or none, where that is not worth it."""
    try:
        files = files_of(map(Path, runs))
    except InputError:  # which is told behind what is wrong with the assessments
        return []
    if not all(file.is_file() for file in files):
        return [files]  # a stream can be read but once
    size = np.array([file.stat().st_size for file in files])
    count = min(processes * -(-size.sum() // (_MOST * processes)), size.sum() // _LEAST, len(files))
    part = (np.cumsum(size) - size / 2) * count // max(size.sum(), 1)
    return [
        [file for file, _ in group] for _, group in groupby(zip(files, part, strict=True), lambda one: one[1])
    ]


def _joined(parts: Sequence[Part], specs: Sequence[Spec], scale: str) -> Scored:
    """The scores of all parts, of runs that are named as `focuseval.formats.runs.read_runs` does."""
    (_, shared), *_ = parts
    runs = [run for _, account in parts for run in account.runs]
    called = different([run.own_name for run in runs], [run.source for run in runs])
    runs = [replace(run, name=name, own_name=own) for run, (name, own) in zip(runs, called, strict=True)]
    account = replace(shared, runs=runs, left_out=[*chain.from_iterable(of.left_out for _, of in parts)])
    names = {run.source: run.name for run in runs}
    scores = reduce(add, (scores.renamed(names) for scores, _ in parts))
    scores = replace(scores, specs={spec.name: spec for spec in specs})
    return Scored(scores, account.told(), scale, names)
