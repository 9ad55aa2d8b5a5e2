"""Scores of several runs: means, missing topics, what is left out and said."""

from dataclasses import replace

import pytest

from focuseval.campaign.resolve import known_collection, results_of, topics_of
from focuseval.errors import InputError
from focuseval.formats.readers import read_assessments, read_runs
from focuseval.measures import MEASURES, parse_specs
from focuseval.measures.declaration import RANK, Cutoff, Measure, Parameter
from focuseval.model.arrays import Floats, Ints
from focuseval.model.judgements import Topic
from focuseval.model.results import ResultList, Results
from focuseval.scoring.score import score

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


def campaign(folder) -> tuple[list[Topic], Results]:
    raw = read_assessments(folder / "qrels.tsv")
    runs, _ = read_runs(folder / "r.run")
    collection = known_collection(raw, runs)
    topics, problems = topics_of(raw, collection)
    results, lost = results_of(runs, collection)
    assert problems == lost == []
    return topics, results


def test_a_topic_with_the_name_of_the_mean_is_refused(inputs) -> None:
    raw = read_assessments(inputs / "qrels.tsv")
    runs, _ = read_runs(inputs / "r.run")
    topics, _ = topics_of(raw, known_collection(raw, runs))
    results, _ = results_of(runs, topics[0].collection)
    with pytest.raises(InputError, match="a topic named 'all'; rename it: means are under this name"):
        score([*topics, replace(topics[0], name="all")], results, parse_specs("precall", MEASURES))


def test_a_step_is_run_once_for_what_it_depends_on(inputs) -> None:
    calls: list[str] = []

    def prepare(topic: Topic, *, quantisation: str) -> str:
        calls.append(f"prepare {topic.name} {quantisation}")
        return quantisation

    def trace(base: str, results: ResultList, *, alpha: float) -> float:
        calls.append(f"trace {results.topic} {base} {alpha:g}")
        return alpha

    def at(alpha: float, ranks: Ints) -> Floats:
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


def test_every_measure_is_declared_in_full() -> None:
    for name, measure in MEASURES.items():
        assert name == measure.name
        assert measure.summary and measure.paper
        assert measure.bounds[0] < measure.bounds[1]
        for parameter in measure.parameters:
            assert parameter.summary
            if parameter.choices:
                assert parameter.default in parameter.choices
