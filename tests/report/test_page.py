import base64
import hashlib
import html
import re
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pytest
from markupsafe import Markup

from focuseval.report.page import (
    SectionItem,
    absent,
    page,
    read_section,
    section,
    shown_figure,
    shown_left_out,
    shown_table,
)
from focuseval.report.tables import BEST, with_intervals
from tests.snapshots import check

HOSTILE = "</details></script><script>alert('x')</script>\"&--><!--{}"


def lost(*rows):
    return pd.DataFrame(rows, columns=["runs", "kind", "of", "number", "which"])


class Page(HTMLParser):
    """The elements of a page, which must nest."""

    VOID = ("meta", "img", "link", "br", "wbr")

    def __init__(self, text):
        super().__init__()
        self.elements = []
        self.open = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def values(self, attribute):
        return [str(attrs[attribute]) for _, attrs in self.elements if attribute in attrs]


def left_out_of_every_kind():
    return lost(
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
    )


def every_kind(svg=b"<svg/>", anchor="s"):
    """Return a section with every kind of item: folded and cut tables, intervals, best values, short names."""
    tables = [
        pd.DataFrame([[0.5] * columns] * rows)
        for rows, columns in ((61, 2), (2, 13), (2, 12), (12, 1), (13, 1), (41, 1))
    ]
    names = pd.DataFrame({"run": ["a b", "nested-chunks"], "rank": [1, 2], "by": ["", "twelve chars"]})
    numbers = pd.DataFrame({"value": [0.5, -0.25, 1250], "low": [0.25, -0.5, 0], "high": [0.75, 0, 1500]})
    small, large = with_intervals(numbers[:2], "+"), with_intervals(numbers[2:])
    best = pd.DataFrame({"run": ["4 …a…", "…a-b…", "c"], "m": [0.5, 0.25, 0.5]})
    best.attrs[BEST] = [(0, "m"), (2, "m")]
    items = [
        shown_table(
            "t", "A table", "Of <runs>.\n\nMore.", names, {}, ["x/t.csv", "x y/t.md"], warnings=["One."]
        ),
        shown_table("none", "No rows", "", names[:0], {}),
        *(
            shown_table(f"t{n}", f"{len(t)} rows", "", t, {}, ["x/t.csv"] if n > 0 else [])
            for n, t in enumerate(tables)
        ),
        shown_table("intervals", "Intervals", "", pd.DataFrame({"run": ["a", "b"], "d": small}), {}),
        shown_table("large", "A large one", "", pd.DataFrame({"d": large}), {}),
        shown_table("best", "The best", "", best, {}),
        shown_figure("figure", "A figure", "About.", svg, ["x/f.svg"], ["One.", "Another."]),
        SectionItem("html", "html", "Made elsewhere", Markup("<p>As it is.</p>")),
        absent("Figure 2. Points", "there are <none>."),
        shown_left_out(left_out_of_every_kind()),
    ]
    short = {'long-a-"end"': "…a…", "long-a-b-end": "…a-b…"}
    about = {"group": "A paper", "label": anchor, "short": short}
    return section(anchor, "Every & kind", "First.\n\nSecond.", items, **about)


def test_items_of_every_kind_are_as_in_their_snapshot():
    svg = "<svg><text>…a…   1</text><text>precision</text></svg>".encode()
    check(every_kind(svg), Path(__file__).parent / "snapshots" / "section.html")
    assert "Nothing was left out" in section("s", "S", "", [shown_left_out(lost())])
    with pytest.raises(KeyError, match="dropped"):
        section("s", "S", "", [shown_left_out(lost(("runs", "dropped", "run", 1, "")))])


def test_every_item_is_in_the_contents_under_a_unique_anchor():
    text = page([every_kind(anchor="one"), every_kind(anchor="two")], {})
    read = Page(text)
    ids = read.values("id")
    assert len(ids) == len(set(ids))
    targets = [link[1:] for link in read.values("href") if link.startswith("#")]
    assert set(targets) <= set(ids)
    items = [attrs["id"] for tag, attrs in read.elements if tag == "article"]
    assert "one:t" in items and "two:figure-2.-points" in items and len(items) == 30
    for nav in re.findall("<nav.*?</nav>", text, re.DOTALL):
        linked = re.findall('href="#([^"]*)"', nav)
        assert [link for link in linked if link in items] == items
        assert [link for link in linked if link in ("one", "two")] == ["one", "two"]
        assert nav.count(">A paper<") == 1


def test_names_that_would_share_an_anchor_are_refused():
    item = absent("Table 1", "it is not printed.", "table1")
    with pytest.raises(ValueError, match="the anchor a:table1"):
        section("a", "A", "", [item, item])
    with pytest.raises(ValueError, match="the anchor a$"):
        page([section("a", "A", "", [])] * 2, {})
    # the name of a campaign may be another's name followed by the name of an item
    sections = [every_kind(anchor=name) for name in ("a", "a-t", "a.t")]
    ids = Page(page(sections, {})).values("id")
    assert len(ids) == len(set(ids))


