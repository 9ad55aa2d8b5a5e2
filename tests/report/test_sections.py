"""Sections of the report: their texts and links are in the folder `snapshots`."""

import re
from html import unescape
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from focuseval.campaign import tables
from focuseval.report.campaigns import campaign_section
from focuseval.report.page import read_section
from focuseval.report.systems import make_comparison, make_systems
from focuseval.statistics.comparisons import compare_as_asked, overview, scored
from tests.report.test_comparisons import request as comparison_request
from tests.report.test_comparisons import scores_of_four
from tests.snapshots import assert_rounded, check
from tests.statistics.test_overview import FIRST, SECOND, request, table

SNAPSHOTS = Path(__file__).parent / "snapshots"

CALIBRATION = pd.DataFrame(
    [
        ("topics", 29.0, 29.0, "somewhere"),
        ("highly specific elements", 1518.0, 8802.0, "elsewhere"),
        ("too small, %", 9.095, np.nan, ""),
    ],
    columns=["number", "here", "source", "where"],
)
POPULATION = pd.DataFrame(
    {
        "runs": ["focused"] * 2 + ["thorough"] * 3,
        "run": list("ababc"),
        "results": [10.0, 20, 1, 2, 3],
        "overlapping": [0.0, 0, 0.25, 0.5, 1],
        "documents": [0.0, 1, 0, 0, 0],
        "length": [100.0, 300, 1, np.nan, 3],
    }
)


def systems(runs, topics, *measures, lost="", name=str, **how):
    def write(folder):
        scores = table(runs, topics)
        scores["run"] = scores["run"].map(name)
        entry = scored(request(*(measures or (FIRST, SECOND)), **how), scores)
        rows = [("runs", "refused", "iP@0.01", 1, "it needs highlighted passages")]
        left_out = pd.DataFrame(rows, columns=tables.LEFT_OUT.names)
        size = pd.DataFrame({"": ["runs"], "mine": ["2"]})
        analysis, cautions = overview(scores, entry)
        cautions = [*cautions, "without it -0.0157"]
        return make_systems(
            entry, analysis, left_out, size, folder / "x", "mine", cautions, [lost] if lost else []
        )

    return write


def comparison(remarks, cautions, only="", **how):
    def write(folder):
        entry = comparison_request(**how) | {"remarks": remarks}
        scores = scores_of_four()
        analysis, _ = compare_as_asked(scores.query(only) if only else scores, entry)
        nothing = tables.LEFT_OUT.empty_table().to_pandas()
        return make_comparison(entry, analysis, nothing, folder, "campaign", "Title", cautions)

    return write


def campaign(calibration, population=POPULATION):
    return lambda _: campaign_section("mine", "My campaign", "characters", calibration, population)


GOLD = CALIBRATION.assign(number=["topics", "gold spans", "too small, %"], where="")
SECTIONS = {
    "systems": systems(4, 12),
    "systems-lost": systems(2, 30, lost="run <a> lacks 29 of 30 topics"),
    "systems-one-run": systems(1, 30),
    "systems-best-two": systems(3, 30, FIRST, top=2),
    "systems-without-scores": systems(2, 3, "precall"),
    "comparison": comparison(["said of it"], ["few topics: -0.5"]),
    "comparison-corrected": comparison([], [], test="t-test", correction="holm", one_tailed=False, alpha=0.1),
    "comparison-of-two": comparison([], [], top=2),
    "comparison-of-one-run": comparison([], [], "run in ['good', 'other']"),
    "comparison-on-one-topic": comparison([], [], "topic == '1'"),
    "campaign": campaign(CALIBRATION),
    "campaign-gold": campaign(GOLD, POPULATION.fillna({"length": 2})),
    "campaign-runs-only": campaign(CALIBRATION[:0]),
}


def section_text(text):
    """Return title, texts, table rows and links of a section, a line each, without what was left out."""
    section = read_section(text)
    lines = [f"{section.anchor} | {section.group} | {section.label} | {section.campaign} | {section.heading}"]
    for article in re.split("(?=<article)", section.html.replace("</article>", "")):
        if 'left-out">\n<div class="head">' in article:
            continue
        of_table = re.sub("<tbody>.*?</tbody>|<svg.*?</svg>|<wbr>", "", article, flags=re.DOTALL)
        texts = re.findall("<(h2|h3|p|summary|li|thead|figcaption)[^>]*>(.*?)</\\1>", of_table, re.DOTALL)
        lines += [f"{tag}: {' '.join(re.sub('<.*?>', ' ', inside).split())}" for tag, inside in texts]
        for row in re.findall(
            "<tr>(.*?)</tr>", "".join(re.findall("<tbody>.*?</tbody>", article, re.DOTALL)), re.DOTALL
        ):
            cells = re.findall(
                "<t[dh][^>]*>(.*?)</t[dh]>",
                re.sub("<svg.*?</svg>|<wbr>", "", row, flags=re.DOTALL),
                re.DOTALL,
            )
            lines.append(f"row: {' | '.join(re.sub('<.*?>', '', cell) for cell in cells)}")
        lines += re.findall('(?:href|id)="([^"]*)"', re.sub("<svg.*?</svg>", "", article, flags=re.DOTALL))
    return unescape("\n".join(lines)) + "\n"


@pytest.mark.parametrize("name", SECTIONS)
def test_snapshots_of_sections(name, tmp_path):
    html = SECTIONS[name](tmp_path)
    assert_rounded(re.sub("<!--.*?-->|<[^>]*>", " ", html, flags=re.DOTALL))
    check(section_text(html), SNAPSHOTS / f"{name}.txt")
    linked = {Path(link).name for link in re.findall('href="([^"#]+)"', html)}
    written = {path.name for path in tmp_path.rglob("*.*")}
    assert linked <= written or not written  # the section about a campaign writes no files


def test_files_of_a_synthetic_campaign_say_so(tmp_path):
    nothing = tables.LEFT_OUT.empty_table().to_pandas()
    entry = comparison_request() | {"remarks": []}
    compared, _ = compare_as_asked(scores_of_four(), entry)
    of_systems = scored(request(FIRST, SECOND), table(3, 5))
    analysis, _ = overview(table(3, 5), of_systems)
    for synthetic in (False, True):
        one, other = tmp_path / f"one{synthetic}", tmp_path / f"other{synthetic}"
        settings = {"synthetic": synthetic}
        make_comparison(entry, compared, nothing, one, "mine", "Title", [], **settings)
        make_systems(of_systems, analysis, nothing, pd.DataFrame(), other, "mine", [], **settings)
        for folder in (one, other):
            texts = [path.read_text(encoding="utf-8") for path in folder.iterdir() if path.suffix != ".png"]
            assert len(texts) > 4 and {"synthetic" in text for text in texts} == {synthetic}
