import base64
import hashlib
import html
import itertools
import json
import math
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from focuseval.campaign.provenance import checksum, stamp, versions
from focuseval.report.left_out import for_people
from focuseval.report.page import (
    Absent,
    Shown,
    ShownFigure,
    ShownFindings,
    ShownLeftOut,
    ShownTable,
    not_computed,
    page,
    read_section,
    section,
)
from focuseval.statistics.estimates import Sample
from focuseval.statistics.findings import (
    BY_CONSTRUCTION,
    CONFIRMED,
    NOT_CONFIRMED,
    NOT_TESTABLE,
    Comparison,
    Finding,
    findings_table,
    given,
)
from focuseval.statistics.weighted import pearson_of

HOSTILE = "</details></script><script>alert('x')</script>\"&--><!--{}"


def finding(name: str, left: float, claim: str = "claim", times: int = 1) -> Finding:
    return Finding(name, "4.1", claim, "computed", [Comparison("a | b", left, ">", 0.5)] * times)


def findings(*found: Finding) -> pd.DataFrame:
    return findings_table(found, found)


def lost(*rows: tuple) -> pd.DataFrame:
    rows = rows or (("long", "repeated", "run2", 5, ""), ("long", "repeated", "run1", 1200, ""))
    return pd.DataFrame(rows, columns=["runs", "kind", "of", "number", "which"])


def campaign(anchor: str, *items: Shown) -> str:
    standard = [
        ShownFindings(
            findings(finding("f", 0.75), finding("g", 0.25), finding("h", 0.75)), ["x/findings.csv"]
        ),
        ShownTable("table1", "Table 1. Runs", "About.", pd.DataFrame({"run": ["a"]}), {}, ["x/table1.csv"]),
        ShownFigure("figure1", "Figure 1. Curves", "About.", b"<svg/>", ["x/figure1.svg"]),
        Absent("Figure 2. Points", "there are none."),
        ShownLeftOut(lost()),
    ]
    return section(
        anchor, f"A paper on {anchor}", "About.", [*standard, *items], group="A paper", label=anchor
    )


class Page(HTMLParser):
    """The elements of a page, and whether they nest."""

    VOID = ("meta", "img", "link", "br")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def values(self, attribute: str) -> list[str]:
        return [str(attrs[attribute]) for _, attrs in self.elements if attribute in attrs]


def test_findings_show_verdict_numbers_and_print() -> None:
    here = [finding("f", 0.75, "x < y"), finding("g", 0.25), finding("h", math.nan)]
    there = [finding("f", math.nan), finding("g", 0.625), finding("h", math.nan)]
    text = section("s", "S", "", [ShownFindings(findings_table(here, there))])
    assert "1 confirmed, 1 not confirmed, 1 not testable here" in text
    assert "x &lt; y" in text
    none = '<td class="note"></td>'
    assert f"<td>0.7500 &gt; 0.5000</td>{none}<td>–</td>" in text
    assert f'<td class="fails">✗ 0.2500 &gt; 0.5000 is false</td>{none}<td>0.6250 &gt; 0.5000</td>' in text
    assert f"<td>–</td>{none}<td>–</td>" in text
    assert "<details" not in text


def test_many_comparisons_are_folded_unless_one_fails() -> None:
    text = section("s", "S", "", [ShownFindings(findings(finding("f", 0.75, times=4)))])
    assert "<details><summary>holds in 4 of 4 comparisons</summary>" in text
    text = section("s", "S", "", [ShownFindings(findings(finding("f", 0.25, times=4)))])
    assert "<details open><summary>holds in 0 of 4 comparisons</summary>" in text


def test_what_is_not_known_is_not_counted_as_failing() -> None:
    text = section("s", "S", "", [ShownFindings(findings(finding("f", math.nan, times=4)))])
    assert "4 comparisons, none testable" in text
    part = Finding("f", "1", "c", "c", [Comparison("a", x, ">", 0.5) for x in (1, 1, 1, math.nan)])
    text = section("s", "S", "", [ShownFindings(findings(part))])
    assert "holds in 3 of 4 comparisons, 1 not testable" in text


