"""Define the declarations of formats, and the results of readers before documents are looked up in a collection."""

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

#: largest number of digits of an integer
DIGITS = 15

_TOO_LONG = re.compile(rf"[+-]?[0-9]{{{DIGITS + 1},}}")
#: the text that marks an unknown offset or length in a run, like -1
UNKNOWN = "X"


@dataclass(frozen=True)
class Deviation:
    """A kind of notice about a file: data was left out or interpreted, which is not an error."""

    unit: str  #: singular noun for the counted thing
    found: str  #: text of the notice after the number of things
    treatment: str


REPEATED = Deviation("judgement", "{is|are} given twice", "each is read once")
SAME_PASSAGE = Deviation("passage", "{is|are} given twice", "each is read once, with its highest grade")
OVERLAPPING = Deviation(
    "passage",
    "{overlaps an earlier one|overlap earlier ones} of the same topic and document",
    "text measures count shared text once, but item measures count every passage",
)
EMPTY = Deviation("passage", "{has|have} length 0", "empty passages are worth nothing")
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
    "{has|have} scores that rise from the first result to the last, and no topic has falling scores",
    Sentence(
        "results are ranked by falling score, so if smaller is better (as with distances), set ",
        Option("rank_by", "order"),
        " or ",
        Option("rank_by", "rank"),
    ),
)
LEVEL = Deviation(
    "topic",
    "{has|have} equal scores and no ranks",
    Sentence(
        "results are ordered by line, and measures that read ties count them as tied only with ",
        Option("equal_scores_tie", True),
    ),
)
COMMENT = Deviation("line", "{begins|begin} with #", "comments are skipped, as by trec_eval 10.0")
SHORTENED = Deviation("document name", "{ends|end} in .xml or .nxml", "the ending is ignored")
#: all deviations, in the order of messages
DEVIATIONS = [deviation for deviation in list(vars().values()) if isinstance(deviation, Deviation)]

#: something odd in a file, and how it was treated
Note = tuple[str, str]


@dataclass(frozen=True, eq=False)
class RawAssessments:
    """The assessments of a campaign, as they are in its files.

    Each frame has the columns topic, document, source (the file) and line, and further columns. Topic, document, path
    and source are categorical. Paths include position 1. A size of NaN, a size or offset of -1, and a missing path are
    unknown.
    """

    scale: str  #: one of ``vocabulary.SCALES``
    topics: list[str]  #: all assessed topics in order, including topics without relevant content
    pools: dict[str, set[str]]  #: the assessment pools of each topic; empty if the format has none
    #: judged elements, with the columns path, exhaustivity, specificity and size
    elements: pd.DataFrame
    #: gold passages, with start and end, aspects (joined by ``|``), place (reading order), grade, group and alternative
    passages: pd.DataFrame | None
    #: gold passages between XPath points, with the columns start, end and size
    xpath_passages: pd.DataFrame | None
    entry_points: pd.DataFrame  #: best entry points, with an offset or a path (an XPath point)
    #: judged documents, with the columns size, relevant_size and times (the number of equal lines)
    documents: pd.DataFrame | None
    deviations: Counter[Deviation]
    source: str  #: the file, or the directory of all files
    grades: pd.DataFrame | None = None  #: graded documents, with the column grade
    #: documents that were judged, but whose relevant content is unknown
    irrelevant: pd.DataFrame | None = None
    place: str = "line"  #: what ``line`` counts: lines from 1, or rows or entries in memory from 0
    #: for data in memory, the first rows that have a text and offsets, each with its number
    offsets: Sequence[tuple[int, dict[str, Any]]] = ()
    notes: Sequence[Note] = ()  #: deviations in the files, and their treatment


