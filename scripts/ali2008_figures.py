"""The figures of Ali et al. (2008) that a campaign's tasks allow, as SVG and PNG."""

from pathlib import Path

import pandas as pd
from job import job

from focuseval.figures import save_figure
from focuseval.reproductions.ali2008 import figures

with job(snakemake.log[0]):
    read = {name: pd.read_csv(path) for name, path in snakemake.input.items() if path.endswith(".csv")}
    edges, weight = snakemake.params.settings["edges"], snakemake.params.settings["weight"]
    partitions = pd.read_parquet(snakemake.input.partitions)
    partitions = partitions.query("summary == 'incoming' and edges == @edges and weight == @weight")
    links = pd.read_parquet(snakemake.input.edges)
    links = links.query("summary == 'incoming' and edges == 'child' and weight_by == @weight")
    title = f"p*, {edges} edges weighted by {weight}: {len(partitions)} partitions"
    tree = figures.tree_of(partitions.set_index("partition"), links)
    drawn = {
        "accuracy": lambda: figures.accuracy_figure(read["means"], read["accuracy"]),
        "figure6": lambda: figures.fidelity_figure(read["fidelity"]),
        "held": lambda: figures.steps_figure(read["steps"]),
        "graph": lambda: figures.summary_graph([(title, *tree)]),
    }
    made = {}
    for path in map(Path, snakemake.output):
        figure = made.setdefault(path.stem, None) or drawn[path.stem]()
        made[path.stem] = figure
        save_figure(figure, path)
