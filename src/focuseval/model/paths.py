"""XPaths of the form ``/article[1]/bdy[1]/sec[2]``, as text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

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


def path_tree(paths: Sequence[str]) -> PathTree:
    """The tree of the given paths; each beginning that paths share is parsed once."""
    nodes = {"": 0}
    above, tag, position, level = [0], [""], [0], [0]
    place: dict[tuple[int, tuple[str, int]], int] = {}  # one node for all ways to write a path
    for path in paths:
        if path.count("/") > MOST_STEPS:
            nodes[path] = 0
        cut = len(path)
        missing = []
        while path[:cut] not in nodes:
            missing.append(cut)
            cut = max(path.rfind("/", 0, cut), 0)
        node = nodes[path[:cut]]
        for end in reversed(missing):
            parsed = split_path(path[cut:end]) if node or cut == 0 else None
            node = 0
            if parsed is not None:
                key = (nodes[path[:cut]], parsed[0])
                node = place.setdefault(key, len(above))
                if node == len(above):
                    above.append(key[0])
                    tag.append(parsed[0][0])
                    position.append(parsed[0][1])
                    level.append(level[key[0]] + 1)
            nodes[path[:end]] = node
            cut = end
    found = np.array([nodes[path] for path in paths], dtype=np.int64)
    return PathTree(found, np.array(above), tag, np.array(position), np.array(level))
