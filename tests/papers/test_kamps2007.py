"""Kamps et al. (2007): what is printed, what is computed, and that the two meet."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from focuseval.papers.kamps2007.analysis import as_shown, excess, orders, printed_ranks, summary
from focuseval.papers.kamps2007.names import EXCESS, MAGP, MAP, ORDER, PAIRS, SIGNIFICANT, TAU
from scipy import stats

from focuseval.findings import CONFIRMED, NOT_CONFIRMED, NOT_TESTABLE
from focuseval.papers.kamps2007.figures import rank_orders
from focuseval.papers.kamps2007.findings import evidence, findings, printed_evidence
from focuseval.statistics.comparisons import best_systems, compare

ROOT = Path(__file__).parents[2]
PRINTED = pd.read_csv(ROOT / "config/published/kamps2007.csv")
SETTINGS = {"test": "bootstrap", "resamples": 1000, "alpha": 0.05}

#: not printed, so only a campaign can decide
UNDECIDED = {"a-partial-score"}


@pytest.fixture(scope="module")
def scores() -> dict[str, pd.DataFrame]:
    """Topics × runs under both measures: AgP below AP everywhere, the worst in context good at articles."""
    rng = np.random.default_rng(13)
    level = np.linspace(0.6, 0.2, 12)
    ap = np.clip(level + rng.normal(0, 0.08, (40, 12)), 0.05, 1)
    share = np.linspace(0.7, 0.4, 12)
    ap[:, 11] += 0.35
    table = {MAP: ap, MAGP: ap * share * rng.uniform(0.9, 1, (40, 12))}
    table[MAGP][:, 11] *= 0.2
    runs, topics = [f"run{n}" for n in range(12)], [str(n) for n in range(40)]
    return {name: pd.DataFrame(values, columns=runs, index=topics) for name, values in table.items()}


@pytest.fixture(scope="module")
def tables(scores: dict[str, pd.DataFrame]) -> tuple[pd.DataFrame, pd.DataFrame]:
    best = best_systems(scores[MAGP], 10)
    compared = {name: compare(table, best) for name, table in scores.items()}
    systems = [found.systems.assign(label=found.systems["label"].astype(int)) for found in compared.values()]
    ranks = orders(systems[1], systems[0], PRINTED)
    counts = {name: found.counts().assign(topics=found.topics) for name, found in compared.items()}
    above = excess(scores[MAGP][ranks["run"]], scores[MAP][ranks["run"]])
    return summary(ranks, counts, above, PRINTED, **SETTINGS), ranks


def test_the_printed_order_has_the_printed_tau() -> None:
    """Kendall's tau of the order of Table 2's rows is the number in the text, to its digits."""
    order = printed_ranks(PRINTED.set_index("quantity")["value"][ORDER])
    assert sorted(order) == sorted(order.values()) == list(range(1, 21))
    tau = stats.kendalltau(list(order), list(order.values())).statistic
    assert f"{tau:.3f}" == "0.674"
    assert (order[5], order[20]) == (1, 6)  # the upsets that the text names


def test_orders_are_those_of_the_means(
    scores: dict[str, pd.DataFrame], tables: tuple[pd.DataFrame, pd.DataFrame]
) -> None:
    ranks = tables[1]
    assert ranks["MAgP_rank"].tolist() == list(range(1, 11))
    for measure in (MAGP, MAP):
        mean = scores[measure][ranks["run"]].mean()
        np.testing.assert_allclose(ranks[measure], mean)
        column = "MAgP_rank" if measure == MAGP else "MAP_rank"
        np.testing.assert_array_equal(ranks[column], mean.rank(ascending=False))
    assert ranks["printed_MAP_rank"].tolist() == [2, 3, 4, 7, 1, 5, 11, 9, 10, 12]


def test_numbers_stand_beside_the_printed_ones(
    scores: dict[str, pd.DataFrame], tables: tuple[pd.DataFrame, pd.DataFrame]
) -> None:
    numbers, ranks = tables
    here, printed = (numbers.set_index("quantity")[column] for column in ("here", "printed"))
    known = PRINTED[PRINTED["quantity"] != ORDER].set_index("quantity")["value"].astype(float)
    assert printed.dropna().to_dict() == known.to_dict()
    assert (here["runs"], here["topics"], here[PAIRS]) == (10, 40, 45)
    assert here[TAU] == pytest.approx(stats.kendalltau(ranks["MAP"], ranks["MAgP"]).statistic)
    rows = stats.ttest_rel(*(scores[MAGP][ranks["run"][i]] for i in (0, 9)), alternative="greater")
    assert rows.pvalue <= 0.05 and here[f"{SIGNIFICANT[MAGP]}, t-test"] >= 1
    assert here[EXCESS] == pytest.approx((scores[MAGP] - scores[MAP])[ranks["run"]].max().max())


def test_counts_are_shown_without_decimals(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    shown = as_shown(tables[0]).set_index("quantity")
    assert shown.loc["topics"].tolist() == ["40", "111"]
    assert (
        shown.loc["Kendall's tau of MAP and MAgP", "printed"] == "0.674"
        and shown.loc["bootstrap resamples", "here"] == "1,000"
    )
    assert pd.isna(shown.loc[EXCESS, "printed"])
    assert shown.loc[EXCESS, "here"].startswith("\N{MINUS SIGN}")


def test_the_printed_numbers_confirm_every_finding_that_they_can_decide() -> None:
    """A formalisation that the paper's own numbers contradict would be a wrong one."""
    verdicts = {finding.name: finding.verdict for finding in findings(printed_evidence(PRINTED))}
    assert len(verdicts) == 9
    assert {name for name, verdict in verdicts.items() if verdict == NOT_TESTABLE} == UNDECIDED
    assert {verdict for name, verdict in verdicts.items() if name not in UNDECIDED} == {CONFIRMED}


def test_every_finding_can_fail() -> None:
    """With few significant pairs, fewer under MAgP, and one order, or its reverse, nothing is confirmed."""
    numbers = {
        PAIRS: 45,
        SIGNIFICANT[MAGP]: 10,
        SIGNIFICANT[MAP]: 11,
        TAU: 1.0,
        EXCESS: 0.1,
    }
    same = pd.DataFrame({"MAgP_rank": range(1, 11), "MAP_rank": range(1, 11)})
    confirmed = set()
    for tau in (1.0, -1.0):
        numbers[TAU] = tau
        summary = pd.DataFrame({"quantity": numbers.keys(), "here": numbers.values()})
        found = {f.name: f.verdict for f in findings(evidence(summary, same))}
        assert set(found.values()) <= {CONFIRMED, NOT_CONFIRMED}
        confirmed |= {(name, tau) for name, verdict in found.items() if verdict == CONFIRMED}
    assert confirmed == {("orders-agree-in-part", 1.0), ("the-tasks-differ", -1.0)}


def test_nothing_is_testable_without_numbers() -> None:
    assert {f.verdict for f in findings(printed_evidence(PRINTED.iloc[:0]))} == {NOT_TESTABLE}


def test_a_campaign_decides_every_finding(tables: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    assert NOT_TESTABLE not in {finding.verdict for finding in findings(evidence(*tables))}


def test_the_orders_are_drawn_beside_each_other() -> None:
    printed = printed_evidence(PRINTED).map_rank
    here = {1: 2, 2: 1, 3: 3}
    drawn = rank_orders(here, printed)
    assert [axes.get_title() for axes in drawn.axes] == ["here", "printed"]
    for axes, ranks in zip(drawn.axes, (here, printed), strict=True):
        assert [tuple(line.get_ydata()) for line in axes.lines] == list(ranks.items())
