"""The report: one page that holds everything it shows, so that it opens from disk and can be sent on.

Items are plain data (`SectionItem`) from `shown_table`, `shown_figure`, ... `section` renders a list of items as one
part of the page; `page` puts the parts below each other, under a table of contents. The templates in this folder make
the HTML; they escape every text.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, count, groupby
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
    """An item of a section, under its own title."""

    kind: str  #: the macro of items.html that draws the content
    name: str  #: its anchor within the section: letters, digits, dots, hyphens, underscores
    title: str
    content: Any
    caption: str = ""  #: plain text; empty lines separate paragraphs
    files: Sequence[str] = ()  #: files with the same content, by their paths from the report
    fold: str = ""  #: text of the folded item's summary
    warnings: Sequence[str] = ()  #: shown above it


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
    """A table, with its numbers rounded to ``decimals``.

    A table of more than `_OPEN` rows is folded away, as is one to ``fold``, and of one that is in ``files`` the first
    `_ROWS` rows are shown.
    """
    words = f"All {len(table):,} rows" if len(table) > (1 if fold else _OPEN) else ""
    if files and len(table) > _ROWS:
        words = f"The first {_ROWS} of {len(table):,} rows; the files have all"
        table = table.head(_ROWS)
    return SectionItem("table", name, title, _grid(table, decimals), caption, files, words, warnings)


def shown_figure(
    name: str, title: str, caption: str, svg: bytes, files: Sequence[str] = (), warnings: Sequence[str] = ()
) -> SectionItem:
    """A figure; the page holds the SVG."""
    return SectionItem("figure", name, title, inline(svg, title), caption, files, warnings=warnings)


def shown_left_out(table: pd.DataFrame, files: Sequence[str] = ()) -> SectionItem:
    """Return the item on excluded data, a table of `focuseval.campaign.tables.LEFT_OUT`."""
    content = [(each, _grid(each.every.head(_ROWS) if files else each.every, {})) for each in in_words(table)]
    fold = "; ".join(each.kind.what for each, _ in content)
    return SectionItem(
        "left_out", "left-out", "Left out", content, "Excluded data and zero scores.", files, fold
    )


def shown_names(short: Mapping[str, str]) -> list[SectionItem]:
    """Return the key to shortened names (`focuseval.report.tables.shorten`), if there are any."""
    table = pd.DataFrame({"here": short.values(), "run": short.keys()})
    return [shown_table("names", "The whole names of the runs", "", table, {})] if short else []


def absent(title: str, why: str, name: str = "") -> SectionItem:
    """A table or figure of the paper that a campaign cannot have. The name is the title's unless given."""
    return SectionItem("absent", name or slug(title), title, why)


