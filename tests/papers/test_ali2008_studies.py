"""From scores to Table 3, figures, findings and the section of Ali et al. (2008)."""

from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from focuseval.campaign import schema
from focuseval.measures import MEASURES, parse_specs
from focuseval.measures.structural_summary import steady_state, summarise, weighted_edges
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.report.figures import draw, save_figure
from focuseval.report.items import Absent, Analysis, Figure, Table, read_analysis, write_analysis
from focuseval.scoring.score import score
from focuseval.statistics.correlations import spearman
from focuseval.statistics.estimates import Estimate, Quantity, value_of
from focuseval.statistics.findings import (
    CONFIRMED,
    NOT_CONFIRMED,
    NOT_TESTABLE,
    findings_table,
)
from focuseval.transformations.perturbations import EXPECTED, ORIGINAL, PERTURBATIONS, transform
from focuseval_papers.ali2008 import accuracy, drawings, fidelity, numbers
from focuseval_papers.ali2008.examples import FIGURE_1, by_node, figure_1
from focuseval_papers.ali2008.numbers import HEADINGS, PAPER, AliSettings
from focuseval_papers.publication.analysing import make_tables
from focuseval_papers.publication.catalogue import drawings as all_drawings
from focuseval_papers.publication.frames import labelled
from focuseval_papers.publication.paper import Context
from focuseval_papers.publication.section import make_section
from focuseval_papers.publication.worked_examples import make_examples
from focuseval_papers.workflow.configuration import CampaignSettings, FindingSettings
from focuseval_papers.workflow.runsets import RunSet
from tests.papers import made
from tests.trees import random_collection, random_topic

TABLES = made.printed("ali2008_table3")
PRINTED = TABLES["ali2008_table3"]
SETTINGS = AliSettings()
CUTOFFS = SETTINGS.cutoffs
DRAWN = all_drawings(PAPER.name)


def campaign(**given: Any) -> CampaignSettings:
    """A campaign of files, or without ``runs`` a synthetic one."""
    files = {"collection": "c", "assessments": "a"} if "runs" in given else {}
    return made.campaign(**{"scale": "inex2005", **files, **given})


def context(**given: Any) -> Context:
    return Context(campaign(**given), SETTINGS, findings=FindingSettings(resamples=100))


# ---- what is asked


def test_tasks_of_campaigns() -> None:
    tasks = numbers.tasks_of(campaign(task="CO"), SETTINGS)
    assert [runs.runs for runs in tasks.values()] == ["thorough", "focused", "fetch-and-browse"]
    assert list(tasks) == list(HEADINGS) == [runs.name for runs in tasks.values()]
    # of a campaign that is made here as many runs and topics as the paper had
    sizes = [(runs.first_runs, runs.first_topics) for runs in tasks.values()]
    assert sizes == [(26, 114), (26, 114), (10, 104)]
    for task, own in (
        ("CO", "thorough"),
        ("focused", "focused"),
        ("relevant-in-context", "relevant-in-context"),
    ):
        runs = numbers.tasks_of(campaign(runs="r", task=task), SETTINGS)
        assert list(runs) == [own] and (runs[own].runs, runs[own].task) == ("submitted", own)
        assert runs[own].first_runs is runs[own].first_topics is None
    files = {
        "collection": "c",
        "assessments": "a",
        "tasks": {"CO.Focussed": {"runs": "r", "only_topics": ["1"]}},
    }
    found = numbers.tasks_of(campaign(**files), SETTINGS)
    assert list(found) == ["focused"]
    assert found["focused"].runs == "CO.Focussed" and found["focused"].topics == ("1",)
    # a figure of both studies is absent where its tasks are
    shown = PAPER.items(context(**files))
    assert [item.name for item in shown if isinstance(item, Figure)] == ["accuracy", "graph"]
    assert {item.why for item in shown if isinstance(item, Absent)} == {
        "the campaign has no runs of the task."
    }
    assert not any(isinstance(item, Absent) for item in PAPER.items(context()))


