"""The examples of Ali et al. (2008): right values by hand, and printed ones as the errata explain them."""

from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from focuseval.measures.structural_summary import summarise
from focuseval.transformations.perturbations import EXPECTED
from focuseval_papers.ali2008.accuracy import accuracy, coefficient_of
from focuseval_papers.ali2008.examples import (
    CREATOR,
    FIGURE_1,
    JOINED,
    LEFT,
    MATCHES,
    RIGHT,
    SINGLETONS,
    figure_1,
    figure_2,
    figure_5,
    table_2_weights,
    tree_redundancy,
    worked,
)
from focuseval_papers.ali2008.fidelity import agreement, fidelity, fidelity_steps, observed_orders
from focuseval_papers.ali2008.numbers import PAPER
from tests.papers.materials import ROOT

FRAMES = worked(PAPER.declared)
EXAMPLES = FRAMES["examples"].set_index("quantity")


def value(quantity):
    return float(EXAMPLES["computed"][quantity])


def test_figure_1_has_the_lengths_and_numbers_of_figure_2():
    collection = figure_1()
    assert len(collection) == 17
    assert collection.path(12 - 1) == "/book[1]/fm[1]/description[3]/name[2]"
    assert collection.size[12 - 1] == 27
    assert collection.path(CREATOR - 1) == "/book[1]/fm[1]/description[2]"
    assert [collection.tags[collection.tag[n - 1]] for n in (1, 2, 14, 3, 15, 4)] == [
        *("book", "fm", "body", "description", "chapter", "name")
    ]
    assert list(collection.size[[14, 15, 16]]) == [63, 108, 50]
    assert FIGURE_1.count("\n") == 23  # the figure has 23 lines


def test_the_summaries_of_figure_5():
    partitions = {
        name: summarise(figure_1(), name).partitions for name in ("incoming", "pc*", "incoming-outgoing")
    }
    assert list(partitions["incoming"]["extent"]) == [1, 1, 3, 6, 2, 1, 3]
    assert (
        len(partitions["pc*"]) == 9 and len(partitions["incoming-outgoing"]) == 8
    )  # the numbers as drawn and as defined in the text
    # Figure 5 (left) numbers the partitions in document order: S5 is /bk/fm/d/m, nodes 5 and 6
    assert list(partitions["incoming"]["path"])[4] == "/book/fm/description/meta"
    table = figure_5().set_index(["summary", "sid"])
    assert table.loc[("p*", "S5"), ["path", "extent"]].tolist() == ["/book/fm/description/meta", "5 6"]
    for summary, count in (("p*", 7), ("p*|c", 9)):
        part = table.loc[summary]
        nodes = sorted(int(node) for extent in part["extent"] for node in extent.split())
        assert len(part) == count and nodes == list(range(1, 18))
    assert table.loc[("p*|c", "S3"), "pi"] == pytest.approx(137 / 904)
    assert table.loc[("p*", "S3"), "pi"] == pytest.approx(14 / 76)


def test_the_trees_of_figures_2_to_4():
    tree = figure_2().set_index("node")
    assert tree.loc[list(MATCHES), "tag"].tolist() == ["name", "chapter", "chapter"]
    assert tree.loc[tree["shaded"]].index.tolist() == list(MATCHES)
    assert tree.loc[12, ["parent", "length"]].tolist() == [10, 27]
    for nodes in (JOINED, LEFT, RIGHT):  # the nodes are connected: all but one have their parent among them
        assert sum(tree["parent"][node] not in nodes for node in nodes) == 1
    assert set(MATCHES) == {node for nodes in SINGLETONS for node in nodes} <= set(JOINED)


def test_example_4_4():
    assert value("Example 4.4 p(t_r; t_l)") == pytest.approx(16.5 / 30, abs=1e-15)
    assert round(1 - 16.5 / 30, 2) == 0.45  # printed


def test_table_1_and_what_was_printed():
    table = FRAMES["table1"]
    assert list(table["row_sum"]) == [16, 12, 4, 14, 6, 18, 6]
    assert table["pi"].to_numpy() == pytest.approx(np.array([16, 12, 4, 14, 6, 18, 6]) / 76, abs=1e-15)
    printed_matrix = [
        [0, 1, 1, 3, 3, 6, 2],
        [1, 0, 0, 3, 0, 6, 2],
        [1, 0, 0, 0, 3, 0, 0],
        [3, 3, 0, 0, 0, 6, 2],
        [3, 0, 3, 0, 0, 0, 0],
        [6, 6, 0, 6, 0, 0, 0],
        [2, 2, 0, 2, 0, 0, 0],
    ]
    assert table[[f"S{i}" for i in range(1, 8)]].to_numpy().tolist() == printed_matrix
    assert list((table["row_sum"] / 70).round(2)) == list(table["printed"])
    assert table["printed"].sum() == pytest.approx(1.10)


