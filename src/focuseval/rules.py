"""What the tasks of INEX ask of a run, and which of its results break that."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from focuseval.errors import InputError, Problem, meant
from focuseval.model.arrays import Bools, Ints
from focuseval.model.results import ResultList


def overlapping(results: ResultList) -> Bools:
    """(K,) whether some of a result's text stands in a result before it."""
    return results.new_text < results.size


def resuming(results: ResultList) -> Bools:
    """(K,) whether a result's article was left for another one in between."""
    article = results.article
    opens = np.append(True, article[1:] != article[:-1])[: len(article)]
    first = np.zeros(len(article), dtype=bool)
    first[np.unique(article, return_index=True)[1]] = True
    return (opens & ~first)[np.maximum.accumulate(np.where(opens, np.arange(len(article)), 0))]


def second(results: ResultList) -> Bools:
    """(K,) whether a result's article has a result before it."""
    later = np.ones(len(results), dtype=bool)
    later[np.unique(results.article, return_index=True)[1]] = False
    return later


@dataclass(frozen=True)
class Breach:
    """A way to break a rule."""

    test: Callable[[ResultList], Bools]
    found: str
    expected: str


_OVERLAP = Breach(
    overlapping,
    "the result overlaps one before it",
    "results must not share text",
)
_INTERLEAVED = Breach(
    resuming,
    "the article's results are interleaved with others",
    "results of one article must follow each other",
)
_SECOND = Breach(
    second,
    "the article has a result before this one",
    "one result an article is allowed",
)

#: what breaks the rules of each task; `t2i` is Relevant in Context with tolerance to irrelevance
RULES: Mapping[str, tuple[Breach, ...]] = {
    "thorough": (),
    "focused": (_OVERLAP,),
    "relevant-in-context": (_INTERLEAVED, _OVERLAP),
    "t2i": (_INTERLEAVED, _OVERLAP),
    "best-in-context": (_SECOND,),
}


#: other names of the tasks, without case, blanks and punctuation: INEX's own, and the letters of its program
_SPELLINGS = {
    "t": "thorough",
    "f": "focused",
    "focussed": "focused",
    "r": "relevant-in-context",
    "ric": "relevant-in-context",
    "b": "best-in-context",
    "bic": "best-in-context",
    "i": "t2i",
}


def task_named(text: str) -> str:
    """The task of `RULES` that is meant: ``Relevant in Context``, ``RelevantInContext`` and ``r`` are one.

    Raises InputError if there is none.
    """
    spelled = "".join(filter(str.isalnum, text.casefold()))
    task = _SPELLINGS.get(spelled) or {name.replace("-", ""): name for name in RULES}.get(spelled)
    if task is None:
        expected = f"{meant(text, RULES)}expected one of {', '.join(RULES)}"
        raise InputError(Problem("task", "", repr(text), expected))
    return task


def rule_violations(rule: str, results: ResultList) -> tuple[Ints, list[Breach]]:
    """The positions (0-based, ascending) of all results that break a rule, and how each breaks it.

    A result that breaks it in two ways is named once, for the first of them. Results of unknown
    documents break nothing. Raises InputError for a rule that is none of `RULES`.
    """
    if rule not in RULES:
        raise InputError(Problem("task", "", repr(rule), f"expected one of {', '.join(RULES)}"))
    breaches = RULES[rule]
    if not breaches:
        return np.empty(0, dtype=np.int64), []
    broken = np.stack([breach.test(results) for breach in breaches])
    index = np.flatnonzero(broken.any(axis=0))
    return index, [breaches[first] for first in broken[:, index].argmax(axis=0)]
