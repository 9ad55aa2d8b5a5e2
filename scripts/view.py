"""A page to look into a campaign: its runs, topics, results and documents."""

from pathlib import Path

from focuseval.batch import measures_of
from focuseval.campaign import schema
from focuseval.campaign.runsets import RunSet
from focuseval.jobs import job
from focuseval.measures.declaration import parse_specs
from focuseval.present.view.of_campaign import LARGEST, campaign_contents
from focuseval.present.view.page import save
from focuseval.present.view.queries import queries_of_campaign

with job(snakemake.output, snakemake.log[0]):
    given, params = snakemake.input, snakemake.params
    known = measures_of(params.families)
    told = schema.read(given.told, schema.TOLD).to_pandas()
    contents = campaign_contents(
        Path(given.elements).parent,
        schema.read(given.scores, schema.SCORES).to_pandas(),
        RunSet(**params.runs),
        [spec for name in params.measures for spec in parse_specs(name, known)],
        title=params.title,
        unit=params.unit,
        collection=Path(given.texts) if given.texts else None,
        queries=queries_of_campaign(given.topics or None, given.assessments or None),
        notes=[": ".join(filter(None, row)) for row in zip(told["source"], told["text"], strict=True)],
    )
    save(contents, Path(snakemake.output.page), LARGEST, alone=True)
