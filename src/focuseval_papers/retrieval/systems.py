"""The settings, the scores and the index of the retrieval systems, which replace the participants of a campaign.

Weightings are variants of BM25, language models and tf-idf. A weighting computes a score for each element from the
`Statistics` for one query, and a higher score is better. Elements without any word of the query are not scored. The
formulas use these symbols:

- tf: the number of occurrences of a word in the element;
- l, L: the length of the element (in indexed words), and the mean length of the elements that the system ranks;
- N, n: the number of elements that the system ranks, and the number of these elements that contain the word;
- p: the share of the word among all indexed words of the collection;
- Σ: the sum over the words of the query, in which repeated words count repeatedly.

The text of a collection is one sequence of words, and an element is an interval of this sequence. The occurrences of a
word in an element are counted with two binary searches in the word's sorted positions. Nested text is indexed only
once.
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
    """The settings of one retrieval system."""

    name: str
    weighting: str  #: the name of a weighting in `WEIGHTINGS`
    parameters: Mapping[str, float] = field(default_factory=dict)
    elements: str = "all"  #: the kind of elements to rank, from `KINDS_OF_ELEMENTS`
    prior: float = 0.0  #: the exponent of the length prior; 0 for none
    #: how overlap is removed: "keep", "nested", "enclosing" or "best" (`focuseval_papers.retrieval.search`)
    overlap: str = "keep"
    #: whether results are grouped by article, in the order of each article's best result
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

# The columns are the model, the elements, the exponent of the length prior, and the overlap. The model and
# the elements change from row to row, so that even the first few systems differ much. A quarter of the systems return
# results without overlap: they remove it, or rank only articles or only paragraphs (docs/campaigns.md).
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


#: sixty systems, which differ in the elements that they rank or in how they score elements
SYSTEMS: tuple[System, ...] = tuple(_system(line) for line in _TABLE.strip().splitlines())


#: exponents of length priors for `population`: none, usual, stronger, weaker
_PRIORS = ("0", "1", "2", "0.5")


def population(count: int, elements: Sequence[str] = ()) -> list[System]:
    """Return the first ``count`` systems: of `SYSTEMS`, or of new systems if kinds of ``elements`` are given.

    New systems combine models, kinds and length priors, and keep overlap. They are ordered by prior, kind and model.
    """
    lines = [f"{model} {kind} {prior} keep" for prior in _PRIORS for kind in elements for model in _MODELS]
    return [*map(_system, lines)][:count] if elements else [*SYSTEMS[:count]]


#: the kind of runs for which systems are used without changes
AS_DECLARED = "as-declared"

#: the kinds of runs for which `systems_for` adapts systems
KINDS = (AS_DECLARED, THOROUGH, FOCUSED, FETCH_AND_BROWSE, RELEVANT_IN_CONTEXT)


def systems_for(kind: str, systems: Sequence[System] = SYSTEMS) -> list[System]:
    """Adapt systems to a kind of runs. ``kind`` is one of `KINDS`, or another spelling of one of them.

    - ``as-declared``: systems do not change
    - ``thorough``: all systems keep overlap
    - ``focused``: systems that would keep overlap use ``best``
    - ``fetch-and-browse``, ``relevant-in-context``: as in ``focused``, and results are grouped by article

    Raises InputError for any other kind.
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
    """The counts from which weightings compute scores, for a query and the elements that contain any of its words."""

    tf: Floats  #: the number of occurrences of each word (row) in each element (column)
    length: Floats  #: the number of words in each element, without stop words
    query: Floats  #: the number of occurrences of each word in the query
    share: Floats  #: the share of each word among all indexed words of the collection
    elements: int  #: the number of elements that the system ranks
    holding: Ints  #: the number of ranked elements that contain each word
    mean_length: float  #: the mean length of the elements that the system ranks


def robertson(s: Statistics, *, k1: float, b: float) -> Floats:
    """Score elements by BM25 of Robertson et al. (Okapi at TREC-3, 1994). The module explains the symbols.

    Σ max(0, ln((N - n + ½) / (n + ½))) · tf (k1 + 1) / (tf + k1 (1 - b + b l / L))
    """
    idf = np.maximum(np.log((s.elements - s.holding + 0.5) / (s.holding + 0.5)), 0.0)
    return _sum(s.query * idf, s.tf * (k1 + 1) / (s.tf + _pivot(s, k1, b)))


