"""The site: it is built without a warning, fetches nothing, and is complete; notebooks run."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import focuseval
from focuseval.cli import COMMANDS
from focuseval.measures import MEASURES
from focuseval.measures.declaration import parse_specs

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Build the site, for which every notebook runs."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "http_proxy": "http://nowhere.invalid"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return folder


def test_nothing_is_fetched_from_elsewhere(site):
    for page in site.rglob("*.html"):
        loaded = re.findall(r"<(?:script|link|img|iframe)[^>]*(?:src|href)=\"([^\"]*)\"", page.read_text())
        assert not [link for link in loaded if re.match(r"(https?:)?//", link)], page
    style = "".join(path.read_text() for path in site.rglob("*.css"))
    assert not re.findall(r"url\(['\"]?(?:https?:)?//", style)


def test_every_measure_is_found_and_every_family_has_its_page_with_an_example(site):
    index = (site / "measures.html").read_text()
    linked = dict(re.findall(r'<a href="measures/([^"]*)"><code>([^<]*)</code>', index)[::-1])
    assert set(re.findall(r'<a href="measures/[^"]*"><code>([^<]*)</code>', index)) == set(MEASURES)
    families = re.findall(r"<!-- measures: (?!end|claims)", (ROOT / "docs/measures.md").read_text())
    assert len(linked) == len(families)
    for page, measure in linked.items():
        text = (site / "measures" / page).read_text()
        assert re.search("<strong>Use (it|them)</strong>", text) and f"<code>{measure}" in text, page
        assert "list.svg" in text or page == "bep.html"  # BEP has no curve: it needs entry points
        assert f'href="measures/{page}" class="md-nav__link"' in index, page
    text = (site / "measures" / "text.html").read_text()
    # of 150 characters of gold, 80 are read after the first result, 120 after the fourth and all after the last
    assert re.search(r"char_recall</code></td>\s*(<td>[\d.]+</td>\s*){5}", text)[0].split("<td>")[1:] == [
        f"{value}</td>\n" for value in ("0.533", "0.533", "0.533", "0.800", "1.000")
    ]


def test_every_measure_has_a_citation_and_every_citation_a_measure(site):
    text = (site / "cite.html").read_text()
    cited = [re.findall("<code>([^<]*)</code>", line) for line in re.findall(r"<p>(.*):</p>", text)]
    assert {name for names in cited for name in names} == set(MEASURES) and all(cited)
    assert len(cited) == (ROOT / "docs/sources.bib").read_text().count("\n@")


def test_papers_have_a_page_each_and_commands_their_help(site):
    text = (site / "papers" / "kazai2005.html").read_text()
    assert "R-measure = cbg(R)" in text and 'id="findings"' in text
    assert "R-measure" not in (site / "errata.html").read_text()
    assert {*COMMANDS} <= set(re.findall(r'<h2 id="(\w+)"', (site / "commands.html").read_text()))


def test_measures_that_replace_those_of_other_tools_exist():
    page = (ROOT / "docs/coming-from.md").read_text()
    tables = re.findall(
        r"^\|[^|]*\| (?:focuseval|nearest measure) \|.*\n((?:\|.*\n)+)", page, flags=re.MULTILINE
    )
    rows = [row for table in tables for row in re.findall(r"^\|[^|]*\|([^|]*)\|", table, flags=re.MULTILINE)]
    names = [name for row in rows for name in re.findall("`([^`]*)`", row) if "focuseval" not in name]
    assert len(names) > 40
    for name in {*names} - {".prop"}:
        parse_specs(re.sub(r"@[kx]$", "@0.1" if name[:2] == "ep" else "@10", name), MEASURES)


def test_every_public_name_is_described(site):
    text = (site / "api.html").read_text()
    assert {*focuseval.__all__} <= set(re.findall(r'<h2 id="[^"]*">([\w.]+)<', text))
    assert "<dt><code>runs</code></dt>" in text and "0x" not in text


def test_the_search_finds_a_measure_and_the_gallery_shows_a_page(site):
    entries = json.loads((site / "search" / "search_index.json").read_text())["docs"]
    assert any("char_recall" in entry["title"] for entry in entries)
    assert "garden" in (site / "gallery" / "view.html").read_text()
    assert "gallery/view.html" in (site / "gallery.html").read_text()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_stored_without_output_and_shown_with_output(site, path):
    cells = [c for c in json.loads(path.read_text())["cells"] if c["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells)
    page = (site / "notebooks" / f"{path.stem}.html").read_text()
    assert "<td>" in page and f'href="{path.name}"' in page and (site / "notebooks" / path.name).is_file()


def test_notebooks_show_the_results_that_their_text_states(site):
    chunks, campaign, paper = (
        (site / "notebooks" / f"{n}.html").read_text() for n in ("chunks", "campaign", "paper")
    )
    assert float(re.search(r"overlapping</th>\s*(?:<td>[\d.]+</td>\s*){2}<td>([\d.]+)", chunks)[1]) > 1
    assert "0 problems" in campaign
    assert "the complement" in paper
