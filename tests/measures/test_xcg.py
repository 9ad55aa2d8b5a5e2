"""XCG against a literal second implementation, by hand, and against other programs."""

import dataclasses
from fractions import Fraction

import numpy as np
import pytest
import pytrec_eval
from pyNTCIREVAL.metrics import QMeasure, nDCG
from pyNTCIREVAL.metrics.metric import MetricState

from focuseval.errors import InputError
from focuseval.measures import MEASURES, declaration, parse_specs
from focuseval.measures import recall_base as recallbase
from focuseval.measures import xcg as module
from focuseval.model.judgements import Topic
from tests.measures import xcg_literal as literal
from tests.trees import element_list, random_cases, random_collection, random_topic, tree_of

MEASURE_NAMES = ["nxCG@1", "nxCG@3", "nxCG@50", "MAnxCG@5", "MAnxCG@40", "ep@0.01", "ep@0.5", "ep@1"]
MEASURE_NAMES += ["MAep", "iMAep", "Q", "R"]


def value(topic, results, name, **parameters):
    stem, _, at = name.partition("@")
    inside = ",".join(f"{key}={text}" for key, text in parameters.items())
    [spec] = parse_specs(f"{stem}({inside})" + (f"@{at}" if at else ""), MEASURES)
    return spec.value(topic, results)


def base_of(topic, **changed):
    parameters = {p.name: p.default for p in module.PARAMETERS} | changed
    return module.prepare(topic, **declaration.select_parameters(module.prepare, parameters))


def run_of(collection, rows):
    return element_list(collection, np.array(rows, dtype=np.int64))


def flat_collection(count):
    """Return one document whose root has ``count`` children of 10 characters."""
    start = [0, *range(0, 10 * count, 10)]
    return tree_of([-1] + [0] * count, start, [10 * count, *(at + 10 for at in start[1:])])


def two_levels(start, end, size):
    """Return one document: an article of ``size`` characters with a paragraph."""
    return tree_of([-1, 0], [0, start], [size, end])


def one_child_each(scores):
    """Return a topic whose elements have the given specificities and do not overlap."""
    collection = flat_collection(len(scores))
    rows = np.flatnonzero(scores > 0) + 1
    return Topic("t", "highlights", collection, rows, np.full(len(rows), 2.0), scores[rows - 1], None)


# --- a literal second implementation


@pytest.mark.parametrize("own_text", ["share", "literal"])
@pytest.mark.parametrize("quantisation", ["strict", "gen", "genLifted", "specificity"])
def test_gains_agree_with_the_literal_recursion(own_text, quantisation):
    partial = capped = 0
    seed = [1, len(own_text), len(quantisation)]
    for rng, case in random_cases(seed, 180, documents=2, elements=14, share=0.7, length=16):
        nodes, topic, results = case.nodes, case.topic, case.results
        alpha = float(rng.choice([0, 1, 0.5, round(rng.random(), 3)]))
        method = str(rng.choice(list(recallbase.IDEAL_METHODS)))
        base = base_of(topic, quantisation=quantisation, own_text=own_text, ideal=method)
        scores = literal.scores_of(topic, quantisation)
        assert (base is None) == (not scores)
        if base is None:
            continue
        gains = module.gains(base, results, alpha)
        rows = results.element.tolist()
        ideal = literal.ideal_of(nodes, scores, method)
        expected = literal.focussed_gains(nodes, scores, ideal, rows, literal.exact(alpha), own_text)
        np.testing.assert_allclose(gains, np.array(expected, dtype=float), rtol=0, atol=1e-12)
        assert ((gains > 0) == np.array([g > 0 for g in expected], dtype=bool)).all()
        free = literal.focussed_gains(
            nodes, scores, ideal, rows, literal.exact(alpha), own_text, capped=False
        )
        capped += free != expected
        partial += any(g not in (0, scores.get(r)) for g, r in zip(free, rows, strict=True))
    assert capped > 4 and partial > 4


