"""Lists that end before a measure's cut-off: on a budget they are read to their end, and compared with longer ones."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from focuseval.campaign.notices import SHORT, Notice
from focuseval.measures.declaration import BUDGETS, CHARACTERS, RANK, WORDS, Spec
from focuseval.model.arrays import Ints
from focuseval.model.judgements import Topic
from focuseval.model.results import Results


def lengths_of(topics: Sequence[Topic], run: Results, specs: Sequence[Spec]) -> list[Notice]:
    """How many of a run's lists of assessed topics end before the cut-off of a measure.

    A list is too short for a budget if all of it costs less. A large rank that no list has may be meant as a budget:
    of such a one the notice counts the lists that have it, ``among`` none.
    """
    begins = run.bounds[:-1]
    assessed = run.topics.isin([topic.name for topic in topics])[run.topic[begins]]
    name, lists = str(run.runs[0]), int(np.count_nonzero(assessed))

    @cache
    def costs(in_words: bool) -> Ints:
        """(L,) what it costs to read each list of an assessed topic to its end."""
        low, high = run.start, run.end
        if in_words and (words := topics[0].collection.words) is not None:
            low, high = words.touched(run.document, low, high)
        return np.add.reduceat(high - low, begins)[assessed]

    found = []
    for spec in specs:
        if spec.cutoff is None or spec.behind is None:
            continue
        kind, cutoff = spec.behind.kind, int(spec.cutoff)
        if kind in BUDGETS:
            count, among, text = (
                np.count_nonzero(costs(kind is WORDS) < cutoff),
                lists,
                f"{cutoff:,} {kind.name}",
            )
        elif kind is RANK and any(one.kind is CHARACTERS for one in spec.measure.cutoffs):
            count, among, text = np.count_nonzero(np.diff(run.bounds)[assessed] >= cutoff), 0, str(cutoff)
        else:
            continue
        found.append(Notice(SHORT.name, name, spec.asked, count=int(count), among=among, text=text))
    return found
