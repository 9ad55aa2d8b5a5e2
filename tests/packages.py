"""Modules and files of docs/adding.md, and its example package as if it were installed."""

import re
import tomllib
from pathlib import Path
from textwrap import dedent

PAGE = Path(__file__).parents[1] / "docs" / "adding.md"


def page_blocks(title):
    """Read the blocks of a section of the page, each by the last file that the paragraph before it names."""
    section = re.search(rf"^##+ {title}\n(.*?)(?=^##|\Z)", PAGE.read_text("utf-8"), re.M | re.S)
    assert section, title
    blocks = {}
    for before, block in re.findall(r"(.*?)^ *```\w+\n(.*?)^ *```$", section[1], re.M | re.S):
        paragraph = before.rstrip().rpartition("\n\n")[-1]
        if files := re.findall(r"`([\w/.-]+\.\w+)`", paragraph):
            blocks[files[-1]] = dedent(block)
    return blocks


def installed_package(site):
    """Put the package into a folder, with its entry points; no build tool is needed here."""
    modules = page_blocks("A measure") | page_blocks("A format")
    project = tomllib.loads(page_blocks("A package of your own")["pyproject.toml"])["project"]
    package = site / project["name"]
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    for name in ("measures/first_gold.py", "formats/answers.py"):
        text = modules[f"src/focuseval/{name}"]
        (package / Path(name).name).write_text(text, encoding="utf-8")
    information = site / f"{project['name']}-{project['version']}.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    entries = [
        line
        for group, points in project["entry-points"].items()
        for line in (f"[{group}]", *(f"{name} = {value}" for name, value in points.items()))
    ]
    (information / "entry_points.txt").write_text("\n".join(entries))
    return package
