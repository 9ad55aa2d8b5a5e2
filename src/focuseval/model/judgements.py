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

#: the exhaustivity that stands for the judgement "too small" (`?`) of INEX 2005
TOO_SMALL = -1.0


@dataclass(frozen=True, eq=False)
class Highlights:
    """The highlighted passages of a topic: H disjoint intervals in units, sorted by document and start."""

    document: Ints  #: (H,) index of each passage's document in ``Collection.names``
    start: Ints  #: (H,) start of each passage
    end: Ints  #: (H,) end of each passage

    def among(self, chosen: Bools) -> "Highlights":
        """Return only the chosen passages."""
        return Highlights(self.document[chosen], self.start[chosen], self.end[chosen])


@dataclass(frozen=True, eq=False)
class Spans:
    """The relevant passages of a topic in file order: S nonempty intervals in units, which may overlap."""

    document: Ints  #: (S,) index of each passage's document in ``Collection.names``
    start: Ints  #: (S,) start of each passage
    end: Ints  #: (S,) end of each passage
    #: (S,) names of each passage's aspects, separated by ``|``; "" for a passage without aspects
    aspects: Sequence[str]
    grade: Ints | None = None  #: (S,) grade of each passage, above 0; None if all are equal
    #: (S,) number of each passage's group of alternatives, or -1 if it has no group; None if no passage has a group
    group: Ints | None = None
    #: (S,) number of each passage's alternative in its group, or -1 if the passage alone is an alternative; None if all
    #: are -1
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
        """Create passages from columns. Grades that are all 1, groups and members that are all -1 become None."""
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
        """A number for each passage, which is the same for passages with equal intervals."""
        places = np.stack([self.document, self.start, self.end])
        return np.unique(places, axis=1, return_inverse=True)[1].ravel()

    def without_repeats(self) -> "Spans":
        """Return one passage for each distinct interval, in file order, with the highest grade of the interval."""
        first = np.unique(self.interval, return_index=True)[1]
        if len(first) == len(self):
            return self
        grade = self._highest_grade(self.interval)
        graded = self if grade is None else replace(self, grade=grade[self.interval])
        return graded.among(np.sort(first))

    def joined(self) -> "Spans":
        """Merge passages that touch or overlap. Each merged passage gets the highest grade of its parts."""
        text = self.text()
        place = text.document, text.start, text.end
        _, piece, _ = meetings(*place, self.document, self.start, self.end)
        return Spans(*place, [""] * len(text.document), self._highest_grade(piece))

    def _highest_grade(self, item: Ints) -> Ints | None:
        """Return the highest grade for each distinct number in ``item``, which has one for each passage.

        Returns None if passages have no grades.
        """
        if self.grade is None:
            return None
        highest = np.zeros(int(item.max(initial=-1)) + 1, dtype=self.grade.dtype)
        np.maximum.at(highest, item, self.grade)
        return highest


@dataclass(frozen=True, eq=False)
class RecallBase:
    """The relevant elements of a topic under a quantisation (n elements), and which of them are ideal answers."""

    element: Ints  #: (n,) sorted rows of the relevant elements: the full recall-base
    score: Floats  #: (n,) quantised score of each element, above 0
    ideal: Mapping[str, Bools]  #: for each method, the ideal recall-base as a mask (n,)


@dataclass(frozen=True, eq=False)
class Topic:
    """The judgements of one topic: its J judged elements, its highlighted passages, or its A assessed documents.

    The scale decides the values of exhaustivity and specificity. On ``inex2002`` and ``inex2003``, both are 0, 1, 2 or
    3. In 2002, they are called relevance and coverage, and 0 to 3 stand for the coverage N, L, S and E. On
    ``inex2005``, exhaustivity is -1 (`?`), 0, 1 or 2, and specificity is from 0 to 1. On ``highlights``, exhaustivity
    is 2, and specificity is from 0 to 1. On ``grades``, whole documents are judged, and there are no judged elements.
    """

    name: str
    scale: str
    collection: Collection
    element: Ints  #: (J,) sorted rows of the judged elements; all others count as not relevant
    exhaustivity: Floats  #: (J,) exhaustivity of each judged element
    specificity: Floats  #: (J,) specificity of each judged element
    highlights: Highlights | None  #: the highlighted passages; None if only elements were judged
    entry_point: dict[int, int] | None = None  #: best entry point of each document, in units, by index
    #: (A,) indexes of all assessed documents, relevant or not; None if the assessments do not list them, as in INEX
    assessed: Ints | None = None
    #: (A,) grade of each assessed document, above 0 if it is relevant; None if documents have no grades
    grade: Ints | None = None
    #: the specificity that stands for each value of coverage (N, L, S, E) in INEX 2002
    coverage: tuple[float, float, float, float] = (0.0, 1.0, 2.0, 3.0)
    spans: Spans | None = None  #: the passages as judged, whose union is ``highlights``
    #: the recall-bases that are already built, by quantisation; `focuseval.measures.recall_base` builds others
    recall_bases: Mapping[str, RecallBase] = field(default_factory=dict)

    def judging(self, chosen: Bools) -> "Topic":
        """Return the topic with only the chosen judged elements."""
        columns = {name: getattr(self, name)[chosen] for name in ("element", "exhaustivity", "specificity")}
        return replace(self, recall_bases={}, **columns)

    @property
    def relevant(self) -> Bools:
        """Whether each judged element is relevant on both dimensions, where "too small" counts as relevant."""
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

    This applies to the scales on which passages determine specificity. On ``highlights``, all elements with relevant
    text are judged. On ``inex2005``, only elements that were judged before are judged again, and an element with the
    same relevant text as a judged descendant gets the exhaustivity of the descendant.
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
