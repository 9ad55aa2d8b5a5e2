"""The declarations of formats, and the contents of files before documents are looked up in a collection."""

import math
import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from operator import itemgetter
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from focuseval.errors import InputError, Option, Problem, Sentence, counted
from focuseval.files import file_meant, is_there, is_utf8
from focuseval.model.arrays import Ints
from focuseval.model.elements import join_path, split_path
from focuseval.model.judgements import ALL
from focuseval.numerals import real, whole

#: one or several files or folders
Paths = str | PathLike[str] | Iterable[str | PathLike[str]]

#: maximum number of digits of an integer
DIGITS = 15

_TOO_LONG = re.compile(rf"[+-]?[0-9]{{{DIGITS + 1},}}")
#: an unknown offset or length in a run (-1 has the same meaning)
UNKNOWN = "X"


@dataclass(frozen=True)
class Deviation:
    """A kind of unusual data, which the reader reports in a notice and not as an error."""

    unit: str  #: what is counted, such as ``topic``
    found: str  #: text after the number of units
    treatment: str


REPEATED = Deviation("judgement", "{is|are} repeated", "repeated judgements count once")
SAME_PASSAGE = Deviation(
    "passage", "{is|are} repeated", "repeated passages count once, with their highest grade"
)
OVERLAPPING = Deviation(
    "passage",
    "{overlaps an earlier one|overlap earlier ones} of the same topic and document",
    "measures of text count shared text once, but measures of items count every passage",
)
EMPTY = Deviation("passage", "{has|have} length 0", "empty passages add nothing to the score")
NOT_RELEVANT = Deviation(
    "passage", "{has|have} a grade of 0 or below", "such passages count as judged but not relevant"
)
PARTED = Deviation(
    "topic",
    "{has|have} results in several parts of the {table}",
    "the results of a topic are read as one list",
)
REVERSED = Deviation(
    "topic",
    "{has|have} ascending scores from the first result to the last, and no topic has descending scores",
    Sentence(
        "results are ranked by score, highest first; if lower is better (as with distances), set ",
        Option("rank_by", "order"),
        " or ",
        Option("rank_by", "rank"),
    ),
)
LEVEL = Deviation(
    "topic",
    "{has|have} equal scores but no ranks",
    Sentence(
        "results are ordered by line, and equal scores count as ties only with ",
        Option("equal_scores_tie", True),
    ),
)
COMMENT = Deviation("line", "{begins|begin} with #", "comments are skipped, as by trec_eval 10.0")
SHORTENED = Deviation("document name", "{ends|end} in .xml or .nxml", "the ending is ignored")
#: all deviations, in the order of messages
DEVIATIONS = [deviation for deviation in list(vars().values()) if isinstance(deviation, Deviation)]

#: a notice on a file: what is unusual, and how it is treated
Note = tuple[str, str]


@dataclass(frozen=True, eq=False)
class RawAssessments:
    """The assessments of a campaign as its files contain them.

    Each data frame has, among others, the columns topic, document, source (the file) and line. Topic, document, path
    and source are categorical. Every step of a path has its position (``/article[1]``). An unknown size is NaN or -1,
    an unknown offset is -1, and an unknown path is missing.
    """

    scale: str  #: one of ``vocabulary.SCALES``
    topics: list[str]  #: all assessed topics in order of appearance
    pools: dict[str, set[str]]  #: the numbers of each topic's assessment pools, if there are any
    #: judged elements, with the columns path, exhaustivity, specificity and size
    elements: pd.DataFrame
    #: gold passages, with start, end, aspects (joined by ``|``), place (order in files), grade, group and alternative
    passages: pd.DataFrame | None
    #: gold passages between XPath points, with the columns start, end and size
    xpath_passages: pd.DataFrame | None
    entry_points: pd.DataFrame  #: best entry points, with an offset or an XPath point (in the column path)
    #: judged documents, with the columns size, relevant_size and times (how often the judgement occurs)
    documents: pd.DataFrame | None
    deviations: Counter[Deviation]
    source: str  #: the path of the single file, or of the folder with all files
    grades: pd.DataFrame | None = None  #: graded documents, with the column grade
    #: documents that are listed without judgements, or that have passages judged not relevant
    irrelevant: pd.DataFrame | None = None
    place: str = "line"  #: unit of ``line``: lines are counted from 1, rows and entries in memory from 0
    #: numbered rows of data in memory, to compare the text in each row with its offsets
    offsets: Sequence[tuple[int, dict[str, Any]]] = ()
    notes: Sequence[Note] = ()  #: notices other than deviations


