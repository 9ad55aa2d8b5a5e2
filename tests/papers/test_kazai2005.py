"""The numbers of Kazai & Lalmas (2005), against worked examples and the library's own scores."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from focuseval.campaign.tasks import INEX2005
from focuseval.measures import MEASURES, parse_specs
from focuseval.measures.quantisation import quantised
from focuseval.measures.recall_base import IDEAL_METHODS, recall_bases
from focuseval.model.elements import Collection
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.report.items import Analysis, Figure, Table
from focuseval.scoring.score import score
from focuseval.statistics.correlations import FEWEST_RUNS
from focuseval_papers.kazai2005.numbers import (
    MEASURES as MEASURES_OF_TABLE_1,
)
from focuseval_papers.kazai2005.numbers import (
    PAPER,
    QUANTISATIONS,
    TWICE,
    absent,
    asks,
    averages,
    best_runs,
    depending,
    graphs,
    measure_taus,
    of_task,
    quantisation_taus,
    settings_of,
    structure_of,
    tasks_table,
    under_gen,
    with_parameters,
)
from focuseval_papers.publication.claims import BY_CONSTRUCTION, NOT_TESTABLE, NOT_TRUE, TRUE
from focuseval_papers.publication.estimates import value_of
from focuseval_papers.publication.frames import rows_of
from focuseval_papers.publication.kinds import drawings
from focuseval_papers.publication.paper import Context, Material
from focuseval_papers.workflow.configuration import FindingSettings, read_campaign_file
from focuseval_papers.workflow.runsets import RunSet, task_sets
from tests.papers import made

PRINTED = made.printed(*PAPER.declared.printed)
TABLE1, TABLE2 = PRINTED.values()
DRAWN = drawings(PAPER.name)
SECTIONS, PARAGRAPHS = 4, 5
TASKS = ("CO.Focussed", "CO.Thorough", "CO.FetchBrowse")
CAMPAIGN = made.campaign(scale="inex2005")
CONTEXT = Context(CAMPAIGN, PAPER.settings(), findings=FindingSettings(resamples=200, seed=5))


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
def scored(material: Material) -> pd.DataFrame:
    return pd.concat(of_task(material.scores(task), task) for task in TASKS)


@pytest.fixture(scope="module")
def analysis(material: Material) -> Analysis:
    return PAPER.analyse(material)


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
            own = [name for name in request.measures if name not in TWICE]
            specs = [spec for name in own for spec in parse_specs(name, MEASURES)]
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


@pytest.mark.parametrize(
    ("name", "task", "graph", "x"),
    [
        ("ep(quantisation=gen,overlap=on)@0.2", "CO.Focussed", "ep/gr", 0.2),
        ("nxCG(quantisation=gen,overlap=on)@15", "CO.Focussed", "nxCG", 15),
        ("nxCG(quantisation=genLifted,overlap=on)@15", "CO.Focussed", "nxCG", 15),
        ("ep(quantisation=gen,overlap=off,fetch_browse=article)@0.2", "CO.FetchBrowse", "ep/gr", 0.2),
        ("ep(quantisation=gen,overlap=on,fetch_browse=element)@0.2", "CO.FetchBrowse", "ep/gr", 0.2),
    ],
)
def test_graphs_hold_the_means_that_scoring_gives(
    name: str, task: str, graph: str, x: float, topics: list[Topic], results: Results, analysis: Analysis
) -> None:
    (spec,) = parse_specs(name, MEASURES)
    expected = score(topics, results, [spec]).means().set_index("run")["value"]
    level = str(spec.parameters["fetch_browse"]).replace("off", "")
    key = {"task": task, "graph": graph, "level": level}
    key |= {name: spec.parameters[name] for name in ("quantisation", "overlap")}
    part = rows_of(analysis["graphs"], **key)
    assert len(part) == 8 * 100
    at = part[np.isclose(part["x"], x)].set_index("run")["value"]
    assert at.to_dict() == pytest.approx(expected.to_dict(), abs=1e-12)


def test_the_ideal_ranking_scores_1_everywhere(analysis: Analysis) -> None:
    ideal = analysis["ideal"]
    assert ideal["value"].to_numpy() == pytest.approx(1.0, abs=1e-12)
    settings = ideal.groupby("task")[["quantisation", "overlap", "level", "measure"]]
    for task, values in settings:
        assert len(values.drop_duplicates()) == len(INEX2005[str(task)].measures())
    assert ideal["topic"].nunique() == 3  # the fourth has nothing relevant


def test_the_order_of_the_first_results_matters_to_the_mean_only(analysis: Analysis) -> None:
    counts = analysis["turned"].groupby("measure")[["lists", "changed"]].sum()
    assert counts.loc["nxCG[25]", "changed"] == 0
    changed, lists = counts.loc["MAnxCG[25]", ["changed", "lists"]]
    assert changed > 0.9 * lists > 0


def test_an_example_is_a_list_of_the_best_run(
    analysis: Analysis, topics: list[Topic], results: Results
) -> None:
    table = analysis["example"]
    (best,) = rows_of(analysis["best"], task="CO.Focussed", quantisation="gen")["best_run"]
    assert set(table["run"]) == {best} and table["topic"].nunique() == 1
    name = "nxCG(quantisation=gen,overlap=on)@10"
    value = score(topics, results, parse_specs(name, MEASURES)).per_topic
    (value,) = rows_of(value, run=best, topic=table["topic"][0])["value"]
    assert table["xCG"][9] / table["xCI"][9] == pytest.approx(value, abs=1e-12)


def test_tables_are_means_of_correlations(scored: pd.DataFrame, analysis: Analysis) -> None:
    """Kendall's tau of means over topics, in every task and setting, averaged over all of them."""
    means = scored.groupby(["task", "quantisation", "overlap", "measure", "run"])["value"].mean()
    found = {name: analysis[name].set_index(list(analysis[name])[:2]) for name in ("table1", "table2")}
    tasks = ("CO.Focussed", "on"), ("CO.Thorough", "off")

    def values(task: tuple[str, str], quantisation: str, measure: str) -> pd.Series:
        return means[task[0], quantisation, task[1], measure]

    for a, b in found["table1"].index:
        taus = [
            stats.kendalltau(values(task, q, a), values(task, q, b)).statistic
            for task in tasks
            for q in QUANTISATIONS
        ]
        row = found["table1"].loc[(a, b)]
        assert row["kendall_τ"] == pytest.approx(np.nanmean(taus)) and row["correlations"] == 6
        assert row["difference"] == row["kendall_τ"] - row["printed"]
        assert row["low"] <= row["kendall_τ"] <= row["high"]
    for a, b in found["table2"].index:
        taus = [
            stats.kendalltau(values(task, a, measure), values(task, b, measure)).statistic
            for task in tasks
            for measure in MEASURES_OF_TABLE_1
        ]
        assert found["table2"].loc[(a, b), "kendall_τ"] == pytest.approx(np.nanmean(taus))
    assert found["table2"]["printed"].tolist() == [0.56, 0.60, 0.89]
    assert len(found["table1"]) == 45
    for name, printed in (("table1", TABLE1), ("table2", TABLE2)):
        item = next(each for each in PAPER.items(CONTEXT) if isinstance(each, Table) and each.name == name)
        shown = item.for_people(analysis[name])
        cells = shown[shown["number"] == "printed"].set_index(shown.columns[0])
        for a, b, tau in printed.itertuples(index=False):
            assert cells.loc[a, b] == f"{tau:.2f}"


