"""Files that a file imports: on a small package, and for the jobs that depend on a measure."""

import re
from pathlib import Path

import pytest

from focuseval.measures import FAMILIES, MEASURES
from focuseval_papers.publication.paper import NAMES, load, made_of
from focuseval_papers.publication.requests import requests
from focuseval_papers.simulation import module_of
from focuseval_papers.workflow import dependencies
from focuseval_papers.workflow.configuration import read
from focuseval_papers.workflow.runsets import RunSet
from focuseval_papers.workflow.yaml_files import read_yaml
from tests.folders import write_files

ROOT = Path(__file__).parents[3]
SCRIPTS = sorted((ROOT / "scripts").glob("*.py"))

#: a small package in place of the library
LIBRARY = {
    "__init__.py": "from focuseval.leaf import LEAF",
    "leaf.py": "LEAF = 1",
    "stem.py": "import numpy\nfrom focuseval.leaf import LEAF",
    "branch/__init__.py": "from focuseval.branch import one, two\nBOTH = 2",
    "branch/one.py": "import focuseval.stem",
    "branch/two.py": "from focuseval import leaf",
    "circle.py": "from focuseval import back",
    "back.py": "from focuseval import circle",
    "inside.py": "def f():\n    if True:\n        from focuseval.branch import two\n    return two",
    "typed.py": (
        "import typing\nfrom typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    from focuseval.branch import one\nelse:\n    from focuseval.branch import two\n"
        "if typing.TYPE_CHECKING:\n    import focuseval.stem\n"
    ),
    "package.py": "from focuseval.branch import BOTH, one",
    "plain.py": "import focuseval\nimport focuseval.branch.one as o, os.path",
}


@pytest.fixture
def library(tmp_path, monkeypatch):
    write_files(tmp_path / "focuseval", LIBRARY)
    monkeypatch.setattr(dependencies, "SOURCE", tmp_path)

    def reached(*starts):
        return {
            path.relative_to(tmp_path / "focuseval").as_posix()
            for path in dependencies.library_files(*starts)
        }

    return reached


@pytest.mark.parametrize(
    ("module", "files"),
    [
        ("leaf", {"leaf.py"}),
        ("stem", {"stem.py", "leaf.py"}),
        ("branch", {"branch/__init__.py", "branch/one.py", "branch/two.py", "stem.py", "leaf.py"}),
        ("branch.one", {"branch/one.py", "stem.py", "leaf.py"}),
        ("branch.two", {"branch/two.py", "leaf.py"}),
        ("circle", {"circle.py", "back.py"}),
        ("inside", {"inside.py", "branch/two.py", "leaf.py"}),
        ("typed", {"typed.py", "branch/two.py", "leaf.py"}),
        # a name that is no module: the package and its imports
        (
            "package",
            {"package.py", "branch/__init__.py", "branch/one.py", "branch/two.py", "stem.py", "leaf.py"},
        ),
        ("plain", {"plain.py", "__init__.py", "branch/one.py", "stem.py", "leaf.py"}),
    ],
)
def test_imports_are_followed(library, module, files):
    assert library(f"focuseval.{module}") == files


