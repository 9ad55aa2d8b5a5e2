"""A table in every form, as in the folder `snapshots`, and the forms of its numbers."""

import io
import math
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from focuseval.report.parts import Heading, Lines, as_markdown
from focuseval.report.tables import (
    FORMATS,
    cells,
    decimals_of,
    numeric,
    p_value,
    plain,
    renamed,
    short_names,
    shorten,
    to_csv,
    to_html,
    to_json,
    to_markdown,
    typeset,
    with_intervals,
    without_links,
    write_table,
)
from tests.snapshots import check

SNAPSHOTS = Path(__file__).parent / "snapshots"

#: users' names, p-values that underflow, missing numbers, also integers, and numbers in text
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
DECIMALS = {"pearson_r": 3, "difference": 2, "share": 1}

FORMS = {**FORMATS, ".html": to_html, ".json": lambda table, _: to_json(table)}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_a_table_is_as_in_its_snapshot(form, tmp_path):
    check(FORMS[form](TABLE, DECIMALS), SNAPSHOTS / f"table{form}")
    if form in FORMATS:
        write_table(TABLE, tmp_path / f"t{form}", DECIMALS)
        assert (tmp_path / f"t{form}").read_text(encoding="utf-8") == FORMS[form](TABLE, DECIMALS)


def test_names_of_runs_as_columns_are_not_changed():
    rows = [("1", "sec_b0", 0.5), ("1", "pearson_r", 0.25)]
    long = pd.DataFrame(rows, columns=["topic", "run", "value"])
    wide = long.pivot(index="topic", columns="run", values="value").reset_index()
    assert to_markdown(wide, {}).splitlines()[0] == "| topic | pearson_r | sec_b0 |"
    assert to_markdown(pd.DataFrame({"run": ["a\nb"]}), {}).endswith("| a b |\n")
    assert "| topic | Pearson r | sec b0 |" in to_markdown(wide.rename_axis(columns=None), {})


def test_no_name_is_a_formula_for_a_spreadsheet():
    names = ['=HYPERLINK("u")', "+a", "-b", "@c", "\td", "+1.5e-3", "-2", "a=b"]
    table = pd.DataFrame({"run": names, "=kind": pd.Categorical(names), "value": -0.5})
    read = pd.read_csv(io.StringIO(to_csv(table, {})), dtype=str)
    assert read["run"].tolist() == read["'=kind"].tolist() == [f"'{name}" for name in names[:5]] + names[5:]
    assert set(read["value"]) == {"-0.5"} and to_csv(table.head(0), {}) == "run,'=kind,value\n"


def test_numbers_have_their_interval_in_brackets_and_minus_signs():
    numbers = pd.DataFrame([(0.0784, -0.1131, 0.2431), (-0.5, math.nan, math.nan)])
    assert with_intervals(numbers, "+") == ["+0.078 [−0.113,\N{NO-BREAK SPACE}0.243]", "−0.500"]
    assert with_intervals(numbers.tail(1)) == ["−0.5000"]
    level = pd.DataFrame([[0.0, -0.214, 0.222]])
    assert with_intervals(level, "+") == ["+0.000 [−0.214,\N{NO-BREAK SPACE}0.222]"]
    narrow = pd.DataFrame([[412.0, 300.5, 520.0], [-3e-9, -4.1e-9, 2e-9], [12.5, 1.5, 33.0]])
    assert [plain(text) for text in with_intervals(narrow)] == [
        "412.0 [300.5, 520.0]",
        "-0.0000000030 [-0.0000000041, 0.0000000020]",
        "12.5 [1.5, 33.0]",
    ]
    cell = "run-1.5 -0.0157 (-0.5) [-1.0, -2.0]; q-1.0, top-5, -x, a -- b"
    assert typeset(cell) == "run-1.5 −0.0157 (−0.5) [−1.0, −2.0]; q-1.0, top-5, -x, a -- b"


@pytest.mark.parametrize(
    ("values", "widths", "decimals"),
    [
        ([0.5, 0.25], None, 4),
        ([3.0, 1200.0, math.nan], None, 0),
        ([1234.5, 1.0], None, 0),
        ([12.5], None, 2),
        ([1e-9], None, 6),
        ([math.nan], None, 0),
        ([0.5], [0.356], 3),
        ([0.5, 0.5, 0.5], [0.356, 0.012, math.nan], 3),
        ([0.5], [0.0], 4),
        ([50.5], [12.0], 1),
    ],
)
def test_a_column_has_the_decimals_that_its_numbers_or_intervals_need(values, widths, decimals):
    assert decimals_of(np.array(values), None if widths is None else np.array(widths)) == decimals


