"""Average precision, curves, counts of judgements and correlations of Gövert et al. (2006)."""

import pandas as pd
from job import job

from focuseval.reproductions import goevert2006

with job(snakemake.log[0]):
    quantisations = snakemake.params.quantisations
    result_sets = pd.DataFrame(
        [(name, campaign, size) for name, (campaign, size) in snakemake.params.result_sets.items()],
        columns=["result_set", "campaign", "size"],
    )
    scores = pd.concat(pd.read_parquet(path) for path in snakemake.input.scores)
    average = goevert2006.average_precision(
        scores.merge(result_sets, on=["campaign", "size"]), quantisations, by=["result_set"]
    )
    average.to_csv(snakemake.output.average, index=False)

    simulated = pd.concat(pd.read_parquet(path) for path in snakemake.input.simulated)
    goevert2006.average_precision(simulated, quantisations).to_csv(snakemake.output.simulated, index=False)
    curves = goevert2006.recall_precision_curves(simulated, quantisations)
    curves.to_csv(snakemake.output.curves, index=False)

    judgements = pd.read_parquet(snakemake.input.judgements)
    goevert2006.judged(judgements).to_csv(snakemake.output.judged, index=False)

    correlations = goevert2006.correlations(
        average, quantisations, snakemake.params.all_result_sets, pd.read_csv(snakemake.input.printed)
    )
    correlations.to_csv(snakemake.output.correlations, index=False)
