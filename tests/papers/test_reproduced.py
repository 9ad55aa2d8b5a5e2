"""Every numbered item of the five papers is listed, with existing code and tests, on docs/reproduced.md."""

import re
from functools import cache
from importlib import import_module
from runpy import run_path

import pandas as pd
import pytest

from focuseval.report.parts import Absent
from focuseval_papers.publication.claims import (
    BEYOND,
    CONTRADICTED,
    DEPENDS,
    HOLDS,
    NOT_TESTABLE,
    NOT_TRUE,
    UNDECIDED,
)
from focuseval_papers.publication.declaration import Numbered
from focuseval_papers.publication.paper import NAMES, load
from focuseval_papers.publication.section import MARKS, ON_PRINT
from tests.papers.materials import ROOT, printed
from tests.papers.test_paper import SUITED, context_of

DOCS = run_path(str(ROOT / "docs/write.py"))
VERDICTS = pd.read_csv(ROOT / "docs/verdicts.csv", keep_default_na=False)
LISTED = [name for name in NAMES if load(name).declared.numbered]

#: the numbers of numbered equations, figures and tables of each paper, and its other items
COUNTS = {
    "goevert2006": {"Eq.": 19, "Figure": 11, "Table": 5},
    "kazai2005": {"Eq.": 14, "Figure": 1, "Table": 2},
    "piwowarski2006": {"Eq.": 7, "Figure": 4, "Table": 1},
    "kamps2007": {"Table": 2},
    "ali2008": {"Eq.": 9, "Figure": 6, "Table": 3},
}
UNNUMBERED = {
    "piwowarski2006": {"Hypothesis 3.1"},
    "ali2008": {
        "Definition 3.1-3.3", "Definition 4.1", "Theorem 4.3",
        "Example 4.2", "Example 4.4", "Example 5.1", "Example 6.1",
    },
}  # fmt: skip


def items_of(paper):
    return tuple(load(paper).declared.numbered)


@pytest.mark.parametrize("paper", LISTED)
def test_every_numbered_item_is_listed_once(paper):
    numbers_of_kind = {}
    for kind, text in (item.item.split(maxsplit=1) for item in items_of(paper)):
        if kind in ("Eq.", "Figure", "Table"):
            first, _, last = text.partition("-")
            numbers_of_kind.setdefault(kind, []).extend(range(int(first), int(last or first) + 1))
    expected = {kind: list(range(1, count + 1)) for kind, count in COUNTS[paper].items()}
    assert {kind: sorted(numbers) for kind, numbers in numbers_of_kind.items()} == expected
    assert UNNUMBERED.get(paper, set()) <= {item.item for item in items_of(paper)}


@cache
def item_names(paper):
    """Return the names of all tables and figures of a paper's sections, and of ``campaign``, which all have."""
    names = {"campaign"}
    for campaign in (campaign for name, campaign in SUITED if name == paper):
        names |= {i.name for i in load(paper).items(context_of(paper, campaign)) if not isinstance(i, Absent)}
    return names | {item.name for item in load(paper).examples}


@pytest.mark.parametrize("paper", LISTED)
def test_listed_code_items_and_tests_exist(paper):
    for item in items_of(paper):
        assert item.what and (item.code or item.shown or item.tests or item.note), item.item
        for code in item.code:
            module, _, name = code.partition(":")
            loaded = import_module(DOCS["module_named"](module))
            assert not name or hasattr(loaded, name), code
        assert set(item.shown) <= item_names(paper), item.item
        for test in item.tests:
            path, _, name = test.partition("::")
            assert re.search(rf"^def {name}\(", (ROOT / "tests" / path).read_text(), re.MULTILINE), test


def test_links_of_the_page_lead_somewhere():
    text = (ROOT / "docs/reproduced.md").read_text(encoding="utf-8")
    for link in set(re.findall(r"\]\((?!https:)([^)#]+)(?:#[^)]*)?\)", text)):
        assert (ROOT / "docs" / link).exists(), link


def test_the_row_of_an_item_has_links():
    paper = load("goevert2006")
    item = Numbered(
        item="Table 9",
        what="x",
        code=["measures.quantisation:quantised"],
        shown=["table1"],
        tests=["papers/t.py::test_a"],
        note="why",
    )
    assert DOCS["item_row"](item, paper) == (
        "Table 9",
        "x",
        "[`measures.quantisation.quantised`](../src/focuseval/measures/quantisation.py)",
        "`table1`",
        "[`test_a`](../tests/papers/t.py)",
        "why",
    )
    example = Numbered(item="Figure 9", what="x", shown=["figure4"])
    assert DOCS["item_row"](example, paper)[3] == "`figure4` (example)"


