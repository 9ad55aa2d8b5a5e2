"""Which systems of a campaign differ under one measure: tables, figures, and their section of the report."""

from pathlib import Path

from focuseval.campaign import schema
from focuseval.files import write_atomically
from focuseval.jobs import job
from focuseval.present.compared import make_comparison
from focuseval.statistics.comparisons import compare_as_asked

with job(snakemake.output, snakemake.log[0]):
    scores = schema.read(snakemake.input.scores, schema.SCORES).to_pandas()
    analysis = compare_as_asked(scores, snakemake.params.asked)
    text = make_comparison(
        snakemake.params.asked,
        analysis,
        Path(snakemake.output.section).parent,
        snakemake.wildcards.campaign,
        snakemake.params.title,
    )
    with write_atomically(snakemake.output.section) as out:
        out.write(text)
