"""The paper's drawings and its example of rel^U agree with the equations."""

import numpy as np
import pytest

from focuseval_papers.goevert2006.drawings import centre_distance, lens
from focuseval_papers.goevert2006.examples import BEST, combinations, figure4, figure7


def test_seven_concepts_by_equation_14():
    table = figure4()
    assert table["rel_U"].tolist() == pytest.approx([7, 2, 1, 1, 5, 3, 2])
    inner = table["of_children"].notna()
    assert table.loc[inner, "of_children"].tolist() == pytest.approx(table.loc[inner, "rel_U"].tolist())
    best = table[table["best"] == "yes"]
    assert list(best.index) == list(BEST) and best["concepts"].sum() == 7


def test_combinations_are_those_that_make_sense():
    table = combinations()
    assert len(table) == 10 and ((table["exh"] == 0) == (table["spec"] == 0)).all()
    worth = table.set_index(["exh", "spec"])
    assert worth["f_strict"].sum() == worth.loc[(3, 3), "f_strict"] == 1
    # Eq. 9
    assert worth["f_gen"].to_dict() == {
        (0, 0): 0, (1, 1): 0.25, (1, 2): 0.25, (1, 3): 0.5, (2, 1): 0.5, (2, 2): 0.5, (2, 3): 0.75,
        (3, 1): 0.75, (3, 2): 0.75, (3, 3): 1,
    }  # fmt: skip
    assert worth.loc[(2, 1), "size"] == pytest.approx(2)


def test_a_topic_in_the_form_of_figure_7():
    read = figure7().set_index("part")["read"]
    assert read["topic"] == "1" and read["query_type"] == "CO" and read["castitle"] == ""
    assert read["title"] == "gardens, drought, watering"
    assert read[["description", "narrative", "keywords"]].str.len().min() > 0


@pytest.mark.parametrize(
    ("first", "second", "distance"), [(1, 1, 0.7), (0.5, 1.2, 0.9), (1, 0.3, 0.5), (1, 1, 3)]
)
def test_circles_share_what_they_should(first, second, distance):
    x, y = np.random.default_rng(1).uniform(-2, 2, (2, 400_000))
    inside = (np.hypot(x, y) <= first) & (np.hypot(x - distance, y) <= second)
    assert lens(distance, first, second) == pytest.approx(16 * inside.mean(), abs=0.02)
    if abs(first - second) < distance < first + second:
        assert centre_distance(first, second, lens(distance, first, second)) == pytest.approx(distance)
