"""Scores of several runs: means, missing topics, omissions and notices."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from focuseval.campaign import notices
from focuseval.campaign.resolve import known_collection, results_of, topics_of
from focuseval.errors import InputError
from focuseval.formats.readers import read_assessments, read_runs
from focuseval.measures import MEASURES, parse_specs
from focuseval.measures.declaration import RANK, Cutoff, Measure, Parameter
from focuseval.model.results import Results
from focuseval.scoring.score import score
from tests.affected import affected

ASSESSMENTS = """topic\tdocument\tpath\texhaustivity\tspecificity
1\td1\t/article[1]\t3\t1
1\td1\t/article[1]/sec[2]\t3\t3
2\td1\t/article[1]\t0\t0
3\td2\t/article[1]/p[1]\t3\t3
"""
RUN = """1 Q0 d1 1 9 r /article[1]/sec[2]
1 Q0 d1 2 8 r /article[1]/sec[2]
1 Q0 d1 3 7 r /article[1]
1 Q0 d2 4 6 r /article[1]/p[1]
7 Q0 d1 1 7 r /article[1]
"""


@pytest.fixture
def inputs(tmp_path):
    (tmp_path / "qrels.tsv").write_text(ASSESSMENTS)
    (tmp_path / "r.run").write_text(RUN)
    return tmp_path


def campaign(folder, size=None):
    raw = read_assessments(folder / "qrels.tsv")
    runs, _ = read_runs(folder / "r.run")
    collection = known_collection(raw, runs)
    topics, problems = topics_of(raw, collection)
    results, lost = results_of([replace(run, most=size) for run in runs], collection)
    assert problems == lost == []
    return topics, results


def scored(folder, *names, size=None, **options):
    specs = [s for name in names for s in parse_specs(name, MEASURES)]
    return score(*campaign(folder, size), specs, **options)


def test_the_mean_is_over_relevant_topics_and_a_missing_topic_scores_0(inputs):
    scores = scored(inputs, "precall", "precall(quantisation=generalised)")
    assert scores.means()["value"].tolist()[0] == 0.5  # topic 1 scores 1, topic 3 is missing
    both = ["precall", "precall(quantisation=generalised)"]
    assert affected(scores.notices, notices.IRRELEVANT) == dict.fromkeys(both, "2")
    assert affected(scores.notices, notices.MISSING) == {"r": "3"}  # topic 2 has nothing relevant
    assert affected(scores.notices, notices.UNASSESSED) == {"r": "7"}
    assert affected(scores.notices, notices.REPEATED) == affected(scores.notices, notices.OUTSIDE) == {"r": 1}
    assert any("run r: 1 of 4 results is in a document without judgements" in note for note in scores.notes())
    assert any("left out" in note for note in scores.notes())
    assert (
        f"{' and '.join(both)}: precision counts as 0 at recall levels that no result reaches"
        in "\n".join(scores.notes())
    )


def test_runs_are_looked_at_without_a_measure(inputs):
    scores = scored(inputs)
    assert scores.per_topic.empty
    assert affected(scores.notices, notices.REPEATED) == affected(scores.notices, notices.OUTSIDE) == {"r": 1}


def test_a_topic_with_the_name_of_the_mean_is_refused(inputs):
    raw = read_assessments(inputs / "qrels.tsv")
    runs, _ = read_runs(inputs / "r.run")
    topics, _ = topics_of(raw, known_collection(raw, runs))
    results, _ = results_of(runs, topics[0].collection)
    with pytest.raises(
        InputError, match="a topic is named 'all'; rename the topic, because this name is reserved for means"
    ):
        score([*topics, replace(topics[0], name="all")], results, parse_specs("precall", MEASURES))


def test_a_mean_over_the_runs_own_topics_on_request(inputs):
    assert scored(inputs, "precall", average_over="run").means()["value"].tolist() == [1.0]


def test_a_duplicate_keeps_its_rank_and_is_worth_nothing(inputs):
    # generalised: (3, 3) is 1, (3, 1) is 0.75; the article is at rank 3, after one result worth 0
    value = scored(inputs, "precall(quantisation=generalised)@1").per_topic.query("topic == '1'")["value"]
    # X = 1.75, j = 1 (the duplicate), s = 0.75, r = 0.75, i = 0.25
    assert value.tolist() == pytest.approx([1.75 / (1.75 + 1 + 0.75 * 0.25 / 1.75)], abs=1e-15)


def test_lists_are_cut_before_anything_else(inputs):
    scores = scored(inputs, "precall(quantisation=generalised)@1", size=2)
    assert scores.per_topic.query("topic == '1'")["value"].tolist() == [0.0]


def test_a_broken_rule_of_a_measure_costs_that_measure_only(inputs):
    """The run returns an article in parts; one result of each article is allowed."""
    declared = {
        "precall": MEASURES["precall"],
        "ruled": replace(MEASURES["precall"], name="ruled", rule="best-in-context"),
    }
    specs = [spec for name in declared for spec in parse_specs(name, declared)]
    with pytest.raises(InputError, match="has an earlier result"):
        score(*campaign(inputs), specs)
    scores = score(*campaign(inputs), specs, skip_refused=True)
    assert scores.means()["measure"].tolist() == ["precall"]
    (refused,) = (note for note in scores.notes() if "not scored: " in note)
    assert (
        "results of run 'r' break a rule of the measure (the first is in " in refused
        and "r.run, topic 1, line 2: the article has an earlier result, but only one result per article is allowed)"
        in refused
    )
    assert len(score(*campaign(inputs), specs, skip_refused=True, lenient=True).means()) == 2


def test_the_first_place_of_a_broken_rule_is_reported(inputs):
    rows = (inputs / "r.run").read_text()
    (inputs / "r.run").write_text(rows + rows.replace("1 Q0", "2 Q0", 1).replace("\n1 Q0", "\n2 Q0"))
    declared = {name: replace(MEASURES["precall"], name=name, rule=rule)
             for name, rule in (("free", None), ("ruled", "best-in-context"))}  # fmt: skip
    specs = [spec for name in declared for spec in parse_specs(name, declared)]
    scores = score(*campaign(inputs), specs, skip_refused=True)
    [problem] = scores.refused["ruled"]
    assert "r.run, topic 1, line 2" in problem.found


def test_a_score_has_name_measure_parameters_cutoff_and_value(inputs):
    measures = ["precall(quantisation=strict)", "precall(quantisation=generalised)@0.10", "precall", "MAP"]
    scores = scored(inputs, *measures)
    table = scores.per_topic
    assert list(table) == ["run", "topic", "name", "measure", "parameters", "cutoff", "value"]
    assert table.drop(columns=["run", "topic", "value"]).drop_duplicates().to_numpy(
        dtype=object
    ).tolist() == [
        ["precall", "precall", '{"quantisation":"strict"}', pytest.approx(np.nan, nan_ok=True)],
        ["precall(quantisation=generalised)@0.1", "precall", '{"quantisation":"generalised"}', 0.1],
        ["MAP", "MAP", "{}", pytest.approx(np.nan, nan_ok=True)],
    ]
    # a run, a topic and a measure have one row, whatever names were requested; users see the requested names
    assert not table.duplicated(["run", "topic", "name"]).any()
    assert list(scores.means()) == list(table)
    assert [row[2] for row in scores.table()] == measures
    assert scores.as_asked()["measure"].value_counts(sort=False).to_dict() == dict.fromkeys(measures, 2)


def test_a_step_is_run_once_for_what_it_depends_on(inputs):
    calls = []

    def prepare(topic, *, quantisation):
        calls.append(f"prepare {topic.name} {quantisation}")
        return quantisation

    def trace(base, results, *, alpha):
        calls.append(f"trace {results.topic} {base} {alpha:g}")
        return alpha

    def at(alpha, ranks):
        calls.append(f"at {ranks.tolist()}")
        return alpha * ranks

    own = Measure(
        name="own",
        summary="",
        paper="",
        prepare=prepare,
        trace=trace,
        cutoffs=(Cutoff(RANK, "rank", at, curve=(2, 3)),),
        parameters=(Parameter("quantisation", "gen", "", choices=("gen",)), Parameter("alpha", 1.0, "")),
    )
    specs = [
        s for name in ("own@curve", "own@7", "own(alpha=0.5)@3") for s in parse_specs(name, {"own": own})
    ]
    topics, results = campaign(inputs)
    table = score(topics, results, specs).per_topic
    assert sorted(calls) == sorted(
        [
            *("prepare 1 gen", "prepare 2 gen", "prepare 3 gen"),
            *("trace 1 gen 1", "trace 1 gen 0.5", "at [2, 3, 7]", "at [3]"),
        ]
    )
    values = table[table["topic"] == "1"].set_index("name")["value"].to_dict()
    assert values == {"own@2": 2, "own@3": 3, "own@7": 7, "own(alpha=0.5)@3": 1.5}


def test_every_measure_is_declared_in_full():
    for name, measure in MEASURES.items():
        assert name == measure.name
        assert measure.summary and measure.paper
        assert measure.bounds[0] < measure.bounds[1]
        for parameter in measure.parameters:
            assert parameter.summary
            if parameter.choices:
                assert parameter.default in parameter.choices


def test_scores_do_not_depend_on_the_order_of_runs():
    from tests.trees import random_collection, random_topic

    rng = np.random.default_rng(2)
    collection, _ = random_collection(rng, 2, 12)
    topic = random_topic(rng, collection)
    rows = rng.integers(0, len(collection), 20)
    zero = np.zeros(20, dtype=np.int64)

    def results(order):
        lists = {"a": rows[:10], "b": rows[10:]}
        element = np.concatenate([lists[name] for name in order])
        return Results(
            pd.Index(order),
            pd.Index(["t"]),
            np.repeat([0, 1], 10),
            zero,
            np.tile(np.arange(10), 2),
            collection.document_of(element),
            element,
            collection.start[element],
            collection.end[element],
            zero + np.nan,
        )

    specs = parse_specs("inex2003(quantisation=generalised)", MEASURES)
    one, two = (
        score([topic], results(o), specs).means().set_index("run")["value"] for o in (["a", "b"], ["b", "a"])
    )
    assert one.to_dict() == two.to_dict()
