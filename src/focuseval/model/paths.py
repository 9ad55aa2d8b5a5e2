"""XPaths of the form ``/article[1]/bdy[1]/sec[2]``, as text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from focuseval.model.arrays import Ints

_STEP = re.compile(r"/(?:[^\s/\[\]:]+:)?([^\s/\[\]:]+)(?:\[(\d{1,9})\])?")

#: a path of more steps is no element's: documents do not nest deeper
MOST_STEPS = 256


@lru_cache(maxsize=1 << 16)
def split_path(path: str) -> tuple[tuple[str, int], ...] | None:
    """Steps (tag, position) of a path; None if it is not one. A missing position means 1."""
    steps = []
    at = 0
    while at < len(path):
        step = _STEP.match(path, at)
        if step is None:
            return None
        steps.append((step[1], int(step[2] or 1)))
        at = step.end()
    return tuple(steps) or None


@lru_cache(maxsize=1 << 16)
def join_path(steps: tuple[tuple[str, int], ...]) -> str:
    """The path of the given steps, with every position written out."""
    return "".join(f"/{tag}[{position}]" for tag, position in steps)


@dataclass(frozen=True)
class PathTree:
    """Paths and all their beginnings, each once, as columns: a tree whose node 0 is the empty path."""

    node: Ints  #: (paths,) node of each path; 0 if it is not a path, or has more than ``MOST_STEPS``
    above: Ints  #: (nodes,) node of the path without its last step
    tag: list[str]  #: (nodes,) tag of the last step
    position: Ints  #: (nodes,) position of the last step
    level: Ints  #: (nodes,) number of steps


def path_tree(paths: Sequence[str] | np.ndarray) -> PathTree:
    """The tree of the given paths, level by level; a step is parsed once, however many paths have it."""
    given = pa.array(paths, pa.large_string())
    pieces = pc.split_pattern(given, "/")
    begin, end = pieces.offsets.to_numpy()[:-1] + 1, pieces.offsets.to_numpy()[1:]
    written = pieces.flatten().dictionary_encode()
    numbers: dict[tuple[str, int], int] = {}  # one number for all ways to write a step
    parsed = [split_path(f"/{piece}") for piece in written.dictionary.to_pylist()]
    number = np.array(
        [numbers.setdefault(one[0], len(numbers)) if one else -1 for one in parsed], dtype=np.int64
    )
    step = number[written.indices.to_numpy()]

    node = np.zeros(len(given), dtype=np.int64)
    levels = [(node[:0], node[:0])]  # of each: the nodes above, and the steps
    known = 1
    rooted = pc.starts_with(given, "/").to_numpy(zero_copy_only=False)
    open_ = np.flatnonzero(rooted & (end - begin <= MOST_STEPS))
    while len(open_):
        here = step[begin[open_] + len(levels) - 1]
        node[open_[here < 0]] = 0
        open_, here = open_[here >= 0], here[here >= 0]
        new, found = pd.factorize(node[open_] * len(numbers) + here)
        node[open_] = known + new
        levels.append(np.divmod(found, max(len(numbers), 1)))
        known += len(found)
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
