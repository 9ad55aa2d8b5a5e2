"""Chunks as JSON lines: gold spans, and what a system retrieved.

A gold span is ``{"topic": "q1", "document": "guide.md", "start": 120, "end": 180}``, in characters of the
document's text; it may name the ``"aspects"`` of the topic that it answers, as a list, have a ``"grade"``, and be one
of a ``"group"`` of which any one will do. A retrieved chunk may have a ``"score"`` and a ``"rank"`` as well, and name
its ``"run"``, which else is named after the file. Other keys are passed over; null is a missing value, and 61.0 the
whole number that it is: so are tables written of which some cells are empty. Chunks nest and overlap at will.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

from focuseval.errors import InputError, Problem, closest
from focuseval.files import is_utf8
from focuseval.formats.lines import MARK, decoded, lines_of, pieces_of
from focuseval.formats.parsed import DIGITS, Refused, quoted, shortened, too_long

#: what every chunk has
KEYS = ("topic", "document", "start", "end")

#: lines of an input that have a text beside offsets and are compared, the first ones: a wrong way to count shows in few
COMPARED = 10_000

#: above all whole numbers that are read: offsets, ranks, grades
LARGEST = 10**DIGITS

#: how tables of other formats begin, and bytes that a line of their columns' names has at most
_TABLES = {b"PAR1": "a Parquet file", b"ARROW1": "an Arrow file"}
_HEADING = 1 << 12

#: how deep the objects and lists of a line may be nested: the parser itself goes deeper, but how deep depends on
#: who calls it
DEEPEST = 500
_STRING = re.compile(r'"(?:[^"\\]+|\\.)*+"?', re.DOTALL)

#: what only retrieved chunks have
MARKS_OF_RUNS = ("score", "rank", "run")

#: what JSON lines are said to be: without any of these, with some, and without a topic
GOLD_SPANS, RETRIEVED_CHUNKS, CHUNKING = "gold spans", "retrieved chunks", "chunks without a topic"

#: what others call the keys, in small letters and without what is no letter
_ELSEWHERE = {
    "topic": ("queryid", "qid", "questionid"),
    "document": ("docid", "documentid", "source", "filename", "filepath", "file", "path"),
    "start": ("startindex", "startcharidx", "startoffset", "splitidxstart", "begin", "offset"),
    "end": ("endindex", "endcharidx", "endoffset"),
}


def objects_of(path: Path) -> Iterator[tuple[int, dict[str, Any] | Refused]]:
    """Number and JSON object of every line that is not blank; `Refused` if it is none.

    Raises InputError for a table of another format (`refuse_table`).
    """
    check_is_no_table(path)
    for number, line in lines_of(path):
        try:
            yield number, object_in(line)
        except Refused as refused:
            yield number, refused


def check_is_no_table(path: Path) -> None:
    """Raise InputError for a file that is a table of another format (`refuse_table`)."""
    try:
        refuse_table(next(pieces_of(path, _HEADING), b""))
    except Refused as refused:
        raise InputError(Problem(str(path), "", *refused.args)) from None


def refuse_table(content: bytes) -> None:
    """Refuse a content that begins as Parquet or Arrow does, or as CSV with the names of keys in its first line."""
    found = next((name for mark, name in _TABLES.items() if content.startswith(mark)), None)
    first = content[:_HEADING].removeprefix(MARK).lstrip().partition(b"\n")[0]
    columns = {column.strip(b' "\r') for column in re.split(rb"[,;\t]", first)}
    if len(columns & {key.encode() for key in KEYS}) > 1 and b"path" not in columns and b"{" not in first:
        found = "a table as CSV"
    if found is not None:
        expected = (
            'give JSON lines, as frame.to_json(FILE, orient="records", lines=True) of pandas writes them; or the frame '
            "itself, in Python (docs/formats.md)"
        )
        raise Refused(found, expected)


def object_in(line: bytes, keys: Container[str] | None = None) -> dict[str, Any]:
    """The JSON object of a line. Refuses anything else, and an object that has a key twice: one of ``keys``, or any."""
    text = decoded(line)
    if text.count("[") + text.count("{") > DEEPEST and _depth(text) > DEEPEST:
        raise Refused(f"JSON nested more than {DEEPEST} deep", "expected one object on each line, less deep")
    try:
        found = _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        if "integer string conversion" in str(error):
            raise Refused(*_ENDLESS) from None
        # The line that the parser tells is always the first: it sees one line at a time.
        told = f"{error.msg}, column {error.colno}" if isinstance(error, json.JSONDecodeError) else error
        raise Refused(f"no JSON: {told}", "expected one object on each line") from None
    if not isinstance(found, _Object):
        raise Refused(f"no JSON object: {quoted(text)}", 'expected {"topic": …, "document": …, …}')
    if lost := [key for key in found.repeated if keys is None or key in keys]:
        raise Refused(f"{_json(lost[0])} stands there twice", "expected each key once")
    return found


def _depth(text: str) -> int:
    """How many brackets of a JSON text are open at once, at most; those in strings are none."""
    marks = re.findall(r"[\[{]|[\]}]", _STRING.sub("", text))
    return max(accumulate((1 if mark in "[{" else -1 for mark in marks), initial=0))


class _Object(dict[str, Any]):
    """A JSON object, and the keys of which all but the last value are lost."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        counts = Counter(key for key, _ in pairs) if len(self) < len(pairs) else {}
        self.repeated = [key for key, count in counts.items() if count > 1]


