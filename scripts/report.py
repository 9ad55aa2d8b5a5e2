"""One page with everything on it, and the configuration, versions and checksums that made it."""

import json
from pathlib import Path

from focuseval.campaign.provenance import checksum, versions
from focuseval.files import write_atomically
from focuseval.present.page import not_computed, page
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
    with write_atomically(snakemake.output.page) as out:
        audits = [Path(folder) / "section.html" for folder in given.audits]
        paths = [*given.sections, *audits, *given.descriptions]
        sections = [Path(path).read_text(encoding="utf-8") for path in paths]
        left_out = not_computed(params.unsuited, params.titles)
        out.write(page([*sections, *filter(None, [left_out])], provenance, params.views))
