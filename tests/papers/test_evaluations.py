"""Evaluations of public campaigns: every value of the original programs, and the tables against literal counts."""

import csv
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau

from focuseval.measures.declaration import COUNTS
from focuseval_papers.publication import evaluation
from focuseval_papers.publication.declaration import Evaluation
from focuseval_papers.publication.estimates import Sample
from focuseval_papers.publication.evaluation import (
    agreement_table,
    distinct,
    estimates,
    examples,
    groups_of,
    means_table,
    opposed,
    orders_table,
    properties,
)
from focuseval_papers.publication.kinds import spread
from focuseval_papers.publication.overview import deciding
from focuseval_papers.publication.paper import NAMES, load
from focuseval_papers.workflow.campaign_settings import FindingSettings
from focuseval_papers.workflow.sources import provide, read_sources
from tests.papers.public import ROOT, SHARED, material

#: by publication: the campaign, the number of known values, and the digits of printed numbers
PROGRAMS = {
    "mediaeval2014": ("mediaeval-2014-search", 2184, 4),
    "clscisumm2020": ("cl-scisumm-2020", 20112, 10),
    "mtrag2025": ("mtrag", 27370, 5),
    "swebench2025": ("swe-bench-localisation", 14571, 3),
}
#: by publication and label of a measure: its names and the source in `expected.csv`
LABELS = pd.read_csv(Path(__file__).with_name("programs.csv"), dtype=str)
#: the printed numbers that the published runs do not give
NOT_OF_THE_RUNS = {"swebench2025": [("verified/afl/32b", "top-1", 0.446)]}

#: our names of runs, where they differ from the published ones
OUR_NAMES = {"locagent-claude_3-5": "lite/locagent/claude_3-5"}


def first_of_same(sources):
    """Return, for each run of CL-SciSumm, the first run with the same files."""
    files = {}
    for path, checksum in sorted((one.path, one.sha256) for one in sources if "/setup/" in one.path):
        _, team, _, run, *_, name = path.split("/")
        files.setdefault(f"{team}/{run}", []).append((name, checksum))
    first = {tuple(of): run for run, of in sorted(files.items(), reverse=True)}
    return {run: first[tuple(of)] for run, of in files.items()}


