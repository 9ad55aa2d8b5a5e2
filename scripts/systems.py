"""A campaign's own systems under its main measures: tables, figures, and their section of the report."""

from pathlib import Path

import pandas as pd

from focuseval.files import write_text
from focuseval.report.notices import not_computed, of_consequence, of_files
from focuseval.report.systems import make_systems
from focuseval.statistics.comparisons import overview, scored
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.campaign_size import facts_table, facts_with
from focuseval_papers.workflow.jobs import job, tell

with job(snakemake.output, snakemake.log[0]):
    given = snakemake.input
    scores = schema.read(given.scores, schema.SCORES).to_pandas()
    asked = scored(snakemake.params.asked, scores)
    analysis, cautions = overview(scores, asked)
    left_out = schema.read(given.left_out, schema.LEFT_OUT).to_pandas()
    told = of_files(schema.read(given.told, schema.TOLD).to_pandas())
    counted = facts_with(schema.read(given.facts, schema.FACTS).to_pandas(), asked["counted"])
    campaign = snakemake.wildcards.campaign
    everything = pd.concat([told, left_out], ignore_index=True)
    lost = of_consequence(everything, scores["topic"].nunique())
    tell(campaign, [*not_computed(left_out), *lost], snakemake.log[0])
    text = make_systems(
        asked,
        analysis,
        everything,
        facts_table({campaign: counted}),
        Path(snakemake.output.tables),
        campaign,
        cautions,
        lost,
    )
    write_text(snakemake.output.section, text)
