"""Verdicts in the report: every kind of comparison, and the head that links to them."""

import math
import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd

from focuseval.report.page import section
from focuseval_papers.publication.claims import BY_CONSTRUCTION, Finding, Inequality, findings_table
from focuseval_papers.publication.estimates import Sample, mean_of, pearson_of
from focuseval_papers.publication.report import write_report
from focuseval_papers.publication.section import claims_of, shown_findings
from tests.report.test_page import HOSTILE, Page
from tests.snapshots import check


def finding(name, left, claim="claim", times=1):
    return Finding(name, "4.1", claim, "computed", [Inequality("a | b", left, ">", 0.5)] * times)


def findings(*findings_drawn):
    return findings_table(findings_drawn, findings_drawn)


def every_verdict(anchor="s"):
    """Return a section with findings of every kind."""
    runs = Sample("runs", tuple(f"run{n}" for n in range(20)), "runs", 200, 1)
    x = np.arange(20.0)
    rises, mixed = (runs.estimate(pearson_of(x, y)) for y in (x, np.where(x % 5 > 1, x, 19 - x)))
    drawn = [Inequality("r", rises, ">", 0.5), Inequality("a | b", mixed, ">", 0.0, n=20)]
    drawn += [Inequality("b | c", rises, ">", mixed), Inequality("values", 1.0, ">", 0.0, n=1200)]
    some = [Inequality("a", x, ">", 0.5) for x in (1e-5, 1500.0, -0.25, math.nan)]
    computed = [
        finding("f", 0.75, "x < y"),
        finding("fails", 0.25),
        finding("unknown", math.nan),
        finding("folded", 0.75, times=4),
        finding("open", 0.25, times=4),
        finding("none testable", math.nan, times=4),
        Finding("some", "1", "c", "c", some),
        Finding(
            "p", "1", "c", "c", [Inequality("p at k = 10", 0.0, "<", 0.05), Inequality("share", 0.0, "<", 1)]
        ),
        Finding("drawn", "1", "c", "c", drawn),
        Finding(
            "theorem",
            "1",
            "c",
            "c",
            [replace(one, by_construction="A theorem.") for one in finding("f", 0.75).comparisons],
        ),
        Finding("in part", "1", "c", "c", [replace(some[1], by_construction="A theorem."), some[1]]),
        Finding("ours", "1", "c", "c", [Inequality("r", rises, "<", 0.5, ours="A half.")]),
        Finding(
            "open",
            "1",
            "c",
            "c",
            [replace(drawn[0], reading="gen"), replace(drawn[0], relation="<", reading="strict")],
        ),
    ]
    printed = [finding("f", math.nan), finding("fails", 0.625), *computed[2:]]
    return findings_section(findings_table(computed, printed), anchor)


def findings_section(table, anchor="s", campaign=""):
    """Return a section with these findings."""
    html = shown_findings(table, anchor, ["x/findings.csv"])
    about = {"group": "A paper", "label": anchor, "campaign": campaign}
    return section(anchor, f"On {anchor}", "First.", [html], claims=claims_of(table), **about)


def test_findings_of_every_kind_are_as_in_their_snapshot():
    check(every_verdict(), Path(__file__).parent / "snapshots" / "findings.html")


def report(folder, *sections, draws=None):
    """Return a report with these sections."""
    paths = [folder / f"{number}.html" for number in range(len(sections))]
    for path, text in zip(paths, sections, strict=True):
        path.write_text(text, encoding="utf-8")
    campaigns = {"": {}, "mine": {}, "made": {"concept_space": {"size": "tiny"}}}
    params = SimpleNamespace(views={}, unsuited={}, titles={"p": "A paper"}, campaigns=campaigns)
    write_report(folder / "report.html", list(map(str, paths)), params, {}, draws=draws)
    return (folder / "report.html").read_text(encoding="utf-8")


def three(anchor, campaign=""):
    return findings_section(
        findings(finding("f", 0.75), finding("g", 0.25), finding("h", 0.75)), anchor, campaign
    )


def test_the_head_has_a_row_for_each_claim_which_leads_to_it(tmp_path):
    text = report(tmp_path, three("one"), section("two", "Two", "", []), three("three"))
    rows = re.findall(r"<li>\s*<span class=\"mark(.*?)</li>", text, re.DOTALL)
    anchors = [f"{name}:findings:{claim}" for name in ("one", "three") for claim in "fgh"]
    assert [re.findall('href="#([^"]*)"', row) for row in rows] == [[anchor] for anchor in anchors]
    assert ["contradicted" in row for row in rows] == [False, True, False] * 2
    assert [int(n) for n in re.findall(r"</span> <b>(\d+)</b> [A-Z][^<]*\.</li>", text)] == [
        4,
        2,
        0,
        0,
        0,
        0,
        0,
    ]
    assert "Bonferroni" in text
    assert "<p>On these data 4 of 6 claims hold (2 contradicted).</p>" in text
    assert "by the same rules: 4 holds, 2 contradicted." in text
    assert text.count('<i class="holds">') == 4 and text.count('<i class="contradicted">') == 2
    read = Page(text)
    assert {link[1:] for link in read.values("href") if link[0] == "#"} <= set(read.values("id"))


