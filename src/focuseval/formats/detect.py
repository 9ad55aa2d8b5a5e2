"""List the formats of runs and assessments, and recognise the format of a file.

Text documents are recognised by their suffix, and all other files by their content. To add a format, write a module
that declares it, and list the declaration here.
"""

import json
import re
import tarfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import islice
from operator import itemgetter
from pathlib import Path

from focuseval.errors import COLLECTION, InputError, Option, Sentence
from focuseval.files import opened, suffix_of, unpacked, unreadable, wide_encoding
from focuseval.formats import chunks, inex, tables, trec
from focuseval.formats.chunks import (
    CHUNKING,
    GOLD_SPANS,
    KEYS,
    MARKS_OF_RUNS,
    RETRIEVED_CHUNKS,
    key_meant,
    misspelt_key,
    names_of_keys,
    object_in,
    objects_of,
    refuse_table,
)
from focuseval.formats.code_places import LISTS, PATCH, PLACES, TEXTS, is_diff
from focuseval.formats.inex import TOPIC_ROOTS, UNMARKED, local_name, stream
from focuseval.formats.lines import MARK, is_comment, pieces_of
from focuseval.formats.parsed import Format, UnusableValue
from focuseval.model.vocabulary import Registry

_GROUP = "focuseval.formats"

#: formats of runs by name, in order of preference if a line fits several formats
RUNS = Registry(
    (inex.RUN, trec.RUN, chunks.RUN, trec.GENOMICS_RUN, trec.RANKED, *tables.RUNS),
    _GROUP,
    Format,
    lambda one: not one.scales,
)
ASSESSMENTS = Registry(
    (
        *(inex.INEX2002, inex.INEX2003, inex.INEX2005, trec.FOL, trec.QRELS),
        *(
            inex.TABLE,
            chunks.GOLD,
            trec.GENOMICS_GOLD,
            trec.PRELS,
            trec.BEIR,
            trec.PAIRS,
            *tables.ASSESSMENTS,
        ),
    ),
    _GROUP,
    Format,
    lambda one: bool(one.scales),
)


def formats() -> tuple[Format, ...]:
    """Return all formats of assessments and runs, in the order in which `recognise` compares a file with them."""
    return (*ASSESSMENTS.values(), *RUNS.values())


TOPICS = "inex topics"
ARCHIVE = "collection archive"
DOCUMENT = "XML document"
TEXT = "text document"
#: message about files that are not text
BINARY = "the file is binary"

#: advice in messages if gold or a run is expected, by the kind of the given file
_INSTEAD = {
    GOLD_SPANS: Sentence("if the lines are results in order of rank, set ", Option("run_format", "chunks")),
    RETRIEVED_CHUNKS: Sentence("if the lines are gold, set ", Option("assessment_format", "chunks")),
    CHUNKING: 'give each line a "topic" (the name of its question)',
    **dict.fromkeys(
        (PATCH, PLACES),
        Sentence("give the documents with the source code (", COLLECTION, "; see docs/code.md)"),
    ),
}

#: text in messages that explains why a file has its kind, by kind
_BECAUSE = {
    GOLD_SPANS: ', because no line has "score", "rank" or "run"',
    RETRIEVED_CHUNKS: ', because a line has "score", "rank" or "run"',
}

#: suffixes of files that are always text documents
_MARKED_UP = (".md", ".markdown", ".html", ".htm")
#: suffix of text documents, unless the content has another format
_PLAIN = (".txt",)

#: maximum number of bytes and of lines that are examined
_HEAD, _LOOK = 1 << 16, 100
#: a first line longer than `_HEAD` is examined up to this number of bytes
_LONGEST = 1 << 24
#: matches control characters, which do not occur in text
_CONTROL = re.compile(rb"[\0-\x08\x0e-\x1a\x1c-\x1f]")
_JSON_ARRAY = re.compile(rb"\s*\[\s*(\{|\]|$)")
_UNFINISHED = re.compile(rb"([{\[:]|[^}],)\s*\Z")
_KEY = re.compile(rb'"(%s)"\s*:' % "|".join((*KEYS, *MARKS_OF_RUNS)).encode())


def format_of(kind: str) -> Format | None:
    """Return the format whose files have this ``kind``, or None if no format has this kind."""
    return next((one for one in formats() if kind in one.kinds), None)


def is_table(path: Path) -> bool:
    """Return whether a file is a table or data set of another tool."""
    try:
        return any(recognise(path) in one.kinds for one in (*tables.ASSESSMENTS, *tables.RUNS))
    except InputError:
        return tables.names_chunks(next(pieces_of(path, _LOOK), b"").partition(b"\n")[0])


