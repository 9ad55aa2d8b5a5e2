"""What readers return: columns of names and numbers, not yet tied to a collection."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from focuseval.errors import InputError, Option, Problem, Sentence, counted
from focuseval.files import file_meant, is_there, is_utf8
from focuseval.formats.names import codes_of
from focuseval.model.judgements import ALL
from focuseval.model.paths import join_path, split_path

#: of a whole number, at most
DIGITS = 15

_WHOLE = re.compile(rf"[+-]?0*[0-9]{{1,{DIGITS}}}")
_TOO_LONG = re.compile(rf"[+-]?[0-9]{{{DIGITS + 1},}}")
#: an offset or a length that a run does not know; -1 is one, too
UNKNOWN = "X"

_REAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


@dataclass(frozen=True)
class Remark:
    """A kind of what was left out or read otherwise than it stands there; it keeps nothing from being read."""

    unit: str  #: what is counted, in the singular
    found: str  #: behind the number, in words that are right for one and for many
    told: str


REPEATED = Remark("judgement", "given twice", "read once")
OVERLAPPING = Remark(
    "passage", "overlapping an earlier one of the same topic and document", "merged: no text counts twice"
)
EMPTY = Remark("passage", "without a character", "worth nothing")
NOT_RELEVANT = Remark("passage", "with a grade of 0 or below", "judged, not relevant")
PARTED = Remark(
    "topic", "with results in several places of the {table}", "those of a topic are read as one list"
)
REVERSED = Remark(
    "topic",
    "with scores rising from the first result to the last, none with falling scores",
    Sentence(
        "ranking by score turned that around: if smaller is better, as with distances, let the order of "
        "the lines or the ranks rank the results (",
        Option("rank_by", "order"),
        ", ",
        Option("rank_by", "rank"),
        ")",
    ),
)
SHORTENED = Remark("document name", "ending in .xml or .nxml", "read without the ending")
#: all of them, in the order in which they are said
REMARKS = (REPEATED, OVERLAPPING, EMPTY, NOT_RELEVANT, PARTED, REVERSED, SHORTENED)


@dataclass(frozen=True, eq=False)
class RawAssessments:
    """The assessments of a campaign as its files give them.

    Topic, document, path and source are categorical columns, source being the file that a line is
    of; paths have every position written out. An offset of -1 or a missing path is unknown.
    """

    scale: str  #: one of ``vocabulary.SCALES``
    topics: list[str]  #: all assessed topics in order, also those with nothing relevant
    pools: dict[str, set[str]]  #: numbers of the pools by topic, where the format has pools
    #: topic, document, path, exhaustivity, specificity, size (NaN: unknown), source, line
    elements: pd.DataFrame
    #: topic, document, start, end (characters), aspects (names separated by ``|``), place (in the order of
    #: reading), grade, group ("": none), source, line
    passages: pd.DataFrame | None
    #: topic, document, start, end (points), size (-1: unknown), source, line
    xpath_passages: pd.DataFrame | None
    entry_points: pd.DataFrame  #: topic, document, offset, path (XPath point), source, line
    #: topic, document, size, relevant_size, source, line, times (lines that say so)
    documents: pd.DataFrame | None
    remarks: Counter[Remark]
    source: str  #: the file, or the directory that all files are in
    grades: pd.DataFrame | None = None  #: topic, document, grade, source, line; where documents are graded
    #: topic, document, source, line; documents that are judged, with nothing said of what is relevant in them
    irrelevant: pd.DataFrame | None = None
    place: str = "line"  #: what the numbers in ``line`` count: lines, or rows or entries (from 0) in memory
    #: rows of what was in memory that have a text beside offsets, the first ones, by their numbers
    said: Sequence[tuple[int, dict[str, Any]]] = ()


@dataclass(frozen=True, eq=False)
class RawRun:
    """A run as its file gives it.

    The rows of ``frame`` are in the order of the ranking: topics as they appear, ranks
    non-decreasing within a topic, equal ranks tied. Its columns: topic, document, path
    (categorical; no path for passages and whole documents), rank, start, end (characters; -1 for
    elements, whole documents and unresolvable offsets), score (NaN: none), line, and unresolvable
    (offsets given as ``X`` or -1).
    """

    name: str
    participant: str
    task: str
    frame: pd.DataFrame
    source: str  #: the file
    ranked_by_file: bool = False  #: the rank column contradicts the file order, which was followed
    extended_names: Sequence[Any] = ()  #: documents named with the extension of XML files, which was left out
    place: str = "line"  #: what the numbers in ``line`` count: lines, or rows or entries (from 0) in memory
    #: topics with scores that rise down the ranks, where scores are what orders them; None where some fall
    reversed_topics: int | None = 0
    parted_topics: int = 0  #: topics with results in several places of the file
    own_name: str = ""  #: what its file calls it, where others have that name, too
    said: Sequence[tuple[int, dict[str, Any]]] = ()  #: as `RawAssessments` has it
    most: int | None = None  #: results of a topic that are looked at, the first ones; None for all

    def cut(self) -> dict[str, int]:
        """How many results of a topic stand beyond those that are looked at, by topic; without those that have none."""
        topics = self.frame["topic"]
        beyond = np.bincount(codes_of(topics)) - (len(self.frame) if self.most is None else self.most)
        return {str(topics.cat.categories[code]): int(beyond[code]) for code in np.flatnonzero(beyond > 0)}

    @property
    def remarks(self) -> Counter[Remark]:
        """What was read otherwise than it stands there."""
        found = {PARTED: self.parted_topics, REVERSED: self.reversed_topics or 0}
        return Counter({**found, SHORTENED: len(self.extended_names)})

    def with_block(self, other: "RawRun") -> "RawRun":
        """What is known of this and a later block of the run, without results.

        Raises NotInBlocks if they are not alike.
        """
        if (self.name, self.ranked_by_file) != (other.name, other.ranked_by_file):
            raise NotInBlocks
        turned = (self.reversed_topics, other.reversed_topics)
        return replace(
            self,
            frame=self.frame[:0].copy(),
            extended_names=pd.unique(np.append(self.extended_names, other.extended_names)),
            parted_topics=self.parted_topics + other.parted_topics,
            reversed_topics=None if None in turned else sum(count or 0 for count in turned),
        )


def notes_on(read: RawAssessments | RawRun) -> list[Problem]:
    """What is reported of a file that was read, beside its numbers."""
    table = "file" if read.place == "line" else "table"
    counts = [(remark, count) for remark in REMARKS if (count := read.remarks[remark])]
    return [
        Problem(read.source, "", f"{counted(n, one.unit)} {one.found.format(table=table)}", one.told)
        for one, n in counts
    ]


class Refused(ValueError):
    """A value that cannot be read: what was found, and what was expected."""

    width = 0  #: fields of its line, where these are columns

    def __init__(self, found: str, expected: str) -> None:
        super().__init__(found, expected)


@dataclass(frozen=True)
class Judgements:
    """A kind of judgements: what is said of a document of a topic."""

    values: Mapping[str, Any]  #: columns, and what they hold where a format does not have them
    of: tuple[str, ...] = ()  #: what of the document a judgement is on
    judged: tuple[str, ...] = ()  #: of which all judgements on the same must have the same


#: the kinds of judgements that formats have
JUDGEMENTS = {
    "elements": Judgements(
        {"path": "", "exhaustivity": math.nan, "specificity": math.nan, "size": math.nan},
        ("path",),
        ("exhaustivity", "specificity"),
    ),
    "passages": Judgements(
        {"start": -1, "end": -1, "aspects": "", "grade": 1, "group": "", "alternative": ""},
        ("start", "end", "aspects", "group", "alternative"),
        ("grade",),
    ),
    "xpath_passages": Judgements({"start": "", "end": "", "size": -1}, ("start", "end", "size")),
    "entry_points": Judgements({"offset": -1, "path": None}, ("offset", "path")),
    "sizes": Judgements(
        {"size": -1, "relevant_size": -1, "rest": ""}, judged=("size", "relevant_size", "rest")
    ),
    "grades": Judgements({"grade": 0}, judged=("grade",)),
    "irrelevant": Judgements({}),
}


@dataclass(frozen=True)
class GoldColumns:
    """What a file of assessments says, before its judgements are compared.

    The tables of `JUDGEMENTS` have topic, document (as it is named there; without a name the topic alone is assessed),
    line, and such values of theirs as the format has.
    """

    tables: Mapping[str, pd.DataFrame]
    refused: Sequence[tuple[int, Refused]] = ()  #: lines that cannot be read, and why
    topics: Sequence[str] = ()  #: that are assessed, where rows do not say it
    pools: Sequence[tuple[str, str]] = ()  #: topics, and numbers of the pools in which they were assessed
    problems: Sequence[Problem] = ()  #: why the file cannot be read any further


class NotInBlocks(Exception):
    """A run must be read as a whole: its blocks are not of whole topics, or not alike."""


def whole_number(text: str | None, what: str, least: int | None = None) -> int:
    """A whole number, not below ``least``."""
    if text is None or not _WHOLE.fullmatch(text) or (least is not None and int(text) < least):
        expected = "a whole number" if least is None else f"a whole number of at least {least}"
        raise Refused(f"{what} is {quoted(text)}", f"expected {expected}{too_long(text)}")
    return int(text)


def passage(offset: str | None, length: str | None) -> tuple[int, int]:
    """Offset and length of a passage; -1 and -1 if the run says that the offset is not known."""

    def is_unknown(place: str | None) -> bool:
        return place is not None and (place == UNKNOWN or re.fullmatch("-0*1", place) is not None)

    if is_unknown(offset):
        if not is_unknown(length):
            whole_number(length, "the length", 0)
        return -1, -1
    return whole_number(offset, "the offset", 0), whole_number(length, "the length", 0)


def too_long(value: object) -> str:
    """What else is expected of a whole number where it is one, and too large."""
    return f", of {DIGITS} digits at most" if _TOO_LONG.fullmatch(str(value)) else ""


def real_number(text: str | None, what: str) -> float:
    """A finite number."""
    number = float(text) if text is not None and _REAL.fullmatch(text) else float("nan")
    if not abs(number) < float("inf"):
        raise Refused(f"{what} is {quoted(text)}", "expected a finite number")
    return number


def is_missing(value: object) -> bool:
    """Whether the cell of a table is empty: None, NaN or what else pandas has for that."""
    return (
        value is None or value is pd.NA or value is pd.NaT or (isinstance(value, float) and math.isnan(value))
    )


def quoted(text: str | None) -> str:
    """A value as it is shown in a message."""
    if text is None:
        return "missing"
    return repr(shortened(text))


def shortened(text: str) -> str:
    """The beginning of a text that is too long for a message; of others, all."""
    return text if len(text) <= 60 else text[:57] + "..."


def required(text: str | None, what: str) -> str:
    """A value that must be there and not be blank."""
    if text is None or not text.strip():
        raise Refused(f"{what} is {quoted(text)}", "expected a name")
    return text.strip()


#: said of a topic that may not be called so
RESERVED = f"the topic is {ALL!r}", "expected another name: means stand under this one"


def topic_name(text: str | None) -> str:
    """The name of an assessed topic."""
    topic = required(text, "the topic")
    if topic == ALL:
        raise Refused(*RESERVED)
    return topic


@lru_cache(1 << 16)
def element_path(text: str | None) -> str:
    """The path of a judged element, every position written out."""
    steps = split_path((text or "").strip())
    if steps is None:
        raise Refused(f"the path is {quoted(text)}", "expected one like /article[1]/bdy[1]/sec[2]")
    return join_path(steps)


def document_name(text: str) -> str:
    """A document's name as collections have it: without the extension of XML files."""
    return re.sub(r"\.n?xml\Z", "", text, flags=re.IGNORECASE) if text[-3:] in ("xml", "XML") else text


