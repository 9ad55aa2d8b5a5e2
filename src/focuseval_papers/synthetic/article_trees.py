"""Articles as trees without text, drawn column by column: the shape of IEEE's articles, or of Wikipedia's.

A grammar says which elements an element holds, in which order and how many at least and at most,
and how many words of its own it has. Trees are grown level by level for many articles at once.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from focuseval.model.arrays import Ints, changes


class Shape(NamedTuple):
    """What a symbol of the grammar expands to. Its tag is the symbol's name up to the first dot."""

    words: tuple[int, int]  #: least and most words of own text
    children: tuple[tuple[str, int, int], ...] = ()  #: symbol, least and most, in document order


_NONE = (0, 0)
_INLINE = (("it", 0, 1), ("ref", 0, 1), ("b", 0, 1), ("tf", 0, 1))

#: symbols whose elements stand within the text of their parent (mixed content)
INLINE = ("it", "ref", "b", "tf", "scp", "collectionlink", "emph2")

#: symbols of running text, which may hold concepts; inline elements share those of their parent
PARAGRAPHS = ("p", "p.li", "p.abs", "p.wiki", "item")

#: the symbol that an article of a collection grows from
ROOTS = {"ieee": "article", "wikipedia": "article.wiki"}

GRAMMAR: dict[str, Shape] = {
    "article": Shape(_NONE, (("fno", 1, 1), ("doi", 1, 1), ("fm", 1, 1), ("bdy", 1, 1), ("bm", 1, 1))),
    "fno": Shape((1, 1)),
    "doi": Shape((2, 2)),
    "fm": Shape(_NONE, (("hdr", 1, 1), ("tig", 1, 1), ("au.fm", 1, 4), ("abs", 1, 1), ("kwd", 0, 1))),
    "hdr": Shape(_NONE, (("hdr1", 1, 1), ("hdr2", 1, 1))),
    "hdr1": Shape(_NONE, (("ti", 1, 1), ("crt", 1, 1))),
    "crt": Shape((2, 4), (("issn", 1, 1), ("cci", 1, 1))),
    "hdr2": Shape(_NONE, (("obi", 1, 1), ("pdt", 1, 1), ("pp", 1, 1))),
    "issn": Shape((2, 2)),
    "cci": Shape((2, 4)),
    "obi": Shape(_NONE, (("volno", 1, 1), ("issno", 1, 1))),
    "volno": Shape((2, 2)),
    "issno": Shape((2, 2)),
    "pdt": Shape(_NONE, (("mo", 1, 1), ("yr", 1, 1))),
    "mo": Shape((1, 1)),
    "yr": Shape((1, 1)),
    "pp": Shape((2, 3)),
    "tig": Shape(_NONE, (("atl.tig", 1, 1), ("pn", 1, 1))),
    "atl.tig": Shape((5, 11)),
    "pn": Shape((2, 3)),
    "au.fm": Shape(_NONE, (("fnm", 1, 1), ("snm", 1, 1), ("aff", 0, 1))),
    "aff": Shape(_NONE, (("onm", 1, 1), ("cty", 1, 1))),
    "onm": Shape((3, 6)),
    "cty": Shape((1, 2)),
    "fnm": Shape((1, 2)),
    "snm": Shape((1, 1)),
    "abs": Shape(_NONE, (("p.abs", 1, 1),)),
    "p.abs": Shape((60, 140)),
    "kwd": Shape(_NONE, (("p.kwd", 1, 1),)),
    "p.kwd": Shape((4, 12)),
    "bdy": Shape(_NONE, (("sec", 2, 6),)),
    "sec": Shape(_NONE, (("st", 1, 1), ("p", 1, 2), ("list", 0, 1), ("p", 0, 2), ("ss1", 0, 3))),
    "ss1": Shape(_NONE, (("st", 1, 1), ("p", 1, 3), ("tbl", 0, 1), ("p", 0, 1), ("ss2", 0, 3))),
    "ss2": Shape(_NONE, (("st", 1, 1), ("p", 1, 3), ("list", 0, 1), ("p", 0, 1), ("tbl", 0, 1))),
    "st": Shape((2, 6)),
    "p": Shape((20, 70), (*_INLINE, ("scp", 0, 1))),
    "it": Shape((1, 3)),
    "ref": Shape((1, 1)),
    "b": Shape((1, 2)),
    "tf": Shape((1, 3)),
    "scp": Shape((1, 1)),
    "list": Shape(_NONE, (("li", 2, 6),)),
    "li": Shape(_NONE, (("p.li", 1, 1),)),
    "p.li": Shape((8, 30), _INLINE),
    "tbl": Shape(_NONE, (("title", 1, 1), ("tgroup", 1, 1))),
    "title": Shape((3, 10)),
    "tgroup": Shape(_NONE, (("thead", 1, 1), ("tbody", 1, 1))),
    "thead": Shape(_NONE, (("row", 1, 1),)),
    "tbody": Shape(_NONE, (("row", 2, 5),)),
    "row": Shape(_NONE, (("entry", 3, 4),)),
    "entry": Shape((1, 3)),
    "bm": Shape(_NONE, (("ack", 0, 1), ("bib", 1, 1), ("vt", 1, 3))),
    "ack": Shape(_NONE, (("p.ack", 1, 1),)),
    "p.ack": Shape((15, 40)),
    "bib": Shape(_NONE, (("bibl", 1, 1),)),
    "bibl": Shape(_NONE, (("h", 1, 1), ("bb", 3, 14))),
    "h": Shape((1, 1)),
    "bb": Shape(
        _NONE, (("au.bb", 1, 3), ("atl", 1, 1), ("ti", 1, 1), ("obi", 0, 1), ("pp", 0, 1), ("pdt", 1, 1))
    ),
    "au.bb": Shape(_NONE, (("fnm", 1, 1), ("snm", 1, 1))),
    "atl": Shape((4, 10)),
    "ti": Shape((2, 5)),
    "vt": Shape(_NONE, (("p.vt", 1, 1),)),
    "p.vt": Shape((30, 80)),
    "article.wiki": Shape(_NONE, (("name", 1, 1), ("body", 1, 1))),
    "name": Shape((1, 4)),
    "body": Shape(_NONE, (("p.wiki", 1, 2), ("figure", 0, 1), ("section", 0, 4))),
    "section": Shape(_NONE, (("title.wiki", 1, 1), ("p.wiki", 0, 1), ("section.sub", 1, 3))),
    "section.sub": Shape(_NONE, (("title.wiki", 1, 1), ("p.wiki", 0, 2), ("section.deep", 0, 2))),
    "section.deep": Shape(
        _NONE, (("title.wiki", 1, 1), ("p.wiki", 1, 3), ("normallist", 0, 1), ("table", 0, 2))
    ),
    "title.wiki": Shape((1, 4)),
    "figure": Shape(_NONE, (("caption", 1, 1),)),
    "caption": Shape((4, 12)),
    "p.wiki": Shape((20, 90), (("collectionlink", 0, 4), ("emph2", 0, 1))),
    "normallist": Shape(_NONE, (("item", 2, 5),)),
    "item": Shape((4, 20), (("collectionlink", 0, 2),)),
    "table": Shape(_NONE, (("row.wiki", 2, 4),)),
    "row.wiki": Shape(_NONE, (("cell", 2, 4),)),
    "cell": Shape((1, 3), (("collectionlink", 0, 1),)),
    "collectionlink": Shape((1, 3)),
    "emph2": Shape((1, 2)),
}