def test_campaigns_that_do_not_suit_are_told_why() -> None:
    assert PAPER.suits(campaign()) == PAPER.suits(campaign(scale="highlights")) == ""
    assert "on the scale inex2003" in PAPER.suits(campaign(scale="inex2003"))
    none = campaign(runs="r", tasks={"COS.Thorough": {}})
    assert "none of the tasks CO.Thorough, CO.Focussed" in PAPER.suits(none)


def test_every_task_is_scored_under_its_own_rule() -> None:
    asked = {request.runs.name: request for request in PAPER.asks(context())}
    versions = [
        f"{task}, {v}" for task in ("thorough", "relevant-in-context") for v in (ORIGINAL, *PERTURBATIONS)
    ]
    assert list(asked) == ["thorough", "focused", *versions]
    rules = {name: request.runs.task for name, request in asked.items() if request.runs.task != "thorough"}
    assert rules == {"focused": "focused", "relevant-in-context, S0": "relevant-in-context"}
    # what scoring left out is told of the runs as they are, and once
    told = [name for name, request in asked.items() if request.told]
    assert told == ["thorough", "focused", "relevant-in-context, S0"]
    clusters = asked["relevant-in-context, iv"].runs
    assert (clusters.runs, clusters.transformation) == ("fetch-and-browse", "perturbations")
    assert clusters.settings == {"version": "iv", "quantisation": "gen", "clusters": True, "ranks": 100}
    assert all("trees=articles" in name for name in asked["relevant-in-context, iv"].measures)


# ---- a campaign of random scores


def scores_of(seed: int, task: str) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    names = [name for asked in numbers.accuracy_measures(SETTINGS, task).values() for name in asked]
    specs = [spec for name in names for spec in parse_specs(name, MEASURES)]
    rows = [
        (f"r{run}", f"t{topic}", spec.name, float(spec.cutoff or 0), run + 3 * rng.random())
        for run in range(30)
        for topic in range(4)
        for spec in specs
    ]
    return pd.DataFrame(rows, columns=["run", "topic", "name", "cutoff", "value"])


def perturbed_of(seed: int, task: str) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    rows = [
        (task, f"r{run}", f"t{topic}", k, version, 6.0 - place + 2 * rng.random())
        for run in range(30)
        for topic in range(4)
        for k in CUTOFFS[task]
        for place, version in enumerate(EXPECTED)
    ]
    return pd.DataFrame(rows, columns=["task", "run", "topic", "cutoff", "perturbation", "value"])


class Scores:
    """What `numbers.system_means` asks of its material."""

    context = context()

    def scores(self, name: str) -> pd.DataFrame:
        return scores_of({"thorough": 1, "focused": 2}[name], name)


TASKS = numbers.tasks_of(campaign(task="CO"), SETTINGS)
MEAN = numbers.system_means(Scores(), TASKS)  # type: ignore[arg-type]
ACCURACIES = accuracy.accuracy_readings(MEAN)
FULL = list(
    fidelity.perturbed_in_full(
        pd.concat([perturbed_of(3, "thorough"), perturbed_of(4, "relevant-in-context")])
    )
)
STUDIES = {name: fidelity.together(FULL, name) for name in fidelity.FRAMES if name != "by_draw"}
FIDELITIES = STUDIES["fidelity"]
INTERVALS = accuracy.with_intervals(MEAN, context().sample)
TABLE3 = numbers.table3(ACCURACIES, INTERVALS, FIDELITIES, PRINTED)
PRECISION = MEAN[MEAN["label"] == "MASRP"].assign(label="precision", value=lambda table: -table["value"])
REPEATS = pd.DataFrame(
    {
        **{"task": "focused", "run": ["a", "b"], "topics": [3, 4], "results": [50, 150]},
        **{"overlapping": [0, 0], "same_document": [10, 40]},
    }
)


