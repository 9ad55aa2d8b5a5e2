"""A table in every form, as it is in the folder `shown`, and what its numbers are written as."""

import io
import math
from pathlib import Path

import pandas as pd
import pytest

from focuseval.report.tables import (
    FORMATS,
    to_csv,
    to_html,
    to_json,
    to_markdown,
    typeset,
    with_interval,
    write_table,
)
from tests.shown import check

SHOWN = Path(__file__).parent / "shown"

#: names as users give them, p-values that underflow, missing numbers, whole ones too, and numbers in text
TABLE = pd.DataFrame(
    {
        "run_name": ["a_1", "b|2", "=1+1", "<script>x"],
        "pearson_r": [0.1 + 0.2, -0.5, math.nan, -0.00004],
        "difference": [0.05, -0.25, math.nan, 0.0],
        "p_value": [8.123e-33, 1e-310, math.nan, 0.0692],
        "share": [0.0, 1e-310, 0.5, None],
        "kendall_p": [1e-299, 0.0, 0.5, 1.0],
        "cutoff": pd.array([10, None, 1500, 0], dtype="Int64"),
        "topics": ["1,209", "2", "–", ""],
        "why": ["{x}_1 & 50 % ~ #^ \\ < τ", "≥ − →", None, pd.NA],
    }
)
DECIMALS = {"pearson_r": 3, "difference": 2, "p_value": ".2g", "kendall_p": ".2g", "share": 1}

FORMS = {**FORMATS, ".html": to_html, ".json": lambda table, _: to_json(table)}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_as_it_was(form: str, tmp_path: Path) -> None:
    check(FORMS[form](TABLE, DECIMALS), SHOWN / f"table{form}")
    if form in FORMATS:
        write_table(TABLE, tmp_path / f"t{form}", DECIMALS)
        assert (tmp_path / f"t{form}").read_text(encoding="utf-8") == FORMS[form](TABLE, DECIMALS)


def test_names_of_columns_that_are_values_stay_as_they_are() -> None:
    """Columns of a pivoted table are, here, runs: an underscore is a part of a name."""
    rows = [("1", "sec_b0", 0.5), ("1", "pearson_r", 0.25)]
    long = pd.DataFrame(rows, columns=["topic", "run", "value"])
    wide = long.pivot(index="topic", columns="run", values="value").reset_index()
    assert to_markdown(wide, {}).splitlines()[0] == "| topic | pearson_r | sec_b0 |"
    assert to_markdown(pd.DataFrame({"run": ["a\nb"]}), {}).endswith("| a b |\n")
    assert "| topic | Pearson r | sec b0 |" in to_markdown(wide.rename_axis(columns=None), {})


def test_no_name_is_a_formula_for_a_spreadsheet() -> None:
    names = ['=HYPERLINK("u")', "+a", "-b", "@c", "\td", "+1.5e-3", "-2", "a=b"]
    table = pd.DataFrame({"run": names, "=kind": pd.Categorical(names), "value": -0.5})
    read = pd.read_csv(io.StringIO(to_csv(table, {})), dtype=str)
    assert read["run"].tolist() == read["'=kind"].tolist() == [f"'{name}" for name in names[:5]] + names[5:]
    assert set(read["value"]) == {"-0.5"} and to_csv(table.head(0), {}) == "run,'=kind,value\n"


def test_numbers_have_their_interval_in_brackets_and_minus_signs() -> None:
    assert with_interval(0.0001, -0.069, 0.063, 4, "+") == "+0.0001 [−0.0690,\N{NO-BREAK SPACE}0.0630]"
    assert with_interval(-0.5, math.nan, math.nan, 2) == "−0.50"
    told = "run-1.5 -0.0157 (-0.5) [-1.0, -2.0]; q-1.0, top-5, -x, a -- b"
    assert typeset(told) == "run-1.5 −0.0157 (−0.5) [−1.0, −2.0]; q-1.0, top-5, -x, a -- b"
