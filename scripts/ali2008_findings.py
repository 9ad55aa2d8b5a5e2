"""The findings of Ali et al. (2008) on a campaign, beside the same checks on the printed numbers."""

import pandas as pd
from job import job

from focuseval.papers.ali2008.findings import evidence, findings, printed_evidence
from focuseval.papers.findings import findings_table

with job(snakemake):
    names = ("table3", "fidelity", "versions", "printed")
    read = {name: pd.read_csv(snakemake.input[name]) for name in names}
    repeated = [pd.read_csv(path) for path in snakemake.input.repeats]
    here = evidence(read["table3"], read["fidelity"], read["versions"], repeated)
    cutoffs = snakemake.params.cutoffs
    table = findings_table(findings(here, cutoffs), findings(printed_evidence(read["printed"]), cutoffs))
    table.to_csv(snakemake.output[0], index=False)
