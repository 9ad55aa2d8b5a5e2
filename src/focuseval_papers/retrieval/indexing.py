"""The index of a collection's text: where each term occurs.

The text of a collection is one sequence of words; an element is an interval of it, so how often a
word occurs in an element is the difference of two searches in the word's sorted positions. Nested
text is indexed once, whatever its depth.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from focuseval.errors import InputError, Problem, extra
from focuseval.formats.xml_elements import word_characters
from focuseval.model.arrays import Bools, Ints, sums_before
from focuseval.model.compiled import Kernel
from focuseval.model.elements import Collection
from focuseval_papers.retrieval.systems import KINDS_OF_ELEMENTS

with extra("workflow"):
    import Stemmer


def code_point(text, at):  # type: ignore[no-untyped-def]
    """Code point of more than one byte of UTF-8 at a place, and how many bytes follow its first."""
    byte = text[at]
    more = 1 if byte < 0xE0 else 2 if byte < 0xF0 else 3
    point = np.int64(byte & (63 >> more))
    for k in range(1, more + 1):
        point = point << 6 | np.int64(text[at + k] & 63)
    return point, more


def gather(text: Ints | bytes, word: Bools, held: Ints, bounds: Ints, count: int) -> int:
    """Put the words of a text in UTF-8 behind the ``count`` that are held; returns how many there are then.

    ``word`` says which code points are part of words. Word ``k`` is ``held[bounds[k]:bounds[k + 1]]``.
    """
    filled, at = bounds[count], 0
    inside = False
    while at < len(text):
        byte = text[at]
        if byte < 0x80:  # nearly all: a way of their own is twice as fast
            more, known = 0, word[byte]
            held[filled] = byte
        else:
            point, more = code_point(text, at)
            for k in range(more + 1):
                held[filled + k] = text[at + k]
            known = word[point]
        if known:
            filled += more + 1
        elif inside:
            count += 1
            bounds[count] = filled
        inside = known
        at += more + 1
    if inside:
        count += 1
        bounds[count] = filled
    return count


_gather = Kernel(gather, code_point)


def numbered_words(texts: Sequence[str]) -> tuple[list[Ints], pa.Array]:
    """The words of each text by their numbers, int32, and what is numbered: words as they appear first."""
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    size = sum(map(len, encoded))
    held, bounds = np.empty(size, dtype=np.uint8), np.zeros(size + 2, dtype=np.int64)
    counts = [0]
    for text in encoded:
        counts.append(_gather(text, word_characters(), held, bounds, counts[-1]))
    words = pa.LargeStringArray.from_buffers(counts[-1], pa.py_buffer(bounds), pa.py_buffer(held))
    numbers = words.dictionary_encode()
    indices = np.asarray(numbers.indices)
    return [indices[begin:end] for begin, end in pairwise(counts)], numbers.dictionary


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
    """Number the words of some texts, given as (document name, text); other processes may number others."""
    given = dict(texts)
    words, spelled = numbered_words(list(given.values()))
    return NumberedTexts(dict(zip(given, words, strict=True)), spelled.to_pylist())


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