def test_a_measure_without_an_order_is_not_averaged() -> None:
    rows = [
        ("t", q, m, f"r{r}", float(r) if m != "Q" else 0.0)
        for q in ("gen", "strict")
        for m in ("MAep", "iMAep", "Q")
        for r in range(3)
    ]
    means = pd.DataFrame(rows, columns=["task", "quantisation", "measure", "run", "value"])
    found = averages(measure_taus(means, CONTEXT.sample), TABLE1).set_index(["measure_a", "measure_b"])
    assert found.loc[("iMAep", "MAep"), ["correlations", "kendall_τ"]].tolist() == [2, 1.0]
    assert found.loc[("Q", "MAep"), "correlations"] == 0 and np.isnan(found.loc[("Q", "MAep"), "kendall_τ"])
    of_quantisations = averages(quantisation_taus(means, CONTEXT.sample), TABLE2)
    assert of_quantisations[["quantisation_a", "correlations"]].to_numpy().tolist() == [["gen", 2]]


def test_best_runs(analysis: Analysis) -> None:
    best, means = analysis["best"], analysis["means"]
    assert len(best) == 3 + 3 + 9
    key = {"task": "CO.Focussed", "quantisation": "gen"}
    (value,) = rows_of(best, **key)["MAep"]
    assert value == rows_of(means, **key, measure="MAep")["value"].max()
    assert rows_of(best, task="CO.FetchBrowse")["nxCG[10]"].isna().all()
    same = best_runs(means.assign(value=0.5))
    assert set(same["best_run"]) == {"run0"}


