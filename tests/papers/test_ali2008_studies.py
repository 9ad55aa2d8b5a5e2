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
from focuseval.report.figures import save_figure
from focuseval.report.items import Absent, Analysis, Figure, Table, read_analysis, write_analysis
from focuseval.scoring.score import score
from focuseval.statistics.correlations import spearman
from focuseval.statistics.findings import (
    BY_CONSTRUCTION,
    CONFIRMED,
    NOT_CONFIRMED,
    NOT_TESTABLE,
    findings_table,
)
from focuseval.transformations.perturbations import EXPECTED, ORIGINAL, PERTURBATIONS
from focuseval_papers.ali2008 import accuracy, fidelity, figures, paper, summary_graphs, tables
from focuseval_papers.ali2008.examples import (
    EXAMPLES,
    FIGURE_1,
    by_node,
    examples_for_people,
    figure_1,
    table_1,
)
from focuseval_papers.ali2008.figures import DRAWN
from focuseval_papers.ali2008.findings import HEADINGS, evidence, findings, printed_evidence
from focuseval_papers.ali2008.paper import PAPER, AliSettings
from focuseval_papers.publication.analysing import make_tables
from focuseval_papers.publication.paper import Context
from focuseval_papers.publication.requests import requests
from focuseval_papers.publication.section import make_section
from focuseval_papers.publication.worked_examples import make_examples
from focuseval_papers.transformations.perturbations import transform
from focuseval_papers.workflow.configuration import CampaignSettings, FindingSettings
from focuseval_papers.workflow.runsets import RunSet
from tests.trees import random_collection, random_topic

PRINTED = pd.read_csv(Path(__file__).parents[2] / "config/published/ali2008_table3.csv")
SETTINGS = AliSettings()
CUTOFFS = SETTINGS.cutoffs


def campaign(**given: Any) -> CampaignSettings:
    """A campaign of files, or without ``runs`` a synthetic one."""
    files = (
        {"collection": "c", "assessments": "a"} if "runs" in given else {"concept_space": {"size": "tiny"}}
    )
    return CampaignSettings.model_validate({"name": "mine", "scale": "inex2005", **files, **given})


def context(**given: Any) -> Context:
    return Context(campaign(**given), SETTINGS, findings=FindingSettings(resamples=100))


# ---- what is asked


def test_tasks_of_campaigns() -> None:
    made = paper.tasks_of(campaign(task="CO"), SETTINGS)
    assert [runs.runs for runs in made.values()] == ["thorough", "focused", "fetch-and-browse"]
    assert list(made) == list(HEADINGS) == [runs.name for runs in made.values()]
    # of a campaign that is made here as many runs and topics as the paper had
    assert [(runs.first_runs, runs.first_topics) for runs in made.values()] == [
        (26, 114),
        (26, 114),
        (10, 104),
    ]
    for task, own in (
        ("CO", "thorough"),
        ("focused", "focused"),
        ("relevant-in-context", "relevant-in-context"),
    ):
        runs = paper.tasks_of(campaign(runs="r", task=task), SETTINGS)
        assert list(runs) == [own] and (runs[own].runs, runs[own].task) == ("submitted", own)
        assert runs[own].first_runs is runs[own].first_topics is None
    tasks = {"CO.Focussed": {"runs": "r", "only_topics": ["1"]}}
    own_files = context(collection="c", assessments="a", concept_space=None, tasks=tasks)
    found = paper.tasks_of(own_files.campaign, SETTINGS)
    assert list(found) == ["focused"]
    assert found["focused"].runs == "CO.Focussed" and found["focused"].topics == ("1",)
    # a figure of both studies is absent where its tasks are
    shown = paper.items(own_files)
    assert [item.name for item in shown if isinstance(item, Figure)] == ["accuracy", "graph"]
    assert {item.why for item in shown if isinstance(item, Absent)} == {
        "the campaign has no runs of the task."
    }
    assert not any(isinstance(item, Absent) for item in paper.items(context()))


