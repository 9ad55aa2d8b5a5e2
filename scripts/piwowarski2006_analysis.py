"""From scores to average precision, curves and correlations, and the tables that show them."""

from pathlib import Path

import pandas as pd
from job import job

from focuseval.papers.piwowarski2006 import analysis
from focuseval.papers.piwowarski2006.names import DECIMALS
from focuseval.present.tables import write_table

with job(snakemake):
    quantisations = snakemake.params.quantisations
    perturbed = pd.read_parquet(snakemake.input.perturbed)
    average = analysis.averages(perturbed, quantisations[0])
    curve = analysis.curves(perturbed, quantisations[0])
    found = analysis.values(pd.read_parquet(snakemake.input.submitted), quantisations)
    published = pd.read_csv(snakemake.input.published)
    average.to_csv(snakemake.output.averages, index=False)
    curve.to_csv(snakemake.output.curves, index=False)
    found.to_csv(snakemake.output.values, index=False)
    tables = {
        "perturbed": analysis.perturbed_table(average, curve),
        "correlation": analysis.correlations(found, published, snakemake.params.top),
    }
    for path in map(Path, snakemake.output.tables):
        write_table(tables[path.stem], path, DECIMALS[path.stem])
