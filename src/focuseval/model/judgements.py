"""The judgements of topics, as columns of judged elements and highlighted passages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from focuseval.model.arrays import Bools, Floats, Ints, distinct, is_among
from focuseval.model.elements import Collection
from focuseval.model.intervals import meetings, merge

#: the name for the mean over topics, which no topic may have
ALL = "all"

#: the exhaustivity for the judgement "too small" (`?`) of INEX 2005
TOO_SMALL = -1.0


@dataclass(frozen=True, eq=False)
class Highlights:
    """The highlighted passages of a topic, as disjoint intervals that are sorted by document and start."""

    document: Ints  #: index of each passage's document
    start: Ints  #: start of each passage, in units
    end: Ints  #: end of each passage, in units

    def among(self, chosen: Bools) -> "Highlights":
        """Return only the highlighted passages that the mask ``chosen`` marks."""
        return Highlights(self.document[chosen], self.start[chosen], self.end[chosen])


@dataclass(frozen=True, eq=False)
class Spans:
    """The relevant passages of a topic in file order, as nonempty intervals that may overlap."""

    document: Ints  #: index of each passage's document
    start: Ints  #: start of each passage, in units
    end: Ints  #: end of each passage, in units
    #: names of each passage's aspects, separated by ``|``; "" if it has none
    aspects: Sequence[str]
    grade: Ints | None = None  #: grade of each passage, above 0; None if all are 1
    #: index of each passage's group of alternatives, or -1; None if no passage has a group
    group: Ints | None = None
    #: number of the alternative to which each passage belongs, or -1 if it alone is an alternative; None if all are -1
    member: Ints | None = None

    @classmethod
    def of(
        cls,
        document: Ints,
        start: Ints,
        end: Ints,
        aspects: np.ndarray,
        grade: Ints,
        group: Ints,
        member: Ints,
    ) -> "Spans":
        """Create passages. Columns with only default values become None: grades of 1, and groups and members of -1."""
        usual = [(grade, 1), (group, -1), (member, -1)]
        more = (column if (column != one).any() else None for column, one in usual)
        return cls(document, start, end, aspects.tolist(), *more)

    def __len__(self) -> int:
        return len(self.document)

    def among(self, chosen: Bools | Ints) -> "Spans":
        """Return only the chosen passages, given by their rows or by a mask."""
        rows = np.arange(len(self))[chosen]
        more = (None if column is None else column[rows] for column in (self.grade, self.group, self.member))
        aspects = [self.aspects[row] for row in rows]
        return Spans(self.document[rows], self.start[rows], self.end[rows], aspects, *more)

    def text(self) -> Highlights:
        """Return the text of all passages, as disjoint intervals."""
        return Highlights(*merge(self.document, self.start, self.end))

    @cached_property
    def interval(self) -> Ints:
        """The number of each passage's interval. Passages with equal intervals have equal numbers."""
        places = np.stack([self.document, self.start, self.end])
        return np.unique(places, axis=1, return_inverse=True)[1].ravel()

    def without_repeats(self) -> "Spans":
        """Return one passage for each distinct interval, in file order, with the interval's highest grade."""
        first = np.unique(self.interval, return_index=True)[1]
        if len(first) == len(self):
            return self
        grade = self._highest_grade(self.interval)
        graded = self if grade is None else replace(self, grade=grade[self.interval])
        return graded.among(np.sort(first))

    def joined(self) -> "Spans":
        """Merge passages that touch or overlap. Keep the highest of their grades, but no aspects and groups."""
        text = self.text()
        place = text.document, text.start, text.end
        _, piece, _ = meetings(*place, self.document, self.start, self.end)
        return Spans(*place, [""] * len(text.document), self._highest_grade(piece))

    def _highest_grade(self, item: Ints) -> Ints | None:
        """Return the highest grade of each item, or None without grades. ``item`` gives the item of each passage."""
        if self.grade is None:
            return None
        highest = np.zeros(int(item.max(initial=-1)) + 1, dtype=self.grade.dtype)
        np.maximum.at(highest, item, self.grade)
        return highest


@dataclass(frozen=True, eq=False)
class RecallBase:
    """The relevant elements of a topic under a quantisation, and whether they are ideal answers."""

    element: Ints  #: sorted rows of the relevant elements (the full recall-base)
    score: Floats  #: quantised score of each element, above 0
    ideal: Mapping[str, Bools]  #: for each method, whether each element is in the ideal recall-base


