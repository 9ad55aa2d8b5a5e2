"""Retrieval of elements from a campaign's own text.

The text of a collection is one sequence of words; an element is an interval of it, so how often a
word occurs in an element is the difference of two searches in the word's sorted positions. Nested
text is indexed once, whatever its depth.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

import numpy as np
import pandas as pd

from focuseval.errors import InputError, Problem
from focuseval.extras import extra
from focuseval.model.arrays import Bools, Floats, Ints
from focuseval.model.elements import Collection
from focuseval.retrieval.systems import KINDS_OF_ELEMENTS, System
from focuseval.retrieval.weighting import WEIGHTINGS, Statistics, with_length_prior

with extra("workflow"):
    import snowballstemmer

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
    if collection.unit != "words":
        raise ValueError(f"the index needs a collection in words, not in {collection.unit}")
    number: defaultdict[str, int] = defaultdict(count().__next__)
    words_of: dict[str, Ints] = {}
    for name, text in texts:
        words = WORD.findall(text)
        words_of[name] = np.fromiter(map(number.__getitem__, words), dtype=np.int32, count=len(words))
    _check_texts({name: len(words) for name, words in words_of.items()}, collection)
    word = np.concatenate([np.empty(0, dtype=np.int32), *(words_of.pop(name) for name in collection.names)])
    return index_words(word, list(number), collection, sections=sections, paragraphs=paragraphs)


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
    stemmer = snowballstemmer.stemmer("english")
    return [None if word in STOP_WORDS else stemmer.stemWord(word) for word in lowered]


def index_words(
    word: Ints,
    spelled: Sequence[str],
    collection: Collection,
    *,
    sections: Sequence[str] = SECTIONS,
    paragraphs: Sequence[str] = PARAGRAPHS,
) -> Index:
    """Index words given as codes: the words of all documents, in the collection's order.

    ``word`` counts into ``spelled``. See ``build_index``.
    """
    term: dict[str, int] = {}
    term_of_word = np.array(
        [-1 if stem is None else term.setdefault(stem, len(term)) for stem in terms_of(spelled)],
        dtype=np.int32,
    )
    occurring = term_of_word[word] if len(word) else np.empty(0, dtype=np.int32)
    kept = occurring >= 0
    kept_before = np.zeros(len(word) + 1, dtype=np.int32)
    np.cumsum(kept, out=kept_before[1:])
    # numpy sorts up to 65,536 terms by radix, several times faster
    occurring = occurring[kept].astype(np.min_scalar_type(len(term)))

    document_size = collection.size[collection.first[:-1]]
    base = np.repeat(np.cumsum(document_size) - document_size, np.diff(collection.first))
    start = kept_before[base + collection.start]
    end = kept_before[base + collection.end]
    return Index(
        term=term,
        first=np.concatenate([[0], np.cumsum(np.bincount(occurring, minlength=len(term)))]),
        position=np.argsort(occurring, kind="stable").astype(np.int32),
        start=start,
        end=end,
        kinds=_kinds(collection, end - start, sections, paragraphs),
    )


def _kinds(
    collection: Collection, length: Ints, sections: Sequence[str], paragraphs: Sequence[str]
) -> dict[str, Kind]:
    def tagged(tags: Sequence[str]) -> Bools:
        return np.isin(collection.tag, np.flatnonzero(collection.tags.isin(tags)))

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


class _Matches(NamedTuple):
    """The elements that hold a word of one query, in document order."""

    row: Ints  #: (C,)
    tf: Floats  #: (T, C)
    length: Floats  #: (C,)
    query: Floats  #: (T,)
    share: Floats  #: (T,)


def _match(index: Index, collection: Collection, title: str) -> _Matches:
    """Find the elements that hold any word of a title. Words the collection lacks are left out."""
    wanted = Counter(term for term in terms_of(WORD.findall(title)) if term in index.term)
    positions = [index.positions(index.term[term]) for term in wanted if term is not None]
    everywhere = np.concatenate([np.empty(0, dtype=np.int32), *positions])
    row = holding(index, collection, everywhere)
    row = collection.with_ancestors(row)
    start, end = index.start[row], index.end[row]
    tf = [np.searchsorted(where, end) - np.searchsorted(where, start) for where in positions]
    total = max(len(index.position), 1)
    return _Matches(
        row=row,
        tf=np.array(tf, dtype=float).reshape(len(tf), len(row)),
        length=(end - start).astype(float),
        query=np.array(list(wanted.values()), dtype=float),
        share=np.array([len(where) / total for where in positions]),
    )


def holding(index: Index, collection: Collection, position: Ints) -> Ints:
    """The deepest element that holds each position: the last to start by then, or an ancestor of it."""
    row = np.searchsorted(index.start, position, side="right") - 1
    while len(outside := np.flatnonzero(index.end[row] <= position)):
        row[outside] = collection.parent[row[outside]]
    return row


def _statistics(matches: _Matches, kind: Kind) -> tuple[Ints, Statistics]:
    """The elements of a kind that match, in document order, and what weightings know of them."""
    member = np.flatnonzero(kind.member[matches.row])
    tf = matches.tf[:, member]
    return matches.row[member], Statistics(
        tf=tf,
        length=matches.length[member],
        query=matches.query,
        elements=kind.elements,
        holding=np.count_nonzero(tf, axis=1),
        mean_length=kind.mean_length,
        share=matches.share,
    )


def _retrieved(row: Ints, scores: Floats, last: Ints, overlap: str, size: int) -> Ints:
    """Places in ``row`` of what a system returns: by decreasing score, then in document order."""
    considered = 8 * size if overlap == "best" else size
    while True:
        order = _highest(scores, considered)
        place = order[without_overlap(row[order], last[row[order]], overlap, size)]
        # only `best` goes further down the ranking to have more
        if overlap != "best" or len(place) == size or considered >= len(row):
            return place
        considered *= 8


def _highest(scores: Floats, size: int) -> Ints:
    """Places of the highest scores, at most ``size``; of equal ones the first."""
    considered = np.arange(len(scores))
    if 0 < size < len(scores):
        considered = np.flatnonzero(scores >= np.partition(scores, -size)[-size])
    return considered[np.argsort(-scores[considered], kind="stable")[:size]]


def without_overlap(row: Ints, last: Ints, overlap: str, size: int) -> Ints:
    """Which places of a ranking of elements remain, at most ``size``.

    ``row`` is the ranking, ``last`` the first row after each element's descendants. ``keep``: the
    first ``size``. ``nested``: of these, those that lie in no other; ``enclosing``: those that hold no
    other. ``best``: down the whole ranking, those that neither lie in nor hold one taken before.
    """
    if overlap == "best":
        from focuseval.retrieval.overlap import apart  # compiled: slow to import

        return apart(row, last, size)
    place = np.arange(min(len(row), size))
    if overlap == "keep" or len(place) == 0:
        return place
    order = np.argsort(row[:size])
    first, after = row[order], last[order]
    if overlap == "nested":
        reach = np.maximum.accumulate(after)
        stays = np.concatenate([[True], reach[:-1] <= first[1:]])
    else:
        stays = np.concatenate([after[:-1] <= first[1:], [True]])
    return np.sort(order[stays])


def _grouped(document: Ints) -> Ints:
    """Order that puts results of one document together: documents by first result, results as they were."""
    codes, _ = pd.factorize(document)
    return np.argsort(codes, kind="stable")


#: what becomes of a system's ranking: query and system by their numbers, rows and scores -> rows and scores
Revision = Callable[[int, int, Ints, Floats], tuple[Ints, Floats]]


def _lists(
    index: Index,
    collection: Collection,
    queries: pd.DataFrame,
    systems: Sequence[System],
    size: int,
    revised: Revision,
) -> Iterator[tuple[int, int, Ints, Ints, Floats]]:
    """System, query, documents, rows and scores of every result list.

    Matches of a query are found once, and their statistics once for each kind of elements.
    """
    for query, title in enumerate(queries["title"]):
        matches = _match(index, collection, title)
        if len(matches.query) == 0:
            continue
        known = {system.elements: index.kinds[system.elements] for system in systems}
        of_kind = {name: _statistics(matches, kind) for name, kind in known.items()}
        for number, system in enumerate(systems):
            row, statistics = of_kind[system.elements]
            scores = WEIGHTINGS[system.weighting](statistics, **system.parameters)
            scores = with_length_prior(scores, statistics.length, system.weighting, system.prior)
            row, scores = revised(query, number, row, scores)
            place = _retrieved(row, scores, collection.last, system.overlap, size)
            document = collection.document_of(row[place])
            if system.grouped:
                order = _grouped(document)
                place, document = place[order], document[order]
            yield number, query, document, row[place], scores[place]


def retrieve_all(
    index: Index,
    collection: Collection,
    queries: pd.DataFrame,
    systems: Sequence[System],
    *,
    size: int = 1_500,
    revised: Revision = lambda query, system, row, scores: (row, scores),
) -> pd.DataFrame:
    """The runs of several systems: columns run, topic, rank, document, node, score, in that order.

    ``queries`` has the columns topic and title; ``collection`` is in words. ``document`` counts into
    ``collection.names`` and ``node`` is a row of the collection. Ranks count from 1, and equal scores
    are in document order. A topic none of whose words occur has no results. ``revised`` may leave out elements,
    which are in document order, and change their scores, before overlap is treated and lists are cut.
    """
    if collection.unit != "words":
        raise ValueError(f"retrieval needs a collection in words, not in {collection.unit}")
    found = _lists(index, collection, queries, systems, size, revised)
    lists = sorted(found, key=lambda each: each[:2])
    lengths = [len(each[2]) for each in lists]
    empty = np.empty(0, dtype=np.int64)

    def column(part: int) -> np.ndarray:
        return np.concatenate([empty, *(each[part] for each in lists)])

    names = pd.Index([system.name for system in systems])
    topics = pd.Index(queries["topic"].astype(str))
    return pd.DataFrame(
        {
            "run": pd.Categorical.from_codes(
                np.repeat([each[0] for each in lists], lengths).astype(int), names
            ),
            "topic": pd.Categorical.from_codes(
                np.repeat([each[1] for each in lists], lengths).astype(int), topics
            ),
            "rank": np.concatenate([empty, *(np.arange(1, length + 1) for length in lengths)]),
            "document": column(2),
            "node": column(3),
            "score": column(4).astype(float),
        }
    )


def retrieve(
    index: Index, collection: Collection, queries: pd.DataFrame, system: System, *, size: int = 1_500
) -> pd.DataFrame:
    """The run of one system: columns topic, rank, document, node, score. See ``retrieve_all``."""
    return retrieve_all(index, collection, queries, [system], size=size).drop(columns="run")