def test_means_are_of_the_measures_that_were_asked_for() -> None:
    scores = scores_of(2, "focused")
    found = MEAN[MEAN["task"] == "focused"]
    labels = ["MASRP", "SRP", "nxCG", "nxCG, overlap off"]
    assert set(zip(found["label"], found["cutoff"], strict=True)) == set(product(labels, CUTOFFS["focused"]))
    one = scores[(scores["run"] == "r7") & (scores["name"] == "nxCG(overlap=off)@25")]
    mean = found[(found["run"] == "r7") & (found["label"] == "nxCG, overlap off") & (found["cutoff"] == 25)]
    assert mean["value"].item() == pytest.approx(one["value"].mean())
    # scores of other papers' measures stand in the same file
    asked = numbers.accuracy_measures(SETTINGS, "focused")
    others = scores.assign(name=scores["name"].str.replace("@", "(own_text=literal)@"), value=9.0)
    more = pd.concat([scores, others]).astype({"name": "category", "run": "category"})
    assert len(labelled(more, asked, MEASURES.values())) == len(scores)


def test_accuracy_in_every_reading() -> None:
    scores = scores_of(2, "focused")
    asked = numbers.accuracy_measures(SETTINGS, "focused")
    readings = numbers.readings_table(ACCURACIES)
    assert list(readings["task"].unique()) == ["thorough", "focused"]
    for labels in product(("MASRP", "SRP"), ("nxCG", "nxCG, overlap off")):
        names = [parse_specs(asked[label][2], MEASURES)[0].name for label in labels]
        columns = [scores[scores["name"] == name].groupby("run")["value"].mean() for name in names]
        found = readings.query("task == 'focused' and study == 'overall' and cutoff == 25")
        assert found[" and ".join(labels)].item() == spearman(*columns).coefficient


def test_fidelity_of_every_task_and_cutoff() -> None:
    one = perturbed_of(4, "relevant-in-context").query("cutoff == 50")
    wide = one.pivot(index=["run", "topic"], columns="perturbation", values="value")
    direct = fidelity.fidelity(wide)
    at = "task == 'relevant-in-context' and cutoff == 50"
    found = FIDELITIES.query(at)
    pd.testing.assert_frame_equal(found[direct.columns].reset_index(drop=True), direct)
    assert len(FIDELITIES) == 8 * (1 + 4 + 30)
    steps = STUDIES["steps"]
    assert len(steps) == 8 * 5
    assert steps[["higher_%", "equal_%", "lower_%"]].sum(axis=1).to_numpy() == pytest.approx(np.full(40, 100))
    mean = STUDIES["versions"].query(at)["iv"].item()
    assert mean == pytest.approx(one[one["perturbation"] == "iv"]["value"].mean())
    by_topic = STUDIES["by_topic"].query(at).set_index("topic")
    of_one = one[(one["perturbation"] == "ii") & (one["topic"] == "t2")]["value"]
    assert by_topic["ii"]["t2"] == pytest.approx(of_one.mean())
    gained = fidelity.gains(STUDIES["by_topic"].assign(perturbed="in full"), 200, 1)
    assert len(gained) == 8 * len(fidelity.PAIRS) and len(fidelity.PAIRS) == 5 + 5 - 2
    row = gained.query(f"{at} and difference == 'S0 − (ii)'")
    assert row["mean"].item() == pytest.approx((by_topic["S0"] - by_topic["ii"]).mean())
    assert gained[["low", "high"]].isna().all(axis=None), "of fewer than 6 topics there is no interval"


def test_rounding_errors_make_no_order() -> None:
    values = np.array([[0.1 + place * 1e-17 for place in range(6)]])
    values[0, 0] = 0.3 - 0.2  # 0.09999999999999998
    assert fidelity.observed_orders(values).tolist() == [[3.5] * 6]
    assert np.isnan(fidelity.agreement(values).coefficient) and fidelity.as_expected(values).all()


def test_table_3() -> None:
    assert list(TABLE3["part"].unique()) == ["A", "B overall", "B relative", "C", "not printed"]
    assert len(TABLE3.dropna(subset=["printed"])) == len(PRINTED)
    assert TABLE3.query("part == 'C' and cutoff == 100")["printed"].item() == 4.35e-30
    assert TABLE3.query("part == 'A' and cutoff == 10")["lists"].item() == 30
    assert TABLE3.query("part == 'C' and cutoff == 10")["lists"].item() == 120
    reading = "task == 'thorough' and structural == 'MASRP' and reference == 'nxCG' and part == 'overall'"
    assert list(TABLE3.query("part == 'A'")["p_value"]) == list(ACCURACIES.query(reading)["p_value"])


