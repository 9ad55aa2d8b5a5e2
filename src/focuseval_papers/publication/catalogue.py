"""The publications that there are, and what each is made of."""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from focuseval_papers.publication.declaration import EVALUATIONS
from focuseval_papers.publication.declared import Publication

#: the publications in the order of the report; adding one is its folder and its name here
NAMES = (
    *("goevert2006", "kazai2005", "piwowarski2006", "kamps2007", "ali2008"),
    *("genomics2007", "smith2024", "recski2026"),
    *("bioasq2024", "clscisumm2020", "mediaeval2014", "mtrag2025", "swebench2025"),
)


def drawings_module(name: str) -> str | None:
    """The module that draws a publication's figures of no declared kind; None if there are none."""
    module = f"focuseval_papers.{name}.drawings"
    return module if find_spec(module) else None


def made_of(name: str, figures: bool) -> tuple[list[str], list[Path]]:
    """The modules that a publication is made of, also those that draw its ``figures`` if asked, and its other files."""
    drawn = ["focuseval_papers.publication.kinds", *filter(None, [drawings_module(name)])]
    numbers = f"focuseval_papers.{name}.numbers"
    declared = [Path(__file__).parents[1] / name / "publication.yaml", EVALUATIONS]
    return [numbers, *(drawn * figures)], declared


def load(name: str) -> Publication:
    """The publication of a name in `NAMES`."""
    publication: Publication = import_module(f"focuseval_papers.{name}.numbers").PAPER
    return publication
