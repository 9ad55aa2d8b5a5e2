"""The choice among alternatives in gold. For each list, only the best alternative of each group counts."""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from math import prod

import numpy as np

from focuseval.model.arrays import Bools, Floats, Ints
from focuseval.model.judgements import Spans, Topic, judged_anew, with_passages

#: if there are at most this number of choices, all are compared; otherwise `best_choices` searches for the best
COMPARED = 1024

#: for each group, the rows of each of its alternatives
Groups = Sequence[Sequence[Ints]]
#: for each group, the index of the chosen alternative, -1 for none
Choice = tuple[int, ...]


def groups_of(group: Ints, member: Ints | None, contents: Sequence[tuple]) -> Groups:
    """Return the groups of S passages: for each alternative of a group, the rows of its passages.

    An alternative consists of all passages with the same ``member``, or of one passage without a member. ``group`` (S,)
    is -1 for passages without a group. Groups and alternatives are sorted by ``contents``, which identifies each
    passage. Equal alternatives are merged. The result depends neither on the order of passages nor on the numbers of
    groups.
    """
    members: dict[tuple[int, int], list[int]] = {}
    for row in np.flatnonzero(group >= 0).tolist():
        own = -1 if member is None else int(member[row])
        members.setdefault((int(group[row]), own if own >= 0 else -1 - row), []).append(row)
    groups: dict[int, dict[tuple, Ints]] = {}
    for (number, _), rows in members.items():
        held = tuple(sorted(contents[row] for row in rows))
        groups.setdefault(number, {}).setdefault(held, np.array(rows))
    ordered = sorted((sorted(of.items()) for of in groups.values()), key=lambda of: [held for held, _ in of])
    return [[rows for _, rows in of] for of in ordered]


def groups_of_topic(topic: Topic) -> Groups:
    """Return the groups of a topic's gold passages, or no groups if none has several alternatives."""
    spans = topic.spans
    if spans is None or spans.group is None:
        return []
    grade = np.ones(len(spans)) if spans.grade is None else spans.grade
    columns = (column.tolist() for column in (spans.document, spans.start, spans.end, grade))
    groups = groups_of(spans.group, spans.member, list(zip(*columns, spans.aspects, strict=True)))
    return groups if is_choice(groups) else []


def is_choice(groups: Groups) -> bool:
    """Return whether some group has several alternatives."""
    return any(len(of) > 1 for of in groups)


def too_many(groups: Groups) -> bool:
    """Return whether there are too many choices to compare one by one."""
    return prod(map(len, groups)) > COMPARED


def with_one_of_each(topic: Topic, worth: Callable[[Spans], float]) -> Topic:
    """Return the topic with one alternative per group: the alternative whose passages have the highest ``worth``."""
    groups, spans = groups_of_topic(topic), topic.spans
    if not groups or spans is None or spans.group is None:
        return topic
    chosen = spans.group < 0
    for of in groups:
        chosen[max(of, key=lambda rows: worth(spans.among(rows)))] = True
    return chosen_from(topic, chosen)


def chosen_from(topic: Topic, chosen: Bools) -> Topic:
    """Return the topic with only the chosen gold passages, and the elements that these passages make relevant."""
    return judged_anew(with_passages(topic, chosen))


def best_values(topic: Topic, read: Callable[[Topic], Floats], signs: Floats) -> Floats:
    """Choose the best alternatives of a topic for each of V values, and return the numbers (V, C) (`best_choices`).

    ``read`` computes the numbers of a topic. The topic has only the passages of one choice, and the elements that these
    passages make relevant. If there is nothing to choose, ``read`` gets the original topic.
    """
    groups = groups_of_topic(topic)
    if not groups:
        return read(topic)
    assert topic.spans is not None and topic.spans.group is not None  # groups come from spans
    return best_choices(groups, topic.spans.group < 0, lambda chosen: read(chosen_from(topic, chosen)), signs)


def best_choices(groups: Groups, always: Bools, read: Callable[[Bools], Floats], signs: Floats) -> Floats:
    """Choose the best alternative of each group for each of V values, and return the numbers (V, C).

    ``groups``
        the groups of the S passages, from `groups_of`.
    ``always``
        a mask (S,) of the passages that belong to every choice.
    ``read``
        a function from the mask (S,) of a choice to numbers (V, C). The first column is the value, the next columns
        decide between equal values, and any further columns are only returned. Missing values are NaN.
    ``signs``
        an array (C',) or (V, C') for the first C' <= C columns, which decide in this order. A sign is 1 if higher
        numbers are better, and -1 if lower numbers are better.

    If there are at most `COMPARED` choices, all are compared. Otherwise, a search for each value starts with the
    alternatives that are best by themselves. The search changes one group at a time while the value improves. The
    search is exact if groups add to a sum or to both parts of a ratio, or if every group must be found.
    """

    def rows_of(choice: Choice, always: Bools) -> Floats:
        chosen = always.copy()
        for of, place in zip(groups, choice, strict=True):
            if place >= 0:
                chosen[of[place]] = True
        return read(chosen)

    places = [range(len(of)) for of in groups]
    if not too_many(groups):
        choices = product(*places)
        best = rows_of(next(choices), always)
        for choice in choices:
            rows = rows_of(choice, always)
            best = np.where(_better(rows, best, signs)[:, np.newaxis], rows, best)
        return best
    together = cache(lambda choice: rows_of(choice, always))
    alone = cache(lambda choice: rows_of(choice, np.zeros_like(always)))
    none: Choice = (-1,) * len(groups)

    def improved(rows_of: Callable[[Choice], Floats], choice: Choice, i: int, value: int) -> Choice:
        """Replace the alternative of group i if another one improves a value, and return the choice."""
        own_signs = signs if signs.ndim == 1 else signs[value]
        for other in [(*choice[:i], place, *choice[i + 1 :]) for place in places[i]]:
            if _better(rows_of(other)[[value]], rows_of(choice)[[value]], own_signs)[0]:
                choice = other
        return choice

    of_values = []
    for value in range(len(together((0,) * len(groups)))):
        firsts = [(*none[:i], 0, *none[i + 1 :]) for i in range(len(groups))]
        choice = tuple(improved(alone, first, i, value)[i] for i, first in enumerate(firsts))
        before: Choice = none
        while choice != before:
            before = choice
            for i in range(len(groups)):
                choice = improved(together, choice, i, value)
        of_values.append(together(choice)[value])
    return np.array(of_values)


def _better(rows: Floats, baseline: Floats, signs: Floats) -> Bools:
    """Return whether each row (V,) is better than the baseline. The first signed column that differs decides."""
    count = signs.shape[-1]
    one, other = (np.nan_to_num(of[:, :count] * signs, nan=-np.inf) for of in (rows, baseline))
    first = np.argmax(one != other, axis=1)[:, np.newaxis]
    better: Bools = np.take_along_axis(one, first, axis=1) > np.take_along_axis(other, first, axis=1)
    return better[:, 0]
