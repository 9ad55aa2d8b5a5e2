"""The retrieval systems in place of a campaign's participants: settings, scores and index.

Weightings are variants of BM25, language models and tf-idf. A weighting computes a score for each element from the
``Statistics`` of the elements of one topic; higher is better. Elements without a word of the query are not scored. In
the formulas, tf is the number of occurrences of a word in the element, l the element's length, L the mean length, N the
number of elements that a system ranks, n the number of these with the word, and p the word's share of the collection.
Sums are over the words of the query, repeated words included.

The text of a collection is one sequence of words, and an element is an interval of this sequence. The number of
occurrences of a word in an element is therefore the difference of two searches in the word's sorted positions. Nested
text is indexed once, whatever its depth.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from focuseval.errors import InputError, Problem, extra
from focuseval.model.arrays import Bools, Floats, Ints, sums_before
from focuseval.model.elements import Collection
from focuseval.model.vocabulary import FETCH_AND_BROWSE, FOCUSED, RELEVANT_IN_CONTEXT, THOROUGH, task_named
from focuseval_papers.workflow.runsets import KINDS_OF_ELEMENTS


@dataclass(frozen=True)
class System:
    """One retrieval system."""

    name: str
    weighting: str  #: a name in `WEIGHTINGS`
    parameters: Mapping[str, float] = field(default_factory=dict)
    elements: str = "all"  #: the elements that the system ranks, one of `KINDS_OF_ELEMENTS`
    prior: float = 0.0  #: exponent of the length prior; 0 for none
    #: "keep" keeps overlapping results; "nested", "enclosing" and "best" remove nested results, enclosing results, or
    #: all results that overlap a better one
    overlap: str = "keep"
    #: whether results are grouped by article; articles are ordered by their best result
    grouped: bool = False


_MODELS: dict[str, tuple[str, dict[str, float]]] = {
    "bm25": ("robertson", {"k1": 1.2, "b": 0.75}),
    "bm25-long": ("robertson", {"k1": 2.0, "b": 0.3}),
    "lucene": ("lucene", {"k1": 1.2, "b": 0.75}),
    "lucene-flat": ("lucene", {"k1": 0.9, "b": 0.4}),
    "bm25plus": ("bm25+", {"k1": 1.2, "b": 0.75, "delta": 1.0}),
    "bm25l": ("bm25l", {"k1": 1.2, "b": 0.75, "delta": 0.5}),
    "bm25l-full": ("bm25l", {"k1": 2.0, "b": 1.0, "delta": 0.5}),
    "dirichlet-100": ("dirichlet", {"mu": 100.0}),
    "dirichlet-500": ("dirichlet", {"mu": 500.0}),
    "dirichlet-2500": ("dirichlet", {"mu": 2500.0}),
    "jm-1": ("jelinek-mercer", {"weight": 0.1}),
    "jm-5": ("jelinek-mercer", {"weight": 0.5}),
    "jm-8": ("jelinek-mercer", {"weight": 0.8}),
    "tfidf": ("tf-idf", {}),
    "logtfidf": ("log-tf-idf", {}),
    "pivoted": ("pivoted", {"slope": 0.2}),
}

# The columns are the model, the elements, the exponent of the length prior, and the overlap. Rows alternate, so that
# the first few are as varied as all. A quarter of the systems returns no overlap; the overlap of the others depends on
# their elements (docs/campaigns.md).
_TABLE = """
bm25            all                0  keep
bm25-long       section            0  enclosing
lucene          article-section    1  keep
lucene-flat     section-paragraph  0  keep
bm25plus        all                1  nested
bm25l           article-paragraph  0  keep
bm25l-full      all                0  best
dirichlet-100   paragraph          0  keep
dirichlet-500   article            0  keep
dirichlet-2500  all                1  keep
jm-1            section            0  keep
jm-5            section-paragraph  1  keep
jm-8            all                0  keep
tfidf           article-section    0  keep
logtfidf        section-paragraph  0  keep
pivoted         article-paragraph  1  keep
bm25            section-paragraph  1  keep
bm25-long       all                0  keep
lucene          all                2  keep
lucene-flat     article            0  keep
bm25plus        article-paragraph  0  keep
bm25l           section            1  keep
bm25l-full      section-paragraph  0  keep
dirichlet-100   article-section    0  keep
dirichlet-500   all                1  keep
dirichlet-2500  section            0  best
jm-1            all                1  keep
jm-5            article-paragraph  0  keep
jm-8            article-section    1  keep
tfidf           all                0  keep
logtfidf        all                0  keep
pivoted         section            0  keep
bm25            article-section    0  keep
bm25-long       paragraph          0  keep
lucene          section-paragraph  2  keep
lucene-flat     all                0  keep
bm25plus        section            0  keep
bm25l           all                0  keep
bm25l-full      article-section    1  enclosing
dirichlet-100   all                0  keep
dirichlet-500   section-paragraph  1  keep
dirichlet-2500  article-paragraph  0  keep
jm-1            paragraph          1  keep
jm-5            all                2  keep
jm-8            section            0  keep
tfidf           section-paragraph  0  nested
logtfidf        article-section    0  keep
pivoted         all                1  best
bm25            article            0  keep
bm25-long       article-section    1  keep
lucene          section            0  keep
bm25plus        all                2  keep
bm25l           article-paragraph  2  keep
dirichlet-500   all                0  keep
jm-1            section-paragraph  0  keep
dirichlet-100   section            0  keep
tfidf           paragraph          0  keep
jm-5            article-paragraph  1  keep
logtfidf        all                1  keep
pivoted         article            0  keep
"""


def _system(line: str) -> System:
    model, elements, prior, overlap = line.split()
    weighting, parameters = _MODELS[model]
    long = "" if prior == "0" else f".long{prior}"
    name = f"{model}.{elements}{long}" + ("" if overlap == "keep" else f".{overlap}")
    return System(name, weighting, parameters, elements, float(prior), overlap)


#: sixty systems, no two of which rank the same elements by the same scores
SYSTEMS: tuple[System, ...] = tuple(_system(line) for line in _TABLE.strip().splitlines())


#: exponents of the length prior (none, usual, stronger, weaker) for systems that rank the kinds of elements in the
#: configuration
_PRIORS = ("0", "1", "2", "0.5")


def population(count: int, elements: Sequence[str] = ()) -> list[System]:
    """Return the first ``count`` systems: from the table, or with every weighting for each of the kinds ``elements``.

    Systems for chosen kinds of elements keep overlap. They are sorted by prior, then by kind, then by weighting.
    """
    alike = [f"{model} {kind} {prior} keep" for prior in _PRIORS for kind in elements for model in _MODELS]
    return [*map(_system, alike)][:count] if elements else [*SYSTEMS[:count]]


#: the kind of runs that uses the systems without changes
AS_DECLARED = "as-declared"

#: kinds of runs: systems without changes, followed by the kinds that tasks require
KINDS = (AS_DECLARED, THOROUGH, FOCUSED, FETCH_AND_BROWSE, RELEVANT_IN_CONTEXT)


def systems_for(kind: str, systems: Sequence[System] = SYSTEMS) -> list[System]:
    """Return the systems as they take part in a task; ``kind`` is one of `KINDS`, or another name of a task.

    ``as-declared`` changes nothing. ``thorough`` keeps overlap. In ``focused``, systems that keep overlap use ``best``
    instead. ``fetch-and-browse`` and ``relevant-in-context`` are like ``focused``, grouped by article. Raises
    InputError for any other kind.
    """
    if kind == AS_DECLARED:
        return list(systems)
    task = task_named(kind, KINDS)
    if task == THOROUGH:
        return [replace(system, overlap="keep", grouped=False) for system in systems]
    grouped = task != FOCUSED
    return [
        replace(system, overlap="best" if system.overlap == "keep" else system.overlap, grouped=grouped)
        for system in systems
    ]


@dataclass(frozen=True, eq=False)
class Statistics:
    """The counts from which weightings compute scores, for one query with T words and C candidate elements."""

    tf: Floats  #: (T, C) occurrences of each word in each element
    length: Floats  #: (C,) number of words of each element, without stop words
    query: Floats  #: (T,) occurrences of each word in the query
    share: Floats  #: (T,) each word's occurrences in the collection, divided by the collection's length
    elements: int  #: how many elements are of the kind that the system ranks
    holding: Ints  #: (T,) for each word, how many elements of this kind contain it
    mean_length: float  #: mean length of the elements of this kind


def robertson(s: Statistics, *, k1: float, b: float) -> Floats:
    """Return BM25 of Robertson et al. (Okapi at TREC-3, 1994), in the letters of this module's docstring.

    Σ max(0, ln((N - n + ½) / (n + ½))) · tf (k1 + 1) / (tf + k1 (1 - b + b l / L))
    """
    idf = np.maximum(np.log((s.elements - s.holding + 0.5) / (s.holding + 0.5)), 0.0)
    return _sum(s.query * idf, s.tf * (k1 + 1) / (s.tf + _pivot(s, k1, b)))


def lucene(s: Statistics, *, k1: float, b: float) -> Floats:
    """Return BM25 of Apache Lucene (BM25Similarity), in the letters of this module's docstring.

    Σ ln(1 + (N - n + ½) / (n + ½)) · tf / (tf + k1 (1 - b + b l / L))
    """
    idf = np.log1p((s.elements - s.holding + 0.5) / (s.holding + 0.5))
    return _sum(s.query * idf, s.tf / (s.tf + _pivot(s, k1, b)))


def bm25_plus(s: Statistics, *, k1: float, b: float, delta: float) -> Floats:
    """Return BM25+ (Lv and Zhai, CIKM 2011), in the letters of this module's docstring.

    Σ over tf > 0 of ln((N + 1) / n) · (δ + tf (k1 + 1) / (tf + k1 (1 - b + b l / L)))
    """
    gain = np.where(s.tf > 0, delta + s.tf * (k1 + 1) / (s.tf + _pivot(s, k1, b)), 0.0)
    return _sum(s.query * _idf(s), gain)


def bm25_l(s: Statistics, *, k1: float, b: float, delta: float) -> Floats:
    """Return BM25L (Lv and Zhai, SIGIR 2011), in the letters of this module's docstring.

    Σ over tf > 0 of ln((N + 1) / (n + ½)) · (k1 + 1)(c + δ) / (k1 + c + δ), with c = tf / (1 - b + b l / L)
    """
    raised = s.tf / _pivot(s, 1.0, b) + delta
    gain = np.where(s.tf > 0, (k1 + 1) * raised / (k1 + raised), 0.0)
    return _sum(s.query * np.log((s.elements + 1) / (s.holding + 0.5)), gain)


def dirichlet(s: Statistics, *, mu: float) -> Floats:
    """Return the query's log-likelihood with Dirichlet smoothing, minus that in the whole collection.

    Σ ln(1 + tf / (μ p)) + ln(μ / (l + μ)), in the letters of this module's docstring (Zhai and Lafferty, TOIS 2004)
    """
    smoothing = s.query.sum() * np.log(mu / (s.length + mu))
    return _sum(s.query, np.log1p(s.tf / (mu * s.share[:, None]))) + smoothing


def jelinek_mercer(s: Statistics, *, weight: float) -> Floats:
    """Return the query's log-likelihood with Jelinek-Mercer smoothing, minus that in the whole collection.

    Σ ln(1 + (1 - λ) tf / (λ l p)), in the letters of this module's docstring (Zhai and Lafferty, TOIS 2004). λ is
    ``weight``, the weight of the collection.
    """
    return _sum(s.query, np.log1p((1 - weight) / weight * s.tf / (s.length * s.share[:, None])))


def tf_idf(s: Statistics) -> Floats:
    """Return tf-idf, in the letters of this module's docstring: Σ tf · ln((N + 1) / n)."""
    return _sum(s.query * _idf(s), s.tf)


