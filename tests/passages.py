"""Random passages, and the same as sets of characters for literal second implementations."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pytest

from focuseval.measures import MEASURES, parse_specs
from focuseval.model.elements import Words
from focuseval.model.intervals import merge
from focuseval.model.judgements import Highlights, Spans, Topic
from focuseval.model.results import ResultList
from tests.trees import tree_of

#: (document, start, end); None is an unresolved result
Passage = tuple[int, int | None, int | None]


def text_of(document, length):
    """Return the text of a document: words of one to five letters, with one or two blanks between them."""
    return ("ab c  def g hijkl " * (length // 18 + 2))[document % 18 :][: max(length, 0)]


def flat_collection(lengths):
    """Return documents of one element each; a length of -1 is unknown."""
    words = Words(
        lambda documents: [(i, text_of(i, lengths[i])) for i in documents.tolist()]
    )  # when asked for
    flat = tree_of([-1] * len(lengths), [0] * len(lengths), lengths, complete=False)
    return replace(flat, words=words)


def topic_of(lengths, highlights, entry_point=None, name="t"):
    """Return a topic with highlights (document, start, end), which may overlap; every second has one more aspect."""
    document, start, end = np.array(highlights, dtype=np.int64).reshape(-1, 3).T
    nothing = np.empty(0)
    solid = end > start
    aspects = [f"a{i % 3}" + f"|b{i % 5}" * (i % 2) for i in range(len(highlights))]
    return Topic(
        name=name,
        scale="highlights",
        collection=flat_collection(lengths),
        element=nothing.astype(np.int64),
        exhaustivity=nothing,
        specificity=nothing,
        highlights=Highlights(*merge(document, start, end)),
        entry_point=entry_point,
        spans=Spans(
            document[solid], start[solid], end[solid], np.array(aspects, dtype=object)[solid].tolist()
        ),
    )


def list_of(passages, run="run", topic="t"):
    """Return a result list of the given passages."""
    count = len(passages)
    return ResultList(
        run=run,
        topic=topic,
        rank=np.arange(1, count + 1),
        document=np.array([document for document, _, _ in passages], dtype=np.int64),
        element=np.full(count, -1),
        start=np.array([-18 if start is None else start for _, start, _ in passages], dtype=np.int64),
        end=np.array([0 if end is None else end for _, _, end in passages], dtype=np.int64),
    )


def value(topic, read, name):
    """Return the value of the named measure for a list."""
    [spec] = parse_specs(name, MEASURES)
    return spec.value(topic, list_of(read) if isinstance(read, list) else read)


def agrees(topic, read, expected):
    """Assert that measures have the values of a literal implementation."""
    for name, number in expected.items():
        score = value(topic, read, name)
        assert score == (None if number is None else pytest.approx(number, abs=1e-12)), name


@dataclass(frozen=True)
class Case:
    """A topic and a result list."""

    lengths: list[int]
    highlights: list[tuple[int, int, int]]
    entry_point: dict[int, int]
    passages: list[Passage]

    @cached_property
    def topic(self):
        return topic_of(self.lengths, self.highlights, self.entry_point)

    @cached_property
    def relevant(self):
        return frozenset((d, i) for d, start, end in self.highlights for i in range(start, end))

    def text(self, index):
        """Return the characters of a result; those of an unresolved result are in no other."""
        document, start, end = self.passages[index]
        if start is None or end is None:
            return frozenset((document, -1 - 18 * index - i) for i in range(18))
        return frozenset((document, i) for i in range(start, end))


def random_case(rng):
    """Draw short documents, highlights, and results that may nest, overlap, repeat and interleave."""
    lengths = [int(n) for n in rng.integers(1, 40, size=rng.integers(1, 6))]

    def span(document):
        start, end = sorted(int(i) for i in rng.integers(0, lengths[document] + 1, size=2))
        return start, end

    marked = [int(d) for d in rng.integers(0, len(lengths), size=rng.integers(0, 7))]
    highlights = [(document, *span(document)) for document in marked]
    relevant = sorted({document for document, start, end in highlights if end > start})
    entry_point = {document: int(rng.integers(0, lengths[document])) for document in relevant}
    passages = []
    for _ in range(int(rng.integers(0, 12))):
        document = int(rng.integers(-1 if rng.random() < 0.1 else 0, len(lengths)))
        if document < 0 or rng.random() < 0.08:
            passages.append((document, None, None))
        else:
            passages.append((document, *span(document)))
    if rng.random() < 0.5:
        passages.sort(key=lambda passage: passage[0])
    return Case(lengths, highlights, entry_point, passages)
