"""Refusals of declarations, parameters of measures, and curves read at once."""

import math
from dataclasses import replace

import numpy as np
import pytest

from focuseval.api import score
from focuseval.errors import InputError
from focuseval.measures import MEASURES, parse_specs
from focuseval.measures.declaration import (
    LARGEST_RANK,
    RANK,
    Cutoff,
    CutoffKind,
    Measure,
    Parameter,
    format_value,
    parts_of,
    select_parameters,
)
from tests.passages import topic_of
from tests.trees import random_collection, random_list, random_topic

ALPHA = Parameter("alpha", 1.0, "")


def prepare(topic):
    return topic


def trace(base, results, *, alpha):
    return np.cumsum(np.full(len(results), alpha))


def declared(**changed):
    settings = {"prepare": prepare, "trace": trace, "value": len, "parameters": (ALPHA,)} | changed
    return Measure(name="mine", summary="", paper="", **settings)


def misspelt(base, results, *, alhpa):
    return results


def swallowing(base, results, *, alpha, **parameters):
    return results


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            {"trace": misspelt},
            "alhpa: named by a step and not declared; alpha: declared and named by no step",
        ),
        ({"trace": swallowing}, "parameters must be named"),
        ({"parameters": ()}, "alpha: named by a step and not declared"),
        ({"parameters": (ALPHA, Parameter("beta", 1.0, ""))}, "beta: declared and named by no step"),
        ({"value": None}, "neither a value nor a cut-off"),
        ({"claims": frozenset({"best"})}, "best: none of the claims"),
        ({"average": "median"}, "median: none of the averages"),
    ],
)
def test_a_declaration_that_cannot_work_is_refused_at_once(changed, message):
    with pytest.raises(TypeError, match=message):
        declared(**changed)
    assert declared().average == "macro"


def test_a_value_is_written_as_it_is_read_again():
    for number in (1.0, 0.25, 1 / 3, 0.1 + 0.2, 1e-300):
        assert float(format_value(number)) == number
    assert (format_value(1.0), format_value(0.07), format_value("gen")) == ("1", "0.07", "gen")
    names = {parse_specs(f"nxCG(alpha={x!r})@10", MEASURES)[0].name for x in (0.3, 0.1 + 0.2)}
    assert len(names) == 2


def test_all_parameters_of_a_name_as_json_with_sorted_keys():
    one, two = (
        parse_specs(name, MEASURES)[0] for name in ("inex2003@0.1", "inex2003(quantisation=strict,variant=o)")
    )
    assert one.settings == two.settings == '{"quantisation":"strict","ties":"expected","variant":"o"}'


def test_a_new_kind_of_cutoff_is_one_declaration():
    characters = CutoffKind(
        "characters",
        "2000c",
        "a number of characters (2000c)",
        lambda text: int(text[:-1]) if text.endswith("c") and text[:-1].isdigit() else None,
        lambda number: f"{number}c",
    )
    budget = Cutoff(characters, "what is read", lambda curve, cutoffs: cutoffs / 1000)
    measure = declared(cutoffs=(Cutoff(RANK, "rank", lambda curve, ranks: curve[ranks - 1]), budget))
    for text, number, value in (("mine@2000c", 2000, 2.0), ("mine(alpha=0.5)@3", 3, 1.5)):
        [spec] = parse_specs(text, {"mine": measure})
        assert (spec.name, spec.cutoff) == (text, number)
        assert spec.value(topic_of([1], []), range(5)) == value
    with pytest.raises(InputError, match=r"expected a rank from 1 to \d+ or a number of characters"):
        parse_specs("mine@2.5", {"mine": measure})


def test_many_cutoffs_at_once_equal_single_cutoffs_to_the_bit():
    rng = np.random.default_rng(3)
    read = 0
    for _ in range(3):
        collection, _ = random_collection(rng, 4, 30)
        topic, results = random_topic(rng, collection, "inex2005"), random_list(rng, collection, 60)
        for measure in MEASURES.values():
            if "judgements" not in measure.needs:
                continue
            parameters = {p.name: p.default for p in measure.parameters}
            [spec] = parse_specs(measure.name + ("@1" if measure.value is None else ""), MEASURES)
            base = spec.prepare(topic)
            if base is None:
                continue
            trace = spec.trace(base, results)
            for cutoff in measure.cutoffs:
                level = cutoff.kind is not RANK
                points = (
                    np.arange(101) / 100 if level else np.array([40, 1, 2, 3, 5, 8, 9, 17, 33, 100, 1500])
                )
                once = cutoff.at(trace, points, **select_parameters(cutoff.at, parameters))
                assert once.shape == points.shape
                one_by_one = [
                    replace(spec, parameters=parameters, cutoff=x, declared_cutoff=cutoff).read(trace)
                    for x in points
                ]
                assert once.tolist() == one_by_one
                read += 1
    assert read > 30


