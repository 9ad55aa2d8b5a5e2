"""Runs whose first results stand the other way round: a set-based measure does not see it, one of the order does."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from focuseval.model.judgements import Topic
from focuseval.model.results import Results


def transform(results: Results, topics: Sequence[Topic], *, first: int) -> Results:
    """Every list with its ``first`` results reversed; ranks stay where they are. No file holds such runs."""
    begins = np.flatnonzero(
        (np.diff(results.run, prepend=-1) != 0) | (np.diff(results.topic, prepend=-1) != 0)
    )
    length = np.diff(np.append(begins, len(results)))
    place = np.arange(len(results)) - np.repeat(begins, length)
    turned = np.repeat(np.minimum(length, first), length)
    order = np.repeat(begins, length) + np.where(place < turned, turned - 1 - place, place)
    moved = {name: getattr(results, name)[order] for name in ("document", "element", "start", "end")}
    unknown = np.full(len(results), np.nan)
    return replace(results, **moved, score=unknown, line=None, sources=())
