"""The classical measures: documents against pytrec_eval and ir_measures; gold passages by hand."""

import random

import numpy as np
import pytest
import pytrec_eval

from focuseval.api import read_campaign, score, score_campaign
from focuseval.campaign.notices import PASSED_OVER
from focuseval.errors import InputWarning
from tests.affected import affected
from tests.passages import topic_of, value

#: names in pytrec_eval by our names
TREC = {"AP": "map", "MAP": "map", "RR": "recip_rank", "nDCG": "ndcg"}
for k in (5, 10, 20):
    TREC |= {f"P@{k}": f"P_{k}", f"Recall@{k}": f"recall_{k}", f"nDCG@{k}": f"ndcg_cut_{k}"}
    TREC |= {f"AP@{k}": f"map_cut_{k}", f"MAP@{k}": f"map_cut_{k}"}
TREC |= {f"Success@{k}": f"success_{k}" for k in (1, 5, 10)}


def random_qrels(draw, topics=20):
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


def write_trec(folder, qrels, run):
    """Write qrels and run as files of trec_eval; return the arguments of `read_campaign`."""
    lines = [f"{t} 0 {d} {grade}\n" for t, judged in qrels.items() for d, grade in judged.items()]
    (folder / "qrels").write_text("".join(lines))
    ranked = {t: sorted(documents, key=lambda d: -documents[d]) for t, documents in run.items()}
    lines = [
        f"{t} Q0 {d} {i} {run[t][d]!r} me\n"
        for t, documents in ranked.items()
        for i, d in enumerate(documents, 1)
    ]
    (folder / "run").write_text("".join(lines))
    return {"assessments": folder / "qrels", "runs": folder / "run"}


@pytest.mark.parametrize("seed", range(1))
@pytest.mark.parametrize("level", [1, 2])
def test_documents_are_scored_as_by_trec_eval(seed, level, tmp_path):
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


def test_average_precision_of_text_by_hand():
    """Adjacent passages are two items: ten characters of gold are read, five others, ten of gold again."""
    topic = topic_of([100, 100], [(0, 10, 20), (0, 20, 40)])

    def of(name):
        return value(topic, [(0, 10, 20), (0, 50, 55), (0, 10, 20)], name)

    of_text = "AP(relevant={},credit={},precision=text,divisor={})@{}"
    joined = of_text.replace("precision", "gold=joined,precision")
    assert of(of_text.format("touches", "every", "all", 10)) == (1 + 20 / 25) / 2
    assert of(joined.format("touches", "every", "all", 10)) == 1 + 20 / 25
    assert of(joined.format("touches", "every", "at-most-k", 10)) == 1 + 20 / 25
    assert of(of_text.format("touches", "every", "at-most-k", 10)) == (1 + 20 / 25) / 2
    assert of(of_text.format("in-document", "every", "at-most-k", 10)) == (1 + 10 / 15 + 20 / 25) / 2
    assert of(of_text.format("in-document", "every", "at-most-k", 1)) == 1
    assert of(of_text.format("in-document", "once", "all", 10)) == 1
    assert (
        of("AP(divisor=at-most-k,precision=text)@3") == of("AP@3") == 1
    )  # documents are counted: the first is relevant
    assert of("P(relevant=in-document)@2") == 1 / 2
    assert of("P(relevant=in-document,credit=every)@3") == 1


def test_a_passage_counts_once_and_new_text_of_it_is_relevant():
    topic = topic_of([100, 100], [(0, 10, 40), (1, 0, 10)])
    chunks = [(0, 0, 20), (0, 10, 20), (0, 20, 30), (1, 0, 50), (0, 0, 40)]
    of = {
        name: value(topic, chunks, name.replace("@", "(relevant=touches)@"))
        for name in ("P@2", "P@3", "Recall@1", "Recall@3", "Recall@4", "Success@1")
    }
    assert of == {
        "P@2": 1 / 2,  # the second chunk has no new text
        "P@3": 2 / 3,
        "Recall@1": 1 / 2,
        "Recall@3": 1 / 2,
        "Recall@4": 1,
        "Success@1": 1,
    }
    assert value(topic, chunks, "RR(relevant=covers,share=0.5)") == 1 / 4


def test_an_equal_result_is_exact_and_a_containing_result_covers():
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
            for name, expected in of_rule.items():
                assert value(topic, chunks, name) == expected, (name, k)


@pytest.mark.filterwarnings("error::focuseval.errors.InputWarning")
def test_measures_of_documents_on_gold_spans_are_reported_once():
    rows = [
        {"topic": "q", "document": d, "start": s, "end": s + 5} for d, s in (("a", 0), ("a", 9), ("b", 0))
    ]
    inputs = {"gold": rows[:1] + rows[2:], "runs": {"one": rows, "two": rows}}
    names = ["P@5", "RR", "nDCG", "P(relevant=touches)@5", "MAP", "char_recall"]
    scores = score_campaign(read_campaign(**inputs), names)
    assert scores.notes() == [
        "P@5, RR and nDCG: whole documents are counted, although the gold has passages "
        "(2 results are ignored, because an earlier result is from the same document); set relevant=touches to count results, "
        "or relevant=document if you mean documents"
    ]
    assert affected(scores.notices, PASSED_OVER) == {"P": 2, "RR": 2, "nDCG": 2}
    with pytest.warns(InputWarning, match="^P@5: whole documents are counted"):
        score(["P@5"], **inputs)
    score(
        ["P(relevant=document)@5", "AP(relevant=touches)", "MAP"], **inputs
    )  # the names say what is counted
    with pytest.warns(InputWarning) as warned:  # one chunk from each document; none touches the gold
        scores = score(["hit_rate@5", "MRR"], gold=rows[:1], runs={"one": rows[1:], "two": rows[1:2]})
    assert scores["value"].tolist() == [1.0] * 4
    expected = "hit_rate@5 and MRR: whole documents are counted, although the gold has passages; set relevant=touches"
    assert sum(str(one.message).startswith(expected) for one in warned) == 1
    whole = [{"topic": "q", "document": "a", "start": 0, "end": 9}]  # gold is the whole document
    score(["P@5", "RR"], gold=whole, runs={"one": whole}, texts={"a": "One. Two."})
    score(["P@5", "nDCG"], gold={"q": {"a": 1, "b": 0}}, runs={"one": rows})  # whole documents are judged


