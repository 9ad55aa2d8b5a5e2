"""A measure as a component of Haystack, like its ``DocumentRecallEvaluator``."""

from typing import Any

import numpy as np
from haystack import Document, component

from focuseval.adapters.questions import values


@component
class TextEvaluator:
    """A component that scores the retrieved documents by the text that they share with the expected documents.

    Each document has a file name and ``split_idx_start`` in its ``meta``. Without ``split_idx_start``, it is located in
    ``texts``, which have file names as keys.
    """

    def __init__(self, measure: str = "char_recall", texts: dict[str, str] | None = None) -> None:
        self.measure, self.texts = measure, texts

    @component.output_types(score=float, individual_scores=list[float])
    def run(
        self, ground_truth_documents: list[list[Document]], retrieved_documents: list[list[Document]]
    ) -> dict[str, Any]:
        """Return the value of each question (NaN if nothing is expected), and the mean of the defined values."""
        scores = values(self.measure, ground_truth_documents, retrieved_documents, texts=self.texts)
        defined = [value for value in scores if value == value]
        return {"score": float(np.mean(defined)) if defined else float("nan"), "individual_scores": scores}