def test_recall_bases_are_counted(topics: list[Topic], analysis: Analysis) -> None:
    bases = recall_bases(topics, QUANTISATIONS, tuple(IDEAL_METHODS))
    table = analysis["recall_bases"].set_index(["quantisation", "method"])
    paper = bases[(bases["quantisation"] == "gen") & (bases["method"] == "paper")]
    row = table.loc[("gen", "paper")]
    assert row["topics"] == 3 and row["full"] == pytest.approx(len(paper) / 3)
    assert row["ideal"] == pytest.approx(paper["ideal"].sum() / 3)
    assert row["gain"] == pytest.approx(paper.loc[paper["ideal"], "score"].sum() / 3)
    assert row["as_in_the_paper_%"] == 100
    sizes = [table.loc[("gen", method), "characters"] for method in ("deepest", "paper", "article")]
    assert sizes == sorted(sizes) and sizes[1] < sizes[2]


@pytest.mark.parametrize(
    ("gains", "told"),
    [
        ([0.0, 1, 1, 2, 2, 3], ["nxCG[1] = 0.00 / 1.00 = 0.00", "ep = 1.0 / 2.0 = 0.500"]),
        ([0.0] * 6, ["nxCG[1] = 0.00 / 1.00 = 0.00"]),  # no gain, no effort for it
        ([0.0243, 1, 1, 2, 2, 3], ["nxCG[1] = 0.0243 / 1.00 = 0.0243", "ep = 1.0 / 2.0 = 0.500"]),
    ],
)
def test_figure_1_says_both_numbers_in_its_legend(gains: list[float], told: list[str]) -> None:
    example = pd.DataFrame({"run": "a", "topic": "1", "xCG": gains, "xCI": [1.0, 2, 3, 3, 3, 3]})
    drawn = DRAWN["figure1"](Figure("figure1", "", ""), {"example": example}, CONTEXT)
    assert not drawn.axes[0].texts  # nothing that a curve could strike through
    assert [text.get_text() for text in drawn.legends[0].get_texts()[2:]] == told


def test_a_task_has_a_row_of_graphs_for_each_kind_and_level(analysis: Analysis) -> None:
    def drawn(task: str) -> list[tuple[str, str]]:
        axes = DRAWN["graphs"](Figure(f"graphs-{task}", "", ""), analysis, CONTEXT).axes
        for ax in axes:
            assert [text.get_text().partition(":")[0] for text in ax.texts] == ["best", "median"]
        return [(ax.get_title("left"), ax.get_ylabel()) for ax in axes]

    assert drawn("CO.Focussed") == [
        (f"{q}, overlap on", label)
        for label in ("effort-precision", "nxCG")
        for q in ("gen", "strict", "genLifted")
    ]
    browse = [title for title, _ in drawn("CO.FetchBrowse")]
    assert len(browse) == 9 and browse[0] == "gen, article level"
    assert "strict, element level, overlap on" in browse and "gen, element level, overlap off" in browse


