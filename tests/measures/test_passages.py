"""The measures of INEX 2006-2010 against a second implementation with sets of characters."""

import math

import numpy as np
import pytest

from focuseval.measures import (
    MEASURES,
    article_precision,
    best_in_context,
    focused,
    generalised,
    parse_specs,
    relevant_in_context,
    t2i,
)
from focuseval.measures.rules import rule_violations
from tests.passages import Case, list_of, random_case

SEEDS = range(1)
CASES = 200  # of each seed


def cases(seed: int):
    """Cases with something relevant, as they come."""
    rng = np.random.default_rng(seed)
    count = 0
    while count < CASES:
        case = random_case(rng)
        if case.relevant:
            count += 1
            yield rng, case, case.topic, list_of(case.passages)


def articles(case: Case) -> list[list[int]]:
    """The results of each article, articles by their first results; unknown documents stand alone."""
    found: dict[object, list[int]] = {}
    for i, (document, _, _) in enumerate(case.passages):
        found.setdefault(("unknown", i) if document < 0 else document, []).append(i)
    return list(found.values())


def document_of(case: Case, results: list[int]) -> int:
    return case.passages[results[0]][0]


def inside(characters, document: int):
    return {c for c in characters if c[0] == document and document >= 0}


def literal_generalised(scores: list[float], relevant: list[bool], total: int, rank: int):
    """gP and gR at a rank, and AgP."""
    precision = [math.fsum(scores[: r + 1]) / (r + 1) for r in range(len(scores))]
    average = math.fsum(p for p, hit in zip(precision, relevant, strict=True) if hit) / total
    return math.fsum(scores[:rank]) / rank, sum(relevant[:rank]) / total, average


