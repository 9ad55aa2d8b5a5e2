"""A paper's findings as checks: comparisons of numbers, and the verdict that follows from them.

A finding is confirmed where every comparison holds, not confirmed where one does not, and not testable where a
number is missing. A number that rests on a sample of runs or of topics (`estimates.Estimate`)
brings its interval: a comparison of such numbers holds where the 95 % bootstrap interval of their difference lies
wholly on the claimed side of 0. Every comparison of a finding must hold, so that no correction for their number is
needed: a finding that is wrong in one of them is confirmed in at most 2.5 % of samples.

What cannot fail on the numbers at hand (by a theorem, or because a generator was set so) is no evidence: a comparison
says why, and a finding of nothing else has the verdict *by construction*.

The same finding is evaluated on the numbers of a campaign and on the printed ones, which have no intervals: a
formalisation that the paper's own numbers contradict would be a wrong one.
"""

import math
import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from focuseval_papers.publication.estimates import Estimate, Quantity, difference, value_of

CONFIRMED = "confirmed"
NOT_CONFIRMED = "not confirmed"
BY_CONSTRUCTION = "by construction"
NOT_TESTABLE = "not testable here"

#: what a comparison can be: true of the numbers and of their interval, of the numbers alone, false, or not known
HOLDS, UNDECIDED, FAILS, UNKNOWN = "holds", "undecided", "fails", "unknown"

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

    @property
    def rests_on(self) -> Estimate | None:
        """The estimate whose interval decides: of the left side where the right is a number, else of the difference."""
        found = difference(self.left, self.right) if isinstance(self.right, Estimate) else self.left
        return found if isinstance(found, Estimate) else None

    @property
    def state(self) -> str:
        """`HOLDS`, `UNDECIDED` (true of the numbers, but not of all their interval), `FAILS` or `UNKNOWN`."""
        left, right = value_of(self.left), value_of(self.right)
        if math.isnan(left) or math.isnan(right):
            return UNKNOWN
        relation = _RELATIONS[self.relation]
        if not relation(left, right):
            return FAILS
        found = self.rests_on
        if found is None or self.given:
            return HOLDS
        limits, bound = found.interval, 0.0 if isinstance(self.right, Estimate) else right
        if math.isnan(limits[0]):
            return UNKNOWN
        return HOLDS if all(relation(limit, bound) for limit in limits) else UNDECIDED


def given(reason: str, comparisons: Iterable[Comparison]) -> list[Comparison]:
    """The comparisons, which cannot fail for this reason; as they are if there is none (``""``)."""
    return [replace(comparison, given=reason) for comparison in comparisons]


@dataclass(frozen=True)
class Finding:
    """A claim of a paper, and the comparisons that decide it."""

    name: str
    section: str  #: where the paper says so
    claim: str  #: the claim, in our words
    computed: str  #: what is computed and when it counts as confirmed
    comparisons: Sequence[Comparison]

    @property
    def verdict(self) -> str:
        """`CONFIRMED`, `NOT_CONFIRMED`, `BY_CONSTRUCTION` or `NOT_TESTABLE`.

        What cannot fail counts only where it does: then the reason for it is wrong.
        """
        states = {comparison.state for comparison in self.comparisons}
        open_ones = {comparison.state for comparison in self.comparisons if not comparison.given}
        if UNKNOWN in states or not states:
            return NOT_TESTABLE
        if FAILS in states or UNDECIDED in states:
            return NOT_CONFIRMED
        return CONFIRMED if open_ones else BY_CONSTRUCTION


def _row(comparison: Comparison) -> dict[str, object]:
    """The columns of a comparison on the numbers of a campaign."""
    found = comparison.rests_on
    low, high = found.interval if found else (math.nan, math.nan)
    influential, without = found.influential if found else ("", math.nan)
    left, right = value_of(comparison.left), value_of(comparison.right)
    return {
        **{"reason": comparison.given, "comparison": comparison.what},
        **{"left": left, "relation": comparison.relation, "right": right, "state": comparison.state},
        **{"n": found.n if found else comparison.n, "over": found.over if found else ""},
        "interval_of": ("difference" if isinstance(comparison.right, Estimate) else "left") if found else "",
        **{"low": low, "high": high, "influential": influential, "without": without},
    }


def findings_table(reproduced: Sequence[Finding], printed: Sequence[Finding]) -> pd.DataFrame:
    """One row per comparison: the finding, its verdict here and on the printed numbers, both sides.

    The two sequences hold the same findings in the same order. Columns: finding, section, claim, computed, verdict,
    verdict_printed, reason (why the comparison cannot fail, or ""), comparison, left, relation, right, state (holds,
    undecided, fails, unknown), n (runs or topics, see over; 0 where it does not apply), over, interval_of (left, or
    difference: left less right), low, high (its 95 % interval, NaN where it has none), influential (the run or topic
    without which it changes most), without (what it is then), left_printed, right_printed (NaN where the paper prints
    no such number).
    """
    rows = []
    for here, there in zip(reproduced, printed, strict=True):
        # a finding without comparisons is not testable, and says so in a row of its own
        none = [Comparison("nothing to compare", math.nan, ">", math.nan)]
        for ours, theirs in zip(here.comparisons or none, there.comparisons or none, strict=True):
            rows.append(
                {
                    "finding": here.name,
                    "section": here.section,
                    "claim": here.claim,
                    "computed": here.computed,
                    "verdict": here.verdict,
                    "verdict_printed": there.verdict,
                    **_row(ours),
                    "left_printed": value_of(theirs.left),
                    "right_printed": value_of(theirs.right),
                }
            )
    return pd.DataFrame(rows)
