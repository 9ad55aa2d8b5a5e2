import io
import math

import pandas as pd
import pytest

from focuseval.report.tables import (
    beside,
    to_csv,
    to_html,
    to_latex,
    to_markdown,
    to_text,
    typeset,
    with_interval,
    write_table,
)

TABLE = pd.DataFrame(
    {"metric": ["a_1", "b|2"], "pearson_r": [0.1 + 0.2, -0.5], "printed": [0.25, math.nan], "runs": [56, 49]}
)
TABLE["difference"] = TABLE["pearson_r"] - TABLE["printed"]
DECIMALS = {"pearson_r": 3, "printed": 2, "difference": 2}


def test_beside_keeps_rows_and_their_order() -> None:
    computed = pd.DataFrame({"metric": ["x", "y", "z"], "r": [0.5, 0.25, math.nan]})
    printed = pd.DataFrame({"metric": ["z", "y"], "r": [1.0, 0.75], "note": ["", ""]})
    found = beside(computed, printed, ["metric"], "r")
    assert found["metric"].tolist() == ["x", "y", "z"]
    assert found["printed"].tolist()[1:] == [0.75, 1.0] and math.isnan(found["printed"][0])
    assert found["difference"][1] == -0.5
    assert math.isnan(found["difference"][0]) and math.isnan(found["difference"][2])


def test_beside_refuses_two_printed_numbers_for_one_row() -> None:
    printed = pd.DataFrame({"metric": ["x", "x"], "r": [1.0, 0.5]})
    with pytest.raises(ValueError, match="more than one printed number"):
        beside(pd.DataFrame({"metric": ["x"], "r": [1.0]}), printed, ["metric"], "r")


def test_csv_keeps_every_digit() -> None:
    assert to_csv(TABLE, DECIMALS).splitlines()[1] == f"a_1,{0.1 + 0.2!r},0.25,56,{0.1 + 0.2 - 0.25!r}"


def test_markdown() -> None:
    assert to_markdown(TABLE, DECIMALS) == (
        "| metric | Pearson r | printed | runs | difference |\n"
        "| --- | ---: | ---: | ---: | ---: |\n"
        "| a_1 | 0.300 | 0.25 | 56 | +0.05 |\n"
        "| b\\|2 | -0.500 | – | 49 | – |\n"
    )


def test_names_of_tables_are_no_formulas_and_no_tags() -> None:
    names = ['=HYPERLINK("u")', "+a", "-b", "@c", "\td", "+1.5e-3", "-2", "a=b"]
    table = pd.DataFrame(
        {"run": names, "=kind": pd.Categorical(names), "value": -0.5, "<b>x": "a\n<script>1 < 2"}
    )
    read = pd.read_csv(io.StringIO(to_csv(table, {})), dtype=str)
    safe = [f"'{name}" for name in names[:5]] + names[5:]
    assert read["run"].tolist() == read["'=kind"].tolist() == safe
    assert set(read["value"]) == {"-0.5"}
    assert to_csv(table.head(0), {}) == "run,'=kind,value,<b>x\n"
    lines = to_markdown(table, {}).splitlines()
    assert (
        len(lines) == 10 and lines[0].endswith("| &lt;b>x |") and lines[2].endswith("| a &lt;script>1 < 2 |")
    )


def test_text_has_numbers_that_can_be_searched_and_pasted() -> None:
    assert to_text(TABLE, DECIMALS).splitlines()[2].split() == ["b|2", "-0.500", "–", "49", "–"]
    assert "\N{MINUS SIGN}0.500" in to_html(TABLE, DECIMALS)


def test_latex_escapes() -> None:
    lines = to_latex(TABLE, DECIMALS).splitlines()
    assert lines[0] == r"\begin{tabular}{lrrrr}"
    assert lines[4] == r"a\_1 & 0.300 & 0.25 & 56 & +0.05 \\"
    assert lines[5] == r"b|2 & $-$0.500 & -- & 49 & -- \\"
    assert lines[-1] == r"\end{tabular}"


def test_names_that_users_gave_stay_as_they_are() -> None:
    """Columns of a pivoted table are values, here of runs: an underscore is a part of a name."""
    rows = [("1", "sec_b0", 0.5), ("1", "pearson_r", 0.25)]
    wide = pd.DataFrame(rows, columns=["topic", "run", "value"]).pivot(
        index="topic", columns="run", values="value"
    )
    wide = wide.reset_index()
    assert to_markdown(wide, {}).splitlines()[0] == "| topic | pearson_r | sec_b0 |"
    assert r"sec\_b0" in to_latex(wide, {}) and '<th class="number">sec_b0</th>' in to_html(wide, {})
    assert to_text(wide.rename_axis(columns=None), {}).split()[:4] == ["topic", "Pearson", "r", "sec"]


def test_whole_numbers_that_are_missing_are_a_dash_as_others_are() -> None:
    table = pd.DataFrame({"cutoff": pd.array([10, None], dtype="Int64")})
    assert to_markdown(table, {}).splitlines()[2:] == ["| 10 |", "| – |"]
    assert to_csv(table, {}) == 'cutoff\n10\n""\n'


def test_write_table_goes_by_suffix(tmp_path) -> None:
    write_table(TABLE, tmp_path / "t.md", DECIMALS)
    assert (tmp_path / "t.md").read_text(encoding="utf-8") == to_markdown(TABLE, DECIMALS)


def test_a_column_can_have_a_format_of_its_own() -> None:
    table = pd.DataFrame({"p_value": [8.123e-33, 0.0692, math.nan]})
    assert to_markdown(table, {"p_value": ".2g"}).splitlines()[2:] == ["| 8.1e-33 |", "| 0.069 |", "| – |"]


def test_p_values_that_underflow_are_bounded() -> None:
    table = pd.DataFrame({"p_value": [0.0, 1e-310, 1e-299], "r": [0.0, 0.5, 1.0]})
    shown = to_markdown(table, {"p_value": ".2g", "r": 1}).splitlines()[2:]
    assert shown == ["| < 1e-300 | 0.0 |", "| < 1e-300 | 0.5 |", "| 1e-299 | 1.0 |"]
    assert "$<$ 1e-300 & 0.0" in to_latex(table, {"p_value": ".2g", "r": 1})
    assert to_csv(table, {}).splitlines()[1] == "0.0,0.0"


def test_numbers_have_their_interval_in_brackets_and_minus_signs() -> None:
    assert with_interval(0.0001, -0.069, 0.063, 4, "+") == "+0.0001 [−0.0690,\N{NO-BREAK SPACE}0.0630]"
    assert with_interval(-0.5, math.nan, math.nan, 2) == "−0.50"
    told = "run-1.5 -0.0157 (-0.5) [-1.0, -2.0]; q-1.0, top-5, -x, a -- b"
    assert typeset(told) == "run-1.5 −0.0157 (−0.5) [−1.0, −2.0]; q-1.0, top-5, -x, a -- b"