@dataclass(frozen=True, eq=False)
class Topic:
    """The judgements of one topic: its judged elements, its highlighted passages, or its assessed documents.

    The ``scale`` decides the values of exhaustivity and specificity. On ``inex2002`` and ``inex2003``, they are 0, 1, 2
    or 3. In 2002, they are called relevance and coverage, and 0 to 3 stand for the coverage N, L, S and E. On
    ``inex2005``, exhaustivity is -1 (`?`), 0, 1 or 2, and specificity is from 0 to 1. On ``highlights``, exhaustivity
    is 2, and specificity is from 0 to 1. On ``grades``, whole documents are judged, and there are no judged elements.
    """

    name: str
    scale: str
    collection: Collection
    element: Ints  #: sorted rows of the judged elements; all others are not relevant
    exhaustivity: Floats  #: exhaustivity of each judged element
    specificity: Floats  #: specificity of each judged element
    highlights: Highlights | None  #: highlighted passages; None if assessors did not highlight text
    entry_point: dict[int, int] | None = None  #: the best entry point of each document, by its index
    #: indexes of all assessed documents, relevant or not; None if the assessments do not list them
    assessed: Ints | None = None
    #: grade of each assessed document, above 0 if it is relevant; None if documents have no grades
    grade: Ints | None = None
    #: the specificity for each value of coverage (N, L, S, E) in INEX 2002
    coverage: tuple[float, float, float, float] = (0.0, 1.0, 2.0, 3.0)
    spans: Spans | None = None  #: the passages as judged; ``highlights`` is their union
    #: recall-bases that are already built, by quantisation
    recall_bases: Mapping[str, RecallBase] = field(default_factory=dict)

    def judging(self, chosen: Bools) -> "Topic":
        """Return the topic with only the judged elements that the mask ``chosen`` marks."""
        columns = {name: getattr(self, name)[chosen] for name in ("element", "exhaustivity", "specificity")}
        return replace(self, recall_bases={}, **columns)

    @property
    def relevant(self) -> Bools:
        """Whether each judged element is relevant on both dimensions. "Too small" counts as relevant."""
        return (self.exhaustivity != 0) & (self.specificity > 0)

    @property
    def judged_documents(self) -> Ints:
        """The sorted documents that were assessed, or that have a judged element or highlighted text."""
        documents = [self.collection.document_of(self.element)]
        if self.highlights is not None:
            documents.append(self.highlights.document)
        if self.assessed is not None:
            documents.append(self.assessed)
        return distinct(np.concatenate(documents))

    @property
    def relevant_documents(self) -> Ints:
        """The sorted documents that have a relevant element, highlighted text or a grade above 0."""
        documents = [self.collection.document_of(self.element[self.relevant])]
        if self.highlights is not None:
            documents.append(self.highlights.document)
        if self.assessed is not None and self.grade is not None:
            documents.append(self.assessed[self.grade > 0])
        return distinct(np.concatenate(documents))


def with_passages(topic: Topic, chosen: Bools) -> Topic:
    """Return the topic with only the chosen relevant passages."""
    if topic.spans is not None:
        spans = topic.spans.among(chosen)
        return replace(topic, spans=spans, highlights=spans.text())
    return topic if topic.highlights is None else replace(topic, highlights=topic.highlights.among(chosen))


def judged_anew(topic: Topic) -> Topic:
    """Judge the elements of a topic again after its relevant passages have changed.

    On ``highlights``, all elements with relevant text are judged. On ``inex2005``, only elements that were judged
    before are judged again. An element with as much relevant text as a judged descendant gets the descendant's
    exhaustivity. Topics on other scales are returned unchanged.
    """
    marks, collection = topic.highlights, topic.collection
    if marks is None or not len(topic.element) or topic.scale not in ("inex2005", "highlights"):
        return topic
    row, shared = collection.highlighted(marks.document, marks.start, marks.end)
    if topic.scale == "highlights":
        exhaustivity = np.full(len(row), 2.0)
    else:
        is_judged, place = is_among(row, topic.element)
        row, shared, exhaustivity = row[is_judged], shared[is_judged], topic.exhaustivity[place[is_judged]]
        for i in range(len(row) - 2, -1, -1):
            if row[i + 1] < collection.last[row[i]] and shared[i] == shared[i + 1]:
                exhaustivity[i] = exhaustivity[i + 1]
    specificity = np.minimum(shared / np.maximum(collection.size[row], 1), 1.0)
    return replace(topic, element=row, exhaustivity=exhaustivity, specificity=specificity)