def log_tf_idf(s: Statistics) -> Floats:
    """Return tf-idf with logarithms of tf, divided by √l, in the letters of this module's docstring.

    Σ over tf > 0 of (1 + ln tf) · ln((N + 1) / n) / √l
    """
    return _sum(s.query * _idf(s), _log_tf(s)) / np.sqrt(s.length)


def pivoted(s: Statistics, *, slope: float) -> Floats:
    """Return tf-idf with pivoted lengths (Singhal et al., SIGIR 1996), in the letters of this module's docstring.

    Σ over tf > 0 of (1 + ln(1 + ln tf)) / (1 - σ + σ l / L) · ln((N + 1) / n), where σ is ``slope``
    """
    gain = np.where(s.tf > 0, 1 + np.log(np.maximum(_log_tf(s), 1.0)), 0.0)
    return _sum(s.query * _idf(s), gain) / _pivot(s, 1.0, slope)


def _sum(weight: Floats, gain: Floats) -> Floats:
    """Return the sum over T words of weight times gain for each of C elements; ``gain`` has the shape (T, C).

    A matrix product is avoided: its rounding depends on the position of an element, and equal elements must tie.
    """
    total = np.zeros(gain.shape[1])
    for word_weight, word_gain in zip(weight, gain, strict=True):
        total += word_weight * word_gain
    return total


