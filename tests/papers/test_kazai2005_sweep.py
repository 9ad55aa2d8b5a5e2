"""Sweeps: values of all points, where the order of runs changes, and the figures of both."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from focuseval.present.items import Absent, Figure, Table
from focuseval_papers.kazai2005.paper import PAPER
from focuseval_papers.kazai2005.sweep import (
    AT_RANK,
    WHOLE,
    best_run,
    cutoff,
    order_changed,
    order_table,
    reference,
    sweep_measures,
    sweep_table,
    swept_means,
    values_at,
)
from focuseval_papers.kazai2005.sweep_figures import (
    alpha_lines,
    alpha_map,
    cutoff_map,
    ideal_map,
    named,
    value_maps,
)
from focuseval_papers.kazai2005.sweep_items import sweep_items
from focuseval_papers.publication.paper import Context
from tests.papers import made

RUNS = [f"run{n}" for n in range(7)]
ALPHAS, CUTOFFS, IDEALS = [0.0, 0.25, 1.0], [5, 25, 100], ["paper", "article"]


def context(**sweep: object) -> Context:
    settings = {"alphas": ALPHAS, "cutoffs": CUTOFFS, "ideal": IDEALS, "own_text": ["share"]} | sweep
    return Context(made.campaign(scale="inex2005"), PAPER.settings.model_validate({"sweep": settings}))


CONTEXT = context()


@pytest.fixture(scope="module")
def scores() -> pd.DataFrame:
    """Scores on three topics, with ties in some rankings."""
    rng = np.random.default_rng(3)
    rows = [
        (run, topic, name, round(float(rng.random()), 1))
        for name, run, topic in product(sweep_measures(CONTEXT.settings.sweep), RUNS, "abc")
    ]
    return made.scores(rows)


@pytest.fixture(scope="module")
def swept(scores: pd.DataFrame) -> pd.DataFrame:
    return swept_means(scores)


def test_every_measure_is_at_every_alpha_and_cutoff_once(swept: pd.DataFrame) -> None:
    keys = ["ideal", "own_text", "alpha", "measure", "cutoff", "run"]
    assert list(swept) == [*keys, "value"] and not swept[keys].duplicated().any()
    assert (reference(CONTEXT), cutoff(CONTEXT)) == (("paper", "share", 1.0), 25)
    assert cutoff(context(cutoffs=[10, 50])) == 10
    at = values_at(swept, CONTEXT)
    for measure in AT_RANK:
        part = at[at["measure"] == measure]
        points = set(part[["alpha", "cutoff"]].itertuples(index=False, name=None))
        assert points == set(product(ALPHAS, CUTOFFS)) and len(part) == len(points) * len(RUNS)
    for measure in WHOLE:
        part = at[at["measure"] == measure]
        assert part["cutoff"].isna().all() and len(part) == len(ALPHAS) * len(RUNS)
    others = swept[swept["ideal"] == "article"]
    assert set(others["measure"]) == {"nxCG", "MAep"} and len(others) == 3 * 4 * len(RUNS)


def test_values_are_means_over_topics(scores: pd.DataFrame, swept: pd.DataFrame) -> None:
    for row in swept.sample(20, random_state=1).to_dict("records"):
        at = "" if pd.isna(row["cutoff"]) else f"@{row['cutoff']}"
        setting = f"alpha={row['alpha']:g},overlap=on,ideal={row['ideal']},own_text={row['own_text']}"
        name = made.spec_of(f"{row['measure']}(quantisation=gen,{setting}){at}").name
        values = scores[(scores["name"] == name) & (scores["run"] == row["run"])]["value"]
        assert len(values) == 3 and row["value"] == pytest.approx(sum(values) / 3)


def at(rank: object) -> str:
    return "" if pd.isna(rank) else str(rank)


def changed_literally(a: dict[str, float], b: dict[str, float]) -> int:
    """Pairs that the one puts in one order, and the other in the other order."""

    def order(values: dict[str, float], x: str, y: str) -> int:
        return 0 if abs(values[x] - values[y]) <= 1e-12 else 1 if values[x] > values[y] else -1

    return sum(order(a, x, y) * order(b, x, y) == -1 for x, y in combinations(a, 2))


def test_every_point_stands_beside_the_reference(swept: pd.DataFrame) -> None:
    table = sweep_table(swept, reference(CONTEXT))
    assert len(table) == len(swept) / len(RUNS) and (table["runs"] == len(RUNS)).all()
    assert (table["pairs"] == 21).all()
    keys = ["ideal", "own_text", "alpha", "measure", "cutoff"]
    values = {
        (*key[:4], at(key[4])): part.set_index("run")["value"].to_dict()
        for key, part in swept.groupby(keys, dropna=False)
    }
    for row in table.to_dict("records"):
        of = row["measure"], at(row["cutoff"])
        own, there = (row["ideal"], row["own_text"], row["alpha"], *of), (*reference(CONTEXT), *of)
        here = values[own]
        assert row["mean"] == pytest.approx(sum(here.values()) / len(here))
        assert (row["lowest"], row["highest"]) == (min(here.values()), max(here.values()))
        assert row["changed"] == changed_literally(values[there], here)
        tau = stats.kendalltau([values[there][run] for run in here], list(here.values())).statistic
        assert row["τ"] == pytest.approx(tau)
    at_reference = table.query("ideal == 'paper' and alpha == 1")
    assert (at_reference["changed"] == 0).all() and at_reference["τ"].to_numpy() == pytest.approx(1.0)


def test_ties_are_no_order() -> None:
    values = np.array([0.1, 0.2, 0.2, 0.3])
    assert order_changed(values, values[::-1]) == 5  # the tied pair has no order to change
    assert order_changed(values, np.zeros(4)) == 0
    assert order_changed(values, values + np.array([0, 1e-15, 0, 0])) == 0
    assert order_changed(np.array([0.5]), np.array([0.1])) == 0


def test_steps_say_which_runs_change_places() -> None:
    values = {0.0: (0.3, 0.2, 0.1), 0.5: (0.3, 0.2, 0.1), 1.0: (0.15, 0.2, 0.1)}
    rows = [
        ("paper", "share", alpha, "nxCG", rank, run, value)
        for alpha, numbers in values.items()
        for rank in (5, 10)
        for run, value in zip("abc", numbers if rank == 5 else numbers[::-1], strict=True)
    ]
    swept = pd.DataFrame(
        rows, columns=["ideal", "own_text", "alpha", "measure", "cutoff", "run", "value"]
    ).astype({"cutoff": "Int64"})
    table = order_table(swept, ("paper", "share", 1.0)).set_index(["at", "step"])
    same = table.loc[("cut-off 5", "alpha 0 → 0.5")]
    assert (same["changed"], same["τ"], same["moves_most"]) == (0, 1.0, "–")
    step = table.loc[("cut-off 5", "alpha 0.5 → 1")]
    assert (step["changed"], step["pairs"]) == (1, 3)
    assert (step["best_before"], step["best_after"]) == ("a", "b")
    assert step["moves_most"] in ("a: 1 → 2", "b: 2 → 1")
    deeper = table.loc[("alpha 1", "cut-off 5 → 10")]
    assert deeper["changed"] == changed_literally(
        dict(zip("abc", values[1.0], strict=True)), dict(zip("abc", values[1.0][::-1], strict=True))
    )
    assert len(table) == 2 * 2 + 1


def test_the_grid_has_a_column_for_each_cutoff(swept: pd.DataFrame) -> None:
    at = values_at(swept, CONTEXT)
    tables = {item.name: item for item in sweep_items(CONTEXT) if isinstance(item, Table)}
    table, whole = (tables[name].made({"swept": swept}, CONTEXT) for name in ("sweep-values", "sweep-whole"))
    assert list(table) == ["measure", "alpha", "@5", "@25", "@100"] and len(table) == 2 * len(ALPHAS)
    assert list(whole) == ["alpha", *WHOLE] and whole["alpha"].tolist() == ALPHAS
    of_q = at[(at["measure"] == "Q") & (at["alpha"] == 0.25)]["value"]
    assert whole.loc[1, "Q"] == pytest.approx(of_q.mean())
    row = table[(table["measure"] == "nxCG") & (table["alpha"] == 0.25)].iloc[0]
    part = at[(at["measure"] == "nxCG") & (at["alpha"] == 0.25) & (at["cutoff"] == 25)]
    assert row["@25"] == pytest.approx(part["value"].mean())


def test_the_csv_of_runs_has_every_point_and_the_page_one_row_for_each_alpha(swept: pd.DataFrame) -> None:
    (table,) = (
        item for item in sweep_items(CONTEXT) if isinstance(item, Table) and item.name == "sweep-runs"
    )
    made_table = table.made({"swept": swept}, CONTEXT)
    assert made_table.equals(swept)
    assert table.show is not None
    shown = table.show(made_table)
    assert list(shown) == ["run", "alpha", "MAep", "@5", "@25", "@100"]
    assert len(shown) == len(RUNS) * len(ALPHAS) and table.fold(shown) == "7 runs, 21 rows"


def test_values_and_runs_are_drawn(swept: pd.DataFrame) -> None:
    at, run = named(values_at(swept, CONTEXT)), best_run(swept, CONTEXT)
    first_alpha, maximum = (
        at[(at["measure"] == "MAep") & (at["alpha"] == alpha)].set_index("run")["value"] for alpha in (0, 1)
    )
    assert first_alpha[run] == first_alpha.max()
    drawn = value_maps(at[at["measure"] == "nxCG"], "cutoff", run)
    first, second, colours = drawn.axes
    assert colours.get_ylabel() == "nxCG"
    assert [text.get_text() for text in first.get_xticklabels()] == ["5", "25", "100"]
    assert [text.get_text() for text in first.get_yticklabels()] == ["1", "0.25", "0"]
    assert (first.get_title(), second.get_title()) == ("mean over runs", run)
    part = at[(at["measure"] == "nxCG") & (at["alpha"] == 1) & (at["cutoff"] == 5)]
    assert first.texts[0].get_text() == f"{part['value'].mean():#.3g}"
    assert second.texts[0].get_text() == f"{part.set_index('run')['value'][run]:#.3g}"
    close = at[at["measure"] == "nxCG"].assign(value=0.0243)
    assert {text.get_text() for text in value_maps(close, "cutoff", run).axes[0].texts} == {"0.0243"}
    whole = value_maps(at[at["measure"].isin(WHOLE)], "measure", run)
    assert [text.get_text() for text in whole.axes[0].get_xticklabels()] == list(WHOLE)
    assert whole.axes[2].get_ylabel() == "value"

    lines = alpha_lines(at, ["MAep", "nxCG[25]"])
    above, _, below, _ = lines.axes
    assert len(above.lines) == len(RUNS) + 2 and above.get_ylabel() == "MAep, mean over topics"
    ranks = sorted(y for line in below.lines[: len(RUNS)] for y in line.get_ydata()[-1:])
    assert ranks[0] == 1 and ranks == sorted(maximum.rank(ascending=False, method="min"))
    assert below.get_ylim()[0] > below.get_ylim()[1]  # the best on top


def test_rankings_are_compared(swept: pd.DataFrame) -> None:
    at = named(values_at(swept, CONTEXT))
    for drawn, panels in (
        (alpha_map(at, 25), 2),
        (cutoff_map(at[at["alpha"] == 1]), 1),
        (ideal_map(named(swept[swept["alpha"] == 1]), 25), 2),
    ):
        assert len(drawn.axes) == panels + 1  # the bar of colours
    single = at[at["run"] == "run0"]
    assert alpha_map(single, 25).axes[0].texts[0].get_text() == "–"  # one run has no order


def test_a_single_alpha_has_no_lines() -> None:
    absent = [item.title for item in sweep_items(context(alphas=[1])) if isinstance(item, Absent)]
    assert absent == ["Sweep: runs over alpha"]
    assert not [item for item in sweep_items(CONTEXT) if isinstance(item, Absent)]
    assert len([item for item in sweep_items(CONTEXT) if isinstance(item, Figure)]) == 7
