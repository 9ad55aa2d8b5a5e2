"""Sections of the report: what they say and link to is in the files of the folder `shown`."""

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from focuseval.campaign import tables
from focuseval.report.campaigns import campaign_section
from focuseval.report.page import read_section
from focuseval.report.systems import make_comparison, make_systems
from focuseval.statistics.comparisons import compare_as_asked, overview, scored
from tests.report.test_campaigns import CALIBRATION, POPULATION
from tests.report.test_comparisons import asked as asked_comparison
from tests.report.test_comparisons import scores_of_four
from tests.shown import assert_rounded, check
from tests.statistics.test_overview import FIRST, SECOND, asked, table

SHOWN = Path(__file__).parent / "shown"


def systems(
    runs: int, topics: int, *measures: str, lost: str = "", name: Callable[[str], str] = str, **how: int
) -> Callable[[Path], str]:
    def made(folder: Path) -> str:
        scores = table(runs, topics)
        scores["run"] = scores["run"].map(name)
        entry = scored(asked(*(measures or (FIRST, SECOND)), **how), scores)
        rows = [("runs", "refused", "iP@0.01", 1, "it needs highlighted passages")]
        left_out = pd.DataFrame(rows, columns=tables.LEFT_OUT.names)
        size = pd.DataFrame({"": ["runs"], "mine": ["2"]})
        analysis, cautions = overview(scores, entry)
        cautions = [*cautions, "without it -0.0157"]
        return make_systems(
            entry, analysis, left_out, size, folder / "x", "mine", cautions, [lost] if lost else []
        )

    return made


def comparison(remarks: list[str], cautions: list[str], **how: Any) -> Callable[[Path], str]:
    def made(folder: Path) -> str:
        entry = asked_comparison(**how) | {"remarks": remarks}
        analysis, _ = compare_as_asked(scores_of_four(), entry)
        nothing = tables.LEFT_OUT.empty_table().to_pandas()
        return make_comparison(entry, analysis, nothing, folder, "campaign", "Title", cautions)

    return made


def campaign(calibration: pd.DataFrame, population: pd.DataFrame = POPULATION) -> Callable[[Path], str]:
    return lambda _: campaign_section("mine", "My campaign", "characters", calibration, population)


GOLD = CALIBRATION.assign(number=["topics", "gold spans", "too small, %"], where="")
SECTIONS: dict[str, Callable[[Path], str]] = {
    "systems": systems(4, 12),
    "systems-lost": systems(2, 30, lost="run <a> lacks 29 of 30 topics"),
    "systems-one-run": systems(1, 30),
    "systems-best-two": systems(3, 30, FIRST, top=2),
    "systems-without-scores": systems(2, 3, "precall"),
    "comparison": comparison(["said of it"], ["few topics: -0.5"]),
    "comparison-corrected": comparison([], [], test="t-test", correction="holm", one_tailed=False, alpha=0.1),
    "campaign": campaign(CALIBRATION),
    "campaign-gold": campaign(GOLD, POPULATION.fillna({"length": 2})),
    "campaign-runs-only": campaign(CALIBRATION[:0]),
}


def said(text: str) -> str:
    """What a section is called, and the texts and links of it, a line each, but not those of what was left out."""
    section = read_section(text)
    lines = [f"{section.anchor} | {section.group} | {section.label} | {section.campaign} | {section.heading}"]
    for article in re.split("(?=<article)", section.html.replace("</article>", "")):
        if 'left-out">\n<div class="head">' in article:
            continue
        of_table = re.sub("<tbody>.*?</tbody>|<svg.*?</svg>|<wbr>", "", article, flags=re.DOTALL)
        texts = re.findall("<(h2|h3|p|summary|li|thead)[^>]*>(.*?)</\\1>", of_table, re.DOTALL)
        lines += [f"{tag}: {' '.join(re.sub('<.*?>', ' ', inside).split())}" for tag, inside in texts]
        lines += re.findall('(?:href|id)="([^"]*)"', re.sub("<svg.*?</svg>", "", article, flags=re.DOTALL))
    return unescape("\n".join(lines)) + "\n"


@pytest.mark.parametrize("name", SECTIONS)
def test_sections_say_what_they_said(name: str, tmp_path: Path) -> None:
    made = SECTIONS[name](tmp_path)
    assert_rounded(re.sub("<!--.*?-->|<[^>]*>", " ", made, flags=re.DOTALL))
    check(said(made), SHOWN / f"{name}.txt")
