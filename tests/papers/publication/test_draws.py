"""Printed numbers inside intervals over draws, and verdicts counted over draws."""

import numpy as np
import pytest

from focuseval_papers.publication.claims import (
    BEYOND,
    BY_CONSTRUCTION,
    CONTRADICTED,
    DEPENDS,
    HOLDS,
    NOT_TESTABLE,
    UNDECIDED,
    Finding,
    Inequality,
    findings_table,
    over_draws,
    with_draws,
)
from focuseval_papers.publication.estimates import Estimate, Sample
from focuseval_papers.publication.printed import inside


def drawn(low, high, name="runs"):
    """An estimate whose resamples are evenly spread."""
    sample = Sample(name, tuple(map(str, range(1000))), "runs", 101, 1)
    return Estimate((low + high) / 2, np.linspace(low, high, 101), {sample: np.zeros(1000)})


def test_a_number_is_inside_the_resamples_of_all_draws_together():
    draws = [
        {"r": drawn(0, 1), "tau": drawn(0, 1), "n": 3.0},
        {"r": drawn(2, 3, "other"), "tau": drawn(0, 1)},
    ]
    table = inside({"r": 2.5, "tau": 2.5, "n": 3.0, "not computed": 1.0}, draws).set_index("quantity")
    assert table.index.tolist() == ["r", "tau"]
    assert table["inside"].tolist() == [True, False]
    assert table["draws"].tolist() == [2, 2]
    assert table.loc["r", ["low", "high"]].tolist() == pytest.approx([0.05, 2.95], abs=0.01)
    assert table.loc["tau", ["low", "high"]].tolist() == pytest.approx([0.025, 0.975], abs=0.01)
    assert set(table["over"]) == {"runs"}


def test_a_number_that_no_draw_defines_has_no_row():
    undefined = Estimate(np.nan, np.full(5, np.nan), drawn(0, 1).without)
    table = inside({"r": 0.5}, [{"r": undefined}, {"r": drawn(0, 1)}])
    assert table["draws"].tolist() == [1]
    assert inside({"r": 0.5}, [{"r": undefined}]).empty
    assert inside({}, []).dtypes.astype(str)["inside"] == "bool"


@pytest.mark.parametrize(
    ("verdict_of_campaign", "drawn", "verdict"),
    [
        (HOLDS, {}, HOLDS),
        (UNDECIDED, {HOLDS: 8, UNDECIDED: 2}, HOLDS),
        (HOLDS, {HOLDS: 4, UNDECIDED: 6}, UNDECIDED),
        (HOLDS, {HOLDS: 5, UNDECIDED: 5}, UNDECIDED),
        (HOLDS, {HOLDS: 4, UNDECIDED: 3, DEPENDS: 3}, UNDECIDED),
        (HOLDS, {DEPENDS: 6, UNDECIDED: 4}, DEPENDS),
        (HOLDS, {HOLDS: 4, BY_CONSTRUCTION: 4, UNDECIDED: 2}, HOLDS),
        (HOLDS, {BY_CONSTRUCTION: 10}, BY_CONSTRUCTION),
        (CONTRADICTED, {CONTRADICTED: 8, BEYOND: 2}, CONTRADICTED),
        (CONTRADICTED, {CONTRADICTED: 4, BEYOND: 4, UNDECIDED: 2}, BEYOND),
        (HOLDS, {NOT_TESTABLE: 10}, NOT_TESTABLE),
        # a claim with changing verdicts
        (HOLDS, {HOLDS: 9, CONTRADICTED: 1}, UNDECIDED),
        (CONTRADICTED, {HOLDS: 10}, UNDECIDED),
        (HOLDS, {BEYOND: 10}, UNDECIDED),
        (BY_CONSTRUCTION, {UNDECIDED: 1, CONTRADICTED: 9}, UNDECIDED),
    ],
)
def test_verdicts_are_counted_over_draws(verdict_of_campaign, drawn, verdict):
    assert (
        over_draws(verdict_of_campaign, [each for each, count in drawn.items() for _ in range(count)])
        == verdict
    )


def test_a_table_has_the_verdict_over_draws_and_how_many_have_which():
    def table(value):
        """Return the findings of two claims, one of which never changes."""
        findings = [
            Finding(name, "", "", "", [Inequality("", x, ">", 0.0)]) for name, x in (("a", value), ("b", 1))
        ]
        return findings_table(with_draws(findings, tables), findings)

    tables = []
    alone = table(1)
    assert alone["draws"].tolist() == ["", ""]
    tables = [alone, alone, table(-1)]
    together = table(1).set_index("finding")
    assert together["verdict"].tolist() == [UNDECIDED, HOLDS]
    assert together["here"].tolist() == [HOLDS, HOLDS]
    assert together["draws"].tolist() == ["holds 2, contradicted 1 of 3", "holds 3 of 3"]
    assert together["state"].tolist() == [HOLDS, HOLDS]