def test_what_runs_repeat() -> None:
    # document 0: [0, 10) holds [2, 6) and [6, 9); document 1: [0, 5)
    lists = [
        [(0, 2, 6), (0, 6, 9), (1, 0, 5), (0, 0, 10), (1, 0, 5)],
        [(1, 0, 5), (0, 0, 10)],
    ]
    rows = [(topic, rank + 1, *result) for topic, of in enumerate(lists) for rank, result in enumerate(of)]
    topic, rank, document, start, end = (np.array(column) for column in zip(*rows, strict=True))
    zero = np.zeros(len(rows), dtype=np.int64)
    results = Results(
        pd.Index(["r"]), pd.Index(["1", "2"]), zero, topic, rank, document, zero - 1, start, end, zero / 1.0
    )
    for size, expected in ((9, [7, 2, 3]), (None, [7, 2, 3]), (3, [5, 0, 1])):
        assert numbers.repeated(results, size).to_numpy().tolist() == [["r", 2, *expected]]
    assert numbers.repeated_table(REPEATS).to_numpy().tolist() == [["focused", 2, 4, 200, 0.0, 25.0]]


# ---- findings


def analysis_of(**changed: pd.DataFrame) -> Analysis:
    """Frames of the random campaign, of which some are changed."""
    by_topic = STUDIES["by_topic"]
    frames = {
        "table3": TABLE3,
        "means": pd.concat([MEAN, PRECISION]),
        "repeated_by_run": REPEATS,
        **STUDIES,
        "by_topic": pd.concat([by_topic.assign(perturbed="in full"), by_topic.assign(perturbed="in part")]),
        **changed,
    }
    return {name: numbers.in_words(frame) for name, frame in frames.items()}


def quantities(**changed: pd.DataFrame) -> dict[str, Quantity]:
    return dict(PAPER.quantities(analysis_of(**changed), context()))


WORDS = PAPER.words_of(context())


def verdicts(known: dict[str, Quantity]) -> dict[str, str]:
    return {claim.name: claim.finding(known, WORDS, known).verdict for claim in PAPER.declared.findings}


def test_printed_numbers_confirm_what_they_can_decide() -> None:
    found = {each.name: each.verdict for each in PAPER.claims(TABLES)}
    assert set(found.values()) == {CONFIRMED, NOT_TESTABLE}
    assert {name for name, verdict in found.items() if verdict == CONFIRMED} == {
        *("thorough-agrees", "thorough-not-deep", "focused-disagrees", "discrepancy-in-focused"),
        *("changes-agree", "fidelity-in-context"),
    }


def test_each_finding_can_be_confirmed_and_can_fail() -> None:
    known = quantities()
    found = verdicts(known)
    #: against the verdict on the random campaign, numbers that turn it round
    others: dict[str, dict[str, Quantity]] = {
        "thorough-agrees": {"p[Thorough, overall, 100]": 0.3},
        "agreement-through-redundancy": {"rho[precision, 500]": 1.0},
        "thorough-not-deep": {"p[Thorough, overall, 1000]": 0.1},
        "focused-disagrees": {f"p[Focused, overall, {k}]": 0.2 for k in CUTOFFS["focused"]},
        "discrepancy-in-focused": {"p[Focused, overall, 10]": 1.0},
        "changes-agree": {f"p[Focused, relative, {k}]": 0.02 for k in (10, 25, 50)},
        "redundancy-without-overlap": {"same_document": 0.0},
        "fidelity-thorough": {"highest_p[Thorough, 1000]": 1.0},
        "order-thorough": {
            **{f"as_expected[Thorough, {k}]": 0.6 for k in CUTOFFS["thorough"]},
            **{f"middle[Thorough, {k}]": 0.1 for k in CUTOFFS["thorough"]},
        },
        "fidelity-in-context": {"p[Relevant in Context, fidelity, 50]": 1.0},
        "order-in-context": {
            f"as_expected[Relevant in Context, {k}]": 0.6 for k in CUTOFFS["relevant-in-context"]
        },
        "changes-predicted": {"gain[Thorough, in part, (iii), S0, 500]": -0.1},
        "expected-order": {"gain[Relevant in Context, in full, (iv), (v), 20]": -0.1},
    }
    assert set(others) == set(found)
    fails = {"thorough-not-deep", "focused-disagrees", "order-thorough", "order-in-context"}
    unknown = {name for name in found if found[name] not in (CONFIRMED, NOT_CONFIRMED)}
    assert unknown == set()
    for name, changed in others.items():
        assert set(changed) <= set(known), name
        assert {found[name], verdicts(known | changed)[name]} == {CONFIRMED, NOT_CONFIRMED}, name
    assert fails <= {name for name in found if found[name] == NOT_CONFIRMED}
    assert verdicts(known | {"overlapping": 0.1})["redundancy-without-overlap"] == NOT_CONFIRMED


