"""The report: one page that holds everything it shows, so that it opens from disk and can be sent on.

What is shown is plain data (`Shown`), made by `shown_table`, `shown_figure`, ... `section` renders a list of it as one
part of the page; `page` puts the parts in order, under a table of contents and a table of all verdicts. The templates
beside this module make the HTML; they escape every text.
"""

import base64
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby, takewhile
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

import pandas as pd
from jinja2 import Environment
from markupsafe import Markup

from focuseval.errors import counted
from focuseval.report import items
from focuseval.report.html import digest, policy, templates
from focuseval.report.notices import in_words
from focuseval.report.tables import MISSING, UNDERFLOWN, Decimals, cells, headings, number, numeric
from focuseval.statistics.findings import (
    BY_CONSTRUCTION,
    CONFIRMED,
    FAILS,
    HOLDS,
    NOT_CONFIRMED,
    NOT_TESTABLE,
    UNDECIDED,
    UNKNOWN,
)

#: marks of the verdicts in their order: colour alone would not tell everybody
MARKS = {CONFIRMED: "✓", NOT_CONFIRMED: "✗", BY_CONSTRUCTION: "≡", NOT_TESTABLE: "?"}

MEANINGS = {
    CONFIRMED: "Every comparison holds on the unrounded numbers of the campaign, and over all of its 95 % interval.",
    NOT_CONFIRMED: "Contradicted, or undecided at 95 %.",
    BY_CONSTRUCTION: "It could not have failed on these data, and so is no evidence.",
    NOT_TESTABLE: "A number that it needs is missing on this campaign.",
}


@dataclass(frozen=True, eq=False)
class Shown:
    """What a section shows, under a title of its own."""

    kind: str  #: which macro of items.html draws the content
    name: str  #: its anchor within the section: letters, digits, dots, hyphens, underscores
    title: str
    content: Any
    caption: str = ""  #: plain text; empty lines separate paragraphs
    files: Sequence[str] = ()  #: the same as files, by their paths as seen from the report
    fold: str = ""  #: the words that it is folded away behind
    warnings: Sequence[str] = ()  #: stand above it


def shown_table(
    name: str,
    title: str,
    caption: str,
    table: pd.DataFrame,
    decimals: Decimals,
    files: Sequence[str] = (),
    fold: str = "",
    warnings: Sequence[str] = (),
) -> Shown:
    """A table, with its numbers rounded to ``decimals``."""
    return Shown("table", name, title, _grid(table, decimals), caption, files, fold, warnings)


def shown_figure(
    name: str, title: str, caption: str, svg: bytes, files: Sequence[str] = (), warnings: Sequence[str] = ()
) -> Shown:
    """A figure; the page holds the SVG."""
    data = base64.b64encode(svg).decode("ascii")
    return Shown("figure", name, title, data, caption, files, warnings=warnings)


def shown_findings(findings: pd.DataFrame, files: Sequence[str] = (), name: str = "findings") -> Shown:
    """The findings of a paper, a table of `focuseval.statistics.findings.findings_table`."""
    content = [_finding(str(finding), part) for finding, part in findings.groupby("finding", sort=False)]
    return Shown("findings", name, "Findings", content, _findings_caption(content), files)


def shown_left_out(table: pd.DataFrame, files: Sequence[str] = ()) -> Shown:
    """What was left out, a table of `focuseval.campaign.schema.LEFT_OUT`."""
    content = [(each, _grid(each.every, {})) for each in in_words(table)]
    return Shown("left_out", "left-out", "Left out", content, "Excluded data and zero scores.", files)


def absent(title: str, why: str, name: str = "") -> Shown:
    """A table or figure of the paper that a campaign cannot have. The name is the title's unless given."""
    return Shown("absent", name or slug(title), title, why)


