"""The choice among alternatives in gold. In each group, only the alternative that is best for a list counts."""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from math import prod

import numpy as np

from focuseval.model.arrays import Bools, Floats, Ints
from focuseval.model.judgements import Spans, Topic, judged_anew, with_passages

#: `best_choices` compares all choices of one alternative from each group if there are at most this number of choices
COMPARED = 1024

#: for each group, its alternatives; an alternative is an array with the rows of its passages
Groups = Sequence[Sequence[Ints]]
#: for each group, the index of the chosen alternative; -1 if none is chosen
Choice = tuple[int, ...]


def groups_of(group: Ints, member: Ints | None, contents: Sequence[tuple]) -> Groups:
    """For each group of gold passages, return its alternatives. An alternative is an array of the rows of its passages.

    ``group`` gives the group of each passage, or -1. ``member`` gives the alternative of each passage, or -1 if the
    passage alone is an alternative. Alternatives whose passages have equal ``contents`` are merged. The order of
    passages and the numbers of groups do not affect the result.
    """
    members: dict[tuple[int, int], list[int]] = {}
    for row in np.flatnonzero(group >= 0).tolist():
        own = -1 if member is None else int(member[row])
        members.setdefault((int(group[row]), own if own >= 0 else -1 - row), []).append(row)
    groups: dict[int, dict[tuple, Ints]] = {}
    for (number, _), rows in members.items():
        ids = tuple(sorted(contents[row] for row in rows))
        groups.setdefault(number, {}).setdefault(ids, np.array(rows))
    ordered = sorted((sorted(of.items()) for of in groups.values()), key=lambda of: [ids for ids, _ in of])
    return [[rows for _, rows in of] for of in ordered]


def groups_of_topic(topic: Topic) -> Groups:
    """Return the groups of a topic's gold passages. If no group has several alternatives, return no groups."""
    spans = topic.spans
    if spans is None or spans.group is None:
        return []
    grade = np.ones(len(spans)) if spans.grade is None else spans.grade
    columns = (column.tolist() for column in (spans.document, spans.start, spans.end, grade))
    groups = groups_of(spans.group, spans.member, list(zip(*columns, spans.aspects, strict=True)))
    return groups if is_choice(groups) else []


def is_choice(groups: Groups) -> bool:
    """Return whether some group has several alternatives."""
    return any(len(alternatives) > 1 for alternatives in groups)


def too_many(groups: Groups) -> bool:
    """Return whether there are too many choices of one alternative from each group to compare all (`COMPARED`)."""
    return prod(map(len, groups)) > COMPARED


def with_one_of_each(topic: Topic, worth: Callable[[Spans], float]) -> Topic:
    """Keep, in each group of a topic, only the alternative whose passages have the highest ``worth``."""
    groups, spans = groups_of_topic(topic), topic.spans
    if not groups or spans is None or spans.group is None:
        return topic
    chosen = spans.group < 0
    for alternatives in groups:
        chosen[max(alternatives, key=lambda rows: worth(spans.among(rows)))] = True
    return chosen_from(topic, chosen)


def chosen_from(topic: Topic, chosen: Bools) -> Topic:
    """Keep only the chosen gold passages of a topic, and the elements that they make relevant."""
    return judged_anew(with_passages(topic, chosen))


def best_values(topic: Topic, read: Callable[[Topic], Floats], signs: Floats) -> Floats:
    """Return the values that ``read`` computes for a topic. Each value uses the alternatives that are best for it.

    ``signs`` are 1 if higher numbers are better, else -1 (`best_choices`).
    """
    groups = groups_of_topic(topic)
    if not groups:
        return read(topic)
    assert topic.spans is not None and topic.spans.group is not None  # a topic with groups has spans
    return best_choices(groups, topic.spans.group < 0, lambda chosen: read(chosen_from(topic, chosen)), signs)


def best_choices(groups: Groups, always: Bools, read: Callable[[Bools], Floats], signs: Floats) -> Floats:
    """Choose the best alternative of each group separately for each value, and return the values.

    ``groups``
        the groups of the passages, from `groups_of`.
    ``always``
        whether each passage belongs to every choice.
    ``read``
        a function that computes an array with a row for each value. Its argument is a mask of the chosen passages. The
        first column is the value, or NaN if there is none. The next columns decide between equal values. Any further
        columns are only returned.
    ``signs``
        for the columns that decide, in their order: 1 if higher numbers are better, and -1 if lower numbers are better.
        An array with two dimensions has a row for each value.

    Returns an array like ``read``. Each row is computed from the choice that is best for its value.

    If there are at most `COMPARED` choices, all are compared. Otherwise, a search for each value starts with the
    alternatives that are best as the only gold. The search changes one group at a time while the value improves. It
    finds the best choice if the value is a sum over groups or a ratio of such sums, or if every group must be found.
    """

    def rows_of(choice: Choice, always: Bools) -> Floats:
        chosen = always.copy()
        for alternatives, place in zip(groups, choice, strict=True):
            if place >= 0:
                chosen[alternatives[place]] = True
        return read(chosen)

    places = [range(len(alternatives)) for alternatives in groups]
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
        """Return the choice after replacing the alternative of group ``i`` by the best one for a value."""
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
    """Return whether each row is better than the baseline's row. The first column in which they differ decides."""
    count = signs.shape[-1]
    one, other = (np.nan_to_num(of[:, :count] * signs, nan=-np.inf) for of in (rows, baseline))
    first = np.argmax(one != other, axis=1)[:, np.newaxis]
    better: Bools = np.take_along_axis(one, first, axis=1) > np.take_along_axis(other, first, axis=1)
    return better[:, 0]
