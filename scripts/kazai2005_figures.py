"""Figure 1 and a heat map of Table 1, as SVG and PNG."""

from pathlib import Path

import pandas as pd
from job import job

from focuseval.papers.kazai2005.figures import figure1, table1_map
from focuseval.present.figures import save_figure

with job(snakemake):
    drawn = {
        "figure1": figure1(pd.read_csv(snakemake.input.example)),
        "map": table1_map(pd.read_csv(snakemake.input.table1)),
    }
    for path in map(Path, snakemake.output):
        save_figure(drawn[path.stem], path)
