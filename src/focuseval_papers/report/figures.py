"""Heat maps, and the axes of figures with several panels."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from focuseval.errors import extra
from focuseval.report.figures import STYLE
from focuseval.report.tables import number

with extra("plots"):
    import matplotlib
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

#: the maximum width of a figure in inches
_WIDEST = 9.7


@dataclass(frozen=True, eq=False)
class HeatMapPanel:
    """One heat map in a figure; ``values`` is a table, whose row and column names label the cells."""

    title: str
    values: pd.DataFrame
    x_label: str = ""
    y_label: str = ""


def three_digits(value: float) -> str:
    """Format a number for a figure, with three significant digits below 1, and otherwise with two decimals."""
    return number(value, "#.3g" if 0 < abs(value) < 1 else ".2f")


def ink_on(colour: Iterable[float]) -> str:
    """Return "black" or "white", whichever is more legible on an RGB colour."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return "black" if (np.dot([0.2126, 0.7152, 0.0722], linear) + 0.05) ** 2 > 0.0525 else "white"


def axes_of(figure: Figure, count: int, down: int, across: int, **options: Any) -> list[Axes]:
    """Return axes for ``count`` panels, row by row on a grid of ``down`` rows and ``across`` columns."""
    axes = list(figure.subplots(down, across, squeeze=False, **options).flat)
    for ax in axes[count:]:
        figure.delaxes(ax)
    return axes[:count]


@matplotlib.rc_context({**STYLE, "axes.grid": False})
def heat_maps(
    panels: Sequence[HeatMapPanel], label: str, limits: tuple[float, float] | None = None
) -> Figure:
    """Draw heat maps with a number in each cell, from light (low) to dark (high).

    With ``limits``, colours go from the lower to the upper limit, and numbers have three significant digits. Without
    limits, the numbers are correlations with two decimals. Colours then go from 0.9 to 1, or from the lowest number,
    rounded down to one decimal, if it is below 0.9. Only one half of a symmetric map is drawn.
    """
    rows = [len(panel.values) for panel in panels]
    width = max(3.6, 0.52 * max(panel.values.shape[1] for panel in panels) + 1.4)
    text_of = three_digits
    if limits is None:
        text_of = partial(number, form=2)
        numbers = np.concatenate([panel.values.to_numpy(float).ravel() for panel in panels])
        limits = float(min(np.floor(10 * np.nanmin(numbers, initial=0.9)) / 10, 0.9)), 1.0
    low, high = limits
    layout = ConstrainedLayoutEngine(h_pad=0.12)
    across = 1 if len(set(rows)) > 1 else min(len(panels), max(1, int(_WIDEST // width)))
    down = rows[::across]
    height = sum(max(0.52 * cells + 1.4, 3.6 * (across > 1)) for cells in down)
    figure = Figure(figsize=(width * across + 0.8, height + 0.2), layout=layout)
    axes = axes_of(figure, len(panels), len(down), across, height_ratios=down)
    for ax, panel in zip(axes, panels, strict=True):
        values = panel.values.to_numpy(float)
        twice = len(values) == len(values.T) and np.array_equal(values, values.T, equal_nan=True)
        drawn = np.tri(len(values), dtype=bool) if twice else np.ones(values.shape, dtype=bool)
        image = ax.imshow(np.where(drawn, values, np.nan), cmap="Blues", vmin=low, vmax=high)
        for row, column in np.argwhere(drawn):
            value = values[row, column]
            shade = "black" if np.isnan(value) else ink_on(image.to_rgba(value)[:3])
            ax.text(column, row, text_of(value), ha="center", va="center", fontsize=8.5, color=shade)
        ax.set_xticks(range(values.shape[1]), panel.values.columns, rotation=45, ha="right", fontsize=8.5)
        ax.set_yticks(range(values.shape[0]), panel.values.index, fontsize=8.5)
        ax.tick_params(length=0)
        for spine in ax.spines.values():
            spine.set_visible(False)
        ax.set(title=panel.title, xlabel=panel.x_label, ylabel=panel.y_label)
    shrink = min(0.85, 3.6 / height)
    figure.colorbar(image, ax=axes, label=label, shrink=shrink, pad=0.02).outline.set_visible(False)
    return figure
