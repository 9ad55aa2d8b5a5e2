"""Parts of the report, written and drawn from declarations."""

from pathlib import Path

import pandas as pd
import pytest
from matplotlib.figure import Figure as Drawing
from matplotlib.image import imread

from focuseval.report import page
from focuseval.report.figures import draw
from focuseval.report.parts import (
    Absent,
    Figure,
    Table,
    files_of,
    read_analysis,
    write_analysis,
    write_tables,
)
from focuseval.report.svg import inline
from tests.snapshots import check

ANALYSIS = {
    "runs": pd.DataFrame({"run": ["a", "007"], "value": [1 / 3, float("nan")], "n": [1, 2]}),
    "nothing": pd.DataFrame({"run": pd.Series(dtype=object), "value": pd.Series(dtype=float)}),
}


def best(analysis, context):
    return analysis["runs"].head(1).assign(of=context)


ITEMS = [
    Table("runs", "The runs", "All of them.", lambda analysis, _: analysis["runs"], {"value": 2}),
    Table(
        *("best", "The best", "One.", best),
        show=lambda table: table.assign(run="the best"),
        warn=lambda analysis, context: [f"{len(analysis['runs'])} runs of {context}"],
    ),
    Figure(
        "runs", "The runs as a figure", "Drawn.",
        drawn="bars",
        beside=["runs.dot"],
        warn=lambda analysis, context: [f"Of {context}"],
    ),
    Figure("lines", "Lines", "Drawn, too."),
    Absent("Figure 9", "there is none."),
    Table("many", "Many", "", lambda analysis, _: analysis["runs"]),
]  # fmt: skip


def drawing(figure, analysis, context):
    sheet = Drawing(figsize=(1, 1))
    sheet.text(0, 0, f"{figure.name} {len(analysis['runs'])} {context}")
    return sheet


def test_files_are_named_by_items():
    assert files_of(ITEMS, Table) == [
        f"{name}.{form}" for name in ("runs", "best", "many") for form in ("csv", "md", "tex")
    ]
    assert files_of(ITEMS, Figure) == ["runs.svg", "runs.png", "lines.svg", "lines.png"]
    assert files_of([], Table) == []


def test_an_analysis_survives_writing(tmp_path):
    write_analysis(ANALYSIS, tmp_path / "analysis")
    analysis = read_analysis(tmp_path / "analysis")
    assert set(analysis) == set(ANALYSIS)
    for name, frame in ANALYSIS.items():
        pd.testing.assert_frame_equal(analysis[name], frame, check_dtype=False)
    assert analysis["runs"]["value"].dtype == float and analysis["runs"]["n"].dtype == "int64"


def test_csv_has_all_digits_and_other_forms_have_rounded_ones(tmp_path):
    write_tables(ITEMS, ANALYSIS, "mine", tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == set(files_of(ITEMS, Table))
    text = "".join(f"=== {path.name}\n{path.read_text()}" for path in sorted(tmp_path.iterdir()))
    check(text, Path(__file__).with_name("snapshots") / "items.txt")


def test_tables_of_a_synthetic_campaign_say_so_in_every_form(tmp_path):
    write_tables(ITEMS, ANALYSIS, "mine", tmp_path, "a_b")
    table = pd.read_csv(tmp_path / "runs.csv", dtype={"run": str})
    assert table.pop("synthetic_campaign").tolist() == ["a_b", "a_b"]
    pd.testing.assert_frame_equal(table, ANALYSIS["runs"], check_dtype=False)
    assert (tmp_path / "runs.md").read_text().startswith("synthetic campaign: a_b\n\n| run ")
    lines = (tmp_path / "runs.tex").read_text().splitlines()
    assert lines[1:4] == ["\\toprule", r"\multicolumn{3}{l}{synthetic campaign: a\_b} \\", "\\midrule"]
    write_tables(ITEMS, ANALYSIS, "mine", tmp_path)
    assert not any("synthetic" in path.read_text() for path in tmp_path.iterdir())


def test_figures_of_a_synthetic_campaign_have_its_name_below_them(tmp_path):
    drawn = {"bars": drawing, "lines": drawing}
    for name in ("", "a_b"):
        draw(ITEMS, drawn, ANALYSIS, "mine", tmp_path / name, name)
    for figure in ("runs", "lines"):
        assert "synthetic campaign: a_b" in (tmp_path / f"a_b/{figure}.svg").read_text()
        assert "synthetic" not in (tmp_path / f"{figure}.svg").read_text()
        plain, captioned = (imread(tmp_path / name / f"{figure}.png") for name in ("", "a_b"))
        assert len(captioned) > len(plain) and (captioned < 0.8).sum() > (plain < 0.8).sum() + 100


def test_every_figure_is_drawn_by_the_entry_that_it_names(tmp_path):
    drawn = []

    def drawing_of(entry):
        return lambda figure, *rest: (drawn.append((entry, figure.name)), drawing(figure, *rest))[1]

    draw(ITEMS, {"bars": drawing_of("bars"), "lines": drawing_of("lines")}, ANALYSIS, "mine", tmp_path)
    assert drawn == [("bars", "runs"), ("lines", "lines")]
    assert {path.name for path in tmp_path.iterdir()} == set(files_of(ITEMS, Figure))
    with pytest.raises(KeyError, match="bars"):
        draw(ITEMS, {"lines": drawing}, ANALYSIS, "mine", tmp_path)


def test_items_are_shown_in_their_order_with_links_to_their_files(tmp_path):
    draw(ITEMS, {"bars": drawing, "lines": drawing}, ANALYSIS, "mine", tmp_path)
    items = page.shown(ITEMS, ANALYSIS, "mine", tmp_path, "campaign/paper")
    files = {
        name: [f"campaign/paper/{name}.{form}" for form in ("csv", "md", "tex")] for name in ("best", "many")
    }
    drawn = [f"campaign/paper/runs.{form}" for form in ("svg", "png", "dot", "csv", "md", "tex")]
    lines = [f"campaign/paper/lines.{form}" for form in ("svg", "png")]
    assert [(one.kind, one.name, one.title, one.files, one.fold, one.warnings) for one in items] == [
        ("table", "best", "The best", files["best"], "", ["2 runs of mine"]),
        # the table of this name has the figure's values
        ("figure", "runs", "The runs as a figure", drawn, "", ["Of mine"]),
        ("figure", "lines", "Lines", lines, "", ()),
        ("absent", "figure-9", "Figure 9", (), "", ()),
        ("table", "many", "Many", files["many"], "", ()),
    ]
    assert items[4].content["rows"] == [["a", "0.3333", "1"], ["007", "–", "2"]]
    assert items[0].content["rows"][0][0] == "the best"
    assert items[1].content == inline((tmp_path / "runs.svg").read_bytes(), "The runs as a figure")
    assert ">runs 2 mine</text>" in items[1].content
    assert items[3].content == "there is none."
    html = page.read_section(page.section("paper-campaign", "Paper", "", items)).html
    assert 'href="campaign/paper/runs.dot"' in html and "the best" in html