#: the grades and the list that were given to the other programs
QRELS = {"1": {"a": 2, "b": 0, "c": 1, "e": -1, "z": 4, "y": 3}}
RUN = {"1": {"a": 6.0, "x": 5.0, "y": 4.0, "b": 3.0, "w": 2.0, "c": 1.0, "e": 0.5}}


def values(names, qrels, run):
    with pytest.warns(InputWarning):
        scores = score(names, gold=qrels, runs={"r": run})
    return dict(zip(scores["measure"], scores["value"], strict=True))


def test_values_of_ir_measures():
    """Values printed by ir_measures 0.4.3: ERR is gdeval's, with five digits; the rest is pytrec_eval's."""
    printed = {
        "Judged@3": 2 / 3,
        "Judged@5": 0.6,
        "Judged@20": 5 / 7,
        "Judged": 5 / 7,
        "Rprec": 0.5,
        "bpref": 0.5,
    }
    printed |= {"NumRet": 7, "NumRel": 4, "NumRelRet": 3, "NumRet(rel=1)": 3, "NumRet(rel=2)": 2}
    results = values([*printed, "ERR@3", "ERR@5", "ERR@20"], QRELS, RUN)
    assert [results.pop(f"ERR@{k}") for k in (3, 5, 20)] == pytest.approx(
        [0.30599, 0.30599, 0.31075], abs=5e-6
    )
    assert results == pytest.approx(printed, abs=1e-15)


def literal_err(grades, highest):
    """Compute the mean of ``1 / rank`` over all readers, result by result."""
    reading, expectation = 1.0, 0.0
    for rank, grade in enumerate(grades, 1):
        stop = (2 ** max(grade, 0) - 1) / 2**highest
        expectation += reading * stop / rank
        reading *= 1 - stop
    return expectation


def literal_bpref(grades, judged, least):
    """Average, over relevant documents, the share of the first R irrelevant ones that do not precede each."""
    expected = [g for g in judged.values() if g >= least]
    pairs = min(len(expected), sum(0 <= g < least for g in judged.values()))
    credit = 0.0
    for i, grade in enumerate(grades):
        if grade is not None and grade >= least:
            before = [g for g in grades[:i] if g is not None and 0 <= g < least][: len(expected)]
            credit += 1 - len(before) / pairs if before else 1
    return credit / len(expected)


@pytest.mark.parametrize("seed", range(8))
def test_literally(seed):
    draw = random.Random(seed)
    names = [f"d{i}" for i in range(30)]
    judged = {name: draw.choice([-1, 0, 0, 0, 1, 2, 3]) for name in draw.sample(names, 12)} | {"d30": 3}
    ranked, k = [*draw.sample(names, draw.choice([1, 5, 20])), "none"], draw.randrange(1, 9)
    run = {name: -float(i) for i, name in enumerate(ranked)}
    grades = [judged.get(name) for name in ranked]
    gains = [0 if grade is None else grade for grade in grades]
    relevant_documents = sum(grade > 0 for grade in judged.values())
    expected = {
        "Rprec": sum(grade > 0 for grade in gains[:relevant_documents]) / relevant_documents,
        "bpref": literal_bpref(grades, judged, 1),
        "bpref(rel=2)": literal_bpref(grades, judged, 2),
        "ERR": literal_err(gains, 4),
        f"ERR(highest=3)@{k}": literal_err(gains[:k], 3),
        f"Judged@{k}": float(np.mean([grade is not None for grade in grades[:k]])),
        "NumRet": len(ranked),
        "NumRet(rel=2)": sum(grade >= 2 for grade in gains),
        "NumRel(rel=2)": sum(grade >= 2 for grade in judged.values()),
        "NumRelRet": sum(grade > 0 for grade in gains),
    }
    assert values([*expected], {"q": judged}, {"q": run}) == pytest.approx(expected, abs=1e-12)


def test_identities_and_limits():
    """Pooled measures add counts; ERR is RR if every user stops at the first relevant result."""
    judged, many = {"a": 60, "b": 60, "c": 0}, {f"n{i}": 0 for i in range(9)}
    gold, run = {"1": judged, "2": judged | many}, {"x": 4.0, "c": 3.0, "a": 2.0, "b": 1.0}
    scores = values(["ERR(highest=60)", "RR", "NumRet", "NumRel", "bpref"], gold, {"1": run, "2": run})
    assert scores["ERR(highest=60)"] == pytest.approx(scores["RR"]) == pytest.approx(1 / 3)
    assert (scores["NumRet"], scores["NumRel"]) == (8, 4)
    assert (
        scores["bpref"] == (0 + 1 / 2) / 2
    )  # before each relevant document is one of one, or one of two, irrelevant ones
    best = {name: -float(i) for i, name in enumerate(judged)}
    assert set(values(["bpref", "Rprec"], gold, {"1": best, "2": best | {"u": -9.0}}).values()) == {1.0}
