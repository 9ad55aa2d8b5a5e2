"""The runs' average precision, Tables 1-5 of Gövert et al. (2006) and the simulated runs, in every form."""

from pathlib import Path

import pandas as pd
from job import job

from focuseval.papers.goevert2006.names import DECIMALS
from focuseval.papers.goevert2006.tables import correlation_table, runs_table, simulated_table, table1
from focuseval.present.tables import write_table

with job(snakemake):
    # names of runs may be numbers
    read = {
        name: pd.read_csv(path, dtype={"run": str})
        for name, path in snakemake.input.items()
        if name != "code"
    }
    tables = {f"table{n}": correlation_table(read["correlations"], n) for n in (2, 3, 4, 5)}
    tables["runs"] = runs_table(read["average"], snakemake.params.result_set)
    tables["table1"] = table1(read["judged"], read["printed_judged"])
    tables["simulated"] = simulated_table(read["simulated"], read["printed_simulated"])
    for path in map(Path, snakemake.output):
        write_table(tables[path.stem], path, DECIMALS[path.stem])