def compare(ranking: generalised.ArticleRanking, scores: list[float], case: Case, total: int, rank: int):
    marked = {document for document, _ in case.relevant}
    relevant = [document_of(case, results) in marked for results in articles(case)]
    precision, recall, average = literal_generalised(scores, relevant, total, rank)
    assert ranking.score == pytest.approx(scores, abs=1e-12)
    assert generalised.precision_at(ranking, np.array([rank]))[0] == pytest.approx(precision, abs=1e-12)
    assert generalised.recall_at(ranking, np.array([rank]))[0] == pytest.approx(recall, abs=1e-12)
    assert generalised.average_precision(ranking) == pytest.approx(average, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_relevant_in_context(seed: int) -> None:
    for rng, case, topic, results in cases(seed):
        beta = float(rng.choice([0.0, 0.25, 1.0, 2.0]))
        scores = []
        for indices in articles(case):
            returned = frozenset().union(*(case.text(i) for i in indices))
            relevant = inside(case.relevant, document_of(case, indices))
            common = len(relevant & returned)
            f = 0.0
            if common:
                p, r = common / len(returned), common / len(relevant)
                f = (1 + beta**2) * p * r / (beta**2 * p + r)
            scores.append(f)
        text = relevant_in_context.prepare(topic)
        ranking = relevant_in_context.trace(text, results, beta=beta)
        total = len({document for document, _ in case.relevant})
        rank = int(rng.integers(1, 8))
        compare(ranking, scores, case, total, rank)
        at_rank = scores[rank - 1] if rank <= len(scores) else 0.0
        assert relevant_in_context.score_at(ranking, np.array([rank]))[0] == pytest.approx(at_rank, abs=1e-12)
        marked = {document for document, _ in case.relevant}
        of_relevant = [
            f for f, i in zip(scores, articles(case), strict=True) if document_of(case, i) in marked
        ]
        mean = sum(of_relevant) / len(of_relevant) if of_relevant else 0.0
        assert relevant_in_context.mean_score(ranking) == pytest.approx(mean, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_focused(seed: int) -> None:
    for rng, case, topic, results in cases(seed):
        seen: set = set()
        precision, recall, charged, paid = [], [], [], 0
        for i in range(len(case.passages)):
            seen |= case.text(i)
            good = len(seen & case.relevant)
            precision.append(good / len(seen) if seen else 0.0)
            recall.append(good / len(case.relevant))
            paid += len(case.text(i))
            charged.append(good / paid if paid else 0.0)
        ranking = focused.trace(focused.prepare(topic), results)
        assert ranking.precision == pytest.approx(precision) and ranking.recall == pytest.approx(recall)
        points, points_charged = (
            [
                max((p for p, r in zip(found, recall, strict=True) if 100 * r >= x - 1e-7), default=0.0)
                for x in range(101)
            ]
            for found in (precision, charged)
        )
        assert focused.average(ranking) == pytest.approx(math.fsum(points) / 101, abs=1e-12)
        [again] = parse_specs("AiP(again=charged)", MEASURES)
        assert again.value(topic, results) == pytest.approx(math.fsum(points_charged) / 101, abs=1e-12)
        x = int(rng.integers(0, 101))
        at = focused.interpolated(ranking, np.arange(101) / 100)[x]
        assert at == pytest.approx(points[x], abs=1e-12)
        rank = int(rng.integers(1, 15))
        last = min(rank, len(precision)) - 1
        expected = (precision[last], recall[last]) if precision else (0.0, 0.0)
        for name, number in zip(("char_precision", "char_recall"), expected, strict=True):
            [spec] = parse_specs(f"{name}@{rank}", MEASURES)
            assert spec.value(topic, results) == pytest.approx(number)


def reader(case: Case, indices: list[int], tolerance: int) -> float:
    """One article read character by character."""
    document = document_of(case, indices)
    relevant = inside(case.relevant, document)
    if not relevant:
        return 0.0
    good = 0
    bad = sum(18 for i in indices if case.passages[i][1] is None)
    returned = {c for i in indices for c in case.text(i) if c[1] >= 0}
    whole = [(document, i) for i in range(case.lengths[document])]
    for character in [c for c in whole if c in returned] + [c for c in whole if c not in returned]:
        if bad >= tolerance:
            break
        good, bad = (good + 1, bad) if character in relevant else (good, bad + 1)
    return good / (good + min(bad, tolerance))


@pytest.mark.parametrize("seed", SEEDS)
def test_tolerance_to_irrelevance(seed: int) -> None:
    for rng, case, topic, results in cases(seed):
        tolerance = int(rng.integers(1, 40))
        scores = [reader(case, indices, tolerance) for indices in articles(case)]
        prepared = t2i.prepare(topic)
        ranking = t2i.trace(prepared, results, tolerance=tolerance)
        compare(ranking, scores, case, len({d for d, _ in case.relevant}), int(rng.integers(1, 8)))


@pytest.mark.parametrize("seed", SEEDS)
def test_best_in_context(seed: int) -> None:
    for rng, case, topic, results in cases(seed):
        n = int(rng.integers(1, 40))
        scores = []
        for indices in articles(case):
            document, start, _ = case.passages[indices[0]]
            hit = document in case.entry_point and start is not None
            scores.append(max(0.0, 1 - abs(start - case.entry_point[document]) / n) if hit else 0.0)
        ranking = best_in_context.trace(best_in_context.prepare(topic), results, n=n)
        compare(ranking, scores, case, len(case.entry_point), int(rng.integers(1, 8)))


@pytest.mark.parametrize("seed", SEEDS)
def test_articles(seed: int) -> None:
    for rng, case, topic, results in cases(seed):
        marked = {document for document, _ in case.relevant}
        scores = [float(document_of(case, indices) in marked) for indices in articles(case)]
        ranking = article_precision.trace(article_precision.prepare(topic), results)
        compare(ranking, scores, case, len(marked), int(rng.integers(1, 8)))


@pytest.mark.parametrize("seed", SEEDS)
def test_rules(seed: int) -> None:
    for _, case, _, results in cases(seed):
        seen: set = set()
        overlap, resumed, second = [], [], []
        blocks: list[object] = []
        in_first_block: dict[object, bool] = {}
        for i, (document, _, _) in enumerate(case.passages):
            overlap.append(bool(case.text(i) & seen))
            seen |= case.text(i)
            article = ("unknown", i) if document < 0 else document
            second.append(article in blocks)
            if not blocks or blocks[-1] != article:
                in_first_block[article] = article not in blocks
            resumed.append(not in_first_block[article])
            blocks.append(article)
        expected = {
            "thorough": [],
            "focused": [i for i, bad in enumerate(overlap) if bad],
            "relevant-in-context": [i for i in range(len(overlap)) if overlap[i] or resumed[i]],
            "best-in-context": [i for i, bad in enumerate(second) if bad],
        }
        for rule, positions in expected.items():
            index, breaches = rule_violations(rule, results)
            assert index.tolist() == positions and len(breaches) == len(positions)
            if rule == "relevant-in-context":
                assert ["interleaved" in breach.found for breach in breaches] == [
                    resumed[i] for i in positions
                ]