def shown(
    declared: Sequence[parts.Item], analysis: parts.Analysis, context: Any, folder: Path, link: str
) -> list[SectionItem]:
    """Declared items as a page shows them; figures are read from ``folder``, which is ``link`` seen from the page.

    A table of the same name as a figure has its values, and is a link below it.
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
    """Turn words into the name of an anchor: ``Table 1. Runs`` becomes ``table-1.-runs``."""
    return re.sub(r"[^\w.]+", "-", text.lower()).strip("-.")


#: tables of more rows are folded away, and of those that are in files so many rows are shown at most
_OPEN, _ROWS = 12, 40

#: characters of a text that is not broken, in a table
_SHORT = 12


def _grid(table: pd.DataFrame, decimals: Decimals) -> dict[str, Any]:
    """Return a table as texts; ``kinds`` of columns decide widths, and ``marks`` of cells are their classes."""
    rows = cells(table, decimals)
    columns = list(zip(*rows, strict=True)) or [()] * table.shape[1]
    short = (all(len(text) <= _SHORT for text in texts) for texts in columns)
    kinds = ["number" if n else "short" if s else "" for n, s in zip(numeric(table), short, strict=True)]
    drawn = list(zip(*map(_whiskers, columns), strict=True))
    marked = {cell: mark for mark in (BEST, OUTSIDE) for cell in table.attrs.get(mark, [])}
    marks = [[marked.get((row, name), "") for name in table] for row in range(len(table))]
    return {"headings": headings(table), "kinds": kinds, "rows": rows, "drawn": drawn, "marks": marks}


#: a number with its interval, as `focuseval.report.tables.with_intervals` writes it
_INTERVAL = re.compile(r"(\S+) \[(\S+),\s(\S+)\]")


def _whiskers(texts: Sequence[str]) -> list[dict[str, Any] | None]:
    """Return where numbers and limits of a column are drawn, from -1 to 1, and where 0 is, if it is among them."""
    matches = [_INTERVAL.fullmatch(text.replace(MINUS, "-")) for text in texts]
    numbers = [[float(x.replace(",", "")) for x in each.groups()] if each else [] for each in matches]
    low, high = min(chain(*numbers), default=0.0), max(chain(*numbers), default=0.0)

    def place(x: float) -> float:
        return round((2 * x - low - high) / ((high - low) or 1.0), 3)

    bound = place(0.0) if low <= 0 <= high else None
    return [{"here": list(map(place, each)), "bound": bound} if each else None for each in numbers]


# ---------------------------------------------------------------------------------------- sections


def _blocks(text: str) -> list[str]:
    """The paragraphs of a plain text: what is between empty lines."""
    return [" ".join(block.split()) for block in re.split(r"\n\s*\n", text) if block.strip()]


def _breakable(text: str) -> Markup:
    """Allow line breaks in a text before brackets and after marks, not within intervals."""
    return Markup("<wbr>").join(re.split(r"(?=[\[@(])|(?<=[_/])|(?<=,)(?!\s)", text))


def _hovered(figure: str, whole: Mapping[str, str]) -> Markup:
    """Return a figure with ``whole`` names of runs on hover."""

    def titled(match: re.Match[str]) -> str:
        name = renamed(match[1], whole)
        return f">{match[1]}<title>{escape(name)}</title></text>" if name != match[1] else match[0]

    return Markup(re.sub(">([^<]*)</text>", titled, figure))


@cache
def environment(package: str = "focuseval.report") -> Environment:
    """Return the environment of a package's templates and the report's, with the filters of both."""
    loader = templates(package)
    loader.filters.update(blocks=_blocks, slug=slug, breakable=_breakable, hovered=_hovered, renamed=renamed)
    languages = {".tex": "LaTeX", ".md": "Markdown"}
    loader.filters["form"] = lambda path: languages.get(Path(path).suffix, Path(path).suffix[1:].upper())
    return loader


def _check_anchors(anchors: Sequence[str], of: str) -> None:
    if repeated := sorted({anchor for anchor in anchors if anchors.count(anchor) > 1}):
        raise ValueError(f"more than one {of} with the anchor {', '.join(repeated)}")


@dataclass(frozen=True)
class Section:
    """A section with what the page must know of it."""

    anchor: str
    group: str  #: the heading in the contents that it is under, usually the paper; may be empty
    campaign: str  #: the campaign that it is of; may be empty
    heading: str  #: name of the campaign for one's own systems; else empty
    label: str  #: its own words there, usually the campaign
    contents: Sequence[Sequence[str]]  #: anchor and title of every item
    folded: bool  #: True if the content is folded
    lead: str  #: a sentence below the title, visible also if the content is folded; may be empty
    claims: Sequence[Mapping[str, Any]]  #: claims of a paper, as `section` received them; may be empty
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
    """Render one part of the page, such as a paper on a campaign.

    ``anchor`` (``paper-campaign``) is unique on the page, and ``anchor:name`` is an item's: a colon is
    in no campaign's name, so that no two can be equal. ``introduction`` is plain text. In the contents the section
    stands under ``group`` (the paper) as ``label`` (the campaign; the title unless given); it is ``folded`` behind its
    title and ``lead``, and opens when a link leads into it. A section of one's own
    systems says what their ``campaign`` is called (``heading``), one of a paper which ``claims`` it checks: plain
    values for those who put the page together. Where the items have the ``short`` names of runs
    (`focuseval.report.tables.shorten`), the whole ones are shown on hover.
    The first line of the text is a comment that holds, as JSON, what `page` must know.
    Raises ValueError if two items have one name.
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
        "lead": lead,
        "claims": claims,
    }
    contents = {**about, "title": title, "introduction": introduction, "items": anchored}
    whole = dict(sorted(((cut, name) for name, cut in short.items()), key=lambda pair: -len(pair[0])))
    html = environment().get_template("section.html").render(contents, whole=whole)
    # no title can end the comment
    header = json.dumps(about).replace("<", r"\u003c").replace(">", r"\u003e").replace("--", r"-\u002d")
    return f"<!--{header}-->\n{html}\n"


def read_section(text: str) -> Section:
    """A section from its text. Raises ValueError if `section` did not write it."""
    header, _, html = text.partition("-->\n")
    if not header.startswith("<!--{"):
        raise ValueError("not a section of the report: its first line says nothing of it")
    return Section(**json.loads(header.removeprefix("<!--")), html=Markup(html))


def _numbered(section: Section, numbers: Iterator[int], generated: Collection[str]) -> Section:
    """Number the figures of a section, and add to their captions that data are generated, if they are."""
    data = f" Data: generated ({section.campaign})." if section.campaign in generated else ""
    first, *rest = str(section.html).replace("</figcaption>", f"{data}</figcaption>").split("<figcaption>")
    captions = (f"<figcaption><b>Figure {next(numbers)} of this report.</b> {other}" for other in rest)
    return replace(section, html=Markup("".join([first, *captions])))


def _grouped(sections: Sequence[Section]) -> list[tuple[str, list[Section]]]:
    """Sections by the heading that they are under, in their order."""
    return [(group, list(each)) for group, each in groupby(sections, lambda section: section.group)]


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
    """Return the whole page: contents, the sections (each from `section`) in order, and lines ``about`` it, if any.

    Where some are of one's own systems, the page is called after their campaigns; else it has the ``title`` and begins
    with the ``introduction``. ``views`` are pages to look
    into campaigns (`focuseval.view`): their titles, by paths as seen from this one. ``style`` is CSS that the sections
    need beside that of all pages; captions of figures on ``generated`` campaigns say that data are.

    Raises ValueError if two sections have one anchor.
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
            policy=policy(style_src=digest(style), img_src="data:"),  # style and figures are in the page
            introduction="" if own else introduction,
            groups=_grouped(numbered),
            views={quote(path): title for path, title in views.items()},
            about=about,
        )
    )
