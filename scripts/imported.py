"""The files of a campaign, made from its sources."""

from pathlib import Path

from focuseval.files import replacing_several
from focuseval.importers import load
from focuseval.jobs import job

with (
    job(snakemake.output, snakemake.log[0]),
    replacing_several(snakemake.params.folder) as made,
):
    load(snakemake.params.importer).write(Path(snakemake.input.sources), made)
