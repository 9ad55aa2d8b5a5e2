"""Differences of runs, against SciPy and pandas on the same columns."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from focuseval.errors import InputError
from focuseval.statistics.comparisons import COLUMNS, Method, cautions, pairs_of
from focuseval.statistics.comparisons import differences as differences_of
from focuseval.statistics.comparisons import systems as systems_of
from focuseval.statistics.score_table import ScoreTable
from focuseval.statistics.significance import TESTS, holm


def table(topics=30, runs=4, seed=1):
    rng = np.random.default_rng(seed)
    values = rng.random((topics, 1)) * 0.5 + rng.random((topics, runs)) * 0.3 + np.linspace(0, 0.15, runs)
    return pd.DataFrame(values, index=[f"q{n}" for n in range(topics)], columns=list("abcdefgh"[:runs]))


def tables(scores, lower=()):
    return {name: ScoreTable(values, name in lower) for name, values in scores.items()}


def differences(scores, *how, lower=(), **settings):
    return differences_of(tables(scores, lower), *how, **settings)


def test_pairs_are_those_of_the_baseline_or_all():
    assert pairs_of(["a", "b", "c"]) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert pairs_of(["a", "b", "c"], "b") == [("b", "a"), ("b", "c")]


def test_rows_agree_with_scipy():
    scores = table()
    scores.loc["q3", "b"] = scores.loc["q3", "a"]
    rows = differences({"M": scores}, method=Method("t-test"))
    assert tuple(rows.columns) == COLUMNS and len(rows) == 6
    for row in rows.itertuples():
        change = scores[row.run] - scores[row.baseline]
        assert row.p == pytest.approx(stats.ttest_rel(scores[row.run], scores[row.baseline]).pvalue)
        assert row.difference == pytest.approx(change.mean()) == pytest.approx(row.mean - row.mean_baseline)
        assert row.effect_size == pytest.approx(change.mean() / change.std())
        assert (row.wins, row.ties, row.losses) == (
            (change > 0).sum(),
            (change == 0).sum(),
            (change < 0).sum(),
        )
        assert row.low < row.difference < row.high
        assert row.topics == 30
    assert rows["p_adjusted"].tolist() == holm(rows["p"].to_numpy()).tolist()


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "t-test"])
def test_the_interval_is_that_of_the_paired_difference_under_the_test(test):
    scores = table(60)
    row = differences({"M": scores[["a", "b"]]}, method=Method(test, resamples=20_000)).iloc[0]
    change = (scores["b"] - scores["a"]).to_numpy()
    expected = stats.ttest_1samp(change, 0).confidence_interval()
    if test == "bootstrap":
        result = stats.bootstrap((change,), np.mean, method="percentile", n_resamples=20_000, rng=2)
        expected = result.confidence_interval
    precise = 1e-12 if test == "t-test" else 0.003
    assert row["low"] == pytest.approx(expected.low, abs=precise)
    assert row["high"] == pytest.approx(expected.high, abs=precise)
    assert row["skewness"] == pytest.approx(stats.skew(change))


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "t-test"])
def test_exchanging_the_runs_changes_signs_only(test):
    scores = table(30, 2)
    method = Method(test, resamples=2000)
    forwards, backwards = (differences({"M": scores}, baseline, method).iloc[0] for baseline in ("a", "b"))
    assert forwards["p"] == backwards["p"] and forwards["wins"] == backwards["losses"]
    assert forwards["difference"] == -backwards["difference"]
    one = Method(test, one_tailed=True, resamples=2000)
    better, worse = (differences({"M": scores}, baseline, one).iloc[0]["p"] for baseline in ("a", "b"))
    assert better < 0.5 < worse, "one-tailed: b is better than a, a is not better than b"


def test_the_family_is_every_row_of_a_measure():
    scores = {"M": table(seed=1), "N": table(seed=2)}
    rows = differences(scores, "a")
    p = rows["p"].to_numpy()
    assert rows["p_adjusted"].tolist() == [*holm(p[:3]), *holm(p[3:])] and len(rows) == 6
    alone = differences({"M": scores["M"]}, "a")
    pd.testing.assert_frame_equal(rows[:3], alone)
    plain = differences(scores, "a", Method(correction="none"))
    assert plain["p_adjusted"].tolist() == plain["p"].tolist()


def test_equal_runs_do_not_differ():
    row = differences({"M": table(runs=1).assign(same=lambda frame: frame["a"])}).iloc[0]
    assert (row["difference"], row["p"], row["ties"], row["carried_by"]) == (0, 1, 30, "")
    assert np.isnan(row["effect_size"])


def test_a_topic_that_carries_the_sign_is_named():
    change = np.array([0.9, *[-0.02] * 29])
    scores = pd.DataFrame({"a": 0.05, "b": 0.05 + change}, index=[f"q{n}" for n in range(30)])
    row = differences({"M": scores}).iloc[0]
    assert row["carried_by"] == "q0" and row["difference"] > 0
    assert row["difference_without"] == pytest.approx(-0.02)
    line = cautions(pd.DataFrame([row]), Method())[-1]
    assert line.startswith("b against a, M: topic q0 alone explains the difference of +")
    assert line.endswith("; without this topic, the difference is -0.0200")
    turned = differences({"M": scores}, "b").iloc[0]
    assert (turned["carried_by"], turned["difference_without"]) == ("q0", pytest.approx(0.02))


def test_a_topic_that_leaves_a_tenth_is_named():
    scores = pd.DataFrame({"a": 0.0, "b": [0.9, *[0.02] * 29]}, index=[f"q{n}" for n in range(30)])
    row = differences({"M": scores}).iloc[0]
    assert (row["carried_by"], row["difference"]) == ("", pytest.approx(1.48 / 30)), (
        "0.02 is more than a tenth"
    )
    scores["b"] = [0.9, *[0.002] * 29]
    row = differences({"M": scores}).iloc[0]
    assert (row["carried_by"], row["difference_without"]) == ("q0", pytest.approx(0.002))


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "t-test"])
@pytest.mark.parametrize("gain", [0.3, -1.0])
def test_no_single_topic_explains_a_difference_that_all_share(test, gain):
    """Without one of six topics nothing can be significant: a lack of power, not the topic."""
    scores = pd.DataFrame({"a": 0.5, "b": 0.5 + gain + 0.001 * np.arange(6)})
    row = differences({"M": scores}, method=Method(test)).iloc[0]
    assert row["p"] < 0.05 and row["carried_by"] == "" and np.isnan(row["difference_without"])
    row = differences({"M": scores.assign(b=0.5 + gain)}, method=Method(test)).iloc[0]
    assert row["carried_by"] == "" and np.isnan([row["low"], row["high"]]).all()
    assert not any("alone" in line for line in cautions(pd.DataFrame([row]), Method(test)))


def test_skewed_differences_and_bootstraps_on_few_topics_are_reported():
    rng = np.random.default_rng(2)
    plain = pd.DataFrame({"a": 0.0, "b": rng.normal(0.5, 1, 30)})
    skewed = pd.DataFrame({"a": 0.0, "b": rng.lognormal(0, 1, 30) - 1})
    assert cautions(differences({"M": plain}), Method()) == []
    (line,) = cautions(differences({"M": plain, "N": skewed}), Method())
    assert line.startswith(
        "differences are skewed in 1 of 2 comparisons; 95 % intervals contain the true mean in about 90 %"
    )
    few = plain.head(12)
    lines = cautions(differences({"M": few}), Method())
    assert (
        len(lines) == 1
        and "if values are skewed, 95 % intervals contain the true mean in fewer than 90 % of cases"
        in lines[0]
    )
    method = Method("bootstrap")
    lines = cautions(differences({"M": few}, method=method), method)
    assert lines[1].startswith(
        "a bootstrap test of 12 topics finds too many differences: p <= 0.05 in about 9 % of comparisons"
    )
    for topics, share in ((3, 25), (6, 15), (8, 12), (10, 11), (24, 8)):
        comparisons = differences({"M": plain.head(topics)}, method=method)
        assert (
            f"test of {topics} topics finds too many differences: p <= 0.05 in about {share} %"
            in cautions(comparisons, method)[1]
        )
    one_tailed = replace(method, one_tailed=True)
    assert "in about 10 % of" in cautions(differences({"M": plain.head(5)}, method=one_tailed), one_tailed)[1]
    assert cautions(differences({"M": plain}, method=method), method) == []


def test_wins_are_lower_values_if_lower_is_better():
    scores = table(30, 2)
    one = Method(one_tailed=True)
    higher = differences({"M": scores}, "a", one).iloc[0]
    lower = differences({"M": scores}, "a", one, lower={"M"}).iloc[0]
    assert (lower["wins"], lower["losses"]) == (higher["losses"], higher["wins"])
    assert lower["difference"] == higher["difference"]
    assert higher["p"] < 0.05 and lower["p"] > 0.95
    carried = pd.DataFrame({"a": 0.05, "b": 0.05 + np.array([0.9, *[-0.02] * 29])})
    row = differences({"M": carried}, lower={"M"}).iloc[0]
    assert row["difference_without"] == pytest.approx(-0.02)


@pytest.mark.parametrize("topics", range(3, 9))
@pytest.mark.parametrize("test", TESTS)
def test_a_missing_interval_is_reported_for_the_test_that_gives_none(test, topics):
    method = Method(test)
    rows = differences({"M": table(topics, 2)}, method=method)
    reported = f"a {TESTS[test].title} gives no 95 % interval" in cautions(rows, method)[0]
    assert reported == rows[["low", "high"]].isna().to_numpy().all()


def test_few_topics_and_few_resamples_are_reported():
    notes = cautions(differences({"M": table(5, 3)}), Method())
    assert notes[0].startswith("there are fewer than 25 topics (5)")
    # 2 / 2^5 = 0.0625, times three
    assert "nothing can be significant: with 5 topics" in notes[1] and notes[1].endswith("is 0.19")
    few = Method("bootstrap", resamples=100)
    assert any(
        "smallest p-value is 0.059" in line
        for line in cautions(differences({"M": table(30, 3)}, method=few), few)
    )
    assert not any("significant" in line for line in cautions(differences({"M": table(30, 3)}), Method()))


@pytest.mark.parametrize(("test", "topics"), [("randomisation", 6), ("randomisation", 30), ("bootstrap", 30)])
@pytest.mark.parametrize("one_tailed", [True, False])
def test_no_p_value_is_below_the_smallest(test, topics, one_tailed):
    method = Method(test, one_tailed, resamples=200)
    clear = pd.DataFrame({"a": 0.1, "b": np.linspace(0.5, 0.9, topics)})
    assert differences({"M": clear}, method=method)["p"].item() == pytest.approx(method.smallest(topics))


def test_means_have_intervals():
    scores = table()
    rows = systems_of(tables({"M": scores, "N": scores}), Method(alpha=0.1))
    assert rows["run"].tolist() == list("abcd") * 2
    assert rows["mean"][:4].tolist() == pytest.approx(scores.mean().tolist())
    assert (rows["low"] < rows["mean"]).all() and (rows["mean"] < rows["high"]).all()
    wide = systems_of(tables({"M": scores}), Method(alpha=0.01))
    assert (wide["high"] - wide["low"] > (rows["high"] - rows["low"])[:4]).all()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"test": "z"}, "test: the value is 'z'; expected one of bootstrap, randomisation, t-test, wilcoxon"),
        ({"correction": "b"}, "correction: the value is 'b'; expected one of holm, none"),
        ({"resamples": 0}, "resamples: the value is 0"),
        ({"resamples": 10**9}, "resamples: the value is 1,000,000,000; expected at most 1,000,000"),
        ({"seed": -1}, "seed: the value is -1"),
        ({"alpha": 1.0}, "alpha: the value is 1.0"),
    ],
)
def test_methods_that_make_no_sense_are_refused(changed, message):
    with pytest.raises(InputError, match=message):
        Method(**changed)


def test_one_run_cannot_be_compared_nor_one_topic_tested():
    with pytest.raises(InputError, match="1 run has scores;"):
        differences({"M": table(30, 1)})
    with pytest.raises(InputError, match="1 topic has scores; expected two or more topics"):
        differences({"M": table(1, 2)})


@pytest.mark.filterwarnings("error")
def test_one_topic_has_only_a_difference():
    scores = table(1, 2)
    (row,) = differences({"M": scores}, method=Method(test=None)).itertuples()
    assert row.difference == scores.iloc[0, 1] - scores.iloc[0, 0] and row.carried_by == ""
    assert np.isnan([row.low, row.high, row.effect_size, row.p, row.p_adjusted]).all()
