"""Texts, blocks and outlines of documents."""

import itertools

import numpy as np
import pytest

from focuseval.campaign.collection_read import collection_from_source, collection_of_texts, document_texts
from focuseval.viewer.documents import document_columns, paths_of, points_in

from ..trees import random_collection
from .campaigns import write_xml


@pytest.mark.parametrize("seed", range(10))
def test_paths_are_those_of_the_collection(seed):
    collection, nodes = random_collection(np.random.default_rng(seed), documents=3)
    paths = paths_of(collection, np.arange(len(collection)))
    assert [paths[row] for row in range(len(collection))] == [
        collection.path(row) for row in range(len(collection))
    ]


def test_markdown_has_its_headings_as_outline_and_its_paragraphs_as_blocks():
    text = "# One\n\nFirst.\n\nSecond.\n\n## Two\n\nThird.\n"
    columns = document_columns(collection_of_texts({"a.md": text}), 0, text)
    headings = [(text[start:end].strip(), level) for _, _, level, start, end in columns["outline"]]
    assert headings == [("# One", 0), ("## Two", 1)]
    ends = [*columns["blocks"], len(text)]
    blocks = [text[a:b].strip() for a, b in itertools.pairwise(ends) if text[a:b].strip()]
    assert blocks == ["# One", "First.", "Second.", "## Two", "Third."]
    assert (columns["wraps"], columns["headed"], columns["points"]) == (False, True, None)


def test_xml_has_its_elements_as_blocks_but_not_those_in_running_text(tmp_path):
    source, _, _ = write_xml(tmp_path)
    collection = collection_from_source(source)
    ((_, text),) = document_texts(source)
    columns = document_columns(collection, 0, text)
    ends = columns["blocks"]
    blocks = [text[a:b] for a, b in itertools.pairwise(ends)]
    assert blocks[:4] == ["Nested", "Part 1", "Alpha beta gamma 1.", "Delta 1."]
    assert [text[start:end] for *_, start, end in columns["outline"]] == [
        "Nested",
        "Part 1",
        "Part 2",
        "Part 3",
    ]
    assert columns["wraps"]


def test_a_document_without_headings_has_its_largest_elements_as_outline(tmp_path):
    (tmp_path / "a.xml").write_text("<a><b><c>one two</c></b><b>three</b></a>")
    collection = collection_from_source(tmp_path)
    columns = document_columns(collection, 0, "one twothree")
    assert [row[:3] for row in columns["outline"]] == [[0, 7, 0], [0, 7, 1], [7, 12, 0]]
    assert not columns["headed"]


def test_points_of_words_are_those_of_the_collection(tmp_path):
    (tmp_path / "a.xml").write_text("<a><t>Methods</t><p>We un<b>believ</b>able</p><p>34</p></a>")
    collection = collection_from_source(tmp_path, "words")
    ((_, text),) = document_texts(tmp_path)
    points = document_columns(collection, 0, text)["points"]
    assert [text[a:b].strip() for a, b in itertools.pairwise(points)] == [
        "Methods",
        "We",
        "unbelievable",
        "34",
    ]
    assert collection.end[0] == len(points) - 1 == 4


@pytest.mark.parametrize("unit", ["words", "bytes"])
def test_points_lead_from_units_to_characters(unit):
    text = "naïve 🌱 soil, heap"
    points = points_in(text, unit)
    assert points is not None and points[-1] == len(text)
    if unit == "words":
        assert [text[a:b].strip() for a, b in itertools.pairwise(points)] == [
            "naïve 🌱",
            "soil,",
            "heap",
        ]
    else:
        encoded = text.encode()
        assert len(points) == len(encoded) + 1
        starts = [len(text[:i].encode()) for i in range(len(text) + 1)]
        assert points[starts].tolist() == list(range(len(text) + 1))
