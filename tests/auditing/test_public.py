"""The audit and simulated runs from Python and on the command line."""

import json
import warnings

import pandas as pd
import pytest

import focuseval
from focuseval.auditing.findings import COLUMNS
from focuseval.cli import main
from focuseval.errors import InputError, InputWarning, extra
from tests.papers.public import SHARED


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    folder = tmp_path_factory.mktemp("example") / "campaign"
    assert main(["init", str(folder)]) == 0
    return folder


def inputs(example):
    return [
        *("--assessments", str(example / "gold.jsonl"), "--run", str(example / "runs")),
        *("--collection", str(example / "documents")),
    ]


TWO = ["--transformation", "halves", "--transformation", "ties"]


def test_without_data_it_answers(capsys):
    assert main(["audit", "--measure", "PASSAGE", *TWO, "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [list(row) for row in rows] == [list(COLUMNS)] * 2
    first = rows[0]
    assert (first["measure"], first["transformation"], first["verdict"]) == ("PASSAGE", "halves", "breaks")
    assert first["broken"] <= first["tried"] and first["largest"] > 0
    assert "documents\n" in first["example"] and first["example"].endswith("(expected: the same)\n")
    assert rows[1]["example"] is None and rows[1]["largest"] is None


def test_cards_in_every_form(tmp_path, capsys):
    for form, mark in (
        ("table", "Broken: halves"),
        ("markdown", "## `PASSAGE`"),
        ("html", "<h2><code>PASSAGE<"),
    ):
        file = tmp_path / form
        assert main(["audit", "--measure", "PASSAGE", *TWO, "--format", form, "--output", str(file)]) == 0
        text = file.read_text(encoding="utf-8")
        assert mark in text and "Transformations that break a property: 1 of 2" in " ".join(text.split())


def test_with_data(example, capsys):
    assert main(["audit", "--measure", "IoU", *TWO, "--format", "json", *inputs(example)]) == 0
    halves, ties = json.loads(capsys.readouterr().out)
    assert halves["verdict"] == "not broken" and halves["tried"] > 5
    assert ties["verdict"] == "not tried" and ties["note"].startswith("undecided, because ")
    assert main(["audit", "--measure", "IoU", "--run", "x"]) == 2
    assert "--gold must be given" in capsys.readouterr().err


def test_properties_undecided_for_one_reason_are_reported_once(example, capsys):
    names = ("joined", "halves", "ties")
    options = [word for name in names for word in ("--transformation", name)]
    assert main(["audit", "--measure", "IoU", *options, *inputs(example)]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "undecided, because " in line]
    assert (
        lines[0] == "joined, ties: undecided, because the transformation changes no result list"
        and len(lines) == 1
    )


def test_simulated_runs_are_read_and_scored(example, tmp_path, capsys):
    assert main(["simulate", "--as", "halves", *inputs(example), "--output", str(tmp_path / "made")]) == 0
    files = sorted((tmp_path / "made").iterdir())
    assert [file.name for file in files] == ["paragraphs.txt", "sections.txt", "windows.txt"]
    simulated = focuseval.simulate(
        "halves",
        runs=example / "runs",
        assessments=example / "gold.jsonl",
        collection=example / "documents",
    )
    frames = {str(name): frame for name, frame in simulated.groupby("run")}
    values = [
        focuseval.score(
            ["IoU", "P@3"], runs=runs, assessments=example / "gold.jsonl", collection=example / "documents"
        ).set_index(["run", "measure"])["value"]
        for runs in (example / "runs", files, frames)
    ]
    pd.testing.assert_series_equal(values[1], values[2], check_index=True)
    for run in ("paragraphs", "sections"):
        assert values[0][run, "IoU"] == pytest.approx(values[1][run, "IoU"])


def test_runs_whose_names_differ_only_in_signs_have_separate_files(example, tmp_path):
    lines = (example / "runs" / "sections.jsonl").read_text().splitlines()
    runs = tmp_path / "runs"
    runs.mkdir()
    for number, name in enumerate(("a 😀", "a 😁", "A__", "b")):
        kept = [json.dumps({**json.loads(line), "run": name}) for line in lines[: 5 + number]]
        (runs / f"{number}.jsonl").write_text("\n".join(kept))
    command = [
        "simulate",
        "--as",
        "reversed",
        "--assessments",
        str(example / "gold.jsonl"),
        "--run",
        str(runs),
    ]
    assert main([*command, "--format", "jsonl", "--output", str(tmp_path / "made")]) == 0
    written = {file.name: file.read_text().splitlines() for file in (tmp_path / "made").iterdir()}
    assert {name: len(lines) for name, lines in written.items()} == {
        **{"a__.jsonl": 5, "a__-2.jsonl": 6, "A__-3.jsonl": 7, "b.jsonl": 8}
    }


def test_runs_that_a_transformation_does_not_change_are_reported(example):
    inputs = {"assessments": str(example / "gold.jsonl"), "runs": str(example / "runs")}
    with pytest.warns(InputWarning, match="^ancestors: the transformation changes no result list$"):
        unchanged = focuseval.simulate("ancestors", **inputs)  # without documents no element has ancestors
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(focuseval.simulate("halves", **inputs)) > len(unchanged)


GOLD = [{"topic": "t", "document": "d", "start": 0, "end": 4}]
RUNS = {"r": GOLD}


@pytest.mark.parametrize("runs", [{}, {"runs": RUNS}])
def test_omitted_documents_are_reported(runs, tmp_path):
    (tmp_path / "d.xml").write_text("<a>text</a>")
    (tmp_path / "e.xml").write_text("<a>text")
    inputs = {"gold": GOLD, "collection": tmp_path, **runs}
    with pytest.raises(InputError, match=r"e\.xml"):
        focuseval.simulate("ideal", **inputs)
    with pytest.warns(InputWarning, match=r"left out: .*e\.xml"):
        assert focuseval.simulate("ideal", **inputs, lenient=True)["document"].tolist() == ["d"]


@pytest.mark.parametrize("runs", [{}, {"runs": RUNS}])
def test_omitted_gold_is_reported(runs):
    inputs = {"gold": [*GOLD, {**GOLD[0], "document": "e"}], "texts": {"d": "text"}, **runs}
    with pytest.raises(InputError, match="gold, row 1"):
        focuseval.simulate("ideal", **inputs)
    with pytest.warns(InputWarning, match="left out: gold, row 1"):
        assert focuseval.simulate("ideal", **inputs, lenient=True)["document"].tolist() == ["d"]


def test_graded_documents_are_audited(tmp_path):
    (tmp_path / "gold.qrels").write_text("1 0 a 1\n1 0 b 0\n")
    (tmp_path / "run.txt").write_text("1 Q0 b 1 2.0 r\n1 Q0 a 2 1.0 r\n")
    files = {"assessments": str(tmp_path / "gold.qrels"), "runs": str(tmp_path / "run.txt")}
    findings = focuseval.audit("AP", transformations="ideal", **files)
    assert findings["verdict"].to_list() == ["not broken"]


def test_findings_as_a_frame():
    findings = focuseval.audit(["over_prediction"], transformations=["twice"], examples=False)
    assert tuple(findings.columns) == COLUMNS
    assert findings["verdict"].tolist() == ["not broken"]  # twice as many spans are worse, as expected
    with pytest.raises(focuseval.InputError, match="measures: .*; expected names"):
        focuseval.audit([])
    one = focuseval.audit("over_prediction", transformations="twice", examples=False)
    pd.testing.assert_frame_equal(one, findings)


GENOMICS = SHARED / "trec-genomics-2007"


@pytest.mark.skipif(not GENOMICS.is_dir(), reason="no public data: TREC Genomics 2007")
def test_passage_gains_by_splitting_on_real_lists():
    """Between 20.1 and 36.1 % on five lists of TREC Genomics 2007; PASSAGE2 gains nothing."""
    inputs = {"runs": GENOMICS / "Data", "assessments": GENOMICS / "gold-standard-07.txt"}
    findings = focuseval.audit(["PASSAGE", "PASSAGE2"], transformations=["halves"], examples=False, **inputs)
    passage, passage2 = findings["mean_change"]
    before = focuseval.score(["PASSAGE"], **inputs)["value"].mean()
    assert 0.2 < passage / before < 0.37
    assert passage2 == pytest.approx(0, abs=1e-12)
    assert findings["verdict"].tolist() == ["breaks", "not broken"]
    assert findings["low"].notna().tolist() == [True, False]  # PASSAGE2 never changes and so has no interval


def test_a_second_assessor_changes_scores_like_the_other_file(example, tmp_path):
    gold = example / "gold.jsonl"
    lines = gold.read_text(encoding="utf-8").splitlines()
    first = json.loads(lines[0])
    other = tmp_path / "other.jsonl"
    other.write_text(json.dumps({**first, "end": first["start"] + 5}), encoding="utf-8")
    inputs = {"runs": example / "runs", "collection": example / "documents"}
    findings = focuseval.audit(
        ["IoU"], transformations=[f"second-assessor(file={other})"], assessments=gold, **inputs
    )
    both = focuseval.score(["IoU"], assessments=[gold], per_topic=True, **inputs)
    alone = focuseval.score(["IoU"], assessments=other, per_topic=True, **inputs)
    topic = str(first["topic"])
    change = [one[one["topic"] == topic].set_index("run")["value"] for one in (both, alone)]
    topics = both["topic"].nunique() - both["topic"].eq("all").any()
    assert findings["verdict"].tolist() == ["reported"] and findings["tried"][0] == 3
    assert findings["mean_change"][0] == pytest.approx((change[1] - change[0]).mean() / topics)


@pytest.mark.parametrize("transformation", ["twice", "fewer-topics", "sinking", "fewer-judgements", "ideal"])
def test_a_measure_that_cannot_be_computed_is_undecided_under_every_kind(example, transformation):
    inputs = {"assessments": example / "gold.jsonl", "runs": example / "runs"}
    findings = focuseval.audit(["MAep"], transformations=[transformation], **inputs)
    assert findings["verdict"].tolist() == ["not tried"] and findings["tried"].tolist() == [0]
    assert findings["note"][0].startswith("undecided, because")


def test_a_missing_package_is_named_with_the_command_that_installs_it(example, monkeypatch):
    def without_numba(*_):
        with extra("full"):
            raise ModuleNotFoundError(name="numba")

    monkeypatch.setattr("focuseval.auditing.audit._compared", without_numba)
    inputs = {"assessments": example / "gold.jsonl", "runs": example / "runs"}
    findings = focuseval.audit(["IoU"], transformations=["twice"], **inputs)
    assert (
        "numba: the package is not installed; install the extra full of focuseval (in a clone: pip install '.[full]')"
        in findings["note"][0]
    )
