"""Structural relevance against a literal second implementation, worked values, and its limits."""

import math

import numpy as np
import pytest

from focuseval.errors import InputError
from focuseval.measures.structural_summary import summarise, weighted_edges
from focuseval.model.judgements import Topic
from focuseval.model.results import ResultList
from tests.passages import agrees, value
from tests.trees import element_list, random_cases, random_collection, tree_of

MAXIMUM = {"strict": 1, "gen": 2, "genLifted": 3, "specificity": 1, "generalised": 1}
GENERALISED = {
    **{(3, 3): 1.0, (2, 3): 0.75, (3, 2): 0.75, (3, 1): 0.75, (1, 3): 0.5},
    **{(2, 2): 0.5, (2, 1): 0.5, (1, 2): 0.25, (1, 1): 0.25},
}


# ---- the literal implementation: sets of rows, and every pair of nodes of every pair of trees


def literal_relevance(topic, quantisation):
    """Return rel(e) of every judged element."""
    scores = {}
    for row, e, s in zip(topic.element, topic.exhaustivity, topic.specificity, strict=True):
        if quantisation == "generalised":
            score = GENERALISED.get((e, s), 0.0)
        elif quantisation == "strict":
            score = float((e, s) == (2, 1.0))
        elif quantisation == "gen":
            score = max(e, 0) * s
        elif quantisation == "genLifted":
            score = (max(e, 0) + 1) * s if e != 0 and s > 0 else 0.0
        else:
            score = s
        scores[int(row)] = score / MAXIMUM[quantisation]
    return scores


def literal_trees(nodes, results, trees):
    """Return the units of a run as sets of rows; a result that is no element is an empty set."""
    items = list(zip(results.rank, results.document, results.element, strict=True))
    if trees == "off":
        return [{int(row)} if row >= 0 else set() for _, _, row in items]
    if trees == "articles":
        units = []
        before = -1
        for _, document, row in items:
            if document < 0 or document != before:
                units.append(set())
            if row >= 0:
                units[-1].add(int(row))
            before = document
        return units
    units = []
    for rank in sorted(set(int(r) for r in results.rank)):
        rows_at_rank = [int(row) for r, _, row in items if r == rank]
        elements = {row for row in rows_at_rank if row >= 0}
        placed = set()
        for row in rows_at_rank:
            if row < 0:
                units.append(set())
            elif row not in placed:
                piece = {row}
                grown = True
                while grown:
                    more = set()
                    for e in elements - piece:
                        for f in piece:
                            if nodes[e].parent is nodes[f] or nodes[f].parent is nodes[e]:
                                more.add(e)
                    grown = bool(more)
                    piece |= more
                placed |= piece
                units.append(piece)
    return units


def literal_sr(nodes, trees, rel, weight, p):
    """Return the contributions of Eq. 1, 4, 5 and 9; a tree that was returned before contributes 0."""
    history = []
    contributions = []
    for t in trees:
        if not t or t in history:
            contributions.append(0.0)
            continue
        total = sum(weight(nodes[e]) for e in t)
        rel_tree = sum(weight(nodes[e]) * rel.get(e, 0.0) for e in t) / total if total else 0.0
        unseen = 1.0
        for s in history:
            unseen *= 1 - sum(p(e, f) for f in s for e in t) / (len(t) * len(s))
        contributions.append(rel_tree * unseen)
        history.append(t)
    return contributions


def literal_depth(node):
    return 1 if node.parent is None else 1 + literal_depth(node.parent)


WEIGHT_OF_NODE = {
    "mean": lambda node: 1.0,
    "size": lambda node: float(node.end - node.start),
    "depth": lambda node: float(literal_depth(node)),
}


def literal_pi(collection, nodes, edges, weight):
    """Compute Eq. 8 on the label-path summary for each element."""

    def label(node):
        above = "" if node.parent is None else label(node.parent)
        return f"{above}/{collection.tags[collection.tag[node.row]]}"

    labels = {node.row: label(node) for node in nodes}
    names = set(labels.values())
    value = {
        name: sum(1 if weight == "extent" else len(node.own) for node in nodes if labels[node.row] == name)
        for name in names
    }

    def joined(upper, lower):
        inside = lower.startswith(upper + "/")
        return inside and (edges != "child" or "/" not in lower[len(upper) + 1 :])

    w = {(a, b): value[b] if joined(a, b) else value[a] if joined(b, a) else 0 for a in names for b in names}
    total = sum(w.values())
    pi = {a: sum(w[a, b] for b in names) / total if total else 1 / len(names) for a in names}
    return {row: pi[name] for row, name in labels.items()}


