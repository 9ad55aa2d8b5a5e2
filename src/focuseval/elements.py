"""A collection as columns: every element of every document is a row, a parent and an interval.

Rows are sorted by document, then by preorder, so that the descendants of row ``r`` are the rows
``r + 1 … last[r] - 1``. A document's text is the concatenation of its character data; an element
is the half-open interval ``[start, end)`` of it, counted in the collection's unit.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from focuseval.arrays import Bools, Floats, Ints

UNITS = ("characters", "words", "bytes")


def _distinct(rows: Ints) -> Ints:
    """The sorted, distinct values; by sorting, which is faster than hashing on short arrays."""
    rows = np.sort(rows)
    return rows[np.append(True, rows[1:] != rows[:-1])] if len(rows) else rows


@dataclass(frozen=True, eq=False)
class Collection:
    """The elements of a collection.

    N elements, D documents. A collection that is not ``complete`` is known from assessments and
    runs only: its elements are the paths they name, and an ``end`` of -1 is an unknown size.
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

    def __len__(self) -> int:
        return len(self.parent)

    @cached_property
    def size(self) -> Ints:
        """(N,) ``end - start`` of each element, in units."""
        return self.end - self.start

    @cached_property
    def text_size(self) -> int:
        """Size of the collection's text, in units: the documents' sizes added up."""
        return int(self.size[self.first[:-1]].sum(dtype=np.int64))

    @cached_property
    def total_size(self) -> int:
        """Sizes of all elements added up, in units: nested text counts once for every level."""
        return int(self.size.sum(dtype=np.int64))

    @cached_property
    def own_text(self) -> Ints:
        """(N,) size of each element less the sizes of its children, in units (mixed content)."""
        child = np.flatnonzero(self.parent >= 0)
        inside = np.bincount(self.parent[child], weights=self.size[child], minlength=len(self))
        return self.size - inside.astype(np.int64)

    @cached_property
    def _steps(self) -> tuple[Ints, Ints]:
        """Sorted (parent, tag, position) keys of all elements, and their rows."""
        parent = np.where(self.parent >= 0, self.parent, len(self) + self.document_of(np.arange(len(self))))
        key = self._step_key(parent, self.tag, self.position)
        order = np.argsort(key, kind="stable")
        return key[order], order

    def _step_key(self, parent: Ints, tag: Ints, position: Ints) -> Ints:
        widest = int(self.position.max(initial=0)) + 1
        step = tag.astype(np.int64) * widest + np.minimum(position, widest)
        # A position beyond the widest known one must not alias the next tag's positions.
        step = np.where(position < widest, step, -1)
        key = parent.astype(np.int64) * (len(self.tags) * widest) + step
        return np.where(step >= 0, key, -1)

    def document_of(self, rows: Ints) -> Ints:
        """Document index of each element row."""
        return np.searchsorted(self.first, rows, side="right") - 1

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
        known = _distinct(rows)
        above = known
        while len(above):
            above = self.parent[above]
            above = np.setdiff1d(_distinct(above[above >= 0]), known, assume_unique=True)
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

    def resolve(self, documents: Ints, paths: Sequence[str]) -> Ints:
        """Element rows of (document index, XPath) pairs; -1 where there is no such element.

        A path is ``/article[1]/bdy[1]/sec[2]``; a missing position means ``[1]`` and namespace
        prefixes are dropped. Works level by level on all pairs at once.
        """
        from focuseval.paths import split_path  # parsing of path text is a matter of its own

        documents = np.asarray(documents, dtype=np.int64)
        codes, distinct = pd.factorize(np.asarray(paths, dtype=object))
        steps = [split_path(path) for path in distinct]
        height = max((len(s) for s in steps if s is not None), default=0)
        tag = np.full((len(steps), height), -1, dtype=np.int64)
        position = np.ones((len(steps), height), dtype=np.int64)
        length = np.zeros(len(steps), dtype=np.int64)
        tag_code = {name: code for code, name in enumerate(self.tags)}
        for i, path_steps in enumerate(steps):
            if path_steps is None:
                continue
            length[i] = len(path_steps)
            for level, (name, place) in enumerate(path_steps):
                tag[i, level] = tag_code.get(name, -1)
                position[i, level] = place
        keys, rows = self._steps
        at = np.where((documents >= 0) & (length[codes] > 0), len(self) + documents, -1)
        for level in range(height):
            moving = np.flatnonzero((at >= 0) & (length[codes] > level))
            path = codes[moving]
            key = self._step_key(at[moving], tag[path, level], position[path, level])
            place = np.minimum(np.searchsorted(keys, key), len(keys) - 1)
            known = (tag[path, level] >= 0) & (key >= 0)
            known &= keys[place] == key if len(keys) else False
            at[moving] = np.where(known, rows[place] if len(rows) else -1, -1)
        return at

    def path(self, row: int) -> str:
        """XPath of an element, with every position written out."""
        rows = [row, *self.ancestors(row)]
        return "".join(f"/{self.tags[self.tag[r]]}[{self.position[r]}]" for r in reversed(rows))

    def highlighted(self, documents: Ints, starts: Ints, ends: Ints) -> tuple[Ints, Floats]:
        """Elements that hold highlighted text, and how much of it each holds.

        Highlights are disjoint intervals ``[start, end)`` of documents. Returns the sorted rows of
        all elements with at least one highlighted unit, and the highlighted size in each.
        """
        from focuseval.intervals import covered

        touched = np.unique(documents)
        rows = np.concatenate(
            [np.arange(self.first[d], self.first[d + 1]) for d in touched] or [np.empty(0, np.int64)]
        )
        held = covered(documents, starts, ends, self.document_of(rows), self.start[rows], self.end[rows])
        return rows[held > 0], held[held > 0].astype(float)
