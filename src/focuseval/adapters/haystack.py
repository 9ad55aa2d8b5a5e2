"""A Haystack component that computes a measure, like Haystack's own ``DocumentRecallEvaluator``."""

from typing import Any

import numpy as np
from haystack import Document, component

from focuseval.adapters.questions import values


@component
class TextEvaluator:
    """A component that scores retrieved documents by the text that they share with the expected documents.

    The ``meta`` of each document contains its file name and its offset ``split_idx_start``. Documents without
    ``split_idx_start`` are located in ``texts``, a dictionary from file names to texts.
    """

    def __init__(self, measure: str = "char_recall", texts: dict[str, str] | None = None) -> None:
        self.measure, self.texts = measure, texts

    @component.output_types(score=float, individual_scores=list[float])
    def run(
        self, ground_truth_documents: list[list[Document]], retrieved_documents: list[list[Document]]
    ) -> dict[str, Any]:
        """Return the measure's value for each question as ``individual_scores``, and the mean value as ``score``.

        A question without expected documents has the value NaN and is left out of the mean.
        """
        scores = values(self.measure, ground_truth_documents, retrieved_documents, texts=self.texts)
        defined = [value for value in scores if value == value]
        return {"score": float(np.mean(defined)) if defined else float("nan"), "individual_scores": scores}
