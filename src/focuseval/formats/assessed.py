"""Assessments while they are read: rows and problems of one campaign's files, then its columns."""

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from focuseval.errors import InputError, Problem
from focuseval.formats.names import codes_of
from focuseval.formats.raw import Codes, RawAssessments, Refused, document_name, quoted, required, rows_of
from focuseval.model.arrays import Ints
from focuseval.model.intervals import new_text
from focuseval.model.judgements import ALL
from focuseval.model.paths import join_path, split_path


class Assessed:
    """Rows gathered from the assessment files of a campaign."""

    def __init__(self, place: str = "line") -> None:
        self.place = place  # what numbers of lines count
        self.problems: list[Problem] = []
        self.unassessed = 0
        self.may_overlap = False  # passages may hold text of an earlier one, which is counted
        self.empty = 0  # passages without a character
        self.has_passages = False  # the format gives passages as offsets
        self._topics, self._documents, self._paths, self._sources = Codes(), Codes(), Codes(), Codes()
        self._elements: list[tuple] = []
        self._passages: list[tuple] = []
        self._more_passages: list[pd.DataFrame] = []
        self._xpath_passages: list[tuple] = []
        self._entry_points: list[tuple] = []
        self._sizes: list[tuple] = []
        self._grades: list[tuple] = []
        self._irrelevant: list[tuple] = []
        self._more_grades: list[pd.DataFrame] = []
        self._pools: dict[str, set[str]] = {}
        self._extended: set[str] = set()  # names of documents with the extension of XML files
        self._place = (-1, -1, -1)
        self._source = ""

    def open(self, source: str | Path) -> None:
        """Rows that follow are of this file."""
        self._source = str(source)
        self._place = (-1, -1, self._sources[self._source])

    def topic(self, name: str | None, pool: str | None = None) -> None:
        """Rows that follow are of this topic, assessed in the pool of this number (it may have several)."""
        topic = required(name, "the topic")
        if topic == ALL:
            raise Refused(f"the topic is {topic!r}", "expected another name: means stand under this one")
        self._place = (self._topics[topic], -1, self._place[2])
        if pool is not None:
            self._pools.setdefault(topic, set()).add(pool.strip())

    def document(self, name: str | None) -> None:
        """Rows that follow are of this document."""
        given = required(name, "the document")
        document = document_name(given)
        if document != given:
            self._extended.add(given)
        self._place = (self._place[0], self._documents[document], self._place[2])

    def refuse(self, line: int, refused: Refused) -> None:
        """Note a problem of the open file."""
        self.problems.append(Problem(self._source, f"{self.place} {line}", *refused.args))

    def element(
        self, path: str | None, exhaustivity: float, specificity: float, size: float, line: int
    ) -> None:
        """A judged element of the current topic and document."""
        steps = split_path((path or "").strip())
        if steps is None:
            raise Refused(f"the path is {quoted(path)}", "expected one like /article[1]/bdy[1]/sec[2]")
        self._elements.append(
            (*self._here(), self._paths[join_path(steps)], exhaustivity, specificity, size, line)
        )

    def passage(self, start: int, end: int, line: int, aspects: Sequence[str] = ()) -> None:
        """A highlighted passage, by character offsets, and the aspects of the topic that it is relevant to."""
        self._passages.append((*self._here(), start, end, joined(aspects), 1, line))

    def xpath_passage(self, start: str | None, end: str | None, size: int, line: int) -> None:
        """A highlighted passage, by XPath points."""
        points = required(start, "the start of the passage"), required(end, "the end of the passage")
        self._xpath_passages.append((*self._here(), *points, size, line))

    def entry_point(self, offset: int, path: str | None, line: int) -> None:
        """The best entry point into the current document."""
        self._entry_points.append((*self._here(), offset, path, line))

    def sizes(self, size: int, relevant_size: int, rest: str, line: int) -> None:
        """The sizes of the current document and of its relevant text, and what else its line says."""
        self._sizes.append((*self._here(), size, relevant_size, rest, line))

    def grade(self, grade: int, line: int) -> None:
        """The grade of the current document."""
        self._grades.append((*self._here(), grade, line))

    def nothing_relevant(self, line: int) -> None:
        """The current document is judged: nothing in it is relevant."""
        self._irrelevant.append((*self._here(), line))

    def add_passages(
        self,
        topic: pd.Categorical,
        document: pd.Categorical,
        start: Ints,
        end: Ints,
        line: Ints,
        aspects: Sequence[str] | None = None,
        grade: Ints | int = 1,
    ) -> None:
        """Judged passages of the open file, as columns; topics and documents are names, aspects `joined`.

        Passages of a grade above 0 are highlighted.
        """
        told = [""] * len(line) if aspects is None else list(aspects)
        values = {"start": start, "end": end, "aspects": np.array(told, dtype=object)}
        values["grade"] = np.broadcast_to(grade, len(line))
        self._more_passages.append(self._coded(topic, document, values, line))

    def add_grades(self, topic: pd.Categorical, document: pd.Categorical, grade: Ints, line: Ints) -> None:
        """Grades of documents of the open file, as columns; their topics and documents are names."""
        self._more_grades.append(self._coded(topic, document, {"grade": grade}, line))

    def _coded(
        self, topic: pd.Categorical, document: pd.Categorical, values: dict[str, np.ndarray], line: Ints
    ) -> pd.DataFrame:
        """Columns as `_frame` has them before its codes are names."""
        codes: list[Ints] = []
        for names, enter in ((topic, self.topic), (document, self.document)):
            known = []
            for name in names.categories:
                enter(name)
                known.append(self._place[len(codes)])
            codes.append(np.array(known, dtype=np.int64)[names.codes])
        place = {"topic": codes[0], "document": codes[1], "source": self._place[2]}
        return pd.DataFrame({**place, **values, "line": line})

    def columns(self, scale: str) -> RawAssessments:
        """All that was read.

        Raises
        ------
        InputError
            with every problem of every file.
        """
        elements = self._frame(
            self._elements,
            {"path": "int64", "exhaustivity": "float64", "specificity": "float64", "size": "float64"},
        )
        elements["path"] = self._paths.column(elements["path"].to_numpy())
        sizes = self._frame(self._sizes, {"size": "int64", "relevant_size": "int64", "rest": "object"})
        passages = self._frame(
            self._passages,
            {"start": "int64", "end": "int64", "aspects": "object", "grade": "int64"},
            self._more_passages,
        )
        passages.insert(5, "place", np.arange(len(passages)))
        overlapping = _overlapping(passages[passages["grade"] > 0]) if self.may_overlap else 0
        points = self._frame(self._xpath_passages, {"start": "object", "end": "object", "size": "int64"})
        entry_points = self._frame(self._entry_points, {"offset": "int64", "path": "object"})
        grades = self._frame(self._grades, {"grade": "int64"}, self._more_grades)
        before = len(elements) + len(sizes) + len(grades)
        elements = self._once(elements, ["topic", "document", "path"], ["exhaustivity", "specificity"])
        sizes["times"] = sizes.groupby(["topic", "document"], observed=True)["line"].transform("size")
        sizes = self._once(sizes, ["topic", "document"], ["size", "relevant_size", "rest"])
        sizes = sizes.drop(columns="rest")
        grades = self._once(grades, ["topic", "document"], ["grade"])
        passages = self._once(passages, ["topic", "document", "start", "end", "aspects"], ["grade"])
        relevant = (passages["grade"] > 0).to_numpy()
        judged = ["topic", "document", "source", "line"]
        irrelevant = pd.concat([self._frame(self._irrelevant, {}), passages.loc[~relevant, judged]])
        irrelevant = irrelevant.drop_duplicates(["topic", "document"], ignore_index=True)
        passages = passages[relevant].drop(columns="grade")
        if not self._topics and not self.problems:
            self.problems.append(Problem(self._source, "", "no assessments", "give a file that holds some"))
        if self.problems:
            raise InputError(self.problems)
        return RawAssessments(
            scale=scale,
            topics=list(self._topics),
            pools=self._pools,
            elements=elements,
            passages=passages.sort_values(["topic", "document", "start"], kind="stable", ignore_index=True)
            if self.has_passages
            else None,
            xpath_passages=_distinct(points) if len(points) else None,
            entry_points=_distinct(entry_points),
            documents=sizes if len(sizes) else None,
            unassessed=self.unassessed,
            repeated=before - len(elements) - len(sizes) - len(grades),
            overlapping=overlapping,
            empty=self.empty,
            not_relevant=int((~relevant).sum()),
            extended=len(self._extended),
            source=next(iter(self._sources))
            if len(self._sources) == 1
            else os.path.commonpath(self._sources),
            grades=grades if len(grades) else None,
            irrelevant=irrelevant if len(irrelevant) else None,
            place=self.place,
        )

    def _here(self) -> tuple[int, int, int]:
        if self._place[0] < 0:
            raise Refused("a judgement outside a topic", 'expected <assessments topic="…"> around it')
        if self._place[1] < 0:
            raise Refused("a judgement outside a document", "expected a <file> with a name around it")
        return self._place

    def _frame(
        self, rows: list[tuple], types: dict[str, str], more: Sequence[pd.DataFrame] = ()
    ) -> pd.DataFrame:
        coded = {"topic": self._topics, "document": self._documents, "source": self._sources}
        typed = dict.fromkeys(coded, "int64") | types | {"line": "int64"}
        values = zip(*rows, strict=True) if rows else [()] * len(typed)
        frame = pd.DataFrame(
            {name: np.array(column, dtype=typed[name]) for name, column in zip(typed, values, strict=True)}
        )
        if more:
            frame = pd.concat([frame, *more], ignore_index=True)
        named = {name: codes.column(frame[name].to_numpy()) for name, codes in coded.items()}
        return frame.assign(**named)[["topic", "document", *types, "source", "line"]]

    def _once(self, frame: pd.DataFrame, key: list[str], values: list[str]) -> pd.DataFrame:
        """The frame with each key once; a key with different values is a problem."""
        again = frame.duplicated(key).to_numpy()
        if not again.any():
            return frame
        first = frame[~again]
        both = frame[again].merge(first, on=key, suffixes=("", "_first"))
        before = [f"{value}_first" for value in values]
        for told, said, names, source, line, source_first, line_first in zip(
            rows_of(both, *values),
            rows_of(both, *before),
            rows_of(both, *key),
            both["source"].tolist(),
            both["line"].tolist(),
            both["source_first"].tolist(),
            both["line_first"].tolist(),
            strict=True,
        ):
            if told != said:
                named = " ".join(str(name) for name in names if name != "")
                values_of = (" ".join(map(str, judgement)) for judgement in (told, said))
                found = f"{named} is judged {', but '.join(values_of)} in {source_first}, {self.place} {line_first}"
                self.problems.append(
                    Problem(source, f"{self.place} {line}", found, "keep one of the two judgements")
                )
        return first.reset_index(drop=True)


def joined(aspects: Sequence[str]) -> str:
    """The aspects of a passage as one name. Refuses those that could not be told apart there."""
    if wrong := [name for name in aspects if "|" in name]:
        raise Refused(f"the aspect {quoted(wrong[0])}", "expected names without |")
    return "|".join(aspects)


def _overlapping(passages: pd.DataFrame) -> int:
    """How many passages hold text of an earlier one of their topic and document, of whichever file."""
    documents = len(passages["document"].cat.categories)
    text = codes_of(passages["topic"]).astype(np.int64) * documents + codes_of(passages["document"])
    start, end = passages["start"].to_numpy(), passages["end"].to_numpy()
    return int((new_text(text, start, end) < end - start).sum())


def _distinct(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame without rows that say the same as an earlier one."""
    told = frame.columns.difference(["place", "source", "line"], sort=False)
    return frame.drop_duplicates(list(told), ignore_index=True)
