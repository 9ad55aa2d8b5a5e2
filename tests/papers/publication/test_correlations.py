"""Correlations of columns of scores against SciPy and literal resampling, and their tables."""

import json
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from focuseval.campaign.tables import read_frame, write_frame
from focuseval_papers.publication.correlations import (
    COLUMNS,
    MOST_DRAWN,
    Column,
    Correlations,
    Group,
    all_pairs,
    correlate,
    estimates_of,
    make_correlations,
    values_of,
)
from tests.papers.publication.test_estimates import literal_tau

RUNS, TOPICS = [f"r{n}" for n in range(7)], ["t3", "007", "a", "10", "9", "x"]
MEASURES = ["P", "Q", "R"]
COEFFICIENTS = ["pearson", "spearman", "kendall"]
GROUP = Group("all", [Column(name, "mine", name) for name in MEASURES], all_pairs(MEASURES))
ASKED = Correlations("mine", COEFFICIENTS, "runs", [GROUP], 40, 7)
KEYS = {"runs": ["run"], "topics": ["topic"], "values": ["run", "topic"]}


@pytest.fixture(scope="module")
def scores():
    """Return random values of every run on every topic, run by run; the third measure has ties."""
    rng = np.random.default_rng(12)
    index = pd.MultiIndex.from_product([RUNS, TOPICS], names=["run", "topic"])
    x = rng.random(len(index))
    columns = {"P": x, "Q": x + rng.random(len(index)), "R": np.round(x + rng.random(len(index)))}
    tables = {name: pd.Series(column, index, name="value").reset_index() for name, column in columns.items()}
    return {name: table.astype({"run": "category"}) for name, table in tables.items()}


def correlated(scores, request=ASKED):
    return correlate(request, lambda column: scores[column.measure])


def coefficient(name, x, y):
    """The coefficient and its two-tailed p-value by SciPy."""
    of = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}[name]
    result = of(x, y)
    return float(result.statistic), float(result.pvalue)


def under_weights(name, drawn, x, y):
    """Return the coefficient of rows that are repeated as often as they were drawn."""
    if name == "kendall":
        return literal_tau(drawn, x, y)
    return coefficient(name, np.repeat(x, drawn), np.repeat(y, drawn))[0]


def ties(values):
    pairs = [values[i] == values[j] for i in range(len(values)) for j in range(i)]
    return sum(pairs) / len(pairs)


@pytest.mark.parametrize("over", KEYS)
def test_coefficients_p_values_and_ties_are_those_of_scipy(over, scores):
    table = correlated(scores, replace(ASKED, over=over))
    assert list(table)[: len(COLUMNS)] == COLUMNS
    expected = [(*pair, name) for name in COEFFICIENTS for pair in (("Q", "P"), ("R", "P"), ("R", "Q"))]
    assert list(table[["a", "b", "coefficient"]].itertuples(index=False, name=None)) == expected
    means = {
        name: of.groupby(KEYS[over], sort=False, observed=True)["value"].mean() for name, of in scores.items()
    }
    for row in table.to_dict("records"):
        x, y = (means[row[side]].to_numpy() for side in "ab")
        assert (row["group"], row["over"], row["n"]) == ("all", over, len(x))
        assert (row["value"], row["p_value"]) == pytest.approx(
            coefficient(row["coefficient"], x, y), abs=1e-12
        )
        assert (row["ties_a"], row["ties_b"]) == (ties(x), ties(y))
    assert table["ties_a"].max() > 0 or over != "values"


