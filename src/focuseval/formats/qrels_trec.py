"""TREC qrels: whole documents with a grade.

A line is ``topic iteration document grade``; the second column is not looked at. A grade above 0 is relevant, and a
document that is not listed was not assessed.
"""

from pathlib import Path

from focuseval.errors import counted
from focuseval.formats.assessed import Assessed
from focuseval.formats.lines import fields_of
from focuseval.formats.raw import Refused, whole_number

SCALES = ("grades",)


def read(path: Path, into: Assessed, scale: str) -> None:
    """Read one file."""
    into.open(path)
    for line, fields in fields_of(path):
        try:
            if isinstance(fields, Refused):
                raise fields
            if len(fields) != 4:
                raise Refused(counted(len(fields), "column"), "expected 4: topic iteration document grade")
            grade = whole_number(fields[3], "the grade")
            into.topic(fields[0])
            into.document(fields[2])
            into.grade(grade, line)
        except Refused as refused:
            into.refuse(line, refused)