@dataclass(frozen=True, eq=False)
class RawRun:
    """The results of a run as read from its file, in ranking order. Results with equal ranks tie.

    The columns of ``rows`` are topic, document, path, rank, start, end, score, line and unresolvable. Topics are in
    order of appearance. ``path`` is missing unless the result is an element. ``start`` and ``end`` count
    characters. They are -1 unless the result is a passage with known offsets. ``score`` is NaN if the result has none.
    """

    name: str
    participant: str
    task: str
    rows: pd.DataFrame  #: the results, in which some names are replaced by their indexes in ``names``
    source: str  #: the file
    ranked_by_file: bool = False  #: whether results stay in file order although their ranks contradict it
    extended_names: Sequence[Any] = ()  #: original document names that have an extension of XML files
    place: str = "line"  #: unit of ``line``: lines are counted from 1, rows and entries in memory from 0
    #: number of topics with rising scores, or None if the scores of any topic fall
    reversed_topics: int | None = 0
    comments: int = 0  #: number of lines that begin with #
    level_topics: int = 0  #: number of topics without ranks in which all results have the same score
    parted_topics: int = 0  #: number of topics whose results are in several parts of the file
    own_name: str = ""  #: the original name of a renamed run, which is in its file; else ""
    #: numbered rows of data in memory, to compare the text in each row with its offsets
    offsets: Sequence[tuple[int, dict[str, Any]]] = ()
    most: int | None = None  #: maximum number of results used for a topic, or None for all
    notes: Sequence[Note] = ()  #: notices other than deviations
    #: for each column of ``rows`` that contains indexes, the names to which they refer
    names: Mapping[str, pa.Array] = field(default_factory=dict)

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The results of the run, with names in place of all indexes."""
        return self.with_names(self.rows)

    def with_names(self, rows: pd.DataFrame) -> pd.DataFrame:
        """Replace indexes by names in ``rows``, which are some or all rows of this run."""
        columns = {name: categorical(codes_of(rows[name]), names) for name, names in self.names.items()}
        return rows.assign(**columns)

    def cut(self) -> dict[str, int]:
        """Return the number of results beyond the limit `most`, for each topic that exceeds it."""
        topics = self.rows["topic"]
        beyond = np.bincount(codes_of(topics)) - (len(self.rows) if self.most is None else self.most)
        return {str(topics.cat.categories[code]): int(beyond[code]) for code in np.flatnonzero(beyond > 0)}

    @property
    def deviations(self) -> Counter[Deviation]:
        """The number of cases of each kind of unusual data (`Deviation`) in the run."""
        counts = {PARTED: self.parted_topics, REVERSED: self.reversed_topics or 0, LEVEL: self.level_topics}
        return Counter({**counts, COMMENT: self.comments, SHORTENED: len(self.extended_names)})

    def with_block(self, other: "RawRun") -> "RawRun":
        """Return a run without results, whose counts (such as `comments`) are sums over this block and a later one.

        Raises NotInBlocks if the blocks have different names, or if the results of only one block stay in file order.
        """
        if (self.name, self.ranked_by_file) != (other.name, other.ranked_by_file):
            raise NotInBlocks
        reversed_topics = (self.reversed_topics, other.reversed_topics)
        return replace(
            self,
            rows=self.rows[:0].copy(),
            extended_names=pd.unique(np.append(self.extended_names, other.extended_names)),
            level_topics=self.level_topics + other.level_topics,
            comments=self.comments + other.comments,
            parted_topics=self.parted_topics + other.parted_topics,
            reversed_topics=None if None in reversed_topics else sum(count or 0 for count in reversed_topics),
        )


def notes_on(read: RawAssessments | RawRun) -> list[Problem]:
    """Return the notices on assessments or a run, with one for each kind of unusual data (`Deviation`)."""
    table = "file" if read.place == "line" else "table"
    counts = [(deviation, count) for deviation in DEVIATIONS if (count := read.deviations[deviation])]
    return [Problem(read.source, "", *note) for note in read.notes] + [
        Problem(read.source, "", counted(n, one.unit, one.found).format(table=table), one.treatment)
        for one, n in counts
    ]


class UnusableValue(ValueError):
    """The error for a value in a file that cannot be used. It states the problem and the expected value."""

    width = 0  #: number of columns in the line

    def __init__(self, found: str, expected: str) -> None:
        super().__init__(found, expected)


class Comment(UnusableValue):
    """The error for a line that begins with #. Such lines are counted, but not reported as problems."""


