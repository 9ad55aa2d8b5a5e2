"""One page with everything on it, and the configuration, versions and checksums that made it."""

import json
from pathlib import Path

from focuseval.campaign.tables import checksum, versions
from focuseval.files import write_atomically
from focuseval_papers.publication.report import write_report
from focuseval_papers.workflow.jobs import job

with job(snakemake.output, snakemake.log[0]):
    given, params = snakemake.input, snakemake.params
    provenance = {
        "versions": versions(),
        "configuration": params.configuration,
        "campaigns": params.campaigns,
        "not computed": params.unsuited,
        "sha256": {path: checksum(path) for path in (*given.published, *given.given, *given.generated)},
    }
    with write_atomically(snakemake.output.provenance) as out:
        json.dump(provenance, out, indent=1, ensure_ascii=False)
        out.write("\n")
    sections = [*given.sections, *given.audits, *given.descriptions]
    write_report(Path(snakemake.output.page), sections, params, provenance, draws=Path(given.draws))
