"""Topics and results as plain values that can be compared."""

from dataclasses import fields

import numpy as np

from focuseval.model.judgements import Highlights

_RESULT = ("rank", "document", "element", "start", "end")


def plain_topic(topic):
    """Every field of a topic but its collection."""
    values = {field.name: getattr(topic, field.name) for field in fields(topic) if field.name != "collection"}
    if topic.highlights is not None:
        columns = fields(Highlights)
        values["highlights"] = {each.name: getattr(topic.highlights, each.name).tolist() for each in columns}
    if topic.spans is not None:
        places = {name: getattr(topic.spans, name).tolist() for name in ("document", "start", "end")}
        values["spans"] = places | {"aspects": topic.spans.aspects}
    return {
        name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in values.items()
    }


def plain_results(results):
    """The runs, and every list with its run, topic, file, lines and results; then the scores (NaN as ``None``)."""
    return [
        [str(run) for run in results.runs],
        *(
            [one.run, one.topic, one.source, None if one.line is None else one.line.tolist()]
            + [getattr(one, name).tolist() for name in _RESULT]
            for one in results.lists()
        ),
        [None if np.isnan(score) else score for score in results.score.tolist()],
    ]
