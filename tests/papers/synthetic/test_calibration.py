"""What synthetic campaigns are calibrated to: numbers of the papers, and how near the campaigns come."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from focuseval.campaign.collection_read import document_texts
from focuseval.campaign.collection_store import load_collection
from focuseval.campaign.description import assessed, returned
from focuseval.campaign.element_tables import build_collection
from focuseval.formats.topics import read_topics
from focuseval.model.as_results import as_results
from focuseval.model.judgements import Topic
from focuseval_papers.retrieval.indexing import index_texts, number_texts
from focuseval_papers.retrieval.search import retrieve_all
from focuseval_papers.retrieval.systems import SYSTEMS
from focuseval_papers.synthetic.assessing import assess
from focuseval_papers.synthetic.calibration import calibration, sources
from focuseval_papers.synthetic.campaign_files import write_campaign
from focuseval_papers.synthetic.concept_settings import settings
from focuseval_papers.synthetic.concept_space import blocks, make_block
from tests.trees import random_collection

CAMPAIGNS = Path(__file__).parents[3] / "config/campaigns"


def test_the_sources_are_the_counts_of_table_1() -> None:
    published = Path(__file__).parents[3].parent / "shared/published/goevert2006_table1.csv"
    if not published.exists():
        pytest.skip("../shared/published is not here")
    known = {name: value for name, (value, _) in sources("inex2003").items()}
    relevant = specific = inner = exhaustive = both = documents = 0
    for row in pd.read_csv(published).itertuples():
        if row.exh > 0:
            count = row.article + row.non_article
            relevant, documents = relevant + count, documents + row.article
            specific += count * (row.spec == 3)
            inner += row.non_article * (row.spec == 3)
            exhaustive += count * (row.exh == 3)
            both += count * (row.exh == row.spec == 3)
    assert known == pytest.approx(
        {
            "topics": 36,
            "relevant documents a topic": documents / 36,
            "relevant elements a topic": relevant / 36,
            "relevant elements a relevant document": relevant / documents,
            "highly specific elements": 8_802,  # as Section 5.3 has it
            "highly specific, % of relevant elements": 100 * specific / relevant,
            "no whole documents, % of highly specific elements": 100 * inner / specific,
            "highly exhaustive, % of relevant elements": 100 * exhaustive / relevant,
            "highly exhaustive and specific elements a topic": both / 36,
            "highly exhaustive and specific, % of relevant elements": 100 * both / relevant,
        }
    )
    assert specific == 8_802


@pytest.mark.parametrize("scale", ["inex2002", "inex2003", "inex2005"])
def test_every_source_stands_beside_a_number_of_the_campaign(scale: str) -> None:
    collection, _ = random_collection(np.random.default_rng(1))
    topic = Topic("1", scale, collection, np.array([0]), np.ones(1), np.ones(1), None)
    table = calibration(assessed([topic]), scale)
    assert set(sources(scale)) <= set(table["number"])
    known = table[table["where"] != ""]
    assert known["source"].notna().all() and len(known) == len(sources(scale))
    assert calibration(assessed([topic]), None)["source"].isna().all()


def test_the_campaign_in_the_place_of_inex_2005_is_near_its_sources() -> None:
    """Several fully relevant elements a topic, and the shares of Table 1 that the scales have in common."""
    written = yaml.safe_load((CAMPAIGNS / "concept-space-2005.yaml").read_text(encoding="utf-8"))
    chosen = settings(**written["concept_space"])
    assert chosen.topics == 29
    judged = pd.concat([assess(chosen, number, make_block(chosen, number)) for number in blocks(chosen)])
    judged = judged[judged["exhaustivity"] > 0]
    known = {name: value for name, (value, _) in sources("inex2005").items()}
    exhaustive, specific = judged["exhaustivity_2005"] == "2", judged["rsize"] == judged["size"]
    assert 5 <= (exhaustive & specific).sum() / chosen.topics <= 10
    assert judged[exhaustive & specific].groupby("topic").size().gt(1).sum() >= 20
    near = {
        "highly exhaustive, % of relevant elements": exhaustive,
        "highly specific, % of relevant elements": specific,
        "highly exhaustive and specific, % of relevant elements": exhaustive & specific,
    }
    for name, those in near.items():
        assert 100 * those.mean() == pytest.approx(known[name], abs=2)
    a_document = len(judged) / (chosen.topics * chosen.relevant_articles)
    assert a_document == pytest.approx(known["relevant elements a relevant document"], rel=0.1)
    too_small = 100 * (judged["exhaustivity_2005"] == "?").mean()
    assert 5 < too_small < known["too small, % of relevant elements"]


def test_the_systems_spread(tmp_path: Path) -> None:
    """Overlap, whole documents and lengths, in lists as long as INEX 2002's: no part of the range is empty."""
    write_campaign(settings("tiny"), tmp_path)
    build_collection(tmp_path / "collection.zip", tmp_path / "elements", progress=False)
    words, characters = (load_collection(tmp_path / "elements", unit) for unit in ("words", "characters"))
    index = index_texts([number_texts(document_texts(tmp_path / "collection.zip"))], words)
    runs = retrieve_all(index, words, read_topics(tmp_path / "topics.xml"), SYSTEMS[:56], size=100)
    table = returned(as_results(runs, characters), characters)
    overlapping = table["overlapping"]
    assert (overlapping == 0).mean() < 0.3
    assert np.histogram(overlapping[overlapping > 0], [0, 0.2, 0.4, 0.6, 1])[0].min() >= 3
    assert (
        table["documents"].quantile([0.25, 0.75]).tolist()[0] < 0.01 < 0.1 < table["documents"].quantile(0.75)
    )
    assert (table["documents"] == 1).sum() >= 3
    assert table["length"].max() / table["length"].min() > 50
    assert np.histogram(np.log10(table["length"]), 5)[0].min() >= 3
