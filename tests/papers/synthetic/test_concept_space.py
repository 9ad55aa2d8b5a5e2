"""The synthetic campaign against its definition, recomputed with sets and fractions."""

import zipfile
from fractions import Fraction
from itertools import groupby, pairwise
from math import ceil

import numpy as np
import pandas as pd
import pytest
from lxml import etree

from focuseval.errors import InputError
from focuseval_papers.synthetic.articles import (
    INLINE,
    PARAGRAPHS,
    SYMBOLS,
    TAG_OF_SYMBOL,
    TAGS,
    grow_trees,
)
from focuseval_papers.synthetic.campaign_files import write_campaign
from focuseval_papers.synthetic.concept_settings import ARTICLES, CELLS, OTHERS, settings
from focuseval_papers.synthetic.concept_space import (
    apportion,
    article_names,
    assess,
    blocks,
    make_block,
    make_plan,
    vocabulary,
)
from tests.folders import held
from tests.papers.synthetic.parsed import parse

#: three blocks; one threshold is the paper's, the other is not
TINY = settings("tiny", articles=150, specificity_above=[0.25, 0.75])


@pytest.fixture(scope="module")
def tiny_blocks():
    return [make_block(TINY, number) for number in blocks(TINY)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("campaign")
    write_campaign(TINY, folder)
    return folder


@pytest.fixture(scope="module")
def documents(folder):
    with zipfile.ZipFile(folder / "collection.zip") as archive:
        return {name.removesuffix(".xml"): parse(archive.read(name)) for name in archive.namelist()}


@pytest.fixture(scope="module")
def concepts(tiny_blocks, documents):
    """Return, by document, the concepts of each element's own text and of its whole content."""
    names = iter(documents)
    concepts_of = {}
    for block in tiny_blocks:
        for first, last in pairwise(block.trees.first.tolist()):
            name = next(names)
            elements = documents[name][0]
            own = [set(block.concept[block.holder == row].tolist()) for row in range(first, last)]
            held = [set(of_element) for of_element in own]
            for row in range(len(elements) - 1, 0, -1):
                held[elements[row].parent] |= held[row]
            concepts_of[name] = own, held
    return concepts_of


def test_the_same_to_the_byte_with_any_number_of_processes(folder, tmp_path):
    write_campaign(TINY, tmp_path, processes=2)
    assert held(tmp_path) == held(folder) and len(held(folder)) == 3 + 3 * TINY.topics


def test_a_block_does_not_depend_on_others(tiny_blocks):
    make_plan.cache_clear()
    vocabulary.cache_clear()
    alone = make_block(TINY, 2)
    assert alone.text.xml == tiny_blocks[2].text.xml
    pd.testing.assert_frame_equal(assess(TINY, 2, alone), assess(TINY, 2, tiny_blocks[2]))


def test_writing_again_replaces_own_files_and_keeps_others(folder, tmp_path):
    (tmp_path / "note.txt").write_text("mine")
    write_campaign(settings("tiny", topics=3), tmp_path)
    write_campaign(TINY, tmp_path)
    again = held(tmp_path)
    assert again.pop("note.txt") == b"mine"
    assert again == held(folder)


def test_documents_are_the_trees_and_texts_assessed(tiny_blocks, documents):
    names = iter(documents.items())
    for block in tiny_blocks:
        trees = block.trees
        for first, last, xml in zip(trees.first[:-1], trees.first[1:], block.text.xml, strict=True):
            elements, text = next(names)[1]
            assert xml.isascii()
            rows = slice(first, last)
            assert [TAGS[t] for t in TAG_OF_SYMBOL[trees.symbol[rows]]] == [e.tag for e in elements]
            assert [trees.path(row) for row in range(first, last)] == [e.path for e in elements]
            assert (trees.depth[rows] == [e.depth for e in elements]).all()
            assert (trees.last[rows] - first == [e.last for e in elements]).all()
            assert (block.text.start[rows] == [e.start for e in elements]).all()
            assert (block.text.end[rows] == [e.end for e in elements]).all()
            assert len(text) == elements[0].end
    assert next(names, None) is None
    assert list(documents) == sorted(set(documents)) and len(documents) == TINY.articles


def test_text_expresses_every_concept_where_it_is_held(tiny_blocks):
    words = vocabulary(TINY)
    expressions = [{words.spelled[word] for word in row} for row in words.concepts.tolist()]
    for block in tiny_blocks:
        own = [set("".join(e.own).split()) for xml in block.text.xml for e in parse(xml)[0]]
        for row, concept in zip(block.holder, block.concept, strict=True):
            assert own[row] & expressions[concept]


def test_concepts_have_six_different_words():
    words = vocabulary(settings("default"))
    assert all(len(set(row)) == 6 for row in words.concepts.tolist())
    assert len(set(words.spelled)) == len(words.spelled)
    uses = np.bincount(words.concepts.ravel() - words.topical[0], minlength=len(words.topical))
    assert uses.mean() == pytest.approx(2, abs=0.01)


def assessed(folder, topic, *values):
    """Return the attributes of every assessed element of a topic by document and path."""
    root = etree.parse(folder / f"{topic}.xml").getroot()
    assert root.get("pool") == root.get("topic") == topic
    attributes = {
        (file.get("file") or file.get("name"), one.get("path")): tuple(map(one.get, values))
        for file in root
        for one in file
    }
    assert sum(map(len, root)) == len(attributes)
    return attributes


def grade(part, whole, low=Fraction(1, 3), high=Fraction(2, 3)):
    """Return 1 up to the first threshold, 2 up to the second, 3 above."""
    return 1 + (Fraction(part, whole) > low) + (Fraction(part, whole) > high)


def specificity(topic, held):
    return grade(len(topic & held), len(held), Fraction(1, 4), Fraction(3, 4))


def literal_highlighted(topic, elements, own, held):
    """Return the number of highlighted characters in each element's own text."""
    whole = [False] * len(elements)
    for row, element in enumerate(elements):
        relevant = [
            bool(held[inner] & topic)
            for inner in range(row, element.last)
            if elements[inner].tag == "p" and elements[elements[inner].parent].tag not in ("kwd", "ack", "vt")
        ]
        only_theme = bool(topic & held[row]) and specificity(topic, held[row]) == 3
        if only_theme and relevant and 2 * sum(relevant) >= len(relevant):
            whole[row : element.last] = [True] * (element.last - row)
    highlighted = []
    for row, element in enumerate(elements):
        reader = row
        while elements[reader].tag in INLINE and not own[reader]:
            reader = elements[reader].parent
        share = Fraction(len(own[reader] & topic), max(len(own[reader]), 1))
        highlighted.append(ceil(sum(map(len, element.own)) * (1 if whole[row] else share)))
    return highlighted


#: by folder of assessments: the attributes, and their values for elements without relevant text
SCALES = {
    "assessments": (("exhaustiveness", "specificity"), ("0", "0")),
    "assessments-2002": (("relevance", "coverage"), ("0", "N")),
    "assessments-2005": (("exhaustivity", "size", "rsize"), None),
}


def test_assessments_are_the_definition(folder, documents, concepts):
    """In 2002 relevance is exhaustiveness; coverage depends on the main theme and on enough text."""
    plan = make_plan(TINY)
    every = []
    for number, name in enumerate(plan.names):
        topic = set(plan.concepts[number].tolist())
        expected = {scale: {} for scale in SCALES}
        for document, (elements, _) in documents.items():
            own, held = concepts[document]
            marked = literal_highlighted(topic, elements, own, held)
            for row, element in enumerate(elements):
                if not (common := len(topic & held[row])):
                    continue
                size, exhaustivity = element.end - element.start, grade(common, len(topic))
                small, rsize = size < TINY.too_small, sum(marked[row : element.last])
                coverage = "L" if 2 * common <= len(held[row]) else "S" if small and exhaustivity < 3 else "E"
                of_2005 = "?" if small else "2" if exhaustivity == 3 else "1"
                values = (
                    (exhaustivity, specificity(topic, held[row])),
                    (exhaustivity, coverage),
                    (of_2005, size, rsize),
                )
                every.append((coverage, of_2005, size == rsize > 1_000))
                for scale, value in zip(SCALES, values, strict=True):
                    expected[scale][document, element.path] = tuple(map(str, value))
        judged = {scale: assessed(folder / scale, name, *of) for scale, (of, _) in SCALES.items()}
        for scale, (_, nothing) in SCALES.items():
            assert {key: value for key, value in judged[scale].items() if value != nothing} == expected[scale]
        first, second, _ = judged.values()
        assert list(first) == list(second) and len(first) > 2 * len(expected["assessments"])
        paths = {name: {e.path for e in elements} for name, (elements, _) in documents.items()}
        assert all(path in paths[document] for document, path in first)
    coverages, of_2005, whole = map(set, zip(*every, strict=True))
    assert (coverages, of_2005) == ({"L", "S", "E"}, {"?", "1", "2"})
    assert True in whole  # some sections are highlighted as a whole


@pytest.mark.parametrize("grammar", ["ieee", "wikipedia"])
def test_highlights_are_the_definition(grammar, tmp_path):
    """Highlights are consecutive relevant paragraphs with elements around only these; of one paragraph, a share."""
    chosen = settings("tiny", articles=50, grammar=grammar, scattered=50, seed=11)
    write_campaign(chosen, tmp_path)
    plan, names, pooled, alone = make_plan(chosen), article_names(chosen.articles), {}, 0
    generated = [make_block(chosen, number) for number in blocks(chosen)]
    lines = [line.split() for line in (tmp_path / "highlights.qrels").read_text("ascii").splitlines()]
    for topic, _, document, rsize, size, *rest in lines:
        pooled.setdefault(topic, set()).add(document)
        block = next(each for each in generated if names.index(document) in each.articles)
        first, last = block.trees.first[names.index(document) - block.articles.start :][:2].tolist()
        rows, start, end = range(first, last), block.text.start, block.text.end
        own = set(plan.concepts[plan.names.index(topic)].tolist())
        held = {row: set(block.concept[block.holder == row].tolist()) for row in rows}
        paragraphs = [row for row in rows if SYMBOLS[block.trees.symbol[row]] in PARAGRAPHS]
        expected = []
        for relevant, run in groupby(paragraphs, lambda row: bool(held[row] & own)):  # noqa: B023
            inside = list(run)
            if not relevant:
                continue
            whole = [
                row
                for row in rows
                if (below := [p for p in paragraphs if row <= p < block.trees.last[row]])
                and {*below} <= {*inside}
            ]
            begin, stop = min(start[row] for row in whole), max(end[row] for row in whole)
            if len(inside) == 1 and held[inside[0]] - own:
                [row] = inside
                part = Fraction(int(end[row] - start[row]) * len(held[row] & own), len(held[row]))
                begin, stop, alone = start[row], start[row] + ceil(part), alone + 1
            expected.append((int(begin), int(stop - begin)))
        assert int(size) == end[first]
        assert [tuple(map(int, passage.split(":"))) for passage in rest[1:]] == expected
        assert int(rsize) == sum(length for _, length in expected)
        assert not rest or int(rest[0]) == expected[0][0]
    assert alone > 5
    assert {len(of) for of in pooled.values()} == {chosen.relevant_articles * (1 + chosen.pooled_articles)}


def test_topics_name_concepts_and_words_that_say_little(folder, documents):
    plan = make_plan(TINY)
    words = vocabulary(TINY)
    root = etree.parse(folder / "topics.xml").getroot()
    assert [topic.get("id") for topic in root] == plan.names
    for number, topic in enumerate(root):
        title = topic.findtext("title").split()
        own = {words.spelled[word] for word in words.concepts[plan.concepts[number]].ravel()}
        least, most = TINY.title_concepts
        assert least <= sum(word in own for word in title) <= most
        assert sum(word not in own for word in title) == 1


def test_articles_are_relevant_as_planned(tiny_blocks):
    plan = make_plan(TINY)
    judged = pd.concat([assess(TINY, number, block) for number, block in enumerate(tiny_blocks)])
    articles = judged[judged["root"] & (judged["exhaustivity"] > 0)]
    assert len(articles) == TINY.topics * TINY.relevant_articles
    counts = articles.groupby(["exhaustivity", "specificity"]).size()
    planned = np.bincount(plan.cell[plan.cell >= 0], minlength=len(CELLS))
    assert [int(counts.get(cell, 0)) for cell in CELLS] == planned.tolist()


def test_topics_differ_in_their_relevant_articles_by_the_spread():
    chosen = settings("tiny", articles=60, topics=5, relevant_articles=10, relevant_spread=80)
    plan = make_plan(chosen)
    relevant = np.bincount(plan.topic[plan.topic >= 0], minlength=5)
    assert sorted(relevant.tolist()) == [2, 6, 10, 14, 18]
    assert relevant.tolist() != sorted(relevant.tolist())
    pooled = np.bincount(plan.pool[:, 1]) - relevant
    assert pooled.tolist() == np.minimum(chosen.pooled_articles * relevant, 60 - relevant).tolist()
    assert np.bincount(plan.cell[plan.cell >= 0]).tolist() == apportion(ARTICLES, 50).tolist()
    # everything else is drawn as before
    alike = make_plan(settings("tiny", articles=60, topics=5, relevant_articles=10))
    assert plan.titles == alike.titles and ((plan.topic >= 0) == (alike.topic >= 0)).all()


def test_shares_follow_table_1():
    chosen = settings("default")
    judged = pd.concat([assess(chosen, n, make_block(chosen, n)) for n in blocks(chosen)], ignore_index=True)
    relevant = judged["exhaustivity"] > 0
    for of_level, printed, most in ((judged["root"], ARTICLES, 0.005), (~judged["root"], OTHERS, 0.05)):
        shares = judged[relevant & of_level].value_counts(["exhaustivity", "specificity"], normalize=True)
        apart = np.abs(shares.reindex(CELLS).to_numpy() - np.array(printed) / sum(printed))
        assert apart.sum() / 2 < most  # total variation
    nonrelevant = judged[~relevant & judged["root"]], judged[~relevant & ~judged["root"]]
    # Table 1: 6.0 articles and 2.8 other elements without relevant text for each relevant one.
    assert 5 < len(nonrelevant[0]) / (relevant & judged["root"]).sum() < 7
    assert 2 < len(nonrelevant[1]) / (relevant & ~judged["root"]).sum() < 4


def test_trees_have_the_size_and_depth_of_the_papers_collection():
    rng = np.random.default_rng(7)
    trees = grow_trees(rng, 2_000)
    assert len(trees) / 2_000 == pytest.approx(8_000_000 / 12_107, rel=0.03)
    assert (trees.depth + 1).mean() == pytest.approx(6.9, abs=0.1)


def test_apportion_gives_all_seats_in_proportion():
    assert apportion([1, 1, 2], 8).tolist() == [2, 2, 4]
    assert apportion([5, 3, 1], 7).tolist() == [4, 2, 1]
    assert apportion([1, 1, 1], 2).sum() == 2


@pytest.mark.parametrize(
    ("size", "changes", "key"),
    [
        ("huge", {}, "size"),
        ("tiny", {"article": 3}, "the key 'article' is unknown"),
        ("tiny", {"topics": 100}, "relevant_articles"),
        ("tiny", {"relevant_spread": 99}, "relevant_spread"),
        ("tiny", {"topics": "many"}, "topics"),
        ("tiny", {"topic_concepts": 7}, "topic_concepts"),
        ("tiny", {"topic_concepts": [2, 5]}, "topic_concepts"),
        ("tiny", {"title_concepts": [3, 9]}, "title_concepts"),
        ("tiny", {"title_common": [60, 2000]}, "title_common"),
        ("tiny", {"most_others": 12}, "most_others"),
        ("tiny", {"specificity_above": [0.1, 0.2]}, "most_others"),
        ("tiny", {"other_concepts": 20}, "most_others"),
        ("tiny", {"specificity_above": [0.7, 0.3]}, "specificity_above"),
        ("tiny", {"seed": -1}, "seed"),
        ("tiny", {"repeated": 100}, "repeated"),
        ("tiny", {"ambiguity": 0}, "ambiguity"),
        ("tiny", {"highlighted": 0}, "highlighted"),
    ],
)
def test_settings_that_cannot_be_met_are_refused(size, changes, key):
    with pytest.raises(InputError, match=key):
        settings(size, **changes)
