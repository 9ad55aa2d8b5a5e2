"""From scores to Figure 4, the correlations and the findings of Piwowarski & Dupret (2006)."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from focuseval.campaign import schema
from focuseval.measures import MEASURES
from focuseval.measures.declaration import parse_specs
from focuseval.report.figures import draw
from focuseval.report.items import write_tables
from focuseval.statistics.estimates import Sample, value_of
from focuseval.statistics.findings import BY_CONSTRUCTION, CONFIRMED, NOT_CONFIRMED, NOT_TESTABLE
from focuseval.transformations.perturbed_runs import MOVING, name_of
from focuseval_papers.piwowarski2006 import draws, examples, figures, paper
from focuseval_papers.piwowarski2006.draws import AVERAGES, CURVES, LAWS, NEARBY
from focuseval_papers.piwowarski2006.findings import (
    METRICS,
    Evidence,
    findings,
    of_campaign,
    printed_evidence,
)
from focuseval_papers.piwowarski2006.paper import (
    MOVED,
    ONCE,
    PAPER,
    PERTURBED,
    SIBLINGS,
    of_perturbed,
    of_submitted,
)
from focuseval_papers.publication.material import Material
from focuseval_papers.publication.paper import Context
from focuseval_papers.publication.requests import requests
from focuseval_papers.publication.worked_examples import make_examples
from focuseval_papers.workflow.configuration import CampaignSettings

PUBLISHED = pd.read_csv(Path(__file__).parents[2] / "config/published/piwowarski2006.csv")


def tidy(rows: list[tuple[str, str, str, float]], runs: str = "") -> pd.DataFrame:
    """Scores as a scoring job leaves them, of rows of run, topic, measure as asked for, value."""
    found = []
    for run, topic, name, value in rows:
        (spec,) = parse_specs(name, MEASURES)
        cutoff = np.nan if spec.cutoff is None else spec.cutoff
        found.append(
            ("here", runs, -1, run, topic, spec.measure.name, spec.settings, cutoff, spec.name, value)
        )
    told = schema.SCORES.names[: len(found[0])]  # what was counted stands behind, for measures that count
    table = pd.DataFrame(found, columns=told).reindex(columns=schema.SCORES.names)
    names = [field.name for field in schema.SCORES if str(field.type).startswith("dictionary")]
    return table.astype(dict.fromkeys(names, "category"))


def campaign(**settings: Any) -> CampaignSettings:
    given = {"name": "here", "concept_space": {"size": "tiny"}, "scale": "inex2005", **settings}
    return CampaignSettings.model_validate(given)


def context(*, of: CampaignSettings | None = None, **settings: Any) -> Context:
    return Context(of or campaign(), PAPER.settings.model_validate(settings))


def test_measures_are_known() -> None:
    names = [*of_perturbed("gen"), *of_submitted(["strict"])]
    specs = [spec for name in names for spec in parse_specs(name, MEASURES)]
    assert len(specs) == len(AVERAGES) + 2 * 100 + 3
    assert {spec.parameters["ideal"] for spec in specs} == {"paper"}  # the same ideal elements for both


def test_averages_and_curves_are_means_over_topics_or_over_draws() -> None:
    rows = [
        (run, topic, name.format("gen"), value)
        for name in AVERAGES.values()
        for run, of_topics in (
            ("ideal", (1.0, 0.0)),
            ("moved-0.3.1", (0.2, 0.6)),
            ("moved-0.3.2", (0.6, 0.8)),
        )
        for topic, value in zip("12", of_topics, strict=True)
    ]
    rows += [
        (run, topic, name.format("gen").replace("@curve", f"@{level}"), value * float(level))
        for name in CURVES.values()
        for level in ("0.5", "1.0")
        for run, of_topics in (("moved-0.3.1", (0.2, 0.6)), ("moved-0.3.2", (0.6, 0.8)))
        for topic, value in zip("12", of_topics, strict=True)
    ]
    scores = tidy(rows)
    mean, by_topic = draws.averages(scores, AVERAGES, "gen", "moved", 2)
    assert mean[mean["label"] == "MAep"].drop(columns="label").to_numpy() == pytest.approx(
        np.array([[0.0, 1, 0.5], [0.3, 1, 0.4], [0.3, 2, 0.7]])
    )
    assert by_topic[["m", "topic", "EPRUM"]].to_numpy().tolist() == [
        *([0.0, "1", 1.0], [0.0, "2", 0.0]),
        *([0.3, "1", pytest.approx(0.4)], [0.3, "2", pytest.approx(0.7)]),
    ]
    curve, of_topics = draws.curves(scores, "gen", 2)
    assert curve[["metric", "m", "draw", "recall"]].to_numpy().tolist() == [
        [metric, 0.3, draw, level] for metric in CURVES for draw in (1, 2) for level in (0.5, 1.0)
    ]
    assert curve["precision"].to_numpy() == pytest.approx(np.tile([0.2, 0.4, 0.35, 0.7], 2))
    assert of_topics["precision"].to_numpy() == pytest.approx(np.tile([0.2, 0.4, 0.35, 0.7], 2))
    falls = draws.steepest(curve)
    assert falls.to_numpy() == pytest.approx(np.array([[0.3, 1, -0.2, -0.2], [0.3, 2, -0.35, -0.35]]))
    bands = draws.with_bands(curve, ["metric", "m", "recall"], "precision")
    assert bands.iloc[0].tolist() == ["EPRUM", 0.3, 0.5, pytest.approx(0.275), 0.2, pytest.approx(0.35)]


def test_the_normal_law_beside_the_exact_one() -> None:
    values = {"exact": {"t1": 0.5, "t2": 0.7}, "normal": {"t1": 0.4, "t2": 1.0}}
    rows = [
        ("moved-0.3.1", topic, name.format("gen"), value)
        for law, names in LAWS.items()
        for name in names.values()
        for topic, value in values[law].items()
    ]
    found = draws.laws(tidy(rows), "gen")
    assert found["of"].tolist() == ["average", "recall 0.1", "recall 0.5", "recall 0.9"]
    assert found.iloc[2, 1:].astype(float).tolist() == pytest.approx([0.3, 0.6, 0.7, 0.1, 0.3])


def test_top_ranked_values() -> None:
    eprum, ep_gr = np.array([0.9, 0.8, 0.1, 0.7]), np.array([0.1, 0.8, 0.9, 0.7])
    assert paper.top_ranked(eprum, ep_gr, "EPRUM", 2).tolist() == [True, True, False, False]
    assert paper.top_ranked(eprum, ep_gr, "EP/GR", 2).tolist() == [False, True, True, False]
    assert paper.top_ranked(eprum, ep_gr, "both", 1).tolist() == [False, True, False, False]
    assert paper.top_ranked(eprum, ep_gr, "both", 9).all()


def test_correlations_of_all_values_the_top_and_the_rest() -> None:
    rng = np.random.default_rng(6)
    x = rng.random(60)
    values = {"EPRUM": x, "MAep": x + rng.random(60), "iMAep": rng.random(60)}
    rows = [
        (f"r{i % 6}", f"t{i // 6}", AVERAGES[label].format("gen"), value)
        for label, column in values.items()
        for i, value in enumerate(column)
    ]
    found = paper.values(tidy(rows), ["gen"])
    table = paper.correlations(found, PUBLISHED, top=20)
    assert len(table) == 2 * (1 + 3 * 2 + 1)
    assert table.groupby("part")["values"].unique().map(list).to_dict() == {
        "all": [60],
        "top": [20],
        "rest": [40],
        "within topics": [60],
    }
    with_printed = table.dropna(subset="printed")
    assert with_printed.groupby("part")["printed"].unique().map(list).to_dict() == {
        "all": [0.75],
        "top": [0.9],
        "rest": [0.65],
    }
    first = table.iloc[0]
    assert first["pearson_r"] == pytest.approx(np.corrcoef(x, values["MAep"])[0, 1], abs=1e-12)
    of = np.arange(60) % 6
    without = [np.corrcoef(x[of != n], values["MAep"][of != n])[0, 1] for n in range(6)]
    most = int(np.argmax(np.abs(np.array(without) - first["pearson_r"])))
    assert first["influential_run"] == f"r{most}"
    assert first["r_without_it"] == pytest.approx(without[most], abs=1e-12)
    each = [np.corrcoef(x[i : i + 6], values["MAep"][i : i + 6])[0, 1] for i in range(0, 60, 6)]
    within = table[(table["part"] == "within topics") & (table["EP/GR"] == "MAep")]
    assert within["pearson_r"].item() == pytest.approx(np.mean(each), abs=1e-12)
    by_eprum = table[
        (table["ranked_by"] == "EPRUM") & (table["part"] == "rest") & (table["EP/GR"] == "iMAep")
    ]
    rest = np.argsort(x)[:40]
    expected = np.corrcoef(x[rest], values["iMAep"][rest])[0, 1]
    assert by_eprum["pearson_r"].item() == pytest.approx(expected, abs=1e-12)


def test_too_few_values_for_a_correlation() -> None:
    rows = [("r", "t", AVERAGES[label].format("gen"), 0.5) for label in ("EPRUM", "MAep", "iMAep")]
    table = paper.correlations(paper.values(tidy(rows), ["gen"]), PUBLISHED, top=48)
    assert table["pearson_r"].isna().all()


#: the findings that cannot fail on any campaign
GIVEN = ("perfect-ideal-run", "near-misses-are-rewarded")


def as_the_paper_says() -> Evidence:
    """Made-up numbers that agree with everything that the paper finds."""
    levels = np.arange(1, 101) / 100
    average = {"m": MOVING, "EPRUM": [1 - m for m in MOVING], "MAep": [(1 - m) ** 2 for m in MOVING]}
    average["EPRUM_standard"] = [(1 - m) ** 3 for m in MOVING]
    average["iMAep"] = average["MAep"]
    parts = []
    for m in MOVING:
        falling = np.where(levels > 0.5, 0.0, 1 - m) if m >= 0.7 else 1 - 1.5 * m * levels**4
        for metric, precision in (("EPRUM", 1 - m * levels), ("EP/GR", falling if m else np.ones(100))):
            parts.append(pd.DataFrame({"metric": metric, "m": m, "recall": levels, "precision": precision}))
    curves = pd.concat(parts, ignore_index=True)
    topics = Sample("topics", tuple("abc"), "topics", 100, 1)
    near = pd.DataFrame(
        {"m": MOVING, "EPRUM_distance": [1 - m / 2 for m in MOVING], "EPRUM": average["EPRUM"]}
    )
    averages, curves, near = (
        pd.concat([table.assign(topic=t) for t in "abc"]) for table in (pd.DataFrame(average), curves, near)
    )
    steepest = pd.DataFrame(
        [(m, draw, 0.01 * draw, 0.02 * draw) for m in MOVING for draw in (1, 2)],
        columns=["m", "draw", *METRICS],
    )
    drawn = Sample("draws", ("1", "2"), "draws", 100, 1)
    return Evidence(averages, curves, steepest, near, {"all": 0.75, "top": 0.9, "rest": 0.65}, topics, drawn)


def verdicts(evidence: Evidence) -> dict[str, str]:
    return {finding.name: finding.verdict for finding in findings(evidence)}


def test_the_printed_numbers_confirm_what_they_can_decide() -> None:
    found = verdicts(printed_evidence(PUBLISHED))
    decided = {"different-behaviour", "agreement-at-the-top", "the-others-lower-it"}
    assert {name for name, verdict in found.items() if verdict == CONFIRMED} == decided
    assert {verdict for name, verdict in found.items() if name not in decided} == {NOT_TESTABLE}


def test_numbers_as_the_paper_describes_them_confirm_everything() -> None:
    found = verdicts(as_the_paper_says())
    assert {found.pop(name) for name in GIVEN} == {BY_CONSTRUCTION}
    assert set(found.values()) == {CONFIRMED}


def changed(evidence: Evidence, metric: str, m: float, recall: float, precision: float) -> Evidence:
    curves = evidence.curves.copy()
    which = (curves["metric"] == metric) & (curves["m"] == m) & (curves["recall"] >= recall)
    curves.loc[which, "precision"] = precision
    return replace(evidence, curves=curves)


def test_each_finding_can_fail() -> None:
    good = as_the_paper_says()
    averages = good.averages.copy()
    averages.loc[averages["m"] == 0.5, "MAep"] = 0.9
    standard = good.averages.assign(EPRUM_standard=good.averages["EPRUM"])
    cases = {
        "perfect-ideal-run": changed(good, "EP/GR", 0.0, 0.9, 1.1),
        "smooth-degradation": replace(good, averages=averages),
        "stable-over-recall": changed(good, "EPRUM", 0.4, 0.9, 0.0),
        "ep-gr-collapses": changed(good, "EP/GR", 0.8, 0.6, 0.2),
        "no-collapse-at-high-recall": changed(good, "EPRUM", 0.9, 0.6, 0.0),
        "smoother-curves": replace(good, steepest=good.steepest.assign(EPRUM=[0.01, 0.1] * 10)),
        "near-misses-are-rewarded": replace(good, averages=standard),
        "siblings-degrade-smoothly": replace(good, siblings=good.siblings.assign(EPRUM_distance=0.7)),
        "siblings-are-rewarded": replace(good, siblings=good.siblings.assign(EPRUM=0.9)),
        "different-behaviour": replace(good, correlation={"all": 0.95, "top": 0.96, "rest": 0.9}),
        "agreement-at-the-top": replace(good, correlation={"all": 0.75, "top": 0.8, "rest": 0.65}),
        "the-others-lower-it": replace(good, correlation={"all": 0.5, "top": 0.9, "rest": 0.65}),
    }
    assert set(cases) == set(verdicts(good))
    for name, evidence in cases.items():
        assert verdicts(evidence)[name] == NOT_CONFIRMED, name


def test_correlations_of_a_campaign_draw_topics_with_all_their_values() -> None:
    rng = np.random.default_rng(9)
    x = rng.random(60)
    table = pd.DataFrame({"topic": np.repeat(list("abcdefghij"), 6), "EPRUM": x, "MAep": x + rng.random(60)})
    y = table["MAep"].to_numpy()
    empty = pd.DataFrame({"topic": ["a"], "metric": ["EPRUM"], "m": [0.0], "draw": [1]})

    def draw(name: str, members: Sequence[str], over: str) -> Sample:
        return Sample(name, tuple(members), over, 50, 1)

    found = of_campaign(empty, empty, empty, empty, table, 20, draw).correlation
    top = paper.top_ranked(x, y, "both", 20)
    for part, which in (("all", np.ones(60, dtype=bool)), ("top", top), ("rest", ~top)):
        assert value_of(found[part]) == pytest.approx(np.corrcoef(x[which], y[which])[0, 1], abs=1e-12)
        assert (found[part].n, found[part].over) == (10, "topics")
    # without the first topic the top are the first 20 of the others
    ranks = pd.DataFrame({"x": -x, "y": -y}).rank().sum(axis=1).to_numpy()
    rest = np.argsort(np.where(np.arange(60) < 6, np.inf, ranks), kind="stable")[:20]
    (without,) = found["top"].without.values()
    assert without[0] == pytest.approx(np.corrcoef(x[rest], y[rest])[0, 1], abs=1e-12)


def test_a_perturbed_run_rests_on_its_topics() -> None:
    """Average precision and points of the curves are means over the topics that are drawn."""
    good = as_the_paper_says()
    assert good.topics is not None
    for table in (good.averages, good.curves):
        shift = table["topic"].map({"a": 0.9, "b": 1.0, "c": 1.1})
        for name in {"EPRUM", "precision"} & set(table.columns):
            table[name] *= shift
    fall = next(f for f in findings(good) if f.name == "smooth-degradation").comparisons[3]
    assert value_of(fall.left) == pytest.approx(0.7) and value_of(fall.right) == pytest.approx(0.6)
    weights = good.topics.weights[1]
    drawn = (weights * [0.9, 1.0, 1.1]).sum() / 3
    assert fall.rests_on is not None and fall.rests_on.drawn[0] == pytest.approx(drawn * 0.1)
    stays = next(f for f in findings(good) if f.name == "no-collapse-at-high-recall").comparisons[0]
    assert value_of(stays.left) == pytest.approx(np.mean(1 - 0.7 * np.arange(61, 101) / 100))


def test_table_1_beside_the_printed_one() -> None:
    table = examples.table1()
    assert len(table) == 10
    assert table["share_%"].to_numpy() == pytest.approx(table["printed_%"].to_numpy(), abs=1e-9)
    assert table["share_%"].iloc[:-1].sum() == pytest.approx(100)
    for r in (1, 2):
        expected = float((table["share_%"] * table[f"A/ML_{r}"]).iloc[:-1].sum() / 100)
        assert table[f"A/ML_{r}"].iloc[-1] == pytest.approx(expected, abs=1e-12)


def test_the_numbers_of_the_sections_without_the_cells_of_table_1() -> None:
    table = examples.numbers().set_index("quantity")
    assert table.loc["Section 4 precision at recall 2"].tolist() == [
        "0.74",
        "0.7488",
        "no",
        "printed from the rounded 0.37",
    ]
    assert (table["agrees"] == "yes").sum() == len(table) - 2
    assert not table.index.str.contains("column").any()
    printed = PUBLISHED[~PUBLISHED["quantity"].str.startswith("Section 7")]
    assert set(printed["quantity"]) <= set(table.index)


def test_worked_examples_are_written_without_a_program_that_draws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "focuseval.report.figures", None)  # importing it fails
    section = make_examples(PAPER, tmp_path)
    written = {path.name for path in tmp_path.iterdir()}
    names = ("session", "table1", "normal_law", "numbers")
    assert written == {f"{name}.{form}" for name in names for form in ("csv", "md", "tex")}
    assert 'id="piwowarski2006-examples"' in section
    assert "printed from the rounded 0.37" in section


def test_figure_4_has_ten_curves_of_different_colours_in_each_panel() -> None:
    curves = as_the_paper_says().curves.rename(columns={"precision": "mean"})
    drawn = figures.figure4(curves.assign(lowest=curves["mean"] - 0.1, highest=curves["mean"] + 0.1))
    assert [ax.get_title() for ax in drawn.axes] == ["EPRUM", "EP/GR"]
    for ax in drawn.axes:
        assert len({to_hex(line.get_color()) for line in ax.lines}) == 10
        assert len(ax.collections) == 10  # the bands
    (legend,) = drawn.legends
    assert [text.get_text() for text in legend.get_texts()] == [f"{m:.1f}" for m in MOVING]


def test_scatter_plots_leave_out_an_empty_part() -> None:
    values = pd.DataFrame({"EPRUM": [0.1, 0.2, 0.3], "MAep": [0.1, 0.3, 0.2]})
    assert len(figures.scatter(values, top=48).axes) == 2
    assert len(figures.scatter(values, top=1).axes) == 2


def test_which_campaigns_suit() -> None:
    assert PAPER.suits(campaign()) == PAPER.suits(campaign(scale="highlights")) == ""
    assert "the paper needs inex2005 or highlights" in PAPER.suits(campaign(scale="inex2003"))


def test_runs_are_those_of_the_focussed_task_if_there_is_one() -> None:
    assert paper.runs_of(context()).name == "CO.Focussed"
    files = {"collection": "c", "assessments": "a", "scale": "inex2005"}
    submitted = CampaignSettings.model_validate({"name": "here", "runs": "r", **files})
    assert paper.runs_of(context(of=submitted)).name == "CO.Thorough"
    assert "those of the task CO.Thorough" in PAPER.introduction(context(of=submitted))


def test_what_is_asked_for() -> None:
    here = campaign()
    settings = PAPER.settings.model_validate({"quantisations": ["strict", "gen"], "seed": 7})
    asked = requests(["here"], {"here": here}, {PAPER.name: settings}, {PAPER.name: PAPER})["here"]
    [(own, names)] = asked.scores["papers"]
    (moved, of_moved), (once, _), (siblings, of_siblings) = asked.scores[PERTURBED]
    assert (own.name, own.runs, tuple(names)) == ("CO.Focussed", "focused", of_submitted(["strict", "gen"]))
    assert (moved.name, moved.runs, moved.judgements) == (MOVED, own.runs, own.judgements)
    assert moved.transformation == "perturbed_runs"
    assert moved.settings == siblings.settings == {"quantisation": "strict", "seed": 7, "draws": 20}
    assert (once.name, once.settings) == (ONCE, {**moved.settings, "draws": 1})
    assert (siblings.name, siblings.transformation) == (SIBLINGS, "sibling_runs")
    assert of_siblings == [name.format("strict") for name in NEARBY.values()]
    assert tuple(of_moved) == of_perturbed("strict")


def test_what_others_ask_for_of_the_same_runs_is_left_alone() -> None:
    own = [("r", "t", AVERAGES[label].format("gen"), 0.5) for label in ("EPRUM", "MAep", "iMAep")]
    others = [
        "MAep(quantisation=gen,overlap=off)",
        "MAep(quantisation=strict,overlap=on)",
        "iMAep(quantisation=gen,overlap=on,ideal=deepest)",
        "EPRUM(navigation=length-ratio,quantisation=gen,distribution=normal)",
        "EPRUM(navigation=length-ratio,quantisation=gen)@0.5",
    ]
    scores = tidy([*own, *(("r", "t", name, 0.9) for name in others)])
    assert paper.values(scores, ["gen"]).to_dict("records") == [
        {"quantisation": "gen", "run": "r", "topic": "t", "EPRUM": 0.5, "MAep": 0.5, "iMAep": 0.5}
    ]


def test_from_a_campaigns_scores_to_tables_figures_and_findings(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    here = context(quantisations=["gen", "strict"], top=5, draws=2)
    lists = [(f"r{run}", f"t{topic}") for run in range(6) for topic in range(3)]
    rows = [(*at, name, rng.random()) for name in of_submitted(["gen", "strict"]) for at in lists]
    specs = [spec for name in of_perturbed("gen") for spec in parse_specs(name, MEASURES)]
    once, twice, siblings = (
        [name_of(m, draw, stem) for m in MOVING for draw in range(1, 1 + n if m else 2)]
        for stem, n in (("moved", 1), ("moved", 2), ("sibling", 2))
    )
    of_laws = [name.format("gen") for law in LAWS.values() for name in law.values()]
    nearby = [name.format("gen") for name in NEARBY.values()]
    made = [
        tidy([(run, t, name, rng.random()) for name in names for run in runs for t in ("t0", "t1")], of)
        for of, runs, names in (
            (MOVED, twice, [spec.asked for spec in specs]),
            (ONCE, once, of_laws),
            (SIBLINGS, siblings, nearby),
        )
    ]
    (tmp_path / "here" / "scores").mkdir(parents=True)
    for batch, tables in {"papers": [tidy(rows, "CO.Focussed")], PERTURBED: made}.items():
        scores = pd.concat([table.astype(str) for table in tables])
        scores = scores.astype({"size": int, "cutoff": float, "value": float})
        schema.write(scores, schema.SCORES, tmp_path / "here/scores" / f"{batch}.parquet")
    printed = {"piwowarski2006": PUBLISHED}
    analysis = PAPER.analyse(Material(here, tmp_path / "here", printed))
    assert len(analysis["averages"]) == len(AVERAGES) * len(twice)
    assert len(analysis["laws"]) == 4 * len(MOVING)
    assert len(analysis["curves"]) == len(METRICS) * len(MOVING) * 100
    assert len(analysis["values"]) == 2 * len(lists)
    items = PAPER.items(here)
    assert [item.name for item in items] == [
        *("figure4", "perturbed", "siblings", "siblings", "laws", "scatter", "correlation")
    ]
    write_tables(items, analysis, here, tmp_path)
    shown = pd.read_csv(tmp_path / "perturbed.csv")
    curve = analysis["curves"].set_index(["metric", "m", "recall"])["mean"]
    assert shown["EP/GR@0.9"].to_numpy() == pytest.approx([curve["EP/GR", m, 0.9] for m in MOVING])
    assert (tmp_path / "correlation.tex").is_file()
    draw(items, figures.DRAWN, analysis, here, tmp_path)
    assert all((tmp_path / f"{name}.svg").is_file() for name in ("figure4", "siblings", "scatter"))
    points = figures.DRAWN["scatter"](items[5], analysis, here).axes[0].collections[0].get_offsets()
    assert len(points) == len(lists)  # those of the first quantisation
    found, there = PAPER.findings(analysis, printed, here)
    assert [finding.name for finding in found] == [finding.name for finding in there]
    assert {f.name for f in found if f.verdict == NOT_TESTABLE} == set()
