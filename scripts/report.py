"""One page with everything on it, and the configuration, versions and checksums that made it."""

import hashlib
import json
import os
import time
from pathlib import Path

from focuseval.campaign.tables import checksum, versions
from focuseval.files import write_atomically
from focuseval_papers.publication.report import write_report
from focuseval_papers.workflow.jobs import job
from focuseval_papers.workflow.provenance import code_of_library

with job(snakemake.output, snakemake.log[0]):
    given, params = snakemake.input, snakemake.params
    root = Path(snakemake.output.page).parents[1]

    def named(path: str) -> str:
        """A result as seen from the folder of the results, wherever that is stored; any other file as it is."""
        return str(Path(path).relative_to(root)) if Path(path).is_relative_to(root) else path

    provenance = {
        "versions": versions(),
        "configuration": params.configuration,
        "campaigns": params.campaigns,
        "not computed": params.unsuited,
        "sha256": {
            **{f"config/published/{Path(path).name}": checksum(path) for path in given.published},
            **{named(path): checksum(path) for path in (*given.given, *given.generated)},
        },
    }
    # absent from the page, which is the same on every machine
    about = {
        "code": code_of_library(),
        "artefacts": {named(path): checksum(path) for path in given.artefacts},
    }
    with write_atomically(snakemake.output.provenance) as out:
        json.dump({**provenance, **about}, out, indent=1, ensure_ascii=False)
        out.write("\n")
    digests = (
        f"{name} {hashlib.sha256(json.dumps(provenance[key]).encode()).hexdigest()[:12]}…"
        for name, key in (("configuration", "configuration"), ("inputs", "sha256"))
    )
    day = time.gmtime(float(os.environ.get("SOURCE_DATE_EPOCH", time.time())))  # as builds set it
    seed = params.configuration["findings"]["seed"]
    lines = {
        "Made": time.strftime("%Y-%m-%d", day),
        "Command": params.command,
        "Versions": ", ".join(f"{name} {number}" for name, number in provenance["versions"].items()),
        "Seed": f"{seed} of intervals; the file has those of campaigns",
        "SHA-256": ", ".join(digests),
    }
    sections = [*given.sections, *given.audits, *given.descriptions]
    write_report(Path(snakemake.output.page), sections, params, lines, draws=Path(given.draws))
