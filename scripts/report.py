"""Write the page of the report, and a file with the configuration, versions and checksums of its inputs."""

import json
from pathlib import Path

from focuseval.campaign.tables import checksum, versions
from focuseval.files import write_atomically
from focuseval_papers.publication.report import write_report
from focuseval_papers.workflow.jobs import job
from focuseval_papers.workflow.provenance import about_lines, checksums, code_of_library

with job(snakemake.output, snakemake.log[0]):
    inputs, params, page = snakemake.input, snakemake.params, Path(snakemake.output.page)
    root = page.parents[1]
    published = {f"config/published/{Path(path).name}": checksum(path) for path in inputs.published}
    provenance = {
        "versions": versions(),
        "configuration": params.configuration,
        "campaigns": params.campaigns,
        "not computed": params.unsuited,
        "sha256": published | checksums([*inputs.campaign_files, *inputs.generated], root),
    }
    # these values differ between machines, and are therefore not on the page
    of_machine = {"code": code_of_library(), "artefacts": checksums(inputs.artefacts, root)}
    with write_atomically(snakemake.output.provenance) as out:
        json.dump({**provenance, **of_machine}, out, indent=1, ensure_ascii=False)
        out.write("\n")
    sections = [*inputs.sections, *inputs.audits, *inputs.descriptions]
    lines = about_lines(provenance, params.command)
    write_report(page, sections, params, lines, draws=Path(inputs.draws))