def test_campaigns_that_do_not_suit_are_told_why() -> None:
    assert PAPER.suits(campaign()) == PAPER.suits(campaign(scale="highlights")) == ""
    assert "on the scale inex2003" in PAPER.suits(campaign(scale="inex2003"))
    none = campaign(runs="r", tasks={"COS.Thorough": {}})
    assert "none of the tasks CO.Thorough, CO.Focussed" in PAPER.suits(none)


def test_every_task_is_scored_under_its_own_rule() -> None:
    asked = {request.runs.name: request for request in PAPER.asks(context())}
    versions = [
        f"{task}, {name}"
        for task in ("thorough", "relevant-in-context")
        for name in (ORIGINAL, *PERTURBATIONS)
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
    assert all(
        len(parse_specs(name, MEASURES)) == 1 for request in asked.values() for name in request.measures
    )


def test_sets_of_runs_are_shared_with_the_paper_on_the_same_tasks() -> None:
    from focuseval_papers.kazai2005.paper import PAPER as KAZAI

    papers = {found.name: found for found in (KAZAI, PAPER)}
    settings = {name: found.settings() for name, found in papers.items()}
    tasks = {"CO.Focussed": {"runs": "r"}}
    own = campaign(collection="c", assessments="a", concept_space=None, tasks=tasks)
    scores = requests(["mine"], {"mine": own}, settings, papers)["mine"].scores["papers"]
    (measures,) = (measures for runs, measures in scores if runs.name == "CO.Focussed")
    assert any(name.startswith("MAep") for name in measures)
    assert any(name.startswith("MASRP") for name in measures)


# ---- a campaign of random scores


def scores_of(seed: int, task: str) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    specs = [
        spec
        for names in paper.accuracy_measures(SETTINGS, task).values()
        for name in names
        for spec in parse_specs(name, MEASURES)
    ]
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
        (f"r{run}", f"t{topic}", float(k), version, 6.0 - place + 2 * rng.random())
        for run in range(30)
        for topic in range(4)
        for k in CUTOFFS[task]
        for place, version in enumerate(EXPECTED)
    ]
    return pd.DataFrame(rows, columns=["run", "topic", "cutoff", "perturbation", "value"]).assign(task=task)


def means_of(seed: int, task: str) -> pd.DataFrame:
    return accuracy.means(scores_of(seed, task), paper.accuracy_measures(SETTINGS, task)).assign(task=task)


def repeated_of(task: str) -> pd.DataFrame:
    rows = {"run": ["a", "b"], "topics": [3, 4], "results": [50, 150], "overlapping": [0, 0]}
    return pd.DataFrame({**rows, "same_document": [10, 40]}).assign(task=task)


MEAN = pd.concat([means_of(1, "thorough"), means_of(2, "focused")], ignore_index=True)
ACCURACIES = accuracy.accuracy_readings(MEAN)
STUDIES = fidelity.fidelity_studies(
    pd.concat([perturbed_of(3, "thorough"), perturbed_of(4, "relevant-in-context")])
)
FIDELITIES, STEPS, VERSIONS = (STUDIES[name] for name in ("fidelity", "steps", "versions"))
INTERVALS = accuracy.with_intervals(MEAN, context().sample)
TABLE3 = tables.table3(ACCURACIES, INTERVALS, FIDELITIES, PRINTED)
NONE = fidelity.fidelity_studies(perturbed_of(3, "thorough").iloc[:0])
NOT_REPEATED = repeated_of("focused").iloc[:0]


def test_means_are_of_the_measures_that_were_asked_for() -> None:
    scores = scores_of(2, "focused")
    asked = paper.accuracy_measures(SETTINGS, "focused")
    labels = ["MASRP", "SRP", "nxCG", "nxCG, overlap off"]
    assert list(asked) == labels
    found = accuracy.means(scores, asked)
    assert set(zip(found["label"], found["cutoff"], strict=True)) == set(product(labels, CUTOFFS["focused"]))
    one = scores[(scores["run"] == "r7") & (scores["name"] == "nxCG(overlap=off)@25")]
    mean = found[(found["run"] == "r7") & (found["label"] == "nxCG, overlap off") & (found["cutoff"] == 25)]
    assert mean["value"].item() == pytest.approx(one["value"].mean())
    # scores of other papers' measures stand in the same file
    others = scores.assign(name=scores["name"].str.replace("@", "(own_text=literal)@"), value=9.0)
    more = pd.concat([scores, others]).astype({"name": "category", "run": "category"})
    pd.testing.assert_frame_equal(accuracy.means(more, asked), found)