def shown(
    declared: Sequence[items.Item], analysis: items.Analysis, context: Any, folder: Path, link: str
) -> list[Shown]:
    """Declared items as a page shows them; figures are read from ``folder``, which is ``link`` seen from the page."""
    tables = {item.name for item in declared if isinstance(item, items.Table)}

    def one(item: items.Item) -> Shown:
        if isinstance(item, items.Absent):
            return absent(item.title, item.why)
        warnings = item.warn(analysis, context)
        if isinstance(item, items.Table):
            files = [f"{link}/{item.name}.{form}" for form in items.TABLE_FORMS]
            table = item.for_people(item.made(analysis, context))
            fold = item.fold(table)
            return shown_table(
                item.name, item.title, item.caption, table, item.decimals, files, fold, warnings
            )
        files = [f"{link}/{file}" for file in (*items.files_of([item], items.Figure), *item.beside)]
        name = f"{item.name}-figure" if item.name in tables else item.name
        svg = (folder / f"{item.name}.svg").read_bytes()
        return shown_figure(name, item.title, item.caption, svg, files, warnings)

    return [one(item) for item in declared]


def slug(text: str) -> str:
    """Words as a name that can stand in an anchor: ``Table 1. Runs`` becomes ``table-1.-runs``."""
    return re.sub(r"[^\w.]+", "-", text.lower()).strip("-.")


#: characters of a text that is not broken, in a table
_SHORT = 12


def _grid(table: pd.DataFrame, decimals: Decimals) -> dict[str, Any]:
    """A table as texts; ``kinds`` are the columns', which say how wide they must be."""
    rows = cells(table, decimals)
    short = [all(len(row[column]) <= _SHORT for row in rows) for column in range(table.shape[1])]
    kinds = ["number" if n else "short" if s else "" for n, s in zip(numeric(table), short, strict=True)]
    return {"headings": headings(table), "kinds": kinds, "rows": rows}


# ---------------------------------------------------------------------------------------- findings


def _number(value: float) -> str:
    return number(value, ".3g" if 0 < abs(value) < 0.0001 else ",.0f" if value % 1 == 0 else ",.4f")


def _relation(what: str, left: float, relation: str, right: float) -> str:
    if math.isnan(left) or math.isnan(right):
        return MISSING
    underflown = left == 0 and re.search(r"\bp\b", what)
    return f"{UNDERFLOWN if underflown else _number(left)} {relation} {_number(right)}"


def _comparison(row: Mapping[Any, Any]) -> dict[str, Any]:
    """What was asked of the numbers, here and as printed, on what evidence, and whether it holds here."""
    what, relation = row["comparison"], row["relation"]
    here = _relation(what, row["left"], relation, row["right"])
    printed = _relation(what, row["left_printed"], relation, row["right_printed"])
    known = {key: row[key] for key in ("state", "reason")}
    return {"what": what, "here": here, "printed": printed, "evidence": _evidence(row), **known}


def _evidence(row: Mapping[Any, Any]) -> str:
    """The interval that decides a comparison, of how many runs or topics, and what is most influential in it."""
    if math.isnan(row["low"]):
        return counted(row["n"], "value") if row["n"] else ""
    of_difference = row["interval_of"] == "difference"
    told = f"difference {_number(row['left'] - row['right'])} " * of_difference
    told += f"[{_number(row['low'])}, {_number(row['high'])}], {row['n']} {row['over']}"
    return told + f"; without {row['influential']}: {_number(row['without'])}" * bool(row["influential"])


def _told(part: pd.DataFrame) -> str:
    """How many comparisons of a finding hold, of those whose numbers are known."""
    count = part["state"].value_counts()
    comparisons = counted(len(part), "comparison")
    if count.get(UNKNOWN) == len(part):
        return f"{comparisons}, none testable"
    others = {UNDECIDED: "undecided", UNKNOWN: "not testable"}
    told = "".join(f", {count[state]} {words}" for state, words in others.items() if state in count)
    return f"holds in {count.get(HOLDS, 0)} of {comparisons}{told}"


def _finding(name: str, part: pd.DataFrame) -> dict[str, Any]:
    """A finding, of whose comparisons a table has the rows."""
    first = part.iloc[0]
    return {
        "name": slug(name),
        **{key: first[key] for key in ("verdict", "claim", "section", "computed")},
        "reason": " ".join(filter(None, dict.fromkeys(part["reason"]))),
        "partly": not (part["reason"] != "").all(),
        "rows": [_comparison(row) for row in part.to_dict("records")],
        "told": _told(part),
        "open": first["verdict"] == NOT_CONFIRMED,
    }


