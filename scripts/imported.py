"""The files of a campaign, made from its sources, and what was left out of them."""

import warnings
from pathlib import Path

from focuseval.errors import InputWarning
from focuseval.files import replacing_several
from focuseval_papers.workflow.jobs import job
from focuseval_papers.workflow.sources import load

with (
    job(snakemake.output, snakemake.log[0]),
    replacing_several(Path(snakemake.output.told).parent) as made,
    warnings.catch_warnings(record=True) as told,
):
    warnings.simplefilter("always", InputWarning)
    load(snakemake.params.importer).write(Path(snakemake.input.sources), made)
    notes = [f"{one.message}\n" for one in told if issubclass(one.category, InputWarning)]
    (made / Path(snakemake.output.told).name).write_text("".join(notes), encoding="utf-8")
