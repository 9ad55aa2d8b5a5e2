"""Random articles, generated as columns: words, trees of elements, and the text of the articles as XML.

*Words* are pronounceable ASCII, and their frequencies follow a law like Zipf's. All weights and draws are integers, so
the articles are the same on every machine. *Trees* follow a grammar of IEEE's or Wikipedia's articles. The grammar
declares the children of each element and the number of its own words. Trees grow level by level, for many articles at
once. The *text* of a block of articles is one sequence of items: opening tags, words and closing tags.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa

from focuseval.model.arrays import Bools, Ints, changes, ranges, sums_before
from focuseval_papers.synthetic.concept_settings import ConceptSettings

_SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprtvz" for vowel in "aeiou"]

#: stop words: the most frequent words of the generated text
FUNCTION_WORDS = ("the", "of", "and", "to", "in", "a", "is", "for", "that", "with", "on", "by", "as", "are")

NUMERALS = 1_000

#: indices of a concept's six words, repeated so that a uniform draw prefers the first words
_CHOICE = np.array([0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 5])


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The words of a synthetic campaign's articles. The code of a word is its index in ``spelled``."""

    spelled: list[str]  #: numerals, then background words by rank, then topical words
    background: Ints  #: codes of background words, repeated so that a uniform draw follows Zipf's law
    topical: Ints  #: codes of all topical words
    concepts: Ints  #: a row for each concept, with the codes of the six words that express it

    def express(self, rng: np.random.Generator, concept: Ints) -> Ints:
        """Draw one word for each given concept, and return the codes of the words."""
        return self.concepts[concept, draw_codes(rng, _CHOICE, len(concept))]


def draw_codes(rng: np.random.Generator, codes: Ints, count: int) -> Ints:
    """Draw ``count`` of the word codes in ``codes`` uniformly, with replacement."""
    return codes[rng.integers(0, len(codes), count)]


