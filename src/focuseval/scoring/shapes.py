"""Scores in the shapes that other programs have them in."""

import pandas as pd


def to_dict(scores: pd.DataFrame) -> dict[str, dict[str, dict[str, float]]]:
    """Scores as ``{run: {topic: {measure: value}}}``; the topic ``all`` has the means.

    ``scores`` is what `focuseval.score` gives. ``to_dict(scores)["bm25"]`` has the shape of pytrec_eval's
    ``evaluate`` where the scores are ``per_topic``; ``to_dict(scores)["bm25"]["all"]``, that of ranx's.
    """
    found: dict[str, dict[str, dict[str, float]]] = {}
    columns = (scores[name].tolist() for name in ("run", "topic", "measure", "value"))
    for run, topic, measure, value in zip(*columns, strict=True):
        found.setdefault(run, {}).setdefault(topic, {})[measure] = value
    return found
