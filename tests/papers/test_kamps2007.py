"""Kamps et al. (2007): printed and computed numbers agree."""

from itertools import chain, combinations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from focuseval.model.intervals import merge
from focuseval.model.judgements import Highlights, Topic
from focuseval.report.parts import Figure
from focuseval_papers.kamps2007.numbers import (
    ORDER,
    PAPER,
    TAU,
    highest_scores,
    printed_orders,
    sets_of_runs,
    sets_table,
)
from focuseval_papers.publication.paper import Context
from tests.papers import materials
from tests.trees import random_collection

MAGP, MAP = "MAgP", "MAP"
SIGNIFICANT = {measure: f"significant pairs under {measure}" for measure in (MAGP, MAP)}
PRINTED = materials.printed("kamps2007")["kamps2007"]
CONTEXT = Context(
    materials.campaign(scale="highlights", task="relevant-in-context"),
    PAPER.settings.model_validate({"top": 12}),
)


@pytest.fixture(scope="module")
def scores():
    """Return scores (topics, runs): AgP is always below AP, and the worst run in context is good at articles."""
    rng = np.random.default_rng(13)
    level = np.linspace(0.6, 0.2, 12)
    ap = np.clip(level + rng.normal(0, 0.08, (40, 12)), 0.05, 1)
    share = np.linspace(0.7, 0.4, 12)
    ap[:, 11] += 0.35
    table = {MAP: ap, MAGP: ap * share * rng.uniform(0.9, 1, (40, 12))}
    table[MAGP][:, 11] *= 0.2
    runs, topics = [f"run{n}" for n in range(12)], [str(n) for n in range(40)]
    return {name: pd.DataFrame(values, columns=runs, index=topics) for name, values in table.items()}


@pytest.fixture(scope="module")
def analysis(scores, tmp_path_factory):
    """Analyse the scores in the form that scoring jobs write."""
    folder = tmp_path_factory.mktemp("kamps2007") / CONTEXT.campaign.name
    rows = (
        (run, topic, measure, float(table.at[topic, run]))
        for measure, table in scores.items()
        for run in table.columns
        for topic in table.index
    )
    (request,) = PAPER.requests(CONTEXT).values()
    materials.leave_scores(materials.scores(rows, request.runs.name), folder)
    collection = materials.collection_on_disk(
        {"d": "<article><p>Call me</p><p>Ishmael.</p></article>"}, folder
    )
    # half of the first paragraph: F = 2 * 3 / (7 + 3)
    marks = Highlights(np.array([0]), np.array([0]), np.array([3]))
    nothing = np.empty(0)
    topics = [
        Topic(name, "highlights", collection, nothing.astype(int), nothing, nothing, marks)
        for name in scores[MAP].index
    ]
    materials.leave(topics, {}, collection, folder)
    return PAPER.analyse(materials.correlated_material(PAPER, CONTEXT, folder.parent))


def test_analysis_and_verdicts_are_as_they_were(analysis, tmp_path):
    materials.check_publication(PAPER, analysis, CONTEXT, tmp_path)


def test_the_printed_order_has_the_printed_tau():
    """Kendall's tau of the order of Table 2's rows is the number in the text, to its digits."""
    order = printed_orders(PRINTED.set_index("quantity")["value"][ORDER])
    ranks = order.set_index("MAgP_rank")["MAP_rank"]
    assert sorted(ranks.index) == sorted(ranks) == list(range(1, 21))
    assert f"{stats.kendalltau(*order.to_numpy().T).statistic:.3f}" == "0.674"
    assert (ranks[5], ranks[20]) == (1, 6)  # the upsets that the text names


def test_the_highest_score_of_elements():
    """The expected maximum is over all sets of disjoint elements of each article."""
    rng = np.random.default_rng(19)
    for _ in range(8):
        collection, nodes = random_collection(rng, documents=3, elements=7)
        begin = (rng.random(6) * collection.size[collection.first[[0, 0, 1, 1, 2, 2]]]).astype(int)
        marks = merge(np.array([0, 0, 1, 1, 2, 2]), begin, begin + rng.integers(0, 4, 6))
        document, start, end = marks
        end = np.minimum(end, collection.size[collection.first[document]])
        solid = end > start
        document, start, end = document[solid], start[solid], end[solid]
        nothing = np.empty(0)
        topic = Topic(
            *("t", "highlights", collection, nothing.astype(int), nothing, nothing),
            Highlights(document, start, end),
        )
        scores = []
        chars = {(d, c) for d, a, b in zip(document, start, end, strict=True) for c in range(a, b)}
        for article in np.unique(document):
            texts = [set(node.text) for node in nodes if node.document == article]
            every = chain.from_iterable(combinations(texts, n) for n in range(1, len(texts) + 1))
            disjoint = [set.union(*some) for some in every if sum(map(len, some)) == len(set.union(*some))]
            marked = {char for char in chars if char[0] == article}
            scores.append(max(2 * len(marked & ret) / (len(ret) + len(marked)) for ret in disjoint))
        if scores:
            precision = np.cumsum(sorted(scores, reverse=True)) / np.arange(1, len(scores) + 1)
            assert highest_scores([topic])["AgP"].item() == pytest.approx(precision.mean(), abs=1e-9)


def test_sets_of_runs_are_counted_as_the_best_are(scores, analysis):
    best, *drawn = analysis["sets"].to_dict("records")
    counts = analysis["summary"].set_index("quantity")["here"]
    assert {name: best[f"significant_{name}"] for name in (MAGP, MAP)} == pytest.approx(
        {name: counts[SIGNIFICANT[name]] for name in (MAGP, MAP)}
    )
    assert best["tau"] == pytest.approx(counts[TAU]) and len(drawn) == 200
    # all sets of six of the twelve runs
    names = list(analysis["orders"]["run"][:6])
    settings = PAPER.settings.model_validate({"top": 6, "sets": 30})
    sets = sets_of_runs(scores, names, settings)
    assert sets["tau"].nunique() > 2 and sets["significant_MAP"].between(0, 15).all()
    mean = scores[MAGP][names].mean()
    assert sets["spread_MAgP"][0] == pytest.approx(mean.max() - mean.min())
    table = sets_table(sets)
    more = (sets["significant_MAgP"] > sets["significant_MAP"])[1:].mean()
    assert table["more_under_MAgP_%"][1] == pytest.approx(100 * more)


def test_captions_have_the_printed_counts(analysis):
    matrices = [item for item in PAPER.items(CONTEXT) if isinstance(item, Figure) and "matrix" in item.name]
    for item, name in zip(matrices, SIGNIFICANT.values(), strict=True):
        count = PRINTED.set_index("quantity").loc[name, "value"]
        assert f"In the paper, {count} of the 190 pairs" in item.caption
    counts = analysis["table1_counts"].set_index("test")["printed"]
    assert counts["bootstrap"] == 112 and counts.drop("bootstrap").isna().all()