def test_the_map_is_symmetric(analysis: Analysis) -> None:
    for panel, part in analysis["map"].groupby("panel"):
        square = part.pivot(index="row", columns="column", values="value")
        assert np.array_equal(square.to_numpy(), square.to_numpy().T)
        assert (np.diag(square) == 1).all() and not square.isna().to_numpy().any()
        if panel == "as printed":
            assert square.loc["Q", "iMAep"] == 0.87


UNPRINTED = {
    *("one-is-ideal", "nothing-above-ideal", "mean-sees-the-order", "nxcg-averages-badly"),
    "trend-in-every-task",
}


def verdicts(table1: pd.DataFrame, table2: pd.DataFrame) -> dict[str, str]:
    found = PAPER.claims(dict(zip(PRINTED, (table1, table2), strict=True)))
    return {finding.name: finding.verdict for finding in found}


def test_printed_numbers_confirm_the_findings_they_can_decide() -> None:
    found = verdicts(TABLE1, TABLE2)
    assert {name for name, verdict in found.items() if verdict == NOT_TESTABLE} == UNPRINTED
    assert {verdict for name, verdict in found.items() if name not in UNPRINTED} == {TRUE}
    assert len(found) == 11


def test_findings_can_fail() -> None:
    """Every finding that rests on the tables fails where their numbers are turned around, or higher."""
    changes: list[Callable[[pd.Series], pd.Series]] = [lambda tau: 1.5 - tau, lambda tau: tau + 0.3]
    changed = [
        verdicts(*(table.assign(kendall_tau=change(table["kendall_tau"])) for table in (TABLE1, TABLE2)))
        for change in changes
    ]
    for name, verdict in verdicts(TABLE1, TABLE2).items():
        if verdict == TRUE:
            assert NOT_TRUE in {other[name] for other in changed}, name


def test_a_missing_correlation_decides_nothing() -> None:
    table = TABLE1.copy()
    table.loc[(table["measure_a"] == "MAep") & (table["measure_b"] == "nxCG[50]"), "kendall_tau"] = np.nan
    found = verdicts(table, TABLE2)
    for name in ("overall-differs-from-cutoffs", "overall-measures-agree", "cutoff-measures-agree"):
        assert found[name] == NOT_TESTABLE


def test_few_runs_decide_nothing_about_correlations(analysis: Analysis) -> None:
    """A task of few runs is enough: Tables 1 and 2 average over tasks."""
    correlated = analysis["correlated"]

    def undecided(fewest: int) -> set[str]:
        runs = list(correlated["run"].unique())[:fewest]
        few = (correlated["task"] == "CO.Thorough") & ~correlated["run"].isin(runs)
        here, _ = PAPER.findings({**analysis, "correlated": correlated[~few]}, PRINTED, CONTEXT)
        trend = next(finding for finding in here if finding.name == "trend-in-every-task")
        assert len(trend.comparisons) == 6
        return {finding.name for finding in here if finding.verdict == NOT_TESTABLE}

    told = {finding.name for finding in PAPER.claims(PRINTED) if "5 runs" in finding.computed}
    assert undecided(FEWEST_RUNS - 1) == told and len(told) == 7
    assert undecided(FEWEST_RUNS) == set()