@dataclass(frozen=True, eq=False)
class RawRun:
    """A run, as it is in its file.

    The rows of ``frame`` are in ranking order: topics as they appear, ranks non-decreasing within a topic, equal ranks
    tied. The columns are topic, document, path, rank, start, end, score, line and unresolvable. ``path`` is missing for
    passages and whole documents. ``start`` and ``end`` are in characters, and -1 for elements, whole documents and
    unresolvable offsets (given as ``X`` or -1). ``score`` is NaN if there is none.
    """

    name: str
    participant: str
    task: str
    rows: pd.DataFrame  #: the rows of ``frame``, with numbers in the columns of ``names``
    source: str  #: the file
    ranked_by_file: bool = False  #: whether ranks were ignored because they contradict the file order
    extended_names: Sequence[Any] = ()  #: document names that had the extension of XML files
    place: str = "line"  #: what ``line`` counts: lines from 1, or rows or entries in memory from 0
    #: number of topics whose scores rise down the ranking; None if the scores of a topic fall
    reversed_topics: int | None = 0
    comments: int = 0  #: lines that begin with #
    level_topics: int = 0  #: number of topics without ranks whose results all have the same score
    parted_topics: int = 0  #: number of topics whose results are not all together in the file
    own_name: str = ""  #: the name that the file gives the run, if several files give the same name
    #: for data in memory, the first rows that have a text and offsets, each with its number
    offsets: Sequence[tuple[int, dict[str, Any]]] = ()
    most: int | None = None  #: largest number of results used per topic; None for all
    notes: Sequence[Note] = ()  #: deviations in the file, and their treatment
    #: for each column of numbers, the names that the numbers stand for
    names: Mapping[str, pa.Array] = field(default_factory=dict)

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The results as a frame with names instead of numbers."""
        return self.named(self.rows)

    def named(self, rows: pd.DataFrame) -> pd.DataFrame:
        """Return some rows of the run with names instead of numbers."""
        columns = {name: categorical(codes_of(rows[name]), names) for name, names in self.names.items()}
        return rows.assign(**columns)

    def cut(self) -> dict[str, int]:
        """For each topic with more than `most` results, return the number of results beyond this limit."""
        topics = self.rows["topic"]
        beyond = np.bincount(codes_of(topics)) - (len(self.rows) if self.most is None else self.most)
        return {str(topics.cat.categories[code]): int(beyond[code]) for code in np.flatnonzero(beyond > 0)}

    @property
    def deviations(self) -> Counter[Deviation]:
        """How often each deviation occurs in the run."""
        counts = {PARTED: self.parted_topics, REVERSED: self.reversed_topics or 0, LEVEL: self.level_topics}
        return Counter({**counts, COMMENT: self.comments, SHORTENED: len(self.extended_names)})

    def with_block(self, other: "RawRun") -> "RawRun":
        """Add the counts and notes of a later block of the run, without its results.

        Raises NotInBlocks if the blocks differ in name or order.
        """
        if (self.name, self.ranked_by_file) != (other.name, other.ranked_by_file):
            raise NotInBlocks
        turned = (self.reversed_topics, other.reversed_topics)
        return replace(
            self,
            rows=self.rows[:0].copy(),
            extended_names=pd.unique(np.append(self.extended_names, other.extended_names)),
            level_topics=self.level_topics + other.level_topics,
            comments=self.comments + other.comments,
            parted_topics=self.parted_topics + other.parted_topics,
            reversed_topics=None if None in turned else sum(count or 0 for count in turned),
        )


def notes_on(read: RawAssessments | RawRun) -> list[Problem]:
    """Return a notice for each deviation in a readable file."""
    table = "file" if read.place == "line" else "table"
    counts = [(deviation, count) for deviation in DEVIATIONS if (count := read.deviations[deviation])]
    return [Problem(read.source, "", *note) for note in read.notes] + [
        Problem(read.source, "", counted(n, one.unit, one.found).format(table=table), one.treatment)
        for one, n in counts
    ]


class UnusableValue(ValueError):
    """The error for an unreadable value: a description of the value, and the expected value."""

    width = 0  #: number of columns in the line that contains the value

    def __init__(self, found: str, expected: str) -> None:
        super().__init__(found, expected)


class Comment(UnusableValue):
    """The error for a line that begins with #. Readers count such lines and report no problem."""


def comments_in(unusable: Iterable[tuple[int, UnusableValue]]) -> int:
    """Return how many of the unusable lines are comments."""
    return sum(isinstance(why, Comment) for _, why in unusable)


def problems_of(
    source: str, unusable: Iterable[tuple[int, UnusableValue]], place: str = "line"
) -> list[Problem]:
    """Return the problems of a file's lines in order. ``place`` is the unit of the numbers, such as ``line``."""
    wrong = sorted((one for one in unusable if not isinstance(one[1], Comment)), key=itemgetter(0))
    return [Problem(source, f"{place} {line}", *why.args) for line, why in wrong]


class NotInBlocks(Exception):
    """The error for a run that must be read at once, because its blocks depend on each other."""


def whole_number(text: str | None, what: str, least: int | None = None) -> int:
    """Return the whole number in a text. Refuses other texts and numbers below ``least``; ``1.0`` is accepted."""
    with suppress(ValueError):
        before, _, decimals = (text or "").partition(".")
        number = whole(text or "" if decimals.strip("0") else before)
        if abs(number) < 10**DIGITS and (least is None or number >= least):
            return number
    expected = "a whole number" if least is None else f"a whole number of at least {least}"
    raise UnusableValue(f"{what} is {quoted(text)}", f"expected {expected}{too_long(text)}")


