"""TREC qrels: whole documents with a grade.

A line is ``topic iteration document grade``; the second column is not looked at. A grade above 0 is relevant, and a
document that is not listed was not assessed.
"""

from functools import partial
from pathlib import Path

from focuseval.formats.assessment_builder import Assessed
from focuseval.formats.format import Format
from focuseval.formats.text_columns import Kind, likeness, read_columns

_FORM = {"topic": Kind.NAME, "iteration": Kind.SKIPPED, "document": Kind.DOCUMENT, "grade": Kind.WHOLE}


def read(path: Path, into: Assessed, scale: str) -> None:
    """Read one file."""
    into.open(path)
    for columns in read_columns(path, [_FORM], into.problems):
        into.add_columns("grades", columns)


FORMAT = Format("trec", ("trec qrels",), read, ("grades",), likeness=partial(likeness, {"trec qrels": _FORM}))
