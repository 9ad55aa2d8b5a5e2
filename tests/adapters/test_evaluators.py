"""Evaluators for other libraries where the page has no example. Each test needs its library."""

import pytest

from focuseval.adapters.questions import values
from focuseval.errors import InputError

TEXTS = {"a.md": "One two three. Four five six.\n\nOne two three. Seven.\n", "b.md": "Nothing here. Four"}
SEVEN = {"document": "a.md", "start": 46, "end": 52}
pytestmark = pytest.mark.filterwarnings("ignore")


def langchain(text, source="a.md"):
    return {"page_content": text, "metadata": {"source": source}}


def test_values_of_questions():
    expected = [[SEVEN], [SEVEN | {"start": 15, "end": 29}], [], [SEVEN]]
    retrieved = [[langchain("Nothing here.", "b.md"), langchain("Seven.")], [langchain("Four five")], [], []]
    scores = values("char_recall", expected, retrieved, texts=TEXTS)
    assert scores == pytest.approx([1.0, 9 / 14, float("nan"), 0.0], nan_ok=True)
    assert values("RR(relevant=touches)", [[SEVEN]], [[SEVEN | {"start": 0, "end": 9}, SEVEN]]) == [0.5]
    assert values("AiP", [[], [SEVEN]], [[], []]) == pytest.approx([float("nan"), 0.0], nan_ok=True)
    with pytest.raises(InputError, match="questions: the value is a dict; expected documents of LangChain"):
        values("AiP", [[SEVEN]], [[SEVEN, langchain("Seven.")]], texts=TEXTS)
    with pytest.raises(InputError, match="questions: the value is a str; expected documents of LangChain"):
        values("AiP", [["Seven."]], [["Seven."]], texts=TEXTS)


def test_a_text_of_llama_index_in_several_documents_is_reported():
    pytest.importorskip("llama_index.core")
    from focuseval.adapters.llama_index import TextMetric

    metric = TextMetric(measure="char_recall", texts=TEXTS)
    evaluation = metric.compute(expected_texts=["Seven.", "Nothing"], retrieved_texts=["Nothing here."])
    assert (metric.metric_name, evaluation.score) == ("char_recall", pytest.approx(7 / 13))
    assert metric.compute(expected_texts=["Seven."], retrieved_texts=[]).score == 0
    with pytest.raises(
        InputError, match="2 documents have the text 'Four'; expected each text in exactly one document"
    ):
        metric.compute(expected_texts=["Four"], retrieved_texts=["Seven."])
    with pytest.raises(InputError, match="occurs 2 times"):
        metric.compute(expected_texts=["One two three."], retrieved_texts=["Seven."])


def test_a_component_of_haystack_is_saved_and_loaded():
    haystack = pytest.importorskip("haystack")
    from focuseval.adapters.haystack import TextEvaluator

    pipeline = haystack.Pipeline()
    pipeline.add_component("e", TextEvaluator("AiP", TEXTS))
    loaded = haystack.Pipeline.loads(pipeline.dumps(), allowed_modules=["focuseval.adapters.haystack"])
    assert (loaded.get_component("e").measure, loaded.get_component("e").texts) == ("AiP", TEXTS)


def test_a_run_of_langchain_without_an_example_has_no_score():
    schemas = pytest.importorskip("langsmith.schemas")
    from focuseval.adapters.langchain import TextEvaluator

    run = schemas.Run.model_construct(outputs={"documents": [langchain("Seven.")]})
    assert TextEvaluator(texts=TEXTS).evaluate_run(run).score is None


def test_a_scorer_of_mlflow_takes_what_retrievers_returned(tmp_path):
    mlflow = pytest.importorskip("mlflow")
    pytest.importorskip("mlflow.store.tracking.sqlalchemy_store")
    from focuseval.adapters.mlflow import text_scorer

    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/traces.db")
    with mlflow.start_span("question") as top, mlflow.start_span("search", span_type="RETRIEVER") as search:
        search.set_outputs([mlflow.entities.Document("Seven.", {"source": "a.md"})])
    trace = mlflow.get_trace(top.trace_id, flush=True)
    scorer = text_scorer("char_recall", texts=TEXTS)
    assert scorer.run(trace=trace, expectations={"documents": [SEVEN]}).value == 1
    assert (
        scorer(outputs=[langchain("Nothing here.", "b.md")], expectations={"documents": [SEVEN]}).value == 0
    )
    nothing = scorer(outputs=[langchain("Seven.")], expectations={})
    assert nothing.value is None and "no documents are expected" in str(nothing.error)
