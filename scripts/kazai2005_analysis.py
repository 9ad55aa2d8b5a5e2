"""Correlations of measures and quantisations in every task, their means, and what findings rest on."""

import pandas as pd
from job import job

from focuseval.papers.kazai2005 import analysis
from focuseval.papers.kazai2005.findings import highest_values
from focuseval.papers.kazai2005.names import CORRELATED, parts_of

with job(snakemake):

    def joined(paths):
        return pd.concat(map(pd.read_csv, paths), ignore_index=True)

    mean = joined(snakemake.input.means).fillna({"level": ""})
    analysis.best_runs(mean).to_csv(snakemake.output.best, index=False)
    correlated = mean[mean["task"].isin(CORRELATED)]
    measures = analysis.measure_correlations(correlated)
    measures.to_csv(snakemake.output.measures, index=False)
    averages = analysis.averaged(measures, ["measure_a", "measure_b"])
    averages.to_csv(snakemake.output.table1, index=False)
    quantisations = analysis.quantisation_correlations(correlated)
    quantisations.to_csv(snakemake.output.quantisations, index=False)
    averages = analysis.averaged(quantisations, ["quantisation_a", "quantisation_b"])
    averages.to_csv(snakemake.output.table2, index=False)

    joined(snakemake.input.ideal).to_csv(snakemake.output.ideal, index=False)
    joined(snakemake.input.turned).to_csv(snakemake.output.turned, index=False)
    scores = pd.concat(
        [pd.read_parquet(path, columns=["task", "measure", "value"]) for path in snakemake.input.scores]
    )
    parts = {name: parts_of(name) for name in scores["measure"].astype(str).unique()}
    names = scores["measure"].astype(str)
    labelled = scores.assign(
        task=scores["task"].astype(str),
        measure=names.map({name: part[0] for name, part in parts.items()}),
        overlap=names.map({name: part[2] for name, part in parts.items()}),
    )
    highest_values(labelled).to_csv(snakemake.output.highest, index=False)
