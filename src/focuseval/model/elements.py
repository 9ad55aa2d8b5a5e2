"""A collection as columns, the paths of its elements, and its words.

Each element is a row with a parent and an interval. Rows are sorted by document, and in preorder in each document.
Therefore, the rows ``r + 1 … last[r] - 1`` are the descendants of row ``r``. A document's text is its character data.
The interval ``[start, end)`` of an element is half-open and in the collection's unit.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from focuseval.arguments import one_of, read_argument
from focuseval.model.arrays import Bools, Floats, Ints, distinct, is_among, ranges, sums_before
from focuseval.model.intervals import covered
from focuseval.model.vocabulary import UNITS

_STEP = re.compile(r"/(?:[^\s/\[\]:]+:)?([^\s/\[\]:]+)(?:\[([0-9]{1,9})\])?")

#: matches an XPath point: the path of an element, the number of a text node in it, and an offset in this node
_POINT = re.compile(
    r"(?P<path>[^()]*?)(?:/text\(\)(?:\[(?P<piece>[1-9][0-9]{0,8})\])?(?:\.(?P<offset>[0-9]{1,9}))?)?"
)

#: paths with more steps are not looked up, because documents are not nested more deeply
MOST_STEPS = 256


@lru_cache(maxsize=1 << 16)
def split_path(path: str) -> tuple[tuple[str, int], ...] | None:
    """Split a path into steps (tag, position). Return None if the path is invalid. A missing position means 1."""
    steps = []
    at = 0
    while at < len(path):
        step = _STEP.match(path, at)
        if step is None:
            return None
        steps.append((step[1], int(step[2] or 1)))
        at = step.end()
    return tuple(steps) or None


def split_point(point: str) -> tuple[str, int | None, int] | None:
    """Split an XPath point into its path, the number of its text node, and its offset. Return None if it is invalid.

    ``/article[1]/p[2]/text()[1].25`` is offset 25 in the first text node. Without ``text()``, the number is None.
    """
    match = _POINT.fullmatch(point)
    if match is None or split_path(match["path"]) is None:
        return None
    piece = int(match["piece"] or 1) if "/text()" in point else None
    return match["path"], piece, int(match["offset"] or 0)


@lru_cache(maxsize=1 << 16)
def join_path(steps: tuple[tuple[str, int], ...]) -> str:
    """Write steps (tag, position) as a path such as ``/article[1]/p[2]``."""
    return "".join(f"/{tag}[{position}]" for tag, position in steps)


@dataclass(frozen=True)
class PathTree:
    """A tree of paths. The parent of a path is the path without the last step, and node 0 is the empty path."""

    node: Ints  #: the node of each given path; 0 for invalid and too long paths (`MOST_STEPS`)
    above: Ints  #: the parent of each node
    tag: list[str]  #: the tag of each node's last step
    position: Ints  #: the position of each node's last step
    level: Ints  #: the depth of each node: the number of steps in its path


def path_tree(paths: Sequence[str] | np.ndarray) -> PathTree:
    """Build the tree of paths and their prefixes."""
    texts = pa.array(paths, pa.large_string())
    pieces = pc.split_pattern(texts, "/")
    begin, end = pieces.offsets.to_numpy()[:-1] + 1, pieces.offsets.to_numpy()[1:]
    written = pieces.flatten().dictionary_encode()
    numbers: dict[tuple[str, int], int] = {}  # the number of each step; ``p`` and ``p[1]`` are one step
    parsed = [split_path(f"/{piece}") for piece in written.dictionary.to_pylist()]
    number = np.array(
        [numbers.setdefault(one[0], len(numbers)) if one else -1 for one in parsed], dtype=np.int64
    )
    step = number[written.indices.to_numpy()]

    node = np.zeros(len(texts), dtype=np.int64)
    levels = [(node[:0], node[:0])]  # the parents and the last steps of the nodes at each level
    nodes = 1
    rooted = pc.starts_with(texts, "/").to_numpy(zero_copy_only=False)
    open_ = np.flatnonzero(rooted & (end - begin <= MOST_STEPS))
    while len(open_):
        current = step[begin[open_] + len(levels) - 1]
        node[open_[current < 0]] = 0
        open_, current = open_[current >= 0], current[current >= 0]
        new, pairs = pd.factorize(node[open_] * len(numbers) + current)
        node[open_] = nodes + new
        levels.append(np.divmod(pairs, max(len(numbers), 1)))
        nodes += len(pairs)
        open_ = open_[begin[open_] + len(levels) - 1 < end[open_]]
    above, last = (np.concatenate(column) for column in zip(*levels, strict=True))
    steps = list(numbers)
    return PathTree(
        node,
        np.append(0, above),
        ["", *(steps[place][0] for place in last.tolist())],
        np.append(0, np.array([position for _, position in steps], dtype=np.int64)[last]),
        np.repeat(np.arange(len(levels)), [1, *(len(above) for above, _ in levels[1:])]),
    )


#: characters are looked up in blocks of this size, to save memory
_BLOCK = 1 << 18


@cache
def _is_blank() -> Bools:
    """Return a table: whether each code point is white space. The last entry stands for all higher code points."""
    return np.array([chr(point).isspace() for point in range(0x3000 + 2)])


def looked_up(table: Bools, text: str) -> Bools:
    """Look up each character of a text in a table of code points, whose last entry stands for all higher ones."""
    values = np.empty(len(text), dtype=np.bool_)
    for at in range(0, len(text), _BLOCK):
        code = np.frombuffer(text[at : at + _BLOCK].encode("utf-32-le"), dtype=np.uint32)
        table.take(code, mode="clip", out=values[at : at + _BLOCK])
    return values


def words_in(text: str, borders: Ints | None = None) -> tuple[Ints, Ints]:
    """Return the starts and the ends of all words in a text, in characters. The sorted ``borders`` also end words."""
    blank = looked_up(_is_blank(), text)
    edges = np.flatnonzero(np.diff(blank, prepend=True, append=True)).astype(np.int32)
    start, end = edges[::2], edges[1::2]
    if borders is None or not len(borders):
        return start, end
    word = np.searchsorted(start, borders)  # for each border, the first word that starts at or after it
    cut = borders[(word > 0) & (borders < np.append(0, end)[word]) & ~is_among(borders, start)[0]]
    return np.sort(np.append(start, cut)), np.sort(np.append(end, cut))


def borders_in(text: str, parent: Ints, start: Ints, end: Ints) -> Ints:
    """Return the sorted offsets at which words of an XML document end because a new element begins.

    An element ends a word if it is not the first child of its parent, and if the parent's own text is only white space.
    Elements are in preorder. ``parent`` is the row of each element's parent, or -1. All offsets are in characters.
    """
    printed = sums_before(~looked_up(_is_blank(), text))  # number of visible characters before each offset
    own = printed[end] - printed[start]
    child = np.flatnonzero(parent >= 0)
    np.subtract.at(own, parent[child], own[child])
    return distinct(start[child[(own[parent[child]] == 0) & (child > parent[child] + 1)]])


class Tokenizer(NamedTuple):
    """A rule that splits a text into tokens."""

    count: Callable[[str], int]  #: returns the number of tokens in a text
    #: returns the number of characters in the first tokens of a text; the second argument is the number of tokens
    prefix: Callable[[str, int], int]
    ends: Callable[[str], Sequence[int]]  #: returns the end of each token in a text


class Words:
    """The words of a collection's documents, numbered from 0 in each document.

    ``texts`` reads documents, given their indexes, and returns pairs of an index and a text in any order. ``borders``
    returns the offsets at which tags end words, given the index and the text of a document. A text is read when one of
    its words is first needed, unless `read` was called before.
    """

    def __init__(
        self,
        texts: Callable[[Ints], Iterable[tuple[int, str]]],
        borders: Callable[[int, str], Ints] | None = None,
    ) -> None:
        self._texts, self.borders = texts, borders
        self._bounds: dict[int, tuple[Ints, Ints]] = {}  # starts and ends of the words of each document
        self.tokenizer: Tokenizer | None = None
        self._tokenized: dict[int, str] = {}  # texts that were read, if tokens are counted
        self._tokens: dict[tuple[int, int, int], int] = {}  # number of tokens in each counted interval
        self._gather()

    def counted_by(self, tokenizer: Tokenizer) -> "Words":
        """Return a copy of the words that can also count the tokens of ``tokenizer``."""
        words = Words(self._texts, self.borders)
        words.tokenizer = tokenizer
        return words

    def tokens(self, document: Ints, start: Ints, end: Ints) -> Ints:
        """Return the number of tokens in each interval. If its text is unknown, return the size of the interval."""
        assert self.tokenizer is not None  # measures of tokens require a tokenizer
        self.read(document[start >= 0])
        counts = (end - start).astype(np.int64)
        for i, interval in enumerate(zip(document.tolist(), start.tolist(), end.tolist(), strict=True)):
            number, low, high = interval
            if number in self._tokenized and low >= 0:
                if interval not in self._tokens:
                    self._tokens[interval] = self.tokenizer.count(self._tokenized[number][low:high])
                counts[i] = self._tokens[interval]
        return counts

    def end_of_tokens(self, document: int, start: int, end: int, count: int) -> int:
        """Return the offset at which the first ``count`` tokens of an interval end."""
        assert self.tokenizer is not None
        return start + self.tokenizer.prefix(self._tokenized[document][start:end], count)

    def read(self, documents: Ints) -> None:
        """Read the texts of documents that were not read before. Negative indexes are ignored."""
        numbers = distinct(documents[documents >= 0])
        unread = numbers[~is_among(numbers, self._documents)[0]]
        if not len(unread):
            return
        for document, text in self._texts(unread):
            self._bounds[document] = words_in(text, self.borders and self.borders(document, text))
            if self.tokenizer is not None:
                self._tokenized[document] = text
        self._gather()

    def texts(self, documents: Ints) -> dict[int, str]:
        """Read the texts of documents, and return them by index."""
        return dict(self._texts(documents))

    def _gather(self) -> None:
        """Concatenate the offsets of the words of all texts, shifted so that texts do not overlap."""
        self._documents = np.array(sorted(self._bounds), dtype=np.int64)
        bounds = [self._bounds[document] for document in self._documents.tolist()]
        sizes = np.array([len(start) for start, _ in bounds], dtype=np.int64)
        self._first = np.cumsum(sizes) - sizes
        self._stride = max((int(end[-1]) for _, end in bounds if len(end)), default=0) + 1
        base = np.repeat(np.arange(len(bounds)) * self._stride, sizes)
        self._start, self._end = (
            np.concatenate([column[side] for column in bounds] or [base]) + base for side in (0, 1)
        )

    def touched(self, document: Ints, start: Ints, end: Ints) -> tuple[Ints, Ints]:
        """Return, for each interval, the number of its first word, and the number after its last word.

        A word is in an interval if at least one of its characters is. An interval whose document or start is negative
        has no known text and is returned unchanged.
        """
        self.read(document)
        in_texts, place = is_among(document, self._documents)
        in_texts &= start >= 0
        low, high = start.astype(np.int64), end.astype(np.int64)
        base, first = place[in_texts] * self._stride, self._first[place[in_texts]]
        begin, after = (np.minimum(point[in_texts], self._stride - 1) + base for point in (low, high))
        low[in_texts] = np.searchsorted(self._end, begin, side="right") - first
        high[in_texts] = np.searchsorted(self._start, after, side="left") - first
        high[in_texts] = np.where(after > begin, np.maximum(high[in_texts], low[in_texts]), low[in_texts])
        return low, high

    def end_of(self, document: int, word: int) -> int:
        """Return the offset at which a word of a document ends."""
        return int(self._bounds[document][1][word])


def check_unit(unit: str) -> None:
    """Raise InputError unless the unit is one of `UNITS`."""
    read_argument("unit", unit, one_of(UNITS))


def _ranges(first: Ints, documents: Ints) -> Ints:
    """Return the rows of all elements in ``documents``, one document after another."""
    return ranges(first[np.asarray(documents) + 1] - first[documents], first[documents])


def with_ancestors(keys: Ints, parent: Ints) -> Ints:
    """Add the ancestors of its elements to each group of elements. Return sorted, distinct keys of all elements.

    The key of an element in a group is ``group * len(parent) + row``. The parent of a root is -1.
    """
    size = len(parent)
    levels = [distinct(keys)]
    while len(keys := levels[-1]):
        above = parent[keys % size]
        levels.append(distinct((keys - keys % size + above)[above >= 0]))
    return distinct(np.concatenate(levels))


def depths(parent: Ints) -> Ints:
    """Return the number of ancestors of each node of a forest. The parent of a root is -1."""
    depth = np.zeros(len(parent), dtype=np.int64)
    at = parent
    while (inside := at >= 0).any():
        depth += inside
        at = np.where(inside, parent[at], -1)
    return depth


#: the prefix of the names of placeholder documents, for results that are not in the documents
NOWHERE = "(nowhere)/"


@dataclass(frozen=True)
class Unloaded:
    """The number of elements and the sizes of documents that are not loaded into memory."""

    elements: int
    text_size: int  #: size of the documents' text, in units
    total_size: int  #: sum of the sizes of all elements, in units

    def __add__(self, other: "Unloaded") -> "Unloaded":
        return Unloaded(
            self.elements + other.elements,
            self.text_size + other.text_size,
            self.total_size + other.total_size,
        )


@dataclass(frozen=True, eq=False)
class Collection:
    """A collection of documents, stored as columns with a value for each document or element.

    A collection that is not ``complete`` has only the elements that assessments and runs name, and their sizes may be
    unknown. If only some documents are loaded, the others have no rows, but ``unloaded`` contains sums over them.
    """

    names: pd.Index  #: name of each document
    first: Ints  #: first row of each document, followed by the number of elements
    parent: Ints  #: row of each element's parent; -1 for roots
    last: Ints  #: first row after the descendants of each element
    depth: Ints  #: number of ancestors of each element
    tag: Ints  #: tag of each element, as an index into ``tags``
    tags: pd.Index  #: the distinct tags
    position: Ints  #: position of each element among siblings with the same tag, from 1
    start: Ints  #: start of each element, in units
    end: Ints  #: end of each element, in units; -1 if its size is unknown
    unit: str = "characters"
    complete: bool = True
    words: Words | None = None  #: words of the documents, if texts are available
    unloaded: Unloaded | None = None  #: sums over documents that are not loaded

    def __len__(self) -> int:
        return len(self.parent)

    @cached_property
    def size(self) -> Ints:
        """The size of each element, in units."""
        return self.end - self.start

    @property
    def elements(self) -> int:
        """The number of elements in all documents."""
        return len(self) + (self.unloaded.elements if self.unloaded else 0)

    @cached_property
    def text_size(self) -> int:
        """The size of the collection's text, in units."""
        loaded = self.size[self.depth == 0].sum(dtype=np.int64)
        return int(loaded) + (self.unloaded.text_size if self.unloaded else 0)

    @cached_property
    def total_size(self) -> int:
        """The sum of the sizes of all elements, in units. Nested text counts repeatedly."""
        loaded = self.size.sum(dtype=np.int64)
        return int(loaded) + (self.unloaded.total_size if self.unloaded else 0)

    @cached_property
    def own_text(self) -> Ints:
        """The size of each element minus the sizes of its children, in units."""
        own = self.size.astype(np.int64)
        child = self.parent >= 0
        np.subtract.at(own, self.parent[child], self.size[child])
        return own

    def own_text_of(self, rows: Ints) -> Ints:
        """Return the size of each element in the sorted ``rows`` minus the sizes of its children, in units."""
        inside = _ranges(self.first, distinct(self.document_of(rows)))
        among, place = is_among(self.parent[inside], rows)
        child = inside[among]
        own = self.end[rows].astype(np.int64) - self.start[rows]
        np.subtract.at(own, place[among], self.end[child] - self.start[child])
        return own

    @cached_property
    def _positions(self) -> int:
        """The highest position of an element among its siblings with the same tag, plus 1."""
        return int(self.position.max(initial=0)) + 1

    def borders_of(self, document: int, text: str) -> Ints:
        """Return the offsets at which tags of an XML document end words, in characters (`borders_in`)."""
        rows = slice(*self.first[document : document + 2])
        parent = np.maximum(self.parent[rows] - rows.start, -1)
        return borders_in(text, parent, self.start[rows], self.end[rows])

    def document_of(self, rows: Ints) -> Ints:
        """Return the document index of each row."""
        # NumPy would copy ``first`` if ``rows`` had another dtype
        return np.searchsorted(self.first, np.asarray(rows, self.first.dtype), side="right") - 1

    def root(self, documents: Ints) -> Ints:
        """Return the row of each document's root."""
        return self.first[documents]

    def ancestors(self, row: int) -> list[int]:
        """Return the rows of an element's ancestors, parent first."""
        levels = []
        above = int(self.parent[row])
        while above >= 0:
            levels.append(above)
            above = int(self.parent[above])
        return levels

    def with_ancestors(self, rows: Ints) -> Ints:
        """Return the sorted, distinct rows of elements and all their ancestors."""
        return with_ancestors(rows, self.parent)

    def children(self, row: int) -> list[int]:
        """Return the rows of an element's children, in document order."""
        levels = []
        child = row + 1
        while child < self.last[row]:
            levels.append(child)
            child = int(self.last[child])
        return levels

    def contains(self, outer: Ints, inner: Ints) -> Bools:
        """Return whether each element in ``outer`` contains, or is, the element at the same index in ``inner``."""
        return (outer <= inner) & (inner < self.last[outer])

    def resolve(self, documents: Ints, paths: Sequence[str] | pd.Series) -> Ints:
        """Return the row of each element, given its document index and its XPath, or -1 if it is missing.

        An example of a path is ``/article[1]/bdy[1]/sec[2]``. A missing position means ``[1]``, and namespace prefixes
        are ignored. Only the columns of the given documents are searched.
        """
        documents = np.asarray(documents, dtype=np.int64)
        codes, spelled = pd.factorize(
            paths if isinstance(paths, pd.Series) else np.asarray(paths, dtype=object)
        )
        tree = path_tree(list(spelled))
        nodes = tree.node[codes]
        valid = (documents >= 0) & (documents < len(self.first) - 1) & (nodes > 0)
        resolved = np.full(len(documents), -1, dtype=np.int64)
        if not valid.any():
            return resolved
        width = len(tree.above)
        pair, inverse = np.unique(documents[valid] * width + nodes[valid], return_inverse=True)
        rows_of_pairs = np.full(len(pair), -1, dtype=np.int64)
        for pairs, rows in self._rows_by_level(tree, pair):
            has, place = is_among(pair, pairs)
            rows_of_pairs[has] = rows[place[has]]
        resolved[valid] = rows_of_pairs[inverse]
        return resolved

    def _rows_by_level(self, tree: PathTree, pair: Ints) -> Iterator[tuple[Ints, Ints]]:
        """Find the elements of pairs (document, path). For each level of the tree, yield the pairs and their rows.

        A pair of a document and a node is the number ``document * nodes + node``, where ``nodes`` is the number of
        nodes. The given pairs must be sorted. The prefixes of their paths are also yielded. Missing elements have the
        row -1.
        """
        width, widest = len(tree.above), self._positions
        pairs = [pair[tree.level[pair % width] == level] for level in range(int(tree.level.max()) + 1)]
        for level in range(len(pairs) - 1, 1, -1):
            document, node = np.divmod(pairs[level], width)
            above = document * width + tree.above[node]
            pairs[level - 1] = distinct(np.concatenate([pairs[level - 1], above]))
        # encode each step as one number, from its tag and its position
        tag = self.tags.get_indexer(pd.Index(tree.tag, dtype=object)).astype(np.int64)
        step = np.where((tag >= 0) & (tree.position < widest), tag * widest + tree.position, -1)
        steps, step = np.unique(step, return_inverse=True)
        rows = _ranges(self.first, distinct(pair // width))
        depth = self.depth[rows]
        at = np.empty(0, dtype=np.int64)  # row of each pair at the previous level
        for level in range(1, len(pairs)):
            document, node = np.divmod(pairs[level], width)
            candidate = rows[depth == level - 1]
            has, place = is_among(
                self.tag[candidate].astype(np.int64) * widest + self.position[candidate], steps
            )
            candidate, place = candidate[has], place[has]
            if level == 1:
                above, parent = document, self.document_of(candidate)
            else:
                above = at[np.searchsorted(pairs[level - 1], document * width + tree.above[node])]
                parent = self.parent[candidate].astype(np.int64)
            key = np.where((above >= 0) & (steps[step[node]] >= 0), above * len(steps) + step[node], -1)
            order = np.argsort(key)
            hit, place = is_among(parent * len(steps) + place, key[order])
            at = np.full(len(key), -1, dtype=np.int64)
            at[order[place[hit]]] = candidate[hit]
            yield pairs[level], at

    def elements_at(self, documents: Ints, starts: Ints, ends: Ints) -> Ints:
        """Return the row of the deepest element with the same start and end as each interval, or -1 if there is none.

        Empty intervals match no element. Only the columns of the given documents are searched.
        """
        nonempty = np.flatnonzero(np.asarray(ends) > starts)
        elements = np.full(len(documents), -1, dtype=np.int64)
        if not len(nonempty):
            return elements
        document, start, end = (np.asarray(c, dtype=np.int64)[nonempty] for c in (documents, starts, ends))
        rows = _ranges(self.first, distinct(document))
        stride = int(max(self.end[rows].max(), end.max())) + 1
        begin = document * stride + start
        begins = distinct(begin)
        matching, place = is_among(self.document_of(rows) * stride + self.start[rows], begins)
        rows = rows[matching]
        # encode each interval as one number, from the index of its start and from its end
        interval = place[matching] * stride + self.end[rows]
        order = np.argsort(interval, kind="stable")  # the last of equal intervals is the deepest element
        keys = np.searchsorted(begins, begin) * stride + end
        has, _ = is_among(keys, interval[order])
        last = np.searchsorted(interval[order], keys[has], side="right") - 1
        elements[nonempty[has]] = rows[order[last]]
        return elements

    def path(self, row: int) -> str:
        """Return the XPath of an element, such as ``/article[1]/p[2]``."""
        rows = [row, *self.ancestors(row)]
        return "".join(f"/{self.tags[self.tag[r]]}[{self.position[r]}]" for r in reversed(rows))

    def highlighted(self, documents: Ints, starts: Ints, ends: Ints) -> tuple[Ints, Floats]:
        """Return the sorted rows of all elements with highlighted text, and the size of this text in each.

        The highlights are disjoint intervals ``[start, end)`` of documents.
        """
        rows = _ranges(self.first, np.unique(documents))
        shared = covered(documents, starts, ends, self.document_of(rows), self.start[rows], self.end[rows])
        return rows[shared > 0], shared[shared > 0].astype(float)


#: for each unit, the names of the columns with starts and ends
OFFSETS = {
    "characters": ("start", "end"),
    "words": ("word_start", "word_end"),
    "bytes": ("byte_start", "byte_end"),
}


def offsets_in(unit: str) -> tuple[str, str]:
    """Return the names of the columns with starts and ends in a unit, such as ``word_start`` and ``word_end``."""
    return OFFSETS.get(unit, OFFSETS["characters"])


def assemble(
    names: Sequence[str] | pd.Index,
    counts: Ints,
    columns: dict[str, Ints],
    tags: list[str],
    unit: str,
    *,
    complete: bool = True,
) -> Collection:
    """Build a collection from columns of parsed documents, which may be in any order.

    ``counts`` gives the number of elements in each document. In ``columns``, row numbers begin with 0 in each document.
    To save memory, some columns are removed from this dictionary.
    """
    if not isinstance(names, pd.Index):
        names = pd.Index(names, dtype=object)
    if not _sorted(names):
        order = np.array(sorted(range(len(names)), key=names.tolist().__getitem__))
        where = sums_before(counts)[:-1][order]
        names, counts = names[order], counts[order]
        rows = np.arange(counts.sum()) + np.repeat(where - sums_before(counts)[:-1], counts)
        columns = {name: column[rows] for name, column in columns.items()}
    first = sums_before(counts)
    row = np.int32 if first[-1] < 2**31 else np.int64
    base = np.repeat(first[:-1].astype(row), counts)
    in_order = sorted(tags)
    rank = {tag: code for code, tag in enumerate(in_order)}
    start, end = offsets_in(unit)
    above = columns.pop("parent")
    parent = above + base
    parent[above < 0] = -1
    del above
    return Collection(
        names=names,
        first=first,
        parent=parent,
        last=columns.pop("last") + base,
        depth=columns.pop("depth").astype(np.int16),
        tag=np.array([rank[tag] for tag in tags], dtype=np.int32)[columns.pop("tag")],
        tags=pd.Index(in_order, dtype=object),
        position=columns["position"],
        start=columns[start],
        end=columns[end],
        unit=unit,
        complete=complete,
    )


def _sorted(names: pd.Index) -> bool:
    text = pa.array(names, pa.large_string())
    return bool(pc.all(pc.less_equal(text[:-1], text[1:]), min_count=0).as_py())
