"""The worked examples of Ali et al. (2008): Figure 1's document, tables, summaries, and their part of the report."""

from pathlib import Path

from files import pictures, texts
from job import job

from focuseval.papers.ali2008 import examples
from focuseval.papers.ali2008.figures import figure5_panels, summary_graph
from focuseval.papers.ali2008.names import DECIMALS
from focuseval.papers.ali2008.section import examples_section
from focuseval.papers.ali2008.tables import examples_table, with_symbols
from focuseval.present.figures import save_figure
from focuseval.present.tables import write_table

with job(snakemake):
    Path(snakemake.output.document).write_text(examples.FIGURE_1, encoding="utf-8")
    tables = {
        "examples": examples.examples(),
        "table1": examples.table_1(),
        "table2": examples.table_2(),
        "table2_weights": examples.table_2_weights(),
    }
    shown = {name: with_symbols(table) for name, table in tables.items()}
    shown["examples"] = examples_table(tables["examples"])
    for path in map(Path, snakemake.output.tables):
        of = tables if path.suffix == ".csv" else shown
        write_table(of[path.stem], path, DECIMALS.get(path.stem, {}))
    figure = summary_graph(figure5_panels())
    for path in map(Path, snakemake.output.figures):
        save_figure(figure, path)
    text = examples_section(
        shown,
        pictures(path for path in snakemake.output.figures if path.endswith(".svg")),
        texts(snakemake.input.captions),
        Path(snakemake.output.section).parent.name,
    )
    Path(snakemake.output.section).write_text(text, encoding="utf-8")
