"""Values of a measure for single questions, from the documents of frameworks such as LangChain."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from focuseval.api import score
from focuseval.chunks.frameworks import frame_of
from focuseval.errors import InputError, described


def values(
    measure: str, expected: Sequence[Sequence[Any]], retrieved: Sequence[Sequence[Any]], **inputs: Any
) -> list[float]:
    """Return the measure's value for each question, or NaN if no document is expected.

    Each of ``expected`` and ``retrieved`` contains a list of documents for each question. Retrieved documents are
    sorted from best to worst. A document is a framework's object, as for `focuseval.from_langchain`, or a dictionary
    with document, start and end. ``inputs`` are further arguments of `focuseval.score`.
    """
    nothing = [0.0 if items else float("nan") for items in expected]
    if not any(expected) or not any(retrieved):
        return nothing
    texts = inputs.get("documents") or inputs.get("texts") or inputs.get("collection")
    gold, run = (_frame(lists, texts) for lists in (expected, retrieved))
    arguments: Any = {**inputs, "gold": gold.drop(columns="rank"), "runs": {"retrieved": run}}
    scores = score(measure, per_topic=True, average_over="assessed", **arguments)
    by_topic = dict(zip(scores["topic"], scores["value"], strict=True))
    return [by_topic.get(str(i), value) for i, value in enumerate(nothing)]


def _frame(lists: Sequence[Sequence[Any]], texts: Any) -> pd.DataFrame:
    """Return the documents of all questions as a frame, in which the topic is the index of the question."""
    by_topic = {str(i): list(items) for i, items in enumerate(lists)}
    ranked = [(topic, rank, item) for topic, items in by_topic.items() for rank, item in enumerate(items, 1)]
    if all(isinstance(item, Mapping) and "document" in item for *_, item in ranked):
        return pd.DataFrame([{**item, "topic": topic, "rank": rank} for topic, rank, item in ranked])
    frame = frame_of(by_topic, texts)
    if not isinstance(frame, pd.DataFrame):
        expected = (
            "expected documents of LangChain, LlamaIndex or Haystack, or rows with document, start and end"
        )
        raise InputError.of("questions", f"the value is {described(ranked[0][2])}", expected)
    return frame
