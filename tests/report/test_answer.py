"""The first sentences of a comparison: the best run, its lead, and its certainty."""

from pathlib import Path

import numpy as np

from focuseval.report.comparisons import answer
from focuseval.statistics.comparisons import overview
from tests.papers.materials import scores
from tests.snapshots import check
from tests.statistics.test_overview import FIRST, request


def answer_of(measure=FIRST, lower=(), /, **runs):
    """Return the answer for the values of runs, one per topic."""
    values_of_runs = scores(
        (run, f"t{topic}", measure, value)
        for run, values in runs.items()
        for topic, value in enumerate(values)
    )
    entry = request(measure, lower=lower)
    return " ".join(answer(entry, overview(values_of_runs, entry)[0]))


NOISE = np.random.default_rng(3).normal(0, 0.01, 30)
LOW = list(0.2 + NOISE)


def carried(lead, measure=FIRST, lower=(), /):
    """Return the answer for a lead on one topic and small losses on the others."""
    return answer_of(
        measure, lower, a=[*LOW[:2], LOW[2] + lead, *(value - 0.001 for value in LOW[3:])], b=LOW
    )


#: a lead on every topic, undecided leads, too few topics for a test, leads that one topic explains, and measures whose lowest value is best
ANSWERS = {
    "significant": lambda: answer_of(best=list(0.6 - NOISE), low=LOW, lower=list(0.1 + NOISE)),
    "undecided": lambda: answer_of(a=LOW, b=[*LOW[1:], LOW[0]], low=list(NOISE)),
    "level": lambda: answer_of(a=LOW, b=LOW),
    "one topic": lambda: answer_of(a=[0.6], b=[0.5], c=[0.4]),
    "carried far": lambda: carried(3.0),
    "carried": lambda: carried(0.9),
    "lower is better": lambda: carried(-0.3, "over_prediction", ["over_prediction"]),
}


def test_first_sentences_of_answers():
    text = "".join(f"--- {name}\n{make()}\n" for name, make in ANSWERS.items())
    check(text, Path(__file__).with_name("snapshots") / "answers.txt")
