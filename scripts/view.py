"""A page to look into a campaign: its runs, topics, results and documents."""

from pathlib import Path

from focuseval.campaign import schema
from focuseval.files import write_atomically
from focuseval.measures.declaration import parse_specs
from focuseval.viewer.page import save
from focuseval.viewer.queries import queries_of_campaign
from focuseval_papers.workflow.batch import measures_of
from focuseval_papers.workflow.jobs import job
from focuseval_papers.workflow.of_campaign import LARGEST, campaign_contents, notes_of, without_values
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
        title=params.title,
        unit=params.unit,
        collection=Path(given.texts) if given.texts else None,
        queries=queries_of_campaign(given.topics or None, given.assessments or None),
        notes=notes,
    )
    page = Path(snakemake.output.page)
    if contents is None:
        with write_atomically(page) as out:
            out.write(without_values(params.title, [*notes, *nothing]))
    else:
        save(contents, page, LARGEST, alone=True)