def test_findings_on_a_campaign(analysis: Analysis) -> None:
    here, there = PAPER.findings(analysis, PRINTED, CONTEXT)
    assert [finding.name for finding in here] == [finding.name for finding in there]
    assert NOT_TESTABLE not in {finding.verdict for finding in here}
    assert made.unknown(PAPER, analysis, CONTEXT) == set()
    # the numbers of the tables
    known = PAPER.quantities(analysis, CONTEXT)
    table1 = analysis["table1"].set_index(["measure_a", "measure_b"])["kendall_τ"]
    for name, pair in (
        ("alike[Q, iMAep]", ("Q", "iMAep")),
        ("overall_at[R, nxCG 10]", ("R", "nxCG[10]")),
        ("at[nxCG 50, MAnxCG 50]", ("nxCG[50]", "MAnxCG[50]")),
    ):
        assert value_of(known[name]) == pytest.approx(table1[pair], abs=1e-12)
    found = {finding.name: finding for finding in here}
    assert found["one-is-ideal"].verdict == BY_CONSTRUCTION
    assert {each.n for each in found["one-is-ideal"].comparisons} == {len(analysis["ideal"])}
    assert found["mean-sees-the-order"].verdict == BY_CONSTRUCTION
    highest = found["nothing-above-ideal"].comparisons
    assert [bool(each.given) for each in highest] == [True] * 3 + [False] * 7
    assert all(each.state() != NOT_TESTABLE and each.n > 0 for each in highest)
    trend = found["trend-in-every-task"].comparisons
    assert len(trend) == 6 and {each.rests_on.over for each in trend if each.rests_on} == {"runs"}


def test_how_measures_depend_on_how_much_there_is_to_find(analysis: Analysis, topics: list[Topic]) -> None:
    amounts = analysis["amounts"].set_index("topic")
    gen = {topic.name: (quantised(topic, "gen") > 0).sum() for topic in topics}
    assert amounts["relevant"].to_dict() == {name: number for name, number in gen.items() if number}
    part = rows_of(analysis["means"], task="CO.Thorough", quantisation="gen", measure="nxCG[25]")
    assert amounts["nxCG[25]"].mean() == pytest.approx(part["value"].mean())
    values = dict.fromkeys(MEASURES_OF_TABLE_1, range(6)) | {"Q": [5, 4, 3, 2, 1, 0], "R": [0, 1, 2, 5, 4, 3]}
    made_so = pd.DataFrame({"topic": list("abcdef"), "relevant": range(6), **values})
    known = depending(made_so, CONTEXT.sample)
    found = {name: value_of(known[f"depends[{name}]"]) for name in ("nxCG 10", "Q", "R")}
    assert found == pytest.approx({"nxCG 10": 1, "Q": -1, "R": 9 / 15})


def test_the_highest_value_is_looked_for_where_text_is_returned_twice(analysis: Analysis) -> None:
    highest = analysis["highest"].set_index(["overlap", "measure"])["highest"]
    assert set(highest.index.get_level_values("overlap")) == {
        "off", "on", "on at alpha 0", "on at alpha 1",
    }  # fmt: skip
    assert highest["off"].max() <= 1 + 1e-9
    # the less text that was seen counts, the lower
    assert highest["on at alpha 0", "nxCG[1500]"] > highest["on at alpha 1", "nxCG[1500]"]


def test_all_runs_stand_under_all_measures(analysis: Analysis) -> None:
    table = analysis["runs"]
    long = table.melt(table.columns[:5], var_name="measure").dropna(subset="value")
    keys = [*table.columns[:5], "measure"]
    assert long.set_index(keys)["value"].to_dict() == analysis["means"].set_index(keys)["value"].to_dict()
    assert list(table.columns[5:]) == list(MEASURES_OF_TABLE_1)
    shown = under_gen(table)
    assert len(shown) == 8 * (1 + 1 + 3) and "quantisation" not in shown


