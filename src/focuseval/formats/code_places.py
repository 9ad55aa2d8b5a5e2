"""Read locations in source code from JSON lines, unified diffs, and the output of agents.

A JSON line has a ``topic`` (or SWE-bench's ``instance_id``) and a location. The location is the ``path`` of a file, or
a part of this file: its lines from ``start_line`` to ``end_line`` (inclusive), a class or function with a qualified
``name`` (also as ``path::Class.method``), or its characters from ``start`` to ``end``. Instead of a location, the line
can have a ``patch`` (``model_patch``) or an ``answer`` with locations. Gold locations with the same value of
``alternative`` belong together. Locations with different values are alternatives to each other.

The locations of a unified diff are the lines of the old revision that it removes or replaces, and the two lines around
each insertion. If only the name, the mode or binary content of a file changes, its location has no lines. An added file
has no location in the old revision.

A line of an answer can be ``path:12-40``, ``path:12``, ``path:name``, ``path::name`` or ``path``. Lines below a path
can be ``function: name``, ``class: name``, ``line: 12`` or ``lines: 12-40, 51``. A path is itself a location if no
location is below it. All other lines are ignored. Ignored lines that begin with a document's path are reported.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from typing import Any

import pandas as pd

from focuseval.errors import InputError, Problem, closest, described, extra
from focuseval.files import suffix_of
from focuseval.formats.chunks import name_in, objects_in, objects_of, score_in, span_in, whole_number_in
from focuseval.formats.lines import content_of
from focuseval.formats.parsed import UnusableValue


@dataclass(frozen=True)
class Place:
    """A location that an input names in source code, before the location is looked up in the code."""

    topic: str
    path: str = ""  #: path of the source file, or "" if it is not given
    name: str = ""  #: name of a class or function
    kind: str = ""  #: ``class`` or ``function``, or "" if it is not given
    lines: tuple[int, int] | None = None  #: first and last line, counted from 1
    span: tuple[int, int] | None = None  #: start and end in characters
    by_diff: bool = False  #: whether the location comes from a diff
    old_lines: tuple[tuple[int, str], ...] = ()  #: number and text of each old line in the hunk of the diff
    unreadable: str = ""  #: the reason if the location cannot be used, such as ``added`` for an added file
    passed_over: str = ""  #: a line of an answer that is ignored, although it may begin with a path
    rank: int = 0
    score: float | None = None
    revision: tuple[str, str] = ("", "")  #: repository and revision to which gold refers
    alternative: str = ""  #: the alternative to which a gold location belongs
    where: str = ""  #: position in the input, such as ``line 3``

    def __str__(self) -> str:
        lines = "" if self.lines is None else f":{self.lines[0]}-{self.lines[1]}"
        return f"{self.path}{'::' if self.path and self.name else ''}{self.name}{lines}" or self.unreadable


def _any(record: Mapping[str, Any], *keys: str) -> Any:
    """Return the value of the first of ``keys`` that has a value in ``record``, or None if no key has a value."""
    return next((record[key] for key in keys if record.get(key) is not None), None)


def read_places(
    places: Any, source: str, topic: str | None, grain: str | None = None, *, topics: bool = True
) -> Iterator[Place]:
    """Yield the source-code locations that a file, a frame or a list of dictionaries names.

    ``topic`` is the topic of a file that is a diff or an agent's answer. If ``topics`` is false, ``topic`` is also the
    topic of each row without a topic. If a row lists locations at several granularities, ``grain`` (``class`` or
    ``file``) selects one granularity. Raises an InputError that lists all unreadable rows.
    """
    if isinstance(places, Path):
        content = content_of(places)
        if not content.lstrip().startswith(b"{"):
            yield from _of_text(places, content, topic)
            return
        rows: Iterable[tuple[int, Any]] = objects_of(places)
        unit = "line"
    elif isinstance(places, pd.DataFrame):
        rows, unit = objects_in(places), "row"
    elif isinstance(places, list) and all(isinstance(row, Mapping) for row in places):
        rows, unit = enumerate(places), "row"
    else:
        expected = "expected files, a frame or a list of dictionaries with places in source code"
        raise InputError.of(source, f"the value is {described(places)}", expected)
    problems = []
    for number, row in rows:
        try:
            if isinstance(row, UnusableValue):
                raise row
            for place in _of_row(row if topics else {"topic": topic, **row}, grain):
                yield replace(place, where=f"{unit} {number}")
        except UnusableValue as error:
            problems.append(Problem(source, f"{unit} {number}", *error.args))
    if problems:
        raise InputError(problems)


def _of_text(path: Path, content: bytes, topic: str | None) -> Iterator[Place]:
    """Yield the locations in the content of a file that is a diff or an agent's answer."""
    if topic is None:
        expected = 'give JSON lines, each with a "topic" and either a "patch" or an "answer"'
        raise InputError.of(str(path), "the text names no topics, but the gold has several", expected)
    text = content.decode(errors="replace")
    yield Place(topic)
    diff = is_diff(text) or suffix_of(path) in (".diff", ".patch")
    yield from (places_in_diff if diff else places_in_answer)(text, Place(topic))


