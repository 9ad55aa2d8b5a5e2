"""The cost of starting, and functions without the packages of an extra."""

import json
import subprocess
import sys

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
#: by package: the extra that installs it
EXTRAS = {
    "matplotlib": "plots",
    "pydantic": "workflow",
    "Stemmer": "workflow",
    "yaml": "workflow",
}


def python(code, *arguments, folder=None):
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=folder, capture_output=True, text=True, timeout=300
    )


def test_importing_loads_nothing_heavy_until_a_name_is_used():
    code = f"""
import sys, focuseval
print([name for name in {HEAVY} if name in sys.modules], dir(focuseval))
focuseval.score
print("pandas" in sys.modules)
"""
    listed = sorted([*focuseval.__all__, "__version__"])
    assert python(code).stdout == f"[] {listed}\nTrue\n"


def test_asking_for_help_loads_nothing_heavy():
    commands = [["--version"], ["--help"], *([name, "--help"] for name in COMMANDS)]
    code = f"""
import runpy, sys
for arguments in {commands}:
    sys.argv[1:] = arguments
    try:
        runpy.run_module("focuseval", run_name="__main__")
    except SystemExit as end:
        print("ended", *arguments, end.code, [name for name in {HEAVY} if name in sys.modules])
"""
    done = python(code)
    ends = [line for line in done.stdout.splitlines() if line.startswith("ended")]
    assert ends == [f"ended {' '.join(arguments)} 0 []" for arguments in commands], done.stderr
    assert done.stdout.startswith(f"focuseval {focuseval.__version__}\n")


def test_exactly_the_public_names_exist():
    for name in focuseval.__all__:
        assert getattr(focuseval, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'scores'"):
        focuseval.scores  # noqa: B018


def test_scoring_comparing_and_checking_need_no_extra(tmp_path):
    for name, fields in (
        ("gold", {"end": 10}),
        ("a", {"end": 5, "score": 1}),
        ("b", {"end": 10, "score": 1}),
    ):
        spans = [{"topic": topic, "document": "a", "start": 0, **fields} for topic in "12"]
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
    "package, modules",
    [
        ("matplotlib", ["focuseval.report.figures"]),
        ("Stemmer", ["focuseval_papers.retrieval.search"]),
        ("yaml", ["focuseval_papers.workflow.yaml_files"]),
        (
            "pydantic",
            [
                *("focuseval_papers.workflow.settings", "focuseval_papers.workflow.configuration"),
                *("focuseval_papers.workflow.configuration", "focuseval_papers.publication.paper"),
            ],
        ),
    ],
)
def test_a_missing_extra_is_reported_with_the_command_that_installs_it(package, modules):
    code = f"""
import importlib, sys
sys.modules[{package!r}] = None
from focuseval.errors import InputError
for module in {modules}:
    try:
        importlib.import_module(module)
    except InputError as error:
        assert isinstance(error, ImportError)
        print(module, error, sep=": ")
"""
    message = f"{package}: the package is not installed; install the extra {EXTRAS[package]} of focuseval (in a clone: pip install '.[{EXTRAS[package]}]')"
    done = python(code)
    assert done.stdout.splitlines() == [f"{module}: {message}" for module in modules], done.stderr


def test_functions_are_not_replaced_by_packages_of_the_same_name():
    code = "import focuseval.auditing.public, focuseval.viewer.page, focuseval; print(focuseval.audit, focuseval.view)"
    assert python(code).stdout.count("<function") == 2


def test_figures_need_the_extra_plots_only():
    other_packages = [package for package, of in EXTRAS.items() if of != "plots"]
    done = python(
        f"import sys; sys.modules.update(dict.fromkeys({other_packages})); import focuseval.report.figures"
    )
    assert done.returncode == 0, done.stderr


def test_a_paper_without_plots_names_the_extra_of_its_figures():
    code = """
import sys
sys.modules["matplotlib"] = None
from focuseval.errors import InputError
from focuseval_papers.publication.paper import load
load("goevert2006")
try:
    import focuseval_papers.publication.kinds
except InputError as error:
    print(error)
"""
    done = python(code)
    assert (
        done.stdout
        == "matplotlib: the package is not installed; install the extra plots of focuseval (in a clone: pip install '.[plots]')\n"
    ), done.stderr
