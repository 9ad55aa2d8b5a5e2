"""A LlamaIndex metric that computes a measure, for ``RetrieverEvaluator(metrics=[TextMetric(…)], retriever=…)``."""

from collections.abc import Sequence
from typing import Any

from llama_index.core.evaluation.retrieval.metrics_base import BaseRetrievalMetric, RetrievalMetricResult

from focuseval.adapters.questions import values
from focuseval.chunks.locating import locate
from focuseval.errors import InputError
from focuseval.formats.parsed import quoted


class TextMetric(BaseRetrievalMetric):
    """A metric that scores retrieved texts by their overlap with the expected texts.

    ``texts`` maps names of documents to the full texts in which retrieved and expected texts are located.
    """

    measure: str = "char_recall"
    texts: dict[str, str]

    @property
    def metric_name(self) -> str:
        """The name of the measure."""
        return self.measure

    def compute(
        self,
        query: str | None = None,
        expected_ids: list[str] | None = None,
        retrieved_ids: list[str] | None = None,
        expected_texts: list[str] | None = None,
        retrieved_texts: list[str] | None = None,
        **kwargs: Any,
    ) -> RetrievalMetricResult:
        """Return the measure's value for one query. Raises InputError for a text that does not occur exactly once."""
        expected, retrieved = (self._places(texts or []) for texts in (expected_texts, retrieved_texts))
        [value] = values(self.measure, [expected], [retrieved], texts=self.texts)
        return RetrievalMetricResult(score=value)

    def _places(self, texts: Sequence[str]) -> list[Any]:
        holding = {text: [name for name, whole in self.texts.items() if text in whole] for text in texts}
        if lost := [text for text, names in holding.items() if len(names) != 1]:
            found = f"{len(holding[lost[0]])} documents have the text {quoted(lost[0])}"
            raise InputError.of("texts", found, "expected each text in exactly one document")
        rows = [{"document": holding[text][0], "text": text} for text in dict.fromkeys(texts)]
        return list(locate(rows, self.texts, order="none")) if rows else []
