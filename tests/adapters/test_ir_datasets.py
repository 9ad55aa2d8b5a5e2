"""Data sets of ir_datasets: this test registers small ones of its own classes."""

import pandas as pd
import pytest

import focuseval
from focuseval.errors import InputError

ir_datasets = pytest.importorskip("ir_datasets")


class Store:
    def __init__(self, documents):
        self.documents = documents

    def get_many_iter(self, names):
        return (one for one in reversed(self.documents) if one.doc_id in names)  # any order is possible


class Documents(ir_datasets.formats.BaseDocs):
    def __init__(self, documents):
        self.documents = documents

    def docs_cls(self):
        return type(self.documents[0])

    def docs_store(self):
        return Store(self.documents)


class Qrels(ir_datasets.formats.BaseQrels):
    def __init__(self, qrels):
        self.qrels = qrels

    def qrels_iter(self):
        return iter(self.qrels)

    def qrels_cls(self):
        return type(self.qrels[0])


def data_set(monkeypatch, documents, qrels):
    dataset = ir_datasets.Dataset(Documents(documents), Qrels(qrels))
    monkeypatch.setitem(ir_datasets.registry._registered, "small", dataset)
    return "small"


def rows(frame):
    return list(frame.itertuples(index=False, name=None))


def test_spans_of_trec_genomics(monkeypatch):
    from ir_datasets.datasets.highwire import HighwireDoc, HighwireQrel

    name = data_set(
        monkeypatch,
        [HighwireDoc("1", "j", "t", ())],
        [HighwireQrel("160", "1", 100, 50, 2), HighwireQrel("160", "1", 300, 10, 0)],
    )
    gold = focuseval.from_ir_datasets(name)
    assert rows(gold) == [("160", "1", 100, 150, 2), ("160", "1", 300, 310, 0)]
    run = pd.DataFrame(
        [("160", "1", 125, 50, 1.0)], columns=["query_id", "doc_id", "start", "length", "score"]
    )
    scores = focuseval.score(
        ["char_recall", "char_precision"], gold=gold, runs={"r": focuseval.from_ir_datasets(name, run)}
    )
    assert scores["value"].tolist() == [0.5, 0.5]


def test_passages_of_natural_questions_nest(monkeypatch):
    from ir_datasets.datasets.natural_questions import NqPassageDoc, NqQrel

    table = NqPassageDoc("7-0", "", "", 100, 300, 0, 9, "T", "U", None)
    cell = NqPassageDoc("7-1", "", "", 150, 200, 2, 3, "T", "U", "7-0")
    name = data_set(monkeypatch, [table, cell], [NqQrel("q", "7-1", 1, [], "NONE")])
    assert rows(focuseval.from_ir_datasets(name)) == [("q", "7", 150, 200, 1)]
    run = focuseval.from_ir_datasets(name, {"q": {"7-0": 2.5}})
    assert rows(run) == [("q", "7", 100, 300, 2.5)]
    with pytest.raises(InputError, match=r"small: the data set has no 7-5, 8-0; expected its documents"):
        focuseval.from_ir_datasets(name, {"q": {"7-5": 2.0, "8-0": 1.0}})


def test_passages_of_ms_marco_from_their_first_sentence_to_the_last(monkeypatch):
    from ir_datasets.datasets.msmarco_passage_v2 import MsMarcoV2Passage
    from ir_datasets.formats import TrecQrel

    passage = MsMarcoV2Passage("p_0", "A. B.", ((12, 40), (41, 60)), "d_0")
    name = data_set(monkeypatch, [passage], [TrecQrel("q", "p_0", 3, "0")])
    assert rows(focuseval.from_ir_datasets(name)) == [("q", "d_0", 12, 60, 3)]


def test_passages_of_trec_cast_follow_one_another(monkeypatch):
    from ir_datasets.datasets.trec_cast import CastPassageDoc
    from ir_datasets.formats import TrecQrel

    parts = [CastPassageDoc(f"M-1-{i}", "T", "U", "x" * i) for i in (1, 2, 3)]
    name = data_set(monkeypatch, parts, [TrecQrel("q", "M-1-3", 1, "0"), TrecQrel("q", "M-1-1", 2, "0")])
    assert rows(focuseval.from_ir_datasets(name)) == [("q", "M-1", 5, 8, 1), ("q", "M-1", 0, 1, 2)]


def test_documents_of_kilt_are_whole(monkeypatch):
    from ir_datasets.datasets.kilt import KiltDoc
    from ir_datasets.formats import TrecQrel

    page = KiltDoc("9", "T", "x", ("x",), (), (), *[""] * 6)
    name = data_set(monkeypatch, [page], [TrecQrel("q", "9", 2, "0")])
    assert rows(focuseval.from_ir_datasets(name)) == [("q", "9", 2)]