def test_p_values_of_correlations_that_are_not_positive_say_nothing() -> None:
    known, against = quantities(), quantities(table3=TABLE3.assign(coefficient=-TABLE3["coefficient"]))
    assert value_of(known["p[Thorough, overall, 10]"]) < 0.1 and against["p[Thorough, overall, 10]"] == 1
    last = (FIDELITIES["level"] == "topic") & (FIDELITIES["name"] == "t3")
    turned = FIDELITIES.assign(coefficient=FIDELITIES["coefficient"].where(~last, -1.0))
    assert quantities(fidelity=turned)["highest_p[Thorough, 10]"] == 1
    assert (known["lists[Thorough, overall, 10]"], known["topics[Thorough, 10]"]) == (30, 4)


def test_quantities_are_estimates_of_systems_and_topics() -> None:
    known = quantities()
    of_all = FIDELITIES.query("task == 'thorough' and cutoff == 100 and level == 'overall'").iloc[0]
    assert value_of(known["middle[Thorough, 100]"]) == pytest.approx(of_all["middle"])
    assert value_of(known["as_expected[Thorough, 100]"]) == pytest.approx(of_all["as_expected"])
    rho = TABLE3.query("part == 'A' and cutoff == 100")["coefficient"].item()
    assert value_of(known["rho[MASRP, 100]"]) == pytest.approx(rho)
    by_topic = STUDIES["by_topic"].query("task == 'thorough' and cutoff == 100")
    gain = known["gain[Thorough, in full, (i), S0, 100]"]
    assert value_of(gain) == pytest.approx((by_topic["i"] - by_topic["S0"]).mean())
    for name, over, n in (("rho[precision, 10]", "runs", 30), ("middle[Thorough, 10]", "topics", 4)):
        found = known[name]
        assert isinstance(found, Estimate) and (found.over, found.n) == (over, n)
    assert (known["overlapping"], known["same_document"]) == (0.0, 0.25)
    # means that would hold, of which one topic decides, are not enough
    all_topics = analysis_of()["by_topic"]
    one = all_topics.assign(i=all_topics["S0"] + np.where(all_topics["topic"] == "t0", 5.0, -0.1))
    frames = {**analysis_of(), "by_topic": one}
    assert verdicts(dict(PAPER.quantities(frames, context())))["changes-predicted"] == NOT_CONFIRMED


def test_what_cannot_fail_is_marked() -> None:
    by_topic = analysis_of()["by_topic"]
    part = by_topic["perturbed"] == "in part"
    frames = {**analysis_of(), "by_topic": by_topic.assign(ii=by_topic["ii"].where(~part, 0.0))}
    known = PAPER.quantities(frames, context())
    marked = {
        (claim.name, comparison.what)
        for claim in PAPER.declared.findings
        for comparison in claim.finding(known, WORDS, known).comparisons
        if comparison.given
    }
    assert marked == {
        ("redundancy-without-overlap", "share of overlapping results"),
        ("changes-predicted", "Thorough, in part: S0 less (ii)"),
        ("expected-order", "Thorough, in part: (v) less (ii)"),
        ("expected-order", "Relevant in Context, in part: (v) less (ii)"),
        ("expected-order", "Relevant in Context, in full: (iii) less S0"),
        ("expected-order", "Relevant in Context, in part: (iii) less S0"),
    }


