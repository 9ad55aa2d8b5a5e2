"""The findings of Piwowarski & Dupret (2006) on a campaign, beside the same checks on the printed numbers."""

import pandas as pd
from job import job

from focuseval.papers.findings import findings_table
from focuseval.papers.piwowarski2006.findings import findings, of_campaign, printed_evidence

with job(snakemake):
    read = {name: pd.read_csv(path) for name, path in snakemake.input.items() if name != "code"}
    here = of_campaign(read["averages"], read["curves"], read["correlation"])
    printed = printed_evidence(read["published"])
    findings_table(findings(here), findings(printed)).to_csv(snakemake.output[0], index=False)