def test_synthetic_campaigns_and_printed_numbers_inside_intervals_are_reported_first(tmp_path):
    assert "synthetic" not in report(tmp_path, three("a", "mine"))
    text = report(tmp_path, three("a", "mine"), three("b", "made"))
    assert re.search("<p>On generated data and others 4 of 6 .*</p>\\s*<p>Synthetic campaigns: made", text)
    assert "Verdicts rest on one draw of each" in text and "Draws:" not in text
    drawn = [replace(finding("f", 0.75), drawn=["holds"] * 8 + ["undecided"] * 2)]
    text = report(tmp_path, findings_section(findings_table(drawn, drawn), "b", "made"))
    assert "Verdicts are counted over draws" in text and "one draw of each" not in text
    assert "Draws: holds 8, undecided 2 of 10, here holds." in text
    assert "<b>Draws from other seeds:</b> holds 8, undecided 2 of 10, here holds." in text
    rows = [("p", "made", True), ("p", "made", False), ("ali2008", "x", True)]
    pd.DataFrame(rows, columns=["publication", "campaign", "inside"]).to_parquet(tmp_path / "draws.parquet")
    text = report(tmp_path, three("p-made", "made"), draws=tmp_path / "draws.parquet")
    assert "On generated data 2 of 3 claims hold (1 contradicted); 2 of 3 printed numbers lie in our" in text
    assert ">1 of 2 printed numbers in our intervals<" in text


def test_no_false_inequality_is_printed():
    """Both sides, their difference with its interval, the claim and the verdict agree."""
    topics = Sample("topics", tuple("abcdefgh"), "topics", 200, 1)
    low, high = (topics.estimate(mean_of(np.arange(8) + more)) for more in (0.0, 20 + np.arange(8)))
    computed = Finding(
        "f", "1", "c", "c", [Inequality("a | b", 106.0, ">", 113.0), Inequality("c", low, ">", high)]
    )
    printed = Finding(
        "f", "1", "c", "c", [Inequality("a | b", 0.8244, ">", 0.7963), Inequality("c", 1, ">", 2)]
    )
    text = findings_section(findings_table([computed], [printed]))
    rows = [
        [unescape(re.sub("<[^>]*>", "", cell)).strip() for cell in re.findall("<td.*?</td>", row, re.DOTALL)]
        for row in re.findall("<tr>(.*?)</tr>", text, re.DOTALL)[1:]
    ]
    assert rows[0] == ["a | b", "here", "106", "113", "−7", "A > B", "✗ contradicted", ""]
    assert rows[1] == ["", "printed", "0.8244", "0.7963", "0.0281", "A > B", "✓ holds", ""]
    assert rows[2][:4] == ["c", "here", "3.5000", "27"] and rows[2][4].startswith("−23.5000 [−2")
    assert re.findall("[0-9] (?:>|<|≥|≤|&gt;|&lt;) [−0-9]", text) == []
    [[what, numbers, _]] = claims_of(findings_table([computed], [printed]))[0]["shown"]
    assert (what, numbers) == ("a | b", "−7.0 · bound > 0 · paper 0.03")


def test_a_claim_has_its_number_with_the_interval_the_bound_and_the_printed_number():
    topics = Sample("topics", tuple("abcdefgh"), "topics", 200, 1)
    number, other = (topics.estimate(mean_of(np.arange(8) / 100 + more)) for more in (0.9, 0.5))

    def numbers(left, relation, right, printed, printed_right):
        one, two = (
            Finding("f", "1", "c", "c", [Inequality("a", *sides)])
            for sides in ((left, relation, right), (printed, relation, printed_right))
        )
        return str(claims_of(findings_table([one], [two]))[0]["shown"][0][1])

    low, high = number.interval
    assert (
        numbers(number, ">", 0.9, 0.92, 0.9) == f"0.935 [{low:.3f}, {high:.3f}] · bound > 0.9 · paper 0.920"
    )
    assert re.fullmatch(
        r"0\.40+ \[0\.40+, 0\.40+\] · bound > 0 · paper 0.42+0*", numbers(number, ">", other, 0.92, 0.5)
    )
    assert numbers(0.25, "≤", 0.05, math.nan, 0.05) == "0.25 · bound ≤ 0.05"
    assert numbers(0.25, ">", math.nan, math.nan, math.nan) == "0.25 · bound > –"
    assert numbers(1e-9, "<", 0.05, math.nan, 0.05) == "1e−09 · bound < 0.05"