def _pivot(s: Statistics, k1: float, b: float) -> Floats:
    """Return ``k1 (1 - b + b l / L)`` for each of C elements, an array of shape (C,)."""
    return k1 * (1 - b + b * s.length / s.mean_length)


def _idf(s: Statistics) -> Floats:
    return np.log((s.elements + 1) / np.maximum(s.holding, 1))


def _log_tf(s: Statistics) -> Floats:
    return np.where(s.tf > 0, 1 + np.log(np.maximum(s.tf, 1)), 0.0)


WEIGHTINGS: dict[str, Callable[..., Floats]] = {
    "robertson": robertson,
    "lucene": lucene,
    "bm25+": bm25_plus,
    "bm25l": bm25_l,
    "dirichlet": dirichlet,
    "jelinek-mercer": jelinek_mercer,
    "tf-idf": tf_idf,
    "log-tf-idf": log_tf_idf,
    "pivoted": pivoted,
}

#: weightings whose scores are log-probabilities
LOGARITHMIC = ("dirichlet", "jelinek-mercer")


def with_length_prior(scores: Floats, length: Floats, weighting: str, exponent: float) -> Floats:
    """Return scores under the assumption that relevance is proportional to a power of an element's length.

    Log-probabilities gain ``exponent · ln l``. Other scores are multiplied by ``(1 + ln l)`` to the power of the
    exponent. The exponent 0 changes nothing.
    """
    if exponent == 0:
        return scores
    if weighting in LOGARITHMIC:
        return scores + exponent * np.log(length)
    return scores * (1 + np.log(length)) ** exponent


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


