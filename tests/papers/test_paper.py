"""Rules for the declaration of every paper, on every shipped campaign that suits it."""

from pathlib import Path

import pandas as pd
import pytest

from focuseval.report.parts import Figure, Table, files_of
from focuseval_papers.publication.claims import (
    BY_CONSTRUCTION,
    HOLDS,
    NOT_TESTABLE,
    fits,
)
from focuseval_papers.publication.kinds import drawings, make_examples
from focuseval_papers.publication.paper import NAMES, Context, load
from focuseval_papers.publication.requests import why_not
from tests.papers import materials
from tests.papers.test_requests import CAMPAIGNS
from tests.report.test_sections import section_text
from tests.snapshots import check

PAPERS = {name: load(name) for name in NAMES}
SUITED = [(p, c) for p in NAMES for c in sorted(CAMPAIGNS) if not why_not(PAPERS[p], CAMPAIGNS[c])]


def context_of(paper, campaign):
    one = CAMPAIGNS[campaign]
    return Context(one, PAPERS[paper].settings(), CAMPAIGNS[one.earlier] if one.earlier else None)


@pytest.mark.parametrize(("paper", "campaign"), SUITED)
def test_declarations_are_complete(paper, campaign):
    assert PAPERS[paper].name == paper
    materials.check_declaration(PAPERS[paper], drawings(paper), context_of(paper, campaign))


@pytest.mark.parametrize(
    ("campaign", "paper"), [("trec-genomics-2007", "genomics2007"), ("acl-verbatim", "recski2026")]
)
def test_campaigns_that_are_a_papers_own_suit_no_other(campaign, paper):
    unnamed = CAMPAIGNS[campaign].model_copy(update={"papers": None})
    assert [name for name in NAMES if not why_not(PAPERS[name], unnamed, passages="its runs")] == [paper]


def test_every_paper_has_campaigns_that_suit_and_others():
    assert {paper for paper, _ in SUITED} == set(NAMES)
    unsuited = {p for p in NAMES for campaign in CAMPAIGNS.values() if why_not(PAPERS[p], campaign)}
    assert unsuited == set(NAMES)


@pytest.mark.parametrize("paper", [name for name in NAMES if PAPERS[name].examples])
def test_worked_examples_are_complete_and_as_they_were(paper, tmp_path):
    """Tables, figures, and the section of them."""
    declared = PAPERS[paper].declared
    assert declared.examples.introduction
    materials.check_items(PAPERS[paper].examples, drawings(paper), *PAPERS[paper].texts)
    frames = PAPERS[paper].worked(declared)
    materials.check_golden(f"{paper}-examples", frames, {})
    section = make_examples(PAPERS[paper], tmp_path)
    items = PAPERS[paper].examples
    files = [*files_of(items, Table), *files_of(items, Figure), *PAPERS[paper].texts]
    assert {path.name for path in tmp_path.iterdir()} == {*files}
    for name, text in PAPERS[paper].texts.items():
        assert (tmp_path / name).read_text(encoding="utf-8") == text
    figures = materials.figures_text(PAPERS[paper], items, frames, None)
    check(section_text(section) + figures, materials.golden(f"{paper}-examples") / "section.txt")


def test_verdicts_on_the_printed_numbers_are_as_they_were():
    rows = []
    for name, paper in PAPERS.items():
        tables = materials.printed(*paper.declared.printed)
        rows += [(name, finding.name, finding.verdict) for finding in paper.claims(tables)]
        if paper.declared.numbered:
            nothing = paper.claims({file: table.iloc[:0] for file, table in tables.items()})
            assert {finding.verdict for finding in nothing} <= {NOT_TESTABLE, BY_CONSTRUCTION}, name
    materials.check_golden(
        "printed", {"verdicts": pd.DataFrame(rows, columns=["publication", "claim", "verdict"])}, {}
    )


#: without a finding: a number beside the printed ones, and which quantities have it; else the verdict on all these
#: numbers, one that is changed, and the verdict then
CASES = pd.read_csv(
    Path(__file__).with_name("findings.csv"), keep_default_na=False, converters={"value": float}
)


@pytest.mark.parametrize("paper", NAMES)
def test_every_finding_can_be_confirmed_and_can_fail(paper):
    """Also with numbers just on the wrong side; a comparison that cannot fail must say so."""
    campaign = next(campaign for name, campaign in SUITED if name == paper)
    claims, words = PAPERS[paper].declared.findings, PAPERS[paper].words_of(context_of(paper, campaign))
    printed = dict(PAPERS[paper].in_print(materials.printed(*PAPERS[paper].declared.printed)))
    quantities = materials.TrackedQuantities({})
    for claim in claims:
        claim.finding(quantities, words, printed)
    cases = CASES[CASES["publication"] == paper]
    numbers, cases = cases[cases["finding"] == ""], cases[cases["finding"] != ""]
    names = quantities.missing | {name for name in numbers["quantity"] if "*" not in name}
    for pattern, value in numbers[["quantity", "value"]].itertuples(index=False):
        printed |= {name: value for name in names if fits(pattern, name)}
    printed |= PAPERS[paper].cases
    assert set(cases["finding"]) == {claim.name for claim in claims}
    for claim in claims:
        for case in cases[cases["finding"] == claim.name].itertuples():
            assert case.quantity in printed
            holding = [verdict in (HOLDS, BY_CONSTRUCTION) for verdict in (case.verdict, case.contrary)]
            assert sorted(holding) == [False, True], "it can hold, and it can fail"
            findings = [
                claim.finding(printed | to, words, printed) for to in ({}, {case.quantity: case.value})
            ]
            assert [each.verdict for each in findings] == [case.verdict, case.contrary], case


@pytest.mark.parametrize("paper", NAMES)
def test_every_drawing_is_of_some_figure(paper):
    contexts = [context_of(paper, campaign) for name, campaign in SUITED if name == paper]
    items = [item for context in contexts for item in PAPERS[paper].items(context)]
    items += PAPERS[paper].examples
    figures = {item.drawn or item.name for item in items if isinstance(item, Figure)}
    assert set(drawings(paper)) == figures


def test_contexts_are_the_same_after_a_job_read_them():
    for paper, campaign in SUITED:
        context = context_of(paper, campaign)
        plain = context.as_dict()
        assert not {"significance", "papers"} & set(plain["campaign"])
        again = PAPERS[paper].context(plain)
        assert again.as_dict() == plain and again.settings == context.settings
        assert again.findings == context.findings
        assert PAPERS[paper].requests(again) == PAPERS[paper].requests(context)