def test_tasks_say_what_there_is_to_find_or_why_they_are_missing(topics: list[Topic]) -> None:
    rows = [("SSCAS", f"run{run}", str(topic)) for run in range(8) for topic in range(3)]
    rows += [("CO.Thorough", "run1", "1")]
    scores = pd.DataFrame(rows, columns=["task", "run", "topic"])
    whole = Topic("5", "inex2005", topics[0].collection, np.array([0]), np.array([2.0]), np.ones(1), None)
    topics = [*topics, whole]
    table = tasks_table(scores, {"SSCAS": topics, "CO.Thorough": []}, {"VVCAS": "why"})
    assert table[["task", "note"]].values.tolist() == [
        ["SSCAS", ""],
        ["CO.Thorough", ""],
        ["VVCAS", "not available: why"],
    ]
    assert table[["runs", "topics", "topics_with_these"]].values.tolist()[:2] == [[8, 3, 4], [1, 1, 0]]
    assert table.loc[2, ["runs", "topics", "topics_with_these"]].isna().all()
    relevant = [sum(e > 0 for e in topic.exhaustivity) for topic in topics if len(topic.element)]
    assert table["relevant"].tolist()[:2] == [np.mean(relevant), 0]
    assert [structure_of(task) for task in ("CO.Thorough", "COS.Thorough", "SVCAS", "VSCAS")] == [
        *("", "target vague, support vague", "target strict, support vague", "target vague, support strict")
    ]


def test_tasks_on_structured_topics_have_one_figure_under_gen(
    scored: pd.DataFrame, analysis: Analysis
) -> None:
    campaign = made.campaign(scale="inex2005", structured_topics={"castitles": ["101"]})
    context = Context(campaign, PAPER.settings())
    made.check_declaration(PAPER, DRAWN, context)
    assert list(task_sets(campaign)) == list(INEX2005) and absent(campaign) == {}
    asked = {request.runs.name: request.measures for request in asks(context) if request.batch == "papers"}
    curves_asked = [name for name in asked["SSCAS"] if name.endswith("@curve")]
    assert len(curves_asked) == 2 and all("quantisation=gen," in name for name in curves_asked)
    assert set(INEX2005["SSCAS"].measures()) <= set(asked["SSCAS"])
    assert len([name for name in asked["CO.Thorough"] if name.endswith("@curve")]) == 6
    figures = [item.name for item in PAPER.items(context) if isinstance(item, Figure)]
    assert "structured" in figures
    assert [name for name in figures if "graphs" in name] == [f"graphs-{task}" for task in TASKS]
    renamed = {"CO.Thorough": "SSCAS", "CO.FetchBrowse": "COS.FetchBrowse"}
    of = {"graphs": graphs(scored.replace(renamed)), "means": analysis["means"].replace(renamed)}
    drawn = DRAWN["graphs"](Figure("structured", "", ""), of, context)
    titles = [axes.get_title("left") for axes in drawn.axes]
    assert titles[:4] == [
        "SSCAS",
        "SSCAS",
        "COS.FetchBrowse, article level",
        "COS.FetchBrowse, element level",
    ]


def test_parameters_as_columns() -> None:
    names = ["MAP", "nxCG(alpha=0.5,overlap=off)@2", "precall", "nxCG@2"]
    specs = {name: parse_specs(name, MEASURES)[0] for name in names}
    table = pd.DataFrame({"name": np.repeat(names, 2)}, index=range(8, 0, -1))
    table["parameters"] = [specs[name].settings for name in table["name"]]
    found = with_parameters(table, ["overlap", "alpha"])
    assert found.index.equals(table.index) and list(found) == ["name", "parameters", "overlap", "alpha"]
    assert found["overlap"].fillna("").tolist() == ["", "", "off", "off", "", "", "on", "on"]
    assert found["alpha"].fillna(-1).tolist() == [-1, -1, 0.5, 0.5, -1, -1, 1, 1]
    assert with_parameters(table.astype("category"), ["alpha"])["alpha"].equals(found["alpha"])
    with pytest.raises(ValueError, match="no measure here has alhpa: they have"):
        with_parameters(table, ["alhpa"])
