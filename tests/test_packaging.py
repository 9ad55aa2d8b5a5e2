"""Lists of dependencies agree with each other and with imports; contents of the wheel."""

import ast
import json
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

from focuseval.formats.source_code import languages
from focuseval_papers.workflow.dependencies import library_files

ROOT = Path(__file__).parents[1]


def plain(requirement):
    """Return name and version without extras, in lower case."""
    return re.sub(r"\[.*?\]", "", requirement).replace(" ", "").lower()


PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
CORE, DEV = PYPROJECT["project"]["dependencies"], PYPROJECT["dependency-groups"]["dev"]
FRAMEWORKS = PYPROJECT["dependency-groups"]["frameworks"]
EXTRAS = PYPROJECT["project"]["optional-dependencies"]
RUN = [*CORE, *EXTRAS["workflow"], *EXTRAS["plots"], *EXTRAS["chunking"]]


def conda(file):
    """Return the dependencies of a conda environment without the library itself."""
    names = set()
    for entry in yaml.safe_load((ROOT / file).read_text())["dependencies"]:
        names |= {plain(r) for r in entry["pip"]} if isinstance(entry, dict) else {plain(entry)}
    return names - {"pip", "-e."}


#: packages whose versions determine the last digit of numbers: conda has those of the lock file, for these Pythons
PINNED, PYTHONS = ("lxml", "numba", "numpy", "pandas", "pyarrow", "scipy"), "<3.14"


@pytest.mark.parametrize(
    "file, expected",
    [("environment.yml", [*RUN, *EXTRAS["code"], *DEV]), ("workflow/envs/focuseval.yml", RUN)],
)
def test_conda_environments_have_the_same_dependencies(file, expected):
    locked = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    fits = (line.partition(" ; ") for line in locked)
    pinned = {
        requirement
        for requirement, _, marker in fits
        if requirement.split("==")[0] in PINNED and not marker.startswith("python_full_version >=")
    }
    unpinned = {plain(one) for one in expected if re.split("[<>=]", plain(one))[0] not in PINNED}
    python = f"python{PYPROJECT['project']['requires-python']},{PYTHONS}"
    assert len(pinned) == len(PINNED)
    assert conda(file) == pinned | unpinned | {python}


def test_the_recipe_for_conda_is_of_the_same_package():
    recipe = yaml.safe_load((ROOT / "recipe/recipe.yaml").read_text(encoding="utf-8"))
    project = PYPROJECT["project"]
    assert recipe["package"] == {"name": project["name"], "version": project["version"]}
    run, host = ({plain(entry) for entry in recipe["requirements"][of]} for of in ("run", "host"))
    python = "python" + project["requires-python"]
    assert run == {*map(plain, CORE), python}
    assert host == {*PYPROJECT["build-system"]["requires"], "pip", python}
    assert recipe["build"]["python"]["entry_points"] == [
        f"{name} = {of}" for name, of in project["scripts"].items()
    ]
    assert (recipe["about"]["summary"], recipe["about"]["license"]) == (
        project["description"],
        project["license"],
    )


def test_the_workflow_has_what_figures_and_all_measures_need():
    assert {*EXTRAS["plots"], *EXTRAS["full"]} <= set(EXTRAS["workflow"])


def test_every_dependency_is_locked_to_one_version():
    locked = {
        re.split(r"[=\[; ]", line)[0].lower().replace("_", "-"): line
        for line in (ROOT / "requirements.lock").read_text().splitlines()
        if line and not line.startswith("#")
    }
    for requirement in [*RUN, *EXTRAS["code"], *DEV]:
        name = re.split(r"[><=\[]", requirement)[0].lower().replace("_", "-")
        assert "==" in locked[name], name


def test_no_file_names_a_registry_or_a_machine():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("not a git checkout")
    registry = re.compile(r"https?://[^\s\"']*(pypi|anaconda|simple/)|index-url\s*=|/root/|/work/")
    lines = []
    for name in filter(None, listed.stdout.split("\0")):
        text = (ROOT / name).read_bytes().decode("utf-8", "replace")
        if name != "tests/test_packaging.py":
            lines += [f"{name}: {m.group()}" for m in registry.finditer(text)]
    assert not lines


