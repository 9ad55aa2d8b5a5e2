"""The first job of a paper on a campaign: its analysis, with tables and findings."""

from pathlib import Path

from focuseval.files import replacing
from focuseval.report.items import write_analysis, write_tables
from focuseval.report.tables import write_table
from focuseval_papers.publication.declared import Publication
from focuseval_papers.publication.findings import findings_table
from focuseval_papers.publication.material import Material


def make_tables(paper: Publication, material: Material, folder: Path) -> None:
    """Analyse, and write the analysis, the tables and the findings of a paper into its folder."""
    analysis = paper.analyse(material)
    write_analysis(analysis, folder / "analysis")
    write_tables(paper.items(material.context), analysis, material.context, folder)
    findings = findings_table(*paper.findings(analysis, material.printed, material.context))
    with replacing(folder / "findings.parquet") as unfinished:
        findings.to_parquet(unfinished, index=False)
    write_table(findings, folder / "findings.csv", {})
