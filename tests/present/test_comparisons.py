import numpy as np
import pandas as pd
import pytest

from focuseval.present.comparisons import (
    comparison_items,
    significance_latex,
    significance_section,
    significance_text,
)
from focuseval.present.page import read_section
from focuseval.statistics.significance import Significance


def test_triangle_as_text_and_latex() -> None:
    p = np.array([[np.nan, 0.5, 0.01], [np.nan, np.nan, 0.05], [np.nan] * 3])
    found = Significance(["a", "b_1", "c"], np.array([3.0, 2.0, 1.0]), p, 0.05, "bootstrap", False)
    assert found.pairs == 2
    assert significance_text(found) == "    a b_1 c\n  a     - *\nb_1       *\n  c\n"
    assert significance_text(found, ["1", "2", "3"]) == "  1 2 3\n1   - *\n2     *\n3\n"
    assert significance_latex(found) == (
        "\\begin{tabular}{rccc}\n & a & b\\_1 & c \\\\\n\\hline\n"
        "a &  & - & $\\star$ \\\\\nb\\_1 &  &  & $\\star$ \\\\\nc &  &  &  \\\\\n\\end{tabular}\n"
    )
    with pytest.raises(ValueError, match="3 labels are wanted"):
        significance_text(found, ["1"])


def test_two_comparisons_of_one_measure_have_anchors_of_their_own() -> None:
    systems = pd.DataFrame({"run": ["a"], "mean": [0.5], "low": [0.25], "high": [0.75]})
    counts = pd.DataFrame({"test": ["t-test"], "significant": [1], "pairs": [3], "topics": [7]})
    items = []
    for name in ("one", "two"):
        asked = {
            **{"name": name, "measure": "MAP", "test": "t-test", "alpha": 0.05},
            **{"correction": "holm", "resamples": 1000},
        }
        items += comparison_items(asked, "Which differ", systems, counts, b"<svg/>", b"<svg/>", "x")
    found = read_section(significance_section("mine", "My campaign", items))
    assert [anchor for anchor, _ in found.contents] == [
        f"significance-mine:{name}.{kind}"
        for name in ("one", "two")
        for kind in ("matrix", "counts", "intervals", "systems")
    ]
    assert "1 of 3 pairs on 7 topics" in found.html
