"""The lists of dependencies agree with each other and with what is imported; what a wheel holds."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

from focuseval.reach import reached

ROOT = Path(__file__).parents[1]


def plain(requirement: str) -> str:
    """Name and version without extras, in lower case."""
    return re.sub(r"\[.*?\]", "", requirement).replace(" ", "").lower()


PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
CORE, DEV = PYPROJECT["project"]["dependencies"], PYPROJECT["dependency-groups"]["dev"]
EXTRAS = PYPROJECT["project"]["optional-dependencies"]
RUN = [*CORE, *EXTRAS["workflow"], *EXTRAS["plots"], *EXTRAS["chunking"]]


def conda(file: str) -> set[str]:
    """The dependencies that a conda environment has, without the library itself."""
    found: set[str] = set()
    for entry in yaml.safe_load((ROOT / file).read_text())["dependencies"]:
        found |= {plain(r) for r in entry["pip"]} if isinstance(entry, dict) else {plain(entry)}
    return found - {"pip", "-e."}


@pytest.mark.parametrize(
    "file, wanted", [("environment.yml", [*RUN, *DEV]), ("workflow/envs/focuseval.yml", RUN)]
)
def test_conda_environments_have_the_same_dependencies(file: str, wanted: list[str]) -> None:
    python = "python" + PYPROJECT["project"]["requires-python"]
    assert conda(file) == {plain(requirement) for requirement in wanted} | {python}


def test_the_workflow_has_what_its_figures_need() -> None:
    assert set(EXTRAS["plots"]) <= set(EXTRAS["workflow"])


def test_every_dependency_is_locked_to_one_version() -> None:
    locked = {
        re.split(r"[=\[; ]", line)[0].lower().replace("_", "-"): line
        for line in (ROOT / "requirements.lock").read_text().splitlines()
        if line and not line.startswith("#")
    }
    for requirement in [*RUN, *DEV]:
        name = re.split(r"[><=\[]", requirement)[0].lower().replace("_", "-")
        assert "==" in locked[name], name


def test_no_file_names_a_registry_or_a_machine() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("not a git checkout")
    registry = re.compile(r"https?://[^\s\"']*(pypi|anaconda|simple/)|index-url\s*=|/root/|/work/")
    named = []
    for name in filter(None, listed.stdout.split("\0")):
        text = (ROOT / name).read_bytes().decode("utf-8", "replace")
        if name != "tests/test_packaging.py":
            named += [f"{name}: {m.group()}" for m in registry.finditer(text)]
    assert not named


#: packages by the names under which they are imported, where these differ
IMPORTED_AS = {"pyyaml": "yaml", "langchain-text-splitters": "langchain_text_splitters"}


def imported(*files: Path) -> set[str]:
    """The packages of others that files import, anywhere in them."""
    names: set[str] = set()
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                names.add(node.module.partition(".")[0])
    return names - sys.stdlib_module_names - {"focuseval"}


def provided(requirements: list[str]) -> set[str]:
    names = {re.split(r"[><=\[]", requirement)[0].lower() for requirement in requirements}
    return {IMPORTED_AS.get(name, name) for name in names}


def test_the_library_in_calls_and_its_command_line_need_the_core_only() -> None:
    commands = sorted((ROOT / "src/focuseval/cli").glob("*.py"))
    used = imported(
        *commands, *reached("focuseval.api", "focuseval.located", "focuseval.measures", *commands)
    )
    assert {"numpy", "pandas", "scipy"} <= used <= provided(CORE)


def test_everything_that_is_imported_is_a_dependency_and_nothing_else_is_one() -> None:
    used = imported(*(ROOT / "src").rglob("*.py"))
    brought = {"markupsafe", "pydantic_core", "requests"}  # jinja2, pydantic and pooch are made of these
    assert used - brought == provided(RUN) - {"snakemake"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    uv = shutil.which("uv", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    if uv is None:
        pytest.skip("uv, which builds the wheel, is not installed")
    folder = tmp_path_factory.mktemp("wheel")
    built = subprocess.run(
        [uv, "build", "--wheel", "--out-dir", folder, ROOT], capture_output=True, text=True, timeout=300
    )
    if "Failed to fetch" in built.stderr:
        pytest.skip("hatchling, which builds the wheel, cannot be fetched")
    assert built.returncode == 0, built.stderr
    return zipfile.ZipFile(next(folder.glob("*.whl")))


def test_the_wheel_holds_the_whole_library_with_its_templates_and_types(wheel: zipfile.ZipFile) -> None:
    source = ROOT / "src"
    files = {
        path.relative_to(source).as_posix()
        for path in (source / "focuseval").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {"focuseval/py.typed", "focuseval/present/templates/page.html"} <= files
    assert {name for name in wheel.namelist() if name.startswith("focuseval/")} == files


def test_the_wheel_offers_the_extras(wheel: zipfile.ZipFile) -> None:
    name = next(name for name in wheel.namelist() if name.endswith("/METADATA"))
    told = wheel.read(name).decode()
    assert set(re.findall(r"^Provides-Extra: (\w+)$", told, re.MULTILINE)) == {
        "chunking", "plots", "slurm", "workflow",
    }  # fmt: skip
    plain_ones = re.findall(r"^Requires-Dist: ([\w-]+)[^;\n]*$", told, re.MULTILINE)
    assert set(plain_ones) == provided(CORE)


def test_the_repository_is_as_the_workflow_catalogue_wants_it() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8").lower()
    assert "snakemake" in readme and "workflow" in readme
    assert (ROOT / "workflow/Snakefile").is_file() and any((ROOT / "workflow/rules").glob("*.smk"))
    assert (ROOT / "config/README.md").is_file()
    usage = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text(encoding="utf-8"))["usage"]
    assert set(usage) == {"mandatory-flags", "software-stack-deployment", "report"}
    assert set(usage["software-stack-deployment"]) == {"conda", "apptainer", "apptainer+conda"}