def passage(offset: str | None, length: str | None) -> tuple[int, int]:
    """Convert the offset and length of a passage to numbers. Both are -1 if the offset is marked as unknown."""

    def is_unknown(place: str | None) -> bool:
        return place is not None and (place == UNKNOWN or re.fullmatch("-0*1", place) is not None)

    if is_unknown(offset):
        if not is_unknown(length):
            whole_number(length, "the length", 0)
        return -1, -1
    return whole_number(offset, "the offset", 0), whole_number(length, "the length", 0)


def too_long(value: object) -> str:
    """Return a hint if a value is an integer that is too large, else ``""``."""
    return f", with at most {DIGITS} digits" if _TOO_LONG.fullmatch(str(value)) else ""


def real_number(text: str | None, what: str) -> float:
    """Return the finite number in a text. Refuses other texts."""
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
    """Return a text in quotes for messages, shortened if it is long; ``missing`` for None."""
    if text is None:
        return "missing"
    return repr(shortened(text))


def shortened(text: str) -> str:
    """Shorten a text that is too long for a message."""
    return text if len(text) <= 60 else text[:57] + "..."


def required(text: str | None, what: str) -> str:
    """Return a name without surrounding white space. Refuses a missing or blank name."""
    if text is None or not text.strip():
        raise UnusableValue(f"{what} is {quoted(text)}", "expected a name")
    return text.strip()


#: parts of the message on a reserved topic name: the problem, and the remedy
RESERVED = f"the topic is {ALL!r}", "use another name, because this one is reserved for means"


def topic_name(text: str | None) -> str:
    """Return the name of an assessed topic. Refuses a missing, blank or reserved name."""
    topic = required(text, "the topic")
    if topic == ALL:
        raise UnusableValue(*RESERVED)
    return topic


@lru_cache(1 << 16)
def element_path(text: str | None) -> str:
    """Return the path of a judged element with a position in every step, such as ``/article[1]/bdy[1]``."""
    steps = split_path((text or "").strip())
    if steps is None:
        raise UnusableValue(f"the path is {quoted(text)}", "expected a path like /article[1]/bdy[1]/sec[2]")
    return join_path(steps)


def document_name(text: str) -> str:
    """Return a document's name without the extension of XML files."""
    return re.sub(r"\.n?xml\Z", "", text, flags=re.IGNORECASE) if text[-3:] in ("xml", "XML") else text


def joined(aspects: Sequence[str]) -> str:
    """Join the aspects of a passage to one text. Refuses aspects that contain the separator."""
    if wrong := [name for name in aspects if "|" in name]:
        raise UnusableValue(f"the aspect is {quoted(wrong[0])}", "expected a name without |")
    return "|".join(aspects)


def rows_of(frame: pd.DataFrame, *columns: str) -> Iterator[tuple[Any, ...]]:
    """Yield the values of the ``columns`` in each row, as Python strings and numbers."""
    return zip(*(frame[column].tolist() for column in columns), strict=True)


def files_of(paths: Paths) -> list[Path]:
    """Return the given files and all files in the given directories, without repeats and in a fixed order.

    Hidden files and DTDs in directories are left out. Raises InputError for a path that does not exist or is not UTF-8,
    and for a directory without files.
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

#: Arrow's type of a column of names
NAMES = pa.dictionary(pa.int32(), pa.large_string())


def encoded(texts: pa.Array) -> pa.Array:
    """Encode an array of strings as `NAMES`."""
    return texts.cast(NAMES.value_type).dictionary_encode()


def named(column: pd.Series) -> pd.Categorical:
    """Return names as a categorical column, numbered in order of appearance."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return cast(pd.Categorical, column.array)
    codes, names = pd.factorize(column.to_numpy(object))
    return categorical(codes, pa.array(names, NAMES.value_type))


def codes_of(column: pd.Series) -> Ints:
    """Return the numbers of the names in a categorical column without copying them."""
    return cast(pd.Categorical, column.array).codes


def categorical(codes: Ints, names: pa.Array) -> pd.Categorical:
    """Create a categorical column from ``codes``, which number the ``names``. The code -1 is a missing name."""
    return pd.Categorical.from_codes(codes, index_of(names), validate=False)


def numbers(codes: Ints, count: int) -> pd.Categorical:
    """Return a categorical column with numbers below ``count`` as categories, which need less memory than names."""
    return pd.Categorical.from_codes(codes, pd.RangeIndex(count), validate=False)


def index_of(names: pa.Array) -> pd.Index:
    """Return names from Arrow as a pandas index."""
    return pd.Index(names.to_pandas(), dtype="str")


def names_in(column: pd.Series, names: Mapping[str, pa.Array] = MappingProxyType({})) -> pa.Array:
    """Return the names of a categorical column. If its categories are numbers, the names are in ``names``."""
    if column.name in names:
        return names[str(column.name)]
    return pa.array(column.cat.categories, NAMES.value_type)