def recognised(file: Path, wanted: Mapping[str, Format], singular: str, plural: str) -> str:
    """Return the kind of a file, and check that its format is one of ``wanted`` (`RUNS` or `ASSESSMENTS`).

    ``singular`` and ``plural`` are names for such files in messages, such as "a run" and "runs". Raises InputError for
    other formats.
    """
    kind = recognise(file, run=wanted is RUNS)
    if format_of(kind) not in wanted.values():
        if kind in (GOLD_SPANS, RETRIEVED_CHUNKS, CHUNKING) and not any(
            isinstance(record, dict) for _, record in objects_of(file)
        ):
            return str(wanted["chunks"].kinds[0])  # the reader of chunks reports that no line is readable
        option = Option("run_format" if wanted is RUNS else "assessment_format")
        only = Sentence(f"give only {plural}, or set ", option, f" to one of {', '.join(wanted)}")
        expected = _INSTEAD.get(kind, only)
        if kind == GOLD_SPANS and (misspelt := _misspelt_mark(file)):
            expected = f"did you write {json.dumps(misspelt)} instead of score, rank or run?"
        found = f"the file is read as {kind!r}, not as {singular}{_BECAUSE.get(kind, '')}"
        raise InputError.of(str(file), found, expected)
    return kind


def _misspelt_mark(file: Path) -> str | None:
    """Return a key in a file's first line that seems to be a misspelling of score, rank or run, or None."""
    _, record = next(objects_of(file))
    keys = [*map(str, record)] if isinstance(record, dict) else []
    return next(filter(None, (misspelt_key(mark, keys) for mark in MARKS_OF_RUNS)), None)


