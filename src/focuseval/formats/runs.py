"""Runs in every format that is known: files, several files, or directories of them."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, repeat
from pathlib import Path

from focuseval.errors import InputError, Problem, check_known
from focuseval.files import without_gz
from focuseval.formats.detect import format_of, recognised
from focuseval.formats.parsed import NotInBlocks, RawRun, files_of
from focuseval.formats.ranking import Ranking, ranked_run
from focuseval.formats.table import RUNS
from focuseval.model.parallel import cores, in_threads

__all__ = ["RawRun", "read_blocks", "read_runs"]


def read_runs(
    paths: str | Path | Iterable[str | Path],
    *,
    format: str | None = None,
    rank_by: str | None = None,
    equal_scores_tie: bool = False,
    lenient: bool = False,
) -> tuple[list[RawRun], list[Problem]]:
    """Read runs from files and directories, one run in each file; and the problems of rejected lines.

    ``format`` is one of `table.RUNS`, recognised from the content of each file if it is not given.
    Results are ordered by `ranking.in_order`: ``rank_by`` is one of `ranking.RANKED_BY`, or None for
    the format's own way; ``equal_scores_tie`` ties equal scores, too. With ``lenient`` lines that
    cannot be read are left out and returned as problems. Runs that share a name are named after
    their files.

    Raises
    ------
    InputError
        with all problems of all files; with ``lenient`` only for files that cannot be read at all.
    """
    if format is not None:
        check_known("run format", format, RUNS)
    ranking = Ranking(rank_by, equal_scores_tie)
    files = files_of(paths)
    if not files:
        raise InputError(Problem("runs", "", "no file given", "give at least one"))
    runs: list[RawRun] = []
    rejected: list[Problem] = []
    fatal: list[Problem] = []

    def read(file: Path) -> tuple[list[RawRun], list[Problem], Sequence[Problem]]:
        try:
            [(run, of_file)] = read_blocks(file, ranking, format=format, lenient=True)
            return [run], of_file, ()
        except InputError as error:
            return [], [], error.problems

    for read_one, of_file, why in in_threads(read, files, cores()):
        runs += read_one
        rejected += of_file
        fatal += why
    if fatal or (rejected and not lenient):
        raise InputError([*fatal, *rejected])
    return _named(runs), rejected


def read_blocks(
    file: Path, ranking: Ranking, *, format: str | None = None, lenient: bool = False, rows: int | None = None
) -> Iterator[tuple[RawRun, list[Problem]]]:
    """The run of a file in blocks of whole topics, of about so many rows, with the problems of their rejected lines.

    Without ``rows`` it is one block; so are XML files, and those of fewer rows.

    Raises
    ------
    InputError
        behind the last block, with all problems; with ``lenient`` only for a file that cannot be read at all.
    NotInBlocks
        where a topic has results in several blocks, or what orders the results depends on all of them.
    """
    rejected: list[Problem] = []
    topics: set[str] = set()
    before = 0
    of = RUNS[format] if format else format_of(recognised(file, RUNS, "a run", "runs"))
    assert of is not None
    try:
        for read in of.read(file, rows):
            run = ranked_run(read, ranking, rejected, str(file))
            if not topics.isdisjoint(here := run.frame["topic"].unique()):
                raise NotInBlocks
            topics.update(here)
            if lenient or not rejected:
                yield run, rejected[before:]
            before = len(rejected)
    except InputError as error:  # where no line can be read these are the same problems
        raise InputError(list(dict.fromkeys([*error.problems, *rejected]))) from error
    if rejected and not lenient:
        raise InputError(rejected)


def _named(runs: list[RawRun]) -> list[RawRun]:
    """The runs with different names."""
    called = different([run.name for run in runs], [run.source for run in runs])
    return [replace(run, name=name, own_name=own) for run, (name, own) in zip(runs, called, strict=True)]


def different(names: Sequence[str], sources: Sequence[str]) -> list[tuple[str, str]]:
    """Unique names of runs, and the original names where these differ.

    Those that share one have the stem of their file, or else its path, as short as it can be: from the folder that the
    files share, wherever that is.
    """
    called: list[str | None] = [None] * len(names)

    def path(source: str) -> str:
        folders = [os.path.dirname(os.path.abspath(sources[run])) for run in shared]
        return Path(os.path.relpath(source, os.path.commonpath(folders))).as_posix()

    def stem(source: str) -> str:
        return without_gz(Path(source)).stem

    ways: Iterator[Callable[[str], str]] = chain((stem, path), repeat(str))
    for rename in ways:
        now = [own if new is None else new for own, new in zip(names, called, strict=True)]
        counts = Counter(now)
        if not (shared := [run for run, name in enumerate(now) if counts[name] > 1]):
            break
        for run in shared:
            called[run] = rename(sources[run])
    return [(own, "") if new is None else (new, own) for own, new in zip(names, called, strict=True)]
