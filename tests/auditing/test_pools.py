"""Runs scored without their own contributions to the pool."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from focuseval.auditing.campaign import (
    brought_alone,
    pool_effect,
    unjudged,
    without_own_pool,
)
from focuseval.measures import MEASURES, parse_specs
from focuseval.model.results import as_results
from focuseval.scoring.score import score
from tests.trees import random_collection, random_topic

NAMES = ("MAep", "nxCG@3", "EPRUM")
SPECS = [spec for name in NAMES for spec in parse_specs(name, MEASURES)]


def campaign(seed, runs="abc"):
    rng = np.random.default_rng(seed)
    collection, _ = random_collection(rng, documents=12, elements=8)
    topics = [replace(random_topic(rng, collection, "inex2005"), name=f"t{i}") for i in range(3)]
    rows = []
    for run in runs:
        for topic in topics:
            row = rng.permutation(len(collection))[:5]
            columns = {"run": run, "topic": topic.name, "rank": range(1, 6), "node": row, "score": np.nan}
            rows.append(pd.DataFrame({**columns, "document": collection.document_of(row)}))
    return collection, topics, as_results(pd.concat(rows, ignore_index=True), collection)


def alone_literally(topics, results, depth):
    contributed = {}
    for ranking in results.lists():
        contributed[ranking.run, ranking.topic] = set(ranking.document[:depth].tolist())
    relevant = {
        t.name: {
            int(t.collection.document_of(row))
            for row, e, specificity in zip(t.element, t.exhaustivity, t.specificity, strict=True)
            if e != 0 and specificity > 0
        }
        for t in topics
    }
    alone = {}
    for (run, topic), mine in contributed.items():
        contributed_by_other_runs = set().union(
            *(of for (r, t), of in contributed.items() if t == topic and r != run)
        )
        if only := (mine - contributed_by_other_runs) & relevant[topic]:
            alone[run, topic] = only
    return alone


@pytest.mark.parametrize("seed", range(3))
def test_runs_are_scored_without_their_own_contributions(seed):
    _, topics, results = campaign(seed)
    contributions_of_runs = without_own_pool(topics, results, SPECS, [2, 5]).set_index(
        ["depth", "measure", "run"]
    )
    for depth in (2, 5):
        alone = alone_literally(topics, results, depth)
        contributions = brought_alone(topics, results, depth)
        assert {(r, t): set(d.tolist()) for r, of in contributions.items() for t, d in of.items()} == alone
        for run in "abc":
            fewer = [unjudged(t, np.array(sorted(alone.get((run, t.name), ())), dtype=int)) for t in topics]
            whole, less = (score(of, results, SPECS).per_topic for of in (topics, fewer))
            for spec in SPECS:
                row = contributions_of_runs.loc[(depth, spec.name, run)]
                mean, without = (
                    of[(of["run"] == run) & (of["name"] == spec.name)]["value"].mean() for of in (whole, less)
                )
                assert row["mean"] == pytest.approx(mean)
                assert row["without"] == pytest.approx(without, nan_ok=True)
                assert row["documents"] == sum(len(d) for (r, _), d in alone.items() if r == run)
    effect = pool_effect(contributions_of_runs.reset_index())
    assert set(effect["measure"]) == {spec.name for spec in SPECS} and (effect["largest_fall"] >= 0).all()


def test_unjudging_documents_removes_their_relevant_elements():
    _, topics, _ = campaign(9)
    topic = topics[0]
    documents = topic.relevant_documents
    assert len(documents) > 1
    for gone in (documents[:1], documents):
        left = unjudged(topic, gone).relevant_documents
        assert left.tolist() == [d for d in documents.tolist() if d not in gone]
    assert unjudged(topic, documents[:0]).element.tolist() == topic.element.tolist()


def test_the_effect_of_the_pool_is_that_of_the_run_that_falls_most():
    columns = {"depth": 1, "measure": "m", "run": list("abc"), "documents": 1}
    effect = pool_effect(pd.DataFrame({**columns, "mean": [0.9, 0.5, 0.4], "without": [0.3, 0.5, 0.4]}))
    assert effect.iloc[0, 2:].tolist() == [pytest.approx(-0.2), pytest.approx(0.6), "a", 2]
    columns_of = {**columns, "mean": [0.1, 0.5, 0.6], "without": [0.7, 0.5, 0.6]}
    lower = pool_effect(pd.DataFrame(columns_of), ["m"])  # if lower is better, a higher mean is a lower place
    assert lower.iloc[0, 2:].tolist() == [pytest.approx(0.2), pytest.approx(0.6), "a", 2]
    still = pool_effect(pd.DataFrame({**columns, "mean": [0.9, 0.5, 0.4], "without": [0.9, 0.5, 0.4]}))
    assert still.iloc[0, 2:].tolist() == [0, 0, "", 0]
