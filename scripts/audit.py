"""The audit of the measures on a campaign: tables, figures, cards, and a section of the report."""

from pathlib import Path

from focuseval.auditing.campaign import analyse, variants
from focuseval.auditing.section import make_audit
from focuseval.files import write_text
from focuseval.measures import MEASURES, parse_specs
from focuseval.report.parts import write_analysis
from focuseval_papers.workflow.jobs import job
from focuseval_papers.workflow.runsets import RunSet
from focuseval_papers.workflow.store import load_collection, load_results, load_topics

with job(snakemake.output, snakemake.log[0]):
    given, params, folder = snakemake.input, snakemake.params, Path(snakemake.output.folder)
    campaign, runs = Path(given.elements).parent, RunSet(**params.runs)
    collection = load_collection(given.elements, params.unit, texts=given.texts or None)
    analysis = analyse(
        load_topics(campaign / "judgements" / runs.judgements, collection, runs.topics),
        load_results(campaign / "runs" / f"{runs.runs}.parquet", collection, size=params.size),
        [spec for name in variants(MEASURES) for spec in parse_specs(name, MEASURES)],
        **params.settings,
    )
    folder.mkdir(parents=True)
    write_analysis(analysis, folder / "analysis")
    section = make_audit(analysis, folder, snakemake.wildcards.campaign, params.title)
    write_text(folder / "section.html", section)
