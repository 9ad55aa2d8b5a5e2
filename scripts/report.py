"""One page with everything on it."""

import json
from pathlib import Path

from job import job

from focuseval.present.page import page

with job(snakemake):
    html = page(
        [Path(path).read_text(encoding="utf-8") for path in snakemake.input.sections],
        json.loads(Path(snakemake.input.provenance).read_text(encoding="utf-8")),
    )
    Path(snakemake.output[0]).write_text(html, encoding="utf-8")
