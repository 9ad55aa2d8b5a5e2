"""From scores to Table 3, figures, findings and the section of Ali et al. (2008)."""

from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from focuseval.model.results import Results
from focuseval.papers.ali2008 import figures, studies, tables
from focuseval.papers.ali2008.findings import evidence, findings, printed_evidence
from focuseval.papers.ali2008.names import (
    EXAMPLE_FIGURES,
    EXAMPLE_TABLES,
    FIGURES,
    HEADINGS,
    TABLES,
    accuracy_measures,
    figures_of,
    parts_of,
    structural,
    tasks_of,
)
from focuseval.papers.ali2008.section import ali2008_section, examples_section
from focuseval.findings import CONFIRMED, NOT_CONFIRMED, NOT_TESTABLE, findings_table
from focuseval.present.figures import save_figure
from focuseval.statistics.correlations import spearman
from focuseval.summaries import summary_tables, weighted_edges
from focuseval.transformations.perturbations import EXPECTED
from tests.trees import random_collection

PRINTED = pd.read_csv(Path(__file__).parents[2] / "config/published/ali2008_table3.csv")
CUTOFFS = {
    "thorough": [10, 100, 500, 1000],
    "focused": [5, 10, 25, 50],
    "relevant-in-context": [10, 20, 50, 100],
}
SETTINGS = {"summary": "incoming", "edges": "child", "weight": "extent", "quantisation": "gen"}


# ---- names


def test_measures_are_recognised_by_the_names_that_scores_have() -> None:
    from focuseval.measures import MEASURES, parse_specs

    asked = [*accuracy_measures(SETTINGS, [5, 10]), *structural("SRP", SETTINGS, [20], "articles")]
    printed = [spec.name for name in asked for spec in parse_specs(name, MEASURES)]
    labels = ["MASRP", "SRP", "nxCG", "nxCG, overlap off"]
    assert [parts_of(name) for name in printed] == [*product(labels, [5, 10]), ("SRP", 20)]
    with pytest.raises(ValueError, match="MAep is not the name"):
        parts_of("MAep")


def test_tasks_of_campaigns() -> None:
    made = tasks_of({"task": "CO"})
    assert [source.runs.split("/")[1] for source in made.values()] == [
        *("thorough.parquet", "focussed.parquet", "fetchbrowse.parquet")
    ]
    assert list(made) == list(HEADINGS)
    assert list(tasks_of({"runs": "r", "task": "CO"})) == ["thorough"]
    assert list(tasks_of({"runs": "r", "task": "relevant-in-context"})) == ["relevant-in-context"]
    own = tasks_of({"tasks": {"CO.Focussed": {"runs": "r", "only_topics": ["1"]}}, "task": "CO"})
    assert own["focused"].runs == "kazai2005/CO.Focussed/runs.parquet" and own["focused"].topics == ("1",)
    assert figures_of(own) == ["accuracy", "graph"]
    assert figures_of(made) == list(FIGURES)


# ---- a campaign of random scores


def scores_of(seed: int, task: str) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    rows = [
        (f"r{run}", f"t{topic}", name, run + 3 * rng.random())
        for run in range(30)
        for topic in range(4)
        for name in ("MASRP", "SRP", "nxCG", "nxCG(overlap=off)")
        for name in [f"{name}@{k}" for k in CUTOFFS[task]]
    ]
    return pd.DataFrame(rows, columns=["run", "topic", "measure", "value"]).assign(task=task)


def perturbed_of(seed: int, task: str) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    rows = [
        (f"r{run}", f"t{topic}", f"SRP(trees=articles)@{k}", version, 6.0 - place + 2 * rng.random())
        for run in range(30)
        for topic in range(4)
        for k in CUTOFFS[task]
        for place, version in enumerate(EXPECTED)
    ]
    return pd.DataFrame(rows, columns=["run", "topic", "measure", "perturbation", "value"]).assign(task=task)


def repeated_of(task: str) -> pd.DataFrame:
    rows = {"run": ["a", "b"], "results": [50, 150], "overlapping": [0, 0], "same_document": [10, 40]}
    return pd.DataFrame(rows).assign(task=task)


MEAN = studies.means([scores_of(1, "thorough"), scores_of(2, "focused")])
ACCURACIES = studies.accuracy_readings(MEAN)
FIDELITIES, STEPS, VERSIONS = studies.fidelity_studies(
    [perturbed_of(3, "thorough"), perturbed_of(4, "relevant-in-context")]
)
TABLE3 = studies.table3(ACCURACIES, FIDELITIES, PRINTED)


def test_accuracy_in_every_reading() -> None:
    scores = scores_of(2, "focused")
    for structural_, reference in product(("MASRP", "SRP"), ("nxCG", "nxCG, overlap off")):
        name = reference.replace(", overlap off", "(overlap=off)")
        columns = [
            scores[scores["measure"] == f"{measure}@25"].groupby("run")["value"].mean()
            for measure in (structural_, name)
        ]
        found = ACCURACIES[
            (ACCURACIES["task"] == "focused")
            & (ACCURACIES["structural"] == structural_)
            & (ACCURACIES["reference"] == reference)
            & (ACCURACIES["part"] == "overall")
            & (ACCURACIES["cutoff"] == 25)
        ]
        assert list(found["coefficient"]) == [spearman(*columns).coefficient]


