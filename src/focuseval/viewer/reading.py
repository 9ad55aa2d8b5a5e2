"""Where a measure with a cut-off reads no further, and what was read by then."""

from typing import Any

import numpy as np

from focuseval.errors import counted
from focuseval.measures.declaration import BUDGETS, RANK, WORDS, Spec
from focuseval.measures.text import RelevantUnits, TextRanking
from focuseval.model.judgements import Highlights, Topic
from focuseval.model.results import ResultList
from focuseval.viewer.lists import Brought

#: what a rank may be of, where results are read in the order of the list (`Cutoff.summary`); others regroup them
_OF_A_LIST = ("rank", "result", "article")


def limit_of(spec: Spec[Any, Any]) -> str | None:
    """How far a measure reads a list, in words: ``300 characters``, ``5 results``; None where nothing cuts it.

    "" where a rank is no place in the list, as that of articles whose results are read together.
    """
    if spec.behind is None or spec.cutoff is None:
        return None
    kind, number = spec.behind.kind, int(spec.cutoff)
    if kind in BUDGETS:
        return f"{number:,} {kind.name}"
    if kind is not RANK:
        return None
    if spec.behind.summary not in _OF_A_LIST:
        return ""
    return counted(number, "document" if _documents(spec) else "result")


def _documents(spec: Spec[Any, Any]) -> bool:
    """Whether its ranks are those of documents, each at its first result."""
    assert spec.behind is not None  # there are ranks
    return spec.behind.summary == "article" or any(
        spec.parameters[p.name] in p.document_choices for p in spec.measure.parameters
    )


def part_read(spec: Spec[Any, Any], topic: Topic, results: ResultList, gold: Highlights) -> ResultList:
    """What a measure reads of a list: results up to its cut-off, on a budget the last of them cut there."""
    if not limit_of(spec):
        return results
    assert spec.behind is not None and spec.cutoff is not None  # there is a limit
    kind, number = spec.behind.kind, int(spec.cutoff)
    if kind is RANK:
        documents = np.cumsum(results.first_of_article)
        return results.first(
            int(np.searchsorted(documents, number, side="right")) if _documents(spec) else number
        )
    return TextRanking(_units(topic, gold), results).cut(number, kind is WORDS).results


def _units(topic: Topic, gold: Highlights) -> RelevantUnits:
    return RelevantUnits(gold, int((gold.end - gold.start).sum()), topic.collection.words, False)


def end_of(
    spec: Spec[Any, Any], topic: Topic, results: ResultList, has: Brought, gold: Highlights
) -> dict[str, int] | None:
    """Where a measure stops reading a list of which ``has`` is brought; None if it reads all of it.

    ``whole``: so many results are read to their end; ``part``: so much of the next; ``size``, ``new``, ``found``:
    what `Brought` says of all that is read, added up.
    """
    read = part_read(spec, topic, results, gold)
    if read is results:
        return None
    assert spec.behind is not None  # else all is read
    budget = spec.behind.kind is not RANK  # where a budget ends, the last result is cut, maybe to nothing
    whole, part = (len(read) - 1, int(read.size[-1])) if budget else (len(read), 0)
    told = {name: int(getattr(has, name)[:whole].sum()) for name in ("size", "new", "found")}
    if part:
        ranking = TextRanking(_units(topic, gold), read)
        told = {
            "size": told["size"] + part,
            "new": int(ranking.retrieved[-1]),
            "found": int(ranking.found[-1]),
        }
    return {"whole": whole, "part": part, **told}
