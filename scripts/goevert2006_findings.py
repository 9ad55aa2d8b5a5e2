"""The findings of Gövert et al. (2006) on a campaign, beside the same checks on the printed numbers."""

import pandas as pd
from job import job

from focuseval.reproductions import goevert2006
from focuseval.reproductions.findings import findings_table

with job(snakemake.log[0]):
    read = {name: pd.read_csv(path) for name, path in snakemake.input.items() if name != "code"}
    here = goevert2006.Evidence(
        read["simulated"], read["correlations"], read["judged"], read["overlap"], read["average"]
    )
    printed = goevert2006.printed_evidence(
        read["printed_simulated"], read["printed_correlations"], read["printed_judged"]
    )
    table = findings_table(goevert2006.findings(here), goevert2006.findings(printed))
    table.to_csv(snakemake.output[0], index=False)
