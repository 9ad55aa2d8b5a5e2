"""What is said first of a comparison: the best run, its lead, and how sure that is."""

from collections.abc import Sequence

import numpy as np
import pytest

from focuseval.report.comparisons import answer
from focuseval.statistics.comparisons import overview
from tests.papers.made import scores
from tests.statistics.test_overview import FIRST, asked


def said(measure: str = FIRST, lower: Sequence[str] = (), /, **runs: list[float]) -> str:
    """The answer for values of runs on as many topics."""
    made = scores(
        (run, f"t{topic}", measure, value)
        for run, values in runs.items()
        for topic, value in enumerate(values)
    )
    entry = asked(measure, lower=lower)
    return " ".join(answer(entry, overview(made, entry)[0]))


NOISE = np.random.default_rng(3).normal(0, 0.01, 30)
LOW = list(0.2 + NOISE)


def test_a_lead_on_every_topic_is_significant() -> None:
    text = said(best=list(0.6 - NOISE), low=LOW, lower=list(0.1 + NOISE))
    assert text.startswith(f"Under {FIRST} best is best. It is ahead of low on 30 of 30 topics, +0.39")
    assert "p = .0" in text and ": significant." in text
    assert "significantly better than each of the 2 compared with it." in text
    assert "resamples of the topics: best in 100 %, low in 0 %" in text


def test_runs_that_cannot_be_told_apart_are_named() -> None:
    text = said(a=LOW, b=[*LOW[1:], LOW[0]], low=list(NOISE))
    assert "a is best. It is level with b on " in said(a=LOW, b=LOW)
    assert "undecided." in text and "Of the 2 compared with it, 1 cannot be told from it: " in text


@pytest.mark.parametrize("lead", [3.0, 0.9])
def test_topics_that_carry_a_lead_are_named(lead: float) -> None:
    values = [*LOW[:2], LOW[2] + lead, *(value - 0.001 for value in LOW[3:])]
    text = said(a=values, b=LOW)
    assert "The lead is largest on the topics t2, " in text and "on the others is \N{MINUS SIGN}0.00" in text


def test_where_lower_is_better_the_lowest_run_is_best() -> None:
    values = [*LOW[:2], LOW[2] - 0.3, *(value - 0.001 for value in LOW[3:])]
    text = said("over_prediction", ["over_prediction"], a=values, b=LOW)
    assert text.startswith(
        "Under over_prediction (lower is better) a is best. It is ahead of b on 28 of 30 topics, "
    )
    assert ", \N{MINUS SIGN}0.01" in text and "resamples of the topics: a in 100 %" in text
    assert "The lead is largest on the topics t2, " in text and "on the others is \N{MINUS SIGN}0.00" in text