def test_table_2():
    table = FRAMES["table2"]
    half = 4 + 7 + 133 + 14 + 73 + 221
    sums = np.array([0, 11, 137, 133, 94, 14, 73, 221, 221])
    assert table["pi_printed_weights"].to_numpy() == pytest.approx(sums / (2 * half), abs=1e-15)
    assert list(table["pi_printed_weights"].round(2)) == list(table["printed"])
    matrix = table[[f"S{i}" for i in range(1, 10)]].to_numpy()
    assert (matrix == matrix.T).all() and list(matrix.sum(axis=1)) == list(table["row_sum"]) == list(sums)
    assert matrix[4].tolist() == [0, 7, 0, 0, 0, 14, 73, 0, 0] and matrix[8].tolist() == [0] * 7 + [221, 0]
    assert list(table_2_weights()["document"]) == [10, 4, 122, 14, 72, 221]
    half = 10 + 4 + 122 + 14 + 72 + 221
    sums = np.array([0, 14, 132, 122, 90, 14, 72, 221, 221])
    assert table["pi_document"].to_numpy() == pytest.approx(sums / (2 * half), abs=1e-15)


def literal_redundancy(pi):
    """Eq. 5 and 7, pair by pair."""
    total = sum((Fraction(1) if e == f else 1 - pi[e]) for e in RIGHT for f in LEFT)
    return total / (len(RIGHT) * len(LEFT))


def test_example_6_1_and_what_was_printed():
    label = {1: 16, 2: 12, 14: 4, 7: 14, 17: 6}
    right = 2 - literal_redundancy({node: Fraction(s, 76) for node, s in label.items()})
    assert value("Example 6.1 SR, p*") == pytest.approx(float(right), abs=1e-15)
    assert round(float(right), 3) == 1.123
    # printed: row sums / 70, Figure 5's numbers (bd S6, d S3, c S7) on Table 1's columns
    misread = {1: 16, 2: 12, 14: 18, 7: 4, 17: 6}
    printed = 2 - literal_redundancy({node: Fraction(s, 70) for node, s in misread.items()})
    assert round(float(printed), 3) == 1.138
    assert round(1 - 4 / 70, 2) == 0.94  # Example 5.1

    row = {1: 0, 2: 11, 14: 221, 17: 221}
    for name, node_7 in (("S5", 94), ("S3", 137)):
        pi = {node: Fraction(s, 904) for node, s in {**row, 7: node_7}.items()}
        expected = 2 - literal_redundancy(pi)
        score = value(f"Example 6.1 SR, p*|c, printed weights, node 7 in {name}")
        assert score == pytest.approx(float(expected), abs=1e-15)
    assert round(1 + float(literal_redundancy(pi)), 3) == 1.878  # printed, with node 7 in S3


def test_redundancy_of_the_trees_needs_only_shared_nodes():
    rng = np.random.default_rng(41)
    for _ in range(20):
        pi = rng.random(17)
        exact = literal_redundancy({n: Fraction(float(pi[n - 1])) for n in range(1, 18)})
        assert tree_redundancy(pi) == pytest.approx(float(exact), abs=1e-14)


# ---- the studies


def test_accuracy_overall_and_relative():
    structural = {5: [0.5, 0.4, 0.3, 0.2], 10: [0.5, 0.3, 0.4, 0.1], 25: [0.1, 0.3, 0.4, 0.5]}
    reference = {5: [0.9, 0.8, 0.6, 0.7], 10: [0.7, 0.8, 0.9, 0.6], 25: [0.6, 0.7, 0.8, 0.9]}
    rows = [(f"r{i}", k, structural[k][i], reference[k][i]) for k in structural for i in range(4)]
    coefficients = accuracy(pd.DataFrame(rows, columns=["run", "cutoff", "structural", "reference"]))
    coefficients = coefficients.set_index(["part", "cutoff"])
    assert coefficients.loc[("overall", 25), "coefficient"] == pytest.approx(1)
    assert coefficients.loc[("overall", 5), "coefficient"] == pytest.approx(0.8)  # ranks 1234 against 1243
    # ranks of structural: 1234, 1324, 4321; of reference: 1243, 3214, 4321
    change_10 = stats.pearsonr([0, 1, -1, 0], [2, 0, -3, 1])
    change_25 = stats.pearsonr([3, 0, 0, -3], [1, 1, 1, -3])
    for cutoff, expected in ((10, change_10), (25, change_25)):
        assert coefficients.loc[("relative", cutoff), "coefficient"] == pytest.approx(expected.statistic)
        assert coefficients.loc[("relative", cutoff), "p_value"] == pytest.approx(expected.pvalue)
    assert np.isnan(coefficients.loc[("relative", 5), "coefficient"])
    assert set(coefficients["systems"]) == {4}
    assert coefficients.loc["relative", "moved"].tolist() == [0, 1, 2]
    assert coefficients.loc[("overall", 10), ["best_ten", "nxCG_from", "nxCG_to"]].tolist() == [
        coefficients.loc[("overall", 10), "coefficient"],
        *(0.6, 0.9),
    ]
    # the coefficient of the ten best among many, and the coefficient from its p-value
    x, y = np.random.default_rng(3).random((2, 26))
    table = pd.DataFrame({"run": range(26), "cutoff": 5, "structural": x, "reference": y})
    overall = accuracy(table).iloc[0]
    best = np.argsort(-y)[:10]
    assert overall["best_ten"] == pytest.approx(stats.spearmanr(x[best], y[best]).statistic)
    assert coefficient_of(overall["p_value"], 26) == pytest.approx(abs(overall["coefficient"]))


