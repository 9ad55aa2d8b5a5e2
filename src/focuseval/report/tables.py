"""Tables for people: computed numbers beside printed ones, as CSV, text, Markdown, LaTeX and HTML.

A table is a tidy frame. CSV keeps every digit; the other forms round to the digits that are asked for.
"""

import html
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype

from focuseval.files import write_atomically
from focuseval.model.arrays import Floats

#: decimals of each column, or how Python formats it: `{"pearson_r": 5, "share": ".1%"}`; other columns have
#: decimals of other columns; p-values use `p_value`
Decimals = Mapping[str, int] | Mapping[str, int | str]

#: names that begin with a capital in headings
_PEOPLE = ("pearson", "kendall", "spearman")

MISSING = "–"
MINUS = "\N{MINUS SIGN}"

#: decimals of a number at most, where its interval is narrow
_MOST_DECIMALS = 12

#: columns of whole numbers that are names
_NAMES = ("topic", "year", "seed")

#: columns of p-values: p, p_value, kendall_p
_P_VALUES = re.compile(r"(?:^|_)p(?:_|$)")


def number(value: float, form: int | str, sign: str = "") -> str:
    """A number for people: with so many decimals and thousands separated, or as Python formats it; a dash for none.

    ``sign`` is ``+`` for differences, which carry theirs.
    """
    if pd.isna(value):
        return MISSING
    written = f"{value:{sign}{form}}" if isinstance(form, str) else f"{value:{sign},.{form}f}"
    return written.replace("-", MINUS)


def p_value(p: float) -> str:
    """A p-value for people: ``.042``, and ``< .001`` below that."""
    return "< .001" if p < 0.001 else number(p, 3).removeprefix("0")


def tested(p: float, adjusted: float, pairs: int) -> str:
    """A p-value before and after correction: ``p = .021, .042 after Holm's correction for 2 pairs``.

    Where ``pairs`` is 1, as without correction, both are one number: ``p < .001``.
    """
    written = p_value(p)
    written = f"p {written}" if written.startswith("<") else f"p = {written}"
    return written + (
        f", {p_value(adjusted)} after Holm's correction for {pairs:,} pairs" if pairs > 1 else ""
    )


def decimals_of(values: Floats, widths: Floats | None = None) -> int:
    """The decimals that numbers of one column need: none where all are whole, else six at most.

    With the ``widths`` of their intervals, three digits of the median width; else four of the largest number.
    """
    finite = np.abs(values[np.isfinite(values)])
    if not finite.size or (finite % 1 == 0).all():
        return 0
    wide = np.array([]) if widths is None else widths[np.isfinite(widths) & (widths > 0)]
    size, digits = (np.median(wide), 3) if wide.size else (finite.max(), 4)
    return int(np.clip(digits - 1 - np.floor(np.log10(size)), 0, 6))


def with_intervals(numbers: pd.DataFrame, sign: str = "") -> list[str]:
    """Numbers and, in brackets, the limits of their intervals, if they have one; columns value, low, high.

    All have the same decimals, but a row whose interval is far narrower than most has as many as show its width. Where
    there is not room for both in a line, the interval is below.
    """
    rows = numbers.to_numpy(dtype=float)
    widths = rows[:, 2] - rows[:, 1]
    decimals = decimals_of(rows, widths)
    with np.errstate(divide="ignore", invalid="ignore"):
        own = np.nan_to_num(1 - np.floor(np.log10(widths)), nan=0, posinf=0).clip(decimals, _MOST_DECIMALS)
    return [
        number(at, form, sign)
        + ("" if pd.isna(a) else f" [{number(a, form)},\N{NO-BREAK SPACE}{number(b, form)}]")
        for (at, a, b), form in zip(rows, own.astype(int).tolist(), strict=True)
    ]


def plain(text: str) -> str:
    """A text with the characters of keyboards: negative numbers with a hyphen, and blanks."""
    return text.replace(MINUS, "-").replace("\N{NO-BREAK SPACE}", " ")


def typeset(text: str) -> str:
    """A text in which decimal numbers below 0 have a minus sign and no hyphen."""
    return re.sub(r"(?<![^\s\[(])-(?=\d+\.\d)", MINUS, text)


