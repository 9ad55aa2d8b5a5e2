"""Claims as text: inequalities of named quantities, loops, reasons, and refusals."""

import math

import numpy as np
import pytest

from focuseval.errors import InputError
from focuseval_papers.publication.claims import (
    Claim,
    evaluate,
    filled,
)
from focuseval_papers.publication.declaration import read_declaration
from focuseval_papers.publication.estimates import (
    Estimate,
    Sample,
    difference,
    highest,
    mean_of,
    ratio,
    value_of,
)
from focuseval_papers.publication.paper import NAMES, load
from focuseval_papers.workflow.settings import validated
from focuseval_papers.workflow.yaml_files import read_yaml
from tests.papers.materials import ROOT

TOPICS = Sample("topics", tuple(f"t{n}" for n in range(20)), "topics", 200, 7)


def estimate(mean, seed):
    return TOPICS.estimate(mean_of(mean + np.random.default_rng(seed).normal(size=20)))


QUANTITIES = {
    "runs": 56,
    "gain[INEX 2003o, strict]": 0.5,
    "gain[INEX 2003o, generalised]": 2.0,
    "gain[2003 runs (100), strict]": -3.0,
    "a": estimate(1, 1),
    "b": estimate(2, 2),
    "of[x, 1]": estimate(1, 3),
    "of[y, 1]": estimate(1.5, 4),
    "of[y, 2]": estimate(9, 5),
}


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("runs", 56),
        ("1.5e-3", 0.0015),
        ("gain[INEX 2003o, strict]", 0.5),
        ("gain[ INEX 2003o ,strict ]", 0.5),
        ("abs(gain[2003 runs (100), strict])", 3),
        ("(runs + 4) * gain[INEX 2003o, generalised] / 10 - 1", 11),
        ("highest(gain[*, strict])", 0.5),
        ("lowest(gain[*, *] / 2)", -1.5),
        ("highest(abs(gain[*, strict]))", 3),
        ("mean(gain[*, strict])", -1.25),
        ("runs / 0", math.nan),
        ("nobody", math.nan),
        ("gain[INEX 2003o]", math.nan),
        ("highest(nobody[*])", math.nan),
        ("runs + nobody", math.nan),
    ],
)
def test_expressions(expression, value):
    assert value_of(evaluate(expression, QUANTITIES)) == pytest.approx(value, nan_ok=True)


def test_estimates_are_computed_with_in_every_resample():
    a, b = QUANTITIES["a"], QUANTITIES["b"]
    for expression, literal in (
        ("(a - b) / b", ratio(difference(a, b), b)),
        ("highest(of[*, 1])", highest([QUANTITIES["of[x, 1]"], QUANTITIES["of[y, 1]"]])),
    ):
        mine = evaluate(expression, QUANTITIES)
        assert isinstance(mine, Estimate) and isinstance(literal, Estimate)
        assert mine.interval == literal.interval and mine.influential == literal.influential


def claim(*holds, **fields):
    document = {
        "name": "x",
        "section": "1",
        "claim": "c of {whom}",
        "computed": "d",
        "holds": list(holds),
        **fields,
    }
    return validated(Claim, document, "publication.yaml")


def comparisons(*holds, words=None, lists=QUANTITIES):
    finding = claim(*holds).finding(QUANTITIES, {"whom": "all", **(words or {})}, lists)
    return [
        (c.what, value_of(c.left), c.relation, value_of(c.right), c.by_construction, c.n)
        for c in finding.comparisons
    ]


def test_inequalities_have_words_relations_reasons_and_a_number_of_values():
    assert comparisons({"one": "runs ≥ 50", "other": "runs <= 60 - 4", "n": "runs"}) == [
        ("one", 56, "≥", 50, "", 56),
        ("other", 56, "≤", 56, "", 56),
    ]
    assert comparisons(
        {
            "x": "runs > 1",
            "by_construction": "A theorem.",
            "by_construction_if": {"runs": "Set.", "nobody": "Never."},
        }
    ) == [("x", 56, ">", 1, "A theorem. Set.", 0)]