@pytest.mark.parametrize("over", KEYS)
def test_members_are_drawn_as_in_a_literal_loop(over, scores):
    """Over values, a topic is drawn or left out with the values of all runs."""
    request = replace(ASKED, over=over)
    table = correlated(scores, request)
    means = {
        name: of.groupby(KEYS[over], sort=False, observed=True)["value"].mean() for name, of in scores.items()
    }
    cluster = means["P"].index.get_level_values(-1).astype(str)
    members = RUNS if over == "runs" else TOPICS
    for name in COEFFICIENTS:
        for (_, a, b), estimate in estimates_of(table, name).items():
            (sample,) = estimate.without
            assert (sample.members, sample.over) == (tuple(members), "runs" if over == "runs" else "topics")
            assert (sample.name, sample.resamples, sample.seed) == ("all", 40, 7)
            x, y = means[a].to_numpy(), means[b].to_numpy()
            times = [dict(zip(members, row, strict=True)) for row in sample.weights.astype(int)]
            literal = [under_weights(name, np.array([of[each] for each in cluster]), x, y) for of in times]
            assert estimate.value == pytest.approx(literal[0], abs=1e-12)
            np.testing.assert_allclose(estimate.drawn, literal[1:41], atol=1e-9)
            np.testing.assert_allclose(estimate.without[sample], literal[41:], atol=1e-9)
            row = table[(table["coefficient"] == name) & (table["a"] == a) & (table["b"] == b)].iloc[0]
            most = int(np.nanargmax(np.abs(np.array(literal[41:]) - literal[0])))
            assert row["influential"] == members[most]
            assert row["without"] == pytest.approx(literal[41 + most], abs=1e-9)
            draws = np.array([value for value in literal[1:41] if not math.isnan(value)])
            tail = sample.tail(0.95)
            assert (row["low"], row["high"]) == pytest.approx(tuple(np.quantile(draws, [tail, 1 - tail])))


def test_the_highest_members_are_correlated_alone(scores):
    table = correlated(scores, replace(ASKED, top=5))
    means = {name: of.groupby("run", observed=True)["value"].mean() for name, of in scores.items()}
    best = means["P"].sort_values(ascending=False).index[:5].astype(str)  # by the first column
    assert table["n"].tolist() == [5] * 9 and list(table["members"][0]) == list(best)
    for row in table.to_dict("records"):
        x, y = (means[row[side]].loc[best].to_numpy() for side in "ab")
        assert row["value"] == pytest.approx(coefficient(row["coefficient"], x, y)[0], abs=1e-12)
    # of equal members, the first are taken
    tied = {name: table.assign(value=1.0) for name, table in scores.items()}
    assert values_of("runs", tied, top=3).index.tolist() == RUNS[:3]
    assert values_of("runs", scores, top=99).index.tolist() == list(
        means["P"].sort_values(ascending=False).index
    )


def test_members_without_a_value_in_a_column_are_left_out(scores):
    some = {**scores, "Q": scores["Q"][scores["Q"]["run"] != "r2"]}
    some["R"] = some["R"].assign(value=some["R"]["value"].where(some["R"]["run"] != "r4"))
    table = correlated(some)
    assert [list(members) for members in table["members"]] == [["r0", "r1", "r3", "r5", "r6"]] * 9
    kept = {name: of[~of["run"].isin(["r2", "r4"])] for name, of in scores.items()}
    pd.testing.assert_frame_equal(table, correlated(kept))
    # a run's mean is over its own topics
    less = {**scores, "P": scores["P"].drop(index=[0, 1])}
    x, y = (of.groupby("run", observed=True)["value"].mean().to_numpy() for of in (less["P"], less["Q"]))
    pearson = correlated(less).query("coefficient == 'pearson' and a == 'Q' and b == 'P'")["value"].item()
    assert pearson == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-12)


def test_few_members_have_no_row_and_constants_no_value(scores):
    one = {name: of[of["run"] == "r0"] for name, of in scores.items()}
    assert len(correlated(one)) == 0 and list(correlated(one)) == list(correlated(scores))
    nothing = {**scores, "Q": scores["Q"][:0]}
    assert len(correlated(nothing)) == 0
    flat = correlated({**scores, "Q": scores["Q"].assign(value=0.5)})
    constant = flat["a"].eq("Q") | flat["b"].eq("Q")
    assert flat.loc[constant, ["value", "p_value", "low", "high", "without"]].isna().all(axis=None)
    assert flat.loc[~constant, ["value", "p_value", "low", "high", "without"]].notna().all(axis=None)
    assert flat.loc[flat["a"] == "Q", "ties_a"].tolist() == [1.0] * 3 and set(
        flat["influential"][constant]
    ) == {""}
    few = {name: of[of["run"].isin(RUNS[:4])] for name, of in scores.items()}
    assert correlated(few)["low"].isna().all() and correlated(few)["value"].notna().all()


