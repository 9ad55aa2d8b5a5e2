"""Table 1 and every number of Sections 2-5, with the values as Piwowarski & Dupret (2006) print them."""

import csv
import itertools
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from focuseval.measures.eprum import inverse_length, search_length
from focuseval_papers.piwowarski2006.examples import (
    IDEAL_LIST,
    KEY_EXAMPLE,
    SCENARIOS,
    discovery,
    normal_law,
    quantities,
    session,
)
from focuseval_papers.piwowarski2006.numbers import PAPER

PUBLISHED = Path(__file__).parents[3] / "shared" / "published" / "piwowarski2006.csv"


#: numbers that do not follow from the paper's other numbers: printed, right
WRONG = {
    "Section 4 precision at recall 2": (0.74, 0.7488),
    "Section 7 values of the correlation (45 runs, 29 topics)": (645, 1305),
}


NUMBERS = PAPER.declared.recomputed(quantities()).set_index("quantity")


def test_every_printed_number():
    table = NUMBERS
    assert table["computed"].notna().all()
    assert set(table.index[~table["agrees"].astype(bool)]) == set(WRONG)
    for quantity, (printed, right) in WRONG.items():
        assert table["printed"][quantity] == printed
        assert table["computed"][quantity] == pytest.approx(right, abs=1e-12)


def test_published_values_are_those_of_the_table():
    if not PUBLISHED.exists():
        pytest.skip(f"{PUBLISHED.name}: the published values are not beside the repository")
    table = NUMBERS["printed"]
    with PUBLISHED.open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            if not row["quantity"].startswith("Section 7"):
                assert table[row["quantity"]] == float(row["value"])


def test_table_1_by_enumeration():
    """The nine scenarios, and E[A/ML] over all 2^5 outcomes of the uncertain navigations."""
    shares = dict.fromkeys(SCENARIOS, 0.0)
    expected = np.zeros(2)
    unsure = [(k, x) for k, x in itertools.product(range(3), range(2)) if 0 < KEY_EXAMPLE[k, x] < 1]
    for taken in itertools.product([False, True], repeat=len(unsure)):
        mass = np.prod(
            [KEY_EXAMPLE[e] if t else 1 - KEY_EXAMPLE[e] for e, t in zip(unsure, taken, strict=True)]
        )
        goes = {e for e, t in zip(unsure, taken, strict=True) if t} | {(2, 0)}
        first = [min((k + 1 for k, y in goes if y == x), default=0) for x in range(2)]
        shares[first[0], first[1]] += mass
        ranks = sorted(f for f in first if f)
        expected += [mass / ranks[r] if r < len(ranks) else 0 for r in range(2)]
    for (a, b), share in shares.items():
        name = f"Table 1 share of users (%), a first seen at {a or 'no rank'}, b at {b or 'no rank'}"
        assert NUMBERS["computed"][name] == pytest.approx(100 * share) == NUMBERS["printed"][name]
    assert inverse_length(discovery(KEY_EXAMPLE), np.array([2]))[0, 1:] == pytest.approx(expected, abs=1e-12)
    assert expected == pytest.approx([0.8056, 0.3744], abs=1e-12)


def test_an_ideal_list_that_navigates_scores_more_than_one():
    """Section 5's ideal list against itself: E[ML*] E[A/ML*] is not E[A ML*/ML*] = 1."""
    state = discovery(IDEAL_LIST)
    two = np.array([2])
    product = search_length(state, two)[0, 2] * inverse_length(state, two)[0, 2]
    assert product == pytest.approx(1.29 * (0.81 + 0.09 / 2 + 0.10 / 3), abs=1e-12)
    assert product > 1.14


def test_the_session_of_figure_1():
    """Section 3.2, steps (1) to (5): an element that is seen a second time is not discovered."""
    steps = session()
    assert steps["F"].tolist() == steps["printed"].tolist() == [0, 1, 2, 2, 4]
    assert steps["discovered"].tolist() == ["", "b", "f", "", "g h"]
    assert steps["ideal"].tolist() == ["", "b", "f", "f", "g h"]


def test_the_normal_law_by_the_binomial():
    table = normal_law().set_index(["n", "p"])
    for name, p in (("1/2", 0.5), ("0.1", 0.1), ("0.01", 0.01)):
        for n in (10, 50):
            f = np.arange(n + 1)
            exact = stats.binom.sf(f - 1, n, p)
            normal = stats.norm.sf((f - 0.5 - n * p) / np.sqrt(n * p * (1 - p)))
            normal[0] = 1.0  # no element is certain to be reached
            worst = int(np.argmax(np.abs(normal - exact)))
            row = table.loc[(n, name)]
            assert row["f"] == worst
            assert [row["exact"], row["normal"]] == pytest.approx([exact[worst], normal[worst]], abs=1e-12)