def cells(table: pd.DataFrame, decimals: Decimals, minus: str = MINUS) -> list[list[str]]:
    """The rows of a table as text.

    Differences carry their sign, missing numbers are a dash, and thousands are separated. The numbers of a column have
    the same decimals (`Decimals`). ``minus`` is written before negative numbers.
    """

    def column(name: str, values: list[Any]) -> Iterator[str]:
        floats = np.array([value for value in values if isinstance(value, float)])
        form = decimals.get(name, decimals_of(floats))
        for value in values:
            if value is None or value is pd.NA or value != value:  # NaN
                yield MISSING
            elif isinstance(value, float) and _P_VALUES.search(name):
                yield p_value(value)
            elif isinstance(value, float):
                yield number(value, form, "+" if "difference" in name else "").replace(MINUS, minus)
            elif isinstance(value, int) and not isinstance(value, bool) and name not in _NAMES:
                yield f"{value:,}".replace("-", minus)
            else:
                yield str(value)

    columns = (column(str(name), table[name].tolist()) for name in table.columns)
    return [list(row) for row in zip(*columns, strict=True)]


#: keys in ``attrs`` of the best values of a table, which are bold, and of printed numbers outside our interval, which a
#: page shades
BEST, OUTSIDE = "best", "outside"


def best_of(texts: pd.Series, lowest: bool) -> list[Any]:
    """The rows of the highest number, or the lowest: of those written alike (`with_intervals`) all, of one none."""
    written = texts.map(plain).str.split().str[0].str.replace(",", "")
    values = pd.to_numeric(written, errors="coerce")
    return texts.index[values == (values.min() if lowest else values.max())].tolist() * (len(texts) > 1)


def emphasised(table: pd.DataFrame, rows: Iterable[Sequence[str]], bold: str) -> list[list[str]]:
    """The texts of a table, with the best (`BEST`) as ``bold`` has them: ``**{}**``."""
    best = set(table.attrs.get(BEST, []))
    return [
        [bold.format(text) if (i, name) in best else text for name, text in zip(table, row, strict=True)]
        for i, row in enumerate(rows)
    ]


def headings(table: pd.DataFrame) -> list[str]:
    """Column names as headings: ``pearson_r`` becomes ``Pearson r``.

    Where the columns' axis has a name, columns are values of it (runs, measures), and stay as they are.
    """
    if table.columns.name is not None:
        return [str(name) for name in table.columns]
    words = (str(name).split("_") for name in table.columns)
    return [" ".join(word.capitalize() if word in _PEOPLE else word for word in parts) for parts in words]


def numeric(table: pd.DataFrame) -> list[bool]:
    """Return whether each column holds numbers (or text that reads as numbers), which are to the right."""
    return [
        pd.to_numeric(table[name].astype(str).str.replace(",", ""), errors="coerce").notna().any()
        for name in table.columns
    ]


#: text that spreadsheets take for a formula
_FORMULA = re.compile(r"(?![+-]?[\d.,]+(?:[eE][+-]?\d+)?\Z)[=+\-@\t\r].")


def no_formula(cell: Any) -> Any:
    """A cell of CSV for people: an apostrophe before a text that spreadsheets would compute, as of a run ``=1+1``."""
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell


#: names no longer than this are shown whole
SHORT = 24


def short_names(names: Sequence[str]) -> list[str]:
    """Names without what all begin and end with, up to a mark of punctuation; whole ones where all are short."""
    if len(names) < 2 or max(map(len, names)) <= SHORT:
        return list(names)
    parts = [re.findall(r"[^-_./ ]*[-_./ ]?", name)[:-1] for name in names]
    least = min(map(len, parts)) - 1  # each name keeps at least one part
    first = next((i for i in range(least) if len({part[i] for part in parts}) > 1), least)
    last = next((i for i in range(least - first) if len({part[-1 - i] for part in parts}) > 1), least - first)
    return [
        ("…" if first > 0 else "")
        + "".join(part[first : len(part) - last]).rstrip("-_./ ")
        + ("…" if last > 0 else "")
        for part in parts
    ]