def _of_row(record: Mapping[str, Any], grain: str | None) -> Iterator[Place]:
    """Yield the source-code locations that one row (a JSON object) names."""
    repository, revision = _any(record, "repository", "repo"), _any(record, "revision", "base_commit")
    base = Place(
        name_in({"topic": _any(record, "topic", "instance_id")}, "topic"),
        rank=0 if record.get("rank") is None else whole_number_in(dict(record), "rank", 0),
        score=None if record.get("score") is None else score_in(dict(record)),
        revision=(str(repository or ""), str(revision or "")),
        alternative="" if record.get("alternative") is None else name_in(dict(record), "alternative"),
    )
    for key, read in TEXTS.items():
        if isinstance(text := record.get(key), str):
            yield base
            yield from read(text, base)
            return
    lists = (_AT_GRAIN.get(grain or "", ""), *LISTS)
    if key := next((one for one in lists if record.get(one) is not None), ""):
        yield base
        yield from places_in_answer(_answer(record[key], record, key), base)
        return
    path, name = _any(record, "path", "document", "file"), record.get("name")
    place = base if path is None else parse_place(name_in({"path": path}, "path"), base)
    first, last = _any(record, "start_line", "line"), _any(record, "end_line", "start_line", "line")
    if first is not None:
        offsets = {"start_line": first, "end_line": last}
        lines = whole_number_in(offsets, "start_line", 1), whole_number_in(offsets, "end_line", 1)
        if lines[1] < lines[0]:
            found = f"start_line is {lines[0]}, but end_line is {lines[1]}"
            raise UnusableValue(found, "expected an end_line of at least start_line")
        place = replace(place, lines=lines)
    elif record.get("start") is not None:
        place = replace(place, span=span_in(dict(record)))
    elif name is None and place.lines is None and not place.name:
        _refuse_misnamed(record, path)
    yield place if name is None else replace(place, name=name_in({"name": name}, "name"))


#: matches unknown keys that probably contain line numbers
_LINES_MEANT = re.compile("(?<![a-z])line|Line")
#: unknown keys that probably contain the name of a class or a function
_NAME_MEANT = ("function", "class", "method", "symbol", "entity", "qualified_name")


#: keys that are allowed in a line without a location
_OF_TOPIC = {
    "topic",
    "query",
    "instance_id",
    "repository",
    "repo",
    "revision",
    "base_commit",
    "rank",
    "score",
}


def _refuse_misnamed(record: Mapping[str, Any], path: Any) -> None:
    """Raise UnusableValue if a record seems to give its source-code location under an unknown key."""
    there = [str(key) for key, value in record.items() if value is not None]
    if path is None and record.keys().isdisjoint({*TEXTS, *LISTS}) and (other_keys := {*there} - _OF_TOPIC):
        close = closest(key := min(other_keys), ("path", "name", *TEXTS))
        hint = f'did you write "{key}" instead of "{close}"? ' if close else ""
        expected = f'{hint}give a "path", or only a "topic" if the topic has no gold'
        raise UnusableValue('"path" is missing', expected)
    for key in there if path is not None else ():
        wanted = '"start_line" and "end_line"' if _LINES_MEANT.search(key) else '"name"'
        if _LINES_MEANT.search(key) or key in _NAME_MEANT:
            expected = f"did you mean {wanted}? if you mean the whole file, leave the key out"
            raise UnusableValue(f'the key "{key}" is unknown', expected)


