"""Show how scores depend on a measure's parameters and cut-offs: write tables, figures, and a section of the report."""

from pathlib import Path

import pandas as pd

from focuseval.files import write_text
from focuseval.measures.declaration import parse_specs, parts_of
from focuseval.report.notices import of_files
from focuseval_papers.workflow.jobs import job
from focuseval_papers.workflow.notices import read_notices
from focuseval_papers.workflow.scoring import measures_of, read_left_out, read_scores
from focuseval_papers.workflow.sweeps import make_sweep, sweep_of

with job(snakemake.output, snakemake.log[0]):
    inputs, params, folder = snakemake.input, snakemake.params, Path(snakemake.output.folder)
    measures = measures_of([params.metric])
    specs = [spec for point in params.points for spec in parse_specs(point, measures)]
    scores = read_scores(inputs.scores).drop(columns=["campaign", "runs", "size"])
    left_out = read_left_out(inputs.left_out)
    own = {name for spec in specs for name in (spec.name, parts_of(spec.name).uncut)}
    of_others = (left_out["kind"].astype(str) == "irrelevant") & ~left_out["of"].isin(own)
    text = make_sweep(
        sweep_of(scores, specs, params.parameters),
        list(dict.fromkeys(remark for spec in specs for remark in spec.remarks)),
        pd.concat([of_files(read_notices(inputs.notices)), left_out[~of_others]], ignore_index=True),
        folder,
        snakemake.wildcards.campaign,
        params.title,
        synthetic=params.synthetic,
    )
    write_text(folder / "section.html", text)
