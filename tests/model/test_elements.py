"""Collections of elements against plain trees."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuseval.model.elements import MOST_STEPS, Collection, join_path, path_tree, split_path
from tests.trees import random_collection

seeds = st.integers(0, 2**32 - 1)


def collection_of(seed):
    """Return a random collection whose tags and positions do not depend on depth and order."""
    rng = np.random.default_rng(seed)
    collection, nodes = random_collection(rng, documents=int(rng.integers(1, 5)), elements=30)
    tag = rng.integers(0, len(collection.tags), len(nodes))
    position = np.ones(len(nodes), dtype=np.int64)
    for node in nodes:
        for i, child in enumerate(node.children):
            position[child.row] = 1 + sum(tag[c.row] == tag[child.row] for c in node.children[:i])
    columns = {
        name: getattr(collection, name) for name in ("names", "first", "parent", "last", "depth", "tags")
    }
    compact = {name: columns[name].astype(np.int32) for name in ("parent", "last")}
    rest = {"start": collection.start.astype(np.int32), "end": collection.end.astype(np.int32)}
    return Collection(**{**columns, **compact}, tag=tag, position=position, **rest), nodes


def above(node):
    return [] if node.parent is None else [node.parent, *above(node.parent)]


def below(node):
    return [node_below for child in node.children for node_below in (child, *below(child))]


def path_of(node, collection):
    step = f"/{collection.tags[collection.tag[node.row]]}[{collection.position[node.row]}]"
    return (path_of(node.parent, collection) if node.parent else "") + step


@settings(max_examples=25)
@given(seeds)
def test_relations_are_those_of_the_tree(seed):
    collection, nodes = collection_of(seed)
    for node in nodes:
        assert collection.ancestors(node.row) == [n.row for n in above(node)]
        assert collection.children(node.row) == [n.row for n in node.children]
        assert collection.path(node.row) == path_of(node, collection)
        assert list(range(node.row + 1, collection.last[node.row])) == [n.row for n in below(node)]
    rows = np.arange(len(nodes))
    outer, inner = np.repeat(rows, len(rows)), np.tile(rows, len(rows))
    expected = [
        nodes[i] is nodes[o] or nodes[o] in above(nodes[i]) for o, i in zip(outer, inner, strict=True)
    ]
    assert collection.contains(outer, inner).tolist() == expected
    assert collection.document_of(rows).tolist() == [node.document for node in nodes]
    documents = np.arange(len(collection.names))
    assert collection.root(documents).tolist() == [n.row for n in nodes if n.parent is None]


@settings(max_examples=25)
@given(seeds)
def test_sizes_are_numbers_of_characters(seed):
    collection, nodes = collection_of(seed)
    assert collection.size.tolist() == [len(node.text) for node in nodes]
    assert collection.own_text.tolist() == [len(node.own) for node in nodes]
    some = np.flatnonzero(np.arange(len(nodes)) % 3 == 1)
    assert collection.own_text_of(some).tolist() == collection.own_text[some].tolist()
    assert collection.text_size == sum(len(node.text) for node in nodes if node.parent is None)
    assert collection.total_size == sum(len(node.text) for node in nodes)


@settings(max_examples=25)
@given(seeds)
def test_with_ancestors(seed):
    collection, nodes = collection_of(seed)
    chosen = np.random.default_rng(seed).integers(0, len(nodes), 5)
    expected = {n.row for row in chosen for n in (nodes[row], *above(nodes[row]))}
    assert collection.with_ancestors(chosen).tolist() == sorted(expected)
    assert collection.with_ancestors(chosen[:0]).tolist() == []


@settings(max_examples=25)
@given(seeds)
def test_highlighted_elements_hold_highlighted_characters(seed):
    collection, nodes = collection_of(seed)
    rng = np.random.default_rng(seed)
    passages = []
    for document in range(len(collection.names)):
        cuts = np.sort(rng.choice(60, 4, replace=False))
        passages += [(document, cuts[0], cuts[1]), (document, cuts[2], cuts[3])]
    kept = [p for p in passages if rng.random() < 0.6]
    table = np.array(kept, dtype=np.int64).reshape(-1, 3)
    marked = {(d, i) for d, a, b in kept for i in range(a, b)}
    held = {node.row: float(len(node.text & marked)) for node in nodes if node.text & marked}
    rows, sizes = collection.highlighted(table[:, 0], table[:, 1], table[:, 2])
    assert dict(zip(rows.tolist(), sizes.tolist(), strict=True)) == held
    assert rows.tolist() == sorted(held)


ODD = [
    "",
    "/",
    "article",
    "article[1]",
    "//article",
    "/article[1]/",
    "/article[0]",
    "/article[x]",
    "/article[1][1]",
    "/article[999999999]",
    "/article[9999999999]",
    "/nothing[1]",
    "/article[1]/nothing",
    "/article[1]/@id",
    "/article[1]/text()[1]",
    "/article [1]",
    "/article[1]" * (MOST_STEPS + 1),
    "/" * 5000,
]


@settings(max_examples=40)
@given(seeds)
def test_paths_resolve_to_their_elements(seed):
    collection, nodes = collection_of(seed)
    rng = np.random.default_rng(seed)
    row_of = {(node.document, path_of(node, collection)): node.row for node in nodes}
    paths = [path for _, path in row_of]
    chosen = [str(path) for path in rng.choice([*paths, *ODD], 80)]
    documents = rng.integers(-1, len(collection.names) + 1, 80)
    expected = [row_of.get(pair, -1) for pair in zip(documents.tolist(), chosen, strict=True)]
    assert collection.resolve(documents, chosen).tolist() == expected
    assert collection.resolve(documents, pd.Series(chosen, dtype="category")).tolist() == expected
    short = [path.replace("[1]", "") for path in chosen]
    prefixed = [path.replace("/", "/p:") for path in chosen]
    plain = np.array([path in paths for path in chosen])
    assert (collection.resolve(documents, short) == expected)[plain].all()
    assert (collection.resolve(documents, prefixed) == expected)[plain].all()
    assert collection.resolve(documents[:0], []).tolist() == []


def test_a_document_without_elements_has_none_to_find():
    collection, _ = random_collection(np.random.default_rng(1), documents=1)
    columns = {name: getattr(collection, name) for name in Collection.__dataclass_fields__}
    columns |= {"names": pd.Index(["e", "d0"]), "first": np.append(0, collection.first)}
    padded = Collection(**columns)
    assert padded.resolve(np.array([0, 1]), ["/article[1]", "/article[1]"]).tolist() == [-1, 0]


@pytest.mark.parametrize("path", [path for path in ODD[:9] if path != "/article[0]"])
def test_texts_that_are_no_path(path):
    assert split_path(path) is None
    assert path_tree([path]).node.tolist() == [0]


def test_paths_are_split_and_joined():
    assert split_path("/article[1]/x:bdy/sec[12]") == (("article", 1), ("bdy", 1), ("sec", 12))
    assert join_path((("article", 1), ("sec", 12))) == "/article[1]/sec[12]"


def test_the_tree_of_paths_has_each_beginning_once():
    tree = path_tree(["/a/b[2]", "/a[1]/b[2]/c", "/n:a[1]", "b", "/a/b[2]"])
    assert tree.node.tolist() == [2, 3, 1, 0, 2]
    assert tree.above.tolist() == [0, 0, 1, 2]
    assert tree.tag == ["", "a", "b", "c"]
    assert tree.position.tolist() == [0, 1, 2, 1]
    assert tree.level.tolist() == [0, 1, 2, 3]
