"""The publications that there are, and what each is made of."""

from importlib import import_module
from pathlib import Path

from focuseval_papers.publication.declaration import EVALUATIONS
from focuseval_papers.publication.paper import Publication

_PAPERS = Path(__file__).parents[1]

#: what computes the publications that are declared as evaluations, and no more
_EVALUATION = "focuseval_papers.publication.evaluation"

#: the publications in the order of the report; adding one is its folder and its name here; an evaluation is a file
#: without code
NAMES = (
    *("goevert2006", "kazai2005", "piwowarski2006", "kamps2007", "ali2008"),
    *("genomics2007", "smith2024", "recski2026"),
    *("bioasq2024", "clscisumm2020", "mediaeval2014", "mtrag2025", "swebench2025"),
)


def _module(name: str, part: str) -> str | None:
    """A module of a publication; None if it has none."""
    has = (_PAPERS / name / f"{part}.py").is_file()
    return f"focuseval_papers.{name}.{part}" if has else None


def drawings_module(name: str) -> str | None:
    """The module that draws a publication's figures of no declared kind; None if there are none."""
    return _module(name, "drawings")


def made_of(name: str, figures: bool) -> tuple[list[str], list[Path]]:
    """The modules that a publication is made of, also those that draw its ``figures`` if asked, and its other files."""
    drawn = ["focuseval_papers.publication.kinds", *filter(None, [drawings_module(name)])]
    declared = [_PAPERS / name / "publication.yaml", EVALUATIONS]
    return [_module(name, "numbers") or _EVALUATION, *(drawn * figures)], declared


def load(name: str) -> Publication:
    """The publication of a name in `NAMES`."""
    numbers = _module(name, "numbers")
    publication: Publication = (
        import_module(numbers).PAPER if numbers else import_module(_EVALUATION).publication(_PAPERS / name)
    )
    return publication