NUMBERS = [
    (measure, parameter)
    for measure in MEASURES.values()
    for parameter in measure.parameters
    if not (parameter.choices or parameter.reader)
]


def behind(measure):
    """Return a cut-off that a measure accepts, or "" if it has none."""
    return "@1" if measure.cutoffs else ""


@pytest.mark.parametrize("text", ["inf", "-inf", "nan", "1e999", "1e300", "-1", "much", ""])
def test_a_number_outside_the_range_is_refused_with_the_range(text):
    for measure, parameter in NUMBERS:
        with pytest.raises(InputError) as error:
            parse_specs(f"{measure.name}({parameter.name}={text}){behind(measure)}", MEASURES)
        (problem,) = error.value.problems
        assert problem.found == f"the parameter {parameter.name!r} is {text!r}"
        low, high = format_value(parameter.low), format_value(parameter.high)
        assert problem.expected == f"expected a number from {low} to {high}"
        assert math.isfinite(parameter.low) and math.isfinite(parameter.high)


def grades(measure, parameter):
    return parameter.name == "rel"


def aspects(measure, parameter):
    return "aspects" in measure.needs


def passages(measure, parameter):
    return not grades(measure, parameter) and not aspects(measure, parameter)


ASPECTS = '{{"topic": "1", "document": "{}", "start": 5, "end": 20, "aspects": ["x"]}}\n'


@pytest.mark.parametrize(
    ("those", "gold"),
    [
        (passages, "1 Q0 a 15 30 9 5:15\n1 Q0 b 10 30 20 20:10\n"),
        (grades, "1 0 a 1000000000\n1 0 b 1000000000\n"),  # the lowest relevant grade may be this high
        (aspects, "".join(map(ASPECTS.format, "ab"))),
    ],
)
@pytest.mark.filterwarnings("error")
def test_the_ends_of_a_range_have_scores(tmp_path, those, gold):
    (tmp_path / "xml").mkdir()
    for document in "ab":
        xml = "<article><sec><p>0123456789</p><p>0123456789</p></sec><sec>0123456789</sec></article>"
        (tmp_path / "xml" / f"{document}.xml").write_text(xml)
    (tmp_path / "qrels").write_text(gold)
    (tmp_path / "run").write_text("1 Q0 a 0 9 me /article[1]/sec[1]\n1 Q0 b 1 8 me /article[1]/sec[2]\n")
    names = {}
    for measure, parameter in NUMBERS:
        more = ""
        if parameter.name == "theta":
            more = ",navigation=distance"
        elif parameter.name == "tolerance" and "navigation" in {p.name for p in measure.parameters}:
            more = ",navigation=tolerance-to-irrelevance"
        elif those is passages and "relevant" in {p.name for p in measure.parameters}:
            more = ",relevant=covers"
        for end in (parameter.low, parameter.high) if those(measure, parameter) else ():
            name = f"{measure.name}({parameter.name}={end!r}{more}){behind(measure)}"
            names[parse_specs(name, MEASURES)[0].name] = name
    scores = score(
        list(names.values()),
        assessments=tmp_path / "qrels",
        runs=tmp_path / "run",
        collection=tmp_path / "xml",
    )
    assert len(scores) == len(names) and np.isfinite(scores["value"]).all()


@pytest.mark.parametrize("rank", [f"{LARGEST_RANK + 1}", "1e300", "inf", "nan"])
def test_a_rank_that_no_run_reaches_is_refused(rank):
    for name in (m.name for m in MEASURES.values() if any(c.kind is RANK for c in m.cutoffs)):
        with pytest.raises(
            InputError, match=rf"'{name}' is '{rank}'; expected a rank from 1 to {LARGEST_RANK}"
        ):
            parse_specs(f"{name}@{rank}", MEASURES)
        assert parse_specs(f"{name}@{LARGEST_RANK}", MEASURES)[0].cutoff == LARGEST_RANK


def test_the_cutoff_of_a_name_follows_its_parameters():
    """A file name may contain the sign of a cut-off."""
    assert parts_of("EPRUM(file=a@b.csv)@0.1") == ("EPRUM", "file=a@b.csv", "0.1")
    assert parts_of("EPRUM(file=a@b.csv)@0.1").uncut == "EPRUM(file=a@b.csv)"
    assert parts_of(" nxCG@10 ").uncut == parts_of("nxCG").uncut == "nxCG"