def test_fidelity_of_every_task_and_cutoff() -> None:
    one = perturbed_of(4, "relevant-in-context")
    one = one[one["measure"] == "SRP(trees=articles)@50"]
    direct = studies.fidelity(one).reset_index(drop=True)
    found = FIDELITIES[(FIDELITIES["task"] == "relevant-in-context") & (FIDELITIES["cutoff"] == 50)]
    pd.testing.assert_frame_equal(found[direct.columns].reset_index(drop=True), direct)
    assert len(FIDELITIES) == 8 * (1 + 4 + 30)
    assert len(STEPS) == 8 * 5 and np.allclose(STEPS[["higher", "equal", "lower"]].sum(axis=1), 1)
    mean = VERSIONS.query("task == 'relevant-in-context' and cutoff == 50").set_index("version")["value"]
    assert mean["iv"] == pytest.approx(one[one["perturbation"] == "iv"]["value"].mean())


def test_rounding_errors_make_no_order() -> None:
    rows = [("r", "t", name, 0.1 + place * 1e-17) for place, name in enumerate(EXPECTED)]
    scores = pd.DataFrame(rows, columns=["run", "topic", "perturbation", "value"])
    scores.loc[0, "value"] = 0.3 - 0.2  # 0.09999999999999998
    assert list(studies.observed_orders(scores)["observed"]) == [3.5] * 6
    found = studies.fidelity(scores).iloc[0]
    assert np.isnan(found["coefficient"]) and found["as_expected"] == 1


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
    empty = studies.fidelity_studies([])
    table = studies.table3(ACCURACIES, empty[0], PRINTED)
    assert set(table["task"]) == {"thorough", "focused"}
    table = studies.table3(studies.accuracy_readings(studies.means([])), FIDELITIES, PRINTED)
    assert set(table["task"]) == {"thorough", "relevant-in-context"}
    here = evidence(table, FIDELITIES, VERSIONS, [])
    verdicts = {found.name: found.verdict for found in findings(here, CUTOFFS)}
    assert verdicts["focused-disagrees"] == verdicts["redundancy-without-overlap"] == NOT_TESTABLE
    for table_ in (tables.versions_table(empty[2]), tables.steps_table(empty[1]), tables.repeated_table([])):
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
    assert studies.repeated(results, 9).to_numpy().tolist() == [["r", 7, 2, 3]]
    assert studies.repeated(results, 3).to_numpy().tolist() == [["r", 5, 0, 1]]


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


def verdict(name: str, **changed: object) -> str:
    """A finding's verdict on the random campaign, with some parts of the evidence changed."""
    given = {
        "table3": TABLE3,
        "fidelity": FIDELITIES,
        "versions": VERSIONS,
        "repeated": [repeated_of("focused")],
    }
    here = evidence(**{**given, **changed})  # type: ignore[arg-type]
    return {found.name: found.verdict for found in findings(here, CUTOFFS)}[name]


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
    assert verdict("changes-predicted") == verdict("expected-order") == CONFIRMED
    swapped = VERSIONS.assign(version=VERSIONS["version"].replace({"iv": "v", "v": "iv"}))
    assert verdict("changes-predicted", versions=swapped) == CONFIRMED
    assert verdict("expected-order", versions=swapped) == NOT_CONFIRMED
    higher = VERSIONS.assign(version=VERSIONS["version"].replace({"ii": "i", "i": "ii"}))
    assert verdict("changes-predicted", versions=higher) == NOT_CONFIRMED
    assert verdict("redundancy-without-overlap") == CONFIRMED
    overlapping = [repeated_of("focused").assign(overlapping=1)]
    assert verdict("redundancy-without-overlap", repeated=overlapping) == NOT_CONFIRMED
    assert verdict("redundancy-without-overlap", repeated=[repeated_of("thorough")]) == NOT_TESTABLE


# ---- tables, figures, section


def test_tables_for_people() -> None:
    wide = tables.versions_table(VERSIONS)
    assert list(wide.columns) == ["task", "cutoff", "(i)", "(iii)", "S0", "(iv)", "(v)", "(ii)"]
    assert list(wide["task"].unique()) == ["Thorough", "Relevant in Context"]
    assert list(wide["cutoff"]) == [*CUTOFFS["thorough"], *CUTOFFS["relevant-in-context"]]
    assert list(tables.steps_table(STEPS)["step"][:5]) == [
        *("(i) ≥ (iii)", "(iii) ≥ S0", "S0 ≥ (iv)", "(iv) ≥ (v)", "(v) ≥ (ii)")
    ]
    repeated = tables.repeated_table([repeated_of("focused")])
    assert repeated.to_numpy().tolist() == [["Focused", 2, 200, 0.0, 25.0]]


