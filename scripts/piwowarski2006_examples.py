"""The worked examples of Piwowarski & Dupret (2006): tables in every form, and their part of the report."""

from pathlib import Path

from files import texts
from job import job

from focuseval.papers.piwowarski2006.names import DECIMALS
from focuseval.papers.piwowarski2006.section import examples_section
from focuseval.papers.piwowarski2006.tables import numbers, table1
from focuseval.present.tables import write_table

with job(snakemake):
    tables = {"table1": table1(), "numbers": numbers()}
    for path in map(Path, snakemake.output.tables):
        write_table(tables[path.stem], path, DECIMALS[path.stem])
    captions = texts(snakemake.input.captions)
    Path(snakemake.output.section).write_text(examples_section(tables, captions, "piwowarski2006"), "utf-8")
