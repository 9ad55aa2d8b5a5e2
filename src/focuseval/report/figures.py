"""Figures in a common style, with colours that colour-blind readers can distinguish."""

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from focuseval.errors import extra
from focuseval.files import replacing
from focuseval.report.parts import FIGURE_FORMS, Analysis, Drawn, Item
from focuseval.report.parts import Figure as Declared
from focuseval.report.tables import OF_SYNTHETIC

with extra("plots"):
    import matplotlib
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.font_manager import get_font_names
    from matplotlib.text import Text
    from matplotlib.ticker import NullFormatter

#: Okabe and Ito's colours without yellow, which is hard to see on white paper
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")

#: the colours of text, of less important text, and of lines in the background
INK, SOFT, LINE = "#1d2433", "#5b6475", "#9AA3B2"

#: fonts for Chinese, Japanese and Korean, which matplotlib's own font does not cover
MORE_LETTERS = (
    "Noto Sans CJK JP",
    "Noto Serif CJK JP",
    "WenQuanYi Zen Hei",
    "Arial Unicode MS",
    "Malgun Gothic",
    "SimHei",
)

STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",  # matplotlib includes this font, so it is available everywhere
    "font.size": 9,
    "text.parse_math": False,  # names may contain dollar signs
    "axes.titlesize": 9.5,
    "axes.titleweight": "bold",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "lines.linewidth": 1.8,
    "figure.dpi": 100,
    "savefig.dpi": 150,
    "path.simplify_threshold": 0.5,  # in pixels
    "svg.hashsalt": "focuseval",
    "svg.fonttype": "none",  # text remains searchable
}

#: the style of reference lines, such as a line at zero
GUIDE: dict[str, Any] = {"color": "#333333", "linewidth": 1.3, "linestyle": (0, (4, 2.5))}


#: translates digits and minus signs to superscripts
_RAISED = str.maketrans("-0123456789", "\N{SUPERSCRIPT MINUS}⁰¹²³⁴⁵⁶⁷⁸⁹")


#: panels with more rows than this have the numbers of the x-axis above and below
_MANY_ROWS = 15


def logarithmic(ax: Axes) -> None:
    """Make the y-axis logarithmic, with plain text as labels."""
    ax.set_yscale("log")
    ax.yaxis.set_major_formatter(lambda value, _: "10" + f"{np.log10(value):.0f}".translate(_RAISED))
    ax.yaxis.set_minor_formatter(NullFormatter())


def both_ends(ax: Axes, rows: int) -> None:
    """Write the numbers of the x-axis above and below a panel if it has many ``rows``."""
    if rows > _MANY_ROWS:
        ax.tick_params(axis="x", labeltop=True, labelbottom=True)


def entry(name: str) -> str:
    """Put a space before a name that begins with an underscore, because Matplotlib omits such names from legends."""
    return f" {name}" if name.startswith("_") else name


def _ranked_rows(ax: Axes, runs: Sequence[str], ranks: Sequence[str]) -> None:
    """Label each row of a figure with the name and the rank of its run."""
    # figure spaces, which are as wide as digits, align the ranks
    names = [f"{run}   {rank:\N{FIGURE SPACE}>3}" for run, rank in zip(runs, ranks, strict=True)]
    ax.set_yticks(range(len(names)), names)
    ax.tick_params(axis="y", length=0, labelsize=8.5)
    place: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points"}
    ax.annotate("run  rank", (0, 1), (-3.5, 3.5), **place, ha="right", fontsize=8.5, color="#555555")


@matplotlib.rc_context(STYLE)
def drawn_matrix(declared: Declared, analysis: Analysis, context: object) -> Figure:
    """Draw the frame ``matrix`` of `focuseval.statistics.comparisons.compare`: which systems differ significantly.

    A disc means that the system in the row is significantly better. A small dot means that the pair does not differ
    significantly.
    """
    matrix = analysis[declared.name]
    runs, ranks = matrix["run"].tolist(), matrix["rank"].tolist()
    cells = matrix.drop(columns=["rank", "run"]).to_numpy()
    count = len(runs)
    side = 0.26 * count + 1.0
    figure = Figure(figsize=(side + 0.4 + 0.07 * max(map(len, runs)), side), layout="constrained")
    ax = figure.subplots()
    row, column = np.triu_indices(count, k=1)
    marked, unmarked = (cells[row, column] == sign for sign in ("*", "-"))
    for place in range(count):  # Matplotlib's own grid would also cover the empty triangle
        ax.plot([place, count - 1], [place, place], color="#E4E4E4", linewidth=0.6)
        ax.plot([place, place], [0, place], color="#E4E4E4", linewidth=0.6)
    ax.scatter(column[marked], row[marked], s=70, color=COLOURS[0], linewidths=0, zorder=3)
    ax.scatter(column[unmarked], row[unmarked], s=7, color="#999999", linewidths=0, zorder=3)
    ax.set(xlim=(-0.6, count - 0.4), ylim=(count - 0.4, -0.6))
    ax.set_title(declared.title)
    ax.grid(visible=False)
    ax.set_xticks(range(count), ranks)
    ax.xaxis.tick_top()
    ax.tick_params(axis="x", length=0, labelsize=8.5)
    both_ends(ax, count)
    _ranked_rows(ax, runs, ranks)
    ax.spines[:].set_visible(False)
    ax.set_aspect("equal")
    return figure