_LINES = re.compile(
    r"(?P<path>.+?)(?:::?|#)L?(?P<first>[1-9][0-9]{0,14})(?:[-–,]L?(?P<last>[1-9][0-9]{0,14}))?(?::[0-9]+)?"
)


_NAMED = re.compile(r"(?=[^:]*[./])(?P<path>[^:]++)::?(?P<name>[^\W\d][\w$.:]*)(?:\(.*\))?")


def parse_place(text: str, base: Place) -> Place:
    """Parse a location such as ``path``, ``path:12-40`` or ``path::name``. Copy other fields from ``base``."""
    if match := _LINES.fullmatch(text):
        first, last = int(match["first"]), int(match["last"] or match["first"])
        return replace(base, path=match["path"].removeprefix("./"), lines=(first, max(first, last)))
    match = _NAMED.fullmatch(text)
    path, name = match.group("path", "name") if match else text.partition("::")[::2]
    return replace(base, path=path.removeprefix("./"), name=name.replace("::", "."))


#: kinds of files that contain locations
PATCH, PLACES = "unified diff", "places in source code"


#: matches headings of hunks and of combined diffs
_HEADING = re.compile(r"^(?:@@+ |diff --(?:cc|combined) )", re.MULTILINE)

#: matches an escape sequence in a path that git has quoted
_ESCAPE = re.compile(rb'\\([abtnvfr"\\]|[0-3][0-7]{2})')


def is_diff(text: str) -> bool:
    """Return whether a text is a unified diff or empty."""
    if "diff --" not in text and "\n+++ " not in text:  # a quick test that excludes most texts
        return not text.strip()
    return re.search(r"^(diff --(git|cc|combined) |--- \S.*\n\+\+\+ )", text, re.MULTILINE) is not None


def places_in_diff(text: str, base: Place) -> Iterator[Place]:
    """Yield the locations that a unified diff changes. Fields not in the diff are copied from ``base``.

    If the diff is broken, the first location has the reason in its field ``unreadable``.
    """
    with extra("code"):
        import unidiff
    try:
        files = unidiff.PatchSet(StringIO(_writable(text).replace("\r\n", "\n"), newline="\n"))
    except unidiff.UnidiffParseError as error:
        yield replace(base, unreadable=f"the diff cannot be read ({error})", by_diff=True)
        return
    headings = _HEADING.findall(text)
    if any(not heading.startswith("@@ ") for heading in headings):
        reason = "the text is the combined diff of a merge, not the diff against its first parent"
        yield replace(base, unreadable=reason, by_diff=True)
    elif text.strip() and not files:
        yield replace(base, unreadable="the text contains no diff", by_diff=True)
    elif len(headings) > sum(map(len, files)) or any(
        not len(file) and f"\n+++ {file.target_file}" in text for file in files
    ):
        reason = "parts of the diff cannot be read"
        yield replace(base, unreadable=reason, by_diff=True)
    for file in files:
        added = file.source_file == "/dev/null"
        path = re.sub("^[ab]/", "", _unquoted(file.target_file if added else file.source_file))
        of_file = replace(base, path=path, unreadable="added" if added else "", by_diff=True)
        yield of_file
        for hunk in () if added else file:
            old_lines = tuple((line.source_line_no, line.value) for line in hunk if line.source_line_no)
            yield from (replace(of_file, lines=lines, old_lines=old_lines) for lines in _touched(hunk))


def _unquoted(path: str) -> str:
    """Decode a path that git has quoted. Return other paths unchanged."""
    if not path.startswith('"'):
        return path
    content = path[1:-1].encode(errors="surrogatepass")
    unquoted = _ESCAPE.sub(lambda match: match[0].decode("unicode_escape").encode("latin-1"), content)
    return unquoted.decode(errors="replace")


def _writable(text: str) -> str:
    """Replace the characters in a text that no name can contain: NUL and unpaired surrogates."""
    return text.encode(errors="replace").decode().replace("\0", "\ufffd")


def _touched(hunk: Any) -> Iterator[tuple[int, int]]:
    """Yield the first and last line of each removal in a hunk of a diff, and the two lines around each insertion."""
    at = hunk.source_start - 1 if hunk.source_length else hunk.source_start
    removed: list[int] = []
    inserts = False
    for kind, number in [*((line.line_type, line.source_line_no) for line in hunk), (" ", 0)]:
        if kind == "-":
            removed.append(number)
        elif kind == "+":
            inserts = True
        elif kind == " ":
            if removed:
                yield removed[0], removed[-1]
            elif inserts:
                yield max(at, 1), at + 1
            removed, inserts = [], False
        at = number or at


