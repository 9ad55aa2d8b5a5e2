"""Outputs never replace inputs, other outputs, or files that focuseval did not write."""

import json
import os
import shlex

import pytest

from focuseval.cli import main
from tests.folders import held


@pytest.fixture
def garden(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["init", "."]) == 0
    capsys.readouterr()
    return tmp_path


INPUTS = "--documents documents --gold gold.jsonl --run runs --measure AiP"
ONE = "--documents documents --gold gold.jsonl --run runs/sections.jsonl --measure AiP"


@pytest.mark.parametrize(
    "command",
    [
        f"score {INPUTS} --output runs/windows.jsonl",
        f"score {INPUTS} --save documents/soil.md",
        f"score {INPUTS} --problems link.md",
        f"score {INPUTS} --output linked/soil.md",
        "score --gold gold.jsonl --run by_link --measure AiP --output elsewhere/windows.jsonl",
        "score --gold gold.jsonl --run ring --measure AiP --output ring/sections.jsonl",
        f"score {ONE} --save x --output x",
        f"score {ONE} --save x --output ./elsewhere/../x",
        f"score {ONE} --save new_link --output x",
        f"score {ONE} --problems x --output x",
        f"score {ONE} --problems x --save x",
        f"score {ONE} --save x.rejected --output x",
        f"score {ONE} --problems x.rejected --output x",
        f"score {ONE} --output mine",
        "score --gold gold.jsonl --run out.rejected --measure AiP --output out",
        "score --gold gold.jsonl --run out.rejected --measure AiP --lenient --output out",
        f"view {ONE} --output documents/soil.md",
        f"view {ONE} --output page.html",
        f"compare {INPUTS} --output gold.jsonl",
        f"audit {INPUTS} --transformation halves --output runs/windows.jsonl",
        f"check {INPUTS} --problems runs/windows.jsonl",
        "check runs --problems runs/windows.jsonl",
        "ceiling --gold gold.jsonl --chunks runs --output runs/windows.jsonl",
        "locate runs/sections.jsonl --documents documents --output documents/soil.md",
        "locate runs/sections.jsonl --documents documents --problems y --output y",
        "simulate --gold gold.jsonl --run runs --as halves --format jsonl --output runs",
        "simulate --gold gold.jsonl --run by_link --as halves --format jsonl --output elsewhere",
        "simulate --gold gold.jsonl --run runs/sections.jsonl --as halves --format jsonl --output runs",
        "simulate --gold gold.jsonl --run runs/sections.jsonl --as halves --output gold.jsonl",
        "simulate --gold gold.jsonl --run runs --as halves --format jsonl --output taken",
        "score --documents documents --gold gold.jsonl --run runs --measure 'EPRUM(navigation=table,file=go.tsv)' "
        "--output go.tsv",
        "score --gold gold.jsonl --run runs --measure AiP --ids mine.rejected --output mine.rejected",
    ],
)
def test_nothing_is_lost(command, garden, capsys):
    (garden / "elsewhere").mkdir()
    (garden / "elsewhere/windows.jsonl").write_bytes((garden / "runs/windows.jsonl").read_bytes())
    (garden / "by_link").mkdir()
    os.symlink("../elsewhere/windows.jsonl", garden / "by_link/windows.jsonl")
    os.symlink("documents/soil.md", garden / "link.md")
    os.symlink("documents", garden / "linked")
    os.symlink("x", garden / "new_link")
    (garden / "ring").mkdir()
    (garden / "ring/sections.jsonl").write_bytes((garden / "runs/sections.jsonl").read_bytes())
    os.symlink("../ring", garden / "ring/ring")
    (garden / "out.rejected").write_bytes((garden / "runs/sections.jsonl").read_bytes())
    (garden / "mine.rejected").write_text("notes of my own\n")
    (garden / "page_files").mkdir()
    (garden / "page_files/d1.js").write_text("of my own\n")
    (garden / "taken/windows.jsonl").mkdir(parents=True)
    (garden / "taken/windows.jsonl/kept").write_text("")
    (garden / "go.tsv").write_text("document\tfrom\tto\tprobability\n")
    before = held(garden)
    assert main(shlex.split(command)) == 2
    captured = capsys.readouterr()
    assert held(garden) == before
    assert captured.out == "" and captured.err.count("\n") == 1 and "Traceback" not in captured.err


def test_lists_of_omissions_are_written_and_outdated_ones_of_focuseval_removed(garden):
    line = json.dumps({"topic": "nowhere", "document": "soil.md", "start": 5, "end": 5})
    run = garden / "runs/sections.jsonl"
    good = run.read_text(encoding="utf-8")
    score = shlex.split(f"score {ONE} --output out --lenient")
    for text, has_list in ((good + line, True), (good + line, True), (good, False), (good, False)):
        run.write_text(text, encoding="utf-8")
        assert main(score) == 0
        assert (garden / "out.rejected").exists() == has_list
    (garden / "out.rejected").write_text("notes of my own\n")
    assert main(score) == 2
    assert (garden / "out.rejected").read_text() == "notes of my own\n"


def test_outputs_may_be_new_files_next_to_inputs_or_streams(garden, capsys):
    before = held(garden)
    assert main(shlex.split(f"score {INPUTS} --output runs/scores.tsv")) == 0
    assert held(garden) == {**before, "runs/scores.tsv": (garden / "runs/scores.tsv").read_bytes()}
    (garden / "runs/scores.tsv").unlink()
    for stream in ("/dev/stdout", "/dev/null"):
        assert main(shlex.split(f"score {INPUTS} --output {stream} --problems {stream}")) == 0
    assert held(garden) == before


def test_simulated_runs_are_written_together_or_not_at_all(garden):
    """Whatever a run is called, its file is not hidden."""
    for name in (".hidden", "..", "plain"):
        (garden / f"{name}.run").write_text(
            f"sour-soil Q0 soil.md 1 9 {name} 0 50\nsour-soil Q0 soil.md 2 8 {name} 60 9\n"
        )
    runs = "--run .hidden.run --run ...run --run plain.run"
    assert main(shlex.split(f"simulate --gold gold.jsonl {runs} --as halves --output made")) == 0
    assert sorted(path.name for path in (garden / "made").iterdir()) == ["_..txt", "_hidden.txt", "plain.txt"]