def test_accuracy_in_every_reading() -> None:
    scores = scores_of(2, "focused")
    asked = paper.accuracy_measures(SETTINGS, "focused")
    for labels in product(("MASRP", "SRP"), ("nxCG", "nxCG, overlap off")):
        names = [parse_specs(asked[label][2], MEASURES)[0].name for label in labels]
        columns = [scores[scores["name"] == name].groupby("run")["value"].mean() for name in names]
        found = ACCURACIES[
            (ACCURACIES["task"] == "focused")
            & (ACCURACIES["structural"] == labels[0])
            & (ACCURACIES["reference"] == labels[1])
            & (ACCURACIES["part"] == "overall")
            & (ACCURACIES["cutoff"] == 25)
        ]
        assert list(found["coefficient"]) == [spearman(*columns).coefficient]


def test_fidelity_of_every_task_and_cutoff() -> None:
    one = perturbed_of(4, "relevant-in-context")
    one = one[one["cutoff"] == 50]
    wide = one.pivot(index=["run", "topic"], columns="perturbation", values="value")
    direct = fidelity.fidelity(wide).reset_index(drop=True)
    found = FIDELITIES[(FIDELITIES["task"] == "relevant-in-context") & (FIDELITIES["cutoff"] == 50)]
    pd.testing.assert_frame_equal(found[direct.columns].reset_index(drop=True), direct)
    assert len(FIDELITIES) == 8 * (1 + 4 + 30)
    assert len(STEPS) == 8 * 5 and np.allclose(STEPS[["higher", "equal", "lower"]].sum(axis=1), 1)
    mean = VERSIONS.query("task == 'relevant-in-context' and cutoff == 50").set_index("version")["value"]
    assert mean["iv"] == pytest.approx(one[one["perturbation"] == "iv"]["value"].mean())
    by_topic = STUDIES["by_topic"].query("task == 'relevant-in-context' and cutoff == 50").set_index("topic")
    of_one = one[(one["perturbation"] == "ii") & (one["topic"] == "t2")]["value"]
    assert by_topic["ii"]["t2"] == pytest.approx(of_one.mean())
    gained = fidelity.gains(STUDIES["by_topic"], 200, 1)
    assert len(gained) == 8 * len(fidelity.PAIRS) and len(fidelity.PAIRS) == 5 + 5 - 2
    row = gained.query("task == 'relevant-in-context' and cutoff == 50 and better == 'S0' and worse == 'ii'")
    assert row["gain"].item() == pytest.approx((by_topic["S0"] - by_topic["ii"]).mean())
    assert gained[["low", "high"]].isna().all(axis=None), "of fewer than 6 topics there is no interval"


def test_rounding_errors_make_no_order() -> None:
    values = np.array([[0.1 + place * 1e-17 for place in range(6)]])
    values[0, 0] = 0.3 - 0.2  # 0.09999999999999998
    assert fidelity.observed_orders(values).tolist() == [[3.5] * 6]
    assert np.isnan(fidelity.agreement(values).coefficient) and fidelity.as_expected(values).all()


def test_table_3() -> None:
    assert list(TABLE3["part"].unique()) == ["A", "B overall", "B relative", "C", "not printed"]
    printed = TABLE3.dropna(subset=["printed"])
    assert len(printed) == len(PRINTED)
    assert TABLE3.query("part == 'C' and cutoff == 100")["printed"].item() == 4.35e-30
    assert TABLE3.query("part == 'A' and cutoff == 10")["lists"].item() == 30
    assert TABLE3.query("part == 'C' and cutoff == 10")["lists"].item() == 120
    paper = ACCURACIES.query(
        "task == 'thorough' and structural == 'MASRP' and reference == 'nxCG' and part == 'overall'"
    )
    assert list(TABLE3.query("part == 'A'")["p_value"]) == list(paper["p_value"])


