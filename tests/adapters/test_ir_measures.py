"""The measures inside ir_measures, and PyTerrier where it is installed."""

import pandas as pd
import pytest

import focuseval
from focuseval.ir_measures import AP, AiP, FocusevalProvider, char_recall, provider, span_F1
from focuseval.measures import MEASURES

ir_measures = pytest.importorskip("ir_measures")
pytestmark = pytest.mark.filterwarnings("ignore::focuseval.InputWarning")

QRELS = pd.DataFrame(
    [("1", "a", 10, 20, 1), ("2", "a", 0, 5, 2), ("2", "b", 4, 9, 1), ("3", "b", 0, 9, 0)],
    columns=["query_id", "doc_id", "start", "end", "relevance"],
)
RUN = pd.DataFrame(
    [("1", "b", 0, 4, 2.0), ("1", "a", 12, 30, 1.0), ("3", "b", 0, 9, 1.0), ("9", "b", 0, 9, 1.0)],
    columns=["query_id", "doc_id", "start", "end", "score"],
)
REQUESTED = [AiP, char_recall @ 1, char_recall @ "10c", AP(relevant="touches", rel=1), span_F1 @ 0.2]


def expected(**inputs):
    columns = {"query_id": "topic", "doc_id": "document", "relevance": "grade"}
    names = [measure.full_name() for measure in REQUESTED]
    gold, run = QRELS.rename(columns=columns), RUN.rename(columns=columns)
    scores = focuseval.score(names, gold=gold, runs={"run": run}, average_over="assessed", **inputs)
    return dict(zip(scores["measure"], scores["value"], strict=True))


def test_values_are_those_of_score_whatever_form_qrels_and_runs_have():
    for qrels, run in ((QRELS, RUN), (QRELS.itertuples(index=False), RUN.itertuples(index=False))):
        aggregates = ir_measures.calc_aggregate([*REQUESTED, ir_measures.nDCG @ 10], qrels, run)
        assert {m.full_name(): v for m, v in aggregates.items() if m in REQUESTED} == pytest.approx(
            expected()
        )
    assert aggregates[AiP] == pytest.approx(
        (8 / 22 * 81 / 101 + 0) / 2
    )  # topic 1: 8 of 10 characters of gold in 4 + 18; topic 2 is missing
    values = {(one.query_id, str(one.measure)): one.value for one in AiP.iter_calc(QRELS, RUN)}
    assert {topic for topic, _ in values} == {"1", "2"}  # nothing is relevant to 3
    assert str(span_F1 @ 0.2) == "span_F1(average='macro')@0.2"


def test_without_offsets_documents_are_whole_and_names_of_ir_measures_are_kept():
    qrels, run = {"q": {"d": 1, "e": 0}, "r": {"d": 1}}, {"q": {"e": 2.0, "d": 1.0}}
    aggregates = ir_measures.calc_aggregate([AP, ir_measures.AP], qrels, run)
    assert {str(measure): value for measure, value in aggregates.items()} == {
        "AP": 0.25,
        "focuseval_AP": 0.25,
    }
    assert ir_measures.calc_aggregate([AP], qrels, {}) == {AP: 0.0}


def test_every_measure_exists_with_its_parameters():
    for name, declared in MEASURES.items():
        measure = getattr(focuseval.ir_measures, name)
        assert set(measure.SUPPORTED_PARAMS) - {"cutoff"} == {p.name for p in declared.parameters}


def test_inputs_of_the_provider():
    texts = {"a": "One two three, four. Five six seven, eight.", "b": "Nine ten."}
    own, measure = (
        FocusevalProvider(texts=texts),
        char_recall @ "3w",
    )  # of results 2.0: Nine, and 1.0: three, four.
    assert own.calc_aggregate([measure], QRELS, RUN) == {measure: pytest.approx(0.4)}
    provider.inputs = {"texts": texts}
    try:
        assert measure.calc_aggregate(QRELS, RUN) == pytest.approx(0.4)
    finally:
        provider.inputs = {}


def test_experiments_of_pyterrier():
    pt = pytest.importorskip("pyterrier")
    names = {"query_id": "qid", "doc_id": "docno", "relevance": "label"}
    topics = pd.DataFrame({"qid": ["1", "2", "3"], "query": ["x", "y", "z"]})
    run = RUN.rename(columns=names).assign(rank=0)
    arguments = [run], topics, QRELS.rename(columns=names)
    table = pt.Experiment(*arguments, REQUESTED[:-1])
    assert {
        m.full_name(): pytest.approx(table[str(m)][0]) for m in REQUESTED[:-1]
    }.items() <= expected().items()
    # PyTerrier's mean is over all topics: AiP has no value where nothing is relevant, span_F1 has 0
    assert pd.isna(pt.Experiment(*arguments, REQUESTED)["AiP"][0])
