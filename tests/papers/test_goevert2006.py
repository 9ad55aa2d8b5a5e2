"""Gövert et al. (2006): printed and computed numbers agree."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from focuseval.report.parts import Table
from focuseval.statistics.correlations import FEWEST_RUNS
from focuseval_papers.goevert2006.numbers import (
    EARLIER,
    LABEL,
    LONG,
    PAPER,
    SHORT,
    ResultSet,
    correlations,
    count_judged,
    printed_judged,
    rank_of_best,
    section53,
    table1,
    table1_as_printed,
    total_counts,
)
from focuseval_papers.publication.claims import BY_CONSTRUCTION, HOLDS, NOT_TESTABLE
from focuseval_papers.publication.correlations import correlate
from focuseval_papers.publication.estimates import Estimate
from focuseval_papers.publication.paper import Context
from focuseval_papers.workflow.campaign_settings import FindingSettings
from tests.papers import materials

TABLES = materials.printed(*PAPER.declared.printed)
PRINTED = {name.removeprefix("goevert2006_"): table for name, table in TABLES.items()}


def context_of(*result_sets):
    """Return the paper's context for a campaign and an earlier one."""
    settings = {"result_sets": list(result_sets)} if result_sets else {}
    return Context(
        materials.campaign(earlier="before"),
        PAPER.settings.model_validate(settings),
        materials.campaign(name="before"),
        FindingSettings(resamples=200, seed=3),
    )


#: result sets with the paper's names, and sizes for which the lists of the tests are long enough
SMALL = (
    ResultSet(name=LONG, of="campaign", size=30),
    ResultSet(name=SHORT, of="campaign", size=10),
    ResultSet(name=EARLIER, of="earlier", size=10),
)


@pytest.fixture(scope="module")
def analysis(tmp_path_factory):
    """Analyse a campaign and an earlier one: 7 runs of 40 random elements on two topics."""
    folder = tmp_path_factory.mktemp("goevert2006")
    rng = np.random.default_rng(3)
    section = "<sec><p>one two</p><p>three</p><p>four five</p></sec>"
    for name in ("mine", "before"):
        documents = {f"d{n}": f"<article>{section * 4}</article>" for n in range(4)}
        materials.leave_random(rng, documents, folder / name, ["retrieved-as-declared"], systems=7, length=40)
    return PAPER.analyse(materials.material(PAPER, context_of(*SMALL), folder))


@pytest.fixture(scope="module")
def average(analysis):
    """Return the average precision of all runs except those of the earlier campaign."""
    return analysis["average_precision"][lambda table: table["result_set"] != EARLIER]


@pytest.fixture(scope="module")
def table(analysis, average):
    estimates = analysis["estimates"][lambda table: table["group"] != "earlier runs"]
    return correlations(average, estimates, context_of(), PRINTED["tables2to5"])


def estimates_of(average):
    """Return the paper's correlations of these average precisions."""
    (request,) = PAPER.correlations(context_of(*SMALL))
    keys = average[["metric", "quantisation", "result_set"]].itertuples(index=False, name=None)
    values = average.assign(topic="", label=[LABEL.format(*key) for key in keys])
    values = values.rename(columns={"average_precision": "value"})
    return correlate(request, lambda column: values[values["label"] == column.label])


def judgements(topic, node, e, s):
    return pd.DataFrame({"topic": topic, "node": node, "exhaustivity": e, "specificity": s})


def test_judged_counts_pairs_by_level_and_topic():
    e, s = [3.0, 3.0, 1.0, 0.0, 0.0, 1.0], [1.0, 3.0, 2.0, 0.0, 0.0, 2.0]
    table = count_judged(judgements(["a", "a", "b", "a", "a", "a"], [0, 4, 7, 0, 9, 2], e, s), "inex2003")
    counts = table.set_index(["topic", "level", "exh", "spec"])["count"]
    assert len(counts) == 40 and counts.sum() == 6
    assert (
        counts["a", "article", 3, 1] == counts["a", "article", 0, 0] == counts["a", "non-article", 0, 0] == 1
    )
    assert counts["a", "non-article", 3, 3] == counts["b", "non-article", 1, 2] == 1
    both = total_counts(table).set_index(["level", "exh", "spec"])["count"]
    assert len(both) == 20 and both["non-article", 1, 2] == 2
    assert total_counts(table)[["exh", "spec"]].head(10).values.tolist()[:2] == [[3, 3], [3, 2]]


