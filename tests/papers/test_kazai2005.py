"""The numbers of Kazai & Lalmas (2005), against worked examples and the library's own scores."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from focuseval.campaign.tasks import INEX2005
from focuseval.measures import MEASURES, parse_specs
from focuseval.measures.recall_base import IDEAL_METHODS, recall_bases
from focuseval.model.elements import Collection
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.report.figures import draw
from focuseval.report.items import Analysis, Figure, Table, files_of, write_tables
from focuseval.scoring.score import score
from focuseval.statistics.estimates import Sample, value_of
from focuseval.statistics.findings import (
    BY_CONSTRUCTION,
    CONFIRMED,
    FEWEST_RUNS,
    NOT_CONFIRMED,
    NOT_TESTABLE,
    UNKNOWN,
)
from focuseval_papers.kazai2005.analysis import (
    CORRELATED,
    SETTING,
    averaged,
    best_runs,
    correlation_table,
    curves,
    example,
    highest_values,
    ideal_performance,
    means,
    measure_correlations,
    of_task,
    quantisation_correlations,
    recall_base_summary,
    settings_of,
    tasks_table,
    turned_around,
)
from focuseval_papers.kazai2005.evidence import (
    MEASURES as MEASURES_OF_TABLE_1,
)
from focuseval_papers.kazai2005.evidence import (
    QUANTISATIONS,
    campaign_evidence,
    printed_evidence,
)
from focuseval_papers.kazai2005.figures import (
    DRAWN,
    figure1,
    graphs,
    square,
    structured_graphs,
    table1_map,
)
from focuseval_papers.kazai2005.findings import findings
from focuseval_papers.kazai2005.paper import PAPER, absent, asks
from focuseval_papers.kazai2005.tables import all_runs, as_printed, structure_of, to_find, under
from focuseval_papers.publication.material import Material
from focuseval_papers.publication.paper import Context
from focuseval_papers.workflow.configuration import read_campaign_file
from focuseval_papers.workflow.runsets import RunSet, task_sets
from tests.papers import made

PRINTED = [made.printed(name)[name] for name in PAPER.printed]
SECTIONS, PARAGRAPHS = 4, 5
TASKS = ("CO.Focussed", "CO.Thorough", "CO.FetchBrowse")
CAMPAIGN = made.campaign(scale="inex2005")
CONTEXT = Context(CAMPAIGN, PAPER.settings())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kazai2005")


@pytest.fixture(scope="module")
def collection(folder: Path) -> Collection:
    """Six articles of four sections of five paragraphs of 10 characters."""
    section = f"<sec>{'<p>0123456789</p>' * PARAGRAPHS}</sec>"
    documents = {f"d{n}": f"<article>{section * SECTIONS}</article>" for n in range(6)}
    return made.collection_on_disk(documents, folder / CAMPAIGN.name)


@pytest.fixture(scope="module")
def topics(collection: Collection) -> list[Topic]:
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


@pytest.fixture(scope="module")
def material(collection: Collection, topics: list[Topic], results: Results, folder: Path) -> Material:
    """The campaign with the scores that the paper asks for; all its tasks have the same runs."""
    runs = dict.fromkeys(("focused", "thorough", "fetch-and-browse"), results)
    made.leave(topics, runs, collection, folder / CAMPAIGN.name)
    return made.material(PAPER, CONTEXT, folder)


@pytest.fixture(scope="module")
def scored(material: Material) -> dict[str, pd.DataFrame]:
    return {task: of_task(material.scores(task), task) for task in TASKS}


@pytest.fixture(scope="module")
def analysis(material: Material) -> Analysis:
    return PAPER.analyse(material)


@pytest.fixture(scope="module")
def mean(analysis: Analysis) -> pd.DataFrame:
    return analysis["means"]


def test_the_declaration_is_complete() -> None:
    for campaign in (CAMPAIGN, made.campaign(scale="inex2005", collection="c", assessments="a", runs="r")):
        made.check_declaration(PAPER, DRAWN, Context(campaign, PAPER.settings()))


def test_the_paper_is_on_the_scale_of_inex_2005() -> None:
    assert PAPER.suits(CAMPAIGN) == ""
    assert "on the scale inex2003; the paper needs inex2005" in PAPER.suits(made.campaign(scale="inex2003"))
    assert "a scale that it does not name" in PAPER.suits(made.campaign())
    assert PAPER.suits(made.campaign(papers=["kazai2005"])) == ""


def test_tasks_of_a_campaign_and_reasons_for_the_others() -> None:
    alone = task_sets(CAMPAIGN)
    assert {task: runs.runs for task, runs in alone.items()} == {
        "CO.Focussed": "focused",
        "CO.Thorough": "thorough",
        "CO.FetchBrowse": "fetch-and-browse",
    }
    assert set(absent(CAMPAIGN)) == set(INEX2005) - set(alone)
    assert "castitle" in absent(CAMPAIGN)["SSCAS"]
    submitted = made.campaign(collection="c", assessments="a", runs="r")
    assert list(task_sets(submitted)) == ["CO.Thorough"]
    assert "does not say under its tasks" in absent(submitted)["CO.Focussed"]
    licensed = read_campaign_file(made.ROOT / "config/campaigns/inex2005.yaml")
    own = task_sets(licensed)
    assert list(own) == list(INEX2005) and absent(licensed) == {}
    assert own["SSCAS"] == RunSet("SSCAS", "SSCAS", judgements="SSCAS")
    assert own["COS.Thorough"].judgements == "all" and len(own["COS.Thorough"].topics) == 19
    part = made.campaign(collection="c", assessments="a", runs="r", tasks={"CO.Thorough": {}})
    assert task_sets(part)["CO.Thorough"].runs == "submitted"
    assert "under its tasks" in absent(part)["VVCAS"]


def test_every_task_is_asked_for_under_its_settings() -> None:
    asked = {(request.batch, request.runs.name): request for request in asks(CONTEXT)}
    for task in TASKS:
        names = asked["papers", task].measures
        assert set(INEX2005[task].measures()) <= set(names)
        for request in (asked["papers", task], asked["papers", f"{task}, ideal rankings"]):
            specs = [spec for name in request.measures for spec in parse_specs(name, MEASURES)]
            settings = [{name: spec.parameters[name] for name in settings_of(task)[0]} for spec in specs]
            assert {tuple(each.values()) for each in settings} == {
                tuple(each.values()) for each in settings_of(task)
            }
    assert [name for _, name in asked if "turned" in name] == ["CO.Thorough, first 25 turned around"]


def test_scores_of_a_task_are_those_under_its_own_measures() -> None:
    names = {
        "nxCG(quantisation=gen,alpha=1,overlap=on)@25": ("nxCG[25]", "gen", "on", ""),
        "nxCG(quantisation=gen,overlap=on)@30": ("nxCG", "gen", "on", ""),
        "ep(quantisation=strict,overlap=on)@0.5": ("ep", "strict", "on", ""),
        "nxCG(quantisation=gen,alpha=0.5,overlap=on)@25": None,
        "nxCG(quantisation=gen,overlap=off)@25": None,
        "nxCG(quantisation=gen,overlap=on)@20": None,
    }
    rows = [("a", "1", name, 0.5) for name in names]
    found = of_task(made.scores(rows), "CO.Focussed")
    parts = found[["measure", "quantisation", "overlap", "level"]].itertuples(index=False, name=None)
    assert list(parts) == [part for part in names.values() if part]
    assert found["x"].tolist() == [25, 30, 0.5]
    browse = "MAep(quantisation=strict,overlap=off,fetch_browse=article)"
    (row,) = of_task(made.scores([("a", "1", browse, 0.5)]), "CO.FetchBrowse").to_dict("records")
    assert (row["measure"], row["quantisation"], row["level"]) == ("MAep", "strict", "article")


@pytest.mark.parametrize("task", ["CO.Focussed", "CO.FetchBrowse"])
def test_graphs_hold_the_means_that_scoring_gives(
    task: str, topics: list[Topic], results: Results, scored: dict[str, pd.DataFrame]
) -> None:
    table = curves(scored[task])
    keys = ["quantisation", "overlap", "level", "graph", "run"]
    browsing = task == "CO.FetchBrowse"
    graphs_of_task = 1 if browsing else 2  # FetchBrowse reports effort-precision only
    assert len(table) == 8 * 100 * graphs_of_task * len(settings_of(task))
    settings = ["quantisation=gen,overlap=on", "quantisation=genLifted,overlap=on"]
    if browsing:
        settings = ["quantisation=gen,overlap=off,fetch_browse=article", "overlap=on,fetch_browse=element"]
    for setting in settings:
        wanted = {f"ep({setting})@0.2": ("ep/gr", 0.2)}
        if not browsing:
            wanted[f"nxCG({setting})@15"] = ("nxCG", 15.0)
        for name, (graph, x) in wanted.items():
            expected = score(topics, results, parse_specs(name, MEASURES)).means().set_index("run")["value"]
            given = parse_specs(name, MEASURES)[0].parameters
            level = "" if given["fetch_browse"] == "off" else given["fetch_browse"]
            key = (given["quantisation"], given["overlap"], level, graph)
            at = table[(table[keys[:4]] == list(key)).all(axis=1) & np.isclose(table["x"], x)]
            assert at.set_index("run")["value"].to_dict() == pytest.approx(expected.to_dict(), abs=1e-12)


def test_the_ideal_ranking_scores_1_everywhere(material: Material) -> None:
    for task in TASKS:
        table = ideal_performance(material, task)
        assert len(table) == len(INEX2005[task].measures())
        assert table[["lowest", "highest"]].to_numpy() == pytest.approx(1.0, abs=1e-12)
        assert table["topics"].max() == 3  # the fourth has nothing relevant


def test_the_order_of_the_first_results_matters_to_the_mean_only(material: Material) -> None:
    table = turned_around(material, "CO.Thorough")
    shares = table.groupby(["quantisation", "measure"])[["lists", "changed"]].sum()
    assert (shares.xs("nxCG[25]", level=1)["changed"] == 0).all()
    assert shares.loc[("gen", "MAnxCG[25]"), "changed"] > 0.9 * shares.loc[("gen", "MAnxCG[25]"), "lists"] > 0
    assert turned_around(material, "CO.Focussed").empty


def test_an_example_is_a_list_of_the_best_run(
    material: Material, mean: pd.DataFrame, topics: list[Topic], results: Results
) -> None:
    table = example(material, mean, "CO.Focussed")
    best = best_runs(mean).set_index(["task", "quantisation"])["best_run"]["CO.Focussed", "gen"]
    assert set(table["run"]) == {best} and table["topic"].nunique() == 1
    name = "nxCG(quantisation=gen,overlap=on)@10"
    value = score(topics, results, parse_specs(name, MEASURES)).per_topic
    value = value[(value["run"] == best) & (value["topic"] == table["topic"][0])]["value"].iloc[0]
    assert table["xCG"][9] / table["xCI"][9] == pytest.approx(value, abs=1e-12)


def test_means_and_correlations(mean: pd.DataFrame, scored: dict[str, pd.DataFrame]) -> None:
    part = scored["CO.Thorough"]
    part = part[(part["measure"] == "Q") & (part["quantisation"] == "gen")]
    expected = part.groupby("run")["value"].mean()
    key = {"task": "CO.Thorough", "quantisation": "gen", "measure": "Q"}
    chosen = mean[(mean[list(key)] == pd.Series(key)).all(axis=1)]
    assert chosen.set_index("run")["value"].to_dict() == pytest.approx(expected.to_dict())

    correlated = mean[mean["task"].isin(CORRELATED)]
    by_setting = measure_correlations(correlated)
    assert (by_setting["runs"] == correlated["run"].nunique()).all()
    assert len(by_setting) == 45 * 2 * 3
    row = by_setting[(by_setting["task"] == "CO.Thorough") & (by_setting["quantisation"] == "gen")]
    row = row[(row["measure_a"] == "R") & (row["measure_b"] == "Q")].iloc[0]
    columns = correlated[(correlated["task"] == "CO.Thorough") & (correlated["quantisation"] == "gen")]
    columns = columns.pivot(index="run", columns="measure", values="value")
    assert row["kendall_tau"] == pytest.approx(stats.kendalltau(columns["R"], columns["Q"]).statistic)
    averages = averaged(by_setting, ["measure_a", "measure_b"])
    both = by_setting[(by_setting["measure_a"] == "R") & (by_setting["measure_b"] == "Q")]["kendall_tau"]
    last = averages.iloc[-1]
    assert (last["measure_a"], last["measure_b"], last["correlations"]) == ("R", "Q", both.notna().sum())
    assert last["kendall_tau"] == pytest.approx(both.mean())

    table = correlation_table(averages, PRINTED[0])
    assert len(table) == 45 and table["printed"].notna().all()
    assert table["difference"].to_numpy() == pytest.approx((table["kendall_τ"] - table["printed"]).to_numpy())
    quantisations = averaged(quantisation_correlations(correlated), ["quantisation_a", "quantisation_b"])
    table = correlation_table(quantisations, PRINTED[1])
    assert table["printed"].tolist() == [0.56, 0.60, 0.89]
    assert (table["correlations"] <= 20).all()


def test_a_measure_without_an_order_is_not_averaged() -> None:
    rows = [
        ("t", "gen", "on", "", m, f"r{r}", float(r) if m != "Q" else 0.0)
        for m in ("MAep", "iMAep", "Q")
        for r in range(3)
    ]
    mean = pd.DataFrame(rows, columns=["task", *SETTING, "measure", "run", "value"])
    found = averaged(measure_correlations(mean), ["measure_a", "measure_b"])
    found = found.set_index(["measure_a", "measure_b"])
    assert found.loc[("iMAep", "MAep")].tolist() == [1, 1.0]
    assert found.loc[("Q", "MAep"), "correlations"] == 0 and np.isnan(found.loc[("Q", "MAep"), "kendall_tau"])


def test_best_runs(mean: pd.DataFrame) -> None:
    best = best_runs(mean)
    assert len(best) == 3 + 3 + 9
    row = best[(best["task"] == "CO.Focussed") & (best["quantisation"] == "gen")].iloc[0]
    part = mean[
        (mean["task"] == "CO.Focussed") & (mean["quantisation"] == "gen") & (mean["measure"] == "MAep")
    ]
    assert row["MAep"] == part["value"].max()
    assert best[best["task"] == "CO.FetchBrowse"]["nxCG[10]"].isna().all()


def test_recall_bases_are_counted(collection: Collection, topics: list[Topic], analysis: Analysis) -> None:
    bases = recall_bases(topics, QUANTISATIONS, tuple(IDEAL_METHODS))
    table = recall_base_summary(collection, bases).set_index(["quantisation", "method"])
    pd.testing.assert_frame_equal(analysis["recall_bases"], bases)
    pd.testing.assert_frame_equal(analysis["recall_base_sizes"], table.reset_index())
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


def test_figures_are_drawn(scored: dict[str, pd.DataFrame], analysis: Analysis) -> None:
    mean = analysis["means"]
    browse = mean[mean["task"] == "CO.FetchBrowse"]
    drawn = graphs(curves(scored["CO.FetchBrowse"]), browse, ["ep/gr"])
    assert len(drawn.axes) == 9
    titles = [axes.get_title() for axes in drawn.axes]
    assert titles[0] == "gen, article level" and "strict, element level, overlap on" in titles
    assert all("best by MAep" in axes.get_legend().get_texts()[0].get_text() for axes in drawn.axes)
    example = pd.DataFrame(
        {"run": "a", "topic": "1", "xCG": [0.0, 1, 1, 2, 2, 3], "xCI": [1.0, 2, 3, 3, 3, 3]}
    )

    def told(gains: pd.DataFrame) -> list[str]:
        drawn = figure1(gains)
        assert not drawn.axes[0].texts  # nothing that a curve could strike through
        return [text.get_text() for text in drawn.legends[0].get_texts()[2:]]

    assert told(example) == ["nxCG[1] = 0.00 / 1.00 = 0.00", "ep = 1.0 / 2.0 = 0.500"]
    assert len(told(example.assign(xCG=0.0))) == 1  # no gain, no effort for it
    small = example.assign(xCG=[0.0243, 1, 1, 2, 2, 3])
    assert told(small)[0] == "nxCG[1] = 0.0243 / 1.00 = 0.0243"
    printed = PRINTED[0].rename(columns={"kendall_tau": "kendall_τ"})
    assert len(table1_map(printed.assign(printed=printed["kendall_τ"])).axes) == 3


def test_a_square_is_symmetric() -> None:
    table = square(PRINTED[0], list(MEASURES_OF_TABLE_1), "kendall_tau")
    assert np.array_equal(table.to_numpy(), table.to_numpy().T)
    assert table.loc["Q", "iMAep"] == 0.87 and not table.isna().to_numpy().any()


def test_printed_numbers_confirm_the_findings_they_can_decide() -> None:
    settings = [("CO.Focussed", "gen")]
    found = {f.name: f.verdict for f in findings(printed_evidence(*PRINTED), settings)}
    tables_only = {"one-is-ideal", "nothing-above-ideal", "mean-sees-the-order", "trend-in-every-task"}
    assert {name for name, verdict in found.items() if verdict == NOT_TESTABLE} == tables_only
    assert {verdict for name, verdict in found.items() if name not in tables_only} == {CONFIRMED}
    assert len(found) == 10


def test_findings_can_fail() -> None:
    """Every finding that rests on the tables fails where their numbers are turned around, or higher."""
    settings = [("CO.Focussed", "gen")]
    others = [
        [table.assign(kendall_tau=change(table["kendall_tau"])) for table in PRINTED]
        for change in (lambda tau: 1.5 - tau, lambda tau: tau + 0.3)
    ]
    before = findings(printed_evidence(*PRINTED), settings)
    after = [findings(printed_evidence(*tables), settings) for tables in others]
    for a, *changed in zip(before, *after, strict=True):
        if a.verdict == CONFIRMED:
            assert NOT_CONFIRMED in {b.verdict for b in changed}, a.name


def draw_sample(name: str, members: Sequence[str], over: str) -> Sample:
    return Sample(name, tuple(members), over, 200, 5)


def test_few_runs_decide_nothing_about_correlations(mean: pd.DataFrame) -> None:
    """A task of few runs is enough: Tables 1 and 2 average over tasks."""
    correlated = mean[mean["task"].isin(CORRELATED)]
    settings = [("CO.Focussed", "gen"), ("CO.Thorough", "gen")]
    nothing = pd.DataFrame(columns=["topic", "measure", "lists", "changed"])

    def undecided(fewest: int) -> set[str]:
        runs = list(correlated["run"].unique())[:fewest]
        few = (correlated["task"] == "CO.Thorough") & ~correlated["run"].isin(runs)
        evidence = campaign_evidence(correlated[~few], pd.DataFrame(), nothing, pd.DataFrame(), draw_sample)
        return {f.name for f in findings(evidence, settings) if f.verdict == NOT_TESTABLE}

    told = {f.name for f in findings(printed_evidence(*PRINTED), settings) if "5 runs" in f.computed}
    assert undecided(FEWEST_RUNS - 1) - undecided(FEWEST_RUNS) == told
    assert len(told) == 7


def test_findings_on_scores(material: Material, mean: pd.DataFrame, scored: dict[str, pd.DataFrame]) -> None:
    correlated = mean[mean["task"].isin(CORRELATED)]
    measures = measure_correlations(correlated)
    evidence = campaign_evidence(
        correlated,
        ideal_performance(material, "CO.Focussed"),
        turned_around(material, "CO.Thorough"),
        highest_values(pd.concat(scored.values())),
        draw_sample,
    )
    # the same numbers as in the tables, which are made another way
    for found, table in (
        (evidence.table1, averaged(measures, ["measure_a", "measure_b"])),
        (
            evidence.table2,
            averaged(quantisation_correlations(correlated), ["quantisation_a", "quantisation_b"]),
        ),
    ):
        for a, b, _, tau in table.itertuples(index=False, name=None):
            assert value_of(found[frozenset((a, b))]) == pytest.approx(tau, abs=1e-12)
    settings = list(dict.fromkeys(measures[["task", "quantisation"]].itertuples(index=False, name=None)))
    checked = {f.name: f for f in findings(evidence, settings)}
    assert checked["one-is-ideal"].verdict == BY_CONSTRUCTION
    assert checked["mean-sees-the-order"].verdict == CONFIRMED
    assert [bool(c.given) for c in checked["mean-sees-the-order"].comparisons] == [True, False]
    highest = checked["nothing-above-ideal"].comparisons
    assert [(c.state != UNKNOWN, bool(c.given)) for c in highest[:3]] == [(True, True)] * 3
    assert not any(c.given for c in highest[3:]) and highest[0].n > 0
    trend = checked["trend-in-every-task"].comparisons
    assert len(trend) == 6 and {c.rests_on.over for c in trend} == {"runs"}


def test_the_declared_findings_are_those_of_the_analysis(analysis: Analysis, material: Material) -> None:
    here, there = PAPER.findings(analysis, material.printed, CONTEXT)
    assert [f.name for f in here] == [f.name for f in there] and len(here) == 10
    assert NOT_TESTABLE not in {f.verdict for f in here}


def test_every_table_and_figure_can_be_made(analysis: Analysis, tmp_path: Path) -> None:
    items = PAPER.items(CONTEXT)
    write_tables(items, analysis, CONTEXT, tmp_path)
    drawn_once = {item.drawn or item.name: item for item in items if isinstance(item, Figure)}
    draw(list(drawn_once.values()), DRAWN, analysis, CONTEXT, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {
        *files_of(items, Table),
        *files_of(list(drawn_once.values()), Figure),
    }
    assert {*drawn_once, "structured"} == set(DRAWN)


def test_absent_tasks_are_listed() -> None:
    rows = [("CO.Thorough", f"run{run}", str(topic)) for run in range(8) for topic in range(3)]
    scores = pd.DataFrame(rows, columns=["task", "run", "topic"])
    table = tasks_table(scores, {"SSCAS": "why"}, to_find({"CO.Thorough": []}))
    assert table[["task", "note"]].values.tolist() == [["CO.Thorough", ""], ["SSCAS", "not available: why"]]
    assert table.loc[0, ["runs", "topics"]].tolist() == [8, 3]
    assert table.loc[1, ["runs", "topics"]].isna().all()


def test_what_there_is_to_find_is_counted(topics: list[Topic]) -> None:
    found = to_find({"CO.Thorough": topics, "SVCAS": topics[:1]}).set_index("task")
    for task, of in (("CO.Thorough", topics), ("SVCAS", topics[:1])):
        pairs = [list(zip(t.exhaustivity, t.specificity, strict=True)) for t in of]
        gen = [sum(e * s > 0 and e != -1 for e, s in held) for held in pairs]
        strict = [sum(e == 2 and s == 1 for e, s in held) for held in pairs]
        assert found.loc[task, "relevant"] == pytest.approx(np.mean([n for n in gen if n]))
        assert found.loc[task, "fully_relevant"] == pytest.approx(np.mean([n for n in strict if n]))
        assert found.loc[task, "topics_with_these"] == sum(n > 0 for n in strict)
    assert found["structure"].to_dict() == {"CO.Thorough": "", "SVCAS": "target strict, support vague"}
    assert structure_of("COS.Focussed") == "target vague, support vague"


def test_tables_stand_as_printed(analysis: Analysis) -> None:
    names = list(MEASURES_OF_TABLE_1)
    for name, order in (("table1", names), ("table2", list(QUANTISATIONS))):
        shown = as_printed(analysis[name])
        rows, columns = list(shown.iloc[:, 0]), list(shown.columns[2:])
        assert rows == [each for each in order[1:] for _ in range(2)] and columns == order[:-1]
        assert shown["number"].tolist() == ["computed", "printed"] * (len(order) - 1)
        for row, each in enumerate(order[1:], start=1):
            two = shown[shown.iloc[:, 0] == each]
            assert (two.iloc[:, 2 + row :] == "–").all(axis=None)
        values = shown[shown["number"] == "printed"].set_index(shown.columns[0])
        for a, b, tau in PRINTED[0 if name == "table1" else 1].itertuples(index=False):
            assert values.loc[a, b] == f"{tau:.2f}"


def test_all_runs_stand_under_all_measures(mean: pd.DataFrame) -> None:
    table = all_runs(mean)
    assert len(table) == 8 * (3 + 3 + 9)
    assert list(table.columns[5:]) == list(MEASURES_OF_TABLE_1)
    for column in ("MAnxCG[50]", "Q", "R"):
        part = mean[(mean["measure"] == column) & (mean["task"] == "CO.Thorough")]
        part = part.set_index(["quantisation", "run"])["value"]
        of = table[table["task"] == "CO.Thorough"].set_index(["quantisation", "run"])[column]
        assert of.to_dict() == part.to_dict()
    assert table[table["task"] == "CO.FetchBrowse"]["Q"].isna().all()
    shown = under(table, "gen")
    assert len(shown) == 8 * (1 + 1 + 3) and "quantisation" not in shown


def test_tasks_on_structured_topics_have_one_figure_under_gen(scored: dict[str, pd.DataFrame]) -> None:
    campaign = made.campaign(scale="inex2005", structured_topics={"castitles": ["101"]})
    context = Context(campaign, PAPER.settings())
    assert list(task_sets(campaign)) == list(INEX2005) and absent(campaign) == {}
    asked = {request.runs.name: request.measures for request in asks(context) if request.batch == "papers"}
    curves_asked = [name for name in asked["SSCAS"] if name.endswith("@curve")]
    assert len(curves_asked) == 2 and all("quantisation=gen," in name for name in curves_asked)
    assert set(INEX2005["SSCAS"].measures()) <= set(asked["SSCAS"])
    assert len([name for name in asked["CO.Thorough"] if name.endswith("@curve")]) == 6
    figures = [item.name for item in PAPER.items(context) if isinstance(item, Figure)]
    assert "structured" in figures
    assert [name for name in figures if "graphs" in name] == [f"graphs-{task}" for task in TASKS]
    renamed = {"CO.Thorough": "SSCAS", "CO.FetchBrowse": "COS.FetchBrowse", "CO.Focussed": "CO.Focussed"}
    scores = pd.concat(part.assign(task=renamed[task]) for task, part in scored.items())
    drawn = structured_graphs(curves(scores), means(scores[scores["measure"] == "MAep"]))
    titles = [axes.get_title() for axes in drawn.axes]
    assert sorted(titles) == [
        *("COS.FetchBrowse, article level", "COS.FetchBrowse, element level", "SSCAS", "SSCAS")
    ]


def test_a_missing_correlation_decides_nothing() -> None:
    table = PRINTED[0].copy()
    table.loc[(table["measure_a"] == "MAep") & (table["measure_b"] == "nxCG[50]"), "kendall_tau"] = np.nan
    settings = [("CO.Focussed", "gen")]
    found = {f.name: f.verdict for f in findings(printed_evidence(table, PRINTED[1]), settings)}
    for name in ("overall-differs-from-cutoffs", "overall-measures-agree", "cutoff-measures-agree"):
        assert found[name] == NOT_TESTABLE
