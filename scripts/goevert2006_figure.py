"""One figure of Gövert et al. (2006), as SVG and PNG."""

from pathlib import Path

import pandas as pd
from job import job

from focuseval.papers.goevert2006.figures import figure
from focuseval.present.figures import save_figure

with job(snakemake):
    drawn = figure(
        snakemake.wildcards.figure,
        average=pd.read_csv(snakemake.input.average),
        curves=pd.read_csv(snakemake.input.curves),
        simulated=pd.read_csv(snakemake.input.simulated),
        quantisations=snakemake.params.quantisations,
    )
    for path in snakemake.output:
        save_figure(drawn, Path(path))
