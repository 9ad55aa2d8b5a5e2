"""The configuration, the versions of the software, and checksums of all inputs."""

import json
from pathlib import Path

from job import job

from focuseval.campaign.provenance import checksum, versions

with job(snakemake):
    inputs = {path: checksum(path) for path in snakemake.input if path not in snakemake.input.code}
    found = {
        "versions": versions(),
        "configuration": snakemake.params.configuration,
        "campaigns": snakemake.params.campaigns,
        "sha256": inputs,
    }
    Path(snakemake.output[0]).write_text(
        json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