def test_what_is_not_computed_is_told_with_the_reason() -> None:
    told = not_computed({"mine": {"p": "it <needs> more"}, "other": {}}, {"p": "A paper"})
    assert (
        '<td class="short">A paper</td>' in told
        and "it &lt;needs&gt; more" in told
        and "<td>other" not in told
    )
    assert read_section(told).anchor == "not-computed"
    assert not_computed({"mine": {}}, {}) == ""


def test_papers_with_one_reason_stand_in_one_line() -> None:
    unsuited = {"mine": {"p": "few runs", "q": "no elements", "r": "few runs"}, "other": {"p": "few runs"}}
    told = not_computed(unsuited, {"p": "A paper", "r": "Another"})
    assert "<td>A paper; Another</td>" in told.replace(' class="short"', "")
    assert told.count("few runs") == 2 and "<summary>" not in told
    assert "<summary>6 of them" in not_computed({f"c{n}": {"p": "why"} for n in range(6)}, {})


def test_short_texts_are_not_broken_and_long_ones_have_a_width() -> None:
    table = pd.DataFrame({"run": ["a b", "nested-chunks"], "rank": [1, 2], "by": ["", "q13"]})
    html = section("s", "S", "", [ShownTable("t", "T", "", table, {})])
    assert '<tr><td>a b</td><td class="number">1</td><td class="short"></td></tr>' in html
    assert ">run</th>" in section("s", "S", "", [ShownTable("t", "T", "", table[:0], {})])


def test_what_holds_by_construction_is_counted_apart_with_its_reason() -> None:
    theorem = Finding("f", "1", "c", "c", given("A theorem.", finding("f", 0.75).comparisons))
    text = section("s", "S", "", [ShownFindings(findings(theorem, finding("g", 0.75), finding("h", 0.25)))])
    assert "1 confirmed, 1 not confirmed, 1 by construction" in text
    assert "<b>By construction:</b> A theorem." in text
    assert read_section(text).verdicts == {
        BY_CONSTRUCTION: [1, "s:findings:f"],
        CONFIRMED: [1, "s:findings:g"],
        NOT_CONFIRMED: [1, "s:findings:h"],
    }


def test_what_holds_by_construction_in_part_says_so() -> None:
    open_one = finding("f", 0.75).comparisons
    part = Finding("f", "1", "c", "c", [*given("A theorem.", open_one), *open_one])
    text = section("s", "S", "", [ShownFindings(findings(part))])
    assert "1 confirmed." in text
    assert "<b>In part by construction:</b> A theorem." in text
    assert text.count("(≡ by construction)") == 1


def test_the_evidence_of_a_comparison_stands_beside_it() -> None:
    runs = Sample("runs", tuple(f"run{n}" for n in range(20)), "runs", 200, 1)
    x = np.arange(20.0)
    rises, mixed = (runs.estimate(pearson_of(x, y)) for y in (x, np.where(x % 5 > 1, x, 19 - x)))
    told = [Comparison("r", rises, ">", 0.5), Comparison("a | b", mixed, ">", 0.0, n=20)]
    told += [Comparison("b | c", rises, ">", mixed), Comparison("values", 1.0, ">", 0.0, n=1200)]
    text = section("s", "S", "", [ShownFindings(findings(Finding("f", "1", "c", "c", told)))])
    assert '<td class="note">[1, 1], 20 runs; without run0: 1</td>' in text
    assert re.search(r'<td class="fails">~ 0\.\d+ &gt; 0 is not decided</td>', text)
    assert re.search(r"<td class=\"note\">difference \d\.\d+ \[0\.\d+, \d\.\d+\], 20 runs; without run", text)
    assert '<td class="note">1,200 values</td>' in text
    assert "<summary>holds in 3 of 4 comparisons, 1 undecided</summary>" in text


def test_verdicts_are_told_by_marks_and_words() -> None:
    table = findings(*(finding(name, 0.75) for name in "abcd"))
    table["verdict"] = [CONFIRMED, NOT_CONFIRMED, BY_CONSTRUCTION, NOT_TESTABLE]
    text = section("s", "S", "", [ShownFindings(table)])
    badges = re.findall(
        r'<span class="verdict ([\w-]+)"><span aria-hidden="true">(.)</span> .*?>([\w ]+)<', text
    )
    assert badges == [
        ("confirmed", "✓", "confirmed"),
        ("not-confirmed", "✗", "not confirmed"),
        ("by-construction", "≡", "by construction"),
        ("not-testable-here", "?", "not testable here"),
    ]


