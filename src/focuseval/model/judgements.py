"""The judgements of topics as columns: judged elements and highlighted passages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from focuseval.model.arrays import Bools, Floats, Ints, distinct, is_among
from focuseval.model.elements import Collection
from focuseval.model.intervals import meetings, merge

#: the name that stands for the mean over topics; no topic may have this name
ALL = "all"

#: exhaustivity of an element that was judged "too small" (`?`, INEX 2005)
TOO_SMALL = -1.0


@dataclass(frozen=True, eq=False)
class Highlights:
    """The highlighted passages of a topic: H disjoint intervals in units, sorted by document and start."""

    document: Ints  #: (H,) index of each passage's document in ``Collection.names``
    start: Ints  #: (H,) start of each passage
    end: Ints  #: (H,) end of each passage

    def among(self, chosen: Bools) -> "Highlights":
        """Return the chosen passages."""
        return Highlights(self.document[chosen], self.start[chosen], self.end[chosen])


@dataclass(frozen=True, eq=False)
class Spans:
    """The relevant passages of a topic in file order: S nonempty intervals in units, which may overlap."""

    document: Ints  #: (S,) index of each passage's document in ``Collection.names``
    start: Ints  #: (S,) start of each passage
    end: Ints  #: (S,) end of each passage
    #: (S,) names of each passage's aspects, separated by ``|``; "" for none
    aspects: Sequence[str]
    grade: Ints | None = None  #: (S,) grade of each passage, above 0; None if all grades are equal
    #: (S,) number of each passage's group, where one member suffices; -1 if it has no group. None if no passage has one
    group: Ints | None = None
    #: (S,) number of the member that each passage belongs to, in its group; -1 if the passage is a member by itself.
    #: None if all numbers are -1
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
        """Create passages from columns, without grades if all are 1, and without groups or members if all are -1."""
        usual = [(grade, 1), (group, -1), (member, -1)]
        more = (column if (column != one).any() else None for column, one in usual)
        return cls(document, start, end, aspects.tolist(), *more)

    def __len__(self) -> int:
        return len(self.document)

    def among(self, chosen: Bools | Ints) -> "Spans":
        """Return the chosen passages, given by their rows or by a mask."""
        rows = np.arange(len(self))[chosen]
        more = (None if of is None else of[rows] for of in (self.grade, self.group, self.member))
        aspects = [self.aspects[row] for row in rows]
        return Spans(self.document[rows], self.start[rows], self.end[rows], aspects, *more)

    def text(self) -> Highlights:
        """Return the union of the passages."""
        return Highlights(*merge(self.document, self.start, self.end))

    @cached_property
    def interval(self) -> Ints:
        """A number for the interval of each passage (S,). Passages with equal intervals have the same number."""
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
        """Merge passages that touch or overlap. Each merged passage has the highest grade of its parts."""
        text = self.text()
        place = text.document, text.start, text.end
        _, piece, _ = meetings(*place, self.document, self.start, self.end)
        return Spans(*place, [""] * len(text.document), self._highest_grade(piece))

    def _highest_grade(self, item: Ints) -> Ints | None:
        """Return the highest grade of the passages of each item (I,); None if all grades are equal."""
        if self.grade is None:
            return None
        highest = np.zeros(int(item.max(initial=-1)) + 1, dtype=self.grade.dtype)
        np.maximum.at(highest, item, self.grade)
        return highest


@dataclass(frozen=True, eq=False)
class RecallBase:
    """The relevant elements of a topic under a quantisation, and the ideal answers among them."""

    element: Ints  #: (n,) sorted rows of the relevant elements, which form the full recall-base
    score: Floats  #: (n,) quantised scores, above 0
    ideal: Mapping[str, Bools]  #: for each method, whether each element belongs to the ideal recall-base (n,)


@dataclass(frozen=True, eq=False)
class Topic:
    """The judgements of one topic: its judged elements and highlighted passages.

    On the scales ``inex2002`` and ``inex2003``, exhaustivity and specificity are in 0..3. In 2002, they are called
    relevance and coverage, and the values of coverage N, L, S, E are 0 to 3. On ``inex2005``, exhaustivity is -1 (`?`),
    0, 1 or 2, and specificity is in [0, 1]. On ``highlights``, exhaustivity is 2 and specificity is in [0, 1]. On
    ``grades``, whole documents are judged, and there are no judged elements.
    """

    name: str
    scale: str
    collection: Collection
    element: Ints  #: (J,) sorted rows of the judged elements; all other elements count as not relevant
    exhaustivity: Floats  #: (J,) exhaustivity of each element
    specificity: Floats  #: (J,) specificity of each element
    highlights: Highlights | None  #: None if only elements were judged
    entry_point: dict[int, int] | None = None  #: maps a document's index to its best entry point, in units
    #: (D,) documents that were assessed, relevant or not; None if the assessments do not list them, as in INEX
    assessed: Ints | None = None
    #: (D,) grades of the ``assessed`` documents, above 0 for relevant documents; None without grades
    grade: Ints | None = None
    #: specificity of each value of coverage (N, L, S, E) in INEX 2002, for metrics with two dimensions
    coverage: tuple[float, float, float, float] = (0.0, 1.0, 2.0, 3.0)
    spans: Spans | None = None  #: the passages whose union is the highlights
    #: the recall-bases built so far, by quantisation; `focuseval.measures.recall_base` builds the others
    recall_bases: Mapping[str, RecallBase] = field(default_factory=dict)

    def judging(self, chosen: Bools) -> "Topic":
        """Return the topic with only the chosen judged elements."""
        columns = {name: getattr(self, name)[chosen] for name in ("element", "exhaustivity", "specificity")}
        return replace(self, recall_bases={}, **columns)

    @property
    def relevant(self) -> Bools:
        """Whether each judged element (J,) is relevant on both dimensions; it may be, even if it is too small."""
        return (self.exhaustivity != 0) & (self.specificity > 0)

    @property
    def judged_documents(self) -> Ints:
        """The sorted documents that are assessed, or have a judged element or highlighted text."""
        documents = [self.collection.document_of(self.element)]
        if self.highlights is not None:
            documents.append(self.highlights.document)
        if self.assessed is not None:
            documents.append(self.assessed)
        return distinct(np.concatenate(documents))

    @property
    def relevant_documents(self) -> Ints:
        """The sorted documents with a relevant element, highlighted text or a grade above 0."""
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
    """Judge elements anew by the relevant passages of a topic, on scales where passages determine specificity.

    On the scale ``highlights``, all elements with relevant text are judged. On the scale ``inex2005``, only elements
    that were judged before are judged again. An element with the same relevant text as a judged descendant gets the
    exhaustivity of the descendant.
    """
    marks, collection = topic.highlights, topic.collection
    if marks is None or not len(topic.element) or topic.scale not in ("inex2005", "highlights"):
        return topic
    row, held = collection.highlighted(marks.document, marks.start, marks.end)
    if topic.scale == "highlights":
        exhaustivity = np.full(len(row), 2.0)
    else:
        is_judged, place = is_among(row, topic.element)
        row, held, exhaustivity = row[is_judged], held[is_judged], topic.exhaustivity[place[is_judged]]
        for i in range(len(row) - 2, -1, -1):
            if row[i + 1] < collection.last[row[i]] and held[i] == held[i + 1]:
                exhaustivity[i] = exhaustivity[i + 1]
    specificity = np.minimum(held / np.maximum(collection.size[row], 1), 1.0)
    return replace(topic, element=row, exhaustivity=exhaustivity, specificity=specificity)
