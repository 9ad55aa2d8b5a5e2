"""Scores of sets of runs under measures, the runs that were made for them, and what was left out."""

from pathlib import Path

from focuseval_papers.workflow import schema
from focuseval_papers.workflow.batch import measures_of, score_sets
from focuseval_papers.workflow.jobs import job
from focuseval_papers.workflow.runsets import RunSet

with job(snakemake.output, snakemake.log[0]):
    params, made = snakemake.params, Path(snakemake.output.made)
    made.mkdir()
    scores, left_out = score_sets(
        snakemake.wildcards.campaign,
        Path(snakemake.input.elements).parent,
        [(RunSet(**runs), names) for runs, names in params.sets],
        measures_of(params.families),
        unit=params.unit,
        lenient=params.lenient,
        made=made,
        texts=Path(snakemake.input.texts) if snakemake.input.texts else None,
        skip_refused=params.skip_refused,
    )
    schema.write(scores, schema.SCORES, snakemake.output.scores)
    schema.write(left_out, schema.LEFT_OUT, snakemake.output.left_out)
