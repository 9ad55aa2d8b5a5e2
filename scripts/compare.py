"""Compare systems of a campaign under one or several measures: write tables, figures, and a section of the report."""

from pathlib import Path

import pandas as pd

from focuseval.files import write_text
from focuseval.report.notices import not_computed, of_consequence, of_files, unequal_topics
from focuseval.report.systems import make_comparison, make_systems
from focuseval.statistics.comparisons import compare_as_asked, overview, scored
from focuseval_papers.report.variants import make_variants
from focuseval_papers.workflow import schema
from focuseval_papers.workflow.campaign_size import facts_table, facts_with
from focuseval_papers.workflow.description import led_by_cuts
from focuseval_papers.workflow.jobs import job, log_messages
from focuseval_papers.workflow.notices import read_notices
from focuseval_papers.workflow.runsets import RETRIEVED
from focuseval_papers.workflow.scoring import read_left_out, read_scores

with job(snakemake.output, snakemake.log[0]):
    inputs, request, folder = snakemake.input, snakemake.params.asked, Path(snakemake.output.folder)
    campaign, synthetic = snakemake.wildcards.campaign, snakemake.params.synthetic
    folder.mkdir(parents=True)
    scores, left_out = read_scores(inputs.scores), read_left_out(inputs.left_out)
    notices = pd.concat([of_files(read_notices(inputs.notices)), left_out], ignore_index=True)
    if "made_by" in request:  # simulated and perturbed runs are compared
        text = make_variants(
            scores, request, notices, folder, campaign, snakemake.params.title, synthetic=synthetic
        )
    elif "comparison" in request:  # the campaign's own systems are compared under its main measures
        counted = facts_with(schema.read(inputs.facts, schema.FACTS).to_pandas(), request["counted"])
        population = pd.read_csv(inputs.population, dtype={"runs": str})
        lengths = population.loc[population["runs"] == request["counted"].removeprefix(RETRIEVED), "length"]
        request, cuts = led_by_cuts(scored(request, scores), lengths)
        analysis, cautions = overview(scores, request)
        cautions = [*filter(None, [cuts]), *cautions]
        lost = of_consequence(notices, scores["topic"].nunique())
        lost += unequal_topics(analysis["measures"]) if analysis else []
        log_messages(campaign, [*not_computed(left_out), *lost], snakemake.log[0])
        size = facts_table({campaign: counted})
        text = make_systems(
            request, analysis, notices, size, folder, campaign, cautions, lost, synthetic=synthetic
        )
    else:
        analysis, cautions = compare_as_asked(scores, request)
        title = snakemake.params.title
        text = make_comparison(
            request, analysis, notices, folder, campaign, title, cautions, synthetic=synthetic
        )
    write_text(folder / "section.html", text)
