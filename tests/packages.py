"""The package of docs/adding.md, as an installation leaves it."""

import tomllib
from pathlib import Path


def installed_package(site: Path) -> Path:
    """Put the package into a folder, with its entry points; no build tool is needed here."""
    page = (Path(__file__).parents[1] / "docs" / "adding.md").read_text("utf-8")
    section = page[page.index("## A package of your own") :]
    metadata, module = (
        section[section.index(f"`{name}`:") :].split("```")[1].partition("\n")[2]
        for name in ("pyproject.toml", "first_gold.py")
    )
    information = site / "first_gold-0.1.dist-info"
    information.mkdir(parents=True)
    (site / "first_gold.py").write_text(module, encoding="utf-8")
    project = tomllib.loads(metadata)["project"]
    (information / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    entries = [
        line
        for group, points in project["entry-points"].items()
        for line in (f"[{group}]", *(f"{name} = {value}" for name, value in points.items()))
    ]
    (information / "entry_points.txt").write_text("\n".join(entries))
    return site
