import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from focuseval.papers.goevert2006.analysis import (
    average_precision,
    correlations,
    judged,
    overlap,
    recall_precision_curves,
)
from focuseval.papers.goevert2006.names import (
    EARLIER,
    FIGURES,
    LONG,
    METRICS,
    SHORT,
    TABLES,
    figures_of,
    measures,
)
from focuseval.papers.goevert2006.section import goevert2006_section
from focuseval.papers.goevert2006.tables import (
    correlation_table,
    runs_table,
    simulated_table,
    table1,
)
from scipy import stats

from focuseval.findings import (
    CONFIRMED,
    FEWEST_RUNS,
    NOT_CONFIRMED,
    NOT_TESTABLE,
    Comparison,
    Finding,
    findings_table,
)
from focuseval.measures import MEASURES, parse_specs
from focuseval.model.results import Results
from focuseval.papers.goevert2006.figures import figure
from focuseval.papers.goevert2006.findings import (
    Evidence,
    campaign_evidence,
    findings,
    printed_evidence,
)
from focuseval.present.page import read_section

QUANTISATIONS = ["strict", "generalised"]
PUBLISHED = Path(__file__).parents[2] / "config/published"
PRINTED = {name: pd.read_csv(PUBLISHED / f"goevert2006_{name}.csv") for name in ("table1", "tables2to5")}
PRINTED["simulated"] = pd.read_csv(PUBLISHED / "goevert2006_simulated_runs.csv")
RESULT_SETS = {LONG: "campaign", SHORT: "campaign", EARLIER: "earlier"}


def in_print() -> Evidence:
    return printed_evidence(PRINTED["simulated"], PRINTED["tables2to5"], PRINTED["table1"])


def scores(seed: int, runs: int = 7, topics: int = 3) -> pd.DataFrame:
    """A made score table: every run on every topic under every measure of the paper."""
    rng = np.random.default_rng(seed)
    names = [name for family in ("precall", "inex2003") for name in measures(family, QUANTISATIONS)]
    rows = [(f"run{r}", str(t), m, rng.random()) for m in names for r in range(runs) for t in range(topics)]
    return pd.DataFrame(rows, columns=["run", "topic", "measure", "value"])


@pytest.fixture(scope="module")
def average() -> pd.DataFrame:
    parts = [
        average_precision(scores(seed), QUANTISATIONS).assign(result_set=name)
        for seed, name in enumerate([LONG, SHORT])
    ]
    return pd.concat(parts, ignore_index=True)


@pytest.fixture(scope="module")
def table(average: pd.DataFrame) -> pd.DataFrame:
    return correlations(average, QUANTISATIONS, RESULT_SETS, PRINTED["tables2to5"])


def test_every_measure_of_the_paper_is_known() -> None:
    names = [name for family in ("precall", "inex2003") for name in measures(family, QUANTISATIONS)]
    assert len(names) == 6
    for name in names:
        (spec,) = parse_specs(name, MEASURES)
        assert len(parse_specs(f"{name}@curve", MEASURES)) == 100
        assert spec.measure.name in ("precall", "inex2003")


def test_average_precision_is_the_mean_over_topics() -> None:
    made = scores(5)
    found = average_precision(made, QUANTISATIONS)
    assert len(found) == 6 * 7
    name = METRICS["INEX 2003o"].format("generalised")
    values = made[(made["measure"] == name) & (made["run"] == "run3")]["value"]
    row = found[
        (found["metric"] == "INEX 2003o")
        & (found["quantisation"] == "generalised")
        & (found["run"] == "run3")
    ]
    assert row["average_precision"].item() == pytest.approx(values.sum() / 3, abs=1e-15)


def test_curves_are_means_over_topics_by_recall() -> None:
    rows = [
        ("perfect", topic, f"precall(quantisation=strict)@{x}", x * (topic == "1"))
        for topic in "12"
        for x in (0.1, 0.01, 1)
    ]
    rows.append(("perfect", "1", "precall(quantisation=strict)", 0.9))
    made = pd.DataFrame(rows, columns=["run", "topic", "measure", "value"])
    found = recall_precision_curves(made, QUANTISATIONS)
    assert found["recall"].tolist() == [0.01, 0.1, 1.0]
    assert found["precision"].tolist() == pytest.approx([0.005, 0.05, 0.5])


def test_judged_counts_pairs_by_level() -> None:
    judgements = pd.DataFrame(
        {
            "node": [0, 3, 4, 0, 9, 2],
            "exhaustivity": [3.0, 3.0, 1.0, 0.0, 0.0, 1.0],
            "specificity": [1.0, 3.0, 2.0, 0.0, 0.0, 2.0],
        }
    )
    found = judged(judgements, "inex2003").set_index(["level", "exh", "spec"])["count"]
    assert len(found) == 20
    assert found["article", 3, 1] == found["article", 0, 0] == found["non-article", 0, 0] == 1
    assert found["non-article", 3, 3] == 1 and found["non-article", 1, 2] == 2
    assert found.sum() == 6


