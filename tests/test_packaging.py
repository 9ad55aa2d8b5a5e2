"""The two lists of dependencies agree, and nothing in the repository names a registry."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]


def plain(requirement: str) -> str:
    """Name and version without extras, in lower case."""
    return re.sub(r"\[.*?\]", "", requirement).replace(" ", "").lower()


def test_environment_yml_has_the_same_dependencies() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    pypi = {plain(r) for r in project["project"]["dependencies"] + project["dependency-groups"]["dev"]}
    conda: set[str] = set()
    for entry in yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]:
        conda |= {plain(r) for r in entry["pip"]} if isinstance(entry, dict) else {plain(entry)}
    assert conda - {"pip", "-e."} == pypi | {"python" + project["project"]["requires-python"]}


def test_every_dependency_is_locked_to_one_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    locked = {
        re.split(r"[=\[; ]", line)[0].lower().replace("_", "-"): line
        for line in (ROOT / "requirements.lock").read_text().splitlines()
        if line and not line.startswith("#")
    }
    for requirement in project["project"]["dependencies"] + project["dependency-groups"]["dev"]:
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
