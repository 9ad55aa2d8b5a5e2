"""The graphs of one task, as SVG and PNG."""

from pathlib import Path

import pandas as pd
from job import job

from focuseval.papers.kazai2005.figures import graphs
from focuseval.present.figures import save_figure
from focuseval.tasks import INEX2005

with job(snakemake):
    curves = pd.read_csv(snakemake.input.curves).fillna({"level": ""})
    mean = pd.read_csv(snakemake.input.means).fillna({"level": ""})
    metrics = INEX2005[snakemake.wildcards.task].metrics
    drawn = graphs(curves, mean, [name for name in ("ep/gr", "nxCG") if name in metrics])
    for path in snakemake.output:
        save_figure(drawn, Path(path))
