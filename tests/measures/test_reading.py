"""Measures of users who read a list and stop: worked examples, identities and limits."""

import pytest

from tests.measures.text_literal import inst
from tests.passages import topic_of, value

OF_TEXT = ("U", "TBG", "char_RBP")


#: two units of gold; the list reads one other unit, both of them, and one of them again
TOPIC, READ = topic_of([100], [(0, 10, 12)]), [(0, 9, 12), (0, 11, 12)]


@pytest.mark.parametrize(
    ("name", "expected"),
    [  # the second and third unit that are read are gold
        ("U(L=10)", (0.8 + 0.7) / 2),
        ("U(L=2)", 0),
        ("U(L=3)", (1 / 3) / 2),
        ("TBG(h=1)", (1 / 2 + 1 / 4) / 2),
        ("char_RBP(h=1)", 1 / 2 * (1 / 2 + 1 / 4)),
    ],
)
def test_worked_example_of_text(name, expected):
    assert value(TOPIC, READ, name) == pytest.approx(expected, abs=1e-15)


#: relevant at ranks 1, 3 and 6 of 8
RANKED = topic_of([100], [(0, 10 * i, 10 * i + 5) for i in (1, 3, 6)])
RANKS = [(0, 10 * i, 10 * i + 5) for i in range(1, 9)]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("RBP(p=0.5,relevant=touches)", 0.5 * (1 + 1 / 4 + 1 / 32)),
        ("RBP(p=0,relevant=touches)", 1),
        ("RBP(p=1,relevant=touches)", 0),
    ],
)
def test_worked_example_of_ranks(name, expected):
    assert value(RANKED, RANKS, name) == pytest.approx(expected, abs=1e-15)


def test_inst_over_1000_ranks_is_that_of_cwl_eval():
    """cwl_eval 1.0.12 stops after 1,000 ranks, so its values are slightly above the limit."""
    hits = [rank in (1, 3, 6) for rank in range(1, 9)]
    for expected, printed in ((1.0, 0.7433166958855327), (3.0, 0.3630656143010802)):
        assert inst(hits, expected, 1000) == pytest.approx(printed, abs=1e-12)
        limit = value(RANKED, RANKS, f"INST(T={expected},relevant=touches)")
        assert limit == pytest.approx(inst(hits, expected), abs=1e-9)
        assert 0 < printed - limit < 2e-3


@pytest.mark.parametrize("name", OF_TEXT)
def test_text_that_is_read_again_is_as_irrelevant_text(name):
    again = [(0, 9, 11), (0, 9, 11), (0, 11, 12)]
    other = [(0, 9, 11), (0, 50, 52), (0, 11, 12)]
    assert value(TOPIC, again, name) == value(TOPIC, other, name)


def test_readers_who_never_stop_read_all():
    for name in ("U(L=1000000000)", "TBG(h=1000000000)"):
        assert value(TOPIC, READ, name) == pytest.approx(value(TOPIC, READ, "char_recall"), abs=1e-7)
    everything = [(0, 0, 100)]
    assert value(topic_of([100], everything), everything, "char_RBP(h=1)") == pytest.approx(1)
    assert value(topic_of([100], everything), everything, "char_RBP(h=100)") == pytest.approx(0.5)


def test_inst_with_a_larger_target_reads_further():
    late = RANKS[3:] + RANKS[:3]
    first, last = (value(RANKED, read, "INST(relevant=touches)") for read in (RANKS, late))
    assert first > last
    first_of_many, last_of_many = (
        value(RANKED, read, "INST(T=50,relevant=touches)") for read in (RANKS, late)
    )
    assert last / first < last_of_many / first_of_many < 1
