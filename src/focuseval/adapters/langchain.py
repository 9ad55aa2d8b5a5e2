"""A measure as an evaluator of LangSmith, for ``evaluate(…, evaluators=[TextEvaluator("AiP")])``."""

from typing import Any
from uuid import UUID

from langsmith.evaluation import EvaluationResult, RunEvaluator
from langsmith.schemas import Example, Run

from focuseval.adapters.questions import values


class TextEvaluator(RunEvaluator):
    """An evaluator that compares the documents of a run with those of its example.

    Both have the documents under ``key`` in their outputs. Documents are ``Document`` objects, their dictionaries, or
    dictionaries with document, start and end. ``inputs`` are arguments of `focuseval.score`, such as ``documents``.
    """

    def __init__(self, measure: str = "char_recall", *, key: str = "documents", **inputs: Any) -> None:
        self.measure, self.key, self.inputs = measure, key, inputs

    def evaluate_run(
        self, run: Run, example: Example | None = None, evaluator_run_id: UUID | None = None
    ) -> EvaluationResult:
        """Return the value of one run, or no value if nothing is expected."""
        expected, retrieved = (((one and one.outputs) or {}).get(self.key, []) for one in (example, run))
        [value] = values(self.measure, [expected], [retrieved], **self.inputs)
        return EvaluationResult(key=self.measure, score=None if value != value else value)
