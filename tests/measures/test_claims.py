"""Claims of the declarations on random campaigns: they hold, and fail where nothing is claimed."""

from dataclasses import replace

import numpy as np
import pytest

from focuseval.measures import MEASURES, parse_specs
from focuseval.measures.declaration import CLAIMS
from focuseval.model.judgements import Topic
from tests.passages import list_of, random_case, topic_of
from tests.trees import element_list, random_collection, random_topic, tree_of

#: these measures accept passages
OF_TEXT = [m for m in MEASURES.values() if m.needs & {"highlights", "entry points", "articles", "spans"}]
OF_ELEMENTS = [m for m in MEASURES.values() if m not in OF_TEXT]

CUTOFFS = {
    "rank": ("@1", "@3", "@30"),
    "level": ("@0.0", "@0.2", "@1.0"),
    "share": ("@0.2", "@0.5", "@1"),
    "characters": ("@1c", "@7c", "@100c"),
    "words": ("@1w", "@3w", "@30w"),
    "lines": ("@1l", "@7l", "@100l"),
    "tokens": (),  # these need a tokenizer: tests/formats/test_tokenizers.py
}


def specs_of(measure):
    """Return specs of a measure: its defaults, and every other choice of each parameter, at several cut-offs."""
    settings = [""]
    for parameter in measure.parameters:
        choices = parameter.choices or (() if parameter.reader else ("1", "0.25"))
        for choice in choices:
            usable = parameter.choices or parameter.low <= float(choice) <= parameter.high
            if usable and choice not in ("table", "clicks", parameter.default):  # these choices need files
                settings.append(f"({parameter.name}={choice})")
    behind = [at for cutoff in measure.cutoffs for at in CUTOFFS[cutoff.kind.name]]
    behind += [] if measure.value is None else [""]
    return [
        s for setting in settings for at in behind for s in parse_specs(measure.name + setting + at, MEASURES)
    ]


SPECS = {measure.name: specs_of(measure) for measure in MEASURES.values()}


def holding(pairs, measures):
    """Return the names of the measures that give both lists of every pair the same score under every setting."""
    held = {measure.name for measure in measures}
    for topic, one, other in pairs:
        for name in sorted(held):
            for spec in SPECS[name]:
                value = spec.value(topic, one)
                if value is not None and spec.value(topic, other) != pytest.approx(
                    value, rel=1e-9, abs=1e-12
                ):
                    held.discard(name)
                    break
    return held


def claiming(claim, measures):
    return {measure.name for measure in measures if claim in measure.claims}


def element_cases(seed, count):
    """Yield topics whose last two documents are irrelevant, with the rows and ranks of a list that has ties."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        collection, _ = random_collection(rng, 4, 8)
        topic = random_topic(rng, collection, "inex2005")
        kept = topic.element < collection.first[2]
        columns = {name: getattr(topic, name)[kept] for name in ("element", "exhaustivity", "specificity")}
        rows = rng.integers(0, len(collection), int(rng.integers(1, 12)))
        yield rng, replace(topic, **columns), rows, np.cumsum(rng.integers(0, 2, len(rows)))


def text_cases(seed, count):
    """Yield topics with two more documents without highlights, with the passages of a list."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        case = random_case(rng)
        passages = [p for p in case.passages if p[1] is not None]
        yield rng, topic_of([*case.lengths, 9, 9], case.highlights, case.entry_point), passages


def test_ties():
    def pairs():
        for rng, topic, rows, rank in element_cases(1, 12):
            order = np.lexsort((rng.random(len(rows)), rank))
            yield topic, *(element_list(topic.collection, r, rank) for r in (rows, rows[order]))

        # Whether a document or the half of it comes first matters to inex2003(ties=order).
        collection, (e, s) = tree_of([-1, 0, -1], [0, 0, 0], [10, 5, 10]), np.array([[2.0, 2.0], [0.9, 1.0]])
        lists = (element_list(collection, np.array(rows), np.array([1, 1])) for rows in ([0, 1], [1, 0]))
        yield Topic("t", "inex2005", collection, np.array([0, 1]), e, s, None), *lists

    assert holding(pairs(), OF_ELEMENTS) == claiming("ties", OF_ELEMENTS)

    def of_text():
        for rng, topic, passages in text_cases(2, 30):
            order = rng.permutation(len(passages))
            tied = (list_of(p) for p in (passages, [passages[i] for i in order]))
            yield topic, *(replace(results, rank=np.ones(len(results), dtype=np.int64)) for results in tied)

        # One result overlaps both gold spans equally, the other only the second: the order of pairs matters.
        topic, lists = (
            topic_of([10], [(0, 6, 10), (0, 2, 6)]),
            ([(0, 4, 8), (0, 0, 4)], [(0, 0, 4), (0, 4, 8)]),
        )
        yield topic, *(replace(list_of(results), rank=np.ones(2, dtype=np.int64)) for results in lists)

        # An irrelevant judged document comes before or after the relevant one.
        topic = replace(topic_of([10, 10], [(0, 2, 6)]), assessed=np.array([0, 1]))
        lists = ([(0, 2, 6), (1, 0, 4)], [(1, 0, 4), (0, 2, 6)])
        yield topic, *(replace(list_of(results), rank=np.ones(2, dtype=np.int64)) for results in lists)

    assert holding(of_text(), OF_TEXT) == claiming("ties", OF_TEXT)