def recognise(path: str | Path, run: bool | None = None) -> str:
    """Return the kind of a file as a short description, such as ``gold spans`` or ``inex topics``.

    If a file could be gold or a run, ``run`` states whether it is a run. Raises InputError if the kind is unknown, and
    for unreadable XML.
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
    if head.startswith(tables.BINARY):
        return _table(path, None, run)
    if head.startswith(b"PK\3\4"):
        raise InputError.of(str(path), "the .zip archive is incomplete", "download or create it again")
    if not head.strip():
        raise InputError.of(str(path), "the file is empty", "give a file with content")
    if _is_xml(head):
        return _xml(path)
    if encoding := wide_encoding(head):
        raise InputError.of(str(path), f"the text is in {encoding}", "save the file as UTF-8")
    try:
        return _headed(path, head, run) or _text(path, head, run)
    except UnusableValue as error:
        if _CONTROL.search(head):
            expected = "expected text in UTF-8, XML, or an archive of XML"
            raise InputError.of(str(path), BINARY, expected) from None
        if suffix in _PLAIN and not _is_table(head):
            return TEXT
        raise InputError.of(str(path), *error.args) from None


def _is_archive(path: Path) -> bool:
    try:
        with opened(path) as file:
            if zipfile.is_zipfile(file):
                return True
            file.seek(0)
            head = file.read(tarfile.BLOCKSIZE)
            file.seek(0)
            # ASCII text without NUL is never an archive, so most texts do not need the slow test
            return not (head.isascii() and b"\0" not in head) and tarfile.is_tarfile(file)
    except OSError as error:
        raise unreadable(path, error) from error
    except (tarfile.TarError, EOFError, ValueError, zipfile.BadZipFile, zlib.error):
        return False


def _is_xml(head: bytes) -> bool:
    wide = head.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = head.decode("utf-16" if wide else "utf-8-sig", "ignore")
    return text.lstrip().startswith("<") or head.startswith((b"<\0", b"\0<"))


def _xml(path: Path) -> str:
    of_root: list[Format] = []
    for event, element in stream(path, ("*",)):
        if event != "start":
            continue
        name = local_name(element)
        if not of_root:
            if name in TOPIC_ROOTS:
                return TOPICS
            of_root = [one for one in formats() if one.root == name]
            if not of_root:
                return DOCUMENT
        kind = next((one for one in of_root if one.has_element(name, element.attrib)), None)
        if kind is not None:
            return kind.kinds[0]
    return UNMARKED


def _lines(head: bytes) -> list[bytes]:
    """Return the first non-blank lines in ``head``, which is the beginning of a text file."""
    lines = head.removeprefix(MARK).split(b"\n")
    some = list(islice((line for line in lines if line.strip()), _LOOK + 1))
    if len(head) == _HEAD and 1 < len(some) <= _LOOK:
        some.pop()  # the last line may be incomplete
    return some[:_LOOK]


def _is_table(head: bytes) -> bool:
    """Return whether a text has at least three lines, all with the same number of columns (more than one)."""
    lines = _lines(head)
    columns = ({len(line.split(b"\t")) for line in lines}, {len(line.split()) for line in lines})
    return len(lines) > 2 and any(len(counts) == 1 and counts != {1} for counts in columns)


def _headed(path: Path, head: bytes, run: bool | None) -> str:
    """Return the kind of a text file whose first line has column names, or "" for other text files.

    Raises InputError for a table of an unknown kind.
    """
    lines = _lines(head)
    first = lines[0].split()
    for one in formats():
        if one.heading and first[: len(one.heading)] == [name.encode() for name in one.heading]:
            return one.kinds[0]
    if not lines[0].lstrip().startswith((b"{", b"[")) and tables.has_heading(lines):
        return _table(path, head if len(head) < _HEAD else head[: head.rindex(b"\n")], run)
    try:
        refuse_table(head)
    except UnusableValue as error:
        raise InputError.of(str(path), *error.args) from None
    return ""


def _table(path: Path, head: bytes | None, run: bool | None) -> str:
    """Return the kind of a table or data set. Raises InputError for other files."""
    try:
        return tables.kind_of(tables.table_of(path, head), run)
    except UnusableValue as error:
        raise InputError.of(str(path), *error.args) from None


def _text(path: Path, head: bytes, run: bool | None) -> str:
    """Return the kind of a text file that begins with ``head``. Raises UnusableValue if the kind is unknown."""
    lines = _lines(head)
    if lines[0].lstrip().startswith(b"{") or _JSON_ARRAY.match(lines[0]):
        return _json(path, lines, run)
    if is_diff(head.decode(errors="replace")):
        return PATCH
    lines = [line for line in lines if not is_comment(line)] or lines
    likely = tuple(one.likeness for one in formats() if one.likeness)
    for kind, count in _kinds_like(tuple(lines), likely).most_common(1):
        if 2 * count >= len(lines):
            return trec.RANKED.kinds[0] if kind in trec.BEIR.kinds and trec.is_ranked(lines, run) else kind
    raise UnusableValue(*trec.nearest(lines))


@lru_cache(128)  # a file is recognised twice: when its folder is listed, and when it is read
def _kinds_like(
    lines: tuple[bytes, ...], likely: tuple[Callable[[bytes], tuple[float, str]], ...]
) -> Counter[str]:
    """Count, for each kind of text file, the lines most similar to this kind. Stop when one kind has the majority."""
    counts = Counter[str]()
    for line in lines:
        share, kind = max((likeness(line) for likeness in likely), key=itemgetter(0))
        counts[kind] += share > 0
        if 2 * counts[kind] > len(lines):
            break
    return +counts


def _json(path: Path, lines: list[bytes], run: bool | None) -> str:
    """Return the kind of a JSON file that begins with ``lines``. Raises UnusableValue if the kind is unknown."""
    whole = not lines[0].lstrip().startswith(b"{") or _is_unfinished(lines[0])
    keys = set().union(*map(_keys_of, lines))
    if whole or tables.shape_of(keys):
        return _table(path, None if whole or len(lines) == 1 else b"\n".join(lines), run)
    if keys & {"path", *TEXTS, *LISTS} and keys.isdisjoint(KEYS[1:]):
        return PLACES
    all_keys = {*keys, *tables.own_names(keys).values()}
    if len(lines) == 1 and all_keys.isdisjoint({*KEYS, "text"}):
        return _table(path, None, run)
    table = "topic" in all_keys and not all_keys.isdisjoint({"document", "text"})
    if table and not tables.has_own_names(keys):
        return _table(path, b"\n".join(lines), run)
    if keys.isdisjoint(KEYS):
        expected = f"{_meant_for(lines[0])}expected the keys listed in docs/chunks.md"
        raise UnusableValue(f"the JSON has none of the keys {', '.join(KEYS)}", expected)
    if (
        "document" in keys
        and keys.isdisjoint({"topic", *MARKS_OF_RUNS})
        and not key_meant("topic", keys - {*KEYS, *MARKS_OF_RUNS})
    ):
        return CHUNKING
    return next(one.kinds[0] for one in formats() if one.has_keys and one.has_keys(keys))


def _is_unfinished(line: bytes) -> bool:
    """Return whether a JSON object begins on this line and ends on a later line."""
    if _UNFINISHED.search(line) or not line.rstrip().endswith(b","):
        return _UNFINISHED.search(line) is not None
    try:
        object_in(line.rstrip()[:-1])
    except UnusableValue:
        return True
    return False


def _meant_for(line: bytes) -> str:
    """Return a hint on which keys of a JSON line may stand for keys of chunks, or ``""`` if there are none."""
    try:
        record = object_in(line)
    except UnusableValue:
        return ""
    meant = {key: key_meant(key, names_of_keys(record)) for key in KEYS}
    pairs = [f'"{key}" instead of "{other}"' for key, other in meant.items() if other]
    return f"did you mean {', '.join(pairs)}? " if pairs else ""


def _keys_of(line: bytes) -> set[str]:
    """Return the keys in a JSON line, even if the line is broken."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return {key.decode() for key in _KEY.findall(line)}
    return set(record) if isinstance(record, dict) else set()
