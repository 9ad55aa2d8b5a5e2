import hashlib
import math
import re

from focuseval.campaign.provenance import checksum, versions
from focuseval.papers.findings import Comparison, Finding, findings_table
from focuseval.present.page import (
    absent_item,
    figure_item,
    findings_item,
    left_out,
    left_out_item,
    page,
    section,
)


def finding(name: str, left: float, claim: str = "claim") -> Finding:
    return Finding(name, "4.1", claim, "computed", [Comparison("a | b", left, ">", 0.5)])


def test_findings_show_verdict_numbers_and_print() -> None:
    here = [finding("f", 0.75, "x < y"), finding("g", 0.25), finding("h", math.nan)]
    there = [finding("f", math.nan), finding("g", 0.625), finding("h", math.nan)]
    text = findings_item(findings_table(here, there))
    assert "1 confirmed, 1 not confirmed, 1 not testable here" in text
    assert "x &lt; y" in text
    assert "<td>0.7500 &gt; 0.5000</td><td>–</td>" in text
    assert '<td class="fails">0.2500 &gt; 0.5000 is false</td><td>0.6250 &gt; 0.5000</td>' in text
    assert "<td>–</td><td>–</td>" in text


def test_what_was_left_out_is_counted_and_named() -> None:
    account = {
        "irrelevant": {"precall(quantisation=strict)": ["7"], "precall(quantisation=strict)@0.1": ["7"]},
        "missing": {"run1": [str(n) for n in range(20)]},
        "unassessed": {},
        "repeated": {"run2": 5},
        "outside": {"run1": 9},
        "unruly": {},
        "unresolved": {"run2": 3},
        "empty": {},
    }
    table = left_out({"long": [account, account]})
    assert table["number"].tolist() == [1, 20, 5, 9, 3]
    assert table["of"].tolist() == ["precall(quantisation=strict)", "run1", "run2", "run1", "run2"]
    assert table["topics"][1].endswith(", 11, …")
    shown = left_out_item(table)
    assert "Every run and measure" in shown and "run2" in shown
    assert "Nothing was left out" in left_out_item(table.iloc[:0])


def test_page_holds_sections_contents_and_provenance() -> None:
    items = [
        figure_item("Figure 1", "A caption.", b"<svg/>", ["x/figure1.svg"]),
        absent_item("Figure 2", "<none>"),
    ]
    text = page([section("a-1", "One & two", "First.\n\nSecond.", items)], {"sha256": {"f": "00"}})
    assert '<li><a href="#a-1">One &amp; two</a></li>' in text
    assert "<p>First.</p>\n<p>Second.</p>" in text
    assert 'src="data:image/svg+xml;base64,PHN2Zy8+"' in text
    assert "Not available: &lt;none&gt;" in text
    assert "&quot;sha256&quot;" in text
    assert not re.search(r'(?:src|href)="(?:https?:)?//', text)


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


def test_versions_name_what_results_depend_on() -> None:
    assert {"python", "focuseval", "numpy", "pandas", "pyarrow"} <= set(versions())
