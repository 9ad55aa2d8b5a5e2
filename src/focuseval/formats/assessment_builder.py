"""Assessments while they are read: rows and problems of one campaign's files, then its columns."""

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from focuseval.errors import InputError, Problem
from focuseval.formats.lines import lines_of
from focuseval.formats.names import codes_of
from focuseval.formats.parsed import (
    NOT_RELEVANT,
    OVERLAPPING,
    REPEATED,
    SHORTENED,
    Codes,
    RawAssessments,
    Refused,
    Remark,
    document_name,
    quoted,
    required,
)
from focuseval.model.intervals import new_text
from focuseval.model.judgements import ALL
from focuseval.model.paths import join_path, split_path


@dataclass(frozen=True)
class _Kind:
    """A kind of rows: what is said of a document of a topic."""

    values: Mapping[str, str]  #: columns, and the types of their values
    of: tuple[str, ...] = ()  #: what of the document a row is on
    judged: tuple[str, ...] = ()  #: of which all rows on the same must have the same


_SPAN = ("start", "end")
_KINDS = {
    "elements": _Kind(
        {"path": "int64", "exhaustivity": "float64", "specificity": "float64", "size": "float64"},
        ("path",),
        ("exhaustivity", "specificity"),
    ),
    "passages": _Kind(
        {
            **dict.fromkeys(_SPAN, "int64"),
            **{"aspects": "object", "grade": "int64", "group": "object", "alternative": "object"},
        },
        (*_SPAN, "aspects", "group", "alternative"),
        ("grade",),
    ),
    "xpath_passages": _Kind({**dict.fromkeys(_SPAN, "object"), "size": "int64"}, (*_SPAN, "size")),
    "entry_points": _Kind({"offset": "int64", "path": "object"}, ("offset", "path")),
    "sizes": _Kind(
        {"size": "int64", "relevant_size": "int64", "rest": "object"},
        judged=("size", "relevant_size", "rest"),
    ),
    "grades": _Kind({"grade": "int64"}, judged=("grade",)),
    "irrelevant": _Kind({}),
}
#: kinds of which it is told how often something is judged again
_COUNTED = ("elements", "sizes", "grades")


