"""How large a campaign is."""

import json
from pathlib import Path

from job import job

from focuseval.campaign_store import load_results, load_topics
from focuseval.collection_store import load_collection
from focuseval.report import facts

with job(snakemake.log[0]):
    collection = load_collection(snakemake.input.elements[0])
    topics = load_topics(collection, *map(Path, snakemake.input.judgements))
    results = load_results(collection, Path(snakemake.input.results))
    found = facts(collection, topics, results)
    Path(snakemake.output[0]).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