@pytest.mark.parametrize("overlap", ["on", "off"])
def test_measures_agree_with_their_equations(overlap):
    above_total = compared = 0
    for rng, case in random_cases(5, 90, share=0.7, length=20):
        nodes, topic, results = case.nodes, case.topic, case.results
        quantisation = str(rng.choice(["strict", "gen", "genLifted"]))
        alpha = float(rng.choice([0, 1, 0.25]))
        scores = literal.scores_of(topic, quantisation)
        if not scores:
            continue
        rows = results.element.tolist()
        if overlap == "on":
            ideal = literal.ideal_of(nodes, scores)
            gain = literal.focussed_gains(nodes, scores, ideal, rows, literal.exact(alpha), "share")
        else:
            ideal = set(scores)
            gain = literal.plain_gains(scores, rows)
        expected = literal.Literal(gain, [scores[row] for row in ideal])
        above_total += sum(gain) > sum(expected.ideal)
        settings = {"quantisation": quantisation, "alpha": alpha, "overlap": overlap}
        for name in MEASURE_NAMES:
            score = value(topic, results, name, **settings)
            assert score == pytest.approx(float(expected.value(name)), abs=1e-12), (name, settings)
            compared += 1
    assert compared > 400
    assert overlap == "off" or above_total > 1


def test_long_lists_over_large_trees_agree():
    """Rounding does not accumulate: 200 results, many of them repeated, over nested parts."""
    rng = np.random.default_rng(3)
    collection, nodes = random_collection(rng, documents=2, elements=80)
    for alpha in (1.0, 0.7):
        topic = random_topic(rng, collection, "inex2005", share=0.5)
        base = base_of(topic)
        results = run_of(collection, rng.integers(0, len(collection), 200).tolist())
        scores = literal.scores_of(topic, "gen")
        ideal = literal.ideal_of(nodes, scores)
        rows = results.element.tolist()
        expected = literal.focussed_gains(nodes, scores, ideal, rows, literal.exact(alpha), "share")
        gains = module.gains(base, results, alpha)
        np.testing.assert_allclose(gains, np.array(expected, dtype=float), rtol=0, atol=1e-12)
        assert ((gains > 0) == np.array([g > 0 for g in expected])).all()


# --- worked by hand from the equations


@pytest.fixture
def worked():
    """A document of 100 characters: sec (0-60) with p1 (0-20), p2 (20-50) and 10 of its own, then p3 (60-80).

    Specificities of 0.6, 0.5, 1, 0.5, 0.4 and e = 1: gen gives article .6, sec .5, p1 1, p2 .5, p3 .4.
    """
    collection = tree_of([-1, 0, 1, 1, 0], [0, 0, 0, 20, 60], [100, 60, 20, 50, 80])
    specificity = np.array([0.6, 0.5, 1.0, 0.5, 0.4])
    return collection, Topic("t", "inex2005", collection, np.arange(5), np.ones(5), specificity, None)


ARTICLE, SEC, P1, P2, P3 = range(5)


def test_worked_ideal_recall_base(worked):
    """Paths end in p1 (best: p1, 1), p2 (best: the article, .6) and p3 (the article), which holds p1."""
    collection, _ = worked
    scores = np.array([0.6, 0.5, 1.0, 0.5, 0.4])
    rows = np.arange(5)
    assert np.flatnonzero(recallbase.ideal(collection, rows, scores)).tolist() == [ARTICLE]
    assert np.flatnonzero(recallbase.ideal(collection, rows, scores, "deepest")).tolist() == [P1, P2, P3]
    # scores per character: .006, .0083, .05, .0167, .02
    assert np.flatnonzero(recallbase.ideal(collection, rows, scores, "density")).tolist() == [P1, P2, P3]
    assert np.flatnonzero(recallbase.ideal(collection, rows, scores, "article")).tolist() == [ARTICLE]
    # without the article the path to p2 goes to sec, by the tie .5 = .5, and sec holds p1
    scores[ARTICLE] = 0
    assert np.flatnonzero(recallbase.ideal(collection, rows, scores)).tolist() == [SEC, P3]


