"""Runs compared, from the command line and from Python: the same numbers in every form."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import focuseval
from focuseval.cli import main

TOPICS = 30


def write_chunks(path: Path, rows: list[dict[str, object]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def gold(topics: int = TOPICS) -> list[dict[str, object]]:
    return [{"topic": f"q{t}", "document": "d", "start": 100 * t, "end": 100 * t + 50} for t in range(topics)]


def chunks(found: list[int]) -> list[dict[str, object]]:
    """The first ``found`` characters of the gold of each topic: char_recall is found / 50."""
    return [
        {"topic": f"q{t}", "document": "d", "start": 100 * t, "end": 100 * t + n, "score": 1.0}
        for t, n in enumerate(found)
    ]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    rng = np.random.default_rng(5)
    monkeypatch.chdir(tmp_path)
    write_chunks(tmp_path / "gold.jsonl", gold())
    for name, least in (("a", 10), ("b", 16), ("c", 24)):
        write_chunks(tmp_path / f"{name}.jsonl", chunks(rng.integers(least, 40, TOPICS).tolist()))
    return tmp_path


def compare(*more: str, runs: tuple[str, ...] = ("a.jsonl", "b.jsonl", "c.jsonl")) -> int:
    return main(["compare", *runs, "--assessments", "gold.jsonl", "--measure", "char_recall", *more])


def test_python_and_the_command_line_agree(folder: Path, capsys) -> None:
    files = ["a.jsonl", "b.jsonl", "c.jsonl"]
    compared = focuseval.compare(
        ["char_recall", "AiP"], assessments="gold.jsonl", runs=files, baseline="a", test="bootstrap"
    )
    assert compare("--measure", "AiP", "--baseline", "a", "--test", "bootstrap", "--format", "json") == 0
    assert json.loads(capsys.readouterr().out) == json.loads(compared.to_json())
    frame = compared.to_frame()
    assert frame["measure"].tolist() == ["char_recall", "char_recall", "AiP", "AiP"]
    frame["p"] = 0.0
    assert (compared.to_frame()["p"] > 0).all(), "the frame is the caller's own"


def test_the_order_of_topics_runs_and_measures_changes_nothing(folder: Path) -> None:
    given = focuseval.compare(["char_recall"], assessments="gold.jsonl", runs=["a.jsonl", "b.jsonl"])
    write_chunks(folder / "gold.jsonl", gold()[::-1])
    turned = focuseval.compare(
        ["AiP", "char_recall"], assessments="gold.jsonl", runs=["b.jsonl", "a.jsonl"], baseline="a"
    )
    there = turned.to_frame().query("measure == 'char_recall'").iloc[0]
    here = given.to_frame().iloc[0]
    assert there["p"] == here["p"] and there["run"] == "b"
    assert there["low"] == pytest.approx(here["low"], abs=1e-15)


def test_the_page_s_examples_work(folder: Path, capsys) -> None:
    page = (Path(__file__).parents[2] / "docs" / "comparing.md").read_text()
    command, _ = re.findall(r"```sh\n(.*?)\n```", page)
    assert main(command.split()[1:]) == 0
    heads = [line.split() for line in capsys.readouterr().out.splitlines() if line.startswith("measure")]
    assert [line.split() for line in page.splitlines() if line.startswith("measure ")] == heads
    _, code = re.findall(r"```python\n(.*?)```", page, flags=re.S)
    known: dict[str, object] = {}
    exec(code, known)
    assert "two-tailed" in capsys.readouterr().out
    columns = known["compared"].to_frame().columns  # type: ignore[attr-defined]
    assert all(
        f"`{name}`" in page for name in columns if name not in ("baseline", "run", "measure", "topics")
    )
