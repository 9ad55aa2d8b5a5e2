"""Retrieval from a campaign's own text: equal for any number of threads, and without omitted documents."""

import numpy as np
import pandas as pd
import pytest

from focuseval.errors import InputError
from focuseval.transformations.lists import stacked
from focuseval_papers.retrieval import baselines as module
from focuseval_papers.retrieval.baselines import load_terms, read_terms, retrieve_runs, write_terms
from focuseval_papers.workflow.campaign_settings import CampaignSettings
from focuseval_papers.workflow.element_tables import build_collection
from focuseval_papers.workflow.store import load_collection
from tests.folders import write_files
from tests.model.test_results import results
from tests.papers.retrieval.test_search import random_documents

TOPICS = {"1": "lions running", "2": "tiger x1", "3": "café bear"}


@pytest.fixture
def folder(tmp_path):
    rng = np.random.default_rng(5)
    documents = {f"{part}{name}": xml for part in "abcdef" for name, xml in random_documents(rng).items()}
    write_files(tmp_path, {f"documents/{name}.xml": xml for name, xml in documents.items()})
    topics = [f'<topic id="{name}"><title>{title}</title></topic>' for name, title in TOPICS.items()]
    write_files(tmp_path, {"topics.xml": f"<inex-topic-file>{''.join(topics)}</inex-topic-file>"})
    return tmp_path


def retrieved(folder, threads=1):
    """Return the results of all systems and the names of the documents."""
    build_collection(folder / "documents", folder / "collection", lenient=True)
    collection = load_collection(folder / "collection", "characters")
    source, topics = folder / "documents", folder / "topics.xml"
    inputs = {"collection": str(source), "topics": str(topics), "assessments": str(topics)}
    campaign = CampaignSettings.model_validate({"name": "it", "lenient": True, **inputs})
    elements = folder / "collection"
    write_terms(read_terms(source, load_collection(elements, "words"), threads), folder / "terms.parquet")
    terms = load_terms(folder / "terms.parquet")
    results, refusals = retrieve_runs(
        campaign, "as-declared", None, terms, topics, elements, collection, threads=threads
    )
    assert refusals == []
    columns = {name: getattr(results, name) for name in ("run", "topic", "rank", "document", "start", "end")}
    return pd.DataFrame(columns | {"score": results.score}), collection.names


def test_the_number_of_processes_changes_nothing(folder, monkeypatch):
    whole, _ = retrieved(folder)
    assert whole["topic"].nunique() == 3
    monkeypatch.setattr(module, "PART_BYTES", 100)
    for threads in (1, 3):
        pd.testing.assert_frame_equal(retrieved(folder, threads)[0], whole)


def test_terms_are_words_in_their_order(tmp_path):
    write_files(
        tmp_path, {"documents/b.xml": "<a>The lion <p>runs</p></a>", "documents/a.xml": "<a>Lions</a>"}
    )
    build_collection(tmp_path / "documents", tmp_path / "collection")
    write_terms(
        read_terms(tmp_path / "documents", load_collection(tmp_path / "collection", "words")),
        tmp_path / "terms",
    )
    terms = pd.read_parquet(tmp_path / "terms")["term"]
    assert [None if pd.isna(term) else term for term in terms] == ["lion", None, "lion", "run"]


def test_a_word_ends_between_elements_but_not_in_mixed_content(tmp_path):
    xml = "<a><t>Lions</t><p>run</p><p>un<b>believ</b>able</p></a>"
    write_files(tmp_path, {"xml/a.xml": xml, "html/a.html": "<p>Lions</p><p>run</p>"})
    for folder, words in (("xml", 3), ("html", 2)):
        build_collection(tmp_path / folder, tmp_path / "tables" / folder)
        terms = read_terms(tmp_path / folder, load_collection(tmp_path / "tables" / folder, "words"))
        assert [terms.names[number] for number in terms.number[:2]] == ["lion", "run"]
        assert len(terms.number) == words


def test_a_document_that_is_left_out_is_not_retrieved_either(folder):
    whole, _ = retrieved(folder)
    (folder / "documents" / "zero.xml").write_text("<article>lions running", encoding="utf-8")
    collection, names = retrieved(folder)
    assert "zero" not in names
    pd.testing.assert_frame_equal(collection, whole)


def test_stacked_runs_keep_their_lists():
    first = {("a", "2"): [5, 6], ("a", "1"): [7]}
    second = {("x", "1"): [8, 9], ("x", "3"): [1], ("y", "2"): [2, 3]}
    both = stacked([results(first, ("a.run",)), results(second)])
    lists = {(each.run, each.topic): each for each in both.lists()}
    assert {key: each.element.tolist() for key, each in lists.items()} == first | second
    assert all((np.diff(each.rank) >= 0).all() for each in lists.values())
    assert list(both.runs) == ["a", "x", "y"] and list(both.topics) == ["2", "1", "3"]
    places = list(zip(both.run, both.topic, both.rank, strict=True))
    assert places == sorted(places)
    assert lists["a", "2"].source == "a.run" and lists["a", "2"].line.tolist() == [1, 2]
    assert lists["x", "1"].source == "" and lists["x", "1"].line.tolist() == [-1, -1]
    assert stacked([results(first), results(second)]).line is None


def test_runs_of_one_name_are_refused():
    with pytest.raises(InputError, match="several runs are named 'a'; rename all but one"):
        stacked([results({("a", "1"): [1]}), results({("a", "2"): [1]})])
