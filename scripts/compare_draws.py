"""Compare printed numbers of papers with two kinds of intervals: over draws of campaigns, and over runs or topics."""

from pathlib import Path

import pandas as pd

from focuseval.campaign.tables import write_frame
from focuseval.report.parts import read_analysis
from focuseval.report.tables import write_table
from focuseval_papers.publication.paper import load
from focuseval_papers.publication.printed import inside
from focuseval_papers.workflow.jobs import job

with job(snakemake.output, snakemake.log[0]):
    inputs, out = snakemake.input, snakemake.output
    printed = {Path(path).stem: pd.read_csv(path) for path in inputs.printed}
    folders = iter(inputs.papers)
    # the first table is empty, and ensures that a table is written even if no paper is computed
    tables = [inside({}, []).assign(publication="", campaign="")]
    for name, campaign, contexts in snakemake.params.drawn:
        paper = load(name)
        draws = [
            paper.quantities(read_analysis(Path(next(folders), "analysis")), paper.context(one))
            for one in contexts
        ]
        tables.append(inside(paper.in_print(printed), draws).assign(publication=name, campaign=campaign))
    first = ["publication", "campaign"]
    every = pd.concat(tables, ignore_index=True).set_index(first).reset_index()
    write_frame(every, out.table)
    write_table(every, Path(out.csv), {})
