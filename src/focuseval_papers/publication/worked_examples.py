"""The worked examples of a paper, which need no campaign, and their section of the report."""

from pathlib import Path

from focuseval.files import write_atomically
from focuseval.report import page
from focuseval.report.figures import draw
from focuseval.report.items import write_tables
from focuseval_papers.publication.declared import Publication
from focuseval_papers.publication.drawing import drawings


def make_examples(paper: Publication, folder: Path) -> str:
    """Write the worked examples of a paper into its folder; their section of the report."""
    examples = paper.examples
    if examples is None:
        raise ValueError(f"{paper.name} has no worked examples")
    analysis = examples.analyse()
    for name, text in examples.texts.items():
        with write_atomically(folder / name) as out:
            out.write(text)
    write_tables(examples.items, analysis, None, folder)
    if examples.figures:
        draw(examples.items, drawings(paper.name), analysis, None, folder)
    return page.section(
        f"{paper.name}-examples",
        f"{paper.declared.title}: worked examples",
        examples.introduction,
        page.shown(examples.items, analysis, None, folder, paper.name),
        group=paper.declared.title,
        label="worked examples",
    )
