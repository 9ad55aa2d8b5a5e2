"""Make the files of a campaign from published files, or from gold and runs on source code, and write notices."""

import warnings
from pathlib import Path

from focuseval.campaign import notices
from focuseval.errors import InputWarning, in_campaign
from focuseval.files import replacing_several
from focuseval_papers.workflow.artefacts import import_code
from focuseval_papers.workflow.campaign_settings import CampaignSettings
from focuseval_papers.workflow.jobs import job
from focuseval_papers.workflow.sources import load

with (
    job(snakemake.output, snakemake.log[0]),
    replacing_several(Path(snakemake.output.folder)) as folder,
    warnings.catch_warnings(record=True) as caught,
):
    warnings.simplefilter("always", InputWarning)
    params = snakemake.params
    if params.campaign:
        of_code = import_code(CampaignSettings.model_validate(params.campaign), folder)
        lines = notices.lines(of_code, naming=in_campaign)
    else:
        load(params.importer).write(Path(snakemake.input.sources), folder)
        lines = [str(one.message) for one in caught if issubclass(one.category, InputWarning)]
    (folder / "notices.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