def test_a_page_on_own_systems_begins_with_them_and_folds_the_claims_of_papers():
    table = shown_table("measures", "Systems", "", pd.DataFrame({"run": ["a"]}), {})
    claims = [{"verdict": "as it is"}]
    own = section(
        "systems-mine",
        "Systems on mine",
        "",
        [table],
        campaign="mine",
        heading="My systems <1>",
        folded=False,
    )
    compared = section("significance-mine", "Significance", "", [table], campaign="mine")
    paper, other = (
        section(
            f"p-{name}", f"Paper on {name}", "", [], group="Paper", label=name, campaign=name, claims=claims
        )
        for name in ("mine", "made")
    )
    text = page([own, compared, paper, other], {})
    assert "<h1>My systems &lt;1&gt;</h1>" in text
    places = [
        text.index(f' id="{name}"') for name in ("systems-mine", "significance-mine", "p-mine", "p-made")
    ]
    assert places == sorted(places)
    assert '<section><details><summary><h2>Paper on mine</h2></summary>\n<div id="p-mine"' in text
    contents = text[: text.index("<main")]
    assert contents.index("#systems-mine") < contents.index("#p-mine")
    plain = page([other], {}, title="A <title>", introduction="Of it.", style="p {}")
    assert "<h1>A &lt;title&gt;</h1>" in plain and "<p>Of it.</p>" in plain and "p {}</style>" in plain


def test_figures_are_numbered_over_the_page_and_say_whether_their_data_are_generated():
    drawn = shown_figure("f", "F", "Seen.", b"<svg></svg>")
    sections = [
        section(name, "S", "", [drawn, absent("T", "so.")], campaign=name) for name in ("mine", "made")
    ]
    captions = re.findall("<figcaption>(.*?)</figcaption>", page(sections, {}, generated=["made"]))
    assert captions == [
        "<b>Figure 1 of this report.</b> Seen.",
        "<b>Figure 2 of this report.</b> Seen. Data: generated (made).",
    ]


def test_a_page_ends_with_its_provenance_if_it_has_one():
    assert "About this report" not in page([], {})
    text = page([], {"Made": "2026-11-27", "Command": "make <x>"})
    about = text[text.index('<section id="provenance">') :]
    assert "<b>Command:</b> make &lt;x&gt;<br>" in about and 'href="provenance.json"' in about


def test_a_group_of_sections_is_a_chapter_and_leads_are_seen_when_they_are_folded():
    text = page([section(name, name, "", [], group="Sweeps", lead=f"In {name}.") for name in "ab"], {})
    assert text.count('<h2 class="chapter">Sweeps</h2>') == 1
    assert '<summary><h2>b</h2><p class="lead">In b.</p></summary>' in text


def everything_hostile():
    table = pd.DataFrame({HOSTILE: [HOSTILE], "which": [HOSTILE]})
    svg = f"<svg><text>{html.escape(HOSTILE)}</text></svg>".encode()
    items = [
        shown_table("t", HOSTILE, HOSTILE, table, {}, [f"{HOSTILE}.csv", "javascript:alert(1)"], [HOSTILE]),
        shown_figure("f", HOSTILE, HOSTILE, svg, [HOSTILE], [HOSTILE]),
        shown_left_out(lost((HOSTILE, "missing", HOSTILE, 1, HOSTILE), (HOSTILE, "missing", "b", 1, "1"))),
        absent(HOSTILE, HOSTILE),
    ]
    body = section("s", HOSTILE, f"{HOSTILE}\n\n{HOSTILE}", items, group=HOSTILE, label=HOSTILE)
    return page([body], {HOSTILE: HOSTILE})


def test_no_text_becomes_markup():
    text = everything_hostile()
    read = Page(text)
    tags = {tag for tag, _ in read.elements}
    assert "script" not in tags and "<script" not in text
    assert not any(name.startswith("on") for _, attrs in read.elements for name in attrs)
    assert "alert(&#39;x&#39;)" in text
    for link in read.values("href") + read.values("src"):
        assert not re.match(r"\s*javascript:", link)
    harmless = Page(page([every_kind(b"<svg><text>precision</text></svg>")], {"Made": "today"}))
    assert tags <= {tag for tag, _ in harmless.elements}


def test_titles_survive_the_header_of_a_section():
    section_read = read_section(
        section("s", "S", "", [absent(HOSTILE, "so.", "a")], group=HOSTILE, label=HOSTILE)
    )
    assert section_read.group == section_read.label == HOSTILE
    assert section_read.contents == [["s:a", HOSTILE]]
    with pytest.raises(ValueError, match="not a section"):
        read_section("<section></section>")


def test_the_page_needs_no_network_and_no_script():
    text = page([every_kind()], {})
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


def test_the_page_is_hardly_larger_than_its_contents():
    empty = len(page([], {}))
    assert empty < 20_000
    svg = b"<svg>" + b" " * 300_000 + b"</svg>"
    table = pd.DataFrame({"value": [0.125] * 1000})
    items = [shown_figure("f", "F", "", svg), shown_table("t", "T", "", table, {"value": 3})]
    assert len(page([section("s", "S", "", items)], {})) < empty + len(svg) * 4 / 3 + 1000 * 50 + 3000