@pytest.mark.parametrize(
    ("own_text", "alpha", "expected"),
    [
        # p2 .5; sec: (1*20 + 0*30 + .5*10)/60 = 25/60; p1 has been seen: 0; sec again: 0; p3: .4
        ("share", 1.0, [0.5, 25 / 60, 0.0, 0.0, 0.4]),
        # the section's own 10 characters are worth nothing: (1*20 + 0*30)/60
        ("literal", 1.0, [0.5, 20 / 60, 0.0, 0.0, 0.4]),
        # p2 .5; sec: .5 (1*20 + .25*30 + .5*10)/60 + .5*.5; p1 seen: .5; sec again: .25
        ("share", 0.5, [0.5, 0.5 * 32.5 / 60 + 0.25, 0.5, 0.25, 0.4]),
        ("share", 0.0, [0.5, 0.5, 1.0, 0.5, 0.4]),
    ],
)
def test_worked_gains_before_normalisation(worked, own_text, alpha, expected):
    collection, topic = worked
    base = base_of(topic, own_text=own_text)
    assert base is not None and base.tree is not None
    free = dataclasses.replace(base, tree=dataclasses.replace(base.tree, holder=np.full(5, -1)))
    gains = module.gains(free, run_of(collection, [P2, SEC, P1, SEC, P3]), alpha)
    np.testing.assert_allclose(gains, expected, atol=1e-15)


def test_worked_normalisation(worked):
    """The article (.6) is ideal: after p2 (.5) only .1 is left, and then nothing."""
    collection, topic = worked
    base = base_of(topic)
    np.testing.assert_allclose(module.gains(base, run_of(collection, [P2, SEC, P1, P3])), [0.5, 0.1, 0, 0])


def test_worked_measures():
    """Ideal gains are 1, .5, .5; the run gains 0, .5, 0, 1: xCG is 0 .5 .5 1.5, xCI is 1 1.5 2 2."""
    topic = one_child_each(np.array([1.0, 0.5, 0.5, 0.0, 0.0]))
    results = run_of(topic.collection, [4, 2, 5, 1])
    setting = {"quantisation": "specificity"}

    def of(name):
        return value(topic, results, name, **setting)

    # the root is not relevant, so overlap changes nothing
    assert of("nxCG@1") == 0
    assert of("nxCG@2") == pytest.approx(0.5 / 1.5)
    assert of("nxCG@10") == pytest.approx(1.5 / 2)
    assert of("MAnxCG@4") == pytest.approx((0 + 0.5 / 1.5 + 0.5 / 2 + 1.5 / 2) / 4)
    # the ideal reaches .5 at rank 1/2 and 1.5 at rank 2; one of three is not found
    assert of("MAep") == pytest.approx((0.5 / 2 + 2 / 4) / 3)
    # gain .2 (recall .1): ideal rank .2, run rank 1.4; gain 1 (.5): 1 and 3.5; gain 2: never
    assert of("ep@0.1") == pytest.approx(0.2 / 1.4)
    assert of("ep@0.5") == pytest.approx(1 / 3.5)
    assert of("ep@0.75") == pytest.approx(2 / 4)
    assert of("ep@1") == 0
    assert of("ep@0") == 0
    # ranks 2 and 4: (.5 + 1)/(1.5 + 2) and (1.5 + 2)/(2 + 4), over R = 3; at rank R: (.5 + 1)/(2 + 3)
    assert of("Q") == pytest.approx((1.5 / 3.5 + 3.5 / 6) / 3)
    assert of("R") == pytest.approx(1.5 / 5)


# --- identities and limits


def nonempty_cases(seed, count, **changed):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        collection, nodes = random_collection(rng, documents=3, elements=10)
        topic = random_topic(rng, collection, "inex2005", share=0.7)
        base = base_of(topic, **changed)
        if base is not None:
            yield rng, collection, nodes, topic, base