SYMBOLS = tuple(GRAMMAR)
TAGS = tuple(dict.fromkeys(symbol.split(".")[0] for symbol in SYMBOLS))
TAG_OF_SYMBOL = np.array([TAGS.index(symbol.split(".")[0]) for symbol in SYMBOLS])


def symbols(names: tuple[str, ...]) -> Ints:
    """Codes of the named symbols."""
    return np.array([SYMBOLS.index(name) for name in names])


@dataclass(frozen=True, eq=False)
class Trees:
    """N elements of A articles, in document order; rows count from 0."""

    first: Ints  #: (A + 1,) first row of each article, then N
    symbol: Ints  #: (N,) index into ``SYMBOLS``
    parent: Ints  #: (N,) row of the parent, -1 for roots
    last: Ints  #: (N,) first row after the element's descendants
    depth: Ints  #: (N,) 0 for roots
    position: Ints  #: (N,) 1-based position among siblings of the same tag
    words: Ints  #: (N,) words of own text
    before: Ints  #: (N,) own words of the parent that come before the element

    def __len__(self) -> int:
        return len(self.parent)

    def path(self, row: int) -> str:
        """XPath of an element, with every position written out."""
        steps: list[str] = []
        while row >= 0:
            steps.append(f"/{TAGS[TAG_OF_SYMBOL[self.symbol[row]]]}[{self.position[row]}]")
            row = int(self.parent[row])
        return "".join(reversed(steps))


def _numbered(parent: Ints, tag: Ints) -> Ints:
    """For each row, how many rows before it have the same parent and tag."""
    alike = parent * len(TAGS) + tag
    order = np.argsort(alike, kind="stable")
    opens = np.flatnonzero(np.diff(alike[order], prepend=-len(TAGS) - 1))
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.arange(len(order)) - np.repeat(opens, np.diff(opens, append=len(order)))
    return number


def _children(rng: np.random.Generator, symbol: Ints) -> tuple[Ints, Ints]:
    """Parents (index into ``symbol``) and symbols of the next level, in document order."""
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
    """Draw the trees of the given number of articles, which grow from a symbol of the grammar."""
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

    least, most = np.array([shape.words for shape in GRAMMAR.values()]).T
    words = rng.integers(least[symbol], most[symbol] + 1)
    return Trees(
        first=np.append(rows[0], count),
        symbol=symbol,
        parent=parent,
        last=last,
        depth=depths,
        position=np.where(parent >= 0, _numbered(parent, TAG_OF_SYMBOL[symbol]), 0) + 1,
        words=words,
        before=_inline_places(rng, symbol, parent, words),
    )


def _inline_places(rng: np.random.Generator, symbol: Ints, parent: Ints, words: Ints) -> Ints:
    """How many of its parent's own words come before each element; 0 for all but inline elements."""
    before = np.zeros(len(parent), dtype=np.int64)
    inline = np.flatnonzero(np.isin(symbol, symbols(INLINE)))
    place = rng.integers(1, words[parent[inline]] + 1)
    # Siblings stand in the order of their rows, so the places of one parent are sorted.
    before[inline] = place[np.lexsort((place, parent[inline]))]
    return before
