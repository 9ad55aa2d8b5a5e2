"""Runs in every format that is known: files, several files, or directories of them."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, repeat
from pathlib import Path

from focuseval.errors import InputError, Option, Problem, Sentence, check_known
from focuseval.files import without_gz
from focuseval.formats import run_chunks, run_genomics, run_inex, run_trec
from focuseval.formats.detect import CHUNKING, GOLD_SPANS, RUNS, WITH_TOPIC, recognise
from focuseval.formats.names import with_numbered
from focuseval.formats.parsed import RawRun, files_of
from focuseval.formats.ranking import Ranking
from focuseval.model.parallel import cores, in_threads

__all__ = ["FORMATS", "RawRun", "read_runs"]

#: modules with ``read(path, ranking, rejected)``, by the name of the format
FORMATS = {"inex": run_inex, "trec": run_trec, "chunks": run_chunks, "genomics": run_genomics}


def read_runs(
    paths: str | Path | Iterable[str | Path],
    *,
    format: str | None = None,
    rank_by: str | None = None,
    equal_scores_tie: bool = False,
    lenient: bool = False,
) -> tuple[list[RawRun], list[Problem]]:
    """Read runs from files and directories, one run in each file; and the problems of rejected lines.

    ``format`` is one of `FORMATS`, recognised from the content of each file if it is not given.
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
        check_known("run format", format, FORMATS)
    ranking = Ranking(rank_by, equal_scores_tie)
    files = files_of(paths)
    if not files:
        raise InputError(Problem("runs", "", "no file given", "give at least one"))
    runs: list[RawRun] = []
    rejected: list[Problem] = []
    fatal: list[Problem] = []

    def read(file: Path) -> tuple[RawRun | None, list[Problem], Sequence[Problem]]:
        of_file: list[Problem] = []
        try:
            module = FORMATS[format or _format_of(file)]
            return module.read(file, ranking, of_file), of_file, ()
        except InputError as error:
            # where no line can be read these are the same problems
            return None, [], list(dict.fromkeys([*error.problems, *of_file]))

    for run, of_file, why in in_threads(read, files, cores()):
        runs += [run] if run is not None else []
        rejected += of_file
        fatal += why
    if fatal or (rejected and not lenient):
        raise InputError([*fatal, *rejected])
    runs = [replace(run, frame=with_numbered(run.frame, "document")) for run in runs]
    return _named(runs), rejected


def _format_of(file: Path) -> str:
    kind = recognise(file)
    if kind not in RUNS:
        expected = f"give runs only, or name their format ({', '.join(FORMATS)})"
        if kind == GOLD_SPANS:
            expected = Sentence(
                "no line has a score, a rank or a run: if they were retrieved, in this order, name their format: "
                "chunks (",
                Option("run_format"),
                ")",
            )
        if kind == CHUNKING:
            expected = WITH_TOPIC
        raise InputError(Problem(str(file), "", f"{kind}, not a run", expected))
    return RUNS[kind]


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
