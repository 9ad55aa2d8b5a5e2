"""The smallest case that shows a breach: nothing can be left out of it without the breach being gone."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from focuseval.auditing.cases import (
    Case,
    gold_of,
    is_sound,
    stretches,
    told,
    with_documents,
    with_elements,
    with_gold,
    with_results,
    without,
    without_text,
)
from focuseval.auditing.comparing import wrong
from focuseval.auditing.ideals import ideals_of
from focuseval.errors import InputError
from focuseval.measures.declaration import Spec
from focuseval.measures.rules import rule_violations
from focuseval.model.arrays import Bools
from focuseval.model.results import ResultList, Results
from focuseval.scoring.refusals import unmet
from focuseval.transformations.declaration import BEST, Applied

#: to what a stretch of text is shortened, if it can be: to nothing, or so many units
_SHORT = (0, 1, 2, 3, 4, 5, 10, 20, 50, 100, 200, 500)


@dataclass(frozen=True)
class Breach:
    """A measure that does not do what is expected under a transformation, by ``least`` or more."""

    spec: Spec
    applied: Applied
    expected: str
    least: float

    def shown(self, case: Case) -> bool:
        """Whether a case shows it."""
        found = self._scores(case)
        return found is not None and self._amount(*found) >= self.least * (1 - 1e-6)

    def _amount(self, before: float, after: float) -> float:
        sign = 1.0 if self.spec.measure.higher_is_better else -1.0
        size = max(abs(before), abs(after))
        return float(wrong(self.expected, np.array([sign * (after - before)]), np.array([size]))[0])

    def _scores(self, case: Case) -> tuple[float, float] | None:
        """The two scores; None where there are none."""
        if unmet(self.spec.needs, [case.topic]):  # a case that was found for another measure
            return None
        before, after = self.lists(case)
        if before is None or not len(before) or not len(after):
            return None
        found = [next(results.lists()) for results in (before, after)]
        rule = self.spec.measure.rule
        if rule and any(len(rule_violations(rule, one)[0]) for one in found):
            return None
        if not all(self._takes(one) for one in found):
            return None
        one, other = (self.spec.value(case.topic, ranking) for ranking in found)
        return None if one is None or other is None else (one, other)

    def _takes(self, found: ResultList) -> bool:
        return self.spec.measure.takes_passages(self.spec.parameters) or bool((found.element >= 0).all())

    def lists(self, case: Case) -> tuple[Results | None, Results]:
        """The list that is compared with, and the one that is compared."""
        if self.expected == BEST:
            return self._ideal(case), case.results
        return case.results, self.applied.transform(case.results, [case.topic])

    def _ideal(self, case: Case) -> Results | None:
        """The ideal run of the highest score."""
        best: tuple[float, Results | None] = (-np.inf, None)
        sign = 1.0 if self.spec.measure.higher_is_better else -1.0
        for applied in ideals_of(self.spec, case.topic.scale):
            try:
                made = applied.transform(case.results, [case.topic])
            except InputError:
                continue
            if not len(made):
                continue
            found = next(made.lists())
            rule = self.spec.measure.rule
            if not self._takes(found) or (rule and len(rule_violations(rule, found)[0])):
                continue
            value = self.spec.value(case.topic, found)
            if value is not None and sign * value > best[0]:
                best = sign * value, made
        return best[1]

    def told(self, case: Case) -> str:
        """The case, both lists and both scores as text."""
        before, after = self.lists(case)
        scores = self._scores(case)
        assert before is not None and scores is not None  # it was shown
        names = ("ideal run", "run") if self.expected == BEST else ("run", self.applied.name)
        said = f"{self.spec.name}: {scores[0]:.4g}, and then {scores[1]:.4g}"
        if self.expected == BEST:
            said = f"{self.spec.name}: {scores[0]:.4g} of the ideal run, {scores[1]:.4g} of the run"
        return told(case, [(names[0], before), (names[1], after)]) + f"{said} ({self.expected} expected)\n"


def smallest(case: Case, breach: Breach) -> Case:
    """A case of which nothing can be left out: no result, gold, document, element or text."""
    while simpler := next((one for one in without(case, breach.spec.needs) if breach.shown(one)), None):
        case = simpler
    parts: list[tuple[Callable[[Case], int], Callable[[Case, Bools], Case]]] = [
        (lambda one: len(one.collection.names), with_documents),
        (lambda one: len(one.results), with_results),
        (gold_of, with_gold),
        (lambda one: len(one.collection), with_elements),
    ]
    while True:
        before = case
        for count, keep in parts:
            case = _fewer(case, breach, count, keep)
        case = _shorter(case, breach)
        if case is before:
            return case


def _fewer(
    case: Case, breach: Breach, count: Callable[[Case], int], keep: Callable[[Case, Bools], Case]
) -> Case:
    """The case without what can be left out of one kind: in large pieces first, then one by one."""
    size = count(case)
    while size >= 1:
        at = 0
        while at < count(case):
            kept = np.ones(count(case), dtype=bool)
            kept[at : at + size] = False
            fewer = keep(case, kept)
            if count(fewer) < count(case) and _shows(breach, fewer):
                case = fewer
            else:
                at += size
        size = min(size - 1, (size + 1) // 2)
    return case


def _shorter(case: Case, breach: Breach) -> Case:
    """The case with every stretch of text as short as it can be."""
    at = 0
    while at < len(found := stretches(case)):
        document, start, end = found[at]
        shorter = next((one for one in _shortened(case, document, start, end) if _shows(breach, one)), None)
        if shorter is None:
            at += 1
        else:
            case = shorter
    return case


def _shortened(case: Case, document: int, start: int, end: int) -> Iterator[Case]:
    size = end - start
    for kept in sorted({*(s for s in _SHORT if s < size), size // 2, size - 1}):
        yield without_text(case, document, start + kept, end)


def _shows(breach: Breach, case: Case) -> bool:
    return bool(len(case.results)) and is_sound(case) and breach.shown(case)