def joined(aspects: Sequence[str]) -> str:
    """The aspects of a passage as one name. Refuses those that could not be told apart there."""
    if wrong := [name for name in aspects if "|" in name]:
        raise Refused(f"the aspect {quoted(wrong[0])}", "expected names without |")
    return "|".join(aspects)


def rows_of(frame: pd.DataFrame, *columns: str) -> Iterator[tuple[Any, ...]]:
    """The rows of some columns, as Python's own strings and numbers."""
    return zip(*(frame[column].tolist() for column in columns), strict=True)


def files_of(paths: str | Path | Iterable[str | Path]) -> list[Path]:
    """The given files, and all files in the given directories, each once and in a fixed order.

    In a directory, hidden files and DTDs are left out.

    Raises
    ------
    InputError
        for a path that does not exist or is not UTF-8, and for a directory without files.
    """
    found: dict[Path, None] = {}
    problems = []
    for given in [paths] if isinstance(paths, str | Path) else paths:
        path = Path(given)
        if path.is_dir():
            inside = sorted(
                file
                for file in path.rglob("*")
                if file.is_file()
                and file.suffix != ".dtd"
                and "/." not in f"/{file.relative_to(path).as_posix()}"
            )
            found.update(dict.fromkeys(inside))
            if not inside:
                problems.append(
                    Problem(str(path), "", "directory without files", "give a directory that has some")
                )
        elif is_there(path):
            found[path] = None
        else:
            expected = f"{file_meant(path)}give a file that exists"
            problems.append(Problem(str(path), "", "no such file", expected))
    problems += [
        Problem(str(path), "", "a name that is not UTF-8", "rename the file, or the folder that it is in")
        for path in found
        if not is_utf8(str(path))
    ]
    if problems:
        raise InputError(problems)
    return list(found)
