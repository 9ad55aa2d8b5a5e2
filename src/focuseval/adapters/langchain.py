"""A LangSmith evaluator that computes a measure, for ``evaluate(…, evaluators=[TextEvaluator("AiP")])``."""

from typing import Any
from uuid import UUID

from langsmith.evaluation import EvaluationResult, RunEvaluator
from langsmith.schemas import Example, Run

from focuseval.adapters.questions import values


class TextEvaluator(RunEvaluator):
    """An evaluator that compares the documents that a run retrieved with the documents that its example expects.

    The outputs of the run and of the example contain documents under ``key``. A document is a ``Document`` object or a
    dictionary made from it. It can also be a dictionary with document, start and end. ``inputs`` are further arguments
    of `focuseval.score`, such as ``documents``.
    """

    def __init__(self, measure: str = "char_recall", *, key: str = "documents", **inputs: Any) -> None:
        self.measure, self.key, self.inputs = measure, key, inputs

    def evaluate_run(
        self, run: Run, example: Example | None = None, evaluator_run_id: UUID | None = None
    ) -> EvaluationResult:
        """Return the measure's value for one run. The result has no value if the example expects no documents."""
        expected, retrieved = (((one and one.outputs) or {}).get(self.key, []) for one in (example, run))
        [value] = values(self.measure, [expected], [retrieved], **self.inputs)
        return EvaluationResult(key=self.measure, score=None if value != value else value)
