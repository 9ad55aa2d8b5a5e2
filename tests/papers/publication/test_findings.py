"""What a verdict is: of numbers, of estimates with their intervals, of printed ones, and of what cannot fail."""

import math
from dataclasses import replace

import numpy as np
import pytest

from focuseval.statistics.correlations import FEWEST_RUNS
from focuseval_papers.publication.claims import (
    BY_CONSTRUCTION,
    CONTRADICTED,
    HOLDS,
    NOT_TESTABLE,
    NOT_TRUE,
    TRUE,
    UNDECIDED,
    UNSTATED,
    Comparison,
    Finding,
    findings_table,
)
from focuseval_papers.publication.estimates import Estimate, Sample, difference, kendall_of, mean_of

TOPICS = Sample("topics", tuple(f"t{n}" for n in range(30)), "topics", 500, 7)


def of_mean(mean: float, spread: float, sample: Sample = TOPICS) -> Estimate:
    """Values with this mean, which lie a spread on either side of it."""
    sides = np.where(np.arange(len(sample.members)) % 2, 1.0, -1.0)
    return sample.estimate(mean_of(mean + spread * sides))


@pytest.mark.parametrize(
    ("left", "relation", "right", "state"),
    [
        (1, ">", 1, CONTRADICTED),
        (1, "≥", 1, HOLDS),
        (1, "<", 1, CONTRADICTED),
        (1, "≤", 1, HOLDS),
        (2, ">", 1, HOLDS),
        (math.nan, ">", 1, NOT_TESTABLE),
        (1, ">", math.nan, NOT_TESTABLE),
    ],
)
def test_numbers_that_nothing_is_drawn_of_are_compared_as_they_are(
    left: float, relation: str, right: float, state: str
) -> None:
    assert Comparison("", left, relation, right).state() == state
    # printed ones, of which something may have been drawn, decide nothing
    of_print = {HOLDS: TRUE, CONTRADICTED: NOT_TRUE, NOT_TESTABLE: NOT_TESTABLE}
    assert Comparison("", left, relation, right, printed=True).state() == of_print[state]


@pytest.mark.parametrize(
    ("mean", "spread", "relation", "state"),
    [
        (0.1, 0.1, ">", HOLDS),
        (0.1, 1.0, ">", UNDECIDED),
        (0.1, 1.0, "≥", UNDECIDED),
        (-0.1, 1.0, ">", UNDECIDED),
        (-0.1, 0.1, ">", CONTRADICTED),
        (-0.1, 0.1, "≤", HOLDS),
        (0.1, 0.1, "≤", CONTRADICTED),
        (math.nan, 0.1, ">", NOT_TESTABLE),
    ],
)
@pytest.mark.parametrize("printed", [False, True])
def test_the_whole_interval_decides(
    mean: float, spread: float, relation: str, state: str, printed: bool
) -> None:
    assert Comparison("", of_mean(mean, spread), relation, 0.0, printed=printed).state() == state
    # of two estimates it is their difference: both move together over the same topics
    far = of_mean(mean + 5, 2 + spread)
    assert Comparison("", far, relation, of_mean(5, 2), printed=printed).state() == state


def test_a_correlation_above_0_is_undecided_where_its_interval_holds_0() -> None:
    runs = Sample("runs", tuple(map(str, range(20))), "runs", 1000, 1)
    rng = np.random.default_rng(0)
    x = rng.normal(size=20)
    weak, strong = (runs.estimate(kendall_of(x, part * x + rng.normal(size=20))) for part in (0.3, 3.0))
    assert 0 < weak.value < strong.value
    assert Comparison("tau", weak, ">", 0.0).state() == UNDECIDED
    assert Comparison("tau", strong, ">", 0.0).state() == HOLDS


@pytest.mark.parametrize(
    ("members", "over", "state"),
    [
        (1, "topics", NOT_TESTABLE),
        (2, "topics", HOLDS),
        (FEWEST_RUNS - 1, "runs", NOT_TESTABLE),
        (FEWEST_RUNS, "runs", HOLDS),
    ],
)
def test_too_few_members_decide_nothing(members: int, over: str, state: str) -> None:
    few = Sample("few", tuple(map(str, range(members))), over, 500, 1)
    assert Comparison("", few.estimate(mean_of(np.ones(members))), ">", 0.0).state() == state
    # nor does the difference from a number of many
    many = of_mean(0.5, 0.1)
    assert Comparison("", few.estimate(mean_of(np.ones(members))), ">", many).state() == state


@pytest.mark.parametrize(
    ("left", "state", "beyond"),
    [
        (of_mean(0.4, 0.1), HOLDS, ""),
        (of_mean(0.25, 0.1), UNDECIDED, ""),
        (of_mean(0.1, 0.1), UNDECIDED, HOLDS),
        (of_mean(0.01, 0.1), UNDECIDED, UNDECIDED),
        (of_mean(-0.1, 0.1), CONTRADICTED, CONTRADICTED),
        (0.1, UNDECIDED, HOLDS),
        (-0.1, CONTRADICTED, CONTRADICTED),
    ],
)
def test_a_threshold_of_ours_contradicts_nothing(left: Estimate | float, state: str, beyond: str) -> None:
    ours = Comparison("gain", left, ">", 0.25, ours="a quarter", stated=0.0)
    assert (ours.state(), ours.beyond()) == (state, beyond)
    unstated = replace(ours, stated=None)
    assert unstated.state() == (HOLDS if state == HOLDS else UNDECIDED)
    assert unstated.beyond() == (UNSTATED if beyond else "")
    theirs = replace(ours, ours="", stated=None)
    assert (theirs.state(), theirs.beyond()) == (CONTRADICTED if beyond else state, "")


