"""Retrieved chunks as JSON lines: `focuseval.formats.chunks` says how they look."""

import math
from collections.abc import Iterable
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from focuseval.errors import InputError, Problem
from focuseval.files import without_gz
from focuseval.formats.chunks import name_in, objects_of, score_in, span_in, whole_number_in
from focuseval.formats.names import CommonNames
from focuseval.formats.ranking import Ranking, in_order
from focuseval.formats.raw import Codes, RawRun, Refused, rows_of, without_extensions

#: columns of `Chunks.frame`
COLUMNS = ["topic", "document", "rank", "score", "start", "end", "line"]


class Chunks(NamedTuple):
    """Retrieved chunks before they are ranked."""

    frame: pd.DataFrame  #: `COLUMNS`; a rank of -1, a score of NaN are missing; whole documents start at -1
    runs: list[str]  #: the names of their runs
    refusals: list[tuple[int, Refused]]  #: numbers of the lines that cannot be read, and why


def read(path: Path, ranking: Ranking, rejected: list[Problem], names: CommonNames) -> RawRun:
    """Read one run: the order of ranks, or of the file if there are none; then scores, if any, must not rise,
    unless the ranking says what orders results.

    Lines that cannot be read become problems in ``rejected``; the others are the run.

    Raises
    ------
    InputError
        if there is no readable line, or if the lines are of several runs.
    """
    chunks = parsed(objects_of(path), without_gz(path).stem, named=True)
    return ranked(chunks, ranking, rejected, source=str(path))


def parsed(
    objects: Iterable[tuple[int, dict[str, Any] | Refused]],
    name: str,
    *,
    named: bool = False,
    whole: bool = False,
) -> Chunks:
    """Chunks that are given one by one, each with its number. Their run has the name, unless they are ``named``
    and say otherwise. Those that are ``whole`` documents have no start and end."""
    topics, documents, runs = Codes(), Codes(), Codes()
    rows = []
    refusals: list[tuple[int, Refused]] = []
    for line, found in objects:
        try:
            if isinstance(found, Refused):
                raise found
            start, end = (-1, -1) if whole else span_in(found)
            score = score_in(found) if "score" in found else math.nan
            rank = whole_number_in(found, "rank", 0) if "rank" in found else -1
            topic, document = topics[name_in(found, "topic")], documents[name_in(found, "document")]
            runs[name_in(found, "run") if named and "run" in found else name]
            rows.append((topic, document, rank, score, start, end, line))
        except Refused as refused:
            refusals.append((line, refused))
    frame = pd.DataFrame(rows, columns=COLUMNS)
    frame["topic"] = topics.column(frame["topic"].to_numpy(np.int64))
    frame["document"] = documents.column(frame["document"].to_numpy(np.int64))
    return Chunks(frame, list(runs), refusals)


def ranked(
    chunks: Chunks, ranking: Ranking, rejected: list[Problem], *, source: str, place: str = "line"
) -> RawRun:
    """The run of these chunks; a ``place`` is what their numbers count. Raises InputError as `read` does."""
    frame, runs, refusals = chunks
    uneven = _uneven(frame)
    if uneven:
        frame = frame[~frame["line"].isin(uneven)].reset_index(drop=True)
    is_ranked = bool((frame["rank"] >= 0).any())
    rising = {} if is_ranked or ranking.by else _rising(frame, place)
    if rising:
        frame = frame[~frame["line"].isin(rising)].reset_index(drop=True)
    refusals = sorted([*refusals, *uneven.items(), *rising.items()], key=itemgetter(0))
    rejected.extend(Problem(source, f"{place} {number}", *refused.args) for number, refused in refusals)
    if frame.empty:
        raise InputError(Problem(source, "", "no chunk that can be read", "expected at least one"))
    if len(runs) > 1:
        told = ", ".join(map(repr, runs[:5]))
        raise InputError(Problem(source, "", f"{len(runs)} runs: {told}", "give one run in one file"))
    document, extended = without_extensions(frame["document"])
    frame = frame.assign(document=document, path=Codes().column(np.full(len(frame), -1)), unresolvable=False)
    if not is_ranked:
        frame = frame.drop(columns="rank")
    frame, by_file = in_order(frame, ranking, source, file_order=False)
    return RawRun(runs[0], "", "", frame, source, by_file, extended, place)


def _uneven(frame: pd.DataFrame) -> dict[int, Refused]:
    """By line: chunks without the rank, or without the score, that others have."""
    found = {}
    for key, given in (("score", frame["score"].notna()), ("rank", frame["rank"] >= 0)):
        if given.any():
            lacking = Refused(f'"{key}" is missing', f'give every chunk a "{key}", or none')
            found.update(dict.fromkeys(frame["line"][~given].tolist(), lacking))
    return found


def _rising(frame: pd.DataFrame, place: str) -> dict[int, Refused]:
    """By line: chunks whose score is above that of the last one of their topic."""
    found: dict[int, Refused] = {}
    topics, scores = frame["topic"].cat.codes.to_numpy(), frame["score"].to_numpy()
    order = np.argsort(topics, kind="stable")
    if not ((np.diff(scores[order]) > 0) & (np.diff(topics[order]) == 0)).any():
        return found
    last: dict[int, tuple[float, int]] = {}  # of each topic: a score, and its line
    for topic, score, line in rows_of(frame, "topic", "score", "line"):
        before, at = last.get(topic, (score, line))
        if score > before:
            found[line] = Refused(
                f"the score rises from {before:g} in {place} {at} to {score:g}",
                'sort each topic by falling score, or give every chunk a "rank", or use --rank-by',
            )
        else:
            last[topic] = score, line
    return found
