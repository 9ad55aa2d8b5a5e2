"""The index of a collection's text: where each term occurs.

The text of a collection is one sequence of words; an element is an interval of it, so how often a
word occurs in an element is the difference of two searches in the word's sorted positions. Nested
text is indexed once, whatever its depth.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from focuseval.errors import InputError, Problem, extra
from focuseval.model.arrays import Bools, Ints, sums_before
from focuseval.model.elements import Collection
from focuseval_papers.retrieval.systems import KINDS_OF_ELEMENTS

with extra("workflow"):
    import Stemmer


WORD = re.compile(r"\w+")

#: words that are not indexed
STOP_WORDS = frozenset(
    """
    a an and are as at be been by can for from had has have he her his how if in into is it its may more no
    not of on or our she such than that the their them there these they this to was we were what when where
    which while who will with would you your
    """.split()  # noqa: SIM905
)

#: tags of sections and paragraphs in INEX's IEEE collection
SECTIONS = ("sec", "ss1", "ss2", "ss3", "abs", "app")
PARAGRAPHS = ("p", "p1", "ip1", "ip2", "ilrj")


class Kind(NamedTuple):
    """The elements a system ranks."""

    member: Bools  #: (N,) whether an element is one of them; empty elements never are
    elements: int
    mean_length: float


@dataclass(frozen=True, eq=False)
class Index:
    """Where each term occurs in the text of a collection of N elements.

    Positions count all indexed words of the collection, document after document.
    """

    term: dict[str, int]  #: number of each term
    first: Ints  #: (T + 1,) first entry of each term in ``position``
    position: Ints  #: sorted positions of each term, term after term
    start: Ints  #: (N,) first position of each element
    end: Ints  #: (N,) first position after each element
    kinds: dict[str, Kind]  #: by the names in `KINDS_OF_ELEMENTS`

    def positions(self, term: int) -> Ints:
        """Sorted positions of a term."""
        return self.position[self.first[term] : self.first[term + 1]]


class NumberedTexts(NamedTuple):
    """Some texts as numbers of words."""

    words_of: dict[str, Ints]  #: the words of each document, as they count into `spelled`
    spelled: list[str]


def number_texts(texts: Iterable[tuple[str, str]]) -> NumberedTexts:
    """Number the words of some texts, given as (document name, text), by their first appearance.

    Other processes may number others.
    """
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    words_of: dict[str, Ints] = {
        name: np.array([numbers[word] for word in WORD.findall(text)], dtype=np.int32) for name, text in texts
    }
    return NumberedTexts(words_of, list(numbers))


def index_texts(
    parts: Iterable[NumberedTexts],
    collection: Collection,
    *,
    sections: Sequence[str] = SECTIONS,
    paragraphs: Sequence[str] = PARAGRAPHS,
) -> Index:
    """Index the texts of a collection that were numbered part by part, in any order.

    Words are maximal runs of ``\\w``, lower-cased and stemmed. ``sections`` and ``paragraphs`` are the
    tags of the elements that count as such. Raises InputError if the documents are not the
    collection's or a text does not have as many words.
    """
    if collection.unit != "words":
        raise ValueError(f"the index needs a collection in words, not in {collection.unit}")
    size = collection.size[collection.first[:-1]]
    begin = np.cumsum(size) - size
    first = dict(zip(collection.names, begin.tolist(), strict=True))
    occurring = np.empty(int(size.sum()), dtype=np.int32)  # the term of each word; -1: not indexed
    term: dict[str, int] = {}
    term_of: dict[str, int] = {}  # of words as they are spelled
    lengths: dict[str, int] = {}
    for part in parts:
        new = [word for word in part.spelled if word not in term_of]
        stems = terms_of(new)
        term_of |= {
            word: -1 if stem is None else term.setdefault(stem, len(term))
            for word, stem in zip(new, stems, strict=True)
        }
        of_part = np.array([term_of[word] for word in part.spelled], dtype=np.int32)
        for name, words in part.words_of.items():
            lengths[name] = len(words)
            if name in first:  # what is too long is cut here, and refused below
                place = occurring[first[name] : first[name] + len(words)]
                place[:] = of_part[words[: len(place)]]
    _check_texts(lengths, collection)
    indexed = occurring[occurring >= 0]
    before = sums_before(occurring >= 0).astype(np.int32)
    opens = np.repeat(begin, np.diff(collection.first)) + collection.start
    start, end = before[opens], before[opens + collection.size]
    return Index(
        term=term,
        first=sums_before(np.bincount(indexed, minlength=len(term))),
        position=np.argsort(indexed, kind="stable").astype(np.int32),
        start=start,
        end=end,
        kinds=_kinds(collection, end - start, sections, paragraphs),
    )


def _check_texts(lengths: dict[str, int], collection: Collection) -> None:
    known = dict(zip(collection.names, collection.size[collection.first[:-1]].tolist(), strict=True))
    remedy = "read texts and element tables from the same files"
    problems = [Problem(name, "", "a text, but no elements", remedy) for name in lengths if name not in known]
    problems += [Problem(name, "", "elements, but no text", remedy) for name in known if name not in lengths]
    problems += [
        Problem(name, "", f"{length} words of text, but {known[name]} in its elements", remedy)
        for name, length in lengths.items()
        if length != known.get(name, length)
    ]
    if problems:
        raise InputError(problems)


def terms_of(words: Sequence[str]) -> list[str | None]:
    """The term each word is indexed under; None for stop words."""
    lowered = [word.lower() for word in words]
    stems = Stemmer.Stemmer("english").stemWords(lowered)
    return [None if word in STOP_WORDS else stem for word, stem in zip(lowered, stems, strict=True)]


def _kinds(
    collection: Collection, length: Ints, sections: Sequence[str], paragraphs: Sequence[str]
) -> dict[str, Kind]:
    def tagged(tags: Sequence[str]) -> Bools:
        return collection.tags.isin(tags)[collection.tag]

    single = {
        "article": collection.parent < 0,
        "section": tagged(sections),
        "paragraph": tagged(paragraphs),
        "all": np.ones(len(collection), dtype=bool),
    }
    kinds = {}
    for name, parts in KINDS_OF_ELEMENTS.items():
        member = np.logical_or.reduce([single[part] for part in parts]) & (length > 0)
        elements = int(member.sum())
        kinds[name] = Kind(member, elements, float(length[member].mean()) if elements else 0.0)
    return kinds
