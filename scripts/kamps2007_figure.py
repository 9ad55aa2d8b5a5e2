"""The two orders of systems beside each other, as SVG and PNG."""

from pathlib import Path

import pandas as pd
from job import job

from focuseval.papers.kamps2007.figures import rank_orders
from focuseval.papers.kamps2007.findings import evidence, printed_evidence
from focuseval.present.figures import save_figure

with job(snakemake):
    here = evidence(pd.read_csv(snakemake.input.summary), pd.read_csv(snakemake.input.orders))
    printed = printed_evidence(pd.read_csv(snakemake.input.printed))
    drawn = rank_orders(here.map_rank, printed.map_rank)
    for path in snakemake.output:
        save_figure(drawn, Path(path))
