"""Evaluations of public campaigns: every value of the original programs, and the tables against literal counts."""

import csv
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau

from focuseval.measures.declaration import COUNTS
from focuseval_papers.publication.catalogue import NAMES, load
from focuseval_papers.publication.declaration import Evaluation
from focuseval_papers.publication.estimates import Sample
from focuseval_papers.publication.evaluation import (
    agreement_table,
    distinct,
    estimates,
    groups_of,
    means_table,
    orders_table,
)
from focuseval_papers.publication.kinds import spread
from tests.papers.public import SHARED, material

#: the campaign of each publication, how many values are known, and by label the measure in `expected.csv` and what its source has in it
PROGRAMS = {
    "mediaeval2014": (
        "mediaeval-2014-search",
        2184,
        {
            "MAP": ("map", "5f7b065"),
            "P5": ("P_5", "5f7b065"),
            "P10": ("P_10", "5f7b065"),
            "P20": ("P_20", "5f7b065"),
            "MAP-bin": ("map_bin", "5f7b065"),
            "MAP-bin, first version": ("map_bin", "6e84c84"),
            "MAP-tol": ("map_tol", "5f7b065"),
            "MAP-tol, first version": ("map_tol", "6e84c84"),
            "MAiSP": ("maisp", "5f7b065"),
            "ap_once": ("ap_once", "once"),
            "aip_once": ("aip_once", "once"),
            "MAP, linking": ("map", "5f7b065"),
            "MAP-bin, linking": ("map_bin", "5f7b065"),
            "MAP-tol, linking": ("map_tol", "5f7b065"),
            "MAiSP, linking": ("maisp", "5f7b065"),
            "ap_once, linking": ("ap_once", "once"),
            "aip_once, linking": ("aip_once", "once"),
        },
    ),
    "mtrag2025": (
        "mtrag",
        19040,
        {
            "R@1": ("recall_1", "8bb7127"),
            "R@3": ("recall_3", "8bb7127"),
            "R@5": ("recall_5", "8bb7127"),
            "R@10": ("recall_10", "8bb7127"),
            "nDCG@1": ("ndcg_cut_1", "8bb7127"),
            "nDCG@3": ("ndcg_cut_3", "8bb7127"),
            "nDCG@5": ("ndcg_cut_5", "8bb7127"),
            "nDCG@10": ("ndcg_cut_10", "8bb7127"),
            "recall_once@1": ("recall_once@1", "once"),
            "recall_once@3": ("recall_once@3", "once"),
            "recall_once@5": ("recall_once@5", "once"),
            "recall_once@10": ("recall_once@10", "once"),
            "precision_once@5": ("precision_once@5", "once"),
            "precision_once@10": ("precision_once@10", "once"),
            "ap_once": ("ap_once", "once"),
            "aip_once": ("aip_once", "once"),
        },
    ),
}


def expected(campaign: str) -> Iterator[tuple[str, str, str, str, float]]:
    """Run, topic or ``all``, measure, source and value of what is no printed number."""
    with (SHARED / campaign / "expected.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["kind"] != "published":
                run = row["run"].removesuffix(".gz").removesuffix(".txt")
                yield run, row["topic"], row["measure"], row["source"], float(row["value"])


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_value_of_the_original_program_and_every_corrected_one(name: str, tmp_path: Path) -> None:
    campaign, count, labels = PROGRAMS[name]
    if not (SHARED / campaign).is_dir():
        pytest.skip(f"{campaign} is not at hand")
    found = load(name).analyse(material(load(name), campaign, SHARED / campaign, tmp_path))
    values = found["values"].assign(topic=lambda table: table["topic"].str.rpartition("/")[2])  # without its group
    values = values.set_index(["run", "topic", "measure"])["value"].to_dict()
    values |= (
        found["means"].assign(topic="all").set_index(["run", "topic", "measure"])["reproduced"].to_dict()
    )
    checked = 0
    for run, topic, measure, source, value in expected(campaign):
        for label, (wanted, of) in labels.items():
            if (run, topic, label) in values and measure == wanted and of in source:
                assert values[run, topic, label] == pytest.approx(value, abs=0.6e-10), (run, topic, label)
                checked += 1
    assert checked == count
    printed = found["means"].dropna(subset="printed")
    assert len(printed) and printed["difference"].abs().max() <= 0.5e-4


def test_every_evaluation_is_compared_with_its_program() -> None:
    assert {name for name in NAMES if load(name).declared.evaluation} == set(PROGRAMS)


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
        **dict.fromkeys(("decides", "kind", "who"), "-"),
    }
)