def test_a_p_value_below_the_smallest_float_is_not_printed_as_0():
    one, other = (
        Finding("p", "1", "c", "c", [Inequality("p at k = 10", p, "<", 1e-29)]) for p in (0.0, 8e-33)
    )
    table = findings_table([one], [other])
    assert "<td>&lt; 1e−300</td>" in findings_section(table) and "<td>8e−33</td>" in findings_section(table)
    assert claims_of(table)[0]["shown"][0][1] == "< 1e−300 · bound < 1e−29 · paper 8e−33"


def drawn(left, relation, right, printed=math.nan):
    """Return the positions at which the numbers of a comparison are drawn."""
    one, other = (
        Finding("f", "1", "c", "c", [Inequality("a", number, relation, right)]) for number in (left, printed)
    )
    marks = claims_of(findings_table([one], [other]))[0]["shown"][0][2]
    return marks


def test_the_claimed_side_is_drawn_to_the_right_of_the_bound():
    assert drawn(0.75, ">", 0.5) == drawn(0.25, "<", 0.5) == {"here": [1, 1, 1]}
    assert drawn(0.25, ">", 0.5, 1.0) == {"here": [-0.5] * 3, "printed": [1] * 3}
    assert drawn(0.25, "≤", 0.5, 1.0) == {"here": [0.5] * 3, "printed": [-1] * 3}
    topics = Sample("topics", tuple("abcdefgh"), "topics", 200, 1)
    low, high = (topics.estimate(mean_of(np.arange(8) + more)) for more in (0.0, 20 + np.arange(8)))
    for left, relation, right in ((low, "<", 30.0), (high, ">", low), (low, ">", 30.0)):
        middle, worse, better = drawn(left, relation, right)["here"]
        assert worse < middle < better and (worse > 0) == (right != 30.0 or relation == "<")
        assert max(map(abs, (worse, better))) == 1


def test_the_closest_deciding_comparison_of_a_claim_is_shown():
    topics = Sample("topics", tuple("abcdefgh"), "topics", 200, 1)
    far, near = (topics.estimate(mean_of(np.arange(8) + more)) for more in (30.0, 10.0))
    comparisons = [Inequality("far", far, ">", 0.0), Inequality("near", near, ">", 0.0)]
    for added, description in ((), "near"), ((Inequality("beyond", near, ">", 50.0),), "beyond"):
        one = Finding("f", "1", "c", "c", [*comparisons, *added])
        assert claims_of(findings_table([one], [one]))[0]["shown"][0][0] == description
    nothing = Finding("f", "1", "c", "c", [])
    assert claims_of(findings_table([nothing], [nothing]))[0]["shown"] == []


def test_a_claim_that_flips_is_undecided_and_shows_its_comparison():
    flips = [replace(finding("f", 0.75), drawn=["holds"] * 9 + ["contradicted"])]
    [claim] = claims_of(findings_table(flips, flips))
    assert claim["verdict"] == "undecided" and claim["draws"] == "holds 9, contradicted 1 of 10"
    assert claim["shown"][0][1] == "0.75 · bound > 0.5 · paper 0.75"


def test_verdicts_begin_the_report_or_follow_own_systems(tmp_path):
    own = section("systems-mine", "Systems on mine", "", [], campaign="mine", heading="My systems")
    compared = section("significance-mine", "Significance", "", [], campaign="mine")
    examples = section("p-examples", "Worked examples", "", [], group="A paper")
    papers = [examples, three("p-mine", "mine"), three("p-made", "made")]
    for sections, first in (([own, compared, *papers], 2), ([compared, *papers], 0)):
        text = report(tmp_path, *sections)
        order = re.findall('<(?:section|div) id="([^"]*)"', text)
        names = [each.split('"anchor": "')[1].split('"')[0] for each in sections]
        assert order == [*names[:first], "verdicts", *names[first:]]


def test_no_text_of_findings_becomes_markup(tmp_path):
    table = findings(Finding(HOSTILE, HOSTILE, HOSTILE, HOSTILE, [Inequality(HOSTILE, 0.25, ">", 0.5)] * 5))
    theorem = findings(Finding("given", HOSTILE, HOSTILE, HOSTILE, [Inequality(HOSTILE, 1.0, ">", 0.5)]))
    theorem["verdict"], theorem["reason"] = BY_CONSTRUCTION, HOSTILE
    text = report(tmp_path, findings_section(pd.concat([table, theorem]), HOSTILE))
    assert "<script" not in text and "alert(&#39;x&#39;)" in text
    assert "script" not in {tag for tag, _ in Page(text).elements}
