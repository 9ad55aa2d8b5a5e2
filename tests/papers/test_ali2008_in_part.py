"""Partly perturbed runs, and SRP under many settings at once, against the measure itself, list by list."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from focuseval.measures import MEASURES, parse_specs
from focuseval.measures.quantisation import quantised
from focuseval.measures.structural import browsing
from focuseval.measures.structural_summary import summarise
from focuseval.scoring.score import score
from focuseval.transformations.perturbations import ORIGINAL, PERTURBATIONS, perturb
from focuseval_papers.ali2008 import in_part
from focuseval_papers.ali2008.in_part import perturbed, perturbed_in_part, units_of
from focuseval_papers.ali2008.settings_of_srp import (
    PRECISION,
    graded_precision,
    masrp_by_setting,
    pi_by_setting,
    relevance_of,
    relevant_topics,
)
from focuseval_papers.simulation.perturbations import article_ranks
from tests.papers.materials import results_of
from tests.trees import random_collection, random_topic

CUTOFFS = [1, 3, 7]


def campaign(seed):
    rng = np.random.default_rng(seed)
    collection, _ = random_collection(rng, documents=4, elements=12)
    return collection, [replace(random_topic(rng, collection, "inex2005"), name=name) for name in "12"], rng


def literal(results, topics, version, seed, clusters):
    """Return SRP of every list; each list is perturbed and scored separately."""
    changed_results = article_ranks(results) if clusters else results
    if version != ORIGINAL:
        changed_results = perturb(
            changed_results, topics, version, relevant=lambda t: quantised(t, "gen") > 0, share=0.5, seed=seed
        )
    trees = "articles" if clusters else "off"
    specs = [
        spec for k in CUTOFFS for spec in parse_specs(f"SRP(trees={trees},divisor=length)@{k}", MEASURES)
    ]
    values_found = score(topics, changed_results, specs, lenient=True).per_topic
    wide = values_found.pivot(index=["run", "topic"], columns="cutoff", values="value")
    return {
        (str(run), str(topic)): list(values)
        for (run, topic), values in zip(wide.index, wide.to_numpy(), strict=True)
    }


def check(results, topics, units, clusters):
    """Compare all versions of the first draw with the literal ones; return the number of changed lists."""
    seed, changed, seen = 5, 0, set()
    original = literal(results, topics, ORIGINAL, seed, clusters)
    for version, draw, values_of_lists in perturbed(units, CUTOFFS, share=0.5, draws=2, seed=seed):
        seen.add((version, draw))
        if draw > 1:
            continue
        expected = literal(results, topics, version, seed, clusters)
        for (run, topic), values in zip(
            units.lists[["run", "topic"]].to_numpy(), values_of_lists, strict=True
        ):
            assert list(values) == pytest.approx(expected[run, topic], abs=1e-12), (version, run)
            changed += expected[run, topic] != original[run, topic]
    assert seen == {(ORIGINAL, 0), *((version, draw) for version in PERTURBATIONS for draw in (1, 2))}
    return changed


def any_order(collection, rng):
    """Return a list with repeated results and results that are no element."""
    return list(rng.integers(-1, len(collection), rng.integers(1, 40)))


def disjoint(collection, rng):
    """Return a list for Relevant in Context: articles in any order, with disjoint elements."""
    rows = []
    for document in rng.permutation(len(collection.names)):
        kept = []
        for row in rng.permutation(np.arange(collection.first[document], collection.first[document + 1])):
            if not any(row in (a, *collection.ancestors(a)) or a in collection.ancestors(row) for a in kept):
                kept.append(int(row))
        rows += kept[: rng.integers(1, 4)]
    return rows


@pytest.mark.parametrize(
    ("first", "draw_list", "clusters", "least"), [(0, any_order, False, 30), (20, disjoint, True, 12)]
)
def test_lists_perturbed_in_part_score_as_each_would_by_itself(first, draw_list, clusters, least):
    changed = 0
    for seed in range(first, first + 4):
        collection, topics, rng = campaign(seed)
        results = results_of({(r, t): draw_list(collection, rng) for r in "abc" for t in "12"}, collection)
        how = browsing(
            collection, summary="incoming", edges="by-summary", weight="extent", transitions="", pairs=""
        )
        unseen = rng.random(len(collection)) if clusters else how.unseen[how.group]
        units = units_of(results, topics, unseen, "gen", clusters=clusters)
        changed += check(results, topics, units, clusters)
    assert changed > least


def test_lists_perturbed_some_at_a_time_score_as_all_at_once(monkeypatch):
    collection, topics, rng = campaign(7)
    results = results_of({(r, t): any_order(collection, rng) for r in "abc" for t in "12"}, collection)
    units = units_of(results, topics, rng.random(len(collection)), "gen", clusters=False)
    assert units is not None

    def values_at_cutoffs():
        values_by_version = perturbed_in_part(units, CUTOFFS, share=0.5, draws=3, seed=1)
        return {k: values.ravel().tolist() for k, values in values_by_version}

    at_once = values_at_cutoffs()
    monkeypatch.setattr(in_part, "AT_ONCE", 4)
    assert values_at_cutoffs() == at_once and len(set(at_once[CUTOFFS[-1]])) > 20


def test_clusters_that_break_the_rules_are_not_perturbed_in_part():
    collection, topics, rng = campaign(3)
    unseen = np.ones(len(collection))
    first, second = (int(row) for row in collection.first[:2])
    child = first + 1
    assert collection.parent[child] == first
    again = results_of({("a", "1"): [child, second, first]}, collection)
    nested = results_of({("a", "1"): [first, child]}, collection)
    for results in (again, nested):
        assert units_of(results, topics, unseen, "gen", clusters=True) is None
        assert units_of(results, topics, unseen, "gen", clusters=False) is not None


def test_every_setting_of_srp_at_once():
    for seed in range(2):
        collection, topics, rng = campaign(seed + 40)
        results = results_of({(r, t): any_order(collection, rng) for r in "abc" for t in "12"}, collection)
        summaries = {name: summarise(collection, name) for name in ("incoming", "children")}
        pi = pi_by_setting(summaries)
        assert len(pi) == 8
        values = masrp_by_setting(results, topics, summaries, pi, "gen", CUTOFFS)
        values = values.set_index(["summary", "edges", "weight", "cutoff", "run"])["value"]
        for summary, edges, weight in pi:
            parameters = f"summary={summary},edges={edges},weight={weight},divisor=length"
            specs = [spec for k in CUTOFFS for spec in parse_specs(f"MASRP({parameters})@{k}", MEASURES)]
            means = score(topics, results, specs, lenient=True).means()
            for row in means.itertuples():
                value = values[summary, edges, weight, int(row.cutoff), row.run]
                assert value == pytest.approx(row.value, abs=1e-12)
        precision = graded_precision(results, topics, "gen", CUTOFFS)
        for row in precision.itertuples():
            assert values[PRECISION, "", "", row.cutoff, row.run] == pytest.approx(row.value, abs=1e-12)
        relevance = relevance_of(results, topics, "gen")
        # SRP without redundancy is graded precision, in which repeated elements count 0
        total = 0.0
        for topic in (0, 1):
            mine = (results.run == 0) & (results.topic == topic)
            new = ~pd.Index(results.element[mine]).duplicated() & (results.element[mine] >= 0)
            reached = np.cumsum(np.where(new, relevance[mine], 0.0))
            total += np.mean([reached[j - 1] / j for j in np.minimum(np.arange(1, 8), len(reached))])
        expected = total / relevant_topics(topics, "gen")
        assert values[PRECISION, "", "", 7, "a"] == pytest.approx(expected, abs=1e-12)
