"""The numbers of Kazai & Lalmas (2005), against worked examples and the library's own scores."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from focuseval.measures import MEASURES, parse_specs
from focuseval.measures.quantisation import quantised
from focuseval.model.judgements import Topic
from focuseval.report.parts import Figure
from focuseval.scoring.score import score
from focuseval.statistics.correlations import FEWEST_RUNS
from focuseval_papers.kazai2005.numbers import (
    MEASURES as MEASURES_OF_TABLE_1,
)
from focuseval_papers.kazai2005.numbers import (
    PAPER,
    QUANTISATIONS,
    amounts,
    averages,
    of_task,
    taus_of,
    upper_bounds,
)
from focuseval_papers.publication.claims import NOT_TESTABLE, rows_of
from focuseval_papers.publication.correlations import Column, Correlations, Group, correlate
from focuseval_papers.publication.estimates import value_of
from focuseval_papers.publication.kinds import drawings
from focuseval_papers.publication.paper import Context
from focuseval_papers.workflow.campaign_settings import FindingSettings
from focuseval_papers.workflow.runsets import RunSet
from tests.papers import materials

PRINTED = materials.printed(*PAPER.declared.printed)
TABLE1, TABLE2 = PRINTED.values()
DRAWN = drawings(PAPER.name)
SECTIONS, PARAGRAPHS = 4, 5
TASKS = ("CO.Focussed", "CO.Thorough", "CO.FetchBrowse")
RUNS = RunSet("retrieved-focused")
CAMPAIGN = materials.campaign(scale="inex2005")
CONTEXT = Context(CAMPAIGN, PAPER.settings(), findings=FindingSettings(resamples=200, seed=5))


@pytest.fixture(scope="module")
def material(tmp_path_factory):
    """Return the campaign with the scores that the paper requests; all its tasks have the same runs.

    Six articles of four sections of five paragraphs of 10 characters. The fourth topic has nothing relevant.
    """
    folder = tmp_path_factory.mktemp("kazai2005")
    section = f"<sec>{'<p>0123456789</p>' * PARAGRAPHS}</sec>"
    documents = {f"d{n}": f"<article>{section * SECTIONS}</article>" for n in range(6)}
    collection = materials.collection_on_disk(documents, folder / CAMPAIGN.name)
    rng, nothing = np.random.default_rng(5), np.empty(0)
    topics = [Topic("4", "inex2005", collection, nothing.astype(np.int64), nothing, nothing, None)]
    for name in ("1", "2", "3"):
        begin = np.tile(np.sort(10 * rng.choice(SECTIONS * PARAGRAPHS, 4, replace=False)), 2)
        row, held = collection.highlighted(np.repeat([0, 1], 4), begin, begin + 10)
        e = np.where(collection.document_of(row) == 0, 2.0, 1.0)
        e[rng.random(len(row)) < 0.2] = -1.0
        topics.insert(-1, Topic(name, "inex2005", collection, row, e, held / collection.size[row], None))
    results = materials.random_results(np.random.default_rng(6), topics, systems=8, length=40)
    kinds = ("focused", "thorough", "fetch-and-browse")
    runs = {f"retrieved-{kind}": results for kind in kinds}
    materials.leave(topics, runs, collection, folder / CAMPAIGN.name)
    how = "quantisation=gen,overlap"
    extra_measures = (
        f"nxCG(alpha=0.5,{how}=on)@25",
        f"nxCG({how}=on)@20",
        f"nxCG({how}=off)@25",
        f"MAep({how}=off)",
    )
    return materials.material(PAPER, CONTEXT, folder, *extra_measures)


@pytest.fixture(scope="module")
def scored(material):
    return pd.concat(of_task(material.scores(task), task) for task in TASKS)


@pytest.fixture(scope="module")
def analysis(material):
    return PAPER.analyse(material)


@pytest.mark.parametrize(
    ("name", "task", "graph", "x"),
    [
        ("ep(quantisation=gen,overlap=on)@0.2", "CO.Focussed", "ep/gr", 0.2),
        ("nxCG(quantisation=genLifted,overlap=on)@15", "CO.Focussed", "nxCG", 15),
        ("ep(quantisation=gen,overlap=on,fetch_browse=element)@0.2", "CO.FetchBrowse", "ep/gr", 0.2),
    ],
)
def test_graphs_hold_the_means_that_scoring_gives(name, task, graph, x, material, analysis):
    (spec,) = parse_specs(name, MEASURES)
    expected = score(material.topics(RUNS), material.results(RUNS), [spec]).means().set_index("run")["value"]
    level = str(spec.parameters["fetch_browse"]).replace("off", "")
    key = {"task": task, "graph": graph, "level": level}
    key |= {name: spec.parameters[name] for name in ("quantisation", "overlap")}
    part = rows_of(analysis["graphs"], **key)
    assert len(part) == 8 * 100
    at = part[np.isclose(part["x"], x)].set_index("run")["value"]
    assert at.to_dict() == pytest.approx(expected.to_dict(), abs=1e-12)


def test_analysis_and_verdicts_are_as_they_were(analysis, tmp_path):
    materials.check_publication(PAPER, analysis, CONTEXT, tmp_path)


def test_an_example_is_a_list_of_the_best_run(analysis, material):
    table = analysis["example"]
    (best,) = rows_of(analysis["best"], task="CO.Focussed", quantisation="gen")["best_run"]
    assert set(table["run"]) == {best} and table["topic"].nunique() == 1
    name = "nxCG(quantisation=gen,overlap=on)@10"
    value = score(material.topics(RUNS), material.results(RUNS), parse_specs(name, MEASURES)).per_topic
    (value,) = rows_of(value, run=best, topic=table["topic"][0])["value"]
    assert table["xCG"][9] / table["xCI"][9] == pytest.approx(value, abs=1e-12)


def test_tables_are_means_of_correlations(scored, analysis):
    """Kendall's tau of means over topics, in every task and setting, averaged over all of them."""
    means = scored.groupby(["task", "quantisation", "overlap", "measure", "run"])["value"].mean()
    tables = {name: analysis[name].set_index(list(analysis[name])[:2]) for name in ("table1", "table2")}
    tasks = ("CO.Focussed", "on"), ("CO.Thorough", "off")

    def values(task, quantisation, measure):
        return means[task[0], quantisation, task[1], measure].round(
            12
        )  # values that differ only by rounding are tied

    for a, b in tables["table1"].index:
        taus = [
            stats.kendalltau(values(task, q, a), values(task, q, b)).statistic
            for task in tasks
            for q in QUANTISATIONS
        ]
        row = tables["table1"].loc[(a, b)]
        assert row["kendall_τ"] == pytest.approx(np.nanmean(taus)) and row["correlations"] == 6
        assert row["difference"] == row["kendall_τ"] - row["printed"]
        assert row["low"] <= row["kendall_τ"] <= row["high"]
    for a, b in tables["table2"].index:
        taus = [
            stats.kendalltau(values(task, a, measure), values(task, b, measure)).statistic
            for task in tasks
            for measure in MEASURES_OF_TABLE_1
        ]
        assert tables["table2"].loc[(a, b), "kendall_τ"] == pytest.approx(np.nanmean(taus))
    assert tables["table2"]["printed"].tolist() == [0.56, 0.60, 0.89]
    assert len(tables["table1"]) == 45


