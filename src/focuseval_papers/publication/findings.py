"""A paper's findings as checks: comparisons of numbers, and the verdict that follows from them.

One rule serves the numbers of a campaign and the printed ones. A number that rests on a sample of runs or of topics is
an `estimates.Estimate` and brings its 95 % interval. A comparison

- *holds* where the whole interval is on the right side of the bound (of a difference of two numbers: of 0);
- is *contradicted* where the whole interval is on the wrong side, and the bound is a direction or a threshold that the
  paper states. A threshold of ours contradicts nothing: beyond it, what the paper states decides;
- is *undecided* where the interval contains the bound;
- holds *by construction* where it cannot fail on these numbers, by a theorem, or because a generator was set so.

A number of a campaign that is no estimate is a fact about these data, and decides by itself. A printed number whose
interval cannot be known decides nothing: the comparison is *true* or *not true of the printed number*.
"""

import math
import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from focuseval_papers.publication.estimates import LEVEL, Estimate, Quantity, difference, value_of

HOLDS = "holds"
CONTRADICTED = "contradicted"
UNDECIDED = "undecided"
BY_CONSTRUCTION = "by construction"
NOT_TESTABLE = "not testable here"

#: of printed numbers of which no interval can be given
TRUE, NOT_TRUE = "true of the printed number", "not true of the printed number"

#: of a threshold of ours, where the paper states no bound
UNSTATED = "not stated"

#: what a finding is if one of its comparisons is, the first that there is
_DECISIVE = (CONTRADICTED, NOT_TESTABLE, UNDECIDED, NOT_TRUE, TRUE, HOLDS, BY_CONSTRUCTION)

_RELATIONS: dict[str, Callable[[float, float], bool]] = {
    ">": operator.gt,
    "<": operator.lt,
    "≥": operator.ge,
    "≤": operator.le,
}


@dataclass(frozen=True)
class Comparison:
    """One inequality that a finding rests on. NaN stands for a number that is not available."""

    what: str  #: what is compared, in words
    left: Quantity
    relation: str  #: one of > < ≥ ≤
    right: Quantity
    given: str = ""  #: why it cannot fail here, if it cannot
    n: int = 0  #: how many values were looked at, of numbers that are no estimates
    ours: str = ""  #: why the threshold is what it is, if it is not the paper's
    stated: Quantity | None = None  #: the bound that the paper states in the place of a threshold of ours
    printed: bool = False  #: whether the numbers are printed ones

    @property
    def rests_on(self) -> Estimate | None:
        """The estimate whose interval decides: of the left side where the right is a number, else of the difference."""
        found = difference(self.left, self.right) if isinstance(self.right, Estimate) else self.left
        return found if isinstance(found, Estimate) else None

    def state(self, of: int = 1) -> str:
        """`HOLDS`, `CONTRADICTED`, `UNDECIDED`, `BY_CONSTRUCTION`, `NOT_TESTABLE`, `TRUE` or `NOT_TRUE`.

        One ``of`` so many comparisons contradicts the claim by its interval at 1 - 0.05 / ``of``: of many, one would be
        on the wrong side by chance.
        """
        left, right = value_of(self.left), value_of(self.right)
        if math.isnan(left) or math.isnan(right):
            return NOT_TESTABLE
        relation, found = _RELATIONS[self.relation], self.rests_on
        if self.given:
            return BY_CONSTRUCTION if relation(left, right) else CONTRADICTED
        if found is None and self.printed:
            return TRUE if relation(left, right) else NOT_TRUE
        limits = wide = (left, left)
        bound = right
        if found is not None:
            limits, wide = found.interval, found.interval_at(1 - (1 - LEVEL) / of)
            bound = 0.0 if isinstance(self.right, Estimate) else right
            if math.isnan(limits[0]):
                return NOT_TESTABLE
        if all(relation(limit, bound) for limit in limits):
            return HOLDS
        if any(relation(limit, bound) for limit in wide):
            return UNDECIDED
        return UNDECIDED if self.ours and self.direction(of) != CONTRADICTED else CONTRADICTED

    def direction(self, of: int = 1) -> str:
        """The state of what the paper states in the place of a threshold of ours; `UNSTATED` if it states no bound."""
        if self.stated is None:
            return UNSTATED
        return replace(self, right=self.stated, ours="", stated=None).state(of)

    def beyond(self, of: int = 1) -> str:
        """`direction` where the whole interval is on the wrong side of a threshold of ours; else ``""``."""
        wrong = self.ours and replace(self, ours="").state(of) == CONTRADICTED
        return self.direction(of) if wrong else ""


