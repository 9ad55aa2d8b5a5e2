"""Lists that end before a measure's cut-off: on a budget they are read to their end, and compared with longer ones."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from focuseval.errors import counted, listed
from focuseval.measures.declaration import CHARACTERS, RANK, WORDS, Spec
from focuseval.model.arrays import Ints
from focuseval.model.judgements import Topic
from focuseval.model.results import Results

#: ranks that may be meant as characters: from so many on
_CHARACTERS = 100


@dataclass(frozen=True)
class Lengths:
    """How long the lists of assessed topics are, beside the cut-off of a measure."""

    cutoff: int
    unit: str  #: what it counts
    short: dict[str, tuple[int, int]]  #: by run: lists that end before a budget, and all
    longest: int | None = None  #: results of the longest list, where a rank may be meant as a budget

    def told(self) -> str:
        """What is told of them; nothing where they are long enough."""
        if self.longest is None:
            returned = f" returned fewer than {self.cutoff:,} {self.unit}"
            some = []
            for run, (short, lists) in self.short.items():
                some.append(f"{run}{returned} on {short} of {counted(lists, 'topic')}")
                returned = ""
            scores = "its score is" if len(some) == 1 else "their scores are"
            return f"{listed(some)}; {scores} not comparable: retrieve more" if some else ""
        if self.longest >= self.cutoff:
            return ""
        meant = f"; {self.cutoff} characters are @{self.cutoff}c" * (self.cutoff >= _CHARACTERS)
        return f"no list has {self.cutoff} results{meant}"

    def __add__(self, others: "Lengths") -> "Lengths":
        """With those of other runs."""
        longest = None if self.longest is None else max(self.longest, others.longest or 0)
        return replace(self, short=self.short | others.short, longest=longest)


def lengths_of(topics: Sequence[Topic], results: Results, specs: Sequence[Spec]) -> dict[str, Lengths]:
    """How long the lists of assessed topics are, by measure as asked for that has a cut-off.

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

    found = {}
    for spec in specs:
        if spec.cutoff is None or spec.behind is None:
            continue
        kind, count = spec.behind.kind, int(spec.cutoff)
        if kind in (CHARACTERS, WORDS):
            lists, short = (
                np.bincount(run[those], minlength=len(names))
                for those in (slice(None), costs(kind is WORDS) < count)
            )
            of_runs = {names[i]: (int(short[i]), int(lists[i])) for i in np.flatnonzero(short)}
            found[spec.asked] = Lengths(count, kind.name, of_runs)
        elif kind is RANK and any(cutoff.kind is CHARACTERS for cutoff in spec.measure.cutoffs):
            longest = int(np.diff(results.bounds)[assessed].max(initial=0))
            found[spec.asked] = Lengths(count, kind.name, {}, longest)
    return found
