"""Findings of an audit: whether scores change as expected when runs or judgements are transformed."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd

from focuseval.errors import NOT_INSTALLED, InputError, MissingExtra, Problem
from focuseval.measures.declaration import Spec
from focuseval.measures.rules import rule_violations
from focuseval.model.arrays import Bools, Floats, changes
from focuseval.model.judgements import Topic
from focuseval.model.results import PLACE, Results
from focuseval.scoring.score import Scores, score
from focuseval.transformations.declaration import BEST, FALLS, NOT_BETTER, NOT_WORSE, SAME
from focuseval.transformations.lists import list_of, names_of_lists

#: the verdicts on a property: no case breaks it; a case breaks it; no change is expected; no case was compared
UNBROKEN, BREAKS, REPORTED, NOT_TRIED = VERDICTS = ("not broken", "breaks", "reported", "not tried")


@dataclass(frozen=True)
class AuditFinding:
    """The audit's finding about one measure and one transformation. Each field is a column of the audit's table."""

    measure: str  #: canonical name of the measure
    transformation: str  #: name of the transformation, with parameters that differ from their defaults
    property: str  #: the property that a breach disproves, by its name in ``--require``
    expected: str  #: the expected change, one of `focuseval.transformations.declaration.EXPECTATIONS`
    verdict: str  #: one of `VERDICTS`
    tried: int  #: number of pairs of scores or means that were compared
    broken: int  #: number of these pairs that break the expectation
    largest: float = np.nan  #: largest amount by which a change breaks the expectation; NaN without a breach
    #: mean change (score after minus score before); NaN if nothing was compared
    mean_change: float = np.nan
    #: ``low`` and ``high`` are the limits of the 95 % interval of the mean change over topics; NaN without an interval
    low: float = np.nan
    high: float = np.nan
    note: str = ""  #: the reason for a missing verdict, or a note about data that was left out
    example: str = ""  #: the smallest case that shows a breach, as text; "" without a breach


#: columns of the audit's table
COLUMNS = tuple(AuditFinding.__dataclass_fields__)


def table(findings: Sequence[AuditFinding]) -> pd.DataFrame:
    """Return the findings as a frame with the columns `COLUMNS`."""
    frame = pd.DataFrame([vars(one) for one in findings], columns=list(COLUMNS))
    integers, floats = ["tried", "broken"], ["largest", "mean_change", "low", "high"]
    return frame.astype(dict.fromkeys(integers, np.int64) | dict.fromkeys(floats, float))


#: largest rounding error; for scores above 1, it is relative to the score
ROUNDING = 1e-9

#: the note for a transformation that changes no list
UNCHANGED = "the transformation changes no result list"

_LIST = ["run", "topic"]


@dataclass(frozen=True, eq=False)
class ScoredResults:
    """Results, and their scores by the measures that can be computed."""

    results: Results
    scores: Scores | None  #: None if no measure can be computed
    refused: dict[str, str]  #: the reason why a measure cannot be computed, by the measure's name
    #: a cache of the lists (run, topic) that break a rule, by the name of the rule
    _breaking: dict[str, set[tuple[str, str]]] = field(default_factory=dict)

    @cached_property
    def values(self) -> pd.DataFrame:
        """The scores, with a row for each list (run, topic) and a column for each measure."""
        if self.scores is None:
            return pd.DataFrame(index=pd.MultiIndex.from_arrays([[], []], names=_LIST))
        wide = _wide(self.scores.per_topic, *_LIST)
        return wide.set_axis(
            pd.MultiIndex.from_tuples([(str(r), str(t)) for r, t in wide.index], names=_LIST)
        )

    @cached_property
    def sizes(self) -> dict[tuple[str, str], float]:
        """For each list (run, topic), the sum of the end offsets of its results. Examples prefer small sums."""
        ends = np.bincount(list_of(self.results), self.results.end)
        return dict(zip(names_of_lists(self.results), ends.tolist(), strict=True))

    @cached_property
    def means(self) -> pd.DataFrame:
        """The mean scores over topics, with a row for each run and a column for each measure."""
        if self.scores is None:
            return pd.DataFrame(index=pd.Index([], dtype=object))
        wide = _wide(self.scores.means(), "run")
        return wide.set_axis(wide.index.astype(str))

    def allowed(self, rule: str, lists: pd.MultiIndex) -> Bools:
        """Return, for each of ``lists``, whether it obeys a rule of `focuseval.measures.rules`.

        Every list obeys the rule ``""``.
        """
        if rule and rule not in self._breaking:
            broken = (one for one in self.results.lists() if len(rule_violations(rule, one)[0]))
            self._breaking[rule] = {(one.run, one.topic) for one in broken}
        return np.array([key not in self._breaking.get(rule, ()) for key in lists], dtype=bool)


def _wide(table: pd.DataFrame, *keys: str) -> pd.DataFrame:
    """Return the scores in ``table``, with a row for each combination of ``keys`` and a column for each measure."""
    wide = table.set_index([*keys, "name"])["value"].unstack("name")
    return wide.set_axis(wide.columns.astype(str), axis=1)


def scored(
    topics: Sequence[Topic], results: Results, specs: Sequence[Spec], average_over: str = "assessed"
) -> ScoredResults:
    """Score results, even if they break a rule. The result's ``refused`` lists measures that cannot be computed.

    Raises MissingExtra for a measure that needs a missing package.
    """
    if not len(results) or not specs:
        return ScoredResults(results, None, {spec.name: UNCHANGED for spec in specs})
    try:
        scores = score(topics, results, specs, average_over=average_over, lenient=True, skip_refused=True)
        _refuse_missing_extra([problem for problems in scores.refused.values() for problem in problems])
    except InputError as error:
        _refuse_missing_extra(error.problems)
        reasons = {str(p.source).removeprefix("measure "): p.reason for p in error.problems}
        return ScoredResults(
            results, None, {s.name: reasons.get(s.asked, error.problems[0].found) for s in specs}
        )
    names = {spec.asked: spec.name for spec in specs}
    scored_names = set(scores.per_topic["name"])
    refused = {spec.name: "no topic has relevant content" for spec in specs if spec.name not in scored_names}
    refused |= {names[asked]: p[0].reason for asked, p in scores.refused.items()}
    return ScoredResults(results, scores, refused)


def _refuse_missing_extra(problems: Sequence[Problem]) -> None:
    """Raise MissingExtra if a problem is a missing package."""
    if missing := [problem for problem in problems if problem.found == NOT_INSTALLED]:
        raise MissingExtra(missing[0])


def changed(before: Results, after: Results) -> tuple[Bools, set[tuple[str, str]]]:
    """Return whether each result of ``after`` is in a list that changed, and the (run, topic) of lists that changed."""
    old, new = _written(before), _written(after)
    moved = [old.get(name) != one for name, one in new.items()]
    names = {name for name, other in zip(new, moved, strict=True) if other}
    return np.array(moved, dtype=np.bool_)[list_of(after)], names


def _written(results: Results) -> dict[tuple[str, str], bytes]:
    """Return the places and ties of each list (run, topic) as bytes. Lists with equal bytes are equal."""
    first = changes(list_of(results))
    columns = [*(getattr(results, name) for name in PLACE), first | changes(results.rank)]
    lists = np.split(np.stack(columns, axis=1).astype(np.int64), np.flatnonzero(first)[1:])
    return {name: one.tobytes() for name, one in zip(names_of_lists(results), lists, strict=False)}


def sign_of(spec: Spec) -> float:
    """Return 1 if higher scores are better, else -1."""
    return 1.0 if spec.measure.higher_is_better else -1.0


def wrong(expected: str, change: Floats, size: Floats) -> Floats:
    """Return the amount by which each change of a score breaks the expectation, or 0 if it does not.

    ``change`` is the score after minus the score before, negated if lower is better. ``size`` is the magnitude of the
    compared scores, on which the limit for rounding errors depends.
    """
    amount = {
        SAME: np.abs(change),
        NOT_BETTER: change,
        BEST: change,
        FALLS: change,
        NOT_WORSE: -change,
    }.get(expected, np.zeros_like(change))
    return np.where(amount > ROUNDING * np.maximum(1.0, np.abs(size)), amount, 0.0)