def test_a_script_is_not_among_the_files_that_it_imports(library, tmp_path, monkeypatch):
    script = tmp_path / "script.py"
    script.write_text("from focuseval.branch import two", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert library(script) == library(Path("script.py")) == {"branch/two.py", "leaf.py"}
    assert library(script, "focuseval.stem") == {"branch/two.py", "leaf.py", "stem.py"}


def test_a_missing_module_is_refused(library):
    with pytest.raises(ValueError, match=r"no module focuseval\.root"):
        library("focuseval.root")


def test_the_packages_import_by_whole_names():
    """The dependencies of jobs do not follow relative imports."""
    for path in (ROOT / "src").rglob("*.py"):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert not [line for line in lines if line.strip().startswith("from .")], path


# ---------------------------------------------------------------------------------------- the scripts

FAMILY_FILES = {f"measures/{family}.py" for family in FAMILIES}


def measures_in(files):
    """Return the modules of measures among files of the library."""
    names = {
        path.relative_to(ROOT / "src/focuseval").as_posix() for path in files if "papers" not in str(path)
    }
    return names & FAMILY_FILES


def test_reading_only_lines_of_imports_misses_no_import(monkeypatch):
    modules = [f"focuseval.measures.{name}" for name in FAMILIES]
    modules += [name for paper in NAMES for name in made_of(paper, True)[0]]
    starts = [*SCRIPTS, *modules]
    dependencies._imported.cache_clear()
    reached = [dependencies.library_files(start) for start in starts]
    monkeypatch.setattr(dependencies, "_IMPORT", re.compile("(?s)(.+)"))
    dependencies._imported.cache_clear()
    assert reached == [dependencies.library_files(start) for start in starts]
    assert len(set().union(*reached)) > 140


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_no_script_but_the_audit_reaches_measures(script):
    """Jobs that score a measure reach it, and papers that examine it; an audit reaches all."""
    assert measures_in(dependencies.library_files(script)) == (
        FAMILY_FILES if script.stem == "audit" else set()
    )


def test_drawing_touches_only_scripts_with_figures():
    drawing = ROOT / "src/focuseval/report/figures.py"
    drawn = {path.stem for path in SCRIPTS if drawing in dependencies.library_files(path)}
    papers = {
        "compare_draws",
        "compare_evaluations",
        "paper",
        "report",
        "work_examples",
    }  # these scripts correlate
    assert drawn == {"audit", "compare", "correlate", "sweep", *papers}


def test_a_measure_touches_the_jobs_that_score_it_alone():
    """The configuration is the shipped one; a measure without a request touches no job."""
    papers = {name: load(name) for name in NAMES}
    models = {name: paper.settings for name, paper in papers.items()}
    written = read_yaml(ROOT / "config/config.yaml")
    configuration, campaigns = read(written, models, MEASURES, ROOT / "config/campaigns", "config.yaml")
    settings = {name: getattr(configuration, name) for name in papers}
    requested = requests(configuration.names, campaigns, settings, papers)
    asking = {}
    for name, of in requested.items():
        for _, metric in of.scores:
            asking.setdefault(metric.partition("~")[0], set()).add(name)
    for family in asking:
        files = measures_in(
            dependencies.library_files(ROOT / "scripts/score.py", f"focuseval.measures.{family}")
        )
        assert files == {f"measures/{family}.py"}
    assert asking["precall"] == {"concept-space", "concept-space-2002"}
    assert [name for name, of in requested.items() if "goevert2006" in of.papers] == ["concept-space"]
    assert {"inex2003", "xcg", "eprum", "structural"} <= asking.keys() and "reading" not in asking
    reached = {}
    for name in NAMES:
        modules, files = made_of(name, figures=True)
        assert all(file.is_file() for file in files)
        if not papers[name].declared.evaluation:  # an evaluation may name any measure
            reached[name] = measures_in(dependencies.library_files(ROOT / "scripts/paper.py", *modules))
            assert "measures/reading.py" not in reached[name]
    # a paper that only reads scores touches only the measures that it names
    assert [name for name in reached if "measures/precall.py" in reached[name]] == ["goevert2006"]
    assert reached["genomics2007"] == set()


def test_simulated_runs_touch_only_their_own_module():
    for runs, script in (
        (RunSet("r").simulated("perfect"), "simulate_runs"),
        (RunSet("r").perturbed("halved"), "perturb_runs"),
    ):
        module = f"src/{module_of(runs).replace('.', '/')}.py"
        files = {
            p.relative_to(ROOT).as_posix()
            for p in dependencies.library_files(ROOT / f"scripts/{script}.py", module_of(runs))
        }
        assert module in files and measures_in([ROOT / file for file in files]) == set()
        alternatives = {
            f"src/focuseval_papers/simulation/{name}.py" for name in ("simulations", "perturbations")
        }
        assert files & alternatives == {module}
        # the script imports the module by name, so the script alone does not determine it
        assert not alternatives & {
            p.relative_to(ROOT).as_posix() for p in dependencies.library_files(ROOT / f"scripts/{script}.py")
        }
