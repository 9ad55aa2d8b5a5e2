"""inex2003 against a literal second implementation with sets of characters, and its reductions."""

from dataclasses import replace
from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuseval.measures import MEASURES, inex2003, parse_specs
from focuseval.measures.curves import RECALL_LEVELS
from focuseval.measures.inex2003 import STANDARD_ERROR, precision_at, retrievable
from focuseval.model.judgements import Topic
from focuseval.model.results import Results
from focuseval.scoring.score import score
from focuseval_papers.goevert2006.examples import BEST, CONCEPTS, TOPIC, figure4_tree
from tests.passages import agrees, value
from tests.trees import (
    element_list,
    random_cases,
    random_collection,
    random_list,
    random_topic,
    tree_of,
)

CHARACTERS_UNRESOLVED = 18


def literal_rel(node, worth):
    """Eq. 14-17 with the element's own text as one more leaf child."""
    mine = worth.get(node.row, 0.0)
    size = len(node.text)
    if size == 0:
        return 0.0
    if not node.children:
        return mine
    own = mine * len(node.own) / size
    return own + sum(max(literal_rel(c, worth), mine * len(c.text) / size) for c in node.children)


def literal(topic, nodes, results, variant, quantisation):
    """Compute Eq. 12, 13, 18 and 19 with sets, Salton's interpolation including the tail, and recall at each rank."""

    def f(value):
        return (1.0 if value == 3 else 0.0) if quantisation == "strict" else value / 3

    exh = {int(r): f(v) for r, v in zip(topic.element, topic.exhaustivity, strict=True)}
    spec = {int(r): f(v) for r, v in zip(topic.element, topic.specificity, strict=True)}
    roots = [n for n in nodes if n.parent is None]
    if variant == "s":
        full = sum(exh.values())
        most = sum(spec[r] * len(nodes[r].text) for r in spec)
        everything = sum(len(n.text) for n in nodes)
    else:
        full = sum(literal_rel(r, exh) for r in roots)
        most = sum(literal_rel(r, {k: v * len(nodes[k].text) for k, v in spec.items()}) for r in roots)
        everything = sum(len(r.text) for r in roots)
    if full == 0:
        return None
    seen = frozenset()
    returned = set()
    recall = a = b = distinct = 0.0
    points = []
    for k, row in enumerate(results.element):
        if row < 0:
            b += CHARACTERS_UNRESOLVED
        else:
            text = nodes[row].text
            new = len(text) if variant == "s" else len(text - seen)
            if row not in returned and (variant == "s" or len(text)):
                recall += exh.get(int(row), 0.0) * (1 if variant == "s" else new / len(text))
                a += spec.get(int(row), 0.0) * new
            b += new
            distinct += new if row not in returned else 0
            seen |= text
            returned.add(row)
        if k + 1 == len(results) or results.rank[k + 1] != results.rank[k]:
            points.append((recall / full, a / b if b else 0.0))
    r_k = recall / full
    a_rest, b_rest = max(0.0, most - a), everything - distinct
    curve = []
    for x in RECALL_LEVELS:
        best = [p for r, p in points if r >= x - 1e-9]
        if topic.collection.complete:
            # The tail is monotone in phi, so a grid with both ends of the allowed range is exact.
            low = min(max((x - r_k) / (1 - r_k), 0.0), 1.0) if r_k < 1 else 0.0
            for phi in (low, (low + 1) / 2, 1.0):
                if b + phi * b_rest > 0:
                    best.append((a + phi * a_rest) / (b + phi * b_rest))
        curve.append(max(best, default=0.0))
    return curve, [r for r, _ in points]


@pytest.mark.parametrize("quantisation", ["strict", "generalised"])
@pytest.mark.parametrize("variant", ["s", "o"])
def test_agrees_with_a_literal_implementation(variant, quantisation):
    name = f"inex2003(variant={variant},quantisation={quantisation},ties=order)"
    recall = name.replace("inex2003", "inex2003.recall")
    compared = 0
    for rng, case in random_cases(7, 60, elements=9, scale="inex2003", complete=0.8):
        expected = literal(case.topic, case.nodes, case.results, variant, quantisation)
        if expected is None:
            agrees(case.topic, case.results, {name: None, recall: None})
            continue
        curve, recalls = expected
        up_to = {k: recalls[min(k, len(recalls)) - 1] if recalls else 0.0 for k in (1, 3, 100)}
        at = int(rng.integers(100))
        expected_values = {name: np.mean(curve), f"{name}@{RECALL_LEVELS[at]}": curve[at], recall: up_to[100]}
        agrees(
            case.topic,
            case.results,
            expected_values | {f"{recall}@{k}": number for k, number in up_to.items()},
        )
        compared += 1
    assert compared > 25