def renamed(text: str, short: Mapping[str, str]) -> str:
    """A text with the short names of runs (`shorten`)."""
    for name, cut in short.items():
        text = text.replace(name, cut)
    return text


#: columns of tables that hold names of runs
_RUNS = ("run", "higher_run", "lower_run")


def shorten(tables: Mapping[str, pd.DataFrame]) -> tuple[dict[str, pd.DataFrame], dict[str, str]]:
    """Tables with short names of runs, and these by the whole ones, where any differs; longer names come first."""
    name_columns = [table[column] for table in tables.values() for column in _RUNS if column in table]
    names = pd.concat(name_columns).astype(str).unique().tolist() if name_columns else []
    short = dict(sorted(zip(names, short_names(names), strict=True), key=lambda pair: -len(pair[0])))
    short = short if any(name != cut for name, cut in short.items()) else {}
    cut = {
        name: table.assign(
            **{column: table[column].astype(str).map(short) for column in _RUNS if column in table}
        )
        for name, table in tables.items()
    }
    return cut if short else dict(tables), short


def to_csv(table: pd.DataFrame, decimals: Decimals) -> str:
    """Write comma-separated values with full double precision, without formulas."""
    safe = table.rename(columns=no_formula).apply(_no_formulas)
    return safe.to_csv(index=False, lineterminator="\n")


def _no_formulas(column: pd.Series) -> pd.Series:
    """A column without formulas; each name is looked at once, of however many rows it is."""
    if is_numeric_dtype(column):
        return column
    return (column.astype("category") if isinstance(column.dtype, pd.StringDtype) else column).map(no_formula)


def to_tsv(table: pd.DataFrame, decimals: Decimals) -> str:
    """Write tab-separated values with full double precision, for programs."""
    return table.to_csv(index=False, sep="\t", lineterminator="\n")


def to_text(table: pd.DataFrame, decimals: Decimals) -> str:
    """Aligned columns, two spaces apart, for a terminal; negative numbers as keyboards and spreadsheets have them."""
    rows = [headings(table), *cells(table, decimals, "-")]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    sides = [str.rjust if right else str.ljust for right in numeric(table)]
    lines = (
        "  ".join(side(cell, width) for cell, width, side in zip(row, widths, sides, strict=True))
        for row in rows
    )
    return "".join(f"{line.rstrip()}\n" for line in lines)


def to_markdown(table: pd.DataFrame, decimals: Decimals) -> str:
    """A pipe table; negative numbers as keyboards and spreadsheets have them."""
    rule = ["---:" if right else "---" for right in numeric(table)]
    rows = emphasised(table, cells(table, decimals, "-"), "**{}**")
    return pipe_table(headings(table), rows, rule, markdown)


def in_cell(text: str) -> str:
    """A text of Markdown that stays in its cell or line."""
    return " ".join(text.splitlines()).replace("|", r"\|")


def markdown(text: str) -> str:
    """A text that stays in its cell or line of Markdown, and has no tags of HTML and no links."""
    return in_cell(without_links(text))


def pipe_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    rule: Sequence[str] = (),
    cell: Callable[[str], str] = in_cell,
) -> str:
    """Put texts of Markdown into a table; ``cell`` makes them stay in their cells.

    ``rule`` is what is below each heading, a column to the left if not given.
    """
    lines = [map(cell, columns), rule or ["---"] * len(columns), *(map(cell, row) for row in rows)]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


#: beginnings of links in Markdown, and addresses that GitHub links; escaped ones are none
_LINK = re.compile(r"(?<!\\)(?::(?=//)|(?<=\])[(\[:]|(?<=www)\.)", re.IGNORECASE)
_MAIL = re.compile(r"(?<=[\w.+-])@(?=[\w-]+\.\w)")


def without_links(text: str) -> str:
    """A text of Markdown in which no name is a tag, as ``<script>``, or a link; the same if it is one already."""
    without_tags = re.sub(r"<(?=[a-zA-Z/?]|!(?!-- -->))", "&lt;", text)
    return _MAIL.sub("@<!-- -->", _LINK.sub(r"\\\g<0>", without_tags))


