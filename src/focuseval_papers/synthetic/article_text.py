"""Text for trees of articles, and the XML of both, column by column.

A block of articles is one sequence of items: opening tags, words, closing tags. The place of every
item follows from counts of elements and words; the XML is the items' spellings, taken in a row.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
import pyarrow as pa

from focuseval.model.arrays import Bools, Ints, ranges, sums_before
from focuseval_papers.synthetic.article_trees import INLINE, SYMBOLS, TAG_OF_SYMBOL, TAGS, Trees, symbols
from focuseval_papers.synthetic.concept_settings import Settings
from focuseval_papers.synthetic.vocabulary import NUMERALS, Vocabulary, drawn

#: symbols whose words are numerals
_NUMERIC = ("fno", "doi", "issn", "volno", "issno", "yr", "pp", "ref")

_DECLARATION = b'<?xml version="1.0" encoding="UTF-8"?>\n'


@dataclass(frozen=True, eq=False)
class Text:
    """The text of a block of articles, and where its elements are in it."""

    xml: list[bytes]  #: one document for each article
    start: Ints  #: (N,) in characters of the article's text
    end: Ints  #: (N,) in characters of the article's text


def write_text(
    rng: np.random.Generator,
    chosen: Settings,
    trees: Trees,
    holder: Ints,
    concept: Ints,
    vocabulary: Vocabulary,
) -> Text:
    """Write the articles. ``holder`` and ``concept`` are sorted pairs of a row and a concept it holds.

    Of the words of an element that holds k concepts, the first k express one each; of the others
    ``concept_share`` in a hundred express one of them. Any word may be noise; all else is background.
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
    # A word is followed by a space unless its element ends with it.
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
    """Places of the opening and closing tags of all elements in the sequence of items."""
    rows = np.arange(len(trees))
    words_before = sums_before(trees.words)
    items = 2 * (trees.last - rows) + words_before[trees.last] - words_before[rows]
    opening = 2 * rows + words_before[rows]  # right for roots
    for depth in range(1, int(trees.depth.max()) + 1):
        row = np.flatnonzero(trees.depth == depth)
        parent = trees.parent[row]
        elder = 2 * (row - parent - 1) + words_before[row] - words_before[parent + 1]
        opening[row] = opening[parent] + 1 + trees.before[row] + elder
    return opening, opening + items - 1


def _owners(trees: Trees, opening: Ints, closing: Ints, is_tag: Bools) -> tuple[Ints, Ints]:
    """The element each word belongs to, and which of its own words it is, in order of the text."""
    place = np.flatnonzero(is_tag)
    inside = np.empty(len(is_tag), dtype=np.int64)  # element that is open after a tag
    inside[opening] = np.arange(len(trees))
    inside[closing] = trees.parent
    reading = inside[place]
    count = np.diff(place, append=len(is_tag)) - 1  # words up to the next tag
    # numpy sorts up to 65,536 elements by radix, several times faster
    order = np.argsort(reading.astype(np.min_scalar_type(len(trees))), kind="stable")
    read = count[order]
    words_before = np.cumsum(trees.words) - trees.words
    first = np.empty(len(place), dtype=np.int64)  # which of its element's words is the first after a tag
    first[order] = np.cumsum(read) - read - words_before[reading[order]]
    owner = np.repeat(reading, count)
    return owner, ranges(count, first)


def _draw_words(
    rng: np.random.Generator,
    chosen: Settings,
    trees: Trees,
    owner: Ints,
    turn: Ints,
    holder: Ints,
    concept: Ints,
    vocabulary: Vocabulary,
) -> Ints:
    """Codes of the words, in order of the text."""
    words = drawn(rng, vocabulary.background, len(owner))
    stray = np.flatnonzero(rng.integers(0, 100, len(owner)) < chosen.noise)
    words[stray] = drawn(rng, vocabulary.topical, len(stray))

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
    """Spelling and length as text of every item code, and the codes of the first opening and closing tag.

    Codes: words with a space behind, words without, opening tags, closing tags. A closing tag has a
    space behind (inline elements) or a line feed, which is text of the parent.
    """
    inline = {name.split(".")[0] for name in INLINE}
    spaced = [word + " " for word in vocabulary.spelled]
    opened = [f"<{tag}>" for tag in TAGS]
    closed = [f"</{tag}> " if tag in inline else f"</{tag}>\n" for tag in TAGS]
    spellings = pa.array([*spaced, *vocabulary.spelled, *opened, *closed])
    words = [len(word) for word in spaced] + [len(word) for word in vocabulary.spelled]
    lengths = np.array([*words, *[0] * len(TAGS), *[1] * len(TAGS)], dtype=np.int64)
    return spellings, lengths, len(words), len(words) + len(TAGS)