def comments_in(unusable: Iterable[tuple[int, UnusableValue]]) -> int:
    """Count the lines that begin with # among unusable lines."""
    return sum(isinstance(why, Comment) for _, why in unusable)


def problems_of(
    source: str, unusable: Iterable[tuple[int, UnusableValue]], place: str = "line"
) -> list[Problem]:
    """Return a problem for each unusable line, in order. Lines that begin with # are left out.

    ``place`` is the word before the number of a line in messages, such as ``row``.
    """
    wrong = sorted((one for one in unusable if not isinstance(one[1], Comment)), key=itemgetter(0))
    return [Problem(source, f"{place} {line}", *why.args) for line, why in wrong]


class NotInBlocks(Exception):
    """The error for a run that cannot be read in blocks of a few topics."""


def whole_number(text: str | None, what: str, least: int | None = None) -> int:
    """Convert a text to a whole number, which may be written as ``1.0``.

    ``what`` names the value in messages. Raises UnusableValue for other texts and for numbers below ``least``.
    """
    with suppress(ValueError):
        before, _, decimals = (text or "").partition(".")
        number = whole(text or "" if decimals.strip("0") else before)
        if abs(number) < 10**DIGITS and (least is None or number >= least):
            return number
    expected = "a whole number" if least is None else f"a whole number of at least {least}"
    raise UnusableValue(f"{what} is {quoted(text)}", f"expected {expected}{too_long(text)}")


def passage(offset: str | None, length: str | None) -> tuple[int, int]:
    """Return the offset and the length of a passage as numbers, or (-1, -1) if the offset is unknown."""

    def is_unknown(place: str | None) -> bool:
        return place is not None and (place == UNKNOWN or re.fullmatch("-0*1", place) is not None)

    if is_unknown(offset):
        if not is_unknown(length):
            whole_number(length, "the length", 0)
        return -1, -1
    return whole_number(offset, "the offset", 0), whole_number(length, "the length", 0)


def too_long(value: object) -> str:
    """Return a hint on the maximum number of digits for an integer with more digits, else ``""``."""
    is_large = isinstance(value, float) and abs(value) >= 10**DIGITS
    return f", with at most {DIGITS} digits" if is_large or _TOO_LONG.fullmatch(str(value)) else ""


def real_number(text: str | None, what: str) -> float:
    """Convert a text to a finite number.

    ``what`` names the value in messages. Raises UnusableValue for other texts.
    """
    try:
        return real(text or "")
    except ValueError:
        raise UnusableValue(f"{what} is {quoted(text)}", "expected a finite number") from None


def is_missing(value: object) -> bool:
    """Return whether a table cell is empty: None, NaN or a missing value of pandas."""
    return (
        value is None or value is pd.NA or value is pd.NaT or (isinstance(value, float) and math.isnan(value))
    )


def quoted(text: str | None) -> str:
    """Quote and shorten a text for a message. None becomes ``missing``."""
    if text is None:
        return "missing"
    return repr(shortened(text))


def shortened(text: str) -> str:
    """Shorten a text that is too long for a message."""
    return text if len(text) <= 60 else text[:57] + "..."


def required(text: str | None, what: str) -> str:
    """Return a name that must not be blank, without surrounding white space.

    ``what`` describes the name in messages. Raises UnusableValue if the name is missing or blank.
    """
    if text is None or not text.strip():
        raise UnusableValue(f"{what} is {'missing' if text is None else 'empty'}", "give a name")
    return text.strip()


#: the problem and the remedy if a topic has a reserved name
RESERVED = f"the topic is {ALL!r}", "use another name, because this one is reserved for means"


def topic_name(text: str | None) -> str:
    """Return the name of an assessed topic. Raises UnusableValue if it is missing, blank or ``all``."""
    topic = required(text, "the topic name")
    if topic == ALL:
        raise UnusableValue(*RESERVED)
    return topic


@lru_cache(1 << 16)
def element_path(text: str | None) -> str:
    """Add missing positions (1) to the steps of an element's path, such as ``/article[1]/bdy[1]``.

    Raises UnusableValue if the text is not a path.
    """
    steps = split_path((text or "").strip())
    if steps is None:
        raise UnusableValue(f"the path is {quoted(text)}", "expected a path like /article[1]/bdy[1]/sec[2]")
    return join_path(steps)


def document_name(text: str) -> str:
    """Return a document's name without the extension of XML files."""
    return re.sub(r"\.n?xml\Z", "", text, flags=re.IGNORECASE) if text[-3:] in ("xml", "XML") else text


