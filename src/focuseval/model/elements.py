"""A collection as columns: every element of every document is a row, a parent and an interval.

Rows are sorted by document, then by preorder, so that the descendants of row ``r`` are the rows
``r + 1 … last[r] - 1``. A document's text is the concatenation of its character data; an element
is the half-open interval ``[start, end)`` of it, counted in the collection's unit.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from focuseval.errors import check_known
from focuseval.model.arrays import Bools, Floats, Ints, distinct, is_among, ranges
from focuseval.model.intervals import covered
from focuseval.model.paths import PathTree, path_tree
from focuseval.model.vocabulary import UNITS
from focuseval.model.words import Words


def check_unit(unit: str) -> None:
    """Raises InputError for what is none of `UNITS`."""
    check_known("unit", unit, UNITS)


def _ranges(first: Ints, documents: Ints) -> Ints:
    """All rows of the given documents, one document after another."""
    return ranges(first[np.asarray(documents) + 1] - first[documents], first[documents])


@dataclass(frozen=True)
class Elsewhere:
    """Sums over the documents whose elements are not loaded."""

    elements: int
    text_size: int  #: in units
    total_size: int  #: sizes of all elements, in units

    def __add__(self, other: "Elsewhere") -> "Elsewhere":
        return Elsewhere(
            self.elements + other.elements,
            self.text_size + other.text_size,
            self.total_size + other.total_size,
        )


@dataclass(frozen=True, eq=False)
class Collection:
    """The elements of a collection.

    N elements, D documents. A collection that is not ``complete`` is known from assessments and
    runs only: its elements are the paths they name, and an ``end`` of -1 is an unknown size. Of a collection of
    which only some documents are at hand the others are ``elsewhere``: they have no rows.
    """

    names: pd.Index  #: (D,) document names
    first: Ints  #: (D + 1,) first row of each document, then N
    parent: Ints  #: (N,) row of the parent, -1 for roots
    last: Ints  #: (N,) first row after the element's descendants
    depth: Ints  #: (N,) 0 for roots
    tag: Ints  #: (N,) index into ``tags``
    tags: pd.Index  #: tag names
    position: Ints  #: (N,) 1-based position among siblings of the same tag
    start: Ints  #: (N,) in units
    end: Ints  #: (N,) in units
    unit: str = "characters"
    complete: bool = True
    words: Words | None = None  #: of the documents' texts, where these are at hand
    elsewhere: Elsewhere | None = None  #: what the documents without rows hold

    def __len__(self) -> int:
        return len(self.parent)

    @cached_property
    def size(self) -> Ints:
        """(N,) ``end - start`` of each element, in units."""
        return self.end - self.start

    @property
    def elements(self) -> int:
        """Number of elements of all documents."""
        return len(self) + (self.elsewhere.elements if self.elsewhere else 0)

    @cached_property
    def text_size(self) -> int:
        """Size of the collection's text, in units: the documents' sizes added up."""
        here = self.size[self.depth == 0].sum(dtype=np.int64)
        return int(here) + (self.elsewhere.text_size if self.elsewhere else 0)

    @cached_property
    def total_size(self) -> int:
        """Sizes of all elements added up, in units: nested text counts once for every level."""
        here = self.size.sum(dtype=np.int64)
        return int(here) + (self.elsewhere.total_size if self.elsewhere else 0)

    @cached_property
    def own_text(self) -> Ints:
        """(N,) size of each element less the sizes of its children, in units (mixed content)."""
        own = self.size.astype(np.int64)
        child = self.parent >= 0
        np.subtract.at(own, self.parent[child], self.size[child])
        return own

    def own_text_of(self, rows: Ints) -> Ints:
        """The same of some elements, whose rows are sorted; only their documents are read."""
        inside = _ranges(self.first, distinct(self.document_of(rows)))
        among, place = is_among(self.parent[inside], rows)
        child = inside[among]
        own = self.end[rows].astype(np.int64) - self.start[rows]
        np.subtract.at(own, place[among], self.end[child] - self.start[child])
        return own

    @cached_property
    def _positions(self) -> int:
        """One more than the largest position."""
        return int(self.position.max(initial=0)) + 1

    def document_of(self, rows: Ints) -> Ints:
        """Document index of each element row."""
        # searchsorted would copy all of ``first`` for rows of another dtype
        return np.searchsorted(self.first, np.asarray(rows, self.first.dtype), side="right") - 1

    def root(self, documents: Ints) -> Ints:
        """Row of the root element of each document."""
        return self.first[documents]

    def ancestors(self, row: int) -> list[int]:
        """Rows of the ancestors of an element, its parent first."""
        found = []
        above = int(self.parent[row])
        while above >= 0:
            found.append(above)
            above = int(self.parent[above])
        return found

    def with_ancestors(self, rows: Ints) -> Ints:
        """The sorted, distinct rows of the given elements and all their ancestors."""
        known = distinct(rows)
        above = known
        while len(above):
            above = self.parent[above]
            above = np.setdiff1d(distinct(above[above >= 0]), known, assume_unique=True)
            known = np.sort(np.concatenate([known, above]))
        return known

    def children(self, row: int) -> list[int]:
        """Rows of the children of an element, in document order."""
        found = []
        child = row + 1
        while child < self.last[row]:
            found.append(child)
            child = int(self.last[child])
        return found

    def contains(self, outer: Ints, inner: Ints) -> Bools:
        """Whether ``outer`` is ``inner`` or an ancestor of it, by rows, element by element."""
        return (outer <= inner) & (inner < self.last[outer])

    def resolve(self, documents: Ints, paths: Sequence[str] | pd.Series) -> Ints:
        """Element rows of (document index, XPath) pairs; -1 where there is no such element.

        A path is ``/article[1]/bdy[1]/sec[2]``; a missing position means ``[1]`` and namespace
        prefixes are dropped. Works level by level, on the distinct pairs of a document and a path
        or beginning of a path; only these documents are read.
        """
        documents = np.asarray(documents, dtype=np.int64)
        codes, spelled = pd.factorize(
            paths if isinstance(paths, pd.Series) else np.asarray(paths, dtype=object)
        )
        tree = path_tree(list(spelled))
        asked = tree.node[codes]
        known = (documents >= 0) & (documents < len(self.first) - 1) & (asked > 0)
        resolved = np.full(len(documents), -1, dtype=np.int64)
        if not known.any():
            return resolved
        width = len(tree.above)
        pair, inverse = np.unique(documents[known] * width + asked[known], return_inverse=True)
        found = np.full(len(pair), -1, dtype=np.int64)
        for pairs, rows in self._rows_by_level(tree, pair):
            has, place = is_among(pair, pairs)
            found[has] = rows[place[has]]
        resolved[known] = found[inverse]
        return resolved

    def _rows_by_level(self, tree: PathTree, pair: Ints) -> Iterator[tuple[Ints, Ints]]:
        """For each level the pairs of a document and a node of the tree (document times nodes, plus node), and their
        rows, -1 for none: of the sorted pairs that are asked for, and of those above them.
        """
        width, widest = len(tree.above), self._positions
        pairs = [pair[tree.level[pair % width] == level] for level in range(int(tree.level.max()) + 1)]
        for level in range(len(pairs) - 1, 1, -1):
            document, node = np.divmod(pairs[level], width)
            above = document * width + tree.above[node]
            pairs[level - 1] = distinct(np.concatenate([pairs[level - 1], above]))
        # A step of a path is a number: the place of its (tag, position) among those that are asked for.
        tag = self.tags.get_indexer(pd.Index(tree.tag, dtype=object)).astype(np.int64)
        step = np.where((tag >= 0) & (tree.position < widest), tag * widest + tree.position, -1)
        steps, step = np.unique(step, return_inverse=True)
        rows = _ranges(self.first, distinct(pair // width))
        depth = self.depth[rows]
        at = np.empty(0, dtype=np.int64)  # row of each pair of the level above
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
        """Rows of the elements with exactly these intervals, the deepest if several have one; -1 where none has.

        Intervals without text are no element's. Only these documents are read.
        """
        asked = np.flatnonzero(np.asarray(ends) > starts)
        found = np.full(len(documents), -1, dtype=np.int64)
        if not len(asked):
            return found
        document, start, end = (np.asarray(c, dtype=np.int64)[asked] for c in (documents, starts, ends))
        rows = _ranges(self.first, distinct(document))
        stride = int(max(self.end[rows].max(), end.max())) + 1
        begin = document * stride + start
        begins = distinct(begin)
        here, place = is_among(self.document_of(rows) * stride + self.start[rows], begins)
        rows = rows[here]
        # An interval is a number: the place of its beginning among those asked for, and its end.
        interval = place[here] * stride + self.end[rows]
        order = np.argsort(interval, kind="stable")  # of one interval the deepest is last
        wanted = np.searchsorted(begins, begin) * stride + end
        has, _ = is_among(wanted, interval[order])
        last = np.searchsorted(interval[order], wanted[has], side="right") - 1
        found[asked[has]] = rows[order[last]]
        return found

    def path(self, row: int) -> str:
        """XPath of an element, with every position written out."""
        rows = [row, *self.ancestors(row)]
        return "".join(f"/{self.tags[self.tag[r]]}[{self.position[r]}]" for r in reversed(rows))

    def highlighted(self, documents: Ints, starts: Ints, ends: Ints) -> tuple[Ints, Floats]:
        """Elements that hold highlighted text, and how much of it each holds.

        Highlights are disjoint intervals ``[start, end)`` of documents. Returns the sorted rows of
        all elements with at least one highlighted unit, and the highlighted size in each.
        """
        rows = _ranges(self.first, np.unique(documents))
        held = covered(documents, starts, ends, self.document_of(rows), self.start[rows], self.end[rows])
        return rows[held > 0], held[held > 0].astype(float)
