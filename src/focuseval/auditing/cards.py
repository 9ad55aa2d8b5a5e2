"""Cards with the findings about each measure, as plain text, Markdown or HTML."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from textwrap import indent
from typing import NamedTuple

import pandas as pd

from focuseval.auditing.findings import BREAKS, NOT_TRIED, REPORTED, UNBROKEN
from focuseval.errors import wrapped
from focuseval.measures import MEASURES, parse_specs
from focuseval.report.tables import FORMS, Decimals, number, plain, to_html, to_markdown, to_text

_DECIMALS: Decimals = dict.fromkeys(("largest", "mean_change", "low", "high"), 4)

#: the columns, after the measure, of the LaTeX table and of the table of breaches
SHOWN = ("transformation", "expected", "verdict", "tried", "broken", "largest", "mean_change", "low", "high")

#: the caption below all cards
CAPTION = (
    "tried: pairs of scores that were compared. broken: pairs that did not change as expected (0 is no proof). "
    "largest: the largest change in the wrong direction. mean change: score after minus score before, with its 95 % "
    "interval (values that a randomisation test over topics does not reject)."
)


class _Card(NamedTuple):
    """The audit's findings about one measure, before they are formatted."""

    name: str
    about: str
    table: pd.DataFrame  #: a row for each transformation that was tried
    #: a line for each note about transformations that have the verdict "reported" or "not tried"
    notes: Sequence[str]
    examples: Mapping[str, str]  #: the example of each breach, by the name of the breach


def _cards(findings: pd.DataFrame) -> Iterator[_Card]:
    """Yield a card with the findings about each measure."""
    for name, rows in findings.groupby("measure", sort=False):
        # breaches come first, then properties without a breach
        order = rows["verdict"].map({BREAKS: 0, UNBROKEN: 1, REPORTED: 2, NOT_TRIED: 3})
        rows = rows.loc[order.sort_values(kind="stable").index]
        count = rows["verdict"].value_counts()
        broken, unbroken = count.get(BREAKS, 0), count.get(UNBROKEN, 0)
        sentence = (
            f"Transformations that break a property: {broken} of {broken + unbroken}. "
            f"Changes reported: {count.get(REPORTED, 0)}. Not tried: {count.get(NOT_TRIED, 0)}"
        )
        measure = parse_specs(str(name), MEASURES)[0].measure
        noted = rows[(rows["note"] != "") & rows["verdict"].isin([REPORTED, NOT_TRIED])]
        noted = noted.groupby("note", sort=False)
        with_example = rows[(rows["verdict"] == BREAKS) & (rows["example"] != "")]
        titles = with_example["transformation"] + " (" + with_example["property"] + ")"
        yield _Card(
            str(name),
            f"{measure.summary} ({measure.paper}). {sentence}.",
            _grouped(rows[rows["verdict"] != NOT_TRIED]),
            [f"{', '.join(names)}: {note}" for note, names in noted["transformation"]],
            dict(zip(titles, with_example["example"], strict=True)),
        )


def _grouped(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the findings about one measure as the table of a card, with a heading row for each expected change."""

    def written(value: float, sign: str = "") -> str:
        return plain(number(value, 3, sign))

    shown = []
    for expected, part in rows.groupby("expected", sort=False):
        shown.append([str(expected), "", "", ""])
        for one in part.itertuples():
            interval = f" [{written(one.low)}, {written(one.high)}]" if one.low == one.low else ""
            broken = f"{one.tried:,} tried" if one.verdict == REPORTED else f"{one.broken:,} of {one.tried:,}"
            change = written(one.mean_change, "+") + interval
            shown.append([f"  {one.transformation}", broken, written(one.largest), change])
    return pd.DataFrame(shown, columns=["transformation", "broken", "largest", "mean_change"])


def to_card(findings: pd.DataFrame) -> str:
    """Format the findings of an audit for a terminal, as a card for each measure."""
    text = ""
    for card in _cards(findings):
        text += f"{card.name}\n{wrapped(card.about)}\n\n{to_text(card.table, {})}\n"
        text += "".join(f"{wrapped(note, '  ')}\n" for note in card.notes)
        for title, example in card.examples.items():
            text += f"\nBroken: {title}\n{indent(example, '  ')}"
        text += "\n"
    return f"{text}{wrapped(CAPTION)}\n"


def to_markdown_cards(findings: pd.DataFrame) -> str:
    """Format the findings of an audit as Markdown, with a card for each measure."""
    text = ""
    for card in _cards(findings):
        text += f"## `{card.name}`\n\n{card.about}\n\n{to_markdown(card.table, {})}\n"
        text += "".join(f"- {note}\n" for note in card.notes)
        for title, example in card.examples.items():
            text += f"\n### Broken: {title}\n\n```\n{example}```\n"
        text += "\n"
    return f"{text}{CAPTION}\n"


def to_html_cards(findings: pd.DataFrame) -> str:
    """Format the findings of an audit as an HTML page, with a card for each measure."""
    text = (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>Audit of measures</title>\n'
        "<style>body{font-family:sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem}"
        "td,th{padding:.15rem .6rem;text-align:left}.number{text-align:right}table{border-collapse:collapse}"
        "tr{border-bottom:1px solid #ccc}pre{background:#f4f4f4;padding:.6rem;overflow:auto}</style>\n"
        "<h1>Audit of measures</h1>\n"
    )
    for card in _cards(findings):
        text += f"<h2><code>{escape(card.name)}</code></h2>\n<p>{escape(card.about)}</p>\n"
        text += to_html(card.table, {})
        if card.notes:
            text += "<ul>\n" + "".join(f"<li>{escape(note)}</li>\n" for note in card.notes) + "</ul>\n"
        for title, example in card.examples.items():
            text += f"<details><summary>Broken: {escape(title)}</summary>\n<pre>{escape(example)}</pre></details>\n"
    return f"{text}<p>{escape(CAPTION)}</p>\n</html>\n"


def written(findings: pd.DataFrame, form: str) -> str:
    """Format findings as cards if ``form`` is ``table``, ``markdown`` or ``html``, and otherwise as one table."""
    cards = {"table": to_card, "markdown": to_markdown_cards, "html": to_html_cards}
    if form in cards:
        return cards[form](findings)
    return FORMS[form](findings[["measure", *SHOWN]] if form == "latex" else findings, _DECIMALS)
