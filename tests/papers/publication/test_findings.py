"""What a verdict is: of numbers, of estimates with their intervals, and of what cannot fail."""

import math

import numpy as np
import pytest

from focuseval_papers.publication.estimates import Estimate, Sample, difference
from focuseval_papers.publication.findings import (
    BY_CONSTRUCTION,
    CONFIRMED,
    FAILS,
    HOLDS,
    NOT_CONFIRMED,
    NOT_TESTABLE,
    UNDECIDED,
    UNKNOWN,
    Comparison,
    Finding,
    findings_table,
    given,
)
from focuseval_papers.publication.weighted import kendall_of, mean_of

TOPICS = Sample("topics", tuple(f"t{n}" for n in range(30)), "topics", 500, 7)


def of_mean(mean: float, spread: float, sample: Sample = TOPICS) -> Estimate:
    """Values with this mean, which lie a spread on either side of it."""
    sides = np.where(np.arange(len(sample.members)) % 2, 1.0, -1.0)
    return sample.estimate(mean_of(mean + spread * sides))


@pytest.mark.parametrize(
    ("left", "relation", "right", "state"),
    [
        (1, ">", 1, FAILS),
        (1, "≥", 1, HOLDS),
        (1, "<", 1, FAILS),
        (1, "≤", 1, HOLDS),
        (2, ">", 1, HOLDS),
        (math.nan, ">", 1, UNKNOWN),
        (1, ">", math.nan, UNKNOWN),
    ],
)
def test_numbers_are_compared_as_they_are(left: float, relation: str, right: float, state: str) -> None:
    assert Comparison("", left, relation, right).state == state


@pytest.mark.parametrize(
    ("mean", "spread", "relation", "state"),
    [
        (0.1, 0.1, ">", HOLDS),
        (0.1, 1.0, ">", UNDECIDED),
        (0.1, 1.0, "≥", UNDECIDED),
        (-0.1, 0.1, ">", FAILS),
        (-0.1, 1.0, "<", UNDECIDED),
        (-0.1, 0.1, "≤", HOLDS),
        (math.nan, 0.1, ">", UNKNOWN),
    ],
)
def test_an_estimate_holds_where_all_its_interval_does(
    mean: float, spread: float, relation: str, state: str
) -> None:
    assert Comparison("", of_mean(mean, spread), relation, 0.0).state == state
    # of two estimates it is their difference: both move together over the same topics
    far = of_mean(mean + 5, 2 + spread)
    assert Comparison("", far, relation, of_mean(5, 2)).state == state


def test_a_correlation_above_0_is_not_confirmed_where_its_interval_holds_0() -> None:
    runs = Sample("runs", tuple(map(str, range(20))), "runs", 1000, 1)
    rng = np.random.default_rng(0)
    x = rng.normal(size=20)
    weak, strong = (runs.estimate(kendall_of(x, part * x + rng.normal(size=20))) for part in (0.3, 3.0))
    assert 0 < weak.value < strong.value
    assert Comparison("tau", weak, ">", 0.0).state == UNDECIDED
    assert Comparison("tau", strong, ">", 0.0).state == HOLDS


def test_one_topic_tells_nothing() -> None:
    one = Sample("one", ("t",), "topics", 100, 1).estimate(mean_of(np.ones(1)))
    assert Comparison("", one, ">", 0.0).state == UNKNOWN


def verdict(*comparisons: Comparison) -> str:
    return Finding("", "", "", "", comparisons).verdict


def test_verdicts() -> None:
    yes, no, unknown = (Comparison("", x, ">", 0.0) for x in (1.0, -1.0, math.nan))
    open_one = Comparison("", of_mean(0.1, 1.0), ">", 0.0)
    assert verdict(yes, yes) == CONFIRMED
    assert verdict(yes, no) == verdict(yes, open_one) == NOT_CONFIRMED
    assert verdict(no, unknown) == verdict() == NOT_TESTABLE


def test_what_cannot_fail_is_no_evidence_unless_it_fails() -> None:
    yes, no, unknown = (Comparison("", x, ">", 0.0) for x in (1.0, -1.0, math.nan))
    theorem = given("A theorem.", [yes, yes])
    assert [c.given for c in theorem] == ["A theorem."] * 2 and given("", [yes]) == [yes]
    assert verdict(*theorem) == BY_CONSTRUCTION
    assert verdict(*theorem, yes) == CONFIRMED
    assert verdict(*theorem, no) == NOT_CONFIRMED
    assert verdict(*given("A theorem.", [yes, no])) == NOT_CONFIRMED
    assert verdict(*given("A theorem.", [yes, unknown])) == NOT_TESTABLE
    # nothing is decided by an interval where nothing could be otherwise
    assert verdict(*given("A theorem.", [Comparison("", of_mean(0.1, 1.0), ">", 0.0)])) == BY_CONSTRUCTION


def test_the_table_has_a_row_for_each_comparison() -> None:
    one = [Finding("f", "1", "c", "x", [Comparison("a", 1.0, ">", 0.0), Comparison("b", 0.0, ">", 1.0)])]
    other = [
        Finding("f", "1", "c", "x", [Comparison("a", math.nan, ">", 0.0), Comparison("b", 3.0, ">", 1.0)])
    ]
    found = findings_table(one, other)
    assert found["verdict"].tolist() == [NOT_CONFIRMED] * 2
    assert found["verdict_printed"].tolist() == [NOT_TESTABLE] * 2
    assert found["state"].tolist() == [HOLDS, FAILS]
    assert found["left_printed"].tolist()[1] == 3.0
    assert found["n"].tolist() == [0, 0] and found["low"].isna().all()


def test_the_table_has_the_evidence_of_each_comparison() -> None:
    high, low = of_mean(0.5, 0.1), of_mean(0.25, 0.2)
    comparisons = [Comparison("a", high, ">", 0.0), Comparison("a | b", high, ">", low)]
    printed = [Comparison("a", 0.75, ">", 0.0), Comparison("a | b", 0.75, ">", math.nan)]
    made = [[Finding("f", "1", "c", "x", which)] for which in (comparisons, printed)]
    found = findings_table(*made)
    assert found[["left", "n", "over"]].values.tolist() == [[high.value, 30, "topics"]] * 2
    assert found["interval_of"].tolist() == ["left", "difference"]
    assert found.loc[0, ["low", "high"]].tolist() == list(high.interval)
    assert found.loc[1, ["low", "high"]].tolist() == list(difference(high, low).interval)
    assert found.loc[1, ["influential", "without"]].tolist() == list(difference(high, low).influential)
    assert found["left_printed"].tolist() == [0.75, 0.75]