def make_vocabulary(
    rng: np.random.Generator, background: int, concepts: int, *, ambiguity: int
) -> Vocabulary:
    """Make the words of a synthetic campaign. Each topical word expresses ``ambiguity`` concepts on average."""
    per_concept = int(_CHOICE.max()) + 1
    topical = max(concepts * per_concept // ambiguity, 2 * per_concept)
    common = list(FUNCTION_WORDS[:background])
    spelled = [str(number) for number in range(NUMERALS)] + common
    spelled += [_spell(int(number)) for number in rng.permutation(background - len(common) + topical)]
    first_topical = NUMERALS + background
    # each concept takes words at equal steps through the topical words, so that its words differ
    start = rng.integers(0, topical, concepts)
    step = rng.integers(1, topical // per_concept + 1, concepts)
    words = (start[:, None] + step[:, None] * np.arange(per_concept)) % topical
    return Vocabulary(
        spelled=spelled,
        background=NUMERALS + _zipf_table(background),
        topical=first_topical + np.arange(topical),
        concepts=first_topical + words,
    )


def _spell(number: int) -> str:
    """Spell a number as a word of two or more syllables; distinct numbers give distinct words."""
    number += len(_SYLLABLES)
    word = ""
    while number:
        number, syllable = divmod(number, len(_SYLLABLES))
        word = _SYLLABLES[syllable] + word
    return word


def _zipf_table(words: int) -> Ints:
    """Return a table of word ranks in which the rank r (from 0) occurs in proportion to 1 / (r + 4)."""
    length, total = 1 << 18, np.cumsum(10**9 // (np.arange(words, dtype=np.int64) + 4))
    return np.searchsorted(total, np.arange(length, dtype=np.int64) * total[-1] // length, side="right")


class Expansion(NamedTuple):
    """The content of elements with one symbol of the grammar. Their tag is the symbol up to its first dot."""

    words: tuple[int, int]  #: minimum and maximum number of the element's own words
    children: tuple[tuple[str, int, int], ...] = ()  #: symbol, minimum and maximum number, in document order


_NONE = (0, 0)
_INLINE = (("it", 0, 1), ("ref", 0, 1), ("b", 0, 1), ("tf", 0, 1))

#: symbols of inline elements, which occur inside the text of their parent
INLINE = ("it", "ref", "b", "tf", "scp", "collectionlink", "emph2")

#: symbols of paragraphs, the elements in which concepts are placed
PARAGRAPHS = ("p", "p.li", "p.abs", "p.wiki", "item")

#: the symbol of an article's root in each grammar
ROOTS = {"ieee": "article", "wikipedia": "article.wiki"}

GRAMMAR: dict[str, Expansion] = {
    "article": Expansion(_NONE, (("fno", 1, 1), ("doi", 1, 1), ("fm", 1, 1), ("bdy", 1, 1), ("bm", 1, 1))),
    "fno": Expansion((1, 1)),
    "doi": Expansion((2, 2)),
    "fm": Expansion(_NONE, (("hdr", 1, 1), ("tig", 1, 1), ("au.fm", 1, 4), ("abs", 1, 1), ("kwd", 0, 1))),
    "hdr": Expansion(_NONE, (("hdr1", 1, 1), ("hdr2", 1, 1))),
    "hdr1": Expansion(_NONE, (("ti", 1, 1), ("crt", 1, 1))),
    "crt": Expansion((2, 4), (("issn", 1, 1), ("cci", 1, 1))),
    "hdr2": Expansion(_NONE, (("obi", 1, 1), ("pdt", 1, 1), ("pp", 1, 1))),
    "issn": Expansion((2, 2)),
    "cci": Expansion((2, 4)),
    "obi": Expansion(_NONE, (("volno", 1, 1), ("issno", 1, 1))),
    "volno": Expansion((2, 2)),
    "issno": Expansion((2, 2)),
    "pdt": Expansion(_NONE, (("mo", 1, 1), ("yr", 1, 1))),
    "mo": Expansion((1, 1)),
    "yr": Expansion((1, 1)),
    "pp": Expansion((2, 3)),
    "tig": Expansion(_NONE, (("atl.tig", 1, 1), ("pn", 1, 1))),
    "atl.tig": Expansion((5, 11)),
    "pn": Expansion((2, 3)),
    "au.fm": Expansion(_NONE, (("fnm", 1, 1), ("snm", 1, 1), ("aff", 0, 1))),
    "aff": Expansion(_NONE, (("onm", 1, 1), ("cty", 1, 1))),
    "onm": Expansion((3, 6)),
    "cty": Expansion((1, 2)),
    "fnm": Expansion((1, 2)),
    "snm": Expansion((1, 1)),
    "abs": Expansion(_NONE, (("p.abs", 1, 1),)),
    "p.abs": Expansion((60, 140)),
    "kwd": Expansion(_NONE, (("p.kwd", 1, 1),)),
    "p.kwd": Expansion((4, 12)),
    "bdy": Expansion(_NONE, (("sec", 2, 6),)),
    "sec": Expansion(_NONE, (("st", 1, 1), ("p", 1, 2), ("list", 0, 1), ("p", 0, 2), ("ss1", 0, 3))),
    "ss1": Expansion(_NONE, (("st", 1, 1), ("p", 1, 3), ("tbl", 0, 1), ("p", 0, 1), ("ss2", 0, 3))),
    "ss2": Expansion(_NONE, (("st", 1, 1), ("p", 1, 3), ("list", 0, 1), ("p", 0, 1), ("tbl", 0, 1))),
    "st": Expansion((2, 6)),
    "p": Expansion((20, 70), (*_INLINE, ("scp", 0, 1))),
    "it": Expansion((1, 3)),
    "ref": Expansion((1, 1)),
    "b": Expansion((1, 2)),
    "tf": Expansion((1, 3)),
    "scp": Expansion((1, 1)),
    "list": Expansion(_NONE, (("li", 2, 6),)),
    "li": Expansion(_NONE, (("p.li", 1, 1),)),
    "p.li": Expansion((8, 30), _INLINE),
    "tbl": Expansion(_NONE, (("title", 1, 1), ("tgroup", 1, 1))),
    "title": Expansion((3, 10)),
    "tgroup": Expansion(_NONE, (("thead", 1, 1), ("tbody", 1, 1))),
    "thead": Expansion(_NONE, (("row", 1, 1),)),
    "tbody": Expansion(_NONE, (("row", 2, 5),)),
    "row": Expansion(_NONE, (("entry", 3, 4),)),
    "entry": Expansion((1, 3)),
    "bm": Expansion(_NONE, (("ack", 0, 1), ("bib", 1, 1), ("vt", 1, 3))),
    "ack": Expansion(_NONE, (("p.ack", 1, 1),)),
    "p.ack": Expansion((15, 40)),
    "bib": Expansion(_NONE, (("bibl", 1, 1),)),
    "bibl": Expansion(_NONE, (("h", 1, 1), ("bb", 3, 14))),
    "h": Expansion((1, 1)),
    "bb": Expansion(
        _NONE, (("au.bb", 1, 3), ("atl", 1, 1), ("ti", 1, 1), ("obi", 0, 1), ("pp", 0, 1), ("pdt", 1, 1))
    ),
    "au.bb": Expansion(_NONE, (("fnm", 1, 1), ("snm", 1, 1))),
    "atl": Expansion((4, 10)),
    "ti": Expansion((2, 5)),
    "vt": Expansion(_NONE, (("p.vt", 1, 1),)),
    "p.vt": Expansion((30, 80)),
    "article.wiki": Expansion(_NONE, (("name", 1, 1), ("body", 1, 1))),
    "name": Expansion((1, 4)),
    "body": Expansion(_NONE, (("p.wiki", 1, 2), ("figure", 0, 1), ("section", 0, 4))),
    "section": Expansion(_NONE, (("title.wiki", 1, 1), ("p.wiki", 0, 1), ("section.sub", 1, 3))),
    "section.sub": Expansion(_NONE, (("title.wiki", 1, 1), ("p.wiki", 0, 2), ("section.deep", 0, 2))),
    "section.deep": Expansion(
        _NONE, (("title.wiki", 1, 1), ("p.wiki", 1, 3), ("normallist", 0, 1), ("table", 0, 2))
    ),
    "title.wiki": Expansion((1, 4)),
    "figure": Expansion(_NONE, (("caption", 1, 1),)),
    "caption": Expansion((4, 12)),
    "p.wiki": Expansion((20, 90), (("collectionlink", 0, 4), ("emph2", 0, 1))),
    "normallist": Expansion(_NONE, (("item", 2, 5),)),
    "item": Expansion((4, 20), (("collectionlink", 0, 2),)),
    "table": Expansion(_NONE, (("row.wiki", 2, 4),)),
    "row.wiki": Expansion(_NONE, (("cell", 2, 4),)),
    "cell": Expansion((1, 3), (("collectionlink", 0, 1),)),
    "collectionlink": Expansion((1, 3)),
    "emph2": Expansion((1, 2)),
}

SYMBOLS = tuple(GRAMMAR)
TAGS = tuple(dict.fromkeys(symbol.split(".")[0] for symbol in SYMBOLS))
TAG_OF_SYMBOL = np.array([TAGS.index(symbol.split(".")[0]) for symbol in SYMBOLS])


def symbols(names: tuple[str, ...]) -> Ints:
    """Return the code of each symbol in ``names``: its index in `SYMBOLS`."""
    return np.array([SYMBOLS.index(name) for name in names])


@dataclass(frozen=True, eq=False)
class Trees:
    """The elements of several articles in document order; each column except ``first`` has a row for each element."""

    first: Ints  #: row of each article's root; the last value is the number of elements
    symbol: Ints  #: code of the element's symbol (`symbols`)
    parent: Ints  #: row of the parent, -1 for roots
    last: Ints  #: first row after the element and its descendants
    depth: Ints  #: number of ancestors
    position: Ints  #: position among the siblings of the same tag, counted from 1
    words: Ints  #: number of words in the element but outside its children
    before: Ints  #: how many of the parent's own words precede the element

    def __len__(self) -> int:
        return len(self.parent)

    def path(self, row: int) -> str:
        """Return the XPath of the element in a row, with a position in every step."""
        steps: list[str] = []
        while row >= 0:
            steps.append(f"/{TAGS[TAG_OF_SYMBOL[self.symbol[row]]]}[{self.position[row]}]")
            row = int(self.parent[row])
        return "".join(reversed(steps))


def _children(rng: np.random.Generator, symbol: Ints) -> tuple[Ints, Ints]:
    """Draw the children of elements, in document order.

    Returns the parent of each child, as an index in ``symbol``, and the symbol of each child.
    """
    parents, slots, children = [], [], []
    for code in np.unique(symbol):
        rows = np.flatnonzero(symbol == code)
        for place, (name, least, most) in enumerate(GRAMMAR[SYMBOLS[code]].children):
            many = np.repeat(rows, rng.integers(least, most + 1, len(rows)))
            parents.append(many)
            slots.append(np.full(len(many), place))
            children.append(np.full(len(many), SYMBOLS.index(name)))
    if not parents:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    parent, slot, child = (np.concatenate(column) for column in (parents, slots, children))
    order = np.lexsort((slot, parent))
    return parent[order], child[order]


def grow_trees(rng: np.random.Generator, articles: int, root: str = "article") -> Trees:
    """Draw the trees of ``articles`` articles, whose roots have the symbol ``root``."""
    level_symbols = [np.full(articles, SYMBOLS.index(root))]
    level_parents = [np.full(articles, -1)]
    while len(level_symbols[-1]):
        parent, child = _children(rng, level_symbols[-1])
        level_symbols.append(child)
        level_parents.append(parent)

    sizes = [np.ones(len(level), dtype=np.int64) for level in level_symbols]
    for depth in range(len(sizes) - 1, 0, -1):
        np.add.at(sizes[depth - 1], level_parents[depth], sizes[depth])
    rows = [np.cumsum(sizes[0]) - sizes[0]]
    for depth in range(1, len(sizes)):
        parent, size = level_parents[depth], sizes[depth]
        earlier = np.cumsum(size) - size
        opens = np.flatnonzero(changes(parent))
        elder = np.repeat(earlier[opens], np.diff(opens, append=len(parent)))
        rows.append(rows[depth - 1][parent] + 1 + earlier - elder)

    count = int(sizes[0].sum())
    row = np.concatenate(rows)
    symbol, parent, depths, last = (np.empty(count, dtype=np.int64) for _ in range(4))
    symbol[row] = np.concatenate(level_symbols)
    parent[rows[0]] = -1
    for depth in range(1, len(rows)):
        parent[rows[depth]] = rows[depth - 1][level_parents[depth]]
    depths[row] = np.repeat(np.arange(len(rows)), [len(level) for level in rows])
    last[row] = row + np.concatenate(sizes)

    siblings = pd.DataFrame({"parent": parent, "tag": TAG_OF_SYMBOL[symbol]}).groupby(["parent", "tag"])
    least, most = np.array([shape.words for shape in GRAMMAR.values()]).T
    words = rng.integers(least[symbol], most[symbol] + 1)
    return Trees(
        first=np.append(rows[0], count),
        symbol=symbol,
        parent=parent,
        last=last,
        depth=depths,
        position=np.where(parent >= 0, siblings.cumcount(), 0) + 1,
        words=words,
        before=_inline_places(rng, symbol, parent, words),
    )


def _inline_places(rng: np.random.Generator, symbol: Ints, parent: Ints, words: Ints) -> Ints:
    """Draw how many of the parent's own words precede each inline element; return 0 for other elements."""
    before = np.zeros(len(parent), dtype=np.int64)
    inline = np.flatnonzero(np.isin(symbol, symbols(INLINE)))
    place = rng.integers(1, words[parent[inline]] + 1)
    # siblings are in document order, so their numbers must ascend
    before[inline] = place[np.lexsort((place, parent[inline]))]
    return before


#: symbols of elements whose own words are numerals
_NUMERIC = ("fno", "doi", "issn", "volno", "issno", "yr", "pp", "ref")

_DECLARATION = b'<?xml version="1.0" encoding="UTF-8"?>\n'


@dataclass(frozen=True, eq=False)
class Text:
    """The XML documents of a block of articles, and the offsets of their elements."""

    xml: list[bytes]  #: the articles as XML documents
    start: Ints  #: start of each element in its article's text, in characters
    end: Ints  #: end of each element in its article's text, in characters


def write_text(
    rng: np.random.Generator,
    chosen: ConceptSettings,
    trees: Trees,
    holder: Ints,
    concept: Ints,
    vocabulary: Vocabulary,
) -> Text:
    """Write the text of articles so that it expresses the concepts of their elements.

    ``holder`` is the row of an element, and ``concept`` is one of its concepts; the pairs are sorted. In an element
    with k concepts, the first k words express one concept each. Of its other words, ``concept_share`` per cent express
    a concept of the element.
    """
    opening, closing = _places(trees)
    items = 2 * len(trees) + int(trees.words.sum())
    is_tag = np.zeros(items, dtype=bool)
    is_tag[opening] = is_tag[closing] = True
    owner, turn = _owners(trees, opening, closing, is_tag)

    tag = TAG_OF_SYMBOL[trees.symbol]
    spellings, lengths, first_open, first_close = _spellings(vocabulary)
    code = np.empty(items, dtype=np.int64)
    code[opening] = first_open + tag
    code[closing] = first_close + tag
    words = _draw_words(rng, chosen, trees, owner, turn, holder, concept, vocabulary)
    # a word directly before a closing tag has no space after it
    code[~is_tag] = words
    last = closing - 1
    code[last[~is_tag[last]]] += len(vocabulary.spelled)

    text_before = sums_before(lengths[code])
    root = opening[trees.first[:-1]]
    base = np.repeat(text_before[root], np.diff(trees.first))
    _, offsets, spelled = spellings.take(pa.array(code)).buffers()
    bounds = np.frombuffer(offsets, dtype=np.int32)[[*root, items]]
    xml = [_DECLARATION + spelled[low:high].to_pybytes() for low, high in pairwise(bounds.tolist())]
    return Text(xml=xml, start=text_before[opening] - base, end=text_before[closing] - base)


def _places(trees: Trees) -> tuple[Ints, Ints]:
    """Return the positions of each element's opening tag and closing tag in the sequence of tags and words."""
    rows = np.arange(len(trees))
    words_before = sums_before(trees.words)
    items = 2 * (trees.last - rows) + words_before[trees.last] - words_before[rows]
    # only the positions of roots are final; the loop computes all others
    opening = 2 * rows + words_before[rows]
    for depth in range(1, int(trees.depth.max()) + 1):
        row = np.flatnonzero(trees.depth == depth)
        parent = trees.parent[row]
        elder = 2 * (row - parent - 1) + words_before[row] - words_before[parent + 1]
        opening[row] = opening[parent] + 1 + trees.before[row] + elder
    return opening, opening + items - 1


def _owners(trees: Trees, opening: Ints, closing: Ints, is_tag: Bools) -> tuple[Ints, Ints]:
    """For each word in text order, return its element and the number of the element's own words before it."""
    place = np.flatnonzero(is_tag)
    inside = np.empty(len(is_tag), dtype=np.int64)  # the element that contains the text after each tag
    inside[opening] = np.arange(len(trees))
    inside[closing] = trees.parent
    reading = inside[place]
    count = np.diff(place, append=len(is_tag)) - 1  # number of words before the next tag
    # NumPy sorts 16-bit integers several times faster than larger ones
    order = np.argsort(reading.astype(np.min_scalar_type(len(trees))), kind="stable")
    read = count[order]
    words_before = np.cumsum(trees.words) - trees.words
    # for each tag: how many earlier words belong to the element whose text continues after the tag
    first = np.empty(len(place), dtype=np.int64)
    first[order] = np.cumsum(read) - read - words_before[reading[order]]
    owner = np.repeat(reading, count)
    return owner, ranges(count, first)


def _draw_words(
    rng: np.random.Generator,
    chosen: ConceptSettings,
    trees: Trees,
    owner: Ints,
    turn: Ints,
    holder: Ints,
    concept: Ints,
    vocabulary: Vocabulary,
) -> Ints:
    """Draw the words of articles so that they express the concepts of elements. Return the codes in text order."""
    words = draw_codes(rng, vocabulary.background, len(owner))
    stray = np.flatnonzero(rng.integers(0, 100, len(owner)) < chosen.noise)
    words[stray] = draw_codes(rng, vocabulary.topical, len(stray))

    in_table = (trees.symbol == SYMBOLS.index("entry"))[owner]
    numeric = np.isin(trees.symbol, symbols(_NUMERIC))[owner]
    numeric |= in_table & (rng.integers(0, 2, len(owner)) == 0)
    numerals = np.flatnonzero(numeric)
    words[numerals] = rng.integers(0, NUMERALS, len(numerals))

    held = np.bincount(holder, minlength=len(trees))
    first = np.cumsum(held) - held
    bearing = np.flatnonzero((held > 0)[owner])
    expressed = (turn[bearing] < held[owner[bearing]]) | (
        rng.integers(0, 100, len(bearing)) < chosen.concept_share
    )
    bearing = bearing[expressed]
    among = held[owner[bearing]]
    choice = np.where(turn[bearing] < among, turn[bearing], rng.integers(0, 1 << 30, len(bearing)) % among)
    words[bearing] = vocabulary.express(rng, concept[first[owner[bearing]] + choice])
    return words


@lru_cache(maxsize=4)
def _spellings(vocabulary: Vocabulary) -> tuple[pa.Array, Ints, int, int]:
    """Return the spelling and length of each code, and the codes of the first opening and the first closing tag.

    The codes are words with a space, words without a space, opening tags and closing tags, in this order. An opening
    tag has the length 0. A closing tag has the length 1, for the space or line feed after it.
    """
    inline = {name.split(".")[0] for name in INLINE}
    spaced = [word + " " for word in vocabulary.spelled]
    opened = [f"<{tag}>" for tag in TAGS]
    closed = [f"</{tag}> " if tag in inline else f"</{tag}>\n" for tag in TAGS]
    spellings = pa.array([*spaced, *vocabulary.spelled, *opened, *closed])
    words = [len(word) for word in spaced] + [len(word) for word in vocabulary.spelled]
    lengths = np.array([*words, *[0] * len(TAGS), *[1] * len(TAGS)], dtype=np.int64)
    return spellings, lengths, len(words), len(words) + len(TAGS)