def lucene(s: Statistics, *, k1: float, b: float) -> Floats:
    """Score elements by BM25 as in Apache Lucene (BM25Similarity). The module explains the symbols.

    Σ ln(1 + (N - n + ½) / (n + ½)) · tf / (tf + k1 (1 - b + b l / L))
    """
    idf = np.log1p((s.elements - s.holding + 0.5) / (s.holding + 0.5))
    return _sum(s.query * idf, s.tf / (s.tf + _pivot(s, k1, b)))


def bm25_plus(s: Statistics, *, k1: float, b: float, delta: float) -> Floats:
    """Score elements by BM25+ (Lv and Zhai, CIKM 2011).

    The symbols are explained at the beginning of the module. In addition, δ is ``delta``.

    Σ over tf > 0 of ln((N + 1) / n) · (δ + tf (k1 + 1) / (tf + k1 (1 - b + b l / L)))
    """
    gain = np.where(s.tf > 0, delta + s.tf * (k1 + 1) / (s.tf + _pivot(s, k1, b)), 0.0)
    return _sum(s.query * _idf(s), gain)


def bm25_l(s: Statistics, *, k1: float, b: float, delta: float) -> Floats:
    """Score elements by BM25L (Lv and Zhai, SIGIR 2011).

    The symbols are explained at the beginning of the module. In addition, δ is ``delta``.

    Σ over tf > 0 of ln((N + 1) / (n + ½)) · (k1 + 1)(c + δ) / (k1 + c + δ), with c = tf / (1 - b + b l / L)
    """
    raised = s.tf / _pivot(s, 1.0, b) + delta
    gain = np.where(s.tf > 0, (k1 + 1) * raised / (k1 + raised), 0.0)
    return _sum(s.query * np.log((s.elements + 1) / (s.holding + 0.5)), gain)


def dirichlet(s: Statistics, *, mu: float) -> Floats:
    """Score elements by a language model with Dirichlet smoothing (Zhai and Lafferty, TOIS 2004).

    The score is the log-likelihood of the query in the element, minus its log-likelihood in the whole collection. The
    symbols are explained at the beginning of the module. In addition, μ is ``mu``.

    Σ (ln(1 + tf / (μ p)) + ln(μ / (l + μ)))
    """
    smoothing = s.query.sum() * np.log(mu / (s.length + mu))
    return _sum(s.query, np.log1p(s.tf / (mu * s.share[:, None]))) + smoothing


def jelinek_mercer(s: Statistics, *, weight: float) -> Floats:
    """Score elements by a language model with Jelinek-Mercer smoothing (Zhai and Lafferty, TOIS 2004).

    The score is the log-likelihood of the query in the element, minus its log-likelihood in the whole collection. The
    symbols are explained at the beginning of the module. In addition, λ is ``weight``, the weight of the collection.

    Σ ln(1 + (1 - λ) tf / (λ l p))
    """
    return _sum(s.query, np.log1p((1 - weight) / weight * s.tf / (s.length * s.share[:, None])))


def tf_idf(s: Statistics) -> Floats:
    """Score elements by tf-idf. The module explains the symbols.

    Σ tf · ln((N + 1) / n)
    """
    return _sum(s.query * _idf(s), s.tf)


def log_tf_idf(s: Statistics) -> Floats:
    """Score elements by tf-idf with logarithmic tf, divided by the square root of the element's length.

    The symbols are explained at the beginning of the module.

    Σ over tf > 0 of (1 + ln tf) · ln((N + 1) / n) / √l
    """
    return _sum(s.query * _idf(s), _log_tf(s)) / np.sqrt(s.length)


def pivoted(s: Statistics, *, slope: float) -> Floats:
    """Score elements by tf-idf with pivoted lengths (Singhal et al., SIGIR 1996).

    The symbols are explained at the beginning of the module. In addition, σ is ``slope``.

    Σ over tf > 0 of (1 + ln(1 + ln tf)) / (1 - σ + σ l / L) · ln((N + 1) / n)
    """
    gain = np.where(s.tf > 0, 1 + np.log(np.maximum(_log_tf(s), 1.0)), 0.0)
    return _sum(s.query * _idf(s), gain) / _pivot(s, 1.0, slope)


def _sum(weight: Floats, gain: Floats) -> Floats:
    """Return ``weight @ gain`` for T words and C elements; ``gain`` has the shape (T, C).

    The sum is computed word by word, so that equal elements have equal scores. In a matrix product, rounding depends on
    the position of an element.
    """
    total = np.zeros(gain.shape[1])
    for word_weight, word_gain in zip(weight, gain, strict=True):
        total += word_weight * word_gain
    return total


