"""The publications that there are, and what each is made of."""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from focuseval.errors import extra
from focuseval.report.items import Drawn
from focuseval_papers.publication.paper import Paper

#: the papers in the order of the report; adding one is its folder and its name here
NAMES = (
    *("goevert2006", "kazai2005", "piwowarski2006", "kamps2007", "ali2008"),
    *("genomics2007", "smith2024", "recski2026"),
)


def module_of(name: str, part: str) -> str | None:
    """The module of a publication of which this is a part: ``numbers`` or ``drawings``; None if it has none."""
    module = f"focuseval_papers.{name}.{part}"
    return module if find_spec(module) else None


def made_of(name: str, figures: bool) -> tuple[list[str], list[Path]]:
    """The modules that a publication is made of, also those that draw its ``figures`` if asked, and its other files."""
    numbers, own = module_of(name, "numbers"), module_of(name, "drawings")
    if numbers is None:
        return [f"focuseval_papers.{name}.paper", *([f"focuseval_papers.{name}.figures"] * figures)], []
    drawn = ["focuseval_papers.publication.kinds", *filter(None, [own])]
    return [numbers, *(drawn * figures)], [Path(__file__).parents[1] / name / "publication.yaml"]


def load(name: str) -> Paper:
    """The paper of a name in `NAMES`."""
    paper: Paper = import_module(module_of(name, "numbers") or f"focuseval_papers.{name}.paper").PAPER
    return paper


def drawings(name: str) -> Drawn:
    """What draws the figures of a paper."""
    with extra("plots"):
        if not module_of(name, "numbers"):
            found: Drawn = import_module(f"focuseval_papers.{name}.figures").DRAWN
            return found
        from focuseval_papers.publication.kinds import drawn

        own = module_of(name, "drawings")
        publication: Any = load(name)
        return drawn(publication, import_module(own).DRAWN if own else {})