def _findings_caption(findings: Sequence[Mapping[str, Any]]) -> str:
    found = [finding["verdict"] for finding in findings]
    told = ", ".join(f"{found.count(verdict)} {verdict}" for verdict in MARKS if verdict in found)
    return (
        f"{counted(len(found), 'claim')} of the paper as checks: {told}. Comparisons are of "
        "unrounded numbers; thresholds were fixed beforehand. Beside each: the 95 % bootstrap interval that decides it "
        "(of the number, or of the difference of the two), the number of runs or topics that were drawn, and the value "
        "without the most influential of them."
    )


# ---------------------------------------------------------------------------------------- sections


def _blocks(text: str) -> list[str]:
    """The paragraphs of a plain text: what stands between empty lines."""
    return [" ".join(block.split()) for block in re.split(r"\n\s*\n", text) if block.strip()]


@cache
def _templates() -> Environment:
    found = templates()
    found.filters.update(blocks=_blocks, slug=slug, form=lambda path: Path(path).suffix[1:].upper())
    found.globals.update(marks=MARKS, meanings=MEANINGS, fails=FAILS, undecided=UNDECIDED)
    return found


def _check_anchors(anchors: Sequence[str], of: str) -> None:
    if repeated := sorted({anchor for anchor in anchors if anchors.count(anchor) > 1}):
        raise ValueError(f"more than one {of} with the anchor {', '.join(repeated)}")


@dataclass(frozen=True)
class Section:
    """A section with what the page must know of it."""

    anchor: str
    group: str  #: the heading in the contents that it stands under, usually the paper; may be empty
    campaign: str  #: the campaign that it is of; may be empty
    heading: str  #: of one's own systems: what their campaign is called; else empty
    label: str  #: its own words there, usually the campaign
    contents: Sequence[Sequence[str]]  #: anchor and title of every item
    verdicts: Mapping[str, Sequence[Any]]  #: number of findings and anchor of the first, by verdict
    html: Markup


def section(
    anchor: str,
    title: str,
    introduction: str,
    items: Sequence[Shown],
    *,
    group: str = "",
    label: str = "",
    campaign: str = "",
    heading: str = "",
) -> str:
    """One part of the page, as the text of a file: a paper on a campaign, say.

    ``anchor`` (``paper-campaign``) is unique on the page, and ``anchor:name`` is an item's: a colon stands
    in no campaign's name, so that no two can be equal. ``introduction`` is plain text. In the contents the section
    stands under ``group`` (the paper) as ``label`` (the campaign; the title unless given). A section of one's own
    systems says what their ``campaign`` is called (``heading``): the page begins with it.
    The first line of the text is a comment that holds, as JSON, what `page` must know.
    Raises ValueError if two items have one name.
    """
    named = [(f"{anchor}:{item.name}", item) for item in items]
    _check_anchors([id for id, _ in named], "item")
    by_verdict: dict[str, list[str]] = {}
    for id, item in named:
        for finding in item.content if item.kind == "findings" else ():
            by_verdict.setdefault(finding["verdict"], []).append(f"{id}:{finding['name']}")
    about = {
        "anchor": anchor,
        "group": group,
        "campaign": campaign,
        "heading": heading,
        "label": label or title,
        "contents": [(id, item.title) for id, item in named],
        "verdicts": {verdict: (len(ids), ids[0]) for verdict, ids in by_verdict.items()},
    }
    html = (
        _templates()
        .get_template("section.html")
        .render(anchor=anchor, title=title, introduction=introduction, items=named)
    )
    # no title can end the comment
    header = json.dumps(about).replace("<", r"\u003c").replace(">", r"\u003e").replace("--", r"-\u002d")
    return f"<!--{header}-->\n{html}\n"


#: the anchor of the section on steps that failed, with which the page begins
NOT_FINISHED = "not-finished"

