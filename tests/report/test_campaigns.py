"""A campaign in numbers: what the report says of its assessments and its systems."""

import numpy as np
import pandas as pd
import pytest

from focuseval.report.campaigns import beside, spread

CALIBRATION = pd.DataFrame(
    [
        ("topics", 29.0, 29.0, "somewhere"),
        ("highly specific elements", 1518.0, 8802.0, "elsewhere"),
        ("too small, %", 9.095, np.nan, ""),
    ],
    columns=["number", "here", "source", "where"],
)
POPULATION = pd.DataFrame(
    {
        "runs": ["focused"] * 2 + ["thorough"] * 3,
        "run": list("ababc"),
        "results": [10.0, 20, 1, 2, 3],
        "overlapping": [0.0, 0, 0.25, 0.5, 1],
        "documents": [0.0, 1, 0, 0, 0],
        "length": [100.0, 300, 1, np.nan, 3],
    }
)


def test_numbers_stand_beside_those_that_are_known() -> None:
    assert beside(CALIBRATION).to_dict("list") == {
        "": ["topics", "highly specific elements", "too small, %"],
        "here": ["29", "1,518", "9.1"],
        "it stands for": ["29", "8,802", "–"],
        "source": ["somewhere", "elsewhere", ""],
    }
    assert list(beside(CALIBRATION.assign(where=""))) == ["", "here"]


def test_the_spread_is_over_the_systems_of_each_kind_of_runs() -> None:
    found = spread(POPULATION).set_index(["runs", "what"])
    assert found["systems"].tolist() == [2] * 4 + [3] * 4
    quantiles = ["least", "first quartile", "median", "third quartile", "most"]
    assert found.loc[("focused", "whole documents, %"), quantiles].tolist() == [0, 25, 50, 75, 100]
    assert found.loc[("thorough", "overlapping, %"), quantiles].tolist() == [25, 37.5, 50, 75, 100]
    assert found.loc[("thorough", "mean length"), "median"] == pytest.approx(2)
