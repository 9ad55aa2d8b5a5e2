"""What the sweep says: a table of all points, and heat maps of how alike they rank the runs."""

from pathlib import Path

import pandas as pd
from job import job

from focuseval.papers.kazai2005 import figures
from focuseval.papers.kazai2005.analysis import sweep_table
from focuseval.papers.kazai2005.names import DECIMALS
from focuseval.present.figures import save_figure
from focuseval.present.tables import write_table

with job(snakemake):
    ideal, own_text, alpha = snakemake.params.reference
    cutoff = snakemake.params.cutoff
    swept = pd.concat(map(pd.read_csv, snakemake.input.points), ignore_index=True)
    of_method = swept[(swept["ideal"] == ideal) & (swept["own_text"] == own_text)]
    drawn = {
        "alpha": figures.alpha_map(of_method, cutoff),
        "cutoff": figures.cutoff_map(of_method[of_method["alpha"] == alpha]),
        "ideal": figures.ideal_map(swept[swept["alpha"] == alpha], cutoff),
    }
    for path in map(Path, snakemake.output.maps):
        save_figure(drawn[path.stem], path)
    table = sweep_table(swept, (ideal, own_text, alpha), cutoff)
    for path in map(Path, snakemake.output.tables):
        write_table(table, path, DECIMALS["sweep"])