def test_judged_puts_inex_2005_on_four_points() -> None:
    judgements = pd.DataFrame(
        {"node": [0, 1, 2], "exhaustivity": [2.0, 1.0, -1.0], "specificity": [0.2, 0.6, 1.0]}
    )
    found = judged(judgements, "inex2005").set_index(["level", "exh", "spec"])["count"]
    assert found["article", 3, 1] == found["non-article", 2, 2] == found["non-article", 1, 3] == 1


def test_table1_of_the_printed_counts_has_no_difference() -> None:
    counts = PRINTED["table1"].melt(["exh", "spec"], var_name="level", value_name="count")
    counts["level"] = counts["level"].str.replace("_", "-")
    found = table1(counts, PRINTED["table1"])
    relevant = found["exh"] > 0
    assert (found["count"] == found["printed"]).all()
    assert (found.loc[relevant, "difference_%"] == 0).all()
    assert found.loc[~relevant, "share_%"].isna().all()
    # 180 of 1662 relevant articles are (3, 3)
    assert found["share_%"][0] == pytest.approx(100 * 180 / 1662)


def test_every_printed_correlation_has_its_row(table: pd.DataFrame) -> None:
    assert len(table) == len(PRINTED["tables2to5"]) == 33
    assert table["printed"].notna().all()
    keys = table.columns[:7].tolist()
    # the same rows, and within each table in the order of print
    for number in (3, 4):
        mine = table[table["table"] == number][keys].reset_index(drop=True)
        printed = PRINTED["tables2to5"].query("table == @number")[keys].reset_index(drop=True)
        pd.testing.assert_frame_equal(mine, printed)


def test_a_result_set_without_scores_keeps_its_rows(table: pd.DataFrame) -> None:
    missing = table[table["result_set_a"] == EARLIER]
    assert len(missing) == 9
    assert (missing["runs"] == 0).all() and missing["pearson_r"].isna().all()
    assert table[table["result_set_a"] != EARLIER]["pearson_r"].notna().all()


def test_correlations_are_those_of_the_averages(average: pd.DataFrame, table: pd.DataFrame) -> None:
    def column(metric: str, quantisation: str, of: str) -> np.ndarray:
        rows = (average["metric"] == metric) & (average["quantisation"] == quantisation)
        return (
            average[rows & (average["result_set"] == of)].sort_values("run")["average_precision"].to_numpy()
        )

    for row in table[table["runs"] > 0].itertuples():
        x = column(row.metric_a, row.quantisation_a, row.result_set_a)
        y = column(row.metric_b, row.quantisation_b, row.result_set_b)
        assert row.pearson_r == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-12)
        assert row.kendall_τ == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-12)
        assert row.spearman_ρ == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)
        assert row.difference == pytest.approx(row.pearson_r - row.printed, abs=1e-15)


@pytest.mark.parametrize(("number", "rows"), [(2, 6), (3, 9), (4, 6), (5, 12)])
def test_tables_as_shown(table: pd.DataFrame, number: int, rows: int) -> None:
    shown = correlation_table(table, number)
    assert len(shown) == rows
    assert not shown[["metric", "quantisation", "result_set"]].duplicated().any()


def test_simulated_table_stands_beside_the_captions() -> None:
    printed = PRINTED["simulated"]
    computed = printed.drop(columns="figure").assign(average_precision=printed["average_precision"] + 0.5)
    found = simulated_table(computed, printed)
    assert found["difference"].tolist() == pytest.approx([0.5] * 10)


def test_runs_stand_by_the_first_measure(average: pd.DataFrame) -> None:
    found = runs_table(average, LONG)
    assert found.columns.tolist() == ["run", *(f"{m} {q}" for m in METRICS for q in QUANTISATIONS)]
    assert sorted(found["run"]) == [f"run{n}" for n in range(7)]
    assert found["INEX 2002 strict"].is_monotonic_decreasing
    rows = average[(average["result_set"] == LONG) & (average["run"] == "run3")]
    expected = rows.set_index(["metric", "quantisation"])["average_precision"]
    mine = found[found["run"] == "run3"]
    assert mine["INEX 2003o generalised"].item() == expected["INEX 2003o", "generalised"]
    assert runs_table(average, None).columns.tolist() == ["run"]