def documents_of(names: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Return the names of documents without the extensions of XML files. `document_name` converts one name."""
    has = pc.or_(pc.ends_with(names, "xml"), pc.ends_with(names, "XML"))
    if not pc.any(has).as_py():
        return names
    return pc.replace_substring_regex(names, r"\.[nN]?(xml|XML)\z", "")


def without_extensions(codes: Ints, names: pa.Array) -> tuple[Ints, pa.Array, pa.Array]:
    """Remove the extensions of XML files from encoded names. Also return the names that had extensions."""
    documents = documents_of(names)
    extended = names.filter(pc.not_equal(documents, names))
    if not len(extended):
        return codes, names, extended
    of = documents.dictionary_encode()
    # the code -1 of missing names selects the appended -1
    return np.append(np.asarray(of.indices), np.int32(-1))[codes], of.dictionary, extended


def has_blank(names: pa.ChunkedArray) -> bool:
    """Return whether any of the names is empty or only white space."""
    blank = pc.or_(pc.equal(pc.binary_length(names), 0), pc.utf8_is_space(names))
    return bool(pc.any(blank).as_py())


# -------------------- declarations of formats


@dataclass(frozen=True)
class Format:
    """The declaration of a format of runs or assessments: how its files are recognised and read."""

    name: str  #: the name that users give, as in ``--run-format``
    kinds: tuple[str, ...]  #: descriptions of its files in messages
    #: reads a file: ``read(path, rows) -> Iterator[RunColumns]``, or for gold ``read(path, scale) -> GoldColumns``
    read: Callable[..., Any]
    scales: tuple[str, ...] = ()  #: scales of assessments, the default first; empty for runs
    #: for text formats, a function that returns how similar a line is to the format (0 to 1), and the kind of file
    likeness: Callable[[bytes], tuple[float, str]] | None = None
    heading: tuple[str, ...] = ()  #: words at the beginning of the first line that identify the format
    #: for JSON lines, a function that recognises the format by the keys of a line
    has_keys: Callable[[Collection[str]], bool] | None = None
    root: str = ""  #: for XML, the local name of the root element
    #: for XML, a function that recognises the format by an element's name and attributes
    has_element: Callable[[str, Mapping[str, str]], bool] = lambda name, attributes: True
    #: for assessments, a function that returns the scale of a file
    scale_of: Callable[[Path], str] | None = None
    #: for assessments that are read without a scale, a function that recognises the scale from the contents
    scale_read: "Callable[[GoldColumns], str] | None" = None


@dataclass(frozen=True)
class RunColumns:
    """A run, or a block of a run, before its results are ordered.

    ``columns`` has the columns topic, document (as in the file) and line. It can have the columns run, rank, score,
    path, start, end and unresolvable.
    """

    columns: pd.DataFrame
    unusable: list[tuple[int, UnusableValue]]  #: unreadable lines, with the reason
    #: for each column of numbers, the names that the numbers stand for
    names: Mapping[str, pa.Array] = field(default_factory=dict)
    name: str = ""  #: name of the run, unless a column ``run`` has it
    participant: str = ""
    task: str = ""
    most: int | None = None  #: largest number of results used per topic
    file_order: bool = False  #: whether results stay in file order if their ranks contradict the file order
    scores_fall: bool = False  #: whether scores must fall from line to line if there are no ranks
    expected: str = "expected at least one"  #: the expectation in the message for a run without results
    unordered: bool = False  #: whether the order has no meaning, so that results are sorted as in trec_eval
    notes: Sequence[Note] = ()
    place: str = "line"  #: the unit of the line numbers in messages


@dataclass(frozen=True)
class Judgements:
    """A kind of judgement of documents for topics."""

    values: Mapping[str, Any]  #: columns, each with the default value for formats that do not have the column
    of: tuple[str, ...] = ()  #: columns that, together with topic and document, identify the judged thing
    judged: tuple[str, ...] = ()  #: columns in which repeated judgements must agree
    highest: str = ""  #: the column whose highest value counts if a judgement is repeated


#: the kinds of judgements that files contain
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

    Each table has the columns topic, document (as in the file) and line, and the values that the format has. A row
    without a document marks an assessed topic.
    """

    tables: Mapping[str, pd.DataFrame]
    unusable: Sequence[tuple[int, UnusableValue]] = ()  #: unreadable lines, with the reason
    topics: Sequence[str] = ()  #: further assessed topics, which have no rows
    #: pairs of a topic and the number of the pool in which it was assessed
    pools: Sequence[tuple[str, str]] = ()
    problems: Sequence[Problem] = ()  #: problems that stopped the reading of the file
    notes: Sequence[Note] = ()
    place: str = "line"  #: what the line numbers count
