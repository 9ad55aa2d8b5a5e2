"""Runs of TREC Genomics 2006 and 2007: ``topic document rank score offset length run``."""

from pathlib import Path

import numpy as np
import pandas as pd

from focuseval.errors import InputError, Problem
from focuseval.formats.names import CommonNames, Names
from focuseval.formats.ranking import Ranking, in_order
from focuseval.formats.raw import RawRun, Refused, real_number, whole_number
from focuseval.formats.text_columns import read_columns
from focuseval.formats.text_scan import Kind

_FORM = {
    "topic": Kind.NAME,
    "document": Kind.DOCUMENT,
    "rank": Kind.COUNT,
    "score": Kind.REAL,
    "offset": Kind.COUNT,
    "length": Kind.COUNT,
    "run": Kind.NAME,
}


def read(path: Path, ranking: Ranking, rejected: list[Problem], names: CommonNames) -> RawRun:
    """Read one run: the order is that of ranks. Lines that cannot be read become problems in ``rejected``.

    Raises
    ------
    InputError
        if there is no readable line, or if the lines are of several runs.
    """
    found = read_columns(path, [_FORM], _explain, rejected)
    if not len(found):
        raise InputError(Problem(str(path), "", "no result that can be read", "expected at least one"))
    name = found.the_run(path)
    topics = Names()
    topic = found.codes("topic", topics)
    start = found.whole("offset")
    columns = pd.DataFrame(
        {
            "topic": pd.Categorical.from_codes(topic, topics.index()),
            "document": found.codes("document", names.documents),
            "rank": found.whole("rank"),
            "score": found.reals,
            "path": np.full(len(found), -1),
            "start": start,
            "end": start + found.whole("length"),
            "line": found.line,
            "unresolvable": False,
        }
    )
    frame, by_file = in_order(columns, ranking, str(path), file_order=False)
    return RawRun(name, "", "", frame, str(path), by_file, found.extended())


def _explain(fields: list[str], width: int) -> None:
    """Raise Refused, saying what is wrong with the fields of a line, if something is."""
    if len(fields) != width:
        expected = "expected topic document rank score offset length run"
        raise Refused(f"{len(fields)} columns", expected)
    whole_number(fields[2], "the rank", 0)
    real_number(fields[3], "the score")
    whole_number(fields[4], "the offset", 0)
    whole_number(fields[5], "the length", 0)
