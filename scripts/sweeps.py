"""The sweeps that a campaign asks for: tables, figures, and their sections of the report."""

from pathlib import Path

import pandas as pd

from focuseval.files import write_text
from focuseval.measures.declaration import parse_specs, parts_of
from focuseval.report.notices import of_files
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.batch import measures_of
from focuseval_papers.workflow.jobs import job
from focuseval_papers.workflow.sweeps import make_sweep, sweep_of

with job(snakemake.output, snakemake.log[0]):
    given, made, params = snakemake.input, snakemake.output, snakemake.params
    measures = measures_of(params.families)
    scores = schema.read(given.scores, schema.SCORES).to_pandas().drop(columns=["campaign", "runs", "size"])
    left_out = schema.read(given.left_out, schema.LEFT_OUT).to_pandas()
    told = of_files(schema.read(given.told, schema.TOLD).to_pandas())
    names = [
        {part for point in points for part in (point, parts_of(point).uncut)} for points, _ in params.sweeps
    ]
    for (points, parameters), own, folder, section in zip(
        params.sweeps, names, made.folders, made.sections, strict=True
    ):
        specs = [spec for point in points for spec in parse_specs(point, measures)]
        of_others = left_out["of"].isin(set().union(*names) - own)
        text = make_sweep(
            sweep_of(scores, specs, parameters),
            list(dict.fromkeys(remark for spec in specs for remark in spec.remarks)),
            pd.concat([told, left_out[~of_others]], ignore_index=True),
            Path(folder),
            params.campaign,
            params.title,
        )
        write_text(section, text)
