"""The classical measures: over documents against pytrec_eval, over gold passages against sets of characters."""

import math
import random
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import pytrec_eval

from focuseval.api import read_campaign, score, score_campaign
from focuseval.campaign.notices import PASSED_OVER
from focuseval.errors import InputError, InputWarning
from focuseval.measures import MEASURES, parse_specs
from tests.passages import Case, list_of, random_case, topic_of
from tests.told import told

#: theirs by ours
TREC = {"AP": "map", "MAP": "map", "RR": "recip_rank", "nDCG": "ndcg"}
for k in (5, 10, 20):
    TREC |= {f"P@{k}": f"P_{k}", f"Recall@{k}": f"recall_{k}", f"nDCG@{k}": f"ndcg_cut_{k}"}
    TREC |= {f"AP@{k}": f"map_cut_{k}", f"MAP@{k}": f"map_cut_{k}"}
TREC |= {f"Success@{k}": f"success_{k}" for k in (1, 5, 10)}


def random_qrels(draw: random.Random, topics: int = 20) -> tuple[dict, dict]:
    """Graded judgements and a run, in pytrec_eval's form; scores are distinct."""
    names = [f"d{i}" for i in range(60)]
    topic_names = [f"q{i}" for i in range(topics)]
    qrels = {
        topic: {name: draw.choice([-1, 0, 0, 0, 1, 2, 3]) for name in draw.sample(names, 20)}
        for topic in topic_names
    }
    run = {
        topic: {name: draw.random() for name in draw.sample(names, draw.choice([1, 4, 25]))}
        for topic in topic_names
    }
    return qrels, run


def write_trec(folder: Path, qrels: dict, run: dict) -> dict:
    """Both as trec_eval takes them, and as arguments of `read_campaign`."""
    lines = [f"{t} 0 {d} {grade}\n" for t, judged in qrels.items() for d, grade in judged.items()]
    (folder / "qrels").write_text("".join(lines))
    ranked = {t: sorted(found, key=lambda d: -found[d]) for t, found in run.items()}
    lines = [
        f"{t} Q0 {d} {i} {run[t][d]!r} me\n" for t, found in ranked.items() for i, d in enumerate(found, 1)
    ]
    (folder / "run").write_text("".join(lines))
    return {"assessments": folder / "qrels", "runs": folder / "run"}


@pytest.mark.parametrize("seed", range(1))
@pytest.mark.parametrize("level", [1, 2])
def test_documents_are_scored_as_by_trec_eval(seed: int, level: int, tmp_path: Path) -> None:
    qrels, run = random_qrels(random.Random(seed))
    names = {
        (
            name
            if level == 1
            else f"{name.partition('@')[0]}(rel={level}){name[name.find('@') :] if '@' in name else ''}"
        ): to
        for name, to in TREC.items()
        if level == 1 or not name.startswith(("nDCG", "MAP"))
    }
    campaign = read_campaign(**write_trec(tmp_path, qrels, run))
    scores = score_campaign(campaign, list(names)).per_topic
    bare = {"map", "recip_rank", "ndcg", "P", "recall", "ndcg_cut", "map_cut", "success"}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, bare, relevance_level=level).evaluate(run)
    relevant = {t for t, judged in qrels.items() if max(judged.values()) >= level}
    assert set(scores["topic"]) == relevant and len(scores) == len(relevant) * len(names)
    for row in scores.itertuples():
        assert row.value == pytest.approx(theirs[row.topic][names[row.name]], abs=1e-12), row


def literal_passages(case: Case) -> list[set[tuple[int, int]]]:
    """The characters of each gold passage, joined where they touch."""
    passages: list[set[tuple[int, int]]] = []
    for document, at in sorted(case.relevant):
        if passages and (document, at - 1) in passages[-1]:
            passages[-1].add((document, at))
        else:
            passages.append({(document, at)})
    return passages


def literal(case: Case, share: float) -> tuple[list[bool], list[int], int]:
    """Of each result: whether it is relevant, and how many passages it finds first; and how many there are."""
    passages = literal_passages(case)
    known: set[int] = set()
    seen: set = set()
    relevant, found = [], []
    for i in range(len(case.passages)):
        text = set(case.text(i))
        meets = {n for n, p in enumerate(passages) if p & text and len(p & text) >= share * len(p) - 1e-9}
        relevant.append(any(n not in known or (passages[n] & text) - seen for n in meets))
        found.append(len(meets - known))
        known |= meets
        seen |= text
    return relevant, found, len(passages)


