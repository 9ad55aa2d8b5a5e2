"""The numbers of Kazai & Lalmas (2005), against worked examples and the library's own scores."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from focuseval.papers.kazai2005.tables import correlation_table, square, tasks_table
from scipy import stats

from focuseval.campaign.configuration import read_yaml
from focuseval.findings import CONFIRMED, FEWEST_RUNS, NOT_CONFIRMED, NOT_TESTABLE
from focuseval.measures import MEASURES, parse_specs
from focuseval.model.elements import Collection
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.papers.kazai2005 import analysis, names
from focuseval.papers.kazai2005.figures import (
    alpha_map,
    cutoff_map,
    figure1,
    graphs,
    ideal_map,
    table1_map,
)
from focuseval.papers.kazai2005.findings import (
    campaign_evidence,
    findings,
    highest_values,
    printed_evidence,
)
from focuseval.recallbase import IDEAL_METHODS, recall_bases
from focuseval.scoring import score
from focuseval.tasks import INEX2005

ROOT = Path(__file__).parents[2]
PRINTED = [pd.read_csv(ROOT / f"config/published/kazai2005_table{n}.csv") for n in (1, 2)]
SECTIONS, PARAGRAPHS = 4, 5


def _collection(documents: int) -> Collection:
    """Articles of four sections of five paragraphs of 10 characters."""
    each = 1 + SECTIONS * (1 + PARAGRAPHS)
    parent, last, depth, start, end = [], [], [], [], []
    for number in range(documents):
        base = number * each
        parent.append(-1), last.append(base + each), depth.append(0)
        start.append(0), end.append(SECTIONS * PARAGRAPHS * 10)
        for section in range(SECTIONS):
            row, begin = len(parent), section * PARAGRAPHS * 10
            parent.append(base), last.append(row + 1 + PARAGRAPHS), depth.append(1)
            start.append(begin), end.append(begin + PARAGRAPHS * 10)
            for paragraph in range(PARAGRAPHS):
                parent.append(row), last.append(len(parent)), depth.append(2)
                start.append(begin + 10 * paragraph), end.append(begin + 10 * paragraph + 10)
    columns = {"parent": parent, "last": last, "depth": depth, "start": start, "end": end}
    return Collection(
        names=pd.Index([f"d{n}" for n in range(documents)], dtype=object),
        first=np.arange(documents + 1) * each,
        tag=np.zeros(len(parent), dtype=np.int64),
        tags=pd.Index(["x"]),
        position=np.ones(len(parent), dtype=np.int64),
        **{name: np.array(column, dtype=np.int64) for name, column in columns.items()},
    )


@pytest.fixture(scope="module")
def topics() -> list[Topic]:
    collection = _collection(6)
    rng = np.random.default_rng(5)
    made = []
    for name in ("1", "2", "3"):
        start = 10 * rng.choice(SECTIONS * PARAGRAPHS, 4, replace=False)
        document = np.repeat([0, 1], 4)
        begin = np.concatenate([np.sort(start), np.sort(start)])
        row, held = collection.highlighted(document, begin, begin + 10)
        e = np.where(collection.document_of(row) == 0, 2.0, 1.0)
        e[rng.random(len(row)) < 0.2] = -1.0
        made.append(Topic(name, "inex2005", collection, row, e, held / collection.size[row], None))
    nothing = np.empty(0)
    made.append(Topic("4", "inex2005", collection, nothing.astype(np.int64), nothing, nothing, None))
    return made


@pytest.fixture(scope="module")
def results(topics: list[Topic]) -> Results:
    collection = topics[0].collection
    rng = np.random.default_rng(6)
    runs, length = 8, 40
    row = np.concatenate([rng.permutation(len(collection))[:length] for _ in range(runs * 4)])
    return Results(
        runs=pd.Index([f"run{n}" for n in range(runs)]),
        topics=pd.Index(["1", "2", "3", "4"]),
        run=np.repeat(np.arange(runs), 4 * length),
        topic=np.tile(np.repeat(np.arange(4), length), runs),
        rank=np.tile(np.arange(1, length + 1), runs * 4),
        document=collection.document_of(row),
        element=row,
        start=collection.start[row],
        end=collection.end[row],
        score=np.full(len(row), np.nan),
    )


def specs_of(task: str) -> list:
    return [spec for name in INEX2005[task].measures() for spec in parse_specs(name, MEASURES)]


@pytest.fixture(scope="module")
def scored(topics: list[Topic], results: Results) -> dict[str, pd.DataFrame]:
    tasks = ("CO.Focussed", "CO.Thorough", "CO.FetchBrowse")
    return {task: score(topics, results, specs_of(task)).as_asked().assign(task=task) for task in tasks}


@pytest.fixture(scope="module")
def mean(scored: dict[str, pd.DataFrame]) -> pd.DataFrame:
    return analysis.means(pd.concat(scored.values(), ignore_index=True))


def test_names_are_taken_apart() -> None:
    assert names.parts_of("nxCG(quantisation=gen,alpha=1,overlap=on)@25") == ("nxCG[25]", "gen", "on", "")
    browse = "MAep(quantisation=strict,overlap=off,fetch_browse=article)"
    assert names.parts_of(browse) == ("MAep", "strict", "off", "article")
    with pytest.raises(ValueError, match="not the name"):
        names.parts_of("MAep")


def test_tasks_of_a_campaign_and_reasons_for_the_others() -> None:
    made = names.sources({})
    assert {task: source.runs for task, source in made.items()} == {
        "CO.Focussed": "runs/focussed.parquet",
        "CO.Thorough": "runs/thorough.parquet",
        "CO.FetchBrowse": "runs/fetchbrowse.parquet",
    }
    assert set(names.absent({})) == set(INEX2005) - set(made)
    assert "castitle" in names.absent({})["SSCAS"]
    assert list(names.sources({"runs": "x"})) == ["CO.Thorough"]
    licensed = read_yaml(ROOT / "config/campaigns/inex2005.yaml")
    own = names.sources(licensed)
    assert list(own) == list(INEX2005) and names.absent(licensed) == {}
    assert own["SSCAS"] == names.Source("kazai2005/SSCAS/runs.parquet", "judgements/SSCAS", None)
    assert own["COS.Thorough"].judgements == "judgements" and len(own["COS.Thorough"].topics) == 19
    part = {"tasks": {"CO.Thorough": {}}, "runs": "x"}
    assert names.sources(part)["CO.Thorough"].runs == "runs.parquet"
    assert "under its tasks" in names.absent(part)["VVCAS"]


@pytest.mark.parametrize("task", ["CO.Focussed", "CO.FetchBrowse"])
def test_graphs_hold_the_means_that_scoring_gives(task: str, topics: list[Topic], results: Results) -> None:
    specs = specs_of(task)
    table = analysis.curves(topics, results, specs)
    keys = ["quantisation", "overlap", "level", "graph", "run"]
    assert len(table) == 8 * 200 * len(analysis.settings_of(specs))
    settings = ["quantisation=gen,overlap=on", "quantisation=genLifted,overlap=on"]
    if task == "CO.FetchBrowse":
        settings = ["quantisation=gen,overlap=off,fetch_browse=article", "overlap=on,fetch_browse=element"]
    for setting in settings:
        wanted = {f"ep({setting})@0.2": ("ep/gr", 0.2), f"nxCG({setting})@15": ("nxCG", 15.0)}
        for name, (graph, x) in wanted.items():
            expected = score(topics, results, parse_specs(name, MEASURES)).means().set_index("run")["value"]
            given = parse_specs(name, MEASURES)[0].parameters
            level = "" if given["fetch_browse"] == "off" else given["fetch_browse"]
            key = (given["quantisation"], given["overlap"], level, graph)
            at = table[(table[keys[:4]] == list(key)).all(axis=1) & np.isclose(table["x"], x)]
            assert at.set_index("run")["value"].to_dict() == pytest.approx(expected.to_dict(), abs=1e-12)


def test_the_ideal_ranking_scores_1_everywhere(topics: list[Topic]) -> None:
    for task in ("CO.Focussed", "CO.Thorough", "CO.FetchBrowse"):
        table = analysis.ideal_performance(topics, specs_of(task))
        assert len(table) == len(specs_of(task))
        assert table[["lowest", "highest"]].to_numpy() == pytest.approx(1.0, abs=1e-12)
        assert table["topics"].max() == 3  # the fourth has nothing relevant


def test_the_order_of_the_first_results_matters_to_the_mean_only(
    topics: list[Topic], results: Results
) -> None:
    table = analysis.turned_around(topics, results, specs_of("CO.Thorough"))
    shares = table.set_index(["quantisation", "measure"])
    assert (shares.xs("nxCG[25]", level=1)["changed"] == 0).all()
    assert shares.loc[("gen", "MAnxCG[25]"), "changed"] > 0.9 * shares.loc[("gen", "MAnxCG[25]"), "lists"] > 0
    assert analysis.turned_around(topics, results, specs_of("CO.Focussed")).empty


def test_an_example_is_a_list_of_the_run(topics: list[Topic], results: Results) -> None:
    table = analysis.example(topics, results, specs_of("CO.Focussed"), "run3")
    assert set(table["run"]) == {"run3"} and table["topic"].nunique() == 1
    name = "nxCG(quantisation=gen,overlap=on)@10"
    value = score(topics, results, parse_specs(name, MEASURES)).per_topic
    value = value[(value["run"] == "run3") & (value["topic"] == table["topic"][0])]["value"].iloc[0]
    assert table["xCG"][9] / table["xCI"][9] == pytest.approx(value, abs=1e-12)


def test_means_and_correlations(mean: pd.DataFrame, scored: dict[str, pd.DataFrame]) -> None:
    part = scored["CO.Thorough"]
    name = "Q(quantisation=gen,overlap=off)"
    expected = part[part["measure"] == name].groupby("run")["value"].mean()
    key = {"task": "CO.Thorough", "quantisation": "gen", "measure": "Q"}
    chosen = mean[(mean[list(key)] == pd.Series(key)).all(axis=1)]
    assert chosen.set_index("run")["value"].to_dict() == pytest.approx(expected.to_dict())

    correlated = mean[mean["task"].isin(names.CORRELATED)]
    by_setting = analysis.measure_correlations(correlated)
    assert (by_setting["runs"] == correlated["run"].nunique()).all()
    assert len(by_setting) == 45 * 2 * 3
    row = by_setting[(by_setting["task"] == "CO.Thorough") & (by_setting["quantisation"] == "gen")]
    row = row[(row["measure_a"] == "R") & (row["measure_b"] == "Q")].iloc[0]
    columns = correlated[(correlated["task"] == "CO.Thorough") & (correlated["quantisation"] == "gen")]
    columns = columns.pivot(index="run", columns="measure", values="value")
    assert row["kendall_tau"] == pytest.approx(stats.kendalltau(columns["R"], columns["Q"]).statistic)
    averages = analysis.averaged(by_setting, ["measure_a", "measure_b"])
    both = by_setting[(by_setting["measure_a"] == "R") & (by_setting["measure_b"] == "Q")]["kendall_tau"]
    last = averages.iloc[-1]
    assert (last["measure_a"], last["measure_b"], last["correlations"]) == ("R", "Q", both.notna().sum())
    assert last["kendall_tau"] == pytest.approx(both.mean())

    table = correlation_table(averages, PRINTED[0])
    assert len(table) == 45 and table["printed"].notna().all()
    assert table["difference"].to_numpy() == pytest.approx((table["kendall_τ"] - table["printed"]).to_numpy())
    quantisations = analysis.averaged(
        analysis.quantisation_correlations(correlated), ["quantisation_a", "quantisation_b"]
    )
    table = correlation_table(quantisations, PRINTED[1])
    assert table["printed"].tolist() == [0.56, 0.60, 0.89]
    assert (table["correlations"] <= 20).all()


def test_a_measure_without_an_order_is_not_averaged() -> None:
    rows = [
        ("t", "gen", "on", "", m, f"r{r}", float(r) if m != "Q" else 0.0)
        for m in ("MAep", "iMAep", "Q")
        for r in range(3)
    ]
    mean = pd.DataFrame(rows, columns=["task", *names.SETTING, "measure", "run", "value"])
    found = analysis.averaged(analysis.measure_correlations(mean), ["measure_a", "measure_b"])
    found = found.set_index(["measure_a", "measure_b"])
    assert found.loc[("iMAep", "MAep")].tolist() == [1, 1.0]
    assert found.loc[("Q", "MAep"), "correlations"] == 0 and np.isnan(found.loc[("Q", "MAep"), "kendall_tau"])


def test_best_runs(mean: pd.DataFrame) -> None:
    best = analysis.best_runs(mean)
    assert len(best) == 3 + 3 + 9
    row = best[(best["task"] == "CO.Focussed") & (best["quantisation"] == "gen")].iloc[0]
    part = mean[
        (mean["task"] == "CO.Focussed") & (mean["quantisation"] == "gen") & (mean["measure"] == "MAep")
    ]
    assert row["MAep"] == part["value"].max()
    assert best[best["task"] == "CO.FetchBrowse"]["nxCG[10]"].isna().all()


def test_recall_bases_are_counted(topics: list[Topic]) -> None:
    bases = recall_bases(topics, names.QUANTISATIONS, tuple(IDEAL_METHODS))
    table = analysis.recall_base_summary(topics, bases).set_index(["quantisation", "method"])
    paper = bases[(bases["quantisation"] == "gen") & (bases["method"] == "paper")]
    row = table.loc[("gen", "paper")]
    assert row["topics"] == 3 and row["full"] == pytest.approx(len(paper) / 3)
    assert row["ideal"] == pytest.approx(paper["ideal"].sum() / 3)
    assert row["gain"] == pytest.approx(paper.loc[paper["ideal"], "score"].sum() / 3)
    assert row["as_in_the_paper_%"] == 100
    assert (
        table.loc[("gen", "deepest"), "characters"]
        <= row["characters"]
        < table.loc[("gen", "article"), "characters"]
    )


def test_a_sweep_gives_the_scores_of_its_points(topics: list[Topic], results: Results) -> None:
    alphas, cutoffs = [0.0, 0.3, 1.0], [5, 25]
    grid = {"quantisation": "gen", "alphas": alphas, "cutoffs": cutoffs}
    parts = [
        analysis.sweep(topics, results, ideal=i, own_text=o, **grid).assign(ideal=i, own_text=o)
        for i in ("paper", "deepest")
        for o in ("share", "literal")
    ]
    swept = pd.concat(parts, ignore_index=True)
    assert len(swept) == 2 * 2 * 3 * 3 * 8
    for name in ("MAep(alpha=0.3,ideal=deepest,own_text=literal)", "nxCG(alpha=0,ideal=paper)@25"):
        spec = parse_specs(name, MEASURES)[0]
        expected = score(topics, results, [spec]).means().set_index("run")["value"]
        key = {n: spec.parameters[n] for n in ("alpha", "ideal", "own_text")}
        key["measure"] = "MAep" if spec.cutoff is None else "nxCG[25]"
        found = swept[(swept[list(key)] == pd.Series(key)).all(axis=1)].set_index("run")["value"]
        assert found.to_dict() == pytest.approx(expected.to_dict(), abs=1e-12)
    table = analysis.sweep_table(swept, ("paper", "share", 1.0), 25)
    reference = table[(table["ideal"] == "paper") & (table["own_text"] == "share") & (table["alpha"] == 1)]
    assert reference[["τ_MAep", "τ_nxCG"]].to_numpy() == pytest.approx(1.0)
    assert len(table) == 12 and table[["τ_MAep", "τ_nxCG"]].abs().to_numpy().max() <= 1 + 1e-12
    of_method = swept[(swept["ideal"] == "paper") & (swept["own_text"] == "share")]
    for drawn, panels in (
        (alpha_map(of_method, 25), 2),
        (cutoff_map(of_method[of_method["alpha"] == 1]), 1),
        (ideal_map(swept[swept["alpha"] == 1], 25), 2),
    ):
        assert len(drawn.axes) == panels + 1  # the bar of colours


def test_figures_are_drawn(topics: list[Topic], results: Results, mean: pd.DataFrame) -> None:
    curves = analysis.curves(topics, results, specs_of("CO.FetchBrowse"))
    browse = mean[mean["task"] == "CO.FetchBrowse"]
    drawn = graphs(curves, browse, ["ep/gr"])
    assert len(drawn.axes) == 9
    titles = [axes.get_title() for axes in drawn.axes]
    assert titles[0] == "gen, article level" and "strict, element level, overlap on" in titles
    assert all("best by MAep" in axes.get_legend().get_texts()[0].get_text() for axes in drawn.axes)
    example = analysis.example(topics, results, specs_of("CO.Focussed"), "run0")
    texts = [text.get_text() for text in figure1(example).axes[0].texts]
    assert texts[0].startswith("nxCG[") and texts[1].startswith("ep = ")
    printed = PRINTED[0].rename(columns={"kendall_tau": "kendall_τ"})
    assert len(table1_map(printed.assign(printed=printed["kendall_τ"])).axes) == 3


def test_a_square_is_symmetric() -> None:
    table = square(PRINTED[0], list(names.MEASURES), "kendall_tau")
    assert np.array_equal(table.to_numpy(), table.to_numpy().T)
    assert table.loc["Q", "iMAep"] == 0.87 and not table.isna().to_numpy().any()


def test_printed_numbers_confirm_the_findings_they_can_decide() -> None:
    settings = pd.DataFrame({"task": ["CO.Focussed"], "quantisation": ["gen"]})
    found = {f.name: f.verdict for f in findings(printed_evidence(*PRINTED), settings)}
    tables_only = {"one-is-ideal", "nothing-above-ideal", "mean-sees-the-order", "trend-in-every-task"}
    assert {name for name, verdict in found.items() if verdict == NOT_TESTABLE} == tables_only
    assert {verdict for name, verdict in found.items() if name not in tables_only} == {CONFIRMED}
    assert len(found) == 10


def test_findings_can_fail() -> None:
    """Every finding that rests on the tables fails where their numbers are turned around, or higher."""
    settings = pd.DataFrame({"task": ["CO.Focussed"], "quantisation": ["gen"]})
    others = [
        [table.assign(kendall_tau=change(table["kendall_tau"])) for table in PRINTED]
        for change in (lambda tau: 1.5 - tau, lambda tau: tau + 0.3)
    ]
    before = findings(printed_evidence(*PRINTED), settings)
    after = [findings(printed_evidence(*tables), settings) for tables in others]
    for a, *changed in zip(before, *after, strict=True):
        if a.verdict == CONFIRMED:
            assert NOT_CONFIRMED in {b.verdict for b in changed}, a.name


def test_few_runs_decide_nothing_about_correlations() -> None:
    """A task of few runs is enough: Tables 1 and 2 average over tasks."""
    settings = pd.DataFrame({"task": ["CO.Focussed", "CO.Thorough"], "quantisation": "gen"})

    def undecided(fewest: int) -> set[str]:
        measures = [
            PRINTED[0].assign(task=task, quantisation="gen", runs=runs)
            for task, runs in zip(settings["task"], (9, fewest), strict=True)
        ]
        evidence = campaign_evidence(*PRINTED, pd.concat(measures), *(pd.DataFrame() for _ in range(3)))
        return {f.name for f in findings(evidence, settings) if f.verdict == NOT_TESTABLE}

    told = {f.name for f in findings(printed_evidence(*PRINTED), settings) if "5 runs" in f.computed}
    assert undecided(FEWEST_RUNS - 1) - undecided(FEWEST_RUNS) == told
    assert len(told) == 7


def test_findings_on_scores(
    topics: list[Topic], results: Results, scored: dict[str, pd.DataFrame], mean: pd.DataFrame
) -> None:
    from focuseval.papers.kazai2005.findings import Evidence

    correlated = mean[mean["task"].isin(names.CORRELATED)]
    measures = analysis.measure_correlations(correlated)
    pair = ["measure_a", "measure_b"]
    quantisations = analysis.quantisation_correlations(correlated)
    table = pd.concat(scored.values(), ignore_index=True)
    parts = [names.parts_of(name) for name in table["measure"]]
    table["measure"], table["overlap"] = [p[0] for p in parts], [p[2] for p in parts]
    evidence = Evidence(
        analysis.averaged(measures, pair),
        analysis.averaged(quantisations, ["quantisation_a", "quantisation_b"]),
        measures,
        analysis.ideal_performance(topics, specs_of("CO.Focussed")),
        analysis.turned_around(topics, results, specs_of("CO.Thorough")),
        highest_values(table),
    )
    found = {f.name: f for f in findings(evidence, measures)}
    assert found["one-is-ideal"].verdict == found["mean-sees-the-order"].verdict == CONFIRMED
    assert len(found["trend-in-every-task"].comparisons) == 6


def test_absent_tasks_are_listed() -> None:
    table = tasks_table(
        pd.DataFrame([("CO.Thorough", 8, 3)], columns=["task", "runs", "topics"]), {"SSCAS": "why"}
    )
    assert table["note"].tolist() == ["", "not available: why"]


def test_a_missing_correlation_decides_nothing() -> None:
    table = PRINTED[0].copy()
    table.loc[(table["measure_a"] == "MAep") & (table["measure_b"] == "nxCG[50]"), "kendall_tau"] = np.nan
    settings = pd.DataFrame({"task": ["CO.Focussed"], "quantisation": ["gen"]})
    found = {f.name: f.verdict for f in findings(printed_evidence(table, PRINTED[1]), settings)}
    for name in ("overall-differs-from-cutoffs", "overall-measures-agree", "cutoff-measures-agree"):
        assert found[name] == NOT_TESTABLE
