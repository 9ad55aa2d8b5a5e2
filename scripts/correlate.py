"""Correlations of measures over runs, topics or values: a table, a map, and their section of the report."""

from pathlib import Path

import pandas as pd

from focuseval.files import write_text
from focuseval_papers.publication.correlations import (
    Column,
    Correlations,
    correlate,
    make_correlations,
    write_correlations,
)
from focuseval_papers.workflow.jobs import job
from focuseval_papers.workflow.scoring import read_scores

with job(snakemake.output, snakemake.log[0]):
    given, params, folder = snakemake.input, snakemake.params, Path(snakemake.output.folder)
    asked = Correlations.from_dict(params.asked)
    scores = {
        of: read_scores(given[of]).set_index(["runs", "name"]).sort_index()
        for of in ("campaign", "earlier")
        if given[of]
    }

    def rows(column: Column) -> pd.DataFrame:
        """The scores of a column; none of a measure without a value."""
        table = scores[column.of]
        key = (column.runs, column.measure)
        return table.loc[[key]].reset_index() if key in table.index else table.iloc[:0].reset_index()

    table = correlate(asked, rows)
    write_correlations(table, Path(snakemake.output.table))
    folder.mkdir(parents=True)
    text = make_correlations(asked, table, folder, snakemake.wildcards.campaign, params.title)
    write_text(folder / "section.html", text)