@pytest.mark.parametrize("method", list(recallbase.IDEAL_METHODS))
@pytest.mark.parametrize("overlap", ["on", "off"])
@pytest.mark.parametrize("quantisation", ["strict", "gen", "genLifted"])
def test_the_ideal_run_scores_one(method, overlap, quantisation):
    setting = {"overlap": overlap, "quantisation": quantisation, "ideal": method}
    count = 0
    for rng, collection, _, topic, _ in nonempty_cases(17, 12, **setting):
        rows, scores = recallbase.full(topic, quantisation)
        if overlap == "on":
            chosen = recallbase.ideal(collection, rows, scores, method)
            rows, scores = rows[chosen], scores[chosen]
        best = run_of(collection, rows[np.argsort(-scores, kind="stable")].tolist())
        for name in ["nxCG@1", "nxCG@2", "nxCG@99", "MAnxCG@7", "MAep", "iMAep", "Q", "R", "ep@0", "ep@0.3"]:
            alpha = round(float(rng.random()), 2)
            assert value(topic, best, name, alpha=alpha, **setting) == pytest.approx(1, abs=1e-12), name
            count += 1
    assert count > 30


def test_overlap_off_is_alpha_zero_without_capping():
    count = 0
    for rng, collection, _, topic, on in nonempty_cases(23, 90):
        off = base_of(topic, overlap="off")
        assert off is not None and on.tree is not None
        free = dataclasses.replace(on, tree=dataclasses.replace(on.tree, holder=np.full(len(on.element), -1)))
        results = run_of(collection, rng.permutation(len(collection))[:12].tolist())
        np.testing.assert_allclose(module.gains(free, results, 0.0), module.gains(off, results), atol=1e-15)
        count += 1
    assert count > 60


def test_a_repeated_element_gains_nothing_without_overlap_and_the_rest_with_overlap():
    topic = one_child_each(np.array([0.8, 0.5]))
    twice = run_of(topic.collection, [1, 1, 2])
    setting = {"quantisation": "specificity"}
    off, on = base_of(topic, overlap="off", **setting), base_of(topic, **setting)
    assert off is not None and on is not None and on.tree is not None
    np.testing.assert_allclose(module.gains(off, twice), [0.8, 0, 0.5])
    np.testing.assert_allclose(
        module.gains(on, twice, 0.75), [0.8, 0, 0.5]
    )  # inside an ideal element: capped
    free = dataclasses.replace(on, tree=dataclasses.replace(on.tree, holder=np.full(3, -1)))
    np.testing.assert_allclose(module.gains(free, twice, 0.75), [0.8, 0.2, 0.5])


def test_a_gain_can_exceed_the_ideal_total_even_at_alpha_one():
    """The ancestor of an ideal element is not capped, and its unseen own text counts.

    p: e 2, s 1, 10 characters; its article of 100: s .1, gen .2. p is ideal, and the article after it
    gains .2 * 90/100. With own_text=literal it gains nothing here.
    """
    collection = two_levels(40, 50, 100)
    topic = Topic("t", "inex2005", collection, np.arange(2), np.full(2, 2.0), np.array([0.1, 1.0]), None)
    results = run_of(collection, [1, 0])
    assert value(topic, results, "nxCG@2") == pytest.approx(2.18 / 2)
    assert value(topic, results, "nxCG@2", own_text="literal") == pytest.approx(1)
    assert value(topic, results, "MAep") == pytest.approx((1 + 1 / 2) / 2)


def test_the_mean_effort_precision_can_exceed_one_for_the_same_reason():
    """With three more ideal elements of .1, the second rank has the gain of 2.8 ideal ranks."""
    curve = module.Curve(np.array([2, 0.18, 0.1, 0.1]), module.Ideal(np.array([2, 0.1, 0.1, 0.1])))
    expected = (1 + 2.8 / 2 + 3.8 / 3 + 4 / 4) / 4
    assert module.maep(curve) == pytest.approx(expected)
    assert expected > 1


def test_seen_text_is_worth_less_but_a_paragraph_outlives_its_italic_word():
    """The example of the errata: a word of 4 characters, judged too small, then its paragraph of 100."""
    collection = two_levels(40, 44, 100)
    topic = Topic(
        "t", "inex2005", collection, np.arange(2), np.array([2.0, -1.0]), np.array([1.0, 1.0]), None
    )
    results = run_of(collection, [1, 0])
    for own_text, expected in (("share", 2 * 0.96), ("literal", 0.0)):
        base = base_of(topic, own_text=own_text)
        np.testing.assert_allclose(module.gains(base, results), [0, expected])


