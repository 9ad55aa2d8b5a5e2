"""The index of a collection's text: where each term occurs.

The text of a collection is one sequence of words; an element is an interval of it, so how often a
word occurs in an element is the difference of two searches in the word's sorted positions. Nested
text is indexed once, whatever its depth.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from focuseval.errors import InputError, Problem, extra
from focuseval.formats.names import NAMES, union
from focuseval.formats.words import numbered_words
from focuseval.model.arrays import Bools, Ints
from focuseval.model.compiled import Kernel
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
    kinds: dict[str, Kind]  #: by the names in ``ELEMENTS``

    def positions(self, term: int) -> Ints:
        """Sorted positions of a term."""
        return self.position[self.first[term] : self.first[term + 1]]


def build_index(
    texts: Iterable[tuple[str, str]],
    collection: Collection,
    *,
    sections: Sequence[str] = SECTIONS,
    paragraphs: Sequence[str] = PARAGRAPHS,
) -> Index:
    """Index the texts of a collection, given as (document name, text) in any order.

    Words are maximal runs of ``\\w``, lower-cased and stemmed. ``sections`` and ``paragraphs`` are the
    tags of the elements that count as such. Raises InputError if the documents are not the
    collection's or a text does not have as many words.
    """
    return index_texts([number_texts(texts)], collection, sections=sections, paragraphs=paragraphs)


class NumberedTexts(NamedTuple):
    """Some texts as numbers of words."""

    words_of: dict[str, Ints]  #: the words of each document, as they count into ``spelled``
    spelled: pa.Array


def number_texts(texts: Iterable[tuple[str, str]]) -> NumberedTexts:
    """Number the words of some texts; other texts may be numbered in other threads at the same time."""
    given = dict(texts)
    words, spelled = numbered_words(list(given.values()))
    return NumberedTexts(dict(zip(given, words, strict=True)), spelled)


def index_texts(
    parts: Iterable[NumberedTexts],
    collection: Collection,
    *,
    sections: Sequence[str] = SECTIONS,
    paragraphs: Sequence[str] = PARAGRAPHS,
) -> Index:
    """Index the texts of a collection that were numbered part by part. See ``build_index``."""
    if collection.unit != "words":
        raise ValueError(f"the index needs a collection in words, not in {collection.unit}")
    size = collection.size[collection.first[:-1]]
    first = dict(zip(collection.names, (np.cumsum(size) - size).tolist(), strict=True))
    occurring = np.empty(int(size.sum()) + 1, dtype=np.int32)
    occurring[-1] = -1
    term: dict[str, int] = {}
    spelled, term_of = pa.array([], NAMES.value_type), np.empty(0, dtype=np.int32)
    lengths: dict[str, int] = {}
    for part in parts:
        spelled, (_, codes) = union([spelled, part.spelled])
        stems = terms_of(spelled[len(term_of) :].to_pylist())  # of new words, while other parts are read
        new = [-1 if stem is None else term.setdefault(stem, len(term)) for stem in stems]
        term_of = np.append(term_of, np.array(new, dtype=np.int32))
        of_part = term_of[codes]
        for name, words in part.words_of.items():
            lengths[name] = len(words)
            if name in first:  # what is too long is cut here, and told below
                place = occurring[first[name] : first[name] + len(words)]
                place[:] = of_part[words[: len(place)]]
    _check_texts(lengths, collection)
    return index_terms(occurring, term, collection, sections=sections, paragraphs=paragraphs)


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


def index_terms(
    occurring: Ints,
    term: dict[str, int],
    collection: Collection,
    *,
    sections: Sequence[str] = SECTIONS,
    paragraphs: Sequence[str] = PARAGRAPHS,
) -> Index:
    """Index terms given as numbers: of the words of all documents, in the collection's order; -1: not indexed.

    ``occurring`` ends with a -1 behind the last word, and is written over: of so many words, no array more than needed
    is made. ``term`` says the number of each. See ``build_index``.
    """
    first = np.zeros(len(term) + 1, dtype=np.int64)
    position = np.empty(len(occurring), dtype=np.int32)
    _invert(occurring, first, position)

    document_size = collection.size[collection.first[:-1]]
    place = np.repeat(np.cumsum(document_size) - document_size, np.diff(collection.first))
    place += collection.start
    start = occurring[place]
    place += collection.size
    end = occurring[place]
    return Index(
        term=term,
        first=first,
        position=position[: first[-1]],
        start=start,
        end=end,
        kinds=_kinds(collection, end - start, sections, paragraphs),
    )


def invert(occurring: Ints, first: Ints, position: Ints) -> None:
    """Sort the indexed words of a text by their terms, whose numbers ``occurring`` has; -1: not indexed.

    Fills ``position`` with the place of each among the indexed words, ``first`` with the first entry of each term in
    it, and ``occurring``, in the place of the terms, with how many words are indexed before each.
    """
    for number in occurring:
        if number >= 0:
            first[number + 1] += 1
    for number in range(1, len(first)):
        first[number] += first[number - 1]
    free = first.copy()
    kept = 0
    for at in range(len(occurring)):
        number = occurring[at]
        occurring[at] = kept
        if number >= 0:
            position[free[number]] = kept
            free[number] += 1
            kept += 1


_invert = Kernel(invert)


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
