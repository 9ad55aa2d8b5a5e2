"""Lists that end before a measure's cut-off: on a budget they are read to their end, and compared with longer ones."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from focuseval.errors import listed
from focuseval.measures.declaration import CHARACTERS, RANK, WORDS, Spec
from focuseval.model.arrays import Ints
from focuseval.model.judgements import Topic
from focuseval.model.results import Results

#: ranks that may be meant as characters: from so many on
_CHARACTERS = 100


def too_short(topics: Sequence[Topic], results: Results, specs: Sequence[Spec]) -> dict[str, str]:
    """What is told of the lists of assessed topics that are too short, by measure as asked for.

    A list is too short for a budget if all of it costs less. A large rank that no list has may be meant as a budget.
    """
    begins = results.bounds[:-1]
    assessed = results.topics.isin([topic.name for topic in topics])[results.topic[begins]]
    run = results.run[begins][assessed]
    names = [str(name) for name in results.runs]

    @cache
    def costs(in_words: bool) -> Ints:
        """(L,) what it costs to read each list of an assessed topic to its end."""
        low, high = results.start, results.end
        if in_words and (words := topics[0].collection.words) is not None:
            low, high = words.touched(results.document, low, high)
        return np.add.reduceat(high - low, begins)[assessed]

    told = {}
    for spec in specs:
        if spec.cutoff is None or spec.behind is None:
            continue
        kind, count = spec.behind.kind, int(spec.cutoff)
        if kind in (CHARACTERS, WORDS):
            lists, short = (
                np.bincount(run[those], minlength=len(names))
                for those in (slice(None), costs(kind is WORDS) < count)
            )
            some = [f"{names[i]} ({short[i]} of {lists[i]})" for i in np.flatnonzero(short)]
            if some:
                told[spec.asked] = f"lists that end before {count} {kind.name}: {listed(some)}"
        elif (
            kind is RANK
            and any(cutoff.kind is CHARACTERS for cutoff in spec.measure.cutoffs)
            and np.diff(results.bounds)[assessed].max(initial=0) < count
        ):
            meant = f"; {count} characters are @{count}c" * (count >= _CHARACTERS)
            told[spec.asked] = f"no list has {count} results{meant}"
    return told