@pytest.mark.parametrize("seed", range(1))
def test_passages_against_sets_of_characters(seed: int) -> None:
    rng = np.random.default_rng(seed)
    hits = 0
    for _ in range(200):
        case = random_case(rng)
        if not case.relevant:
            continue
        share = float(rng.choice([0.1, 0.5, 0.7, 1.0]))
        k = int(rng.integers(1, 8))
        for rule, least in (("relevant=touches", 0.0), (f"relevant=covers,share={share}", share)):
            relevant, found, total = literal(case, least)
            hits += sum(relevant)
            precision = [sum(relevant[:r]) / r for r in range(1, len(relevant) + 1)]
            first = relevant.index(True) + 1 if True in relevant else math.inf
            dcg = sum(1 / math.log2(r + 1) for r, n in enumerate(found[:k], 1) if n)
            expected = {
                f"P({rule})@{k}": sum(relevant[:k]) / k,
                f"Recall({rule})@{k}": sum(found[:k]) / total,
                f"Success({rule})@{k}": float(first <= k),
                f"Success({rule},of=all)@{k}": float(sum(found[:k]) == total),
                f"RR({rule})": 1 / first,
                f"RR({rule})@{k}": 1 / first if first <= k else 0.0,
                f"AP({rule})": sum(p * n for p, n in zip(precision, found, strict=True)) / total,
                f"AP({rule})@{k}": sum(p * n for p, n in zip(precision[:k], found, strict=False)) / total,
                f"nDCG({rule})@{k}": dcg / sum(1 / math.log2(r + 1) for r in range(1, min(k, total) + 1)),
            }
            for name, value in expected.items():
                [spec] = parse_specs(name, MEASURES)
                ours = spec.value(case.topic, list_of(case.passages))
                assert ours == pytest.approx(value, abs=1e-12), (name, case)
                assert 0 <= ours <= 1 + 1e-12
    assert hits > 100


def literal_average(case: Case, rule: str, credit: str, precision: str, divisor: str, k: int) -> float:
    """AP@k of touched passages, or of all in a result's document, from sets of characters."""
    passages = literal_passages(case)
    known: set[int] = set()
    read: list[tuple[int, int]] = []
    relevant, added = 0, 0.0
    for i, (document, start, _) in enumerate(case.passages[:k]):
        text = case.text(i)
        if rule == "touches":
            meets = {n for n, passage in enumerate(passages) if passage & text}
        else:  # of a result that is nowhere its document is not known either
            meets = {
                n for n, p in enumerate(passages) if start is not None and document in {of for of, _ in p}
            }
        found = min(len(meets), 1) if credit == "every" else len(meets - known)
        known |= meets
        read += sorted(text)
        relevant += found > 0
        seen = read if credit == "every" else sorted(set(read))
        of_text = sum(one in case.relevant for one in seen) / max(len(seen), 1)
        added += found * (of_text if precision == "text" else relevant / (i + 1))
    in_file = {(d, start, end) for d, start, end in case.highlights if end > start}
    return added / (min(k, len(in_file)) if divisor == "at-most-k" else len(passages))


@pytest.mark.parametrize("seed", range(1))
def test_average_precision_of_text_and_in_documents(seed: int) -> None:
    rng = np.random.default_rng(seed)
    above = 0
    for _ in range(150):
        case = random_case(rng)
        if not case.relevant:
            continue
        k = int(rng.integers(1, 8))
        for rule, credit, precision, divisor in product(
            ("touches", "in-document"), ("once", "every"), ("results", "text"), ("all", "at-most-k")
        ):
            name = f"AP(relevant={rule},credit={credit},precision={precision},divisor={divisor})@{k}"
            [spec] = parse_specs(name, MEASURES)
            ours = spec.value(case.topic, list_of(case.passages))
            expected = literal_average(case, rule, credit, precision, divisor, k)
            assert ours == pytest.approx(expected, abs=1e-12), (name, case)
            above += ours > 1
    assert above > 20


def test_average_precision_of_text_by_hand() -> None:
    """Two passages that touch are two in the file; ten characters of gold are read, five others, ten of gold again."""
    topic = topic_of([100, 100], [(0, 10, 20), (0, 20, 40)])
    results = list_of([(0, 10, 20), (0, 50, 55), (0, 10, 20)])

    def value(name: str) -> float:
        [spec] = parse_specs(name, MEASURES)
        return spec.value(topic, results)

    of_text = "AP(relevant={},credit={},precision=text,divisor={})@{}"
    assert value(of_text.format("touches", "every", "all", 10)) == 1 + 20 / 25
    assert value(of_text.format("touches", "every", "at-most-k", 10)) == (1 + 20 / 25) / 2
    assert value(of_text.format("in-document", "every", "at-most-k", 10)) == (1 + 10 / 15 + 20 / 25) / 2
    assert value(of_text.format("in-document", "every", "at-most-k", 1)) == 1
    assert value(of_text.format("in-document", "once", "all", 10)) == 1
    assert (
        value("AP(divisor=at-most-k,precision=text)@3") == value("AP@3") == 1
    )  # of documents: the first result
    assert value("P(relevant=in-document)@2") == 1 / 2
    assert value("P(relevant=in-document,credit=every)@3") == 1


