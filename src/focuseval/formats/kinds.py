"""What a file is, from its content."""

import json
import re
import tarfile
import zipfile
from collections import Counter
from pathlib import Path

from focuseval.errors import InputError, Problem
from focuseval.files import unreadable
from focuseval.formats.chunks import MARKS_OF_RUNS
from focuseval.formats.xmlfile import local_name, stream

#: a file of INEX 2002 or 2003 that only says which documents were assessed
UNMARKED = "inex assessments without judgements"

#: what is recognised as assessments, and the name of the format
ASSESSMENTS = {
    "inex2002 assessments": "inex2002",
    "inex2003 assessments": "inex2003",
    UNMARKED: "inex2003",
    "inex2005 assessments": "inex2005",
    "fol qrels": "fol",
    "assessments table": "tsv",
    "gold spans": "chunks",
}
#: what is recognised as runs, and the name of the format
RUNS = {
    "inex submission": "inex",
    "trec run with XPaths": "trec",
    "trec run with offsets": "trec",
    "trec run of whole documents": "trec",
    "retrieved chunks": "chunks",
}
TOPICS = "inex topics"
ARCHIVE = "collection archive"
DOCUMENT = "XML document"

#: columns of runs as text
_COLUMNS = {6: "trec run of whole documents", 7: "trec run with XPaths", 8: "trec run with offsets"}
#: lines that are looked at to tell what a text is
_LOOK = 100
_PASSAGE = re.compile(rb"[0-9]+:[0-9]+")
_JSON_ARRAY = re.compile(rb"\s*\[\s*(\{|\]|$)")
_MARKED = re.compile(rb'"(%s)"\s*:' % "|".join(MARKS_OF_RUNS).encode())


def recognise(path: str | Path) -> str:
    """A short name of what a file is: a key of `ASSESSMENTS` or `RUNS`, or one of the other names here.

    Raises
    ------
    InputError
        saying why, if it is none of them, or an XML file that cannot be read.
    """
    path = Path(path)
    try:
        with open(path, "rb") as opened:
            head = opened.read(1 << 16)
        if zipfile.is_zipfile(path) or tarfile.is_tarfile(path):
            return ARCHIVE
    except OSError as error:
        raise unreadable(path, error) from error
    except (tarfile.TarError, EOFError, ValueError, zipfile.BadZipFile):
        pass
    if head.startswith((b"\x1f\x8b", b"PK\3\4")):
        raise _none(
            path, "compressed, but no complete .tar.gz or .zip", "unpack it, or get the archive again"
        )
    if not head.strip():
        raise _none(path, "an empty file", "give a file with something in it")
    if _is_xml(head):
        return _xml(path)
    return _text(path, head)


def _is_xml(head: bytes) -> bool:
    return head.startswith((b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<")) or (
        head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<")
    )


def _xml(path: Path) -> str:
    root = ""
    marks = ("path", "element", "passage", "best-entry-point")
    for event, element in stream(path, ("*",)):
        name = local_name(element)
        if event != "start":
            continue
        if not root:
            root = name
            if root == "inex-submission":
                return "inex submission"
            if root in ("inex_topic", "INEX-Topic", "inex-topic-file"):
                return TOPICS
            if root != "assessments":
                return DOCUMENT
        elif name in marks:
            if name != "path":
                return "inex2005 assessments"
            if element.get("relevance") is not None or element.get("coverage") is not None:
                return "inex2002 assessments"
            if element.get("exhaustiveness") is not None:
                return "inex2003 assessments"
        elif name == "file" and element.get("name") is not None:
            return "inex2005 assessments"
    return UNMARKED


def _text(path: Path, head: bytes) -> str:
    whole = head.rpartition(b"\n")[0] or head
    lines = [line for line in whole.removeprefix(b"\xef\xbb\xbf").split(b"\n") if line.strip()][:_LOOK]
    if lines[0].lstrip().startswith(b"{"):
        return "retrieved chunks" if any(map(_retrieved, lines)) else "gold spans"
    if _JSON_ARRAY.match(lines[0]):
        raise _none(path, "a JSON array", "give JSON lines: one object on each line, without brackets around")
    if lines[0].split()[:3] == [b"topic", b"document", b"path"]:
        return "assessments table"
    rows = [line.split() for line in lines]
    if any(len(row) == 5 or (len(row) > 6 and _PASSAGE.fullmatch(row[6])) for row in rows):
        return "fol qrels"
    columns = Counter(map(len, rows)).most_common(1)[0][0]
    if columns in _COLUMNS:
        return _COLUMNS[columns]
    if columns == 4:
        raise _none(
            path,
            "4 columns, as in TREC qrels of whole documents",
            'make FOL qrels of them with a line of awk: docs/formats.md, "TREC qrels"',
        )
    raise _none(
        path,
        f"text of {columns} columns",
        "expected a run (6 to 8 columns), qrels, assessments, XML or JSON lines (one object on each line)",
    )


def _retrieved(line: bytes) -> bool:
    """Whether a JSON line is one of a run. Of a broken line, its beginning included, the text tells."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return _MARKED.search(line) is not None
    return isinstance(found, dict) and not found.keys().isdisjoint(MARKS_OF_RUNS)


def _none(path: Path, found: str, expected: str) -> InputError:
    return InputError(Problem(str(path), "", f"not recognised: {found}", expected))