def joined(aspects: Sequence[str]) -> str:
    """Join the aspects of a passage with ``|``. Raises UnusableValue for aspects that contain ``|``."""
    if wrong := [name for name in aspects if "|" in name]:
        raise UnusableValue(f"the aspect is {quoted(wrong[0])}", "expected a name without |")
    return "|".join(aspects)


def rows_of(frame: pd.DataFrame, *columns: str) -> Iterator[tuple[Any, ...]]:
    """Yield the values of ``columns`` in each row of a frame, as Python strings and numbers."""
    return zip(*(frame[column].tolist() for column in columns), strict=True)


def files_of(paths: Paths) -> list[Path]:
    """Return the files in ``paths``, and all files of the directories in ``paths``, without repetition.

    The files of a directory are sorted. Its hidden files and DTDs are left out. Raises InputError for a missing file,
    an empty directory, and a file name that is not UTF-8.
    """
    files: dict[Path, None] = {}
    problems = []
    for each in [paths] if isinstance(paths, str | PathLike) else paths:
        path = Path(each)
        if os.path.isdir(path):
            inside = sorted(
                file
                for file in path.rglob("*")
                if file.is_file()
                and file.suffix != ".dtd"
                and "/." not in f"/{file.relative_to(path).as_posix()}"
            )
            files.update(dict.fromkeys(inside))
            if not inside:
                problems.append(Problem(str(path), "", "the folder is empty", "give a folder with files"))
        elif is_there(path):
            files[path] = None
        else:
            expected = f"{file_meant(path)}give an existing file"
            problems.append(Problem(str(path), "", "the file does not exist", expected))
    problems += [
        Problem(str(path), "", "the file name is not UTF-8", "rename the file, or its folder")
        for path in files
        if not is_utf8(str(path))
    ]
    if problems:
        raise InputError(problems)
    return list(files)


# -------------------- names as numbers: dictionary-encoded strings

#: the Arrow type of columns of names
NAMES = pa.dictionary(pa.int32(), pa.large_string())


def encoded(texts: pa.Array) -> pa.Array:
    """Convert an array of strings to the type `NAMES`, which stores each distinct string once."""
    return texts.cast(NAMES.value_type).dictionary_encode()


def categorical_names(column: pd.Series) -> pd.Categorical:
    """Convert a column of names to a categorical column, with categories in order of appearance."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return cast(pd.Categorical, column.array)
    codes, names = pd.factorize(column.to_numpy(object))
    return categorical(codes, pa.array(names, NAMES.value_type))


def codes_of(column: pd.Series) -> Ints:
    """Return the codes of a categorical column: the index of each row's category, or -1 for a missing value."""
    return cast(pd.Categorical, column.array).codes


def categorical(codes: Ints, names: pa.Array) -> pd.Categorical:
    """Create a categorical column from ``codes``: indexes into ``names``, or -1 for a missing name."""
    return pd.Categorical.from_codes(codes, index_of(names), validate=False)


def numbers(codes: Ints, count: int) -> pd.Categorical:
    """Create a categorical column from ``codes``, which are indexes of names. Its categories are 0 to ``count`` - 1."""
    return pd.Categorical.from_codes(codes, pd.RangeIndex(count), validate=False)


def index_of(names: pa.Array) -> pd.Index:
    """Convert an Arrow array of names to a pandas index."""
    return pd.Index(names.to_pandas(), dtype="str")


def names_in(column: pd.Series, names: Mapping[str, pa.Array] = MappingProxyType({})) -> pa.Array:
    """Return the distinct names in a categorical column: ``names[column.name]`` if it exists, else its categories."""
    if column.name in names:
        return names[str(column.name)]
    return pa.array(column.cat.categories, NAMES.value_type)


