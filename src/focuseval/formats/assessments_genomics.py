"""Gold passages of TREC Genomics 2006 and 2007: ``topic document offset length aspect|aspect…``, between tabs.

A passage has one aspect or several, or none. The track's own file is in Latin-1: a file that is not UTF-8 is read so.
"""

from pathlib import Path

from focuseval.errors import counted
from focuseval.formats.assessed import Assessed
from focuseval.formats.lines import content_of, decoded
from focuseval.formats.raw import Refused, whole_number

SCALES = ("highlights",)


def read(path: Path, into: Assessed, scale: str) -> None:
    """Read one file. Passages may overlap."""
    into.open(path)
    into.has_passages = into.may_overlap = True
    content = content_of(path)
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        content = content.decode("latin-1").encode("utf-8")
    for line, text in enumerate(content.split(b"\n"), 1):
        if not text.strip():
            continue
        try:
            fields = [field.strip() for field in decoded(text).split("\t")]
            if len(fields) != 5:
                expected = "expected topic, document, offset, length, aspects between tabs"
                raise Refused(counted(len(fields), "column"), expected)
            start, size = whole_number(fields[2], "the offset", 0), whole_number(fields[3], "the length", 0)
            into.topic(fields[0])
            into.document(fields[1])
            if size:
                aspects = [name.strip() for name in fields[4].split("|") if name.strip()]
                into.passage(start, start + size, line, aspects)
            else:
                into.empty += 1
        except Refused as refused:
            into.refuse(line, refused)
