"""The pages for beginners: every command on them prints the output on the page. The example works."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from focuseval.cli import COMMANDS, main
from focuseval.measures import MEASURES
from focuseval_papers.workflow import configuration

ROOT = Path(__file__).parents[1]
#: the commands of focuseval on each page
PAGES = {
    "start": {"init", "locate", "score", "compare", "view", "gate", "check"},
    "start-code": {"score"},
    "start-xml": {"check", "score"},
}
INSTALLATION = "python3 -m venv venv\n. venv/bin/activate\npip install .\n"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def bash(command, folder, status):
    """Run a command of the page; its standard output includes its notices."""
    bin_folder = folder if folder.name == "bin" else folder.parent / "bin"
    environment = {**os.environ, "PATH": f"{bin_folder}:{os.environ['PATH']}", "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        ["bash", "-c", f"(exit {status}); {command}"],
        cwd=folder,
        env=environment,
        text=True,
        encoding="utf-8",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def commands_of(block):
    """Return the commands of a block with their outputs; lines up to ``END`` belong to the command."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\nEND\n" if "<<'END'" in part else "\n")
        yield command + ("\nEND" if "<<'END'" in part else ""), output


@pytest.mark.parametrize("page", PAGES)
def test_every_command_of_the_page_prints_what_it_shows(tmp_path, page):
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "focuseval"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m focuseval "$@"\n')
    program.chmod(0o755)
    folder, status, printed, ran = tmp_path, 0, "", []
    for kind, block in BLOCK.findall((ROOT / f"docs/{page}.md").read_text(encoding="utf-8")):
        if kind == "sh":
            assert block == INSTALLATION
        elif kind == "python":
            printed = bash(f"{sys.executable} - <<'END'\n{block}END", folder, 0).stdout
        elif kind == "text":
            assert printed == block
        else:
            assert kind == "console"
            for command, output in commands_of(block):
                if command.startswith("cd "):
                    folder = folder / command.removeprefix("cd ")
                    continue
                done = bash(command, folder, status)
                assert done.stdout == output, command
                status = done.returncode
                ran += re.findall(r"focuseval (\w+)", command)
    assert set(ran) >= PAGES[page]


@pytest.fixture
def example(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["init"]) == 0
    lines = capsys.readouterr().out.splitlines()
    folder = tmp_path / "focuseval-example"
    assert {tmp_path / line for line in lines[:-1]} == {path for path in folder.rglob("*") if path.is_file()}
    assert sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) < 30_000
    monkeypatch.chdir(folder)
    return folder


def test_every_command_works_on_the_example(example, capsys):
    readme = (example / "README.md").read_text(encoding="utf-8")
    commands = [line.split()[1:] for line in readme.splitlines() if line.startswith("    focuseval ")]
    assert {command[0] for command in commands} | {"init", "measures"} == {*COMMANDS}
    for command in commands:
        assert main(command) == 0, command
    capsys.readouterr()
    files = [str(path) for path in sorted(example.rglob("*.jsonl")) if path.name != "gold-text.jsonl"]
    assert main(["check", *files, "documents"]) == 0


def test_gold_of_the_example_is_what_locate_writes(example, capsys):
    assert main(["locate", "gold-text.jsonl", "--documents", "documents"]) == 0
    assert capsys.readouterr().out == (example / "gold.jsonl").read_text(encoding="utf-8")


def rows_of(path):
    return [yaml.safe_load(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("name", ["paragraphs", "sections"])
def test_chunks_of_the_example_contain_all_text_but_headings_and_results_are_chunks(example, name):
    chunks = {
        (one["document"], one["start"], one["end"]) for one in rows_of(example / f"chunks/{name}.jsonl")
    }
    results = rows_of(example / f"runs/{name}.jsonl")
    assert chunks >= {(one["document"], one["start"], one["end"]) for one in results}
    for document in (example / "documents").iterdir():
        text = document.read_text(encoding="utf-8")
        for of, start, end in sorted(chunks, reverse=True):
            if of == document.name:
                assert text[:start].endswith("\n") and text[end] == "\n"
                text = text[:start] + text[end:]
        assert all(line.startswith("#") for line in text.split("\n") if line)


def test_the_configuration_of_the_example_is_one_of_the_workflow(example):
    written = yaml.safe_load((example / "focuseval.yaml").read_text(encoding="utf-8"))
    _, campaigns = configuration.read(written, {}, MEASURES, ROOT / "config/campaigns", "focuseval.yaml")
    assert campaigns["example"].collection == str(example / "documents")


def test_nothing_is_overwritten(example, capsys):
    before = {path: path.read_bytes() for path in example.rglob("*") if path.is_file()}
    assert main(["init", str(example)]) == 2
    stderr = capsys.readouterr().err
    assert (
        stderr
        == f"{example}: the folder already contains README.md; choose another folder, because existing files are never "
        "overwritten\n"
    )
    assert {path: path.read_bytes() for path in example.rglob("*") if path.is_file()} == before
    assert main(["init", str(example / "README.md")]) == 2
    assert "is a file, not a folder; choose another folder" in capsys.readouterr().err
