"""The section of the report on a paper and a campaign, its figures as SVG and PNG, and all that was left out."""

from pathlib import Path

from focuseval.files import write_text
from focuseval.report.figures import draw
from focuseval.report.notices import for_people
from focuseval.report.parts import read_analysis
from focuseval.report.tables import write_table
from focuseval_papers.publication.kinds import drawings
from focuseval_papers.publication.paper import load
from focuseval_papers.publication.section import left_out_of, make_section
from focuseval_papers.workflow.jobs import job

with job(snakemake.output, snakemake.log[0]):
    paper, given = load(snakemake.params.paper), snakemake.input
    context = paper.context(snakemake.params.context)
    folder, analysis = Path(given.analysis).parent, read_analysis(Path(given.analysis))
    draw(paper.items(context), drawings(paper.name), analysis, context, folder)
    groups = paper.declared.evaluation.groups if paper.declared.evaluation else ()
    left_out = left_out_of(paper.asks(context), given.left_out, given.told, groups)
    write_table(for_people(left_out), Path(snakemake.output.left_out), {})
    text = make_section(paper, context, analysis, folder, given.facts, left_out)
    write_text(snakemake.output.section, text)
