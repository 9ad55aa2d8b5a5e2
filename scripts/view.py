"""A page to look into a campaign: its runs, topics, results and documents."""

from dataclasses import replace
from pathlib import Path

from focuseval.files import write_text
from focuseval.measures.declaration import parse_specs
from focuseval.viewer.page import save
from focuseval.viewer.queries import queries_of_campaign
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.batch import measures_of
from focuseval_papers.workflow.jobs import job
from focuseval_papers.workflow.of_campaign import LARGEST, SHOWN, campaign_contents, notes_of, without_values
from focuseval_papers.workflow.runsets import RunSet

with job(snakemake.output, snakemake.log[0]):
    given, params = snakemake.input, snakemake.params
    known = measures_of(params.families)
    notes, nothing = notes_of(
        schema.read(given.told, schema.TOLD).to_pandas(),
        schema.read(given.left_out, schema.LEFT_OUT).to_pandas(),
        params.runs["name"],
        params.others,
    )
    contents = campaign_contents(
        Path(given.elements).parent,
        schema.read(given.scores, schema.SCORES).to_pandas(),
        RunSet(**params.runs),
        [spec for name in params.measures for spec in parse_specs(name, known)],
        Path(given.texts) if given.texts else None,
        replace(
            SHOWN,
            title=params.title,
            queries=queries_of_campaign(given.topics or None, given.assessments or None),
        ),
        unit=params.unit,
        notes=notes,
    )
    page = Path(snakemake.output.page)
    Path(snakemake.output.beside).mkdir(exist_ok=True)  # empty where all fits into the page
    if contents is None:
        write_text(page, without_values(params.title, [*notes, *nothing]))
    else:
        save(contents, page, LARGEST)
