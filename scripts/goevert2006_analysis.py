"""Average precision, curves, counts of judgements and correlations of Gövert et al. (2006)."""

import json
from pathlib import Path

import pandas as pd
from job import job

from focuseval.papers.goevert2006 import analysis

with job(snakemake):
    quantisations = snakemake.params.quantisations
    averages = []
    for name, paths in snakemake.params.scores.items():
        scores = pd.concat(map(pd.read_parquet, paths))
        averages.append(analysis.average_precision(scores, quantisations).assign(result_set=name))
    average = pd.concat(averages, ignore_index=True)
    average.to_csv(snakemake.output.average, index=False)

    simulated = pd.concat(map(pd.read_parquet, snakemake.input.simulated))
    analysis.average_precision(simulated, quantisations).to_csv(snakemake.output.simulated, index=False)
    curves = analysis.recall_precision_curves(simulated, quantisations)
    curves.to_csv(snakemake.output.curves, index=False)

    scale = json.loads(Path(snakemake.input.topics).read_text(encoding="utf-8"))["scale"]
    judged = analysis.judged(pd.read_parquet(snakemake.input.judgements), scale)
    judged.to_csv(snakemake.output.judged, index=False)

    correlations = analysis.correlations(
        average, quantisations, snakemake.params.result_sets, pd.read_csv(snakemake.input.printed)
    )
    correlations.to_csv(snakemake.output.correlations, index=False)
