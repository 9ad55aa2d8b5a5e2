"""The findings of Kazai & Lalmas (2005) on a campaign, beside the same checks on the printed numbers."""

import pandas as pd
from job import job

from focuseval.papers.findings import findings_table
from focuseval.papers.kazai2005.findings import campaign_evidence, findings, printed_evidence

with job(snakemake):
    read = {name: pd.read_csv(path) for name, path in snakemake.input.items() if name != "code"}
    names = ("table1", "table2", "measures", "ideal", "turned", "highest")
    here = campaign_evidence(*(read[name] for name in names))
    printed = printed_evidence(read["printed1"], read["printed2"])
    settings = read["measures"]
    table = findings_table(findings(here, settings), findings(printed, settings))
    table.to_csv(snakemake.output[0], index=False)
