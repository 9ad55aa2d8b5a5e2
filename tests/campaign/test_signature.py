"""The line that identifies scores: its parts, and its equality wherever it is printed."""

import hashlib
from pathlib import Path

import pytest

import focuseval
from focuseval.cli import main
from tests.folders import write_files

pytestmark = pytest.mark.filterwarnings("ignore::focuseval.errors.InputWarning")

GOLD = "".join(f'{{"topic": "{topic}", "document": "a", "start": 0, "end": 30}}\n' for topic in "12")
RUN = "".join(
    f'{{"topic": "{topic}", "document": "a", "start": 5, "end": 20, "score": 1}}\n' for topic in "12"
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path, {"gold.jsonl": GOLD, "a.jsonl": RUN, "b.jsonl": RUN.replace("20", "19")})
    return tmp_path


def digest(path):
    """Return the first eight digits of the checksum that sha256sum prints."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:8]


def signature(measures="IoU", **settings):
    inputs = {"assessments": "gold.jsonl", "runs": "a.jsonl", **settings}
    return str(focuseval.score(measures, **inputs).signature)


def test_a_signature_has_version_measures_unit_and_checksums_of_files(folder):
    first = f"focuseval {focuseval.__version__} | IoU | unit characters | "
    assert signature() == f"{first}gold {digest('gold.jsonl')} | runs {digest('a.jsonl')}"
    assert signature(rank_by="score", size=5, equal_scores_tie=True) == (
        f"{first}size 5 | rank by score | equal scores tie | gold {digest('gold.jsonl')} | runs {digest('a.jsonl')}"
    )
    # a default that is passed explicitly changes nothing
    assert signature(unit="characters", pools=[], coverage=[0, 1, 2, 3]) == signature()
    several = hashlib.sha256(
        "\n".join(
            sorted(hashlib.sha256(Path(name).read_bytes()).hexdigest() for name in ("a.jsonl", "b.jsonl"))
        ).encode()
    ).hexdigest()
    for runs in (["a.jsonl", "b.jsonl"], ["b.jsonl", "a.jsonl"]):
        assert signature(runs=runs).endswith(f" | runs {several[:8]}")


def test_a_signature_changes_with_every_input_and_marks_inputs_in_memory(folder):
    before = signature()
    assert signature(runs="b.jsonl") != before
    assert signature(["IoU", "AiP"]) == before.replace("IoU", "IoU, AiP")
    assert signature(average_over="run") == before.replace(" | gold", " | average over run | gold")
    row = {"topic": "1", "document": "a", "start": 0, "end": 9}
    assert signature(assessments=None, gold=[row], runs={"mine": [row]}).endswith(
        "gold in memory | runs in memory"
    )
    assert signature(collection=None, texts={"a": "x" * 40}).split(" | ")[-2] == "documents in memory"
    Path("gold.jsonl").write_text(GOLD.replace("30", "31"))
    assert signature() == before.replace(before.split(" | ")[-2], f"gold {digest('gold.jsonl')}") != before


def test_tables_and_pages_end_with_the_signature(folder, capsys):
    inputs = {"assessments": "gold.jsonl", "runs": ["a.jsonl", "b.jsonl"]}
    line = signature(**inputs)
    options = ["--gold", "gold.jsonl", "--measure", "IoU"]
    for form, mark in (("table", ""), ("markdown", ""), ("latex", "% ")):
        assert main(["score", *options, "a.jsonl", "b.jsonl", "--format", form]) == 0
        assert f"{mark}{line}" in " ".join(capsys.readouterr().out.splitlines())
    assert main(["score", *options, "a.jsonl", "b.jsonl"]) == 0  # output for programs has only the scores
    assert "focuseval" not in capsys.readouterr().out
    compared = focuseval.compare("IoU", **inputs)
    assert compared.signature == line and compared.to_markdown().split("\n\n")[-2] == line
    verdict = focuseval.gate("IoU", assessments="gold.jsonl", runs="b.jsonl", baseline="a.jsonl")
    assert verdict.signature == line
    page = focuseval.view("IoU", **inputs)
    assert page.signature == line and f"<p>{line}</p>" in page.to_html()
    ceiling = focuseval.ceiling("a.jsonl", assessments="gold.jsonl")
    assert ceiling.signature.endswith(f"gold {digest('gold.jsonl')} | chunks {digest('a.jsonl')}")
    assert main(["score", *options, "a.jsonl", "--save", "a.parquet"]) == 0
    saved = focuseval.gate("IoU", assessments="gold.jsonl", runs="b.jsonl", baseline="a.parquet").signature
    assert saved.startswith(signature(runs="b.jsonl") + " | baseline ")


def test_a_part_of_the_scores_keeps_the_signature(folder):
    scores = focuseval.score("IoU", assessments="gold.jsonl", runs="a.jsonl", per_topic=True)
    assert (
        scores[scores["topic"] == "1"].signature == scores.head(1).copy().signature == scores.signature != ""
    )
