"""The report: one page without external files, so that it opens offline and can be shared.

Functions such as `shown_table` return items as plain data (`SectionItem`). `section` renders items as a section of the
page, and `page` joins sections. Templates produce the HTML and escape all text.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, count, groupby
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

import pandas as pd
from jinja2 import Environment
from markupsafe import Markup, escape

from focuseval.report import parts
from focuseval.report.html import digest, policy, templates
from focuseval.report.notices import in_words
from focuseval.report.svg import inline
from focuseval.report.tables import BEST, MINUS, OUTSIDE, Decimals, cells, headings, numeric, renamed


@dataclass(frozen=True, eq=False)
class SectionItem:
    """An item of a report section, such as a table or a figure."""

    kind: str  #: the macro in items.html that renders the content
    name: str  #: the anchor within the section, made of letters, digits, dots, hyphens and underscores
    title: str
    content: Any
    caption: str = ""  #: plain text; empty lines separate paragraphs
    files: Sequence[str] = ()  #: paths of files with the content, relative to the report
    fold: str = ""  #: the text that is visible while the item is folded, or "" if it is always open
    warnings: Sequence[str] = ()  #: sentences above the item


def shown_table(
    name: str,
    title: str,
    caption: str,
    table: pd.DataFrame,
    decimals: Decimals,
    files: Sequence[str] = (),
    warnings: Sequence[str] = (),
    fold: bool = False,
) -> SectionItem:
    """Return a section item that shows a table, with numbers rounded to ``decimals``.

    A table with more than `_OPEN` rows is folded or, if ``fold`` is true, a table with more than one row. If ``files``
    contain the table, the page shows at most its first `_ROWS` rows.
    """
    words = f"All {len(table):,} rows" if len(table) > (1 if fold else _OPEN) else ""
    if files and len(table) > _ROWS:
        words = f"The first {_ROWS} of {len(table):,} rows (the files have all)"
        table = table.head(_ROWS)
    return SectionItem("table", name, title, _grid(table, decimals), caption, files, words, warnings)


def shown_figure(
    name: str, title: str, caption: str, svg: bytes, files: Sequence[str] = (), warnings: Sequence[str] = ()
) -> SectionItem:
    """Return a section item that shows an SVG figure."""
    return SectionItem("figure", name, title, inline(svg, title), caption, files, warnings=warnings)


def shown_left_out(table: pd.DataFrame, files: Sequence[str] = ()) -> SectionItem:
    """Return the section item that lists excluded data (the table `focuseval.campaign.tables.LEFT_OUT`)."""
    content = [(each, _grid(each.every.head(_ROWS) if files else each.every, {})) for each in in_words(table)]
    fold = "; ".join(each.kind.what for each, _ in content)
    return SectionItem(
        "left_out", "left-out", "Left out", content, "Excluded data and zero scores.", files, fold
    )


def shown_names(short: Mapping[str, str]) -> list[SectionItem]:
    """Return a list with a section item that shows the full names of runs in ``short``, or an empty list."""
    table = pd.DataFrame({"here": short.values(), "run": short.keys()})
    return [shown_table("names", "Full names of runs", "", table, {})] if short else []


def absent(title: str, why: str, name: str = "") -> SectionItem:
    """Return a section item that states ``why`` a table or figure is unavailable."""
    return SectionItem("absent", name or slug(title), title, why)


def shown(
    declared: Sequence[parts.Item], analysis: parts.Analysis, context: Any, folder: Path, link: str
) -> list[SectionItem]:
    """Return the section items that show declared tables and figures on a page.

    ``folder`` contains the figures, and ``link`` is the folder's path relative to the page. A table with the same name
    as a figure is not shown, but its files are linked below that figure.
    """
    figures = {item.name for item in declared if isinstance(item, parts.Figure)}
    tables = {
        item.name: parts.files_of([item], parts.Table) for item in declared if isinstance(item, parts.Table)
    }

    def one(item: parts.Item) -> SectionItem:
        if isinstance(item, parts.Absent):
            return absent(item.title, item.why)
        if why := item.why_not(analysis):
            return absent(item.title, why, item.name)
        warnings = item.warn(analysis, context)
        if isinstance(item, parts.Table):
            files = [f"{link}/{file}" for file in tables[item.name]]
            table = item.for_people(item.made(analysis, context))
            about = item.name, item.title, item.caption
            return shown_table(*about, table, item.decimals, files, warnings, item.fold)
        drawn = parts.files_of([item], parts.Figure)
        files = [f"{link}/{file}" for file in (*drawn, *item.beside, *tables.get(item.name, []))]
        svg = (folder / f"{item.name}.svg").read_bytes()
        return shown_figure(item.name, item.title, item.caption, svg, files, warnings)

    def left_out(item: parts.Item) -> bool:
        if isinstance(item, parts.Absent):
            return False
        return (isinstance(item, parts.Table) and item.name in figures) or item.why_not(analysis) is None

    return [one(item) for item in declared if not left_out(item)]


def slug(text: str) -> str:
    """Convert text to an anchor: ``Table 1. Runs`` becomes ``table-1.-runs``."""
    return re.sub(r"[^\w.]+", "-", text.lower()).strip("-.")


#: tables with more than _OPEN rows are folded; the page shows _ROWS rows if files contain the other rows
_OPEN, _ROWS = 12, 40

#: columns are not wrapped if their texts are at most this long
_SHORT = 12


def _grid(table: pd.DataFrame, decimals: Decimals) -> dict[str, Any]:
    """Return the headings, the cells and the marks of a table as data for the template of the page."""
    rows = cells(table, decimals)
    columns = list(zip(*rows, strict=True)) or [()] * table.shape[1]
    short = (all(len(text) <= _SHORT for text in texts) for texts in columns)
    kinds = ["number" if n else "short" if s else "" for n, s in zip(numeric(table), short, strict=True)]
    drawn = list(zip(*map(_whiskers, columns), strict=True))
    marked = {cell: mark for mark in (BEST, OUTSIDE) for cell in table.attrs.get(mark, [])}
    marks = [[marked.get((row, name), "") for name in table] for row in range(len(table))]
    return {"headings": headings(table), "kinds": kinds, "rows": rows, "drawn": drawn, "marks": marks}


#: matches a number and its interval (`focuseval.report.tables.with_intervals`)
_INTERVAL = re.compile(r"(\S+) \[(\S+),\s(\S+)\]")


def _whiskers(texts: Sequence[str]) -> list[dict[str, Any] | None]:
    """Return where the page draws each number with its interval (``here``) and the value 0 (``bound``).

    Positions are on a scale from -1 to 1. ``bound`` is None if 0 is off the scale. Texts without interval give None.
    """
    matches = [_INTERVAL.fullmatch(text.replace(MINUS, "-")) for text in texts]
    numbers = [[float(x.replace(",", "")) for x in each.groups()] if each else [] for each in matches]
    low, high = min(chain(*numbers), default=0.0), max(chain(*numbers), default=0.0)

    def place(x: float) -> float:
        return round((2 * x - low - high) / ((high - low) or 1.0), 3)

    bound = place(0.0) if low <= 0 <= high else None
    return [{"here": list(map(place, each)), "bound": bound} if each else None for each in numbers]


def _blocks(text: str) -> list[str]:
    """Split a text into paragraphs at empty lines."""
    return [" ".join(block.split()) for block in re.split(r"\n\s*\n", text) if block.strip()]


def _breakable(text: str) -> Markup:
    """Allow line breaks in a text before brackets and after punctuation."""
    return Markup("<wbr>").join(re.split(r"(?=[\[@(])|(?<=[_/])|(?<=,)(?!\s)", text))


def _hovered(figure: str, whole: Mapping[str, str]) -> Markup:
    """Show the full name of a run when the mouse is over its short name in an SVG figure."""

    def titled(match: re.Match[str]) -> str:
        name = renamed(match[1], whole)
        return f">{match[1]}<title>{escape(name)}</title></text>" if name != match[1] else match[0]

    return Markup(re.sub(">([^<]*)</text>", titled, figure))


@cache
def environment(package: str = "focuseval.report") -> Environment:
    """Return an environment with the templates of a package and of the report, and with the report's filters."""
    loader = templates(package)
    loader.filters.update(blocks=_blocks, slug=slug, breakable=_breakable, hovered=_hovered, renamed=renamed)
    languages = {".tex": "LaTeX", ".md": "Markdown"}
    loader.filters["form"] = lambda path: languages.get(Path(path).suffix, Path(path).suffix[1:].upper())
    return loader


