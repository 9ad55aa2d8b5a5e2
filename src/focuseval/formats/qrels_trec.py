"""TREC qrels: whole documents with a grade.

A line is ``topic iteration document grade``; the second column is not looked at. A grade above 0 is relevant, and a
document that is not listed was not assessed.
"""

from pathlib import Path

from focuseval.errors import counted
from focuseval.formats.assessment_builder import Assessed
from focuseval.formats.parsed import Refused, document_name, required, whole_number
from focuseval.formats.text_columns import Kind, read_columns

SCALES = ("grades",)

_FORM = {"topic": Kind.NAME, "iteration": Kind.SKIPPED, "document": Kind.DOCUMENT, "grade": Kind.WHOLE}


def read(path: Path, into: Assessed, scale: str) -> None:
    """Read one file."""
    into.open(path)
    into.add_columns("grades", read_columns(path, [_FORM], _explain, into.problems))


def _explain(fields: list[str], width: int) -> None:
    """Raise Refused, saying what is wrong with the fields of a line, if something is."""
    if len(fields) != width:
        raise Refused(counted(len(fields), "column"), "expected 4: topic iteration document grade")
    whole_number(fields[3], "the grade")
    required(document_name(fields[2]), "the document")
