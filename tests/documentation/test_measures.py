"""The tables of docs/measures.md are those of the declarations."""

import re
from pathlib import Path

import pytest

from focuseval.documentation.measures import tables, written
from focuseval.measures import MEASURES

PAGE = Path(__file__).parents[2] / "docs" / "measures.md"


def test_the_tables_are_as_the_declarations_have_them() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert written(text) == text, "docs/measures.md is old: make docs"


def test_every_measure_stands_there_once() -> None:
    named = re.findall(r"<!-- measures: (?!end)(.*?) -->", PAGE.read_text(encoding="utf-8"))
    assert sorted(" ".join(named).split()) == sorted([*MEASURES, "claims"])


def test_what_stands_between_the_marks_is_replaced_and_nothing_else() -> None:
    old = "before\n<!-- measures: T2I -->\n| old |\n<!-- measures: end -->\nafter\n"
    new = written(old)
    assert new == f"before\n<!-- measures: T2I -->\n\n{tables(['T2I'])}\n<!-- measures: end -->\nafter\n"
    assert written(new) == new and "| `tolerance` | **300**, from 1 |" in new
    with pytest.raises(KeyError):
        written(old.replace("T2I", "T3I"))


def test_a_parameter_that_not_all_have_says_whose_it_is() -> None:
    assert "| `beta` | **1**, from 0 | weight" in tables(["F", "gP", "gR", "AgP", "MAgP"])
    assert tables(["F", "gP", "gR", "AgP", "MAgP"]).count("| `F`, `gP`, `AgP`, `MAgP` |") == 1
    assert "| of |" not in tables(["nxCG", "MAep"])
