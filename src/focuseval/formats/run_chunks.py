"""Retrieved chunks as JSON lines: `focuseval.formats.chunks` says how they look."""

import math
from operator import itemgetter
from pathlib import Path

import numpy as np
import pandas as pd

from focuseval.errors import InputError, Problem
from focuseval.files import without_gz
from focuseval.formats.chunks import name_in, objects_of, score_in, span_in, whole_number_in
from focuseval.formats.ranking import Ranking, in_order
from focuseval.formats.raw import Codes, RawRun, Refused, rows_of


def read(path: Path, ranking: Ranking, rejected: list[Problem]) -> RawRun:
    """Read one run: the order of ranks, or of the file if there are none; then scores, if any, must not rise,
    unless the ranking says what orders results.

    Lines that cannot be read become problems in ``rejected``; the others are the run.

    Raises
    ------
    InputError
        if there is no readable line, or if the lines are of several runs.
    """
    topics, documents, runs = Codes(), Codes(), Codes()
    rows = []
    refusals: list[tuple[int, Refused]] = []
    for line, found in objects_of(path):
        try:
            if isinstance(found, Refused):
                raise found
            start, end = span_in(found)
            score = score_in(found) if "score" in found else math.nan
            rank = whole_number_in(found, "rank", 0) if "rank" in found else -1
            topic, document = topics[name_in(found, "topic")], documents[name_in(found, "document")]
            run = runs[name_in(found, "run") if "run" in found else without_gz(path).stem]
            rows.append((topic, document, run, rank, score, start, end, line))
        except Refused as refused:
            refusals.append((line, refused))
    frame = pd.DataFrame(rows, columns=["topic", "document", "run", "rank", "score", "start", "end", "line"])
    uneven = _uneven(frame)
    frame = frame[~frame["line"].isin(uneven)].reset_index(drop=True)
    ranked = bool((frame["rank"] >= 0).any())
    rising = {} if ranked or ranking.by else _rising(frame)
    frame = frame[~frame["line"].isin(rising)].reset_index(drop=True)
    refusals = sorted([*refusals, *uneven.items(), *rising.items()], key=itemgetter(0))
    rejected.extend(Problem(str(path), f"line {line}", *refused.args) for line, refused in refusals)
    if frame.empty:
        problem = Problem(str(path), "", "no chunk that can be read", "expected at least one")
        raise InputError(problem)
    if len(runs) > 1:
        told = ", ".join(map(repr, list(runs)[:5]))
        raise InputError(Problem(str(path), "", f"{len(runs)} runs: {told}", "give one run in one file"))
    frame["topic"] = topics.column(frame["topic"].to_numpy())
    frame["document"] = documents.column(frame["document"].to_numpy())
    frame["path"] = Codes().column(np.full(len(frame), -1))
    frame["unresolvable"] = False
    if not ranked:
        frame = frame.drop(columns="rank")
    frame, by_file = in_order(frame, ranking, str(path), file_order=False)
    return RawRun(next(iter(runs)), "", "", frame, str(path), by_file)


def _uneven(frame: pd.DataFrame) -> dict[int, Refused]:
    """By line: chunks without the rank, or without the score, that others have."""
    found = {}
    for key, given in (("score", frame["score"].notna()), ("rank", frame["rank"] >= 0)):
        if given.any():
            lacking = Refused(f'"{key}" is missing', f'give every chunk a "{key}", or none')
            found.update(dict.fromkeys(frame["line"][~given].tolist(), lacking))
    return found


def _rising(frame: pd.DataFrame) -> dict[int, Refused]:
    """By line: chunks whose score is above that of the last one of their topic."""
    found = {}
    last: dict[int, tuple[float, int]] = {}  # of each topic: a score, and its line
    for topic, score, line in rows_of(frame, "topic", "score", "line"):
        before, at = last.get(topic, (score, line))
        if score > before:
            found[line] = Refused(
                f"the score rises from {before:g} in line {at} to {score:g}",
                'sort each topic by falling score, or give every chunk a "rank", or use --rank-by',
            )
        else:
            last[topic] = score, line
    return found
