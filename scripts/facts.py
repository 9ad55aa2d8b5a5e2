"""How large a campaign is."""

import json
from pathlib import Path

from job import job

from focuseval.campaign.collection_store import load_collection
from focuseval.campaign.facts import facts
from focuseval.campaign.store import load_results, load_topics

with job(snakemake):
    collection = load_collection(snakemake.input.elements)
    topics = load_topics(Path(snakemake.input.judgements[0]).parent, collection)
    results = load_results(Path(snakemake.input.results), collection)
    found = facts(collection, topics, results)
    Path(snakemake.output[0]).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
