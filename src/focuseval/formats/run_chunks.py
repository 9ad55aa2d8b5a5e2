"""Retrieved chunks as JSON lines: `focuseval.formats.chunks` says how they look."""

from pathlib import Path

import numpy as np
import pandas as pd

from focuseval.errors import InputError, Problem
from focuseval.formats.chunks import name_in, objects_of, score_in, span_in, whole_number_in
from focuseval.formats.ranking import in_order
from focuseval.formats.raw import Codes, RawRun, Refused


def read(path: Path, equal_scores_tie: bool, rejected: list[Problem]) -> RawRun:
    """Read one run: the order of ranks, or of the file if there are none; then scores must not rise.

    Lines that cannot be read become problems in ``rejected``; the others are the run.

    Raises
    ------
    InputError
        if there is no readable line, or if the lines are of several runs.
    """
    topics, documents, runs = Codes(), Codes(), Codes()
    rows = []
    lowest: dict[int, tuple[float, int]] = {}  # of each topic: the score of its last line, and the line
    for line, found in objects_of(path):
        try:
            if isinstance(found, Refused):
                raise found
            start, end = span_in(found)
            score = score_in(found)
            rank = whole_number_in(found, "rank", 0) if "rank" in found else -1
            topic, document = topics[name_in(found, "topic")], documents[name_in(found, "document")]
            if rank < 0 and score > lowest.get(topic, (score, 0))[0]:
                before = lowest[topic]
                raise Refused(
                    f"the score rises from {before[0]:g} in line {before[1]} to {score:g}",
                    'sort each topic by falling score, or give every chunk a "rank"',
                )
            lowest[topic] = score, line
            run = runs[name_in(found, "run") if "run" in found else path.stem]
            rows.append((topic, document, run, rank, score, start, end, line))
        except Refused as refused:
            rejected.append(Problem(str(path), f"line {line}", *refused.args))
    if not rows:
        problem = Problem(str(path), "", "no chunk that can be read", "expected at least one")
        raise InputError([*rejected, problem])
    if len(runs) > 1:
        told = ", ".join(map(repr, list(runs)[:5]))
        raise InputError(
            [*rejected, Problem(str(path), "", f"{len(runs)} runs: {told}", "give one run in one file")]
        )
    names = ["topic", "document", "run", "rank", "score", "start", "end", "line"]
    frame = pd.DataFrame(rows, columns=names)
    ranked = frame["rank"] >= 0
    if ranked.any() and not ranked.all():
        found_where = ", ".join(map(str, frame["line"][~ranked][:5]))
        problem = Problem(str(path), "", f'lines without "rank": {found_where}', "rank all chunks, or none")
        raise InputError([*rejected, problem])
    frame["topic"] = topics.column(frame["topic"].to_numpy())
    frame["document"] = documents.column(frame["document"].to_numpy())
    frame["path"] = Codes().column(np.full(len(frame), -1))
    frame["unresolvable"] = False
    if not ranked.any():
        frame = frame.drop(columns="rank")
    frame, by_file = in_order(frame, equal_scores_tie, file_order=False)
    return RawRun(next(iter(runs)), "", "", frame, str(path), by_file)
