"""Retrieval for structured titles against its definition, written out for random documents."""

import numpy as np
import pandas as pd
import pytest

from focuseval.campaign.tasks import CAS_TASKS, INEX2005
from focuseval_papers.retrieval.search import (
    READINGS,
    WEIGHTS,
    parse_castitle,
    retrieve_structured,
    structured_systems,
)
from focuseval_papers.retrieval.systems import SYSTEMS, System, systems_for
from focuseval_papers.workflow.runsets import interpretation, structured
from tests.papers.retrieval.test_search import build_index, literal_terms, random_documents, retrieve, term
from tests.papers.synthetic.parsed import collection_of

TITLES = (
    "//article[about(.//sec, lion)]//p[about(., bear running)]",
    "//article[about(., tiger lions) and about(.//it, bear)]//(sec|it)[about(., x1)]",
    "//*[about(., bear tiger)]",
    "//article[about(.//p, nowhere)]//sec[about(., lion bear)]",
)
ALIKE = (("sec", "ss1"), ("p", "it"))


def tag(collection, row):
    return str(collection.tags[collection.tag[row]])


def literal_support(collection, terms, title, reading, document):
    """Return the share of the words that an article has in the requested elements."""
    rows = range(int(collection.first[document]), int(collection.first[document + 1]))
    every = " ".join([*(clause.words for clause in title.support), title.words])
    held = [
        any((not clause.tags or tag(collection, r) in clause.tags) and term(word) in terms[r] for r in rows)
        for clause in title.support
        for word in (every if reading.any_word else clause.words).split()
    ]
    return sum(held) / len(held) if held else 1.0


def literal_match(title, reading, tag):
    expected = set(title.targets)
    if reading.alike:
        for group in ALIKE:
            if any(target in group for target in title.targets):
                expected.update(group)
    return not expected or tag in expected


@pytest.fixture(scope="module")
def documents():
    rng = np.random.default_rng(1)
    return collection_of({f"{n}{name}": xml for n in "ab" for name, xml in random_documents(rng).items()})


@pytest.fixture(scope="module")
def terms(documents):
    collection, pairs = documents
    return [literal_terms(collection, dict(pairs), row) for row in range(len(collection))]


@pytest.mark.parametrize("task", [*CAS_TASKS, "COS.Thorough"])
def test_rankings_are_those_of_the_definition(task, documents, terms):
    collection, pairs = documents
    index = build_index(pairs, collection, sections=["sec"], paragraphs=["p"])
    castitles = [parse_castitle(title, "test") for title in TITLES]
    words = [" ".join([*(clause.words for clause in one.support), one.words]) for one in castitles]
    queries = pd.DataFrame({"topic": list("abcd"), "title": words})
    systems = [System(str(number), "lucene", {"k1": 1.2, "b": 0.75}) for number in range(20)]
    rankings = retrieve_structured(index, collection, queries, castitles, task, systems, alike=ALIKE)
    plain = retrieve(index, collection, queries, systems[0], size=10_000)
    strict_target, strict_support = interpretation(task)
    compared = 0
    for number, system in enumerate(systems):
        reading, (a, b) = READINGS[number % 4], WEIGHTS[number % 5]
        for topic, title in zip("abcd", castitles, strict=True):
            part = plain[plain["topic"] == topic]
            low, high = part["score"].min(), part["score"].max()
            support = {
                document: literal_support(collection, terms, title, reading, document)
                for document in set(part["document"])
            }
            expected = {}
            for row, document, score in part[["node", "document", "score"]].itertuples(index=False):
                match = literal_match(title, reading, tag(collection, row))
                if (match or not strict_target) and (support[document] > 0 or not strict_support):
                    expected[row] = (score - low) / (high - low) + a * match + b * support[document]
            of = rankings[(rankings["run"] == system.name) & (rankings["topic"] == topic)]
            scores = dict(zip(of["node"], of["score"], strict=True))
            assert scores == pytest.approx(expected, abs=1e-6)  # from scores in single precision
            assert of["node"].tolist() == sorted(scores, key=lambda row: (-scores[row], row))
            compared += len(expected)
    assert compared > 100


def test_systems_of_the_cos_tasks_are_those_of_the_co_tasks():
    for task in ("Focussed", "Thorough", "FetchBrowse"):
        kind = {"Focussed": "focused", "Thorough": "thorough", "FetchBrowse": "fetch-and-browse"}[task]
        assert structured_systems(f"COS.{task}", SYSTEMS, 7) == systems_for(kind, SYSTEMS)[:7]


@pytest.mark.parametrize("task", CAS_TASKS)
def test_no_two_systems_of_a_cas_task_score_alike(task):
    chosen = structured_systems(task, SYSTEMS, 24)
    scored = {(one.weighting, *sorted(one.parameters.items()), one.prior) for one in chosen}
    assert len(scored) == len(chosen) == 24
    assert {one.overlap for one in chosen} == {"keep"} and not any(one.grouped for one in chosen)
    assert ({one.elements for one in chosen} == {"all"}) == (task[0] == "S")
    assert structured_systems(task, SYSTEMS, 3) == chosen[:3]


def test_interpretations():
    assert [interpretation(task) for task in CAS_TASKS] == [
        *((True, True), (True, False), (False, True), (False, False))
    ]
    assert [task for task in INEX2005 if not structured(task)] == [
        "CO.Focussed",
        "CO.Thorough",
        "CO.FetchBrowse",
    ]
    assert interpretation("COS.Focussed") == interpretation("CO.Thorough") == (False, False)
