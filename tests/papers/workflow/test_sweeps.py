"""Sweeps: values, points, changes in the order of runs, and their tables and figures."""

from itertools import combinations, product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from focuseval.measures import MEASURES, parse_specs
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.campaign_settings import SweepSettings
from focuseval_papers.workflow.sweeps import (
    make_sweep,
    order_changed,
    rankings_alike,
    run_lines,
    sweep_items,
    sweep_of,
    value_maps,
)
from tests.figure_text import figure_text
from tests.papers import materials
from tests.snapshots import check

RUNS = [f"run{n}" for n in range(7)]
ALPHAS, IDEALS, CUTOFFS = ["0", "0.25", "1"], ["article", "paper"], ["5", "25", "100"]
SETTINGS = SweepSettings(
    measure="nxCG(overlap=on)",
    parameters={"ideal": IDEALS, "alpha": [0, 0.25, 1], "quantisation": ["strict"]},
    cutoffs=[5, 25, 100],
)


def specs_of(settings):
    return [spec for point in settings.points for spec in parse_specs(point, MEASURES)]


def swept(scores, settings):
    return sweep_of(
        scores.drop(columns=["campaign", "runs", "size"]), specs_of(settings), [*settings.parameters]
    )


def scores_of(settings, rng):
    """Return scores on three topics, with ties in some rankings and a measure that is not swept."""
    names = [*settings.points, "Q"]
    return materials.scores(
        [(r, t, n, round(float(rng.random()), 1)) for n, r, t in product(names, RUNS, "abc")]
    )


@pytest.fixture(scope="module")
def scores():
    return scores_of(SETTINGS, np.random.default_rng(3))


@pytest.fixture(scope="module")
def sweep(scores):
    return swept(scores, SETTINGS)


def test_every_run_is_at_every_point_once_with_all_parameters(scores, sweep):
    parameters = [parameter.name for parameter in MEASURES["nxCG"].parameters]
    keys = ["run", "topic", "measure", *parameters, "cutoff"]
    assert list(sweep.table) == [*keys, "value"] and not sweep.table[keys].duplicated().any()
    assert len(sweep.table) == len(RUNS) * 4 * 3 * 2 * 3
    assert set(sweep.table["quantisation"]) == {"strict"} and set(sweep.table["own_text"]) == {"share"}
    assert sweep.dimensions == {"ideal": IDEALS, "alpha": ALPHAS, "cutoff": CUTOFFS}
    for row in sweep.table[sweep.table["topic"] == "all"].sample(20, random_state=1).to_dict("records"):
        inside = ",".join(f"{name}={row[name]}" for name in parameters)
        name = materials.spec_of(f"{row['measure']}({inside})@{row['cutoff']}").name
        values = scores[(scores["name"] == name) & (scores["run"] == row["run"])]["value"]
        assert len(values) == 3 and row["value"] == pytest.approx(sum(values) / 3)


def test_the_reference_has_default_or_middle_values(sweep):
    assert sweep.reference == {"ideal": "paper", "alpha": "1", "cutoff": "25"}
    without_default = SweepSettings(
        measure="MAep", parameters={"alpha": [0, 0.25], "quantisation": ["gen", "strict"]}
    )
    assert swept(scores_of(without_default, np.random.default_rng(1)), without_default).reference == {
        "alpha": "0.25",
        "quantisation": "gen",
    }


def test_counts_of_all_topics_are_added_up():
    """3 of 4 returned spans are right: not the mean of 1/1 and 2/3."""
    settings = SweepSettings(measure="span_F1", cutoffs=[0.5, 1.0])
    rows = [("a", topic, name, 0.9) for topic in "12" for name in settings.points]
    counts = pd.DataFrame(
        [(1, 1, 1, 1)] * 2 + [(2, 3, 2, 3)] * 2, columns=["right", "returned", "found", "relevant"]
    )
    scores = materials.scores(rows).drop(columns=list(counts)).join(counts.astype(float))
    table = swept(scores, settings).table
    assert table.loc[table["topic"] == "all", "value"].tolist() == [0.75, 0.75]
    assert table["cutoff"].unique().tolist() == ["0.5", "1"]