def section_of(average: pd.DataFrame, *, synthetic: bool) -> str:
    """The section with the runs of a result set, and no other table."""
    nothing = pd.DataFrame({"level": []})
    checks = findings(in_print())
    text = goevert2006_section(
        "mine",
        "My campaign",
        facts={"mine": {"runs": 7}},
        result_sets={LONG: ("mine", 1500)},
        tables={**dict.fromkeys(TABLES, nothing), "runs": runs_table(average, LONG)},
        figures={},
        captions={name: f"Caption of {name}." for name in [*TABLES, *FIGURES]},
        synthetic=synthetic,
        findings=findings_table(checks, checks),
        left_out=pd.DataFrame(),
        folder="mine/goevert2006",
    )
    return read_section(text).html


def test_the_section_shows_the_runs_first_and_folds_many(average: pd.DataFrame) -> None:
    few = section_of(average, synthetic=False)
    assert "contradict each other" in few
    assert "<td>run3</td>" in few and "<summary>All" not in few
    assert few.index("Average precision of the runs") < few.index("Findings") < few.index("Table 1.")
    assert "mine/goevert2006/runs.tex" in few
    made = average_precision(scores(9, runs=21), QUANTISATIONS).assign(result_set=LONG)
    many = section_of(made, synthetic=False)
    assert "<details><summary>All 21 runs</summary>" in many


def test_the_section_says_where_table_1_holds_by_construction(average: pd.DataFrame) -> None:
    said = "agree by construction"
    assert said not in section_of(average, synthetic=False)
    text = section_of(average, synthetic=True)
    assert text.count(said) == 1
    assert text.index("Table 1. Assessments") < text.index(said) < text.index("Table 2.")


def test_overlap_counts_results_that_repeat_text() -> None:
    found = overlap(
        Results(
            runs=pd.Index(["a", "b"]),
            topics=pd.Index(["1"]),
            run=np.array([0, 0, 0, 0, 1]),
            topic=np.zeros(5, dtype=int),
            rank=np.array([1, 2, 3, 4, 1]),
            document=np.array([0, 0, 0, 1, 0]),
            element=np.array([3, 4, 1, 9, 3]),
            start=np.array([10, 20, 5, 0, 10]),
            end=np.array([20, 30, 40, 10, 20]),
            score=np.zeros(5),
        ),
        3,
    )
    assert found.values.tolist() == [["a", 3, 1], ["b", 1, 0]]


# -- figures


def test_figures_that_can_be_made() -> None:
    assert figures_of(RESULT_SETS, QUANTISATIONS) == list(FIGURES)
    assert "figure9" not in figures_of([LONG, SHORT], QUANTISATIONS)
    assert figures_of([EARLIER], ["strict"]) == ["figure5", "figure6"]


def test_a_figure_that_cannot_be_made_is_refused(average: pd.DataFrame) -> None:
    with pytest.raises(ValueError, match="figure9"):
        figure("figure9", average=average, curves=average, simulated=average, quantisations=QUANTISATIONS)


def test_scatter_plots_show_every_run(average: pd.DataFrame) -> None:
    drawn = figure("figure8", average=average, curves=average, simulated=average, quantisations=QUANTISATIONS)
    assert len(drawn.axes) == 2
    for axes in drawn.axes:
        assert len(axes.collections[0].get_offsets()) == 7
        assert "100 results" in axes.get_xlabel() and "1500 results" in axes.get_ylabel()


# -- findings


def test_the_printed_numbers_confirm_every_finding_that_they_can_decide() -> None:
    """A formalisation that the paper's own numbers contradict would be a wrong one."""
    verdicts = {finding.name: finding.verdict for finding in findings(in_print())}
    undecided = {"strict-hides-overlap", "longer-lists-overlap-more", "best-systems-fall"}
    assert len(verdicts) == 20
    assert {name for name, verdict in verdicts.items() if verdict == NOT_TESTABLE} == undecided
    assert {verdict for name, verdict in verdicts.items() if name not in undecided} == {CONFIRMED}


def test_contrary_numbers_confirm_nothing() -> None:
    """Every finding can fail: with orders turned around none is confirmed."""
    simulated = PRINTED["simulated"].copy()
    simulated["run"] = simulated["run"].map({"perfect": "ancestors", "ancestors": "perfect"})
    # gains are negative now; a smaller loss under 2003o is the contrary of a smaller gain
    table = PRINTED["tables2to5"].assign(pearson_r=1 - PRINTED["tables2to5"]["pearson_r"])
    table.loc[table["table"] == 4, "pearson_r"] = 0.95
    table.loc[(table["table"] == 4) & (table["result_set_a"] == EARLIER), "pearson_r"] = 0.5
    counts = PRINTED["table1"].rename(columns={"article": "non_article", "non_article": "article"})
    confirmed = {
        f.name for f in findings(printed_evidence(simulated, table, counts)) if f.verdict == CONFIRMED
    }
    assert confirmed == set()


