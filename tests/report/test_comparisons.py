"""A comparison of systems: its tables and figures, and their agreement with the tests."""

import numpy as np
import pandas as pd
import pytest

from focuseval.comparing.compare import compare_scores
from focuseval.statistics.comparisons import Method, compare_as_asked
from focuseval.statistics.significance import TESTS
from focuseval_papers.workflow.campaign_settings import ComparisonSettings
from tests.papers.materials import scores

RUNS = ["good", "fair", "poor", "also poor"]
MEASURE, RANKED_BY = "MAep", "nxCG@10"


def request(**settings):
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


def scores_of_four():
    """Return scores of four systems on twelve topics, under two measures with opposite rankings."""
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
def table():
    return scores_of_four()


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("correction", ["none", "holm"])
def test_the_report_has_the_p_values_intervals_and_counts_of_the_command(table, test, correction):
    settings = {"test": test, "correction": correction, "one_tailed": False}
    tables, cautions = compare_as_asked(table, request(**settings))
    of_measure = table[(table["runs"] == "runs") & (table["name"] == MEASURE)]
    scored = of_measure.astype({"run": pd.CategoricalDtype(tables["systems"]["run"][::-1], ordered=True)})
    rows = compare_scores(scored.sort_values("run"), None, Method(resamples=200, **settings)).pairs
    names = ["difference", "low", "high", "effect_size", "wins", "ties", "losses"]
    pairs = tables["pairs"].set_index(["higher_run", "lower_run"])
    expected = rows.set_index(["run", "baseline"]).loc[pairs.index]
    np.testing.assert_allclose(pairs[names].astype(float), expected[names].astype(float), atol=1e-12)
    np.testing.assert_allclose(pairs[f"p_{test}"], expected["p"], atol=1e-12)
    decides = f"p_adjusted_{test}" if correction == "holm" else f"p_{test}"
    assert (f"p_adjusted_{test}" in pairs) == (correction == "holm")
    if correction == "holm":
        np.testing.assert_allclose(pairs[decides], expected["p_adjusted"], atol=1e-12)
    assert any("topics (12)" in caution for caution in cautions)
    cells = tables["matrix"].set_index("run").drop(columns="rank").to_numpy()
    upper = np.triu_indices(4, 1)
    significant = pairs[decides].to_numpy() <= 0.05
    assert (cells[upper] == np.where(significant, "*", "-")).all() and (cells[np.tril_indices(4)] == "").all()
    counts = tables["counts"].set_index("test")
    assert counts.at[test, "significant"] == significant.sum()


def test_by_default_tests_are_two_tailed_and_corrected():
    entry = ComparisonSettings(name="mine", measure=MEASURE)
    standard = Method()
    for name in ("test", "one_tailed", "correction", "alpha", "resamples", "seed"):
        assert getattr(entry, name) == getattr(standard, name), name
