"""Tables as CSV, text, Markdown, LaTeX and HTML.

A table is a tidy frame. CSV contains unrounded numbers, and other formats contain rounded numbers.
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

from focuseval.errors import counted
from focuseval.files import write_atomically
from focuseval.model.arrays import Floats

#: the number of decimals or the Python format of columns, as in `{"pearson_r": 5, "share": ".1%"}`
Decimals = Mapping[str, int] | Mapping[str, int | str]

#: names of people in column names, which headings capitalise
_PEOPLE = ("pearson", "kendall", "spearman")

MISSING = "–"
MINUS = "\N{MINUS SIGN}"

#: the maximum number of decimals, for numbers with very narrow intervals
_MOST_DECIMALS = 12

#: columns with integers that need no separator between thousands
_NAMES = ("topic", "year", "seed")

#: matches names of columns with p-values, such as p, p_value and kendall_p
_P_VALUES = re.compile(r"(?:^|_)p(?:_|$)")


def number(value: float, form: int | str, sign: str = "") -> str:
    """Return a number as text, or a dash for a missing number.

    ``form`` is a number of decimals or a Python format. If ``sign`` is ``+``, positive numbers have a plus sign.
    """
    if pd.isna(value):
        return MISSING
    written = f"{value:{sign}{form}}" if isinstance(form, str) else f"{value:{sign},.{form}f}"
    return written.replace("-", MINUS)


def p_value(p: float) -> str:
    """Return a p-value as text, such as ``.042`` or ``< .001``."""
    return "< .001" if p < 0.001 else number(p, 3).removeprefix("0")


def tested(p: float, adjusted: float, pairs: int, alpha: float) -> str:
    """Write the outcome of a test for the end of a sentence, such as ``, p < .001: significant``.

    For several pairs, the corrected p-value follows, as in ``, p = .021, .042 after Holm's correction for 2 pairs:
    significant``. Without a p-value, the text is empty.
    """
    if pd.isna(p):
        return ""
    written = p_value(p)
    written = f", p {written}" if written.startswith("<") else f", p = {written}"
    if pairs > 1:
        written += f", {p_value(adjusted)} after Holm's correction for {pairs:,} pairs"
    return f"{written}: {'significant' if adjusted <= alpha else 'not significant'}"


def lead_over(other: str, difference: float, wins: int, losses: int, topics: int) -> str:
    """Describe the lead of a run over the run ``other``, such as ``ahead of b on 8 of 12 topics``."""
    lead = f"level with {other}, better" if difference == 0 else f"ahead of {other}"
    behind = f" and behind on {losses:,}" if losses else ""
    return f"{lead} on {wins:,} of {counted(topics, 'topic')}{behind}"


def decimals_of(values: Floats, widths: Floats | None = None) -> int:
    """Return the number of decimals for a column of numbers: 0 if all are integers, else at most six.

    If some are not integers, the largest number is shown with four digits. If there are intervals, the median of their
    ``widths`` is shown with three digits instead.
    """
    finite = np.abs(values[np.isfinite(values)])
    if not finite.size or (finite % 1 == 0).all():
        return 0
    wide = np.array([]) if widths is None else widths[np.isfinite(widths) & (widths > 0)]
    size, digits = (np.median(wide), 3) if wide.size else (finite.max(), 4)
    return int(np.clip(digits - 1 - np.floor(np.log10(size)), 0, 6))


def with_intervals(numbers: pd.DataFrame, sign: str = "") -> list[str]:
    """Return each number with its interval in brackets. The columns are the number and both limits of the interval.

    Rows with a much narrower interval have more decimals than other rows.
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
    """Replace minus signs by hyphens and no-break spaces by spaces."""
    return text.replace(MINUS, "-").replace("\N{NO-BREAK SPACE}", " ")


def typeset(text: str) -> str:
    """Replace hyphens before decimal numbers by minus signs."""
    return re.sub(r"(?<![^\s\[(])-(?=\d+\.\d)", MINUS, text)


def cells(table: pd.DataFrame, decimals: Decimals, minus: str = MINUS) -> list[list[str]]:
    """Return the rows of a table as texts. ``minus`` is the sign of negative numbers.

    Numbers in one column have equally many decimals.
    """

    def column(name: str, values: list[Any]) -> Iterator[str]:
        floats = np.array([value for value in values if isinstance(value, float)])
        form = decimals.get(name, decimals_of(floats))
        for value in values:
            # only NaN differs from itself
            if value is None or value is pd.NA or value != value:
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


