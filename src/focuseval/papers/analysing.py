"""The first job of a paper on a campaign: its analysis, with tables and findings."""

from pathlib import Path

from focuseval.findings import findings_table
from focuseval.papers.material import Material
from focuseval.papers.paper import Paper
from focuseval.present.items import write_analysis, write_tables


def make_tables(paper: Paper, material: Material, folder: Path) -> None:
    """Analyse, and write the analysis, the tables and the findings of a paper into its folder."""
    analysis = paper.analyse(material)
    write_analysis(analysis, folder / "analysis")
    write_tables(paper.items(material.context), analysis, material.context, folder)
    findings = findings_table(*paper.findings(analysis, material.printed, material.context))
    findings.to_parquet(folder / "findings.parquet", index=False)
    findings.to_csv(folder / "findings.csv", index=False)