def _pivot(s: Statistics, k1: float, b: float) -> Floats:
    """Return the factor ``k1 (1 - b + b l / L)``, which corrects tf for the length of each element."""
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

#: the weightings whose scores are log-probabilities
LOGARITHMIC = ("dirichlet", "jelinek-mercer")


def with_length_prior(scores: Floats, length: Floats, weighting: str, exponent: float) -> Floats:
    """Return scores with a length prior, which raises the scores of longer elements. An element's length is l.

    If scores are log-probabilities, ``exponent · ln l`` is added. Other scores are multiplied by ``(1 + ln l) **
    exponent``.
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

#: the default tags of sections, from INEX's IEEE collection
SECTIONS = ("sec", "ss1", "ss2", "ss3", "abs", "app")
#: the default tags of paragraphs, from INEX's IEEE collection
PARAGRAPHS = ("p", "p1", "ip1", "ip2", "ilrj")


class ElementKind(NamedTuple):
    """A kind of elements that systems can rank, with the number of elements and their mean length."""

    member: Bools  #: whether each element of the collection is of this kind; empty elements never are
    elements: int
    mean_length: float


@dataclass(frozen=True, eq=False)
class Index:
    """The occurrences of terms in the text of a collection.

    A position is the number of an indexed word, counted through all documents of the collection.
    """

    term: dict[str, int]  #: the number that identifies each term
    first: Ints  #: where each term begins in ``position``, and finally the length of ``position``
    position: Ints  #: the sorted positions of the first term, then of the second, and so on
    start: Ints  #: the first position in each element
    end: Ints  #: the first position after each element
    kinds: dict[str, ElementKind]  #: the kinds of elements, by the names in `KINDS_OF_ELEMENTS`

    def positions(self, term: int) -> Ints:
        """Return the sorted positions of the term with the number ``term``."""
        return self.position[self.first[term] : self.first[term + 1]]


class NumberedTexts(NamedTuple):
    """The words of documents as numbers, and the spelling of each number."""

    words_of: dict[str, Ints]  #: the words of each document, as indices into ``spelled``
    spelled: list[str]


def number_texts(texts: Iterable[tuple[str, str]]) -> NumberedTexts:
    """Replace words by numbers, in the order in which words first appear.

    A text is a pair of a document's name and its content.
    """
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    words_of: dict[str, Ints] = {
        name: np.array([numbers[word] for word in WORD.findall(text)], dtype=np.int32) for name, text in texts
    }
    return NumberedTexts(words_of, list(numbers))


class Terms(NamedTuple):
    """The term of each word of a collection: its lower-cased stem, under which it is indexed."""

    names: list[str]
    number: Ints  #: for each word, the index of its term in ``names``; -1 for a stop word


def terms_of_texts(parts: Iterable[NumberedTexts], collection: Collection) -> Terms:
    """Return the terms of all words of a collection, lower-cased and stemmed.

    The documents may be distributed over ``parts`` in any order. Raises InputError if documents are missing or unknown,
    or if a text does not have as many words as the collection states.
    """
    first, size = _places_of_words(collection)
    place_of = dict(zip(collection.names, first.tolist(), strict=True))
    number = np.empty(int(size.sum()), dtype=np.int32)
    names: dict[str, int] = {}
    term_of: dict[str, int] = {}  # the number of each word's term, by the word's spelling
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
            # a text that is too long is cut here, and then refused by `_check_texts`
            if name in place_of:
                place = number[place_of[name] : place_of[name] + len(words)]
                place[:] = of_part[words[: len(place)]]
    _check_texts(lengths, collection)
    return Terms(list(names), number)


def _places_of_words(collection: Collection) -> tuple[Ints, Ints]:
    """Return the index of each document's first word in the collection, and the document's number of words."""
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
    """Index the terms of a collection, where ``sections`` and ``paragraphs`` are the tags of such elements."""
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
    no_elements, no_text = (
        "the document has a text, but no elements",
        "the document has elements, but no text",
    )
    problems = [Problem(name, "", no_elements, remedy) for name in lengths if name not in sizes]
    problems += [Problem(name, "", no_text, remedy) for name in sizes if name not in lengths]
    problems += [
        Problem(name, "", f"the text has {length} words, but the elements have {sizes[name]}", remedy)
        for name, length in lengths.items()
        if length != sizes.get(name, length)
    ]
    if problems:
        raise InputError(problems)


def terms_of(words: Sequence[str]) -> list[str | None]:
    """Return the term under which each word is indexed, or None for a stop word."""
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
