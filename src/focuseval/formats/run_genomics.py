"""Runs of TREC Genomics 2006 and 2007: ``topic document rank score offset length run``."""

from pathlib import Path

import numpy as np
import pandas as pd

from focuseval.errors import InputError, Problem
from focuseval.formats.lines import fields_of
from focuseval.formats.ranking import Ranking, in_order
from focuseval.formats.raw import Codes, RawRun, Refused, document_name, real_number, whole_number


def read(path: Path, ranking: Ranking, rejected: list[Problem]) -> RawRun:
    """Read one run: the order is that of ranks. Lines that cannot be read become problems in ``rejected``.

    Raises
    ------
    InputError
        if there is no readable line, or if the lines are of several runs.
    """
    topics, documents, runs = Codes(), Codes(), Codes()
    extended = set()
    rows = []
    for line, fields in fields_of(path):
        try:
            if isinstance(fields, Refused):
                raise fields
            if len(fields) != 7:
                expected = "expected topic document rank score offset length run"
                raise Refused(f"{len(fields)} columns", expected)
            rank, score = whole_number(fields[2], "the rank", 0), real_number(fields[3], "the score")
            start, size = whole_number(fields[4], "the offset", 0), whole_number(fields[5], "the length", 0)
        except Refused as refused:
            rejected.append(Problem(str(path), f"line {line}", *refused.args))
            continue
        name = document_name(fields[1])
        if name != fields[1]:
            extended.add(fields[1])
        codes = topics[fields[0]], documents[name], runs[fields[6]]
        rows.append((*codes, rank, score, start, start + size, line))
    if not rows:
        raise InputError(Problem(str(path), "", "no result that can be read", "expected at least one"))
    if len(runs) > 1:
        told = ", ".join(map(repr, list(runs)[:5]))
        raise InputError(Problem(str(path), "", f"{len(runs)} runs: {told}", "give one run in one file"))
    frame = pd.DataFrame(rows, columns=["topic", "document", "run", "rank", "score", "start", "end", "line"])
    frame["topic"] = topics.column(frame["topic"].to_numpy())
    frame["document"] = documents.column(frame["document"].to_numpy())
    frame["path"] = Codes().column(np.full(len(frame), -1))
    frame["unresolvable"] = False
    frame, by_file = in_order(frame, ranking, str(path), file_order=False)
    return RawRun(next(iter(runs)), "", "", frame, str(path), by_file, len(extended))