#: more of them are folded away
_MOST_REASONS = 5


def not_computed(unsuited: Mapping[str, Mapping[str, str]], titles: Mapping[str, str]) -> str:
    """The section that says which papers are not computed on which campaigns, and why; ``""`` if all are.

    Papers that one campaign has one reason for stand together.
    ``unsuited`` has the reasons by campaign and paper, ``titles`` those of the papers by name.
    """
    together: dict[tuple[str, str], list[str]] = {}
    for name, found in unsuited.items():
        for paper, why in found.items():
            together.setdefault((name, why), []).append(titles.get(paper, paper))
    if not together:
        return ""
    rows = [(name, "; ".join(papers), why) for (name, why), papers in together.items()]
    table = pd.DataFrame(rows, columns=["campaign", "papers", "why"])
    fold = f"{len(rows)} of them" if len(rows) > _MOST_REASONS else ""
    shown = shown_table("table", "Papers and campaigns", "", table, {}, fold=fold)
    told = "A campaign that names papers is asked those and no others; else all that its files allow."
    return section(
        "not-computed",
        "Not computed, and why",
        told,
        [shown],
        group="Not computed",
        label="Papers and campaigns",
    )


def read_section(text: str) -> Section:
    """A section from its text. Raises ValueError if `section` did not write it."""
    header, _, html = text.partition("-->\n")
    if not header.startswith("<!--{"):
        raise ValueError("not a section of the report: its first line says nothing of it")
    return Section(**json.loads(header.removeprefix("<!--")), html=Markup(html))


def _grouped(sections: Sequence[Section]) -> list[tuple[str, list[Section]]]:
    """Sections by the heading that they stand under, in their order."""
    return [(group, list(each)) for group, each in groupby(sections, lambda section: section.group)]


_TITLE = "focuseval: published evaluations of focused retrieval, computed again"
_INTRODUCTION = (
    "Every table and figure of the papers that the configuration asks for, computed from documents, "
    "assessments and runs, beside the numbers that the papers print. This page needs no network; links lead "
    "to the same tables and figures as files beside it."
)


_OF_SYSTEMS = (
    "The systems of this campaign under the main measures of its task, and which of them differ{claims}. This page "
    "needs no network; links lead to the same tables and figures as files beside it."
)
_CLAIMS = "; then, folded, what published papers claim of such measures, checked on the same runs"


def page(
    sections: Sequence[str], provenance: Mapping[str, Any], views: Mapping[str, str] = MappingProxyType({})
) -> str:
    """The whole page: contents, a table of all verdicts, the sections (each from `section`) in order, provenance.

    Where some are of one's own systems, the page is called after their campaigns: these and what follows them before
    the first verdicts stand first, and claims of papers on these campaigns are folded. Where steps failed, the first
    section says so, and stands first, too. ``views`` are pages to look into campaigns (`focuseval.view`): their
    titles, by paths as seen from this one.

    Raises ValueError if two sections have one anchor.
    """
    found = [read_section(text) for text in sections]
    _check_anchors([each.anchor for each in found], "section")
    own = {each.campaign: each.heading for each in found if each.heading}
    folded = {each.anchor for each in found if each.verdicts and each.campaign in own}
    begins = own or any(each.anchor == NOT_FINISHED for each in found[:1])
    first = list(takewhile(lambda section: not section.verdicts, found)) if begins else []
    style = _templates().get_template("page.css").render()
    return (
        _templates()
        .get_template("page.html")
        .render(
            title=" · ".join(own.values()) or _TITLE,
            style=Markup(style),
            policy=policy(style_src=digest(style), img_src="data:"),  # style and figures stand in the page
            introduction=_OF_SYSTEMS.format(claims=_CLAIMS if folded else "") if own else _INTRODUCTION,
            first=_grouped(first),
            groups=_grouped(found[len(first) :]),
            folded=folded,
            verdicts=[each for each in found if each.verdicts],
            views={quote(path): title for path, title in views.items()},
            provenance=json.dumps(provenance, indent=2, ensure_ascii=False),
        )
    )