def correlated(means):
    """Return the paper's correlations of means over topics: in every task, of measures and of quantisations."""
    keys = [(q, measure) for q in QUANTISATIONS for measure in MEASURES_OF_TABLE_1]
    labels = means["quantisation"] + ": " + means["measure"]
    values = means.assign(topic="", label=labels)
    groups = []
    for task, part in values.groupby("task", sort=False):
        keys_of_task = [key for key in keys if ": ".join(key) in set(part["label"])]
        columns = [Column(": ".join(key), str(task), ": ".join(key)) for key in keys_of_task]
        alike = [(b, a) for a, b in combinations(keys_of_task, 2) if (a[0] == b[0]) != (a[1] == b[1])]
        groups.append(Group(str(task), columns, [(": ".join(b), ": ".join(a)) for b, a in alike]))
    how = CONTEXT.findings
    request = Correlations("of means", ["kendall"], "runs", groups, how.resamples, how.seed)

    def rows(column):
        return values[(values["task"] == column.runs) & (values["label"] == column.measure)]

    return correlate(request, rows)


def test_correlations_are_of_the_means_of_all_tasks(analysis):
    keys = ["group", "a", "b"]
    actual, expected = (
        table.set_index(keys)[["n", "value", "low", "high", "influential", "without"]].sort_index()
        for table in (analysis["estimates"], correlated(analysis["correlated"]))
    )
    pd.testing.assert_frame_equal(actual, expected, atol=1e-12)


