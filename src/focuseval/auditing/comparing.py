"""Scores before and after a transformation, side by side, and which of them did not do what they should."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd

from focuseval.errors import InputError
from focuseval.measures.declaration import Spec
from focuseval.measures.rules import rule_violations
from focuseval.model.arrays import Bools, Floats, changes
from focuseval.model.judgements import Topic
from focuseval.model.results import PLACE, Results
from focuseval.scoring.score import Scores, score
from focuseval.transformations.declaration import BEST, FALLS, NOT_BETTER, NOT_WORSE, SAME
from focuseval.transformations.lists import list_of, names_of_lists

#: differences up to this, relative to scores above 1, are rounding
ROUNDING = 1e-9

#: said of a transformation that does nothing to the runs given
UNCHANGED = "no list here is changed by it"

_LIST = ["run", "topic"]


@dataclass(frozen=True, eq=False)
class Scored:
    """Results with their scores under measures, as far as these can be computed."""

    results: Results
    scores: Scores | None  #: None where no measure can be computed
    refused: dict[str, str]  #: why measures cannot be computed, by canonical name
    _breaking: dict[str, set[tuple[str, str]]] = field(default_factory=dict)  #: lists that break a rule

    @cached_property
    def values(self) -> pd.DataFrame:
        """The score of each list (run, topic), a column for each measure by its canonical name."""
        if self.scores is None:
            return pd.DataFrame(index=pd.MultiIndex.from_arrays([[], []], names=_LIST))
        table = self.scores.per_topic
        wide = table.set_index([*_LIST, "name"])["value"].unstack("name")
        wide.columns = wide.columns.astype(str)
        return wide.set_axis(
            pd.MultiIndex.from_tuples([(str(r), str(t)) for r, t in wide.index], names=_LIST)
        )

    @cached_property
    def sizes(self) -> dict[tuple[str, str], float]:
        """How many results in how long texts each list (run, topic) has: the ends of its results, added up."""
        ends = np.bincount(list_of(self.results), self.results.end)
        return dict(zip(names_of_lists(self.results), ends.tolist(), strict=True))

    @cached_property
    def means(self) -> pd.DataFrame:
        """The mean of each run over the topics, a column for each measure."""
        if self.scores is None:
            return pd.DataFrame(index=pd.Index([], dtype=object))
        table = self.scores.means()
        wide = table.set_index(["run", "name"])["value"].unstack("name")
        wide.columns = wide.columns.astype(str)
        return wide.set_axis(wide.index.astype(str))

    def allowed(self, rule: str, lists: pd.MultiIndex) -> Bools:
        """Which of these lists (run, topic) keep a rule (`focuseval.measures.rules`); all where there is none."""
        if rule and rule not in self._breaking:
            broken = (one for one in self.results.lists() if len(rule_violations(rule, one)[0]))
            self._breaking[rule] = {(one.run, one.topic) for one in broken}
        return np.array([key not in self._breaking.get(rule, ()) for key in lists], dtype=bool)


def scored(
    topics: Sequence[Topic], results: Results, specs: Sequence[Spec], average_over: str = "assessed"
) -> Scored:
    """The results with their scores, also where a rule is broken; measures that cannot be computed are told."""
    if not len(results) or not specs:
        return Scored(results, None, {spec.name: UNCHANGED for spec in specs})
    try:
        found = score(topics, results, specs, average_over=average_over, lenient=True, skip_refused=True)
    except InputError as error:
        told = {str(p.source).removeprefix("measure "): p.reason for p in error.problems}
        return Scored(results, None, {s.name: told.get(s.asked, error.problems[0].found) for s in specs})
    names = {spec.asked: spec.name for spec in specs}
    seen = set(found.per_topic["name"])
    refused = {spec.name: "no topic has relevant content" for spec in specs if spec.name not in seen}
    refused |= {names[asked]: p[0].reason for asked, p in found.refused.items()}
    return Scored(results, found, refused)


def changed(before: Results, after: Results) -> tuple[Bools, set[tuple[str, str]]]:
    """Which results of ``after`` are of lists that are not the same ``before``, and the names of those lists."""
    of_after, of_before = list_of(after), list_of(before)
    first_after, first_before = (np.flatnonzero(changes(number)) for number in (of_after, of_before))
    keys = {name: number for number, name in enumerate(names_of_lists(before))}
    names = names_of_lists(after)
    old = np.array([keys.get(name, -1) for name in names], dtype=np.int64)
    length_after, length_before = np.bincount(of_after), np.bincount(of_before)
    alike = (old >= 0) & (length_after == length_before[np.maximum(old, 0)])
    row = np.flatnonzero(alike[of_after])
    place = row - first_after[of_after[row]]
    there = first_before[old[of_after[row]]] + place
    same = np.ones(len(row), dtype=bool)
    for column in PLACE:
        same &= getattr(after, column)[row] == getattr(before, column)[there]
    new_after, new_before = (changes(found.rank) for found in (after, before))
    same &= (new_after[row] == new_before[there]) | (place == 0)  # the numbers of ranks may be others
    differing = np.bincount(of_after[row[~same]], minlength=len(names)) > 0
    moved = ~alike | differing
    return moved[of_after], {name for name, other in zip(names, moved, strict=True) if other}


def wrong(expected: str, change: Floats, size: Floats) -> Floats:
    """How far changes go against what is expected of them, 0 where they do not.

    ``change`` is after less before, in the direction in which a measure is better; ``size`` the larger of both, which
    rounding is relative to.
    """
    amount = {
        SAME: np.abs(change),
        NOT_BETTER: change,
        BEST: change,
        FALLS: change,
        NOT_WORSE: -change,
    }.get(expected, np.zeros_like(change))
    return np.where(amount > ROUNDING * np.maximum(1.0, np.abs(size)), amount, 0.0)
