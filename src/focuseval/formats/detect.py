"""What a file is: from its content, and of text documents from the name."""

import json
import re
import tarfile
import zipfile
import zlib
from collections import Counter
from itertools import islice
from pathlib import Path

from focuseval.errors import InputError, Problem, counted
from focuseval.files import opened, suffix_of, unpacked, unreadable, wide_encoding
from focuseval.formats.chunks import KEYS, MARKS_OF_RUNS, key_meant, names_of_keys, object_in, refuse_table
from focuseval.formats.parsed import Refused
from focuseval.formats.xmlfile import local_name, stream

#: a file of INEX 2002 or 2003 that only says which documents were assessed
UNMARKED = "inex assessments without judgements"

#: JSON lines of chunks without a score, a rank or a run, and with one
GOLD_SPANS, RETRIEVED = "gold spans", "retrieved chunks"

#: what is recognised as assessments, and the name of the format
ASSESSMENTS = {
    "inex2002 assessments": "inex2002",
    "inex2003 assessments": "inex2003",
    UNMARKED: "inex2003",
    "inex2005 assessments": "inex2005",
    "fol qrels": "fol",
    "trec qrels": "trec",
    "assessments table": "tsv",
    GOLD_SPANS: "chunks",
    "trec genomics gold": "genomics",
}
#: what is recognised as runs, and the name of the format
RUNS = {
    "inex submission": "inex",
    "trec run with XPaths": "trec",
    "trec run with offsets": "trec",
    "trec run of whole documents": "trec",
    RETRIEVED: "chunks",
    "trec genomics run": "genomics",
}
TOPICS = "inex topics"
#: JSON lines of chunks that no line says a topic of: what documents were cut into
CHUNKING = "chunks without a topic"
#: what to do about it where a topic is needed
WITH_TOPIC = 'expected a "topic" in every line: the question that it answers'
ARCHIVE = "collection archive"
DOCUMENT = "XML document"
TEXT = "text document"

#: suffixes of text documents: these hold nothing else, the others only what is not recognised by its content
_MARKED_UP = (".md", ".markdown", ".html", ".htm")
_PLAIN = (".txt",)

#: columns of runs as text
_COLUMNS = {6: "trec run of whole documents", 7: "trec run with XPaths", 8: "trec run with offsets"}
#: bytes, and lines of a text, that are looked at; of a first line that is longer, so many
_HEAD, _LOOK, _LONGEST = 1 << 16, 100, 1 << 24
_PASSAGE = re.compile(rb"[0-9]+:[0-9]+")
#: what stands where a number should, though it may be a wrong one
_NUMBER = re.compile(rb"[+-]?([0-9.,]+(e[+-]?[0-9]+)?|nan|inf(inity)?)", re.IGNORECASE)
#: what text does not hold
_CONTROL = re.compile(rb"[\0-\x08\x0e-\x1a\x1c-\x1f]")
_JSON_ARRAY = re.compile(rb"\s*\[\s*(\{|\]|$)")
_UNFINISHED = re.compile(rb"([{\[:]|[^}],)\s*\Z")
_KEY = re.compile(rb'"(%s)"\s*:' % "|".join((*KEYS, *MARKS_OF_RUNS)).encode())


def recognise(path: str | Path) -> str:
    """A short name of what a file is: a key of `ASSESSMENTS` or `RUNS`, or one of the other names here.

    Raises
    ------
    InputError
        saying why, if it is none of them, or an XML file that cannot be read.
    """
    path = Path(path)
    if _is_archive(path):
        return ARCHIVE
    suffix = suffix_of(path)
    if suffix in _MARKED_UP:
        return TEXT
    with unpacked(path) as file:
        head = file.read(_HEAD)
        if b"\n" not in head:
            head += file.readline(_LONGEST)
    if head.startswith(b"PK\3\4"):
        raise _none(path, "the beginning of a .zip", "get the archive again, complete")
    if not head.strip():
        raise _none(path, "an empty file", "give a file with something in it")
    if _is_xml(head):
        return _xml(path)
    if encoding := wide_encoding(head):
        raise _none(path, f"text in {encoding}", "save the file as UTF-8")
    try:
        refuse_table(head)
    except Refused as refused:
        raise _none(path, *refused.args) from None
    try:
        return _text(head)
    except Refused as refused:
        if _CONTROL.search(head):
            found, expected = "a binary file", "expected text in UTF-8, XML, or an archive of XML"
            raise _none(path, found, expected) from None
        if suffix in _PLAIN and not _is_table(head):
            return TEXT
        raise _none(path, *refused.args) from None


def _is_archive(path: Path) -> bool:
    try:
        with opened(path) as file:
            if zipfile.is_zipfile(file):
                return True
            file.seek(0)
            head = file.read(tarfile.BLOCKSIZE)
            if head.isascii() and b"\0" not in head:  # that of an archive is filled with zeros, or packed
                return False
            file.seek(0)
            return tarfile.is_tarfile(file)
    except OSError as error:
        raise unreadable(path, error) from error
    except (tarfile.TarError, EOFError, ValueError, zipfile.BadZipFile, zlib.error):
        return False


