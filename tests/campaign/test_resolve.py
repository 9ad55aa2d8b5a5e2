"""Assessments and runs on their collection: resolved places, unresolved ones and their notices."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from focuseval.api import read_campaign, score
from focuseval.campaign import resolve
from focuseval.campaign.collection_read import collection_from_source
from focuseval.campaign.notices import OUTSIDE
from focuseval.campaign.resolve import _places, known_collection, results_of, topics_of
from focuseval.errors import InputError
from focuseval.formats.readers import read_assessments, read_runs
from focuseval.measures import MEASURES
from focuseval.measures.declaration import parse_specs
from focuseval.scoring.score import score as score_campaign
from tests.affected import affected
from tests.folders import write_files

DOCUMENT = "<article>ab<sec>cde<it>fg</it>h</sec><sec/>ij<p>klm</p></article>"  # 13 characters


@pytest.fixture
def folder(tmp_path):
    write_files(tmp_path, {"xml/an/a1.xml": DOCUMENT, "xml/an/a2.xml": "<article><p>xyz</p></article>"})
    return tmp_path


def test_results_are_found_on_the_collection(folder):
    (folder / "r").write_text(
        "1 Q0 an/a1 1 9 r /article[1]/sec[1]/it[1]\n1 Q0 an/a1 2 8 r /article/p\n1 Q0 an/a2 3 7 r /article[1]\n"
    )
    collection = collection_from_source(folder / "xml")
    runs, _ = read_runs(folder / "r")
    results, problems = results_of(runs, collection)
    assert problems == []
    assert [collection.path(int(row)) for row in results.element] == [
        "/article[1]/sec[1]/it[1]",
        "/article[1]/p[1]",
        "/article[1]",
    ]
    assert results.start.tolist() == [5, 10, 0]
    assert results.end.tolist() == [7, 13, 3]


def test_a_passage_with_exactly_an_elements_interval_is_the_deepest_such_element(folder):
    # offset and length: the first section, its italic words, one character more, nothing, the whole of a2
    passages = [("a1", 2, 6), ("a1", 5, 2), ("a1", 5, 3), ("a1", 8, 0), ("a2", 0, 3), ("a1", 2, 6)]
    lines = [f"1 Q0 an/{d} {i} {9 - i} r {o} {n}\n" for i, (d, o, n) in enumerate(passages, 1)]
    (folder / "r").write_text("".join(lines))
    collection = collection_from_source(folder / "xml")
    runs, _ = read_runs(folder / "r")
    results, problems = results_of(runs, collection)
    assert problems == []
    paths = [collection.path(int(row)) if row >= 0 else "" for row in results.element]
    section = "/article[1]/sec[1]"
    # a2's article and its paragraph hold the same text
    assert paths == [section, f"{section}/it[1]", "", "", "/article[1]/p[1]", section]
    assert results.start.tolist() == [2, 5, 5, 8, 0, 2]
    [paths] = results.lists()
    assert paths.repeats.tolist() == [False] * 5 + [True]


def test_passages_that_are_no_element_are_refused_under_measures_of_elements(folder):
    (folder / "q").write_text("1 Q0 an/a1 6 13 2 2:6\n")
    (folder / "exact").write_text("1 Q0 an/a1 1 9 exact 2 6\n")
    (folder / "other").write_text(
        "1 Q0 an/a1 1 9 other 2 6\n1 Q0 an/a1 2 8 other 9 2\n1 Q0 an/a1 3 7 other 0 1\n"
    )
    inputs = {"assessments": folder / "q", "collection": folder / "xml"}
    names = [
        "nxCG(quantisation=specificity)@1",
        "MAep(quantisation=specificity)",
        "inex2003",
        "precall",
        "SR",
    ]
    (folder / "element").write_text("1 Q0 an/a1 1 9 element /article[1]/sec[1]\n")
    values = score(names, runs=folder / "exact", **inputs)["value"]
    assert values.tolist() == score(names, runs=folder / "element", **inputs)["value"].tolist()
    assert (values > 0.7).all() and values[0] == 1
    for name in [*names, "EPRUM(navigation=standard)"]:
        with pytest.raises(InputError) as error:
            score([name], runs=[folder / "other", folder / "exact"], **inputs)
        [problem] = error.value.problems
        assert problem.found == "run 'other' returned passages that are not elements (2 results)"
        fitting = problem.expected.split("such as ")[1].split(", ")
        assert {"AiP", "char_recall"} <= set(fitting)
        assert {"nxCG", "inex2003", "precall", "SR"}.isdisjoint(fitting)
    for name in ("nxCG(fetch_browse=article)@1", "EPRUM", "AiP"):
        score([name], runs=folder / "other", **inputs)


def test_elements_at_against_a_search_by_hand():
    from tests.trees import random_collection

    rng = np.random.default_rng(7)
    for _ in range(15):
        collection, _ = random_collection(rng, 3, 15)
        document = rng.integers(0, 3, 60)
        start, end = np.sort(rng.integers(0, collection.end.max() + 1, (2, 60)), axis=0)
        rows = rng.integers(0, len(collection), 60)  # every second interval is an element's
        document[::2], start[::2], end[::2] = (
            column[::2]
            for column in (collection.document_of(rows), collection.start[rows], collection.end[rows])
        )
        expected = []
        for d, s, e in zip(document, start, end, strict=True):
            same = (collection.document_of(np.arange(len(collection))) == d) & (collection.start == s)
            at = np.flatnonzero(same & (collection.end == e))
            expected.append(max(at, key=lambda row: collection.depth[row]) if len(at) and e > s else -1)
        assert collection.elements_at(document, start, end).tolist() == expected


def test_lists_are_in_rank_order_and_cut(folder):
    lines = [f"{t} Q0 an/a{1 + i % 2} {i + 1} {9 - i} r /article[1]" for t in ("2", "1") for i in range(5)]
    (folder / "r").write_text("\n".join(lines) + "\n")
    runs, _ = read_runs(folder / "r")
    results, _ = results_of([replace(run, most=3) for run in runs], collection_from_source(folder / "xml"))
    assert [results.topics[t] for t in results.topic] == ["2", "2", "2", "1", "1", "1"]
    assert results.rank.tolist() == [1, 2, 3, 1, 2, 3]


def test_highlights_judge_every_element_that_holds_them(folder):
    # "de" and "fg" of the first section, 4 of its 6 characters, and 2 of 2 of the italic words
    (folder / "q").write_text("1 Q0 an/a1 4 13 3 3:4\n2 Q0 an/a2 0 3\n")
    collection = collection_from_source(folder / "xml")
    topics, problems = topics_of(read_assessments(folder / "q"), collection)
    assert problems == []
    shares = {
        collection.path(int(r)): s for r, s in zip(topics[0].element, topics[0].specificity, strict=True)
    }
    assert shares == {"/article[1]": 4 / 13, "/article[1]/sec[1]": 4 / 6, "/article[1]/sec[1]/it[1]": 1.0}
    assert set(topics[0].exhaustivity) == {2.0}
    assert topics[0].entry_point == {0: 3}
    assert len(topics[1].element) == 0


def test_passages_given_by_xpath_points(folder):
    (folder / "q.xml").write_text(
        '<assessments pool="7" topic="1"><file collection="c" name="an/a1">'
        '<passage start="/article[1]/sec[1]/text()[1].1" end="/article[1]/sec[1]/text()[2].1" size="5"/>'
        '<element path="/article[1]/sec[1]" exhaustivity="2" size="6" rsize="5"/>'
        "</file></assessments>"
    )
    collection = collection_from_source(folder / "xml")
    raw = read_assessments(folder / "q.xml")
    [topic], problems = topics_of(raw, collection)
    assert problems == []
    assert (topic.highlights.start.tolist(), topic.highlights.end.tolist()) == ([3], [8])
    assert raw.pools == {"1": {"7"}}


def test_without_a_collection_elements_are_identified_by_paths(folder):
    (folder / "q.tsv").write_text(
        "topic\tdocument\tpath\texhaustivity\tspecificity\n1\td\t/article[1]/sec[2]/p[1]\t3\t3\n"
    )
    (folder / "r").write_text("1 Q0 d 1 9 r /article[1]/sec[1]\n1 Q0 e 2 8 r /article[1]/sec[2]\n")
    raw = read_assessments(folder / "q.tsv")
    runs, _ = read_runs(folder / "r")
    collection = known_collection(raw, runs)
    assert not collection.complete
    paths = [collection.path(row) for row in range(len(collection))]
    assert paths == [
        "/article[1]",
        "/article[1]/sec[1]",
        "/article[1]/sec[2]",
        "/article[1]/sec[2]/p[1]",
        "/article[1]",
        "/article[1]/sec[2]",
    ]
    assert collection.last.tolist() == [4, 2, 4, 4, 6, 6]
    results, problems = results_of(runs, collection)
    assert problems == [] and results.element.tolist() == [1, 5]


@pytest.mark.parametrize(
    ("judged", "unassessed"),
    [
        (
            '<path path="/article[1]" relevance="3" coverage="E"/>',
            '<path path="/article[1]" relevance="U" coverage="U"/>',
        ),
        ('<path path="/article[1]" exhaustiveness="3" specificity="3"/>', '<path path="/article[1]"/>'),
        (
            '<element path="/article[1]" exhaustivity="2" size="13" rsize="5"/>',
            '<element path="/article[1]" exhaustivity="U"/>',
        ),
    ],
    ids=["2002", "2003", "2005"],
)
def test_empty_files_of_assessments_are_judged(folder, judged, unassessed):
    attribute = "name" if "<element" in judged else "file"
    files = (
        f'<file {attribute}="an/a{i}">{inside}</file>'
        for i, inside in enumerate((judged, " ", unassessed), 1)
    )
    (folder / "q.xml").write_text(f'<assessments topic="1">{"".join(files)}</assessments>')
    lines = (f"1 Q0 an/a{rank} {rank} {1 / rank} r /article[1]\n" for rank in range(1, 5))
    (folder / "r").write_text("".join(lines))
    campaign = read_campaign(assessments=folder / "q.xml", runs=folder / "r")
    scores = score_campaign(campaign.topics, campaign.results, parse_specs("RR", MEASURES))
    assert affected(scores.notices, OUTSIDE) == {
        "r": 2
    }  # the third is unassessed and the fourth is not in the file
    assert scores.means()["value"].tolist() == [1.0]


def test_without_a_collection_judged_documents_come_before_those_of_runs(folder):
    (folder / "q").write_text("1 0 d5 1\n1 0 d2 0\n")
    (folder / "a").write_text("1 Q0 d9 1 9 a\n1 Q0 d5 2 8 a\n")
    (folder / "b").write_text("1 Q0 d1 1 9 b\n1 Q0 d9 2 8 b\n1 Q0 d2 3 7 b\n")
    raw = read_assessments(folder / "q")
    files = [folder / "a", folder / "b"]
    runs, _ = read_runs(files)
    collection = known_collection(raw, runs)
    assert collection.names.tolist() == ["d2", "d5", "d9", "d1"]
    results, problems = results_of(runs, collection)
    assert problems == []
    assert results.document.tolist() == [2, 1, 3, 2, 0] == results.element.tolist()
    assert set(results.start) == {0} and set(results.end) == {-1}
    [topic], _ = topics_of(raw, collection)
    assert topic.assessed is not None and topic.assessed.tolist() == [0, 1]


@pytest.mark.parametrize("offset", [7, 3_000_000_000])
def test_numbers_have_32_bits_where_they_fit(folder, offset):
    (folder / "q").write_text("1 Q0 a 0 100\n1 Q0 b 5 100 0 0:5\n")
    (folder / "one").write_text("1 Q0 b 1 9 one 0 5\n1 Q0 c 2 8 one 3 4\n")
    (folder / "two").write_text(f"1 Q0 b 1 9 two 0 5\n1 Q0 c {offset} 8 two {offset} 4\n")
    campaign = read_campaign(assessments=folder / "q", runs=[folder / "one", folder / "two"])
    assert campaign.results.rank.tolist() == [1, 2, 1, offset]
    assert campaign.results.start.tolist() == [0, 3, 0, offset]
    assert campaign.results.end.tolist() == [5, 7, 5, offset + 4]
    large = np.int64 if offset > 2**31 else np.int32
    assert campaign.results.document.dtype == np.int32 and campaign.results.start.dtype == large


def test_a_rank_far_below_zero_is_unchanged(folder):
    (folder / "q").write_text("1 0 b 1\n")
    (folder / "one").write_text("1 Q0 a -3000000000 9 one\n1 Q0 b 1 8 one\n")
    campaign = read_campaign(assessments=folder / "q", runs=[folder / "one"])
    assert campaign.results.rank.tolist() == [-3_000_000_000, 1]


def test_a_document_has_all_of_its_named_paths(folder):
    paths = ["/article[1]/bdy[1]/sec[2]", "/article[1]/fm[1]", "/article[1]/bdy[1]"]
    rows = "".join(f"1\td\t{path}\t2\t1\n1\te{place}\t{path}\t2\t1\n" for place, path in enumerate(paths))
    (folder / "q.tsv").write_text(f"topic\tdocument\tpath\texhaustivity\tspecificity\n{rows}")
    (folder / "r").write_text(
        "".join(f"1 Q0 x{place} {place} {-place} r\n" for place in range(1, 20))
    )  # without paths
    runs, _ = read_runs(folder / "r")
    collection = known_collection(read_assessments(folder / "q.tsv", scale="inex2005"), runs)
    held = [
        [collection.path(row) for row in range(*collection.first[place : place + 2])] for place in range(4)
    ]
    assert held[0] == ["/article[1]", "/article[1]/bdy[1]", "/article[1]/bdy[1]/sec[2]", "/article[1]/fm[1]"]
    assert held[1:] == [held[0][:3], ["/article[1]", "/article[1]/fm[1]"], held[0][:2]]
    assert collection.last[:4].tolist() == [4, 3, 3, 4] and collection.parent[:4].tolist() == [-1, 0, 1, 0]


@pytest.mark.parametrize("part", [2, resolve._PART])
def test_names_are_found_in_any_numbers_and_parts(part, monkeypatch):
    monkeypatch.setattr(resolve, "_PART", part)
    names = pd.Index(["c", "a", "b"], dtype="str")
    for expected, places in ((["b", "x"], [2, -1]), (["b", "x", "a", "y", "c"], [2, -1, 1, -1, 0]), ([], [])):
        for kind in ("str", object):
            assert _places(names, pd.Index(expected, dtype=kind)).tolist() == places
            assert _places(names.astype(kind), pd.Index(expected, dtype="str")).tolist() == places
    assert _places(names, names).tolist() == [0, 1, 2]