def test_a_p_value_that_underflows_is_bounded() -> None:
    p = Finding("f", "4.1", "claim", "computed", [Comparison("p at k = 10", 0.0, "<", 0.05)])
    share = Finding("g", "4.1", "claim", "computed", [Comparison("share", 0.0, "<", 0.05)])
    text = section("s", "S", "", [ShownFindings(findings(p, share))])
    assert "<td>&lt; 1e-300 &lt; 0.0500</td>" in text and "<td>0 &lt; 0.0500</td>" in text
    table = pd.DataFrame({"p_value": [0.0, 1e-20]})
    text = section("s", "S", "", [ShownTable("t", "T", "", table, {"p_value": ".2g"})])
    assert '<td class="number">&lt; 1e-300</td>' in text and '<td class="number">1e−20</td>' in text


def test_what_was_left_out_is_counted_and_named() -> None:
    rows = [
        ("long", "irrelevant", "precall", 1, "7"),
        ("long", "missing", "run1", 20, ", ".join(map(str, range(20)))),
        ("long", "repeated", "run2", 5, ""),
        ("long", "outside", "run1", 9, ""),
        ("long", "outside", "run2", 1200, ""),
        ("long", "unresolved", "run2", 3, ""),
        ("long", "passed_over", "P", 7, ""),
        ("long", "passed_over", "RR", 7, ""),
        ("files", "note", "a.xml", 1, "no title"),
        ("files", "rejected", "b.txt", 3, ""),
    ]
    table = pd.DataFrame(rows, columns=["runs", "kind", "of", "number", "which"])
    text = html.unescape(section("s", "S", "", [ShownLeftOut(table)]))
    for said in (
        "<b>Topics without relevant content.</b> A measure has no value on them",
        "<li>long: 1 topic of precall</li>",
        "<li>long: 20 topics of run1</li>",
        ", 11, …",
        "<b>Results returned twice.</b>",
        "<li>long: 1,209 results of 2 runs, at most 1,200 of one (run2)</li>",
        "<li>long: 2 measures, at most 7 results each (P)</li>",
        "<li>files: 1 remark of a.xml</li>",
        "<b>Lines and documents that could not be read.</b>",
        "<li>files: 3 parts of b.txt</li>",
    ):
        assert said in text
    assert for_people(table)["what"].tolist()[0] == "Topics without relevant content"
    assert "Nothing was left out" in section("s", "S", "", [ShownLeftOut(table.iloc[:0])])
    with pytest.raises(KeyError, match="dropped"):
        section("s", "S", "", [ShownLeftOut(table.assign(kind="dropped"))])


def test_page_holds_sections_contents_and_provenance() -> None:
    items = [
        ShownFigure("figure1", "Figure 1", "A caption.", b"<svg/>", ["x/figure1.svg"]),
        Absent("Figure 2", "<none>"),
    ]
    text = page([section("a-1", "One & two", "First.\n\nSecond.", items)], {"sha256": {"f": "00"}})
    assert '<a href="#a-1">One &amp; two</a>' in text
    assert "<p>First.</p>\n<p>Second.</p>" in text
    assert 'src="data:image/svg+xml;base64,PHN2Zy8+"' in text
    assert "Not available: &lt;none&gt;" in text
    assert "&#34;sha256&#34;" in text
    assert "What was confirmed" not in text


def test_every_item_stands_in_the_contents_under_an_anchor_that_exists_once() -> None:
    text = page([campaign("one"), campaign("two", Absent("Table 9", "it is not printed."))], {})
    read = Page(text)
    ids = read.values("id")
    assert len(ids) == len(set(ids))
    targets = [link[1:] for link in read.values("href") if link.startswith("#")]
    assert set(targets) <= set(ids)
    items = [attrs["id"] for tag, attrs in read.elements if tag == "article"]
    assert "one:table1" in items and "two:table-9" in items and len(items) == 11
    for nav in re.findall("<nav.*?</nav>", text, re.DOTALL):
        linked = re.findall('href="#([^"]*)"', nav)
        assert [link for link in linked if link in items] == items
        assert [link for link in linked if link in ("one", "two")] == ["one", "two"]
        assert nav.count(">A paper<") == 1