def test_nothing_to_study() -> None:
    table = tables.table3(ACCURACIES, INTERVALS, NONE["fidelity"], PRINTED)
    assert set(table["task"]) == {"thorough", "focused"}
    nothing = accuracy.with_intervals(MEAN.iloc[:0], context().sample)
    table = tables.table3(accuracy.accuracy_readings(MEAN.iloc[:0]), nothing, FIDELITIES, PRINTED)
    assert set(table["task"]) == {"thorough", "relevant-in-context"}
    verdicts = verdicts_of(table3=table, means=MEAN.iloc[:0], repeated=NOT_REPEATED)
    assert verdicts["focused-disagrees"] == verdicts["redundancy-without-overlap"] == NOT_TESTABLE
    assert verdicts["agreement-through-redundancy"] == NOT_TESTABLE
    for table_ in (
        tables.versions_table(NONE["versions"]),
        tables.steps_table(NONE["steps"]),
        tables.repeated_table(NOT_REPEATED),
    ):
        assert len(table_) == 0


def test_what_runs_repeat() -> None:
    # document 0: [0, 10) holds [2, 6) and [6, 9); document 1: [0, 5)
    lists = [
        [(0, 2, 6), (0, 6, 9), (1, 0, 5), (0, 0, 10), (1, 0, 5)],
        [(1, 0, 5), (0, 0, 10)],
    ]
    rows = [
        (topic, rank + 1, *result) for topic, found in enumerate(lists) for rank, result in enumerate(found)
    ]
    topic, rank, document, start, end = (np.array(column) for column in zip(*rows, strict=True))
    zero = np.zeros(len(rows), dtype=np.int64)
    results = Results(
        pd.Index(["r"]), pd.Index(["1", "2"]), zero, topic, rank, document, zero - 1, start, end, zero / 1.0
    )
    assert paper.repeated(results, 9).to_numpy().tolist() == [["r", 2, 7, 2, 3]]
    assert paper.repeated(results, None).to_numpy().tolist() == [["r", 2, 7, 2, 3]]
    assert paper.repeated(results, 3).to_numpy().tolist() == [["r", 2, 5, 0, 1]]


# ---- findings


def test_printed_numbers_confirm_what_they_can_decide() -> None:
    found = findings(printed_evidence(PRINTED), CUTOFFS)
    assert len(found) >= 5 and len({each.name for each in found}) == len(found)
    verdicts = {each.name: each.verdict for each in found}
    assert set(verdicts.values()) == {CONFIRMED, NOT_TESTABLE}
    assert {name for name, verdict in verdicts.items() if verdict == CONFIRMED} == {
        *("thorough-agrees", "thorough-not-deep", "focused-disagrees", "discrepancy-in-focused"),
        *("changes-agree", "fidelity-in-context"),
    }


PRECISION = MEAN[MEAN["label"] == "MASRP"].assign(label="precision", value=lambda table: -table["value"])


def verdicts_of(**changed: pd.DataFrame) -> dict[str, str]:
    """The findings' verdicts on the random campaign, with some parts of the analysis changed."""
    given = {
        "table3": TABLE3,
        "means": pd.concat([MEAN, PRECISION]),
        "repeated": repeated_of("focused"),
        **{name: STUDIES[name] for name in ("fidelity", "by_topic", "orders_by_topic")},
        "by_topic_in_part": STUDIES["by_topic"],
    }
    here = evidence({**given, **changed}, context().sample)
    return {found.name: found.verdict for found in findings(here, CUTOFFS)}


def verdict(name: str, **changed: pd.DataFrame) -> str:
    return verdicts_of(**changed)[name]


