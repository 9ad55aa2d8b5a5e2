"""Pages that `make docs` writes are up to date with the declarations."""

import json
import re
from pathlib import Path
from runpy import run_path

import pytest
from jsonschema import validate
from yaml import safe_load

from focuseval.measures import MEASURES

DOCS = Path(__file__).parents[2] / "docs"
WRITE = run_path(str(DOCS / "write.py"))


@pytest.mark.parametrize(
    ("path", "text"), WRITE["declared"]().items(), ids=lambda one: getattr(one, "name", "")
)
def test_written_pages_agree_with_the_declarations(path, text):
    assert path.read_text(encoding="utf-8") == text, "make docs"


def test_every_measure_is_documented_once():
    names = re.findall(r"<!-- measures: (?!end)(.*?) -->", (DOCS / "measures.md").read_text(encoding="utf-8"))
    assert sorted(" ".join(names).split()) == sorted([*MEASURES, "claims"])


def test_only_text_between_the_marks_is_replaced():
    old = "before\n<!-- measures: T2I -->\n| old |\n<!-- measures: end -->\nafter\n"
    written, tables = WRITE["with_tables"], WRITE["of_measures"]
    new = written(old, "measures", tables)
    assert new == f"before\n<!-- measures: T2I -->\n\n{tables(['T2I'])}\n<!-- measures: end -->\nafter\n"
    assert written(new, "measures", tables) == new and "| `tolerance` | **300**, from 1 |" in new
    assert written(old, "measures", lambda words: None) == old
    with pytest.raises(KeyError):
        written(old.replace("T2I", "T3I"), "measures", tables)


def test_a_parameter_of_some_measures_names_them():
    tables = WRITE["of_measures"]
    assert "| `beta` | **1**, from 0 | weight" in tables(["F", "gP", "gR", "AgP", "MAgP"])
    assert tables(["F", "gP", "gR", "AgP", "MAgP"]).count("| `F`, `gP`, `AgP`, `MAgP` |") == 1
    assert "| measures |" not in tables(["nxCG", "MAep"])


def test_checklists_name_existing_files():
    page = (DOCS / "adding.md").read_text(encoding="utf-8")
    paths = set(
        re.findall(r"`((?:src|tests|docs|scripts|workflow)/[\w./]*)`(?!:\n)", page)
    )  # a path before a colon and a code block is a new file
    assert len(paths) > 20 and [path for path in paths if not (DOCS.parent / path).exists()] == []
    places = {
        "FAMILIES": "measures/__init__.py",
        "TRIED": "auditing/audit.py",
        "TESTS": "statistics/significance.py",
    }
    for name, path in places.items():
        module = (DOCS.parent / "src/focuseval" / path).read_text(encoding="utf-8")
        assert f"`{name}`" in page and re.search(rf"^{name}\b.* = ", module, re.MULTILINE), name


PAGES = [*DOCS.glob("*.md"), *DOCS.parent.glob("*/README.md")]
YAML = [
    pytest.param(yaml, id=f"{page.parent.name}/{page.name}-{place}")
    for page in PAGES
    for place, yaml in enumerate(
        re.findall(r"```yaml\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    )
    if "…" not in yaml
]


@pytest.mark.parametrize("text", YAML)
def test_configurations_on_pages_agree_with_the_schema(text):
    shown = safe_load(text)
    keys = json.loads((DOCS.parent / "config/schema.json").read_text(encoding="utf-8"))
    if isinstance(shown, dict) and "campaigns" in shown:
        validate(shown, keys)
