"""What an audit found, a card for each measure: for a terminal, as Markdown, as HTML, and as JSON."""

import html
from collections.abc import Iterator

import pandas as pd

from focuseval.auditing.findings import BREAKS, REPORTED, UNBROKEN
from focuseval.measures import MEASURES, parse_specs
from focuseval.report.tables import FORMS, Decimals, to_html, to_markdown, to_text

_DECIMALS: Decimals = dict.fromkeys(("largest", "mean_change", "low", "high"), 4)

#: what people are shown of each transformation; notes and examples stand below the table
SHOWN = ("transformation", "expected", "verdict", "tried", "broken", "largest", "mean_change", "low", "high")

#: under the tables of cards
CAPTION = (
    "tried: pairs of scores that were compared; broken: those that did not do what is expected (none is no proof); "
    "largest: how far the worst went the wrong way; mean change: score after less score before, with its 95 % interval "
    "(all that a randomisation test over topics does not reject)."
)


def _cards(findings: pd.DataFrame) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """The name of each measure, a line about it and its rows, in which what is not broken says in how many cases."""
    for name in findings["measure"].unique():
        rows = findings[findings["measure"] == name]
        # what was judged first: breaches, then what is not broken
        order = rows["verdict"].map({BREAKS: 0, UNBROKEN: 1}).fillna(2) + (rows["tried"] == 0)
        rows = rows.loc[order.sort_values(kind="stable").index]
        count = rows["verdict"].value_counts()
        undecided = int(((rows["verdict"] == REPORTED) & (rows["tried"] == 0)).sum())
        said = (
            f"Properties broken: {count.get(BREAKS, 0)} of {count.get(UNBROKEN, 0) + count.get(BREAKS, 0)}; "
            f"changes reported: {count.get(REPORTED, 0) - undecided}, undecided: {undecided}"
        )
        spec = parse_specs(str(name), MEASURES)[0]
        cases = (rows["verdict"] + " in " + rows["tried"].astype(str)).where(
            rows["verdict"] == UNBROKEN, rows["verdict"]
        )
        yield str(name), f"{spec.measure.summary} ({spec.measure.paper}). {said}.", rows.assign(verdict=cases)


def _notes(rows: pd.DataFrame) -> list[str]:
    """What there is to say of transformations that are reported, each once, with those that it is said of."""
    said = rows[(rows["note"] != "") & (rows["verdict"] == REPORTED)]
    return [f"{', '.join(of)}: {note}" for note, of in said.groupby("note", sort=False)["transformation"]]


def _examples(rows: pd.DataFrame) -> list[tuple[str, str]]:
    """The examples, by what breaks."""
    return [
        (f"{row.transformation} ({row.property})", str(row.example))
        for row in rows.itertuples()
        if row.verdict == BREAKS and row.example
    ]


def to_card(findings: pd.DataFrame) -> str:
    """Cards for a terminal: the table, what could not be decided, and the smallest example of each breach."""
    text = ""
    for name, about, rows in _cards(findings):
        text += f"{name}\n{about}\n\n{to_text(rows[list(SHOWN)], _DECIMALS)}\n"
        text += "".join(f"{note}\n" for note in _notes(rows))
        for title, example in _examples(rows):
            text += f"\nBroken: {title}\n" + "".join(f"  {line}\n" for line in example.splitlines())
        text += "\n"
    return f"{text}{CAPTION}\n"


def to_markdown_cards(findings: pd.DataFrame) -> str:
    """The same as Markdown."""
    text = ""
    for name, about, rows in _cards(findings):
        text += f"## `{name}`\n\n{about}\n\n{to_markdown(rows[list(SHOWN)], _DECIMALS)}\n"
        text += "".join(f"- {note}\n" for note in _notes(rows))
        for title, example in _examples(rows):
            text += f"\n### Broken: {title}\n\n```\n{example}```\n"
        text += "\n"
    return f"{text}{CAPTION}\n"


def to_html_cards(findings: pd.DataFrame) -> str:
    """The same as a page of HTML."""
    parts = [
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>Measures audited</title>\n'
        "<style>body{font-family:sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem}"
        "td,th{padding:.15rem .6rem;text-align:left}.number{text-align:right}table{border-collapse:collapse}"
        "tr{border-bottom:1px solid #ccc}pre{background:#f4f4f4;padding:.6rem;overflow:auto}</style>\n"
        "<h1>Measures audited</h1>\n"
    ]
    for name, about, rows in _cards(findings):
        parts.append(f"<h2><code>{html.escape(name)}</code></h2>\n<p>{html.escape(about)}</p>\n")
        parts.append(to_html(rows[list(SHOWN)], _DECIMALS))
        if notes := _notes(rows):
            parts.append("<ul>\n" + "".join(f"<li>{html.escape(note)}</li>\n" for note in notes) + "</ul>\n")
        for title, example in _examples(rows):
            parts.append(
                f"<details><summary>Broken: {html.escape(title)}</summary>\n"
                f"<pre>{html.escape(example)}</pre></details>\n"
            )
    return "".join([*parts, f"<p>{html.escape(CAPTION)}</p>\n</html>\n"])


def written(findings: pd.DataFrame, form: str) -> str:
    """Cards for people, in ``table``, ``markdown`` or ``html``; the findings in other forms of tables."""
    cards = {"table": to_card, "markdown": to_markdown_cards, "html": to_html_cards}
    if form in cards:
        return cards[form](findings)
    return FORMS[form](findings[["measure", *SHOWN]] if form == "latex" else findings, _DECIMALS)