def numbers(setting, contributions, cutoffs):
    """Compute SR, SRP and their means at cut-offs from the contributions of the literal implementation."""
    length = max(len(contributions), 1)

    def sr(k):
        return math.fsum(contributions[:k])

    values = {f"SR({setting})": sr(len(contributions))}
    for k in cutoffs:
        values |= {
            f"SR({setting})@{k}": sr(k),
            f"SRP({setting})@{k}": sr(k) / k,
            f"MASR({setting})@{k}": sum(sr(i) for i in range(1, k + 1)) / k,
            f"MASRP({setting})@{k}": sum(sr(i) / i for i in range(1, k + 1)) / k,
            f"SRP({setting},divisor=length)@{k}": sr(k) / min(k, length),
            f"MASRP({setting},divisor=length)@{k}": sum(sr(i) / min(i, length) for i in range(1, k + 1)) / k,
        }
    return values


@pytest.mark.parametrize("trees", ["off", "ranks", "articles"])
@pytest.mark.parametrize(
    ("scale", "quantisation"),
    [("inex2005", "gen"), ("inex2005", "genLifted"), ("inex2005", "strict"), ("inex2003", "generalised")],
)
def test_agrees_with_a_literal_implementation(trees, scale, quantisation):
    compared = 0
    for place, (_, case) in enumerate(random_cases(5, 25, elements=9, scale=scale, length=25)):
        nodes = case.nodes
        edges = ["child", "descendant", "by-summary"][place % 3]  # by-summary: descendants under p*
        weight = ["extent", "length"][place // 2 % 2]
        relevance = ["mean", "size", "depth"][place // 4 % 3]
        pi = literal_pi(case.collection, nodes, edges, weight)
        rel = literal_relevance(case.topic, quantisation)
        if not any(rel.values()):
            continue

        def p(e, f, pi=pi, nodes=nodes):
            if nodes[e].document != nodes[f].document:
                return 0.0
            return 1.0 if e == f else 1 - pi[e]

        contributions = literal_sr(
            nodes,
            literal_trees(nodes, case.results, trees),
            rel,
            WEIGHT_OF_NODE["mean" if trees == "off" else relevance],
            p,
        )
        setting = (
            f"edges={edges},weight={weight},quantisation={quantisation},trees={trees},relevance={relevance}"
        )
        agrees(case.topic, case.results, numbers(setting, contributions, [1, 4, 40]))
        compared += any(contributions)
    assert compared > 3


@pytest.mark.parametrize("trees", ["off", "ranks", "articles"])
def test_pair_wise_probabilities_agree_with_a_literal_implementation(trees, tmp_path):
    compared = 0
    cases = random_cases(6, 25, documents=2, elements=8, share=0.8, length=20)
    for place, (rng, case) in enumerate(cases):
        collection, nodes = case.collection, case.nodes
        rel = literal_relevance(case.topic, "gen")
        if not any(rel.values()):
            continue
        listed = {}
        lines = ["document\tfrom\tto\tprobability"]
        for e in range(len(nodes)):
            for f in range(len(nodes)):
                if e != f and nodes[e].document == nodes[f].document and rng.random() < 0.6:
                    listed[e, f] = float(rng.choice([0.0, 0.3, 1 / 3, 0.9, 1.0]))
                    name = collection.names[nodes[e].document]
                    lines.append(f"{name}\t{collection.path(f)}\t{collection.path(e)}\t{listed[e, f]!r}")
        file = tmp_path / f"pairs{place}.tsv"
        file.write_text("\n".join(lines), encoding="utf-8")

        def p(e, f, listed=listed):
            return 1.0 if e == f else listed.get((e, f), 0.0)

        contributions = literal_sr(
            nodes, literal_trees(nodes, case.results, trees), rel, WEIGHT_OF_NODE["mean"], p
        )
        agrees(case.topic, case.results, numbers(f"pairs={file},trees={trees}", contributions, [1, 3, 30]))
        compared += any(contributions)
    assert compared > 12


# ---- limits


def binary_topic(collection, rows):
    rows = sorted(rows)
    return Topic(
        "t", "inex2005", collection, np.array(rows), np.full(len(rows), 2.0), np.ones(len(rows)), None
    )


def test_srp_is_precision_when_nothing_is_redundant():
    rng = np.random.default_rng(7)
    for _ in range(50):
        collection, _ = random_collection(rng, documents=30, elements=5)
        relevant = np.flatnonzero(rng.random(len(collection)) < 0.5)
        topic = binary_topic(collection, list(relevant))
        documents = rng.permutation(30)
        rows = np.array([rng.integers(collection.first[d], collection.first[d + 1]) for d in documents])
        results = element_list(collection, rows)
        for k in (1, 5, 30, 100):
            precision = np.isin(rows[:k], relevant).sum() / k
            assert value(topic, results, f"SRP(edges=descendant)@{k}") == pytest.approx(precision, abs=1e-15)


def test_unresolved_results_and_passages_keep_their_rank_and_are_no_visit():
    rng = np.random.default_rng(12)
    collection, _ = random_collection(rng, documents=1, elements=20)
    topic = binary_topic(collection, list(range(len(collection))))
    results = element_list(collection, np.array([-1, 0]))
    assert value(topic, results, "SRP@2") == 0.5
    passage = ResultList(
        "run",
        "t",
        np.array([1, 2]),
        np.array([0, 0]),
        np.array([-1, 0]),
        np.array([0, 0]),
        collection.end[[0, 0]],
    )
    for trees in ("off", "ranks"):
        assert value(topic, passage, f"SRP(trees={trees})@2") == 0.5


def test_ranks_fall_apart_into_connected_trees():
    """/a has children b and c, c has d: {a, b, d} are two trees, {a, b, c, d} are one."""
    collection = tree_of([-1, 0, 0, 2], [0, 0, 5, 5], [10, 5, 10, 10], ["a", "b", "c", "d"])
    topic = binary_topic(collection, [0, 1, 2, 3])
    apart = element_list(collection, np.array([0, 1, 3]), np.array([1, 1, 1]))
    whole = element_list(collection, np.array([0, 1, 2, 3]), np.array([1, 1, 1, 1]))
    # pi: a-b 1, a-c 1, a-d 1, c-d 1; pi(d) = 2/8
    assert value(topic, apart, "SR(trees=ranks)@1") == 1
    assert value(topic, apart, "SR(trees=ranks)@2") == pytest.approx(1 + 2 / 8)
    assert value(topic, whole, "SR(trees=ranks)@1") == value(topic, whole, "SR(trees=ranks)") == 1
    assert value(topic, whole, "SR(trees=off)@2") > 1


def test_relevance_of_a_tree_by_size_and_by_depth():
    rng = np.random.default_rng(13)
    collection, _ = random_collection(rng, documents=1, elements=30)
    child = int(np.flatnonzero((collection.parent == 0) & (collection.size > 0))[0])
    topic = binary_topic(collection, [child])
    results = element_list(collection, np.array([0, child]), np.array([1, 1]))
    size = collection.size
    assert value(topic, results, "SR(trees=ranks)") == 1 / 2
    by_size = value(topic, results, "SR(trees=ranks,relevance=size)")
    assert by_size == pytest.approx(size[child] / (size[0] + size[child]))
    assert value(topic, results, "SR(trees=ranks,relevance=depth)") == pytest.approx(2 / 3)


# ---- settings and files


def test_a_file_of_symmetric_transitions_agrees_with_equation_8(tmp_path):
    rng = np.random.default_rng(15)
    collection, _ = random_collection(rng, documents=3, elements=25)
    summary = summarise(collection, "incoming-outgoing")
    names = summary.partitions["path"]
    edges = weighted_edges(summary, "descendant", "extent")
    lines = ["source\ttarget\tweight"]
    lines += [f"{names[s]}\t{names[t]}\t{w!r}" for s, t, w in edges.itertuples(index=False)]
    file = tmp_path / "transitions.tsv"
    file.write_text("\n".join(lines), encoding="utf-8")
    topic = binary_topic(collection, list(range(len(collection))))
    results = element_list(collection, rng.permutation(len(collection))[:12])
    own = value(topic, results, f"SR(summary=incoming-outgoing,transitions={file})")
    equation = value(topic, results, "SR(summary=incoming-outgoing,edges=descendant)")
    assert own == pytest.approx(equation, abs=1e-12)


def test_without_the_documents_nothing_is_computed():
    collection, _ = random_collection(np.random.default_rng(18), complete=False)
    with pytest.raises(InputError, match=r"give the documents \(documents=\)"):
        value(binary_topic(collection, [0]), element_list(collection, np.array([0])), "SR")
