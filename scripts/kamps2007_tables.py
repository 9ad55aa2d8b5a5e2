"""The numbers of the text and the two orders of systems, beside the printed ones."""

from pathlib import Path

import pandas as pd
from job import job

from focuseval.papers.kamps2007.analysis import as_shown, excess, orders, summary
from focuseval.papers.kamps2007.names import DECIMALS, MAGP, MAP
from focuseval.present.tables import write_table
from focuseval.statistics.significance import score_table

with job(snakemake):
    printed = pd.read_csv(snakemake.input.printed)
    systems = [pd.read_csv(path) for path in snakemake.input.systems]
    counts = [pd.read_csv(path) for path in snakemake.input.counts]
    scores = pd.concat(map(pd.read_parquet, snakemake.input.scores))
    ranks = orders(*systems, printed)
    above = excess(*(score_table(scores, measure)[ranks["run"]] for measure in (MAGP, MAP)))
    numbers = summary(
        ranks, dict(zip((MAGP, MAP), counts, strict=True)), above, printed, **snakemake.params.settings
    )
    for path in map(Path, snakemake.output):
        table = ranks if path.stem == "orders" else numbers if path.suffix == ".csv" else as_shown(numbers)
        write_table(table, path, DECIMALS.get(path.stem, {}))
