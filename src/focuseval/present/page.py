"""The report: one page that holds everything it shows, so that it opens from disk and can be sent on.

A paper's rules make sections; the page is the sections in order, under one style, with the provenance.
"""

import base64
import html
import json
import math
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import pandas as pd

from focuseval.papers.findings import CONFIRMED, NOT_CONFIRMED, NOT_TESTABLE
from focuseval.present.tables import Decimals, to_html


def paragraphs(text: str) -> str:
    """Plain text as HTML paragraphs, one for each block between empty lines."""
    blocks = (" ".join(block.split()) for block in text.split("\n\n"))
    return "".join(f"<p>{html.escape(block)}</p>\n" for block in blocks if block)


def table_files(stem: str) -> list[str]:
    """The forms that a table is written in, by its path without suffix, as seen from the report."""
    return [f"{stem}.{suffix}" for suffix in ("csv", "md", "tex")]


def figure_files(stem: str) -> list[str]:
    """The forms that a figure is written in, by its path without suffix, as seen from the report."""
    return [f"{stem}.{suffix}" for suffix in ("svg", "png")]


def _links(paths: Sequence[str]) -> str:
    """Links to files beside the report, shown by their suffixes."""
    if not paths:
        return ""
    found = ", ".join(f'<a href="{html.escape(p)}">{Path(p).suffix[1:].upper()}</a>' for p in paths)
    return f'<p class="files">As a file: {found}</p>\n'


def _item(title: str, caption: str, body: str, paths: Sequence[str]) -> str:
    text = f'<div class="caption">{paragraphs(caption)}</div>\n' if caption else ""
    return f"<h3>{html.escape(title)}</h3>\n{text}{body}{_links(paths)}"


def table_item(
    title: str,
    caption: str,
    table: pd.DataFrame,
    decimals: Decimals,
    paths: Sequence[str] = (),
    fold: str = "",
) -> str:
    """A table with its title and caption, and links to the same table as files.

    With ``fold`` the table is folded away behind these words.
    """
    body = _folded(fold, to_html(table, decimals)) if fold else to_html(table, decimals)
    return _item(title, caption, f'<div class="wide">{body}</div>\n', paths)


def _folded(summary: str, body: str) -> str:
    return f"<details><summary>{html.escape(summary)}</summary>{body}</details>\n"


def figure_item(title: str, caption: str, svg: bytes, paths: Sequence[str] = ()) -> str:
    """A figure with its title and caption; the SVG is held in the page."""
    data = base64.b64encode(svg).decode("ascii")
    image = f'<img alt="{html.escape(title)}" src="data:image/svg+xml;base64,{data}">\n'
    return _item(title, caption, image, paths)


def absent_item(title: str, why: str) -> str:
    """A table or figure of the paper that this campaign cannot have."""
    return f'<h3>{html.escape(title)}</h3>\n<p class="note">Not available: {html.escape(why)}</p>\n'


def _number(value: float) -> str:
    if math.isnan(value):
        return "–"
    decimals = 0 if value == int(value) else 4
    written = f"{value:.3g}" if 0 < abs(value) < 0.0001 else f"{value:,.{decimals}f}"
    return written.replace("-", "\N{MINUS SIGN}")


def _relation(left: float, relation: str, right: float) -> str:
    if math.isnan(left) or math.isnan(right):
        return "–"
    return html.escape(f"{_number(left)} {relation} {_number(right)}")


def _comparisons(rows: pd.DataFrame) -> str:
    """The comparisons of a finding: what was asked of the numbers; where it is not so, it says so."""
    lines = ["<tr><th></th><th>here</th><th>printed</th></tr>"]
    for row in rows.to_dict("records"):
        here = _relation(row["left"], row["relation"], row["right"])
        fails = here != "–" and not row["holds"]
        here = f'<td class="fails">{here} is false</td>' if fails else f"<td>{here}</td>"
        printed = _relation(row["left_printed"], row["relation"], row["right_printed"])
        lines.append(f"<tr><td>{html.escape(row['comparison'])}</td>{here}<td>{printed}</td></tr>")
    return f'<table class="comparisons">{"".join(lines)}</table>'


def verdicts(findings: pd.DataFrame) -> dict[str, int]:
    """How many findings have each verdict, from a table of `findings_table`."""
    counts = findings.drop_duplicates("finding")["verdict"].value_counts()
    return {verdict: int(counts.get(verdict, 0)) for verdict in (CONFIRMED, NOT_CONFIRMED, NOT_TESTABLE)}