@pytest.mark.parametrize("paper", LISTED)
def test_findings_are_listed_with_their_verdicts_on_printed_numbers(paper):
    """A formalisation that the paper's own numbers contradict would be wrong."""
    tables = printed(*load(paper).declared.printed)
    verdicts = {finding.verdict for finding in load(paper).claims(tables)}
    assert not verdicts & {CONTRADICTED, NOT_TRUE}
    text = DOCS["section"](load(paper), VERDICTS)
    assert all(f"| {ON_PRINT[verdict]} |" in text for verdict in verdicts)


def test_every_claim_has_a_verdict_on_the_default_campaigns_and_none_is_unknown():
    claims = [(name, claim.name) for name in LISTED for claim in load(name).declared.findings]
    default = VERDICTS[VERDICTS["configuration"] == "default"]
    assert sorted(zip(default["publication"], default["finding"], strict=True)) == sorted(claims)
    assert set(zip(VERDICTS["publication"], VERDICTS["finding"], strict=True)) <= set(claims)
    assert set(VERDICTS["verdict"]) <= set(MARKS)
    waiting = VERDICTS[VERDICTS["needed"] != ""]
    assert set(waiting["verdict"]) <= {UNDECIDED}


def test_verdicts_of_computed_campaigns_take_the_place_of_theirs(tmp_path):
    paper = tmp_path / "concept-space/goevert2006"
    paper.mkdir(parents=True)
    changed = {"verdict": UNDECIDED, "here": HOLDS, "draws": "holds 9, contradicted 1 of 10", "needed": ""}
    first, *_ = load("goevert2006").declared.findings
    table = pd.DataFrame([{"finding": first.name, **changed}] * 2)  # one row for each comparison
    table.to_csv(paper / "findings.csv", index=False)
    (tmp_path / "verdicts.csv").write_text(DOCS["verdicts_of"](tmp_path), encoding="utf-8")
    new = pd.read_csv(tmp_path / "verdicts.csv", keep_default_na=False)
    keys = ["campaign", "publication", "finding"]
    different = new.merge(VERDICTS, on=keys, suffixes=("", "_before"))
    assert len(new) == len(VERDICTS) == len(different)
    changed_row = (different["finding"] == first.name) & (different["campaign"] == "concept-space")
    [row] = different[changed_row].to_dict("records")
    assert (row["verdict"], row["draws"]) == (HOLDS, "undecided: holds 9, contradicted 1 of 10")
    unchanged = different[~changed_row]
    assert (unchanged["verdict"] == unchanged["verdict_before"]).all()
    assert new["configuration"].tolist() == sorted(
        new["configuration"], key=list(DOCS["CONFIGURATIONS"]).index
    )
    text = DOCS["section"](load("goevert2006"), new)
    assert "| undecided (holds 9, contradicted 1) |" in text


@pytest.mark.parametrize(
    ("verdicts", "together"),
    [
        ([UNDECIDED, HOLDS], HOLDS),
        ([HOLDS, UNDECIDED], HOLDS),
        ([UNDECIDED], UNDECIDED),
        ([UNDECIDED, NOT_TESTABLE], UNDECIDED),
        ([DEPENDS, NOT_TESTABLE], DEPENDS),
        ([NOT_TESTABLE, NOT_TESTABLE], NOT_TESTABLE),
        ([BEYOND, CONTRADICTED], CONTRADICTED),
        ([CONTRADICTED, HOLDS], UNDECIDED),
    ],
)
def test_campaigns_that_decide_give_the_verdict_together(verdicts, together):
    assert DOCS["decided"](verdicts) == together


def test_the_page_counts_verdicts_and_names_what_would_decide():
    columns = ["configuration", "publication", "finding", "verdict", "draws", "needed"]
    rows = [
        ("default", "kamps2007", "a", UNDECIDED, "holds: holds 9 of 10", "about 41 runs"),
        ("default", "kamps2007", "b", UNDECIDED, "", "about 50 runs"),
        ("default", "kamps2007", "c", HOLDS, "", ""),
        ("deciding", "kamps2007", "a", HOLDS, "", ""),
        ("deciding", "kamps2007", "c", CONTRADICTED, "", ""),
    ]
    table = pd.DataFrame(rows, columns=columns)
    counts = {
        cells[1]: [int(cell) for cell in cells[2:6]]
        for line in DOCS["counts_of_verdicts"](table).splitlines()
        if (cells := [cell.strip() for cell in line.split("|")])[1:] and cells[2:3][0].isdigit()
    }
    assert counts == {
        "default": [3, 1, 0, 2],
        "deciding": [2, 1, 1, 0],
        "default, over draws": [1, 1, 0, 0],
        "default and deciding together": [3, 1, 0, 2],
    }
    text = DOCS["undecided_claims"](table)
    assert "about 50 runs" in text and "about 41 runs" not in text and "contradict each other" in text
