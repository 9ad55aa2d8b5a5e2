"""An MLflow scorer that computes a measure, for ``mlflow.genai.evaluate(…, scorers=[text_scorer("AiP")])``."""

from typing import Any

from mlflow.entities import Feedback, Trace
from mlflow.genai.scorers import Scorer, scorer

from focuseval.adapters.questions import values


def text_scorer(measure: str = "char_recall", *, key: str = "documents", **inputs: Any) -> Scorer:
    """Return a scorer that compares the retrieved documents with the expected documents.

    The expectations contain documents under ``key``. The outputs of the trace's retriever spans are the retrieved
    documents. If there are no such spans, the scorer uses the documents under ``key`` in the outputs.

    A document is a framework's object or a dictionary made from it. It can also be a dictionary with document, start
    and end. ``inputs`` are further arguments of `focuseval.score`, such as ``documents``. If no document is expected,
    the feedback contains an error and no value.
    """

    @scorer(name=measure)
    def score(outputs: Any = None, expectations: Any = None, trace: Trace | None = None) -> Feedback:
        spans = trace.search_spans(span_type="RETRIEVER") if trace is not None else []
        retrieved = [document for span in spans for document in span.outputs or []]
        if not spans:
            retrieved = outputs.get(key, []) if isinstance(outputs, dict) else outputs or []
        [value] = values(measure, [(expectations or {}).get(key, [])], [retrieved], **inputs)
        error = f"the expectations have no {key}" if value != value else None
        return Feedback(name=measure, value=None if error else value, error=error)

    return score