def test_nothing_is_testable_without_numbers() -> None:
    empty = printed_evidence(*(PRINTED[name].iloc[:0] for name in ("simulated", "tables2to5", "table1")))
    assert {finding.verdict for finding in findings(empty)} == {NOT_TESTABLE}


def test_best_systems_and_overlap_are_decided_by_their_tables() -> None:
    runs = [f"r{i}" for i in range(8)]
    places = {"INEX 2002": range(8), "INEX 2003s": range(8), "INEX 2003o": reversed(range(8))}
    average = pd.concat(
        pd.DataFrame(
            {
                "metric": metric,
                "quantisation": "generalised",
                "result_set": SHORT,
                "run": runs,
                "average_precision": [0.1 * (8 - place) for place in order],
            }
        )
        for metric, order in places.items()
    )
    shares = pd.DataFrame(
        {"result_set": [LONG, SHORT], "run": ["r0", "r0"], "results": [10, 4], "overlapping": [5, 1]}
    )
    base = in_print()
    evidence = Evidence(base.simulated, base.correlations, base.judged, shares, average)
    found = {finding.name: finding for finding in findings(evidence)}
    best = found["best-systems-fall"].comparisons[0]
    assert (best.left, best.right) == (7.5, 1.5)
    share = found["longer-lists-overlap-more"].comparisons[0]
    assert (share.left, share.right) == (0.5, 0.25)
    assert found["best-systems-fall"].verdict == found["longer-lists-overlap-more"].verdict == CONFIRMED


def verdicts_on(runs: int, results: tuple[int, int]) -> dict[str, str]:
    """The verdicts on made scores of so many runs, with so many results at the longer and the shorter size."""
    average = pd.concat(
        [
            average_precision(scores(seed, runs), QUANTISATIONS).assign(result_set=name)
            for seed, name in enumerate(RESULT_SETS)
        ]
    )
    names = [f"run{r}" for r in range(runs)]
    shares = pd.concat(
        pd.DataFrame({"result_set": of, "run": names, "results": n, "overlapping": n // 10})
        for of, n in zip((LONG, SHORT), results, strict=True)
    )
    table = correlations(average, QUANTISATIONS, RESULT_SETS, PRINTED["tables2to5"])
    evidence = campaign_evidence(PRINTED["simulated"], table, in_print().judged, shares, average)
    return {f.name: f.verdict for f in findings(evidence)}


def test_few_runs_decide_nothing_about_correlations() -> None:
    few, enough = (verdicts_on(runs, (300, 100)) for runs in (FEWEST_RUNS - 1, FEWEST_RUNS))
    undecided = {name for name in few if few[name] != enough[name] and few[name] == NOT_TESTABLE}
    told = {f.name for f in findings(in_print()) if "fewer than 5 runs" in f.computed}
    assert undecided == told and len(told) == 12
    assert few["longer-lists-overlap-more"] == NOT_CONFIRMED


def test_sizes_that_hold_the_same_lists_decide_nothing() -> None:
    same, other = verdicts_on(7, (100, 100)), verdicts_on(7, (300, 100))
    undecided = {name for name in same if same[name] != other[name] and same[name] == NOT_TESTABLE}
    told = {f.name for f in findings(in_print()) if "more results than the smaller" in f.computed}
    assert undecided == told and len(told) == 5


@pytest.mark.parametrize(
    ("left", "relation", "right", "holds"),
    [(1, ">", 1, False), (1, "≥", 1, True), (1, "<", 1, False), (1, "≤", 1, True), (2, ">", 1, True)],
)
def test_comparisons(left: float, relation: str, right: float, holds: bool) -> None:
    assert Comparison("", left, relation, right).holds is holds
    assert not Comparison("", math.nan, relation, right).holds


def test_verdicts() -> None:
    yes, no, unknown = (Comparison("", x, ">", 0.0) for x in (1.0, -1.0, math.nan))

    def verdict(*comparisons: Comparison) -> str:
        return Finding("", "", "", "", comparisons).verdict

    assert verdict(yes, yes) == CONFIRMED
    assert verdict(yes, no) == NOT_CONFIRMED
    assert verdict(no, unknown) == verdict() == NOT_TESTABLE


def test_findings_table_has_a_row_for_each_comparison() -> None:
    one = [Finding("f", "1", "c", "x", [Comparison("a", 1.0, ">", 0.0), Comparison("b", 0.0, ">", 1.0)])]
    other = [
        Finding("f", "1", "c", "x", [Comparison("a", math.nan, ">", 0.0), Comparison("b", 3.0, ">", 1.0)])
    ]
    found = findings_table(one, other)
    assert found["verdict"].tolist() == [NOT_CONFIRMED] * 2
    assert found["verdict_printed"].tolist() == [NOT_TESTABLE] * 2
    assert found["holds"].tolist() == [True, False]
    assert found["left_printed"].tolist()[1] == 3.0
