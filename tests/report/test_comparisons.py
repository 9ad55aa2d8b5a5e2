"""A comparison of systems: its tables and figures, and that they say what the tests found."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from focuseval.campaign import tables
from focuseval.comparing.compare import compare_scores
from focuseval.report.comparisons import comparison_items
from focuseval.report.parts import Figure, Table, files_of
from focuseval.report.systems import make_comparison
from focuseval.statistics.comparisons import Method, compare_as_asked
from focuseval.statistics.significance import TESTS
from focuseval_papers.workflow.configuration import ComparisonSettings
from tests.papers.made import scores

RUNS = ["good", "fair", "poor", "also poor"]
LEFT_OUT = tables.LEFT_OUT.empty_table().to_pandas()
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
        "lower": [],
        "size": 1500,
    }


def scores_of_four() -> pd.DataFrame:
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
def table() -> pd.DataFrame:
    return scores_of_four()


@pytest.fixture(scope="module")
def analysis(table: pd.DataFrame) -> dict[str, pd.DataFrame]:
    return compare_as_asked(table, asked())[0]


def test_systems_stand_in_their_order_with_ranks_under_the_other_measure(
    table: pd.DataFrame, analysis: dict[str, pd.DataFrame]
) -> None:
    matrix, systems, counts = (analysis[name] for name in ("matrix", "systems", "counts"))
    # numbered by the other measure, under which the worst is first
    assert systems["run"].tolist()[:2] == ["good", "fair"] and systems["label"].tolist()[:2] == ["4", "3"]
    assert matrix["rank"].tolist() == matrix.columns[2:].tolist() == systems["label"].tolist()
    assert matrix["run"].tolist() == systems["run"].tolist()
    assert (
        list(counts["test"]) == list(TESTS) and set(counts["pairs"]) == {6} and set(counts["topics"]) == {12}
    )
    assert matrix.iloc[:2, 2:].to_numpy().tolist() == [["", "*", "*", "*"], ["", "", "*", "*"]]
    few, _ = compare_as_asked(table, asked(top=2))
    assert set(few["systems"]["run"]) == {"poor", "also poor"} and few["matrix"].shape == (2, 4)


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("correction", ["none", "holm"])
def test_it_finds_what_the_command_finds(table: pd.DataFrame, test: str, correction: str) -> None:
    """The same p-values, intervals and counts as `focuseval compare` has; the matrix marks what they decide."""
    settings = {"test": test, "correction": correction, "one_tailed": False}
    found, cautions = compare_as_asked(table, asked(**settings))
    of_measure = table[(table["runs"] == "runs") & (table["name"] == MEASURE)]
    scored = of_measure.astype({"run": pd.CategoricalDtype(found["systems"]["run"][::-1], ordered=True)})
    rows = compare_scores(scored.sort_values("run"), None, Method(resamples=200, **settings)).pairs
    names = ["difference", "low", "high", "effect_size", "wins", "ties", "losses"]
    pairs = found["pairs"].set_index(["higher_run", "lower_run"])
    expected = rows.set_index(["run", "baseline"]).loc[pairs.index]
    np.testing.assert_allclose(pairs[names].astype(float), expected[names].astype(float), atol=1e-12)
    np.testing.assert_allclose(pairs[f"p_{test}"], expected["p"], atol=1e-12)
    decides = f"p_adjusted_{test}" if correction == "holm" else f"p_{test}"
    assert (f"p_adjusted_{test}" in pairs) == (correction == "holm")
    if correction == "holm":
        np.testing.assert_allclose(pairs[decides], expected["p_adjusted"], atol=1e-12)
    assert any("12 topics" in caution for caution in cautions)
    cells = found["matrix"].set_index("run").drop(columns="rank").to_numpy()
    upper = np.triu_indices(4, 1)
    significant = pairs[decides].to_numpy() <= 0.05
    assert (cells[upper] == np.where(significant, "*", "-")).all() and (cells[np.tril_indices(4)] == "").all()
    counts = found["counts"].set_index("test")
    assert counts.at[test, "significant"] == significant.sum()


def test_pairs_stand_with_names_and_intervals(table: pd.DataFrame, tmp_path: Path) -> None:
    entry = asked(alpha=0.1, correction="holm") | {"remarks": []}
    found, cautions = compare_as_asked(table, entry)
    assert set(found["systems"]["level"]) == set(found["pairs"]["level"]) == {0.9}
    make_comparison(entry, found, LEFT_OUT, tmp_path, "campaign", "Title", cautions)
    heading, _, row, *_ = (tmp_path / "pairs.md").read_text(encoding="utf-8").splitlines()
    assert "| p bootstrap |" in heading and "adjusted" not in heading
    adjusted = round(pd.read_csv(tmp_path / "pairs.csv")["p_adjusted_bootstrap"].iloc[0], 3)
    assert f" | {adjusted:.3f}".replace(" 0.", " .") in row
    pairs = pd.read_csv(tmp_path / "pairs.csv")
    assert {"p_bootstrap", "higher_run", "low", "high"} <= set(pairs)
    first = pairs.iloc[0]
    difference = f"{first['difference']:+.4f} [{first['low']:.4f},\N{NO-BREAK SPACE}{first['high']:.4f}]"
    assert heading.startswith("| higher | lower | difference | p") and " low |" not in heading
    assert row.startswith(f"| 4 good | 3 fair | {difference} |")


def test_files_are_made(analysis: dict[str, pd.DataFrame], tmp_path: Path) -> None:
    make_comparison(asked() | {"remarks": []}, analysis, LEFT_OUT, tmp_path, "campaign", "Title", [])
    items = comparison_items("", "", MEASURE, RANKED_BY, asked()["settings"])
    assert {path.name for path in tmp_path.iterdir()} == {*files_of(items, Table), *files_of(items, Figure)}
    matrix = pd.read_csv(tmp_path / "matrix.csv", keep_default_na=False, dtype=str)
    assert matrix.to_numpy().tolist() == analysis["matrix"].to_numpy().tolist()


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