class Assessed:
    """Rows gathered from the assessment files of a campaign."""

    def __init__(self, place: str = "line") -> None:
        self.place = place  # what numbers of lines count
        self.problems: list[Problem] = []
        self.may_overlap = False  # passages may hold text of an earlier one, which is counted
        self.remarks = Counter[Remark]()
        self.has_passages = False  # the format gives passages as offsets
        self._names = {name: Codes() for name in ("topic", "document", "source")}
        self._paths = Codes()
        self._rows: dict[str, list[tuple]] = {kind: [] for kind in _KINDS}
        self._frames: dict[str, list[pd.DataFrame]] = {kind: [] for kind in _KINDS}
        self._pools: dict[str, set[str]] = {}
        self._extended: set[str] = set()  # names of documents with the extension of XML files
        self._here = {"topic": -1, "document": -1, "source": -1}
        self._source = ""

    def open(self, source: str | Path) -> None:
        """Rows that follow are of this file."""
        self._source = str(source)
        self._here = {"topic": -1, "document": -1, "source": self._names["source"][self._source]}

    def topic(self, name: str | None, pool: str | None = None) -> None:
        """Rows that follow are of this topic, assessed in the pool of this number (it may have several)."""
        topic = required(name, "the topic")
        if topic == ALL:
            raise Refused(f"the topic is {topic!r}", "expected another name: means are under this one")
        self._here |= {"topic": self._names["topic"][topic], "document": -1}
        if pool is not None:
            self._pools.setdefault(topic, set()).add(pool.strip())

    def document(self, name: str | None) -> None:
        """Rows that follow are of this document."""
        given = required(name, "the document")
        document = document_name(given)
        if document != given:
            self._extended.add(given)
        self._here["document"] = self._names["document"][document]

    def refuse(self, line: int, refused: Refused) -> None:
        """Note a problem of the open file."""
        self.problems.append(Problem(self._source, f"{self.place} {line}", *refused.args))

    def read_lines(self, path: Path, judge: Callable[[int, bytes], object]) -> None:
        """Read a file whose lines that are not blank are given to ``judge``, which adds rows or raises `Refused`."""
        self.open(path)
        for line, text in lines_of(path):
            try:
                judge(line, text)
            except Refused as refused:
                self.refuse(line, refused)

    def add(self, kind: str, line: int, *values: object) -> None:
        """A row of the current topic and document, with the values of its kind."""
        if self._here["topic"] < 0:
            raise Refused("a judgement outside a topic", 'expected <assessments topic="…"> around it')
        if self._here["document"] < 0:
            raise Refused("a judgement outside a document", "expected a <file> with a name around it")
        self._rows[kind].append((*self._here.values(), *values, line))

    def element(
        self, path: str | None, exhaustivity: float, specificity: float, size: float, line: int
    ) -> None:
        """A judged element of the current topic and document."""
        steps = split_path((path or "").strip())
        if steps is None:
            raise Refused(f"the path is {quoted(path)}", "expected one like /article[1]/bdy[1]/sec[2]")
        self.add("elements", line, self._paths[join_path(steps)], exhaustivity, specificity, size)

    def add_columns(self, kind: str, columns: pd.DataFrame, refused: Sequence[tuple[int, Refused]]) -> None:
        """Rows of the open file: their topics and documents, categorical, values and lines; and those refused.

        A document without a name is none: the topic alone is assessed.
        """
        for line, why in refused:
            self.refuse(line, why)
        codes = {}
        for name, enter in (("topic", self.topic), ("document", self.document)):
            known = []
            for one in columns[name].cat.categories.tolist():
                try:
                    if one or name == "topic":
                        enter(one)
                    known.append(self._here[name] if one else -1)
                except Refused as refused:
                    known.append(-1)
                    for line in columns["line"][columns[name] == one]:
                        self.refuse(line, refused)
            codes[name] = np.array(known, dtype=np.int64)[codes_of(columns[name])]
        frame = columns.assign(**codes, source=self._here["source"])
        self._frames[kind].append(frame[(frame["topic"] >= 0) & (frame["document"] >= 0)])

    def columns(self, scale: str) -> RawAssessments:
        """All that was read.

        Raises
        ------
        InputError
            with every problem of every file.
        """
        names = {name: codes.column([]).dtype for name, codes in self._names.items()}
        frames = {kind: self._frame(kind, names) for kind in _KINDS}
        elements, passages, sizes = (frames[kind] for kind in ("elements", "passages", "sizes"))
        elements["path"] = self._paths.column(elements["path"].to_numpy())
        passages.insert(5, "place", np.arange(len(passages)))
        sizes["times"] = sizes.groupby(["topic", "document"], observed=True)["line"].transform("size")
        if self.may_overlap:
            self.remarks[OVERLAPPING] = overlapping(passages[passages["grade"] > 0])
        once = {kind: self._once(frame, _KINDS[kind]) for kind, frame in frames.items()}
        self.remarks[REPEATED] = sum(len(frames[kind]) - len(once[kind]) for kind in _COUNTED)
        passages = once["passages"]
        relevant = (passages["grade"] > 0).to_numpy()
        self.remarks[NOT_RELEVANT] = int((~relevant).sum())
        self.remarks[SHORTENED] = len(self._extended)
        irrelevant = pd.concat([once["irrelevant"], passages.loc[~relevant, list(once["irrelevant"])]])
        irrelevant = irrelevant.drop_duplicates(["topic", "document"], ignore_index=True)
        order = ["topic", "document", "start"]
        passages = passages[relevant].sort_values(order, kind="stable", ignore_index=True)
        if not self._names["topic"] and not self.problems:
            self.problems.append(Problem(self._source, "", "no assessments", "give a file that holds some"))
        if self.problems:
            raise InputError(self.problems)
        sources = self._names["source"]
        some = {kind: frame if len(frame) else None for kind, frame in once.items()}
        return RawAssessments(
            scale=scale,
            topics=list(self._names["topic"]),
            pools=self._pools,
            elements=once["elements"],
            passages=passages if self.has_passages else None,
            xpath_passages=some["xpath_passages"],
            entry_points=once["entry_points"],
            documents=sizes.drop(columns="rest") if (sizes := some["sizes"]) is not None else None,
            remarks=self.remarks,
            source=next(iter(sources)) if len(sources) == 1 else os.path.commonpath(sources),
            grades=some["grades"],
            irrelevant=irrelevant if len(irrelevant) else None,
            place=self.place,
        )

    def _frame(self, kind: str, names: Mapping[str, pd.CategoricalDtype]) -> pd.DataFrame:
        """The rows of a kind; names are categorical."""
        types = {**dict.fromkeys(self._names, "int64"), **_KINDS[kind].values, "line": "int64"}
        rows = zip(*self._rows[kind], strict=True) if self._rows[kind] else [()] * len(types)
        frame = pd.DataFrame(
            {name: np.array(column, dtype=types[name]) for name, column in zip(types, rows, strict=True)}
        )
        if more := self._frames[kind]:
            frame = pd.concat([frame, *(one[list(types)] for one in more)], ignore_index=True).astype(types)
        named = {name: pd.Categorical.from_codes(frame[name], dtype=dtype) for name, dtype in names.items()}
        return frame.assign(**named)[["topic", "document", *_KINDS[kind].values, "source", "line"]]

    def _once(self, frame: pd.DataFrame, kind: _Kind) -> pd.DataFrame:
        """The frame with each row once; what is judged differently is a problem."""
        key, values = ["topic", "document", *kind.of], kind.judged
        again = frame.duplicated(key).to_numpy()
        first = frame[~again]
        if values and again.any():
            for row in frame[again].merge(first, on=key, suffixes=("", "_first")).to_dict("records"):
                now, then = ([row[value + which] for value in values] for which in ("", "_first"))
                if now != then:
                    named = " ".join(str(row[name]) for name in key if row[name] != "")
                    judged = ", but ".join(" ".join(map(str, judgement)) for judgement in (now, then))
                    above = f"{row['source_first']}, {self.place} {row['line_first']}"
                    found = f"{named} is judged {judged} in {above}"
                    where = f"{self.place} {row['line']}"
                    self.problems.append(
                        Problem(row["source"], where, found, "keep one of the two judgements")
                    )
        return first.reset_index(drop=True)


def overlapping(passages: pd.DataFrame) -> int:
    """How many passages hold text of an earlier one of their topic and document, of whichever file."""
    documents = len(passages["document"].cat.categories)
    text = codes_of(passages["topic"]).astype(np.int64) * documents + codes_of(passages["document"])
    start, end = passages["start"].to_numpy(), passages["end"].to_numpy()
    return int((new_text(text, start, end) < end - start).sum())