#: keys of a frame's ``attrs`` for lists of cells: best values, and published numbers outside our intervals
BEST, OUTSIDE = "best", "outside"


def best_of(texts: pd.Series, lowest: bool) -> list[Any]:
    """Return the labels of rows with the highest (or ``lowest``) printed number. A single row is never best."""
    written = texts.map(plain).str.split().str[0].str.replace(",", "")
    values = pd.to_numeric(written, errors="coerce")
    return texts.index[values == (values.min() if lowest else values.max())].tolist() * (len(texts) > 1)


def emphasised(table: pd.DataFrame, rows: Iterable[Sequence[str]], bold: str) -> list[list[str]]:
    """Return ``rows``, a table as texts, with its best values (`BEST`) in the format ``bold``, such as ``**{}**``."""
    best = set(table.attrs.get(BEST, []))
    return [
        [bold.format(text) if (i, name) in best else text for name, text in zip(table, row, strict=True)]
        for i, row in enumerate(rows)
    ]


def headings(table: pd.DataFrame) -> list[str]:
    """Return a heading for each column, such as ``Pearson r`` for ``pearson_r``.

    If the columns' axis has a name, the columns are named after runs or measures. These names stay unchanged.
    """
    if table.columns.name is not None:
        return [str(name) for name in table.columns]
    words = (str(name).split("_") for name in table.columns)
    return [" ".join(word.capitalize() if word in _PEOPLE else word for word in parts) for parts in words]


def numeric(table: pd.DataFrame) -> list[bool]:
    """Return, for each column, whether it contains numbers or numbers as text, and no number with an interval."""
    texts = (table[name].astype(str).str.replace(",", "") for name in table.columns)
    return [
        bool(
            pd.to_numeric(text, errors="coerce").notna().any()
            and not text.str.contains("[", regex=False).any()
        )
        for text in texts
    ]


#: matches texts that spreadsheets read as formulas
_FORMULA = re.compile(r"(?![+-]?[\d.,]+(?:[eE][+-]?\d+)?\Z)[=+\-@\t\r].")


def no_formula(cell: Any) -> Any:
    """Put an apostrophe before a text that spreadsheets would read as a formula, such as ``=1+1``."""
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell


#: the maximum length of names that are not shortened
SHORT = 24


def short_names(names: Sequence[str]) -> list[str]:
    """Replace the common beginning and end of names by ``…`` if a name is longer than `SHORT`."""
    if len(names) < 2 or max(map(len, names)) <= SHORT:
        return list(names)
    parts = [re.findall(r"[^-_./ ]*[-_./ ]?", name)[:-1] for name in names]
    least = min(map(len, parts)) - 1  # keeps at least one part of each name
    first = next((i for i in range(least) if len({part[i] for part in parts}) > 1), least)
    last = next((i for i in range(least - first) if len({part[-1 - i] for part in parts}) > 1), least - first)
    return [
        ("…" if first > 0 else "")
        + "".join(part[first : len(part) - last]).rstrip("-_./ ")
        + ("…" if last > 0 else "")
        for part in parts
    ]


def renamed(text: str, short: Mapping[str, str]) -> str:
    """Replace names of runs in a text by their short names."""
    for name, cut in short.items():
        text = text.replace(name, cut)
    return text


#: the columns that contain names of runs
_RUNS = ("run", "higher_run", "lower_run")


def shorten(tables: Mapping[str, pd.DataFrame]) -> tuple[dict[str, pd.DataFrame], dict[str, str]]:
    """Shorten names of runs in tables. Return the tables, and a mapping from names (longest first) to short names."""
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
    """Return a table as unrounded CSV. Texts that spreadsheets would read as formulas begin with an apostrophe."""
    safe = table.rename(columns=no_formula).apply(_no_formulas)
    return safe.to_csv(index=False, lineterminator="\n")


def _no_formulas(column: pd.Series) -> pd.Series:
    """Put an apostrophe before each text in a column if spreadsheets would read the text as a formula."""
    if is_numeric_dtype(column):
        return column
    return (column.astype("category") if isinstance(column.dtype, pd.StringDtype) else column).map(no_formula)


def to_tsv(table: pd.DataFrame, decimals: Decimals) -> str:
    """Return a table as unrounded values, separated by tabs."""
    return table.to_csv(index=False, sep="\t", lineterminator="\n")