def test_judged_puts_inex_2005_on_four_points():
    table = count_judged(judgements(["a"] * 3, [0, 1, 2], [2.0, 1.0, -1.0], [0.2, 0.6, 1.0]), "inex2005")
    counts = total_counts(table).set_index(["level", "exh", "spec"])["count"]
    assert counts["article", 3, 1] == counts["non-article", 2, 2] == counts["non-article", 1, 3] == 1


def test_table1_has_the_layout_and_the_sums_of_the_paper():
    layout = table1_as_printed(table1(printed_judged(PRINTED["table1"]).dropna(), PRINTED["table1"]))
    assert layout[["exh", "spec"]].values.tolist()[:2] == [[3, 3], [3, 2]] and len(layout) == 11
    last = layout.iloc[-1]
    assert (last["exh"], last["spec"]) == ("sum", "")
    # the printed sum of articles is not that of the printed counts
    assert (last["article"], last["article printed"]) == (11683, 11783)
    assert last["non-article"] == last["non-article printed"] == 95314


def test_section_53_counts_the_highly_specific_elements_that_are_no_articles():
    pairs_of_2003 = count_judged(judgements(["a"] * 4, [0, 1, 2, 0], [1, 1, 3, 2], [3, 3, 3, 1]), "inex2003")
    shares = section53({"INEX 2003": pairs_of_2003}, PRINTED["section53"]).iloc[0]
    assert shares["judged"] == 4 and shares["articles"] == 2 and shares["highly_specific"] == 3
    assert shares["below_article_%"] == pytest.approx(200 / 3)
    # the printed shares follow from the printed counts
    assert shares["printed_highly_specific"] == 8802 and shares["printed_below_article_%"] == 96
    counts = PRINTED["table1"].query("spec == 3")
    assert counts["article"].sum() + counts["non_article"].sum() == 8802
    assert round(100 * counts["non_article"].sum() / 8802) == 96
    empty = section53({"INEX 2002": pairs_of_2003.assign(count=0)}, PRINTED["section53"]).iloc[0]
    assert np.isnan(empty["below_article_%"]) and empty["printed_below_article_%"] == 87


def test_table1_of_the_printed_counts_has_no_difference():
    counts = table1(printed_judged(PRINTED["table1"]).dropna(), PRINTED["table1"])
    relevant = (counts["exh"] > 0).fillna(False)
    assert (counts["count"] == counts["printed"])[counts["exh"].notna()].all()
    assert (counts.loc[relevant, "difference_%"] == 0).all()
    assert counts.loc[~relevant, "share_%"].isna().all()
    # 180 of 1662 relevant articles are (3, 3)
    assert counts["share_%"][0] == pytest.approx(100 * 180 / 1662)


def settings_of(row):
    """Return the two settings that a row of the tables correlates: metric, quantisation, result set."""
    parts = [str(row[name]).split(" – ") for name in ("metric", "quantisation", "result_set")]
    return [tuple(part[n] for part in parts) for n in (0, -1)]


def test_every_printed_correlation_has_its_row(table):
    assert len(table) == len(PRINTED["tables2to5"]) == 33
    printed = PRINTED["tables2to5"].set_index("table")
    for number, part in table.groupby("table"):
        assert sorted(part["printed"]) == sorted(printed.loc[number, "pearson_r"])
    # the printed order
    for number in (3, 4):
        assert (
            table.query("table == @number")["printed"].tolist() == printed.loc[number, "pearson_r"].tolist()
        )


def test_a_result_set_without_scores_keeps_its_rows(table):
    missing = table["result_set"] == EARLIER
    assert missing.sum() == 9
    assert (table["runs"][missing] == 0).all() and table["pearson_r"][missing].isna().all()
    assert table["pearson_r"][~missing].notna().all()


def test_correlations_are_those_of_the_averages(average, table):
    columns = average.pivot(
        index="run", columns=["metric", "quantisation", "result_set"], values="average_precision"
    )
    for _, row in table[table["runs"] > 0].iterrows():
        x, y = (columns[setting] for setting in settings_of(row))
        assert row["pearson_r"] == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-12)
        assert row["kendall_τ"] == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-12)
        assert row["spearman_ρ"] == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)
        assert row["difference"] == pytest.approx(row["pearson_r"] - row["printed"], abs=1e-15)


