"""The second job of a publication on a campaign: its figures."""

from importlib import import_module
from pathlib import Path

from focuseval.report.figures import draw
from focuseval.report.items import Drawn, read_analysis
from focuseval_papers.publication.catalogue import drawings_module, load
from focuseval_papers.publication.declared import Publication
from focuseval_papers.publication.kinds import drawn
from focuseval_papers.publication.paper import Context


def drawings(name: str) -> Drawn:
    """What draws the figures of a publication."""
    own = drawings_module(name)
    return drawn(load(name), import_module(own).DRAWN if own else {})


def make_figures(paper: Publication, context: Context, folder: Path) -> None:
    """Draw the figures of a publication, from the analysis in its folder."""
    analysis = read_analysis(folder / "analysis")
    draw(paper.items(context), drawings(paper.name), analysis, context, folder)