def test_p_values_are_bounded():
    texts = [p_value(p) for p in (0.0, 1e-310, 0.0009, 0.001, 0.0421, 0.42, 1.0, math.nan)]
    assert texts == ["< .001"] * 3 + [".001", ".042", ".420", "1.000", "–"]


def test_no_table_has_a_raw_float():
    values = np.random.default_rng(1).lognormal(0, 4, (50, 3)) - 0.5
    table = pd.DataFrame(values, columns=["mean", "low", "p"]).assign(count=range(990, 1040), topic=1001)
    texts = cells(table, {})
    assert not [text for row in texts for text in row if re.search(r"\d\.\d{7}|\de", text)]
    assert texts[-1][3:] == ["1,039", "1001"]
    assert len({len(row[0].rpartition(".")[2]) for row in texts if "." in row[0]}) <= 1


def test_long_names_are_shown_without_their_common_part():
    long = [f"university-of-somewhere-thorough-{name}-with-bm25" for name in ("title", "castitle.2", "a")]
    assert short_names(long) == ["…title…", "…castitle.2…", "…a…"]
    assert short_names(["a-name-that-is-long-but-one"]) == ["a-name-that-is-long-but-one"]
    assert short_names(["x" * 30, "y" * 30]) == ["x" * 30, "y" * 30]
    assert short_names(["runs of all-1", "runs of all-12"]) == ["runs of all-1", "runs of all-12"]
    longer = ["a-very-long-beginning-that-all-have", "a-very-long-beginning-that-all-have-too"]
    assert short_names(longer) == ["…have", "…have-too"]


def test_tables_and_texts_have_short_names_and_a_key_if_names_are_long():
    long = [f"university-of-somewhere-thorough-{name}" for name in ("a", "a-b", "c")]
    tables = {"systems": pd.DataFrame({"run": long, "mean": 0.5}), "counts": pd.DataFrame({"pairs": [1]})}
    tables["pairs"] = pd.DataFrame({"higher_run": long[1:], "lower_run": long[:2]})
    cut, short = shorten(tables)
    assert short == {long[1]: "…a-b", long[0]: "…a", long[2]: "…c"}
    assert cut["systems"]["run"].tolist() == ["…a", "…a-b", "…c"] and cut["counts"].equals(tables["counts"])
    assert cut["pairs"].to_numpy().tolist() == [["…a-b", "…a"], ["…c", "…a-b"]]
    assert renamed(f"{long[1]} against {long[0]}", short) == "…a-b against …a"
    tables = {"systems": pd.DataFrame({"run": ["a", "b"]})}
    assert shorten(tables) == (tables, {}) and shorten({}) == ({}, {})


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("[x](http://e.org)", r"[x]\(http\://e.org)"),
        ("![x](//e.org)", r"![x]\(//e.org)"),
        ("<https://e.org>", r"&lt;https\://e.org>"),
        ("WWW.e.org", r"WWW\.e.org"),
        ("a.b@c.org", "a.b@<!-- -->c.org"),
        ("[a]: x", r"[a]\: x"),
        ("[a][b]", r"[a]\[b]"),
        ("repo@main:a.py [0.1, 0.2]", "repo@main:a.py [0.1, 0.2]"),
    ],
)
def test_names_are_no_links_in_markdown(name, written):
    table = pd.DataFrame({"run": [name], "AiP": [0.5]})
    assert to_markdown(table, {"AiP": 1}).splitlines()[2] == f"| {written} | 0.5 |"
    assert (
        as_markdown([Heading(name), name, Lines([name])], {}) == f"## {written}\n\n{written}\n\n- {written}\n"
    )
    assert without_links(written) == written


def test_a_column_with_intervals_has_one_alignment():
    assert numeric(pd.DataFrame({"MAP": ["0.528 [0.381, 0.670]", "0.000"], "topics": ["1,209", "–"]})) == [
        False,
        True,
    ]