def test_the_caption_names_what_holds_by_construction_in_table_1():
    real = materials.campaign(collection="c", assessments="a", runs="r")
    for campaign, times in ((materials.campaign(), 1), (real, 0)):
        items = PAPER.items(Context(campaign, PAPER.settings()))
        captions = {item.name: item.caption for item in items if isinstance(item, Table)}
        assert captions["table1"].count("agree by construction") == times
        assert sum("by construction" in caption for caption in captions.values()) == times


def test_analysis_and_verdicts_are_as_they_were(analysis, tmp_path):
    paper_context = context_of(*SMALL)
    materials.check_publication(PAPER, analysis, paper_context, tmp_path)
    estimates = PAPER.quantities(analysis, paper_context)
    # runs of one campaign are drawn together, those of the other campaign independently
    r = [each for name, each in estimates.items() if name.startswith("r_of") and isinstance(each, Estimate)]
    assert len(r) == 33 and len({next(iter(each.without)) for each in r}) == 2


# -- findings


def untestable(frames, other_frames):
    """Return the claims that cannot be tested on ``frames`` but can be on ``other_frames``."""
    verdicts, other_verdicts = (
        materials.verdicts(PAPER, each, context_of(*SMALL)) for each in (frames, other_frames)
    )
    return {
        name for name in verdicts if verdicts[name] != other_verdicts[name] and verdicts[name] == NOT_TESTABLE
    }


def test_shares_that_a_generator_was_set_to_are_no_evidence(analysis):
    by_construction = {"specific-below-article", "articles-seldom-specific"}
    of_topics = [judgements([t] * 9, [0] + [1] * 8, [3.0] * 9, [1.0] + [3.0] * 8) for t in "abc"]
    counts = count_judged(pd.concat(of_topics), "inex2003")
    both = pd.concat(counts.assign(campaign=of) for of in ("INEX 2003", "INEX 2002"))
    synthetic, frames = context_of(*SMALL), {**analysis, "judged": both}
    real = replace(synthetic, campaign=materials.campaign(collection="c", assessments="a", runs="r"))
    measured, simulated = (materials.verdicts(PAPER, frames, context) for context in (real, synthetic))
    assert {measured[name] for name in by_construction} == {HOLDS}
    assert {name for name, verdict in simulated.items() if verdict != measured[name]} == by_construction
    assert {simulated[name] for name in by_construction} == {BY_CONSTRUCTION}


def test_few_runs_decide_nothing_about_correlations(analysis):
    def of_runs(count):
        frames = {name: analysis[name] for name in ("average_precision", "overlap")}
        runs = [f"run{number}" for number in range(count)]
        few = {name: frame[frame["run"].isin(runs)] for name, frame in frames.items()}
        return {**analysis, **few, "estimates": estimates_of(few["average_precision"])}

    pd.testing.assert_frame_equal(estimates_of(analysis["average_precision"]), analysis["estimates"])

    expected = {f.name for f in PAPER.claims(TABLES) if "fewer than 5 runs" in f.computed}
    undecided = untestable(of_runs(FEWEST_RUNS - 1), of_runs(FEWEST_RUNS))
    assert undecided == expected | {"longer-lists-overlap-more"} and len(expected) == 18


def test_sizes_that_hold_the_same_lists_decide_nothing(analysis):
    expected = {f.name for f in PAPER.claims(TABLES) if "more results than the smaller" in f.computed}
    same = {**analysis, "overlap": analysis["overlap"].assign(results=20)}
    assert untestable(same, analysis) == expected and len(expected) == 6


def test_the_rank_of_the_best_is_that_of_the_runs_that_are_drawn():
    best = np.array([0.8, 0.1, 0.7, 0.2, 0.3, 0.4, 0.5, 0.6])
    weights = np.array([np.ones(8), [0, 1, 1, 1, 1, 1, 2, 1]])
    # the best quarter is the first and third run; without the first, it is the third and the last
    assert rank_of_best(best, best)(weights).tolist() == [1.5, 1.5]
    assert rank_of_best(best, -best)(weights).tolist() == [7.5, 7.5]


def test_strict_ignores_ancestors_ranked_after_all_that_it_counts(analysis):
    """This holds by construction on any judgements, so the test uses random ones."""
    precisions = analysis["simulated"].set_index(["metric", "quantisation", "run"])["average_precision"]
    assert (
        precisions["INEX 2002", "strict", "perfect"] == precisions["INEX 2002", "strict", "ancestors"] == 1.0
    )
