"""Structural summaries against naive dictionaries; steady states against linear algebra."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from focuseval.errors import InputError
from focuseval.measures.structural_summary import (
    EDGES,
    parse_expression,
    power_iteration,
    probabilities,
    set_codes,
    steady_state,
    summarise,
    weighted_edges,
)
from tests.trees import random_collection, tree_of

TAGS = ["a", "b", "c", "d"]


def tagged_collection(rng):
    """Return a random collection whose tags do not depend on depth and may be nested in themselves."""
    collection, _ = random_collection(rng, documents=4, elements=25)
    return replace(collection, tag=rng.integers(0, 4, len(collection)), tags=pd.Index(TAGS))


def naive_term(collection, term, row):
    """Return the part of an element that a term sees, as nested Python values."""

    def tag(r):
        return TAGS[collection.tag[r]]

    def below(r, steps):
        inside = [int(c) for c in np.flatnonzero(collection.parent == r)]
        if steps == 1:
            return frozenset(tag(c) for c in inside)
        return frozenset((tag(c), below(c, steps - 1)) for c in inside)

    path = [row]
    while collection.parent[path[-1]] >= 0:
        path.append(int(collection.parent[path[-1]]))
    if term == "p*":
        return tuple(tag(r) for r in path)
    if term == "pc*":
        return tuple((tag(r), below(r, 1)) for r in path)
    steps = int(term[1:] or 1)
    if term.startswith("c"):
        return below(row, steps)
    # an element with fewer than `steps` ancestors differs from a deeper element
    return tuple(tag(r) for r in path[: steps + 1]), len(path) <= steps


EXPRESSIONS = ["p*", "p*|c", "c", "p0", "p", "p2", "c2", "c3", "pc*", "p0|c2", "c|p"]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_partitions_statistics_and_links_equal_naive_dictionaries(expression):
    rng = np.random.default_rng(21)
    for _ in range(15):
        collection = tagged_collection(rng)
        summary = summarise(collection, expression)
        groups = {}
        for row in range(len(collection)):
            key = tuple(naive_term(collection, term, row) for term in expression.split("|"))
            groups.setdefault(key, []).append(row)
        number = {row: i for i, rows in enumerate(groups.values()) for row in rows}
        assert list(summary.partition) == [number[row] for row in range(len(collection))]
        assert list(summary.partitions["extent"]) == [len(rows) for rows in groups.values()]
        own = [sum(int(collection.own_text[r]) for r in rows) for rows in groups.values()]
        assert list(summary.partitions["length"]) == own
        assert summary.partitions["path"].is_unique

        children, pairs = set(), set()
        for row in range(len(collection)):
            for i, above in enumerate(collection.ancestors(row)):
                pairs.add((number[above], number[row]))
                if i == 0:
                    children.add((number[above], number[row]))
        for kind, expected in (("child", children), ("descendant", pairs)):
            assert list(zip(*map(list, summary.pairs(kind)), strict=True)) == sorted(expected)

        for kind, expected in (("child", children), ("descendant", pairs)):
            for weight in ("extent", "length"):
                value = summary.partitions[weight]
                matrix = np.zeros((len(groups), len(groups)))
                for a, b in expected:
                    matrix[a, b] += value[b]
                    if a != b:
                        matrix[b, a] += value[b]
                edges = weighted_edges(summary, kind, weight)
                dense = np.zeros_like(matrix)
                dense[edges["source"], edges["target"]] = edges["weight"]
                assert np.array_equal(dense, matrix)
                assert np.array_equal(dense, dense.T)
                pi = steady_state(edges, len(groups))
                assert pi.sum() == pytest.approx(1, abs=1e-12)
                assert np.array_equal(probabilities(summary, kind, weight), pi)
                if matrix.sum():
                    assert pi == pytest.approx(matrix.sum(axis=1) / matrix.sum(), abs=1e-15)


def test_paths_of_partitions():
    """/a has children b and c; c has two b."""
    collection = tree_of([-1, 0, 0, 2, 2], [0, 0, 4, 4, 6], [9, 4, 9, 6, 8], ["a", "b", "c", "b", "b"])

    def paths(expression):
        return list(summarise(collection, expression).partitions["path"])

    assert paths("incoming") == ["/a", "/a/b", "/a/c", "/a/c/b"]
    assert paths("incoming-outgoing") == ["/a|{b,c}", "/a/b|{}", "/a/c|{b}", "/a/c/b|{}"]
    assert paths("children") == ["{b,c}", "{}", "{b}"]
    assert paths("p0") == ["//a", "//b", "//c"]
    assert paths("p") == ["/a", "/a/b", "/a/c", "//c/b"]
    assert paths("c2") == ["{b{},c{b}}", "{}", "{b{}}"]
    assert paths("pc*") == ["/a{b,c}", "/a{b,c}/b{}", "/a{b,c}/c{b}", "/a{b,c}/c{b}/b{}"]


@pytest.mark.parametrize("expression", ["p*|c2", "pc*|p2"])
def test_narrow_columns_do_not_overflow(expression):
    collection = tagged_collection(np.random.default_rng(25))
    assert len(collection) < 127
    columns = ("parent", "last", "depth", "tag", "position")
    narrow = replace(collection, **{name: getattr(collection, name).astype(np.int8) for name in columns})
    wide, compact = summarise(collection, expression), summarise(narrow, expression)
    assert list(compact.partition) == list(wide.partition)
    pd.testing.assert_frame_equal(compact.partitions, wide.partitions)
    for edges in EDGES:
        assert np.array_equal(compact.pairs(edges), wide.pairs(edges))


def test_expressions_are_checked():
    assert parse_expression("incoming-outgoing") == ("p*", "c")
    assert parse_expression("p* | c2") == ("p*", "c2")
    for wrong in ("", "p*|", "c*", "c0", "q", "p**", "p*c", "p-1"):
        with pytest.raises(InputError, match="expected one of incoming"):
            parse_expression(wrong)


def test_set_codes_are_equal_for_equal_sets_only():
    rng = np.random.default_rng(22)
    for _ in range(200):
        sets = [sorted(set(rng.integers(0, 6, rng.integers(0, 16)).tolist())) for _ in range(8)]
        owner = np.array([i for i, items in enumerate(sets) for _ in items], dtype=np.int64)
        item = np.array([x for items in sets for x in items], dtype=np.int64)
        code = set_codes(owner, item, len(sets))
        for i in range(8):
            assert (code[i] == 0) == (not sets[i])
            for j in range(8):
                assert (code[i] == code[j]) == (sets[i] == sets[j])


def test_power_iteration_agrees_with_equation_8_on_symmetric_weights():
    rng = np.random.default_rng(23)
    for _ in range(30):
        collection = tagged_collection(rng)
        summary = summarise(collection, str(rng.choice(["p*", "p*|c", "p0", "c"])))
        edges = weighted_edges(summary, str(rng.choice(["child", "descendant"])), "extent")
        count = len(summary.partitions)
        # the roots of four tags: up to four components, each with its share of the total weight
        assert power_iteration(edges, range(count)) == pytest.approx(steady_state(edges, count), abs=1e-12)


def test_power_iteration_agrees_with_linear_algebra_on_any_weights():
    rng = np.random.default_rng(24)
    for _ in range(30):
        count = int(rng.integers(2, 8))
        matrix = rng.random((count, count)) * (rng.random((count, count)) < 0.6)
        matrix[np.arange(count), (np.arange(count) + 1) % count] += 0.1  # all states are connected
        source, target = np.nonzero(matrix)
        edges = pd.DataFrame({"source": source, "target": target, "weight": matrix[source, target]})
        step = matrix / matrix.sum(axis=1, keepdims=True)
        system = np.vstack([step.T - np.eye(count), np.ones(count)])
        expected = np.linalg.lstsq(system, np.append(np.zeros(count), 1), rcond=None)[0]
        assert power_iteration(edges, range(count)) == pytest.approx(expected, abs=1e-12)


def test_power_iteration_ends_on_long_and_narrow_graphs():
    """A path of 2,000 states with a light middle: plain iteration would need some 10^8 steps."""
    rng = np.random.default_rng(26)
    low = np.arange(1999)
    weight = np.where(low == 1000, 1.0, rng.integers(50, 100, 1999))
    ends = pd.DataFrame({"source": low, "target": low + 1, "weight": weight})
    edges = pd.concat([ends, ends.rename(columns={"source": "target", "target": "source"})])
    assert power_iteration(edges, range(2000)) == pytest.approx(steady_state(edges, 2000), rel=1e-9)


def test_states_outside_closed_classes_get_nothing():
    edges = pd.DataFrame({"source": [0, 1, 2], "target": [1, 2, 1], "weight": [5.0, 1.0, 3.0]})
    assert power_iteration(edges, range(4)) == pytest.approx([0, 0.5, 0.5, 0], abs=1e-14)
    trap = pd.DataFrame({"source": [0], "target": [1], "weight": [1.0]})
    with pytest.raises(InputError, match="transitions, /b: the state can be entered but not left"):
        power_iteration(trap, ["/a", "/b"])
