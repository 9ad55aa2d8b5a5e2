"""Random numbers that do not depend on what else is made: from a seed and the names of runs and topics."""

import zlib

import numpy as np

from focuseval.model.arrays import Floats
from focuseval.model.results import Results
from focuseval.transformations.lists import list_of


def generator(seed: int, *names: str) -> np.random.Generator:
    """The random numbers of a list, or of whatever else has these names."""
    return np.random.default_rng([seed, *(zlib.crc32(name.encode()) for name in names)])


def draws(results: Results, seed: int) -> Floats:
    """(M,) a number in [0, 1) for each result, drawn list by list."""
    first = np.flatnonzero(np.diff(list_of(results), prepend=-1))
    length = np.diff(np.append(first, len(results)))
    return np.concatenate(
        [
            np.empty(0),
            *(
                generator(seed, str(results.runs[run]), str(results.topics[topic])).random(count)
                for run, topic, count in zip(results.run[first], results.topic[first], length, strict=True)
            ),
        ]
    )
