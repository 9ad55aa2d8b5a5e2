"""Tables 1 and 2 of Kazai & Lalmas (2005) and those beside them, in every form."""

from pathlib import Path

import pandas as pd
from job import job

from focuseval.papers.kazai2005.names import DECIMALS
from focuseval.papers.kazai2005.tables import correlation_table
from focuseval.present.tables import write_table

with job(snakemake):
    read = {name: pd.read_csv(path) for name, path in snakemake.input.items() if name != "code"}
    tables = {
        "table1": correlation_table(read["table1"], read["printed1"]),
        "table2": correlation_table(read["table2"], read["printed2"]),
        "best": read["best"],
        "recall_bases": read["recall_bases"],
    }
    for path in map(Path, snakemake.output):
        write_table(tables[path.stem], path, DECIMALS[path.stem])
