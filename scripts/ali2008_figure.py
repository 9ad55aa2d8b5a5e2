"""One figure of Ali et al. (2008), as SVG and PNG."""

from pathlib import Path

import pandas as pd
from job import job

from focuseval.papers.ali2008 import figures
from focuseval.present.figures import save_figure

with job(snakemake):
    given, name = snakemake.input, snakemake.wildcards.figure
    if name == "accuracy":
        figure = figures.accuracy_figure(pd.read_csv(given.means), pd.read_csv(given.accuracy))
    elif name == "figure6":
        figure = figures.fidelity_figure(pd.read_csv(given.fidelity))
    elif name == "held":
        figure = figures.steps_figure(pd.read_csv(given.steps))
    else:
        edges, weight = snakemake.params.summary["edges"], snakemake.params.summary["weight"]
        partitions = pd.read_parquet(given.partitions)
        partitions = partitions.query("summary == 'incoming' and edges == @edges and weight == @weight")
        links = pd.read_parquet(given.edges)
        links = links.query("summary == 'incoming' and edges == 'child' and weight_by == @weight")
        title = f"p*, {edges} edges weighted by {weight}: {len(partitions)} partitions"
        figure = figures.summary_graph([(title, *figures.tree_of(partitions.set_index("partition"), links))])
    for path in snakemake.output:
        save_figure(figure, Path(path))