def changed_literally(a, b):
    """Count the pairs that are in opposite orders in ``a`` and ``b``."""

    def order(values, x, y):
        return 0 if abs(values[x] - values[y]) <= 1e-12 else 1 if values[x] > values[y] else -1

    return sum(order(a, x, y) * order(b, x, y) == -1 for x, y in combinations(a, 2))


def test_points_and_steps_agree_with_a_literal_count(sweep):
    dimensions = list(sweep.dimensions)
    means = sweep.table[sweep.table["topic"] == "all"]
    values = {
        key: part.set_index("run")["value"].to_dict()
        for key, part in means.groupby(dimensions, observed=True)
    }

    def compared(row, a, b):
        assert (row["pairs"], row["pairs_changed"]) == (21, changed_literally(a, b))
        tau = stats.kendalltau(*np.round([[a[run] for run in b], list(b.values())], 12)).statistic
        assert row["kendall_tau"] == pytest.approx(tau)

    points = sweep.at_points().to_dict("records")
    assert len(points) == len(values) == 18
    for row in points:
        own = values[tuple(row[name] for name in dimensions)]
        assert row["mean"] == pytest.approx(sum(own.values()) / 7) and row["runs"] == 7
        assert (row["lowest"], row["highest"]) == (min(own.values()), max(own.values()))
        compared(row, values["paper", "1", "25"], own)
    steps = sweep.order().to_dict("records")
    assert len(steps) == 1 * 9 + 2 * 6 + 2 * 6
    for row in steps:
        assert row[row["changes"]] == row["from"] and row["quantisation"] == "strict"
        key = {name: row[name] for name in dimensions}
        a, b = values[tuple(key.values())], values[tuple((key | {row["changes"]: row["to"]}).values())]
        compared(row, a, b)
        assert (a[row["best_before"]], b[row["best_after"]]) == (max(a.values()), max(b.values()))
        if not pd.isna(row["rank_before"]):
            run = row["moves_most"]
            assert row["rank_before"] == 1 + sum(value > a[run] for value in a.values())
            assert row["rank_after"] == 1 + sum(value > b[run] for value in b.values())


def test_ties_are_no_order():
    values = np.array([0.1, 0.2, 0.2, 0.3])
    assert order_changed(values, values[::-1]) == 5  # the tied pair has no order to change
    assert order_changed(values, np.zeros(4)) == 0
    assert order_changed(values, values + np.array([0, 1e-15, 0, 0])) == 0
    assert order_changed(np.array([0.5]), np.array([0.1])) == 0


def test_a_point_without_values_a_step_without_moves_and_the_best_of_a_measure_that_is_to_be_low():
    settings = SweepSettings(measure="MAep", parameters={"alpha": [0, 0.25, 1]})
    rows = [
        (run, "1", f"MAep(alpha={a})", value) for a in (0, 0.25) for run, value in (("a", 0.1), ("b", 0.2))
    ]
    sweep = swept(materials.scores(rows), settings)
    first, second = sweep.order().to_dict("records")
    assert (first["best_before"], first["pairs_changed"]) == ("b", 0)
    assert pd.isna(
        [first["moves_most"], first["rank_before"], second["kendall_tau"], second["best_before"]]
    ).all()
    assert sweep.at_points()["mean"].isna().tolist() == [False, False, True]
    low = SweepSettings(measure="over_prediction", parameters={"without_gold": ["counted", "left-out"]})
    rows = [(run, "1", name, value) for name in low.points for run, value in (("a", 0.1), ("b", 0.2))]
    assert swept(materials.scores(rows), low).order()["best_before"].tolist() == ["a"]


