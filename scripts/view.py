"""Write the page of a campaign, which shows runs, topics, results and documents."""

from dataclasses import replace
from pathlib import Path

from focuseval.files import write_text
from focuseval.measures.declaration import parse_specs
from focuseval.viewer.page import save
from focuseval.viewer.queries import queries_of_campaign
from focuseval_papers.workflow.campaign_settings import CampaignSettings
from focuseval_papers.workflow.jobs import job, optional_place
from focuseval_papers.workflow.notices import read_notices
from focuseval_papers.workflow.of_campaign import LARGEST, SHOWN, campaign_contents, notes_of, without_values
from focuseval_papers.workflow.runsets import RunSet
from focuseval_papers.workflow.scoring import measures_of, read_left_out, read_scores

with job(snakemake.output, snakemake.log[0]):
    inputs, params, page = snakemake.input, snakemake.params, Path(snakemake.output.page)
    runs, measures = RunSet(**params.runs), measures_of(params.metrics)
    texts, topics, assessments = (
        optional_place(inputs[key], params.inside[key]) for key in ("texts", "topics", "assessment_files")
    )
    left_out = read_left_out(inputs.left_out)
    notes, nothing = notes_of(read_notices(inputs.notices), left_out, params.others)
    contents = campaign_contents(
        inputs,
        runs,
        read_scores(inputs.scores),
        [spec for name in params.measures for spec in parse_specs(name, measures)],
        texts,
        replace(SHOWN, title=params.title, queries=queries_of_campaign(topics, assessments)),
        unit=CampaignSettings.model_validate(params.campaign).unit,
        notes=notes,
    )
    # `save` stores data that do not fit into the page in this folder
    Path(snakemake.output.folder).mkdir(exist_ok=True)
    if contents is None:
        write_text(page, without_values(params.title, [*notes, *nothing]))
    else:
        save(contents, page, LARGEST)
