"""Scores in the shapes that other programs have them in."""

import pandas as pd

from focuseval.errors import InputError, described


def to_dict(scores: pd.DataFrame) -> dict[str, dict[str, dict[str, float]]]:
    """Scores as ``{run: {topic: {measure: value}}}``; the topic ``all`` has the means.

    ``scores`` is what `focuseval.score` gives. ``to_dict(scores)["bm25"]`` has the shape of pytrec_eval's
    ``evaluate`` where the scores are ``per_topic``; ``to_dict(scores)["bm25"]["all"]``, that of ranx's. Raises
    InputError for anything else.
    """
    needed = ["run", "topic", "measure", "value"]
    if not isinstance(scores, pd.DataFrame) or not {*needed} <= {*scores}:
        raise InputError.of("scores", described(scores), f"expected a frame with {', '.join(needed)}")
    found: dict[str, dict[str, dict[str, float]]] = {}
    columns = (scores[name].tolist() for name in needed)
    for run, topic, measure, value in zip(*columns, strict=True):
        found.setdefault(run, {}).setdefault(topic, {})[measure] = value
    return found