class ElementKind(NamedTuple):
    """The elements of a kind that systems rank, in a collection of N elements."""

    member: Bools  #: (N,) whether an element is ranked; empty elements never are
    elements: int
    mean_length: float


@dataclass(frozen=True, eq=False)
class Index:
    """The occurrences of each term in the text of a collection of N elements.

    Positions count all indexed words of the collection, document after document.
    """

    term: dict[str, int]  #: number of each term
    first: Ints  #: (T + 1,) index of each term's first entry in ``position``, and finally the length of ``position``
    position: Ints  #: the sorted positions of the first term, then those of the second, and so on
    start: Ints  #: (N,) first position of each element
    end: Ints  #: (N,) first position after each element
    kinds: dict[str, ElementKind]  #: kinds of elements, by the names in `KINDS_OF_ELEMENTS`

    def positions(self, term: int) -> Ints:
        """Return the sorted positions of a term."""
        return self.position[self.first[term] : self.first[term + 1]]


class NumberedTexts(NamedTuple):
    """Texts whose words are replaced by numbers."""

    words_of: dict[str, Ints]  #: the words of each document, as indices into ``spelled``
    spelled: list[str]


def number_texts(texts: Iterable[tuple[str, str]]) -> NumberedTexts:
    """Number the words of some texts, given as (document name, text), by their first appearance.

    Several processes may number different texts.
    """
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    words_of: dict[str, Ints] = {
        name: np.array([numbers[word] for word in WORD.findall(text)], dtype=np.int32) for name, text in texts
    }
    return NumberedTexts(words_of, list(numbers))


class Terms(NamedTuple):
    """The words of a collection in order, document after document, with the terms under which they are indexed."""

    names: list[str]
    number: Ints  #: (W,) index into ``names`` of the term of each word; -1 for a stop word