def orders_of(results):
    """Yield the list for each order of the results that share a rank."""
    groups = [np.flatnonzero(results.rank == rank) for rank in np.unique(results.rank)]
    orders = [np.concatenate(order) for order in product(*map(permutations, groups))] if groups else [[]]
    columns = ("document", "element", "start", "end")
    return [
        replace(results, **{name: getattr(results, name)[o] for name in columns}) for o in map(list, orders)
    ]


def tied_cases(seed, count):
    """Yield topics with relevant text, lists in which the order of ties matters, and all orders of these lists."""
    rng = np.random.default_rng(seed)
    while count:
        collection, _ = random_collection(rng, int(rng.integers(1, 3)), 7, bool(rng.random() < 0.8))
        topic, results = random_topic(rng, collection, share=0.9), random_list(rng, collection, 7)
        orders = orders_of(results)
        name = "inex2003(quantisation=generalised,ties=order)"
        first, reverse = (value(topic, orders[i], name) or 0.0 for i in (0, -1))
        if len(orders) <= 120 and abs(first - reverse) > 1e-9:
            count -= 1
            yield topic, results, orders


@pytest.mark.parametrize("quantisation", ["strict", "generalised"])
def test_a_tie_is_worth_the_mean_over_all_its_orders(quantisation):
    """Average precision, precision at a level, and recall at each rank, by literal enumeration."""
    settings = f"quantisation={quantisation}"
    for topic, results, orders in tied_cases(3, 15):
        for name in ("inex2003({})", "inex2003({})@0.3", "inex2003.recall({})", "inex2003.recall({})@2"):
            each = [value(topic, order, name.format(f"{settings},ties=order")) for order in orders]
            if None not in each:
                score = value(topic, results, name.format(settings))
                assert score == pytest.approx(np.mean(each), abs=1e-12)


def test_drawn_orders_differ_from_all_orders_by_their_standard_error(monkeypatch):
    [spec] = parse_specs("inex2003(quantisation=generalised)", MEASURES)
    cases = [(topic, results, orders[-1]) for topic, results, orders in tied_cases(5, 40)]
    exact = [spec.value(topic, results) for topic, results, _ in cases]
    monkeypatch.setattr(inex2003, "ALL_ORDERS", 0)
    errors = []
    for (topic, results, reverse), expected in zip(cases, exact, strict=True):
        ranks = spec.trace(spec.prepare(topic), results)
        mean, drawn = ranks.average
        assert drawn.standard_error < STANDARD_ERROR
        assert spec.value(topic, reverse) == pytest.approx(mean, abs=1e-12)
        curve = precision_at(ranks, RECALL_LEVELS)
        assert curve.mean() == pytest.approx(mean, abs=1e-12)
        if drawn.standard_error > 1e-9:
            errors.append((mean - expected) / drawn.standard_error)
        else:
            assert mean == pytest.approx(expected, abs=1e-9)
    assert len(errors) >= 10
    assert np.abs(errors).max() < 4
    assert abs(np.mean(errors)) < 3 / np.sqrt(len(errors))


def test_a_mean_over_random_orders_is_reported_with_its_standard_error(monkeypatch):
    monkeypatch.setattr(inex2003, "ALL_ORDERS", 1)
    collection = tree_of([-1, 0, 1, -1], [0, 0, 0, 0], [12, 6, 3, 20])
    grades = np.array([3.0, 3.0, 3.0]), np.array([1.0, 2.0, 3.0])
    topic = Topic("t", "inex2003", collection, np.arange(3), *grades, None)
    tied = element_list(collection, np.array([0, 1, 2]), np.array([1, 1, 1]))
    once, name = np.zeros(3, dtype=np.int64), pd.Index(["t"])
    columns = (tied.rank, tied.document, tied.element, tied.start, tied.end, np.full(3, np.nan))
    results = Results(pd.Index(["run"]), name, once, once, *columns)
    names = ("inex2003(quantisation=generalised)", "inex2003.recall(quantisation=generalised)")
    specs = [spec for one in names for spec in parse_specs(one, MEASURES)]
    scores = score([topic], results, specs)
    [drawn] = scores.notices
    assert (drawn.kind, drawn.run, drawn.measure, drawn.count) == ("drawn", "run", specs[0].asked, 1)
    assert 0 < float(drawn.text) < STANDARD_ERROR and drawn.among % 64 == 0
    assert scores.notes() == [
        f"{specs[0].asked}: the score is the mean over random orders of tied results in 1 list (a list has up to "
        f"{drawn.among:,} orders; the standard error of average precision is at most {float(drawn.text):.5f})"
    ]


