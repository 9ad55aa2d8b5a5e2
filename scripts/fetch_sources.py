"""Fetch the sources of a campaign, or copy them from a folder, and verify their checksums."""

import os
from pathlib import Path

from focuseval_papers.workflow.jobs import job
from focuseval_papers.workflow.sources import provide, read_sources

with job(snakemake.output, snakemake.log[0]):
    sources = read_sources(snakemake.params.sources)
    folder = os.path.expanduser(os.environ.get("FOCUSEVAL_DATA", ""))
    provide(
        snakemake.wildcards.dataset, sources, Path(snakemake.output.folder), Path(folder) if folder else None
    )
