"""The findings of Gövert et al. (2006) on a campaign, beside the same checks on the printed numbers."""

import pandas as pd
from job import job

from focuseval.papers.findings import findings_table
from focuseval.papers.goevert2006.findings import campaign_evidence, findings, printed_evidence

with job(snakemake):
    read = {name: pd.read_csv(path) for name, path in snakemake.input.items() if name != "code"}
    here = campaign_evidence(
        read["simulated"], read["correlations"], read["judged"], read["overlap"], read["average"]
    )
    printed = printed_evidence(
        read["printed_simulated"], read["printed_correlations"], read["printed_judged"]
    )
    findings_table(findings(here), findings(printed)).to_csv(snakemake.output[0], index=False)
