"""Incomplete reports: failures are first, and missing papers are named."""

from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest

from focuseval.report.page import section, shown_table
from focuseval_papers.publication.report import not_computed, write_report
from tests.report.test_sections import section_text
from tests.snapshots import check

FAILED = [
    ("mine", "campaign", "run.txt, line 2: <no> number\nrun.txt, line 3: no name"),
    ("other", "view", "killed"),
]


@pytest.fixture
def parts(tmp_path):
    """A section in a file, and one in a folder."""
    table = shown_table("t", "A table", "", pd.DataFrame({"a": [1]}), {})
    (tmp_path / "audit").mkdir()
    for place, name in ((tmp_path / "one.html", "one"), (tmp_path / "audit/section.html", "two")):
        place.write_text(section(name, f"Section {name}", "", [table]), encoding="utf-8")
    return [str(tmp_path / "one.html"), str(tmp_path / "audit")]


def written(parts, **how):
    path = Path(parts[0]).with_name("report.html")
    views = {"mine/view.html": "Mine", "other/view.html": "Other"}
    campaigns = {"mine": {"title": "Garden"}, "other": {}}
    write_report(
        path, parts, SimpleNamespace(views=views, unsuited={}, titles={}, campaigns=campaigns), {}, **how
    )
    return path.read_text(encoding="utf-8")


def test_all_sections_are_on_the_page(parts):
    text = written(parts)
    assert text.index("Section one") < text.index("Section two") and "Failures and their reasons" not in text
    assert '<a href="mine/view.html">' in text and '<a href="other/view.html">' in text


def test_failures_are_first_and_missing_papers_are_named(parts):
    left = {parts[1], str(Path(parts[0]).with_name("other") / "view.html")}
    text = written(parts, failed=FAILED, left=left)
    assert text.index("Failures and their reasons") < text.index("Section one") and "Section two" not in text
    assert "run.txt, line 2: &lt;no&gt; number" in text and "run.txt, line 3: no name" in text
    assert "Missing on this page: audit." in text
    assert "<title>Garden · other</title>" in text and "provenance.json" not in text
    assert '<a href="mine/view.html">' in text and '<a href="other/view.html">' not in text


SAME_REASON = {"mine": {"p": "<few> runs", "q": "no", "r": "<few> runs"}, "other": {"p": "<few> runs"}}


@pytest.mark.parametrize(
    ("name", "section"),
    [
        ("not-computed", not_computed(SAME_REASON, {"p": "A paper", "r": "Another"})),
        ("not-computed-much", not_computed({f"c{n}": {"p": "why"} for n in range(6)}, {})),
    ],
)
def test_papers_that_are_not_computed_are_listed_with_reasons(name, section):
    check(section_text(section), Path(__file__).parent / "snapshots" / f"{name}.txt")


def test_complete_reports_list_no_reasons():
    assert not_computed({"mine": {}}, {}) == ""
