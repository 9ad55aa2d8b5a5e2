"""EPRUM and its predecessors against a literal implementation that goes through every navigation outcome."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import pytrec_eval

from focuseval.measures import MEASURES, eprum, parse_specs
from focuseval.measures.eprum import satisfaction_levels
from focuseval.measures.quantisation import quantised
from focuseval.measures.recall_base import ideal as ideal_elements
from focuseval.model.judgements import Topic
from tests.passages import agrees, value
from tests.trees import element_list, random_cases, random_collection, random_topic, tree_of

MAXIMUM = {"gen": 2, "strict": 1, "genLifted": 3}


def inside(inner, outer):
    while inner is not None:
        if inner is outer:
            return True
        inner = inner.parent
    return False


def literal_navigation(model, ideals, theta=0.3, tolerance=3):
    """P(result ~> ideal element) written from the paper, for two nodes."""

    def standard(a, x):
        return float(a is x)

    def length_ratio(a, x):
        if a is x:
            return 1.0
        a_size, x_size = a.end - a.start, x.end - x.start
        if inside(a, x):
            return a_size / x_size if x_size else 0.0
        if inside(x, a):
            return x_size / a_size if a_size else 0.0
        return 0.0

    def distance(a, x):
        if a is x:
            return 1.0
        if a.document != x.document:
            return 0.0
        d = x.start - a.end if a.end < x.start else a.start - x.end if x.end < a.start else 0
        return 1 / (1 + math.exp(theta * d))

    def t2i(a, x):
        if a is x:
            return 1.0
        if a in ideals:
            return 0.0
        ahead = [y for y in ideals if y.document == a.document and y.end > a.start]
        first = min(ahead, key=lambda y: y.end, default=None)
        return float(first is x and x.start - a.start <= tolerance)

    return {
        "standard": standard,
        "length-ratio": length_ratio,
        "distance": distance,
        "tolerance-to-irrelevance": t2i,
    }[model]


def outcomes(ranks, ideals, go):
    """Return every outcome of all navigations: its probability and the elements seen up to each rank."""
    events = [
        (k, x.row, go(a, x)) for k, rank in enumerate(ranks) for a in rank for x in ideals if go(a, x) > 0
    ]
    unsure = [e for e in events if e[2] < 1]
    if len(unsure) > 9:
        return None
    outcomes_and_chances = []
    for choices in itertools.product([False, True], repeat=len(unsure)):
        seen = [set() for _ in ranks]
        probability = 1.0
        for (k, x, p), went in zip(unsure, choices, strict=True):
            probability *= p if went else 1 - p
            if went:
                seen[k].add(x)
        for k, x, p in events:
            if p == 1:
                seen[k].add(x)
        outcomes_and_chances.append((probability, [set().union(*seen[: k + 1]) for k in range(len(ranks))]))
    return outcomes_and_chances


def shortest(seen, expected, recall):
    """Return ML: the first rank at which ``recall`` ideal elements were seen."""
    return next((k for k, s in enumerate(seen, start=1) if len(s & expected) >= recall), None)


def ranks_of_nodes(nodes, results, ranks):
    grouped = []
    first_ranks = set()
    previous = None
    for row, rank, document in zip(results.element, results.rank, results.document, strict=True):
        key = {"results": object(), "sets": (int(rank), int(document)), "articles": int(document)}[ranks]
        if key != previous or not grouped:
            grouped.append([])
        previous = key
        if row >= 0 and row not in first_ranks:
            grouped[-1].append(nodes[row])
            first_ranks.add(int(row))
    return grouped


def literal(topic, nodes, results, navigation, quantisation, ranks):
    """Compute EPRUM and PRUM by enumeration: return a function of the cut-off for each, or None."""
    score = quantised(topic, quantisation) / MAXIMUM[quantisation]
    chosen = ideal_elements(topic.collection, topic.element, score, "paper")
    worth = {int(r): float(s) for r, s in zip(topic.element[chosen], score[chosen], strict=True)}
    ideals = [nodes[r] for r in sorted(worth)]
    if not ideals:
        return None
    go = literal_navigation(navigation, ideals)

    def place(x):
        going = [sum(go(x, y) for y in ideals), sum(go(y, x) for y in ideals)]
        return (-worth[x.row], x.start, x.end, *(round(one, 12) for one in going))

    places_by_document = {x.document: [place(y) for y in ideals if y.document == x.document] for x in ideals}
    for places in places_by_document.values():
        places.sort(key=lambda one: one[0])
    best = sorted(ideals, key=lambda x: (place(x), places_by_document[x.document]))
    run = outcomes(ranks_of_nodes(nodes, results, ranks), ideals, go)
    perfect = outcomes([[x] for x in best], ideals, go)
    if run is None or perfect is None:
        return None
    levels = sorted(set(worth.values()))
    steps = [(s, (s - below) / levels[-1]) for below, s in zip([0.0, *levels], levels, strict=False)]

    def ideal_length(expected, recall):
        if recall == 0:
            return 0.0
        if ranks != "results":
            held = sorted((sum(nodes[w].document == d for w in expected) for d in range(9)), reverse=True)
            return float(next(n for n in range(1, 10) if sum(held[:n]) >= recall))
        return math.fsum(p * shortest(seen, expected, recall) for p, seen in perfect)

    def at_recall(expected, recall):
        lengths = [(p, shortest(seen, expected, recall)) for p, seen in run]
        return ideal_length(expected, recall) * math.fsum(p / k for p, k in lengths if k)

    def at_rank(expected, rank):
        counts = [(p, len(seen[min(rank, len(seen)) - 1] & expected) if seen else 0) for p, seen in run]
        return math.fsum(p * ideal_length(expected, f) for p, f in counts) / rank

    def prum(expected, recall):
        new = consulted = reached = 0.0
        for p, seen in run:
            counts = [0] + [len(s & expected) for s in seen]
            for before, after in itertools.pairwise(counts):
                if before < recall:
                    consulted += p
                    new += p * (after > before)
            reached += p * (counts[-1] >= recall)
        return reached * new / consulted if consulted else 0.0

    def over_levels(number):
        return sum(weight * number({r for r in worth if worth[r] >= s}) for s, weight in steps)

    def mean_over_recall(one):
        return over_levels(lambda w: sum(one(w, r) for r in range(1, len(w) + 1)) / len(w))

    def at_level(one, level):
        return over_levels(lambda w: one(w, max(1, math.ceil(round(level * len(w), 9)))))

    return {
        "EPRUM": lambda: mean_over_recall(at_recall),
        "EPRUM@l": lambda level: at_level(at_recall, level),
        "EPRUM@k": lambda rank: over_levels(lambda w: at_rank(w, rank)),
        "PRUM": lambda: mean_over_recall(prum),
        "PRUM@l": lambda level: at_level(prum, level),
    }


@pytest.mark.parametrize("ranks", ["results", "sets", "articles"])
@pytest.mark.parametrize("navigation", ["standard", "length-ratio", "distance", "tolerance-to-irrelevance"])
def test_agrees_with_every_navigation_outcome(navigation, ranks):
    settings = f"navigation={navigation},theta=0.3,tolerance=3,ranks={ranks}"
    compared = 0
    for trial, (rng, case) in enumerate(random_cases(5, 24, elements=7, share=0.5, length=6)):
        quantisation = ["gen", "strict", "genLifted"][trial % 3]
        expected = literal(case.topic, case.nodes, case.results, navigation, quantisation, ranks)
        if expected is None:
            continue
        inside_name = f"({settings},quantisation={quantisation})"
        level, rank = float(rng.integers(1, 101)) / 100, int(rng.integers(1, 9))
        expected_values = {f"EPRUM{inside_name}@{rank}": expected["EPRUM@k"](rank)}
        for name in ("EPRUM", "PRUM"):
            expected_values[f"{name}{inside_name}"] = expected[name]()
            expected_values[f"{name}{inside_name}@{level:.2f}"] = expected[f"{name}@l"](level)
        agrees(case.topic, case.results, expected_values)
        compared += 1
    assert compared > 9


def under_other_names(collection, order):
    """Return the collection with its documents in another order, and the new row of each row."""
    rows = np.concatenate([np.arange(*collection.first[[d, d + 1]]) for d in order])
    row, above = np.argsort(rows), collection.parent[rows]
    columns = {name: getattr(collection, name)[rows] for name in ("depth", "tag", "position", "start", "end")}
    renumbered = replace(
        collection,
        first=np.append(0, np.cumsum(np.diff(collection.first)[order])),
        parent=np.where(above < 0, -1, row[above]),
        last=row[collection.last[rows] - 1] + 1,
        **columns,
    )
    return renumbered, row


@pytest.mark.parametrize("navigation", ["distance,theta=0.1", "length-ratio", "table"])
def test_names_of_documents_do_not_change_scores(navigation, tmp_path):
    """All leaves are equally ideal and share their starts; a random table assigns the names."""
    rng = np.random.default_rng(11)
    differing = 0
    for trial in range(24):
        collection, _ = random_collection(rng, 4, 5)
        leaves = np.flatnonzero(collection.last == np.arange(len(collection)) + 1)
        of = collection.document_of(leaves)
        links = [
            (a, b, float(rng.choice([0.3, 0.6])))
            for a, b in itertools.permutations(leaves.tolist(), 2)
            if of[leaves == a] == of[leaves == b] and rng.random() < 0.7
        ]
        chosen = rng.choice(len(collection), int(rng.integers(1, 6)), replace=False)
        scores = []
        for one, row in (
            (collection, np.arange(len(collection))),
            under_other_names(collection, rng.permutation(4)),
        ):
            lines = [
                f"d{one.document_of(row[[a]])[0]}\t{one.path(row[a])}\t{one.path(row[b])}\t{p}\n"
                for a, b, p in links
            ]
            file = tmp_path / f"{trial}-{len(scores)}.tsv"
            file.write_text("document\tfrom\tto\tprobability\n" + "".join(lines))
            rows = np.sort(row[leaves])
            ideal = Topic("t", "inex2005", one, rows, np.full(len(rows), 2.0), np.ones(len(rows)), None)
            names = (f"EPRUM(navigation={navigation},file={file}){at}" for at in ("", "@0.5", "@2"))
            scores.append([value(ideal, element_list(one, row[chosen]), name) for name in names])
        assert scores[1] == pytest.approx(scores[0], abs=1e-12)
        differing += scores[0][0] not in (0, 1)
    assert differing > 12


def classical_topic(relevant):
    """Return a topic on documents of one element each, some of them relevant."""
    collection, _ = random_collection(np.random.default_rng(1), len(relevant), 1)
    rows = np.flatnonzero(relevant)
    return Topic("t", "inex2005", collection, rows, np.full(len(rows), 2.0), np.ones(len(rows)), None)


@pytest.mark.parametrize("measure", ["EPRUM", "PRUM"])
def test_standard_navigation_with_binary_idealism_is_trec_evals_map(measure):
    rng = np.random.default_rng(2)
    for _ in range(24):
        relevant = list(rng.random(40) < rng.uniform(0.05, 0.9))
        if not any(relevant):
            continue
        topic = classical_topic(relevant)
        order = rng.permutation(40)[: int(rng.integers(1, 41))]
        qrels = {"t": {f"d{i}": int(r) for i, r in enumerate(relevant)}}
        run = {"t": {f"d{d}": float(-place) for place, d in enumerate(order)}}
        official = pytrec_eval.RelevanceEvaluator(qrels, {"map", "P"}).evaluate(run)["t"]
        results = element_list(topic.collection, order)
        for quantisation in ("strict", "gen"):
            name = f"{measure}(navigation=standard,quantisation={quantisation})"
            assert value(topic, results, name) == pytest.approx(official["map"], abs=1e-12)
            if measure == "EPRUM":
                assert value(topic, results, f"{name}@10") == pytest.approx(official["P_10"], abs=1e-12)


def ideal_order(topic):
    score = quantised(topic, "gen")
    chosen = ideal_elements(topic.collection, topic.element, score, "paper")
    rows, score = topic.element[chosen], score[chosen]
    return rows[np.argsort(-score, kind="stable")]


@pytest.mark.parametrize("navigation", ["standard", "length-ratio", "tolerance-to-irrelevance"])
def test_the_ideal_run_scores_one(navigation):
    compared = 0
    for _, case in random_cases(3, 24, elements=12):
        rows = ideal_order(case.topic)
        if len(rows) == 0:
            continue
        compared += 1
        name = f"EPRUM(navigation={navigation})"
        ones = {name + cutoff: 1.0 for cutoff in ("", "@0.01", "@0.37", "@1.0")}
        agrees(case.topic, element_list(case.collection, rows), ones)
        grouped = element_list(case.collection, np.sort(rows))
        assert value(case.topic, grouped, f"ERR.units(navigation={navigation})") <= 1 + 1e-12
    assert compared > 16


def test_articles_with_the_most_ideal_elements_first_score_one():
    """In Fetch and Browse and Relevant in Context, a rank is all that is returned of an article."""
    rng = np.random.default_rng(8)
    compared = 0
    for _ in range(40):
        collection, _ = random_collection(rng, 4, 9)
        topic = random_topic(rng, collection, "inex2005")
        score = quantised(topic, "strict")
        rows = topic.element[ideal_elements(collection, topic.element, score, "paper")]
        if len(rows) == 0:
            continue
        held = np.bincount(collection.document_of(rows), minlength=4)[collection.document_of(rows)]
        rows = rows[np.lexsort((rows, collection.document_of(rows), -held))]
        results = element_list(collection, rows)
        assert value(topic, results, "EPRUM(quantisation=strict,ranks=articles)") == pytest.approx(1)
        tied = element_list(collection, rows, rank=collection.document_of(rows))
        assert value(topic, tied, "EPRUM(quantisation=strict,ranks=sets)") == pytest.approx(1)
        compared += 1
    assert compared > 20


def test_the_moments_give_what_the_distributions_give():
    """Average precision by moments is the mean of the precisions from distributions."""
    (spec,) = parse_specs("EPRUM", MEASURES)
    for _, case in random_cases(4, 20, documents=4, elements=30, length=40):
        base = spec.prepare(case.topic)
        if base is None:
            continue
        run = spec.trace(base, case.results)
        inverse = run.inverse_length
        slow = sum(
            w * sum(r * p for r, p in enumerate(inverse[i, 1:], start=1)) / size
            for i, (w, size) in enumerate(zip(base.weight, base.sizes, strict=True))
        )
        assert eprum.average_precision(run) == pytest.approx(slow, rel=1e-12, abs=1e-15)


def test_satisfaction_levels():
    """Section 3.1: level s is uniform; the ideal set of s holds all elements at least as ideal."""
    sizes, weight = satisfaction_levels(np.array([0.8, 0.8, 0.4, 0.2]))
    assert sizes.tolist() == [2, 3, 4]
    assert weight == pytest.approx([0.5, 0.25, 0.25])


def test_err_units_and_t2i_by_hand():
    """An article has two sections of 10 characters, the second relevant; the user tolerates 10."""
    topic = two_sections()
    article, first = 0, 1
    # relevant: the article (s = 1/2) and the second section (s = 1); worth 1/2 and 1 of e s / 2
    results = element_list(topic.collection, [first, article])
    # first leads to the article with 10/20; article to itself and to the second section with 10/20
    assert value(topic, results, "ERR.units@1") == pytest.approx((0.5 * 0.5) / 1.5)
    assert value(topic, results, "ERR.units") == pytest.approx((0.5 * 1 + 1 * 0.5) / 1.5)
    assert value(topic, results, "ERR.units(navigation=standard)") == pytest.approx(0.5 / 1.5)
    # from the first section's start, 10 irrelevant characters lead to the second
    assert value(topic, results, "T2I.rank(tolerance=10)") == pytest.approx(2)  # the same result twice
    assert value(topic, results, "T2I.rank(tolerance=9)") == 0
    assert value(topic, results, "T2I.rank(tolerance=10)@4") == pytest.approx(0.5)
    assert value(topic, results, "EPRUM(navigation=tolerance-to-irrelevance,tolerance=10)") == 1
    assert value(topic, results, "EPRUM(navigation=tolerance-to-irrelevance,tolerance=9)") == 0


def two_sections():
    collection = replace(tree_of([-1, 0, 0], [0, 0, 10], [20, 10, 20]), names=pd.Index(["d"]))
    rows = np.array([0, 2])
    return Topic("t", "inex2005", collection, rows, np.full(2, 2.0), np.array([0.5, 1.0]), None)