def test_ties_within_rounding_are_ties():
    x = [0.1 + 0.2, 0.3, 0.5, 0.7, 0.9]
    values = {"P": x, "Q": [1.0, 2.0, 3.0, 4.0, 5.0], "R": [0.3, 0.3, 0.5, 0.7, 0.9]}
    scores = {
        name: pd.DataFrame({"run": RUNS[:5], "topic": "1", "value": column})
        for name, column in values.items()
    }
    table = correlated(scores).set_index(["coefficient", "a", "b"])["value"]
    assert table["kendall", "Q", "P"] == pytest.approx(table["kendall", "R", "Q"])
    assert table["kendall", "R", "P"] == pytest.approx(1)


def test_groups_are_drawn_separately_and_in_the_requested_order(scores):
    shuffled = {name: of.iloc[::-1].reset_index(drop=True) for name, of in scores.items()}
    by_labels, twice = replace(GROUP, name="named", by_name=True), replace(GROUP, name="again")
    table = correlated(shuffled, replace(ASKED, groups=[GROUP, by_labels, twice]))
    members = {group: list(part["members"].iloc[0]) for group, part in table.groupby("group")}
    assert members == {"all": RUNS[::-1], "again": RUNS[::-1], "named": sorted(RUNS)}
    drawn = {group: part["drawn"].iloc[0].tolist() for group, part in table.groupby("group")}
    assert drawn["all"] != drawn["again"]  # groups have their own samples
    assert table.groupby(["a", "b", "coefficient"])["value"].agg(np.ptp).max() < 1e-12


@pytest.mark.parametrize("over", KEYS)
def test_estimates_survive_writing(over, scores, tmp_path):
    table = correlated(scores, replace(ASKED, over=over))
    write_frame(table, tmp_path / "mine.parquet")
    again = read_frame(tmp_path / "mine.parquet")
    pd.testing.assert_frame_equal(again[COLUMNS], table[COLUMNS], check_exact=True)
    for name in COEFFICIENTS:
        first, second = estimates_of(table, name), estimates_of(again, name)
        assert list(first) == list(second) and len(first) == 3
        for key, one in first.items():
            other = second[key]
            assert one.value == other.value and list(one.without) == list(other.without)
            np.testing.assert_array_equal(one.drawn, other.drawn)
            for sample in one.without:
                np.testing.assert_array_equal(one.without[sample], other.without[sample])
            assert one.influential == other.influential and one.interval == other.interval
    # the file has the same bytes whenever it is written
    write_frame(correlated(scores, replace(ASKED, over=over)), tmp_path / "again.parquet")
    assert (tmp_path / "again.parquet").read_bytes() == (tmp_path / "mine.parquet").read_bytes()


def test_requests_survive_as_plain_values():
    request = replace(ASKED, top=3, groups=[GROUP, replace(GROUP, name="b", by_name=True)])
    assert Correlations.from_dict(json.loads(json.dumps(request.as_dict()))) == request


def test_a_section_has_the_table_and_a_map_of_few_columns(scores, tmp_path):
    table = correlated(scores)
    text = make_correlations(ASKED, table, tmp_path / "few", "mine", "The mine")
    files = {path.name for path in (tmp_path / "few").iterdir()}
    assert {"correlations.csv", "map.svg"} <= files
    assert 'id="correlations-mine-mine"' in text and "The mine." in text
    written = pd.read_csv(tmp_path / "few/correlations.csv")
    np.testing.assert_allclose(written["value"], table["value"])
    names = [f"m{n}" for n in range(MOST_DRAWN + 1)]
    many = Group("many", [Column(name, "mine", "P") for name in names], all_pairs(names))
    wide = replace(ASKED, groups=[many], resamples=2)
    make_correlations(wide, correlated(scores, wide), tmp_path / "many", "mine", "The mine")
    assert not [path for path in (tmp_path / "many").iterdir() if path.name.startswith("map")]
    make_correlations(ASKED, table, tmp_path / "made", "mine", "The mine", synthetic=True)
    for name, synthetic in (("few", False), ("made", True)):
        files = (tmp_path / name / file for file in ("correlations.csv", "correlations.tex", "map.svg"))
        assert {"synthetic" in file.read_text(encoding="utf-8") for file in files} == {synthetic}
    make_correlations(ASKED, table[:0], tmp_path / "none", "mine", "The mine")
    assert (tmp_path / "none/correlations.csv").is_file()