def test_a_container_without_a_score_gains_once_a_part_was_seen():
    """Eq. 7 taken literally (strict): two perfect paragraphs of 40 in a section of 100 with score 0."""
    collection = tree_of([-1, 0, 0], [0, 0, 40], [100, 40, 80])
    topic = Topic("t", "inex2005", collection, np.arange(3), np.full(3, 2.0), np.array([0.8, 1, 1]), None)
    base = base_of(topic, quantisation="strict")
    np.testing.assert_allclose(module.gains(base, run_of(collection, [0, 1, 2])), [0, 0, 0])
    np.testing.assert_allclose(module.gains(base, run_of(collection, [1, 0, 2])), [1, 0.4, 0])


# --- other programs


def test_binary_maep_is_average_precision_by_trec_eval():
    rng = np.random.default_rng(41)
    for _ in range(100):
        count = int(rng.integers(1, 40))
        scores = (rng.random(count) < 0.4).astype(float)
        if not scores.any():
            continue
        topic = one_child_each(scores)
        order = rng.permutation(count)[: int(rng.integers(1, count + 1))]
        qrels = {"t": {str(i): int(s) for i, s in enumerate(scores)}}
        run = {"t": {str(i): float(len(order) - place) for place, i in enumerate(order)}}
        ap = pytrec_eval.RelevanceEvaluator(qrels, {"map"}).evaluate(run)["t"]["map"]
        results = run_of(topic.collection, (order + 1).tolist())
        for setting in ({"quantisation": "strict"}, {"quantisation": "specificity"}):
            assert value(topic, results, "MAep", overlap="off", **setting) == pytest.approx(ap, abs=1e-12)


def ntcireval(scores, order):
    """Return elements with real gains as levels of pyNTCIREVAL: one level for each distinct gain."""
    grades = sorted(set(scores[scores > 0].tolist()))
    level = [grades.index(s) + 1 if s > 0 else 0 for s in scores.tolist()]
    number = [level.count(k) for k in range(len(grades) + 1)]
    return number, grades, [(int(i), level[i]) for i in order]


def test_q_and_r_are_ntcirevals_on_real_gains():
    rng = np.random.default_rng(43)
    for _ in range(90):
        count = int(rng.integers(1, 30))
        scores = np.where(rng.random(count) < 0.5, rng.random(count), 0.0)
        relevant = int((scores > 0).sum())
        if relevant == 0:
            continue
        topic = one_child_each(scores)
        order = rng.permutation(count)
        number, grades, ranked = ntcireval(scores, order)
        q = QMeasure(number, grades, 1.0)
        results = run_of(topic.collection, (order + 1).tolist())
        setting = {"quantisation": "specificity", "overlap": "off"}
        assert value(topic, results, "Q", **setting) == pytest.approx(q.compute(ranked), abs=1e-12)
        with MetricState(q, ranked):
            q.relnum = sum(level > 0 for _, level in ranked[:relevant])
            blended = q.gain(relevant - 1)  # the blended ratio at rank R: the R-measure
        assert value(topic, results, "R", **setting) == pytest.approx(blended, abs=1e-12)


def test_nxcg_is_ndcg_with_a_flat_discount():
    rng = np.random.default_rng(47)
    for _ in range(90):
        count = int(rng.integers(1, 30))
        scores = np.where(rng.random(count) < 0.5, rng.random(count), 0.0)
        if not scores.any():
            continue
        topic = one_child_each(scores)
        order = rng.permutation(count)
        number, grades, ranked = ntcireval(scores, order)
        number[0] = count  # room for ideal lists as long as the run
        results = run_of(topic.collection, (order + 1).tolist())
        for cutoff in (1, 5, 25):
            flat = nDCG(number, grades, 10**6, cutoff)  # no discount below rank 10^6
            score = value(topic, results, f"nxCG@{cutoff}", quantisation="specificity", overlap="off")
            assert score == pytest.approx(flat.compute(ranked), abs=1e-12)


