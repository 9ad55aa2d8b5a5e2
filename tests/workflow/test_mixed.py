"""A campaign whose runs are files and folders, with one run of passages among runs of elements."""

import json

import pandas as pd

from ..viewer.test_page import blocks_of
from .clone import ROOT, snakemake

DOCUMENT = "<article>ab<sec>cde<it>fg</it>h</sec><sec/>ij<p>klm</p></article>"
SECTION, ITALIC, PARAGRAPH = "/article[1]/sec[1]", "/article[1]/sec[1]/it[1]", "/article[1]/p[1]"
TOPICS = range(1, 5)


def write_run(file, here, next_one):
    """Write two results for each topic: from its own document, and from the next."""
    file.parent.mkdir(exist_ok=True)
    lines = [
        f"{topic} Q0 a{document} {rank} {9 - rank} {file.name} {place}\n"
        for topic in TOPICS
        for rank, (document, place) in enumerate([(topic, here), (1 + topic % 4, next_one)], 1)
    ]
    file.write_text("".join(lines), encoding="utf-8")


def test_a_run_of_passages_is_left_out_only_of_measures_of_elements(tmp_path):
    (tmp_path / "xml").mkdir()
    for topic in TOPICS:
        (tmp_path / f"xml/a{topic}.xml").write_text(DOCUMENT, encoding="utf-8")
    gold = "".join(f"{topic} Q0 a{topic} 4 13 3 3:4\n" for topic in TOPICS)
    (tmp_path / "gold").write_text(gold, encoding="utf-8")
    write_run(tmp_path / "one", SECTION, PARAGRAPH)
    write_run(tmp_path / "two", ITALIC, PARAGRAPH)
    write_run(tmp_path / "passages/three", "3 4", "2 3")
    elements = "nxCG(quantisation=specificity)"
    campaign = {
        **{"name": "mixed", "folder": str(tmp_path), "collection": "xml", "assessments": "gold"},
        **{"runs": ["one", "two", "passages"], "measures": [f"{elements}@2", "AiP"]},
        "significance": [{"name": "text", "measure": "AiP", "resamples": 100}],
        "sweeps": [{"measure": elements, "cutoffs": [1, 2]}],
        "papers": ["kazai2005", "ali2008"],
    }
    (tmp_path / "mine.json").write_text(json.dumps({"campaigns": [campaign]}), encoding="utf-8")
    command = ["--snakefile", str(ROOT / "workflow/Snakefile"), "--configfile", "mine.json"]
    process = snakemake(tmp_path, *command, "--quiet", "rules", "host", library=ROOT)
    assert process.returncode == 0, process.stdout
    assert process.stdout.count("element measures skip 1 run of passages (three); return elements") == 1
    results = tmp_path / "results/mixed"
    assert set(pd.read_csv(results / "comparisons/text/systems.csv")["run"]) == {"one", "two", "three"}
    assert set(pd.read_csv(results / "comparisons/systems/systems.csv")["run"]) == {"one", "two"}
    [sweep] = (results / "sweeps").glob("*/sweep.csv")
    assert set(pd.read_csv(sweep)["run"]) == {"one", "two"}
    assert set(pd.read_csv(results / "kazai2005/runs.csv")["run"]) == {"one", "two"}
    assert "three" in set(pd.read_csv(results / "ali2008/left_out.csv").stack())
    core = blocks_of((results / "view.html").read_text(encoding="utf-8"))["core"]
    assert core["runs"] == ["one", "two", "three"]
    assert f"not shown, because some runs have no value: {elements}@2" in core["notes"]