def verdict(*comparisons: Comparison) -> str:
    return Finding("", "", "", "", comparisons).verdict


YES, NO, UNKNOWN = (Comparison("", x, ">", 0.0) for x in (1.0, -1.0, math.nan))
OPEN = Comparison("", of_mean(0.1, 1.0), ">", 0.0)


def test_a_claim_of_several_comparisons() -> None:
    assert verdict(YES, YES) == HOLDS
    assert verdict(YES, NO) == verdict(NO, UNKNOWN) == verdict(NO, OPEN) == CONTRADICTED
    assert verdict(YES, OPEN) == UNDECIDED
    assert verdict(YES, UNKNOWN) == verdict(OPEN, UNKNOWN) == verdict() == NOT_TESTABLE
    printed_yes, printed_no = (replace(each, printed=True) for each in (YES, NO))
    drawn = replace(Comparison("", of_mean(1, 0.1), ">", 0.0), printed=True)
    assert verdict(drawn) == HOLDS and verdict(drawn, printed_yes) == TRUE
    assert verdict(drawn, printed_yes, printed_no) == NOT_TRUE
    assert verdict(printed_no, OPEN) == UNDECIDED


def test_one_of_many_comparisons_must_be_further_from_the_bound_to_contradict() -> None:
    slightly = Comparison("", of_mean(-0.4, 1.0), ">", 0.0)
    assert slightly.rests_on is not None and slightly.rests_on.interval[1] < 0
    assert verdict(slightly) == CONTRADICTED
    assert verdict(slightly, *[YES] * 19) == UNDECIDED
    assert verdict(slightly, *[replace(YES, given="A theorem.")] * 19) == CONTRADICTED
    assert verdict(Comparison("", of_mean(-1.0, 1.0), ">", 0.0), *[YES] * 19) == CONTRADICTED


def test_what_cannot_fail_is_no_evidence_unless_it_fails() -> None:
    yes, no, unknown, open_ = (replace(each, given="A theorem.") for each in (YES, NO, UNKNOWN, OPEN))
    theorem = yes, yes
    assert verdict(*theorem) == BY_CONSTRUCTION
    assert verdict(*theorem, YES) == HOLDS
    assert verdict(*theorem, NO) == CONTRADICTED
    assert verdict(*theorem, OPEN) == UNDECIDED
    assert verdict(yes, no) == CONTRADICTED
    assert verdict(yes, unknown) == NOT_TESTABLE
    # nothing is decided by an interval where nothing could be otherwise
    assert verdict(open_) == BY_CONSTRUCTION


def test_the_table_has_a_row_for_each_comparison() -> None:
    one = [Finding("f", "1", "c", "x", [Comparison("a", 1.0, ">", 0.0), Comparison("b", 0.0, ">", 1.0)])]
    printed = [
        Comparison("a", math.nan, ">", 0.0, printed=True),
        Comparison("b", 3.0, ">", 1.0, printed=True),
    ]
    found = findings_table(one, [Finding("f", "1", "c", "x", printed)])
    assert found["verdict"].tolist() == [CONTRADICTED] * 2
    assert found["verdict_printed"].tolist() == [NOT_TESTABLE] * 2
    assert found["state"].tolist() == [HOLDS, CONTRADICTED]
    assert found["state_printed"].tolist() == [NOT_TESTABLE, TRUE]
    assert found["left_printed"].tolist()[1] == 3.0
    assert found["n"].tolist() == [0, 0] and found["low"].isna().all()


def test_the_table_has_the_evidence_of_each_comparison() -> None:
    high, low = of_mean(0.5, 0.1), of_mean(0.25, 0.2)
    comparisons = [Comparison("a", high, ">", 0.9, ours="why"), Comparison("a | b", high, ">", low)]
    printed = [Comparison("a", high, ">", 0.0), Comparison("a | b", 0.75, ">", math.nan)]
    made = [[Finding("f", "1", "c", "x", which, "a property")] for which in (comparisons, printed)]
    found = findings_table(*made)
    assert found[["left", "n", "over"]].values.tolist() == [[high.value, 30, "topics"]] * 2
    assert found["interval_of"].tolist() == ["left", "difference"]
    assert found.loc[0, ["low", "high"]].tolist() == list(high.interval)
    assert found.loc[0, ["low_printed", "high_printed", "n_printed"]].tolist() == [*high.interval, 30]
    assert found.loc[1, ["low", "high"]].tolist() == list(difference(high, low).interval)
    assert found.loc[1, ["influential", "without"]].tolist() == list(difference(high, low).influential)
    assert found["left_printed"].tolist() == [0.5, 0.75]
    assert found["ours"].tolist() == ["why", ""] and found["beyond"].tolist() == [UNSTATED, ""]
    assert set(found["decided_by"]) == {"a property"} and set(found["verdict"]) == {UNDECIDED}
