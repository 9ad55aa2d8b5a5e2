"""Declared transformations on random campaigns, against lists of Python and sets of characters."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuseval.errors import InputError
from focuseval.model.judgements import TOO_SMALL
from focuseval.transformations.declaration import (
    EXPECTATIONS,
    JUDGEMENTS,
    Transformation,
    parse_applied,
)
from focuseval.transformations.declared import MODULES, TRANSFORMATIONS
from tests.auditing.campaigns import random_campaign

SEEDS = st.integers(0, 2**31)


def transformed(name, topic, results):
    return listed(parse_applied(name, TRANSFORMATIONS).transform(results, [topic]))


def listed(results):
    """Return rows (rank, document, element, start, end) by run."""
    columns = ("rank", "document", "element", "start", "end")
    return {
        result_list.run: list(zip(*(getattr(result_list, c).tolist() for c in columns), strict=True))
        for result_list in results.lists()
    }


def without_ranks(rows):
    return [row[1:] for row in rows]


def relevant(topic, document, start, end):
    marks = topic.highlights
    inside = zip(marks.document.tolist(), marks.start.tolist(), marks.end.tolist(), strict=True)
    return {(d, i) for d, a, b in inside if d == document for i in range(max(a, start), min(b, end))}


def element_row(collection, row):
    document = int(collection.document_of(np.array([row]))[0])
    return document, row, int(collection.start[row]), int(collection.end[row])


def worth(topic, element):
    e = dict(zip(topic.element.tolist(), topic.exhaustivity.tolist(), strict=True)).get(element, 0.0)
    return 0.5 if e == TOO_SMALL else e


def tied(rows, row):
    return [other[0] for other in rows].count(row[0]) > 1


def literal_halves(topic, rows):
    pieces = []
    for row in rows:
        rank, document, element, start, end = row
        middle = start + (end - start) // 2
        if tied(rows, row) or middle == start:
            pieces.append((document, element, start, end))
        else:
            pieces += [(document, -1, start, middle), (document, -1, middle, end)]
    return pieces


def literal_joined(topic, rows):
    passages = []
    before = None
    for row in rows:
        _, document, element, start, end = row
        joins = before is not None and document == before[1] and start == before[4]
        if joins and not tied(rows, row) and not tied(rows, before):
            passages[-1] = [document, -1, passages[-1][2], end]
        else:
            passages.append([document, element, start, end])
        before = row
    return [tuple(one) for one in passages]


def literal_larger(topic, rows):
    collection = topic.collection
    returned = []
    for _, document, element, start, end in rows:
        returned.append((document, element, start, end))
        if element >= 0:
            above = int(collection.parent[element])
            if above < 0:
                continue
            other = element_row(collection, above)
        else:
            size = end - start
            last = int(collection.end[collection.first[document]])
            other = (document, -1, max(start - size // 2, 0), min(end + size - size // 2, last))
        same = len(relevant(topic, document, *other[2:])) == len(relevant(topic, document, start, end))
        answers = element < 0 or worth(topic, other[1]) <= worth(topic, element)
        if same and answers and other[3] - other[2] > end - start:
            returned.append(other)
    return returned


def literal_smaller(topic, rows):
    collection = topic.collection
    returned = []
    for _, document, element, start, end in rows:
        returned.append((document, element, start, end))
        if element >= 0:
            solid = [child for child in collection.children(element) if collection.size[child] > 0]
            returned += [element_row(collection, child) for child in solid[:1]]
        elif (end - start) // 2 > 0:
            returned.append((document, -1, start, start + (end - start) // 2))
    return returned


def literal_ancestors(topic, rows):
    collection = topic.collection
    own = {row[2] for row in rows if row[2] >= 0}
    above = {one for element in own for one in collection.ancestors(element)} - own
    read = set().union(*(relevant(topic, *(row[1], row[3], row[4])) for row in rows))
    returned = without_ranks(rows)
    for element in sorted(above):
        one = element_row(collection, element)
        if relevant(topic, one[0], one[2], one[3]) <= read:
            returned.append(one)
    return returned


def literal_before(topic, rows):
    collection = topic.collection
    returned = []
    returned_elements = set()
    for _, document, element, start, end in rows:
        chain = []
        if element >= 0:
            for above in collection.ancestors(element):
                one = element_row(collection, above)
                same = len(relevant(topic, document, *one[2:])) == len(relevant(topic, document, start, end))
                if not same or worth(topic, above) > worth(topic, element):
                    break
                chain.append(above)
        for above in chain[::-1]:
            if above not in returned_elements:
                returned_elements.add(above)
                returned.append(element_row(collection, above))
        returned_elements.add(element)
        returned.append((document, element, start, end))
    return returned


def literal_parents(topic, rows):
    collection = topic.collection
    returned = []
    for _, document, element, start, end in rows:
        above = int(collection.parent[element]) if element >= 0 else -1
        one = element_row(collection, above) if above >= 0 else (document, element, start, end)
        same = len(relevant(topic, document, *one[2:])) == len(relevant(topic, document, start, end))
        fits = same and worth(topic, one[1]) <= worth(topic, element)
        returned.append(one if fits else (document, element, start, end))
    return returned


def literal_swapped(topic, rows):
    returned = without_ranks(rows)
    read = set()
    new = []
    for _, document, _, start, end in rows:
        held = relevant(topic, document, start, end)
        new.append(bool(held - read))
        read |= held
    for i in range(len(rows) - 1):
        (_, document, _, start, end), after = rows[i], rows[i + 1]
        if tied(rows, rows[i]) or tied(rows, after):
            continue
        if not relevant(topic, document, start, end) and new[i + 1] and after[4] - after[3] <= end - start:
            returned[i], returned[i + 1] = returned[i + 1], returned[i]
    return returned


def literal_documents(topic, rows):
    collection = topic.collection
    return [element_row(collection, int(collection.first[d])) for d in dict.fromkeys(row[1] for row in rows)]


def literal_leaves(topic, rows):
    collection = topic.collection
    leaves_read = []
    for _, document, element, start, end in rows:
        inside = range(element, int(collection.last[element])) if element >= 0 else ()
        leaves = [r for r in inside if collection.last[r] == r + 1 and collection.size[r] > 0]
        leaves_read += [element_row(collection, r) for r in leaves] or [(document, element, start, end)]
    return leaves_read


def literal_children(topic, rows):
    collection = topic.collection
    returned = []
    for row in rows:
        inside = collection.children(row[2]) if row[2] >= 0 and not tied(rows, row) else []
        solid = [element_row(collection, child) for child in inside if collection.size[child] > 0]
        whole = sum(one[3] - one[2] for one in solid) == row[4] - row[3]
        returned += solid if solid and whole else [row[1:]]
    return returned


def literal_best_child(topic, rows):
    collection = topic.collection
    returned = []
    for _, document, element, start, end in rows:
        held = relevant(topic, document, start, end)
        inside = collection.children(element) if element >= 0 and held else []
        fits = [
            one
            for one in (element_row(collection, child) for child in inside)
            if relevant(topic, document, *one[2:]) == held and worth(topic, one[1]) >= worth(topic, element)
        ]
        returned.append(fits[0] if fits else (document, element, start, end))
    return returned


def literal_wider(topic, rows):
    collection = topic.collection
    above = [
        element_row(collection, max(collection.parent[row[2]], collection.first[row[1]])) for row in rows
    ]
    wide = [
        one if row[2] >= 0 else (*row[1:], i) for i, (row, one) in enumerate(zip(rows, above, strict=True))
    ]
    return [one[:4] for one in dict.fromkeys(wide)]


LITERAL = {
    "halves": literal_halves,
    "joined": literal_joined,
    "twice": lambda topic, rows: [row for row in without_ranks(rows) for _ in range(2)],
    "twice(where=end)": lambda topic, rows: without_ranks(rows) * 2,
    "larger": literal_larger,
    "smaller": literal_smaller,
    "ancestors": literal_ancestors,
    "ancestors(where=before)": literal_before,
    "parents": literal_parents,
    "swapped": literal_swapped,
    "reversed": lambda topic, rows: without_ranks(rows)[::-1],
    "cut(k=2)": lambda topic, rows: without_ranks(rows)[:2],
    "documents": literal_documents,
    "children": literal_children,
    "best-child": literal_best_child,
    "wider": literal_wider,
    "first-of-document": lambda topic, rows: [
        row[1:] for i, row in enumerate(rows) if row[1] not in {other[1] for other in rows[:i]}
    ],
}


@settings(max_examples=15)
@given(SEEDS)
def test_the_same_as_lists_of_python(seed):
    topic, results = random_campaign(seed)
    before = listed(results)
    for name, literal in LITERAL.items():
        lists = transformed(name, topic, results)
        for run, rows in before.items():
            assert without_ranks(lists[run]) == literal(topic, rows), (name, run)
            ranks = [row[0] for row in lists[run]]
            assert ranks == sorted(ranks), (name, run)


@settings(max_examples=15)
@given(SEEDS)
def test_added_results_are_of_the_named_kind(seed):
    topic, results = random_campaign(seed)
    for run, rows in listed(results).items():
        ends = transformed("irrelevant", topic, results)[run]
        front = transformed("irrelevant(where=front)", topic, results)[run]
        more = transformed("relevant", topic, results)[run]
        unjudged = transformed("unjudged(count=2)", topic, results)[run]
        for longer in (ends, more, unjudged):
            assert longer[: len(rows)] == rows
            assert all(row[0] > rows[-1][0] for row in longer[len(rows) :])
        assert without_ranks(front[len(front) - len(rows) :]) == without_ranks(rows)
        documents = {row[1] for row in rows}
        for added in (*ends[len(rows) :], *front[: len(front) - len(rows)], *unjudged[len(rows) :]):
            assert added[1] not in documents
            assert not relevant(topic, added[1], added[3], added[4])
        assert not {row[1] for row in unjudged[len(rows) :]} & set(topic.assessed.tolist())
        read = set().union(*(relevant(topic, row[1], row[3], row[4]) for row in rows))
        for _, document, element, start, end in more[len(rows) :]:
            held = relevant(topic, document, start, end)
            assert len(held) == end - start > 0
            assert not held & read
            assert (element >= 0) == (run == "elements")


def pieces_without(topic, elements):
    """Return the largest elements or passages without relevant text, in documents with relevant text."""
    collection = topic.collection
    pieces = []
    for document in sorted(set(topic.highlights.document.tolist())):
        rows = range(collection.first[document], collection.first[document + 1])
        size = int(collection.end[collection.first[document]])
        barren = {r for r in rows if not relevant(topic, *(element_row(collection, r)[i] for i in (0, 2, 3)))}
        if elements:
            pieces += [
                element_row(collection, r) for r in sorted(barren) if collection.parent[r] not in barren
            ]
            continue
        marked = relevant(topic, document, 0, size)
        points = [i for i in range(size + 1) if ((document, i) in marked) != ((document, i - 1) in marked)]
        points = [0, *(i for i in points if 0 < i < size), size]
        pieces += [
            (document, -1, start, end)
            for start, end in itertools.pairwise(points)
            if (document, start) not in marked
        ]
    return [one for one in pieces if one[3] > one[2]]


@settings(max_examples=15)
@given(SEEDS)
def test_irrelevant_pieces_of_relevant_documents(seed):
    topic, results = random_campaign(seed)
    for run, rows in listed(results).items():
        read = {(row[1], i) for row in rows for i in range(row[3], row[4])}
        new = [
            piece
            for piece in pieces_without(topic, run == "elements")
            if not read & {(piece[0], i) for i in range(piece[2], piece[3])}
        ]
        ends = transformed("irrelevant(document=relevant)", topic, results)[run]
        front = transformed("irrelevant(where=front,document=relevant)", topic, results)[run]
        assert ends[: len(rows)] == rows and without_ranks(front)[-len(rows) :] == without_ranks(rows)
        for added in (ends[len(rows) :], front[: -len(rows)]):
            assert len(added) == bool(new) and {row[1:] for row in added} <= set(new)


@settings(max_examples=15)
@given(SEEDS)
def test_ties_stay_ties(seed):
    topic, results = random_campaign(seed)
    for run, rows in listed(results).items():
        again = transformed("ties", topic, results)[run]
        assert [row[0] for row in again] == [row[0] for row in rows]
        for rank in {row[0] for row in rows}:
            group, other = (
                [row[1:] for row in rows_before_or_after if row[0] == rank]
                for rows_before_or_after in (rows, again)
            )
            assert other == group[::-1]
        twice = transformed("twice", topic, results)[run]
        for i, row in enumerate(rows):
            assert (twice[2 * i][0] == twice[2 * i + 1][0]) == tied(rows, row)


def test_draws_depend_only_on_seed_and_names():
    topic, results = random_campaign(7)
    assert transformed("random(seed=3)", topic, results) == transformed("random(seed=3)", topic, results)
    drawn = {str(transformed(f"random(seed={seed})", topic, results)) for seed in range(20)}
    assert len(drawn) > 1


@pytest.mark.parametrize("one", TRANSFORMATIONS.values(), ids=lambda one: one.name)
def test_declarations(one):
    assert one.expected in EXPECTATIONS
    assert one.summary and one.why and one.source and one.trait
    applied = parse_applied(one.name, TRANSFORMATIONS)
    assert applied.name == one.name
    topic, results = random_campaign(11)
    if one.name == "second-assessor":
        with pytest.raises(InputError, match="file=PATH"):
            applied.judged([topic])
        return
    if one.changes == JUDGEMENTS:
        assert len(applied.judged([topic])) == 1
        return
    assert applied.transform(results, [topic]).topics.tolist()


def test_every_transformation_is_declared_once():
    declared = [one for module in MODULES for one in vars(module).values() if isinstance(one, Transformation)]
    assert sorted(one.name for one in declared) == sorted(TRANSFORMATIONS)