def made_values(seed: int) -> pd.DataFrame:
    """Four runs, the last the same as the first, under all measures on nine topics."""
    rng = np.random.default_rng(seed)
    rows = []
    for run in ("r0", "r1", "r2"):
        for topic in range(9):
            for measure in ("A", "B", "micro"):
                right, returned = sorted(rng.integers(0, 20, 2))
                rows.append((run, f"{topic}", measure, rng.random(), right, returned, 20, 9))
    table = pd.DataFrame(rows, columns=["run", "topic", "measure", "value", *COUNTS])
    return pd.concat([table, table[table["run"] == "r0"].assign(run="r3")], ignore_index=True)


@pytest.mark.parametrize("seed", range(5))
def test_tables_are_literal_counts(seed: int) -> None:
    values = made_values(seed)
    topics = Sample("topics", tuple(sorted(values["topic"].unique())), "topics", 50, seed)
    known = estimates(ASKED, topics, values)
    means = {label: values[values["measure"] == label].groupby("run")["value"].mean() for label in "AB"}
    table = means_table(known, values).set_index(["measure", "run"])
    runs = distinct(ASKED, values)
    assert runs == ["r0", "r1", "r2"]
    for run in runs:
        assert table.at[("A", run), "reproduced"] == pytest.approx(means["A"][run])
        assert table.at[("F", run), "reproduced"] == pytest.approx(means["A"][run] * means["B"][run])
        assert table.at[("A", run), "low"] < means["A"][run] < table.at[("A", run), "high"]
        part = values[(values["measure"] == "micro") & (values["run"] == run)]
        counts = part[list(part.columns[4:])].sum()
        assert table.at[("micro", run), "reproduced"] == pytest.approx(counts.iloc[0] / counts.iloc[1])
    orders = orders_table(ASKED, known, runs).set_index("run")
    assert orders["official_rank"].to_dict() == means["A"][runs].rank(ascending=False).to_dict()
    row = agreement_table(ASKED, known, runs).set_index("measure").loc["B"]
    swapped = [
        pair
        for pair in combinations(runs, 2)
        if np.sign(means["A"][pair[0]] - means["A"][pair[1]])
        != np.sign(means["B"][pair[0]] - means["B"][pair[1]])
    ]
    assert (row["swapped"], row["pairs"]) == (len(swapped), 3)
    assert row["tau"] == pytest.approx(kendalltau(means["A"][runs], means["B"][runs])[0])


def test_groups_are_those_of_names_of_runs_and_topics() -> None:
    asked = ASKED.model_copy(update={"groups": ["x", "y"]})
    rows = [(run, topic) for run in ("s/x/1", "t/y") for topic in ("x/1", "x/2", "y/1")]
    found = groups_of(asked, pd.DataFrame(rows, columns=["run", "topic"]))
    assert [(group, topics, sorted(part["run"].unique())) for group, topics, part in found] == [
        ("x", ["x/1", "x/2"], ["s/x/1"]),
        ("y", ["y/1"], ["t/y"]),
    ]


def test_labels_are_spread_in_their_order() -> None:
    places = np.array([0.5, 0.5, 0.0, 1.0, 0.99])
    moved = spread(places, 0.1)
    assert np.diff(np.sort(moved)).min() >= 0.1 - 1e-12 and moved.max() <= 1.03
    assert np.argsort(moved, kind="stable").tolist() == np.argsort(places, kind="stable").tolist()
    assert spread(np.array([0.0, 0.5]), 0.1).tolist() == [0.0, 0.5]
