"""Scripts import existing modules and can be imported by processes; rules name files and are in groups."""

import ast
import re
import runpy
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("script", sorted((ROOT / "scripts").glob("*.py")), ids=lambda path: path.stem)
def test_what_a_script_imports_is_there(script):
    for node in ast.walk(ast.parse(script.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            module = import_module(str(node.module))
            for alias in node.names:
                assert hasattr(module, alias.name) or import_module(f"{node.module}.{alias.name}")


@pytest.mark.parametrize("script", ["generate_campaign", "parse_collection"])
def test_a_process_that_a_script_starts_does_not_run_the_script(script, monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "scripts")
    runpy.run_path(str(ROOT / f"scripts/{script}.py"), run_name="__mp_main__")


def test_no_other_script_hands_the_threads_of_snakemake_on_as_processes():
    scripts = (ROOT / "scripts").glob("*.py")
    handed_on = {
        one.stem for one in scripts if re.search(r"\b(jobs|processes)=snakemake\.threads", one.read_text())
    }
    assert handed_on == {"generate_campaign", "parse_collection"}


def test_templates_that_rules_depend_on_exist():
    rules = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "workflow/rules").glob("*.smk"))
    folders = set(re.findall(r'"(\w+/templates)\b', rules))
    assert len(folders) == 2 and all(any((ROOT / "src/focuseval" / one).iterdir()) for one in folders)


def test_every_rule_that_is_not_local_is_in_a_group():
    """Groups give a cluster few and large jobs."""
    rule = re.compile(r"^ *rule\b(.*?)(?=^ *rule\b|\Z)", re.S | re.M)
    rules = [
        (file.name, match[1])
        for file in sorted((ROOT / "workflow/rules").glob("*.smk"))
        for match in rule.finditer(file.read_text(encoding="utf-8"))
    ]
    assert len(rules) >= 10
    without = [
        (name, text[:60])
        for name, text in rules
        if "localrule: True" not in text and not re.search(r"^ +group:$", text, re.M)
    ]
    assert without == []