def to_json(table: pd.DataFrame) -> str:
    """Write a list of objects, one for each row, with every digit; missing values are null."""
    rows = [
        {str(name): None if value == "" or pd.isna(value) else value for name, value in row.items()}
        for row in table.to_dict("records")
    ]
    return "[" + ",\n ".join(json.dumps(row, ensure_ascii=False) for row in rows) + "]\n"


_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        MISSING: "--",
        MINUS: "$-$",
        "→": r"$\to$",
        "τ": r"$\tau$",
        "ρ": r"$\rho$",
        "π": r"$\pi$",
        "≥": r"$\ge$",
        "≤": r"$\le$",
        "<": r"$<$",
        ">": r"$>$",
    }
    | {character: rf"\{character}" for character in "&%$#_{}"}
)


def escape_latex(text: str) -> str:
    """Escape every character that LaTeX reads as a command."""
    return text.translate(_LATEX)


def to_latex(table: pd.DataFrame, decimals: Decimals) -> str:
    """A ``tabular`` with booktabs rules."""
    columns = "".join("r" if right else "l" for right in numeric(table))
    heading, *rows = [list(map(escape_latex, row)) for row in [headings(table), *cells(table, decimals)]]
    lines = [" & ".join(row) + r" \\" for row in [heading, *emphasised(table, rows, r"\textbf{{{}}}")]]
    body = [
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        lines[0],
        r"\midrule",
        *lines[1:],
        r"\bottomrule",
    ]
    return "\n".join([*body, r"\end{tabular}", ""])


def to_html(table: pd.DataFrame, decimals: Decimals) -> str:
    """A ``<table>`` without styles; columns of numbers have the class ``number``. The report has templates."""
    marks = [' class="number"' if right else "" for right in numeric(table)]

    def row(tag: str, texts: Iterable[str]) -> str:
        inside = "".join(f"<{tag}{mark}>{text}</{tag}>" for mark, text in zip(marks, texts, strict=True))
        return f"<tr>{inside}</tr>\n"

    escaped = [list(map(html.escape, texts)) for texts in cells(table, decimals)]
    body = "".join(row("td", texts) for texts in emphasised(table, escaped, "<b>{}</b>"))
    heading = row("th", map(html.escape, headings(table)))
    return f"<table>\n<thead>\n{heading}</thead>\n<tbody>\n{body}</tbody>\n</table>\n"


#: writers by the name of the form, as ``--format`` has it
FORMS: dict[str, Callable[[pd.DataFrame, Decimals], str]] = {
    "table": to_text,
    "tsv": to_tsv,
    "csv": to_csv,
    "json": lambda table, _: to_json(table),
    "markdown": to_markdown,
    "latex": to_latex,
}

#: prefix of texts on numbers and drawings of a synthetic campaign
OF_SYNTHETIC = "synthetic campaign: "

#: writers by file suffix
FORMATS: dict[str, Callable[[pd.DataFrame, Decimals], str]] = {
    ".csv": to_csv,
    ".txt": to_text,
    ".md": to_markdown,
    ".tex": to_latex,
}


def write_table(table: pd.DataFrame, path: Path, decimals: Decimals, synthetic: str = "") -> None:
    """Write a table in the form that the suffix of ``path`` names (see `FORMATS`).

    Numbers of a ``synthetic`` campaign, by its name, say so in the file: CSV in a column, the others in a line above.
    """
    if synthetic and path.suffix == ".csv":
        table = table.assign(synthetic_campaign=synthetic)
    text = FORMATS[path.suffix](table, decimals)
    if synthetic and path.suffix == ".tex":
        head = rf"\multicolumn{{{len(table.columns)}}}{{l}}{{{escape_latex(OF_SYNTHETIC + synthetic)}}} \\"
        text = text.replace("\\toprule", f"\\toprule\n{head}\n\\midrule", 1)
    elif synthetic and path.suffix != ".csv":
        text = f"{OF_SYNTHETIC}{synthetic}\n\n{text}"
    with write_atomically(path) as out:
        out.write(text)