#: names under which packages are imported, if they differ
IMPORTED_AS = {
    "haystack-ai": "haystack",
    "ir-datasets": "ir_datasets",
    "ir-measures": "ir_measures",
    "langchain-core": "langsmith",  # langchain-core installs it
    "langchain-text-splitters": "langchain_text_splitters",
    "llama-index-core": "llama_index",
    "mlflow-skinny": "mlflow",
    "pystemmer": "Stemmer",
    "pyyaml": "yaml",
    "tree-sitter": "tree_sitter",
}

#: packages that read source code; grammars are imported by their declared names
CODE = [requirement for requirement in EXTRAS["code"] if not requirement.startswith("tree-sitter-")]


def imported(*files):
    """Return the third-party packages that files import anywhere."""
    names = set()
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                names.add(node.module.partition(".")[0])
    return names - sys.stdlib_module_names - {"focuseval", "focuseval_papers"}


def provided(requirements):
    names = {re.split(r"[><=\[]", requirement)[0].lower() for requirement in requirements}
    return {IMPORTED_AS.get(name, name) for name in names}


#: adapters to other libraries; each imports its own library
ADAPTERS = [*(ROOT / "src/focuseval/adapters").glob("*.py"), ROOT / "src/focuseval/ir_measures.py"]


def test_an_adapter_imports_its_library_only_and_every_one_is_installed_for_tests():
    used = imported(*ADAPTERS) - provided(CORE)
    not_installed = {
        "openinference-instrumentation-langchain",
        "python-terrier",
    }  # tests use them if they are installed
    assert used <= provided([*DEV, *FRAMEWORKS])
    assert provided(FRAMEWORKS) - not_installed <= used


#: packages that are used if installed; otherwise a message says how to install them
WHERE_INSTALLED = {"tokenizers"}


def test_the_library_in_calls_and_its_command_line_need_the_core_only():
    commands = sorted((ROOT / "src/focuseval/cli").glob("*.py"))
    used = imported(
        *commands,
        *library_files("focuseval.api", "focuseval.chunks.locating", "focuseval.measures", *commands),
    )
    # they draw the curve of a sweep and count tokens, and are imported only then
    used -= {"matplotlib", "tiktoken", *WHERE_INSTALLED}
    allowed = provided([*CORE, *EXTRAS["full"], *CODE, *EXTRAS["completion"]])
    assert {"numpy", "pandas", "scipy"} <= used <= allowed


def test_the_library_imports_nothing_that_only_the_workflow_installs():
    brought = {"markupsafe", "requests"}  # dependencies of jinja2 and pooch
    files = set((ROOT / "src/focuseval").rglob("*.py")) - {*ADAPTERS}
    used = imported(*files) - brought - WHERE_INSTALLED
    assert used == provided(
        [*CORE, *(r for e in ("full", "plots", "chunking", "completion") for r in EXTRAS[e]), *CODE]
    )


def test_dependencies_are_exactly_the_imported_packages():
    used = imported(*set((ROOT / "src").rglob("*.py")) - {*ADAPTERS})
    brought = {"markupsafe", "pydantic_core", "requests"}  # dependencies of jinja2, pydantic and pooch
    assert used - brought - WHERE_INSTALLED == provided([*RUN, *CODE, *EXTRAS["completion"]]) - {
        "snakemake",
        "psutil",
    }  # rules import these


def test_declared_grammars_are_those_that_the_extra_installs():
    declared = {language["grammar"].partition(".")[0] for language in languages().values()}
    names = {re.split(">", requirement)[0].replace("-", "_") for requirement in EXTRAS["code"]}
    assert declared == names - provided(CODE)


