"""The rules that runs must obey in INEX's tasks, and the search for results that break them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from focuseval.arguments import one_of, read_argument
from focuseval.errors import LENIENT, Problem, Sentence
from focuseval.model.arrays import Bools, Ints, changes
from focuseval.model.results import ResultList
from focuseval.model.vocabulary import (
    BEST_IN_CONTEXT,
    FETCH_AND_BROWSE,
    FOCUSED,
    RELEVANT_IN_CONTEXT,
    T2I,
    THOROUGH,
)


def overlapping(results: ResultList) -> Bools:
    """Return a mask of the results that share text with an earlier result."""
    return results.new_text < results.size


def resuming(results: ResultList) -> Bools:
    """Return a mask of the results that return to an article after results of another article."""
    article = results.article
    opens = changes(article)
    return (opens & ~results.first_of_article)[
        np.maximum.accumulate(np.where(opens, np.arange(len(article)), 0))
    ]


def second(results: ResultList) -> Bools:
    """Return a mask of the results whose article has an earlier result."""
    return ~results.first_of_article


@dataclass(frozen=True)
class RuleBreach:
    """A way in which results can break a rule: a test for such results, and the words of the message."""

    test: Callable[[ResultList], Bools]
    found: str
    expected: str


_OVERLAP = RuleBreach(overlapping, "the result overlaps an earlier one", "results must not share text")
_INTERLEAVED = RuleBreach(
    resuming,
    "the results of the article are interleaved with others",
    "all results of an article must follow each other",
)
_SECOND = RuleBreach(second, "the article has an earlier result", "only one result per article is allowed")

#: for each task, the ways in which results can break its rules
RULES: Mapping[str, tuple[RuleBreach, ...]] = {
    THOROUGH: (),
    FOCUSED: (_OVERLAP,),
    FETCH_AND_BROWSE: (),
    RELEVANT_IN_CONTEXT: (_INTERLEAVED, _OVERLAP),
    T2I: (_INTERLEAVED, _OVERLAP),
    BEST_IN_CONTEXT: (_SECOND,),
}


def rule_violations(rule: str, results: ResultList) -> tuple[Ints, list[RuleBreach]]:
    """Return the sorted indexes of the results that break a rule, and how each of them breaks it.

    A result that breaks the rule in two ways is listed with the first way. Results of unknown documents break no rule.
    Raises InputError for an unknown rule.
    """
    read_argument("task", rule, one_of(RULES))
    breaches = RULES[rule]
    if not breaches:
        return np.empty(0, dtype=np.int64), []
    broken = np.stack([breach.test(results) for breach in breaches])
    index = np.flatnonzero(broken.any(axis=0))
    return index, [breaches[first] for first in broken[:, index].argmax(axis=0)]


def violations(rules: Iterable[str], ranked: ResultList) -> list[Problem]:
    """Return a problem for each result in the list that breaks a rule. Each result has at most one problem."""
    broken: dict[int, RuleBreach] = {}
    for rule in rules:
        for index, breach in zip(*rule_violations(rule, ranked), strict=True):
            broken.setdefault(int(index), breach)
    return [
        Problem(
            ranked.source or f"run {ranked.run}",
            f"topic {ranked.topic}, "
            + (f"result {index + 1}" if ranked.line is None else f"line {ranked.line[index]}"),
            f"{breach.found}, but {breach.expected}",
            Sentence("remove the result, or read leniently (", LENIENT, ")"),
        )
        for index, breach in sorted(broken.items())
    ]