def test_a_passage_counts_once_and_new_text_of_it_is_relevant() -> None:
    topic = topic_of([100, 100], [(0, 10, 40), (1, 0, 10)])
    chunks = [(0, 0, 20), (0, 10, 20), (0, 20, 30), (1, 0, 50), (0, 0, 40)]
    of = {
        name: parse_specs(f"{name.partition('@')[0]}(relevant=touches)@{name[-1]}", MEASURES)[0].value(
            topic, list_of(chunks)
        )
        for name in ("P@2", "P@3", "Recall@1", "Recall@3", "Recall@4", "Success@1")
    }
    assert of == {
        "P@2": 1 / 2,  # the second chunk holds nothing that the first did not
        "P@3": 2 / 3,
        "Recall@1": 1 / 2,
        "Recall@3": 1 / 2,
        "Recall@4": 1,
        "Success@1": 1,
    }
    [covers] = parse_specs("RR(relevant=covers,share=0.5)", MEASURES)
    assert covers.value(topic, list_of(chunks)) == 1 / 4


def test_a_result_that_is_a_passage_is_exact_and_one_that_holds_it_covers() -> None:
    topic = topic_of([100, 100], [(0, 10, 40), (1, 0, 10)])
    chunks = [(0, 0, 50), (0, 10, 40), (1, 0, 9), (1, 0, 10), (0, 10, 40)]
    rules = {"exact": ([0, 1, 0, 1, 0], 4), "covers": ([1, 0, 0, 1, 0], 4), "touches": ([1, 0, 1, 0, 0], 3)}
    for rule, (relevant, depth) in rules.items():
        for k in range(1, 6):
            of_rule = {
                f"P(relevant={rule},credit=once)@{k}": sum(relevant[:k]) / k,
                f"Success(relevant={rule},of=all)@{k}": k >= depth,
                f"Success(relevant={rule},of=all,credit=every)@{k}": k >= depth,
            }
            for name, value in of_rule.items():
                assert parse_specs(name, MEASURES)[0].value(topic, list_of(chunks)) == value, (name, k)


def test_what_cannot_be_computed_is_refused(tmp_path: Path) -> None:
    files = write_trec(tmp_path, {"q": {"a": 2, "b": 0}}, {"q": {"b": 2.0, "a": 1.0}})
    campaign = read_campaign(**files)
    scores = score_campaign(campaign, ["AP", "AP(relevant=touches)", "nxCG@5", "char_recall"])
    assert scores.means()["value"].tolist() == [0.5]
    told = {name: str(problem) for name, [problem] in scores.refused.items()}
    assert "it needs highlighted passages" in told["AP(relevant=touches)"]
    assert "it needs judged elements: TREC qrels judge whole documents" in told["nxCG@5"]
    (tmp_path / "gold").write_text('{"topic": "q", "document": "a", "start": 0, "end": 5}\n')
    (tmp_path / "chunks").write_text('{"topic": "q", "document": "a", "start": 0, "end": 5, "rank": 1}\n')
    spans = read_campaign(assessments=tmp_path / "gold", runs=tmp_path / "chunks")
    with pytest.raises(InputError, match=r"rel=2: there are no grades to compare with; expected TREC qrels"):
        score_campaign(spans, ["P(rel=2)@1"])
    of_documents = read_campaign(assessments=tmp_path / "gold", runs=tmp_path / "run")
    with pytest.raises(InputError, match=r"2 results whose element or document is of unknown size"):
        score_campaign(of_documents, ["P(relevant=touches)@1"])


@pytest.mark.filterwarnings("error::focuseval.errors.InputWarning")
def test_that_documents_are_counted_is_told_once_where_a_list_has_one_twice() -> None:
    """Two chunks of one document, and gold spans: `P@5` is of the document."""
    rows = [
        {"topic": "q", "document": d, "start": s, "end": s + 5} for d, s in (("a", 0), ("a", 9), ("b", 0))
    ]
    given = {"gold": rows[:1] + rows[2:], "runs": {"one": rows, "two": rows}}
    names = ["P@5", "RR", "nDCG", "P(relevant=touches)@5", "MAP", "char_recall"]
    scores = score_campaign(read_campaign(**given), names)
    assert scores.notes() == [
        "P@5, RR, nDCG: whole documents are counted, each at its first result (2 others passed over): "
        "relevant=touches counts results, relevant=document says that documents are meant"
    ]
    assert told(scores.notices, PASSED_OVER) == {"P": 2, "RR": 2, "nDCG": 2}
    with pytest.warns(InputWarning, match="^P@5: whole documents are counted"):
        score(["P@5"], **given)
    score(["P(relevant=document)@5", "AP(relevant=touches)", "MAP"], **given)  # as they say
    score(["P@5"], **given | {"runs": {"one": rows[1:]}})  # a chunk of each
    score(["P@5", "nDCG"], gold={"q": {"a": 1, "b": 0}}, runs={"one": rows})  # documents are judged
