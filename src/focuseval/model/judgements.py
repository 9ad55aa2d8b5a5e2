"""The judgements of topics as columns: judged elements and highlighted passages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from focuseval.model.arrays import Bools, Floats, Ints, distinct, is_among
from focuseval.model.elements import Collection
from focuseval.model.intervals import meetings, merge

#: the name in the column of topics that marks a mean over topics; no topic has it
ALL = "all"

#: exhaustivity of an element that was judged "too small" (`?`, INEX 2005)
TOO_SMALL = -1.0


@dataclass(frozen=True, eq=False)
class Highlights:
    """Highlighted passages of one topic: H disjoint intervals in units, sorted by document and start."""

    document: Ints  #: (H,) index into ``Collection.names``
    start: Ints  #: (H,)
    end: Ints  #: (H,)

    def among(self, chosen: Bools) -> "Highlights":
        """Some of them."""
        return Highlights(self.document[chosen], self.start[chosen], self.end[chosen])


@dataclass(frozen=True, eq=False)
class Spans:
    """The relevant passages of one topic as its assessments have them: S intervals in units, in the order of the file.

    They may overlap; none is empty.
    """

    document: Ints  #: (S,) index into ``Collection.names``
    start: Ints  #: (S,)
    end: Ints  #: (S,)
    #: (S,) aspects of each passage, separated by ``|``; "" for none
    aspects: Sequence[str]
    grade: Ints | None = None  #: (S,) how relevant each is, above 0; None where all are alike
    #: (S,) group numbers, of which any one member is enough; -1: no group. None if no passage has a group
    group: Ints | None = None
    #: (S,) passages of a group with the same number are one member; -1: one by itself. None where all are
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
        """Passages in columns: no grades where all are 1, and no groups or members where all are -1."""
        usual = [(grade, 1), (group, -1), (member, -1)]
        more = (column if (column != one).any() else None for column, one in usual)
        return cls(document, start, end, aspects.tolist(), *more)

    def __len__(self) -> int:
        return len(self.document)

    def among(self, chosen: Bools | Ints) -> "Spans":
        """Some of them, by their rows or by whether each stays, with all that is known of them."""
        rows = np.arange(len(self))[chosen]
        more = (None if of is None else of[rows] for of in (self.grade, self.group, self.member))
        aspects = [self.aspects[row] for row in rows]
        return Spans(self.document[rows], self.start[rows], self.end[rows], aspects, *more)

    def text(self) -> Highlights:
        """The text that they hold, each piece once."""
        return Highlights(*merge(self.document, self.start, self.end))

    @cached_property
    def interval(self) -> Ints:
        """(S,) one number for all passages of one interval, which may differ in their aspects."""
        places = np.stack([self.document, self.start, self.end])
        return np.unique(places, axis=1, return_inverse=True)[1].ravel()

    def without_repeats(self) -> "Spans":
        """The items: each interval once, at its first place, with its highest grade."""
        first = np.unique(self.interval, return_index=True)[1]
        if len(first) == len(self):
            return self
        grade = self._highest_grade(self.interval)
        graded = self if grade is None else replace(self, grade=grade[self.interval])
        return graded.among(np.sort(first))

    def joined(self) -> "Spans":
        """The text that they hold as passages: those that touch or overlap are one, with its highest grade."""
        text = self.text()
        place = text.document, text.start, text.end
        _, piece, _ = meetings(*place, self.document, self.start, self.end)
        return Spans(*place, [""] * len(text.document), self._highest_grade(piece))

    def _highest_grade(self, item: Ints) -> Ints | None:
        """(I,) the highest grade of the passages of each item, by their items; None where all are alike."""
        if self.grade is None:
            return None
        highest = np.zeros(int(item.max(initial=-1)) + 1, dtype=self.grade.dtype)
        np.maximum.at(highest, item, self.grade)
        return highest


@dataclass(frozen=True, eq=False)
class RecallBase:
    """The relevant elements of a topic under a quantisation, and which of them are ideal answers."""

    element: Ints  #: (n,) sorted rows of the relevant elements: the full recall-base
    score: Floats  #: (n,) their quantised scores, above 0
    ideal: Mapping[str, Bools]  #: (n,) by method, whether an element belongs to the ideal recall-base


@dataclass(frozen=True, eq=False)
class Topic:
    """All that measures may know of one topic: its judged elements and its highlighted passages.

    Scales: ``inex2002`` and ``inex2003`` have exhaustivity and specificity in 0..3 (2002: relevance,
    and coverage N, S, L, E as 0, 1→L, 2→S, 3→E); ``inex2005`` has exhaustivity -1 (`?`), 0, 1, 2 and
    specificity in [0, 1]; ``highlights`` has exhaustivity 2 and specificity in [0, 1]; ``grades`` judges whole
    documents, of which no element is known.
    """

    name: str
    scale: str
    collection: Collection
    element: Ints  #: (J,) sorted rows of the judged elements; all others are (0, 0)
    exhaustivity: Floats  #: (J,)
    specificity: Floats  #: (J,)
    highlights: Highlights | None  #: None where the assessments have elements only
    entry_point: dict[int, int] | None = None  #: best entry point by document index, in units
    #: (D,) documents in the assessments, relevant or not; None if assessments list none. INEX's elements and passages
    #: imply the others
    assessed: Ints | None = None
    grade: Ints | None = None  #: (D,) grades of those documents, above 0 relevant; None where they have none
    #: coverage N, L, S, E of INEX 2002 as specificity, for metrics that need two dimensions
    coverage: tuple[float, float, float, float] = (0.0, 1.0, 2.0, 3.0)
    spans: Spans | None = None  #: the passages that the highlights are the union of
    #: recall-bases that were built before, by quantisation; `focuseval.measures.recall_base` builds the others
    recall_bases: Mapping[str, RecallBase] = field(default_factory=dict)

    def judging(self, chosen: Bools) -> "Topic":
        """The topic with some of its judged elements."""
        columns = {name: getattr(self, name)[chosen] for name in ("element", "exhaustivity", "specificity")}
        return replace(self, recall_bases={}, **columns)

    @property
    def relevant(self) -> Bools:
        """(J,) whether each judged element is relevant: on both dimensions, or too small and with relevant text."""
        return (self.exhaustivity != 0) & (self.specificity > 0)

    @property
    def relevant_documents(self) -> Ints:
        """The sorted documents that hold something relevant, by element, highlighted text or grade."""
        documents = [self.collection.document_of(self.element[self.relevant])]
        if self.highlights is not None:
            documents.append(self.highlights.document)
        if self.assessed is not None and self.grade is not None:
            documents.append(self.assessed[self.grade > 0])
        return distinct(np.concatenate(documents))


def with_passages(topic: Topic, chosen: Bools) -> Topic:
    """The topic with some of its relevant passages."""
    if topic.spans is not None:
        spans = topic.spans.among(chosen)
        return replace(topic, spans=spans, highlights=spans.text())
    return topic if topic.highlights is None else replace(topic, highlights=topic.highlights.among(chosen))


def judged_anew(topic: Topic) -> Topic:
    """Return the topic with specificities that follow from its relevant passages, if these judge elements.

    On the scale ``highlights`` that is every element with relevant text; on that of INEX 2005 it is those of them that
    were judged, and one that holds no more relevant text than the judged element inside it is no more exhaustive.
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