#: the maximum number of runs that each have their own colour and marker
_MANY = len(COLOURS) - 1

#: figures with more topics than this have no labels of topics and a fixed height
_NAMED_TOPICS = 100


@matplotlib.rc_context(STYLE)
def drawn_by_topic(declared: Declared, analysis: Analysis, context: object) -> Figure:
    """Draw the scores of a campaign's systems, with a row for each topic.

    If there are more than six runs, only the best run and the median run have a colour.
    """
    table = analysis["topics"]
    topics, runs = (list(table[name].unique()) for name in ("topic", "run"))  # runs are in rank order
    values = table["value"].to_numpy().reshape(len(topics), len(runs))
    x_label = declared.title.rpartition(":")[0]
    places = np.arange(len(topics))
    marked = dict(enumerate(runs))
    if len(runs) > _MANY:
        middle = (len(runs) - 1) // 2
        marked = {0: f"best: {runs[0]}", middle: f"median: {runs[middle]}"}
    height = 0.2 * min(len(topics), _NAMED_TOPICS) + 0.6 + 0.2 * len(marked)
    figure = Figure(figsize=(6.8, max(height, 1.6)), layout="constrained")
    ax = figure.subplots()
    ax.hlines(places, values.min(axis=1), values.max(axis=1), color="#C3C9D3", linewidth=1.2)
    if len(marked) < len(runs):
        for column in np.delete(values, list(marked), axis=1).T:
            ax.scatter(column, places, s=14, color="#6B7585", linewidths=0, alpha=0.7, clip_on=False)
    for colour, mark, (run, label) in zip(COLOURS, "osD^vP", marked.items(), strict=False):
        look: dict[str, Any] = {"color": colour, "marker": mark, "label": entry(label), "zorder": 3}
        ax.scatter(values[:, run], places, s=30, linewidths=0, alpha=0.85, clip_on=False, **look)
    if len(topics) > _NAMED_TOPICS:
        ax.set_yticks([])
        ax.set_ylabel(f"{len(topics):,} topics")
    else:
        ax.set_yticks(places, topics)
        ax.set_ylabel("topic")
    ax.set(xlabel=x_label, ylim=(len(topics) - 0.4, -0.6), xlim=(min(0.0, float(values.min())), None))
    ax.tick_params(axis="y", length=0, labelsize=8)
    both_ends(ax, len(topics))
    ax.grid(axis="y", visible=False)
    figure.legend(loc="outside upper left", ncols=1 if len(marked) < 3 else 3)
    return figure


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure as SVG or PNG. Equal figures give equal files."""
    metadata = {".svg": {"Date": None, "Creator": None}, ".png": {"Software": None}}[path.suffix]
    how: dict[str, Any] = {
        "format": path.suffix[1:],
        "metadata": metadata,
        "bbox_inches": "tight",
        "pad_inches": 0.08,
    }
    with matplotlib.rc_context(STYLE), replacing(path) as unfinished:
        try:
            with warnings.catch_warnings():
                warnings.filterwarnings("error", "Glyph .* missing from font")
                figure.savefig(unfinished, **how)
        except UserWarning:
            installed = set(get_font_names())
            for text in figure.findobj(Text):
                text.set_fontfamily([STYLE["font.family"], *filter(installed.__contains__, MORE_LETTERS)])
            figure.savefig(unfinished, **how)


def draw(
    items: Sequence[Item],
    drawn: Drawn,
    analysis: Analysis,
    context: object,
    folder: Path,
    synthetic: str = "",
) -> None:
    """Draw every figure of ``items``, and write it in all formats. ``drawn`` contains the functions that draw figures.

    If ``synthetic`` is given, it is the name of a synthetic campaign, and figures show this name.
    """
    for item in items:
        if isinstance(item, Declared):
            figure = drawn[item.drawn or item.name](item, analysis, context)
            if synthetic:
                look: dict[str, Any] = {"fontsize": "x-small", "color": SOFT, "family": STYLE["font.family"]}
                figure.text(0, 1, OF_SYNTHETIC + synthetic, va="bottom", **look)
            for form in FIGURE_FORMS:
                save_figure(figure, folder / f"{item.name}.{form}")
                figure.set_layout_engine("none")


#: functions that draw the figures of comparisons; the key of a figure is its `Figure.drawn`
COMPARISONS: Drawn = {"matrix": drawn_matrix}