# ---- summaries


def test_summaries_as_tables() -> None:
    rng = np.random.default_rng(5)
    collection, _ = random_collection(rng)
    summaries = {name: summarise(collection, name) for name in ("incoming", "children")}
    shown = accuracy.spread(summaries, accuracy.pi_by_setting(summaries))
    assert shown["expression"].tolist() == ["p*"] * 4 + ["c"] * 4
    assert shown["partitions"].tolist() == [len(summaries["incoming"])] * 4 + [len(summaries["children"])] * 4
    first = summaries["incoming"].partitions
    pi = steady_state(weighted_edges(summaries["incoming"], "child", "extent"), len(first))
    assert shown["mean_π"][0] == pytest.approx((pi * first["extent"]).sum() / first["extent"].sum())
    assert shown["largest_π"][0] == pi.max()
    largest = accuracy.largest(summaries["incoming"], pi)
    most = np.argsort(-pi, kind="stable")[:15]
    expected = first.loc[most, ["path", "extent", "length"]].assign(π=pi[most])
    assert largest.to_dict("records") == expected.to_dict("records")


def test_the_tree_of_a_summary() -> None:
    summary, pi, _ = by_node(figure_1(), "p*", "descendant", "extent")
    whole = accuracy.tree(summary, pi, "extent").set_index("partition")
    # the heaviest edge is that of the six names
    steps = {
        (whole["path"][row.upper], row.path): round(6 * row.share)
        for row in whole.itertuples()
        if row.upper >= 0
    }
    fm = "/book/fm/description"
    assert steps == {
        ("/book", "/book/fm"): 1,
        ("/book", "/book/body"): 1,
        ("/book/fm", fm): 3,
        (fm, f"{fm}/name"): 6,
        (fm, f"{fm}/meta"): 2,
        ("/book/body", "/book/body/chapter"): 3,
    }
    assert not whole["hidden"].any()
    part = accuracy.tree(summary, pi, "extent", most=1)
    labels = [text.get_text() for text in drawings.summary_graph([("", part)]).axes[0].texts]
    # name has the highest pi: with all that lies above it; meta and body are only counted
    assert labels == ["book", "0.211  +1", "fm", "0.158", "description", "0.184  +1", "name  0.237"]


# ---- a small campaign, from runs to the section


class OneCampaign:
    """What an analysis works on, with scores made when they are asked for."""

    def __init__(self, **given: Any) -> None:
        rng = np.random.default_rng(7)
        self.context = Context(
            campaign(**given),
            AliSettings(cutoffs={"thorough": [2, 4], "focused": [1, 3], "relevant-in-context": [2, 10]}),
            findings=FindingSettings(resamples=100),
        )
        self.printed = TABLES
        self.collection, _ = random_collection(rng, documents=4, elements=9)
        self._topics = [replace(random_topic(rng, self.collection, "inex2005"), name=name) for name in "12"]
        rows = [(run, topic) for run in range(6) for topic in range(2) for _ in range(8)]
        run, topic = np.array(rows).T
        element = rng.integers(0, len(self.collection), len(rows))
        self._results = Results(
            pd.Index([f"r{n}" for n in range(6)]),
            pd.Index(["1", "2"]),
            run,
            topic,
            np.tile(np.arange(1, 9), 12),
            self.collection.document_of(element),
            element,
            self.collection.start[element],
            self.collection.end[element],
            np.full(len(rows), np.nan),
        )

    def scores(self, name: str) -> pd.DataFrame:
        (request,) = (each for each in PAPER.asks(self.context) if each.runs.name == name)
        results, names = self.results(request.runs), list(request.measures)
        if request.runs.transformation:
            results = transform(results, self._topics, **request.runs.settings)
        else:  # other papers ask for scores of the same runs
            names += ["nxCG(overlap=off,own_text=literal)@2", "MAep"]
        specs = [spec for each in names for spec in parse_specs(each, MEASURES)]
        return score(self._topics, results, specs, task=request.runs.task, lenient=True).per_topic

    def results(self, runs: RunSet) -> Results:
        return self._results

    def topics(self, runs: RunSet) -> list[Topic]:
        return self._topics


