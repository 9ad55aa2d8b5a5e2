"""Table 3 of Ali et al. (2008) and the tables beside it, in every form."""

from pathlib import Path

import pandas as pd
from job import job

from focuseval.papers.ali2008 import tables as shown
from focuseval.papers.ali2008.names import DECIMALS
from focuseval.present.tables import write_table

with job(snakemake):
    names = ("table3", "accuracy", "versions", "steps")
    read = {name: pd.read_csv(snakemake.input[name]) for name in names}
    repeated = [pd.read_csv(path) for path in snakemake.input.repeats]
    partitions = pd.read_parquet(snakemake.input.partitions)
    settings = snakemake.params.summary
    chosen = (partitions[list(settings)] == list(settings.values())).all(axis=1)
    tables = {
        "table3": shown.table3_table(read["table3"]),
        "readings": shown.readings_table(read["accuracy"]),
        "versions": shown.versions_table(read["versions"]),
        "steps": shown.steps_table(read["steps"]),
        "repeated": shown.repeated_table(repeated),
        "summaries": shown.summaries_table(partitions),
        "partitions": shown.partitions_table(partitions[chosen]),
    }
    for path in map(Path, snakemake.output):
        write_table(tables[path.stem], path, DECIMALS[path.stem])
