"""From scores to Table 3, figures, findings and the section of Ali et al. (2008)."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from focuseval.model.results import Results
from focuseval.report.parts import Table, read_analysis
from focuseval.transformations.perturbations import EXPECTED
from focuseval_papers.ali2008 import numbers
from focuseval_papers.ali2008.examples import by_node, figure_1
from focuseval_papers.ali2008.fidelity import version
from focuseval_papers.ali2008.numbers import PAPER
from focuseval_papers.ali2008.study import AliSettings
from focuseval_papers.ali2008.summaries import tree
from focuseval_papers.publication.claims import NOT_TESTABLE
from focuseval_papers.publication.paper import Context, make_tables
from focuseval_papers.workflow.campaign_settings import FindingSettings
from tests.papers import materials


def context(**settings):
    """Return the paper's context for a campaign of files, or a synthetic one if there are no ``runs``."""
    files = {"collection": "c", "assessments": "a"} if "runs" in settings else {}
    campaign = materials.campaign(**{"scale": "inex2005", **files, **settings})
    return Context(campaign, AliSettings(), findings=FindingSettings(resamples=100))


def small(folder, **settings):
    """Return material with six random runs, the same for all tasks."""
    cutoffs = {"thorough": [2, 4], "focused": [1, 3], "relevant-in-context": [2, 10]}
    paper_context = replace(context(**settings), settings=AliSettings(cutoffs=cutoffs))
    section = "<sec><p>one two</p><p>three</p></sec>"
    documents = {f"d{n}": f"<article><fm>{n}</fm>{section * n}</article>" for n in range(1, 4)}
    runs = {request.runs.runs for request in PAPER.requests(paper_context).values()}
    rng, place = np.random.default_rng(11), folder / paper_context.campaign.name
    materials.leave_random(rng, documents, place, runs, systems=6, length=8, scale="inex2005")
    extra_measures = "MAep", "nxCG(overlap=off,own_text=literal)@2"  # of the same runs
    return materials.material(PAPER, paper_context, folder, *extra_measures)


@pytest.fixture(scope="module")
def material(tmp_path_factory):
    return small(tmp_path_factory.mktemp("ali2008"))


@pytest.fixture(scope="module")
def analysis(material):
    return PAPER.analyse(material)


# ---- computed numbers


def test_the_repeated_text_of_runs():
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
    repeats = pd.DataFrame(
        {
            **{"task": "focused", "run": ["a", "b"], "topics": [3, 4], "results": [50, 150]},
            **{"overlapping": [0, 0], "same_document": [10, 40]},
        }
    )
    assert numbers.repeated_table(repeats).to_numpy().tolist() == [["focused", 2, 4, 200, 0.0, 25.0]]


# ---- findings


def test_p_values_of_correlations_that_are_not_positive_say_nothing(analysis):
    fidelity = analysis["fidelity"].assign(coefficient=-0.5, p_value=0.01)
    estimates = PAPER.quantities({**analysis, "fidelity": fidelity}, context())
    assert estimates["p[Thorough, 2]"] == estimates["highest_p[Thorough, 2]"] == 1
    assert (estimates["lists[Thorough, 2]"], estimates["topics[Thorough, 2]"]) == (12, 2)


# ---- summaries


def test_the_tree_of_a_summary():
    summary, pi, _ = by_node(figure_1(), "p*", "extent")
    whole = tree(summary, pi, "extent").set_index("partition")
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
    part = tree(summary, pi, "extent", most=1)
    # name has the highest pi and is shown with its ancestors; meta and body are only counted
    assert part["path"].str.rpartition("/")[2].tolist() == ["book", "fm", "description", "name"]
    assert not whole["hidden"].any() and part["hidden"].tolist() == [1, 0, 1, 0]


# ---- a small campaign, from runs to the section


def test_analysis_and_verdicts_are_as_they_were(material, analysis, tmp_path):
    materials.check_publication(PAPER, analysis, material.context, tmp_path)
    mean, settings, draws = (analysis[name] for name in ("means", "settings", "draws"))
    # the unperturbed runs have the same SRP in both studies
    one = mean.query("task == 'Thorough' and label == 'SRP' and cutoff == 4")["value"].mean()
    versions = analysis["versions"].set_index(["task", "cutoff"]).loc[("Thorough", 4)]
    assert versions["S0"] == pytest.approx(one, abs=1e-15) and versions["(i)"] > versions["(ii)"]
    # under the chosen setting, it is MASRP itself
    chosen = settings.query("edges == 'descendant' and weight == 'extent'").iloc[0]
    table3 = analysis["correlations"].query("part == 'A' and cutoff == 2")
    assert (chosen["summary"], chosen["like_chosen"]) == ("incoming", pytest.approx(1))
    assert len(settings) == 14 * 4 and chosen["of"] == "Thorough, k = 2"
    assert chosen["rho"] == pytest.approx(table3["coefficient"].item())
    # the random runs break the rules of Relevant in Context, so their clusters are not partly perturbed
    assert set(draws["task"]) == {"Thorough"} and list(draws["version"][:6]) == [
        version(name) for name in EXPECTED
    ]


def test_a_campaign_of_one_task_has_what_its_study_needs(tmp_path):
    material = small(tmp_path / "campaigns", runs="r", task="focused")
    make_tables(PAPER, material, tmp_path)
    analysis = read_analysis(tmp_path / "analysis")
    assert (
        set(analysis["correlations"]["study"]) == {"overall", "relative"} and len(analysis["fidelity"]) == 0
    )
    for item in PAPER.items(material.context):
        if isinstance(item, Table):
            frame = item.made(analysis, material.context)
            written = pd.read_csv(tmp_path / f"{item.name}.csv")
            assert list(frame.columns) == list(written.columns) and len(frame) == len(written)
            assert (len(frame) == 0) == (
                item.name in ("versions", "steps", "divisors", "orders", "in_part", "gains")
            ), item.name
    verdicts = pd.read_parquet(tmp_path / "findings.parquet").groupby("finding")["verdict"].first()
    assert verdicts["thorough-agrees"] == verdicts["changes-predicted"] == NOT_TESTABLE
    # on a campaign with draws, verdicts are counted over the draws
    make_tables(PAPER, material, tmp_path / "drawn", [tmp_path, tmp_path])
    drawn = pd.read_csv(tmp_path / "drawn/findings.csv").groupby("finding")[["verdict", "draws"]].first()
    assert drawn["draws"].tolist() == [f"{verdict} 2 of 2" for verdict in verdicts]
    assert drawn["verdict"].tolist() == verdicts.tolist()