def test_citation_and_archive_have_the_same_metadata():
    project = PYPROJECT["project"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    zenodo = json.loads((ROOT / ".zenodo.json").read_text(encoding="utf-8"))
    assert citation["cff-version"] == "1.2.0" and citation["message"]
    for key in ("version", "license", "keywords"):
        assert citation[key] == zenodo[key] == project[key], key
    assert citation["title"] == zenodo["title"] and citation["abstract"] == zenodo["description"]
    assert [one["name"] for one in citation["authors"]] == [one["name"] for one in zenodo["creators"]]
    first = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert first and first[1] == project["version"]


@pytest.fixture(scope="module")
def uv():
    path = shutil.which("uv", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    if path is None:
        pytest.skip("uv, which builds the wheel, is not installed")
    return path


@pytest.fixture(scope="module")
def wheel(uv, tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    built = subprocess.run(
        [uv, "build", "--wheel", "--out-dir", folder, ROOT], capture_output=True, text=True, timeout=300
    )
    if "Failed to fetch" in built.stderr:
        pytest.skip("hatchling, which builds the wheel, cannot be fetched")
    assert built.returncode == 0, built.stderr
    return zipfile.ZipFile(next(folder.glob("*.whl")))


def test_the_wheel_holds_the_whole_library_with_its_templates_and_types(wheel):
    source = ROOT / "src"
    files = {
        path.relative_to(source).as_posix()
        for path in (source / "focuseval").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {"focuseval/py.typed", "focuseval/report/templates/page.html"} <= files
    held = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert held == files  # nothing of focuseval_papers


def test_the_files_of_the_container_suffice_for_the_same_wheel_and_for_make(uv, wheel, tmp_path):
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    assert re.search(r"^FROM \S+@sha256:[0-9a-f]{64}$", text, re.MULTILINE)
    for copied in re.findall(r"^COPY (.*) \./", text, re.MULTILINE):
        for name in copied.split():
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, tmp_path / name)
    subprocess.run([uv, "build", "--quiet", "--wheel", "--out-dir", tmp_path / "dist", tmp_path], check=True)
    assert zipfile.ZipFile(next((tmp_path / "dist").glob("*.whl"))).namelist() == wheel.namelist()
    for extra in re.search(r"'\.\[(.*)\]'", text)[1].split(","):
        assert extra in EXTRAS
    (tmp_path / ".venv").symlink_to(sys.prefix)  # the environment is ready
    planned = subprocess.run(
        ["make", "--old-file", ".venv/ready", "plan", "CONFIG=config/tiny.yaml"],
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if not name.startswith("M")},
        capture_output=True,
        text=True,
    )
    assert re.search(r"^\d+ jobs would run", planned.stdout, re.MULTILINE), planned.stderr


@pytest.mark.parametrize(
    "line, offered",
    [
        ("focuseval co", {"compare "}),
        ("focuseval score --run r --rules tr", {"trec_eval "}),
        ("focuseval gate --max", {"--max-drop "}),
    ],
)
def test_the_tab_key_completes(line, offered, tmp_path):
    kept = tmp_path / "offered"
    shell = {"_ARGCOMPLETE": "1", "_ARGCOMPLETE_IFS": "\n", "_ARGCOMPLETE_STDOUT_FILENAME": str(kept)}
    point = {"COMP_LINE": line, "COMP_POINT": str(len(line)), "COMP_TYPE": "9"}
    command = [sys.executable, "-m", "focuseval"]
    subprocess.run(command, env={**os.environ, **shell, **point}, cwd=tmp_path, timeout=60)
    assert set(kept.read_text().split("\n")) == offered


#: commands that need no extra, in the folder of the example
WITHOUT_EXTRAS = (
    ["locate", "gold-text.jsonl", "--documents", "documents", "--output", "located.jsonl"],
    ["score", "--assessments", "located.jsonl", "--run", "runs", "--measure", "AiP", "--per-topic"],
    ["compare", "runs", "--assessments", "gold.jsonl", "--measure", "char_recall", "--format", "json"],
    ["check", "--assessments", "gold.jsonl", "--run", "runs", "--collection", "documents"],
    ["ceiling", "--assessments", "gold.jsonl", "--chunks", "runs/sections.jsonl"],
    ["view", "--assessments", "gold.jsonl", "--run", "runs", "--measure", "AiP", "--output", "page.html"],
    ["measures"],
)


#: commands that need the extra ``full``, with the package that they need
NEED_EXTRA = (
    ("scipy", ["compare", "runs", "--assessments", "gold.jsonl", "--measure", "AiP", "--test", "t-test"]),
    (
        "numba",
        ["score", "runs", "--assessments", "gold.jsonl", "--measure", "EPRUM", "--documents", "documents"],
    ),
)


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_the_wheel_works_outside_the_repository_and_without_extras(uv, wheel, version, tmp_path):
    plain = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))}
    never = {**plain, "UV_PYTHON_DOWNLOADS": "never"}
    environment = subprocess.run(
        [uv, "venv", "--quiet", "--python", version, "clean"], cwd=tmp_path, env=never, capture_output=True
    )
    if environment.returncode:
        pytest.skip(f"Python {version} is not installed")
    python = tmp_path / "clean/bin/python"
    lock = ["--constraint", str(ROOT / "requirements.lock")]
    installed = subprocess.run(
        [uv, "pip", "install", "--quiet", "--python", python, *lock, str(wheel.filename)],
        cwd=tmp_path,
        env=never,
        capture_output=True,
        text=True,
    )
    if re.search("Failed to (fetch|download)|error resolving DNS", installed.stderr):
        pytest.skip(f"the dependencies for Python {version} cannot be fetched")
    assert installed.returncode == 0, installed.stderr

    def printed(command, *arguments, folder=tmp_path / "garden"):
        done = subprocess.run([*command, *arguments], cwd=folder, env=plain, capture_output=True, text=True)
        assert done.returncode == 0, (arguments, done.stderr)
        return done.stdout

    program = [tmp_path / "clean/bin/focuseval"]
    assert printed(program, "--version", folder=tmp_path) == f"focuseval {PYPROJECT['project']['version']}\n"
    printed(program, "init", "garden", folder=tmp_path)
    script = f"import sys; sys.path.insert(0, {str(ROOT / 'src')!r}); from focuseval.cli import main; sys.exit(main())"
    for arguments in WITHOUT_EXTRAS:
        assert printed(program, *arguments) == printed([sys.executable, "-c", script], *arguments)
    absent = ("snakemake", "matplotlib", "pydantic", "yaml", "numba", "scipy")
    code = f"import importlib.util as u; print(*filter(u.find_spec, {absent}))"
    assert printed([python, "-c", code]) == "\n"
    for package, arguments in NEED_EXTRA:
        done = subprocess.run(
            [*program, *arguments], cwd=tmp_path / "garden", env=plain, capture_output=True, text=True
        )
        assert done.returncode == 2
        assert (
            f"{package}: the package is not installed; install the extra full of focuseval (in a clone: pip install '.[full]')"
            in done.stderr
        )


def test_the_wheel_offers_the_extras(wheel):
    name = next(name for name in wheel.namelist() if name.endswith("/METADATA"))
    metadata = wheel.read(name).decode()
    assert set(re.findall(r"^Provides-Extra: (\w+)$", metadata, re.MULTILINE)) == {
        "chunking", "code", "completion", "full", "plots", "slurm", "workflow",
    }  # fmt: skip
    plain_ones = re.findall(r"^Requires-Dist: ([\w-]+)[^;\n]*$", metadata, re.MULTILINE)
    assert set(plain_ones) == provided(CORE)


def test_the_repository_meets_the_rules_of_the_workflow_catalogue():
    readme = (ROOT / "README.md").read_text(encoding="utf-8").lower()
    assert "snakemake" in readme and "workflow" in readme
    assert (ROOT / "workflow/Snakefile").is_file() and any((ROOT / "workflow/rules").glob("*.smk"))
    assert (ROOT / "config/README.md").is_file()
    usage = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text(encoding="utf-8"))["usage"]
    assert set(usage) == {"mandatory-flags", "software-stack-deployment", "report"}
    assert set(usage["software-stack-deployment"]) == {"conda", "apptainer", "apptainer+conda"}