def test_a_sweep_is_shown_in_tables_of_few_columns_in_maps_and_in_lines(sweep):
    tables = {"sweep": sweep.table, "sweep-order": sweep.order()}
    names = [
        f"--- {item.name}\n{item.for_people(tables[item.name]).to_csv(index=False, float_format='%.6g')}"
        for item in sweep_items(sweep, "nxCG")
        if item.name in tables
    ]
    figures = value_maps(sweep, "nxCG"), run_lines(sweep, "nxCG"), rankings_alike(sweep)
    check(
        "---\n".join([*names, *map(figure_text, figures)]),
        Path(__file__).with_name("snapshots") / "sweep.txt",
    )


@pytest.mark.parametrize("runs", [1, 20])
def test_long_names_and_one_dimension(tmp_path, runs, recwarn):
    """Names leave enough space, one run has no order, and each sweep has files of its own."""
    settings = SweepSettings(measure="MAep", parameters={"alpha": [0, 1]})
    names = [f"team-{n}-{'a-very-long-name-' * 5}" for n in range(runs)]
    scores = materials.scores(
        [(r, "1", name, i / 20) for i, r in enumerate(names) for name in settings.points]
    )
    nothing = schema.LEFT_OUT.empty_table().to_pandas()
    text = make_sweep(
        swept(scores, settings), ["a remark"], nothing, tmp_path / settings.name, "mine", "The mine"
    )
    assert "MAep: a remark." in text and f'id="sweeps-mine-{settings.name}"' in text
    files = {path.name for path in (tmp_path / settings.name).iterdir()}
    assert {"sweep.csv", "sweep-order.csv", "sweep-points.csv", "sweep-map.svg", "sweep-lines.png"} <= files
    written = pd.read_csv(tmp_path / settings.name / "sweep.csv", keep_default_na=False)
    assert set(written["quantisation"]) == {"gen"} and set(written["cutoff"]) == {""}
    assert not recwarn.list
    synthetic_folder = tmp_path / "made"
    make_sweep(swept(scores, settings), [], nothing, synthetic_folder, "mine", "The mine", synthetic=True)
    for folder, synthetic in ((tmp_path / settings.name, False), (synthetic_folder, True)):
        files = (folder / file for file in ("sweep.csv", "sweep-order.tex", "sweep-map.svg"))
        assert {
            "synthetic campaign" in file.read_text(encoding="utf-8").replace("_", " ") for file in files
        } == {synthetic}
    order = (tmp_path / settings.name / "sweep-order.md").read_text(encoding="utf-8")
    assert ("Kendall" in order) == (runs > 1) == ("No step changes the ranking of runs." in text)


def test_the_largest_change_of_the_ranking_is_reported_wherever_it_is(tmp_path):
    settings = SweepSettings(measure="nxCG", parameters={"alpha": [0, 1]}, cutoffs=[1, 3, 5])
    turned = "nxCG(alpha=0)@5"
    rows = [
        (run, "1", name, 1 - value if name == turned else value)
        for run, value in (("a", 0.6), ("b", 0.5))
        for name in settings.points
    ]
    nothing = schema.LEFT_OUT.empty_table().to_pandas()
    text = make_sweep(
        swept(materials.scores(rows), settings), [], nothing, tmp_path / "x", "mine", "The mine"
    )
    assert (
        "The ranking of runs changes most between alpha 0 and 1 (τ −1.00, at cut-off 5). b is best at the first, "
        "a at the second." in text
    )


def test_a_sweep_without_relevant_results_is_reported(tmp_path):
    settings = SweepSettings(measure="MAep", parameters={"alpha": [0, 1]})
    empty = swept(materials.scores([("a", "1", "Q", 0.5)]), settings)
    nothing = schema.LEFT_OUT.empty_table().to_pandas()
    assert "no topic has relevant content" in make_sweep(
        empty, [], nothing, tmp_path / "x", "mine", "The mine"
    )
