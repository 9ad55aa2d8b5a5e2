"""The findings of Kamps et al. (2007) on a campaign, beside the same checks on the printed numbers."""

import pandas as pd
from job import job

from focuseval.papers.findings import findings_table
from focuseval.papers.kamps2007.findings import evidence, findings, printed_evidence

with job(snakemake):
    here = evidence(pd.read_csv(snakemake.input.summary), pd.read_csv(snakemake.input.orders))
    printed = printed_evidence(pd.read_csv(snakemake.input.printed))
    findings_table(findings(here), findings(printed)).to_csv(snakemake.output[0], index=False)