def test_names_that_would_share_an_anchor_are_refused() -> None:
    item = Absent("Table 1", "it is not printed.", "table1")
    with pytest.raises(ValueError, match="the anchor a:table1"):
        section("a", "A", "", [item, item])
    with pytest.raises(ValueError, match="the anchor a$"):
        page([section("a", "A", "", [])] * 2, {})
    # a campaign may be called like another with the name of an item behind it
    ids = Page(page([campaign("a"), campaign("a-findings"), campaign("a.findings")], {})).values("id")
    assert len(ids) == len(set(ids))


def test_the_table_of_verdicts_leads_to_the_findings() -> None:
    text = page([campaign("one"), section("two", "Two", "", []), campaign("three")], {})
    rows = re.findall(r'<tr><th scope="row">(.*?)</tr>', text, re.DOTALL)
    assert [re.findall('href="#([^"]*)"', row) for row in rows] == [
        [name, f"{name}:findings:f", f"{name}:findings:g"] for name in ("one", "three")
    ]
    assert [re.findall(r'class="count">(?:<a[^>]*>)?([\d–]+)', row) for row in rows] == [
        ["2", "1", "–", "–"]
    ] * 2


def test_warnings_stand_above_what_they_warn_of() -> None:
    table = pd.DataFrame({"run": ["a"]})
    text = section("s", "S", "", [ShownTable("t", "T", "", table, {}, warnings=["Nine values."], fold="All")])
    assert "Take care:</b> Nine values.</p>" in text
    assert text.index("Nine values.") < text.index("<details>")
    figure = ShownFigure("f", "F", "", b"<svg/>", warnings=["Two clusters."])
    assert "Two clusters." in section("s", "S", "", [figure])
    both = section("s", "S", "", [ShownTable("t", "T", "", table, {}, warnings=["One.", "Another."])])
    assert both.count("Take care:") == 1 and "<li>One.</li>\n<li>Another.</li>" in both


def test_a_page_on_ones_own_systems_begins_with_them_and_folds_what_papers_claim() -> None:
    table = ShownTable("measures", "Systems", "", pd.DataFrame({"run": ["a"]}), {})
    claims = ShownFindings(findings(finding("f", 0.75)))
    own = section("systems-mine", "Systems on mine", "", [table], campaign="mine", heading="My systems <1>")
    compared = section("significance-mine", "Significance", "", [table], campaign="mine")
    paper, other = (
        section(f"p-{name}", f"Paper on {name}", "", [claims], group="Paper", label=name, campaign=name)
        for name in ("mine", "made")
    )
    text = page([own, compared, paper, other], {})
    assert "<h1>My systems &lt;1&gt;</h1>" in text
    places = [
        text.index(f'<section id="{name}"')
        for name in ("systems-mine", "significance-mine", "verdicts", "p-mine", "p-made")
    ]
    assert places == sorted(places)
    assert text.count('<details class="claims">') == 1
    folded = text[text.index('<details class="claims">') :]
    assert folded.startswith(
        '<details class="claims"><summary>Paper, on mine</summary>\n<section id="p-mine"'
    )
    assert "then, folded, what published papers claim" in text
    assert "published papers" not in page([own, compared], {})
    contents = text[: text.index("<main")]
    assert contents.index("#systems-mine") < contents.index("#verdicts") < contents.index("#p-mine")
    plain = page([other], {})
    assert "<h1>focuseval:" in plain and '<details class="claims">' not in plain