def documents_of(names: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Remove the extensions of XML files from an array of document names."""
    may_be_xml = pc.or_(pc.ends_with(names, "xml"), pc.ends_with(names, "XML"))
    if not pc.any(may_be_xml).as_py():
        return names
    return pc.replace_substring_regex(names, r"\.[nN]?(xml|XML)\z", "")


def without_extensions(codes: Ints, names: pa.Array) -> tuple[Ints, pa.Array, pa.Array]:
    """Remove the extensions of XML files from document names. ``codes`` are indexes into ``names``.

    Return the new codes, the new names, and the old names that had extensions.
    """
    documents = documents_of(names)
    extended = names.filter(pc.not_equal(documents, names))
    if not len(extended):
        return codes, names, extended
    distinct = documents.dictionary_encode()
    # a missing name has the code -1, which selects the appended -1 and is thus unchanged
    return np.append(np.asarray(distinct.indices), np.int32(-1))[codes], distinct.dictionary, extended


def has_blank(names: pa.ChunkedArray) -> bool:
    """Return whether any name is empty or consists of white space."""
    blank = pc.or_(pc.equal(pc.binary_length(names), 0), pc.utf8_is_space(names))
    return bool(pc.any(blank).as_py())


# -------------------- declarations of formats


@dataclass(frozen=True)
class Format:
    """A file format of runs or assessments, with the functions that recognise and read its files."""

    name: str  #: name of the format, as in ``--run-format``
    kinds: tuple[str, ...]  #: how messages describe files of this format
    #: reads a file: ``(path, rows) -> Iterator[RunColumns]`` for runs, ``(path, scale) -> GoldColumns`` for gold
    read: Callable[..., Any]
    scales: tuple[str, ...] = ()  #: scales of assessments with the default first, or an empty tuple for runs
    #: for files with columns: returns how similar a line is to this format (0 to 1), and the kind of the file
    likeness: Callable[[bytes], tuple[float, str]] | None = None
    heading: tuple[str, ...] = ()  #: the words with which files of this format begin
    #: for JSON lines: returns whether a line with these keys has the format
    has_keys: Callable[[Collection[str]], bool] | None = None
    root: str = ""  #: for XML: the local name of the root element
    #: for XML: returns whether an element with this name and these attributes identifies the format
    has_element: Callable[[str, Mapping[str, str]], bool] = lambda name, attributes: True
    #: for assessments: returns the scale of the file at a path
    scale_of: Callable[[Path], str] | None = None
    #: for assessments: returns the scale of the file with these contents
    scale_read: "Callable[[GoldColumns], str] | None" = None


@dataclass(frozen=True)
class RunColumns:
    """A run, or a block of a run, before its results are sorted.

    ``columns`` has the columns topic, document (as written in the file) and line. It may also have run, rank, score,
    path, start, end and unresolvable.
    """

    columns: pd.DataFrame
    unusable: list[tuple[int, UnusableValue]]  #: number and error of each unusable line
    #: for each column that contains indexes, the names to which they refer
    names: Mapping[str, pa.Array] = field(default_factory=dict)
    name: str = ""  #: name of the run if there is no column ``run``
    participant: str = ""
    task: str = ""
    most: int | None = None  #: maximum number of results used for a topic, or None for all
    file_order: bool = False  #: whether results stay in file order if their ranks contradict it
    scores_fall: bool = False  #: whether rising scores are unusable in runs without ranks
    expected: str = (
        "expected at least one"  #: the expected content in the message about a run without results
    )
    unordered: bool = False  #: whether results are sorted as in trec_eval
    notes: Sequence[Note] = ()
    place: str = "line"  #: the unit of ``line`` in messages


@dataclass(frozen=True)
class Judgements:
    """A kind of judgement, such as ``grades``, with the columns of its table in `GoldColumns`."""

    values: Mapping[str, Any]  #: columns of values, with their defaults
    of: tuple[str, ...] = ()  #: columns that identify what was judged, in addition to topic and document
    judged: tuple[str, ...] = ()  #: columns in which repeated judgements must not differ
    highest: str = ""  #: column in which the highest value counts if a judgement is repeated


#: the kinds of judgements that files can contain
JUDGEMENTS = {
    "elements": Judgements(
        {"path": "", "exhaustivity": math.nan, "specificity": math.nan, "size": math.nan},
        ("path",),
        ("exhaustivity", "specificity"),
    ),
    "passages": Judgements(
        {"start": -1, "end": -1, "aspects": "", "grade": 1, "group": "", "alternative": ""},
        ("start", "end", "aspects", "group", "alternative"),
        highest="grade",
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
    """The contents of a file of assessments, before repeated judgements are compared.

    ``tables`` has a table for each kind of judgement (`JUDGEMENTS`). Its columns are topic, document (as written in the
    file), line, and `Judgements.values`. A row without a document declares an assessed topic.
    """

    tables: Mapping[str, pd.DataFrame]
    unusable: Sequence[tuple[int, UnusableValue]] = ()  #: number and error of each unusable line
    topics: Sequence[str] = ()  #: assessed topics, including topics without rows in ``tables``
    #: pairs of an assessed topic and the number of its assessment pool
    pools: Sequence[tuple[str, str]] = ()
    problems: Sequence[Problem] = ()  #: problems after which the rest of the file was not read
    notes: Sequence[Note] = ()
    place: str = "line"  #: the unit of ``line`` in messages