#: made once, as a decoder takes longer to make than to use on a line
_DECODER = json.JSONDecoder(object_pairs_hook=_Object)


def name_in(found: dict[str, Any], key: str) -> str:
    """A name: a string that is not blank and can be written as UTF-8, or a whole number."""
    value = _whole(found.get(key))
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or not value.strip():
        raise Refused(f'"{key}" is {_shown(found, key)}', f"{_misspelt(found, key)}expected a name")
    if not is_utf8(value) or "\0" in value:
        raise Refused(
            f'"{key}" is {_shown(found, key)}', "expected a name without NUL and half surrogate pairs"
        )
    return value.strip()


def whole_number_in(found: dict[str, Any], key: str, least: int) -> int:
    """A whole number, not below ``least``."""
    value = _whole(found.get(key))
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value < LARGEST:
        number = f"a whole number of at least {least}{too_long(value)}{_unquoted(value)}"
        expected = f"{_misspelt(found, key)}expected {number}"
        raise Refused(f'"{key}" is {_shown(found, key)}', expected)
    return value


#: whole numbers that Python prints are below this; what is said of others
_PRINTED = 10**4000
_ENDLESS = ("a number of thousands of digits", f"expected {DIGITS} at most")


def _whole(value: Any) -> Any:
    """A float that is a whole number, as that number; anything else as it is. Refuses what cannot be printed."""
    if isinstance(value, int) and abs(value) >= _PRINTED:
        raise Refused(*_ENDLESS)
    is_whole = isinstance(value, float) and abs(value) < LARGEST and value.is_integer()
    return int(value) if is_whole else value


def grade_in(found: dict[str, Any]) -> int:
    """The grade of a document or a span: a whole number, which may be below 0."""
    value = _whole(found.get("grade"))
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) >= LARGEST:
        raise Refused(f'"grade" is {_shown(found, "grade")}', f"expected a whole number{too_long(value)}")
    return value


def score_in(found: dict[str, Any]) -> float:
    """The score: a finite number."""
    value: Any = _whole(found.get("score"))
    try:
        score = math.nan if isinstance(value, bool | str) else float(value)
    except (TypeError, OverflowError):  # null, a list …; a whole number of hundreds of digits
        score = math.nan
    if not math.isfinite(score):
        raise Refused(f'"score" is {_shown(found, "score")}', f"expected a finite number{_unquoted(value)}")
    return score


def span_in(found: dict[str, Any]) -> tuple[int, int]:
    """Start and end of a span that is not empty."""
    start, end = whole_number_in(found, "start", 0), whole_number_in(found, "end", 0)
    if end <= start:
        raise Refused(f"the span is {start} to {end}", "expected an end behind the start")
    return start, end


def _misspelt(found: dict[str, Any], key: str) -> str:
    """What may help if a key is missing: the way from text to offsets, or a question whether another key is meant."""
    if key in ("start", "end") and not found.keys() & {"start", "end"} and isinstance(found.get("text"), str):
        return "focuseval locate finds where the text stands; "
    if key == "end" and key not in found and "length" in found:
        return 'give the sum of "start" and "length"; '
    close = None if key in found else key_meant(key, names_of_keys(found))
    return f"is {_json(close)} meant for it? " if close else ""


def names_of_keys(found: dict[str, Any]) -> list[str]:
    """The keys of an object that are none of a chunk's, and those of objects in it, as in ``metadata.source``."""
    inside = [f"{key}.{name}" for key, value in found.items() if isinstance(value, dict) for name in value]
    return sorted(found.keys() - {*KEYS, *MARKS_OF_RUNS}) + inside


def key_meant(key: str, others: Iterable[str]) -> str | None:
    """The one of other keys that is meant for a key: what others call it, or one that is like it; or None."""
    plain = {re.sub("[^a-z]", "", other.rpartition(".")[2].lower()): other for other in others}
    called = next((plain[name] for name in _ELSEWHERE.get(key, ()) if name in plain), None)
    return called or closest(key, plain.values())


def _unquoted(value: Any) -> str:
    """What to do about a number that is a string."""
    try:
        return ", without quotes" if isinstance(value, str) and math.isfinite(float(value)) else ""
    except ValueError:
        return ""


def aspects_in(found: dict[str, Any]) -> list[str]:
    """The aspects of a gold span: a list of names, or none."""
    listed = found.get("aspects")
    if listed is None:
        return []
    if not isinstance(listed, list | tuple):
        raise Refused(f'"aspects" is {_shown(found, "aspects")}', "expected a list of names")
    return [name_in({"aspects": name}, "aspects") for name in listed]


def _shown(found: dict[str, Any], key: str) -> str:
    return shortened(_json(found[key])) if key in found else "missing"


def _json(value: Any) -> str:
    """A value as JSON, with the letters that can be written as they are; what JSON does not have, as text."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if is_utf8(text) else json.dumps(value, default=str)