def given(reason: str, comparisons: Iterable[Comparison]) -> list[Comparison]:
    """The comparisons, which cannot fail for this reason; as they are if there is none (``""``)."""
    return [replace(comparison, given=reason) for comparison in comparisons]


@dataclass(frozen=True)
class Finding:
    """A claim of a paper, and the comparisons that decide it."""

    name: str
    section: str  #: where the paper says so
    claim: str  #: the claim, in our words
    computed: str  #: what is computed and when it holds
    comparisons: Sequence[Comparison]
    decided_by: str = ""  #: which free property of a synthetic campaign decides it

    @property
    def many(self) -> int:
        """How many comparisons could contradict it; 1 at least."""
        return max(1, sum(not comparison.given for comparison in self.comparisons))

    @property
    def states(self) -> list[str]:
        """The state of each comparison."""
        return [comparison.state(self.many) for comparison in self.comparisons]

    @property
    def verdict(self) -> str:
        """Contradicted if one comparison is; else not testable if one is, undecided if one is, and so on.

        It holds if all hold, those by construction left aside, and holds by construction if all do.
        """
        states = self.states
        return next((state for state in _DECISIVE if state in states), NOT_TESTABLE)


def _sides(comparison: Comparison, state: str, suffix: str = "") -> dict[str, object]:
    """The columns of a comparison on one body of numbers."""
    found = comparison.rests_on
    low, high = found.interval if found else (math.nan, math.nan)
    sides = {"left": value_of(comparison.left), "right": value_of(comparison.right), "state": state}
    sides |= {
        "n": found.n if found else comparison.n,
        "over": found.over if found else "",
        "low": low,
        "high": high,
    }
    return {f"{name}{suffix}": value for name, value in sides.items()}


def _row(comparison: Comparison, of: int) -> dict[str, object]:
    """The columns of a comparison that printed numbers have not."""
    found = comparison.rests_on
    influential, without = found.influential if found else ("", math.nan)
    return {
        **{"reason": comparison.given, "comparison": comparison.what, "relation": comparison.relation},
        "interval_of": ("difference" if isinstance(comparison.right, Estimate) else "left") if found else "",
        **{"influential": influential, "without": without, "ours": comparison.ours},
        "beyond": comparison.beyond(of),
    }


def findings_table(reproduced: Sequence[Finding], printed: Sequence[Finding]) -> pd.DataFrame:
    """One row per comparison: the finding, its verdict here and on the printed numbers, both sides.

    The two sequences hold the same findings in the same order. Columns: finding, section, claim, computed, decided_by,
    verdict, verdict_printed, reason (why the comparison cannot fail, or ""), comparison, relation, interval_of (left,
    or difference: left less right), influential (the run or topic without which it changes most), without (what it is
    then), ours (why the threshold is what it is, if it is ours), beyond (where the whole interval is on the wrong side
    of a threshold of ours: the state of what the paper states); left, right, state, n (runs or topics, see over; 0
    where it does not apply), over, low, high (its 95 % interval, NaN where it has none), and the same of the printed
    numbers with ``_printed`` behind their names (NaN where the paper prints no such number).
    """
    rows = []
    for here, there in zip(reproduced, printed, strict=True):
        about = {
            name: getattr(here, name) for name in ("section", "claim", "computed", "decided_by", "verdict")
        }
        # a finding without comparisons is not testable, and says so in a row of its own
        none = [Comparison("nothing to compare", math.nan, ">", math.nan)]
        pairs = zip(
            *(here.comparisons or none, here.states or [NOT_TESTABLE]),
            *(there.comparisons or none, there.states or [NOT_TESTABLE]),
            strict=True,
        )
        for ours, state, theirs, state_printed in pairs:
            known = {
                "finding": here.name,
                **about,
                "verdict_printed": there.verdict,
                **_row(ours, len(here.states)),
            }
            rows.append(known | _sides(ours, state) | _sides(theirs, state_printed, "_printed"))
    return pd.DataFrame(rows)