def test_summaries_as_tables() -> None:
    rng = np.random.default_rng(5)
    collection, _ = random_collection(rng)
    partitions, edges = summary_tables(collection, ["incoming", "children"])
    settings = ["summary", "edges", "weight"]
    assert partitions.groupby(settings)["pi"].sum().to_numpy() == pytest.approx(np.ones(8))
    assert (partitions.groupby(settings)["extent"].sum() == len(collection)).all()
    both = edges.merge(
        edges,
        left_on=["summary", "edges", "weight_by", "source", "target"],
        right_on=["summary", "edges", "weight_by", "target", "source"],
    )
    assert len(both) == len(edges) and (both["weight_x"] == both["weight_y"]).all()
    shown = tables.summaries_table(partitions)
    assert list(shown["expression"].unique()) == ["p*", "c"]
    first = partitions.query("summary == 'incoming' and edges == 'child' and weight == 'extent'")
    assert shown["mean_π"][0] == pytest.approx((first["pi"] * first["extent"]).sum() / first["extent"].sum())
    assert tables.partitions_table(first)["π"].is_monotonic_decreasing


def test_the_tree_of_a_summary() -> None:
    from focuseval.papers.ali2008.examples import by_node, figure_1

    summary, pi, _ = by_node(figure_1(), "p*", "descendant", "extent")
    named = summary.partitions.assign(pi=pi)
    partitions, links = figures.tree_of(named, weighted_edges(summary, "child", "extent"))
    steps = {
        (partitions["path"][link.upper], partitions["path"][link.lower]): link.weight
        for link in links.itertuples()
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
    labels = [
        text.get_text() for text in figures.summary_graph([("", partitions, links)], most=1).axes[0].texts
    ]
    # name has the highest pi: with all that lies above it; meta and body are only counted
    assert labels == ["book", "0.211  +1", "fm", "0.158", "description", "0.184  +1", "name  0.237"]


def test_figures_show_what_was_computed(tmp_path: Path) -> None:
    drawn = {
        "accuracy": figures.accuracy_figure(MEAN, ACCURACIES),
        "figure6": figures.fidelity_figure(FIDELITIES),
        "held": figures.steps_figure(STEPS),
        "graph": figures.summary_graph(figures.figure5_panels()),
    }
    assert set(drawn) == set(FIGURES)
    assert [len(figure.axes) for figure in drawn.values()] == [8, 4, 8, 2]
    assert "ρ = " in drawn["accuracy"].axes[0].get_title()
    shares = drawn["figure6"].axes[1].lines[0].get_ydata()
    part = FIDELITIES.query("task == 'thorough' and cutoff == 10 and level == 'topic'")
    assert sorted(shares) == pytest.approx(sorted(100 * part["as_expected"]))
    widths = [bar.get_width() for bar in drawn["held"].axes[0].patches]
    assert sum(widths) == pytest.approx(500)
    save_figure(drawn["graph"], tmp_path / "a.svg")
    save_figure(figures.summary_graph(figures.figure5_panels()), tmp_path / "b.svg")
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_the_section_holds_every_table_and_figure() -> None:
    here = evidence(TABLE3, FIDELITIES, VERSIONS, [repeated_of("focused")])
    shown = {
        "table3": tables.table3_table(TABLE3),
        "readings": tables.readings_table(ACCURACIES),
        "versions": tables.versions_table(VERSIONS),
        "steps": tables.steps_table(STEPS),
        "repeated": tables.repeated_table([repeated_of("focused")]),
    }
    shown |= dict.fromkeys(("summaries", "partitions"), pd.DataFrame({"π": [0.5]}))
    text = ali2008_section(
        "mine",
        "My campaign",
        facts={"runs": 30.0},
        tasks=["thorough", "focused"],
        settings=SETTINGS,
        tables=shown,
        figures=dict.fromkeys(["accuracy", "graph"], b"<svg/>"),
        captions={name: f"caption of {name}" for name in [*TABLES, *FIGURES]},
        findings=findings_table(findings(here, CUTOFFS), findings(printed_evidence(PRINTED), CUTOFFS)),
        left_out=pd.DataFrame(columns=["result_set", "what", "of", "number", "topics"]),
        folder="mine/ali2008",
    )
    for heading in [*TABLES.values(), *FIGURES.values()]:
        assert f"<h3>{heading}</h3>" in text
    assert text.count("Not available: the campaign has no runs of the task.") == 2  # figure6, held
    assert "Tasks: Thorough, Focused." in text and "8e−33 &lt; 1e−29" in text


def test_the_section_of_the_examples() -> None:
    from focuseval.papers.ali2008.examples import examples

    shown = tables.examples_table(examples())
    assert not shown["quantity"].str.startswith("Table").any()
    row = shown.set_index("quantity").loc["Example 6.1 SR, p*"]
    assert (row["printed"], row["from_the_equations"], row["agrees"]) == ("1.138", "1.123", "no")
    text = examples_section(
        dict.fromkeys(EXAMPLE_TABLES, shown),
        dict.fromkeys(EXAMPLE_FIGURES, b"<svg/>"),
        {name: f"caption of {name}" for name in [*EXAMPLE_TABLES, *EXAMPLE_FIGURES]},
        "ali2008",
    )
    assert "<td>1.138</td>" in text or '<td class="number">1.138</td>' in text
    assert 'href="ali2008/figure1.xml"' in text
