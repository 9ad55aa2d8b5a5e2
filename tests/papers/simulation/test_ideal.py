"""Ideal rankings of XCG: every measure gives them its highest value, and no other ranking scores more."""

from dataclasses import replace

import numpy as np
import pytest

from focuseval.measures import MEASURES, parse_specs
from focuseval.measures.recall_base import full, ideal
from focuseval.scoring.score import score
from focuseval_papers.simulation.simulations import ideal as ideal_rankings
from focuseval_papers.simulation.simulations import name_of
from tests.trees import random_collection, random_topic

QUANTISATIONS = ("gen", "strict", "genLifted")
#: the settings ``overlap`` and ``fetch_browse`` of the tasks of INEX 2005
KINDS = (("on", "off"), ("off", "off"), ("off", "article"), ("on", "element"), ("off", "element"))
SETTINGS = [
    {"quantisation": q, "overlap": overlap, "fetch_browse": browse}
    for q in QUANTISATIONS
    for overlap, browse in KINDS
]


@pytest.fixture(scope="module", params=range(3))
def topics(request):
    rng = np.random.default_rng(request.param)
    collection, _ = random_collection(rng, documents=5, elements=14)
    drawn_topics = [random_topic(rng, collection, "inex2005", share) for share in (0.8, 0.5, 0.2)]
    nothing = replace(drawn_topics[0], exhaustivity=0 * drawn_topics[0].exhaustivity)
    return [replace(topic, name=str(number)) for number, topic in enumerate([*drawn_topics, nothing])]


@pytest.fixture(scope="module")
def runs(topics):
    return ideal_rankings(topics, rankings=SETTINGS)


def test_there_is_a_run_for_each_setting_and_a_list_where_something_is_relevant(topics, runs):
    assert name_of(SETTINGS[0]) == "gen, on, off"
    relevant = {(name_of(s), t.name) for s in SETTINGS for t in topics if len(full(t, s["quantisation"])[0])}
    assert {(each.run, each.topic) for each in runs.lists()} == relevant
    assert {run for run, _ in relevant} == set(runs.runs)
    assert "3" not in {topic for _, topic in relevant}


@pytest.mark.parametrize("setting", SETTINGS, ids=name_of)
def test_the_ideal_run_scores_1_under_every_measure_of_its_setting(setting, topics, runs):
    inside = ",".join(f"{name}={value}" for name, value in setting.items())
    names = [f"{name}({inside})" for name in ("MAep", "iMAep", "Q", "R")]
    if setting["fetch_browse"] == "off":
        names += [f"{name}({inside})@{rank}" for name in ("nxCG", "MAnxCG") for rank in (1, 3, 10)]
    specs = [spec for name in names for spec in parse_specs(name, MEASURES)]
    table = score(topics, runs, specs).per_topic
    own = table[table["run"] == name_of(setting)]
    if own.empty:  # nothing is relevant under this quantisation
        assert setting["quantisation"] == "strict"
        return
    expected = {each.topic for each in runs.lists() if each.run == name_of(setting)}
    assert set(own["topic"]) == expected
    np.testing.assert_allclose(own["value"], 1, atol=1e-12)


def test_lists_are_sorted_by_score_and_document_order(runs):
    for each in runs.lists():
        part = (runs.run == list(runs.runs).index(each.run)) & (
            runs.topic == list(runs.topics).index(each.topic)
        )
        score, row = runs.score[part], each.element
        assert each.rank.tolist() == list(range(1, len(each) + 1))
        assert ((np.diff(score) < 0) | (np.diff(row) > 0)).all() and (score > 0).all()


def test_overlap_and_browsing_determine_the_ranked_elements(topics, runs):
    lists = {(each.run, each.topic): set(each.element.tolist()) for each in runs.lists()}
    collection = topics[0].collection
    for topic in topics[:3]:
        rows, values = full(topic, "gen")
        assert lists["gen, off, off", topic.name] == set(rows.tolist())
        chosen = ideal(collection, rows, values)
        assert lists["gen, on, off", topic.name] == set(rows[chosen].tolist())
        roots = set(collection.root(collection.document_of(rows)).tolist())
        assert lists["gen, off, article", topic.name] == roots