def test_each_finding_can_fail() -> None:
    assert verdict("thorough-agrees") == CONFIRMED
    assert verdict("thorough-not-deep") == NOT_CONFIRMED
    assert verdict("focused-disagrees") == NOT_CONFIRMED
    against = TABLE3.assign(coefficient=-TABLE3["coefficient"])
    assert verdict("thorough-agrees", table3=against) == NOT_CONFIRMED
    assert verdict("focused-disagrees", table3=against) == CONFIRMED
    assert verdict("fidelity-in-context") == CONFIRMED
    assert verdict("fidelity-in-context", table3=against) == NOT_CONFIRMED
    assert verdict("fidelity-thorough") == CONFIRMED
    last = (FIDELITIES["level"] == "topic") & (FIDELITIES["name"] == "t3")
    turned = FIDELITIES.assign(coefficient=FIDELITIES["coefficient"].where(~last, -1.0))
    assert verdict("fidelity-thorough", fidelity=turned) == NOT_CONFIRMED
    assert verdict("agreement-through-redundancy") == CONFIRMED
    as_good = pd.concat([MEAN, PRECISION.assign(value=-PRECISION["value"])])
    assert verdict("agreement-through-redundancy", means=as_good) == NOT_CONFIRMED
    assert verdict("redundancy-without-overlap") == CONFIRMED
    overlapping = repeated_of("focused").assign(overlapping=1)
    assert verdict("redundancy-without-overlap", repeated=overlapping) == NOT_CONFIRMED
    assert verdict("redundancy-without-overlap", repeated=repeated_of("thorough")) == NOT_TESTABLE


def test_what_is_said_of_orders_can_fail() -> None:
    by_topic, orders = STUDIES["by_topic"], STUDIES["orders_by_topic"]
    names = ("changes-predicted", "expected-order")
    assert {verdict(name) for name in names} == {CONFIRMED}
    swapped = by_topic.rename(columns={"iv": "v", "v": "iv"})
    for part in ("by_topic", "by_topic_in_part"):
        assert verdict("changes-predicted", **{part: swapped}) == CONFIRMED
        assert verdict("expected-order", **{part: swapped}) == NOT_CONFIRMED
    higher = by_topic.rename(columns={"ii": "i", "i": "ii"})
    assert verdict("changes-predicted", by_topic=higher) == NOT_CONFIRMED
    # means that would hold, of which one topic decides, are not enough
    one = by_topic.assign(i=by_topic["S0"] + np.where(by_topic["topic"] == "t0", 5.0, -0.1))
    assert verdict("changes-predicted", by_topic=one) == NOT_CONFIRMED
    # few lists of the random campaign are as expected
    assert verdict("order-thorough") == NOT_CONFIRMED
    all_as_expected = orders.assign(as_expected=orders["lists"])
    assert verdict("order-thorough", orders_by_topic=all_as_expected) == CONFIRMED
    turned = all_as_expected.assign(xy=2 * orders["x"] * orders["y"] / orders["pairs"] - orders["xy"])
    assert verdict("order-thorough", orders_by_topic=turned) == NOT_CONFIRMED