def everything_hostile() -> str:
    table = pd.DataFrame({HOSTILE: [HOSTILE], "which": [HOSTILE]})
    found = findings(Finding(HOSTILE, HOSTILE, HOSTILE, HOSTILE, [Comparison(HOSTILE, 0.25, ">", 0.5)] * 5))
    theorem = findings(Finding("given", HOSTILE, HOSTILE, HOSTILE, [Comparison(HOSTILE, 1.0, ">", 0.5)]))
    theorem["verdict"], theorem["reason"] = BY_CONSTRUCTION, HOSTILE
    items = [
        ShownTable(
            "t", HOSTILE, HOSTILE, table, {}, [f"{HOSTILE}.csv", "javascript:alert(1)"], HOSTILE, [HOSTILE]
        ),
        ShownFigure("f", HOSTILE, HOSTILE, HOSTILE.encode(), [HOSTILE], [HOSTILE]),
        ShownFindings(pd.concat([found, theorem]), [HOSTILE]),
        ShownLeftOut(lost((HOSTILE, "missing", HOSTILE, 1, HOSTILE), (HOSTILE, "missing", "b", 1, "1"))),
        Absent(HOSTILE, HOSTILE),
    ]
    body = section("s", HOSTILE, f"{HOSTILE}\n\n{HOSTILE}", items, group=HOSTILE, label=HOSTILE)
    return page([body], {HOSTILE: HOSTILE})


def test_no_text_becomes_markup() -> None:
    text = everything_hostile()
    read = Page(text)
    tags = {tag for tag, _ in read.elements}
    assert "script" not in tags and "<script" not in text
    assert not any(name.startswith("on") for _, attrs in read.elements for name in attrs)
    assert "alert(&#39;x&#39;)" in text
    for link in read.values("href") + read.values("src"):
        assert not re.match(r"\s*javascript:", link)
    harmless = Page(page([campaign("one")], {}))
    assert {tag for tag, _ in harmless.elements} <= tags


def test_titles_survive_the_header_of_a_section() -> None:
    found = read_section(section("s", "S", "", [Absent(HOSTILE, "so.", "a")], group=HOSTILE, label=HOSTILE))
    assert found.group == found.label == HOSTILE
    assert found.contents == [["s:a", HOSTILE]]
    with pytest.raises(ValueError, match="not a section"):
        read_section("<section></section>")


