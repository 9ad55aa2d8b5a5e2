"""Accuracy and fidelity of SRP on a campaign, from its scores."""

import pandas as pd
from job import job

from focuseval.papers.ali2008 import studies

with job(snakemake):
    mean = studies.means([pd.read_parquet(path) for path in snakemake.input.scores])
    accuracies = studies.accuracy_readings(mean)
    perturbed = [pd.read_parquet(path) for path in snakemake.input.perturbed]
    fidelities, steps, versions = studies.fidelity_studies(perturbed)
    tables = {
        "means": mean,
        "accuracy": accuracies,
        "fidelity": fidelities,
        "steps": steps,
        "versions": versions,
        "table3": studies.table3(accuracies, fidelities, pd.read_csv(snakemake.input.printed)),
    }
    for name, path in snakemake.output.items():
        tables[name].to_csv(path, index=False)