def test_what_cannot_fail_is_marked() -> None:
    here = evidence(
        {
            "table3": TABLE3,
            "means": pd.concat([MEAN, PRECISION]),
            "repeated": repeated_of("focused"),
            **STUDIES,
            "by_topic_in_part": STUDIES["by_topic"].assign(ii=0.0),
        },
        context().sample,
    )
    marked = {
        (found.name, comparison.what)
        for found in findings(here, CUTOFFS)
        for comparison in found.comparisons
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


# ---- tables, figures, section


def test_tables_for_people() -> None:
    wide = tables.versions_table(VERSIONS)
    assert list(wide.columns) == ["task", "cutoff", "(i)", "(iii)", "S0", "(iv)", "(v)", "(ii)"]
    assert list(wide["task"].unique()) == ["Thorough", "Relevant in Context"]
    assert list(wide["cutoff"]) == [*CUTOFFS["thorough"], *CUTOFFS["relevant-in-context"]]
    assert list(tables.steps_table(STEPS)["step"][:5]) == [
        *("(i) ≥ (iii)", "(iii) ≥ S0", "S0 ≥ (iv)", "(iv) ≥ (v)", "(v) ≥ (ii)")
    ]
    repeated = tables.repeated_table(repeated_of("focused"))
    assert repeated.to_numpy().tolist() == [["Focused", 2, 4, 200, 0.0, 25.0]]


def test_summaries_as_tables() -> None:
    rng = np.random.default_rng(5)
    collection, _ = random_collection(rng)
    summaries = {name: summarise(collection, name) for name in ("incoming", "children")}
    shown = summary_graphs.spread(summaries, accuracy.pi_by_setting(summaries))
    assert shown["expression"].tolist() == ["p*"] * 4 + ["c"] * 4
    assert shown["partitions"].tolist() == [len(summaries["incoming"])] * 4 + [len(summaries["children"])] * 4
    first = summaries["incoming"].partitions
    pi = steady_state(weighted_edges(summaries["incoming"], "child", "extent"), len(first))
    assert shown["mean_π"][0] == pytest.approx((pi * first["extent"]).sum() / first["extent"].sum())
    assert shown["largest_π"][0] == pi.max()
    largest = summary_graphs.largest(summaries["incoming"], pi)
    most = np.argsort(-pi, kind="stable")[: summary_graphs.LARGEST]
    expected = first.loc[most, ["path", "extent", "length"]].assign(π=pi[most])
    assert largest.to_dict("records") == expected.to_dict("records")


def test_the_tree_of_a_summary() -> None:
    summary, pi, _ = by_node(figure_1(), "p*", "descendant", "extent")
    whole = summary_graphs.tree(summary, pi, "extent").set_index("partition")
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
    part = summary_graphs.tree(summary, pi, "extent", most=1)
    labels = [text.get_text() for text in figures.summary_graph([("", part)]).axes[0].texts]
    # name has the highest pi: with all that lies above it; meta and body are only counted
    assert labels == ["book", "0.211  +1", "fm", "0.158", "description", "0.184  +1", "name  0.237"]


#: draws of the versions, as runs perturbed in part leave them
DRAWS = pd.concat(
    [VERSIONS[VERSIONS["cutoff"] <= 20].assign(draw=n, value=lambda t, n=n: t["value"] + n) for n in (0, 2)],
    ignore_index=True,
)


def test_figures_show_what_was_computed(tmp_path: Path) -> None:
    drawn = {
        "accuracy": figures.accuracy_figure(MEAN, ACCURACIES),
        "figure6": figures.fidelity_figure(FIDELITIES),
        "held": figures.steps_figure(STEPS),
        "in_part": figures.in_part_figure(VERSIONS, DRAWS),
        "graph": figures.summary_graph(figures.figure5_panels()),
    }
    assert set(drawn) == {item.name for item in paper.items(context()) if isinstance(item, Figure)}
    assert [len(figure.axes) for figure in drawn.values()] == [8, 4, 8, 4, 2]
    assert "ρ = " in drawn["accuracy"].axes[0].get_title()
    shares = drawn["figure6"].axes[1].lines[0].get_ydata()
    part = FIDELITIES.query("task == 'thorough' and cutoff == 10 and level == 'topic'")
    assert sorted(shares) == pytest.approx(sorted(100 * part["as_expected"]))
    ax = drawn["in_part"].axes[0]
    full, mean = (
        line.get_ydata() for line in ax.lines if len(line.get_xdata()) == 6 and line.get_marker() in "so"
    )
    assert mean == pytest.approx(np.asarray(full) + 1)
    widths = [bar.get_width() for bar in drawn["held"].axes[0].patches]
    assert sum(widths) == pytest.approx(500)
    save_figure(drawn["graph"], tmp_path / "a.svg")
    save_figure(figures.summary_graph(figures.figure5_panels()), tmp_path / "b.svg")
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


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
        self.printed = {"ali2008_table3": PRINTED}
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
        *product(["thorough"], [2, 4]),
        *product(["focused"], [1, 3]),
    }
    # the runs as they are have the same SRP in both studies
    one = mean.query("task == 'thorough' and label == 'SRP' and cutoff == 4")["value"].mean()
    versions = analysis["versions"].set_index(["task", "cutoff", "version"])["value"]
    assert versions["thorough", 4, "S0"] == pytest.approx(one, abs=1e-15)
    assert versions["thorough", 4, "i"] > versions["thorough", 4, "ii"]
    assert set(analysis["repeated"]["task"]) == {"thorough", "focused", "relevant-in-context"}
    assert (
        set(analysis["settings"]["task"]) == {"thorough", "focused"} and len(analysis["settings"]) == 4 * 14
    )
    # by the chosen setting it is MASRP itself
    chosen = analysis["settings"].iloc[0]
    table3 = analysis["table3"].query("task == 'thorough' and study == 'overall' and cutoff == 2")
    assert (chosen["summary"], chosen["with_chosen"]) == ("incoming", pytest.approx(1))
    assert chosen["with_nxCG"] == pytest.approx(table3["coefficient"].item())
    # the random runs are none for Relevant in Context: their clusters are not perturbed in part
    assert set(analysis["draws_in_part"]["task"]) == {"thorough"}
    assert list(analysis["summaries"]["summary"].unique()) == ["incoming", "incoming-outgoing", "children"]
    assert {
        finding.verdict for finding in PAPER.findings(analysis, material.printed, material.context)[0]
    } <= {*(CONFIRMED, NOT_CONFIRMED, BY_CONSTRUCTION, NOT_TESTABLE)}


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
            assert (len(frame) == 0) == (item.name in ("versions", "steps", "orders", "draws", "gains"))