@pytest.fixture(scope="module")
def material() -> OneCampaign:
    return OneCampaign()


@pytest.fixture(scope="module")
def analysis(material: OneCampaign) -> Analysis:
    return PAPER.analyse(material)  # type: ignore[arg-type]


def test_the_analysis_of_a_campaign(material: OneCampaign, analysis: Analysis) -> None:
    mean = analysis["means"]
    assert set(zip(mean["task"], mean["cutoff"], strict=True)) == {
        *product(["Thorough"], [2, 4]),
        *product(["Focused"], [1, 3]),
    }
    # the runs as they are have the same SRP in both studies
    one = mean.query("task == 'Thorough' and label == 'SRP' and cutoff == 4")["value"].mean()
    versions = analysis["versions"].set_index(["task", "cutoff"]).loc[("Thorough", 4)]
    assert versions["S0"] == pytest.approx(one, abs=1e-15) and versions["(i)"] > versions["(ii)"]
    assert list(analysis["repeated"]["task"]) == ["Thorough", "Focused", "Relevant in Context"]
    settings = analysis["settings"]
    columns = [f"{task}, k = {k}" for task, ks in (("Thorough", (2, 4)), ("Focused", (1, 3))) for k in ks]
    assert list(settings.columns) == ["summary", "edges", "weight", "mean_π", *columns, "like_chosen"]
    # by the chosen setting it is MASRP itself
    chosen, table3 = settings.iloc[0], analysis["table3"].query("part == 'A' and cutoff == 2")
    assert (chosen["summary"], chosen["like_chosen"], len(settings)) == ("incoming", pytest.approx(1), 14)
    assert chosen["Thorough, k = 2"] == pytest.approx(table3["coefficient"].item())
    # the random runs are none for Relevant in Context: their clusters are not perturbed in part
    draws, orders = analysis["draws"], analysis["orders"]
    assert set(draws["task"]) == {"Thorough"}
    assert list(draws["version"][:6]) == ["(i)", "(iii)", "S0", "(iv)", "(v)", "(ii)"]
    assert ((draws["lowest"] <= draws["in_part"]) & (draws["in_part"] <= draws["highest"])).all()
    full = versions[list(draws["version"][:6])].to_numpy(float)
    assert draws.query("cutoff == 4")["full"].to_numpy() == pytest.approx(full)
    assert len(orders) == 2 * 2 * 3 and orders.query("task != 'Thorough'")["in_part"].isna().all()
    assert list(analysis["summaries"]["summary"].unique()) == ["incoming", "incoming-outgoing", "children"]
    # of what says that a comparison cannot fail only what is so has a name
    flags = ("no_overlap[", "nothing_reached[")
    unknown = made.unknown(PAPER, analysis, material.context)
    assert {name for name in unknown if not name.startswith(flags)} == set()


def test_figures_show_what_was_computed(material: OneCampaign, analysis: Analysis) -> None:
    items = {item.name: item for item in PAPER.items(material.context) if isinstance(item, Figure)}
    drawn = {name: DRAWN[name](item, analysis, material.context) for name, item in items.items()}
    assert [len(drawn[name].axes) for name in ("accuracy", "figure6", "held", "in_part")] == [4, 4, 4, 2]
    assert "ρ = " in drawn["accuracy"].axes[0].get_title()
    shares = drawn["figure6"].axes[1].lines[0].get_ydata()
    part = analysis["fidelity"].query("task == 'Thorough' and cutoff == 2 and level == 'topic'")
    assert sorted(shares) == pytest.approx(sorted(100 * part["as_expected"]))
    ax = drawn["in_part"].axes[0]
    full, mean = (
        line.get_ydata() for line in ax.lines if len(line.get_xdata()) == 6 and line.get_marker() in "so"
    )
    draws = analysis["draws"].query("cutoff == 2")
    assert list(full) == list(draws["full"]) and list(mean) == list(draws["in_part"])
    assert sum(bar.get_width() for bar in drawn["held"].axes[0].patches) == pytest.approx(500)