def _check_anchors(anchors: Sequence[str], kind: str) -> None:
    if repeated := sorted({anchor for anchor in anchors if anchors.count(anchor) > 1}):
        raise ValueError(f"more than one {kind} with the anchor {', '.join(repeated)}")


@dataclass(frozen=True)
class Section:
    """A rendered section, and its data for the table of contents."""

    anchor: str
    group: str  #: heading in the table of contents, usually the title of the paper; "" if there is none
    campaign: str  #: name of the campaign, or ""
    heading: str  #: title of the campaign if the section is about the user's systems, else ""
    label: str  #: text in the table of contents, usually the campaign
    contents: Sequence[Sequence[str]]  #: the anchor and the title of each item
    folded: bool  #: whether the content is folded
    claims: Sequence[Mapping[str, Any]]  #: claims of a paper, as in `section`
    html: Markup


def section(
    anchor: str,
    title: str,
    introduction: str,
    items: Sequence[SectionItem],
    *,
    group: str = "",
    label: str = "",
    campaign: str = "",
    heading: str = "",
    claims: Sequence[Mapping[str, Any]] = (),
    folded: bool = True,
    lead: str = "",
    short: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Render a section of the report, such as the results of a paper on a campaign.

    ``anchor`` must be unique on the page, such as ``paper-campaign``. ``introduction`` is plain text. The table of
    contents lists the section under ``group`` (usually the paper) as ``label`` (by default, the title). If ``folded``
    is true, only the title and ``lead`` are visible at first. In a section about the user's systems, ``heading`` is the
    title of the ``campaign``. ``claims`` are data about a paper's claims. ``short`` maps names of runs to short names
    (`focuseval.report.tables.shorten`).

    The first line of the result is a comment with data for `page`, as JSON. Raises ValueError if two items have the
    same name.
    """
    anchored = [(f"{anchor}:{item.name}", item) for item in items]
    _check_anchors([id for id, _ in anchored], "item")
    about = {
        "anchor": anchor,
        "group": group,
        "campaign": campaign,
        "heading": heading,
        "label": label or title,
        "contents": [(id, item.title) for id, item in anchored],
        "folded": folded,
        "claims": claims,
    }
    contents = {**about, "title": title, "lead": lead, "introduction": introduction, "items": anchored}
    whole = dict(sorted(((cut, name) for name, cut in short.items()), key=lambda pair: -len(pair[0])))
    html = environment().get_template("section.html").render(contents, whole=whole)
    # without these escapes, a title could end the HTML comment
    header = json.dumps(about).replace("<", r"\u003c").replace(">", r"\u003e").replace("--", r"-\u002d")
    return f"<!--{header}-->\n{html}\n"


def read_section(text: str) -> Section:
    """Read a section that `section` returned. Raises ValueError for any other text."""
    header, _, html = text.partition("-->\n")
    if not header.startswith("<!--{"):
        raise ValueError("not a section of the report: its first line does not describe one")
    return Section(**json.loads(header.removeprefix("<!--")), html=Markup(html))


def _numbered(section: Section, numbers: Iterator[int], generated: Collection[str]) -> Section:
    """Number the figures of a section. If its campaign is in ``generated``, mark the captions as generated data."""
    data = f" Data: generated ({section.campaign})." if section.campaign in generated else ""
    first, *rest = str(section.html).replace("</figcaption>", f"{data}</figcaption>").split("<figcaption>")
    captions = (f"<figcaption><b>Figure {next(numbers)} of this report.</b> {other}" for other in rest)
    return replace(section, html=Markup("".join([first, *captions])))


def page(
    sections: Sequence[str],
    about: Mapping[str, str],
    views: Mapping[str, str] = MappingProxyType({}),
    *,
    title: str = "focuseval",
    introduction: str = "",
    style: str = "",
    generated: Collection[str] = (),
) -> str:
    """Return the HTML page with the ``sections`` (from `section`) and a table of contents.

    ``about`` contains names and texts for the part "About this report". ``views`` maps paths of `focuseval.view` pages
    to their titles. ``style`` is additional CSS. ``generated`` lists the campaigns with generated data, so that
    captions of figures can state this. If sections are about the user's systems, their headings replace ``title``, and
    ``introduction`` is omitted. Raises ValueError for repeated anchors.
    """
    numbers = count(1)
    numbered = [_numbered(read_section(text), numbers, generated) for text in sections]
    _check_anchors([each.anchor for each in numbered], "section")
    own = {each.campaign: each.heading for each in numbered if each.heading}
    style = environment().get_template("page.css").render() + style
    return (
        environment()
        .get_template("page.html")
        .render(
            title=" · ".join(own.values()) or title,
            style=Markup(style),
            policy=policy(style_src=digest(style), img_src="data:"),  # styles and images are part of the page
            introduction="" if own else introduction,
            groups=[(group, list(each)) for group, each in groupby(numbered, attrgetter("group"))],
            views={quote(path): title for path, title in views.items()},
            about=about,
        )
    )
