"""Figure 4 and the scatter plots of the correlations, as SVG and PNG."""

from pathlib import Path

import pandas as pd
from job import job

from focuseval.papers.piwowarski2006.figures import figure4, scatter
from focuseval.present.figures import save_figure

with job(snakemake):
    values = pd.read_csv(snakemake.input["values"])
    first = values[values["quantisation"] == values["quantisation"].iloc[0]]
    drawn = {
        "figure4": figure4(pd.read_csv(snakemake.input.curves)),
        "scatter": scatter(first, snakemake.params.top),
    }
    for path in map(Path, snakemake.output):
        save_figure(drawn[path.stem], path)