def test_the_coefficients_of_the_printed_p_values():
    """docs/errata.md: 6,240 pairs with p = 8e-33, and 26 systems with p = 0.07."""
    assert round(coefficient_of(8e-33, 6240), 2) == 0.15
    assert round(coefficient_of(0.07, 26), 2) == 0.36
    assert round(coefficient_of(0.1, 26), 2) == 0.33


def test_ties_lower_the_coefficient_of_versions_between_the_best_and_the_worst():
    """docs/errata.md: the least coefficients without and with ties, if (i) is the best and (ii) the worst."""
    scores = [(5, *middle, 0) for middle in product(range(6), repeat=4)]
    least = {
        ties: min(
            stats.pearsonr(range(6), ranks).statistic
            for each, ranks in zip(scores, observed_orders(np.array(scores, dtype=float)), strict=True)
            if ties or len(set(each)) == 6
        )
        for ties in (False, True)
    }
    assert {ties: round(rho, 3) for ties, rho in least.items()} == {False: 0.429, True: 0.098}
    many = agreement(observed_orders(np.tile([1.0, 0, 0, 1, 1, 0], (1040, 1))))
    assert many.coefficient == pytest.approx(least[True]) and many.p_value > 1e-29


def test_the_page_counts_each_printed_number_once():
    table = FRAMES["examples"].dropna(subset=["printed"])
    of_reading = table["quantity"].str.replace(
        r"(\*\|c|\(S\d\)), (printed|weights|Figure).*", r"\1", regex=True
    )
    agrees = table["agrees"].astype(bool).groupby(of_reading).any()
    text = (ROOT / "docs/reproduced.md").read_text(encoding="utf-8")
    assert f"Of the {len(agrees)} numbers in Ali et al. that we can compute, {agrees.sum()} agree" in text
    of_weights = ~agrees[agrees.index.str.contains("weight")]
    assert (len(agrees), agrees.sum(), of_weights.sum()) == (30, 12, 4)


def perturbed(values):
    index = pd.MultiIndex.from_tuples(values, names=["run", "topic"])
    return pd.DataFrame(list(values.values()), index=index, columns=list(EXPECTED))


def test_fidelity():
    wide = perturbed(
        {
            ("a", "1"): [0.9, 0.8, 0.7, 0.6, 0.5, 0.4],
            ("b", "1"): [0.9, 0.8, 0.8, 0.6, 0.5, 0.4],
            ("a", "2"): [0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
        }
    )
    ranks = observed_orders(wide.to_numpy())
    assert ranks.tolist() == [[1, 2, 3, 4, 5, 6], [1, 2.5, 2.5, 4, 5, 6], [6, 5, 4, 3, 2, 1]]
    correlations = fidelity(wide).set_index(["level", "name"])
    assert correlations.loc[("topic", "2"), "coefficient"] == pytest.approx(-1)
    assert correlations.loc[("topic", "1"), "as_expected"] == 1
    assert correlations.loc[("overall", "all"), "as_expected"] == pytest.approx(2 / 3)
    assert correlations.loc[("overall", "all"), "lists"] == 3
    assert correlations.loc[("run", "a"), "coefficient"] == pytest.approx(0)
    expected = stats.spearmanr(np.tile(np.arange(6), 3), ranks.ravel())
    assert correlations.loc[("overall", "all"), "p_value"] == pytest.approx(expected.pvalue)
    # the middle four are ranked among themselves
    middle = stats.spearmanr(np.tile(np.arange(4), 3), [1, 2, 3, 4, 1.5, 1.5, 3, 4, 4, 3, 2, 1])
    assert correlations.loc[("overall", "all"), "middle"] == pytest.approx(middle.statistic)
    assert correlations.loc[("overall", "all"), "middle_p"] == pytest.approx(middle.pvalue)

    steps = fidelity_steps(wide)
    assert list(steps["step"]) == ["(i) ≥ (iii)", "(iii) ≥ S0", "S0 ≥ (iv)", "(iv) ≥ (v)", "(v) ≥ (ii)"]
    assert list(steps["higher_%"] * 3) == pytest.approx([200, 100, 200, 200, 200])
    assert list(steps["equal_%"] * 3) == pytest.approx([0, 100, 0, 0, 0])


def test_the_ends_alone_can_make_a_correlation():
    """The best and the worst version are as expected, those between are reversed; rho is still positive."""
    wide = perturbed({(run, "1"): [0.9, 0.3, 0.4, 0.5, 0.6, 0.1] for run in "ab"})
    correlation = fidelity(wide).iloc[0]
    assert (
        correlation["coefficient"] > 0.4
        and correlation["middle"] == pytest.approx(-1)
        and correlation["as_expected"] == 0
    )
