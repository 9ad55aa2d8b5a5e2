"""The synthetic campaign against its definition, recomputed with sets and fractions."""

import zipfile
from fractions import Fraction
from itertools import groupby
from math import ceil
from pathlib import Path

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
    Block,
    apportion,
    article_names,
    assess,
    blocks,
    content,
    make_block,
    make_plan,
    vocabulary,
)
from tests.papers.synthetic.parsed import Element, parse

TINY = settings("tiny", articles=150)  # three blocks


@pytest.fixture(scope="module")
def made() -> list[Block]:
    return [make_block(TINY, number) for number in blocks(TINY)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("campaign")
    write_campaign(TINY, folder)
    return folder


@pytest.fixture(scope="module")
def documents(folder: Path) -> dict[str, tuple[list[Element], str]]:
    with zipfile.ZipFile(folder / "collection.zip") as archive:
        return {name.removesuffix(".xml"): parse(archive.read(name)) for name in archive.namelist()}


@pytest.fixture(scope="module")
def concepts(made: list[Block], documents: dict) -> dict[str, list[set[int]]]:
    """The concepts of every element of every document, by the definition: those of all that is in it."""
    names = iter(documents)
    found = {}
    for block in made:
        for first, last in zip(block.trees.first[:-1], block.trees.first[1:], strict=True):
            name = next(names)
            elements = documents[name][0]
            assert len(elements) == last - first
            held: list[set[int]] = [set() for _ in elements]
            for row, concept in zip(block.holder, block.concept, strict=True):
                if first <= row < last:
                    held[row - first].add(int(concept))
            for row in range(len(elements) - 1, 0, -1):
                held[elements[row].parent] |= held[row]
            found[name] = held
    return found


def files(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_the_same_to_the_byte_with_any_number_of_processes(folder: Path, tmp_path: Path) -> None:
    write_campaign(TINY, tmp_path, processes=2)
    first, second = files(folder), files(tmp_path)
    assert list(first) == list(second)
    assert all(first[name] == second[name] for name in first)
    assert len(first) == 3 + 3 * TINY.topics


def test_a_block_does_not_depend_on_others(made: list[Block]) -> None:
    make_plan.cache_clear()
    vocabulary.cache_clear()
    alone = make_block(TINY, 2)
    assert alone.text.xml == made[2].text.xml
    pd.testing.assert_frame_equal(assess(TINY, 2, alone), assess(TINY, 2, made[2]))


def test_writing_again_replaces_and_keeps_what_is_not_its_own(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("mine")
    write_campaign(settings("tiny", topics=3), tmp_path)
    write_campaign(TINY, tmp_path)
    again = files(tmp_path)
    assert again.pop("note.txt") == b"mine"
    assert again == files(folder)


def test_documents_are_the_trees_and_texts_assessed(made: list[Block], documents: dict) -> None:
    names = iter(documents.items())
    for block in made:
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


def test_names_are_distinct_and_in_order(documents: dict) -> None:
    assert list(documents) == sorted(set(documents))
    assert len(documents) == TINY.articles


def test_text_expresses_every_concept_where_it_is_held(made: list[Block]) -> None:
    words = vocabulary(TINY)
    expressions = [{words.spelled[word] for word in row} for row in words.concepts.tolist()]
    for block in made:
        own = [set("".join(e.own).split()) for xml in block.text.xml for e in parse(xml)[0]]
        for row, concept in zip(block.holder, block.concept, strict=True):
            assert own[row] & expressions[concept]


def test_concepts_have_six_different_words() -> None:
    words = vocabulary(settings("default"))
    assert all(len(set(row)) == 6 for row in words.concepts.tolist())
    assert len(set(words.spelled)) == len(words.spelled)
    uses = np.bincount(words.concepts.ravel() - words.topical[0], minlength=len(words.topical))
    assert uses.mean() == pytest.approx(2, abs=0.01)


def assessed(folder: Path, topic: str, *values: str) -> dict[tuple[str, str], tuple[str, ...]]:
    """The attributes of every assessed element of a topic by document and path."""
    root = etree.parse(folder / f"{topic}.xml").getroot()
    assert root.get("pool") == root.get("topic") == topic
    found = {
        (file.get("file") or file.get("name"), one.get("path")): tuple(map(one.get, values))
        for file in root
        for one in file
    }
    assert sum(map(len, root)) == len(found)
    return found


def grade(part: int, whole: int) -> int:
    """Thirds: 1 up to one third, 2 up to two thirds, 3 above."""
    if part == 0:
        return 0
    share = Fraction(part, whole)
    return 1 if share <= Fraction(1, 3) else 2 if share <= Fraction(2, 3) else 3


def test_assessments_are_the_definition(folder: Path, documents: dict, concepts: dict) -> None:
    plan = make_plan(TINY)
    for number, name in enumerate(plan.names):
        topic = set(plan.concepts[number].tolist())
        relevant = {}
        for document, held in concepts.items():
            for element, own in zip(documents[document][0], held, strict=True):
                if topic & own:
                    common = len(topic & own)
                    value = grade(common, len(topic)), grade(common, len(own))
                    relevant[document, element.path] = value
        values = assessed(folder / "assessments", name, "exhaustiveness", "specificity")
        judged = {key: tuple(map(int, value)) for key, value in values.items()}
        assert {key: value for key, value in judged.items() if value != (0, 0)} == relevant
        assert len(judged) > 2 * len(relevant)
        paths = {name: {e.path for e in elements} for name, (elements, _) in documents.items()}
        assert all(path in paths[document] for document, path in judged)


def test_assessments_of_2002_are_the_definition(folder: Path, documents: dict, concepts: dict) -> None:
    """Relevance is exhaustiveness; coverage says whether the topic is the main theme, and of enough text."""
    plan = make_plan(TINY)
    seen = set()
    for number, name in enumerate(plan.names):
        topic = set(plan.concepts[number].tolist())
        judged = assessed(folder / "assessments-2002", name, "relevance", "coverage")
        assert list(judged) == list(assessed(folder / "assessments", name))
        for document, held in concepts.items():
            for element, own in zip(documents[document][0], held, strict=True):
                common, size = len(topic & own), element.end - element.start
                relevance = grade(common, len(topic))
                if common == 0:
                    coverage = "N"
                elif Fraction(common, len(own)) <= Fraction(1, 2):
                    coverage = "L"
                else:
                    coverage = "S" if size < TINY.too_small and relevance < 3 else "E"
                found = judged.get((document, element.path))
                assert found == (str(relevance), coverage) or (found is None and common == 0)
                seen.add(coverage)
    assert seen == {"N", "L", "S", "E"}


def test_continuous_assessments_are_the_definition(
    folder: Path, made: list[Block], documents: dict, concepts: dict
) -> None:
    plan = make_plan(TINY)
    names = list(documents)
    shares: dict[tuple[str, int], set[int]] = {}
    found: list[tuple[str, int, int]] = []
    for block in made:
        for row, concept in zip(block.holder, block.concept, strict=True):
            article = int(np.searchsorted(block.trees.first, row, side="right")) - 1
            key = names[block.articles.start + article], int(row - block.trees.first[article])
            shares.setdefault(key, set()).add(int(concept))
    for number, name in enumerate(plan.names):
        topic = set(plan.concepts[number].tolist())
        expected = {}
        for document, (elements, _) in documents.items():
            whole = [False] * len(elements)
            for row, element in enumerate(elements):
                every = concepts[document][row]
                relevant = [
                    bool(concepts[document][inner] & topic)
                    for inner in range(row, element.last)
                    if elements[inner].tag == "p"
                    and elements[elements[inner].parent].tag not in ("kwd", "ack", "vt")
                ]
                only_theme = grade(len(every & topic), len(every)) == 3
                if only_theme and relevant and 2 * sum(relevant) >= len(relevant):
                    whole[row : element.last] = [True] * (element.last - row)
            own = [0] * len(elements)
            for row, element in enumerate(elements):
                reader = row
                while elements[reader].tag in INLINE and (document, reader) not in shares:
                    reader = elements[reader].parent
                held = shares.get((document, reader), set())
                size = sum(map(len, element.own))
                if whole[row]:
                    own[row] = size
                elif held & topic:
                    own[row] = int(np.ceil(Fraction(size * len(held & topic), len(held))))
            for row, element in enumerate(elements):
                if common := len(topic & concepts[document][row]):
                    size = element.end - element.start
                    value = "?" if size < TINY.too_small else "2" if grade(common, len(topic)) == 3 else "1"
                    expected[document, element.path] = value, size, sum(own[row : element.last])
        values = assessed(folder / "assessments-2005", name, "exhaustivity", "size", "rsize")
        judged = {key: (value, int(size), int(rsize)) for key, (value, size, rsize) in values.items()}
        assert judged == expected
        found += expected.values()
    assert {value for value, _, _ in found} == {"?", "1", "2"}
    assert any(size == rsize > 1_000 for _, size, rsize in found)  # sections that are highlighted as a whole


@pytest.mark.parametrize("grammar", ["ieee", "wikipedia"])
def test_highlights_are_the_definition(grammar: str, tmp_path: Path) -> None:
    """Relevant paragraphs that follow one another, with what holds no others; of one alone, the topic's share."""
    chosen = settings("tiny", articles=50, grammar=grammar, scattered=50, seed=11)
    write_campaign(chosen, tmp_path)
    plan, names, pooled, alone = make_plan(chosen), article_names(chosen.articles), {}, 0
    made = [make_block(chosen, number) for number in blocks(chosen)]
    lines = [line.split() for line in (tmp_path / "highlights.qrels").read_text("ascii").splitlines()]
    for topic, _, document, rsize, size, *rest in lines:
        pooled.setdefault(topic, set()).add(document)
        block = next(each for each in made if names.index(document) in each.articles)
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


def test_topics_name_concepts_and_words_that_say_little(folder: Path, documents: dict) -> None:
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


def test_articles_are_relevant_as_planned(made: list[Block]) -> None:
    plan = make_plan(TINY)
    judged = pd.concat([assess(TINY, number, block) for number, block in enumerate(made)])
    articles = judged[judged["root"] & (judged["exhaustivity"] > 0)]
    assert len(articles) == TINY.topics * TINY.relevant_articles
    counts = articles.groupby(["exhaustivity", "specificity"]).size()
    planned = np.bincount(plan.cell[plan.cell >= 0], minlength=len(CELLS))
    assert [int(counts.get(cell, 0)) for cell in CELLS] == planned.tolist()


def test_shares_follow_table_1() -> None:
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


def test_trees_have_the_size_and_depth_of_the_papers_collection() -> None:
    rng = np.random.default_rng(7)
    trees = grow_trees(rng, 2_000)
    assert len(trees) / 2_000 == pytest.approx(8_000_000 / 12_107, rel=0.03)
    assert (trees.depth + 1).mean() == pytest.approx(6.9, abs=0.1)


def test_apportion_gives_all_seats_in_proportion() -> None:
    assert apportion([1, 1, 2], 8).tolist() == [2, 2, 4]
    assert apportion([5, 3, 1], 7).tolist() == [4, 2, 1]
    assert apportion([1, 1, 1], 2).sum() == 2


@pytest.mark.parametrize(
    ("size", "changes", "named"),
    [
        ("huge", {}, "size"),
        ("tiny", {"article": 3}, "unknown key 'article'"),
        ("tiny", {"topics": 100}, "relevant_articles"),
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
def test_settings_that_cannot_be_met_are_refused(size: str, changes: dict, named: str) -> None:
    with pytest.raises(InputError, match=named):
        settings(size, **changes)


def test_thresholds_are_settings() -> None:
    chosen = settings(
        "tiny", topic_concepts=[5, 6], exhaustivity_above=[0.3, 0.5], specificity_above=[0.2, 0.75]
    )
    block = make_block(chosen, 0)
    plan = make_plan(chosen)
    judged = assess(chosen, 0, block).query("exhaustivity > 0").groupby("topic").size()
    values = assess(chosen, 0, block).set_index(["topic", "document", "path"])
    row, concept = content(block.trees, block.holder, block.concept)
    names = article_names(chosen.articles)
    for number, own in enumerate(plan.concepts):
        asked = set(own.tolist())
        relevant = 0
        for element in range(len(block.trees)):
            held = set(concept[row == element].tolist())
            if common := len(held & asked):
                article = np.searchsorted(block.trees.first, element, side="right") - 1
                value = values.loc[number, names[article], block.trees.path(element)]
                exhaustiveness, specificity = Fraction(common, len(asked)), Fraction(common, len(held))
                assert value["exhaustivity"] == 1 + (exhaustiveness > Fraction(3, 10)) + (
                    exhaustiveness * 2 > 1
                )
                assert value["specificity"] == 1 + (specificity * 5 > 1) + (specificity * 4 > 3)
                relevant += 1
        assert judged[number] == relevant > 0