def test_the_page_needs_no_network_and_no_script() -> None:
    text = page([campaign("one")], {})
    read = Page(text)
    assert not {"script", "link", "iframe", "object"} & {tag for tag, _ in read.elements}
    for link in read.values("href") + read.values("src"):
        assert not re.match("(?:[a-z]+:)?//", link)
    assert not re.search(r"url\(|@import", text)
    [policy] = [attrs["content"] for tag, attrs in read.elements if "http-equiv" in attrs]
    [written] = re.findall("<style>(.*?)</style>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(written.encode()).digest()).decode()
    assert str(policy).split("; ") == [
        *("default-src 'none'", f"style-src 'sha256-{digest}'", "img-src data:"),
        *("base-uri 'none'", "form-action 'none'"),
    ]


def test_the_page_is_hardly_larger_than_what_it_shows() -> None:
    empty = len(page([], {}))
    assert empty < 20_000
    svg = b"<svg>" + b" " * 300_000 + b"</svg>"
    table = pd.DataFrame({"value": [0.125] * 1000})
    items = [ShownFigure("f", "F", "", svg), ShownTable("t", "T", "", table, {"value": 3})]
    assert len(page([section("s", "S", "", items)], {})) < empty + len(svg) * 4 / 3 + 1000 * 50 + 3000


def style() -> str:
    return files("focuseval").joinpath("report", "templates", "page.css").read_text(encoding="utf-8")


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(c * 2 for c in colour[1:])
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_text_stands_out_from_what_is_behind_it(scheme: int) -> None:
    """Contrast of at least 4.5 (WCAG 2.2, AA)."""
    schemes = [
        dict(re.findall(r"--([\w-]+): (#\w+);", part)) for part in re.findall(r":root \{([^}]*)\}", style())
    ]
    colours = schemes[scheme]
    assert {"page", "ink", "soft", "wash"} <= set(colours)
    pairs = itertools.product(("ink", "soft", "link", "no"), ("page", "wash"))
    badges = [("page", verdict) for verdict in ("yes", "no", "given", "open")]
    for front, back in [*pairs, *badges, ("care-ink", "care")]:
        dark, light = sorted((luminance(colours[front]), luminance(colours[back])))
        assert (light + 0.05) / (dark + 0.05) >= 4.5, (front, back)


def browser() -> str | None:
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def wide() -> Iterator[Shown]:
    columns = {f"column_{n}": [0.123456789] for n in range(30)}
    yield ShownTable("wide", "A wide table", "", pd.DataFrame({"run": ["a"], **columns}), {})
    yield ShownTable("long", "long" * 40, "word" * 90, pd.DataFrame({"run": ["name" * 40]}), {})
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="300"/>'
    yield ShownFigure("broad", "A broad figure", "", svg)
    many = Finding("many", "1", "claim" * 40, "computed" * 40, [Comparison("what" * 40, 0.25, ">", 0.5)] * 9)
    yield ShownFindings(findings(many), name="more")


@pytest.mark.skipif(browser() is None, reason="no Chromium on this machine")
@pytest.mark.parametrize("width", [400, 1300])
def test_nothing_is_wider_than_the_window_and_no_script_runs(width: int, tmp_path: Path) -> None:
    text = page([campaign("a-campaign-with-a-name", *wide())], {"file" * 40: "00" * 32})
    text = text.replace("</main>", "<script>document.body.id = 'another'</script></main>")
    # no window is as narrow as a telephone, but a frame is
    frame = f'<iframe id="frame" width="{width}" height="800" srcdoc="{html.escape(text)}"></iframe>'
    measure = (
        "onload = () => { const found = document.getElementById('frame').contentDocument.documentElement;"
        "document.title = JSON.stringify([found.clientWidth, found.scrollWidth,"
        "[...found.querySelectorAll('nav')].map(nav => nav.offsetWidth > 0),"
        "[...found.querySelectorAll('img')].at(-1).naturalWidth, found.querySelector('body').id]); }"
    )
    (tmp_path / "frame.html").write_text(
        f"<!doctype html><meta charset=utf-8><body>{frame}<script>{measure}</script>", encoding="utf-8"
    )
    told = subprocess.run(
        [
            *(str(browser()), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"),
            *(
                "--disable-background-networking",
                "--hide-scrollbars",
                f"--user-data-dir={tmp_path / 'profile'}",
            ),
            *("--window-size=1400,900", "--virtual-time-budget=5000", "--dump-dom"),
            (tmp_path / "frame.html").as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    title = re.search("<title>(.*?)</title>", told.stdout)
    assert title is not None, told.stderr
    visible, needed, navigation, figure, name = json.loads(title[1])
    assert (figure > 0, name) == (True, "top")
    assert visible >= width - 20
    assert needed <= visible
    # contents beside the page where there is room, above it where there is not
    assert navigation == [width == 1300, width == 400]


def test_checksum_of_files_and_folders(tmp_path) -> None:
    (tmp_path / "a").write_bytes(b"one")
    one = hashlib.sha256(b"one").hexdigest()
    assert checksum(tmp_path / "a") == one
    assert checksum(tmp_path) == hashlib.sha256(f"{one}  a\n".encode()).hexdigest()
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "c").write_bytes(b"two")
    with_two = checksum(tmp_path)
    (tmp_path / "b" / "c").write_bytes(b"owt")
    assert checksum(tmp_path) != with_two


def test_the_stamp_of_a_folder_changes_with_every_file_in_it(tmp_path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b/c").write_bytes(b"two")
    (tmp_path / "nowhere").symlink_to(tmp_path / "gone")
    one = stamp(tmp_path)
    (tmp_path / ".hidden").touch()
    assert stamp(tmp_path) == one
    before = (tmp_path / "b/c").stat()
    os.utime(tmp_path / "b/c", ns=(before.st_atime_ns, before.st_mtime_ns + 1))
    assert (two := stamp(tmp_path)) != one
    (tmp_path / "b/d").touch()
    assert stamp(tmp_path) != two
    assert stamp(tmp_path / "b/c") == stamp(tmp_path / "gone")


def test_versions_name_what_results_depend_on() -> None:
    assert {"python", "focuseval", "numpy", "pandas", "pyarrow"} <= set(versions())


def test_what_would_fill_pages_stays_folded_on_paper() -> None:
    def folded(rows: int, columns: int) -> str:
        table = pd.DataFrame([[0.5] * columns] * rows, columns=[f"c{n}" for n in range(columns)])
        return section("s", "S", "", [ShownTable("t", "T", "", table, {}, fold="All of it")])

    assert "<details><summary>All of it" in folded(60, 12)
    assert '<details class="bulk"><summary>All of it' in folded(61, 2)
    assert '<details class="bulk"><summary>All of it' in folded(2, 13)
