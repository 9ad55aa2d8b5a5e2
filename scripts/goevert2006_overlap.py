"""How much of its text each run repeats, at every size of its result sets."""

from pathlib import Path

import pandas as pd
from job import job

from focuseval.campaign.collection_store import load_collection
from focuseval.campaign.store import load_results
from focuseval.papers.goevert2006.analysis import overlap

with job(snakemake):
    collection = load_collection(snakemake.input.elements)
    results = load_results(Path(snakemake.input.results), collection)
    tables = [overlap(results, size).assign(result_set=name) for name, size in snakemake.params.sizes.items()]
    pd.concat(tables).to_csv(snakemake.output[0], index=False)