_BULLET = re.compile(r"^[\s>*+#-]*(?:[0-9]+[.)]\s+)?|(?<![\s`*\"',;])[\s`*\"',;]+$")
_BELOW = re.compile(r"(?P<label>function|method|class|lines?)\s*:\s*(?P<value>\S.*)", re.IGNORECASE)
_PATH = re.compile(r"[^\s:()\[\]{}\"'`]*[\w)]\.\w+|[^\s:()\"'`][^\s:()\"'`/]*/[^\s:()\"'`]+")
_BEGINNING = re.compile(r"[\[({\"'`*]*([^\s:()\[\]{}\"'`*,;]+)")
_RANGE = re.compile(r"([1-9][0-9]{0,14})(?:\s*[-–]\s*([1-9][0-9]{0,14}))?")


def places_in_answer(text: str, base: Place) -> Iterator[Place]:
    """Yield the locations that an agent's answer names, in order. Fields not in the answer are copied from ``base``."""
    above: Place | None = None  # the last path without lines, if no location below it was found yet
    path = ""
    for whole in _writable(text).splitlines():
        line = _BULLET.sub("", whole).strip("`")
        if below := _BELOW.fullmatch(line):
            for place in _places_below(below["label"].lower(), below["value"], replace(base, path=path)):
                above = above if place.passed_over else None
                yield place
            continue
        line = line.removeprefix("file:").strip().rstrip(":").strip("`*")
        place = parse_place(line, base)
        if not _PATH.fullmatch(place.path):
            if (beginning := _BEGINNING.match(line)) is None:
                continue
            place = replace(base, path=beginning[1].rstrip(".").removeprefix("./"), passed_over=whole)
            yield place
            if not _PATH.fullmatch(place.path):
                continue
        if above is not None:
            yield above
        path = place.path
        above = None if place.lines or place.name or place.passed_over else place
        if above is None and not place.passed_over:
            yield place
    if above is not None:
        yield above


def _places_below(label: str, value: str, base: Place) -> Iterator[Place]:
    """Yield the class, function or lines that a line ``label: value`` of an answer names below the path of a file."""
    if not label.startswith("line"):
        kind = "class" if label == "class" else "function"
        name = value.strip("`").removesuffix("()").replace("::", ".")
        yield replace(base, name=name, kind=kind)
    elif base.path:
        for part in value.strip("`").split(","):
            if match := _RANGE.fullmatch(part.strip()):
                first, last = int(match[1]), int(match[2] or match[1])
                yield replace(base, lines=(first, max(first, last)))
            else:
                yield replace(base, passed_over=f"{label}: {value}")


def _answer(listed: Any, record: Mapping[str, Any], key: str) -> str:
    """Return an answer of LocAgent or Agentless as one text. The answer may be divided into files or samples."""
    if isinstance(listed, Mapping):
        texts = {path: _answer(below, {}, key) for path, below in listed.items()}
        return "\n".join(f"{path}\n{text}" for path, text in texts.items() if text.strip())
    if isinstance(listed, list):
        files = record.get("found_files") if key.endswith("_locs") else None
        if isinstance(files, list) and all(
            isinstance(one, list) and set(map(type, one)) <= {str} for one in listed
        ):
            return _answer(dict(zip(map(str, files), listed, strict=False)), {}, key)
        return "\n".join(_answer(one, record, key) for one in listed)
    if not isinstance(listed, str):
        expected = "expected a list of places, or an object with the places of each file"
        raise UnusableValue(f'"{key}" is {described(listed)}', expected)
    return listed


#: keys under which LocAgent and Agentless list locations, in order of preference
LISTS = ("found_edit_locs", "found_entities", "found_related_locs", "found_modules", "found_files")
_AT_GRAIN = {"class": "found_modules", "file": "found_files"}

#: for each key that contains a text, the function that reads the locations in this text
TEXTS: dict[str, Callable[[str, Place], Iterator[Place]]] = {
    "patch": places_in_diff,
    "model_patch": places_in_diff,
    "answer": places_in_answer,
}
