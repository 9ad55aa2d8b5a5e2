"""What of a result is relevant by the judgements alone, whatever a measure makes of them: as columns, of all topics.

Relevant text is what is highlighted; where elements were judged without highlights, the text of the most specific
relevant elements: those that hold no other relevant one. Of graded documents it is all of them, whatever their size.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from focuseval.model.arrays import Floats, Ints, is_among
from focuseval.model.elements import Collection
from focuseval.model.intervals import covered, merge, new_text, project
from focuseval.model.judgements import TOO_SMALL, Highlights, Topic
from focuseval.model.results import Results
from focuseval.transformations.lists import list_of


def most_specific(topic: Topic) -> Ints:
    """Sorted rows of the relevant elements without relevant descendants."""
    rows = topic.element[topic.relevant]
    return rows[np.append(rows[1:] >= topic.collection.last[rows[:-1]], True)] if len(rows) else rows


def relevant_text(topic: Topic) -> Highlights:
    """The relevant text of a topic: disjoint intervals, by document and start."""
    if topic.grade is not None:
        assert topic.assessed is not None  # graded documents are listed
        document = topic.assessed[topic.grade > 0]
        return Highlights(document, np.zeros_like(document), np.ones_like(document))
    if topic.highlights is not None:
        return topic.highlights
    rows, collection = most_specific(topic), topic.collection
    return Highlights(*merge(collection.document_of(rows), collection.start[rows], collection.end[rows]))


@dataclass(frozen=True, eq=False)
class Relevance:
    """The relevant text of T topics, for results of theirs."""

    topics: Sequence[Topic]

    @property
    def collection(self) -> Collection:
        """Their collection."""
        return self.topics[0].collection

    @cached_property
    def _marks(self) -> tuple[Ints, Ints, Ints]:
        """Topic and document as one number, start and end of all relevant text."""
        texts = [relevant_text(topic) for topic in self.topics]
        group = [number * self._documents + text.document for number, text in enumerate(texts)]
        none = np.empty(0, dtype=np.int64)
        return (
            np.concatenate([none, *group]),
            np.concatenate([none, *(text.start for text in texts)]),
            np.concatenate([none, *(text.end for text in texts)]),
        )

    @property
    def _documents(self) -> int:
        return len(self.collection.names) + 1

    def of(self, results: Results) -> Ints:
        """(M,) the number of each result's topic among these, -1 for one that is not assessed."""
        number = {topic.name: i for i, topic in enumerate(self.topics)}
        return np.array([number.get(str(name), -1) for name in results.topics], dtype=np.int64)[results.topic]

    def group(self, topic: Ints, document: Ints) -> Ints:
        """Numbers of topics (-1: none) and documents as one; what has none has one without relevant text."""
        known = (topic >= 0) & (document >= 0)
        nothing = len(self.topics) * self._documents
        return np.where(known, topic * self._documents + document, nothing)

    def held(self, topic: Ints, document: Ints, start: Ints, end: Ints) -> Ints:
        """How much relevant text intervals of documents hold for topics, in units; of graded documents 1 for each."""
        low, high = self.placed(topic, document, start, end)
        return high - low

    @property
    def _graded(self) -> bool:
        return any(topic.grade is not None for topic in self.topics)

    def in_results(self, results: Results) -> Ints:
        """(M,) how much relevant text each result holds."""
        return self.held(self.of(results), results.document, results.start, results.end)

    def placed(self, topic: Ints, document: Ints, start: Ints, end: Ints) -> tuple[Ints, Ints]:
        """Where intervals land on the axis of the relevant text of all topics alone: their starts and ends."""
        if self._graded:
            start, end = np.zeros_like(start), np.ones_like(end)
        return project(*self._marks, self.group(topic, document), start, end)

    def new_in_results(self, results: Results) -> Ints:
        """(M,) how much relevant text each result holds that no result before it in its list does."""
        low, high = self.placed(self.of(results), results.document, results.start, results.end)
        return new_text(list_of(results), low, high)

    def unread(
        self, results: Results, list_: Ints, topic: Ints, document: Ints, start: Ints, end: Ints
    ) -> Ints:
        """How much relevant text intervals hold that no result of the list ``list_`` (its number) does."""
        low, high = self.placed(self.of(results), results.document, results.start, results.end)
        read = merge(list_of(results), low, high)
        at, to = self.placed(topic, document, start, end)
        return (to - at) - covered(*read, list_, at, to)

    def exhaustivity(self, topic: Ints, element: Ints) -> Floats:
        """How exhaustive elements (rows; -1 for none) are for topics: as judged, `?` below 1, 0 for all others."""
        size = len(self.collection)
        key = np.concatenate([number * size + one.element for number, one in enumerate(self.topics)])
        judged = np.concatenate([one.exhaustivity for one in self.topics])
        known, place = is_among(np.where((topic >= 0) & (element >= 0), topic * size + element, -1), key)
        found = np.zeros(len(element))
        found[known] = np.where(judged[place[known]] == TOO_SMALL, 0.5, judged[place[known]])
        return found
