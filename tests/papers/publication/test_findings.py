"""Verdicts on numbers, estimates with intervals, printed numbers, and comparisons that cannot fail."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest

from focuseval.statistics.correlations import FEWEST_RUNS
from focuseval_papers.publication.claims import (
    BEYOND,
    BY_CONSTRUCTION,
    CONTRADICTED,
    DEPENDS,
    HOLDS,
    NOT_TESTABLE,
    NOT_TRUE,
    POWER,
    TRUE,
    UNDECIDED,
    Finding,
    Inequality,
)
from focuseval_papers.publication.estimates import Estimate, Sample, mean_of

TOPICS = Sample("topics", tuple(f"t{n}" for n in range(30)), "topics", 500, 7)


def of_mean(mean, spread, sample=TOPICS):
    """Return the estimate of a mean; the values differ from it by the spread, half of them on each side."""
    sides = np.where(np.arange(len(sample.members)) % 2, 1.0, -1.0)
    return sample.estimate(mean_of(mean + spread * sides))


def of_few(members, over):
    """Return an estimate from a number of members that all have the value 1."""
    return of_mean(1.0, 0.0, Sample("few", tuple(map(str, range(members))), over, 500, 1))


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
        # the whole interval decides
        (of_mean(0.1, 0.1), ">", 0, HOLDS),
        (of_mean(0.1, 1.0), ">", 0, UNDECIDED),
        (of_mean(0.1, 1.0), "≥", 0, UNDECIDED),
        (of_mean(-0.1, 1.0), ">", 0, UNDECIDED),
        (of_mean(-0.1, 0.1), ">", 0, CONTRADICTED),
        (of_mean(-0.1, 0.1), "≤", 0, HOLDS),
        (of_mean(0.1, 0.1), "≤", 0, CONTRADICTED),
        (of_mean(math.nan, 0.1), ">", 0, NOT_TESTABLE),
        # two estimates are compared by the interval of their difference, since both vary with the same topics
        (of_mean(5.1, 2.1), ">", of_mean(5, 2), HOLDS),
        (of_mean(4.9, 3.0), ">", of_mean(5, 2), UNDECIDED),
        (of_mean(4.9, 2.1), ">", of_mean(5, 2), CONTRADICTED),
        # too few members cannot decide, even against an estimate from many
        (of_few(1, "topics"), ">", 0, NOT_TESTABLE),
        (of_few(2, "topics"), ">", 0, HOLDS),
        (of_few(FEWEST_RUNS - 1, "runs"), ">", 0, NOT_TESTABLE),
        (of_few(FEWEST_RUNS - 1, "runs"), ">", of_mean(0.5, 0.1), NOT_TESTABLE),
        (of_few(FEWEST_RUNS, "runs"), ">", of_mean(0.5, 0.1), HOLDS),
    ],
)
def test_the_state_of_a_comparison(left, relation, right, state):
    assert Inequality("", left, relation, right).state() == state
    # a printed number may come from a sample, so it cannot decide
    of_print = {} if isinstance(left, Estimate) else {HOLDS: TRUE, CONTRADICTED: NOT_TRUE}
    assert Inequality("", left, relation, right, printed=True).state() == of_print.get(state, state)


@pytest.mark.parametrize(
    ("left", "state", "excluding"),
    [
        (of_mean(0.4, 0.1), HOLDS, HOLDS),
        (of_mean(0.25, 0.1), UNDECIDED, UNDECIDED),
        (of_mean(0.1, 0.1), BEYOND, BEYOND),
        (of_mean(0.01, 0.1), BEYOND, BEYOND),
        (of_mean(-0.1, 0.1), BEYOND, CONTRADICTED),
        (0.1, BEYOND, BEYOND),
        (-0.1, BEYOND, CONTRADICTED),
    ],
)
def test_a_bound_of_ours_contradicts_nothing_that_the_words_do_not_exclude(left, state, excluding):
    ours = Inequality("gain", left, ">", 0.25, ours="a quarter")
    assert ours.state() == state
    assert replace(ours, excluded=0.0).state() == excluding
    theirs = replace(ours, ours="")
    assert theirs.state() == (CONTRADICTED if state == BEYOND else state)
    # one of many intervals must exclude our bound after it was widened
    slightly = Inequality("gain", of_mean(-0.4, 1.0), ">", 0.0, ours="no gain")
    assert (slightly.state(), slightly.state(20)) == (BEYOND, UNDECIDED)


def verdict(*comparisons):
    return Finding("", "", "", "", comparisons).verdict


YES, NO, UNKNOWN = (Inequality("", x, ">", 0.0) for x in (1.0, -1.0, math.nan))
OPEN = Inequality("", of_mean(0.1, 1.0), ">", 0.0)


def test_a_claim_of_several_comparisons():
    assert verdict(YES, YES) == HOLDS
    assert verdict(YES, NO) == verdict(NO, UNKNOWN) == verdict(NO, OPEN) == CONTRADICTED
    assert verdict(YES, OPEN) == UNDECIDED
    ours = replace(NO, ours="our bound")
    assert verdict(YES, ours) == verdict(OPEN, ours) == BEYOND
    assert verdict(NO, ours) == CONTRADICTED and verdict(ours, UNKNOWN) == NOT_TESTABLE
    assert verdict(YES, UNKNOWN) == verdict(OPEN, UNKNOWN) == verdict() == NOT_TESTABLE
    printed_yes, printed_no = (replace(each, printed=True) for each in (YES, NO))
    drawn = replace(Inequality("", of_mean(1, 0.1), ">", 0.0), printed=True)
    assert verdict(drawn) == HOLDS and verdict(drawn, printed_yes) == TRUE
    assert verdict(drawn, printed_yes, printed_no) == NOT_TRUE
    assert verdict(printed_no, OPEN) == UNDECIDED


def test_one_of_many_comparisons_must_be_further_from_the_bound_to_contradict():
    slightly = Inequality("", of_mean(-0.4, 1.0), ">", 0.0)
    assert slightly.rests_on is not None and slightly.rests_on.interval[1] < 0
    assert verdict(slightly) == CONTRADICTED
    assert verdict(slightly, *[YES] * 19) == UNDECIDED
    assert verdict(slightly, *[replace(YES, by_construction="A theorem.")] * 19) == CONTRADICTED
    assert verdict(Inequality("", of_mean(-1.0, 1.0), ">", 0.0), *[YES] * 19) == CONTRADICTED


def test_readings_are_alternatives_and_parts_are_not():
    def under(**readings):
        return [replace(each, reading=name) for name, each in readings.items()]

    assert verdict(*under(gen=YES, strict=YES)) == HOLDS
    assert verdict(*under(gen=NO, strict=NO)) == CONTRADICTED
    assert verdict(*under(gen=OPEN, strict=OPEN)) == UNDECIDED
    for other in (NO, OPEN, replace(NO, ours="our bound")):
        assert verdict(*under(gen=YES, strict=other)) == DEPENDS
    assert verdict(*under(gen=NO, strict=OPEN)) == DEPENDS
    assert verdict(*under(gen=YES, strict=UNKNOWN)) == verdict(*under(gen=NO, strict=UNKNOWN)) == NOT_TESTABLE
    premise = replace(YES, by_construction="A theorem.")
    assert verdict(*under(gen=YES, strict=premise)) == HOLDS
    assert verdict(*under(gen=premise, strict=premise)) == BY_CONSTRUCTION
    # a part without a reading belongs to every reading, and several parts of one reading must all hold
    assert verdict(NO, *under(gen=YES, strict=YES)) == CONTRADICTED
    assert verdict(*under(gen=YES), *under(gen=NO), *under(strict=NO)) == CONTRADICTED
    finding = Finding("", "", "", "", [YES, *under(gen=YES, strict=OPEN)])
    assert finding.readings == {"gen": HOLDS, "strict": UNDECIDED}
    # a printed number that is true, without an interval, agrees with a claim that holds
    printed = replace(YES, printed=True, reading="gen")
    assert verdict(printed, replace(premise, reading="strict")) == TRUE


def test_each_reading_counts_its_own_parts():
    """Twenty readings with one part each are not twenty parts of one reading."""
    slightly = Inequality("", of_mean(-0.4, 1.0), ">", 0.0)
    readings = [replace(slightly, reading=str(n)) for n in range(20)]
    assert verdict(*readings) == CONTRADICTED
    assert verdict(*(replace(each, reading="") for each in readings)) == UNDECIDED


def test_a_comparison_that_cannot_fail_is_no_evidence_unless_it_fails():
    yes, no, unknown, open_ = (
        replace(each, by_construction="A theorem.") for each in (YES, NO, UNKNOWN, OPEN)
    )
    theorem = yes, yes
    assert verdict(*theorem) == BY_CONSTRUCTION
    assert verdict(*theorem, YES) == HOLDS
    assert verdict(*theorem, NO) == CONTRADICTED
    assert verdict(*theorem, OPEN) == UNDECIDED
    assert verdict(yes, no) == CONTRADICTED
    assert verdict(yes, unknown) == NOT_TESTABLE
    # if a comparison cannot fail, its interval decides nothing
    assert verdict(open_) == BY_CONSTRUCTION


def test_an_undecided_comparison_needs_as_many_members_as_decide_it_with_the_power():
    """Power is the share of samples of that size whose interval excludes the bound."""
    rng = np.random.default_rng(52)
    seen = Sample("seen", tuple(map(str, range(50))), "topics", 2000, 1)
    values = rng.normal(size=50)
    open_ = Inequality("", seen.estimate(mean_of((values - values.mean()) / values.std() + 0.2)), ">", 0.0)
    true, number = open_.needed()
    assert open_.state() == UNDECIDED and true and 150 < number < 250  # (2.8 / 0.2)² = 196 of a normal mean
    needed = Sample("needed", tuple(map(str, range(round(number)))), "topics", 400, 2)
    decided = [
        Inequality("", needed.estimate(mean_of(rng.normal(0.2, 1, round(number)))), ">", 0.0).state() == HOLDS
        for _ in range(300)
    ]
    assert np.mean(decided) == pytest.approx(POWER, abs=0.08)


def test_the_deciding_part_of_a_claim_is_its_last_or_its_first_false_one():
    def of(mean, **of):
        return Inequality(f"at {mean}", of_mean(mean, 1.0), ">", 0.0, **of)

    def needed(*comparisons):
        return Finding("", "", "", "", comparisons).needed

    assert all(each.state() == UNDECIDED for each in (of(0.1), of(0.3), of(-0.1), of(-0.3)))
    last, first = needed(of(0.1), of(0.3), YES), needed(of(-0.1), of(-0.3), of(0.1), YES)
    assert last == needed(of(0.1)) and last.endswith(
        "topics instead of 30, and the claim would hold (at 0.1)"
    )
    assert first.endswith("topics instead of 30, and the claim would be contradicted (at -0.3)")
    members = {text: int(re.findall("about ([0-9,]+)", text)[0].replace(",", "")) for text in (last, first)}
    assert members[last] > 3 * members[first] > 90
    assert needed(of(0.0)) == "no number of topics, because the number is at the bound (at 0.0)"
    assert "would fail our threshold" in needed(of(-0.3, ours="ours"))
    assert needed(of(0.3, reading="gen"), of(0.3, reading="strict")).count("gen: about") == 1
    assert needed(YES) == needed(NO, of(0.1)) == needed(UNKNOWN) == ""
