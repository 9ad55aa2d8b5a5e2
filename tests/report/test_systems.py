"""The section of a campaign's own systems, from one run and three topics to many."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from focuseval.campaign import schema
from focuseval.report.figures import drawn_by_topic
from focuseval.report.items import Figure, Table
from focuseval.report.left_out import not_computed, of_consequence
from focuseval.report.page import Section, read_section
from focuseval.report.systems import as_shown, make_systems, systems_items, topics_as_shown
from focuseval.statistics.overview import overview, scored
from tests.statistics.test_overview import FIRST, SECOND, asked, table

SIZE = pd.DataFrame({"": ["runs"], "mine": ["2"]})


def made(
    folder: Path, runs: int, topics: int, entry: dict[str, Any] | None = None, lost: Sequence[str] = ()
) -> Section:
    scores = table(runs, topics)
    entry = scored(entry or asked(FIRST, SECOND), scores)
    rows = [("runs", "refused", "iP@0.01", 1, "it needs highlighted passages")]
    left_out = pd.DataFrame(rows, columns=schema.LEFT_OUT.names)
    analysis, cautions = overview(scores, entry)
    cautions += ["without it -0.0157"]
    return read_section(make_systems(entry, analysis, left_out, SIZE, folder, "mine", cautions, lost))


def test_systems_stand_with_measures_topics_and_pairs(tmp_path: Path) -> None:
    section = made(tmp_path, 4, 12)
    assert (section.anchor, section.group, section.label) == ("systems-mine", "Systems", "mine")
    assert (section.campaign, section.heading) == ("mine", "Mine")
    names = [anchor.partition(":")[2] for anchor, _ in section.contents]
    assert names == [
        *("measures", "intervals", "pairs", "topics-figure", "topics", "matrix-figure", "matrix", "counts"),
        *("campaign", "left-out"),
    ]
    assert "two-tailed" in section.html and "after Holm" in section.html
    assert "12 topics: with fewer than 25" in section.html
    assert "without it −0.0157" in section.html and "-0.0157" not in section.html
    assert "(all that a two-tailed randomisation test does not reject)" in section.html
    assert "of all results of each topic that are kept. Systems stand" in section.html
    assert "iP@0.01 cannot be computed here" in section.html
    assert "Measures that cannot be computed here." in section.html
    assert "mine/systems/measures.csv" in section.html
    tidy = pd.read_csv(tmp_path / "measures.csv")
    assert list(tidy) == ["rank", "run", "measure", "mean", "low", "high"] and len(tidy) == 8


def test_what_is_left_out_and_of_consequence_is_told_above_the_means_with_a_link(tmp_path: Path) -> None:
    section = made(tmp_path, 2, 30, lost=["run <a> lacks 29 of 30 topics"])
    see = 'see <a href="#systems-mine:left-out">what was left out</a>.'
    assert f"run &lt;a&gt; lacks 29 of 30 topics: {see}" in section.html
    assert f"iP@0.01 cannot be computed here: {see}" in section.html
    assert 'id="systems-mine:left-out"' in section.html


def test_lines_and_results_and_runs_without_many_topics_are_of_consequence() -> None:
    rows = [
        *(("runs", "missing", name, n, "") for name, n in zip("abcdef", (2, 29, 3, 4, 30, 5), strict=True)),
        ("files", "rejected", "a.txt", 1, ""),
        ("files", "elsewhere", "a.jsonl, line 2", 1, "1 of 2 texts"),
        ("files", "elsewhere", "b.jsonl, line 1", 1, "2 of 2 texts"),
        ("runs", "unresolved", "a", 50, ""),
        ("runs", "unresolved", "b", 4, ""),
        ("runs", "outside", "b", 400, ""),
        *(("runs", "strange", name, 7, "") for name in "xyzw"),
    ]
    assert of_consequence(pd.DataFrame(rows, columns=schema.LEFT_OUT.names), 30) == [
        "2 files with texts that do not stand at their offsets",
        "1 part of the input that could not be read",
        "54 results not found in the collection, counted as text without relevance",
        "no result of x, y, z and 1 more is in a document with judgements: are documents named as in the assessments?",
        "run e lacks 30 of 30 topics, and has 0 there",
        "run b lacks 29 of 30 topics, and has 0 there",
        "run f lacks 5 of 30 topics, and has 0 there",
        "2 more runs with 10% or more of the topics missing",
    ]
    assert of_consequence(pd.DataFrame(columns=schema.LEFT_OUT.names), 30) == []


def test_measures_that_cannot_be_computed_are_told_by_reason() -> None:
    rows = [
        ("runs", "refused", "MAP", 1, "no documents"),
        ("runs", "missing", "a", 1, ""),
        ("runs", "refused", "SR", 1, "no elements"),
        ("runs", "refused", "P@5", 1, "no documents"),
    ]
    assert not_computed(pd.DataFrame(rows, columns=schema.LEFT_OUT.names)) == [
        "not computed: MAP, P@5: no documents",
        "not computed: SR: no elements",
    ]


def test_a_single_run_has_no_pairs_and_thirty_topics_need_no_warning(tmp_path: Path) -> None:
    section = made(tmp_path, 1, 30)
    names = [anchor.partition(":")[2] for anchor, _ in section.contents]
    assert names == ["measures", "topics-figure", "topics", "campaign", "left-out"]
    assert "fewer than 25" not in section.html
    assert not (tmp_path / "pairs.csv").exists()


def test_without_any_score_the_section_says_why(tmp_path: Path) -> None:
    section = made(tmp_path / "systems", 2, 3, asked("precall"))
    assert (tmp_path / "systems").is_dir()
    assert "Not available: no measure has a value" in section.html
    assert "it needs highlighted passages" in section.html


def test_many_systems_are_said_to_be_compared_in_part() -> None:
    few, many = (
        [item.title for item in systems_items(asked(FIRST, top=30), count, 30)] for count in (30, 31)
    )
    assert f"{FIRST}: which systems differ" in few
    assert f"{FIRST}: which systems differ (the best 30 of 31)" in many
    kinds = [type(item) for item in systems_items(asked(FIRST), 2, 3)]
    assert kinds.count(Figure) == 3 and kinds.count(Table) == 5


def test_tables_for_people_have_a_row_for_each_run_and_for_each_topic() -> None:
    rows = [(1, "a", "m", 0.5, 0.25, 0.75), (1, "a", "n", 0.125, float("nan"), float("nan"))]
    rows += [(2, "b", "m", -0.25, -0.5, 0.0)]
    shown = as_shown(pd.DataFrame(rows, columns=["rank", "run", "measure", "mean", "low", "high"]))
    assert list(shown) == ["rank", "run", "m", "n"] and shown.columns.name == "measure"
    assert shown.iloc[0].tolist() == [
        1,
        "a",
        "0.500 [0.250,\N{NO-BREAK SPACE}0.750]",  # on two lines where columns are narrow
        "0.125",
    ]
    assert shown.iloc[1, 2] == "−0.250 [−0.500,\N{NO-BREAK SPACE}0.000]" and shown.iloc[1, 3] == "–"
    topics = pd.DataFrame(
        [("2", "b", 1.0), ("2", "topic", 0.5), ("1", "b", 0.25), ("1", "topic", 0.0)],
        columns=["topic", "run", "value"],
    )
    wide = topics_as_shown(topics)
    assert list(wide) == ["", "b", "topic"] and wide.columns.name == "run"
    assert wide.to_numpy().tolist() == [["2", "1.0000", "0.5000"], ["1", "0.2500", "0.0000"]]


@pytest.mark.parametrize(
    ("runs", "topics", "labels"), [(1, 8, 1), (6, 8, 6), (7, 8, 2), (40, 8, 2), (3, 400, 3)]
)
def test_runs_are_named_in_the_figure_as_far_as_they_can_be_told_apart(
    runs: int, topics: int, labels: int
) -> None:
    values = table(runs, topics).query("name == 'MAep'").astype({"topic": str, "run": str})
    values = values.sort_values(["topic", "run"])
    figure = drawn_by_topic(Figure("topics", "MAep: topic by topic", ""), {"topics": values}, None)
    (ax,) = figure.axes
    named = list(values["topic"].unique()) if topics <= 100 else []
    assert [text.get_text() for text in ax.get_yticklabels()] == named
    assert figure.get_figheight() < 25 and ax.get_ylabel() == ("topic" if named else "400 topics")
    (legend,) = figure.legends
    assert len(legend.get_texts()) == labels and ax.get_xlabel() == "MAep"
    drawn = [tuple(point) for dots in ax.collections[1:] for point in dots.get_offsets()]
    assert sorted(x for x, _ in drawn) == pytest.approx(sorted(values["value"]))