def findings_item(findings: pd.DataFrame, paths: Sequence[str] = ()) -> str:
    """The findings of a paper: verdict, what is computed, and the numbers beside the printed ones."""
    rows = []
    for _, part in findings.groupby("finding", sort=False):
        first = part.iloc[0]
        mark = str(first["verdict"]).replace(" ", "-")
        rows.append(
            f'<tr><td><span class="verdict {mark}">{first["verdict"]}</span></td>'
            f"<td>{html.escape(first['claim'])} "
            f'<span class="note">Section {html.escape(first["section"])}</span>'
            f'<div class="computed">{html.escape(first["computed"])}</div></td>'
            f"<td>{_comparisons(part)}</td></tr>\n"
        )
    counts = verdicts(findings)
    caption = (
        f"{sum(counts.values())} claims of the paper as checks: "
        + ", ".join(f"{number} {verdict}" for verdict, number in counts.items())
        + ". A claim is confirmed where every comparison holds on the unrounded numbers of this campaign, "
        "and not testable where a number is missing. No margin is chosen to make it hold."
    )
    head = "<tr><th>verdict</th><th>claim, and what is computed</th><th>the numbers</th></tr>"
    table = f'<table class="findings"><thead>{head}</thead><tbody>{"".join(rows)}</tbody></table>\n'
    return _item("Findings", caption, f'<div class="wide">{table}</div>\n', paths)


#: what each entry of a scoring job's account means
_LEFT_OUT = {
    "irrelevant": "topics without relevant content, left out of the mean",
    "missing": "assessed topics a run lacks, counted as 0",
    "unassessed": "topics of a run without assessments, left out",
    "repeated": "results that repeat an element of their list, worth nothing",
    "outside": "results in documents without judgements for their topic",
    "unruly": "results that break the rules of the task, scored as they are",
    "unresolved": "results that are not in the collection, not relevant",
    "empty": "passages without a character, worth nothing",
}

_SHOWN = 12


def left_out(accounts: Mapping[str, Sequence[Mapping[str, Any]]]) -> pd.DataFrame:
    """What scoring left out or counted as nothing, from the accounts of scoring jobs by result set.

    An account is `focuseval.scoring.Scores.left_out`: topics by measure or run, numbers of results by
    run. Points of curves are told under their measure.
    Columns result_set, what, of (measure or run), number, topics.
    """
    rows = []
    for name, parts in accounts.items():
        for entry, meaning in _LEFT_OUT.items():
            by_owner: dict[str, Any] = {}
            for part in parts:
                for owner, value in part[entry].items():
                    by_owner[owner.partition("@")[0] if entry == "irrelevant" else owner] = value
            for owner, value in by_owner.items():
                number, topics = (
                    (value, "") if isinstance(value, int) else (len(value), ", ".join(value[:_SHOWN]))
                )
                more = "" if isinstance(value, int) or len(value) <= _SHOWN else ", …"
                rows.append((name, meaning, owner, number, topics + more))
    return pd.DataFrame(rows, columns=["result_set", "what", "of", "number", "topics"])


def left_out_item(table: pd.DataFrame, paths: Sequence[str] = ()) -> str:
    """What scoring left out: counts by kind, and every entry in full behind a fold."""
    caption = (
        "What the means do not see, or see as nothing. A run that lacks an assessed topic has 0 there; topics "
        "without relevant content are left out of a measure's mean; a second occurrence of an element is "
        "worth nothing; nothing is known to be relevant in documents that were not judged for a topic."
    )
    if table.empty:
        return _item("Left out", caption, "<p>Nothing was left out.</p>\n", paths)
    grouped = table.groupby(["result_set", "what"], sort=False)["number"]
    summary = grouped.agg(["size", "sum"]).reset_index()
    summary.columns = pd.Index(["result_set", "what", "runs or measures", "number"])
    fold = _folded("Every run and measure", to_html(table, {}))
    return _item("Left out", caption, f'<div class="wide">{to_html(summary, {})}{fold}</div>\n', paths)


def section(name: str, title: str, introduction: str, items: Sequence[str]) -> str:
    """One part of the page: a paper on a campaign. ``name`` is its anchor, ``introduction`` plain text."""
    return (
        f'<section id="{html.escape(name)}">\n<h2>{html.escape(title)}</h2>\n'
        f"{paragraphs(introduction)}{''.join(items)}</section>\n"
    )


_HEADING = re.compile(r'<section id="([^"]*)">\n<h2>(.*)</h2>')

_TITLE = "focuseval: published evaluations of focused retrieval, computed again"
_INTRODUCTION = (
    "Every table and figure of the papers that the configuration asks for, computed from documents, "
    "assessments and runs, beside the numbers that the papers print. This page needs no network; links lead "
    "to the same tables and figures as files beside it."
)


def page(sections: Sequence[str], provenance: Mapping[str, Any]) -> str:
    """The whole page: contents, the sections (each from `section`) in order, provenance."""
    style = files("focuseval").joinpath("present", "templates", "page.css").read_text(encoding="utf-8")
    headings = [heading for body in sections for heading in _HEADING.findall(body)]
    contents = [f'<li><a href="#{anchor}">{heading}</a></li>\n' for anchor, heading in headings]
    origin = html.escape(json.dumps(provenance, indent=2, ensure_ascii=False))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_TITLE}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f"<header>\n<h1>{_TITLE}</h1>\n{paragraphs(_INTRODUCTION)}</header>\n"
        f"<nav><ul>\n{''.join(contents)}</ul></nav>\n"
        f"<main>\n{''.join(sections)}</main>\n"
        "<details>\n<summary>Provenance: configuration, versions and checksums of the inputs</summary>\n"
        f"<pre>{origin}</pre>\n</details>\n</body>\n</html>\n"
    )
