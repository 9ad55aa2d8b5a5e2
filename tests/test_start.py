"""What starting costs, and what works without the packages of an extra."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import focuseval
from focuseval.cli import COMMANDS

HEAVY = (
    "jinja2",
    "lxml",
    "matplotlib",
    "numba",
    "numpy",
    "pandas",
    "pyarrow",
    "pydantic",
    "scipy",
    "snakemake",
)
#: by package: the extra that brings it
EXTRAS = {
    "matplotlib": "plots",
    "pydantic": "workflow",
    "Stemmer": "workflow",
    "yaml": "workflow",
}


def python(code: str, *arguments: str, folder: Path | None = None) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=folder, capture_output=True, text=True, timeout=300
    )


def test_importing_loads_nothing_heavy_until_a_name_is_used() -> None:
    code = f"""
import sys, focuseval
print([name for name in {HEAVY} if name in sys.modules], dir(focuseval))
focuseval.score
print("pandas" in sys.modules)
"""
    listed = sorted([*focuseval.__all__, "__version__"])
    assert python(code).stdout == f"[] {listed}\nTrue\n"


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["--version"], *([name, "--help"] for name in COMMANDS)],
    ids=" ".join,
)
def test_asking_for_help_loads_nothing_heavy(arguments: list[str]) -> None:
    code = f"""
import runpy, sys
try:
    runpy.run_module("focuseval", run_name="__main__")
except SystemExit as end:
    print(end.code, [name for name in {HEAVY} if name in sys.modules])
"""
    done = python(code, *arguments)
    assert done.stdout.endswith("\n0 []\n"), done.stdout + done.stderr


def test_every_public_name_is_there_and_no_other() -> None:
    for name in focuseval.__all__:
        assert getattr(focuseval, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'scores'"):
        focuseval.scores  # noqa: B018


def test_the_version_is_that_of_the_package() -> None:
    done = subprocess.run([sys.executable, "-m", "focuseval", "--version"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, f"focuseval {focuseval.__version__}\n")


def test_scoring_comparing_and_checking_need_no_extra(tmp_path: Path) -> None:
    for name, found in (("gold", {"end": 10}), ("a", {"end": 5, "score": 1}), ("b", {"end": 10, "score": 1})):
        spans = [{"topic": topic, "document": "a", "start": 0, **found} for topic in "12"]
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(span) + "\n" for span in spans))
    inputs = ["--assessments", "gold.jsonl", "--measure", "char_recall"]
    commands = [
        ["score", "--run", "a.jsonl", *inputs],
        ["compare", "a.jsonl", "b.jsonl", *inputs],
        ["check", "a.jsonl"],
        ["measures"],
    ]
    code = f"""
import sys
sys.modules.update(dict.fromkeys({[*EXTRAS, "snakemake"]}))
from focuseval.cli import main
for arguments in {commands}:
    assert main(arguments) == 0, arguments
"""
    done = python(code, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "a\tall\tchar_recall\t0.5\n" in done.stdout


@pytest.mark.parametrize(
    "module, package",
    [
        ("focuseval.report.figures", "matplotlib"),
        ("focuseval_papers.retrieval.search", "Stemmer"),
        ("focuseval_papers.workflow.yaml_files", "yaml"),
        ("focuseval_papers.workflow.settings", "pydantic"),
        ("focuseval_papers.workflow.campaign_settings", "pydantic"),
        ("focuseval_papers.workflow.configuration", "pydantic"),
        ("focuseval_papers.publication.paper", "pydantic"),
    ],
)
def test_a_missing_extra_is_named_in_a_line_with_the_command_that_brings_it(
    module: str, package: str
) -> None:
    code = f"""
import sys
sys.modules[{package!r}] = None
from focuseval.errors import InputError
try:
    import {module}
except InputError as error:
    assert isinstance(error, ImportError)
    print(error)
"""
    expected = f"{package}: is not installed; pip install 'focuseval[{EXTRAS[package]}]' brings it\n"
    done = python(code)
    assert done.stdout == expected, done.stderr


def test_functions_are_not_replaced_by_packages_that_are_called_alike() -> None:
    code = "import focuseval.auditing.public, focuseval.viewer.page, focuseval; print(focuseval.audit, focuseval.view)"
    assert python(code).stdout.count("<function") == 2


def test_figures_need_the_extra_plots_only() -> None:
    others = [package for package, of in EXTRAS.items() if of != "plots"]
    done = python(f"import sys; sys.modules.update(dict.fromkeys({others})); import focuseval.report.figures")
    assert done.returncode == 0, done.stderr


def test_a_paper_without_plots_says_what_brings_its_figures() -> None:
    code = """
import sys
sys.modules["matplotlib"] = None
from focuseval.errors import InputError
from focuseval_papers.publication.catalogue import load
load("goevert2006")
try:
    import focuseval_papers.publication.drawing
except InputError as error:
    print(error)
"""
    done = python(code)
    assert done.stdout == "matplotlib: is not installed; pip install 'focuseval[plots]' brings it\n", (
        done.stderr
    )
