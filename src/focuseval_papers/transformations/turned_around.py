"""Runs whose first results stand the other way round: a set-based measure does not see it, one of the order does."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.transformations.lists import lengths, list_of, places, reordered


def transform(results: Results, topics: Sequence[Topic], *, first: int) -> Results:
    """Every list with its ``first`` results reversed; ranks stay where they are. No file holds such runs."""
    place, turned = places(results), np.minimum(lengths(results), first)[list_of(results)]
    to = np.where(place < turned, turned - 1 - place, place)
    return replace(reordered(results, np.arange(len(results)) - place + to), sources=())