def _is_xml(head: bytes) -> bool:
    wide = head.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = head.decode("utf-16" if wide else "utf-8-sig", "ignore")
    return text.lstrip().startswith("<") or head.startswith((b"<\0", b"\0<"))


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


def _lines(head: bytes) -> list[bytes]:
    """The first lines of a text that are not blank."""
    lines = head.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    some = list(islice((line for line in lines if line.strip()), _LOOK + 1))
    if len(head) == _HEAD and 1 < len(some) <= _LOOK:
        some.pop()  # it may be cut
    return some[:_LOOK]


def _is_table(head: bytes) -> bool:
    """Whether all lines of a text, three at least, have the same columns, by tabs or blanks."""
    lines = _lines(head)
    columns = ({len(line.split(b"\t")) for line in lines}, {len(line.split()) for line in lines})
    return len(lines) > 2 and any(len(counts) == 1 and counts != {1} for counts in columns)


def _text(head: bytes) -> str:
    """What a text is that begins with ``head``; Refused if nothing that is known."""
    lines = _lines(head)
    if lines[0].lstrip().startswith(b"{"):
        return _json(lines)
    if _JSON_ARRAY.match(lines[0]):
        raise Refused("a JSON array", "give JSON lines: one object on each line, without brackets around")
    if 2 * sum(map(_is_genomics_gold, lines)) >= len(lines):
        return "trec genomics gold"
    rows = [line.split() for line in lines]
    if rows[0][:3] == [b"topic", b"document", b"path"]:
        return "assessments table"
    kind, count = Counter(map(_kind_of_row, rows)).most_common(1)[0]
    if kind and 2 * count >= len(rows):
        return kind
    [(columns, _)] = Counter(map(len, rows)).most_common(1)
    raise Refused(
        f"text of {counted(columns, 'column')}",
        "expected a run (6 to 8 columns, the 4th and 5th rank and score), qrels, assessments, XML or JSON lines "
        "(one object on each line), which CSV is to be made into",
    )


def _is_genomics_gold(line: bytes) -> bool:
    """Whether a line may be a gold passage with aspects: topic, document, offset, length and names, between tabs."""
    fields = line.split(b"\t")
    if len(fields) != 5:
        return False
    numbers = [_NUMBER.fullmatch(field.strip()) is not None for field in fields]
    return all(numbers[2:4]) and not numbers[4]


def _kind_of_row(fields: list[bytes]) -> str:
    """What a line of these columns may be of, though something may be wrong with it; "" for prose."""
    numbers = [_NUMBER.fullmatch(field) is not None for field in fields]
    if (len(fields) == 5 and all(numbers[3:])) or (len(fields) > 6 and _PASSAGE.fullmatch(fields[6])):
        return "fol qrels"
    if len(fields) == 4 and numbers[3]:
        return "trec qrels"
    if len(fields) not in _COLUMNS or not any(numbers[3:5]):
        return ""
    if len(fields) == 7 and all(numbers[2:6]):
        return "trec genomics run"
    if len(fields) == 7 and b"/" not in fields[6] and b"[" not in fields[6]:
        return ""
    if len(fields) == 8 and not any(numbers[6:]) and b"X" not in fields[6:]:
        return ""
    return _COLUMNS[len(fields)]


def _json(lines: list[bytes]) -> str:
    """What lines are of which the first opens a JSON object; Refused if of nothing that is known."""
    if _UNFINISHED.search(lines[0]):
        raise Refused("a JSON object over several lines", "give JSON lines: one object on each line")
    keys = set().union(*map(_keys_of, lines))
    if keys.isdisjoint(KEYS):
        expected = f"{_meant_for(lines[0])}expected lines with these keys: docs/chunks.md"
        raise Refused(f"JSON without {', '.join(KEYS)}", expected)
    own = {*KEYS, *MARKS_OF_RUNS}
    if (
        "document" in keys
        and keys.isdisjoint({"topic", *MARKS_OF_RUNS})
        and not key_meant("topic", keys - own)
    ):
        return CHUNKING
    return GOLD_SPANS if keys.isdisjoint(MARKS_OF_RUNS) else RETRIEVED


def _meant_for(line: bytes) -> str:
    """A question whether other keys of a JSON line are meant for those of a chunk."""
    try:
        found = object_in(line)
    except Refused:
        return ""
    meant = {key: key_meant(key, names_of_keys(found)) for key in KEYS}
    pairs = [f'"{key}" by "{other}"' for key, other in meant.items() if other]
    return f"did you mean {', '.join(pairs)}? " if pairs else ""


def _keys_of(line: bytes) -> set[str]:
    """The keys of a JSON line. Of a broken line, its beginning included, the text tells."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {key.decode() for key in _KEY.findall(line)}
    return set(found) if isinstance(found, dict) else set()


def _none(path: Path, found: str, expected: str) -> InputError:
    return InputError(Problem(str(path), "", f"not recognised: {found}", expected))
