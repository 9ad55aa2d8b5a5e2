"""The audit: numbers against lists scored one by one, verdicts against random campaigns and known breaches."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import focuseval
from focuseval.auditing.audit import TRIED, audit, tried
from focuseval.auditing.findings import COLUMNS, VERDICTS
from focuseval.auditing.public import embedded
from focuseval.measures import MEASURES, parse_specs
from focuseval.model.results import Results
from focuseval.transformations.lists import of_runs
from tests.auditing.campaigns import broken, random_campaign, scores_of

#: at least one measure of each family, under settings that reward different things
NAMES = (
    "precall", "inex2003.recall(quantisation=generalised)", "nxCG@5", "MAep", "MAgP", "AiP",
    "char_recall(counting=summed)", "T2I", "nDCG(relevant=touches)@5", "over_prediction",
    "PASSAGE", "PASSAGE2", "EPRUM@1.0", "T2I.rank", "SRP@5",
)  # fmt: skip

#: transformations of lists whose outcome is expected
OF_LISTS = TRIED[: TRIED.index("cut")]

#: these and some others
TRANSFORMATIONS = (
    *OF_LISTS,
    "ancestors(where=before,new=on)",
    "ideal",
    "sinking",
    "more-topics",
    "reversed",
    "shifted",
)


def specs(*names):
    return [spec for name in names for spec in parse_specs(name, MEASURES)]


@pytest.fixture(scope="module")
def campaign():
    """Return a part of the campaign that ships with the audit, with its handmade topics."""
    topics, results = embedded()
    return [*topics[:6], *topics[32:35]], results


@pytest.fixture(scope="module")
def findings(campaign):
    return audit(*campaign, specs(*NAMES), transformations=tried(TRANSFORMATIONS), examples=False)


def one(findings, measure, transformation):
    (row,) = [
        row
        for _, row in findings.iterrows()
        if (row["measure"], row["transformation"]) == (measure, transformation)
    ]
    return row


def test_a_row_for_each_measure_and_transformation(findings):
    assert tuple(findings.columns) == COLUMNS
    assert len(findings) == len(NAMES) * len(TRANSFORMATIONS)
    assert not findings.duplicated(["measure", "transformation"]).any()
    assert set(findings["verdict"]) == set(VERDICTS)
    held, breaks = findings["verdict"] == "not broken", findings["verdict"] == "breaks"
    assert (findings[held]["tried"] > 0).all() and (findings[held]["broken"] == 0).all()
    assert (findings[breaks]["broken"] > 0).all() and (findings[breaks]["largest"] > 0).all()
    undecided = findings["tried"] == 0
    assert (findings[undecided]["verdict"] == "not tried").all()
    assert findings[undecided]["note"].str.startswith("undecided, because ").all()


@pytest.mark.parametrize("name", ["nxCG@5", "over_prediction"])
def test_numbers_are_those_of_lists_scored_one_by_one(campaign, findings, name):
    """The test leaves out the ideal runs, which the audit adds."""
    topics, results = campaign
    (spec,) = specs(name)
    runs = range(3) if name == "nxCG@5" else range(6)
    alone = of_runs(results, np.array(runs))
    by_topic = {topic.name: topic for topic in topics}
    for applied in tried(["halves", "twice", "irrelevant(where=front)", "relevant", "ties"]):
        changed_lists = {(r.run, r.topic): r for r in applied.transform(alone, topics).lists()}
        changes = []
        for ranking in alone.lists():
            if ranking.topic not in by_topic:
                continue
            other = changed_lists[ranking.run, ranking.topic]
            if all(
                np.array_equal(getattr(ranking, c), getattr(other, c)) for c in ("element", "start", "end")
            ):
                continue
            pair = [
                scores_of(spec, by_topic[ranking.topic], _results_of(finding))[ranking.run]
                for finding in (ranking, other)
            ]
            if None not in pair:
                changes.append(pair[1] - pair[0])
        finding = one(
            audit(topics, alone, [spec], transformations=[applied], examples=False), spec.name, applied.name
        )
        sign = 1 if spec.measure.higher_is_better else -1
        wrong = {
            "the same": np.abs(changes),
            "not better": sign * np.array(changes),
            "not worse": -sign * np.array(changes),
        }[finding["expected"]]
        assert finding["tried"] >= len(changes)
        assert finding["broken"] >= (wrong > 1e-8).sum()
        if len(changes) and wrong.max() > 1e-8:
            assert finding["verdict"] == "breaks"
            assert finding["largest"] >= wrong.max() - 1e-12


def _results_of(ranking):
    columns = ("rank", "document", "element", "start", "end")
    rank, document, element, start, end = (getattr(ranking, name) for name in columns)
    nothing = np.zeros(len(rank), dtype=np.int64)
    names = (pd.Index([getattr(ranking, name)], dtype=object) for name in ("run", "topic"))
    return Results(*names, nothing, nothing, rank, document, element, start, end, np.full(len(rank), np.nan))


def test_breaches_on_random_campaigns_are_breaches_on_the_small_campaign(findings):
    measures, transformations = specs(*NAMES), tried(OF_LISTS)
    held = {(row.measure, row.transformation) for row in findings.itertuples() if row.verdict == "not broken"}
    open_ = [(s, a) for s in measures for a in transformations if (s.name, a.name) in held]
    assert len(open_) > 80
    refuted = set()

    @settings(max_examples=15)
    @given(st.integers(0, 2**31))
    def refute(seed):
        topic, results = random_campaign(seed)
        for spec, applied in open_:
            if broken(spec, applied, topic, results):
                refuted.add((spec.name, applied.name))

    refute()
    everything = embedded()
    for measure, name in refuted:
        whole = audit(*everything, specs(measure), transformations=tried([name]), examples=False)
        assert whole["verdict"].tolist() == ["breaks"], (measure, name)


def test_frequent_breaches_are_found_by_random_campaigns_too(findings):
    expected = {
        (row.measure, row.transformation)
        for row in findings.itertuples()
        if row.verdict == "breaks"
        and row.transformation in set(OF_LISTS) - {"joined", "children"}
        and row.broken > 0.4 * row.tried
    }
    pairs = [(s, a) for s in specs(*NAMES) for a in tried(OF_LISTS) if (s.name, a.name) in expected]
    assert len(pairs) > 15
    for seed in range(60):
        topic, results = random_campaign(seed)
        pairs = [(s, a) for s, a in pairs if not broken(s, a, topic, results)]
    assert [(s.name, a.name) for s, a in pairs] == []


#: verdicts by measure and transformation; some contradict the text of a paper, others are claims of the declarations
EXPECTED_VERDICTS = {
    "breaks": (
        *(("inex2003.recall(quantisation=generalised)", "ideal"), ("nxCG@5", "ideal"), ("MAep", "ideal")),
        *(("EPRUM@1.0", "ideal"), ("char_recall(counting=summed)", "ideal"), ("T2I.rank", "ideal")),
        *(("char_recall(counting=summed)", "twice"), ("PASSAGE", "halves"), ("PASSAGE", "twice")),
        *(("T2I.rank", "smaller"), ("T2I", "ties")),
    ),
    "not broken": (
        *(("PASSAGE2", "halves"), ("MAgP", "halves"), ("char_recall(counting=summed)", "halves")),
        ("precall", "ties"),
    ),
}


@pytest.mark.parametrize("verdict", EXPECTED_VERDICTS)
def test_known_breaches_are_found_again(findings, verdict):
    verdicts = findings.set_index(["measure", "transformation"])["verdict"]
    assert [pair for pair in EXPECTED_VERDICTS[verdict] if verdicts[pair] != verdict] == []


def test_claims_of_declarations_are_never_broken(findings):
    for claim, transformation in (("ties", "ties"), ("split", "halves"), ("tail", "unjudged")):
        rows = findings[findings["transformation"] == transformation]
        for row in rows.itertuples():
            if claim in parse_specs(row.measure, MEASURES)[0].measure.claims:
                assert row.verdict != "breaks", (row.measure, claim)


def test_scores_that_exceed_the_ideal_exceed_1(campaign):
    findings = audit(
        *campaign,
        specs("nxCG@5", "MAep", "EPRUM@1.0", "inex2003.recall(quantisation=generalised)"),
        transformations=tried(["larger", "ancestors(new=on)", "ancestors(where=before,new=on)", "ideal"]),
        examples=False,
    )
    for row in findings[findings["transformation"] == "ideal"].itertuples():
        assert row.verdict == "breaks"
        assert float(row.note.rpartition(" ")[2]) > 1, row.measure


def test_silence_gains_where_counts_are_added_up(campaign):
    findings = audit(
        *campaign,
        specs("char_precision", "char_precision(average=micro)"),
        transformations=tried(["fewer-topics", "more-topics"]),
    )
    assert one(findings, "char_precision", "fewer-topics")["verdict"] == "not broken"
    row = one(findings, "char_precision(average=micro)", "fewer-topics")
    assert row["verdict"] == "breaks"
    assert row["example"].startswith("mean of the run ")
    assert one(findings, "char_precision(average=micro)", "more-topics")["verdict"] == "not broken"


def test_mean_changes_are_within_their_intervals(findings):
    """Pooled measures have no interval, and a measure that does not read judgements is undecided."""
    whole = focuseval.audit(
        ["MAP", "word_F1(average=micro)", "inex2003"],
        transformations=["shifted", "fewer-judgements", "fewer-topics"],
        examples=False,
    )
    for frame in (findings, whole):
        row = frame[frame["low"].notna()]
        assert len(row) > 4
        assert ((row["low"] <= row["mean_change"]) & (row["mean_change"] <= row["high"])).all()
    micro = whole[whole["measure"] == "word_F1(average=micro)"]
    assert micro["mean_change"].all() and micro["low"].isna().all()
    unread = one(whole, "inex2003", "shifted")
    assert (
        unread["tried"] == 0
        and "the measure reads no judgement that the transformation changes" in unread["note"]
    )


def test_an_audit_is_the_same_for_the_same_seed(campaign):
    frames = [
        audit(*campaign, specs("IoU"), transformations=tried(["twice", "larger"]), seed=seed)
        for seed in (1, 1, 2)
    ]
    pd.testing.assert_frame_equal(frames[0], frames[1])
    assert (frames[0]["low"] != frames[2]["low"]).any()