def expected(campaign):
    """Yield run, topic or ``all``, measure, source and value of every expected value that is not printed."""
    with (SHARED / campaign / "expected.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["kind"] != "published":
                run = row["run"].removesuffix(".gz").removesuffix(".txt")
                yield (
                    OUR_NAMES.get(run, run),
                    row["topic"],
                    row["measure"],
                    row["source"],
                    float(row["value"]),
                )


def added_up(values):
    """Return the right, wrong and missing counts of measures of sets, for each topic and for all."""
    sets = values[values["measure"].str.startswith("F1_micro")]
    columns = {
        "tp": sets["right"],
        "fp": sets["returned"] - sets["right"],
        "fn": sets["relevant"] - sets["found"],
    }
    counts = {}
    for name, column in columns.items():
        table = sets.assign(value=column, measure=f"{name} of " + sets["measure"])
        counts |= table.set_index(["run", "topic", "measure"])["value"].to_dict()
        counts |= table.assign(topic="all").groupby(["run", "topic", "measure"])["value"].sum().to_dict()
    return counts


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_value_of_the_original_program_and_every_corrected_one(name, tmp_path, monkeypatch):
    campaign, count, digits = PROGRAMS[name]
    known = LABELS.query("publication == @name")[["label", "measures", "source"]].to_numpy().tolist()
    if not (SHARED / campaign).is_dir():
        pytest.skip(f"{campaign} is not at hand")
    sources = read_sources(f"{ROOT}/config/sources/{campaign}.csv")
    provide(campaign, sources, tmp_path / "sources", SHARED)
    paper_material = material(load(name), campaign, tmp_path / "sources", tmp_path)
    paper_material.context = replace(
        paper_material.context, findings=FindingSettings(resamples=100)
    )  # the test does not compare intervals
    if name != "mediaeval2014":  # the test does not compare audits; one shows that they run
        monkeypatch.setattr(evaluation, "audited", lambda *_: pd.DataFrame())
    frames = load(name).analyse(paper_material)
    values = frames["values"].assign(
        topic=lambda table: table["topic"].str.rpartition("/")[2]
    )  # the name without the group
    values = values.set_index(["run", "topic", "measure"])["value"].to_dict()
    values |= (
        frames["means"].assign(topic="all").set_index(["run", "topic", "measure"])["reproduced"].to_dict()
    )
    values |= added_up(frames["values"])
    checked, first = 0, first_of_same(sources)
    for run, topic, measure, source, value in expected(campaign):
        run = first.get(run, run)
        for label, measures, of in known:
            if (run, topic, label) in values and measure in measures.split() and of in source:
                assert abs(values[run, topic, label] - value) <= 0.6e-10, (run, topic, label)
                checked += 1
    assert checked == count
    printed = frames["means"].dropna(subset="printed")
    other = printed[printed["difference"].abs() > 0.51 * 10.0**-digits]
    assert len(printed) > len(other)
    assert [*other[["run", "measure", "printed"]].itertuples(index=False, name=None)] == NOT_OF_THE_RUNS.get(
        name, []
    )


def test_table_1_has_two_columns_exchanged_for_runs_of_cist():
    """Printed as F1 of Task 1A: micro F1 to two digits, except CIST's runs 1 to 21 and 64 to 84."""
    path = SHARED / "cl-scisumm-2020/expected.csv"
    if not path.is_file():
        pytest.skip("cl-scisumm-2020 is not at hand")
    table = (
        pd.read_csv(path).query("kind == 'published'").pivot(index="run", columns="measure", values="value")
    )
    table = table.dropna(subset="task1a_f1_printed")
    other = table[(table["task1a_f1_printed"] - table["task1a_f1_micro_avg"]).abs() > 0.005 + 1e-9]
    assert set(other["task1a_f1_printed"]) == {0.05}
    number = other.index.str.extract(r"15-CIST/run(\d+)$")[0].astype(int)
    assert number.between(1, 21).sum() + number.between(64, 84).sum() == len(other) == 30


def test_every_evaluation_is_compared_with_its_program():
    """BioASQ's gold standard is not public: `tests.papers.importers.test_bioasq` compares it."""
    assert {name for name in NAMES if load(name).declared.evaluation} == {*PROGRAMS, "bioasq2024"}


ASKED = Evaluation.model_validate(
    {
        "official": "A",
        "corrected": "B",
        "measures": {
            "A": {"measure": "AP"},
            "B": {"measure": "AP@10"},
            "F": {"formula": "A * B"},
            "micro": {"measure": "char_precision(average=micro)"},
        },
        **dict.fromkeys(("cause", "kind", "advice"), "-"),
    }
)


def random_values(seed):
    """Return values of four runs under all measures on nine topics; the last run equals the first."""
    rng = np.random.default_rng(seed)
    rows = []
    for run in ("r0", "r1", "r2"):
        for topic in range(9):
            for measure in ("A", "B", "micro"):
                right, returned = sorted(rng.integers(0, 20, 2))
                rows.append((run, f"{topic}", measure, rng.random(), right, returned, 20, 9))
    table = pd.DataFrame(rows, columns=["run", "topic", "measure", "value", *COUNTS])
    return pd.concat([table, table[table["run"] == "r0"].assign(run="r3")], ignore_index=True)


@pytest.mark.parametrize("seed", range(2))
def test_tables_are_literal_counts(seed):
    values = random_values(seed)
    topics = Sample("topics", tuple(sorted(values["topic"].unique())), "topics", 50, seed)
    quantities = estimates(ASKED, topics, values)
    means = {label: values[values["measure"] == label].groupby("run")["value"].mean() for label in "AB"}
    table = means_table(quantities, values).set_index(["measure", "run"])
    runs = distinct(ASKED, values)
    assert runs == ["r0", "r1", "r2"]
    for run in runs:
        assert table.at[("A", run), "reproduced"] == pytest.approx(means["A"][run])
        assert table.at[("F", run), "reproduced"] == pytest.approx(means["A"][run] * means["B"][run])
        assert table.at[("A", run), "low"] < means["A"][run] < table.at[("A", run), "high"]
        part = values[(values["measure"] == "micro") & (values["run"] == run)]
        counts = part[list(part.columns[4:])].sum()
        assert table.at[("micro", run), "reproduced"] == pytest.approx(counts.iloc[0] / counts.iloc[1])
    orders = orders_table(ASKED, quantities, runs).set_index("run")
    assert orders["official_rank"].to_dict() == means["A"][runs].rank(ascending=False).to_dict()
    row = agreement_table(ASKED, quantities, runs).set_index("measure").loc["B"]
    swapped = [
        pair
        for pair in combinations(runs, 2)
        if np.sign(means["A"][pair[0]] - means["A"][pair[1]])
        != np.sign(means["B"][pair[0]] - means["B"][pair[1]])
    ]
    assert (row["swapped"], row["pairs"]) == (len(swapped), 3)
    assert row["tau"] == pytest.approx(kendalltau(means["A"][runs], means["B"][runs])[0])


@pytest.mark.parametrize("seed", range(2))
def test_systems_are_opposed_where_both_differences_are_largest(seed):
    values = random_values(seed)
    value = values.set_index(["measure", "topic", "run"])["value"].to_dict()
    amounts = {
        (topic, one, other): min(
            value["A", topic, one] - value["A", topic, other],
            value["B", topic, other] - value["B", topic, one],
        )
        for topic in values["topic"].unique()
        for one in values["run"].unique()
        for other in values["run"].unique()
    }
    first, second = opposed(ASKED, values).itertuples(index=False)
    assert first.topic == second.topic
    assert amounts[first.topic, first.run, second.run] == pytest.approx(max(amounts.values()))
    assert (first.official, second.corrected) == (
        value["A", first.topic, first.run],
        value["B", first.topic, second.run],
    )


def test_no_systems_are_opposed_by_a_measure_and_itself():
    assert opposed(ASKED.model_copy(update={"corrected": "A"}), random_values(0)).empty


def test_audited_measures_are_compared_by_their_breaches():
    rows = [
        ("A", "twice", "repeat-proof", "breaks", 4, 1, 0.5, "run\n  1  d 0-1\nA: 1, and then 2\n"),
        ("A", "halves", "split-invariant", "breaks", 4, 1, 0.5, ""),
        ("B", "halves", "split-invariant", "breaks", 4, 2, 0.5, ""),
        ("B", "ideal", "ideal-highest", "not broken", 9, 0, np.nan, ""),
    ]
    columns = ["measure", "transformation", "property", "verdict", "tried", "broken", "largest", "example"]
    findings = pd.DataFrame(rows, columns=columns)
    assert deciding(ASKED, findings)["property"].to_list() == ["repeat-proof"]
    assert properties(findings).to_numpy().tolist() == [
        ["twice", "repeat-proof", "25 %, 0.5", "-"],
        ["halves", "split-invariant", "25 %, 0.5", "50 %, 0.5"],
        ["ideal", "ideal-highest", "-", "not broken in 9"],
    ]
    assert examples(findings)["example"].iloc[0] == "run: 1  d 0-1; A: 1, and then 2"


def test_groups_are_those_of_names_of_runs_and_topics():
    grouped = ASKED.model_copy(update={"groups": ["x", "y"]})
    rows = [(run, topic) for run in ("s/x/1", "t/y") for topic in ("x/1", "x/2", "y/1")]
    groups = groups_of(grouped, pd.DataFrame(rows, columns=["run", "topic"]))
    assert [(group, topics, sorted(part["run"].unique())) for group, topics, part in groups] == [
        ("x", ["x/1", "x/2"], ["s/x/1"]),
        ("y", ["y/1"], ["t/y"]),
    ]


def test_labels_are_spread_in_their_order():
    places = np.array([0.5, 0.5, 0.0, 1.0, 0.99])
    moved = spread(places, 0.1)
    assert np.diff(np.sort(moved)).min() >= 0.1 - 1e-12 and moved.max() <= 1.03
    assert np.argsort(moved, kind="stable").tolist() == np.argsort(places, kind="stable").tolist()
    assert spread(np.array([0.0, 0.5]), 0.1).tolist() == [0.0, 0.5]