def test_tied_results_without_shared_text_are_in_the_order_of_the_file():
    """Scores equal those of lists without ties, to the last bit; ``s`` ignores shared text."""
    rng = np.random.default_rng(6)
    for variant in "so":
        for _ in range(30):
            collection, _ = random_collection(rng, 3, 9)
            topic = random_topic(rng, collection)
            results = random_list(rng, collection, ties=variant == "s")
            apart = element_list(collection, collection.first[:-1], np.ones(3, dtype=int))
            for result_list in (results, apart):
                names = (f"inex2003(variant={variant}{ties})" for ties in ("", ",ties=order"))
                assert len({value(topic, result_list, name) for name in names}) == 1


def flat(sizes, relevant):
    """Return a topic on documents of one element, judged (3, 3) or unjudged."""
    collection = tree_of([-1] * len(sizes), [0] * len(sizes), sizes)
    rows = np.flatnonzero(relevant)
    three = np.full(len(rows), 3.0)
    return Topic("t", "inex2003", collection, rows, three, three, None)


@settings(max_examples=25)
@given(st.lists(st.booleans(), min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_equal_sizes_without_overlap_are_classical(relevant, random):
    """The paper claims: with equal sizes, no overlap and binary relevance, the measure is recall and precision."""
    if not any(relevant):
        relevant = [True, *relevant[1:]]
    topic = flat([10] * len(relevant), relevant)
    order = list(range(len(relevant)))
    random.shuffle(order)
    results = element_list(topic.collection, np.array(order))
    hits = np.cumsum([relevant[i] for i in order])
    recall, precision = hits / sum(relevant), hits / np.arange(1, len(order) + 1)
    # Salton's interpolation of the classical points; there is no tail, since everything was retrieved.
    expected = np.mean([precision[recall >= x - 1e-9].max() for x in RECALL_LEVELS])
    for variant in "so":
        for quantisation in ("strict", "generalised"):
            name = f"inex2003(variant={variant},quantisation={quantisation})"
            assert value(topic, results, name) == pytest.approx(expected, abs=1e-12)


def test_the_rest_of_the_collection_is_the_text_that_was_not_read():
    """An article of three paragraphs of 10, the first two relevant: 60 in all elements (``s``), 30 in text (``o``).

    The first three times: 15 of 30 + 25 at recall .75, 20 of 30 + 50 at 1, and half of that reached. An unresolvable
    result of 18 before it, under ``o``: 10 of 28, then 20 of 28 + 20.
    """
    collection = tree_of([-1, 0, 0, 0], [0, 0, 10, 20], [30, 10, 20, 30])
    three = np.full(2, 3.0)
    topic = Topic("t", "inex2003", collection, np.array([1, 2]), three, three, None)
    thrice = element_list(collection, np.array([1, 1, 1]))
    unknown = element_list(collection, np.array([-1, 1]))
    agrees(
        topic, thrice, {f"inex2003(variant=s)@{x}": p for x, p in {0.5: 1, 0.75: 3 / 11, 1.0: 0.25}.items()}
    )
    agrees(topic, unknown, {"inex2003@0.5": 5 / 12, "inex2003@1.0": 5 / 12})


def test_the_ideal_run_scores_1():
    topic = flat([5, 50, 7, 1], [True, False, True, False])
    for variant in "so":
        assert (
            value(topic, element_list(topic.collection, np.array([2, 0])), f"inex2003(variant={variant})")
            == 1
        )


def test_seven_concepts_of_figure_4():
    """A topic of four concepts; the best components without overlap have 7 in total."""
    collection, concepts = figure4_tree(), np.array(CONCEPTS)
    assert retrievable(collection, np.arange(7), concepts / TOPIC) * TOPIC == pytest.approx(7)
    best = list(BEST)
    assert concepts[best].sum() == 7
    assert all(a == b or b not in range(a, collection.last[a]) for a in best for b in best)


def test_recall_above_1_by_the_papers_own_equations():
    """The case of docs/errata.md: article (100, exh 1), section (90, 1/3), paragraph (10, 1/3)."""
    from focuseval.measures.inex2003 import prepare, trace

    collection = tree_of([-1, 0, 1], [0, 0, 0], [100, 90, 10])
    exhaustivity = np.array([3.0, 1.0, 1.0])
    topic = Topic("t", "inex2003", collection, np.arange(3), exhaustivity, np.full(3, 3.0), None)
    base = prepare(topic, variant="o", quantisation="generalised")
    assert base is not None and base.recall == pytest.approx(1.0)
    ranks = trace(base, element_list(collection, np.array([2, 0])), variant="o", ties="expected")
    assert ranks.expected_recall.tolist() == pytest.approx([1 / 3, 1 / 3 + 0.9])
    assert value(topic, element_list(collection, np.array([2, 0])), "inex2003(quantisation=generalised)") <= 1