def test_a_measure_without_an_order_is_not_averaged():
    rows = [
        ("t", q, m, f"r{r}", float(r) if m != "Q" else 0.0)
        for q in ("gen", "strict")
        for m in ("MAep", "iMAep", "Q")
        for r in range(3)
    ]
    means = pd.DataFrame(rows, columns=["task", "quantisation", "measure", "run", "value"])
    means_of_taus = averages(taus_of(correlated(means), "table1"), TABLE1).set_index(
        ["measure_a", "measure_b"]
    )
    assert means_of_taus.loc[("iMAep", "MAep"), ["correlations", "kendall_τ"]].tolist() == [2, 1.0]
    assert means_of_taus.loc[("Q", "MAep"), "correlations"] == 0 and np.isnan(
        means_of_taus.loc[("Q", "MAep"), "kendall_τ"]
    )
    of_quantisations = averages(taus_of(correlated(means), "table2"), TABLE2)
    assert of_quantisations[["quantisation_a", "correlations"]].to_numpy().tolist() == [["gen", 2]]


@pytest.mark.parametrize(
    ("gains", "labels"),
    [
        ([0.0, 1, 1, 2, 2, 3], ["nxCG[1] = 0.00 / 1.00 = 0.00", "ep = 1.0 / 2.0 = 0.500"]),
        ([0.0] * 6, ["nxCG[1] = 0.00 / 1.00 = 0.00"]),  # without gain there is no effort
        ([0.0243, 1, 1, 2, 2, 3], ["nxCG[1] = 0.0243 / 1.00 = 0.0243", "ep = 1.0 / 2.0 = 0.500"]),
    ],
)
def test_figure_1_has_both_numbers_in_its_legend(gains, labels):
    example = pd.DataFrame({"run": "a", "topic": "1", "xCG": gains, "xCI": [1.0, 2, 3, 3, 3, 3]})
    drawn = DRAWN["figure1"](Figure("figure1", "", ""), {"example": example}, CONTEXT)
    assert not drawn.axes[0].texts  # there is no text that a curve could cross
    assert [text.get_text() for text in drawn.legends[0].get_texts()[2:]] == labels


def test_few_runs_decide_nothing_about_correlations(analysis):
    """One task with few runs is enough: Tables 1 and 2 average over tasks."""
    means = analysis["correlated"]

    def undecided(fewest):
        runs = list(means["run"].unique())[:fewest]
        kept = means[(means["task"] != "CO.Thorough") | means["run"].isin(runs)]
        frames = {**analysis, "correlated": kept, "estimates": correlated(kept)}
        findings, _ = PAPER.findings(frames, PRINTED, CONTEXT)
        trend = next(finding for finding in findings if finding.name == "trend-in-every-task")
        assert len(trend.comparisons) == 6
        return {finding.name for finding in findings if finding.verdict == NOT_TESTABLE}

    expected = {finding.name for finding in PAPER.claims(PRINTED) if "5 runs" in finding.computed}
    assert undecided(FEWEST_RUNS - 1) == expected and len(expected) == 8
    assert undecided(FEWEST_RUNS) == set()


def test_the_ideal_gain_grows_with_the_number_of_relevant_elements():
    bases = pd.DataFrame(
        {"topic": list("abcd"), "relevant": [3, 0, 2, 1], "10": [3, 9, 2, 1], "25": [1, 9, 2, 3]}
    )
    bounds = upper_bounds(bases.assign(**{"50": [3, 9, 1, 2]}), CONTEXT.sample)
    sums = {rank: value_of(bounds[f"bound[{rank}]"]) for rank in ("10", "25", "50")}
    assert sums == pytest.approx({"10": 1, "25": -1, "50": 1 / 3})


def test_the_ideal_gain_of_a_topic_is_that_of_its_best_elements(material):
    topics = material.topics(RunSet("retrieved-thorough"))
    for topic, row in zip(topics, amounts(topics).itertuples(index=False), strict=True):
        gains = sorted(quantised(topic, "gen"), reverse=True)
        assert row[:2] == (topic.name, sum(gain > 0 for gain in gains))
        assert row[2:] == pytest.approx([sum(gains[:k]) for k in (10, 25, 50)])
