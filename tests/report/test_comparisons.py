"""A comparison of systems: its tables and figures, and that they say what the tests found."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from focuseval.campaign import schema
from focuseval.comparing.compare import compare_scores
from focuseval.report.compared import make_comparison
from focuseval.report.comparisons import comparison_items, how_tested
from focuseval.report.figures import COMPARISONS
from focuseval.report.items import Figure, Table, files_of
from focuseval.report.page import read_section
from focuseval.statistics.comparisons import compare, compare_as_asked, frames
from focuseval.statistics.paired import Method
from focuseval.statistics.significance import TESTS, confidence_intervals, holm
from focuseval_papers.workflow.campaign_settings import ComparisonSettings
from tests.papers.made import scores

RUNS = ["good", "fair", "poor", "also poor"]
LEFT_OUT = schema.LEFT_OUT.empty_table().to_pandas()
MEASURE, RANKED_BY = "MAep", "nxCG@10"


def asked(**settings: Any) -> dict[str, Any]:
    chosen = {"resamples": 200, "test": "bootstrap", "correction": "none", "one_tailed": True} | settings
    entry = ComparisonSettings(name="mine", measure=MEASURE, **chosen)
    return {
        "name": "mine",
        "runs": "runs",
        "measure": MEASURE,
        "ranked_by": RANKED_BY,
        "settings": entry.model_dump(mode="json"),
        "pools": {},
        "size": 1500,
    }


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    """Scores of four systems on twelve topics, under two measures that rank them the other way round."""
    rng = np.random.default_rng(1)
    level = rng.uniform(0.1, 0.3, 12)
    gain = {"good": 0.5, "fair": 0.2, "poor": 0.0, "also poor": 0.0}
    rows = []
    for run in RUNS:
        for topic in range(12):
            value = level[topic] + gain[run] + rng.normal(0, 0.01)
            rows += [(run, str(topic), MEASURE, value), (run, str(topic), RANKED_BY, 1 - value)]
    both = pd.concat([scores(rows), scores([("other", "1", MEASURE, 0.5)], runs="others")])
    return both.astype({"runs": "category", "run": "category"})


@pytest.fixture(scope="module")
def analysis(table: pd.DataFrame) -> dict[str, pd.DataFrame]:
    return compare_as_asked(table, asked())[0]


def test_the_matrix_has_a_cell_for_each_pair(analysis: dict[str, pd.DataFrame]) -> None:
    matrix, systems = analysis["matrix"], analysis["systems"]
    # numbered by the other measure, under which the worst is first
    assert systems["run"].tolist()[:2] == ["good", "fair"]
    assert systems["label"].tolist()[:2] == ["4", "3"]
    assert matrix["rank"].tolist() == matrix.columns[2:].tolist() == systems["label"].tolist()
    assert matrix["run"].tolist() == systems["run"].tolist()
    cells = matrix.drop(columns=["rank", "run"]).to_numpy()
    pairs = analysis["pairs"].set_index(["higher", "lower"])["p_bootstrap"]
    for i, row in enumerate(matrix["rank"]):
        for j, column in enumerate(matrix.columns[2:]):
            if j <= i:
                assert cells[i, j] == ""
            else:
                assert cells[i, j] == ("*" if pairs[row, column] <= 0.05 else "-")
    assert cells[0].tolist() == ["", "*", "*", "*"] and cells[1].tolist() == ["", "", "*", "*"]


def test_counts_are_those_of_every_test(analysis: dict[str, pd.DataFrame]) -> None:
    counts = analysis["counts"].set_index("test")
    assert list(counts.index) == list(TESTS)
    assert set(counts["pairs"]) == {6} and set(counts["topics"]) == {12}
    for test in TESTS:
        assert counts.at[test, "significant"] == (analysis["pairs"][f"p_{test}"] <= 0.05).sum()


def test_the_test_that_is_asked_for_decides(table: pd.DataFrame) -> None:
    part = table[(table["runs"] == "runs") & (table["name"] == MEASURE)]
    values = part.pivot(index="topic", columns="run", values="value")[RUNS]
    found = compare(values, resamples=200)
    for test in TESTS:
        cells = frames(found, test)["matrix"].drop(columns=["rank", "run"]).to_numpy()
        above = np.triu_indices(len(RUNS), k=1)
        assert (cells[above] == "*").tolist() == found.significant(test).tolist()


def test_systems_can_be_few_and_corrected_for(table: pd.DataFrame) -> None:
    few, _ = compare_as_asked(table, asked(top=2, correction="holm", test="t-test"))
    assert set(few["systems"]["run"]) == {"poor", "also poor"}  # the best under the other measure
    assert few["matrix"].shape == (2, 4)
    plain, corrected = (
        compare_as_asked(table, asked(test="t-test", correction=correction))[0]["pairs"]
        for correction in ("none", "holm")
    )
    for test in TESTS:
        assert corrected[f"p_{test}"].tolist() == plain[f"p_{test}"].tolist()
        adjusted = corrected[f"p_adjusted_{test}"]
        np.testing.assert_allclose(adjusted, holm(plain[f"p_{test}"].to_numpy()))
        assert (adjusted > plain[f"p_{test}"]).any() and f"p_adjusted_{test}" not in plain


def test_intervals_have_one_level_and_captions_say_it_and_what_is_adjusted(
    table: pd.DataFrame, tmp_path: Path
) -> None:
    entry = asked(alpha=0.1, correction="holm")
    found, cautions = compare_as_asked(table, entry)
    assert set(found["systems"]["level"]) == set(found["pairs"]["level"]) == {0.9}
    part = table[(table["runs"] == "runs") & (table["name"] == MEASURE)]
    values = part.pivot(index="topic", columns="run", values="value").sort_index()[RUNS]
    expected = confidence_intervals(
        values, level=0.9, resamples=200, test=entry["settings"]["test"]
    ).set_index("run")
    for row in found["systems"].to_dict("records"):
        assert (row["low"], row["high"]) == pytest.approx(tuple(expected.loc[row["run"], ["low", "high"]]))
    items = comparison_items("", f"{MEASURE}: heading", MEASURE, RANKED_BY, entry["settings"])
    captions = {(type(item), item.name): item.caption for item in items if isinstance(item, Table | Figure)}
    for key in ((Figure, "intervals"), (Table, "systems"), (Table, "pairs")):
        assert "90 % interval" in captions[key] and "95 %" not in captions[key]
    assert "adjusted for the number of pairs after Holm" in captions[Table, "pairs"]
    (drawn,) = (item for item in items if isinstance(item, Figure) and item.name == "intervals")
    assert COMPARISONS["intervals"](drawn, found, None).axes[0].get_xlabel().endswith(", 90 % interval")
    make_comparison(entry | {"remarks": []}, found, LEFT_OUT, tmp_path, "campaign", "Title", cautions)
    heading, _, row, *_ = (tmp_path / "pairs.md").read_text(encoding="utf-8").splitlines()
    assert "| p adjusted bootstrap |" in heading and "| p bootstrap |" not in heading
    pairs = pd.read_csv(tmp_path / "pairs.csv")
    assert {"p_bootstrap", "higher_run", "low", "high"} <= set(pairs)
    first = pairs.iloc[0]
    difference = f"{first['difference']:+.4f} [{first['low']:.4f},\N{NO-BREAK SPACE}{first['high']:.4f}]"
    assert heading.startswith("| higher | lower | difference | p") and " low |" not in heading
    assert row.startswith(f"| 4 good | 3 fair | {difference} |")


def test_items_are_named_and_explained() -> None:
    items = comparison_items("stem_", "Heading", MEASURE, RANKED_BY, asked(correction="holm")["settings"])
    assert all(item.title for item in items)
    assert all(item.caption for item in items if isinstance(item, Table | Figure))
    for kind in (Table, Figure):
        names = files_of(items, kind)
        assert len(set(names)) == len(names) and all(name.startswith("stem_") for name in names)
    figures = [item for item in items if isinstance(item, Figure)]
    assert {item.drawn for item in figures} == set(COMPARISONS)
    assert "corrected for the number of pairs after Holm" in figures[0].caption
    many = comparison_items("", "", MEASURE, RANKED_BY, asked(resamples=10_000)["settings"])
    assert not any("10000" in item.caption for item in many if isinstance(item, Table | Figure))
    assert f"order of {MEASURE}" in figures[0].caption and f"under {RANKED_BY}" in figures[0].caption


@pytest.mark.parametrize("test", TESTS)
def test_tests_are_said_in_words(test: str) -> None:
    said = how_tested({"test": test, "alpha": 0.01, "resamples": 500})
    assert said.endswith("at level 0.01")
    assert ("500" in said) == (test != "t-test")
    assert ("10,000" in how_tested({"test": test, "alpha": 0.05, "resamples": 10_000})) == ("500" in said)


def test_files_and_section_are_made(analysis: dict[str, pd.DataFrame], tmp_path: Path) -> None:
    text = make_comparison(
        *(asked() | {"remarks": ["said of it"]}, analysis, LEFT_OUT, tmp_path, "campaign", "Title of it"),
        ["few topics"],
    )
    items = comparison_items("", "", MEASURE, RANKED_BY, asked()["settings"])
    assert {path.name for path in tmp_path.iterdir()} == {*files_of(items, Table), *files_of(items, Figure)}
    section = read_section(text)
    assert (section.anchor, section.group, section.label) == (
        "significance-campaign-mine", "Significance", "campaign: mine",
    )  # fmt: skip
    assert "Careful: few topics." in section.html
    assert "the first 1,500 results of each topic" in section.html
    assert "Title of it." in section.html and f"{MEASURE}: said of it." in section.html
    assert "campaign/significance/mine/pairs.csv" in section.html
    assert len({anchor for anchor, _ in section.contents}) == len(section.contents) == len(items) + 1
    matrix = pd.read_csv(tmp_path / "matrix.csv", keep_default_na=False, dtype=str)
    assert matrix.to_numpy().tolist() == analysis["matrix"].to_numpy().tolist()


def test_figures_are_drawn_from_the_tables(analysis: dict[str, pd.DataFrame]) -> None:
    items = comparison_items("", f"{MEASURE}: heading", MEASURE, RANKED_BY, asked()["settings"])
    matrix, intervals = (item for item in items if isinstance(item, Figure))
    (axes,) = COMPARISONS["matrix"](matrix, analysis, None).axes
    discs, dots = (len(each.get_offsets()) for each in axes.collections)
    cells = analysis["matrix"].to_numpy()
    assert (discs, dots) == ((cells == "*").sum(), (cells == "-").sum())
    (axes,) = COMPARISONS["intervals"](intervals, analysis, None).axes
    for ax in (axes, COMPARISONS["matrix"](matrix, analysis, None).axes[0]):
        labels = [text.get_text().split() for text in ax.get_yticklabels()]
        assert [" ".join(words[:-1]) for words in labels] == analysis["systems"]["run"].tolist()
        assert [words[-1] for words in labels] == analysis["systems"]["label"].tolist()
        assert [text.get_text() for text in ax.texts] == ["run  rank"]
    assert axes.get_xlabel() == f"{MEASURE}, mean over 12 topics, 95 % interval"


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("correction", ["none", "holm"])
def test_it_finds_what_the_command_finds(table: pd.DataFrame, test: str, correction: str) -> None:
    """The same p-values, intervals and counts as `focuseval compare` has, the higher ranked system first."""
    settings = {"test": test, "correction": correction, "one_tailed": False}
    found, cautions = compare_as_asked(table, asked(**settings))
    of_measure = table[(table["runs"] == "runs") & (table["name"] == MEASURE)]
    scored = of_measure.astype({"run": pd.CategoricalDtype(found["systems"]["run"][::-1], ordered=True)})
    command = compare_scores(scored.sort_values("run"), None, Method(resamples=200, **settings))
    rows = command.pairs.set_index(["run", "baseline"])
    for pair in found["pairs"].to_dict("records"):
        row = rows.loc[(pair["higher_run"], pair["lower_run"])]
        assert pair[f"p_{test}"] == pytest.approx(row["p"], abs=1e-12)
        if correction == "holm":
            assert pair[f"p_adjusted_{test}"] == pytest.approx(row["p_adjusted"], abs=1e-12)
        for name in ("difference", "low", "high", "effect_size", "wins", "ties", "losses"):
            assert pair[name] == pytest.approx(row[name], abs=1e-12), name
    assert any("12 topics" in caution for caution in cautions)
    assert found["pairs"].shape[0] == 6 == len(rows)


def test_where_nothing_is_said_it_is_two_tailed_and_corrected() -> None:
    entry = ComparisonSettings(name="mine", measure=MEASURE)
    standard = Method()
    for name in ("test", "one_tailed", "correction", "alpha", "resamples", "seed"):
        assert getattr(entry, name) == getattr(standard, name), name


def test_one_run_or_one_topic_is_shown_without_tests(table: pd.DataFrame) -> None:
    one = table[table["run"].isin(["good", "other"])]
    found, _ = compare_as_asked(one, asked())
    assert found["pairs"].empty and found["systems"]["run"].tolist() == ["good"]
    found, cautions = compare_as_asked(table[table["topic"] == "1"], asked())
    assert found["pairs"][[f"p_{test}" for test in TESTS]].isna().all(axis=None)
    assert any("1 topic:" in caution for caution in cautions)