def test_split():
    def pairs():
        for rng, topic, passages in text_cases(3, 12):
            pieces = []
            for document, start, end in passages:
                middle = int(rng.integers(start, end + 1))
                pieces += [(document, start, middle), (document, middle, end)]
            yield topic, list_of(passages), list_of(pieces)
        # The second half of a result is in another bin than the start of the result.
        topic = topic_of([700], [(0, 0, 10), (0, 310, 600)])
        yield topic, list_of([(0, 0, 700)]), list_of([(0, 0, 350), (0, 350, 700)])

    assert holding(pairs(), OF_TEXT) == claiming("split", OF_TEXT)
    assert not claiming("split", OF_ELEMENTS)


def test_tail():
    def pairs():
        for rng, topic, rows, rank in element_cases(4, 12):
            collection = topic.collection
            more = rng.integers(collection.first[2], len(collection), 5)
            last = rank[-1] + 1 + np.cumsum(rng.integers(0, 2, len(more)))
            longer = element_list(collection, np.append(rows, more), np.append(rank, last))
            yield topic, element_list(collection, rows, rank), longer

    assert holding(pairs(), OF_ELEMENTS) == claiming("tail", OF_ELEMENTS)

    def of_text():
        for _, topic, passages in text_cases(5, 12):
            count = len(topic.collection.names)
            yield topic, list_of(passages), list_of([*passages, (count - 2, 2, 7), (count - 1, 0, 9)])

    assert holding(of_text(), OF_TEXT) == claiming("tail", OF_TEXT)


def test_bounds():
    cases = [
        (topic, element_list(topic.collection, rows, rank)) for _, topic, rows, rank in element_cases(6, 8)
    ]
    passages = [(topic, list_of(passages_of_topic)) for _, topic, passages_of_topic in text_cases(7, 8)]
    # the gold itself, once and twice: the shares add up to all of it
    passages += [
        (topic, list_of(passages_of_topic * times))
        for _, topic, _ in text_cases(9, 3)
        for times in (1, 2)
        if (
            passages_of_topic := list(
                zip(
                    *(getattr(topic.spans, name).tolist() for name in ("document", "start", "end")),
                    strict=True,
                )
            )
        )
    ]
    for measures, lists in ((OF_ELEMENTS, cases), (OF_TEXT, passages)):
        for measure in measures:
            for spec in SPECS[measure.name]:
                low, high = measure.bounds_of(spec.parameters)
                values = [
                    v
                    for topic, passages_of_topic in lists
                    if (v := spec.value(topic, passages_of_topic)) is not None
                ]
                assert all(low <= v <= high for v in values), spec.name
                assert len(values) > 2


def test_a_share_is_at_most_1_to_the_last_digit():
    """Each unit of the gold is one result; sevenths, for example, are no binary fractions."""
    for size in (3, 7, 49, 93):
        topic, results = topic_of([100], [(0, 0, size)]), list_of([(0, i, i + 1) for i in range(size)])
        [spec] = parse_specs("MAiSP", MEASURES)
        assert spec.trace(spec.prepare(topic), results).gold[-1] == size
        assert (
            spec.value(topic, results) == spec.measure.value(spec.trace(spec.prepare(topic), results)) == 1.0
        )
    for number, expected in ((1 + 9e-10, 1.0), (1 + 2e-9, 1 + 2e-9), (-1e-10, 0.0), (0.5, 0.5)):
        assert spec.within_bounds(np.array(number)) == expected


def test_an_empty_list_is_worth_0_and_a_topic_without_gold_nothing():
    [(_, topic, _, _)] = element_cases(8, 1)
    [(_, of_text, _)] = text_cases(15, 1)
    elements = replace(topic, element=topic.element[:0], exhaustivity=np.empty(0), specificity=np.empty(0))
    cases = [(OF_ELEMENTS, topic, elements), (OF_TEXT, of_text, topic_of([10], [(0, 3, 3)], {}))]
    for measures, with_gold, without in cases:
        nothing = element_list(with_gold.collection, np.empty(0, dtype=np.int64))
        for spec in [spec for measure in measures for spec in SPECS[measure.name]]:
            # precall and inex2003 read on in the collection, granularity starts at 1, and NumRel ignores the list.
            if spec.measure.name not in ("precall", "inex2003", "plagdet.granularity", "NumRel"):
                assert spec.value(with_gold, nothing) in (0, None), spec.name
            counted = (
                spec.measure.name in ("Judged", "NumRet", "NumRel", "NumRelRet")
                or spec.parameters.get("without_gold", "left-out") != "left-out"
            )
            expected = 1 if spec.parameters.get("without_gold") == "perfect" else 0 if counted else None
            assert spec.value(without, nothing) == expected, spec.name


def test_every_claim_is_made_of_a_measure_and_tested():
    assert set(CLAIMS) == set().union(*(m.claims for m in MEASURES.values())) == {"ties", "split", "tail"}
