"""A paper's findings as checks: comparisons of numbers, and the verdict that follows from them.

A finding is confirmed where every comparison holds, not confirmed where one does not, and not
testable where a number is missing. The same finding is evaluated on the numbers of a campaign and
on the printed ones: a formalisation that the paper's own numbers contradict would be a wrong one.
"""

import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pandas as pd

CONFIRMED = "confirmed"
NOT_CONFIRMED = "not confirmed"
BY_CONSTRUCTION = "by construction"
NOT_TESTABLE = "not testable here"

#: fewer runs decide nothing about how measures rank systems: of two, every correlation is 1 or -1
FEWEST_RUNS = 5

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
    left: float
    relation: str  #: one of > < ≥ ≤
    right: float

    @property
    def testable(self) -> bool:
        """Whether both numbers are known."""
        return not (math.isnan(self.left) or math.isnan(self.right))

    @property
    def holds(self) -> bool:
        """Whether the inequality is true of the unrounded numbers."""
        return self.testable and _RELATIONS[self.relation](self.left, self.right)


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
        """`CONFIRMED`, `NOT_CONFIRMED` or `NOT_TESTABLE`."""
        if not self.comparisons or not all(c.testable for c in self.comparisons):
            return NOT_TESTABLE
        return CONFIRMED if all(c.holds for c in self.comparisons) else NOT_CONFIRMED


def findings_table(reproduced: Sequence[Finding], printed: Sequence[Finding]) -> pd.DataFrame:
    """One row per comparison: the finding, its verdict here and on the printed numbers, both sides.

    The two sequences hold the same findings in the same order. Columns: finding, section, claim,
    computed, verdict, verdict_printed, comparison, left, relation, right, holds, left_printed,
    right_printed (NaN where the paper prints no such number).
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
                    "comparison": ours.what,
                    "left": ours.left,
                    "relation": ours.relation,
                    "right": ours.right,
                    "holds": ours.holds,
                    "left_printed": theirs.left,
                    "right_printed": theirs.right,
                }
            )
    return pd.DataFrame(rows)