def test_a_campaign_of_one_task_has_what_its_study_needs(tmp_path: Path) -> None:
    material = OneCampaign(runs="r", task="focused")
    make_tables(PAPER, material, tmp_path)  # type: ignore[arg-type]
    analysis = read_analysis(tmp_path / "analysis")
    assert set(analysis["table3"]["study"]) == {"overall", "relative"} and len(analysis["fidelity"]) == 0
    for item in PAPER.items(material.context):
        if isinstance(item, Table):
            frame = item.made(analysis, material.context)
            written = pd.read_csv(tmp_path / f"{item.name}.csv")
            assert list(frame.columns) == list(written.columns) and len(frame) == len(written)
            assert (len(frame) == 0) == (item.name in ("versions", "steps", "orders", "draws", "gains")), (
                item.name
            )
    verdicts = pd.read_parquet(tmp_path / "findings.parquet").groupby("finding")["verdict"].first()
    assert verdicts["thorough-agrees"] == verdicts["expected-order"] == NOT_TESTABLE


def test_a_campaign_without_systems_to_rank() -> None:
    nothing = MEAN.iloc[:0]
    table = numbers.table3(
        accuracy.accuracy_readings(nothing),
        accuracy.with_intervals(nothing, context().sample),
        FIDELITIES,
        PRINTED,
    )
    assert set(table["task"]) == {"thorough", "relevant-in-context"}
    found = verdicts(quantities(table3=table, means=nothing, repeated_by_run=REPEATS.iloc[:0]))
    for name in ("focused-disagrees", "redundancy-without-overlap", "agreement-through-redundancy"):
        assert found[name] == NOT_TESTABLE


def test_the_section_holds_every_table_and_figure(
    material: OneCampaign, analysis: Analysis, tmp_path: Path
) -> None:
    write_analysis(analysis, tmp_path / "analysis")
    told = findings_table(*PAPER.findings(analysis, TABLES, material.context))
    told.to_parquet(tmp_path / "findings.parquet", index=False)
    items = PAPER.items(material.context)
    draw(items, DRAWN, analysis, material.context, tmp_path)
    schema.write(
        pd.DataFrame({"runs": ["thorough"], "fact": ["runs"], "value": [6.0]}),
        schema.FACTS,
        tmp_path / "facts.parquet",
    )
    nothing = pd.DataFrame(columns=schema.LEFT_OUT.names)
    text = make_section(PAPER, material.context, tmp_path, [str(tmp_path / "facts.parquet")], nothing)
    places = [text.index(f"<h3>{item.title}</h3>") for item in items]
    assert places == sorted(places) and len(places) == 16
    assert text.index("<h3>Findings</h3>") < places[0]
    assert "Tasks: Thorough, Focused, Relevant in Context." in text and "8e−33 &lt; 1e−29" in text
    assert "by summary incoming, edges child, weight extent, quantisation gen." in text


# ---- the worked examples


def test_the_section_of_the_examples(tmp_path: Path) -> None:
    text = make_examples(PAPER, tmp_path)
    assert '<td class="number">1.138</td>' in text
    assert 'href="ali2008/figure1.xml"' in text
    assert (tmp_path / "figure1.xml").read_text(encoding="utf-8") == FIGURE_1
    assert PAPER.examples is not None
    for item in PAPER.examples.items:
        assert f"<h3>{item.title}</h3>" in text
    shown = (tmp_path / "examples.md").read_text(encoding="utf-8")
    assert "| Example 6.1 SR, p* | 1.138 | 1.123 | no |" in shown and "| Table 1" not in shown
    assert pd.read_csv(tmp_path / "table1.csv")["pi"].iloc[0] == 16 / 76
    assert "| π |" in (tmp_path / "table1.md").read_text(encoding="utf-8")
    item = next(item for item in PAPER.examples.items if item.name == "figure5" and isinstance(item, Figure))
    frames = PAPER.examples.analyse()
    for name in "ab":
        save_figure(DRAWN["figure5"](item, frames, None), tmp_path / f"{name}.svg")
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
