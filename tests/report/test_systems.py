"""A campaign's own systems: tables, figures and remarks."""

import pandas as pd
import pytest

from focuseval.campaign import tables
from focuseval.report.figures import drawn_by_topic
from focuseval.report.notices import not_computed, of_consequence, topics_of_means, unequal_topics
from focuseval.report.parts import Figure
from focuseval.report.systems import as_shown, systems_items
from focuseval.report.tables import BEST
from focuseval.statistics.comparisons import overview
from tests.statistics.test_overview import FIRST, SECOND, request, table


def test_lines_and_results_and_runs_without_many_topics_are_of_consequence():
    rows = [
        *(("runs", "missing", name, n, "") for name, n in zip("abcdef", (2, 29, 3, 4, 30, 5), strict=True)),
        ("files", "rejected", "a.txt", 1, ""),
        ("files", "elsewhere", "a.jsonl, line 2", 1, "1 of 2 texts"),
        ("files", "elsewhere", "b.jsonl, line 1", 1, "2 of 2 texts"),
        ("runs", "unresolved", "a", 50, ""),
        ("runs", "unresolved", "b", 4, ""),
        ("runs", "outside", "b", 400, ""),
        ("files", "sizes", "203.xml", 1, "the sizes of 66 of 119 elements differ"),
        ("runs", "unruly", "a", 333, ""),
        ("files", "lost", "run a", 1, "2 of 4 results are not in the documents"),
        *(("runs", "strange", name, 7, "") for name in "xyzw"),
    ]
    assert of_consequence(pd.DataFrame(rows, columns=tables.LEFT_OUT.names), 30) == [
        "texts of 2 files are not at their offsets",
        "the sizes of judged elements differ greatly from the collection; is this the collection that was assessed?",
        "results of 1 run are not in the source code and count as not relevant",
        "333 results break a rule of the task and are scored nevertheless",
        "the collection does not contain 54 results; unknown text is not relevant",
        "1 part of the input could not be read",
        "no result of x, y, z and 1 more is in a document with judgements; do documents have the same names in the run and in the assessments?",
        "run e has no results for 30 of 30 topics and scores 0 on them",
        "run b has no results for 29 of 30 topics and scores 0 on them",
        "run f has no results for 5 of 30 topics and scores 0 on them",
        "10% or more of the topics are missing in 2 more runs",
    ]
    assert of_consequence(pd.DataFrame(columns=tables.LEFT_OUT.names), 30) == []


def test_means_over_different_numbers_of_topics_are_of_consequence():
    rows = table(3, 12)
    lost = (rows["topic"] == "t1") & (rows["name"] == SECOND)
    analysis, _ = overview(rows, request(FIRST, SECOND))
    assert unequal_topics(analysis["measures"]) == []
    analysis, _ = overview(rows[~lost], request(FIRST, SECOND))
    assert unequal_topics(analysis["measures"]) == [
        "means are over different numbers of topics (12 for MAep; 11 for nxCG@10)"
    ]
    [measures, *_] = systems_items(request(FIRST, SECOND), 3, topics_of_means(analysis["measures"]))
    assert "a measure has a value (12 for MAep; 11 for nxCG@10), from" in measures.caption


def test_measures_that_cannot_be_computed_are_listed_by_reason():
    rows = [
        ("runs", "refused", "MAP", 1, "no documents"),
        ("runs", "missing", "a", 1, ""),
        ("runs", "refused", "SR", 1, "no elements"),
        ("runs", "refused", "P@5", 1, "no documents"),
    ]
    assert not_computed(pd.DataFrame(rows, columns=tables.LEFT_OUT.names)) == [
        "MAP, P@5 cannot be computed: no documents",
        "SR cannot be computed: no elements",
    ]


def test_the_table_for_people_has_a_row_for_each_run_and_marks_the_best():
    none, lower = (float("nan"),) * 2, "over_prediction"
    rows = [(1, "a", "AiP", 0.5, 0.25, 0.75), (1, "a", "MAP", 0.125, *none), (1, "a", lower, 0.3, *none)]
    rows += [(2, "b", "AiP", -0.25, -0.5, 0.0), (2, "b", lower, 0.2, *none)]
    rows += [(3, "c", "AiP", 0.5001, 0.25, 0.75), (3, "c", lower, 1.25, *none)]
    table = as_shown(pd.DataFrame(rows, columns=["rank", "run", "measure", "mean", "low", "high"]), [lower])
    assert list(table) == ["rank", "run", "AiP", "MAP", lower] and table.columns.name == "measure"
    # equal displayed values are equally good, and for some measures a lower value is better
    assert table.attrs[BEST] == [(0, "AiP"), (2, "AiP"), (0, "MAP"), (1, lower)]
    assert table.iloc[0].tolist() == [
        1,
        "a",
        "0.500 [0.250,\N{NO-BREAK SPACE}0.750]",  # narrow columns break this into two lines
        "0.1250",
        "0.300",
    ]
    assert table.iloc[1, 2] == "−0.250 [−0.500,\N{NO-BREAK SPACE}0.000]" and table.iloc[1, 3] == "–"


@pytest.mark.parametrize(
    ("runs", "topics", "labels"), [(1, 8, 1), (6, 8, 6), (7, 8, 2), (40, 8, 2), (3, 400, 3)]
)
def test_runs_have_short_but_distinct_names_in_the_figure(runs, topics, labels):
    values = table(runs, topics).query("name == 'MAep'").astype({"topic": str, "run": str})
    values = values.sort_values(["topic", "run"])
    figure = drawn_by_topic(Figure("topics", "MAep: topic by topic", ""), {"topics": values}, None)
    (ax,) = figure.axes
    names = list(values["topic"].unique()) if topics <= 100 else []
    assert [text.get_text() for text in ax.get_yticklabels()] == names
    assert figure.get_figheight() < 25 and ax.get_ylabel() == ("topic" if names else "400 topics")
    (legend,) = figure.legends
    assert len(legend.get_texts()) == labels and ax.get_xlabel() == "MAep"
    drawn = [tuple(point) for dots in ax.collections[1:] for point in dots.get_offsets()]
    assert sorted(x for x, _ in drawn) == pytest.approx(sorted(values["value"]))