def terms_of_texts(parts: Iterable[NumberedTexts], collection: Collection) -> Terms:
    """Return the terms of a collection's texts, which were numbered in parts, in any order.

    Words are maximal matches of ``\\w+``, lower-cased and stemmed. Raises InputError if the documents are not those of
    the collection, or if a text has a different number of words.
    """
    first, size = _places_of_words(collection)
    place_of = dict(zip(collection.names, first.tolist(), strict=True))
    number = np.empty(int(size.sum()), dtype=np.int32)
    names: dict[str, int] = {}
    term_of: dict[str, int] = {}  # the number of each word's term, by spelling
    lengths: dict[str, int] = {}
    for part in parts:
        new = [word for word in part.spelled if word not in term_of]
        stems = terms_of(new)
        term_of |= {
            word: -1 if stem is None else names.setdefault(stem, len(names))
            for word, stem in zip(new, stems, strict=True)
        }
        of_part = np.array([term_of[word] for word in part.spelled], dtype=np.int32)
        for name, words in part.words_of.items():
            lengths[name] = len(words)
            # words beyond the expected length are ignored here, because `_check_texts` refuses such a text
            if name in place_of:
                place = number[place_of[name] : place_of[name] + len(words)]
                place[:] = of_part[words[: len(place)]]
    _check_texts(lengths, collection)
    return Terms(list(names), number)


def _places_of_words(collection: Collection) -> tuple[Ints, Ints]:
    """Return the index of each document's first word in the collection, and its number of words."""
    if collection.unit != "words":
        raise ValueError(f"the index needs a collection in words, not in {collection.unit}")
    size = collection.size[collection.first[:-1]]
    return np.cumsum(size) - size, size


def index_terms(
    terms: Terms,
    collection: Collection,
    *,
    sections: Sequence[str] = SECTIONS,
    paragraphs: Sequence[str] = PARAGRAPHS,
) -> Index:
    """Index the terms of a collection; ``sections`` and ``paragraphs`` are the tags of these elements."""
    first, _ = _places_of_words(collection)
    indexed = terms.number[terms.number >= 0]
    before = sums_before(terms.number >= 0).astype(np.int32)
    opens = np.repeat(first, np.diff(collection.first)) + collection.start
    start, end = before[opens], before[opens + collection.size]
    return Index(
        term={name: place for place, name in enumerate(terms.names)},
        first=sums_before(np.bincount(indexed, minlength=len(terms.names))),
        position=np.argsort(indexed, kind="stable").astype(np.int32),
        start=start,
        end=end,
        kinds=_kinds(collection, end - start, sections, paragraphs),
    )


def _check_texts(lengths: dict[str, int], collection: Collection) -> None:
    sizes = dict(zip(collection.names, collection.size[collection.first[:-1]].tolist(), strict=True))
    remedy = "read texts and element tables from the same files"
    problems = [
        Problem(name, "", "it has a text, but no elements", remedy) for name in lengths if name not in sizes
    ]
    problems += [
        Problem(name, "", "it has elements, but no text", remedy) for name in sizes if name not in lengths
    ]
    problems += [
        Problem(name, "", f"its text has {length} words, but its elements have {sizes[name]}", remedy)
        for name, length in lengths.items()
        if length != sizes.get(name, length)
    ]
    if problems:
        raise InputError(problems)


def terms_of(words: Sequence[str]) -> list[str | None]:
    """Return the term under which each word is indexed; None for stop words."""
    lowered = [word.lower() for word in words]
    stems = Stemmer.Stemmer("english").stemWords(lowered)
    return [None if word in STOP_WORDS else stem for word, stem in zip(lowered, stems, strict=True)]


def _kinds(
    collection: Collection, length: Ints, sections: Sequence[str], paragraphs: Sequence[str]
) -> dict[str, ElementKind]:
    def tagged(tags: Sequence[str]) -> Bools:
        return collection.tags.isin(tags)[collection.tag]

    single = {
        "article": collection.parent < 0,
        "section": tagged(sections),
        "paragraph": tagged(paragraphs),
        "all": np.ones(len(collection), dtype=bool),
    }
    kinds = {}
    for name in KINDS_OF_ELEMENTS:
        member = np.logical_or.reduce([single[part] for part in name.split("-")]) & (length > 0)
        elements = int(member.sum())
        kinds[name] = ElementKind(member, elements, float(length[member].mean()) if elements else 0.0)
    return kinds