def test_the_text_of_a_claim_states_numbers_of_the_campaign():
    words = {"computed": "from {least} to {most} % of {whom}, {unknown}"}
    stated = {"least": "100 * lowest(of[*, 1])", "most": "runs / 10", "unknown": "highest(nobody[*])"}
    one = claim({"a": "runs > 1"}, **words, stated=stated)
    assert (
        one.finding({"of[x, 1]": 0.0853, "runs": 56}, {"whom": "all"}, {}).computed
        == "from 8.5 to 5.6 % of all, –"
    )


def test_loops_are_over_lists_pairs_words_and_keys():
    loop = {"for": {"q": ["strict", "generalised"]}, "{q} of {whom}": "gain[INEX 2003o, {q}] < 1"}
    assert [row[:2] for row in comparisons(loop)] == [("strict of all", 0.5), ("generalised of all", 2.0)]
    pairs = {"for": {"a, b": [["x", 1], ["y", 2]], "q": ["strict"]}, "{a}{b}": "of[{a}, {b}] > 0"}
    assert [row[0] for row in comparisons(pairs)] == ["x1", "y2"]
    of_words = {"for": {"k": "cutoffs"}, "{k}": "of[x, {k}] > 0"}
    assert [row[0] for row in comparisons(of_words, words={"cutoffs": [1, 2]})] == ["1", "2"]
    of_keys = {"for": {"a, k": "of"}, "{a}{k}": "of[{a}, {k}] > 0"}
    assert [row[0] for row in comparisons(of_keys)] == ["x1", "y1", "y2"]
    assert comparisons(of_keys, lists={}) == []


def test_thresholds_are_listed_with_their_origin():
    ours = {"ours": "Half.", "excludes": 0.25, "because": "a quarter"}
    parsed_claim = claim(
        {"a": "of[x, 1] > 0", "b": "of[x, 2] ≥ 0.5", "c": "runs < of[{k}] / 10"} | ours,
        {"a": "of[x, 1] - 1 > of[y, 2] - 1", "b": "5 ≤ runs", "theirs": "Section 2"},
        {"a": "runs > 2", "by_construction": "So it is."},
    )
    expected = [
        ("≥ 0.5", "ours: Half.", "a quarter"),
        ("< of[{k}] / 10", "ours: Half.", "a quarter"),
        ("≤ runs", "the paper: Section 2", ""),
    ]
    assert parsed_claim.thresholds == expected


def test_every_threshold_of_every_publication_has_its_origin():
    unsaid = [
        (name, each.name, bound)
        for name in NAMES
        for each in load(name).declared.findings
        for bound, owner, _ in each.thresholds
        if not owner
    ]
    assert unsaid == []


@pytest.mark.parametrize(
    "text",
    [
        "runs",
        "runs > 1 > 0",
        "runs == 1",
        "of[*] > 1",
        "f(runs) > 1",
        "runs ** 2 > 1",
        "runs > '1'",
        "a b > 1",
        "x.y > 1",
    ],
)
def test_a_text_that_is_no_inequality_is_refused_when_it_is_read(text):
    with pytest.raises(
        InputError, match=r"publication.yaml, holds.1.holds.a: .*; expected an inequality of quantities"
    ):
        claim({"a": text})


def test_unknown_keys_and_words_are_refused(tmp_path):
    with pytest.raises(
        InputError,
        match="the key 'hold' is unknown.*name, section, claim, computed, not_testable_if, decided_by, stated, holds",
    ):
        claim({"a": "runs > 1"}, hold=[])
    with pytest.raises(ValueError, match="no word 'level' for the text: an interval of {level}"):
        filled("an interval of {level}", {})
    path = tmp_path / "publication.yaml"
    path.write_text("title: T\ncampaign: C\nintroduction: I\nfindings: []\ntabels: []\n")
    with pytest.raises(InputError, match="publication.yaml: the key 'tabels' is unknown") as refused:
        read_declaration(path)
    assert "findings: the value is []; expected a list of claims, at least one" in str(refused.value)
    path.write_text(
        "title: T\ncampaign: C\nintroduction: I\nfindings: []\nafter_findings: [{figure: a, title: A}]\n"
    )
    with pytest.raises(
        InputError, match="expected one of dots, scatter, curves, heat_map, slopes, drawn for a figure"
    ):
        read_declaration(path)


@pytest.mark.parametrize("name", NAMES)
def test_no_key_of_a_declaration_is_repeated(name):
    """The fast parser that reads them takes the last of repeated keys."""
    read_yaml(ROOT / f"src/focuseval_papers/{name}/publication.yaml")