def test_the_section_holds_every_table_and_figure(
    material: OneCampaign, analysis: Analysis, tmp_path: Path
) -> None:
    write_analysis(analysis, tmp_path / "analysis")
    told = findings_table(*PAPER.findings(analysis, material.printed, material.context))
    told.to_parquet(tmp_path / "findings.parquet", index=False)
    shown = [item for item in PAPER.items(material.context) if not isinstance(item, Absent)]
    for item in shown:
        if isinstance(item, Figure):
            save_figure(DRAWN[item.name](item, analysis, material.context), tmp_path / f"{item.name}.svg")
    schema.write(
        pd.DataFrame({"runs": ["thorough"], "fact": ["runs"], "value": [6.0]}),
        schema.FACTS,
        tmp_path / "facts.parquet",
    )
    nothing = pd.DataFrame(columns=schema.LEFT_OUT.names)
    text = make_section(PAPER, material.context, tmp_path, [str(tmp_path / "facts.parquet")], nothing)
    places = [text.index(f"<h3>{item.title}</h3>") for item in shown]
    assert places == sorted(places) and len(places) == 16
    assert text.index("<h3>Findings</h3>") < places[0]
    assert "Tasks: Thorough, Focused, Relevant in Context." in text and "8e−33 &lt; 1e−29" in text
    assert "by summary incoming, edges child, weight extent, quantisation gen." in text


# ---- the worked examples


def test_the_section_of_the_examples(tmp_path: Path) -> None:
    shown = examples_for_people(EXAMPLES.analyse()["examples"])
    assert not shown["quantity"].str.startswith("Table").any()
    row = shown.set_index("quantity").loc["Example 6.1 SR, p*"]
    assert (row["printed"], row["from_the_equations"], row["agrees"]) == ("1.138", "1.123", "no")
    text = make_examples(PAPER, tmp_path)
    assert '<td class="number">1.138</td>' in text
    assert 'href="ali2008/figure1.xml"' in text
    assert (tmp_path / "figure1.xml").read_text(encoding="utf-8") == FIGURE_1
    for item in EXAMPLES.items:
        assert f"<h3>{item.title}</h3>" in text
    written = pd.read_csv(tmp_path / "table1.csv")
    assert written["pi"].to_list() == table_1()["pi"].to_list()
    assert "| π |" in (tmp_path / "table1.md").read_text(encoding="utf-8")
