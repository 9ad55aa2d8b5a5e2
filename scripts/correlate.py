"""Correlate measures over runs, topics or values: write a table, a map, and their section of the report."""

from pathlib import Path

import pandas as pd

from focuseval.campaign.tables import write_frame
from focuseval.files import write_text
from focuseval_papers.publication.correlations import Column, Correlations, correlate, make_correlations
from focuseval_papers.workflow.jobs import job
from focuseval_papers.workflow.scoring import read_scores

with job(snakemake.output, snakemake.log[0]):
    inputs, params, folder = snakemake.input, snakemake.params, Path(snakemake.output.folder)
    correlations = Correlations.from_dict(params.asked)
    parts = {
        (of, *key): part
        for of in ("campaign", "earlier")
        if inputs[of]
        for key, part in read_scores(inputs[of]).groupby(["runs", "name"], sort=False, observed=True)
    }
    nothing = pd.DataFrame(columns=["run", "topic", "value"])

    def rows(column: Column) -> pd.DataFrame:
        """Return the scores that a column contains; the table is empty if the measure has no value."""
        return parts.get((column.of, column.runs, column.measure), nothing)

    table = correlate(correlations, rows)
    write_frame(table, snakemake.output.table)
    folder.mkdir(parents=True)
    campaign = snakemake.wildcards.campaign
    text = make_correlations(correlations, table, folder, campaign, params.title, synthetic=params.synthetic)
    write_text(folder / "section.html", text)