def to_text(table: pd.DataFrame, decimals: Decimals) -> str:
    """Return a table as aligned columns for a terminal. Negative numbers have ASCII hyphens."""
    rows = [headings(table), *cells(table, decimals, "-")]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    sides = [str.rjust if right else str.ljust for right in numeric(table)]
    lines = (
        "  ".join(side(cell, width) for cell, width, side in zip(row, widths, sides, strict=True))
        for row in rows
    )
    return "".join(f"{line.rstrip()}\n" for line in lines)


def to_markdown(table: pd.DataFrame, decimals: Decimals) -> str:
    """Return a table in Markdown. Negative numbers have ASCII hyphens."""
    rule = ["---:" if right else "---" for right in numeric(table)]
    rows = emphasised(table, cells(table, decimals, "-"), "**{}**")
    return pipe_table(headings(table), rows, rule, markdown)


def in_cell(text: str) -> str:
    """Return Markdown as one line that fits into a cell of a table."""
    return " ".join(text.splitlines()).replace("|", r"\|")


def markdown(text: str) -> str:
    """Return a text as Markdown for one line or cell, without HTML or links."""
    return in_cell(without_links(text))


def pipe_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    rule: Sequence[str] = (),
    cell: Callable[[str], str] = in_cell,
) -> str:
    """Return texts as a table in Markdown. The function ``cell`` converts a text to the content of a cell.

    ``rule`` contains the line below each heading, such as ``---:`` for a right-aligned column.
    """
    lines = [map(cell, columns), rule or ["---"] * len(columns), *(map(cell, row) for row in rows)]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


#: match characters to escape, so that text does not become a link in Markdown or on GitHub
_LINK = re.compile(r"(?<!\\)(?::(?=//)|(?<=\])[(\[:]|(?<=www)\.)", re.IGNORECASE)
_MAIL = re.compile(r"(?<=[\w.+-])@(?=[\w-]+\.\w)")


def without_links(text: str) -> str:
    """Escape HTML tags and links in Markdown."""
    without_tags = re.sub(r"<(?=[a-zA-Z/?]|!(?!-- -->))", "&lt;", text)
    return _MAIL.sub("@<!-- -->", _LINK.sub(r"\\\g<0>", without_tags))


def to_json(table: pd.DataFrame) -> str:
    """Return a table as a JSON list of unrounded rows. Missing values and empty texts are null."""
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
    """Escape the characters that have a special meaning in LaTeX."""
    return text.translate(_LATEX)


def to_latex(table: pd.DataFrame, decimals: Decimals) -> str:
    """Return a table as a LaTeX ``tabular`` with booktabs rules."""
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
    """Return a table as an HTML ``<table>``. Columns of numbers have the class ``number``."""
    marks = [' class="number"' if right else "" for right in numeric(table)]

    def row(tag: str, texts: Iterable[str]) -> str:
        inside = "".join(f"<{tag}{mark}>{text}</{tag}>" for mark, text in zip(marks, texts, strict=True))
        return f"<tr>{inside}</tr>\n"

    escaped = [list(map(html.escape, texts)) for texts in cells(table, decimals)]
    body = "".join(row("td", texts) for texts in emphasised(table, escaped, "<b>{}</b>"))
    heading = row("th", map(html.escape, headings(table)))
    return f"<table>\n<thead>\n{heading}</thead>\n<tbody>\n{body}</tbody>\n</table>\n"


#: functions that write a table, by the name of the format in ``--format``
FORMS: dict[str, Callable[[pd.DataFrame, Decimals], str]] = {
    "tsv": to_tsv,
    "csv": to_csv,
    "json": lambda table, _: to_json(table),
    "latex": to_latex,
}

#: the words before a synthetic campaign's name in files
OF_SYNTHETIC = "synthetic campaign: "

#: functions that write a table to a file, by the suffix of the file
FORMATS: dict[str, Callable[[pd.DataFrame, Decimals], str]] = {
    ".csv": to_csv,
    ".txt": to_text,
    ".md": to_markdown,
    ".tex": to_latex,
}


def write_table(table: pd.DataFrame, path: Path, decimals: Decimals, synthetic: str = "") -> None:
    """Write a table in the format that belongs to the suffix of ``path`` (`FORMATS`).

    If ``synthetic`` is given, it is the name of a synthetic campaign. CSV contains this name in a column, and other
    formats contain it above the table.
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
