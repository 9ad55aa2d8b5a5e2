"""Rprec, bpref, ERR, Judged and counts: what ir_measures prints, literal second implementations, identities."""

import random

import numpy as np
import pytest

import focuseval

#: grades and a list that programs were run on
QRELS = {"1": {"a": 2, "b": 0, "c": 1, "e": -1, "z": 4, "y": 3}}
RUN = {"1": {"a": 6.0, "x": 5.0, "y": 4.0, "b": 3.0, "w": 2.0, "c": 1.0, "e": 0.5}}


def values(names: list[str], qrels: dict, run: dict) -> dict[str, float]:
    with pytest.warns(focuseval.InputWarning):
        scores = focuseval.score(names, gold=qrels, runs={"r": run})
    return dict(zip(scores["measure"], scores["value"], strict=True))


def test_what_ir_measures_prints() -> None:
    """Version 0.4.3: ERR is gdeval's, with five digits; Rprec, Bpref and counts are pytrec_eval's."""
    printed = {
        "Judged@3": 2 / 3,
        "Judged@5": 0.6,
        "Judged@20": 5 / 7,
        "Judged": 5 / 7,
        "Rprec": 0.5,
        "bpref": 0.5,
    }
    printed |= {"NumRet": 7, "NumRel": 4, "NumRelRet": 3, "NumRet(rel=1)": 3, "NumRet(rel=2)": 2}
    found = values([*printed, "ERR@3", "ERR@5", "ERR@20"], QRELS, RUN)
    assert [found.pop(f"ERR@{k}") for k in (3, 5, 20)] == pytest.approx([0.30599, 0.30599, 0.31075], abs=5e-6)
    assert found == pytest.approx(printed, abs=1e-15)


def literal_err(grades: list[int], highest: int) -> float:
    """The mean of ``1 / rank`` over all readers, one result after another."""
    reading, found = 1.0, 0.0
    for rank, grade in enumerate(grades, 1):
        stop = (2 ** max(grade, 0) - 1) / 2**highest
        found += reading * stop / rank
        reading *= 1 - stop
    return found


def literal_bpref(grades: list[int | None], judged: dict[str, int], least: int) -> float:
    """For each relevant document of a list, the share of the first R irrelevant ones that are not before it."""
    wanted = [g for g in judged.values() if g >= least]
    pairs = min(len(wanted), sum(0 <= g < least for g in judged.values()))
    found = 0.0
    for i, grade in enumerate(grades):
        if grade is not None and grade >= least:
            before = [g for g in grades[:i] if g is not None and 0 <= g < least][: len(wanted)]
            found += 1 - len(before) / pairs if before else 1
    return found / len(wanted)


@pytest.mark.parametrize("seed", range(15))
def test_literally(seed: int) -> None:
    draw = random.Random(seed)
    names = [f"d{i}" for i in range(30)]
    judged = {name: draw.choice([-1, 0, 0, 0, 1, 2, 3]) for name in draw.sample(names, 12)} | {"d30": 3}
    ranked, k = [*draw.sample(names, draw.choice([1, 5, 20])), "none"], draw.randrange(1, 9)
    run = {name: -float(i) for i, name in enumerate(ranked)}
    grades = [judged.get(name) for name in ranked]
    known = [0 if grade is None else grade for grade in grades]
    wanted = sum(grade > 0 for grade in judged.values())
    expected = {
        "Rprec": sum(grade > 0 for grade in known[:wanted]) / wanted,
        "bpref": literal_bpref(grades, judged, 1),
        "bpref(rel=2)": literal_bpref(grades, judged, 2),
        "ERR": literal_err(known, 4),
        f"ERR(highest=3)@{k}": literal_err(known[:k], 3),
        f"Judged@{k}": float(np.mean([grade is not None for grade in grades[:k]])),
        "NumRet": len(ranked),
        "NumRet(rel=2)": sum(grade >= 2 for grade in known),
        "NumRel(rel=2)": sum(grade >= 2 for grade in judged.values()),
        "NumRelRet": sum(grade > 0 for grade in known),
    }
    assert values([*expected], {"q": judged}, {"q": run}) == pytest.approx(expected, abs=1e-12)


def test_identities_and_limits() -> None:
    """Counts are added up over topics; a reader of whom all stop at the first relevant result has RR."""
    judged, many = {"a": 60, "b": 60, "c": 0}, {f"n{i}": 0 for i in range(9)}
    gold, run = {"1": judged, "2": judged | many}, {"x": 4.0, "c": 3.0, "a": 2.0, "b": 1.0}
    found = values(["ERR(highest=60)", "RR", "NumRet", "NumRel", "bpref"], gold, {"1": run, "2": run})
    assert found["ERR(highest=60)"] == pytest.approx(found["RR"]) == pytest.approx(1 / 3)
    assert (found["NumRet"], found["NumRel"]) == (8, 4)
    assert found["bpref"] == (0 + 1 / 2) / 2  # one irrelevant of one, and of two, before each
    best = {name: -float(i) for i, name in enumerate(judged)}
    assert set(values(["bpref", "Rprec"], gold, {"1": best, "2": best | {"u": -9.0}}).values()) == {1.0}


def test_a_grade_above_the_highest_is_refused() -> None:
    with pytest.raises(focuseval.InputError, match="highest=4: a grade of 5; expected highest=5 or more"):
        focuseval.score("ERR", gold={"q": {"a": 5}}, runs={"r": {"q": {"a": 1.0}}})
