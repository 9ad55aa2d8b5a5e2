"""Printed numbers inside intervals over draws."""

import numpy as np
import pytest

from focuseval_papers.publication.estimates import Estimate, Sample
from focuseval_papers.publication.printed import inside


def drawn(low: float, high: float, name: str = "runs") -> Estimate:
    """An estimate whose resamples are evenly spread."""
    sample = Sample(name, tuple(map(str, range(1000))), "runs", 101, 1)
    return Estimate((low + high) / 2, np.linspace(low, high, 101), {sample: np.zeros(1000)})


def test_a_number_is_inside_the_resamples_of_all_draws_together() -> None:
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


def test_a_number_that_no_draw_defines_has_no_row() -> None:
    undefined = Estimate(np.nan, np.full(5, np.nan), drawn(0, 1).without)
    table = inside({"r": 0.5}, [{"r": undefined}, {"r": drawn(0, 1)}])
    assert table["draws"].tolist() == [1]
    assert inside({"r": 0.5}, [{"r": undefined}]).empty
    assert inside({}, []).dtypes.astype(str)["inside"] == "bool"
