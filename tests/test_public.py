"""The public functions beside `score` and `compare`: what they return, how it is shown, and what is registered."""

import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

import focuseval

TOPICS = [f"q{i}" for i in range(8)]
GOLD = [{"topic": topic, "document": "d", "start": 0, "end": 10} for topic in TOPICS]
BEST = {"best": GOLD}


def test_a_measure_is_registered_once_and_known_by_its_name() -> None:
    mine = replace(focuseval.MEASURES["char_recall"], name="mine")
    try:
        focuseval.register(mine)
        focuseval.register(mine)  # as a notebook does whose cell is run again
        assert focuseval.score("mine", runs=BEST, gold=GOLD)["value"].tolist() == [1]
        with pytest.raises(focuseval.InputError, match="a second 'mine'; give it a name of its own"):
            focuseval.register(replace(mine, summary="another"))
    finally:
        focuseval.MEASURES.pop("mine", None)


def test_a_package_brings_a_measure_and_a_format(tmp_path: Path) -> None:
    """That of docs/adding.md, with the files that an installation leaves of it: no build tool is needed here."""
    page = (Path(__file__).parents[1] / "docs" / "adding.md").read_text("utf-8")
    section = page[page.index("## A package of your own") :]
    metadata, module = (
        section[section.index(f"`{name}`:") :].split("```")[1].partition("\n")[2]
        for name in ("pyproject.toml", "first_gold.py")
    )
    site = tmp_path / "site"
    (site / "first_gold-0.1.dist-info").mkdir(parents=True)
    (site / "first_gold.py").write_text(module, encoding="utf-8")
    project = tomllib.loads(metadata)["project"]
    (site / "first_gold-0.1.dist-info/METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    entries = [
        line
        for group, points in project["entry-points"].items()
        for line in (f"[{group}]", *(f"{name} = {value}" for name, value in points.items()))
    ]
    (site / "first_gold-0.1.dist-info/entry_points.txt").write_text("\n".join(entries))
    (tmp_path / "gold.jsonl").write_text('{"topic": "1", "document": "a", "start": 0, "end": 9}\n')
    (tmp_path / "run.csv").write_text("question,document,start,end\n1,b,0,9\n1,a,0,9\n")
    asked = ["score", "--assessments", "gold.jsonl", "--run", "run.csv", "--measure", "first_gold"]
    code = f"import sys; sys.path.insert(0, {str(site)!r}); from focuseval.cli import main; sys.exit(main({asked}))"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == "run\ttopic\tmeasure\tvalue\nrun\tall\tfirst_gold\t0.5\n", done.stderr
    (site / "first_gold.py").write_text("import there_is_no_such_module\n")
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert "first_gold:MEASURE cannot be used: No module named 'there_is_no_such_module'" in done.stderr
    assert "unknown measure 'first_gold'" in done.stderr
