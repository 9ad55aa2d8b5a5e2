"""The second job of a paper on a campaign: its figures."""

from pathlib import Path

from focuseval.report.figures import draw
from focuseval.report.items import read_analysis
from focuseval_papers.publication.catalogue import drawings
from focuseval_papers.publication.paper import Context, Paper


def make_figures(paper: Paper, context: Context, folder: Path) -> None:
    """Draw the figures of a paper, from the analysis in its folder."""
    analysis = read_analysis(folder / "analysis")
    draw(paper.items(context), drawings(paper.name), analysis, context, folder)