# --- rules of the house


def test_a_result_that_is_no_element_gains_nothing_and_hides_nothing():
    topic = one_child_each(np.array([0.8, 0.5]))
    elements = run_of(topic.collection, [1, 1, 2])
    passage = dataclasses.replace(
        elements,
        document=np.array([0, -1, 0]),
        element=np.array([-1, -1, 2]),
        start=np.array([0, -18, 10]),
        end=np.array([20, 0, 20]),
    )
    for overlap in ("on", "off"):
        base = base_of(topic, overlap=overlap, quantisation="specificity")
        np.testing.assert_allclose(module.gains(base, passage), [0, 0, 0.5])


def test_without_sizes_overlap_off_works_and_overlap_on_is_refused():
    topic = one_child_each(np.array([0.8, 0.5]))
    unknown = dataclasses.replace(topic.collection, end=np.full(3, -1), complete=False)
    topic = dataclasses.replace(topic, collection=unknown)
    results = dataclasses.replace(run_of(unknown, [1, 2]), start=np.zeros(2, int), end=np.full(2, -1))
    assert value(topic, results, "nxCG@2", quantisation="specificity", overlap="off") == pytest.approx(1)
    with pytest.raises(InputError, match=r"give the documents \(documents=\), or use overlap=off"):
        value(topic, results, "nxCG@2", quantisation="specificity")


# --- Fetch and Browse


def test_articles_are_derived_at_their_first_occurrence():
    """The paper's example: a1/e1, a1/e2, a2 become a1, a2; unresolved results stay."""
    rng = np.random.default_rng(2)
    collection, _ = random_collection(rng, documents=3, elements=8)
    first = collection.first
    rows = [int(first[1]) - 1, -1, 0, int(first[2]), -1, int(first[2])]
    derived = module.derive_articles(collection, run_of(collection, rows))
    assert derived.element.tolist() == [0, -1, int(first[2]), -1]
    assert derived.document.tolist() == [0, -1, 2, -1]
    assert derived.rank.tolist() == [1, 2, 4, 5]


@pytest.mark.parametrize("quantisation", ["strict", "gen"])
@pytest.mark.parametrize("overlap", ["on", "off"])
def test_fetch_and_browse_agrees_with_its_definition(quantisation, overlap):
    count = 0
    setting = {"quantisation": quantisation, "overlap": overlap}
    for rng, collection, nodes, topic, _ in nonempty_cases(53, 50, **setting):
        results = run_of(collection, rng.integers(-1, len(collection), 15).tolist())
        rows = results.element.tolist()
        scores = literal.scores_of(topic, quantisation)
        documents = sorted({nodes[row].document for row in scores})
        root = {d: int(collection.first[d]) for d in documents}
        articles = {
            root[d]: scores.get(root[d]) or max(s for row, s in scores.items() if nodes[row].document == d)
            for d in documents
        }
        order = []
        for row in rows:
            article = -1 if row < 0 else int(collection.first[nodes[row].document])
            if article < 0 or article not in order:
                order.append(article)
        fetched = literal.Literal(literal.plain_gains(articles, order), list(articles.values()))
        clusters = []
        for d in documents:
            mine = [row for row in rows if row >= 0 and nodes[row].document == d]
            inside = {row: s for row, s in scores.items() if nodes[row].document == d}
            if overlap == "on":
                ideal = literal.ideal_of(nodes, inside)
                gain = literal.focussed_gains(nodes, inside, ideal, mine, Fraction(1), "share")
            else:
                ideal, gain = set(inside), literal.plain_gains(inside, mine)
            clusters.append(literal.Literal(gain, [inside[row] for row in ideal]))
        for name in ("MAep", "iMAep", "ep@0.5"):
            score = value(topic, results, name, fetch_browse="article", **setting)
            assert score == pytest.approx(float(fetched.value(name)), abs=1e-12)
            score = value(topic, results, name, fetch_browse="element", **setting)
            mean = sum(c.value(name) for c in clusters) / len(clusters)
            assert score == pytest.approx(float(mean), abs=1e-12)
            count += 1
    assert count > 50
