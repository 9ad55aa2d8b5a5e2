"""XPaths of the form ``/article[1]/bdy[1]/sec[2]``, as text."""

import re
from functools import lru_cache

_STEP = re.compile(r"/(?:[^\s/\[\]:]+:)?([^\s/\[\]:]+)(?:\[(\d{1,9})\])?")


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
