"""A page to look into a campaign: its runs, topics, results and documents."""

from pathlib import Path

from focuseval.campaign import schema
from focuseval.campaign.runsets import RunSet
from focuseval.jobs import job
from focuseval.present.view.of_campaign import LARGEST, Viewed, campaign_contents
from focuseval.present.view.page import save
from focuseval.viewing import queries_of_campaign

with job(snakemake.output, snakemake.log[0]):
    given, params = snakemake.input, snakemake.params
    batch, runs, measures = params.viewed
    told = schema.read(given.told, schema.TOLD).to_pandas()
    contents = campaign_contents(
        Path(given.elements).parent,
        schema.read(given.scores, schema.SCORES).to_pandas(),
        Viewed(batch, RunSet(**runs), measures),
        title=params.title,
        unit=params.unit,
        collection=Path(given.texts) if given.texts else None,
        queries=queries_of_campaign(given.topics or None, given.assessments or None),
        notes=[": ".join(filter(None, row)) for row in zip(told["source"], told["text"], strict=True)],
    )
    save(contents, Path(snakemake.output.page), LARGEST, alone=True)
