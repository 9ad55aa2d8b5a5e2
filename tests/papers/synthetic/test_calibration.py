"""Calibration of synthetic campaigns: numbers of the papers, and the distance of the campaigns from them."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from focuseval.campaign.collection_read import document_texts
from focuseval.formats.inex import read_topics
from focuseval.model.judgements import Highlights, Topic
from focuseval.model.results import as_results
from focuseval_papers.retrieval.search import retrieve_all
from focuseval_papers.retrieval.systems import SYSTEMS, index_terms, number_texts, terms_of_texts
from focuseval_papers.synthetic.campaign_files import write_campaign
from focuseval_papers.synthetic.concept_settings import calibration, settings, sources
from focuseval_papers.synthetic.concept_space import article_names, assess, blocks, highlight, make_block
from focuseval_papers.workflow.description import relevance_statistics, result_statistics
from focuseval_papers.workflow.element_tables import build_collection
from focuseval_papers.workflow.store import load_collection
from tests.trees import random_collection

CAMPAIGNS = Path(__file__).parents[3] / "config/campaigns"


def test_the_sources_are_the_counts_of_table_1():
    published = Path(__file__).parents[3].parent / "shared/published/goevert2006_table1.csv"
    if not published.exists():
        pytest.skip("../shared/published is not here")
    counts = {name: value for name, (value, _) in sources("inex2003").items()}
    relevant = specific = inner = exhaustive = both = documents = 0
    for row in pd.read_csv(published).itertuples():
        if row.exh > 0:
            count = row.article + row.non_article
            relevant, documents = relevant + count, documents + row.article
            specific += count * (row.spec == 3)
            inner += row.non_article * (row.spec == 3)
            exhaustive += count * (row.exh == 3)
            both += count * (row.exh == row.spec == 3)
    assert counts == pytest.approx(
        {
            "topics": 36,
            "elements per document": 660.8,  # over eight million in 12,107 articles
            "mean depth of an element": 6.9,
            "relevant documents per topic": documents / 36,
            "relevant elements per topic": relevant / 36,
            "relevant elements per relevant document": relevant / documents,
            "highly specific elements": 8_802,  # according to Section 5.3
            "highly specific, % of relevant elements": 100 * specific / relevant,
            "no whole documents, % of highly specific elements": 100 * inner / specific,
            "highly exhaustive, % of relevant elements": 100 * exhaustive / relevant,
            "highly exhaustive and specific elements per topic": both / 36,
            "highly exhaustive and specific, % of relevant elements": 100 * both / relevant,
        },
        rel=1e-4,
    )
    assert specific == 8_802


@pytest.mark.parametrize("scale", ["inex2002", "inex2003", "inex2005", "highlights"])
def test_every_source_is_next_to_a_number_of_the_campaign(scale):
    collection, _ = random_collection(np.random.default_rng(1))
    passage = (
        Highlights(np.zeros(1, int), np.zeros(1, int), np.ones(1, int)) if scale == "highlights" else None
    )
    topic = Topic("1", scale, collection, np.array([0]), np.ones(1), np.ones(1), passage)
    table = calibration(relevance_statistics([topic]), scale)
    assert set(sources(scale)) <= set(table["number"])
    rows_with_source = table[table["where"] != ""]
    assert rows_with_source["source"].notna().all() and len(rows_with_source) == len(sources(scale))
    assert calibration(relevance_statistics([topic]), None)["source"].isna().all()


def test_the_campaign_in_the_place_of_inex_2005_is_near_its_sources():
    """Topics have several fully relevant elements; shares common to both scales are those of Table 1."""
    written = yaml.safe_load((CAMPAIGNS / "concept-space-2005.yaml").read_text(encoding="utf-8"))
    chosen = settings(**written["concept_space"])
    assert chosen.topics == 29
    judged = pd.concat([assess(chosen, number, make_block(chosen, number)) for number in blocks(chosen)])
    judged = judged[judged["exhaustivity"] > 0]
    published = {name: value for name, (value, _) in sources("inex2005").items()}
    exhaustive, specific = judged["exhaustivity_2005"] == "2", judged["rsize"] == judged["size"]
    assert 5 <= (exhaustive & specific).sum() / chosen.topics <= 10
    assert judged[exhaustive & specific].groupby("topic").size().gt(1).sum() >= 20
    near = {
        "highly exhaustive, % of relevant elements": exhaustive,
        "highly specific, % of relevant elements": specific,
        "highly exhaustive and specific, % of relevant elements": exhaustive & specific,
    }
    for name, those in near.items():
        assert 100 * those.mean() == pytest.approx(published[name], abs=2)
    a_document = len(judged) / (chosen.topics * chosen.relevant_articles)
    assert a_document == pytest.approx(published["relevant elements per relevant document"], rel=0.1)
    too_small = 100 * (judged["exhaustivity_2005"] == "?").mean()
    assert 5 < too_small < published["too small, % of relevant elements"]


def test_passages_for_inex_2006_are_near_published_figures():
    """Numbers are those of INEX 2009; in Kamps & Koolen (2007), half of the passages fit an element."""
    written = yaml.safe_load((CAMPAIGNS / "concept-space-2006.yaml").read_text(encoding="utf-8"))
    chosen = settings(**written["concept_space"])
    published = {name: value for name, (value, _) in sources("highlights").items()}
    names = {name: place for place, name in enumerate(article_names(chosen.articles))}
    depths, rows = [], []
    for number in blocks(chosen):
        block = make_block(chosen, number)
        first, text = block.trees.first, block.text
        depths.append(block.trees.depth + 1)
        for row in highlight(chosen, block).itertuples():
            place = names[row.document] - block.articles.start
            starts, ends = (each[first[place] : first[place + 1]] for each in (text.start, text.end))
            for start, end in row.passages:
                shortest = (ends - starts)[(starts <= start) & (ends >= end)].min()
                rows.append((row.topic, row.document, row.size, end - start, shortest, start in starts))
    passages_drawn = pd.DataFrame(rows, columns=["topic", "document", "size", "length", "shortest", "begins"])
    documents = passages_drawn.groupby(["topic", "document"])
    passages, shares = documents.size(), documents["length"].sum() / documents["size"].first()
    of_elements = np.concatenate(depths)
    size = len(of_elements) / chosen.articles
    assert size == pytest.approx(published["elements per document"], rel=0.05)
    assert of_elements.mean() == pytest.approx(published["mean depth of an element"], abs=0.1)
    assert passages.mean() == pytest.approx(published["passages per relevant document"], rel=0.25)
    assert 0.5 < (passages == 1).mean() < 0.8
    # the median is some sentences, the mean a paragraph
    assert 300 < passages_drawn["length"].median() < published["median length of a passage"]
    assert 800 < passages_drawn["length"].mean() < published["mean length of a passage"]
    highlighted = published["median of highlighted text, % of a relevant document"]
    assert 100 * shares.median() == pytest.approx(highlighted, abs=8)
    assert (passages_drawn["length"] >= 0.95 * passages_drawn["shortest"]).mean() == pytest.approx(
        0.5, abs=0.06
    )
    assert passages_drawn["shortest"].sum() / passages_drawn["length"].sum() == pytest.approx(2, abs=0.4)
    assert passages_drawn["begins"].mean() > 0.9


def test_the_systems_spread(tmp_path):
    """Overlap, whole documents and lengths, in lists as long as INEX 2002's, cover the whole range."""
    write_campaign(settings("tiny"), tmp_path)
    build_collection(tmp_path / "collection.zip", tmp_path / "elements")
    words, characters = (load_collection(tmp_path / "elements", unit) for unit in ("words", "characters"))
    terms = terms_of_texts([number_texts(document_texts(tmp_path / "collection.zip"))], words)
    index = index_terms(terms, words)
    runs = retrieve_all(index, words, read_topics(tmp_path / "topics.xml"), SYSTEMS[:56], size=100)
    table = result_statistics(as_results(runs, characters), characters)
    overlapping = table["overlapping"]
    assert (overlapping == 0).mean() < 0.3
    assert np.histogram(overlapping[overlapping > 0], [0, 0.2, 0.4, 0.6, 1])[0].min() >= 3
    low, high = table["documents"].quantile([0.25, 0.75])
    assert low < 0.01 < 0.1 < high
    assert (table["documents"] == 1).sum() >= 3
    assert table["length"].max() / table["length"].min() > 50
    assert np.histogram(np.log10(table["length"]), 5)[0].min() >= 3
